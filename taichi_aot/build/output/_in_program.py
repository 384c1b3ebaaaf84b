"""`Module`, which a program of the user's own fills, beside its launches."""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from ...adopt._make import module_files, pack_module
from ...adopt._module import ParsedModule
from ...bundle._files import is_module_file
from ...bundle._info import ModuleInfo
from ...driver._files import output_path, require_file, write_folder, write_whole
from ...values._errors import short
from ...values._numbers import Arch
from .._archs import CORE, EXCEPTION, IMPL, KERNEL, TARGETS, device_here
from .._options import (
    BuildError,
    Options,
    read_caps,
    read_threads,
    require_folder,
    require_outermost,
    require_taichi,
)
from ..code._native import why_unavailable
from ..code._ptx import why_no_ptx
from ..compile._compiled import bundle
from ..compile._module import Builder
from ..compile._session import (
    DEFAULT_CPU_THREADS,
    SPIRV,
    StatedThreads,
    asserts_of_modules,
    exact_matrices,
    set_options,
    without_real_functions,
)
from ._build import module_with_code

NATIVE_TIMEOUT = 600.0  # seconds for each process that compiles machine code or PTX


class Module(Builder):
    """A module that a program fills after ``ti.init``, with the methods of ``ti.aot.Module``.

    The program may launch kernels before and after, and make several modules. It need not be a file of kernels, as for
    `build`. The file also has the names of parameters, docstrings and shapes.

    Parameters
    ----------
    arch : Arch, str or Taichi's arch, optional
        The target. By default the arch that Taichi has started, which is the CPU if it did not find the one of
        ``ti.init``. Vulkan's code is also that of OpenGL, GLES and Metal.
    caps : mapping or sequence of str, optional
        Capabilities of the device that SPIR-V code may use, as in `build`.
    cpu_threads : int, default 16
        Maximum number of threads for loops of CPU kernels.

    Raises
    ------
    BuildError
        If ``ti.init`` was not called, has started Taichi for another arch, or ``taichi`` is not installed.
    TypeError, ValueError
        If an argument is wrong.

    Examples
    --------
    >>> ti.init(arch=ti.vulkan)                                         # doctest: +SKIP
    >>> module = Module(ti.vulkan)                                      # doctest: +SKIP
    >>> module.add_kernel(saxpy, shapes={"x": "n", "y": "n"})           # doctest: +SKIP
    >>> module.archive("saxpy.tcm")                                     # doctest: +SKIP
    """

    __module__ = "taichi_aot.build"

    def __init__(
        self,
        arch: object = None,
        caps: Mapping[str, Any] | Sequence[str] | None = None,
        *,
        cpu_threads: int | None = None,
    ) -> None:
        require_outermost("the build makes and writes the module")
        require_taichi()
        threads = DEFAULT_CPU_THREADS if cpu_threads is None else read_threads(cpu_threads)
        capabilities = read_caps(caps)
        target = _read_arch(arch)
        has_machine_code = TARGETS[target].has_machine_code and not why_unavailable(None)
        caps_of_target = capabilities if TARGETS[target].uses_caps else ()
        super().__init__(target, caps_of_target, has_machine_code=has_machine_code)
        self._program = IMPL.get_runtime().prog
        self._threads = threads
        self._is_complete = False

    def save(self, filepath: str | os.PathLike[str]) -> None:
        """Write the module to a folder; nothing can be added afterwards.

        Parameters
        ----------
        filepath : path
            The folder. An earlier module there is replaced.

        Raises
        ------
        BuildError
            If nothing was added, or the kernels cannot be written as one module.
        FileExistsError
            If the folder has other files.
        FileNotFoundError
            If the folder above does not exist.

        Examples
        --------
        >>> module.save("saxpy")                                        # doctest: +SKIP
        """
        path = Path(filepath)
        require_folder(path)
        write_folder(path, module_files(self._result), is_module_file)

    def archive(self, filepath: str | os.PathLike[str]) -> None:
        """Write the module to a file; nothing can be added afterwards.

        Parameters
        ----------
        filepath : path
            A ``.tcm``, which C++ programs load too, or a ``.tib``, a bundle of this one module.

        Raises
        ------
        BuildError
            If nothing was added, or the kernels cannot be written as one module.
        FileNotFoundError
            If the folder does not exist.
        ValueError
            If the path has another suffix.

        Examples
        --------
        >>> module.archive("saxpy.tcm")                                 # doctest: +SKIP
        """
        path = output_path(filepath)
        if path.suffix not in (".tcm", ".tib"):
            raise ValueError(f"{os.fspath(filepath)!r} ends neither in .tcm nor in .tib")
        require_folder(path)
        require_file(path)
        module = self._result
        made = pack_module(module) if path.suffix == ".tcm" else bundle({self.arch: module})
        write_whole(path, made.data)

    @cached_property
    def _result(self) -> ParsedModule:
        if not self._names:
            raise BuildError("the module is empty: add kernels, graphs or fields before it is written")
        self._require_incomplete()
        self._is_complete = True  # the compiler gives its output once
        with self._compiling("", ""):
            compiled = self._compiled(*_source())
        without = {Arch.X64: why_unavailable(None), Arch.CUDA: why_no_ptx(None)}
        device = None if without[Arch.CUDA] else device_here()
        options = Options("", Path(), cuda_device=device, timeout=NATIVE_TIMEOUT)
        module = module_with_code(compiled, options, without)
        for message in (*compiled.warnings, *self._other_threads(module.info)):
            warnings.warn(message, stacklevel=4)
        return module

    def _other_threads(self, info: ModuleInfo) -> list[str]:
        """Return warnings for graphs whose loops were compiled for the number of this machine's cores."""
        own = min(IMPL.current_cfg().cpu_max_num_threads, os.cpu_count() or 1)
        return [
            f"the loops of graph {name} run on at most {own} threads, as many as here: call ti.loop_config(parallelize="
            f"{self._threads}) before them"
            for name, graph in info.graphs.items()
            if own != self._threads
            and own in {info.all_kernels[dispatch.kernel].cpu_threads for dispatch in graph.dispatches}
        ]

    @contextmanager
    def _compiling(self, name: str, what: str) -> Generator[None]:
        """Let Taichi compile for a module, not for this process: without its cache, for a stated number of threads."""
        if IMPL.get_runtime().prog is not self._program:
            raise BuildError("ti.init or ti.reset has ended the program for which the module was made: make a new one")
        if name:
            self._require_incomplete()
        config = IMPL.current_cfg()
        for_modules = {"offline_cache": False, "cpu_max_num_threads": self._threads, **exact_matrices(config)}
        own = set_options(config, for_modules)
        ti_assert, call = IMPL.ti_assert, KERNEL.Func.__call__
        IMPL.ti_assert = asserts_of_modules(IMPL, ti_assert)
        if CORE.arch_name(config.arch) == SPIRV:
            KERNEL.Func.__call__ = without_real_functions(call, EXCEPTION.TaichiSyntaxError, "ti")
        try:
            IMPL.get_runtime().materialize()
            with StatedThreads(self._threads):
                yield
        finally:
            IMPL.ti_assert, KERNEL.Func.__call__ = ti_assert, call
            set_options(config, own)

    def _instance(self, kernel: Any, samples: Sequence[Any]) -> Any:
        # A launch may have compiled it, for the number of this machine's cores.
        own = kernel.compiled_kernels
        kernel.compiled_kernels = {}
        try:
            return super()._instance(kernel, samples)
        finally:
            kernel.compiled_kernels = own

    def _require_incomplete(self) -> None:
        if self._is_complete:
            raise BuildError("save() or archive() has completed the module: add everything before, or make a new one")


def _read_arch(given: object) -> Arch:
    """Return the target, for which Taichi must have been started."""
    if IMPL.get_runtime().prog is None:
        raise BuildError("Taichi is not started: call ti.init(arch=...) before Module()")
    started = str(CORE.arch_name(IMPL.current_cfg().arch))
    name = started if given is None else given if isinstance(given, (str, Arch)) else getattr(given, "name", None)
    if not isinstance(name, (str, Arch)):
        raise TypeError(f"name an arch, such as ti.vulkan or 'vulkan', not {short(given)}")
    if given is None:
        name = os.environ.get("TI_ARCH", name)  # if it does not find that device, Taichi starts for the CPU
    target = Arch(name)
    wanted = "vulkan" if TARGETS[target].uses_caps else str(target)
    if started not in (wanted, str(target)):
        raise BuildError(
            f"the module is for {target}, and Taichi was started for {started}: call ti.init(arch=ti.{wanted}). "
            "Where it does not find such a device, `taichi-aot build` compiles a file of kernels"
        )
    return target


def _source() -> tuple[str, str]:
    """Return the name and the SHA-256 of the program's file; both are empty in a notebook or an interactive session."""
    file = getattr(sys.modules["__main__"], "__file__", None)
    if file is None or not os.path.isfile(file):
        return "", ""
    return os.path.basename(file), hashlib.sha256(Path(file).read_bytes()).hexdigest()

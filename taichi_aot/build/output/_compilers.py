"""Builds of the kernels of Taichi and Quadrants: the work of child processes, and the file made of their answers.

A bundle states its build: the files of the source, and the options.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...adopt.modules._make import (
    MadeBundle,
    common_info,
    difference_of_kernels,
    pack_bundle,
    pack_module,
    require_equal,
)
from ...bundle._info import ModuleInfo, SourceFile
from ...bundle._source import Origin
from ...values._enums import Arch
from .._archs import TARGETS, CudaDevice, with_features
from .._options import SPIRV_VERSION, BuildError, Options, UnavailableError, option, read_caps, require_taichi
from ..code._native import targets_of, why_unavailable, with_native_code
from ..code._ptx import why_no_ptx, with_ptx
from ..code._ptxas import require_assembler
from ..compile._children import Job, Progress, show_code
from ..compile._compiled import Compiled, bundle, read_module
from ..spirv._codes import with_codes

if TYPE_CHECKING:
    from ...adopt.modules._module import ParsedModule
    from ...bundle._info import ModuleInfo


def make_origin(options: Options, compiled: Compiled, archs: Iterable[Arch]) -> Origin:
    """Return a bundle's statement of its build.

    Files are stated relative to the bundle, if they and the bundle are in the current folder: the same project then
    gives the same bytes in any folder, and no names of folders outside of it are written.
    """
    folder = _relative(compiled.folder, options.path)
    python = None if options.python is None else _relative(options.python, options.path)
    digest = compiled.description["source"]["sha256"]
    written = {} if python is None else {"--python": python}
    names = tuple(map(str, archs))
    return Origin(folder or ".", compiled.sources, stated_options(options), written, digest, names)


def _relative(file: Path, bundle: Path) -> str | None:
    """Return the path of a file relative to the folder of a bundle; None if one is outside of the current folder."""
    here, place, folder = Path.cwd(), file.resolve(), bundle.resolve().parent
    if not (place.is_relative_to(here) and folder.is_relative_to(here)):
        return None
    return Path(os.path.relpath(place, folder)).as_posix()


def stated_options(options: Options) -> tuple[str, ...]:
    """Return the options of ``taichi-aot build`` for those of `build` that change the contents."""
    device = options.cuda_device
    found = ["--all"] * options.all_kernels + ["--debug"] * options.debug
    if options.cpu_threads is not None:
        found += ["--cpu-threads", str(options.cpu_threads)]
    caps = [_cap(*each.split("=")) for each in options.caps if each not in read_caps(None)]
    if caps:
        found += ["--caps", ",".join(caps)]
    for name in ("capability", "multiprocessors", "blocks"):
        if device is not None and getattr(device, name) != getattr(CudaDevice(), name):
            found += [f"--cuda-{name}", str(getattr(device, name))]
    if options.native is not None:
        found.append("--native" if options.native else "--no-native")
    if options.math != "default":
        found += ["--math", options.math]
    if options.cubins:
        found += ["--cubins", ",".join(options.cubins)]
    return tuple(found)


def _cap(name: str, value: str) -> str:
    """Return a capability in the form of the command line."""
    return f"{name}=1.{int(value) >> 8 & 0xFF}" if name == SPIRV_VERSION else name


# Builds of Taichi's kernels: the work of child processes, and the file made of their answers.


PROGRAM_TIME = 60.0  # of a program that is run to record its calls


class TaichiBuild:
    """The steps of a build of Taichi's kernels; `source` is as given, for commands in messages."""

    def __init__(self, options: Options, source: str) -> None:
        self._options = options
        self._source = source
        self._without: dict[Arch, str] = {}  # why modules get no machine code and no PTX; empty if they do

    def plan(self) -> tuple[list[Job], dict[Arch, str]]:
        """Return the work of the child processes, and why there is none for an arch.

        UnavailableError if the machine lacks a compiler that is required.
        """
        options = self._options
        self._find_compilers()
        plans = [TARGETS[each].plan(options.cuda_device) for each in options.archs]
        jobs = [
            Job(
                each.arch,
                each.start,
                options,
                each.environment,
                options.caps if TARGETS[each.arch].uses_caps else (),
                min(PROGRAM_TIME, options.timeout / 2) if options.all_kernels else None,
                has_machine_code=TARGETS[each.arch].has_machine_code and not self._without[Arch.X64],
            )
            for each in plans
            if not each.missing
        ]
        return jobs, {
            each.arch: each.missing + TARGETS[each.arch].elsewhere(self._source, options.path, is_alone=len(plans) == 1)
            for each in plans
            if each.missing
        }

    def pack(
        self, compiled: Sequence[Compiled], show: Callable[[Progress], None]
    ) -> tuple[MadeBundle, ModuleInfo, Mapping[Arch, str]]:
        """Return the contents of the file, their summary, and why a module has no code, unless nobody asks for it."""
        modules = {each.arch: self._module(each, show) for each in compiled}
        without = {} if self._options.native is False else self._without
        if self._options.path.suffix == ".tcm":
            ((arch, module),) = modules.items()
            made = pack_module(module)
            return MadeBundle(made.data, {arch: made}), made.info, without
        joined = bundle(modules, make_origin(self._options, compiled[0], modules))
        return joined, common_info({arch: module.info for arch, module in joined.modules.items()}), without

    def _find_compilers(self) -> None:
        require_taichi()
        options = self._options
        native, ptx = options.native, bool(options.cubins) or options.native
        self._without = {
            Arch.X64: why_unavailable(native if Arch.X64 in options.archs else False),
            Arch.CUDA: why_no_ptx(ptx if Arch.CUDA in options.archs else False),
        }
        if options.cubins:
            require_assembler()

    def _module(self, compiled: Compiled, show: Callable[[Progress], None]) -> ParsedModule:
        """The module of an arch, with machine code or PTX if it has any."""
        options, module = self._options, read_module(compiled)
        shown = show_code(show, compiled.arch, len(module.info.all_kernels))
        if not self._without[Arch.X64]:
            module = with_native_code(
                module,
                options.timeout,
                shown,
                compiled,
                options.math,
                targets=targets_of(options),
                kept=options.kept,
            )
        module = with_codes(module)
        if self._without[Arch.CUDA]:
            return module
        try:
            module = with_ptx(module, options.timeout, shown, device=options.cuda_device, cubins=options.cubins)
        except UnavailableError as reason:
            if options.native or options.cubins:
                raise UnavailableError(f"cuda: PTX {reason}") from None
            self._without[Arch.CUDA] = str(reason)
        return module


# Builds of Quadrants' kernels: the work of child processes, and the file made of their answers.


class QuadrantsBuild:
    """The steps of a build of kernels of Quadrants, as `TaichiBuild`."""

    def __init__(self, options: Options, source: str) -> None:
        self._options = options

    def plan(self) -> tuple[list[Job], dict[Arch, str]]:
        """Return the work of the child processes, and why there is none for an arch.

        BuildError if an option is not for kernels of Quadrants, or a package that they need is missing.
        """
        from ..quadrants._compile import main  # which builds of Taichi's kernels do without
        from ..quadrants._module import ARCHS, require_quadrants

        options = self._options
        given = {"all": options.all_kernels, "no-native": options.native is False, "cubins": bool(options.cubins)}
        for name in filter(given.get, given):
            raise BuildError(
                f"{option(name)} is for kernels of Taichi, and this source imports quadrants: leave it out"
            )
        require_quadrants()
        plans = [TARGETS[each].plan(options.cuda_device) for each in options.archs]
        other = "kernels of Quadrants are built for x64, whose code runs on arm64 too, vulkan and cuda"
        reasons = {each.arch: other if each.arch not in ARCHS else each.missing for each in plans}
        jobs = [
            Job(
                each.arch,
                each.start,
                options,
                with_features(each.environment, options.caps),
                has_machine_code=TARGETS[each.arch].has_machine_code,
                main=main,
            )
            for each in plans
            if not reasons[each.arch]
        ]
        return jobs, {arch: reason for arch, reason in reasons.items() if reason}

    def pack(
        self, compiled: Sequence[Compiled], show: Callable[[Progress], None]
    ) -> tuple[MadeBundle, ModuleInfo, Mapping[Arch, str]]:
        """Return the contents of the file, their summary, and why a module has no code: all have it."""
        from ..quadrants._module import make_module

        options, first, total = self._options, compiled[0], len(compiled[0].files)
        modules = {each.arch: make_module(each, options, show_code(show, each.arch, total)) for each in compiled}
        require_equal(difference_of_kernels({arch: module.info for arch, module in modules.items()}))
        if options.path.suffix == ".tcm":
            ((arch, module),) = modules.items()
            return MadeBundle(module.data, {arch: module}), module.info, {}
        source = SourceFile(**first.description["source"])
        made = pack_bundle(modules, source, make_origin(options, first, modules))
        return made, common_info({arch: module.info for arch, module in modules.items()}), {}

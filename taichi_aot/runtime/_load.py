"""`load`: open a module or bundle on its best device in one call."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..backends._devices import ArchLike, available_archs, best_device, choose_device, names_device
from ..bundle._plan import exactly, read_files, warn_if_stale
from ..kernels._loading import archs_of, load_files, plan_of
from ..kernels._module import AotModule
from ..values._errors import ArgumentTypeError, InvalidArgumentError, describe, short
from ._runtime import Runtime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..bundle._files import Source
    from ..handles._runtime import SeedLike
    from ..values._numbers import Arch


def load(
    source: Source,
    arch: ArchLike | None = None,
    runtime: Runtime | None = None,
    *,
    reload: bool = False,
    seed: SeedLike | None = None,
    contents: bool = True,
) -> AotModule:
    """Load a module or bundle on the best device for which it has code.

    The device is a hardware GPU if possible (CUDA before Vulkan, discrete first), else the CPU. Arrays for the kernels
    come from the module's `runtime`.

    Parameters
    ----------
    source : path or bytes-like
        A bundle (``.tib``), a ``.tcm`` archive, a folder, or the bytes of a bundle or archive; see `inspect`.
    arch : Arch, str or DeviceInfo, optional
        Backend or device to load it on; ``"cpu"`` and ``"gpu"`` are those of `Runtime`.
    runtime : Runtime, optional
        Runtime to load it into; the module does not own it.
    reload : bool, default False
        Whether the module follows its file during development. A launch looks at the file at most five times a second,
        and if it has changed, the new module takes over first: its kernels, graphs, bound launches and sequences run
        the new code. If something that is in use does not fit, such as a kernel with other parameters, the old module
        stays and a `ReloadWarning` says why; see `AotModule.reload`. Modules with fields cannot be reloaded.
    seed : int, sequence of int or numpy.random.SeedSequence, optional
        Seed of ``ti.random`` in the new runtime, as for `Runtime.seed`. The default is that of the source
        (``ti.init(random_seed=)``).

    contents : bool, default True
        Whether fields begin with what the module states of their contents, or with zeros. ``build --all`` keeps what a
        program writes into its fields before kernels use them.

    Returns
    -------
    AotModule
        By default it owns a new runtime: closing the module closes the runtime and all its memory. A module that is no
        longer referenced is closed once its arrays are unreferenced too.

    Raises
    ------
    TypeError
        If `source` is neither a path nor bytes-like, or no path with ``reload=True``; if `runtime` is not a Runtime.
    ValueError
        If the arch does not exist, the arch of `runtime` is not `arch`, or `runtime` is closed; if `seed` is negative,
        or given with a `runtime`, which has its own.
    IncompatibleModuleError
        If it does not have code for `arch` or for the runtime.
    FileNotFoundError, CorruptedDataError, IncompatibleModuleError
        As for `Runtime.load_module`.
    NotSupportedError
        If the source does not have code for a device of this machine, or has fields and `reload` is true.
    LibraryNotFoundError
        If the C library is not found.

    Examples
    --------
    >>> with taichi_aot.load("saxpy.tcm") as module:
    ...     rt = module.runtime
    ...     y = rt.zeros(2, "f32")
    ...     module.kernels["saxpy"](2.0, rt.asarray([1.0, 2.0], "f32"), y)
    ...     print(y.to_numpy())
    [2. 4.]
    """
    if isinstance(arch, Runtime):
        raise ArgumentTypeError("arch must be the name of a backend, not a Runtime; write load(source, runtime=...)")
    wanted = None if arch is None else choose_device(arch, 0)[0]
    if runtime is not None:
        if not isinstance(runtime, Runtime):
            hint = f"; write load(source, arch={short(runtime)})" if isinstance(runtime, str) else ""
            raise ArgumentTypeError(f"runtime must be a Runtime, not {describe(runtime)}{hint}")
        if wanted not in (None, runtime.arch):
            raise InvalidArgumentError(f"arch {wanted} contradicts the runtime, which is of arch {runtime.arch}")
        if seed is not None:
            raise InvalidArgumentError("a runtime has its own seed: write runtime.seed(...)")
        return runtime.load_module(source, reload=reload, contents=contents)
    files = read_files(source, exactly(wanted, available_archs) if wanted else for_best_device)
    warn_if_stale(source, files.origin)
    plan = plan_of(files)
    device = arch if names_device(arch) else best_device((wanted,) if wanted else archs_of(files, plan))
    own = Runtime(device, seed=seed)
    try:
        if reload:
            from ..kernels._reloading import follow_file

            return follow_file(source, partial(own.load_module, contents=contents), owns_runtime=True)
        handle = load_files(own._handle, own._capabilities, files, plan)
        return AotModule(own, handle, owns_runtime=True, contents=contents)
    except BaseException:
        own.close()
        raise


def for_best_device(where: str, archs: Sequence[Arch]) -> Arch:
    """Pick the module of a bundle that the best device runs."""
    return exactly(best_device(archs).arch, available_archs)(where, archs)

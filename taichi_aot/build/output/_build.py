"""`build`: from a source to a bundle or a module, and its result.

Child processes compile the kernels, and the file is made of their answers. A bundle states its build: the files of the
source, and the options. Notes say which loops on the CPU are not vectors, why, and what would make them so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...adopt._make import MadeBundle, common_info, difference_of_kernels, pack_bundle, pack_module, require_equal
from ...bundle._info import VECTORS, KernelInfo, ModuleInfo, SourceFile
from ...bundle._plan import Origin
from ...driver._child import read_timeout
from ...driver._files import output_path, require_file, write_all
from ...driver._library import log_debug
from ...values._errors import count, short
from ...values._numbers import Arch, ArchName
from .._archs import TARGETS, CudaDevice, with_features
from .._options import (
    SPIRV_VERSION,
    BuildError,
    Math,
    Options,
    UnavailableError,
    option,
    read_archs,
    read_caps,
    read_cubins,
    read_kinds,
    read_math,
    read_threads,
    require_folder,
    require_outermost,
    require_taichi,
)
from .._processes import kept_builds
from ..code._native import targets_of, why_unavailable, with_native_code
from ..code._ptx import require_assembler, why_no_ptx, with_ptx
from ..compile._children import (
    Job,
    Progress,
    compile_all,
    compile_program,
    show_code,
    with_archs,
)
from ..compile._compiled import Compiled, bundle, read_module
from ..source._source import QUADRANTS, TAICHI, compiler_of
from ..spirv._codes import with_codes
from ..vector._vectors import ATOMIC, CALLS, FOLLOWING, SUM
from ._python import can_import, functions_without_names, functions_without_results, make_python, path_from, require_own

if TYPE_CHECKING:
    from ...adopt._module import ParsedModule
    from ...bundle._info import ModuleInfo

# Notes: loops on the CPU that are not vectors.


class Remedy(NamedTuple):
    """What makes a loop vectors."""

    reason: str  # how `TaskInfo.loop` begins
    change: str  # with the option of the build to leave out in the place of {}
    gain: int  # how many times as fast it was in our measurements; 0 if it is not sure to help
    is_of_exact: bool = False  # whether it is for ``math="exact"``, else for the others


# docs/build.md has them as a table.
REMEDIES = (
    Remedy(ATOMIC, "add to a variable, or to an element of an array that the loop does not use otherwise", 100),
    Remedy(
        FOLLOWING,
        "store after the inner loops of an element, and read elsewhere only from arrays that the loop does not change",
        0,
    ),
    Remedy(SUM, "leave out {}", 30, is_of_exact=True),
    Remedy(CALLS, "leave out {}", 12, is_of_exact=True),
)


def notes_of(kernels: Mapping[str, KernelInfo], math: Math, *, all_loops: bool) -> list[str]:
    """Return the notes: for a kernel the first one that is sure, or those for all loops. Equal ones are joined."""
    subjects: dict[str, dict[str, None]] = {}
    written = {name: each for name, each in kernels.items() if each.file}  # others are made by the build
    for name, kernel in sorted(written.items(), key=lambda each: (each[1].file, each[1].line, each[0])):
        texts = [text for task in kernel.tasks for text in _texts(task.loop or "", math, all_loops=all_loops)]
        for text in texts if all_loops else texts[:1]:
            subjects.setdefault(text, {})[f"kernel {name} ({kernel.file}, line {kernel.line})"] = None
    return [_note(text, list(names)) for text, names in subjects.items()]


def remedied(remedy: Remedy) -> str:
    """Return the change of a remedy, with options as the caller writes them."""
    return remedy.change.format(option("exact"))


def _texts(loop: str, math: Math, *, all_loops: bool) -> Iterator[str]:
    if loop in ("", VECTORS):
        return
    remedy = next((each for each in REMEDIES if loop.startswith(each.reason)), None)
    text = f"{loop}, so it is not computed by vectors"
    if remedy is not None and remedy.gain and remedy.is_of_exact == (math == "exact"):
        yield f"{text}: {remedied(remedy)}, which was {remedy.gain} times as fast in our measurements"
    elif all_loops:
        yield text


def _note(text: str, subjects: Sequence[str]) -> str:
    more = f". Likewise: {', '.join(subjects[1:])}" if len(subjects) > 1 else ""
    return f"{subjects[0]} {text}{more} [vectors]"


# The statement of a build.


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
        modules = {each.arch: module_with_code(each, self._options, self._without, show) for each in compiled}
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


def module_with_code(
    compiled: Compiled,
    options: Options,
    without: dict[Arch, str],
    show: Callable[[Progress], None] | None = None,
) -> ParsedModule:
    """Read the module of an arch, and add the code that is compiled here: machine code, SPIR-V or PTX.

    `without` says why modules for x64 get no machine code, and why those for CUDA get no PTX; it is empty if they do.
    It gets the reason if the machine turns out to have no compiler of PTX, which is an error if that is required.
    """
    module = read_module(compiled)
    shown = None if show is None else show_code(show, compiled.arch, len(module.info.all_kernels))
    if not without[Arch.X64]:
        targets = targets_of(options)
        module = with_native_code(
            module, options.timeout, shown, compiled, options.math, targets=targets, kept=options.kept
        )
    module = with_codes(module)
    if without[Arch.CUDA]:
        return module
    try:
        return with_ptx(module, options.timeout, shown, device=options.cuda_device, cubins=options.cubins)
    except UnavailableError as reason:
        if options.native or options.cubins:
            raise UnavailableError(f"cuda: PTX {reason}") from None
        without[Arch.CUDA] = str(reason)
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


# Builds.


@dataclass(frozen=True)
class BuiltModule:
    """The module for one arch.

    Attributes
    ----------
    arch : Arch
    size : int
        Bytes of its ``.tcm``.
    seconds : float
        Wall time of its child process.
    peak_memory : int
        Maximum memory of the child process in bytes; 0 if the system does not report it.

    Examples
    --------
    >>> for module in build("kernels.py", archs=["x64"]).modules:  # doctest: +SKIP
    ...     print(module.arch, module.size)
    x64 6011
    """

    arch: Arch
    size: int
    seconds: float
    peak_memory: int


@dataclass(frozen=True)
class BuildResult:
    """The result of `build`.

    Attributes
    ----------
    path : Path
        The file.
    modules : tuple of BuiltModule
        One for each arch that was built.
    skipped : mapping of Arch to str
        Default archs that cannot be built here, with the reason.
    kernels, graphs, fields : tuple of str
        Names.
    taken : mapping of str to str
        With `all_kernels`, the place of each kernel, with the types and values of its template parameters.
    left_out : mapping of str to str
        With `all_kernels`, the kernels, graphs and fields that the file does not have, with the reason.
    native : tuple of str
        The kernels that have machine code in the module for x64.
    not_native : mapping of str to str
        Its other kernels, which the C library compiles when they are loaded, with the reason. Empty with
        ``native=False``.
    ptx : tuple of str
        The kernels that have PTX in the module for CUDA.
    not_ptx : mapping of str to str
        Its other kernels, as in `not_native`.
    warnings : tuple of str
        Contents that were built but will not work as the source says: at most one of each kind, with the remedy.
    notes : tuple of str
        Loops in machine code that are not vectors, with the remedy where it is sure; with `verbose` all of them.
    sources : tuple of Path
        The source and the files that it imports from its folder.
    source_sha256 : str
        SHA-256 of their contents, one after the other, in hexadecimal.

    Examples
    --------
    >>> result = build("kernels.py", "kernels.tib", archs=["x64"])      # doctest: +SKIP
    >>> print(result)                                                   # doctest: +SKIP
    kernels.tib: 1 kernel for x64
    """

    path: Path
    modules: tuple[BuiltModule, ...]
    skipped: Mapping[Arch, str]
    kernels: tuple[str, ...]
    graphs: tuple[str, ...]
    fields: tuple[str, ...]
    warnings: tuple[str, ...]
    sources: tuple[Path, ...]
    source_sha256: str
    taken: Mapping[str, str] = field(default_factory=dict[str, str])
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])
    native: tuple[str, ...] = ()
    not_native: Mapping[str, str] = field(default_factory=dict[str, str])
    ptx: tuple[str, ...] = ()
    not_ptx: Mapping[str, str] = field(default_factory=dict[str, str])
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as dicts, lists, strings and numbers, for JSON."""
        return {
            "path": str(self.path),
            "modules": {
                str(each.arch): {"size": each.size, "seconds": round(each.seconds, 3), "peak_memory": each.peak_memory}
                for each in self.modules
            },
            "skipped": {str(arch): reason for arch, reason in self.skipped.items()},
            "kernels": list(self.kernels),
            "graphs": list(self.graphs),
            "fields": list(self.fields),
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            "sources": list(map(str, self.sources)),
            "source_sha256": self.source_sha256,
            "taken": dict(self.taken),
            "left_out": dict(self.left_out),
            "native": list(self.native),
            "not_native": dict(self.not_native),
            "ptx": list(self.ptx),
            "not_ptx": dict(self.not_ptx),
        }

    def __str__(self) -> str:
        counts = [
            count(names, noun)
            for noun, names in (("kernel", self.kernels), ("graph", self.graphs), ("field", self.fields))
            if names or noun == "kernel"
        ]
        return f"{self.path}: {', '.join(counts)} for {', '.join(str(each.arch) for each in self.modules)}"


# `build`: from a source to a bundle or a module.


# Modules for OpenGL, GLES and Metal have the same code as those for Vulkan; they are built only if named.
DEFAULT_ARCHS = (Arch.X64, Arch.ARM64, Arch.VULKAN, Arch.CUDA)
TIMEOUT = 600.0
# The steps that differ between compilers: `plan` the work of child processes, and `pack` their answers.
COMPILERS: Mapping[str, type[TaichiBuild | QuadrantsBuild]] = {TAICHI: TaichiBuild, QUADRANTS: QuadrantsBuild}


def build(
    source: str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    *,
    archs: Sequence[Arch | ArchName] | None = None,
    cpu_threads: int | None = None,
    caps: Mapping[str, Any] | Sequence[str] | None = None,
    python: str | os.PathLike[str] | None = None,
    cuda_device: CudaDevice | None = None,
    progress: Callable[[Progress], None] | None = None,
    timeout: float = TIMEOUT,
    all_kernels: bool = False,
    debug: bool = False,
    verbose: bool = False,
    ignore: Sequence[str] = (),
    native: bool | None = None,
    math: Math = "default",
    cubins: Sequence[str] = (),
) -> BuildResult:
    """Compile the kernels of a file for several archs, each in a child process, and write them to one file.

    Only the child processes import ``taichi``. With the same versions of Taichi, of this package, and of the packages
    that `native` names, the same source gives the same bytes, regardless of folder, time and number of cores.

    Parameters
    ----------
    source : path or str
        A Python file with exported kernels, or the dotted name of a module, such as ``"package.kernels"``. The current
        folder is searched first.
    output : path, optional
        The file to write: ``.tib``, a bundle, or ``.tcm``, the module of one arch. By default a bundle with the name of
        the source, beside `python` or in the current folder.
    archs : sequence of Arch or str, optional
        The targets. By default the CPU, Vulkan and CUDA, as far as this machine can compile for them.
    cpu_threads : int, optional
        Maximum number of threads for loops of CPU kernels. By default the source's ``cpu_max_num_threads`` in
        ``ti.init``, or 16.
    caps : mapping or sequence of str, optional
        Capabilities of the device that SPIR-V code may use: ``{"spirv_version": "1.5", "spirv_has_float64": True}`` or
        ``["spirv_version=1.5", "spirv_has_float64"]``. A device that lacks one cannot run the module.
    python : path, optional
        A ``.py`` file to write, in the folder of `output` or above it. Programs import it: it loads the file, and
        type checkers know its kernels. See `make_python`.
    cuda_device : CudaDevice, optional
        The CUDA device to compile for; this machine need not have it.
    progress : callable, optional
        Called with a `Progress` before each kernel, from several threads.
    timeout : float, default 600
        Limit for each child process in seconds, at most a million.
    all_kernels : bool, default False
        Whether to run the source as a program, with its calls of kernels recorded instead of run, and to take all
        kernels and fields. The result says what was left out. See docs/build.md.
    debug : bool, default False
        Whether kernels for the CPU and CUDA check their indices and ``assert`` statements. A check that fails raises
        `KernelIndexError` or `KernelAssertionError` at the next wait or read. Kernels for other archs have no checks.
        Machine code is for this machine's kind of CPU only.
    verbose : bool, default False
        Whether errors also have the frames of the compiler, and all that it printed before a crash, and all loops that
        are not vectors have a note.
    ignore : sequence of str, optional
        Kinds of warnings and notes to leave out of the result: the words in brackets at their ends, such as
        ``"shapes"``.
    native : bool, optional
        Whether the module for x64 gets the machine code of its kernels, too, and that for CUDA their PTX. By default
        where this machine can compile them: machine code needs ``llvmlite`` and ``ziglang``, which the extra ``build``
        installs, and PTX needs Linux.
    math : {"exact", "default", "fast"}, optional
        What machine code may do with floats. By default, all CPUs compute the same bits: functions such as ``sin`` are
        of this package, and a sum over a loop has an order of its own. ``"exact"`` has the functions of the system's
        ``libm``, and keeps the order of such a sum. ``"fast"`` lets each kind of CPU change the order of terms, and
        multiply and add with one rounding. See docs/build.md.
    cubins : sequence of str, optional
        The capabilities of CUDA devices for which kernels with PTX get a cubin, too, such as ``["sm_90"]``, or
        ``"native"`` for those of this machine. It needs ``ptxas``, which the extra ``cubins`` installs. See
        docs/build.md.

    Raises
    ------
    BuildError
        If the source cannot be compiled, an arch that `archs` names cannot be built here, ``taichi`` is not installed,
        a child process crashes or takes too long, or the call comes from the source of another build.
    FileNotFoundError
        If the source, or the folder of `output` or `python`, does not exist.
    TypeError, ValueError
        If an argument is wrong, or `python` is a file that this package has not written.
    NotSupportedError
        In a program frozen by PyInstaller or Nuitka, whose children would run the program again instead of Python.

    Examples
    --------
    >>> result = build("kernels.py", archs=["x64", "vulkan"], cpu_threads=8)    # doctest: +SKIP
    """
    require_outermost("a build cannot start another one")
    where, name = _read_source(source)
    chosen = DEFAULT_ARCHS if archs is None else read_archs(archs)
    python_path = None if python is None else _read_python(python)
    path = _read_output(output, name, chosen if archs is not None else None, python_path)
    relative = "" if python_path is None else path_from(python_path, path)
    options = Options(
        where,
        path,
        python_path,
        chosen,
        archs is not None,
        None if cpu_threads is None else read_threads(cpu_threads),
        read_caps(caps),
        cuda_device,
        native,
        read_math(math),
        read_cubins(cubins, chosen, native),
        read_timeout(timeout),
        all_kernels,
        debug,
        verbose,
        kept_builds(),
    )
    # A program as it is does not state shapes.
    ignored = read_kinds(ignore) + (read_kinds(["shapes"]) if all_kernels else ())
    show = progress or _ignore
    compiler = COMPILERS[compiler_of(where)](options, os.fspath(source))
    jobs, skipped = compiler.plan()
    compiled, left_out = _compile(options, jobs, skipped, show)
    made, info, without = compiler.pack(compiled, show)
    text = {} if python_path is None else {python_path: make_python(info, relative).encode()}
    write_all({path: made.data, **text})
    for each in compiled:
        log_debug("kernels compiled: %s for %s in %s, %.1f s", where, each.arch, path, each.seconds)
    warnings = [*_warnings(compiled), *([] if python_path is None else _python_warnings(info, python_path))]
    description = compiled[0].description
    kernels, graphs, fields = (
        tuple(each["name"] for each in description[kind]) for kind in ("kernels", "graphs", "fields")
    )
    sizes = {arch: len(module.data) for arch, module in made.modules.items()}
    infos = {arch: module.info for arch, module in made.modules.items()}
    on_cpu = infos.get(Arch.X64)
    notes = notes_of({} if on_cpu is None else on_cpu.all_kernels, options.math, all_loops=verbose)
    return BuildResult(
        path,
        tuple(BuiltModule(each.arch, sizes[each.arch], each.seconds, each.peak_memory) for each in compiled),
        skipped,
        kernels,
        graphs,
        fields,
        tuple(each for each in warnings if not each.endswith(ignored)),
        tuple(Path(os.path.normpath(compiled[0].folder / name)) for name in compiled[0].sources),
        description["source"]["sha256"],
        (compiled[0].program or {}).get("taken", {}),
        left_out,
        *compiled_kernels(infos.get(Arch.X64), without.get(Arch.X64, "")),
        *compiled_kernels(infos.get(Arch.CUDA), without.get(Arch.CUDA, "")),
        tuple(each for each in notes if not each.endswith(ignored)),
    )


def compiled_kernels(info: ModuleInfo | None, without: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the kernels of a module that have machine code or PTX, and the others with the reason.

    `without` is the reason of a module that has none; empty if nobody asks. There may be no module for the arch.
    """
    if info is None:
        return (), {}
    reasons = info.not_native | info.not_ptx
    if not (info.native_targets or info.ptx_targets or reasons):
        return (), dict.fromkeys(info.all_kernels, without) if without else {}
    return tuple(name for name in info.all_kernels if name not in reasons), reasons


def _compile(
    options: Options, jobs: Sequence[Job], skipped: dict[Arch, str], show: Callable[[Progress], None]
) -> tuple[list[Compiled], dict[str, str]]:
    """Return the compiler's output for each arch, and what the file lacks; adds skipped archs to `skipped`."""
    left_out: dict[str, str] = {}
    if options.all_kernels:
        compiled, left_out = compile_program(jobs, show, options.are_required)
    else:
        compiled = compile_all(jobs, show)
    skipped |= {each.arch: each.unavailable for each in compiled if each.unavailable}
    if options.are_required and skipped:
        raise UnavailableError("; ".join(f"{arch} cannot be built here: {reason}" for arch, reason in skipped.items()))
    compiled = [each for each in compiled if not each.unavailable]
    _require_success(compiled, skipped)
    if options.all_kernels:
        _require_kernels(compiled, left_out)
    return compiled, left_out


def _ignore(progress: Progress) -> None:
    pass


def _read_source(source: str | os.PathLike[str]) -> tuple[str, str]:
    """Return the absolute path of a file, or a module's name, and the name of the output without suffix."""
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"the source is a path or the name of a module, not {short(source)}")
    text = os.fspath(source)
    path = Path(text)
    if path.suffix == ".ipynb":
        raise ValueError(f"{text} is a notebook, whose kernels have no source file: move them into a .py file")
    is_module = isinstance(source, str) and re.fullmatch(r"\w+(\.\w+)*", text) and path.suffix != ".py"
    if is_module and not path.exists():
        return text, text.rpartition(".")[2]
    if path.is_dir():
        raise IsADirectoryError(f"{text} is a folder: name a file of kernels in it")
    if path.suffix != ".py":
        raise ValueError(f"the source is a .py file, not {text}")
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {text}")
    return str(path.resolve()), path.stem


def _read_output(
    output: str | os.PathLike[str] | None, name: str, archs: Sequence[Arch] | None, python: Path | None
) -> Path:
    path = Path(python.parent if python else "", f"{name}.tib") if output is None else Path(os.fsdecode(output))
    if path.suffix not in (".tib", ".tcm"):
        raise ValueError(f"{str(output)!r} ends neither in .tib, a bundle, nor in .tcm, the module of one arch")
    if path.suffix == ".tcm" and (archs is None or len(archs) != 1):
        raise ValueError(
            f"a .tcm is for one arch: name one ({option('archs', 'x64')}), or write {path.with_suffix('.tib')}"
        )
    require_folder(path)
    require_file(path if output is None else output_path(output))
    return path


def _read_python(python: str | os.PathLike[str]) -> Path:
    path = output_path(python)
    if not can_import(path):
        raise ValueError(f"python is a .py file that programs can import, not {str(python)!r}")
    require_folder(path)
    require_file(path)
    require_own(path)
    return path


def _require_success(compiled: Sequence[Compiled], skipped: Mapping[Arch, str]) -> None:
    if not compiled:
        reasons = "; ".join(f"{arch}: {reason}" for arch, reason in skipped.items())
        raise UnavailableError(f"nothing can be built here: {reasons}")
    errors = {each.arch: each.error for each in compiled if each.error}
    if errors:
        raise BuildError("\n".join(with_archs(errors, len(compiled))))


def _require_kernels(compiled: Sequence[Compiled], left_out: Mapping[str, str]) -> None:
    """Raise if nothing of a program can be launched."""
    if not compiled[0].description["kernels"] and not compiled[0].description["graphs"]:
        archs = " and ".join(str(each.arch) for each in compiled)
        message = f"no kernel of the program can be built for {archs}" if left_out else "the program has no kernels"
        reasons = [*_warnings(compiled), *(f"{name}: {reason}" for name, reason in left_out.items())]
        raise BuildError("\n    ".join([message, *reasons]))


def _python_warnings(info: ModuleInfo, path: Path) -> list[str]:
    """Return warnings if kernels are not among the functions, for reasons that the user can change."""
    reasons = {
        "only code for vulkan states which arrays a kernel writes: build for vulkan too": functions_without_results(
            info
        ),
        "the Python module uses such a name itself: export it by another name": functions_without_names(info),
    }
    what = f"{path.name} has no functions of numpy arrays for"
    return [f"{what} {', '.join(names)}: {reason} [functions]" for reason, names in reasons.items() if names]


def _warnings(compiled: Sequence[Compiled]) -> list[str]:
    """Return the warnings, and why the program ended early; with the archs, if it did not on all."""
    reasons = {each.arch: f": {each.program['ended']}" for each in compiled if each.program and each.program["ended"]}
    ended = [f"the program ended early{each}" for each in with_archs(reasons, len(compiled), " on {archs}{reason}")]
    return list(dict.fromkeys([*ended, *(warning for each in compiled for warning in each.warnings)]))

"""Machine code for the kernels of an x64 module: which kernels have it, its compilation, and the module's statement."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from ...adopt.modules._module import ParsedModule
from ...adopt.taichi._native import NativeKernel, NativeModule
from ...adopt.taichi._plans import Program
from ...bundle._source import CODE_SUFFIX, NATIVE_TARGETS
from ...handles._code import own_targets
from ...values._enums import Arch
from .._kept import Kept
from .._options import BuildError, CrashError, Math, Options, UnavailableError
from ..compile._children import call_each, cores
from ..compile._compiled import Compiled
from ..vector._fixed import stated_members
from ..vector._vectors import Source
from ._loops import cpu_lengths
from ._native_code import Request, compile_each, compile_kernels
from ._native_link import link_answers
from ._native_needs import CPU_CODE, needs_of_module, with_shared

PACKAGES = {"llvmlite": "llvmlite==0.44.*", "ziglang": "ziglang==0.17.*"}  # names of their packages
BATCH = 32  # kernels in an object; it determines the bytes, so it does not follow the number of cores
FAILED = "has code on which LLVM fails"
MOST_FAILED = 8  # kernels; if there are more, the build fails, because something else may be wrong
AARCH64 = "aarch64"  # whose kinds share most code
COMPILER = "x64: the compiler of machine code"  # in messages


class _KernelError(BuildError):
    """LLVM fails on the code of a kernel."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


def why_unavailable(native: bool | None) -> str:
    """Return why modules get no machine code, a clause whose subject it is; empty if they do.

    `native` is the option of `build`. Raise UnavailableError if it is required, and the machine lacks a package.
    """
    if native is False:
        return "is built with native=False"
    if all(importlib.util.find_spec(name) is not None for name in PACKAGES):
        return ""
    reason = f"needs {' and '.join(PACKAGES)}: pip install {' '.join(map(repr, PACKAGES.values()))}"
    if native:
        raise UnavailableError(f"x64: machine code {reason}")
    return reason


def with_native_code(
    module: ParsedModule,
    timeout: float,
    show: Callable[[int], object] | None = None,
    compiled: Compiled | None = None,
    math: Math = "default",
    *,
    targets: Sequence[str] = NATIVE_TARGETS,
    kept: Kept | None = None,
) -> ParsedModule:
    """Compile the machine code of an x64 module, in child processes with a time limit; other modules stay as they are.

    `show` is called with the number of kernels that have been compiled, in the calling thread. The IR before the passes
    of the compiler that `compiled` has gives loops of vectors: without it there are none. `math` is the option of
    `build`, and `targets` are the kinds of CPU. With `kept`, only kernels are compiled that the last build has not
    compiled. BuildError if a process fails, or takes longer than `timeout` seconds.
    """
    if module.info.archs != (Arch.X64,):
        return module
    found, refused = needs_of_module(module, CPU_CODE)
    member_functions = compiled.member_functions if compiled is not None else ""
    attempts = 0
    while True:
        sources, kernels = _sources(module, found, compiled)
        try:
            request = Request(sources, member_functions, math, targets)
            answers = _compile(request, timeout, show, kept)
            break
        except _KernelError as error:
            if attempts == MOST_FAILED:
                raise
            attempts += 1
            failed = {name: FAILED for name in found if code_of(module, name).decode() == error.code}
            refused = with_shared(module, {**refused, **failed}, CPU_CODE)
            found = {name: needs for name, needs in found.items() if name not in refused}
    code = link_answers(answers) if found else {}
    loops = {symbol: how for each in answers for symbol, how in each["loops"].items()}
    lengths = {each.code: _lengths(each, loops) for each in sources}
    native = NativeModule(
        kernels,
        refused,
        {name: tuple(loops[symbol] for symbol in each.tasks) for name, each in kernels.items()},
        {name: lengths[code_of(module, name).decode()] for name in kernels},
        code,
    )
    return module._replace(native=native)


def targets_of(options: Options) -> Sequence[str]:
    """Return the kinds of CPU for which a build compiles: only that of this machine, if the code is not for others."""
    own = own_targets() if options.debug or options.kept is not None else []
    return own[: None if AARCH64 in own else 1] or NATIVE_TARGETS


def _compile(
    request: Request, timeout: float, show: Callable[[int], object] | None, kept: Kept | None
) -> list[dict[str, Any]]:
    """Compile kernels, in batches, or each alone if builds keep them."""
    if kept is None:
        return compile_in_batches(compile_kernels, request, timeout, COMPILER, show)
    keys = [repr(request._replace(kernels=each)) for each in request.kernels]
    missing = [each for key, each in zip(keys, request.kernels, strict=True) if key not in kept.answers]
    made = compile_in_batches(compile_each, request._replace(kernels=missing), timeout, COMPILER, show, kept)
    new = (answer for each in made for answer in each["answers"])
    kept.answers = {key: kept.answers[key] if key in kept.answers else next(new) for key in keys}
    return list(kept.answers.values())


def _lengths(source: Source, loops: Mapping[str, str]) -> tuple[tuple[int, Program], ...]:
    """The lengths of a kernel's loops, as `NativeModule` has them; none without the IR before passes."""
    if not source.before_passes:
        return ((0, ()),) * len(source.symbols)
    return cpu_lengths(source.before_passes, {task: loops[symbol] for task, symbol in source.symbols.items()})


def code_of(module: ParsedModule, kernel: str) -> bytes:
    """Return the IR of a kernel."""
    return module.files[f"{kernel}{CODE_SUFFIX}"]


def compile_in_batches(
    function: Callable[[Any], object],
    request: Any,
    timeout: float,
    what: str,
    show: Callable[[int], object] | None,
    kept: Kept | None = None,
) -> list[dict[str, Any]]:
    """Compile batches of kernels. Where LLVM ends the process by vectors, that kernel gets none.

    `function` compiles the kernels of a request, which has all `kernels`, each with `code`, `symbols` and
    `before_passes`. `what` compiles, in messages. `show` is called with the number of kernels that have been compiled.
    _KernelError if LLVM ends the process on a kernel without vectors too.
    """
    sources: Sequence[Any] = request.kernels
    batches = [sources[i : i + BATCH] for i in range(0, len(sources), BATCH)]

    def show_batches(done: int) -> None:
        if show is not None:
            show(min(BATCH * done, len(sources)))

    try:
        processes = max(1, cores() // max(1, len(batches)))
        requests = [request._replace(kernels=each, processes=processes) for each in batches]
        return call_each(function, requests, timeout, what, show_batches, kept)
    except BuildError as error:
        has_vectors = any(code for source in sources for code in source.before_passes.values())
        if not has_vectors and not isinstance(error, CrashError):
            raise
        if not has_vectors and len(sources) == 1:
            raise _KernelError(str(error), sources[0].code) from error
    if len(sources) == 1:
        parts: list[Sequence[Any]] = [[sources[0]._replace(before_passes=dict.fromkeys(sources[0].symbols, ""))]]
    else:
        parts = [sources[: len(sources) // 2], sources[len(sources) // 2 :]]
    left = (request._replace(kernels=part) for part in parts)
    return [each for part in left for each in compile_in_batches(function, part, timeout, what, show, kept)]


def _sources(
    module: ParsedModule, kernels: Mapping[str, NativeKernel], compiled: Compiled | None
) -> tuple[list[Source], dict[str, NativeKernel]]:
    """The IR to compile, and the kernels with the symbols of their tasks.

    Symbols are the names of tasks. Taichi compiles kernels with the same code once, so that several may have the same
    IR. A name that another IR has too gets a number.
    """
    sources: dict[bytes, Source] = {}
    found: dict[str, NativeKernel] = {}
    taken: set[str] = set()
    for kernel, native in kernels.items():
        code = code_of(module, kernel)
        if code not in sources:
            symbols: dict[str, str] = {}
            for name in native.tasks:
                numbered = (name if not number else f"{name}.{number}" for number in count())
                symbols[name] = next(symbol for symbol in numbered if symbol not in taken)
                taken.add(symbols[name])
            before = compiled.tasks_before_passes if compiled is not None else {}
            # If that of a task is missing, two tasks may have written to the file of another one.
            own = {name: before[name].decode() for name in symbols} if symbols.keys() <= before.keys() else {}
            sources[code] = Source(code.decode(), symbols, own, stated_members(native.needs, native.trees))
        found[kernel] = native._replace(tasks=tuple(sources[code].symbols[name] for name in native.tasks))
    return list(sources.values()), found

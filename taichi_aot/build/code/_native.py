"""Machine code for the kernels of an x64 module: what kernels use and which can have it, and its compilation.

A task is passed a context, which points to the arguments and to the runtime's struct. The code reaches a member of the
struct in one step: on x64 the compiler has optimized it, and on CUDA it calls small functions of the runtime. Code that
might reach a member in another way is not understood, and the kernel stays with the library. PTX is made of the same
kernels, see `_ptx`.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from ...adopt._module import ParsedModule
from ...adopt.llvm import _ir as ir
from ...adopt.llvm._instructions import Instruction, UnknownCodeError, check, instructions_with
from ...adopt.llvm._module import LlvmContents
from ...adopt.taichi._native import (
    CHUNK_TYPE,
    ERRORS,
    FUNCTIONS,
    MAX_RANDOM_THREADS,
    MEMBERS,
    POOL,
    RANDOM,
    RESULTS,
    RUNTIME_MEMBERS,
    RUNTIME_TYPE,
    BuiltNative,
    NativeKernel,
    random_threads,
)
from ...adopt.taichi._plans import Program
from ...bundle._files import CODE_SUFFIX, NATIVE_TARGETS
from ...handles._code import own_targets
from ...values._numbers import Arch
from .._options import BuildError, CrashError, Math, Options, UnavailableError
from .._processes import Kept
from ..compile._children import call_each, cores
from ..compile._compiled import Compiled
from ..vector._fixed import stated_members
from ..vector._vectors import Source
from ._loops import cpu_lengths, function_hash
from ._native_code import Request, compile_each, compile_kernels, link_answers

# The parts of the library's runtime that a kernel's LLVM IR uses, so that it can run without the library.


NEEDS = {number: need for number, _, need in MEMBERS.values()}
PRINTS, SPARSE, PROFILED = "prints", "uses sparse fields", "calls Taichi's profiler"
REASONS = {4: PRINTS, 5: PRINTS, 11: SPARSE, 12: SPARSE, 13: SPARSE, 16: PROFILED, 17: PROFILED, 18: PROFILED}
CHECKS = "has asserts, or checks its indices"  # the copy for the library leaves failed tasks
REPORTS = "reports errors of the runtime"
NOT_UNDERSTOOD = "uses the runtime in a way that is not understood"
RESULT_BUFFER = "3"  # the number of the member of the context

CONTEXT_TYPE = b"%struct.RuntimeContext = type { i8*, %struct.LLVMRuntime*, i32, i64* }\n"
SUFFIX = re.compile(rb"(%struct\.[A-Za-z_]+)\.\d+")  # of the name of a type
STRUCTS = frozenset((ir.RUNTIME, ir.CONTEXT))
# What else has the address of a runtime or context, or the address of such an address, where its type is stated: local
# variables, what they are set to, and what functions are passed.
PLAIN = frozenset(("alloca", "load", "store", "phi", "select", "icmp", "freeze", "getelementptr", "call", "ret"))
HIDDEN = frozenset(("ptrtoint", "inttoptr", "addrspacecast"))  # in constants

DECLARED = re.compile(rb"^declare [^\n]*?(%s)\(" % ir.GLOBAL, re.M)
UNNAMED = frozenset(("dso_local", "local_unnamed_addr", "unnamed_addr"))
CONSTANTS = frozenset(("constant", "private constant", "internal constant", "linkonce_odr constant"))
# Beside constants: the memory of a block of threads, and tables of libdevice, which kernels cannot write.
CUDA_DATA = CONSTANTS.union(
    ("private addrspace(1) constant", "internal addrspace(4) global"),
    (f"{linkage} addrspace(3) global" for linkage in ("external", "internal")),
)
# The function that draws random numbers on CUDA, and those that number its threads, with hashes of their code.
DRAWING = b"@rand_u32"
GENERATOR = {
    DRAWING: "067d9d2c7963e768",
    b"@linear_thread_idx": "08a4fc2740f1c695",
    b"@block_idx": "8c927dadd93cb581",
    b"@block_dim": "40c36b61c6f1a5b1",
    b"@thread_idx": "493997f92101acd2",
}
# Instructions and types of x86, what LLVM compiles to calls of its runtime library, and casts in constants.
ONLY_X86 = re.compile(
    rb"@llvm\.x86\.|\basm (?:[a-z]+ )*\"|(?<![\w.%@-])(?:i128|fp128|x86_fp80|x86_mmx)\b"  # not in %getch.i128
    rb"|@llvm\.powi\.|fptrunc [^\n]*\bdouble\b[^\n]*\bhalf\b|\bfpto[su]i \("
)


class CodeRules(NamedTuple):
    """The rules for code of an arch."""

    what: str  # what is compiled from it
    refused: Mapping[str, str]  # the needs that only the library meets, with the reasons
    own_data: frozenset[str]  # variables that the code does not share with others
    instructions: re.Pattern[bytes] | None  # finds what only one kind of device has
    # The functions that it may call, beside those of LLVM and its own, each with a reason against that, if any.
    functions: Mapping[str, str]
    calls_accessors: bool  # whether it calls functions that return members of the runtime's struct
    has_state_by_thread: bool  # whether each thread of a launch draws random numbers from a state of its own


CPU_CODE = CodeRules(
    "machine code",
    {},
    CONSTANTS,
    ONLY_X86,
    dict.fromkeys(FUNCTIONS, ""),
    calls_accessors=False,
    has_state_by_thread=False,
)
CUDA_CODE = CodeRules(
    "PTX",
    {POOL: NOT_UNDERSTOOD, ERRORS: REPORTS},
    CUDA_DATA,
    None,
    {"__nvvm_reflect": "", "vprintf": PRINTS, "__assertfail": REPORTS},
    calls_accessors=True,
    has_state_by_thread=True,
)


class NotNativeError(Exception):
    """The reason why a kernel stays with the library: a short clause whose subject is the kernel."""


def needs_of_module(module: ParsedModule, rules: CodeRules) -> tuple[dict[str, NativeKernel], dict[str, str]]:
    """Find the tasks of kernels and what they use, and the reason for each kernel that stays with the library.

    The kernels that use one tree of fields are either all native or none: the memory of a field is in one place. The
    library launches a graph with a kernel that stays with it, so kernels of that graph with fields stay too.
    """
    assert isinstance(module.stated, LlvmContents)
    dense = {tree.key for tree in module.stated.fields if tree.dense_nodes}
    found: dict[str, NativeKernel] = {}
    refused: dict[str, str] = {}
    for kernel in module.stated.kernels:
        tasks = tuple(task.info.name for task in kernel.stated.tasks)
        trees = module.info.all_kernels[kernel.key].field_trees
        try:
            if not dense.issuperset(trees):
                raise NotNativeError(SPARSE)
            code = module.files[f"{kernel.key}{CODE_SUFFIX}"]
            needs = _needs(code, tasks, trees, rules)
            if RANDOM in needs and rules.has_state_by_thread:
                _check_generator(code, random_threads(module.info.all_kernels[kernel.key].tasks))
        except NotNativeError as reason:
            refused[kernel.key] = str(reason)
        else:
            found[kernel.key] = NativeKernel(tasks, needs, trees)
    refused = with_shared(module, refused, rules)
    return {name: needs for name, needs in found.items() if name not in refused}, refused


def with_shared(module: ParsedModule, refused: Mapping[str, str], rules: CodeRules) -> dict[str, str]:
    """Return the reasons of refused kernels, and of those that cannot do without them; see `needs_of_module`."""
    trees_of = {name: set(kernel.field_trees) for name, kernel in module.info.all_kernels.items()}
    graphs = {name: {step.kernel for step in graph.dispatches} for name, graph in module.info.graphs.items()}
    return {**refused, **shared_fields(trees_of, graphs, refused, rules.what)}


def shared_fields(
    trees: Mapping[str, set[int]], graphs: Mapping[str, set[str]], refused: Mapping[str, str], what: str
) -> dict[str, str]:
    """Return the reasons of kernels with fields that share a tree of fields, or a graph, with a refused kernel."""
    reasons: dict[str, str] = {}
    left = list(refused)
    while left:
        first = left.pop(0)
        beside = set[str]().union(*(kernels for kernels in graphs.values() if first in kernels))
        for name, own in trees.items():
            if name in refused or name in reasons or not own:
                continue
            if own & trees[first]:
                reasons[name] = f"uses a field of kernel {first!r}, which has no {what}"
            elif name in beside:
                reasons[name] = f"uses fields in a graph with kernel {first!r}, which has no {what}"
            else:
                continue
            left.append(name)
    return reasons


def _needs(code: bytes, tasks: Iterable[str], trees: Sequence[int], rules: CodeRules) -> frozenset[str]:
    """Return what a kernel's code uses; NotNativeError if it is not understood."""
    if ir.has_checks(code):
        raise NotNativeError(CHECKS)
    code = SUFFIX.sub(rb"\1", code)
    _check_types(code)
    _check_others(code, tasks, rules)
    found: set[str] = set()
    roots: set[str] = set()
    try:
        for name, function in ir.functions_of(code).items():
            own_roots: set[str] = set()
            for struct in STRUCTS:
                for made in instructions_with(function.body, struct.encode()):
                    found |= _uses(made, own_roots, function.body)
            if own_roots and rules.calls_accessors:
                own_roots = ir.called_roots(code) if name == ir.ROOT_ACCESSOR else {NOT_UNDERSTOOD}
            roots |= own_roots
    except UnknownCodeError:
        raise NotNativeError(NOT_UNDERSTOOD) from None
    if roots != set(map(str, trees)):
        raise NotNativeError(NOT_UNDERSTOOD)
    for need in sorted(found & rules.refused.keys()):
        raise NotNativeError(rules.refused[need])
    return frozenset(found)


def _check_generator(code: bytes, threads: int) -> None:
    """Check that each thread draws random numbers from the state that has its number in the launch."""
    functions = ir.functions_of(code)
    states = RUNTIME_MEMBERS["rand_states"]
    drawing = [name for name, each in functions.items() if states in dict(ir.members_of(each.body))]
    known = {name: function_hash(name, functions[name]) for name in GENERATOR if name in functions}
    if drawing != [DRAWING] or known != GENERATOR:
        raise NotNativeError("draws random numbers in a way that is not understood")
    if threads > MAX_RANDOM_THREADS:
        raise NotNativeError(f"draws random numbers in more than {MAX_RANDOM_THREADS:,} threads")


def _check_types(code: bytes) -> None:
    stated = {RUNTIME_TYPE, CHUNK_TYPE, CONTEXT_TYPE}
    for line in re.findall(rb"^%struct\.(?:LLVMRuntime|PreallocatedMemoryChunk|RuntimeContext) = [^\n]*\n", code, re.M):
        if line not in stated:
            raise NotNativeError("was compiled for another runtime")


def _check_others(code: bytes, tasks: Iterable[str], rules: CodeRules) -> None:
    """Check the code outside of functions, also for other devices."""
    for name in DECLARED.findall(code):
        function = name[1:].decode(errors="replace")
        if not name.startswith(b"@llvm.") and function not in rules.functions:
            raise NotNativeError(f"calls the function {function!r}")
        if rules.functions.get(function):
            raise NotNativeError(rules.functions[function])
    if shares_data(code, rules):
        raise NotNativeError("uses global variables")
    if rules.instructions is not None and rules.instructions.search(code):
        raise NotNativeError("uses instructions of one kind of CPU")
    defined = ir.functions_of(code).keys()
    if not all(ir.global_name(task) in defined for task in tasks):
        raise NotNativeError("has no code for one of its tasks")


def shares_data(code: bytes, rules: CodeRules) -> bool:
    """Return whether the code may have variables that it shares with others."""
    lines = [line for line in code.decode("latin-1").split("\n") if line.startswith("@")]
    words = ([word for word in line.partition(" = ")[2].split() if word not in UNNAMED] for line in lines)
    return not all(any(" ".join(each[:count]) in rules.own_data for count in (1, 2, 3)) for each in words)


def _uses(made: Instruction, roots: set[str], body: bytes) -> set[str]:
    """Return what an instruction with a runtime or a context uses. Adds the trees whose roots it finds to `roots`."""
    ir.check_constants(made, ir.CONTEXT)
    number = ir.member_of(made)
    if number is not None:
        if number not in NEEDS:
            raise NotNativeError(REASONS.get(number, NOT_UNDERSTOOD))
        if number == ir.ROOTS:
            roots.add("".join(made.operands[3:]) or "0")
        return {NEEDS[number]}
    if made.opcode == "getelementptr" and made.type == ir.CONTEXT:
        check(made.operands[1] == "0" and len(made.operands) == 3)
        return {RESULTS} if made.operands[2] == RESULT_BUFFER else set()
    if made.opcode == "bitcast":
        (source,) = made.types
        if source == f"{ir.CONTEXT}*" != made.word:
            ir.check_cast(made, body)
        check(source in (f"{ir.CONTEXT}*", made.word) or not any(struct in source for struct in STRUCTS))
    else:
        words = {word for each in (made.callee, *made.operands) for word in each.split()}
        is_whole = made.opcode != "alloca" and not STRUCTS.isdisjoint((made.type, *made.types))
        check(made.opcode in PLAIN and HIDDEN.isdisjoint(words) and not is_whole)
    return set()


# Compilation, and the module's statement.


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
    native = BuiltNative(
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
    """Return the lengths of a kernel's loops, as `BuiltNative` has them; none without the IR before passes."""
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
    """Find the IR to compile, and the kernels with the symbols of their tasks.

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

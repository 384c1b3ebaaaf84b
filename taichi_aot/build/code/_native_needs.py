"""The parts of the library's runtime that a kernel's LLVM IR uses, so that it can run without the library.

A task is passed a context, which points to the arguments and to the runtime's struct. The code reaches a member of the
struct in one step: on x64 the compiler has optimized it, and on CUDA it calls small functions of the runtime. Code that
might reach a member in another way is not understood, and the kernel stays with the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...adopt.llvm._ir import (
    CALLED_ACCESSOR,
    CALLED_FIELD_ROOT,
    GLOBAL,
    ROOT_ACCESSOR,
    VALUE,
    functions_of,
    global_name,
    has_checks,
)
from ...adopt.llvm._loops import function_hash
from ...adopt.llvm._module import LlvmModule
from ...adopt.modules._parse import ParsedModule
from ...adopt.taichi._native import ERRORS, POOL, RANDOM, RESULTS, NativeKernel
from ...adopt.taichi._native_elf import FUNCTIONS
from ...adopt.taichi._ptx import MAX_RANDOM_THREADS, random_threads
from ...adopt.taichi._runtime_struct import CHUNK_TYPE, MEMBERS, RUNTIME_MEMBERS, RUNTIME_TYPE
from ...bundle._files import CODE_SUFFIX

NEEDS = {number: need for number, _, need in MEMBERS.values()}
PRINTS, SPARSE, PROFILED = "prints", "uses sparse fields", "calls Taichi's profiler"
REASONS = {4: PRINTS, 5: PRINTS, 11: SPARSE, 12: SPARSE, 13: SPARSE, 16: PROFILED, 17: PROFILED, 18: PROFILED}
CHECKS = "has asserts, or checks its indices"  # the copy for the library leaves failed tasks
REPORTS = "reports errors of the runtime"
NOT_UNDERSTOOD = "uses the runtime in a way that is not understood"
RESULT_BUFFER = b"3"  # the number of the member of the context

SUFFIX = re.compile(rb"(%struct\.[A-Za-z_]+)\.\d+")  # of the name of a type
R, C = rb"%struct\.LLVMRuntime", rb"%struct\.RuntimeContext"
OPAQUE = re.compile(rb"%struct\.(?:LLVMRuntime|RuntimeContext)(?![\w.$-])")
CONTEXT = b"%struct.RuntimeContext = type { i8*, %struct.LLVMRuntime*, i32, i64* }\n"
MEMBER = re.compile(
    rb"= getelementptr (?:inbounds )?%s, %s\* %s, i\d+ 0, i32 (\d+)((?:, i\d+ [^,\n]+)*)$" % (R, R, VALUE)
)
CONTEXT_MEMBER = re.compile(rb"= getelementptr (?:inbounds )?%s, %s\* %s, i\d+ 0, i32 ([0-3])$" % (C, C, VALUE))
CONSTANT_INDEX = re.compile(rb", i64 (\d+)")
# Other lines that may have the address of a runtime or context, or the address of such an address, where its type is
# stated: local variables, what they are set to, and what functions are passed.
PLAIN = re.compile(
    rb"""^\ *(?:
      %(v)s\ =\ (?:alloca|load|phi|select|icmp|freeze)\ .*
    | store\ .*
    | %(v)s\ =\ getelementptr\ (?:inbounds\ )?%%(?!struct\.(?:LLVMRuntime|RuntimeContext),).*
    | (?:%(v)s\ =\ )?(?:tail\ |musttail\ |notail\ )?call\ .*
    | ret\ .*
    )$"""
    % {b"v": VALUE},
    re.X,
)
BY_VALUE = re.compile(rb"\b(?:load|store) (?:%s|%s)[, ]" % (R, C))  # of a whole struct
# Casts of pointers. The address of a context is that of its first member, and contexts are copied as bytes.
CAST = re.compile(rb"(%s) = bitcast (.*)\* %s to (.*)$" % (VALUE, VALUE))
CONTEXT_TYPE, BYTES = C.replace(b"\\", b""), b"i8*"
HIDDEN = re.compile(rb"ptrtoint|inttoptr|addrspacecast")
COPY = rb"call void @llvm\.(?:memcpy|lifetime)[\w.]*\("

DECLARED = re.compile(rb"^declare [^\n]*?(%s)\(" % GLOBAL, re.M)
# All but constants of its own.
EXTERNAL_DATA = re.compile(
    rb"^%s = (?!(?:(?:private|internal|linkonce_odr|dso_local|local_unnamed_addr|unnamed_addr) )*constant )" % GLOBAL,
    re.M,
)
SHARED_MEMORY = rb"(?:external |internal )?addrspace\(3\) "  # of a block of threads
CONSTANT_MEMORY = rb"internal addrspace\(4\) "  # tables of libdevice, which kernels cannot write
CUDA_DATA = re.compile(
    rb"^@[^\n=]* = (?!%s|%s)(?:(?!constant )[a-z_]+(?:\(\d+\))? )*global " % (SHARED_MEMORY, CONSTANT_MEMORY), re.M
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
STATES = re.compile(rb"LLVMRuntime[^\n]*, i32 0, i32 15(?!\d)")  # the member that has the states
# Instructions and types of x86, what LLVM compiles to calls of its runtime library, and casts in constants.
ONLY_X86 = re.compile(
    rb"@llvm\.x86\.|\basm (?:[a-z]+ )*\"|\b(?:i128|fp128|x86_fp80|x86_mmx)\b"
    rb"|@llvm\.powi\.|fptrunc [^\n]*\bdouble\b[^\n]*\bhalf\b|\bfpto[su]i \("
)


class CodeRules(NamedTuple):
    """The rules for code of an arch."""

    what: str  # what is compiled from it
    refused: Mapping[str, str]  # the needs that only the library meets, with the reasons
    global_data: re.Pattern[bytes]  # finds variables that the code shares with others
    instructions: re.Pattern[bytes] | None  # finds what only one kind of device has
    # The functions that it may call, beside those of LLVM and its own, each with a reason against that, if any.
    functions: Mapping[str, str]
    calls_accessors: bool  # whether it calls functions that return members of the runtime's struct
    has_state_by_thread: bool  # whether each thread of a launch draws random numbers from a state of its own


CPU_CODE = CodeRules(
    "machine code",
    {},
    EXTERNAL_DATA,
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
    """The tasks of a module's kernels and what they use, and the reason for each kernel that stays with the library.

    The kernels that use one tree of fields are either all native or none: the memory of a field is in one place. The
    library launches a graph with a kernel that stays with it, so kernels of that graph with fields stay too.
    """
    assert isinstance(module.stated, LlvmModule)
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
    """The reasons of refused kernels, and of those that cannot be compiled without them; see `needs_of_module`."""
    trees_of = {name: set(kernel.field_trees) for name, kernel in module.info.all_kernels.items()}
    graphs = {name: {step.kernel for step in graph.dispatches} for name, graph in module.info.graphs.items()}
    return {**refused, **shared_fields(trees_of, graphs, refused, rules.what)}


def shared_fields(
    trees: Mapping[str, set[int]], graphs: Mapping[str, set[str]], refused: Mapping[str, str], what: str
) -> dict[str, str]:
    """The reasons of kernels with fields that share a tree of fields, or a graph, with a refused kernel."""
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
    if has_checks(code):
        raise NotNativeError(CHECKS)
    code = SUFFIX.sub(rb"\1", code)
    _check_types(code)
    _check_others(code, tasks, rules)
    found: set[str] = set()
    roots: set[int] = set()
    for name, function in functions_of(code).items():
        bytes_of: set[bytes] = set()
        own_roots: set[int] = set()
        lines = function.body.splitlines()
        for line in lines:
            if OPAQUE.search(line):
                found |= _uses(line, own_roots, bytes_of)
        for context in bytes_of:
            _check_bytes(lines, context)
        if own_roots and rules.calls_accessors:
            own_roots = _called_roots(code, name)
        roots |= own_roots
    if roots != set(trees):
        raise NotNativeError(NOT_UNDERSTOOD)
    for need in sorted(found & rules.refused.keys()):
        raise NotNativeError(rules.refused[need])
    return frozenset(found)


def _check_generator(code: bytes, threads: int) -> None:
    """Check that each thread draws random numbers from the state that has its number in the launch."""
    functions = functions_of(code)
    drawing = [name for name, function in functions.items() if STATES.search(function.body)]
    known = {name: function_hash(name, functions[name]) for name in GENERATOR if name in functions}
    if drawing != [DRAWING] or known != GENERATOR:
        raise NotNativeError("draws random numbers in a way that is not understood")
    if threads > MAX_RANDOM_THREADS:
        raise NotNativeError(f"draws random numbers in more than {MAX_RANDOM_THREADS:,} threads")


def _called_roots(code: bytes, function: bytes) -> set[int]:
    """The trees for whose roots a function is called, which has to be the accessor."""
    numbers = CALLED_FIELD_ROOT.findall(code)
    if function != ROOT_ACCESSOR or len(numbers) != len(CALLED_ACCESSOR.findall(code)):
        raise NotNativeError(NOT_UNDERSTOOD)
    return {int(number) for number in numbers}


def _check_types(code: bytes) -> None:
    stated = {RUNTIME_TYPE, CHUNK_TYPE, CONTEXT}
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
    if rules.global_data.search(code):
        raise NotNativeError("uses global variables")
    if rules.instructions is not None and rules.instructions.search(code):
        raise NotNativeError("uses instructions of one kind of CPU")
    defined = functions_of(code).keys()
    if not all(global_name(task) in defined for task in tasks):
        raise NotNativeError("has no code for one of its tasks")


def _uses(line: bytes, roots: set[int], bytes_of: set[bytes]) -> set[str]:
    """Return what a line with a runtime or a context uses. Adds contexts that it takes as bytes to `bytes_of`."""
    member = MEMBER.search(line)
    if member:
        number = int(member[1])
        if number not in NEEDS:
            raise NotNativeError(REASONS.get(number, NOT_UNDERSTOOD))
        if number == RUNTIME_MEMBERS["roots"]:
            index = CONSTANT_INDEX.fullmatch(
                member[2][: member[2].find(b",", 1)] if member[2].count(b",") > 1 else member[2]
            )
            if member[2] and not index:
                raise NotNativeError(NOT_UNDERSTOOD)
            roots.add(int(index[1]) if index else 0)
        return {NEEDS[number]}
    context = CONTEXT_MEMBER.search(line)
    if context:
        return {RESULTS} if context[1] == RESULT_BUFFER else set()
    cast = CAST.search(line)
    if cast:
        name, source, target = cast.groups()
        if source == CONTEXT_TYPE and target == BYTES:
            bytes_of.add(name)
        elif source + b"*" == target or (source == CONTEXT_TYPE and target.endswith(b"**")):
            pass  # from one name of a type to another one; the first member
        elif OPAQUE.search(source):
            raise NotNativeError(NOT_UNDERSTOOD)
    elif not PLAIN.match(line) or BY_VALUE.search(line) or HIDDEN.search(line):
        raise NotNativeError(NOT_UNDERSTOOD)
    return set()


def _check_bytes(lines: Iterable[bytes], name: bytes) -> None:
    """Check that the bytes of a context are only copied."""
    use = re.compile(rb"%s(?![\w.$-])" % re.escape(name))
    definition = name + b" = "
    for line in lines:
        if use.search(line) and definition not in line and not re.search(COPY, line):
            raise NotNativeError(NOT_UNDERSTOOD)

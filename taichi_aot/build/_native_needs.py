"""What the LLVM IR of an x64 kernel uses of the library's runtime, so that it can run without the library.

A task is passed a context, which points to the arguments and to the runtime's struct. The compiler has optimized the
code: it reaches a member of the struct in one step. Code that might reach one in another way is not understood, and the
kernel stays with the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..formats._files import CODE_SUFFIX
from ..formats._llvm import LlvmModule
from ..formats._llvm_ir import GLOBAL, VALUE, functions_of, global_name, has_checks
from ..formats._native import ERRORS, POOL, RANDOM, RESULTS, ROOTS, TEMPORARIES
from ..formats._native_elf import FUNCTIONS
from ..formats._parse import ParsedModule

__all__ = ["RUNTIME", "RUNTIME_MEMBERS", "Needs", "NotNativeError", "needs_of_module", "shared_fields"]

# The struct of the runtime of Taichi 1.7.4, without the numbers that the compiler adds to the names of types.
RUNTIME = b"""\
%struct.LLVMRuntime = type { %struct.PreallocatedMemoryChunk, %struct.PreallocatedMemoryChunk, i8* (i8*, i64, i64)*, \
void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag*)*, i8*, [512 x i8*], [512 x i64], i8*, \
void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager*], [1024 x %struct.NodeManager*], \
[1024 x i8*], i8*, %struct.RandState*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, \
i32, i32, i64 }
%struct.PreallocatedMemoryChunk = type { i8*, i8*, i64 }
"""
RUNTIME_MEMBERS = {
    "roots": 7,
    "thread_pool": 9,
    "parallel_for": 10,
    "temporaries": 14,
    "rand_states": 15,
    "error_message_template": 19,
    "error_message_arguments": 20,
    "error_message_lock": 21,
    "error_code": 22,
}
USES = {7: ROOTS, 9: POOL, 10: POOL, 14: TEMPORARIES, 15: RANDOM, 19: ERRORS, 20: ERRORS, 21: ERRORS, 22: ERRORS}
PRINTS, SPARSE, PROFILED = "prints", "uses sparse fields", "calls Taichi's profiler"
REASONS = {4: PRINTS, 5: PRINTS, 11: SPARSE, 12: SPARSE, 13: SPARSE, 16: PROFILED, 17: PROFILED, 18: PROFILED}
CHECKS = "has asserts, or checks its indices"  # the copy for the library leaves failed tasks
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
EXTERNAL_DATA = re.compile(rb"^@[^\n]* = (?:external|common|extern_weak|thread_local|global|internal global) ", re.M)
# Instructions and types of x86, and what LLVM compiles to calls of its runtime library.
ONLY_X86 = re.compile(
    rb"@llvm\.x86\.|\basm (?:sideeffect |alignstack )*\"|\b(?:i128|fp128|x86_fp80|x86_mmx)\b"
    rb"|@llvm\.powi\.|fptrunc double [^\n]* to half"
)


class NotNativeError(Exception):
    """The reason why a kernel stays with the library: a short clause whose subject is the kernel."""


class Needs(NamedTuple):
    """What a kernel uses: see `formats._native.NativeKernel`."""

    needs: frozenset[str]
    trees: tuple[int, ...]


def needs_of_module(module: ParsedModule) -> tuple[dict[str, Needs], dict[str, str]]:
    """What the kernels of a module use, and the reason for each kernel that stays with the library.

    The kernels that use one tree of fields are either all native or none: the memory of a field is in one place. The
    library launches a graph with a kernel that stays with it, so kernels of that graph with fields stay too.
    """
    assert isinstance(module.stated, LlvmModule)
    dense = {tree.key for tree in module.stated.fields if tree.dense_nodes}
    found: dict[str, Needs] = {}
    refused: dict[str, str] = {}
    for kernel in module.stated.kernels:
        tasks = [task.info.name for task in kernel.stated.tasks]
        trees = module.info.all_kernels[kernel.key].field_trees
        try:
            needs = _needs(module.files[f"{kernel.key}{CODE_SUFFIX}"], tasks, trees)
            if not dense.issuperset(trees):
                raise NotNativeError(SPARSE)
        except NotNativeError as reason:
            refused[kernel.key] = str(reason)
        else:
            found[kernel.key] = Needs(needs, trees)
    trees_of = {name: set(kernel.field_trees) for name, kernel in module.info.all_kernels.items()}
    graphs = {name: {step.kernel for step in graph.dispatches} for name, graph in module.info.graphs.items()}
    refused |= shared_fields(trees_of, graphs, refused)
    return {name: needs for name, needs in found.items() if name not in refused}, refused


def shared_fields(
    trees: Mapping[str, set[int]], graphs: Mapping[str, set[str]], refused: Mapping[str, str]
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
                reasons[name] = f"uses a field of kernel {first!r}, which has no machine code"
            elif name in beside:
                reasons[name] = f"uses fields in a graph with kernel {first!r}, which has no machine code"
            else:
                continue
            left.append(name)
    return reasons


def _needs(code: bytes, tasks: Iterable[str], trees: Sequence[int]) -> frozenset[str]:
    """What the code of a kernel uses; NotNativeError if that is not understood."""
    if has_checks(code):
        raise NotNativeError(CHECKS)
    code = SUFFIX.sub(rb"\1", code)
    _check_types(code)
    _check_others(code, tasks)
    found: set[str] = set()
    roots: set[int] = set()
    for function in functions_of(code).values():
        bytes_of: set[bytes] = set()
        lines = function.body.splitlines()
        for line in lines:
            if OPAQUE.search(line):
                found |= _uses(line, roots, bytes_of)
        for name in bytes_of:
            _check_bytes(lines, name)
    if roots != set(trees):
        raise NotNativeError(NOT_UNDERSTOOD)
    return frozenset(found)


def _check_types(code: bytes) -> None:
    runtime, chunk = RUNTIME.splitlines(keepends=True)
    stated = {runtime, chunk, CONTEXT}
    for line in re.findall(rb"^%struct\.(?:LLVMRuntime|PreallocatedMemoryChunk|RuntimeContext) = [^\n]*\n", code, re.M):
        if line not in stated:
            raise NotNativeError("was compiled for another runtime")


def _check_others(code: bytes, tasks: Iterable[str]) -> None:
    """Check what the code has beside its functions, and what is for other CPUs, too."""
    if EXTERNAL_DATA.search(code):
        raise NotNativeError("uses global variables")
    if ONLY_X86.search(code):
        raise NotNativeError("uses instructions of one kind of CPU")
    for name in DECLARED.findall(code):
        if not name.startswith(b"@llvm.") and name[1:].decode(errors="replace") not in FUNCTIONS:
            raise NotNativeError(f"calls the function {name[1:].decode(errors='replace')!r}")
    defined = functions_of(code).keys()
    if not all(global_name(task) in defined for task in tasks):
        raise NotNativeError("has no code for one of its tasks")


def _uses(line: bytes, roots: set[int], bytes_of: set[bytes]) -> set[str]:
    """What a line that has a runtime or a context uses. Contexts that it takes as bytes are added to `bytes_of`."""
    member = MEMBER.search(line)
    if member:
        number = int(member[1])
        if number not in USES:
            raise NotNativeError(REASONS.get(number, NOT_UNDERSTOOD))
        if number == RUNTIME_MEMBERS["roots"]:
            index = CONSTANT_INDEX.fullmatch(
                member[2][: member[2].find(b",", 1)] if member[2].count(b",") > 1 else member[2]
            )
            if member[2] and not index:
                raise NotNativeError(NOT_UNDERSTOOD)
            roots.add(int(index[1]) if index else 0)
        return {USES[number]}
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

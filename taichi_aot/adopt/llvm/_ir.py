"""The LLVM IR of kernels (``.ll``): what its text shows and the metadata of the module does not state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...values._enums import Arch
from ...values._errors import CorruptedDataError, IncompatibleModuleError

VALUE = rb'%(?:[\w.$-]+|"[^"\n]*")'
GLOBAL = rb'@(?:[\w.$-]+|"[^"\n]*")'
DEFINITION = re.compile(rb"[^\n]*?(%s)\(([^\n]*)\{\n" % GLOBAL)
PLAIN_NAME = re.compile(rb"[\w.$-]+")  # one that stands without quotation marks
GENERATOR = b"@rand_u32"  # of all numbers that ti.random returns

ARCHS = {"x86_64": Arch.X64, "aarch64": Arch.ARM64, "arm64": Arch.ARM64, "nvptx64": Arch.CUDA}
TRIPLE = re.compile(rb'^target triple = "([^"-]*)', re.MULTILINE)
# The runtime's parallel loop is called with the number of splits, then of threads.
CPU_THREADS = re.compile(
    rb"call void %s\(i8\* [^,\n]*, i32 [^,\n]*, i32 ([^,\n]*), [^\n]*@cpu_parallel_\w+_task" % VALUE
)

CPU_LOOP = b"@cpu_parallel_"
CHECK = b"@taichi_assert_format("
# The compiler numbers the messages of a kernel's checks, which it passes to the function or stores in it. Where it has
# made one call of several, it chooses the message before.
OWN_MESSAGE = re.compile(
    rb"(?:@taichi_assert_format\(|store i8\* |= (?:phi|select) )[^\n]*getelementptr inbounds \([^\n,]*, [^\n,]* @\d+,"
)
RUNTIME_MEMBER = b"getelementptr inbounds %struct.LLVMRuntime"
# Member 7 of the runtime is the array of the field trees' roots. CUDA code, which is not optimized, calls an accessor.
FIELD_ROOT = re.compile(
    rb"^ *(%s) = getelementptr inbounds %%struct\.LLVMRuntime[.\d]*, [^\n]*, i\d+ 0, i32 7(?![^,\n])"
    rb"(?:, i\d+ ([^,\n]+))?" % VALUE,
    re.M,
)
ROOT_ACCESSOR = b"@LLVMRuntime_get_roots"
CALLED_ACCESSOR = re.compile(rb"\bcall [^\n]*%s" % ROOT_ACCESSOR)
CALLED_FIELD_ROOT = re.compile(rb"\bcall [^\n]*%s[^\n]*, i32 (?:noundef )?(\d+)\)" % ROOT_ACCESSOR)
# The start of a function, or code that takes the address of a member of a struct or of a part of it, in one step on x64
# and in several on CUDA.
MEMBER = re.compile(
    rb"^define |^ *(%[^ ]+) = getelementptr (?:inbounds )?(\{[^\n]*\}), \2\* (%[^ ,]+), i\d+ 0((?:, i32 \d+)+)",
    re.MULTILINE,
)
GRADIENT = 2  # the member of an ndarray's struct
VECTOR_OF_ADDRESSES = re.compile(rb"<\d+ x [^<>\n]*\*>")
WITH_GRADIENT = re.compile(rb"\{ \{[i\d, ]*\}, ([^{}]+)\*, \1\* \}")  # an ndarray's struct


def arch_of(name: str, code: bytes) -> Arch:
    """The arch that the code of a kernel is compiled for; `name` is that of the file."""
    match = TRIPLE.search(code)
    if match is None:
        raise CorruptedDataError(f"{name}: it has no target triple, so it is not LLVM IR of a kernel")
    triple = match[1].decode(errors="replace")
    if triple not in ARCHS:
        raise IncompatibleModuleError(f"{name}: compiled for {triple!r}, which the library cannot run on any arch")
    return ARCHS[triple]


class CodeFacts(NamedTuple):
    """Facts of a kernel's code."""

    arch: Arch  # as `arch_of` returns it
    threads: int | None  # as `cpu_threads` returns it
    trees: tuple[int, ...]  # as `field_trees` returns them
    gradients: frozenset[int]  # as `gradients` returns them
    checked: bool  # as `has_checks` returns it


def facts_of(name: str, code: bytes) -> CodeFacts:
    """Return the facts of a kernel's code; `name` is the file's."""
    arch, trees = arch_of(name, code), field_trees(code)
    if trees is None:
        raise IncompatibleModuleError(f"{name}: it finds the memory of fields in a way that is not known")
    return CodeFacts(arch, cpu_threads(code), trees, frozenset(gradients(code)), has_checks(code))


# Looking for a string takes a tenth of looking for a pattern.


def has_checks(code: bytes) -> bool:
    """Whether code checks indices or asserts (``debug=True``); the runtime's checks of sparse fields do not count."""
    return CHECK in code and OWN_MESSAGE.search(code) is not None


def cpu_threads(code: bytes) -> int | None:
    """On how many threads the loops of a kernel run at most; None if the code does not fix it."""
    counts = [count.split()[-1] for count in CPU_THREADS.findall(code)] if CPU_LOOP in code else []
    return (max(map(int, counts), default=0) or None) if all(count.isdigit() for count in counts) else None


def field_trees(code: bytes) -> tuple[int, ...] | None:
    """The trees of fields that a kernel uses, by number; None if the code might use others, too."""
    numbers = CALLED_FIELD_ROOT.findall(code) if ROOT_ACCESSOR in code else []
    unknown = ROOT_ACCESSOR in code and len(numbers) != len(CALLED_ACCESSOR.findall(code))
    if RUNTIME_MEMBER in code and FIELD_ROOT.search(code):
        for name, function in functions_of(code).items():
            roots = FIELD_ROOT.findall(function.body) if name != ROOT_ACCESSOR else ()
            numbers += [number or b"0" for _, number in roots]
            unknown = unknown or any(_used_otherwise(root, function.body) for root, _ in roots)
    if unknown or not all(number.isdigit() for number in numbers):
        return None
    return tuple(sorted(set(map(int, numbers))))


def _used_otherwise(root: bytes, body: bytes) -> bool:
    """Whether code uses the address of a root for anything but that root: for another one, or for several."""
    uses = rb"getelementptr [^\n]*%s(?![\w.$-])|bitcast [^\n]*%s to <[^\n]*>\*$" % ((re.escape(root),) * 2)
    return re.search(uses, body, re.M) is not None


def gradients(code: bytes) -> set[int]:
    """The arguments of a kernel whose gradients its code uses, if they are arrays that have one.

    Code takes the addresses of members of other structs too, such as the return values. All gradients count if it takes
    the address of one of an array that is not known, or several addresses at once.
    """
    paths = list(_member_paths(code))
    all_used = VECTOR_OF_ADDRESSES.search(code) is not None or any(
        path[0] == GRADIENT and WITH_GRADIENT.fullmatch(type_) for path, type_ in paths
    )
    return {
        path[0]
        for path, type_ in paths
        if (all_used or path[1:] == (GRADIENT,)) and WITH_GRADIENT.fullmatch(_member_type(type_, path[0]))
    }


def _member_paths(code: bytes) -> Iterator[tuple[tuple[int, ...], bytes]]:
    """The members whose addresses the code takes: their indices, outermost first, and the outermost type."""
    paths: dict[bytes, tuple[tuple[int, ...], bytes]] = {}  # by name of a variable, which are those of one function
    for result, type_, base, indices in MEMBER.findall(code):
        if not result:
            paths.clear()
            continue
        outer, outermost = paths.get(base, ((), type_))
        paths[result] = outer + tuple(int(index[4:]) for index in indices.split(b", ")[1:]), outermost
        yield paths[result]


def _member_type(struct_type: bytes, number: int) -> bytes:
    """The type of a member of a struct, as the code spells it; empty if it has fewer."""
    members, depth = [b""], 0
    for part in re.findall(rb"[{}\[\]<>]|, |[^{}\[\]<>,]+|,", struct_type[1:-1].strip()):
        depth += (part in (b"{", b"[", b"<")) - (part in (b"}", b"]", b">"))
        if part == b", " and depth == 0:
            members.append(b"")
        else:
            members[-1] += part
    return members[number] if number < len(members) else b""


class Function(NamedTuple):
    """A function of the code: its parameters and what follows them, and the lines between the braces."""

    head: bytes
    body: bytes


def functions_of(code: bytes) -> dict[bytes, Function]:
    """The functions that the code defines, by name."""
    found: dict[bytes, Function] = {}
    for text in (b"\n" + code).split(b"\ndefine ")[1:]:
        match, end = DEFINITION.match(text), text.find(b"\n}") + 1
        if match is not None and end >= match.end():
            found[match[1]] = Function(match[2], text[match.end() : end])
    return found


def reached_functions(functions: Mapping[bytes, Function], task: bytes) -> set[bytes]:
    """The names of the task and of all that it uses."""
    reached: set[bytes] = set()
    left = [task]
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            if name in functions:
                left += re.findall(GLOBAL, functions[name].body)
    return reached


def global_name(name: str) -> bytes:
    """The name of a function as the code spells it."""
    data = name.encode()
    if PLAIN_NAME.fullmatch(data):
        return b"@" + data
    quoted = b"".join(bytes([c]) if 32 <= c < 127 and c not in b'"\\' else b"\\%02X" % c for c in data)
    return b'@"%b"' % quoted


def draws_random_numbers(code: bytes, task: str) -> bool:
    """Whether a task of a kernel, or a function that it uses, takes a state of ``ti.random``."""
    if GENERATOR not in code:
        return False
    reached = reached_functions(functions_of(code), global_name(task))
    return any(re.fullmatch(GENERATOR + rb"(\.\d+)?", name) for name in reached)

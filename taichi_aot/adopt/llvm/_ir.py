"""The LLVM IR of kernels (``.ll``): what its text shows and the metadata of the module does not state.

The arrays that the code of a kernel for a CPU only reads are found so: every address to which the code might write is
followed back to where it comes from: a local variable, the runtime's memory, or the data pointer of an array in the
argument struct. Code of another form might write to any array.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...values._errors import CorruptedDataError, IncompatibleModuleError
from ...values._numbers import Arch
from ._instructions import Instruction, Tokens, UnknownCodeError, check, instructions_with, uses_of, without_number

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
RUNTIME, CONTEXT = "%struct.LLVMRuntime", "%struct.RuntimeContext"
OF_MEMBERS = b"getelementptr", RUNTIME.encode()  # words of an instruction with the address of a member
COPIES = ("@llvm.memcpy.", "@llvm.lifetime.")
ROOTS = 7  # the member of the runtime's struct that is the array of the field trees' roots
STATES = 15  # the member that points to the states of random numbers
ROOT_ACCESSOR = b"@LLVMRuntime_get_roots"  # which CUDA code calls, as it is not optimized
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
    """Return the arch that the code of a kernel is compiled for; `name` is that of the file."""
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
    """Tell whether code checks indices or asserts (``debug=True``), beside the runtime's checks of sparse fields."""
    return CHECK in code and OWN_MESSAGE.search(code) is not None


def cpu_threads(code: bytes) -> int | None:
    """Return on how many threads the loops of a kernel run at most; None if the code does not fix it."""
    counts = [count.split()[-1] for count in CPU_THREADS.findall(code)] if CPU_LOOP in code else []
    return (max(map(int, counts), default=0) or None) if all(count.isdigit() for count in counts) else None


def field_trees(code: bytes) -> tuple[int, ...] | None:
    """Return the trees of fields that a kernel uses, by number; None if the code might use others, too."""
    try:
        numbers = {number for each in functions_of(code).items() for number in _trees_of(*each)}
        return tuple(sorted(map(int, numbers | called_roots(code))))
    except ValueError:  # an UnknownCodeError, or for an index that is not constant
        return None


def called_roots(code: bytes) -> set[str]:
    """Return the indices for which the accessor of roots is called; UnknownCodeError if it is used in another way."""
    calls = list(instructions_with(code, ROOT_ACCESSOR))
    check(all(made.function == ROOT_ACCESSOR.decode() and len(made.operands) == 2 for made in calls))
    return {made.operands[1] for made in calls}


def _trees_of(name: bytes, function: Function) -> Iterator[str]:
    """Yield the trees whose roots a function finds in the runtime's struct, and uses for nothing but those roots."""
    for number, made in members_of(function.body) if name != ROOT_ACCESSOR else ():
        if number == ROOTS:
            yield "".join(made.operands[3:]) or "0"
            check_only_loaded(made.result, function.body)


def check_only_loaded(address: str, body: bytes) -> None:
    """Check that code only loads the one address that is at another; UnknownCodeError if it might do more."""
    for made in uses_of(address, body):
        if made.opcode == "bitcast" and made.word.endswith("**"):
            check_only_loaded(made.result, body)
        else:
            check(made.opcode == "load" and made.type.endswith("*"))


def member_of(made: Instruction) -> int | None:
    """Find the number of the member of the runtime's struct whose address, or its element's, an instruction takes.

    UnknownCodeError if it might take one in another way.
    """
    if made.opcode == "getelementptr" and without_number(made.type) == RUNTIME:
        _, first, number, *index = *made.operands, ""
        check(first == "0" and number.isdecimal() and len(index) <= 2)
        return int(number)
    check_constants(made, RUNTIME)
    return None


def check_constants(made: Instruction, struct: str) -> None:
    """Check that no constant of an instruction is the address of a member; UnknownCodeError if one might be."""
    check(not any("getelementptr" in each and struct in each for each in made.operands))


def check_cast(made: Instruction, body: bytes) -> None:
    """Check that a cast of a context is of its bytes, which are copied, or of the address of its first member."""
    check(made.word == "i8*" or made.word.endswith("**"))
    for use in uses_of(made.result, body):
        is_access = use.opcode in ("load", "store") and use.operands[-1] == made.result
        check(use.function.startswith(COPIES) if made.word == "i8*" else is_access)


def members_of(code: bytes) -> list[tuple[int, Instruction]]:
    """Find the instructions that take the address of a member of the runtime's struct, or of its element, with it."""
    found = ((member_of(made), made) for made in instructions_with(code, *OF_MEMBERS))
    return [(number, made) for number, made in found if number is not None]


def member_type(code: bytes, number: int) -> str:
    """Return the type of a member of the runtime's struct, as the code spells it."""
    lines = (Tokens(line.decode("latin-1")) for line in code.split(b"\n") if line.startswith(RUNTIME.encode()))
    stated = next(tokens for tokens in lines if without_number(tokens.take()) == RUNTIME)
    for token in ("=", "type", "{"):
        stated.take(token)
    members = [stated.type()]
    while stated.has(","):
        members.append(stated.type())
    return members[number]


def in_place(made: Instruction, type_: str, address: str) -> str:
    """Return an instruction that takes the address of a part of what is at an address, as `made` does of a member's."""
    index = "".join(f", {each} {value}" for each, value in zip(made.types[3:], made.operands[3:], strict=True))
    return f"  {made.result} = getelementptr {type_}, {type_}* {address}, i64 0{index}{made.rest}"


def gradients(code: bytes) -> set[int]:
    """Return the arguments of a kernel whose gradients its code uses, if they are arrays that have one.

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
    """Yield the members whose addresses the code takes: their indices, outermost first, and the outermost type."""
    paths: dict[bytes, tuple[tuple[int, ...], bytes]] = {}  # by name of a variable, which are those of one function
    for result, type_, base, indices in MEMBER.findall(code):
        if not result:
            paths.clear()
            continue
        outer, outermost = paths.get(base, ((), type_))
        paths[result] = outer + tuple(int(index[4:]) for index in indices.split(b", ")[1:]), outermost
        yield paths[result]


def _member_type(struct_type: bytes, number: int) -> bytes:
    """Return the type of a member of a struct, as the code spells it; empty if it has fewer."""
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
    """Return the functions that the code defines, by name."""
    found: dict[bytes, Function] = {}
    for text in (b"\n" + code).split(b"\ndefine ")[1:]:
        match, end = DEFINITION.match(text), text.find(b"\n}") + 1
        if match is not None and end >= match.end():
            found[match[1]] = Function(match[2], text[match.end() : end])
    return found


def reached_functions(functions: Mapping[bytes, Function], task: bytes) -> set[bytes]:
    """Return the names of the task and of all that it uses."""
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
    """Return the name of a function as the code spells it."""
    data = name.encode()
    if PLAIN_NAME.fullmatch(data):
        return b"@" + data
    quoted = b"".join(bytes([c]) if 32 <= c < 127 and c not in b'"\\' else b"\\%02X" % c for c in data)
    return b'@"%b"' % quoted


def draws_random_numbers(code: bytes, task: str) -> bool:
    """Return whether a task of a kernel, or a function that it uses, takes a state of ``ti.random``."""
    if GENERATOR not in code:
        return False
    reached = reached_functions(functions_of(code), global_name(task))
    return any(re.fullmatch(GENERATOR + rb"(\.\d+)?", name) for name in reached)


# The arrays that the LLVM code of a kernel for a CPU only reads.


WRITING = (b" store ", b" atomicrmw ", b" cmpxchg ", b" call ", b" ptrtoint ", b" ret ")  # or keep an address
DATA = ("1", "2")  # the members of an array's struct: its data, and that of its gradient
ARGUMENTS = "0"  # the member of a context
STRUCTS = (CONTEXT, RUNTIME)  # which have no addresses of arrays, but for that member
FOLLOWED = ("load", "getelementptr", "bitcast", "phi", "select")


def written_arguments(code: bytes) -> frozenset[int] | None:
    """Return the arguments whose arrays the code might write to; None if it might write to any."""
    try:
        return frozenset(
            number for function in functions_of(code).values() for number in _Function(function.body).written()
        )
    except UnknownCodeError:
        return None


class _Function:
    """A function of the code."""

    def __init__(self, body: bytes) -> None:
        self._lines = body.split(b"\n")
        halves = (line.strip().partition(b" = ") for line in self._lines)
        self._definitions = {name.decode("latin-1"): b"  " + name + b" = " + text for name, _, text in halves if text}

    def written(self) -> Iterator[int]:
        for line in self._lines:
            if any(word in line for word in WRITING):
                for value in _addresses(line):
                    yield from self._sources(value, set())

    def _made(self, value: str) -> Instruction | None:
        """Return the instruction that makes a value; None for parameters and constants."""
        line = self._definitions.get(value)
        return None if line is None else next(instructions_with(line))

    def _sources(self, value: str, seen: set[str], *, is_loaded: bool = False) -> set[int]:
        """Return the arrays in which an address might be, by the numbers of their arguments.

        Addresses are loaded only of known structs, if the value is that of one that is loaded (`is_loaded`).
        """
        made = self._made(value)
        if value in seen:
            return set()
        seen.add(value)
        if made is None or made.opcode == "alloca":
            check(not is_loaded and not value.startswith(("inttoptr", "<", "{")))
            return set()
        check(made.opcode in FOLLOWED and not made.type.startswith("{"))
        struct = without_number(made.type.rstrip("*"))
        if made.opcode == "load":
            return set() if struct in STRUCTS or "(" in made.type else self._loaded(made.operands[0], seen)
        if made.opcode == "getelementptr" and struct in STRUCTS:
            check(not self._is_of_arguments(made))
            return set()
        followed = made.operands[:1] if made.opcode == "getelementptr" else made.operands[made.opcode == "select" :]
        return set[int]().union(*(self._sources(each, seen, is_loaded=is_loaded) for each in followed))

    def _loaded(self, place: str, seen: set[str]) -> set[int]:
        """Return the arrays in which an address might be that is at another."""
        made = self._made(place)
        if made is not None and made.opcode in ("phi", "select") and place not in seen:
            seen.add(place)
            places = made.operands[made.opcode == "select" :]
            return set[int]().union(*(self._loaded(each, seen) for each in places))
        if made is None or made.opcode != "getelementptr" or not made.type.startswith("{"):
            check(made is not None and not self._is_of_arguments(made))
            return self._sources(place, seen, is_loaded=True)
        base, first, number, *member = made.operands
        arguments = self._made(base)
        check(first == "0" and len(member) == 1 and member[0] in DATA)
        check(arguments is not None and arguments.opcode == "load")
        check(arguments is not None and self._is_of_arguments(self._made(arguments.operands[0])))
        return {int(number)}

    def _is_of_arguments(self, made: Instruction | None) -> bool:
        """Tell whether an instruction makes the address of a context's member that is the address of the arguments."""
        if made is None or made.opcode not in ("bitcast", "getelementptr"):
            return False
        struct = without_number(made.types[0].removesuffix("*"))
        return struct == CONTEXT and (made.opcode == "bitcast" or made.operands[2:3] in ([], [ARGUMENTS]))


def _addresses(line: bytes) -> Iterator[str]:
    """Yield the addresses that an instruction takes."""
    _, exchange, after = line.decode("latin-1").partition(" cmpxchg ")
    if exchange:
        tokens = Tokens(after)
        tokens.while_in(("weak", "volatile"))
        check(tokens.type().endswith("*"))
        yield tokens.value()
        return
    for made in instructions_with(line):
        yield from (value for type_, value in zip(made.types, made.operands, strict=True) if "*" in type_)

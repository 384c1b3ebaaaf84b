"""What is the same for each element of a loop: addresses of arguments and fields, lengths, the structs of compilers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction, read_instruction
from ...adopt.taichi._native import RUNTIME_MEMBERS, TEMPORARIES, TEMPORARIES_BYTES
from ._ir import CONTEXT, FLOATS, Function, in_order, is_pointer

# A compiler whose code becomes vectors: where it has its runtime, and the structs that tasks read.


class Compiler(NamedTuple):
    """What differs between compilers."""

    package: str  # the package of Python that has its runtime
    # roots, temporaries: the numbers of members in the runtime's struct.
    roots: int
    temporaries: int
    follows_cpu: bool  # whether its JIT lets LLVM choose by the CPU where the flags of instructions leave a choice
    # context, runtime: the types of the structs; empty if its code states them.
    context: str = ""
    runtime: str = ""


TAICHI = Compiler("taichi", RUNTIME_MEMBERS["roots"], RUNTIME_MEMBERS["temporaries"], False)


# Addresses and lengths.


SIZES = {"i1": 1, "i8": 1, "i16": 2, "half": 2, "i32": 4, "float": 4, "i64": 8, "double": 8}
RUNTIME, TEMPORARY, ROOTS = "@RuntimeContext_get_runtime", "@get_temporary_pointer", "@LLVMRuntime_get_roots"
CHILD, ELEMENT_OF_DENSE = "@get_ch_", "@Dense_lookup_element"
WIDE_ELEMENT, OPAQUE = "@taichi_aot.element", "@taichi_aot.opaque"
OWN_ACCESSORS = (RUNTIME, TEMPORARY, ROOTS)
PLAIN = ".plain"  # suffix of the runtime's own accessors

INVARIANT = ", !invariant.load !{}"
# What takes the place of numbers that are known otherwise. The compiler's passes put the terms of sums in order by the
# places of loads and divisions from which the terms follow, so these stay until that is done.
LOADED, INDEX_OF_LOOP = "@taichi_aot.loaded.", "@taichi_aot.index"
INTEGERS = ("i1", "i8", "i16", "i32", "i64")
DECLARED = f"""
declare i8* {WIDE_ELEMENT}(i8*, i8*, i64)
declare i8* {OPAQUE}(i8*)
declare i32 {INDEX_OF_LOOP}(i32) nounwind willreturn readnone speculatable
declare RUNTIME* {RUNTIME}{PLAIN}(CONTEXT*)
declare i8* {TEMPORARY}{PLAIN}(RUNTIME*, i64)
declare i8* {ROOTS}{PLAIN}(RUNTIME*, i32)
""" + "".join(
    f"declare {each} {LOADED}{each}({each}) nounwind willreturn inaccessiblememonly readonly\n" for each in INTEGERS
)
# The numbers themselves, once the terms are in order.
KNOWN = "".join(
    f"define {type_} {name}({type_} %n) alwaysinline {{\n  ret {type_} %n\n}}\n"
    for name, type_ in ((INDEX_OF_LOOP, "i32"), *((f"{LOADED}{each}", each) for each in INTEGERS))
)


def accessors(compiler: Compiler) -> str:
    """Return what takes the place of the runtime's own functions, and two more.

    The first three state that what they load does not change in a launch. The fourth takes an index of i64. The last
    one hides where an address comes from: LLVM compares ranges of two arrays while the program runs, but not of two
    members of one struct.
    """
    return f"""
define RUNTIME* {RUNTIME}(CONTEXT* %c) alwaysinline {{
  %p = getelementptr inbounds CONTEXT, CONTEXT* %c, i64 0, i32 1
  %r = load RUNTIME*, RUNTIME** %p, align 8{INVARIANT}
  ret RUNTIME* %r
}}
define i8* {TEMPORARY}(RUNTIME* %r, i64 %o) alwaysinline {{
  %p = getelementptr inbounds RUNTIME, RUNTIME* %r, i64 0, i32 {compiler.temporaries}
  %t = load i8*, i8** %p, align 8{INVARIANT}, !dereferenceable !{{i64 {TEMPORARIES_BYTES}}}, !nonnull !{{}}
  %q = getelementptr inbounds i8, i8* %t, i64 %o
  ret i8* %q
}}
define i8* {ROOTS}(RUNTIME* %r, i32 %n) alwaysinline {{
  %p = getelementptr inbounds RUNTIME, RUNTIME* %r, i64 0, i32 {compiler.roots}, i32 %n
  %t = load i8*, i8** %p, align 8{INVARIANT}
  ret i8* %t
}}
define i8* {WIDE_ELEMENT}(i8* %meta, i8* %node, i64 %i) alwaysinline {{
  %p = getelementptr inbounds i8, i8* %meta, i64 8
  %q = bitcast i8* %p to i64*
  %size = load i64, i64* %q, align 8
  %o = mul nsw i64 %size, %i
  %e = getelementptr inbounds i8, i8* %node, i64 %o
  ret i8* %e
}}
define i8* {OPAQUE}(i8* %p) alwaysinline {{
  %a = alloca i8*, align 8
  store volatile i8* %p, i8** %a, align 8
  %q = load volatile i8*, i8** %a, align 8
  ret i8* %q
}}
"""


def used_members(functions: Iterable[Function]) -> set[str]:
    """The members of the runtime's struct that functions use: temporaries, and the root of each tree of fields."""
    calls = [each for function in functions for each in function.instructions() if each.opcode == "call"]
    roots = {f"root {each.operands[1]}" for each in calls if each.callee == ROOTS}
    return roots | {TEMPORARIES for each in calls if each.callee == TEMPORARY}


def stated_members(needs: Collection[str], trees: Iterable[int]) -> list[str]:
    """The same for what a kernel needs, and its trees of fields."""
    return [f"root {tree}" for tree in trees] + ([TEMPORARIES] if TEMPORARIES in needs else [])


class Written:
    """The bytes of the runtime's temporaries that functions of a task write."""

    def __init__(self, functions: Iterable[Function]) -> None:
        self._ranges: list[tuple[int, int]] = []
        self._all = False
        for function in functions:
            offsets: dict[str, int] = {}
            for each in in_order(function):
                self._follow(each, offsets)

    def has(self, offset: int, type_: str) -> bool:
        """Return whether a number of this type at this place may be written."""
        size = _size(type_)
        return self._all or size is None or any(a < offset + size and offset < b for a, b in self._ranges)

    def _follow(self, each: Instruction, offsets: dict[str, int]) -> None:
        places = [offsets.get(operand) for operand in each.operands]
        match each.opcode:
            case "call" if each.callee == TEMPORARY:
                if each.operands[1].isdecimal():
                    offsets[each.result] = int(each.operands[1])
                else:
                    self._all = True
            case "bitcast" if places[0] is not None:
                offsets[each.result] = places[0]
            case "load":
                pass
            case "store" if places[0] is None:
                self._add(places[1], each.type)
            case "atomicrmw" if places[1] is None:
                self._add(places[0], each.type)
            case "call" if each.callee.startswith("@atomic_") and places[1] is None:
                self._add(places[0], each.types[1])
            case _:
                self._all |= any(place is not None for place in places)

    def _add(self, offset: int | None, type_: str) -> None:
        size = _size(type_)
        if offset is not None and size is not None:
            self._ranges.append((offset, offset + size))
        elif offset is not None:
            self._all = True


class Fixed:
    """The values of a body that are the same for each element."""

    def __init__(self, function: Function, written: Written) -> None:
        self.instructions: list[Instruction] = []  # what computes them, each once
        self.values = {CONTEXT}  # their names
        self.names: dict[str, str] = {}  # other names of the same values
        self.addresses: dict[str, str] = {}  # those of them that are addresses
        self._written = written
        self._places: dict[str, str | int] = {
            CONTEXT: "context"
        }  # what an address points to; a temporary's is its offset
        self._same: dict[str, str] = {}  # name by the text of what computes it
        self._in_member: set[str] = set()  # addresses in a member of the root of fields
        self._taken: set[int] = set()
        self._kept_names: dict[str, str] = {}
        for each in in_order(function):
            self._take(each)
            if self.is_taken(each) and each.opcode == "load" and each.type in INTEGERS:
                self.kept_names[each.result] = f"{each.result}.kept"
            elif each.result in self.names:
                self.addresses[each.result] = self.names[each.result]

    @property
    def derived(self) -> list[Instruction]:
        """The addresses that are computed again from the parameters of a part."""
        return [each for each in self.instructions if each.opcode not in ("load", "call")]

    @property
    def parameters(self) -> list[str]:
        """The others, which a part is passed, with their types."""
        return [f"{each.type} {each.result}" for each in self.instructions if each.opcode in ("load", "call")]

    def is_taken(self, each: Instruction) -> bool:
        """Return whether an instruction computes one of the values."""
        return id(each) in self._taken

    @property
    def kept_names(self) -> dict[str, str]:
        """The names by which instructions of an element have the values that are numbers."""
        return self._kept_names

    def kept(self, each: Instruction) -> list[Instruction]:
        """Return what takes the place of an instruction that computes one of the values: nothing for an address."""
        if each.type not in INTEGERS or each.opcode != "load":
            return []
        value = self.names.get(each.result, each.result)
        return [read_instruction(f"{each.result}.kept = call {each.type} {LOADED}{each.type}({each.type} {value})")]

    def is_invariant(self, each: Instruction) -> bool:
        """Return whether an instruction loads what does not change, and stays in its place: a float.

        The compiler puts sums in order by the places of their numbers.
        """
        place = self._places.get(self.names.get(each.operands[0], each.operands[0])) if each.opcode == "load" else None
        return place == "arguments" or (isinstance(place, int) and not self._written.has(place, each.type))

    def _take(self, each: Instruction) -> None:
        new = each.renamed(self.names)
        if not new.result or any(operand[:1] == "%" and operand not in self.values for operand in new.operands):
            return
        place = self._place(new)
        if place is None:
            return
        self._taken.add(id(each))
        new.result = ""
        text = str(new)
        if text in self._same:
            self.names[each.result] = self._same[text]
            return
        new.result = self._same[text] = each.result
        if new.opcode == "load":
            new.rest += INVARIANT
        self._add(new, place)
        if place == "field" and not self._in_member.isdisjoint(new.operands):
            self._in_member.add(new.result)
        elif new.callee.startswith(CHILD):
            opaque = read_instruction(f"{new.result}.member = call i8* {OPAQUE}(i8* {new.result})")
            self.names[new.result] = self._same[text] = opaque.result
            self._add(opaque, place)
            self._in_member.add(opaque.result)

    def _add(self, each: Instruction, place: str | int) -> None:
        self.instructions.append(each)
        self.values.add(each.result)
        if place != "":
            self._places[each.result] = place

    def _place(self, each: Instruction) -> str | int | None:
        """What the result points to; "" if it is anything else, None if it is not fixed."""
        own = self._places.get(each.operands[0], "") if each.operands else ""
        match each.opcode:
            case "call" if each.callee == RUNTIME and own == "context":
                return "runtime"
            case "call" if each.callee == TEMPORARY and own == "runtime" and each.operands[1].isdecimal():
                return int(each.operands[1])
            case "call" if own == ("runtime" if each.callee == ROOTS else "field"):
                return "field" if each.callee == ROOTS or each.callee.startswith(CHILD) else None
            case "getelementptr" if own == "context" and each.operands[1:] == ["0", "0"]:
                return "context 0"
            case "getelementptr" if own in ("arguments", "field"):
                return own
            case "bitcast" if own != "" and is_pointer(each.word):
                return own
            case "load" if own == "context 0" and is_pointer(each.type):
                return "arguments"
            case "load" if own == "arguments" or isinstance(own, int):
                is_written = isinstance(own, int) and self._written.has(own, each.type)
                return None if is_written or each.type in FLOATS or _size(each.type) is None else ""
            case _:
                return None


def _size(type_: str) -> int | None:
    return 8 if is_pointer(type_) else SIZES.get(type_)


# Which loads and stores reach which member of a field, so that LLVM knows those that never reach the same memory.
#
# An element of a member is found through calls whose names have the member and its parent. Different members have
# different memory, whatever the index is within the field.


NODES = 20000  # numbers of nodes of metadata begin here
REACHES = ("load", "store")


class Places:
    """The members of fields that a body reaches."""

    def __init__(self, function: Function) -> None:
        self._members: dict[str, str] = {}  # the member to which an address belongs
        for each in in_order(function):
            self._follow(each)
        pointers = {each.operands[-1] for each in function.instructions() if each.opcode in REACHES}
        reached = dict.fromkeys(self._members[each] for each in self._members if each in pointers)
        self._numbers = {member: number for number, member in enumerate(reached)}

    def stated(self, each: Instruction) -> Instruction:
        """Return an instruction with metadata, if it loads or stores a number of a member."""
        number = self._numbers.get(self._members.get(each.operands[-1], "")) if each.opcode in REACHES else None
        if number is None:
            return each
        own = NODES + 1 + 2 * number
        return each.copy(rest=f"{each.rest}, !alias.scope !{own}, !noalias !{own + 1}")

    def nodes(self) -> Iterator[str]:
        """What defines the nodes of metadata."""
        scopes = [f"!{NODES + 1 + 2 * len(self._numbers) + number}" for number in self._numbers.values()]
        yield f"!{NODES} = distinct !{{!{NODES}}}"
        for number, scope in enumerate(scopes):
            others = ", ".join(each for each in scopes if each != scope)
            yield f"{scope} = distinct !{{{scope}, !{NODES}}}"
            yield f"!{NODES + 1 + 2 * number} = !{{{scope}}}"
            yield f"!{NODES + 2 + 2 * number} = !{{{others}}}"

    def _follow(self, each: Instruction) -> None:
        if each.callee.startswith(CHILD):
            self._members[each.result] = each.callee
        elif each.opcode in ("getelementptr", "bitcast") and each.operands[0] in self._members:
            self._members[each.result] = self._members[each.operands[0]]

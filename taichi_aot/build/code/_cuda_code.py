"""The functions of CUDA kernels: what their values are computed from, and what they read and write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction, read_instruction
from ...adopt.taichi._plans import ARGUMENT, TEMPORARY
from ..vector._ir import CONTEXT as OF_BODY
from ..vector._ir import OWN, Block, Function, read_blocks, read_function
from ._code_types import SIZES
from ._loops import CHOICES, CONTEXT, TEMPORARIES, Span, Values, temporary_of

OF_TASK = "%context"
CASTS = "zext", "sext", "trunc", "bitcast", "addrspacecast"
INVARIANT = ", !invariant.load !{}"
PURE = frozenset(("add", "sub", "mul", "shl", "sdiv", "lshr", "ashr", "and", "or", "xor", "icmp", "select", *CASTS))
ACCESSORS = frozenset(("@RuntimeContext_get_runtime", "@get_temporary_pointer"))
WITHOUT_MEMORY = ("@llvm.", "@__nv_", "@max_", "@min_", *ACCESSORS)
MEMORY_OF_LLVM = ("@llvm.mem", "@llvm.nvvm", "@llvm.masked")
ARRAYS, LOCAL, UNKNOWN = "array", "local", "unknown"
ADDRESSES = {"load": 0, "store": 1, "atomicrmw": 0}  # which operand is the address
ATOMIC = frozenset(("add", "fadd", "min", "max", "umin", "umax", "and", "or", "xor"))
OF_FLOATS = {"add": "fadd", "min": "fmin", "max": "fmax"}  # by the names of the runtime's functions


class Slice(NamedTuple):
    """The instructions that compute a number from the arguments alone, and the number."""

    context: str  # its name in the function that they are of
    type: str
    value: str
    instructions: tuple[Instruction, ...]

    def at(self, result: str, context: str, prefix: str) -> list[Instruction]:
        """The instructions where a function has the context under a name; the number gets one too."""
        names = {made.result: f"%{prefix}{i}" for i, made in enumerate(self.instructions)} | {self.context: context}
        last = names.get(self.value, self.value)
        named = [each.renamed(names) for each in self.instructions]
        return [*named, read_instruction(f"{result} = bitcast {self.type} {last} to {self.type}")]


class Access(NamedTuple):
    """An access to an array, by the offset of its address in the argument struct."""

    made: Instruction
    array: int
    writes: bool
    adds: str  # the operation of an atomic one whose result is not used; empty for others


class Code:
    """A function of a kernel, its values by name, and what uses them."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.context = OF_TASK if OF_TASK in function.parameters else OF_BODY
        self.values = Values(function)
        self.definitions: dict[str, Instruction] = {}
        self.uses: dict[str, list[Instruction]] = {}
        for made in function.instructions():
            self.definitions[made.result] = made
            for operand in made.operands:
                self.uses.setdefault(operand, []).append(made)

    @classmethod
    def read(cls, name: str, text: str) -> Code:
        """Read a function; UnknownCodeError if it is not understood. That of a task keeps its first line."""
        lines = [line for line in text.strip().split("\n") if not line.startswith(";")]
        if lines[0].endswith(f" {OF_TASK}) {{"):
            return cls(Function(lines[0], name, {OF_TASK: ""}, read_blocks(lines[1:-1])))
        function = read_function(text)
        if function.head.endswith(") {"):
            function.head = f"{function.head.removesuffix('{')}alwaysinline {{"
        return cls(function)

    def copied(self, name: str) -> Code:
        old = self.function
        blocks = {label: Block(label, [*block.instructions]) for label, block in old.blocks.items()}
        return Code(Function(old.head.replace(f" {old.name}(", f" {name}(", 1), name, old.parameters, blocks))

    def slice(self, value: str, type_: str, stored: Mapping[int, Slice]) -> Slice | None:
        """What computes a value from the arguments and what serial tasks have stored; None if it needs more."""
        found: dict[str, Instruction] = {}
        return Slice(self.context, type_, value, tuple(found.values())) if self._collect(value, stored, found) else None

    def _collect(self, value: str, stored: Mapping[int, Slice], found: dict[str, Instruction]) -> bool:
        made = self.definitions.get(value)
        if made is None or value in found:
            return not value.startswith("%") or value in found or value == self.context
        role, offset = self.values.places.get(made.operands[0], ("", 0)) if made.opcode == "load" else ("", 0)
        if role == TEMPORARY and offset in stored and stored[offset].type == made.type:
            found |= {each.result: each for each in stored[offset].at(value, self.context, f"{value[1:]}.t")}
            return True
        if made.opcode == "load" and role in (CONTEXT, ARGUMENT):
            made = invariant(made)
        elif made.opcode != "getelementptr" and made.opcode not in PURE and made.callee not in CHOICES:
            return False
        if not all(self._collect(operand, stored, found) for operand in made.operands):
            return False
        found[value] = made
        return True

    def offset_of(self, number: str) -> int | None:
        """The offset in the memory of the thread from which a number is loaded; None if it is another one."""
        load = self.definitions.get(number)
        address = self.definitions.get(load.operands[0]) if load is not None and load.opcode == "load" else None
        if address is not None and address.opcode == "bitcast":
            address = self.definitions.get(address.operands[0])
        if address is None or address.opcode != "getelementptr" or address.operands[0] != OWN:
            return None
        return int(address.operands[1]) if address.operands[1].isdecimal() else None

    def loads_of(self, parameter: str) -> set[str]:
        """The names of a parameter, which a function stores in a variable once."""
        found = {parameter}
        for store in self.uses.get(parameter, ()):
            if store.opcode == "store" and store.operands[0] == parameter:
                uses = self.uses.get(store.operands[1], [])
                is_plain = all(each is store or each.opcode == "load" for each in uses)
                if is_plain and self.root(store.operands[1])[0] == LOCAL:
                    found |= {each.result for each in uses if each is not store}
        return found

    def index_of(self, address: str) -> int | None:
        """The index of an array's element that an address is of, if it is a constant."""
        made = self.definitions[address]
        if made.opcode == "addrspacecast":
            return self.index_of(made.operands[0])
        return self._constant(made.operands[1]) if made.opcode == "getelementptr" and len(made.operands) == 2 else None

    def _constant(self, number: str) -> int | None:
        made = self.definitions.get(number)
        if made is None:
            return int(number) if number.removeprefix("-").isdecimal() else None
        left, right = map(self._constant, made.operands) if made.opcode in ("add", "mul") else (None, None)
        if made.opcode == "mul" and 0 in (left, right):
            return 0
        if left is None or right is None:
            return None
        return left + right if made.opcode == "add" else left * right

    def root(self, address: str) -> tuple[str, int]:
        """What an address is in: the memory of arguments, temporaries, a thread, or an array, with its offset."""
        while True:
            place, made = self.values.places.get(address), self.definitions.get(address)
            if place is not None:
                return place
            if made is None or made.opcode == "alloca":
                return (LOCAL, 0) if address == OWN or made is not None else (UNKNOWN, 0)
            role, offset = self.values.places.get(made.operands[0], ("", 0)) if made.opcode == "load" else ("", 0)
            if role == ARGUMENT:
                return ARRAYS, offset
            if made.opcode not in ("getelementptr", "bitcast", "addrspacecast"):
                return UNKNOWN, 0
            address = made.operands[0]

    def accesses(self, arrays: Set[int]) -> list[Access] | None:
        """The accesses to arrays, whose addresses are at these offsets; None if there may be others."""
        found: list[Access] = []
        for made in self.function.instructions():
            operation = made.word if made.opcode == "atomicrmw" and made.word in ATOMIC else ""
            if made.callee.startswith("@atomic_"):
                _, name, suffix = made.callee.split("_", 2)
                operation = OF_FLOATS.get(name, "") if suffix in ("f32", "f64") else ""
            elif made.opcode == "call":
                if not made.callee.startswith(WITHOUT_MEMORY) or made.callee.startswith(MEMORY_OF_LLVM):
                    return None
                continue
            elif made.opcode not in ADDRESSES:
                continue
            role, at = self.root(made.operands[ADDRESSES.get(made.opcode, 0)])
            if role == UNKNOWN or (role == ARRAYS and at not in arrays):
                return None
            if role == ARRAYS:
                found.append(Access(made, at, made.opcode != "load", "" if self.uses.get(made.result) else operation))
        return found

    def linear(self, sizes: Set[int]) -> set[str]:
        """What computes the places of elements from their indices, and the sizes of arrays, which are at these offsets.

        Where it wraps around, no array has such an element.
        """
        found: set[str] = set()
        for element in self.function.instructions():
            number = element.operands[1] if element.opcode == "getelementptr" and len(element.operands) == 2 else ""
            while number in self.definitions and number not in found:
                added = self.definitions[number]
                row = self.definitions.get(added.operands[0]) if added.opcode == "add" and added.type == "i32" else None
                if row is None or row.opcode != "mul" or not self._is_size(row.operands[1], sizes):
                    break
                found |= {added.result, row.result}
                number = row.operands[0]
        return found

    def _is_size(self, number: str, sizes: Set[int]) -> bool:
        load = self.definitions.get(number)
        role, offset = self.values.places.get(load.operands[0], ("", 0)) if load and load.opcode == "load" else ("", 0)
        return number.isdecimal() or (role == ARGUMENT and offset in sizes)

    def read_temporaries(self) -> Iterator[Span]:
        """The parts of the temporaries that it may read."""
        for call in self.function.instructions():
            offset = temporary_of(call)
            if offset is None and call.function.encode() == TEMPORARIES:
                yield 0, 1 << 62
            for typed in self.uses.get(call.result, ()) if offset is not None else ():
                for made in self.uses.get(typed.result, ()):
                    if made.opcode != "store" or made.operands[1] != typed.result:
                        yield offset or 0, (offset or 0) + SIZES.get(typed.word.removesuffix("*"), 8)


def invariant(made: Instruction) -> Instruction:
    """A load of what nothing changes while the task runs."""
    return made if INVARIANT in made.rest else made.copy(rest=f"{made.rest}{INVARIANT}")

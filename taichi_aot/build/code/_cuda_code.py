"""LLVM IR for CUDA: what the functions of a kernel compute, read and write, and the text of the loops made of them.

Threads stride over the indices of a loop. Numbers that they have added up are combined by warp, block and device. Each
block stores its own, and the last one to do so combines all in the order of the blocks. So a sum depends on the numbers
of blocks and threads, but not on which is first: it has the same bits in each launch on a device.

Numbers that are added to elements of a small array, such as the bins of a histogram, are added up in the memory of a
block, and then to the array.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction, read_instruction
from ...adopt.taichi._plans import ARGUMENT, TEMPORARY
from ..vector import _sums
from ..vector._ir import CONTEXT as OF_BODY
from ..vector._ir import OWN, Block, Function, read_blocks, read_function
from ._loops import CHOICES, CONTEXT, SIZES, TEMPORARIES, Span, Values, temporary_of

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
        """Return the instructions where a function has the context under a name; the number gets one too."""
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
        """Return what computes a value from the arguments and what serial tasks have stored; None if it needs more."""
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
        """Return the offset in the memory of the thread from which a number is loaded; None if it is another one."""
        load = self.definitions.get(number)
        address = self.definitions.get(load.operands[0]) if load is not None and load.opcode == "load" else None
        if address is not None and address.opcode == "bitcast":
            address = self.definitions.get(address.operands[0])
        if address is None or address.opcode != "getelementptr" or address.operands[0] != OWN:
            return None
        return int(address.operands[1]) if address.operands[1].isdecimal() else None

    def loads_of(self, parameter: str) -> set[str]:
        """Return the names of a parameter, which a function stores in a variable once."""
        found = {parameter}
        for store in self.uses.get(parameter, ()):
            if store.opcode == "store" and store.operands[0] == parameter:
                uses = self.uses.get(store.operands[1], [])
                is_plain = all(each is store or each.opcode == "load" for each in uses)
                if is_plain and self.root(store.operands[1])[0] == LOCAL:
                    found |= {each.result for each in uses if each is not store}
        return found

    def index_of(self, address: str) -> int | None:
        """Return the index of an array's element that an address is of, if it is a constant."""
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
        """Find what an address is in: the memory of arguments, temporaries, a thread, or an array, with its offset."""
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
        """Return the accesses to arrays, whose addresses are at these offsets; None if there may be others."""
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
        """Find what computes elements' places from their indices, and the sizes of arrays, which are at these offsets.

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
        """Yield the parts of the temporaries that it may read."""
        for call in self.function.instructions():
            offset = temporary_of(call)
            if offset is None and call.function.encode() == TEMPORARIES:
                yield 0, 1 << 62
            for typed in self.uses.get(call.result, ()) if offset is not None else ():
                for made in self.uses.get(typed.result, ()):
                    if made.opcode != "store" or made.operands[1] != typed.result:
                        yield offset or 0, (offset or 0) + SIZES.get(typed.word.removesuffix("*"), 8)


def invariant(made: Instruction) -> Instruction:
    """Mark a load of what nothing changes while the task runs."""
    return made if INVARIANT in made.rest else made.copy(rest=f"{made.rest}{INVARIANT}")


# The loops.


MOST_BLOCKS = 4096  # which store numbers
WARP, MOST_WARPS = 32, 32
BINS_BYTES = 1 << 14  # of a block, of which a multiprocessor then has as many as of others
BITS = {"half": "i16", "float": "i32", "double": "i64"}
PACKED = {"half": ("<e", "<H"), "float": ("<f", "<I"), "double": ("<d", "<Q")}
SUFFIXES = {"float": "f32", "double": "f64", "half": "f16"}
EXTREMES = {"fmin": "@llvm.minnum", "fmax": "@llvm.maxnum"}
NEUTRAL = {"fadd": -0.0, "fmin": float("inf"), "fmax": float("-inf"), "and": -1, "umin": -1}  # 0 or an end, for others
ATTRIBUTES = "convergent alwaysinline nounwind"
REGISTERS = "\n".join(
    f"  %{name} = call i32 @llvm.nvvm.read.ptx.sreg.{register}.x()"
    for name, register in {"thread": "tid", "threads": "ntid", "block": "ctaid", "blocks": "nctaid"}.items()
)
DECLARED = (
    *(f"i32 @llvm.nvvm.read.ptx.sreg.{register}.x()" for register in ("tid", "ntid", "ctaid", "nctaid")),
    "i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)",
    "void @llvm.nvvm.barrier0()",
    "void @llvm.nvvm.membar.gl()",
    "i32 @llvm.nvvm.atomic.load.inc.32.p1i32(i32 addrspace(1)*, i32)",
    "void @llvm.assume(i1)",
    *(f"{type_} {name}.{suffix}({type_}, {type_})" for type_, suffix in SUFFIXES.items() for name in EXTREMES.values()),
)
SHARED = f"""
@taichi_aot.warps = internal addrspace(3) global [{MOST_WARPS} x i64] undef, align 8
@taichi_aot.is_last = internal addrspace(3) global i32 undef, align 4
"""


class Accumulator(NamedTuple):
    """A number in the memory of each thread, at an offset."""

    offset: int
    type: str
    operation: str  # that of `atomicrmw`, "fmin" or "fmax"

    @property
    def kind(self) -> str:
        return f"{self.operation}.{self.type}"

    @property
    def neutral(self) -> tuple[str, int]:
        """The number that changes nothing, and its bits as an integer."""
        if self.type in BITS:
            code, bits = PACKED[self.type]
            (stored,) = struct.unpack(bits, struct.pack(code, NEUTRAL[self.operation]))
            (wide,) = struct.unpack("<Q", struct.pack("<d", NEUTRAL[self.operation]))  # as which LLVM writes others
            return f"0xH{stored:04X}" if self.type == "half" else f"0x{wide:016X}", stored
        half = 1 << (int(self.type[1:]) - 1)
        value = {"min": half - 1, "max": -half}.get(self.operation, int(NEUTRAL.get(self.operation, 0)))
        return str(value), value


def combined(result: str, each: Accumulator, left: str, right: str) -> list[str]:
    """Write what combines two numbers."""
    if each.operation not in EXTREMES:
        return _sums.combined(each.operation, each.type, result, left, right)
    name = f"{EXTREMES[each.operation]}.{SUFFIXES[each.type]}"
    return [f"{result} = call {each.type} {name}({each.type} {left}, {each.type} {right})"]


def address(result: str, each: Accumulator, memory: str = "%own") -> list[str]:
    """Write the address of the number in the memory of a thread."""
    return [
        f"{result}.b = getelementptr i8, i8* {memory}, i64 {each.offset}",
        f"{result} = bitcast i8* {result}.b to {each.type}*",
    ]


def text(lines: Iterable[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)


def added(number: int, each: Accumulator, atomic: str) -> str:
    """Write what adds an accumulator's number to its place by an atomic instruction, which adds ``%n`` and its number.

    What changes nothing is not added: if no element adds anything, the place may not be in its array.
    """
    i, bits = number, BITS.get(each.type, each.type)
    return f"""
{text(address(f"%q{i}", each))}
  %n{i} = load {each.type}, {each.type}* %q{i}
  %b{i} = bitcast {each.type} %n{i} to {bits}
  %is{i} = icmp eq {bits} %b{i}, {each.neutral[1]}
  br i1 %is{i}, label %after{i}, label %add{i}
add{i}:
{atomic}
  br label %after{i}
after{i}:"""


def _warp(each: Accumulator) -> Iterator[str]:
    """Write a function that combines the numbers of a warp, for each of its threads."""
    type_, bits = each.type, BITS.get(each.type, each.type)
    words = max(1, int(bits[1:]) // 32)
    cast, back = ("zext", "trunc") if bits == "i16" else ("trunc", "zext")
    yield f"define internal {type_} @taichi_aot.warp.{each.kind}({type_} %n{WARP}) {ATTRIBUTES} {{"
    width = WARP
    while width > 1:
        old, width = width, width // 2
        yield f"  %b{width} = bitcast {type_} %n{old} to {bits}"
        last = "0"
        for at in (f"{width}.{part}" for part in range(words)):
            shift = 32 * int(at[-1])
            yield f"  %s{at} = lshr {bits} %b{width}, {shift}"
            yield f"  %i{at} = {cast} {bits} %s{at} to i32" if bits != "i32" else f"  %i{at} = add i32 %s{at}, 0"
            yield f"  %r{at} = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i{at}, i32 {width}, i32 31)"
            yield f"  %w{at} = {back} i32 %r{at} to {bits}" if bits != "i32" else f"  %w{at} = add i32 %r{at}, 0"
            yield f"  %h{at} = shl {bits} %w{at}, {shift}"
            yield f"  %o{at} = or {bits} %h{at}, {last}"
            last = f"%o{at}"
        yield f"  %t{width} = bitcast {bits} {last} to {type_}"
        yield text(combined(f"%n{width}", each, f"%n{old}", f"%t{width}"))
    yield f"  ret {type_} %n1"
    yield "}"


def _block(each: Accumulator) -> str:
    """Write a function that combines the numbers of a block, for its first thread."""
    type_, warps = each.type, f"[{MOST_WARPS} x i64]"
    return f"""
define internal {type_} @taichi_aot.block.{each.kind}({type_} %own) {ATTRIBUTES} {{
entry:
{REGISTERS}
  %first = call {type_} @taichi_aot.warp.{each.kind}({type_} %own)
  %lane = and i32 %thread, {WARP - 1}
  %warp = lshr i32 %thread, 5
  %put.p = getelementptr {warps}, {warps} addrspace(3)* @taichi_aot.warps, i32 0, i32 %warp
  %put = bitcast i64 addrspace(3)* %put.p to {type_} addrspace(3)*
  %get.p = getelementptr {warps}, {warps} addrspace(3)* @taichi_aot.warps, i32 0, i32 %lane
  %get = bitcast i64 addrspace(3)* %get.p to {type_} addrspace(3)*
  %is_first = icmp eq i32 %lane, 0
  br i1 %is_first, label %store, label %stored
store:
  store {type_} %first, {type_} addrspace(3)* %put
  br label %stored
stored:
  call void @llvm.nvvm.barrier0()
  %is_in_first = icmp ult i32 %thread, {WARP}
  br i1 %is_in_first, label %combine, label %end
combine:
  %warps = lshr i32 %threads, 5
  %has = icmp ult i32 %lane, %warps
  %loaded = load {type_}, {type_} addrspace(3)* %get
  %number = select i1 %has, {type_} %loaded, {type_} {each.neutral[0]}
  %all = call {type_} @taichi_aot.warp.{each.kind}({type_} %number)
  br label %end
end:
  %result = phi {type_} [ %first, %stored ], [ %all, %combine ]
  call void @llvm.nvvm.barrier0()
  ret {type_} %result
}}
"""


def shared_functions(accumulators: Iterable[Accumulator]) -> str:
    """Write the functions and the memory of blocks for accumulators; empty without any."""
    kinds = {each.kind: each for each in accumulators}.values()
    parts = ["\n".join((*_warp(each), _block(each))) for each in kinds]
    return "\n".join((SHARED, *parts)) if parts else ""


class Bins(NamedTuple):
    """The elements of an array that atomic operations change, of each block."""

    extent: tuple[str, ...]  # computes the address of the array and that of its end, of %args
    array: int  # the number in their names
    type: str
    operation: str  # that of `atomicrmw`

    @property
    def kind(self) -> str:
        return f"{self.operation}.{self.type}"

    @property
    def neutral(self) -> tuple[str, int]:
        return Accumulator(0, self.type, self.operation).neutral

    @property
    def bytes(self) -> int:
        """The bytes of an element."""
        return SIZES[self.type]

    @property
    def memory(self) -> str:
        """The type of the memory of a block."""
        return f"[{BINS_BYTES // self.bytes} x {self.type}]"

    def element(self, result: str, index: str) -> str:
        name = f"@taichi_aot.bins.{self.type}"
        return f"{result} = getelementptr {self.memory}, {self.memory} addrspace(3)* {name}, i32 0, i32 {index}"

    def functions(self) -> Iterator[str]:
        """Write the memory of a block, and the function that adds to an element."""
        yield f"@taichi_aot.bins.{self.type} = internal addrspace(3) global {self.memory} undef, align 8"
        yield f"""define internal void @taichi_aot.bin.{self.kind}(i32 %i, {self.type} %n) alwaysinline nounwind {{
  {self.element("%p", "%i")}
  %old = atomicrmw {self.operation} {self.type} addrspace(3)* %p, {self.type} %n monotonic
  ret void
}}
"""

    def is_worth_it(self, is_apart: str) -> list[str]:
        """Compute %is_small: the array has room in a block, and each block has more to add than the array's elements.

        It needs `extent` and the context's %args before it.
        """
        i = self.array
        return [
            f"%bins.bytes = sub i64 %end.{i}, %at.{i}",
            f"%bins.fit = icmp ule i64 %bins.bytes, {BINS_BYTES}",
            "%bins.begin = sext i32 %begin to i64",
            "%bins.end = sext i32 %end to i64",
            "%bins.length = sub i64 %bins.end, %bins.begin",
            "%bins.blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()",
            "%bins.blocks.w = zext i32 %bins.blocks to i64",
            "%bins.sum = mul i64 %bins.bytes, %bins.blocks.w",
            f"%bins.length.b = mul i64 %bins.length, {self.bytes}",
            "%bins.few = icmp sle i64 %bins.sum, %bins.length.b",
            "%bins.both = and i1 %bins.fit, %bins.few",
            f"%is_small = and i1 %bins.both, {is_apart}",
        ]

    def _each(self, name: str, before: str, act: Sequence[str], after: str) -> str:
        """Write a loop of a block's threads over the elements, from the label `before` on."""
        return f"""  br label %{name}
{name}:
  %{name}.i = phi i32 [ %thread, %{before} ], [ %{name}.next, %{name}.end ]
  %{name}.is = icmp ult i32 %{name}.i, %bins.count
  br i1 %{name}.is, label %{name}.act, label %{after}
{name}.act:
{text(act)}
  br label %{name}.end
{name}.end:
  %{name}.next = add i32 %{name}.i, %threads
  br label %{name}
{after}:
  call void @llvm.nvvm.barrier0()
"""

    def clear(self, context: str) -> str:
        """Set the elements of the block to the neutral number; ends in the block `cleared`."""
        lines = [
            *arguments_of(context),
            *self.extent,
            f"%bins.bytes = sub i64 %end.{self.array}, %at.{self.array}",
            f"%bins.count.w = udiv i64 %bins.bytes, {self.bytes}",
            "%bins.count = trunc i64 %bins.count.w to i32",
        ]
        store = f"store {self.type} {self.neutral[0]}, {self.type} addrspace(3)* %clear.p"
        return f"""{text(lines)}
{self._each("clear", "entry", [self.element("%clear.p", "%clear.i"), store], "cleared")}"""

    def add(self) -> str:
        """Add the elements of the block to the array, behind the loop; ends in the block `added`."""
        type_, bits = self.type, f"i{8 * self.bytes}"
        lines = [
            self.element("%add.p", "%add.i"),
            f"%add.n = load volatile {type_}, {type_} addrspace(3)* %add.p",
            f"%add.b = bitcast {type_} %add.n to {bits}",
            f"%add.none = icmp eq {bits} %add.b, {self.neutral[1]}",
            "br i1 %add.none, label %add.end, label %add.do",
        ]
        do = [
            f"%add.base = inttoptr i64 %at.{self.array} to {type_} addrspace(1)*",
            f"%add.to = getelementptr {type_}, {type_} addrspace(1)* %add.base, i32 %add.i",
            f"%add.old = atomicrmw {self.operation} {type_} addrspace(1)* %add.to, {type_} %add.n monotonic",
        ]
        act = [*lines[:-1], f"{lines[-1]}\nadd.do:", *do]
        return f"""  call void @llvm.nvvm.barrier0()
{self._each("add", "looped", act, "added")}"""


def arguments_of(context: str) -> list[str]:
    """Write what finds the argument struct of a context."""
    return [
        f"%args.p = getelementptr {context.removesuffix('*')}, {context} %c, i32 0, i32 0",
        f"%args = load i8*, i8** %args.p, align 8{INVARIANT}",
    ]


class LoopText(NamedTuple):
    """The loop of a task in one of its forms."""

    name: str
    context: str  # the type of the context's address
    body: str  # the function of an element
    prologue: str  # that of a thread before the loop, or "null"
    bytes: int  # of a thread's memory, which the prologue fills up to `filled`
    filled: int
    accumulators: Sequence[Accumulator]
    finish: Sequence[str]  # what one thread of all does when it has the numbers of all
    memory: str  # the name of the memory of the device that the blocks use, for this many accumulators
    cells: int
    unrolled: int
    is_positive: bool  # whether no index is negative
    bins: Bins | None = None

    def _element(self, result: str, at: str) -> str:
        known = [f"{result}.is = icmp sge i32 {result}, 0", f"call void @llvm.assume(i1 {result}.is)"]
        return text([
            f"{result}.w = add i64 {at}, %begin.w",
            f"{result} = trunc i64 {result}.w to i32",
            *(known if self.is_positive else ()),
            f"call void {self.body}({self.context} %c, i8* %own, i32 {result})",
        ])  # fmt: skip

    def function(self) -> str:
        """Write the function that runs the loop from its first index to its end, of the context and these."""
        start = [f"call void {self.prologue}({self.context} %c, i8* %own)"] if self.prologue != "null" else []
        for i, each in enumerate(self.accumulators):
            if each.offset >= self.filled:
                start += [
                    *address(f"%start.{i}", each),
                    f"store {each.type} {each.neutral[0]}, {each.type}* %start.{i}",
                ]
        ahead = [f"%l.{k} = add i64 %l, %by.{k}" for k in range(self.unrolled)]
        steps = [f"%by.{k} = mul i64 %step, {k}" for k in range(self.unrolled + 1)]
        elements = "\n".join(self._element(f"%i.{k}", f"%l.{k}") for k in range(self.unrolled))
        memory = f"[{self.bytes} x i8]"
        return f"""
define internal void @{self.name}({self.context} %c, i32 %begin, i32 %end) {ATTRIBUTES} {{
entry:
  %memory = alloca {memory}, align 8
  %own = getelementptr {memory}, {memory}* %memory, i64 0, i64 0
{REGISTERS}
{text(start)}
  %base = mul i32 %block, %threads
  %number = add i32 %base, %thread
  %first = zext i32 %number to i64
  %step.n = mul i32 %threads, %blocks
  %step = zext i32 %step.n to i64
{text(steps)}
  %begin.w = sext i32 %begin to i64
  %end.w = sext i32 %end to i64
  %length = sub i64 %end.w, %begin.w
{self.bins.clear(self.context) if self.bins else ""}
  br label %several
several:
  %l = phi i64 [ %first, %{"cleared" if self.bins else "entry"} ], [ %l.next, %elements ]
  %l.last = add i64 %l, %by.{self.unrolled - 1}
  %l.is = icmp slt i64 %l.last, %length
  br i1 {"%l.is" if self.unrolled > 1 else "false"}, label %elements, label %single
elements:
{text(ahead)}
{elements}
  %l.next = add i64 %l, %by.{self.unrolled}
  br label %several
single:
  %s = phi i64 [ %l, %several ], [ %s.next, %element ]
  %s.is = icmp slt i64 %s, %length
  br i1 %s.is, label %element, label %looped
element:
{self._element("%i", "%s")}
  %s.next = add i64 %s, %step
  br label %single
looped:
{self.bins.add() if self.bins else ""}
{self._combination() if self.accumulators else "  br label %done"}
done:
  ret void
}}
"""

    def _combination(self) -> str:
        """Write what follows the loop if there are accumulators."""
        each = list(enumerate(self.accumulators))
        cells = f"[{MOST_BLOCKS * self.cells} x i64]"

        def cell(result: str, i: int, block: str) -> list[str]:
            type_, of_all = self.accumulators[i].type, f"{cells} addrspace(1)* @{self.memory}.cells"
            return [
                f"{result}.i = add i32 {block}, {MOST_BLOCKS * i}",
                f"{result}.p = getelementptr {cells}, {of_all}, i32 0, i32 {result}.i",
                f"{result} = bitcast i64 addrspace(1)* {result}.p to {type_} addrspace(1)*",
            ]

        own = [line for i, a in each for line in (
            *address(f"%own.{i}", a),
            f"%sum.{i} = load {a.type}, {a.type}* %own.{i}",
            f"%of_block.{i} = call {a.type} @taichi_aot.block.{a.kind}({a.type} %sum.{i})",
        )]  # fmt: skip
        put = [line for i, a in each for line in (
            *cell(f"%put.{i}", i, "%block"),
            f"store volatile {a.type} %of_block.{i}, {a.type} addrspace(1)* %put.{i}",
        )]  # fmt: skip
        get = [line for i, a in each for line in (
            *cell(f"%get.{i}", i, "%k"),
            f"%one.{i} = load volatile {a.type}, {a.type} addrspace(1)* %get.{i}",
            *combined(f"%more.{i}", a, f"%all.{i}", f"%one.{i}"),
        )]  # fmt: skip
        looped = "added" if self.bins else "looped"
        return f"""
{text(own)}
  %is_first = icmp eq i32 %thread, 0
  %is_alone = icmp eq i32 %blocks, 1
  br i1 %is_alone, label %combined, label %many
many:
  br i1 %is_first, label %put, label %wait
put:
{text(put)}
  call void @llvm.nvvm.membar.gl()
  %others = sub i32 %blocks, 1
  %count = call i32 @llvm.nvvm.atomic.load.inc.32.p1i32(i32 addrspace(1)* @{self.memory}.done, i32 %others)
  %is_last = icmp eq i32 %count, %others
  %is_last.i = zext i1 %is_last to i32
  store volatile i32 %is_last.i, i32 addrspace(3)* @taichi_aot.is_last
  br label %wait
wait:
  call void @llvm.nvvm.barrier0()
  %last = load volatile i32, i32 addrspace(3)* @taichi_aot.is_last
  %ends = icmp eq i32 %last, 0
  br i1 %ends, label %done, label %gather
gather:
  call void @llvm.nvvm.membar.gl()
  br label %next
next:
  %k = phi i32 [ %thread, %gather ], [ %k.next, %get ]
{text(f"%all.{i} = phi {a.type} [ {a.neutral[0]}, %gather ], [ %more.{i}, %get ]" for i, a in each)}
  %goes_on = icmp ult i32 %k, %blocks
  br i1 %goes_on, label %get, label %gathered
get:
{text(get)}
  %k.next = add i32 %k, %threads
  br label %next
gathered:
{text(f"%total.{i} = call {a.type} @taichi_aot.block.{a.kind}({a.type} %all.{i})" for i, a in each)}
  br label %combined
combined:
{text(f"%result.{i} = phi {a.type} [ %of_block.{i}, %{looped} ], [ %total.{i}, %gathered ]" for i, a in each)}
  br i1 %is_first, label %finish, label %done
finish:
{text(f"store {a.type} %result.{i}, {a.type}* %own.{i}" for i, a in each)}
{text(self.finish)}
  br label %done"""


def device_memory(name: str, count: int) -> str:
    """Write the memory in which the blocks of a task store the numbers of accumulators, and how many blocks have."""
    return f"""
@{name}.cells = internal addrspace(1) global [{MOST_BLOCKS * count} x i64] zeroinitializer, align 8
@{name}.done = internal addrspace(1) global i32 0, align 4
"""

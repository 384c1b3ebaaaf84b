"""The LLVM IR of CUDA loops: how threads stride over the indices, and how what they have added up is combined.

Numbers are combined by warp, block and device. Each block stores its own, and the last one to do so combines all in the
order of the blocks. So a sum depends on the numbers of blocks and threads, but not on which is first: it has the same
bits in each launch on a device.

Numbers that are added to elements of a small array, such as the bins of a histogram, are added up in the memory of a
block, and then to the array.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..vector import _sums
from ._code_types import SIZES
from ._cuda_code import INVARIANT

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
    """What combines two numbers."""
    if each.operation not in EXTREMES:
        return _sums.combined(each.operation, each.type, result, left, right)
    name = f"{EXTREMES[each.operation]}.{SUFFIXES[each.type]}"
    return [f"{result} = call {each.type} {name}({each.type} {left}, {each.type} {right})"]


def address(result: str, each: Accumulator, memory: str = "%own") -> list[str]:
    """The address of the number in the memory of a thread."""
    return [
        f"{result}.b = getelementptr i8, i8* {memory}, i64 {each.offset}",
        f"{result} = bitcast i8* {result}.b to {each.type}*",
    ]


def text(lines: Iterable[str]) -> str:
    return "\n".join(f"  {line}" for line in lines)


def added(number: int, each: Accumulator, atomic: str) -> str:
    """What adds the number of an accumulator to its place by an atomic instruction, which adds ``%n`` and its number.

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
    """A function that combines the numbers of a warp, for each of its threads."""
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
    """A function that combines the numbers of a block, for its first thread."""
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
    """The functions and the memory of blocks for accumulators; empty without any."""
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
        """The memory of a block, and the function that adds to an element."""
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
        """A loop of a block's threads over the elements, from the label `before` on."""
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
    """What finds the argument struct of a context."""
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
        """The function that runs the loop from its first index to its end, of the context and these."""
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
        """What follows the loop if there are accumulators."""
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
    """The memory in which the blocks of a task store the numbers of accumulators, and how many blocks have."""
    return f"""
@{name}.cells = internal addrspace(1) global [{MOST_BLOCKS * count} x i64] zeroinitializer, align 8
@{name}.done = internal addrspace(1) global i32 0, align 4
"""

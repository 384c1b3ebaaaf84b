"""Sums over a loop, of variables and of elements of arrays: each element is added to one of several lanes.

The lanes are added by pairs at the end, so the order does not depend on the CPU.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction
from ._chunks import ARITHMETIC
from ._fixed import Fixed, Written
from ._ir import CONTEXT, OWN, Function, NotVectorError, in_order, read_all

LANES = 32
BYTES = 8  # of the largest number
# The numbers that change nothing. Minima and maxima begin with the same number in each lane.
NEUTRAL = {"fadd": "-0.0", "add": "0", "or": "0", "xor": "0", "and": "-1"}
# Minima and maxima of atomic operations, with the comparison for which the first number stays.
COMPARED = {"max": "sgt", "min": "slt", "umax": "ugt", "umin": "ult"}
EXTREMES = ("@llvm.maxnum.", "@llvm.minnum.", "@max_", "@min_")
# Of 0 and -0 the largest number is 0, in any order.
FLOATS = {"f32": ("float", "i32"), "f64": ("double", "i64")}
OWN_EXTREMES = {
    f"@llvm.{name}.{number}": f"@taichi_aot.{name}.{number}" for name in ("maxnum", "minnum") for number in FLOATS
}
# LLVM ends the process where it makes vectors of minima and maxima of f16. Of 0 and -0 these are the first number.
HALF_EXTREMES = {f"@llvm.{name}.f16": f"@taichi_aot.{name}.f16" for name in ("maxnum", "minnum")}
DECLARED = "".join(
    f"declare {type_} @taichi_aot.{name}.{number}({type_}, {type_})\n"
    for name in ("maxnum", "minnum")
    for number, (type_, _) in {"f16": ("half", ""), **FLOATS}.items()
)
DEFINED = "".join(
    f"""
declare {type_} @llvm.{name}.{number}({type_}, {type_})
define {type_} @taichi_aot.{name}.{number}({type_} %a, {type_} %b) alwaysinline {{
  %found = call {type_} @llvm.{name}.{number}({type_} %a, {type_} %b)
  %same = fcmp oeq {type_} %a, %b
  %x = bitcast {type_} %a to {bits}
  %y = bitcast {type_} %b to {bits}
  %z = {operation} {bits} %x, %y
  %both = bitcast {bits} %z to {type_}
  %result = select i1 %same, {type_} %both, {type_} %found
  ret {type_} %result
}}
"""
    for name, operation in (("maxnum", "and"), ("minnum", "or"))
    for number, (type_, bits) in FLOATS.items()
) + "".join(
    f"""
define half @taichi_aot.{name}.f16(half %a, half %b) alwaysinline {{
  %x = fpext half %a to float
  %y = fpext half %b to float
  %is_better = fcmp {better} float %y, %x
  %is_nan = fcmp uno float %x, %x
  %is_second = or i1 %is_better, %is_nan
  %result = select i1 %is_second, half %b, half %a
  ret half %result
}}
"""
    for name, better in (("maxnum", "ogt"), ("minnum", "olt"))
)
BINS = "%bin."  # begins the names of `_bins`
NUMBERS = frozenset(("i8", "i16", "i32", "i64", "half", "float", "double"))
UNKNOWN = "uses the memory of its thread in a way that is not known"


def combined(word: str, type_: str, result: str, left: str, right: str) -> list[str]:
    """What combines two numbers as an atomic operation of this word does."""
    if word not in COMPARED:
        return [f"{result} = {word} {type_} {left}, {right}"]
    return [
        f"{result}.is = icmp {COMPARED[word]} {type_} {left}, {right}",
        f"{result} = select i1 {result}.is, {type_} {left}, {type_} {right}",
    ]


class Slot(NamedTuple):
    """A number of the thread to which a body adds, or the least or largest of numbers."""

    offset: int  # its place in the memory of the thread
    type: str
    operation: Instruction  # what adds an element
    at: int  # the place of its lanes in the memory of all lanes
    own: str  # the name of a variable that has the number of one lane


class Sums:
    """The numbers of the thread that a body changes, each only by adding an element to it."""

    def __init__(self, function: Function) -> None:
        # What adds an element in the place of the old instruction, by the name of the result.
        self.replaced: dict[str, Instruction] = {}
        # The names of the addresses of the numbers, each with the variable that has the number of one lane.
        self.names: dict[str, str] = {}
        self._slots: dict[int, Slot] = {}
        self._uses: dict[str, list[Instruction]] = {}
        self._definitions: dict[str, Instruction] = {}
        addresses: dict[str, int] = {}
        pointers: dict[str, tuple[int, str]] = {}
        for each in in_order(function):
            if each.result.startswith(BINS):
                continue
            self._definitions[each.result] = each
            for operand in each.operands:
                self._uses.setdefault(operand, []).append(each)
            if each.opcode == "getelementptr" and each.operands[0] == OWN and each.operands[1].isdecimal():
                addresses[each.result] = int(each.operands[1])
            elif each.opcode == "bitcast" and each.operands[0] in addresses:
                pointers[each.result] = addresses[each.operands[0]], each.word.removesuffix("*")
            elif each.operands[-1:] and each.operands[-1] in addresses and each.types[-1] == "ptr":
                pointers.setdefault(each.operands[-1], (addresses[each.operands[-1]], each.type))
            elif OWN in each.operands or not addresses.keys().isdisjoint(each.operands):
                raise NotVectorError(UNKNOWN)
        for pointer, (offset, type_) in pointers.items():
            for each in self._uses.get(pointer, ()):
                self._add(offset, type_, self._operation(each, pointer))
            if offset in self._slots:
                self.names[pointer] = self._slots[offset].own

    @property
    def loaded(self) -> frozenset[str]:
        """The names of loads of the numbers, without the percent sign, and the names of those of lanes."""
        loads = [use.result for pointer in self.names for use in self._uses[pointer] if use.opcode == "load"]
        return frozenset((*(name.removeprefix("%") for name in loads), *(["lane"] if loads else [])))

    @property
    def slots(self) -> list[Slot]:
        return list(self._slots.values())

    def _add(self, offset: int, type_: str, operation: Instruction) -> None:
        slot = Slot(offset, type_, operation, BYTES * LANES * len(self._slots), f"%lane.own{len(self._slots)}")
        slot = self._slots.setdefault(offset, slot)
        own = slot.operation
        if (
            slot.type != type_
            or type_ not in NUMBERS
            or (own.opcode, own.callee) != (operation.opcode, operation.callee)
        ):
            raise NotVectorError(UNKNOWN)

    def _operation(self, each: Instruction, pointer: str) -> Instruction:
        """What adds an element to the number at an address, by an instruction that loads or stores the number."""
        users = self._uses.get(each.result, []) if each.opcode == "load" else []
        found = users[0] if len(users) == 1 else None
        if each.opcode == "store" and each.operands[1] == pointer:
            found = self._definitions.get(each.operands[0])
        if found is None or len(found.operands) != 2 or found.operands[0] == found.operands[1]:
            raise NotVectorError(UNKNOWN)
        is_known = found.callee.startswith(EXTREMES) if found.opcode == "call" else found.opcode in NEUTRAL
        # It is stored at once, and one of its operands is the number.
        stores = [use.operands for use in self._uses.get(found.result, [])]
        operands = [self._definitions.get(operand) for operand in found.operands]
        numbers = [operand for operand in operands if operand is not None and operand.operands == [pointer]]
        is_alone = [operand.opcode for operand in numbers] == ["load"] and len(self._uses[numbers[0].result]) == 1
        if not is_known or stores != [[found.result, pointer]] or not is_alone:
            raise NotVectorError(UNKNOWN)
        if found.callee not in OWN_EXTREMES:
            return found
        new = self.replaced[found.result] = found.copy(flags=(), callee=OWN_EXTREMES[found.callee])
        return new

    # In the function for a part of a row

    def variables(self) -> Iterator[str]:
        for each in self.slots:
            yield f"{each.own} = alloca {each.type}, align 8"
            yield f"{each.own}.b = getelementptr inbounds i8, i8* {OWN}, i64 {each.at}"
            yield f"{each.own}.p = bitcast i8* {each.own}.b to {each.type}*"

    def loads(self, lane: str) -> Iterator[str]:
        for _, type_, _, _, own in self.slots:
            yield f"{own}.q = getelementptr inbounds {type_}, {type_}* {own}.p, i64 {lane}"
            yield f"{own}.v = load {type_}, {type_}* {own}.q"
            yield f"store {type_} {own}.v, {type_}* {own}"

    def stores(self) -> Iterator[str]:
        for _, type_, _, _, own in self.slots:
            yield f"{own}.w = load {type_}, {type_}* {own}"
            yield f"store {type_} {own}.w, {type_}* {own}.q"

    # Around the rows

    def memory(self) -> Iterator[str]:
        """The memory of the lanes, ``%lanes``."""
        type_ = f"[{BYTES * LANES * len(self._slots)} x i8]"
        yield f"%lanes.all = alloca {type_}, align 64"
        yield f"%lanes = getelementptr inbounds {type_}, {type_}* %lanes.all, i64 0, i64 0"

    def begin(self) -> Iterator[str]:
        """Store the numbers with which lanes begin, the first with that of the thread."""
        for offset, type_, operation, at, own in self.slots:
            first = f"{own}.first"
            yield f"{own}.t = getelementptr inbounds i8, i8* {OWN}, i64 {offset}"
            yield f"{own}.u = bitcast i8* {own}.t to {type_}*"
            yield f"{first} = load {type_}, {type_}* {own}.u"
            yield f"{own}.b = getelementptr inbounds i8, i8* %lanes, i64 {at}"
            yield f"{own}.p = bitcast i8* {own}.b to {type_}*"
            for lane in range(LANES):
                yield f"{own}.q{lane} = getelementptr inbounds {type_}, {type_}* {own}.p, i64 {lane}"
                number = NEUTRAL.get(operation.opcode, first) if lane else first
                yield f"store {type_} {number}, {type_}* {own}.q{lane}"

    def end(self) -> Iterator[str]:
        """Add the lanes by pairs, and store the sum as the number of the thread."""
        for _, type_, operation, _, own in self.slots:
            for lane in range(LANES):
                yield f"{own}.r{LANES}.{lane} = load {type_}, {type_}* {own}.q{lane}"
            width = LANES
            while width > 1:
                half = width // 2
                for lane in range(half):
                    flags = tuple(flag for flag in operation.flags if flag != "reassoc")
                    pair = [f"{own}.r{width}.{lane}", f"{own}.r{width}.{lane + half}"]
                    yield str(operation.copy(result=f"{own}.r{half}.{lane}", flags=flags, operands=pair))
                width = half
            yield f"store {type_} {own}.r1.0, {type_}* {own}.u"


# Additions of all iterations to one element of an array, as sums over the loop.
#
# The compiler makes each an atomic operation on the element. Here a task adds to a number of its own, as for a
# variable of the kernel, and the parts of tasks are added to the element after the loop. It must not use the array
# otherwise.


TYPES = ("i32", "i64", "float", "double")
BEGIN = "%function_body"  # the block before the loop of a task
BEFORE, AFTER, SIZE = (
    6,
    8,
    9,
)  # operands of the call that starts tasks: two functions, and the bytes of a task's numbers


class _Sum(NamedTuple):
    """An addition to an element."""

    atomic: Instruction
    address: list[Instruction]  # what computes that of the element from the context
    offset: int  # the place of the task's number in its memory
    name: str  # that of its address

    def own(self) -> Iterator[str]:
        yield f"{self.name}.b = getelementptr i8, i8* {OWN}, i64 {self.offset}"
        yield f"{self.name} = bitcast i8* {self.name}.b to {self.atomic.type}*"

    def begin(self) -> Iterator[str]:
        type_ = self.atomic.type
        yield from self.own()
        yield f"store {type_} {NEUTRAL[self.atomic.word]}, {type_}* {self.name}"

    def element(self) -> Iterator[str]:
        """What adds in the place of the atomic operation."""
        type_, old, value = self.atomic.type, self.atomic.result, self.atomic.operands[1]
        yield f"{old} = load {type_}, {type_}* {self.name}, align {BYTES}"
        yield f"{old}.new = {self.atomic.word} {type_} {old}, {value}"
        yield f"store {type_} {old}.new, {type_}* {self.name}, align {BYTES}"

    def end(self) -> Iterator[str]:
        type_, element = self.atomic.type, self.atomic.operands[0]
        yield from self.own()
        yield f"{self.name}.part = load {type_}, {type_}* {self.name}, align {BYTES}"
        yield str(self.atomic.copy(result=f"{self.name}.all", operands=[element, f"{self.name}.part"]))


def accumulate(body: Function, call: Instruction, written: Written) -> str:
    """Make additions to elements sums over a loop: change its body, and the call that starts its tasks.

    Return the functions that the call names then.
    """
    found = _sums(body, Fixed(body, written), -(-int(call.operands[SIZE]) // BYTES) * BYTES)
    if not found:
        return ""
    for block in body.blocks.values():
        places = {id(each.atomic): each for each in found}
        block.instructions = [
            new
            for each in block.instructions
            for new in (read_all(places[id(each)].element()) if id(each) in places else [each])
        ]
    body.blocks[BEGIN].instructions[-1:-1] = read_all(line for each in found for line in each.own())
    parameters = f"{body.parameters[CONTEXT]} {CONTEXT}, i8* {OWN}"
    needed = {id(each): each for sum in found for each in sum.address}
    address = [each for each in in_order(body) if id(each) in needed]
    texts = {
        BEFORE: ["before", *(line for each in found for line in each.begin())],
        AFTER: ["after", *map(str, address), *(line for each in found for line in each.end())],
    }
    functions = ""
    for place, (name, *lines) in texts.items():
        if call.operands[place] != "null":
            lines.append(f"call void {call.operands[place]}({parameters})")
        call.operands[place] = f"{body.name}.{name}"
        code = "\n".join(f"  {line}" for line in [*lines, "ret void"])
        functions += f"define internal void {call.operands[place]}({parameters}) {{\n{code}\n}}\n"
    call.operands[SIZE] = str(found[-1].offset + BYTES)
    return functions


def _sums(body: Function, fixed: Fixed, size: int) -> list[_Sum]:
    """The additions to elements of arrays that the loop does not use otherwise."""
    uses: dict[str, list[Instruction]] = {}
    for each in body.instructions():
        for operand in each.operands:
            uses.setdefault(fixed.names.get(operand, operand), []).append(each)
    definitions = {each.result: each for each in body.instructions() if each.result}
    addresses = {each.result: _address(each, definitions, fixed) for each in definitions.values()}

    def is_sum(each: Instruction) -> bool:
        is_known = each.opcode == "atomicrmw" and each.word in NEUTRAL and each.type in TYPES
        return is_known and each.result not in uses and bool(addresses.get(each.operands[0]))

    found: list[_Sum] = []
    for each in filter(is_sum, body.instructions()):
        array = definitions[each.operands[0]].operands[0]
        pointers = [pointer.result for pointer in uses[fixed.names.get(array, array)]]
        others = [use for name in pointers for use in uses.get(name, ())]
        # The order of different operations on one element matters.
        if all(map(addresses.get, pointers)) and all(is_sum(use) and use.word == each.word for use in others):
            found.append(_Sum(each, addresses[each.operands[0]], size + BYTES * len(found), f"%added{len(found)}"))
    return found


def _address(pointer: Instruction, definitions: dict[str, Instruction], fixed: Fixed) -> list[Instruction]:
    """What computes the address of an element from the context; empty if it may change, or is that of anything else."""
    array = definitions.get(pointer.operands[0]) if pointer.opcode == "getelementptr" else None
    if array is None or array.opcode != "load" or not fixed.is_taken(array):
        return []
    needed: list[Instruction] = []
    left = [pointer]
    while left:
        each = left.pop()
        if not (each is pointer or fixed.is_taken(each) or each.opcode in ARITHMETIC):
            return []
        names = [operand for operand in each.operands if operand[:1] == "%" and operand != CONTEXT]
        if not definitions.keys() >= set(names):
            return []
        needed.append(each)
        left += [definitions[name] for name in names if definitions[name] not in needed]
    return needed

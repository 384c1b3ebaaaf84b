"""Additions to elements of an array that the loop's index does not choose by itself: histograms, particles in a grid.

The compiler makes each an atomic operation. Here each task adds to a copy of its own, which begins with what changes
nothing, and the copies are added to the array after the loop, in the order of the tasks. The size of the array is known
only when the kernel is launched, so the code decides then: if the copy would be too large, or the loop too short, or if
the array overlaps another one, the copy has no elements. What is not in the copy, such as an element outside of the
array, is changed by the atomic operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction
from ._chunks import PURE, bounds_of
from ._fixed import ROOTS, SIZES, Fixed, Written
from ._ir import CONTEXT, OWN, Block, Function, all_of, in_order, is_pointer, read_all
from ._sums import BINS, COMPARED, NEUTRAL, combined

SIZE, TASKS, HOLDS = f"{BINS}size", f"{BINS}tasks", f"{BINS}holds"
BEGIN, TEST = "%function_body", "%for_loop_test"  # the block before the loop of a task, and the one that ends it
BEFORE, AFTER, BYTES = 6, 8, 9  # operands of the call that starts tasks: two functions, and the bytes of its numbers
TYPES = ("i32", "i64", "float", "double")
MOST = 1 << 16  # bytes of the copies of a task
MOST_OF_ALL = 1 << 18  # of those of all tasks, which are on the stack
MOST_TASKS = 16
PLAIN_TASKS = 1 << 30  # if there are no copies
WORTH = 2  # elements of the loop for each element of the array
SHAPES = [f"{{ {{ {' , '.join(['i32'] * number)} }} ," for number in range(1, 13)]  # how structs of arrays begin


class _Array(NamedTuple):
    """An array of the loop."""

    pointer: str  # the name of the address of its first element
    lengths: Sequence[str]
    components: int  # numbers in an element, times their size
    type: str


class _Bin(NamedTuple):
    """An array to which a loop adds."""

    array: _Array
    word: str  # the atomic operation
    atomics: list[Instruction]


def divide_bins(body: Function, call: Instruction, written: Written) -> str:
    """Let each task add to copies: change the body of a loop, and the call that starts its tasks.

    Return the functions that the call names then; empty if the loop stays as it is.
    """
    loop = _Loop(body, Fixed(body, written))
    bounds = _bounds(body, call)
    if bounds is None or not loop.bins:
        return ""
    arrays = [each.array for each in loop.bins]
    arrays += [each for each in loop.arrays if each not in arrays]
    needed = loop.needed([*bounds, *(value for each in arrays for value in (each.pointer, *each.lengths))])
    if needed is None:
        return ""
    names = {each.result: f"{BINS}{each.result[1:]}" for each in needed}
    lines = [*(str(each.renamed(names)) for each in needed), *_decided(loop.bins, arrays, bounds, names)]
    body.blocks[BEGIN].instructions[-1:-1] = read_all([*lines, *_own(loop.bins)])
    for number, each in enumerate(loop.bins):
        for atomic in each.atomics:
            _split(body, atomic, number)
    parameters = f"{body.parameters[CONTEXT]} {CONTEXT}, i8* {OWN}"
    functions = ""
    for place, name in ((BEFORE, "before"), (AFTER, "after")):
        call.operands[place] = f"{body.name}.{name}"
        code = [*lines, *_own(loop.bins), *_each_element(loop.bins, names, adds=place == AFTER)]
        text = "\n".join(code)
        functions += f"define internal void {call.operands[place]}({parameters}) {{\nstart:\n{text}\n  ret void\n}}\n"
    call.operands[BYTES] = SIZE
    return functions


def _bounds(body: Function, call: Instruction) -> tuple[str, str] | None:
    """The first index of a loop and the one after the last, if nothing else is done by tasks."""
    tasks, test = call.operands, body.blocks.get(TEST)
    if test is None or BEGIN not in body.blocks or [tasks[BEFORE], tasks[AFTER]] != ["null", "null"]:
        return None
    if [tasks[2], tasks[4], tasks[5]] != ["0", "1", "1"] or not tasks[3].isdecimal() or len(test.instructions) != 3:
        return None
    (counter,), (_, end) = test.instructions[0].operands, test.instructions[1].operands
    block = body.blocks[BEGIN]
    begins = [each.operands[0] for each in block.instructions if each.opcode == "store" and each.operands[1] == counter]
    return bounds_of(block, begins[0], end) if len(begins) == 1 else None


class _Loop:
    """The arrays of a loop, and those to which it only adds; none if anything else may be one of them."""

    def __init__(self, body: Function, fixed: Fixed) -> None:
        self._fixed = fixed
        self._order = list(in_order(body))
        self._definitions = {each.result: each for each in self._order if each.result}
        self.arrays: list[_Array] = []
        self.bins: list[_Bin] = []
        used = {fixed.names.get(operand, operand) for each in self._order for operand in each.operands}
        uses: dict[_Array, list[Instruction]] = {}
        if any(each.callee == ROOTS for each in self._order):  # of fields, whose memory an array may be
            return
        for each in self._order:
            for array in self._reached(each):
                if array is None:
                    return
                uses.setdefault(array, []).append(each)
        self.arrays = list(uses)
        if len({each.pointer for each in uses}) != len(uses) or any(each.opcode == "phi" for each in self._order):
            return
        for array, own in uses.items():
            words = {each.word for each in own}
            if len(words) == 1 and all(self._adds(each, array) and each.result not in used for each in own):
                self.bins.append(_Bin(array, own[0].word, own))

    def needed(self, values: Iterable[str]) -> list[Instruction] | None:
        """What computes values from the context; None if it may change."""
        found: list[Instruction] = []
        left = list(values)
        while left:
            each = self._definitions.get(left.pop())
            if each is None or each in found:
                continue
            if not (self._fixed.is_taken(each) or each.opcode in PURE):
                return None
            found.append(each)
            left += [name for name in each.operands if name != CONTEXT]
        return [each for each in self._order if any(each is one for one in found)]

    def _adds(self, each: Instruction, array: _Array) -> bool:
        is_known = each.opcode == "atomicrmw" and (each.word in NEUTRAL or each.word in COMPARED)
        return is_known and each.type == array.type and each.type in TYPES

    def _reached(self, each: Instruction) -> Iterator[_Array | None]:
        """The array whose memory an instruction uses; None if it is not known, nothing for memory that no array has."""
        if self._fixed.is_taken(each) or each.opcode in ("getelementptr", "alloca", "bitcast"):
            return
        place = {"load": 0, "store": 1, "atomicrmw": 0}.get(each.opcode)
        if place is None or is_pointer(each.type):
            if any(map(is_pointer, (each.type, *each.types))):
                yield None
            return
        source = self._definitions.get(each.operands[place])
        if source is None:
            yield None
        elif source.opcode != "alloca" and not self._fixed.is_taken(source):
            yield self._array(source)

    def _array(self, element: Instruction) -> _Array | None:
        """The array of an element's address, if the index is made of one for each dimension, within its shape."""
        base = self._definitions.get(element.operands[0]) if element.opcode == "getelementptr" else None
        if base is None or element.types[1:] != ["i32"] or base.opcode != "load" or not self._fixed.is_taken(base):
            return None
        member = self._definitions.get(base.operands[0])
        if member is None or member.opcode != "getelementptr" or member.operands[1:] != ["0", "1"]:
            return None
        dimensions = next((i + 1 for i, begin in enumerate(SHAPES) if member.type.startswith(begin)), 0)
        lengths = self._lengths(element.operands[1])
        shape = [f"{number}" for number in range(dimensions)]
        if element.type not in SIZES or base.type != f"{element.type}*" or len(lengths) < max(dimensions, 1):
            return None
        struct = self._fixed.names.get(member.operands[0], member.operands[0])
        if [self._place(each) for each in lengths[:dimensions]] != [(struct, each) for each in shape]:
            return None
        components = SIZES[element.type]
        for each in lengths[dimensions:]:
            if not each.isdecimal():
                return None
            components *= int(each)
        own = tuple(self._fixed.names.get(each, each) for each in lengths[:dimensions])
        return _Array(self._fixed.names.get(base.result, base.result), own, components, element.type)

    def _lengths(self, index: str) -> list[str]:
        """The lengths by which indices are joined; empty if they are not."""
        found: list[str] = []
        while index != "0":
            total = self._definitions.get(index)
            product = self._definitions.get(total.operands[0]) if total is not None and total.opcode == "add" else None
            if product is None or product.opcode != "mul":
                return []
            index, length = product.operands
            found.insert(0, length)
        return found

    def _place(self, length: str) -> tuple[str, str]:
        """The struct of an array whose length a value is, and the number of its dimension."""
        each = self._definitions.get(length)
        member = self._definitions.get(each.operands[0]) if each is not None and each.opcode == "load" else None
        if each is None or member is None or not self._fixed.is_taken(each) or member.operands[1:3] != ["0", "0"]:
            return "", ""
        return self._fixed.names.get(member.operands[0], member.operands[0]), member.operands[-1]


def _decided(
    bins: Sequence[_Bin], arrays: Sequence[_Array], bounds: tuple[str, str], names: dict[str, str]
) -> Iterator[str]:
    """What computes whether tasks have copies, their bytes, and how many tasks there may be."""
    first, end = (names.get(each, each) for each in bounds)
    yield f"{BINS}first = sext i32 {first} to i64"
    yield f"{BINS}end = sext i32 {end} to i64"
    yield f"{BINS}all = sub i64 {BINS}end, {BINS}first"
    conditions: list[str] = []
    for number, array in enumerate(arrays):
        own = f"{BINS}a{number}"
        yield f"{own}.0 = add i64 {array.components}, 0"
        for place, length in enumerate(array.lengths):
            yield f"{own}.wide{place} = zext i32 {names.get(length, length)} to i64"
            yield f"{own}.{place + 1} = mul i64 {own}.{place}, {own}.wide{place}"
        yield f"{own}.bytes = add i64 {own}.{len(array.lengths)}, 0"
        yield f"{own}.at = ptrtoint {array.type}* {names[array.pointer]} to i64"
        yield f"{own}.end = add i64 {own}.at, {own}.bytes"
        for other in range(min(number, len(bins))):
            before = f"{BINS}a{other}"
            yield f"{own}.over{other} = icmp ule i64 {own}.end, {before}.at"
            yield f"{own}.under{other} = icmp ule i64 {before}.end, {own}.at"
            yield f"{own}.apart{other} = or i1 {own}.over{other}, {own}.under{other}"
            conditions.append(f"{own}.apart{other}")
    for number, each in enumerate(bins):
        own = f"{BINS}a{number}"
        yield f"{own}.count = udiv i64 {own}.bytes, {SIZES[each.array.type]}"
        yield f"{own}.worth = mul i64 {own}.count, {WORTH}"
        yield f"{own}.is_worth = icmp sge i64 {BINS}all, {own}.worth"
        yield f"{own}.is_small = icmp ule i64 {own}.bytes, {MOST}"
        yield f"{own}.up = add i64 {own}.bytes, 7"
        yield f"{own}.whole = and i64 {own}.up, -8"
        before = f"{BINS}offset{number}"
        yield f"{BINS}offset{number + 1} = add i64 {before if number else 0}, {own}.whole"
        conditions += [f"{own}.is_worth", f"{own}.is_small"]
    total = f"{BINS}offset{len(bins)}"
    yield f"{BINS}fits = icmp ule i64 {total}, {MOST}"
    yield from all_of(HOLDS, [*conditions, f"{BINS}fits"])
    yield f"{SIZE} = select i1 {HOLDS}, i64 {total}, i64 0"
    yield f"{BINS}is_large = icmp ugt i64 {SIZE}, {MOST_OF_ALL // MOST_TASKS}"
    yield f"{BINS}divisor = select i1 {BINS}is_large, i64 {SIZE}, i64 {MOST_OF_ALL // MOST_TASKS}"
    yield f"{BINS}few = udiv i64 {MOST_OF_ALL}, {BINS}divisor"
    yield f"{TASKS} = select i1 {HOLDS}, i64 {BINS}few, i64 {PLAIN_TASKS}"


def _own(bins: Sequence[_Bin]) -> Iterator[str]:
    """The addresses of the copies of a task, and the numbers of their elements."""
    for number, each in enumerate(bins):
        own = f"{BINS}own{number}"
        yield f"{own}.bytes = getelementptr i8, i8* {OWN}, i64 {f'{BINS}offset{number}' if number else 0}"
        yield f"{own} = bitcast i8* {own}.bytes to {each.array.type}*"
        yield f"{own}.count = select i1 {HOLDS}, i64 {BINS}a{number}.count, i64 0"


def _each_element(bins: Sequence[_Bin], names: dict[str, str], *, adds: bool) -> Iterator[str]:
    """Loops over the copies: store what changes nothing, or add them to the arrays."""
    before = "start"
    for number, (array, word, _) in enumerate(bins):
        type_, own, name = array.type, f"{BINS}own{number}", f"bin.each{number}"
        yield f"  br label %{name}"
        yield f"{name}:"
        yield f"  %{name}.i = phi i64 [ 0, %{before} ], [ %{name}.next, %{name}.element ]"
        yield f"  %{name}.more = icmp ult i64 %{name}.i, {own}.count"
        yield f"  br i1 %{name}.more, label %{name}.element, label %{name}.end"
        yield f"{name}.element:"
        yield f"  %{name}.p = getelementptr {type_}, {type_}* {own}, i64 %{name}.i"
        if adds:
            yield f"  %{name}.part = load {type_}, {type_}* %{name}.p"
            yield f"  %{name}.q = getelementptr {type_}, {type_}* {names[array.pointer]}, i64 %{name}.i"
            yield f"  %{name}.old = load {type_}, {type_}* %{name}.q"
            yield from combined(word, type_, f"%{name}.new", f"%{name}.old", f"%{name}.part")
            yield f"  store {type_} %{name}.new, {type_}* %{name}.q"
        else:
            yield f"  store {type_} {_neutral(word, type_)}, {type_}* %{name}.p"
        yield f"  %{name}.next = add i64 %{name}.i, 1"
        yield f"  br label %{name}"
        yield f"{name}.end:"
        before = f"{name}.end"


def _neutral(word: str, type_: str) -> str:
    if word not in COMPARED:
        return NEUTRAL[word]
    bits = 8 * SIZES[type_] - 1
    return {"max": f"{-1 << bits}", "min": f"{(1 << bits) - 1}", "umax": "0", "umin": "-1"}[word]


def _split(body: Function, atomic: Instruction, number: int) -> None:
    """Let an element in the copy be changed there, and others by the atomic operation."""
    block = next(each for each in body.blocks.values() if any(one is atomic for one in each.instructions))
    place = next(i for i, each in enumerate(block.instructions) if each is atomic)
    pointer = next(each for each in body.instructions() if each.result == atomic.operands[0])
    type_, own, name = atomic.type, f"{BINS}own{number}", f"{BINS}{atomic.result[1:]}"
    labels = [f"{name}.{part}" for part in ("near", "far", "after")]
    near = [
        f"{name}.p = getelementptr {type_}, {type_}* {own}, i64 {name}.i",
        f"{name}.old = load {type_}, {type_}* {name}.p",
        *combined(atomic.word, type_, f"{name}.new", f"{name}.old", atomic.operands[1]),
        f"store {type_} {name}.new, {type_}* {name}.p",
        f"br label {labels[2]}",
    ]
    test = [
        f"{name}.i = sext i32 {pointer.operands[1]} to i64",
        f"{name}.is_near = icmp ult i64 {name}.i, {own}.count",
        f"br i1 {name}.is_near, label {labels[0]}, label {labels[1]}",
    ]
    rest = block.instructions[place + 1 :]
    block.instructions[place:] = read_all(test)
    made = [read_all(near), [atomic, *read_all([f"br label {labels[2]}"])], rest]
    blocks: dict[str, Block] = {}
    for label, each in body.blocks.items():
        blocks[label] = each
        if each is block:
            blocks |= {new: Block(new, code) for new, code in zip(labels, made, strict=True)}
    body.blocks.clear()
    body.blocks |= blocks

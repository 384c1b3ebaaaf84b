"""Additions of all iterations to one element of an array, as sums over the loop.

The compiler makes each an atomic operation on the element. Here a task adds to a number of its own, as for a variable
of the kernel, and the parts of tasks are added to the element after the loop. It must not use the array otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction
from ._chunks import ARITHMETIC
from ._fixed import Fixed, Written
from ._ir import CONTEXT, OWN, Function, in_order, read_all
from ._sums import BYTES, NEUTRAL

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

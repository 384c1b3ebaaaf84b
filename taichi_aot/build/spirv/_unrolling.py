"""Loops over the threads that do several iterations at a time, so that more loads are under way at once."""

from __future__ import annotations

from typing import NamedTuple

from ...adopt.spirv._editor import IDS, Block, Instruction, Op, Shader

TIMES = 4
LARGEST = 48  # instructions of a body: others have enough to do
MOST_BLOCKS = 32
FURTHEST = 1 << 30  # first index, to which the numbers of threads are added


class Loop(NamedTuple):
    """A loop whose only number counts up to a bound, by the same step in each iteration."""

    header: Block
    body: list[Block]
    next: Block
    number: Instruction
    bound: int
    step: int


def unroll(shader: Shader, header: Block) -> bool:
    """Put a loop of several iterations at a time in front of a loop over the threads; return whether it fits."""
    loop = _read(shader, header)
    if loop is None:
        return False
    before, integer = shader.by_label[loop.number.operands[3]], loop.number.operands[0]
    head, left, next_, after = (shader.new_id() for _ in range(4))
    number, test, far, step = (shader.new_id() for _ in range(4))
    entries = [shader.new_id() for _ in range(TIMES)]
    distances = [loop.step, *(shader.new_id() for _ in range(TIMES - 2))]
    signed = shader.definitions[integer].operands[2]
    factors = [shader.constant(shader.int_type(32, signed=bool(signed)), i) for i in range(2, TIMES + 1)]
    made = [
        Block(
            head,
            [
                Instruction(Op.PHI, integer, number, loop.number.operands[2], before.label, far, next_),
                Instruction(Op.I_SUB, integer, left, loop.bound, number),  # which does not wrap around to more
                Instruction(Op.S_LESS_THAN, shader.type(Op.TYPE_BOOL), test, distances[-1], left),
                Instruction(Op.LOOP_MERGE, after, next_, 0),
                Instruction(Op.BRANCH_CONDITIONAL, test, entries[0], after),
            ],
        )
    ]
    for i, entry in enumerate(entries):
        made += _copy(shader, loop, entry, [*entries[1:], next_][i], number, distances[i - 1] if i else None)
    made += [
        Block(next_, [Instruction(Op.I_ADD, integer, far, number, step), Instruction(Op.BRANCH, head)]),
        Block(after, [Instruction(Op.BRANCH, loop.header.label)]),
    ]
    multiples = zip([*distances[1:], step], factors, strict=True)
    before.body[-1:] = [
        *(Instruction(Op.I_MUL, integer, each, loop.step, factor) for each, factor in multiples),
        Instruction(Op.BRANCH, head),
    ]
    loop.number.operands[2:4] = [number, after]
    at = shader.blocks.index(header)
    shader.blocks[at:at] = made
    return True


def _read(shader: Shader, header: Block) -> Loop | None:
    """The loop, if copies of its body can follow each other."""
    assert header.merge is not None
    blocks = shader.by_label
    next_ = blocks[header.merge.operands[1]]
    labels = shader.loop(header) - {header.label, next_.label}
    body = [block for block in shader.blocks if block.label in labels]
    size = sum(len(block.body) for block in body)
    forms = [each.op for each in header.body], [each.op for each in next_.body]
    if forms != ([Op.PHI, Op.S_LESS_THAN, Op.LOOP_MERGE, Op.BRANCH_CONDITIONAL], [Op.I_ADD, Op.BRANCH]):
        return None
    number, test, _, branch = header.body
    step = next_.body[0]
    if (
        len(number.operands) != 6
        or test.operands[2] != number.operands[1]
        or branch.operands[:2] != [test.operands[1], body[0].label if body else 0]
        or branch.operands[2] != header.merge.operands[0]
        or step.operands[2] != number.operands[1]
        or number.operands[4:] != [step.operands[1], next_.label]
        or blocks[number.operands[3]].end.op != Op.BRANCH
    ):
        return None
    start = shader.definitions[number.operands[2]]
    first = shader.literal(start.operands[3]) if start.op == Op.I_ADD else 0
    if first is None or first >= FURTHEST:
        return None  # the thread's number may wrap around
    inside = {each.result for block in shader.blocks[shader.blocks.index(header) :] for each in block.body}
    if {test.operands[3], step.operands[3]} & inside or len(body) > MOST_BLOCKS or size > LARGEST:
        return None
    if len(shader.predecessors[next_.label]) != 1 or any(b.merge and b.merge.op == Op.LOOP_MERGE for b in body):
        return None
    known = all(each.op in IDS or each.op == Op.EXT_INST for block in body for each in block.body)
    return Loop(header, body, next_, number, test.operands[3], step.operands[3]) if known else None


def _copy(shader: Shader, loop: Loop, entry: int, following: int, number: int, distance: int | None) -> list[Block]:
    """Return a copy of the body for the iteration that is so far from a number."""
    renamed = {loop.body[0].label: entry, loop.next.label: following, loop.number.operands[1]: number}
    first: list[Instruction] = []
    if distance is not None:
        own = renamed[loop.number.operands[1]] = shader.new_id()
        first = [Instruction(Op.I_ADD, loop.number.operands[0], own, number, distance)]
    for block in loop.body:
        renamed.setdefault(block.label, shader.new_id())
        for each in block.body:
            if each.result is not None:
                renamed[each.result] = shader.new_id()
    copies: list[Block] = []
    for block in loop.body:
        copy = Block(renamed[block.label], map(Instruction.copy, block.body))
        for each in copy.body:
            for place in each.places:
                each.operands[place] = renamed.get(each.operands[place], each.operands[place])
            if each.result is not None:
                each.operands[1] = renamed[each.operands[1]]
        copies.append(copy)
    copies[0].body[:0] = first
    return copies

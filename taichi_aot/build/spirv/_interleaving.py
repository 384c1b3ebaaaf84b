"""Loops that do several iterations at a time, so that more loads are under way at once.

On an NVIDIA H200 a copy of 64 MiB takes 37.1 us with four iterations at a time, and 47.9 with one. Accesses to four
neighbours at once, as vectors, would take 36.6, so there are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...adopt.spirv._editor import ATOMICS, Block, Instruction, Op, Shader
from ...adopt.spirv._plans import StrideLoop
from ._addresses import DIVISIONS, is_pure, rename

COPIES = 4
INTERLEAVED = {Op.LOAD, Op.STORE, Op.CONVERT_F_TO_U, Op.CONVERT_F_TO_S, *DIVISIONS}
MOST_INTERLEAVED, MOST_UNROLLED = 96, 64  # instructions


def interleave(shader: Shader, loop: StrideLoop, copies: int = 4) -> bool:
    """Let a thread do several of its iterations at a time, so that their loads are under way together.

    Iterations of a parallel loop have no order. In front of the loop, which does the rest, comes one of several
    iterations, in which each step up to the next store is done for all of them. Return whether the loop is so simple.
    """
    defined, by_label = shader.definitions, shader.by_label
    phi, compare = defined[loop.number], defined[loop.compare]
    header = next(block for block in shader.blocks if phi in block.body)
    before, last = by_label[phi.operands[3]], by_label[phi.operands[5]]
    assert header.merge is not None
    labels = shader.loop(header)
    blocks = [block for block in shader.blocks if block.label in labels and block is not header]
    body = [each for block in blocks for each in block.body[:-1]]
    straight = all(block.end.op == Op.BRANCH and block.merge is None for block in blocks) and blocks[-1] is last
    local = {e.operands[1] for e in shader.blocks[0].body if e.op == Op.VARIABLE}
    if not straight or len(body) > MOST_INTERLEAVED or any(not local.isdisjoint(each.used) for each in body):
        return False
    if not all(each.op in INTERLEAVED or is_pure(each, {}) for each in body):
        return False
    kind, stride = phi.operands[0], defined[loop.next].operands[3]
    phis = [each for each in header.body if each.op == Op.PHI]
    counting = {each.operands[4] for each in phis}  # what the next iteration needs is computed first
    for each in reversed(body):
        if each.result in counting:
            if not is_pure(each, {}):
                return False
            counting.update(each.used)
    body.sort(key=lambda each: each.result not in counting)
    head, inside, after = Block(shader.new_id()), Block(shader.new_id()), Block(shader.new_id())
    by = shader.new_id()
    before.body.insert(before.tail, Instruction(Op.I_MUL, kind, by, stride, shader.constant(kind, copies - 1)))
    # The values of the phis in each copy: those of the first are the new loop's.
    first = {each.operands[1]: shader.new_id() for each in phis}
    values, copied = dict(first), list[list[Instruction]]()
    for _ in range(copies):
        renamed = dict(values)
        copy = [each.copy() for each in body]
        for each in copy:
            if each.result is not None:
                renamed[each.result] = shader.new_id()
                each.operands[1] = renamed[each.result]
            rename(each, renamed)
        values = {each.operands[1]: renamed.get(each.operands[4], each.operands[4]) for each in phis}
        copied.append(copy)
    inside.body = [*_in_steps(copied), Instruction(Op.BRANCH, head.label)]
    furthest = shader.new_id()
    test = [each.copy() for each in header.body if each.op not in (Op.PHI, Op.LOOP_MERGE, Op.BRANCH_CONDITIONAL)]
    renamed = {loop.number: furthest}
    for each in test:
        assert each.result is not None
        renamed[each.result] = shader.new_id()
        each.operands[1] = renamed[each.result]
        rename(each, renamed)
    head.body = [
        Instruction(
            Op.PHI,
            e.operands[0],
            first[e.operands[1]],
            e.operands[2],
            before.label,
            values[e.operands[1]],
            inside.label,
        )
        for e in phis
    ]
    head.body += [
        Instruction(Op.I_ADD, kind, furthest, first[loop.number], by),
        *test,
        Instruction(Op.LOOP_MERGE, after.label, inside.label, 0),
        Instruction(Op.BRANCH_CONDITIONAL, renamed[compare.operands[1]], inside.label, after.label),
    ]
    after.body = [Instruction(Op.BRANCH, header.label)]
    before.end.operands[0] = head.label
    for each in phis:
        each.operands[2:4] = [first[each.operands[1]], after.label]
    at = shader.blocks.index(header)
    shader.blocks[at:at] = [head, inside, after]
    return True


def _in_steps(copies: Sequence[Sequence[Instruction]]) -> Iterator[Instruction]:
    """The instructions of all copies: up to a store those of each, then the stores."""
    begin = 0
    for i, each in enumerate(copies[0]):
        if each.op == Op.STORE:
            for copy in copies:
                yield from copy[begin:i]
            for copy in copies:
                yield copy[i]
            begin = i + 1
    for copy in copies:
        yield from copy[begin:]


def unroll_inner(shader: Shader) -> bool:
    """Advise drivers to unroll short loops that have no others in them; return whether there are inner loops.

    The loops of atomic operations do not count: they seldom have a second iteration.
    """
    headers = [block for block in shader.blocks if block.merge is not None and block.merge.op == Op.LOOP_MERGE]
    loops = [(header, shader.loop(header)) for header in headers]
    found = False
    for header, labels in loops:
        blocks = [block for block in shader.blocks if block.label in labels]
        is_outer = not any(header.label in other for each, other in loops if each is not header)
        if is_outer or any(each.op in ATOMICS for block in blocks for each in block.body):
            continue
        found = True
        if sum(block in headers for block in blocks) == 1 and sum(len(block.body) for block in blocks) <= MOST_UNROLLED:
            assert header.merge is not None
            header.merge.operands[2] |= 1
    return found

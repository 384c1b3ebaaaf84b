"""Bins: a loop that adds to elements of an array, and does nothing else with the array.

If the array is small when the kernel is launched, the threads of a group add in shared memory. After the loop they add
what each element has got to the array. As with accumulators, that is as if other threads had been slower.

```
length = ArrayLength(array); is_small = length <= LENGTH
for i in own elements below length: shared[i] = neutral
barrier
the loop, with `if is_small: shared[k] op= n; else: array[k] op= n` where it had `array[k] op= n`
barrier
for i in own elements below length: if shared[i] != neutral: array[i] op= shared[i]
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...adopt.spirv._editor import WORKGROUP, Block, Instruction, Op, Shader
from ...bundle._info import Binding
from ._accumulators import ATOMIC, LOCAL_INVOCATION_INDEX, Operation, block_size, drop_barriers, grid_loop, prune
from ._emitter import Emitter
from ._places import MAY_ALIAS, Access, LoopFacts, relation
from ._unrolling import unroll

LENGTH = 1 << 12  # words of shared memory, which every device has
GROUP = 2  # a scope


class Bins(NamedTuple):
    """The operations on the elements of an array."""

    sites: list[Access]
    operation: Operation
    type: int  # of an element
    variable: int  # of the array
    apart: tuple[tuple[int, int], ...]  # pairs of bindings, by their numbers, whose buffers must be different


def use_bins(shader: Shader, bindings: Sequence[Binding], *, is_simple: bool) -> tuple[tuple[int, int], ...] | None:
    """Let groups add to the elements of an array in shared memory; None if the task's loop has no such array.

    A simple loop also does several iterations at a time. Returns the pairs of bindings, by their numbers, whose buffers
    must be different.
    """
    header, size = grid_loop(shader), block_size(shader)
    if header is None or not size:
        return None
    facts = LoopFacts(shader, header, bindings)
    accesses, users = facts.accesses() or [], shader.users
    firsts: dict[Binding, Access] = {}
    for each in accesses:
        firsts.setdefault(each.place.binding, each)
    found = next((bins for each in firsts.values() if (bins := _bins(facts, users, accesses, each))), None)
    if found is None or not drop_barriers(shader, facts):
        return None
    _write(shader, found, size)
    prune(shader)
    if is_simple:
        unroll(shader, header)
    return found.apart


def _bins(
    facts: LoopFacts, users: Mapping[int, Sequence[Instruction]], accesses: Sequence[Access], first: Access
) -> Bins | None:
    """The operations on the array that an access is to, if they are all that the loop does with it."""
    own = [each for each in accesses if each.place.binding == first.place.binding]
    made = first.instruction
    if first.place.binding.kind not in MAY_ALIAS or any(users.get(each.instruction.operands[1]) for each in own):
        return None
    if not all(_is_site(facts, each, first) for each in own):
        return None
    apart: set[tuple[int, int]] = set()
    for other in accesses:
        may_be_same = other.place.binding != first.place.binding and relation(first.place, other.place)
        if may_be_same is None:
            a, b = sorted((first.place.binding.number, other.place.binding.number))
            apart.add((a, b))
        elif may_be_same:
            return None
    signed = facts.definitions[made.operands[0]].operands[2]
    operation = Operation(ATOMIC[Op(made.op)], "us"[signed], 32)
    return Bins(own, operation, made.operands[0], first.place.variable, tuple(sorted(apart)))


def _is_site(facts: LoopFacts, access: Access, first: Access) -> bool:
    """Whether an access is an operation as the first one, on an element of an array of words."""
    made, definitions = access.instruction, facts.definitions
    if made.op not in ATOMIC or made.op != first.instruction.op or made.operands[0] != first.instruction.operands[0]:
        return False
    type_, chain = definitions[made.operands[0]], definitions[made.operands[2]]
    return (
        type_.op == Op.TYPE_INT
        and type_.operands[1] == 32
        and chain.op == Op.ACCESS_CHAIN
        and len(chain.operands) == 5
        and access.place.variable == first.place.variable
        and facts.key(made.operands[2]) is None
        and (access.block.merge is None or access.block.merge.op != Op.LOOP_MERGE)
    )


def _write(shader: Shader, bins: Bins, size: int) -> None:
    shared = shader.variable(WORKGROUP, shader.type(Op.TYPE_ARRAY, bins.type, shader.uint(LENGTH)))
    neutral, stride = shader.constant(bins.type, bins.operation.neutral), shader.uint(size)
    # Before the loop.
    first, others = shader.blocks[0], shader.blocks[1:]
    end = first.body.pop()
    shader.blocks = [first]
    code = Emitter(shader, first)
    uint = code.uint
    thread = code.load(uint, shader.built_in(LOCAL_INVOCATION_INDEX, uint))
    length = code.make(Op.ARRAY_LENGTH, uint, bins.variable, 0)
    is_small = code.make(Op.U_LESS_THAN_EQUAL, code.bool, length, shader.uint(LENGTH))
    count = code.make(Op.SELECT, uint, is_small, length, shader.uint(0))
    with code.steps(thread, count, stride) as i:
        code.store(code.at(WORKGROUP, bins.type, shared, i), neutral)
    code.barrier()
    code.do(end.op, *end.operands)
    _rename_predecessor(others, first.label, shader.blocks[-1].label)
    shader.blocks += others
    # In it.
    for site in bins.sites:
        _part_from_next(shader, site.block)
        _branch(shader, bins, site.instruction, shared, is_small)
    # Behind it.
    last = shader.blocks[-1]
    end = last.body.pop()
    code = Emitter(shader, last)
    code.barrier()
    with code.steps(thread, count, stride) as i:
        number = code.load(bins.type, code.at(WORKGROUP, bins.type, shared, i))
        with code.when(code.make(Op.I_NOT_EQUAL, code.bool, number, neutral)):
            made = bins.sites[0].instruction
            chain = shader.definitions[made.operands[2]]
            element = code.make(Op.ACCESS_CHAIN, chain.operands[0], bins.variable, chain.operands[3], i)
            code.make(made.op, bins.type, element, *made.operands[3:5], number)
    code.do(end.op, *end.operands)


def _part_from_next(shader: Shader, block: Block) -> None:
    """Put the end of a block, if it goes on with the next iteration of a loop, into one of its own: it will branch."""
    header = next((each for each in shader.blocks if each.merge and each.merge.operands[1:2] == [block.label]), None)
    if header is None or header.merge is None or header.merge.op != Op.LOOP_MERGE:
        return
    counts = block.body[-2].op == Op.I_ADD and block.body[-2].operands[1] in shader.users
    next_ = Block(shader.new_id(), block.body[-1 - counts :])
    block.body[-1 - counts :] = [Instruction(Op.BRANCH, next_.label)]
    header.merge.operands[1] = next_.label
    _rename_predecessor([header], block.label, next_.label)
    shader.blocks.insert(shader.blocks.index(block) + 1, next_)


def _branch(shader: Shader, bins: Bins, made: Instruction, shared: int, is_small: int) -> None:
    """Do an operation in shared memory if the array is small."""
    at, block = next((n, b) for n, b in enumerate(shader.blocks) if any(each is made for each in b.body))
    place = next(i for i, each in enumerate(block.body) if each is made)
    inside, outside, after = (Block(shader.new_id()) for _ in range(3))
    after.body = block.body[place + 1 :]
    outside.body = [made, Instruction(Op.BRANCH, after.label)]
    block.body[place:] = [
        Instruction(Op.SELECTION_MERGE, after.label, 0),
        Instruction(Op.BRANCH_CONDITIONAL, is_small, inside.label, outside.label),
    ]
    code = Emitter(shader, inside)
    element = code.at(WORKGROUP, bins.type, shared, shader.definitions[made.operands[2]].operands[4])
    code.make(made.op, bins.type, element, shader.uint(GROUP), shader.uint(0), made.operands[5])
    code.do(Op.BRANCH, after.label)
    _rename_predecessor(shader.blocks, block.label, after.label)
    shader.blocks[at + 1 : at + 1] = [inside, outside, after]


def _rename_predecessor(blocks: Sequence[Block], old: int, new: int) -> None:
    for each in (each for block in blocks for each in block.body if each.op == Op.PHI):
        each.operands[3::2] = [new if label == old else label for label in each.operands[3::2]]

"""Atomic operations that the compiler writes as loops of a load and a compare-exchange.

It does so for floats, unless it may assume that the device adds them. Its load is a plain one, which races with the
other threads: a driver may move it out of the loop. The minimum of other floats than f32 is one of f32 in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ._editor import ATOMICS, BINDING, INT64_ATOMICS, STORAGE_BUFFER, Block, Instruction, Op, Shader

ALIASED = 20  # a decoration
FMA = 50  # of GLSL's extended instructions


class Exchange(NamedTuple):
    """A loop that does one atomic operation: the one block of its body is left once no other thread came between."""

    header: Block
    body: Block
    after: int  # the label of the block after it
    load: Instruction  # of the old value, as an integer
    compute: Instruction  # the new value, of the old one and a value from outside
    exchange: Instruction

    @property
    def pointer(self) -> int:
        return self.exchange.operands[2]

    @property
    def result(self) -> int:
        """The old value as an integer."""
        return self.exchange.operands[1]

    @property
    def old(self) -> set[int | None]:
        """The old value: as it is loaded, and as a float."""
        casts = [e.result for e in self.body.body if e.op == Op.BITCAST and e.operands[2] == self.load.result]
        return {self.load.result, *casts}

    @property
    def values(self) -> list[int]:
        """What the new value is computed of, beside the old one."""
        first = 4 if self.compute.op == Op.EXT_INST else 2
        return [each for each in self.compute.operands[first:] if each not in self.old]

    @property
    def form(self) -> int:
        """The instruction that computes the new value, or of GLSL's set its number; 0 for one of another form.

        The old value is any operand of additions, multiplications and so on, the first of subtractions, and the last of
        a fused multiplication and addition.
        """
        is_extended = self.compute.op == Op.EXT_INST
        operands = self.compute.operands[4 if is_extended else 2 :]
        form = self.compute.operands[3] if is_extended else self.compute.op
        inside = {each.result for each in self.body.body}
        places = [i for i, each in enumerate(operands) if each in self.old]
        allowed = {FMA: ([2],), Op.F_SUB: ([0],), Op.I_SUB: ([0],)}.get(form, ([0], [1]))
        is_plain = len(operands) == (3 if form == FMA else 2) and not inside.intersection(self.values)
        return form if is_plain and places in allowed else 0


def find_exchanges(shader: Shader) -> list[Exchange]:
    blocks, definitions = shader.by_label, shader.definitions
    found: list[Exchange] = []
    for header in shader.blocks:
        if header.merge is None or header.merge.op != Op.LOOP_MERGE or len(header.body) != 2:
            continue
        body, others = None, shader.loop(header) - {header.label}
        after = header.merge.operands[0]
        if header.end.op == Op.BRANCH and header.end.operands[0] in others:
            body = blocks[header.end.operands[0]]
            others.remove(body.label)
        exchange = None if body is None else next((e for e in body.body if e.op == Op.ATOMIC_COMPARE_EXCHANGE), None)
        if body is None or exchange is None or any(len(blocks[each].body) > 1 for each in others):
            continue
        inside = {each.result: each for each in body.body if each.result is not None}
        test = definitions.get(body.end.operands[0])
        load = inside.get(exchange.operands[7])
        compute = inside.get(exchange.operands[6])
        if compute is not None and compute.op == Op.BITCAST:
            compute = inside.get(compute.operands[2])
        if test is None or load is None or compute is None or after not in body.successors:
            continue
        if (
            body.end.op == Op.BRANCH_CONDITIONAL
            and body.end.operands[1] == after
            and test.op == Op.I_EQUAL
            and set(test.operands[2:]) == {exchange.operands[1], exchange.operands[7]}
            and load.op in (Op.LOAD, Op.ATOMIC_LOAD)
            and load.operands[2] == exchange.operands[2]
            and _is_alone(body, (load, compute, exchange, test), definitions)
        ):
            found.append(Exchange(header, body, after, load, compute, exchange))
    return found


def _is_alone(body: Block, parts: tuple[Instruction, ...], definitions: Mapping[int, Instruction]) -> bool:
    """Return whether the rest of the body is casts, and stores of the old value to variables of the function."""
    rest = [each for each in body.body if each not in (*parts, body.merge, body.end)]
    stores = [each.operands for each in rest if each.op == Op.STORE]
    kept = all(value == parts[2].operands[1] and definitions[to].op == Op.VARIABLE for to, value in stores)
    return kept and all(each.op in (Op.BITCAST, Op.STORE) for each in rest)


def mend(shader: Shader) -> bool:
    """Make the code of atomic operations valid; return whether it was not."""
    found = find_exchanges(shader)
    for each in found:
        each.load.op, each.load.operands[3:] = Op.ATOMIC_LOAD, each.exchange.operands[3:5]
        if shader.definitions[each.load.operands[0]].operands[1] == 16:
            _exchange_words(shader, each)
        _carry(shader, each)
        if each.compute.op == Op.EXT_INST:  # its result is cast to an integer of the size that it should have
            definition = shader.definitions[each.compute.operands[4]]
            assert definition.type is not None
            each.compute.operands[0] = definition.type
    types = [e.type for block in shader.blocks for e in block.body if e.op in ATOMICS]
    long = [e.operands[0] for e in shader.preamble if e.op == Op.TYPE_INT and e.operands[1] == 64]
    is_long = any(each in long for each in types)
    if is_long:
        shader.require(INT64_ATOMICS)
    return bool(found) or is_long


def _exchange_words(shader: Shader, exchange: Exchange) -> None:
    """Exchange the word that has a number of 16 bits: devices have no atomic operations of those."""
    definitions, load, body = shader.definitions, exchange.load, exchange.body
    pointer, before = definitions[exchange.pointer], shader.predecessors[exchange.header.label]
    outside = [block for block in before if block.label not in shader.loop(exchange.header)]
    if pointer.op != Op.ACCESS_CHAIN or len(pointer.operands) != 5 or len(outside) != 1:
        return
    uint, base, (zero, index) = shader.int_type(), pointer.operands[2], pointer.operands[3:]
    words = shader.buffer(shader.decorations(BINDING)[base][0], uint, 4, ALIASED)
    if base not in shader.decorations(ALIASED):
        shader.decorate(base, ALIASED)

    def add(target: list[Instruction], op: int, type_: int, *operands: int) -> int:
        target.append(Instruction(op, type_, shader.new_id(), *operands))
        return target[-1].operands[1]

    first, inside, after = list[Instruction](), list[Instruction](), list[Instruction]()
    index = add(first, Op.BITCAST, uint, index) if definitions[index].type != uint else index
    place = add(first, Op.SHIFT_RIGHT_LOGICAL, uint, index, shader.uint(1))
    shift = add(first, Op.BITWISE_AND, uint, index, shader.uint(1))
    shift = add(first, Op.SHIFT_LEFT_LOGICAL, uint, shift, shader.uint(4))
    others = add(first, Op.NOT, uint, add(first, Op.SHIFT_LEFT_LOGICAL, uint, shader.uint(0xFFFF), shift))
    target = add(first, Op.ACCESS_CHAIN, shader.pointer(STORAGE_BUFFER, uint), words, zero, place)
    outside[0].body[outside[0].tail : outside[0].tail] = first
    short, number = load.operands[:2]
    word = shader.new_id()
    at = add(inside, Op.SHIFT_RIGHT_LOGICAL, uint, word, shift)
    inside.append(Instruction(Op.U_CONVERT, short, number, at))
    new = add(after, Op.U_CONVERT, uint, exchange.exchange.operands[6])
    new = add(after, Op.SHIFT_LEFT_LOGICAL, uint, new, shift)
    new = add(after, Op.BITWISE_OR, uint, add(after, Op.BITWISE_AND, uint, word, others), new)
    load.operands[:3] = [uint, word, target]
    at = body.body.index(load)
    body.body[at + 1 : at + 1] = inside
    shader.replace(exchange.result, number, lambda each: each is not exchange.exchange)
    exchange.exchange.operands[:] = [uint, exchange.result, target, *exchange.exchange.operands[3:6], new, word]
    at = body.body.index(exchange.exchange)
    body.body[at:at] = after
    test = shader.definitions[body.end.operands[0]]
    test.operands[2:] = [exchange.result, word]


def _carry(shader: Shader, exchange: Exchange) -> None:
    """Load the old value once, before the loop, and then take what the exchange has found.

    The value at the end is that of the loop's number, which Mesa's CPU device keeps for threads that are done. It does
    not keep other values of a loop's last iteration.
    """
    header, label = exchange.header, exchange.header.label
    before = [block for block in shader.predecessors[label] if block.label not in shader.loop(header)]
    again = [block for block in shader.predecessors[label] if block.label in shader.loop(header)]
    if len(before) != 1 or len(again) != 1:
        return
    load, result = exchange.load, exchange.result
    type_, old = load.operands[:2]
    first = shader.new_id()
    test = shader.definitions[exchange.body.end.operands[0]]
    shader.replace(result, old, lambda each: each is not test)
    load.operands[1] = first
    exchange.body.body.remove(load)
    before[0].body.insert(before[0].tail, load)
    header.body.insert(0, Instruction(Op.PHI, type_, old, first, before[0].label, result, again[0].label))


def replace(shader: Shader, exchange: Exchange, code: list[Instruction]) -> None:
    """Do something else in place of a loop."""
    header = exchange.header
    gone = shader.loop(header) - {header.label}
    header.body = [*code, Instruction(Op.BRANCH, exchange.after)]
    shader.blocks = [block for block in shader.blocks if block.label not in gone]
    for each in shader.by_label[exchange.after].body:
        if each.op == Op.PHI:
            each.operands[3::2] = [header.label if label in gone else label for label in each.operands[3::2]]

"""What passes over loops share: writing new code, doing several iterations at a time, and what a loop does to memory.

A place is a part of a buffer. Two parts of one buffer are different if their bytes are known to be; two buffers are if
they are of different kinds, or if the launch finds that they are (`Conflicts.apart`).
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeAlias

from ...adopt.spirv._editor import (
    ATOMICS,
    BINDING,
    FUNCTION,
    IDS,
    INPUT,
    STORAGE_BUFFER,
    UNIFORM,
    Block,
    Instruction,
    Op,
    Shader,
    text_words,
)
from ...adopt.taichi._plans import BindingKind
from ...bundle._info import Binding

# New code of a shader, written forwards: values, conditions and loops.


GLSL = "GLSL.std.450"


class Emitter:
    """Writes instructions at the end of a block that does not have an end yet, and of those that follow it."""

    def __init__(self, shader: Shader, block: Block) -> None:
        self.shader = shader
        self._block = block
        self.bool = shader.type(Op.TYPE_BOOL)
        self.uint = shader.int_type()

    def do(self, op: int, *operands: int) -> None:
        self._block.body.append(Instruction(op, *operands))

    def make(self, op: int, type_: int, *operands: int) -> int:
        """Add an instruction; return its result."""
        made = self.shader.new_id()
        self.do(op, type_, made, *operands)
        return made

    def load(self, type_: int, pointer: int) -> int:
        return self.make(Op.LOAD, type_, pointer)

    def store(self, pointer: int, value: int) -> None:
        self.do(Op.STORE, pointer, value)

    def at(self, storage: int, target: int, base: int, *indices: int) -> int:
        """Return a pointer to a part of a variable."""
        return self.make(Op.ACCESS_CHAIN, self.shader.pointer(storage, target), base, *indices)

    def extended(self, type_: int, number: int, *operands: int) -> int:
        """Add an instruction of GLSL's extended set."""
        return self.make(Op.EXT_INST, type_, extended_set(self.shader), number, *operands)

    def local(self, type_: int, value: int) -> int:
        """Return a variable of the function, to which a value is stored here."""
        made = self.shader.variable(FUNCTION, type_)
        self.store(made, value)
        return made

    def barrier(self) -> None:
        """Let the threads of a group wait for each other, and see what they have written to their shared memory."""
        group, acquire_release = self.shader.uint(2), 8
        self.do(Op.CONTROL_BARRIER, group, group, self.shader.uint(0x100 | acquire_release))

    def begin(self, label: int) -> None:
        """Go on in a new block."""
        self._block = Block(label)
        self.shader.blocks.append(self._block)

    @contextmanager
    def when(self, condition: int) -> Generator[None]:
        """Emit code that only runs if the condition holds."""
        inside, after = self.shader.new_id(), self.shader.new_id()
        self.do(Op.SELECTION_MERGE, after, 0)
        self.do(Op.BRANCH_CONDITIONAL, condition, inside, after)
        self.begin(inside)
        yield
        self.do(Op.BRANCH, after)
        self.begin(after)

    @contextmanager
    def steps(self, start: int, end: int, step: int) -> Generator[int]:
        """Emit a loop over unsigned numbers from `start` to below `end`."""
        header, test, inside, next_, after = (self.shader.new_id() for _ in range(5))
        counter = self.local(self.uint, start)
        self.do(Op.BRANCH, header)
        self.begin(header)
        self.do(Op.LOOP_MERGE, after, next_, 0)
        self.do(Op.BRANCH, test)
        self.begin(test)
        number = self.load(self.uint, counter)
        self.do(Op.BRANCH_CONDITIONAL, self.make(Op.U_LESS_THAN, self.bool, number, end), inside, after)
        self.begin(inside)
        yield number
        self.do(Op.BRANCH, next_)
        self.begin(next_)
        self.store(counter, self.make(Op.I_ADD, self.uint, number, step))
        self.do(Op.BRANCH, header)
        self.begin(after)


def extended_set(shader: Shader) -> int:
    """Return the id of GLSL's extended instructions, which the compiler always imports."""
    words = text_words(GLSL)
    return next(e.operands[0] for e in shader.preamble if e.op == Op.EXT_INST_IMPORT and e.operands[1:] == words)


# Several iterations at a time, so that more loads are under way at once.


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
    """Read the loop, if copies of its body can follow each other."""
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


# Places.


WORD = 1 << 32
NAMED = 8  # deepest expression whose bounds are looked for
ARRAY_STRIDE, BUFFER_BLOCK = 6, 3
# What can be computed again, or computed where the loop would not: it cannot fail.
PURE = frozenset(
    {Op.BITCAST, Op.I_ADD, Op.I_SUB, Op.I_MUL, Op.SHIFT_RIGHT_LOGICAL, Op.SHIFT_RIGHT_ARITHMETIC, Op.SHIFT_LEFT_LOGICAL}
    | {Op.BITWISE_AND, Op.BITWISE_OR, Op.BITWISE_XOR, Op.ACCESS_CHAIN, Op.S_CONVERT, Op.U_CONVERT}
)
MAY_ALIAS = (BindingKind.ARRAY, BindingKind.ROOT)  # which users give a launch

Key: TypeAlias = "int | tuple[int | str | Key, ...]"  # of what a loop does not change: equal for equal values


class Place(NamedTuple):
    """A part of a buffer; `bytes` of it are known, or None."""

    variable: int
    binding: Binding
    bytes: range | None


class Access(NamedTuple):
    """An instruction that loads, stores, or does an atomic operation."""

    block: Block
    instruction: Instruction
    place: Place


class LoopFacts:
    """The facts of a loop; `Opaque` if it accesses memory in other ways than those known here."""

    def __init__(self, shader: Shader, header: Block, bindings: Sequence[Binding]) -> None:
        self._shader = shader
        self.labels = shader.loop(header)
        self.blocks = [block for block in shader.blocks if block.label in self.labels]
        self.definitions = shader.definitions
        self._inside = {id(each) for block in self.blocks for each in block.body}
        self._strides = {array: operands[0] for array, operands in shader.decorations(ARRAY_STRIDE).items()}
        numbers = shader.decorations(BINDING)
        by_number = {each.number: each for each in bindings}
        self._buffers = {v: by_number[n[0]] for v, n in numbers.items() if n[0] in by_number}
        words = {e.operands[0] for e in shader.preamble if e.op == Op.TYPE_INT and e.operands[1] == 32}
        constants = [e.operands for e in shader.preamble if e.op == Op.CONSTANT and e.operands[0] in words]
        self._constants = {result: bits for _, result, bits in constants}
        self._buffer_blocks = shader.decorations(BUFFER_BLOCK).keys()
        self._keys: dict[int, Key | None] = {}
        self._headers = {block.label: block for block in shader.blocks if block.merge is not None}
        self._tests = self._bounds_of_phis()

    # Values.

    def key(self, value: int) -> Key | None:
        """Return the key of a value; None if it may differ between iterations."""
        if value not in self._keys:
            self._keys[value] = None  # of what depends on itself
            self._keys[value] = self._key(value)
        return self._keys[value]

    def _key(self, value: int) -> Key | None:
        if value in self._constants:
            return self._constants[value]
        definition = self.definitions.get(value)
        if definition is None:
            return None
        operands = definition.operands
        if definition.op == Op.LOAD and self._storage(operands[2]) == UNIFORM and not self._is_buffer(operands[2]):
            pointer = self.key(operands[2])
            return None if pointer is None else ("load", pointer)
        if definition.op in PURE:
            first = 3 if definition.op == Op.ACCESS_CHAIN else 2
            keys = [self.key(each) for each in operands[first:]]
            if any(each is None for each in keys):
                return None
            return _folded(definition.op, [*operands[2:first], *(each for each in keys if each is not None)])
        return None if id(definition) in self._inside else ("id", value)

    def bounds(self, value: int, depth: int = NAMED) -> tuple[int, int] | None:
        """Return the least and the most that an integer of 32 bits can be, as an unsigned one; None if not known."""
        key = self.key(value)
        if isinstance(key, int):
            return key, key
        definition = self.definitions.get(value)
        if definition is None or depth == 0:
            return None
        if definition.op == Op.PHI:
            return self._tests.get(value)
        if definition.op == Op.BITCAST:
            return self.bounds(definition.operands[2], depth - 1)
        if definition.op not in (Op.I_ADD, Op.I_MUL, Op.SHIFT_RIGHT_LOGICAL, Op.SHIFT_LEFT_LOGICAL):
            return None
        left, right = (self.bounds(each, depth - 1) for each in definition.operands[2:4])
        if left is None or right is None:
            return None
        found = _bounds(definition.op, left, right)
        return found if found[1] < WORD else None

    def _bounds_of_phis(self) -> dict[int, tuple[int, int]]:
        """Return the bounds of numbers that loops count up to constants, from constants or the thread's number."""
        found: dict[int, tuple[int, int]] = {}
        for block in self._headers.values():
            test = self.definitions.get(block.end.operands[0]) if block.end.op == Op.BRANCH_CONDITIONAL else None
            if test is None or test.op != Op.S_LESS_THAN:
                continue
            number, bound = test.operands[2], self._constants.get(test.operands[3], WORD)
            phi = self.definitions.get(number)
            if phi is None or phi.op != Op.PHI or len(phi.operands) != 6 or not 0 < bound < WORD >> 1:
                continue
            step = self.definitions.get(phi.operands[4])
            start = self._start(phi.operands[2])
            if step is not None and step.op == Op.I_ADD and step.operands[2] == number and start < WORD >> 1:
                found[number] = start, bound - 1
        return found

    def _start(self, value: int) -> int:
        """Return the least that the first number of a loop can be: a constant, or one more than the thread's."""
        if value in self._constants:
            return self._constants[value]
        definition = self.definitions[value]
        if definition.op == Op.BITCAST:
            return self._start(definition.operands[2])
        if definition.op == Op.I_ADD and definition.operands[3] in self._constants:
            return self._start(definition.operands[2]) + self._constants[definition.operands[3]]
        return 0 if definition.op == Op.LOAD and self._storage(definition.operands[2]) == INPUT else WORD

    # Memory.

    def _storage(self, pointer: int) -> int:
        definition = self.definitions.get(pointer)
        type_ = None if definition is None or definition.type is None else self.definitions.get(definition.type)
        return -1 if type_ is None or type_.op != Op.TYPE_POINTER else type_.operands[1]

    def _is_buffer(self, pointer: int) -> bool:
        """Return whether a pointer may be into a buffer that is written: before SPIR-V 1.3 these are uniform, too."""
        storage = self._storage(pointer)
        definition = self.definitions.get(pointer)
        while definition is not None and definition.op == Op.ACCESS_CHAIN:
            definition = self.definitions.get(definition.operands[2])
        if definition is None or definition.op != Op.VARIABLE:
            return storage not in (INPUT, FUNCTION)
        struct = self.definitions[definition.operands[0]].operands[2]
        return storage == STORAGE_BUFFER or (storage == UNIFORM and struct in self._buffer_blocks)

    def place(self, pointer: int) -> Place | None:
        """Return the place that a pointer into a buffer names; None if it is not known which buffer."""
        definition = self.definitions.get(pointer)
        if definition is None or definition.op != Op.ACCESS_CHAIN or definition.operands[2] not in self._buffers:
            return None
        base, indices = definition.operands[2], definition.operands[3:]
        stride = self._stride(base)
        bounds = self.bounds(indices[1]) if len(indices) == 2 and stride is not None else None
        span = None if bounds is None or stride is None else range(bounds[0] * stride, (bounds[1] + 1) * stride)
        return Place(base, self._buffers[base], span)

    def _stride(self, variable: int) -> int | None:
        """Return the bytes of an element of the array that is a buffer's only member."""
        pointer = self.definitions[self.definitions[variable].operands[0]]
        struct = self.definitions[pointer.operands[2]]
        return (
            self._strides.get(struct.operands[1]) if struct.op == Op.TYPE_STRUCT and len(struct.operands) == 2 else None
        )

    def accesses(self) -> list[Access] | None:
        """Return all accesses of the loop to buffers that are written; None if there are some of another kind."""
        found: list[Access] = []
        for block in self.blocks:
            for each in block.body:
                if each.op in (Op.FUNCTION_CALL, Op.CONVERT_U_TO_PTR, Op.CONTROL_BARRIER, 63, 64):
                    return None
                if each.op in ATOMICS or each.op in (Op.LOAD, Op.STORE):
                    pointer = each.operands[0 if each.op in (Op.STORE, Op.ATOMIC_STORE) else 2]
                    if not self._is_buffer(pointer):
                        continue
                    place = self.place(pointer)
                    if place is None:
                        return None
                    found.append(Access(block, each, place))
        return found

    def after(self, block: Block, instruction: Instruction) -> tuple[set[int], set[int]]:
        """Return what an iteration may do after an instruction: the rest of its block, and the labels of blocks."""
        at = next(i for i, each in enumerate(block.body) if each is instruction)
        rest = {id(each) for each in block.body[at + 1 :]}
        inside = self.labels - {self.blocks[0].label}
        return rest, self._shader.reachable(block.successors, self._shader.by_label.keys() - inside)


def relation(a: Place, b: Place) -> bool | None:
    """Return whether two places may be the same; None if only a launch can tell whether their buffers are."""
    if a.binding[1:] == b.binding[1:]:
        return a.bytes is None or b.bytes is None or max(a.bytes.start, b.bytes.start) < min(a.bytes.stop, b.bytes.stop)
    return None if a.binding.kind in MAY_ALIAS and b.binding.kind in MAY_ALIAS else False


def _folded(op: int, keys: Sequence[Key]) -> Key:
    """Return the key of what an instruction computes, as a number if that is known."""
    if op == Op.BITCAST:
        return keys[0]
    a, b = keys[0], keys[-1]
    if isinstance(a, int) and isinstance(b, int) and len(keys) == 2:
        if op in (Op.I_ADD, Op.I_SUB, Op.I_MUL):
            return {Op.I_ADD: a + b, Op.I_SUB: a - b, Op.I_MUL: a * b}[Op(op)] % WORD
        if op == Op.SHIFT_LEFT_LOGICAL:
            return (a << (b & 31)) % WORD
        if op == Op.SHIFT_RIGHT_LOGICAL:
            return a >> (b & 31)
    if op == Op.I_MUL and 0 in (a, b):
        return 0
    if op == Op.I_ADD and 0 in (a, b):
        return b if a == 0 else a
    return (f"op {op}", *keys)


def _bounds(op: int, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
    if op == Op.I_ADD:
        return left[0] + right[0], left[1] + right[1]
    if op == Op.I_MUL:
        return left[0] * right[0], left[1] * right[1]
    if op == Op.SHIFT_LEFT_LOGICAL:
        return left[0] << min(right[0], 32), left[1] << min(right[1], 32)
    return left[0] >> min(right[1], 32), left[1] >> min(right[0], 32)

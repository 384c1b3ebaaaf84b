"""Loops that add: to a place that is the same for all iterations, an accumulator, or to elements of an array, bins.

Each thread adds to a variable of its own, with the operation's neutral number at first. After the loop the threads of a
group combine theirs in shared memory, and write the result to scratch memory. The group that finishes last combines
these in the order of the groups, and then adds to the place once. So the order depends on the numbers of threads and
groups only: each launch computes the same bits. A neutral result means that nothing was added, perhaps because there
were no iterations: then the place, which may not exist, is not touched.

The additions happen after everything else that the loop does. That is as if other threads had been slower, unless an
iteration looks at the place after it has added to it, or mixes operations that do not commute.

Bins are elements of an array with which the loop does nothing else. If the array is small when the kernel is launched,
the threads of a group add in shared memory. After the loop they add what each element has got to the array.

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

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...adopt.spirv._atomics import FMA, Exchange, find_exchanges, replace
from ...adopt.spirv._editor import FUNCTION, STORAGE_BUFFER, TERMINATORS, WORKGROUP, Block, Instruction, Op, Shader
from ...bundle._info import Binding
from ._places import MAY_ALIAS, PURE, Access, Emitter, Key, LoopFacts, Place, relation, unroll

# Accumulators.


SHARED_BYTES = 1 << 14  # of a group, which every device has
MOST = 16  # accumulators of a loop
FAN = 4  # numbers that a thread of a group adds up at a time
AT_ONCE = 8  # results of groups that a thread reads
FIRST_WORD = 16  # of scratch memory, behind the number of the groups that have finished
LOCAL_SIZE, COHERENT = 17, 23
WORKGROUP_ID, LOCAL_INVOCATION_INDEX, NUM_WORKGROUPS = 26, 29, 24  # built-in values
DEVICE, BUFFERS = 1, 0x48  # a scope, and memory semantics: acquire and release of buffers
F_MIN, U_MIN, S_MIN, F_MAX, U_MAX, S_MAX = range(37, 43)  # of GLSL's extended instructions

ADD, MULTIPLY, SMALLEST, LARGEST, AND, OR, XOR = "add", "multiply", "smallest", "largest", "and", "or", "xor"
ATOMIC = {
    Op.ATOMIC_I_ADD: ADD,
    Op.ATOMIC_F_ADD: ADD,
    Op.ATOMIC_S_MIN: SMALLEST,
    Op.ATOMIC_U_MIN: SMALLEST,
    Op.ATOMIC_F_MIN: SMALLEST,
    Op.ATOMIC_S_MAX: LARGEST,
    Op.ATOMIC_U_MAX: LARGEST,
    Op.ATOMIC_F_MAX: LARGEST,
    Op.ATOMIC_AND: AND,
    Op.ATOMIC_OR: OR,
    Op.ATOMIC_XOR: XOR,
}
# By the form of an exchange.
COMPUTED = {
    **dict.fromkeys((Op.F_ADD, Op.F_SUB, Op.I_ADD, Op.I_SUB, FMA), ADD),
    Op.F_MUL: MULTIPLY,
    Op.I_MUL: MULTIPLY,
    F_MIN: SMALLEST,
    F_MAX: LARGEST,
}
SIMPLE = {
    (ADD, "f"): Op.F_ADD,
    (MULTIPLY, "f"): Op.F_MUL,
    **{(ADD, kind): Op.I_ADD for kind in "su"},
    **{(MULTIPLY, kind): Op.I_MUL for kind in "su"},
    **{(AND, kind): Op.BITWISE_AND for kind in "su"},
    **{(OR, kind): Op.BITWISE_OR for kind in "su"},
    **{(XOR, kind): Op.BITWISE_XOR for kind in "su"},
}
CHOOSING = {
    (SMALLEST, "f"): F_MIN,
    (SMALLEST, "u"): U_MIN,
    (SMALLEST, "s"): S_MIN,
    (LARGEST, "f"): F_MAX,
    (LARGEST, "u"): U_MAX,
    (LARGEST, "s"): S_MAX,
}
ONE, INFINITY = {32: 0x3F800000, 64: 0x3FF << 52}, {32: 0x7F800000, 64: 0x7FF << 52}  # as floats


class Operation(NamedTuple):
    """How numbers are combined: the operation, and the kind (signed, unsigned, float) and bits of the numbers."""

    name: str
    kind: str
    bits: int

    @property
    def neutral(self) -> int:
        """The bits of the number that changes no other one."""
        ones, sign = (1 << self.bits) - 1, 1 << self.bits - 1
        if self.kind == "f":
            one, infinity = ONE[self.bits], INFINITY[self.bits]
            return {ADD: sign, MULTIPLY: one, SMALLEST: infinity, LARGEST: infinity | sign}[self.name]
        least, most = (sign, ones >> 1) if self.kind == "s" else (0, ones)
        return {MULTIPLY: 1, SMALLEST: most, LARGEST: least, AND: ones}.get(self.name, 0)

    def commutes(self, other: Operation) -> bool:
        """Return whether it does not matter which of two is done first to a place."""
        are_alike = (self.name, self.kind == "f", self.bits) == (other.name, other.kind == "f", other.bits)
        return are_alike and (self.name not in (SMALLEST, LARGEST) or self.kind == other.kind)

    def emit(self, code: Emitter, type_: int, left: int, right: int) -> int:
        if (self.name, self.kind) in SIMPLE:
            return code.make(SIMPLE[self.name, self.kind], type_, left, right)
        return code.extended(type_, CHOOSING[self.name, self.kind], left, right)


class Site(NamedTuple):
    """An atomic operation of the loop whose old value is not used."""

    access: Access
    operation: Operation
    type: int  # of the value
    exchange: Exchange | None
    key: Key  # of its place

    @property
    def parts(self) -> set[int]:
        """The instructions that access memory, by identity."""
        own = (self.access.instruction,) if self.exchange is None else (self.exchange.load, self.exchange.exchange)
        return {id(each) for each in own}


class Accumulated(NamedTuple):
    """The sites of one place."""

    sites: list[Site]

    @property
    def place(self) -> Place:
        return self.sites[0].access.place

    @property
    def operation(self) -> Operation:
        return self.sites[0].operation


def accumulate(
    shader: Shader, bindings: Sequence[Binding], scratch: int, words: int
) -> tuple[tuple[int, int], ...] | None:
    """Give a task's loop accumulators, which needs `scratch` as a further binding; None if it has none.

    `words` is how many scratch memory has for each group. Returns the pairs of bindings, by their numbers, whose
    buffers must be different.
    """
    prune(shader)
    header = grid_loop(shader)
    block = block_size(shader)
    if header is None or not block:
        return None
    facts = LoopFacts(shader, header, bindings)
    accesses = facts.accesses()
    if not accesses:
        return None
    found, apart = _independent(facts, accesses, _sites(shader, facts, accesses))
    found = _that_fit(found, block, words)
    if not found or not drop_barriers(shader, facts):
        return None
    _Writer(shader, facts, found, block, scratch).write()
    prune(shader)
    unroll(shader, header)
    return tuple(sorted(apart))


def prune(shader: Shader) -> None:
    """Remove computations that nothing uses, and variables of the function that are only stored to."""
    gone = {0}
    while gone:
        users = shader.users
        idle = {
            each.operands[1]
            for each in shader.blocks[0].body
            if each.op == Op.VARIABLE and all(u.op == Op.STORE for u in users.get(each.operands[1], ()))
        } - {each.operands[1] for block in shader.blocks for each in block.body if each.op == Op.STORE}
        gone = {
            id(each)
            for block in shader.blocks
            for each in block.body
            if (_is_computation(each) and each.result not in users)
            or (each.op == Op.VARIABLE and each.operands[1] in idle)
            or (each.op == Op.STORE and each.operands[0] in idle)
        }
        for block in shader.blocks:
            block.body = [each for each in block.body if id(each) not in gone]
    shader.forget()


def _is_computation(instruction: Instruction) -> bool:
    return (
        instruction.op in PURE or instruction.op == Op.LOAD or Op.CONVERT_F_TO_U <= instruction.op <= Op.BITWISE_AND + 6
    )


def grid_loop(shader: Shader) -> Block | None:
    """Return the loop over the threads, if all threads reach the end behind it, and nothing else synchronizes them."""
    ends = [block.end for block in shader.blocks if block.end.op in TERMINATORS and not block.successors]
    shared = any(e.op == Op.VARIABLE and e.operands[2] == WORKGROUP for e in shader.preamble)
    header = shader.by_label.get(shader.blocks[0].end.operands[0]) if shader.blocks[0].end.op == Op.BRANCH else None
    if header is None or header.merge is None or header.merge.op != Op.LOOP_MERGE or shared:
        return None
    after = shader.by_label[header.merge.operands[0]]
    is_last = after is shader.blocks[-1] and len(after.body) == 1 and ends == [after.end] and after.end.op == Op.RETURN
    return header if is_last else None


def block_size(shader: Shader) -> int:
    """Return the threads of a group; 0 if the code does not state them."""
    stated = [e.operands[2:] for e in shader.preamble if e.op == Op.EXECUTION_MODE and e.operands[1] == LOCAL_SIZE]
    return stated[0][0] if len(stated) == 1 and stated[0][1:] == [1, 1] else 0


def _sites(shader: Shader, facts: LoopFacts, accesses: Iterable[Access]) -> list[Site]:
    exchanges = {id(each.exchange): each for each in find_exchanges(shader)}
    users = shader.users
    found: list[Site] = []
    for access in accesses:
        each = access.instruction
        exchange = exchanges.get(id(each))
        key = facts.key(each.operands[2]) if each.op in ATOMIC or exchange is not None else None
        if key is None:
            continue
        if exchange is not None:
            own = {id(e) for e in exchange.body.body if e.op != Op.STORE}
            results = [e.result for e in exchange.body.body if e.result is not None]
            is_used = any(id(user) not in own for result in results for user in users.get(result, ()))
            name = COMPUTED.get(exchange.form, "")
            type_ = facts.definitions[exchange.values[0]].type if name else None
        else:
            is_used, name = bool(users.get(each.operands[1])), ATOMIC[Op(each.op)]
            type_ = facts.definitions[each.operands[5]].type
        operation = None if is_used or not name or type_ is None else _operation(shader, name, type_, each)
        if operation is not None and type_ is not None:
            found.append(Site(access, operation, type_, exchange, key))
    return found


def _operation(shader: Shader, name: str, type_: int, atomic: Instruction) -> Operation | None:
    """Return the operation of numbers of a type; those of f16 are combined as f32. None if it is not supported."""
    definition = next(each for each in shader.preamble if each.result == type_)
    bits = definition.operands[1] if definition.op in (Op.TYPE_INT, Op.TYPE_FLOAT) else 0
    if definition.op == Op.TYPE_FLOAT:
        return Operation(name, "f", max(bits, 32)) if bits in (16, 32, 64) else None
    kind = "us"[definition.operands[2]] if bits in (32, 64) else ""
    if atomic.op in (Op.ATOMIC_U_MIN, Op.ATOMIC_U_MAX):
        kind = "u"
    return Operation(name, kind, bits) if kind else None


def _independent(
    facts: LoopFacts, accesses: Sequence[Access], sites: Iterable[Site]
) -> tuple[list[Accumulated], set[tuple[int, int]]]:
    """Find the places whose operations can be done last, and the pairs of bindings whose buffers must then differ."""
    places: dict[tuple[Key, Operation], list[Site]] = {}
    for site in sites:
        places.setdefault((site.key, site.operation), []).append(site)
    found = [Accumulated(each) for each in places.values()]
    while True:
        apart: set[tuple[int, int]] = set()
        kept = [each for each in found if _is_independent(facts, accesses, found, each, apart)]
        if len(kept) == len(found):
            return found, apart
        found = kept


def _is_independent(
    facts: LoopFacts,
    accesses: Sequence[Access],
    found: Sequence[Accumulated],
    own: Accumulated,
    apart: set[tuple[int, int]],
) -> bool:
    operations = {part: each.operation for each in found for site in each.sites for part in site.parts}
    ways = [facts.after(site.access.block, site.access.instruction) for site in own.sites]
    for access in accesses:
        instruction, other = access.instruction, operations.get(id(access.instruction))
        if other is not None and own.operation.commutes(other):
            continue
        if other is None and not any(id(instruction) in rest or access.block.label in labels for rest, labels in ways):
            continue
        may_be_same = relation(own.place, access.place)
        if may_be_same:
            return False
        if may_be_same is None:
            a, b = sorted((own.place.binding.number, access.place.binding.number))
            apart.add((a, b))
    return True


def _that_fit(found: Sequence[Accumulated], block: int, words: int) -> list[Accumulated]:
    """Choose as many as there is memory for."""
    kept: list[Accumulated] = []
    shared, left = SHARED_BYTES - 4, words
    for each in found[:MOST]:
        shared -= block * each.operation.bits // 8
        left -= each.operation.bits // 32
        if shared < 0 or left < 0:
            break
        kept.append(each)
    return kept


def drop_barriers(shader: Shader, facts: LoopFacts) -> bool:
    """Remove the memory barriers before atomic operations whose old value is not used; return whether none is left.

    They order nothing that another thread can rely on. And they may not be in a loop before a barrier of the group:
    Mesa's CPU device counts both, so threads with fewer iterations would be one ahead.
    """
    users = shader.users
    for block in facts.blocks:
        for each, following in zip(block.body, block.body[1:], strict=False):
            if each.op == Op.MEMORY_BARRIER and (following.op not in ATOMIC or users.get(following.operands[1])):
                return False
    for block in facts.blocks:
        block.body = [each for each in block.body if each.op != Op.MEMORY_BARRIER]
    return True


class _Variable(NamedTuple):
    """The variables of an accumulator: of a thread, and of a group in shared memory; and its words before it."""

    own: Accumulated
    type: int
    local: int
    shared: int
    offset: int


class _Writer:
    """Writes accumulators into a shader."""

    def __init__(
        self, shader: Shader, facts: LoopFacts, found: Sequence[Accumulated], block: int, scratch: int
    ) -> None:
        self._shader, self._facts, self._block = shader, facts, block
        self._uint = shader.int_type()
        self._scratch = shader.buffer(scratch, self._uint, 4, COHERENT)
        self._copies: dict[int, int] = {}  # of values of the loop, behind it
        self._variables: list[_Variable] = []
        offset = 0
        for each in found:
            type_ = self._type(each)
            array = shader.type(Op.TYPE_ARRAY, type_, shader.uint(block))
            local, shared = shader.variable(FUNCTION, type_), shader.variable(WORKGROUP, array)
            self._variables.append(_Variable(each, type_, local, shared, offset))
            offset += each.operation.bits // 32

    def write(self) -> None:
        first = self._shader.blocks[0]
        for each in self._variables:
            neutral = self._shader.constant(each.type, each.own.operation.neutral)
            first.body.insert(first.tail, Instruction(Op.STORE, each.local, neutral))
            for site in each.own.sites:
                self._accumulate(each, site)
        self._combine()

    def _type(self, accumulated: Accumulated) -> int:
        site = accumulated.sites[0]
        is_half = site.operation.kind == "f" and site.operation.bits == 32
        return self._shader.type(Op.TYPE_FLOAT, 32) if is_half else site.type

    def _accumulate(self, variable: _Variable, site: Site) -> None:
        """Add to the variable in place of an atomic operation."""
        body = Block(0)
        code = Emitter(self._shader, body)
        old = code.load(variable.type, variable.local)
        if site.exchange is not None:
            compute, new = site.exchange.compute, self._shader.new_id()
            values = {each: self._cast(code, each, site.type, variable.type) for each in site.exchange.values}
            values.update((each, old) for each in site.exchange.old if each is not None)
            operands = [values.get(each, each) for each in compute.operands[2:]]
            if compute.op == Op.EXT_INST:
                operands[:2] = compute.operands[2:4]
            code.do(compute.op, variable.type, new, *operands)
            code.store(variable.local, new)
            replace(self._shader, site.exchange, body.body)
            return
        value = self._cast(code, site.access.instruction.operands[5], site.type, variable.type)
        code.store(variable.local, site.operation.emit(code, variable.type, old, value))
        block = site.access.block
        at = next(i for i, each in enumerate(block.body) if each is site.access.instruction)
        block.body[at : at + 1] = body.body

    @staticmethod
    def _cast(code: Emitter, value: int, given: int, wanted: int) -> int:
        """Convert a number to another type: half and single floats, or integers with and without sign."""
        if given == wanted:
            return value
        types = {each.result: each for each in code.shader.preamble}
        is_float = types[given].op == Op.TYPE_FLOAT and types[wanted].op == Op.TYPE_FLOAT
        return code.make(Op.F_CONVERT if is_float else Op.BITCAST, wanted, value)

    def _combine(self) -> None:
        """Write what follows the loop."""
        shader, last = self._shader, self._shader.blocks[-1]
        end = last.body.pop()
        code = Emitter(shader, last)
        uint, vector = self._uint, shader.type(Op.TYPE_VECTOR, self._uint, 3)
        thread = code.load(uint, shader.built_in(LOCAL_INVOCATION_INDEX, uint))
        group, groups = (
            code.make(Op.COMPOSITE_EXTRACT, uint, code.load(vector, shader.built_in(each, vector)), 0)
            for each in (WORKGROUP_ID, NUM_WORKGROUPS)
        )
        is_last = shader.variable(WORKGROUP, uint)
        zero, one = shader.uint(0), shader.uint(1)
        for each in self._variables:
            code.store(self._slot(code, each, thread), code.load(each.type, each.local))
        is_first = code.make(Op.I_EQUAL, code.bool, thread, zero)
        with code.when(is_first):
            code.store(is_last, one)
        code.barrier()
        self._gather(code, thread)
        with code.when(code.make(Op.I_NOT_EQUAL, code.bool, groups, one)):
            with code.when(is_first):
                for each in self._variables:
                    self._write_part(code, each, self._place_of(code, each, group, groups), self._sum(code, each))
            code.do(Op.MEMORY_BARRIER, shader.uint(DEVICE), shader.uint(BUFFERS))  # of all, as Mesa lets them wait too
            with code.when(is_first):
                counter = self._word(code, zero)
                before = code.make(Op.ATOMIC_I_ADD, uint, counter, shader.uint(DEVICE), shader.uint(BUFFERS), one)
                done = code.make(Op.I_EQUAL, code.bool, code.make(Op.I_ADD, uint, before, one), groups)
                code.store(is_last, code.make(Op.SELECT, uint, done, one, zero))
            code.barrier()
            with code.when(code.make(Op.I_EQUAL, code.bool, code.load(uint, is_last), one)):
                code.do(Op.MEMORY_BARRIER, shader.uint(DEVICE), shader.uint(BUFFERS))
                self._read_parts(code, thread, groups)
                code.barrier()
                self._gather(code, thread)
        is_left = code.make(Op.I_EQUAL, code.bool, code.load(uint, is_last), one)
        with code.when(code.make(Op.LOGICAL_AND, code.bool, is_first, is_left)):
            code.store(self._word(code, zero), zero)
            for each in self._variables:
                self._finish(code, each)
        code.do(end.op, *end.operands)

    def _read_parts(self, code: Emitter, thread: int, groups: int) -> None:
        """Let each thread of the last group combine results of groups, several at a time, into its own number."""
        shader, uint = self._shader, self._uint
        most = code.make(Op.I_SUB, uint, groups, shader.uint(1))
        for each in self._variables:
            neutral = shader.constant(each.type, each.own.operation.neutral)
            total = code.local(each.type, neutral)
            with code.steps(thread, groups, shader.uint(AT_ONCE * self._block)) as number:
                found: list[int] = []
                for i in range(AT_ONCE):
                    own = code.make(Op.I_ADD, uint, number, shader.uint(i * self._block))
                    exists = code.make(Op.U_LESS_THAN, code.bool, own, groups)
                    near = code.make(Op.SELECT, uint, exists, own, most)
                    part = self._read_part(code, each, self._place_of(code, each, near, groups))
                    found.append(code.make(Op.SELECT, each.type, exists, part, neutral))
                combined = code.load(each.type, total)
                for part in found:
                    combined = each.own.operation.emit(code, each.type, combined, part)
                code.store(total, combined)
            code.store(self._slot(code, each, thread), code.load(each.type, total))

    def _slot(self, code: Emitter, variable: _Variable, number: int) -> int:
        """Return a pointer to a number in the shared memory of an accumulator."""
        return code.at(WORKGROUP, variable.type, variable.shared, number)

    def _gather(self, code: Emitter, thread: int) -> None:
        """Let the first quarter of the threads add up four numbers each, and so on: the first thread has the result."""
        count = self._block
        while count > 1:
            left = -(-count // FAN)
            with code.when(code.make(Op.U_LESS_THAN, code.bool, thread, self._shader.uint(left))):
                for each in self._variables:
                    total = code.load(each.type, self._slot(code, each, thread))
                    for begin in range(left, count, left):
                        at = code.make(Op.I_ADD, self._uint, thread, self._shader.uint(begin))
                        other = self._other(code, each, at, count, is_whole=begin + left <= count)
                        total = each.own.operation.emit(code, each.type, total, other)
                    code.store(self._slot(code, each, thread), total)
            count = left
            if count > 1:
                code.barrier()

    def _other(self, code: Emitter, variable: _Variable, at: int, count: int, *, is_whole: bool) -> int:
        """Load one of the first `count` numbers, or the neutral one in place of one behind them."""
        if is_whole:
            return code.load(variable.type, self._slot(code, variable, at))
        exists = code.make(Op.U_LESS_THAN, code.bool, at, self._shader.uint(count))
        near = code.make(Op.SELECT, self._uint, exists, at, self._shader.uint(0))
        neutral = self._shader.constant(variable.type, variable.own.operation.neutral)
        return code.make(
            Op.SELECT, variable.type, exists, code.load(variable.type, self._slot(code, variable, near)), neutral
        )

    def _sum(self, code: Emitter, variable: _Variable) -> int:
        """Combine the numbers of a group; the first thread has the result."""
        return code.load(variable.type, self._slot(code, variable, self._shader.uint(0)))

    # Scratch memory.

    def _word(self, code: Emitter, number: int) -> int:
        return code.at(STORAGE_BUFFER, self._uint, self._scratch, self._shader.uint(0), number)

    def _place_of(self, code: Emitter, variable: _Variable, group: int, groups: int) -> int:
        """Return the number of the word of a group's result: each accumulator has those of all groups in a row."""
        offset = code.make(Op.I_MUL, self._uint, groups, self._shader.uint(variable.offset))
        size = self._shader.uint(variable.own.operation.bits // 32)
        offset = code.make(Op.I_ADD, self._uint, offset, code.make(Op.I_MUL, self._uint, group, size))
        return code.make(Op.I_ADD, self._uint, offset, self._shader.uint(FIRST_WORD))

    def _write_part(self, code: Emitter, variable: _Variable, at: int, value: int) -> None:
        for i, word in enumerate(self._words(code, variable, value)):
            place = code.make(Op.I_ADD, self._uint, at, self._shader.uint(i))
            code.store(self._word(code, place), word)

    def _read_part(self, code: Emitter, variable: _Variable, at: int) -> int:
        words = [
            code.load(self._uint, self._word(code, code.make(Op.I_ADD, self._uint, at, self._shader.uint(i))))
            for i in range(variable.own.operation.bits // 32)
        ]
        if len(words) == 1:
            return words[0] if variable.type == self._uint else code.make(Op.BITCAST, variable.type, *words)
        pair = self._shader.type(Op.TYPE_VECTOR, self._uint, 2)
        return code.make(Op.BITCAST, variable.type, code.make(Op.COMPOSITE_CONSTRUCT, pair, *words))

    def _words(self, code: Emitter, variable: _Variable, value: int) -> list[int]:
        """Return the words of a number."""
        if variable.own.operation.bits == 32:
            return [value if variable.type == self._uint else code.make(Op.BITCAST, self._uint, value)]
        pair = code.make(Op.BITCAST, self._shader.type(Op.TYPE_VECTOR, self._uint, 2), value)
        return [code.make(Op.COMPOSITE_EXTRACT, self._uint, pair, i) for i in range(2)]

    # The places.

    def _finish(self, code: Emitter, variable: _Variable) -> None:
        """Add the result to the place, unless nothing was added to it."""
        shader, operation = self._shader, variable.own.operation
        total = self._sum(code, variable)
        neutral = [operation.neutral >> 32 * i & 0xFFFFFFFF for i in range(operation.bits // 32)]
        differs = [
            code.make(Op.I_NOT_EQUAL, code.bool, word, shader.uint(bits))
            for word, bits in zip(self._words(code, variable, total), neutral, strict=True)
        ]
        any_differs = differs[0] if len(differs) == 1 else code.make(Op.LOGICAL_OR, code.bool, *differs)
        with code.when(any_differs):
            self._copies.clear()  # of a block that others do not come through
            pointer = self._copy(code, variable.own.sites[0].access.instruction.operands[2])
            stored = self._target(pointer, code)
            is_word = stored in self._word_types
            sync = (shader.uint(DEVICE), shader.uint(0))
            old = code.make(Op.ATOMIC_LOAD, stored, pointer, *sync) if is_word else code.load(stored, pointer)
            number = self._from_stored(code, variable, stored, old)
            new = self._to_stored(code, variable, stored, operation.emit(code, variable.type, number, total))
            if is_word:
                code.do(Op.ATOMIC_STORE, pointer, *sync, new)
            else:
                code.store(pointer, new)

    @property
    def _word_types(self) -> set[int]:
        """Types of integers of 32 bits, which every device has atomic operations of."""
        return {e.operands[0] for e in self._shader.preamble if e.op == Op.TYPE_INT and e.operands[1] == 32}

    def _target(self, pointer: int, code: Emitter) -> int:
        """Return the type of what a pointer points to."""
        definition = next(e for b in reversed(code.shader.blocks) for e in b.body if e.result == pointer)
        return next(e.operands[2] for e in code.shader.preamble if e.result == definition.operands[0])

    def _from_stored(self, code: Emitter, variable: _Variable, stored: int, value: int) -> int:
        """Return the number of an accumulator, of what its place has."""
        given = variable.own.sites[0].type
        value = value if stored == given else code.make(Op.BITCAST, given, value)
        return self._cast(code, value, given, variable.type)

    def _to_stored(self, code: Emitter, variable: _Variable, stored: int, value: int) -> int:
        given = variable.own.sites[0].type
        value = self._cast(code, value, variable.type, given)
        return value if stored == given else code.make(Op.BITCAST, stored, value)

    def _copy(self, code: Emitter, value: int) -> int:
        """Compute a value of the loop again, of which `LoopFacts.key` says that it does not change."""
        definition = self._facts.definitions.get(value)
        inside = definition is not None and any(each is definition for b in self._facts.blocks for each in b.body)
        if definition is None or not inside:
            return value
        if value not in self._copies:
            first = 2 if definition.op != Op.ACCESS_CHAIN else 3
            operands = [
                *definition.operands[2:first],
                *(self._copy(code, each) for each in definition.operands[first:]),
            ]
            assert definition.type is not None
            self._copies[value] = code.make(definition.op, definition.type, *operands)
        return self._copies[value]


# Bins.


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
    """Return the operations on the array that an access is to, if they are all that the loop does with it."""
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
    """Return whether an access is an operation as the first one, on an element of an array of words."""
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

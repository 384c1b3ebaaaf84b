"""Loops over the elements of arrays without the work that Taichi's code repeats for each of them.

Taichi computes the indices of an element from its number by divisions and remainders, with a correction for negative
numbers. The number is not negative and below the product of the sizes, so the remainder by the first size is the
quotient itself, and the correction nothing. Sizes and scalars are loaded, and computed with, for each element: that
moves in front of the loop, as do operations of inner loops. Divisions stay where they are, unless they are by a
constant, since they may be guarded by a condition.

Near 2^31 the number of the next element would wrap around. So the loop counts as unsigned numbers, in which the number
of a thread fits on top of each element's: then any number of threads is right.

Loops then do several iterations at a time, so that more loads are under way at once. On an NVIDIA H200 a copy of 64 MiB
takes 37.1 us with four iterations at a time, and 47.9 with one. Accesses to four neighbours at once, as vectors, would
take 36.6, so there are none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...adopt.spirv._editor import ATOMICS, BINDING, Block, Instruction, Op, Shader
from ...adopt.spirv._plans import S_MAX, StrideLoop, Task
from ...adopt.taichi._plans import ARGUMENT, CONSTANT, BindingKind, Value, constant, is_settled, with_stored
from ...bundle._info import Binding
from ._accumulators import prune
from ._places import MAY_ALIAS

# Operations that have no other effect than their result, and are right with any operands.
CONVERSIONS = {*range(Op.CONVERT_S_TO_F, Op.F_CONVERT + 1), Op.BITCAST}
ARITHMETIC = {*range(Op.S_NEGATE, Op.F_MUL + 1), Op.F_DIV, *range(142, 149), *range(154, 192), *range(194, 206)}
PARTS = {Op.ACCESS_CHAIN, *range(79, 84)}
PURE = CONVERSIONS | ARITHMETIC | PARTS
DIVISIONS = {Op.U_DIV, Op.S_DIV, Op.U_MOD, Op.S_REM, Op.S_MOD}
MOST_PURE_FUNCTION = 50  # of GLSL's
WITH_POINTERS = {35, 51}  # of those
NON_WRITABLE = 24  # a decoration
BUFFERS = {BindingKind.TEMPORARIES, BindingKind.ROOT, BindingKind.ARRAY, BindingKind.RETURNS}


class Digit(NamedTuple):
    """A quotient of the loop's index, or of another quotient, by a size, and its remainder, if that is used."""

    quotient: int
    number: int
    size: int
    remainder: int | None


def without_repeated_work(shader: Shader, task: Task, sizes: Collection[int]) -> list[Digit]:
    """Change the code of a task; return the divisions that are left, for `carry`.

    `sizes` is where the argument struct has the sizes of arrays.
    """
    digits: list[Digit] = []
    if task.loop is not None:
        indices = _Indices(shader, task, task.loop, sizes)
        indices.simplify()
        digits = list(indices.digits)
    fixed = _fixed_places(shader, task)
    _hoist(shader, fixed)
    _merge(shader, fixed)
    prune(shader)
    return digits


def count_unsigned(shader: Shader, loop: StrideLoop) -> None:
    """Let the loop over the threads compare unsigned numbers, from its first index on if that may be negative."""
    defined, by_label = shader.definitions, shader.by_label
    phi, compare = defined[loop.number], defined[loop.compare]
    before = by_label[phi.operands[3]]
    header = next(block.body for block in shader.blocks if compare in block.body)
    integer, numbers = phi.operands[0], next(e.result for e in shader.preamble if e.op == Op.EXT_INST_IMPORT)
    assert numbers is not None
    first = 0 if loop.begin is None else constant(loop.begin)
    from_zero = first is not None and first >= 0
    least = shader.constant(integer, 0) if from_zero else defined[phi.operands[2]].operands[3]
    end, between, length = shader.new_id(), shader.new_id(), shader.new_id()
    before.body.insert(before.tail, Instruction(Op.EXT_INST, integer, end, numbers, S_MAX, compare.operands[3], least))
    if not from_zero:
        before.body.insert(before.tail, Instruction(Op.I_SUB, integer, length, end, least))
        header.insert(header.index(compare), Instruction(Op.I_SUB, integer, between, loop.number, least))
        compare.operands[2:] = [between, length]
    else:
        compare.operands[3] = end
    compare.op = Op.U_LESS_THAN


def carry(shader: Shader, loop: StrideLoop, digits: Iterable[Digit]) -> None:
    """Count quotients and remainders from one iteration to the next, as digits with a carry, instead of dividing."""
    defined, by_label, bool_ = shader.definitions, shader.by_label, shader.type(Op.TYPE_BOOL)
    phi, step = defined[loop.number], defined[loop.next]
    kind, before = phi.operands[0], by_label[phi.operands[3]]
    header = next(block for block in shader.blocks if phi in block.body)
    last = next(block for block in shader.blocks if step in block.body)
    blocks = [block for block in shader.blocks if block.label in shader.loop(header)]
    if sum(block.merge is not None and block.merge.op == Op.LOOP_MERGE for block in blocks) > 1:
        return  # what it divides is little beside its inner loops
    inside = {each.result for block in blocks for each in block.body}
    one, zero = shader.constant(kind, 1), shader.constant(kind, 0)
    numbers = next(each.operands[0] for each in shader.preamble if each.op == Op.EXT_INST_IMPORT)

    def make(block: Block, op: int, *operands: int, type_: int = kind) -> int:
        at = block.tail if block is before else block.body.index(step)
        made = shader.new_id()
        block.body.insert(at, Instruction(op, type_, made, *operands))
        return made

    def divide(number: int, size: int) -> tuple[int, int]:
        quotient = make(before, Op.S_DIV, number, size)
        return quotient, make(before, Op.I_SUB, number, make(before, Op.I_MUL, quotient, size))

    # By number: its first value, what each iteration adds to it, and the carry beyond that.
    counted: dict[int, tuple[int, int, int | None]] = {loop.number: (phi.operands[2], step.operands[3], None)}
    for digit in digits:
        if digit.number not in counted or digit.size in inside:
            continue
        start, more, carry = counted[digit.number]
        size = make(before, Op.EXT_INST, numbers, S_MAX, digit.size, one)
        (quotient, remainder), (quotients, remainders) = divide(start, size), divide(more, size)
        found, rest = shader.new_id(), shader.new_id()
        sum_ = make(last, Op.I_ADD, rest, remainders)
        if carry is not None:
            sum_ = make(last, Op.I_ADD, sum_, carry)
        over = make(last, Op.U_GREATER_THAN_EQUAL, sum_, size, type_=bool_)
        next_rest = make(last, Op.SELECT, over, make(last, Op.I_SUB, sum_, size), sum_)
        counted[digit.quotient] = counted[found] = quotient, quotients, make(last, Op.SELECT, over, one, zero)
        next_found = make(last, Op.I_ADD, make(last, Op.I_ADD, found, quotients), counted[found][2] or zero)
        labels = phi.operands[3], phi.operands[5]
        at = header.body.index(phi) + 1  # the loop is known by its first phi
        header.body[at:at] = [
            Instruction(Op.PHI, kind, found, quotient, labels[0], next_found, labels[1]),
            Instruction(Op.PHI, kind, rest, remainder, labels[0], next_rest, labels[1]),
        ]
        rename_all(shader, {digit.quotient: found, **({} if digit.remainder is None else {digit.remainder: rest})})


class _Indices:
    """What is known of the numbers that a loop computes from its index."""

    def __init__(self, shader: Shader, task: Task, loop: StrideLoop, sizes: Collection[int]) -> None:
        self._shader = shader
        written = task.code.writes
        stored = {at: n for at, n in task.stored.items() if not any(w.touches(range(at, at + 4)) for w in written)}
        found = ((each, _plain(with_stored(value, stored))) for each, value in task.code.values.items())
        self._values = {each: value for each, value in found if value is not None and is_settled(value)}
        self._sizes = sizes
        self._natural: set[int] = set()  # numbers that are not negative
        self._below: dict[int, Value] = {}  # what such a number is below
        self._quotients: dict[int, tuple[int, int]] = {}  # what is divided by what
        self._products: dict[int, tuple[int, int]] = {}
        self._remainders: dict[int, int] = {}  # by quotient
        self._false: set[int] = set()
        if self._is_natural(_plain(loop.begin) or (CONSTANT, 0)):
            self._note(loop.number, self._values.get(loop.end))

    @property
    def digits(self) -> Iterator[Digit]:
        """The divisions of numbers that are not negative, in order."""
        for quotient, (number, size) in self._quotients.items():
            if quotient in self._natural and self._number(size) is None:
                yield Digit(quotient, number, size, self._remainders.get(quotient))

    def simplify(self) -> None:
        same: dict[int, int] = {}
        types = {each.result: each.type for each in self._shader}
        for block in self._shader.blocks:
            for each in block.body:
                rename(each, same)
                found = None if each.result is None else self._find(each)
                if each.result is not None and found is not None and types.get(found) == each.type:
                    same[each.result] = found
        rename_all(self._shader, same)

    def _note(self, number: int, below: Value | None) -> None:
        """Note that a number is not negative, and what it is below."""
        self._natural.add(number)
        if below is not None:
            self._below[number] = below

    def _find(self, each: Instruction) -> int | None:
        """Return what equals the result of an instruction; else note what is known of it."""
        op, (kind, result, *of) = each.op, each.operands
        if op == Op.S_DIV:
            return self._quotient(kind, result, *of)
        if op == Op.I_MUL:
            self._products[result] = (of[0], of[1])
            zeros = [i for i in of if self._number(i) == 0]
            ones = [i for i in (0, 1) if self._number(of[i]) == 1]
            return zeros[0] if zeros else of[1 - ones[0]] if ones else None
        if op == Op.I_ADD:
            zeros = [i for i in (0, 1) if self._number(of[i]) == 0]
            return of[1 - zeros[0]] if zeros else None
        if op == Op.I_SUB:
            return self._difference(result, *of)
        is_false = op == Op.S_LESS_THAN and self._number(of[1]) == 0 and self._has_sign_of_0(of[0])
        is_false |= op == Op.LOGICAL_NOT_EQUAL and self._false.issuperset(of)
        if is_false or (op == Op.LOGICAL_AND and not self._false.isdisjoint(of)):
            self._false.add(result)
        return of[2] if op == Op.SELECT and of[0] in self._false else None

    def _quotient(self, kind: int, result: int, number: int, by: int) -> int | None:
        below, divisor = self._below.get(number), self._values.get(by)
        most, least = constant(below), constant(divisor)
        if below is not None and (below == divisor or (most is not None and least is not None and most <= least)):
            return self._shader.constant(kind, 0)
        self._quotients[result] = number, by
        if number in self._natural and self._has_sign_of_0(by):
            rest: Value | None = None
            if most is not None and least:
                rest = CONSTANT, (most - 1) // least + 1
            elif below is not None and len(below) == 3 and below[0] == "multiply" and divisor in below[1:]:
                rest = below[2] if divisor == below[1] else below[1]
            self._note(result, rest if rest is not None and self._is_count(rest) else None)
        return None

    def _is_count(self, value: Value) -> bool:
        """Return whether a value is a product of such that are not negative: as it wraps around it is only smaller."""
        if len(value) == 3 and value[0] == "multiply":
            return self._is_count(value[1]) and self._is_count(value[2])
        return self._is_natural(value)

    def _difference(self, result: int, left: int, right: int) -> int | None:
        if self._number(right) == 0:
            return left
        factors = self._products.get(right)
        for by, quotient in (factors, factors[::-1]) if factors is not None else ():
            if self._quotients.get(quotient) == (left, by) and left in self._natural and self._has_sign_of_0(by):
                self._note(result, self._values.get(by))
                self._remainders.setdefault(quotient, result)
        return None

    def _number(self, each: int) -> int | None:
        return constant(self._values.get(each))

    def _has_sign_of_0(self, each: int) -> bool:
        value = self._values.get(each)
        return each in self._natural or (value is not None and self._is_natural(value))

    def _is_natural(self, value: Value) -> bool:
        if len(value) == 2:
            return value[1] >= 0 if value[0] == CONSTANT else value[0] == ARGUMENT and value[1] in self._sizes
        name, left, right = value
        if name == "largest":
            return self._is_natural(left) or self._is_natural(right)
        if name == "subtract" and len(left) == 3 and left[0] == "largest":
            return right in left[1:]  # the length of a range, which has at most 2^31 numbers
        return name == "smallest" and self._is_natural(left) and self._is_natural(right)


def _plain(value: Value | None) -> Value | None:
    """Return a value without the additions that do nothing."""
    if value is None or len(value) == 2:
        return value
    name, left, right = value[0], _plain(value[1]), _plain(value[2])
    assert left is not None
    assert right is not None
    if name in ("add", "subtract") and right == (CONSTANT, 0):
        return left
    if name == "add" and len(left) == 3 and left[0] == "subtract" and left[2] == right:
        return left[1]
    return name, left, right


def _fixed_places(shader: Shader, task: Task) -> set[int]:
    """Find pointers to numbers at known places that nothing changes while the task runs: arguments, temporaries."""
    kinds = [BindingKind.ARGUMENTS] if task.code.writes else [BindingKind.ARGUMENTS, BindingKind.TEMPORARIES]
    numbers = {each.number for each in task.bindings if each.kind in kinds}
    variables = {variable for variable, (number,) in shader.decorations(BINDING).items() if number in numbers}
    chains = (each for block in shader.blocks for each in block.body if each.op == Op.ACCESS_CHAIN)
    values = task.code.values
    return {
        each.operands[1]
        for each in chains
        if each.operands[2] in variables and all(constant(values.get(i)) is not None for i in each.operands[3:])
    }


def _hoist(shader: Shader, fixed: Collection[int]) -> None:
    """Move what a loop computes anew in each iteration in front of it, outer loops first."""
    constants = {e.operands[1]: e.operands[2] for e in shader.preamble if e.op == Op.CONSTANT}
    for header in shader.blocks:
        if header.merge is None or header.merge.op != Op.LOOP_MERGE:
            continue
        labels = shader.loop(header)
        before = [each for each in shader.predecessors[header.label] if each.label not in labels]
        if len(before) != 1 or before[0].end.op != Op.BRANCH:
            continue
        blocks = [block for block in shader.blocks if block.label in labels]
        inside = {each.result for block in blocks for each in block.body}
        for block in blocks:
            kept: list[Instruction] = []
            for each in block.body:
                if is_pure(each, constants, fixed) and inside.isdisjoint(each.used):
                    before[0].body.insert(before[0].tail, each)
                    inside.discard(each.result)
                else:
                    kept.append(each)
            block.body = kept


def _merge(shader: Shader, fixed: Collection[int]) -> None:
    """Compute once what is computed several times at the begin, or there and later."""
    constants = {e.operands[1]: tuple(e.operands[2:]) for e in shader.preamble if e.op == Op.CONSTANT}
    found: dict[tuple[object, ...], int] = {}
    same: dict[int, int] = {}
    for block in shader.blocks:
        kept: list[Instruction] = []
        for each in block.body:
            rename(each, same)
            if is_pure(each, {}, fixed):
                used = ((i in each.places, of) for i, of in enumerate(each.operands))
                # Several ids may have the same constant.
                key = each.op, each.type, *(constants.get(of, of) if is_id else of for is_id, of in list(used)[2:])
                first = found.get(key)
                if first is not None:
                    same[each.operands[1]] = first
                    continue
                if block is shader.blocks[0]:
                    found[key] = each.operands[1]
            kept.append(each)
        block.body = kept
    rename_all(shader, same)


def rename_all(shader: Shader, same: Mapping[int, int]) -> None:
    for block in shader.blocks:
        for each in block.body:
            rename(each, same)


def rename(each: Instruction, same: Mapping[int, int]) -> None:
    for place in each.places:
        each.operands[place] = same.get(each.operands[place], each.operands[place])


def is_pure(each: Instruction, constants: Mapping[int, int], fixed: Collection[int] = ()) -> bool:
    """Return whether an instruction does nothing but compute its result, and is right with any operands."""
    if each.op == Op.LOAD:
        return each.operands[2] in fixed
    if each.op == Op.EXT_INST:
        return each.operands[3] <= MOST_PURE_FUNCTION and each.operands[3] not in WITH_POINTERS
    return each.op in PURE or (each.op in DIVISIONS and constants.get(each.operands[3], 0) not in (0, 0xFFFFFFFF))


def mark_read(shader: Shader, bindings: Sequence[Binding]) -> set[tuple[int, int]]:
    """Mark the buffers that the code only reads; return the pairs of bindings that must be different buffers then."""
    users = shader.users
    bindings = [each for each in bindings if each.kind in BUFFERS]
    found = ((variable, number) for variable, (number,) in shader.decorations(BINDING).items())
    buffers = [each for each in found if any(each[1] == binding.number for binding in bindings)]
    changed = {number for variable, number in buffers if not _is_only_read(users, variable)}
    # A buffer may have several bindings, of numbers of several types.
    written = [each for each in bindings if each.number in changed]
    kept = {each[1:] for each in written}
    read = [each for each in bindings if each[1:] not in kept]
    numbers = {each.number for each in read}
    for variable, number in buffers:
        if number in numbers:
            shader.decorate(variable, NON_WRITABLE)
    return {(a.number, b.number) for a in read for b in written if a.kind in MAY_ALIAS and b.kind in MAY_ALIAS}


def _is_only_read(users: Mapping[int, Sequence[Instruction]], variable: int) -> bool:
    chains = users.get(variable, ())
    uses = (use for chain in chains for use in users.get(chain.operands[1], ()))
    return all(chain.op == Op.ACCESS_CHAIN for chain in chains) and all(use.op == Op.LOAD for use in uses)


# Several iterations at a time.


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
    """Yield the instructions of all copies: up to a store those of each, then the stores."""
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

"""Into how many tasks a loop is divided: as many as keep threads busy, each with enough elements and not too many.

The compiler makes as many as there are threads, also for a loop of one element. Starting a task takes as long as 400
light elements, so tasks of these have more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction, read_instruction
from ._fixed import Fixed
from ._ir import CONTEXT, Block, Function, is_pointer

# Elements of a task. Threads that are done early take tasks of others, so the last tasks to end must be short.
LEAST, MOST, MOST_OF_SUMS = 512, 8192, 32768
# In instructions before passes: a task that has more than `LEAST` elements, and a call or an atomic operation at most.
WORK, SLOW = 1 << 18, 128
# For each thread, as others take tasks of one that begins late; of any loop with sums, whose bits follow from them.
TASKS, TASKS_OF_SUMS = 4, 16
PARTS = 16384  # bytes of sums of all tasks of a loop, at most
BEGIN, END = "%chunk.begin", "%chunk.end"  # of a task
SMALLEST = "@min_i32"
ARITHMETIC = ("add", "sub", "mul", "sdiv", "shl")
PURE = (*ARITHMETIC, "udiv", "and", "or", "zext", "sext", "icmp", "select", "ptrtoint")


class Chunks(NamedTuple):
    """The tasks of a loop."""

    # first, end: the first index of the loop and the one after the last: numbers, or values of the body that each task
    # computes.
    first: str
    end: str
    # tasks, least, most: the number of tasks of a loop in which each has at least and at most so many elements.
    tasks: int
    least: int
    most: int
    most_tasks: str  # a number or a value, of a loop with sums; else empty
    needed: list[Instruction]  # what computes `first` and `end` from the context

    def of_task(self, chunk: str) -> Iterator[str]:
        """What computes `BEGIN` and `END` of the task with a number."""
        yield from self._size(self.first, self.end, self.most_tasks)
        yield f"%chunk.index = zext i32 {chunk} to i64"
        yield "%chunk.from = mul i64 %chunk.size, %chunk.index"
        yield "%chunk.begin.wide = add i64 %chunk.first, %chunk.from"
        yield "%chunk.left = sub i64 %chunk.all, %chunk.from"
        yield "%chunk.is_last = icmp slt i64 %chunk.left, %chunk.size"
        yield "%chunk.own = select i1 %chunk.is_last, i64 %chunk.left, i64 %chunk.size"
        yield "%chunk.end.wide = add i64 %chunk.begin.wide, %chunk.own"
        yield f"{BEGIN} = trunc i64 %chunk.begin.wide to i32"
        yield f"{END} = trunc i64 %chunk.end.wide to i32"

    def started(self, task: Function, call: Instruction) -> Function:
        """Return the function of a task that the host calls, with as many tasks for the pool."""
        names = {CONTEXT: call.operands[0]}
        names |= {each.result: f"%chunk{each.result.replace('%', '.')}" for each in self.needed}
        needed = [each.renamed(names) for each in self.needed]
        first, end = names.get(self.first, self.first), names.get(self.end, self.end)
        number = [
            *self._size(first, end, names.get(self.most_tasks, self.most_tasks)),
            "%chunk.up = add i64 %chunk.all, %chunk.size",
            "%chunk.upper = sub i64 %chunk.up, 1",
            "%chunk.number = sdiv i64 %chunk.upper, %chunk.size",
            "%chunk.is_any = icmp sgt i64 %chunk.number, 1",
            "%chunk.several = select i1 %chunk.is_any, i64 %chunk.number, i64 1",
            "%chunk.tasks = trunc i64 %chunk.several to i32",
        ]
        new = call.renamed(names)
        new.operands[3] = "%chunk.tasks"
        started = [*needed, *map(read_instruction, number), new]
        blocks = {
            label: Block(label, [made for each in block.instructions for made in (started if each is call else [each])])
            for label, block in task.blocks.items()
        }
        return Function(task.head, task.name, task.parameters, blocks)

    def _size(self, first: str, end: str, most_tasks: str) -> Iterator[str]:
        """What computes the number of elements of a task, in i64: a loop may have all numbers of i32."""
        yield f"%chunk.first = sext i32 {first} to i64"
        yield f"%chunk.last = sext i32 {end} to i64"
        yield "%chunk.all = sub i64 %chunk.last, %chunk.first"
        yield f"%chunk.rounded = add i64 %chunk.all, {self.tasks - 1}"
        yield f"%chunk.part = sdiv i64 %chunk.rounded, {self.tasks}"
        yield f"%chunk.is_large = icmp sgt i64 %chunk.part, {self.least}"
        yield f"%chunk.enough = select i1 %chunk.is_large, i64 %chunk.part, i64 {self.least}"
        yield f"%chunk.is_long = icmp sgt i64 %chunk.enough, {self.most}"
        size = "%chunk.size" if not most_tasks else "%chunk.short"
        yield f"{size} = select i1 %chunk.is_long, i64 {self.most}, i64 %chunk.enough"
        if most_tasks:
            yield f"%chunk.shared = sdiv i64 %chunk.all, {most_tasks}"
            yield "%chunk.least = add i64 %chunk.shared, 1"
            yield "%chunk.is_least = icmp sgt i64 %chunk.least, %chunk.short"
            yield "%chunk.size = select i1 %chunk.is_least, i64 %chunk.least, i64 %chunk.short"


def chunks_of(
    call: Instruction, block: Block, begin: str, end: str, fixed: Fixed, least: int, most_tasks: str = ""
) -> Chunks | None:
    """Return the tasks of a loop, if the compiler's own tasks are understood.

    `call` starts the tasks. `block` computes the indices of a task, `begin` and `end`, from its number in a variable.
    A task has at least `least` elements. `most_tasks` is its value for the number of tasks, if it computes the bytes of
    sums.
    """
    _, _, start, tasks, step, size, *_ = call.operands
    bounds = bounds_of(block, begin, end)
    if bounds is None or [start, step, size] != ["0", "1", "1"] or not tasks.isdecimal():
        return None
    first, total = bounds
    after, bytes_of_sums = call.operands[8:]
    own = () if bytes_of_sums.isdecimal() else (bytes_of_sums, most_tasks)
    needed = _needed((*bounds, *own), {each.result: each for each in block.instructions}, fixed)
    if needed is None:
        return None
    if after == "null":
        return Chunks(first, total, int(tasks) * TASKS, least, MOST, "", needed)
    most = most_tasks if own else str(max(PARTS // (int(bytes_of_sums) + 7 & -8), TASKS_OF_SUMS))
    return Chunks(first, total, TASKS_OF_SUMS, least, MOST_OF_SUMS, most, needed)


def least_elements(element: Iterable[Instruction]) -> int:
    """Return how many elements a task has at least, given the instructions of an element without loops."""
    calls = ((each.opcode == "call" and not is_pointer(each.type)) or each.opcode == "atomicrmw" for each in element)
    work = sum(SLOW if is_slow else 1 for is_slow in calls)
    return min(max(WORK // work, LEAST), MOST) & -LEAST


def bounds_of(block: Block, begin: str, end: str) -> tuple[str, str] | None:
    """Return the first index of a loop and the one after the last, from those of a task, which the block computes."""
    definitions = {each.result: each for each in block.instructions}
    last = definitions.get(end)
    if last is None or last.callee != SMALLEST:
        return None
    first = _first(begin, last.operands[1], definitions)
    return None if first is None else (first, last.operands[0])


def _first(begin: str, following: str, definitions: dict[str, Instruction]) -> str | None:
    """The first index of a loop, from that of a task, which adds the size times a number, and the next task's."""
    index, first = definitions.get(begin), "0"
    if index is not None and index.opcode == "add":
        one, other = index.operands
        is_first = _is_product(definitions.get(one), definitions)
        first, index = (other, definitions[one]) if is_first else (one, definitions.get(other))
    following_index = definitions.get(following)
    if index is None or following_index is None or following_index.opcode != "add":
        return None
    if not _is_product(index, definitions):
        return None
    _, size = _product(index)
    left, right = following_index.operands
    if left == begin and right == size:
        return first
    both_known = size.isdecimal() and first.lstrip("-").isdecimal() and right.lstrip("-").isdecimal()
    return first if left == index.result and both_known and int(right) == int(first) + int(size) else None


def _is_product(each: Instruction | None, definitions: dict[str, Instruction]) -> bool:
    """Whether an instruction multiplies the number of a task, which is loaded, by the size of tasks."""
    number = definitions.get(_product(each)[0]) if each is not None else None
    return number is not None and number.opcode == "load"


def _product(each: Instruction) -> tuple[str, str]:
    """The two numbers whose product an instruction computes, the second one the size of tasks."""
    if each.opcode == "mul":
        number, size = sorted(each.operands, key=str.isdecimal)
        return (each.operands[1], each.operands[0]) if not size.isdecimal() else (number, size)
    if each.opcode == "shl" and each.operands[1].isdecimal():
        return each.operands[0], str(1 << int(each.operands[1]))
    return "", ""


def _needed(values: tuple[str, ...], definitions: dict[str, Instruction], fixed: Fixed) -> list[Instruction] | None:
    """What computes values from the context; None if it may change, or is not known."""
    found: list[Instruction] = []
    left = list(values)
    while left:
        value = left.pop()
        each = definitions.get(value)
        if not value.startswith("%") or value == CONTEXT or each in found:
            continue
        if each is None or not (fixed.is_taken(each) or each.opcode in PURE):
            return None
        found.append(each)
        left += each.operands
    return [each for each in definitions.values() if each in found]

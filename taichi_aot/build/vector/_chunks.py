"""Into how many tasks a loop is divided: as many as keep threads busy, each with enough elements and not too many.

The compiler makes as many as there are threads, also for a loop of one element.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction, read_instruction
from ._fixed import Fixed
from ._ir import CONTEXT, Block, Function

# Elements of a task. Threads that are done early take tasks of others, so the last tasks to end must be short.
LEAST, MOST, MOST_OF_SUMS = 512, 8192, 32768
# For each thread: others take tasks of one that begins late. A task adds its parts of sums to those of all others.
TASKS, TASKS_OF_SUMS = 4, 1
BEGIN, END = "%chunk.begin", "%chunk.end"  # of a task
SMALLEST = "@min_i32"
ARITHMETIC = ("add", "sub", "mul", "sdiv", "shl")


class Chunks(NamedTuple):
    """The tasks of a loop."""

    # first, end: the first index of the loop and the one after the last: numbers, or values of the body that each task
    # computes.
    first: str
    end: str
    # tasks, most: the number of tasks of a loop in which each has at least `LEAST` elements and at most `most`.
    tasks: int
    most: int
    needed: list[Instruction]  # what computes `first` and `end` from the context

    def of_task(self, chunk: str) -> Iterator[str]:
        """What computes `BEGIN` and `END` of the task with a number."""
        yield from self._size(self.first, self.end)
        yield f"%chunk.from = mul i32 %chunk.size, {chunk}"
        yield f"{BEGIN} = add i32 {self.first}, %chunk.from"
        yield f"%chunk.left = sub i32 {self.end}, {BEGIN}"
        yield "%chunk.is_last = icmp slt i32 %chunk.left, %chunk.size"
        yield "%chunk.own = select i1 %chunk.is_last, i32 %chunk.left, i32 %chunk.size"
        yield f"{END} = add i32 {BEGIN}, %chunk.own"

    def started(self, task: Function, call: Instruction) -> Function:
        """Return the function of a task that the host calls, with as many tasks for the pool."""
        names = {CONTEXT: call.operands[0]}
        names |= {each.result: f"%chunk{each.result.replace('%', '.')}" for each in self.needed}
        needed = [each.renamed(names) for each in self.needed]
        first, end = names.get(self.first, self.first), names.get(self.end, self.end)
        number = [
            *self._size(first, end),
            "%chunk.up = add i32 %chunk.all, %chunk.size",
            "%chunk.upper = sub i32 %chunk.up, 1",
            "%chunk.number = sdiv i32 %chunk.upper, %chunk.size",
            "%chunk.is_any = icmp sgt i32 %chunk.number, 1",
            "%chunk.tasks = select i1 %chunk.is_any, i32 %chunk.number, i32 1",
        ]
        new = call.copy()
        new.operands[3] = "%chunk.tasks"
        started = [*needed, *map(read_instruction, number), new]
        blocks = {
            label: Block(label, [made for each in block.instructions for made in (started if each is call else [each])])
            for label, block in task.blocks.items()
        }
        return Function(task.head, task.name, task.parameters, blocks)

    def _size(self, first: str, end: str) -> Iterator[str]:
        yield f"%chunk.all = sub i32 {end}, {first}"
        yield f"%chunk.rounded = add i32 %chunk.all, {self.tasks - 1}"
        yield f"%chunk.part = sdiv i32 %chunk.rounded, {self.tasks}"
        yield f"%chunk.is_large = icmp sgt i32 %chunk.part, {LEAST}"
        yield f"%chunk.enough = select i1 %chunk.is_large, i32 %chunk.part, i32 {LEAST}"
        yield f"%chunk.is_long = icmp sgt i32 %chunk.enough, {self.most}"
        yield f"%chunk.size = select i1 %chunk.is_long, i32 {self.most}, i32 %chunk.enough"


def chunks_of(call: Instruction, block: Block, begin: str, end: str, fixed: Fixed, *, has_sums: bool) -> Chunks | None:
    """Return the tasks of a loop, if the compiler's own tasks are understood.

    `call` starts the tasks. `block` computes the indices of a task, `begin` and `end`, from its number in a variable.
    """
    _, _, start, tasks, step, size, *_ = call.operands
    definitions = {each.result: each for each in block.instructions}
    last = definitions.get(end)
    if [start, step, size] != ["0", "1", "1"] or not tasks.isdecimal() or last is None or last.callee != SMALLEST:
        return None
    total, first = last.operands[0], _first(begin, last.operands[1], definitions)
    needed = None if first is None else _needed((first, total), definitions, fixed)
    if first is None or needed is None:
        return None
    factor, most = (TASKS_OF_SUMS, MOST_OF_SUMS) if has_sums else (TASKS, MOST)
    return Chunks(first, total, int(tasks) * factor, most, needed)


def _first(begin: str, following: str, definitions: dict[str, Instruction]) -> str | None:
    """The first index of a loop, from that of a task, which adds the size times a number, and the next task's."""
    index, first = definitions.get(begin), "0"
    if index is not None and index.opcode == "add":
        first, index = index.operands[1], definitions.get(index.operands[0])
    following_index = definitions.get(following)
    if index is None or following_index is None or following_index.opcode != "add":
        return None
    number, size = _product(index)
    counted = definitions.get(number)
    if counted is None or counted.opcode != "load":
        return None
    left, right = following_index.operands
    if left == begin and right == size:
        return first
    both_known = size.isdecimal() and first.lstrip("-").isdecimal() and right.lstrip("-").isdecimal()
    return first if left == index.result and both_known and int(right) == int(first) + int(size) else None


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
        if each is None or not (fixed.is_taken(each) or each.opcode in ARITHMETIC):
            return None
        found.append(each)
        left += each.operands
    return [each for each in definitions.values() if each in found]

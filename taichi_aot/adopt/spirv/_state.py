"""Whether a kernel uses what the library keeps in the temporaries between launches, as its SPIR-V code shows.

The temporaries are one buffer of the library, for all kernels. A launch leaves numbers there for its own later tasks,
and has written what it reads: any buffer will do. Only `ti.random` reads what earlier launches have left, a count of
the tasks that drew numbers, from which the next one takes its seeds. A kernel that touches this count, or that may read
what it has not written, needs the library's own buffer, whose handle the C-API does not give.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ._loops import TaskCode

__all__ = ["WrittenBytes"]

RANDOM_COUNT = range(4096, 4100)  # its bytes in the temporaries


class WrittenBytes:
    """The bytes of the temporaries that a launch has certainly written, task by task."""

    def __init__(self) -> None:
        self._bytes: set[int] = set()

    def take(self, code: TaskCode, *, has_one_thread: bool) -> bool:
        """Go on with the next task; False if it may use what an earlier launch has left.

        Parameters
        ----------
        code : TaskCode
            Of the task.
        has_one_thread : bool
            Whether it is launched with a single thread.
        """
        if not code.touches:
            return True
        if code.functions != 1 or any(touch.touches(RANDOM_COUNT) for touch in code.touches):
            return False
        writers: dict[int, set[int]] = {}  # by byte, the blocks of code that write it
        for touch in code.touches:
            for byte in touch.span or () if touch.writes else ():
                writers.setdefault(byte, set()).add(touch.block)
        following = _following(code, has_one_thread=has_one_thread)
        if not self._covers_reads(code, writers, following):
            return False
        for byte, blocks in writers.items():
            if all(following[block] for block in _reached(following, blocks)):  # none of them ends the task
                self._bytes.add(byte)
        return True

    def _covers_reads(
        self, code: TaskCode, writers: Mapping[int, set[int]], following: Mapping[int, Sequence[int]]
    ) -> bool:
        """Whether a task reads what was written: by earlier tasks, before in the same block, or on each way to it."""
        written_here: set[tuple[int, int]] = set()  # block and byte
        for touch in code.touches:
            for byte in touch.span or ():
                is_known = not touch.reads or byte in self._bytes or (touch.block, byte) in written_here
                if not is_known and touch.block in _reached(following, writers.get(byte, set()) - {touch.block}):
                    return False
                if touch.writes:
                    written_here.add((touch.block, byte))
        return True


def _following(code: TaskCode, *, has_one_thread: bool) -> dict[int, Sequence[int]]:
    """The blocks that may follow each block of code."""
    following: dict[int, Sequence[int]] = {}
    for label, operands in code.blocks.items():
        is_certain = has_one_thread and operands and operands[0] in code.of_first_thread
        following[label] = [each for each in (operands[1:2] if is_certain else operands) if each in code.blocks]
    return following


def _reached(following: Mapping[int, Sequence[int]], avoided: Collection[int]) -> set[int]:
    """The blocks that code may come to from its start without passing through those to avoid."""
    reached: set[int] = set()
    waiting = list(following)[:1]
    while waiting:
        block = waiting.pop()
        if block not in reached and block not in avoided:
            reached.add(block)
            waiting += following[block]
    return reached

"""Launches on several runtimes, and copies between them, that devices repeat."""

from __future__ import annotations

from collections.abc import Sequence

from ..driver._library import ffi
from ..handles._copies import AcrossRun, CopyStep, QueuedCopies
from ..kernels.calls._launch import Launch
from ..kernels.calls._recording import Recording

__all__ = ["Across", "CopyStep", "Launch", "QueuedCopies"]


class Across:
    """Steps that the devices repeat on their own. It keeps the launches.

    Attributes
    ----------
    was_recorded : bool
        Whether they made all iterations of the last run.
    """

    __slots__ = ("_launches", "_recording", "_run", "was_recorded")

    def __init__(self, run: AcrossRun, launches: Sequence[Launch]) -> None:
        self._run = run
        self._launches = launches
        plans = [launch._launcher.target.module.plans for launch in launches]
        self._recording = Recording(run.runtimes[0], ffi.NULL, plans)
        run.keep_in(self._recording.c)
        self.was_recorded = False

    @classmethod
    def record(cls, steps: Sequence[Launch | CopyStep]) -> Across | None:
        """Return what the devices repeat; None if they cannot. Each begin of copies has its end behind it."""
        launches = [step for step in steps if isinstance(step, Launch)]
        if not launches or any(launch._reloader or not launch._c.may_record for launch in launches):
            return None
        numbers = iter(range(len(launches)))
        runtimes = [launch._launcher.target.module.runtime for launch in launches]
        run = runtimes[0].backend.streams.record_across(
            [(runtime, launch._c) for runtime, launch in zip(runtimes, launches, strict=True)],
            [next(numbers) if isinstance(step, Launch) else step for step in steps],
        )
        return None if run is None else cls(run, launches)

    def run(self, repeat: int) -> int:
        """Make iterations, `repeat` of them or those before one that must be made step by step; return how many."""
        for launch in self._launches:
            if launch._c.may_record and not launch._c.recorded:
                launch._give_plan()
        made = self._run.run(repeat)
        self.was_recorded = made == repeat
        return made

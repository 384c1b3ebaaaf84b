"""Kernels that repeat some of their tasks until a number on the device is 0.

What lies between two ends of loops is a part, a launch of its own. C repeats a loop around one part, and reads its
number after each iteration. Loops around other loops are repeated here. So are all on CUDA, where each launch of a call
has to be in order with the streams of its arrays.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ...driver._library import Status, ffi, lib
from ...values._enums import DataType
from ._recording import Recorded, Recording

if TYPE_CHECKING:
    from ..._capi import taichi_aot_array_p, taichi_aot_launch_p
    from ..._cdata import Array
    from ...bundle._plan import Loop
    from ...handles._module import ModuleHandle

NO_LIMIT = 2**63 - 1


class Repeats:
    """The steps of a kernel with the arguments of a block: its launch `c`, and `arrays`.

    The conditions of `loops` are numbers of arrays. `error` makes the exception for a status.
    """

    def __init__(
        self,
        module: ModuleHandle,
        name: str,
        loops: Sequence[Loop],
        c: taichi_aot_launch_p,
        arrays: Array[taichi_aot_array_p],
        error: Callable[[int], Exception],
    ) -> None:
        self._module = module
        self._name = name
        self._c = c
        self._arrays = arrays
        self._error = error
        self._version = 0
        self._has_streams = module.runtime.backend.interchange.shares_cuda
        self._parts: list[_Part] = []
        self._steps = self._make(0, len(module.plan.kernels[name]["tasks"]), loops)

    def _make(self, begin: int, end: int, loops: Sequence[Loop]) -> Steps:
        """Return the steps of tasks, given the loops among them, outer ones first."""
        steps: list[_Part | _Loop] = []
        while loops:
            (first, last, array), *others = loops
            inner = [each for each in others if each[0] < last]
            steps += self._part(begin, first)
            steps.append(_Loop(array, self._make(first, last, inner)))
            begin, loops = last, others[len(inner) :]
        return [*steps, *self._part(begin, end)]

    def _part(self, begin: int, end: int) -> list[_Part]:
        made = [_Part(self._module, self._name, self._c, begin, end)] if begin < end else []
        self._parts += made
        return made

    def run(self) -> None:
        """Launch all; the arguments must not change until it returns."""
        self._version += 1
        for part in self._parts:
            part.c.version = self._version  # the block's is that of its last arguments
        self._run(self._steps)

    def _run(self, steps: Steps) -> None:
        for step in steps:
            if isinstance(step, _Part):
                while status := lib.taichi_aot_launch_now(step.c):
                    self._wait_after(status)
            elif len(step.steps) == 1 and isinstance(step.steps[0], _Part) and not self._has_streams:
                self._until(step.array, step.steps[0], 0, NO_LIMIT)
            else:
                is_over = False
                while not is_over:
                    self._run(step.steps)
                    is_over = self._until(step.array, self._parts[0], 1, 1)

    def _until(self, array: int, part: _Part, made: int, most: int) -> bool:
        """Repeat a part until a number is 0; if `most` iterations are made already, only read it."""
        number = self._arrays[array]
        values: dict[str, Any] = {
            "memory": number.memory,
            "generation": number.generation,
            "offset": number.offset,
            "staging": ffi.NULL if number.memory.address else self._module.runtime.backend.memory.staging,
            "dtype": int(DataType.I32),
            "every": 1,
            "value": math.nan,
        }
        until = ffi.new("taichi_aot_until *", values)
        position = ffi.new("taichi_aot_position *", {"iteration": made})
        while until.checked < most and not until.is_met:
            status = lib.taichi_aot_run_until(part.sequence, most, position, until)
            if status:
                self._wait_after(status)
                until.may_block = until.is_reading
        return bool(until.is_met)

    def _wait_after(self, status: int) -> None:
        """Wait for the device if a launch or a check has to; raise the error of another status."""
        if status not in (Status.UNFINISHED, Status.NOT_LAUNCHED):
            raise self._error(status)
        self._module.runtime.wait()


class _Part:
    """Tasks of a kernel that run one after the other."""

    def __init__(self, module: ModuleHandle, name: str, c: taichi_aot_launch_p, begin: int, end: int) -> None:
        runtime, plans = module.runtime, module.plans
        assert plans is not None  # or the kernel has no code of its own
        self._recorded = Recorded(runtime, plans.find_part(name, begin, end), plans)
        self._recording = Recording(runtime, [plans])
        self._pace = ffi.new("taichi_aot_pace *")
        self.c = ffi.new("taichi_aot_launch *", c[0])
        self.c.recorded = self._recorded.c
        self._item = ffi.new("taichi_aot_sequence_item *", {"launch": self.c})
        given = {
            "runtime": runtime.c,
            "items": self._item,
            "count": 1,
            "pace": self._pace,
            "recording": self._recording.c,
        }
        self.sequence = ffi.new("taichi_aot_sequence *", given)


class _Loop(NamedTuple):
    """Steps that are repeated until the array of this number has a 0."""

    array: int
    steps: Steps


Steps: TypeAlias = "Sequence[_Part | _Loop]"

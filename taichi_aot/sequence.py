"""Sequences: launches that are repeated in C."""

from __future__ import annotations

import operator
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ._ffi.library import ffi, lib
from ._handles.runtime import RuntimeHandle
from ._memory.convert import convert
from .enums import DataType
from .launch import Launch

__all__ = ["LaunchSequence", "Ramps"]

Ramps: TypeAlias = Mapping["str | tuple[int, str]", "tuple[float, float]"]

PASS = 0.05  # seconds until Python looks for signals, and how much work archs that record launches are given at a time
NO_LIMIT = 2**63 - 1


class LaunchSequence:
    """Launches of one runtime, in order, as often as wanted. Made by `Runtime.sequence`; call it to launch.

    It uses the launches themselves: what `Launch.update` changes later counts.
    """

    __slots__ = ("__weakref__", "_burst", "_launches", "_native", "_runtime")

    def __init__(self, runtime: RuntimeHandle, launches: Iterable[Launch]) -> None:
        self._burst = 8  # launches until the next wait, on archs that record them
        self._launches = tuple(launches)
        self._runtime = runtime
        if not self._launches:
            raise ValueError("a sequence needs at least one launch")
        for launch in self._launches:
            if not isinstance(launch, Launch):
                raise TypeError(f"a sequence is made of what bind() returns, not of {type(launch).__qualname__}")
            if launch._packer.module.runtime is not runtime:
                raise ValueError(f"{launch!r} belongs to another runtime")
        self._native = ffi.new("taichi_aot_launch *[]", [launch._native for launch in self._launches])

    def __len__(self) -> int:
        return len(self._launches)

    def __call__(self, repeat: int = 1, *, ramps: Ramps | None = None) -> None:
        """Launch all of them `repeat` times over, in C and without the GIL. Ctrl-C is seen within 100 ms.

        On archs that only record launches, some are recorded and waited for at a time: as many as take about 50 ms.

        Parameters
        ----------
        repeat : int, default 1
            How many times, at least 0.
        ramps : mapping, optional
            Scalars of i32 or f32 that change from one iteration to the next: for a parameter's name, or a pair of a
            launch's number and a name, ``(first, step)``. In iteration k, from 0 on, the scalar is
            ``first + k * step``. A name alone stands for every launch with a scalar of that name. Afterwards the
            launches have the arguments that they had before.

        Raises
        ------
        ValueError, TaichiError
            As a launch would, with its number and the iteration; those before it were launched, none after.
        TypeError, OverflowError
            For a ramp that no launch has, of another type, or out of its range.
        IndexError
            For a ramp of a launch that the sequence does not have.
        """
        repeat = operator.index(repeat)
        if repeat < 0:
            raise ValueError(f"repeat must not be negative: {repeat}")
        values = list(self._ramp_values(ramps or {}, repeat))
        native = ffi.new("taichi_aot_ramp[]", [ramp for ramp, _ in values])
        try:
            self._run(native, len(values), repeat)
        finally:
            for ramp, before in values:
                ffi.cast("int32_t *", ramp["value"])[0] = before

    def _run(self, ramps: Any, ramp_count: int, repeat: int) -> None:
        position = ffi.new("taichi_aot_position *")
        records = not self._runtime.arch.is_llvm
        while True:
            begin = time.monotonic()
            limit = self._burst if records else NO_LIMIT
            code = lib.taichi_aot_run_sequence(self._native, len(self), ramps, ramp_count, repeat, limit, position)
            if code:
                raise self._error(code, position)
            if position.iteration >= repeat:
                return
            if records:
                # Else all would be recorded long before it has run, in memory without end, deaf to Ctrl-C and other
                # threads while it is waited for.
                code = lib.taichi_aot_wait(self._runtime.c, False)
                if code:
                    raise self._error(code, position)
                self._burst = max(1, int(limit * min(PASS / (time.monotonic() - begin), 4)))

    def _error(self, code: int, position: Any) -> Exception:
        launch = self._launches[position.launch]
        error = launch._refuse(code)
        where = f"launch {position.launch} ({launch.signature.name}), iteration {position.iteration}"
        kind: type[Exception] = type(error)
        return kind(f"{where}: {error}")

    def _ramp_values(self, ramps: Ramps, repeat: int) -> Iterator[tuple[dict[str, Any], int]]:
        """The ramps as C takes them, each with the bits that stand in its place now."""
        for key, ramp in ramps.items():
            name, launches = self._ramped(key)
            found = [value for launch in launches if (value := launch._ramp_value(name)) is not None]
            if not found:
                raise TypeError(f"no launch of the sequence has a scalar parameter {name!r}")
            for value, dtype in found:
                first, step = _check_ramp(name, ramp, dtype, repeat)
                native = {"value": value, "is_real": dtype is DataType.F32, "first": first, "step": step}
                yield native, ffi.cast("int32_t *", value)[0]

    def _ramped(self, key: Any) -> tuple[str, Sequence[Launch]]:
        """The name in a ramp's key, and the launches that it stands for."""
        if isinstance(key, str):
            return key, self._launches
        if not isinstance(key, tuple) or len(key) != 2 or not isinstance(key[1], str):
            raise TypeError(f"a ramp is for a name, or a launch's number and a name, not for {key!r}")
        number = operator.index(key[0])
        if not 0 <= number < len(self):
            raise IndexError(f"the sequence has no launch {number}, it has {len(self)}")
        return key[1], self._launches[number : number + 1]

    def __reduce__(self) -> str:
        raise TypeError("cannot pickle or copy a LaunchSequence: it belongs to a native module of this process")

    def __repr__(self) -> str:
        return f"<LaunchSequence of {', '.join(launch.signature.name for launch in self._launches)}>"


def _check_ramp(name: str, ramp: Any, dtype: DataType, repeat: int) -> tuple[float, float]:
    """The first value and the step as Python's numbers, if all values are of the dtype."""
    if dtype not in (DataType.I32, DataType.F32):
        raise TypeError(f"a ramp is of i32 or f32; {name!r} is {dtype}")
    try:
        # The step of the smallest to the largest i32 is none itself.
        first, step = (convert(number, DataType.I64 if dtype is DataType.I32 else dtype) for number in ramp)
        for end in (first, first + max(repeat - 1, 0) * step):
            convert(end, dtype)
    except (TypeError, ValueError):
        kind = "integers" if dtype is DataType.I32 else "numbers"
        raise TypeError(f"the ramp of {name!r} must be two {kind}, the first and the step, not {ramp!r}") from None
    except OverflowError as error:
        raise OverflowError(f"the ramp of {name!r}: {error}") from None
    return first, step

"""Sequences: launches that are repeated in C, until a number on the device passes a bound, if one is given."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

from ..arrays._ndarray import ArraySlice, NdArray
from ..driver._library import Status, error_of, ffi, lib
from ..handles._runtime import RuntimeHandle, Unique
from ..values._errors import (
    ArgumentIndexError,
    ArgumentOutOfRangeError,
    ArgumentOverflowError,
    ArgumentTypeError,
    InvalidArgumentError,
    KernelAssertionError,
    KernelIndexError,
    NotSupportedError,
    ObjectStateError,
    TaichiError,
    describe,
    leave_caller,
    short,
)
from ..values._numbers import DataType, as_integer, convert
from ..values._signature import path_names
from ._block import NO_LIMIT, ArgumentBlock, Recorded, Recording, new_until
from ._launch import Launch

if TYPE_CHECKING:
    from .._capi import (
        taichi_aot_pace_p,
        taichi_aot_position_p,
        taichi_aot_sequence_item,
        taichi_aot_sequence_p,
        taichi_aot_step,
        taichi_aot_until_p,
    )
    from .._cdata import Array


Ramps: TypeAlias = Mapping["str | tuple[int, str]", "tuple[float, float]"]

INFINITE_F32 = 2.0**128 - 2.0**103  # the smallest number that f32 rounds to infinity
MOST_IDLE = 4  # sets of stepped scalars for which items are kept for later runs
SHOWN = 10  # launches, or runs of the same kernel, in a repr
NOT_READ = (DataType.F16, DataType.U1)  # numbers that C does not compare


class Iterations(int):
    """The number of iterations that a sequence with `LaunchSequence.until` has made: an int that says how they ended.

    Attributes
    ----------
    converged : bool
        Whether the last check found the number beyond its bound. Otherwise `repeat` iterations were made.
    value : float
        The number at the last check; NaN if there was none.

    Examples
    --------
    >>> made = Iterations(150, converged=True, value=9e-7)
    >>> made, made + 1, made.converged
    (150, 151, True)
    """

    converged: bool
    value: float

    def __new__(cls, count: int, converged: bool = False, value: float = math.nan) -> Iterations:
        self = super().__new__(cls, count)
        self.converged = converged
        self.value = value
        return self


class Bound(NamedTuple):
    """When a run ends: the number, the bound, on which side of it, and after how many iterations each check comes."""

    number: NdArray | ArraySlice
    bound: float
    is_above: bool
    every: int

    @classmethod
    def make(cls, runtime: RuntimeHandle, number: object, below: object, above: object, check_every: object) -> Bound:
        """Check the arguments of `LaunchSequence.until`."""
        if not isinstance(number, NdArray | ArraySlice):
            raise ArgumentTypeError(
                f"until() takes an NdArray of one number, or a slice such as array[0:1], not {describe(number)}"
            )
        if number._handle.runtime is not runtime:
            raise InvalidArgumentError(f"until(): {number!r} belongs to another runtime than the sequence")
        if number.size != 1:
            raise InvalidArgumentError(_not_one(cast("Any", number)))
        if number.data_type in NOT_READ:
            raise ArgumentTypeError(f"until(): {number!r} is of {number.data_type}; write the number as f32 or i32")
        if (below is None) is (above is None):
            raise ArgumentTypeError("until() takes either below= or above=")
        name, bound = ("below", below) if above is None else ("above", above)
        try:
            converted = float(convert(bound, DataType.F64))
        except (TypeError, OverflowError) as error:
            raise type(error)(f"until(): {name}: {error}") from None
        if math.isnan(converted):
            raise InvalidArgumentError(f"until(): {name} is NaN, which no number is {name}")
        every = as_integer(check_every, "check_every")
        if not 1 <= every <= NO_LIMIT:
            raise ArgumentOutOfRangeError(f"check_every must be at least 1 and less than 2**63, not {short(every)}")
        made = cls(number, converted, above is not None, every)
        made.begin()
        return made

    def begin(self) -> taichi_aot_until_p:
        """Return the ``taichi_aot_until *`` of a run; ValueError if the array is closed."""
        number = self.number
        if number.closed:
            number._handle.runtime.require_open()
            raise ObjectStateError("the array of until() is closed")
        memory = number._handle
        generation, side = number._c.generation, 1 if self.is_above else -1
        at = memory.c, generation, number._offset, memory.read_staging, number.data_type
        return new_until(*at, self.every, side=side, bound=self.bound)

    def __str__(self) -> str:
        every = f" every {self.every} iterations" if self.every > 1 else ""
        return f"until {self.number!r} is {'above' if self.is_above else 'below'} {self.bound:g}{every}"


def _not_one(number: Any) -> str:
    """Return the message for an array that does not have exactly one number."""
    count = math.prod(number.elem_shape)
    if number.size == 0:
        problem = f"{number!r} has none"
    elif count > 1:
        problem = f"each item of {number!r} has {count}: let a kernel write it to an array of numbers"
    else:
        problem = f"{number!r} has {number.size}: slice it, as in array[0:1]"
    return f"until() compares one number, and {problem}"


class Step(NamedTuple):
    """A stepped scalar: in iteration k it is ``first + k * step``."""

    parameter: int
    dtype: DataType
    first: float
    step: float


StepKey: TypeAlias = "frozenset[tuple[int, int]]"  # ids of launches, and indices of parameters


class LaunchSequence(Unique):
    """Launches of one runtime, repeated in order, created by `Runtime.sequence`. Call it to launch.

    The sequence does not copy its launches: `Launch.update` takes effect from the next launch on, even while the
    sequence runs. Several threads may run the same sequence.

    Examples
    --------
    >>> loop = rt.sequence([saxpy.bind(1.0, x, y), module.kernels["swap"].bind(x, y)])
    >>> loop
    <LaunchSequence of saxpy, swap>
    >>> loop(repeat=100)
    """

    __slots__ = ("_c_label", "_idle", "_items", "_launches", "_pace", "_runtime")
    _created_by = "Runtime.sequence()"
    _c_label: Any
    _idle: dict[StepKey, Items]
    _items: Items
    _launches: tuple[Launch, ...]
    _pace: taichi_aot_pace_p
    _runtime: RuntimeHandle

    @classmethod
    def _make(cls, runtime: RuntimeHandle, launches: Iterable[object]) -> LaunchSequence:
        self = object.__new__(cls)
        self._pace = ffi.new("taichi_aot_pace *")
        self._idle = {}  # of runs with ramps that have ended, by what they step
        if not isinstance(launches, Iterable):
            raise ArgumentTypeError(f"launches must be an iterable of launches from bind(), not {describe(launches)}")
        self._launches = tuple(_require_launch(launch, runtime) for launch in launches)
        self._runtime = runtime
        if not self._launches:
            raise InvalidArgumentError("a sequence needs at least one launch")
        for reloader in filter(None, (launch._reloader for launch in self._launches)):
            followed: LaunchSequence = reloader.sequence(runtime, self._launches)
            return followed
        is_labelled = runtime.context.c.is_labelled
        self._c_label = ffi.new("char[]", f"sequence of {self._names()}".encode()) if is_labelled else ffi.NULL
        self._pace.label = self._c_label
        self._items = Items(runtime, self._launches, {}, self._pace)
        return self

    def __len__(self) -> int:
        return len(self._launches)

    def __call__(self, /, repeat: int = 1, *, ramps: Ramps | None = None) -> None:
        """Launch the sequence `repeat` times, in C and without the GIL. Ctrl-C interrupts it within 100 ms.

        On archs that queue launches, the call queues about 50 ms of work at a time, then waits for it.

        Parameters
        ----------
        repeat : int, default 1
            Number of iterations, at least 0.
        ramps : mapping, optional
            Stepped scalars of i32 or f32. A key is a parameter name, such as ``"a"`` or ``"pack.a"``, or a pair of a
            launch's number and a parameter name. A name applies to each launch with a scalar of that name; a pair
            applies to that launch wherever it occurs in the sequence. The value is ``(first, step)``: in iteration k,
            from 0 on, the scalar is ``first + k * step``. The arguments of the launches do not change.

        Raises
        ------
        ValueError, BufferError, TaichiError
            As for a launch; the message has its number and the iteration. Earlier launches were made, later ones were
            not.
        TypeError, OverflowError
            If a stepped scalar is not a parameter of a launch, has another type, or leaves its range.
        ValueError
            If the same scalar of the same launch is stepped twice, or is the size of an array in a stated shape.
        IndexError
            If a launch number is not in the sequence.

        Examples
        --------
        >>> loop = rt.sequence([saxpy.bind(0.0, x, y)])
        >>> loop(repeat=4, ramps={"a": (1.0, 0.5)})  # 1.0 + 1.5 + 2.0 + 2.5
        >>> y.to_numpy()
        array([ 7., 14., 21.], dtype=float32)
        """
        try:
            self._launch(repeat, ramps, None)
        except TaichiError as error:
            leave_caller(error)
            raise

    def until(
        self,
        number: NdArray | ArraySlice,
        *,
        below: float | None = None,
        above: float | None = None,
        check_every: int = 1,
    ) -> UntilSequence:
        """Create a sequence that ends as soon as a number on the device is below or above a bound.

        The number is checked after every `check_every` iterations and after the last one, never before the first.
        Iterations behind a check run after it, so a run consists of whole iterations and no others. C reads the
        number, on every arch.

        Parameters
        ----------
        number : NdArray, or a slice of one
            An array of one number of f32, f64 or an integer type, such as the residual that a kernel computes.
        below, above : float
            The bound, one of the two. The number is compared as f64. NaN is neither below nor above anything, so a
            run whose number is NaN makes all its iterations.
        check_every : int, default 1
            Iterations from one check to the next. Each check takes time, so a larger number is faster, and makes up to
            as many iterations too many.

        Returns
        -------
        UntilSequence

        Raises
        ------
        TypeError
            If `number` is not an array of such a type, if neither or both of `below` and `above` are given, or if a
            value is not a number.
        ValueError
            If `number` has several numbers, is closed or belongs to another runtime, if the bound is NaN, or if
            `check_every` is less than 1.

        Examples
        --------
        >>> total = rt.zeros(1, "f32")
        >>> loop = rt.sequence([saxpy.bind(1.0, rt.full(1, 2.0), total)])
        >>> made = loop.until(total, above=100, check_every=20)(repeat=1000)
        >>> made, made.converged, made.value
        (60, True, 120.0)
        """
        return UntilSequence._make(self, Bound.make(self._runtime, number, below, above, check_every))

    def _launch(self, repeat: int, ramps: Ramps | None, bound: Bound | None) -> Iterations | None:
        """Run the sequence; with a bound, return the iterations that were made."""
        repeat = as_integer(repeat, "repeat")
        if repeat < 0:
            raise ArgumentOutOfRangeError(f"repeat must not be negative: {short(repeat)}")
        if repeat > NO_LIMIT:
            raise ArgumentOverflowError("repeat must be less than 2**63")
        if ramps is None or (isinstance(ramps, Mapping) and not ramps):
            return self._run(self._items, repeat, bound)
        steps = self._steps(ramps, repeat)
        key = frozenset((launch, i) for launch, stepped in steps.items() for i in stepped)
        items = self._idle.pop(key, None)  # runs do not share items
        items = items or Items(self._runtime, self._launches, steps, self._pace)
        items.set_steps(steps)
        made = self._run(items, repeat, bound)
        if len(self._idle) < MOST_IDLE:
            self._idle[key] = items
        return made

    def _run(self, items: Items, repeat: int, bound: Bound | None) -> Iterations | None:
        position = ffi.new("taichi_aot_position *")
        if bound is not None and repeat > 0:
            return self._run_until(items, repeat, position, bound)
        while True:
            status = lib.taichi_aot_run_sequence(items.c, repeat, position)
            if status:
                self._continue(items, status, position)
            elif position.iteration >= repeat:
                return None if bound is None else Iterations(0)

    def _run_until(self, items: Items, repeat: int, position: taichi_aot_position_p, bound: Bound) -> Iterations:
        until = bound.begin()
        while not until.is_met and until.checked < repeat:
            status = lib.taichi_aot_run_until(items.c, repeat, position, until)
            if status == Status.UNFINISHED and until.is_reading:
                self._wait_to_read(position.iteration)
                until.may_block = True
            elif status and until.is_reading:
                raise self._unread(status, position.iteration)
            elif status:
                self._continue(items, status, position)
        return Iterations(until.checked, bool(until.is_met), until.value)

    def _continue(self, items: Items, status: int, position: taichi_aot_position_p) -> None:
        """Create the plans or wait, depending on the status, so that the run can continue; raise an error."""
        if status == Status.NEEDS_PLAN:
            items.give_plans()
        elif status == Status.UNFINISHED:
            self._runtime.wait()
        else:
            raise self._error(status, position)

    def _wait_to_read(self, made: int) -> None:
        """Wait for this many iterations before a number is read."""
        try:
            self._runtime.wait()
        except (KernelAssertionError, KernelIndexError):  # whose message names the kernel
            raise
        except TaichiError as error:
            error.args = (f"the number of until(), iteration {made}: {error}",)
            raise

    def _unread(self, status: int, made: int) -> Exception:
        """Return the exception for a number that could not be read after this many iterations."""
        runtime = self._runtime
        error = runtime.closed_error() if status == Status.CLOSED else error_of(status)
        if status == Status.ARRAY_CLOSED:
            error = ObjectStateError("the array is closed")
        if status != Status.CHECK_FAILED:
            error.args = (f"the number of until(), iteration {made}: {error}",)
        return error

    def _error(self, status: int, position: taichi_aot_position_p) -> Exception:
        number: int = position.launch
        target = self._launches[number]._launcher.target
        error = target.error(status)
        if status == Status.CHECK_FAILED:  # of any launch so far, and its message names the kernel
            return error
        error.args = (f"launch {number} ({target.signature.name}), iteration {position.iteration}: {error}",)
        return error

    def _steps(self, ramps: Ramps, repeat: int) -> dict[int, dict[int, Step]]:
        """Return the stepped scalars by the launch's id and the parameter's index."""
        steps: dict[int, dict[int, Step]] = {}
        if not isinstance(ramps, Mapping):
            raise ArgumentTypeError(f"ramps must be a mapping of names to (first, step), not {describe(ramps)}")
        for key, ramp in ramps.items():
            name, launches = self._ramped(key)
            found = [(launch, i) for launch in launches if (i := _scalar(launch, name)) is not None]
            if not found:
                raise _no_scalar(launches, name)
            for launch, i in found:
                if i in steps.setdefault(id(launch), {}):
                    raise InvalidArgumentError(f"two ramps are for the scalar {name!r} of {launch!r}")
                steps[id(launch)][i] = _check_ramp(launch, i, ramp, repeat)
        return steps

    def _ramped(self, key: Any) -> tuple[str, Sequence[Launch]]:
        """Return the name in a ramp's key, and the launches that it applies to."""
        match key:
            case str():
                return key, list(dict.fromkeys(self._launches))
            case (number, str(name)):
                number = as_integer(number, "the launch of a ramp")
                if not 0 <= number < len(self):
                    raise ArgumentIndexError(f"the sequence has no launch {short(number)}, it has {len(self)}")
                return name, self._launches[number : number + 1]
            case _:
                raise ArgumentTypeError(f"a ramp is for a name, or a launch's number and a name, not for {short(key)}")

    def _names(self) -> str:
        names = [launch.signature.name for launch in self._launches]
        number = ""
        if len(self) > SHOWN:
            number = f"{len(self)} launches: "
            runs = ((name, len(list(run))) for name, run in groupby(names))
            names = [f"{name} x {length}" if length > 1 else name for name, length in islice(runs, SHOWN + 1)]
            names[SHOWN:] = ["..."] * (len(names) > SHOWN)
        return f"{number}{', '.join(names)}"

    def __repr__(self) -> str:
        return f"<LaunchSequence of {self._names()}{' (recorded)' * bool(self._pace.is_recorded)}>"


class UntilSequence(Unique):
    """A sequence that ends as soon as a number on the device is beyond a bound, created by `LaunchSequence.until`.

    Examples
    --------
    >>> total = rt.zeros(1, "f32")
    >>> loop = rt.sequence([saxpy.bind(1.0, rt.full(1, 2.0), total)]).until(total, above=100, check_every=20)
    >>> loop(repeat=1000)
    60
    """

    __slots__ = ("_bound", "_sequence")
    _created_by = "until() of a sequence"
    _bound: Bound
    _sequence: LaunchSequence

    @classmethod
    def _make(cls, sequence: LaunchSequence, bound: Bound) -> UntilSequence:
        self = object.__new__(cls)
        self._sequence = sequence
        self._bound = bound
        return self

    def __len__(self) -> int:
        return len(self._sequence)

    def __call__(self, /, repeat: int, *, ramps: Ramps | None = None) -> Iterations:
        """Launch the sequence until its number is beyond the bound, and at most `repeat` times.

        Parameters
        ----------
        repeat : int
            The largest number of iterations, at least 0.
        ramps : mapping, optional
            As for a `LaunchSequence`.

        Returns
        -------
        Iterations
            The number of iterations made, an int; `Iterations.converged` says whether the bound ended them, and
            `Iterations.value` is the number.

        Raises
        ------
        ValueError, TypeError, OverflowError, IndexError, BufferError, TaichiError
            As for a `LaunchSequence`, and if the number cannot be read, for example because its array is closed.

        Examples
        --------
        >>> total = rt.zeros(1, "f32")
        >>> loop = rt.sequence([saxpy.bind(1.0, rt.full(1, 2.0), total)]).until(total, above=100)
        >>> made = loop(repeat=10)
        >>> made, made.converged, made.value
        (10, False, 20.0)
        """
        try:
            made = self._sequence._launch(repeat, ramps, self._bound)
        except TaichiError as error:
            leave_caller(error)
            raise
        assert made is not None  # there is a bound
        return made

    def __repr__(self) -> str:
        return f"<UntilSequence: {self._sequence!r} {self._bound}>"


class Items:
    """The launches of one run as C structures. C writes stepped scalars to blocks that belong to the run.

    The sequence keeps the pace.
    """

    __slots__ = ("_c_items", "_launches", "_memory", "_recorded", "_recording", "c")

    def __init__(
        self,
        runtime: RuntimeHandle,
        launches: Sequence[Launch],
        steps: Mapping[int, Mapping[int, Step]],
        pace: taichi_aot_pace_p,
    ) -> None:
        is_native = all(launch._launcher.target.is_native for launch in launches)
        self._launches = launches
        plans = [launch._launcher.target.module.plans for launch in launches]
        self._recording = Recording(runtime, plans) if is_native else None
        self._recorded: list[Recorded] = []  # of scratch blocks
        self._c_items: Array[taichi_aot_sequence_item] = ffi.new("taichi_aot_sequence_item[]", len(launches))
        self.c: taichi_aot_sequence_p = ffi.new("taichi_aot_sequence *")
        self.c.runtime, self.c.items, self.c.count, self.c.pace = runtime.c, self._c_items, len(launches), pace
        if self._recording:
            self.c.recording = self._recording.c
        # Scratch block, the indices of its stepped scalars, and the steps, by the launch's id.
        self._memory: dict[int, tuple[ArgumentBlock, Sequence[int], Array[taichi_aot_step]]] = {}
        for item, launch in zip(self._c_items, launches, strict=True):
            item.launch = launch._c
            if id(launch) in steps:
                self._set_steps(item, launch, steps[id(launch)])

    def _set_steps(self, item: taichi_aot_sequence_item, launch: Launch, steps: Mapping[int, Step]) -> None:
        if id(launch) not in self._memory:
            scratch = launch._launcher.target.new_block(launch._block.result)
            scratch.c.version = -1  # matches no version of a launch, so C fills the block first
            c_steps = ffi.new("taichi_aot_step[]", [_c_step(scratch, step) for step in steps.values()])
            self._memory[id(launch)] = scratch, tuple(steps), c_steps
        scratch, _, item.steps = self._memory[id(launch)]
        item.scratch, item.step_count = scratch.c, len(steps)

    def set_steps(self, steps: Mapping[int, Mapping[int, Step]]) -> None:
        """Set first values and steps of the same scalars."""
        for key, (_, parameters, c_steps) in self._memory.items():
            for c_step, i in zip(c_steps, parameters, strict=True):
                c_step.first, c_step.step = steps[key][i].first, steps[key][i].step

    def give_plans(self) -> None:
        """Give all launches the plans that they need."""
        for launch in self._launches:
            memory = self._memory.get(id(launch))
            if not launch._launcher.target.is_native:
                continue
            if memory is not None and not memory[0].c.recorded:
                launch._launcher.target.give_plan(memory[0].c, self._recorded)
            elif memory is None and not launch._c.recorded:
                launch._launcher.target.give_plan(launch._c, launch._recorded)


def _require_launch(launch: object, runtime: RuntimeHandle) -> Launch:
    if not isinstance(launch, Launch):
        raise ArgumentTypeError(
            f"a sequence consists of launches, not of {type(launch).__qualname__}; write kernel.bind(...) for each"
        )
    if launch._launcher.target.module.runtime is not runtime:
        raise InvalidArgumentError(
            f"{launch!r} belongs to another runtime than the sequence, which is on {runtime.arch}; "
            "write module.runtime.sequence([...]) with the launch's module"
        )
    if launch._launcher.target.repeats:
        raise NotSupportedError(f"{launch!r} repeats tasks itself, which a sequence cannot: call it")
    return launch


def _no_scalar(launches: Sequence[Launch], name: str) -> ArgumentTypeError:
    """Return the exception for a ramp whose name is not that of a scalar."""
    parameters = [parameter for launch in launches for parameter in launch.signature.parameters]
    other = next((parameter for parameter in parameters if parameter.name == name), None)
    scalars = dict.fromkeys(repr(parameter.name) for parameter in parameters if parameter.kind == "scalar")
    have = f"; the scalars are {', '.join(scalars) or 'none'}"
    if other is None:
        return ArgumentTypeError(f"no launch of the sequence has a scalar parameter {short(name)}{have}")
    return ArgumentTypeError(
        f"a ramp steps a scalar, and the parameter {short(name)} is {other.type_name}{have}; "
        "launch.update(...) replaces an argument between runs"
    )


def _c_step(block: ArgumentBlock, step: Step) -> dict[str, Any]:
    is_real = step.dtype is DataType.F32
    return {"value": block.values[step.parameter], "is_real": is_real, "first": step.first, "step": step.step}


def _scalar(launch: Launch, name: str) -> int | None:
    """Return the index of the scalar parameter of that name or path; None if the launch does not have it."""
    target = launch._launcher.target
    names = path_names(target.signature.parameters)
    if name not in names:
        return None
    index = names.index(name)
    return index if target.arguments[index].parameter.kind == "scalar" else None


def _to_step(value: object, dtype: DataType) -> int | float:
    """Return the step of a ramp as a number."""
    if dtype is not DataType.I32:
        return convert(value, dtype)
    try:
        return convert(value, DataType.I64)  # the step from the smallest to the largest i32 does not fit i32
    except OverflowError:
        raise ArgumentOverflowError(f"with the step {short(value)} it does not fit i32") from None


def _check_ramp(launch: Launch, index: int, ramp: Any, repeat: int) -> Step:
    """Return the stepped scalar of a parameter; raise if a value does not fit the dtype."""
    target = launch._launcher.target
    name, dtype = path_names(target.signature.parameters)[index], target.arguments[index].parameter.dtype
    if dtype is not DataType.I32 and dtype is not DataType.F32:
        raise ArgumentTypeError(
            f"a ramp is of i32 or f32; {name!r} is {dtype}: compile the parameter as one of them, or launch in a loop"
        )
    if index in target.shapes.scalars:
        raise InvalidArgumentError(
            f"{target.signature.name}(): {name!r} is the size of an array, which a ramp cannot step"
        )
    try:
        first, step = ramp
    except (TypeError, ValueError):
        raise ArgumentTypeError(f"the ramp of {name!r} must be a pair (first, step), not {short(ramp)}") from None
    try:
        first, step = convert(first, dtype), _to_step(step, dtype)
        last = convert(first + max(repeat - 1, 0) * step, dtype)
    except (TypeError, OverflowError) as error:
        raise type(error)(f"the ramp of {name!r}: {error}") from None
    if abs(last) >= INFINITE_F32 and math.isfinite(first) and math.isfinite(step):
        raise ArgumentOverflowError(f"the ramp of {name!r}: with the step {short(step)} it does not fit f32")
    return Step(index, dtype, first, step)

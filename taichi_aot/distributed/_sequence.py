"""Sequences of launches on several runtimes, with the exchanges between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeVar

from ..handles._resource import Unique
from ..runtime._across import Across, CopyStep, Launch
from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentOverflowError,
    ArgumentTypeError,
    InvalidArgumentError,
    KernelAssertionError,
    KernelIndexError,
    TaichiError,
)
from ..values._integers import as_integer
from ..values._wording import describe, short
from ._halos import Exchange, Halos, exchange_now
from ._parts import Parts, all_halos

__all__ = ["Overlap", "PartsSequence", "overlap", "sequence"]

MOST_ITERATIONS = 2**63 - 1

T = TypeVar("T")


class Overlap(Unique):
    """An exchange and the launches beside it, a step of a `sequence`: `overlap` creates it.

    Attributes
    ----------
    parts : tuple of Parts
        The arrays whose halos are filled.
    launches : tuple of Launch
        What is launched meanwhile.

    Examples
    --------
    >>> u = taichi_aot.distributed.decompose(8, [rt, rt])
    >>> len(taichi_aot.distributed.overlap(u, [saxpy.bind(1.0, x, y)]).launches)
    1
    """

    __slots__ = ("launches", "parts")

    parts: tuple[Parts, ...]
    launches: tuple[Launch, ...]

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError("an Overlap is created by taichi_aot.distributed.overlap()")

    @classmethod
    def _of(cls, parts: tuple[Parts, ...], launches: tuple[Launch, ...]) -> Overlap:
        self = object.__new__(cls)
        self.parts = parts
        self.launches = launches
        return self

    def __repr__(self) -> str:
        return f"<Overlap: exchange beside {', '.join(launch.signature.name for launch in self.launches) or 'nothing'}>"


Step: TypeAlias = "Launch | Parts | Overlap"


def overlap(parts: Parts | Sequence[Parts], launches: Iterable[Launch]) -> Overlap:
    """Return a step of a `sequence`: an exchange, beside launches that neither read nor write the halos.

    Parameters
    ----------
    parts : Parts or sequence of Parts
        The arrays whose halos are filled, as by `exchange_begin`.
    launches : iterable of Launch
        Launches from ``kernel.bind(...)``, on any runtimes. They may read the interiors of the arrays, but not write
        them.

    Returns
    -------
    Overlap

    Raises
    ------
    TypeError
        If an argument is something else.
    ValueError
        If several arrays have neighbours in different processes.

    Examples
    --------
    >>> u = taichi_aot.distributed.decompose(8, [rt, rt])
    >>> loop = taichi_aot.distributed.sequence([taichi_aot.distributed.overlap(u, [saxpy.bind(1.0, x, y)])])
    """
    arrays = (parts,) if isinstance(parts, Parts) else tuple(_iterated(parts, "parts", "Parts"))
    all_halos(arrays)
    found = tuple(_iterated(launches, "launches", "launches from bind()"))
    for i, launch in enumerate(found):
        if not isinstance(launch, Launch):
            raise ArgumentTypeError(f"launches[{i}] must be a launch from bind(), not {describe(launch)}")
    return Overlap._of(arrays, found)


def sequence(steps: Iterable[Step]) -> PartsSequence:
    """Create a sequence of launches on several runtimes and of exchanges between them. Call it to run it.

    On CUDA devices whose launches can all be recorded, iterations become graphs over all devices: kernels, copies of
    halos, and what waits for what. Elsewhere the steps are made one after the other.

    Parameters
    ----------
    steps : iterable
        In order: a launch from ``kernel.bind(...)`` on any runtime, `Parts` for its exchange, or an `overlap` of both.

    Returns
    -------
    PartsSequence

    Raises
    ------
    TypeError
        If a step is something else.
    ValueError
        If there are no steps.

    Examples
    --------
    >>> u = taichi_aot.distributed.decompose(8, [rt, rt])
    >>> loop = taichi_aot.distributed.sequence([u, saxpy.bind(1.0, u[0].array, u[1].array)])
    >>> loop(repeat=100)
    """
    return PartsSequence._of(steps)


class PartsSequence(Unique):
    """Launches and exchanges in order, created by `sequence`.

    The sequence does not copy its launches: `Launch.update` takes effect in a later iteration.

    Examples
    --------
    >>> u = taichi_aot.distributed.decompose(8, [rt, rt])
    >>> taichi_aot.distributed.sequence([u, saxpy.bind(1.0, x, y)])
    <PartsSequence of exchange, saxpy>
    """

    __slots__ = ("_across", "_steps")
    _across: Across | None
    _steps: tuple[Step, ...]

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError("a PartsSequence is created by taichi_aot.distributed.sequence()")

    @classmethod
    def _of(cls, steps: Iterable[Step]) -> PartsSequence:
        self = object.__new__(cls)
        self._steps = tuple(_iterated(steps, "steps", "launches, Parts and overlap()"))
        for i, step in enumerate(self._steps):
            if not isinstance(step, (Launch, Parts, Overlap)):
                hint = ": write [parts] for its exchange" if isinstance(steps, Parts) else ""
                raise ArgumentTypeError(
                    f"steps[{i}] must be a launch from bind(), Parts or overlap(), not {describe(step)}{hint}"
                )
        if not self._steps:
            raise InvalidArgumentError("a sequence needs at least one step")
        recorded = _recorded_steps(self._steps)
        self._across = None if recorded is None else Across.record(recorded)
        return self

    def __len__(self) -> int:
        return len(self._steps)

    def __call__(self, /, repeat: int = 1) -> None:
        """Run the steps `repeat` times. Ctrl-C interrupts it between two steps, or within 100 ms.

        Parameters
        ----------
        repeat : int, default 1
            Number of iterations, at least 0.

        Raises
        ------
        ValueError, OverflowError, BufferError, TaichiError
            As for launches and `exchange`. The message has the number of the step and the iteration; the steps before
            were made.

        Examples
        --------
        >>> u = taichi_aot.distributed.decompose(4, [rt])
        >>> taichi_aot.distributed.sequence([saxpy.bind(1.0, x, y), u])(repeat=10)
        >>> y.to_numpy()
        array([10., 20., 30.], dtype=float32)
        """
        repeat = as_integer(repeat, "repeat")
        if repeat < 0:
            raise ArgumentOutOfRangeError(f"repeat must not be negative: {short(repeat)}")
        if repeat > MOST_ITERATIONS:
            raise ArgumentOverflowError("repeat must be less than 2**63")
        iteration = 0 if self._across is None else self._across.run(repeat)
        while iteration < repeat:
            for number, step in enumerate(self._steps):
                _make(step, number, iteration)
            iteration += 1

    def __repr__(self) -> str:
        way = " (recorded)" if self._across is not None and self._across.was_recorded else ""
        return f"<PartsSequence of {', '.join(map(_name, self._steps))}{way}>"


def _iterated(values: Iterable[T], name: str, what: str) -> Iterable[T]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise ArgumentTypeError(f"{name} must be an iterable of {what}, not {describe(values)}")
    return values


def _recorded_steps(steps: Sequence[Step]) -> list[Launch | CopyStep] | None:
    """Return what devices do; None if the host takes part."""
    found: list[Launch | CopyStep] = []
    for step in steps:
        if isinstance(step, Launch):
            found.append(step)
            continue
        exchanged = all_halos((step,) if isinstance(step, Parts) else step.parts)
        exchanged = [halos for halos in exchanged if halos.copies or halos.links]  # one part can have no neighbour
        copies = [halos.queued for halos in exchanged if halos.queued is not None]
        if len(copies) < len(exchanged) or not all(halos.can_begin for halos in exchanged):
            return None
        found.extend(CopyStep(each, True) for each in copies)
        found.extend(() if isinstance(step, Parts) else step.launches)
        found.extend(CopyStep(each, False) for each in copies)
    return found


def _make(step: Step, number: int, iteration: int) -> None:
    """Make one step; its number and the iteration are in the message of an error."""
    try:
        if isinstance(step, Launch):
            step()
        elif isinstance(step, Parts):
            exchange_now(all_halos((step,)))
        else:
            _overlap(all_halos(step.parts), step.launches)
    except (KernelAssertionError, KernelIndexError):
        raise  # of any launch so far, and the message names the kernel
    except TaichiError as error:
        error.args = (f"step {number} ({_name(step)}), iteration {iteration}: {error}", *error.args[1:])
        raise


def _overlap(exchanged: Sequence[Halos], launches: Sequence[Launch]) -> None:
    with Exchange._begin(exchanged):
        for launch in launches:
            launch()


def _name(step: Step) -> str:
    if isinstance(step, Launch):
        return step.signature.name
    if isinstance(step, Parts):
        return "exchange"
    return f"overlap with {', '.join(launch.signature.name for launch in step.launches) or 'nothing'}"

"""Event and Timer: points in the work of a runtime, and the device's time between two of them."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from ..driver._library import Status, keeping_failures
from ..handles._memory import Mark
from ..handles._runtime import PENDING, Unique
from ..values._errors import ArgumentTypeError, InvalidArgumentError, ObjectStateError, describe, with_unit
from ..values._items import state_absent

if TYPE_CHECKING:
    from ..handles._runtime import Runtime


class Event(Unique):
    """A point in the work of a runtime, created by `Runtime.record_event`.

    The device reaches it after all launches and copies before it. On CUDA these are the ones in the order of the
    stream that was current in the recording thread. An event can be awaited: ``await event`` waits without blocking
    the event loop, in the thread of `Runtime.wait_async`.

    Examples
    --------
    >>> before = rt.record_event()
    >>> saxpy(2.0, x, y)
    >>> after = rt.record_event()
    >>> after.wait()
    >>> after.done, before.elapsed(after) > 0
    (True, True)
    """

    __slots__ = ("_mark", "_runtime")
    _created_by = "Runtime.record_event()"
    _mark: Mark
    _runtime: Runtime

    @classmethod
    def _record(cls, runtime: Runtime) -> Event:
        self = object.__new__(cls)
        self._runtime = runtime
        self._mark = Mark(runtime._handle)
        return self

    @property
    def runtime(self) -> Runtime:
        """The runtime that recorded it."""
        return self._runtime

    @property
    def done(self) -> bool:
        """Whether the device has reached the event. Reading it does not wait.

        Raises
        ------
        ValueError
            If the runtime is closed.
        DeviceLostError
            If a kernel faulted on a CUDA device.
        """
        status = self._mark.ask()
        if status in PENDING:
            return False
        self._mark.runtime.check(status)
        return True

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the device has reached the event. Later launches may still run.

        Ctrl-C ends the wait within 100 ms, as it does for `Runtime.wait`.

        Parameters
        ----------
        timeout : float, optional
            As for `Runtime.wait`.

        Raises
        ------
        TimeoutError, TypeError, ValueError, DeviceLostError
            As for `Runtime.wait`.

        Examples
        --------
        >>> saxpy(2.0, x, y)
        >>> event = rt.record_event()
        >>> event.wait(timeout=10)
        """
        self._mark.runtime.require_open()
        self._mark.runtime.wait_until(self._mark.ask, timeout)

    def __await__(self) -> Generator[Any, None, None]:
        from ._waiting import submit

        handle = self._mark.runtime
        handle.require_open()
        if self.done:  # otherwise it would wait behind other waits
            return (_ for _ in ())
        return submit(handle, self.wait, "wait()").__await__()

    def elapsed(self, other: Event) -> float:
        """Return the seconds from this event to another of the same runtime, by the device's clock.

        It is negative if the other event came first. The method does not wait.

        Parameters
        ----------
        other : Event
            Another event of the runtime.

        Raises
        ------
        ValueError
            If the device has not reached both events, they belong to different runtimes, or the runtime is closed.
        TypeError
            If `other` is not an Event.

        Examples
        --------
        >>> before, after = rt.record_event(), rt.record_event()
        >>> after.wait()
        >>> before.elapsed(after) >= 0
        True
        """
        if not isinstance(other, Event):
            raise ArgumentTypeError(f"other must be an Event, not {describe(other)}")
        if other._mark.runtime is not self._mark.runtime:
            both = f"{self._runtime!r} and {other._runtime!r}"
            raise InvalidArgumentError(f"the events belong to different runtimes, {both}: record both with one runtime")
        for event, name in ((self, "this event"), (other, "the other event")):
            if not event.done:
                raise ObjectStateError(f"the device has not reached {name}; call wait() of the later event first")
        return self._mark.seconds_to(other._mark)

    def __repr__(self) -> str:
        states = {0: "done ", Status.CLOSED: "closed "} | dict.fromkeys(PENDING, "pending ")
        state = states.get(keeping_failures(self._mark.ask), "")
        return f"<{state}Event of {self._runtime.arch}:{self._runtime.device_index}>"


class Timer(Unique):
    """Context manager that measures the device's time of the launches and copies in it, created by `Runtime.timer`.

    It records an event at the beginning of the ``with`` statement and another at the end. Leaving the statement does
    not wait; `seconds` does. Each ``with`` statement measures again. One that raises has no time.

    Examples
    --------
    >>> with rt.timer() as timer:
    ...     saxpy(2.0, x, y)
    >>> timer.seconds > 0
    True
    """

    __slots__ = ("_begin", "_end", "_runtime", "_seconds")
    _created_by = "Runtime.timer()"
    _begin: Event | None
    _end: Event | None
    _runtime: Runtime
    _seconds: float | None

    @classmethod
    def _make(cls, runtime: Runtime) -> Timer:
        self = object.__new__(cls)
        runtime._handle.require_open()
        self._runtime = runtime
        self._begin = self._end = self._seconds = None
        return self

    @property
    def runtime(self) -> Runtime:
        """The runtime whose work it measures."""
        return self._runtime

    def __enter__(self) -> Timer:
        self._end = self._seconds = None
        self._begin = Event._record(self._runtime)
        return self

    def __exit__(self, kind: object, *exc_info: object) -> None:
        if kind is None:
            self._end = Event._record(self._runtime)

    @property
    def seconds(self) -> float:
        """The time from the first event to the second, by the device's clock. Reading it waits for the second.

        Raises
        ------
        ValueError
            If no ``with`` statement has ended, or the runtime was closed before the first reading.
        DeviceLostError
            If a kernel faulted on a CUDA device.
        """
        if self._seconds is None:
            if self._begin is None or self._end is None:
                raise ObjectStateError("the timer has no time yet; read it after `with runtime.timer() as timer: ...`")
            self._begin.wait()
            self._end.wait()
            self._seconds = self._begin.elapsed(self._end)
        return self._seconds

    def __repr__(self) -> str:
        if self._seconds is not None:
            state = with_unit(self._seconds)
        else:
            state = "not entered" if self._begin is None else "entered" if self._end is None else "not read"
        return f"<Timer of {self._runtime.arch}:{self._runtime.device_index}, {state}>"


state_absent(
    Event,
    {
        **dict.fromkeys(["is_done", "is_set", "query"], "write event.done"),
        **dict.fromkeys(["block", "sync", "synchronize"], "write event.wait()"),
        **dict.fromkeys(["elapsed_time", "get_elapsed_time"], "write event.elapsed(other), which is in seconds"),
        "record": "write runtime.record_event(), which returns a new Event",
    },
)
state_absent(
    Timer,
    {
        **dict.fromkeys(["elapsed", "interval", "time"], "write timer.seconds"),
        **dict.fromkeys(["start", "stop"], "write `with runtime.timer() as timer: ...`"),
    },
)

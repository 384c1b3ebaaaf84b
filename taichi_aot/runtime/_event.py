"""Points in the work of a runtime: Event, Timer, and waiting without blocking an event loop of asyncio.

Blocking calls are made in one worker thread for each object.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable, Generator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from ..driver._library import Status, keeping_failures
from ..handles._memory import Mark
from ..handles._runtime import PENDING, Unique
from ..values._errors import (
    ArgumentTypeError,
    InvalidArgumentError,
    InvalidStateError,
    ObjectStateError,
    describe,
    with_unit,
)
from ..values._items import state_absent

if TYPE_CHECKING:
    import asyncio

    from ..handles._runtime import Runtime


IDLE = 1.0  # seconds without calls after which a thread ends


class _Worker:
    """One thread that makes calls in order and sets the result of each future in its own loop."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[asyncio.AbstractEventLoop, asyncio.Future[Any], Callable[[], Any]]]
        self._calls = SimpleQueue()
        self._lock = threading.RLock()  # re-entrant: signal handlers may submit calls
        self._has_thread = False

    def submit(self, call: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = loop.create_future()
        with self._lock:
            if not self._has_thread:
                # A daemon: at exit the process does not wait for calls that are no longer awaited.
                threading.Thread(target=self._run, name="taichi_aot", daemon=True).start()
                self._has_thread = True
            self._calls.put((loop, future, call))
        return future

    def stop(self) -> None:
        """Drop the pending calls."""
        with suppress(Empty):
            while True:
                self._calls.get_nowait()

    def _run(self) -> None:
        while self._make_next_call():
            pass

    def _make_next_call(self) -> bool:
        """Make a call; return False after a timeout, when the thread is no longer the worker's."""
        # A separate method, so that the thread keeps no reference to a finished call.
        try:
            loop, future, call = self._calls.get(timeout=IDLE)
        except Empty:
            with self._lock:
                self._has_thread = not self._calls.empty()
                return self._has_thread
        if not future.cancelled():
            outcome = _outcome(call)
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_settle, future, *outcome)
        return True


def _outcome(call: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    # The error's traceback keeps this frame's variables alive, so the future must not be one of them.
    try:
        return call(), None
    except BaseException as error:
        return None, error


def _settle(future: asyncio.Future[Any], value: Any, error: BaseException | None) -> None:
    if future.done():  # cancelled
        return
    if error is None:
        future.set_result(value)
    else:
        future.set_exception(error)


class _Workers:
    """The workers of this process; each lives as long as its object."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop all workers in a forked child, which does not have their threads."""
        self._workers: weakref.WeakKeyDictionary[object, _Worker] = weakref.WeakKeyDictionary()
        self._lock = threading.RLock()

    def of(self, thing: object) -> _Worker:
        with self._lock:
            worker = self._workers.get(thing)
            if worker is None:
                worker = self._workers[thing] = _Worker()
            return worker

    def stop(self) -> None:
        for worker in list(self._workers.values()):
            worker.stop()


_workers = _Workers()
atexit.register(_workers.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_workers.forget)


def submit(thing: object, call: Callable[[], Any], blocking: str) -> asyncio.Future[Any]:
    """Make a call in the thread of an object, and return a future of the running loop with its result.

    `blocking` is what to call without a loop, for the message about that.

    Cancelling the future before the call begins prevents the call. Later, it drops the result; closing the loop does so
    too. RuntimeError if no event loop runs in this thread, or the interpreter is exiting.
    """
    from asyncio import get_running_loop  # a program with an event loop has imported it already

    try:
        loop = get_running_loop()
    except RuntimeError:
        raise InvalidStateError(
            "no event loop runs in this thread: call this in an `async` function that asyncio.run() runs, "
            f"or call {blocking}, which blocks"
        ) from None
    return _workers.of(thing).submit(call, loop)


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

"""Blocking calls for asyncio: one worker thread for each object, so that event loops do not block."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..values._errors import InvalidStateError

if TYPE_CHECKING:
    import asyncio

IDLE = 1.0  # seconds without calls after which a thread ends


class _Worker:
    """One thread that makes calls in order and sets the result of each future in its own loop."""

    def __init__(self) -> None:
        self._calls: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[Any], Callable[[], Any]]] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._seconds = IDLE

    def submit(self, call: Callable[[], Any], loop: asyncio.AbstractEventLoop) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = loop.create_future()
        with self._changed:
            if self._thread is None:
                # A daemon: at exit the process does not wait for calls that are no longer awaited.
                thread = threading.Thread(target=self._run, name="taichi_aot", daemon=True)
                thread.start()
                self._thread = thread
            self._calls.append((loop, future, call))
            self._changed.notify()
        return future

    def stop(self) -> None:
        """Drop the pending calls, and end the thread after the current call."""
        with self._changed:
            self._calls.clear()
            self._seconds = 0.0
            self._changed.notify()

    def _run(self) -> None:
        while self._wait():
            self._make_next_call()

    def _wait(self) -> bool:
        """Wait for a call; return False after a timeout, when the thread is no longer the worker's."""
        with self._changed:
            if not self._calls:
                self._changed.wait(self._seconds)
            if not self._calls:
                self._thread = None
            return self._thread is not None

    def _make_next_call(self) -> None:
        # A separate method, so that the thread keeps no reference to a finished call.
        with self._changed:
            if not self._calls:  # stopped
                return
            loop, future, call = self._calls.popleft()
        if future.cancelled():
            return
        outcome = _outcome(call)
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(_settle, future, *outcome)


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

"""Blocking calls for asyncio: one worker thread for each object, so that event loops do not block."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from ..values._errors import InvalidStateError

if TYPE_CHECKING:
    import asyncio

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

"""Waiting for calls without blocking an event loop of asyncio: one thread for each object that is waited for."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

__all__ = ["submit"]

IDLE = 1.0  # seconds after which a thread without calls ends


class _Worker:
    """One thread, which makes calls in order and settles the future of each in its own loop."""

    def __init__(self) -> None:
        self._calls: deque[tuple[asyncio.AbstractEventLoop, asyncio.Future[Any], Callable[[], Any]]] = deque()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._seconds = IDLE

    def submit(self, call: Callable[[], Any]) -> asyncio.Future[Any]:
        from asyncio import get_running_loop  # loaded by whoever runs a loop

        loop = get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        with self._changed:
            if self._thread is None:
                # At exit the process does not wait for calls that nobody awaits any more.
                thread = threading.Thread(target=self._run, name="taichi_aot", daemon=True)
                thread.start()
                self._thread = thread
            self._calls.append((loop, future, call))
            self._changed.notify()
        return future

    def stop(self) -> None:
        """Drop the calls that have not begun, and end the thread after the present one."""
        with self._changed:
            self._calls.clear()
            self._seconds = 0.0
            self._changed.notify()

    def _run(self) -> None:
        while self._wait():
            self._make_next_call()

    def _wait(self) -> bool:
        """Whether there is another call; after a while without one this is no longer the thread of the worker."""
        with self._changed:
            if not self._calls:
                self._changed.wait(self._seconds)
            if not self._calls:
                self._thread = None
            return self._thread is not None

    def _make_next_call(self) -> None:
        # A method of its own: between two calls the thread keeps nothing of them.
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
    # Without the future among its variables, which the traceback of the error keeps.
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
    """The workers of this process, each as long as the object that its calls are about."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop all workers; in a forked child, which does not have their threads."""
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


def submit(thing: object, call: Callable[[], Any]) -> asyncio.Future[Any]:
    """Make a call in the thread of an object, and return a future of the running loop with its result.

    A call whose future is cancelled before it begins is not made. The result of one that has begun is dropped then, and
    so are results for a loop that was closed.

    Raises
    ------
    RuntimeError
        If no event loop runs in this thread, or the interpreter is exiting.
    """
    return _workers.of(thing).submit(call)

"""Threads that make exchanges for others."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import TypeAlias

from ..values._errors import InvalidStateError

__all__ = ["Background", "finish_linked"]

Call: TypeAlias = Callable[[], None]
Job: TypeAlias = "tuple[Future[None], Call]"

MAX_THREADS = 32  # exchanges at the same time; more wait
LINGER = 1.0  # seconds that a thread waits for another exchange, as starting one takes longer than an exchange


class Background:
    """A call that another thread makes.

    Parameters
    ----------
    call : callable
        It returns None. The end of the process waits for it.
    edges : object, optional
        What connects processes, if the call uses it. Calls with the same `edges` are made in the order in which they
        began: a process cannot tell the messages of two exchanges apart. The process may end before they have returned,
        as a message from a process that has died never comes.
    """

    __slots__ = ("_future", "_process")

    def __init__(self, call: Call, edges: object = None) -> None:
        self._process = os.getpid()
        self._future = _threads.submit(call) if edges is None else _threads.submit_linked(call, edges)

    def wait(self) -> BaseException | None:
        """Wait until the call has returned or raised; return what it raised."""
        if self._process != os.getpid():
            raise InvalidStateError("the exchange began before this process was forked, and ends in its parent")
        return self._future.exception()  # Ctrl-C ends this wait, and not the call

    def on_error(self, act: Callable[[BaseException], None]) -> None:
        """Pass what the call raises, or has raised, to a function."""

        def look(future: Future[None]) -> None:
            error = future.exception()
            if error is not None:
                act(error)

        if self._process == os.getpid():
            self._future.add_done_callback(look)


class _Threads:
    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop the threads in a forked child, which does not have them."""
        self.lock = threading.RLock()  # a signal handler may begin an exchange too
        self._pool: ThreadPoolExecutor | None = None
        self.linked: dict[
            int, _InOrder
        ] = {}  # by the id of `edges`: an object that has its id later can use its thread

    def submit(self, call: Call) -> Future[None]:
        with self.lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(MAX_THREADS, "taichi_aot exchange")
        try:
            return self._pool.submit(call)
        except RuntimeError:  # the interpreter is ending: it starts no threads
            return _do((Future(), call))

    def submit_linked(self, call: Call, edges: object) -> Future[None]:
        job: Job = (Future(), call)
        with self.lock:
            thread = self.linked.get(id(edges))
            if thread is None:
                thread = _InOrder(id(edges))
                try:
                    thread.start()
                except RuntimeError:
                    return _do(job)
                self.linked[id(edges)] = thread
            if thread is not threading.current_thread():
                thread.jobs.put(job)
                return job[0]
        return _do(job)  # by `Edges.swap`: the thread cannot wait for itself


class _InOrder(threading.Thread):
    """The thread of the calls with one `edges`."""

    def __init__(self, key: int) -> None:
        super().__init__(name="taichi_aot exchange of edges", daemon=True)
        self.jobs: SimpleQueue[Job] = SimpleQueue()
        self._key = key

    def run(self) -> None:
        while True:
            try:
                job = self.jobs.get(timeout=LINGER)
            except Empty:
                with _threads.lock:
                    if self.jobs.empty():
                        if _threads.linked.get(self._key) is self:
                            del _threads.linked[self._key]
                        return
                continue
            _do(job)
            del job  # it refers to arrays


def _do(job: Job) -> Future[None]:
    future, call = job
    try:
        call()
    except BaseException as error:  # of any kind: `Background.wait` returns it
        future.set_exception(error)
    else:
        future.set_result(None)
    return future


_threads = _Threads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.forget)


def finish_linked(edges: object) -> None:
    """Wait until the calls with `edges` that began before have been made."""
    if id(edges) in _threads.linked:
        _threads.submit_linked(lambda: None, edges).result()

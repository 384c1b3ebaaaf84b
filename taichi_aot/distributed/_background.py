"""Threads that make exchanges for others."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from ..driver._status import log_warning
from ..values._errors import InvalidStateError

__all__ = ["Background", "finish_linked"]

Call = Callable[[], None]

MAX_THREADS = 32  # exchanges at the same time; more wait
LINGER = 1.0  # seconds that a thread of `edges` waits for another exchange: starting one takes longer than that
GLANCE = 1.0  # seconds after which a waiting thread looks itself, if what should wake it was interrupted


class _Job:
    """A call, and what became of it. Unlike with a `Future`, a waiting thread may be interrupted at any place."""

    __slots__ = ("_is_done", "_lock", "call", "error", "is_dropped")

    def __init__(self, call: Call, is_dropped: Callable[[], bool]) -> None:
        self.call = call
        self.is_dropped = is_dropped  # whether nobody can ask for its error any more
        self.error: BaseException | None = None
        self._is_done = False
        self._lock = threading.Lock()  # free once it is done
        self._lock.acquire()

    def finish(self) -> None:
        self._is_done = True
        self._lock.release()

    def wait(self) -> None:
        while not self._is_done:
            if self._lock.acquire(timeout=GLANCE):
                self._lock.release()


class Background:
    """A call that another thread makes. The process may end before it has returned.

    Parameters
    ----------
    call : callable
        It returns None.
    edges : object or None
        What connects processes, if the call uses it. Calls with the same `edges` are made in the order in which they
        began: a process cannot tell the messages of two exchanges apart.
    is_dropped : callable
        Whether nobody will wait for the call; an error of it is logged then.
    """

    __slots__ = ("_job", "_process")

    def __init__(self, call: Call, edges: object, is_dropped: Callable[[], bool]) -> None:
        self._process = os.getpid()
        self._job = job = _Job(call, is_dropped)
        if edges is None:
            _threads.submit(job)
        else:
            _threads.submit_linked(job, edges)

    def wait(self) -> BaseException | None:
        """Wait until the call has returned or raised; return what it raised."""
        if self._process != os.getpid():
            raise InvalidStateError("the exchange began before this process was forked, and ends in its parent")
        self._job.wait()  # Ctrl-C ends this wait, and not the call
        return self._job.error


class _Threads:
    """All threads. Signal handlers may submit jobs too, and end a submission with an exception at any place.

    So no lock is held that a handler needs: the queues and lists are changed by calls that are atomic.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop the threads in a forked child, which does not have them."""
        self.lock = threading.RLock()  # of `linked`
        self.linked: dict[int, _InOrder] = {}  # by the id of `edges`; an object that has the id later can share it
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
        self.idle: list[None] = []  # an item for each thread that waits for a job
        self.all: list[threading.Thread] = []

    def submit(self, job: _Job) -> None:
        try:
            self.idle.pop()
        except IndexError:
            if len(self.all) < MAX_THREADS and not self._start():
                _do(job)
                return
        self.jobs.put(job)

    def _start(self) -> bool:
        """Start a thread for jobs; whether one can be started, or there are others."""
        thread = threading.Thread(target=_serve, args=(self,), name="taichi_aot exchange", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the interpreter is ending
            return bool(self.all)
        self.all.append(thread)
        return True

    def submit_linked(self, job: _Job, edges: object) -> None:
        with self.lock:
            thread = self.linked.get(id(edges))
            if thread is None:
                thread = _InOrder(id(edges))
                try:
                    thread.start()
                except RuntimeError:
                    _do(job)
                    return
                thread = self.linked.setdefault(id(edges), thread)  # a signal handler may have started one
            if thread is not threading.current_thread():
                thread.jobs.put(job)
                return
        _do(job)  # by `Edges.swap`: the thread cannot wait for itself


def _serve(threads: _Threads) -> None:
    while True:
        job = threads.jobs.get()
        _do(job, then=lambda: threads.idle.append(None))
        del job  # it refers to arrays


class _InOrder(threading.Thread):
    """The thread of the calls with one `edges`."""

    def __init__(self, key: int) -> None:
        super().__init__(name="taichi_aot exchange of edges", daemon=True)
        self.jobs: SimpleQueue[_Job] = SimpleQueue()
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
            del job


def _do(job: _Job, then: Callable[[], object] = bool) -> None:
    """Make the call; `then` is called before anybody learns that it has been made."""
    try:
        job.call()
    except BaseException as error:  # of any kind: `Background.wait` returns it
        job.error = error
        if job.is_dropped():
            log_warning("an exchange that was begun and never ended has failed: %s", error)
    then()
    job.finish()


_threads = _Threads()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.forget)


def finish_linked(edges: object) -> None:
    """Wait until the calls with `edges` that began before have been made."""
    if id(edges) in _threads.linked:
        Background(lambda: None, edges, lambda: False).wait()

"""Threads that re-raise what their function raised."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Callable

from helpers.raising import assert_raises


class Background(threading.Thread):
    """A started thread that keeps what its function raises."""

    def __init__(self, function: Callable[..., object], *args: object) -> None:
        super().__init__()
        self._function = function
        self._args = args
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._function(*self._args)
        except BaseException as error:
            self.error = error

    def finish(self) -> None:
        """Wait for the thread, and raise what its function raised."""
        self.join()
        if self.error is not None:
            raise self.error


def run_together(*functions: Callable[[], object]) -> None:
    """Run each function in its own thread, and raise what one of them raised."""
    barrier = threading.Barrier(len(functions))

    def run(function: Callable[[], object]) -> None:
        barrier.wait()
        function()

    threads = [Background(run, function) for function in functions]
    for thread in threads:
        thread.join()
    for thread in threads:
        thread.finish()


def interrupt_after(seconds: float) -> Background:
    """Send SIGINT to this process after a while, from a thread."""

    def interrupt() -> None:
        time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGINT)

    return Background(interrupt)


def assert_interrupted(call: Callable[[], object], by: Background | None = None) -> None:
    """Check that SIGINT ends a call, soon or when a thread sends it."""
    thread = by or interrupt_after(0.1)
    assert_raises(KeyboardInterrupt, call)
    thread.finish()


def assert_ended(thread: Background, pattern: str) -> re.Match[str]:
    """Check the ValueError that ended what a thread ran."""
    thread.join()
    assert isinstance(thread.error, ValueError), thread.error
    match = re.fullmatch(pattern, str(thread.error))
    assert match, thread.error
    return match

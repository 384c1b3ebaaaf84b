"""Programs that a child process runs as ``__main__`` to learn what they compile."""

from __future__ import annotations

import _thread
import builtins
import importlib.abc
import importlib.util
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from itertools import chain, repeat
from types import FrameType, ModuleType
from typing import Any

from ._nothing import NOTHING, Nothing
from ._source import execute, is_of_source

# Modules that only show or store pictures: a program can do without them.
PICTURES = ("PIL", "cairo", "cv2", "imageio", "matplotlib", "moviepy", "mpl_toolkits", "pyglet", "tqdm")
ESCAPE_KEY = 27
SHOWN = 3  # pictures that OpenCV shows before the Escape key is pressed


class ProgramEnd(BaseException):
    """Ends a program at a point where it would not compile anything new; handlers of ``Exception`` let it pass."""


def run_program(module: ModuleType, seconds: float) -> str:
    """Run a program from `_source.open_program` for at most `seconds`, without waiting for the user or the clock.

    Return the reason why it ended early, with its line; empty if it ran to its end.
    """
    os.environ["MPLBACKEND"] = "Agg"  # for matplotlib: show() opens no window
    sys.meta_path.insert(0, _Pictures())
    time.sleep = lambda seconds: None
    builtins.input = lambda prompt="": ""
    try:
        with _ended_after(seconds):
            execute(module)
    except SystemExit as error:
        return "" if error.code in (None, 0) else _where(error, f"it exits with {error.code!r}")
    except ProgramEnd as error:
        return str(error) and _where(error, str(error))
    except Exception as error:
        return _where(error, "".join(traceback.format_exception_only(error)).strip()) + _lacking()
    return ""


@contextmanager
def _ended_after(seconds: float) -> Generator[None]:
    """End the block after some time by an exception in the main thread, which runs it.

    A program may catch all exceptions, so it is raised again, every second, at the next line that the program runs.
    """
    is_running = True

    def end_line(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line" and is_running:
            raise ProgramEnd(f"it ran for {seconds:g} s")
        return end_line

    def end(number: int, frame: FrameType | None) -> None:
        if is_running:
            sys.settrace(_trace_nothing)  # enables the functions of the frames
            each = frame
            while each is not None:
                if is_of_source(each.f_code.co_filename):
                    each.f_trace = end_line
                each = each.f_back
            raise ProgramEnd(f"it ran for {seconds:g} s")

    with _alarms(seconds, end):
        try:
            yield
        finally:
            is_running = False
            sys.settrace(None)


@contextmanager
def _alarms(seconds: float, handle: Callable[[int, FrameType | None], None]) -> Generator[None]:
    """Call a function in the main thread after some time, and then every second."""
    if not hasattr(signal, "setitimer"):  # Windows, where this does not end a call that waits
        signal.signal(signal.SIGINT, handle)
        timer = threading.Timer(seconds, _thread.interrupt_main)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
        return
    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _lacking() -> str:
    """Return the end of a reason: what the program imported and this machine lacks, so that it got nothing of it."""
    missing = sorted({name.partition(".")[0] for name, each in sys.modules.items() if type(each) is _MissingModule})
    return f"; not installed: {', '.join(missing)}" if missing else ""


def _where(error: BaseException, text: str) -> str:
    """Return a text with the line of the program that raised an exception."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_of_source(frame.filename)]
    return f"{frames[-1].filename}, line {frames[-1].lineno}: {text}" if frames else text


class _Pictures(importlib.abc.MetaPathFinder):
    """Finds modules for pictures: those that are not installed do nothing, and OpenCV opens no windows."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        if name.partition(".")[0] not in PICTURES:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None:
            return importlib.util.spec_from_loader(name, _MissingLoader())
        if name == "cv2":
            loader: Any = spec.loader
            loader.exec_module = _windowless(loader.exec_module)
        return spec


def _trace_nothing(frame: FrameType, event: str, argument: object) -> None:
    pass


def _iterate(values: Any = (), *arguments: Any, **options: Any) -> Any:
    return values


class _MissingLoader(importlib.abc.Loader):
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _MissingModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(tqdm=_iterate, trange=range, __path__=[])
        _close_windows(module)


class _MissingModule(ModuleType):
    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("__"):
            raise AttributeError(name)
        return NOTHING


def _windowless(execute_cv2: Callable[[ModuleType], None]) -> Callable[[ModuleType], None]:
    def execute_module(module: ModuleType) -> None:
        execute_cv2(module)
        _close_windows(module)

    return execute_module


def _close_windows(cv2: ModuleType) -> None:
    """Replace OpenCV's functions for windows; the user presses Escape after some pictures."""
    keys = chain(repeat(-1, SHOWN), repeat(ESCAPE_KEY))
    for name in ("waitKey", "waitKeyEx", "pollKey"):
        setattr(cv2, name, lambda delay=0: next(keys))
    for name in ("imshow", "namedWindow", "destroyAllWindows", "destroyWindow", "setMouseCallback", "setWindowTitle"):
        setattr(cv2, name, NOTHING)

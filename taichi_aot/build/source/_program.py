"""Programs that a child process runs as ``__main__`` to learn what they compile.

What a program shows or stores, and the numbers that it reads, are objects for nothing. Windows show nothing: the user
looks at some pictures, then presses Escape and closes the window.
"""

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
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder
from itertools import chain, cycle, repeat
from types import FrameType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from .._archs import CORE
from ._source import execute, is_of_source


class Nothing:
    """An object that can be called, indexed, iterated and calculated with, and does nothing.

    Its results are the object itself; as a number it is 0, and as a collection it is empty.
    """

    def _itself(self, *arguments: Any, **options: Any) -> Nothing:
        return self

    __call__ = __enter__ = __getitem__ = _itself

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("_"):  # numpy, copy and Taichi ask by such names what an object is
            raise AttributeError(name)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        pass

    __setitem__ = __exit__

    def __iter__(self) -> Iterator[Nothing]:
        return iter(())

    def __int__(self) -> int:
        return 0

    __len__ = __index__ = __int__

    def __float__(self) -> float:
        return 0.0

    def _is_false(self, *others: object) -> bool:
        return False

    __bool__ = __lt__ = __gt__ = __le__ = __ge__ = _is_false


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
    setattr(Nothing, f"__{_name}__", Nothing._itself)
    setattr(Nothing, f"__r{_name}__", Nothing._itself)
for _name in ("neg", "pos", "abs"):
    setattr(Nothing, f"__{_name}__", Nothing._itself)

NOTHING = Nothing()


class SparseMatrix(Nothing):
    """A sparse matrix, its builder and its solver: the product with a vector, and the solution, is the vector."""

    def __matmul__(self, other: Any) -> Any:
        return other

    def solve(self, vector: Any) -> Any:
        return vector


class _Zero:
    """A zero that can be divided by, with itself as the result."""

    def _divide(self, other: object) -> Any:
        return self if isinstance(other, (int, float)) else NotImplemented

    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _divide


class ZeroFloat(_Zero, float):
    """The number 0.0."""


class ZeroInt(_Zero, int):
    """The number 0."""


# Windows that show nothing: the user looks at some pictures, then presses Escape and closes the window.


LOOKS = 3  # that the user looks at
ESCAPE = "Escape"  # ti.GUI.ESCAPE and ti.ui.ESCAPE


class _Shown(Nothing):
    """A window that its user closes, and in which they press Escape, once it was asked about each some times."""

    def __init__(self, **members: Any) -> None:
        self._is_open: Iterator[bool]
        self._presses_key: Iterator[bool]  # not twice in a row, for loops that take all events
        keys = chain([False] * LOOKS, cycle([True, False]))
        vars(self).update(members, _is_open=iter([True] * LOOKS), _presses_key=keys)

    def __setattr__(self, name: str, value: object) -> None:
        if (name == "running" and not value) or (name == "should_close" and value):
            list(self._is_open)

    @property
    def running(self) -> bool:
        return next(self._is_open, False)

    @property
    def should_close(self) -> bool:
        return not self.running

    def get_event(self, tag: object = None) -> bool:
        return next(self._presses_key)

    has_key_event = get_event

    def get_cursor_pos(self) -> tuple[float, float]:
        return (0.0, 0.0)


class GuiCore(_Shown):
    """The part of ``ti.GUI`` that is not Python."""

    def __init__(self, show: Callable[[], None], *arguments: Any) -> None:
        super().__init__(update=show)

    def get_key_event_head(self) -> Any:
        return SimpleNamespace(type=CORE.KeyEvent.EType.Press, key=ESCAPE, pos=(0.0, 0.0), delta=(0, 0))

    def canvas_untransform(self, position: tuple[float, float]) -> tuple[float, float]:
        return position


class Window(_Shown):
    """``ti.ui.Window``."""

    def __init__(
        self, show: Callable[[], None], name: str = "", res: Any = (1, 1), *arguments: Any, **options: Any
    ) -> None:
        event = SimpleNamespace(key=ESCAPE, type=CORE.KeyEvent.EType.Press)
        super().__init__(_resolution=tuple(res), show=show, event=event, GUI=_Widgets())

    def get_events(self, tag: object = None) -> list[Any]:
        return [self.event] if self.get_event() else []

    def is_pressed(self, *keys: object) -> bool:
        return ESCAPE in keys and self.get_event()

    def get_gui(self) -> Any:
        return self.GUI

    def get_window_shape(self) -> Any:
        return self._resolution

    def get_image_buffer_as_numpy(self) -> Any:
        return np.zeros((*self._resolution, 4), np.float32)

    def get_depth_buffer_as_numpy(self) -> Any:
        return np.zeros(self._resolution, np.float32)


class _Widgets(Nothing):
    """Widgets whose values the user does not change."""

    def checkbox(self, text: str, old_value: Any, *limits: Any, **named: Any) -> Any:
        return old_value

    slider_int = slider_float = color_edit_3 = checkbox

    def button(self, text: str) -> bool:
        return False


# Programs that a child process runs as ``__main__`` to learn what they compile.


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
    missing = sorted({name.partition(".")[0] for name, each in sys.modules.items() if type(each) is _Missing})
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
        return _Missing(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(tqdm=_iterate, trange=range, __path__=[])
        _close_windows(module)


class _Missing(ModuleType):
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

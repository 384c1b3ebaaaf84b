"""Replacements for an example's windows, plots and files, which end it after some frames."""

from __future__ import annotations

import math
import sys
import types
from typing import Any


class EndOfExample(BaseException):
    """Raised when an example has run long enough; not an Exception, so that examples do not catch it."""


class Screen:
    """A window, canvas, plot or file that accepts any drawing: each unknown attribute returns the screen itself.

    Its left mouse button is pressed while the mouse moves on a circle, and its widgets keep their values. Showing it
    ends a frame.
    """

    frames_left = 0

    running = True
    event = None
    res = (512, 512)
    frame = 0
    curr_position = curr_lookat = 0.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __call__(self, *args: Any, **kwargs: Any) -> Screen:
        return self

    def __getattr__(self, name: str) -> Screen:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Screen:
        return self

    def __enter__(self) -> Screen:
        return self

    def __exit__(self, *reason: object) -> None:
        pass

    def __eq__(self, other: object) -> bool:
        return False  # a key without a name

    __hash__ = object.__hash__

    def show(self, *args: Any, **kwargs: Any) -> None:
        Screen.frames_left -= 1
        Screen.frame += 1
        if Screen.frames_left <= 0:
            raise EndOfExample

    pause = show

    def get_event(self, *args: Any) -> bool:
        return False

    button = get_event

    def is_pressed(self, *keys: str) -> bool:
        return "LMB" in keys

    def get_events(self, *args: Any) -> list[Any]:
        return []

    def get_cursor_pos(self) -> tuple[float, float]:
        return (0.5 + 0.25 * math.cos(self.frame), 0.5 + 0.25 * math.sin(self.frame))

    def get_window_shape(self) -> tuple[int, int]:
        return self.res

    def checkbox(self, name: str, value: Any, *args: Any, **kwargs: Any) -> Any:
        return value

    slider_float = slider_int = color_edit_3 = checkbox

    def slider(self, name: str, minimum: float, maximum: float, step: float = 1) -> Any:
        return types.SimpleNamespace(value=minimum)


def install(ti: Any, frames: int) -> None:
    """Replace the drawing functions of an example, which ends after `frames` frames."""
    Screen.frames_left = frames
    for name, value in vars(ti.GUI).items():
        if name.isupper():
            setattr(Screen, name, value)
    ti.GUI = Screen
    screen = Screen()
    for name in ("Window", "Camera", "make_camera", "Scene"):
        setattr(ti.ui, name, Screen)
    for name in ("imshow", "VideoManager", "PLYWriter"):
        setattr(ti.tools, name, screen)
    for module in ("matplotlib", "matplotlib.pyplot", "matplotlib.cm", "mpl_toolkits", "mpl_toolkits.mplot3d"):
        sys.modules[module] = screen  # type: ignore[assignment]

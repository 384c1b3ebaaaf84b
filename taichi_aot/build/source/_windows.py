"""Windows that show nothing: the user looks at some pictures, then presses Escape and closes the window."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from .._taichi import CORE
from ._nothing import Nothing

PICTURES = 3  # that the user looks at
ESCAPE = "Escape"  # ti.GUI.ESCAPE and ti.ui.ESCAPE


class _User:
    """Closes a window, and presses Escape, once each was asked about some times."""

    def __init__(self) -> None:
        self._asked_open = 0
        self._asked_key = 0

    def is_open(self) -> bool:
        self._asked_open += 1
        return self._asked_open <= PICTURES

    def close(self) -> None:
        self._asked_open = PICTURES

    def presses_key(self) -> bool:
        """Return whether there is an event; not twice in a row, for loops that take all events."""
        self._asked_key += 1
        return self._asked_key > PICTURES and self._asked_key % 2 == 0


class GuiCore(Nothing):
    """The part of ``ti.GUI`` that is not Python."""

    def __init__(self, show: Callable[[], None], *arguments: Any) -> None:
        self._user: _User
        vars(self).update(_user=_User(), update=show)

    def __setattr__(self, name: str, value: object) -> None:
        if name == "should_close" and value:
            self._user.close()

    @property
    def should_close(self) -> bool:
        return not self._user.is_open()

    def has_key_event(self) -> bool:
        return self._user.presses_key()

    def get_key_event_head(self) -> Any:
        return SimpleNamespace(type=CORE.KeyEvent.EType.Press, key=ESCAPE, pos=(0.0, 0.0), delta=(0, 0))

    def canvas_untransform(self, position: tuple[float, float]) -> tuple[float, float]:
        return position

    def get_cursor_pos(self) -> tuple[float, float]:
        return (0.0, 0.0)


class Window(Nothing):
    """``ti.ui.Window``."""

    def __init__(
        self, show: Callable[[], None], name: str = "", res: Any = (1, 1), *arguments: Any, **options: Any
    ) -> None:
        self._user: _User
        event = SimpleNamespace(key=ESCAPE, type=CORE.KeyEvent.EType.Press)
        vars(self).update(_user=_User(), _resolution=tuple(res), show=show, event=event, GUI=_Widgets())

    def __setattr__(self, name: str, value: object) -> None:
        if name == "running" and not value:
            self._user.close()

    @property
    def running(self) -> bool:
        return self._user.is_open()

    def get_event(self, tag: object = None) -> bool:
        return self._user.presses_key()

    def get_events(self, tag: object = None) -> list[Any]:
        return [self.event] if self._user.presses_key() else []

    def is_pressed(self, *keys: object) -> bool:
        return ESCAPE in keys and self._user.presses_key()

    def get_gui(self) -> Any:
        return self.GUI

    def get_cursor_pos(self) -> tuple[float, float]:
        return (0.0, 0.0)

    def get_window_shape(self) -> Any:
        return self._resolution

    def get_image_buffer_as_numpy(self) -> Any:
        return np.zeros((*self._resolution, 4), np.float32)

    def get_depth_buffer_as_numpy(self) -> Any:
        return np.zeros(self._resolution, np.float32)


class _Widgets(Nothing):
    """Widgets whose values the user does not change."""

    def __enter__(self) -> _Widgets:
        return self

    def sub_window(self, *arguments: Any, **options: Any) -> _Widgets:
        return self

    def checkbox(self, text: str, old_value: Any) -> Any:
        return old_value

    def slider_int(self, text: str, old_value: Any, *limits: Any, **named: Any) -> Any:
        return old_value

    slider_float = slider_int
    color_edit_3 = checkbox

    def button(self, text: str) -> bool:
        return False

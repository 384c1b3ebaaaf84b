"""Windows that show nothing: the user looks at some pictures, then presses Escape and closes the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, cycle
from types import SimpleNamespace
from typing import Any

import numpy as np

from .._archs import CORE
from ._nothing import Nothing

PICTURES = 3  # that the user looks at
ESCAPE = "Escape"  # ti.GUI.ESCAPE and ti.ui.ESCAPE


class _Shown(Nothing):
    """A window that its user closes, and in which they press Escape, once it was asked about each some times."""

    def __init__(self, **members: Any) -> None:
        self._is_open: Iterator[bool]
        self._presses_key: Iterator[bool]  # not twice in a row, for loops that take all events
        keys = chain([False] * PICTURES, cycle([True, False]))
        vars(self).update(members, _is_open=iter([True] * PICTURES), _presses_key=keys)

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

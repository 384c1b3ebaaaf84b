"""What a build leaves for the next one of a source that is being edited."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias

from ..driver._child import Standby

_Key: TypeAlias = tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]


class Kept:
    """Kernels that have been compiled, and processes that have imported the compilers."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}  # machine code of the last build's kernels, by what it was compiled from
        self._used: list[_Key] = []
        self._waiting: list[tuple[_Key, Standby]] = []

    def standby(
        self, function: Callable[..., object], path: Sequence[str], environment: Mapping[str, str]
    ) -> Standby | None:
        """Return a process that waits for a call of a function, if there is one; the next build gets one.

        There is none if the function's module has nothing to do before a call.
        """
        if not hasattr(sys.modules[function.__module__], "warm"):
            return None
        key = function.__module__, tuple(path), tuple(sorted(environment.items()))
        self._used.append(key)
        found = next((each for each in self._waiting if each[0] == key), None)
        if found is None:
            return None
        self._waiting.remove(found)
        return found[1]

    @contextmanager
    def used(self) -> Generator[None]:
        """Let builds in the block use what is kept, and prepare for the next one."""
        token = _kept.set(self)
        try:
            yield
        finally:
            _kept.reset(token)
            used, self._used = self._used, []
            for key, _ in self._waiting:
                if key in used:
                    used.remove(key)
            self._waiting += [(key, Standby(key[0], key[1], dict(key[2]))) for key in used]

    def close(self) -> None:
        for _, each in self._waiting:
            each.close()


_kept: ContextVar[Kept | None] = ContextVar("kept", default=None)


def kept_builds() -> Kept | None:
    """Return what builds here keep, if they do."""
    return _kept.get()

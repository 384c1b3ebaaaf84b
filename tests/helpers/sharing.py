"""Files made once per session, by the first pytest-xdist worker that needs them."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.inside import unavailable_error

UnavailableError = unavailable_error()


class MadeOnce:
    """Make folders once per session; other workers wait for the one making a folder."""

    def __init__(self, factory: pytest.TempPathFactory) -> None:
        own = factory.getbasetemp()
        self._root = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "shared"
        self._root.mkdir(exist_ok=True)

    def folder(self, name: str, make: Callable[[Path], object]) -> Path:
        """Return the folder of this name that `make` has filled, for this caller or an earlier one.

        Raise UnavailableError if `make` raised it.
        """
        folder, outcome = self._root / name, self._root / f"{name}.outcome"
        with open(self._root / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not outcome.exists():
                folder.mkdir(exist_ok=True)
                try:
                    make(folder)
                    reason = ""
                except UnavailableError as error:
                    reason = str(error)
                outcome.write_text(reason, encoding="utf-8")
        if reason := outcome.read_text(encoding="utf-8"):
            raise UnavailableError(reason)
        return folder

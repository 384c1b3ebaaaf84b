"""What is wrong with the arguments of a command, collected to be reported together."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from ._codes import ArgumentError, ArgumentsError
from ._output import message

__all__ = ["Problems"]


class Problems:
    """Errors that were caught; `report` raises them as one.

    Attributes
    ----------
    names : set of str
        The parameters with a problem.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._texts: list[str] = []

    @contextmanager
    def caught(self, name: str = "") -> Generator[None]:
        """Note an error in the block, with the name of the parameter that it is about."""
        try:
            yield
        except ArgumentsError as error:
            self._texts += error.texts
        except (ArgumentError, OSError) as error:
            text = message(error)
            self._texts.append(text if text.startswith(name) else f"{name}: {text}")
            self.names.add(name)

    def report(self) -> None:
        """Raise ArgumentError for what was noted."""
        if len(self._texts) > 1:
            raise ArgumentsError(self._texts)
        if self._texts:
            raise ArgumentError(self._texts[0])

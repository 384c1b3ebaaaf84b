"""Scale how much a test tries: a small part by default, everything with ``--all``."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from hypothesis import settings

PART = 10  # percent
Number = TypeVar("Number", int, float)


class Scaled(NamedTuple):
    """Choose a number for the part or for the whole; tests in child processes take it along."""

    whole: bool

    def __call__(self, part: Number, whole: Number) -> Number:
        return whole if self.whole else part


def load_profile(whole: bool) -> None:
    """Make hypothesis try the number of examples that `examples` returns."""
    settings.register_profile("part", max_examples=PART)
    settings.register_profile("whole", max_examples=100)
    settings.load_profile("whole" if whole else "part")


def examples(whole: int) -> int:
    """Return how many of these examples hypothesis tries."""
    return whole * settings().max_examples // 100

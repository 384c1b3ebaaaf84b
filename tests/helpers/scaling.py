"""Scale how much a test tries: a small part by default, everything with ``--all``."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["examples", "load_profile"]

PART = 10  # percent


def load_profile(whole: bool) -> None:
    """Make hypothesis try the number of examples that `examples` returns."""
    settings.register_profile("part", max_examples=PART)
    settings.register_profile("whole", max_examples=100)
    settings.load_profile("whole" if whole else "part")


def examples(whole: int) -> int:
    """Return how many of these examples hypothesis tries."""
    return whole * settings().max_examples // 100

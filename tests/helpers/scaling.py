"""How much a test tries: a small part by default, the whole with ``--all``."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["examples", "load_profile"]

PART = 10  # percent


def load_profile(whole: bool) -> None:
    """Make hypothesis try as many examples as `examples` says."""
    settings.register_profile("part", max_examples=PART)
    settings.register_profile("whole", max_examples=100)
    settings.load_profile("whole" if whole else "part")


def examples(whole: int) -> int:
    """How many of these examples hypothesis tries."""
    return whole * settings().max_examples // 100

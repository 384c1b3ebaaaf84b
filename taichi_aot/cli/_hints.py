"""Ends of error messages that say what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ..values._items import did_you_mean
from ..values._wording import short

# Calls of Python in the package's messages, and their command line options.
FORMS: Final = (
    (
        r"devices\(\) lists its devices(, and Runtime\(\) takes the best of them)?",
        "`taichi-aot devices` lists its devices",
    ),
    (r"a GPU that Runtime\('gpu'\) could use", "a GPU for --arch gpu"),
    (r"Runtime\('(\w+)'\) uses it", r"--arch \1 uses it"),
    (r"(?:load it with|use) Runtime\('(\w+)'\)", r"use --arch \1"),
    (r"or use arch '(\w+)'", r"or use --arch \1"),
    (r"^python is a \.py", "--python is a .py"),
    (r"^cpu_threads (is|must)", r"--cpu-threads \1"),
    (r"^(capability|multiprocessors|blocks) must", r"--cuda-\1 must"),
)


def unknown(noun: str, name: str, known: Iterable[str], others: Iterable[str] = ()) -> str:
    """Return the message about an unknown word: the known ones, and the closest of these and of `others`."""
    words = list(known)
    return f"unknown {noun} {short(name)}; known are {', '.join(words)}{did_you_mean(name, [*words, *others])}"


def for_command_line(text: str) -> str:
    """Return a message of the package with options of the command line in place of calls of Python."""
    for call, option in FORMS:
        text = re.sub(call, option, text)
    return text

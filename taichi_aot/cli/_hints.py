"""Ends of error messages that say what to write instead."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable
from typing import Final

from ..values._items import did_you_mean
from ..values._wording import short

__all__ = ["for_command_line", "similar_files", "unknown"]

MOST_NAMES = 5  # files that a message lists
MOST_FILES = 10_000  # of a folder that are looked at
# How messages of the package name calls of Python, and what a user of the command line writes instead.
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


def similar_files(path: str) -> str:
    """Return what to write instead of the path of a file that does not exist; empty if nothing is like it."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or ".") as entries:
            names = sorted(entry.name for entry in itertools.islice(entries, MOST_FILES))
    except NotADirectoryError:
        return ""
    except FileNotFoundError:
        return f"; there is no folder {short(folder)}"
    except OSError:
        return ""
    modules = [each for each in (f"{name}.tib", f"{name}.tcm") if each in names]
    suggestion = did_you_mean(name, modules or names)
    if suggestion:
        return suggestion
    suffix = os.path.splitext(name)[1]
    same = [each for each in names if suffix and each.endswith(suffix)]
    return (
        f"; its folder has {', '.join(map(short, same[:MOST_NAMES]))}{', ...' * (len(same) > MOST_NAMES)}"
        if same
        else ""
    )


def for_command_line(text: str) -> str:
    """Return a message of the package with options of the command line in place of calls of Python."""
    for call, option in FORMS:
        text = re.sub(call, option, text)
    return text

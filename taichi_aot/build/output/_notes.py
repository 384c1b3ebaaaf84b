"""Notes of a build: loops on the CPU that are not vectors, why, and what would make them so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...bundle._info import VECTORS, KernelInfo
from .._options import Math, option
from ..vector._vectors import ATOMIC, CALLS, FOLLOWING, SUM


class Remedy(NamedTuple):
    """What makes a loop vectors."""

    reason: str  # how `TaskInfo.loop` begins
    change: str  # with the option of the build to leave out in the place of {}
    gain: int  # how many times as fast it was in our measurements; 0 if it is not sure to help
    is_of_exact: bool = False  # whether it is for ``math="exact"``, else for the others


# docs/build.md has them as a table.
REMEDIES = (
    Remedy(ATOMIC, "add to a variable, or to an element of an array that the loop does not use otherwise", 100),
    Remedy(
        FOLLOWING,
        "store after the inner loops of an element, and read elsewhere only from arrays that the loop does not change",
        0,
    ),
    Remedy(SUM, "leave out {}", 30, is_of_exact=True),
    Remedy(CALLS, "leave out {}", 12, is_of_exact=True),
)


def notes_of(kernels: Mapping[str, KernelInfo], math: Math, *, all_loops: bool) -> list[str]:
    """Return the notes: for a kernel the first one that is sure, or those for all loops. Equal ones are joined."""
    subjects: dict[str, dict[str, None]] = {}
    written = {name: each for name, each in kernels.items() if each.file}  # others are made by the build
    for name, kernel in sorted(written.items(), key=lambda each: (each[1].file, each[1].line, each[0])):
        texts = [text for task in kernel.tasks for text in _texts(task.loop or "", math, all_loops=all_loops)]
        for text in texts if all_loops else texts[:1]:
            subjects.setdefault(text, {})[f"kernel {name} ({kernel.file}, line {kernel.line})"] = None
    return [_note(text, list(names)) for text, names in subjects.items()]


def remedied(remedy: Remedy) -> str:
    """Return the change of a remedy, with options as the caller writes them."""
    return remedy.change.format(option("exact"))


def _texts(loop: str, math: Math, *, all_loops: bool) -> Iterator[str]:
    if loop in ("", VECTORS):
        return
    remedy = next((each for each in REMEDIES if loop.startswith(each.reason)), None)
    text = f"{loop}, so it is not computed by vectors"
    if remedy is not None and remedy.gain and remedy.is_of_exact == (math == "exact"):
        yield f"{text}: {remedied(remedy)}, which was {remedy.gain} times as fast in our measurements"
    elif all_loops:
        yield text


def _note(text: str, subjects: Sequence[str]) -> str:
    more = f". Likewise: {', '.join(subjects[1:])}" if len(subjects) > 1 else ""
    return f"{subjects[0]} {text}{more} [vectors]"

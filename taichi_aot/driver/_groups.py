"""The control groups of this process, whose limits containers have."""

from __future__ import annotations

import os
from collections.abc import Iterator

PROCESS, ROOT = "/proc/self/cgroup", "/sys/fs/cgroup"


def groups_of(controller: str) -> Iterator[tuple[int, str]]:
    """Yield the groups of this process that may limit something, from the inside out: their version and folder."""
    with open(PROCESS, encoding="utf-8", errors="replace") as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            if controllers and controller not in controllers.split(","):
                continue
            version, root = (1, f"{ROOT}/{controller}") if controllers else (2, ROOT)
            while path.strip("/"):
                yield version, root + path
                path = os.path.dirname(path)
            yield version, root  # in a container it may be the group itself


def read_words(path: str) -> list[str]:
    """Return the words of a file; none if the group does not have it."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().split()
    except FileNotFoundError:
        return []

"""The CPU: its architecture, its name, and how many threads can work on it; the limits of control groups."""

from __future__ import annotations

import math
import os
import platform
import sys
from collections.abc import Iterator

from ._variables import read_count

MOST_THREADS = 256  # of the pool (pool.c)


def arm64() -> bool:
    """Return whether this machine is ARM64; otherwise it is x64."""
    return platform.machine().lower() in ("arm64", "aarch64")


def cpu_name() -> str:
    """Return the system's name for the CPU model, or the name of the architecture."""
    name = ""
    try:
        if sys.platform == "linux":
            with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
                name = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "")
        return name or platform.processor() or platform.machine()
    except OSError:  # both open files, and the limit of open files may be reached
        return platform.machine()


def cpu_threads() -> int:
    """Return how many threads compute at the same time in this process.

    That are as many as it can use CPUs, by its affinity and the limits of its control groups, and at most
    ``TAICHI_AOT_CPU_THREADS``.
    """
    stated = read_count("TAICHI_AOT_CPU_THREADS", MOST_THREADS)
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(stated or MOST_THREADS, usable, *_quotas())


def _quotas() -> list[int]:
    """Return the CPUs that each control group with a limit may use, rounded up."""
    quotas: list[int] = []
    try:
        for version, folder in groups_of("cpu"):
            if version == 1:
                limit = read_words(f"{folder}/cpu.cfs_quota_us") + read_words(f"{folder}/cpu.cfs_period_us")
            else:
                limit = read_words(f"{folder}/cpu.max")
            if len(limit) == 2 and all(map(str.isdecimal, limit)) and int(limit[1]) > 0:  # not "max", and not -1
                quotas.append(max(1, math.ceil(int(limit[0]) / int(limit[1]))))
    except OSError:  # not Linux, or hidden
        pass
    return quotas


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

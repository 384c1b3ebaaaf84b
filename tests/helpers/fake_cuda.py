"""Compile the fake CUDA driver (``cuda_driver/driver.c``) and read its log."""

from __future__ import annotations

import ctypes
import math
import re
import subprocess
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from taichi_aot import Runtime

NON_BLOCKING = 1  # flag of a stream

SOURCE = Path(__file__).parent / "cuda_driver" / "driver.c"
WARNINGS = ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"]
OPTIONS = ["-std=c11", "-O1", "-g", *WARNINGS, "-fPIC", "-fvisibility=hidden", "-shared"]
KINDS = ("stream", "event", "graph", "node", "memory")
MEMORY = range(1 << 45, (1 << 45) + (256 << 30))  # device addresses


def compile_driver(folder: Path, without: Iterable[str] = ()) -> Path:
    """Compile the driver, optionally without some functions, into a folder that the loader searches."""
    hidden = folder / "hidden.map"
    hidden.write_text("{ local: " + " ".join(f"{name};" for name in ("none", *without)) + " };\n")
    library = folder / "libcuda.so.1"
    command = ["cc", *OPTIONS, f"-Wl,--version-script={hidden}", f"-Wl,-soname,{library.name}", "-o", str(library)]
    subprocess.run([*command, str(SOURCE), "-lpthread", "-ldl"], check=True, timeout=600)
    (folder / "libcuda.so").symlink_to(library.name)
    return folder


class DriverFaults:
    """Faults of the driver in this process, for the calls of the package; as `FaultLibrary`."""

    misuse = "order", "work may run before what it depends on"

    def __init__(self) -> None:
        self._c = ctypes.PyDLL("libcuda.so.1")
        self._c.fake_called.restype = ctypes.c_char_p
        self._c.fake_fired.restype = self._c.fake_count.restype = self._c.fake_races.restype = ctypes.c_long
        self._c.fake_arm.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int]

    def arm(self, name: str = "", index: int = -1, code: int = 0) -> None:
        """Count calls from 0 again, and make the call of this number of a function fail; none without a name."""
        self._c.fake_arm(name.encode(), index, code)

    @property
    def fired(self) -> bool:
        return bool(self._c.fake_fired())

    @property
    def misused(self) -> int:
        """The number of races."""
        return int(self._c.fake_races())

    def calls(self) -> dict[str, int]:
        """Return the number of calls since `arm` by function."""
        counts: dict[str, int] = {}
        calls = ctypes.c_long()
        while name := self._c.fake_called(len(counts), ctypes.byref(calls)):
            counts[name.decode()] = calls.value
        return counts

    def alive(self) -> dict[str, int]:
        """Return the number of live objects by kind, and of bytes on the device."""
        return {kind: int(self._c.fake_count(kind.encode())) for kind in KINDS}

    @property
    def cached(self) -> int:
        """The number of graphs that launches and sequences keep until the runtime is closed."""
        return int(self._c.fake_count(b"exec"))


class LoggedKernel(NamedTuple):
    """A kernel that ran. Addresses in its arguments are numbered in the order of the log."""

    name: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    stream: int
    arguments: tuple[str, ...]  # 8-byte words

    @property
    def what(self) -> tuple[object, ...]:
        """The part that is the same for every launcher."""
        return self.name, self.shared, self.arguments

    @property
    def groups(self) -> int:
        return math.prod(self.grid)


class Log(NamedTuple):
    """The log of the driver."""

    kernels: list[LoggedKernel]  # in execution order
    graphs: list[int]  # the number of kernels in each graph launch
    races: list[str]  # unordered work
    marks: list[int]  # the number of kernels before each ``fake_log``
    calls: list[str]  # of the driver, if traced


def read_log(path: Path) -> Log:
    log = Log([], [], [], [], [])
    numbers: dict[str, int] = {}
    for line in path.read_text().splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "kernel":
            log.kernels.append(_read_kernel(rest, numbers))
        elif kind == "graph":
            log.graphs.append(int(rest))
        elif kind == "race:":
            log.races.append(rest)
        elif kind == "mark":
            log.marks.append(len(log.kernels))
        elif kind == "call":
            log.calls.append(rest)
    return log


def _read_kernel(text: str, numbers: dict[str, int]) -> LoggedKernel:
    name, grid, block, shared, stream, *rest = text.split(" ")
    words = re.findall(".{1,16}", "".join(rest))
    while words and not int(words[-1], 16):  # buffers of the package are larger than those of the library
        words.pop()
    for i, word in enumerate(words):
        if int.from_bytes(bytes.fromhex(word), "little") in MEMORY:
            words[i] = f"array {numbers.setdefault(word, len(numbers))}"
    return LoggedKernel(name, _numbers(grid), _numbers(block), int(shared), int(stream), tuple(words))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


class Driver:
    """The fake driver in this process, opened when it is used."""

    @cached_property
    def c(self) -> ctypes.CDLL:
        return ctypes.CDLL("libcuda.so.1")

    def fail(self, text: str) -> None:
        """Make calls fail: ``"cuMemAlloc_v2:2:3"``; an empty text stops it."""
        self.c.fake_fail(text.encode())

    def mark(self) -> None:
        """Write a mark into the log, after the kernels launched so far."""
        self.c.fake_log(b"mark")

    def count(self, kind: str) -> int:
        """Return the number of live objects of a kind, or of bytes for ``memory``."""
        return int(self.c.fake_count(kind.encode()))

    def counts(self) -> dict[str, int]:
        return {kind: self.count(kind) for kind in ("stream", "event", "graph", "node", "exec", "memory", "pinned")}

    def call(self, name: str, *args: object) -> None:
        status = getattr(self.c, name)(*args)
        assert status == 0, (name, status)

    def stream(self, flags: int = NON_BLOCKING) -> int:
        handle = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(handle), flags)
        assert handle.value
        return handle.value

    def fill(self, address: int, value: float, count: int, stream: int) -> None:
        """Fill an array of f32 on a stream, as another library would."""
        word = np.float32(value).view(np.uint32)
        where = ctypes.c_uint64(address), ctypes.c_uint32(int(word)), ctypes.c_size_t(count), ctypes.c_void_p(stream)
        self.call("cuMemsetD32Async", *where)

    def stream_on(self, rt: Runtime) -> int:
        """Create a stream on the device of a runtime, as another library does."""
        context, before = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), rt.device_index)
        self.call("cuCtxGetCurrent", ctypes.byref(before))
        self.call("cuCtxSetCurrent", context)
        stream = self.stream(NON_BLOCKING)
        self.call("cuCtxSetCurrent", before)
        return stream


driver = Driver()

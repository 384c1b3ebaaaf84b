"""The PTX and cubins of a CUDA module: the build's facts, and checks before a driver loads them.

For each kernel there is ``KERNEL.ptx``, and for each kind of device that was asked for ``KERNEL.sm_90.cubin``.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...bundle._files import CUBIN_SUFFIX, PTX_SUFFIX
from ...bundle._info import TaskInfo
from ...values._errors import CorruptedDataError
from ._native import NativeKernel
from ._programs import Program

CAPABILITY = re.compile(r"sm_[1-9]\d{1,2}[af]?")
MAX_RANDOM_THREADS = 1 << 22  # of a launch, each of which has a state of 20 bytes

ELF = struct.Struct("<4sBB10sHHI")  # the magic, the class, the order of bytes, the rest of it, type, machine, version
ELF_START, CLASS_64, LITTLE_ENDIAN, EM_CUDA = b"\x7fELF", 2, 1, 190
ENTRY = re.compile(rb"^[^\n/]*\.entry[ \t\n]+([\w$%.]+)", re.MULTILINE)  # of a function that can be launched


class PtxTask(NamedTuple):
    """A task of a kernel that is launched; the others do what it computes itself, or are in it."""

    number: int  # among the tasks that the module states
    length: Program  # computes the length of its loop; empty if it is not known
    groups: int  # the most blocks
    block: int  # the threads of one
    fills: int = 0  # how many times its blocks may fill a device; 0: any number
    each: int = 1  # iterations that a thread does at once


class PtxModule(NamedTuple):
    """The PTX of a module."""

    kernels: dict[str, NativeKernel]  # the kernels that have PTX; tasks are the names of its functions
    tasks: dict[str, tuple[PtxTask, ...]]  # what a launch of each launches
    refused: dict[str, str]  # the other kernels, each with the reason: a short clause whose subject is the kernel
    # The capabilities of devices for which each of `kernels` has a cubin, such as ``"sm_90"``.
    capabilities: tuple[str, ...]
    images: Mapping[str, bytes]  # the files of PTX and cubins by name


def ptx_name(kernel: str) -> str:
    """The name of the file that has the PTX of a kernel."""
    return f"{kernel}{PTX_SUFFIX}"


def cubin_name(kernel: str, capability: str) -> str:
    """The name of the file that has the cubin of a kernel for a capability."""
    return f"{kernel}.{capability}{CUBIN_SUFFIX}"


def random_threads(tasks: Iterable[TaskInfo]) -> int:
    """The most threads of the launches of a kernel that draws random numbers: the number of states that it uses."""
    return max((task.threads for task in tasks), default=0)


def entries(ptx: bytes) -> list[str]:
    """The functions of PTX that can be launched, in order."""
    return [name.decode() for name in ENTRY.findall(ptx)]


def check_ptx(name: str, data: bytes, tasks: Iterable[str]) -> None:
    """Check that PTX is text with the functions of a kernel; `name` is that of the file."""
    if b".version" not in data or b"\0" in data:
        raise CorruptedDataError(f"{name} is not PTX")
    for task in tasks:  # `entries` takes ten times as long
        if b".entry %b(" % task.encode() not in data:
            raise CorruptedDataError(f"{name} lacks the function {task!r}")


def check_cubin(name: str, data: bytes, tasks: Iterable[str]) -> None:
    """Check that a cubin is an ELF file for CUDA devices with the functions of a kernel; `name` is that of the file."""
    if len(data) < ELF.size:
        raise CorruptedDataError(f"{name} is cut off: it has {len(data)} bytes")
    start, bits, order, _, _, machine, _ = ELF.unpack_from(data)
    if (start, bits, order) != (ELF_START, CLASS_64, LITTLE_ENDIAN) or machine != EM_CUDA:
        raise CorruptedDataError(f"{name} is not an ELF file for CUDA devices")
    for task in tasks:
        if b".text.%b\0" % task.encode() not in data:
            raise CorruptedDataError(f"{name} lacks the function {task!r}")


def verify(ptx: PtxModule) -> None:
    """Check the PTX and the cubins, which have the functions of each kernel."""
    for name, kernel in ptx.kernels.items():
        check_ptx(ptx_name(name), ptx.images[ptx_name(name)], kernel.tasks)
        for capability in ptx.capabilities:
            file = cubin_name(name, capability)
            check_cubin(file, ptx.images[file], kernel.tasks)

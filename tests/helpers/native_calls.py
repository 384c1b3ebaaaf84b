"""Call the machine code of a module without the package's backend: structs are filled by hand, and the pool is Python.

It reads what the module states (`formats`), and shares no code with the backend. So both must agree on every layout.
"""

from __future__ import annotations

import ctypes
import platform
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from helpers.plans import parsed
from taichi_aot.adopt.llvm._metadata import Kernel
from taichi_aot.adopt.llvm._module import LlvmModule
from taichi_aot.adopt.taichi._native import NativeModule
from taichi_aot.adopt.taichi._runtime_struct import TEMPORARIES_BYTES, runtime_layout
from taichi_aot.adopt.taichi._types import Member, Struct, Tensor, Type, data_type, size_of
from taichi_aot.build.code._native import why_unavailable
from taichi_aot.values._dtypes import numpy_dtype

Bytes = npt.NDArray[np.uint8]

TASK = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
LOOP_TASK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_int)
POOL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, LOOP_TASK)
# What the levels of the x86-64 psABI add, as Linux calls it.
LEVELS = {
    "x86-64-v2": {"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"},
    "x86-64-v3": {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"},
    "x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
}
MARK = 0x5A  # in bytes that kernels must not read


def targets_here() -> list[str]:
    """Return the kinds of CPU whose code this machine compiles and runs, the most general first."""
    if platform.machine() != "x86_64" or why_unavailable(None):
        return []
    lines = Path("/proc/cpuinfo").read_text(encoding="ascii").splitlines()
    flags = set(next(line for line in lines if line.startswith("flags")).split(":")[1].split())
    found: list[str] = []
    for target, needed in LEVELS.items():
        if not needed <= flags:
            break
        found.append(target)
    return found


class Context(ctypes.Structure):
    _fields_ = (
        ("arguments", ctypes.c_void_p),
        ("runtime", ctypes.c_void_p),
        ("thread", ctypes.c_int32),
        ("result", ctypes.c_void_p),
    )


class MachineCode:
    """The machine code of a module for one kind of CPU, with memory for its fields.

    Parameters
    ----------
    path : Path
        The module.
    target : str
        The kind of CPU, of `targets_here`.
    """

    def __init__(self, path: Path, target: str) -> None:
        module = parsed(path)
        assert module.native is not None
        assert isinstance(module.stated, LlvmModule)
        self.native: NativeModule = module.native
        self._kernels = {kernel.key: kernel for kernel in module.stated.kernels}
        self._library = open_code(self.native.code[target])
        self.roots = {tree.key: aligned(tree.size) for tree in module.stated.fields}
        self._trees = max(self.roots, default=-1) + 1
        self._temporaries = aligned(TEMPORARIES_BYTES)
        self._temporaries[:] = MARK
        self._pool = POOL(run_backwards)

    def runs(self, name: str) -> bool:
        """Return whether the kernel has machine code that `call` can run: random states are the library's own."""
        return name in self.native.kernels and "random" not in self.native.kernels[name].needs

    def call(self, name: str, arguments: Sequence[Any]) -> list[npt.NDArray[Any]]:
        """Run a kernel with numpy's arrays, matrices and scalars; return its return values."""
        kernel, native = self._kernels[name], self.native.kernels[name]
        block, runtime = argument_block(kernel, arguments), self._runtime(native.needs)
        result = aligned(kernel.stated.layout.return_size)
        context = Context(block.ctypes.data, runtime.ctypes.data, 0, result.ctypes.data)
        for symbol in native.tasks:
            TASK((symbol, self._library))(ctypes.addressof(context))
        members = kernel.checked.returned.members
        return [read_value(result, member) for member in members]

    def _runtime(self, needs: frozenset[str]) -> Bytes:
        """Return the runtime's struct with what the kernel states that it needs, and nothing else."""
        size, offsets = runtime_layout()
        runtime = aligned(size)
        values = {
            "pool": ("parallel_for", [ctypes.cast(self._pool, ctypes.c_void_p).value or 0]),
            "temporaries": ("temporaries", [self._temporaries.ctypes.data]),
            "roots": ("roots", [self.roots[key].ctypes.data if key in self.roots else 0 for key in range(self._trees)]),
        }
        for need in needs & values.keys():
            member, addresses = values[need]
            words = np.array(addresses, np.uint64)
            runtime[offsets[member] : offsets[member] + words.nbytes] = words.view(np.uint8)
        return runtime


def open_code(code: bytes) -> ctypes.CDLL:
    """Open a shared object. Each gets a path of its own: the system's loader opens one path only once."""
    with tempfile.NamedTemporaryFile(suffix=".so") as file:
        file.write(code)
        file.flush()
        return ctypes.CDLL(file.name)


def aligned(size: int) -> Bytes:
    """Return zeroed bytes at a multiple of 4 KiB."""
    raw = np.zeros(size + 4096, np.uint8)
    start = -raw.ctypes.data % 4096
    return raw[start : start + size]


def run_backwards(_pool: int, tasks: int, threads: int, context: int, task: Any) -> None:
    """Run the tasks of a loop from the last to the first, each on another thread's number."""
    for index in reversed(range(tasks)):
        task(context, index % threads, index)


def argument_block(kernel: Kernel, arguments: Sequence[Any]) -> Bytes:
    """Return the argument struct of a kernel."""
    layout = kernel.stated.layout
    block = aligned(layout.size)
    for member, value in zip(layout.struct.members, arguments, strict=True):
        names = {each.name: each for each in member.type.members} if isinstance(member.type, Struct) else {}
        if "data_ptr" not in names:
            write(block, member.offset, np.asarray(value))
            continue
        dims = names["shape"].type
        assert isinstance(dims, Struct)
        for place, number in zip(dims.members, value.shape, strict=False):
            write(block, member.offset + names["shape"].offset + place.offset, np.int32(number))
        write(block, member.offset + names["data_ptr"].offset, np.uint64(value.ctypes.data))
    return block


def write(block: Bytes, offset: int, value: Any) -> None:
    data = np.frombuffer(value.tobytes(), np.uint8)
    block[offset : offset + len(data)] = data


def read_value(result: Bytes, member: Member) -> npt.NDArray[Any]:
    type_: Type = member.type
    shape = type_.shape if isinstance(type_, Tensor) else ()
    dtype = data_type(type_.element if isinstance(type_, Tensor) else type_)
    assert dtype is not None
    data = result[member.offset : member.offset + size_of(type_, "llvm")]
    return data.view(numpy_dtype(dtype)).reshape(shape).copy()

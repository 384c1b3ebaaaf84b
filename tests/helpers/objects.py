"""Objects that most tests in child processes start with."""

from __future__ import annotations

import gc
import os
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from scenarios import ArchName

from taichi_aot import (
    AotModule,
    Arch,
    ComputeGraph,
    Kernel,
    Launch,
    Memory,
    NdArray,
    Runtime,
    TaichiError,
    object_counts,
)


@dataclass(eq=False)
class Objects:
    """One object of each kind; ``kernel`` and ``graph`` have been launched once, so that ``y`` holds 3."""

    rt: Runtime
    module: AotModule
    kernel: Kernel
    graph: ComputeGraph
    x: NdArray
    y: NdArray
    memory: Memory
    others: object = None  # for cycles and views


NAMES = [field.name for field in fields(Objects) if field.name != "others"]


def make(arch: Arch | ArchName, module_path: str | Path) -> Objects:
    rt = Runtime(arch)
    module = rt.load_module(module_path)
    kernel, graph = module.kernels["saxpy"], module.graphs["twice"]
    x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
    memory = rt.allocate(64, host_read=True, host_write=True)
    kernel(1.0, x, y)
    graph(1.0, x, y)
    return Objects(rt, module, kernel, graph, x, y, memory)


def load_saxpy(arch: Arch | ArchName, module_path: str | Path) -> tuple[Runtime, Kernel]:
    """Create a runtime and load the kernel ``y += a * x``."""
    rt = Runtime(arch)
    return rt, rt.load_module(module_path).kernels["saxpy"]


def try_runtime(arch: ArchName) -> None:
    """Print what creating a runtime raises, or the sum of an array of three ones."""
    try:
        with Runtime(arch) as rt:
            assert rt.handle  # a CPU does without the library otherwise
            print(rt.full(3, 1.0).to_numpy().sum())
    except TaichiError as error:
        print(type(error).__name__, error)


def bind(module: AotModule, name: str, *values: Any) -> tuple[Launch, list[NdArray]]:
    """Bind a kernel to arrays with these contents; return the launch and the arrays."""
    kernel = module.kernels[name]
    arguments = [
        module.runtime.asarray(value, elem_shape=parameter.elem_shape) if parameter.kind == "ndarray" else value
        for value, parameter in zip(values, kernel.signature.parameters, strict=True)
    ]
    return kernel.bind(*arguments), [argument for argument in arguments if isinstance(argument, NdArray)]


def assert_nothing_left() -> None:
    """Check that no object of the package is alive."""
    gc.collect()
    counts = object_counts()
    assert not any(counts.values()), counts


def wait_until_written(array: NdArray) -> None:
    """Wait until a kernel has changed an array of zeros."""
    while array.to_numpy()[0] == 0:
        time.sleep(0.01)


def work_of_a_pool(arch: Arch | ArchName, module_path: str | Path, number: int) -> float:
    """Return this number and what launches leave; processes of a pool import this function."""
    return float(make(arch, module_path).y.to_numpy()[0]) + number


FORKED = 7  # exit status of a fork whose function returned


def run_in_fork(function: Callable[[], None]) -> int:
    """Run a function in a fork of this process, which then exits, and return its exit status."""
    with warnings.catch_warnings():
        # Python 3.12 and later warn about a fork while threads run, which is tested here.
        warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        function()
        sys.exit(FORKED)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

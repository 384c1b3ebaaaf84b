"""The machine code of an x64 module: the build's facts, which `validate` checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...bundle._files import NATIVE_CODE
from ._native_elf import check_code
from ._programs import Program

# Members of the runtime's struct, or results of the context, that kernels may use.
POOL, TEMPORARIES, ROOTS, RANDOM = "pool", "temporaries", "roots", "random"
ERRORS, PRINTS, RESULTS = "errors", "prints", "results"


class NativeKernel(NamedTuple):
    """A kernel that has machine code, or PTX."""

    tasks: tuple[str, ...]  # the symbols of its tasks, in the order in which they are called
    needs: frozenset[str]  # what its code uses
    trees: tuple[int, ...]  # the trees of fields whose roots it uses, all of them dense


class NativeModule(NamedTuple):
    """The machine code of a module."""

    kernels: dict[str, NativeKernel]  # the kernels that have machine code
    refused: dict[str, str]  # the other kernels, each with the reason: a short clause whose subject is the kernel
    loops: dict[str, tuple[str, ...]]  # how the loop of each task of `kernels` is compiled, as `TaskInfo` states it
    # For each task what its code may add to the last index of its loop, and the program of the loop's length, which is
    # empty if it is not known or cannot be too long.
    lengths: dict[str, tuple[tuple[int, Program], ...]]
    code: Mapping[str, bytes]  # a shared object for each kind of CPU


def verify(native: NativeModule) -> None:
    """Check the shared objects: their machine, and the symbols of each kernel."""
    symbols = {symbol for kernel in native.kernels.values() for symbol in kernel.tasks}
    for target, data in native.code.items():
        check_code(NATIVE_CODE[target], data, target, symbols)

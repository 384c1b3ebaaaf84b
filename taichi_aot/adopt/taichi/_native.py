"""The machine code of an x64 module: the build's facts, which `validate` checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...bundle._files import NATIVE_CODE
from ._native_elf import check_code

# Members of the runtime's struct, or results of the context, that kernels may use.
POOL, TEMPORARIES, ROOTS, RANDOM = "pool", "temporaries", "roots", "random"
ERRORS, RESULTS = "errors", "results"


class NativeKernel(NamedTuple):
    """A kernel that has machine code, or PTX.

    Attributes
    ----------
    tasks : tuple of str
        The symbols of its tasks, in the order in which they are called.
    needs : frozenset of str
        What its code uses.
    trees : tuple of int
        The trees of fields whose roots it uses, all of them dense.
    """

    tasks: tuple[str, ...]
    needs: frozenset[str]
    trees: tuple[int, ...]


class NativeModule(NamedTuple):
    """The machine code of a module.

    Attributes
    ----------
    kernels : dict of str to NativeKernel
        The kernels that have machine code.
    refused : dict of str to str
        The other kernels, each with the reason: a short clause whose subject is the kernel.
    loops : dict of str to tuple of str
        How the loop of each task of `kernels` is compiled, as `TaskInfo` states it.
    code : mapping of str to bytes
        A shared object for each kind of CPU.
    """

    kernels: dict[str, NativeKernel]
    refused: dict[str, str]
    loops: dict[str, tuple[str, ...]]
    code: Mapping[str, bytes]


def verify(native: NativeModule) -> None:
    """Check the shared objects: their machine, and the symbols of each kernel.

    Raises
    ------
    CorruptedDataError
        If one is damaged, or lacks a function.
    """
    symbols = {symbol for kernel in native.kernels.values() for symbol in kernel.tasks}
    for target, data in native.code.items():
        check_code(NATIVE_CODE[target], data, target, symbols)

"""A compiler whose code becomes vectors: where it has its runtime, and the structs that tasks read."""

from __future__ import annotations

from typing import NamedTuple

from ...adopt.taichi._runtime_struct import RUNTIME_MEMBERS


class Compiler(NamedTuple):
    """What differs between compilers.

    Attributes
    ----------
    package : str
        The package of Python that has its runtime.
    roots, temporaries : int
        The numbers of members in the runtime's struct.
    follows_cpu : bool
        Whether its JIT lets LLVM choose by the CPU where the flags of instructions leave a choice.
    context, runtime : str
        The types of the structs; empty if its code states them.
    """

    package: str
    roots: int
    temporaries: int
    follows_cpu: bool
    context: str = ""
    runtime: str = ""


TAICHI = Compiler("taichi", RUNTIME_MEMBERS["roots"], RUNTIME_MEMBERS["temporaries"], False)

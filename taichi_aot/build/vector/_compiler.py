"""A compiler whose code becomes vectors: where it has its runtime, and the structs that tasks read."""

from __future__ import annotations

from typing import NamedTuple

from ...adopt.taichi._native import RUNTIME_MEMBERS


class Compiler(NamedTuple):
    """What differs between compilers."""

    package: str  # the package of Python that has its runtime
    # roots, temporaries: the numbers of members in the runtime's struct.
    roots: int
    temporaries: int
    follows_cpu: bool  # whether its JIT lets LLVM choose by the CPU where the flags of instructions leave a choice
    # context, runtime: the types of the structs; empty if its code states them.
    context: str = ""
    runtime: str = ""


TAICHI = Compiler("taichi", RUNTIME_MEMBERS["roots"], RUNTIME_MEMBERS["temporaries"], False)

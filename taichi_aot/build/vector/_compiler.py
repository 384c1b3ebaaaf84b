"""The compilers whose code becomes vectors: where each has its runtime, and the structs that tasks read."""

from __future__ import annotations

from typing import NamedTuple

from ...adopt.quadrants._runtime_struct import runtime_layout
from ...adopt.taichi._runtime_struct import POINTER_SIZE, RUNTIME_MEMBERS


class Compiler(NamedTuple):
    """A compiler.

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


def _of_quadrants() -> Compiler:
    _, offsets = runtime_layout()
    roots, temporaries = offsets["roots"], offsets["temporaries"]
    between = temporaries - roots - POINTER_SIZE
    return Compiler("quadrants", 1, 3, True, "{ i8*, i8* }", f"{{ [{roots} x i8], [1 x i8*], [{between} x i8], i8* }}")


TAICHI = Compiler("taichi", RUNTIME_MEMBERS["roots"], RUNTIME_MEMBERS["temporaries"], False)
QUADRANTS = _of_quadrants()

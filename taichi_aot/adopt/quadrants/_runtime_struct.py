"""The struct of the runtime of Quadrants 1.3, and the context of its tasks, of which code uses some members.

A build derives both from the bitcode of the runtime that Quadrants has installed, and compares them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from ..taichi._native import PRINTS
from ..taichi._native import USES as TAICHI_USES

BITCODE = ("_lib", "runtime", "runtime_{}.bc")  # in the package of Quadrants, by the arch
SIZE = 59984
# The members by their offsets in bytes. Chunks of memory, and what stacks of gradients have, are named as a whole.
RUNTIME = {
    0: "memory",
    48: "host_allocator",
    56: "assert_failed",
    64: "host_printf",
    72: "host_vsnprintf",
    80: "memory_pool",
    88: "roots",
    4184: "root_mem_sizes",
    8280: "thread_pool",
    8288: "parallel_for",
    8296: "element_lists",
    24680: "node_allocators",
    41064: "ambient_elements",
    57448: "temporaries",
    57456: "rand_states",
    57464: "profiler",
    57488: "error_message_template",
    59536: "error_message_arguments",
    59792: "error_message_lock",
    59800: "error_code",
    59808: "adstack",
    59960: "result_buffer",
    59968: "allocator_lock",
    59972: "num_rand_states",
    59976: "total_requested_memory",
}
CONTEXT = {0: "arguments", 8: "runtime", 16: "thread", 24: "result", 32: "has_failed", 40: "checkpoint", 48: "resumed"}
RESULT = 24
CONTEXT_SIZE = 56

USES = {**TAICHI_USES, "host_printf": PRINTS}
OFFSETS = list(RUNTIME)
RUNTIME_LAYOUT = SIZE, {name: offset for offset, name in RUNTIME.items() if name in USES}

Layout = tuple[int, Sequence[int]]  # of a struct: its size, and the offsets of its members


def member_at(offset: int) -> tuple[str, int]:
    """Return the member at an offset, and where in it that is."""
    begin = OFFSETS[bisect_right(OFFSETS, offset) - 1]
    return RUNTIME[begin], offset - begin


def difference(runtime: Layout, context: Layout) -> str:
    """Return how structs differ from those of Quadrants 1.3, each given as its size and the offsets of its members."""
    for what, (size, offsets), own_size, own in (
        ("LLVMRuntime", runtime, SIZE, RUNTIME),
        ("RuntimeContext", context, CONTEXT_SIZE, CONTEXT),
    ):
        if size != own_size:
            return f"{what} has {size} bytes, and {own_size} in Quadrants 1.3"
        missing = [name for offset, name in own.items() if offset not in offsets]
        if missing:
            return f"{what} has no member where {missing[0]} is in Quadrants 1.3"
    return ""

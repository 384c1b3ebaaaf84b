"""Where the compiler's runtime has what kernels use: the struct ``LLVMRuntime`` of Taichi 1.7.4.

It is the same in every module that is read, since the version of Taichi is compared first, and on all 64-bit targets.
``build/code/_runtime_struct`` derives the numbers from the definition of the struct.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["RUNTIME_PLACES", "RUNTIME_SIZE", "TEMPORARIES_SIZE", "NativeMember"]


class NativeMember(NamedTuple):
    """A member of the runtime's struct."""

    offset: int
    size: int


RUNTIME_SIZE = 35256  # bytes of the struct
TEMPORARIES_SIZE = 1 << 20  # bytes: the compiler refuses kernels that need more, and its code checks nothing
RUNTIME_PLACES = {
    "roots": NativeMember(88, 4096),
    "thread_pool": NativeMember(8280, 8),
    "parallel_for": NativeMember(8288, 8),
    "temporaries": NativeMember(32872, 8),
    "rand_states": NativeMember(32880, 8),
    "error_message_template": NativeMember(32912, 2048),
    "error_message_arguments": NativeMember(34960, 256),
    "error_message_lock": NativeMember(35216, 4),
    "error_code": NativeMember(35224, 8),
}

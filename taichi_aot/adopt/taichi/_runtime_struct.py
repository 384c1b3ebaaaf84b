"""The struct of the compiler's runtime, ``LLVMRuntime``, of which kernels use some members."""

from __future__ import annotations

from ._native import ERRORS, POOL, RANDOM, ROOTS, TEMPORARIES

TEMPORARIES_BYTES = 1 << 20  # the compiler refuses kernels that need more, and its code checks nothing

# Of Taichi 1.7.4, without the numbers that the compiler adds to the names of types.
RUNTIME_TYPE = b"""\
%struct.LLVMRuntime = type { %struct.PreallocatedMemoryChunk, %struct.PreallocatedMemoryChunk, i8* (i8*, i64, i64)*, \
void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag*)*, i8*, [512 x i8*], [512 x i64], i8*, \
void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager*], [1024 x %struct.NodeManager*], \
[1024 x i8*], i8*, %struct.RandState*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, \
i32, i32, i64 }
"""
CHUNK_TYPE = b"%struct.PreallocatedMemoryChunk = type { i8*, i8*, i64 }\n"
# The members that machine code and PTX may use: the number of each, its offset as 64-bit targets lay it out, and
# what a kernel needs that uses it.
MEMBERS = {
    "roots": (7, 88, ROOTS),
    "thread_pool": (9, 8280, POOL),
    "parallel_for": (10, 8288, POOL),
    "temporaries": (14, 32872, TEMPORARIES),
    "rand_states": (15, 32880, RANDOM),
    "error_message_template": (19, 32912, ERRORS),
    "error_message_arguments": (20, 34960, ERRORS),
    "error_message_lock": (21, 35216, ERRORS),
    "error_code": (22, 35224, ERRORS),
}
RUNTIME_MEMBERS = {name: number for name, (number, _, _) in MEMBERS.items()}
RUNTIME_LAYOUT = 35256, {name: offset for name, (_, offset, _) in MEMBERS.items()}  # with the size of the struct
USES = {name: need for name, (_, _, need) in MEMBERS.items()}

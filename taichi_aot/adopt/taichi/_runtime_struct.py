"""The struct of the compiler's runtime, ``LLVMRuntime``, of which kernels use some members."""

from __future__ import annotations

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
RUNTIME_MEMBERS = {
    "roots": 7,
    "thread_pool": 9,
    "parallel_for": 10,
    "temporaries": 14,
    "rand_states": 15,
    "error_message_template": 19,
    "error_message_arguments": 20,
    "error_message_lock": 21,
    "error_code": 22,
}
# Its size, and the offsets of these members, as 64-bit targets lay it out.
RUNTIME_LAYOUT = (
    35256,
    {
        "roots": 88,
        "thread_pool": 8280,
        "parallel_for": 8288,
        "temporaries": 32872,
        "rand_states": 32880,
        "error_message_template": 32912,
        "error_message_arguments": 34960,
        "error_message_lock": 35216,
        "error_code": 35224,
    },
)

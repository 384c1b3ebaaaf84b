"""Wrong calls, with what they raise. The names are those of the fixture ``names`` of tests/values."""

from __future__ import annotations

# Call, class, code, and a part of the message.
CALLS = [
    (
        "saxpy(2.0, x)",
        "ArgumentNotFoundError",
        "ARGUMENT_NOT_FOUND",
        "saxpy() missing 1 required positional argument: 'y'",
    ),
    (
        "saxpy(2.0, x, y, y)",
        "ArgumentTypeError",
        "INVALID_ARGUMENT",
        "saxpy() takes 3 positional arguments but 4 were given",
    ),
    (
        "saxpy.bind(2.0)",
        "ArgumentNotFoundError",
        "ARGUMENT_NOT_FOUND",
        "saxpy() missing 2 required positional arguments: 'x' and 'y'",
    ),
    (
        "saxpy.bind(2.0, x, y).update(z=1)",
        "ArgumentTypeError",
        "NAME_NOT_FOUND",
        "saxpy() has no parameter 'z'; it has 'a', 'x', 'y'",
    ),
    ('saxpy("2", x, y)', "ArgumentTypeError", "INVALID_ARGUMENT", "saxpy() parameter 'a': expected f32, got str '2'"),
    (
        "saxpy(2.0, x, [1, 2])",
        "ArgumentTypeError",
        "INVALID_ARGUMENT",
        "saxpy() parameter 'y': expected ndarray[f32, 1], got list",
    ),
    (
        'saxpy(2.0, x, rt.zeros(3, "i32"))',
        "ArgumentTypeError",
        "INVALID_ARGUMENT",
        "saxpy() parameter 'y': expected ndarray[f32, 1], got ndarray[i32, 1]",
    ),
    (
        "saxpy(2.0, x, foreign)",
        "InvalidArgumentError",
        "INVALID_ARGUMENT",
        "saxpy() parameter 'y': … belongs to another runtime",
    ),
    ("saxpy(2.0, x, closed)", "ObjectStateError", "INVALID_STATE", "saxpy() parameter 'y': the array is closed"),
    ('module.kernels["sxpy"]', "NameNotFoundError", "NAME_NOT_FOUND", "the module has no kernel 'sxpy'"),
    ('module.graphs["saxpy"]', "NameNotFoundError", "NAME_NOT_FOUND", "the module has no graph 'saxpy'"),
    ('rt.load_module("missing.tcm")', "FileNotFoundError", "CORRUPTED_DATA", "No such file or directory"),
    (
        'rt.load_module(bytearray(b"PK"))',
        "CorruptedDataError",
        "CORRUPTED_DATA",
        "the module is not a sound .tcm archive",
    ),
    (
        'rt.load_module("vulkan.tcm")',
        "IncompatibleModuleError",
        "INCOMPATIBLE_MODULE",
        "vulkan.tcm was compiled for vulkan",
    ),
    (
        "rt.load_module(5)",
        "ArgumentTypeError",
        "INVALID_ARGUMENT",
        "a module is a path or the bytes of a .tcm archive, not int",
    ),
    (
        "rt.allocate(0)",
        "ArgumentOutOfRangeError",
        "ARGUMENT_OUT_OF_RANGE",
        "the size of memory must be at least 1 byte, not 0",
    ),
    ("rt.allocate(2**60)", "OutOfMemoryError", "OUT_OF_MEMORY", "cannot allocate"),
    (
        'rt.zeros(-1, "f32")',
        "ArgumentOutOfRangeError",
        "ARGUMENT_OUT_OF_RANGE",
        "the dimensions of shape must not be negative",
    ),
    ('rt.zeros(3, "f33")', "ArgumentTypeError", "INVALID_ARGUMENT", "dtype must be one of"),
    ('rt.full(3, 300, "u8")', "ArgumentOverflowError", "ARGUMENT_OUT_OF_RANGE", "300 does not fit u8"),
    ("x.write([1, 2])", "InvalidArgumentError", "INVALID_ARGUMENT", "cannot write an array of shape (2,)"),
    ("x[1:5]", "ArgumentIndexError", "ARGUMENT_OUT_OF_RANGE", "index 5 is out of range"),
    ("closed.to_numpy()", "ObjectStateError", "INVALID_STATE", "the memory is closed"),
    ('rt.from_dlpack(np.zeros((4, 4), "f4").T)', "InvalidBufferError", "INVALID_ARGUMENT", "it is not C-contiguous"),
    ("other.wait()", "ObjectStateError", "INVALID_STATE", "the runtime is closed"),
    ("rt.stream(0)", "NotSupportedError", "NOT_SUPPORTED", "arch x64 has no streams"),
    ("rt.sequence([])", "InvalidArgumentError", "INVALID_ARGUMENT", "a sequence needs at least one launch"),
    ('Runtime("x65")', "ArgumentOutOfRangeError", "ARGUMENT_OUT_OF_RANGE", "unknown arch 'x65'"),
    ('Runtime("x64", 7)', "ArgumentOutOfRangeError", "ARGUMENT_OUT_OF_RANGE", "device_index 7 is out of range"),
    (
        'function("saxpy.tcm", "saxpy", out="y")(2.0)',
        "ArgumentNotFoundError",
        "ARGUMENT_NOT_FOUND",
        "missing 2 required positional arguments: 'x' and 'y'",
    ),
]

"""Wrong calls, with what they raise. The names are those of the fixture ``names`` of tests/values."""

# Class and code, and by call a part of the message.
RAISED = {
    ("ArgumentNotFoundError", "ARGUMENT_NOT_FOUND"): {
        "saxpy(2.0, x)": "saxpy() missing 1 required positional argument: 'y'",
        "saxpy.bind(2.0)": "saxpy() missing 2 required positional arguments: 'x' and 'y'",
        'function("saxpy.tcm", "saxpy", out="y")(2.0)': "missing 2 required positional arguments: 'x' and 'y'",
    },
    ("ArgumentTypeError", "INVALID_ARGUMENT"): {
        "saxpy(2.0, x, y, y)": "saxpy() takes 3 positional arguments but 4 were given",
        'saxpy("2", x, y)': "saxpy() parameter 'a': expected f32, got str '2'",
        "saxpy(2.0, x, [1, 2])": "saxpy() parameter 'y': expected ndarray[f32, 1], got list",
        'saxpy(2.0, x, rt.zeros(3, "i32"))': "saxpy() parameter 'y': expected ndarray[f32, 1], got ndarray[i32, 1]",
        "rt.load_module(5)": "a module is a path or the bytes of a .tcm archive, not int",
        'rt.zeros(3, "f33")': "dtype must be one of",
    },
    ("ArgumentTypeError", "NAME_NOT_FOUND"): {
        "saxpy.bind(2.0, x, y).update(z=1)": "saxpy() has no parameter 'z'; it has 'a', 'x', 'y'",
    },
    ("InvalidArgumentError", "INVALID_ARGUMENT"): {
        "saxpy(2.0, x, foreign)": "saxpy() parameter 'y': … belongs to another runtime",
        "x.write([1, 2])": "cannot write an array of shape (2,)",
        "rt.sequence([])": "a sequence needs at least one launch",
    },
    ("ObjectStateError", "INVALID_STATE"): {
        "saxpy(2.0, x, closed)": "saxpy() parameter 'y': the array is closed",
        "closed.to_numpy()": "the memory is closed",
        "other.wait()": "the runtime is closed",
    },
    ("NameNotFoundError", "NAME_NOT_FOUND"): {
        'module.kernels["sxpy"]': "the module has no kernel 'sxpy'",
        'module.graphs["saxpy"]': "the module has no graph 'saxpy'",
    },
    ("FileNotFoundError", "CORRUPTED_DATA"): {
        'rt.load_module("missing.tcm")': "No such file or directory",
    },
    ("CorruptedDataError", "CORRUPTED_DATA"): {
        'rt.load_module(bytearray(b"PK"))': "the module is not a sound .tcm archive",
    },
    ("IncompatibleModuleError", "INCOMPATIBLE_MODULE"): {
        'rt.load_module("vulkan.tcm")': "vulkan.tcm was compiled for vulkan",
    },
    ("ArgumentOutOfRangeError", "ARGUMENT_OUT_OF_RANGE"): {
        "rt.allocate(0)": "the size of memory must be at least 1 byte, not 0",
        'rt.zeros(-1, "f32")': "the dimensions of shape must not be negative",
        'Runtime("x65")': "unknown arch 'x65'",
        'Runtime("x64", 7)': "device_index 7 is out of range",
    },
    ("OutOfMemoryError", "OUT_OF_MEMORY"): {
        "rt.allocate(2**60)": "cannot allocate",
    },
    ("ArgumentOverflowError", "ARGUMENT_OUT_OF_RANGE"): {
        'rt.full(3, 300, "u8")': "300 does not fit u8",
    },
    ("ArgumentIndexError", "ARGUMENT_OUT_OF_RANGE"): {
        "x[1:5]": "index 5 is out of range",
    },
    ("InvalidBufferError", "INVALID_ARGUMENT"): {
        'rt.from_dlpack(np.zeros((4, 4), "f4").T)': "it is not C-contiguous",
    },
    ("NotSupportedError", "NOT_SUPPORTED"): {
        "rt.stream(0)": "arch x64 has no streams",
    },
}
CALLS = [(call, *error, message) for error, rows in RAISED.items() for call, message in rows.items()]

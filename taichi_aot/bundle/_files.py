"""The names of the files of modules and bundles."""

LLVM_METADATA, GFX_METADATA = "metadata.tcb", "metadata.json"  # the file that determines the format
LLVM_GRAPHS, GFX_GRAPHS = "graphs.tcb", "graphs.json"
CODE_SUFFIX = ".ll"  # of a kernel of an LLVM module
DESCRIPTION = "bundle.json"  # beside the modules of a bundle
PLAN = "plan.json"  # beside the files of a module
LIBRARY = "library-"  # begins the names of files that only the library is given
OWN_CODE = "code-"  # begins those of SPIR-V in place of Taichi's
CONTENTS, CONTENTS_SUFFIX = "field-", ".bin"  # begin and end of those of the contents of fields
# The kinds of CPU that machine code is for: the levels of the x86-64 psABI; armv8-a; armv8.2-a with half precision.
NATIVE_TARGETS = ("x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64", "aarch64-v8.2")
NATIVE_CODE = {target: f"native-{target}.so" for target in NATIVE_TARGETS}
PTX_SUFFIX, CUBIN_SUFFIX = ".ptx", ".cubin"  # KERNEL.ptx, KERNEL.sm_90.cubin
ZIP_START = b"PK"  # of an archive
# Bytes of files in JSON, far above real ones: of modules, and beside them.
JSON_BYTES, DESCRIPTION_BYTES = 1 << 28, 1 << 26
OWN = {PLAN, DESCRIPTION, *NATIVE_CODE.values()}


def is_own_file(name: str) -> bool:
    """Whether a file of a module is this package's, and not Taichi's own."""
    return name in OWN or name.startswith((LIBRARY, OWN_CODE, CONTENTS)) or name.endswith((PTX_SUFFIX, CUBIN_SUFFIX))


def size_limit(name: str) -> int | None:
    """The most bytes of a file in JSON; None for other files."""
    if name == DESCRIPTION:
        return DESCRIPTION_BYTES
    return JSON_BYTES if name.endswith(".json") else None

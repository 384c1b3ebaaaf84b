"""The names of the files of modules and bundles."""

__all__ = [
    "CODE_SUFFIX",
    "CUBIN_SUFFIX",
    "DESCRIPTION",
    "DESCRIPTION_BYTES",
    "GFX_GRAPHS",
    "GFX_METADATA",
    "JSON_BYTES",
    "LLVM_GRAPHS",
    "LLVM_METADATA",
    "NATIVE",
    "NATIVE_CODE",
    "NATIVE_FILES",
    "NATIVE_TARGETS",
    "PTX",
    "PTX_SUFFIX",
    "SEQUENCE",
    "ZIP_START",
    "is_ptx_file",
    "size_limit",
]

LLVM_METADATA, GFX_METADATA = "metadata.tcb", "metadata.json"  # the file that determines the format
LLVM_GRAPHS, GFX_GRAPHS = "graphs.tcb", "graphs.json"
CODE_SUFFIX = ".ll"  # of a kernel of an LLVM module
DESCRIPTION = "bundle.json"  # beside the files of a module, or beside the modules of a bundle
SEQUENCE = "sequence.json"  # beside the modules of a bundle, if it has a saved sequence
NATIVE = "native.json"  # what an x64 module states of its machine code
# The kinds of CPU that it is for: the levels of the x86-64 psABI; armv8-a; armv8.2-a with half precision.
NATIVE_TARGETS = ("x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64", "aarch64-v8.2")
NATIVE_CODE = {target: f"native-{target}.so" for target in NATIVE_TARGETS}
NATIVE_FILES = (NATIVE, *NATIVE_CODE.values())
PTX = "ptx.json"  # what a CUDA module states of its PTX
PTX_SUFFIX, CUBIN_SUFFIX = ".ptx", ".cubin"  # KERNEL.ptx, KERNEL.sm_90.cubin
ZIP_START = b"PK"  # of an archive
# Bytes of files in JSON, far above real ones: of modules, and beside them.
JSON_BYTES, DESCRIPTION_BYTES = 1 << 28, 1 << 26


def is_ptx_file(name: str) -> bool:
    """Whether a file of a module has PTX or cubins, or what is stated of them."""
    return name == PTX or name.endswith((PTX_SUFFIX, CUBIN_SUFFIX))


def size_limit(name: str) -> int | None:
    """The most bytes of a file in JSON; None for other files."""
    if name in (DESCRIPTION, SEQUENCE):
        return DESCRIPTION_BYTES
    return JSON_BYTES if name.endswith(".json") else None

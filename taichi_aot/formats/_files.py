"""The names of the files of modules and bundles."""

__all__ = ["CODE_SUFFIX", "DESCRIPTION", "GFX_GRAPHS", "GFX_METADATA", "LLVM_GRAPHS", "LLVM_METADATA"]

LLVM_METADATA, GFX_METADATA = "metadata.tcb", "metadata.json"  # the file that determines the format
LLVM_GRAPHS, GFX_GRAPHS = "graphs.tcb", "graphs.json"
CODE_SUFFIX = ".ll"  # of a kernel of an LLVM module
DESCRIPTION = "bundle.json"  # beside the files of a module, or beside the modules of a bundle

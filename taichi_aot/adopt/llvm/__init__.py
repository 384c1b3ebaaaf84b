"""Modules of LLVM code, for CPUs and CUDA."""

"""Loops of CPU kernels as vectors, from the code that the compiler makes before any pass."""

"""Kernels as functions of numpy arrays."""

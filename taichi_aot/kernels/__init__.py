"""Modules, kernels and launches."""

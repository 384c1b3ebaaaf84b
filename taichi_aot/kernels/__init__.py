"""Modules, kernels, and how they are launched."""

"""Modules, their kernels and fields."""

"""Kernels of Quadrants: what its compiler leaves of each, and the plan of the module that is built of them."""

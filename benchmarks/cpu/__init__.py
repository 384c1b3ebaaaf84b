"""The kernels and variants of cpu_launch.py."""

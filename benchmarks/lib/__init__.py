"""Shared by all benchmarks: children, statistics, the stub library, builds."""

"""Throughput: the work and its variants."""

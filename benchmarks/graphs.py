"""The cost of launching a compute graph: the variants of launch.py with a graph that dispatches the same kernel."""

from __future__ import annotations

from launch.measure import measure
from lib.harness import options

if __name__ == "__main__":
    measure(options("The cost of launching a compute graph.", rounds=200), "graphs", "_graph")

"""What the launch of a compute graph costs: the variants of launch.py with a graph that dispatches the same kernel."""

from __future__ import annotations

from launch.measure import measure
from lib.harness import options

if __name__ == "__main__":
    measure(options("What the launch of a compute graph costs.", rounds=200), "graphs", "_graph")

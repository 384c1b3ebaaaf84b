"""What the launch of a compute graph costs: the rungs of launch.py, with a graph that dispatches the same kernel."""

from __future__ import annotations

from harness import options
from launch import measure

if __name__ == "__main__":
    measure(options("What the launch of a compute graph costs.", rounds=200), "graphs", "_graph")

"""The cost of a launch, from plain C to the Taichi JIT; launch/measure.py describes the variants."""

from __future__ import annotations

from launch.measure import measure
from lib.harness import options

if __name__ == "__main__":
    measure(options("The cost of a launch, from plain C to the Taichi JIT.", rounds=200), "launch")

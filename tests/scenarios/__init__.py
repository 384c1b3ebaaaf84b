"""Scenarios: functions that a test runs in a child process, because they could crash it.

``python -m scenarios MODULE:FUNCTION ARGUMENT...`` runs one; ``helpers.child.run_scenario`` does so for a test.
Each takes strings, checks with ``assert`` and raises if it fails.
"""

from typing import Literal, TypeAlias

ArchName: TypeAlias = Literal["x64", "vulkan", "cuda", "opengl"]  # archs that scenarios run on

END = "the scenario returned"  # printed last

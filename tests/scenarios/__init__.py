"""Functions that several tests run in child processes, because they could crash them, or that processes import.

``helpers.child.run_in_child`` runs one for a test, ``python -m scenarios MODULE:FUNCTION ARGUMENT...`` by hand, with
strings. Each checks with ``assert`` and raises if it fails.
"""

from typing import Literal, TypeAlias

from helpers.child_main import END as END

ArchName: TypeAlias = Literal["x64", "vulkan", "cuda", "opengl"]  # archs that scenarios run on

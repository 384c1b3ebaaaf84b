"""A plugin of pytest: a build fails if SPIRV-Tools find a fault in a shader of its output.

PYTHONPATH=.ci python -m pytest -p spirv_val tests/build
"""

from __future__ import annotations

import subprocess
from functools import cache

from taichi_aot.adopt import _make
from taichi_aot.bundle._plan import Plan

MINOR = 5  # the byte with the minor version of SPIR-V, of which Vulkan 1.1 has 3

files_of = _make.files_of


@cache
def _fault_of(code: bytes) -> str:
    vulkan = "vulkan1.1" if code[MINOR] <= 3 else "vulkan1.2"
    command = ("spirv-val", "--target-env", vulkan)
    return subprocess.run(command, input=code, capture_output=True, check=False).stderr.decode()


def _valid_files_of(plan: Plan) -> dict[str, bytes]:
    files = files_of(plan)
    faults = {name: fault for name, code in files.items() if name.endswith(".spv") and (fault := _fault_of(code))}
    assert not faults, "\n".join(f"{name}: {fault}" for name, fault in faults.items())
    return files


_make.files_of = _valid_files_of

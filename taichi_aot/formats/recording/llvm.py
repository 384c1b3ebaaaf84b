"""Plans of kernels in modules of CUDA code."""

from __future__ import annotations

from collections.abc import Mapping

from ..info import ModuleInfo
from .plans import Dispatch

__all__ = ["make_plans"]


def make_plans(info: ModuleInfo, files: Mapping[str, bytes]) -> dict[str, Dispatch | str]:
    """The dispatch of each kernel by name, or why it does not have one; `files` are those that the library is given."""
    return dict.fromkeys(info.all_kernels, "code for LLVM") if files else {}

"""Plans of launches that are recorded without the library, made from the files that the library is given."""

from __future__ import annotations

from collections.abc import Mapping

from .. import LLVM_METADATA
from ..info import ModuleInfo
from . import gfx, llvm
from .plans import Dispatch, of_graph

__all__ = ["Dispatch", "make_plans", "of_graph"]


def make_plans(info: ModuleInfo, files: Mapping[str, bytes]) -> dict[str, Dispatch | str]:
    """The dispatch of each kernel by name, or why it does not have one; `files` are those that the library is given."""
    return llvm.make_plans(info, files) if LLVM_METADATA in files else gfx.make_plans(info, files)

"""What the library is given of a module: a private copy, which launches can pass all arguments to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..formats._info import ModuleInfo
from ..formats._parse import ParsedModule
from ..values._signature import Words
from ._returns import ReturnLayout

if TYPE_CHECKING:
    from ..formats._native import NativeModule

__all__ = ["LoweredModule", "lower"]


class LoweredModule(NamedTuple):
    """The private copy of a module.

    Attributes
    ----------
    info : ModuleInfo
        What the module states.
    files : dict
        The files of the copy by name.
    results : mapping
        The layouts of return values by kernel. The values of other kernels cannot be fetched.
    gradients : frozenset of str
        The kernels whose gradients are passed, each as one more ndarray.
    native : NativeModule or None
        The machine code of its kernels as they are in the module; None if it does not have any.
    """

    info: ModuleInfo
    files: dict[str, bytes]
    results: Mapping[str, ReturnLayout]
    gradients: frozenset[str] = frozenset()
    native: NativeModule | None = None


def lower(module: ParsedModule, words: Words = Words.ALL) -> LoweredModule:
    """Make the private copy of a module.

    Parameters
    ----------
    module : ParsedModule
        The module, which is not changed.
    words : Words, default Words.ALL
        What the copy takes as `_words` describes. With `Words.ALL` kernels write their return values to an array too,
        as `_returns` describes.
    """
    info, stated = module.info, module.stated
    if info.family == "llvm":  # of the two families, most processes use one
        from ..formats._llvm import LlvmModule
        from . import _llvm as llvm

        assert isinstance(stated, LlvmModule)
        return LoweredModule(info, *llvm.lower(module.files, info, stated, words), native=module.native)
    from ..formats._gfx import GfxModule
    from . import _gfx as gfx

    assert isinstance(stated, GfxModule)
    return LoweredModule(info, *gfx.lower(module.files, info, stated, words))

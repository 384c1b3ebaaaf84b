"""The library's private copy of a module, to which launches can pass all arguments."""

from __future__ import annotations

from ...values._signature import Words
from ..llvm import _copy as llvm
from ..llvm._module import LlvmModule
from ..spirv import _copy as spirv
from ..taichi._lowered import LoweredModule
from ._parse import ParsedModule


def lower(module: ParsedModule, words: Words = Words.ALL) -> LoweredModule:
    """Make the private copy of a module, which takes `words` as `values/_words` describes.

    With `Words.ALL` kernels write their return values to an array too, as `taichi/_returns` describes.
    """
    info, stated = module.info, module.stated
    if isinstance(stated, LlvmModule):
        return LoweredModule(info, *llvm.lower(module.files, info, stated, words))
    return LoweredModule(info, *spirv.lower(module.files, info, stated, words))

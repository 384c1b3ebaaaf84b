"""Taichi's modules, imported at their first use. Taichi has no types for them."""

from __future__ import annotations

import importlib
from typing import Any


class _Module:
    """Stands for a module, so that importing this package does not import Taichi."""

    def __init__(self, name: str) -> None:
        vars(self)["_name"] = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(vars(self)["_name"]), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(importlib.import_module(vars(self)["_name"]), name, value)


TI: Any = _Module("taichi")
AOT_EXPORT: Any = _Module("taichi.aot._export")
AOT_MODULE: Any = _Module("taichi.aot.module")
ARGPACK: Any = _Module("taichi.lang.argpack")
CORE: Any = _Module("taichi._lib.core.taichi_python")
EXCEPTION: Any = _Module("taichi.lang.exception")
BUILDER: Any = _Module("taichi._snode.fields_builder")
FIELD: Any = _Module("taichi.lang.field")
GRAPH: Any = _Module("taichi.graph._graph")
IMPL: Any = _Module("taichi.lang.impl")
KERNEL: Any = _Module("taichi.lang.kernel_impl")
KERNEL_ARGUMENTS: Any = _Module("taichi.lang.kernel_arguments")
LANG: Any = _Module("taichi.lang")
MATRIX: Any = _Module("taichi.lang.matrix")
MISC: Any = _Module("taichi.lang.misc")
NDARRAY: Any = _Module("taichi.lang._ndarray")
SNODE: Any = _Module("taichi.lang.snode")
STRUCT: Any = _Module("taichi.lang.struct")
TEXTURE: Any = _Module("taichi.lang._texture")
TYPES: Any = _Module("taichi.types")
UTIL: Any = _Module("taichi.lang.util")

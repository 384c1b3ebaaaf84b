"""Taichi's modules, only for child processes. Taichi has no types for them."""

from __future__ import annotations

import importlib
from typing import Any

TI: Any = importlib.import_module("taichi")
AOT_EXPORT: Any = importlib.import_module("taichi.aot._export")
AOT_MODULE: Any = importlib.import_module("taichi.aot.module")
ARGPACK: Any = importlib.import_module("taichi.lang.argpack")
CORE: Any = importlib.import_module("taichi._lib").core
EXCEPTION: Any = importlib.import_module("taichi.lang.exception")
BUILDER: Any = importlib.import_module("taichi._snode.fields_builder")
FIELD: Any = importlib.import_module("taichi.lang.field")
GRAPH: Any = importlib.import_module("taichi.graph._graph")
IMPL: Any = importlib.import_module("taichi.lang.impl")
KERNEL: Any = importlib.import_module("taichi.lang.kernel_impl")
LANG: Any = importlib.import_module("taichi.lang")
MATRIX: Any = importlib.import_module("taichi.lang.matrix")
MISC: Any = importlib.import_module("taichi.lang.misc")
NDARRAY: Any = importlib.import_module("taichi.lang._ndarray")
SNODE: Any = importlib.import_module("taichi.lang.snode")
STRUCT: Any = importlib.import_module("taichi.lang.struct")
TEXTURE: Any = importlib.import_module("taichi.lang._texture")
TYPES: Any = importlib.import_module("taichi.types")
UTIL: Any = importlib.import_module("taichi.lang.util")

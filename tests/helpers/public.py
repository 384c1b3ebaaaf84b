"""The public names of the package."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import taichi_aot
import taichi_aot.build
from taichi_aot import capi, distributed, isolated
from taichi_aot.interop import dask, vulkan

# Modules of frameworks that are not installed cannot be imported.
FRAMEWORKS = {f"taichi_aot.interop.{name}": find_spec(name) is not None for name in ("jax", "torch")}
MISSING = tuple(name for name, is_installed in FRAMEWORKS.items() if not is_installed)
INSTALLED = [import_module(name) for name, is_installed in FRAMEWORKS.items() if is_installed]
MODULES = (taichi_aot, taichi_aot.build, capi, dask, distributed, isolated, vulkan, *INSTALLED)

# Fully qualified, such as `taichi_aot.build.make_python`.
NAMES = {f"{module.__name__}.{name}": getattr(module, name) for module in MODULES for name in module.__all__}

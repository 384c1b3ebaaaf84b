"""The public names of the package."""

from __future__ import annotations

import taichi_aot
import taichi_aot.build
from taichi_aot import capi, isolated
from taichi_aot.interop import dask, vulkan

MODULES = (taichi_aot, taichi_aot.build, capi, dask, isolated, vulkan)

# Fully qualified, such as `taichi_aot.build.make_python`.
NAMES = {f"{module.__name__}.{name}": getattr(module, name) for module in MODULES for name in module.__all__}

"""Run ahead-of-time compiled Taichi kernels through the Taichi C-API, without the Taichi compiler.

>>> from taichi_aot import Runtime
>>> with Runtime("x64") as rt:
...     saxpy = rt.load_module("saxpy.tcm").kernels["saxpy"]
...     x, y = rt.asarray([1.0, 2.0], "f32"), rt.zeros(2, "f32")
...     saxpy(2.0, x, y)
...     print(y.to_numpy())
[2. 4.]

The examples in docstrings use these names, with the contents ``[1, 2, 3]`` of ``x`` and zeros in ``y``, an open runtime
``rt``, the loaded ``module``, ``simulation``, which has fields, numpy as ``np``, and the public names of this package.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._ffi.library import library_path, library_version
from ._handles.counts import object_counts
from .device import DeviceInfo, available_archs, devices
from .enums import (
    AddressMode,
    Arch,
    Capability,
    DataType,
    ErrorCode,
    Filter,
    Format,
    ImageLayout,
    ImageUsage,
    MemoryUsage,
)
from .errors import (
    ArgumentNotFoundError,
    ArgumentNullError,
    ArgumentOutOfRangeError,
    CorruptedDataError,
    DeviceLostError,
    IncompatibleModuleError,
    InvalidArgumentError,
    InvalidInteropError,
    InvalidStateError,
    LibraryNotFoundError,
    NameNotFoundError,
    NotSupportedError,
    OutOfMemoryError,
    TaichiError,
)
from .field import Field
from .formats import inspect
from .image import Image, ImageSlice, Texture
from .kernel import ComputeGraph, Kernel
from .launch import Launch
from .loading import load
from .memory import Memory, MemorySlice
from .module import AotModule
from .ndarray import ArraySlice, NdArray
from .runtime import Runtime
from .sampler import Sampler
from .sequence import LaunchSequence
from .signature import Parameter, Signature

if _TYPE_CHECKING:
    from . import isolated as isolated
    from .defaults import default_runtime
    from .environment import show_versions
    from .formats.info import FieldInfo, GraphInfo, KernelInfo, ModuleInfo
    from .functions import Function, function

__version__ = "0.1.0"

__all__ = [
    "AddressMode",
    "AotModule",
    "Arch",
    "ArgumentNotFoundError",
    "ArgumentNullError",
    "ArgumentOutOfRangeError",
    "ArraySlice",
    "Capability",
    "ComputeGraph",
    "CorruptedDataError",
    "DataType",
    "DeviceInfo",
    "DeviceLostError",
    "ErrorCode",
    "Field",
    "FieldInfo",
    "Filter",
    "Format",
    "Function",
    "GraphInfo",
    "Image",
    "ImageLayout",
    "ImageSlice",
    "ImageUsage",
    "IncompatibleModuleError",
    "InvalidArgumentError",
    "InvalidInteropError",
    "InvalidStateError",
    "Kernel",
    "KernelInfo",
    "Launch",
    "LaunchSequence",
    "LibraryNotFoundError",
    "Memory",
    "MemorySlice",
    "MemoryUsage",
    "ModuleInfo",
    "NameNotFoundError",
    "NdArray",
    "NotSupportedError",
    "OutOfMemoryError",
    "Parameter",
    "Runtime",
    "Sampler",
    "Signature",
    "TaichiError",
    "Texture",
    "available_archs",
    "default_runtime",
    "devices",
    "function",
    "inspect",
    "library_path",
    "library_version",
    "load",
    "object_counts",
    "show_versions",
]


# Imported on demand, so that a process starts faster.
_MODULES = {
    "FieldInfo": "formats.info",
    "Function": "functions",
    "GraphInfo": "formats.info",
    "KernelInfo": "formats.info",
    "ModuleInfo": "formats.info",
    "default_runtime": "defaults",
    "function": "functions",
    "show_versions": "environment",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        return getattr(import_module(f"taichi_aot.{_MODULES[name]}"), name)
    if name == "isolated":
        return import_module("taichi_aot.isolated")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *_MODULES]

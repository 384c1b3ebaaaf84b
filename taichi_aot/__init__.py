"""Run ahead-of-time compiled Taichi kernels through the Taichi C-API, without the Taichi compiler.

>>> from taichi_aot import Runtime
>>> with Runtime() as rt:                               # doctest: +SKIP
...     saxpy = rt.load_module("saxpy.tcm").kernels["saxpy"]
...     x, y = rt.asarray([1.0, 2.0], "f32"), rt.zeros(2, "f32")
...     saxpy(2.0, x, y)
...     print(y.to_numpy())
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._library import library_path, library_version
from .aot_module import AotModule
from .device import DeviceInfo, available_archs, devices
from .enums import Arch, Capability, DataType, ErrorCode, MemoryUsage
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
from .launch import Launch, LaunchSequence
from .launchable import ComputeGraph, Kernel
from .memory import Memory, MemorySlice
from .module_formats import inspect
from .ndarray import NdArray
from .runtime import Runtime
from .signature import Parameter, Signature

if _TYPE_CHECKING:
    from .module_formats.info import FieldInfo, GraphInfo, KernelInfo, ModuleInfo

__version__ = "0.1.0"

__all__ = [
    "AotModule",
    "Arch",
    "ArgumentNotFoundError",
    "ArgumentNullError",
    "ArgumentOutOfRangeError",
    "Capability",
    "ComputeGraph",
    "CorruptedDataError",
    "DataType",
    "DeviceInfo",
    "DeviceLostError",
    "ErrorCode",
    "FieldInfo",
    "GraphInfo",
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
    "Signature",
    "TaichiError",
    "available_archs",
    "devices",
    "inspect",
    "library_path",
    "library_version",
]


def __getattr__(name: str) -> object:
    # Of what only reading a module needs: a process starts faster without it.
    if name in ("FieldInfo", "GraphInfo", "KernelInfo", "ModuleInfo"):
        from .module_formats import info

        return getattr(info, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), "FieldInfo", "GraphInfo", "KernelInfo", "ModuleInfo"]

"""Run ahead-of-time compiled Taichi kernels through the Taichi C-API, without the Taichi compiler.

>>> from taichi_aot import Runtime
>>> with Runtime("x64") as rt:
...     saxpy = rt.load_module("saxpy.tcm").kernels["saxpy"]
...     x, y = rt.asarray([1.0, 2.0], "f32"), rt.zeros(2, "f32")
...     saxpy(2.0, x, y)
...     print(y.to_numpy())
[2. 4.]

The examples in docstrings use these names: ``x`` contains ``[1, 2, 3]`` and ``y`` zeros. They also use an open runtime
``rt``, the loaded ``module``, a module ``simulation`` with fields, numpy as ``np``, and this package's public names.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .arrays._memory import Memory, MemorySlice
from .arrays._ndarray import ArraySlice, NdArray
from .backends._devices import ArchLike, DeviceInfo, available_archs, devices
from .driver._library import library_path, library_version
from .runtime._event import Event, Timer
from .runtime._runtime import Runtime
from .values._errors import (
    ArgumentIndexError,
    ArgumentNotFoundError,
    ArgumentNullError,
    ArgumentOutOfRangeError,
    ArgumentOverflowError,
    ArgumentTypeError,
    BufferStateError,
    CorruptedDataError,
    DeviceLostError,
    ErrorCode,
    IncompatibleModuleError,
    InvalidArgumentError,
    InvalidBufferError,
    InvalidInteropError,
    InvalidStateError,
    KernelAssertionError,
    KernelIndexError,
    LibraryNotFoundError,
    NameNotFoundError,
    NotSupportedError,
    ObjectStateError,
    OutOfMemoryError,
    ReloadWarning,
    StaleBundleWarning,
    TaichiError,
    WaitTimeoutError,
)
from .values._numbers import Arch, Capability, DataType, DTypeLike, MemoryUsage
from .values._signature import Parameter, Signature

if _TYPE_CHECKING:
    from . import distributed as distributed
    from . import isolated as isolated
    from .adopt._make import inspect
    from .arrays._image import Image, ImageSlice, Sampler, Texture
    from .backends._base import MemoryInfo
    from .bundle._info import FieldInfo, GraphInfo, KernelInfo, ModuleInfo
    from .functions._defaults import default_runtime
    from .functions._function import Function, function
    from .handles._registry import object_counts
    from .kernels._arguments import ArrayLike
    from .kernels._field import Field
    from .kernels._kernel import ComputeGraph, Kernel
    from .kernels._launch import Launch
    from .kernels._module import AotModule
    from .kernels._sequence import Iterations, LaunchSequence, UntilSequence
    from .runtime._benchmark import Benchmark, Times, benchmark
    from .runtime._environment import show_versions
    from .runtime._load import load
    from .values._texels import AddressMode, Filter, Format, ImageLayout, ImageUsage

__version__ = "0.1.0"

__all__ = [
    "AddressMode",
    "AotModule",
    "Arch",
    "ArchLike",
    "ArgumentIndexError",
    "ArgumentNotFoundError",
    "ArgumentNullError",
    "ArgumentOutOfRangeError",
    "ArgumentOverflowError",
    "ArgumentTypeError",
    "ArrayLike",
    "ArraySlice",
    "Benchmark",
    "BufferStateError",
    "Capability",
    "ComputeGraph",
    "CorruptedDataError",
    "DTypeLike",
    "DataType",
    "DeviceInfo",
    "DeviceLostError",
    "ErrorCode",
    "Event",
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
    "InvalidBufferError",
    "InvalidInteropError",
    "InvalidStateError",
    "Iterations",
    "Kernel",
    "KernelAssertionError",
    "KernelIndexError",
    "KernelInfo",
    "Launch",
    "LaunchSequence",
    "LibraryNotFoundError",
    "Memory",
    "MemoryInfo",
    "MemorySlice",
    "MemoryUsage",
    "ModuleInfo",
    "NameNotFoundError",
    "NdArray",
    "NotSupportedError",
    "ObjectStateError",
    "OutOfMemoryError",
    "Parameter",
    "ReloadWarning",
    "Runtime",
    "Sampler",
    "Signature",
    "StaleBundleWarning",
    "TaichiError",
    "Texture",
    "Timer",
    "Times",
    "UntilSequence",
    "WaitTimeoutError",
    "available_archs",
    "benchmark",
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


# Imported on demand, so that a process starts faster: what kernels need comes with the first load, images with the
# first image.
_MODULES = {
    "AddressMode": "values._texels",
    "AotModule": "kernels._module",
    "ArrayLike": "kernels._arguments",
    "Benchmark": "runtime._benchmark",
    "ComputeGraph": "kernels._kernel",
    "Field": "kernels._field",
    "FieldInfo": "bundle._info",
    "Filter": "values._texels",
    "Format": "values._texels",
    "Function": "functions._function",
    "GraphInfo": "bundle._info",
    "Image": "arrays._image",
    "ImageLayout": "values._texels",
    "ImageSlice": "arrays._image",
    "ImageUsage": "values._texels",
    "Iterations": "kernels._sequence",
    "Kernel": "kernels._kernel",
    "KernelInfo": "bundle._info",
    "Launch": "kernels._launch",
    "LaunchSequence": "kernels._sequence",
    "MemoryInfo": "backends._base",
    "ModuleInfo": "bundle._info",
    "Sampler": "arrays._image",
    "Texture": "arrays._image",
    "Times": "runtime._benchmark",
    "UntilSequence": "kernels._sequence",
    "benchmark": "runtime._benchmark",
    "default_runtime": "functions._defaults",
    "function": "functions._function",
    "inspect": "adopt._make",
    "load": "runtime._load",
    "object_counts": "handles._registry",
    "show_versions": "runtime._environment",
}
_SUBMODULES = {"build", "capi", "distributed", "interop", "isolated"}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        return getattr(import_module(f"taichi_aot.{_MODULES[name]}"), name)
    if name in ("distributed", "isolated"):
        return import_module(f"taichi_aot.{name}")
    message = f"module {__name__!r} has no attribute {name!r}"
    if name in _SUBMODULES:
        message += f"; write import taichi_aot.{name}"
    elif not name.startswith("_"):
        from .values._items import did_you_mean

        of_runtime = f"; it is a method of a runtime: Runtime().{name} or module.runtime.{name}"
        message += of_runtime if hasattr(Runtime, name) else did_you_mean(name, __all__)
    raise AttributeError(message)


def __dir__() -> list[str]:
    submodules = _SUBMODULES & globals().keys()
    return sorted([*__all__, *submodules, "__version__"])

"""The functions of the Taichi C-API, one by one, under their names without ``ti_``.

This level is for programs ported from C or C++, and for programs that share handles with another binding of the
library. `Runtime` and the other objects are easier to use, and safer.

Types have the names of C: handles (`TiRuntime`), structures (`TiMemoryAllocateInfo`), enumerations
(`TiArch.TI_ARCH_VULKAN`). Functions return the results that C writes through pointers; a count and a pointer are one
sequence; strings are ``str``. Errors are raised: `TaichiError` and its subclasses name the C function. Calls take the
lock of their runtime, so that threads may share it.

The arguments are checked before the call, as far as this package knows the handle: sizes and bounds of memory, the
parameters of a kernel, whether it was freed. This package knows only the address of a foreign handle, and a wrong
address can end the process.

Examples
--------
>>> runtime = capi.create_runtime(capi.TiArch.TI_ARCH_X64, 0)
>>> storage = capi.TiMemoryUsageFlags.TI_MEMORY_USAGE_STORAGE_BIT
>>> info = capi.TiMemoryAllocateInfo(size=64, host_write=True, usage=storage)
>>> memory = capi.allocate_memory(runtime, info)
>>> address = capi.map_memory(runtime, memory)
>>> capi.unmap_memory(runtime, memory)
>>> capi.destroy_runtime(runtime)
"""

from ..handles._c_types import TiAotModule, TiComputeGraph, TiImage, TiKernel, TiMemory, TiRuntime, TiSampler
from . import _enums, _functions, _structures
from ._enums import *  # noqa: F403
from ._functions import *  # noqa: F403
from ._last_error import LastError
from ._members import Array
from ._structures import *  # noqa: F403

TiBool = bool
TiFlags = int
TI_FALSE = 0
TI_TRUE = 1
TI_NULL_HANDLE = 0
TI_C_API_VERSION = 1_007_000

__all__ = ["TI_C_API_VERSION", "TI_FALSE", "TI_NULL_HANDLE", "TI_TRUE", "Array", "LastError", "TiBool", "TiFlags"]
__all__ += ["TiAotModule", "TiComputeGraph", "TiImage", "TiKernel", "TiMemory", "TiRuntime", "TiSampler"]
__all__ += _enums.__all__
__all__ += _structures.__all__
__all__ += _functions.__all__

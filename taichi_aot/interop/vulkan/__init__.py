"""Vulkan: devices, buffers and images that this package and an application use together.

Handles are plain integers. Functions also accept cffi handles, such as those of the PyPI package ``vulkan``;
``vulkan.ffi.cast("VkDevice", info.device)`` converts an integer back.

A queue and the memory that it uses belong to one side at a time: call `Runtime.wait` before the application uses them,
and wait for the application's work before you launch a kernel or copy an array.

`owner` keeps an object of the application alive until the import is closed. Exported objects of this package stay
usable while another runtime imports them. A runtime whose device is imported is destroyed only after the importing
runtime is closed. Imported memory and images cannot be closed (BufferError), as with a view of them. Without an import,
exported handles become invalid when the exported object is closed.
"""

from __future__ import annotations

from ._memory import export_image, export_memory, import_image, import_memory, import_ndarray
from ._runtime import (
    VulkanImageInfo,
    VulkanMemoryInfo,
    VulkanRuntimeInfo,
    create_runtime,
    export_runtime,
    import_runtime,
)

__all__ = [
    "VulkanImageInfo",
    "VulkanMemoryInfo",
    "VulkanRuntimeInfo",
    "create_runtime",
    "export_image",
    "export_memory",
    "export_runtime",
    "import_image",
    "import_memory",
    "import_ndarray",
    "import_runtime",
]

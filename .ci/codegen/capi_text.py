"""The sentences of the docstrings in ``taichi_aot.capi``, by the names of C."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ENUMERATIONS = {
    "TiError": "Errors that functions of the library report; each has a subclass of `TaichiError`.",
    "TiArch": "Backends, with the numbers of `Arch`.",
    "TiCapability": "Capabilities of a device, with the numbers of `Capability`.",
    "TiDataType": "Primitive types of scalars and of the numbers in arrays, with the numbers of `DataType`.",
    "TiArgumentType": "Kinds of arguments of a launch.",
    "TiMemoryUsageFlagBits": "Uses of memory, which can be combined. Kernel arguments need the storage bit.",
    "TiImageUsageFlagBits": "Uses of an image, which can be combined.",
    "TiImageDimension": "Dimensions of an image. The library allocates no arrays and cubes.",
    "TiImageLayout": "Layouts of an image, with the numbers of `ImageLayout`.",
    "TiFormat": "Formats of texels, with the numbers of `Format`.",
    "TiFilter": "Filters of a sampler, with the numbers of `Filter`.",
    "TiAddressMode": "Address modes of a sampler beyond the edges, with the numbers of `AddressMode`.",
}


@dataclass
class StructureText:
    summary: str
    example: str = ""


STRUCTURES = {
    "TiCapabilityLevelInfo": StructureText(
        "A capability of a device, and its level.",
        """
        >>> capi.TiCapabilityLevelInfo(capi.TiCapability.TI_CAPABILITY_SPIRV_HAS_INT64, 1).level
        1
        """,
    ),
    "TiMemoryAllocateInfo": StructureText(
        "Parameters of new memory.",
        """
        >>> capi.TiMemoryAllocateInfo(size=1024, host_read=True).host_write
        False
        """,
    ),
    "TiMemorySlice": StructureText(
        "A part of memory.",
        """
        >>> capi.TiMemorySlice(offset=64, size=16)
        TiMemorySlice(memory=TiMemory(0x0), offset=64, size=16)
        """,
    ),
    "TiNdShape": StructureText(
        "The sizes of an array's dimensions.",
        """
        >>> shape = capi.TiNdShape(2, [16, 8])
        >>> shape.dims[0] = 4
        >>> shape
        TiNdShape(dim_count=2, dims=[4, 8])
        """,
    ),
    "TiNdArray": StructureText(
        "An array in memory, as a kernel takes it.",
        """
        >>> array = capi.TiNdArray(shape=capi.TiNdShape(1, [16]), elem_type=capi.TiDataType.TI_DATA_TYPE_F32)
        >>> array.elem_shape.dim_count, array.shape.dims[0]
        (0, 16)
        """,
    ),
    "TiImageOffset": StructureText(
        "The offset of a part of an image, in texels and layers.",
        """
        >>> capi.TiImageOffset(x=2, y=3)
        TiImageOffset(x=2, y=3, z=0, array_layer_offset=0)
        """,
    ),
    "TiImageExtent": StructureText(
        "The size of an image or of a part, in texels and layers.",
        """
        >>> capi.TiImageExtent(640, 480, 1, 1).height
        480
        """,
    ),
    "TiImageAllocateInfo": StructureText(
        "Parameters of a new image.",
        """
        >>> info = capi.TiImageAllocateInfo(
        ...     dimension=capi.TiImageDimension.TI_IMAGE_DIMENSION_2D,
        ...     extent=capi.TiImageExtent(640, 480, 1, 1),
        ...     mip_level_count=1,
        ...     format=capi.TiFormat.TI_FORMAT_RGBA8,
        ...     usage=capi.TiImageUsageFlags.TI_IMAGE_USAGE_STORAGE_BIT,
        ... )
        >>> info.extent.width
        640
        """,
    ),
    "TiImageSlice": StructureText(
        "A part of an image.",
        """
        >>> capi.TiImageSlice(extent=capi.TiImageExtent(4, 4, 1, 1)).offset.x
        0
        """,
    ),
    "TiSamplerCreateInfo": StructureText(
        "Parameters of a new sampler.",
        """
        >>> capi.TiSamplerCreateInfo(mag_filter=capi.TiFilter.TI_FILTER_LINEAR).max_anisotropy
        0.0
        """,
    ),
    "TiTexture": StructureText(
        "An image and a sampler, as a kernel takes them.",
        """
        >>> capi.TiTexture(extent=capi.TiImageExtent(640, 480, 1, 1)).extent.width
        640
        """,
    ),
    "TiScalarValue": StructureText(
        "The bits of a scalar of any type, in the member of its width. Setting a member sets the rest to 0. For an f16 "
        "the library reads a float32 in `x32`; to pass its own bits in `x16`, use a scalar of type U16.",
        """
        >>> capi.TiScalarValue(x16=0x3C00).x16  # 1.0 as f16
        15360
        """,
    ),
    "TiScalar": StructureText(
        "A scalar with its type.",
        """
        >>> capi.TiScalar(capi.TiDataType.TI_DATA_TYPE_U16, capi.TiScalarValue(x16=7)).value.x16
        7
        """,
    ),
    "TiTensorValue": StructureText(
        "The bits of the numbers of a vector or matrix, in the member of their width.",
        """
        >>> capi.TiTensorValue(x32=[1, 2, 3]).x32
        [1, 2, 3]
        """,
    ),
    "TiTensorValueWithLength": StructureText(
        "The numbers of a vector or matrix, and their count.",
        """
        >>> capi.TiTensorValueWithLength(3, capi.TiTensorValue(x32=[1, 2, 3])).length
        3
        """,
    ),
    "TiTensor": StructureText(
        "A vector or matrix with the type of its numbers.",
        """
        >>> values = capi.TiTensorValueWithLength(3, capi.TiTensorValue(x32=[1, 2, 3]))
        >>> capi.TiTensor(capi.TiDataType.TI_DATA_TYPE_I32, values).contents.data.x32[2]
        3
        """,
    ),
    "TiArgumentValue": StructureText(
        "The value of an argument, in the member of its type.",
        """
        >>> capi.TiArgumentValue(i32=123).i32
        123
        """,
    ),
    "TiArgument": StructureText(
        "An argument of a kernel.",
        """
        >>> argument = capi.TiArgument(capi.TiArgumentType.TI_ARGUMENT_TYPE_I32, capi.TiArgumentValue(i32=123))
        >>> argument
        TiArgument(type=<TiArgumentType.TI_ARGUMENT_TYPE_I32: 0>, value=TiArgumentValue(i32=123))
        """,
    ),
    "TiNamedArgument": StructureText(
        "An argument of a compute graph.",
        """
        >>> capi.TiNamedArgument("foo").name
        'foo'
        """,
    ),
    "TiCpuMemoryInteropInfo": StructureText(
        "Memory of the host.",
        """
        >>> capi.TiCpuMemoryInteropInfo(ptr=4096, size=64).ptr
        4096
        """,
    ),
    "TiCudaMemoryInteropInfo": StructureText(
        "Memory of a CUDA device.",
        """
        >>> capi.TiCudaMemoryInteropInfo().size
        0
        """,
    ),
    "TiOpenglRuntimeInteropInfo": StructureText(
        "The loader of OpenGL functions.",
        """
        >>> capi.TiOpenglRuntimeInteropInfo().get_proc_addr
        0
        """,
    ),
    "TiOpenglMemoryInteropInfo": StructureText(
        "A buffer of OpenGL.",
        """
        >>> capi.TiOpenglMemoryInteropInfo(buffer=1, size=64).buffer
        1
        """,
    ),
    "TiOpenglImageInteropInfo": StructureText(
        "A texture of OpenGL.",
        """
        >>> capi.TiOpenglImageInteropInfo(width=640, height=480).depth
        0
        """,
    ),
    "VkExtent3D": StructureText(
        "The size of an image, as Vulkan states it.",
        """
        >>> capi.VkExtent3D(640, 480, 1).width
        640
        """,
    ),
    "TiVulkanRuntimeInteropInfo": StructureText(
        "A device of Vulkan and its queues.",
        """
        >>> capi.TiVulkanRuntimeInteropInfo(api_version=1 << 22 | 3 << 12).device
        0
        """,
    ),
    "TiVulkanMemoryInteropInfo": StructureText(
        "A buffer of Vulkan and its memory.",
        """
        >>> capi.TiVulkanMemoryInteropInfo(size=64).buffer
        0
        """,
    ),
    "TiVulkanImageInteropInfo": StructureText(
        "An image of Vulkan.",
        """
        >>> capi.TiVulkanImageInteropInfo(extent=capi.VkExtent3D(640, 480, 1)).mip_level_count
        0
        """,
    ),
}

# By name, or by structure and name.
MEMBERS = {
    "capability": "The capability.",
    "level": "Its level: 1, or the version itself for the SPIR-V version.",
    "size": "Size in bytes.",
    "host_write": "Whether the host may write to it.",
    "host_read": "Whether the host may read it.",
    "export_sharing": "Whether other APIs may import it.",
    "usage": "Its uses.",
    "memory": "The memory.",
    "offset": "Offset of its beginning in bytes.",
    "TiImageSlice.offset": "Offset of its beginning.",
    "dim_count": "Number of dimensions, up to 12 in a launch.",
    "dims": "The sizes; those after the last dimension are ignored.",
    "shape": "The shape.",
    "elem_shape": "The shape of its elements; without dimensions for scalars.",
    "elem_type": "The type of its numbers.",
    "x": "In the direction of the width.",
    "y": "In the direction of the height.",
    "z": "In the direction of the depth.",
    "array_layer_offset": "The first layer.",
    "width": "Width.",
    "height": "Height; 1 for images of one dimension.",
    "depth": "Depth; 1 for images of fewer than three dimensions.",
    "array_layer_count": "Number of layers, 1 for all that the library allocates.",
    "dimension": "The dimension.",
    "extent": "The size.",
    "mip_level_count": "Number of mip levels, 1 for all that the library allocates.",
    "format": "The format of the texels.",
    "image": "The image.",
    "mip_level": "The mip level.",
    "mag_filter": "The filter where texels are larger than pixels.",
    "min_filter": "The filter where texels are smaller than pixels.",
    "address_mode": "The address mode beyond the edges.",
    "max_anisotropy": "The largest ratio of anisotropic filtering.",
    "sampler": "Ignored, as in C: the library samples with its own, which is linear and repeats.",
    "x8": "8 bits.",
    "x16": "16 bits.",
    "x32": "32 bits.",
    "x64": "64 bits.",
    "TiTensorValue.x8": "Up to 128 numbers of 8 bits.",
    "TiTensorValue.x16": "Up to 64 numbers of 16 bits.",
    "TiTensorValue.x32": "Up to 32 numbers of 32 bits.",
    "TiTensorValue.x64": "Up to 16 numbers of 64 bits.",
    "type": "The type, which selects the member of the value.",
    "value": "The value.",
    "length": "Count of the numbers.",
    "data": "The numbers.",
    "contents": "The numbers and their count.",
    "i32": "An integer.",
    "f32": "A floating-point number.",
    "ndarray": "An array.",
    "texture": "A texture.",
    "scalar": "A scalar of another type.",
    "tensor": "A vector or matrix.",
    "name": "The name of the argument.",
    "argument": "The argument.",
    "ptr": "Its address.",
    "get_proc_addr": "The address of a function that returns the address of an OpenGL function by name.",
    "buffer": "The buffer.",
    "texture_gl": "The texture.",
    "TiOpenglImageInteropInfo.texture": "The texture.",
    "target": "Its target, such as ``GL_TEXTURE_2D``.",
    "levels": "Number of mip levels.",
    "TiOpenglImageInteropInfo.format": "Its internal format.",
    "get_instance_proc_addr": "The address of ``vkGetInstanceProcAddr``.",
    "api_version": "The version of Vulkan, as Vulkan encodes it.",
    "instance": "``VkInstance``.",
    "physical_device": "``VkPhysicalDevice``.",
    "device": "``VkDevice``.",
    "compute_queue": "``VkQueue`` for kernels.",
    "compute_queue_family_index": "Its family.",
    "graphics_queue": "``VkQueue`` for graphics.",
    "graphics_queue_family_index": "Its family.",
    "TiVulkanMemoryInteropInfo.buffer": "``VkBuffer``.",
    "TiVulkanMemoryInteropInfo.memory": "``VkDeviceMemory``; 0 if it is unknown.",
    "TiVulkanMemoryInteropInfo.usage": "``VkBufferUsageFlags``.",
    "TiVulkanImageInteropInfo.image": "``VkImage``.",
    "image_type": "``VkImageType``.",
    "TiVulkanImageInteropInfo.format": "``VkFormat``.",
    "sample_count": "``VkSampleCountFlagBits``.",
    "tiling": "``VkImageTiling``.",
    "TiVulkanImageInteropInfo.usage": "``VkImageUsageFlags``.",
}

PARAMETERS = {
    "runtime": "The runtime.",
    "arch": "The backend.",
    "device": "Index of the device among those of the backend, as `devices` lists them.",
    "error": "The code.",
    "message": "The message.",
    "capabilities": "The capabilities with their levels.",
    "allocate_info": "Parameters of the allocation.",
    "create_info": "Parameters of the sampler.",
    "memory": "Memory of the runtime.",
    "image": "An image of the runtime.",
    "sampler": "The sampler.",
    "dst_memory": "The part to copy to.",
    "src_memory": "The part to copy from, of the same size.",
    "dst_image": "The part to copy to.",
    "src_image": "The part to copy from, of the same extent.",
    "layout": "The layout.",
    "module_path": "A folder with a ``metadata.json`` or ``metadata.tcb``, or a ``.tcm`` archive.",
    "tcm": "The contents of a ``.tcm`` archive.",
    "aot_module": "The module.",
    "get_aot_module_kernel.name": "The name of the kernel.",
    "get_aot_module_compute_graph.name": "The name of the graph.",
    "kernel": "The kernel.",
    "compute_graph": "The graph.",
    "args": "The arguments in the order of the parameters; an existing `Array` is fastest.",
    "launch_compute_graph.args": "The arguments with their names; an existing `Array` is fastest.",
    "ptr": "Address of the memory.",
    "memory_size": "Its size in bytes.",
    "stream": "Address of the ``CUstream``; 0 is the default stream.",
    "interop_info": "The object to import.",
    "archs": "Only None: the archs are returned.",
    "use_gles": "Whether it is OpenGL ES.",
    "api_version": "The version of Vulkan, as Vulkan encodes it: ``1 << 22 | 2 << 12`` is 1.2.",
    "instance_extensions": "Names of extensions of the instance.",
    "device_extensions": "Names of extensions of the device.",
    "view_type": "``VkImageViewType``.",
    "import_vulkan_image.layout": "``VkImageLayout`` of the image.",
}


@dataclass
class FunctionText:
    """The texts of a function's docstring, and its differences from the C function.

    Attributes
    ----------
    summary, returned, notes, example
        Text of its sections.
    raises
        Exceptions beyond those that follow from the types of the parameters.
    names
        Other names of parameters, by their C names.
    accepts_none
        Parameters that a call may pass as None.
    result
        The type of the result, if it does not follow from the prototype.
    own
        Whether `_calls` has a function for it; else the generated function converts its arguments and calls.
    """

    summary: str
    returned: str = ""
    notes: str = ""
    example: str = ""
    raises: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    accepts_none: tuple[str, ...] = ()
    result: str = ""
    own: bool = True

    def errors(self, function: Any) -> list[tuple[str, str]]:
        """Return names of exceptions with their reasons."""
        kinds = [kind for _, kind in function.parameters]
        found: dict[str, list[str]] = {}
        if kinds:
            found["TypeError"] = ["If an argument has another type."]
        if any(kind in HANDLES for kind in kinds):
            found["ValueError"] = ["If a handle is null, is known to be freed, or belongs to another runtime."]
        if any("int" in kind for kind in kinds):
            found["OverflowError"] = ["If a number does not fit its type in C."]
        for kind, why in self.raises.items():
            found.setdefault(kind, []).append(why)
        return [(kind, " ".join(reasons)) for kind, reasons in found.items()]


HANDLES = ("TiRuntime", "TiAotModule", "TiMemory", "TiImage", "TiSampler", "TiKernel", "TiComputeGraph")
NOT_OF_ARCH = {"InvalidInteropError": "If the runtime is of another arch."}
SKIP_VULKAN = ">>> vulkan = capi.create_runtime(capi.TiArch.TI_ARCH_VULKAN, 0)  # doctest: +SKIP\n"
NEW_MEMORY = ">>> memory = capi.allocate_memory(runtime, capi.TiMemoryAllocateInfo(size=64, host_read=True))\n"

FUNCTIONS = {
    "get_version": FunctionText(
        "Return the version of the library.",
        returned="``TI_C_API_VERSION``: major times 1,000,000 plus minor times 1,000 plus patch.",
        raises={"LibraryNotFoundError": "If the library is not found."},
        example="""
        >>> capi.get_version()  # of Taichi 1.7.4
        1007000
        """,
    ),
    "get_available_archs": FunctionText(
        "Return the archs for which this machine has a device.",
        returned="Their numbers, and the same archs as `TiArch`.",
        accepts_none=("archs",),
        notes="Drivers are queried, as in `available_archs`: the library's own function can end the process.",
        result="tuple[list[int], list[TiArch]]",
        example="""
        >>> numbers, archs = capi.get_available_archs()
        >>> capi.TiArch.TI_ARCH_X64 in archs
        True
        """,
    ),
    "get_last_error": FunctionText(
        "Return the message and the code of the last error of this thread.",
        returned="The message, a ``str`` with the attribute `code`; empty if no call has failed.",
        notes="""
        The library or this package may have rejected the call. As in C, the error stays when later calls succeed; set
        ``TI_ERROR_SUCCESS`` to clear it.
        """,
        result="LastError",
        example="""
        >>> try:
        ...     capi.wait(capi.TiRuntime())
        ... except ValueError:
        ...     error = capi.get_last_error()
        >>> print(error.code.name, error)
        TI_ERROR_ARGUMENT_NULL runtime is the null handle
        """,
    ),
    "set_last_error": FunctionText(
        "Set the last error of this thread.",
        accepts_none=("message",),
        raises={"ValueError": "If `error` is unknown, or the message contains a null character."},
        example="""
        >>> capi.set_last_error(capi.TiError.TI_ERROR_SUCCESS, "")
        """,
    ),
    "create_runtime": FunctionText(
        "Create a runtime.",
        returned="The runtime, for `destroy_runtime`.",
        names={"device_index": "device"},
        raises={
            "ValueError": "For an unknown arch, or an index out of range.",
            "NotSupportedError": "If this machine does not have a device of the arch.",
        },
        notes="""
        On CUDA all runtimes of a process are one, with one handle. Destroy it as often as you created it.
        """,
        example="""
        >>> other = capi.create_runtime(capi.TiArch.TI_ARCH_X64, 0)
        >>> capi.destroy_runtime(other)
        """,
    ),
    "destroy_runtime": FunctionText(
        "Wait for the device, then free all memory, images and modules of a runtime, and destroy it.",
        example="""
        >>> other = capi.create_runtime(capi.TiArch.TI_ARCH_X64, 0)
        >>> capi.destroy_runtime(other)
        >>> try:
        ...     capi.flush(other)
        ... except ValueError:
        ...     print("freed")
        freed
        """,
    ),
    "set_runtime_capabilities_ext": FunctionText(
        "Replace the capabilities that the library assumes for the device of a runtime.",
        notes="This does not change the device. A module that uses a feature that the device lacks then has undefined "
        "behaviour.",
        example=SKIP_VULKAN
        + """\
>>> levels = capi.get_runtime_capabilities(vulkan)  # doctest: +SKIP
>>> capi.set_runtime_capabilities_ext(vulkan, levels)  # doctest: +SKIP
""",
    ),
    "get_runtime_capabilities": FunctionText(
        "Return the capabilities that the library assumes for the device of a runtime; empty on LLVM archs.",
        returned="The capabilities with their levels.",
        example="""
        >>> capi.get_runtime_capabilities(runtime)
        []
        """,
    ),
    "flush": FunctionText(
        "Submit the queued launches to the device, without waiting for it.",
        own=False,
        example="""
        >>> capi.flush(runtime)
        """,
    ),
    "wait": FunctionText(
        "Wait until all launches have finished.",
        raises={"DeviceLostError": "If a kernel faulted on a CUDA device."},
        example="""
        >>> capi.wait(runtime)
        """,
    ),
    "allocate_memory": FunctionText(
        "Allocate memory.",
        returned="The memory, for `free_memory`.",
        raises={
            "ValueError": "If the size is 0.",
            "OutOfMemoryError": "If the device or the host does not have enough memory.",
        },
        example=NEW_MEMORY + ">>> capi.free_memory(runtime, memory)",
    ),
    "free_memory": FunctionText(
        "Wait for the device, then free memory.",
        raises={"BufferError": "If it is mapped."},
        example=NEW_MEMORY + ">>> capi.free_memory(runtime, memory)",
    ),
    "map_memory": FunctionText(
        "Map memory for the host.",
        returned="The address, which is valid until `unmap_memory`.",
        raises={"ValueError": "If the memory was allocated for neither reading nor writing, or is mapped already."},
        notes="Call `wait` first: a running launch may write to it.",
        example=NEW_MEMORY
        + """\
>>> import ctypes
>>> view = (ctypes.c_uint8 * 64).from_address(capi.map_memory(runtime, memory))
>>> view[0] = 7
>>> capi.unmap_memory(runtime, memory)
""",
    ),
    "unmap_memory": FunctionText(
        "Unmap memory, which makes writes by the host visible to the device.",
        raises={"ValueError": "If the memory is not mapped."},
        example=NEW_MEMORY
        + """\
>>> address = capi.map_memory(runtime, memory)
>>> capi.unmap_memory(runtime, memory)
""",
    ),
    "allocate_image": FunctionText(
        "Allocate an image (Vulkan).",
        returned="The image, for `free_image`.",
        raises={
            "ValueError": "If a size is 0, or the format is unknown.",
            "NotSupportedError": "On archs other than Vulkan, or if the device does not support such an image.",
        },
        example=SKIP_VULKAN
        + """\
>>> info = capi.TiImageAllocateInfo(  # doctest: +SKIP
...     dimension=capi.TiImageDimension.TI_IMAGE_DIMENSION_2D,
...     extent=capi.TiImageExtent(640, 480, 1, 1),
...     mip_level_count=1,
...     format=capi.TiFormat.TI_FORMAT_RGBA8,
...     usage=capi.TiImageUsageFlags.TI_IMAGE_USAGE_STORAGE_BIT,
... )
>>> image = capi.allocate_image(vulkan, info)  # doctest: +SKIP
""",
    ),
    "free_image": FunctionText(
        "Wait for the device, then free an image (Vulkan).",
        example=">>> capi.free_image(vulkan, image)  # doctest: +SKIP",
    ),
    "create_sampler": FunctionText(
        "Create a sampler, which version 1.7 of the library cannot do.",
        returned="The sampler.",
        raises={"NotSupportedError": "Always with version 1.7 of the library."},
        own=False,
        example="""
        >>> try:
        ...     capi.create_sampler(runtime, capi.TiSamplerCreateInfo())
        ... except NotSupportedError:
        ...     print("only the default sampler exists")
        only the default sampler exists
        """,
    ),
    "destroy_sampler": FunctionText(
        "Destroy a sampler. The null handle, the default sampler, remains.",
        raises={"NotSupportedError": "Always with version 1.7 of the library, except for the null handle."},
        example="""
        >>> capi.destroy_sampler(runtime, capi.TiSampler())
        """,
    ),
    "copy_memory_device_to_device": FunctionText(
        "Copy a part of memory to another part, in the order of launches (Vulkan and OpenGL).",
        raises={
            "ValueError": "If the sizes differ, a part exceeds its memory, or the parts overlap.",
            "TaichiError": "On LLVM archs, where the library does not support copies.",
        },
        example=SKIP_VULKAN
        + """\
>>> target = capi.TiMemorySlice(memory, 0, 32)  # doctest: +SKIP
>>> source = capi.TiMemorySlice(memory, 32, 32)  # doctest: +SKIP
>>> capi.copy_memory_device_to_device(vulkan, target, source)  # doctest: +SKIP
""",
    ),
    "copy_image_device_to_device": FunctionText(
        "Copy a part of an image to another image, in the order of launches (Vulkan).",
        raises={
            "ValueError": "If the extents or formats differ, or a part exceeds its image.",
            "NotSupportedError": "If a part does not begin at 0, because the library ignores offsets.",
        },
        example=SKIP_VULKAN
        + """\
>>> part = capi.TiImageExtent(640, 480, 1, 1)  # doctest: +SKIP
>>> target = capi.TiImageSlice(image, extent=part)  # doctest: +SKIP
>>> source = capi.TiImageSlice(other, extent=part)  # doctest: +SKIP
>>> capi.copy_image_device_to_device(vulkan, target, source)  # doctest: +SKIP
""",
    ),
    "track_image_ext": FunctionText(
        "Tell the library that the application has changed the layout of an image (Vulkan).",
        example="""
        >>> layout = capi.TiImageLayout.TI_IMAGE_LAYOUT_COLOR_ATTACHMENT
        >>> capi.track_image_ext(vulkan, image, layout)  # doctest: +SKIP
        """,
    ),
    "transition_image": FunctionText(
        "Change the layout of an image, in the order of launches (Vulkan).",
        example="""
        >>> layout = capi.TiImageLayout.TI_IMAGE_LAYOUT_SHADER_READ
        >>> capi.transition_image(vulkan, image, layout)  # doctest: +SKIP
        """,
    ),
    "load_aot_module": FunctionText(
        "Load a module from a folder or an archive.",
        returned="The module, for `destroy_aot_module`.",
        raises={
            "FileNotFoundError": "If the file or folder does not exist.",
            "ValueError": "If the path contains a null character.",
            "CorruptedDataError": "If it is damaged or is not a module.",
            "IncompatibleModuleError": "If the runtime cannot run it.",
        },
        notes="""
        The module is read and checked first, and the library loads the checked copy. Another binding can fetch only
        those kernels of an LLVM module that `get_aot_module_kernel` has fetched.
        """,
        example="""
        >>> module = capi.load_aot_module(runtime, "saxpy.tcm")
        >>> capi.destroy_aot_module(module)
        """,
    ),
    "create_aot_module": FunctionText(
        "Load a module from the contents of an archive.",
        returned="The module, for `destroy_aot_module`.",
        raises={
            "CorruptedDataError": "If it is damaged or is not a module.",
            "IncompatibleModuleError": "If the runtime cannot run it.",
        },
        notes="LLVM archs are supported too, although the library itself reads their modules only from folders.",
        example="""
        >>> with open("saxpy.tcm", "rb") as file:
        ...     module = capi.create_aot_module(runtime, file.read())
        >>> capi.destroy_aot_module(module)
        """,
    ),
    "destroy_aot_module": FunctionText(
        "Wait for the device, then destroy a module with its kernels and graphs.",
        example="""
        >>> module = capi.load_aot_module(runtime, "saxpy.tcm")
        >>> capi.destroy_aot_module(module)
        """,
    ),
    "get_aot_module_kernel": FunctionText(
        "Return a kernel of a module by its name.",
        returned="The kernel, which belongs to the module.",
        raises={"NameNotFoundError": "If the module does not have it."},
        example="""
        >>> kernel = capi.get_aot_module_kernel(aot_module, "saxpy")
        """,
    ),
    "get_aot_module_compute_graph": FunctionText(
        "Return a compute graph of a module by its name.",
        returned="The graph, which belongs to the module.",
        raises={"NameNotFoundError": "If the module does not have it."},
        example="""
        >>> graph = capi.get_aot_module_compute_graph(aot_module, "twice")
        """,
    ),
    "launch_kernel": FunctionText(
        "Launch a kernel.",
        raises={
            "TypeError": "Or if the number of arguments, or the kind or type of one, does not match the kernel.",
            "ValueError": "Or if a shape is wrong, memory is too small or read-only, or the module was destroyed.",
            "OverflowError": "If an integer does not fit the parameter.",
            "NotSupportedError": "If C cannot pass an argument for a parameter.",
        },
        example="""
        >>> kernel = capi.get_aot_module_kernel(aot_module, "saxpy")
        >>> memory = capi.allocate_memory(runtime, capi.TiMemoryAllocateInfo(size=16, host_read=True))
        >>> array = capi.TiNdArray(memory, capi.TiNdShape(1, [4]), elem_type=capi.TiDataType.TI_DATA_TYPE_F32)
        >>> args = capi.TiArgument.array(3)
        >>> args[0].type = capi.TiArgumentType.TI_ARGUMENT_TYPE_F32
        >>> args[0].value.f32 = 2.0
        >>> for argument in (args[1], args[2]):
        ...     argument.type = capi.TiArgumentType.TI_ARGUMENT_TYPE_NDARRAY
        ...     argument.value.ndarray = array
        >>> capi.launch_kernel(runtime, kernel, args)
        >>> capi.wait(runtime)
        """,
    ),
    "launch_compute_graph": FunctionText(
        "Launch a compute graph.",
        raises={
            "TypeError": "Or if the name, kind or type of an argument does not match the graph.",
            "ValueError": "Or if a shape is wrong, memory is too small or read-only, or the module was destroyed.",
            "OverflowError": "If an integer does not fit the parameter.",
            "NotSupportedError": "If C cannot pass an argument for a parameter.",
        },
        example="""
        >>> graph = capi.get_aot_module_compute_graph(aot_module, "twice")
        >>> memory = capi.allocate_memory(runtime, capi.TiMemoryAllocateInfo(size=16, host_read=True))
        >>> array = capi.TiNdArray(memory, capi.TiNdShape(1, [4]), elem_type=capi.TiDataType.TI_DATA_TYPE_F32)
        >>> number = capi.TiArgument(capi.TiArgumentType.TI_ARGUMENT_TYPE_F32, capi.TiArgumentValue(f32=2.0))
        >>> arrays = capi.TiArgument(capi.TiArgumentType.TI_ARGUMENT_TYPE_NDARRAY, capi.TiArgumentValue(ndarray=array))
        >>> args = [capi.TiNamedArgument("a", number)]
        >>> args += [capi.TiNamedArgument(name, arrays) for name in ("x", "y")]
        >>> capi.launch_compute_graph(runtime, graph, args)
        >>> capi.wait(runtime)
        """,
    ),
    "export_cpu_memory": FunctionText(
        "Return the address and size of memory of a CPU runtime.",
        returned="The memory of the host, which belongs to the runtime.",
        raises=NOT_OF_ARCH,
        example=NEW_MEMORY
        + """\
>>> capi.export_cpu_memory(runtime, memory).size
64
""",
    ),
    "import_cpu_memory": FunctionText(
        "Import memory of the host into a CPU runtime. It stays with its owner.",
        returned="The memory, for `free_memory`.",
        raises={
            "ValueError": "If the address is 0, or the size is 0.",
            "InvalidInteropError": "If the runtime is of another arch.",
        },
        notes="The memory of the host must exist until the import is freed, which leaves it to its owner.",
        example="""
        >>> numbers = np.zeros(16, np.float32)
        >>> memory = capi.import_cpu_memory(runtime, numbers.ctypes.data, numbers.nbytes)
        >>> capi.free_memory(runtime, memory)
        """,
    ),
    "export_cuda_memory": FunctionText(
        "Return the address and size of memory of a CUDA runtime.",
        returned="The memory of the device, which belongs to the runtime.",
        raises=NOT_OF_ARCH,
        example=">>> capi.export_cuda_memory(cuda, memory).ptr  # doctest: +SKIP",
    ),
    "import_cuda_memory": FunctionText(
        "Import memory of the device into a CUDA runtime. It stays with its owner.",
        returned="The memory, for `free_memory`.",
        raises={
            "ValueError": "If the address is 0 or not on the device, or the size is 0.",
            "InvalidInteropError": "If the runtime is of another arch.",
        },
        notes="The memory of the device must exist until the import is freed, which leaves it to its owner.",
        example=">>> memory = capi.import_cuda_memory(cuda, array.data.ptr, array.nbytes)  # doctest: +SKIP",
    ),
    "set_cuda_stream": FunctionText(
        "Set the stream on which this thread launches CUDA kernels.",
        raises={"NotSupportedError": "If this machine has no CUDA device, or this process has no runtime on it."},
        notes="""
        Only kernels use the stream: the library allocates and frees their arguments on the default stream. Use
        streams that synchronize with it, or `Runtime.stream`, which orders both.
        """,
        example=">>> capi.set_cuda_stream(stream.ptr)  # doctest: +SKIP",
    ),
    "get_cuda_stream": FunctionText(
        "Return the stream on which this thread launches CUDA kernels.",
        returned="Address of the ``CUstream``; 0 is the default stream.",
        raises={"NotSupportedError": "If this machine has no CUDA device, or this process has no runtime on it."},
        example=">>> capi.get_cuda_stream()  # doctest: +SKIP",
    ),
    "import_opengl_runtime": FunctionText(
        "Create a runtime on this thread's current OpenGL context. Only this thread may use it.",
        returned="The runtime, for `destroy_runtime`.",
        raises={"ValueError": "If the address is 0."},
        notes="A wrong address, or a thread without a current context, ends the process.",
        example="""
        >>> info = capi.TiOpenglRuntimeInteropInfo(get_proc_addr=address)  # doctest: +SKIP
        >>> opengl = capi.import_opengl_runtime(info, False)  # doctest: +SKIP
        """,
    ),
    "export_opengl_runtime": FunctionText(
        "Return the address of the function that finds OpenGL functions.",
        returned="A structure with that address.",
        raises=NOT_OF_ARCH,
        own=False,
        example=">>> capi.export_opengl_runtime(opengl).get_proc_addr  # doctest: +SKIP",
    ),
    "import_opengl_memory": FunctionText(
        "Import a buffer of the application as memory of an OpenGL runtime.",
        returned="The memory.",
        raises={"NotSupportedError": "Always with version 1.7 of the library: only its headers have the function."},
        own=False,
        example="""
        >>> info = capi.TiOpenglMemoryInteropInfo(buffer=1, size=64)
        >>> memory = capi.import_opengl_memory(opengl, info)  # doctest: +SKIP
        """,
    ),
    "export_opengl_memory": FunctionText(
        "Return the buffer of memory of an OpenGL runtime.",
        returned="The buffer, which belongs to the runtime.",
        raises=NOT_OF_ARCH,
        own=False,
        example=">>> capi.export_opengl_memory(opengl, memory).buffer  # doctest: +SKIP",
    ),
    "import_opengl_image": FunctionText(
        "Import a texture of the application as an image of an OpenGL runtime.",
        returned="The image.",
        raises={"NotSupportedError": "Always with version 1.7 of the library: only its headers have the function."},
        own=False,
        example="""
        >>> info = capi.TiOpenglImageInteropInfo(texture=1, width=640, height=480)
        >>> image = capi.import_opengl_image(opengl, info)  # doctest: +SKIP
        """,
    ),
    "export_opengl_image": FunctionText(
        "Return the texture of an image of an OpenGL runtime.",
        returned="The texture, which belongs to the runtime.",
        raises=NOT_OF_ARCH,
        own=False,
        example=">>> capi.export_opengl_image(opengl, image).texture  # doctest: +SKIP",
    ),
    "create_vulkan_runtime_ext": FunctionText(
        "Create a Vulkan runtime with a version and extensions of Vulkan.",
        returned="The runtime, for `destroy_runtime`.",
        raises={
            "ValueError": "If the device does not support the version, or a name contains a null character.",
            "NotSupportedError": "If this machine does not have Vulkan or an extension.",
        },
        example="""
        >>> vulkan = capi.create_vulkan_runtime_ext(1 << 22 | 2 << 12, [], [])  # doctest: +SKIP
        """,
    ),
    "import_vulkan_runtime": FunctionText(
        "Create a Vulkan runtime on a device of the application, which remains its owner.",
        returned="The runtime, for `destroy_runtime`, which does not destroy the device.",
        raises={
            "ValueError": "If a handle is null, or the device does not have the version or the queue family.",
            "NotSupportedError": "If this machine does not have Vulkan.",
        },
        notes="A handle of another kind of object cannot be detected and may end the process.",
        example=SKIP_VULKAN
        + """\
>>> info = capi.export_vulkan_runtime(vulkan)  # doctest: +SKIP
>>> shared = capi.import_vulkan_runtime(info)  # doctest: +SKIP
""",
    ),
    "export_vulkan_runtime": FunctionText(
        "Return the device and the queues of a Vulkan runtime.",
        returned="The device, which belongs to the runtime.",
        raises=NOT_OF_ARCH,
        example=SKIP_VULKAN
        + """\
>>> capi.export_vulkan_runtime(vulkan).compute_queue_family_index  # doctest: +SKIP
0
""",
    ),
    "import_vulkan_memory": FunctionText(
        "Import a buffer of the application, which remains its owner, as memory of a Vulkan runtime.",
        returned="The memory, for `free_memory`.",
        raises={"ValueError": "If the buffer is null, or the size is 0.", **NOT_OF_ARCH},
        notes="The buffer must exist until the imported memory is freed. A handle of another kind cannot be detected.",
        example="""
        >>> info = capi.TiVulkanMemoryInteropInfo(buffer=buffer, size=64)  # doctest: +SKIP
        >>> memory = capi.import_vulkan_memory(vulkan, info)  # doctest: +SKIP
        """,
    ),
    "export_vulkan_memory": FunctionText(
        "Return the buffer of memory of a Vulkan runtime.",
        returned="The buffer, which belongs to the runtime.",
        raises=NOT_OF_ARCH,
        own=False,
        example=">>> capi.export_vulkan_memory(vulkan, memory).buffer  # doctest: +SKIP",
    ),
    "import_vulkan_image": FunctionText(
        "Import an image of the application, which remains its owner, into a Vulkan runtime.",
        returned="The image, for `free_image`.",
        raises={"ValueError": "If the image is null, or a size is 0.", **NOT_OF_ARCH},
        notes="The image must exist until the imported one is freed. A handle of another kind cannot be detected.",
        example=">>> capi.import_vulkan_image(vulkan, info, 1, 0)  # doctest: +SKIP",
    ),
    "export_vulkan_image": FunctionText(
        "Return the Vulkan image of an image of a Vulkan runtime.",
        returned="The image, which belongs to the runtime.",
        raises=NOT_OF_ARCH,
        own=False,
        example=">>> capi.export_vulkan_image(vulkan, image).extent.width  # doctest: +SKIP",
    ),
}

"""The drivers of GPUs, and their devices: CUDA, OpenGL, Vulkan.

The C library cannot be queried. Without CUDA it returns an x64 runtime as a CUDA runtime. Without a usable EGL platform
``ti_get_available_archs`` crashes (SIGSEGV), and on Vulkan it can end the process.

The device of OpenGL is that behind a desktop OpenGL 4.3 context, created through EGL as the library does, in a child
process: Mesa's EGL exports its LLVM to the whole process, and other libraries with an LLVM of their own, such as
Triton, crash when they are loaded after it. Here it is loaded for the first runtime on OpenGL.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from ..values._errors import InvalidArgumentError, InvalidStateError, NotSupportedError
from ._host import is_set, read_integer
from ._library import (
    DRIVER_SPACE,
    DriverLibrary,
    address_of,
    check,
    ffi,
    lib,
    require,
    require_address_space,
    software_device,
)

if TYPE_CHECKING:
    from .._capi import (
        EGLContext,
        EGLDisplay,
        TiVulkanRuntimeInteropInfo_p,
        VkImageFormatProperties_p,
        VkPhysicalDevice,
        VkPhysicalDeviceProperties_p,
        taichi_aot_runtime_p,
    )
    from .._cdata import Array, Function, Pointer


CUDA_VARIABLE = "TI_ENABLE_CUDA"  # read by the library
NVIDIA_MODULE = "/sys/module/nvidia/version"  # the version of NVIDIA's kernel module on Linux


def cuda_devices() -> list[tuple[str, str]]:
    """Return (name, kind) of each device that the driver shows this process; empty without CUDA."""
    if _is_cuda_off() or not _is_found_by_library():
        return []
    found: list[tuple[str, str]] = []
    buffer = ffi.new("char[]", 256)
    for index in range(lib.taichi_aot_cuda_device_count()):
        if lib.taichi_aot_cuda_device(index, buffer, len(buffer)) != 0:
            break
        found.append((ffi.string(buffer).decode(errors="replace"), "discrete"))
    return found


def cuda_attributes(*numbers: int, device_index: int = 0) -> list[int]:
    """Return attributes of a device, by their numbers in ``CUdevice_attribute``; empty without CUDA."""
    driver = _cuda_library()
    initialize = driver.function("int (*)(unsigned int)", "cuInit")
    get_device = driver.function("int (*)(int32_t *, int)", "cuDeviceGet")
    get_attribute = driver.function("int (*)(int32_t *, int, int)", "cuDeviceGetAttribute")
    device, value = ffi.new("int32_t *"), ffi.new("int32_t *")
    if not (initialize and get_device and get_attribute) or initialize(0) != 0 or get_device(device, device_index) != 0:
        return []
    values: list[int] = []
    for number in numbers:
        if get_attribute(value, number, device[0]) != 0:
            raise InvalidStateError(f"the CUDA driver does not state attribute {number} of its device")
        values.append(int(value[0]))
    return values


def cuda_driver(index: int = 0) -> str:
    """Return the CUDA version that the driver of any device supports, and its own if the system states it."""
    version = lib.taichi_aot_cuda_version()
    text = f"CUDA {version // 1000}.{version % 1000 // 10}"
    try:
        with open(NVIDIA_MODULE, encoding="ascii", errors="replace") as file:
            return f"{text}, NVIDIA {file.read().strip()}"
    except OSError:
        return text


def has_cuda_driver() -> bool:
    """Return whether CUDA's library can be loaded, without initializing CUDA."""
    return bool(_cuda_library())


def count_cuda_devices(_: object) -> int:
    """The number of GPUs that the driver shows this process. It initializes CUDA."""
    driver, count = _cuda_library(), ffi.new("int32_t *")
    initialize = driver.function("int (*)(unsigned int)", "cuInit")
    count_devices = driver.function("int (*)(int32_t *)", "cuDeviceGetCount")
    if not (initialize and count_devices) or initialize(0) != 0 or count_devices(count) != 0:
        return 0
    return int(count[0])


def _cuda_library() -> DriverLibrary:
    return DriverLibrary("libcuda.so.1", "nvcuda.dll")


def why_no_cuda() -> str:
    """Return the reason why CUDA has no device."""
    if _is_cuda_off():
        return f"{CUDA_VARIABLE}=0 turns it off"
    if not has_cuda_driver():
        return "the driver's library (libcuda.so.1, nvcuda.dll) cannot be loaded: install NVIDIA's driver"
    if not _is_found_by_library():
        return (
            "the Taichi C-API library looks for libcuda.so, and only libcuda.so.1 is found: "
            "make a link to it of that name in a folder of LD_LIBRARY_PATH"
        )
    return "the driver does not report a device: see nvidia-smi, and CUDA_VISIBLE_DEVICES"


def _is_found_by_library() -> bool:
    """Return whether the library finds the driver: if not, it takes the CPU for CUDA, and later aborts the process."""
    return bool(DriverLibrary("libcuda.so", "nvcuda.dll"))


def _is_cuda_off() -> bool:
    return read_integer(CUDA_VARIABLE) == 0


# OpenGL: the device behind a desktop OpenGL 4.3 context, created through EGL as the library does.


SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swrast")
OPENGL_TIMEOUT = 60.0  # seconds for the child; it takes 0.2 s

EGL = ("libEGL.so.1", "libEGL.so")
OPENGL = ("libGL.so.1", "libOpenGL.so.0", "libGLESv2.so.2")
NO_CONTEXT = "EGL does not provide a context of desktop OpenGL 4.3"
# The functions of EGL in use.
EGL_FUNCTIONS = (
    *("eglGetDisplay", "eglInitialize", "eglBindAPI", "eglChooseConfig", "eglGetProcAddress"),
    *("eglCreateContext", "eglMakeCurrent", "eglDestroyContext", "eglGetCurrentContext"),
)


_OpenGlDevice: TypeAlias = tuple[str, str]  # its renderer and version


class _OpenGl:
    """What this process knows of OpenGL."""

    device: _OpenGlDevice | str = ""  # the device, or the reason why there is none; empty until a child has answered
    is_prepared = False  # whether the library may create its context


_opengl = _OpenGl()


def opengl_devices() -> list[tuple[str, str]]:
    """Return the name and kind (``"cpu"`` or ``"virtual"``) of the OpenGL device; empty if there is no usable one."""
    device = _opengl_device()
    if isinstance(device, str):
        return []
    renderer, _ = device
    return [(renderer, "cpu" if any(word in renderer.lower() for word in SOFTWARE_RENDERERS) else "virtual")]


def opengl_driver(index: int = 0) -> str:
    """Return the versions of OpenGL and of the driver, as the driver states them; empty without OpenGL."""
    device = _opengl_device()
    return "" if isinstance(device, str) else f"OpenGL {device[1]}"


def why_no_opengl() -> str:
    """Return the reason why OpenGL has no device."""
    device = _opengl_device()
    return device if isinstance(device, str) else ""


def prepare_opengl() -> None:
    """Set what the library's first context needs; NotSupportedError if it would replace an application's own."""
    if _opengl.is_prepared:  # the library leaves its context current
        return
    _set_platform()
    egl = _load_egl()
    if not isinstance(egl, str) and egl.eglGetCurrentContext():
        raise NotSupportedError("a runtime on OpenGL would replace the OpenGL context that is current in this thread")
    _opengl.is_prepared = True


def _opengl_device() -> _OpenGlDevice | str:
    """Return the device, or the reason why there is none."""
    if sys.platform != "linux":
        return "it is used on Linux only"
    return _opengl.device or _ask_for_opengl()


def _ask_for_opengl() -> _OpenGlDevice | str:
    from ._child import call  # here, as most processes do not ask

    try:
        ending = call(find_opengl, None, OPENGL_TIMEOUT)
    except OSError as error:  # a limit of processes or files; it may be gone the next time
        return f"a child process, which asks for it, cannot start: {error}"
    except NotSupportedError:  # a frozen program
        found = find_opengl(None)
    else:
        is_answered = ending.how == "answered"
        found = ending.answer if is_answered else f"a child process that asked for it {ending.how}: {ending.message}"
    _opengl.device = found if isinstance(found, str) else (found[0], found[1])
    return _opengl.device


def find_opengl(_: None) -> _OpenGlDevice | str:
    """Return the device, or the reason why there is none. Called in a child process."""
    _set_platform()
    try:
        require(software_device(), "an OpenGL driver")
    except (OSError, MemoryError) as error:
        return str(error)
    egl = _load_egl()
    if isinstance(egl, str):
        return egl
    # In a frozen program the context of the application stays current.
    return (not egl.eglGetCurrentContext() and _probe_egl(egl)) or NO_CONTEXT


def _set_platform() -> None:
    if not any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY", "EGL_PLATFORM")):
        # The library crashes on every other EGL platform without a display.
        os.environ["EGL_PLATFORM"] = "surfaceless"


def _load_egl() -> Any:
    """Return an object with the functions of EGL, or the reason why it or OpenGL cannot be loaded."""
    library = DriverLibrary(*EGL)
    found = {name: library.function(f"PFN{name.upper()}PROC", name) for name in EGL_FUNCTIONS}
    if None in found.values():
        return "libEGL.so.1 cannot be loaded"
    if not DriverLibrary(*OPENGL):
        return "neither libGL.so.1 nor libOpenGL.so.0 nor libGLESv2.so.2 can be loaded"
    return SimpleNamespace(**found)


def _probe_egl(egl: Any) -> _OpenGlDevice | None:
    """Return the device of a temporary context; None if it cannot be created."""
    display = egl.eglGetDisplay(ffi.NULL)
    if not (display and egl.eglInitialize(display, ffi.NULL, ffi.NULL) and egl.eglBindAPI(lib.EGL_OPENGL_API)):
        return None
    context = _create_context(egl, display)
    if not context:
        return None
    try:
        if not egl.eglMakeCurrent(display, ffi.NULL, ffi.NULL, context):
            return None
        try:
            return _current_device(egl)
        finally:
            egl.eglMakeCurrent(display, ffi.NULL, ffi.NULL, ffi.NULL)
    finally:
        egl.eglDestroyContext(display, context)


def _create_context(egl: Any, display: EGLDisplay) -> EGLContext:
    """Create a context with the attributes that the library requests; return NULL if that fails."""
    depths = dict.fromkeys((lib.EGL_BLUE_SIZE, lib.EGL_GREEN_SIZE, lib.EGL_RED_SIZE, lib.EGL_DEPTH_SIZE), 8)
    wanted = {lib.EGL_SURFACE_TYPE: lib.EGL_PBUFFER_BIT, **depths, lib.EGL_RENDERABLE_TYPE: lib.EGL_OPENGL_BIT}
    config, count = ffi.new("EGLConfig *"), ffi.new("EGLint *")
    if not egl.eglChooseConfig(display, _attributes(wanted), config, 1, count) or count[0] < 1:
        return ffi.NULL
    version = {lib.EGL_CONTEXT_MAJOR_VERSION: 4, lib.EGL_CONTEXT_MINOR_VERSION: 3}
    context: EGLContext = egl.eglCreateContext(display, config[0], ffi.NULL, _attributes(version))
    return context


def _attributes(values: dict[int, int]) -> Array[int]:
    flat = [number for pair in values.items() for number in pair]
    return ffi.new("EGLint[]", [*flat, lib.EGL_NONE])


def _current_device(egl: Any) -> _OpenGlDevice:
    address = egl.eglGetProcAddress(b"glGetString")
    if not address:
        return "OpenGL", ""
    get = ffi.cast("PFNGLGETSTRINGPROC", address)
    return _text(get(lib.GL_RENDERER)) or "OpenGL", _text(get(lib.GL_VERSION))


# Vulkan: instances, physical devices and their properties.


T = TypeVar("T")

VERSION_1_0, VERSION_1_1, VERSION_1_3 = 1 << 22, 1 << 22 | 1 << 12, 1 << 22 | 3 << 12  # as Vulkan encodes versions
LABELS = "VK_EXT_debug_utils"
VISIBLE_DEVICE = "TI_VISIBLE_DEVICE"  # the library's variable for the index of the only Vulkan device to use
CHOOSES_DEVICE = "MESA_VK_DEVICE_SELECT"
LOADERS: tuple[str, ...] = ("libvulkan.so.1", "libvulkan.so", "vulkan-1.dll", "libvulkan.1.dylib")
# Drivers that have devices in software alone, or for the NODES of the kernel. Others may load a module of the kernel
# when they are asked, as NVIDIA's does.
DRIVERS = ("lvp", "intel", "intel_hasvk", "radeon", "nouveau", "virtio", "asahi", "broadcom", "panfrost", "freedreno")
NODES = {"/dev/dri": ("renderD",), "/dev": ("nvidia", "nvhost", "dxg", "kgsl", "mali", "pvr")}
FOLDERS: tuple[tuple[str, str], ...] = (  # where the loader looks for the files that name drivers, by variable
    ("XDG_CONFIG_HOME", "~/.config"),
    ("XDG_CONFIG_DIRS", "/etc/xdg"),
    ("XDG_DATA_HOME", "~/.local/share"),
    ("XDG_DATA_DIRS", "/usr/local/share:/usr/share"),
    ("", f"/etc:/usr/local/etc:{sys.prefix}/etc:{sys.prefix}/share"),
)
NVIDIA = 0x10DE  # a vendorID, with its own encoding of driverVersion
KINDS = {
    lib.VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: "integrated",
    lib.VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: "discrete",
    lib.VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: "virtual",
    lib.VK_PHYSICAL_DEVICE_TYPE_CPU: "cpu",
}


class VulkanInstance:
    """An instance with the functions that its ``vkGetInstanceProcAddr`` returns."""

    def __init__(self, get_instance_proc_addr: int, instance: int, api_version: int = VERSION_1_0) -> None:
        # get_instance_proc_addr, instance: addresses, which are used unchecked: a wrong one crashes the process.
        self.get_instance_proc_addr = get_instance_proc_addr
        self.api_version = api_version  # the version that it was created for, as Vulkan encodes versions
        self._get = ffi.cast("PFN_vkGetInstanceProcAddr", get_instance_proc_addr)
        self._instance = ffi.cast("VkInstance", instance)

    @classmethod
    def of(cls, info: TiVulkanRuntimeInteropInfo_p) -> VulkanInstance:
        """Return the instance of a runtime's device."""
        return cls(address_of(info.get_instance_proc_addr), address_of(info.instance), info.api_version)

    def info(self, physical_device: int) -> TiVulkanRuntimeInteropInfo_p:
        """Return ``TiVulkanRuntimeInteropInfo *`` for a device that is to be created on a physical device."""
        info = ffi.new("TiVulkanRuntimeInteropInfo *")
        info.get_instance_proc_addr = self._get
        info.api_version = min(self.api_version | 0xFFF, self.version(physical_device))
        info.instance, info.physical_device = self._instance, _physical_device(physical_device)
        return info

    def function(self, name: str) -> Function[..., Any]:
        """Return a function of the instance that ``vulkan_subset.h`` declares: ``vkEnumeratePhysicalDevices``, say."""
        function = self._get(self._instance, name.encode())
        if not function:
            raise InvalidArgumentError(f"the Vulkan instance does not have {name}")
        typed: Function[..., Any] = ffi.cast(f"PFN_{name}", function)
        return typed

    def physical_devices(self) -> list[int]:
        """Return the ``VkPhysicalDevice`` handles, by the index of the device: as the loader has them, hardware first.

        Mesa's layer puts the device that its variable names first; then that stays the first one.
        """
        get = self.function("vkEnumeratePhysicalDevices")
        found = _list("VkPhysicalDevice[]", lambda count, out: get(self._instance, count, out), address_of)
        return found if is_set(CHOOSES_DEVICE) else sorted(found, key=lambda device: self.kind(device) == "cpu")

    def properties(self, physical_device: int) -> VkPhysicalDeviceProperties_p:
        properties = ffi.new("VkPhysicalDeviceProperties *")
        self.function("vkGetPhysicalDeviceProperties")(_physical_device(physical_device), properties)
        return properties

    def name(self, physical_device: int) -> str:
        """Return the name of a device."""
        return _text(self.properties(physical_device).deviceName)

    def kind(self, physical_device: int) -> str:
        """Return the kind of a device, as `DeviceInfo` states it."""
        return KINDS.get(self.properties(physical_device).deviceType, "virtual")

    def version(self, physical_device: int) -> int:
        """Return the highest version of Vulkan that a device supports, as Vulkan encodes versions."""
        return self.properties(physical_device).apiVersion

    def image_limits(
        self, physical_device: int, format: int, dimensions: int, usage: int
    ) -> VkImageFormatProperties_p | None:
        """Return ``VkImageFormatProperties`` for optimal tiling; None if the device does not support such images."""
        limits = ffi.new("VkImageFormatProperties *")
        get = self.function("vkGetPhysicalDeviceImageFormatProperties")
        kind = lib.VK_IMAGE_TYPE_1D + dimensions - 1
        device, tiling = _physical_device(physical_device), lib.VK_IMAGE_TILING_OPTIMAL
        return limits if get(device, format, kind, tiling, usage, 0, limits) == lib.VK_SUCCESS else None

    def driver(self, physical_device: int) -> str:
        """Return the version of a device's driver and the highest version of Vulkan that it supports."""
        properties = self.properties(physical_device)
        version = version_text(properties.vendorID, properties.driverVersion)
        uuid = self.uuid(physical_device)
        return f"driver {version}, Vulkan {version_text(0, properties.apiVersion)}{f', UUID {uuid}' if uuid else ''}"

    def uuid(self, physical_device: int) -> str:
        """Return what identifies a device in all processes; empty with Vulkan 1.0, which does not say."""
        if min(self.api_version, self.version(physical_device)) < VERSION_1_1:
            return ""
        identity = ffi.new("VkPhysicalDeviceIDProperties *")
        identity.sType = lib.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES
        properties = ffi.new("VkPhysicalDeviceProperties2 *")
        properties.sType, properties.pNext = lib.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, identity
        self.function("vkGetPhysicalDeviceProperties2")(_physical_device(physical_device), properties)
        digits = bytes(identity.deviceUUID).hex()
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def has_tool(self, physical_device: int) -> bool:
        """Return whether a tool shows the names of objects and commands, such as RenderDoc or the validation layer."""
        name = "vkGetPhysicalDeviceToolPropertiesEXT"
        get = ffi.cast(f"PFN_{name}", self._get(self._instance, name.encode()))
        if not get:  # an old loader
            return False
        device, count = _physical_device(physical_device), ffi.new("uint32_t *")
        if get(device, count, ffi.NULL) < 0:
            return False
        kind = {"sType": lib.VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES_EXT}
        tools = ffi.new("VkPhysicalDeviceToolPropertiesEXT[]", [kind] * count[0])
        if get(device, count, tools) < 0:
            return False
        return any(tool.purposes & lib.VK_TOOL_PURPOSE_DEBUG_MARKERS_BIT_EXT for tool in tools[0 : count[0]])

    def queue_flags(self, physical_device: int) -> list[int]:
        """Return the ``VkQueueFlags`` of each queue family of a device."""
        get = self.function("vkGetPhysicalDeviceQueueFamilyProperties")
        device = _physical_device(physical_device)
        kind = "VkQueueFamilyProperties[]"
        return _list(kind, lambda count, out: get(device, count, out), lambda family: int(family.queueFlags))

    def highest_version(self) -> int:
        """Return the highest version of instances, as Vulkan encodes versions."""
        get = ffi.cast("PFN_vkEnumerateInstanceVersion", self._get(ffi.NULL, b"vkEnumerateInstanceVersion"))
        version = ffi.new("uint32_t *", VERSION_1_0)
        if get:  # a loader of Vulkan 1.0 has none
            get(version)
        return version[0]

    def instance_extensions(self) -> set[str]:
        """Return the names of the extensions that instances can have."""
        get = VulkanInstance(self.get_instance_proc_addr, 0).function("vkEnumerateInstanceExtensionProperties")
        return _extension_names(lambda count, out: get(ffi.NULL, count, out))

    def device_extensions(self, physical_device: int) -> set[str]:
        """Return the names of the extensions of a device."""
        get = self.function("vkEnumerateDeviceExtensionProperties")
        device = _physical_device(physical_device)
        return _extension_names(lambda count, out: get(device, ffi.NULL, count, out))

    def has_device_function(self, device: int, name: str) -> bool:
        return bool(self.function("vkGetDeviceProcAddr")(ffi.cast("VkDevice", device), name.encode()))

    def needed_bytes(self, device: int, kind: str, handle: int) -> int:
        """Return the bytes of memory that a ``VkBuffer`` or ``VkImage`` needs: its size, rounded up by the driver."""
        requirements = ffi.new("VkMemoryRequirements *")
        get = self.function(f"vkGet{kind}MemoryRequirements")
        get(ffi.cast("VkDevice", device), ffi.cast(f"Vk{kind}", handle), requirements)
        return requirements.size


def loader_instance() -> VulkanInstance | None:
    """Return this process's instance from the system's loader; None without Vulkan."""
    # It is never destroyed, so that drivers stay loaded while runtimes are created and closed: NVIDIA's driver crashes
    # when it is loaded for about the 25th time.
    return _instance_of_process(os.getpid())


def may_have_gpu() -> bool:
    """Return whether Vulkan may have a device in hardware, by the files of this machine.

    Asking the drivers takes memory and time, which a process that will use the CPU saves. In doubt they are asked.
    """
    if sys.platform != "linux" or any(name.startswith(("VK_", "VN_", "VTEST_")) for name in os.environ):
        return True
    if any(name.startswith(NODES[folder]) for folder in NODES for name in _names(folder)):
        return True
    roots = ":".join([os.environ.get(name) or usual for name, usual in FOLDERS]).split(":")
    folders = [f"{os.path.expanduser(root)}/vulkan/icd.d" for root in roots]
    files = [f"{folder}/{name}" for folder in folders for name in _names(folder)]
    try:
        return not files or not all(_is_driver_of_nodes(path) for path in files)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return True


def _names(folder: str) -> list[str]:
    with suppress(OSError):
        return os.listdir(folder)
    return []


def _is_driver_of_nodes(path: str) -> bool:
    from ..bundle._codec import read_json  # with the first load, as the rest of that room

    with open(path, "rb") as file:
        library: str = read_json(file.read())["ICD"]["library_path"]
    return os.path.basename(library) in {f"libvulkan_{name}.so" for name in DRIVERS}


def vulkan_index(index: int) -> int:
    """Return the index, among all devices of Vulkan, of a visible one."""
    stated = read_integer(VISIBLE_DEVICE)
    return index if stated is None else stated


def vulkan_devices() -> list[tuple[str, str]]:
    """Return (name, kind) of each Vulkan device; empty without Vulkan."""
    instance = loader_instance()
    if instance is None:
        return []
    try:
        return [(instance.name(device), instance.kind(device)) for device in instance.physical_devices()]
    except ValueError:  # a broken loader
        return []


def vulkan_drivers() -> list[str]:
    """Return the driver of each Vulkan device, in the order of `vulkan_devices`; empty without Vulkan."""
    instance = loader_instance()
    return [] if instance is None else [instance.driver(device) for device in instance.physical_devices()]


def why_no_vulkan() -> str:
    """Return the reason why Vulkan has no device."""
    if not DriverLibrary(*LOADERS):
        return (
            "the Vulkan loader (libvulkan.so.1, vulkan-1.dll) cannot be loaded: install the package libvulkan1 "
            "(vulkan-loader on Fedora), or on Windows the GPU's driver"
        )
    if loader_instance() is None:
        return "the Vulkan loader has no driver (ICD): install a driver, such as Mesa's, or unset VK_ICD_FILENAMES"
    return "no driver reports a device"


def runtime_info(c_runtime: taichi_aot_runtime_p) -> TiVulkanRuntimeInteropInfo_p:
    """Return the ``TiVulkanRuntimeInteropInfo`` of a runtime: its instance, device and queues."""
    info = ffi.new("TiVulkanRuntimeInteropInfo *")
    check(lib.taichi_aot_vulkan_describe(c_runtime, info, ffi.NULL))
    return info


@cache
def _instance_of_process(pid: int) -> VulkanInstance | None:
    require_address_space(DRIVER_SPACE, "a Vulkan driver")
    get = DriverLibrary(*LOADERS).function("PFN_vkGetInstanceProcAddr", "vkGetInstanceProcAddr")
    create = get(ffi.NULL, b"vkCreateInstance") if get is not None else None
    if get is None or not create:
        return None
    loader = VulkanInstance(address_of(get), 0)
    strings = [ffi.new("char[]", name.encode()) for name in {LABELS} & loader.instance_extensions()]
    c_names = ffi.new("const char *[]", strings)
    application = ffi.new("VkApplicationInfo *")
    application.sType = lib.VK_STRUCTURE_TYPE_APPLICATION_INFO
    application.apiVersion = min(loader.highest_version(), VERSION_1_3)
    info = ffi.new("VkInstanceCreateInfo *")
    info.sType = lib.VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO
    info.pApplicationInfo = application
    info.enabledExtensionCount, info.ppEnabledExtensionNames = len(strings), c_names
    instance = ffi.new("VkInstance *")
    if ffi.cast("PFN_vkCreateInstance", create)(info, ffi.NULL, instance) != lib.VK_SUCCESS:
        return None
    return VulkanInstance(address_of(get), address_of(instance[0]), application.apiVersion)


def version_text(vendor: int, number: int) -> str:
    """Return a vendor's version as text: NVIDIA has its own encoding, other vendors use Vulkan's."""
    if vendor == NVIDIA:
        return f"{number >> 22}.{number >> 14 & 0xFF}.{number >> 6 & 0xFF}"
    return f"{number >> 22 & 0x7F}.{number >> 12 & 0x3FF}.{number & 0xFFF}"


def _physical_device(handle: int) -> VkPhysicalDevice:
    return ffi.cast("VkPhysicalDevice", handle)


def _list(c_type: str, get: Callable[[Any, Any], int | None], convert: Callable[[Any], T]) -> list[T]:
    """Return the converted items that a Vulkan function enumerates; empty if it fails."""
    # The first call gets the count, the second one the items.
    count = ffi.new("uint32_t *")
    if (get(count, ffi.NULL) or 0) < 0:
        return []
    items = ffi.new(c_type, count[0])
    if (get(count, items) or 0) < 0:
        return []
    return [convert(item) for item in items[0 : count[0]]]  # before the array is freed


def _extension_names(get: Callable[[Any, Any], int | None]) -> set[str]:
    return set(_list("VkExtensionProperties[]", get, lambda extension: _text(extension.extensionName)))


def _text(characters: Pointer[Any]) -> str:
    """Return a string of the driver; empty for NULL."""
    return ffi.string(ffi.cast("const char *", characters)).decode(errors="replace") if characters else ""

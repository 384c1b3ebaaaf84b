"""What this machine has: asked from the drivers' own loaders, because asking the library can crash the process.

``ti_get_available_archs`` ends in SIGSEGV where EGL has no usable platform. So each backend is probed here the way the
library will use it, and only then is it used.

CUDA is asked from its driver: without one the library answers with a runtime that is silently an x64 one.
"""

from __future__ import annotations

import os
import platform
import struct
import sys
from functools import cache
from typing import Any, NamedTuple

from ._ffi.library import check_environment, ffi, lib, load
from ._ffi.pointers import address_of
from ._ffi.status import check
from .enums import Arch

__all__ = [
    "DeviceInfo",
    "available_archs",
    "best_device",
    "devices",
    "hardware",
    "kind_of",
    "native_index",
    "visible_devices",
    "vulkan_instance",
]

VISIBLE_DEVICE = "TI_VISIBLE_DEVICE"  # the library's own variable: index of the one Vulkan device to use


class DeviceInfo(NamedTuple):
    """A device that a runtime can be created on.

    Attributes
    ----------
    arch : Arch
        The backend.
    index : int
        What `Runtime` takes as `device_index`.
    name : str
        As the driver gives it.
    kind : str
        ``"discrete"``, ``"integrated"``, ``"virtual"`` or ``"cpu"``. OpenGL tells hardware from software only:
        hardware is ``"virtual"`` there.
    """

    arch: Arch
    index: int  # type: ignore[assignment]  # not the method of tuples
    name: str
    kind: str


def available_archs() -> tuple[Arch, ...]:
    """The archs that a runtime can be created for on this machine, in the order `devices` lists them.

    Never crashes, whatever drivers are missing or broken in the ways that the library does not survive.

    Raises
    ------
    LibraryNotFoundError
        If the C library is not found.
    """
    return tuple(dict.fromkeys(device.arch for device in devices()))


def devices() -> tuple[DeviceInfo, ...]:
    """All devices that a runtime can be created on: of CUDA, Vulkan, the CPU, and OpenGL.

    Of CUDA the library uses the first device; ``CUDA_VISIBLE_DEVICES`` says which one that is. With
    ``TI_VISIBLE_DEVICE=n`` set, the Vulkan device n is the only one and has index 0. In a forked process whose parent
    used a GPU there is only the CPU.

    Raises
    ------
    LibraryNotFoundError
        If the C library is not found.
    """
    load()
    check_environment()
    return tuple(device for arch in _PROBES for device in visible_devices(arch))


def visible_devices(arch: Arch) -> list[DeviceInfo]:
    """The devices of one arch; none where the arch cannot be used here."""
    if hardware.lost and not arch.is_cpu:
        return []
    found = _PROBES[arch]() if arch in _PROBES else []
    if arch is Arch.VULKAN and VISIBLE_DEVICE in os.environ:
        index = int(os.environ[VISIBLE_DEVICE])
        found = found[index : index + 1] if index >= 0 else []
    return [DeviceInfo(arch, index, name, kind) for index, (name, kind) in enumerate(found)]


def native_index(arch: Arch, index: int) -> int:
    """The index that the library knows a visible device by."""
    if arch is Arch.VULKAN and VISIBLE_DEVICE in os.environ:
        return int(os.environ[VISIBLE_DEVICE])
    return index


def best_device() -> DeviceInfo:
    """The device that `Runtime()` takes: a GPU that is hardware, with CUDA before Vulkan, else the CPU."""
    rank = {"discrete": 0, "integrated": 1, "virtual": 2}
    gpus = [device for arch in (Arch.CUDA, Arch.VULKAN) for device in visible_devices(arch) if device.kind in rank]
    return min(gpus, key=lambda device: rank[device.kind], default=visible_devices(_cpu_arch())[0])


# One probe for each arch that a runtime can have: (name, kind) of each of its devices.


def _cpu_arch() -> Arch:
    return Arch.ARM64 if platform.machine().lower() in ("arm64", "aarch64") else Arch.X64


def _cpu(arch: Arch) -> list[tuple[str, str]]:
    return [(_cpu_name(), "cpu")] if arch is _cpu_arch() else []


def _cpu_name() -> str:
    if sys.platform == "linux":
        try:
            with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
                for line in file:
                    if line.startswith("model name"):
                        return line.partition(":")[2].strip()
        except OSError:
            pass
    return platform.processor() or platform.machine()


class _Hardware:
    """Whether GPU drivers are in use, and whether they were lost in a fork: they do not survive one."""

    used = False
    lost = False

    def after_fork_in_child(self) -> None:
        self.lost = self.used


hardware = _Hardware()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=hardware.after_fork_in_child)


def kind_of(arch: Arch, c_runtime: Any) -> str:
    """What kind of device a new native runtime is on, asked from its own Vulkan device; CUDA's are all discrete."""
    if arch is not Arch.VULKAN:
        return "cpu" if arch.is_cpu else "discrete" if arch is Arch.CUDA else "virtual"
    info = ffi.new("TiVulkanRuntimeInteropInfo *")
    check(lib.checked_ti_export_vulkan_runtime(c_runtime, info))
    function = info.get_instance_proc_addr(info.instance, b"vkGetPhysicalDeviceProperties")
    return _vulkan_device(ffi.cast("void(*)(void *, void *)", function), info.physical_device)[1]


class _Loader:
    """A driver's shared library, with functions taken from it by their C type."""

    def __init__(self, *names: str) -> None:
        self._library = next((library for name in names if (library := lib.taichi_aot_open(name.encode()))), None)

    def __bool__(self) -> bool:
        return self._library is not None

    def function(self, kind: str, name: str) -> Any:
        """The function `name`, of the C type `kind`; None if the library has none."""
        symbol = lib.taichi_aot_symbol(self._library, name.encode())
        return ffi.cast(kind, symbol) if symbol else None


def _vulkan() -> list[tuple[str, str]]:
    vulkan = _vulkan_instance(os.getpid())
    if vulkan is None:
        return []
    loader, instance = vulkan
    enumerate_devices = loader.function("int(*)(void *, uint32_t *, void **)", "vkEnumeratePhysicalDevices")
    get_properties = loader.function("void(*)(void *, void *)", "vkGetPhysicalDeviceProperties")
    count = ffi.new("uint32_t *")
    if not (enumerate_devices and get_properties) or enumerate_devices(instance, count, ffi.NULL) != 0:
        return []
    handles = ffi.new("void *[]", count[0])
    enumerate_devices(instance, count, handles)
    return [_vulkan_device(get_properties, handle) for handle in handles[0 : count[0]]]


@cache
def _vulkan_instance(pid: int) -> tuple[_Loader, Any] | None:
    """The Vulkan loader and an instance of this process, which is never destroyed.

    It keeps the drivers loaded while runtimes come and go: NVIDIA's crashes when it is loaded for about the 25th time.
    """
    loader = _Loader("libvulkan.so.1", "libvulkan.so", "vulkan-1.dll", "libvulkan.1.dylib")
    create = loader.function("int(*)(void *, void *, void **)", "vkCreateInstance") if loader else None
    if create is None:
        return None
    # VkApplicationInfo {sType 0, pNext, name, version, engine, version, apiVersion 1.0} and
    # VkInstanceCreateInfo {sType 1, pNext, flags, application, no layers, no extensions}.
    application = ffi.new("char[]", struct.pack("@i4xPPI4xPII", 0, 0, 0, 0, 0, 0, 1 << 22))
    info = ffi.new("char[]", struct.pack("@i4xPI4xPI4xPI4xP", 1, 0, 0, address_of(application), 0, 0, 0, 0))
    instance = ffi.new("void **")
    return (loader, instance[0]) if create(info, ffi.NULL, instance) == 0 else None


def vulkan_instance() -> tuple[int, int] | None:
    """The addresses of ``vkGetInstanceProcAddr`` and of an instance of version 1.0; None without Vulkan."""
    vulkan = _vulkan_instance(os.getpid())
    if vulkan is None:
        return None
    loader, instance = vulkan
    return address_of(loader.function("void *", "vkGetInstanceProcAddr")), address_of(instance)


def _vulkan_device(get_properties: Any, handle: Any) -> tuple[str, str]:
    # VkPhysicalDeviceProperties {5 x uint32 with the type last, char name[256], ...}: 824 bytes in all.
    properties = ffi.new("uint64_t[256]")
    get_properties(handle, properties)
    head = bytes(ffi.buffer(properties, 276))
    kind = struct.unpack_from("=I", head, 16)[0]
    kinds = {1: "integrated", 2: "discrete", 3: "virtual", 4: "cpu"}
    return head[20:].split(b"\0")[0].decode(errors="replace"), kinds.get(kind, "virtual")


_opengl_devices: dict[int, list[tuple[str, str]]] = {}  # by process


def _opengl() -> list[tuple[str, str]]:
    """What was found first in this process: the library leaves its context current, and then there is no asking."""
    pid = os.getpid()
    found = _opengl_devices.get(pid) or _find_opengl()
    if found:
        _opengl_devices[pid] = found
    return found


def _find_opengl() -> list[tuple[str, str]]:
    """A desktop OpenGL 4.3 context through EGL, made the way the library makes it."""
    if sys.platform != "linux":
        return []
    if not any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY", "EGL_PLATFORM")):
        os.environ["EGL_PLATFORM"] = "surfaceless"  # what else there is without a display makes the library crash
    egl = _Loader("libEGL.so.1", "libEGL.so")
    if not egl or not _Loader("libGL.so.1", "libOpenGL.so.0", "libGLESv2.so.2"):
        return []
    get_display = egl.function("void *(*)(void *)", "eglGetDisplay")
    start = egl.function("unsigned int(*)(void *, int *, int *)", "eglInitialize")
    bind_api = egl.function("unsigned int(*)(unsigned int)", "eglBindAPI")
    choose = egl.function("unsigned int(*)(void *, int *, void **, int, int *)", "eglChooseConfig")
    create = egl.function("void *(*)(void *, void *, void *, int *)", "eglCreateContext")
    make_current = egl.function("unsigned int(*)(void *, void *, void *, void *)", "eglMakeCurrent")
    destroy = egl.function("unsigned int(*)(void *, void *)", "eglDestroyContext")
    get_function = egl.function("void *(*)(const char *)", "eglGetProcAddress")
    get_context = egl.function("void *(*)(void)", "eglGetCurrentContext")
    needed = (get_display, start, bind_api, choose, create, make_current, destroy, get_function, get_context)
    if not all(needed) or get_context():  # never disturb a context of the application's own
        return []
    display = get_display(ffi.NULL)
    if not display or not start(display, ffi.NULL, ffi.NULL) or not bind_api(0x30A2):  # EGL_OPENGL_API
        return []
    # Pbuffer surfaces, 8 bits of blue, green, red and depth, OpenGL: the library's own choice.
    attributes = ffi.new("int[]", [0x3033, 1, 0x3022, 8, 0x3023, 8, 0x3024, 8, 0x3025, 8, 0x3040, 8, 0x3038])
    config, count = ffi.new("void **"), ffi.new("int *")
    if not choose(display, attributes, config, 1, count) or count[0] < 1:
        return []
    version = ffi.new("int[]", [0x3098, 4, 0x30FB, 3, 0x3038])  # major 4, minor 3
    context = create(display, config[0], ffi.NULL, version)
    if not context:
        return []
    try:
        if not make_current(display, ffi.NULL, ffi.NULL, context):
            return []
        get_string = get_function(b"glGetString")
        text = ffi.cast("char *(*)(unsigned int)", get_string)(0x1F01) if get_string else ffi.NULL  # GL_RENDERER
        name = ffi.string(text).decode(errors="replace") if text else "OpenGL"  # the text goes with the context
        make_current(display, ffi.NULL, ffi.NULL, ffi.NULL)
    finally:
        destroy(display, context)
    software = any(word in name.lower() for word in ("llvmpipe", "softpipe", "swrast"))
    return [(name, "cpu" if software else "virtual")]


def _cuda() -> list[tuple[str, str]]:
    """The one device that the library uses, the first."""
    if int(os.environ.get("TI_ENABLE_CUDA", "1")) == 0:  # the library's own variable
        return []
    buffer = ffi.new("char[]", 256)
    name = lib.taichi_aot_cuda_device(buffer, len(buffer))
    return [(ffi.string(name).decode(errors="replace"), "discrete")] if name else []


_PROBES = {
    Arch.CUDA: _cuda,
    Arch.VULKAN: _vulkan,
    Arch.X64: lambda: _cpu(Arch.X64),
    Arch.ARM64: lambda: _cpu(Arch.ARM64),
    Arch.OPENGL: _opengl,
}

"""OpenGL: the device behind a desktop OpenGL 4.3 context, created through EGL as the library does.

The library is not queried, because ``ti_get_available_archs`` crashes (SIGSEGV) if EGL lacks a usable platform.
"""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias

from ._library import DriverLibrary, ffi, lib
from ._limits import require, software_device

if TYPE_CHECKING:
    from .._capi import EGLContext, EGLDisplay
    from .._cdata import Array, Pointer

SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swrast")

EGL = ("libEGL.so.1", "libEGL.so")
OPENGL = ("libGL.so.1", "libOpenGL.so.0", "libGLESv2.so.2")
# The functions of EGL in use.
FUNCTIONS = (
    *("eglGetDisplay", "eglInitialize", "eglBindAPI", "eglChooseConfig", "eglGetProcAddress"),
    *("eglCreateContext", "eglMakeCurrent", "eglDestroyContext", "eglGetCurrentContext"),
)


_Device: TypeAlias = tuple[str, str]  # its renderer and version

_found: dict[int, _Device] = {}  # by process id


def opengl_devices() -> list[tuple[str, str]]:
    """Return the name and kind (``"cpu"`` or ``"virtual"``) of the OpenGL device; empty if there is no usable one."""
    device = _device()
    if not device:
        return []
    renderer, _ = device
    return [(renderer, "cpu" if any(word in renderer.lower() for word in SOFTWARE_RENDERERS) else "virtual")]


def opengl_driver(index: int = 0) -> str:
    """Return the versions of OpenGL and of the driver, as the driver states them; empty without OpenGL."""
    device = _device()
    return f"OpenGL {device[1]}" if device else ""


def why_no_opengl() -> str:
    """Return the reason why OpenGL has no device."""
    if sys.platform != "linux":
        return "it is used on Linux only"
    if not DriverLibrary(*EGL):
        return "libEGL.so.1 cannot be loaded"
    if not DriverLibrary(*OPENGL):
        return "neither libGL.so.1 nor libOpenGL.so.0 nor libGLESv2.so.2 can be loaded"
    return "EGL does not provide a context of desktop OpenGL 4.3, or another context is current"


def _device() -> _Device | None:
    """Return the device; a process keeps the first one that it finds."""
    # The library leaves its context current, and the probe does not replace a current context.
    pid = os.getpid()
    device = _found.get(pid) or _find()
    if device:
        _found[pid] = device
    return device


def _find() -> _Device | None:
    if sys.platform != "linux":
        return None
    if not any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY", "EGL_PLATFORM")):
        # The variable stays set for the library, which crashes on every other EGL platform without a display.
        os.environ["EGL_PLATFORM"] = "surfaceless"
    require(software_device(), "an OpenGL driver")
    egl = _load()
    if egl is None or egl.eglGetCurrentContext():  # an application's own context stays current
        return None
    return _probe(egl)


def _load() -> Any:
    """Return an object with the functions of EGL; None if it or OpenGL is missing."""
    library = DriverLibrary(*EGL)
    if not library or not DriverLibrary(*OPENGL):
        return None
    found = {name: library.function(f"PFN{name.upper()}PROC", name) for name in FUNCTIONS}
    return None if None in found.values() else SimpleNamespace(**found)


def _probe(egl: Any) -> _Device | None:
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


def _current_device(egl: Any) -> _Device:
    address = egl.eglGetProcAddress(b"glGetString")
    if not address:
        return "OpenGL", ""
    get = ffi.cast("PFNGLGETSTRINGPROC", address)
    return _text(get(lib.GL_RENDERER)) or "OpenGL", _text(get(lib.GL_VERSION))


def _text(characters: Pointer[int]) -> str:
    """Return a string of the driver; empty for NULL."""
    return ffi.string(ffi.cast("const char *", characters)).decode(errors="replace") if characters else ""

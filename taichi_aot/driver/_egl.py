"""OpenGL: the device behind a desktop OpenGL 4.3 context, created through EGL as the library does.

The library is not queried, because ``ti_get_available_archs`` crashes (SIGSEGV) if EGL lacks a usable platform. A child
process creates the context: Mesa's EGL exports its LLVM to the whole process, and other libraries with an LLVM of their
own, such as Triton, crash when they are loaded after it. Here it is loaded for the first runtime on OpenGL.
"""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias

from ..values._errors import NotSupportedError
from ._library import DriverLibrary, ffi, lib
from ._limits import require, software_device

if TYPE_CHECKING:
    from .._capi import EGLContext, EGLDisplay
    from .._cdata import Array, Pointer

SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swrast")
TIMEOUT = 60.0  # seconds for the child; it takes 0.2 s

EGL = ("libEGL.so.1", "libEGL.so")
OPENGL = ("libGL.so.1", "libOpenGL.so.0", "libGLESv2.so.2")
NO_CONTEXT = "EGL does not provide a context of desktop OpenGL 4.3"
# The functions of EGL in use.
FUNCTIONS = (
    *("eglGetDisplay", "eglInitialize", "eglBindAPI", "eglChooseConfig", "eglGetProcAddress"),
    *("eglCreateContext", "eglMakeCurrent", "eglDestroyContext", "eglGetCurrentContext"),
)


_Device: TypeAlias = tuple[str, str]  # its renderer and version


class _Process:
    """What this process knows of OpenGL."""

    device: _Device | str = ""  # the device, or the reason why there is none; empty until a child has answered
    is_prepared = False  # whether the library may create its context


_process = _Process()


def opengl_devices() -> list[tuple[str, str]]:
    """Return the name and kind (``"cpu"`` or ``"virtual"``) of the OpenGL device; empty if there is no usable one."""
    device = _device()
    if isinstance(device, str):
        return []
    renderer, _ = device
    return [(renderer, "cpu" if any(word in renderer.lower() for word in SOFTWARE_RENDERERS) else "virtual")]


def opengl_driver(index: int = 0) -> str:
    """Return the versions of OpenGL and of the driver, as the driver states them; empty without OpenGL."""
    device = _device()
    return "" if isinstance(device, str) else f"OpenGL {device[1]}"


def why_no_opengl() -> str:
    """Return the reason why OpenGL has no device."""
    device = _device()
    return device if isinstance(device, str) else ""


def prepare_opengl() -> None:
    """Set what the library's first context needs; NotSupportedError if it would replace an application's own."""
    if _process.is_prepared:  # the library leaves its context current
        return
    _set_platform()
    egl = _load()
    if not isinstance(egl, str) and egl.eglGetCurrentContext():
        raise NotSupportedError("a runtime on OpenGL would replace the OpenGL context that is current in this thread")
    _process.is_prepared = True


def _device() -> _Device | str:
    """Return the device, or the reason why there is none."""
    if sys.platform != "linux":
        return "it is used on Linux only"
    return _process.device or _ask()


def _ask() -> _Device | str:
    from ._child import call  # here, as most processes do not ask

    try:
        ending = call(find, None, TIMEOUT)
    except OSError as error:  # a limit of processes or files; it may be gone the next time
        return f"a child process, which asks for it, cannot start: {error}"
    except NotSupportedError:  # a frozen program
        found = find(None)
    else:
        is_answered = ending.how == "answered"
        found = ending.answer if is_answered else f"a child process that asked for it {ending.how}: {ending.message}"
    _process.device = found if isinstance(found, str) else (found[0], found[1])
    return _process.device


def find(_: None) -> _Device | str:
    """Return the device, or the reason why there is none. Called in a child process."""
    _set_platform()
    try:
        require(software_device(), "an OpenGL driver")
    except (OSError, MemoryError) as error:
        return str(error)
    egl = _load()
    if isinstance(egl, str):
        return egl
    # In a frozen program the context of the application stays current.
    return (not egl.eglGetCurrentContext() and _probe(egl)) or NO_CONTEXT


def _set_platform() -> None:
    if not any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY", "EGL_PLATFORM")):
        # The library crashes on every other EGL platform without a display.
        os.environ["EGL_PLATFORM"] = "surfaceless"


def _load() -> Any:
    """Return an object with the functions of EGL, or the reason why it or OpenGL cannot be loaded."""
    library = DriverLibrary(*EGL)
    found = {name: library.function(f"PFN{name.upper()}PROC", name) for name in FUNCTIONS}
    if None in found.values():
        return "libEGL.so.1 cannot be loaded"
    if not DriverLibrary(*OPENGL):
        return "neither libGL.so.1 nor libOpenGL.so.0 nor libGLESv2.so.2 can be loaded"
    return SimpleNamespace(**found)


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

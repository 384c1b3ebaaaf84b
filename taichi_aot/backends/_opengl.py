"""The backend of OpenGL."""

from __future__ import annotations

from ..driver._gpus import prepare_opengl
from ..driver._library import lib
from ..handles._runtime import RuntimeHandle
from ..values._errors import OutOfMemoryError
from ._gfx import GfxAllocator, GfxDevice, GfxInterchange

# The library maps that much memory, and aborts the process for more (glMapBufferRange, GL_INVALID_VALUE).
LARGEST = (1 << 31) - 1


class OpenGlAllocator(GfxAllocator):
    copies_mapped = False
    export = "TiOpenglMemoryInteropInfo", lib.checked_ti_export_opengl_memory

    def check_size(self, size: int) -> None:
        if size > LARGEST:
            raise OutOfMemoryError(
                f"memory of arch opengl has at most {LARGEST} bytes (2^31 - 1), because the library can map no more, "
                f"not {size}"
            )


class OpenGlInterchange(GfxInterchange):
    api = "opengl"


class OpenGlDevice(GfxDevice):
    why_no_images = "the library allocates none there"
    has_seeds = False

    @classmethod
    def require_library(cls, device_index: int) -> None:
        prepare_opengl()

    def kind(self, runtime: RuntimeHandle) -> str:
        return "virtual"

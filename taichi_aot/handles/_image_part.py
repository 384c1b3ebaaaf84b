"""All texels of an image or a box of them, which arrays are copied from and to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..values._enums import numpy_dtype
from ..values._errors import InvalidArgumentError
from ._copies import check_not_mapped
from ._memory import MemoryHandle

if TYPE_CHECKING:
    import numpy as np

    from ._image import ImageHandle, Region


class ImagePart:
    """All texels of an image, or a box of them."""

    __slots__ = ()
    _is_whole = False  # whether it is the image itself
    _handle: ImageHandle
    _region: Region

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy dtype of the channels."""
        return numpy_dtype(self._handle.request.texel.data_type)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape in numpy: ``([[depth, ]height, ]width[, channels])``, without `channels` if there is only one."""
        channels = self._handle.request.texel.channels
        return (*reversed(self._region.extent), *(channels,) * (channels > 1))


def is_image(value: object) -> bool:
    """Return whether a value is an `Image`, not a part of one."""
    return isinstance(value, ImagePart) and value._is_whole


def copy_texels(part: ImagePart, memory: MemoryHandle, offset: int, direction: int) -> None:
    """Copy between texels and a memory that has room for them from `offset` on, on the device and in launch order."""
    image = part._handle
    if image.runtime is not memory.runtime:
        raise InvalidArgumentError("cannot copy between an image and an array of different runtimes")
    image.require_open()
    memory.require_open()
    check_not_mapped(memory)
    image.copy_memory(part._region, memory, offset, direction)

"""Images as arguments of textures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from ..arrays._image import Image, Texture
from ..driver._library import lib
from ..handles._runtime import RuntimeHandle
from ..values._graphics import ImageUsage
from ..values._signature import TEXTURES, Signature
from ._arguments import Dispatches, Lines, ObjectArgument, Subject

if TYPE_CHECKING:
    from .._capi import TiArgument


USAGES = {"texture": ImageUsage.SAMPLED, "rw_texture": ImageUsage.STORAGE}


def image_usages(dispatches: Dispatches) -> dict[str, ImageUsage]:
    """The usages that the image for each parameter needs: both if a graph passes it to kernels as both textures."""
    usages: dict[str, ImageUsage] = {}
    for parameters in dispatches:
        for parameter in parameters:
            if parameter.kind in USAGES:
                usages[parameter.name] = usages.get(parameter.name, ImageUsage(0)) | USAGES[parameter.kind]
    return usages


class TextureArgument(ObjectArgument):
    """An Image, or the Texture of an Image, with the usages that the kernels need."""

    def __init__(
        self, subject: Subject, index: int, runtime: RuntimeHandle, array_index: int, dispatches: Dispatches
    ) -> None:
        super().__init__(subject, index, runtime, array_index)
        self._usage = image_usages(dispatches).get(self.parameter.name, ImageUsage(0))

    def lines(self, name: str, p: str) -> Lines:
        return Lines([f"{name} = {p}check{self.index}({name})"], [f"{p}arrays[{self._array_index}] = {name}._c"])

    def check(self, value: Any) -> Image:
        image = value.image if value.__class__ is Texture else value
        if image.__class__ is not Image:
            raise self.messages.wrong_type(value)
        parameter = self.parameter
        if image.ndim != parameter.ndim or parameter.format not in ("", str(image.format)):
            raise self.messages.wrong_type(image)
        if self._usage not in image.usage:
            missing = self._usage & ~image.usage
            names = "|".join(usage.name or "" for usage in ImageUsage if usage in missing)
            raise self.messages.wrong_usage(image, names)
        if image._handle.runtime is not self._runtime:
            raise self.messages.foreign(image, self._runtime)
        return image

    def place(self, c_argument: TiArgument, overflow: Iterator[TiArgument]) -> None:
        c_argument.type = lib.TI_ARGUMENT_TYPE_TEXTURE


def layout_pairs(signature: Signature, dispatches: Dispatches) -> list[tuple[int, int]]:
    """The parameters, by number, that one kernel takes as a texture and as an rw_texture.

    They need different layouts: the library would change that of an image for the second while the first needs it.
    """
    numbers = {parameter.name: i for i, parameter in enumerate(signature.parameters)}
    pairs: set[tuple[int, int]] = set()
    for parameters in dispatches:
        reads, writes = ([numbers[p.name] for p in parameters if p.kind == kind] for kind in TEXTURES)
        pairs.update(product(reads, writes))
    return sorted(pairs)

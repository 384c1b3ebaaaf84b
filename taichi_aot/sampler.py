"""Samplers: how kernels read a texture between its texels and beyond its edges."""

from __future__ import annotations

from typing import NamedTuple

from .enums import AddressMode, Filter
from .errors import NotSupportedError

__all__ = ["Sampler", "require_default"]


class Sampler(NamedTuple):
    """How kernels sample a texture; the default is the only one that the C library has.

    Attributes
    ----------
    mag_filter, min_filter : Filter, default LINEAR
        Between texels.
    address_mode : AddressMode, default REPEAT
        Beyond the edges.

    Examples
    --------
    >>> Sampler().mag_filter
    <Filter.LINEAR: 1>
    """

    mag_filter: Filter = Filter.LINEAR
    min_filter: Filter = Filter.LINEAR
    address_mode: AddressMode = AddressMode.REPEAT


def require_default(sampler: object) -> Sampler:
    """The sampler, if it is the default one.

    Raises
    ------
    TypeError
        If it is not a `Sampler`.
    NotSupportedError
        If it is another one.
    """
    if not isinstance(sampler, Sampler):
        raise TypeError(f"expected a Sampler, got {type(sampler).__qualname__}")
    if sampler != Sampler():
        raise NotSupportedError(
            f"the library samples with {Sampler()} only, not with {sampler}; ti_create_sampler is not implemented"
        )
    return sampler

"""Samplers: filters and address modes of textures."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..values._enums import AddressMode, AddressModeName, Filter, FilterName
from ..values._errors import ArgumentTypeError, NotSupportedError

if TYPE_CHECKING:
    from typing_extensions import Self


class _Members(NamedTuple):
    mag_filter: Filter
    min_filter: Filter
    address_mode: AddressMode


class Sampler(_Members):
    """A sampler of a texture. The C library has only the default one.

    Parameters
    ----------
    mag_filter, min_filter : Filter or str, default LINEAR
        Filters between texels.
    address_mode : AddressMode or str, default REPEAT
        Addressing beyond the edges.

    Raises
    ------
    ValueError
        If a filter or the address mode does not exist.

    Examples
    --------
    >>> Sampler().mag_filter
    <Filter.LINEAR: 1>
    >>> Sampler("nearest")
    <Sampler mag_filter=nearest min_filter=linear address_mode=repeat>
    """

    __slots__ = ()

    def __new__(
        cls,
        mag_filter: Filter | FilterName = Filter.LINEAR,
        min_filter: Filter | FilterName = Filter.LINEAR,
        address_mode: AddressMode | AddressModeName = AddressMode.REPEAT,
    ) -> Self:
        return super().__new__(cls, Filter(mag_filter), Filter(min_filter), AddressMode(address_mode))

    def __repr__(self) -> str:
        members = " ".join(f"{name}={value}" for name, value in zip(self._fields, self, strict=True))
        return f"<Sampler {members}>"


def require_default(sampler: object) -> Sampler:
    """Return the sampler if it is the default one."""
    if not isinstance(sampler, Sampler):
        raise ArgumentTypeError(f"expected a Sampler, got {type(sampler).__qualname__}")
    if sampler != Sampler():
        raise NotSupportedError(
            f"the library samples with {Sampler()} only, not with {sampler}; ti_create_sampler is not implemented"
        )
    return sampler

"""Versions of Vulkan, as Vulkan encodes them."""

from __future__ import annotations

from ...values._errors import ArgumentOutOfRangeError
from ...values._integers import as_integer
from ...values._wording import short

__all__ = ["VERSION_1_0", "check_version", "encode", "version_name"]


def encode(major: int, minor: int) -> int:
    """Return the code of a version."""
    return major << 22 | minor << 12


VERSION_1_0 = encode(1, 0)
FIRST_UNKNOWN = encode(1, 5)  # the library aborts the process for versions that it does not know


def check_version(version: int) -> None:
    """Raise ValueError for a version that the library does not know."""
    if not VERSION_1_0 <= as_integer(version, "api_version") < FIRST_UNKNOWN:
        raise ArgumentOutOfRangeError(
            f"api_version {short(version)} is not one of Vulkan 1.0 to 1.4, as Vulkan encodes them"
        )


def version_name(version: int) -> str:
    """Return a version as text, such as ``1.3``."""
    return f"{version >> 22}.{version >> 12 & 0x3FF}"

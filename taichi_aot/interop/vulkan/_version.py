"""Versions of Vulkan, as Vulkan encodes them."""

from __future__ import annotations

from ...values._errors import ArgumentOutOfRangeError
from ...values._integers import as_integer
from ...values._wording import short


def encode(major: int, minor: int) -> int:
    """Return the code of a version."""
    return major << 22 | minor << 12


VERSION_1_0 = encode(1, 0)
FIRST_UNKNOWN = encode(1, 5)  # the library aborts the process for versions that it does not know


def checked_version(version: int) -> int:
    """Return a version as an int; raise ValueError for one that the library does not know."""
    version = as_integer(version, "api_version")
    if not VERSION_1_0 <= version < FIRST_UNKNOWN:
        raise ArgumentOutOfRangeError(
            f"api_version {short(version)} is not one of Vulkan 1.0 to 1.4, as Vulkan encodes them"
        )
    return version


def version_name(version: int) -> str:
    """Return a version as text, such as ``1.3``."""
    return f"{version >> 22}.{version >> 12 & 0x3FF}"

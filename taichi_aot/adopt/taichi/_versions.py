"""The Taichi version that wrote a module. It is checked first, because each version has its own format."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from ...bundle._source import GFX_METADATA, LLVM_METADATA
from ...values._errors import CorruptedDataError, IncompatibleModuleError

LIBRARY_VERSION = (1, 7, 4)  # the LLVM layout that the library reads; it crashes on that of 1.7.3
VERSION_FILE = "__version__"  # written since 1.4
UNNUMBERED = (0, 0, 0)  # stated by modules of 2022, if they state a version
MAX_NUMBER = 99

Version: TypeAlias = tuple[int, int, int]


def stated_version(files: Mapping[str, bytes]) -> Version | None:
    """The version in the file ``__version__``; None if it is missing or is not a version."""
    match = re.fullmatch(rb"\s*(\d{1,4})\.(\d{1,4})\.(\d{1,4})\b.{0,80}", files.get(VERSION_FILE, b""), re.DOTALL)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def check_version(where: str, files: Mapping[str, bytes]) -> None:
    """Raise for modules of other versions, and name the version and the remedy.

    Modules of the 1.7 series have the format of 1.7.4 except for LLVM code: see `check_llvm_version`.
    """
    version = stated_version(files)
    if version is not None and version[:2] != LIBRARY_VERSION[:2]:
        raise wrong_version(where, version)
    if LLVM_METADATA in files:  # beside which the other file is a large text that nothing reads
        return
    if re.match(rb'\s*\{\s*"aot_data"', files.get(GFX_METADATA, b"")[:100]):
        raise wrong_version(where, UNNUMBERED)


def check_llvm_version(where: str, version: Version) -> None:
    """Raise for the version in the header of an LLVM module's metadata, unless the library reads its layout."""
    if version == LIBRARY_VERSION:
        return
    if version != UNNUMBERED and (version[0] != 1 or max(version) > MAX_NUMBER):
        raise CorruptedDataError(f"{where}: {LLVM_METADATA} states the version {'.'.join(map(str, version))}")
    raise wrong_version(where, version)


def wrong_version(where: str, version: Version) -> IncompatibleModuleError:
    """The exception for a module of another version."""
    is_old = version in (UNNUMBERED, (1, 0, 0))
    compiled_by = "a version of Taichi before 1.4" if is_old else f"Taichi {'.'.join(map(str, version))}"
    runs = ".".join(map(str, LIBRARY_VERSION))
    return IncompatibleModuleError(
        f"{where} was compiled by {compiled_by}, whose modules the library does not read: "
        f"compile it again with taichi=={runs}"
    )

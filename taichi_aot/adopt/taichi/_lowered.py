"""The copy of a module that the library is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...bundle._info import ModuleInfo
from ...bundle._plan import ResultLayout


class LoweredModule(NamedTuple):
    """The private copy of a module."""

    info: ModuleInfo
    files: dict[str, bytes]  # the files of the copy by name
    # The layouts of return values by kernel. The values of other kernels cannot be fetched.
    results: Mapping[str, ResultLayout]
    gradients: frozenset[str] = frozenset()  # the kernels whose gradients are passed, each as one more ndarray

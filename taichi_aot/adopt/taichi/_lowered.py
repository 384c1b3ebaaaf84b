"""The copy of a module that the library is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ...bundle._info import ModuleInfo
from ...bundle._plan import ResultLayout


class LoweredModule(NamedTuple):
    """The private copy of a module.

    Attributes
    ----------
    info : ModuleInfo
        What the module states.
    files : dict
        The files of the copy by name.
    results : mapping
        The layouts of return values by kernel. The values of other kernels cannot be fetched.
    gradients : frozenset of str
        The kernels whose gradients are passed, each as one more ndarray.
    """

    info: ModuleInfo
    files: dict[str, bytes]
    results: Mapping[str, ResultLayout]
    gradients: frozenset[str] = frozenset()

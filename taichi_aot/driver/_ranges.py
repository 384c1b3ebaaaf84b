"""Ranges of the host for profilers, by the package nvtx.

A range lasts as long as a call of C. Without a tool, nvtx is not imported, and calls go straight to C.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import Any, TypeAlias, TypeVar, cast

from .._capi import ffi, lib
from ._variables import read_switch

Given: TypeAlias = tuple[Any, ...]  # arguments of a function
Named: TypeAlias = "tuple[str, int | None]"  # the name and the bytes of a range
Lib = TypeVar("Lib")


def _find() -> Any:
    """Return the package nvtx if a tool listens; None if not, or if it is not installed."""
    try:
        switch = read_switch("TAICHI_AOT_LABELS")
        if switch is False or not (switch or os.environ.get("NVTX_INJECTION64_PATH")):
            return None
        return importlib.import_module("nvtx")
    except (ImportError, ValueError):  # the first runtime raises that of the variable
        return None


_nvtx = _find()
IS_LISTENING = _nvtx is not None


def named_range(name: str, size: int | None = None) -> AbstractContextManager[object]:
    """Show a block as a range, if a tool listens."""
    if not IS_LISTENING:
        return nullcontext()
    shown: AbstractContextManager[object] = _nvtx.annotate(name, domain="taichi_aot", payload=size)
    return shown


def _text(name: Any) -> str:
    return ffi.string(name).decode() if name else "launch"


def _way(direction: int) -> str:
    return "read" if direction == lib.TAICHI_AOT_READ else "write"


def _launch(given: Given) -> Named:
    names = given[0].names
    return _text(names and names.launch), None


def _sequence(given: Given) -> Named:
    return _text(given[0].pace.label), None


# What the ranges of functions are called, by their arguments.
NAMES: Mapping[str, Callable[[Given], Named]] = {
    "taichi_aot_launch_now": _launch,
    "taichi_aot_launch_for_result": _launch,
    "taichi_aot_run_sequence": _sequence,
    "taichi_aot_run_until": _sequence,
    "taichi_aot_read_result": lambda given: ("read", given[0].result.size),
    "taichi_aot_transfer": lambda given: (_way(given[6]), given[5]),
    "taichi_aot_copy": lambda given: ("copy", given[7]),
    "taichi_aot_copy_host": lambda given: (_way(given[6]), given[5]),
    "taichi_aot_copy_memory": lambda given: ("copy", given[5]),
    "taichi_aot_cuda_copy_peer": lambda given: ("copy", given[8]),
    "taichi_aot_image_transfer": lambda given: (_way(given[4]), None),
    "taichi_aot_image_copy": lambda given: ("copy", None),
    "taichi_aot_image_copy_memory": lambda given: ("copy", None),
    "taichi_aot_wait": lambda given: ("wait", None),
    "taichi_aot_mark_wait": lambda given: ("wait", None),
}


def _ranged(function: Callable[..., Any], name: Callable[[Given], Named]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        with named_range(*name(arguments)):
            return function(*arguments)

    return call


def with_ranges(plain: Lib) -> Lib:
    """Return `lib`, with ranges if a tool listens."""
    if not IS_LISTENING:
        return plain
    ranged = {function: _ranged(getattr(lib, function), name) for function, name in NAMES.items()}
    return cast("Lib", SimpleNamespace(**{name: getattr(lib, name) for name in dir(lib)} | ranged))

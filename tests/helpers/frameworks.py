"""The frameworks under test, and whether a missing one fails or skips a test."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import pytest

# Tests of a module named in this variable fail instead of being skipped if it cannot be imported.
REQUIRED = [name for name in os.environ.get("TAICHI_AOT_TEST_FRAMEWORKS", "").split(",") if name]


def jax_array(values: Any, device: str = "cpu") -> Any:
    """Return an array of JAX on a device; its default would be the best one."""
    jax = need_framework("jax")
    return jax.device_put(jax.numpy.asarray(values, copy=True), jax.devices(device)[0])


def need_framework(name: str) -> Any:
    """Import a framework; if it is missing, skip the test, or fail it if the framework is required."""
    try:
        return import_module(name)
    except ImportError as error:
        if name in REQUIRED:
            pytest.fail(f"{name} is required by TAICHI_AOT_TEST_FRAMEWORKS: {error}")
        pytest.skip(str(error))

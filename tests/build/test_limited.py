"""Loops of machine code over small numbers at limited indices."""

import numpy as np
import pytest
from helpers.native_calls import is_native, load_for, targets_here

from taichi_aot import Runtime, inspect

pytestmark = pytest.mark.skipif(not targets_here(), reason="needs an x86-64 CPU, llvmlite and ziglang")

WIDTHS = [1, 7, 17, 33, 48, 56, 64, 100, 120, 253, 1000]


@pytest.fixture(params=targets_here())
def module(request, build_source):
    with Runtime("x64") as rt:
        yield load_for(rt, build_source("limited_kernels", "x64"), request.param)


@pytest.mark.parametrize("name", ["of_bytes", "of_words", "atomic", "serial"])
@pytest.mark.parametrize("width", WIDTHS)
def test_sums_are_over_all_elements(module, name, width):
    dtype = np.uint8 if name == "of_bytes" else np.int16
    x = np.random.default_rng(width).integers(0, 100, (9, width)).astype(dtype)
    first, y = min(3, width - 1), np.zeros(9, np.int32)
    module.kernels[name](x, first, y)
    assert is_native(module.kernels[name])
    assert np.array_equal(y, x[:, np.maximum(np.arange(width), first)].sum(1, dtype=dtype))


@pytest.mark.parametrize("width", WIDTHS)
def test_halves_are_shifted(module, width):
    x = np.random.default_rng(width).normal(0, 1, (9, width)).astype(np.float16)
    y = np.zeros_like(x)
    module.shifted(x, 0, y)
    assert np.array_equal(y, x[:, np.clip(np.arange(width) - 17, 0, width - 1)])


@pytest.mark.parametrize("width", WIDTHS)
def test_bytes_are_moved(module, width):
    x = np.random.default_rng(width).integers(0, 256, width, np.uint8)
    y = np.zeros_like(x)
    module.moved(x, y)
    assert np.array_equal(y, [*x[:1], *x[:-1]])


def test_atomic_additions_of_halves_keep_the_code_of_the_compiler(module, build_source):
    x = np.random.default_rng(1).integers(0, 100, (9, 100)).astype(np.float16)
    y = np.zeros((1, 1), np.float16)
    module.largest(x, y)
    assert y[0, 0] == x[:, 1:].max(1).sum()
    info = inspect(build_source("limited_kernels", "x64")).kernels["largest"]
    assert info.tasks[-1].loop == "has instructions that are not known, such as cmpxchg"

"""Copies between two runtimes, of one arch or of two."""

import numpy as np
import pytest
from helpers.archs import ARCHS, require
from helpers.inside import copy_in_parts

from taichi_aot import Arch, Runtime


@pytest.fixture(params=ARCHS)
def other(request):
    require(request.param)
    with Runtime(request.param) as runtime:
        yield runtime


def test_arrays_match(rt, other):
    numbers = np.arange(24, dtype=np.float32).reshape(4, 2, 3)
    x, y = rt.asarray(numbers, elem_shape=(3,)), other.zeros((4, 2), "f32", 3)
    y.copy_from(x)
    assert np.array_equal(y.to_numpy(), numbers)
    x.fill(0)
    x[1:3].copy_from(y[2:])
    assert np.array_equal(x.to_numpy()[1:3], numbers[2:])
    assert not x.to_numpy()[[0, 3]].any()
    y[0] = x[1]
    assert np.array_equal(y.to_numpy()[0], numbers[2])


def test_parts_of_memory_match(rt, other):
    source, target = rt.allocate(16), other.allocate(16)
    source.write(bytes(range(16)))
    target.fill(9)
    target[2:6].copy_from(source[10:14])
    assert target.read() == bytes([9, 9, 10, 11, 12, 13]) + bytes([9] * 10)
    target[4:4].copy_from(source[:0])
    source.copy_from(target)
    assert source.read() == target.read()


@pytest.mark.parametrize("size", [63, 64, 65, 200])
def test_long_copies_have_parts(rt, other, monkeypatch, size):
    copy_in_parts(monkeypatch, 64)
    numbers = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    x, y = rt.asarray(numbers), other.zeros(size, "u8")
    y.copy_from(x)
    assert np.array_equal(y.to_numpy(), numbers)


@pytest.mark.usefixtures("c_library")
def test_copies_keep_the_order_of_launches(rt, other, compiled):
    n = 1 << 16
    here = rt.load_module(compiled(rt.arch) / "basic.tcm").kernels["saxpy"]
    there = other.load_module(compiled(other.arch) / "basic.tcm").kernels["saxpy"]
    x, y = rt.full(n, 1, "f32"), rt.zeros(n)
    u, v = other.zeros(n), other.zeros(n)
    for i in range(20):
        here(1.0, x, y)
        u.copy_from(y)
        there(1.0, u, v)
        assert u[0] == i + 1
    assert np.array_equal(v.to_numpy(), np.full(n, 210, np.float32))


@pytest.mark.parametrize("which", ["source", "target", "its runtime", "the runtime"])
def test_closed_ones_are_errors(arch, which):
    with Runtime(arch) as rt, Runtime(Arch.X64) as other:
        x, y = rt.zeros(4), other.zeros(4)
        {"source": y, "target": x, "its runtime": other, "the runtime": rt}[which].close()
        with pytest.raises(ValueError, match="closed"):
            x.copy_from(y)


def test_read_only_target_is_an_error(other):
    with Runtime("x64") as rt:
        constants = rt.from_dlpack(np.arange(4, dtype=np.float32), readonly=True)
        with pytest.raises(ValueError, match="read-only"):
            constants.copy_from(other.zeros(4))
        y = other.zeros(4)
        y.copy_from(constants)
        assert y.to_numpy().tolist() == [0, 1, 2, 3]

"""Argument packs as parameters of kernels: structs of the same members."""

from types import SimpleNamespace

import pytest

MATERIAL = {"stiffness": 0.5, "count": 6}
PARTICLE = {
    "mass": 1.0,
    "pos": [1, 20, 3],
    "layer": {"material": {"stiffness": 3.0, "count": 100}, "depth": 4000.0},
    "shape": {"a": 50_000.0, "m": [[1, 2], [600_000, 4]]},
}
SUM = 1 + 20 + 300 + 4000 + 50_000 + 600_000 + 3 + 7


@pytest.fixture
def module(rt, arch, build_source):
    return rt.load_module(build_source("pack_kernels", arch))


@pytest.fixture
def weigh(module):
    return module.kernels["weigh"]


def test_pack_is_passed(weigh, rt):
    out = rt.zeros(3)
    weigh(7, PARTICLE, MATERIAL, out)
    assert out.to_numpy().tolist() == [SUM] * 3
    weigh(0, SimpleNamespace(**PARTICLE), more=(0, 0), out=out)
    assert out.to_numpy().tolist() == [SUM - 10] * 3


def test_types_are_stated(weigh):
    assert str(weigh.signature.parameters[1]) == (
        "particle: struct(mass: f32, pos: vector(3, f32), layer: struct(material: struct(stiffness: f32, count: i32), "
        "depth: f32), shape: struct(a: f32, m: matrix(2, 2, f32)))"
    )


def test_methods_take_packs(module):
    assert [module.kernels[name](MATERIAL) for name in ("scaled", "product", "of_class")] == [3, 3, 3]

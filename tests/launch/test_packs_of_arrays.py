"""Argument packs with arrays: each member is an argument of the kernel, and a call passes the pack."""

from collections import UserDict
from dataclasses import dataclass
from inspect import signature
from types import SimpleNamespace

import numpy as np
import pytest

import taichi_aot

EDGE = {"material": {"stiffness": 0.5, "count": 2}}
SHAPE = {"a": 0.0, "m": [[1, 2], [100_000, 4]]}
SUM = [1 * 2 + 10 * 3 + 100 * 4 + 1000 * 5 + 8 * 2 + 100_000 + 7, 6 * 2 + 10 * 3 + 100 * 4 + 1000 * 5 + 9 * 2 + 100_007]


@dataclass
class Fluid:
    mass: float
    x: object
    grid: object
    pos: object
    shape: object


@pytest.fixture
def source(arch, build_source):
    return build_source("pack_kernels", arch)


@pytest.fixture
def module(rt, arch, build_source, native):
    return rt.load_module(build_source("pack_kernels", arch, native=native))


@pytest.fixture
def flow(module):
    return module.kernels["flow"]


def members(x, y, grid_x):
    edge = {**EDGE, "y": y}
    return {
        "mass": 2.0,
        "x": x,
        "grid": {"edge": edge, "x": grid_x, "flags": {"up": True, "n": 7}},
        "pos": [1, 2, 5],
        "shape": SHAPE,
    }


@pytest.fixture
def fluid(rt):
    y = rt.asarray(np.float32([[0, 8], [0, 9]]), elem_shape=2)
    return members(rt.asarray(np.float32([1, 6])), y, rt.full(2, 3.0))


@pytest.fixture
def other(rt):
    return {"x": rt.full(1, 4.0)}


def named(value):
    return SimpleNamespace(**{k: named(v) if isinstance(v, dict) else v for k, v in value.items()})


def ordered(value):
    return tuple(ordered(each) if isinstance(each, dict) else each for each in value.values())


@pytest.mark.parametrize(
    "form",
    [dict, UserDict, named, lambda fluid: named({**fluid, "more": 1}), lambda fluid: Fluid(**fluid)],
    ids=["dict", "mapping", "namespace", "more attributes", "dataclass"],
)
def test_pack_is_passed(flow, rt, fluid, other, form):
    out = rt.zeros(2)
    flow(form(fluid), 2, form(other) if form is dict else other, out)
    assert out.to_numpy().tolist() == SUM
    assert fluid["grid"]["x"].to_numpy().tolist() == [-3, -3]


def test_pack_is_passed_in_order(flow, rt, fluid, other):
    out = rt.zeros(2)
    fluid["grid"] = {name: fluid["grid"][name] for name in ("edge", "x", "flags")}
    fluid["grid"]["edge"] = {name: fluid["grid"]["edge"][name] for name in ("y", "material")}
    flow(ordered(fluid), 2, list(other.values()), out=out)
    assert out.to_numpy().tolist() == SUM


def test_kernels_of_packs_with_arrays_return_values(module, rt):
    cells = rt.asarray(np.arange(18, dtype=np.float32).reshape(2, 3, 3), elem_shape=3)
    block = {"cells": cells, "n": 233, "material": {"stiffness": 0, "count": 456}}
    assert list(module.kernels["cell_of"](block)) == [15, 16, 17]
    assert module.kernels["count_of"](block) == 689


def test_arrays_of_numpy_in_packs_are_used_in_place(module, rt, arch):
    if not arch.is_cpu:
        pytest.skip("numpy arrays are in the memory of CPU archs only")
    x, grid_x, out = np.float32([1, 6]), np.full(2, 3, np.float32), np.zeros(2, np.float32)
    fluid = members(x, rt.asarray(np.float32([[0, 8], [0, 9]]), elem_shape=2), grid_x)
    module.kernels["flow"](fluid, 2, {"x": np.float32([4])}, out)
    assert out.tolist() == SUM
    assert grid_x.tolist() == [-3, -3]


def test_types_are_stated(module):
    flow = module.kernels["flow"]
    assert str(flow.signature) == (
        "flow(fluid: argpack(mass: f32, x: ndarray[f32, 1, shape=(n,)], grid: argpack(edge: argpack("
        "y: ndarray[vector(2, f32), 1], material: struct(stiffness: f32, count: i32)), x: ndarray[f32, 1, shape=(n,)], "
        "flags: argpack(up: u1, n: i32)), pos: vector(3, f32), shape: struct(a: f32, m: matrix(2, 2, f32))), n: i32, "
        "other: argpack(x: ndarray[f32, 1]), out: ndarray[f32, 1, shape=(n,)])"
    )
    assert [each.name for each in flow.signature.taken] == ["fluid", "n", "other", "out"]
    names = [each.name for each in flow.signature.parameters]
    assert names[:4] == ["fluid.mass", "fluid.x", "fluid.grid.edge.y", "fluid.grid.edge.material"]
    assert list(signature(flow).parameters) == ["fluid", "n", "other", "out"]


def test_bound_launch_replaces_members(flow, rt, fluid, other):
    out = rt.zeros(2)
    launch = flow.bind(fluid, 2, other, out)
    launch.update(fluid={"mass": 4.0, "grid": {"edge": {"material": {"count": 0}}, "flags": {"n": 8}}})
    launch()
    assert out.to_numpy().tolist() == [SUM[0] + 2 - 16 + 1, SUM[1] + 12 - 18 + 1]
    launch.update(fluid={"grid": {"x": rt.full(2, 0.0)}}, other=SimpleNamespace(x=rt.full(1, 5.0)))
    launch()
    assert out.to_numpy().tolist() == [SUM[0] + 2 - 16 + 1 - 30 + 100, SUM[1] + 12 - 18 + 1 - 30 + 100]
    for wrong, error, message in (
        ({"x": rt.zeros(3)}, ValueError, "n is 2, fluid.x has n=3"),
        ({"grid": {"flags": {"n": 0.5}}}, TypeError, "'fluid.grid.flags.n'"),
        ({"grid": {"z": 1}}, TypeError, "'fluid.grid': .* got 'z'"),
        (SimpleNamespace(mass=1), TypeError, "'fluid': .* got no 'x'"),
    ):
        with pytest.raises(error, match=message):
            launch.update(fluid=wrong)
    with pytest.raises(TypeError, match="has no parameter 'x'; it has 'fluid', 'n', 'other', 'out'"):
        launch.update(x=rt.zeros(2))
    launch.update(fluid=fluid, other=other)
    launch()
    assert out.to_numpy().tolist() == [SUM[0] - 60, SUM[1] - 60]


def test_ramps_step_members(flow, rt, fluid, other):
    out = rt.zeros(2)
    sequence = rt.sequence([flow.bind(fluid, 2, other, out)])
    sequence(2, ramps={"fluid.mass": (2.0, 2.0), (0, "fluid.grid.flags.n"): (6, 1)})
    assert out.to_numpy().tolist() == [SUM[0] + 2 - 60, SUM[1] + 12 - 60]
    scalars = "'fluid.mass', 'fluid.grid.flags.up', 'fluid.grid.flags.n', 'n'"
    for name, ramp, message in (
        ("fluid.x", (0, 1), f"the parameter 'fluid.x' is ndarray.* the scalars are {scalars};"),
        ("fluid.grid.flags.up", (0, 1), "'fluid.grid.flags.up' is u1"),
        ("fluid.mass", (0, "1"), "the ramp of 'fluid.mass': str '1'"),
    ):
        with pytest.raises(TypeError, match=message):
            sequence(2, ramps={name: ramp})


@pytest.mark.parametrize(
    ("path", "value", "error", "message"),
    [
        ("x", 1, TypeError, r"'fluid\.x': expected ndarray\[f32, 1\], got int 1; the order is flow\(fluid, n, other"),
        ("grid.edge.y", np.zeros(2), TypeError, r"'fluid\.grid\.edge\.y': expected ndarray\[vector\(2, f32\), 1\]"),
        ("grid.edge", {}, TypeError, r"'fluid\.grid\.edge': expected argpack\(y: .* got no 'y'"),
        ("grid.flags.n", 0.5, TypeError, r"'fluid\.grid\.flags\.n': expected i32, got float 0.5"),
        ("grid", (1, 2), TypeError, r"'fluid\.grid': expected argpack\(edge: .* got 2 values, not 3"),
        ("grid", 5, TypeError, r"'fluid\.grid': expected argpack\(edge: .* got int 5"),
        ("grid", np.zeros(3), TypeError, r"'fluid\.grid': expected argpack\(edge: .*; the order is flow"),
        ("y", 1, TypeError, r"'fluid': expected argpack\(mass: .* got 'y', which is not a member of it"),
        ("pos", [1, 2], ValueError, r"'fluid\.pos': expected vector\(3, f32\), got shape \(2,\)"),
        ("shape", (1,), TypeError, r"'fluid\.shape': expected struct\(a: f32, .* got 1 value, not 2"),
    ],
)
def test_wrong_member_is_named(flow, rt, fluid, other, path, value, error, message):
    *packs, last = path.split(".")
    inner = fluid
    for pack in packs:
        inner = inner[pack]
    inner[last] = value
    with pytest.raises(error, match=message):
        flow(fluid, 2, other, rt.zeros(2))


def test_call_without_a_pack_is_refused(flow, rt, other):
    with pytest.raises(TypeError, match=r"flow\(\) missing 1 required positional argument: 'fluid'"):
        flow(n=2, other=other, out=rt.zeros(2))


def test_functions_take_packs_of_arrays(source, arch):
    flow = taichi_aot.function(source, "flow", out=["out", "fluid.grid.x"], arch=arch)
    assert repr(flow) == "<Function flow(fluid, n, other, out) -> out, fluid.grid.x>"
    fluid = members(np.float32([1, 6]), np.float32([[0, 8], [0, 9]]), np.float32([3, 3]))
    out, x = flow(fluid, 2, other=(np.float32([4]),))
    assert out.tolist() == SUM
    assert x.tolist() == [-3, -3]
    assert fluid["grid"]["x"].tolist() == [3, 3]
    fluid["grid"]["x"] = "text"
    with pytest.raises(TypeError, match=r"'fluid\.grid\.x'"):
        flow(fluid, 2, (np.float32([4]),))


def test_launches_need_no_library(rt, arch, source):
    recording = rt.load_module(source).kernels["flow"].recording
    assert recording.partition(",")[0] == ("native" if arch.is_llvm else "recorded")


def test_textures_in_packs_are_passed(rt, arch, build_source):
    if arch.is_llvm:
        pytest.skip("Vulkan has textures")
    blend = rt.load_module(build_source("pack_textures", arch)).kernels["blend"]
    assert blend.signature.taken[0].type_name.startswith("argpack(images: argpack(source: texture[2], target: rw_")
    source = rt.image_from(np.arange(16, dtype=np.float32).reshape(4, 4))
    target = rt.allocate_image((4, 4), "r32f")
    blend({"images": {"source": source, "target": target}, "factor": 2.0})
    assert target.to_numpy().tolist() == (2 * source.to_numpy()).tolist()
    with pytest.raises(TypeError, match=r"'p\.images\.source': expected texture"):
        blend(SimpleNamespace(images=(1, target), factor=2.0))

"""Structs as parameters of kernels."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import taichi_aot
from taichi_aot import Arch

BODY = {"mass": 1.0, "pos": [1, 20, 3], "id": 300, "shape": {"a": 4000.0, "m": [[1, 2], [50_000, 4]]}, "kind": 600_000}
WEIGHT = {"factor": 0.5, "count": 6}
SUM = 1 + 20 + 300 + 4000 + 50_000 + 600_000 + 3 + 7


@dataclass
class Weight:
    factor: float
    count: int

    @property
    def product(self):
        return self.factor * self.count


@pytest.fixture
def module(rt, arch, build_source, native):
    return rt.load_module(build_source("struct_kernels", arch, native=native))


@pytest.fixture
def weigh(module):
    return module.kernels["weigh"]


RECORD = np.zeros((), [("count", "i8"), ("unused", "f4"), ("factor", "f8")])[["count", "factor"]]
RECORD["factor"], RECORD["count"] = 0.5, 6
OWN = np.array((0.5, 6), [("factor", "f4"), ("count", "i4")])


@pytest.mark.parametrize(
    "weight",
    [WEIGHT, SimpleNamespace(**WEIGHT, more=1), Weight(0.5, 6), (0.5, 6), [np.float32(0.5), 6], RECORD, OWN, OWN[()]],
    ids=["dict", "namespace", "dataclass", "tuple", "list", "record", "own record", "scalar"],
)
def test_struct_is_passed(weigh, rt, weight):
    out = rt.zeros(3)
    weigh(7, BODY, weight, out)
    assert out.to_numpy().tolist() == [SUM] * 3
    weigh(0, SimpleNamespace(**BODY), w=weight, out=out)
    assert out.to_numpy().tolist() == [SUM - 7] * 3


def test_types_are_stated(weigh):
    assert str(weigh.signature.parameters[1]) == (
        "body: struct(mass: f32, pos: vector(3, f32), id: i32, shape: struct(a: f32, m: matrix(2, 2, f32)), kind: u32)"
    )
    members = weigh.signature.parameters[2].members
    assert [(each.name, each.kind, str(each.dtype)) for each in members] == [
        ("factor", "scalar", "f32"),
        ("count", "scalar", "i32"),
    ]
    assert [each["name"] for each in weigh.signature.parameters[2].to_dict()["members"]] == ["factor", "count"]


def test_bound_launch_replaces_members(weigh, rt):
    out = rt.zeros(1)
    launch = weigh.bind(7, BODY, WEIGHT, out)
    launch.update(body={"mass": 3.0, "shape": {"a": 0}}, w={"count": 10})
    launch()
    assert out.to_numpy().tolist() == [SUM + 2 - 4000 + 2]
    launch.update(body={"shape": {"m": np.zeros((2, 2))}}, w=(1, 1))
    launch()
    assert out.to_numpy().tolist() == [SUM + 2 - 4000 - 50_000 - 2]
    with pytest.raises(TypeError, match="got no 'count'"):  # an object is a whole struct, only a mapping a part
        launch.update(w=SimpleNamespace(factor=1))
    launch.update(body=BODY, w={})
    launch()
    assert out.to_numpy().tolist() == [SUM - 2]


@pytest.mark.parametrize("wide", [True, False], ids=["numpy", "python"])
def test_numbers_of_all_sizes_are_passed(module, rt, wide):
    out = rt.zeros(6, "f64")
    numbers = {"a": -128, "b": 0.5, "c": 65535, "d": 1e-300, "e": -(2**53), "f": 255}
    module.kernels["narrow"]({k: np.float64(v) if wide and k in "bd" else v for k, v in numbers.items()}, out)
    assert out.to_numpy().tolist() == list(map(float, numbers.values()))


def test_large_struct_takes_several_arguments(module, rt):
    out = rt.zeros(2)
    numbers = {"head": 5, "m": np.arange(40).reshape(5, 8), "tail": 0.5}
    expected = 1000 + 2000 + 5.5 + sum(i * i for i in range(40))
    for members in (numbers, tuple(numbers.values()), SimpleNamespace(**numbers)):
        module.kernels["many"](1000.0, members, 2000.0, out)
        assert out.to_numpy().tolist() == [expected] * 2


def test_members_named_like_those_of_a_vector(module, rt):
    out = rt.zeros(1)
    module.kernels["numbered"]((5.0, 3.0), out)
    assert out.to_numpy().tolist() == [2]


def test_struct_is_returned(module):
    result = module.kernels["returned"]({"factor": 1.5, "count": 3})
    assert (float(result["factor"]), int(result["count"])) == (3.0, 4)


def test_struct_is_passed_to_a_real_function(module, arch):
    if not arch.is_llvm:
        pytest.skip("Taichi has no real functions on Vulkan")
    assert module.kernels["summed"](BODY, (True, WEIGHT)) == SUM - 7


SWITCH = np.array((True, OWN), [("on", "?"), ("weight", OWN.dtype)])


@pytest.mark.parametrize(
    "switch",
    [{"on": True, "weight": WEIGHT}, SWITCH, SWITCH[()], (1, Weight(0.5, 6))],
    ids=["dict", "record", "scalar", "tuple"],
)
def test_struct_with_u1_is_passed(module, switch):
    assert module.kernels["switched"](switch) == 38
    launch = module.kernels["switched"].bind(switch)
    launch.update(switch={"weight": {"count": 4}})
    launch()
    assert launch.result() == 27
    launch.update(switch={"on": False})
    launch()
    assert launch.result() == -11


@pytest.mark.parametrize(
    ("weight", "error", "message"),
    [
        ({"factor": 1}, TypeError, "'w': expected struct(factor: f32, count: i32), got no 'count'"),
        ({**WEIGHT, "n": 1}, TypeError, "'w': expected struct(factor: f32, count: i32), got 'n', which is not"),
        ({**WEIGHT, 3: 1}, TypeError, "got 3, which is not a member"),
        ({"factor": "a", "count": 1}, TypeError, "'w.factor': expected f32, got str 'a'"),
        ({"factor": 1, "count": 2.5}, TypeError, "'w.count': expected i32, got float 2.5; write int(w.count)"),
        ({"factor": 1, "count": 2**31}, OverflowError, "'w.count': 2147483648 does not fit i32"),
        ((1,), TypeError, "'w': expected struct(factor: f32, count: i32), got 1 value, not 2"),
        ([1, 2, 3], TypeError, "got 3 values, not 2"),
        (5, TypeError, "'w': expected struct(factor: f32, count: i32), got int 5"),
        (None, TypeError, "got NoneType"),
        ("ab", TypeError, "got str 'ab'"),
        (np.zeros(2), TypeError, "got a numpy array of float64 with shape (2,)"),
        (np.zeros(2, [("factor", "f4"), ("count", "i4")]), TypeError, "got a numpy array of"),
        (np.zeros((), [("factor", "f4"), ("n", "i4")]), TypeError, "'n', which is not a member"),
        (np.ma.zeros((), [("factor", "f4"), ("count", "i4")]), TypeError, "expected struct"),
    ],
)
def test_wrong_struct_is_refused(weigh, rt, weight, error, message):
    out = rt.zeros(1)
    launch = weigh.bind(0, BODY, WEIGHT, out)
    with pytest.raises(error) as raised:
        weigh(0, BODY, weight, out)
    assert message in str(raised.value)
    assert str(raised.value).startswith("weigh() parameter 'w")
    if "got no" not in message:  # an update takes some of the members
        with pytest.raises(error):
            launch.update(w=weight)
    launch()
    assert out.to_numpy().tolist() == [SUM - 7]


def test_wrong_members_of_members_are_refused(weigh, rt):
    out, shape = rt.zeros(1), BODY["shape"]
    for wrong, error, message in (
        ({"a": 1}, TypeError, "'body.shape': expected struct(a: f32, m: matrix(2, 2, f32)), got no 'm'"),
        ({**shape, "m": [1, 2, 3, 4]}, ValueError, "'body.shape.m': expected matrix(2, 2, f32), got shape (4,)"),
        ({**shape, "b": 1}, TypeError, "got 'b', which is not a member of it"),
        (out, TypeError, "'body.shape': expected struct"),
    ):
        with pytest.raises(error) as raised:
            weigh(0, {**BODY, "shape": wrong}, WEIGHT, out)
        assert message in str(raised.value)
    with pytest.raises(ValueError, match=r"'body\.pos': expected vector\(3, f32\), got shape \(2,\)"):
        weigh(0, {**BODY, "pos": [1, 2]}, WEIGHT, out)


def test_member_that_calls_the_kernel_changes_nothing(weigh, rt):
    """Attributes are code of the application."""
    out, other = rt.zeros(1), rt.zeros(1)

    class Busy:
        count = 6

        @property
        def factor(self):
            weigh(0, BODY, (100, 1), other)
            return 0.5

    weigh(7, BODY, Busy(), out)
    assert out.to_numpy().tolist() == [SUM]
    assert other.to_numpy().tolist() == [SUM - 10 + 100]


def test_floats_are_rounded_as_scalars_are(module):
    result = module.kernels["returned"]({"factor": 1e300, "count": 0})
    assert result["factor"] == np.inf


def test_functions_take_structs(arch, build_source):
    weigh = taichi_aot.function(build_source("struct_kernels", arch), "weigh", out="out", arch=arch)
    assert weigh(7, BODY, WEIGHT, out=np.zeros(2, np.float32)).tolist() == [SUM] * 2


def test_launches_need_no_library(rt, arch, build_source):
    recording = rt.load_module(build_source("struct_kernels", arch)).kernels["weigh"].recording
    assert recording.partition(",")[0] == {Arch.X64: "native", Arch.VULKAN: "recorded", Arch.CUDA: "native"}[arch]

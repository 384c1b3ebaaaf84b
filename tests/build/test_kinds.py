"""Every kind of argument, and kernels that are built but cannot be called."""

from pathlib import Path

import numpy as np
import pytest

from taichi_aot.build import build

WIDE = [f"spirv_has_{name}" for name in ("int8", "int16", "int64", "float16", "float64")]


@pytest.fixture(scope="session")
def results():
    return {}


@pytest.fixture
def result(arch, results, tmp_path_factory):
    if arch not in results:
        path = tmp_path_factory.mktemp("kinds") / "kinds.tcm"
        results[arch] = build(
            Path(__file__).with_name("kinds.py"), path, archs=[arch], caps=[] if arch.is_llvm else WIDE
        )
    return results[arch]


@pytest.fixture
def kinds(rt, result):
    return rt.load_module(result.path)


@pytest.mark.slow(but="x64")
def test_build_warns_once_of_each_kind(result, arch):
    warnings = {warning.rpartition(" [")[2]: warning for warning in result.warnings}
    assert list(warnings) == ["shapes]", "gradient]", *([] if arch.is_llvm else ["print]"])]


def test_non_ascii_names_and_return_values_work(kinds, rt):
    out = rt.zeros(3, np.int64)
    kinds.kernels["größe"](faktor_ä=2**40, out=out)
    assert out.to_numpy().tolist() == [0, 2**40, 2**41]
    ints = rt.zeros(1, np.int32)
    number, sample, matrix = kinds.kernels["several_returns"](ints)
    assert (number, sample["weight"], sample["count"]) == (1, 0.5, 3)
    assert matrix.tolist() == [[1, 2], [3, 4]]


def test_arrays_in_packs_are_passed(kinds, rt):
    kernel = kinds.kernels["takes_packs_of_arrays"]
    assert str(kernel.signature) == (
        "takes_packs_of_arrays(n: i32, p: argpack(z: ndarray[i32, 2], inner: argpack(scale: f32, y: ndarray[u32, 1]), "
        "x: ndarray[f32, 1]), out: ndarray[f32, 1], q: argpack(w: ndarray[vector(3, f32), 1]))"
    )
    inner = {"scale": 1.0, "y": rt.full(2, 20, np.uint32)}
    p = {"z": rt.full((2, 2), 300, np.int32), "inner": inner, "x": rt.full(2, 4000.0, np.float32)}
    out = rt.zeros(2, np.float32)
    kernel(1, p, out, (rt.full(2, 50_000.0, np.float32, 3),))
    assert out.to_numpy().tolist() == [54_321] * 2


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_each_name_has_its_own_instance(kinds, rt, dtype):
    names = ["double_f32", "again"] if dtype is np.float32 else ["double_i32"]
    for name in names:
        x = rt.asarray(np.array([1, 2], dtype))
        kinds.kernels[name](x)
        assert x.to_numpy().tolist() == [2, 4]
    if dtype is np.int32:
        kinds.graphs["double_graph"](x=x)
        assert x.to_numpy().tolist() == [4, 8]


def test_kernels_with_the_same_code_keep_their_own_names(kinds, rt):
    """The compiler's cache reuses the first kernel's metadata for the second."""
    forth, back = kinds.kernels["forth"], kinds.kernels["back"]
    assert [p.name for p in forth.signature.parameters] == ["x", "y"]
    assert str(back.signature) == "back(y: ndarray[f32, 1, shape=(n,)], x: ndarray[f32, 1, shape=(n,)])"
    docs = [kernel.__doc__.splitlines()[0] for kernel in (forth, back)]
    assert docs == ["Double x into y.", "Double y into x, with the same code as `forth`."]
    x, y = rt.full(2, 1.0, "f32"), rt.full(2, 5.0, "f32")
    back(x=x, y=y)
    assert (x.to_numpy().tolist(), y.to_numpy().tolist()) == ([10, 10], [5, 5])
    forth(x=x, y=y)
    assert y.to_numpy().tolist() == [20, 20]
    kinds.graphs["there_and_back"](first=x, second=y)
    assert (x.to_numpy().tolist(), y.to_numpy().tolist()) == ([40, 40], [20, 20])
    kinds.kernels["clear"](left=x)
    kinds.kernels["clear_right"](right=y)
    assert not x.to_numpy().any()
    assert not y.to_numpy().any()


def test_textures_are_read_where_supported(kinds, rt, arch):
    if arch.is_llvm:
        assert "fetch_texels" not in kinds.kernels
        return
    image = rt.allocate_image((4, 1), "rgba32f")
    image.write(np.arange(16, dtype=np.float32).reshape(1, 4, 4))
    out = rt.zeros(4, np.float32)
    kinds.kernels["fetch_texels"](image, out)
    assert out.to_numpy().tolist() == [0, 4, 8, 12]

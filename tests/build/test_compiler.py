"""Faults of the compilers that builds avoid."""

import numpy as np
import pytest
from helpers.generated_vectors import arguments_of, run_in_python, source_of_vectors

import taichi_aot
from taichi_aot import Arch, Capability, IncompatibleModuleError, Runtime, inspect
from taichi_aot.build import BuildError, build

ARCHS = ("x64", "vulkan")
PUSH = """
V2 = ti.types.ndarray(ti.types.vector(2, ti.f32), 1)


@export
@ti.kernel
def advance(x: V2, push: V2, moved: F32_1D):
    for i in x:
        place = x[i]
        if place.y < 0:
            place.y = 0.0
        before = place.x
        place = place + push[i]
        moved[i] = place.x - before
"""


@pytest.fixture
def loaded(tmp_path):
    """A function that builds a file and yields its module on each arch."""

    def load(source, **options):
        bundle = build(source, tmp_path / "kernels.tib", archs=ARCHS, ignore=["shapes", "debug"], **options).path
        return [taichi_aot.load(bundle, arch=arch) for arch in ARCHS]

    return load


def called(module, kernel, arguments):
    """Return the arrays of a call, as they are after it."""
    shapes = [{"elem_shape": each.shape[1:]} for each in arguments]
    arrays = [module.runtime.asarray(each, **shape) for each, shape in zip(arguments, shapes, strict=True)]
    module.kernels[kernel](*arrays)
    return [array.to_numpy() for array in arrays]


@pytest.mark.parametrize("debug", [False, True])
def test_copied_elements_of_vectors_do_not_change(source, loaded, debug):
    for module in loaded(source(PUSH), debug=debug):
        x, push = np.ones((5, 2), np.float32), np.full((5, 2), 2, np.float32)
        assert called(module, "advance", [x, push, np.zeros(5, np.float32)])[2].tolist() == [2] * 5


@pytest.mark.parametrize("debug", [False, True])
def test_vectors_have_the_numbers_of_python(tmp_path, loaded, debug):
    numbers = range(40)
    (tmp_path / "vectors.py").write_text(source_of_vectors(numbers))
    wrong = []
    for module in loaded(tmp_path / "vectors.py", debug=debug):
        for number in numbers:
            found, expected = called(module, f"vectors_{number}", arguments_of(number)), arguments_of(number)
            run_in_python(number, *expected)
            if not all(map(np.array_equal, found, expected)):
                wrong.append((str(module.runtime.arch), number))
    assert wrong == []


REAL_FUNCTION = """
@ti.real_func
def write(x: F32_1D, number: ti.f32) -> ti.f32:
    x[0] = number
    return number


@ti.func
def write_twice(x: ti.template()):
    write(x, 1.0)
    write(x, 42.0)


@export
@ti.kernel
def fill(x: F32_1D):
    write_twice(x)
"""


def test_calls_of_real_functions_are_not_left_out(source, tmp_path):
    path = source(REAL_FUNCTION)
    with Runtime("x64") as rt:
        x = rt.zeros(1)
        rt.load_module(build(path, tmp_path / "kernels.tib", archs=["x64"]).path).fill(x)
        assert x.to_numpy().tolist() == [42]
    with pytest.raises(BuildError, match=r"in write_twice\): SPIR-V cannot have write, which is a ti\.real_func"):
        build(path, tmp_path / "kernels.tib", archs=["vulkan"])


ATOMICS = """
@export
@ti.kernel
def total(x: ti.types.ndarray(ti.i64, 1)) -> ti.i64:
    sum = ti.cast(0, ti.i64)
    for i in x:
        sum += x[i]
    return sum
"""


def test_atomics_of_64_bits_need_a_device_that_has_them(source, tmp_path, shared_runtime):
    path = build(source(ATOMICS), tmp_path / "kernels.tib", archs=["vulkan"], caps=["spirv_has_int64"]).path
    assert inspect(path, "vulkan").capabilities == ("spirv_has_atomic_int64", "spirv_has_int64")
    rt = shared_runtime("vulkan")
    assert rt.load_module(path).total(rt.asarray(np.arange(1000))) == 499_500
    with Runtime("vulkan") as other:
        rest = {each: level for each, level in other.capabilities.items() if each != Capability.SPIRV_HAS_ATOMIC_INT64}
        other.set_capabilities(rest)
        with pytest.raises(IncompatibleModuleError, match="the vulkan device lacks: spirv_has_atomic_int64"):
            other.load_module(path)


@pytest.mark.parametrize(("dtype", "bits"), [("u8", 8), ("i16", 16)])
def test_atomics_of_fewer_bits_are_refused(source, tmp_path, dtype, bits):
    path = source(ATOMICS.replace("i64", dtype))
    with pytest.raises(BuildError, match=rf"total \(kernels.py, line 8\) changes numbers of {bits} bits atomically"):
        build(path, tmp_path / "kernels.tib", archs=["vulkan"], caps=["spirv_has_int8", "spirv_has_int16"])


def test_atomics_of_f16_exchange_words(source, tmp_path, shared_runtime):
    path = source(ATOMICS.replace("i64", "f16"))
    caps = ["spirv_has_int16", "spirv_has_float16"]
    result = build(path, tmp_path / "kernels.tib", archs=["vulkan"], caps=caps)
    rt = shared_runtime("vulkan")
    assert rt.load_module(result.path).total(rt.asarray(np.arange(20, dtype=np.float16))) == 190


def test_capabilities_allow_parameters_of_kernels_without_code(source, tmp_path):
    path = source("@export\n@ti.kernel\ndef nothing(x: ti.i64):\n    pass\n")
    with pytest.raises(BuildError, match="parameter x has numbers of i64, which not every vulkan device has"):
        build(path, tmp_path / "kernels.tib", archs=["vulkan"])
    assert build(path, tmp_path / "kernels.tib", archs=["vulkan"], caps=["spirv_has_int64"])


def test_archs_that_may_lack_a_type_are_left_out_unless_they_are_named(source, tmp_path):
    path = source("@export\n@ti.kernel\ndef f(x: ti.types.ndarray(ti.f64, 1)):\n    x[0] = 1\n")
    result = build(path, tmp_path / "kernels.tib")
    assert Arch.X64 in {each.arch for each in result.modules}
    assert result.skipped[Arch.VULKAN] == (
        "kernel f (kernels.py, line 7): parameter x has numbers of f64, which not every vulkan device has; "
        'caps=["spirv_has_float64", "spirv_has_int64"] builds it for devices that have them'
    )
    with pytest.raises(BuildError, match="not every vulkan device has: use ti"):
        build(path, tmp_path / "kernels.tib", archs=ARCHS)

"""Dense fields of every layout and dtype, written by the host and by kernels."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from helpers.archs import ARCHS, require

from taichi_aot import AotModule, Arch, DataType, Field, NameNotFoundError, Runtime

NUMBERED = ("soa", "shifted", "eight", "column", "nested", "beside", "other")
DTYPES = [str(dtype) for dtype in DataType]
Numbers = npt.NDArray[Any]


class Loaded(NamedTuple):
    """The module of ``field_kernels``, and the initial contents of its fields."""

    module: AotModule
    fresh: dict[str, Numbers]


@pytest.fixture(scope="module", params=ARCHS)
def loaded(request, build_source):
    arch = Arch(request.param)
    require(arch)
    with Runtime(arch) as rt:
        module = rt.load_module(build_source("field_kernels", arch))
        yield Loaded(module, {name: field.to_numpy() for name, field in module.fields.items()})


@pytest.fixture
def module(loaded):
    return loaded.module


def numbers_for(field, seed):
    """Return random bit patterns of the field's dtype, without NaN, whose payload may change."""
    shape = field.shape + field.elem_shape
    rng = np.random.default_rng(seed)
    if field.data_type is DataType.U1:
        return rng.random(shape) < 0.5
    data = rng.integers(0, 256, (*shape, field.dtype.itemsize), np.uint8).view(field.dtype).reshape(shape)
    if field.dtype.kind != "f":
        return data
    # CPUs and drivers may flush denormal numbers.
    data[~(np.abs(data) >= np.finfo(field.dtype).tiny)] = -0.0
    return data


def test_fresh_fields_hold_zeros(loaded):
    assert set(loaded.fresh) == set(loaded.module.fields)
    for name, values in loaded.fresh.items():
        field = loaded.module.fields[name]
        assert values.shape == field.shape + field.elem_shape, name
        assert values.dtype == field.dtype, name
        assert not values.any(), name


def test_fields_hold_what_is_written_to_each(module):
    """Write all fields before reading any, which detects fields that share memory."""
    written = {name: numbers_for(field, seed) for seed, (name, field) in enumerate(module.fields.items())}
    for name, data in written.items():
        module.fields[name].write(data)
    for name, data in written.items():
        assert module.fields[name].to_numpy().tobytes() == data.tobytes(), name


def test_every_dtype_has_fields(module):
    skipped = {"u1"} if not module.runtime.arch.is_llvm else set()
    for name in {"u1", "i8", "f16", "f32", "i64"} - skipped:
        assert module.fields[f"vector_{name}"].elem_shape == (2,)
    for name in set(DTYPES) - skipped:
        assert module.fields[f"scalar_{name}"].data_type == DataType[name.upper()]


@pytest.mark.parametrize("name", NUMBERED)
def test_kernels_and_host_see_the_same_elements(module, name):
    field, wrong = module.fields[name], module.runtime.zeros(1, "i32")
    module.kernels[f"number_{name}"]()
    numbers = field.to_numpy()
    assert numbers.ravel().tolist() == list(range(field.size))
    field.fill(0)
    field.write(numbers)
    module.kernels[f"check_{name}"](wrong)
    assert wrong.to_numpy()[0] == 0
    numbers.flat[field.size - 2] += 1
    field.write(numbers)
    module.kernels[f"check_{name}"](wrong)
    assert wrong.to_numpy()[0] == 1


def test_reads_and_writes_keep_the_launch_order(module):
    """Later launches see writes, and reads see earlier launches, without a wait."""
    field = module.fields["scalar_f32"]
    field.fill(1)
    for _ in range(5):
        module.kernels["double"]()
    assert (field.to_numpy() == 32).all()
    field.write(np.full((4, 2), 3, np.int16))
    module.kernels["double"]()
    field.write(field.to_numpy() + 1)
    module.kernels["double"]()
    assert (field.to_numpy() == 14).all()


@pytest.mark.parametrize("name", ["scalar_f64", "vector_i8", "one", "one_vector", "matrix", "particle.state.cell"])
def test_fill_sets_every_element(module, name):
    field = module.fields[name]
    field.fill(3)
    assert (field.to_numpy() == 3).all()


@pytest.mark.parametrize("name", ["vector_f32", "one", "column", "particle.position"])
def test_arrays_are_copied_on_the_device(module, name):
    field, rt = module.fields[name], module.runtime
    data = numbers_for(field, 7)
    field.copy_from(rt.asarray(data, elem_shape=field.elem_shape))
    target = rt.zeros(field.shape, field.dtype, field.elem_shape)
    field.copy_to(target)
    assert target.to_numpy().tobytes() == data.tobytes()


def test_copies_check_the_array(module):
    field, rt = module.fields["vector_f32"], module.runtime
    with pytest.raises(TypeError, match=r"not a numpy array of float32 .*; write\(\) and to_numpy\(\) copy"):
        field.copy_to(np.zeros((4, 2, 2), np.float32))
    for array in (rt.zeros((4, 2), "f64", 2), rt.zeros((4, 2, 2), "f32"), rt.zeros((4, 2), "f32", 3)):
        with pytest.raises(TypeError, match="cannot copy between <Field vector_f32"):
            field.copy_from(array)
    with pytest.raises(ValueError, match="cannot copy between <Field vector_f32"):
        field.copy_to(rt.zeros((2, 4), "f32", 2))


def test_messages_about_arrays_name_the_method(module):
    """The messages once named the hidden kernel that copies the field."""
    field, rt = module.fields["vector_f32"], module.runtime
    with Runtime(rt.arch) as other:
        foreign = other.zeros((4, 2), "f32", 2)
        with pytest.raises(
            ValueError, match=r"^vector_f32.copy_from\(\) parameter 'source': <NdArray .*> belongs to another runtime"
        ):
            field.copy_from(foreign)
        with pytest.raises(ValueError, match=r"^vector_f32.copy_to\(\) parameter 'target': .* another runtime"):
            field.copy_to(foreign)
    closed = rt.zeros((4, 2), "f32", 2)
    closed.close()
    with pytest.raises(ValueError, match=r"^vector_f32.copy_to\(\) parameter 'target': the array is closed"):
        field.copy_to(closed)


def test_fill_takes_one_number_or_element(module):
    with pytest.raises(TypeError, match=r"^value: expected a number to fill <Field vector_f32.*> with, not list"):
        module.fields["vector_f32"].fill([1.0, 2.0, 3.0])


def test_lines_of_taichi_stay(module):
    """Write and read fields as a program of Taichi does."""
    one, line, matrix, particle = (module.fields[name] for name in ("one", "scalar_f32", "matrix", "particle.position"))
    one[None] = 3
    one[None] += 1
    assert one[None] == one[()] == 4
    line.from_numpy(np.arange(line.size).reshape(line.shape))
    last = tuple(size - 1 for size in line.shape)
    line[last] = -0.5
    assert (line[last], line[(0,) * line.ndim], line.to_numpy().ravel()[-1]) == (-0.5, 0, -0.5)
    matrix[3] = [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert (matrix[3] == np.arange(1, 9).reshape(2, 4)).all()
    with pytest.raises(ValueError, match="read-only"):
        matrix[3][0, 0] = 1
    particle.fill(range(particle.elem_shape[0]))
    assert (particle.to_numpy() == np.arange(particle.elem_shape[0])).all()
    particle.copy_from(particle)
    struct = module.fields.particle
    assert struct.shape == particle.shape
    with pytest.raises(
        KeyError, match=r"'particle' is a struct field: write fields\.particle, or .*particle\.position"
    ):
        _ = module.fields["particle"]
    struct.fill(2)
    struct.from_numpy({"position": particle.to_numpy() + 1, "state": struct.state.to_numpy()})
    assert (particle.to_numpy() == 3).all()
    size = len(particle)
    struct[size - 1] = {"position": range(particle.elem_shape[0]), "state": struct[0].state}
    assert struct[size - 1].position.tolist() == [*range(particle.elem_shape[0])]
    assert struct[size - 1].state == struct.to_numpy()["state"][0]
    struct[0] = struct[size - 1]
    struct.copy_from(struct)
    assert struct.to_numpy()[0] == struct.to_numpy()[size - 1] != struct.to_numpy()[1]
    with pytest.raises(ValueError, match="read-only"):
        struct[0].position[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        struct[0].state.mass = 1
    with pytest.raises(TypeError, match=r"particle\.state\.\w+: .* has no such member"):
        struct[0] = {"position": struct[0].position}
    with pytest.raises(TypeError, match="cannot copy"):
        struct.copy_from(struct.state)


def test_wrong_indices_are_refused(module):
    field = module.fields["matrix"]
    for key in (None, (0, 1), slice(2), 0.5, ...):
        with pytest.raises(
            TypeError, match=r"^<Field matrix: .*> cannot be indexed by .*to_numpy\(\), a copy to change"
        ):
            field[key] = 1
    for key in (-1, 8):
        with pytest.raises(IndexError, match=rf"^index {key} is outside <Field matrix"):
            _ = field[key]
    with pytest.raises(TypeError, match="array of float64 to i16"):
        module.fields["scalar_i16"].from_numpy(np.ones(module.fields["scalar_i16"].shape))
    with pytest.raises(AttributeError, match=r"Field has no attribute 'grad'; .*export_field\('x_grad', x.grad\)"):
        _ = field.grad
    with pytest.raises(TypeError, match="not iterable"):
        iter(field)
    assert np.array(field).tolist() == field.to_numpy().tolist()


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("fields.vector_f32 = a", "vector_f32"),
        ("fields['vector_f32'] = a", "vector_f32"),
        ("fields.particle.position = a", "particle.position"),
        ("fields.particle = a", "particle"),
        ("module.vector_f32 = a", "vector_f32"),
    ],
)
def test_fields_cannot_be_replaced(module, statement, name):
    remedy = f"; module.fields.{name}.write(...) copies numbers into it"
    with pytest.raises(
        (AttributeError, TypeError), match=re.escape(f"{name!r} of a module cannot be replaced{remedy}")
    ):
        exec(statement, {"module": module, "fields": module.fields, "a": np.zeros(3)})


def test_properties_describe_the_field(module):
    field = module.fields["matrix"]
    assert (field.name, field.shape, field.elem_shape, field.ndim, len(field)) == ("matrix", (8,), (2, 4), 1, 8)
    assert (field.dtype, field.data_type, field.size) == (np.dtype(np.float16), DataType.F16, 64)
    assert field.runtime is module.runtime
    assert repr(field) == f"<Field matrix: field[matrix(2, 4, f16), (8,)] on {module.runtime.arch}>"
    assert module.fields["matrix"] is field
    with pytest.raises(TypeError, match="0-dimensional"):
        len(module.fields["one"])
    with pytest.raises(TypeError, match="created by its module"):
        Field()


def test_fields_are_attributes(module):
    assert module.fields.one is module.fields["one"]
    assert module.fields.particle.state.mass is module.fields["particle.state.mass"]
    assert {"position", "state", "to_numpy", "write"} < set(dir(module.fields.particle))
    assert repr(module.fields.particle) == "<members of field particle: position, state>"
    assert repr(module.fields.particle.state).startswith("<members of field particle.state: ")
    assert {"one", "particle", "get"} <= set(dir(module.fields))
    with pytest.raises(AttributeError, match=r"no field 'oen'.*did you mean 'one'"):
        _ = module.fields.oen
    with pytest.raises(AttributeError, match=r"no field 'particle.state.weight'"):
        _ = module.fields.particle.state.weight
    with pytest.raises(
        NameNotFoundError, match=r"'particle' is a struct field: write fields\.particle, or .*'particle\.position'"
    ):
        module.fields["particle"]


def test_structs_are_copied_as_structured_arrays(module):
    particle = module.fields.particle
    shape, position = module.fields["particle.position"].shape, module.fields["particle.position"]
    array = particle.to_numpy()
    assert array.shape == shape
    assert array.dtype["position"] == np.dtype((position.dtype, position.elem_shape))
    assert array.dtype["state"].names == ("mass", "cell")
    array["position"] = np.arange(array["position"].size).reshape(array["position"].shape)
    array["state"]["mass"] = np.arange(array.size).reshape(shape) % 5
    particle.write(array)
    assert (position.to_numpy() == array["position"]).all()
    assert (particle.state.mass.to_numpy() == array["state"]["mass"]).all()
    assert particle.to_numpy().tobytes() == array.tobytes()
    assert (particle.state.to_numpy() == array["state"]).all()
    particle.write({"position": 0 * array["position"], "state": array["state"]})
    assert not position.to_numpy().any()
    for wrong in ({"position": array["position"]}, array[["position"]], np.zeros(shape)):
        with pytest.raises(TypeError, match=r"^particle\.\w+(\.\w+)?: .* has no such member"):
            particle.write(wrong)


def test_gradients_are_fields(module):
    module.fields["derived"].fill(1)
    module.fields["derived_grad"].fill(2)
    assert module.fields["derived"].to_numpy().tolist() == [1] * 4


def test_accessors_are_hidden(module):
    assert not [name for name in module.kernels if name.startswith("taichi_aot_")]
    assert {"taichi_aot_get_one", "taichi_aot_set_particle.position"} <= set(module.info.all_kernels)


def test_numpy_takes_a_copy(module):
    field = module.fields["scalar_i16"]
    field.fill(-3)
    assert np.asarray(field).dtype == np.int16
    assert np.asarray(field, np.float32).sum() == -24
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        with pytest.raises(ValueError, match="without a copy"):
            np.asarray(field, copy=False)


def test_to_numpy_fills_a_given_array(module):
    field = module.fields["scalar_i16"]
    field.fill(5)
    out = np.zeros((4, 2), np.int16)
    assert field.to_numpy(out) is out
    assert (out == 5).all()
    with pytest.raises(TypeError, match="expected a numpy array of int16, got an array of int32"):
        field.to_numpy(np.zeros((4, 2), np.int32))
    with pytest.raises(ValueError, match=r"out must be of shape \(4, 2\)"):
        field.to_numpy(np.zeros((2, 4), np.int16))
    with pytest.raises(ValueError, match="writable"):
        field.to_numpy(np.zeros((4, 4), np.int16)[:, ::2])


def test_wrong_values_change_nothing(module):
    field = module.fields["scalar_i16"]
    field.fill(9)
    with pytest.raises(ValueError, match=r"cannot write an array of shape \(2, 4\) to <Field scalar_i16"):
        field.write(np.zeros((2, 4), np.int16))
    with pytest.raises(TypeError, match="float"):
        field.write(np.zeros((4, 2)))
    with pytest.raises(OverflowError):
        field.write([[1 << 15] * 2] * 4)
    with pytest.raises(OverflowError):
        field.fill(1 << 15)
    with pytest.raises(TypeError):
        field.fill([1, 2])
    with pytest.raises(TypeError, match="masked"):
        field.write(np.ma.masked_array(np.zeros((4, 2), np.int16)))
    assert (field.to_numpy() == 9).all()

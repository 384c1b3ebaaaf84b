"""Sparse and quantized fields, and fields in several trees, which only LLVM archs support."""

import json

import numpy as np
import pytest
from helpers.archs import ARCHS, HAS_TAICHI, require
from helpers.child import TESTS, run_child

from taichi_aot import Arch, NotSupportedError, Runtime

MOST_LOADS = 3  # on CUDA, where the library keeps the memory of sparse fields until the process ends, and has 1 GB
loads_on_cuda = []


@pytest.fixture(params=[name for name in ARCHS if Arch(name).is_llvm])
def module(request, build_source):
    arch = Arch(request.param)
    require(arch)
    if arch is Arch.CUDA:
        loads_on_cuda.append(None)
        if len(loads_on_cuda) > MOST_LOADS:
            pytest.skip("the library's memory on CUDA is used up")
    with Runtime(arch) as rt:
        yield rt.load_module(build_source("sparse_kernels", arch))


def cells(module):
    """Count the cells of ``pointer``, ``bitmasked`` and ``bitmasked_u1``, and the items of each list of ``dynamic``."""
    counts = module.runtime.zeros(6, "i32")
    module.kernels["count_cells"](counts)
    numbers = counts.to_numpy().tolist()
    return numbers


def whole(module):
    """Return the fields that are copied to arrays."""
    return {name: field for name, field in module.fields.items() if name != "hollow"}


def numbered(field):
    """Return the numbers 1, 2, 3, ... in the shape of a field."""
    return np.arange(1, field.size + 1, dtype=field.dtype).reshape(field.shape + field.elem_shape)


def test_reading_creates_no_cells(module):
    assert [name for name, field in whole(module).items() if field.to_numpy().any()] == []
    assert cells(module) == [0] * 6


@pytest.mark.slow
def test_zeros_create_no_cells(module):
    for field in whole(module).values():
        field.fill(0)
    assert cells(module) == [0] * 6


def test_written_numbers_create_their_cells(module):
    pointer, dynamic = np.zeros((8, 8), np.float32), np.zeros((3, 16), np.int32)
    pointer[0, 7], pointer[5, 2] = 3, -0.0
    dynamic[1, 4] = 6
    bitmasked = np.zeros((16, 3), np.int16)
    bitmasked[[2, 3, 9], [0, 1, 2]] = -5
    module.fields["pointer"].write(pointer)
    module.fields["dynamic"].write(dynamic)
    module.fields["bitmasked"].write(bitmasked)
    module.fields["bitmasked_u1"].write(np.arange(16) % 3 == 0)
    assert cells(module) == [2 * 4, 3, 6, 0, 5, 0]
    assert module.fields["pointer"].to_numpy().tobytes() == pointer.tobytes()
    assert module.fields["dynamic"].to_numpy().tobytes() == dynamic.tobytes()
    assert module.fields["bitmasked"].to_numpy().tobytes() == bitmasked.tobytes()
    assert module.fields["bitmasked_u1"].to_numpy().tolist() == (np.arange(16) % 3 == 0).tolist()


@pytest.mark.slow
def test_zeros_overwrite_numbers(module):
    for field in whole(module).values():
        field.fill(1)
        assert (field.to_numpy() == 1).all(), field
        field.fill(0)
        assert not field.to_numpy().any(), field


def test_cells_that_kernels_create_are_read(module):
    module.kernels["activate"]()
    assert module.fields["dynamic"].to_numpy().sum(1).tolist() == [0, 10 + 11, 20 + 21 + 22 + 23]
    assert module.fields["pointer"].to_numpy()[0, 7] == 3
    assert module.fields["pointer"].to_numpy().sum() == 3
    assert module.fields["later"].to_numpy().tolist() == [0, 0, 0, 0, 0, 5]


@pytest.fixture(scope="session")
def numbers_of_jit():
    """Contents of the deactivated fields after each kernel in Taichi's own runtime."""
    if not HAS_TAICHI:
        pytest.skip("needs taichi")
    done = run_child(TESTS / "helpers" / "run_sparse.py")
    numbers = json.loads(done.stdout.splitlines()[-1])
    return numbers


def test_deactivated_cells_read_as_in_the_jit(module, numbers_of_jit):
    """A bitmasked cell keeps its contents, which reappear when a kernel writes to one of its elements."""
    for kernel, numbers in numbers_of_jit.items():
        module.kernels[kernel]()
        for name, expected in numbers.items():
            assert module.fields[name].to_numpy().ravel().tolist() == expected, (kernel, name)


def test_fields_with_deactivated_cells_hold_what_is_written(module, numbers_of_jit):
    """Write all old numbers, or every second one; the others must not reappear."""
    fields = {name: module.fields[name] for name in numbers_of_jit["deactivate"]}
    for step in (1, 2):
        for field in fields.values():
            field.write(numbered(field))
        module.kernels["deactivate"]()
        for name, field in fields.items():
            data = np.where(numbered(field) % step == 0, numbered(field), 0).astype(field.dtype)
            field.write(data)
            assert field.to_numpy().tolist() == data.tolist(), (step, name)


def test_zeros_create_no_deactivated_cells(module):
    field = module.fields["bitmasked_u1"]
    field.fill(1)
    module.kernels["deactivate_bits"]()
    assert cells(module)[2] == 12
    field.fill(0)
    assert cells(module)[2] == 12
    field.fill(1)
    assert cells(module)[2] == 16


def test_quantized_fields_hold_what_is_written(module):
    """Quantized fields are read and written in their compute type; these numbers are exact."""
    fields = module.fields
    values = {
        "quant_int": np.array([-16, -1, 0, 1, 15, 7, -8]),
        "quant_uint": np.array([0, 1, 2, 3, 5, 6, 7], np.uint32),
        "quant_fixed": np.array([-2, -0.5, 0, 0.00390625, 1.5, 1, 0.25]),
        "quant_float": np.array([-3, 0.5, 0, 100, 0.125, 1, -0.75]),
        "quant_array": np.arange(24) % 32 - 16,
        "quant_sparse": np.arange(16) * 16 - 128,
    }
    for name, data in values.items():
        fields[name].write(data.astype(fields[name].dtype))
    for name, data in values.items():
        assert fields[name].to_numpy().tolist() == data.tolist(), name
    assert [str(fields[name].data_type) for name in values] == ["i32", "u32", "f32", "f32", "i32", "i32"]


LOOPED = (
    "pointer",
    "bitmasked",
    "bitmasked_u1",
    "quant_sparse",
    "pointers",
    "masks",
    "mask",
    "quant_mask",
    "packed_mask",
)
READ_WHOLE = ("dynamic", "apart", "masked_list", "list", "quant_int", "quant_array", "later")


def listed(field):
    """Return what `to_sparse` should return, by the copy of the whole field."""
    array = field.to_numpy()
    found = array.astype(bool).reshape(*field.shape, -1).any(-1)
    return np.argwhere(found).tolist(), array[found].tolist()


def test_elements_are_listed_in_order(module):
    assert {field.name for field in module.info.fields if field.gather} == {*LOOPED, "hollow"}
    module.kernels["number_some"]()
    module.kernels["activate"]()
    for name in (*LOOPED, *READ_WHOLE):
        indices, values = module.fields[name].to_sparse()
        assert (indices.dtype, values.dtype) == (np.int32, module.fields[name].dtype)
        assert (indices.tolist(), values.tolist()) == listed(module.fields[name]), name
    module.kernels["deactivate"]()
    for name in ("pointers", "masks", "mask", "quant_mask", "list"):
        indices, values = module.fields[name].to_sparse()
        assert (indices.tolist(), values.tolist()) == listed(module.fields[name]), name


def test_elements_are_written(module):
    for name in (*LOOPED, *READ_WHOLE):
        field = module.fields[name]
        places = np.array(list(np.ndindex(*field.shape)))[1::2]
        values = np.ones((len(places), *field.elem_shape), field.dtype)
        field.write_sparse(places, values)
        assert field.to_sparse()[0].tolist() == places.tolist(), name
        field.write_sparse(places[::2], np.zeros_like(values[::2]))
        assert (field.to_sparse()[0].tolist(), field.to_sparse()[1].tolist()) == listed(field), name
        assert field.to_sparse()[0].tolist() == places[1::2].tolist(), name


def test_first_written_elements_create_their_cells_alone(module):
    module.fields["pointer"].write_sparse([[0, 7], [5, 2]], [3.0, 4.0])
    assert cells(module)[0] == 2 * 4
    assert [each.tolist() for each in module.fields["pointer"].to_sparse()] == [[[0, 7], [5, 2]], [3, 4]]


def test_field_too_large_for_an_array_is_listed(module):
    hollow = module.fields["hollow"]
    assert (hollow.shape, hollow.size) == ((1 << 18, 1 << 18), 1 << 36)
    assert [each.size for each in hollow.to_sparse()] == [0, 0]
    rng = np.random.default_rng(1)
    places = np.unique(rng.integers(0, 1 << 18, (3000, 2)) & ~0xFFF | rng.integers(0, 16, (3000, 2)), axis=0)
    values = np.arange(1, len(places) + 1, dtype=np.int32)
    order = rng.permutation(len(places))
    hollow.write_sparse(places[order], values[order])
    indices, found = hollow.to_sparse()
    assert (indices == places).all()
    assert (found == values).all()
    for use in (hollow.to_numpy, lambda: hollow.fill(1), lambda: hollow.copy_to(module.runtime.zeros(1))):
        with pytest.raises(NotSupportedError, match="too large for an array: to_sparse"):
            use()


WRONG_ELEMENTS = [
    ([[0, 8]], [1.0], IndexError, r"index \[0, 8\] is outside <Field pointer"),
    ([[-1, 0]], [1.0], IndexError, r"index \[-1, 0\] is outside"),
    ([[2**40, 0]], [1.0], IndexError, "is outside"),
    ([[0.5, 0]], [1.0], TypeError, "indices"),
    ([0, 0], [1.0], ValueError, r"indices: expected the shape \(n, 2\), got \(2,\)"),
    ([[0, 0]], [1.0, 2.0], ValueError, r"values: expected the shape \(1,\), got \(2,\)"),
    ([[0, 0]], ["a"], TypeError, "values"),
]


def test_wrong_elements_are_refused(module):
    for indices, values, error, message in WRONG_ELEMENTS:
        with pytest.raises(error, match=message):
            module.fields["pointer"].write_sparse(indices, values)
    assert cells(module)[0] == 0

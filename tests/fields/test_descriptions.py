"""Descriptions with a wrong field shape are harmless; LLVM modules cannot detect them."""

import numpy as np
import pytest
from helpers.archives import with_other_field
from helpers.archs import require
from helpers.child import run_in_child

from taichi_aot import Runtime

SHAPES = [(4, 3), (3, 4), (1, 1), (0, 4), (5, 4), (4, 1000)]  # the actual shape is (4, 4)


def use_a_field_of_another_shape(source, shape):
    """Use a field whose description states a wrong shape: the common part is copied, and nothing outside the array."""
    with Runtime("x64") as rt:
        v = rt.load_module(source).fields["v"]
        assert v.shape == shape
        around = [rt.full(v.shape, 7, "f32", 3) for _ in range(20)]
        array = rt.zeros(v.shape, "f32", 3)
        data = np.arange(np.prod((*v.shape, 3)), dtype=np.float32).reshape(*v.shape, 3)
        v.write(data)
        v.copy_to(array)
        inside = tuple(slice(0, 4) for _ in v.shape)
        np.testing.assert_array_equal(array.to_numpy()[inside], data[inside])
        assert all((other.to_numpy() == 7).all() for other in around)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_wrong_shape_of_a_field_is_harmless(build_source, tmp_path, shape):
    require("x64")  # gfx modules state shapes themselves
    path = tmp_path / "wrong.tcm"
    path.write_bytes(with_other_field(build_source("simulation", "x64"), shape=shape))
    run_in_child(use_a_field_of_another_shape, path, shape)

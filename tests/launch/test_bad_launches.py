"""Bad launches raise. Each runs in a child process, because the library crashes, hangs or corrupts memory on it."""

import pytest
from helpers.child import run_scenario


@pytest.mark.parametrize(
    "scenario",
    [
        "fewer_arguments",
        "more_arguments",
        "scalar_for_an_ndarray",
        "matrix_for_an_ndarray",
        "ndarray_for_a_scalar",
        "ndarray_for_a_matrix",
        "float_for_an_integer",
        "array_of_another_runtime",
        "thirteen_dimensions",
        "product_over_2_to_31",
        "closed_array",
        "closed_memory",
        "closed_runtime",
        "closed_module",
        "missing_name",
        "impossible_sizes",
        "map_without_host_flags",
        "map_after_close",
        "close_while_mapped",
    ],
)
def test_misuse_raises(arch, modules, scenario):
    run_scenario(f"launches:{scenario}", arch, modules)


@pytest.mark.parametrize("kind", ["more dimensions", "fewer dimensions", "dtype", "element shape"])
def test_wrong_array_is_a_type_error(arch, modules, kind):
    run_scenario("launches:wrong_array", arch, modules, kind)


@pytest.mark.parametrize(
    "scenario",
    [
        "empty_arrays",
        "close_twice",
        "map_twice",
        "close_the_runtime_while_mapped",
        "change_arguments_after_the_launch",
        "write_after_the_launch",
    ],
)
def test_valid_use_works(arch, modules, scenario):
    run_scenario(f"launches:{scenario}", arch, modules)

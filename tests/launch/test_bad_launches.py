"""Bad launches raise. They run in a child process, because the library crashes, hangs or corrupts memory on them."""

from helpers.child import run_scenario

MISUSE = (
    "fewer_arguments",
    "more_arguments",
    "scalar_for_an_ndarray",
    "matrix_for_an_ndarray",
    "ndarray_for_a_scalar",
    "ndarray_for_a_matrix",
    "float_for_an_integer",
    "array_of_more_dimensions",
    "array_of_fewer_dimensions",
    "array_of_another_dtype",
    "array_of_another_element_shape",
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
)
VALID_USE = (
    "empty_arrays",
    "close_twice",
    "map_twice",
    "close_the_runtime_while_mapped",
    "change_arguments_after_the_launch",
    "write_after_the_launch",
)


def test_misuse_raises(arch, modules):
    run_scenario("launches:run", arch, modules, *MISUSE)


def test_valid_use_works(arch, modules):
    run_scenario("launches:run", arch, modules, *VALID_USE)

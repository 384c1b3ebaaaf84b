"""Fields in random layouts: host and kernels number the elements in the same order."""

import pytest
from helpers.field_layouts import layout_source


@pytest.mark.slow(but="vulkan-0")
@pytest.mark.parametrize("seed", range(2))
def test_random_layouts_keep_the_element_order(arch, rt, build_source, tmp_path, seed):
    source = tmp_path / "layouts.py"
    source.write_text(layout_source(seed, sparse=arch.is_llvm))
    module = rt.load_module(build_source(source, arch))
    assert len(module.fields) > 5
    for name, field in module.fields.items():
        module.kernels[f"number_{name}"]()
        assert field.to_numpy().ravel().tolist() == list(range(field.size)), (name, field)
    for seed, field in enumerate(module.fields.values()):  # no two share memory
        field.fill(seed + 1)
    for seed, field in enumerate(module.fields.values()):
        assert (field.to_numpy() == seed + 1).all(), field

"""Fields of closed, reopened and parallel modules and runtimes.

These tests need their own file: on CUDA, a process can use only one module with fields at a time.
"""

import numpy as np
import pytest

from taichi_aot import Arch, IncompatibleModuleError, NameNotFoundError, NotSupportedError, Runtime, capi


@pytest.fixture
def simulation(arch, rt, build_source):
    return rt.load_module(build_source("simulation", arch))


def test_closed_module_closes_its_fields(simulation):
    field = simulation.fields["v"]
    simulation.close()
    assert field.closed
    assert repr(field).startswith("<closed Field v")
    array = simulation.runtime.zeros((4, 4), "f32", 3)
    for use in (
        field.to_numpy,
        lambda: field.write(np.zeros((4, 4, 3), np.float32)),
        lambda: field.fill(1),
        lambda: field.copy_to(array),
        lambda: field.copy_from(array),
    ):
        with pytest.raises(ValueError, match="the module is closed"):
            use()
    with pytest.raises(ValueError, match="the module is closed"):
        simulation.fields["steps"]


def test_contents_stay_with_the_runtime(simulation, arch, build_source):
    """The library reuses its module, and with it the fields."""
    simulation.fields["steps"].fill(7)
    simulation.close()
    again = simulation.runtime.load_module(build_source("simulation", arch))
    assert again.fields["steps"].to_numpy() == 7


def test_closed_runtime_closes_its_fields(arch, build_source):
    with Runtime(arch) as rt:
        field = rt.load_module(build_source("simulation", arch)).fields["v"]
    with pytest.raises(ValueError, match="closed"):
        field.to_numpy()


def test_runtimes_have_their_own_fields(simulation, arch, build_source):
    if arch is Arch.CUDA:
        pytest.skip("all CUDA runtimes of a process share one of the library")
    with Runtime(arch) as other:
        steps = other.load_module(build_source("simulation", arch)).fields["steps"]
        steps.fill(5)
        assert simulation.fields["steps"].to_numpy() == 0
        array = other.zeros((4, 4), "f32", 3)
        with pytest.raises(ValueError, match="runtime"):
            simulation.fields["v"].copy_to(array)


def test_fields_without_accessors_are_not_supported(arch, rt, modules):
    """Only kernels can use the fields of a module made by ``taichi.aot.Module``."""
    module = rt.load_module(modules / "fields.tcm")
    assert len(module.fields) == 0
    name = module.info.fields[0].name
    assert name not in module.fields
    with pytest.raises(NotSupportedError, match=f"field '{name}' has no accessors"):
        module.fields[name]
    with pytest.raises(NameNotFoundError, match="no field 'other', it has none"):
        module.fields["other"]


def test_module_says_where_a_field_is(simulation):
    name = next(name for name in simulation.fields if name.isidentifier())
    with pytest.raises(AttributeError, match=rf"it is a field, module\.fields\['{name}'\]"):
        getattr(simulation, name)
    with pytest.raises(NameNotFoundError, match=rf"it is a field, module\.fields\['{name}'\]"):
        simulation.kernels[name]


@pytest.mark.usefixtures("c_library")
def test_module_with_fields_must_be_the_first(arch, rt, modules, build_source):
    """In SPIR-V all kernels use the fields of the first module, even if it was destroyed."""
    if arch.is_llvm:
        pytest.skip("each LLVM module has fields of its own")
    capi.destroy_aot_module(capi.load_aot_module(rt.handle, str(modules / "basic.tcm")))
    with pytest.raises(IncompatibleModuleError, match="has fields: load it first"):
        rt.load_module(build_source("simulation", arch))

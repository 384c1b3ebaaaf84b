"""After Ctrl-C at any bytecode, an operation has done nothing or noted what it did."""

import pytest
from helpers.child import run_scenario

from taichi_aot import Arch

# Slow operations are interrupted at this many of their bytecodes, evenly spaced.
HEAVY = {"load_module": 200, "module.close": 200, "runtime": 60, "module of a new runtime": 20, "load": 20}
HEAVY_ON_VULKAN = {"import_runtime": 40, "create_runtime": 40}


ON_VULKAN = ("images", *HEAVY_ON_VULKAN)


@pytest.mark.slow(but=("x64*", "vulkan-images"))
@pytest.mark.scaled
@pytest.mark.parametrize("which", ["light", *HEAVY, *ON_VULKAN])
def test_interrupted_call_is_noted_or_undone(arch, modules, which, scaled):
    if which in ON_VULKAN and arch is not Arch.VULKAN:
        pytest.skip("only Vulkan supports interop and images")
    whole = (HEAVY | HEAVY_ON_VULKAN).get(which, 5000)
    at_most = scaled(min(6, whole), whole)
    name = "interruption:interrupt_at_each_bytecode"
    run_scenario(name, arch, modules / "basic.tcm", which, at_most, timeout=6000)


@pytest.mark.slow(but="vulkan")
@pytest.mark.scaled
def test_interrupted_update_keeps_its_arrays_alive(arch, modules, scaled):
    run_scenario("interruption:interrupt_an_update", arch, modules / "basic.tcm", scaled(50, 1000))


@pytest.mark.slow(but="vulkan")
@pytest.mark.scaled
def test_interrupted_finalizer_leaves_nothing_behind(arch, modules, scaled):
    run_scenario("interruption:interrupt_finalizers", arch, modules / "basic.tcm", scaled(50, 1000))

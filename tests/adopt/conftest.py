"""Plans of the same kernels for CUDA and for Vulkan, made without a device."""

import sys

import pytest
from helpers.archs import needs_taichi
from helpers.carry import add_ptx
from helpers.compile_planned import compile_planned
from helpers.generated import draw, write_models
from helpers.plans import code_plans, lowered, parsed, plans_of

GENERATED = range(24)  # kernels for CUDA; every arch accepts them, but for sparse fields


def pytest_collection_modifyitems(items):
    on_linux = pytest.mark.skipif(sys.platform != "linux", reason="compiles for CUDA, on Linux only")
    for item in items:
        if item.path.name in ("test_layouts.py", "test_lengths.py"):
            item.add_marker(needs_taichi)
            item.add_marker(on_linux)


@pytest.fixture(scope="session")
def generated(made_once):
    """A function that compiles the module of generated kernels for an arch."""

    def compile_for(arch):
        def compile_into(folder):
            models = draw("cuda", GENERATED)
            write_models(folder, [model for model in models if model.field is None or model.field.node == "dense"])
            compile_planned(arch, "compile_generated.py", folder, "compile-only")
            if arch == "cuda":
                add_ptx(folder / "module.tcm")

        return made_once.folder(f"planned-{arch}", compile_into) / "module.tcm"

    return compile_for


@pytest.fixture
def planned(build_source, generated):
    """A function that returns the kernels of a source for an arch, their plans, and Taichi's own files."""

    def plan(source, arch):
        path = generated(arch) if source == "generated" else build_source(source, arch)
        module = parsed(path)
        plans = plans_of(lowered(path)) if arch == "vulkan" else code_plans(path)
        return module.info.all_kernels, plans, module.files

    return plan

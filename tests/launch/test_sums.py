"""Sums on Vulkan: the same numbers as on the CPU, the same bits in every run, and valid code."""

import shutil
import subprocess
import zipfile
from io import BytesIO

import numpy as np
import pytest
from helpers.archs import needs_taichi
from helpers.carry import WIDE_TYPES
from helpers.drawn_sums import LENGTHS, LONG, arguments_of, draw_sum, source_of_sums

from taichi_aot.build import build

pytestmark = needs_taichi

TOGETHER = 20  # kernels of a source


@pytest.fixture(params=["x64", "vulkan"])
def arch(request):
    return request.param


def shaders_of(path):
    """Return the code of a module for Vulkan that is launched, by name."""
    with zipfile.ZipFile(path) as bundle:
        module = zipfile.ZipFile(BytesIO(bundle.read("vulkan.tcm")))
        names = [name for name in module.namelist() if name.endswith(".spv")]
        own = {name.partition("-")[2].partition("-")[2] for name in names if name.startswith("code-")}
        return {name: module.read(name) for name in names if name not in own}


def require_valid(code):
    done = subprocess.run(["spirv-val", "--target-env", "vulkan1.1", "-"], input=code, capture_output=True, timeout=60)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()


def outcome(rt, kernel, model, number, length):
    data, numbers = arguments_of(model, number, length)
    arrays = {}
    for each in data.values():
        arrays.setdefault(id(each), rt.asarray(each))
    returned = kernel(*(arrays[id(each)] for each in data.values()), *numbers)
    return returned, {name: arrays[id(each)].to_numpy() for name, each in data.items()}


@pytest.mark.slow(but=["0", "1"])
@pytest.mark.parametrize("batch", range(50))
def test_drawn_sums(batch, tmp_path, shared_runtime):
    first = batch * TOGETHER
    models = [draw_sum(first + i) for i in range(TOGETHER)]
    source, path = tmp_path / "sums.py", tmp_path / "sums.tib"
    source.write_text(source_of_sums(models), encoding="utf-8")
    build(source, path, archs=["x64", "vulkan"], caps=WIDE_TYPES, native=False)
    if shutil.which("spirv-val"):
        for code in shaders_of(path).values():
            require_valid(code)
    runtimes = [shared_runtime(arch) for arch in ("x64", "vulkan")]
    modules = [rt.load_module(path) for rt in runtimes]
    for number, model in enumerate(models, first):
        for length in (*LENGTHS, *[LONG] * (number % 10 == 0)):
            (a, mine), (b, theirs) = (
                outcome(rt, getattr(module, model.name), model, number, length)
                for rt, module in zip(runtimes, modules, strict=True)
            )
            assert a == b, (model.source, length)
            for name in mine:
                np.testing.assert_array_equal(mine[name], theirs[name], f"{model.source}\n{name} of {length}")

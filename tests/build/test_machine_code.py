"""Machine code for each kind of CPU computes the same as the library and as the JIT."""

import json
from collections import Counter

import numpy as np
import pytest
from helpers.carry import BATCH, add_machine_code
from helpers.child import run_in_child
from helpers.generated import draw
from helpers.generating import compile_models
from helpers.native_calls import targets_here
from scenarios.native import run_arithmetic, run_arithmetic_in_the_jit, run_generated

pytestmark = pytest.mark.skipif(not targets_here(), reason="needs an x86-64 CPU, llvmlite and ziglang")

# Sums of several terms: the compiler may add them in another order, which it chooses for the CPU on which it runs. The
# library compiles for the CPU that it finds, machine code has one order for all, and functions of its own.
REORDERED = {"functions", "functions_double", "inner_sums", "matrices", "quotients"}


@pytest.mark.slow
@pytest.mark.scaled
def test_generated_kernels_have_the_results_of_the_jit(kernel_numbers, tmp_path, capsys):
    counts = {"ran": 0, "refused": Counter()}
    for start in range(0, len(kernel_numbers), BATCH):
        models = draw("x64", kernel_numbers[start : start + BATCH])
        # One sparse field keeps all kernels of its tree with the library.
        models = [model for model in models if not model.field or model.field.node == "dense"]
        folder = tmp_path / str(start)
        folder.mkdir()
        status, output = compile_models("x64", models, folder)
        assert status == 0, output
        add_machine_code(folder / "module.tcm")
        run_in_child(run_generated, str(folder), quiet=False)
        found = json.loads((folder / "native.json").read_text())
        assert found["wrong"] == {}
        assert len(set(found["ran"].values())) == 1
        counts["ran"] += min(found["ran"].values())
        counts["refused"].update(found["refused"].values())
    assert counts["ran"] > 0
    with capsys.disabled():
        if len(kernel_numbers) > BATCH:
            print(f"\n{counts}, all equal")


@pytest.mark.slow
def test_arithmetic_has_the_same_bits_on_every_cpu(build_source, tmp_path):
    path = build_source("arithmetic_kernels", "x64")
    run_in_child(run_arithmetic, str(path), str(tmp_path / "own.npz"))
    run_in_child(run_arithmetic_in_the_jit, str(tmp_path / "jit.npz"), quiet=False)
    results = {name: array for file in tmp_path.iterdir() for name, array in np.load(file).items()}
    kernels = {name.split()[0] for name in results}
    assert kernels > REORDERED
    for kernel in kernels:
        library, general = results[f"{kernel} library"], results[f"{kernel} {targets_here()[0]}"]
        assert results[f"{kernel} jit"].tobytes() == library.tobytes(), kernel
        for target in targets_here():
            assert results[f"{kernel} {target}"].tobytes() == general.tobytes(), (kernel, target)
        if kernel in REORDERED:
            np.testing.assert_allclose(general, library, 1e-3, 1e-5)
        else:
            assert general.tobytes() == library.tobytes(), kernel

"""Kernels of all signatures that the compiler takes: their modules load and compute the same as the JIT.

Kernels are drawn at random (``helpers/generated.py``). A child process compiles each batch into one module and runs it
through the JIT; a second child runs it through the package. All results are compared bit by bit. A kernel follows from
its number:

    python -m pytest tests/adopt/test_generated.py --first-kernel 1234 --kernels 1

tries only kernel 1234. The record is ``benchmarks/results/cpu/generator.txt``. With ``--carried`` the modules come from
``helpers/carry.py``.
"""

import shutil

import pytest
from helpers.archs import HAS_TAICHI, need
from helpers.carry import BATCH, batch_folder
from helpers.generated import HEADER, draw, read_models, source_of
from helpers.generating import carry_models, find_failures, run_models


@pytest.mark.slow(but="x64")
@pytest.mark.scaled
def test_generated_kernels_compute_the_same_as_the_jit(arch, kernel_numbers, carried, tmp_path, capsys):
    counts = {"called": 0, "refused": 0, "parameters": 0}
    for start in range(0, len(kernel_numbers), BATCH):
        numbers = kernel_numbers[start : start + BATCH]
        if carried:
            models = run_carried(str(arch), numbers, carried, tmp_path)
        else:
            models = run_compiled(str(arch), numbers, tmp_path)
        for model in models:
            counts["refused" if model.unsupported(str(arch)) else "called"] += 1
            counts["parameters"] += len(model.parameters)
    with capsys.disabled():
        if len(kernel_numbers) > BATCH:
            print(f"\n{arch!s:<8}kernels {kernel_numbers.start} to {kernel_numbers.stop - 1}: {counts}, all equal")


def run_compiled(arch, numbers, tmp_path):
    if not HAS_TAICHI:
        pytest.skip("needs taichi")
    models = draw(arch, numbers)
    failures = find_failures(arch, models, tmp_path)
    if failures:
        model, reason = next((m, failures[m.number]) for m in models if m.number in failures)
        pytest.fail(message(arch, model, sorted(failures), reason))
    return models


def run_carried(arch, numbers, carried, tmp_path):
    folder = batch_folder(carried, arch, numbers.start)
    if not folder.is_dir():
        need(arch, f"{folder} does not exist")
    own = shutil.copytree(folder, tmp_path / str(numbers.start))
    models = read_models(own)
    assert [model.number for model in models] == list(numbers)
    assert run_models(arch, models, own) == {}
    return models


@pytest.mark.slow
def test_carried_kernels_compute_the_same_as_the_jit(tmp_path):
    carry_models("x64", draw("cuda", range(8)), tmp_path)
    assert run_models("x64", read_models(tmp_path), tmp_path) == {}


def message(arch, model, failed, reason):
    return (
        f"kernel {model.number} on {arch} (of {failed} that fail in its batch; --first-kernel {model.number} "
        f"--kernels 1 repeats it) fails:\n{HEADER}{source_of(model)}\n{reason}"
    )

"""Kernels of all signatures that the compiler takes: modules of them load, and compute what the JIT computes.

The kernels are drawn at random (``helpers/generated.py``) and compiled into one module for each batch, in a child
process that runs them through the JIT too. A second child process runs them through the package. All results are
compared, to the bit. A kernel follows from its number:

    python -m pytest tests/formats/test_generated.py --first-kernel 1234 --kernels 1

tries kernel 1234 alone. ``--slow`` tries 1,000 kernels on each arch. The record is
``benchmarks/results/cpu/generator.txt``.
"""

import pytest
from helpers.generated import draw
from helpers.generating import find_failures, shrink

BATCH = 50


def test_generated_kernels_compute_what_the_jit_computes(arch, kernel_numbers, tmp_path, capsys):
    counts = {"called": 0, "refused": 0, "parameters": 0}
    for start in range(0, len(kernel_numbers), BATCH):
        models = draw(str(arch), kernel_numbers[start : start + BATCH])
        failures = find_failures(str(arch), models, tmp_path)
        if failures:
            model, reason = next((m, failures[m.number]) for m in models if m.number in failures)
            smallest, reason = shrink(str(arch), model, reason, tmp_path)
            pytest.fail(message(str(arch), model.number, sorted(failures), smallest, reason))
        for model in models:
            counts["refused" if model.unsupported(str(arch)) else "called"] += 1
            counts["parameters"] += len(model.parameters)
    with capsys.disabled():
        if len(kernel_numbers) > BATCH:
            print(f"\n{arch!s:<8}kernels {kernel_numbers.start} to {kernel_numbers.stop - 1}: {counts}, all equal")


def message(arch, number, failed, smallest, reason):
    from helpers.generated import HEADER, source_of

    return (
        f"kernel {number} on {arch} (of {failed} that fail in its batch; --first-kernel {number} --kernels 1 repeats "
        f"it) fails; its smallest form:\n{HEADER}{source_of(smallest)}\n{reason}"
    )

"""Machine code that `validate` finds damaged."""

import random

import pytest
from helpers.archs import needs_taichi
from helpers.inside import check_machine_code, machine_code
from helpers.mutants import mutate

from taichi_aot import CorruptedDataError

pytestmark = needs_taichi
V3 = "x86-64-v3"


@pytest.mark.scaled
def test_damaged_machine_code_is_accepted_or_refused(build_source, scaled):
    native, dice = machine_code(build_source("native_kernels", "x64")), random.Random(7)
    symbol = native.kernels["saxpy"].tasks[0].encode()
    headers = native.code[V3][: native.code[V3].index(symbol)]  # up to the names; most of the rest is code
    refused = 0
    for _ in range(count := scaled(300, 20_000)):
        try:
            check_machine_code(native, V3, mutate(headers, dice) + native.code[V3][len(headers) :])
        except CorruptedDataError:
            refused += 1
    assert 0 < refused < count


def test_other_machine_code_is_refused(build_source):
    native = machine_code(build_source("native_kernels", "x64"))
    for size in (0, 63, 64, 500):
        with pytest.raises(CorruptedDataError, match=f"native-{V3}.so is damaged: it is cut off"):
            check_machine_code(native, V3, native.code[V3][:size])
    with pytest.raises(CorruptedDataError, match="another machine"):
        check_machine_code(native, "aarch64", native.code[V3])
    fewer = native._replace(kernels={name: each for name, each in native.kernels.items() if name != "saxpy"})
    with pytest.raises(CorruptedDataError, match="it has other functions than the module states: 'saxpy"):
        check_machine_code(fewer, V3, native.code[V3])

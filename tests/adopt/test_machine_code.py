"""Machine code that `validate` accepts does not end the process that opens it."""

from __future__ import annotations

import pytest
from helpers.archs import needs_taichi
from helpers.child import run_scenario
from helpers.inside import check_machine_code, machine_code

from taichi_aot import CorruptedDataError

pytestmark = needs_taichi
V3 = "x86-64-v3"


@pytest.mark.scaled
def test_damaged_machine_code_does_not_crash(build_source, scaled):
    run_scenario("machine_code:open_mutants", build_source("native_kernels", "x64"), 7, scaled(300, 20_000))


def test_cut_off_machine_code_is_refused(build_source):
    native = machine_code(build_source("native_kernels", "x64"))
    for size in (0, 63, 64, 500, len(native.code[V3]) // 2):
        with pytest.raises(CorruptedDataError, match=V3):
            check_machine_code(native, V3, native.code[V3][:size])
    with pytest.raises(CorruptedDataError, match="another machine"):
        check_machine_code(native, "aarch64", native.code[V3])

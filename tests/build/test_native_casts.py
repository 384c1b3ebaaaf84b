"""Casts of floats to integers in machine code give the same bits for every kind of CPU, also out of range.

The IR for arm64 is compiled for this machine: it leaves nothing open, so every CPU computes the same.
"""

import ctypes
from itertools import product

import numpy as np
import pytest
from helpers.casts import FLOATS, INTEGERS, cast_on_cpu, numbers
from helpers.child import run_in_child
from helpers.native_calls import targets_here
from scenarios.native import run_casts

from taichi_aot.build.code import _native_code
from taichi_aot.build.ir._numbers import HALF, with_defined_casts

llvm = pytest.importorskip("llvmlite.binding")
pytest.importorskip("ziglang", exc_type=ImportError)
pytestmark = pytest.mark.skipif(not targets_here(), reason="needs an x86-64 CPU")

NAMES = {"f16": "half", "f32": "float", "f64": "double"}
LANES = (1, 2, 4, 8, 16)
CASTS = list(product(FLOATS, INTEGERS, LANES))
FUNCTION = """
define void @{name}({source}* %x, {target}* %y) {{
  %number = load {source}, {source}* %x, align 1
  %result = {opcode} {source} %number to {target}
  store {target} %result, {target}* %y, align 1
  ret void
}}
"""


def test_kernels_have_the_same_bits_on_every_cpu(build_source, tmp_path):
    run_in_child(run_casts, str(build_source("cast_kernels", "x64")), str(tmp_path / "casts.npz"))
    results = np.load(tmp_path / "casts.npz")
    assert len(results.files) == len(targets_here()) * len(FLOATS) * len(INTEGERS)
    for name in results.files:
        _, source, target = name.split()
        compare(results[name], source, target, name)


@pytest.mark.parametrize("checked", [False, True])
def test_vectors_and_numbers_have_the_same_bits(checked):
    llvm.initialize_native_target()
    _native_code.start(llvm)
    module = llvm.parse_assembly(HALF)
    module.link_in(llvm.parse_assembly("".join(functions())))
    module = with_defined_casts(llvm, module, checked=checked)
    for kind in targets_here():
        code = llvm.create_mcjit_compiler(module.clone(), _native_code._machine(llvm, _native_code.TARGETS[kind]))
        code.finalize_object()
        for source, target, lanes in CASTS:
            function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(
                code.get_function_address(f"{source}_{target}_{lanes}")
            )
            x = numbers(source)
            y = np.zeros(x.size, INTEGERS[target])
            for i in range(0, x.size, lanes):
                function(x[i:].ctypes.data, y[i:].ctypes.data)
            compare(y, source, target, (kind, lanes))


def functions():
    """Yield a function for each cast."""
    for source, target, lanes in CASTS:
        types = NAMES[source], f"i{target[1:]}"
        source_type, target_type = (f"<{lanes} x {each}>" if lanes > 1 else each for each in types)
        opcode = "fptoui" if target[0] == "u" else "fptosi"
        yield FUNCTION.format(name=f"{source}_{target}_{lanes}", source=source_type, target=target_type, opcode=opcode)


def compare(results, source, target, what):
    expected = np.array([cast_on_cpu(float(number), target) for number in numbers(source)], INTEGERS[target])
    different = results != expected
    assert not different.any(), (what, numbers(source)[different], results[different], expected[different])

"""Mathematical functions of machine code: errors, special numbers, the same bits for every kind of CPU, and vectors."""

import ctypes
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.inside import vector_functions
from helpers.native_calls import targets_here

llvm = pytest.importorskip("llvmlite.binding")
pytest.importorskip("ziglang", exc_type=ImportError)
pytestmark = pytest.mark.skipif(not targets_here(), reason="needs an x86-64 CPU")

ROOT = Path(__file__).parent.parent.parent
_functions, _native_code = vector_functions()
FUNCTIONS = _functions.FUNCTIONS
ARM = "aarch64"
LOOP = """
declare {type} @{name}({types})
define void @loop_{name}({type}** %arguments, i64 %n) {{
entry:
{addresses}  br label %body
body:
  %i = phi i64 [0, %entry], [%next, %body]
{loads}  %y = call {type} @{name}({values})
  %py = getelementptr {type}, {type}* %a0, i64 %i
  store {type} %y, {type}* %py
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}}
"""
REFERENCES = {
    **{name: getattr(np, name) for name in ("sin", "cos", "tan", "tanh", "exp", "log")},
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan2": np.arctan2,
    "pow": np.power,
    "rsqrt": lambda x: 1 / np.sqrt(x),
}
SPECIAL = [0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 1e-30, 1e10, np.pi / 2, 2.0**52 + 1, 88.7, 709.78, 745.1, np.inf, np.nan]
HARD = [16367173 * 2.0**72, 6381956970095103 * 2.0**797, 2.0**20, 2.0**80, 2.0**1000]  # of large angles


def dtype_of(name):
    return np.dtype(np.float32 if FUNCTIONS[name].type == "float" else np.float64)


def loop(name):
    function = FUNCTIONS[name]
    one = function.type
    addresses = "".join(
        f"  %p{i} = getelementptr {one}*, {one}** %arguments, i64 {i}\n  %a{i} = load {one}*, {one}** %p{i}\n"
        for i in range(function.parameters + 1)
    )
    inputs = range(1, function.parameters + 1)
    loads = "".join(
        f"  %q{i} = getelementptr {one}, {one}* %a{i}, i64 %i\n  %x{i} = load {one}, {one}* %q{i}\n" for i in inputs
    )
    values = ", ".join(f"{one} %x{i}" for i in inputs)
    types = ", ".join([one] * function.parameters)
    return LOOP.format(type=one, name=name, types=types, addresses=addresses, loads=loads, values=values)


def optimize(module, machine, *, vectors):
    builder = llvm.create_pass_manager_builder()
    builder.opt_level, builder.loop_vectorize, builder.inlining_threshold = 3, vectors, 225
    passes = llvm.create_module_pass_manager()
    machine.add_analysis_passes(passes)
    builder.populate(passes)
    passes.add_global_dce_pass()
    passes.run(module)
    module.verify()


def compile_loops(kind, has_fma, names=tuple(FUNCTIONS)):
    """Return a module of loops, each of which calls a function, and the machine for it."""
    llvm.initialize_native_target()
    _native_code.start(llvm)
    machine = _native_code._machine(llvm, _native_code.TARGETS[kind])
    module = llvm.parse_assembly("")
    for name in names:
        module.link_in(llvm.parse_assembly(loop(name)))
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    module.verify()
    _functions.declare_functions(llvm, module)
    optimize(module, machine, vectors=False)
    _functions.inline_functions(llvm, module, has_fma=has_fma)
    optimize(module, machine, vectors=True)
    _functions.define_functions(llvm, module, has_fma=has_fma)
    optimize(module, machine, vectors=False)
    return module, machine


@pytest.fixture(scope="module")
def codes():
    """The code for each kind of CPU, without and with instructions that multiply and add."""
    kinds = targets_here()
    variants = {*((kind, kind != kinds[0]) for kind in kinds), (kinds[-1], False)}
    made = {variant: llvm.create_mcjit_compiler(*compile_loops(*variant)) for variant in variants}
    for code in made.values():
        code.finalize_object()
    return made


def call(code, name, arguments):
    result = np.empty_like(arguments[0])
    addresses = np.array([each.ctypes.data for each in (result, *arguments)])
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)(code.get_function_address(f"loop_{name}"))
    function(addresses.ctypes.data, result.size)
    return result


def numbers(dtype, count):
    """Special numbers, numbers of all sizes, and numbers of usual sizes."""
    random = np.random.default_rng(5)
    info = np.finfo(dtype)
    special = [*SPECIAL, *HARD, info.max, info.tiny, info.smallest_subnormal, 1 - info.epsneg, 1 + info.eps]
    with np.errstate(over="ignore"):
        special = np.array(special, dtype)
    bits = random.integers(0, 1 << 8 * dtype.itemsize, count, f"u{dtype.itemsize}").view(dtype)
    ends = [(-1, 1), (-10, 10), (-800, 800), (0.6, 1.42)]
    usual = [random.uniform(*each, count).astype(dtype) for each in ends]
    multiples = (random.integers(1, 1 << 19, count) * (np.pi / 2)).astype(dtype)
    powers = 10 ** random.uniform(-3, 3, count).astype(dtype)
    return np.concatenate([special, -special, bits, *usual, multiples, powers])


def arguments_of(name, count):
    x = numbers(dtype_of(name), count)
    if FUNCTIONS[name].parameters == 1:
        return [x]
    special = x[: 2 * (len(SPECIAL) + len(HARD) + 5)]
    pairs = np.meshgrid(special, special)
    random = np.random.default_rng(6)
    y = random.permutation(x)
    usual = random.uniform(0.35, 1.42, 2 * count)  # where errors of logarithms and quotients are largest
    others = np.concatenate([random.uniform(-2000, 2000, count), np.ones(count)])
    columns = zip(pairs, (x, y), (usual, others), strict=True)
    return [np.concatenate([pair.ravel(), each, last]).astype(x.dtype) for pair, each, last in columns]


def errors_of(result, exact):
    """Errors in units of the last place, where results are finite; other results have to be right."""
    nearest = exact.astype(result.dtype)
    assert np.array_equal(np.isnan(result), np.isnan(exact))
    assert np.array_equal(np.signbit(result) & ~np.isnan(exact), np.signbit(nearest) & ~np.isnan(exact))
    assert np.array_equal(np.isinf(result), np.isinf(nearest))
    finite = np.isfinite(result)
    info = np.finfo(result.dtype)
    exponents = np.maximum(np.frexp(exact[finite])[1] - 1, info.minexp) - info.nmant
    return np.abs(result[finite] - exact[finite]) / np.ldexp(np.longdouble(1), exponents)


def documented():
    """The largest errors that the docstring of the functions states."""
    rows = re.findall(r"^    (\w+) +(0\.\d+)  (0\.\d+)$", _functions.__doc__, re.MULTILINE)
    return {each: float(error) for name, *both in rows for each, error in zip((f"{name}f", name), both, strict=True)}


def test_documents_have_every_function():
    assert documented().keys() == FUNCTIONS.keys()


@pytest.mark.scaled
@pytest.mark.parametrize("name", FUNCTIONS)
@np.errstate(all="ignore")
def test_functions_are_right_and_have_the_same_bits(codes, scaled, name):
    arguments = arguments_of(name, scaled(20_000, 2_000_000))
    results = [call(code, name, arguments) for code in codes.values()]
    exact = REFERENCES.get(name, REFERENCES.get(name.removesuffix("f")))(
        *(each.astype(np.longdouble) for each in arguments)
    )
    assert errors_of(results[0], exact).max() <= documented()[name]
    for result in results[1:]:
        assert np.array_equal(result, results[0], equal_nan=True)
        assert np.array_equal(np.signbit(result)[~np.isnan(exact)], np.signbit(results[0])[~np.isnan(exact)])


@pytest.mark.parametrize("kind", ["x86-64-v3", "x86-64-v4", ARM])
def test_loops_are_vectors(kind):
    module, _ = compile_loops(kind, has_fma=True)
    for name in FUNCTIONS:
        body = str(module.get_function(f"loop_{name}"))
        lanes = max(map(int, re.findall(r"<(\d+) x (?:float|double)>", body)), default=1)
        assert lanes >= (2 if kind == ARM else 4), name
    assert not [each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")]


def test_only_functions_that_are_called_are_defined():
    module, _ = compile_loops("x86-64-v3", has_fma=True, names=["exp", "sin"])
    defined = {each.name for each in module.functions if not each.is_declaration}
    assert {"loop_exp", "loop_sin"} < defined
    assert defined <= {"loop_exp", "loop_sin", *(f"taichi_aot.math.sin.{each}" for each in ("each", "4", "large"))}


def test_coefficients_are_those_of_the_script():
    pytest.importorskip("mpmath")
    script = ROOT / "benchmarks" / "coefficients.py"
    printed = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    assert printed == Path(_functions.__file__).with_name("_coefficients.py").read_text(encoding="utf-8")

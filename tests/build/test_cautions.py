"""What a build warns of: once for each kind, with the remedy."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from helpers.child import TESTS

from taichi_aot import Arch, inspect
from taichi_aot.build import build
from taichi_aot.build._options import option, written_as
from taichi_aot.build.compile import _children
from taichi_aot.build.output._build import REMEDIES, remedied
from taichi_aot.build.source import _explain
from taichi_aot.build.source._explain import Caution, infinite, merge, overwritten, unchecked_sizes
from taichi_aot.bundle._plan import read_origin
from taichi_aot.cli.main import main

# Stand-ins for what Taichi compiles.
ti = None
n = 4


def one_loop(x, y):
    for i in y:
        y[i] = x[i]


def grouped(x, y):
    for index in ti.grouped(y):
        y[index] += 2 * x[index]


def by_shape(x, y):
    for i in range(y.shape[0]):
        y[i] = x[i]


def all_but_one(x, y):
    for i in range(y.shape[0] - 1):
        x[i] = y[i + 1] - y[i]


def inner_loop(x, y):
    for i in y:
        for j in range(4):
            y[i] += x[i, j]


def only_one_array(x, y):
    for i in x:
        x[i] = 1
    for i in y:
        y[i] = y[i] + x[0]


def computed_index(x, y):
    for i in y:
        y[i] = x[i // 2] + x[int(y[i])]


def size_is_compared(x, y):
    for i in y:
        if i < x.shape[0]:
            y[i] = x[i]


def both_in_the_loop(x, y):
    for i in range(min(x.shape[0], y.shape[0])):
        y[i] = x[i]


def by_number(x, y):
    for i in range(n):
        y[i] = x[i]


EXAMPLE = 'shapes={"x": "n", "y": "n"}'


@pytest.mark.parametrize(
    ("kernel", "dimensions", "stated", "words"),
    [
        (one_loop, (1, 1), (), ("indexes x in the loop over y", EXAMPLE)),
        (one_loop, (1, 1), ("x",), ("indexes x in the loop over y",)),
        (one_loop, (1, 1), ("x", "y"), ()),
        (grouped, (2, 2), (), ('shapes={"x": ("n", "m"), "y": ("n", "m")}',)),
        (by_shape, (1, 1), (), (EXAMPLE,)),
        (all_but_one, (1, 1), (), ("Loop over the shape of x; or, if both shapes are equal, state them", EXAMPLE)),
        (inner_loop, (2, 1), (), ("shapes={...}",)),
        (only_one_array, (1, 1), (), ()),
        (computed_index, (1, 1), (), ()),
        (size_is_compared, (1, 1), (), ()),
        (both_in_the_loop, (1, 1), (), ()),
        (by_number, (1, 1), (), ()),
    ],
)
def test_array_in_the_loop_over_another_needs_shapes(
    monkeypatch: pytest.MonkeyPatch,
    kernel: Any,
    dimensions: tuple[int, int],
    stated: tuple[str, ...],
    words: tuple[str, ...],
) -> None:
    monkeypatch.setattr(_explain, "ndims", lambda kernel, types: dict(zip("xy", dimensions, strict=True)))
    arguments = [SimpleNamespace(name=name) for name in "xy"]
    text = unchecked_sizes(SimpleNamespace(func=kernel, arguments=arguments), dict.fromkeys(stated, ("n",)), {})
    assert bool(text) == bool(words)
    for word in words:
        assert word in text


def squared_in_place(x, y):
    for i in x:
        x[i] = x[i] * x[i]


def multiplied(x, y):
    for i in x:
        x[i] *= y[i]


def read_in_another_statement(x, y):
    for i in x:
        y[i] = ti.sin(x[i])
        x[i] = 0.0


def added(x, y):
    for i in x:
        y[i] = x[i] * x[i]
        y[i] += 2 * y[i]


def read_afterwards(x, y):
    for i in x:
        v = x[i]
        y[i] = v * v
        v = y[i]


@pytest.mark.parametrize(
    ("kernel", "element"),
    [
        (squared_in_place, "x[i]"),
        (multiplied, "x[i]"),
        (read_in_another_statement, "x[i]"),
        (added, ""),
        (read_afterwards, ""),
    ],
)
def test_adjoints_need_numbers_that_are_overwritten(kernel: Any, element: str) -> None:
    assert overwritten(kernel, "xy") == element
    assert overwritten(kernel, "z") == ""


def numbers(x, y):
    x[0] = ti.f64(1e300)
    x[1] = float("inf")
    y[0] = -1e39


@pytest.mark.parametrize(
    ("dtypes", "default", "number"),
    [
        ({"x": "f64", "y": "f64"}, "f32", "1e+39, which is infinity in f32"),
        ({"x": "f64", "y": "f64"}, "f64", ""),
        ({"x": "f64", "y": "f16"}, "f64", "1e+39, which is infinity in f16"),
    ],
)
def test_number_that_is_infinity_is_found(dtypes: dict[str, str], default: str, number: str) -> None:
    assert infinite(numbers, dtypes, default) == number


def test_proposed_symbols_are_not_parameters(monkeypatch):
    monkeypatch.setattr(_explain, "ndims", lambda kernel, types: {"x": 1, "y": 1})
    arguments = [SimpleNamespace(name=name) for name in ("n", "x", "y")]
    text = unchecked_sizes(SimpleNamespace(func=one_loop, arguments=arguments), {}, {})
    assert 'shapes={"x": "m", "y": "m"}' in text


def test_kind_is_warned_of_once():
    cautions = [
        Caution("assert", "kernel a", "has an assert"),
        Caution("print", "kernel a", "prints nothing"),
        *(Caution("assert", f"kernel {name}", "has one too") for name in "bacb"),
    ]
    assert merge(cautions) == [
        "kernel a has an assert. Likewise: kernel b, kernel c [assert]",
        "kernel a prints nothing [print]",
    ]


def test_many_kernels_are_counted():
    warning = merge([Caution("assert", f"kernel {i}", "has an assert") for i in range(1000)])[0]
    assert warning.startswith("kernel 0 has an assert. Likewise: kernel 1, kernel 2, ")
    assert warning.endswith(", kernel 20, 979 more [assert]")


def test_warnings_of_the_compiler_are_told():
    printed = """\
[Taichi] Starting on arch=x64
[W 11/23/26 04:18:50.830 20637] TaichiWarning
File "kernels.py", line 10, in total:
        s += x[i]
        ^^^^^^^^^
Atomic add may lose precision: i32 <- f32
[W 11/23/26 04:18:50.942 20637] TaichiWarning
While compiling `halve_c82_0`, File "kernels.py", line 16, in halve:
        x[i] = 0.5 * x[i]
        ^^^^^^^^^^^^^^^^^
Assign may lose precision: i32 <- f32
[W 11/23/26 04:18:50.942 20637] TaichiWarning
File "/usr/lib/python3/taichi/_kernels.py", line 4, in fill:
        x[i] = 0.5
Assign may lose precision: i32 <- f32
"""
    assert _children._warnings_in(printed) == [
        "kernels.py, line 10, in total has a warning of the compiler: Atomic add may lose precision: i32 <- f32. "
        "Likewise: kernels.py, line 16, in halve [compiler]"
    ]


def test_warning_about_a_wrapped_line_is_told():
    printed = """\
[W 11/23/26 04:18:50.942 20637] TaichiWarning
While compiling `count_c84_0`, File "kernels.py", line 20, in count:
        x[i] = c * 1000 + ti.math.popcnt(x[i]) * 1 + ti.math.clz(ti.i32(x[i] >>
        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
1)) * 100000
^^^^^^^^^^^^
Assign may lose precision: i32 <- u32
"""
    assert _children._warnings_in(printed) == [
        "kernels.py, line 20, in count has a warning of the compiler: Assign may lose precision: i32 <- u32 [compiler]"
    ]


def test_options_are_written_as_the_caller_writes_them():
    assert option("caps", "spirv_has_int64") == 'caps=["spirv_has_int64"]'
    with written_as("key"):
        assert option("caps", "spirv_has_int64") == "caps = { spirv_has_int64 = true }"
        with written_as("flag"):
            assert option("caps", "spirv_has_int64") == "--caps spirv_has_int64"
            assert option("archs", "x64", "cuda") == "--arch x64,cuda"
        assert option("all") == "all = true"
    assert option("all") == "all_kernels=True"


@pytest.mark.parametrize(("ignore", "error"), [("shapes", TypeError), (["shape"], ValueError)])
def test_wrong_kinds_raise(fill, ignore, error):
    with pytest.raises(error, match=r"not a string|the kinds are shapes, assert, debug"):
        build(fill, ignore=ignore)


@pytest.mark.slow
def test_build_warns_and_the_command_prints_it(tmp_path, capsys):
    source = tmp_path / "kernels.py"
    source.write_text(
        """\
import taichi as ti
from taichi_aot.build import export

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)


@ti.func
def positive(number):
    assert number > 0
    return number


@export
@ti.kernel
def add(x: F32_1D, y: F32_1D):
    n = 0
    for i in y:
        y[i] += positive(x[i])
        n += 0.5 * x[i]
""",
        encoding="utf-8",
    )
    output = tmp_path / "kernels.tib"
    warnings = build(source, output, archs=["x64", "vulkan"]).warnings
    assert [each.rpartition(" ")[2] for each in warnings] == ["[shapes]", "[assert]", "[compiler]"]
    assert warnings[0].startswith("kernel add (kernels.py, line 15) indexes x in the loop over y")
    assert "built with debug=True" in warnings[1]
    assert build(source, output, archs=["x64"], ignore=["shapes", "compiler"]).warnings == warnings[1:2]
    assert main(["build", str(source), "-o", str(output), "--arch", "x64", "--ignore", "assert,shapes"]) == 0
    assert capsys.readouterr().err == f"warning: {warnings[2]}\n"


@pytest.mark.slow
def test_build_adds_checks(tmp_path, fill, capsys):
    output = tmp_path / "fill.tib"
    assert main(["build", str(fill), "-o", str(output), "--arch", "x64,vulkan", "--debug"]) == 0
    warning = "--debug is without effect on vulkan, whose kernels have no checks: test on the CPU or CUDA [debug]"
    assert capsys.readouterr().err == f"warning: {warning}\n"
    modules = inspect(output).modules
    assert [kernel.checked for kernel in modules[Arch.X64].kernels.values()] == [True]
    assert [kernel.checked for kernel in modules[Arch.VULKAN].kernels.values()] == [False]
    origin = read_origin(output)
    assert origin is not None
    assert origin.options == ("--debug",)
    assert main(["build", str(fill), "-o", str(output), "--arch", "vulkan", "--debug"]) == 2
    assert "--debug is for CPUs and cuda" in capsys.readouterr().err
    assert build(fill, output, archs=["x64"], debug=True).warnings == ()


def test_documentation_has_the_remedies():
    """docs/build.md and the notes of builds say the same."""
    text = (TESTS.parent / "docs" / "build.md").read_text(encoding="utf-8")
    table = text.partition("| reason | change | times as fast in our measurements |\n| --- | --- | --- |\n")[2]
    with written_as("flag"):
        rows = [
            f"| `{each.reason.rstrip()}{' ...' * each.reason.endswith(' ')}` "
            f"| {remedied(each).replace('--math exact', '`--math exact`')} | {each.gain or ''}".rstrip()
            + " |"
            for each in REMEDIES
        ]
    assert table.partition("\n\n")[0].split("\n") == rows


NOTED = """
import taichi as ti
from taichi_aot.build import export

F32 = ti.types.ndarray(dtype=ti.f32, ndim=1)

@export
@ti.kernel
def two(x: F32, y: F32):
    for i in x:
        y[0] += x[i] * y[1]
    for i in x:
        y[0] += x[i] * y[2]

@export
@ti.kernel
def total(x: F32, y: F32):
    for i in x:
        y[0] += x[i]

@export
@ti.kernel
def waves(x: F32):
    for i in x:
        x[i] = ti.sin(x[i])

@export
@ti.kernel
def bins(x: F32, y: F32):
    for i in x:
        y[ti.i32(x[i])] += 1.0

@export
@ti.kernel
def places(x: F32, y: F32, count: ti.types.ndarray(dtype=ti.i32, ndim=1)):
    for i in x:
        y[ti.atomic_add(count[0], 1)] = x[i]
"""


def test_notes_are_of_what_is_sure(tmp_path, capsys):
    pytest.importorskip("llvmlite")
    pytest.importorskip("ziglang", exc_type=ImportError)
    path = tmp_path / "noted.py"
    path.write_text(NOTED)
    command = ["build", str(path), "--arch", "x64", "--ignore", "shapes", "-o", str(tmp_path / "noted.tib")]

    def notes(*options):
        assert main([*command, *options]) == 0
        return [line.strip() for line in capsys.readouterr().out.splitlines() if line.endswith("[vectors]")]

    atomic = (
        "x64: kernel two (noted.py, line 9) changes memory by atomic operations, so it is not computed by vectors: "
        "add to a variable, or to an element of an array that the loop does not use otherwise, which was 100 times as "
        "fast in our measurements [vectors]"
    )
    assert notes() == [atomic]
    assert notes("--ignore", "shapes,vectors") == []
    found = notes("--verbose")
    assert atomic in found
    assert len(found) == 3
    assert any("bins (noted.py, line 29) changes elements that the index does not choose, so" in each for each in found)
    assert any("places (noted.py, line 35) uses the old numbers of atomic operations, so" in each for each in found)
    found = notes("--math", "exact")
    leaving = "so it is not computed by vectors: leave out --math exact, which was"
    assert f"x64: kernel waves (noted.py, line 23) calls the function 'sinf', {leaving} 12 times" in found[1]
    assert f"x64: kernel total (noted.py, line 17) has a sum over the loop, {leaving} 30 times" in found[0]
    assert len(found) == 2

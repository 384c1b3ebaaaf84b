"""Programs built as they are: which kernels are taken, with which types, and what is left out."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import taichi_aot
from taichi_aot import Arch, CorruptedDataError, Runtime
from taichi_aot.build import BuildError, build, make_python
from taichi_aot.build._options import Options
from taichi_aot.build.compile import _children
from taichi_aot.build.compile._children import Compiled, Job
from taichi_aot.cli.main import main

PROGRAM = Path(__file__).parent / "recorded.py"
HEAD = """import taichi as ti
ti.init()
f = ti.field(ti.f32, shape=4)

@ti.kernel
def count():
    for i in f:
        f[i] += 1
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    return tmp_path_factory.mktemp("recorded") / "recorded.tib"


@pytest.fixture(scope="module")
def report(bundle):
    with pytest.MonkeyPatch.context() as patch:
        printed = []
        patch.setattr("taichi_aot.cli._build.print_json", printed.append)
        assert main(["build", "--all", str(PROGRAM), "-o", str(bundle), "--arch", "x64", "--json"]) == 0
    return json.loads(json.dumps(printed[0]))


def place(text):
    lines = PROGRAM.read_text(encoding="utf-8").splitlines()
    return f"recorded.py, line {next(number for number, line in enumerate(lines, 1) if text in line)}"


def test_kernels_are_taken_with_the_types_of_their_calls(report):
    vectors = "ti.types.ndarray(ti.types.vector(3, ti.i32), 2)"
    types = {
        "advance": "",
        "fill": ": x = ti.types.ndarray(ti.f32, 1), value = 1",
        "highest": "",
        "roll": "",
        "typed": "",
        "step": ": self = Solver",
        "reset": ": self = Solver",
        "fill_2": f": x = {vectors}, value = 2",
    }
    assert report["taken"] == {name: place(f"def {name.removesuffix('_2')}(") + text for name, text in types.items()}
    assert report["kernels"] == list(types)
    assert report["fields"] == ["height", "Solver_speed"]


def test_rest_is_left_out_with_a_reason(report):
    assert report["left_out"] == {
        "untyped": "it is never called, which would show the type of x",
        "wrong": f'{place("= nothing")}: Name "nothing" is not defined here: import it, or assign it in this block or '
        "in one around it",
    }
    (warning,) = report["warnings"]
    assert warning.startswith(f"field height is written at {place('height.from_numpy')} after kernels have used it")


def test_recorded_kernels_run(report, bundle):
    assert report["kernels"]
    with Runtime("x64") as rt:
        module = rt.load_module(bundle)
        module.fields["height"].write(np.arange(8, dtype=np.float32))
        module.advance(0.5)
        np.testing.assert_array_equal(module.fields["height"].to_numpy(), np.arange(8) + np.float32(0.5))
        module.step(2)
        module.step(2)
        assert (module.fields["Solver_speed"].to_numpy() == 4).all()
        module.reset()
        assert not module.fields["Solver_speed"].to_numpy().any()
        x, y = rt.zeros(6, "f32"), rt.zeros((2, 2), "i32", elem_shape=3)
        module.fill(x)
        module.fill_2(y)
        assert (x.to_numpy() == 1).all()
        assert (y.to_numpy() == 2).all()


class Case(NamedTuple):
    """The end of a program, the kernels that are taken, and its warning."""

    source: str
    kernels: tuple[str, ...]
    warning: str = ""


CASES = {
    "exception": Case("count()\n{}['a']", ("count",), "the program ended early: program.py, line 10: KeyError: 'a'"),
    "second init": Case(
        "count()\nti.init()\n@ti.kernel\ndef late(): f[0] = 1",
        ("count",),
        "the program ended early: program.py, line 10: ti.init would remove the kernels and fields so far",
    ),
    "reset": Case(
        "count()\nti.reset()",
        ("count",),
        "the program ended early: program.py, line 10: ti.reset would remove the kernels and fields so far",
    ),
    "endless": Case(
        "while f[0] < 1: count()",
        ("count",),
        "the program ended early: program.py, line 9: it made 10,000 calls without a new kernel",
    ),
    "equal values": Case(
        "import numpy as np\n@ti.kernel\ndef add(n: ti.template()): f[0] += ti.static(np.sum(n))\n"
        "for _ in range(3): add(np.int32(3)); add((1, 2))",
        ("count", "add", "add_2"),
    ),
    "endless with pictures": Case("gui = ti.GUI()\nwhile True: gui.show()", ("count",)),
    "divisions by what is read": Case("print(1 / f[0], f[1] / f[2] // f[1], 5 % f[3])", ("count",)),
    "names of other kernels": Case(
        "@ti.kernel\ndef add(n: ti.template()): f[0] += n\n@ti.kernel\ndef add_2(): f[0] = 2\nadd(1); add(2); add(1)",
        ("count", "add", "add_2", "add_3"),
    ),
    "many values": Case(
        "@ti.kernel\ndef add(n: ti.template()): f[0] += n\nfor n in range(20): add(n)",
        ("count", "add", *(f"add_{n}" for n in range(2, 17))),
    ),
    "gradient of an array": Case(
        "a = ti.ndarray(ti.f32, 4, needs_grad=True)\n@ti.kernel\ndef add(x: ti.types.ndarray()): f[0] += x.grad[0]\n"
        "add(a)\ncount()",
        ("count", "add"),
    ),
    "graph": Case(
        "@ti.kernel\ndef add(x: ti.types.ndarray(ndim=1)): x[0] += 1\n"
        "b = ti.graph.GraphBuilder()\nb.dispatch(add, ti.graph.Arg(ti.graph.ArgKind.NDARRAY, 'x', ti.f32, ndim=1))\n"
        "b.compile().run({})",
        ("count",),
    ),
    "tape": Case(
        "loss = ti.field(ti.f32, (), needs_grad=True)\n@ti.kernel\ndef add(): loss[None] += f[0]\n"
        "with ti.ad.Tape(loss=loss): add()\ncount()",
        ("count", "add"),
    ),
    "deactivation": Case(
        "s = ti.field(ti.f32)\nb = ti.root.pointer(ti.i, 4)\nb.place(s)\ncount()\nb.deactivate_all()", ("count",)
    ),
    "struct": Case(
        "@ti.kernel\ndef add(p: ti.types.struct(x=ti.f32, n=ti.i32)): f[0] += p.x * p.n\nadd(ti.Struct(x=2.0, n=3))",
        ("count", "add"),
    ),
    "sparse solver": Case(
        "b = ti.linalg.SparseMatrixBuilder(4, 4)\n@ti.kernel\ndef make(K: ti.types.sparse_matrix_builder()): pass\n"
        "make(b)\ns = ti.linalg.SparseSolver()\ns.compute(b.build())\n"
        "@ti.kernel\ndef use(x: ti.types.ndarray()): pass\nuse(s.solve(ti.ndarray(ti.f64, 4)))",
        ("count", "use"),
    ),
}


@pytest.mark.slow(but="endless")
@pytest.mark.parametrize("name", CASES)
def test_program_is_built(tmp_path, name):
    source, kernels, warning = CASES[name]
    (tmp_path / "program.py").write_text(f"{HEAD}{source}\n", encoding="utf-8")
    result = build(tmp_path / "program.py", tmp_path / "x.tib", archs=["x64"], all_kernels=True)
    assert result.kernels == kernels
    assert result.warnings == ((warning,) if warning else ())
    assert result.fields == {"tape": ("f", "loss"), "deactivation": ("f", "s")}.get(name, ("f",))
    if name == "many values":
        assert result.left_out == {"add_17": "add is called for more than 16 sets of types and values"}
    if name == "tape":
        assert result.left_out == {"add.grad": "it is a gradient, which a module does not have"}
    if name == "deactivation":
        line = "Taichi's own kernel, which program.py, line 13 launches: write a kernel that does the same"
        assert result.left_out == {"snode_deactivate": line}
    if name == "graph":
        assert result.graphs == ("graph",)
        assert result.left_out == {"add": "only graphs call it"}
    if name == "sparse solver":
        assert result.taken["use"].endswith(": x = ti.types.ndarray(ti.f64, 1)")
        assert list(result.left_out) == ["make"]


@pytest.fixture(scope="module")
def instances(tmp_path_factory):
    path = tmp_path_factory.mktemp("instances") / "instances.tib"
    build(Path(__file__).parent / "instances.py", path, archs=["x64"], all_kernels=True)
    with taichi_aot.load(path) as module:
        yield module


def test_instances_are_chosen_by_template_arguments(instances):
    shift, step, fields = instances.shift, instances.step, instances.fields
    for field in fields.values():
        field.fill(0)
    shift[fields.density, 2](1.0)
    shift["speed", 3](by=1.0)
    shift(fields.speed, 1.0, 2)
    instances.shift_3(fields.speed, by=1.0, n=2)
    bound = shift.bind(fields.density, 0.5, 2)
    bound()
    step["a"](1.0)
    step("b", 2.0)
    step["b"](1.0)
    step["Solver"](1.0)
    step["Solver_2"](2.0)
    found = {name: field.to_numpy().tolist() for name, field in fields.items()}
    of_objects = {"a_x": [1] * 3, "b_x": [30] * 3, "Solver_x": [3] * 3, "Solver_x_2": [10] * 3}
    assert found == {"density": [3] * 4, "speed": [7] * 4, **of_objects}
    assert shift["speed", 3] is instances.shift_3


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda m: m.shift["speed", 9],
            KeyError,
            r"shift\(\) has no instance for \['speed', 9\]; the module has shift\['density', 2\] \(shift\), "
            r"shift\['speed', 2\] \(shift_2\), shift\['speed', 3\] \(shift_3\)",
        ),
        (lambda m: m.shift(m.fields.density, 1.0, 3), KeyError, r"no instance for \['density', 3\]"),
        (lambda m: m.shift.bind(m.fields.density, 1.0, True), KeyError, r"no instance for \['density', True\]"),
        (lambda m: m.step["c"], KeyError, r"has step\['a'\] \(step\), step\['b'\] \(step_2\), "),
        (lambda m: m.shift(1.0, 2.0), TypeError, "takes 1 positional argument but 2 were given"),
    ],
)
def test_wrong_template_arguments(instances, call, kind, message):
    with pytest.raises(kind, match=message):
        call(instances)


def test_inspect_and_help_show_instances(instances):
    kernels = instances.info.kernels
    assert str(kernels["shift_2"].instance) == "shift[speed, 2]"
    assert kernels["step_2"].to_dict()["instance"] == {
        "of": "step",
        "parameters": ("self", "dt"),
        "values": {"self": "b"},
    }
    assert "    shift_2(by: f32), shift[speed, 2]\n" in str(instances.info)
    assert instances.shift_2.__doc__.startswith("Add to a field.\n\nThis is the instance shift[speed, 2].")
    assert instances.shift.__doc__.startswith(
        "Add to a field.\n\nThis is the instance shift[density, 2]. Others: shift[speed, 2] (shift_2), shift[speed, 3] "
    )


def test_typed_modules_know_instances(instances):
    text = make_python(instances.info, "instances.tib")
    for each in ('tuple[Field | Literal["speed"], Literal[3]]', '(_self, /, self: Literal["b"], dt: Real) -> None'):
        assert each in text


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """What the build of a program that writes into its fields warns of, and the bundle."""
    path = tmp_path_factory.mktemp("written") / "written.tib"
    return build(Path(__file__).parent / "written.py", path, archs=["x64", "vulkan"], all_kernels=True).warnings, path


def test_fields_begin_with_what_the_program_writes(written, arch):
    with taichi_aot.load(written[1], arch=arch) as module:
        fields, x = module.fields, module.runtime.zeros(4, "f32")
        assert fields.flow.to_numpy().tolist() == [[[1.5, -2]] * 2, [[1.5, -2], [7, 8]], [[1.5, -2]] * 2]
        assert fields.gravity.to_numpy().tolist() == [0, -9.5]  # when the first kernel uses it
        assert fields.cells.place.to_numpy()[2].tolist() == [4, 5, 6]
        assert fields.plain.to_numpy().tolist() == [1, 1, 1]
        module.use(x)
        assert x.to_numpy().tolist() == [1 - 9.5 + 7 + 5 + 3 - 5 + 1 + 2 * i for i in range(4)]
        assert fields.later.to_numpy()[3] == 3  # what the program has read
        fields.table.write([9, 9, 9, 9])
        again = module.runtime.load_module(written[1])
        assert again.fields.table.to_numpy().tolist() == [9, 9, 9, 9]  # the fields are those of the runtime
    with taichi_aot.load(written[1], arch=arch, contents=False) as module:
        assert not module.fields.table.to_numpy().any()


def test_losses_are_warned_of(written):
    (warning,) = written[0]
    lines = (Path(__file__).parent / "written.py").read_text().splitlines()
    line = 1 + lines.index("flow.fill(0)")
    assert warning == (
        f"field flow is written at written.py, line {line} after kernels have used it: write it in your program, which "
        "launches them. Likewise: field gravity, field later [contents]"
    )


KEPT = """import numpy as np
import taichi as ti
from taichi_aot.build import export_field
table, gravity, hollow = ti.field(ti.i32, 4), ti.Vector.field(2, ti.f32, shape=()), ti.field(ti.f64)
ti.root.pointer(ti.i, 4).dense(ti.i, 4).place(hollow)
export_field("table", table, contents=True)
table.from_numpy(np.array([1, 2, 3, 4], np.int32))
gravity[None] = [1, -9.5]
gravity[None][0] += table[2]
Cell = ti.types.struct(mass=ti.f32, place=ti.types.vector(2, ti.i32))
cells = Cell.field(shape=2)
hollow[5] = table.to_numpy()[3]
export_field("gravity", gravity, contents=True)
export_field("cells", cells, contents=True)
export_field("zeros", ti.field(ti.i32, 3), contents=True)
cells.mass.fill(3)
cells[1] = Cell(mass=4, place=[5, 6])
def build(module):
    table[0] = 7
    module.add_field("hollow", hollow, contents=True)
    with open("{sums}", "w") as file:
        print(sum(table.to_numpy()), file=file)
"""


def test_exported_fields_begin_with_what_the_source_writes(tmp_path):
    (tmp_path / "kept.py").write_text(KEPT.replace("{sums}", str(tmp_path / "sums")))
    with taichi_aot.load(build(tmp_path / "kept.py", tmp_path / "x.tib", archs=["x64"]).path) as module:
        found = {name: field.to_numpy().tolist() for name, field in module.fields.items()}
    sparse = [0] * 5 + [4] + [0] * 10
    expected = {"table": [7, 2, 3, 4], "gravity": [4, -9.5], "cells.mass": [3, 4], "cells.place": [[0, 0], [5, 6]]}
    assert found == {**expected, "zeros": [0, 0, 0], "hollow": sparse}
    assert (tmp_path / "sums").read_text() == "16\n"


@pytest.mark.slow
@pytest.mark.parametrize("size", [16 << 20, (16 << 20) + 1])
def test_contents_have_a_limit_unless_they_are_asked_for(tmp_path, size):
    (tmp_path / "large.py").write_text(f"{HEAD}count()\nlarge = ti.field(ti.f32, {size})\nlarge.fill(1)\ncount()\n")
    result = build(tmp_path / "large.py", tmp_path / "x.tib", archs=["x64"], all_kernels=True)
    reason = "field large begins with zeros: what is written at large.py, line 11 has more than 64 MiB"
    assert [each.startswith(reason) for each in result.warnings] == [True] * (size > 16 << 20)
    ask = "from taichi_aot.build import export_field\nexport_field('large', large, contents=True)\nlarge.fill"
    source = (tmp_path / "large.py").read_text().replace("large.fill", ask)
    (tmp_path / "large.py").write_text(source)
    result = build(tmp_path / "large.py", tmp_path / "x.tib", archs=["x64"], all_kernels=True)
    assert result.warnings == ()
    with taichi_aot.load(result.path) as module:
        assert module.fields.large.to_numpy().sum() == size


def test_contents_of_another_size_are_damage(written, tmp_path):
    folder = tmp_path / "module"
    with zipfile.ZipFile(written[1]) as bundle, zipfile.ZipFile(io.BytesIO(bundle.read("x64.tcm"))) as module:
        module.extractall(folder)
        name = next(each for each in module.namelist() if each.startswith("field-"))
    archive = tmp_path / "cut.tcm"
    with zipfile.ZipFile(archive, "w") as cut:
        for path in folder.iterdir():
            cut.writestr(path.name, path.read_bytes()[: 3 if path.name == name else None])
    with pytest.raises(CorruptedDataError, match="the contents of field"):
        taichi_aot.load(archive, arch="x64")


def test_files_that_the_program_puts_on_the_path_are_its_own(tmp_path, monkeypatch):
    for folder, name in (("project/engine", "count"), ("added", "add"), ("other", "left")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / f"{name}s.py").write_text(
            f"import taichi as ti\n@ti.kernel\ndef {name}(x: ti.types.ndarray(ti.f32, 1)): x[0] += 1\n"
        )
    program = tmp_path / "project" / "examples" / "program.py"
    program.parent.mkdir()
    program.write_text(
        "import os, sys\nsys.path += [os.path.join(os.path.dirname(__file__), '..'), '../../added']\n"
        "import taichi as ti\nti.init()\n"
        "from engine.counts import count\nfrom adds import add\nfrom lefts import left\n"
        "f, x = ti.field(ti.f32, shape=(101, 101)), ti.ndarray(ti.f32, 4)\ncount(x)\n"
        "for i in range(101):\n    for j in range(101): f[i, j] = f[j, i] + x[0]\n"  # are not counted
        "left(x)\nadd(x)\n"
    )
    monkeypatch.syspath_prepend(tmp_path / "other")
    result = build(program, tmp_path / "x.tib", archs=["x64"], all_kernels=True)
    assert result.taken == {"count": "../engine/counts.py, line 3", "add": "../../added/adds.py, line 3"}
    assert list(result.left_out) == ["left"]
    assert result.left_out["left"].startswith(f"its file {tmp_path / 'other' / 'lefts.py'} is not the program's")
    assert result.warnings == ()
    assert result.sources == (
        program,
        tmp_path / "added" / "adds.py",
        tmp_path / "project" / "engine" / "counts.py",
    )


@pytest.mark.slow
def test_field_without_a_place_is_left_out(tmp_path):
    (tmp_path / "program.py").write_text(f"{HEAD}g = ti.field(ti.f32)\n1 / 0\n")
    result = build(tmp_path / "program.py", tmp_path / "x.tib", archs=["x64"], all_kernels=True)
    assert "ZeroDivisionError" in result.warnings[0]
    assert (result.kernels, list(result.left_out)) == (("count",), ["g"])


@pytest.mark.slow
def test_archs_get_the_same_kernels(tmp_path, available):
    source = (
        "@ti.kernel\ndef flags(x: ti.types.ndarray(ti.u1, 1)): x[0] = 1\n"
        "count()\n"
        "late = ti.Vector.field(2, ti.f32, shape=4)\n@ti.kernel\ndef use_late(k: ti.i32): late[0][k] = 1\nuse_late(1)\n"
        "apart, b = ti.field(ti.f32), ti.FieldsBuilder()\nb.dense(ti.i, 4).place(apart)\nb.finalize()\n"
        "@ti.kernel\ndef use_apart(): apart[0] = 1\n"
    )
    (tmp_path / "program.py").write_text(HEAD + source, encoding="utf-8")
    result = build(tmp_path / "program.py", tmp_path / "x.tib", archs=["x64", "vulkan"], all_kernels=True)
    assert (result.kernels, result.fields) == (("count", "use_late", "use_apart"), ("f", "late", "apart"))
    assert set(result.left_out) == {"flags"}
    assert result.left_out["flags"].startswith("vulkan: program.py, line 10: parameter x is an ndarray of u1")
    for arch in {Arch.X64, Arch.VULKAN} & set(available):
        with Runtime(arch) as rt:
            module = rt.load_module(result.path)
            module.use_late(1)
            assert module.fields["late"].to_numpy()[0].tolist() == [0, 1]
            module.use_apart()
            assert module.fields["apart"].to_numpy()[0] == 1


@pytest.mark.slow(but="empty")
@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param("x = 1", "the program has no kernels", id="empty"),
        pytest.param("1 / 0", "the program ended early: program.py, line 1: ZeroDivisionError", id="early"),
        pytest.param(
            "import pyglet\nheight, width = pyglet.load('a.png').shape[:2]",
            "program.py, line 2: ValueError: .*; not installed: pyglet",
            id="missing package",
        ),
        pytest.param(
            "import taichi as ti\n@ti.kernel\ndef f(n: ti.template()): pass",
            "no kernel of the program can be built for x64\n    f: it is never called",
            id="uncalled",
        ),
    ],
)
def test_program_without_kernels_raises(tmp_path, source, message):
    (tmp_path / "program.py").write_text(f"{source}\n", encoding="utf-8")
    with pytest.raises(BuildError, match=message):
        build(tmp_path / "program.py", tmp_path / "x.tib", archs=["x64"], all_kernels=True)


@pytest.mark.slow
def test_source_without_exports_lists_its_kernels(tmp_path):
    more = "".join(f"@ti.kernel\ndef more_{number}(): f[0] = 1\n" for number in range(12))
    (tmp_path / "program.py").write_text(f"{HEAD}{more}", encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        build(tmp_path / "program.py", tmp_path / "x.tib", archs=["x64", "vulkan"])
    first, listed = str(caught.value).splitlines()
    assert first.startswith("program.py exports nothing: write @export above a kernel (from taichi_aot.build import ")
    assert first.endswith("or use all_kernels=True, which runs it as a program")
    kernels = ", ".join(f"program.py:{10 + 2 * number} more_{number}" for number in range(9))
    assert listed == f"    its kernels are program.py:6 count, {kernels} and 3 more"


def answer(arch, kernels, left_out=(), ended=""):
    entries = [{"name": name} for name in kernels]
    program = {"left_out": dict(left_out), "layout_error": "", "is_partial": False, "ended": ended}
    found = Compiled(arch, description={"kernels": entries, "graphs": [], "fields": []}, program=program)
    vars(found)["parsed"] = type("Parsed", (), {"info": type("Info", (), {"all_kernels": {}})})
    return found


def agree(monkeypatch, required, **compile_for):
    """Return the skipped names of each compilation, what `compile_program` returns, and the archs left."""
    skipped = []

    def compile_all(jobs, progress):
        skipped.extend((str(job.arch), job.skipped) for job in jobs)
        return [compile_for[str(job.arch)](set(job.skipped)) for job in jobs]

    monkeypatch.setattr(_children, "compile_all", compile_all)
    jobs = [Job(Arch(name), name, Options("program.py", Path()), {}) for name in compile_for]
    compiled, left_out = _children.compile_program(jobs, lambda _: None, required)
    return skipped, left_out, [str(each.arch) for each in compiled if not each.unavailable]


def test_kernel_at_which_the_compiler_crashes_is_left_out(monkeypatch):
    def crash(skipped):
        return (
            answer(Arch.X64, ["a"])
            if skipped
            else Compiled(
                Arch.X64,
                error="kernel b (b.py, line 3): the compiler crashed (SIGSEGV); it printed:\nmuch",
                crashed_at="b",
            )
        )

    skipped, left_out, archs = agree(
        monkeypatch, True, x64=crash, vulkan=lambda skipped: answer(Arch.VULKAN, {"a", "b"} - skipped)
    )
    assert left_out == {"b": "x64: the compiler crashed (SIGSEGV)"}
    assert skipped == [("x64", ()), ("vulkan", ()), ("x64", ("b",)), ("vulkan", ("b",))]
    assert archs == ["x64", "vulkan"]


@pytest.mark.parametrize("required", [True, False])
def test_arch_without_kernels_is_left_out_by_default(monkeypatch, required):
    _, left_out, archs = agree(
        monkeypatch,
        required,
        x64=lambda skipped: answer(Arch.X64, {"a"} - skipped),
        vulkan=lambda skipped: answer(Arch.VULKAN, [], {"a": "too wide"}),
    )
    assert left_out == ({"a": "vulkan: too wide"} if required else {})
    assert archs == (["x64", "vulkan"] if required else ["x64"])


def test_kernel_that_a_program_does_not_reach_on_an_arch_is_left_out(monkeypatch):
    _, left_out, _ = agree(
        monkeypatch,
        True,
        x64=lambda skipped: answer(Arch.X64, {"a", "b"} - skipped),
        vulkan=lambda skipped: answer(Arch.VULKAN, ["a"], ended="line 3: no such node"),
    )
    assert left_out == {"b": "vulkan: line 3: no such node"}

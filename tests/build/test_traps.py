"""Wrong sources raise errors that begin with the kernel, file and line, and state the remedy."""

from __future__ import annotations

import json
import re
import textwrap
from typing import NamedTuple

import pytest
from helpers.child import run_in_child
from helpers.mistakes import MISTAKES, fill
from scenarios.building import build_sources

from taichi_aot.build import BuildError, build

MAX_LINES = 8
HEAD = """\
import taichi as ti
from taichi_aot.build import export, export_field

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
"""
SAXPY = """
@export
@ti.kernel
def saxpy(a: ti.f32, x: F32_1D, y: F32_1D):
    for i in y:
        y[i] = a * x[i] + y[i]
"""
WIDE_GRAPH = """
from helpers.graphs import array, graph, scalar

@ti.kernel
def fill(wide: ti.i64, x: F32_1D):
    for i in x:
        x[i] = {value}

def build(module):
    module.add_graph("filled", graph((fill, scalar("wide", ti.i64), array("x"))))
"""


class Trap(NamedTuple):
    """A source, and words of its error; the last one is the remedy."""

    source: str
    words: tuple[str, ...]
    arch: str = "x64"


TRAPS = {
    "nothing exported": Trap("x = 1", ("exports nothing: write @export above a kernel", "or use all_kernels=True")),
    "ndarray without a type": Trap(
        fill("for i in x:\n    x[i] = 1", "x: ti.types.ndarray()"),
        ("parameter x", "no dtype and no ndim", "ti.types.ndarray(dtype=ti.f32, ndim=1)"),
    ),
    "ndarray of too many dimensions": Trap(
        fill("for i in ti.grouped(x):\n    x[i] = 1", "x: ti.types.ndarray(dtype=ti.f32, ndim=13)"),
        ("parameter x is an ndarray of 13 dimensions", "at most 12", "join some dimensions to one"),
    ),
    "template type that is not an ndarray": Trap(
        """
        @export(template_types={"x": ti.f32})
        @ti.kernel
        def fill(x: ti.types.ndarray()):
            for i in x:
                x[i] = 1
        """,
        ("parameter x", "its type is given as ti.types.ndarray("),
    ),
    "string annotation": Trap(
        SAXPY.replace("a: ti.f32", "a: 'ti.f32'"),
        (
            "kernel saxpy (kernels.py, line 9)",
            "strings, such as 'ti.f32'",
            "remove `from __future__ import annotations`",
        ),
    ),
    "string annotation of a function": Trap(
        """
        @ti.func
        def half(x: "ti.f32"):
            return x / 2
        """,
        ("function half (kernels.py, line 8)", "strings, such as 'ti.f32'", "or the quotes"),
    ),
    "template without a value": Trap(
        """
        @ti.aot.export
        @ti.kernel
        def fill(value: ti.template(), x: F32_1D):
            for i in x:
                x[i] = value
        """,
        ("parameter value is a template", "template_types"),
    ),
    "method": Trap(
        """
        @ti.data_oriented
        class Box:
            @ti.aot.export
            @ti.kernel
            def fill(self, x: F32_1D):
                for i in x:
                    x[i] = 1
        """,
        ("it is a method", "module.add_kernel(object.method)"),
    ),
    "launch": Trap(
        SAXPY + "saxpy(2.0, ti.ndarray(ti.f32, 4), ti.ndarray(ti.f32, 4))",
        ("kernels.py, line 12", "launches kernel saxpy", '`if __name__ == "__main__":`, or use all_kernels=True'),
    ),
    "filled field": Trap(
        "grid = ti.field(ti.f32, shape=4)\ngrid.fill(1.0)" + SAXPY,
        ("kernels.py, line 7", "writes into a field", "contents=True", '`if __name__ == "__main__":`'),
    ),
    "written field": Trap(
        "grid = ti.field(ti.f32, shape=4)\nprint(grid[0], grid.to_numpy())\ngrid[0] = 1.0" + SAXPY,
        ("line 8", "writes into a field", "export the field with contents=True"),
    ),
    "ti.aot.Module": Trap(
        SAXPY + "module = ti.aot.Module(ti.x64)\nmodule.add_kernel(saxpy)",
        ("line 12", "ti.aot.Module itself", "@taichi_aot.build.export"),
    ),
    "archived module": Trap(
        SAXPY + "def build(module):\n    module.archive('saxpy.tcm')",
        ("line 13", "the build writes the module", "remove module.archive()"),
    ),
    "saved module": Trap(
        SAXPY + "def build(module):\n    module.save('saxpy')", ("the build writes the module", "remove module.save()")
    ),
    "init twice": Trap(
        "ti.init(ti.x64)\nti.init(ti.cuda, default_fp=ti.f64)" + SAXPY,
        ("line 7", "ti.init is called twice", "Call it once"),
    ),
    "init after fields": Trap(
        "grid = ti.field(ti.f32, shape=4)\nti.init(ti.x64)" + SAXPY, ("line 7", "after fields", "Call it first")
    ),
    "duplicate name": Trap(
        SAXPY + "export('saxpy')(saxpy)", ("has a kernel saxpy already", "give one of them another name")
    ),
    "graph with a kernel's name": Trap(
        SAXPY
        + """
def build(module):
    module.add_graph("saxpy", ti.graph.GraphBuilder().compile())
""",
        ("has a kernel saxpy already, and a graph cannot", "another name"),
    ),
    "name that Taichi generates": Trap(
        SAXPY.replace("@export\n", "@export('saxpy_c80_0')\n"), ("saxpy_c80_0", "Taichi gives", "another name")
    ),
    "reserved name": Trap(
        SAXPY.replace("@export\n", "@export('taichi_aot_get_x')\n"), ("taichi_aot_get_x", "reserved", "another name")
    ),
    "name that is not an identifier": Trap(
        SAXPY.replace("@export\n", "@ti.aot.export_as('my kernel')\n"), ("'my kernel'", "not an identifier")
    ),
    "function that is not a kernel": Trap("@export\ndef f(x):\n    return x", ("f is not a kernel", "@ti.kernel")),
    "kernel without a source": Trap(
        "exec(" + repr(SAXPY) + ")", ("kernel saxpy has no source", "define it in a .py file")
    ),
    "object that is not a field": Trap(
        "export_field('grid', 3)" + SAXPY, ("field grid is a int", "scalars, vectors, matrices or structs")
    ),
    "field without a place": Trap(
        "f = ti.field(ti.f32, 3)\ng = ti.field(ti.f32)\nexport_field('f', f)",
        ("a field has no shape", "give each field a shape", "kernels.py, line 7", "g = ti.field(ti.f32)"),
    ),
    "fields made in build()": Trap(
        """
        @ti.data_oriented
        class Solver:
            def __init__(self):
                self.x = ti.field(ti.f32, shape=4)

            @ti.kernel
            def step(self):
                for i in self.x:
                    self.x[i] += 1

        def build(module):
            module.add_kernel(Solver().step)
        """,
        ("kernel step (kernels.py, line 13) uses fields for which the module", "module.add_field(name, field)"),
    ),
    "object that is not a graph": Trap(
        "def build(module):\n    module.add_graph('g', 3)", ("graph g is a int", "GraphBuilder.compile()")
    ),
    "shape of a scalar": Trap(
        SAXPY.replace("@export", "@export(shapes={'a': 'n'})"),
        ("parameter a has a stated shape and is not an ndarray",),
    ),
    "shape with other dimensions": Trap(
        SAXPY.replace("@export", "@export(shapes={'x': ('n', 3)})"),
        ("parameter x has 1 dimensions, and its stated shape 2: ('n', 3)",),
    ),
    "float parameter as a symbol": Trap(
        SAXPY.replace("@export", "@export(shapes={'x': 'a'})"), ("parameter a is not an integer", "another name")
    ),
    "different shapes in a graph": Trap(
        SAXPY.replace("@export", "@export(shapes={'x': 3, 'y': 4})")
        + """
from helpers.graphs import array, graph, scalar

def build(module):
    x = array("x")
    module.add_graph("both", graph((saxpy, scalar("a"), x, x)))
""",
        ("graph", "3", "4"),
    ),
    "unexported field": Trap(
        "grid = ti.field(ti.f32, shape=4)\n" + fill("for i in grid:\n    grid[i] += 1", ""),
        ("kernel fill (kernels.py, line 9) uses fields", 'add export_field("grid", grid) (from taichi_aot.build'),
    ),
    "unexported field of an object in a list": Trap(
        """
        @ti.data_oriented
        class Solver:
            def __init__(self):
                self.x = ti.field(ti.f32, shape=4)

            @ti.kernel
            def step(self):
                for i in self.x:
                    self.x[i] += 1

        solvers = [Solver()]

        def build(module):
            module.add_kernel(solvers[0].step)
        """,
        ("kernel step (kernels.py, line 13) uses fields", 'add export_field("solvers_0_x", solvers[0].x) ('),
    ),
    "texture": Trap(
        fill(
            "for i in x:\n    x[i] = image.fetch(ti.Vector([i, 0]), 0).x",
            "image: ti.types.texture(num_dimensions=2), x: F32_1D",
        ),
        ("parameter image is a texture, which x64 does not have", "only for vulkan"),
    ),
    "ndarray of structs": Trap(
        "PARTICLE = ti.types.struct(mass=ti.f32, kind=ti.i32)\n"
        + fill("for i in x:\n    x[i].mass = 1.0", "x: ti.types.ndarray(dtype=PARTICLE, ndim=1)"),
        ("parameter x is an ndarray of structs", "an ndarray for each member"),
    ),
    "array in a struct": Trap(
        "T = ti.types.struct(n=ti.i32, x=ti.types.ndarray(ti.f32, 1))" + SAXPY,
        ("kernels.py, line 6", "is an array, which no struct can have", "use ti.types.argpack"),
    ),
    "ndarray of something else": Trap(
        fill("for i in x:\n    x[i] = 1.0", 'x: ti.types.ndarray(dtype="f32", ndim=1)'),
        ("parameter x is an ndarray of 'f32'", "ti.f32"),
    ),
    "sparse field in SPIR-V": Trap(
        "x = ti.field(ti.f32)\nti.root.pointer(ti.i, 8).dense(ti.i, 8).place(x)" + SAXPY,
        ("kernels.py, line 7", "ti.root.pointer", "Pointer SNode", "are for CPUs and CUDA"),
        "vulkan",
    ),
    "hash node": Trap(
        "x = ti.field(ti.f32)\nti.root.hash(ti.i, 8).place(x)" + SAXPY,
        ("kernels.py, line 7", "ti.root.hash", "'FieldsBuilder' object has no attribute 'hash'"),
    ),
    "quantized field in SPIR-V": Trap(
        "x = ti.field(ti.types.quant.int(5, True))\nti.root.quant_array(ti.i, 64, max_num_bits=32).place(x)\n"
        + fill("for i in x:\n    x[i] = i", ""),
        ("Not supported", "have quantized fields", "build for these"),
        "vulkan",
    ),
    "sparse solver": Trap(
        "solver = ti.linalg.SparseSolver()" + SAXPY,
        ("kernels.py, line 6", "cusparse", 'put them under if __name__ == "__main__":'),
        "cuda",
    ),
    "sparse matrix in SPIR-V": Trap(
        "matrix = ti.linalg.SparseMatrix(4, 4)" + SAXPY,
        ("kernels.py, line 6", "only supports CPU and CUDA", 'put them under if __name__ == "__main__":'),
        "vulkan",
    ),
    "window": Trap(
        "window = ti.ui.Window('title', (64, 64))" + SAXPY,
        ("kernels.py, line 6: the source opens a window", 'put this under `if __name__ == "__main__":`'),
    ),
    "window of the old kind": Trap(
        "window = ti.GUI('title', (64, 64))" + SAXPY,
        ("kernels.py, line 6: the source opens a window", 'put this under `if __name__ == "__main__":`'),
    ),
    "reset": Trap(SAXPY + "ti.reset()", ("kernels.py, line 12: the source calls ti.reset()", "Remove it")),
    "long name": Trap(
        SAXPY.replace("@export\n", f"@export({'k' * 253!r})\n"),
        ("kernel 'kkk", "... has a name of 253 bytes", "allows 252", "a shorter name"),
    ),
    "long name of a function": Trap(
        SAXPY.replace("@export\n", "@export('short')\n").replace("saxpy", "ü" * 116),
        ("the function of a kernel, 'üüü", "... has a name of 232 bytes", "allows 230", "a shorter name"),
        "vulkan",
    ),
    "long name of a field": Trap(
        f"x = ti.field(ti.f32, shape=4)\nexport_field({'x' * 234!r}, x)" + SAXPY,
        ("field 'xxx", "... has a name of 234 bytes", "allows 233", "a shorter name"),
    ),
    "loop over a dense field by lists": Trap(
        "ti.init(demote_dense_struct_fors=False)\nx = ti.field(ti.i32)\n"
        "ti.root.dense(ti.i, 4).dense(ti.i, 4).place(x)\nexport_field('x', x)\n"
        + fill("for i in x:\n    x[i] += 1", ""),
        (
            "kernel fill (kernels.py, line 12) loops over a dense field",
            "ti.init(demote_dense_struct_fors=False)",
            "Remove this option",
        ),
    ),
    "u1 in SPIR-V": Trap(
        fill("for i in x:\n    x[i] = True", "x: ti.types.ndarray(dtype=ti.u1, ndim=1)"),
        ("parameter x is an ndarray of u1, which vulkan cannot store", "ti.u8"),
        "vulkan",
    ),
    "negative u32 in SPIR-V": Trap(
        fill("for i in x:\n    x[i] = -x[i]", "x: ti.types.ndarray(dtype=ti.u32, ndim=1)"),
        ("kernel fill (kernels.py, line 8)", "lacks an operation", "- of a u32", "convert to ti.i32"),
        "vulkan",
    ),
    "range of a number and a shape in SPIR-V": Trap(
        fill("for i in range(first, x.shape[0]):\n    x[i] = 1", "first: ti.i32, x: F32_1D"),
        ("kernel fill (kernels.py, line 8)", "a range with this begin", "loop over ti.ndrange((begin, end))"),
        "vulkan",
    ),
    "range of shapes in SPIR-V": Trap(
        fill("for i in range(x.shape[0] - 5, x.shape[0]):\n    x[i] = 1"),
        ("kernel fill (kernels.py, line 8)", "a range with this begin", "loop over ti.ndrange((begin, end))"),
        "vulkan",
    ),
    "several returned values of one type": Trap(
        """
        @export
        @ti.kernel
        def pair(a: ti.f32) -> ti.f32:
            return a, 2 * a
        """,
        ("kernel pair (kernels.py, line 10)", "several values", "annotate them as -> (ti.f32, ti.i32)"),
    ),
    "returned struct of another type": Trap(
        """
        Other = ti.types.struct(high=ti.f32, low=ti.f32)
        @export
        @ti.kernel
        def pair(a: ti.f32) -> ti.types.struct(low=ti.f32, high=ti.f32):
            return Other(low=a, high=a)
        """,
        ("kernel pair (kernels.py, line 11)", "not of the type in the annotation", "define the type once"),
    ),
    "f64 without the capability": Trap(
        fill("for i in x:\n    x[i] = 1", "x: ti.types.ndarray(dtype=ti.f64, ndim=1)"),
        (
            "kernel fill (kernels.py, line 8): parameter x has numbers of f64",
            'use ti.f32, allow them by caps=["spirv_has_float64", "spirv_has_int64"], or build for x64 and cuda only',
        ),
        "vulkan",
    ),
    "f64 in the code without the capability": Trap(
        fill("for i in x:\n    x[i] = ti.cast(ti.cast(x[i], ti.f64) / 3, ti.f32)"),
        ("its code has numbers of f64", 'caps=["spirv_has_float64"]'),
        "vulkan",
    ),
    "atomic addition without the capability": Trap(
        fill("for i in x:\n    sum[0] += 1", "x: F32_1D, sum: ti.types.ndarray(dtype=ti.i16, ndim=1)"),
        ("parameter sum has numbers of i16", 'use ti.i32, allow them by caps=["spirv_has_int16"]'),
        "vulkan",
    ),
    "unread number without the capability": Trap(  # the compiler writes code that drivers reject
        fill("for i in x:\n    x[i] = 1", "wide: ti.types.vector(3, ti.i64), x: F32_1D"),
        ("kernel fill (kernels.py, line 8): parameter wide has numbers of i64", 'caps=["spirv_has_int64"]'),
        "vulkan",
    ),
    "number of a graph without the capability": Trap(
        WIDE_GRAPH.format(value="wide"),
        ("graph filled: its code has numbers of i64", 'caps=["spirv_has_int64"]'),
        "vulkan",
    ),
    "unread number of a graph without the capability": Trap(
        WIDE_GRAPH.format(value="1"),
        ("kernel fill_c", "parameter wide has numbers of i64", 'caps=["spirv_has_int64"]'),
        "vulkan",
    ),
    "field without the capability": Trap(
        "wide = ti.field(ti.f64, shape=4)\nexport_field('wide', wide)",
        ("field wide: it has numbers of f64", 'caps=["spirv_has_float64", "spirv_has_int64"]'),
        "vulkan",
    ),
    "array without a type in a pack": Trap(
        "A = ti.types.argpack(x=ti.types.ndarray())\nB = ti.types.argpack(inner=A)\n"
        + fill("for i in x:\n    x[i] = p.inner.x[i]", "p: B, x: F32_1D"),
        ("parameter p.inner.x is an ndarray with no dtype and no ndim", "write ti.types.ndarray("),
    ),
    "pack in a graph": Trap(
        """
        A = ti.types.argpack(a=ti.f32)

        @ti.kernel
        def scale(p: A, x: F32_1D):
            for i in x:
                x[i] *= p.a

        def build(module):
            kind = ti.graph.ArgKind
            p, x = ti.graph.Arg(kind.SCALAR, "p", ti.f32), ti.graph.Arg(kind.NDARRAY, "x", ti.f32, ndim=1)
            builder = ti.graph.GraphBuilder()
            builder.dispatch(scale, p, x)
        """,
        ("kernels.py, line 18", "builder.dispatch(scale", "A graph cannot pass", "make their members"),
    ),
}
PLACE = re.compile(r"((kernel|function) .+ \()?kernels\.py, line \d+")
# A source without kernels, one without a file, and fields, whose lines are not known.
WITHOUT_LINE = {
    "nothing exported",
    "kernel without a source",
    "object that is not a field",
    "long name of a field",
    "field without the capability",
    "number of a graph without the capability",
    "quantized field in SPIR-V",
}
# What is found in the compiler's output, when the child has ended.
FOUND_LATER = (
    "different shapes in a graph",
    "fields made in build()",
    "unexported field",
    "unexported field of an object in a list",
    "loop over a dense field by lists",
    "unread number of a graph without the capability",
)


def errors_of(folder, sources, arch):
    """Build each source, all in one child, and return the messages."""
    files = [folder / str(number) / "kernels.py" for number in range(len(sources))]
    for file, source in zip(files, sources, strict=True):
        file.parent.mkdir()
        file.write_text(f"{HEAD}\n{source}\n", encoding="utf-8")
    run_in_child(build_sources, str(folder), str(arch))
    answers = [file.with_suffix(".json").read_text(encoding="utf-8") for file in files]
    return [json.loads(text.splitlines()[-1])["answer"].get("error", "no error") for text in answers]


def is_wordy(message):
    return len(message.splitlines()) > MAX_LINES or "site-packages" in message


@pytest.mark.scaled
def test_errors_begin_with_kernel_file_and_line(tmp_path, scaled):
    sources = list(MISTAKES)[:: scaled(30, 1)]
    messages = dict(zip(sources, errors_of(tmp_path, sources, "x64"), strict=True))
    assert [each for source, each in messages.items() if not each.startswith(MISTAKES[source])] == []
    assert [each for each in messages.values() if is_wordy(each)] == []


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["x64", "vulkan", "cuda"])
def test_errors_state_the_remedy(tmp_path, arch):
    traps = {name: trap for name, trap in TRAPS.items() if trap.arch == arch and name not in FOUND_LATER}
    messages = errors_of(tmp_path, [textwrap.dedent(trap.source) for trap in traps.values()], arch)
    found = dict(zip(traps, messages, strict=True))
    assert {name: each for name, each in found.items() if name not in WITHOUT_LINE and not PLACE.match(each)} == {}
    assert {name: each for name, each in found.items() if any(word not in each for word in traps[name].words)} == {}
    assert [each for each in messages if is_wordy(each) or "/taichi_aot/build/" in each] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND_LATER)
def test_errors_in_the_output_state_the_remedy(tmp_path, name):
    message = build_wrong(tmp_path, textwrap.dedent(TRAPS[name].source), TRAPS[name].arch)
    assert [word for word in TRAPS[name].words if word not in message] == []
    assert not is_wordy(message)


def build_wrong(tmp_path, source, arch="x64", **options):
    (tmp_path / "kernels.py").write_text(f"{HEAD}\n{source}\n", encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        build(tmp_path / "kernels.py", tmp_path / "kernels.tib", archs=[arch], **options)
    return str(caught.value)


def test_crash_names_the_signal_and_what_was_printed(tmp_path):
    message = build_wrong(tmp_path, f"{SAXPY}import os\nprint('before the end', flush=True)\nos.abort()")
    assert message.startswith("the compiler crashed (SIGABRT)")
    assert message.splitlines()[1:] == ["before the end"]


def test_crash_leaves_out_warnings_of_other_kernels(tmp_path):
    warned = fill("for i in x:\n    x[i] = 0.5", "x: ti.types.ndarray(dtype=ti.i32, ndim=1)")
    small = fill("for i in x:\n    x[i] = ti.max(x[i], x[0])", "x: ti.types.ndarray(dtype=ti.u8, ndim=1)")
    message = build_wrong(tmp_path, f"{warned}\n{small.replace('fill', 'most')}")
    assert message.startswith("kernel most (kernels.py, line 13): the compiler crashed (SIGABRT)")
    assert "max and abs of u8 and i16: convert to ti.i32 first; it printed:\n[E" in message
    assert "lose precision" not in message


@pytest.mark.slow
def test_crash_in_a_kernel_names_the_kernel(tmp_path):
    message = build_wrong(tmp_path, fill("x[0] = ti.Vector([1.0, 2.0])"))
    assert message.startswith("kernel fill (kernels.py, line 8): the compiler crashed (SIGABRT)")
    assert "a vector that is stored as a number" in message
    assert len(message.splitlines()) <= MAX_LINES


@pytest.mark.slow
def test_exit_of_the_compiler_is_an_error(tmp_path):
    assert build_wrong(tmp_path, "import os\nos._exit(7)") == "the compiler ended with exit status 7"


@pytest.mark.slow
def test_verbose_errors_have_the_frames_of_the_compiler(tmp_path):
    source = fill("x[0] = nothing")
    brief, verbose = build_wrong(tmp_path, source), build_wrong(tmp_path, source, verbose=True)
    assert len(brief.splitlines()) == 3
    assert verbose.startswith(brief)
    assert "ast_transformer" in verbose
    assert verbose.count("Traceback (most recent call last):") > 1


@pytest.mark.slow
def test_names_may_be_long_and_programs_may_profile_and_draw_off_screen(tmp_path):
    kernel = SAXPY.replace("@export\n", f"@export({'k' * 252!r})\n").replace("saxpy", "s" * 230)
    field = f"x = ti.field(ti.f32, shape=4)\nexport_field({'x' * 233!r}, x)\n"
    start = "ti.init(kernel_profiler=True)\ngui = ti.GUI('title', (64, 64), show_gui=False)\n"
    (tmp_path / "kernels.py").write_text(f"{HEAD}{start}{field}{kernel}", encoding="utf-8")
    result = build(tmp_path / "kernels.py", tmp_path / "kernels.tib", archs=["x64", "vulkan", "cuda"])
    assert result.kernels == ("k" * 252,)


@pytest.mark.slow
def test_kernel_of_one_arch_only_is_an_error_with_a_remedy(tmp_path):
    added = "\ndef build(module):\n    if ti.cfg.arch == ti.x64:\n        module.add_kernel(saxpy, name='other')\n"
    (tmp_path / "kernels.py").write_text(f"{HEAD}{SAXPY}{added}", encoding="utf-8")
    with pytest.raises(BuildError, match=r"kernel 'other' is in the module for x64 .*ti\.cfg\.arch.*--arch"):
        build(tmp_path / "kernels.py", tmp_path / "kernels.tib", archs=["x64", "vulkan"])

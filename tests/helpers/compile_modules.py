"""Compiles the modules that the tests load; run by a session fixture as a child process.

    python compile_modules.py ARCH FOLDER [NAME ...]

writes the named modules, by default all: ``basic.tcm`` and the same module as the folder ``basic`` (only the
first output of a ``taichi.aot.Module`` is complete on LLVM archs, so the folder is unpacked from the archive);
``table.tcm`` with a kernel for every dtype and kind of argument, each in a graph too; ``edges.tcm`` with arguments at
the edges of the argument block; ``fields.tcm`` and ``lost_fields.tcm``, with the same kernels on fields, exported and
not; ``kinds.tcm`` with all other kinds of arguments that Taichi supports; ``returns.tcm`` with kernels that return
every type of value; ``empty.tcm``; ``trees.tcm``, ``lost_tree.tcm`` and ``late_tree.tcm``, with two trees of fields,
both exported, one exported, and the first one empty; ``profiled.tcm``, as ``basic.tcm`` with profiler calls;
``lists.tcm``, as ``fields.tcm`` with loops over lists of nodes;
for x64, or if named, ``sparse.tcm`` with 60 sparse fields.
"""

import importlib
import os
import sys
import zipfile
from pathlib import Path

import taichi as ti

from helpers.graphs import array, graph, matrix, scalar, texture

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)


@ti.kernel
def saxpy(a: ti.f32, x: F32_1D, y: F32_1D):
    for i in y:
        y[i] = a * x[i] + y[i]


@ti.kernel
def iota(start: ti.i32, v: ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=2)):
    for i in ti.grouped(v):
        v[i] = ti.Vector([start, i[0], i[1]], dt=ti.f32)


@ti.kernel
def store(value: ti.i32, real: ti.f32, ints: I32_1D, reals: F32_1D):
    ints[0] = value
    reals[0] = real


@ti.kernel
def spin(count: ti.i32, out: I32_1D):
    for i in out:
        value = i
        for _ in range(count):
            value = value * 1664525 + 1013904223
        out[i] = value


@ti.kernel
def poke(i: ti.i32, out: I32_1D):
    for _ in range(1):
        out[i] = 1


@ti.kernel
def swap(first: F32_1D, second: F32_1D):
    for i in first:
        first[i], second[i] = second[i], first[i]


@ti.kernel
def answer(out: I32_1D) -> ti.i32:
    out[0] = 42
    return 42


def build_module(arch) -> ti.aot.Module:
    module = ti.aot.Module(arch)
    for kernel in (saxpy, iota, store, spin, poke, swap, answer):
        module.add_kernel(kernel)
    a, x, y = scalar("a"), array("x"), array("y")
    module.add_graph("twice", graph((saxpy, a, x, y), (saxpy, a, x, y)))
    # Dispatch it with its parameters in both orders, so that this graph does not reveal the kernel's names.
    module.add_graph("both", graph((swap, x, y), (swap, y, x)))
    return module


DTYPES = ("f16", "f32", "f64", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64")
KINDS = ("scalar", "vector", "matrix", "array", "array_of_vectors", "array_of_matrices")
ELEMENT = {"array_of_vectors": "ti.types.vector(3, {0})", "array_of_matrices": "ti.types.matrix(2, 3, {0})"}
VALUE = {"scalar": "{0}", "vector": "ti.types.vector(3, {0})", "matrix": "ti.types.matrix(2, 3, {0})"}
BODY = {
    "scalar": "out[0] = x",
    "vector": "for i in ti.static(range(3)): out[i] = x[i]",
    "matrix": "for i, j in ti.static(ti.ndrange(2, 3)): out[i * 3 + j] = x[i, j]",
}


def table_source() -> str:
    """Return the source of kernels KIND_DTYPE(x, out) that copy x; Taichi reads kernels from a file."""
    lines = ["import taichi as ti"]
    for name in DTYPES:
        for kind in KINDS:
            element = f"ti.types.ndarray(dtype={ELEMENT.get(kind, '{0}')}, ndim=1)"
            lines += [
                "@ti.kernel",
                f"def {kind}_{name}(x: {VALUE.get(kind, element)}, out: {element}):".format(f"ti.{name}"),
                f"    {BODY.get(kind, 'for i in x: out[i] = x[i]')}",
            ]
    return "\n".join(lines) + "\n"


def build_table(arch, folder: Path) -> ti.aot.Module:
    (folder / "table_kernels.py").write_text(table_source())
    sys.path.insert(0, str(folder))
    kernels = importlib.import_module("table_kernels")
    module = new_module(arch)
    for name in DTYPES:
        dtype = getattr(ti, name)
        vector, two_by_three = ti.types.vector(3, dtype), ti.types.matrix(2, 3, dtype)
        arguments = {
            "scalar": (scalar("x", dtype), dtype),
            "vector": (matrix("x", vector), dtype),
            "matrix": (matrix("x", two_by_three), dtype),
            "array": (array("x", dtype), dtype),
            "array_of_vectors": (array("x", vector), vector),
            "array_of_matrices": (array("x", two_by_three), two_by_three),
        }
        for kind, (x, element) in arguments.items():
            kernel = getattr(kernels, f"{kind}_{name}")
            module.add_kernel(kernel)
            module.add_graph(f"graph_{kind}_{name}", graph((kernel, x, array("out", element))))
    return module


@ti.kernel
def small_last(out: I32_1D, a: ti.i8, v: ti.types.vector(3, ti.u8)):
    out[0] = a
    for i in ti.static(range(3)):
        out[i + 1] = v[i]


@ti.kernel
def small_mixed(a: ti.i8, out: I32_1D, b: ti.u1, c: ti.i16, d: ti.u8):
    out[0] = a
    out[1] = ti.cast(b, ti.i32)
    out[2] = c
    out[3] = d


@ti.kernel
def large(
    m: ti.types.matrix(5, 5, ti.f64),
    out: ti.types.ndarray(dtype=ti.f64, ndim=1),
    column: ti.types.matrix(3, 1, ti.i64),
    k: ti.u64,
):
    for i, j in ti.static(ti.ndrange(5, 5)):
        out[i * 5 + j] = m[i, j]
    for i in ti.static(range(3)):
        out[25 + i] = ti.cast(column[i, 0], ti.f64)
    out[28] = ti.cast(k, ti.f64)


@ti.kernel
def two_answers(out: I32_1D) -> ti.types.vector(2, ti.f32):
    out[0] = 1
    return ti.Vector([1.0, 2.0])


@ti.kernel
def flags(s: ti.u1, out: I32_1D):
    out[0] = ti.cast(s, ti.i32)


def build_edges(arch) -> ti.aot.Module:
    module = new_module(arch)
    for kernel in (small_last, small_mixed, large, two_answers, flags):
        module.add_kernel(kernel)
    m, column = matrix("m", ti.types.matrix(5, 5, ti.f64)), matrix("column", ti.types.matrix(3, 1, ti.i64))
    module.add_graph("graph_large", graph((large, m, array("out", ti.f64), column, scalar("k", ti.u64))))
    return module


F32_0D = ti.types.ndarray(dtype=ti.f32, ndim=0)
ANY_1D = ti.types.ndarray(ndim=1)
SAMPLE = ti.types.struct(weight=ti.f32, count=ti.i32)
POINT = ti.types.struct(x=ti.f32, y=ti.f32)
PACK = ti.types.argpack(scale=ti.f32, shift=ti.types.vector(3, ti.f32))


@ti.kernel
def no_dimensions(scale: F32_0D, v: ti.types.ndarray(dtype=ti.types.vector(3, ti.f32), ndim=0), out: F32_1D):
    for i in out:
        out[i] = scale[None] * v[None][i % 3]


@ti.kernel
def write_no_dimensions(value: ti.i32, out: ti.types.ndarray(dtype=ti.i32, ndim=0)):
    out[None] = value


@ti.kernel
def most_dimensions(x: ti.types.ndarray(dtype=ti.types.matrix(2, 2, ti.f32), ndim=12)):
    for index in ti.grouped(x):
        x[index] += index[11] + 10 * index[10]


@ti.kernel
def too_many_dimensions(x: ti.types.ndarray(dtype=ti.f32, ndim=13)):
    for index in ti.grouped(x):
        x[index] += 1


@ti.kernel
def vectors_of_one(x: ti.types.ndarray(dtype=ti.types.vector(1, ti.f32), ndim=1), out: F32_1D):
    for i in out:
        out[i] = 2 * x[i][0]


@ti.kernel
def größe(faktor_ä: ti.i64, out: ti.types.ndarray(dtype=ti.i64, ndim=1)):
    for i in out:
        out[i] = faktor_ä * i


@ti.kernel
def without_effect(x: ti.types.vector(3, ti.i64)):
    for _ in range(1):
        unused = ti.cast(x[0], ti.i32)  # noqa: F841


@ti.kernel
def with_gradient(x: ti.types.ndarray(dtype=ti.f32, ndim=1, needs_grad=True), out: F32_1D):
    for i in out:
        out[i] = x[i] + x.grad[i]


@ti.kernel
def without_gradient(x: ti.types.ndarray(dtype=ti.f32, ndim=1, needs_grad=True), out: F32_1D):
    for i in out:
        out[i] = x[i]


@ti.kernel
def takes_struct(s: SAMPLE, out: F32_1D):
    for i in out:
        out[i] = s.weight * s.count


@ti.kernel
def takes_point(p: POINT, out: F32_1D):
    for i in out:
        out[i] = p.x + p.y


@ti.kernel
def takes_pack(_p: PACK, out: F32_1D):
    for i in out:
        out[i] = _p.scale * _p.shift[1]


@ti.kernel
def forth(x: F32_1D, y: F32_1D):
    """Double x into y."""
    for i in y:
        y[i] = 2 * x[i]


@ti.kernel
def back(y: F32_1D, x: F32_1D):
    """Double y into x, with the same code as `forth`."""
    for i in x:
        x[i] = 2 * y[i]


@ti.kernel
def instances(x: ANY_1D):
    for i in x:
        x[i] = 7


VECTOR = ti.types.vector(3, ti.f32)


@ti.kernel
def add_vector(v: VECTOR, out: F32_1D):
    for i in ti.static(range(3)):
        out[i] += v[i]


@ti.kernel
def add_vector_0(v_0: VECTOR, out: F32_1D):
    for i in ti.static(range(3)):
        out[i] += 10 * v_0[i]


@ti.kernel
def add_column(v: ti.types.matrix(3, 1, ti.f32), out: F32_1D):
    for i in ti.static(range(3)):
        out[i] += 100 * v[i, 0]


@ti.kernel
def add_integers(v: ti.types.vector(3, ti.i32), out: F32_1D):
    for i in ti.static(range(3)):
        out[i] += v[i]


@ti.kernel
def add_unsigned(v: ti.types.vector(3, ti.u32), out: F32_1D):
    for i in ti.static(range(3)):
        out[i] += ti.cast(v[i], ti.f32)


@ti.kernel
def unused_texture(image: ti.types.texture(num_dimensions=2), out: F32_1D):
    for i in out:
        out[i] = i


@ti.kernel
def store_texels(
    image: ti.types.rw_texture(num_dimensions=2, fmt=ti.Format.r32f, lod=0),
    volume: ti.types.rw_texture(num_dimensions=3, fmt=ti.Format.rgba8, lod=0),
):
    for i, j in ti.ndrange(4, 4):
        image.store(ti.Vector([i, j]), ti.Vector([1.0, 0.0, 0.0, 0.0]))
        volume.store(ti.Vector([i, j, 0]), ti.Vector([1.0, 0.0, 0.0, 0.0]))


@ti.kernel
def fetch_texels(image: ti.types.texture(num_dimensions=2), out: F32_1D):
    for i in out:
        out[i] = image.fetch(ti.Vector([i, 0]), 0).x


@ti.kernel
def several_returns(out: I32_1D) -> (ti.i8, SAMPLE, ti.types.matrix(2, 2, ti.f64)):
    out[0] = 1
    return 1, SAMPLE(weight=0.5, count=3), ti.Matrix([[1.0, 2.0], [3.0, 4.0]], dt=ti.f64)


def build_kinds(arch) -> ti.aot.Module:
    module = new_module(arch)
    for kernel in (
        no_dimensions,
        write_no_dimensions,
        most_dimensions,
        too_many_dimensions,
        vectors_of_one,
        without_effect,
        größe,
        unused_texture,
        several_returns,
        forth,
        back,
    ):
        module.add_kernel(kernel)
    module.add_kernel(größe)  # once more, under the same name
    plain, differentiable = ti.ndarray(ti.f32, 4), ti.ndarray(ti.f32, 4, needs_grad=True)
    for kernel in (with_gradient, without_gradient):
        module.add_kernel(kernel, template_args={"x": differentiable, "out": plain})
    for kernel in (takes_struct, takes_point):
        module.add_kernel(kernel, template_args={"out": plain})
    for sample in (plain, ti.ndarray(ti.i32, 4)):
        module.add_kernel(instances, template_args={"x": sample})
    add_kernel_with_pack(module, plain)
    add_graphs_of_kinds(module)
    if arch == ti.vulkan:
        add_texture_kernels(module)
    return module


def add_kernel_with_pack(module: ti.aot.Module, plain: ti.Ndarray) -> None:
    """Add a kernel with a sample argument pack: `add_kernel` cannot make one itself."""
    aot = importlib.import_module("taichi.aot.module")
    original = aot.produce_injected_args_from_template
    pack = PACK(scale=1.0, shift=ti.Vector([1.0, 2.0, 3.0]))
    aot.produce_injected_args_from_template = lambda kernel, template_args: [pack, plain]
    try:
        module.add_kernel(takes_pack, template_args={"out": plain})
    finally:
        aot.produce_injected_args_from_template = original


def add_graphs_of_kinds(module: ti.aot.Module) -> None:
    module.add_graph("ablauf_ü", graph((größe, scalar("faktor_ö", ti.i64), array("ziel_ß", ti.i64))))
    nowhere = array("out", ti.i32, ndim=0)
    module.add_graph("graph_no_dimensions", graph((write_no_dimensions, scalar("value", ti.i32), nowhere)))
    out, v, whole = array("out"), matrix("v", VECTOR), matrix("v", ti.types.vector(3, ti.i32))
    one_column = [(kernel, v, out) for kernel in (add_vector, add_vector_0, add_column)]
    module.add_graph("graph_one_column", graph(*one_column))
    module.add_graph("graph_two_signs", graph((add_integers, whole, out), (add_unsigned, whole, out)))


def add_texture_kernels(module: ti.aot.Module) -> None:
    module.add_kernel(store_texels)
    module.add_kernel(fetch_texels)
    module.add_graph("graph_texture", graph((fetch_texels, texture("image"), array("out"))))


RETURNED = """
@ti.kernel
def {kind}_{name}(x: {type}) -> {type}:
    return x
"""
OTHER_RETURNS = """
PAIR = ti.types.struct(weight=ti.f32, count=ti.i32)

@ti.kernel
def vector_u1(a: ti.i32) -> ti.types.vector(3, ti.u1):
    return ti.Vector([a > 0, a > 1, a > 2], dt=ti.u1)

@ti.kernel
def nothing_given() -> ti.i32:
    return -7

@ti.kernel
def several(x: ti.i32, y: ti.f32) -> (ti.f32, ti.u1, ti.types.vector(2, ti.i32), ti.types.matrix(2, 2, ti.f32)):
    return y, x > 3, ti.Vector([x, x + 1]), ti.Matrix([[y, 0.0], [1.0, -y]])

@ti.kernel
def pair(x: ti.i32) -> PAIR:
    return PAIR(weight=0.5, count=x)

@ti.kernel
def total(x: ti.types.ndarray(dtype=ti.i32, ndim=1)) -> ti.i32:
    result = 0
    for i in x:
        result += x[i]
    return result

@ti.kernel
def dot(x: ti.types.ndarray(dtype=ti.f32, ndim=1), y: ti.types.ndarray(dtype=ti.f32, ndim=1)) -> ti.f32:
    result = 0.0
    for i in x:
        result += x[i] * y[i]
    return result

@ti.kernel
def count(step: ti.i32, calls: ti.types.ndarray(dtype=ti.i32, ndim=1)) -> ti.i32:
    calls[0] += step
    return calls[0]
"""
WIDE_RETURNS = """
INNER = ti.types.struct(half=ti.f16, flag=ti.u1)
NESTED = ti.types.struct(p=ti.types.vector(3, ti.f64), inner=INNER, b=ti.i8)

@ti.kernel
def nested(x: ti.i32) -> NESTED:
    p = ti.Vector([1.0, 2.0, 3.0], dt=ti.f64)
    return NESTED(p=p, inner=INNER(half=ti.cast(0.5, ti.f16), flag=x > 3), b=ti.cast(x, ti.i8))

@ti.kernel
def mixed(x: ti.i64) -> (ti.i8, ti.u1, ti.f16, ti.i64, ti.types.vector(3, ti.u8), ti.f64):
    return ti.cast(x, ti.i8), x > 3, ti.cast(x, ti.f16), x, ti.Vector([1, 2, 3], dt=ti.u8), ti.cast(x, ti.f64)

@ti.kernel
def overflow(m: ti.types.matrix(5, 5, ti.f64), k: ti.u64, n: ti.types.matrix(4, 5, ti.i64)) -> (
    ti.types.matrix(5, 5, ti.f64), ti.u64, ti.types.matrix(4, 5, ti.i64)
):
    return m, k, n
"""

FUNCTION_RETURNS = """
@ti.real_func
def climb(first: ti.i32, steps: ti.i32) -> ti.i32:
    result = first
    if steps > 0:
        result = climb(first, steps - 1) + 2
    return result

@ti.kernel
def by_functions(x: ti.types.ndarray(dtype=ti.i32, ndim=1), steps: ti.i32) -> (ti.i32, ti.i64):
    for i in x:
        x[i] = climb(i, steps)
    return climb(x[0], steps), ti.cast(climb(-1, 5), ti.i64) << 32
"""


def returns_source(arch) -> str:
    """Return the source of kernels KIND_DTYPE(x) that return their argument, and of others."""
    names = ("f32", "i32", "u32", "u1") if arch == ti.opengl else DTYPES
    lines = ["import taichi as ti"]
    for name in names:
        for kind in ("scalar",) if name == "u1" else ("scalar", "vector", "matrix"):
            lines.append(RETURNED.format(kind=kind, name=name, type=VALUE[kind].format(f"ti.{name}")))
    lines += [OTHER_RETURNS]
    lines += [WIDE_RETURNS] if arch != ti.opengl else []
    lines += [FUNCTION_RETURNS] if arch in (ti.x64, ti.cuda) else []
    return "\n".join(lines)


def build_returns(arch, folder: Path) -> ti.aot.Module:
    (folder / "return_kernels.py").write_text(returns_source(arch))
    sys.path.insert(0, str(folder))
    kernels = importlib.import_module("return_kernels")
    module = new_module(arch)
    for kernel in vars(kernels).values():
        if hasattr(kernel, "_is_wrapped_kernel"):
            module.add_kernel(kernel)
    count = kernels.count, scalar("step", ti.i32), array("calls", ti.i32)
    module.add_graph("count_twice", graph(count, count))
    return module


def build_fields(arch, export: bool) -> ti.aot.Module:
    field = ti.field(ti.f32, shape=16)

    @ti.kernel
    def increase():
        for i in field:
            field[i] += 1.0

    @ti.kernel
    def read(out: F32_1D):
        for i in field:
            out[i] = field[i]

    module = new_module(arch)
    if export:
        module.add_field("field", field)
    module.add_kernel(increase)
    module.add_kernel(read)
    return module


def build_trees(arch, *exported: str) -> ti.aot.Module:
    """Make fields in two trees, or only in the second, from a FieldsBuilder; tree 0 is empty then."""
    builder = ti.FieldsBuilder()
    second = ti.field(ti.f32)
    builder.dense(ti.i, 16).place(second)
    first = second if exported == ("second",) else ti.field(ti.f32, shape=16)

    @ti.kernel
    def increase():
        for i in second:
            first[i] += 1.0
            second[i] += 2.0

    @ti.kernel
    def read(out: F32_1D):
        for i in out:
            out[i] = first[i] + second[i]

    module = new_module(arch)
    builder.finalize()
    for name, field in (("first", first), ("second", second)):
        if name in exported and (name == "first" or arch != ti.vulkan):  # Vulkan's builder knows only the first tree
            module.add_field(name, field)
    for kernel in (increase, read):
        module.add_kernel(kernel)
    return module


def build_sparse(arch) -> ti.aot.Module:
    """Make 60 sparse fields, for which the library reserves 240 MiB of address space."""
    fields = [ti.field(ti.i32) for _ in range(60)]
    for field in fields:
        ti.root.pointer(ti.i, 4).dense(ti.i, 4).place(field)
    last = fields[-1]

    @ti.kernel
    def increase():
        last[5] += 1

    @ti.kernel
    def read(out: ti.types.ndarray(ti.i32, 1)):
        for i in range(16):
            out[i] = last[i]

    module = new_module(arch)
    for number, field in enumerate(fields):
        module.add_field(f"field{number}", field)
    module.add_kernel(increase)
    module.add_kernel(read)
    return module


def new_module(arch) -> ti.aot.Module:
    wide = ["spirv_has_int8", "spirv_has_int16", "spirv_has_int64", "spirv_has_float16", "spirv_has_float64"]
    return ti.aot.Module(arch, caps=wide if arch == ti.vulkan else [])


def main() -> None:
    arch, folder = getattr(ti, sys.argv[1]), Path(sys.argv[2])
    builds = {
        "basic": lambda: build_module(arch),
        "table": lambda: build_table(arch, folder),
        "edges": lambda: build_edges(arch),
        "fields": lambda: build_fields(arch, export=True),
        "returns": lambda: build_returns(arch, folder),
        "empty": lambda: new_module(arch),
        "lost_fields": lambda: build_fields(arch, export=False),
        "trees": lambda: build_trees(arch, "first", "second"),
        "lost_tree": lambda: build_trees(arch, "first"),
        "late_tree": lambda: build_trees(arch, "second"),
        "profiled": lambda: build_module(arch),
        "lists": lambda: build_fields(arch, export=True),
        "kinds": lambda: build_kinds(arch),  # last, because Taichi cannot restart after an argument pack
    }
    if arch == ti.opengl:  # has no 8-bit and 16-bit numbers
        builds = {name: builds[name] for name in ("basic", "returns")}
    if arch == ti.x64 or "sparse" in sys.argv[3:]:
        builds = {"sparse": lambda: build_sparse(arch), **builds}
    for name, build in builds.items():
        if sys.argv[3:] and name not in sys.argv[3:]:
            continue
        options = {"offline_cache": False, "log_level": ti.ERROR, "cpu_max_num_threads": 3}
        options["demote_dense_struct_fors"] = name != "lists"
        ti.init(arch=arch, kernel_profiler=name == "profiled", **options)
        if ti.lang.impl.current_cfg().arch != arch:
            raise SystemExit(f"taichi cannot compile for {sys.argv[1]} here")
        build().archive(str(folder / f"{name}.tcm"))
    if (folder / "basic.tcm").exists():
        with zipfile.ZipFile(folder / "basic.tcm") as archive:
            archive.extractall(folder / "basic")
    os._exit(0)  # Taichi crashes at exit after an argument pack


if __name__ == "__main__":
    main()
    sys.stdout.flush()
    os._exit(0)  # Taichi may abort in CUDA's clean-up at exit (cuMemFreeAsync)

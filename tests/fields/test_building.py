"""Builds refuse fields they cannot add, and modules state the shapes of fields."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from helpers.archives import with_other_field
from helpers.archs import needs_taichi

import taichi_aot
from taichi_aot import CorruptedDataError, DataType
from taichi_aot.build import BuildError, build


class Trap(NamedTuple):
    """Source lines that create a field ``f``, and the build's message for `arch`."""

    text: str
    message: str
    arch: str = "x64"


TRAPS = {
    "unplaced": Trap("f = ti.field(ti.f32)", "field f is not placed: give it a shape"),
    "placed apart": Trap(
        "f = ti.Vector.field(2, ti.f32)\n"
        "ti.root.dense(ti.i, 4).place(f.get_scalar_field(0))\n"
        "ti.root.dense(ti.i, 8).place(f.get_scalar_field(1))",
        "components of field f have different shapes or offsets",
    ),
    "no field": Trap("f = 3", "field f is a int: add a field"),
    "second tree": Trap(
        "fb = ti.FieldsBuilder()\ng = ti.field(ti.f32)\n"
        "fb.dense(ti.i, 4).place(g)\nfb.finalize()\nf = ti.field(ti.f32, 4)",
        "field f is in tree 1 of fields, and for opengl .*without ti.FieldsBuilder",
        "opengl",
    ),
    "u1": Trap(
        "f = ti.field(ti.u1, 4)", r"a field of u1 and shape \(4,\): SPIR-V code.*four numbers of u1.*use i32", "vulkan"
    ),
    "u1 beside": Trap("f = ti.field(ti.i32, 4)\ng = ti.field(ti.u1, 8)", "four numbers of u1", "vulkan"),
    "unaligned": Trap(
        "f = ti.field(ti.f32, 4)\ng = ti.field(ti.f16, 3)",
        r"a field of f32 and shape \(4,\) would not begin at a multiple of 4 bytes",
        "vulkan",
    ),
    "unaligned in a cell": Trap(
        "f, g = ti.field(ti.f64), ti.field(ti.i32)\nti.root.dense(ti.i, 2).place(f, g)",
        r"a field of f64 and shape \(2,\) would not begin at a multiple of 8 bytes",
        "vulkan",
    ),
    "unaligned from the second cell on": Trap(
        "f, g = ti.field(ti.f64), ti.field(ti.i32)\n"
        "cell = ti.root.dense(ti.i, 2)\ncell.place(f)\ncell.dense(ti.j, 3).place(g)",
        "a field of f64",
        "vulkan",
    ),
    "mask": Trap(
        "f = ti.field(ti.i16)\nti.root.bitmasked(ti.i, 9).place(f)",
        r"a field of i16 and shape \(9,\) has bitmasked nodes of 18 bytes: on cuda .* multiple of 4",
        "cuda",
    ),
    "sparse": Trap(
        "f = ti.field(ti.f32)\nti.root.pointer(ti.i, 4).place(f)", "Pointer SNode is not supported", "vulkan"
    ),
}


@needs_taichi
@pytest.mark.slow(but=("sparse", "no*"))
@pytest.mark.parametrize("name", TRAPS)
def test_unsupported_field_is_an_error_or_a_warning(tmp_path, name):
    trap = TRAPS[name]
    source = tmp_path / "kernels.py"
    source.write_text(f"import taichi as ti\n{trap.text}\n\n\ndef build(module):\n    module.add_field('f', f)\n")
    caps = ["spirv_has_float16", "spirv_has_float64"]
    with pytest.raises(BuildError, match=f"(?s){trap.message}"):
        build(source, tmp_path / "f.tcm", archs=[trap.arch], caps=caps)


@pytest.mark.slow
def test_build_lists_fields_and_warns_about_large_ones(tmp_path):
    source = tmp_path / "kernels.py"
    source.write_text(
        "import taichi as ti\nhollow, lists = ti.field(ti.i32), ti.field(ti.i32)\n"
        "ti.root.pointer(ti.ij, 1 << 10).dense(ti.ij, 1 << 8).place(hollow)\n"
        "ti.root.pointer(ti.i, 1 << 20).dynamic(ti.j, 1 << 11, chunk_size=4).place(lists)\n\n\n"
        "def build(module):\n    module.add_field('hollow', hollow)\n    module.add_field('lists', lists)\n"
    )
    result = build(source, tmp_path / "f.tcm", archs=["x64"])
    assert result.fields == ("hollow", "lists")
    warnings = [each for each in result.warnings if not each.endswith("[compiler]")]
    assert warnings == [
        "field lists has no accessors, because it is too large for an ndarray: "
        "read and write it by kernels of your own [accessors]"
    ]


@pytest.mark.slow(but="x64")
def test_struct_field_is_exported_by_member(tmp_path, rt):
    source = tmp_path / "kernels.py"
    source.write_text(
        "import taichi as ti\nfrom taichi_aot.build import export_field\n"
        "particles = ti.Struct.field({'position': ti.types.vector(2, ti.f32), 'mass': ti.f32}, shape=4)\n"
        "export_field('particles', particles)\n"
    )
    result = build(source, tmp_path / "f.tib", archs=[rt.arch])
    assert result.fields == ("particles.position", "particles.mass")
    module = rt.load_module(result.path)
    module.fields.particles.mass.fill(2)
    assert module.fields.particles.mass.to_numpy().tolist() == [2] * 4
    assert not module.fields.particles.position.to_numpy().any()


@pytest.mark.slow
def test_spirv_modules_state_matrix_shapes(build_source):
    """Taichi writes columns before rows; vectors have one column."""
    info = taichi_aot.inspect(build_source("field_kernels", "vulkan"))
    shapes = {field.name: field.elem_shape for field in info.fields}
    assert (shapes["matrix"], shapes["vector_f32"], shapes["column"]) == ((2, 4), (2,), (3, 1))


@pytest.mark.slow(but="x64-*")
@pytest.mark.parametrize(
    "change",
    [
        {"dtype": DataType.I32},
        {"elem_shape": (2,)},
        {"shape": (16,)},
        {"get": "accelerate"},
        {"set": "taichi_aot_set_w"},
    ],
)
def test_description_must_match_the_accessors(rt, build_source, change):
    with pytest.raises(CorruptedDataError, match="field"):
        with_other_field(build_source("simulation", rt.arch), **change)

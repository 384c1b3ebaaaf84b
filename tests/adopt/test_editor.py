"""The editor of SPIR-V writes what it has read, and what it inserts is valid."""

import pytest
from helpers.archs import needs_taichi
from helpers.plans import parsed
from helpers.shaders import require_valid

from taichi_aot.adopt.spirv._editor import IDS, INPUT, STORAGE_BUFFER, WORKGROUP, Op, Shader

pytestmark = needs_taichi


@pytest.fixture
def shaders(build_source):
    files = parsed(build_source("length_kernels", "vulkan")).files
    return {name: files[name] for name in files if name.endswith(".spv")}


def test_reads_and_writes(shaders):
    for name, code in shaders.items():
        shader = Shader(name, code)
        assert shader.encode() == code
        known = shader.definitions.keys() | shader.by_label.keys()
        assert {used for each in shader if each.op in IDS for used in each.used} <= known
        for block in shader.blocks[1:]:
            assert shader.dominates(shader.blocks[0].label, block.label)


def test_insertions(shaders):
    for name, code in shaders.items():
        shader = Shader(name, code)
        uint = shader.int_type()
        assert shader.uint(7) == shader.uint(7)
        assert shader.literal(shader.uint(7)) == 7
        assert shader.pointer(STORAGE_BUFFER, uint) == shader.pointer(STORAGE_BUFFER, uint)
        shader.require(61)
        group = shader.built_in(26, shader.type(Op.TYPE_VECTOR, uint, 3))
        assert shader.built_in(26, 0) == group
        shader.variable(WORKGROUP, uint)
        shader.buffer(31, uint, 4, 23)
        require_valid(shader.encode())
        assert shader.decorations(33).keys() > Shader(name, code).decorations(33).keys()
        assert INPUT in [each.operands[2] for each in shader.preamble if each.op == Op.VARIABLE]

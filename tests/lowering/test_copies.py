"""The private copies of modules that the library is given."""

import pytest

from taichi_aot import Arch
from taichi_aot.formats._llvm_ir import draws_random_numbers
from taichi_aot.formats._read import read_module
from taichi_aot.lowering._llvm_patches import rename_tasks
from taichi_aot.lowering._lower import lower
from taichi_aot.values._signature import Words


@pytest.mark.parametrize("arch", ["x64", "vulkan"])
@pytest.mark.parametrize("name", ["kinds", "returns"])
def test_a_module_is_not_changed_by_its_copies(compiled, arch, name):
    module = read_module(compiled(arch) / f"{name}.tcm")
    before = repr(module.stated), dict(module.files)
    copies = [lower(module, words) for words in (Words.ALL, Words.SCALARS, Words.ALL)]
    assert (repr(module.stated), dict(module.files)) == before
    assert copies[0] == copies[2]
    assert copies[0].results
    assert not copies[1].results
    assert copies[0].files != copies[1].files != module.files


@pytest.mark.parametrize("arch", ["x64", "vulkan"])
def test_copies_have_the_same_kernels(compiled, arch):
    module = read_module(compiled(arch) / "kinds.tcm")
    copy = lower(module)
    assert copy.info is module.info
    assert copy.files.keys() == module.files.keys()
    kept = {name for name, data in copy.files.items() if data == module.files[name]}
    assert all(name in kept for name in copy.files if name.endswith(".spv"))
    assert (Arch.VULKAN in module.info.archs) == any(name.endswith(".spv") for name in copy.files)


CODE = b"""
define void @%b(%%struct.RuntimeContext* %%context) {
  %%1 = call i32 @rand_u32(%%struct.RuntimeContext* %%context)
  ret void
}
"""


@pytest.mark.parametrize(
    ("name", "spelled"), [("plain", b"plain"), ("größe", rb'"gr\C3\B6\C3\9Fe"'), ('a"b\\', rb'"a\22b\5C"')]
)
def test_names_that_code_spells_in_another_way_are_found(name, spelled):
    code = CODE % spelled
    assert draws_random_numbers(code, name)
    symbols: dict[str, str] = {}
    renamed = rename_tasks([name], code, symbols)
    assert draws_random_numbers(renamed, symbols.get(name, name))
    assert set(symbols) == ({name} - {"plain"})

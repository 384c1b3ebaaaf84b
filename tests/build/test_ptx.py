"""PTX and cubins of CUDA modules: which kernels have it, why others have none, and who compiles it."""

import json
import os
import re
import shutil
import struct
import sys

import pytest
from helpers import ptx_faults
from helpers.archives import read_archive
from helpers.child import in_child
from helpers.plans import parsed

from taichi_aot import Arch, inspect
from taichi_aot.adopt.taichi._native import (
    CHUNK_TYPE,
    RANDOM,
    RESULTS,
    ROOTS,
    RUNTIME_LAYOUT,
    RUNTIME_MEMBERS,
    RUNTIME_TYPE,
    TEMPORARIES,
    cubin_name,
    entries,
    ptx_name,
    verify_ptx,
)
from taichi_aot.build import BuildError, _options, build
from taichi_aot.build.code import _native, _ptx
from taichi_aot.build.code._native import CUDA_CODE, needs_of_module, shares_data
from taichi_aot.build.code._ptx import assemble, find_assembler, why_no_ptx, with_ptx
from taichi_aot.bundle._plan import read_origin
from taichi_aot.cli.main import main
from taichi_aot.isolated import validate

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="PTX is compiled on Linux only")

CUBIN = struct.pack("<4sBB10sHHI", b"\x7fELF", 2, 1, b"", 2, 190, 1) + bytes(40)
LATE_TREE = """
import taichi as ti

from taichi_aot.build import export, export_field

first_tree = ti.FieldsBuilder()
first_tree.dense(ti.i, 4).place(ti.field(ti.i32))
first_tree.finalize()
tree = ti.FieldsBuilder()
level = ti.field(ti.i32)
tree.dense(ti.i, 4).place(level)
tree.finalize()
export_field("level", level)


@export
@ti.kernel
def store(value: ti.i32):
    for i in level:
        level[i] = value
"""
FAULTS = """
import taichi as ti

from taichi_aot.build import export, export_field

Floats = ti.types.ndarray(ti.f32, 1)
level = ti.field(ti.f32, 4)
export_field("level", level)


@export
@ti.kernel
def {names[0]}(x: Floats):
    for i in x:
        x[i] = 1.0


@export
@ti.kernel
def {names[1]}(x: Floats):
    for i in x:
        x[i] = 2.0


@export
@ti.kernel
def {names[2]}(value: ti.f32):
    for i in level:
        level[i] = value


@export
@ti.kernel
def kept(x: Floats):
    for i in x:
        x[i] = 3.0
"""
ASSEMBLER = """#!/bin/sh
while [ "$1" != -o ]; do shift; done
(cat {cubin}; sed -n 's/.*[.]entry \\([^(]*\\)(.*/.text.\\1/p' kernel.ptx | tr '\\n' '\\0') > "$2"
"""


@pytest.fixture
def path(build_source):
    return build_source("ptx_kernels", "cuda")


@pytest.fixture
def assembler(tmp_path, monkeypatch):
    """An assembler that writes cubins with the names of functions alone."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "cubin").write_bytes(CUBIN)
    program = folder / "ptxas"
    program.write_text(ASSEMBLER.format(cubin=folder / "cubin"))
    program.chmod(0o755)
    monkeypatch.setattr(_ptx, "FOLDER", "no.such.package")
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), os.environ["PATH"]]))
    return program


def test_needs_of_kernels(path):
    module = parsed(path)
    assert {name: kernel.needs for name, kernel in module.ptx.kernels.items()} == {
        "saxpy": {TEMPORARIES},
        "total": {TEMPORARIES, RESULTS},
        "turn": {TEMPORARIES},
        "narrow": {TEMPORARIES},
        "staged": {TEMPORARIES},
        "precise": {TEMPORARIES},
        "noise": {TEMPORARIES, RANDOM},
        "größe": {TEMPORARIES},
        "store": {ROOTS},
        "taichi_aot_get_grid": {ROOTS},
        "taichi_aot_set_grid": {ROOTS},
    }
    assert {name for name, kernel in module.ptx.kernels.items() if kernel.trees} == {
        "store",
        "taichi_aot_get_grid",
        "taichi_aot_set_grid",
    }
    verify_ptx(module.ptx)


def test_functions_are_those_of_the_tasks(path):
    module = parsed(path)
    for name, kernel in module.ptx.kernels.items():
        tasks = [task.name for task in module.info.kernels[name].tasks] if name in module.info.kernels else None
        text = module.ptx.images[ptx_name(name)]
        assert set(entries(text)) == set(kernel.tasks)
        assert b".target sm_70" in text
        assert all(map(str.isascii, kernel.tasks))
        if tasks is not None and name.isascii():
            assert list(kernel.tasks) == [tasks[task.number] for task in module.ptx.tasks[name]]


def test_other_kernels_have_a_reason(path):
    assert inspect(path).not_ptx == {"show": "prints"}


def test_kernels_with_sparse_fields_and_those_beside_them_have_a_reason(build_source):
    accessors = [f"taichi_aot_{role}_cells" for role in ("get", "set", "gather", "scatter")]
    sparse = dict.fromkeys(("activate", *accessors), "uses sparse fields")
    shared = "uses a field of kernel 'show', which has no PTX"
    assert inspect(build_source("native_kernels", "cuda")).not_ptx == {
        **sparse,
        **dict.fromkeys(("taichi_aot_get_level", "taichi_aot_set_level"), shared),
        "show": "prints",
    }


def test_random_numbers_have_one_state_for_each_thread(path, monkeypatch):
    module = parsed(path)
    monkeypatch.setattr(_native, "MAX_RANDOM_THREADS", 1000)
    refused = needs_of_module(module, CUDA_CODE)[1]
    assert refused["noise"] == "draws random numbers in more than 1,000 threads"
    code = module.files["noise.ll"].replace(b"shl i32", b"lshr i32", 1)
    other = {**{name: module.files[name] for name in module.files}, "noise.ll": code}
    refused = needs_of_module(module._replace(files=other), CUDA_CODE)[1]
    assert refused["noise"] == "draws random numbers in a way that is not understood"


def test_trees_of_fields_may_lack_numbers(tmp_path):
    source = tmp_path / "late.py"
    source.write_text(LATE_TREE)
    module = parsed(build(source, tmp_path / "late.tcm", archs=["cuda"]).path)
    assert min(module.info.field_trees) > 0
    assert module.ptx.kernels["store"].trees == module.info.field_trees


def test_kernels_with_checks_stay_with_the_library(tmp_path, fill):
    result = build(fill, tmp_path / "fill.tcm", archs=["cuda"], debug=True)
    assert result.ptx == ()
    assert result.not_ptx == {"fill": "has asserts, or checks its indices"}


@pytest.mark.parametrize(
    ("line", "is_shared"),
    [
        (b"@pad = external addrspace(3) global [64 x float], align 8", False),
        (b'@"$str" = private addrspace(1) constant [11 x i8] c"__CUDA_FTZ\\00"', False),
        (b'@text = private unnamed_addr constant [8 x i8] c"global \\00", align 1', False),
        (b"@__cudart_i2opi_d = internal addrspace(4) global [1 x i64] [i64 7780917995555872008], align 8", False),
        (b"@table = external addrspace(4) global [1 x i64]", True),
        (b"@counter = internal addrspace(1) global i32 0", True),
        (b"@counter = external global i32", True),
        (b"@counter = common dso_local global i32 0", True),
        (b"@counter = external thread_local(initialexec) global i32", True),
        (b'@"a = b" = internal global i32 0', True),
    ],
)
def test_global_variables_are_found(line, is_shared):
    assert shares_data(b"target\n" + line + b"\n", CUDA_CODE) is is_shared


def test_layout_of_the_runtime_is_that_of_llvm():
    llvm = pytest.importorskip("llvmlite.binding")
    llvm.initialize_all_targets()
    target = llvm.Target.from_triple("x86_64-unknown-linux-gnu").create_target_machine().target_data
    others = "".join(
        f"%struct.{name} = type opaque\n" for name in ("ListManager", "NodeManager", "RandState", "__va_list_tag")
    )
    code = f"{(RUNTIME_TYPE + CHUNK_TYPE).decode()}{others}@it = external global %struct.LLVMRuntime\n"
    struct_type = llvm.parse_assembly(code).get_global_variable("it").global_value_type
    size, found = RUNTIME_LAYOUT
    assert size == target.get_abi_size(struct_type)
    assert found == {name: target.get_element_offset(struct_type, number) for name, number in RUNTIME_MEMBERS.items()}


def test_the_same_module_gives_the_same_ptx(path, monkeypatch):
    module = parsed(path)
    monkeypatch.setattr(_ptx, "BATCH", 3)
    monkeypatch.setattr(_ptx, "find_assembler", lambda: "")
    shown = []
    again = with_ptx(module._replace(ptx=None), 600, shown.append).ptx
    assert again == module.ptx._replace(images=again.images)
    assert again.images == dict(module.ptx.images)
    assert shown == [3, 6, 9, 11]


def test_inspect_and_validate_know_ptx(path, capsys):
    assert main(["inspect", str(path)]) == 0
    whole = capsys.readouterr().out
    assert "\nPTX for cuda\n" in whole
    assert "kernels without PTX:\n" in whole
    assert "    show    prints\n" in whole
    for name, line in (("saxpy", "PTX for cuda"), ("show", "no PTX: it prints")):
        assert main(["inspect", str(path), "--kernel", name]) == 0
        assert f"\n{line}\n" in capsys.readouterr().out
    assert main(["inspect", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ptx_targets"] == ["ptx"]
    assert "digest" not in str(validate(path, "cuda").steps[0].message)


def test_result_has_the_reasons(fill, tmp_path, capsys):
    output = tmp_path / "fill.tcm"
    assert main(["build", str(fill), "--arch", "cuda", "-o", str(output), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["ptx"], result["not_ptx"]) == (["fill"], {})


def test_ptx_can_be_left_out(fill, tmp_path, monkeypatch, capsys):
    output = tmp_path / "fill.tcm"
    assert main(["build", str(fill), "--arch", "cuda", "--no-native", "-o", str(output)]) == 0
    assert "PTX" not in capsys.readouterr().out
    assert not any(name.endswith((".ptx", ".cubin")) for name in read_archive(output))
    assert why_no_ptx(False)
    monkeypatch.setattr(_ptx, "why_no_cuda_driver", lambda: "no driver")
    assert why_no_ptx(None) == "cannot be compiled here: no driver"
    with pytest.raises(BuildError, match="cuda: PTX cannot be compiled here: no driver"):
        why_no_ptx(True)


def test_machine_without_the_library_builds_without_ptx(fill, tmp_path, monkeypatch):
    monkeypatch.setenv("TAICHI_C_API_INSTALL_DIR", str(tmp_path))
    result = build(fill, tmp_path / "fill.tcm", archs=["cuda"])
    assert result.not_ptx == {"fill": "needs the C library of Taichi"}
    with pytest.raises(BuildError, match="cuda: PTX needs the C library of Taichi"):
        build(fill, tmp_path / "fill.tcm", archs=["cuda"], native=True)


def test_cubins_are_assembled(fill, assembler, tmp_path):
    assert find_assembler() == str(assembler)
    result = build(fill, tmp_path / "fill.tib", archs=["cuda"], cubins=["sm_90", "sm_80"])
    module = parsed(result.path)
    assert module.ptx.capabilities == ("sm_80", "sm_90")
    assert module.ptx.images[cubin_name("fill", "sm_80")].startswith(CUBIN)
    assert module.ptx.images[ptx_name("fill")].startswith(b"//")
    assert read_origin(result.path).options == ("--cubins", "sm_80,sm_90")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (
            'echo "ptxas kernel.ptx, line 7; error: it is wrong" >&2; exit 1',
            "is refused by ptxas for {}: .*it is wrong",
        ),
        ("exit 3", "is refused by ptxas for {}: no reason is stated"),
        ("kill -SEGV $$", r"crashes ptxas for {} \(signal 11\)"),
        ("exit 0", "cannot be assembled by ptxas for {}: No such file"),
    ],
)
def test_errors_of_the_assembler_are_reasons(assembler, script, reason):
    assembler.write_text(f"#!/bin/sh\n{script}\n")
    cubins, refused = assemble(str(assembler), {"fill": ""}, "sm_75", 600)
    assert not cubins
    assert re.match(reason.format("sm_75"), refused["fill"])


def test_kernel_that_the_assembler_refuses_has_no_ptx(fill, assembler, tmp_path):
    assembler.write_text("#!/bin/sh\nexit 3\n")
    result = build(fill, tmp_path / "fill.tcm", archs=["cuda"])
    assert result.not_ptx == {"fill": "is refused by ptxas for sm_75: no reason is stated"}
    assert inspect(result.path).not_ptx == result.not_ptx
    with pytest.raises(BuildError, match="cuda: no kernel has a cubin: kernel 'fill' is refused by ptxas for sm_90"):
        build(fill, tmp_path / "fill.tcm", archs=["cuda"], cubins=["sm_90"])


def test_assembler_that_hangs_is_ended(assembler):
    assembler.write_text("#!/bin/sh\nexec sleep 600\n")
    assert assemble(str(assembler), {"fill": ""}, "sm_75", 0.2) == (
        {},
        {"fill": "times out in ptxas for sm_75, after 0.2 s"},
    )


def with_faults(tmp_path, monkeypatch, timeout, *names):
    """Build a module whose compiler of PTX fails as these kernels say, the third of which uses a field."""
    monkeypatch.setattr(_ptx, "compile_ptx", ptx_faults.compile_ptx)
    monkeypatch.setattr(_ptx, "find_assembler", lambda: "")
    source = tmp_path / "faults.py"
    source.write_text(FAULTS.format(names=names))
    path = build(source, tmp_path / "faults.tcm", archs=["cuda"], native=False).path
    shown = []
    module = with_ptx(parsed(path), timeout, shown.append)
    verify_ptx(module.ptx)
    assert shown == sorted(shown)
    return module.ptx


def test_kernels_at_which_the_compiler_fails_have_no_ptx(tmp_path, monkeypatch):
    ptx = with_faults(tmp_path, monkeypatch, 600, "crash", "refused", "crash_too")
    shared = "uses a field of kernel 'crash_too', which has no PTX"
    assert set(ptx.kernels) == {"kept"}
    assert ptx.refused["crash"].startswith("crashes in the compiler of PTX: SIGABRT")
    assert ptx.refused["refused"] == "is refused by the compiler of PTX: an unknown instruction"
    assert ptx.refused["taichi_aot_get_level"] == ptx.refused["taichi_aot_set_level"] == shared


def test_kernel_at_which_the_compiler_hangs_has_no_ptx(tmp_path, monkeypatch):
    ptx = with_faults(tmp_path, monkeypatch, 8, "hang", "fine", "store")
    assert ptx.refused == {"hang": "times out in the compiler of PTX: after 8 s"}
    assert set(ptx.kernels) == {"fine", "store", "kept", "taichi_aot_get_level", "taichi_aot_set_level"}


def test_compiler_that_always_fails_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(_ptx, "MOST_FAILURES", 2)
    ptx = with_faults(tmp_path, monkeypatch, 600, "crash", "crash_second", "crash_third")
    assert not ptx.kernels
    assert ptx.refused["kept"] == "was not tried, because the compiler of PTX failed 2 times before"


def test_missing_assembler_is_an_error(fill, tmp_path, monkeypatch):
    monkeypatch.setattr(_ptx, "FOLDER", "no.such.package")
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(BuildError, match="cubins need NVIDIA's assembler, ptxas: pip install nvidia-cuda-nvcc-cu12"):
        build(fill, tmp_path / "fill.tcm", archs=["cuda"], cubins=["sm_90"])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"cubins": "sm_90"}, TypeError, "cubins is a sequence, not a string"),
        ({"cubins": ["90"]}, ValueError, "cubins are for 'native' and capabilities such as 'sm_90', not '90'"),
        ({"cubins": ["sm_90"], "archs": ["x64"]}, ValueError, "cubins are for cuda, which archs="),
        ({"cubins": ["sm_90"], "native": False}, ValueError, "cubins are made of PTX, which native=False leaves out"),
    ],
)
def test_wrong_cubins(fill, tmp_path, options, error, message):
    with pytest.raises(error, match=message):
        build(fill, tmp_path / "fill.tib", **options)


@pytest.mark.usefixtures("fake_cuda")
@in_child
def test_native_cubins_are_for_the_devices_here():
    assert _options.read_cubins(["native", "sm_90"], [Arch.CUDA], None) == ("sm_75", "sm_90")


def test_native_cubins_need_a_device(monkeypatch):
    monkeypatch.setattr(_options, "count_cuda_devices", lambda _: 0)
    with pytest.raises(ValueError, match="cubins for 'native' need a CUDA device here: "):
        _options.read_cubins(["native"], [Arch.CUDA], None)


@pytest.mark.skipif(not find_assembler(), reason="CUDA's assembler is not installed")
def test_the_assembler_accepts_all_kernels(path):
    module = with_ptx(parsed(path)._replace(ptx=None), 600, cubins=["sm_90"])
    verify_ptx(module.ptx)
    again = with_ptx(parsed(path)._replace(ptx=None), 600, cubins=["sm_90"])
    assert again.ptx == module.ptx

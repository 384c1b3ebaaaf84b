"""``plan.json``: it states all that a module does, and what is damaged or another's is refused."""

import copy
import io
import itertools
import json
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from helpers.archives import join, pack, read_archive, taichis_own, write_folder
from helpers.archs import needs_taichi
from helpers.child import run_in_child
from helpers.inside import is_sound
from helpers.plans import parsed
from scenarios.mutants import try_lies

from taichi_aot import Arch, CorruptedDataError, IncompatibleModuleError, inspect, load
from taichi_aot.adopt._make import verify
from taichi_aot.adopt._module import plan_of
from taichi_aot.adopt.taichi._plans import ArgumentKind, BindingKind, Operation
from taichi_aot.build import build
from taichi_aot.bundle._files import PLAN, Files, open_source
from taichi_aot.bundle._plan import SourceFiles, inherit_shapes, parse_plan, plan_digest

pytestmark = needs_taichi
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="compiles for CUDA, on Linux only")

V3 = "native-x86-64-v3.so"
HOWTO = Path(__file__).parents[2] / "examples" / "howto" / "kernels.py"


def with_plan(files, change=lambda stated: None, **others):
    """Return the files of a module with another plan and other files, whose digest is right."""
    files = {**files, **others}
    stated = json.loads(files[PLAN])
    change(stated)
    stated["digest"] = ""
    own = Files.of({name: files[name] for name in stated["files"] if name in files})
    digest = plan_digest(json.dumps(stated).encode(), own)
    return {**files, PLAN: json.dumps({**stated, "digest": digest}).encode()}


@pytest.fixture(scope="module")
def files(build_source):
    """The files of a module with machine code."""
    return read_archive(build_source("native_kernels", "x64"))


def unpack(archive):
    """Return the files of an archive in memory."""
    with open_source(archive) as container:
        return {name: container.read(name) for name in container.names}


# What it states.


def contents(info):
    """Return what a module states, without what only a plan does."""
    added = ("native_targets", "not_native", "ptx_targets", "not_ptx")
    stated = {key: value for key, value in info.to_dict().items() if key not in added}
    stated["kernels"] = {name: kernel_contents(each) for name, each in info.all_kernels.items()}
    return stated | {"public": list(info.kernels)}


def kernel_contents(kernel):
    tasks = tuple(task._replace(loop="", codes=()) for task in kernel.tasks)
    return kernel._replace(tasks=tasks).to_dict() | {"returned": kernel.return_dtype}


@on_linux
@pytest.mark.parametrize(
    ("source", "arch"),
    [
        ("native_kernels", "x64"),
        ("stencil_kernels", "x64"),
        ("ptx_kernels", "cuda"),
        ("kept_kernels", "vulkan"),
        ("field_kernels", "vulkan"),
    ],
)
def test_plan_of_a_build_has_the_contents_of_the_module(build_source, source, arch):
    info, module = inspect(build_source(source, arch)), parsed(build_source(source, arch))
    assert contents(info) == contents(inherit_shapes(module.info))
    own = module.native or module.ptx
    assert (info.not_native or info.not_ptx) == (own.refused if own else {})
    assert all(kernel.doc or kernel.line for kernel in info.kernels.values())


@pytest.mark.parametrize(
    ("name", "arch"), [*itertools.product(["basic", "fields", "kinds", "returns"], ["x64", "vulkan"]), ("trees", "x64")]
)
def test_plan_of_a_module_has_its_contents(compiled, name, arch):
    module = parsed(compiled(arch) / f"{name}.tcm")
    plan = plan_of(module, is_compact=True)
    files = Files.of({**plan.files, PLAN: json.dumps(plan.stated()).encode()})
    read = parse_plan(SourceFiles(module.where, files))
    assert contents(read.contents()) == contents(inherit_shapes(module.info))


def test_same_source_gives_the_same_bytes(tmp_path):
    """Also in another folder, at another time: Taichi's files contain the time in seconds."""
    folders = [tmp_path / name for name in ("one", "a second folder")]
    for folder in folders:
        folder.mkdir()
        shutil.copy(HOWTO, folder)
    bundle, again = (build(f / HOWTO.name, f / "a.tib", archs=["x64", "vulkan"]).path for f in folders)
    assert bundle.read_bytes() == again.read_bytes()
    modules = {arch: build(HOWTO, tmp_path / f"{arch}.tcm", archs=[arch]).path for arch in (Arch.X64, Arch.VULKAN)}
    joined, built = unpack(join(modules)), read_archive(bundle)
    assert {name: joined[name] for name in ("x64.tcm", "vulkan.tcm")} == {
        name: built[name] for name in ("x64.tcm", "vulkan.tcm")
    }


# What C can follow.

SCALAR, TENSOR, ARRAY, TEXTURE = range(4)  # arguments of the launch
LAUNCH = {
    "bytes": 64,
    "arguments": [
        [SCALAR, ArgumentKind.VALUE, 0, 4],
        [TENSOR, ArgumentKind.WORDS, 8, 12],
        [ARRAY, ArgumentKind.ARRAY, 24, 2],
        [ARRAY, ArgumentKind.ADDRESS, 32, 8],
        [TEXTURE, ArgumentKind.EXTENT, 52, 3],
    ],
    "tasks": [
        {
            "name": "t",
            "groups": 3,
            "block": 128,
            "bindings": [
                [0, BindingKind.ARGUMENTS, 0],
                [1, BindingKind.ARRAY, ARRAY],
                [2, BindingKind.TEXTURE, TEXTURE],
                [3, BindingKind.RW_TEXTURE, TEXTURE],
            ],
            "length": [Operation.LOAD, 60, Operation.LOAD, 0, Operation.MULTIPLY, 0],
        }
    ],
}
PUSH, ADD = [Operation.CONSTANT, 1], [Operation.ADD, 0]


@pytest.mark.parametrize(
    ("change", "follows"),
    [
        ({}, True),
        ({"bytes": 0}, False),
        ({"bytes": 63}, False),  # the last size of the texture is beyond
        ({"bytes": 1 << 20}, True),
        ({"bytes": (1 << 20) + 1}, False),
        ({"arguments.0.0": 4}, False),  # the launch has no such argument
        ({"arguments.0.0": ARRAY}, False),
        ({"arguments.0.1": 5}, False),
        ({"arguments.0.2": 60}, True),
        ({"arguments.0.2": 61}, False),
        ({"arguments.0.2": 2**32 - 1}, False),
        ({"arguments.0.3": 0}, False),
        ({"arguments.0.3": 9}, False),
        ({"arguments.1.0": SCALAR}, False),
        ({"arguments.1.3": 57}, False),
        ({"arguments.1.3": 128, "bytes": 136}, True),
        ({"arguments.1.3": 129, "bytes": 256}, False),
        ({"arguments.2.0": TENSOR}, False),
        ({"arguments.2.3": 0}, True),
        ({"arguments.2.3": 11}, False),
        ({"arguments.2.3": 16, "bytes": 128}, True),
        ({"arguments.2.3": 17, "bytes": 128}, False),
        ({"arguments.2.3": 2**30, "bytes": 128}, False),
        ({"arguments.3.0": SCALAR}, False),
        ({"arguments.3.2": 57}, False),
        ({"arguments.4.0": ARRAY}, False),
        ({"arguments.4.3": 4, "bytes": 128}, False),
        ({"tasks.0.length": []}, True),
        ({"tasks.0.length": PUSH}, True),
        ({"tasks.0.length": PUSH, "tasks.0.block": 0}, False),
        ({"tasks.0.block": 0, "tasks.0.length": []}, True),
        ({"tasks.0.length": [0]}, False),
        ({"tasks.0.length": [-1, 0]}, False),
        ({"tasks.0.length": [*PUSH, *PUSH, 8, 0]}, False),
        ({"tasks.0.length": [Operation.LOAD, 61]}, False),
        ({"tasks.0.length": [Operation.LOAD, -1]}, False),
        ({"tasks.0.length": ADD}, False),
        ({"tasks.0.length": [*PUSH, *ADD]}, False),
        ({"tasks.0.length": [*PUSH, *PUSH]}, False),
        ({"tasks.0.length": [*16 * PUSH, *15 * ADD]}, True),
        ({"tasks.0.length": [*17 * PUSH, *16 * ADD]}, False),
        ({"tasks.0.bindings": [[i, BindingKind.ROOT, 0] for i in range(32)]}, True),
        ({"tasks.0.bindings": [[i, BindingKind.ROOT, 0] for i in range(33)]}, False),
        ({"tasks.0.bindings.0.0": 1 << 16}, False),
        ({"tasks.0.bindings.0.0": 2**32 - 1}, False),
        ({"tasks.0.bindings.1.1": 8}, False),
        ({"tasks.0.bindings.1.2": TEXTURE}, False),
        ({"tasks.0.bindings.1.2": 4}, False),
        ({"tasks.0.bindings.2.2": ARRAY}, False),
        ({"tasks.0.bindings.3.2": SCALAR}, False),
    ],
    ids=str,
)
def test_launch_stays_within_its_bounds(change, follows):
    assert is_sound(changed(LAUNCH, change), "swat") is follows


def changed(value, changes):
    """Return a copy with other values at some places."""
    value = copy.deepcopy(value)
    for path, new in changes.items():
        place, *keys = value, *path.split(".")
        for key in keys[:-1]:
            place = place[int(key)] if isinstance(place, list) else place[key]
        place[int(keys[-1]) if isinstance(place, list) else keys[-1]] = new
    return value


# What is damaged.


@pytest.mark.scaled
@pytest.mark.parametrize(
    ("source", "arch"),
    [("native_kernels", "x64"), ("stencil_kernels", "x64"), ("kept_kernels", "vulkan"), ("field_kernels", "vulkan")],
)
def test_plan_that_lies_ends_in_exceptions(build_source, source, arch, scaled):
    """Where the code finds its arguments is not tried: it is code."""
    path = build_source(source, arch)
    without = {"TAICHI_C_API_INSTALL_DIR": os.devnull}
    run_in_child(try_lies, arch, path, 1, scaled(100, 2500), env=without, quiet=False, named={"has_library": False})
    # The library takes a second to start, and gets nothing that is damaged.
    run_in_child(try_lies, arch, path, 2, scaled(8, 50), quiet=False, named={"has_library": True})


def stated_of_saxpy(parameter, **values):
    return lambda stated: stated["kernels"]["saxpy"]["parameters"][parameter].update(values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.pop("kernels"), r"plan\.json is damaged \(KeyError: 'kernels'\)"),
        (lambda s: s.update(kernels=[]), r"plan\.json: kernels is damaged \(it is \[\]\)"),
        (lambda s: s.update(archs=["moon"]), r"plan\.json: archs\[0\] is damaged \(KeyError: 'moon'\)"),
        (lambda s: s.update(plan="1"), r"plan\.json: plan is damaged \(it is '1'\)"),
        (lambda s: s["files"].append("more.ll"), r"more\.ll is missing, which plan\.json names"),
        (lambda s: s["runtime"]["members"].update(roots=2**30), "runtime is damaged .*its roots leave"),
        (lambda s: s["runtime"].pop("size"), r"plan\.json: runtime is damaged \(KeyError: 'size'"),
        (stated_of_saxpy(0, dtype="f8"), r"kernels\.saxpy\.parameters\[0\]\.dtype is damaged \(KeyError: 'f8'\)"),
        (
            stated_of_saxpy(0, kind="matrix", elem_shape=[10**9]),
            r"kernels\.saxpy\.parameters\[0\] is damaged .*: a matrix of 8000",
        ),
        (
            stated_of_saxpy(0, kind="matrix", elem_shape=[-1]),
            r"kernels\.saxpy\.parameters\[0\]\.elem_shape is damaged .it is \[-1\]",
        ),
        (stated_of_saxpy(0, kind="tensor"), r"kernels\.saxpy\.parameters\[0\]\.kind is damaged .KeyError: 'tensor'"),
        (stated_of_saxpy(1, dtype=None), r"kernels\.saxpy\.parameters\[1\]\.dtype is damaged .it is None"),
        (stated_of_saxpy(1, shape=["n", "n"]), "kernels.saxpy is damaged .*'x' is stated with 2 dimensions"),
        (stated_of_saxpy(1, shape=["a"]), "kernels.saxpy is damaged .*'a' is the parameter a: f32, which is no"),
        (stated_of_saxpy(1, name="\ud800"), r"plan\.json is damaged \(UnicodeEncodeError"),
        (
            lambda s: s["kernels"]["saxpy"]["parameters"][1].pop("dtype"),
            r"kernels\.saxpy\.parameters\[1\] .*KeyError: 'dtype'",
        ),
        (
            lambda s: s["kernels"]["saxpy"].update(cpu_threads=-5),
            "kernels.saxpy.cpu_threads is damaged .*it is -5",
        ),
        (
            lambda s: s["kernels"]["saxpy"].update(cpu_threads={}),
            "kernels.saxpy.cpu_threads is damaged .*it is {}",
        ),
        (lambda s: s["kernels"]["saxpy"].update(doc=[3]), "kernels.saxpy.doc is damaged"),
        (
            lambda s: s["kernels"]["total"]["result"].update(value="|O"),
            "total.result.value is damaged .*no type of",
        ),
        (lambda s: s["fields"][0].update(shape=[-5]), r"fields\[0\]\.shape is damaged .it is \[-5\]"),
        (lambda s: s.update(family="spirv"), "family is damaged"),
        (lambda s: s["library"].pop("names"), "library is damaged .KeyError: 'names'"),
        (lambda s: s["library"].update(names=[3]), r"library\.names is damaged"),
        (lambda s: s["library"].update(tokens="x"), "library.tokens is damaged"),
        (
            lambda s: s["kernels"]["saxpy"]["launch"].update(bytes=3),
            "the plan of 'saxpy' is damaged .*leaves its bounds",
        ),
        (lambda s: s["kernels"]["saxpy"]["launch"]["tasks"][0].update(name="no"), "lacks the function 'no'"),
        (lambda s: s["kernels"]["total"]["result"].update(size=400), "kernels.total.result is damaged"),
    ],
)
def test_error_names_the_damage(files, change, message):
    with pytest.raises(CorruptedDataError, match=message):
        plan_all(pack(with_plan(files, change)))


def plan_all(archive):
    with load(archive, "x64") as module:
        for kernel in module.kernels.values():
            assert kernel.recording


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"3", b"\xff", b"[" * 100_000])
def test_plan_must_be_an_object_of_json(files, data):
    with pytest.raises(CorruptedDataError, match=r"plan\.json is damaged"):
        inspect(pack({**files, PLAN: data}))


def test_plan_of_another_version_has_a_remedy(files):
    for number, remedy in ((1, "build it again"), (3, "update taichi-aot")):
        with pytest.raises(IncompatibleModuleError, match=rf"has the format {number}, and .* reads 2: {remedy}$"):
            inspect(pack(with_plan(files, lambda stated, n=number: stated.update(plan=n))))


def test_bundle_of_another_version_has_a_remedy(files):
    for number, remedy in ((1, "build it again"), (2, "build it again"), (4, "update taichi-aot")):
        other = {"bundle.json": json.dumps({"format": number, "news": []}).encode()}
        with pytest.raises(IncompatibleModuleError, match=rf"has the format {number}, and .* reads 3: {remedy}$"):
            inspect(pack({**other, "x64.tcm": pack(files)}))


def test_every_file_of_a_folder_is_compared(files, tmp_path):
    write_folder(tmp_path, files)
    with load(tmp_path, "x64") as module:
        assert "saxpy" in module.kernels
    for name in files:
        damaged = bytearray(files[name])
        damaged[len(damaged) // 2] ^= 1
        (tmp_path / name).write_bytes(damaged)
        with pytest.raises(CorruptedDataError, match=r"plan\.json"):
            load(tmp_path, "x64")
        (tmp_path / name).unlink()
        if name != PLAN:
            with pytest.raises(CorruptedDataError, match=rf"{name} is missing, which plan\.json names: copy or build"):
                inspect(tmp_path)
        (tmp_path / name).write_bytes(files[name])


def test_loading_reads_only_the_code_that_it_opens(build_source):
    """Taichi's own code is read when the library gets it; an archive has a checksum of each file."""
    data = bytearray(build_source("native_kernels", "x64").read_bytes())
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entry = archive.getinfo("saxpy.ll")
    data[entry.header_offset + 30 + len(entry.filename) + entry.compress_size // 2] ^= 1
    with load(bytes(data), "x64") as module:
        assert module.kernels["saxpy"].recording == "native"
    with pytest.raises(CorruptedDataError, match="not a sound"):
        verify(bytes(data))


# What `verify` compares, which loading does not.


def verified(files):
    """Return why files are refused that an archive has with right checksums; empty if they are not."""
    try:
        verify(pack(files))
    except CorruptedDataError as error:
        return str(error)
    return ""


def test_files_of_a_build_are_accepted(files):
    assert verified(files) == verified(with_plan(files)) == verified(taichis_own(files)) == ""


def test_other_files_are_noticed(files):
    for name in ("saxpy.ll", V3):
        other = {**files, name: files[name][:-1] + b"x"}
        assert "its files are not those that plan.json was made for" in verified(other)


@pytest.mark.parametrize(
    "change",
    [
        {"has_fields": False},
        {"kernels.total.parameters.0.ndim": 2},
        {"kernels.saxpy.launch.bytes": 80},
        {"kernels.saxpy.launch.arguments.0.2": 4},
        {"kernels.store.trees": []},
        {"kernels.noise.draws": 3},
        {"runtime.members.roots": 8},
        {"library.checks": {"saxpy": ["saxpy", []]}},
        {"library.edits": {}},
        {"runtime.temporaries": 8},
    ],
    ids=lambda change: next(iter(change)),
)
def test_plan_of_other_files_is_noticed(files, change):
    reason = verified(with_plan(files, lambda stated: stated.update(changed(stated, change))))
    assert reason.startswith("the module: plan.json is not that of its files: plan."), reason


@pytest.mark.parametrize("change", [{"source": {}}, {"runtime": {}}, {"code": {"x86-64-v3": "other.so"}}], ids=str)
def test_plan_without_a_part_is_noticed(files, change):
    reason = verified(with_plan(files, lambda stated: stated.update(change)))
    assert re.match(r"the module: plan\.json: (source|runtime|its code) is damaged \(KeyError: ", reason), reason


@on_linux
def test_damaged_code_is_noticed(files, build_source):
    assert f"{V3} is damaged: it is cut off" in verified(with_plan(files, **{V3: files[V3][:60]}))
    renamed = with_plan(files, lambda s: s["kernels"]["saxpy"]["launch"]["tasks"][0].update(name="no"))
    assert "has other functions than the module states: 'no', 'saxpy_" in verified(renamed)
    ptx = read_archive(build_source("ptx_kernels", "cuda"))
    other = with_plan(ptx, **{"saxpy.ptx": ptx["total.ptx"]})
    assert "saxpy.ptx lacks the function 'saxpy_" in verified(other)


def test_archive_of_a_bundle_is_compared(files, tmp_path):
    (tmp_path / "x64.tcm").write_bytes(pack(files))
    bundle = unpack(join({Arch.X64: tmp_path / "x64.tcm"}))
    verify(pack(bundle))
    with pytest.raises(CorruptedDataError, match=r"'x64\.tcm' has another digest than bundle\.json states"):
        verify(pack({**bundle, "x64.tcm": pack(files)}))

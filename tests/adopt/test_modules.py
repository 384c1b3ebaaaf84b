"""Loading modules from every source, and rejecting damaged ones, which would crash the library."""

import gzip
import io
import json
import os
import shutil
import struct
import zipfile
from pathlib import Path

import pytest
from helpers.archives import pack, read_archive, write_folder
from helpers.archs import require
from helpers.child import run_in_child
from scenarios.reading import load_repeatedly, print_description, refuse

from taichi_aot import (
    Arch,
    Capability,
    CorruptedDataError,
    IncompatibleModuleError,
    InvalidStateError,
    NameNotFoundError,
    Runtime,
    inspect,
)
from taichi_aot.adopt._make import read_plan
from taichi_aot.bundle._plan import read_files
from taichi_aot.kernels import _loading
from taichi_aot.kernels._loading import check_compatible


def works(module):
    x, y = module.runtime.full(8, 1.0, "f32"), module.runtime.zeros(8)
    module.kernels["saxpy"](2.0, x, y)
    module.graphs["twice"](a=1.0, x=x, y=y)
    return (y.to_numpy() == 4).all()


@pytest.fixture
def files(modules):
    """The files of a sound module, to damage."""
    return {path.name: path.read_bytes() for path in (modules / "basic").iterdir()}


def test_every_source_loads(rt, modules):
    data = (modules / "basic.tcm").read_bytes()
    for source in (
        modules / "basic",
        str(modules / "basic"),
        modules / "basic.tcm",
        str(modules / "basic.tcm"),
        data,
        bytearray(data),
        memoryview(data),
    ):
        assert works(rt.load_module(source))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_with_every_compression_load(rt, files, method):
    assert works(rt.load_module(pack(files, method)))


def test_odd_paths_load(rt, modules, tmp_path):
    folder = tmp_path / "ünï cødé 模块"
    shutil.copytree(modules / "basic", folder)
    assert works(rt.load_module(folder))
    shutil.copy(modules / "basic.tcm", tmp_path / "no suffix")
    assert works(rt.load_module(tmp_path / "no suffix"))


def test_source_may_be_deleted_after_loading(rt, modules, tmp_path):
    folder = shutil.copytree(modules / "basic", tmp_path / "module")
    module = rt.load_module(folder)
    shutil.rmtree(folder)
    assert works(module)


def test_loading_leaves_no_temporary_files(rt, modules, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    module = rt.load_module(modules / "basic.tcm")
    assert list(tmp_path.iterdir()) == []
    assert works(module)


@pytest.mark.usefixtures("c_library")
@pytest.mark.parametrize("kind", ["archive", "folder"])
def test_same_files_are_not_read_again(rt, modules, tmp_path, monkeypatch, kind):
    """Files are read again if their times changed, or are so recent that a change might not show."""
    source = modules / "basic.tcm"
    if kind == "folder":
        source = shutil.copytree(modules / "basic", tmp_path / "basic")
    else:
        source = shutil.copy(source, tmp_path)
    read = []
    monkeypatch.setattr(_loading, "read_files", lambda *args: read.append(args) or read_files(*args))
    loaded = [rt.load_module(source), rt.load_module(str(source))]
    assert len(read) == 2  # the files are too recent
    monkeypatch.setattr("taichi_aot.bundle._files.SETTLED_NS", 0)
    loaded += [rt.load_module(source), rt.load_module(str(source)), rt.load_module(source)]
    assert len(read) == 3
    assert len({int(module.handle) for module in loaded}) == 1
    assert all(map(works, loaded))
    read.clear()
    with Runtime(rt.arch) as other:
        assert works(other.load_module(source))
        assert len(read) == (0 if rt.arch is Arch.CUDA else 1)  # all CUDA runtimes share one TiRuntime
    read.clear()
    changed = source / "metadata.json" if kind == "folder" else Path(source)
    times = changed.stat()
    changed.write_bytes(changed.read_bytes())
    os.utime(changed, ns=(times.st_atime_ns, times.st_mtime_ns))
    rt.load_module(source)
    assert len(read) == 1
    if kind == "folder":
        (source / "graphs.tcb" if rt.arch.is_llvm else source / "graphs.json").unlink()
        with pytest.raises(CorruptedDataError, match="graphs"):
            rt.load_module(source)


@pytest.mark.usefixtures("c_library")
def test_modules_that_differ_in_one_byte_both_load(rt, files):
    loaded = [
        rt.load_module(pack({**files, "__content__": files["__content__"] + end})) for end in (b"\n", b" ", b"\n")
    ]
    assert loaded[0].handle != loaded[1].handle
    assert loaded[0].handle == loaded[2].handle
    assert all(map(works, loaded))


def test_kernels_and_graphs_are_mappings(module):
    names = ["answer", "iota", "poke", "saxpy", "spin", "store", "swap"]
    assert sorted(module.kernels) == names
    assert len(module.kernels) == 7
    assert "saxpy" in module.kernels
    assert "saxpy_c80_0" not in module.kernels
    assert 3 not in module.kernels
    assert sorted(module.graphs) == ["both", "twice"]
    assert module.kernels["saxpy"] is module.kernels["saxpy"]
    assert module.kernels.get("nothing") is None
    assert {name: kernel.name for name, kernel in module.kernels.items()} == {name: name for name in names}
    with pytest.raises(KeyError, match=r"no kernel 'saxpi'.*'saxpy'.*did you mean 'saxpy'") as caught:
        module.kernels["saxpi"]
    assert isinstance(caught.value, NameNotFoundError)
    for name in ("saxpy\0", "", None, 3, "saxpy_c80_0"):
        with pytest.raises(KeyError, match="it has"):
            module.kernels[name]
    with pytest.raises(KeyError, match=r"no graph 'saxpy': it is a kernel, module.kernels\['saxpy'\]"):
        module.graphs["saxpy"]
    with pytest.raises(KeyError, match=r"no kernel 'twice': it is a graph, module.graphs\['twice'\]"):
        module.kernels["twice"]


def test_info_describes_the_module(module, arch):
    info = module.info
    assert info.family == ("llvm" if arch.is_llvm else "gfx")
    assert arch in info.archs
    assert info.version == (1, 7, 4)
    assert {step.kernel in info.all_kernels for step in info.graphs["twice"].dispatches} == {True}
    assert [step.arguments for step in info.graphs["both"].dispatches] == [("x", "y"), ("y", "x")]
    assert len(info.kernels["saxpy"].tasks) >= 1


def test_module_for_another_backend_is_rejected(compiled, capfd):
    require("x64", "vulkan")
    for own, other in (("x64", "vulkan"), ("vulkan", "x64")):
        with Runtime(own) as rt:
            for source in (compiled(other) / "basic", compiled(other) / "basic.tcm"):
                with pytest.raises(IncompatibleModuleError, match=f"compiled for .*{other}.*runtime of arch {own}"):
                    rt.load_module(source)
    assert capfd.readouterr() == ("", "")


def test_missing_path_raises(rt, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        rt.load_module(tmp_path / "nowhere.tcm")
    with pytest.raises(ValueError, match="null"):
        rt.load_module("a\0b")
    for bad in (None, 3, ["x"]):
        with pytest.raises(TypeError, match="path or the bytes"):
            rt.load_module(bad)


def with_file(name, change):
    def damage(files):
        files[name] = change(files[name])

    return damage


def without(name):
    return lambda files: files.pop(name)


def edit_json(name, change):
    def damage(files):
        value = json.loads(files[name])
        value = change(value) or value
        files[name] = json.dumps(value).encode()

    return damage


def first_kernel(change):
    return edit_json("metadata.json", lambda metadata: change(metadata["kernels"][0]))


def first_spv(change):
    def damage(files):
        name = min(name for name in files if name.endswith(".spv"))
        files[name] = change(files[name])

    return damage


def resized(data):
    """Correct the length in the header of a .tcb."""
    return struct.pack("<Q", len(data)) + data[8:]


def rename_in_graphs(files):
    old = b"saxpy_c"
    assert old in files["graphs.tcb"]
    files["graphs.tcb"] = files["graphs.tcb"].replace(old, b"sixpy_c")


def no_graph_argument(graphs):
    graphs[0]["value"]["dispatches"][0]["symbolic_args"].pop()


def other_kernel(graphs):
    graphs[0]["value"]["dispatches"][0]["kernel_name"] = "nothing"


# The end of an ndarray argument's type; a gradient flag follows.
LAST_OF_AN_ARRAY = b"data_ptr" + struct.pack("<QQ", 0, 4) + b"none"

LLVM_DAMAGE = {
    "no metadata": without("metadata.tcb"),
    "no graphs": without("graphs.tcb"),
    "empty metadata": with_file("metadata.tcb", lambda data: b""),
    "short metadata, right header": with_file("metadata.tcb", lambda data: resized(data[: len(data) // 2])),
    "random metadata": with_file("metadata.tcb", lambda data: resized(bytes(i * 77 % 256 for i in range(len(data))))),
    "trailing bytes": with_file("metadata.tcb", lambda data: resized(data + b"\0")),
    "huge counts": with_file("metadata.tcb", lambda data: data[:22] + b"\xff" * 8 + data[30:]),
    "short graphs": with_file("graphs.tcb", lambda data: data[:-9]),
    "graph of a missing kernel": rename_in_graphs,
    "a pointer at another offset": with_file(
        "metadata.tcb",
        lambda data: data.replace(b"data_ptr" + struct.pack("<Q", 8), b"data_ptr" + struct.pack("<Q", 4)),
    ),
    "a gradient that the type lacks": with_file(
        "metadata.tcb", lambda data: data.replace(LAST_OF_AN_ARRAY + b"\0", LAST_OF_AN_ARRAY + b"\1")
    ),
    "no code": without("saxpy.ll"),
    "code without a triple": with_file("saxpy.ll", lambda data: b"nonsense"),
}
GFX_DAMAGE = {
    "no metadata": without("metadata.json"),
    "no graphs": without("graphs.json"),
    "metadata is not JSON": with_file("metadata.json", lambda data: b"nonsense"),
    "metadata is {}": with_file("metadata.json", lambda data: b"{}"),
    "metadata is []": with_file("metadata.json", lambda data: b"[]"),
    "metadata is empty": with_file("metadata.json", lambda data: b""),
    "metadata is deep": with_file("metadata.json", lambda data: b"[" * 200_000),
    "NaN": with_file("metadata.json", lambda data: data.replace(b'"root_buffer_size":0', b'"root_buffer_size":NaN')),
    "no threads": first_kernel(lambda k: k["tasks_attribs"][0].update(advisory_num_threads_per_group=0)),
    "no argument types": first_kernel(lambda k: k["ctx_attribs"]["args_type_"]["content"].update(elements_=[])),
    "an argument twice": first_kernel(
        lambda k: k["ctx_attribs"]["arg_attribs_vec_"].append(k["ctx_attribs"]["arg_attribs_vec_"][0])
    ),
    "an argument missing": first_kernel(lambda k: k["ctx_attribs"]["arg_attribs_vec_"].pop()),
    "no bindings": first_kernel(lambda k: k["tasks_attribs"][0].update(buffer_binds=[])),
    "a negative count": edit_json("metadata.json", lambda m: m.update(root_buffer_size=-1)),
    "a string instead of a list": edit_json("metadata.json", lambda m: m.update(kernels="none")),
    "an unknown key": edit_json("metadata.json", lambda m: m.update(more=1)),
    "graph of a missing kernel": edit_json("graphs.json", other_kernel),
    "graph with too few arguments": edit_json("graphs.json", no_graph_argument),
    "code is cut": first_spv(lambda code: code[: len(code) // 2 // 4 * 4]),
    "code is cut within a word": first_spv(lambda code: code[:-3]),
    "code has no magic": first_spv(lambda code: b"\0" * 4 + code[4:]),
    "no code": lambda files: files.pop(min(name for name in files if name.endswith(".spv"))),
}


@pytest.mark.parametrize(("arch", "damage"), [("x64", LLVM_DAMAGE), ("vulkan", GFX_DAMAGE)], indirect=["arch"])
def test_damaged_module_is_rejected(arch, files, damage, tmp_path):
    """Load in a child process, because each of these crashes or hangs the library itself."""
    good, sources = pack(files), []
    for i, (how, spoil) in enumerate(damage.items()):
        damaged = dict(files)
        spoil(damaged)
        assert pack(damaged) != good, how
        folder, archive = tmp_path / f"damaged_{i}", tmp_path / f"damaged_{i}.tcm"
        write_folder(folder, damaged)
        archive.write_bytes(pack(damaged))
        sources += [folder, archive]
    done = run_in_child(refuse, arch, *sources)
    accepted = [how for i, how in enumerate(damage) if done.stdout.count(f"damaged_{i} refused: ") != 2]
    accepted += [how for i, how in enumerate(damage) if done.stdout.count(f"damaged_{i}.tcm refused: ") != 2]
    assert accepted == []


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"non\0sense" * 100, gzip.compress(b"x", mtime=0)], ids=repr)
def test_bytes_other_than_an_archive_are_rejected(rt, content, tmp_path):
    (tmp_path / "m.tcm").write_bytes(content)
    for source in (content, tmp_path / "m.tcm"):
        with pytest.raises(CorruptedDataError, match=r"not a sound \.tcm archive"):
            rt.load_module(source)


def test_truncated_archive_is_rejected(rt, modules):
    data = (modules / "basic.tcm").read_bytes()
    for size in (10, len(data) // 2, len(data) - 1):
        with pytest.raises(CorruptedDataError):
            rt.load_module(data[:size])


def test_empty_folders_and_archives_are_rejected(rt, tmp_path):
    for source in (tmp_path, pack({}), pack({"readme.txt": b"hello"})):
        with pytest.raises(CorruptedDataError, match="not an AOT module"):
            rt.load_module(source)


def test_archive_with_a_folder_is_rejected(rt, files):
    with pytest.raises(CorruptedDataError, match="folder 'inner'"):
        rt.load_module(pack({f"inner/{name}": data for name, data in files.items()}))


def test_archive_with_a_duplicate_name_is_rejected(rt, files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr(name, data)
    with pytest.raises(CorruptedDataError, match="twice"):
        rt.load_module(buffer.getvalue())


def test_encrypted_archive_is_rejected(rt, files):
    data = bytearray(pack(files))
    for magic, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        position = data.find(magic)
        while position >= 0:
            data[position + offset] |= 1
            position = data.find(magic, position + 4)
    with pytest.raises(CorruptedDataError, match="encrypted"):
        rt.load_module(bytes(data))


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
def test_missing_capability_is_named(rt, modules):
    poor = {Capability.SPIRV_VERSION: 0x10000}
    plan = read_plan(modules / "basic")
    with pytest.raises(IncompatibleModuleError, match=r"SPIR-V 1\.3; the vulkan device supports up to 1\.0"):
        check_compatible(rt._handle.backend, poor, plan)
    plan.info = plan.info._replace(device=plan.info.device._replace(needs=("spirv_has_int64", "spirv_has_float64")))
    with pytest.raises(IncompatibleModuleError, match=r"needs .* lacks: spirv_has_int64, spirv_has_float64"):
        check_compatible(rt._handle.backend, poor, plan)


def test_same_files_share_one_loaded_module(rt, modules, tmp_path):
    before = len(rt._handle.context.modules)  # CUDA runtimes share their modules
    first = rt.load_module(modules / "basic.tcm")
    second = rt.load_module(modules / "basic")
    assert len(rt._handle.context.modules) <= before + 1
    first.close()
    assert works(second)
    assert first.closed
    assert not second.closed
    third = rt.load_module((modules / "basic.tcm").read_bytes())
    assert works(third)
    rt.load_module(modules / "edges.tcm")
    assert len(rt._handle.context.modules) <= before + 2


@pytest.mark.slow(but="x64")
def test_repeated_loading_does_not_use_more_memory(arch, modules):
    run_in_child(load_repeatedly, arch, modules / "basic.tcm")


def test_fields_work_and_keep_their_state(own_rt, modules):
    module = own_rt.load_module(modules / "fields.tcm")
    assert module.info.has_fields
    out = own_rt.zeros(16)
    for _ in range(3):
        module.kernels["increase"]()
    module.kernels["read"](out)
    assert out.to_numpy().tolist() == [3] * 16
    own_rt.load_module(modules / "fields.tcm").kernels["increase"]()
    module.kernels["read"](out)
    assert out.to_numpy().tolist() == [4] * 16
    assert works(own_rt.load_module(modules / "basic.tcm"))


def test_second_module_with_fields_is_rejected(own_rt, modules, files):
    own_rt.load_module(modules / "fields.tcm")
    other = read_archive(modules / "fields.tcm")
    other["__content__"] += b"\n"
    with pytest.raises(IncompatibleModuleError, match="another module of this runtime"):
        own_rt.load_module(pack(other))


@pytest.mark.usefixtures("c_library")
@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
def test_module_with_fields_must_load_first_into_the_library_on_vulkan(own_rt, modules, monkeypatch):
    own_rt.load_module(modules / "basic.tcm")
    monkeypatch.setenv("TAICHI_AOT_VULKAN_RECORDING", "0")
    own_rt.load_module(modules / "table.tcm")
    with pytest.raises(IncompatibleModuleError, match="load it first"):
        own_rt.load_module(modules / "fields.tcm")


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
def test_module_without_its_fields_is_rejected(own_rt, modules):
    with pytest.raises(IncompatibleModuleError, match=r"uses fields that are not in the module .*add_field"):
        own_rt.load_module(modules / "lost_fields.tcm")


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
@pytest.mark.parametrize(("name", "trees", "total"), [("trees", (0, 1), 6), ("late_tree", (1,), 12)])
def test_fields_in_several_trees_work(own_rt, modules, name, trees, total):
    """For `late_tree`, the package adds an empty tree 0, because the library counts trees from 0."""
    module = own_rt.load_module(modules / f"{name}.tcm")
    assert module.info.field_trees == module.info.kernels["increase"].field_trees == trees
    out = own_rt.zeros(16)
    module.kernels["increase"]()
    module.kernels["increase"]()
    module.kernels["read"](out)
    assert out.to_numpy().tolist() == [total] * 16


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
def test_module_without_one_of_its_trees_is_rejected(rt, modules):
    with pytest.raises(IncompatibleModuleError, match=r"kernel '\w+' uses fields .* not in the module \(tree 1\)"):
        rt.load_module(modules / "lost_tree.tcm")


def test_module_with_lists_of_dense_nodes_is_rejected_on_llvm(own_rt, modules, arch):
    """The library does not make the lists: kernels end the process. SPIR-V code does without."""
    if arch.is_llvm:
        words = r"kernel '\w+' loops over dense fields by lists .*demote_dense_struct_fors=False"
        with pytest.raises(IncompatibleModuleError, match=words):
            own_rt.load_module(modules / "lists.tcm")
        return
    module, out = own_rt.load_module(modules / "lists.tcm"), own_rt.zeros(16)
    module.kernels["increase"]()
    module.kernels["read"](out)
    assert out.to_numpy().tolist() == [1] * 16


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
@pytest.mark.parametrize("name", ["trees", "lost_tree", "late_tree"])
def test_module_with_several_trees_is_rejected_on_vulkan(rt, modules, name):
    """Taichi's files do not state the sizes of other trees; a plan of `taichi-aot build` does."""
    assert 1 in inspect(modules / f"{name}.tcm").kernels["increase"].field_trees
    with pytest.raises(IncompatibleModuleError, match=r"fields of tree 1, .* tree 0 only; build it with"):
        rt.load_module(modules / f"{name}.tcm")


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
@pytest.mark.parametrize(
    ("position", "code", "value", "message"),
    [
        (30, "i", 1, "a tree of fields has the number 1"),
        (30, "i", -1, "a tree of fields has the number -1"),
        (30, "i", 512, "a tree of fields has the number 512"),
        (34, "i", 1, "a tree of fields has the number 0"),
        (38, "i", -1, "a node of a tree of fields has the number -1"),
        (38, "i", 1024, "a node of a tree of fields has the number 1024"),
        (58, "i", 1024, "a node of a tree of fields has the number 1024"),
        (42, "Q", 0, "a tree of fields has 0 bytes"),
        (42, "Q", 2**64 - 1, "a tree of fields has 18446744073709551615 bytes"),
    ],
)
def test_damaged_tree_is_rejected(modules, position, code, value, message):
    """The library uses these numbers as indices and sizes unchecked."""
    files = read_archive(modules / "fields.tcm")
    metadata = bytearray(files["metadata.tcb"])
    struct.pack_into(f"<{code}", metadata, position, value)
    files["metadata.tcb"] = bytes(metadata)
    with pytest.raises(CorruptedDataError, match=message):
        inspect(pack(files))


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
def test_module_compiled_for_the_profiler_runs(rt, modules):
    """CPU code calls profiler functions, which the library lacks."""
    assert works(rt.load_module(modules / "profiled.tcm"))


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
def test_incomplete_second_save_is_rejected(rt, files):
    """The second call of save() or archive() writes a module that lists its kernels but does not contain them."""
    empty = struct.pack("<3H3Q", 1, 7, 4, 0, 0, 0)
    files["metadata.tcb"] = struct.pack("<Q", len(empty) + 8) + empty
    files["graphs.tcb"] = struct.pack("<2Q", 16, 0)
    assert len(files["metadata.tcb"]) == 38
    for read in (rt.load_module, inspect):
        with pytest.raises(CorruptedDataError, match=r"does not contain kernels: only the first save\(\)"):
            read(pack(files))


def test_inspect_describes_a_module_without_the_library(arch, modules):
    text = run_in_child(print_description, modules / "basic.tcm").stdout
    assert str(arch) in text.splitlines()[0]
    assert "compiled by Taichi 1.7.4" in text
    assert "    saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])\n" in text
    assert "graphs:\n" in text
    assert ("SPIR-V 1.3, capabilities: none beyond the basic ones" in text) != arch.is_llvm
    assert ("CPU threads" in text) == arch.is_cpu


def test_inspect_lists_fields(arch, modules):
    info = inspect(modules / "fields.tcm")
    assert [str(field) for field in info.fields] == (["tree 0"] if arch.is_llvm else ["field: field[f32, (16,)]"])
    assert "fields:\n" in str(info)


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
def test_library_rejects_invalid_ir(rt, files, capfd):
    """The reader cannot detect invalid IR; the library reports it, and the runtime stays usable."""
    good = pack(files)
    files["saxpy.ll"] = b'target triple = "x86_64-pc-linux-gnu"\nnonsense'
    damaged = rt.load_module(pack(files))
    for _ in range(2):
        with pytest.raises(InvalidStateError, match="saxpy"):
            damaged.kernels["saxpy"]
    assert damaged.kernels["swap"].name == "swap"
    assert works(rt.load_module(good))
    assert capfd.readouterr().out.strip() == ""


def test_uninitialized_number_is_accepted(arch, files):
    """Taichi writes uninitialized memory as the channel count of arguments other than textures."""
    if arch.is_llvm:
        pytest.skip("the reader ignores these bytes in LLVM modules")
    graphs = json.loads(files["graphs.json"])
    for number in (-6318092879504531395, 2**63 - 1, -(2**63), 0):
        for graph in graphs:
            for dispatch in graph["value"]["dispatches"]:
                for argument in dispatch["symbolic_args"]:
                    argument["num_channels"] = number
        archive = pack({**files, "graphs.json": json.dumps(graphs).encode()})
        with Runtime(arch) as runtime:
            assert works(runtime.load_module(archive))

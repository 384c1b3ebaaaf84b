"""Reading PTX and cubins: damaged descriptions and files are refused with a sentence."""

from __future__ import annotations

import json
import random
import struct
import sys

import pytest
from helpers.archives import pack, read_archive
from helpers.archs import needs_taichi
from helpers.mutants import flip, mutate, write_folder
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taichi_aot import Arch, CorruptedDataError, inspect
from taichi_aot.adopt.modules._make import parse_own
from taichi_aot.adopt.taichi._ptx import cubin_name, ptx_files, ptx_name, verify
from taichi_aot.backends._devices import visible_devices
from taichi_aot.bundle._files import NATIVE, PTX
from taichi_aot.bundle._read import read_module
from taichi_aot.bundle._source import code_digest
from taichi_aot.cli.main import main
from taichi_aot.isolated import validate

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="PTX is compiled on Linux only"),
    needs_taichi,
]

CUBIN = struct.pack("<4sBB10sHHI", b"\x7fELF", 2, 1, b"", 2, 190, 1) + bytes(40)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 2**64)
    | st.text(max_size=4)
    | st.sampled_from(["temporaries", "roots", "sm_90", "saxpy", "0" * 64]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def files(build_source):
    """The files of a module with PTX, and with made-up cubins for sm_90."""
    files = read_archive(build_source("ptx_kernels", "cuda"))
    ptx = parse_own("it", files).ptx
    cubins = {
        cubin_name(name, "sm_90"): CUBIN + b"".join(b".text.%b\0" % task.encode() for task in kernel.tasks)
        for name, kernel in ptx.kernels.items()
    }
    digests = ptx.digests | {name: code_digest(data) for name, data in cubins.items()}
    return files | ptx_files(ptx._replace(capabilities=("sm_90",), images={**ptx.images, **cubins}, digests=digests))


def with_stated(files, change):
    stated = json.loads(files[PTX])
    change(stated)
    return {**files, PTX: json.dumps(stated).encode()}


def test_files_are_read(files):
    module = parse_own("it", files)
    assert not module.files.keys() & ptx_files(module.ptx).keys()
    assert module.ptx.kernels["saxpy"].needs == {"temporaries"}
    assert module.ptx.kernels["store"].trees == (0,)
    assert module.ptx.image("saxpy", "sm_90") == files["saxpy.sm_90.cubin"]
    assert module.ptx.image("saxpy", "sm_89") == files["saxpy.ptx"]
    assert ptx_files(module.ptx) == {name: files[name] for name in ptx_files(module.ptx)}
    verify(module.ptx, module.files)


def test_module_without_ptx_is_read(files):
    module = parse_own("it", {name: data for name, data in files.items() if name.endswith((".ll", ".tcb"))})
    assert module.ptx is None
    assert module.info.ptx_targets == ()


def test_loading_does_not_read_ir(files):
    code = b"x" * len(files["saxpy.ll"])
    module = parse_own("it", {**files, "saxpy.ll": code})
    assert module.info.kernels["saxpy"].field_trees == ()
    with pytest.raises(CorruptedDataError, match="saxpy"):
        verify(module.ptx, module.files)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.update(version=3), "version 3, which a newer version of this package wrote"),
        (lambda s: s.update(version=1), "version 1, which this version of the package does not read: build it again"),
        (lambda s: s["lengths"].pop("saxpy"), "its lengths of loops are not those of the kernels"),
        (lambda s: s["lengths"]["saxpy"].pop(), "'saxpy' is not described by a list of"),
        (lambda s: s["lengths"]["saxpy"].__setitem__(-1, [1]), "expected operations with operands"),
        (lambda s: s["lengths"]["saxpy"].__setitem__(-1, [1, True]), "expected operations with operands"),
        (lambda s: s["lengths"]["saxpy"].__setitem__(-1, [1, 4096]), "'saxpy' has no program for the length of a loop"),
        (lambda s: s["lengths"]["saxpy"].__setitem__(-1, [2, 0]), "'saxpy' has no program for the length of a loop"),
        (lambda s: s.pop("refused"), "keys are missing or unknown"),
        (lambda s: s["members"].pop("roots"), "the members of the runtime's struct are not those"),
        (lambda s: s["members"].update(roots=[s["runtime_size"], 8]), "'roots' is not within the runtime's struct"),
        (lambda s: s["kernels"].pop("saxpy"), "its kernels are not those of the module"),
        (lambda s: s["refused"].update(saxpy="prints"), "its kernels are not those of the module"),
        (lambda s: s["kernels"]["saxpy"][0].append("other"), "'saxpy' has other tasks than the module states"),
        (lambda s: s["kernels"]["saxpy"].__setitem__(1, ["pool"]), "'saxpy' needs what is not known"),
        (lambda s: s["kernels"]["store"].__setitem__(2, [7]), "'store' uses other fields than the module has"),
        (lambda s: s["ir"]["saxpy"].__setitem__(0, 1), "'saxpy' was compiled from another IR"),
        (lambda s: s["ir"].pop("show"), "its kernels are not those of the module"),
        (lambda s: s.update(capabilities=["sm_90", "sm_90"]), "its capabilities are not those of devices"),
        (lambda s: s.update(capabilities=["../sm_90"]), "its capabilities are not those of devices"),
        (lambda s: s.update(capabilities=["sm_80"]), "its files of PTX are not those of the module"),
        (lambda s: s["images"].pop("saxpy.ptx"), "its files of PTX are not those of the module"),
        (lambda s: s["images"]["saxpy.ptx"].__setitem__(0, 1), "saxpy.ptx has another size"),
        (lambda s: s["images"]["saxpy.ptx"].__setitem__(1, "0"), "saxpy.ptx has no digest"),
        (lambda s: s.update(temporaries=2**40), "expected 1048576"),
        (lambda s: s.update(temporaries=0), "expected 1048576"),
        (lambda s: s["members"].update(temporaries=[96, 8]), "'temporaries' of the runtime's struct has 8 bytes, at 3"),
        (lambda s: s["kernels"]["saxpy"][0].reverse(), "in the place of its task 'saxpy_"),
    ],
)
def test_wrong_description_is_refused(files, change, message):
    with pytest.raises(CorruptedDataError, match=message):
        parse_own("it", with_stated(files, change))


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"1" * 10_000, b"[" * 100_000])
def test_description_that_is_no_json_is_refused(files, data):
    with pytest.raises(CorruptedDataError, match=PTX):
        parse_own("it", {**files, PTX: data})


def test_missing_and_other_files_are_noticed(files):
    for name in (PTX, "saxpy.ptx", "saxpy.sm_90.cubin"):
        with pytest.raises(CorruptedDataError, match=PTX):
            parse_own("it", {other: data for other, data in files.items() if other != name})
    with pytest.raises(CorruptedDataError, match="its files of PTX are not those"):
        parse_own("it", {**files, "other.ptx": b""})
    with pytest.raises(CorruptedDataError, match="both machine code for a CPU and PTX"):
        parse_own("it", {**files, NATIVE: b"{}"})


def replaced(files, name, data):
    """The module with other contents of a file, which it states."""

    def state(stated):
        stated["images"][name] = [len(data), code_digest(data)]

    return parse_own("it", with_stated({**files, name: data}, state)).ptx


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("saxpy.ptx", b"", "saxpy.ptx is not PTX"),
        ("saxpy.ptx", b".version 6.3\n\0", "saxpy.ptx is not PTX"),
        ("saxpy.ptx", b".version 6.3\n.entry other(", "saxpy.ptx lacks the function 'saxpy_"),
        ("saxpy.sm_90.cubin", b"", "saxpy.sm_90.cubin is cut off: it has 0 bytes"),
        ("saxpy.sm_90.cubin", CUBIN, "saxpy.sm_90.cubin lacks the function 'saxpy_"),
        ("saxpy.sm_90.cubin", bytes(64), "saxpy.sm_90.cubin is not an ELF file for CUDA devices"),
        (
            "saxpy.sm_90.cubin",
            CUBIN.replace(struct.pack("<H", 190), struct.pack("<H", 62)),
            "saxpy.sm_90.cubin is not an ELF file for CUDA devices",
        ),
    ],
)
def test_damaged_file_is_refused_when_it_is_used(files, name, data, message):
    ptx = replaced(files, name, data)
    with pytest.raises(CorruptedDataError, match=message):
        ptx.image("saxpy", "sm_90" if name.endswith(".cubin") else "sm_75")


def test_another_ir_and_another_digest_are_noticed(files):
    archive = pack({**files, "saxpy.ll": files["saxpy.ll"].replace(b"fmul", b"fadd")})
    module = read_module(archive)
    with pytest.raises(CorruptedDataError, match="'saxpy' was compiled from another IR"):
        verify(module.ptx, module.files)
    report = validate(archive, "cuda")
    assert "'saxpy' was compiled from another IR" in report.steps[-1].message
    other = read_module(pack({**files, "saxpy.ptx": files["saxpy.ptx"][:-1] + b"x"}))
    with pytest.raises(CorruptedDataError, match=r"saxpy\.ptx has another digest"):
        verify(other.ptx, other.files)


@pytest.mark.parametrize(("name", "capability"), [("saxpy.ptx", "sm_75"), ("saxpy.sm_90.cubin", "sm_90")])
def test_damaged_file_in_a_folder_is_refused_when_it_is_used(files, name, capability, tmp_path):
    write_folder(tmp_path, {**files, name: flip(files[name], random.Random(5))})
    ptx = read_module(tmp_path).ptx
    with pytest.raises(CorruptedDataError, match=rf"^{tmp_path / name} has another digest than ptx\.json states: copy"):
        ptx.image("saxpy", capability)
    assert ptx.image("total", capability) == files[name.replace("saxpy", "total")]


@pytest.mark.parametrize("words", [(), ("--arch", "cuda")])
def test_command_compares_without_a_device(files, tmp_path, capsys, words):
    if visible_devices(Arch.CUDA):
        pytest.skip("for machines without CUDA")
    path = tmp_path / "it.tcm"
    path.write_bytes(pack(files))
    assert main(["validate", str(path), *words]) == 3
    assert "no device for cuda" in capsys.readouterr().err
    path.write_bytes(pack({**files, "saxpy.ptx": files["saxpy.ptx"][:-1] + b"x"}))
    assert main(["validate", str(path), *words]) == 1
    assert "CorruptedDataError: saxpy.ptx has another digest than ptx.json states" in capsys.readouterr().out


def test_info_has_the_reasons(files):
    info = inspect(pack(files))
    assert info.ptx_targets == ("ptx", "sm_90")
    assert info.not_ptx == {"show": "prints"}
    assert info.to_dict()["not_ptx"] == info.not_ptx
    assert "\nPTX for cuda, and cubins for sm_90\n" in str(info)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_any_description_is_accepted_or_refused(files, data):
    stated = json.loads(files[PTX])
    place, key = stated, data.draw(st.sampled_from(sorted(stated)))
    while isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(VALUES)
    use_everything({**files, PTX: json.dumps(stated).encode()})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(seed=st.integers(0, 2**32), name=st.sampled_from([PTX, "saxpy.ptx", "saxpy.sm_90.cubin"]))
def test_any_file_is_accepted_or_refused(files, seed, name):
    use_everything({**files, name: mutate(files[name], random.Random(seed))})


def use_everything(files):
    """Use all files of a module, which must be accepted or refused."""
    try:
        module = parse_own("it", files)
        assert module.ptx is not None
        for kernel in module.ptx.kernels:
            for capability in ("sm_75", *module.ptx.capabilities):
                assert module.ptx.image(kernel, capability)
        verify(module.ptx, module.files)
    except CorruptedDataError:
        return


def test_names_of_files():
    assert ptx_name("saxpy") == "saxpy.ptx"
    assert cubin_name("saxpy", "sm_90a") == "saxpy.sm_90a.cubin"

"""Reading machine code: damaged descriptions and shared objects are refused, and do not end the process."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from helpers.archives import pack, read_archive
from helpers.child import run_scenario
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taichi_aot import CorruptedDataError
from taichi_aot.adopt.modules._make import parse_own
from taichi_aot.adopt.taichi._native import native_files, verify
from taichi_aot.adopt.taichi._runtime_members import RUNTIME_PLACES, RUNTIME_SIZE
from taichi_aot.adopt.taichi._stated import is_symbol_of
from taichi_aot.build.code._runtime_struct import runtime_layout
from taichi_aot.bundle._files import NATIVE, NATIVE_CODE
from taichi_aot.bundle._read import read_module
from taichi_aot.isolated import validate

pytest.importorskip("llvmlite")
pytest.importorskip("ziglang", exc_type=ImportError)

V3 = NATIVE_CODE["x86-64-v3"]
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-1, 2**64)
    | st.text(max_size=4)
    | st.sampled_from(["pool", "roots", "0" * 64]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def files(build_source):
    return read_archive(build_source("native_kernels", "x64"))


def with_stated(files, change):
    stated = json.loads(files[NATIVE])
    change(stated)
    return {**files, NATIVE: json.dumps(stated).encode()}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.update(version=2), "version 2, which a newer version of this package wrote"),
        (lambda s: s.pop("refused"), "keys are missing or unknown"),
        (lambda s: s["members"].pop("roots"), "the members of the runtime's struct are not those"),
        (lambda s: s["members"].update(roots=[s["runtime_size"], 8]), "'roots' is not within the runtime's struct"),
        (
            lambda s: s["members"]["temporaries"].__setitem__(0, 32880),
            "'temporaries' of the runtime's struct has 8 byt",
        ),
        (lambda s: s["members"].update(roots=[88, 8]), "'roots' of the runtime's struct has 4096 bytes, at 88"),
        (lambda s: s.update(runtime_size=40_000), "the runtime's struct has 35256 bytes, not 40000"),
        (lambda s: s.update(temporaries=0), "expected 1048576"),
        (lambda s: s.update(temporaries=2**20 - 1), "expected 1048576"),
        (lambda s: s["kernels"]["saxpy"][0].reverse(), "in the place of its task 'saxpy_"),
        (lambda s: s["kernels"]["saxpy"][0].__setitem__(0, ""), "has '' in the place of its task 'saxpy_"),
        (lambda s: s["kernels"].pop("saxpy"), "its kernels are not those of the module"),
        (lambda s: s["refused"].update(saxpy="prints"), "its kernels are not those of the module"),
        (lambda s: s["kernels"]["saxpy"][0].append("other"), "'saxpy' has other tasks than the module states"),
        (lambda s: s["kernels"]["saxpy"].__setitem__(1, ["moon"]), "'saxpy' needs what is not known"),
        (lambda s: s["kernels"]["store"].__setitem__(2, [7]), "'store' uses other fields than the module has"),
        (lambda s: s["ir"]["saxpy"].__setitem__(0, 1), "'saxpy' was compiled from another IR"),
        (lambda s: s["ir"]["saxpy"].__setitem__(1, "0"), "'saxpy' has no digest of its IR"),
        (lambda s: s["ir"]["saxpy"].__setitem__(2, -1), "expected an integer from 1"),
        (lambda s: s["ir"]["saxpy"].__setitem__(2, 0), "expected an integer from 1"),
        (lambda s: s["ir"]["saxpy"].__setitem__(3, [True]), "expected an integer from 0"),
        (lambda s: s["ir"]["saxpy"].__setitem__(5, 1), "'saxpy' does not state whether it has checks"),
        (lambda s: s["ir"]["saxpy"].pop(), "'saxpy' is not described by a list of 6 items"),
        (lambda s: s["ir"].pop("show"), "its kernels are not those of the module"),
        (lambda s: s["code"]["x86-64-v3"].__setitem__(0, 1), f"{V3} has another size"),
        (lambda s: s["code"].pop("x86-64-v3"), "its files of machine code are not those of the module"),
    ],
)
def test_wrong_description_is_refused(files, change, message):
    with pytest.raises(CorruptedDataError, match=message):
        parse_own("it", with_stated(files, change))


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"a":' * 100_000])
def test_deeply_nested_description_is_refused(files, data):
    with pytest.raises(CorruptedDataError, match=r"^it: native\.json: it is nested too deeply"):
        parse_own("it", {**files, NATIVE: data})


def test_runtime_members_are_those_of_the_definition():
    assert runtime_layout(RUNTIME_PLACES) == (RUNTIME_SIZE, RUNTIME_PLACES)


@pytest.mark.parametrize(
    ("symbol", "task", "fits"),
    [
        ("f_0", "f_0", True),
        ("f_0.12", "f_0", True),
        ("f_1", "f_0", False),
        ("f_0.", "f_0", False),
        ("h_$_h_0", "h\xe9h_0", True),
        ("h_$_h_1", "h\xe9h_0", False),
        ("h_0", "h\xe9h_0", False),
        ("\xe9", "\xe9", True),
    ],
)
def test_symbols_belong_to_tasks(symbol, task, fits):
    assert is_symbol_of(symbol, task) is fits


def test_missing_files_are_noticed(files):
    for name in (NATIVE, V3):
        with pytest.raises(CorruptedDataError, match="native"):
            parse_own("it", {other: data for other, data in files.items() if other != name})


def test_machine_code_of_another_ir_is_refused(files):
    archive = pack({**files, "saxpy.ll": files["saxpy.ll"].replace(b"fmul", b"fadd")})
    module = read_module(archive)
    with pytest.raises(CorruptedDataError, match="'saxpy' was compiled from another IR"):
        verify(module.native, module.files)
    report = validate(archive, "x64")
    assert "'saxpy' was compiled from another IR" in report.steps[-1].message
    other = read_module(pack({**files, V3: files[V3][:-1] + b"x"}))
    with pytest.raises(CorruptedDataError, match="another digest"):
        verify(other.native, other.files)


@pytest.mark.parametrize(("place", "value"), [(2, 77), (3, [5]), (4, [0]), (5, True)])
def test_facts_that_the_ir_does_not_show_are_noticed(files, place, value):
    module = parse_own("it", with_stated(files, lambda s: s["ir"]["saxpy"].__setitem__(place, value)))
    with pytest.raises(CorruptedDataError, match="'saxpy' was compiled from another IR"):
        verify(module.native, module.files)


@pytest.mark.parametrize("name", ["saxpy.ll", V3])
def test_loading_does_not_read_code_and_reading_it_checks_it(build_source, name):
    data = bytearray(build_source("native_kernels", "x64").read_bytes())
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entry = archive.getinfo(name)
    data[entry.header_offset + 30 + len(entry.filename) + entry.compress_size // 2] ^= 1
    module = read_module(bytes(data))
    assert "saxpy" in module.native.kernels
    with pytest.raises(CorruptedDataError, match="not a sound"):
        _ = {**module.files, **native_files(module.native)}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_any_description_is_accepted_or_refused(files, data):
    stated = json.loads(files[NATIVE])
    place, key = stated, data.draw(st.sampled_from(sorted(stated)))
    while isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
        place = place[key]
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[key] = data.draw(VALUES)
    try:
        module = parse_own("it", {**files, NATIVE: json.dumps(stated).encode()})
    except CorruptedDataError:
        return
    assert module.native is not None


@pytest.mark.scaled
def test_damaged_machine_code_does_not_crash(build_source, scaled):
    run_scenario("machine_code:open_mutants", build_source("native_kernels", "x64"), 7, scaled(300, 20_000))


def test_damaged_folder_is_refused(build_source, tmp_path):
    run_scenario("machine_code:load_damaged_folders", build_source("native_kernels", "x64"), tmp_path, 7)


def test_cut_off_machine_code_is_refused(files):
    native = parse_own("it", files).native
    for size in (0, 63, 64, 500, len(files[V3]) // 2):
        with pytest.raises(CorruptedDataError, match=V3):
            native._replace(code={"x86-64-v3": files[V3][:size]}).checked_code("x86-64-v3")
    with pytest.raises(CorruptedDataError, match="another machine"):
        native._replace(code={"aarch64": files[V3]}).checked_code("aarch64")

"""The readers of module files: what they say of good modules, and that no mutant gets through to a crash."""

import fnmatch
import json
import random
import struct
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taichi_aot import Arch, CorruptedDataError, IncompatibleModuleError, inspect
from taichi_aot.formats import llvm, read_module, spirv
from taichi_aot.formats.container import pack
from taichi_aot.formats.types import matrix_shape


@pytest.fixture(params=["x64", "vulkan"])
def arch(request):
    """One arch of each format."""
    return Arch(request.param)


@pytest.fixture(params=["basic", "kinds"])
def files(request, modules):
    """The files of a module to be damaged; `kinds` holds what only few modules do."""
    with zipfile.ZipFile(modules / f"{request.param}.tcm") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_signatures_of_both_formats(modules, arch):
    kernels = read_module(modules / "basic").info.kernels
    names = {name: str(kernel.signature) for name, kernel in kernels.items()}
    assert names["saxpy"] == "saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])"
    # No graph dispatches this one, so an LLVM module has no names for its parameters.
    start, v = ("arg0", "arg1") if arch.is_llvm else ("start", "v")
    assert names["iota"] == f"iota({start}: i32, {v}: ndarray[vector(3, f32), 2])"


def test_access_is_known_where_the_module_states_it(modules, arch):
    parameters = read_module(modules / "basic").info.kernels["saxpy"].signature.parameters
    assert [p.access for p in parameters] == (["", "", ""] if arch.is_llvm else ["", "r", "rw"])


def test_reading_needs_no_library(child, modules):
    code = """
import sys
import taichi_aot.formats
info = taichi_aot.formats.read_module(sys.argv[1]).info
with open("/proc/self/maps") as file:
    assert "libtaichi_c_api" not in file.read()
assert "taichi" not in sys.modules
print(*sorted(info.kernels))
"""
    assert child(code, modules / "basic.tcm").stdout == "answer iota poke saxpy spin store swap\n"


def mutate(data, source):
    """One small damage: bytes flipped, a cut, a part dropped or doubled, a count blown up."""
    data = bytearray(data)
    if not data:
        return b"x"
    where = source.randrange(len(data))
    kind = source.randrange(6)
    if kind == 0:
        data[where] ^= 1 << source.randrange(8)
    elif kind == 1:
        data[where] = source.randrange(256)
    elif kind == 2:
        del data[where:]
    elif kind == 3:
        del data[where : where + source.randrange(1, 64)]
    elif kind == 4:
        data[where:where] = data[where : where + source.randrange(1, 64)]
    else:
        data[where : where + 8] = struct.pack("<Q", source.choice([0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1]))
    return bytes(data)


def json_paths(value, path=()):
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in entries:
        yield from json_paths(part, (*path, key))


def mutate_json(data, source):
    """One damage that stays JSON: a number or text changed, an item dropped or doubled, a key dropped."""
    root = json.loads(data)
    *parents, key = source.choice(list(json_paths(root))[1:])
    holder = root
    for parent in parents:
        holder = holder[parent]
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int):
        numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, -1, 16, 255, 2**31 - 1, 2**64, value + 1, value - 1, value * 2]
        holder[key] = source.choice(numbers)
    elif isinstance(value, list) and value:
        where = source.randrange(len(value))
        if source.random() < 0.5:
            del value[where]
        else:
            value.insert(where, source.choice(value))
    elif isinstance(value, dict) and source.random() < 0.2:
        del value[source.choice(list(value))]
    else:
        holder[key] = source.choice(["", "a", None, 3])
    return json.dumps(root).encode()


READ_FILES = {"x64": ("metadata.tcb", "graphs.tcb"), "vulkan": ("metadata.json", "graphs.json")}


CODE_FILES = {"x64": "*.ll", "vulkan": "*.spv"}

mutants = settings(
    max_examples=1000,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def refused(archive):
    try:
        inspect(archive)
    except (CorruptedDataError, IncompatibleModuleError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("number", [0, 1])
@mutants
@given(source=st.randoms(use_true_random=False))
def test_inspect_answers_every_mutant(files, arch, number, source):
    """1,000 mutants of each file that the library parses: each is read, or is an exception that says why."""
    name = READ_FILES[str(arch)][number]
    change = source.choice([mutate, mutate_json]) if name.endswith(".json") else mutate
    mutant = change(files[name], source)
    if name.endswith(".tcb") and source.random() < 0.7 and len(mutant) > 8:
        mutant = struct.pack("<Q", len(mutant)) + mutant[8:]
    reason = refused(pack({**files, name: mutant}))
    assert len(reason) < 1000


@mutants
@given(source=st.randoms(use_true_random=False))
def test_inspect_answers_mutants_of_code_and_containers(files, arch, source):
    names = sorted(name for name in files if fnmatch.fnmatch(name, CODE_FILES[str(arch)]))
    name = source.choice(names)
    refused(pack({**files, name: mutate(files[name], source)}))
    refused(bytearray(mutate(pack(files), source)))  # short bytes could be a path


def test_most_mutants_are_refused(files, arch):
    source = random.Random(f"count {arch}")
    for name in READ_FILES[str(arch)]:
        count = sum(refused(pack({**files, name: mutate(files[name], source)})) != "" for _ in range(300))
        assert count > 180, name


LOAD_MUTANTS = """
import pathlib, sys
import numpy as np
from taichi_aot import Runtime, TaichiError

WRONG = (TaichiError, ValueError, OverflowError, TypeError)

def made_up(rt, parameter):
    if parameter.kind == "scalar":
        return 1
    if parameter.kind == "matrix":
        return np.ones(parameter.elem_shape, int)
    if parameter.kind == "ndarray":
        return rt.zeros((2,) * parameter.ndim, parameter.dtype, parameter.elem_shape)

with Runtime(sys.argv[1]) as rt:
    launched = 0
    for path in sorted(pathlib.Path(sys.argv[2]).glob("*.tcm")):
        print(path.name, flush=True)
        try:
            module = rt.load_module(path)
            launches = [*module.kernels.values(), *module.graphs.values()]
        except WRONG as error:
            print(type(error).__name__, str(error)[:200], flush=True)
            continue
        for launch in launches:
            try:
                launch(*(made_up(rt, parameter) for parameter in launch.signature.parameters))
                rt.wait()
                launched += 1
            except WRONG as error:
                print(launch.name, type(error).__name__, str(error)[:200], flush=True)
    print("launched", launched)
"""


def accepted_mutants(files, name, source, tries):
    """Archives with mutants of one file that the reader lets through."""
    for _ in range(tries):
        mutant = (mutate_json if name.endswith(".json") else mutate)(files[name], source)
        if name.endswith(".tcb") and len(mutant) > 8:
            mutant = struct.pack("<Q", len(mutant)) + mutant[8:]
        archive = pack({**files, name: mutant})
        try:
            read_module(archive)
        except (CorruptedDataError, IncompatibleModuleError):
            continue
        yield archive


@pytest.mark.parametrize("number", [0, 1])
def test_mutants_that_are_read_do_not_crash_the_library(files, arch, child, tmp_path, number, slow):
    """What gets past the reader is loaded and all of it launched, in a child process with a time limit.

    The slow mode tries 2,500 mutants of each file that the library parses, 5,000 of each format.
    """
    name = READ_FILES[str(arch)][number]
    source = random.Random(f"load {arch} {name} {slow}")
    batch = []
    for archive in accepted_mutants(files, name, source, 2500 if slow else 150):
        batch.append(archive)
        (tmp_path / f"{len(batch):04}.tcm").write_bytes(archive)
    assert batch
    done = child(
        "import warnings\nwarnings.simplefilter('ignore')\n" + LOAD_MUTANTS, arch, tmp_path, quiet=False, timeout=900
    )
    assert int(done.stdout.split()[-1]) > 0


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_random_metadata_is_refused(data):
    with pytest.raises((CorruptedDataError, IncompatibleModuleError)):
        llvm.read("m", {"metadata.tcb": struct.pack("<Q", len(data) + 8) + data, "graphs.tcb": b""})


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_random_code_is_refused(data):
    header = struct.pack("<5I", spirv.MAGIC, 0x10300, 0, 10, 0)
    with pytest.raises(CorruptedDataError):
        spirv.read("k.spv", header + data)


def test_deep_types_are_refused():
    metadata = struct.pack("<3HQQQ", 1, 7, 4, 0, 0, 1)
    metadata += struct.pack("<Q", 1) + b"k" + struct.pack("<Q", 1) + b"k"
    metadata += struct.pack("<QQiBBQi", 1, 1, 0, 1, 0, 1, 0) + struct.pack("<iQ", 2, 0) * 1000
    metadata = struct.pack("<Q", len(metadata) + 8) + metadata
    with pytest.raises(CorruptedDataError, match="nested too deeply"):
        llvm.read("m", {"metadata.tcb": metadata, "graphs.tcb": b""})


@pytest.mark.parametrize(
    ("names", "shape"),
    [
        (("m_0_0", "m_0_1", "m_0_2", "m_1_0", "m_1_1", "m_1_2"), (2, 3)),
        (("some_name_0_0", "some_name_0_1", "some_name_1_0", "some_name_1_1"), (2, 2)),
        (("m_0_0", "m_1_0", "m_2_0"), (3, 1)),
        (("v_0", "v_1", "v_2"), (3,)),
        (("a_1_0", "a_1_1", "a_1_2"), (3,)),
        (("m_0_0", "m_5_5"), None),
        (("x", "y"), None),
        ((), None),
    ],
)
def test_the_shape_of_a_matrix_comes_from_its_members(names, shape):
    assert matrix_shape(names) == shape

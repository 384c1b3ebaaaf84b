"""The readers of module files: they read sound modules, and mutants do not crash the library."""

import fnmatch
import itertools
import random
import struct

import pytest
from helpers.archives import make_bundle, pack, read_archive
from helpers.fuzzing import run_mutants
from helpers.generated import draw
from helpers.generating import compile_models
from helpers.mutants import CODE_FILES, CONTAINER, READ_FILES, mutate, mutate_file
from helpers.plans import parsed
from helpers.scaling import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taichi_aot import Arch, CorruptedDataError, IncompatibleModuleError, inspect
from taichi_aot.adopt.llvm import _module as llvm
from taichi_aot.adopt.spirv import _editor as spirv
from taichi_aot.adopt.taichi._types import matrix_shape
from taichi_aot.bundle._files import DESCRIPTION


@pytest.fixture(params=["x64", "vulkan"])
def arch(request):
    """One arch of each format."""
    return Arch(request.param)


@pytest.fixture(params=["basic", "kinds"])
def files(request, modules):
    """The files of a module to damage; `kinds` has the rare kinds of arguments."""
    return read_archive(modules / f"{request.param}.tcm")


def test_signatures_are_read_from_both_formats(modules, arch):
    kernels = parsed(modules / "basic").info.kernels
    names = {name: str(kernel.signature) for name, kernel in kernels.items()}
    assert names["saxpy"] == "saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])"
    # No graph dispatches this kernel, so an LLVM module has no parameter names for it.
    start, v = ("arg0", "arg1") if arch.is_llvm else ("start", "v")
    assert names["iota"] == f"iota({start}: i32, {v}: ndarray[vector(3, f32), 2])"


def test_access_is_read_from_the_module(modules, arch):
    parameters = parsed(modules / "basic").info.kernels["saxpy"].signature.parameters
    assert [p.access for p in parameters] == ["", "r", "" if arch.is_llvm else "rw"]


mutants = settings(
    max_examples=examples(400),
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


@pytest.mark.slow(but="basic-*")
@pytest.mark.parametrize("number", [0, 1])
@mutants
@given(source=st.randoms(use_true_random=False))
def test_inspect_reads_or_rejects_every_mutant(files, arch, number, source):
    """Read 400 mutants of each file that the library parses, or raise an exception with a reason."""
    name = READ_FILES[str(arch)][number]
    mutant = mutate_file(name, files[name], source, mend_length=0.7)
    reason = refused(pack({**files, name: mutant}))
    assert len(reason) < 1000


@pytest.mark.slow(but="basic-*")
@mutants
@given(source=st.randoms(use_true_random=False))
def test_inspect_reads_or_rejects_mutants_of_code_and_containers(files, arch, source):
    names = sorted(name for name in files if fnmatch.fnmatch(name, CODE_FILES[str(arch)]))
    name = source.choice(names)
    refused(pack({**files, name: mutate(files[name], source)}))
    refused(bytearray(mutate(pack(files), source)))  # bytes this short could be a path


@pytest.mark.scaled
def test_most_mutants_are_rejected(files, arch, scaled):
    tried = scaled(40, 300)
    source = random.Random(f"count {arch}")
    for name in READ_FILES[str(arch)]:
        count = sum(refused(pack({**files, name: mutate(files[name], source)})) != "" for _ in range(tried))
        assert count > 0.6 * tried, name


@pytest.fixture(scope="session")
def generated(made_once):
    """A function that compiles a module of generated kernels for an arch."""

    def compile_for(arch):
        def compile_into(folder):
            models = draw(arch, range(60))
            in_graphs = [model for model in models[8:] if model.in_graph][:4]
            status, output = compile_models(arch, models[:8] + in_graphs, folder)
            assert status == 0, output

        return made_once.folder(f"mutated-{arch}", compile_into) / "module.tcm"

    return compile_for


@pytest.mark.scaled
@pytest.mark.slow(but="*-basic-*")
@pytest.mark.parametrize(
    ("kind", "number"), [*itertools.product(["basic", "kinds", "generated"], [0, 1, 2]), ("returns", 0)]
)
def test_accepted_mutants_do_not_crash_the_library(modules, generated, arch, kind, number, mutant_count, capsys):
    """Load and launch mutants that the reader accepts, in child processes with a time limit.

    Each file that the library parses and the container is mutated, 100,000 times for a record;
    ``--mutants`` sets the number.
    """
    name = [*READ_FILES[str(arch)], CONTAINER][number]
    path = generated(str(arch)) if kind == "generated" else modules / f"{kind}.tcm"
    counts = run_mutants(str(arch), path, name, mutant_count)
    with capsys.disabled():
        if mutant_count > 100:
            print(f"\n{arch!s:<8}{kind:<8}{name:<15}{counts}")


@pytest.mark.scaled
@pytest.mark.parametrize("name", [DESCRIPTION, CONTAINER])
def test_mutants_of_bundles_do_not_crash_the_library(compiled, arch, name, mutant_count, tmp_path):
    """Mutate the description of a bundle, and the bundle itself."""
    archives = {Arch(each): (compiled(each) / "basic.tcm").read_bytes() for each in ("x64", "vulkan")}
    path = tmp_path / "basic.tib"
    path.write_bytes(make_bundle(archives))
    run_mutants(str(arch), path, name, mutant_count)


@pytest.mark.scaled
@pytest.mark.parametrize("arch", ["x64"], indirect=True)
def test_mutants_of_field_trees_do_not_crash_the_library(modules, mutant_count):
    run_mutants("x64", modules / "trees.tcm", "metadata.tcb", mutant_count)


@settings(max_examples=examples(300), deadline=None)
@given(st.binary(max_size=400))
def test_random_metadata_is_rejected(data):
    with pytest.raises((CorruptedDataError, IncompatibleModuleError)):
        llvm.read("m", {"metadata.tcb": struct.pack("<Q", len(data) + 8) + data, "graphs.tcb": b""})


@settings(max_examples=examples(300), deadline=None)
@given(st.binary(max_size=400))
def test_random_code_is_rejected(data):
    header = struct.pack("<5I", spirv.MAGIC, 0x10300, 0, 10, 0)
    with pytest.raises(CorruptedDataError):
        spirv.read("k.spv", header + data)


def test_deeply_nested_types_are_rejected():
    metadata = struct.pack("<3HQQQ", 1, 7, 4, 0, 0, 1)
    metadata += struct.pack("<Q", 1) + b"k" + struct.pack("<Q", 1) + b"k"
    metadata += struct.pack("<QQiBBQi", 1, 1, 0, 1, 0, 1, 0) + struct.pack("<iQ", 2, 0) * 1000
    metadata = struct.pack("<Q", len(metadata) + 8) + metadata
    with pytest.raises(CorruptedDataError, match="nested too deeply"):
        llvm.read("m", {"metadata.tcb": metadata, "graphs.tcb": b""})


@pytest.mark.parametrize(
    ("names", "shape"),
    [
        (("a_0_0", "a_0_1", "a_0_2"), (1, 3)),
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
def test_matrix_shape_comes_from_its_members(names, shape):
    assert matrix_shape(names, "arg0") == shape


def test_name_of_a_vector_may_end_with_a_number():
    assert matrix_shape(("a_0_0", "a_0_1", "a_0_2"), "a_0") == (3,)
    assert matrix_shape(("a_0_0", "a_0_1", "a_0_2"), "a") == (1, 3)

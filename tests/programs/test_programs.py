"""Whole programs, each built as one bundle for all archs, compute the same on every arch.

``helpers/programs.py`` runs each program and computes the expected results. Integers, and numbers computed without
rounding, are compared bit by bit; others within the tolerance given there. None loads the C library.

    python -m helpers.carry FOLDER                                      # in tests, where taichi is installed
    TAICHI_AOT_TEST_ARCHS=cuda python -m pytest tests/programs --all --carried FOLDER

builds the bundles on one machine, and runs them on another one, which does not need the compiler.
"""

import pytest
from helpers.archs import ARCHS, require
from helpers.child import run_in_child
from helpers.programs import FOLDER, PROGRAMS, build_program
from scenarios.imports import is_loaded

from taichi_aot import inspect, load

CASES = [
    pytest.param(name, arch, id=f"{name}-{arch}")
    for name, program in PROGRAMS.items()
    for arch in program.archs
    if arch in ARCHS
]


@pytest.fixture(scope="module")
def bundle(carried, tmp_path_factory):
    """A function that returns the path of a program's bundle: carried, or built on first use."""
    folder, built = carried or tmp_path_factory.mktemp("programs"), {}

    def path_of(name):
        if carried and not (folder / f"{name}.tib").exists():
            pytest.skip("was not carried here")
        if name not in built:
            built[name] = folder / f"{name}.tib" if carried else build_program(name, folder)
        return built[name]

    return path_of


def test_table_lists_every_program():
    assert {path.stem for path in FOLDER.glob("*.py")} == {*PROGRAMS, "test_programs", "test_examples"}


SOME = ("blur*", "life*")  # built by default: textures, graphs


@pytest.mark.slow(but=SOME)
@pytest.mark.parametrize(("name", "arch"), CASES)
def test_program_computes_the_same_as_numpy(name, arch, bundle):
    require(arch)
    run_in_child(check_without_the_library, name, arch, bundle(name))


def check_without_the_library(name, arch, path):
    with load(path, arch=arch) as module:
        assert PROGRAMS[name].check(module) > 100
    assert not is_loaded()


@pytest.mark.slow(but=SOME)
@pytest.mark.parametrize("name", PROGRAMS)
def test_bundle_has_every_supported_arch(name, bundle):
    assert sorted(map(str, inspect(bundle(name)).archs)) == sorted(PROGRAMS[name].archs)

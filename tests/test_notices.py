"""THIRD-PARTY-NOTICES names what the bundled library contains; the demo has nothing of others."""

import io
import lzma
import re
import zipfile
from pathlib import Path

import pytest
from helpers.notices import COMPONENTS, EXPRESSION

import taichi_aot

ROOT = Path(__file__).parent.parent
PACKAGE = Path(taichi_aot.__file__).parent
# Strings of software that the sources of Taichi have, or that similar libraries contain.
OTHERS = {
    "Catch": b"catch.hpp",
    "Dear ImGui": b"Dear ImGui",
    "Eigen": b"Eigen",
    "MoltenVK": b"MoltenVK",
    "RapidJSON": b"rapidjson",
    "SPIRV-Tools": b"SPIRV-Tools",
    "glm": b"/glm/",
    "nlohmann/json": b"nlohmann",
    "picojson": b"picojson",
    "stb": b"unknown image type",
    "zstd": b"ZSTD_",
}


@pytest.fixture(scope="module")
def library():
    path = PACKAGE / "_bundle" / "lib" / "libtaichi_c_api.so"
    if not path.is_file():
        pytest.skip("built without the library for Linux")
    return path.read_bytes()


def test_expression_is_of_all_licences():
    tomllib = pytest.importorskip("tomllib", reason="needs Python 3.11")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == EXPRESSION
    assert project["license-files"] == ["LICENSE", "THIRD-PARTY-NOTICES"]
    licences = {name for component in COMPONENTS.values() for name in component.licence.split(" AND ")}
    # The exception allows other terms for what is linked with the libraries of GCC.
    assert set(EXPRESSION.split(" AND ")) == licences - {"GPL-3.0-or-later WITH GCC-exception-3.1"}


def test_every_component_is_in_the_library(library):
    assert [name for name, component in COMPONENTS.items() if component.marker not in library] == []
    without = {name for name, component in COMPONENTS.items() if not component.marker}
    assert without == {"FP16", "Khronos headers"}


def test_library_contains_no_others(library):
    assert [name for name, marker in OTHERS.items() if marker in library and name not in COMPONENTS] == []


def test_paths_of_sources_are_of_components(library):
    folders = {path.decode() for path in re.findall(rb"/external/([\w-]+)/", library)}
    assert folders == {"PicoSHA2", "VulkanMemoryAllocator", "spdlog"}


def files_in(archive):
    """Return the files of a zip archive, and of those in it."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for name in opened.namelist():
            content = opened.read(name)
            if content.startswith(b"PK"):
                found |= {f"{name}/{inner}": text for inner, text in files_in(content).items()}
            else:
                found[name] = content
    return found


def test_demo_has_no_functions_of_nvidia():
    """A module for CUDA defines the functions of libdevice that it calls."""
    files = files_in(lzma.decompress((PACKAGE / "demo" / "mpm88.tib.xz").read_bytes()))
    assert any(name.startswith("cuda.tcm/") for name in files)
    assert not [name for name, text in files.items() if b"__nv_" in text]


def test_bundle_has_no_functions_of_nvidia(library):
    assert len((PACKAGE / "_bundle" / "runtime" / "slim_libdevice.10.bc").read_bytes()) == 16

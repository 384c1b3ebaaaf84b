"""Modules of other Taichi versions are rejected with the version and the remedy."""

import json
import struct

import pytest
from helpers.archives import pack, read_archive

from taichi_aot import CorruptedDataError, IncompatibleModuleError, inspect


@pytest.fixture
def files(modules):
    return read_archive(modules / "basic.tcm")


def tcb(version, content=b""):
    """Make a metadata.tcb of another version, of which only the header may be read."""
    return struct.pack("<Q3H", 14 + len(content), *version) + content


OLD_JSON = json.dumps({"kernels": [{"ctx_attribs": {"extra_args_bytes_": 0}}]}).encode()
# As each version writes them: file names and the beginnings of their contents.
MODULES = {
    "1.0.3 x64": ("before 1.4", {"metadata.tcb": tcb((0, 0, 0)), "metadata.json": b'{\n"cache": {', "k.ll": b""}),
    "1.0.3 vulkan": (
        "before 1.4",
        {"metadata.tcb": tcb((1, 0, 0)), "metadata.json": b'{\n"aot_data": {', "k.spv": b""},
    ),
    "1.0.3 opengl": ("before 1.4", {"metadata.tcb": tcb((1, 0, 0)), "metadata.json": b'{\n"aot_data": {'}),
    "1.0 gles": ("before 1.4", {"metadata.json": b'{\n"aot_data": {'}),
    "1.2.0 x64": ("Taichi 1.2.0", {"metadata.tcb": tcb((1, 2, 0)), "metadata.json": b'{\n"cache": {'}),
    "1.4.1 x64": ("Taichi 1.4.1", {"__version__": b"1.4.1", "metadata.tcb": tcb((1, 4, 1))}),
    "1.4.1 vulkan": (
        "Taichi 1.4.1",
        {"__version__": b"1.4.1", "metadata.tcb": tcb((1, 0, 0)), "metadata.json": OLD_JSON},
    ),
    "1.6.0 vulkan": ("Taichi 1.6.0", {"__version__": b"1.6.0", "metadata.json": OLD_JSON, "graphs.json": b"[]"}),
    "1.6.0 x64": ("Taichi 1.6.0", {"__version__": b"1.6.0", "metadata.tcb": tcb((1, 6, 0), b"\1" * 100)}),
    "1.7.3 x64": ("Taichi 1.7.3", {"__version__": b"1.7.3", "metadata.tcb": tcb((1, 7, 3), b"\1" * 100)}),
    "1.8.0 vulkan": ("Taichi 1.8.0", {"__version__": b"1.8.0\n", "metadata.json": b"{}", "graphs.json": b"[]"}),
}


@pytest.mark.parametrize(("named", "files"), MODULES.values(), ids=MODULES)
def test_error_names_the_other_version(named, files):
    with pytest.raises(IncompatibleModuleError, match=rf"{named}.*compile it again with taichi==1\.7\.4"):
        inspect(pack(files))


@pytest.mark.parametrize("arch", ["x64"], indirect=True)
def test_version_of_llvm_code_comes_from_its_metadata(rt, files):
    files["metadata.tcb"] = files["metadata.tcb"].replace(struct.pack("<3H", 1, 7, 4), struct.pack("<3H", 1, 7, 3), 1)
    with pytest.raises(IncompatibleModuleError, match=r"Taichi 1\.7\.3"):
        rt.load_module(pack(files))


@pytest.mark.parametrize("version", [(37, 511, 2), (1, 7, 4000), (2, 0, 0), (0, 7, 4)])
def test_impossible_versions_are_rejected(version):
    with pytest.raises(CorruptedDataError, match="states the version"):
        inspect(pack({"metadata.tcb": tcb(version)}))


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
@pytest.mark.parametrize("text", [b"1.7.0", b"1.7.3\n", b"", b"nonsense", b"1.7.4.post1"])
def test_other_releases_of_the_series_load(rt, files, text):
    """SPIR-V modules have the same format in 1.7.0 to 1.7.4."""
    files["__version__"] = text
    assert "saxpy" in rt.load_module(pack(files)).kernels

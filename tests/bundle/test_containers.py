"""Sources of modules: regular files, folders, and every kind of buffer."""

import array
import hashlib
import io
import json
import mmap
import os
import random
import zipfile

import numpy as np
import pytest
from helpers.archives import pack, read_archive, write_folder
from helpers.child import run_in_child
from helpers.mutants import mutate_archive
from scenarios.reading import print_why_refused

from taichi_aot import CorruptedDataError, inspect
from taichi_aot.bundle import _codec as formats
from taichi_aot.bundle import _files as container
from taichi_aot.bundle._files import open_source


@pytest.fixture(params=["x64", "vulkan"])
def archive(request, compiled):
    """The path of a sound archive of each format."""
    return compiled(request.param) / "basic.tcm"


@pytest.fixture
def files(archive):
    return read_archive(archive)


def test_every_kind_of_buffer_is_accepted(archive):
    data = archive.read_bytes()
    with archive.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        sources = [data, bytearray(data), memoryview(data), mapped, array.array("B", data), np.frombuffer(data, "u1")]
        assert all("saxpy" in inspect(source).kernels for source in sources)


def test_bytes_other_than_an_archive_are_a_path(archive, tmp_path):
    assert "saxpy" in inspect(os.fsencode(archive)).kernels
    odd = tmp_path / os.fsdecode(b"\xff odd.tcm")
    odd.write_bytes(archive.read_bytes())
    assert "saxpy" in inspect(os.fsencode(odd)).kernels
    with pytest.raises(
        FileNotFoundError, match=r"No such file or directory \(bytes that do not begin with 'PK', as arch"
    ):
        inspect(b"abc")
    with pytest.raises(FileNotFoundError):
        inspect(os.fsencode(tmp_path / "nowhere.tcm"))
    with pytest.raises(CorruptedDataError, match="not a sound"):
        inspect(bytearray(os.fsencode(archive)))


@pytest.mark.parametrize("before", [b"", b"#!/bin/sh\n"])
@pytest.mark.parametrize("after", [b"", b"appended"])
@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_archive_with_data_around_it_is_read(files, before, after, compression):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    assert "saxpy" in inspect(before + buffer.getvalue() + after).kernels


class Stream(io.BytesIO):
    """A file whose writer cannot go back: it writes the sizes behind the contents."""

    def seekable(self):
        return False

    def tell(self):
        raise OSError

    def seek(self, *place):
        raise OSError


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_archives_of_other_writers_have_the_same_files(archive, files, compression):
    stream = Stream()
    with zipfile.ZipFile(stream, "w", compression) as opened:
        for name, data in files.items():
            opened.writestr(name, data)
    with open_source(stream.getvalue()) as other, open_source(archive) as own:
        read, expected = other.read_module(), own.read_module()
    assert read == expected  # also after both are closed
    assert dict(read) == {name: files[name] for name in read}
    assert read != expected.only(expected.keys() - {"__version__"})
    assert list(expected.only(["nothing", "__version__"])) == ["__version__"]


class BytesPath:
    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return os.fsencode(self.path)


def test_path_object_may_return_bytes(archive):
    assert "saxpy" in inspect(BytesPath(archive)).kernels


@pytest.mark.parametrize("source", [None, 3, ["x"], np.array([None, "x"])], ids=repr)
def test_objects_of_other_types_raise_type_error(source):
    with pytest.raises(TypeError, match="path or the bytes"):
        inspect(source)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs and devices")
@pytest.mark.parametrize("name", ["fifo", "/dev/zero", "/dev/urandom", "/dev/null"])
def test_special_files_are_rejected(name, tmp_path):
    """The first three would hang, or use unlimited memory."""
    path = tmp_path / name
    if name == "fifo":
        os.mkfifo(path)
    assert "not a regular file" in run_in_child(print_why_refused, path).stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
def test_fifo_in_a_folder_is_ignored(files, tmp_path):
    del files["__version__"]
    write_folder(tmp_path, files)
    os.mkfifo(tmp_path / "__version__")
    assert run_in_child(print_why_refused, tmp_path).stdout == ""


def test_size_of_a_module_is_bounded(archive, files, tmp_path, monkeypatch):
    write_folder(tmp_path, files)
    monkeypatch.setattr(container, "MAX_TOTAL_BYTES", 1000)
    for source in (archive, tmp_path, archive.read_bytes()):
        with pytest.raises(CorruptedDataError, match="too large"):
            inspect(source)


@pytest.mark.parametrize("name", ["bundle.json", "plan.json", "metadata.json"])
def test_size_of_json_is_bounded(name, files, tmp_path, monkeypatch):
    monkeypatch.setattr(container, "size_limit", lambda each: 2000 if each == name else None)
    monkeypatch.setattr(container, "SMALLEST_LIMIT", 2000)
    too_large = {**files, name: b" " * 2001}
    write_folder(tmp_path, too_large)
    for source in (tmp_path, pack(too_large)):
        with pytest.raises(CorruptedDataError, match=f"{name} is too large: over 2000 bytes"):
            inspect(source)


def test_extra_files_with_odd_names_are_ignored(files, tmp_path):
    write_folder(tmp_path, files)
    (tmp_path / os.fsdecode(b"\xff\xfe.ll")).write_bytes(b"nonsense")
    assert "saxpy" in inspect(tmp_path).kernels


def test_message_names_a_folder_with_an_odd_name(tmp_path):
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()
    with pytest.raises(CorruptedDataError, match=r"\\udcff is not an AOT module") as caught:
        inspect(folder)
    str(caught.value).encode()


HALVES = ["\ud800", "name\udfff", "\udc80"]


@pytest.mark.parametrize("half", HALVES, ids=ascii)
@pytest.mark.parametrize("file", ["metadata.json", "graphs.json"])
def test_lone_surrogates_are_rejected(compiled, file, half):
    with zipfile.ZipFile(compiled("vulkan") / "basic.tcm") as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    value = json.loads(files[file])
    if file == "graphs.json":
        value[0]["key"] = half
    else:
        value["kernels"][0]["name"] = half
    files[file] = json.dumps(value).encode()
    with pytest.raises(CorruptedDataError, match="expected a text") as caught:
        inspect(pack(files))
    str(caught.value).encode()


# What is read without Python's own modules, which read the rest.

JSON = [
    *(
        b"",
        b" ",
        b"{",
        b"[1,]",
        b'{"a": 1}',
        b' {"a": [1.5, -2e300, 1e999, null, true]}\n',
        b"[] []",
        b"[]\xa0",
        b"nul",
    ),
    *(
        b"NaN",
        b"[-Infinity, Infinity]",
        b'{"a": 1, "a": 2}',
        b"01",
        b"9" * 30,
        b"9" * 5000,
        b'"\\ud800"',
        b'"\\ud83d\\ude00"',
    ),
    *(b'"\xc3\xa9"', b'"\xff"', b'"\n"', b"\xef\xbb\xbf[]", "[1]".encode("utf-16"), b"[" * 100_000, b"-", b'{"a" 1}'),
]


def outcome(read, *arguments):
    try:
        return repr(read(*arguments))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("data", JSON, ids=lambda data: repr(data[:20]))
def test_json_is_read_as_by_python(data, monkeypatch):
    assert outcome(formats.read_json, data) == outcome(json.loads, data)
    assert outcome(formats.read_json, data * 2) == outcome(json.loads, data * 2)
    monkeypatch.setattr(formats, "_json", None)
    assert outcome(formats.read_json, data) == outcome(json.loads, data)


def test_digests_are_those_of_hashlib():
    for size in (0, 1, 63, 64, 65, 100_000):
        data = random.Random(size).randbytes(size)
        digest = formats.sha256(data[:7])
        digest.update(data[7:])
        assert digest.hexdigest() == formats.sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()


def read_all(data):
    with open_source(bytearray(data)) as opened:
        return {name: opened.read(name) for name in opened.names}


@pytest.mark.scaled
def test_archives_are_read_as_by_zipfile(archive, files, monkeypatch, scaled):
    """A sound archive, and damaged ones: what their directories say, and what is read of them."""
    usual, others = container._usual_directory, container._other_directory
    found = usual(archive.read_bytes())
    assert found
    assert found == others("the module", archive.read_bytes())
    read = 0
    for number in range(scaled(300, 5000)):
        mutant = mutate_archive(files, random.Random(number))
        monkeypatch.setattr(container, "_usual_directory", usual)
        own = outcome(read_all, mutant)
        read += bool(usual(mutant))
        monkeypatch.setattr(container, "_usual_directory", lambda data: [])
        assert own == outcome(read_all, mutant), number
    assert read

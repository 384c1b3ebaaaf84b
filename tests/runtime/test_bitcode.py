"""The runtime bitcode of x64 in a user's folder, which the library reads for each runtime."""

import os
from pathlib import Path

import pytest
from helpers.archs import require
from helpers.child import run_in_child
from helpers.objects import try_runtime

from taichi_aot import library_path


@pytest.fixture
def bitcode():
    require("x64")
    library_path()  # loading sets the variable
    return Path(os.environ["TI_LIB_DIR"])


@pytest.mark.parametrize("what", ["missing", "empty", "magic only", "text", "cut", "cut by a word", "too long"])
def test_missing_or_damaged_bitcode_is_an_error(bitcode, what, tmp_path):
    sound = (bitcode / "runtime_x64.bc").read_bytes()
    contents = {
        "empty": b"",
        "magic only": sound[:4],
        "text": b"no bitcode",
        "cut": sound[: len(sound) // 2],
        "cut by a word": sound[:-4],
        "too long": sound + b"1234",
    }
    if what in contents:
        (tmp_path / "runtime_x64.bc").write_bytes(contents[what])
    done = run_in_child(try_runtime, "x64", env={"TI_LIB_DIR": str(tmp_path)}, quiet=False)
    message = done.stdout.splitlines()[-1]
    assert message.startswith("InvalidStateError" if what == "missing" else "CorruptedDataError")
    assert ("runtime_x64.bc cannot be read" if what == "missing" else "runtime_x64.bc is damaged") in message
    assert "TI_LIB_DIR" in message


def test_copied_bitcode_works(bitcode, tmp_path):
    for path in bitcode.glob("*.bc"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert run_in_child(try_runtime, "x64", env={"TI_LIB_DIR": str(tmp_path)}).stdout == "3.0\n"

"""Linking objects to a shared object with the linker of ziglang, which links for every CPU."""

from __future__ import annotations

import base64
import importlib.util
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...bundle._source import NATIVE_TARGETS
from .._options import BuildError

TIMEOUT = 600  # seconds
MACHINES = {
    "x86-64": ("elf_x86_64", 0x1000),
    "aarch64": ("aarch64linux", 0x10000),
}  # by family: the linker's name, size of pages
# No part of the result depends on the machine: it has no id of the build, no paths and no times.
OPTIONS = (
    "-shared",
    "--hash-style=sysv",
    "--build-id=none",
    "--gc-sections",
    "--no-undefined",
    "--strip-all",
    *("-z", "now"),
    *("-z", "norelro"),
    *("-z", "noseparate-code"),
)


def link_answers(answers: Sequence[Any]) -> dict[str, bytes]:
    """Link the objects that child processes have compiled to a shared object for each kind of CPU.

    The machine need not have the libraries of every CPU that code may need: the answers have an object for each, with
    functions of the same names. Raise BuildError if they cannot be linked.
    """
    linked: dict[str, bytes] = {}
    for family, stubs in answers[0]["stubs"].items():
        emulation, page = MACHINES[family]
        machine = ("-m", emulation, "-z", f"max-page-size={page}", "--threads=1")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for library, stub in stubs.items():
                (folder / "stub.o").write_bytes(base64.b64decode(stub))
                _run(folder, *machine, "-shared", "--soname", library, "-o", library, "stub.o")
            for target in (each for each in NATIVE_TARGETS if family in each and each in answers[0]["objects"]):
                objects = [data for each in answers for data in (each["shared"][family], each["objects"][target])]
                files = [f"{number}.o" for number in range(len(objects))]
                for file, data in zip(files, objects, strict=True):
                    (folder / file).write_bytes(base64.b64decode(data))
                _run(folder, *machine, *OPTIONS, "-o", "code.so", *files, "--as-needed", *stubs)
                linked[target] = (folder / "code.so").read_bytes()
    return linked


def _run(folder: Path, *arguments: str) -> None:
    spec = importlib.util.find_spec("ziglang")
    assert spec is not None
    assert spec.origin is not None
    linker = Path(spec.origin).with_name("zig")
    done = subprocess.run(
        [linker, "ld.lld", *arguments], cwd=folder, timeout=TIMEOUT, stdin=subprocess.DEVNULL, capture_output=True
    )
    if done.returncode != 0:
        raise BuildError(f"x64: machine code cannot be linked: {done.stderr.decode(errors='replace')[:1000]}")

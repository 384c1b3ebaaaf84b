"""Linking objects to a shared object with the linker of ziglang, which links for every CPU."""

from __future__ import annotations

import base64
import importlib.util
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...bundle._files import NATIVE_TARGETS
from .._errors import BuildError

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

    Raise BuildError if they cannot be linked.
    """
    families = {target: next(family for family in MACHINES if family in target) for target in NATIVE_TARGETS}
    objects = {
        target: [
            base64.b64decode(data) for each in answers for data in (each["shared"][family], each["objects"][target])
        ]
        for target, family in families.items()
    }
    stubs = {
        family: {library: base64.b64decode(data) for library, data in each.items()}
        for family, each in answers[0]["stubs"].items()
    }
    return _link(objects, stubs)


def _link(objects: Mapping[str, Sequence[bytes]], stubs: Mapping[str, Mapping[str, bytes]]) -> dict[str, bytes]:
    """Link objects to a shared object for each kind of CPU.

    Parameters
    ----------
    objects : mapping
        The objects by kind of CPU.
    stubs : mapping
        For each family of CPUs, the libraries that code may need, each with an object that has functions of the same
        names: the machine need not have the libraries of every CPU.
    """
    return {
        target: data
        for family in MACHINES
        for target, data in _link_family(family, {t: objects[t] for t in objects if family in t}, stubs[family]).items()
    }


def _link_family(family: str, objects: Mapping[str, Sequence[bytes]], stubs: Mapping[str, bytes]) -> dict[str, bytes]:
    emulation, page = MACHINES[family]
    machine = ("-m", emulation, "-z", f"max-page-size={page}", "--threads=1")
    linked: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for library, stub in stubs.items():
            (folder / "stub.o").write_bytes(stub)
            _run(folder, *machine, "-shared", "--soname", library, "-o", library, "stub.o")
        for target, contents in objects.items():
            files = [f"{number}.o" for number in range(len(contents))]
            for file, data in zip(files, contents, strict=True):
                (folder / file).write_bytes(data)
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

"""Mutants of modules: those that the reader accepts are loaded, and all their kernels and graphs launched."""

from __future__ import annotations

import faulthandler
import json
import random
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from helpers.archives import pack, read_archive
from helpers.mutants import mutate_json, mutate_module

from scenarios import ArchName
from taichi_aot import (
    CorruptedDataError,
    IncompatibleModuleError,
    LibraryNotFoundError,
    Parameter,
    Runtime,
    TaichiError,
    inspect,
)

WRONG = (TaichiError, ValueError, OverflowError, TypeError)
REFUSED: tuple[type[BaseException], ...] = (TaichiError, MemoryError, LibraryNotFoundError)
LOADS_OF_A_RUNTIME = 50  # the library keeps most memory of a module until the runtime is closed
HANG = 60.0  # seconds


def _made_up(rt: Runtime, parameter: Parameter) -> Any:
    if parameter.kind == "scalar":
        return 1
    if parameter.kind == "matrix":
        return np.ones(parameter.elem_shape, int)
    if parameter.kind == "ndarray":
        return rt.zeros((2,) * parameter.ndim, parameter.dtype, parameter.elem_shape)
    return None


def _launch_all(rt: Runtime, archive: bytes | bytearray) -> tuple[int, int]:
    """Load an archive and launch everything; return the counts of loaded modules and completed launches."""
    try:
        module = rt.load_module(archive)
        items = [*module.kernels.values(), *module.graphs.values()]
    except WRONG:
        return 0, 0
    launched = 0
    for item in items:
        try:
            item(*(_made_up(rt, parameter) for parameter in item.signature.parameters))
            rt.wait()
            launched += 1
        except WRONG:
            pass
    return 1, launched


def is_read(archive: bytes | bytearray, arch: ArchName) -> bool:
    """Return whether the reader accepts a module; otherwise it raises one of two exceptions."""
    try:
        inspect(archive, arch)
    except (CorruptedDataError, IncompatibleModuleError):
        return False
    return True


def load_mutants(arch: ArchName, module: str, name: str, seed: str, begin: str, end: str) -> None:
    """Try mutants number `begin` to `end` of one file of a module; a mutant follows from the seed and its number.

    Before a mutant reaches the library, print its number and the counts so far, in case it crashes the process.
    """
    warnings.simplefilter("ignore")
    files = read_archive(Path(module))
    loads = 1 if inspect(module, arch).has_fields else LOADS_OF_A_RUNTIME  # a runtime takes one module with fields
    rt = Runtime(arch)
    read = loaded = launched = 0
    for number in range(int(begin), int(end)):
        dice = random.Random(f"{Path(module).stem} {name} {seed} {number}")
        archive = bytearray(mutate_module(files, name, dice))  # bytes may be a path
        if not is_read(archive, arch):
            continue
        read += 1
        print(number, read, loaded, launched, flush=True)
        faulthandler.dump_traceback_later(HANG, exit=True)
        has_loaded, launches = _launch_all(rt, archive)
        faulthandler.cancel_dump_traceback_later()
        loaded += has_loaded
        launched += launches
        if read % loads == 0:
            rt.close()
            rt = Runtime(arch)
    print(end, read, loaded, launched, flush=True)


def load_mutants_of_plan(arch: ArchName, module: str, seed: str, count: str) -> None:
    """Load modules with damaged plans, and make the plans of their launches, which are not made.

    What the library is given stays: it is code.
    """
    files, dice = read_archive(Path(module)), random.Random(int(seed))
    stated = json.loads(files.pop("plan.json"))
    read = made = 0
    for _ in range(int(count)):
        mutant = json.loads(json.dumps(stated))
        name = dice.choice(sorted(mutant.keys() - {"library"}))
        mutant[name] = json.loads(mutate_json(json.dumps({name: mutant[name]}).encode(), dice)).get(name)
        archive = bytearray(pack({**files, "plan.json": json.dumps(mutant).encode()}))
        read += is_read(archive, arch)
        with Runtime(arch) as rt:
            try:
                loaded = rt.load_module(archive)
            except REFUSED:
                continue
            for each in (loaded.kernels, loaded.graphs):
                for item in each:
                    with suppress(*REFUSED):
                        made += not each[item].recording.startswith("by the library")
    print(read, made)
    assert read
    assert made

"""Mutants of modules: those that the reader accepts are loaded, and all their kernels and graphs launched."""

from __future__ import annotations

import faulthandler
import json
import random
import resource
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from helpers.archives import pack, read_archive
from helpers.inside import leave_out_machine_code
from helpers.mutants import lie, mutate_module

from scenarios import ArchName
from taichi_aot import (
    AotModule,
    ComputeGraph,
    CorruptedDataError,
    IncompatibleModuleError,
    Kernel,
    Launch,
    LibraryNotFoundError,
    Parameter,
    Runtime,
    TaichiError,
    inspect,
)

WRONG = (TaichiError, ValueError, OverflowError, TypeError)
REFUSED: tuple[type[BaseException], ...] = (TaichiError, LibraryNotFoundError)
MOST_MEMORY = 16 << 30  # bytes of address space: a MemoryError is of numpy or Python, which asked for what was stated
LOADS_OF_A_RUNTIME = 50  # the library keeps most memory of a module until the runtime is closed
HANG = 60.0  # seconds


def _made_up(rt: Runtime, parameter: Parameter) -> Any:
    if parameter.kind == "scalar":
        return 1
    if parameter.kind == "matrix":
        return np.ones(parameter.elem_shape, int)
    if parameter.kind == "struct":
        return np.zeros((), parameter.layout)[()]
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


def try_lies(arch: ArchName, module: str, seed: int, count: int, *, has_library: bool) -> None:
    """Load modules whose plans state anything, look up all that they have, and bind it.

    A library is given what the module is, which is code. Without one the rest of the plan lies too, and launches on
    CPUs are made, but for the code that they call.
    """
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    launches = arch == "x64" and not has_library
    if launches:
        leave_out_machine_code()
    files = read_archive(Path(module))
    truth = json.loads(files.pop("plan.json"))
    kept = {"library": truth.pop("library")} if has_library else {}
    counts = Counter[str]()
    for number in range(count):
        stated = json.loads(json.dumps(truth))
        changes = lie(stated, random.Random(f"{Path(module).stem} {arch} {seed} {number}"))
        archive = bytearray(pack({**files, "plan.json": json.dumps({**stated, **kept}).encode()}))
        faulthandler.dump_traceback_later(HANG, exit=True)
        print(number, changes, flush=True)
        with Runtime(arch) as rt, suppress(*REFUSED):
            counts["read"] += is_read(archive, arch)
            loaded = rt.load_module(archive)
            counts["loaded"] += 1
            _use_all(rt, loaded, counts, launches=launches)
        faulthandler.cancel_dump_traceback_later()
    print(counts)
    assert {"read", "loaded", "bound", *["launched"] * launches} <= counts.keys()


def _use_all(rt: Runtime, module: AotModule, counts: Counter[str], *, launches: bool) -> None:
    for item in (lambda: module.info.to_dict(), lambda: str(module.info), *_parts(module)):
        with suppress(*REFUSED, AttributeError):  # of a gradient that a kernel does not have
            bound = _describe(rt, item())
            counts["bound"] += bound is not None
            if bound is not None and launches:
                bound()
                rt.sequence([bound])(repeat=2)
                counts["launched"] += 1


def _parts(module: AotModule) -> list[Callable[[], object]]:
    """Return a function for each kernel, gradient, graph and field, which looks it up."""
    parts: list[Callable[[], object]] = []
    for name in module.kernels:
        parts += partial(module.kernels.__getitem__, name), partial(_gradient, module, name)
    for names in (module.graphs, module.fields):
        parts += [partial(names.__getitem__, name) for name in names]
    return parts


def _gradient(module: AotModule, name: str) -> object:
    return module.kernels[name].grad


def _describe(rt: Runtime, item: object) -> Launch | None:
    """Read all that a part of a module says; return a launch of a kernel or graph."""
    _ = str(item), repr(item)
    if not isinstance(item, Kernel | ComputeGraph):
        return None
    _ = item.__doc__, item.__signature__, item.recording
    return item.bind(*(_made_up(rt, parameter) for parameter in item.signature.parameters))

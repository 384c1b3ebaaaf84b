"""The module of kernels of Quadrants: their machine code, linked, with its plan."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any

from ...adopt.modules._make import MadeModule, files_of
from ...adopt.quadrants._compiled import CompiledKernel, read_compiled
from ...adopt.quadrants._plan_of import ModuleDescription, cpu_plan, task_names
from ...adopt.quadrants._runtime_struct import BITCODE, difference
from ...adopt.taichi._native import NativeKernel
from ...adopt.taichi._native_elf import check_code
from ...bundle._container import pack_reproducible
from ...bundle._contents import info_of
from ...bundle._files import NATIVE_CODE
from ...values._enums import Arch
from ...values._errors import TaichiError
from .._errors import BuildError, UnavailableError
from .._options import Math
from ..code._native_link import link_answers
from ..compile._children import call_each
from ..compile._compiled import Compiled
from ._code import CodeRequest, compile_code, describe_runtime

__all__ = ["ARCHS", "make_module", "require_quadrants"]

ARCHS = (Arch.X64,)  # for which kernels of Quadrants are built
PACKAGES = {"quadrants": "1.3", "llvmlite": "0.50", "ziglang": "0.17"}
INSTALL = "install the extra `quadrants` of taichi_aot in an environment of its own"
BATCH = 32  # kernels in an object; it determines the bytes, so it does not follow the number of cores


def require_quadrants() -> None:
    """Raise UnavailableError if a package that builds need is missing or has another version."""
    for name, wanted in PACKAGES.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            raise UnavailableError(f"kernels of Quadrants need {name} {wanted}: {INSTALL}") from None
        if not f"{found}.".startswith(f"{wanted}."):
            clash = ", since Taichi's kernels need another one" if name == "llvmlite" else ""
            raise UnavailableError(
                f"kernels of Quadrants need {name} {wanted}, and here is {name} {found}: {INSTALL}{clash}"
            )


def make_module(compiled: Compiled, math: Math, timeout: float, show: Callable[[int], object]) -> MadeModule:
    """Make the module of what Quadrants has compiled for x64.

    Parameters
    ----------
    compiled : Compiled
        The answer of the child process.
    math : str
        The option of `build`.
    timeout : float
        Limit for each process in seconds.
    show : callable
        Called with the number of kernels whose machine code has been compiled.

    Raises
    ------
    BuildError
        If a kernel uses what modules cannot have, Quadrants has another form, or a process fails.
    """
    described = compiled.description
    places = {each["name"]: each for each in (*described["kernels"], *described["accessors"])}
    try:
        kernels = {name: read_compiled(name, data) for name, data in compiled.files.items()}
        _require_runtime(timeout)
        symbols = _symbols(kernels)
        answers = _compile(kernels, symbols, math, timeout, show)
        _require_usable(answers, places)
        code = link_answers(answers)
        needs = {name: each for answer in answers for name, each in answer["needs"].items()}
        native = {
            name: NativeKernel(tuple(symbols[name].values()), frozenset(needs[name][0]), tuple(needs[name][1]))
            for name in kernels
        }
        for target, data in code.items():
            check_code(NATIVE_CODE[target], data, target, set(chain(*(each.tasks for each in native.values()))))
        description = ModuleDescription(
            described["compiler"],
            list(places.values()),
            described["fields"],
            {int(tree): size for tree, size in described["trees"].items()},
            described["source"],
            described["cpu_threads"],
        )
        plan = cpu_plan("the module for x64", description, kernels, native, code)
    except (TaichiError, KeyError, TypeError, ValueError) as error:
        raise BuildError(f"x64: what Quadrants has compiled cannot be read: {type(error).__name__}: {error}") from error
    return MadeModule(pack_reproducible(files_of(plan)), info_of(plan))


def _require_runtime(timeout: float) -> None:
    """Compare the structs of the installed runtime with those that plans state."""
    spec = importlib.util.find_spec("quadrants")
    assert spec is not None
    assert spec.origin is not None
    bitcode = Path(spec.origin).parent.joinpath(*BITCODE)
    (structs,) = call_each(describe_runtime, [str(bitcode)], timeout, "x64: reading the runtime of Quadrants")
    differs = difference(structs["LLVMRuntime"], structs["RuntimeContext"])
    if differs:
        raise BuildError(f"x64: Quadrants {version('quadrants')} has another runtime: {differs}")


def _symbols(kernels: Mapping[str, CompiledKernel]) -> dict[str, dict[str, str]]:
    """The symbols of the tasks of each kernel, by the names of tasks, which several kernels may have."""
    return {name: {task: f"{name}.{i}" for i, task in enumerate(task_names(each))} for name, each in kernels.items()}


def _compile(
    kernels: Mapping[str, CompiledKernel],
    symbols: Mapping[str, Mapping[str, str]],
    math: Math,
    timeout: float,
    show: Callable[[int], object],
) -> list[Any]:
    sources = [(name, each.code.decode(), symbols[name]) for name, each in kernels.items()]
    batches = [sources[i : i + BATCH] for i in range(0, len(sources), BATCH)]
    requests = [CodeRequest(each, math) for each in batches]
    return call_each(
        compile_code,
        requests,
        timeout,
        "x64: the compiler of machine code",
        lambda done: show(min(BATCH * done, len(sources))),
    )


def _require_usable(answers: Sequence[Any], places: Mapping[str, Mapping[str, Any]]) -> None:
    refused = {name: reason for each in answers for name, reason in each["refused"].items()}
    lines = [
        f"kernel {name} ({places[name]['file']}, line {places[name]['line']}): it {reason}, which bundles cannot have"
        for name, reason in refused.items()
    ]
    if lines:
        raise BuildError("\n".join(lines))

"""The module of kernels of Quadrants for an arch: their code, with its plan."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ...adopt._quadrants import BITCODE, CompiledKernel, difference, llvm_plan, read_compiled, spirv_files
from ...adopt.modules._make import MadeModule, pack_module, pack_plan, parse_own, with_trees
from ...adopt.modules._module import read_description
from ...adopt.taichi._native import NativeKernel, check_ptx, ptx_name
from ...values._enums import Arch
from ...values._errors import TaichiError
from .._options import BuildError, Options, UnavailableError
from ..code._native import compile_in_batches, targets_of
from ..code._native_code import Request
from ..code._native_link import link_answers
from ..compile._children import call_each
from ..compile._compiled import Compiled, require_atomics
from ..spirv._codes import with_codes
from ._code import KernelSource, compile_code, compile_ptx, describe_runtime

PACKAGES = {"quadrants": "1.3", "llvmlite": "0.50", "ziglang": "0.17"}
INSTALL = "install the extra `quadrants` of taichi_aot in an environment of its own"


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


def make_module(compiled: Compiled, options: Options, show: Callable[[int], object]) -> MadeModule:
    """Make the module of what Quadrants compiled for an arch; `show` is called with the number of kernels with code.

    BuildError if a kernel uses what modules cannot have, Quadrants has another form, or a process fails.
    """
    try:
        kernels = {name: read_compiled(name, data) for name, data in compiled.files.items()}
        for each in compiled.description["kernels"]:
            each["repeats"] = kernels[each["name"]].repeats(each["levels"])
        return MAKERS[compiled.arch](compiled, kernels, options, show)
    except (TaichiError, KeyError, TypeError, ValueError) as error:
        raise BuildError(
            f"{compiled.arch}: what Quadrants has compiled cannot be read: {type(error).__name__}: {error}"
        ) from error


def _spirv_module(
    compiled: Compiled, kernels: Mapping[str, CompiledKernel], options: Options, show: Callable[[int], object]
) -> MadeModule:
    described = compiled.description
    names = {each["name"]: [p["name"] for p in each["parameters"]] for each in _places(described)}
    trees = {int(tree): size for tree, size in described["trees"].items()}
    parsed = parse_own(f"the module for {compiled.arch}", spirv_files(kernels, names, trees))
    subjects = {each["name"]: each["subject"] for each in _places(described)}
    require_atomics(parsed, subjects.__getitem__)
    module = with_codes(with_trees(parsed, [trees[i] for i in range(len(trees))]))
    return pack_module(module._replace(description=read_description(described)))


def _cpu_module(
    compiled: Compiled, kernels: Mapping[str, CompiledKernel], options: Options, show: Callable[[int], object]
) -> MadeModule:
    symbols = {  # functions of several kernels may have the same names
        name: {task["name"]: f"{name}.{i}" for i, task in enumerate(each.tasks)} for name, each in kernels.items()
    }
    answers = _compile(compile_code, compiled, kernels, symbols, options, show)
    return _code_module(compiled, kernels, symbols, answers, link_answers(answers))


def _ptx_module(
    compiled: Compiled, kernels: Mapping[str, CompiledKernel], options: Options, show: Callable[[int], object]
) -> MadeModule:
    symbols = {name: {task["name"]: task["name"] for task in each.tasks} for name, each in kernels.items()}
    answers = _compile(compile_ptx, compiled, kernels, symbols, options, show)
    code = {name: text.encode() for answer in answers for name, text in answer["ptx"].items()}
    for name, data in code.items():
        check_ptx(ptx_name(name), data, tuple(symbols[name]))
    return _code_module(compiled, kernels, symbols, answers, code)


def _code_module(
    compiled: Compiled,
    kernels: Mapping[str, CompiledKernel],
    symbols: Mapping[str, Mapping[str, str]],
    answers: Sequence[Any],
    code: Mapping[str, bytes],
) -> MadeModule:
    """A module of machine code or PTX."""
    loops = {symbol: how for each in answers for symbol, how in each.get("loops", {}).items()}
    return pack_plan(llvm_plan(compiled.arch, compiled.description, kernels, _native(answers, symbols), code, loops))


def _native(answers: Sequence[Any], symbols: Mapping[str, Mapping[str, str]]) -> dict[str, NativeKernel]:
    needs = {name: each for answer in answers for name, each in answer["needs"].items()}
    return {
        name: NativeKernel(tuple(own.values()), frozenset(needs[name][0]), tuple(needs[name][1]))
        for name, own in symbols.items()
    }


MAKERS = {Arch.X64: _cpu_module, Arch.VULKAN: _spirv_module, Arch.CUDA: _ptx_module}
ARCHS = tuple(MAKERS)  # for which kernels of Quadrants are built


def _places(described: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [*described["kernels"], *described["accessors"]]


def _compile(
    function: Callable[[Any], object],
    compiled: Compiled,
    kernels: Mapping[str, CompiledKernel],
    symbols: Mapping[str, Mapping[str, str]],
    options: Options,
    show: Callable[[int], object],
) -> list[Any]:
    """Compile kernels in child processes, and return the answers, in which no kernel is refused."""
    arch = compiled.arch
    _require_runtime(arch, options.timeout)
    before = {name: code.decode() for name, code in compiled.tasks_before_passes.items()}
    sources = [
        KernelSource(
            name, each.code.decode(), symbols[name], {own: before[own] for own in symbols[name] if own in before}
        )
        for name, each in kernels.items()
    ]
    request = Request(sources, compiled.member_functions, options.math, targets_of(options))
    answers = compile_in_batches(function, request, options.timeout, f"{arch}: the compiler of its code", show)
    subjects = {each["name"]: each["subject"] for each in _places(compiled.description)}
    lines = [
        f"{subjects[name]}: it {reason}, which bundles cannot have"
        for answer in answers
        for name, reason in answer["refused"].items()
    ]
    if lines:
        raise BuildError("\n".join(lines))
    return answers


def _require_runtime(arch: Arch, timeout: float) -> None:
    """Compare the structs of the installed runtime with those that plans state."""
    spec = importlib.util.find_spec("quadrants")
    assert spec is not None
    assert spec.origin is not None
    bitcode = Path(spec.origin).parent.joinpath(*BITCODE[:-1], BITCODE[-1].format(arch))
    (structs,) = call_each(describe_runtime, [str(bitcode)], timeout, f"{arch}: reading the runtime of Quadrants")
    differs = difference(structs["LLVMRuntime"], structs["RuntimeContext"])
    if differs:
        raise BuildError(f"{arch}: Quadrants {version('quadrants')} has another runtime: {differs}")

"""The codes that this package has of a SPIR-V module's tasks, beside Taichi's own."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from ...bundle._files import OWN_CODE
from ..taichi._plans import PlannedCode
from . import _code as spirv
from ._atomics import mend
from ._editor import Shader, UnsupportedCodeError
from ._module import GfxModule


class OwnCodes(NamedTuple):
    """The codes of a module's tasks. A task that is not in it has only ``TASK.spv``."""

    tasks: dict[str, tuple[PlannedCode, ...]]  # by name
    scratch: dict[str, int]  # the binding of scratch memory, of tasks with accumulators
    files: dict[str, bytes]


def code_name(task: str, number: int) -> str:
    return f"{OWN_CODE}{number}-{task}.spv"


def needed_capabilities(codes: OwnCodes) -> frozenset[int]:
    """The capabilities of the codes that tasks fall back to, as `SpirvInfo` has them."""
    files = [each[-1].file for each in codes.tasks.values() if each[-1].file in codes.files]
    return frozenset[int]().union(*(spirv.read(file, codes.files[file]).capabilities for file in files))


def narrow_atomics(stated: GfxModule, files: Mapping[str, bytes]) -> dict[str, int]:
    """The bits of numbers that kernels change atomically, where Vulkan cannot: below 32, in code that is not mended."""
    narrow = {task: info for task, info in stated.code.items() if min(info.atomic_bits, default=32) < 32}
    narrow |= {task: spirv.read(task, code) for task, code in mended(files, narrow).items()}
    found: dict[str, int] = {}
    for kernel in stated.metadata["kernels"]:
        tasks = {each["name"] for each in kernel["tasks_attribs"]} & narrow.keys()
        bits = min((each for task in tasks for each in narrow[task].atomic_bits), default=32)
        if bits < 32:
            found[kernel["name"]] = bits
    return found


def mended(files: Mapping[str, bytes], tasks: Mapping[str, spirv.SpirvInfo]) -> dict[str, bytes]:
    """The code of tasks whose atomic operations race with each other or have wrong types, made valid."""
    found: dict[str, bytes] = {}
    for task in (name for name, info in tasks.items() if info.atomic_bits):
        with suppress(UnsupportedCodeError):
            shader = Shader(task, files[f"{task}.spv"])
            if mend(shader):
                found[task] = shader.encode()
    return found


def codes_of(mended: Mapping[str, bytes]) -> OwnCodes:
    """The codes of a module that Taichi wrote: those that are mended."""
    names = {task: code_name(task, 0) for task in mended}
    tasks: dict[str, tuple[PlannedCode, ...]] = {task: (PlannedCode(name),) for task, name in names.items()}
    return OwnCodes(tasks, {}, {names[task]: code for task, code in mended.items()})

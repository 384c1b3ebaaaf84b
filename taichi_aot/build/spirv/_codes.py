"""The codes of tasks for Vulkan: for devices with other instructions, and for arrays that are apart or may be one."""

from __future__ import annotations

from collections.abc import Iterator

from ...adopt.modules._parse import ParsedModule
from ...adopt.modules._plan_of import lower
from ...adopt.spirv._atomics import mend
from ...adopt.spirv._codes import OwnCodes, code_name
from ...adopt.spirv._editor import Shader, UnsupportedCodeError
from ...adopt.spirv._module import GfxModule
from ...adopt.spirv._plans import GfxPlans
from ...adopt.taichi._plans import BindingKind, PlannedCode, PlannedTask, Threads, UnplannedError
from ._accumulators import accumulate
from ._native_atomics import names_of, native_capabilities, use_native_atomics
from ._random import order_draws

SCRATCH_WORDS = 1 << 18  # as `_c/vulkan/launch.c` has
RESIDENT_THREADS = 1 << 18  # the most of a launch with accumulators, as `_c/vulkan/device.c` has
FIRST_WORD = 16


def with_codes(module: ParsedModule) -> ParsedModule:
    """A SPIR-V module with the codes of its tasks; other modules as they are."""
    if not isinstance(module.stated, GfxModule):
        return module
    plans, found = GfxPlans(lower(module)), OwnCodes({}, {}, {})
    for name in module.info.all_kernels:
        try:
            tasks = plans.dispatch(name).tasks
        except UnplannedError:
            continue
        for task in tasks:
            if task.name not in found.tasks:
                _add(found, task, module.files[f"{task.name}.spv"])
    return module._replace(codes=found)


def _add(found: OwnCodes, task: PlannedTask, code: bytes) -> None:
    """Add the codes of a task, unless Taichi's own is the only one."""
    scratch = 1 + max((each.number for each in task.bindings), default=-1)
    made: list[tuple[PlannedCode, bytes]] = []
    try:
        for has_accumulators in (True, False):
            made += _codes(task, code, scratch, has_accumulators=has_accumulators)
            if made and not made[-1][0].apart:
                break
    except UnsupportedCodeError:
        return
    codes: list[PlannedCode] = []
    for number, (each, data) in enumerate(made):
        name = code_name(task.name, number) if data != code else each.file
        if data != code:
            found.files[name] = data
        codes.append(each._replace(file=name))
        if each.threads == Threads.RESIDENT:
            found.scratch[task.name] = scratch
    if [each.file for each in codes] != [f"{task.name}.spv"]:
        found.tasks[task.name] = tuple(codes)


def _codes(
    task: PlannedTask, code: bytes, scratch: int, *, has_accumulators: bool
) -> Iterator[tuple[PlannedCode, bytes]]:
    """The codes with or without accumulators, first those with instructions that devices may lack."""
    groups = RESIDENT_THREADS // task.block if task.length else task.groups
    shader = Shader(task.name, code)
    apart: tuple[tuple[int, int], ...] = ()
    if has_accumulators:
        found = accumulate(shader, task.bindings, scratch, (SCRATCH_WORDS - FIRST_WORD) // max(1, groups))
        if found is None:
            return
        apart = found
    order_draws(shader, {each.number for each in task.bindings if each.kind is BindingKind.TEMPORARIES})
    stated = PlannedCode(f"{task.name}.spv", (), apart, Threads.RESIDENT if has_accumulators else Threads.AS_COMPILED)
    own = shader.encode()
    capabilities = native_capabilities(shader)
    adding = capabilities & {6033, 6034, 6095}
    for used in dict.fromkeys(map(frozenset, filter(None, (capabilities, adding)))):
        native = Shader(task.name, own)
        use_native_atomics(native, used)
        mend(native)
        yield stated._replace(needs=names_of(used)), native.encode()
    mend(shader)
    yield stated, shader.encode()

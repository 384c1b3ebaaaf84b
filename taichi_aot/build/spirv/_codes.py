"""The codes of tasks for Vulkan: for devices with other instructions, and for arrays that are apart or may be one."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...adopt.modules._module import ParsedModule, lower
from ...adopt.spirv import _editor as spirv
from ...adopt.spirv._atomics import mend
from ...adopt.spirv._editor import Op, Shader, UnsupportedCodeError
from ...adopt.spirv._module import GfxModule
from ...adopt.spirv._plans import GfxPlans, OwnCodes, Task, code_name, mended
from ...adopt.taichi._plans import BindingKind, Threads, UnplannedError
from ...bundle._info import Code
from ...bundle._source import Files
from ._accumulators import accumulate, prune
from ._addresses import carry, count_unsigned, mark_read, without_repeated_work
from ._bins import use_bins
from ._interleaving import interleave, unroll_inner
from ._native_atomics import names_of, native_capabilities, use_native_atomics
from ._random import order_draws

SCRATCH_WORDS = 1 << 18  # as `_c/vulkan/launch.c` has
RESIDENT_THREADS = 1 << 18  # the most of a launch with accumulators, as `_c/vulkan/device.c` has
FIRST_WORD = 16


def with_codes(module: ParsedModule) -> ParsedModule:
    """A SPIR-V module with the codes of its tasks, and Taichi's own made valid; other modules as they are."""
    if not isinstance(module.stated, GfxModule):
        return module
    plans, found = GfxPlans(lower(module)), OwnCodes({}, {}, {})
    valid = mended(module.files, module.stated.code)
    for name in module.info.all_kernels:
        try:
            planned, tasks = plans.dispatch(name).tasks, list(plans.tasks(name))
        except UnplannedError:
            continue
        sizes = plans.sizes(name)
        for task, own in zip(tasks, planned, strict=True):
            if task.name not in found.tasks:
                code = module.files[f"{task.name}.spv"]
                _add(found, task, sizes, code, valid.get(task.name, code), has_length=bool(own.length))
    files = Files.of({**module.files, **{f"{task}.spv": code for task, code in valid.items()}})
    read = {task: spirv.read(task, code) for task, code in valid.items()}
    stated = module.stated._replace(code=module.stated.code | read)
    return module._replace(files=files, stated=stated, codes=found)


def _add(found: OwnCodes, task: Task, sizes: Collection[int], code: bytes, valid: bytes, *, has_length: bool) -> None:
    """Add the codes of a task, unless the valid form of Taichi's own is the only one."""
    made: list[tuple[Code, bytes]] = []
    try:
        for is_for_all in (False, True):
            made += _codes(found, task, sizes, code, has_length=has_length, is_for_all=is_for_all)
            if not made[-1][0].apart and made[-1][0].threads != Threads.OF_SEVERAL:
                break
    except UnsupportedCodeError:
        found.scratch.pop(task.name, None)
        return
    codes: list[Code] = []
    for number, (each, data) in enumerate(made):
        name = code_name(task.name, number) if data != valid else each.file
        if data != valid:
            found.files[name] = data
        codes.append(each._replace(file=name))
    if [(each.file, each.threads) for each in codes] != [(f"{task.name}.spv", Threads.AS_COMPILED)]:
        found.tasks[task.name] = tuple(codes)


def _codes(
    found: OwnCodes, task: Task, sizes: Collection[int], code: bytes, *, has_length: bool, is_for_all: bool
) -> Iterator[tuple[Code, bytes]]:
    """The codes for GPUs and arrays that are apart, or for all; first those with instructions that devices may lack."""
    groups = RESIDENT_THREADS // task.block if has_length else task.groups
    scratch = 1 + max((each.number for each in task.bindings), default=-1)
    shader = Shader(task.name, code)
    has_loops = any(block.merge is not None and block.merge.op == Op.LOOP_MERGE for block in shader.blocks)
    digits = without_repeated_work(shader, task, sizes) if has_loops else []
    threads = Threads.OF_ELEMENTS if has_length else Threads.AS_COMPILED
    apart: set[tuple[int, int]] = set()
    if not is_for_all:
        pairs = accumulate(shader, task.bindings, scratch, (SCRATCH_WORDS - FIRST_WORD) // max(1, groups))
        if pairs is not None:
            found.scratch[task.name] = scratch
        else:
            pairs = use_bins(shader, task.bindings, is_simple=not digits)
        if pairs is not None:
            apart, threads = set(pairs), Threads.RESIDENT
    if task.loop is not None:
        count_unsigned(shader, task.loop)
        if not is_for_all and threads == Threads.OF_ELEMENTS and interleave(shader, task.loop):
            threads = Threads.OF_SEVERAL
        elif threads != Threads.RESIDENT or task.name not in found.scratch:
            carry(shader, task.loop, digits)
            prune(shader)
    has_inner = unroll_inner(shader)
    if threads == Threads.RESIDENT:
        threads = Threads.RESIDENT_IN_LOOPS if has_inner else threads
    elif not is_for_all and (has_inner or threads == Threads.OF_SEVERAL):
        apart |= mark_read(shader, task.bindings)
    order_draws(shader, {each.number for each in task.bindings if each.kind is BindingKind.TEMPORARIES})
    stated = Code(f"{task.name}.spv", (), tuple(sorted(apart)), threads)
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

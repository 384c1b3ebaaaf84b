"""Plans of kernels in SPIR-V modules by their metadata, and the codes that this package has of their tasks."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ...bundle._info import Binding, Code, KernelInfo, LaunchArgument, LaunchInfo, LaunchTask
from ...bundle._source import GFX_METADATA, OWN_CODE
from ..taichi._plans import (
    ArgumentKind,
    BindingKind,
    Plans,
    UnplannedError,
    Value,
    flat,
    planned_arguments,
    planned_array,
)
from ..taichi._types import LoweredModule
from . import _code as spirv
from ._atomics import mend
from ._editor import Shader, UnsupportedCodeError
from ._loops import StrideLoop, TaskCode, loop_length, stored_lengths, stride_loop
from ._metadata import read_struct, threads_of
from ._module import FAMILY, GfxModule


class OwnCodes(NamedTuple):
    """The codes of a module's tasks. A task that is not in it has only ``TASK.spv``."""

    tasks: dict[str, tuple[Code, ...]]  # by name
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
    tasks: dict[str, tuple[Code, ...]] = {task: (Code(name),) for task, name in names.items()}
    return OwnCodes(tasks, {}, {names[task]: code for task, code in mended.items()})


MOST_BINDINGS = 32
PHYSICAL_STORAGE_BUFFER = 5347  # a capability: arrays are addresses in the argument struct
SERIAL, RANGE_FOR = 0, 1
UNKNOWN_BINDING = "an unknown binding"
SMALLEST_BUFFER = 16
MOST_RETURNS = 1 << 16  # bytes, of which C has that many

WITH_SOURCE = (BindingKind.ARRAY, BindingKind.ROOT)

# By the number of the buffer's type in metadata.json.
BINDINGS = {
    0: BindingKind.ROOT,
    1: BindingKind.TEMPORARIES,
    2: BindingKind.ARGUMENTS,
    3: BindingKind.RETURNS,
    5: BindingKind.ARRAY,
}


class Task(NamedTuple):
    """What is known of a task."""

    name: str
    groups: int  # as compiled
    block: int
    bindings: tuple[Binding, ...]
    code: TaskCode
    loop: StrideLoop | None
    stored: Mapping[int, Value]  # lengths that serial tasks have stored
    takes_addresses: bool


class GfxPlans(Plans):
    """The launches of a SPIR-V module's kernels."""

    def __init__(self, module: LoweredModule, codes: OwnCodes | None = None) -> None:
        self._module = module  # the copy of the module that the library is given
        self._codes = codes or OwnCodes({}, {}, {})
        self._kernels = {raw["name"]: raw for raw in json.loads(module.files[GFX_METADATA])["kernels"]}

    def dispatch(self, name: str) -> LaunchInfo:
        context = self._kernels[name]["ctx_attribs"]
        if context["rets_bytes_"] > MOST_RETURNS:
            raise UnplannedError(f"return values of {context['rets_bytes_']} bytes that nobody reads")
        arguments, addresses = self._arguments(name)
        tasks: list[LaunchTask] = []
        for task in self.tasks(name):
            if task.takes_addresses and not set(addresses) <= set(arguments):
                arguments += addresses
            length = (task.loop and loop_length(task.code, task.loop, task.stored)) or ()
            codes, scratch = self._codes.tasks.get(task.name, ()), self._codes.scratch.get(task.name)
            bindings = task.bindings
            if scratch is not None:
                bindings += (Binding(scratch, BindingKind.SCRATCH, 0),)
            placed = tuple(_placed(code, bindings) for code in codes)
            tasks.append(
                LaunchTask(task.name, task.groups, task.block, bindings=bindings, length=flat(length), codes=placed)
            )
        size = max(context["args_bytes_"], SMALLEST_BUFFER)
        return LaunchInfo(-(-size // 16) * 16, arguments, tuple(tasks))

    def tasks(self, name: str) -> Iterator[Task]:
        """Read the tasks of a kernel; UnplannedError if one is of another kind than plans state."""
        files = self._module.files
        kinds: dict[tuple[int, ...], int] = {(each.source,): each.kind for each in self._arguments(name)[0]}
        stored: dict[int, Value] = {}
        for raw in self._kernels[name]["tasks_attribs"]:
            if raw["task_type"] not in (SERIAL, RANGE_FOR):
                raise UnplannedError("a task that is no loop over a range")
            bindings = _bindings(raw, kinds, self._module.info.field_trees)
            file = f"{raw['name']}.spv"
            kinds_of_code = BindingKind.ARGUMENTS, BindingKind.TEMPORARIES
            code = TaskCode(file, files[file], *(_numbers(bindings, kind) for kind in kinds_of_code))
            block = raw["advisory_num_threads_per_group"]
            groups = groups_of(threads_of(raw), block)
            loop = stride_loop(code, block) if raw["task_type"] == RANGE_FOR else None
            takes_addresses = PHYSICAL_STORAGE_BUFFER in spirv.read(file, files[file]).capabilities
            yield Task(raw["name"], groups, block, bindings, code, loop, stored, takes_addresses)
            if raw["task_type"] == SERIAL:
                stored = stored_lengths(code, stored)
            elif code.writes:
                stored = {}

    def sizes(self, name: str) -> list[int]:
        """Return where a kernel's argument struct has the sizes of arrays."""
        arrays = [argument for argument in self._arguments(name)[0] if argument.kind == ArgumentKind.ARRAY]
        return [array.offset + 4 * i for array in arrays for i in range(array.size)]

    def _arguments(self, name: str) -> tuple[tuple[LaunchArgument, ...], tuple[LaunchArgument, ...]]:
        kernel, context = self._module.info.all_kernels[name], self._kernels[name]["ctx_attribs"]
        return _arguments(context, kernel, has_result=name in self._module.results)


def _placed(code: Code, bindings: Sequence[Binding]) -> Code:
    """A code whose pairs of bindings are given by their numbers, with their places."""
    places = {each.number: place for place, each in enumerate(bindings)}
    return code._replace(apart=tuple((places[a], places[b]) for a, b in code.apart))


def groups_of(threads: int, block: int) -> int:
    """The groups that the library dispatches."""
    return max(1, (threads + block - 1) // block)


def _bindings(
    task: Mapping[str, Any], kinds: Mapping[tuple[int, ...], int], trees: Collection[int]
) -> tuple[Binding, ...]:
    """Return a task's bindings; `kinds` are those of its arguments, and `trees` have memory."""
    found: list[Binding] = []
    for bind in task["buffer_binds"]:
        kind = BINDINGS.get(bind["buffer"]["type"])
        root = tuple(bind["buffer"]["root_id"])
        if kind is None or (kind is BindingKind.ARRAY and kinds.get(root) is not ArgumentKind.ARRAY):
            raise UnplannedError(UNKNOWN_BINDING)
        if kind is BindingKind.ROOT and root[0] not in trees:
            raise UnplannedError("fields of a tree whose size the module does not state")
        found.append(Binding(bind["binding"], kind, root[0] if kind in WITH_SOURCE else 0))
    for bind in task["texture_binds"]:
        kind = BindingKind.RW_TEXTURE if bind["is_storage"] else BindingKind.TEXTURE
        root = tuple(bind["arg_id"])
        if kinds.get(root) is not ArgumentKind.EXTENT:
            raise UnplannedError(UNKNOWN_BINDING)
        found.append(Binding(bind["binding"], kind, root[0]))
    if len(found) > MOST_BINDINGS:
        raise UnplannedError(f"{len(found)} bindings")
    if len(_numbers(found, BindingKind.ARGUMENTS)) > 1:
        raise UnplannedError(UNKNOWN_BINDING)
    return tuple(found)


def _numbers(bindings: Sequence[Binding], kind: BindingKind) -> list[int]:
    return [binding.number for binding in bindings if binding.kind is kind]


def _arguments(
    context: Mapping[str, Any], kernel: KernelInfo, *, has_result: bool
) -> tuple[tuple[LaunchArgument, ...], tuple[LaunchArgument, ...]]:
    """The arguments by their numbers, and the addresses of arrays, which code with descriptors does not read."""
    parameters, members = kernel.signature.parameters, read_struct(context["args_type_"]).members
    planned = planned_arguments(parameters, members[: len(parameters)], FAMILY)
    if has_result:
        planned += planned_array(len(members) - 1, members[-1], 1)
    found = [each for each in planned if each.kind is not ArgumentKind.ADDRESS]
    addresses = tuple(each for each in planned if each.kind is ArgumentKind.ADDRESS)
    return tuple(sorted(found, key=lambda each: each.source)), addresses

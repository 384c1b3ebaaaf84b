"""Plans of kernels in SPIR-V modules, from only the module's metadata."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...bundle._files import GFX_METADATA
from ...bundle._info import KernelInfo
from ..taichi._members import LoweredModule
from ..taichi._plans import (
    ArgumentKind,
    BindingKind,
    Dispatch,
    PlannedArgument,
    PlannedBinding,
    PlannedTask,
    Plans,
    UnplannedError,
    planned_arguments,
    planned_array,
)
from ..taichi._programs import Value
from . import _code as spirv
from ._codes import OwnCodes
from ._loops import StrideLoop, TaskCode, loop_length, stored_lengths, stride_loop
from ._metadata import read_struct, threads_of
from ._module import FAMILY

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
    bindings: tuple[PlannedBinding, ...]
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

    def dispatch(self, name: str) -> Dispatch:
        context = self._kernels[name]["ctx_attribs"]
        if context["rets_bytes_"] > MOST_RETURNS:
            raise UnplannedError(f"return values of {context['rets_bytes_']} bytes that nobody reads")
        arguments, addresses = self._arguments(name)
        tasks: list[PlannedTask] = []
        for task in self.tasks(name):
            if task.takes_addresses and not set(addresses) <= set(arguments):
                arguments += addresses
            length = (task.loop and loop_length(task.code, task.loop, task.stored)) or ()
            codes, scratch = self._codes.tasks.get(task.name, ()), self._codes.scratch.get(task.name)
            bindings = task.bindings
            if scratch is not None:
                bindings += (PlannedBinding(scratch, BindingKind.SCRATCH, 0),)
            tasks.append(PlannedTask(task.name, task.groups, task.block, 0, bindings, length, codes))
        size = max(context["args_bytes_"], SMALLEST_BUFFER)
        return Dispatch(-(-size // 16) * 16, arguments, tuple(tasks))

    def tasks(self, name: str) -> Iterator[Task]:
        """Read the tasks of a kernel; UnplannedError if one is of another kind than plans state."""
        files = self._module.files
        kinds: dict[tuple[int, ...], ArgumentKind] = {(each.source,): each.kind for each in self._arguments(name)[0]}
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

    def _arguments(self, name: str) -> tuple[tuple[PlannedArgument, ...], tuple[PlannedArgument, ...]]:
        kernel, context = self._module.info.all_kernels[name], self._kernels[name]["ctx_attribs"]
        return _arguments(context, kernel, has_result=name in self._module.results)


def groups_of(threads: int, block: int) -> int:
    """The groups that the library dispatches."""
    return max(1, (threads + block - 1) // block)


def _bindings(
    task: Mapping[str, Any], kinds: Mapping[tuple[int, ...], ArgumentKind], trees: Collection[int]
) -> tuple[PlannedBinding, ...]:
    """Return a task's bindings; `kinds` are those of its arguments, and `trees` have memory."""
    found: list[PlannedBinding] = []
    for bind in task["buffer_binds"]:
        kind = BINDINGS.get(bind["buffer"]["type"])
        root = tuple(bind["buffer"]["root_id"])
        if kind is None or (kind is BindingKind.ARRAY and kinds.get(root) is not ArgumentKind.ARRAY):
            raise UnplannedError(UNKNOWN_BINDING)
        if kind is BindingKind.ROOT and root[0] not in trees:
            raise UnplannedError("fields of a tree whose size the module does not state")
        found.append(PlannedBinding(bind["binding"], kind, root[0] if kind in WITH_SOURCE else 0))
    for bind in task["texture_binds"]:
        kind = BindingKind.RW_TEXTURE if bind["is_storage"] else BindingKind.TEXTURE
        root = tuple(bind["arg_id"])
        if kinds.get(root) is not ArgumentKind.EXTENT:
            raise UnplannedError(UNKNOWN_BINDING)
        found.append(PlannedBinding(bind["binding"], kind, root[0]))
    if len(found) > MOST_BINDINGS:
        raise UnplannedError(f"{len(found)} bindings")
    if len(_numbers(found, BindingKind.ARGUMENTS)) > 1:
        raise UnplannedError(UNKNOWN_BINDING)
    return tuple(found)


def _numbers(bindings: Sequence[PlannedBinding], kind: BindingKind) -> list[int]:
    return [binding.number for binding in bindings if binding.kind is kind]


def _arguments(
    context: Mapping[str, Any], kernel: KernelInfo, *, has_result: bool
) -> tuple[tuple[PlannedArgument, ...], tuple[PlannedArgument, ...]]:
    """The arguments by their numbers, and the addresses of arrays, which code with descriptors does not read."""
    parameters, members = kernel.signature.parameters, read_struct(context["args_type_"]).members
    planned = planned_arguments(parameters, members[: len(parameters)], FAMILY)
    if has_result:
        planned += planned_array(len(members) - 1, members[-1], 1)
    found = [each for each in planned if each.kind is not ArgumentKind.ADDRESS]
    addresses = tuple(each for each in planned if each.kind is ArgumentKind.ADDRESS)
    return tuple(sorted(found, key=lambda each: each.source)), addresses

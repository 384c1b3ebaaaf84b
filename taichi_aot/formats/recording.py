"""What a launch of a kernel dispatches on Vulkan, for launches that are recorded without the library.

All of it stands in the module. A kernel of which anything is not understood (fields, textures, argument packs, physical
pointers) does not have a plan, and is launched by the library.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from ..enums import DataType
from ..signature import Parameter
from . import GFX_METADATA, spirv
from .argument_words import item_size, word_argument_name, word_counts
from .info import KernelInfo, ModuleInfo
from .spirv_loops import Program, TaskCode, loop_length, stored_lengths, writes_temporaries

__all__ = [
    "ArgumentKind",
    "BindingKind",
    "Dispatch",
    "PlannedArgument",
    "PlannedBinding",
    "PlannedTask",
    "make_plans",
    "of_graph",
]

MOST_BINDINGS = 32
PHYSICAL_STORAGE_BUFFER = 5347  # a capability: arrays are addresses in the argument struct
SERIAL, RANGE_FOR = 0, 1
SMALLEST_BUFFER = 16


class ArgumentKind(IntEnum):
    """How an argument stands in the argument struct."""

    VALUE = 0  # the bits of a scalar
    WORDS = 1  # the bytes of a tensor
    ARRAY = 2  # the sizes of its dimensions


class BindingKind(IntEnum):
    """What a task binds."""

    ARGUMENTS = 0
    TEMPORARIES = 1
    ARRAY = 2


# By the number of the buffer's type in metadata.json.
BINDINGS = {1: BindingKind.TEMPORARIES, 2: BindingKind.ARGUMENTS, 5: BindingKind.ARRAY}


class PlannedArgument(NamedTuple):
    """An argument of the launch, by number, in the argument struct. `size` is in bytes; of an array it is `ndim`."""

    source: int
    kind: ArgumentKind
    offset: int
    size: int


class PlannedBinding(NamedTuple):
    """A binding, and the number of the launch's argument if it is an array."""

    number: int
    kind: BindingKind
    source: int


class PlannedTask(NamedTuple):
    """A dispatch on the device. `length` is that of its loop, if it is known."""

    code: bytes
    groups: int
    block: int
    bindings: tuple[PlannedBinding, ...]
    length: Program


class Dispatch(NamedTuple):
    """A launch of one kernel."""

    argument_bytes: int
    arguments: tuple[PlannedArgument, ...]
    tasks: tuple[PlannedTask, ...]


def make_plans(info: ModuleInfo, files: Mapping[str, bytes]) -> dict[str, Dispatch]:
    """The dispatch of each kernel that has a plan, by name; `files` are those that the library is given."""
    metadata = json.loads(files[GFX_METADATA])
    plans: dict[str, Dispatch] = {}
    for raw in metadata["kernels"]:
        plan = _plan(raw, info.all_kernels[raw["name"]], files)
        if plan is not None:
            plans[raw["name"]] = plan
    return plans


def _plan(raw: Mapping[str, Any], kernel: KernelInfo, files: Mapping[str, bytes]) -> Dispatch | None:
    context = raw["ctx_attribs"]
    arguments = _arguments(context, kernel)
    if arguments is None or kernel.uses_fields or context["rets_bytes_"]:
        return None
    stored: dict[int, Any] = {}  # lengths that serial tasks have stored
    tasks: list[PlannedTask] = []
    for task in raw["tasks_attribs"]:
        bindings = _bindings(task)
        name = f"{task['name']}.spv"
        if bindings is None or PHYSICAL_STORAGE_BUFFER in spirv.read(name, files[name]).capabilities:
            return None
        numbers = {binding.kind: binding.number for binding in bindings}
        code = TaskCode(name, files[name], numbers.get(BindingKind.ARGUMENTS), numbers.get(BindingKind.TEMPORARIES))
        block = task["advisory_num_threads_per_group"]
        length: Program = ()
        if task["task_type"] == SERIAL:
            stored = stored_lengths(code, stored)
        else:
            if task["task_type"] == RANGE_FOR:
                length = loop_length(code, block, stored) or ()
            if writes_temporaries(code):
                stored = {}
        groups = max(1, -(-task["advisory_total_num_threads"] // block))
        tasks.append(PlannedTask(files[name], groups, block, bindings, length))
    size = max(context["args_bytes_"], SMALLEST_BUFFER)
    return Dispatch(-(-size // 16) * 16, arguments, tuple(tasks))


def _bindings(task: Mapping[str, Any]) -> tuple[PlannedBinding, ...] | None:
    binds = task["buffer_binds"]
    if task["texture_binds"] or len(binds) > MOST_BINDINGS:
        return None
    found: list[PlannedBinding] = []
    for bind in binds:
        kind = BINDINGS.get(bind["buffer"]["type"])
        root = bind["buffer"]["root_id"]
        if kind is None or (kind is BindingKind.ARRAY and len(root) != 1):
            return None
        found.append(PlannedBinding(bind["binding"], kind, root[0] if kind is BindingKind.ARRAY else 0))
    return tuple(found)


def _arguments(context: Mapping[str, Any], kernel: KernelInfo) -> tuple[PlannedArgument, ...] | None:
    """The arguments, each where its member of the struct is: parameters, overflow arguments, the array of a result."""
    members = context["args_type_"]["content"]["elements_"]
    parameters = kernel.signature.parameters
    found: list[PlannedArgument] = []
    for number, member in enumerate(members):
        if number < len(parameters):
            argument = _argument(number, member, parameters[number])
        elif kernel.result is not None and number == len(members) - 1:
            argument = _array(number, member, 1)
        else:
            argument = _words(number, member)
        if argument is None:
            return None
        found.append(argument)
    return tuple(found) if len(found) >= len(parameters) else None


def _argument(number: int, member: Mapping[str, Any], parameter: Parameter) -> PlannedArgument | None:
    if parameter.kind == "ndarray":
        return _array(number, member, parameter.ndim)
    if parameter.kind not in ("scalar", "matrix") or parameter.dtype is None:
        return None
    if word_counts(parameter, "gfx"):
        return _words(number, member)
    return PlannedArgument(number, ArgumentKind.VALUE, member["offset"], item_size(parameter.dtype, "gfx"))


def _array(number: int, member: Mapping[str, Any], ndim: int) -> PlannedArgument | None:
    """An ndarray: a struct that begins with the struct of its sizes."""
    content = member["type"]["content"]
    sizes = content["elements_"][0] if content.get("elements_") else None
    if sizes is None or sizes["offset"] != 0 or _dense_integers(sizes["type"]) != ndim:
        return None
    return PlannedArgument(number, ArgumentKind.ARRAY, member["offset"], ndim)


def _words(number: int, member: Mapping[str, Any]) -> PlannedArgument | None:
    count = _dense_integers(member["type"])
    return None if count is None else PlannedArgument(number, ArgumentKind.WORDS, member["offset"], 4 * count)


def _dense_integers(type_: Mapping[str, Any]) -> int | None:
    """The number of members of a struct of 32-bit integers without gaps; None if it is another type."""
    members = type_["content"].get("elements_")
    if members is None:
        return None
    integer = {"content": {"type": int(DataType.I32)}, "type_kind": 0}
    if any(member["offset"] != 4 * i or member["type"] != integer for i, member in enumerate(members)):
        return None
    return len(members)


def of_graph(
    steps: Sequence[tuple[str, Sequence[str]]], info: ModuleInfo, names: Sequence[str], plans: Mapping[str, Dispatch]
) -> tuple[Dispatch, ...] | None:
    """The dispatches of a graph; None if one of its kernels does not have a plan.

    Parameters
    ----------
    steps : sequence
        The kernel of each dispatch, and the graph's parameters that it is given.
    info : ModuleInfo
        The module.
    names : sequence of str
        The graph's arguments, with overflow arguments.
    plans : mapping
        The dispatch of each kernel that has a plan.
    """
    dispatches: list[Dispatch] = []
    for kernel, given in steps:
        plan = plans.get(kernel)
        if plan is None:
            return None
        parameters = info.all_kernels[kernel].signature.parameters
        words = [len(word_counts(parameter, "gfx")) for parameter in parameters]
        passed = [*given, *(word_argument_name(given[i], k) for i, count in enumerate(words) for k in range(1, count))]
        numbers = [names.index(name) for name in passed]
        arguments = tuple(argument._replace(source=numbers[argument.source]) for argument in plan.arguments)
        tasks = tuple(task._replace(bindings=_renumbered(task.bindings, numbers)) for task in plan.tasks)
        dispatches.append(plan._replace(arguments=arguments, tasks=tasks))
    return tuple(dispatches)


def _renumbered(bindings: tuple[PlannedBinding, ...], numbers: Sequence[int]) -> tuple[PlannedBinding, ...]:
    return tuple(
        binding._replace(source=numbers[binding.source]) if binding.kind is BindingKind.ARRAY else binding
        for binding in bindings
    )

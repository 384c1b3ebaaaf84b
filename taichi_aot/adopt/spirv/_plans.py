"""Plans of kernels in SPIR-V modules, from only the module's metadata."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ...bundle._files import GFX_METADATA
from ...bundle._info import KernelInfo
from ...values._dtypes import item_size
from ...values._enums import DataType
from ...values._signature import Parameter
from ...values._words import word_counts
from ..taichi._members import LoweredModule
from ..taichi._plans import (
    UNKNOWN_LAYOUT,
    ArgumentKind,
    BindingKind,
    Dispatch,
    MadePlans,
    PlannedArgument,
    PlannedBinding,
    PlannedTask,
    UnplannedError,
    check_kernel,
)
from ..taichi._programs import Program
from . import _code as spirv
from ._loops import TaskCode, loop_length, stored_lengths, writes_temporaries
from ._metadata import threads_of

MOST_BINDINGS = 32
PHYSICAL_STORAGE_BUFFER = 5347  # a capability: arrays are addresses in the argument struct
SERIAL, RANGE_FOR = 0, 1
UNKNOWN_BINDING = "an unknown binding"
SMALLEST_BUFFER = 16
TEXTURES = ("texture", "rw_texture")
KINDS = ("scalar", "matrix", "struct", "ndarray", *TEXTURES)

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


class GfxPlans(MadePlans):
    """What each kernel of a module dispatches by name, or why it does not have a plan; made when it is asked for."""

    def __init__(self, module: LoweredModule) -> None:
        super().__init__(module.info)
        self._module = module  # the copy of the module that the library is given
        self._kernels = {raw["name"]: raw for raw in json.loads(module.files[GFX_METADATA])["kernels"]}

    def _plan(self, name: str) -> Dispatch:
        return _plan(self._kernels[name], self.info.all_kernels[name], self._module)


def _plan(raw: Mapping[str, Any], kernel: KernelInfo, module: LoweredModule) -> Dispatch:
    files, has_result = module.files, kernel.signature.name in module.results
    check_kernel(kernel, KINDS, has_result=True)
    context = raw["ctx_attribs"]
    if context["rets_bytes_"] > MOST_RETURNS:
        raise UnplannedError(f"return values of {context['rets_bytes_']} bytes that nobody reads")
    arguments = _arguments(context, kernel, has_result=has_result)
    addresses = _addresses(context, arguments)
    kinds: Mapping[tuple[int, ...], ArgumentKind] = {(argument.source,): argument.kind for argument in arguments}
    stored: dict[int, Any] = {}  # lengths that serial tasks have stored
    tasks: list[PlannedTask] = []
    for task in raw["tasks_attribs"]:
        if task["task_type"] not in (SERIAL, RANGE_FOR):
            raise UnplannedError("a task that is no loop over a range")
        bindings = _bindings(task, kinds, module.info.field_trees)
        name = f"{task['name']}.spv"
        needs = spirv.read(name, files[name]).capabilities
        if PHYSICAL_STORAGE_BUFFER in needs and not set(addresses) <= set(arguments):
            arguments += addresses
        code = _code(name, files[name], bindings)
        threads, block = threads_of(task), task["advisory_num_threads_per_group"]
        length: Program = ()
        if task["task_type"] == SERIAL:
            stored = stored_lengths(code, stored)
        else:
            length = loop_length(code, block, stored) or ()
            if writes_temporaries(code):
                stored = {}
        tasks.append(PlannedTask(files[name], groups_of(threads, block), block, bindings, length, task["name"]))
    size = max(context["args_bytes_"], SMALLEST_BUFFER)
    return Dispatch(-(-size // 16) * 16, arguments, tuple(tasks))


def _code(name: str, code: bytes, bindings: Sequence[PlannedBinding]) -> TaskCode:
    return TaskCode(name, code, _numbers(bindings, BindingKind.ARGUMENTS), _numbers(bindings, BindingKind.TEMPORARIES))


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


def _arguments(context: Mapping[str, Any], kernel: KernelInfo, *, has_result: bool) -> tuple[PlannedArgument, ...]:
    """The arguments, each where its member of the struct is: parameters, overflow arguments, the array of a result."""
    members = context["args_type_"]["content"]["elements_"]
    parameters = kernel.signature.parameters
    found = tuple(
        _argument(number, member, parameters[number])
        if number < len(parameters)
        else _array(number, member, 1)
        if has_result and number == len(members) - 1
        else _words(number, member)
        for number, member in enumerate(members)
    )
    if len(found) < len(parameters):
        raise UnplannedError(UNKNOWN_LAYOUT)
    return found


def _argument(number: int, member: Mapping[str, Any], parameter: Parameter) -> PlannedArgument:
    if parameter.kind == "ndarray":
        return _array(number, member, parameter.ndim)
    if parameter.kind in TEXTURES:
        return _array(number, member, 3)._replace(kind=ArgumentKind.EXTENT)
    if word_counts(parameter, "gfx"):
        return _words(number, member)
    if parameter.dtype is None:
        raise UnplannedError(f"a parameter of kind {parameter.kind}")
    return PlannedArgument(number, ArgumentKind.VALUE, member["offset"], item_size(parameter.dtype, "gfx"))


def _array(number: int, member: Mapping[str, Any], ndim: int) -> PlannedArgument:
    """An ndarray: a struct that begins with the struct of its sizes, of which that of 0 dimensions also has one."""
    content = member["type"]["content"]
    sizes = content["elements_"][0] if content.get("elements_") else None
    if sizes is None or sizes["offset"] != 0 or _dense_integers(sizes["type"]) != max(1, ndim):
        raise UnplannedError(UNKNOWN_LAYOUT)
    return PlannedArgument(number, ArgumentKind.ARRAY, member["offset"], ndim)


def _addresses(context: Mapping[str, Any], arguments: Sequence[PlannedArgument]) -> tuple[PlannedArgument, ...]:
    """The addresses of arrays, each behind its sizes; code with descriptors does not read them."""
    found: list[PlannedArgument] = []
    for argument in arguments:
        member = context["args_type_"]["content"]["elements_"][argument.source]
        pointers = [each for each in member["type"]["content"].get("elements_", ()) if each["name"] == "data_ptr"]
        if argument.kind is ArgumentKind.ARRAY and pointers:
            offset = argument.offset + pointers[0]["offset"]
            found.append(PlannedArgument(argument.source, ArgumentKind.ADDRESS, offset, 8))
    return tuple(found)


def _words(number: int, member: Mapping[str, Any]) -> PlannedArgument:
    return PlannedArgument(number, ArgumentKind.WORDS, member["offset"], 4 * _dense_integers(member["type"]))


def _dense_integers(type_: Mapping[str, Any]) -> int:
    """The number of members of a struct of 32-bit integers without gaps."""
    members = type_["content"].get("elements_")
    integer = {"content": {"type": int(DataType.I32)}, "type_kind": 0}
    if members is None or any(m["offset"] != 4 * i or m["type"] != integer for i, m in enumerate(members)):
        raise UnplannedError(UNKNOWN_LAYOUT)
    return len(members)

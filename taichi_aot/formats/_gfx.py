"""Reader of gfx modules (Vulkan, OpenGL, Metal): ``metadata.json``, ``graphs.json`` and one SPIR-V file per task.

The library's JSON parser loops forever on text that is not JSON, overflows the stack on deep nesting, and does not
check the parsed values. This reader therefore parses the text, checks every value against the schema, and writes a
copy for the library, with the arguments changed as `argument_words` describes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ..values._enums import Arch, DataType
from ..values._errors import CorruptedDataError
from ..values._signature import Parameter, Signature, positional_names
from . import _spirv as spirv
from ._info import (
    FieldInfo,
    GraphArgument,
    KernelInfo,
    ModuleInfo,
    TaskInfo,
    check_listed,
    dispatched_kernels,
    graph_words,
    make_graphs,
    visible_kernels,
)
from ._modules import GFX_METADATA
from ._parameters import Argument, make_parameters, make_returns
from ._returns import ReturnLayout, array_argument, return_layout
from ._schema import Schema, any_value, boolean, conform, integer, mismatch, parse_json, text
from ._types import Member, Pointer, Primitive, Struct, Tensor, Type, word_struct
from ._versions import stated_version
from ._words import WORDS_PER_ARGUMENT, Words, end_of_write, word_counts

__all__ = ["graphs_json", "metadata_json", "read", "without_traces"]

METADATA = GFX_METADATA
GRAPHS = "graphs.json"
FAMILY: Literal["gfx"] = "gfx"
ARCHS = (Arch.VULKAN, Arch.OPENGL, Arch.METAL, Arch.GLES)

TASK_KINDS = ("serial", "range_for", "struct_for", "mesh_for", "listgen", "gc", "gc_rc")
ACCESS = ("", "r", "w", "rw")  # by the numbers of arr_access
# What a task's binding refers to.
ROOT, RETURNS, ARRAY, ARGUMENT_PACK = 0, 3, 5, 6
NDARRAY = 1  # the kind of an argument
TEXTURES = (3, 4)  # kinds of a graph's argument

COMPILED_TASK = re.compile(r"((.+)_c\d+_\d+)(?:_\d+)?_t\d+")  # the instance of a function, and the task's number

MAX_TYPE_DEPTH = 16
MAX_JSON_BYTES = 1 << 28

_I32 = integer(-(2**31), 2**31 - 1)
_U32 = integer(0, 2**32 - 1)
_U64 = integer(0, 2**64 - 1)
_ANYTHING = integer(-(2**63), 2**64 - 1)  # Taichi writes uninitialized values for members without a meaning
_SIZE = integer(0, 2**31 - 1)
_POSITIVE = integer(1, 2**31 - 1)
_PRIMITIVE = integer(0, 13)
_NDIM = integer(0, 64)


def _type(value: Any, where: str, depth: int = 0) -> None:
    """A type of the compiler: primitive 0, pointer 1, tensor 2, struct 3."""
    if depth > MAX_TYPE_DEPTH:
        raise CorruptedDataError(f"{where}: types are nested too deeply")
    conform(value, {"content": any_value, "type_kind": integer(0, 3)}, where)
    content = value["content"]

    def nested(value: Any, where: str) -> None:
        _type(value, where, depth + 1)

    schemas: list[Schema] = [
        {"type": _PRIMITIVE},
        {"addr_space_": _I32, "is_bit_pointer_": boolean, "pointee_": nested},
        {"shape_": [_SIZE], "element_": nested},
        {"elements_": [{"name": text, "offset": _SIZE, "type": nested}], "layout_": text},
    ]
    conform(content, schemas[value["type_kind"]], f"{where}.content")


def _struct(value: Any, where: str) -> None:
    _type(value, where)
    if value["type_kind"] != 3:
        raise mismatch(where, "a struct type", value["type_kind"])


def _range(value: Any, where: str) -> None:
    if value is not None:
        conform(value, {"begin": _I32, "end": _I32, "const_begin": boolean, "const_end": boolean}, where)


_BASE = {
    "dtype": _PRIMITIVE,
    "element_shape": [_POSITIVE],
    "field_dim": _NDIM,
    "format": _SIZE,
    "is_array": boolean,
    "name": text,
    "offset_in_mem": _SIZE,
    "ptype": integer(0, 5),
    "stride": _SIZE,
}
_TASK = {
    "advisory_num_threads_per_group": _POSITIVE,  # the library divides by it
    "advisory_total_num_threads": _SIZE,
    "buffer_binds": [{"binding": _SIZE, "buffer": {"root_id": [_I32], "type": integer(0, 6)}}],
    "name": text,
    "range_for_attribs": _range,
    "task_type": integer(0, 16),
    "texture_binds": [{"arg_id": [_SIZE], "binding": _SIZE, "is_storage": boolean}],
}
_KERNEL = {
    "ctx_attribs": {
        "arg_attribs_vec_": [{"key": [_SIZE], "value": {**_BASE, "indices": [_SIZE], "is_argpack": boolean}}],
        "argpack_types_": [{"key": [_SIZE], "value": _type}],
        "args_bytes_": _SIZE,
        "args_type_": _struct,
        "arr_access": [{"key": [_SIZE], "value": integer(0, 3)}],
        "ret_attribs_vec_": [{**_BASE, "index": _I32}],
        "rets_bytes_": _SIZE,
        "rets_type_": _struct,
    },
    "is_jit_evaluator": boolean,
    "name": text,
    "tasks_attribs": [_TASK],
}
_FIELD = {
    "field_name": text,
    "dtype": _U32,
    "dtype_name": text,
    "mem_offset_in_parent": _U64,
    "shape": [_SIZE],
    "is_scalar": boolean,
    "element_shape": [_SIZE],
}
_METADATA = {
    "fields": [_FIELD],
    "kernels": [_KERNEL],
    "required_caps": [{"key": text, "value": _U32}],
    "root_buffer_size": _SIZE,
}
_SYMBOLIC_ARGUMENT = {
    "dtype_id": _I32,
    "element_shape": [_SIZE],
    "field_dim": _U64,
    "name": text,
    "num_channels": _ANYTHING,
    "tag": _I32,
}
_GRAPHS = [
    {"key": text, "value": {"dispatches": [{"kernel_name": text, "symbolic_args": [_SYMBOLIC_ARGUMENT]}]}},
]


def read(where: str, files: Mapping[str, bytes], words: Words = Words.ALL) -> tuple[ModuleInfo, dict[str, bytes]]:
    """Read and check a gfx module; return its contents, and the files to pass to the library (see `parse_module`)."""
    metadata = parse_json(METADATA, files, _METADATA, MAX_JSON_BYTES)
    raw_graphs = parse_json(GRAPHS, files, _GRAPHS, MAX_JSON_BYTES)
    metadata["kernels"] = _named_apart(metadata["kernels"])
    code = _read_code(where, metadata["kernels"], files)
    has_root = metadata["root_buffer_size"] > 0
    kernels = _doubt_names({raw["name"]: _kernel(raw, code, has_root=has_root) for raw in metadata["kernels"]})
    check_listed(where, kernels, files.get("__content__"))
    graphs = make_graphs(where, GRAPHS, ((raw["key"], _dispatches(raw)) for raw in raw_graphs), kernels)
    for task in (task for raw in metadata["kernels"] for task in raw["tasks_attribs"]):
        _bind_what_code_uses(task, code[task["name"]])
    for raw in metadata["kernels"]:
        kernel, context = kernels[raw["name"]], raw["ctx_attribs"]
        _make_room(context, kernel.signature.parameters, words)
        _pass_as_words(context, kernel.signature.parameters, words)
        # Graphs do not pass the array of return values, and dispatch kernels under their own names.
        if words is Words.ALL and raw["name"] not in dispatched_kernels(graphs):
            result = _return_through_array(context, raw["tasks_attribs"], kernel.signature.parameters)
            kernels[raw["name"]] = replace(kernel, result=result)
    for graph in raw_graphs:
        for dispatch in graph["value"]["dispatches"]:
            _pass_graph_arguments_as_words(dispatch, kernels[dispatch["kernel_name"]].signature.parameters, words)
    info = ModuleInfo(
        family=FAMILY,
        archs=ARCHS,
        version=stated_version(files),
        kernels=visible_kernels(kernels, graphs, files.get("__content__")),
        graphs=graphs,
        all_kernels=kernels,
        fields=tuple(_field(raw) for raw in metadata["fields"]),
        has_fields=bool(metadata["fields"]) or has_root,
        field_trees=(0,) * has_root,
        root_buffer_size=metadata["root_buffer_size"],
        spirv_version=max((task.version for task in code.values()), default=(0, 0)),
        spirv_capabilities=frozenset[int]().union(*(task.capabilities for task in code.values())),
        files={METADATA: files[METADATA], GRAPHS: files[GRAPHS]},
    )
    return info, {**files, METADATA: _to_json(metadata), GRAPHS: _to_json(raw_graphs)}


def metadata_json(files: Mapping[str, bytes]) -> Any:
    """The contents of ``metadata.json``."""
    return parse_json(METADATA, files, _METADATA, MAX_JSON_BYTES)


def graphs_json(files: Mapping[str, bytes]) -> Any:
    """The contents of ``graphs.json``, with 0 in place of the numbers that are uninitialized in it."""
    graphs = parse_json(GRAPHS, files, _GRAPHS, MAX_JSON_BYTES)
    dispatches = (dispatch for graph in graphs for dispatch in graph["value"]["dispatches"])
    for argument in (argument for dispatch in dispatches for argument in dispatch["symbolic_args"]):
        argument["field_dim" if argument["tag"] in TEXTURES else "num_channels"] = 0
    return graphs


def without_traces(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files with 0 in place of the numbers that are uninitialized in them; see `bundle.make_module`."""
    return {**files, GRAPHS: _to_json(graphs_json(files))}


def _to_json(value: Any) -> bytes:
    """JSON for the library's parser, which does not support ``\\u`` escapes."""
    return json.dumps(value, ensure_ascii=False).encode()


def _named_apart(kernels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The kernels by unique names. The library uses the first instance of a kernel, so the others become NAME#1, ...

    A kernel that was added twice occurs twice, and counts once.
    """
    named: dict[str, dict[str, Any]] = {}
    for kernel in kernels:
        name, count = kernel["name"], 0
        while name in named and {**kernel, "name": name} != named[name]:
            count += 1
            name = f"{kernel['name']}#{count}"
        named[name] = {**kernel, "name": name}
    return list(named.values())


def _read_code(where: str, kernels: list[dict[str, Any]], files: Mapping[str, bytes]) -> dict[str, spirv.SpirvInfo]:
    """The code of all tasks, by the name of the task."""
    code: dict[str, spirv.SpirvInfo] = {}
    for task in (task for kernel in kernels for task in kernel["tasks_attribs"]):
        name = task["name"]
        if f"{name}.spv" not in files:
            raise CorruptedDataError(f"{where}: the code of a task is missing ({name}.spv)")
        if name not in code:
            code[name] = spirv.read(f"{name}.spv", files[f"{name}.spv"])
        used = code[name].bindings
        bound = frozenset[int](bind["binding"] for bind in task["buffer_binds"] + task["texture_binds"])
        if not used <= bound:
            raise CorruptedDataError(
                f"{where}: {name}.spv uses the bindings {sorted(used)}, but {METADATA} states {sorted(bound)}"
            )
    return code


def _bind_what_code_uses(task: dict[str, Any], code: spirv.SpirvInfo) -> None:
    """Drop bindings that the compiler's optimizer has removed from the code: the library aborts when it binds them."""
    for binds in ("buffer_binds", "texture_binds"):
        task[binds] = [bind for bind in task[binds] if bind["binding"] in code.bindings]


def _make_room(context: dict[str, Any], parameters: tuple[Parameter, ...], words: Words) -> None:
    """Room for what a launch writes; see `end_of_write`."""
    for parameter, member in zip(parameters, context["args_type_"]["content"]["elements_"], strict=True):
        end = end_of_write(parameter, FAMILY, member["offset"], words)
        context["args_bytes_"] = max(context["args_bytes_"], end)


def _pass_as_words(context: dict[str, Any], parameters: tuple[Parameter, ...], words: Words) -> None:
    content = context["args_type_"]["content"]
    for parameter, member in zip(parameters, list(content["elements_"]), strict=True):
        offset = member["offset"]
        for i, count in enumerate(word_counts(parameter, FAMILY, words)):
            struct, layout = word_struct(count), content["layout_"]
            if i == 0:
                member["type"] = _to_json_type(struct, layout)
            else:
                name = f"arg_{len(content['elements_'])}"
                more = Member(name, offset + i * 4 * WORDS_PER_ARGUMENT, struct)
                content["elements_"].append(_to_json_member(more, layout))


def _return_through_array(
    context: dict[str, Any], tasks: list[dict[str, Any]], parameters: tuple[Parameter, ...]
) -> ReturnLayout | None:
    """Pass the memory of return values as `returns` describes; None, without a change, if that is not possible."""
    layout = return_layout(_to_struct(context["rets_type_"]), context["rets_bytes_"], FAMILY)
    buffers = [bind["buffer"] for task in tasks for bind in task["buffer_binds"] if bind["buffer"]["type"] == RETURNS]
    if layout is None or not buffers:
        return None
    content = context["args_type_"]["content"]
    offsets = [member["offset"] for member in content["elements_"][: len(parameters)]]
    array = array_argument(parameters, offsets, context["args_bytes_"], FAMILY)
    for buffer in buffers:
        buffer.update(type=ARRAY, root_id=[array.number])
    number = [array.number]
    attributes: dict[str, Any] = dict.fromkeys(_BASE, 0)
    attributes.update(dtype=int(DataType.I32), element_shape=[], field_dim=1, name="_result", ptype=NDARRAY)
    attributes.update(indices=number, is_argpack=False, is_array=True)
    context["arg_attribs_vec_"].append({"key": number, "value": attributes})
    context["arr_access"].append({"key": number, "value": ACCESS.index("w")})
    content["elements_"].append(_to_json_member(array.member, content["layout_"]))
    context.update(args_bytes_=-(-array.end // 16) * 16, rets_bytes_=0, ret_attribs_vec_=[])
    context["rets_type_"]["content"]["elements_"] = []
    return layout


def _pass_graph_arguments_as_words(dispatch: dict[str, Any], parameters: tuple[Parameter, ...], words: Words) -> None:
    arguments = dispatch["symbolic_args"]
    for raw, parameter in zip(list(arguments), parameters, strict=True):
        for i, argument in enumerate(graph_words(_graph_argument(raw), parameter, FAMILY, words)):
            target = raw if i == 0 else dict(raw)
            target.update(name=argument.name, tag=argument.tag, dtype_id=argument.dtype)
            target.update(field_dim=argument.ndim, element_shape=list(argument.elem_shape))
            if i > 0:
                arguments.append(target)


def _field(raw: dict[str, Any]) -> FieldInfo:
    dtype = DataType(raw["dtype"]) if raw["dtype"] <= DataType.U64 else None
    # Taichi writes the number of columns before that of rows; a vector has one column.
    return FieldInfo(raw["field_name"], dtype, tuple(raw["shape"]), tuple(reversed(raw["element_shape"])))


def _dispatches(raw: dict[str, Any]) -> list[tuple[str, list[GraphArgument]]]:
    """The kernel and the arguments of each step of a graph."""
    return [
        (dispatch["kernel_name"], [_graph_argument(argument) for argument in dispatch["symbolic_args"]])
        for dispatch in raw["value"]["dispatches"]
    ]


def _graph_argument(raw: dict[str, Any]) -> GraphArgument:
    return GraphArgument(raw["name"], raw["tag"], raw["dtype_id"], raw["field_dim"], tuple(raw["element_shape"]))


def _kernel(raw: dict[str, Any], code: Mapping[str, spirv.SpirvInfo], *, has_root: bool) -> KernelInfo:
    context = raw["ctx_attribs"]
    where = f"{METADATA}: kernel {raw['name']!r}"
    formats = {
        tuple(bind["arg_id"]): code[task["name"]].image_formats.get(bind["binding"], "")
        for task in raw["tasks_attribs"]
        for bind in task["texture_binds"]
    }
    arguments = _arguments(where, context, formats)
    struct = _to_struct(context["args_type_"])
    parameters = make_parameters(where, list(arguments.values()), struct, context["args_bytes_"], FAMILY)
    returns = _returns(where, context)
    for task in raw["tasks_attribs"]:
        _check_bindings(where, task, arguments, has_root=has_root, returns=bool(returns))
    tasks = tuple(map(_task, raw["tasks_attribs"]))
    kernel = KernelInfo(Signature(raw["name"], parameters, returns), tasks, field_trees=_field_trees(raw))
    return _with_names_of(kernel, _names_of(raw["name"], tasks))


def _with_names_of(kernel: KernelInfo, names_of: str) -> KernelInfo:
    """The kernel, without its parameters' names if those are another one's."""
    count = len(kernel.signature.parameters)
    if not names_of or not count:
        return kernel
    return replace(kernel, signature=kernel.signature.renamed(positional_names(count)), names_of=names_of)


def _doubt_names(kernels: dict[str, KernelInfo]) -> dict[str, KernelInfo]:
    """The kernels of a module in their order, without names that may be those of an earlier one with the same code.

    That one has another name than the function whose tasks it has: it was added under a name of its own, and the
    function may be its own, or that of the later kernel. Two functions can have the same name.
    """
    first: dict[tuple[TaskInfo, ...], KernelInfo] = {}
    for name, kernel in kernels.items():
        earlier = first.setdefault(kernel.tasks, kernel)
        if earlier.names_of and not kernel.names_of:
            kernels[name] = _with_names_of(kernel, earlier.signature.name)
    return kernels


def _names_of(name: str, tasks: Sequence[TaskInfo]) -> str:
    """The function whose parameter names the module states for a kernel, if it is another one's; else empty.

    Kernels with the same code share what was compiled for the first. Its names are lost if that was in another process,
    so a kernel that was added under another name than its function's looks the same.
    """
    compiled = COMPILED_TASK.fullmatch(tasks[0].name) if tasks else None
    own = re.split(r"[|#]", name)[0]  # without the values of an instance, and its number
    return compiled[2] if compiled and own not in compiled.groups() else ""


def _field_trees(raw: dict[str, Any]) -> tuple[int, ...]:
    """The trees of fields whose roots a kernel binds."""
    buffers = (bind["buffer"] for task in raw["tasks_attribs"] for bind in task["buffer_binds"])
    return tuple(sorted({number for buffer in buffers if buffer["type"] == ROOT for number in buffer["root_id"]}))


def _task(raw: dict[str, Any]) -> TaskInfo:
    threads, block = raw["advisory_total_num_threads"], raw["advisory_num_threads_per_group"]
    number: int = raw["task_type"]
    kind = TASK_KINDS[number] if number < len(TASK_KINDS) else ""
    return TaskInfo(raw["name"], kind, -(-threads // block), block, threads)


def _arguments(
    where: str, context: dict[str, Any], formats: Mapping[tuple[int, ...], str]
) -> dict[tuple[int, ...], Argument]:
    access: dict[tuple[int, ...], str] = {
        tuple(entry["key"]): ACCESS[int(entry["value"])] for entry in context["arr_access"]
    }
    arguments: dict[tuple[int, ...], Argument] = {}
    for entry in context["arg_attribs_vec_"]:
        value: dict[str, Any] = entry["value"]
        index: tuple[int, ...] = tuple(entry["key"])
        if index in arguments or tuple(value["indices"]) != index:
            raise CorruptedDataError(f"{where}: its arguments are not numbered one by one")
        arguments[index] = Argument(
            index,
            value["name"],
            value["ptype"],
            value["is_array"],
            value["is_argpack"],
            value["field_dim"],
            tuple(value["element_shape"]),
            DataType(value["dtype"]) if value["dtype"] <= DataType.U64 else None,
            access.get(index, ""),
            formats.get(index, ""),
        )
    return arguments


def _returns(where: str, context: dict[str, Any]) -> tuple[str, ...]:
    """The types of return values. The library reads values with attributes back, by the members of their struct."""
    returns = make_returns(where, _to_struct(context["rets_type_"]), context["rets_bytes_"], FAMILY)
    attributes = len(context["ret_attribs_vec_"])
    if bool(attributes) != bool(returns) or attributes > len(returns):
        raise CorruptedDataError(f"{where}: it has {len(returns)} return values but attributes of {attributes}")
    return returns


def _check_bindings(
    where: str,
    task: dict[str, Any],
    arguments: Mapping[tuple[int, ...], Argument],
    *,
    has_root: bool,
    returns: bool,
) -> None:
    """Raise for bindings of objects that the kernel does not have: the library looks them up without a check."""
    for bind in task["buffer_binds"]:
        kind, argument = bind["buffer"]["type"], arguments.get(tuple(bind["buffer"]["root_id"]))
        sound = {
            ROOT: has_root or bind["buffer"]["root_id"] != [0],  # the library lacks other roots: see compatibility
            RETURNS: returns,
            ARRAY: argument is not None and argument.is_array,
            ARGUMENT_PACK: argument is not None and argument.is_argpack,
        }
        if not sound.get(kind, True):
            raise CorruptedDataError(f"{where}: {task['name']} binds {bind['buffer']}, which the kernel does not have")
    for bind in task["texture_binds"]:
        argument = arguments.get(tuple(bind["arg_id"]))
        if argument is None or not argument.is_array:
            raise CorruptedDataError(f"{where}: {task['name']} binds texture {bind['arg_id']}, which it does not have")


def _to_struct(raw: dict[str, Any]) -> Struct:
    members = raw["content"]["elements_"]
    return Struct(tuple(Member(entry["name"], entry["offset"], _to_type(entry["type"])) for entry in members))


def _to_json_member(member: Member, layout: str) -> dict[str, Any]:
    return {"name": member.name, "offset": member.offset, "type": _to_json_type(member.type, layout)}


def _to_json_type(type_: Type, layout: str) -> dict[str, Any]:
    """A type as `_type` checks it."""
    if isinstance(type_, Primitive):
        return {"content": {"type": type_.number}, "type_kind": 0}
    if isinstance(type_, Pointer):
        target = _to_json_type(type_.target, layout)
        return {"content": {"addr_space_": 0, "is_bit_pointer_": False, "pointee_": target}, "type_kind": 1}
    assert isinstance(type_, Struct)
    elements = [_to_json_member(member, layout) for member in type_.members]
    return {"content": {"elements_": elements, "layout_": layout}, "type_kind": 3}


def _to_type(raw: dict[str, Any]) -> Type:
    """A type that `_type` has checked."""
    kind, content = raw["type_kind"], raw["content"]
    if kind == 0:
        return Primitive(content["type"])
    if kind == 1:
        return Pointer(_to_type(content["pointee_"]))
    if kind == 2:
        return Tensor(tuple(content["shape_"]), _to_type(content["element_"]))
    return _to_struct(raw)

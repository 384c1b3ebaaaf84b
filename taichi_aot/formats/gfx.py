"""Reader of gfx modules (Vulkan, OpenGL, Metal): ``metadata.json``, ``graphs.json`` and one SPIR-V file per task.

The library's own JSON parser loops forever on text that is not JSON and overflows the stack on deep nesting, and what
it parses it trusts. So the text is parsed here, every value is held against the schema, and the library is given what
was checked, written anew, with the arguments as `words` has them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from ..enums import Arch, DataType
from ..errors import CorruptedDataError
from ..signature import Parameter, Signature
from . import GFX_METADATA, spirv
from .argument_words import WORDS_PER_ARGUMENT, end_of_write, item_size, word_counts
from .info import (
    ARRAY_MEMBERS,
    PARAMETER_KINDS,
    FieldInfo,
    GraphArgument,
    KernelInfo,
    ModuleInfo,
    graph_words,
    make_graphs,
    matrix_shape,
    visible_kernels,
)

__all__ = ["read"]

METADATA = GFX_METADATA
GRAPHS = "graphs.json"
FAMILY: Literal["gfx"] = "gfx"
ARCHS = (Arch.VULKAN, Arch.OPENGL, Arch.METAL, Arch.GLES)

MAX_TYPE_DEPTH = 16
MAX_JSON_BYTES = 1 << 28

# A schema is a checking function, a list of one schema, or a dict of schemas by key (all needed, no others allowed).
Schema: TypeAlias = Any
Check: TypeAlias = Callable[[Any, str], None]


def _fail(where: str, wanted: str, value: Any) -> CorruptedDataError:
    shown = repr(value)
    return CorruptedDataError(f"{where}: expected {wanted}, got {shown if len(shown) < 60 else shown[:60] + '...'}")


def _text(value: Any, where: str) -> None:
    if not isinstance(value, str) or "\0" in value:
        raise _fail(where, "a text", value)


def _boolean(value: Any, where: str) -> None:
    if not isinstance(value, bool):
        raise _fail(where, "true or false", value)


def _integer(low: int, high: int) -> Check:
    def check(value: Any, where: str) -> None:
        if type(value) is not int or not low <= value <= high:
            raise _fail(where, f"an integer from {low} to {high}", value)

    return check


_I32 = _integer(-(2**31), 2**31 - 1)
_U32 = _integer(0, 2**32 - 1)
_U64 = _integer(0, 2**64 - 1)
_ANYTHING = _integer(-(2**63), 2**64 - 1)  # Taichi leaves it unset where it means nothing, and writes what was there
_SIZE = _integer(0, 2**31 - 1)
_POSITIVE = _integer(1, 2**31 - 1)
_PRIMITIVE = _integer(0, 13)
_NDIM = _integer(0, 64)


def _type(value: Any, where: str, depth: int = 0) -> None:
    """A type of the compiler: primitive 0, pointer 1, tensor 2, struct 3."""
    if depth > MAX_TYPE_DEPTH:
        raise CorruptedDataError(f"{where}: types are nested too deeply")
    _conform(value, {"content": lambda *_: None, "type_kind": _integer(0, 3)}, where)
    content = value["content"]

    def nested(value: Any, where: str) -> None:
        _type(value, where, depth + 1)

    schemas: list[Schema] = [
        {"type": _PRIMITIVE},
        {"addr_space_": _I32, "is_bit_pointer_": _boolean, "pointee_": nested},
        {"shape_": [_SIZE], "element_": nested},
        {"elements_": [{"name": _text, "offset": _SIZE, "type": nested}], "layout_": _text},
    ]
    _conform(content, schemas[value["type_kind"]], f"{where}.content")


def _struct(value: Any, where: str) -> None:
    _type(value, where)
    if value["type_kind"] != 3:
        raise _fail(where, "a struct type", value["type_kind"])


def _range(value: Any, where: str) -> None:
    if value is not None:
        _conform(value, {"begin": _U64, "end": _U64, "const_begin": _boolean, "const_end": _boolean}, where)


_BASE = {
    "dtype": _PRIMITIVE,
    "element_shape": [_POSITIVE],
    "field_dim": _NDIM,
    "format": _SIZE,
    "is_array": _boolean,
    "name": _text,
    "offset_in_mem": _SIZE,
    "ptype": _integer(0, 5),
    "stride": _SIZE,
}
_TASK = {
    "advisory_num_threads_per_group": _POSITIVE,  # the library divides by it
    "advisory_total_num_threads": _SIZE,
    "buffer_binds": [{"binding": _SIZE, "buffer": {"root_id": [_I32], "type": _integer(0, 6)}}],
    "name": _text,
    "range_for_attribs": _range,
    "task_type": _integer(0, 16),
    "texture_binds": [{"arg_id": [_SIZE], "binding": _SIZE, "is_storage": _boolean}],
}
_KERNEL = {
    "ctx_attribs": {
        "arg_attribs_vec_": [{"key": [_SIZE], "value": {**_BASE, "indices": [_SIZE], "is_argpack": _boolean}}],
        "argpack_types_": [{"key": [_SIZE], "value": _type}],
        "args_bytes_": _SIZE,
        "args_type_": _struct,
        "arr_access": [{"key": [_SIZE], "value": _integer(0, 3)}],
        "ret_attribs_vec_": [{**_BASE, "index": _I32}],
        "rets_bytes_": _SIZE,
        "rets_type_": _struct,
    },
    "is_jit_evaluator": _boolean,
    "name": _text,
    "tasks_attribs": [_TASK],
}
_FIELD = {
    "field_name": _text,
    "dtype": _U32,
    "dtype_name": _text,
    "mem_offset_in_parent": _U64,
    "shape": [_SIZE],
    "is_scalar": _boolean,
    "element_shape": [_SIZE],
}
_METADATA = {
    "fields": [_FIELD],
    "kernels": [_KERNEL],
    "required_caps": [{"key": _text, "value": _U32}],
    "root_buffer_size": _SIZE,
}
_SYMBOLIC_ARGUMENT = {
    "dtype_id": _I32,
    "element_shape": [_SIZE],
    "field_dim": _U64,
    "name": _text,
    "num_channels": _ANYTHING,
    "tag": _I32,
}
_GRAPHS = [
    {"key": _text, "value": {"dispatches": [{"kernel_name": _text, "symbolic_args": [_SYMBOLIC_ARGUMENT]}]}},
]


def _conform(value: Any, schema: Schema, where: str) -> None:
    if isinstance(schema, dict):
        if not isinstance(value, dict):
            raise _fail(where, "an object", value)
        if value.keys() != schema.keys():
            odd = ", ".join(sorted(map(repr, value.keys() ^ schema.keys())))
            raise CorruptedDataError(f"{where}: these keys are missing or unknown: {odd[:200]}")
        for key, part in schema.items():
            _conform(value[key], part, f"{where}.{key}")
    elif isinstance(schema, list):
        if not isinstance(value, list):
            raise _fail(where, "a list", value)
        for index, item in enumerate(value):
            _conform(item, schema[0], f"{where}[{index}]")
    else:
        schema(value, where)


def _parse(name: str, files: Mapping[str, bytes], schema: Schema) -> Any:
    if name not in files:
        raise CorruptedDataError(f"{name} is missing")
    if len(files[name]) > MAX_JSON_BYTES:
        raise CorruptedDataError(f"{name} is too large: {len(files[name])} bytes")
    try:
        value = json.loads(files[name], parse_constant=_no_constant, object_pairs_hook=_unique)
    except RecursionError:
        raise CorruptedDataError(f"{name} is nested too deeply") from None
    except ValueError as reason:
        raise CorruptedDataError(f"{name} is not JSON: {reason}") from None
    _conform(value, schema, name)
    return value


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} is not a number of JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has a key twice")
    return value


def read(where: str, files: Mapping[str, bytes]) -> tuple[ModuleInfo, dict[str, bytes]]:
    """Read and check a gfx module: what it holds, and the files that the library may have."""
    metadata = _parse(METADATA, files, _METADATA)
    raw_graphs = _parse(GRAPHS, files, _GRAPHS)
    kernels: dict[str, KernelInfo] = {}
    version = (0, 0)
    capabilities: set[int] = set()
    for raw in metadata["kernels"]:
        name = raw["name"]
        if name in kernels:
            raise CorruptedDataError(f"{where}: kernel {name!r} stands in {METADATA} twice")
        kernels[name] = KernelInfo(_signature(raw), len(raw["tasks_attribs"]))
        for task in raw["tasks_attribs"]:
            code = _check_task(where, task, files)
            version = max(version, code.version)
            capabilities |= code.capabilities
    graphs = make_graphs(where, GRAPHS, ((raw["key"], _dispatches(raw)) for raw in raw_graphs), kernels)
    info = ModuleInfo(
        family=FAMILY,
        archs=ARCHS,
        version=_version(files),
        kernels=visible_kernels(kernels, graphs, files.get("__content__")),
        graphs=graphs,
        all_kernels=kernels,
        fields=tuple(_field(raw) for raw in metadata["fields"]),
        has_fields=bool(metadata["fields"]) or metadata["root_buffer_size"] > 0,
        spirv_version=version,
        spirv_capabilities=frozenset(capabilities),
    )
    for raw in metadata["kernels"]:
        _pass_as_words(raw["ctx_attribs"], kernels[raw["name"]].signature.parameters)
    for graph in raw_graphs:
        for dispatch in graph["value"]["dispatches"]:
            _pass_graph_arguments_as_words(dispatch, kernels[dispatch["kernel_name"]].signature.parameters)
    rewritten = {METADATA: json.dumps(metadata).encode(), GRAPHS: json.dumps(raw_graphs).encode()}
    return info, {**files, **rewritten}


def _pass_as_words(context: dict[str, Any], parameters: tuple[Parameter, ...]) -> None:
    content = context["args_type_"]["content"]
    for parameter, member in zip(parameters, list(content["elements_"]), strict=True):
        offset = member["offset"]
        for i, count in enumerate(word_counts(parameter, FAMILY)):
            struct = {"content": {"elements_": _words(count), "layout_": content["layout_"]}, "type_kind": 3}
            if i == 0:
                member["type"] = struct
            else:
                name = f"arg_{len(content['elements_'])}"
                content["elements_"].append(
                    {"name": name, "offset": offset + i * 4 * WORDS_PER_ARGUMENT, "type": struct}
                )
        context["args_bytes_"] = max(context["args_bytes_"], end_of_write(parameter, FAMILY, offset))


def _words(count: int) -> list[dict[str, Any]]:
    return [{"name": f"w_{i}", "offset": 4 * i, "type": _primitive(int(DataType.I32))} for i in range(count)]


def _pass_graph_arguments_as_words(dispatch: dict[str, Any], parameters: tuple[Parameter, ...]) -> None:
    arguments = dispatch["symbolic_args"]
    for raw, parameter in zip(list(arguments), parameters, strict=True):
        for i, argument in enumerate(graph_words(_graph_argument(raw), parameter, FAMILY)):
            target = raw if i == 0 else dict(raw)
            target.update(name=argument.name, tag=argument.tag, dtype_id=argument.dtype)
            target.update(field_dim=argument.ndim, element_shape=list(argument.elem_shape))
            if i > 0:
                arguments.append(target)


def _field(raw: dict[str, Any]) -> FieldInfo:
    dtype = DataType(raw["dtype"]) if raw["dtype"] <= DataType.U64 else None
    return FieldInfo(raw["field_name"], dtype, tuple(raw["shape"]), tuple(raw["element_shape"]))


def _version(files: Mapping[str, bytes]) -> tuple[int, int, int] | None:
    match = re.fullmatch(rb"\s*(\d{1,4})\.(\d{1,4})\.(\d{1,4})\s*", files.get("__version__", b""))
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def _check_task(where: str, task: dict[str, Any], files: Mapping[str, bytes]) -> spirv.SpirvInfo:
    file = f"{task['name']}.spv"
    if file not in files:
        raise CorruptedDataError(f"{where}: the code of a task is missing ({file})")
    code = spirv.read(file, files[file])
    bound = {bind["binding"] for bind in task["buffer_binds"] + task["texture_binds"]}
    if code.bindings != bound:
        raise CorruptedDataError(
            f"{where}: {file} uses the bindings {sorted(code.bindings)}, {METADATA} states {sorted(bound)}"
        )
    return code


def _dispatches(raw: dict[str, Any]) -> list[tuple[str, list[GraphArgument]]]:
    """Kernel and arguments of each step of a graph."""
    return [
        (dispatch["kernel_name"], [_graph_argument(argument) for argument in dispatch["symbolic_args"]])
        for dispatch in raw["value"]["dispatches"]
    ]


def _graph_argument(raw: dict[str, Any]) -> GraphArgument:
    return GraphArgument(raw["name"], raw["tag"], raw["dtype_id"], raw["field_dim"], tuple(raw["element_shape"]))


def _signature(raw: dict[str, Any]) -> Signature:
    name, context = raw["name"], raw["ctx_attribs"]
    arguments = {tuple(entry["key"]): entry["value"] for entry in context["arg_attribs_vec_"]}
    members = context["args_type_"]["content"]["elements_"]
    if any(member["offset"] >= context["args_bytes_"] for member in members):
        raise CorruptedDataError(f"{METADATA}: an argument of kernel {name!r} lies outside of its argument block")
    if set(arguments) != {(i,) for i in range(len(context["arg_attribs_vec_"]))} or len(members) != len(arguments):
        raise CorruptedDataError(f"{METADATA}: the arguments of kernel {name!r} are not numbered one by one")
    access = {tuple(entry["key"]): entry["value"] for entry in context["arr_access"]}
    parameters = tuple(
        _parameter(name, i, arguments[i,], members[i]["type"], ("", "r", "w", "rw")[access.get((i,), 0)])
        for i in range(len(arguments))
    )
    returns = context["rets_type_"]["content"]["elements_"]
    return Signature(name, parameters, tuple(_type_name(entry["type"]) for entry in returns))


def _parameter(kernel: str, index: int, raw: dict[str, Any], member: dict[str, Any], access: str) -> Parameter:
    if raw["is_argpack"]:
        return Parameter(raw["name"], "argpack")
    kind = PARAMETER_KINDS.get(raw["ptype"])
    name = raw["name"] if kind == "scalar" else raw["name"].removeprefix("_")
    if kind is None or raw["indices"] != [index] or raw["is_array"] != (kind == "ndarray"):
        raise CorruptedDataError(f"{METADATA}: argument {name!r} of kernel {kernel!r} is of no known kind")
    if kind in ("texture", "rw_texture"):
        return Parameter(name, kind, ndim=raw["field_dim"])
    dtype = DataType(raw["dtype"]) if raw["dtype"] <= DataType.U64 else None
    if kind == "scalar" and dtype is None:
        dtype, shape = _matrix(member)
        if dtype is not None:
            return Parameter(name, "matrix", dtype, elem_shape=shape)
    sound = _is_array_struct(member, raw["field_dim"]) if kind == "ndarray" else member == _primitive(raw["dtype"])
    if dtype is None or not sound:
        raise CorruptedDataError(f"{METADATA}: argument {name!r} of kernel {kernel!r} is not what its type says")
    return Parameter(name, kind, dtype, raw["field_dim"], tuple(raw["element_shape"]), access)


def _primitive(dtype: int) -> dict[str, Any]:
    return {"content": {"type": dtype}, "type_kind": 0}


def _is_array_struct(member: dict[str, Any], ndim: int) -> bool:
    """Whether an argument is a struct of a shape, `ndim` 32-bit integers, and pointers: what a launch writes to."""
    elements = member["content"]["elements_"] if member["type_kind"] == 3 else []
    if not elements or elements[0]["type"]["type_kind"] != 3 or any(e["type"]["type_kind"] != 1 for e in elements[1:]):
        return False
    dims = [
        {"name": f"dim_{i}", "offset": 4 * i, "type": _primitive(DataType.I32)}  # one integer behind the other
        for i in range(ndim)
    ]
    names = [e["name"] for e in elements]
    return elements[0]["type"]["content"]["elements_"] == dims and names in (ARRAY_MEMBERS[:2], ARRAY_MEMBERS)


def _matrix(member: dict[str, Any]) -> tuple[DataType | None, tuple[int, ...]]:
    """Dtype and shape of a matrix parameter from its struct of numbers, one behind the other."""
    elements = member["content"]["elements_"] if member["type_kind"] == 3 else []
    primitives = {entry["type"]["content"].get("type", 13) for entry in elements}
    primitive = primitives.pop() if len(primitives) == 1 else 13
    if primitive > DataType.U64:
        return None, ()
    dtype = DataType(primitive)
    packed = [i * item_size(dtype, FAMILY) for i in range(len(elements))]
    if [entry["offset"] for entry in elements] != packed:
        return None, ()
    return dtype, matrix_shape(tuple(entry["name"] for entry in elements))


def _type_name(type_: dict[str, Any]) -> str:
    primitive = type_["content"].get("type", 13)
    return str(DataType(primitive)) if primitive <= DataType.U64 else "struct"

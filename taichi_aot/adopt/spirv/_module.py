"""Gfx modules (Vulkan, OpenGL, Metal): their reader, and the private copy that the library is given.

Their files are ``metadata.json``, ``graphs.json`` and one SPIR-V file per task. The library's JSON parser loops forever
on text that is not JSON, overflows the stack on deep nesting, and does not check the parsed values. So the text is
parsed here, and every value is checked against a schema: a checking function, a list of one schema, or a dict of
schemas by key, all of them needed and no others allowed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from ...bundle._files import GFX_GRAPHS, GFX_METADATA, JSON_BYTES, is_unicode
from ...bundle._info import Device, FieldInfo, KernelInfo, ModuleInfo, ResultLayout, TaskInfo
from ...bundle._plan import GFX_ARCHS
from ...values._errors import CorruptedDataError
from ...values._numbers import DataType
from ...values._signature import (
    WORDS_PER_ARGUMENT,
    Parameter,
    Signature,
    Words,
    end_of_write,
    positional_names,
    word_counts,
)
from ..taichi._native import stated_version
from ..taichi._plans import check_listed, dispatched_kernels, graphs_with_words, make_graphs, visible_kernels
from ..taichi._types import (
    Argument,
    GraphArgument,
    Graphs,
    Member,
    Nothing,
    Pointer,
    Primitive,
    Struct,
    Tensor,
    Type,
    array_argument,
    make_parameters,
    make_returns,
    return_dtype,
    return_layout,
    word_struct,
)
from . import _editor as spirv

# The metadata, parsed and checked: each value has a place, a type and bounds.


Schema: TypeAlias = Any
Check: TypeAlias = Callable[[Any, str], None]


def mismatch(where: str, wanted: str, value: Any) -> CorruptedDataError:
    """Return the exception for a value that the schema rejects."""
    shown = repr(value)
    return CorruptedDataError(f"{where}: expected {wanted}, got {shown if len(shown) < 60 else shown[:60] + '...'}")


def text(value: Any, where: str) -> None:
    """Accept a text that can be encoded as UTF-8 and that C can hold."""
    if not isinstance(value, str) or "\0" in value or not is_unicode(value):
        raise mismatch(where, "a text", value)


def boolean(value: Any, where: str) -> None:
    """Accept true and false."""
    if not isinstance(value, bool):
        raise mismatch(where, "true or false", value)


def integer(low: int, high: int) -> Check:
    """Accept integers from `low` to `high`."""

    def check(value: Any, where: str) -> None:
        if type(value) is not int or not low <= value <= high:
            raise mismatch(where, str(low) if low == high else f"an integer from {low} to {high}", value)

    return check


def any_value(value: Any, where: str) -> None:
    """Accept any value; it is checked later."""


def mapping(schemas: dict[str, Schema]) -> Check:
    """Accept objects with these keys and no others."""
    checks = {key: _check_of(schema) for key, schema in schemas.items()}

    def check(value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise mismatch(where, "an object", value)
        given = cast("dict[str, Any]", value)
        if given.keys() != checks.keys():
            odd = ", ".join(sorted(map(repr, given.keys() ^ checks.keys())))
            raise CorruptedDataError(
                f"{where}: these keys are missing or unknown, or another version wrote the file: {odd[:200]}"
            )
        for key, item in given.items():
            checks[key](item, f"{where}.{key}")

    return check


def _list_of(schema: Schema) -> Check:
    """Accept lists of values that the schema accepts."""
    item_check = _check_of(schema)

    def check(value: Any, where: str) -> None:
        if not isinstance(value, list):
            raise mismatch(where, "a list", value)
        for index, item in enumerate(cast("Sequence[Any]", value)):
            item_check(item, f"{where}[{index}]")

    return check


def _check_of(schema: Schema) -> Check:
    """Make the checking function for a schema of any kind."""
    if isinstance(schema, dict):
        return mapping(cast("dict[str, Schema]", schema))
    if isinstance(schema, list):
        (item,) = cast("Sequence[Schema]", schema)
        return _list_of(item)
    check: Check = schema
    return check


def parse_json(name: str, files: Mapping[str, bytes], schema: Schema) -> Any:
    """Parse the file `name`, and check it against the schema."""
    if name not in files:
        raise CorruptedDataError(f"{name} is missing")
    if len(files[name]) > JSON_BYTES:
        raise CorruptedDataError(f"{name} is too large: {len(files[name])} bytes")
    try:
        value = json.loads(files[name], parse_constant=_no_constant, object_pairs_hook=_unique)
    except RecursionError:
        raise CorruptedDataError(f"{name} is nested too deeply") from None
    except ValueError as reason:
        raise CorruptedDataError(f"{name} is not JSON: {reason}") from None
    _check_of(schema)(value, name)
    return value


def _no_constant(value: str) -> None:
    raise ValueError(f"{value} is not a JSON number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has a key twice")
    return value


ACCESS = ("", "r", "w", "rw")  # by the numbers of arr_access
ROOT, RETURNS, ARRAY, ARGUMENT_PACK = 0, 3, 5, 6
TEXTURES = (3, 4)  # kinds of a graph's argument
MAX_TYPE_DEPTH = 16

_I32 = integer(-(2**31), 2**31 - 1)
_U32 = integer(0, 2**32 - 1)
_U64 = integer(0, 2**64 - 1)
_ANYTHING = integer(-(2**63), 2**64 - 1)  # Taichi writes uninitialized values for members without a meaning
_SIZE = integer(0, 2**31 - 1)
_POSITIVE = integer(1, 2**31 - 1)
_PRIMITIVE = integer(0, 13)
_NDIM = integer(0, 64)


_check_typed = mapping({"content": any_value, "type_kind": integer(0, 3)})


def _check_type(value: Any, where: str, depth: int = 0) -> None:
    if depth > MAX_TYPE_DEPTH:
        raise CorruptedDataError(f"{where}: types are nested too deeply")
    _check_typed(value, where)
    _type_checks(depth)[value["type_kind"]](value["content"], f"{where}.content")


@cache
def _type_checks(depth: int) -> list[Check]:
    """Make checks of the types of the compiler by kind: primitive, pointer, tensor, struct."""

    def nested(value: Any, where: str) -> None:
        _check_type(value, where, depth + 1)

    schemas: list[dict[str, Schema]] = [
        {"type": _PRIMITIVE},
        {"addr_space_": _I32, "is_bit_pointer_": boolean, "pointee_": nested},
        {"shape_": [_SIZE], "element_": nested},
        {"elements_": [{"name": text, "offset": _SIZE, "type": nested}], "layout_": text},
    ]
    return [mapping(schema) for schema in schemas]


def _check_struct(value: Any, where: str) -> None:
    _check_type(value, where)
    if value["type_kind"] != 3:
        raise mismatch(where, "a struct type", value["type_kind"])


_check_range = mapping({"begin": _I32, "end": _I32, "const_begin": boolean, "const_end": boolean})


def _range(value: Any, where: str) -> None:
    if value is not None:
        _check_range(value, where)


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
ATTRIBUTES = tuple(_BASE)  # of arguments and of return values
_TASK = {
    "advisory_num_threads_per_group": _POSITIVE,  # the library divides by it
    "advisory_total_num_threads": _I32,  # see `threads_of`
    "buffer_binds": [{"binding": _SIZE, "buffer": {"root_id": [_I32], "type": integer(0, 6)}}],
    "name": text,
    "range_for_attribs": _range,
    "task_type": integer(0, 16),
    "texture_binds": [{"arg_id": [_SIZE], "binding": _SIZE, "is_storage": boolean}],
}
_KERNEL = {
    "ctx_attribs": {
        "arg_attribs_vec_": [{"key": [_SIZE], "value": {**_BASE, "indices": [_SIZE], "is_argpack": boolean}}],
        "argpack_types_": [{"key": [_SIZE], "value": _check_type}],
        "args_bytes_": _SIZE,
        "args_type_": _check_struct,
        "arr_access": [{"key": [_SIZE], "value": integer(0, 3)}],
        "ret_attribs_vec_": [{**_BASE, "index": _I32}],
        "rets_bytes_": _SIZE,
        "rets_type_": _check_struct,
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
METADATA = {
    "fields": [_FIELD],
    "kernels": [_KERNEL],
    "required_caps": [{"key": text, "value": _U32}],
    "root_buffer_size": _SIZE,
}
_SYMBOLIC_ARGUMENT = {
    "dtype_id": _I32,
    "element_shape": [_SIZE],
    "field_dim": _ANYTHING,
    "name": text,
    "num_channels": _ANYTHING,
    "tag": _I32,
}
GRAPHS = [{"key": text, "value": {"dispatches": [{"kernel_name": text, "symbolic_args": [_SYMBOLIC_ARGUMENT]}]}}]


def read_graphs(raw: Iterable[Mapping[str, Any]]) -> Graphs:
    """Return graphs that the schema has checked, with 0 in place of the numbers that are uninitialized."""

    def argument(raw: Mapping[str, Any]) -> GraphArgument:
        ndim, channels = (0, raw["num_channels"]) if raw["tag"] in TEXTURES else (raw["field_dim"], 0)
        return GraphArgument(raw["name"], raw["tag"], raw["dtype_id"], ndim, tuple(raw["element_shape"]), channels)

    def dispatch(raw: Mapping[str, Any]) -> tuple[str, list[GraphArgument]]:
        return raw["kernel_name"], list(map(argument, raw["symbolic_args"]))

    return [(graph["key"], list(map(dispatch, graph["value"]["dispatches"]))) for graph in raw]


def encode_graphs(graphs: Graphs) -> bytes:
    """Return graphs as `read_graphs` reads them."""
    keys = sorted(_SYMBOLIC_ARGUMENT)

    def dispatch(kernel: str, arguments: Iterable[GraphArgument]) -> dict[str, Any]:
        values = ((a.dtype, a.elem_shape, a.ndim, a.name, a.channels, a.tag) for a in arguments)
        return {"kernel_name": kernel, "symbolic_args": [dict(zip(keys, each, strict=True)) for each in values]}

    return to_json(
        [
            {"key": name, "value": {"dispatches": [dispatch(*each) for each in dispatches]}}
            for name, dispatches in graphs
        ]
    )


def to_json(value: Any) -> bytes:
    """Encode JSON for the library's parser, which does not support ``\\u`` escapes."""
    return json.dumps(value, ensure_ascii=False).encode()


def threads_of(task: Mapping[str, Any]) -> int:
    """Return the threads of a task. For a loop over an empty constant range the compiler states fewer than 0."""
    stated: int = task["advisory_total_num_threads"]
    return max(0, stated)


def read_struct(raw: Mapping[str, Any]) -> Struct:
    """Convert a struct that the schema has checked."""
    members = raw["content"]["elements_"]
    return Struct(tuple(Member(entry["name"], entry["offset"], _read_type(entry["type"])) for entry in members))


def _read_type(raw: Mapping[str, Any] | None) -> Type:
    """Convert a type that the schema has checked, or one of Quadrants, whose pointers may have no type."""
    if raw is None:
        return Nothing()
    kind, content = raw["type_kind"], raw["content"]
    if kind == 0:
        return Primitive(content["type"])
    if kind == 1:
        return Pointer(_read_type(content["pointee_"]))
    if kind == 2:
        return Tensor(tuple(content["shape_"]), _read_type(content["element_"]))
    return read_struct(raw) if kind == 3 else Nothing()


# The module.


FAMILY: Literal["gfx"] = "gfx"
TASK_KINDS = ("serial", "range_for", "struct_for", "mesh_for", "listgen", "gc", "gc_rc")
COMPILED_TASK = re.compile(r"((.+)_c\d+_\d+)(?:_\d+)?_t\d+")  # the instance of a function, and the task's number


class GfxContents(NamedTuple):
    """The contents of a gfx module's files: ``metadata.json`` with unique names, ``graphs.json``, and the code."""

    metadata: dict[str, Any]
    graphs: Graphs
    code: dict[str, spirv.SpirvInfo]  # by the name of the task

    def kernel_without_lists(self) -> str:
        """Return "": SPIR-V modules do not have lists of nodes."""
        return ""

    def without_traces(self, files: Mapping[str, bytes]) -> dict[str, bytes]:
        """Remove uninitialized numbers from files; see `_make.pack_module`."""
        return {**files, GFX_GRAPHS: encode_graphs(self.graphs)}


def read(where: str, files: Mapping[str, bytes]) -> tuple[ModuleInfo, GfxContents]:
    """Read and check a gfx module; return its contents, and what its files state in detail."""
    metadata = parse_json(GFX_METADATA, files, METADATA)
    raw_graphs = read_graphs(parse_json(GFX_GRAPHS, files, GRAPHS))
    metadata["kernels"] = _named_apart(metadata["kernels"])
    code = _read_code(where, metadata["kernels"], files)
    has_root = metadata["root_buffer_size"] > 0
    kernels = _doubt_names({raw["name"]: _kernel(raw, code, has_root=has_root) for raw in metadata["kernels"]})
    graphs = make_graphs(where, GFX_GRAPHS, raw_graphs, kernels)
    check_listed(where, kernels, files.get("__content__"))
    info = ModuleInfo(
        family=FAMILY,
        archs=GFX_ARCHS,
        taichi=".".join(map(str, stated_version(files) or ())),
        kernels=visible_kernels(kernels, graphs, files.get("__content__")),
        graphs=graphs,
        all_kernels=kernels,
        fields=tuple(_field(raw) for raw in metadata["fields"]),
        has_fields=bool(metadata["fields"]) or has_root,
        field_trees=(0,) * has_root,
        tree_sizes=(metadata["root_buffer_size"],) * has_root,
        device=Device.of(
            max((task.version for task in code.values()), default=(0, 0)),
            frozenset[int]().union(*(task.capabilities for task in code.values())),
        ),
    )
    return info, GfxContents(metadata, raw_graphs, code)


def with_trees(info: ModuleInfo, sizes: Sequence[int]) -> ModuleInfo:
    """Return a module's contents with the sizes of all trees of fields, from tree 0 on: its files state one."""
    if sum(sizes[:1]) != info.root_buffer_size:
        raise CorruptedDataError(f"{GFX_METADATA}: tree 0 has {info.root_buffer_size} bytes, and not {sizes[0]}")
    found = {tree: size for tree, size in enumerate(sizes) if size}
    return info._replace(
        field_trees=tuple(found), tree_sizes=tuple(found.values()), has_fields=info.has_fields or bool(found)
    )


def _named_apart(kernels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give kernels unique names. The library uses the first instance of a kernel, so the others become NAME#1, ...

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
    """Return the code of all tasks, by the name of the task."""
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
                f"{where}: {name}.spv uses the bindings {sorted(used)}, but {GFX_METADATA} states {sorted(bound)}"
            )
    return code


def _field(raw: dict[str, Any]) -> FieldInfo:
    dtype = DataType(raw["dtype"]) if raw["dtype"] <= DataType.U64 else None
    # Taichi writes the number of columns before that of rows; a vector has one column.
    return FieldInfo(raw["field_name"], dtype, tuple(raw["shape"]), tuple(reversed(raw["element_shape"])))


def _kernel(raw: dict[str, Any], code: Mapping[str, spirv.SpirvInfo], *, has_root: bool) -> KernelInfo:
    context = raw["ctx_attribs"]
    where = f"{GFX_METADATA}: kernel {raw['name']!r}"
    formats = {
        tuple(bind["arg_id"]): code[task["name"]].image_formats.get(bind["binding"], "")
        for task in raw["tasks_attribs"]
        for bind in task["texture_binds"]
    }
    arguments = _arguments(where, context, formats)
    struct = read_struct(context["args_type_"])
    parameters = make_parameters(where, list(arguments.values()), struct, context["args_bytes_"], FAMILY)
    returns = _returns(where, context)
    for task in raw["tasks_attribs"]:
        _check_bindings(where, task, arguments, has_root=has_root, returns=bool(returns))
    tasks = tuple(map(_task, raw["tasks_attribs"]))
    returned = return_dtype(read_struct(context["rets_type_"]))
    kernel = KernelInfo(
        Signature(raw["name"], parameters, returns),
        tasks,
        field_trees=_field_trees(raw),
        result=None if returned is None else ResultLayout(returned),
    )
    return _with_names_of(kernel, _names_of(raw["name"], tasks))


def _with_names_of(kernel: KernelInfo, names_of: str) -> KernelInfo:
    """Return the kernel, without its parameters' names if those are another one's."""
    count = len(kernel.signature.parameters)
    if not names_of or not count:
        return kernel
    return kernel._replace(signature=kernel.signature.renamed(positional_names(count)), names_of=names_of)


def _doubt_names(kernels: dict[str, KernelInfo]) -> dict[str, KernelInfo]:
    """Return kernels in their order, without names that may be those of an earlier one with the same code.

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
    """Return the function whose parameter names the module states for a kernel, if it is another one's; else empty.

    Kernels with the same code share what was compiled for the first. Its names are lost if that was in another process,
    so a kernel that was added under another name than its function's looks the same.
    """
    compiled = COMPILED_TASK.fullmatch(tasks[0].name) if tasks else None
    own = re.split(r"[|#]", name)[0]  # without the values of an instance, and its number
    return compiled[2] if compiled and own not in compiled.groups() else ""


def _field_trees(raw: dict[str, Any]) -> tuple[int, ...]:
    """Return the trees of fields whose roots a kernel binds."""
    buffers = (bind["buffer"] for task in raw["tasks_attribs"] for bind in task["buffer_binds"])
    return tuple(sorted({number for buffer in buffers if buffer["type"] == ROOT for number in buffer["root_id"]}))


def _task(raw: dict[str, Any]) -> TaskInfo:
    threads, block = threads_of(raw), raw["advisory_num_threads_per_group"]
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
    """Return the types of return values. The library reads back values with attributes, by their struct's members."""
    returns = make_returns(where, read_struct(context["rets_type_"]), context["rets_bytes_"], FAMILY)
    attributes = len(context["ret_attribs_vec_"])
    if bool(attributes) != bool(returns) or attributes > len(returns):
        raise CorruptedDataError(f"{where}: it has {len(returns)} return values but attributes of {attributes}")
    return returns


def _check_bindings(
    where: str, task: dict[str, Any], arguments: Mapping[tuple[int, ...], Argument], *, has_root: bool, returns: bool
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


NDARRAY = 1  # the kind of an argument

Raw = dict[str, Any]  # an object of the JSON files


def lower(
    files: Mapping[str, bytes], info: ModuleInfo, module: GfxContents, words: Words
) -> tuple[dict[str, bytes], dict[str, ResultLayout], frozenset[str]]:
    """Make the files of the copy, the layouts of return values that its kernels write to an array, and no gradients."""
    dispatched = dispatched_kernels(info.graphs)
    results: dict[str, ResultLayout] = {}
    kernels: list[Raw] = []
    for raw in module.metadata["kernels"]:
        name = raw["name"]
        kernel = info.all_kernels[name]
        parameters = kernel.signature.parameters
        context = _with_words(raw["ctx_attribs"], parameters, words)
        tasks: list[Raw] = [
            {**_bound(task, module.code[task["name"]]), "advisory_total_num_threads": threads_of(task)}
            for task in raw["tasks_attribs"]
        ]
        # Graphs do not pass the array of return values, and dispatch kernels under their own names.
        if words is Words.ALL and name not in dispatched:
            struct, size = read_struct(context["rets_type_"]), context["rets_bytes_"]
            layout = return_layout(struct, size, kernel.return_dtype, FAMILY)
            if layout is not None and any(_is_for_returns(bind) for task in tasks for bind in task["buffer_binds"]):
                context, tasks = _through_array(context, tasks, parameters)
                results[name] = layout
        kernels.append({**raw, "ctx_attribs": context, "tasks_attribs": tasks})
    graphs = encode_graphs(graphs_with_words(module.graphs, info.all_kernels, FAMILY, words))
    metadata = {**module.metadata, "kernels": kernels}
    return {**files, GFX_METADATA: to_json(metadata), GFX_GRAPHS: graphs}, results, frozenset()


def _bound(task: Raw, code: spirv.SpirvInfo) -> Raw:
    """Drop bindings that the compiler's optimizer has removed from the code: the library aborts when it binds them."""
    binds = ("buffer_binds", "texture_binds")
    return {**task, **{kind: [bind for bind in task[kind] if bind["binding"] in code.bindings] for kind in binds}}


def _with_words(context: Raw, parameters: Sequence[Parameter], words: Words) -> Raw:
    """Return the arguments as passed words, with space for what a launch writes (see `end_of_write`)."""
    content = context["args_type_"]["content"]
    layout, size = content["layout_"], context["args_bytes_"]
    members: list[Raw] = []
    overflow: list[Raw] = []
    for parameter, member in zip(parameters, content["elements_"], strict=True):
        offset = member["offset"]
        size = max(size, end_of_write(parameter, FAMILY, offset, words))
        structs = [word_struct(count) for count in word_counts(parameter, FAMILY, words)]
        members.append({**member, "type": _json_type(structs[0], layout)} if structs else member)
        for i, struct in enumerate(structs[1:], 1):
            name = f"arg_{len(parameters) + len(overflow)}"
            overflow.append(_json_member(Member(name, offset + i * 4 * WORDS_PER_ARGUMENT, struct), layout))
    return {**_with_members(context, [*members, *overflow]), "args_bytes_": size}


def _with_members(context: Raw, members: list[Raw]) -> Raw:
    struct = context["args_type_"]
    return {**context, "args_type_": {**struct, "content": {**struct["content"], "elements_": members}}}


def _is_for_returns(bind: Raw) -> bool:
    return bool(bind["buffer"]["type"] == RETURNS)


def _through_array(context: Raw, tasks: list[Raw], parameters: Sequence[Parameter]) -> tuple[Raw, list[Raw]]:
    """Put return values in an array, as `taichi/_types` describes; return arguments and tasks."""
    content = context["args_type_"]["content"]
    offsets = [member["offset"] for member in content["elements_"][: len(parameters)]]
    array = array_argument(parameters, offsets, context["args_bytes_"], FAMILY)
    number = [array.number]
    attributes = {
        **dict.fromkeys(ATTRIBUTES, 0),
        "dtype": int(DataType.I32),
        "element_shape": [],
        "field_dim": 1,
        "name": "_result",
        "ptype": NDARRAY,
        "indices": number,
        "is_argpack": False,
        "is_array": True,
    }
    member = _json_member(array.member, content["layout_"])
    returned = context["rets_type_"]
    changed: Raw = {
        **_with_members(context, [*content["elements_"], member]),
        "arg_attribs_vec_": [*context["arg_attribs_vec_"], {"key": number, "value": attributes}],
        "arr_access": [*context["arr_access"], {"key": number, "value": ACCESS.index("w")}],
        "args_bytes_": -(-array.end // 16) * 16,
        "rets_bytes_": 0,
        "ret_attribs_vec_": [],
        "rets_type_": {**returned, "content": {**returned["content"], "elements_": []}},
    }
    buffer = {"type": ARRAY, "root_id": number}
    rebound = [
        {**task, "buffer_binds": [{**b, "buffer": buffer} if _is_for_returns(b) else b for b in task["buffer_binds"]]}
        for task in tasks
    ]
    return changed, rebound


def _json_member(member: Member, layout: str) -> Raw:
    return {"name": member.name, "offset": member.offset, "type": _json_type(member.type, layout)}


def _json_type(type_: Type, layout: str) -> Raw:
    """Return a type as the schema of the metadata has it."""
    if isinstance(type_, Primitive):
        return {"content": {"type": type_.number}, "type_kind": 0}
    if isinstance(type_, Pointer):
        target = _json_type(type_.target, layout)
        return {"content": {"addr_space_": 0, "is_bit_pointer_": False, "pointee_": target}, "type_kind": 1}
    assert isinstance(type_, Struct)
    elements = [_json_member(member, layout) for member in type_.members]
    return {"content": {"elements_": elements, "layout_": layout}, "type_kind": 3}

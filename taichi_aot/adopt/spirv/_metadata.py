"""``metadata.json`` and ``graphs.json`` of gfx modules, parsed and checked: each value has a place, a type and bounds.

The library's JSON parser loops forever on text that is not JSON, overflows the stack on deep nesting, and does not
check the parsed values. So the text is parsed here, and every value is checked against a schema: a checking function, a
list of one schema, or a dict of schemas by key, all of them needed and no others allowed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias, cast

from ...bundle._container import is_unicode
from ...bundle._source import JSON_BYTES
from ...values._errors import CorruptedDataError
from ..taichi._parameters import GraphArgument, Graphs
from ..taichi._types import Member, Nothing, Pointer, Primitive, Struct, Tensor, Type

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
    """The checking function for a schema of any kind."""
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
    """Checks of the types of the compiler by kind: primitive, pointer, tensor, struct."""

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
    """Graphs that the schema has checked, with 0 in place of the numbers that are uninitialized."""

    def argument(raw: Mapping[str, Any]) -> GraphArgument:
        ndim, channels = (0, raw["num_channels"]) if raw["tag"] in TEXTURES else (raw["field_dim"], 0)
        return GraphArgument(raw["name"], raw["tag"], raw["dtype_id"], ndim, tuple(raw["element_shape"]), channels)

    def dispatch(raw: Mapping[str, Any]) -> tuple[str, list[GraphArgument]]:
        return raw["kernel_name"], list(map(argument, raw["symbolic_args"]))

    return [(graph["key"], list(map(dispatch, graph["value"]["dispatches"]))) for graph in raw]


def encode_graphs(graphs: Graphs) -> bytes:
    """Graphs as `read_graphs` reads them."""
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
    """JSON for the library's parser, which does not support ``\\u`` escapes."""
    return json.dumps(value, ensure_ascii=False).encode()


def threads_of(task: Mapping[str, Any]) -> int:
    """Return the threads of a task. For a loop over an empty constant range the compiler states fewer than 0."""
    stated: int = task["advisory_total_num_threads"]
    return max(0, stated)


def read_struct(raw: Mapping[str, Any]) -> Struct:
    """A struct that the schema has checked."""
    members = raw["content"]["elements_"]
    return Struct(tuple(Member(entry["name"], entry["offset"], _read_type(entry["type"])) for entry in members))


def _read_type(raw: Mapping[str, Any] | None) -> Type:
    """A type that the schema has checked, or one of Quadrants, whose pointers may have no type."""
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

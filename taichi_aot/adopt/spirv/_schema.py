"""JSON from outside, parsed and checked against a schema: every value has a place, a type and bounds.

A schema is a checking function, a list of one schema, or a dict of schemas by key, all of them needed and no others
allowed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from ...bundle._container import is_unicode
from ...bundle._files import JSON_BYTES
from ...values._errors import CorruptedDataError

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

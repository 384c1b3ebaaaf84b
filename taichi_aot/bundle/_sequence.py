"""Saved sequences: ``sequence.json`` beside the modules of a bundle, which says what is launched with what.

Arrays are parameters, by name; scalars and matrices are values. Kernels and graphs are those of the modules.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ..values._dtypes import without_ones
from ..values._enums import DataType
from ..values._errors import CorruptedDataError, IncompatibleModuleError
from ..values._signature import MAX_NDIM, Parameter, Signature, usable_names
from ._container import Container
from ._files import DESCRIPTION_BYTES, SEQUENCE
from ._info import ModuleInfo
from ._schema import Check, Schema, boolean, conform, integer, list_of, mapping, mismatch, parse_json, text
from ._sequence_info import FORMAT, NOT_READ, SavedLaunch, SavedUntil, SequenceInfo, Value

__all__ = ["check_sequence", "read_sequence"]

KINDS = ("kernel", "graph", "gradient")
NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}  # which JSON cannot write as numbers

# Reading

_SIZE = integer(0, 2**31 - 1)
_COUNT = integer(1, 2**63 - 1)


def _one_of(*words: str) -> Check:
    def check(value: Any, where: str) -> None:
        if value not in words or not isinstance(value, str):
            raise mismatch(where, " or ".join(map(repr, words)), value)

    return check


def _number(value: Any, where: str) -> None:
    if type(value) in (int, float) or (isinstance(value, str) and value in NOT_FINITE):
        return
    raise mismatch(where, "a number", value)


def _bound(value: Any, where: str) -> None:
    _number(value, where)
    try:
        float(value)
    except OverflowError:
        raise mismatch(where, "a number that fits f64", value) from None


def _value(value: Any, where: str) -> None:
    """Accept a number, or a list of numbers or of rows of them."""
    check: Check = _number
    if isinstance(value, list):
        check = list_of(_number)
        if value and all(isinstance(each, list) for each in cast("Sequence[Any]", value)):
            check = list_of(check)
    check(value, where)


def _format(value: Any, where: str) -> None:
    text(value, where)
    if not re.fullmatch(r"\w{0,20}", value):
        raise mismatch(where, "a format", value)


def _either(key: str, schemas: Mapping[str, Check], default: Check) -> Check:
    """Accept objects by one of several schemas, which the value of `key` chooses."""

    def check(value: Any, where: str) -> None:
        chosen = cast("dict[str, Any]", value).get(key) if isinstance(value, dict) else None
        (schemas.get(chosen, default) if isinstance(chosen, str) else default)(value, where)

    return check


def _argument(value: Any, where: str) -> None:
    key = "array" if isinstance(value, dict) and "array" in value else "value"
    conform(value, {key: text if key == "array" else _value}, where)


def _until(value: Any, where: str) -> None:
    key = "above" if isinstance(value, dict) and "above" in value else "below"
    conform(value, {"array": text, "indices": [_SIZE], key: _bound, "check_every": _COUNT}, where)


_NDIM = integer(0, MAX_NDIM)
_IMAGE = {"name": text, "kind": _one_of("texture", "rw_texture"), "ndim": _NDIM, "format": _format}
_ARRAY = {
    "name": text,
    "kind": _one_of("ndarray"),
    "ndim": _NDIM,
    "dtype": _one_of(*map(str, DataType)),
    "elem_shape": [_SIZE],
    "shape": [_SIZE],
}
_PARAMETER = _either("kind", {"ndarray": mapping(_ARRAY, {"grad": boolean})}, mapping(_IMAGE, {}))
_LAUNCH: Schema = {"kind": _one_of(*KINDS), "name": text, "arguments": [_argument]}
_SEQUENCE: dict[str, Schema] = {"parameters": [_PARAMETER], "launches": [_LAUNCH], "order": [_SIZE]}


def _versioned(value: Any, where: str) -> None:
    number = cast("dict[str, Any]", value).get("format") if isinstance(value, dict) else None
    if type(number) is int and number > FORMAT:
        raise IncompatibleModuleError(
            f"{where} has the format {number}, and this package reads up to {FORMAT}: update taichi-aot"
        )
    if type(number) is int and 0 < number < FORMAT:
        raise IncompatibleModuleError(
            f"{where} has the format {number}, which this version of the package does not read: save the sequence again"
        )
    mapping({"format": integer(FORMAT, FORMAT), **_SEQUENCE}, {"until": _until})(value, where)


def read_sequence(container: Container) -> SequenceInfo:
    """Read the sequence of a bundle that has one.

    Raises
    ------
    CorruptedDataError, IncompatibleModuleError
        If its description is damaged or was written by a newer version of this package, or by an older one in a format
        that is not read any more.
    """
    where = f"{container.where}: {SEQUENCE}"
    raw: dict[str, Any] = parse_json(where, {where: container.read(SEQUENCE)}, _versioned, DESCRIPTION_BYTES)
    info = SequenceInfo(
        tuple(map(_read_parameter, raw["parameters"])),
        tuple(
            SavedLaunch(each["kind"], each["name"], tuple(map(_read_argument, each["arguments"])))
            for each in raw["launches"]
        ),
        tuple(raw["order"]),
        _read_until(raw["until"]) if "until" in raw else None,
    )
    _check_references(info, where)
    return info


def _read_parameter(raw: dict[str, Any]) -> Parameter:
    if raw["kind"] != "ndarray":
        return Parameter(raw["name"], raw["kind"], None, raw["ndim"], format=raw["format"])
    dtype = DataType[raw["dtype"].upper()]
    elem_shape, shape = tuple(raw["elem_shape"]), tuple(raw["shape"])
    return Parameter(
        raw["name"], "ndarray", dtype, raw["ndim"], elem_shape, shape=shape, grad=bool(raw.get("grad", False))
    )


def _read_argument(raw: dict[str, Any]) -> str | Value:
    return str(raw["array"]) if "array" in raw else _read_value(raw["value"])


def _read_value(raw: Any) -> Value:
    if isinstance(raw, str):
        return NOT_FINITE[raw]
    return tuple(map(_read_value, cast("Sequence[Any]", raw))) if isinstance(raw, list) else cast("int | float", raw)


def _read_until(raw: dict[str, Any]) -> SavedUntil:
    is_above = "above" in raw
    bound = _read_value(raw["above" if is_above else "below"])
    assert isinstance(bound, int | float)
    return SavedUntil(raw["array"], tuple(raw["indices"]), bound, is_above, raw["check_every"])


def _check_references(info: SequenceInfo, where: str) -> None:
    """Raise unless all names and numbers refer to something, and sizes fit each other."""
    names = [parameter.name for parameter in info.parameters]
    if not usable_names(names):
        raise CorruptedDataError(f"{where}: its parameters do not have different names of Python: {names!r:.200}")
    for parameter in info.parameters:
        if parameter.kind == "ndarray" and (
            len(parameter.shape) != parameter.ndim or len(parameter.elem_shape) > MAX_NDIM or 0 in parameter.elem_shape
        ):
            raise CorruptedDataError(f"{where}: {parameter.name!r} has sizes that contradict each other: {parameter}")
    if not info.order or any(i >= len(info.launches) for i in info.order):
        raise CorruptedDataError(f"{where}: the order is empty, or has more than its {len(info.launches)} launches")
    used = {each for launch in info.launches for each in launch.arguments if isinstance(each, str)}
    if info.until is not None:
        used.add(info.until.array)
        found = next((each for each in info.parameters if each.name == info.until.array), None)
        if found is not None:
            _check_until(info.until, found, where)
    if used != set(names):
        odd = ", ".join(sorted(map(repr, used ^ set(names))))
        raise CorruptedDataError(f"{where}: these arrays are not parameters, or not used: {odd:.200}")


def _check_until(until: SavedUntil, array: Parameter, where: str) -> None:
    """Raise unless the number is one of the array that was saved, of a dtype that can be compared."""
    if array.kind != "ndarray" or math.isnan(until.bound):
        raise CorruptedDataError(f"{where}: until has no number, or no bound")
    if array.dtype in NOT_READ:
        raise CorruptedDataError(f"{where}: until reads a number of {array.dtype}, which sequences do not compare")
    indices, shape = until.indices, [int(size) for size in array.shape]
    if len(indices) != len(shape) or not all(i < size for i, size in zip(indices, shape, strict=True)):
        raise CorruptedDataError(f"{where}: until reads {until.number}, which {array} does not have")


def check_sequence(info: SequenceInfo, module: ModuleInfo, where: str) -> None:
    """Raise CorruptedDataError unless the module has the kernels and graphs of the sequence, with such parameters."""
    arrays = {parameter.name: parameter for parameter in info.parameters}
    for launch in info.launches:
        signature = _signature_of(launch, module)
        if signature is None or len(signature.parameters) != len(launch.arguments):
            if signature is None:
                problem = "which the module lacks"
            else:
                problem = f"with {len(launch.arguments)} arguments; it takes {len(signature.parameters)}"
            raise CorruptedDataError(f"{where}: {SEQUENCE} has a launch of {str(launch)!r}, {problem}")
        for own, argument in zip(signature.parameters, launch.arguments, strict=True):
            if not _takes(own, arrays[argument] if isinstance(argument, str) else argument):
                raise CorruptedDataError(
                    f"{where}: {SEQUENCE} has a launch of {str(launch)!r} with another argument than {own}"
                )


def _signature_of(launch: SavedLaunch, module: ModuleInfo) -> Signature | None:
    if launch.kind == "graph":
        return module.graphs[launch.name].signature if launch.name in module.graphs else None
    kernel = module.kernels.get(launch.name)
    if kernel is None or (launch.kind == "gradient" and not kernel.grad):
        return None
    return kernel.signature


def _takes(own: Parameter, given: Parameter | Value) -> bool:
    """Whether a parameter takes an array, or has a value at all; binding checks the value."""
    is_object = own.kind in ("ndarray", "texture", "rw_texture")
    if not isinstance(given, Parameter):
        return not is_object
    if own.kind != "ndarray" or given.kind != "ndarray":
        return is_object and own.kind != "ndarray" and given.kind != "ndarray" and own.ndim == given.ndim
    same_numbers = own.dtype is given.dtype and own.ndim == given.ndim
    return same_numbers and without_ones(own.elem_shape) == without_ones(given.elem_shape)

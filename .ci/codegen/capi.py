"""``taichi_aot/capi.pyi``, which describes the functions that `capi` makes to type checkers, from the headers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from build_ffi import BY_HAND, read_declarations, signature

from .stub import declared, has_members, name_of, read_type

if TYPE_CHECKING:
    from taichi_aot._cdata import CType

HANDLES = ("TiAotModule", "TiComputeGraph", "TiImage", "TiKernel", "TiMemory", "TiRuntime", "TiSampler")
HEADER = """\
# Made at build time from include/taichi by .ci/codegen. Do not edit.

from collections.abc import Sequence
from enum import IntEnum, IntFlag
from typing import Any, TypeAlias

from typing_extensions import Buffer

from . import _capi
from ._cdata import CData
from .handles import _registry

TI_FALSE: int
TI_TRUE: int
TI_NULL_HANDLE: int
TI_C_API_VERSION: int
ffi: _capi.FFI
__all__: list[str]

def get_version() -> int: ...
def get_last_error() -> str: ...
def set_last_error(error: int, message: str | None) -> None: ...
def get_available_archs(archs: None = None) -> tuple[list[int], list[TiArch]]: ...
def get_runtime_capabilities(runtime: TiRuntime | _capi.TiRuntime) -> list[TiCapabilityLevelInfo]: ...
"""


def make_stub() -> str:
    """Return the text of the stub."""
    return "\n".join([HEADER, *_handles(), *_types(), *_functions(), ""])


def _handles() -> Iterator[str]:
    yield from (f"{name}: TypeAlias = _registry.{name}" for name in HANDLES)


def _types() -> Iterator[str]:
    """Yield the enumerations with their constants, and the structures."""
    for name in declared.list_types()[0]:
        kind = declared.typeof(name)
        if not name.startswith("Ti") or name in HANDLES:
            continue
        if kind.kind == "enum":
            members = {each: value for each, value in kind.relements.items() if not each.endswith("_MAX_ENUM")}
            yield f"class {name}({'IntFlag' if name.endswith('Bits') else 'IntEnum'}):"
            yield from (f"    {each} = {value}" for each, value in members.items())
            yield from (f"{each} = {name}.{each}" for each in members)
        elif has_members(kind):
            yield f"class {name}(_capi.{name}_p):"
            members = [f"{each}: {_accepted(field.type)} | None = None" for each, field in kind.fields]
            yield f"    def __init__(self, {', '.join(members)}) -> None: ..."
        else:
            yield f"{name}: TypeAlias = int"


def _functions() -> Iterator[str]:
    for prototype in read_declarations()[1]:
        if prototype.name not in BY_HAND:
            result, parameters = signature(prototype)
            given = ", ".join(f"{name}: {_parameter(kind)}" for kind, name in parameters)
            yield f"def {prototype.name.removeprefix('ti_')}({given}) -> {_result(result)}: ..."


def _parameter(kind: str) -> str:
    if kind in HANDLES:
        return f"{kind} | _capi.{kind}"
    if kind == "void[]":
        return "Buffer"
    return _accepted(declared.typeof(kind))


def _accepted(kind: CType) -> str:
    """Return the types that a parameter or a member of this type takes."""
    if kind in (handles := {declared.typeof(name): name for name in HANDLES}):
        return f"{handles[kind]} | _capi.{handles[kind]} | int"
    if kind.kind == "array":
        return f"Sequence[{_accepted(kind.item)}] | CData"
    if kind.kind in ("struct", "union"):
        return "CData | dict[str, Any] | Sequence[Any]"
    if kind.kind == "pointer" and has_members(kind.item):
        return f"_capi.{name_of(kind.item)}_p"
    if kind.kind in ("pointer", "function"):
        return "str | bytes | CData" if kind.cname == "char *" else "int | CData"
    return read_type(kind)


def _result(kind: str) -> str:
    return {"void": "None", "void *": "int"}.get(kind, kind.removesuffix(" *"))

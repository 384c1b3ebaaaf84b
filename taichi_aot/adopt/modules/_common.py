"""Common facts of one source's modules for several archs, and differences where there should be none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, TypeVar

from ...bundle._info import GraphInfo, KernelInfo, ModuleInfo
from ...values._enums import Arch
from ...values._errors import InvalidArgumentError
from ...values._signature import Parameter

Item = TypeVar("Item", KernelInfo, GraphInfo)

SHOWN = 300  # characters of what differs
# The facts of modules and of kernels that archs may not agree on, each with its value then; and those that the module
# of one arch has, with their values without it.
AGREED: dict[str, Any] = {"version": None, "field_trees": (), "tree_sizes": ()}
AGREED_OF_KERNELS: dict[str, Any] = {
    "tasks": (),
    "repeats": (),
    "cpu_threads": None,
    "field_trees": (),
    "checked": True,  # on some archs
    "return_dtype": None,
}
OF_ONE: dict[str, Any] = {"native_targets": (), "not_native": {}, "ptx_targets": (), "not_ptx": {}}


def require_equal(difference: str) -> None:
    """Raise ValueError if modules differ; `difference` says how, and is empty if they do not."""
    if difference:
        raise InvalidArgumentError(f"the modules differ: {difference}")


def difference_of_kernels(infos: Mapping[Arch, ModuleInfo]) -> str:
    """How the kernels and graphs of modules differ, apart from the names of parameters; empty if they do not."""
    (a, first), *others = infos.items()
    differences = (
        compare("kernel", a, _types(first.kernels), b, _types(other.kernels))
        or compare("graph", a, _types(first.graphs), b, _types(other.graphs))
        for b, other in others
    )
    return next(filter(None, differences), "")


def difference_of_fields(infos: Mapping[Arch, ModuleInfo]) -> str:
    """How the fields of described modules differ; empty if they do not."""
    (a, first), *others = infos.items()
    differences = (
        compare("field", a, _named_fields(first, other), b, _named_fields(other, first)) for b, other in others
    )
    return next(filter(None, differences), "")


def compare(what: str, a: Arch, mine: Mapping[str, object], b: Arch, theirs: Mapping[str, object]) -> str:
    """How the items of two modules differ; empty if they do not."""
    for name in {**mine, **theirs}:
        if name not in theirs or name not in mine:
            present, absent = (a, b) if name in mine else (b, a)
            return f"{what} {name!r} is in the module for {present} and not in that for {absent}"
        if mine[name] != theirs[name]:
            ours, others = (str(value)[:SHOWN] for value in (mine[name], theirs[name]))
            return f"{what} {name!r} is {ours} for {a} and {others} for {b}"
    return ""


def _types(items: Mapping[str, Item]) -> dict[str, str]:
    """The parameters and return values of kernels or graphs, as modules of all archs state them."""
    return {
        name: f"({', '.join(map(_type, item.signature.parameters))}) -> ({', '.join(item.signature.returns)})"
        for name, item in items.items()
    }


def _type(parameter: Parameter) -> str:
    elem_shape = parameter.elem_shape
    if parameter.kind == "matrix" and len(elem_shape) == 2 and elem_shape[0] == 1:
        elem_shape = elem_shape[1:]  # LLVM modules do not tell a vector from a matrix of one row
    elif elem_shape == (1,):
        elem_shape = ()  # a vector of one number has the bytes of the number
    return parameter._replace(format="", elem_shape=elem_shape).type_name


def _named_fields(info: ModuleInfo, other: ModuleInfo) -> dict[str, str]:
    """The fields of a module that another one should have too: LLVM modules do not state their names."""
    named = [field for field in info.fields if field.dtype is not None]
    has_memory = info.has_fields or not other.has_fields
    return {field.name: str(field) for field in named} if has_memory else {}


def common_info(modules: Mapping[Arch, ModuleInfo]) -> ModuleInfo:
    """What modules have in common: what differs between them is left empty, and is in `ModuleInfo.modules`."""
    infos = list(modules.values())
    return replace(
        infos[0],
        family="bundle",
        archs=tuple(modules),
        kernels=_common_kernels([info.kernels for info in infos]),
        all_kernels=_common_kernels([info.all_kernels for info in infos]),
        has_fields=any(info.has_fields for info in infos),
        spirv_version=max(info.spirv_version for info in infos),
        spirv_capabilities=frozenset[int]().union(*(info.spirv_capabilities for info in infos)),
        modules=dict(modules),
        **{key: _agreed(infos, key, other) for key, other in AGREED.items()},
        **{key: next((each for each in map(attrgetter(key), infos) if each), no) for key, no in OF_ONE.items()},
    )


def _agreed(items: Sequence[ModuleInfo | KernelInfo], key: str, other: Any) -> Any:
    """An attribute if it is equal for all, else the other value."""
    value = getattr(items[0], key)
    return value if all(getattr(item, key) == value for item in items) else other


def _common_kernels(all_kernels: Sequence[Mapping[str, KernelInfo]]) -> dict[str, KernelInfo]:
    common = {name: [kernels[name] for kernels in all_kernels if name in kernels] for name in all_kernels[0]}
    return {
        name: replace(kernels[0], **{key: _agreed(kernels, key, other) for key, other in AGREED_OF_KERNELS.items()})
        for name, kernels in common.items()
        if len(kernels) == len(all_kernels)
    }

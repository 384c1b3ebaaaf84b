"""Common facts of one source's modules for several archs, and differences where there should be none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from ...bundle._info import GraphInfo, KernelInfo, ModuleInfo
from ...values._enums import Arch
from ...values._errors import InvalidArgumentError
from ...values._signature import Parameter

Item = TypeVar("Item", KernelInfo, GraphInfo)
Value = TypeVar("Value")

SHOWN = 300  # characters of what differs


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
    first = next(iter(modules.values()))
    infos = list(modules.values())
    return replace(
        first,
        family="bundle",
        archs=tuple(modules),
        version=_agreed([info.version for info in infos], None),
        kernels=_common_kernels([info.kernels for info in infos]),
        all_kernels=_common_kernels([info.all_kernels for info in infos]),
        has_fields=any(info.has_fields for info in infos),
        field_trees=_agreed([info.field_trees for info in infos], ()),
        tree_sizes=_agreed([info.tree_sizes for info in infos], ()),
        spirv_version=max(info.spirv_version for info in infos),
        spirv_capabilities=frozenset[int]().union(*(info.spirv_capabilities for info in infos)),
        native_targets=next((info.native_targets for info in infos if info.native_targets), ()),
        not_native=next((info.not_native for info in infos if info.not_native), first.not_native),
        ptx_targets=next((info.ptx_targets for info in infos if info.ptx_targets), ()),
        not_ptx=next((info.not_ptx for info in infos if info.not_ptx), first.not_ptx),
        modules=dict(modules),
    )


def _agreed(values: Sequence[Value], other: Value) -> Value:
    """The value if all are equal, else the other one."""
    return values[0] if all(value == values[0] for value in values) else other


def _common_kernels(all_kernels: Sequence[Mapping[str, KernelInfo]]) -> dict[str, KernelInfo]:
    return {
        name: replace(
            kernel,
            tasks=_agreed([kernels[name].tasks for kernels in all_kernels], ()),
            repeats=_agreed([kernels[name].repeats for kernels in all_kernels], ()),
            cpu_threads=_agreed([kernels[name].cpu_threads for kernels in all_kernels], None),
            field_trees=_agreed([kernels[name].field_trees for kernels in all_kernels], ()),
            checked=_agreed([kernels[name].checked for kernels in all_kernels], True),  # on some archs
            return_dtype=_agreed([kernels[name].return_dtype for kernels in all_kernels], None),
        )
        for name, kernel in all_kernels[0].items()
        if all(name in kernels for kernels in all_kernels)
    }

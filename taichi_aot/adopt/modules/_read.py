"""Reading modules and bundles of any origin, and what the modules of one source for several archs have in common.

It needs neither `taichi` nor the C library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from ...bundle._bundle import read_files, read_modules
from ...bundle._info import Device, GraphInfo, KernelInfo, ModuleInfo
from ...bundle._plan import Plan, parse_plan
from ...bundle._source import PLAN, Source, SourceFiles, exactly
from ...values._enums import Arch, ArchName, arch_of
from ...values._errors import InvalidArgumentError
from ...values._signature import Parameter
from ._module import parse_module
from ._plan_of import plan_of

Item = TypeVar("Item", KernelInfo, GraphInfo)

SHOWN = 300  # characters of what differs
# The facts of modules and of kernels that archs may not agree on, each with its value then.
AGREED: dict[str, Any] = {"taichi": "", "field_trees": (), "tree_sizes": ()}
AGREED_OF_KERNELS: dict[str, Any] = {
    "tasks": (),
    "repeats": (),
    "cpu_threads": None,
    "field_trees": (),
    "checked": True,  # on some archs
    "result": None,
}


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
    capabilities = frozenset[int]().union(*(info.spirv_capabilities for info in infos))
    return infos[0]._replace(
        family="bundle",
        archs=tuple(modules),
        kernels=_common_kernels([info.kernels for info in infos]),
        all_kernels=_common_kernels([info.all_kernels for info in infos]),
        has_fields=any(info.has_fields for info in infos),
        device=Device.of(max(info.spirv_version for info in infos), capabilities),
        code=None,
        ptx=None,
        modules=dict(modules),
        **{key: _agreed(infos, key, other) for key, other in AGREED.items()},
    )


def _agreed(items: Sequence[ModuleInfo | KernelInfo], key: str, other: Any) -> Any:
    """An attribute if it is equal for all, else the other value."""
    value = getattr(items[0], key)
    return value if all(getattr(item, key) == value for item in items) else other


def _common_kernels(all_kernels: Sequence[Mapping[str, KernelInfo]]) -> dict[str, KernelInfo]:
    common = {name: [kernels[name] for kernels in all_kernels if name in kernels] for name in all_kernels[0]}
    return {
        name: kernels[0]._replace(**{key: _agreed(kernels, key, other) for key, other in AGREED_OF_KERNELS.items()})
        for name, kernels in common.items()
        if len(kernels) == len(all_kernels)
    }


def adopt(files: SourceFiles) -> Plan:
    """Make the plan of a module of Taichi's own, whose files are checked."""
    return plan_of(parse_module(files))


def read_plan(source: Source, arch: Arch | None = None) -> Plan:
    """Read the plan of a module; of a bundle's module for `arch`, or its first."""
    files = read_files(source, exactly(arch) if arch else lambda _, archs: archs[0])
    return parse_plan(files) if PLAN in files.contents else adopt(files)


def inspect(source: Source, arch: Arch | ArchName | None = None) -> ModuleInfo:
    """Read the contents of a module or bundle, without a runtime and without the C library; ``print`` them to see them.

    All information comes from the files. `ModuleInfo.to_dict` converts it for JSON.

    Parameters
    ----------
    source : path or bytes-like
        A folder, a ``.tcm`` archive, a bundle (``.tib``), or the bytes of an archive or bundle: ``bytes``,
        ``bytearray``, ``memoryview``, ``mmap``, ``array.array`` or another buffer. ``bytes`` that do not begin like a
        ZIP archive and do not contain a null byte are a path, as returned by ``os.fsencode``.
    arch : Arch or str, optional
        Whose module of a bundle is read. By default all are: kernels, graphs and fields are those that they have in
        common, and `ModuleInfo.modules` has the rest.

    Returns
    -------
    ModuleInfo

    Raises
    ------
    FileNotFoundError
        If the path does not exist.
    TypeError
        If `source` is neither a path nor bytes.
    ValueError
        If there is no arch of that name.
    CorruptedDataError
        If it is damaged or is not a module.
    IncompatibleModuleError
        If it was compiled by another version of Taichi, or not for `arch`.

    Examples
    --------
    >>> inspect("saxpy.tcm").version
    (1, 7, 4)
    """
    wanted = arch_of(arch)
    files = read_modules(source, wanted)
    infos = [parse_plan(each).contents() if PLAN in each.contents else parse_module(each).info for each in files]
    files[0].require(infos[0].archs, wanted)
    if wanted or not files[0].arch:
        return infos[0]
    return common_info({each.arch: info for each, info in zip(files, infos, strict=True) if each.arch})

"""Bundles (``.tib``): one archive with a source's modules for several archs, and their common description.

``bundle.json`` is the description as `description` has it, and under ``"archs"`` the archive of each arch with its
digest.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

from ..values._enums import Arch
from ..values._errors import CorruptedDataError
from ..values._signature import Parameter
from ._container import Container, is_bundle, is_module_file, open_source, pack_reproducible
from ._description import (
    Description,
    GraphDescription,
    KernelDescription,
    ParameterDescription,
    apply,
    describe,
    parse_description,
    parse_with,
    to_json,
)
from ._info import GraphInfo, KernelInfo, ModuleInfo
from ._modules import DESCRIPTION, LLVM_METADATA, Source, SourceFiles, exactly, parse_module, stated_archs
from ._schema import Schema, conform, mismatch, text

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Bundle", "inspect_all", "make_bundle", "make_module", "read_archives", "read_bundle"]

Item = TypeVar("Item", KernelInfo, GraphInfo)
Value = TypeVar("Value")

SHOWN = 300  # characters of what differs
NAMES = {str(arch): arch for arch in Arch}


class Entry(NamedTuple):
    """The archive of an arch: its name in the bundle, and its SHA-256 in hexadecimal digits."""

    file: str
    sha256: str


class Bundle(NamedTuple):
    """An open bundle: its container, its description, and the archive of each arch."""

    container: Container
    description: Description
    entries: dict[Arch, Entry]

    def read(self, arch: Arch) -> SourceFiles:
        """The files of the module for an arch, and of no other.

        Raises
        ------
        CorruptedDataError
            If its archive is missing or damaged, or if its description is not that of the bundle.
        """
        entry, where = self.entries[arch], self.container.where
        if entry.file not in self.container.names:
            raise CorruptedDataError(f"{where}: the archive {entry.file!r} is missing")
        data = self.container.read(entry.file)
        if hashlib.sha256(data).hexdigest() != entry.sha256:
            raise CorruptedDataError(f"{where}: {entry.file!r} has another digest than {DESCRIPTION} states")
        with open_source(bytearray(data)) as inner:
            files = SourceFiles(f"{where} ({arch})", inner.read_module(), arch, self.description)
        if parse_description(files.where, files.contents.get(DESCRIPTION, b"")) != self.description:
            raise CorruptedDataError(f"{files.where} has another {DESCRIPTION} than the bundle")
        return files


def read_bundle(container: Container) -> Bundle:
    """Read what a bundle states of its modules, without a look at them.

    Raises
    ------
    CorruptedDataError, IncompatibleModuleError
        If its description is damaged or was written by a newer version of this package.
    """
    where = container.where
    description, raw = parse_with(where, container.read(DESCRIPTION), {"archs": _archs})
    return Bundle(container, description, {NAMES[name]: Entry(**entry) for name, entry in raw["archs"].items()})


def _archs(value: Any, where: str) -> None:
    if not isinstance(value, dict) or not value or not value.keys() <= NAMES.keys():
        raise mismatch(where, f"an object with some of the keys {', '.join(NAMES)}", value)
    entry: Schema = {"file": _file, "sha256": _digest}
    for name, part in cast("dict[str, Any]", value).items():
        conform(part, entry, f"{where}.{name}")


def _file(value: Any, where: str) -> None:
    text(value, where)
    if not re.fullmatch(r"\w{1,40}\.tcm", value):
        raise mismatch(where, "the name of a .tcm archive", value)


def _digest(value: Any, where: str) -> None:
    text(value, where)
    if not re.fullmatch("[0-9a-f]{64}", value):
        raise mismatch(where, "a SHA-256 digest", value)


# Making


def make_module(files: Mapping[str, bytes], description: Description) -> bytes:
    """The archive (``.tcm``) of a module, with its description; the same files give the same bytes.

    What differs between two compilations of one source is left out: dates, the order of files, the times at which LLVM
    modules were compiled, and numbers that the compiler leaves uninitialized.

    Parameters
    ----------
    files : mapping of str to bytes
        Taichi's own files by name; others are left out.
    description : Description
        Of the source.

    Raises
    ------
    CorruptedDataError
        If the files are not a sound module, or if the description contradicts it.
    """
    where = "the module"
    own = {name: data for name, data in files.items() if is_module_file(name) and name != DESCRIPTION}
    parse_module(SourceFiles(where, {**own, DESCRIPTION: description.to_json()}))
    if LLVM_METADATA in own:
        from . import _llvm as llvm

        own = llvm.without_traces(where, own)
    else:
        from . import _gfx as gfx

        own = gfx.without_traces(own)
    return pack_reproducible({**own, DESCRIPTION: description.to_json()})


def read_archives(source: Source, arch: Arch | None = None) -> dict[Arch, bytes]:
    """The archives of a bundle by arch, or that of a module, to be joined by `make_bundle`.

    Parameters
    ----------
    source : path or bytes-like
        The module or bundle.
    arch : Arch, optional
        Arch of a module, or the one that is taken from a bundle. By default that of the code of an LLVM module, Vulkan
        for SPIR-V modules, which do not state it, and all archs of a bundle.

    Raises
    ------
    ValueError
        If the module has no code that shows its arch.
    CorruptedDataError, IncompatibleModuleError
        If the source is damaged, is not a module, or is not for `arch`.
    """
    with open_source(source) as container:
        if is_bundle(container):
            bundle = read_bundle(container)
            archs = tuple(bundle.entries) if arch is None else (exactly(arch)(container.where, tuple(bundle.entries)),)
            return {each: _checked(bundle.read(each)) for each in archs}
        files = SourceFiles(container.where, container.read_module())
    if arch is None:
        archs = stated_archs(files)
        if len(archs) > 1 and Arch.VULKAN not in archs:
            raise ValueError(f"{files.where} has no code that shows its arch: state it")
        arch = Arch.VULKAN if Arch.VULKAN in archs else next(iter(archs))
    return {arch: _checked(files)}


def _checked(files: SourceFiles) -> bytes:
    """The archive of a module, which is parsed so that errors name its source."""
    parse_module(files)
    return pack_reproducible(files.contents)


class _Module(NamedTuple):
    """A module to join: its files without its description, what they state, and its description if it has one."""

    files: dict[str, bytes]
    info: ModuleInfo
    description: Description | None


def make_bundle(modules: Mapping[Arch, Buffer]) -> bytes:
    """Join the modules of one source for several archs into a bundle (``.tib``).

    A module without a description (from Taichi itself) gets that of another one. If none has one, they get one with
    the names that the SPIR-V module states, if there is one. What one states of the access to arrays is given to all.

    Parameters
    ----------
    modules : mapping of Arch to bytes-like
        The archive of each arch.

    Returns
    -------
    bytes
        The same modules give the same bytes.

    Raises
    ------
    ValueError
        If there are no modules, one was compiled for another arch, or their kernels, graphs, fields or descriptions
        differ; the message says which and how.
    CorruptedDataError, IncompatibleModuleError
        If one is damaged, or was compiled by another version of Taichi.
    """
    if not modules:
        raise ValueError("a bundle needs at least one module")
    read = {Arch(arch): _read(Arch(arch), modules[arch]) for arch in sorted(modules, key=str)}
    _require_equal(_difference_of_kernels({arch: module.info for arch, module in read.items()}))
    description = _with_access(_common_description(read), read)
    described = {arch: apply(module.info, description, _where(arch)) for arch, module in read.items()}
    _require_equal(_difference_of_fields(described))
    archives = {f"{arch}.tcm": make_module(module.files, description) for arch, module in read.items()}
    archs = {
        str(arch): {"file": name, "sha256": hashlib.sha256(data).hexdigest()}
        for arch, (name, data) in zip(read, archives.items(), strict=True)
    }
    contents = {DESCRIPTION: to_json({**description.to_dict(), "archs": archs}), **archives}
    return pack_reproducible(contents, stored=True)


def _where(arch: Arch) -> str:
    return f"the module for {arch}"


def _read(arch: Arch, source: Buffer) -> _Module:
    with open_source(bytearray(source)) as container:
        files = container.read_module()
    data = files.pop(DESCRIPTION, None)
    info = parse_module(SourceFiles(_where(arch), files)).info
    if info.archs and arch not in info.archs:
        raise ValueError(f"{_where(arch)} was compiled for {' or '.join(map(str, info.archs))}")
    return _Module(files, info, None if data is None else parse_description(_where(arch), data))


def _common_description(modules: Mapping[Arch, _Module]) -> Description:
    """The description that modules have, or else one of what they state."""
    given = {arch: module.description for arch, module in modules.items() if module.description is not None}
    if not given:
        infos = [module.info for module in modules.values()]
        return describe(next((info for info in infos if info.family == "gfx"), infos[0]))
    first, *others = given
    for other in others:
        _require_equal(_difference_of_descriptions(first, given[first], other, given[other]))
    return given[first]


def _with_access(description: Description, modules: Mapping[Arch, _Module]) -> Description:
    """The description with the access to arrays that any module or its description states."""
    kernels: Accesses = {}
    graphs: Accesses = {}
    for module in modules.values():
        for stated in filter(None, (describe(module.info), module.description)):
            _add_accesses(kernels, stated.kernels)
            _add_accesses(graphs, stated.graphs)
    return replace(
        description,
        kernels=tuple(k._replace(parameters=_accessed(kernels, k)) for k in description.kernels),
        graphs=tuple(g._replace(parameters=_accessed(graphs, g)) for g in description.graphs),
    )


Accesses: TypeAlias = dict[tuple[str, int], set[str]]  # by name of the kernel or graph and number of the parameter


def _add_accesses(found: Accesses, items: Iterable[KernelDescription | GraphDescription]) -> None:
    for item in items:
        for i, parameter in enumerate(item.parameters):
            found.setdefault((item.name, i), set()).update(parameter.access)


def _accessed(found: Accesses, item: KernelDescription | GraphDescription) -> tuple[ParameterDescription, ...]:
    return tuple(
        parameter._replace(access="".join(sorted(found.get((item.name, i), ()))))
        for i, parameter in enumerate(item.parameters)
    )


# Comparing


def _require_equal(difference: str) -> None:
    if difference:
        raise ValueError(f"the modules differ: {difference}")


def _difference_of_kernels(infos: Mapping[Arch, ModuleInfo]) -> str:
    """How the kernels and graphs of modules differ, apart from the names of parameters; empty if they do not."""
    (a, first), *others = infos.items()
    for b, other in others:
        difference = _compare("kernel", a, _types(first.kernels), b, _types(other.kernels)) or _compare(
            "graph", a, _types(first.graphs), b, _types(other.graphs)
        )
        if difference:
            return difference
    return ""


def _difference_of_fields(infos: Mapping[Arch, ModuleInfo]) -> str:
    """How the fields of described modules differ; empty if they do not."""
    (a, first), *others = infos.items()
    for b, other in others:
        difference = _compare("field", a, _named_fields(first, other), b, _named_fields(other, first))
        if difference:
            return difference
    return ""


def _difference_of_descriptions(a: Arch, first: Description, b: Arch, second: Description) -> str:
    """How two descriptions differ, apart from access to arrays; empty if they do not."""
    mine, theirs = _items(_with_access(first, {})), _items(_with_access(second, {}))
    for what, items in mine.items():
        difference = _compare(what, a, dict.fromkeys(items), b, dict.fromkeys(theirs[what]))
        for name in () if difference else items:
            difference = difference or _compare(f"{what} {name!r}, its", a, items[name], b, theirs[what][name])
        if difference:
            return difference
    return _compare("the", a, _origin(first), b, _origin(second))


def _items(description: Description) -> dict[str, dict[str, dict[str, Any]]]:
    """The attributes of the kernels, graphs and fields of a description, by name."""
    return {
        "kernel": {kernel.name: kernel._asdict() for kernel in description.kernels},
        "graph": {graph.name: graph._asdict() for graph in description.graphs},
        "field": {field.name: field._asdict() for field in description.fields},
    }


def _origin(description: Description) -> dict[str, str]:
    return {
        "Taichi version": description.taichi,
        "source file": description.source_file,
        "digest of the source": description.source_sha256,
    }


def _compare(what: str, a: Arch, mine: Mapping[str, object], b: Arch, theirs: Mapping[str, object]) -> str:
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


# Reading all of it


def inspect_all(bundle: Bundle) -> ModuleInfo:
    """What the modules of a bundle have in common: what differs between them is left empty, and is in `modules`.

    Raises
    ------
    CorruptedDataError, IncompatibleModuleError
        If a module is damaged, or if their kernels differ.
    """
    modules = {arch: parse_module(bundle.read(arch)).info for arch in bundle.entries}
    difference = _difference_of_kernels(modules) or _difference_of_fields(modules)
    if difference:
        raise CorruptedDataError(f"{bundle.container.where}: the modules differ: {difference}")
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
        root_buffer_size=_agreed([info.root_buffer_size for info in infos], 0),
        spirv_version=max(info.spirv_version for info in infos),
        spirv_capabilities=frozenset[int]().union(*(info.spirv_capabilities for info in infos)),
        modules=modules,
    )


def _agreed(values: Sequence[Value], other: Value) -> Value:
    """The value if all are equal, else the other one."""
    return values[0] if all(value == values[0] for value in values) else other


def _common_kernels(all_kernels: Sequence[Mapping[str, KernelInfo]]) -> dict[str, KernelInfo]:
    return {
        name: replace(
            kernel,
            tasks=_agreed([kernels[name].tasks for kernels in all_kernels], ()),
            cpu_threads=_agreed([kernels[name].cpu_threads for kernels in all_kernels], None),
            field_trees=_agreed([kernels[name].field_trees for kernels in all_kernels], ()),
            result=_agreed([kernels[name].result for kernels in all_kernels], None),
        )
        for name, kernel in all_kernels[0].items()
        if all(name in kernels for kernels in all_kernels)
    }

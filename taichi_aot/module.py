"""AotModule: a loaded module, its kernels, its compute graphs and its fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from ._handles.module import ModuleHandle
from ._handles.resource import OwnedResource
from ._modules.loading import fetch
from .errors import NameNotFoundError, NotSupportedError
from .field import Field
from .kernel import ComputeGraph, Kernel
from .signature import StatedShape
from .wording import describe, short

if TYPE_CHECKING:
    from ._handles.resource import Runtime
    from .formats.info import FieldInfo, ModuleInfo

__all__ = ["AotModule", "Names", "Shapes"]

Item = TypeVar("Item")
Names: TypeAlias = Mapping[str, Sequence[str]]
Shapes: TypeAlias = Mapping[str, Mapping[str, StatedShape]]


class AotModule(OwnedResource):
    """A loaded module, created by `Runtime.load_module` or `load`.

    Examples
    --------
    >>> module = rt.load_module("saxpy.tcm")
    >>> "saxpy" in module.kernels
    True
    >>> list(module.graphs)
    ['both', 'twice']
    >>> module.close()
    """

    __slots__ = ("_fields", "_graphs", "_handle", "_info", "_kernels", "_owns_runtime")

    def __init__(
        self,
        runtime: Runtime,
        handle: ModuleHandle,
        info: ModuleInfo,
        names: Names | None = None,
        shapes: Shapes | None = None,
        *,
        owns_runtime: bool = False,
    ) -> None:
        self._initialize_once("_info")
        self._owns_runtime = owns_runtime
        self._runtime = runtime
        self._handle = handle
        info = _with_names(info, names) if names else info
        info = _with_graph_shapes(_with_shapes(info, shapes) if shapes else info)
        kernels = {name: kernel.signature for name, kernel in info.kernels.items()}
        graphs = {name: graph.signature for name, graph in info.graphs.items()}
        self._kernels = _Items("kernel", kernels, partial(_make_kernel, handle, info))
        self._graphs = _Items("graph", graphs, partial(_make_graph, handle, info))
        self._fields = Fields(info.fields, partial(_make_field, runtime, handle, info))
        self._info = info

    @property
    def kernels(self) -> Mapping[str, Kernel]:
        """Kernels by name. An unknown name raises NameNotFoundError, a KeyError that lists the known names."""
        return self._kernels

    @property
    def graphs(self) -> Mapping[str, ComputeGraph]:
        """Compute graphs by name; unknown names raise NameNotFoundError."""
        return self._graphs

    @property
    def fields(self) -> Fields:
        """Fields that were built with accessors, by name; those of a struct field by ``"name.member"``.

        They are attributes too: ``module.fields.v``, ``module.fields.name.member``. Unknown names raise
        NameNotFoundError. A field of `info` that has no accessors raises NotSupportedError.
        """
        return self._fields

    @property
    def info(self) -> ModuleInfo:
        """The contents of the module, as `inspect` reads them from its files."""
        return self._info

    @property
    def closed(self) -> bool:
        return self._handle.closed

    def close(self) -> None:
        """Close the module; launches of its kernels and graphs then raise ValueError. Closing it again does nothing.

        The library's module stays loaded until the runtime is closed, and is reused if the same files are loaded again:
        the library does not free most of the memory of a destroyed module (on Vulkan none of it).

        A module that `load` has made a runtime for closes that runtime too, and with it all memory of it.
        """
        self._handle.close()
        if self._owns_runtime:
            self._runtime.close()

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}AotModule kernels={list(self.kernels)} graphs={list(self.graphs)}>"


def _make_kernel(handle: ModuleHandle, info: ModuleInfo, name: str) -> Kernel:
    kernel = info.kernels.get(name) or info.all_kernels[name]  # accessors of fields are in the latter alone
    return Kernel._make(kernel.signature, handle, fetch(handle, name, graph=False), kernel.result)


def _make_graph(handle: ModuleHandle, info: ModuleInfo, name: str) -> ComputeGraph:
    return ComputeGraph._make(info.graphs[name].signature, handle, fetch(handle, name, graph=True), None)


def _make_field(runtime: Runtime, handle: ModuleHandle, info: ModuleInfo, name: str) -> Field:
    field = next(field for field in info.fields if field.name == name)
    return Field._make(
        runtime, handle, field, _make_kernel(handle, info, field.get), _make_kernel(handle, info, field.set)
    )


class _Items(Mapping[str, Item], Generic[Item]):
    """Kernels, graphs or fields by name, made on first access.

    Parameters
    ----------
    what : str
        What messages call an item.
    stated : mapping of str
        What the module states of each, in its text.
    make : callable
        Makes an item of a name in `stated`.
    """

    def __init__(self, what: str, stated: Mapping[str, object], make: Callable[[str], Item]) -> None:
        self._what = what
        self._stated = stated
        self._make = make
        self._made: dict[str, Item] = {}

    def __getitem__(self, name: str) -> Item:
        item = self._made.get(name)
        if item is None:
            if name not in self._stated:
                raise NameNotFoundError(self._unknown(name))
            item = self._made.setdefault(name, self._make(name))
        return item

    def _unknown(self, name: object) -> str:
        import difflib

        known = ", ".join(map(repr, self._stated)) or "none"
        near = difflib.get_close_matches(name[:200] if type(name) is str else "", self._stated, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        return f"the module has no {self._what} {short(name)}, it has {known}{hint}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._stated)

    def __len__(self) -> int:
        return len(self._stated)

    def __contains__(self, name: object) -> bool:
        return name in self._stated

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{name!r}: {stated}' for name, stated in self._stated.items())}}}"


class Fields(_Items[Field]):
    """The fields of a module that have accessors, by name and by attribute."""

    def __init__(self, fields: Sequence[FieldInfo], make: Callable[[str], Field]) -> None:
        super().__init__("field", {field.name: field for field in fields if field.get and field.set}, make)
        self._without = {field.name for field in fields} - self._stated.keys()

    def __getitem__(self, name: str) -> Field:
        if name in self._without:
            raise NotSupportedError(
                f"field {name!r} has no accessors, so only kernels can use it: the module was not built by "
                "`taichi-aot build`, which makes them, or the field is too large for an array"
            )
        return super().__getitem__(name)

    def __getattr__(self, name: str) -> Any:  # a Field, or the members of a struct field
        if name in self._stated:
            return self[name]
        return _Members(self, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name.partition(".")[0] for name in self._stated)]


class _Members:
    """The members of a struct field, as attributes."""

    def __init__(self, fields: Fields, prefix: str) -> None:
        if not any(name.startswith(f"{prefix}.") for name in fields):
            raise AttributeError(fields._unknown(prefix))
        self._fields = fields
        self._prefix = prefix

    def __getattr__(self, name: str) -> Any:  # a Field, or the members of a struct field
        return getattr(self._fields, f"{self._prefix}.{name}")

    def __dir__(self) -> list[str]:
        begin = len(self._prefix) + 1
        return sorted({name[begin:].partition(".")[0] for name in self._fields if name.startswith(f"{self._prefix}.")})


def _with_names(info: ModuleInfo, names: Names) -> ModuleInfo:
    """The module's information with the given parameter names."""
    from dataclasses import replace  # takes as long to import as all of this room

    if not isinstance(names, Mapping):
        raise TypeError(f"names must be a mapping of kernels to parameter names, not {type(names).__qualname__}")
    kernels = dict(info.kernels)
    for kernel, given in names.items():
        if kernel not in kernels:
            raise NameNotFoundError(f"names are given for kernel {kernel!r}, which the module does not have")
        kernels[kernel] = replace(kernels[kernel], signature=kernels[kernel].signature.renamed(given))
    return replace(info, kernels=kernels)


def _with_shapes(info: ModuleInfo, shapes: Shapes) -> ModuleInfo:
    """The module's information with the given shapes of arrays."""
    from dataclasses import replace

    if not isinstance(shapes, Mapping):
        raise TypeError(f"shapes must be a mapping of kernels and graphs to shapes, not {describe(shapes)}")
    kernels, graphs = dict(info.kernels), dict(info.graphs)
    for name, given in shapes.items():
        if name not in kernels and name not in graphs:
            raise NameNotFoundError(f"shapes are given for {short(name)}, which is not a kernel or graph of the module")
        if name in kernels:
            kernels[name] = replace(kernels[name], signature=kernels[name].signature.with_shapes(given))
        if name in graphs:
            graphs[name] = replace(graphs[name], signature=graphs[name].signature.with_shapes(given))
    return replace(info, kernels=kernels, graphs=graphs)


def _with_graph_shapes(info: ModuleInfo) -> ModuleInfo:
    """The module's information, with shapes for graphs whose kernels have them."""
    if not any(parameter.shape for kernel in info.kernels.values() for parameter in kernel.signature.parameters):
        return info
    from .formats.graph_shapes import inherit_shapes

    return inherit_shapes(info)

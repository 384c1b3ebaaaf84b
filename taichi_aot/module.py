"""AotModule: a loaded module, its kernels and its compute graphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from ._handles.module import ModuleHandle
from ._handles.resource import OwnedResource
from ._modules.loading import fetch
from .errors import NameNotFoundError
from .kernel import ComputeGraph, Kernel
from .signature import Signature, StatedShape
from .wording import describe, short

if TYPE_CHECKING:
    from ._handles.resource import Runtime
    from .formats.info import ModuleInfo
    from .formats.returns import ReturnLayout

__all__ = ["AotModule", "Names", "Shapes"]

Item = TypeVar("Item", Kernel, ComputeGraph)
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

    __slots__ = ("_graphs", "_handle", "_info", "_kernels", "_owns_runtime")

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
        layouts = {name: kernel.result for name, kernel in info.kernels.items()}
        kernels = {name: kernel.signature for name, kernel in info.kernels.items()}
        graphs = {name: graph.signature for name, graph in info.graphs.items()}
        self._kernels = _Items("kernel", kernels, handle, Kernel, layouts)
        self._graphs = _Items("graph", graphs, handle, ComputeGraph, {})
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


class _Items(Mapping[str, Item], Generic[Item]):
    """Kernels or graphs by name, fetched from the library on first access."""

    def __init__(
        self,
        what: str,
        signatures: Mapping[str, Signature],
        handle: ModuleHandle,
        kind: type[Item],
        layouts: Mapping[str, ReturnLayout | None],
    ) -> None:
        self._what = what
        self._signatures = signatures
        self._handle = handle
        self._kind: type[Item] = kind
        self._layouts = layouts
        self._fetched: dict[str, Item] = {}

    def __getitem__(self, name: str) -> Item:
        item = self._fetched.get(name)
        if item is None:
            if name not in self._signatures:
                raise NameNotFoundError(self._unknown(name))
            function = fetch(self._handle, name, graph=self._kind is ComputeGraph)
            made = self._kind._make(self._signatures[name], self._handle, function, self._layouts.get(name))
            item = self._fetched.setdefault(name, made)
        return item

    def _unknown(self, name: object) -> str:
        import difflib

        known = ", ".join(map(repr, self._signatures)) or "none"
        near = difflib.get_close_matches(name[:200] if type(name) is str else "", self._signatures, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        return f"the module has no {self._what} {short(name)}, it has {known}{hint}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    def __len__(self) -> int:
        return len(self._signatures)

    def __contains__(self, name: object) -> bool:
        return name in self._signatures

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{name!r}: {signature}' for name, signature in self._signatures.items())}}}"


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

"""AotModule: a loaded module, its kernels and its compute graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import ref

import numpy as np

from ..bundle._plan import inherit_shapes
from ..driver._library import ffi
from ..handles._module import ModuleHandle
from ..handles._registry import TiAotModule, address_in, find_shared, module_handle, note_adopted
from ..handles._runtime import OwnedResource, handle_of
from ..values._errors import (
    ArgumentTypeError,
    InvalidStateError,
    NameNotFoundError,
    NotSupportedError,
    count,
    describe,
    short,
)
from ..values._items import NamedItems, attribute_error, did_you_mean, paragraph, unknown_name
from ..values._signature import Signature, StatedShape
from ._block import LaunchTarget
from ._kernel import ComputeGraph, Instances, Kernel
from ._loading import adopt_module, own_module, require_launchable

if TYPE_CHECKING:
    from ..bundle._files import Source
    from ..bundle._info import FieldInfo, GraphInfo, Instance, ModuleInfo
    from ..bundle._plan import Plan
    from ..handles._runtime import Runtime
    from ._field import Field


Names: TypeAlias = Mapping[str, Sequence[str]]
Shapes: TypeAlias = Mapping[str, Mapping[str, StatedShape]]


class AotModule(OwnedResource):
    """A loaded module, created by `Runtime.load_module` or `load`.

    Kernels and graphs are also attributes if their names are identifiers: ``module.saxpy``. The module's own attributes
    take precedence, then kernels, then graphs; `kernels` and `graphs` have all of them.

    Examples
    --------
    >>> module = rt.load_module("saxpy.tcm")
    >>> "saxpy" in module.kernels
    True
    >>> list(module.graphs)
    ['both', 'twice']
    >>> module.saxpy is module.kernels["saxpy"], module.both is module.graphs.both
    (True, True)
    >>> module.close()
    """

    __slots__ = ("_fields", "_graphs", "_handle", "_info", "_kernels", "_owns_runtime")
    _fields: Fields
    _graphs: NamedItems[ComputeGraph]
    _handle: ModuleHandle
    _info: ModuleInfo | None  # if names or shapes were given
    _kernels: NamedItems[Kernel]
    _owns_runtime: bool
    _runtime: Runtime

    def __init__(
        self,
        runtime: Runtime,
        handle: ModuleHandle,
        names: Names | None = None,
        shapes: Shapes | None = None,
        *,
        owns_runtime: bool = False,
        contents: bool = True,
    ) -> None:
        self._initialize_once("_owns_runtime")
        plan = handle.plan
        info = _restated(plan, names, shapes) if names or shapes else None
        kernels, graphs = plan.signatures(), plan.signatures(is_graph=True)
        if info is not None:
            kernels = {name: kernel.signature for name, kernel in info.kernels.items()}
            graphs = {name: graph.signature for name, graph in info.graphs.items()}
        values: dict[str, Any] = {"_runtime": runtime, "_handle": handle, "_info": info}
        values |= {"_kernels": _kernels(plan, kernels, handle), "_graphs": _graphs(plan, graphs, handle)}
        values |= {"_fields": Fields(plan, runtime, handle), "_owns_runtime": owns_runtime}
        for name, value in values.items():
            object.__setattr__(self, name, value)  # its own is for users, and loads are short
        if plan.info.fields and handle.loaded is not None and not handle.loaded.fields_begun:
            if contents:
                self._fields._write_contents(plan)
            handle.loaded.fields_begun = True

    @classmethod
    def from_handle(
        cls,
        runtime: Runtime,
        handle: TiAotModule,
        source: Source,
        owned: bool = False,
        *,
        names: Names | None = None,
        shapes: Shapes | None = None,
    ) -> AotModule:
        """Wrap an existing ``TiAotModule``.

        Only `Runtime.load_module` makes all kernels launchable. In other modules, kernels that return values raise
        NotSupportedError at lookup, and so do kernels and graphs that take 64-bit scalars, vectors or matrices.

        Parameters
        ----------
        runtime : Runtime
            The runtime that loaded the module.
        handle : TiAotModule
            A module of `taichi_aot.capi`, of another binding (``capi.TiAotModule(address)``), or the `handle` of an
            `AotModule`.
        source : path or bytes-like
            The files that it was loaded from, as for `Runtime.load_module`: the library does not tell which kernels,
            graphs and parameters a module has.
        owned : bool, default False
            Whether the runtime destroys the ``TiAotModule`` when it is closed. Otherwise closing affects only this
            object. When `taichi_aot.capi` destroys a module, it closes all objects over it. An owner in another binding
            must keep the module until this object is closed.
        names, shapes
            As for `Runtime.load_module`.

        Raises
        ------
        TypeError
            If `runtime` is not a `Runtime`, or `handle` is not a `capi.TiAotModule`.
        ValueError
            If the handle is null, the runtime is closed, or `owned` is true and a runtime owns the module already. A
            handle of another runtime or source, or of a module that another binding has destroyed, cannot be detected
            and may crash the process.
        FileNotFoundError, CorruptedDataError, IncompatibleModuleError, NameNotFoundError
            As for `Runtime.load_module`.

        Examples
        --------
        >>> same = AotModule.from_handle(rt, module.handle, "saxpy.tcm")
        >>> same.kernels["saxpy"].handle == module.kernels["saxpy"].handle
        True
        """
        parent = handle_of(runtime)
        parent.require_open()
        ti_module = ffi.cast("TiAotModule", address_in(TiAotModule, handle))
        owner = find_shared(handle, parent, owned=bool(owned))
        module = adopt_module(parent, runtime.capabilities, ti_module, source, owner)
        if owned:
            own_module(module)
        if owner is None:
            note_adopted(handle, module, owned=bool(owned))
        return cls(runtime, module, names, shapes)

    @property
    def handle(self) -> TiAotModule:
        """The ``TiAotModule`` for `taichi_aot.capi` and other bindings, which must not destroy it.

        It is valid until the runtime is closed. Modules from the same files share one handle. `Kernel.handle` says
        which kernels the C-API cannot launch. Reading this property fetches all kernels, because other bindings cannot
        fetch kernels of LLVM modules later.

        Raises
        ------
        ValueError
            If the module or its runtime is closed.

        Examples
        --------
        >>> from taichi_aot import capi
        >>> bool(capi.get_aot_module_kernel(module.handle, "saxpy"))
        True
        """
        self._handle.require_fields_of_library()
        for name in self._handle.files.unread if self._handle.files else ():
            self._handle.fetch(name, is_graph=False)
        return module_handle(self._handle)

    @property
    def kernels(self) -> NamedItems[Kernel]:
        """Kernels by name. An unknown name raises NameNotFoundError, a KeyError that lists the known names."""
        return self._kernels

    @property
    def graphs(self) -> NamedItems[ComputeGraph]:
        """Compute graphs by name; unknown names raise NameNotFoundError."""
        return self._graphs

    @property
    def fields(self) -> Fields:
        """Fields with accessors by name; members of a struct field by ``"name.member"``.

        They are also attributes: ``module.fields.v``, ``module.fields.name.member``. Unknown names raise
        NameNotFoundError. A field in `info` without accessors raises NotSupportedError.
        """
        return self._fields

    @property
    def info(self) -> ModuleInfo:
        """The contents of the module, as returned by `inspect`."""
        return self._handle.plan.contents() if self._info is None else self._info

    def prefetch(self, *names: str) -> None:
        """Fetch kernels and graphs now instead of at their first lookup.

        On x64, arm64 and CUDA, fetching a kernel compiles it, which takes milliseconds. Any thread may prefetch; other
        threads can launch on the runtime between two kernels.

        Parameters
        ----------
        *names : str
            Kernels and graphs; by default all.

        Raises
        ------
        NameNotFoundError
            If the module does not have a kernel or graph of one of the names; nothing is fetched then.
        TypeError
            If a name is not a str.
        ValueError
            If the module or its runtime is closed.
        OSError
            If the temporary file for the code of an LLVM module cannot be written. The call can be repeated.

        Examples
        --------
        >>> module.prefetch("saxpy", "twice")
        >>> from threading import Thread
        >>> thread = Thread(target=module.prefetch)  # all, while this thread continues
        >>> thread.start()
        >>> module.saxpy(2.0, x, y)
        >>> thread.join()
        """
        plan, handle = self._handle.plan, self._handle
        for name in names:
            if not isinstance(name, str):
                raise ArgumentTypeError(
                    f"prefetch() takes names one by one, as in prefetch('a', 'b'), not {short(name)}"
                )
            if name not in plan.kernels and name not in plan.graphs:
                raise NameNotFoundError(unknown_name("kernel or graph", name, (*plan.public, *plan.graphs)))
        chosen = names or (*plan.kernels, *plan.graphs)
        for name in dict.fromkeys(chosen):
            if name in plan.kernels:
                handle.find(name, is_graph=False)
            if name in plan.graphs:
                handle.find(name, is_graph=True)

    def reload(self) -> bool:
        """Take over the file of a module loaded with ``reload=True`` now, if it has changed.

        Launches do so by themselves, as `load` describes. This call does not wait for the next look at the file, and
        raises where they warn.

        Returns
        -------
        bool
            Whether the file has changed since it was loaded.

        Raises
        ------
        RuntimeError
            If the module was loaded without ``reload=True``.
        IncompatibleModuleError
            If the file lacks a kernel or graph that is in use, or states other parameters for it. The message has both
            signatures. This and all other errors change nothing.
        FileNotFoundError, CorruptedDataError, NotSupportedError, ValueError
            As for `load`, or if an array of a bound launch does not fit a stated shape.

        Examples
        --------
        >>> followed = load("saxpy.tcm", "x64", reload=True)
        >>> followed.reload()
        False
        """
        raise InvalidStateError("the module does not follow its file: load it with reload=True")

    def close(self) -> None:
        """Close the module; launches of its kernels and graphs then raise ValueError. Closing it again does nothing.

        The library's module stays loaded until the runtime is closed, because destroying it frees little of its memory
        (on Vulkan nothing). Loading the same files again reuses it.

        A module from `load` that has its own runtime closes that runtime too, with all its memory.
        """
        self._handle.close()
        if self._owns_runtime:
            self._runtime._handle.why_closed = (
                ": its module, which load() returned, was closed and closed it; keep the module open while you use its "
                "arrays, or copy them with to_numpy() before"
            )
            self._runtime.close()

    def __getattr__(self, name: str) -> Kernel | ComputeGraph:
        kernels: NamedItems[Kernel] = object.__getattribute__(self, "_kernels")
        graphs: NamedItems[ComputeGraph] = object.__getattribute__(self, "_graphs")
        if name.isidentifier() and name in kernels:
            return kernels[name]
        if name.isidentifier() and name in graphs:
            return graphs[name]
        hint = "" if name.startswith("_") else did_you_mean(name, dir(self))
        if name in (elsewhere := _fields_elsewhere(self._handle.plan)):
            hint = f"; {elsewhere[name]}"
        raise attribute_error(f"the module has no attribute, kernel or graph {short(name)}{hint}", name)

    if not TYPE_CHECKING:  # type checkers reject both

        def __setattr__(self, name, value):
            try:
                object.__setattr__(self, name, value)
            except AttributeError:
                reasons = (each._why_not_assigned(name) for each in (self._kernels, self._graphs, self._fields))
                reason = "" if hasattr(type(self), name) else next(filter(None, reasons), "")
                if not reason:
                    raise
                raise attribute_error(reason, name) from None

        def __call__(self, *args, **kwargs):
            first = next(iter((*self.kernels, *self.graphs)), "name")
            raise ArgumentTypeError(f"a module cannot be called: call one of its kernels, as in module.{first}(...)")

        def __getitem__(self, name):
            raise ArgumentTypeError(f"a module cannot be indexed: write module.kernels[{short(name)}]")

        __iter__ = None  # otherwise iter() would try indices

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *filter(str.isidentifier, (*self.kernels, *self.graphs))})

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        contents = f"{count(self.kernels, 'kernel')}, {count(self.graphs, 'graph')}"
        return f"<{state}AotModule of {contents} on {self.runtime.arch}>"

    def _repr_html_(self) -> str:
        return paragraph(repr(self)) + self.info._tables()


def _fields_elsewhere(plan: Plan) -> dict[str, str]:
    """Return a hint for the name of each field with accessors."""
    fields = [each.name for each in plan.info.fields if each.get or each.gather]
    return {name: f"it is a field, module.fields[{name!r}]" for name in fields}


def _kernels(plan: Plan, signatures: Mapping[str, Signature], handle: ModuleHandle) -> NamedItems[Kernel]:
    items: list[ref[NamedItems[Kernel]]] = []  # kernels do not keep each other alive
    graphs = {name: f"it is a graph, module.graphs[{name!r}]" for name in plan.graphs}
    make = partial(_make_kernel, plan, signatures, handle, items)
    made = NamedItems("kernel", signatures, make, _fields_elsewhere(plan) | graphs)
    items.append(ref(made))
    return made


def _make_kernel(
    plan: Plan,
    signatures: Mapping[str, Signature],
    handle: ModuleHandle,
    items: Sequence[ref[NamedItems[Kernel]]],
    name: str,
) -> Kernel:
    """Create a kernel; `items` has the reference to all kernels of its module."""
    signature, stated = signatures[name], plan.kernels[name]
    require_launchable(signature, plan.family, handle.words, returns=bool(signature.returns))
    found = handle.find(name, is_graph=False)
    if found and stated.repeats:
        raise NotSupportedError(f"{name}() repeats tasks, and here the library launches it, which cannot")
    (layout, gradients), doc, instances = handle.passed(name), stated.doc, None
    if stated.instance is not None:
        same = _instances_of(plan, stated.instance.of)
        make = partial(_make_kernel, plan, signatures, handle, items)
        instances = Instances(same, partial(_find_kernel, items, make))
        others = ", ".join(f"{each} ({other})" for other, each in same.items() if other != name)
        doc = f"{doc}\n\nThis is the instance {same[name]}.{f' Others: {others}.' if others else ''}".strip()
    target = LaunchTarget(signature, handle, found, layout, doc, passes_gradients=gradients, repeats=stated.repeats)
    return Kernel._make(target, partial(_adjoint, plan, handle, name), instances)


def _instances_of(plan: Plan, of: str) -> dict[str, Instance]:
    stated = {name: kernel.instance for name, kernel in plan.public.items()}
    return {name: instance for name, instance in stated.items() if instance is not None and instance.of == of}


def _find_kernel(items: Sequence[ref[NamedItems[Kernel]]], make: Callable[[str], Kernel], name: str) -> Kernel:
    known = items[0]()
    return make(name) if known is None else known[name]


def _adjoint(plan: Plan, handle: ModuleHandle, name: str, signature: Signature) -> Kernel:
    """Create the adjoint of a kernel that has this signature."""
    adjoint = plan.kernels[name].grad
    if not adjoint:
        raise attribute_error(f"{name}() has no gradient: build its module with @export(grad=True)", "grad")
    if adjoint not in plan.kernels or not handle.passed(adjoint).gradients:
        raise attribute_error(
            f"{name}() has no gradient on {handle.runtime.arch}: build and load the module for x64, arm64 or CUDA",
            "grad",
        )
    parameters = plan.read(
        f"the gradient of {name!r}",
        lambda: [
            own._replace(grad=each.grad, access="r" if each.grad else own.access)
            for own, each in zip(signature.parameters, plan.signature(adjoint).parameters, strict=True)
        ],
    )
    doc, found = f"The gradient of `{name}`: the adjoint kernel.", handle.find(adjoint, is_graph=False)
    own = Signature(f"{name}.grad", tuple(parameters))
    return Kernel._make(LaunchTarget(own, handle, found, None, doc, name=adjoint, passes_gradients=True))


def _graphs(plan: Plan, signatures: Mapping[str, Signature], handle: ModuleHandle) -> NamedItems[ComputeGraph]:
    def make(name: str) -> ComputeGraph:
        signature = signatures[name]
        require_launchable(signature, plan.family, handle.words, returns=False)
        found, doc = handle.find(name, is_graph=True), plan.graphs[name].doc
        return ComputeGraph._make(LaunchTarget(signature, handle, found, None, doc, plan.dispatches(name)))

    elsewhere = {name: f"it is a kernel, module.kernels[{name!r}]" for name in plan.public}
    return NamedItems("graph", signatures, make, elsewhere)


class Fields(NamedItems["Field"]):
    """The fields of a module that have accessors, by name and by attribute."""

    __slots__ = ("_has_memory", "_without")
    _has_memory: bool
    _without: set[str]

    def __init__(self, plan: Plan, runtime: Runtime, handle: ModuleHandle) -> None:
        stated = plan.info.fields
        fields = {field.name: field for field in stated if field.accessors}

        def accessor(name: str, method: str, *parameters: str) -> Kernel | None:
            """Return the kernel; its error messages name the method and parameters of the Field."""
            if not name:
                return None
            signature = plan.signature(name).renamed(parameters)._replace(name=method)
            ti_kernel = handle.find(name, is_graph=False)
            return Kernel._make(LaunchTarget(signature, handle, ti_kernel, handle.passed(name).result, name=name))

        def make(name: str) -> Field:
            from ._field import Field

            field = fields[name]
            getter = accessor(field.get, f"{name}.copy_to", "target")
            setter = accessor(field.set, f"{name}.copy_from", "source")
            gather = accessor(field.gather, f"{name}.to_sparse", "count", "indices", "values")
            scatter = accessor(field.scatter, f"{name}.write_sparse", "indices", "values")
            return Field._make(runtime, handle, field, (getter, setter, gather, scatter))

        super().__init__("field", fields, make, {})
        object.__setattr__(self, "_without", {field.name for field in stated} - fields.keys())
        object.__setattr__(self, "_has_memory", plan.info.has_fields)

    def _write_contents(self, plan: Plan) -> None:
        """Write what the module states of the contents of fields."""
        for stated in plan.info.fields:
            if stated.contents:
                plan.read(f"the contents of field {stated.name!r}", partial(self._write_file, plan, stated))

    def _write_file(self, plan: Plan, stated: FieldInfo) -> None:
        field = self[stated.name]
        data = plan.files[stated.contents]
        field.write(np.frombuffer(data, field._layout.dtype).reshape(field.shape + field.elem_shape))

    def __getitem__(self, name: str) -> Field:
        if name in self._without:
            raise NotSupportedError(
                f"field {name!r} has no accessors, so only kernels can use it: the module was not built by "
                "`taichi-aot build`, which makes them, or the field is too large for an array"
            )
        return super().__getitem__(name)

    def __getattr__(self, name: str) -> Any:  # a Field, or the members of a struct field
        names = object.__getattribute__(self, "_signatures")
        if any(each.startswith(f"{name}.") for each in names):
            from ._field import StructField

            return StructField(self, name)
        return self[name] if name in names else super().__getattr__(name)

    def _unknown(self, name: object) -> str:
        member = next((each for each in self._signatures if each.startswith(f"{name}.")), "")
        if member:
            return f"{name!r} is a struct field: write fields.{name}, or one of its members, as in fields[{member!r}]"
        message = super()._unknown(name)
        if not self._has_memory or message.endswith("?"):
            return message
        code = f"export_field({name!r}, {name})" if isinstance(name, str) and name.isidentifier() else "export_field()"
        return f"{message}; the source names the fields of kernels with {code}"

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name.partition(".")[0] for name in self if "." in name)})


def _restated(plan: Plan, names: Names | None, shapes: Shapes | None) -> ModuleInfo:
    """Return the contents with other names and shapes; graphs inherit those of their kernels."""
    info = plan.contents()
    graphs = {name: _own_shapes(graph) if graph.inherits else graph for name, graph in info.graphs.items()}
    info = info._replace(graphs=graphs)
    info = _with_names(info, names) if names else info
    return inherit_shapes(_with_shapes(info, shapes) if shapes else info)


def _own_shapes(graph: GraphInfo) -> GraphInfo:
    """Return a graph without the shapes inherited from its kernels."""
    parameters = tuple([parameter._replace(shape=()) for parameter in graph.signature.parameters])
    return graph._replace(signature=graph.signature._replace(parameters=parameters))


def _with_names(info: ModuleInfo, names: Names) -> ModuleInfo:
    if not isinstance(names, Mapping):
        raise ArgumentTypeError(
            f"names must be a mapping of kernels to parameter names, not {type(names).__qualname__}"
        )
    kernels = dict(info.kernels)
    for kernel, given in names.items():
        if kernel not in kernels:
            raise NameNotFoundError(f"names are given for kernel {kernel!r}, which the module does not have")
        kernels[kernel] = kernels[kernel]._replace(signature=kernels[kernel].signature.renamed(given))
    return info._replace(kernels=kernels)


def _with_shapes(info: ModuleInfo, shapes: Shapes) -> ModuleInfo:
    if not isinstance(shapes, Mapping):
        raise ArgumentTypeError(f"shapes must be a mapping of kernels and graphs to shapes, not {describe(shapes)}")
    kernels, graphs = dict(info.kernels), dict(info.graphs)
    stated = inherit_shapes(info).graphs  # given shapes must not contradict these either
    for name, given in shapes.items():
        if name not in kernels and name not in graphs:
            raise NameNotFoundError(f"shapes are given for {short(name)}, which is not a kernel or graph of the module")
        if name in kernels:
            kernels[name] = kernels[name]._replace(signature=kernels[name].signature.with_shapes(given))
        if name in graphs:
            graphs[name] = graphs[name]._replace(signature=stated[name].signature.with_shapes(given))
    return info._replace(kernels=kernels, graphs=graphs)

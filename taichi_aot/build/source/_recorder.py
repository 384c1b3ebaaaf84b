"""Taichi in a child process that runs a program: calls are recorded instead of run, and what kernels write is 0.

The numbers of a field that the program writes are kept as numpy arrays until a kernel that uses it is launched for the
first time: a module has them from then on. What kernels write is not known, so what is read later is 0, and later
writes are lost. A source that is imported launches no kernels, so all that it writes and reads is known.
"""

from __future__ import annotations

import inspect
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from .._archs import (
    AOT_MODULE,
    BUILDER,
    CORE,
    FIELD,
    GRAPH,
    IMPL,
    KERNEL,
    LANG,
    MATRIX,
    NDARRAY,
    STRUCT,
    TEXTURE,
    TI,
    TYPES,
    UTIL,
    Target,
)
from .._options import BuildError, SourceError, option
from ._kernels import check_parameters, describe_type, is_method, make_samples
from ._program import NOTHING, GuiCore, ProgramEnd, SparseMatrix, Window, ZeroFloat, ZeroInt
from ._source import FIELDS, is_of_source

MOST_BYTES = 64 << 20  # of the contents of a field, unless export_field asks for them
TOO_MUCH = (
    f"has more than {MOST_BYTES >> 20} MiB: `export_field(name, field, contents=True)` above that line allows more, "
    "or write it in your program"
)
KEPT = "export the field with contents=True to begin with these numbers"

Numbers = npt.NDArray[Any]


class FieldContents:
    """The numbers of each field of a source."""

    def __init__(self) -> None:
        # Of each component that was written, by the id of its node.
        self._numbers: dict[int, Numbers] = {}
        self._used: set[int] = set()  # components that a kernel has used
        self._unknown: dict[int, str] = {}  # why what was written is not kept, by component
        self._first: dict[int, str] = {}  # the line of the first write, by component
        self._late: dict[int, str] = {}  # the line of a write after a kernel
        self._is_copying = False  # whether Taichi's own kernels are launched to read or write a field
        self._touched: list[Any] = []  # fields that the kernel uses that is compiled

    def replace(self) -> None:
        """Replace functions of Taichi by which programs read and write fields, or kernels use them."""
        for kind in (FIELD.ScalarField, MATRIX.MatrixField):
            kind._from_external_arr = self._after(kind._from_external_arr, self._write)
            kind.fill = self._after(kind.fill, self._fill)
            kind.to_numpy = self._reading(kind.to_numpy)
        FIELD.Field.copy_from = self._after(FIELD.Field.copy_from, self._copy)
        IMPL.subscript = self._noting(IMPL.subscript)
        IMPL.begin_frontend_struct_for = self._noting(IMPL.begin_frontend_struct_for)

    def launching(self, launch: Callable[..., Any]) -> Callable[..., Any]:
        """Return a method for kernels that does nothing for those of Taichi that read or write a field."""

        def call(kernel: Any, *arguments: Any, **named: Any) -> Any:
            return None if self._is_copying else launch(kernel, *arguments, **named)

        return call

    def require_kept(self, kept: Sequence[Any]) -> None:
        """Raise for a write to another field than these, at a line that a source should not run when it is imported."""
        nodes = {node for field in kept for node in _nodes(field)}
        line = next((line for node, line in self._first.items() if node not in nodes), "")
        if line:
            raise SourceError("", line, str(at_import("writes into a field", KEPT)))

    def launch(self, compile_: Callable[[], None]) -> None:
        """Compile a kernel that is launched for the first time; the fields that it uses keep their contents."""
        self._touched = []
        compile_()
        self._used |= {node for field in self._touched for node in _nodes(field)}

    def use_all(self) -> None:
        """Note that any field may be used."""
        self._used |= self._numbers.keys()

    def of(self, field: Any) -> Numbers | None:
        """Return the contents of a field of scalars, vectors or matrices; None if they are zeros or not known."""
        nodes = _nodes(field)
        if any(node in self._unknown for node in nodes) or not any(node in self._numbers for node in nodes):
            return None
        shape, dtype = tuple(field.shape), _dtype(field)
        zeros = np.zeros(shape, dtype)
        parts = [self._numbers.get(node, zeros) for node in nodes]
        found = np.stack(parts, axis=-1) if _is_matrix(field) else parts[0]
        elem_shape = (field.n, field.m)[: field.ndim] if _is_matrix(field) else ()
        return found.reshape(shape + elem_shape) if found.any() else None

    def line_of_loss(self, field: Any) -> str:
        """Return a clause about contents that a module does not get; empty if it gets all that is written."""
        nodes = _nodes(field)
        late = next((self._late[node] for node in nodes if node in self._late), "")
        if late:
            return f"is written at {late} after kernels have used it: write it in your program, which launches them"
        return next((f"begins with zeros: {self._unknown[node]}" for node in nodes if node in self._unknown), "")

    def get(self, node: Any, key: Sequence[int]) -> Any:
        """Return an element that the program has written; None if it is not known."""
        numbers = self._numbers.get(node.id)
        return None if numbers is None or node.id in self._used else numbers[_index(node, key)].item()

    def set(self, node: Any, key: Sequence[int], value: Any) -> None:
        """Write an element."""
        shape = [node.get_shape_along_axis(i) for i in range(node.num_active_indices())]
        if self._is_written(node.id, shape, node.data_type()):
            self._numbers[node.id][_index(node, key)] = value

    def _is_written(self, node: int, shape: Sequence[int], dtype: Any) -> bool:
        """Note a write to a component, and return whether its numbers are kept."""
        self._first.setdefault(node, _line())
        if node in self._used:
            self._late.setdefault(node, _line())
            return False
        if node not in self._numbers and node not in self._unknown:
            kind = _numpy_type(str(dtype))
            if kind is None:
                self._unknown[node] = f"what is written at {_line()} is of a quantized type"
            elif math.prod(shape) * kind.itemsize > MOST_BYTES and not _is_asked_for(node):
                self._unknown[node] = f"what is written at {_line()} {TOO_MUCH}"
            else:
                self._numbers[node] = np.zeros(shape, kind)
        return node in self._numbers

    def _write(self, field: Any, array: Any) -> None:
        numbers: Numbers = np.asarray(array.cpu() if hasattr(array, "cpu") else array)
        self._write_parts(field, numbers.reshape((*field.shape, -1)))

    def _fill(self, field: Any, value: Any) -> None:
        numbers = np.asarray(value.to_numpy() if hasattr(value, "to_numpy") else value)
        self._write_parts(field, np.broadcast_to(numbers.ravel(), (*field.shape, len(_nodes(field)))))

    def _write_parts(self, field: Any, parts: Numbers) -> None:
        for number, node in enumerate(_nodes(field)):
            if self._is_written(node, field.shape, field.dtype):
                self._numbers[node][...] = parts[..., number]

    def _copy(self, field: Any, other: Any) -> None:
        for node, source in zip(_nodes(field), _nodes(other), strict=False):
            is_known = source in self._numbers and source not in self._used
            if self._is_written(node, field.shape, field.dtype):
                self._numbers[node][...] = self._numbers[source] if is_known else 0
                if not is_known and (source in self._used or source in self._unknown):
                    self._unknown[node] = f"what is written at {_line()} is computed by kernels"

    def _reading(self, read: Callable[..., Any]) -> Callable[..., Any]:
        def to_numpy(field: Any, *arguments: Any, **options: Any) -> Any:
            result = self._copied(read, field, *arguments, **options)
            known = None if self._used.intersection(_nodes(field)) else self.of(field)
            if known is not None:
                result[...] = known.reshape(result.shape)
            return result

        return to_numpy

    def _after(self, function: Callable[..., Any], note: Callable[..., None]) -> Callable[..., Any]:
        """Return a method that notes its arguments once it has succeeded."""

        def method(field: Any, *arguments: Any, **options: Any) -> Any:
            result = self._copied(function, field, *arguments, **options)
            note(field, *arguments, *options.values())
            return result

        return method

    def _copied(self, function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        self._is_copying = True
        try:
            return function(*arguments, **options)
        finally:
            self._is_copying = False

    def _noting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*arguments: Any, **options: Any) -> Any:
            self._touched += [each for each in arguments if isinstance(each, FIELD.Field)]
            return function(*arguments, **options)

        return noting


def at_import(what: str, remedy: str = "") -> BuildError:
    """Return the error about actions of a source during its import."""
    remedies = [*filter(None, [remedy]), 'put this under `if __name__ == "__main__":`']
    return BuildError(
        f"the source {what}. A build compiles without running anything: {', '.join(remedies)}, or use "
        f"{option('all')}, which runs the source as a program"
    )


class Elements:
    """Reads and writes elements of a component of a field; those that are not known are `zero`."""

    def __init__(self, contents: FieldContents, place: Any, zero: float) -> None:
        self._contents, self._place, self._zero = contents, place, zero

    def getter(self, *key: int) -> Any:
        known = self._contents.get(self._place, key)
        return self._zero if known is None else known

    def setter(self, value: object, *key: int) -> None:
        self._contents.set(self._place, key, value)


def _is_asked_for(node: int) -> bool:
    """Return whether the source exports a field with its contents."""
    return any(contents and node in _nodes(field) for _, field, contents in FIELDS)


def _nodes(field: Any) -> list[int]:
    """Return the ids of a field's components, whose members they are for a field of structs."""
    nodes = [variable.ptr.snode() for variable in field._get_field_members()]
    return [node.id for node in nodes if node is not None]


def _index(node: Any, key: Sequence[int]) -> tuple[int, ...]:
    """Return the place of an element, whose indices may begin at an offset, in an array."""
    offsets = tuple(node.offset) or (0,) * node.num_active_indices()
    return tuple(int(i) - first for i, first in zip(key, offsets, strict=False))


def _is_matrix(field: Any) -> bool:
    return isinstance(field, MATRIX.MatrixField)


def _dtype(field: Any) -> np.dtype[Any]:
    dtype = _numpy_type(str(field.dtype))
    assert dtype is not None  # otherwise no numbers are kept
    return dtype


def _numpy_type(dtype: str) -> np.dtype[Any] | None:
    """Return numpy's type for one of Taichi's; None for quantized ones."""
    if dtype == "u1":
        return np.dtype(np.uint8)
    return np.dtype(f"{dtype[0]}{int(dtype[1:]) // 8}") if dtype[1:].isdecimal() and dtype[0] in "iuf" else None


def _line() -> str:
    """Return the line of the program that is running."""
    frame = sys._getframe()
    while frame.f_back is not None and not is_of_source(frame.f_code.co_filename):
        frame = frame.f_back
    return f"{Path(frame.f_code.co_filename).name}, line {frame.f_lineno}"


# Taichi in a child process that runs a program: calls are recorded instead of run, and what kernels write is 0.


PATIENCE = 10_000  # calls without a new one
PICTURE = 100  # how many calls a picture counts
MAX_INSTANCES = 16  # of one kernel
# Kernels of Taichi's own by which programs change fields, beside those that copy: deactivate_all, sorts, prefix sums.
OF_TAICHI = ("snode_deactivate", "snode_deactivate_dynamic", "sort_stage", "scan_add_inclusive", "uniform_add")


class RecordedCall(NamedTuple):
    """The first call of a kernel with these types and values."""

    kernel: Any  # Taichi's object
    owner: Any  # the object, if the kernel is a method
    types: Mapping[str, Any]  # Values of template parameters, and types of ndarrays, by parameter
    shapes: Mapping[str, Any] = {}  # stated ones, by parameter


class Recorder:
    """Replaces what runs on a device, and records calls of kernels."""

    def __init__(self, target: Target) -> None:
        self.calls: list[RecordedCall] = []  # the calls that need an instance each, in their order
        self.gradients: list[Any] = []  # kernels whose gradients are called
        self.excess: list[Any] = []  # kernels with more instances than are recorded
        self.outside: dict[str, str] = {}  # files of called kernels that are not of the source, by the kernel's name
        self.of_taichi: dict[str, str] = {}  # the first lines that launch kernels of Taichi's own, by the kernel's name
        self.graphs: list[Any] = []  # the graphs that were run
        self.contents = FieldContents()
        self.variables: list[Any] = []  # Taichi's objects for the numbers of fields
        self._target = target
        self._matrices: list[Any] = []
        self._builders: list[Any] = []
        self._is_finished = False
        self._seen: set[tuple[object, ...]] = set()
        self._idle = 0
        self._shows_pictures = False

    def replace(self) -> None:
        """Replace functions of Taichi."""
        self.contents.replace()
        IMPL.PyTaichi.materialize_root_fb = staticmethod(self._finalize_fields)
        IMPL.PyTaichi.sync = _do_nothing
        BUILDER.FieldsBuilder.finalize = _method(self._finalize_builder)
        KERNEL.Kernel.__call__ = _method(self._launch)
        GRAPH.Graph.run = _method(self._run)
        FIELD.SNodeHostAccessor = self._accessor
        NDARRAY.NdarrayHostAccessor = self._accessor
        NDARRAY.Ndarray.fill = _do_nothing
        for name in ("from_ndarray", "from_field", "from_image"):
            setattr(TEXTURE.Texture, name, _do_nothing)
        CORE.GUI = partial(GuiCore, self._show)
        TI.ui.Window = partial(Window, self._show)
        TI.ui.Scene = NOTHING
        TI.ui.Camera.track_user_inputs = _do_nothing
        for name in ("imshow", "imwrite", "PLYWriter", "VideoManager", "write_vtk"):
            setattr(TI.tools, name, NOTHING)
        for name in ("SparseMatrix", "SparseMatrixBuilder", "SparseSolver"):
            setattr(TI.linalg, name, SparseMatrix())
        TI.linalg.SparseCG = NOTHING
        for name, _ in inspect.getmembers(TI.profiler, inspect.isfunction):
            setattr(TI.profiler, name, NOTHING)
        own: Any = sys.modules["taichi_aot.build"]
        for module in (TI.aot, AOT_MODULE, own):
            module.Module = NOTHING
        for module in (TI, LANG):  # not in MISC: ti.init uses it
            module.reset = lambda: self.require_empty("ti.reset", True)

    def finish(self) -> None:
        """Finalize the fields that are not finalized yet."""
        self._is_finished = True
        runtime = IMPL.get_runtime()
        with suppress(RuntimeError):  # the program may have ended before it placed its fields
            runtime.materialize()
        runtime.global_vars, runtime.grad_vars, runtime.dual_vars, runtime.matrix_fields = [], [], [], []
        for builder in self._builders:
            builder._finalize_for_aot()
        for matrix in self._matrices:  # its numbers have places only now
            matrix._calc_dynamic_index_stride()

    def require_empty(self, function: str, has_contents: bool) -> None:
        """End the program if a call of `function` would remove kernels or fields."""
        if has_contents or IMPL.get_runtime().materialized:
            raise ProgramEnd(f"{function} would remove the kernels and fields so far")

    def _launch(self, kernel: Any, *arguments: Any, **named: Any) -> Any:
        self._count(1)
        file = kernel.func.__code__.co_filename
        if not is_of_source(file):
            if not file.startswith(("<", os.path.dirname(TI.__file__))):
                self.outside[kernel.func.__name__] = file
            elif kernel.func.__name__ in OF_TAICHI:
                self.of_taichi.setdefault(kernel.func.__name__, _line())
        elif kernel.grad is None:
            self._note_gradient(kernel)
        else:
            if IMPL.get_runtime().target_tape is not None or IMPL.get_runtime().fwd_mode_manager is not None:
                self._note_gradient(kernel.grad)
            self._record(kernel, KERNEL._process_args(kernel, arguments, named))
        zeros = [_zero(each) for each in kernel.return_type or ()]
        return zeros if len(zeros) > 1 else zeros[0] if zeros else None

    def _note_gradient(self, kernel: Any) -> None:
        if kernel not in self.gradients:
            self.gradients.append(kernel)

    def _record(self, kernel: Any, arguments: list[Any]) -> None:
        owner = arguments[0] if is_method(kernel) else None
        key: list[object] = [kernel, id(owner)]
        types: dict[str, Any] = {}
        for argument, value in list(zip(kernel.arguments, arguments, strict=True))[owner is not None :]:
            if isinstance(argument.annotation, TI.template):
                types[argument.name] = value
                key.append(_identity(value))
            elif isinstance(argument.annotation, TYPES.ndarray) and None in (
                argument.annotation.dtype,
                argument.annotation.ndim,
            ):
                types[argument.name] = _array_type(argument.annotation, value)
                key.append(describe_type(types[argument.name]))
        if tuple(key) in self._seen:
            return
        self._seen.add(tuple(key))
        self._idle = 0
        if sum(each.kernel is kernel for each in self.calls) == MAX_INSTANCES:
            self.excess.append(kernel)
            self.contents.use_all()
            return
        self.calls.append(RecordedCall(kernel, owner, types))
        self.contents.launch(partial(self._compile, self.calls[-1]))

    def _compile(self, call: RecordedCall) -> None:
        """Compile a kernel when it is called, as Taichi does: it uses values of variables, which may change."""
        kernel, owner, types, _ = call
        given = {**types} | ({kernel.arguments[0].name: owner} if owner is not None else {})
        try:
            check_parameters(kernel, self._target, given)
            kernel.ensure_compiled(*make_samples(kernel, given, owner))
        except Exception:  # raised again when the kernel is added to the module
            return

    def _finalize_fields(self, is_first_call: bool) -> None:
        """Finalize the fields made since the last call, without memory: no kernel runs.

        Where only one tree has memory, all fields are in it: they are finalized when the program has ended.
        """
        runtime = IMPL.get_runtime()
        self.variables += runtime.global_vars
        if not self._is_complete:
            self._matrices += runtime.matrix_fields
        elif not IMPL._root_fb.finalized and (is_first_call or not IMPL._root_fb.empty):
            IMPL._root_fb._finalize_for_aot()
            IMPL._root_fb = BUILDER.FieldsBuilder()

    def _finalize_builder(self, builder: Any, raise_warning: bool = True) -> Any:
        if self._is_complete:
            return builder._finalize_for_aot()
        self._builders.append(builder)
        return NOTHING

    @property
    def _is_complete(self) -> bool:
        """Whether a tree of fields may be finalized."""
        return self._is_finished or self._target.has_field_trees

    def _run(self, graph: Any, arguments: object) -> None:
        self._count(1)
        self.contents.use_all()
        if not any(graph is each for each in self.graphs):
            self.graphs.append(graph)

    def _accessor(self, place: Any) -> Elements | _Zeros:
        """Return an accessor of a field or ndarray."""
        if hasattr(place, "data_type"):
            return Elements(self.contents, place, _zero_of(place.data_type()))
        return _Zeros(_zero_of(place.element_data_type()))

    def _show(self) -> None:
        self._shows_pictures = True
        self._count(PICTURE)

    def _count(self, calls: int) -> None:
        self._idle += calls
        if self._idle > PATIENCE:  # a loop that shows pictures ends with its window
            raise ProgramEnd("" if self._shows_pictures else f"it made {PATIENCE:,} calls without a new kernel")


class _Zeros:
    """Reads and writes elements of an ndarray, which are 0."""

    def __init__(self, zero: float) -> None:
        self._zero = zero

    def getter(self, *key: int) -> float:
        return self._zero

    def setter(self, value: object, *key: int) -> None:
        pass


def _method(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that passes the object of which it becomes a method."""

    def method(*arguments: Any, **named: Any) -> Any:
        return function(*arguments, **named)

    return method


def _do_nothing(*arguments: Any, **options: Any) -> None:
    pass


def _identity(value: object) -> object:
    """Return what distinguishes a value of a template parameter."""
    if isinstance(value, tuple):
        return tuple(_identity(each) for each in cast("tuple[object, ...]", value))
    return (type(value), value) if is_plain(value) else id(value)


def is_plain(value: object) -> bool:
    """Return whether values that are equal and of the same type are the same to a kernel."""
    return isinstance(value, (bool, int, float, str, np.generic))


def _array_type(annotation: Any, value: Any) -> Any:
    """Return the type of an array that a program passes, or the value if it is none."""
    if isinstance(value, NDARRAY.Ndarray):
        shape = value.element_shape
        has_grad = value.grad is not None  # the compiler ends the process where code uses a gradient that is not stated
        return TYPES.ndarray(dtype=_element_type(shape, value.dtype), ndim=len(value.shape), needs_grad=has_grad)
    try:
        dtype, ndim = UTIL.to_taichi_type(value.dtype), len(value.shape)
    except (AttributeError, TypeError, AssertionError):
        return value
    if isinstance(annotation.dtype, MATRIX.MatrixType):
        shape = value.shape[ndim - annotation.dtype.ndim :]
        return TYPES.ndarray(dtype=_element_type(shape, dtype), ndim=ndim - len(shape))
    return TYPES.ndarray(dtype=dtype, ndim=ndim)


def _element_type(shape: Sequence[int], dtype: Any) -> Any:
    if not shape:
        return dtype
    return TI.types.vector(*shape, dtype) if len(shape) == 1 else TI.types.matrix(*shape, dtype)


def _zero(annotation: Any) -> Any:
    """Return zeros of a kernel's return type."""
    if isinstance(annotation, MATRIX.MatrixType):
        return annotation(0)
    if isinstance(annotation, STRUCT.StructType):
        return annotation()
    return _zero_of(UTIL.cook_dtype(annotation))


def _zero_of(dtype: Any) -> float:
    return ZeroFloat() if CORE.is_real(dtype) else ZeroInt()

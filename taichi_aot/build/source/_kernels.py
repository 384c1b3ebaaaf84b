"""Kernels in the child process: their parameters, places in the source, and sample arguments for compiling."""

from __future__ import annotations

import inspect
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import PurePath
from typing import Any, NamedTuple

from ...values._errors import short
from ...values._numbers import DTYPES, SYMBOL_TYPES, numpy_dtype
from ...values._signature import MAX_NDIM
from .._archs import (
    ARGPACK,
    CORE,
    IMPL,
    KERNEL,
    KERNEL_ARGUMENTS,
    MATRIX,
    NDARRAY,
    STRUCT,
    TEXTURE,
    TI,
    TYPES,
    UTIL,
    Target,
)
from .._options import BuildError

ARRAY_TYPE = "ti.types.ndarray(dtype=ti.f32, ndim=1)"  # an example


class SourcePlace(NamedTuple):
    """The place where a kernel or function is defined, and its docstring."""

    file: str
    line: int
    doc: str


def primal(function: Any) -> Any:
    """Return Taichi's object for a kernel, given the kernel, the function below its decorator, or a bound method."""
    found = getattr(function, "_primal", None)
    if found is None:
        kernels = IMPL.get_runtime().kernels
        found = next((kernel for kernel in kernels if kernel.func is function and kernel.grad is not None), None)
    if not isinstance(found, KERNEL.Kernel):
        name = getattr(function, "__name__", repr(function))
        code = getattr(inspect.unwrap(function), "__code__", None) if callable(function) else None
        where = f"{code.co_filename}, line {code.co_firstlineno}: " if code else ""
        raise BuildError(f"{where}{name} is not a kernel: decorate it with @ti.kernel")
    return found


def is_method(kernel: Any) -> bool:
    """Return whether a call of a kernel passes an object first, which has no annotation: not to a static method."""
    first = next(iter(inspect.signature(kernel.func).parameters.values()), None)
    return bool(kernel.classkernel) and first is not None and first.annotation is first.empty


class Leaf(NamedTuple):
    """What a launch passes as one argument: a parameter, or a member of an argument pack with arrays."""

    name: str  # of a member, the path: pack.inner.x
    annotation: Any


def _leaves(kernel: Any) -> list[Leaf]:
    """Return what a launch passes, in order, including templates."""
    return [leaf for each in kernel.arguments for leaf in _leaves_of(each.name, each.annotation)]


def _arrays(kernel: Any) -> list[Leaf]:
    return [leaf for leaf in _leaves(kernel) if isinstance(leaf.annotation, TYPES.ndarray)]


def _leaves_of(name: str, annotation: Any) -> Iterator[Leaf]:
    members = _members_of_flat(annotation)
    if members is None:
        yield Leaf(name, annotation)
    else:
        for member, type_ in members.items():
            yield from _leaves_of(f"{name}.{member}", type_)


def _members_of_flat(annotation: Any) -> dict[str, Any] | None:
    """Return the members of a pack or struct that is passed as several arguments; None for what is one argument."""
    whole = getattr(annotation, "flat", annotation)
    return None if _is_passed_whole(whole) else whole.members


def parameters(kernel: Any) -> list[str]:
    """Return the names of what a launch passes."""
    return [leaf.name for leaf in _leaves(kernel) if not isinstance(leaf.annotation, TI.template)]


@contextmanager
def packs_as_arguments(*kernels: Any) -> Generator[None]:
    """Let the compiler take argument packs as structs, and those with arrays or a u1 as an argument for each member.

    The code in a kernel reads all of them alike, and launches pass structs and arrays on all archs. The user's program
    gets its kernels back as they were.
    """
    arguments = [each for kernel in kernels for each in kernel.arguments]
    packs = [(each, each.annotation) for each in arguments if isinstance(each.annotation, _groups())]
    declare = KERNEL_ARGUMENTS.decl_struct_arg
    flat = _flat_type()

    def declare_all(annotation: Any, name: str, depth: int) -> Any:
        return _declare(name, annotation) if isinstance(annotation, flat) else declare(annotation, name, depth)

    try:
        for argument, pack in packs:
            argument.annotation = _struct_of(pack) if _is_passed_whole(pack) else flat(pack)
        KERNEL_ARGUMENTS.decl_struct_arg = declare_all
        yield
    finally:
        KERNEL_ARGUMENTS.decl_struct_arg = declare
        for argument, pack in packs:
            argument.annotation = pack


def _element_type(dtype: Any) -> Any:
    if not isinstance(dtype, MATRIX.MatrixType):
        return UTIL.cook_dtype(dtype)
    return CORE.get_type_factory_instance().get_tensor_type(dtype.get_shape(), dtype.dtype)


def _groups() -> tuple[Any, ...]:
    return ARGPACK.ArgPackType, STRUCT.StructType


def _is_passed_whole(annotation: Any) -> bool:
    """Return whether it is one argument: not a group with an object in it, or a u1, which SPIR-V's structs lack."""
    if not isinstance(annotation, _groups()):
        return True
    objects = (TYPES.ndarray, TYPES.texture, TYPES.rw_texture, TYPES.sparse_matrix_builder)
    return not any(
        isinstance(member, objects) or getattr(member, "dtype", member) is TI.u1 or not _is_passed_whole(member)
        for member in annotation.members.values()
    )


def _struct_of(group: Any) -> Any:
    """Return the struct of the members of a pack, and what is no pack as it is."""
    if not isinstance(group, ARGPACK.ArgPackType):
        return group
    return STRUCT.StructType(**{name: _struct_of(member) for name, member in group.members.items()})


@cache
def _flat_type() -> Any:
    """Return the class of annotations for what is passed as several arguments; Taichi is imported by now."""

    class Flat(STRUCT.StructType):  # type: ignore[misc]
        # The compiler calls `decl_struct_arg` for a struct, and uses nothing else of this one.
        def __init__(self, group: Any) -> None:
            self.flat = group

    return Flat


class _Pack:
    """An argument pack in the code of a kernel."""

    _data_oriented = True  # so that functions take it as a template

    def __init__(self, members: Mapping[str, Any]) -> None:
        vars(self).update(members)


def _declare(name: str, annotation: Any) -> Any:
    """Declare the arguments of a parameter or member to the compiler; return what the code of the kernel reads."""
    members = _members_of_flat(annotation)
    if members is not None:
        declared = {member: _declare(f"{name}.{member}", type_) for member, type_ in members.items()}
        whole = getattr(annotation, "flat", annotation)
        return _Pack(declared) if isinstance(whole, ARGPACK.ArgPackType) else _struct_in_code(whole, declared)
    annotation = _struct_of(annotation)
    own = f"_{name}"  # as the compiler names objects
    if isinstance(annotation, TYPES.ndarray):
        element, boundary = _element_type(annotation.dtype), annotation.boundary
        return KERNEL_ARGUMENTS.decl_ndarray_arg(element, annotation.ndim, own, bool(annotation.needs_grad), boundary)
    if isinstance(annotation, TYPES.texture):
        return KERNEL_ARGUMENTS.decl_texture_arg(annotation.num_dimensions, own)
    if isinstance(annotation, TYPES.rw_texture):
        return KERNEL_ARGUMENTS.decl_rw_texture_arg(annotation.num_dimensions, annotation.fmt, 0, own)
    if isinstance(annotation, MATRIX.MatrixType):
        return KERNEL_ARGUMENTS.decl_matrix_arg(annotation, name, 0)
    if isinstance(annotation, STRUCT.StructType):
        return KERNEL_ARGUMENTS.decl_struct_arg(annotation, name, 0)
    return KERNEL_ARGUMENTS.decl_scalar_arg(annotation, name, 0)


def _struct_in_code(type_: Any, members: dict[str, Any]) -> Any:
    struct = STRUCT.Struct({**members, "__struct_methods": type_.methods})
    struct._Struct__dtype = type_.dtype  # as the compiler's own, for real functions
    return struct


def source_place(kernel: Any) -> SourcePlace:
    """Return the place of a kernel in its source; BuildError if its source is not in a file."""
    function = kernel.func
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        raise BuildError(
            f"kernel {function.__name__} has no source that can be read: define it in a .py file, "
            "not in a notebook, by exec() or in `python -c`"
        ) from None
    starts = (number for number, line in enumerate(lines) if line.lstrip().startswith(("def ", "async def ")))
    definition = next(starts, None)
    if definition is None:
        raise BuildError(f"kernel {function.__name__} is not a function that `def` defines: write one")
    file = PurePath(function.__code__.co_filename)
    if file.is_absolute():  # outside the source's folder: its path depends on this machine
        is_program = function.__module__ == "__main__"
        file = PurePath(file.name) if is_program else PurePath(*function.__module__.split(".")).with_suffix(".py")
    return SourcePlace(file.as_posix(), first + definition, inspect.getdoc(function) or "")


def require_types(function: Any) -> None:
    """Raise if an annotation of a kernel or function is a string."""
    text = next((each for each in function.__annotations__.values() if isinstance(each, str)), None)
    if text is not None:
        raise BuildError(
            f"annotations are strings, such as {text!r}, and Taichi needs types: "
            "remove `from __future__ import annotations`, or the quotes"
        )


def why_untyped(function: Any, message: str) -> str:
    """Return what is wrong with the annotations of a kernel or function, given Taichi's message."""
    all_parameters = list(inspect.signature(function).parameters.values())
    number = re.search(r"\(argument (\d+)\)", message)
    if number:
        name, annotation = all_parameters[int(number[1])].name, all_parameters[int(number[1])].annotation
        is_array = any(word in str(annotation).lower() for word in ("array", "tensor", "list"))
        number_type = next((f"ti.{dtype}" for dtype in DTYPES if annotation is numpy_dtype(dtype).type), "ti.f32")
        remedy = f"write {name}: {ARRAY_TYPE if is_array else number_type}"
        if annotation in (str, bytes):
            remedy = f"pass a number, {name}: ti.i32, or a text that the build knows, {name}: ti.template()"
        shown = getattr(annotation, "__qualname__", None) or short(annotation)
        return f"parameter {name} is annotated {shown}, which is not a type of Taichi: {remedy}"
    untyped = [each.name for each in all_parameters if each.annotation is each.empty and each.name != "self"]
    if untyped and "annotated" in message:
        return f"parameter {untyped[0]} has no type: write {untyped[0]}: ti.f32, or {untyped[0]}: {ARRAY_TYPE}"
    return message


def check_parameters(kernel: Any, target: Target, template_types: Mapping[str, Any]) -> None:
    """Refuse parameters that the compiler would compile wrongly, or reject with a less helpful message."""
    leaves = _leaves(kernel)
    names = [leaf.name for leaf in leaves]
    for given in template_types:
        if given not in names:
            raise BuildError(f"there is no parameter {given!r} to give a type to; there are: {', '.join(names)}")
    for leaf in leaves:
        where = f"parameter {leaf.name}"
        annotation = leaf.annotation
        if isinstance(annotation, TI.template) and leaf.name not in template_types:
            raise BuildError(
                f"{where} is a template, which needs a value at compile time: "
                f'give it in template_types={{"{leaf.name}": ...}}, or by add_kernel_template in build(module)'
            )
        if isinstance(annotation, TYPES.ndarray):
            hint = f', or give it in template_types={{"{leaf.name}": {ARRAY_TYPE}}}' * ("." not in leaf.name)
            _check_array(where, _array_type(leaf, template_types), target, hint)
        if isinstance(annotation, (TYPES.texture, TYPES.rw_texture)) and not target.has_textures:
            raise BuildError(f"{where} is a texture, which {target.arch} does not have: build it only for vulkan")
        if isinstance(annotation, TYPES.sparse_matrix_builder):
            raise BuildError(
                f"{where} is a sparse matrix builder, which a module cannot have: write rows, columns and "
                "values to ndarrays, of which scipy.sparse.coo_array makes a matrix"
            )


def _array_type(argument: Any, template_types: Mapping[str, Any]) -> Any:
    """Return the type of an ndarray: from `template_types`, else its annotation."""
    return template_types.get(argument.name, argument.annotation)


def _ndim(array: Any) -> int:
    """Return the number of dimensions of an ndarray or of its type."""
    ndim: int = array.ndim if isinstance(array, TYPES.ndarray) else len(array.shape)
    return ndim


def ndims(kernel: Any, template_types: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of dimensions of each ndarray, by parameter."""
    return {leaf.name: _ndim(_array_type(leaf, template_types)) for leaf in _arrays(kernel)}


def _check_array(where: str, array: Any, target: Target, hint: str = "") -> None:
    is_annotation = isinstance(array, TYPES.ndarray)
    if not is_annotation and not isinstance(array, NDARRAY.Ndarray):
        raise BuildError(f"{where} is an ndarray: its type is given as ti.types.ndarray(dtype=..., ndim=...)")
    missing = [part for part in ("dtype", "ndim") if is_annotation and getattr(array, part) is None]
    if missing:
        raise BuildError(
            f"{where} is an ndarray with no {' and no '.join(missing)}: write {ARRAY_TYPE} or the like{hint}"
        )
    if type(_ndim(array)) is not int:
        raise BuildError(f"{where} is an ndarray whose ndim is {_ndim(array)}: write {ARRAY_TYPE}")
    if _ndim(array) > MAX_NDIM:
        raise BuildError(
            f"{where} is an ndarray of {_ndim(array)} dimensions, and Taichi launches kernels with at most {MAX_NDIM}: "
            "join some dimensions to one"
        )
    if isinstance(array.dtype, STRUCT.StructType):
        raise BuildError(
            f"{where} is an ndarray of structs, which Taichi does not have: use an ndarray for each member"
        )
    try:
        dtype = element_dtype(array)
    except ValueError:
        raise BuildError(
            f"{where} is an ndarray of {array.dtype!r}, which is not a type of numbers: use one such as ti.f32"
        ) from None
    if dtype is TI.u1 and not target.stores_u1:
        raise BuildError(f"{where} is an ndarray of u1, which {target.arch} cannot store: use ti.u8 or ti.i32")


def check_shapes(kernel: Any, shapes: Mapping[str, Sequence[str | int]], template_types: Mapping[str, Any]) -> None:
    """Refuse stated shapes that do not fit the parameters."""
    for argument in _leaves(kernel):
        where = f"parameter {argument.name}"
        is_array = isinstance(argument.annotation, TYPES.ndarray)
        shape = shapes.get(argument.name)
        if shape is not None and not is_array:
            raise BuildError(f"{where} has a stated shape and is not an ndarray")
        if shape is not None:
            array = _array_type(argument, template_types)
            ndim = _ndim(array)
            if len(shape) != ndim:
                raise BuildError(f"{where} has {ndim} dimensions, and its stated shape {len(shape)}: {tuple(shape)}")
        is_symbol = any(argument.name in each for each in shapes.values())
        if is_symbol and (is_array or not _is_integer(argument.annotation)):
            raise BuildError(
                f"{where} is not an integer, and a symbol of stated shapes has its name: give the symbol another name"
            )


def _is_integer(annotation: Any) -> bool:
    return any(annotation is each for each in (int, *(getattr(TI, str(dtype)) for dtype in SYMBOL_TYPES)))


def element_dtype(array: Any) -> Any:
    """Return the primitive type of the elements."""
    dtype = array.dtype
    return UTIL.cook_dtype(dtype.dtype if isinstance(dtype, MATRIX.MatrixType) else dtype)


def dtypes(kernel: Any, template_types: Mapping[str, Any]) -> dict[str, str]:
    """Return Taichi's names of the types of numbers that a launch passes, by parameter."""
    arrays = {leaf.name: str(element_dtype(_array_type(leaf, template_types))) for leaf in _arrays(kernel)}
    return {leaf.name: arrays.get(leaf.name, _number_dtype(leaf)) for leaf in _leaves(kernel)}


def number_dtypes(kernel: Any) -> list[str]:
    """Return Taichi's names of the types of the numbers, vectors and matrices that a launch passes."""
    return [_number_dtype(leaf) for leaf in _leaves(kernel) if not isinstance(leaf.annotation, TYPES.ndarray)]


def _number_dtype(leaf: Leaf) -> str:
    return str(getattr(leaf.annotation, "dtype", leaf.annotation))


def gradients(kernel: Any) -> list[str]:
    """Return the names of the arrays with a gradient."""
    return [leaf.name for leaf in _arrays(kernel) if leaf.annotation.needs_grad]


def float_arrays(kernel: Any, template_types: Mapping[str, Any]) -> list[str]:
    """Return the names of the arrays of floats, vectors or matrices of floats."""
    dtypes = {leaf.name: _array_type(leaf, template_types).dtype for leaf in _arrays(kernel)}
    numbers = {name: UTIL.cook_dtype(getattr(dtype, "dtype", dtype)) for name, dtype in dtypes.items()}
    return [name for name, dtype in numbers.items() if str(dtype).startswith("f")]


def describe_type(array: Any) -> str:
    """Return the type of an ndarray as it is written in a source."""
    if not isinstance(array, TYPES.ndarray):
        return f"a {type(array).__name__}"
    dtype = array.dtype
    if isinstance(dtype, MATRIX.MatrixType):
        sizes = ", ".join(map(str, dtype.get_shape()))
        text = f"ti.types.{'vector' if dtype.ndim == 1 else 'matrix'}({sizes}, ti.{dtype.dtype})"
    else:
        text = f"ti.{UTIL.cook_dtype(dtype)}"
    return f"ti.types.ndarray({text}, {array.ndim})"


def adjoint_of(function: Any) -> Any:
    """Return Taichi's object for the adjoint of a kernel, given what `primal` takes."""
    found = getattr(function, "_adjoint", None)
    if found is not None:
        return found
    kernel, kernels = primal(function), IMPL.get_runtime().kernels
    return next(each for each in kernels if each.func is kernel.func and each.grad is None)


def adjoint_samples(kernel: Any, template_types: Mapping[str, Any], owner: Any = None) -> list[Any]:
    """Create an argument of each parameter's type, where arrays of floats have a gradient."""
    samples = make_samples(kernel, template_types, owner)
    floats = [
        i
        for i, each in enumerate(kernel.arguments)
        if isinstance(each.annotation, TYPES.ndarray)
        and element_dtype(_array_type(each, template_types)) in (TI.f16, TI.f32, TI.f64)
        and each.annotation.needs_grad is not False
    ]
    if not floats:
        raise BuildError("there is nothing to differentiate: grad=True needs an ndarray of floats among its parameters")
    for i in floats:
        array = _array_type(kernel.arguments[i], template_types)
        samples[i] = TI.ndarray(array.dtype, (2,) * _ndim(array), needs_grad=True)
    return samples


def make_samples(kernel: Any, template_types: Mapping[str, Any], owner: Any = None) -> list[Any]:
    """Create an argument of each parameter's type, for the compiler; `owner` is that of a method."""
    samples: list[Any] = []
    for argument in kernel.arguments:
        if owner is not None and not samples:
            samples.append(owner)
        elif isinstance(argument.annotation, TI.template):
            samples.append(template_types[argument.name])
        elif isinstance(argument.annotation, TYPES.ndarray):
            samples.append(_array_sample(_array_type(argument, template_types)))
        else:
            samples.append(_sample(argument.annotation))
    return samples


def _array_sample(array: Any) -> Any:
    if not isinstance(array, TYPES.ndarray):
        return array
    return TI.ndarray(array.dtype, (2,) * array.ndim, needs_grad=bool(array.needs_grad))


def _sample(annotation: Any) -> Any:
    if isinstance(annotation, TYPES.texture):
        return TEXTURE.Texture(TI.Format.rgba8, (2,) * annotation.num_dimensions)
    if isinstance(annotation, TYPES.rw_texture):
        return TEXTURE.Texture(annotation.fmt, (2,) * annotation.num_dimensions)
    if isinstance(annotation, MATRIX.MatrixType):
        return MATRIX.Matrix([0] * annotation.n * annotation.m, dt=annotation.dtype)
    return 0  # the compiler takes the type of numbers and structs from the annotation

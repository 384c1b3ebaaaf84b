"""Accessors of fields: kernels that copy a field to an ndarray and back; only for child processes.

The host cannot access fields through the C-API, but it can launch kernels. ``taichi_aot_get_NAME(target)`` and
``taichi_aot_set_NAME(source)`` take one ndarray with the field's shape, element shape and dtype.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from .._archs import FIELD, IMPL, MATRIX, SNODE, STRUCT, TI, Target
from .._options import BuildError, LayoutError
from . import _accessors as accessors

LARGEST_ARRAY = 2**31 - 1  # kernels compute indices as i32
WORD = 4  # bytes of the words of a mask
SPARSE = ("pointer", "bitmasked", "dynamic", "hash")


class FieldPart(NamedTuple):
    """A field of scalars, vectors or matrices as it is added to a module."""

    name: str  # its name; ``NAME.MEMBER`` for a member of a struct field
    field: Any  # the field
    dtype: str  # Taichi's name of the type of its numbers; the compute type for a quantized type
    # shape, elem_shape: its shape and its element shape.
    shape: tuple[int, ...]
    elem_shape: tuple[int, ...]
    # Whether the module can have an entry for it. LLVM modules have memory only for trees that contain a field with
    # an entry. SPIR-V modules have memory for all trees, and can have entries for fields in dense nodes at the root
    # of tree 0.
    has_entry: bool
    # Kernels by what they do: ``get`` and ``set``, unless the field is too large for an ndarray; of sparse fields
    # also ``gather`` and ``scatter``.
    accessors: dict[str, Any]

    def description(self) -> dict[str, Any]:
        """Return its entry in ``bundle.json``."""
        shapes = {"shape": list(self.shape), "elem_shape": list(self.elem_shape)}
        return {"name": self.name, "dtype": self.dtype} | shapes | {role: self.kernel(role) for role in self.accessors}

    def kernel(self, role: str) -> str:
        """Return the name of an accessor."""
        return f"taichi_aot_{role}_{self.name}"


def field_parts(name: str, field: Any, target: Target) -> Iterator[FieldPart]:
    """Yield the parts to add for a field of the source: itself, or all nested members of a struct field."""
    if isinstance(field, STRUCT.StructField):
        for key in field.keys:
            yield from field_parts(f"{name}.{key}", field.get_member_field(key), target)
    elif isinstance(field, FIELD.ScalarField | MATRIX.MatrixField):
        yield _part(name, field, target)
    else:
        raise BuildError(
            f"field {name} is a {type(field).__name__}: add a field of scalars, vectors, matrices or structs"
        )


def _part(name: str, field: Any, target: Target) -> FieldPart:
    nodes = [var.ptr.snode() for var in field.vars]
    if None in nodes:
        raise BuildError(f"field {name} is not placed: give it a shape, or place it below ti.root, before it is added")
    shape, first = _domain(nodes[0])
    if any(_domain(node) != (shape, first) for node in nodes):
        raise BuildError(f"the components of field {name} have different shapes or offsets: add each by itself")
    if target.packs_fields:
        _check_spirv(name, nodes[0], target)
    if target.aligns_words:
        _check_masks(nodes[0], target)
    dtype = compute_type(str(field.dtype))
    elem_shape = (field.n, field.m)[: field.ndim] if isinstance(field, MATRIX.MatrixField) else ()
    kernels: dict[str, Any] = {}
    layout = getattr(TI, dtype), shape, first, elem_shape
    if math.prod(shape) * math.prod(elem_shape) <= LARGEST_ARRAY:
        get, put = _kernels(field, *layout)
        kernels = {"get": get, "set": put}
    if _has_loop(field):
        kernels |= {"gather": accessors.gatherer(field, *layout), "scatter": accessors.scatterer(field, *layout)}
    return FieldPart(name, field, dtype, shape, elem_shape, not target.packs_fields or _is_simple(nodes[0]), kernels)


def _domain(node: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the shape of a field, and its smallest index in each dimension."""
    shape = _shape(node)
    return shape, tuple(node.offset) or (0,) * len(shape)


def _kernels(field: Any, *layout: Any) -> tuple[Any, Any]:
    if not _shape(field.snode.ptr):
        return accessors.getter_of_one(field, *layout), accessors.setter_of_one(field, *layout)
    if not any(_is_sparse(var.ptr.snode()) for var in field.vars):
        return accessors.getter(field, *layout), accessors.setter(field, *layout)
    layout += (_parts(field),)
    return accessors.sparse_getter(field, *layout), accessors.sparse_setter(field, *layout)


def _has_loop(field: Any) -> bool:
    """Return whether a loop over a sparse field visits its elements: those of dynamic nodes skip some."""
    nodes = [var.ptr.snode() for var in field.vars]
    types = {each.type.name for node in nodes for each in _path(node)}
    return _is_sparse(nodes[0]) and "dynamic" not in types and len(_parts(field)) == 1


def _parts(field: Any) -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """Return the arguments `parts` of sparse accessors: the parts of a field in the same bitmasked nodes."""
    parts: dict[tuple[int, ...], list[int]] = {}
    for number, var in enumerate(field.vars):
        parts.setdefault(tuple(node.id for node in _bitmasked(var.ptr.snode())), []).append(number)
    if len(parts) == 1:
        return [(_existence(field.vars[0]), [((), field)])]
    return [
        (
            _existence(field.vars[numbers[0]]),
            [(divmod(number, field.m)[: field.ndim], FIELD.ScalarField(field.vars[number])) for number in numbers],
        )
        for numbers in parts.values()
    ]


def _existence(var: Any) -> Any:
    """Return a function that tells whether a number of a field exists."""
    place = var.ptr.snode()
    sizes = list(zip(_axes(place), _shape(place), strict=True))
    nodes: list[tuple[Any, list[tuple[int, int]]]] = []
    for node in _bitmasked(place):
        cells = dict(zip(_axes(node), _shape(node), strict=True))
        lengths = [(number, size // cells[axis]) for number, (axis, size) in enumerate(sizes) if axis in cells]
        nodes.append((SNODE.SNode(node), lengths))
    return accessors.existence(nodes)


def compute_type(dtype: str) -> str:
    """Return the type for reading and writing a dtype: u32 for ``qu5``, f32 for ``qfl(d=qi10 e=qu5 c=f32)``."""
    if match := re.fullmatch(r"q([iu])(\d+)", dtype):
        return f"{match[1]}{32 if int(match[2]) <= 32 else 64}"
    match = re.search(r" c=(\w+)", dtype)
    return match[1] if match else dtype


def _is_sparse(node: Any) -> bool:
    """Return whether the first write to a cell of a field creates it."""
    return any(each.type.name in SPARSE for each in _path(node))


def _bitmasked(node: Any) -> list[Any]:
    """Return the bitmasked nodes above a field."""  # reading the field does not tell whether they have a cell
    return [each for each in _path(node) if each.type.name == "bitmasked"]


def _is_simple(node: Any) -> bool:
    """Return whether a SPIR-V module can have an entry for a field."""
    cell = node.parent
    if node.get_snode_tree_id():
        return False
    return cell.parent.type.name == "root" and all(child.is_place() for child in _children(cell))


def _check_spirv(name: str, node: Any, target: Target) -> None:
    """Raise for fields that overlap in Taichi's SPIR-V code, or for which the C library has no memory."""
    IMPL.get_runtime().materialize()  # fields have trees from now on
    tree = node.get_snode_tree_id()
    if tree and not target.has_field_trees:
        raise BuildError(
            f"field {name} is in tree {tree} of fields, and for {target.arch} the C library has memory for tree "
            "0 only: place all fields before the first kernel is compiled, without ti.FieldsBuilder"
        )
    *_, root = _path(node)
    for place in _overlapping(root):
        size, kind = _size(place), f"a field of {place.data_type()} and shape {_shape(place)}"
        if size == 1:
            raise LayoutError(f"{kind}: SPIR-V code of Taichi stores four numbers of u1 in one place; use i32 or u8")
        raise LayoutError(
            f"{kind} would not begin at a multiple of {size} bytes, and share bytes with other fields: SPIR-V code of "
            "Taichi lays out fields from the smallest to the largest without gaps. Give smaller fields sizes that are "
            f"multiples of {size} bytes"
        )


def _check_masks(node: Any, target: Target) -> None:
    """Raise for a field whose bitmasked nodes have a mask, which follows their cells, at no multiple of 4 bytes."""
    IMPL.get_runtime().materialize()  # cells have sizes from now on
    for each in _bitmasked(node):
        size = _cells(each) * each.cell_size_bytes
        if size % WORD:
            raise LayoutError(
                f"a field of {node.data_type()} and shape {_shape(node)} has bitmasked nodes of {size} bytes: on "
                f"{target.arch} they need a multiple of {WORD}, because Taichi's code has words behind their cells"
            )


def _overlapping(node: Any, begin: int = 0, unit: int = 0) -> Iterator[Any]:
    """Yield the fields below a node that overlap others in Taichi's SPIR-V code.

    `begin` is the offset of the node's first cell in bytes, and `unit` divides the distances between its cells.
    """
    for child in sorted(_children(node), key=_size):
        if child.is_place():
            if str(child.data_type()) == "u1" or math.gcd(unit, begin) % _size(child):
                yield child
        else:
            cell = sum(map(_size, _children(child)))
            yield from _overlapping(child, begin, math.gcd(unit, cell) if _size(child) > cell else unit)
        begin += _size(child)


def _size(node: Any) -> int:
    """Return the size of a node in the memory of a SPIR-V module, in bytes."""
    if node.is_place():
        return max(int(str(node.data_type())[1:]) // 8, 1)
    return _cells(node) * sum(map(_size, _children(node)))


def _cells(node: Any) -> int:
    """Return how many cells a node has in each cell of its parent."""
    return math.prod(_shape(node)) // math.prod(_shape(node.parent)) if node.parent is not None else 1


def _path(node: Any) -> Iterator[Any]:
    """Yield a node and its ancestors, up to the root."""
    while node is not None:
        yield node
        node = node.parent


def _children(node: Any) -> list[Any]:
    return [node.get_ch(i) for i in range(node.get_num_ch())]


def _axes(node: Any) -> list[int]:
    """Return Taichi's axis numbers for the dimensions of a node."""
    return list(node.get_physical_index_position()[: node.num_active_indices()])


def tree_sizes() -> list[int]:
    """Return the sizes of all trees of fields in the memory of a SPIR-V module, in bytes."""
    program = IMPL.get_runtime().prog
    return [_size(program.get_snode_root(tree)) for tree in range(program.get_snode_tree_size())]


def member_functions(program: Any) -> str:
    """Return LLVM IR of the functions by which loops find the nodes below a node of fields, as the compiler names them.

    The compiler writes its own to a file when fields get their memory, which a program may do before it makes a module.
    `program` is the compiler's object for all fields.
    """
    nodes = [program.get_snode_root(tree) for tree in range(program.get_snode_tree_size())]
    functions: list[str] = []
    for node in nodes:
        for child in _children(node):
            nodes.append(child)
            functions.append(
                f"define i8* @get_ch_S{node.id}_to_S{child.id}(i8* %node) {{\n"
                f"  %child = getelementptr i8, i8* %node, i64 {child.offset_bytes_in_parent_cell}\n"
                "  ret i8* %child\n}\n"
            )
    return "".join(functions)


def _shape(node: Any) -> tuple[int, ...]:
    return tuple(node.get_shape_along_axis(i) for i in range(node.num_active_indices()))

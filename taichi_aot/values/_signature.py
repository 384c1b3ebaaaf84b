"""Signatures: the parameters of a kernel or compute graph, as its module states them."""

from __future__ import annotations

import keyword
import math
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from ._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    InvalidArgumentError,
    NotSupportedError,
    count,
    describe,
    short,
)
from ._items import Record
from ._numbers import SYMBOL_TYPES, DataType, array_type, as_integer, element_name, item_size, to_data_type

if TYPE_CHECKING:
    import numpy as np


# Names of parameters that are paths: ``pack.inner.x`` is the array ``x`` of an argument ``pack``.


Tree: TypeAlias = (
    "dict[str, int | Tree]"  # the indices of parameters by their names, those of packs by that of the pack
)


@lru_cache(maxsize=256)  # many kernels have the same
def tree_of(names: tuple[str, ...]) -> Tree:
    """Return the arguments of a call by name; ValueError if one name is that of a parameter and of a pack."""
    tree: Tree = {}
    for i, name in enumerate(names):
        *packs, last = name.split(".")
        inner = tree
        for pack in packs:
            found = inner.setdefault(pack, {})
            if isinstance(found, int):
                raise InvalidArgumentError(f"{name!r} is a member of a parameter that is not an argument pack")
            inner = found
        if last in inner:
            raise InvalidArgumentError(f"the name {name!r} occurs twice")
        inner[last] = i
    return tree


def nested(names: Sequence[str], values: Sequence[Any]) -> list[Any]:
    """Return the arguments of a call, given those of all parameters: a dict for each pack."""
    return list(_nested(tree_of(tuple(names)), values).values())


def _nested(tree: Tree, values: Sequence[Any]) -> dict[str, Any]:
    return {name: values[each] if isinstance(each, int) else _nested(each, values) for name, each in tree.items()}


# Signatures: the parameters of a kernel or compute graph, as its module states them.


StatedShape: TypeAlias = "str | int | Sequence[str | int]"

LARGEST_SIZE = 2**31 - 1  # of a dimension: kernels index with i32
TEXTURES = ("texture", "rw_texture")  # kinds of parameters that take images
MAX_NDIM = 12  # of arrays: Taichi compiles kernels for more, which no launch accepts
U1_IN_SPIRV = {
    "ndarray": "Taichi's SPIR-V code stores four elements of an ndarray of u1 in one place; use u8 or i32",
    "matrix": "drivers reject Taichi's SPIR-V code for vectors and matrices of u1; use u8 or i32",
}
ParameterKind: TypeAlias = Literal["scalar", "matrix", "ndarray", "texture", "rw_texture", "argpack", "struct"]


class Parameter(Record):
    """One parameter of a kernel or graph.

    Attributes
    ----------
    name : str
        The name in the source. LLVM modules do not store it: it comes from the module's description or from a graph
        that dispatches the kernel, else it is ``arg0``, ``arg1`` and so on. The same holds if a SPIR-V module states
        another kernel's names: see `KernelInfo.names_of`.
    kind : str
        ``"scalar"``, ``"matrix"`` (also for vectors), ``"ndarray"``, ``"texture"``, ``"rw_texture"``, ``"argpack"`` or
        ``"struct"``. See `Signature.taken` for argument packs; those of modules that Taichi wrote cannot be passed.
    dtype : DataType or None
        Type of the scalar or of the numbers in the elements; None for textures, argument packs and structs.
    ndim : int
        Dimensions of an ndarray or a texture.
    elem_shape : tuple of int
        Element shape of an ndarray, or the shape of a matrix.
    access : str
        ``"r"``, ``"w"``, ``"rw"``, or ``""`` if the module does not state it: code for CPUs only states ``"r"``. For
        a graph, all kernels that it dispatches count.
    format : str
        Format of a ``"rw_texture"`` by Taichi's name (``"rgba8"``), if the kernel's code states it; else empty.
    grad : bool
        Whether the kernel's code uses the gradient of an ndarray: a call takes an array that has one, or ``grads``.
        Graphs and functions cannot pass it. False for gfx modules, whose code uses the array itself instead.
    shape : tuple of str or int
        Required sizes of the dimensions of an ndarray, without those of its elements: numbers, or symbols. A symbol
        means the same number in all parameters of the kernel or graph. A symbol with the name of an integer scalar
        means its value. Empty if no shape is stated. Launches check it; see `Signature.with_shapes`.
    layout : numpy.dtype or None
        The members of a struct, where the kernel's code reads them. None for other kinds, and for a struct that cannot
        be passed.
    pack : tuple of Parameter
        The members of an argument pack that can be passed.

    Examples
    --------
    >>> print(saxpy.signature.parameters[1])
    x: ndarray[f32, 1]
    >>> saxpy.signature.parameters[1].kind
    'ndarray'
    >>> print(saxpy.signature.parameters[1]._replace(shape=("n",)))
    x: ndarray[f32, 1, shape=(n,)]
    """

    name: str
    kind: ParameterKind
    dtype: DataType | None = None
    ndim: int = 0
    elem_shape: tuple[int, ...] = ()
    access: str = ""
    format: str = ""
    grad: bool = False
    shape: tuple[str | int, ...] = ()
    layout: np.dtype[Any] | None = None
    pack: tuple[Parameter, ...] = ()

    @property
    def members(self) -> tuple[Parameter, ...]:
        """The members of a struct or pack, each as a parameter with its own name; empty for other kinds.

        Examples
        --------
        >>> saxpy.signature.parameters[0].members
        ()
        """
        if self.layout is None:
            return self.pack
        return tuple([member.parameter for member in placed_members(self.layout)])

    @property
    def type_name(self) -> str:
        """The type as Taichi spells it, without the shape of an ndarray: ``f32``, ``ndarray[vector(3, f32), 2]``."""
        if self.kind in TEXTURES:
            return f"{self.kind}[{f'{self.format}, ' * bool(self.format)}{self.ndim}]"
        if self.members:
            return f"{self.kind}({', '.join(map(str, self.members))})"
        if self.dtype is None:
            return self.kind
        if self.kind == "ndarray":
            return str(array_type(self.dtype, self.ndim, self.elem_shape))
        return element_name(self.dtype, self.elem_shape)

    def to_dict(self) -> dict[str, Any]:
        """Return the parameter as dicts, lists, strings and numbers, for ``json.dumps``."""
        return {
            "name": self.name,
            "kind": self.kind,
            "type": self.type_name,
            "dtype": None if self.dtype is None else str(self.dtype),
            "ndim": self.ndim,
            "elem_shape": list(self.elem_shape),
            "access": self.access,
            "format": self.format,
            "grad": self.grad,
            "shape": list(self.shape),
            "members": [member.to_dict() for member in self.members],
        }

    def __str__(self) -> str:
        if not self.shape:
            return f"{self.name}: {self.type_name}"
        sizes = ", ".join(map(str, self.shape))
        return f"{self.name}: {self.type_name[:-1]}, shape=({sizes}{',' * (len(self.shape) == 1)})]"

    def __repr__(self) -> str:
        return f"<Parameter {self}>"


class PlacedMember(Record):
    """A member of a struct, `size` bytes from `offset` on."""

    parameter: Parameter
    offset: int
    size: int


def placed_members(layout: np.dtype[Any]) -> list[PlacedMember]:
    """Return the members of a struct, in order."""
    fields = cast("Mapping[str, Any]", layout.fields or {})
    found = [(name, *fields[name][:2]) for name in layout.names or ()]
    return [PlacedMember(_member(name, dtype), offset, dtype.itemsize) for name, dtype, offset in found]


def _member(name: str, dtype: np.dtype[Any]) -> Parameter:
    if dtype.fields is not None:
        return Parameter(name, "struct", layout=dtype)
    number = to_data_type(dtype.base)
    return Parameter(name, "matrix" if dtype.shape else "scalar", number, elem_shape=dtype.shape)


class Signature(Record):
    """The parameters and return values of a kernel or graph; ``str()`` formats them like a Python signature.

    Attributes
    ----------
    name : str
        Name of the kernel or graph.
    parameters : tuple of Parameter
        In order of position. The members of an argument pack with arrays are parameters with their paths as names, such
        as ``pack.x``; `taken` has the packs.
    returns : tuple of str
        Types of the return values.

    Examples
    --------
    >>> print(saxpy.signature)
    saxpy(a: f32, x: ndarray[f32, 1], y: ndarray[f32, 1])
    """

    name: str
    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...] = ()

    @property
    def taken(self) -> tuple[Parameter, ...]:
        """The parameters of a call: as `parameters`, but with one parameter for each argument pack.

        Examples
        --------
        >>> saxpy.signature.taken == saxpy.signature.parameters
        True
        """
        names = tuple([parameter.name for parameter in self.parameters])
        if not any("." in name for name in names):
            return self.parameters
        return _taken(tree_of(names), self.parameters)

    def renamed(self, names: Sequence[str]) -> Signature:
        """Return the signature with other parameter names.

        Parameters
        ----------
        names : sequence of str
            A Python identifier for each parameter, in order. Names are normalized to NFKC, as Python normalizes
            identifiers: ``"ﬁ"`` becomes ``"fi"``.

        Raises
        ------
        TypeError
            If `names` is a str, or a name is not a str.
        ValueError
            If the number of names is not the number of parameters, a name is not an identifier or is a keyword, or
            a name occurs twice.

        Examples
        --------
        >>> print(saxpy.signature.renamed(["alpha", "source", "target"]))
        saxpy(alpha: f32, source: ndarray[f32, 1], target: ndarray[f32, 1])
        """
        given = cast("Sequence[object]", names)
        if isinstance(given, str | bytes) or not all(isinstance(name, str) for name in given):
            raise ArgumentTypeError(f"{self.name}: names must be a sequence of str, not {short(names)}")
        if len(names) != len(self.parameters):
            raise InvalidArgumentError(f"{self} has {len(self.parameters)} parameters, not {len(names)}")
        normal = [normal_form(name) for name in names]
        old = {p.name: name for p, name in zip(self.parameters, normal, strict=True)}
        symbols = {size for p in self.parameters for size in p.shape if isinstance(size, str)} - set(old)
        for name in normal:
            if not _is_parameter_name(name):
                raise InvalidArgumentError(
                    f"{self.name}: {name!r} cannot name a parameter: it is not a Python identifier"
                )
            if normal.count(name) > 1:
                raise InvalidArgumentError(f"{self.name}: the name {name!r} occurs twice in {tuple(names)}")
            if name in symbols:
                raise InvalidArgumentError(
                    f"{self.name}: {name!r} cannot name a parameter: it is a size in the shapes of {self}"
                )
        parameters = tuple(
            p._replace(
                name=old[p.name],
                shape=tuple(old.get(size, size) if isinstance(size, str) else size for size in p.shape),
            )
            for p in self.parameters
        )
        return self._replace(parameters=parameters)

    def with_shapes(self, shapes: Mapping[str, StatedShape]) -> Signature:
        """Return the signature with required shapes for its arrays, which launches then check.

        Parameters
        ----------
        shapes : mapping of str to shape
            For each ndarray parameter, one size per dimension, without those of its elements. A size is a number or a
            symbol: an identifier that means the same number wherever it occurs. A symbol with the name of a parameter
            means its value; the parameter must be an integer scalar. For a single dimension, ``"n"`` is short for
            ``("n",)``. Other parameters keep their shapes. A parameter that already has a shape accepts only the same
            one.

        Raises
        ------
        TypeError
            If `shapes` is not a mapping, or a size is neither a str nor an integer.
        ValueError
            If a name is not that of an ndarray, its shape has another number of dimensions, a symbol is not an
            identifier or names a parameter that is not an integer, a number is not in 0...2^31 - 1, or a parameter has
            another shape already.

        Examples
        --------
        >>> print(saxpy.signature.with_shapes({"x": "n", "y": "n"}))
        saxpy(a: f32, x: ndarray[f32, 1, shape=(n,)], y: ndarray[f32, 1, shape=(n,)])
        """
        given = cast("object", shapes)
        if not isinstance(given, Mapping):
            raise ArgumentTypeError(
                f"{self.name}: shapes must be a mapping of parameters to shapes, not {describe(shapes)}"
            )
        parameters = {p.name: p for p in self.parameters}
        for name, shape in shapes.items():
            found = parameters.get(name)
            if found is None or found.kind != "ndarray":
                arrays = ", ".join(repr(p.name) for p in self.parameters if p.kind == "ndarray") or "none"
                raise InvalidArgumentError(
                    f"{self.name}: a shape is stated for {short(name)}; its ndarrays are {arrays}{names_hint(self)}"
                )
            sizes = self._stated_shape(found, shape)
            if found.shape and sizes != self._stated_shape(found, found.shape):
                raise InvalidArgumentError(
                    f"{self.name}: the shape of {name!r} is {short(found.shape)}, as the module states, and cannot be "
                    f"replaced by {short(sizes)}"
                )
            parameters[name] = found._replace(shape=sizes)
        return self._replace(parameters=tuple(parameters.values()))

    def _stated_shape(self, parameter: Parameter, stated: object) -> tuple[str | int, ...]:
        where = f"{self.name}: the shape of {parameter.name!r}"
        if not isinstance(stated, Sequence) or isinstance(stated, str):
            stated = (stated,)
        sizes = cast("Sequence[object]", stated)
        if len(sizes) != parameter.ndim:
            raise InvalidArgumentError(
                f"{where} is stated with {count(sizes, 'dimension')}, {short(tuple(sizes))}; "
                f"it is {parameter.type_name}"
            )
        return tuple(self._stated_size(where, size) for size in sizes)

    def _stated_size(self, where: str, size: object) -> str | int:
        if not isinstance(size, str):
            number = as_integer(size, f"{where}: a size")
            if not 0 <= number <= LARGEST_SIZE:
                raise ArgumentOutOfRangeError(f"{where}: a size must be in 0...2^31 - 1, not {short(number)}")
            return number
        symbol = normal_form(size)
        if not _is_parameter_name(symbol):
            raise InvalidArgumentError(f"{where}: {short(size)} is neither a number nor an identifier")
        for parameter in self.parameters:
            if parameter.name == symbol and (parameter.kind != "scalar" or parameter.dtype not in SYMBOL_TYPES):
                raise InvalidArgumentError(f"{where}: {symbol!r} is the parameter {parameter}, which is not an integer")
        return symbol

    def to_dict(self) -> dict[str, Any]:
        """Return the signature as dicts, lists, strings and numbers, for ``json.dumps``.

        Examples
        --------
        >>> sorted(saxpy.signature.to_dict())
        ['name', 'parameters', 'returns']
        """
        parameters = [parameter.to_dict() for parameter in self.parameters]
        return {"name": self.name, "parameters": parameters, "returns": list(self.returns)}

    def __str__(self) -> str:
        text = f"{self.name}({', '.join(map(str, self.taken))})"
        return f"{text} -> {', '.join(self.returns)}" if self.returns else text

    def __repr__(self) -> str:
        return f"<Signature {self}>"


def _taken(tree: Tree, parameters: Sequence[Parameter]) -> tuple[Parameter, ...]:
    return tuple(
        [
            parameters[each]._replace(name=name)
            if isinstance(each, int)
            else Parameter(name, "argpack", pack=_taken(each, parameters))
            for name, each in tree.items()
        ]
    )


def normal_form(name: str) -> str:
    """Return the name as Python's compiler reads it (NFKC)."""
    if name.isascii():
        return name
    import unicodedata  # processes with ASCII names start faster without it

    return unicodedata.normalize("NFKC", name)


@lru_cache(maxsize=256)  # many kernels have the same
def usable_names(*names: str) -> bool:
    """Return whether a Python function can have parameters of these names."""
    normal = tuple([normal_form(name) for name in names])
    try:
        tree_of(normal)
    except ValueError:  # two have one name
        return False
    return all(map(_is_parameter_name, names))


def positional_names(count: int) -> list[str]:
    """Return the names of parameters whose module does not state any."""
    return [f"arg{i}" for i in range(count)]


def python_names(parameters: Sequence[Parameter]) -> list[str]:
    """Return variables for parameters: names by Python's rules or by position; middle dots for members of packs."""
    return [name.replace(".", "\N{MIDDLE DOT}") for name in path_names(parameters)]


def path_names(parameters: Sequence[Parameter]) -> list[str]:
    """Return the names as Python's compiler reads them, those of members as paths, or names by position."""
    names = [each.name if each.name.isascii() else normal_form(each.name) for each in parameters]
    return names if usable_names(*names) else positional_names(len(names))


def shape_rule(parameter: Parameter) -> str:
    """Return the rule for the shape of another library's array that is passed as an ndarray."""
    elements = parameter.elem_shape
    end = f" and end in {short(elements)}" if elements else ""
    return f"its shape must have {count(parameter.ndim + len(elements), 'dimension')}{end}"


def names_hint(signature: Signature) -> str:
    """Return the end of a message about an unknown parameter: a hint if the module does not state names."""
    names = [parameter.name for parameter in signature.parameters]
    if not names or names != positional_names(len(names)):
        return ""
    return (
        "; the module does not state the names of its parameters: rename() or "
        f"load_module(names={{{short(signature.name)}: [...]}}) names them, and taichi-aot build makes modules that do"
    )


def why_unpassable(parameter: Parameter) -> str:
    """Return why no arch can pass an argument for a parameter; empty if one can."""
    if parameter.kind == "argpack":
        return (
            "an argument pack cannot be passed to a module that Taichi wrote; taichi-aot build makes one that takes it"
        )
    if parameter.kind == "struct" and parameter.layout is None:
        return "a struct with a member of this type cannot be passed; make its members parameters of the kernel"
    if parameter.grad:
        return "the kernel uses the gradient of this array, which only calls of the kernel from load_module() pass"
    if parameter.ndim > MAX_NDIM:
        return f"the library launches no array of more than {MAX_NDIM} dimensions, and this one has {parameter.ndim}"
    return ""


def require_passable(signature: Signature) -> None:
    """Raise NotSupportedError if no arch can pass arguments for one of the parameters."""
    for parameter in signature.parameters:
        reason = why_unpassable(parameter)
        if reason:
            raise NotSupportedError(f"{signature.name}() parameter {parameter.name!r}: {reason}")


def why_not_passed(parameter: Parameter, family: str) -> str:
    """Return why modules of a family cannot be passed an argument for a parameter; empty if they can."""
    if family == "gfx" and parameter.dtype is DataType.U1:
        return U1_IN_SPIRV.get(parameter.kind, "")
    if family != "gfx" and parameter.kind in TEXTURES:
        return "this arch has no textures"
    return why_unpassable(parameter)


def is_name(text: str) -> bool:
    """Return whether Python code can use a text as a name: an identifier that is not a keyword."""
    return text.isidentifier() and not keyword.iskeyword(text)


def _is_parameter_name(name: str) -> bool:
    parts = name.split(".")  # of the path of a member, whose variable has middle dots
    return name != "__debug__" and all(
        part.isidentifier() and not keyword.iskeyword(normal_form(part)) and "\N{MIDDLE DOT}" not in part
        for part in parts
    )


class Words(IntEnum):
    """Which arguments the library's copy of a module takes as 32-bit words: see below."""

    NONE = 0  # the files as they are
    ALL = 1  # 64-bit scalars, vectors, matrices and structs


# Arguments that the C-API cannot pass by their own type: they are passed as 32-bit words.
#
# A launch through the C-API cannot pass 64-bit scalars, writes 8-bit elements with 16 bits, and copies at most 128
# bytes of a matrix. It only copies a value to the offset in the module's argument struct. In the copy of a module that
# is passed to the library, 64-bit scalars, vectors, matrices and structs are therefore structs of 32-bit words at the
# same offset; the kernel's code is unchanged. Words beyond the 32nd are passed as overflow arguments, which follow the
# kernel's arguments.


WORDS_PER_ARGUMENT = 32


def byte_size(parameter: Parameter, family: str) -> int:
    """Bytes of a scalar, matrix or struct in the argument struct."""
    if parameter.layout is not None:
        return parameter.layout.itemsize
    assert parameter.dtype is not None
    return math.prod(parameter.elem_shape) * item_size(parameter.dtype, family)


def word_counts(parameter: Parameter, family: str, words: Words = Words.ALL) -> tuple[int, ...]:
    """The number of words in each argument for a parameter; empty if it is passed by its own type."""
    if parameter.layout is None and (parameter.kind not in ("scalar", "matrix") or parameter.dtype is None):
        return ()
    if words is Words.NONE:
        return ()
    if parameter.kind == "scalar" and byte_size(parameter, family) <= 4:
        return ()
    total = -(-byte_size(parameter, family) // 4)
    return tuple(min(WORDS_PER_ARGUMENT, total - i) for i in range(0, total, WORDS_PER_ARGUMENT))


def end_of_write(parameter: Parameter, family: str, offset: int, words: Words = Words.ALL) -> int:
    """Where a launch stops writing a scalar, matrix or struct that starts at `offset`; 0 for other kinds.

    Smaller scalars are also written with 32 bits. The next argument overwrites the excess bits, but after the last
    argument the block must have room for them. By its own type each number of 8 bits in a matrix is written with 16.
    """
    if parameter.layout is None and parameter.kind not in ("scalar", "matrix"):
        return 0
    by_own_type = parameter.kind == "matrix" and words is Words.NONE
    return offset + 4 * (sum(word_counts(parameter, family)) or 1) + 4 * by_own_type


def word_argument_name(name: str, i: int) -> str:
    """Name of the i-th graph argument for a parameter."""
    return f"{name}#{i}" if i else name


# Rules across the arguments of a launch: equal sizes, by the shapes that parameters state.
#
# A symbol stands for one number in all parameters: each of its places is compared with the first one. A scalar
# parameter with the name of the symbol is its first place.

ORDINALS = ("first", "second", "third", *(f"{number}th" for number in range(4, 13)))
UNKNOWN = -(2**64)  # a size that a tracer does not know yet; no argument has this value

# By parameter: the shape of an array, the value of a scalar.
Sizes: TypeAlias = "Sequence[Sequence[int] | int]"


class Place(Record):
    """Where a size is found: a dimension of an array, or an integer scalar."""

    parameter: int  # number of the parameter
    axis: int | None  # number of the dimension; None for a scalar

    def size(self, sizes: Sizes) -> int:
        found = sizes[self.parameter]
        return found if isinstance(found, int) else found[self.axis or 0]


class Rule(Record):
    """A size that must equal another size, or a number."""

    place: Place
    expected: Place | int
    symbol: str  # empty for a number


def size_rules(parameters: Sequence[Parameter]) -> Iterator[Rule]:
    """The rules that the shapes of the parameters state."""
    known = {parameter.name: Place(i, None) for i, parameter in enumerate(parameters) if parameter.kind == "scalar"}
    for i, parameter in enumerate(parameters):
        for axis, size in enumerate(parameter.shape):
            place = Place(i, axis)
            if not isinstance(size, str):
                yield Rule(place, size, "")
            elif known.setdefault(size, place) is not place:
                yield Rule(place, known[size], size)


def difference(signature: Signature, sizes: Sizes) -> str:
    """How the arguments differ from the stated shapes, where a size may be `UNKNOWN`; empty if they do not."""
    for rule in size_rules(signature.parameters):
        size, expected = rule.place.size(sizes), _value(rule.expected, sizes)
        if size != expected and UNKNOWN not in (size, expected):
            return f"{signature.name}(): {_difference(signature, rule, sizes)}"
    return ""


def _difference(signature: Signature, rule: Rule, sizes: Sizes) -> str:
    place, expected, symbol = rule
    name = signature.parameters[place.parameter].name
    shape = f"{name} has shape {sizes[place.parameter]}"
    if not isinstance(expected, Place):
        return f"{shape}, its {_ordinal(place)} dimension must be {expected:,}"
    if place.parameter == expected.parameter:
        return f"{shape}, its {_ordinal(expected)} and {_ordinal(place)} dimensions must be equal ({symbol})"
    first = signature.parameters[expected.parameter].name
    stated = f"{symbol} is " if expected.axis is None else f"{first} has {symbol}="
    return f"{stated}{_value(expected, sizes):,}, {name} has {symbol}={place.size(sizes):,}"


def _value(expected: Place | int, sizes: Sizes) -> int:
    return expected.size(sizes) if isinstance(expected, Place) else expected


def _ordinal(place: Place) -> str:
    assert place.axis is not None
    return ORDINALS[place.axis]

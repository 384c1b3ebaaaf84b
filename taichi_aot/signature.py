"""Signatures: the parameters of a kernel or compute graph, as its module states them."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias, cast

from .dtypes import array_type, element_name
from .enums import DataType
from .wording import short

__all__ = ["Parameter", "ParameterKind", "Signature", "normal_form", "python_names", "usable_names"]

ParameterKind: TypeAlias = Literal["scalar", "matrix", "ndarray", "texture", "rw_texture", "argpack", "struct"]


class Parameter(NamedTuple):
    """One parameter of a kernel or graph.

    Attributes
    ----------
    name : str
        The name in the source. LLVM modules do not store it: the name comes from a graph that dispatches the kernel,
        or is ``arg0``, ``arg1`` and so on.
    kind : str
        ``"scalar"``, ``"matrix"`` (also for vectors), ``"ndarray"``, ``"texture"``, ``"rw_texture"``, ``"argpack"`` or
        ``"struct"``. Argument packs and structs cannot be passed.
    dtype : DataType or None
        Type of the scalar or of the numbers in the elements; None for textures, argument packs and structs.
    ndim : int
        Dimensions of an ndarray or a texture.
    elem_shape : tuple of int
        Element shape of an ndarray, or the shape of a matrix.
    access : str
        ``"r"``, ``"w"``, ``"rw"``, or ``""`` if the module does not state it (LLVM modules, graphs).
    format : str
        Format of a ``"rw_texture"`` by Taichi's name (``"rgba8"``), if the kernel's code states it; else empty.
    grad : bool
        Whether the kernel's code uses the gradient of an ndarray, which the C-API cannot pass; such a kernel cannot be
        called. False if the module does not state it (gfx modules, whose code uses the array itself instead).
    shape : tuple of str or int
        Required sizes of the dimensions of an ndarray, without those of its elements: a number, or a symbol that stands
        for the same number in all parameters of the kernel or graph. Empty if no shape is stated.

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

    @property
    def type_name(self) -> str:
        """The type as Taichi spells it, without the shape of an ndarray: ``f32``, ``ndarray[vector(3, f32), 2]``."""
        if self.kind in ("texture", "rw_texture"):
            return f"{self.kind}[{f'{self.format}, ' * bool(self.format)}{self.ndim}]"
        if self.dtype is None:
            return self.kind
        if self.kind == "ndarray":
            return str(array_type(self.dtype, self.ndim, self.elem_shape))
        return element_name(self.dtype, self.elem_shape)

    def __str__(self) -> str:
        if not self.shape:
            return f"{self.name}: {self.type_name}"
        sizes = ", ".join(map(str, self.shape))
        return f"{self.name}: {self.type_name[:-1]}, shape=({sizes}{',' * (len(self.shape) == 1)})]"


class Signature(NamedTuple):
    """The parameters and return values of a kernel or graph; ``str()`` formats them like a Python signature.

    Attributes
    ----------
    name : str
        Name of the kernel or graph.
    parameters : tuple of Parameter
        In order of position.
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

    def renamed(self, names: Sequence[str]) -> Signature:
        """The signature with other parameter names.

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
            If the number of names differs from that of the parameters, a name is not an identifier or is a keyword, or
            a name occurs twice.

        Examples
        --------
        >>> print(saxpy.signature.renamed(["alpha", "source", "target"]))
        saxpy(alpha: f32, source: ndarray[f32, 1], target: ndarray[f32, 1])
        """
        given = cast("Sequence[object]", names)
        if isinstance(given, str | bytes) or not all(isinstance(name, str) for name in given):
            raise TypeError(f"{self.name}: names must be a sequence of str, not {short(names)}")
        if len(names) != len(self.parameters):
            raise ValueError(f"{self} has {len(self.parameters)} parameters, not {len(names)}")
        normal = [normal_form(name) for name in names]
        for name in normal:
            if not _is_parameter_name(name):
                raise ValueError(f"{self.name}: {name!r} cannot name a parameter: it is not a Python identifier")
            if normal.count(name) > 1:
                raise ValueError(f"{self.name}: the name {name!r} occurs twice in {tuple(names)}")
        parameters = tuple(p._replace(name=name) for p, name in zip(self.parameters, normal, strict=True))
        return self._replace(parameters=parameters)

    def __str__(self) -> str:
        text = f"{self.name}({', '.join(map(str, self.parameters))})"
        return f"{text} -> {', '.join(self.returns)}" if self.returns else text


def normal_form(name: str) -> str:
    """The name as Python's compiler reads it (NFKC)."""
    if name.isascii():
        return name
    import unicodedata  # a process that has plain names starts faster without it

    return unicodedata.normalize("NFKC", name)


def usable_names(names: Sequence[str]) -> bool:
    """Whether a Python function can have parameters of these names."""
    normal = {normal_form(name) for name in names}
    return len(normal) == len(names) and all(map(_is_parameter_name, names))


def python_names(parameters: Sequence[Parameter]) -> list[str]:
    """The parameters' names as Python's compiler reads them, or names by position if it would reject them."""
    names = [normal_form(parameter.name) for parameter in parameters]
    return names if usable_names(names) else [f"arg{i}" for i in range(len(names))]


def _is_parameter_name(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(normal_form(name)) and name != "__debug__"

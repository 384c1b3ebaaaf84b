"""Signatures: what a kernel or a compute graph takes, as its module states it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from .dtypes import array_type, element_name
from .enums import DataType

__all__ = ["Parameter", "ParameterKind", "Signature"]

ParameterKind: TypeAlias = Literal["scalar", "matrix", "ndarray", "texture", "rw_texture", "argpack"]


class Parameter(NamedTuple):
    """One parameter of a kernel or graph.

    Attributes
    ----------
    name : str
        As in the source; LLVM modules store no names, their kernels have ``arg0``, ``arg1`` and so on unless a graph
        that dispatches the kernel names them.
    kind : str
        ``"scalar"``, ``"matrix"`` (vectors too), ``"ndarray"``, ``"texture"``, ``"rw_texture"`` or ``"argpack"``.
    dtype : DataType or None
        Type of the scalar or of the numbers in the elements; None for textures and argument packs.
    ndim : int
        Dimensions of an ndarray or a texture.
    elem_shape : tuple of int
        Element shape of an ndarray, or the shape of a matrix.
    access : str
        ``"r"``, ``"w"``, ``"rw"``, or ``""`` where the module does not tell (LLVM modules, graphs).
    """

    name: str
    kind: ParameterKind
    dtype: DataType | None = None
    ndim: int = 0
    elem_shape: tuple[int, ...] = ()
    access: str = ""

    @property
    def type_name(self) -> str:
        """The type as Taichi spells it: ``f32``, ``matrix(2, 3, f32)``, ``ndarray[vector(3, f32), 2]``."""
        if self.dtype is None:
            return f"{self.kind}[{self.ndim}]" if self.ndim else self.kind
        if self.kind == "ndarray":
            return str(array_type(self.dtype, self.ndim, self.elem_shape))
        return element_name(self.dtype, self.elem_shape)

    def __str__(self) -> str:
        return f"{self.name}: {self.type_name}"


class Signature(NamedTuple):
    """What a kernel or graph takes and returns; ``str()`` of it reads like Python.

    Attributes
    ----------
    name : str
        Name of the kernel or graph.
    parameters : tuple of Parameter
        In order of position.
    returns : tuple of str
        Types of the return values. The C-API has no call that fetches them.
    """

    name: str
    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...] = ()

    def renamed(self, names: Sequence[str]) -> Signature:
        """The signature with other parameter names.

        Raises
        ------
        ValueError
            If there are not as many names as parameters, one is no identifier, or one comes twice.
        """
        if len(names) != len(self.parameters):
            raise ValueError(f"{self} has {len(self.parameters)} parameters, not {len(names)}")
        for name in names:
            if not name.isidentifier() or list(names).count(name) > 1:
                raise ValueError(f"the name {name!r} is no identifier, or stands twice in {tuple(names)}")
        parameters = tuple(p._replace(name=name) for p, name in zip(self.parameters, names, strict=True))
        return self._replace(parameters=parameters)

    def __str__(self) -> str:
        text = f"{self.name}({', '.join(map(str, self.parameters))})"
        return f"{text} -> {', '.join(self.returns)}" if self.returns else text

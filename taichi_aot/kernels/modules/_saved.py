"""SavedSequence: a sequence that was saved with its modules, and that takes its arrays by name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ...arrays._image import Image, Texture
from ...arrays._ndarray import NdArray
from ...bundle._read import read_saved
from ...handles._resource import Unique
from ...values._dtypes import without_ones
from ...values._errors import ArgumentIndexError, ArgumentTypeError, CorruptedDataError, InvalidArgumentError
from ...values._signature import Parameter
from ...values._wording import describe
from ..calls._launch import Launch
from ..sequences._sequence import LaunchSequence, UntilSequence

if TYPE_CHECKING:
    from ...bundle._sequence_info import SavedLaunch, SavedUntil, SequenceInfo
    from ...bundle._source import Source
    from ._module import AotModule

__all__ = ["SavedSequence", "load_saved"]


def load_saved(module: AotModule, source: Source) -> SavedSequence:
    """Read the sequence of a bundle whose module is loaded.

    Raises
    ------
    ValueError
        If it does not have one.
    CorruptedDataError, IncompatibleModuleError
        If its description is damaged, does not fit the module, or was written by a newer version of this package.
    """
    where = os.fsdecode(source) if isinstance(source, str | os.PathLike) else "the bundle"
    info = read_saved(source)
    if info is None:
        raise InvalidArgumentError(f"{where} has no saved sequence: LaunchSequence.save() writes one")
    from ...bundle._sequence import check_sequence  # which few programs need

    check_sequence(info, module.info, where)
    return SavedSequence._make(module, info, where)


class SavedSequence(Unique):
    """A saved sequence, loaded by `Runtime.load_sequence`. Call it with its arrays to get the sequence.

    Examples
    --------
    >>> rt.sequence([saxpy.bind(2.0, x, y)]).save("program.tib")
    >>> program = rt.load_sequence("program.tib")
    >>> program
    <SavedSequence of saxpy(x: ndarray[f32, 1], y: ndarray[f32, 1])>
    >>> program(x=x, y=y)(repeat=10)
    >>> y.to_numpy()
    array([20., 40., 60.], dtype=float32)
    """

    __slots__ = ("_info", "_kernels", "_module", "_parameters", "_where")
    _info: SequenceInfo
    _kernels: list[Any]
    _module: AotModule
    _parameters: Mapping[str, Parameter]
    _where: str

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise ArgumentTypeError("a SavedSequence is created by Runtime.load_sequence()")

    @classmethod
    def _make(cls, module: AotModule, info: SequenceInfo, where: str) -> SavedSequence:
        self = object.__new__(cls)
        self._module = module
        self._info = info
        self._where = where
        self._parameters = MappingProxyType({parameter.name: parameter for parameter in info.parameters})
        self._kernels = [_kernel(module, launch) for launch in info.launches]
        self._check_values()
        return self

    @property
    def module(self) -> AotModule:
        """The module, with all its kernels and graphs. Closing it ends the sequence too.

        Examples
        --------
        >>> rt.sequence([saxpy.bind(2.0, x, y)]).save("program.tib")
        >>> "swap" in rt.load_sequence("program.tib").module.kernels
        True
        """
        return self._module

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """The arrays and images that it takes, by name. `Parameter.shape` is the shape of the array that was saved.

        Examples
        --------
        >>> rt.sequence([saxpy.bind(2.0, x, y)]).save("program.tib")
        >>> program = rt.load_sequence("program.tib")
        >>> arrays = {name: rt.zeros(each.shape, each.dtype) for name, each in program.parameters.items()}
        >>> program(**arrays)(repeat=3)
        """
        return self._parameters

    def __call__(self, /, **arrays: NdArray | Image | Texture) -> LaunchSequence | UntilSequence:
        """Bind the sequence to arrays.

        Parameters
        ----------
        **arrays : NdArray, Image or Texture
            All of `parameters` by name. Arrays may have other shapes than those that were saved, as far as the kernels'
            stated shapes allow it. One array may be passed for several parameters.

        Returns
        -------
        LaunchSequence or UntilSequence
            An `UntilSequence` if that is what was saved.

        Raises
        ------
        TypeError
            If an array is missing or unknown, or has another type.
        IndexError
            If an array does not have the number that ends the sequence.
        ValueError
            If an array is closed, belongs to another runtime, or does not fit a stated shape.

        Examples
        --------
        >>> loop = rt.sequence([saxpy.bind(2.0, x, y)]).until(y[:1], above=50)
        >>> loop.save("program.tib")
        >>> rt.load_sequence("program.tib")(x=x, y=rt.zeros(3))(repeat=1000)
        26
        """
        self._require_names(arrays)
        for name, value in arrays.items():
            self._require_type(self._parameters[name], value)
        launches = [self._bind(i, arrays) for i in range(len(self._kernels))]
        sequence = LaunchSequence._make(self._module.runtime._handle, [launches[i] for i in self._info.order])
        until = self._info.until
        return sequence if until is None else self._until(sequence, until, arrays[until.array])

    def _bind(self, index: int, arrays: Mapping[str, Any]) -> Launch:
        given = self._info.launches[index].arguments
        arguments = [arrays[each] if isinstance(each, str) else each for each in given]
        launch: Launch = self._kernels[index].bind(*arguments)
        return launch

    @staticmethod
    def _until(sequence: LaunchSequence, until: SavedUntil, array: Any) -> UntilSequence:
        if not all(i < size for i, size in zip(until.indices, array.shape, strict=True)):
            raise ArgumentIndexError(f"until() reads {until.number}, which is out of range in {array!r}")
        bound = {"above" if until.is_above else "below": until.bound}
        return sequence.until(array[(*until.indices, ...)], check_every=until.every, **bound)

    def _require_names(self, arrays: Mapping[str, object]) -> None:
        missing = [name for name in self._parameters if name not in arrays]
        unknown = [name for name in arrays if name not in self._parameters]
        if missing or unknown:
            names = ", ".join(map(repr, missing or unknown))
            problem = (
                f"the call of the saved sequence lacks {names}" if missing else f"the saved sequence has no {names}"
            )
            takes = ", ".join(map(_without_shape, self._info.parameters)) or "nothing"
            raise ArgumentTypeError(f"{problem}; it takes {takes}")

    def _require_type(self, parameter: Parameter, value: object) -> None:
        if parameter.kind == "ndarray" and isinstance(value, NdArray):
            wanted = parameter.dtype, parameter.ndim, without_ones(parameter.elem_shape)
            if (value.data_type, value.ndim, without_ones(value.elem_shape)) == wanted:
                return
            raise ArgumentTypeError(f"{parameter.name}: expected {parameter.type_name}, got {value._type}")
        is_image = isinstance(value, Image | Texture)
        if parameter.kind == "ndarray" or not is_image:
            raise ArgumentTypeError(f"{parameter.name}: expected {parameter.type_name}, got {describe(value)}")

    def _check_values(self) -> None:
        """Raise CorruptedDataError for a scalar or matrix that its kernel does not accept."""
        for kernel, launch in zip(self._kernels, self._info.launches, strict=True):
            for argument, value in zip(kernel._launcher.target.arguments, launch.arguments, strict=False):
                if isinstance(value, str):
                    continue
                try:
                    argument.check(value)
                except (TypeError, ValueError, OverflowError) as error:
                    raise CorruptedDataError(f"{self._where}: the saved sequence: {error}") from None

    def __repr__(self) -> str:
        parameters = ", ".join(map(_without_shape, self._info.parameters))
        names = list(dict.fromkeys(str(self._info.launches[i]) for i in self._info.order))
        shown = ", ".join(names[:3] + ["..."] * (len(names) > 3))
        return f"<SavedSequence of {shown}({parameters})>"


def _without_shape(parameter: Parameter) -> str:
    return str(parameter._replace(shape=()))


def _kernel(module: AotModule, launch: SavedLaunch) -> Any:
    """Return the kernel or graph of a launch, or the gradient of the kernel."""
    if launch.kind == "graph":
        return module.graphs[launch.name]
    kernel = module.kernels[launch.name]
    return kernel.grad if launch.kind == "gradient" else kernel

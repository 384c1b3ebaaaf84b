"""Saving a sequence: its launches, with names for their arrays, beside the modules that they come from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...arrays._image import Image, Texture
from ...arrays._ndarray import ArraySlice, NdArray
from ...bundle._bundle import read_bundle
from ...bundle._container import Container, is_bundle, open_source, pack_reproducible
from ...bundle._files import DESCRIPTION, SEQUENCE
from ...bundle._origin import BUILD
from ...bundle._schema import to_json
from ...bundle._sequence_info import SavedLaunch, SavedUntil, SequenceInfo, Value
from ...bundle._source import Files, exactly
from ...driver._files import output_path, require_file, write_whole
from ...handles._module import ModuleHandle
from ...values._dtypes import numpy_dtype
from ...values._enums import DataType
from ...values._errors import InvalidArgumentError, InvalidStateError, NotSupportedError
from ...values._signature import Parameter, normal_form, usable_names
from ...values._wording import describe
from ..calls._arguments import ArrayOfSameBytes
from ..calls._launch import Launch

if TYPE_CHECKING:
    import os

    from ._until import Bound

__all__ = ["save"]

UNUSED = "number"  # the name of an array that only `until` reads


def save(
    launches: Sequence[Launch],
    bound: Bound | None,
    path: str | bytes | os.PathLike[str] | os.PathLike[bytes],
    named: Mapping[str, object],
) -> None:
    """Write a bundle with the modules of the launches, and what is launched."""
    file = output_path(path)
    require_file(file)
    different = list({id(each): each for each in launches}.values())
    module = _one_module(different)
    uses = _Uses(different, bound)
    names = uses.names(named)
    index = {id(each): i for i, each in enumerate(different)}
    info = SequenceInfo(
        tuple(uses.parameter(i, name) for i, name in enumerate(names)),
        tuple(_saved(launch, values, uses, names) for launch, values in uses.values),
        tuple(index[id(each)] for each in launches),
        None if bound is None else _until(bound, uses, names),
    )
    write_whole(file, _with_modules(module, to_json(info.to_dict())))


def _one_module(launches: Iterable[Launch]) -> ModuleHandle:
    """Return the module of all launches."""
    first, *others = (launch._launcher.target.module for launch in launches)
    if first.source is None or any(each.source is None for each in others):
        raise NotSupportedError("save() needs modules from load(): this one was loaded by another binding")
    if any(each.source is not None and each.source.files != first.source.files for each in others):
        raise NotSupportedError("the launches are from several modules: build their kernels as one bundle to save them")
    return first


# The modules.


def _with_modules(module: ModuleHandle, sequence: bytes) -> bytes:
    """Return a bundle with all modules that `module` was loaded with, and the sequence."""
    assert module.source is not None
    from ...adopt.modules._make import make_bundle  # which nothing needs that only launches

    container, files, arch = module.source.container, Files.of(module.source.files), module.runtime.arch
    if container is None:
        return _join(make_bundle({arch: pack_reproducible(files)}), sequence)
    with open_source(container) as opened:
        if not is_bundle(opened):
            _require_same(opened, opened.read_module(), files)
            return _join(make_bundle({arch: pack_reproducible(files)}), sequence)
        bundle = read_bundle(opened)
        found = exactly(arch, lambda: (arch,))(opened.where, tuple(bundle.entries))
        _require_same(opened, bundle.read(found).contents, files)
        return _packed(opened, sequence)


def _require_same(container: Container, now: Files, loaded: Files) -> None:
    if now != loaded:
        raise InvalidStateError(f"{container.where} has changed since it was loaded: load it again, and bind again")


def _join(bundle: bytes, sequence: bytes) -> bytes:
    with open_source(bundle) as container:
        return _packed(container, sequence)


def _packed(bundle: Container, sequence: bytes) -> bytes:
    """Return a bundle with the sequence. What it states of its source holds for another file, at another place."""
    contents = {name: bundle.read(name) for name in bundle.names}
    description = json.loads(contents[DESCRIPTION])
    if description.pop(BUILD, None) is not None:
        contents[DESCRIPTION] = to_json(description)
    return pack_reproducible({**contents, SEQUENCE: sequence}, stored=True)


# The arrays.


class _Use(NamedTuple):
    """A use of an array: the launch's number and name, and the parameter's name."""

    launch: str
    name: str
    parameter: Parameter


class _Uses:
    """The arrays and images of the launches, and where each is used.

    Attributes
    ----------
    values : list of tuple
        Each launch with its arguments.
    objects : list of NdArray or Image
        The different arrays, in the order of their first use.
    """

    def __init__(self, launches: Sequence[Launch], bound: Bound | None) -> None:
        self.values = [(launch, _arguments(launch)) for launch in launches]
        self.objects: list[NdArray | Image] = []
        self._uses: list[list[_Use]] = []
        self._index: dict[int, int] = {}  # by the id of the array's structure
        for number, (launch, values) in enumerate(self.values):
            target = launch._launcher.target
            where = f"launch {number} ({target.signature.name})"
            for name, parameter, value in zip(target.names, target.signature.parameters, values, strict=True):
                if parameter.kind in ("ndarray", "texture", "rw_texture"):
                    self._add(_object(value, where, name), _Use(where, name, parameter))
        if bound is not None and isinstance(bound.number, NdArray) and id(bound.number._c) not in self._index:
            self._add(bound.number, _Use("until()", UNUSED, Parameter(UNUSED, "ndarray")))
        self._bound = bound

    def _add(self, found: NdArray | Image, use: _Use) -> None:
        i = self._index.setdefault(id(found._c), len(self.objects))
        if i == len(self.objects):
            self.objects.append(found)
            self._uses.append([])
        self._uses[i].append(use)

    def find(self, value: Any) -> int:
        """Return the index of an array that has been added."""
        return self._index[id(_array(value)._c)]

    def parameter(self, index: int, name: str) -> Parameter:
        """Return what the sequence takes for an array."""
        found, uses = self.objects[index], self._uses[index]
        if isinstance(found, Image):
            as_texture = Parameter(name, "texture", None, found.ndim, format=str(found.format))
            is_written = any(use.parameter.kind == "rw_texture" for use in uses)
            return as_texture._replace(kind="rw_texture") if is_written else as_texture
        shape, grad = found.shape, any(use.parameter.grad for use in uses)
        return Parameter(name, "ndarray", found.data_type, len(shape), found.elem_shape, shape=shape, grad=grad)

    def names(self, named: Mapping[str, object]) -> list[str]:
        """Return a name for each array: those that are given, and for others that of their parameters."""
        given = self._given(named)
        names = [given.get(i) or self._only_name(i) for i in range(len(self.objects))]
        for name in names:
            same = [i for i, other in enumerate(names) if normal_form(other) == normal_form(name)]
            if len(same) > 1:
                uses = " and ".join(self._uses[i][0].launch for i in same[:2])
                if len({names[i] for i in same}) > 1:
                    words = " and ".join(repr(names[i]) for i in same[:2])
                    raise InvalidArgumentError(f"save(): {words} are one name to Python: write them differently")
                raise InvalidArgumentError(
                    f"{uses} have different arrays as {name!r}: name them, as in "
                    f"save(path, {name}0=first, {name}1=second)"
                )
        if not usable_names(names):
            raise InvalidArgumentError(f"arrays need names of Python: {', '.join(map(repr, names))}")
        return names

    def _given(self, named: Mapping[str, object]) -> dict[int, str]:
        given: dict[int, str] = {}
        for name, value in named.items():
            array: Any = value.image if isinstance(value, Texture) else value
            is_known = isinstance(value, NdArray | Image | Texture)
            i = self._index.get(id(array._c)) if is_known else None
            if i is None and self._is_part_of(array):
                self._add(array, _Use("until()", name, Parameter(name, "ndarray")))
                i = self.find(array)
            if i is None:
                raise InvalidArgumentError(f"save(): {name} is {describe(value)}, which is no argument of a launch")
            if i in given:
                raise InvalidArgumentError(f"save(): {given[i]} and {name} are the same array")
            given[i] = name
        return given

    def _is_part_of(self, array: Any) -> bool:
        """Whether this is an array that no launch uses, and of which `until` reads a number."""
        return self._bound is not None and isinstance(array, NdArray) and self._bound.number._c is array._c

    def _only_name(self, index: int) -> str:
        first, *others = self._uses[index]
        for other in others:
            if other.name != first.name:
                raise InvalidArgumentError(
                    f"the array that {first.launch} takes as {first.name!r} is {other.name!r} of {other.launch}: name "
                    f"it, as in save(path, {first.name}=array)"
                )
        return first.name


def _arguments(launch: Launch) -> tuple[Any, ...]:
    """Return the arguments of a launch, without gradients, which have to be those of its arrays."""
    kept = None
    while kept is None:  # another thread may update the launch
        kept = launch._kept.get(launch._c.version)
    target = launch._launcher.target
    for gradient in target.gradients:
        array = kept[gradient.array.index]
        if getattr(array, "grad", None) is not kept[gradient.index]:
            raise NotSupportedError(f"save() cannot keep the grads of {launch!r}: create its arrays with grad=True")
    return kept[: len(target.signature.parameters)]


def _array(value: Any) -> Any:
    return value.array if isinstance(value, ArrayOfSameBytes) else value


def _object(value: Any, where: str, name: str) -> NdArray | Image:
    found: NdArray | Image = _array(value)
    if type(found) in (NdArray, Image):
        return found
    raise NotSupportedError(
        f"{where} has an array of another library as {name!r}, which save() cannot name: bind rt.from_dlpack(...) of it"
    )


# The launches.


def _saved(launch: Launch, values: Sequence[Any], uses: _Uses, names: Sequence[str]) -> SavedLaunch:
    target = launch._launcher.target
    kind, name = ("graph" if target.is_graph else "kernel"), target.name_in_module
    if name != target.signature.name:
        if not target.gradients:
            raise NotSupportedError(f"save() cannot keep {launch!r}: it is not a kernel or graph of the module's own")
        kind, name = "gradient", target.signature.name.removesuffix(".grad")
    return SavedLaunch(kind, name, tuple(_saved_arguments(target.signature.parameters, values, uses, names)))


def _saved_arguments(
    parameters: Sequence[Parameter], values: Sequence[Any], uses: _Uses, names: Sequence[str]
) -> Iterator[str | Value]:
    for parameter, value in zip(parameters, values, strict=True):
        if parameter.kind in ("ndarray", "texture", "rw_texture"):
            yield names[uses.find(value)]
            continue
        dtype = parameter.dtype
        assert dtype is not None
        if parameter.kind == "matrix":
            yield np.frombuffer(value, numpy_dtype(dtype)).reshape(parameter.elem_shape).tolist()
        elif dtype is DataType.F16:  # as its bits
            yield float(np.uint16(value).view(np.float16))
        else:
            yield value


def _until(bound: Bound, uses: _Uses, names: Sequence[str]) -> SavedUntil:
    number = bound.number
    for name, found in zip(names, uses.objects, strict=True):
        if found._c is number._c and isinstance(found, NdArray):
            place = (number._offset - found._offset) // found.itemsize  # of the item, which has one number
            indices = tuple(map(int, np.unravel_index(place, found.shape)))
            return SavedUntil(name, indices, bound.bound, bound.is_above, bound.every)
    assert isinstance(number, ArraySlice)  # an array is among those that are used
    raise InvalidArgumentError(
        f"until() reads {number!r}, and no launch uses its array: name the array, as in save(path, errors=array)"
    )

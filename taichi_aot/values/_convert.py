"""Numbers for the device: one rule for arguments, `asarray`, `fill`, `full` and `write`.

Python numbers, also those in lists, convert as scalar arguments do: an integer type takes integers that fit, a
floating-point type takes any real number. Without a stated dtype floats are f32 and integers i32, as in Taichi. Arrays
keep their dtype; one of another dtype is cast if numpy's ``safe`` rule allows it, or a stated one. Subclasses of
`numpy.ndarray` are not trusted: the base class reads shape, dtype and contents.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from itertools import chain
from struct import pack
from typing import TYPE_CHECKING, Any, Literal, SupportsFloat, SupportsIndex, TypeAlias, get_args

import numpy as np

from ._enums import INTEGER_RANGES, DataType, DTypeLike, numpy_dtype, to_data_type
from ._errors import (
    ArgumentOverflowError,
    ArgumentTypeError,
    InvalidArgumentError,
    describe,
    is_array,
    is_masked,
    short,
    type_of,
)

if TYPE_CHECKING:
    import numpy.typing as npt


# Arrays of other libraries in messages: what to write, and why some tensors cannot be used at all.


PROTOCOLS = ("__dlpack__", "__cuda_array_interface__", "__array_interface__")  # by which arrays share memory

HOST_COPIES = {"cupy": "{}.get()", "jax": "jax.device_get({})", "jaxlib": "jax.device_get({})", "torch": "{}.cpu()"}
REMEDIES = {
    "bfloat16": "it is of bfloat16, which Taichi and numpy do not have: write {}.float()",
    "fake": "it has no numbers, as in torch.compile: call an operator of taichi_aot.interop.torch there",
    "freed": "it has no memory: its storage was freed",
    "gradient": "it requires a gradient, which kernels do not track: write {}.detach()",
    "meta": "it is on the device 'meta', and has no numbers",
    "negative": "its numbers are stored negated: write {}.resolve_neg()",
    "nested": "it is nested: write {}.to_padded_tensor(0.0)",
    "quantized": "it is quantized: write {}.dequantize()",
    "sparse": "it is not dense: write {}.to_dense()",
    "traced": "it is traced, as in jax.jit, and has no numbers: call a function of taichi_aot.interop.jax there",
    "transformed": "it is an argument in torch.vmap or torch.func: call an operator of taichi_aot.interop.torch there",
    "deleted": "it was deleted, or donated to a function of jax.jit",
}


def array_hint(value: object) -> str:
    """Return the end of a message: how to make an NdArray of what another library has; empty for other values."""
    trouble = tensor_trouble(value)
    if trouble:
        return f"; {trouble}"
    code = copy_code(value)
    shared = " to copy it, or runtime.from_dlpack(x) to share its memory" * offers_memory(value)
    return f"; write {code}{shared}" if code else ""


def copy_code(value: object, name: str = "x", dtype: str = "", elem_shape: tuple[int, ...] = ()) -> str:
    """Return the code that copies another library's array, or a sequence, to the device; empty for other values.

    `name` is the value's name in the code, `dtype` Taichi's name of the type to cast to, empty for the type that it
    has, and `elem_shape` the wanted shape of elements.
    """
    kind, shape = value.__class__, elem_shape[0] if len(elem_shape) == 1 else elem_shape
    if offers_memory(value):
        host = HOST_COPIES.get(kind.__module__.partition(".")[0], "")
        if not host or "cuda" not in str(getattr(value, "device", "")).lower():
            host = "{}"
    elif hasattr(kind, "to_numpy"):  # arrays and fields of the Taichi compiler, series of pandas
        host = "{}.to_numpy()"
    elif kind in (list, tuple):
        host = "{}"
    else:
        return ""
    cast = f", {dtype!r}" if dtype else ""
    return f"runtime.asarray({host.format(name)}{cast}{f', elem_shape={short(shape)}' if elem_shape else ''})"


def cast_code(kind: str, name: str, dtype: str) -> str:
    """Return the code that casts an array to a dtype of numpy, given its class with the module."""
    return f"{name}.to(torch.{dtype})" if kind.startswith("torch.") else f"{name}.astype({dtype!r})"


def offers_memory(value: object) -> bool:
    """Return whether it is an array that can share its memory; numbers of numpy have the methods too."""
    kind = value.__class__
    return any(hasattr(kind, name) for name in PROTOCOLS) and not issubclass(kind, np.generic)


def tensor_trouble(value: Any, name: str = "x") -> str:
    """Return why other libraries cannot use a tensor or an array of JAX, and what to write; empty if they can."""
    kind: Any = value.__class__
    libraries = {each.__module__.partition(".")[0] for each in kind.__mro__}
    trouble = ""
    if isinstance(value, type):
        pass
    elif "torch" in libraries:
        trouble = _of_torch(value)
    elif libraries & {"jax", "jaxlib"}:
        trouble = _of_jax(value)
    return REMEDIES[trouble].format(name) if trouble else ""


def _of_torch(tensor: Any) -> str:
    kind: Any = tensor.__class__
    if kind.__name__ in ("FakeTensor", "FunctionalTensor"):
        return "fake"
    if getattr(tensor, "requires_grad", False) is True:
        return "gradient"
    if str(getattr(tensor, "dtype", "")) == "torch.bfloat16":
        return "bfloat16"
    flags = {"is_nested": "nested", "is_quantized": "quantized", "is_meta": "meta"}
    for flag, trouble in flags.items():
        if getattr(tensor, flag, False) is True:
            return trouble
    if str(getattr(tensor, "layout", "torch.strided")) != "torch.strided":
        return "sparse"
    try:
        if tensor.is_neg():
            return "negative"
        return "freed" if tensor.numel() and not tensor.data_ptr() else ""
    except AttributeError:  # of an older version
        return ""
    except RuntimeError:  # it has no memory of its own
        return "transformed"


def _of_jax(array: Any) -> str:
    kind: Any = array.__class__
    if any(each.__name__ == "Tracer" for each in kind.__mro__):
        return "traced"
    is_deleted = getattr(array, "is_deleted", None)
    return "deleted" if is_deleted is not None and is_deleted() is True else ""


# Numbers for the device: one rule for arguments, `asarray`, `fill`, `full` and `write`.


def as_integer(value: Any, what: str) -> int:
    """Return `value` as an int; `what` names it in the TypeError if it is not an integer."""
    try:
        return int.__index__(operator.index(value))
    except TypeError:
        raise ArgumentTypeError(f"{what} must be an integer, not {describe(value)}") from None


NumberLike: TypeAlias = "SupportsFloat | SupportsIndex"
Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]  # as numpy names its rules
CASTINGS = get_args(Casting)

MAX_NDIM = 32  # of arrays in any numpy: sequences that nest deeper are its elements
_FLOATS = {float}
NUMPY = (np.ndarray, np.generic)
NUMPY_REAL = (np.floating, np.integer, np.bool_)


def convert(value: object, dtype: DataType) -> int | float:
    """Return the number to store as a scalar of `dtype`: a plain int for integer types and u1, else a plain float.

    A float may have more digits or a larger exponent than `dtype`; `convert_array` rounds it, without a warning.
    TypeError if `value` is not a number of that kind: integers count as real numbers, floats do not count as integers.
    OverflowError if an integer does not fit `dtype`, or is too large for a float.
    """
    if is_array(value):
        value = _plain(value)
        value = value[()] if value.ndim == 0 else value
    return _to_integer(value, dtype) if dtype in INTEGER_RANGES else _to_real(value, dtype)


def convert_array(values: Any, dtype: DataType, what: str, casting: Casting = "safe") -> npt.NDArray[Any]:
    """Return a plain numpy array of `dtype` with these values; `what` names the parameter in messages.

    Numbers and nested sequences are converted one by one, as `convert` does. numpy arrays, and objects that offer one
    (``__array__``, ``__array_interface__``, a buffer), are cast by numpy's rule `casting`; in an array of objects, and
    in one without dimensions that cannot be cast, each element is converted like a number. An array of `dtype` itself
    is not copied.
    """
    if casting not in CASTINGS:
        raise InvalidArgumentError(f"casting must be one of {', '.join(CASTINGS)}, not {short(casting)}")
    kinds = set(map(type, values)) if values.__class__ is list else {values.__class__}
    if kinds == _FLOATS and dtype not in INTEGER_RANGES:
        return store(values, dtype)
    if type(values) is np.ndarray and values.dtype == numpy_dtype(dtype):
        return values
    if values.__class__ in (int, float):
        return _convert_elements(np.array(values, dtype=object), dtype, what)
    array = plain_array(values, what)
    _require_numbers(array, values, what)
    result = cast_array(array, dtype, what, casting)
    if result is None:
        target = numpy_dtype(dtype)
        wider = "same_kind" if np.can_cast(array.dtype, target, "same_kind") else "unsafe"
        raise ArgumentTypeError(
            f"{what}: casting an array of {array.dtype} to {dtype} may change its numbers; pass its "
            f"astype({str(target)!r}), or write() it with casting={wider!r}"
        )
    return result


def cast_array(
    array: npt.NDArray[Any], dtype: DataType, what: str, casting: Casting = "safe"
) -> npt.NDArray[Any] | None:
    """Return a plain array with `dtype`, or None if `casting` forbids the cast; otherwise as `convert_array`."""
    target = numpy_dtype(dtype)
    if array.dtype == target:
        return array
    if not array.dtype.hasobject and np.can_cast(array.dtype, target, casting):
        with np.errstate(over="ignore", invalid="ignore"):
            return array.astype(target)
    return _convert_elements(array, dtype, what) if array.dtype.hasobject or not array.ndim else None


def as_numbers(data: object, dtype: DTypeLike, what: str) -> npt.NDArray[Any]:
    """Return a plain array with `dtype`, to which arrays are cast by any rule, or if it is None with a default.

    Arrays and numbers of numpy keep their dtype. Python's floats are f32, its integers i32, its booleans u1.
    """
    if dtype is not None:
        return convert_array(data, to_data_type(dtype), what, "unsafe")
    if type(data) is np.ndarray and not data.dtype.hasobject:
        return data
    try:
        array = plain_array(_as_numpy(data, what))
    except ValueError:
        if isinstance(data, list | tuple):
            raise _ragged(what) from None
        raise
    _require_numbers(array, data, what)
    default = None if is_array(data) or _offers_array(data) else _default_type(data, array.ndim)
    if default is not None:
        try:
            return convert_array(data, default, what)
        except OverflowError as error:
            raise ArgumentOverflowError(f"{error}; state a dtype, such as 'i64'") from None
    if array.dtype.hasobject:
        hint = "" if type(data) in (list, tuple) else array_hint(data)  # the caller is the remedy for sequences
        raise ArgumentTypeError(f"{what}: expected numbers, got {describe(data)}{hint}")
    return array


def _require_numbers(array: npt.NDArray[Any], values: object, what: str) -> None:
    """Raise TypeError for an array of strings, which numpy casts to numbers, or fails with an error of its own."""
    if array.dtype.kind in "SU":
        got = describe(values) + " of strings" * (type(values) in (list, tuple))
        raise ArgumentTypeError(f"{what}: expected numbers, got {got}; convert strings with float() or int()")


def _default_type(data: object, ndim: int) -> DataType | None:
    """Return Taichi's default type for Python numbers that nest `ndim` levels deep; None for all else."""
    leaves: Iterable[Any] = [data]
    for _ in range(ndim):
        leaves = chain.from_iterable(leaves)
    kinds = set(map(type_of, leaves))
    if not all(issubclass(kind, int | float) and not issubclass(kind, np.generic) for kind in kinds):
        return None
    if any(issubclass(kind, float) for kind in kinds) or not kinds:
        return DataType.F32
    return DataType.U1 if kinds == {bool} else DataType.I32


def plain_array(values: object, what: str = "data") -> npt.NDArray[Any]:
    """Return the values as a plain `numpy.ndarray`, of dtype object for numbers and nested sequences."""
    if is_array(values):
        return _plain(values)
    if _offers_array(values):
        return _plain(_as_numpy(values, what))
    try:
        return np.array(values, dtype=object)
    except ValueError:
        raise _ragged(what) from None


def _as_numpy(values: Any, what: str) -> npt.NDArray[Any]:
    """Return numpy's array of another library's array; raise if the library refuses."""
    trouble = tensor_trouble(values)
    if trouble:
        raise ArgumentTypeError(f"{what}: {trouble}")
    return np.asanyarray(values)


def _ragged(what: str) -> ValueError:
    """Return the exception for sequences of different lengths; `what` names the parameter."""
    return InvalidArgumentError(f"{what}: expected a rectangular sequence of numbers, got a ragged one")


def _convert_elements(array: npt.NDArray[Any], dtype: DataType, what: str) -> npt.NDArray[Any]:
    """Convert each element of a plain array as `convert` does."""
    try:
        return store(_convert_all(array.ravel(), dtype), dtype).reshape(array.shape)
    except TypeError as error:
        if array.ndim < MAX_NDIM and any(type_of(value) in (list, tuple) for value in array.ravel()):
            raise _ragged(what) from None
        hint = "" if array.ndim else array_hint(array[()])
        raise ArgumentTypeError(f"{what}: {error}{hint}") from None
    except OverflowError as error:
        raise ArgumentOverflowError(f"{what}: {error}") from None


def _convert_all(values: Iterable[Any], dtype: DataType) -> list[int | float]:
    if dtype in INTEGER_RANGES:
        low, high = INTEGER_RANGES[dtype]
        return [v if v.__class__ is int and low <= v <= high else convert(v, dtype) for v in values]
    return [v if v.__class__ is float else convert(v, dtype) for v in values]


def store(numbers: float | Sequence[float], dtype: DataType) -> npt.NDArray[Any]:
    """Return one or a sequence of the results of `convert` as an array of `dtype`.

    Floats are rounded, to infinity if too large.
    """
    if dtype in INTEGER_RANGES:
        return np.array(numbers, numpy_dtype(dtype))
    if dtype is DataType.F32 and isinstance(numbers, list):  # C rounds so too, and warns of nothing
        return np.frombuffer(bytearray(pack(f"{len(numbers)}f", *numbers)), np.float32)
    with np.errstate(over="ignore"):
        return np.array(numbers, np.float64).astype(numpy_dtype(dtype), copy=False)


def _plain(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the array as its base class sees it, whatever its subclass overrides."""
    if is_masked(array):
        raise ArgumentTypeError("a masked array lacks values where it is masked; array.filled() fills them in")
    return np.ndarray.view(array, np.ndarray)


def _offers_array(values: Any) -> bool:
    if values.__class__ in (int, float, list, tuple) or isinstance(values, np.generic):  # the most frequent first
        return False
    kind = type_of(values)
    if hasattr(kind, "__array__") or hasattr(kind, "__array_interface__"):
        return True
    try:
        memoryview(values).release()
    except TypeError:
        return False
    return True


def _to_integer(value: Any, dtype: DataType) -> int:
    kind = type_of(value)
    if kind is np.bool_:
        value = bool(value)
    elif not hasattr(kind, "__index__"):
        raise ArgumentTypeError(f"{describe(value)} is not an integer")
    # `int.__index__` returns the int itself, whatever a subclass of int overrides.
    number = int.__index__(operator.index(value))
    low, high = INTEGER_RANGES[dtype]
    if not low <= number <= high:
        raise ArgumentOverflowError(f"{short(number)} does not fit {dtype}")
    return number


def _to_real(value: Any, dtype: DataType) -> float:
    kind = type_of(value)
    if issubclass(kind, NUMPY):
        is_real = issubclass(kind, NUMPY_REAL) and not issubclass(kind, np.timedelta64)
    else:
        is_real = hasattr(kind, "__float__") or hasattr(kind, "__index__")
    if not is_real:
        raise ArgumentTypeError(f"{describe(value)} is not a real number")
    try:
        return float(value)
    except OverflowError:
        raise ArgumentOverflowError(f"{short(value)} does not fit {dtype}") from None

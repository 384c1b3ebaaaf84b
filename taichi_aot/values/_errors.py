"""Errors: the codes of the C library, an exception class for each, and the words of messages.

Texts for user values are bounded in length, and made without running user code.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence, Sized
from enum import IntEnum
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


E = TypeVar("E", bound=Exception)

FIELD_NODE = r"Accessing field \(([^)]+)\)"  # in the compiler's messages about indices of fields


class ErrorCode(IntEnum):
    """Code of an error (``TiError``).

    Examples
    --------
    >>> ErrorCode(-11)
    <ErrorCode.OUT_OF_MEMORY: -11>
    """

    SUCCESS = 0
    NOT_SUPPORTED = -1
    CORRUPTED_DATA = -2
    NAME_NOT_FOUND = -3
    INVALID_ARGUMENT = -4
    ARGUMENT_NULL = -5
    ARGUMENT_OUT_OF_RANGE = -6
    ARGUMENT_NOT_FOUND = -7
    INVALID_INTEROP = -8
    INVALID_STATE = -9
    INCOMPATIBLE_MODULE = -10
    OUT_OF_MEMORY = -11


class LibraryNotFoundError(OSError):
    """The Taichi C-API library is missing, cannot be loaded, or has the wrong version.

    The message lists each place that was searched with the reason for rejecting it, and what to install.

    Examples
    --------
    >>> try:
    ...     path = library_path()
    ... except LibraryNotFoundError as error:
    ...     print(error)
    """


class TaichiError(Exception):
    """Base class of errors with a code, from the C library or from checks of this package.

    Each subclass is also the exception that Python has for such a call, such as TypeError.

    Attributes
    ----------
    code : ErrorCode
        The code of the library, or the one that it has for such a call.
    routine : str
        The C function that failed, such as ``"ti_map_memory"``; empty if this package rejected the call itself.

    Examples
    --------
    >>> try:
    ...     module.kernels["sxpy"]
    ... except TaichiError as error:
    ...     print(error.code.name, isinstance(error, KeyError))
    NAME_NOT_FOUND True
    """

    code: ErrorCode
    routine: str = ""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""  # KeyError's own shows the repr


class NotSupportedError(TaichiError, NotImplementedError):
    """The library or this machine does not support the request.

    Examples
    --------
    >>> rt.stream(0)
    Traceback (most recent call last):
    taichi_aot.NotSupportedError: arch x64 has no streams
    """

    code = ErrorCode.NOT_SUPPORTED


class CorruptedDataError(TaichiError, ValueError):
    """A file or buffer is damaged or is not a module.

    Examples
    --------
    >>> inspect(b"PK")
    Traceback (most recent call last):
    taichi_aot.CorruptedDataError: the module is not a sound .tcm archive: it is cut off or damaged (File is not a zip
    file); build or copy it again
    """

    code = ErrorCode.CORRUPTED_DATA


class NameNotFoundError(TaichiError, KeyError):
    """The module does not have a kernel or graph of that name.

    Examples
    --------
    >>> module.graphs["thrice"]
    Traceback (most recent call last):
    taichi_aot.NameNotFoundError: the module has no graph 'thrice', it has 'both', 'twice'; did you mean 'twice'?
    """

    code = ErrorCode.NAME_NOT_FOUND


class InvalidArgumentError(TaichiError, ValueError):
    """An argument has a wrong value: a shape, or an object of another runtime.

    Examples
    --------
    >>> InvalidArgumentError.code
    <ErrorCode.INVALID_ARGUMENT: -4>
    """

    code = ErrorCode.INVALID_ARGUMENT


class ArgumentTypeError(TaichiError, TypeError):
    """An argument has the wrong type, or there are too many.

    Examples
    --------
    >>> try:
    ...     saxpy(2.0, x, [1, 2, 3])
    ... except TypeError as error:
    ...     print(isinstance(error, ArgumentTypeError))
    True
    """

    code = ErrorCode.INVALID_ARGUMENT


class InvalidBufferError(TaichiError, BufferError):
    """Memory of another library cannot be used: it is not contiguous, say.

    Examples
    --------
    >>> try:
    ...     rt.from_dlpack(np.zeros((4, 4), "f4").T)
    ... except BufferError as error:
    ...     print(str(error).partition(";")[0])
    it is not C-contiguous: its shape is (4, 4), and its strides are (4, 16) bytes
    """

    code = ErrorCode.INVALID_ARGUMENT


class ArgumentNullError(TaichiError, ValueError):
    """A handle or a pointer is null.

    Examples
    --------
    >>> ArgumentNullError.code
    <ErrorCode.ARGUMENT_NULL: -5>
    """

    code = ErrorCode.ARGUMENT_NULL


class ArgumentOutOfRangeError(TaichiError, ValueError):
    """A number is out of range, or is not a member of its enumeration.

    Examples
    --------
    >>> ArgumentOutOfRangeError.code
    <ErrorCode.ARGUMENT_OUT_OF_RANGE: -6>
    """

    code = ErrorCode.ARGUMENT_OUT_OF_RANGE


class ArgumentOverflowError(TaichiError, OverflowError):
    """An integer does not fit the type of its parameter.

    Examples
    --------
    >>> x.memory.fill(300)
    Traceback (most recent call last):
    taichi_aot.ArgumentOverflowError: value must be a byte, 0 to 255, not 300
    """

    code = ErrorCode.ARGUMENT_OUT_OF_RANGE


class ArgumentIndexError(TaichiError, IndexError):
    """An index or a range exceeds its array or memory.

    Examples
    --------
    >>> x[2:9]
    Traceback (most recent call last):
    taichi_aot.ArgumentIndexError: index 9 is out of range of 3 items along axis 0
    """

    code = ErrorCode.ARGUMENT_OUT_OF_RANGE


class ArgumentNotFoundError(TaichiError, TypeError):
    """A launch is missing an argument.

    Examples
    --------
    >>> ArgumentNotFoundError.code
    <ErrorCode.ARGUMENT_NOT_FOUND: -7>
    """

    code = ErrorCode.ARGUMENT_NOT_FOUND


class InvalidInteropError(TaichiError, RuntimeError):
    """The arch cannot share this object with another API.

    Examples
    --------
    >>> InvalidInteropError.code
    <ErrorCode.INVALID_INTEROP: -8>
    """

    code = ErrorCode.INVALID_INTEROP


class InvalidStateError(TaichiError, RuntimeError):
    """The library failed internally, or an object is not ready for the call.

    After a failure of the library, the object that it was working on may be lost.

    Examples
    --------
    >>> InvalidStateError.code
    <ErrorCode.INVALID_STATE: -9>
    """

    code = ErrorCode.INVALID_STATE


class ObjectStateError(TaichiError, ValueError):
    """An object cannot be used as it is: it was closed or freed, or is not mapped.

    Examples
    --------
    >>> array = rt.zeros(3, "f32")
    >>> array.close()
    >>> array.to_numpy()
    Traceback (most recent call last):
    taichi_aot.ObjectStateError: the memory is closed
    """

    code = ErrorCode.INVALID_STATE


class BufferStateError(TaichiError, BufferError):
    """Memory is mapped, or something still uses it.

    Examples
    --------
    >>> array = rt.zeros(3, "f32")
    >>> try:
    ...     with array.map() as view:
    ...         array.close()
    ... except BufferError as error:
    ...     print(error)
    the memory has live views; drop them before closing it
    """

    code = ErrorCode.INVALID_STATE


class WaitTimeoutError(TaichiError, TimeoutError):
    """The device has not finished in time. The work continues, and you can wait again.

    Examples
    --------
    >>> saxpy(2.0, x, y)
    >>> try:
    ...     rt.wait(timeout=60)
    ... except TimeoutError:
    ...     print("still running")
    """

    code = ErrorCode.INVALID_STATE


class DeviceLostError(InvalidStateError):
    """A CUDA kernel faulted, for example by accessing an illegal address, and the CUDA context is unusable.

    Every later call on that device fails; use it in a new process. The message names the device. Other devices of the
    process have contexts of their own.

    Examples
    --------
    >>> cuda = Runtime("cuda")  # doctest: +SKIP
    >>> try:  # doctest: +SKIP
    ...     cuda.wait()
    ... except DeviceLostError:
    ...     print("start a new process")
    """


class KernelAssertionError(TaichiError, AssertionError):
    """An ``assert`` in a kernel has failed, or another check that the compiler adds with ``debug=True``.

    The next call that waits for the launch raises it: `Runtime.wait`, reading an array, a returned value. The message
    has the kernel, the text of the assertion with its numbers, and the line of the source.

    Attributes
    ----------
    kernel : str
        The name of the kernel.
    file : str or None
        The file of the source, as the compiler named it; None if the module does not state it.
    line : int or None
        The line in that file.

    Examples
    --------
    >>> try:  # doctest: +SKIP
    ...     module.step(x)
    ...     module.runtime.wait()
    ... except KernelAssertionError as error:
    ...     print(error.kernel, error.line)
    """

    code = ErrorCode.INVALID_STATE
    kernel: str = ""
    file: str | None = None
    line: int | None = None


class KernelIndexError(TaichiError, IndexError):
    """An index in a kernel that was compiled with ``debug=True`` is out of range.

    The next call that waits for the launch raises it, like `KernelAssertionError`.

    Attributes
    ----------
    kernel, file, line
        As for `KernelAssertionError`.

    Examples
    --------
    >>> try:  # doctest: +SKIP
    ...     module.step(x)
    ...     module.runtime.wait()
    ... except IndexError as error:
    ...     print(error)
    """

    code = ErrorCode.ARGUMENT_OUT_OF_RANGE
    kernel: str = ""
    file: str | None = None
    line: int | None = None


class IncompatibleModuleError(TaichiError, ValueError):
    """The module is intact, but needs another backend, version or capability than the runtime has.

    Examples
    --------
    >>> with Runtime("vulkan") as vulkan:  # doctest: +SKIP
    ...     vulkan.load_module("saxpy.tcm")
    Traceback (most recent call last):
    taichi_aot.IncompatibleModuleError: saxpy.tcm was compiled for x64 and cannot run on a runtime of arch
    """

    code = ErrorCode.INCOMPATIBLE_MODULE


class OutOfMemoryError(MemoryError, TaichiError):  # this order gives it the `__new__` that tblib calls for pickles
    """The host or the device does not have enough memory for an allocation.

    Examples
    --------
    >>> try:
    ...     memory = rt.allocate(2**60)
    ... except OutOfMemoryError as error:
    ...     print(isinstance(error, MemoryError))
    True
    """

    code = ErrorCode.OUT_OF_MEMORY


class StaleBundleWarning(UserWarning):
    """The source of a bundle has changed since the bundle was built.

    `load`, `Runtime.load_module` and `function` warn once for each file, with the command that builds it again. They
    compare the source with its digest in the bundle. Without the source beside the bundle they do not warn.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("error", StaleBundleWarning)  # in tests, for example
    >>> warnings.resetwarnings()
    """


class ReloadWarning(UserWarning):
    """A changed file does not replace the module that runs: see `load` with ``reload=True``.

    The message says why. The program continues with the module that it has.

    Examples
    --------
    >>> import warnings
    >>> warnings.simplefilter("error", ReloadWarning)  # the launch that finds the file raises
    >>> warnings.resetwarnings()
    """


# The class for each code that the library reports. Wrong calls with the same code have other classes of Python.
_CLASSES: dict[int, type[TaichiError]] = {
    cls.code: cls
    for cls in (
        NotSupportedError,
        CorruptedDataError,
        NameNotFoundError,
        InvalidArgumentError,
        ArgumentNullError,
        ArgumentOutOfRangeError,
        ArgumentNotFoundError,
        InvalidInteropError,
        InvalidStateError,
        IncompatibleModuleError,
        OutOfMemoryError,
    )
}


def error_class(code: int) -> type[TaichiError]:
    """Return the exception class for an error code of the C library."""
    return _CLASSES.get(code, InvalidStateError)


def with_code(error: E, code: ErrorCode) -> E:
    """Return the exception with a code: one of Python's own, or one whose class has another code."""
    error.code = code  # type: ignore[attr-defined]
    return error


def wrong_type(value: object, message: str) -> ArgumentTypeError:
    """Return the exception for an argument of the wrong type where C takes a pointer: None is its null."""
    error = ArgumentTypeError(message)
    return with_code(error, ErrorCode.ARGUMENT_NULL) if value is None else error


def unknown_parameter(message: str) -> ArgumentTypeError:
    """Return the exception for an argument whose name is not that of a parameter."""
    return with_code(ArgumentTypeError(message), ErrorCode.NAME_NOT_FOUND)


def wrong_arguments(
    error: TypeError,
    names: Sequence[str],
    args: Sequence[object],
    kwargs: Iterable[str],
    *,
    optional: int = 0,
    hint: str = "",
    remedy: str = "",
) -> ArgumentTypeError | ArgumentNotFoundError | None:
    """Return Python's error about the number or names of arguments with a code; None if it is about something else.

    The last `optional` of the names may be left out. `hint` ends the message about an unknown name, `remedy` that about
    missing arguments.
    """
    given = [*names[: len(args)], *kwargs]
    if not set(kwargs) <= set(names):
        return unknown_parameter(f"{error}; its parameters are {', '.join(map(repr, names)) or 'none'}{hint}")
    if len(args) > len(names) or len(set(given)) < len(given):
        return ArgumentTypeError(str(error))
    if not set(names[: len(names) - optional]) <= set(given):
        return ArgumentNotFoundError(f"{error}{remedy}")
    return None


def leave_caller(error: TaichiError) -> None:
    """Drop the frames of this package that led to an error, which a bare ``raise`` then raises in the caller's line.

    Frames of others, such as a number's ``__float__``, stay. Python 3.10 keeps all frames.
    """
    trace = error.__traceback__
    while trace is not None and _is_own(trace.tb_frame):
        trace = trace.tb_next
    error.__traceback__ = trace


def _is_own(frame: FrameType) -> bool:
    name = frame.f_globals.get("__name__") or frame.f_code.co_filename[1:]  # generated functions have no module
    return bool(name.partition(".")[0].partition(" ")[0] == "taichi_aot")


_warnings = (StaleBundleWarning, ReloadWarning)
for _error in (*_warnings, LibraryNotFoundError, TaichiError, DeviceLostError, *TaichiError.__subclasses__()):
    _error.__module__ = "taichi_aot"  # tracebacks name the public place


# Texts for user values in messages: bounded in length, and made without running user code.


LONGEST = 40  # characters of a value
PUBLIC_ROOMS = ("build", "capi", "demo", "distributed", "interop", "isolated")  # whose classes users import from there
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
MOST = 24  # items of a sequence: enough for the longest shape with its element shape


def count(items: Sized | int, noun: str) -> str:
    """Return the number of items with their noun: ``"1 kernel"``, ``"2 kernels"``."""
    number = items if isinstance(items, int) else len(items)
    return f"{number} {noun}{'s' * (number != 1)}"


def with_article(noun: str) -> str:
    """Return a noun with its article: ``"a Memory"``, ``"an NdArray"``."""
    return f"{'an' if noun[0] in 'AEIO' or noun in ('NdArray', 'UntilSequence') else 'a'} {noun}"


def is_array(value: object) -> TypeGuard[npt.NDArray[Any]]:
    """Return whether it is a numpy array, of any class."""
    return isinstance(value, np.ndarray)


def is_masked(value: object) -> bool:
    # Masked arrays do not exist before `numpy.ma` is imported, so this does not import it.
    return isinstance(value, getattr(sys.modules.get("numpy.ma"), "MaskedArray", ()))


def describe(value: object) -> str:
    """Return the type of a value, with the value itself if it is a plain Python number or str."""
    if is_array(value):
        plain = np.ndarray.view(value, np.ndarray)
        library = "masked" if is_masked(value) else "numpy"
        return f"a {library} array of {plain.dtype} with shape {plain.shape}"
    if isinstance(value, type):
        return f"the class {value.__qualname__}"
    kind = type_of(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{_public_place(kind)}.{kind.__qualname__}"
    return f"{name} {short(value)}" if kind in (int, float, str, bool) else name


def _public_place(kind: type) -> str:
    """Return the module from which users import a class: the classes of this package stand in private modules."""
    package, _, rest = kind.__module__.partition(".")
    if package != "taichi_aot" or not rest:
        return kind.__module__
    public = rest.partition("._")[0]
    return f"{package}.{public}" if public.partition(".")[0] in PUBLIC_ROOMS else package


def short(value: object) -> str:
    """Return a value in about 40 characters, or the items of a tuple or list; otherwise its type."""
    if is_array(value) and np.ndarray.view(value, np.ndarray).ndim == 0:
        value = np.ndarray.view(value, np.ndarray)[()]
    kind = type_of(value)
    if _is_sequence(value):
        return _short_sequence(value, kind)
    if type(value) is int and value.bit_length() > 1000:  # Python refuses to print integers of very many digits
        return f"an integer of {value.bit_length()} bits"
    if type(value) is str and len(value) > LONGEST:
        return f"{value[:LONGEST]!r}"[:LONGEST] + "..."
    is_numpy = kind.__module__ == "numpy" and issubclass(kind, np.generic)
    if kind not in (int, float, str, bool) and not is_numpy:  # user code would make its text
        return describe(value)
    text = str(value) if is_numpy else repr(value)
    return text if len(text) <= LONGEST + 2 else f"{text[:LONGEST]}..."


def _short_sequence(values: Sequence[object], kind: type[Any]) -> str:
    items = [type_of(item).__qualname__ if _is_sequence(item) else short(item) for item in values[:MOST]]
    if len(values) > MOST:
        items.append(f"... {len(values)} in all")
    if kind is list:
        return f"[{', '.join(items)}]"
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    return type(value) in (tuple, list)


def type_of(value: object) -> type[Any]:
    return type(value)


def four_digits(value: float) -> str:
    """Format a number with four digits, or with all digits before the decimal point."""
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"


def unit_of(seconds: float) -> tuple[float, str]:
    """Return the unit in which a time reads best, in seconds, and its name."""
    return next((unit for unit in _UNITS if abs(seconds) >= unit[0]), _UNITS[-1])


def with_unit(seconds: float) -> str:
    """Format a time, such as ``"1.234 ms"``."""
    unit, name = unit_of(seconds)
    return f"{four_digits(seconds / unit)} {name}"


PACKAGE = __name__.partition(".")[0]


def warn_caller(message: str, category: type[Warning]) -> None:
    """Warn, with the line outside of this package that has led here."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", PACKAGE).partition(".")[0] == PACKAGE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)

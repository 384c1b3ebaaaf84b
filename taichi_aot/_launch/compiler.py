"""Arguments of a launch: a packer is compiled from a signature when its kernel is fetched.

What the signature says is not interpreted at each launch: the function compiled here takes the parameters by their
names (so Python itself reports a wrong count or name), tests each argument with a few comparisons, writes the values
into a native block, and calls into C, where what may have been closed is checked under the runtime's lock. A failed
test leaves that fast path and goes to `Packer.reject`, which finds out what to say.
"""

from __future__ import annotations

import keyword
import warnings
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from .._ffi.library import ffi, lib
from .._ffi.status import Status, error_of, status_index, status_kind
from .._handles.module import ModuleHandle
from .._memory.convert import INTEGER_RANGES, convert
from ..dtypes import array_type, numpy_dtype
from ..enums import DataType
from ..errors import NotSupportedError
from ..formats import WORDS_PER_ARGUMENT, byte_size, word_argument_name, word_counts
from ..ndarray import NdArray
from ..signature import Parameter, Signature

__all__ = ["Block", "Packer"]

# How the bits of a scalar get into the block. Those of up to 32 bits go as the 32 bits of an I32 or F32 argument,
# of which the library copies as many as the parameter has.
SCALAR_POINTERS = {DataType.F32: "float *", DataType.F64: "double *", DataType.U32: "uint32_t *"}
SCALAR_POINTERS |= {DataType.I64: "int64_t *", DataType.U64: "uint64_t *"}


class Block(NamedTuple):
    """A native launch with room for its arguments."""

    launch: Any  # taichi_aot_launch *
    arrays: Any  # taichi_aot_array *[], by number of the ndarray parameter
    values: tuple[Any, ...]  # where each other argument is written
    keep: tuple[Any, ...]  # memory that the launch points to


class _Lines(NamedTuple):
    """Lines of a function to be compiled."""

    tests: list[str]
    writes: list[str]


class Packer:
    """Checks and passes the arguments of one kernel or graph.

    Parameters
    ----------
    signature : Signature
        What is checked.
    module : ModuleHandle
        Kept alive; a launch after it was closed raises.
    native : cdata
        ``TiKernel`` or ``TiComputeGraph``.
    named : bool
        Whether `native` is a graph, which takes its arguments by name.
    """

    def __init__(self, signature: Signature, module: ModuleHandle, native: Any, *, named: bool) -> None:
        self.signature = signature
        self.module = module
        self.native = native
        self._named = named
        self._family = "llvm" if module.runtime.arch.is_llvm else "gfx"
        self._warned = not signature.returns
        # Words beyond the first 32 of a parameter are arguments of their own, behind the others.
        self._words = [word_counts(parameter, self._family) for parameter in signature.parameters]
        self._further = [(i, k) for i, counts in enumerate(self._words) for k in range(1, len(counts))]
        self._names = [ffi.new("char[]", name.encode()) for name in self._argument_names()]
        self._python_names = _python_names(signature.parameters)
        self._prefix = "_"
        while any(name.startswith(self._prefix) for name in self._python_names):
            self._prefix += "_"

    @cached_property
    def arguments(self) -> Callable[..., dict[str, Any]]:
        """The arguments of a call by name; Python itself reports a wrong count or name."""
        pairs = ", ".join(f"{name!r}: {name}" for name in self._python_names)
        return self._function([f"def ~function({', '.join(self._python_names)}):", f"    return {{{pairs}}}"], {})

    def _argument_names(self) -> list[str]:
        names = [parameter.name for parameter in self.signature.parameters]
        return names + [word_argument_name(names[i], k) for i, k in self._further]

    def call(self) -> Callable[..., None]:
        """A function that takes the arguments and launches."""
        lines, scope = self._compile(self._python_names, "~arrays[{k}] = {name}._c")
        takes = ", ".join(self._python_names)
        scope |= {"launch": lib.taichi_aot_launch_now, "free": [], "new": self.block, "refuse": self.refuse}
        scope |= {"warn": self.warn, "empty": IndexError}
        return self._function(
            [
                f"def ~function({takes}):",
                *(["    ~warn()"] if self.signature.returns else []),
                *lines.tests,
                # Each call has a block of its own while it runs, so that threads may launch the same kernel.
                "    try:",
                "        ~block = ~free.pop()",
                "    except ~empty:",
                "        ~block = ~new()",
                "    ~native, ~arrays, ~values, ~ = ~block",
                *lines.writes,
                "    ~code = ~launch(~native)",
                "    ~free.append(~block)",
                "    if ~code:",
                "        raise ~refuse(~code)",
            ],
            scope,
        )

    def setter(self, names: Sequence[str]) -> Callable[..., None]:
        """A function that takes a block and the arguments `names` by name, checks them all, and writes them."""
        lines, scope = self._compile(names, "~set_array(~native, {k}, {name}._c)")
        scope["set_array"] = lib.taichi_aot_set_array
        return self._function(
            [
                f"def ~function(~block, {', '.join(names)}):",
                *lines.tests,
                "    ~native, ~arrays, ~values, ~ = ~block",
                *lines.writes,
            ],
            scope,
        )

    def block(self) -> Block:
        """A new block without arguments."""
        count, runtime = len(self._names), self.module.runtime
        arguments = ffi.new("TiNamedArgument[]" if self._named else "TiArgument[]", count)
        array_count = sum(parameter.kind == "ndarray" for parameter in self.signature.parameters)
        arrays = ffi.new("taichi_aot_array *[]", array_count)
        slots = ffi.new("TiNdArray *[]", array_count)
        launch = ffi.new("taichi_aot_launch *")
        launch.runtime, launch.module = runtime.c, self.module.c
        launch.argument_count, launch.array_count = count, array_count
        launch.arrays, launch.slots = arrays, slots
        if self._named:
            launch.ti_compute_graph, launch.named_arguments = self.native, arguments
            for i, name in enumerate(self._names):
                arguments[i].name = name
        else:
            launch.ti_kernel, launch.arguments = self.native, arguments
        values = self._values([arguments[i].argument if self._named else arguments[i] for i in range(count)], slots)
        return Block(launch, arrays, values, (arguments, slots))

    def _values(self, arguments: list[Any], slots: Any) -> tuple[Any, ...]:
        """Prepare the arguments: their types, where arrays go, and where all others are written, by parameter."""
        further = iter(arguments[len(self.signature.parameters) :])
        values: list[Any] = []
        array_count = 0
        for i, parameter in enumerate(self.signature.parameters):
            argument, value = arguments[i], None
            if parameter.kind == "ndarray":
                argument.type = lib.TI_ARGUMENT_TYPE_NDARRAY
                slots[array_count] = ffi.addressof(argument.value, "ndarray")
                array_count += 1
            elif self._words[i]:
                tensors = [argument, *(next(further) for _ in self._words[i][1:])]
                value = [_tensor_of_words(*item) for item in zip(tensors, self._words[i], strict=True)]
                if parameter.kind == "scalar" and parameter.dtype is not None:
                    value = ffi.cast(SCALAR_POINTERS[parameter.dtype], value[0])
            elif parameter.kind == "scalar" and parameter.dtype is not None:
                real = parameter.dtype is DataType.F32
                argument.type = lib.TI_ARGUMENT_TYPE_F32 if real else lib.TI_ARGUMENT_TYPE_I32
                kind = SCALAR_POINTERS.get(parameter.dtype, "int32_t *")
                value = ffi.cast(kind, ffi.addressof(argument.value))
            values.append(value)
        return tuple(values)

    def _compile(self, names: Sequence[str], set_array: str) -> tuple[_Lines, dict[str, Any]]:
        """The lines that test and write the parameters `names`, and what they use."""
        lines = _Lines([], [])
        scope: dict[str, Any] = {
            "NdArray": NdArray,
            "runtime": self.module.runtime,
            "reject": self.reject,
            "convert": self._convert,
            "to_bytes": self._to_bytes,
            "copy": ffi.memmove,
        }
        array_count = 0
        for i, (name, parameter) in enumerate(zip(self._python_names, self.signature.parameters, strict=True)):
            is_array = parameter.kind == "ndarray"
            if name in names:
                if is_array and parameter.dtype is not None:
                    scope[f"type{i}"] = array_type(parameter.dtype, parameter.ndim, parameter.elem_shape)
                tests, writes = self._compile_parameter(i, name, parameter, array_count, set_array)
                lines.tests.extend(f"    {line}" for line in tests)
                lines.writes.extend(f"    {line}" for line in writes)
            array_count += is_array
        return lines, scope

    def _function(self, lines: list[str], scope: dict[str, Any]) -> Callable[..., Any]:
        """Compile a function whose own names begin with a prefix, in place of ``~``, that no parameter has."""
        # No name of a module's file gets into the text but identifiers.
        text = "\n".join(lines).replace("~", self._prefix)
        variables = {self._prefix + key: value for key, value in scope.items()}
        exec(compile(text, f"<launch of {self.signature.name!r}>", "exec"), variables)
        # Taken out of its own globals: no reference cycle keeps a runtime from ending.
        function: Callable[..., Any] = variables.pop(f"{self._prefix}function")
        function.__name__ = function.__qualname__ = self.signature.name
        return function

    def _compile_parameter(
        self, i: int, name: str, parameter: Parameter, array_number: int, set_array: str
    ) -> tuple[list[str], list[str]]:
        """The lines that test and convert an argument, and those that write it into the block."""
        if self._unsupported(parameter):
            return [f"raise ~reject({i}, {name})"], []
        if parameter.kind == "ndarray":
            test = (
                f"if {name}.__class__ is not ~NdArray or {name}._type is not ~type{i}"
                f" or {name}._handle.runtime is not ~runtime: raise ~reject({i}, {name})"
            )
            return [test], [set_array.format(k=array_number, name=name)]
        if parameter.kind == "matrix":
            writes = []
            for k, count in enumerate(self._words[i]):
                begin = 4 * WORDS_PER_ARGUMENT * k
                end = min(begin + 4 * count, byte_size(parameter, self._family))
                part = name if len(self._words[i]) == 1 else f"{name}[{begin}:{end}]"
                writes.append(f"~copy(~values[{i}][{k}], {part}, {end - begin})")
            return [f"{name} = ~to_bytes({i}, {name})"], writes
        if parameter.dtype in INTEGER_RANGES:
            low, high = INTEGER_RANGES[parameter.dtype]
            test = f"if {name}.__class__ is not int or not {low} <= {name} <= {high}: {name} = ~convert({i}, {name})"
        elif parameter.dtype is DataType.F16:
            test = f"{name} = ~convert({i}, {name})"
        else:
            test = f"if {name}.__class__ is not float: {name} = ~convert({i}, {name})"
        return [test], [f"~values[{i}][0] = {name}"]

    def _unsupported(self, parameter: Parameter) -> str:
        """Why a parameter cannot be passed at all; empty if it can."""
        if parameter.kind not in ("scalar", "matrix", "ndarray"):
            return f"{parameter.kind} arguments are not supported"
        if parameter.grad:
            return "the kernel uses the gradient of this array, which the C-API cannot pass; pass it as an array"
        if parameter.kind == "ndarray" and parameter.dtype is DataType.U1 and self._family == "gfx":
            return "Taichi's SPIR-V code puts four elements of an ndarray of u1 into one place; use u8 or i32"
        if parameter.kind == "matrix" and parameter.dtype is DataType.U1 and self._family == "gfx":
            return "drivers refuse Taichi's SPIR-V code for vectors and matrices of u1; use u8 or i32"
        return ""

    def _convert(self, i: int, value: Any) -> int | float:
        """A scalar argument as what is written into the block."""
        dtype = self.signature.parameters[i].dtype
        try:
            number = convert(value, dtype)  # type: ignore[arg-type]
        except TypeError:
            raise self.reject(i, value) from None
        except OverflowError:
            raise OverflowError(f"{self._where(i)} {_short(value)} does not fit {self._wanted(i)}") from None
        return half_bits(number) if dtype is DataType.F16 else number

    def _to_bytes(self, i: int, value: Any) -> bytes:
        """A vector or matrix argument as what is copied into the block."""
        parameter = self.signature.parameters[i]
        dtype, shape = parameter.dtype, parameter.elem_shape
        assert dtype is not None
        if isinstance(value, NdArray):  # numpy would take it for what it holds
            raise self.reject(i, value)
        try:
            array = value if isinstance(value, np.ndarray) else np.array(value, dtype=object)
        except ValueError:
            raise ValueError(f"{self._where(i)} expected {self._wanted(i)}, got a ragged sequence") from None
        if array.ndim == 0:
            raise self.reject(i, value)
        if _without_ones(array.shape) != _without_ones(shape):
            raise ValueError(f"{self._where(i)} expected {self._wanted(i)}, got shape {array.shape}")
        if array.dtype != numpy_dtype(dtype):
            numbers = [self._convert_element(i, element, dtype) for element in array.ravel()]
            with np.errstate(over="ignore"):
                array = np.array(numbers, np.float64 if dtype not in INTEGER_RANGES else numpy_dtype(dtype)).astype(
                    numpy_dtype(dtype)
                )
        return array.tobytes()

    def _convert_element(self, i: int, element: Any, dtype: DataType) -> int | float:
        try:
            return convert(element, dtype)
        except TypeError:
            raise TypeError(f"{self._where(i)} expected {self._wanted(i)}, got {_describe(element)} in it") from None
        except OverflowError:
            raise OverflowError(f"{self._where(i)} {_short(element)} does not fit {dtype}") from None

    def _where(self, i: int) -> str:
        return f"{self.signature.name}() parameter {self.signature.parameters[i].name!r}:"

    def _wanted(self, i: int) -> str:
        return self.signature.parameters[i].type_name

    def warn(self) -> None:
        """Say once that return values are lost."""
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"{self.signature} returns a value, which the C-API cannot fetch; write it to an ndarray instead",
                stacklevel=4,
            )

    def reject(self, i: int, value: Any) -> Exception:
        """The exception for an argument that did not pass its tests."""
        parameter = self.signature.parameters[i]
        unsupported = self._unsupported(parameter)
        if unsupported:
            return NotSupportedError(f"{self._where(i)} {unsupported}")
        if parameter.kind == "ndarray" and isinstance(value, NdArray):
            if str(value._type) == self._wanted(i):
                return ValueError(f"{self._where(i)} {value!r} belongs to another runtime")
            return TypeError(f"{self._where(i)} expected {self._wanted(i)}, got {value._type}")
        hint = ""
        if parameter.kind == "ndarray" and isinstance(value, np.ndarray):
            hint = "; runtime.asarray() makes an NdArray of it"
        return TypeError(f"{self._where(i)} expected {self._wanted(i)}, got {_describe(value)}{hint}")

    def refuse(self, code: int) -> Exception:
        """The exception for a launch that did not succeed: the library's error, or what of it is closed."""
        kind = status_kind(code)
        if kind == Status.CLOSED:
            return self.module.runtime.closed_error()
        if kind == Status.MODULE_CLOSED:
            return ValueError(f"{self.signature.name}(): its module is closed")
        if kind not in (Status.ARRAY_CLOSED, Status.ARRAY_MAPPED):
            return error_of(code)
        i = [i for i, p in enumerate(self.signature.parameters) if p.kind == "ndarray"][status_index(code)]
        if kind == Status.ARRAY_MAPPED:
            return BufferError(f"{self._where(i)} the array is mapped; leave the `with` block first")
        return ValueError(f"{self._where(i)} the array is closed")

    def closed_error(self, values: Sequence[Any]) -> Exception:
        """The exception for arguments of which one, or the module, is closed."""
        if not self.module.runtime.is_open:
            return self.module.runtime.closed_error()
        for i, value in enumerate(values):
            if isinstance(value, NdArray) and value.closed:
                return ValueError(f"{self._where(i)} the array is closed")
        return ValueError(f"{self.signature.name}(): its module is closed")

    @property
    def names(self) -> list[str]:
        """The parameters' names as Python takes them."""
        return self._python_names


def half_bits(number: float) -> int:
    """The bits of a half float."""
    with np.errstate(over="ignore"):
        return int(np.float16(number).view(np.uint16))


def _tensor_of_words(argument: Any, count: int) -> Any:
    """Make an argument a tensor of 32-bit words, and point to the words."""
    argument.type = lib.TI_ARGUMENT_TYPE_TENSOR
    argument.value.tensor.type = lib.TI_DATA_TYPE_I32
    argument.value.tensor.contents.length = count
    return argument.value.tensor.contents.data.x8


def _without_ones(shape: tuple[int, ...]) -> list[int]:
    """What a vector has in common with the matrix of one row or column that it is: modules tell them apart badly."""
    return [size for size in shape if size != 1]


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"a numpy array of {value.dtype} with shape {value.shape}"
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return f"{name} {_short(value)}" if kind in (int, float, str, bool) else name


def _short(value: Any) -> str:
    try:
        text = repr(value) if not isinstance(value, np.generic) else str(value)
    except ValueError:  # an integer of more digits than Python prints
        return "an integer of very many digits"
    return text if len(text) <= 40 else f"{text[:40]}..."


def _python_names(parameters: tuple[Parameter, ...]) -> list[str]:
    """The parameters' names where Python can take them as keywords, else names by position."""
    names = [parameter.name for parameter in parameters]
    usable = all(name.isidentifier() and not keyword.iskeyword(name) for name in names)
    return names if usable and len(set(names)) == len(names) else [f"arg{i}" for i in range(len(names))]

"""Arguments of a launch: a packer is compiled from a signature when its kernel is fetched.

What the signature says is not interpreted at each launch: the function compiled here takes the parameters by their
names (so Python itself reports a wrong count or name), tests each argument with a few comparisons, writes the values
into the native argument block under the runtime's lock, and calls the library. A failed test leaves that fast path and
goes to `Packer.reject`, which finds out what to say.
"""

from __future__ import annotations

import keyword
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ._library import ffi, lib
from .dtypes import array_type
from .enums import Arch, DataType
from .errors import NotSupportedError, error_of
from .handles import ModuleHandle
from .ndarray import NdArray
from .signature import Parameter, Signature

__all__ = ["Packer"]

INTEGER_RANGES = {DataType.I32: (-(2**31), 2**31 - 1)}
ARGUMENT_TYPES = {DataType.I32: lib.TI_ARGUMENT_TYPE_I32, DataType.F32: lib.TI_ARGUMENT_TYPE_F32}


class Packer:
    """The argument block of one kernel or graph, and the function that checks, fills and launches it.

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
        count = len(signature.parameters)
        self._block = ffi.new("TiNamedArgument[]" if named else "TiArgument[]", count)
        self._names = [ffi.new("char[]", parameter.name.encode()) for parameter in signature.parameters]
        self._arguments = [self._block[i].argument if named else self._block[i] for i in range(count)]
        if named:
            for i in range(count):
                self._block[i].name = self._names[i]
        self._launch = lib.checked_ti_launch_compute_graph if named else lib.checked_ti_launch_kernel
        self._native = native

    def compile(self) -> Callable[..., None]:
        """The function that launches. It holds this packer, and nothing here holds it: no cycle keeps a runtime."""
        runtime = self.module.runtime
        parameters = self.signature.parameters
        names = _python_names(parameters)
        prefix = "_"
        while any(name.startswith(prefix) for name in names):
            prefix += "_"
        scope: dict[str, Any] = {
            "NdArray": NdArray,
            "runtime": runtime,
            "module": self.module,
            "reject": self.reject,
            "refuse": self.refuse,
            "error_of": error_of,
            "launch": self._launch,
            "native": self._native,
            "block": self._block,
            "pinned": runtime.arch is Arch.OPENGL,
            "asynchronous": not runtime.arch.is_cpu,
        }
        tests: list[str] = []
        open_tests = ["~module.pointer is None"]
        writes: list[str] = []
        for i, (name, parameter) in enumerate(zip(names, parameters, strict=True)):
            self._compile_parameter(i, name, parameter, scope, tests, open_tests, writes)
        lines = [
            f"def ~call({', '.join(names)}):",
            *(f"    {line}" for line in tests),
            "    with ~runtime.lock:",
            f"        if {' or '.join(open_tests)}:",
            f"            raise ~refuse([{', '.join(names)}])",
            "        if ~runtime.released or ~pinned:",
            "            ~runtime.use()",
            *(f"        {line}" for line in writes),
            f"        ~code = ~launch(~runtime.pointer, ~native, {len(names)}, ~block)",
            "        ~runtime.busy = ~asynchronous",
            "        if ~code:",
            "            raise ~error_of(~code)",
        ]
        # No name of a module's file gets into the text but identifiers.
        text = "\n".join(lines).replace("~", prefix)
        namespace = {prefix + key: value for key, value in scope.items()}
        exec(compile(text, f"<launch of {self.signature.name!r}>", "exec"), namespace)
        call: Callable[..., None] = namespace.pop(f"{prefix}call")
        call.__name__ = call.__qualname__ = self.signature.name
        return call

    def _compile_parameter(
        self,
        i: int,
        name: str,
        parameter: Parameter,
        scope: dict[str, Any],
        tests: list[str],
        open_tests: list[str],
        writes: list[str],
    ) -> None:
        argument = self._arguments[i]
        if parameter.kind == "ndarray" and parameter.dtype is not None:
            argument.type = lib.TI_ARGUMENT_TYPE_NDARRAY
            scope[f"type{i}"] = array_type(parameter.dtype, parameter.ndim, parameter.elem_shape)
            scope[f"value{i}"] = argument.value
            tests.append(
                f"if {name}.__class__ is not ~NdArray or {name}._type is not ~type{i}"
                f" or {name}._handle.runtime is not ~runtime: raise ~reject({i}, {name})"
            )
            open_tests.append(f"{name}._handle.pointer is None")
            writes.append(f"~value{i}.ndarray = {name}._native")
        elif parameter.kind == "scalar" and parameter.dtype in INTEGER_RANGES:
            argument.type = ARGUMENT_TYPES[parameter.dtype]
            low, high = INTEGER_RANGES[parameter.dtype]
            scope[f"value{i}"] = argument.value
            scope["to_integer"] = self._to_integer
            tests.append(f"if {name}.__class__ is not int: {name} = ~to_integer({i}, {name})")
            tests.append(f"if not {low} <= {name} <= {high}: raise ~reject({i}, {name})")
            writes.append(f"~value{i}.i32 = {name}")
        elif parameter.kind == "scalar" and parameter.dtype is DataType.F32:
            argument.type = ARGUMENT_TYPES[parameter.dtype]
            scope[f"value{i}"] = argument.value
            scope["to_float"] = self._to_float
            tests.append(f"if {name}.__class__ is not float: {name} = ~to_float({i}, {name})")
            writes.append(f"~value{i}.f32 = {name}")
        else:
            tests.append(f"raise ~reject({i}, {name})")

    def _to_integer(self, i: int, value: Any) -> int:
        try:
            return integer(value)
        except TypeError:
            raise self.reject(i, value) from None

    def _to_float(self, i: int, value: Any) -> float:
        try:
            return floating(value)
        except TypeError:
            raise self.reject(i, value) from None
        except OverflowError:
            raise OverflowError(f"{self._where(i)} {value!r} does not fit {self._wanted(i)}") from None

    def _where(self, i: int) -> str:
        return f"{self.signature.name}() parameter {self.signature.parameters[i].name!r}:"

    def _wanted(self, i: int) -> str:
        return self.signature.parameters[i].type_name

    def reject(self, i: int, value: Any) -> Exception:
        """The exception for an argument that did not pass its tests."""
        parameter = self.signature.parameters[i]
        if parameter.kind == "scalar":
            if parameter.dtype not in ARGUMENT_TYPES:
                return NotSupportedError(f"{self._where(i)} {self._wanted(i)} arguments are not supported")
            if value.__class__ is int:
                return OverflowError(f"{self._where(i)} {value} does not fit {self._wanted(i)}")
        elif parameter.kind != "ndarray":
            return NotSupportedError(f"{self._where(i)} {parameter.kind} arguments are not supported")
        elif isinstance(value, NdArray):
            if str(value._type) == self._wanted(i):
                return ValueError(f"{self._where(i)} {value!r} belongs to another runtime")
            return TypeError(f"{self._where(i)} expected {self._wanted(i)}, got {value._type}")
        hint = "; runtime.asarray() makes an NdArray of it" if isinstance(value, np.ndarray) else ""
        return TypeError(f"{self._where(i)} expected {self._wanted(i)}, got {_describe(value)}{hint}")

    def refuse(self, values: list[Any]) -> Exception:
        """The exception for a launch with something closed. The runtime's lock is held."""
        runtime = self.module.runtime
        if runtime.pointer is None:
            return runtime.closed_error()
        if self.module.pointer is None:
            return ValueError(f"{self.signature.name}(): its module is closed")
        for i, value in enumerate(values):
            if isinstance(value, NdArray) and value.closed:
                return ValueError(f"{self._where(i)} the array is closed")
        raise AssertionError("a launch was refused without a reason")


def integer(value: Any) -> int:
    """A Python integer from what stands for one: ints, bools, numpy integers and 0-d arrays of them. No floats."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    return int(value) if isinstance(value, np.bool_) else operator.index(value)


def floating(value: Any) -> float:
    """A Python float from any real number, and from 0-d arrays of them."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    real = isinstance(value, np.floating | np.integer | np.bool_)
    if not real and (isinstance(value, np.ndarray | np.generic) or not hasattr(type(value), "__float__")):
        raise TypeError("not a real number")
    return float(value)


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"a numpy array of {value.dtype} with shape {value.shape}"
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    shown = repr(value)
    return f"{name} {shown}" if kind in (int, float, str, bool) and len(shown) < 40 else name


def _python_names(parameters: tuple[Parameter, ...]) -> list[str]:
    """The parameters' names where Python can take them as keywords, else names by position."""
    names = [parameter.name for parameter in parameters]
    usable = all(name.isidentifier() and not keyword.iskeyword(name) for name in names)
    return names if usable and len(set(names)) == len(names) else [f"arg{i}" for i in range(len(names))]

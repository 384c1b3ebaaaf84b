"""Every type of argument for every type of parameter: the kernel gets the given number, or the launch raises."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from helpers.archs import ARCHS
from helpers.extremes import EXTREMES
from helpers.inside import c_address

from taichi_aot import NotSupportedError, capi

TYPE, DATA, VALUE = capi.TiArgumentType, capi.TiDataType, capi.TiArgumentValue
I32, F32, NDARRAY, TEXTURE, SCALAR, TENSOR = sorted(TYPE)
NUMPY = {name: values.dtype for name, values in EXTREMES.items()}
I32_NUMBERS = (0, 1, -1, -5, 127, 128, -128, -129, 255, 256, 300, 32767, 32768, -32769, 65536, 2**31 - 1, -(2**31))
F32_NUMBERS = np.array([0.5, -0.0, 0.1, 3e38, np.inf, -np.inf, np.nan], np.float32)
# f16 bits passed in `x16`: a reader of float32 would see 0 for each.
HALVES = EXTREMES["f16"][EXTREMES["f16"].view(np.uint16) != 0]
REFUSALS = (TypeError, ValueError, OverflowError, NotSupportedError)
# Wider element types that a vector of 8-bit numbers takes: C cannot pass 8-bit vectors to a kernel.
LARGER = {"i8": ("i16", "i32"), "u8": ("u16", "u32", "i16", "i32"), "u1": ("u16", "u32", "i16", "i32")}
NOTHING = 0xEE

pytestmark = pytest.mark.parametrize("arch", ARCHS, indirect=True)


class Case(NamedTuple):
    """An argument, and the numbers that the kernel must receive, or None if the launch must raise."""

    argument: capi.TiArgument
    held: npt.NDArray[Any] | None


def data_type(dtype):
    return DATA[f"TI_DATA_TYPE_{dtype.upper()}"]


def scalar(dtype, bits):
    """Make a SCALAR argument from the bits of one number, in the union member of their width."""
    width = bits.itemsize
    value = capi.TiScalarValue(**{f"x{8 * width}": int(bits.view(f"u{width}"))})
    return capi.TiArgument(SCALAR, VALUE(scalar=capi.TiScalar(data_type(dtype), value)))


def tensor(dtype, numbers):
    argument = capi.TiArgument(TENSOR)
    argument.value.tensor.type = data_type(dtype)
    argument.value.tensor.contents.length = numbers.size
    ctypes.memmove(c_address(argument.value.tensor.contents.data), numbers.tobytes(), numbers.nbytes)
    return argument


def integers(dtype, numbers):
    """Convert integers to a dtype; return None if one does not fit."""
    exact = np.array(list(numbers), object)
    low, high = (0, 1) if dtype == "u1" else (np.iinfo(NUMPY[dtype]).min, np.iinfo(NUMPY[dtype]).max)
    return exact.astype(NUMPY[dtype]) if (exact >= low).all() and (exact <= high).all() else None


def cases_of_other_kinds(*kinds):
    for kind in kinds:
        yield Case(capi.TiArgument(kind), None)


def scalar_cases(dtype, *, is_graph):
    """Yield arguments for a scalar: all kinds, all number types, the extremes of each."""
    for number in I32_NUMBERS:
        stated = number % 2**32 if dtype == "u32" else number  # C passes a u32 as these bits
        argument = capi.TiArgument(I32, VALUE(i32=number))
        yield Case(argument, integers(dtype, [stated]) if dtype[0] in "iu" else None)
    for real in F32_NUMBERS:
        argument = capi.TiArgument(F32, VALUE(f32=float(real)))
        yield Case(argument, real.astype(NUMPY[dtype]) if dtype in ("f32", "f64") else None)
    for given, values in EXTREMES.items():
        for value in values if given != "f16" else ():
            held = value.view(np.float16) if (dtype, given) == ("f16", "u16") else value
            yield Case(scalar(given, value), held if given == dtype or held is not value else None)
    for half in HALVES:
        yield Case(scalar("f16", half), None)
    with np.errstate(over="ignore"):
        for real in F32_NUMBERS:
            held = real.astype(np.float16) if dtype == "f16" and not is_graph else None
            yield Case(scalar("f16", real), held)
    yield Case(tensor(dtype, EXTREMES[dtype][:1]), None)
    yield from cases_of_other_kinds(NDARRAY, TEXTURE)


def vector_cases(dtype, *, is_passed, by_words):
    """Yield arguments for a vector of three numbers; with `by_words`, it also takes their bytes as i32 words."""
    words = -(-3 * NUMPY[dtype].itemsize // 4) if by_words else 0
    for given, values in EXTREMES.items():
        for start, length in [*((start, 3) for start in range(len(values))), (0, 2), (0, 4), (0, 6)]:
            numbers = np.take(values, range(start, start + length), mode="wrap")
            held = None
            if given == "i32" and length == words:
                held = np.frombuffer(numbers.tobytes(), NUMPY[dtype])[:3]
            elif length == 3 and given == dtype and is_passed:
                held = numbers
            elif length == 3 and given in LARGER.get(dtype, ()) and not by_words:
                held = integers(dtype, numbers.tolist())
            yield Case(tensor(given, numbers), held)
    yield from cases_of_other_kinds(I32, F32, SCALAR, NDARRAY, TEXTURE)


class Target:
    """A kernel or graph that copies its first argument to an array."""

    def __init__(self, rt, memory, handle, dtype):
        self.rt, self.memory, self.handle, self.dtype = rt, memory, handle, dtype
        array = capi.TiNdArray(memory.handle, capi.TiNdShape(1, [4]), elem_type=data_type(dtype))
        self.out = capi.TiArgument(NDARRAY, VALUE(ndarray=array))

    def launch(self, argument):
        if isinstance(self.handle, capi.TiKernel):
            capi.launch_kernel(self.rt.handle, self.handle, [argument, self.out])
        else:
            named = [capi.TiNamedArgument("out", self.out), capi.TiNamedArgument("x", argument)]
            capi.launch_compute_graph(self.rt.handle, self.handle, named)

    def check(self, case):
        """Launch; return what went wrong, or an empty string."""
        self.memory.fill(NOTHING)
        try:
            self.launch(case.argument)
        except REFUSALS as error:
            return "" if case.held is None and "(x)" in str(error) else f"raised {error!r}"
        self.rt.wait()
        found = np.frombuffer(self.memory.read(), NUMPY[self.dtype])[: 1 if case.held is None else case.held.size]
        if case.held is None:
            return f"is {found[0]}, but must raise"
        return "" if np.array_equal(found, np.ravel(case.held), equal_nan=self.dtype[0] == "f") else f"is {found}"

    def check_all(self, cases):
        wrong = [
            f"{case.argument.type.name} {case.argument.value}: {what}" for case in cases if (what := self.check(case))
        ]
        assert not wrong, "\n".join(wrong)


class Targets:
    """The kernels and graphs of a module, loaded by the functions or by the objects."""

    def __init__(self, rt, path, *, by_objects):
        self.rt, self.by_words, self.memory = rt, by_objects, rt.allocate(64)
        self._module = rt.load_module(path) if by_objects else None
        self._handle = None if by_objects else capi.load_aot_module(rt.handle, str(path))

    def each(self, kind):
        """Yield each dtype with its kernel and graph."""
        for dtype in EXTREMES:
            if dtype != "u1" or self.rt.arch.is_llvm:  # Taichi's SPIR-V code has no arrays of u1
                handles = self._handles(f"{kind}_{dtype}", f"graph_{kind}_{dtype}")
                kernel, graph = (Target(self.rt, self.memory, handle, dtype) for handle in handles)
                yield dtype, kernel, graph

    def _handles(self, kernel, graph):
        if self._module is not None:
            return self._module.kernels[kernel].handle, self._module.graphs[graph].handle
        assert self._handle is not None
        return (
            capi.get_aot_module_kernel(self._handle, kernel),
            capi.get_aot_module_compute_graph(self._handle, graph),
        )


@pytest.fixture(params=["functions", "objects"])
def targets(request, rt, modules):
    return Targets(rt, modules / "table.tcm", by_objects=request.param == "objects")


def test_scalars_arrive_or_are_refused(targets):
    for dtype, kernel, graph in targets.each("scalar"):
        kernel.check_all(scalar_cases(dtype, is_graph=False))
        graph.check_all(scalar_cases(dtype, is_graph=True))


def test_vectors_arrive_or_are_refused(targets):
    for dtype, kernel, graph in targets.each("vector"):
        is_passed = targets.by_words or NUMPY[dtype].itemsize < 8
        kernel.check_all(vector_cases(dtype, is_passed=is_passed, by_words=targets.by_words))
        graph.check_all(vector_cases(dtype, is_passed=True, by_words=targets.by_words))

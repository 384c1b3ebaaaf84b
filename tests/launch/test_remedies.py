"""Error messages about common mistakes say what to do instead."""

import re

import numpy as np
import pytest

from taichi_aot import Arch, IncompatibleModuleError, isolated


class OfTaichi:
    """Like Taichi's own arrays and fields: only this method, and no array interface."""

    def to_numpy(self):
        return np.zeros(4, np.float32)


@pytest.mark.parametrize(
    ("make", "remedy"),
    [
        (
            lambda rt: rt.zeros((), "f32", 4),
            "got ndarray[vector(4, f32), 0]; allocate it with shape (4,) and no elem_shape",
        ),
        (
            lambda rt: rt.zeros((4, 5)),
            "got ndarray[f32, 2]; its numbers have the shape (4, 5): allocate it with 1 dimension and no elem_shape",
        ),
        (
            lambda rt: rt.zeros((), "i32", 4),
            "ndarray[vector(4, i32), 0]; allocate it with dtype 'f32', or write runtime.asarray(x.to_numpy(), 'f32')",
        ),
        (lambda rt: OfTaichi(), "OfTaichi; write runtime.asarray(x.to_numpy(), 'f32')"),
        (lambda rt: np.zeros(4), "got a numpy array of float64 with shape (4,); write runtime.asarray(x, 'f32')"),
        (lambda rt: [1.0, 2.0], "got list; write runtime.asarray(x, 'f32')"),
        (lambda rt: (1.0, 2.0), "got tuple; write runtime.asarray(x, 'f32')"),
        (lambda rt: rt.allocate(16), "Memory; its ndarray() method makes an NdArray over it"),
        (
            lambda rt: rt.zeros(4)[:2],
            "ArraySlice; write array.memory.ndarray((2,), 'f32', offset=0), an NdArray over this part",
        ),
        (lambda rt: 3, "got int 3; the order is {}(a, x, y)"),
        (lambda rt: rt.zeros(4)[0], "got numpy.float32; an index such as x[0] gives a number: pass the array"),
        (lambda rt: None, "got NoneType; pass an NdArray, such as runtime.asarray(numbers, 'f32')"),
        (lambda rt: "x", "got str 'x'; pass an NdArray, such as runtime.asarray(numbers, 'f32')"),
    ],
    ids=range(13),
)
def test_wrong_array_argument_has_a_remedy(rt, arch, module, make, remedy):
    y = rt.zeros(4)
    if arch is Arch.CUDA:  # such a module does not state what the kernel writes
        written = r"write x = \1, pass it, and read x.to_numpy() if the kernel writes it"
        remedy = re.sub(r"write (runtime\.asarray\(.*\))", written, remedy)
    if arch is Arch.X64 and "of float64" in remedy:  # which its kernels use in place
        remedy = remedy[: remedy.index("runtime.asarray")] + "x.astype('float32')"
    for call in (module.saxpy, module.saxpy.bind, module.twice):
        with pytest.raises(TypeError, match="parameter 'x': expected ndarray\\[f32, 1\\], ") as caught:
            call(1.0, make(rt), y)
        assert str(caught.value).endswith(remedy.format(call.__name__.replace("bind", "saxpy")))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda rt: rt.asarray([[1], [2, 3]]),
            ValueError,
            "data: expected a rectangular sequence of numbers, got a ragged",
        ),
        (lambda rt: rt.asarray([[1], [2, 3]], "f32"), ValueError, "data: expected a rectangular sequence"),
        (lambda rt: rt.asarray([1, (2, 3)], "i32"), ValueError, "data: expected a rectangular sequence"),
        (lambda rt: rt.asarray(None), TypeError, "data: expected numbers, got NoneType"),
        (lambda rt: rt.asarray([None]), TypeError, "data: expected numbers, got list$"),
        (lambda rt: rt.asarray([2**70]), OverflowError, "data: 1180591620717411303424 does not fit i32; state a dtype"),
        (lambda rt: rt.asarray(None, "f32"), TypeError, "data: NoneType is not a real number"),
        (lambda rt: rt.asarray(OfTaichi()), TypeError, r"data: .*OfTaichi; write runtime.asarray\(x.to_numpy\(\)\)"),
        (
            lambda rt: rt.asarray(OfTaichi(), "f32"),
            TypeError,
            r"data: .*OfTaichi .*; write runtime.asarray\(x.to_numpy\(\)\)",
        ),
        (lambda rt: rt.asarray([300], "u8"), OverflowError, "data: 300 does not fit u8"),
        (lambda rt: rt.zeros(2).write(None), TypeError, "array: NoneType is not a real number"),
        (lambda rt: rt.zeros(2).write([1, [2]]), ValueError, "array: expected a rectangular sequence"),
        (lambda rt: rt.zeros(2, "i32").write(np.ones(2)), TypeError, "array: casting an array of float64 to i32 may"),
        (lambda rt: rt.zeros(2).fill(None), TypeError, "value: NoneType is not a real number"),
        (lambda rt: rt.full(2, "1"), TypeError, "fill_value: str '1' is not a real number"),
        (lambda rt: rt.full(2, [1, 2]), TypeError, "fill_value: expected a number"),
        (lambda rt: isolated.validate(None), TypeError, "a module is a path or the bytes .* not NoneType"),
    ],
    ids=range(17),
)
def test_value_that_is_not_a_number_has_a_remedy(rt, call, error, message):
    with pytest.raises(error, match=message):
        call(rt)


def test_module_of_another_arch_has_a_remedy(rt, arch, compiled, monkeypatch):
    other = "vulkan" if arch.is_llvm else "x64"
    with pytest.raises(IncompatibleModuleError, match=f"load it with Runtime\\('{other}'\\)"):
        rt.load_module(compiled(other) / "basic.tcm")
    with monkeypatch.context() as patch:
        patch.setattr("taichi_aot.kernels._loading.visible_devices", lambda arch: [])
        with pytest.raises(IncompatibleModuleError, match=f"compile it with ti.init\\(arch=ti.{arch}\\)$"):
            rt.load_module(compiled(other) / "basic.tcm")
    if arch is Arch.VULKAN:
        with pytest.raises(IncompatibleModuleError, match=r"is an LLVM module; .* load it with Runtime\('cpu'\)"):
            rt.load_module(compiled("x64") / "empty.tcm")

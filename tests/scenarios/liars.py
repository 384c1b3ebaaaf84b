"""Arrays, buffers and capsules with wrong descriptions."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from helpers.dlpack import Producer
from helpers.raising import assert_raises

from scenarios import ArchName
from taichi_aot import Runtime


class Liar(np.ndarray[Any, Any]):
    """An array whose attributes can be set to anything."""

    lies: dict[str, Any]

    def __getattribute__(self, name: str) -> Any:
        lies = np.ndarray.__getattribute__(self, "__dict__").get("lies", {})
        return lies[name] if name in lies else np.ndarray.__getattribute__(self, name)


def make_liar(data: np.ndarray[Any, Any], **lies: Any) -> Liar:
    liar = data.view(Liar)
    liar.lies = lies
    return liar


def read_into_liars(arch: ArchName, _modules: str) -> None:
    """Read into arrays with wrong descriptions: memory around the target stays unchanged."""
    x = Runtime(arch).full(100, 1.0, "f32")
    cases: list[tuple[int, Any, dict[str, Any]]] = [
        (100, np.float32, {"nbytes": 4000}),
        (10, np.float32, {"shape": (100,)}),
        (10, np.float32, {"shape": (100,), "nbytes": 400, "size": 100}),
        (100, np.int8, {"dtype": np.dtype(np.float32)}),
        (100, np.int8, {"dtype": np.dtype(np.float32), "nbytes": 400, "itemsize": 4}),
    ]
    for size, dtype, lies in cases:
        data = np.full(5000, 7, dtype)
        with suppress(TypeError, ValueError):
            x.to_numpy(out=make_liar(data[1000 : 1000 + size], **lies))
        assert (data[:1000] == 7).all()
        assert (data[1000 + size :] == 7).all()


def pass_liars_as_vectors(arch: ArchName, modules: str) -> None:
    """Pass arrays with wrong descriptions: the kernel gets the array's numbers, or the call raises."""
    rt = Runtime(arch)
    kernel = rt.load_module(f"{modules}/table.tcm").kernels["vector_f32"]
    out = rt.zeros(100)
    right = np.array([1, 2, 3], np.float32)
    cases: list[tuple[Any, dict[str, Any]]] = [
        (right, {"tobytes": lambda *_: b"\xff" * 12}),
        (right, {"tobytes": lambda *_: b"\xff" * 1000}),
        (right, {"tobytes": lambda *_: b""}),
        (right, {"astype": lambda *_, **__: np.full(1000, 7, np.float32)}),
        (np.arange(1, 9, dtype=np.float32), {"shape": (3,)}),
        (np.array([1, 2, 3], np.int8), {"dtype": np.dtype(np.float32)}),
        (right, {"nbytes": 4000, "size": 1000}),
    ]
    for data, lies in cases:
        with suppress(TypeError, ValueError):
            kernel(make_liar(data, **lies), out)
            assert out.to_numpy()[:3].tolist() == [1, 2, 3], lies


def pass_masked_arrays(arch: ArchName, modules: str) -> None:
    rt = Runtime(arch)
    kernels = rt.load_module(f"{modules}/table.tcm").kernels
    out = rt.zeros(6)
    vector, matrix = kernels["vector_f32"], kernels["matrix_f32"]
    masked: Any = np.ma.masked_equal(np.arange(6, dtype=np.float32).reshape(2, 3), 1)
    assert_raises(TypeError, lambda: vector(masked[0], out), lambda: matrix(masked, out))


def import_objects() -> None:
    rt = Runtime("x64")
    kept: Any = object()
    sources = [
        np.array([kept] * 4, object),
        np.array([(kept, 1)] * 4, [("object", "O"), ("number", "i4")]),
        (ctypes.py_object * 4)(kept, kept, kept, kept),
    ]
    for source in sources:
        assert_raises(TypeError, partial(rt.import_memory, source))  # type: ignore[arg-type]
        assert_raises((TypeError, BufferError), partial(rt.from_dlpack, source))


WRONG: dict[str, list[int | None]] = {
    "data": [None],
    "shape": [None],
    "ndim": [2**31 - 1, -1],
    "byte_offset": [2**63],
}


def import_wrong_tensors(field: str) -> None:
    rt = Runtime("x64")
    assert rt.from_dlpack(Producer()).shape == (8,)
    for value in WRONG[field]:
        producer = Producer(**{field: value})
        assert_raises(BufferError, partial(rt.from_dlpack, producer), partial(rt.import_memory, producer))

"""A class of arrays with DLPack's C exchange interface, whose tensors can lie."""

from __future__ import annotations

import ctypes
from typing import Any

from helpers.dlpack import DLTensor, Tensor, make_capsule

VIEW = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))
STREAM = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))


class Exchange(ctypes.Structure):
    """The table of functions."""


Exchange._fields_ = [
    ("major", ctypes.c_uint32),
    ("minor", ctypes.c_uint32),
    ("previous", ctypes.POINTER(Exchange)),
    ("allocate", ctypes.c_void_p),
    ("from_object", ctypes.c_void_p),
    ("to_object", ctypes.c_void_p),
    ("view", VIEW),
    ("current_stream", STREAM),
]


class Exchanged(Tensor):
    """Some f32 numbers on the host, with nothing but the exchange."""

    requires_grad = False
    views = 0

    def __init__(self, numbers: Any, **fields: Any) -> None:
        super().__init__(numbers, **fields)
        if "strides" not in fields:
            self.tensor.strides = ctypes.addressof(self._sizes) + 8

    def is_neg(self) -> bool:
        return False


def _view(array: Any, result: Any) -> int:
    array.views += 1
    if array.tensor is None:
        return -1
    result[0] = array.tensor
    return 0


def _current_stream(kind: int, number: int, result: Any) -> int:
    return 0


def capsule(*versions: int) -> Any:
    """Return an exchange of the first version, which points to those of the others."""
    previous = None
    for version in reversed(versions):
        table = Exchange(version, 3, previous, None, None, None, VIEW(_view), STREAM(_current_stream))
        previous = ctypes.pointer(table)
        _kept.append(table)
    return make_capsule(_kept[-1], b"dlpack_exchange_api")


_kept: list[Any] = []  # for capsules, which classes keep


def tensor_class(*versions: int) -> type[Exchanged]:
    """Return a class of tensors with an exchange of these versions."""
    return type("OfExchange", (Exchanged,), {"__dlpack_c_exchange_api__": capsule(*versions)})

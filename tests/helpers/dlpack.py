"""DLPack capsules with any contents."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any


class DLDevice(ctypes.Structure):
    _fields_ = [("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


class DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", DLDevice),
        ("ndim", ctypes.c_int32),
        ("dtype", DLDataType),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("dl_tensor", DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


def make_capsule(structure: ctypes.Structure, name: bytes) -> Any:
    """Return a capsule of a structure, which must outlive it."""
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(structure), name, None)


class Tensor:
    """Some f32 numbers on the host, and their DLTensor, whose members can be changed."""

    def __init__(self, numbers: Sequence[float], **fields: Any) -> None:
        self.data = (ctypes.c_float * len(numbers))(*numbers)
        self._sizes = (ctypes.c_int64 * 2)(len(numbers), 1)
        self.tensor = DLTensor(ctypes.addressof(self.data), DLDevice(1, 0), 1, DLDataType(2, 32, 1))
        self.tensor.shape = ctypes.addressof(self._sizes)
        for name, value in fields.items():
            setattr(self.tensor, name, value)


class Producer(Tensor):
    """Export eight numbers by DLPack."""

    def __init__(self, **fields: Any) -> None:
        super().__init__([0.0] * 8, **fields)
        self._tensor = DLManagedTensor(self.tensor, None, None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_options: object) -> Any:
        return make_capsule(self._tensor, b"dltensor")

"""DLPack capsules with any contents."""

from __future__ import annotations

import ctypes
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


class Producer:
    """Export eight f32 numbers on the host; members of the DLTensor can be changed."""

    def __init__(self, **fields: Any) -> None:
        self._data = (ctypes.c_float * 8)()
        self._shape = (ctypes.c_int64 * 1)(8)
        tensor = DLTensor(ctypes.addressof(self._data), DLDevice(1, 0), 1, DLDataType(2, 32, 1))
        tensor.shape = ctypes.addressof(self._shape)
        for name, value in fields.items():
            setattr(tensor, name, value)
        self._tensor = DLManagedTensor(tensor, None, None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_options: object) -> Any:
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self._tensor), b"dltensor", None)

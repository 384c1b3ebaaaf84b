"""Numbers of every dtype that reveal whether they are passed bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

EXTREMES: dict[str, npt.NDArray[Any]] = {
    "f16": np.array([0, -0.0, 1, np.inf, -np.inf, 6e-8, 65504], np.float16),
    "f32": np.array([0.1, -0.0, np.inf, -np.inf, 1e-45, 3.4e38], np.float32),
    "f64": np.array([0.1, -0.0, np.inf, -np.inf, 5e-324, 1.7e308], np.float64),
    "u1": np.array([False, True]),
}
NAN_BITS = {"f16": 0x7E05, "f32": 0x7FC00123, "f64": 0x7FF8000000000123}
for _name, _bits in NAN_BITS.items():
    _nan = np.array([_bits], f"u{EXTREMES[_name].itemsize}").view(EXTREMES[_name].dtype)
    EXTREMES[_name] = np.concatenate([EXTREMES[_name], _nan])
for _name in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"):
    _dtype = np.dtype(f"{_name[0]}{int(_name[1:]) // 8}")
    _info = np.iinfo(_dtype)
    EXTREMES[_name] = np.array([0, 1, _info.min, _info.max, _info.max // 3], _dtype)

"""Memory that crashes the process if it is written to."""

from __future__ import annotations

import mmap
import tempfile

import numpy as np
from helpers.access import stating
from helpers.raising import assert_raises

from taichi_aot import Runtime


def read_pages(module: str) -> None:
    numbers = np.arange(2048, dtype=np.float32)
    with tempfile.TemporaryFile() as file, Runtime("x64") as rt:
        file.write(numbers.tobytes())
        file.flush()
        pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        x, y = rt.import_memory(pages, readonly=True).ndarray(2048, "f32"), rt.zeros(2048)
        loaded = rt.load_module(module, names={"saxpy": ["a", "x", "y"]})
        saxpy, twice = loaded.kernels["saxpy"], loaded.graphs["twice"]
        assert_raises(ValueError, lambda: saxpy(1.0, x, y), lambda: twice(1.0, x, y), match="the array is read-only")
        saxpy, twice = stating(saxpy, x="r", y="rw"), stating(twice, x="r", y="rw")
        assert_raises(ValueError, lambda: saxpy(1.0, x, x), lambda: twice(1.0, x, x), match="the array is read-only")
        for launch in (saxpy.bind(1.0, x, y), twice.bind(1.0, x, y)):
            launch()
            rt.sequence([launch])(3)
        assert (y.to_numpy() == 12 * numbers).all()
        assert_raises(ValueError, lambda: x.fill(0), match="the memory is read-only")

"""Arrays over several devices of the driver for tests: exchanges, and a lost device."""

from __future__ import annotations

import numpy as np
from helpers.raising import raised

from taichi_aot import DeviceLostError, Runtime, devices
from taichi_aot.distributed import decompose


def lose_a_device() -> None:
    """A kernel faults on the device of one part: the error names it, and the other part stays usable."""
    from helpers.fake_cuda import driver

    cpu, gpu = Runtime("x64"), Runtime("cuda")
    parts = decompose((8, 4), [cpu, gpu, cpu])
    parts.exchange()
    driver.fail("cuMemcpyDtoHAsync_v2:700,cuMemcpyDtoH_v2:700")
    message = str(raised(parts.exchange, DeviceLostError))
    assert message.startswith("part 1 [3:6] on cuda:0: "), message
    driver.fail("")
    assert parts[0].array.to_numpy().shape == (5, 4)


def exchange_between_gpus() -> None:
    """Two devices of the driver for tests, and one of them twice."""
    count = sum(str(device.arch) == "cuda" for device in devices())
    runtimes = [Runtime("cuda", index % count) for index in range(3)]
    whole = np.arange(60, dtype=np.float32).reshape(6, 10)
    for axis in (0, 1):
        parts = decompose((6, 10), runtimes, halo=2, axis=axis, periodic=True)
        parts.write(whole)
        parts.exchange()
        padded = np.pad(whole, [(2, 2) if each == axis else (0, 0) for each in (0, 1)], "wrap")
        for part in parts:
            begin, stop = part.interior[:2]
            assert (part.array.to_numpy() == np.take(padded, range(begin, stop + 4), axis)).all(), part

"""CUDA: a device that a kernel has made unusable."""

from __future__ import annotations

from collections.abc import Callable

from helpers.raising import raised

from taichi_aot import DeviceLostError, Runtime


def lose_the_device(module: str) -> None:
    rt = Runtime("cuda")
    kernels = rt.load_module(module).kernels
    saxpy, poke = kernels["saxpy"], kernels["poke"]
    out, x, y = rt.zeros(8, "i32"), rt.zeros(8), rt.zeros(8)
    bound = saxpy.bind(1.0, x, y)
    poke(2**31 - 1, out)
    calls: list[Callable[[], object]] = [
        rt.wait,
        lambda: saxpy(1.0, x, y),
        bound,
        lambda: rt.sequence([bound])(3),
        x.to_numpy,
        lambda: rt.zeros(1 << 20),
        lambda: x.copy_from(y),
        lambda: x.map().__enter__(),
        lambda: Runtime("cuda").zeros(8),
    ]
    for call in calls:
        message = str(raised(call, DeviceLostError, f"call {calls.index(call)}"))
        assert "new process" in message, message
        assert "ILLEGAL_ADDRESS" in message or "illegal" in message, message
    x.close()
    rt.close()
    with Runtime("x64") as cpu:
        assert cpu.full(3, 1.0).to_numpy().sum() == 3

"""Many runtimes: at once, in a row, from ended threads; and machines without a driver."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from functools import partial
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from helpers.inside import vulkan_device_name
from helpers.machine import is_on_host, resident_bytes
from helpers.raising import assert_raises
from helpers.threads import Background, run_together

import taichi_aot
from scenarios import ArchName
from scenarios.objects import load_saxpy
from taichi_aot import Arch, Kernel, NotSupportedError, Runtime
from taichi_aot.distributed import decompose
from taichi_aot.interop import vulkan


def use_24_at_once(arch: ArchName, module: str) -> None:
    runtimes = [Runtime(arch) for _ in range(24)]
    arrays = [rt.full(10, i, "f32") for i, rt in enumerate(runtimes)]
    for rt, array in zip(runtimes, arrays, strict=True):
        rt.load_module(module).kernels["saxpy"](1.0, array, array)
    assert [array.to_numpy()[9] for array in arrays] == [2 * i for i in range(24)]
    for rt in runtimes[::-1]:
        rt.close()


def compute_on_two_devices_of_vulkan(module: str) -> None:
    found = [device for device in taichi_aot.devices() if device.arch is taichi_aot.Arch.VULKAN]
    assert [device.index for device in found] == [0, 1]
    with Runtime(found[0]) as first, Runtime("vulkan", device_index=1) as second:
        assert (first.device_index, second.device_index) == (0, 1)
        results = []
        for number, rt in enumerate((first, second)):
            x, y = rt.full(1000, number + 1.0, "f32"), rt.full(1000, 1.0, "f32")
            rt.load_module(module).kernels["saxpy"](2.0, x, y)
            results.append(y)
        assert [set(y.to_numpy().tolist()) for y in results] == [{3.0}, {5.0}]
        saxpy = first.load_module(module).kernels["saxpy"]
        assert_raises(ValueError, lambda: saxpy(2.0, results[0], results[1]), match="another runtime")


def use_two_drivers_of_vulkan(module: str, *names: str) -> None:
    """Each runtime is on its device, with launches that are recorded, copies and halos between them, and threads."""
    found = [device for device in taichi_aot.devices() if device.arch is taichi_aot.Arch.VULKAN]
    assert {device.name.split(" ")[0] for device in found} == set(names)
    runtimes = [Runtime(found[number]) for number in (1, 0, 1)]
    assert [_name_of(rt) for rt in runtimes] == [found[number].name for number in (1, 0, 1)]
    arrays = [(rt.full(1000, 1.0, "f32"), rt.zeros(1000)) for rt in runtimes]

    def work(number: int) -> None:
        rt, (x, y) = runtimes[number], arrays[number]
        saxpy = rt.load_module(module).kernels["saxpy"]
        rt.sequence([saxpy.bind(number + 1.0, x, y)])(repeat=100)

    run_together(*(partial(work, number) for number in range(3)))
    assert [y.to_numpy()[-1] for _, y in arrays] == [100, 200, 300]
    for number in range(100):
        arrays[number % 3][0].copy_from(arrays[number % 3 - 1][1])
    assert [x.to_numpy()[0] for x, _ in arrays] == [300, 100, 200]
    parts = decompose((9, 4), runtimes, periodic=True)
    parts.write(np.repeat(np.arange(9, dtype=np.float32), 4).reshape(9, 4))
    parts.exchange()
    assert [part.array.to_numpy()[:, 0].tolist() for part in parts] == [
        [8, 0, 1, 2, 3],
        [2, 3, 4, 5, 6],
        [5, 6, 7, 8, 0],
    ]
    runtimes[0].close()
    assert arrays[1][1].to_numpy()[0] == 200
    runtimes[1].close()
    assert arrays[2][1].to_numpy()[0] == 300


def _name_of(runtime: Runtime) -> str:
    return vulkan_device_name(vulkan.export_runtime(runtime))


def refuse_another_driver_of_vulkan() -> None:
    """The library calls the functions of one driver, so that of another device must be the same."""
    patch("taichi_aot.backends._vulkan.vulkan_builds", lambda: [(1, 7), (2, 7)]).start()
    first = Runtime("vulkan", 0)
    x = first.full(10, 1.0, "f32")
    pattern = "different drivers ('firstpip (LLVM"
    assert_raises(NotSupportedError, lambda: Runtime("vulkan", 1), match=pattern)
    assert_raises(NotSupportedError, lambda: vulkan.create_runtime(1), match=pattern)
    assert Runtime("vulkan", 0).full(10, 2.0, "f32").to_numpy()[0] == 2
    assert x.to_numpy()[0] == 1
    first.close()
    gc.collect()
    with Runtime("vulkan", 1) as rt:
        assert rt.full(10, 3.0, "f32").to_numpy()[0] == 3


def load_sparse_fields(module: str) -> None:
    """Load modules that fill several chunks of the library's memory, 1 GiB of address space each."""
    for _ in range(12):
        with Runtime("x64") as rt:
            kernels = rt.load_module(module).kernels
            out = rt.zeros(16, "i32")
            kernels["increase"]()
            kernels["read"](out)
            assert out.to_numpy().tolist() == [0] * 5 + [1] + [0] * 10


def use_beside_every_other_arch(arch: ArchName, module: str) -> None:
    others = [Runtime(other) for other in taichi_aot.available_archs()]
    rt, saxpy = load_saxpy(arch, module)
    with rt:
        x = rt.full(10, 1.0, "f32")
        for i in range(5):
            saxpy(1.0, x, x)
            for other in others:
                assert other.full(3, i, "i32").to_numpy().tolist() == [i] * 3
        assert x.to_numpy()[0] == 32
    for other in others:
        other.close()


def make_a_hundred(arch: ArchName, module: str) -> None:
    for i in range(100):
        rt = Runtime(arch)
        x = rt.full(10, i, "f32")
        if i % 10 == 0:
            rt.load_module(module).kernels["saxpy"](1.0, x, x)
            assert x.to_numpy()[0] == 2 * i
        if i % 3:
            rt.close()


def use_after_the_creating_thread_ended(arch: ArchName, module: str) -> None:
    box = []

    def create() -> None:
        rt, saxpy = load_saxpy(arch, module)
        box.append((rt, saxpy, rt.full(10, 1.0, "f32")))

    run_together(create, create, create)
    for rt, saxpy, x in box:
        saxpy(1.0, x, x)
        assert x.to_numpy()[0] == 2
        rt.close()


def close_without_waiting(arch: ArchName, module: str) -> None:
    for _ in range(5):
        rt = Runtime(arch)
        spin = rt.load_module(module).kernels["spin"]
        out = rt.zeros(100, "i32")
        for _ in range(50):
            spin(1000, out)
        rt.close()


def return_memory_when_closed(arch: ArchName, _module: str) -> None:
    Runtime(arch).close()
    before = resident_bytes()
    for _ in range(3):
        with Runtime(arch) as rt:
            arrays = [rt.full(16 << 20, 1, "u8") for _ in range(16)]
            assert resident_bytes() - before > 200 << 20 or not is_on_host(arch)
        del arrays
    gc.collect()
    assert resident_bytes() - before < 100 << 20, resident_bytes() - before


def return_memory_when_dropped(arch: ArchName, _module: str) -> None:
    Runtime(arch).close()
    before = resident_bytes()
    for _ in range(4):
        rt = Runtime(arch)
        arrays = [rt.full(16 << 20, 1, "u8") for _ in range(16)]
        del rt, arrays
        gc.collect()
    assert resident_bytes() - before < 100 << 20, resident_bytes() - before


def list_devices() -> None:
    print(*taichi_aot.available_archs())
    print(taichi_aot.devices())


def have_no_cuda() -> None:
    assert Arch.CUDA not in taichi_aot.available_archs()


def create(arch: ArchName) -> None:
    """Print what creating a runtime raises, or the sum of an array of three ones."""
    try:
        with Runtime(arch) as rt:
            assert rt.handle  # a CPU does without the library otherwise
            print(rt.full(3, 1.0).to_numpy().sum())
    except taichi_aot.TaichiError as error:
        print(type(error).__name__, error)


def create_opengl_twice() -> None:
    for _ in range(2):
        rt = Runtime("opengl")
        x = rt.full(10, 3.0)
        assert x.to_numpy().sum() == 30
        thread = Background(x.to_numpy)
        assert_raises(ValueError, thread.finish, match="only by the thread that created it")
        rt.close()


def use_beside_the_compiler(arch: ArchName, module: str, order: str) -> None:
    """Use a runtime beside Taichi, whose package has its own copy of the library's code and LLVM."""
    warnings.simplefilter("ignore")  # Taichi warns
    if order == "before":
        triple = _compiled_triple()
        _check_triple(triple)
    rt, saxpy = load_saxpy(arch, module)
    _check_saxpy(rt, saxpy)
    if order == "after":
        triple = _compiled_triple()
        _check_triple(triple)
    _check_saxpy(rt, saxpy)
    _check_triple(triple)
    rt.close()


def _compiled_triple() -> Callable[[npt.NDArray[np.float32]], None]:
    """Return a kernel of Taichi itself."""
    import taichi as ti
    from helpers.kernels import triple

    ti.init(arch=ti.cpu, offline_cache=False, log_level=ti.ERROR)
    compiled: Callable[[npt.NDArray[np.float32]], None] = triple
    return compiled


def _check_triple(triple: Callable[[npt.NDArray[np.float32]], None]) -> None:
    data = np.ones(4, np.float32)
    triple(data)
    assert data.tolist() == [3] * 4


def _check_saxpy(rt: Runtime, saxpy: Kernel) -> None:
    x = rt.full(4, 1.0, "f32")
    saxpy(1.0, x, x)
    assert x.to_numpy().tolist() == [2] * 4

"""Numbers of memory in use, pooled and free, and giving pooled memory back."""

import gc
import re
from pathlib import Path

import numpy as np
import pytest

from taichi_aot import Arch, MemoryInfo, Runtime
from taichi_aot.driver import _host
from taichi_aot.driver._host import host_memory

MIB = 1 << 20
ARRAY = (256, 1024)  # of floats: a MiB, which no arch rounds up


SMALLEST = {Arch.X64: 4096, Arch.ARM64: 4096, Arch.CUDA: 512}


@pytest.mark.usefixtures("c_library")
def test_memory_is_in_use_until_it_is_closed_or_dropped(own_rt):
    gc.collect()
    own_rt.trim()  # on CUDA, launches of other runtimes may have left arguments
    assert own_rt.memory_info()[:2] == (0, 0)
    arrays = [own_rt.zeros(ARRAY) for _ in range(3)]
    memory = own_rt.allocate(2 * MIB)
    assert own_rt.memory_info().in_use == 5 * MIB
    part = memory.ndarray(10, "f32")
    memory.close()
    assert part.closed
    arrays.pop().close()
    arrays.pop()
    gc.collect()
    assert own_rt.memory_info().in_use == MIB
    arrays[:] = [own_rt.zeros(3, "u8")]
    assert own_rt.memory_info().in_use == SMALLEST.get(own_rt.arch, 3)
    with Runtime.from_handle(own_rt.handle) as same, Runtime(own_rt.arch) as other:
        assert same.memory_info().in_use == own_rt.memory_info().in_use
        assert other.memory_info().in_use == 0
    arrays.clear()
    gc.collect()
    assert own_rt.memory_info().in_use == 0
    for call in (other.memory_info, other.trim):
        with pytest.raises(ValueError, match="the runtime is closed"):
            call()


def test_trim_frees_what_is_pooled(own_rt, modules):
    kernels = own_rt.load_module(modules / "basic.tcm").kernels
    x, y, number = own_rt.full(ARRAY[0], 1.0, "f32"), own_rt.zeros(ARRAY[0]), own_rt.zeros(1, "i32")
    launch, answer = kernels["saxpy"].bind(1.0, x, y), kernels["answer"].bind(number)
    loop = own_rt.sequence([launch])
    with x.map() as view:
        held = view[:2]
    for size in (1, 1000, 1 << 18):
        own_rt.zeros(size).close()
    for _ in range(100):
        launch()
    loop(100)
    answer()
    before = own_rt.memory_info()
    assert before.pooled > 0 or own_rt.arch in (Arch.VULKAN, Arch.OPENGL)
    assert own_rt.trim() == before.pooled
    assert own_rt.trim() == 0
    assert own_rt.memory_info()[:2] == (before.in_use, 0)
    launch()
    loop(100)
    kernels["saxpy"](1.0, x, y)
    assert answer.result() == 42
    assert (y.to_numpy() == 302).all()
    assert (held == 1).all()
    assert (own_rt.zeros(1 << 18).to_numpy() == 0).all()


def test_images_and_their_staging_buffer_count(arch, rt):
    if arch is not Arch.VULKAN:
        pytest.skip("only Vulkan has images")
    rt.trim()
    before = rt.memory_info()
    image = rt.allocate_image((64, 32), "rgba8")
    texels = np.random.default_rng(0).integers(0, 256, (32, 64, 4), np.uint8)
    image.write(texels)
    info = rt.memory_info()
    assert info.in_use == before.in_use + texels.nbytes
    assert info.pooled >= texels.nbytes
    assert rt.trim() == info.pooled
    np.testing.assert_array_equal(image.to_numpy(), texels)
    image.close()
    assert rt.memory_info().in_use == before.in_use


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_trim_returns_pages_to_the_system(arch, rt):
    if not arch.is_cpu or not Path("/proc/self/statm").exists():
        pytest.skip("needs arrays in host memory, and Linux")
    rt.trim()
    arrays = [rt.full(size << 18, 1, "u8") for size in range(4, 12)]
    for array in arrays:
        array.close()
    pooled, before = rt.memory_info().pooled, resident()
    assert pooled > 8 * MIB
    assert rt.trim() == pooled
    assert before - resident() > 0.9 * pooled


def test_memory_of_other_owners_does_not_count(arch, rt):
    if not arch.is_cpu:
        pytest.skip("only CPUs share memory with numpy")
    rt.trim()
    before = rt.memory_info()
    x = rt.from_dlpack(np.zeros(10_000, np.float32))
    assert rt.memory_info()[:2] == before[:2]
    x.close()
    assert rt.memory_info()[:2] == before[:2]


def test_device_memory_is_stated_where_it_is_known(rt):
    info = rt.memory_info()
    assert (info.total is None) == (rt.arch is Arch.OPENGL)
    assert info.free is None or 0 < info.free <= info.total


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


GIB_OF_SYSTEM = {"meminfo": "MemTotal:    1048576 kB\nMemFree:  1 kB\nMemAvailable:  524288 kB\nHugePages_Total: 0\n"}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, (None, None)),
        ({"meminfo": "MemFree: 1 kB\n", "cgroup": ""}, (None, None)),
        (GIB_OF_SYSTEM | {"cgroup": "0::/\n"}, (512 * MIB, 1024 * MIB)),
        (GIB_OF_SYSTEM | {"cgroup": "0::/a/b\n", "groups/a/b/memory.max": "max\n"}, (512 * MIB, 1024 * MIB)),
        (
            GIB_OF_SYSTEM
            | {"cgroup": "1:cpu:/\n0::/a/b\n", "groups/a/memory.max": "1000\n", "groups/a/memory.current": "900\n"}
            | {"groups/a/b/memory.max": "max\n", "groups/a/memory.stat": "anon 600\ninactive_file 300\n"},
            (400, 1000),
        ),
        (
            GIB_OF_SYSTEM
            | {"cgroup": "4:cpu,memory:/elsewhere\n", "groups/memory/memory.limit_in_bytes": "1000\n"}
            | {
                "groups/memory/memory.usage_in_bytes": "1500\n",
                "groups/memory/memory.stat": "total_inactive_file 100\n",
            },
            (0, 1000),
        ),
    ],
    ids=["no Linux", "old kernel", "no limit", "group without a limit", "version 2", "container of version 1"],
)
def test_limits_of_control_groups_count(tmp_path, monkeypatch, files, expected):
    write(tmp_path, files)
    monkeypatch.setattr(_host, "SYSTEM_MEMORY", str(tmp_path / "meminfo"))
    monkeypatch.setattr(_host, "PROCESS_GROUPS", str(tmp_path / "cgroup"))
    monkeypatch.setattr(_host, "GROUPS", str(tmp_path / "groups"))
    assert host_memory() == expected


def test_repr_has_units(rt):
    assert repr(MemoryInfo(0, 1023, None, None)) == "<MemoryInfo 0 B in use, 1023 B pooled>"
    assert repr(MemoryInfo(1024, 1536 << 10, None, 3 << 30)).endswith(
        "1.0 KiB in use, 1.5 MiB pooled, 3.0 GiB in total>"
    )
    assert repr(MemoryInfo(5 << 40, 0, 1, 2)) == "<MemoryInfo 5.0 TiB in use, 0 B pooled, 1 B of 2 B free>"
    assert re.match(r"<MemoryInfo .* in use, .* pooled", repr(rt.memory_info()))


def test_ten_thousand_arrays_are_kept_apart(own_rt):
    arrays = [own_rt.full(4, i, "i32") for i in range(10_000)]
    assert [array.to_numpy()[3] for array in arrays[::500]] == [*range(0, 10_000, 500)]
    assert own_rt.memory_info().in_use >= 10_000 * arrays[0].nbytes
    del arrays
    assert own_rt.memory_info().in_use == 0

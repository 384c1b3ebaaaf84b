"""CUDA on a real device: streams, other libraries' arrays, mapped copies, a lost device."""

import gc
import importlib.util
import weakref
from contextlib import nullcontext

import numpy as np
import pytest
from helpers.access import stating
from helpers.archives import read_archive
from helpers.child import TESTS, in_child, run_child
from helpers.compile_planned import compile_planned
from helpers.inside import cuda_device_here
from helpers.raising import raised

import taichi_aot
from taichi_aot import Arch, DeviceLostError, Runtime, available_archs


@pytest.fixture
def cuda(cuda_arch):
    with Runtime(cuda_arch) as runtime:
        yield runtime


@pytest.fixture
def saxpy(cuda, compiled):
    return cuda.load_module(compiled("cuda") / "basic.tcm").kernels["saxpy"]


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed")


def test_cuda_is_the_best_device(cuda):
    assert cuda.arch is Arch.CUDA
    with Runtime() as best:
        assert best.arch is Arch.CUDA
    assert {device.kind for device in taichi_aot.devices() if device.arch is Arch.CUDA} == {"discrete"}


def test_map_copies_and_writes_back(cuda, saxpy):
    x, y = cuda.full(10, 1.0, "f32"), cuda.zeros(10)
    with x.map() as view:
        view[:5] = 3
        with pytest.raises(BufferError, match="'x': the array is mapped"):
            saxpy(1.0, x, y)
        with pytest.raises(BufferError, match="live views"):
            x.close()
        with pytest.raises(BufferError, match="maps a copy"):
            x.write(np.zeros(10, np.float32))
        with x.map() as other:
            assert other.ctypes.data == view.ctypes.data
        view[5] = 3
    assert not view.flags.writeable
    saxpy(1.0, x, y)
    assert y.to_numpy().tolist() == [3.0] * 6 + [1.0] * 4
    with x.memory.map() as data:
        data[:] = 0
    assert not x.to_numpy().any()


def test_dropped_memory_is_reused(cuda):
    addresses = {cuda.empty(1000).__cuda_array_interface__["data"][0] for _ in range(100)}
    assert len(addresses) == 1


def test_large_memory_is_returned_to_the_device(cuda):
    for _ in range(40):
        cuda.empty(1 << 30, "u8")


class Lies:
    """Host memory that claims to be on the device."""

    def __init__(self):
        self.array = np.zeros(8, np.float32)
        interface = {"shape": (8,), "typestr": "<f4", "data": (self.array.ctypes.data, False), "version": 3}
        self.__cuda_array_interface__ = interface


def test_address_unknown_to_the_driver_is_a_value_error(cuda):
    with pytest.raises(ValueError, match="does not know the address"):
        cuda.import_memory(Lies())


def test_cupy_arrays_are_shared(cuda, saxpy):
    cp = library("cupy")
    x, y = cp.arange(1000, dtype=cp.float32), cp.zeros(1000, cp.float32)
    ours = [cuda.from_dlpack(x), cuda.from_dlpack(y)]
    saxpy(2.0, *ours)
    cuda.wait()
    assert (cp.asnumpy(y) == 2 * np.arange(1000)).all()
    memory = cuda.import_memory(x)
    assert memory.read(4, 4) == np.float32(1).tobytes()
    memory[0:4].write(np.float32(7).tobytes())
    assert float(x[0]) == 7
    with pytest.raises(BufferError, match="contiguous"):
        cuda.from_dlpack(x[::2])
    with pytest.raises(TypeError):
        cuda.from_dlpack(cp.zeros(3, cp.complex64))


def test_imported_memory_keeps_its_owner_alive(cuda, saxpy):
    cp = library("cupy")
    y = cuda.zeros(1 << 20)
    ours = cuda.from_dlpack(cp.ones(1 << 20, cp.float32))
    gc.collect()
    cp.get_default_memory_pool().free_all_blocks()
    cp.zeros(1 << 20, cp.float32)
    saxpy(1.0, ours, y)
    assert (y.to_numpy() == 1).all()


@pytest.mark.parametrize("name", ["cupy", "torch", "jax"])
def test_other_libraries_share_our_arrays(cuda, saxpy, name):
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")
    x, y = cuda.full(1000, 1.0, "f32"), cuda.zeros(1000)
    saxpy(3.0, x, y)
    if name == "cupy":
        theirs = library("cupy").from_dlpack(y)
        theirs *= 2
        total = float(theirs.sum())
    elif name == "torch":
        theirs = library("torch").from_dlpack(y)
        theirs *= 2
        total = float(theirs.sum())
    else:
        theirs = library("jax").dlpack.from_dlpack(y)  # jax never writes
        total = 2 * float(theirs.sum())
    assert total == 6000
    with pytest.raises(BufferError, match="live views"):
        y.close()
    if name != "jax":
        assert y.to_numpy()[0] == 6
    del theirs
    gc.collect()
    y.close()


def test_torch_tensors_are_shared(cuda, saxpy):
    torch = library("torch")
    x, y = torch.ones(100, device="cuda"), torch.zeros(100, device="cuda")
    saxpy(2.0, cuda.from_dlpack(x), cuda.from_dlpack(y))
    cuda.wait()
    assert float(y.sum()) == 200
    with pytest.raises(ValueError, match="on the host"):
        cuda.from_dlpack(torch.ones(3))


def test_views_of_other_libraries_outlive_the_runtime(cuda_arch):
    cp = library("cupy")
    rt = Runtime("cuda")
    x = rt.full(1000, 5.0, "f32")
    theirs, interface = cp.from_dlpack(x), cp.asarray(rt.full(1000, 6.0, "f32"))
    rt.close()
    del rt, x
    gc.collect()
    with Runtime("cuda") as other:
        other.full(1000, 9.0, "f32")
        assert float(theirs.sum()) == 5000
        assert float(interface.sum()) == 6000


@pytest.mark.parametrize("kind", ["non-blocking", "blocking", "torch", "integer", "default", "thread"])
def test_stream_orders_the_work(cuda, saxpy, kind):
    """Each step is slow on the device, and its result is wrong unless it follows the step before."""
    cp = library("cupy")
    if kind == "torch":
        torch = library("torch")
        stream = torch.cuda.Stream()
        theirs = cp.cuda.Stream.from_external(stream)
    else:
        theirs = {
            "non-blocking": lambda: cp.cuda.Stream(non_blocking=True),
            "blocking": cp.cuda.Stream,
            "integer": lambda: cp.cuda.Stream(non_blocking=True),
            "default": lambda: cp.cuda.Stream.null,
            "thread": lambda: cp.cuda.Stream.ptds,
        }[kind]()
        stream = theirs.ptr if kind == "integer" else theirs
    n = 1 << 22
    one, total = cp.ones(n, cp.float32), cp.zeros(n, cp.float32)
    ours = [cuda.from_dlpack(one), cuda.from_dlpack(total)]
    scratch = cp.ones((2000, 2000), cp.float32)
    cp.cuda.Device().synchronize()
    with theirs, cuda.stream(stream):
        for i in range(20):
            for _ in range(5):
                scratch @= scratch
                scratch.fill(1)
            one.fill(i + 1)
            saxpy(1.0, *ours)
            one.fill(-1000)
            if i == 10:
                assert ours[1].to_numpy()[-1] == sum(range(1, 12))
        total += 1
        result = total.get(stream=theirs)
    theirs.synchronize()
    assert (result == 1 + sum(range(1, 21))).all()


@pytest.mark.parametrize("how", ["call", "from_dlpack"])
@pytest.mark.parametrize("stream", ["default", "other"])
@pytest.mark.parametrize("name", ["torch", "cupy"])
def test_launch_follows_the_work_of_a_library(cuda, saxpy, name, stream, how):
    """The library's work before the launch is slow, and its work afterwards overwrites what the launch reads."""
    module = library(name)
    on = {"device": "cuda"} if name == "torch" else {}
    scratch, x, y = (module.zeros(shape, dtype=module.float32, **on) for shape in ((4000, 4000), 1 << 22, 1 << 22))
    module.cuda.synchronize() if name == "torch" else module.cuda.Device().synchronize()
    if stream == "default":
        context = nullcontext()
    else:
        context = module.cuda.stream(module.cuda.Stream()) if name == "torch" else module.cuda.Stream(non_blocking=True)
    with context:
        for i in range(10):
            for _ in range(5):
                scratch @ scratch
            x[:] = i + 1
            if how == "call":
                saxpy(1.0, x, y)
            else:
                saxpy(1.0, cuda.from_dlpack(x), cuda.from_dlpack(y))
                cuda.wait()
            x[:] = -1000
        y += 1
        assert (float(y[0]), float(y[-1])) == (56, 56)


def test_launch_follows_the_work_of_jax(cuda, saxpy):
    """An array is used when JAX has computed it, and is not kept."""
    jax = library("jax")
    n, total = 1 << 22, cuda.zeros(1 << 22)
    slow = jax.jit(lambda a: jax.numpy.ones(n) * (a @ a @ a @ a @ a @ a)[0, 0])
    saxpy = stating(saxpy, x="r", y="rw")
    alive = []
    for i in range(5):
        x = slow(jax.numpy.full((2000, 2000), float(i + 1)) / 2000)
        for _ in range(2):
            saxpy(1.0, x, total)
        alive.append(weakref.ref(x))
    with pytest.raises(ValueError, match="the array is read-only"):
        saxpy(1.0, total, x)
    del x
    gc.collect()
    assert [each() for each in alive] == [None] * 5
    # 2000 times the square of 1 / 2000 is 1 / 2000 again.
    np.testing.assert_allclose(total.to_numpy(), 2 * sum((i + 1) ** 6 for i in range(5)) / 2000, rtol=1e-2)


def test_streams_nest(cuda, saxpy):
    cp = library("cupy")
    first, second = cp.cuda.Stream(non_blocking=True), cp.cuda.Stream()
    x, y = cuda.full(10, 1.0, "f32"), cuda.zeros(10)
    with cuda.stream(first):
        saxpy(1.0, x, y)
        with cuda.stream(second) as context:
            saxpy(1.0, x, y)
            with pytest.raises(ValueError, match="already in use"):
                context.__enter__()
        saxpy(1.0, x, y)
    saxpy(1.0, x, y)
    assert y.to_numpy()[0] == 4
    with pytest.raises(TypeError, match="expected a CUDA stream"):
        cuda.stream("fast")


@pytest.mark.parametrize("arch", ["cuda"], indirect=True)
@in_child(quiet=False)
def test_lost_device_is_reported_by_every_call(arch, basic):
    rt = Runtime("cuda")
    kernels = rt.load_module(basic).kernels
    saxpy, poke = kernels["saxpy"], kernels["poke"]
    out, x, y = rt.zeros(8, "i32"), rt.zeros(8), rt.zeros(8)
    bound = saxpy.bind(1.0, x, y)
    poke(2**31 - 1, out)
    calls = [
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


@in_child(env={"TI_ENABLE_CUDA": "0"})
def test_ti_enable_cuda_disables_cuda():
    assert Arch.CUDA not in available_archs()


class Interface:
    def __init__(self, **changes):
        right = {"shape": (8,), "typestr": "<f4", "data": (4096, False), "version": 3}
        self.__cuda_array_interface__ = {**right, **changes}


def test_wrong_interface_raises_a_clear_error(cuda):
    empty = Interface()
    empty.__cuda_array_interface__ = {}
    for source in (empty, Interface(typestr="V0"), Interface(typestr="|V0"), Interface(strides=())):
        for call in (cuda.from_dlpack, cuda.import_memory):
            with pytest.raises((TypeError, ValueError), match=r"\w+ \w+"):
                call(source)


# In this order, because field numbers in the code continue from one module to the next.
MODULES = ("basic", "table", "edges", "trees")


@pytest.fixture
def compiled_without_a_device(cuda_arch, tmp_path):
    """Compile modules with the fake driver, which reports the attributes of the device here; return their folder."""
    compile_planned("cuda", "compile_modules.py", tmp_path, *MODULES, device=cuda_device_here())
    return tmp_path


def test_code_compiled_without_a_device_is_the_same(compiled_without_a_device, tmp_path_factory):
    folder = tmp_path_factory.mktemp("here")
    run_child(TESTS / "helpers" / "compile_modules.py", "cuda", folder, *MODULES)
    for path in compiled_without_a_device.glob("*.tcm"):
        without, here = read_archive(path), read_archive(folder / path.name)
        assert without.keys() == here.keys()
        assert [name for name in here if name.endswith(".ll") and without[name] != here[name]] == []

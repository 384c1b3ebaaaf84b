"""Memory shared with other libraries: imports, exports, lifetimes and refusals."""

import array as array_module
import ctypes
import gc
import mmap
import weakref
from functools import partial

import numpy as np
import pytest
from helpers import dlpack
from helpers.archs import on_x64
from helpers.child import in_child
from helpers.inside import share_array_with_cuda, share_with_cuda
from helpers.machine import resident_bytes
from helpers.raising import assert_raises
from helpers.scaling import examples
from helpers.threads import run_together
from hypothesis import given, settings
from hypothesis import strategies as st

from taichi_aot import Arch, DataType, NotSupportedError, Runtime, object_counts

left_at_exit = []


WRONG = {"data": [None], "shape": [None], "ndim": [2**31 - 1, -1], "byte_offset": [2**63]}


DTYPES = [np.dtype(name) for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?")]


@pytest.fixture
def cpu(shared_runtime):
    return shared_runtime(Arch.X64)


@pytest.fixture
def saxpy(cpu, compiled):
    return cpu.load_module(compiled("x64") / "basic.tcm").kernels["saxpy"]


class Producer:
    """An array that exports itself only by DLPack, and notes when it is released."""

    def __init__(self, data, **changes):
        self.data = data
        self.changes = changes

    def __dlpack_device__(self):
        return self.changes.get("device", self.data.__dlpack_device__())

    def __dlpack__(self, **options):
        return self.data.__dlpack__(**options, **self.changes.get("options", {}))


class OldProducer(Producer):
    """A producer from before DLPack's versions."""

    def __dlpack__(self, stream=None):
        return self.data.__dlpack__()


# Imports.


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype_is_shared_both_ways(cpu, dtype):
    data = np.ones((2, 3), dtype)
    ours = cpu.from_dlpack(data)
    assert ours.dtype == dtype
    back = np.from_dlpack(ours)
    assert back.dtype == dtype
    assert np.shares_memory(back, data)
    assert np.asarray(cpu.full((2, 3), 1, dtype)).dtype == dtype


@pytest.mark.parametrize("wrap", [Producer, OldProducer])
def test_producers_of_both_dlpack_versions_work(cpu, wrap):
    data = np.arange(6, dtype=np.int32).reshape(2, 3)
    ours = cpu.from_dlpack(wrap(data), elem_shape=3)
    assert (ours.shape, ours.elem_shape, ours.data_type) == ((2,), (3,), DataType.I32)
    data[1, 2] = 77
    assert ours.to_numpy().tolist() == [[0, 1, 2], [3, 4, 77]]


def test_every_kind_of_buffer_can_be_imported(cpu):
    pages = mmap.mmap(-1, 4096)
    sources = [
        bytearray(b"12345678"),
        array_module.array("f", [1, 2]),
        (ctypes.c_int32 * 2)(5, 6),
        pages,
        memoryview(bytearray(16))[3:9],
        np.zeros(3, "datetime64[s]"),
        np.zeros(2, [("a", "i4"), ("b", "f8")]),
        Producer(np.arange(5)),
    ]
    for source in sources:
        memory = cpu.import_memory(source)
        memory[0:1].write(b"\xab")
        expected = source.data if isinstance(source, Producer) else source
        assert memory.read() == np.asarray(expected).tobytes()
        assert memory.read(0, 1) == b"\xab"
        memory.close()


def test_owner_lives_as_long_as_the_import(cpu, saxpy):
    class Owned(np.ndarray):
        pass

    data = np.ones(100, np.float32).view(Owned)
    owner = weakref.ref(data)
    ours, y = cpu.from_dlpack(data), cpu.zeros(100)
    del data
    gc.collect()
    assert owner() is not None
    saxpy(1.0, ours, y)
    assert y.to_numpy().sum() == 100
    ours.close()
    assert owner() is None
    data = np.ones(100, np.float32).view(Owned)
    owner, memory = weakref.ref(data), cpu.import_memory(data)
    del data, memory
    assert owner() is None


def test_imported_buffer_cannot_be_resized(cpu):
    data = bytearray(64)
    memory = cpu.import_memory(data)
    with pytest.raises(BufferError):
        data.extend(b"more")
    memory.close()
    data.extend(b"more")


@pytest.mark.slow
@on_x64
@in_child
def test_imports_do_not_grow(arch):
    """Import the same memory repeatedly: the library leaks per import, so it must import once."""
    rt = Runtime(arch)
    data = np.zeros(1000, np.float32)

    def churn(count):
        for _ in range(count):
            rt.from_dlpack(data)
            rt.import_memory(data)

    churn(1000)
    before = resident_bytes()
    churn(50_000)
    assert resident_bytes() - before < 1 << 20, resident_bytes() - before


@pytest.mark.slow
@on_x64
@in_child
def test_imports_in_cycles_are_collected(arch):
    """Collect an import in a cycle: the collector clears its memoryview, which must be unexported by then."""
    rt = Runtime(arch)
    for source in (bytearray(64), memoryview(bytearray(64)), array_module.array("d", [0.0] * 8), mmap.mmap(-1, 64)):
        for _ in range(500):
            memory = rt.import_memory(source)
            memory.write(b"\1" * 64)
            cycle = [memory]
            cycle.append(cycle)
            del memory, cycle
            gc.collect(0)
        gc.collect()
        assert bytes(source) == b"\1" * 64
    assert object_counts()["memories"] == 0
    for _ in range(200):  # as a CUDA runtime does with host memory
        try:
            share_with_cuda(bytearray(64))
        except ValueError as error:
            error.args = (error, error.__traceback__)
        gc.collect()


@on_x64
@in_child
def test_threads_share_arrays(arch):
    rt = Runtime(arch)

    def work():
        for i in range(400):
            data = np.full(100 + i % 7, i, np.float32)
            ours = rt.from_dlpack(data)
            theirs = np.from_dlpack(ours)
            assert (theirs == i).all()
            cycle = [ours, theirs]
            cycle.append(cycle)
            if i % 50 == 0:
                gc.collect()
            assert np.asarray(rt.full(10, i, "f32")).sum() == 10 * i

    run_together(work, work, work, work)
    left = rt.full(10, 1.0)
    left_at_exit.extend([np.from_dlpack(left), rt.full(10, 1.0).__dlpack__()])


def test_empty_array_can_be_imported(cpu):
    assert cpu.from_dlpack(np.zeros((0, 3), np.float32)).shape == (0, 3)
    with pytest.raises(ValueError, match="at least 1 byte"):
        cpu.import_memory(bytearray())


class WithoutMemory:
    """Like `ti.ndarray`: an array that exports no memory."""

    def to_numpy(self):
        return np.zeros(3, np.float32)


READ_ONLY = np.zeros(4, np.float32)
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        (np.zeros(8, np.float32)[::2], BufferError, "contiguous"),
        (np.zeros((3, 4), np.float32).T, BufferError, "contiguous"),
        (READ_ONLY, BufferError, "read-only"),
        (b"bytes are constant", BufferError, "read-only"),
        (Producer(np.zeros(3, np.float32), device=(2, 0)), ValueError, "on a CUDA device, and this runtime is on the"),
        (Producer(np.zeros(3, np.float32), device=(1, 3)), ValueError, "the host 3"),
        (Producer(np.zeros(3, np.float32), device=(10, 0)), ValueError, "type 10"),
        (12, TypeError, "int does not share memory"),
        ("text", TypeError, "str does not share memory"),
        (None, TypeError, "NoneType does not share memory: .* array interface$"),
        (WithoutMemory(), TypeError, r"does not share memory: .*; pass its \.to_numpy\(\), which is a copy$"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_unshareable_source_is_refused(cpu, source, error, message):
    with pytest.raises(error, match=message):
        cpu.import_memory(source)
    with pytest.raises(error, match=message):
        cpu.from_dlpack(source)


def test_impossible_address_is_refused(cpu):
    class Claims:
        __array_interface__ = {"version": 3, "shape": (3,), "typestr": "<f4", "data": (-4096, False)}  # noqa: RUF012

    for call in (cpu.from_dlpack, cpu.import_memory):
        with pytest.raises(BufferError, match="impossible address 0xf"):
            call(Claims())


def test_capsule_can_be_consumed_only_once(cpu):
    class Twice:
        capsule = np.zeros(3, np.float32).__dlpack__()

        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **_):
            return self.capsule

    cpu.from_dlpack(Twice())
    with pytest.raises(TypeError, match="unconsumed capsule"):
        cpu.from_dlpack(Twice())


def test_wrong_elem_shape_is_a_value_error(cpu):
    with pytest.raises(ValueError, match="does not end in elem_shape"):
        cpu.from_dlpack(np.zeros((4, 2), np.float32), elem_shape=3)


def test_closed_runtime_imports_nothing():
    rt = Runtime("x64")
    rt.close()
    for use in (rt.import_memory, rt.from_dlpack):
        with pytest.raises(ValueError, match="closed"):
            use(np.zeros(3, np.float32))


def test_device_archs_suggest_a_copy(rt):
    if rt.arch is Arch.X64 or rt.arch is Arch.CUDA:
        pytest.skip("the arch shares memory")
    for use in (rt.import_memory, rt.from_dlpack):
        with pytest.raises(NotSupportedError, match="asarray"):
            use(np.zeros(3, np.float32))


@settings(max_examples=examples(200), deadline=None)
@given(
    shape=st.lists(st.integers(0, 4), max_size=4),
    order=st.permutations(range(4)),
    steps=st.lists(st.sampled_from([1, 1, 1, 2, -1]), min_size=4, max_size=4),
)
def test_any_strides_are_read_correctly_or_refused(shared_runtime, shape, order, steps):
    data = np.arange(np.prod(shape, dtype=int), dtype=np.int32).reshape(shape)
    view = data.transpose([axis for axis in order if axis < len(shape)])
    view = view[tuple(slice(None, None, step) for step in steps[: view.ndim])]
    rt = shared_runtime(Arch.X64)
    if view.flags.c_contiguous:
        assert rt.from_dlpack(view).to_numpy().tolist() == view.tolist()
    else:
        with pytest.raises(BufferError):
            rt.from_dlpack(view)


# Exports.


def test_numpy_imports_by_dlpack(rt, on_host):
    if not on_host:
        pytest.skip("numpy cannot access the memory")
    x = rt.asarray(np.arange(12, dtype=np.float32).reshape(3, 4))
    theirs = np.from_dlpack(x)
    assert theirs.tolist() == np.arange(12).reshape(3, 4).tolist()
    assert x.__dlpack_device__() == (1, 0)
    theirs[0, 0] = 50
    assert x.to_numpy()[0, 0] == 50
    part = theirs[1:]
    del theirs
    with pytest.raises(BufferError, match="live views"):
        x.close()
    del part
    x.close()


def test_export_outlives_the_runtime(arch, on_host):
    if not on_host:
        pytest.skip("numpy cannot access the memory")
    rt = Runtime(arch)
    theirs = np.from_dlpack(rt.full(1000, 7.0, "f32"))
    rt.close()
    del rt
    gc.collect()
    with Runtime(arch) as other:
        other.full(1000, 9.0, "f32")
        assert (theirs == 7).all()
    theirs[:] = 1


@pytest.mark.parametrize("max_version", [None, (0, 8), (1, 0), (1, 1), (2, 0)])
def test_unused_capsule_releases_the_array(rt, on_host, max_version):
    x = rt.full(10, 3.0, "f32")
    where = {} if on_host else {"dl_device": (1, 0)}
    name = repr(x.__dlpack__(max_version=max_version, **where)).split('"')[1]
    assert name == ("dltensor_versioned" if max_version and max_version[0] >= 1 else "dltensor")
    x.close()  # the capsule is freed completely


def test_copy_is_independent(rt):
    x = rt.full(10, 3.0, "f32")
    theirs = np.from_dlpack(x, device="cpu", copy=True) if _numpy_2() else np.array(x)
    theirs[:] = 8
    assert x.to_numpy()[0] == 3
    x.close()


def test_impossible_dlpack_requests_are_refused(rt):
    x = rt.zeros(10)
    with pytest.raises(BufferError, match="device \\(9, 0\\)"):
        x.__dlpack__(dl_device=(9, 0))
    for name in ("dl_device", "max_version"):
        for value in (5, 1.5, (), (1,), (1, 0, 0), (None, 0), ("1", "0")):
            with pytest.raises(TypeError, match=f"{name} must be two integers"):
                x.__dlpack__(**{name: value})
    if x.__dlpack_device__() == (1, 0):
        with pytest.raises(ValueError, match="stream must be None"):
            x.__dlpack__(stream=1)
    x.close()
    with pytest.raises(ValueError, match="closed"):
        x.__dlpack__()


def test_numpy_uses_the_array_interface(cpu, saxpy):
    x, y = cpu.full(100, 1.0, "f32"), cpu.zeros(100)
    theirs = np.asarray(y)
    assert theirs.ctypes.data == y.__array_interface__["data"][0]
    saxpy(3.0, x, y)
    assert theirs[99] == 3
    y.close()
    assert y.closed
    del y
    fresh = [cpu.full(100, 9.0, "f32") for _ in range(10)]
    assert (theirs == 3).all()
    cpu.close()
    theirs[:] = 4
    del fresh
    assert theirs.sum() == 400


def test_numpy_copies_memory_it_cannot_map(rt):
    x = rt.asarray(np.arange(6, dtype=np.int32).reshape(2, 3))
    assert np.array(x).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert np.asarray(x, dtype=np.float64).dtype == np.float64
    if rt.arch is Arch.X64:
        assert np.shares_memory(np.asarray(x), np.asarray(x))
    else:
        assert not hasattr(x, "__array_interface__")
        with pytest.raises(ValueError, match="copy"):
            x.__array__(copy=False)
    assert hasattr(x, "__cuda_array_interface__") == (rt.arch is Arch.CUDA)


def test_dlpack_orders_work_that_the_cuda_interface_does_not():
    """PyTorch and JAX name no stream in the interface, CuPy does."""

    class OnCuda(dlpack.Producer):
        asked = None
        stream: int | None = None

        @property
        def __cuda_array_interface__(self):
            address = self._tensor.dl_tensor.data
            stated = {"version": 3, "shape": (8,), "typestr": "<f4", "data": (address, True)}
            return stated if self.stream is None else stated | {"stream": self.stream}

        def __dlpack_device__(self):
            return 2, 0

        def __dlpack__(self, *, stream=None, max_version=None):
            self.asked = stream
            return super().__dlpack__()

    source = OnCuda(device=dlpack.DLDevice(2, 0))
    for any_dtype in (False, True):
        shared = share_array_with_cuda(source, any_dtype=any_dtype)
        assert (source.asked, shared.stream, shared.readonly, shared.shape) == (1, None, True, (8,))
        assert shared.owner is not source
        source.asked = None
    source.stream = 7
    assert share_array_with_cuda(source).stream == 7
    assert source.asked is None


@on_x64
@in_child
def test_memory_of_an_array_is_imported(arch):
    rt = Runtime(arch)
    memory = rt.allocate(400, host_read=True, host_write=True)
    memory.fill(1)
    with memory.map() as view:
        again = rt.import_memory(view)
    again.fill(2)
    again.close()
    del again, view
    gc.collect()
    assert memory.read() == bytes([2]) * 400
    memory.close()


@on_x64
@in_child
def test_memory_with_objects_is_refused(arch):
    rt = Runtime(arch)
    kept = object()
    sources = [
        np.array([kept] * 4, object),
        np.array([(kept, 1)] * 4, [("object", "O"), ("number", "i4")]),
        (ctypes.py_object * 4)(kept, kept, kept, kept),
    ]
    for source in sources:
        assert_raises(TypeError, partial(rt.import_memory, source))
        assert_raises((TypeError, BufferError), partial(rt.from_dlpack, source))


@pytest.mark.parametrize(("field", "values"), WRONG.items())
@on_x64
@in_child
def test_wrong_capsule_is_a_buffer_error(arch, field, values):
    rt = Runtime(arch)
    assert rt.from_dlpack(dlpack.Producer()).shape == (8,)
    for value in values:
        producer = dlpack.Producer(**{field: value})
        assert_raises(BufferError, partial(rt.from_dlpack, producer), partial(rt.import_memory, producer))


class NoDevice:
    """A DLPack producer without a device."""

    def __dlpack__(self, **options):
        return np.zeros(3, np.float32).__dlpack__()


def test_producer_without_a_device_is_a_type_error(cpu):
    for call in (cpu.from_dlpack, cpu.import_memory):
        with pytest.raises(TypeError, match="__dlpack_device__"):
            call(NoDevice())


def _numpy_2():
    return int(np.__version__.split(".")[0]) >= 2

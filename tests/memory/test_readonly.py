"""Read-only imported memory: kernels that only read take it, and nothing writes to it."""

import mmap
import re

import numpy as np
import pytest
from helpers.access import stating
from helpers.archives import join

from taichi_aot import Arch, Runtime, inspect

NUMBERS = np.arange(8, dtype=np.float32)
NUMBERS.flags.writeable = False


@pytest.fixture
def cpu(shared_runtime):
    return shared_runtime(Arch.X64)


@pytest.fixture
def basic(cpu, compiled):
    return cpu.load_module(compiled("x64") / "basic.tcm", names={"saxpy": ["a", "x", "y"]})


@pytest.fixture(params=["saxpy", "twice"])
def saxpy(request, basic):
    item = basic.kernels["saxpy"] if request.param == "saxpy" else basic.graphs["twice"]
    return stating(item, x="r", y="rw")


@pytest.fixture
def x(cpu):
    return cpu.from_dlpack(NUMBERS, readonly=True)


# Launches.


def test_reading_kernel_takes_a_read_only_array(cpu, saxpy, x):
    y = cpu.zeros(8)
    saxpy(1.0, x, y)
    launch = saxpy.bind(1.0, x, y)
    launch()
    launch.update(a=2.0, x=x)
    cpu.sequence([launch])(2, ramps={"a": (1, 1)})
    factor = 5 if saxpy.name == "saxpy" else 10
    assert (y.to_numpy() == factor * NUMBERS).all()
    assert (np.arange(8) == NUMBERS).all()


def test_written_parameter_refuses_a_read_only_array(cpu, saxpy, x):
    error = re.escape(
        f"{saxpy.name}() parameter 'y': the array is read-only, and the kernel may write to it; "
        "write y = runtime.asarray(y), "
        "pass it, and read y.to_numpy()"
    )
    with pytest.raises(ValueError, match=error):
        saxpy(1.0, x, x)
    with pytest.raises(ValueError, match=error):
        saxpy.bind(1.0, x, y=x)
    launch = saxpy.bind(1.0, x, cpu.zeros(8))
    with pytest.raises(ValueError, match=error):
        launch.update(y=x)


@pytest.mark.parametrize("access", ["", "w", "rw"])
def test_unknown_access_refuses_a_read_only_array(cpu, basic, x, access):
    saxpy = stating(basic.kernels["saxpy"], x=access)
    reason = "" if access else ", as far as the module states"
    with pytest.raises(
        ValueError, match=f"parameter 'x': the array is read-only, and the kernel may write to it{reason};"
    ):
        saxpy(1.0, x, cpu.zeros(8))


def test_bundle_states_the_access_for_llvm_modules(cpu, compiled, x):
    bundle = join({arch: compiled(str(arch)) / "basic.tcm" for arch in (Arch.X64, Arch.VULKAN)})
    module = cpu.load_module(bundle)
    for launch in (module.kernels["saxpy"], module.graphs["twice"]):
        assert [parameter.access for parameter in launch.signature.parameters] == ["", "r", "rw"]
        y = cpu.zeros(8)
        launch(1.0, x, y)
        assert y.to_numpy()[7] == (7 if launch.name == "saxpy" else 14)
        with pytest.raises(ValueError, match=r"parameter 'y': the array is read-only, and the kernel may write to it;"):
            launch(1.0, x, x)


def test_code_for_cpus_shows_what_it_only_reads(build_source, cpu):
    path = build_source("reading_kernels", "x64")
    for kernel in inspect(path).kernels.values():
        arrays = [each for each in kernel.signature.parameters if each.kind == "ndarray"]
        assert [each.access for each in arrays] == ["r" if each.name.startswith("read") else "" for each in arrays]
    written = np.zeros(8, np.float32)
    cpu.load_module(path).largest(NUMBERS, written)
    assert written[0] == 7


def test_graph_states_the_access_of_its_kernels(compiled):
    graphs = inspect(compiled("vulkan") / "basic.tcm").graphs
    access = {name: {p.name: p.access for p in graph.signature.parameters} for name, graph in graphs.items()}
    assert access == {"twice": {"a": "", "x": "r", "y": "rw"}, "both": {"x": "rw", "y": "rw"}}


def test_wrong_type_is_a_type_error(cpu, saxpy):
    wrong = np.zeros(8)
    with pytest.raises(TypeError, match=re.escape("expected ndarray[f32, 1], got read-only ndarray[f64, 1]")):
        saxpy(1.0, cpu.from_dlpack(wrong, readonly=True), cpu.zeros(8))
    with Runtime("x64") as other, pytest.raises(ValueError, match="belongs to another runtime"):
        saxpy(1.0, other.from_dlpack(NUMBERS, readonly=True), cpu.zeros(8))


def test_read_only_vectors_of_one_stay_read_only(cpu, compiled, x):
    module = cpu.load_module(compiled("x64") / "kinds.tcm", names={"vectors_of_one": ["x", "out"]})
    kernel = stating(module.kernels["vectors_of_one"], x="r", out="w")
    kernel(x, cpu.zeros(8, "f32"))
    with pytest.raises(ValueError, match="parameter 'out': the array is read-only"):
        kernel(x, x)


# Other writers.


def writers(array):
    """Return each way to write to an array, by name."""
    other = array._runtime.zeros(array.shape, array.dtype)
    return {
        "write": lambda: array.write([0] * 8),
        "fill": lambda: array.fill(0),
        "copy_from": lambda: array.copy_from(other),
        "slice.write": lambda: array[1:3].write([1, 2]),
        "item": lambda: array.__setitem__(0, 1),
        "slice.fill": lambda: array[:1].fill(0),
        "slice.copy_from": lambda: array[:2].copy_from(array[2:4]),
        "memory.write": lambda: array.memory.write(b"1234"),
        "memory.fill": lambda: array.memory.fill(),
        "memory.copy_from": lambda: array.memory.copy_from(other.memory),
        "memory_slice.write": lambda: array.memory[4:8].write(b"1234"),
        "memory_slice.fill": lambda: array.memory[4:8].fill(1),
        "memory_slice.copy_from": lambda: array.memory[:4].copy_from(other.memory[:4]),
        "words.write": lambda: array.memory.ndarray(8, "u32").write(np.zeros(8, np.uint32)),
    }


def test_no_method_writes_to_a_read_only_array(x):
    for write in writers(x).values():
        with pytest.raises(ValueError, match=r"the memory is read-only: it was imported with readonly=True"):
            write()
    assert (np.arange(8) == NUMBERS).all()


def test_views_are_read_only(x):
    with x.map() as view, x.memory.map() as data:
        assert not view.flags.writeable
        assert not data.flags.writeable
        assert np.shares_memory(view, NUMBERS)
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1
        with pytest.raises(ValueError, match="cannot set WRITEABLE"):
            view.flags.writeable = True
    theirs = np.asarray(x)
    assert np.shares_memory(theirs, NUMBERS)
    assert not theirs.flags.writeable
    assert x.__array_interface__["data"][1] is True


def test_read_only_array_can_be_read(cpu, x):
    out = np.empty(8, np.float32)
    assert (x.to_numpy(out) == NUMBERS).all()
    x.to_numpy()[:] = 1  # a copy
    y = cpu.zeros(8)
    y.copy_from(x)
    y[:2].copy_from(x[6:])
    assert y.to_numpy().tolist() == [6, 7, 2, 3, 4, 5, 6, 7]
    assert x.memory.read(4, 4) == np.float32(1).tobytes()
    assert x.memory[4:8].read() == np.float32(1).tobytes()


def test_repr_says_that_an_array_is_read_only(cpu, x):
    assert x.readonly
    assert x[1:].readonly
    assert x.memory.readonly
    assert x.memory[2:].readonly
    assert x.memory.ndarray(2, "f64").readonly
    assert repr(x) == "<NdArray shape=(8,) read-only ndarray[f32, 1] on x64>"
    assert not cpu.zeros(1).readonly
    assert not cpu.allocate(1).readonly


def test_dlpack_marks_read_only_or_copies(cpu, x):
    assert 'dltensor_versioned"' in repr(x.__dlpack__(max_version=(1, 0)))
    with pytest.raises(BufferError, match="without a copy"):
        x.__dlpack__(copy=False)  # DLPack before version 1 has no read-only flag
    with pytest.raises(BufferError, match="read-only"):
        cpu.from_dlpack(x)
    again = cpu.from_dlpack(x, readonly=True)
    assert again.readonly
    assert np.shares_memory(np.asarray(again), NUMBERS)
    theirs = np.from_dlpack(x)
    if np.shares_memory(theirs, NUMBERS):
        assert not theirs.flags.writeable
    else:  # numpy before 2.1 does not support DLPack 1
        assert np.lib.NumpyVersion(np.__version__) < "2.1.0"


# Sources.


def test_writable_source_may_be_imported_as_read_only(cpu, saxpy):
    data, y = np.ones(8, np.float32), cpu.zeros(8)
    x = cpu.from_dlpack(data, readonly=True)
    with pytest.raises(ValueError, match="read-only"):
        x.fill(3)
    data[:] = 2
    saxpy(1.0, x, y)
    assert set(y.to_numpy()) <= {2, 4}
    cpu.from_dlpack(data).fill(5)  # the same memory, imported as writable
    assert x.to_numpy()[0] == 5


@pytest.mark.parametrize("kind", ["bytes", "memoryview", "numpy", "mmap"])
def test_read_only_buffers_are_imported_as_read_only(cpu, kind, tmp_path):
    data = np.arange(1024, dtype=np.float32).tobytes()
    (tmp_path / "numbers").write_bytes(data)
    with open(tmp_path / "numbers", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as pages:
        source = {"bytes": data, "memoryview": memoryview(data), "numpy": np.frombuffer(data, "f4"), "mmap": pages}[
            kind
        ]
        with pytest.raises(BufferError, match="it is read-only, and kernels may write to it; readonly=True imports it"):
            cpu.import_memory(source)
        memory = cpu.import_memory(source, readonly=True)
        array = memory.ndarray(1024, "f32")
        assert array.to_numpy()[1023] == 1023
        with pytest.raises(ValueError, match="read-only"):
            array.fill(0)
        memory.close()
        del array, memory, source


def test_empty_array_is_read_only(cpu):
    empty = np.zeros((0, 3), np.float32)
    empty.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        cpu.from_dlpack(empty)
    x = cpu.from_dlpack(empty, 3, readonly=True)
    assert x.readonly
    assert x.shape == (0,)


def test_jax_array_is_imported_without_a_copy(cpu, saxpy):
    jax = pytest.importorskip("jax")
    with jax.default_device(jax.devices("cpu")[0]):
        theirs = jax.block_until_ready(jax.numpy.arange(1000, dtype="float32") * 2)
    for take in (cpu.from_dlpack, cpu.import_memory):
        with pytest.raises(BufferError, match="it is read-only"):
            take(theirs)
    x, y = cpu.from_dlpack(theirs, readonly=True), cpu.zeros(1000)
    assert np.shares_memory(np.asarray(x), np.asarray(theirs))
    assert cpu.import_memory(theirs, readonly=True).size == 4000
    saxpy(1.0, x, y)
    back = jax.numpy.from_dlpack(y)
    assert float(back.sum()) in {999_000.0, 1_998_000.0}

"""Arrays of other libraries as arguments: numpy's, and those of DLPack's C exchange interface."""

import gc
import re
import weakref

import numpy as np
import pytest
from helpers.archs import require
from helpers.dlpack import DLDataType, DLDevice, Producer
from helpers.exchange import tensor_class

from taichi_aot import Arch, Runtime


@pytest.fixture(scope="module")
def cpu():
    require("x64")
    with Runtime("x64") as runtime:
        yield runtime


@pytest.fixture(scope="module")
def module(cpu, compiled):
    return cpu.load_module(compiled("x64") / "basic.tcm")


@pytest.fixture
def saxpy(module):
    return module.kernels["saxpy"]


def numbers(count=8):
    return np.arange(count, dtype=np.float32)


def test_bound_launch_keeps_the_array(cpu, saxpy):
    x, y = numbers(), np.zeros(8, np.float32)
    alive = weakref.ref(x)
    step = saxpy.bind(1.0, x, y)
    del x
    gc.collect()
    assert alive() is not None
    step()
    cpu.sequence([step])(repeat=3)
    assert y.tolist() == (4 * numbers()).tolist()
    other = np.ones(8, np.float32)
    step.update(x=other)
    step()
    assert y.tolist() == (4 * numbers() + 1).tolist()
    del step
    gc.collect()
    assert alive() is None


def test_vectors_come_from_the_last_dimensions(module):
    points = np.zeros((2, 2, 3), np.float32)
    module.iota(1, points)
    ours = module.runtime.zeros((2, 2), "f32", 3)
    module.iota(1, ours)
    assert points.any()
    assert points.tolist() == ours.to_numpy().tolist()


def test_each_call_looks_at_the_array_again(saxpy):
    y = np.zeros(8, np.float32)
    x = numbers(8)
    saxpy(1.0, x, y)
    x.resize((2, 4), refcheck=False)
    with pytest.raises(TypeError, match=r"'x': expected ndarray\[f32, 1\], got a numpy array .* with shape \(2, 4\)"):
        saxpy(1.0, x, y)
    x.resize(8, refcheck=False)
    y.flags.writeable = False
    with pytest.raises(ValueError, match="'y': the array is read-only, and the kernel may write to it"):
        saxpy(1.0, x, y)
    y.flags.writeable = True
    for count in (3, 8, 5):
        saxpy(1.0, numbers(count), y[:count])
    assert y.tolist() == [0, 4, 8, 9, 12, 10, 12, 14]


WRONG = [
    (
        lambda: np.zeros(8),
        TypeError,
        "float64 with shape (8,); write x.astype('float32')",
    ),
    (lambda: np.zeros((8, 1)), TypeError, "float64 with shape (8, 1); its shape must have 1 dimension"),
    (lambda: np.zeros((8, 2), "f4", "F"), TypeError, "float32 with shape (8, 2); its shape must have 1 dimension"),
    (lambda: np.zeros(8, ">f4"), TypeError, "of another byte order; astype('float32') converts an array"),
    (
        lambda: np.zeros((8, 1), np.float32),
        TypeError,
        "expected ndarray[f32, 1], got a numpy array of float32 with shape (8, 1); its shape must have 1 dimension",
    ),
    (
        lambda: numbers(16)[::2],
        BufferError,
        "cannot use a numpy array of float32 with shape (8,): it is not C-contiguous",
    ),
    (lambda: np.float32(1), TypeError, "got numpy.float32; an index such as x[0] gives a number: pass the array"),
    (lambda: np.ndarray, TypeError, "got the class ndarray; pass an NdArray, such as runtime.asarray(numbers, 'f32')"),
    (lambda: Producer(dtype=DLDataType(4, 16, 1)), TypeError, "Taichi has no type for bfloat of 16 bits"),
    (lambda: Producer(data=None), BufferError, "impossible address"),
    (lambda: Producer(dtype=DLDataType(0, 32, 1)), TypeError, "Producer of int32 with shape (8,)"),
]


@pytest.mark.parametrize(("make", "error", "message"), WRONG, ids=range(len(WRONG)))
def test_wrong_array_is_named(module, saxpy, make, error, message):
    y = np.zeros(8, np.float32)
    for call in (saxpy, saxpy.bind, module.graphs["twice"]):
        with pytest.raises(error, match=re.escape(message)) as caught:
            call(1.0, make(), y)
        assert str(caught.value).startswith(f"{'twice' if call.__name__ == 'twice' else 'saxpy'}() parameter 'x':")
    saxpy(1.0, numbers(), y)
    assert y.tolist() == numbers().tolist()


def test_other_archs_name_the_copy(rt, compiled):
    if rt.arch is Arch.X64:
        pytest.skip("the arch shares memory")
    saxpy = rt.load_module(compiled(rt.arch) / "basic.tcm").kernels["saxpy"]
    kept = "write {0} = runtime.asarray({0}), pass it, and read {0}.to_numpy()"
    unknown = f"{kept} if the kernel writes it"  # code for CUDA does not state which arrays it writes
    is_stated = bool(saxpy.signature.parameters[1].access)
    for x, y, remedy in (
        (numbers(), rt.zeros(8), ("write runtime.asarray(x)" if is_stated else unknown).format("x")),
        (rt.zeros(8), numbers(), (kept if is_stated else unknown).format("y")),
    ):
        remedy += ", or use taichi_aot.function()"
        for call in (saxpy, saxpy.bind):
            with pytest.raises(TypeError, match=f"with shape \\(8,\\); {re.escape(remedy)}$"):
                call(1.0, x, y)


def test_array_elsewhere_names_the_copy(saxpy):
    class Tensor:
        """On a CUDA device, as PyTorch's."""

        device = "cuda:0"

        def __dlpack__(self, **kwargs):
            raise AssertionError("must not be called")

        def __dlpack_device__(self):
            return 2, 0

    Tensor.__module__ = "torch"
    where = "it is on a CUDA device, and this runtime is on the host"
    with pytest.raises(ValueError, match=f"{where}; write y = runtime.asarray\\(y.cpu\\(\\), 'f32'\\), pass it, and"):
        saxpy(1.0, numbers(), Tensor())


def test_empty_arrays_and_other_producers_are_imported(saxpy):
    empty = np.zeros(0, np.float32)
    saxpy(1.0, empty, empty)
    saxpy.bind(1.0, empty, empty)()
    producer = Producer()
    saxpy(1.0, np.ones(8, np.float32), producer)
    assert list(producer.data) == [1] * 8


@pytest.mark.parametrize("versions", [(1,), (2, 1)])
def test_exchange_is_used(saxpy, versions):
    of_exchange = tensor_class(*versions)
    x, y = of_exchange(range(8)), np.zeros(8, np.float32)
    same = np.frombuffer(x.data, np.float32)  # by which the library learns the address
    saxpy(1.0, same, y)
    views = x.views
    saxpy(1.0, x, y)
    saxpy(1.0, x, x)
    assert x.views == views + 3
    assert y.tolist() == (2 * numbers()).tolist()
    assert list(x.data) == (2 * numbers()).tolist()


LIES = [
    {"data": None},
    {"device": DLDevice(2, 0)},
    {"device": DLDevice(1, 1)},
    {"ndim": 2},
    {"ndim": 0},
    {"ndim": -1},
    {"ndim": 2**31 - 1},
    {"dtype": DLDataType(2, 64, 1)},
    {"dtype": DLDataType(2, 32, 2)},
    {"dtype": DLDataType(4, 32, 1)},
    {"byte_offset": 1},
    {"byte_offset": 2**63},
]


def test_lies_of_an_exchange_are_left_to_the_check(saxpy):
    of_exchange = tensor_class(1)
    y = np.zeros(8, np.float32)

    def refused(x):
        with pytest.raises(TypeError, match=r"'x': expected ndarray\[f32, 1\], got .*OfExchange"):
            saxpy(1.0, x, y)

    for fields in LIES:
        x = of_exchange(range(8))
        saxpy(1.0, np.frombuffer(x.data, np.float32), np.zeros(8, np.float32))  # its address is known
        for name, value in fields.items():
            setattr(x.tensor, name, value)
        refused(x)
    x = of_exchange(range(8))
    saxpy(1.0, np.frombuffer(x.data, np.float32), np.zeros(8, np.float32))
    for sizes in ((-8, 1), (0, 1), (2**31, 1), (8, 2), (8, -1)):
        x._sizes[:] = sizes
        refused(x)
    x._sizes[:] = 8, 1
    x.requires_grad = True
    refused(x)
    x.requires_grad, x.is_neg = False, lambda: True
    refused(x)
    x.is_neg, x.tensor = lambda: False, None
    refused(x)
    assert not y.any()
    for versions in ((2,), (3, 2)):
        x = tensor_class(*versions)(range(8))
        saxpy(1.0, np.frombuffer(x.data, np.float32), np.zeros(8, np.float32))
        refused(x)
        assert x.views == 0
    child = type("Child", (of_exchange,), {})(range(8))  # it may be more than its base
    with pytest.raises(TypeError, match="Child"):
        saxpy(1.0, child, y)
    assert child.views == 0


def test_failed_calls_give_their_block_back(saxpy):
    y = np.zeros(8, np.float32)
    saxpy(1.0, numbers(), y)
    blocks = saxpy._launcher.free_blocks
    before = len(blocks)
    for wrong in (None, np.zeros(3), numbers()[::-1]):
        with pytest.raises((TypeError, BufferError)):
            saxpy(1.0, wrong, y)
    assert len(blocks) == before


def test_an_import_may_move_arrays_that_were_looked_at(saxpy):
    x = np.ones(8, np.float32)
    saxpy(1.0, x, np.zeros(8, np.float32))  # its address is known

    class Moves(Producer):
        def __dlpack__(self, **options):
            x.resize(1 << 20, refcheck=False)
            x.resize(8, refcheck=False)
            x[:] = 3
            return super().__dlpack__(**options)

    y = Moves()
    saxpy(1.0, x, y)
    assert list(y.data) == [3] * 8

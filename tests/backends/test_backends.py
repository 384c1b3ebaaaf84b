"""What depends on the kind of device is a method of a backend: one that a test adds is all that the package needs."""

import numpy as np
import pytest

from taichi_aot import Arch, Runtime, TaichiError
from taichi_aot.backends._base import Allocator, Code, Device, Interchange, Parts, Streams
from taichi_aot.backends._devices import BACKENDS, CPU_ARCH, backend_of
from taichi_aot.driver._library import address_of, ffi, lib
from taichi_aot.handles._memory import DirectMap, MemoryHandle


class FakeMemory(MemoryHandle):
    """Bytes of numpy, which the library imports."""

    __slots__ = ("data",)
    is_mappable = True

    def __init__(self, runtime, request):
        self.runtime, self.size, self.usage, self.generation = runtime, request.size, request.usage, 1
        self.host_read, self.host_write, self.readonly = True, True, False
        self.data = np.zeros(request.size, np.uint8)
        self.c = ffi.new("taichi_aot_memory *", {"generation": 1, "address": self.data.ctypes.data})
        result = ffi.addressof(self.c, "ti_memory")
        address = ffi.cast("void *", self.data.ctypes.data)
        runtime.check(lib.checked_ti_import_cpu_memory(runtime.require_open(), address, request.size, result))

    @property
    def address(self):
        return address_of(ffi.from_buffer(self.data))

    def map(self, typestr, shape, offset=0):
        return DirectMap(self, typestr, shape, offset)

    def ti_memory_at(self, offset):
        return self.require_open() and self.c.ti_memory

    def read(self, target, offset):
        target.reshape(-1).view(np.uint8)[:] = self.data[offset : offset + target.nbytes]

    def write(self, source, offset, *, fresh=False):
        self.data[offset : offset + source.nbytes] = np.frombuffer(source, np.uint8)

    def copy_from(self, offset, source, source_offset, size):
        self.data[offset : offset + size] = source.data[source_offset : source_offset + size]

    def free(self):
        self.data = np.zeros(0, np.uint8)


class FakeAllocator(Allocator):
    def allocate(self, runtime, request):
        return FakeMemory(runtime, request)

    def close(self, runtime):
        pass

    def forget(self):
        pass


class FakeCode(Code):
    family = "llvm"


class FakeInterchange(Interchange):
    device_type = 12  # DLPack's number of an extension
    api = "fake"


class FakeDevice(Device):
    on_host = True

    def kind(self, runtime):
        return "virtual"


# A device whose memory is numpy's. It shares nothing with other libraries.
FAKE = Parts(FakeAllocator, FakeCode, FakeInterchange, Streams, FakeDevice)


@pytest.fixture
def fake(monkeypatch):
    monkeypatch.setitem(BACKENDS, CPU_ARCH, FAKE)
    with Runtime(CPU_ARCH) as rt:
        yield rt


def test_added_backend_allocates_copies_launches_and_waits(fake, compiled):
    saxpy = fake.load_module(compiled(str(CPU_ARCH)) / "basic.tcm").kernels["saxpy"]
    x, y = fake.asarray(np.arange(4, dtype=np.float32)), fake.zeros(4)
    assert isinstance(x._handle, FakeMemory)
    saxpy(2.0, x, y)
    saxpy.bind(1.0, x, y)()
    fake.sequence([saxpy.bind(1.0, x, y)])(repeat=3)
    fake.wait()
    np.testing.assert_array_equal(y.to_numpy(), 6 * np.arange(4))
    x.copy_from(y)
    with x.map() as view:
        np.testing.assert_array_equal(view, 6 * np.arange(4))
    y.close()
    with pytest.raises(ValueError, match="closed"):
        saxpy(1.0, x, y)


def test_added_backend_lacks_what_it_does_not_define(fake):
    with pytest.raises(TaichiError, match="no images"):
        fake.allocate_image(4, "rgba8")
    with pytest.raises(TaichiError, match="no streams"):
        fake.stream(0)
    with pytest.raises(TaichiError, match="no capabilities"):
        fake.set_capabilities({})
    with pytest.raises(TaichiError, match="memory of other libraries"):
        fake.from_dlpack(np.zeros(3))
    with pytest.raises(AttributeError):
        _ = fake.zeros(3).__array_interface__


def test_every_arch_of_the_package_has_a_backend():
    for arch in (Arch.X64, Arch.ARM64, Arch.CUDA, Arch.VULKAN, Arch.OPENGL):
        backend = backend_of(arch)
        assert backend.arch is arch
        assert (backend.code.family == "llvm") == arch.is_llvm
        assert backend.device.on_host == arch.is_cpu

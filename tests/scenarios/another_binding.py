"""Another binding of the C library in the same process."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from helpers.inside import c_address
from helpers.raising import assert_raises

from taichi_aot import AotModule, Arch, Runtime, capi, library_path


class Binding:
    """The library called through ctypes, as by another binding in the same process."""

    def __init__(self, arch: Arch) -> None:
        self.lib = ctypes.CDLL(library_path())
        for name in ("ti_create_runtime", "ti_allocate_memory", "ti_load_aot_module", "ti_create_aot_module"):
            getattr(self.lib, name).restype = ctypes.c_void_p
        self.runtime = self.lib.ti_create_runtime(arch.value, 0)
        assert self.runtime

    def allocate(self, size: int) -> int:
        info = capi.TiMemoryAllocateInfo(
            size=size, host_read=True, host_write=True, usage=capi.TiMemoryUsageFlagBits.TI_MEMORY_USAGE_STORAGE_BIT
        )
        memory: int = self.lib.ti_allocate_memory(ctypes.c_void_p(self.runtime), ctypes.c_void_p(c_address(info)))
        assert memory
        return memory

    def free(self, memory: int) -> None:
        self.lib.ti_free_memory(ctypes.c_void_p(self.runtime), ctypes.c_void_p(memory))

    def wait(self) -> None:
        self.lib.ti_wait(ctypes.c_void_p(self.runtime))

    def error(self) -> int:
        code: int = self.lib.ti_get_last_error(None, None)
        return code

    def destroy(self) -> None:
        self.lib.ti_destroy_runtime(ctypes.c_void_p(self.runtime))


def own_a_module(arch: Arch, folder: Path) -> None:
    """Own a module that another binding loaded: it is destroyed with the runtime."""
    binding = Binding(arch)
    rt = Runtime.from_handle(capi.TiRuntime(binding.runtime), owned=True)
    ti_module = binding.lib.ti_load_aot_module(ctypes.c_void_p(binding.runtime), os.fsencode(folder))
    loaded = AotModule.from_handle(rt, capi.TiAotModule(ti_module), folder, owned=True)
    assert_raises(
        ValueError, lambda: AotModule.from_handle(rt, capi.TiAotModule(ti_module), folder, owned=True), match="already"
    )
    x, y = rt.full(4, 2, "f32"), rt.zeros(4, "f32")
    loaded.kernels["saxpy"](2.0, x, y)
    assert y.to_numpy().tolist() == [4.0] * 4
    loaded.close()
    rt.close()

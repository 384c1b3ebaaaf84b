"""Run the code of CUDA kernels on the host, before the library makes PTX of it: see ``cuda_threads/threads.c``."""

from __future__ import annotations

import ctypes
import re
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import llvmlite.binding
import numpy as np
import numpy.typing as npt

from taichi_aot.adopt._module import ParsedModule
from taichi_aot.adopt.llvm._copy import native_arguments
from taichi_aot.adopt.llvm._module import LlvmContents
from taichi_aot.adopt.taichi._native import RUNTIME_LAYOUT, TEMPORARIES_BYTES
from taichi_aot.adopt.taichi._plans import ArgumentKind
from taichi_aot.build.code._cuda_loops import arrays_of, with_fast_loops
from taichi_aot.values._numbers import numpy_dtype

llvm: Any = llvmlite.binding  # which has no types

SOURCE = Path(__file__).parent / "cuda_threads" / "threads.c"
CALLED = {
    **{f"llvm.nvvm.read.ptx.sreg.{name}.x": f"device_{name}" for name in ("tid", "ntid", "ctaid", "nctaid")},
    "llvm.nvvm.barrier0": "device_barrier",
    "llvm.nvvm.membar.gl": "device_membar",
    "llvm.nvvm.atomic.load.inc.32.p1i32": "device_inc",
    "llvm.nvvm.shfl.sync.bfly.i32": "device_bfly",
}
NATIVE = re.compile(r'target triple = .*|"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')


@cache
def device() -> ctypes.CDLL:
    """Return the library of the device."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "threads.so")
        subprocess.run(["cc", "-O1", "-fPIC", "-shared", "-o", path, SOURCE, "-lpthread"], check=True, timeout=600)
        library = ctypes.CDLL(str(path))
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in CALLED.values():
        llvm.add_symbol(name, ctypes.cast(library[name], ctypes.c_void_p).value)
    library.device_launch.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32]
    return library


class HostKernel:
    """A kernel of a parsed CUDA module, with its loops changed."""

    def __init__(self, module: ParsedModule, name: str) -> None:
        library = device()
        assert isinstance(module.stated, LlvmContents)
        (stated,) = (each for each in module.stated.kernels if each.key == name)
        self.info = module.info.all_kernels[name]
        self._arguments = native_arguments(self.info.signature.parameters, stated.stated.layout.struct)
        self._size = stated.stated.layout.size
        arrays = arrays_of(self._arguments, self.info.signature.parameters)
        code, self.tasks = with_fast_loops(module.files[f"{name}.ll"], self.info.tasks, arrays)
        self.text = code.decode("latin-1")
        text = NATIVE.sub("", self.text)
        for intrinsic, function in CALLED.items():
            text = text.replace(f"@{intrinsic}(", f"@{function}(")
        parsed = llvm.parse_assembly(text)
        parsed.verify()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=2)
        builder, passes = llvm.create_pass_manager_builder(), llvm.create_module_pass_manager()
        builder.opt_level, builder.inlining_threshold = 3, 225
        builder.populate(passes)
        passes.run(parsed)
        self._engine = llvm.create_mcjit_compiler(parsed, machine)
        self._engine.finalize_object()
        self._launch = library.device_launch
        self._temporaries = np.zeros(TEMPORARIES_BYTES, np.uint8)
        size, members = RUNTIME_LAYOUT
        self._runtime = np.zeros(size, np.uint8)
        self._runtime[members["temporaries"] :][:8] = np.frombuffer(np.uint64(self._temporaries.ctypes.data), np.uint8)

    def __call__(self, *values: Any, grid: int = 3) -> npt.NDArray[np.uint64]:
        """Launch it with numpy arrays and numbers; return the memory of its result."""
        block = bytearray(max(8, self._size))
        for source, kind, offset, size in self._arguments:
            value, parameter = values[source], self.info.signature.parameters[source]
            if kind == ArgumentKind.ARRAY:
                data = np.array(value.shape[:size], np.int32).tobytes()
            elif kind == ArgumentKind.ADDRESS:
                data = np.uint64(value.ctypes.data).tobytes()
            else:
                data = np.array(value).astype(numpy_dtype(parameter.dtype or value.dtype)).tobytes()
            block[offset : offset + len(data)] = data
        arguments = np.frombuffer(bytes(block), np.uint8)
        result = np.zeros(16, np.uint64)
        context = np.array([arguments.ctypes.data, self._runtime.ctypes.data, 0, result.ctypes.data], np.uint64)
        for task in self.tasks:
            info = self.info.tasks[task.number]
            address = self._engine.get_function_address(info.name)
            groups = 1 if info.kind == "serial" else grid
            assert self._launch(address, context.ctypes.data, groups, task.block) == 0
        return result

"""Programs of ``taichi.examples``, traced by ``helpers/trace_example.py`` and repeated with the compiled module."""

from __future__ import annotations

import ctypes
import pickle
import platform
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from helpers.examples import flat

from scenarios import ArchName
from taichi_aot import AotModule, NdArray, Parameter, Runtime

FLUSH_TO_ZERO, DENORMALS_ARE_ZERO = 1 << 15, 1 << 6
Contents = npt.NDArray[Any]


class _Player:
    """Run the steps of a trace; `results` has the same names as the trace."""

    def __init__(self, module: AotModule, trace: dict[str, Any]) -> None:
        self.module = module
        self.trace = trace
        self.arrays: dict[int, NdArray] = {}
        self.written: dict[str, Contents] = {}  # contents of fields that the program wrote
        self.results: dict[str, Contents] = {}

    def play(self) -> None:
        for number, (kind, *step) in enumerate(self.trace["steps"]):
            if kind == "write":
                self.write(*step)
            else:
                self.put_written()
                self.launch(number, kind, *step)
        self.put_written()
        for name in self.trace["fields"]:
            self.results[name] = self.module.fields[name].to_numpy()

    def write(self, member: int, key: tuple[int, ...], value: float) -> None:
        """Keep what the program wrote into a field, to write it all before the next launch."""
        name, ndim, offset = self.trace["places"][member]
        if name not in self.written:
            self.written[name] = self.module.fields[name].to_numpy()
        self.written[name][tuple(np.subtract(key[:ndim], offset or [0] * ndim).astype(int))] = value

    def put_written(self) -> None:
        for name, contents in self.written.items():
            self.module.fields[name].write(contents)
        self.written.clear()

    def launch(self, number: int, kind: str, name: str, given: Any, after: Any, returned: Any) -> None:
        """Launch a kernel with arguments by position, or a graph with arguments by name."""
        target = (self.module.graphs if kind == "graph" else self.module.kernels)[name]
        parameters: tuple[Parameter, ...] = target.signature.parameters
        keys = [parameter.name for parameter in parameters] if kind == "graph" else range(len(parameters))
        passed = {key: self.argument(p, *given[key]) for key, p in zip(keys, parameters, strict=True)}
        if kind == "graph":
            target(**{str(key): value for key, value in passed.items()})
        else:
            value = target(*passed.values())
            if returned is not None:
                self.results[f"step{number}_returned"] = flat(value)
        for key in after:
            self.results[f"step{number}_{key}"] = passed[key].to_numpy()

    def argument(self, parameter: Parameter, kind: str, value: Any, contents: Contents | None = None) -> Any:
        """Return a plain value, a new array with host contents, or the array of a number."""
        if kind == "value":
            return value
        if value is None or value not in self.arrays:
            assert contents is not None
            array = self.module.runtime.asarray(contents, elem_shape=parameter.elem_shape)
            if value is not None:
                self.arrays[value] = array
            return array
        if contents is not None:
            self.arrays[value].write(contents)
        return self.arrays[value]


def _flush_denormals() -> None:
    """Flush denormal numbers, as ``ti.init`` does; otherwise results below 1e-38 differ from the JIT's.

    Threads created later inherit the flags.
    """
    if sys.platform == "linux" and platform.machine() == "x86_64":
        libm = ctypes.CDLL("libm.so.6")
        environment = (ctypes.c_uint32 * 8)()  # fenv_t of glibc; the last member is MXCSR
        assert libm.fegetenv(environment) == 0
        environment[7] |= FLUSH_TO_ZERO | DENORMALS_ARE_ZERO
        assert libm.fesetenv(environment) == 0


def repeat_launches(arch: ArchName, trace: str, module: str, out: str) -> None:
    """Repeat the launches of a trace with its module, and save the contents of arrays and fields."""
    _flush_denormals()
    with Runtime(arch) as runtime:
        player = _Player(runtime.load_module(module), pickle.loads(Path(trace).read_bytes()))
        player.play()
        np.savez(out, **player.results)  # type: ignore[arg-type]

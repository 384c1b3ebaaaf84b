"""AotModule: a loaded module, its kernels and its compute graphs."""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._library import ffi, lib
from .enums import Capability
from .errors import IncompatibleModuleError, NameNotFoundError, check
from .handles import ModuleHandle, Resource, process
from .launchable import ComputeGraph, Kernel
from .module_formats import ModuleInfo, Source, SourceModule, pack, read_module
from .signature import Signature

if TYPE_CHECKING:
    from .runtime import Runtime

__all__ = ["AotModule", "load_module"]

Item = TypeVar("Item", Kernel, ComputeGraph)

# Operands of OpCapability and the capability of a device that stands for them.
SPIRV_CAPABILITIES = {
    9: Capability.SPIRV_HAS_FLOAT16,
    10: Capability.SPIRV_HAS_FLOAT64,
    11: Capability.SPIRV_HAS_INT64,
    12: Capability.SPIRV_HAS_ATOMIC_INT64,
    22: Capability.SPIRV_HAS_INT16,
    39: Capability.SPIRV_HAS_INT8,
    61: Capability.SPIRV_HAS_SUBGROUP_BASIC,
    62: Capability.SPIRV_HAS_SUBGROUP_VOTE,
    63: Capability.SPIRV_HAS_SUBGROUP_ARITHMETIC,
    64: Capability.SPIRV_HAS_SUBGROUP_BALLOT,
    4441: Capability.SPIRV_HAS_VARIABLE_PTR,
    4442: Capability.SPIRV_HAS_VARIABLE_PTR,
    5347: Capability.SPIRV_HAS_PHYSICAL_STORAGE_BUFFER,
    6033: Capability.SPIRV_HAS_ATOMIC_FLOAT_ADD,
    6034: Capability.SPIRV_HAS_ATOMIC_FLOAT64_ADD,
    6095: Capability.SPIRV_HAS_ATOMIC_FLOAT16_ADD,
}


class AotModule(Resource):
    """A loaded module. Made by `Runtime.load_module`.

    Attributes
    ----------
    kernels, graphs : mapping of str to Kernel, ComputeGraph
        By name. A name that is not there raises KeyError, with the names that are.
    info : ModuleInfo
        What its files state.
    """

    __slots__ = ("_handle", "graphs", "info", "kernels", "runtime")

    def __init__(self, runtime: Runtime, handle: ModuleHandle, source: SourceModule) -> None:
        self.runtime = runtime
        self.info: ModuleInfo = source.info
        self._handle = handle
        self.kernels: Mapping[str, Kernel] = _Items(
            "kernel", {name: kernel.signature for name, kernel in source.info.kernels.items()}, handle, Kernel
        )
        self.graphs: Mapping[str, ComputeGraph] = _Items(
            "graph", {name: graph.signature for name, graph in source.info.graphs.items()}, handle, ComputeGraph
        )

    @property
    def closed(self) -> bool:
        return self._handle.pointer is None

    def close(self) -> None:
        """Unload it, after the device is done. Its kernels and graphs then raise. Closing twice is fine."""
        self._handle.close()

    def __repr__(self) -> str:
        state = "closed " if self.closed else ""
        return f"<{state}AotModule kernels={list(self.kernels)} graphs={list(self.graphs)}>"


class _Items(Mapping[str, Item], Generic[Item]):
    """Kernels or graphs by name, fetched from the library when they are first asked for."""

    def __init__(self, what: str, signatures: dict[str, Signature], handle: ModuleHandle, kind: type[Item]) -> None:
        self._what = what
        self._signatures = signatures
        self._handle = handle
        self._kind: type[Item] = kind
        self._fetched: dict[str, Item] = {}

    def __getitem__(self, name: str) -> Item:
        item = self._fetched.get(name)
        if item is None:
            if name not in self._signatures:
                raise NameNotFoundError(self._unknown(name))
            native = fetch(self._handle, name, graph=self._kind is ComputeGraph)
            item = self._fetched.setdefault(name, self._kind(self._signatures[name], self._handle, native))
        return item

    def _unknown(self, name: object) -> str:
        there = ", ".join(map(repr, self._signatures)) or "none"
        near = difflib.get_close_matches(str(name), self._signatures, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        return f"the module has no {self._what} {name!r}, it has {there}{hint}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    def __len__(self) -> int:
        return len(self._signatures)

    def __contains__(self, name: object) -> bool:
        return name in self._signatures

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{name!r}: {signature}' for name, signature in self._signatures.items())}}}"


def fetch(module: ModuleHandle, name: str, *, graph: bool) -> Any:
    """The library's kernel or graph of that name, which the module is known to have."""
    with process.lock, module.runtime.lock:
        return _fetch(module, name, graph=graph)


def _fetch(module: ModuleHandle, name: str, *, graph: bool) -> Any:
    result = ffi.new("TiComputeGraph *" if graph else "TiKernel *")
    function = lib.checked_ti_get_aot_module_compute_graph if graph else lib.checked_ti_get_aot_module_kernel
    check(function(module.use(), name.encode(), result))
    return result[0]


def load_module(runtime: Runtime, source: Source) -> AotModule:
    """Read, check and load a module; what `Runtime.load_module` does."""
    module = read_module(source)
    _check_compatible(runtime, module)
    load = _load_llvm if module.info.family == "llvm" else _load_gfx
    handle = load(runtime._handle, module)
    return AotModule(runtime, handle, module)


def _check_compatible(runtime: Runtime, module: SourceModule) -> None:
    info, arch = module.info, runtime.arch
    if info.archs and arch not in info.archs:
        compiled = " or ".join(map(str, info.archs))
        raise IncompatibleModuleError(
            f"{module.where} was compiled for {compiled} and cannot run on a runtime of arch {arch}; "
            f"compile it with ti.init(arch=ti.{arch})"
        )
    if not info.archs and not arch.is_llvm:
        raise IncompatibleModuleError(f"{module.where} is an LLVM module; a runtime of arch {arch} needs SPIR-V")
    needed = {SPIRV_CAPABILITIES[number] for number in info.spirv_capabilities if number in SPIRV_CAPABILITIES}
    missing = sorted(needed - {capability for capability, level in runtime.capabilities.items() if level})
    if missing:
        raise IncompatibleModuleError(
            f"{module.where} needs capabilities that {runtime!r} lacks: {', '.join(c.name.lower() for c in missing)}"
        )
    version = runtime.capabilities.get(Capability.SPIRV_VERSION, 0)
    supported = (version >> 16, version >> 8 & 0xFF)
    if version and info.spirv_version > supported:
        raise IncompatibleModuleError(
            f"{module.where} is SPIR-V {info.spirv_version[0]}.{info.spirv_version[1]}; "
            f"{runtime!r} takes up to {supported[0]}.{supported[1]}"
        )


def _load(runtime_handle: Any, call: Callable[[Any, Any], int]) -> ModuleHandle:
    """Run a loading call with the native runtime and a result pointer. Both locks are held."""
    pointer = runtime_handle.use()
    runtime_handle.drain_modules()
    result = ffi.new("TiAotModule *")
    check(call(pointer, result))
    return ModuleHandle(runtime_handle, result[0])


def _load_gfx(runtime_handle: Any, module: SourceModule) -> ModuleHandle:
    """From memory: the library reads all of it during the call."""
    archive = pack(module.files)
    with process.lock, runtime_handle.lock:
        return _load(
            runtime_handle,
            lambda runtime, result: lib.checked_ti_create_aot_module(
                runtime, ffi.from_buffer(archive), len(archive), result
            ),
        )


def _load_llvm(runtime_handle: Any, module: SourceModule) -> ModuleHandle:
    """From a private folder, because the library cannot read LLVM modules from memory.

    It reads the code of a kernel when the kernel is first fetched, so all are fetched before the folder goes.
    """
    with tempfile.TemporaryDirectory(prefix="taichi_aot_") as folder:
        for name, data in module.files.items():
            Path(folder, name).write_bytes(data)
        path = str(folder).encode()
        with process.lock, runtime_handle.lock:
            handle = _load(
                runtime_handle, lambda runtime, result: lib.checked_ti_load_aot_module(runtime, path, result)
            )
            for name in module.info.all_kernels:
                _fetch(handle, name, graph=False)
            for name in module.info.graphs:
                _fetch(handle, name, graph=True)
    return handle

"""AotModule: a loaded module, its kernels and its compute graphs.

What only loading needs is imported there: a process starts faster without it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from ._ffi.library import ffi, lib
from ._handles.module import ModuleHandle
from ._handles.resource import Resource
from ._handles.runtime import RuntimeHandle, process
from .enums import Capability
from .errors import IncompatibleModuleError, NameNotFoundError
from .formats import Source, SourceModule, read_module
from .kernel import ComputeGraph, Kernel
from .signature import Signature

if TYPE_CHECKING:
    from .formats.info import ModuleInfo
    from .runtime import Runtime

__all__ = ["AotModule", "Names", "load_module"]

Item = TypeVar("Item", Kernel, ComputeGraph)


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
        return self._handle.closed

    def close(self) -> None:
        """Make it unusable: its kernels and graphs raise from now on. Closing twice is fine.

        The native module stays with the runtime, and loading the same files again takes it up: the library does not
        give back all that a module takes (on Vulkan nothing).
        """
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
            item = self._fetched.setdefault(name, self._kind._make(self._signatures[name], self._handle, native))
        return item

    def _unknown(self, name: object) -> str:
        import difflib

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
    return _fetch(module.runtime, module.require_open(), name, graph=graph)


def _fetch(handle: RuntimeHandle, ti_module: Any, name: str, *, graph: bool) -> Any:
    result = ffi.new("TiComputeGraph *" if graph else "TiKernel *")
    function = lib.checked_ti_get_aot_module_compute_graph if graph else lib.checked_ti_get_aot_module_kernel
    handle.check(function(handle.c, ti_module, name.encode(), result))
    return result[0]


Names: TypeAlias = Mapping[str, Sequence[str]]


def load_module(runtime: Runtime, source: Source, names: Names | None = None) -> AotModule:
    """Read, check and load a module; what `Runtime.load_module` does."""
    module = read_module(source)
    module = module._replace(info=_with_names(module.info, names or {}))
    _check_compatible(runtime, module)
    load = _load_llvm if module.info.family == "llvm" else _load_gfx
    digest = _digest(module.files)
    handle = runtime._handle
    handle.require_open()
    owner = handle if module.info.has_fields else handle.context
    with process.loading:
        c_module = owner.modules.get(digest)
        if c_module is None:
            _check_fields(handle, module)
            c_module = ffi.new("taichi_aot_module *")
            owner.loaded.append(c_module)  # before it is loaded: an exception in between loses nothing
            load(handle, module, ffi.addressof(c_module, "ti_module"))
            owner.modules[digest] = c_module
    return AotModule(runtime, ModuleHandle(handle, c_module.ti_module), module)


def _digest(files: Mapping[str, bytes]) -> bytes:
    import hashlib

    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{len(files[name])}\0".encode())
        digest.update(files[name])
    return digest.digest()


def _with_names(info: ModuleInfo, names: Names) -> ModuleInfo:
    """The module with parameter names that the user gives."""
    from dataclasses import replace

    kernels = dict(info.kernels)
    for kernel, given in names.items():
        if kernel not in kernels:
            raise NameNotFoundError(f"names are given for kernel {kernel!r}, which the module does not have")
        kernels[kernel] = replace(kernels[kernel], signature=kernels[kernel].signature.renamed(given))
    return replace(info, kernels=kernels)


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
    lost = [name for name, kernel in info.all_kernels.items() if kernel.uses_fields]
    if lost and not info.has_fields:
        raise IncompatibleModuleError(
            f"{module.where}: kernel {lost[0]!r} uses fields that are not in the module and would crash; "
            "export them with taichi.aot.Module.add_field"
        )
    _check_capabilities(runtime, module)


def _check_capabilities(runtime: Runtime, module: SourceModule) -> None:
    info = module.info
    missing = sorted(
        info.device_capabilities - {capability for capability, level in runtime.capabilities.items() if level}
    )
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


def _check_fields(handle: RuntimeHandle, module: SourceModule) -> None:
    """All modules of a runtime share one root of fields: that of the first one loaded, on archs of SPIR-V."""
    if not module.info.has_fields:
        return
    if any(other.modules for other in process.live_runtimes() if other.context is handle.context):
        raise IncompatibleModuleError(
            f"{module.where} has fields, and so has another module of this runtime; they would share their memory. "
            + (
                "CUDA runtimes are one in a process: use a process for each"
                if handle.context.shared
                else "Use a Runtime for each"
            )
        )
    if handle.context.modules and not handle.arch.is_llvm:
        raise IncompatibleModuleError(
            f"{module.where} has fields: load it first; the kernels of this runtime use the fields of its first module"
        )


def _load_gfx(handle: RuntimeHandle, module: SourceModule, result: Any) -> None:
    """From memory: the library reads all of it during the call."""
    from .formats.container import pack

    archive = pack(module.files)
    handle.check(lib.checked_ti_create_aot_module(handle.c, ffi.from_buffer(archive), len(archive), result))


def _load_llvm(handle: RuntimeHandle, module: SourceModule, result: Any) -> None:
    """From a private folder, because the library cannot read LLVM modules from memory.

    It reads the code of a kernel when the kernel is first fetched, so all are fetched before the folder is deleted.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="taichi_aot_") as folder:
        for name, data in module.files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        handle.check(lib.checked_ti_load_aot_module(handle.c, os.fsencode(folder), result))
        for name in module.info.all_kernels:
            _fetch(handle, result[0], name, graph=False)
        for name in module.info.graphs:
            _fetch(handle, result[0], name, graph=True)

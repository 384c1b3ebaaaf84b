"""Checks that a runtime can run a valid module; without them the library crashes or computes wrong results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...backends._base import Backend
from ...backends._devices import visible_devices
from ...handles._native import native_target
from ...handles._runtime import RuntimeHandle, process
from ...lowering._words import word_counts
from ...values._enums import Arch, Capability
from ...values._errors import IncompatibleModuleError, NotSupportedError
from ...values._signature import Signature, Words

if TYPE_CHECKING:
    from ...formats._parse import ParsedModule

__all__ = ["check_compatible", "check_fields", "require_launchable"]

Capabilities = Mapping[Capability, int]


def check_compatible(backend: Backend, capabilities: Capabilities, module: ParsedModule) -> None:
    """Raise IncompatibleModuleError for another arch, a missing capability, or fields that the library lacks."""
    info, arch = module.info, backend.arch
    if info.archs and arch not in info.archs and not (backend.on_host and native_target(module)):
        compiled = " or ".join(map(str, info.archs))
        here = next((f", or load it with Runtime({str(each)!r})" for each in info.archs if visible_devices(each)), "")
        raise IncompatibleModuleError(
            f"{module.where} was compiled for {compiled} and cannot run on a runtime of arch {arch}; "
            f"compile it with ti.init(arch=ti.{arch}){here}"
        )
    if not info.archs and backend.family != "llvm":
        raise IncompatibleModuleError(
            f"{module.where} is an LLVM module; a runtime of arch {arch} needs SPIR-V; load it with Runtime('cpu')"
        )
    _check_field_trees(module)
    _check_lists(module)
    _check_capabilities(arch, capabilities, module)
    if backend.bounds_random_states:
        _check_random_states(module, backend)


def _check_field_trees(module: ParsedModule) -> None:
    """Raise for kernels whose fields the library would have no memory for."""
    info = module.info
    for name, kernel in info.all_kernels.items():
        lost = set(kernel.field_trees) - set(info.field_trees)
        if lost and info.family == "llvm":
            raise IncompatibleModuleError(
                f"{module.where}: kernel {name!r} uses fields that are not in the module (tree {min(lost)}) and would "
                "crash; export a field of each tree with taichi.aot.Module.add_field"
            )
        if lost:
            raise IncompatibleModuleError(
                f"{module.where}: kernel {name!r} uses fields of tree {min(lost)}, and the library has memory for tree "
                "0 only; place all fields before the first kernel is compiled, without ti.FieldsBuilder"
            )


def _check_lists(module: ParsedModule) -> None:
    """Raise for kernels that loop over lists of nodes that the library does not make."""
    name = module.stated.kernel_without_lists()
    if name:
        raise IncompatibleModuleError(
            f"{module.where}: kernel {name!r} loops over dense fields by lists of nodes, which the library does not "
            "make, and would crash; compile it without ti.init(demote_dense_struct_fors=False)"
        )


def _check_capabilities(arch: Arch, capabilities: Capabilities, module: ParsedModule) -> None:
    info = module.info
    missing = sorted(info.device_capabilities - {capability for capability, level in capabilities.items() if level})
    if missing:
        names = ", ".join(capability.name.lower() for capability in missing)
        raise IncompatibleModuleError(f"{module.where} needs capabilities that the {arch} device lacks: {names}")
    version = capabilities.get(Capability.SPIRV_VERSION, 0)
    supported = (version >> 16, version >> 8 & 0xFF)
    if version and info.spirv_version > supported:
        raise IncompatibleModuleError(
            f"{module.where} is SPIR-V {info.spirv_version[0]}.{info.spirv_version[1]}; "
            f"the {arch} device supports up to {supported[0]}.{supported[1]}"
        )


def _check_random_states(module: ParsedModule, backend: Backend) -> None:
    """Raise for kernels whose threads would take states of ``ti.random`` that the library does not have.

    Those with PTX have states of their own, but the library launches them too: by `capi`, and if the driver refuses the
    PTX.
    """
    from ...formats._llvm_ir import draws_random_numbers
    from ...formats._native import RANDOM

    with_ptx = module.ptx.kernels if module.ptx is not None else {}
    for name, kernel in module.info.all_kernels.items():
        if name in with_ptx and RANDOM not in with_ptx[name].needs:
            continue
        code = module.files.get(f"{name}.ll", b"")
        drawing = [task.threads for task in kernel.tasks if draws_random_numbers(code, task.name)]
        found = backend.random_states() if drawing else None
        if found is None:
            continue
        states, options = found
        if max(drawing) > states:
            raise IncompatibleModuleError(
                f"{module.where}: kernel {name!r} draws random numbers in up to {max(drawing):,} threads, and on this "
                f"device the library has states for {states:,}; build it with {options}"
            )


def check_fields(handle: RuntimeHandle, module: ParsedModule) -> None:
    """Raise for a second module with fields: those of a runtime share one root, on SPIR-V that of the first module."""
    if not module.info.has_fields:
        return
    if any(other.modules for other in process.live_runtimes() if other.context is handle.context):
        remedy = "CUDA runtimes of a process share it: use a process" if handle.context.shared else "Use a Runtime"
        raise IncompatibleModuleError(
            f"{module.where} has fields, and so has another module of this runtime; they would share their memory. "
            f"{remedy} for each"
        )
    if handle.context.c.loads:  # on SPIR-V, of modules that may be destroyed
        raise IncompatibleModuleError(
            f"{module.where} has fields: load it first; the kernels of this runtime use the fields of its first module"
        )


def require_launchable(signature: Signature, family: str, words: Words, *, returns: bool) -> None:
    """Raise for a kernel or graph whose arguments are others in the copy of its module that `load_module` makes."""
    if words is Words.ALL:
        return
    others = any(word_counts(p, family, words) != word_counts(p, family) for p in signature.parameters)
    if returns or others:
        raise NotSupportedError(
            f"{signature.name}() returns a value, or takes a 64-bit scalar, a vector or a matrix: only a module "
            "from Runtime.load_module can launch it with objects"
        )

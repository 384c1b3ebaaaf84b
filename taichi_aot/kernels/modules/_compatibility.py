"""Checks that a runtime can run a valid module; without them the library crashes or computes wrong results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...backends._base import Backend
from ...backends._devices import visible_devices
from ...handles._code import native_target
from ...handles._runtime import RuntimeHandle, process
from ...values._enums import Arch, Capability
from ...values._errors import IncompatibleModuleError, NotSupportedError
from ...values._signature import Signature, Words, word_counts

if TYPE_CHECKING:
    from ...bundle._plan import Plan

Capabilities = Mapping[Capability, int]


def check_compatible(backend: Backend, capabilities: Capabilities, plan: Plan) -> None:
    """Raise IncompatibleModuleError for another arch, a missing capability, or code that the library cannot run."""
    stated, arch = plan.stated["archs"], backend.arch
    if stated and str(arch) not in stated and not (backend.device.on_host and native_target(plan)):
        compiled = " or ".join(stated)
        here = next((f", or load it with Runtime({str(each)!r})" for each in plan.archs if visible_devices(each)), "")
        raise IncompatibleModuleError(
            f"{plan.where} was compiled for {compiled} and cannot run on a runtime of arch {arch}; "
            f"compile it with ti.init(arch=ti.{arch}){here}"
        )
    if not stated and backend.code.family != "llvm":
        raise IncompatibleModuleError(
            f"{plan.where} is an LLVM module; a runtime of arch {arch} needs SPIR-V; load it with Runtime('cpu')"
        )
    if plan.stated["refused"]:
        raise IncompatibleModuleError(f"{plan.where}: {plan.stated['refused']}")
    if plan.family == "gfx":
        plan.read("what it needs of the device", lambda: _check_device(arch, capabilities, plan))


def _check_device(arch: Arch, capabilities: Capabilities, plan: Plan) -> None:
    device = plan.stated["device"]
    missing = [name for name in device["needs"] if not capabilities.get(Capability[name.upper()])]
    if missing:
        raise IncompatibleModuleError(
            f"{plan.where} needs capabilities that the {arch} device lacks: {', '.join(missing)}"
        )
    number, (major, minor) = capabilities.get(Capability.SPIRV_VERSION, 0), device["spirv"]
    supported = (number >> 16, number >> 8 & 0xFF)
    if number and (major, minor) > supported:
        raise IncompatibleModuleError(
            f"{plan.where} is SPIR-V {major}.{minor}; the {arch} device supports up to {supported[0]}.{supported[1]}"
        )


def check_fields(handle: RuntimeHandle, plan: Plan) -> None:
    """Raise for a second module with fields, because all fields of a runtime share one root."""
    if not plan.has_fields:
        return
    if any(other.modules for other in process.live_runtimes() if other.context is handle.context):
        remedy = "CUDA runtimes of a process share it: use a process" if handle.context.shared else "Use a Runtime"
        raise IncompatibleModuleError(
            f"{plan.where} has fields, and so has another module of this runtime; they would share their memory. "
            f"{remedy} for each"
        )
    if handle.context.c.loads:  # on SPIR-V, of modules that may be destroyed
        raise IncompatibleModuleError(
            f"{plan.where} has fields: load it first; the kernels of this runtime use the fields of its first module"
        )


def check_trees(plan: Plan) -> None:
    """Raise for kernels that the library would launch without memory for their fields: on SPIR-V it has tree 0 only."""
    if plan.family != "gfx" or not any(plan.stated["field_trees"]):
        return
    kernels = plan.public | plan.kernels
    using = [(name, max(raw["trees"])) for name, raw in kernels.items() if any(raw.get("trees", ()))]
    if not using:
        return
    (name, tree), *_ = using
    reasons = (f" ({raw['launch']['library']})" for raw in kernels.values() if "library" in raw["launch"])
    raise IncompatibleModuleError(
        f"{plan.where}: kernel {name!r} uses fields of tree {tree}, and the C library, which would launch it"
        f"{next(reasons, '')}, has memory for tree 0 only; place all fields before the first kernel is compiled, "
        "without ti.FieldsBuilder"
    )


def require_launchable(signature: Signature, family: str, words: Words, *, returns: bool) -> None:
    """Raise for a kernel or graph whose arguments differ in the copy that `load_module` makes of its module."""
    if words is Words.ALL:
        return
    others = any(word_counts(p, family, words) != word_counts(p, family) for p in signature.parameters)
    if returns or others:
        raise NotSupportedError(
            f"{signature.name}() returns a value, or takes a 64-bit scalar, a vector or a matrix: only a module "
            "from Runtime.load_module can launch it with objects"
        )

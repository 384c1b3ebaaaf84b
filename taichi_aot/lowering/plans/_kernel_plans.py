"""Plans of launches that are made without the library, from the files that the library is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial

from ...formats._parse import ParsedModule
from .._lower import LoweredModule, lower
from ._plans import Dispatch, MadePlans, of_graph

__all__ = ["Dispatch", "KernelPlans", "is_native", "of_graph", "why_unrecorded"]


class KernelPlans(MadePlans):
    """What each kernel of a module dispatches by name, or why it does not have a plan; made when it is asked for.

    Parameters
    ----------
    module : LoweredModule
        The copy of the module that the library is given.
    has_root : bool, default True
        Whether the memory of its fields is known, on archs where launches bind it.
    """

    def __init__(self, module: LoweredModule, *, has_root: bool = True) -> None:
        super().__init__(module.info)
        self._module = module
        self._planner: Callable[[LoweredModule], Callable[[str], Dispatch]]
        if module.info.family == "gfx":  # of the two families, most processes use one
            from . import _gfx

            self._planner = partial(_gfx.planner, has_root=has_root)
        else:
            from . import _llvm

            self._planner = _llvm.planner

    @cached_property
    def _plan_of(self) -> Callable[[str], Dispatch]:
        return self._planner(self._module)

    def _plan(self, name: str) -> Dispatch:
        return self._plan_of(name)


def is_native(module: ParsedModule, name: str) -> bool:
    """Whether a kernel or graph of a module for CUDA has PTX."""
    if module.ptx is None:
        return False
    graph = module.info.graphs.get(name)
    kernels = {name} if name in module.info.kernels or graph is None else {step.kernel for step in graph.dispatches}
    return kernels <= module.ptx.kernels.keys()


def why_unrecorded(module: ParsedModule, name: str) -> str:
    """Why the library makes all launches of a kernel or graph; empty if it does not."""
    plans: Mapping[str, Dispatch | str]
    if is_native(module, name):
        return ""
    if module.native is None:
        plans = KernelPlans(lower(module))
    else:
        from ._native import NativePlans

        plans = NativePlans(module, module.native)
    info = module.info
    if name in info.kernels:
        plan = plans[name]
        return plan if isinstance(plan, str) else ""
    steps = ((step.kernel, plans[step.kernel]) for step in info.graphs[name].dispatches)
    return next((f"kernel {kernel}: {plan}" for kernel, plan in steps if isinstance(plan, str)), "")

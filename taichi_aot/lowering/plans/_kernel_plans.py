"""Plans of launches that are made without the library, from the files that the library is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial

from .._lower import LoweredModule
from ._plans import Dispatch, UnplannedError, of_graph

__all__ = ["Dispatch", "KernelPlans", "of_graph", "why_unrecorded"]


class KernelPlans(Mapping[str, "Dispatch | str"]):
    """What each kernel of a module dispatches by name, or why it does not have a plan; made when it is asked for.

    Parameters
    ----------
    module : LoweredModule
        The copy of the module that the library is given.
    has_root : bool, default True
        Whether the memory of its fields is known, on archs where launches bind it.
    """

    def __init__(self, module: LoweredModule, *, has_root: bool = True) -> None:
        self._module = module
        self._planner: Callable[[LoweredModule], Callable[[str], Dispatch]]
        if module.info.family == "gfx":  # of the two families, most processes use one
            from . import _gfx

            self._planner = partial(_gfx.planner, has_root=has_root)
        else:
            from . import _llvm

            self._planner = _llvm.planner
        self._made: dict[str, Dispatch | str] = {}

    @cached_property
    def _plan(self) -> Callable[[str], Dispatch]:
        return self._planner(self._module)

    def __getitem__(self, name: str) -> Dispatch | str:
        if name not in self._made:
            try:
                self._made[name] = self._plan(name)
            except UnplannedError as reason:
                self._made[name] = str(reason)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._module.info.all_kernels)

    def __len__(self) -> int:
        return len(self._module.info.all_kernels)

    def of_graph(self, name: str, arguments: Sequence[str]) -> tuple[Dispatch, ...] | str:
        """The dispatches of a graph with arguments of these names, or why one of its kernels does not have a plan."""
        steps = [(step.kernel, step.arguments) for step in self._module.info.graphs[name].dispatches]
        return of_graph(steps, self._module.info, arguments, self)


def why_unrecorded(module: LoweredModule, name: str) -> str:
    """Why a kernel or graph is not recorded; empty if it is."""
    plans, info = KernelPlans(module), module.info
    if name in info.kernels:
        plan = plans[name]
        return plan if isinstance(plan, str) else ""
    steps = ((step.kernel, plans[step.kernel]) for step in info.graphs[name].dispatches)
    return next((f"kernel {kernel}: {plan}" for kernel, plan in steps if isinstance(plan, str)), "")

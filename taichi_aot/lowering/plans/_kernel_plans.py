"""Plans of launches that are made without the library, from the files that the library is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from ...formats._info import ModuleInfo
from ._plans import Dispatch, UnplannedError, of_graph

__all__ = ["Dispatch", "KernelPlans", "of_graph", "why_unrecorded"]


class KernelPlans(Mapping[str, "Dispatch | str"]):
    """What each kernel of a module dispatches by name, or why it does not have a plan; made when it is asked for.

    Parameters
    ----------
    info : ModuleInfo
        The module.
    files : mapping of str to bytes
        The files that the library is given.
    """

    def __init__(self, info: ModuleInfo, files: Mapping[str, bytes]) -> None:
        if info.family == "gfx":  # of the two families, most processes use one
            from ._gfx import planner
        else:
            from ._llvm import planner
        self._info, self._files, self._planner = info, files, planner
        self._made: dict[str, Dispatch | str] = {}

    @cached_property
    def _plan(self) -> Callable[[str], Dispatch]:
        return self._planner(self._info, self._files)

    def __getitem__(self, name: str) -> Dispatch | str:
        if name not in self._made:
            try:
                self._made[name] = self._plan(name)
            except UnplannedError as reason:
                self._made[name] = str(reason)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._info.all_kernels)

    def __len__(self) -> int:
        return len(self._info.all_kernels)

    def of_graph(self, name: str, arguments: Sequence[str]) -> tuple[Dispatch, ...] | str:
        """The dispatches of a graph with arguments of these names, or why one of its kernels does not have a plan."""
        steps = [(step.kernel, step.arguments) for step in self._info.graphs[name].dispatches]
        return of_graph(steps, self._info, arguments, self)


def why_unrecorded(info: ModuleInfo, files: Mapping[str, bytes], name: str) -> str:
    """Why a kernel or graph is not recorded; empty if it is. `files` are those that the library is given."""
    plans = KernelPlans(info, files)
    if name in info.kernels:
        plan = plans[name]
        return plan if isinstance(plan, str) else ""
    steps = ((step.kernel, plans[step.kernel]) for step in info.graphs[name].dispatches)
    return next((f"kernel {kernel}: {plan}" for kernel, plan in steps if isinstance(plan, str)), "")

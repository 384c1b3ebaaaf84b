"""Plans of kernels and graphs for the recorder in C, and what launches keep on the device for it.

C decides which launches are recorded and when: ``_c/core/policy.c``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...driver._library import ffi, lib
from ...driver._status import log_debug
from ...handles._on_device import OnDevice
from ...handles._runtime import RuntimeHandle

if TYPE_CHECKING:
    from ..._capi import taichi_aot_plan_p, taichi_aot_recorded_p, taichi_aot_recording_p
    from ...handles._module import PlanTable
    from ...handles._native import NativeCode
    from ...handles._ptx import PtxCode
    from ...lowering.plans._kernel_plans import KernelPlans
    from ...lowering.plans._native import NativePlans
    from ...lowering.plans._plans import Dispatch

__all__ = ["Plans", "Recorded", "Recording"]

ALIGNMENT: int = lib.TAICHI_AOT_ARGUMENT_ALIGNMENT


class Plans:
    """The plans of a module's kernels and graphs, each made at its first use.

    Parameters
    ----------
    kernels : KernelPlans or NativePlans
        What each kernel dispatches. Made when the module is loaded: a launch must not need files, nor an import that it
        may have interrupted.
    code : NativeCode or PtxCode, optional
        The machine code of a module.
    """

    def __init__(self, kernels: KernelPlans | NativePlans, code: NativeCode | PtxCode | None = None) -> None:
        self._kernels = kernels
        self._code = code
        self._made: dict[tuple[str, bool], _Plan | str] = {}

    def find(self, name: str, names: Sequence[str], *, is_graph: bool) -> taichi_aot_plan_p | None:
        """Return the plan of a kernel or graph with C arguments of these names; None if it is not recorded."""
        found = self._find(name, names, is_graph=is_graph)
        return None if isinstance(found, str) else found.c

    def has_code(self, name: str, *, is_graph: bool) -> bool:
        """Return whether a kernel or graph has machine code, so that the library makes none of its launches."""
        if self._code is None:
            return False
        kernels = self._dispatched(name, is_graph=is_graph)
        return not any(isinstance(self._kernels[kernel], str) for kernel in kernels) and all(
            map(self._code.open, dict.fromkeys(kernels))
        )

    def _dispatched(self, name: str, *, is_graph: bool) -> list[str]:
        return [step.kernel for step in self._kernels.info.graphs[name].dispatches] if is_graph else [name]

    def reason(self, name: str, names: Sequence[str], *, is_graph: bool) -> str:
        """Return the reason why a kernel or graph does not have a plan; empty if it has one."""
        found = self._find(name, names, is_graph=is_graph)
        return found if isinstance(found, str) else ""

    def _find(self, name: str, names: Sequence[str], *, is_graph: bool) -> _Plan | str:
        key = name, is_graph
        if key not in self._made:
            plan = self._make(name, names, is_graph=is_graph)
            if self._made.setdefault(key, plan) is plan:  # otherwise another thread has made it too
                how = f"by the library: {plan}" if isinstance(plan, str) else plan.way
                log_debug("launches of %s %s: %s", "graph" if is_graph else "kernel", name, how)
        return self._made[key]

    def _make(self, name: str, names: Sequence[str], *, is_graph: bool) -> _Plan | str:
        code = self._code if self.has_code(name, is_graph=is_graph) else None
        kernels = self._dispatched(name, is_graph=is_graph)
        try:
            dispatches = self._dispatches(name, names, is_graph=is_graph, has_code=code is not None)
            return dispatches if isinstance(dispatches, str) else _Plan(dispatches, kernels, code)
        except Exception as error:  # the library can still launch it
            if self._code is not None:  # but not beside kernels that have machine code and fields
                raise
            return f"its plan cannot be made ({type(error).__name__})"

    def _dispatches(
        self, name: str, names: Sequence[str], *, is_graph: bool, has_code: bool
    ) -> Sequence[Dispatch] | str:
        """Return the dispatches of a kernel or graph, or the reason why they are unknown."""
        plans = self._kernels if has_code or self._code is None else self._kernels.of_library
        if is_graph:
            return plans.of_graph(name, names)
        plan = plans[name]
        return plan if isinstance(plan, str) else [plan]


class _Plan:
    """A ``taichi_aot_plan``, with the memory and the code that it points to."""

    def __init__(
        self, dispatches: Sequence[Dispatch], kernels: Sequence[str], code: NativeCode | PtxCode | None
    ) -> None:
        self._memory: list[Any] = []
        self._code = code
        self.c: taichi_aot_plan_p = self._keep(ffi.new("taichi_aot_plan *"))
        self.c.dispatch_count = len(dispatches)
        self.c.dispatches = c_dispatches = self._keep(ffi.new("taichi_aot_plan_dispatch[]", len(dispatches)))
        for c, dispatch, kernel in zip(c_dispatches, dispatches, kernels, strict=True):
            self._fill(c, dispatch, kernel)
            self.c.stride += -(-dispatch.argument_bytes // ALIGNMENT) * ALIGNMENT
            self.c.task_count += len(dispatch.tasks)
            self.c.return_bytes = max(self.c.return_bytes, dispatch.return_bytes)
            self.c.binding_count += sum(len(task.bindings) for task in dispatch.tasks)

    @property
    def way(self) -> str:
        """How it is launched."""
        return "recorded" if self._code is None else "native"

    def _fill(self, c: Any, dispatch: Dispatch, kernel: str) -> None:
        c.argument_bytes = dispatch.argument_bytes
        c.argument_count = len(dispatch.arguments)
        c.arguments = self._keep(ffi.new("taichi_aot_plan_argument[]", dispatch.arguments))
        c.task_count = len(dispatch.tasks)
        c.runtime = ffi.NULL if self._code is None else self._code.runtime
        c.tasks = c_tasks = self._keep(ffi.new("taichi_aot_plan_task[]", len(dispatch.tasks)))
        for c_task, task in zip(c_tasks, dispatch.tasks, strict=True):
            c_task.name, c_task.shared = self._keep(ffi.new("char[]", task.name.encode())), task.shared
            c_task.groups, c_task.block = task.groups, task.block
            if self._code is not None:
                c_task.function = self._code.function(kernel, task.name)
            code = self._keep(ffi.new("uint32_t[]", len(task.code) // 4))
            ffi.memmove(code, task.code, len(task.code))
            program = [number for operation in task.length for number in operation]
            c_task.code, c_task.code_size = code, len(task.code)
            c_task.takes_arguments = any(binding.kind == lib.TAICHI_AOT_BINDS_ARGUMENTS for binding in task.bindings)
            c_task.binding_count = len(task.bindings)
            c_task.bindings = self._keep(ffi.new("taichi_aot_plan_binding[]", task.bindings))
            c_task.length_count = len(program)
            c_task.length = self._keep(ffi.new("int32_t[]", program))

    def _keep(self, memory: Any) -> Any:
        self._memory.append(memory)
        return memory


class Recorded(OnDevice):
    """The state of a launch on the device, which keeps the code that it launches.

    Attributes
    ----------
    c : cdata
        ``taichi_aot_recorded *``.
    """

    __slots__ = ("c",)

    def __init__(self, runtime: RuntimeHandle, plan: taichi_aot_plan_p, plans: PlanTable) -> None:
        self.c: taichi_aot_recorded_p = ffi.new("taichi_aot_recorded *", {"plan": plan, "version": -1})
        super().__init__(runtime, self.c, lib.taichi_aot_recorded_free, "a recorded launch", plans)


class Recording(OnDevice):
    """The state of a recorded sequence, which keeps the code that its graphs launch.

    Attributes
    ----------
    c : cdata
        ``taichi_aot_recording *``.
    """

    __slots__ = ("_label", "c")

    def __init__(self, runtime: RuntimeHandle, label: Any, plans: Sequence[PlanTable | None]) -> None:
        self._label = label
        self.c: taichi_aot_recording_p = ffi.new("taichi_aot_recording *", {"label": label})
        super().__init__(runtime, self.c, lib.taichi_aot_recording_free, "a recorded launch", plans)

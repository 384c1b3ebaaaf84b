"""The plans of kernels and graphs as C has them (``_c/core/plan.h``), each made of what its module states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ..driver._library import ffi, lib, log_debug
from ..values._signature import word_argument_name, word_counts

if TYPE_CHECKING:
    from .._capi import taichi_aot_plan_p
    from ..bundle._plan import Plan
    from ..values._signature import Parameter
    from ._native import NativeCode
    from ._ptx import PtxCode
    from ._spirv import SpirvCode

    AnyCode: TypeAlias = NativeCode | PtxCode | SpirvCode

ALIGNMENT: int = lib.TAICHI_AOT_ARGUMENT_ALIGNMENT
BINDS_ARGUMENTS: int = lib.TAICHI_AOT_BINDS_ARGUMENTS
BINDS_ARRAY: int = lib.TAICHI_AOT_BINDS_ARRAY
BINDS_RETURNS: int = lib.TAICHI_AOT_BINDS_RETURNS
BINDS_ROOT: int = lib.TAICHI_AOT_BINDS_ROOT
KINDS = {"scalar": b"s", "ndarray": b"a", "texture": b"t", "rw_texture": b"t"}
WHOLE = slice(None)  # all tasks of a kernel
FIELDS_ELSEWHERE = "fields that kernels without a plan use too"


class ModulePlans:
    """The plans of a module's kernels and graphs, each made at its first use."""

    def __init__(self, plan: Plan, code: AnyCode) -> None:
        self._plan = plan
        self._code = code
        self._made: dict[tuple[str, bool], _CPlan | str] = {}
        self._parts: dict[tuple[str, int, int], _CPlan] = {}

    def find(self, name: str, *, is_graph: bool) -> taichi_aot_plan_p | None:
        """Return the plan of a kernel or graph; None if it is not recorded."""
        found = self._find(name, is_graph=is_graph)
        return None if isinstance(found, str) else found.c

    def find_part(self, name: str, begin: int, end: int) -> taichi_aot_plan_p:
        """Return the plan of some tasks of a kernel that has a plan."""
        key = name, begin, end
        if key not in self._parts:
            made = self._plan.read(
                f"the plan of {name!r}", lambda: self._c_plan(name, slice(begin, end), is_graph=False)
            )
            self._parts.setdefault(key, made)
        return self._parts[key].c

    def reason(self, name: str, *, is_graph: bool) -> str:
        """Return the reason why a kernel or graph does not have a plan; empty if it has one."""
        found = self._find(name, is_graph=is_graph)
        return found if isinstance(found, str) else ""

    def has_code(self, name: str, *, is_graph: bool) -> bool:
        """Return whether a kernel or graph has code, so that the library makes none of its launches."""
        if self._why_none(name, is_graph=is_graph):
            return False
        return all(map(self._code.open, dict.fromkeys(self._plan.dispatched(name, is_graph=is_graph))))

    def _why_none(self, name: str, *, is_graph: bool) -> str:
        """Return the reason why a kernel or graph has no plan; empty if it has one."""
        kernels = self._plan.dispatched(name, is_graph=is_graph)
        if not self._code.has_fields and any(self._plan.kernels[kernel].get("trees") for kernel in kernels):
            return FIELDS_ELSEWHERE
        return self._plan.why_by_library(name, is_graph=is_graph)

    def _find(self, name: str, *, is_graph: bool) -> _CPlan | str:
        key = name, is_graph
        if key not in self._made:
            plan = self._make(name, is_graph=is_graph)
            if self._made.setdefault(key, plan) is plan:  # otherwise another thread has made it too
                how = f"by the library: {plan}" if isinstance(plan, str) else self._code.way
                log_debug("launches of %s %s: %s", "graph" if is_graph else "kernel", name, how)
        return self._made[key]

    def _make(self, name: str, *, is_graph: bool) -> _CPlan | str:
        if not self.has_code(name, is_graph=is_graph):
            return self._why_none(name, is_graph=is_graph) or "the driver refuses its PTX"
        return self._plan.read(f"the plan of {name!r}", lambda: self._c_plan(name, WHOLE, is_graph=is_graph))

    def _c_plan(self, name: str, part: slice, *, is_graph: bool) -> _CPlan:
        parameters = self._plan.signature(name, is_graph=is_graph).parameters
        names, kinds = _arguments(parameters, self._plan.family)
        if is_graph:
            steps = [
                (kernel, [names.index(each) for each in self._passed(kernel, given)])
                for kernel, given in self._plan.graphs[name]["dispatches"]
            ]
        else:
            raw = self._plan.kernels[name]
            gradients = sum(each.grad for each in parameters) if raw.get("gradients") else 0
            layout = self._plan.layout(name)
            if layout is not None and raw["launch"].get("returns", 0) > layout.size:
                raise self._plan.damaged(f"the plan of {name!r}", "its results do not fit their memory")
            kinds += b"a" * (gradients + (layout is not None))
            steps = [(name, list(range(len(kinds))))]
        made = _CPlan(self._plan, steps, self._code, part)
        if not lib.taichi_aot_plan_is_sound(made.c, kinds, len(kinds)):
            raise self._plan.damaged(f"the plan of {name!r}", "it leaves its bounds")
        return made

    def _passed(self, kernel: str, given: Sequence[str]) -> list[str]:
        """The names of the arguments that a graph passes to a kernel, with those of overflow arguments."""
        parameters = self._plan.signature(kernel).parameters
        named = [each._replace(name=name) for each, name in zip(parameters, given, strict=True)]
        return _arguments(named, self._plan.family)[0]


def _arguments(parameters: Sequence[Parameter], family: str) -> tuple[list[str], bytes]:
    """The names and kinds of the C arguments for parameters: words beyond the 32nd of each follow all of them."""
    names: list[str] = []
    further: list[str] = []
    kinds = b""
    for parameter in parameters:
        words = word_counts(parameter, family)
        names.append(parameter.name)
        kinds += b"w" if words else KINDS.get(parameter.kind, b"?")
        if len(words) > 1:
            further += [word_argument_name(parameter.name, k) for k in range(1, len(words))]
    return names + further, kinds + b"w" * len(further)


class _CPlan:
    """A ``taichi_aot_plan`` with what it points to; `steps` are kernels with the numbers of the launch's arguments, and
    `part` says which tasks of each it has.
    """

    def __init__(
        self, plan: Plan, steps: Sequence[tuple[str, Sequence[int]]], code: AnyCode, part: slice = WHOLE
    ) -> None:
        self._code = code
        self._files, self._family = plan.files, plan.family
        self._trees: list[int] = plan.stated["field_trees"]
        self.c: taichi_aot_plan_p = ffi.new("taichi_aot_plan *")
        self.c.dispatch_count = len(steps)
        self.c.dispatches = dispatches = ffi.new("taichi_aot_plan_dispatch[]", len(steps))
        launches = [plan.kernels[kernel]["launch"] for kernel, _ in steps]
        launches = [{**launch, "tasks": launch["tasks"][part]} for launch in launches]
        self.c.tasks = tasks = ffi.new("taichi_aot_plan_task[]", sum(len(launch["tasks"]) for launch in launches))
        self._memory: list[Any] = [dispatches, tasks]
        for dispatch, launch, (kernel, numbers) in zip(dispatches, launches, steps, strict=True):
            dispatch.at, dispatch.tasks = self.c.stride, self.c.tasks + self.c.task_count
            self._fill(dispatch, kernel, launch, numbers)
            if "errors" in launch.get("needs", ()):
                from ..driver._checks import number_of  # which only kernels with checks need

                parameters = [each.name for each in plan.signature(kernel).parameters]
                dispatch.kernel = number_of(kernel, parameters, plan.stated["library"]["nodes"])
            self.c.stride += -(-launch["bytes"] // ALIGNMENT) * ALIGNMENT
            self.c.task_count += len(launch["tasks"])
            self.c.return_bytes = max(self.c.return_bytes, launch.get("returns", 0))

    def _fill(self, c: Any, kernel: str, launch: dict[str, Any], numbers: Sequence[int]) -> None:
        stated: list[tuple[int, ...]] = [(numbers[each[0]], *each[1:]) for each in launch["arguments"]]
        c.arguments = arguments = ffi.new("taichi_aot_plan_argument[]", stated)
        c.argument_bytes, c.argument_count, c.task_count = launch["bytes"], len(arguments), len(launch["tasks"])
        c.runtime, c.checks = self._code.runtime, self._code.checks
        c.name = name = ffi.new("char[]", kernel.encode())
        self._memory += arguments, name
        for number, raw in enumerate(launch["tasks"]):
            task = self.c.tasks[self.c.task_count + number]
            task.dispatch = ffi.addressof(c)
            self._fill_task(task, raw, kernel, numbers)

    def _fill_task(self, c: Any, raw: dict[str, Any], kernel: str, numbers: Sequence[int]) -> None:
        stated: list[tuple[int, int, int]] = [
            (at, kind, self._source(kind, source, numbers)) for at, kind, source in raw.get("bindings", ())
        ]
        c.bindings = bindings = ffi.new("taichi_aot_plan_binding[]", stated)
        c.binding_count, c.takes_arguments = len(stated), BINDS_ARGUMENTS in [kind for _, kind, _ in stated]
        c.name = name = ffi.new("char[]", raw["name"].encode())
        c.length = length = ffi.new("int32_t[]", raw.get("length", ()))
        c.length_count = len(length)
        c.groups, c.block, c.shared = raw.get("groups", 0), raw.get("block", 0), raw.get("shared", 0)
        c.each = raw.get("each", 1)
        if "fills" in raw:
            filled = self._code.device_threads // c.block
            c.groups = min(c.groups, max(1, raw["fills"] * filled * c.each))
            c.filled = filled if raw["fills"] > 1 else 0
        self.c.binding_count += len(stated)
        self._memory += bindings, name, length
        c.function = self._code.function(kernel, raw["name"])
        if self._family != "gfx":
            return
        spirv = cast("SpirvCode", self._code)
        codes: list[dict[str, Any]] = raw.get("codes") or [{"file": f"{raw['name']}.spv"}]
        codes = [each for each in codes if "needs" not in each or spirv.has(each["needs"])]
        if not codes:
            raise LookupError("it has no code without needs")
        c.codes = made = ffi.new("taichi_aot_plan_code[]", len(codes))
        c.code_count = len(codes)
        self._memory.append(made)
        for code, each in zip(made, codes, strict=True):
            self._fill_code(code, each)

    def _fill_code(self, c: Any, raw: dict[str, Any]) -> None:
        data, apart = self._files[raw["file"]], raw.get("apart", ())
        c.words = words = ffi.new("uint32_t[]", len(data) // 4)
        ffi.memmove(words, data, 4 * len(words))
        c.apart = pairs = ffi.new("uint32_t[]", [each for pair in apart for each in pair])
        c.size, c.threads, c.apart_count = 4 * len(words), raw.get("threads", 0), len(apart)
        self._memory += words, pairs

    def _source(self, kind: int, source: int, numbers: Sequence[int]) -> int:
        if kind == BINDS_ROOT:
            return self._trees.index(source)
        return numbers[source] if BINDS_ARRAY <= kind < BINDS_RETURNS else 0

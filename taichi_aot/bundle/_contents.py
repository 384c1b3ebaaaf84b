"""The contents of a module as `inspect` shows them, by its plan."""

from __future__ import annotations

from typing import Any

from ._info import ACCESSORS, Dispatch, FieldInfo, GraphInfo, Instance, KernelInfo, ModuleInfo, Repeat, TaskInfo
from ._plan import DATA_TYPES, LOOP, Plan

TASK = (str, str, int, int, int, str)

RESIDENT = 2, 4  # how many threads a loop with accumulators gets, as `adopt.taichi._plans.Threads` has them


def info_of(plan: Plan) -> ModuleInfo:
    return plan.read("its contents", lambda: _info(plan))


def fields_of(plan: Plan) -> tuple[FieldInfo, ...]:
    return plan.read("its list of fields", lambda: tuple(map(_field, plan.stated["fields"])))


def _info(plan: Plan) -> ModuleInfo:
    stated = plan.stated
    kernels = {name: _kernel(plan, name) for name in plan.kernels}
    code, ptx = stated.get("code"), stated.get("ptx")
    launches = {} if code is ptx else {name: kernel["launch"] for name, kernel in plan.kernels.items()}
    without = {name: launch["library"] for name, launch in launches.items() if "library" in launch}
    return ModuleInfo(
        family=stated["family"],
        archs=plan.archs,
        version=_version(stated["taichi"]),
        kernels={name: kernels[name] for name in stated["public"]},
        graphs={name: _graph(plan, name) for name in plan.graphs},
        all_kernels=kernels,
        fields=fields_of(plan),
        has_fields=stated["has_fields"],
        field_trees=tuple(stated["field_trees"]),
        tree_sizes=tuple(stated["tree_sizes"]),
        spirv_version=_pair(stated["device"]["spirv"]),
        spirv_capabilities=frozenset(stated["device"]["capabilities"]),
        native_targets=() if code is None else tuple(code),
        not_native={} if code is None else without,
        ptx_targets=() if ptx is None else ("ptx", *stated["cubins"]),
        not_ptx={} if ptx is None else without,
        compiler=stated.get("compiler", ""),
        seed=stated.get("seed", 0),
    )


def _version(text: str) -> tuple[int, int, int] | None:
    if not text:
        return None
    major, minor, patch = map(int, text.split("."))
    return major, minor, patch


def _pair(numbers: list[int]) -> tuple[int, int]:
    major, minor = numbers
    return major, minor


def _kernel(plan: Plan, name: str) -> KernelInfo:
    raw = plan.kernels[name]
    stated = raw.get("launch", {}).get("tasks") if plan.family == "gfx" else ()  # PTX has fewer tasks
    launched: list[dict[str, Any]] = stated or [{}] * len(raw["tasks"])
    return KernelInfo(
        plan.signature(name),
        tuple(
            _task(task)._replace(codes=tuple(map(_code, each.get("codes", ()))))
            for task, each in zip(raw["tasks"], launched, strict=True)
        ),
        raw.get("cpu_threads"),
        tuple(raw.get("trees", ())),
        plan.returned(name),
        raw.get("names_of", ""),
        raw.get("checked", False),
        raw.get("doc", ""),
        raw.get("file", ""),
        raw.get("line", 0),
        raw.get("grad", ""),
        tuple(Repeat(*each) for each in plan.repeats(name)),
        read_instance(raw.get("instance")),
    )


def read_instance(raw: dict[str, Any] | None) -> Instance | None:
    return None if raw is None else Instance(raw["of"], tuple(raw["parameters"]), dict(raw["values"]))


def _code(raw: dict[str, Any]) -> str:
    """Describe a code of a task."""
    parts = [
        "accumulators" if raw.get("threads") in RESIDENT else "",
        *raw.get("needs", ()),
        "different arrays" if raw.get("apart") else "",
    ]
    return ", ".join(filter(None, parts)) or "any device"


def _task(raw: list[Any]) -> TaskInfo:
    if tuple(map(type, raw)) not in (TASK, TASK[:LOOP]):
        raise TypeError(f"a task is {raw!r:.80}")
    return TaskInfo(*raw)


def _graph(plan: Plan, name: str) -> GraphInfo:
    raw = plan.graphs[name]
    dispatches = tuple(Dispatch(kernel, tuple(arguments)) for kernel, arguments in raw["dispatches"])
    return GraphInfo(plan.signature(name, is_graph=True), dispatches, raw.get("doc", ""))


def _field(raw: dict[str, Any]) -> FieldInfo:
    accessors = [raw.get(role, "") for role in (*ACCESSORS, "contents")]
    dtype = None if raw.get("dtype") is None and not any(accessors) else DATA_TYPES[raw["dtype"]]
    return FieldInfo(raw["name"], dtype, tuple(raw["shape"]), tuple(raw["elem_shape"]), *accessors)

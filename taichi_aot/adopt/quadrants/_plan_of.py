"""The plan of a module of kernels that Quadrants has compiled, and what of it the description of the source adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...bundle._files import NATIVE_CODE
from ...bundle._info import KernelInfo, TaskInfo
from ...bundle._plan import FORMAT, Plan
from ...bundle._source import Files
from ...values._enums import Arch
from ...values._signature import Parameter, Signature
from ..llvm._copy import native_arguments
from ..modules._plan_of import describe_kernel, describe_launch, describe_runtime
from ..spirv._metadata import read_struct
from ..taichi._native import ERRORS, NativeKernel
from ..taichi._parameters import Argument, make_parameters, make_returns
from ..taichi._plans import Dispatch, PlannedTask
from ..taichi._ptx import ptx_name
from ..taichi._returns import return_dtype, return_layout
from ..taichi._types import Struct, has_gradient
from ._compiled import CompiledKernel
from ._runtime_struct import RUNTIME_LAYOUT

FAMILY = "llvm"
Raw = dict[str, Any]


def llvm_plan(
    arch: Arch,
    description: Raw,
    kernels: Mapping[str, CompiledKernel],
    native: Mapping[str, NativeKernel],
    code: Mapping[str, bytes],
    loops: Mapping[str, str],
) -> Plan:
    """Make the plan of a module of machine code or PTX.

    `description` is what the child process has sent of the source. By kernel, `kernels` has what Quadrants compiled,
    and `native` the functions and what they use. `code` has the shared object for each kind of CPU, or the PTX of each
    kernel. CorruptedDataError if what Quadrants states of a kernel contradicts itself.
    """
    described = {each["name"]: each for each in (*description["kernels"], *description["accessors"])}
    used = sorted({tree for each in native.values() for tree in each.trees})
    trees = [[tree, description["trees"][str(tree)]] for tree in used]
    is_cuda = arch is Arch.CUDA
    names = {each: ptx_name(each) if is_cuda else NATIVE_CODE[each] for each in sorted(code)}
    stated_code: dict[str, Any] = {"ptx": {each: {"ptx": name} for each, name in names.items()}, "cubins": []}
    cpu_threads = 0 if is_cuda else description["cpu_threads"]
    made = {name: _Kernel(name, kernel, native[name], described[name], cpu_threads) for name, kernel in kernels.items()}
    stated: Raw = {
        "plan": FORMAT,
        "taichi": "",
        "compiler": description["compiler"],
        "family": FAMILY,
        "archs": [str(arch)],
        "device": {"spirv": [0, 0], "capabilities": [], "needs": []},
        "has_fields": bool(used),
        "field_trees": used,
        "tree_sizes": [each for _, each in trees],
        "fields": list(description["fields"]),
        "kernels": {name: each.stated(loops) for name, each in made.items()},
        "public": [each["name"] for each in description["kernels"]],
        "graphs": {},
        "refused": "",
        "source": dict(description["source"]),
        "library": {
            **{name: list[str]() for name in ("results", "gradients", "names")},
            **{name: dict[str, Any]() for name in ("files", "edits", "roots")},
            "nodes": description["nodes"],  # in messages of checks
        },
        "runtime": describe_runtime(RUNTIME_LAYOUT, native, trees, {name: each.info for name, each in made.items()}),
        **(stated_code if is_cuda else {"code": names}),
        "files": sorted(names.values()),
        "digest": "",
    }
    return Plan(f"the module for {arch}", stated, Files.of({names[each]: data for each, data in code.items()}))


class _Kernel:
    """A kernel that was compiled; `described` is what the source states of it, and CUDA has no `cpu_threads`."""

    def __init__(
        self, name: str, compiled: CompiledKernel, native: NativeKernel, described: Raw, cpu_threads: int
    ) -> None:
        raw, where = compiled.stated, f"kernel {name}"
        struct, returned = read_struct(raw["args_type"]), read_struct(raw["ret_type"])
        parameters = _parameters(where, raw, compiled.tasks, struct, described["parameters"])
        signature = Signature(name, parameters, make_returns(where, returned, raw["ret_size"], FAMILY))
        self._native = native
        self._gradients = any(each.grad for each in parameters)
        tasks = [
            _task(each, symbol, on_device=not cpu_threads)
            for each, symbol in zip(compiled.tasks, native.tasks, strict=True)
        ]
        self.info = KernelInfo(
            signature,
            tuple(info for info, _ in tasks),
            cpu_threads if native.needs and cpu_threads else None,
            native.trees,
            return_dtype(returned),
            checked=ERRORS in native.needs,
            doc=described["doc"],
            file=described["file"],
            line=described["line"],
            grad=described.get("grad", ""),
            repeats=described.get("repeats", ()),
        )
        self._layout = return_layout(returned, raw["ret_size"], self.info.return_dtype, FAMILY)
        arguments = native_arguments(parameters, struct)
        planned = tuple(task for _, task in tasks)
        self._dispatch = Dispatch(max(8, raw["args_size"]), arguments, planned, raw["ret_size"])

    def stated(self, loops: Mapping[str, str]) -> Raw:
        """Return the statement in the plan, given how loops are compiled, by the symbols of their tasks."""
        own = [loops.get(symbol, "") for symbol in self._native.tasks]
        stated = describe_kernel(self.info, self._layout, own, draws=0, gradients=self._gradients)
        return stated | {"launch": describe_launch(self._dispatch, self._native)}


def _task(raw: Raw, symbol: str, *, on_device: bool) -> tuple[TaskInfo, PlannedTask]:
    """A task, and its launch; on a CPU it has no grid."""
    kind = raw["name"].rpartition("_kernel_")[2].partition("_")[2]
    grid, block = (raw["grid_dim"], raw["block_dim"]) if on_device else (0, 0)
    shared = raw["dynamic_shared_array_bytes"] * on_device
    return TaskInfo(raw["name"], kind, grid, block, grid * block), PlannedTask(symbol, grid, block, shared)


def _parameters(
    where: str, raw: Raw, tasks: Sequence[Raw], struct: Struct, described: Sequence[Raw]
) -> tuple[Parameter, ...]:
    """The parameters of a kernel, with their names, stated shapes, and access to arrays."""
    access = {
        each["key"]: "".join(
            letter
            for letter, what in (("r", "arr_reads"), ("w", "arr_writes"))
            if any(each["key"] in task[what] for task in tasks)
        )
        for each in raw["args"]
    }
    arguments: list[Argument] = []
    for each in raw["args"]:
        key, value = each["key"], each["value"]
        shape = tuple(value["element_shape"])
        ndim = value["total_dim"] - len(shape)
        argument = Argument((key,), described[key]["name"], value["ptype"], value["is_array"], False, ndim, shape)
        arguments.append(argument._replace(access=access[key]))
    made = make_parameters(where, arguments, struct, raw["args_size"], FAMILY)
    return tuple(
        parameter._replace(name=each["name"], shape=tuple(each.get("shape", ())), grad=has_gradient(member.type))
        for parameter, each, member in zip(made, described, struct.members, strict=True)
    )

"""The plan of a module of kernels that Quadrants has compiled, and what of it the description of the source adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...bundle._files import NATIVE_CODE
from ...bundle._info import TaskInfo
from ...bundle._plan import FORMAT, Plan
from ...bundle._source import Files
from ...values._enums import Arch
from ...values._signature import Parameter, Signature
from ..llvm._native_plans import planned_arguments
from ..modules._plan_of import describe_dispatch, describe_dtype, describe_signature, given
from ..taichi._members import gradient_arguments
from ..taichi._native import ERRORS, RANDOM, NativeKernel
from ..taichi._parameters import Argument, make_parameters, make_returns
from ..taichi._plans import ArgumentKind, Dispatch, PlannedArgument, PlannedTask
from ..taichi._ptx import ptx_name, random_threads
from ..taichi._returns import return_dtype, return_layout
from ..taichi._runtime_struct import TEMPORARIES_BYTES
from ..taichi._types import Struct, has_gradient
from ._compiled import CompiledKernel, read_type
from ._runtime_struct import runtime_layout

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
    size, members = runtime_layout()
    is_cuda = arch is Arch.CUDA
    names = {each: ptx_name(each) if is_cuda else NATIVE_CODE[each] for each in sorted(code)}
    stated_code: dict[str, Any] = {"ptx": {each: {"ptx": name} for each, name in names.items()}, "cubins": []}
    infos = {
        name: _kernel(name, kernel, native[name], loops, described[name], 0 if is_cuda else description["cpu_threads"])
        for name, kernel in kernels.items()
    }
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
        "kernels": infos,
        "public": [each["name"] for each in description["kernels"]],
        "graphs": {},
        "refused": "",
        "source": dict(description["source"]),
        "library": {
            **{name: list[str]() for name in ("results", "gradients", "names")},
            **{name: dict[str, Any]() for name in ("files", "edits", "roots")},
            "nodes": description["nodes"],  # in messages of checks
        },
        "runtime": {
            "size": size,
            "members": members,
            "temporaries": TEMPORARIES_BYTES,
            "needs": sorted(set[str]().union(*(each.needs for each in native.values()))),
            "trees": trees,
            "random_threads": random_threads(
                TaskInfo(*task)
                for name, each in infos.items()
                if RANDOM in native[name].needs
                for task in each["tasks"]
            ),
        },
        **(stated_code if is_cuda else {"code": names}),
        "files": sorted(names.values()),
        "digest": "",
    }
    return Plan(f"the module for {arch}", stated, Files.of({names[each]: data for each, data in code.items()}))


def _kernel(
    name: str, kernel: CompiledKernel, native: NativeKernel, loops: Mapping[str, str], described: Raw, cpu_threads: int
) -> Raw:
    raw, where = kernel.stated, f"kernel {name}"
    struct, returned = read_type(raw["args_type"]), read_type(raw["ret_type"])
    assert isinstance(struct, Struct)
    assert isinstance(returned, Struct)
    parameters = _parameters(where, raw, kernel.tasks, struct, described["parameters"])
    returns = make_returns(where, returned, raw["ret_size"], FAMILY)
    dtype = return_dtype(returned)
    layout = return_layout(returned, raw["ret_size"], dtype, FAMILY)
    stated = describe_signature(Signature(name, parameters, returns))
    gradients = gradient_arguments(parameters, struct, FAMILY)
    stated |= given(
        doc=described["doc"],
        file=described["file"],
        line=described["line"],
        grad=described.get("grad", ""),
        repeats=described.get("repeats"),
        checked=ERRORS in native.needs,
        trees=list(native.trees),
        gradients=bool(gradients),
    )
    if native.needs and cpu_threads:
        stated["cpu_threads"] = cpu_threads
    if dtype is not None:
        stated["result"] = {"value": describe_dtype(dtype)}
    if layout is not None:
        stated["result"] |= {"size": layout.size, "stored": describe_dtype(layout.stored)}
    tasks = [_task(each, on_device=not cpu_threads) for each in kernel.tasks]
    stated["tasks"] = [
        [*info[:-1], *filter(None, [loops.get(symbol, "")])]
        for (info, _), symbol in zip(tasks, native.tasks, strict=True)
    ]
    planned = tuple(
        PlannedTask(b"", info.grid, info.block, (), (), symbol, shared)
        for (info, shared), symbol in zip(tasks, native.tasks, strict=True)
    )
    arguments = (
        *planned_arguments(parameters, struct),
        *(PlannedArgument(each.number, ArgumentKind.ADDRESS, each.data_pointer, 8) for each in gradients),
    )
    dispatch = Dispatch(max(8, raw["args_size"]), arguments, planned, raw["ret_size"])
    launch = describe_dispatch(dispatch) | {"needs": sorted(native.needs), "trees": list(native.trees)}
    return stated | {"launch": launch}


def _task(raw: Raw, *, on_device: bool) -> tuple[TaskInfo, int]:
    """A task, and the bytes of its shared memory; on a CPU it has no grid."""
    kind = raw["name"].rpartition("_kernel_")[2].partition("_")[2]
    grid, block = (raw["grid_dim"], raw["block_dim"]) if on_device else (0, 0)
    return TaskInfo(raw["name"], kind, grid, block, grid * block), raw["dynamic_shared_array_bytes"] * on_device


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

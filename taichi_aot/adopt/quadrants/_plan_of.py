"""The plan of a module of kernels that Quadrants has compiled, and what of it the description of the source adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from ...bundle._codec import decode
from ...bundle._info import (
    FieldInfo,
    KernelInfo,
    LaunchInfo,
    LaunchTask,
    Library,
    ModuleInfo,
    Repeat,
    ResultLayout,
    SourceFile,
    TaskInfo,
)
from ...bundle._plan import Plan
from ...bundle._source import NATIVE_CODE, Files
from ...values._enums import Arch
from ...values._signature import Parameter, Signature
from ..llvm._copy import native_arguments
from ..modules._plan_of import runtime_struct
from ..spirv._metadata import read_struct
from ..taichi._native import ERRORS, NativeKernel, ptx_name
from ..taichi._parameters import Argument, make_parameters, make_returns, return_dtype, return_layout
from ..taichi._types import Struct, has_gradient
from ._compiled import CompiledKernel
from ._runtime_struct import RUNTIME_LAYOUT

FAMILY: Literal["llvm"] = "llvm"
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
    trees = [(tree, description["trees"][str(tree)]) for tree in used]
    is_cuda = arch is Arch.CUDA
    names = {each: ptx_name(each) if is_cuda else NATIVE_CODE[each] for each in sorted(code)}
    cpu_threads = 0 if is_cuda else description["cpu_threads"]
    made = {
        name: _kernel(name, kernel, native[name], described[name], cpu_threads, loops)
        for name, kernel in kernels.items()
    }
    nodes = tuple((a, b) for a, b in cast("list[tuple[str, str]]", description["nodes"]))
    info = ModuleInfo(
        taichi="",
        compiler=description["compiler"],
        family=FAMILY,
        archs=(arch,),
        has_fields=bool(used),
        field_trees=tuple(used),
        tree_sizes=tuple(size for _, size in trees),
        fields=tuple(decode(FieldInfo, each) for each in description["fields"]),
        all_kernels=made,
        kernels={each["name"]: made[each["name"]] for each in description["kernels"]},
        graphs={},
        source=decode(SourceFile, description["source"]),
        library=Library((), nodes=nodes),  # in messages of checks
        runtime=runtime_struct(RUNTIME_LAYOUT, native, trees, made),
        code=None if is_cuda else names,
        ptx={each: {"ptx": name} for each, name in names.items()} if is_cuda else None,
    )
    return Plan(f"the module for {arch}", info, Files.of({names[each]: data for each, data in code.items()}))


def _kernel(
    name: str,
    compiled: CompiledKernel,
    native: NativeKernel,
    described: Raw,
    cpu_threads: int,
    loops: Mapping[str, str],
) -> KernelInfo:
    """A kernel that was compiled; `described` is what the source states of it, and CUDA has no `cpu_threads`.

    `loops` says how loops are compiled, by the symbols of their tasks.
    """
    raw, where = compiled.stated, f"kernel {name}"
    struct, returned = read_struct(raw["args_type"]), read_struct(raw["ret_type"])
    parameters = _parameters(where, raw, compiled.tasks, struct, described["parameters"])
    tasks = [
        _task(each, symbol, loops.get(symbol, ""), on_device=not cpu_threads)
        for each, symbol in zip(compiled.tasks, native.tasks, strict=True)
    ]
    value = return_dtype(returned)
    layout = return_layout(returned, raw["ret_size"], value, FAMILY)
    return KernelInfo(
        Signature(name, parameters, make_returns(where, returned, raw["ret_size"], FAMILY)),
        tuple(info for info, _ in tasks),
        cpu_threads if native.needs and cpu_threads else None,
        native.trees,
        checked=ERRORS in native.needs,
        doc=described["doc"],
        file=described["file"],
        line=described["line"],
        grad=described.get("grad", ""),
        repeats=tuple(Repeat(*each) for each in described.get("repeats", ())),
        result=layout if layout is not None else None if value is None else ResultLayout(value),
        gradients=any(each.grad for each in parameters),
        launch=LaunchInfo(
            max(8, raw["args_size"]),
            native_arguments(parameters, struct),
            tuple(task for _, task in tasks),
            raw["ret_size"],
            needs=tuple(sorted(native.needs)),
            trees=native.trees,
        ),
    )


def _task(raw: Raw, symbol: str, loop: str, *, on_device: bool) -> tuple[TaskInfo, LaunchTask]:
    """A task, and its launch; on a CPU it has no grid."""
    kind = raw["name"].rpartition("_kernel_")[2].partition("_")[2]
    grid, block = (raw["grid_dim"], raw["block_dim"]) if on_device else (0, 0)
    shared = raw["dynamic_shared_array_bytes"] * on_device
    return TaskInfo(raw["name"], kind, grid, block, grid * block, loop), LaunchTask(symbol, grid, block, shared)


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

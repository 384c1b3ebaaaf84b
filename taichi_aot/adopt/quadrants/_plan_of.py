"""The plan of a module of kernels that Quadrants has compiled, and what of it the description of the source adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...bundle._files import NATIVE_CODE
from ...bundle._plan import FORMAT, Plan
from ...bundle._source import Files
from ...values._enums import Arch
from ...values._signature import Parameter, Signature
from ..llvm._native_plans import planned_arguments
from ..modules._plan_of import describe_dispatch, describe_dtype, describe_signature, given
from ..taichi._native import NativeKernel
from ..taichi._parameters import Argument, make_parameters, make_returns
from ..taichi._plans import Dispatch, PlannedTask
from ..taichi._returns import return_dtype, return_layout
from ..taichi._runtime_struct import TEMPORARIES_BYTES
from ..taichi._types import Struct
from ._compiled import CompiledKernel, read_type
from ._runtime_struct import runtime_layout

__all__ = ["ModuleDescription", "cpu_plan", "task_names"]

FAMILY = "llvm"
Raw = dict[str, Any]


class ModuleDescription(NamedTuple):
    """What the source says of a module.

    Attributes
    ----------
    compiler : str
        The compiler and its version.
    kernels : sequence of dict
        Of each kernel, its name, docstring, place, and the names and shapes of its parameters.
    fields : sequence of dict
        Of each field, its name, type, shapes, and the kernels that copy it.
    trees : mapping of int to int
        The bytes of each tree of fields.
    source : dict
        The name of the source, and its digest.
    cpu_threads : int
        For how many threads loops are compiled.
    """

    compiler: str
    kernels: Sequence[Raw]
    fields: Sequence[Raw]
    trees: Mapping[int, int]
    source: Raw
    cpu_threads: int


def task_names(kernel: CompiledKernel) -> list[str]:
    """Return the functions of the tasks of a kernel, in order."""
    return [each["name"] for each in kernel.stated["compiled_data"]["tasks"]]


def cpu_plan(
    where: str,
    description: ModuleDescription,
    kernels: Mapping[str, CompiledKernel],
    native: Mapping[str, NativeKernel],
    code: Mapping[str, bytes],
) -> Plan:
    """Make the plan of a module of machine code.

    Parameters
    ----------
    where : str
        The name of the module, for messages.
    description : ModuleDescription
    kernels : mapping
        What Quadrants has compiled, by kernel.
    native : mapping
        The functions of each kernel, and what its code uses.
    code : mapping of str to bytes
        The shared object for each kind of CPU.

    Raises
    ------
    CorruptedDataError
        If what Quadrants states of a kernel contradicts itself.
    """
    described = {each["name"]: each for each in description.kernels}
    used = sorted({tree for each in native.values() for tree in each.trees})
    trees = [[tree, description.trees[tree]] for tree in used]
    size, members = runtime_layout()
    names = {target: NATIVE_CODE[target] for target in sorted(code)}
    accessors = {name for field in description.fields for name in (field["get"], field["set"])}
    stated: Raw = {
        "plan": FORMAT,
        "taichi": "",
        "compiler": description.compiler,
        "family": FAMILY,
        "archs": [str(Arch.X64)],
        "device": {"spirv": [0, 0], "capabilities": [], "needs": []},
        "has_fields": bool(used),
        "field_trees": used,
        "tree_sizes": [each for _, each in trees],
        "fields": list(description.fields),
        "kernels": {
            name: _kernel(name, kernel, native[name], described[name], description.cpu_threads)
            for name, kernel in kernels.items()
        },
        "public": [name for name in kernels if name not in accessors],
        "graphs": {},
        "refused": "",
        "source": dict(description.source),
        "library": {"results": [], "gradients": [], "files": {}, "edits": {}, "roots": {}, "names": []},
        "runtime": {
            "size": size,
            "members": members,
            "temporaries": TEMPORARIES_BYTES,
            "needs": sorted(set[str]().union(*(each.needs for each in native.values()))),
            "trees": trees,
            "random_threads": 0,
        },
        "code": names,
        "files": sorted(names.values()),
        "digest": "",
    }
    return Plan(where, stated, Files.of({names[target]: data for target, data in code.items()}))


def _kernel(name: str, kernel: CompiledKernel, native: NativeKernel, described: Raw, cpu_threads: int) -> Raw:
    raw, where = kernel.stated, f"kernel {name}"
    struct, returned = read_type(raw["args_type"]), read_type(raw["ret_type"])
    assert isinstance(struct, Struct)
    assert isinstance(returned, Struct)
    parameters = _parameters(where, raw, struct, described["parameters"])
    returns = make_returns(where, returned, raw["ret_size"], FAMILY)
    dtype = return_dtype(returned)
    layout = return_layout(returned, raw["ret_size"], dtype, FAMILY)
    stated = describe_signature(Signature(name, parameters, returns))
    stated |= given(doc=described["doc"], file=described["file"], line=described["line"], trees=list(native.trees))
    if native.needs:
        stated["cpu_threads"] = cpu_threads
    if dtype is not None:
        stated["result"] = {"value": describe_dtype(dtype)}
    if layout is not None:
        stated["result"] |= {"size": layout.size, "stored": describe_dtype(layout.stored)}
    tasks = task_names(kernel)
    stated["tasks"] = [[task, task.rpartition("_kernel_")[2].partition("_")[2], 0, 0, 0] for task in tasks]
    planned = tuple(PlannedTask(b"", 0, 0, (), (), symbol) for symbol in native.tasks)
    arguments = tuple(planned_arguments(parameters, struct))
    dispatch = Dispatch(max(8, raw["args_size"]), arguments, planned, raw["ret_size"])
    launch = describe_dispatch(dispatch) | {"needs": sorted(native.needs), "trees": list(native.trees)}
    return stated | {"launch": launch}


def _parameters(where: str, raw: Raw, struct: Struct, described: Sequence[Raw]) -> tuple[Parameter, ...]:
    """The parameters of a kernel, with their names, stated shapes, and access to arrays."""
    tasks = raw["compiled_data"]["tasks"]
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
        parameter._replace(name=each["name"], shape=tuple(each.get("shape", ())))
        for parameter, each in zip(made, described, strict=True)
    )

"""Kernels of Quadrants 1.3: what its compiler leaves of each, and the plan of the module that is built of them.

Code uses some members of the struct of its runtime, and of the context of its tasks. A build derives both from the
bitcode of the runtime that Quadrants has installed, and compares them.

A compiled kernel is a file ``.qdc`` of its cache, with JSON and the code. SPIR-V becomes the files of a module of
Taichi: its form, but for some keys. Keys that are not known here stay, as do those of features that modules cannot
have. The reader of modules refuses them. Machine code and PTX get a plan.
"""

from __future__ import annotations

import hashlib
import json
import struct
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from ..bundle._codec import decode
from ..bundle._files import GFX_GRAPHS, GFX_METADATA, NATIVE_CODE, Files
from ..bundle._info import (
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
from ..bundle._plan import Plan
from ..values._errors import CorruptedDataError
from ..values._numbers import Arch
from ..values._signature import Parameter, Signature
from ._module import runtime_struct
from .llvm._copy import native_arguments
from .spirv._module import read_struct, to_json
from .taichi._native import ERRORS, PRINTS, NativeKernel, ptx_name
from .taichi._native import USES as TAICHI_USES
from .taichi._types import Argument, Struct, has_gradient, make_parameters, make_returns, return_dtype, return_layout

# The struct of the runtime.


BITCODE = ("_lib", "runtime", "runtime_{}.bc")  # in the package of Quadrants, by the arch
SIZE = 59984
# The members by their offsets in bytes. Chunks of memory, and what stacks of gradients have, are named as a whole.
RUNTIME = {
    0: "memory",
    48: "host_allocator",
    56: "assert_failed",
    64: "host_printf",
    72: "host_vsnprintf",
    80: "memory_pool",
    88: "roots",
    4184: "root_mem_sizes",
    8280: "thread_pool",
    8288: "parallel_for",
    8296: "element_lists",
    24680: "node_allocators",
    41064: "ambient_elements",
    57448: "temporaries",
    57456: "rand_states",
    57464: "profiler",
    57488: "error_message_template",
    59536: "error_message_arguments",
    59792: "error_message_lock",
    59800: "error_code",
    59808: "adstack",
    59960: "result_buffer",
    59968: "allocator_lock",
    59972: "num_rand_states",
    59976: "total_requested_memory",
}
CONTEXT = {0: "arguments", 8: "runtime", 16: "thread", 24: "result", 32: "has_failed", 40: "checkpoint", 48: "resumed"}
RESULT = 24
CONTEXT_SIZE = 56

USES = {**TAICHI_USES, "host_printf": PRINTS}
OFFSETS = list(RUNTIME)
RUNTIME_LAYOUT = SIZE, {name: offset for offset, name in RUNTIME.items() if name in USES}

Layout = tuple[int, Sequence[int]]  # of a struct: its size, and the offsets of its members


def member_at(offset: int) -> tuple[str, int]:
    """Return the member at an offset, and where in it that is."""
    begin = OFFSETS[bisect_right(OFFSETS, offset) - 1]
    return RUNTIME[begin], offset - begin


def difference(runtime: Layout, context: Layout) -> str:
    """Return how structs differ from those of Quadrants 1.3, each given as its size and the offsets of its members."""
    for what, (size, offsets), own_size, own in (
        ("LLVMRuntime", runtime, SIZE, RUNTIME),
        ("RuntimeContext", context, CONTEXT_SIZE, CONTEXT),
    ):
        if size != own_size:
            return f"{what} has {size} bytes, and {own_size} in Quadrants 1.3"
        missing = [name for offset, name in own.items() if offset not in offsets]
        if missing:
            return f"{what} has no member where {missing[0]} is in Quadrants 1.3"
    return ""


# What the compiler leaves.


HEADER = struct.Struct("<4sIQQ")  # the arch, and the bytes of JSON and of code
MAGIC = b"QDC\0"
DIGEST_BYTES = 64  # SHA-256 of JSON and code, in hexadecimal digits


class CompiledKernel(NamedTuple):
    """The contents of a file: the kernel's description and code."""

    stated: dict[str, Any]
    code: bytes

    @property
    def tasks(self) -> list[dict[str, Any]]:
        """The statement of each of its tasks, in order."""
        spirv = self.stated.get("kernel_attribs")
        tasks: list[dict[str, Any]] = spirv["tasks_attribs"] if spirv else self.stated["compiled_data"]["tasks"]
        return tasks

    def repeats(self, levels: Sequence[tuple[int, int]]) -> list[Repeat]:
        """Return the tasks of each loop, given its condition, a parameter, and the loop around it, or -1."""
        around: dict[int, list[int]] = {-1: []}  # each loop, with it
        for level, (_, outer) in enumerate(levels):
            around[level] = [*around[outer], level]
        found: list[Repeat] = []
        for level, (condition, _) in enumerate(levels):
            inside = [i for i, each in enumerate(self.tasks) if level in around[each["graph_do_while_level_id"]]]
            found += [Repeat(inside[0], inside[-1] + 1, condition)] if inside else []
        return found


def read_compiled(name: str, data: bytes) -> CompiledKernel:
    """Read the file of a kernel with this name; CorruptedDataError if it has another form."""
    try:
        magic, _, stated, code = HEADER.unpack_from(data)
        end = HEADER.size + stated + code
        digest = hashlib.sha256(data[HEADER.size : end]).hexdigest().encode()
        if magic == MAGIC and end + DIGEST_BYTES == len(data) and digest == data[end:]:
            begin = HEADER.size + stated
            return CompiledKernel(json.loads(data[HEADER.size : begin]), data[begin:end])
    except (struct.error, ValueError):
        pass
    raise CorruptedDataError(f"kernel {name}: what Quadrants has compiled has another form than that of Quadrants 1.3")


SPIRV_1_0 = 0x10000
# What tasks and buffers state if they use no feature that only Quadrants has.
UNUSED: dict[str, Any] = {
    "ad_stack": {
        "allocas": [],
        "bound_expr": None,
        "max_reducer_specs": [],
        "per_thread_stride_float_compile_time": 0,
        "per_thread_stride_int_compile_time": 0,
    },
    "checkpoint_id": -1,
    "is_grad": False,
}
NUMBER = struct.Struct("<Q")  # of bytes, of tasks, of words
Raw = dict[str, Any]


def spirv_files(
    kernels: Mapping[str, CompiledKernel], names: Mapping[str, Sequence[str]], trees: Mapping[int, int]
) -> dict[str, bytes]:
    """Return the files of a module, of what Quadrants has compiled of each kernel and the names of its parameters.

    `trees` has the bytes of each tree of fields. CorruptedDataError if the code of a kernel has another form.
    """
    metadata: Raw = {
        "fields": [],
        "kernels": [_spirv_kernel(name, kernel, names[name]) for name, kernel in kernels.items()],
        "required_caps": [{"key": "spirv_version", "value": SPIRV_1_0}],
        "root_buffer_size": trees.get(0, 0),
    }
    files = {GFX_METADATA: to_json(metadata), GFX_GRAPHS: b"[]"}
    for raw, kernel in zip(metadata["kernels"], kernels.values(), strict=True):
        tasks = [f"{task['name']}.spv" for task in raw["tasks_attribs"]]
        files |= dict(zip(tasks, _code(raw["name"], kernel.code, len(tasks)), strict=True))
    return files


def _spirv_kernel(name: str, kernel: CompiledKernel, names: Sequence[str]) -> Raw:
    raw = kernel.stated["kernel_attribs"]
    context = raw["ctx_attribs"] | {
        "arg_attribs_vec_": [
            {**each, "value": {**each["value"], "name": names[each["key"][0]], "format": 0, "is_argpack": False}}
            for each in raw["ctx_attribs"]["arg_attribs_vec_"]
        ],
        "argpack_types_": [],
        "ret_attribs_vec_": [{**each, "format": 0} for each in raw["ctx_attribs"]["ret_attribs_vec_"]],
    }
    del context["grad_arr_access"]
    tasks = [_spirv_task(f"{name}.{i}", task) for i, task in enumerate(raw["tasks_attribs"])]
    return {**raw, "name": name, "ctx_attribs": context, "tasks_attribs": tasks}


def _spirv_task(name: str, raw: Raw) -> Raw:
    """Name a task after its kernel: tasks of several instances of a function can have the same names."""
    used = _used(raw, "snode_writes", "graph_do_while_level_id")
    loop = raw["range_for_attribs"]
    return used | {
        "buffer_binds": [
            {**each, "buffer": {**_used(each["buffer"]), "root_id": [each["buffer"]["root_id"]]}}
            for each in raw["buffer_binds"]
        ],
        "name": name,
        "range_for_attribs": loop and _used(loop, "end_shape_product"),
        "texture_binds": [],
    }


def _used(raw: Raw, *left_out: str) -> Raw:
    """Return what is left of an object without keys that say nothing."""
    return {
        key: value for key, value in raw.items() if key not in left_out and (key not in UNUSED or UNUSED[key] != value)
    }


def _code(name: str, data: bytes, tasks: int) -> list[bytes]:
    """Return the code of each task. Its bytes and the number of tasks precede it, and its words precede each."""
    code: list[bytes] = []
    at = 2 * NUMBER.size
    try:
        size, count = NUMBER.unpack_from(data)[0], NUMBER.unpack_from(data, NUMBER.size)[0]
        for _ in range(tasks):
            words = NUMBER.unpack_from(data, at)[0]
            at += NUMBER.size
            code.append(data[at : at + 4 * words])
            at += 4 * words
    except struct.error:
        size = count = -1
    if (size, count, at) != (len(data), tasks, len(data)):
        raise CorruptedDataError(f"kernel {name}: its SPIR-V has another form than that of Quadrants 1.3")
    return code


# The plan.


FAMILY: Literal["llvm"] = "llvm"


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
    """Return a kernel that was compiled; `described` is what the source states of it, and CUDA has no `cpu_threads`.

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
    """Return a task, and its launch; on a CPU it has no grid."""
    kind = raw["name"].rpartition("_kernel_")[2].partition("_")[2]
    grid, block = (raw["grid_dim"], raw["block_dim"]) if on_device else (0, 0)
    shared = raw["dynamic_shared_array_bytes"] * on_device
    return TaskInfo(raw["name"], kind, grid, block, grid * block, loop), LaunchTask(symbol, grid, block, shared)


def _parameters(
    where: str, raw: Raw, tasks: Sequence[Raw], struct: Struct, described: Sequence[Raw]
) -> tuple[Parameter, ...]:
    """Return the parameters of a kernel, with their names, stated shapes, and access to arrays."""
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

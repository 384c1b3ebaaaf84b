"""What Quadrants leaves of a compiled kernel: a file ``.qdc`` of its cache, with JSON and the code.

SPIR-V becomes the files of a module of Taichi: its form, but for some keys. Keys that are not known here stay, as do
those of features that modules cannot have. The reader of modules refuses them.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...bundle._info import Repeat
from ...bundle._source import GFX_GRAPHS, GFX_METADATA
from ...values._errors import CorruptedDataError
from ..spirv._metadata import to_json

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
        "kernels": [_kernel(name, kernel, names[name]) for name, kernel in kernels.items()],
        "required_caps": [{"key": "spirv_version", "value": SPIRV_1_0}],
        "root_buffer_size": trees.get(0, 0),
    }
    files = {GFX_METADATA: to_json(metadata), GFX_GRAPHS: b"[]"}
    for raw, kernel in zip(metadata["kernels"], kernels.values(), strict=True):
        tasks = [f"{task['name']}.spv" for task in raw["tasks_attribs"]]
        files |= dict(zip(tasks, _code(raw["name"], kernel.code, len(tasks)), strict=True))
    return files


def _kernel(name: str, kernel: CompiledKernel, names: Sequence[str]) -> Raw:
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
    tasks = [_task(f"{name}.{i}", task) for i, task in enumerate(raw["tasks_attribs"])]
    return {**raw, "name": name, "ctx_attribs": context, "tasks_attribs": tasks}


def _task(name: str, raw: Raw) -> Raw:
    """A task, named after its kernel: the tasks of several instances of a function can have the same names."""
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
    """What is left of an object without keys that say nothing."""
    return {
        key: value for key, value in raw.items() if key not in left_out and (key not in UNUSED or UNUSED[key] != value)
    }


def _code(name: str, data: bytes, tasks: int) -> list[bytes]:
    """The code of each task. Its bytes and the number of tasks precede it, and its words precede that of each."""
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

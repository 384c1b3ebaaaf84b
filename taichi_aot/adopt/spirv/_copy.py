"""The private copy of a gfx module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...bundle._files import GFX_GRAPHS, GFX_METADATA
from ...bundle._info import ModuleInfo
from ...bundle._plan import ResultLayout
from ...values._enums import DataType
from ...values._signature import WORDS_PER_ARGUMENT, Parameter, Words, end_of_write, word_counts
from ..taichi._graphs import dispatched_kernels, graphs_with_words
from ..taichi._members import array_argument, word_struct
from ..taichi._returns import return_layout
from ..taichi._types import Member, Pointer, Primitive, Struct, Type
from . import _code as spirv
from ._metadata import ACCESS, ARRAY, ATTRIBUTES, RETURNS, encode_graphs, read_struct, threads_of, to_json
from ._module import FAMILY, GfxModule

NDARRAY = 1  # the kind of an argument

Raw = dict[str, Any]  # an object of the JSON files


def lower(
    files: Mapping[str, bytes], info: ModuleInfo, module: GfxModule, words: Words
) -> tuple[dict[str, bytes], dict[str, ResultLayout], frozenset[str]]:
    """The files of the copy, the layouts of return values that its kernels write to an array, and no gradients."""
    dispatched = dispatched_kernels(info.graphs)
    results: dict[str, ResultLayout] = {}
    kernels: list[Raw] = []
    for raw in module.metadata["kernels"]:
        name = raw["name"]
        kernel = info.all_kernels[name]
        parameters = kernel.signature.parameters
        context = _with_words(raw["ctx_attribs"], parameters, words)
        tasks: list[Raw] = [
            {**_bound(task, module.code[task["name"]]), "advisory_total_num_threads": threads_of(task)}
            for task in raw["tasks_attribs"]
        ]
        # Graphs do not pass the array of return values, and dispatch kernels under their own names.
        if words is Words.ALL and name not in dispatched:
            struct, size = read_struct(context["rets_type_"]), context["rets_bytes_"]
            layout = return_layout(struct, size, kernel.return_dtype, FAMILY)
            if layout is not None and any(_is_for_returns(bind) for task in tasks for bind in task["buffer_binds"]):
                context, tasks = _through_array(context, tasks, parameters)
                results[name] = layout
        kernels.append({**raw, "ctx_attribs": context, "tasks_attribs": tasks})
    graphs = encode_graphs(graphs_with_words(module.graphs, info.all_kernels, FAMILY, words))
    metadata = {**module.metadata, "kernels": kernels}
    return {**files, GFX_METADATA: to_json(metadata), GFX_GRAPHS: graphs}, results, frozenset()


def _bound(task: Raw, code: spirv.SpirvInfo) -> Raw:
    """Drop bindings that the compiler's optimizer has removed from the code: the library aborts when it binds them."""
    binds = ("buffer_binds", "texture_binds")
    return {**task, **{kind: [bind for bind in task[kind] if bind["binding"] in code.bindings] for kind in binds}}


def _with_words(context: Raw, parameters: Sequence[Parameter], words: Words) -> Raw:
    """Return the arguments as passed words, with space for what a launch writes (see `end_of_write`)."""
    content = context["args_type_"]["content"]
    layout, size = content["layout_"], context["args_bytes_"]
    members: list[Raw] = []
    overflow: list[Raw] = []
    for parameter, member in zip(parameters, content["elements_"], strict=True):
        offset = member["offset"]
        size = max(size, end_of_write(parameter, FAMILY, offset, words))
        structs = [word_struct(count) for count in word_counts(parameter, FAMILY, words)]
        members.append({**member, "type": _json_type(structs[0], layout)} if structs else member)
        for i, struct in enumerate(structs[1:], 1):
            name = f"arg_{len(parameters) + len(overflow)}"
            overflow.append(_json_member(Member(name, offset + i * 4 * WORDS_PER_ARGUMENT, struct), layout))
    return {**_with_members(context, [*members, *overflow]), "args_bytes_": size}


def _with_members(context: Raw, members: list[Raw]) -> Raw:
    struct = context["args_type_"]
    return {**context, "args_type_": {**struct, "content": {**struct["content"], "elements_": members}}}


def _is_for_returns(bind: Raw) -> bool:
    return bool(bind["buffer"]["type"] == RETURNS)


def _through_array(context: Raw, tasks: list[Raw], parameters: Sequence[Parameter]) -> tuple[Raw, list[Raw]]:
    """A kernel whose return values are in an array, as `_returns` describes: its arguments and its tasks."""
    content = context["args_type_"]["content"]
    offsets = [member["offset"] for member in content["elements_"][: len(parameters)]]
    array = array_argument(parameters, offsets, context["args_bytes_"], FAMILY)
    number = [array.number]
    attributes = {
        **dict.fromkeys(ATTRIBUTES, 0),
        "dtype": int(DataType.I32),
        "element_shape": [],
        "field_dim": 1,
        "name": "_result",
        "ptype": NDARRAY,
        "indices": number,
        "is_argpack": False,
        "is_array": True,
    }
    member = _json_member(array.member, content["layout_"])
    returned = context["rets_type_"]
    changed: Raw = {
        **_with_members(context, [*content["elements_"], member]),
        "arg_attribs_vec_": [*context["arg_attribs_vec_"], {"key": number, "value": attributes}],
        "arr_access": [*context["arr_access"], {"key": number, "value": ACCESS.index("w")}],
        "args_bytes_": -(-array.end // 16) * 16,
        "rets_bytes_": 0,
        "ret_attribs_vec_": [],
        "rets_type_": {**returned, "content": {**returned["content"], "elements_": []}},
    }
    buffer = {"type": ARRAY, "root_id": number}
    rebound = [
        {**task, "buffer_binds": [{**b, "buffer": buffer} if _is_for_returns(b) else b for b in task["buffer_binds"]]}
        for task in tasks
    ]
    return changed, rebound


def _json_member(member: Member, layout: str) -> Raw:
    return {"name": member.name, "offset": member.offset, "type": _json_type(member.type, layout)}


def _json_type(type_: Type, layout: str) -> Raw:
    """A type as the schema of the metadata has it."""
    if isinstance(type_, Primitive):
        return {"content": {"type": type_.number}, "type_kind": 0}
    if isinstance(type_, Pointer):
        target = _json_type(type_.target, layout)
        return {"content": {"addr_space_": 0, "is_bit_pointer_": False, "pointee_": target}, "type_kind": 1}
    assert isinstance(type_, Struct)
    elements = [_json_member(member, layout) for member in type_.members]
    return {"content": {"elements_": elements, "layout_": layout}, "type_kind": 3}

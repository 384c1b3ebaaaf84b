"""The private copy of an LLVM module. Its ``metadata.tcb`` is the module's, edited at the positions that were read."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ...bundle._files import CODE_SUFFIX, LLVM_GRAPHS, LLVM_METADATA
from ...bundle._info import ModuleInfo
from ...bundle._plan import ResultLayout
from ...values._enums import Arch
from ...values._signature import WORDS_PER_ARGUMENT, Parameter, Words, end_of_write, word_counts
from ..taichi._graphs import dispatched_kernels, graphs_with_words
from ..taichi._members import ArrayArgument, array_argument, gradient_arguments, word_struct
from ..taichi._returns import return_layout
from ..taichi._types import Member, Struct, without_offsets
from ._library_code import rename_tasks, without_profiler
from ._metadata import FAMILY, FIELDS_AT, FieldTree, Kernel, Layout, Span, StatedKernel
from ._module import LlvmModule, encode_graphs
from ._tcb import encode_member, encode_string, encode_type, with_header

EMPTY_TREE_SIZE = 8  # bytes
NDARRAY = 1  # the kind of an argument

# The edits of a part of the file, further members of its struct, and the bytes of that.
LayoutEdits: TypeAlias = tuple[list[tuple[int, int, bytes]], list[bytes], int]


def lower(
    files: Mapping[str, bytes], info: ModuleInfo, module: LlvmModule, words: Words
) -> tuple[dict[str, bytes], dict[str, ResultLayout], frozenset[str]]:
    """The files of the copy, the layouts of return values that are written to an array, and kernels with gradients."""
    # Graphs do not pass further arrays, and dispatch kernels under their own names.
    dispatched = dispatched_kernels(info.graphs)
    own = [kernel for kernel in module.kernels if words is Words.ALL and kernel.key not in dispatched]
    layouts = result_layouts(own)
    gradients = {kernel.key: found for kernel in own if (found := _gradients(info, kernel))}
    arrays: dict[str, ArrayArgument] = {}  # for return values, by kernel
    symbols: dict[str, str] = {}  # new names of tasks
    changed: dict[str, bytes] = {}
    for kernel in module.kernels:
        name = f"{kernel.key}{CODE_SUFFIX}"
        code = files[name]
        if kernel.key in layouts:
            from ._result_code import return_through_array  # which takes as long as reading a small module

            array = _array(info, kernel)
            through_array = return_through_array(code, array.data_pointer)
            if through_array is not None:
                code, arrays[kernel.key] = through_array, array
        if Arch.CUDA in info.archs:
            code = rename_tasks((task.info.name for task in kernel.stated.tasks), code, symbols)
        changed[name] = without_profiler(code)
    changed[LLVM_GRAPHS] = encode_graphs(graphs_with_words(module.graphs, info.all_kernels, FAMILY, words))
    metadata = files[LLVM_METADATA]
    changed[LLVM_METADATA] = lowered_metadata(
        metadata, module.fields, module.kernels, gradients, arrays, symbols, words
    )
    return {**files, **changed}, {name: layouts[name] for name in arrays}, frozenset(gradients)


def result_layouts(kernels: Sequence[Kernel]) -> dict[str, ResultLayout]:
    made: dict[int, ResultLayout | None] = {}  # by what was checked, which many kernels share
    found: dict[str, ResultLayout] = {}
    for kernel in kernels:
        key = id(kernel.checked)
        if key not in made:
            checked, size = kernel.checked, kernel.stated.layout.return_size
            made[key] = return_layout(checked.returned, size, checked.return_dtype, FAMILY)
        layout = made[key]
        if layout is not None:
            found[kernel.key] = layout
    return found


def _array(info: ModuleInfo, kernel: Kernel) -> ArrayArgument:
    layout, parameters = kernel.stated.layout, info.all_kernels[kernel.key].signature.parameters
    return array_argument(parameters, [place.offset for place in layout.places], layout.size, FAMILY)


def _gradients(info: ModuleInfo, kernel: Kernel) -> list[ArrayArgument]:
    if not kernel.checked.gradients:
        return []
    return gradient_arguments(info.all_kernels[kernel.key].signature.parameters, kernel.stated.layout.struct, FAMILY)


def lowered_metadata(
    data: bytes,
    fields: list[FieldTree],
    kernels: list[Kernel],
    gradients: Mapping[str, Sequence[ArrayArgument]],
    arrays: Mapping[str, ArrayArgument],
    symbols: Mapping[str, str],
    words: Words,
) -> bytes:
    """The metadata with room for what launches write, and the arguments changed as `_words` and `_returns` describe.

    `gradients` and `arrays`, for return values, are further arguments by kernel; `symbols` are new names of tasks.

    The library loads as many trees of fields as there are, from 0 on, so empty trees fill the gaps: the fields that a
    program has before its first kernel are tree 0, even if there are none.
    """
    keys = {field.key for field in fields}
    gaps = sorted(set(range(max(keys, default=0))) - keys)
    empty = [struct.pack("<iiiQQ", key, key, 0, EMPTY_TREE_SIZE, 0) for key in gaps]
    edits = [(FIELDS_AT, FIELDS_AT + 8, struct.pack("<Q", len(keys) + len(gaps)) + b"".join(empty))]
    edits_of: dict[int, LayoutEdits] = {}  # by what was checked, which many kernels share
    for raw, checked in kernels:
        for task in raw.tasks:
            if task.info.name in symbols:
                edits.append((task.start, task.end, encode_string(symbols[task.info.name])))
        if id(checked) not in edits_of:
            edits_of[id(checked)] = _layout_edits(raw.layout, checked.parameters, words)
        own, more, size = edits_of[id(checked)]
        further = [*gradients.get(raw.key, ())]
        if raw.key in arrays:
            further.append(arrays[raw.key])
            size = further[-1].end
            edits.append(_without_returns(raw))
        if further:
            more = [*more, *(encode_member(array.member) for array in further)]
            edits += _append(raw.arguments_span, [_entry(array) for array in further])
        own = [*own, (raw.layout.size_at, raw.layout.size_at + 8, struct.pack("<Q", size))]
        own += _append(raw.layout.members, more) if more else []
        edits += [(raw.layout_at + start, raw.layout_at + end, replacement) for start, end, replacement in own]
    parts: list[bytes] = []
    position = 8
    for start, end, replacement in sorted(edits):
        parts += [data[position:start], replacement]
        position = end
    return with_header(b"".join([*parts, data[position:]]))


def _layout_edits(layout: Layout, parameters: Sequence[Parameter], words: Words) -> LayoutEdits:
    """The edits to a layout, further members of its struct, and the bytes of that."""
    edits: list[tuple[int, int, bytes]] = []
    more: list[bytes] = []
    size = layout.size
    for parameter, place in zip(parameters, layout.places, strict=True):
        for i, count in enumerate(word_counts(parameter, FAMILY, words)):
            if i == 0:
                edits.append((place.start, place.end, encode_type(word_struct(count))))
            else:
                offset = place.offset + i * 4 * WORDS_PER_ARGUMENT
                more.append(encode_member(Member(f"arg_{len(layout.places) + len(more)}", offset, word_struct(count))))
        size = max(size, end_of_write(parameter, FAMILY, place.offset, words))
    return edits, more, size


def _entry(array: ArrayArgument) -> bytes:
    """An ndarray in the list of arguments."""
    entry = struct.pack("<Qi??Qi", 1, array.number, True, False, 1, 0) + encode_type(without_offsets(array.member.type))
    return entry + struct.pack("<?Qi", False, 0, NDARRAY)


def _without_returns(raw: StatedKernel) -> tuple[int, int, bytes]:
    """State no return values: the library would copy them after each launch."""
    nothing = struct.pack("<Q", 0) + encode_type(Struct(())) + struct.pack("<Q", 0)
    return raw.layout_at, raw.layout_at + raw.layout.returns_end, nothing


def _append(span: Span, items: list[bytes]) -> list[tuple[int, int, bytes]]:
    total = struct.pack("<Q", span.length + len(items))
    return [(span.start, span.start + 8, total), (span.end, span.end, b"".join(items))]

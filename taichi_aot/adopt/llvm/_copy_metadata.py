"""``metadata.tcb`` of a private copy: the module's, edited at the positions that were read."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ...values._signature import Parameter, Words
from ...values._words import WORDS_PER_ARGUMENT, end_of_write, word_counts
from ..taichi._members import ArrayArgument, word_struct
from ..taichi._types import Member, Struct, without_offsets
from ._metadata import FAMILY, FIELDS_AT, FieldTree, Kernel, Layout, Span, StatedKernel
from ._tcb import encode_member, encode_string, encode_type, with_header

EMPTY_TREE_SIZE = 8  # bytes
NDARRAY = 1  # the kind of an argument

# The edits of a part of the file, further members of its struct, and the bytes of that.
LayoutEdits: TypeAlias = tuple[list[tuple[int, int, bytes]], list[bytes], int]


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

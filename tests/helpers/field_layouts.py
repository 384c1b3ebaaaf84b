"""Sources of modules with fields in random layouts, each with a kernel that numbers its elements in C order."""

from __future__ import annotations

import random

AXES = "ijkl"
ELEMENTS = {"": 1, "2": 2, "3": 3, "2, 3": 6}
HEADER = """import taichi as ti
"""
FIELD = """
{names} = {fields}
{path}.place({placed}, offset={offset})
"""
KERNEL = """
members_of_{name} = [ti.ScalarField(member) for member in {name}.vars]

@ti.kernel
def number_{name}():
    for index in ti.grouped(ti.ndrange(*{ranges})):
        number = 0
        for axis in ti.static(range({ndim})):
            number = number * {shape}[axis] + index[axis] - {offset}[axis]
        for c in ti.static(range({count})):
            members_of_{name}[c][index] = number * {count} + c
"""


def layout_source(seed: int, *, sparse: bool) -> str:
    """Return a source with six cells of one to three fields each; some nodes are sparse if the arch supports it."""
    rng = random.Random(seed)
    parts: list[str] = [HEADER]
    names: list[str] = []
    for cell in range(6):
        path, shape = _path(rng, ["dense", "dense", *(("pointer", "bitmasked") if sparse else ())])
        offset = tuple(rng.choice([0, rng.randint(-9, 9)]) for _ in shape)
        members = {f"f{cell}_{i}": rng.choice(list(ELEMENTS)) for i in range(rng.randint(1, 3))}
        names += members
        fields = ", ".join(_field(rng, element) for element in members.values())
        listed = ", ".join(members)
        parts.append(FIELD.format(names=listed, fields=fields, path=path, placed=listed, offset=offset))
        ranges = tuple((low, low + size) for low, size in zip(offset, shape, strict=True))
        parts += [
            KERNEL.format(
                name=name, ranges=ranges, ndim=len(shape), shape=shape, offset=offset, count=ELEMENTS[members[name]]
            )
            for name in members
        ]
    adds = [f'    module.add_field("{name}", {name})\n    module.add_kernel(number_{name})' for name in names]
    return "".join([*parts, "\n\ndef build(module):\n", "\n".join(adds), "\n"])


def _field(rng: random.Random, element: str) -> str:
    dtype = rng.choice(["ti.i32", "ti.u32", "ti.f32"])
    kind = ("", "Vector.", "Matrix.")[len(element.split(", ")) if element else 0]
    return f"ti.{kind}field({f'{element}, ' if element else ''}{dtype})"


def _path(rng: random.Random, kinds: list[str]) -> tuple[str, tuple[int, ...]]:
    """Return the nodes above a field, and its shape, whose dimensions are the axes of the nodes."""
    path, sizes = "ti.root", dict.fromkeys(AXES, 0)
    for _ in range(rng.randint(1, 3)):
        axes = sorted(rng.sample(AXES, rng.randint(1, 3)))
        node = [rng.randint(1, 4) for _ in axes]
        for axis, size in zip(axes, node, strict=True):
            sizes[axis] = max(sizes[axis], 1) * size
        listed = f"ti.{''.join(axes)}" if len(axes) > 1 else f"ti.{axes[0]}"
        path += f".{rng.choice(kinds)}({listed}, {tuple(node)})"
    return path, tuple(size for size in sizes.values() if size)

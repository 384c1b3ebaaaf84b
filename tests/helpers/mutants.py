"""Make damaged modules: one small random damage to one file or to the archive."""

from __future__ import annotations

import copy
import io
import json
import random
import struct
import zipfile
from collections.abc import Iterator
from typing import Any

from helpers.archives import pack

Files = dict[str, bytes]
Path_ = tuple[Any, ...]

CONTAINER = "container"  # in place of a file name: the archive itself
READ_FILES = {"x64": ("metadata.tcb", "graphs.tcb"), "vulkan": ("metadata.json", "graphs.json")}
CODE_FILES = {"x64": "*.ll", "vulkan": "*.spv"}
CODE_SUFFIXES = (".ll", ".spv")
COUNTS = (0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1)
NUMBERS = (0, 1, 2, 3, 4, 5, 6, 7, 8, -1, 16, 255, 2**31 - 1, 2**64)
LIES: tuple[Any, ...] = (
    *(*NUMBERS, -5, 2**31, 10**9, 2**63 - 1, 1.5, 1e300, True, None, "", "a", "n", "f32", "|O", "f8", "class", "x\n"),
    *("\ud800", "a.b", "#", [], {}, [1], ["n"], ["n", "n"], [10**9], [-1], [2**70], [[]], [None], {"a": 1}),
    *({"f32": []}, [["<f4", [10**9]], [3]]),
)


def mutate(data: bytes, dice: random.Random) -> bytes:
    """Apply one small damage: flip bytes, cut, drop or double a part, or enlarge a count."""
    if not data:
        return b"x"
    mutant = bytearray(data)
    where = dice.randrange(len(mutant))
    kind = dice.randrange(6)
    if kind == 0:
        mutant[where] ^= 1 << dice.randrange(8)
    elif kind == 1:
        mutant[where] = dice.randrange(256)
    elif kind == 2:
        del mutant[where:]
    elif kind == 3:
        del mutant[where : where + dice.randrange(1, 64)]
    elif kind == 4:
        mutant[where:where] = mutant[where : where + dice.randrange(1, 64)]
    else:
        mutant[where : where + 8] = struct.pack("<Q", dice.choice(COUNTS))
    return bytes(mutant)


def flip(data: bytes, dice: random.Random) -> bytes:
    flipped = bytearray(data)
    for bit in dice.sample(range(8 * len(data)), 3):
        flipped[bit // 8] ^= 1 << bit % 8
    return bytes(flipped)


def _json_paths(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in entries:
        yield from _json_paths(part, (*path, key))


def mutate_json(data: bytes, dice: random.Random) -> bytes:
    """Damage JSON but keep it valid: change a number or text, drop or double an item, or drop a key."""
    root = json.loads(data)
    paths = list(_json_paths(root))[1:]
    if not paths:
        return mutate(data, dice)
    *parents, key = dice.choice(paths)
    holder = root
    for parent in parents:
        holder = holder[parent]
    value = holder[key]
    if isinstance(value, bool):
        holder[key] = not value
    elif isinstance(value, int):
        holder[key] = dice.choice([*NUMBERS, value + 1, value - 1, value * 2])
    elif isinstance(value, list) and value:
        where = dice.randrange(len(value))
        if dice.random() < 0.5:
            del value[where]
        else:
            value.insert(where, dice.choice(value))
    elif isinstance(value, dict) and value and dice.random() < 0.2:
        del value[dice.choice(list(value))]
    else:
        holder[key] = dice.choice(["", "a", None, 3])
    return json.dumps(root).encode()


def lie(stated: Any, dice: random.Random) -> list[str]:
    """Change one to three values of JSON to anything, in place, and return what was changed."""
    changes: list[str] = []
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        paths = list(_json_paths(stated))[1:]
        depth = dice.randrange(1, 9)  # most values are deep
        (*parents, key) = dice.choice([path for path in paths if len(path) == depth] or paths)
        holder = stated
        for parent in parents:
            holder = holder[parent]
        how = dice.random()
        if how < 0.15:
            del holder[key]
            changes.append(f"{[*parents, key]} deleted")
            continue
        if how < 0.3 and isinstance(holder, dict):
            new = dice.choice(["", "a", "b.c", "kernels", "\ud800", "\n", "0"])
            holder[new] = holder.pop(key)
            changes.append(f"{[*parents, key]} renamed to {new!r}")
            continue
        if how < 0.45:
            value = stated
            for other in dice.choice(paths):
                value = value[other]
            value = copy.deepcopy(value)
        elif how < 0.6 and type(holder[key]) is int:
            value = holder[key] + dice.choice([-1, 1, 4, 2**20])
        else:
            value = copy.deepcopy(dice.choice(LIES))
        holder[key] = value
        changes.append(f"{[*parents, key]} = {value!r:.100}")
    return changes


def mutate_file(name: str, data: bytes, dice: random.Random, *, mend_length: float = 1.0) -> bytes:
    """Damage a file of that name; repair the length prefix of a ``.tcb`` with probability `mend_length`."""
    change = dice.choice([mutate, mutate_json]) if name.endswith(".json") else mutate
    mutant = change(data, dice)
    if name.endswith(".tcb") and len(mutant) > 8 and dice.random() < mend_length:
        mutant = struct.pack("<Q", len(mutant)) + mutant[8:]
    return mutant


def mutate_archive(files: Files, dice: random.Random) -> bytes:
    """Damage an archive: anywhere, only in its structure, or damage, rename or drop a file.

    No damage affects only kernel code, because code is trusted.
    """
    kind = dice.randrange(4)
    if kind == 0:
        return mutate(pack(files), dice)
    if kind == 1:
        return _mutate_structure(pack(files), dice)
    if kind == 2:
        unread = (*CODE_SUFFIXES, "metadata.json") if "metadata.tcb" in files else CODE_SUFFIXES
        name = dice.choice(sorted(name for name in files if not name.endswith(unread)))
        return pack({**files, name: mutate_file(name, files[name], dice)})  # with a correct checksum
    name = dice.choice(sorted(files))
    others = {other: data for other, data in files.items() if other != name}
    new_name = mutate(name.encode(), dice).decode(errors="replace").replace("\0", "0")[:200]
    return pack(others if dice.random() < 0.5 else {**others, new_name: files[name]})


def _mutate_structure(archive: bytes, dice: random.Random) -> bytes:
    """Change a byte or number in the headers or the directory; the files' checksums stay correct."""
    with zipfile.ZipFile(io.BytesIO(archive)) as reader:
        places = [range(entry.header_offset, entry.header_offset + 30) for entry in reader.infolist()]
        places.append(range(reader.start_dir, len(archive)))
    mutant = bytearray(archive)
    where = dice.choice(dice.choice(places))
    if dice.random() < 0.5:
        mutant[where] = dice.randrange(256)
    else:
        mutant[where : where + 4] = struct.pack("<I", dice.choice(COUNTS) % 2**32)
    return bytes(mutant[: len(archive)])


def mutate_module(files: Files, name: str, dice: random.Random) -> bytes:
    """Damage the file `name` in an archive, or the archive itself if `name` is `CONTAINER`."""
    if name == CONTAINER:
        return mutate_archive(files, dice)
    return pack({**files, name: mutate_file(name, files[name], dice)})

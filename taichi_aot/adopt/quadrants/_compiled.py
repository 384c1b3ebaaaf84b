"""What Quadrants leaves of a compiled kernel: a file ``.qdc`` of its cache, with JSON and the code."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...bundle._info import Repeat
from ...values._errors import CorruptedDataError

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

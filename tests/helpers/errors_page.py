"""The messages that docs/errors.md quotes."""

from __future__ import annotations

import re
from pathlib import Path

_TEXT = (Path(__file__).parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")
_TABLES = "".join(re.findall(r"^\| message \|.*\n((?:\|.*\n)+)", _TEXT, re.MULTILINE))
# Messages, with ``…`` for names and numbers.
QUOTED = [
    text for cell in re.findall(r"^\| (.*?) \| ", _TABLES, re.MULTILINE) for text in re.findall(r"`([^`]+)`", cell)
]

# The messages among them that a plain call cannot cause, with what they need. Their texts are compared with the source.
UNSAID = {
    "… is not iterated: each item would wait for the device; …": "an array on a GPU",
    "the runtime was created before this process was forked; create a new Runtime in the child": "a fork",
    "an OpenGL runtime can be used only by the thread that created it": "OpenGL and a thread",
    "… the array is mapped; leave the …": "a GPU with its own memory",
    "the Taichi C-API library was not found. Tried:": "a process without the library",
    "… needs capabilities that the … device lacks: …": "a device without them",
    "… has the format …, and this version of the package reads …: …": "a bundle of another version",
    "the value that … returns cannot be fetched": "a module that was changed",
    "cannot allocate … bytes on …": "a device whose memory is full",
    "… takes up to … MiB of address space, and this process cannot reserve that much more; …": "a limit of the process",
    "the CUDA context of … is unusable, because a kernel faulted …": "CUDA",
    "… failed: …": "a failure of the library",
}

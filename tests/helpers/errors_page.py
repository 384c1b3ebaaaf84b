"""What docs/errors.md states: wrong calls with their exceptions, and quoted messages."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["CALLS", "QUOTED", "TEXT", "UNSAID"]

TEXT = (Path(__file__).parents[2] / "docs" / "errors.md").read_text(encoding="utf-8")

# Call, class, code and message of each row.
CALLS = [
    row
    for row in re.findall(r"^\| `(.*)` \| `(\w+)` \| `([A-Z_]+)` \| (.*) \|$", TEXT, re.MULTILINE)
    if "(" in row[0] or "[" in row[0]
]
_TABLES = "".join(re.findall(r"^\| message \|.*\n((?:\|.*\n)+)", TEXT, re.MULTILINE))
# Messages, with ``…`` for names and numbers.
QUOTED = [
    text for cell in re.findall(r"^\| (.*?) \| ", _TABLES, re.MULTILINE) for text in re.findall(r"`([^`]+)`", cell)
]

# The messages among them that a plain call cannot cause, with what they need. Their texts are compared with the source.
UNSAID = {
    "… is not iterated: each item would wait for the device; …": "an array on a GPU",
    "… was allocated without usage …": "a kernel with textures",
    "… the image is also the argument of …": "a kernel with textures",
    "the runtime was created before this process was forked; create a new Runtime in the child": "a fork",
    "an OpenGL runtime can be used only by the thread that created it": "OpenGL and a thread",
    "the environment variable … must be a 32-bit integer, not …": "a variable",
    "… the array is mapped; leave the …": "a GPU with its own memory",
    "the image is imported; close the import first": "an image that is shared",
    "this thread is already inside another call on the same runtime": "a driver that calls Python",
    "the Taichi C-API library was not found. Tried:": "a process without the library",
    "The library needs …: install the package of your system that provides it.": "a system without libraries",
    "… has another digest than … states: copy or build the module again": "a bundle that was changed",
    "… needs capabilities that the … device lacks: …": "a device without them",
    "… is SPIR-V …; the … device supports up to …": "an old device",
    "… has fields: load it first; …": "a module with fields for Vulkan",
    "… has the format …, and this version of the package reads …: …": "a bundle of another version",
    "the value that … returns cannot be fetched": "a module that was changed",
    "the device has not reached …; call wait() of the later event first": "work that takes long",
    "cannot allocate … bytes on …": "a device whose memory is full",
    "cannot allocate an image of … bytes": "a device whose memory is full",
    "… takes up to … MiB of address space, and this process cannot reserve that much more; …": "a limit of the process",
    "the CUDA context of … is unusable, because a kernel faulted …": "CUDA",
    "… failed: …": "a failure of the library",
}

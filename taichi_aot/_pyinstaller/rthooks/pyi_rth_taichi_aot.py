"""Load the system's C++ library when a frozen program starts, if it is newer than the program's own.

A process has one library of that name. The program's own comes from the system that froze it. A newer system's Vulkan
driver may need functions that it lacks, and then fails to load.
"""

import contextlib
import os
import re
import sys

NAME = "libstdc++.so.6"


def _version(path: str) -> int:
    """Return the latest ABI version of a library."""
    with open(path, "rb") as file:
        return max((int(number) for number in re.findall(rb"GLIBCXX_3\.4\.(\d+)", file.read())), default=-1)


def _system_libraries() -> list[str]:
    """Return the libraries of that name that the system's loader knows."""
    with open("/etc/ld.so.cache", "rb") as file:
        return [
            os.fsdecode(path) for path in re.findall(rb"\0(/[^\0]*/" + re.escape(NAME.encode()) + rb")\0", file.read())
        ]


def _load_newer(own: str) -> None:
    from _ctypes import dlopen  # ctypes.CDLL of a frozen program loads the program's own library

    for path in _system_libraries():
        with contextlib.suppress(OSError):  # of another architecture
            if _version(path) > _version(own):
                dlopen(path, os.RTLD_NOW)


if sys.platform == "linux":
    with contextlib.suppress(OSError):  # the program or the system has none
        _load_newer(os.path.join(vars(sys)["_MEIPASS"], NAME))

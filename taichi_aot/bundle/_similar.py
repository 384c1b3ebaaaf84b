"""Files like one that does not exist, for messages."""

from __future__ import annotations

import itertools
import os

from ..values._errors import short
from ..values._items import did_you_mean

MOST_NAMES = 5  # files that a message lists
MOST_FILES = 10_000  # of a folder that are looked at


def similar_files(path: str) -> str:
    """Return what to write instead of the path of a file that does not exist; empty if nothing is like it."""
    folder, name = os.path.split(path)
    try:
        with os.scandir(folder or ".") as entries:
            names = sorted(entry.name for entry in itertools.islice(entries, MOST_FILES))
    except NotADirectoryError:
        return ""
    except FileNotFoundError:
        return f"; there is no folder {short(folder)}"
    except OSError:
        return ""
    if name in names:  # a link to nowhere
        return ""
    suffix = os.path.splitext(name)[1]
    modules = [each for each in (f"{name}.tib", f"{name}.tcm") if each in names]
    suggestion = did_you_mean(name, modules or [each for each in names if each.endswith((suffix, ".tib", ".tcm"))])
    if suggestion:
        return suggestion
    same = [each for each in names if suffix and each.endswith(suffix)]
    return (
        f"; its folder has {', '.join(map(short, same[:MOST_NAMES]))}{', ...' * (len(same) > MOST_NAMES)}"
        if same
        else ""
    )

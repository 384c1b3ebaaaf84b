"""The warning about a bundle that is older than its source."""

from __future__ import annotations

import os

from ..values._errors import StaleBundleWarning
from ..values._warnings import warn_caller
from ._origin import Origin, shown
from ._source import Source

_warned: set[tuple[str, str]] = set()  # paths of bundles, and digests of their sources


def warn_if_stale(source: Source, origin: Origin | None) -> None:
    """Warn if the source of a bundle has changed since it was built, once for each state of the bundle."""
    message = stale_message(source, origin)
    if message:
        warn_caller(message, StaleBundleWarning)


def stale_message(source: Source, origin: Origin | None) -> str:
    """Return the text of the warning; empty without a reason, or after the first time."""
    if origin is None or not isinstance(source, str | os.PathLike):
        return ""
    try:
        path = os.path.abspath(os.fsdecode(source))
        key = path, origin.sha256
        if key in _warned or not origin.is_stale(path):
            return ""
        message = f"{shown(path)} is older than its source {origin.files[0]}; build it again: {origin.command(path)}"
    except (OSError, ValueError):  # such as a current folder that was deleted, or no relative path to another drive
        return ""
    _warned.add(key)
    return message

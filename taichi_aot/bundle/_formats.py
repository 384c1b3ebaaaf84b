"""JSON and SHA-256 without the modules of Python that take as long to import as a small module to load."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from hashlib import _Hash

try:
    import _json
except ImportError:  # not CPython
    _json = None  # type: ignore[assignment]

try:
    from _sha2 import sha256 as _new_sha256  # type: ignore[import-not-found]  # since Python 3.12
except ImportError:
    try:
        from _sha256 import sha256 as _new_sha256  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import sha256 as _new_sha256


sha256 = cast("Callable[..., _Hash]", _new_sha256)  # as that of hashlib, which imports OpenSSL


class _Rules:
    """What the scanner of Python's JSON asks a decoder for."""

    strict = True
    object_hook = object_pairs_hook = array_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def read_json(data: bytes) -> Any:
    """Return what ``json.loads`` does, or raise the same."""
    if _json is not None:
        rules: Any = _Rules()
        try:
            text = data.decode()
            value, end = _json.make_scanner(rules)(text, 0)
            if not text[end:].strip(" \t\n\r"):
                return value
        except (ValueError, StopIteration, RecursionError):  # StopIteration: it begins with a space, or is no JSON
            pass
    import json  # which reads other encodings too, and explains what is wrong

    return json.loads(data)

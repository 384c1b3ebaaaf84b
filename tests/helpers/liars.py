"""Arrays with wrong descriptions."""

from __future__ import annotations

from typing import Any

import numpy as np


class Liar(np.ndarray[Any, Any]):
    """An array whose attributes can be set to anything."""

    lies: dict[str, Any]

    def __getattribute__(self, name: str) -> Any:
        lies = np.ndarray.__getattribute__(self, "__dict__").get("lies", {})
        return lies[name] if name in lies else np.ndarray.__getattribute__(self, name)


def make_liar(data: np.ndarray[Any, Any], **lies: Any) -> Liar:
    liar = data.view(Liar)
    liar.lies = lies
    return liar

"""``__content__``: the kernels that a module lists, with the names that its source gives them."""

from __future__ import annotations

from collections.abc import Mapping

from ...bundle._graph_shapes import MANGLED
from ...bundle._info import GraphInfo, KernelInfo
from ...values._errors import CorruptedDataError
from ._graphs import dispatched_kernels


def visible_kernels(
    kernels: Mapping[str, KernelInfo], graphs: Mapping[str, GraphInfo], content: bytes | None
) -> dict[str, KernelInfo]:
    """The kernels without those that are stored only under the mangled name that a graph uses."""
    listed = _listed(content)
    hidden = {name for name in dispatched_kernels(graphs) if name not in listed and MANGLED.fullmatch(name)}
    return {name: kernel for name, kernel in kernels.items() if name not in hidden}


def check_listed(where: str, kernels: Mapping[str, KernelInfo], content: bytes | None) -> None:
    """Raise for a module that lists kernels but does not contain one: Taichi writes such modules without an error."""
    listed = _listed(content)
    if listed and not kernels:
        raise CorruptedDataError(
            f"{where} lists {', '.join(sorted(listed))[:200]} but does not contain kernels: "
            "only the first save() or archive() of a taichi.aot.Module is complete; create a new one for each output"
        )


def in_listed_order(kernels: Mapping[str, KernelInfo], content: bytes | None) -> dict[str, KernelInfo]:
    """The kernels in the order in which ``__content__`` lists them, and then the others."""
    return {name: kernels[name] for name in _listed(content) if name in kernels} | dict(kernels)


def _listed(content: bytes | None) -> dict[str, None]:
    """The kernels that ``__content__`` lists, in order."""
    lines = (content or b"").decode(errors="replace").splitlines()
    return {line[len("kernel:") :]: None for line in lines if line.startswith("kernel:")}

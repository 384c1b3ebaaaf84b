"""The JSON of SPIR-V modules as an object, with the name and methods that Taichi gives it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...bundle._files import GFX_GRAPHS, GFX_METADATA
from ...bundle._source import Source
from ...values._errors import InvalidArgumentError
from ...values._wording import count
from ..spirv._metadata import graphs_json as read_graphs
from ..spirv._metadata import metadata_json as read_metadata
from ..spirv._module import check_json
from ._read import inspect

__all__ = ["GfxRuntime140"]


class GfxRuntime140:
    """The metadata and the graphs of a SPIR-V module, like ``taichi.aot.GfxRuntime140``.

    Every value is checked, as if it came from a file. Unlike Taichi's class, it accepts all modules of Taichi 1.7.4.

    Parameters
    ----------
    metadata_json : dict
        The contents of ``metadata.json``, parsed.
    graphs_json : list of dict
        The contents of ``graphs.json``, parsed.

    Raises
    ------
    CorruptedDataError
        If a value is missing, unknown or out of bounds, kernels and graphs contradict each other, or the JSON of one
        argument has more than 256 MiB.
    TypeError, ValueError
        If JSON cannot express an argument.

    Examples
    --------
    >>> empty = {"fields": [], "kernels": [], "required_caps": [], "root_buffer_size": 0}
    >>> GfxRuntime140(empty, [])
    <GfxRuntime140: 0 kernels, 0 graphs>
    """

    def __init__(self, metadata_json: Mapping[str, Any], graphs_json: Sequence[Mapping[str, Any]]) -> None:
        self._files = {GFX_METADATA: _to_bytes(metadata_json), GFX_GRAPHS: _to_bytes(graphs_json)}
        kernels, graphs = check_json("the JSON", self._files)
        self._counts = f"{count(kernels, 'kernel')}, {count(graphs, 'graph')}"

    @staticmethod
    def from_module(module_path: Source) -> GfxRuntime140:
        """Read a SPIR-V module.

        Parameters
        ----------
        module_path : path or bytes-like
            A folder or archive, as in `inspect`.

        Raises
        ------
        NotSupportedError
            For LLVM modules, and for bundles.
        FileNotFoundError, CorruptedDataError, IncompatibleModuleError
            If it cannot be read.

        Examples
        --------
        >>> GfxRuntime140.from_module("saxpy.tcm")
        Traceback (most recent call last):
            ...
        taichi_aot.NotSupportedError: only SPIR-V modules have metadata in JSON, not one for x64; use to_dict()
        """
        info = inspect(module_path)
        return GfxRuntime140(info.to_metadata_json(), info.to_graphs_json())

    def to_metadata_json(self) -> Any:
        """Return the contents of ``metadata.json``, as a new object."""
        return read_metadata(self._files)

    def to_graphs_json(self) -> list[Any]:
        """Return the contents of ``graphs.json``, as a new object.

        The numbers that Taichi leaves uninitialized are 0: see `ModuleInfo.to_graphs_json`.
        """
        return read_graphs(self._files)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._counts}>"


def _to_bytes(value: object) -> bytes:
    try:
        return json.dumps(value).encode()
    except RecursionError:
        raise InvalidArgumentError("the JSON is nested too deeply") from None

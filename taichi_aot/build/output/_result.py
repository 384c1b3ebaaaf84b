"""The result of a build."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...values._enums import Arch
from ...values._errors import count


@dataclass(frozen=True)
class BuiltModule:
    """The module for one arch.

    Attributes
    ----------
    arch : Arch
    size : int
        Bytes of its ``.tcm``.
    seconds : float
        Wall time of its child process.
    peak_memory : int
        Maximum memory of the child process in bytes; 0 if the system does not report it.

    Examples
    --------
    >>> for module in build("kernels.py", archs=["x64"]).modules:  # doctest: +SKIP
    ...     print(module.arch, module.size)
    x64 6011
    """

    arch: Arch
    size: int
    seconds: float
    peak_memory: int


@dataclass(frozen=True)
class BuildResult:
    """The result of `build`.

    Attributes
    ----------
    path : Path
        The file.
    modules : tuple of BuiltModule
        One for each arch that was built.
    skipped : mapping of Arch to str
        Default archs that cannot be built here, with the reason.
    kernels, graphs, fields : tuple of str
        Names.
    taken : mapping of str to str
        With `all_kernels`, the place of each kernel, with the types and values of its template parameters.
    left_out : mapping of str to str
        With `all_kernels`, the kernels, graphs and fields that the file does not have, with the reason.
    native : tuple of str
        The kernels that have machine code in the module for x64.
    not_native : mapping of str to str
        Its other kernels, which the C library compiles when they are loaded, with the reason. Empty with
        ``native=False``.
    ptx : tuple of str
        The kernels that have PTX in the module for CUDA.
    not_ptx : mapping of str to str
        Its other kernels, as in `not_native`.
    warnings : tuple of str
        Contents that were built but will not work as the source says: at most one of each kind, with the remedy.
    sources : tuple of Path
        The source and the files that it imports from its folder.
    source_sha256 : str
        SHA-256 of their contents, one after the other, in hexadecimal.

    Examples
    --------
    >>> result = build("kernels.py", "kernels.tib", archs=["x64"])      # doctest: +SKIP
    >>> print(result)                                                   # doctest: +SKIP
    kernels.tib: 1 kernel for x64
    """

    path: Path
    modules: tuple[BuiltModule, ...]
    skipped: Mapping[Arch, str]
    kernels: tuple[str, ...]
    graphs: tuple[str, ...]
    fields: tuple[str, ...]
    warnings: tuple[str, ...]
    sources: tuple[Path, ...]
    source_sha256: str
    taken: Mapping[str, str] = field(default_factory=dict[str, str])
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])
    native: tuple[str, ...] = ()
    not_native: Mapping[str, str] = field(default_factory=dict[str, str])
    ptx: tuple[str, ...] = ()
    not_ptx: Mapping[str, str] = field(default_factory=dict[str, str])

    def to_dict(self) -> dict[str, Any]:
        """Return the result as dicts, lists, strings and numbers, for JSON."""
        return {
            "path": str(self.path),
            "modules": {
                str(each.arch): {"size": each.size, "seconds": round(each.seconds, 3), "peak_memory": each.peak_memory}
                for each in self.modules
            },
            "skipped": {str(arch): reason for arch, reason in self.skipped.items()},
            "kernels": list(self.kernels),
            "graphs": list(self.graphs),
            "fields": list(self.fields),
            "warnings": list(self.warnings),
            "sources": list(map(str, self.sources)),
            "source_sha256": self.source_sha256,
            "taken": dict(self.taken),
            "left_out": dict(self.left_out),
            "native": list(self.native),
            "not_native": dict(self.not_native),
            "ptx": list(self.ptx),
            "not_ptx": dict(self.not_ptx),
        }

    def __str__(self) -> str:
        counts = [
            count(names, noun)
            for noun, names in (("kernel", self.kernels), ("graph", self.graphs), ("field", self.fields))
            if names or noun == "kernel"
        ]
        return f"{self.path}: {', '.join(counts)} for {', '.join(str(each.arch) for each in self.modules)}"

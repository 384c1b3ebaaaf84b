"""The compiler's output for an arch, read and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ...adopt._make import MadeBundle, join, parse_own, with_trees
from ...adopt._module import ParsedModule, read_description
from ...adopt.spirv._module import GfxContents
from ...adopt.spirv._plans import narrow_atomics
from ...bundle._info import ModuleInfo
from ...bundle._plan import Origin, inherit_shapes
from ...values._errors import TaichiError
from ...values._numbers import Arch
from .._archs import TARGETS
from .._options import BuildError, option
from ..source._explain import Numbers


@dataclass
class Compiled:
    """The compiler's output for an arch, or the reason why there is none."""

    arch: Arch
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])  # the module's files, as written by Taichi
    # The description as dicts and lists, without the parameters of graphs.
    description: dict[str, Any] = field(default_factory=dict[str, Any])
    # The parameters of kernels in the same form, by Taichi's name of the kernel.
    parameters: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    warnings: list[str] = field(default_factory=list[str])
    folder: Path = Path()  # the folder of the source
    # The source and the files that it imports, relative to `folder`, in the order of the digest.
    sources: tuple[str, ...] = ()
    # unavailable, error: the reason why the arch cannot be built here, and the error in the source; empty if it
    # succeeded.
    unavailable: str = ""
    error: str = ""
    seconds: float = 0.0  # wall time
    peak_memory: int = 0  # bytes
    program: dict[str, Any] | None = None  # what running the program has shown: see `_recorded.Contents.report`
    crashed_at: str = ""  # the kernel, graph or field at which the compiler crashed
    # A line of the source that would export a field, by the number of its tree.
    export_lines: dict[str, str] = field(default_factory=dict[str, str])
    # Bytes of the trees of fields, of which Taichi's files for Vulkan state the first; empty for other archs.
    tree_sizes: list[int] = field(default_factory=list[int])
    # What `_before_passes.Collector` has collected.
    tasks_before_passes: dict[str, bytes] = field(default_factory=dict[str, bytes])
    contents: dict[str, bytes] = field(default_factory=dict[str, bytes])  # of fields, by the name of the file
    member_functions: str = ""  # LLVM IR of functions by which loops find the members of fields

    @cached_property
    def parsed(self) -> ParsedModule:
        parsed = parse_own(f"the module for {self.arch}", self.files)
        return with_trees(parsed, self.tree_sizes)._replace(contents=self.contents)


def without_memory(compiled: Compiled) -> dict[str, set[int]]:
    """Return the kernels, with those of graphs, that use fields for which a module has no memory, and their trees."""
    info = compiled.parsed.info
    missing = {name: set(kernel.field_trees) - set(info.field_trees) for name, kernel in info.all_kernels.items()}
    return {name: trees for name, trees in missing.items() if trees}


def read_module(compiled: Compiled) -> ParsedModule:
    """Return the module with its description; BuildError if it cannot be loaded."""
    try:
        parsed = compiled.parsed
        for name, trees in without_memory(compiled).items():
            raise BuildError(
                f"{compiled.arch}: kernel {_placed(compiled, name)} uses fields for which the module has no memory: "
                f"{_field_remedy(compiled, trees)}"
            )
        name = parsed.stated.kernel_without_lists()
        if name:
            raise BuildError(
                f"{compiled.arch}: kernel {_placed(compiled, name)} loops over a dense field, and would crash: the C "
                "library does not make the lists of nodes that ti.init(demote_dense_struct_fors=False) lets it use. "
                "Remove this option"
            )
        if TARGETS[compiled.arch].uses_caps:
            _require_types(compiled)
            require_atomics(parsed, lambda name: f"kernel {_placed(compiled, name)}")
        graphs = _graph_parameters(parsed.info, compiled.parameters)
        for graph in compiled.description["graphs"]:
            graph["parameters"] = graphs[graph["name"]]
        module = parsed._replace(description=read_description(compiled.description))
        _ = module.described
    except TaichiError as error:
        raise BuildError(f"{compiled.arch}: the compiler's output cannot be loaded: {error}") from error
    except ValueError as error:  # graphs whose kernels state different sizes
        raise BuildError(f"{compiled.arch}: {error}") from error
    return module


def _graph_parameters(info: ModuleInfo, described: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """Return the parameters of graphs, with the shapes that follow from their kernels' shapes."""
    kernels = dict(info.kernels)
    for dispatch in (dispatch for graph in info.graphs.values() for dispatch in graph.dispatches):
        kernel, own = info.all_kernels[dispatch.kernel], described.get(dispatch.kernel.rpartition("_")[0])
        if own is not None:
            parameters = tuple(
                parameter._replace(name=each["name"], shape=tuple(each.get("shape", ())))
                for parameter, each in zip(kernel.signature.parameters, own, strict=True)
            )
            kernels[dispatch.kernel] = kernel._replace(signature=kernel.signature._replace(parameters=parameters))
    graphs = inherit_shapes(info._replace(kernels=kernels)).graphs
    return {
        name: [
            {"name": each.name, **({"shape": list(each.shape)} if each.shape else {})}
            for each in graph.signature.parameters
        ]
        for name, graph in graphs.items()
    }


def _placed(compiled: Compiled, name: str) -> str:
    """Return the name of a kernel, with its place in the source if it has one."""
    places = {each["name"]: f" ({each['file']}, line {each['line']})" for each in compiled.description["kernels"]}
    return name + places.get(name, "")


def _field_remedy(compiled: Compiled, trees: Iterable[int]) -> str:
    if not TARGETS[compiled.arch].has_field_trees:
        return "place all fields before the first kernel is compiled, without ti.FieldsBuilder"
    lines = [compiled.export_lines.get(str(tree), "") for tree in sorted(trees)]
    if all(lines):
        return f"add {' and '.join(lines)} (from taichi_aot.build import export_field); one field of a tree is enough"
    return "export one field of each tree: export_field(name, field), or module.add_field(name, field)"


def _require_types(compiled: Compiled) -> None:
    """Raise for a type that the code may not have, of a number that a kernel of a graph takes and does not read."""
    info = compiled.parsed.info
    assert isinstance(compiled.parsed.stated, GfxContents)
    stated = [each["key"] for each in compiled.parsed.stated.metadata["required_caps"]]  # which the build allows
    caps = [key.removeprefix("spirv_has_") for key in stated if key.startswith("spirv_has_")]  # not the version
    for name, kernel in info.all_kernels.items():
        values = [each for each in kernel.signature.parameters if each.kind in ("scalar", "matrix")]
        where = f"kernel {_placed(compiled, name)}: parameter "
        dtypes = {f"{where}{each.name}": str(each.dtype) for each in values}
        Numbers(dtypes, str(compiled.arch), caps).require(dtypes.values())


def require_atomics(parsed: ParsedModule, placed: Callable[[str], str]) -> None:
    """Raise for SPIR-V with atomic operations that devices lack; `placed` names a kernel with its place."""
    assert isinstance(parsed.stated, GfxContents)
    for name, bits in narrow_atomics(parsed.stated, parsed.files).items():
        raise BuildError(
            f"{placed(name)} changes numbers of {bits} bits atomically, which Vulkan devices cannot: use 32 bits, "
            f"or {option('others')}"
        )


def bundle(modules: Mapping[Arch, ParsedModule], origin: Origin | None = None) -> MadeBundle:
    try:
        return join(modules, origin)
    except ValueError as error:
        raise BuildError(
            f"{error}. A bundle has the same contents for every arch: do not let them depend on ti.cfg.arch, or build "
            "a file for each arch (--arch)"
        ) from error

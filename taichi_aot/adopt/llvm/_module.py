"""Reader of LLVM modules (x64, arm64, CUDA): ``metadata.tcb``, ``graphs.tcb`` and a ``.ll`` file per kernel.

The library reads these files without checks and crashes on damaged ones, so this reader is strict: every length is
compared with the remaining bytes, trailing bytes are errors, and the version must be the library's.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from typing import NamedTuple

from ...bundle._files import CODE_SUFFIX, LLVM_GRAPHS, LLVM_METADATA
from ...bundle._info import FieldInfo, KernelInfo, ModuleInfo
from ...values._enums import Arch
from ...values._errors import CorruptedDataError
from ...values._signature import Signature
from ..taichi._graphs import check_listed, in_listed_order, make_graphs, name_parameters, visible_kernels
from ..taichi._parameters import GraphArgument, Graphs
from ..taichi._versions import LIBRARY_VERSION
from ._ir import facts_of
from ._metadata import FAMILY, FieldTree, Kernel, StatedKernel, read_metadata
from ._tcb import Reader, encode_string, with_header
from ._writes import written_arguments

LISTED_NODE = re.compile(r"listgen_S(\d+)")  # the kind of a task that makes a list of nodes
TEXT_METADATA = "metadata.json"  # the same for human readers, in no format that parsers know
NUMBERED = ("scalar", "matrix", "ndarray")  # kinds of parameters that have the number of the argument
TIMES = re.compile(rb'("(?:created|last_used)_at": )\d+')
# Limits of a launch on CUDA: blocks, threads of a block, bytes of shared memory.
MAX_GRID, MAX_BLOCK, MAX_SHARED = 2**31 - 1, 1024, 1 << 20


class LlvmModule(NamedTuple):
    """The checked contents of an LLVM module's files: the memory for fields, the kernels and the graphs."""

    fields: list[FieldTree]
    kernels: list[Kernel]
    graphs: Graphs

    def kernel_without_lists(self) -> str:
        """Return the name of a kernel that needs lists of nodes that the library does not make; empty if none does.

        The library makes them for trees with sparse nodes. Loops over other trees use them if they were compiled with
        ``ti.init(demote_dense_struct_fors=False)``, and end the process.
        """
        dense = {number for tree in self.fields for number in tree.dense_nodes}
        for kernel in self.kernels:
            listed = [LISTED_NODE.match(task.info.kind) for task in kernel.stated.tasks]
            if any(match and int(match[1]) in dense for match in listed):
                return kernel.key
        return ""

    def without_traces(self, files: Mapping[str, bytes]) -> dict[str, bytes]:
        """The files without the times of their compilation and uninitialized numbers; see `_make.pack_module`."""
        data = bytearray(files[LLVM_METADATA])
        for kernel in self.kernels:
            times = kernel.stated.times
            data[times.start : times.end] = bytes(16)
        changed = {LLVM_METADATA: bytes(data), LLVM_GRAPHS: encode_graphs(self.graphs)}
        if TEXT_METADATA in files:
            changed[TEXT_METADATA] = TIMES.sub(rb"\g<1>0", files[TEXT_METADATA])
        return {**files, **changed}


def read(where: str, files: Mapping[str, bytes]) -> tuple[ModuleInfo, LlvmModule]:
    """Read and check an LLVM module; return its contents, and what its files state in detail."""
    fields, raw_kernels = read_metadata(where, files[LLVM_METADATA])
    kernels: dict[str, KernelInfo] = {}
    found: set[Arch] = set()
    for raw in raw_kernels:
        name = f"{raw.key}{CODE_SUFFIX}"
        if raw.key in kernels:
            raise CorruptedDataError(f"{where}: kernel {raw.key!r} occurs twice in {LLVM_METADATA}")
        if name not in files:
            raise CorruptedDataError(f"{where}: the code of kernel {raw.key!r} is missing ({name})")
        facts = facts_of(name, files[name])
        found.add(facts.arch)
        if facts.arch is Arch.CUDA:
            _check_tasks(raw.stated)
        kernels[raw.key] = KernelInfo(
            _signature(raw, facts.gradients, written_arguments(files[name])),
            tuple(task.info for task in raw.stated.tasks),
            facts.threads,
            facts.trees,
            raw.checked.return_dtype,
            checked=facts.checked,
        )
    if len(found) > 1:
        raise CorruptedDataError(f"{where}: its kernels are for several archs: {', '.join(map(str, sorted(found)))}")
    content = files.get("__content__")
    check_listed(where, kernels, content)
    if LLVM_GRAPHS not in files:
        raise CorruptedDataError(f"{where}: {LLVM_GRAPHS} is missing")
    raw_graphs = read_graphs(files[LLVM_GRAPHS])
    graphs = make_graphs(where, LLVM_GRAPHS, raw_graphs, kernels)
    kernels = name_parameters(kernels, graphs)
    trees = sorted(fields, key=lambda field: field.key)
    info = ModuleInfo(
        family=FAMILY,
        archs=tuple(found),
        version=LIBRARY_VERSION,
        kernels=in_listed_order(visible_kernels(kernels, graphs, content), content),
        graphs=graphs,
        all_kernels=kernels,
        fields=tuple(FieldInfo(f"tree {field.key}") for field in fields),
        has_fields=bool(fields),
        field_trees=tuple(field.key for field in trees),
        tree_sizes=tuple(field.size for field in trees),
    )
    return info, LlvmModule(fields, raw_kernels, raw_graphs)


def _check_tasks(kernel: StatedKernel) -> None:
    """Raise for a launch that no CUDA device can do: the library ends the process where the driver refuses it."""
    for info, _, _, shared in kernel.tasks:
        if not (1 <= info.grid <= MAX_GRID and 1 <= info.block <= MAX_BLOCK and 0 <= shared <= MAX_SHARED):
            raise CorruptedDataError(
                f"{LLVM_METADATA}: kernel {kernel.key!r}: {info.name} is a launch of {info.grid} blocks of "
                f"{info.block} threads with {shared} bytes of shared memory"
            )


def _signature(kernel: Kernel, gradients: frozenset[int], written: frozenset[int] | None) -> Signature:
    """The signature of a kernel, with the arrays marked that its code only reads, and whose gradients it uses.

    The arguments that it might write to are known by their numbers, if packs do not change these.
    """
    checked = kernel.checked
    parameters = checked.parameters
    if checked.gradients:
        used = checked.gradients & gradients
        parameters = tuple(parameter._replace(grad=i in used) for i, parameter in enumerate(parameters))
    if written is not None and all(each.kind in NUMBERED for each in parameters):
        parameters = tuple(
            each._replace(access="r") if each.kind == "ndarray" and i not in written else each
            for i, each in enumerate(parameters)
        )
    return Signature(kernel.key, parameters, checked.returns)


def read_graphs(data: bytes) -> Graphs:
    """Read the graphs, which are not checked against the kernels yet."""
    reader = Reader(LLVM_GRAPHS, data)
    reader.start()

    def argument() -> GraphArgument:
        name, dtype, ndim, tag = reader.string(), reader.i32(), reader.u64(), reader.i32()
        elem_shape = tuple(reader.integers())
        reader.u64()  # number of channels: uninitialized except for textures
        return GraphArgument(name, tag, dtype, ndim, elem_shape)

    def dispatch() -> tuple[str, list[GraphArgument]]:
        return reader.string(), reader.list_of(argument, 40)

    def graph() -> tuple[str, list[tuple[str, list[GraphArgument]]]]:
        return reader.string(), reader.list_of(dispatch, 16)

    graphs = reader.list_of(graph, 16)
    reader.end()
    return graphs


def encode_graphs(graphs: Graphs) -> bytes:
    """Graphs as `read_graphs` reads them, with 0 in place of the numbers that are uninitialized."""
    parts = [struct.pack("<Q", len(graphs))]
    for name, dispatches in graphs:
        parts += [encode_string(name), struct.pack("<Q", len(dispatches))]
        for kernel, arguments in dispatches:
            parts += [encode_string(kernel), struct.pack("<Q", len(arguments)), *map(_encode_argument, arguments)]
    return with_header(b"".join(parts))


def _encode_argument(a: GraphArgument) -> bytes:
    shape = struct.pack(f"<Q{len(a.elem_shape)}i", len(a.elem_shape), *a.elem_shape)
    return encode_string(a.name) + struct.pack("<iQi", a.dtype, a.ndim, a.tag) + shape + struct.pack("<Q", 0)

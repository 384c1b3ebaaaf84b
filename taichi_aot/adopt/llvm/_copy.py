"""The private copy of an LLVM module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...bundle._files import CODE_SUFFIX, LLVM_GRAPHS, LLVM_METADATA
from ...bundle._info import KernelInfo, ModuleInfo
from ...bundle._plan import ResultLayout
from ...values._enums import Arch
from ...values._signature import Words
from ..taichi._graphs import dispatched_kernels, graph_words
from ..taichi._members import ArrayArgument, array_argument, gradient_arguments
from ..taichi._parameters import GraphArgument
from ..taichi._returns import return_layout
from ._copy_metadata import lowered_metadata
from ._graphs import Graphs, encode_graphs
from ._library_code import rename_tasks, without_profiler
from ._metadata import FAMILY, Kernel
from ._module import LlvmModule


def lower(
    files: Mapping[str, bytes], info: ModuleInfo, module: LlvmModule, words: Words
) -> tuple[dict[str, bytes], dict[str, ResultLayout], frozenset[str]]:
    """The files of the copy, the layouts of return values that are written to an array, and kernels with gradients."""
    # Graphs do not pass further arrays, and dispatch kernels under their own names.
    dispatched = dispatched_kernels(info.graphs)
    own = [kernel for kernel in module.kernels if words is Words.ALL and kernel.key not in dispatched]
    layouts = result_layouts(own)
    gradients = {kernel.key: found for kernel in own if (found := _gradients(info, kernel))}
    arrays: dict[str, ArrayArgument] = {}  # for return values, by kernel
    symbols: dict[str, str] = {}  # new names of tasks
    changed: dict[str, bytes] = {}
    for kernel in module.kernels:
        name = f"{kernel.key}{CODE_SUFFIX}"
        code = files[name]
        if kernel.key in layouts:
            from ._result_code import return_through_array  # which takes as long as reading a small module

            array = _array(info, kernel)
            through_array = return_through_array(code, array.data_pointer)
            if through_array is not None:
                code, arrays[kernel.key] = through_array, array
        if Arch.CUDA in info.archs:
            code = rename_tasks((task.info.name for task in kernel.stated.tasks), code, symbols)
        changed[name] = without_profiler(code)
    changed[LLVM_GRAPHS] = encode_graphs(_with_words(module.graphs, info.all_kernels, words))
    metadata = files[LLVM_METADATA]
    changed[LLVM_METADATA] = lowered_metadata(
        metadata, module.fields, module.kernels, gradients, arrays, symbols, words
    )
    return {**files, **changed}, {name: layouts[name] for name in arrays}, frozenset(gradients)


def result_layouts(kernels: Sequence[Kernel]) -> dict[str, ResultLayout]:
    made: dict[int, ResultLayout | None] = {}  # by what was checked, which many kernels share
    found: dict[str, ResultLayout] = {}
    for kernel in kernels:
        key = id(kernel.checked)
        if key not in made:
            checked, size = kernel.checked, kernel.stated.layout.return_size
            made[key] = return_layout(checked.returned, size, checked.return_dtype, FAMILY)
        layout = made[key]
        if layout is not None:
            found[kernel.key] = layout
    return found


def _array(info: ModuleInfo, kernel: Kernel) -> ArrayArgument:
    layout, parameters = kernel.stated.layout, info.all_kernels[kernel.key].signature.parameters
    return array_argument(parameters, [place.offset for place in layout.places], layout.size, FAMILY)


def _gradients(info: ModuleInfo, kernel: Kernel) -> list[ArrayArgument]:
    if not kernel.checked.gradients:
        return []
    return gradient_arguments(info.all_kernels[kernel.key].signature.parameters, kernel.stated.layout.struct, FAMILY)


def _with_words(graphs: Graphs, kernels: Mapping[str, KernelInfo], words: Words) -> Graphs:
    """The graphs with the arguments that `_words` describes."""
    return [
        (name, [(kernel, _passed(arguments, kernels[kernel], words)) for kernel, arguments in dispatches])
        for name, dispatches in graphs
    ]


def _passed(arguments: Sequence[GraphArgument], kernel: KernelInfo, words: Words) -> list[GraphArgument]:
    """The arguments of a dispatch. Words beyond the 32nd follow all others."""
    parameters = kernel.signature.parameters
    passed = [graph_words(a, p, FAMILY, words) for a, p in zip(arguments, parameters, strict=True)]
    return [own[0] for own in passed] + [word for own in passed for word in own[1:]]

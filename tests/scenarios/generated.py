"""Generated kernels, run through the package; see ``helpers/generated.py``."""

from __future__ import annotations

import json
import traceback
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from helpers.generated import NUMPY, KernelModel, ParameterModel, read_models, twin
from helpers.raising import raised

from scenarios import ArchName
from taichi_aot import AotModule, ComputeGraph, Format, Kernel, NdArray, NotSupportedError, Runtime

REPEAT = 64  # launches from which a sequence is recorded

Results = dict[str, Any]


def run(arch: ArchName, folder: str) -> None:
    """Check the signatures of the kernels in ``module.tcm``; call the kernels and their graphs.

    Write ``taichi_aot.npz`` with the results, named as in ``jit.npz``, and ``wrong.json`` with errors by kernel number.
    Print each number first, in case the kernel crashes the process.
    """
    warnings.simplefilter("ignore")
    where = Path(folder)
    left_out = json.loads((where / "errors.json").read_text())
    results: Results = {}
    wrong: dict[int, str] = {}
    with Runtime(arch) as rt:
        module = rt.load_module(where / "module.tcm")
        for model in read_models(where):
            if str(model.number) in left_out:
                continue
            print(model.number, flush=True)
            try:
                check_signature(module, model)
                found = call(rt, module, model)
                results |= found
                if model.has_twin:
                    check_signature(module, twin(model))
                    compare("the twin", call(rt, module, twin(model)), found)
            except Exception:
                wrong[model.number] = traceback.format_exc()
    np.savez(where / "taichi_aot.npz", **results)
    (where / "wrong.json").write_text(json.dumps(wrong))


def check_signature(module: AotModule, model: KernelModel) -> None:
    """Compare the signature in the module with the source."""
    is_llvm = module.info.family == "llvm"
    info = module.info.kernels[model.name]
    signature = info.signature
    stated = [parameter.type_name for parameter in signature.parameters]
    parameters = [replace(p, is_used=p.is_used and model.has_effect) for p in model.parameters]
    source = [parameter.type_name(is_llvm=is_llvm) for parameter in parameters]
    assert stated == source, f"{stated} != {source}"
    if not is_llvm:
        own = [p.name for p in model.parameters]
        names = own if not info.names_of else [f"arg{i}" for i in range(len(own))]  # the compiler's cache has lost them
        assert [p.name for p in signature.parameters] == names, signature
    gradients = [p.grad for p in signature.parameters]
    assert gradients == [is_llvm and p.uses_grad for p in model.parameters], gradients
    returns = [value.type_name(is_llvm=is_llvm) for value in model.returns]
    assert list(signature.returns) == returns, f"{signature.returns} != {returns}"


def call(rt: Runtime, module: AotModule, model: KernelModel) -> Results:
    """Return the results of the kernel, after comparing them with its graph's."""
    kernel = module.kernels[model.name]
    unsupported = model.unsupported(str(rt.arch))
    if unsupported is not None:
        index = model.parameters.index(unsupported)
        arguments = make_arguments(rt, model)
        message = str(raised(lambda: kernel(*arguments), NotSupportedError))
        assert repr(kernel.signature.parameters[index].name) in message, message
        return {}
    needing = [parameter.name for parameter in kernel.signature.parameters if parameter.grad]
    if needing:
        message = ""
        try:
            kernel(*make_arguments(rt, model))
        except TypeError as error:
            message = str(error)
        assert f"parameter {needing[0]!r}: the array has no gradient" in message, message
        return {}
    results = results_of(rt, kernel, model)
    if model.in_graph:
        graph = module.graphs[f"graph_{model.name}"]
        for is_flat in (False, True):
            compare("the graph", results_of(rt, partial(call_graph, rt, graph, model, is_flat=is_flat), model), results)
    compare_sequence(rt, kernel, model)
    return results


def call_graph(rt: Runtime, graph: ComputeGraph, model: KernelModel, *values: Any, is_flat: bool) -> None:
    """Call a graph with the arguments of its kernel, matrices as flat vectors, and an image for it to fill."""
    arguments = {
        p.name: value.ravel() if is_flat and p.kind == "matrix" else value
        for p, value in zip(model.parameters, values, strict=True)
    }
    filled = model.filled_texture
    if filled is not None:
        arguments["texel"] = model.arguments()[model.parameters.index(filled)]
        arguments[filled.name] = rt.allocate_image(filled.image_extent, Format(filled.image_format))
    graph(*(arguments[parameter.name] for parameter in graph.signature.parameters))


def compare(what: str, results: Results, expected: Results) -> None:
    for name, value in results.items():
        assert value.tobytes() == expected[name].tobytes(), f"{what}'s result {name} differs"


def compare_sequence(rt: Runtime, kernel: Kernel, model: KernelModel) -> None:
    """Compare a sequence, which may be recorded, with the same number of launches."""
    one, other = make_arguments(rt, model), make_arguments(rt, model)
    launches = kernel.bind(*one), kernel.bind(*other)
    for _ in range(REPEAT):
        launches[0]()
    rt.sequence([launches[1]])(REPEAT)
    for i, (a, b) in enumerate(zip(one, other, strict=True)):
        if isinstance(a, NdArray):
            assert a.to_numpy().tobytes() == b.to_numpy().tobytes(), f"array {i} of a sequence differs"
    if model.returns:
        a, b = (launch.result() for launch in launches)
        assert repr(a) == repr(b), f"the result of a sequence differs: {a!r}, {b!r}"


def make_arguments(rt: Runtime, model: KernelModel) -> list[Any]:
    return [make_argument(rt, p, value) for p, value in zip(model.parameters, model.arguments(), strict=True)]


def make_argument(rt: Runtime, parameter: ParameterModel, value: Any) -> Any:
    if parameter.kind == "ndarray":
        return rt.asarray(value, elem_shape=parameter.elem_shape)
    if parameter.is_texture and not parameter.unsupported(str(rt.arch)):
        image = rt.allocate_image(parameter.image_extent, Format(parameter.image_format))
        stored = round(float(value) * 255) if image.dtype == np.uint8 else value
        image.write(np.full(image.shape, stored, image.dtype))
        return image
    return value


def results_of(rt: Runtime, function: Callable[..., Any], model: KernelModel) -> Results:
    arguments = make_arguments(rt, model)
    returned = function(*arguments)
    rt.wait()
    arrays = {i: value for i, value in enumerate(arguments) if isinstance(value, NdArray)}
    results: Results = {f"{model.number}/{i}": array.to_numpy() for i, array in arrays.items()}
    if returned is None:
        return results
    values = returned if len(model.returns) > 1 else (returned,)
    for i, (value, wanted) in enumerate(zip(values, model.returns, strict=True)):
        assert np.asarray(value).dtype == NUMPY[wanted.dtype], f"{value!r} is not of {wanted.dtype}"
        results[f"{model.number}/r{i}"] = np.asarray(value)
    return results

"""Compile generated kernels into a module and run them through the JIT; run as a child process.

    python compile_generated.py ARCH FOLDER [compile-only]

reads ``models.pickle`` and ``generated_kernels.py`` in the folder. It writes ``module.tcm``, ``jit.npz`` with arrays
``KERNEL/PARAMETER`` and ``KERNEL/rRETURN`` by numbers, and ``errors.json`` with the compiler's errors by kernel. With
``compile-only`` nothing runs, and ``jit.npz`` is empty.
"""

import importlib
import json
import os
import sys
import traceback
from pathlib import Path

import numpy as np
import taichi as ti

from helpers.generated import NUMPY, KernelModel, read_models

# Positions of expressions in the source, for messages, take half of the compiler's time.
importlib.import_module("taichi.lang.ast.ast_transformer_utils").ASTTransformerContext.get_pos_info = (
    lambda self, node: ""
)
TAKES_SAMPLES = importlib.import_module("taichi.aot.module")


def element_type(parameter):
    dtype = getattr(ti, parameter.dtype)
    if len(parameter.elem_shape) == 2:
        return ti.types.matrix(*parameter.elem_shape, dtype)
    return ti.types.vector(*parameter.elem_shape, dtype) if parameter.elem_shape else dtype


def sample(parameter):
    """Return a sample argument, for kernels with incomplete annotations."""
    if parameter.kind == "ndarray":
        shape = (2,) * parameter.ndim
        return ti.ndarray(element_type(parameter), shape, needs_grad=parameter.needs_grad)
    if parameter.is_texture:
        return ti.Texture(getattr(ti.Format, parameter.image_format), parameter.image_extent)
    if parameter.kind == "matrix":
        return ti.Matrix(np.zeros(parameter.elem_shape).tolist(), dt=getattr(ti, parameter.dtype))
    return 0


def add_kernel(module, kernel, model: KernelModel) -> None:
    if not any(p.needs_grad or p.kind == "struct" for p in model.parameters):
        module.add_kernel(kernel)
        return
    # `add_kernel` takes samples for some kinds of parameters only; pass them for all.
    original = TAKES_SAMPLES.produce_injected_args_from_template
    TAKES_SAMPLES.produce_injected_args_from_template = lambda kernel, samples: list(samples.values())
    try:
        module.add_kernel(kernel, template_args={p.name: sample(p) for p in model.parameters})
    finally:
        TAKES_SAMPLES.produce_injected_args_from_template = original


def add_graph(module, kernel, model: KernelModel) -> None:
    kinds = {
        "scalar": ti.graph.ArgKind.SCALAR,
        "matrix": ti.graph.ArgKind.MATRIX,
        "ndarray": ti.graph.ArgKind.NDARRAY,
    }
    arguments = [
        ti.graph.Arg(kinds[p.kind], p.name, element_type(p), **({"ndim": p.ndim} if p.kind == "ndarray" else {}))
        for p in model.parameters
    ]
    builder = ti.graph.GraphBuilder()
    builder.dispatch(kernel, *arguments)
    module.add_graph(f"graph_{model.name}", builder.compile())


FILL = """
import taichi as ti

@ti.kernel
def fill(image: ti.types.rw_texture(num_dimensions={ndim}, fmt=ti.Format.{fmt}, lod=0), value: ti.f32):
    for place in ti.grouped(ti.ndrange({sizes})):
        image.store(place, ti.Vector([value, value, value, value]))
"""


def filled_texture(parameter, value: float) -> ti.Texture:
    fmt, sizes = parameter.image_format, ", ".join(map(str, parameter.image_extent))
    path = Path(f"fill_{parameter.ndim}_{fmt}.py")  # the compiler reads the source
    path.write_text(FILL.format(ndim=parameter.ndim, fmt=fmt, sizes=sizes))
    texture = ti.Texture(getattr(ti.Format, fmt), parameter.image_extent)
    importlib.import_module(path.stem).fill(texture, value)
    return texture


def run(kernel, model: KernelModel) -> dict[str, np.ndarray]:
    arguments = model.arguments()
    passed, booleans = [], []
    for parameter, value in zip(model.parameters, arguments, strict=True):
        if parameter.kind == "matrix":
            is_u1 = parameter.dtype == "u1"  # the compiler takes u1 matrices as integers only
            value = ti.Matrix((value * 1).tolist(), dt=ti.i32 if is_u1 else getattr(ti, parameter.dtype))
        elif parameter.kind == "scalar":
            value = value.item()
        elif parameter.is_texture:
            value = filled_texture(parameter, float(value))
        elif parameter.dtype == "u1":  # the compiler takes no numpy arrays of u1
            shape = value.shape[: parameter.ndim]
            array = ti.ndarray(element_type(parameter), shape)
            array.from_numpy(value)
            booleans.append((array, value))
            value = array
        passed.append(value)
    returned = kernel(*passed)
    ti.sync()
    for array, value in booleans:
        value[...] = array.to_numpy()
    results = {
        f"{model.number}/{i}": value
        for i, (parameter, value) in enumerate(zip(model.parameters, arguments, strict=True))
        if parameter.kind == "ndarray"
    }
    values = returned if len(model.returns) > 1 else [returned]
    for i, (value, wanted) in enumerate(zip(values, model.returns, strict=False)):
        numbers = value.to_numpy() if isinstance(value, ti.Matrix) else value
        results[f"{model.number}/r{i}"] = np.asarray(numbers, NUMPY[wanted.dtype]).reshape(wanted.elem_shape)
    return results


def main(name: str, folder: Path, run_kernels: bool) -> None:
    arch = getattr(ti, name)
    ti.init(arch=arch, offline_cache=False, log_level=ti.ERROR, cpu_max_num_threads=2)
    if ti.lang.impl.current_cfg().arch != arch:
        raise SystemExit(f"taichi cannot compile for {name} here")
    sys.path.insert(0, str(folder))
    os.chdir(folder)
    kernels = importlib.import_module("generated_kernels")
    wide = ["spirv_has_int8", "spirv_has_int16", "spirv_has_int64", "spirv_has_float16", "spirv_has_float64"]
    module = ti.aot.Module(arch, caps=wide if arch == ti.vulkan else [])
    models, errors = read_models(folder), {}
    for model in models:
        print(model.name, flush=True)  # in case the compiler crashes
        try:
            add_kernel(module, getattr(kernels, model.name), model)
            if model.in_graph:
                add_graph(module, getattr(kernels, model.name), model)
        except Exception:
            errors[model.number] = traceback.format_exc()
    module.archive(str(folder / "module.tcm"))
    results = {}
    for model in models:  # run kernels last: `add_kernel` would add a kernel that has run in another form
        if not run_kernels or model.number in errors or model.unsupported(name):
            continue
        print(model.name, flush=True)
        try:
            results |= run(getattr(kernels, model.name), model)
        except Exception:
            errors[model.number] = traceback.format_exc()
    np.savez(folder / "jit.npz", **results)
    (folder / "errors.json").write_text(json.dumps(errors))
    sys.stdout.flush()
    os._exit(0)  # the compiler may crash at exit


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), run_kernels=sys.argv[3:] != ["compile-only"])
    sys.stdout.flush()
    os._exit(0)  # the compiler's CUDA cleanup may abort at exit (cuMemFreeAsync)

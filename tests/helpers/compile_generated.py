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

from helpers.generated import NUMPY, KernelModel, read_models, twin
from helpers.graphs import array, graph, matrix, rw_texture, scalar, texture

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


def sample(parameter, annotation):
    """Return a sample argument, for kernels with incomplete annotations."""
    if parameter.kind == "argpack":
        return annotation(a=0, b=0)
    if parameter.kind == "ndarray":
        shape = (2,) * parameter.ndim
        return ti.ndarray(element_type(parameter), shape, needs_grad=parameter.needs_grad)
    if parameter.is_texture:
        return ti.Texture(getattr(ti.Format, parameter.image_format), parameter.image_extent)
    if parameter.kind == "matrix":
        return ti.Matrix(np.zeros(parameter.elem_shape).tolist(), dt=getattr(ti, parameter.dtype))
    return 0


def add_kernel(module, kernel, model: KernelModel) -> None:
    if not any(p.needs_grad or p.kind in ("struct", "argpack") for p in model.parameters):
        module.add_kernel(kernel)
        return
    # `add_kernel` takes samples for some kinds of parameters only; pass them for all.
    original = TAKES_SAMPLES.produce_injected_args_from_template
    TAKES_SAMPLES.produce_injected_args_from_template = lambda kernel, samples: list(samples.values())
    annotations = [argument.annotation for argument in kernel._primal.arguments]
    samples = {p.name: sample(p, each) for p, each in zip(model.parameters, annotations, strict=True)}
    try:
        module.add_kernel(kernel, template_args=samples)
    finally:
        TAKES_SAMPLES.produce_injected_args_from_template = original


def graph_argument(parameter, *, is_stored: bool):
    """Return a graph's argument. A texture may be stated as either kind, whatever the kernel takes (`is_stored`)."""
    if parameter.is_texture and is_stored:
        return rw_texture(parameter.name, getattr(ti.Format, parameter.image_format), parameter.ndim)
    if parameter.is_texture:
        return texture(parameter.name, parameter.ndim)
    if parameter.kind == "ndarray":
        return array(parameter.name, element_type(parameter), parameter.ndim)
    return (matrix if parameter.elem_shape else scalar)(parameter.name, element_type(parameter))


def add_graph(module, kernel, model: KernelModel) -> None:
    arguments = [graph_argument(p, is_stored=model.number % 2 == 0) for p in model.parameters]
    dispatches = [(kernel, *arguments)]
    if model.filled_texture:
        image = arguments[model.parameters.index(model.filled_texture)]
        dispatches.insert(0, (filling(model.filled_texture), image, scalar("texel")))
    module.add_graph(f"graph_{model.name}", graph(*dispatches))


FILL = """
import taichi as ti

@ti.kernel
def fill(image: ti.types.rw_texture(num_dimensions={ndim}, fmt=ti.Format.{fmt}, lod=0), value: ti.f32):
    for {index} in image:
        image.store(ti.Vector([{index}]), ti.Vector([value, value, value, value]))
"""


def filling(parameter):
    """Return a kernel that fills an image for the parameter, which must be an rw_texture with an extent."""
    fmt, index = parameter.image_format, ", ".join("ijk"[: parameter.ndim])
    path = Path(f"fill_{parameter.ndim}_{fmt}.py")  # the compiler reads the source
    path.write_text(FILL.format(ndim=parameter.ndim, fmt=fmt, index=index))
    return importlib.import_module(path.stem).fill


def filled_texture(parameter, value: float) -> ti.Texture:
    filled = ti.Texture(getattr(ti.Format, parameter.image_format), parameter.image_extent)
    filling(parameter)(filled, value)
    return filled


def run(kernel, model: KernelModel) -> dict[str, np.ndarray]:
    arguments = model.arguments()
    passed, booleans = [], []
    for parameter, value in zip(model.parameters, arguments, strict=True):
        if parameter.kind == "matrix":
            is_u1 = parameter.dtype == "u1"  # the compiler takes u1 matrices as integers only
            value = ti.Matrix((value * 1).tolist(), dt=ti.i32 if is_u1 else getattr(ti, parameter.dtype))
        elif parameter.kind == "scalar":
            value = value.item()
        elif parameter.kind == "struct":
            value = ti.Struct({name: number.item() for name, number in value.items()})
        elif parameter.is_texture:
            value = filled_texture(parameter, float(value))
        elif parameter.dtype == "u1":  # the compiler takes no numpy arrays of u1
            shape = value.shape[: parameter.ndim]
            flags = ti.ndarray(element_type(parameter), shape)
            flags.from_numpy(value)
            booleans.append((flags, value))
            value = flags
        passed.append(value)
    returned = kernel(*passed)
    ti.sync()
    for flags, value in booleans:
        value[...] = flags.to_numpy()
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


def start(name: str) -> None:
    """Start the compiler, and use the kernels of this folder."""
    arch = getattr(ti, name)
    ti.init(arch=arch, offline_cache=False, log_level=ti.ERROR, cpu_max_num_threads=2)
    if ti.lang.impl.current_cfg().arch != arch:
        raise SystemExit(f"taichi cannot compile for {name} here")


def compile_all(name: str, models: list[KernelModel]) -> dict[int, str]:
    """Compile the kernels into a module; return the compiler's errors by kernel."""
    start(name)
    ti.FieldsBuilder.finalize = ti.FieldsBuilder._finalize_for_aot  # CUDA would fill the fields, also without a device
    kernels = importlib.import_module("generated_kernels")
    wide = ["spirv_has_int8", "spirv_has_int16", "spirv_has_int64", "spirv_has_float16", "spirv_has_float64"]
    module = ti.aot.Module(getattr(ti, name), caps=wide if name == "vulkan" else [])
    errors: dict[int, str] = {}
    for model in models:
        print(model.name, flush=True)  # in case the compiler crashes
        try:
            add_kernel(module, getattr(kernels, model.name), model)
            if model.has_twin:
                add_kernel(module, getattr(kernels, twin(model).name), twin(model))
            if model.field and (name != "vulkan" or not model.field.inner):  # it describes no nested nodes there
                module.add_field(f"field_{model.number}", getattr(kernels, f"field_{model.number}"))
            if model.in_graph:
                add_graph(module, getattr(kernels, model.name), model)
        except Exception:
            errors[model.number] = traceback.format_exc()
    module.archive("module.tcm")
    return errors


def run_all(name: str, models: list[KernelModel]) -> dict[int, str]:
    """Run the kernels through the JIT; return its errors by kernel."""
    start(name)
    kernels = importlib.import_module("generated_kernels")
    results, errors = {}, {}
    for model in models:
        if model.unsupported(name) or (name != "vulkan" and any(p.uses_grad for p in model.parameters)):
            continue
        print(model.name, flush=True)
        try:
            results |= run(getattr(kernels, model.name), model)
        except Exception:
            errors[model.number] = traceback.format_exc()
    np.savez("jit.npz", **results)
    return errors


def run_in_a_child(name: str, models: list[KernelModel]) -> int:
    """Run the kernels in a process of their own: the compiler gives fields of a module no memory. Return its number."""
    number = os.fork()
    if number == 0:
        Path("jit_errors.json").write_text(json.dumps(run_all(name, models)))
        leave()
    return number


def main(name: str, folder: Path, run_kernels: bool) -> None:
    models = read_models(folder)
    sys.path.insert(0, str(folder))
    os.chdir(folder)
    np.savez("jit.npz")
    Path("jit_errors.json").write_text("{}")
    child = run_in_a_child(name, models) if run_kernels else 0  # before the compiler starts
    errors = compile_all(name, models)
    if child and os.waitpid(child, 0)[1] != 0:
        raise SystemExit("the JIT has crashed")
    Path("errors.json").write_text(json.dumps(json.loads(Path("jit_errors.json").read_text()) | errors))


def leave() -> None:
    sys.stdout.flush()
    os._exit(0)  # the compiler may crash at exit


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), run_kernels=sys.argv[3:] != ["compile-only"])
    leave()

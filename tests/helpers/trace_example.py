"""Run a program of ``taichi.examples`` through the JIT and trace its launches; tests run this as a child process.

    python -m helpers.trace_example ARCH PROGRAM FRAMES LAUNCHES OUT [MODULE]

The program is the file of the installed wheel, run as a script, with its windows replaced. It ends after FRAMES frames
or LAUNCHES launches. OUT gets the sequence of launches (kernel, arguments, then contents of arrays and return
values), what the program wrote into fields, and the final contents of all fields. MODULE gets the instances of
kernels that were launched, compiled ahead of time, with the accessors of all fields.
"""

import contextlib
import math
import os
import pickle
import random
import runpy
import sys
import time
from pathlib import Path

import numpy as np
import taichi as ti
from taichi.aot.utils import produce_injected_args
from taichi.lang import impl
from taichi.lang.field import ScalarField, SNodeHostAccessor
from taichi.lang.kernel_impl import Kernel
from taichi.types.annotations import template

from helpers.screens import EndOfExample, Screen, install
from taichi_aot import Arch, DataType
from taichi_aot.adopt._make import module_files, parse_own
from taichi_aot.build._archs import TARGETS
from taichi_aot.build.compile._fields import field_parts
from taichi_aot.bundle._info import FieldInfo

EXAMPLES = Path(ti.__file__).parent / "examples"
MOST_VALUES = 1 << 28  # values of a field; larger fields are not compared
CAPABILITIES = ["spirv_has_int8", "spirv_has_int16", "spirv_has_int64", "spirv_has_float16", "spirv_has_float64"]


class Tracer:
    """The launches of a program, in order, and its fields."""

    def __init__(self, launches):
        self.launches_left = launches
        self.tracing = True
        self.members = []  # members of all fields
        self.steps = []
        self.kernels = {}  # from compiled kernel to name
        self.graphs = {}
        self.arrays = {}  # id of an ndarray to its number, the ndarray, and its contents after the last launch

    def install(self):
        tracer = self
        create_member = impl.create_field_member
        launch_kernel = Kernel.launch_kernel
        init_accessor = SNodeHostAccessor.__init__
        run_graph = ti.graph.Graph.run

        def create_and_keep(*args, **kwargs):
            created = create_member(*args, **kwargs)
            tracer.members += [ScalarField(member) for member in created if member is not None]
            return created

        def launch(self, t_kernel, *args):
            if not tracer.tracing:
                return launch_kernel(self, t_kernel, *args)
            name = tracer.kernels.setdefault(t_kernel, f"{self.func.__name__}_{len(tracer.kernels)}")
            passed = [
                value
                for value, parameter in zip(args, self.arguments, strict=True)
                if not isinstance(parameter.annotation, template)
            ]
            return tracer.launch("launch", name, passed, lambda: launch_kernel(self, t_kernel, *args))

        def run(self, args):
            name = tracer.graphs.setdefault(self, f"graph_{len(tracer.graphs)}")
            tracer.launch("graph", name, args, lambda: run_graph(self, args))

        def init_and_wrap(self, snode):
            init_accessor(self, snode)
            setter = self.setter

            def set_and_trace(value, *key):
                tracer.steps.append(("write", snode.id, key, value))
                setter(value, *key)

            self.setter = set_and_trace

        impl.create_field_member = create_and_keep
        Kernel.launch_kernel = launch
        SNodeHostAccessor.__init__ = init_and_wrap
        ti.graph.Graph.run = run

    def launch(self, kind, name, args, call):
        if self.launches_left == 0:
            raise EndOfExample
        self.launches_left -= 1
        named = args if isinstance(args, dict) else dict(enumerate(args))
        given = {key: self.before(value) for key, value in named.items()}
        result = call()
        after = {key: self.after(value) for key, value in named.items() if is_array(value)}
        self.steps.append((kind, name, given, after, plain(result)))
        return result

    def before(self, value):
        """Describe an argument: for an ndarray, its number and, if the host changed them, its contents."""
        if isinstance(value, np.ndarray):
            return ("array", None, value.copy())
        if not isinstance(value, ti.Ndarray):
            return ("value", plain(value))
        number, _, known = self.arrays.setdefault(id(value), (len(self.arrays), value, None))
        contents = self.contents(value)
        changed = known is None or not np.array_equal(contents, known, equal_nan=contents.dtype.kind == "f")
        return ("array", number, contents if changed else None)

    def after(self, value):
        if isinstance(value, np.ndarray):
            return value.copy()
        contents = self.contents(value)
        self.arrays[id(value)] = (*self.arrays[id(value)][:2], contents)
        return contents

    def contents(self, array):
        self.tracing = False
        try:
            return array.to_numpy()
        finally:
            self.tracing = True


def is_array(value):
    return isinstance(value, np.ndarray | ti.Ndarray)


def plain(value):
    """Convert a value to plain Python, without Taichi's classes."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, ti.Matrix):
        return value.to_numpy()
    if value is None or isinstance(value, bool | int | float | np.number):
        return value
    raise SystemExit(f"arguments of {type(value)} are not traced")


def field_names(members):
    """Return the fields by name, except those too large for an array, such as sparse ones."""
    named = {}
    for member in members:
        node = member.vars[0].ptr.snode()
        if node is None:
            continue
        if math.prod(member.shape) > MOST_VALUES:
            print(f"too large to compare: {member.shape} at {node.id}")
            continue
        named[f"field{node.id}"] = member
    return named


def make_parts(fields, target):
    """Make the fields that a module can contain, with accessors; SPIR-V modules cannot have later trees."""
    for name, member in fields.items():
        if target.has_field_trees or not member.snode.ptr.get_snode_tree_id():
            yield from field_parts(name, member, target)


def compile_module(tracer, parts, arch, folder):
    """Compile the traced instances, without `ti.aot.Module`, which must exist before the first launch."""
    program = impl.get_runtime().prog
    builder = program.make_aot_module_builder(arch, CAPABILITIES if arch == ti.vulkan else [])
    kernels = {name: t_kernel for t_kernel, name in tracer.kernels.items()}
    for part in parts:
        node = part.field.snode
        if part.has_entry:
            builder.add_field(part.name, node.ptr, True, part.field.dtype, node.shape, 1, 1)
        for role, accessor in part.accessors.items():
            kernel = accessor._primal
            kernels[part.kernel(role)] = kernel.compiled_kernels[kernel.ensure_compiled(*produce_injected_args(kernel))]
    for name, t_kernel in kernels.items():
        builder.add(name, t_kernel)
    content = [f"kernel:{name}" for name in kernels]
    for graph, name in tracer.graphs.items():
        builder.add_graph(name, graph._compiled_graph)
        content.append(f"cgraph:{name}")
    folder.mkdir(parents=True)
    builder.dump(str(folder), "")
    (folder / "__content__").write_text("\n".join(content))
    (folder / "__version__").write_text(".".join(map(str, ti.__version__)))
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name, data in described_files(parse_own(str(folder), files), parts).items():
        (folder / name).write_bytes(data)


def described_files(module, parts):
    """Return the files of a module of which only the fields are described, so `AotModule.fields` finds accessors."""
    fields = [
        FieldInfo(
            part.name,
            DataType[part.dtype.upper()],
            part.shape,
            (),
            **{role: part.kernel(role) for role in part.accessors},
        )
        for part in parts
    ]
    return module_files(module._replace(description=module.info._replace(kernels={}, graphs={}, fields=tuple(fields))))


def run_example(program, arch, folder):
    init, ticks = ti.init, iter(range(1 << 40))

    def init_for_arch(*args, **kwargs):
        kwargs.pop("arch", None)
        init(
            *args[1:], arch=arch, **{**kwargs, "offline_cache": False, "cpu_max_num_threads": 1, "log_level": ti.ERROR}
        )
        if impl.current_cfg().arch != arch:
            raise SystemExit(f"taichi does not run {arch} here")

    ti.init = init_for_arch
    time.time = time.perf_counter = lambda: next(ticks) / 64
    time.time_ns = lambda: next(ticks) << 24
    os.chdir(folder)  # some programs write files
    random.seed(1)
    np.random.seed(1)
    path = EXAMPLES / f"{program}.py"
    sys.argv = [str(path)]
    sys.path.insert(0, str(path.parent))
    with contextlib.suppress(EndOfExample):
        runpy.run_path(str(path), run_name="__main__")


def main(arch_name, program, frames, launches, out, module=None):
    arch = getattr(ti, arch_name)
    tracer = Tracer(int(launches))
    tracer.install()
    install(ti, int(frames))
    run_example(program, arch, Path(out).parent)
    tracer.tracing = False
    ti.sync()
    fields = field_names(tracer.members)
    contents = {name: member.to_numpy() for name, member in fields.items()}
    places = {
        member.vars[0].ptr.snode().id: (name, len(member.shape), tuple(member.snode.ptr.offset))
        for name, member in fields.items()
    }
    if module:
        compile_module(tracer, list(make_parts(fields, TARGETS[Arch(arch_name)])), arch, Path(module))
    trace = {
        "frames": int(frames) - Screen.frames_left,
        "kernels": len(tracer.kernels),
        "graphs": len(tracer.graphs),
        "steps": tracer.steps,
        "fields": contents,
        "places": places,
    }
    Path(out).write_bytes(pickle.dumps(trace))
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])

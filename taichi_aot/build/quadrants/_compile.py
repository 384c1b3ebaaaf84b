"""The child process of a build that imports the user's source with ``quadrants``, and compiles its kernels."""

from __future__ import annotations

import importlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from ...driver._child import report
from ...values._numbers import Arch
from .. import _archs
from .._options import BuildError, option
from ..compile._compile import Request, answer_request, pack
from ..compile._fields import member_functions
from ..compile._session import (
    OPTION,
    SPIRV,
    Collector,
    asserts_of_modules,
    exact_matrices,
    set_options,
    without_real_functions,
)
from ..source._explain import Caution, Place, explain, has_assert, merge
from ..source._kernels import source_place
from ..source._source import EXPORTS, FIELDS, Export, import_source
from ._accessors import accessors_of, parts_of

CHECKED = "x64"  # the arch whose kernels can check
ADJOINT = "taichi_aot_grad_"  # the prefix of adjoints
THREADS = 16  # of loops, unless the source or an option says another number
CACHE = "kernel_compilation_manager"  # the folder in which Quadrants leaves its files
PART = "__qd_"  # before each part of the name of a member: __qd_NAME__qd_MEMBER


def main(values: tuple[Any, ...]) -> NoReturn:
    """Compile for a `Request`, answer, and end the process."""
    answer_request(values, _compile)


def _compile(request: Request) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return _compile_into(folder, request)


def _compile_into(folder: str, request: Request) -> dict[str, Any]:
    _archs.prepare()  # before anything imports quadrants
    qd = importlib.import_module("quadrants")
    session = _Session(qd, request, folder)
    _, files, main_file = import_source(request.source)
    session.require_contents(main_file)
    kernels = session.compile_all()
    description = {
        "taichi": "",
        "compiler": f"Quadrants {'.'.join(map(str, qd.__version__))}",
        "source": {"file": main_file, "sha256": files.digest(main_file)},
        "kernels": [each for each, _ in kernels if not each["name"].startswith("taichi_aot_")],
        "accessors": [each for each, _ in kernels if each["name"].startswith("taichi_aot_")],
        "graphs": [],
        "fields": session.fields,
        "nodes": session.nodes,
        "trees": session.trees(),
        "cpu_threads": session.threads,
    }
    return {
        "files": pack({each["name"]: data for each, data in kernels}),
        "tasks_before_passes": pack(session.tasks_before_passes()),
        "member_functions": session.member_functions(),
        "description": description,
        "folder": str(files.root),
        "sources": files.names(main_file),
        "warnings": merge(session.cautions),
    }


class _Session:
    """Quadrants, started for one arch whichever the source starts, and prevented from running kernels."""

    def __init__(self, qd: ModuleType, request: Request, folder: str) -> None:
        self._qd: Any = qd
        self._request = request
        self._folder = folder
        self._names: dict[int, str] = {}  # of the parameters of the kernel that is compiled, as code has them
        self._conditions: dict[int, bool] = {}  # whether they are ndarrays of one i32
        self._init = self._qd.init
        self._inits = 0
        self._target = _archs.TARGETS[Arch(request.arch)]
        self._grads = False  # whether arrays of floats have gradients: those of an adjoint
        self.threads = THREADS
        self.fields: list[dict[str, Any]] = []
        self.nodes: list[list[str]] = []  # of fields, as messages of checks name them, with the field
        self.cautions: list[Caution] = []
        self._impl: Any = importlib.import_module("quadrants.lang.impl")
        self._start()
        self._replace()

    def _start(self, **options: Any) -> None:
        self.threads = self._request.cpu_threads or options.pop("cpu_max_num_threads", None) or THREADS
        wants_checks = self._request.debug or options.get("debug", False)
        if wants_checks and self._request.start != CHECKED:
            subject = option("debug") if self._request.debug else "qd.init(debug=True)"
            text = f"is without effect on {self._request.arch}, whose kernels have no checks: test on the CPU"
            self.cautions = [Caution("debug", subject, text)]
        options |= {
            "debug": wants_checks and self._request.start == CHECKED,
            "cpu_max_num_threads": self.threads,
            "offline_cache": True,
            "offline_cache_file_path": self._folder,
            "enable_fallback": False,
            "src_ll_cache": False,
            "kernel_profiler": False,
            "num_compile_threads": 1,
            "log_level": "error",
            OPTION: self._request.has_machine_code,
        }
        self._init(arch=getattr(self._qd, self._request.start), **options)
        config = self._impl.current_cfg()
        set_options(config, exact_matrices(config))

    def _init_of_source(self, arch: Any = None, *arguments: Any, **options: Any) -> None:
        """Act as ``qd.init`` for the source: use its options but not its arch."""
        self._inits += 1
        if self._inits > 1 or self._impl.get_runtime().global_vars:
            raise BuildError("qd.init is called twice, or after fields are made, which would be lost. Call it first")
        names = ("default_fp", "default_ip")
        self._start(**dict(zip(names, arguments, strict=False)), **options)

    def _replace(self) -> None:
        for name in ("quadrants", "quadrants.lang", "quadrants.lang.misc"):
            importlib.import_module(name).init = self._init_of_source  # type: ignore[attr-defined]
        self._impl.qd_assert = asserts_of_modules(self._impl, self._impl.qd_assert)
        self._impl.call_internal = self._without_subgroups(self._impl.call_internal)
        if self._request.start == SPIRV:
            function = importlib.import_module("quadrants.lang.func").Func
            error = importlib.import_module("quadrants.lang.exception").QuadrantsSyntaxError
            function.__call__ = without_real_functions(function.__call__, error, "qd")
        importlib.import_module("quadrants.lang.kernel").Kernel.__call__ = _refuse_launch
        importlib.import_module("quadrants.lang.field").Field._initialize_host_accessors = _refuse_access
        core = importlib.import_module("quadrants._lib.core.quadrants_python").KernelCxx
        for method, place, prefix in (("insert_scalar_param", 1, ""), ("insert_ndarray_param", 2, "_")):
            setattr(core, method, self._noting(getattr(core, method), place, prefix))

    def _without_subgroups(self, call: Any) -> Any:
        """Return `call`, but for CUDA alone with operations of subgroups: elsewhere their code is wrong, or none."""

        def call_checked(name: str, *arguments: Any, **options: Any) -> Any:
            if name.startswith("subgroup") and self._request.start != "cuda":
                raise BuildError(f"operations of subgroups are for CUDA only: build without {self._request.arch}")
            return call(name, *arguments, **options)

        return call_checked

    def _noting(self, insert: Any, place: int, prefix: str) -> Any:
        """Return a method that records the name of each parameter, which code lacks."""

        def insert_noted(kernel: Any, *arguments: Any) -> Any:
            number = insert(kernel, *arguments)
            if number[0] == 0:
                self._names.clear()
            self._names[number[0]] = arguments[place].removeprefix(prefix)
            self._conditions[number[0]] = arguments[:2] == (self._qd.i32, 0)
            return number

        return insert_noted

    def require_contents(self, file: str) -> None:
        """Raise if the source exports nothing."""
        if not EXPORTS and not FIELDS:
            remedy = "write @export above a kernel (from taichi_aot.build import export)"
            raise BuildError(f"{file} exports nothing: {remedy}")
        kept = next((name for name, _, contents in FIELDS if contents), "")
        if kept:
            raise BuildError(f"field {kept}: contents=True is for fields of Taichi: write to it once it is loaded")

    def compile_all(self) -> list[tuple[dict[str, Any], bytes]]:
        """Compile the source's exports to a description and a file of Quadrants for each kernel."""
        exports = list(EXPORTS)
        for name, field in chain.from_iterable(parts_of(name, field) for name, field, _ in FIELDS):
            described, more = accessors_of(self._qd, name, field)
            self.fields.append(described)
            self.nodes += [[f"S{each.ptr.snode().id}place<{field.dtype}>", name] for each in field.vars]
            exports += [Export(function, each, {}, {}) for each, function in more.items()]
        exports += [
            replace(each, name=f"{ADJOINT}{each.name}", grad=False)
            for each in exports
            if each.grad and self._target.has_adjoints
        ]
        made: list[tuple[dict[str, Any], str]] = []
        total = len(exports)
        for done, export in enumerate(exports):
            report({"name": export.name, "what": f"kernel {export.name}", "done": done, "total": total})
            made.append(self._compile_one(export))
        self._impl.get_runtime().prog.dump_cache_data_to_disk()
        return [(described, Path(self._folder, CACHE, f"{key}.qdc").read_bytes()) for described, key in made]

    def _compile_one(self, export: Export) -> tuple[dict[str, Any], str]:
        is_adjoint = export.name.startswith(ADJOINT)
        title = f"gradient of {export.name.removeprefix(ADJOINT)}" if is_adjoint else f"kernel {export.name}"
        kernel: Any = getattr(export.function, "_adjoint" if is_adjoint else "_primal", None)
        if kernel is None:
            raise BuildError(f"{export.name} is exported and is no kernel: decorate it with @qd.kernel below @export")
        place = source_place(kernel)
        try:
            key = self._key(kernel, export, is_adjoint=is_adjoint)
        except Exception as error:
            raise explain(error, title, Place(place.file, place.line)) from None
        subject = f"{title} ({place.file}, line {place.line})"
        self.cautions += [] if is_adjoint else self._cautions_of(subject, kernel)
        parameters = [_parameter(self._names[number], export) for number in sorted(self._names)]
        described = {"name": export.name, "subject": subject, "doc": place.doc, "file": place.file, "line": place.line}
        grad = {"grad": f"{ADJOINT}{export.name}"} if export.grad else {}
        levels = [(each.cond_cpp_arg_id, each.parent_id) for each in kernel.graph_do_while_levels]
        if not all(self._conditions[number] for number, _ in levels):
            raise BuildError(f"{subject}: the condition of qd.graph.do_while is an ndarray of i32 with ndim=0")
        return {**described, **grad, "levels": levels, "parameters": parameters}, key

    def _cautions_of(self, subject: str, kernel: Any) -> Iterator[Caution]:
        if not self._impl.current_cfg().debug and self._request.start == CHECKED and has_assert(kernel.func):
            text = f"has an assert, which is left out: test a bundle that is built with {option('debug')}"
            yield Caution("assert", subject, text)
        if kernel.has_print and not self._target.prints:
            yield Caution("print", subject, f"prints nothing on {self._request.arch}: write the numbers to an ndarray")

    def _key(self, kernel: Any, export: Export, *, is_adjoint: bool) -> str:
        """Compile a kernel, without a launch; return what its file is named after."""
        if kernel.use_checkpoints:
            raise BuildError("it has checkpoints, which bundles cannot have: decorate it with @qd.kernel alone")
        runtime = self._impl.get_runtime()
        runtime.materialize()
        kernel.raise_on_templated_floats = self._impl.current_cfg().raise_on_templated_floats
        self._grads = is_adjoint
        owner = getattr(export.function, "instance", None)  # of a method
        given = export.template_types if owner is None else {**export.template_types, kernel.arg_metas[0].name: owner}
        samples = tuple(self._sample(each.name, each.annotation, given) for each in kernel.arg_metas)
        self._names.clear()
        key = kernel.ensure_compiled(*samples)
        arrays, values = kernel._struct_ndarray_launch_info_by_key, kernel._struct_primitive_launch_info_by_key
        for number, index, path, *_ in (*arrays.get(key, ()), *values.get(key, ())):  # members of objects
            outer = [] if owner is not None and index == 0 else [kernel.arg_metas[index].name]
            self._names[number] = ".".join([*outer, *path])
        prog = runtime.prog
        here = os.getcwd()
        os.chdir(self._folder)  # to which the compiler writes code before its passes
        try:
            compiled = prog.compile_kernel(prog.config(), prog.get_device_caps(), kernel.materialized_kernels[key])
        finally:
            os.chdir(here)
        return str(compiled.cache_key)

    def _sample(self, name: str, annotation: Any, given: Any) -> Any:
        """Make an argument of the type of a parameter. Compiling reads no data of it."""
        annotation, kind = given.get(name, annotation), type(annotation).__name__
        if kind == "BufferViewType":
            raise BuildError(
                f"parameter {name} is a BufferView, which bundles cannot have: pass the ndarray and numbers"
            )
        if type(annotation).__name__ == "NdarrayType":
            return self._array(name, annotation)
        if name in given:
            return getattr(annotation, "_unwrap", lambda: annotation)()  # the field of a qd.Tensor
        if kind in ("Template", "template") or annotation is getattr(self._qd, "Tensor", None):
            raise BuildError(f"parameter {name} needs a value: @export(template_types={{{name!r}: ...}})")
        if isinstance(annotation, type) and is_dataclass(annotation):
            hints = {each.name: each.type for each in fields(annotation)}
            return annotation(**{key: self._sample(f"{name}.{key}", each, given) for key, each in hints.items()})
        return 0

    def _array(self, name: str, annotation: Any) -> Any:
        dtype, ndim = annotation.dtype, annotation.ndim
        if dtype is None or ndim is None:
            raise BuildError(f"ndarray {name} needs its dtype and ndim: qd.types.ndarray(dtype=..., ndim=...)")
        is_real = getattr(dtype, "dtype", dtype) in (self._qd.f16, self._qd.f32, self._qd.f64)
        needs_grad = annotation.needs_grad or (self._grads and is_real and annotation.needs_grad is not False)
        if needs_grad and not self._target.has_adjoints:
            raise BuildError(
                f"ndarray {name} has needs_grad=True, for which modules for {self._request.arch} have no code"
            )
        return self._qd.ndarray(dtype, (1,) * ndim, needs_grad=needs_grad)

    def tasks_before_passes(self) -> dict[str, bytes]:
        """Return the code of tasks before the compiler's passes, by their names."""
        collector = Collector()
        collector.read(Path(self._folder))
        return collector.tasks

    def member_functions(self) -> str:
        return member_functions(self._impl.get_runtime().prog)

    def trees(self) -> dict[str, int]:
        """Return the bytes of each tree of fields."""
        prog = self._impl.get_runtime().prog
        return {str(i): int(prog.get_snode_root(i).cell_size_bytes) for i in range(prog.get_snode_tree_size())}


def _parameter(name: str, export: Export) -> dict[str, Any]:
    """Return a parameter: ``NAME.MEMBER`` for a member of a dataclass, which the compiler flattens."""
    if name.startswith(PART):
        name = ".".join(name.split(PART)[1:])
    return {"name": name} | ({"shape": list(export.shapes[name])} if name in export.shapes else {})


def _refuse_launch(kernel: Any, *arguments: Any, **named: Any) -> NoReturn:
    raise _at_import(f"launches kernel {kernel.func.__name__}")


def _refuse_access(field: Any) -> NoReturn:
    raise _at_import("reads or writes elements of a field")


def _at_import(what: str) -> BuildError:
    return BuildError(
        f'the source {what}. A build compiles without running anything: put this under `if __name__ == "__main__":`'
    )

"""Modules while they are collected and compiled: in a child process of a build, and in the user's own program."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from ...bundle._files import CONTENTS, CONTENTS_SUFFIX
from ...driver._host import require_space, temporary_folder
from ...values._errors import short
from ...values._numbers import Arch, DataType, numpy_dtype
from ...values._signature import is_name
from .._archs import FIELD, IMPL, TARGETS, TI
from .._options import BuildError, UnplacedError, option
from ..source._explain import (
    UNKNOWN,
    Caution,
    Numbers,
    Place,
    explain,
    has_assert,
    infinite,
    merge,
    overwritten,
    unchecked_sizes,
)
from ..source._kernels import (
    SourcePlace,
    adjoint_of,
    adjoint_samples,
    check_parameters,
    check_shapes,
    dtypes,
    float_arrays,
    gradients,
    is_method,
    make_samples,
    number_dtypes,
    packs_as_arguments,
    parameters,
    primal,
    require_types,
    source_place,
)
from ..source._recorder import FieldContents
from ..source._source import Export, Shape, read_shapes
from ._compiled import Compiled
from ._fields import FieldPart, field_parts, member_functions, tree_sizes
from ._session import Collector

RESERVED = "taichi_aot_"  # prefix of the accessors of fields
ADJOINT = f"{RESERVED}grad_"  # prefix of adjoints
COMPILED_NAME = re.compile(r".+_c\d+_\d+")  # Taichi's names for the kernels of graphs
MAX_NAME = 252  # bytes: the compiler names files after kernels, and adds .ll
MAX_FUNCTION_NAME = 230  # it also adds the numbers of the instance and of the task
MAX_FIELD_NAME = MAX_NAME - len("taichi_aot_scatter_")

ASSERTS = (
    "has an assert, which kernels check on the CPU and CUDA if they are built with {}: remove it, or test a bundle "
    "that is built so"
)
OVERWRITTEN = "overwrites {}, of which its adjoint needs the number before: write to another array"
GRADIENT = (
    "and its adjoint is not built: add grad=True to build it, or remove needs_grad. On Vulkan the gradient that the "
    "code itself uses is the array"
)
INFINITE = "has the number {}: ti.f64(...) keeps it, for variables and arrays of f64"
DEBUG = "is without effect on {}, whose kernels have no checks: test on the CPU or CUDA"


class Builder:
    """Kernels, graphs and fields that Taichi compiles into one module, in the process that has the source.

    The methods have the names and arguments of those of ``ti.aot.Module``. They compile immediately, so exceptions
    point to the line that adds a kernel.
    """

    def __init__(
        self,
        arch: Arch,
        caps: Sequence[str],
        progress: Callable[[str, str], None] | None = None,
        *,
        debug: bool = False,
        has_machine_code: bool = False,
    ) -> None:
        self.arch = arch  # the target
        self._progress = progress  # called with the name of what is compiled, and its name for messages
        self._debug = debug  # whether the build was asked for checks
        self._target = TARGETS[arch]
        self._caps = list(caps)  # the capabilities that SPIR-V code may use, in the compiler's form
        self._collector = Collector() if has_machine_code else None
        self._cautions: list[Caution] = []
        self._parameters: dict[str, list[dict[str, Any]]] = {}  # descriptions, by Taichi's name of the kernel
        self._content: list[str] = []
        self._kernels: list[dict[str, Any]] = []
        self._graphs: list[dict[str, Any]] = []
        self._fields: dict[str, Any] = {}
        self._described_fields: list[dict[str, Any]] = []
        self._contents: dict[str, bytes] = {}  # of fields, by the name of the file
        self._names: dict[str, str] = {}

    def add_kernel(
        self,
        kernel_fn: Callable[..., Any],
        template_args: Mapping[str, Any] | None = None,
        name: str | None = None,
        *,
        shapes: Mapping[str, Shape] | None = None,
        grad: bool = False,
    ) -> None:
        """Compile a kernel, with the options of `export`."""
        kernel = primal(kernel_fn)
        name = str(kernel.func.__name__) if name is None else name
        with _explained(f"kernel {name}", source_place(kernel)):
            self._take_name("kernel", name)
        with self._freed_by_failure(name):
            stated = read_shapes(f"kernel {name}", shapes or {}, parameters(kernel))
            self._add(Export(kernel_fn, name, stated, template_args or {}, grad))

    def state_instance(self, of: str, parameters: Sequence[str], values: Mapping[str, Any]) -> None:
        """State what the last kernel is an instance of."""
        self._kernels[-1]["instance"] = {"of": of, "parameters": list(parameters), "values": dict(values)}

    @contextmanager
    def add_kernel_template(self, kernel_fn: Callable[..., Any]) -> Generator[KernelTemplate]:
        """Compile a kernel once for each ``instantiate(a=x)`` in the block, named ``kernel|a=x,`` on every arch.

        Each value is a number, or a field from `add_field`, whose name becomes part of the kernel's name.
        """
        yield KernelTemplate(self, kernel_fn)

    def add_graph(self, name: str, graph: Any) -> None:
        """Add a compute graph, the result of ``ti.graph.GraphBuilder().compile()``."""
        if not isinstance(graph, TI.graph.Graph):
            raise BuildError(f"graph {name} is a {type(graph).__name__}: add what GraphBuilder.compile() returns")
        self._take_name("graph", name)
        builder = self._builder
        what = f"graph {name}"
        with self._freed_by_failure(name), self._compiling(name, what), _explained(what, None, self._numbers({})):
            builder.add_graph(name, graph._compiled_graph)
        self._content.append(f"cgraph:{name}")
        self._graphs.append({"name": name, "doc": "", "parameters": []})

    def add_field(self, name: str, field: Any, *, contents: bool = False) -> None:
        """Add a field with its accessors, the kernels with which the host reads and writes it.

        The members of a struct field are called ``NAME.MEMBER``. `contents`: whether the field begins with the numbers
        that it has, instead of zeros.
        """
        self._take_name("field", name)
        with self._compiling(name, f"field {name}"):
            with self._freed_by_failure(name):
                parts = list(field_parts(name, field, self._target))
            self._fields[name] = field
            for part in parts:
                self._add_part(part)
        if contents:
            for part, described in zip(parts, self._described_fields[-len(parts) :], strict=True):
                self._add_contents(part, described)

    def _add_contents(self, part: FieldPart, described: dict[str, Any]) -> None:
        """Add the numbers of a field, and a warning about those that are lost."""
        found, loss = self._numbers_of(part)
        if loss:
            self._cautions.append(Caution("contents", f"field {part.name}", loss))
        if found is not None and found.any() and "set" in part.accessors:
            data = np.ascontiguousarray(found, f"<{found.dtype.str[1:]}").tobytes()
            name = f"{CONTENTS}{sha256(data).hexdigest()[:32]}{CONTENTS_SUFFIX}"  # equal contents have one file
            self._contents[name] = data
            described["contents"] = name

    def _numbers_of(self, part: FieldPart) -> tuple[npt.NDArray[Any] | None, str]:
        """Return the numbers of a field, and a clause about those that are not known: Taichi has all."""
        return part.field.to_numpy(numpy_dtype(DataType(part.dtype))), ""

    def _compiled(self, file: str, digest: str) -> Compiled:
        """Return the compiler's output, once; nothing can be added afterwards."""
        version = ".".join(map(str, TI.__version__))
        if (self._debug or IMPL.current_cfg().debug) and not self._target.has_checks:
            subject = option("debug") if self._debug else "ti.init(debug=True)"
            self._cautions.append(Caution("debug", subject, DEBUG.format(self.arch)))
        with temporary_folder() as folder:
            self._builder.dump(str(folder), "")
            require_space(folder)  # the compiler does not say that its files are cut off
            files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        files["__content__"] = "\n".join(self._content).encode()
        files["__version__"] = version.encode()
        description = {
            "taichi": version,
            "source": {"file": file, "sha256": digest},
            "seed": IMPL.current_cfg().random_seed,
            "kernels": self._kernels,
            "graphs": self._graphs,
            "fields": self._described_fields,
        }
        sizes = tree_sizes() if self._target.packs_fields and self._target.has_field_trees else []
        return Compiled(
            self.arch,
            files,
            description,
            self._parameters,
            merge(self._cautions),
            tree_sizes=sizes,
            tasks_before_passes=self._collector.tasks if self._collector is not None else {},
            member_functions=member_functions(IMPL.get_runtime().prog),
            contents=self._contents,
        )

    @cached_property
    def _builder(self) -> Any:
        """Taichi's object, made when all fields of the module have places in memory."""
        runtime = IMPL.get_runtime()
        runtime.materialize()
        builder = runtime.prog.make_aot_module_builder(IMPL.current_cfg().arch, self._caps)
        return builder if self._collector is None else self._collector.collecting(builder)

    def _instance(self, kernel: Any, samples: Sequence[Any]) -> Any:
        """Compile the instance of a kernel for arguments of these types."""
        # Not `kernel.kernel_cpp` like `ti.aot.Module`: it is the instance that was compiled last.
        return kernel.compiled_kernels[kernel.ensure_compiled(*samples)]

    def _numbers(self, dtypes: Mapping[str, str]) -> Numbers:
        given = [each.removesuffix("=1").removeprefix("spirv_has_") for each in self._caps if each.endswith("=1")]
        return Numbers(dtypes, str(self.arch), given)

    def _compiling(self, name: str, what: str) -> AbstractContextManager[None]:
        """Return the context in which a kernel, graph or field is compiled; `what` is its name for messages."""
        if self._progress is not None:
            self._progress(name, what)
        return nullcontext()

    def _add(self, export: Export) -> None:
        kernel = primal(export.function)
        own = [adjoint_of(export.function)] if export.grad and self._target.has_adjoints else []
        with packs_as_arguments(kernel, *own):
            self._compile(export, kernel)

    def _compile(self, export: Export, kernel: Any) -> None:
        name, stated, grad = export.name, export.shapes, export.grad
        place = source_place(kernel)
        owner = getattr(export.function, "_kernel_owner", None) if is_method(kernel) else None  # of a bound method
        title = f"kernel {name}"
        subject = f"{title} ({place.file}, line {place.line})"
        with _explained(title, place):
            given = self._given(export, kernel, owner)
            check_parameters(kernel, self._target, given)
            check_shapes(kernel, stated, given)
        builder = self._builder  # errors of fields are not those of the kernel
        numbers = self._numbers({f"parameter {each}": dtype for each, dtype in dtypes(kernel, given).items()})
        with self._compiling(name, subject), _explained(title, place, numbers):
            if self._target.uses_caps:  # the compiler checks only the types of what a kernel reads
                numbers.require(number_dtypes(kernel))
            builder.add(name, self._instance(kernel, make_samples(kernel, given, owner)))
            if grad:
                _require_short("the kernel", f"{ADJOINT}{name}", MAX_NAME)
                samples = adjoint_samples(kernel, given, owner)
                if self._target.has_adjoints:
                    builder.add(f"{ADJOINT}{name}", self._instance(adjoint_of(export.function), samples))
        self._cautions += self._cautions_of(export, kernel, subject, given)
        self._content.append(f"kernel:{name}")
        if grad and self._target.has_adjoints:
            self._content.append(f"kernel:{ADJOINT}{name}")
        described = [
            {"name": parameter, **({"shape": list(stated[parameter])} if parameter in stated else {})}
            for parameter in parameters(kernel)
        ]
        self._parameters.setdefault(f"{kernel.func.__name__}_c{kernel.kernel_counter}", described)
        self._kernels.append(
            {"name": name, "doc": place.doc, "file": place.file, "line": place.line, "parameters": described}
            | ({"grad": f"{ADJOINT}{name}"} if grad else {})
        )

    def _cautions_of(self, export: Export, kernel: Any, subject: str, given: Mapping[str, Any]) -> Iterator[Caution]:
        for name in [] if export.grad else gradients(kernel):
            yield Caution("gradient", subject, f"has an array with a gradient, {name}, {GRADIENT}")
        if export.grad and (element := overwritten(kernel.func, float_arrays(kernel, given))):
            yield Caution("gradient", subject, OVERWRITTEN.format(element))
        if reason := unchecked_sizes(kernel, export.shapes, given):
            yield Caution("shapes", subject, reason)
        if not (self._debug or IMPL.current_cfg().debug) and has_assert(kernel.func):
            yield Caution("assert", subject, ASSERTS.format(option("debug")))
        if number := infinite(kernel.func, dtypes(kernel, given), str(IMPL.get_runtime().default_fp)):
            yield Caution("infinity", subject, INFINITE.format(number))
        if kernel.has_print and not self._target.prints:
            yield Caution("print", subject, f"prints nothing on {self.arch}: write the numbers to an ndarray")

    def _given(self, export: Export, kernel: Any, owner: Any) -> dict[str, Any]:
        """Return the values of template parameters, with the object of a method."""
        if is_method(kernel) and owner is None:
            raise BuildError(
                "it is a method: add it in a function build(module) as that of an object, "
                "module.add_kernel(object.method)"
            )
        require_types(kernel.func)
        _require_short("the kernel", export.name, MAX_NAME)
        _require_short("the function of a kernel,", kernel.func.__name__, MAX_FUNCTION_NAME)
        return {**export.template_types, **({kernel.arguments[0].name: owner} if owner is not None else {})}

    def _add_part(self, part: FieldPart) -> None:
        field, node = part.field, part.field.snode
        _require_short("field", part.name, MAX_FIELD_NAME)
        if part.has_entry:
            is_scalar = isinstance(field, FIELD.ScalarField)
            rows, columns = (1, 1) if is_scalar else (field.n, field.m)
            # Columns before rows, as in Taichi's own call.
            self._builder.add_field(part.name, node.ptr, is_scalar, field.dtype, node.shape, columns, rows)
        if not part.accessors:
            text = "has no accessors, because it is too large for an ndarray: read and write it by kernels of your own"
            self._cautions.append(Caution("accessors", f"field {part.name}", text))
        for role, accessor in part.accessors.items():
            kernel, name = primal(accessor), part.kernel(role)
            with _explained(f"field {part.name}", None, self._numbers({"it": part.dtype})):
                self._builder.add(name, self._instance(kernel, make_samples(kernel, {})))
            self._content.append(f"kernel:{name}")
        self._described_fields.append(part.description())

    def _take_name(self, kind: str, name: str) -> None:
        if not isinstance(name, str):
            raise BuildError(f"the name of a {kind} is a string, not {name!r}")
        if not is_name(name):
            raise BuildError(
                f"{name!r} cannot be the name of a {kind}: it is a keyword of Python, or not an identifier"
            )
        if name.startswith(RESERVED):
            raise BuildError(f"names such as {name}, which begin with {RESERVED}, are reserved: give it another name")
        if COMPILED_NAME.fullmatch(name):
            raise BuildError(f"Taichi gives compiled kernels names such as {name}: give it another name")
        if name in self._names:
            raise BuildError(
                f"the module has a {self._names[name]} {name} already, and a {kind} cannot have the same name: "
                "give one of them another name"
            )
        self._names[name] = kind

    @contextmanager
    def _freed_by_failure(self, name: str) -> Generator[None]:
        """Free a name if the block fails, so that the user can correct the kernel and add it again."""
        try:
            yield
        except BaseException:
            del self._names[name]
            raise


def _require_short(what: str, name: str, limit: int) -> None:
    size = len(name.encode())
    if size > limit:
        raise BuildError(
            f"{what} {short(name)} has a name of {size} bytes, and the file named after it allows {limit}: "
            "give it a shorter name"
        )


@contextmanager
def _explained(what: str, place: SourcePlace | None, numbers: Numbers = UNKNOWN) -> Generator[None]:
    """Let errors begin with what is compiled, the file and the line, without the compiler's own frames."""
    try:
        yield
    except UnplacedError:
        raise
    except Exception as error:
        cause = error if IMPL.get_runtime().print_full_traceback else None
        raise explain(error, what, place and Place(place.file, place.line), numbers) from cause


class KernelTemplate:
    """A kernel with template parameters, from `Module.add_kernel_template`."""

    def __init__(self, module: Builder, kernel_fn: Callable[..., Any]) -> None:
        self._module = module
        self._kernel_fn = kernel_fn

    def instantiate(self, **kwargs: Any) -> None:
        """Compile the kernel with these values of its template parameters."""
        kernel = self._kernel_fn.__name__
        values = "".join(f"{key}={self._value(kernel, key, value)}," for key, value in kwargs.items())
        name = f"{kernel}|{values}"
        if name in self._module._names:
            raise BuildError(f"kernel {kernel} is instantiated twice with {values.rstrip(',')}")
        self._module._names[name] = "kernel"
        with self._module._freed_by_failure(name):
            self._module._add(Export(self._kernel_fn, name, {}, kwargs))

    def _value(self, kernel: str, key: str, value: Any) -> str:
        if isinstance(value, (bool, int, float)):
            return str(value)
        field = next((name for name, each in self._module._fields.items() if each is value), None)
        if field is None:
            raise BuildError(
                f"kernel {kernel}: the value of {key} is neither a number nor a field that add_field added"
            )
        return field


class SourceBuilder(Builder):
    """The module that a build writes, and that ``build(module)`` in the user's file gets.

    `written`: what the source has written into its fields. The other parameters are those of `Builder`.
    """

    def __init__(self, written: FieldContents, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._written = written
        self._kept: list[tuple[FieldPart, dict[str, Any]]] = []  # fields that are added with their numbers

    def _numbers_of(self, part: FieldPart) -> tuple[npt.NDArray[Any] | None, str]:
        return self._written.of(part.field), self._written.line_of_loss(part.field)

    def _add_contents(self, part: FieldPart, described: dict[str, Any]) -> None:
        self._kept.append((part, described))  # the source may write more

    def require_kept(self) -> None:
        """Raise if the source has written into a field that is added without its numbers, or not at all."""
        self._written.require_kept([part.field for part, _ in self._kept])

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return not self._names

    def compiled(self, file: str, digest: str) -> Compiled:
        """Return the compiler's output; see `Compiled`."""
        for each in self._kept:
            super()._add_contents(*each)
        return self._compiled(file, digest)

    def save(self, filepath: str) -> None:
        """Raise BuildError: the build writes the module."""
        raise BuildError("the build writes the module once it is complete: remove module.save() from build(module)")

    def archive(self, filepath: str) -> None:
        """Raise BuildError: the build writes the module."""
        raise BuildError("the build writes the module once it is complete: remove module.archive() from build(module)")

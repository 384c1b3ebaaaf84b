"""Taichi in a child process: started for one arch, and prevented from running kernels; what builds change in it.

Loops are compiled for any number of threads, which the compiler would limit to this machine's cores. A loop with
constant bounds is refused if it is too long: the compiler casts numbers to i32, so it would run nothing. The compiler
writes the code of CPU kernels before its passes to files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn

from ...driver._host import temporary_folder
from .._archs import AOT_EXPORT, AOT_MODULE, BUILDER, CORE, EXCEPTION, FIELD, GRAPH, IMPL, KERNEL, LANG, MISC, TI
from .._options import BuildError, UnavailableError, UnplacedError, option
from ..source._explain import Place, explain, traced_places
from ..source._kernels import primal, require_types, source_place, why_untyped
from ..source._recorder import Elements, FieldContents, Recorder, at_import
from ..source._source import EXPORTS, Export, is_of_source

SPIRV = "vulkan"  # the arch for which a compiler starts to generate SPIR-V


def exact_matrices(config: Any) -> dict[str, bool]:
    """Return options without which a copied element of a vector may follow later assignments to the vector.

    Code with checks keeps its vectors: messages about elements of scalarized ones have no line.
    """
    return {"cfg_optimization": False} if config.debug else {"force_scalarize_matrix": True}


def set_options(config: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Set options of the compiler; return what they were before."""
    own = {name: getattr(config, name) for name in options}
    for name, value in options.items():
        setattr(config, name, value)
    return own


def asserts_of_modules(impl: Any, make: Any) -> Any:
    """Return the replacement of the compiler's function for asserts; `impl` is its module.

    Without ``debug`` the JIT does not report asserts, but code of LLVM has them. The condition is computed before, so
    what it changes is changed on every arch.
    """

    def make_assert(condition: Any, message: str, arguments: Any, place: Any) -> None:
        number = impl.Expr(condition)  # which raises for what is none, also where the assert is left out
        if impl.current_cfg().debug:
            make(number, f"{message}\n{place.tb}", arguments, place)  # as in the compiler's messages about indices

    return make_assert


def without_real_functions(call: Any, error: Callable[[str], Exception], alias: str) -> Any:
    """Return the replacement for ``__call__`` of the compiler's functions, for SPIR-V, which has only inlined ones.

    The compiler fails where a result is used, and leaves the call out where none is.
    """

    def call_inlined(function: Any, *arguments: Any, **named: Any) -> Any:
        if function.is_real_function:
            raise error(
                f"SPIR-V cannot have {function.func.__name__}, which is a {alias}.real_func: make it a {alias}.func, "
                f"or {option('others')}"
            )
        return call(function, *arguments, **named)

    return call_inlined


# Loops as they are compiled: their number of threads, which the compiler would limit to this machine's cores.


DEFAULT_CPU_THREADS = 16
LOOPS = (
    "begin_frontend_range_for",
    "begin_frontend_struct_for_on_external_tensor",
    "begin_frontend_struct_for_on_snode",
    "begin_frontend_mesh_for",
)
OF_CONSTANTS = ("make_const_expr_int", "value_cast")  # functions of the compiler
LEAST, MOST = -(1 << 31), (1 << 31) - 1
TOO_LONG = "a loop from {:,} to {:,} has too many iterations: it counts with i32, at most 2,147,483,647"


class StatedThreads:
    """A context in which each loop that is compiled states its number of threads."""

    def __init__(self, threads: int) -> None:
        self.threads = threads  # the number for loops that do not state their own by ``ti.loop_config``
        self._is_stated = False  # by ti.loop_config before the loop
        self._own: dict[str, Any] = {}
        self._functions: dict[str, Any] = {}
        self._constants: dict[int, tuple[int, Any]] = {}  # since the last loop, by address, with their expressions

    def __enter__(self) -> None:
        builder = CORE.ASTBuilder
        self._own = {name: getattr(builder, name) for name in ("parallelize", *LOOPS)}
        builder.parallelize = self._stating_by_source()
        for name in LOOPS:
            setattr(builder, name, self._stating(self._own[name]))
        self._functions = {name: getattr(CORE, name) for name in OF_CONSTANTS}
        CORE.make_const_expr_int = self._noting(self._functions["make_const_expr_int"], lambda given: given[1])
        CORE.value_cast = self._noting(self._functions["value_cast"], lambda given: self._value(given[0]))

    def __exit__(self, *error: object) -> None:
        for name, own in self._own.items():
            setattr(CORE.ASTBuilder, name, own)
        for name, own in self._functions.items():
            setattr(CORE, name, own)
        self._constants.clear()

    def _value(self, expression: Any) -> int | None:
        """Return the value of an expression, if it is a constant."""
        value, _ = self._constants.get(expression.get_underlying_ptr_address(), (None, None))
        return value

    def _noting(self, function: Any, value_of: Callable[[tuple[Any, ...]], int | None]) -> Any:
        """Let a function of the compiler that makes an expression note its value, if its arguments have one."""

        def noting(*arguments: Any) -> Any:
            made = function(*arguments)
            value = value_of(arguments)
            if value is not None:
                self._constants[made.get_underlying_ptr_address()] = value, made
            return made

        return noting

    def _stating_by_source(self) -> Any:
        def parallelize(builder: Any, threads: int) -> None:
            self._is_stated = True
            self._own["parallelize"](builder, threads)

        return parallelize

    def _stating(self, begin: Any) -> Any:
        def begin_loop(builder: Any, *arguments: Any) -> Any:
            if not self._is_stated:
                self._own["parallelize"](builder, self.threads)
            self._is_stated = False
            bounds = [self._value(each) for each in arguments if isinstance(each, CORE.Expr)]
            self._constants.clear()
            known = [each for each in bounds if each is not None]
            if len(known) == 2 and not (LEAST <= known[0] <= MOST and known[1] <= MOST and known[1] - known[0] <= MOST):
                raise TI.TaichiSyntaxError(TOO_LONG.format(*known))
            return begin(builder, *arguments)

        return begin_loop


# The code of CPU kernels before the compiler's passes, which it writes to files.


OPTION, FILES = "print_kernel_llvm_ir", "*_kernel_generic_llvm_ir_*.ll"
TASK = re.compile(rb'^define void @(?:([\w.$-]+)|"([^"\n]*)")\(', re.M)  # a file has one
ESCAPED = re.compile(rb"\\([0-9A-F]{2})")  # a byte of a name in quotation marks
COMPILING = ("add", "add_graph", "add_field", "dump")  # methods of the compiler's object for modules
LEVELS = ("trace", "debug", "info", "warn", "error", "critical")


class Collector:
    """Collects the code of kernels that the compiler compiles.

    The compiler writes files to the current folder, so it is in a folder of its own while it compiles. If it compiles
    on several threads, two tasks of a kernel may write to one file, which then lacks the name of one.
    """

    def __init__(self) -> None:
        self.tasks: dict[str, bytes] = {}  # the code of each task by its name, unless two have the same name
        self._ambiguous: set[str] = set()

    def collecting(self, builder: Any) -> Any:
        """Return an object with the methods of the compiler's module object, which collects compiled kernels."""
        return SimpleNamespace(**{name: self._collecting(getattr(builder, name)) for name in COMPILING})

    def _collecting(self, method: Callable[..., Any]) -> Any:
        def collect(*arguments: Any) -> Any:
            with temporary_folder() as folder:
                with _written(folder):
                    made = method(*arguments)
                self.read(folder)
            return made

        return collect

    def read(self, folder: Path) -> None:
        """Collect what the compiler has written to a folder."""
        for path in sorted(folder.glob(FILES)):
            code = path.read_bytes()
            names = [
                plain or ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), quoted)
                for plain, quoted in TASK.findall(code)
            ]
            for name in map(bytes.decode, names):
                if len(names) != 1 or self.tasks.setdefault(name, code) != code:
                    self._ambiguous.add(name)
        for name in self._ambiguous:
            self.tasks.pop(name, None)


@contextmanager
def _written(folder: Path) -> Generator[None]:
    """Make the compiler write its output to a folder, without a message for each file."""
    config = IMPL.current_cfg()
    own = getattr(config, OPTION)
    level = next((each for each in LEVELS if CORE.logging_effective(each)), LEVELS[-1])
    here = os.getcwd()
    os.chdir(folder)
    try:
        setattr(config, OPTION, True)
        if LEVELS.index(level) < LEVELS.index("warn"):
            CORE.set_logging_level("warn")
        yield
    finally:
        setattr(config, OPTION, own)
        CORE.set_logging_level(level)
        os.chdir(here)


# Taichi in a child process: started for one arch, and prevented from running kernels.


RESET = "the source calls ti.reset(): the kernels and fields before it would be lost. Remove it"
MODULE = (
    "the source makes a ti.aot.Module itself. The build does this: decorate kernels with @taichi_aot.build.export, or "
    "add them in a function build(module)"
)


class Session:
    """A Taichi program for one arch, whichever the user's source starts."""

    def __init__(
        self, start: str, cpu_threads: int | None, recorder: Recorder | None = None, *, debug: bool = False
    ) -> None:
        self.start: Any = getattr(TI, start)  # Taichi's name of the arch
        self._cpu_threads = cpu_threads  # threads of loops; by default the number in the source
        self._recorder = recorder  # records what the source runs; by default it may not run anything
        self.written = FieldContents() if recorder is None else recorder.contents  # what the source writes into fields
        self._debug = debug  # whether kernels check indices and asserts, even if the source does not say so
        self._inits = 0
        self._loops = StatedThreads(DEFAULT_CPU_THREADS)
        self._init = TI.init
        if self.start != CORE.host_arch() and not MISC.is_arch_supported(self.start):
            raise UnavailableError(f"taichi does not find a device for {CORE.arch_name(self.start)} on this machine")
        self._start()
        self._replace()

    def exports(self) -> list[Export]:
        """Return the kernels with an export decorator, in the order of their definitions."""
        found = [Export(each.kernel, each.name, {}, each.template_types) for each in AOT_EXPORT._aot_kernels] + EXPORTS
        return sorted(found, key=lambda each: int(primal(each.function).kernel_counter))

    def graphs(self, source: ModuleType) -> dict[str, Any]:
        """Return the compiled graphs in the variables of a module; a graph with several names has the first."""
        found: dict[str, Any] = {}
        for name, value in vars(source).items():
            if isinstance(value, TI.graph.Graph) and not any(value is graph for graph in found.values()):
                found[name] = value
        return found

    def _start(self, **options: Any) -> None:
        own = options.pop("cpu_max_num_threads", None)
        self._loops.threads = self._cpu_threads or own or DEFAULT_CPU_THREADS
        fixed = {"offline_cache": False, "enable_fallback": False, "kernel_profiler": False, "num_compile_threads": 1}
        options |= {"cpu_max_num_threads": self._loops.threads, **fixed}
        if self._debug:
            options["debug"] = True
        self._init(arch=self.start, **options)
        config = IMPL.current_cfg()
        if config.arch != self.start:
            raise UnavailableError(f"taichi does not start for {CORE.arch_name(self.start)} on this machine")
        set_options(config, exact_matrices(config))

    def _replace(self) -> None:
        """Replace functions of Taichi: keep the arch, and do not run kernels."""
        for module in (TI, LANG, MISC):
            module.init = self._init_of_source
        self._loops.__enter__()  # for the rest of the process
        IMPL.PyTaichi._check_field_not_placed = _require_placed
        IMPL.ti_assert = asserts_of_modules(IMPL, IMPL.ti_assert)
        if CORE.arch_name(self.start) == SPIRV:
            KERNEL.Func.__call__ = without_real_functions(KERNEL.Func.__call__, EXCEPTION.TaichiSyntaxError, "ti")
        for kind in (KERNEL.Kernel, KERNEL.Func):
            kind.extract_arguments = _explaining_types(kind.extract_arguments)
        if self._recorder is None:
            _refuse_to_run(self.written)
        else:
            self._recorder.replace()

    def _init_of_source(self, arch: Any = None, *arguments: Any, **options: Any) -> None:
        """Act as ``ti.init`` for the user's source: use its options but not its arch."""
        self._inits += 1
        if self._recorder is not None:
            self._recorder.require_empty("ti.init", _has_contents())
        elif self._inits > 1:
            raise BuildError("ti.init is called twice: kernels and fields of the first would be lost. Call it once")
        elif _has_contents():
            raise BuildError("ti.init is called after fields or graphs are created; they would be lost. Call it first")
        names = ("default_fp", "default_ip", "_test_mode", "enable_fallback", "require_version")
        self._start(**dict(zip(names, arguments, strict=False)), **options)


def _has_contents() -> bool:
    runtime = IMPL.get_runtime()
    return bool(runtime.global_vars or any(kernel.compiled_kernels for kernel in runtime.kernels))


def _refuse_to_run(written: FieldContents) -> None:
    written.replace()
    for module in (TI, LANG):  # MISC.init calls that of MISC
        module.reset = _refusing(lambda: BuildError(RESET))
    IMPL.PyTaichi.materialize_root_fb = staticmethod(_finalize_fields)
    BUILDER.FieldsBuilder._check_not_finalized = _refuse_late_fields
    KERNEL.Kernel.__call__ = written.launching(_refuse_launch)
    GRAPH.Graph.run = _refusing(lambda: at_import("runs a graph"))
    FIELD.Field._initialize_host_accessors = _accessing(written)
    IMPL.PyTaichi.sync = _do_nothing
    TI.ui.Window.__init__ = _refusing(lambda: at_import("opens a window"))
    TI.GUI.__init__ = _refusing_visible(TI.GUI.__init__)
    for module in (TI.aot, AOT_MODULE):
        module.Module = _refusing(lambda: BuildError(MODULE))


def _refusing(error: Callable[[], BuildError]) -> Callable[..., NoReturn]:
    def refuse(*arguments: Any, **named: Any) -> NoReturn:
        raise error()

    return refuse


def _finalize_fields(is_first_call: bool) -> None:
    # Do not allocate memory for the fields: no kernel runs.
    if not IMPL._root_fb.finalized:
        IMPL._root_fb._finalize_for_aot()


def _accessing(written: FieldContents) -> Callable[[Any], None]:
    """Return the method that gives a field accessors, without memory: no kernel runs."""

    def access(field: Any) -> None:
        nodes = [each.ptr.snode() for each in field.vars]
        if None in nodes:
            raise BuildError("a field is read or written before it is placed: give it a shape, or place it first")
        field.host_accessors = [Elements(written, each, 0.0 if CORE.is_real(each.data_type()) else 0) for each in nodes]

    return access


def _require_placed(runtime: Any) -> None:
    # Taichi's own check, which this replaces, prints all frames of this process.
    traces = [getattr(each, "declaration_tb", "") for each in runtime.global_vars if each.ptr.snode() is None]
    if traces:
        found = [place for trace in traces for place in traced_places(trace) if is_of_source(place.file)]
        places = list(dict.fromkeys(found))
        where = f"{places[0]}: " if places else ""
        lines = "".join(f"\n    {place}: {place.code.strip()}" for place in places)
        remedy = "give each field a shape, or place it below ti.root"
        raise UnplacedError(f"{where}a field has no shape and is not placed: {remedy}{lines}")


def _do_nothing(runtime: Any) -> None:
    pass


def _refuse_late_fields(builder: Any) -> None:
    if builder.finalized:
        raise BuildError(
            "fields are made in build(module), or after a kernel was compiled, when all fields have places in memory: "
            "make them, and the objects that have them, at the top level of the file"
        )


def _explaining_types(extract: Any) -> Any:
    def extract_arguments(function: Any) -> None:
        try:
            extract(function)
        except EXCEPTION.TaichiCompilationError as error:
            kind = "kernel" if isinstance(function, KERNEL.Kernel) else "function"
            name = function.func.__name__
            place = source_place(function)
            try:
                require_types(function.func)
                reason = BuildError(why_untyped(function.func, str(error)))
            except BuildError as strings:
                reason = strings
            raise explain(reason, f"{kind} {name}", Place(place.file, place.line)) from None

    return extract_arguments


def _refuse_launch(kernel: Any, *arguments: Any, **named: Any) -> NoReturn:
    if IMPL.get_runtime().inside_kernel:
        name = kernel.func.__name__
        raise BuildError(f"a kernel cannot call kernel {name}: decorate {name} with @ti.func, or call it from Python")
    name, code = kernel.func.__name__, kernel.func.__code__
    if is_of_source(code.co_filename):
        raise at_import(f"launches kernel {name}")
    if name == "clear_gradients":
        raise BuildError(
            f"{at_import('uses ti.ad.Tape')}. @export(grad=True) builds the gradient of a kernel, kernel.grad"
        )
    raise at_import(f"lets Taichi's kernel {name} run, as it reads, writes or copies arrays or fields")


def _refusing_visible(make: Any) -> Any:
    def make_hidden(window: Any, *arguments: Any, show_gui: bool = True, **named: Any) -> None:
        if show_gui:
            raise at_import("opens a window")
        make(window, *arguments, show_gui=False, **named)

    return make_hidden

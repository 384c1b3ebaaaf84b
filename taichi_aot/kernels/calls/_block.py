"""Launch targets, checks of stated shapes, and argument blocks for the library."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from ...driver._library import Status, error_of, ffi, lib, status_index, status_kind
from ...handles._module import ModuleHandle
from ...handles._runtime import RuntimeHandle
from ...values._enums import DataType
from ...values._errors import (
    ArgumentNotFoundError,
    ArgumentTypeError,
    InvalidArgumentError,
    InvalidStateError,
    ObjectStateError,
    describe,
    short,
)
from ...values._signature import (
    TEXTURES,
    Signature,
    byte_size,
    python_names,
    why_not_passed,
    word_argument_name,
    word_counts,
)
from ._arguments import (
    Argument,
    ArrayArgument,
    ArrayOfSameBytes,
    GradientArgument,
    HalfArgument,
    MatrixArgument,
    ObjectArgument,
    ScalarArgument,
    StructArgument,
    UnsupportedArgument,
)
from ._foreign import TakesGuest, take_guests
from ._members import Pack, packs_of
from ._messages import Messages
from ._recording import Recorded, Result
from ._requirements import Dispatches, Place, difference, layout_pairs, size_rules

if TYPE_CHECKING:
    from ..._capi import TiArgument, TiNamedArgument, taichi_aot_array_p, taichi_aot_launch_p
    from ..._cdata import Array, Pointer
    from ...bundle._plan import Loop, ResultLayout
    from ._repeats import Repeats


class ArgumentBlock:
    """A C launch with room for its arguments. Each call reads its attributes, which slots make fast."""

    __slots__ = ("arrays", "c", "guests", "memory", "repeats", "result", "values")

    def __init__(
        self,
        c: taichi_aot_launch_p,
        arrays: Array[taichi_aot_array_p],
        values: tuple[Any, ...],
        memory: Array[TiArgument] | Array[TiNamedArgument],
        result: Result | None,
    ) -> None:
        self.c = c
        self.arrays = arrays  # by index among the parameters of arrays and textures
        self.values = values  # pointers to the values of the other arguments
        self.memory = memory  # the C arguments, which the launch points to
        self.result = result  # if the kernel's return values can be fetched
        self.guests: tuple[TakesGuest, ...] = ()  # of a call, by index as `arrays`
        self.repeats: Repeats | None = None  # of a kernel that repeats tasks, made at the first launch


class ShapeTest:
    """Compares the shapes of checked arguments with the shapes that a signature states."""

    def __init__(self, signature: Signature) -> None:
        self._signature = signature
        self._rules = list(size_rules(signature.parameters))
        places = {place for rule in self._rules for place in (rule.place, rule.expected) if isinstance(place, Place)}
        self._arrays = sorted({place.parameter for place in places if place.axis is not None})
        # The indices of the scalar parameters that are sizes.
        self.scalars = frozenset(place.parameter for place in places if place.axis is None)
        # The index of each array whose gradient is passed, and the argument for that.
        self.gradients: Sequence[tuple[int, GradientArgument]] = ()

    def lines(self, names: Sequence[str], p: str) -> tuple[list[str], str]:
        """Return lines that read the shapes of the variables, and a condition that is true if one differs; empty
        without rules.
        """
        reads = [f"{p}shape{i} = {names[i]}._layout.shape" for i in self._arrays]
        different: list[str] = []
        for place, expected, _ in self._rules:
            wanted = _code(expected, names, p) if isinstance(expected, Place) else expected
            different.append(f"{_code(place, names, p)} != {wanted}")
        for i, gradient in self.gradients:
            different.append(f"{names[gradient.index]}._layout.shape != {names[i]}._layout.shape")
        return reads, " or ".join(different)

    def check(self, values: Sequence[Any]) -> None:
        """Raise ValueError if a shape does not fit; `values` are all arguments, as returned by their checks."""
        sizes = [value._layout.shape if i in self._arrays else value for i, value in enumerate(values)]
        message = difference(self._signature, sizes)
        if message:
            raise InvalidArgumentError(message)
        for i, gradient in self.gradients:
            shape, wanted = values[gradient.index]._layout.shape, values[i]._layout.shape
            if shape != wanted:
                raise gradient.messages.wrong_gradient(shape, wanted)


def _code(place: Place, names: Sequence[str], p: str) -> str:
    """Return the expression for a size; the function has read the shapes before."""
    return names[place.parameter] if place.axis is None else f"{p}shape{place.parameter}[{place.axis}]"


@lru_cache(maxsize=256)  # many kernels have the same
def _c_strings(names: tuple[str, ...]) -> list[Array[bytes]]:
    return [ffi.new("char[]", name.encode()) for name in names]


class LaunchTarget:
    """A kernel or graph of a module, and the layout of its arguments.

    `name`: the name in the module, if the signature has another one. `dispatches`: those of a graph.
    `passes_gradients`: whether the gradients that the kernel uses are passed, each as one more array. `taken`: those of
    the parameters of a call: packs are parameters, and not their members. `packs`: the packs of a call, by name.
    """

    def __init__(
        self,
        signature: Signature,
        module: ModuleHandle,
        ti_pointer: Pointer[Any],
        layout: ResultLayout | None = None,
        doc: str = "",
        dispatches: Dispatches | None = None,
        *,
        name: str = "",
        passes_gradients: bool = False,
        repeats: Sequence[Loop] = (),
    ) -> None:
        self.signature = signature
        self.repeats = repeats  # the tasks that a launch repeats; it never gets a plan then, only its parts do
        self.name_in_module = name or signature.name  # the name of the kernel or graph in the module
        self.module = module  # kept alive; launches raise once it is closed
        self.ti_pointer = ti_pointer  # ``TiKernel`` or ``TiComputeGraph``; NULL if the library makes no launches
        self.is_native = not ti_pointer  # whether the kernel has code of its own, which the library does not launch
        self.is_graph = is_graph = dispatches is not None  # whether it takes its arguments by name
        self.layout = layout  # the layout of the kernel's return values, which are passed as one more array
        self.doc = doc  # the docstring, if the module states it
        self.names = python_names(signature.parameters)  # the parameters' names, changed to Python identifiers
        self.taken, self.packs = self.names, dict[str, Pack]()
        if any("." in parameter.name for parameter in signature.parameters):
            self.taken, self.packs = python_names(signature.taken), packs_of(signature)
        self.shapes = ShapeTest(signature)
        self.arguments: list[Argument] = []  # one for each parameter, then one for each gradient
        self._arrays: list[Argument] = []
        has_textures = False
        self.dispatches: Dispatches = [signature.parameters] if dispatches is None else dispatches
        for i, parameter in enumerate(signature.parameters):
            argument = _make_argument(
                Messages(signature, parameter),
                i,
                module.runtime,
                len(self._arrays),
                self.dispatches,
                is_graph=is_graph,
                passes_gradients=passes_gradients,
            )
            self.arguments.append(argument)
            if isinstance(argument, ObjectArgument):
                self._arrays.append(argument)
                has_textures |= parameter.kind in TEXTURES
        self.gradients = self._make_gradients() if passes_gradients else []
        self.grads = "grads"  # the name of the keyword that takes gradients
        while self.grads in self.taken:
            self.grads += "_"
        self.shapes.gradients = [(gradient.array.index, gradient) for gradient in self.gradients]
        # A parameter whose arguments cannot be passed.
        self.unsupported = next((each for each in self.arguments if isinstance(each, UnsupportedArgument)), None)
        self.layout_pairs = layout_pairs(signature, self.dispatches) if has_textures else []
        self._has_warned = layout is not None or not signature.returns
        self._c_names = _c_strings(tuple(self._argument_names()))
        self._recorded: list[Recorded] = []  # keeps them alive for the blocks of calls
        self._c_array_arguments = ffi.new("uint32_t[]", [self._number_of(argument) for argument in self._arrays])
        self._names = self._names_for_tools()
        self._empty = self._new_launch()

    def renamed(self, names: Sequence[str]) -> LaunchTarget:
        """Return the target of the same kernel with other names of parameters."""
        return LaunchTarget(
            self.signature.renamed(names),
            self.module,
            self.ti_pointer,
            self.layout,
            self.doc,
            name=self.name_in_module,
            passes_gradients=bool(self.gradients),
            repeats=self.repeats,
        )

    def _make_gradients(self) -> list[GradientArgument]:
        """Create the arguments for gradients, after those of the parameters."""
        found: list[GradientArgument] = []
        for array in [each for each in self.arguments if each.parameter.grad]:
            parameter = array.parameter._replace(name=f"{array.parameter.name}.grad", access="rw", grad=False)
            messages, index = Messages(self.signature, parameter), len(self.arguments)
            gradient = GradientArgument(messages, index, self.module.runtime, len(self._arrays), array)
            found.append(gradient)
            self.arguments.append(gradient)
            self._arrays.append(gradient)
        return found

    def _overflow(self) -> list[tuple[int, int]]:
        """Return the overflow arguments: the index of the parameter, and the number among its C arguments."""
        return [(i, k) for i, argument in enumerate(self.arguments) for k in range(1, len(argument.words))]

    def _number_of(self, argument: Argument) -> int:
        """Return the number of the C argument for a parameter or gradient: overflow arguments are between them."""
        is_gradient = argument.index >= len(self.signature.parameters)
        return argument.index + (len(self._overflow()) if is_gradient else 0)

    def _argument_names(self) -> list[str]:
        """Return the names of the C arguments: parameters, their overflow arguments, gradients, a result's array."""
        names = [parameter.name for parameter in self.signature.parameters]
        overflow = [word_argument_name(names[i], k) for i, k in self._overflow()]
        gradients = [gradient.parameter.name for gradient in self.gradients]
        return names + overflow + gradients + ["result"] * (self.layout is not None)

    def check_grads(self, grads: object) -> None:
        """Raise unless these are gradients by the names of parameters."""
        if not isinstance(grads, Mapping):
            raise ArgumentTypeError(
                f"{self.signature.name}() {self.grads}: expected gradients by name of parameter, got {describe(grads)}"
            )
        names = [gradient.array.parameter.name for gradient in self.gradients]
        for name in map(str, cast("Mapping[object, object]", grads)):
            if name not in names:
                known = ", ".join(map(repr, names))
                raise ArgumentNotFoundError(
                    f"{self.signature.name}() {self.grads}: no gradient of {short(name)} is used, only of {known}"
                )

    def _names_for_tools(self) -> tuple[Any, ...]:
        """Return ``taichi_aot_names *`` and its targets; NULL if no tool shows names."""
        if not self.module.runtime.context.c.is_labelled:
            return (ffi.NULL,)
        arrays = ffi.new("char *[]", [self._c_names[self._number_of(argument)] for argument in self._arrays])
        name = ffi.new("char[]", self.signature.name.encode())
        return ffi.new("taichi_aot_names *", (name, arrays)), name, arrays

    def _new_launch(self) -> taichi_aot_launch_p:
        """Create a ``taichi_aot_launch`` with the members that all blocks share."""
        launch = ffi.new("taichi_aot_launch *")
        launch.runtime, launch.module = self.module.runtime.c, self.module.c
        if self.is_graph:
            launch.ti_compute_graph = self.ti_pointer
        else:
            launch.ti_kernel = self.ti_pointer
        launch.argument_count, launch.array_count = len(self._c_names), len(self._arrays)
        launch.array_arguments = self._c_array_arguments
        launch.names = self._names[0]
        return launch

    def for_library(self) -> Pointer[Any]:
        """Return ``TiKernel`` or ``TiComputeGraph``, also if the library makes no launches."""
        self.module.require_fields_of_library()
        return self.ti_pointer or self.module.fetch(self.name_in_module, is_graph=self.is_graph)

    def new_call(self) -> ArgumentBlock:
        """Create a block for calls, whose arguments differ from one to the next."""
        block = self.new_block()
        block.c.is_call = True
        runtime = self.module.runtime
        block.guests = tuple([take_guests(each.parameter, runtime) for each in self._arrays])
        return block

    def new_block(self, result: Result | None = None) -> ArgumentBlock:
        """Create a block without values; it shares `result`, if given, with another block."""
        count = len(self._c_names)
        c = ffi.new("taichi_aot_launch *", self._empty[0])
        c.arrays = arrays = ffi.new("taichi_aot_array *[]", len(self._arrays))
        memory: Array[TiArgument] | Array[TiNamedArgument]
        if self.is_graph:
            c.named_arguments = memory = ffi.new("TiNamedArgument[]", [(name,) for name in self._c_names])
            c_arguments = [named.argument for named in memory]
        else:
            c.arguments = memory = ffi.new("TiArgument[]", count)
            c_arguments = list(memory)
        if self.layout is not None:
            result = result or Result(self.module.runtime, self.layout)
            c.result = result.c
            c_arguments[-1].type = lib.TI_ARGUMENT_TYPE_NDARRAY
        overflow = iter(c_arguments[len(self.signature.parameters) :])
        values = tuple(
            [argument.place(c_arguments[self._number_of(argument)], overflow) for argument in self.arguments]
        )
        return ArgumentBlock(c, arrays, values, memory, result)

    def retry(self, block: ArgumentBlock, status: int, free_blocks: list[ArgumentBlock]) -> None:
        """Launch the block of a call after a status that is not 0; if that fails, free the block and raise."""
        while status in (Status.NEEDS_PLAN, Status.NOT_LAUNCHED):
            if status == Status.NEEDS_PLAN and self.repeats:
                block.repeats = block.repeats or self._new_repeats(block)
                return block.repeats.run()
            if status == Status.NEEDS_PLAN:
                self.give_plan(block.c, self._recorded)
            else:
                self.module.runtime.wait()
            if block.result is None:
                status = lib.taichi_aot_launch_now(block.c)
            else:
                status = lib.taichi_aot_launch_for_result(block.c, block.result.host)
        if status == Status.UNFINISHED and block.result is not None:  # the launch was made
            self.module.runtime.wait()
            status = lib.taichi_aot_read_result(block.c, block.result.host, True)
        if status:
            free_blocks.append(block)
            raise self.error(status)

    def _new_repeats(self, block: ArgumentBlock) -> Repeats:
        from ._repeats import Repeats  # which few kernels need

        arrays = [each.index for each in self._arrays]
        loops = [(begin, end, arrays.index(condition)) for begin, end, condition in self.repeats]
        return Repeats(self.module, self.name_in_module, loops, block.c, block.arrays, self.error)

    def give_plan(self, c: taichi_aot_launch_p, kept: list[Recorded]) -> None:
        """Give a launch its plan; `kept` keeps its state on the device alive."""
        assert self.module.plans is not None
        plan = self.module.plans.find(self.name_in_module, is_graph=self.is_graph)
        assert plan is not None  # or it had been fetched from the library
        recorded = Recorded(self.module.runtime, plan, self.module.plans)
        kept.append(recorded)  # before C may use it
        lib.taichi_aot_launch_plan(c, recorded.c)

    @property
    def recording(self) -> str:
        """How launches are made; see `Kernel.recording`."""
        plans, name = self.module.plans, self.name_in_module
        reason = self.module.why_without_plans if plans is None else plans.reason(name, is_graph=self.is_graph)
        described: str = self.module.runtime.backend.code.describe_recording(reason)
        is_native = plans is not None and self.is_native
        why = self.module.plan.why_scalar(name, is_graph=self.is_graph) if is_native else ""
        return f"{described}, without vectors: it {why}" if why else described

    def require_usable(self, values: Mapping[int, Any]) -> None:
        """Raise ValueError if the runtime, the module or an array is closed; `values` has arguments by index."""
        if not self.module.runtime.is_open:
            raise self.module.runtime.closed_error()
        if not self.module.is_open:
            raise self.error(Status.MODULE_CLOSED)
        for argument in self._arrays:
            if argument.index in values and values[argument.index].closed:
                raise argument.messages.closed()

    def check_again(self, values: Sequence[Any]) -> None:
        """Raise if arguments that a kernel of the same types has accepted do not fit this one."""
        for argument in self._arrays:
            value = values[argument.index]
            argument.check(value.array if isinstance(value, ArrayOfSameBytes) else value)
        self.require_one_layout(values)
        self.shapes.check(values)

    def require_one_layout(self, values: Sequence[Any]) -> None:
        """Raise ValueError if one kernel takes an image both as a texture and as an rw_texture."""
        for read, written in self.layout_pairs:
            if values[read] is values[written]:
                raise self.two_layouts(read, written)

    def two_layouts(self, read: int, written: int) -> ValueError:
        """Return the exception for one image in these two parameters, given by index."""
        return self.arguments[read].messages.two_layouts(self.arguments[written].parameter)

    def error(self, status: int) -> Exception:
        kind = status_kind(status)
        if kind == Status.CLOSED:
            return self.module.runtime.closed_error()
        if kind == Status.MODULE_CLOSED:
            return ObjectStateError(f"{self.signature.name}(): its module is closed")
        if kind == Status.NO_RESULT:
            return InvalidStateError(f"{self.signature.name}() has not been launched yet, so it does not have a result")
        if kind == Status.ARRAY_CLOSED:
            return self._arrays[status_index(status)].messages.closed()
        if kind == Status.ARRAY_MAPPED:
            return self._arrays[status_index(status)].messages.mapped()
        return error_of(status)

    def warn_of_returns(self) -> None:
        """Warn once that return values are lost."""
        if not self._has_warned:
            self._has_warned = True
            warnings.warn(
                f"{self.signature} returns a value that cannot be fetched; write it to an ndarray instead",
                stacklevel=4,  # the line that calls the kernel
            )


def _make_argument(
    messages: Messages,
    index: int,
    runtime: RuntimeHandle,
    array_index: int,
    dispatches: Dispatches,
    *,
    is_graph: bool,
    passes_gradients: bool,
) -> Argument:
    """The Argument for a parameter; `dispatches` are the parameters of the kernels that take it."""
    parameter, family = messages.parameter, runtime.backend.code.family
    reason = why_not_passed(parameter._replace(grad=parameter.grad and not passes_gradients), family)
    if reason:
        return UnsupportedArgument(messages, index, reason)
    if parameter.kind == "ndarray":
        return ArrayArgument(messages, index, runtime, array_index)
    if parameter.kind in TEXTURES:
        from ._textures import TextureArgument  # with all that images need

        return TextureArgument(messages, index, runtime, array_index, dispatches)
    words = word_counts(parameter, family)
    if parameter.kind == "struct":
        return StructArgument(messages, index, words, byte_size(parameter, family))
    if parameter.kind == "matrix":
        return MatrixArgument(messages, index, words, byte_size(parameter, family), takes_flat=is_graph)
    return (HalfArgument if parameter.dtype is DataType.F16 else ScalarArgument)(messages, index, words)

"""Launch targets, argument blocks for the library, and the state of their launches on the device.

C decides which launches are recorded and when: ``_c/core/policy.c``.

Some kernels repeat some of their tasks until a number on the device is 0. What lies between two ends of loops is a
part, a launch of its own. C repeats a loop around one part, and reads its number after each iteration. Loops around
other loops are repeated here. So are all on CUDA, where each launch of a call has to be in order with the streams of
its arrays.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from ..driver._library import Status, error_of, ffi, lib, status_index, status_kind
from ..handles._memory import OnDevice, Request, allocate
from ..handles._module import ModuleHandle
from ..handles._runtime import RuntimeHandle
from ..values._errors import (
    ArgumentNotFoundError,
    ArgumentTypeError,
    InvalidArgumentError,
    InvalidStateError,
    ObjectStateError,
    describe,
    short,
)
from ..values._items import Record
from ..values._numbers import DataType
from ..values._signature import (
    TEXTURES,
    Place,
    Signature,
    byte_size,
    difference,
    python_names,
    size_rules,
    why_not_passed,
    word_argument_name,
    word_counts,
)
from ._arguments import (
    Argument,
    ArrayArgument,
    ArrayOfSameBytes,
    Dispatches,
    GradientArgument,
    HalfArgument,
    ObjectArgument,
    ScalarArgument,
    Subject,
    TakesGuest,
    UnsupportedArgument,
    take_guests,
)

if TYPE_CHECKING:
    from .._capi import (
        TiArgument,
        TiNamedArgument,
        taichi_aot_array_p,
        taichi_aot_launch_p,
        taichi_aot_plan_p,
        taichi_aot_recorded_p,
        taichi_aot_recording_p,
        taichi_aot_until_p,
    )
    from .._cdata import Array, Pointer
    from ..bundle._info import Repeat, ResultLayout
    from ..handles._module import KernelPlans
    from ._aggregates import Pack


FREEING = "freeing a recorded launch"


class Recorded(OnDevice):
    """The state of a launch on the device, which keeps the code that it launches."""

    __slots__ = ("c",)

    def __init__(self, runtime: RuntimeHandle, plan: taichi_aot_plan_p, plans: KernelPlans) -> None:
        self.c: taichi_aot_recorded_p = ffi.new("taichi_aot_recorded *", {"plan": plan, "version": -1})
        super().__init__(runtime, self.c, partial(lib.taichi_aot_kept_free, runtime.c), FREEING, plans)


class Recording(OnDevice):
    """The state of a recorded sequence, which keeps the code that its graphs launch."""

    __slots__ = ("c",)

    def __init__(self, runtime: RuntimeHandle, plans: Sequence[KernelPlans | None]) -> None:
        self.c: taichi_aot_recording_p = ffi.new("taichi_aot_recording *")
        super().__init__(runtime, self.c, partial(lib.taichi_aot_kept_free, runtime.c), FREEING, plans)


class HostCopy:
    """A buffer on the host for a copy of a kernel's return values; `value` converts it to the Python value."""

    __slots__ = ("host", "value")

    def __init__(self, layout: ResultLayout) -> None:
        contents = np.zeros(layout.size, np.uint8)
        self.host = ffi.from_buffer(contents)
        self.value = layout.reader(contents)


class Result(HostCopy):
    """Memory for the return values of the launches of one block, and its ``taichi_aot_result *``."""

    __slots__ = ("_memory", "c")

    def __init__(self, runtime: RuntimeHandle, layout: ResultLayout) -> None:
        super().__init__(layout)
        self._memory = allocate(runtime, Request(layout.size, host_write=False, is_result=True))
        self.c = c = ffi.new("taichi_aot_result *", {"memory": self._memory.c, "size": layout.size})
        c.ti_ndarray.memory = self._memory.c.ti_memory  # NULL where the library imports it for a launch
        c.ti_ndarray.shape = {"dim_count": 1, "dims": [layout.size // 4]}
        c.ti_ndarray.elem_type = lib.TI_DATA_TYPE_I32


# Kernels that repeat some of their tasks until a number on the device is 0.


NO_LIMIT = 2**63 - 1


def new_until(
    memory: Any, generation: int, offset: int, staging: Any, dtype: DataType, every: int = 1, **bound: float
) -> taichi_aot_until_p:
    """Return what ends a run, for a number in a memory: after `every` iterations it is compared with the bound.

    Without `side` and `bound` the run ends when the number is 0.
    """
    values = {"memory": memory, "generation": generation, "offset": offset, "staging": staging, "dtype": int(dtype)}
    return ffi.new("taichi_aot_until *", {**values, "every": every, "value": math.nan, **bound})


class Repeats:
    """The steps of a kernel with the arguments of a block: its launch `c`, and `arrays`.

    The conditions of `loops` are numbers of arrays. `error` makes the exception for a status.
    """

    def __init__(
        self,
        module: ModuleHandle,
        name: str,
        loops: Sequence[Repeat],
        c: taichi_aot_launch_p,
        arrays: Array[taichi_aot_array_p],
        error: Callable[[int], Exception],
    ) -> None:
        self._module = module
        self._name = name
        self._c = c
        self._arrays = arrays
        self._error = error
        self._version = 0
        self._has_streams = module.runtime.backend.interchange.shares_cuda
        self._parts: list[_Part] = []
        self._steps = self._make(0, len(module.plan.kernels[name].tasks), loops)

    def _make(self, begin: int, end: int, loops: Sequence[Repeat]) -> Steps:
        """Return the steps of tasks, given the loops among them, outer ones first."""
        steps: list[_Part | _Loop] = []
        while loops:
            (first, last, array), *others = loops
            inner = [each for each in others if each[0] < last]
            steps += self._part(begin, first)
            steps.append(_Loop(array, self._make(first, last, inner)))
            begin, loops = last, others[len(inner) :]
        return [*steps, *self._part(begin, end)]

    def _part(self, begin: int, end: int) -> list[_Part]:
        made = [_Part(self._module, self._name, self._c, begin, end)] if begin < end else []
        self._parts += made
        return made

    def run(self) -> None:
        """Launch all; the arguments must not change until it returns."""
        self._version += 1
        for part in self._parts:
            part.c.version = self._version  # the block's is that of its last arguments
        self._run(self._steps)

    def _run(self, steps: Steps) -> None:
        for step in steps:
            if isinstance(step, _Part):
                while status := lib.taichi_aot_launch_now(step.c):
                    self._wait_after(status)
            elif len(step.steps) == 1 and isinstance(step.steps[0], _Part) and not self._has_streams:
                self._until(step.array, step.steps[0], 0, NO_LIMIT)
            else:
                is_over = False
                while not is_over:
                    self._run(step.steps)
                    is_over = self._until(step.array, self._parts[0], 1, 1)

    def _until(self, array: int, part: _Part, made: int, most: int) -> bool:
        """Repeat a part until a number is 0; if `most` iterations are made already, only read it."""
        number = self._arrays[array]
        staging = ffi.NULL if number.memory.address else self._module.runtime.backend.memory.staging
        until = new_until(number.memory, number.generation, number.offset, staging, DataType.I32)
        position = ffi.new("taichi_aot_position *", {"iteration": made})
        while until.checked < most and not until.is_met:
            status = lib.taichi_aot_run_until(part.sequence, most, position, until)
            if status:
                self._wait_after(status)
                until.may_block = until.is_reading
        return bool(until.is_met)

    def _wait_after(self, status: int) -> None:
        """Wait for the device if a launch or a check has to; raise the error of another status."""
        if status not in (Status.UNFINISHED, Status.NOT_LAUNCHED):
            raise self._error(status)
        self._module.runtime.wait()


class _Part:
    """Tasks of a kernel that run one after the other."""

    def __init__(self, module: ModuleHandle, name: str, c: taichi_aot_launch_p, begin: int, end: int) -> None:
        runtime, plans = module.runtime, module.plans
        assert plans is not None  # or the kernel has no code of its own
        self._recorded = Recorded(runtime, plans.find_part(name, begin, end), plans)
        self._recording = Recording(runtime, [plans])
        self._pace = ffi.new("taichi_aot_pace *")
        self.c = ffi.new("taichi_aot_launch *", c[0])
        self.c.recorded = self._recorded.c
        self._item = ffi.new("taichi_aot_sequence_item *", {"launch": self.c})
        given = {
            "runtime": runtime.c,
            "items": self._item,
            "count": 1,
            "pace": self._pace,
            "recording": self._recording.c,
        }
        self.sequence = ffi.new("taichi_aot_sequence *", given)


class _Loop(Record):
    """Steps that are repeated until the array of this number has a 0."""

    array: int
    steps: Steps


Steps: TypeAlias = "Sequence[_Part | _Loop]"


launch_now: Callable[[taichi_aot_launch_p], int] = lib.taichi_aot_launch_now


# Launch targets, checks of stated shapes, and argument blocks for the library.


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
        repeats: Sequence[Repeat] = (),
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
        self.taken = self.names
        self.packs: dict[str, Pack] = {}
        if any("." in parameter.name for parameter in signature.parameters):
            from ._aggregates import packs_of

            self.taken, self.packs = python_names(signature.taken), packs_of(signature)
        self.shapes = ShapeTest(signature)
        self.arguments: list[Argument] = []  # one for each parameter, then one for each gradient
        self._arrays: list[Argument] = []
        has_textures = False
        self.dispatches: Dispatches = [signature.parameters] if dispatches is None else dispatches
        for i, parameter in enumerate(signature.parameters):
            argument = _make_argument(
                Subject(signature, parameter),
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
        self.layout_pairs: list[tuple[int, int]] = []
        if has_textures:
            from ._aggregates import layout_pairs

            self.layout_pairs = layout_pairs(signature, self.dispatches)
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
            subject, index = Subject(self.signature, parameter), len(self.arguments)
            gradient = GradientArgument(subject, index, self.module.runtime, len(self._arrays), array)
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

    def launch_again(
        self, c: taichi_aot_launch_p, status: int, launch: Callable[[Any], int], kept: list[Recorded]
    ) -> int:
        """Launch with a plan, or after a wait, which lets Python handle signals; return the status.

        It is NEEDS_PLAN for a kernel that repeats tasks, which has a plan for each part.
        """
        while status in (Status.NEEDS_PLAN, Status.NOT_LAUNCHED):
            if status == Status.NOT_LAUNCHED:
                self.module.runtime.wait()
            elif self.repeats:
                break
            else:
                self.give_plan(c, kept)
            status = launch(c)
        return status

    def retry(self, block: ArgumentBlock, status: int, free_blocks: list[ArgumentBlock]) -> None:
        """Launch the block of a call after a status that is not 0; if that fails, free the block and raise."""

        def launch(c: taichi_aot_launch_p) -> int:
            return launch_now(c) if block.result is None else lib.taichi_aot_launch_for_result(c, block.result.host)

        status = self.launch_again(block.c, status, launch, self._recorded)
        if status == Status.NEEDS_PLAN:
            block.repeats = block.repeats or self._new_repeats(block)
            return block.repeats.run()
        if status == Status.UNFINISHED and block.result is not None:  # the launch was made
            self.module.runtime.wait()
            status = lib.taichi_aot_read_result(block.c, block.result.host, True)
        if status:
            free_blocks.append(block)
            raise self.error(status)

    def _new_repeats(self, block: ArgumentBlock) -> Repeats:
        arrays = [each.index for each in self._arrays]
        loops = [each._replace(condition=arrays.index(each.condition)) for each in self.repeats]
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
    subject: Subject,
    index: int,
    runtime: RuntimeHandle,
    array_index: int,
    dispatches: Dispatches,
    *,
    is_graph: bool,
    passes_gradients: bool,
) -> Argument:
    """The Argument for a parameter; `dispatches` are the parameters of the kernels that take it."""
    parameter, family = subject.parameter, runtime.backend.code.family
    is_passed = parameter.grad and passes_gradients
    reason = why_not_passed(parameter._replace(grad=False) if is_passed else parameter, family)
    if reason:
        return UnsupportedArgument(subject, index, reason)
    if parameter.kind == "ndarray":
        return ArrayArgument(subject, index, runtime, array_index)
    words = word_counts(parameter, family)
    if parameter.kind == "scalar":
        return (HalfArgument if parameter.dtype is DataType.F16 else ScalarArgument)(subject, index, words)
    from ._aggregates import MatrixArgument, StructArgument, TextureArgument

    if parameter.kind in TEXTURES:
        return TextureArgument(subject, index, runtime, array_index, dispatches)
    if parameter.kind == "struct":
        return StructArgument(subject, index, words, byte_size(parameter, family))
    return MatrixArgument(subject, index, words, byte_size(parameter, family), takes_flat=is_graph)

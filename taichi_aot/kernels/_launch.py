"""Functions compiled for each kernel, which take and launch its arguments, and launches with arguments packed once.

The functions take the parameters by name, test and write the arguments, and launch. They do not interpret the
signature: Python itself reports a wrong number or name of arguments. A few comparisons test each argument, and C checks
under the runtime's mutex that the objects are still open. Their source is visible to tracebacks and debuggers.
"""

from __future__ import annotations

import itertools
import linecache
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any

from ..arrays._ndarray import NdArray
from ..driver._library import Status, ffi, lib
from ..handles._runtime import Unique
from ..values._errors import (
    ArgumentTypeError,
    NotSupportedError,
    TaichiError,
    leave_caller,
    unknown_parameter,
    wrong_arguments,
)
from ..values._signature import Signature, names_hint
from ._arguments import ArrayArgument, Change, ForeignArray, Guest, take_no_guest
from ._block import ArgumentBlock, HostCopy, LaunchTarget, Recorded, Result, launch_now

if TYPE_CHECKING:
    from .._capi import taichi_aot_launch_p
    from ._arguments import ArgumentLike


class Source:
    """The source of a function, written line by line. Once it has been compiled, it does not change."""

    def __init__(self, header: str) -> None:
        self._lines = [header]
        self._indent = "    "

    def add(self, *lines: str) -> None:
        """Append lines at the current indentation."""
        self._lines += map(self._indent.__add__, lines)  # which calls no function of Python

    def block(self, header: str, *lines: str) -> None:
        """Append a line, and others that are indented below it."""
        self.add(header, *map("    ".__add__, lines))

    def compile(self, file_name: str, scope: dict[str, Any], name: str) -> Callable[..., Any]:
        """Compile the function, called `name` in messages, with the global variables `scope`.

        While the function is alive, `linecache` has its source under `file_name`; if the name is taken, a number is
        appended.
        """
        file_name = _register(file_name, self._text)
        defined: dict[str, Any] = {}
        # The function must not be one of its own global variables: a reference cycle would keep a runtime alive.
        exec(_compiled(self._text), scope, defined)
        function: Callable[..., Any]
        (function,) = defined.values()
        function.__code__ = function.__code__.replace(co_filename=file_name)
        function.__name__ = function.__qualname__ = name
        weakref.finalize(function, linecache.cache.pop, file_name, None).atexit = False
        return function

    @cached_property
    def _text(self) -> str:
        return "\n".join(self._lines) + "\n"


@lru_cache(maxsize=256)
def _compiled(text: str) -> CodeType:
    """Compile a source, which is the same for kernels with the same parameters."""
    return compile(text, "<taichi_aot>", "exec")


def _register(file_name: str, text: str) -> str:
    """Register `text` in `linecache` as the source of a virtual file; return the file's name."""
    entry = (len(text), None, text.splitlines(keepends=True), file_name)
    for name in itertools.chain([file_name], (f"{file_name[:-1]} ({i})>" for i in itertools.count(2))):
        if linecache.cache.setdefault(name, entry) is entry:
            return name
    raise AssertionError


# Functions compiled for each kernel: they take the parameters by name, test and write the arguments, and launch.


MOST_CALLS = 256  # whose sources are kept


class Launcher:
    """The compiled functions of one kernel or graph.

    The functions use objects that do not refer back to the Launcher: a reference cycle would keep a runtime alive.
    """

    def __init__(self, target: LaunchTarget) -> None:
        self.target = target
        self.free_blocks: list[ArgumentBlock] = []  # not in use by a launch

    @cached_property
    def call(self) -> Callable[..., Any]:
        """A function that takes the arguments, launches, and returns what the kernel returns."""
        target, p = self.target, _prefix(self.target)
        if target.unsupported is not None:
            return target.unsupported.refuse
        scope = _scope(target, p) | {
            f"{p}launch_now": lib.taichi_aot_launch_now,
            f"{p}launch_for_result": lib.taichi_aot_launch_for_result,
            f"{p}free_blocks": self.free_blocks,
            f"{p}new_block": target.new_call,
            f"{p}retry": target.retry,
            f"{p}warn_of_returns": target.warn_of_returns,
            f"{p}IndexError": IndexError,
        }
        name = target.signature.name
        return _source_of_call(target, p).compile(f"<taichi_aot launch of {name}>", scope, name)

    @cached_property
    def check(self) -> Callable[..., tuple[Any, ...]]:
        """A function that takes the arguments, checks them, and returns the values to write."""
        target, p = self.target, _prefix(self.target)
        if target.unsupported is not None:
            return target.unsupported.refuse
        source = Source(f"def {p}check({_parameters(target)}):")
        source.add(*_tests(target, p))
        source.add(f"return ({''.join(f'{name}, ' for name in _variables(target, p))})")
        # Bound launches import their arrays, because guests last only for a call.
        scope = _scope(target, p) | {f"{p}guests": (take_no_guest,) * len(target.arguments)}
        return source.compile(f"<taichi_aot check of {target.signature.name}>", scope, target.signature.name)

    @cached_property
    def write(self) -> Callable[..., None]:
        """A function that takes an ArgumentBlock and the values from `check`, and writes them into the block."""
        target, p = self.target, _prefix(self.target)
        source = Source(f"def {p}write({', '.join([f'{p}block', *_variables(target, p)])}):")
        source.add(f"{p}arrays = {p}block.arrays", f"{p}values = {p}block.values")
        _add_writes(source, target, p)
        name = target.signature.name
        return source.compile(f"<taichi_aot write of {name}>", _scope(target, p), name)

    def explain(self, error: TypeError, args: Sequence[object], kwargs: Iterable[str]) -> None:
        """Raise Python's error about the number or the names of arguments with a code and a hint."""
        taken = [name for name in kwargs if not (self.target.gradients and name == self.target.grads)]
        hint = names_hint(self.target.signature)
        wrong = wrong_arguments(error, self.target.taken, args, taken, hint=hint)
        if wrong is not None:
            raise wrong from None

    def free_block(self) -> ArgumentBlock:
        """Return a block for temporary use; the caller appends it to `free_blocks` afterwards."""
        try:
            return self.free_blocks.pop()
        except IndexError:
            return self.target.new_call()  # calls take it next


_calls: dict[tuple[Any, ...], Source] = {}  # by what their source depends on


def _source_of_call(target: LaunchTarget, p: str) -> Source:
    """Return the source of a call, which kernels with the same parameters share."""
    signature, family = target.signature, target.module.runtime.backend.code.family
    needs = bool(target.gradients), target.layout is None, bool(signature.returns)
    key = (signature.parameters, tuple(target.layout_pairs), family, *needs)
    source = _calls.get(key)
    if source is None:
        if len(_calls) >= MOST_CALLS:
            _calls.clear()
        source = _calls[key] = _write_call(target, p)
    return source


def _write_call(target: LaunchTarget, p: str) -> Source:
    source = Source(f"def {p}launch({_parameters(target)}):")
    if target.signature.returns and target.layout is None:
        source.add(f"{p}warn_of_returns()")
    # Each call uses its own block while it runs: threads and signal handlers may launch the same kernel.
    source.block("try:", f"{p}block = {p}free_blocks.pop()")
    source.block(f"except {p}IndexError:", f"{p}block = {p}new_block()")
    parts = ["c", "arrays", "values", "guests", *(["result"] if target.layout is not None else [])]
    source.add(*[f"{p}{part} = {p}block.{part}" for part in parts])
    source.block("try:", *_tests(target, p), "pass")  # without parameters
    source.block("except:", f"{p}free_blocks.append({p}block)", "raise")
    _add_writes(source, target, p)
    if target.layout is None:
        source.add(f"{p}status = {p}launch_now({p}c)")
    else:
        source.add(f"{p}status = {p}launch_for_result({p}c, {p}result.host)")
    source.block(f"if {p}status:", f"{p}retry({p}block, {p}status, {p}free_blocks)")
    if target.layout is not None:
        source.add(f"{p}value = {p}result.value()")
    source.add(f"{p}free_blocks.append({p}block)")
    if target.layout is not None:
        source.add(f"return {p}value")
    return source


def _parameters(target: LaunchTarget) -> str:
    """Return the parameters of a function that takes the arguments of a call."""
    return ", ".join([*target.taken, *(["*", f"{target.grads}=None"] if target.gradients else [])])


def _variables(target: LaunchTarget, p: str) -> list[str]:
    """Return the variables of all arguments: the parameters, then gradients."""
    return [*target.names, *(f"{p}gradient{gradient.index}" for gradient in target.gradients)]


def _tests(target: LaunchTarget, p: str) -> list[str]:
    names = _variables(target, p)
    tests = [f"{p}imported = None"]
    for k, (name, pack) in enumerate(target.packs.items()):
        tests.append(f"{''.join(f'{names[i]}, ' for i in pack.indices)} = {p}pack{k}({name})")
    if target.gradients:
        tests.append(f"if {target.grads} is not None: {p}check_grads({target.grads})")
    for gradient in target.gradients:
        found = f"{p}find{gradient.index}({names[gradient.array.index]}, {target.grads})"
        tests.append(f"{names[gradient.index]} = {found}")
    lines = [argument.lines(name, p) for name, argument in zip(names, target.arguments, strict=True)]
    # Numbers first: they may run any code.
    for each in [each for each in lines if not each.imports] + [each for each in lines if each.imports]:
        tests += each.tests
    imports = [line for each in lines for line in each.imports]
    if len(imports) > 1:
        tests += [f"if {p}imported.__class__ is {p}ForeignArray:", *map("    ".__add__, imports)]
    for read, written in target.layout_pairs:
        tests.append(f"if {target.names[read]} is {target.names[written]}: raise {p}two_layouts({read}, {written})")
    reads, differ = target.shapes.lines(names, p)
    tests += reads
    if differ:
        tests.append(f"if {differ}: {p}check_shapes(({''.join([f'{name}, ' for name in names])}))")
    return tests


def _add_writes(source: Source, target: LaunchTarget, p: str) -> None:
    for name, argument in zip(_variables(target, p), target.arguments, strict=True):
        source.add(*argument.lines(name, p).writes)


def _scope(target: LaunchTarget, p: str) -> dict[str, Any]:
    """Return the global variables of a compiled function."""
    scope: dict[str, Any] = {
        "Guest": Guest,
        "ForeignArray": ForeignArray,
        "NdArray": NdArray,
        "runtime": target.module.runtime,
        "copy": ffi.memmove,
    }
    if target.layout_pairs:
        scope["two_layouts"] = target.two_layouts
    scope["check_shapes"], scope["check_grads"] = target.shapes.check, target.check_grads
    scope |= {f"find{gradient.index}": gradient.find for gradient in target.gradients}
    scope |= {f"pack{k}": pack.arguments for k, pack in enumerate(target.packs.values())}
    for argument in target.arguments:
        scope[f"check{argument.index}"] = argument.check
        if isinstance(argument, ArrayArgument):
            scope[f"type{argument.index}"] = argument.type
            scope[f"confirm{argument.index}"], scope[f"known{argument.index}"] = argument.confirm, argument.known
            scope[f"readonly_type{argument.index}"] = argument.readonly_type
    return {p + name: value for name, value in scope.items()}


def _prefix(target: LaunchTarget) -> str:
    """Return a prefix for the other variables that does not start any parameter's name."""
    prefix = "_"
    while any(name.startswith(prefix) for name in [*target.names, *target.taken]):
        prefix += "_"
    return prefix


# Launch: a kernel or compute graph with its arguments, checked and packed once.


class Launch(Unique):
    """A launch with checked and packed arguments, created by ``kernel.bind(...)`` and ``graph.bind(...)``.

    Call it to launch. It keeps the arrays among its arguments alive; if one of them is closed, calling it raises
    ValueError.

    Examples
    --------
    >>> step = saxpy.bind(2.0, x, y)
    >>> for _ in range(1000):
    ...     step()
    >>> step.update(a=3.0)
    >>> y.to_numpy()
    array([2000., 4000., 6000.], dtype=float32)
    """

    __slots__ = ("_block", "_c", "_copies", "_kept", "_launcher", "_recorded")
    _created_by = "bind() of a kernel or graph"
    _block: ArgumentBlock
    _c: taichi_aot_launch_p
    _copies: list[HostCopy]
    _kept: dict[int, tuple[Any, ...]]
    _launcher: Launcher
    _recorded: list[Recorded]
    _reloader: Any = None  # the `Reloader` of a launch that follows a file, which this room must not import

    @classmethod
    def _make(cls, launcher: Launcher, args: Sequence[ArgumentLike], kwargs: Mapping[str, ArgumentLike]) -> Launch:
        try:
            values = launcher.check(*args, **kwargs)
        except TypeError as error:
            launcher.explain(error, args, kwargs)
            raise
        launcher.target.require_usable(dict(enumerate(values)))
        launcher.target.warn_of_returns()
        return cls._with(launcher, values, None)

    @classmethod
    def _with(cls, launcher: Launcher, values: tuple[Any, ...], result: Result | None) -> Launch:
        """Create a launch with checked arguments; it shares `result`, if given, with another launch."""
        self = object.__new__(cls)
        self._launcher = launcher
        self._block = launcher.target.new_block(result)
        self._c = self._block.c
        self._copies = []  # of results, not in use
        self._recorded = []  # what it has on the device
        launcher.write(self._block, *values)
        # The written arguments, by the version of the block that contains them. The version of self._block tells which
        # arguments are in use: C replaces both in one step, so an exception cannot interrupt the replacement.
        self._kept = {0: values}
        return self

    def _again(self, launcher: Launcher) -> Launch:
        """Return a launch of another kernel of the same types with the same arguments and memory for results."""
        values, target = self._kept[self._c.version], launcher.target
        target.check_again(values)
        return Launch._with(launcher, values, self._block.result)

    @property
    def signature(self) -> Signature:
        """The signature of the kernel or graph."""
        return self._launcher.target.signature

    def __call__(self) -> None:
        """Launch.

        Raises
        ------
        ValueError
            If an array, the module or the runtime is closed.
        BufferError
            If an array is mapped, on archs that map a copy.
        DeviceLostError
            If a kernel faulted on a CUDA device.
        TaichiError
            If the library reports another error.
        """
        status = launch_now(self._c)
        if status:
            self._retry(status)

    def _retry(self, status: int) -> None:
        """Launch again with a plan, or after a wait."""
        target = self._launcher.target
        status = target.launch_again(self._c, status, launch_now, self._recorded)
        if status == Status.NEEDS_PLAN:
            self._repeat(status)
        elif status:
            raise target.error(status)

    def _repeat(self, status: int) -> None:
        """Launch a kernel that repeats tasks, with the present arguments, which an update does not change meanwhile."""
        values, launcher = self._kept[self._c.version], self._launcher
        block = launcher.free_block()
        launcher.write(block, *values)
        launcher.target.retry(block, status, launcher.free_blocks)
        launcher.free_blocks.append(block)

    def result(self) -> Any:
        """Wait for the last launch, and return what the kernel returned, as a call of the kernel does.

        The last launch is that of a call or of a sequence. Each `Launch` has its own memory for the result.

        Raises
        ------
        RuntimeError
            If it has not been launched yet.
        TypeError
            If it does not return a value.
        NotSupportedError
            If the value cannot be fetched; `bind` warns of this.
        ValueError, DeviceLostError, TaichiError
            As for a launch, if the runtime is closed or the launch failed.

        Examples
        --------
        >>> step = dot.bind(x, x)
        >>> step()
        >>> print(step.result())
        14.0
        """
        target = self._launcher.target
        if not self.signature.returns:
            written = [p.name for p in self.signature.parameters if "w" in p.access]
            hint = f"; it writes to {' and '.join(map(repr, written))}: read {written[0]}.to_numpy()" if written else ""
            raise ArgumentTypeError(f"{self.signature.name}() does not return a value{hint}")
        if target.layout is None:
            raise NotSupportedError(f"the value that {self.signature} returns cannot be fetched")
        try:
            copy = self._copies.pop()  # one for each thread and signal handler that reads at the same time
        except IndexError:
            copy = HostCopy(target.layout)
        runtime = target.module.runtime
        status = runtime.complete(lambda may_block: lib.taichi_aot_read_result(self._c, copy.host, may_block))
        value = None if status else copy.value()
        self._copies.append(copy)
        if status:
            raise target.error(status)
        return value

    def update(self, /, **arguments: ArgumentLike) -> None:
        """Replace the named arguments atomically: a launch uses all old arguments or all new ones.

        The arguments are checked as in a call, and stated shapes against the remaining arguments. A new array of a
        parameter with a gradient brings its own, unless `grads` is given as in a call. If an argument is not
        accepted, the update changes nothing. Other threads may launch and update at the same time: every update takes
        effect, one after the other. A mapping with some members of a struct or pack replaces only these.

        Raises
        ------
        TypeError, ValueError, OverflowError, NotSupportedError
            As for a call of the kernel.

        Examples
        --------
        >>> step = saxpy.bind(2.0, x, y)
        >>> step.update(a=3.0)
        >>> step()
        >>> y.to_numpy()
        array([3., 6., 9.], dtype=float32)
        """
        try:
            self._update(arguments)
        except TaichiError as error:
            leave_caller(error)
            raise

    def _update(self, arguments: dict[str, Any]) -> None:
        target = self._launcher.target
        values: dict[int, Any] = {}
        grads: Any = arguments.pop(target.grads, None) if target.gradients else None
        if grads is not None:
            target.check_grads(grads)
        given = self._by_index(arguments)
        for gradient in target.gradients:
            i = gradient.array.index
            if i in given or (grads is not None and target.names[i] in grads):
                values[gradient.index] = gradient.check(gradient.find(given.get(i), grads))
        for i, value in given.items():
            values[i] = target.arguments[i].change(value)
        target.require_usable(values)
        while not self._replace(values):
            pass  # another thread updated first; apply this update to its result

    def _by_index(self, arguments: Mapping[str, Any]) -> dict[int, Any]:
        """Return the arguments of parameters by index, given those of an update by name."""
        target = self._launcher.target
        found: dict[int, Any] = {}
        for name, value in arguments.items():
            if name in target.packs:
                found |= target.packs[name].changes(value)
            elif name in target.taken:
                found[target.names.index(name)] = value
            else:
                names = ", ".join(map(repr, target.taken)) or "none"
                has = f"has no parameter {name!r}; it has {names}{names_hint(self.signature)}"
                raise unknown_parameter(f"{self.signature.name}() {has}")
        return found

    def _replace(self, values: Mapping[int, Any]) -> bool:
        """Replace arguments by index; return False, without a change, if another thread updated in between."""
        version = self._c.version
        current = self._kept.get(version)
        if current is None:
            return False
        given = [(value, values.get(i, value)) for i, value in enumerate(current)]
        merged = tuple([new.of(old) if new.__class__ is Change else new for old, new in given])
        self._launcher.target.require_one_layout(merged)
        self._launcher.target.shapes.check(merged)
        replacement = self._launcher.free_block()
        self._launcher.write(replacement, *merged)
        replacement.c.version = next(versions)
        self._kept[replacement.c.version] = merged  # kept before C may use them
        status = lib.taichi_aot_launch_assign(self._c, replacement.c, version)
        # Versions increase: arguments with a smaller version than the block are no longer used.
        for old in [number for number in list(self._kept) if number < self._c.version]:
            self._kept.pop(old, None)
        self._launcher.free_blocks.append(replacement)
        if status not in (0, Status.CHANGED):
            raise self._launcher.target.error(status)
        return bool(status == 0)

    def __repr__(self) -> str:
        code = self._launcher.target.module.runtime.backend.code
        way = f" ({code.own_way})" if self._c.was_recorded else ""  # of launches without the library
        return f"<Launch of {self.signature}{way}>"


versions: Iterator[int] = itertools.count(1)

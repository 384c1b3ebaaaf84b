"""Launch: a kernel or compute graph with its arguments, checked and packed once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...driver._library import Status, lib
from ...handles._runtime import Unique
from ...values._errors import ArgumentTypeError, NotSupportedError, TaichiError, leave_caller, unknown_parameter
from ...values._signature import Signature, names_hint
from ._arguments import Change
from ._block import ArgumentBlock
from ._recording import HostCopy, Recorded, Result

if TYPE_CHECKING:
    from ..._capi import taichi_aot_launch_p
    from ._arguments import ArgumentLike
    from ._compiler import Launcher


launch_now: Callable[[taichi_aot_launch_p], int] = lib.taichi_aot_launch_now


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
        """Launch again with a plan, or after a wait, which lets Python handle signals."""
        if status == Status.NEEDS_PLAN and self._launcher.target.repeats:
            return self._repeat(status)
        while status in (Status.NEEDS_PLAN, Status.NOT_LAUNCHED):
            if status == Status.NEEDS_PLAN:
                self._launcher.target.give_plan(self._c, self._recorded)
            else:
                self._launcher.target.module.runtime.wait()
            status = launch_now(self._c)
        if status:
            raise self._launcher.target.error(status)

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

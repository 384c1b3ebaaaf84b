"""Functions compiled for each kernel: they take the parameters by name, test and write the arguments, and launch.

Launches do not interpret the signature: Python itself reports a wrong number or name of arguments. A few comparisons
test each argument, and C checks under the runtime's mutex that the objects are still open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from ...arrays._ndarray import NdArray
from ...driver._library import ffi, lib
from ...values._errors import wrong_arguments
from ...values._signature import names_hint
from ._arguments import ArrayArgument
from ._block import ArgumentBlock, LaunchTarget
from ._foreign import ForeignArray, Guest, take_no_guest
from ._source import Source

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

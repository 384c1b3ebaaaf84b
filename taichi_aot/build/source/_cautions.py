"""Warnings about code that builds but will not work as the source says.

Only the text of a kernel, and of the functions that it names, is read: what is found is a guess, and a warning.
"""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .._options import Kind
from ._kernels import ndims

SYMBOLS = "nmklpqrstuvw"  # of the shapes that are proposed
INFINITE = {"f16": 65_520.0, "f32": 2.0**128 - 2.0**103}  # from which on numbers are rounded to infinity
NAMED = 20  # kernels that a warning names after the first one


class Caution(NamedTuple):
    """A fault of a kernel or field, for a warning."""

    kind: Kind
    subject: str
    text: str


def merge(cautions: Sequence[Caution]) -> list[str]:
    """Return a warning for each kind, with the text of the first subject and the names of the others."""
    kinds = dict.fromkeys(each.kind for each in cautions)
    return [_warning([each for each in cautions if each.kind == kind]) for kind in kinds]


def _warning(cautions: Sequence[Caution]) -> str:
    first = cautions[0]
    others = list(dict.fromkeys(each.subject for each in cautions if each.subject != first.subject))
    if len(others) > NAMED:
        others[NAMED:] = [f"{len(others) - NAMED} more"]
    more = f". Likewise: {', '.join(others)}" if others else ""
    return f"{first.subject} {first.text}{more} [{first.kind}]"


def has_assert(function: Any) -> bool:
    """Return whether a kernel, or a function that it calls, has an ``assert``."""
    return any(isinstance(node, ast.Assert) for each in _called(function, set()) for node in ast.walk(_parse(each)))


def _called(function: Any, seen: set[Any]) -> Iterator[Any]:
    """Yield a function and the functions of Taichi that it names, and so on."""
    seen.add(function)
    yield function
    names = inspect.getclosurevars(function)
    for value in (*names.globals.values(), *names.nonlocals.values()):
        inner: Any = getattr(value, "func", None) if inspect.isfunction(value) else None  # Taichi's object for ti.func
        if inner is not None and inner.func not in seen:
            yield from _called(inner.func, seen)


def _parse(function: Any) -> ast.AST:
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def unchecked_sizes(kernel: Any, stated: Mapping[str, Any], template_types: Mapping[str, Any]) -> str:
    """Return what a kernel indexes in the loop over another array, if not both shapes are stated; else empty.

    An array counts if an index is a variable of the loop itself, and if the kernel does not read the array's shape.
    """
    arrays = ndims(kernel, template_types)
    tree = _parse(kernel.func)
    asked = {
        node.value.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "shape" and isinstance(node.value, ast.Name)
    }
    for loop in ast.walk(tree):
        if isinstance(loop, ast.For):
            over = [name for name in _names(loop.iter) if name in arrays]
            for name in _indexed(loop) if over else ():
                is_stated = name in stated and over[0] in stated
                if name in arrays and name not in over and name not in asked and not is_stated:
                    return _describe(name, over[0], arrays, [each.name for each in kernel.arguments])
    return ""


def overwritten(function: Any, arrays: Collection[str]) -> str:
    """Return an element of arrays that a function reads and then overwrites, or multiplies; empty if there is none.

    An adjoint would compute with the new number. Adding to an element does not overwrite it.
    """
    nodes = list(ast.walk(_parse(function)))
    elements = [node for node in nodes if isinstance(node, ast.Subscript)]
    read = [(ast.unparse(node), node.lineno) for node in elements if isinstance(node.ctx, ast.Load)]
    for node in nodes:
        if isinstance(node, ast.Assign):
            last = node.end_lineno or node.lineno
            found = [each for each in map(ast.unparse, node.targets) if any(each == e and at <= last for e, at in read)]
        elif isinstance(node, ast.AugAssign) and not isinstance(node.op, ast.Add | ast.Sub):
            found = [ast.unparse(node.target)]
        else:
            continue
        for element in found:
            if element.partition("[")[0] in arrays:
                return element
    return ""


def infinite(function: Any, arrays: Mapping[str, str], default: str) -> str:
    """Return a number that a function, or one that it calls, has as infinity, with its dtype; empty if there is none.

    `arrays`: the dtypes of parameters. `default`: that of numbers in the source, where no ``ti.f64(...)`` is around.
    """
    for each in _called(function, set()):
        nodes = list(ast.walk(_parse(each)))
        wide = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("f64")]
        stated = {id(inner) for node in wide for inner in ast.walk(node)}
        found = [(node, default) for node in nodes if id(node) not in stated]
        for node in nodes if each is function else ():
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
                value = node.value.operand if isinstance(node.value, ast.UnaryOp) else node.value
                found.append((value, arrays.get(ast.unparse(node.targets[0].value), "")))
        for node, dtype in found:
            number = node.value if isinstance(node, ast.Constant) else None
            if isinstance(number, float) and INFINITE.get(dtype, math.inf) <= number < math.inf:
                return f"{ast.unparse(node)}, which is infinity in {dtype}"
    return ""


def _names(tree: ast.AST) -> list[str]:
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


def _indexed(loop: ast.For) -> Iterator[str]:
    """Yield the names of what is indexed by a variable of a loop in its body."""
    variables = _names(loop.target)
    for node in (node for statement in loop.body for node in ast.walk(statement)):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if any(isinstance(index, ast.Name) and index.id in variables for index in indices):
                yield node.value.id


def _describe(name: str, over: str, arrays: Mapping[str, int], parameters: Sequence[str]) -> str:
    symbols = [each for each in SYMBOLS if each not in parameters][: arrays[over]]
    shape = f'"{symbols[0]}"' if len(symbols) == 1 else "({})".format(", ".join(f'"{each}"' for each in symbols))
    example = "{...}" if arrays[name] != arrays[over] else f'{{"{name}": {shape}, "{over}": {shape}}}'
    return (
        f"indexes {name} in the loop over {over}, and nothing checks that {name} is as large: a smaller one crashes or "
        f"gives wrong numbers. State both shapes, shapes={example}"
    )

"""Errors of the compiler and of the source, and warnings about code that builds but will not work as the source says.

The message of an error begins with the kernel, the file and the line. For warnings only the text of a kernel, and of
the functions that it names, is read: what is found is a guess.
"""

from __future__ import annotations

import ast
import inspect
import math
import os
import re
import sys
import textwrap
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from ...values._numbers import DTYPES
from .._options import BuildError, Kind, LackingError, SourceError, option
from ._kernels import ndims
from ._source import QUADRANTS, TAICHI, is_of_source, library_folders

CALLERS = 3  # of the calls of functions that lead to an error

# A place in a message of the compiler: the first line of the code, and others that are dropped.
BLOCK = re.compile(
    r'^(?:While compiling .*?, |TypeError when calling .*?: )?File "([^"\n]+)", line (\d+), in (.+):\n'
    r"(.*)\n([ ^]*)\n(?:.*\n *\^[ ^]*\n|\n\n)*",
    re.MULTILINE,
)
# A frame of a traceback in a message.
FRAME = re.compile(r'^  File "([^"\n]+)", line (\d+), in (.+)\n((?:    .*\n)?)((?: *[~^]+ *\n)?)', re.MULTILINE)
TRACEBACK = re.compile(r"^Traceback \(most recent call last\):\n", re.MULTILINE)
# What precedes the last exception of a chain, and Quadrants' frames of its compiler.
CHAIN = re.compile(r"\n\n(?:During handling of|The above exception was).*\n\n|^Your code:\n", re.MULTILINE)
ORIGIN = re.compile(r"^(?:RuntimeError: )?(\[[\w.]+:\S+@\d+\] )+|^taichi[\w.]*\.\w+: ")  # file of C++; class of Taichi

# The capabilities of the types that a device may lack.
CAPABILITIES = {str(dtype): row.capability for dtype, row in DTYPES.items() if row.capability}
# Explanations of the compiler's messages, in Taichi's words. Messages that are not here are clear.
MEANINGS = {
    r'Name "\w+" is not defined': r"\g<0> here: import it, or assign it in this block or in one around it",
    'Unsupported node "AsyncFunctionDef"': "a kernel cannot be async: write def, and await runtime.wait_async() or "
    "the call_async() of a function",
    r'Unsupported node "(\w+)"': r"kernels cannot have this statement of Python (\1): move it out of the kernel",
    r"Taichi kernels parameters must be type annotated": r"its parameters need types, such as ti.f32",
    r".*[iI]nstruction (\w+)\(\d+\) (?:does not 64bits operation|must <= 32bits)": r"SPIR-V has no \1 of 64-bit "
    "numbers: convert to ti.f32 first, or build for the CPU and CUDA",
    r"\w+ kernels do not support default values for arguments": r"\g<0>: pass the value in each call, or make it a "
    "global constant",
    r"\w+ kernels do not support variable (?:positional|keyword) parameters .*": r"\g<0>: name each parameter with its "
    "type, or join several numbers to a vector, struct or ti.types.argpack",
    r"\w+ kernels (?:do not support keyword parameters|only support .*)": r"\g<0>: remove the * or / between the "
    "parameters; calls may name each of them",
    r"Range should have .*": r"\g<0>: loop over `range(n)`, and compute the index from it",
    r"Return inside non-static if/for is not supported": r"\g<0>: assign to a variable, and return it at the end",
    r".*'AnyArray' (?:object is not iterable|has no len\(\)).*": "a kernel cannot treat an ndarray as a sequence: loop "
    "over its indices, `for i in x`, and take its size from x.shape[0]",
    r"AttributeError: 'AnyArray' object has no attribute '(\w+)'": r"an ndarray has no attribute '\1' in a kernel, "
    "where it has a shape and elements",
    r"The type <class 'taichi.lang.any_array.AnyArray'> do not support index of slice type": "a kernel cannot slice an "
    "ndarray: loop over its indices",
    r"AttributeError: module 'taichi.lang.matrix_ops' has no attribute '(\w+)'": r"a number has no attribute '\1'",
    r"TypeError: list indices must be integers or slices, not Expr|IndexError: only integers, slices .*": "an index "
    "that is computed by the kernel cannot index a list or an array of numpy: pass it as an ndarray",
    r"Invalid constant scalar data type: .*AnyArray'>\.?": "an ndarray is given where a number is needed: index it, or "
    "make it a ti.template() parameter of the function",
    r"Invalid constant scalar data type: <class '([\w.]+\.)?(\w+)'>": r"a kernel cannot have a value of type \2: use "
    "numbers, vectors and matrices",
    r"TypeError: Cannot loop over the object <class '(\w+)'> .*": r"a kernel cannot loop over a \1: unroll the loop by "
    r"ti.static(...)",
    r"ValueError: Input to ti.static must be .*|.*'Taichi Expression' object cannot be interpreted as an integer\.+": (
        "this value must be known when the kernel is compiled: make it a constant, or a ti.template() parameter"
    ),
    r"TypeError: object of type 'Expr' has no len\(\)": "a number is given where a tuple or vector is needed",
    r".*Invalid data type <ti\.(ArgPack|Struct)Type.*": r"\g<0>. A graph cannot pass structs or argument packs: make "
    "their members parameters of the kernel",
    r"ValueError: Invalid data type (NdarrayType.*)": r"\1 is an array, which no struct can have and no kernel can "
    "return: use ti.types.argpack for a struct, a parameter for a result",
    r"ValueError: Invalid data type (.*)": r"\1 is not a type of Taichi here: use one such as ti.f32",
    r"Return \(type=<ti.Expr>\) cannot be converted into required type (.*)": r"the returned value is not a single "
    r"number, as the annotation -> ti.\1 says",
    r"Return \(type=\(<.*": "several values are returned: annotate them as -> (ti.f32, ti.i32), with the type of each",
    r"Return \(type=<ti.Struct .*": "the returned struct is not of the type in the annotation: define the type once, "
    "outside of the kernel",
    r"Too many arguments\. Expected \(.*": "the function is called with more arguments than it has parameters",
    r"Parameter `(\w+)` missing\.": r"the function is called without its parameter \1",
    r".*RecursionError.*": "a function calls itself, and the compiler inlines its calls without end: write a loop",
    r"AssertionError: (\w+) cannot be called in Taichi-scope": r"a kernel cannot call \1 of this object: create arrays "
    "and fields outside of kernels, and make an ndarray a parameter",
    r"Getting shape of non-tensor type: (\w+)": r"a number of \1 is not a vector: a variable keeps the type of its "
    "first value",
    r"(Begin|End) fails\.|Assertion failure: stmt->const_(begin|end)": "SPIR-V cannot have a range with this begin and "
    "end: loop over ti.ndrange((begin, end)), or build for CPUs and CUDA",
    r"AssertionError|Assertion failure: .*": r"the compiler fails without a reason: check the types and shapes here "
    r"(\g<0>)",
    r"AttributeError: 'SourceBuilder' object has no attribute '(\w+)'": r"the module has no method \1; it has "
    "add_kernel, add_kernel_template, add_graph and add_field",
    r"AttributeError: module '(taichi[\w.]*)' has no attribute '(\w+)'": r"\1 has no attribute \2",
    r"ModuleNotFoundError: No module named '([\w.]+)'": r"\g<0>: install \1, or import it under "
    'if __name__ == "__main__":',
    r".*SNode is not supported on this backend.*": r"\g<0>. Sparse fields of Taichi are for CPUs and CUDA",
    r".*auto_diff\.cpp:visit@(?:1091|1095|1099)\] Not supported.*": "the compiler cannot differentiate `while`, "
    "`break` or `continue`: loop over a range, or remove grad=True",
    r".*auto_diff\.cpp:visit@\d+\] Not supported.*": "the compiler cannot differentiate a function in it, such as "
    "ti.tan: use others, or remove grad=True",
    r"Cannot use non static range in Backwards mode": "the compiler cannot differentiate a loop inside a loop without "
    "a stack: unroll it by ti.static(range(...)), or remove grad=True",
    r".*RandStmt not supported in AutoDiff.*": "the compiler cannot differentiate ti.random(): pass the numbers in an "
    "ndarray, or remove grad=True",
    r".*Invalid program input for autodiff: Mixed usage.*": "the compiler cannot differentiate statements beside a "
    "loop, such as a return value: write them into an ndarray in a kernel of their own, or remove grad=True",
    r".*data_type_size@\d+\] Not supported.*": "Not supported. Only CPUs and CUDA have "
    "quantized fields: build for these",
    r".*spirv_codegen\.cpp:visit@\d+\] Not supported.*": "SPIR-V lacks an operation in it, such as - of a u32 (convert "
    "to ti.i32), or // of a shape in range() (loop over ti.ndrange()); or build for CPUs and CUDA",
    r"AssertionError: subgroup size 0 .*": "operations of subgroups are for CUDA only: build without other archs",
    r".*cusparse.*|.*Sparse(Matrix|Solver) only supports.*": r"\g<0>. A module cannot have sparse matrices or solvers: "
    'put them under if __name__ == "__main__":',
}


class Place(NamedTuple):
    """A line of the source."""

    file: str
    line: int
    function: str = ""
    code: str = ""
    mark: str = ""  # carets below the code

    def __str__(self) -> str:
        return f"{_shown(self.file)}, line {self.line}"

    def excerpt(self) -> list[str]:
        """Return the code, with the mark below it."""
        lines = [line.rstrip() for line in (self.code, self.mark) if line.strip()]
        return textwrap.indent(textwrap.dedent("\n".join(lines)), "    ").splitlines()


class Numbers(NamedTuple):
    """The types of the numbers of what is compiled, for errors about a type that the arch lacks."""

    dtypes: Mapping[str, str]  # names of dtypes by what has such numbers, for messages
    arch: str  # the target
    caps: Sequence[str]  # capabilities that SPIR-V code may use, without the prefix ``spirv_has_``

    def require(self, dtypes: Iterable[str]) -> None:
        """Raise BuildError if the arch lacks one of the types."""
        for dtype in dtypes:
            if CAPABILITIES.get(dtype, "") not in ("", *self.caps):
                raise self.error(dtype)

    def error(self, lacking: str) -> LackingError:
        """Return the error with the reason and the remedies, given the type that the compiler names first.

        Arrays and fields of floats also need the integer of the same size, as which they are stored.
        """
        found = [(what, dtype) for what, dtype in self.dtypes.items() if dtype[1:] == lacking[1:]]
        found.sort(key=lambda each: each[1] != lacking)
        what, dtype = next(iter(found), ("its code", lacking))
        needed = [CAPABILITIES[lacking], *([CAPABILITIES[dtype], f"int{dtype[1:]}"] if found else [])]
        caps = dict.fromkeys([*self.caps, *sorted(needed)])
        allowed = option("caps", *(f"spirv_has_{each}" for each in caps))
        reason = f"{what} has numbers of {dtype}, which not every {self.arch} device has"
        return LackingError(
            f"{reason}: use ti.{dtype[0]}32, allow them by {allowed}, or {option('others')}",
            f"{reason}; {allowed} builds it for devices that have them",
        )


UNKNOWN = Numbers({}, "Vulkan", ())


def explain(
    error: BaseException, kernel: str = "", defined: Place | None = None, numbers: Numbers = UNKNOWN
) -> BuildError:
    """Return the error to raise for one of the compiler, or of the source; `defined` is for those that name no line."""
    if isinstance(error, SourceError):
        return error
    places, reason = _read(error)
    lack = error if isinstance(error, LackingError) else _lack(reason, numbers)
    reason = _meaning(reason) if lack is None else str(lack)
    is_own = isinstance(error, BuildError)  # of this package, which names the remedy
    if is_own and defined:
        places = []
    place = places[-1] if places else defined
    if place is None and lack is not None:
        return LackingError(f"{kernel}: {reason}".lstrip(": "), f"{kernel}: {lack.lacking}".lstrip(": "))
    if place is None:
        return error if isinstance(error, BuildError) and not kernel else BuildError(f"{kernel}: {reason}".lstrip(": "))
    inside = f", in {place.function}" if len(_calls(places)) and defined else ""
    lines = [] if is_own else [*place.excerpt(), *_callers(places)]
    explained = SourceError(kernel, f"{place}{inside}", reason, lines)
    if lack is not None:
        explained.lacking = f"{kernel} ({place}{inside}): {lack.lacking}"
    return explained


def show_trace(error: BaseException) -> str:
    """Return an exception, and those that led to it, with all of their frames."""
    chain: list[BaseException] = []
    each: BaseException | None = error
    while each is not None:
        chain.append(each)
        each = each.__cause__ or each.__context__
    return "\n".join("".join(traceback.format_exception(each, chain=False)) for each in reversed(chain))


def _own_frames(error: BaseException) -> list[Place]:
    """Return the places in files of the source through which an exception came."""
    frames = traceback.extract_tb(error.__traceback__)
    return [
        Place(each.filename, each.lineno or 0, each.name, each.line or "")
        for each in frames
        if is_of_source(each.filename)
    ]


def _read(error: BaseException) -> tuple[list[Place], str]:
    """Return the places of an error, from the outer to the inner, and its text without them."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:  # the compiler's have no file
        code = (error.text or "").rstrip("\n")
        mark = " " * ((error.offset or 1) - 1) + "^"
        return [Place(error.filename, error.lineno, "", code, mark)], f"{type(error).__name__}: {error.msg}"
    text = f"{str(error).strip()}\n"
    places = list(traced_places(text)) or _own_frames(error)
    text = CHAIN.split(TRACEBACK.sub("", FRAME.sub("", BLOCK.sub("", text))))[-1].strip()
    # The compiler's exceptions name the class of the cause in the message.
    kind = type(error)
    if not kind.__module__.startswith((TAICHI, QUADRANTS)) and kind is not RuntimeError:
        text = f"{kind.__name__}: {text}" if text else kind.__name__
    return places, text


def traced_places(text: str) -> Iterator[Place]:
    """Yield the lines that a message of the compiler names, except those of libraries."""
    found = sorted([*BLOCK.finditer(text), *FRAME.finditer(text)], key=lambda match: match.start())
    for match in found:
        file, line, function, code, mark = match.groups()
        if not file.startswith(library_folders()):
            yield Place(file, int(line), function, code, mark)


def _lack(text: str, numbers: Numbers) -> LackingError | None:
    """Return the error for a message about a type that the arch lacks."""
    match = re.fullmatch(r"Type (\w+) not supported\.?", ORIGIN.sub("", text))
    return None if match is None or match[1] not in CAPABILITIES else numbers.error(match[1])


def _meaning(text: str) -> str:
    """Return the explanation of a message, or a clear message itself."""
    origin_and_text, text = text, ORIGIN.sub("", text)
    for pattern, meaning in MEANINGS.items():
        if match := re.fullmatch(pattern, text, re.DOTALL) or re.fullmatch(pattern, origin_and_text, re.DOTALL):
            explained = match.expand(meaning)
            return re.sub(r"\bti\.", "qd.", explained) if QUADRANTS in sys.modules else explained
    return " ".join(text.split())


def _calls(places: Sequence[Place]) -> list[Place]:
    """Return the places at which the function of the last place, and those that lead to it, are called."""
    return [outer for outer, inner in pairwise(places) if outer.function not in (inner.function, places[-1].function)]


def _callers(places: Sequence[Place]) -> list[str]:
    """Return a line for each of the last calls that lead to the last place."""
    calls = reversed(_calls(places)[-CALLERS:])
    return [f"  called by {each.function} ({each}): {each.code.strip()}" for each in calls]


def _shown(file: str) -> str:
    """Return the name of a file for messages: relative to the current folder, if it is in it."""
    path = Path(file)
    here = Path(os.getcwd())
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


# Warnings about code that builds but will not work as the source says.


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
                    is_part = any(isinstance(node, ast.BinOp) for node in ast.walk(loop.iter))
                    return _describe(name, over[0], arrays, [each.name for each in kernel.arguments], is_part=is_part)
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


def _describe(name: str, over: str, arrays: Mapping[str, int], parameters: Sequence[str], *, is_part: bool) -> str:
    symbols = [each for each in SYMBOLS if each not in parameters][: arrays[over]]
    shape = f'"{symbols[0]}"' if len(symbols) == 1 else "({})".format(", ".join(f'"{each}"' for each in symbols))
    example = "{...}" if arrays[name] != arrays[over] else f'{{"{name}": {shape}, "{over}": {shape}}}'
    remedy = f"State both shapes, shapes={example}"
    if is_part:  # of the elements, such as all but one: then sizes may differ
        remedy = f"Loop over the shape of {name}; or, if both shapes are equal, state them, shapes={example}"
    return (
        f"indexes {name} in the loop over {over}, and nothing checks that {name} is as large: a smaller one crashes or "
        f"gives wrong numbers. {remedy}"
    )

"""Errors of the compiler and of the source, as a message that begins with the kernel, the file and the line."""

from __future__ import annotations

import os
import re
import sys
import textwrap
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ...values._enums import DTYPES
from .._errors import BuildError, LackingError, SourceError
from .._options import option
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
    r"AttributeError: 'SourceModule' object has no attribute '(\w+)'": r"the module has no method \1; it has "
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

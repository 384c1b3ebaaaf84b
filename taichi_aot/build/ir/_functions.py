"""Mathematical functions as LLVM IR, of which LLVM makes vectors: at most 1 ulp from the right result, for all numbers.

The bits are the same on every CPU and with every C library. A module that calls functions of C gets them in steps:
`declare_functions` before any pass; for each kind of CPU, `inline_functions` before the passes that make vectors; and
`define_functions` at the end, before unused functions are removed. No pass may contract multiplications and additions
of theirs, or change their order.

Other libraries do not fit. glibc's libmvec is up to 4 ulp off, and systems with musl lack it. SLEEF is C with
intrinsics for each kind of CPU, so each bundle would carry it. These functions have no branches or tables, except for
sines, cosines and tangents of angles above 2^20. ``benchmarks/coefficients.py`` prints the constants.

The largest errors that were found, in units of the last place, for f32 and f64:

    sin    0.610  0.77
    cos    0.631  0.77
    tan    0.680  0.88
    asin   0.505  0.67
    acos   0.505  0.67
    atan2  0.508  0.76
    tanh   0.678  0.84
    exp    0.560  0.78
    log    0.512  0.86
    pow    0.570  0.78
    rsqrt  0.501  0.51
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from . import _functions_f32 as f32
from . import _functions_f64 as f64
from ._numbers import Body, Value


class _Function(NamedTuple):
    """What computes a function, in f64: from its arguments, or from an angle and a function that reduces it."""

    type: str
    compute: Callable[..., Value]
    parameters: int = 1
    is_of_angle: bool = False


# For f32 and f64 by the names in C, with the numbers of parameters; C has no rsqrt.
COMPUTED: dict[str, tuple[Callable[..., Value], Callable[..., Value], int]] = {
    "sin": (f32.sin, f64.sin, 1),
    "cos": (f32.cos, f64.cos, 1),
    "tan": (f32.tan, f64.tan, 1),
    "asin": (f32.asin, f64.asin, 1),
    "acos": (f32.acos, f64.acos, 1),
    "atan2": (f32.atan2, f64.atan2, 2),
    "tanh": (f32.tanh, f64.tanh, 1),
    "exp": (f32.exp, f64.exp, 1),
    "log": (f32.log, f64.log, 1),
    "pow": (f32.pow_, f64.pow_, 2),
    "rsqrt": (f32.rsqrt, f64.rsqrt, 1),
}
FUNCTIONS = {
    name + suffix: _Function(type_, computes[place], count, name in ("sin", "cos", "tan"))
    for place, (type_, suffix) in enumerate((("float", "f"), ("double", "")))
    for name, (*computes, count) in COMPUTED.items()
}
PREFIX = "taichi_aot.math."  # LLVM computes functions of constants with the machine's libm, where it knows their names
LANES = (2, 4, 8, 16)
EACH = ".each"  # after the name of a function of one angle; those of vectors have the number of lanes
PURE = "nounwind readnone willreturn"


def declare_functions(llvm: Any, module: Any) -> None:
    """Let a module call ours, which have no effects, in place of the functions of C that it declares."""
    names = [each.name for each in module.functions if each.is_declaration and each.name in FUNCTIONS]
    module.link_in(llvm.parse_assembly("".join(map(_calling_ours, names))))
    for name in names:
        module.get_function(name).linkage = "internal"


def inline_functions(llvm: Any, module: Any, *, has_fma: bool) -> None:
    """Define the functions that `declare_functions` found, so that passes inline them.

    Sines, cosines and tangents become calls, of which LLVM makes calls of functions of vectors. The results are
    the same with and without `has_fma`.
    """
    names = [name for name, variants in _declared(module).items() if "" in variants]
    if not names:
        return
    texts = [_inlined(name, has_fma=has_fma) for name in names]
    module.link_in(llvm.parse_assembly(Body([], has_fma).declarations() + "".join(texts)))
    for name in names:
        module.get_function(f"{PREFIX}{name}").linkage = "internal"


def define_functions(llvm: Any, module: Any, *, has_fma: bool) -> None:
    """Define the other functions: those that no pass may inline, and callees of `inline_functions`."""
    found = _declared(module)
    if not found:
        return
    texts = [f64.TABLE, *(Body([], has_fma, lanes).declarations() for lanes in (0, *LANES))]
    for name, variants in found.items():
        if "" in variants:
            texts.append(_plain(name, has_fma=has_fma))
        if FUNCTIONS[name].is_of_angle:
            texts.append(_of_vectors(name, has_fma=has_fma))
    module.link_in(llvm.parse_assembly("".join(texts)))
    for function in module.functions:
        if function.name.startswith(PREFIX):
            function.linkage = "internal"


def _declared(module: Any) -> dict[str, set[str]]:
    """The functions that a module declares, each with its variants: "" for itself, `EACH`, and numbers of lanes."""
    found: dict[str, set[str]] = {}
    for function in module.functions:
        if function.is_declaration and function.name.startswith(PREFIX):
            name, _, variant = function.name.removeprefix(PREFIX).partition(".")
            found.setdefault(name, set()).add(variant)
    return found


def _calling_ours(name: str) -> str:
    function, body = FUNCTIONS[name], Body([], has_fma=False)
    declared = ", ".join(f"{function.type} %x{i}" for i in range(function.parameters))
    call = f"{function.type} @{PREFIX}{name}({declared})"
    result = Value(body, body.add(f"call {call}"), function.type)
    return f"declare {call} {PURE}\n" + _definition(f"{function.type} @{name}({declared}) alwaysinline", body, result)


@cache
def _inlined(name: str, *, has_fma: bool) -> str:
    if FUNCTIONS[name].is_of_angle:
        return _calling(f"{PREFIX}{name}", FUNCTIONS[name].type)
    return _computing(name, "alwaysinline", has_fma=has_fma)


@cache
def _plain(name: str, *, has_fma: bool) -> str:
    function = FUNCTIONS[name]
    if not function.is_of_angle:
        return _computing(name, "noinline", has_fma=has_fma)
    body = Body([], has_fma)
    result = Value(body, "%x").add(f"call {function.type} @{PREFIX}{name}{EACH}({function.type} %x)", function.type)
    return _definition(f"{function.type} @{PREFIX}{name}({function.type} %x)", body, result)


@cache
def _of_vectors(name: str, *, has_fma: bool) -> str:
    own, function = f"{PREFIX}{name}", FUNCTIONS[name]
    of = _of_single_angle if function.type == "float" else _of_angle
    texts = [of(own, function.compute, Body([], has_fma, lanes)) for lanes in (0, *LANES)]
    large = "" if function.type == "float" else _of_large_angle(own, function.compute, has_fma=has_fma)
    return large + "".join(texts)


def _computing(name: str, attribute: str, *, has_fma: bool) -> str:
    function, body = FUNCTIONS[name], Body([], has_fma)
    parameters = [Value(body, f"%x{i}", function.type) for i in range(function.parameters)]
    if function.type == "float":
        result = function.compute(*(each.cast("fpext", "double") for each in parameters)).cast("fptrunc", "float")
    else:
        result = function.compute(*parameters)
    declared = ", ".join(f"{each.type} {each.name}" for each in parameters)
    return _definition(f"{result.type} @{PREFIX}{name}({declared}) {attribute}", body, result)


def _calling(name: str, type_: str) -> str:
    """The definition of a function of an angle by a call, with declarations of those for vectors.

    LLVM only uses functions that are in the module. So each is called once, by a function that is not internal yet.
    """
    variants = ",".join(f"_ZGV_LLVM_N{lanes}v_{name}{EACH}({name}.{lanes})" for lanes in LANES)
    texts = [f'declare {type_} @{name}{EACH}({type_}) {PURE} "vector-function-abi-variant"="{variants}"\n']
    calls = [(name, f"{name}{EACH}", 0), *((f"{name}.{lanes}.kept", f"{name}.{lanes}", lanes) for lanes in LANES)]
    for caller, called, lanes in calls:
        body = Body([], has_fma=False, lanes=lanes)
        number = body.type(type_)
        result = Value(body, "%x").add(f"call {number} @{called}({number} %x)", type_)
        if lanes:
            texts.append(f"declare {number} @{called}({number}) {PURE}\n")
        texts.append(_definition(f"{number} @{caller}({number} %x) alwaysinline", body, result))
    return "".join(texts)


def _of_large_angle(name: str, compute: Callable[..., Value], *, has_fma: bool) -> str:
    body = Body([], has_fma)
    x = Value(body, "%x")
    return _definition(f"double @{name}.large(double %x) noinline", body, compute(x, f64.reduced_large))


def _of_angle(name: str, compute: Callable[..., Value], body: Body) -> str:
    """The definition of a function of an angle or a vector of angles, which calls that of large ones if one is."""
    x, double, lanes = Value(body, "%x"), body.type("double"), body.lanes
    result, is_large = compute(x, f64.reduced), x.absolute() > f64.LARGE
    large = is_large.then(x, 2 * f64.LARGE) if lanes else x
    _branch(is_large)
    results = result
    for i in range(lanes):
        element = body.add(f"extractelement {double} {large.name}, i32 {i}")
        of_element = body.add(f"call double @{name}.large(double {element})")
        results = results.add(f"insertelement {double} {results.name}, double {of_element}, i32 {i}")
    results = is_large.then(results, result) if lanes else x.add(f"call double @{name}.large(double %x)")
    body.lines.append("  br label %end\nend:\n")
    both = x.add(f"phi {double} [{result.name}, %entry], [{results.name}, %large]")
    return _definition(f"{double} @{name}{f'.{lanes}' if lanes else EACH}({double} %x)", body, both)


def _of_single_angle(name: str, compute: Callable[..., Value], body: Body) -> str:
    """The same for angles of f32: large ones are computed in vectors too."""
    x = Value(body, "%x", "float")
    angle = x.cast("fpext", "double")
    result, is_large = compute(angle, f32.reduced), f32.is_large(x)
    _branch(is_large)
    results = is_large.then(compute(angle, f32.reduced_large), result)
    body.lines.append("  br label %end\nend:\n")
    both = results.add(f"phi {results.type} [{result.name}, %entry], [{results.name}, %large]").cast("fptrunc", "float")
    return _definition(f"{x.type} @{name}{f'.{body.lanes}' if body.lanes else EACH}({x.type} %x)", body, both)


def _branch(is_large: Value) -> None:
    """End the first block of a function of an angle; begin that for vectors with large ones."""
    body, condition = is_large.body, is_large.name
    if body.lanes:
        bits = body.add(f"bitcast {is_large.type} {condition} to i{body.lanes}")
        condition = body.add(f"icmp ne i{body.lanes} {bits}, 0")
    body.lines.append(f"  br i1 {condition}, label %large, label %end\nlarge:\n")


def _definition(head: str, body: Body, result: Value) -> str:
    return f"define {head} {PURE} {{\nentry:\n{''.join(body.lines)}  ret {result.type} {result.name}\n}}\n"

"""Kernels drawn from all signatures that the compiler takes: models of them, their source, and data to call them with.

A model follows from a seed and a number (see `draw`). Kernels mix the bits of all arguments, in order, into every
array element and every return value, so a value from the wrong place or of the wrong type changes all results. They use
only bit casts and integers, so results are equal bit by bit on every device.
"""

from __future__ import annotations

import math
import pickle
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

REALS = ("f16", "f32", "f64")
DTYPES = (*REALS, "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64")
NUMPY = {"u1": "?", **{name: f"{name[0]}{int(name[1:]) // 8}" for name in DTYPES if name != "u1"}}
FORMATS = ("r32f", "rgba8", "rgba32f", "rg16f")  # of rw textures
STEMS = ("x", "value", "_x", "__x", "X_", "größe_", "数", "self_", "ret_", "m_0_")
MAX_PARAMETERS, MAX_RETURNS, MAX_NDIM = 20, 4, 8
MAX_ELEMENTS = 24  # in an array
EMPTY_RANGES = ((10, 5), (0, 0), (3, -3), (-1, -7))
NODES = {"dense": "dense(ti.i, {0})", "pointer": "pointer(ti.i, {0})", "bitmasked": "bitmasked(ti.i, {0})"}

Data = npt.NDArray[Any]


@dataclass(frozen=True)
class ParameterModel:
    """A parameter or return value."""

    name: str
    kind: str  # scalar, matrix (also for vectors), ndarray, texture, rw_texture, struct or argpack
    dtype: str = "f32"
    elem_shape: tuple[int, ...] = ()  # of a matrix, or of the elements of an ndarray
    ndim: int = 0
    format: str = ""
    is_used: bool = True  # by the kernel's code
    needs_grad: bool = False  # whether an ndarray has a gradient
    uses_grad: bool = False  # whether the kernel reads it

    def type_name(self, *, is_llvm: bool) -> str:
        """Return the type as a `taichi_aot.Parameter` writes it."""
        if is_llvm and self.kind == "matrix" and len(self.elem_shape) == 1 and self.name.endswith("_0"):
            return f"matrix(1, {self.elem_shape[0]}, {self.dtype})"  # see docs/limits.md
        if self.kind == "struct" and self.is_passed(is_llvm=is_llvm):
            return f"struct(a: {self.dtype}, b: i32)"
        if self.kind in ("struct", "argpack"):
            return self.kind
        if self.kind == "texture":
            return f"texture[{self.ndim}]"
        if self.kind == "rw_texture":
            return f"rw_texture[{f'{self.format}, ' * self.is_used}{self.ndim}]"
        return f"ndarray[{self.element_name}, {self.ndim}]" if self.kind == "ndarray" else self.element_name

    @property
    def is_texture(self) -> bool:
        return self.kind in ("texture", "rw_texture")

    @property
    def image_format(self) -> str:
        """The format of the image passed for a texture."""
        return self.format or "rgba8"

    @property
    def image_extent(self) -> tuple[int, ...]:
        return (2,) * self.ndim

    @property
    def element_name(self) -> str:
        if not self.elem_shape:
            return self.dtype
        numbers = ", ".join(map(str, self.elem_shape))
        return f"{'matrix' if len(self.elem_shape) == 2 else 'vector'}({numbers}, {self.dtype})"

    @property
    def annotation(self) -> str:
        if self.kind in ("struct", "argpack"):
            return f"ti.types.{self.kind}(a=ti.{self.dtype}, b=ti.i32)"
        if self.kind == "texture":
            return f"ti.types.texture(num_dimensions={self.ndim})"
        if self.kind == "rw_texture":
            return f"ti.types.rw_texture(num_dimensions={self.ndim}, fmt=ti.Format.{self.format}, lod=0)"
        element = f"ti.{self.dtype}"
        if self.elem_shape:
            numbers = ", ".join(map(str, self.elem_shape))
            element = f"ti.types.{'matrix' if len(self.elem_shape) == 2 else 'vector'}({numbers}, {element})"
        if self.kind != "ndarray":
            return element
        return f"ti.types.ndarray(dtype={element}, ndim={self.ndim}{', needs_grad=True' * self.needs_grad})"

    def unsupported(self, arch: str) -> bool:
        """Return whether a call must raise NotSupportedError for this parameter; docs/limits.md has the reasons."""
        if self.kind == "argpack" or (self.is_texture and arch != "vulkan"):
            return True
        return not self.is_texture and not self.is_passed(is_llvm=_is_llvm(arch))

    def is_passed(self, *, is_llvm: bool) -> bool:
        """Return whether numbers of its type can be passed."""
        return is_llvm or self.dtype != "u1" or self.kind == "scalar"


@dataclass(frozen=True)
class FieldModel:
    """A field of a kernel, which the kernel clears before it uses it."""

    dtype: str
    node: str  # kind of the node whose cells hold the field: dense, or a sparse one that the kernel deactivates
    cells: int
    inner: int  # size of a dense node in each cell; 0 for none
    tree: int  # that of ``ti.root`` is 0


@dataclass(frozen=True)
class KernelModel:
    """A kernel."""

    number: int  # seed of its arguments
    name: str
    parameters: tuple[ParameterModel, ...]
    returns: tuple[ParameterModel, ...] = ()  # their names are unused
    has_loop: bool = False  # whether a parallel loop over the first array follows
    in_graph: bool = False  # whether a graph dispatches it too, which first fills the image of the first texture
    empty_range: tuple[int, ...] = ()  # constants of a loop without iterations
    has_twin: bool = False  # whether the module has a kernel with the same code and other names
    field: FieldModel | None = None  # which it fills from its arguments and mixes into its first array

    @property
    def arrays(self) -> list[ParameterModel]:
        """The ndarrays that the kernel uses."""
        return [p for p in self.parameters if p.kind == "ndarray" and p.is_used]

    @property
    def filled_texture(self) -> ParameterModel | None:
        """The texture that the kernel's graph fills."""
        return next((p for p in self.parameters if p.is_texture), None)

    @property
    def has_effect(self) -> bool:
        """Whether its code has an effect; otherwise it uses no parameter."""
        return bool(self.returns or self.arrays)

    def unsupported(self, arch: str) -> ParameterModel | None:
        """Return the first parameter that cannot be passed."""
        return next((p for p in self.parameters if p.unsupported(arch)), None)

    def arguments(self) -> list[Any]:
        """Return its arguments: numpy scalars, arrays (the last axes are those of the elements), dicts; None for packs.

        For a texture, the argument is the number in all channels of all texels.
        """
        dice = np.random.default_rng(self.number)
        return [_argument(parameter, dice) for parameter in self.parameters]


def _argument(parameter: ParameterModel, dice: np.random.Generator) -> Any:
    if parameter.kind == "ndarray":
        return _numbers(parameter.dtype, (*_shape(parameter.ndim, dice), *parameter.elem_shape), dice)
    if parameter.is_texture:  # a number that the format represents exactly
        return np.float32(dice.integers(256) / (255 if parameter.image_format == "rgba8" else 256))
    if parameter.kind == "argpack":
        return None
    if parameter.kind == "struct":
        return {"a": _numbers(parameter.dtype, (), dice)[()], "b": _numbers("i32", (), dice)[()]}
    numbers = _numbers(parameter.dtype, parameter.elem_shape, dice)
    return numbers if parameter.elem_shape else numbers[()]


def _shape(ndim: int, dice: np.random.Generator) -> tuple[int, ...]:
    shape: list[int] = []
    for _ in range(ndim):
        shape.append(int(dice.integers(1, max(2, min(5, MAX_ELEMENTS // math.prod(shape) + 1)))))
    return tuple(dice.permutation(shape).tolist())


def _numbers(dtype: str, shape: tuple[int, ...], dice: np.random.Generator) -> Data:
    """Return random bits; floats are finite and normal.

    The compiler's process flushes other numbers to zero where it converts them, and Python has no NaN of f32.
    """
    kind = np.dtype(NUMPY[dtype])
    raw = np.frombuffer(dice.bytes(kind.itemsize * math.prod(shape)), kind.str.replace("f", "u").replace("b1", "u1"))
    if dtype == "u1":
        return (raw % 2).astype(bool).reshape(shape)
    numbers = raw.view(kind).copy()
    if dtype in REALS:
        bad = ~np.isfinite(numbers) | (np.abs(numbers) < np.finfo(kind).tiny)
        numbers[bad] = 1.5
    return numbers.reshape(shape)


def _element_shapes(largest: int) -> st.SearchStrategy[tuple[int, ...]]:
    sizes = st.integers(1, largest)
    return st.one_of(st.tuples(sizes), st.tuples(sizes, sizes))


# A matrix of more than 32 words takes several arguments of the C-API. For SPIR-V, a kernel with a few of them compiles
# for half a minute, so each kernel has at most one.
LARGE_SHAPES = st.one_of(st.just((6, 6)), _element_shapes(7))
SMALL_SHAPES = _element_shapes(3)
NDIMS = st.sampled_from([*[0, 1, 2, 3] * 4, *range(MAX_NDIM + 1)])
COUNTS = st.sampled_from([*range(6)] * 8 + [*range(MAX_PARAMETERS + 1)])


@st.composite
def _parameters(draw_: st.DrawFn, arch: str) -> ParameterModel:
    textures = [] if _is_llvm(arch) else ["texture", "rw_texture"]
    weighted = ["scalar"] * 6 + ["matrix"] * 5 + ["ndarray"] * 12 + ["array of elements"] * 8
    kind = draw_(st.sampled_from([*weighted, *(textures if draw_(st.integers(0, 3)) == 0 else []), "struct"]))
    if kind == "struct":
        kind = draw_(st.sampled_from(["struct", "argpack", *["scalar"] * 6]))
    name, is_used = draw_(st.sampled_from(STEMS)), draw_(st.integers(0, 7)) > 0
    dtype = draw_(st.sampled_from(_dtypes(arch)))
    if dtype == "u1" and not _is_llvm(arch) and draw_(st.integers(0, 3)):
        kind = "scalar"  # most other kinds of u1 cannot be called
    if kind in ("scalar", "struct", "argpack"):
        return ParameterModel(name, kind, dtype, is_used=is_used)
    if kind == "matrix":
        return ParameterModel(name, kind, dtype, draw_(SMALL_SHAPES), is_used=is_used)
    if kind in textures:
        ndim = draw_(st.integers(2, 3))  # the JIT does not write 1D textures
        fmt = draw_(st.sampled_from(FORMATS)) if kind == "rw_texture" else ""
        return ParameterModel(name, kind, ndim=ndim, format=fmt, is_used=is_used)
    elem_shape = draw_(SMALL_SHAPES) if kind == "array of elements" else ()
    ndim = draw_(NDIMS)
    needs_grad = dtype in REALS and draw_(st.integers(0, 5)) == 0
    uses_grad = needs_grad and is_used and draw_(st.integers(0, 3)) == 0
    return ParameterModel(name, "ndarray", dtype, elem_shape, ndim, "", is_used, needs_grad, uses_grad)


def _is_llvm(arch: str) -> bool:
    return arch not in ("vulkan", "opengl")


def _dtypes(arch: str) -> tuple[str, ...]:
    # The compiler supports only 32-bit numbers on OpenGL.
    return ("f32", "i32", "u32") if arch == "opengl" else DTYPES


@st.composite
def _returns(draw_: st.DrawFn, arch: str) -> ParameterModel:
    dtype = draw_(st.sampled_from(_dtypes(arch)))
    elem_shape = draw_(st.one_of(st.just(()), SMALL_SHAPES))
    if elem_shape[1:] == (1,):
        elem_shape = elem_shape[:1]  # a module does not distinguish a vector from a matrix of one column
    if dtype == "u1" and not _is_llvm(arch):
        elem_shape = ()  # the JIT reads u1 vectors wrongly: all but the first are False
    return ParameterModel("", "matrix" if elem_shape else "scalar", dtype, elem_shape)


@st.composite
def _fields(draw_: st.DrawFn, arch: str) -> FieldModel:
    is_llvm = _is_llvm(arch)  # SPIR-V modules have one tree, without sparse nodes, and mix up small numbers
    dtype = draw_(st.sampled_from([name for name in _dtypes(arch) if is_llvm or name in ("f32", "i32", "u32")]))
    node = draw_(st.sampled_from([*NODES] if is_llvm else ["dense"]))
    tree = draw_(st.integers(0, 2 if is_llvm else 0))
    cells, inner = draw_(st.integers(1, 9)), draw_(st.integers(0, 3))
    size = np.dtype(NUMPY[dtype]).itemsize * (inner or 1)
    # See docs/fields.md: Taichi's code faults on the first, and changes other cells of the second.
    if arch == "cuda" and ((node == "bitmasked" and size * cells % 4) or (node == "pointer" and size == 1)):
        node = "dense"
    return FieldModel(dtype, node, cells, inner, tree)


@st.composite
def _kernels(draw_: st.DrawFn, arch: str) -> KernelModel:
    count = draw_(COUNTS)
    parameters = [draw_(_parameters(arch)) for _ in range(count)]
    matrices = [i for i, p in enumerate(parameters) if p.kind == "matrix"]
    if matrices:
        is_large: bool = draw_(st.booleans())
        if is_large:
            parameters[matrices[0]] = replace(parameters[matrices[0]], elem_shape=draw_(LARGE_SHAPES))
    parameters = [replace(p, name=f"{p.name}{i}") for i, p in enumerate(parameters)]
    returns = [draw_(_returns(arch)) for _ in range(max(0, draw_(st.integers(-4, MAX_RETURNS))))]
    # The JIT does not find functions with other names on CUDA.
    name = draw_(st.sampled_from(["kernel"] if arch == "cuda" else ["kernel", "größe", "数"]))
    has_loop: bool = draw_(st.booleans())
    plain = not any(p.needs_grad or p.kind in ("struct", "argpack") for p in parameters)
    is_special = any(p.is_texture or (p.kind == "matrix" and len(p.elem_shape) == 2) for p in parameters)
    in_graph = plain and (draw_(st.integers(0, 3)) == 0 or is_special)
    empty_range = draw_(st.sampled_from([(), (), (), *EMPTY_RANGES]))
    has_twin = draw_(st.integers(0, 3)) == 0
    field = draw_(_fields(arch)) if draw_(st.integers(0, 3)) == 0 else None
    model = KernelModel(0, name, tuple(parameters), tuple(returns), has_loop, in_graph, empty_range, has_twin, field)
    return (
        model if model.has_effect else replace(model, has_twin=False)
    )  # without code, nothing tells whose names it has


def draw(arch: str, numbers: range) -> list[KernelModel]:
    """Draw the kernels of these numbers, each with its number as the seed."""
    return [_draw(arch, number) for number in numbers]


def _draw(arch: str, number: int) -> KernelModel:
    drawn: list[KernelModel] = []

    @seed(number)
    @settings(max_examples=2, phases=[Phase.generate], database=None, suppress_health_check=list(HealthCheck))
    @given(_kernels(arch))
    def collect(model: KernelModel) -> None:
        drawn.append(model)

    collect()  # hypothesis first draws the simplest example, and later ones resemble earlier ones
    return replace(drawn[-1], number=number, name=f"{drawn[-1].name}_{number}")


def twin(model: KernelModel) -> KernelModel:
    """Return a kernel with the same code, named differently; the parameters exchange their names."""
    names = [parameter.name for parameter in model.parameters]
    parameters = [replace(p, name=name) for p, name in zip(model.parameters, names[1:] + names[:1], strict=True)]
    return replace(model, name=f"{model.name}_twin", parameters=tuple(parameters), in_graph=False, has_twin=False)


def write_models(folder: Path, models: list[KernelModel]) -> None:
    (folder / "models.pickle").write_bytes(pickle.dumps(models))
    each = [one for model in models for one in ((model, twin(model)) if model.has_twin else (model,))]
    (folder / "generated_kernels.py").write_text(HEADER + _fields_source(models) + "".join(map(source_of, each)))


def read_models(folder: Path) -> list[KernelModel]:
    models: list[KernelModel] = pickle.loads((folder / "models.pickle").read_bytes())
    return models


HEADER = "import taichi as ti\n"

# The 32-bit number that mixes a value into the state; two for 64 bits.
BITS = {
    "f16": ["ti.cast(ti.bit_cast({0}, ti.u16), ti.u32)"],
    "f32": ["ti.bit_cast({0}, ti.u32)"],
    "f64": ["ti.cast(ti.bit_cast({0}, ti.u64), ti.u32)", "ti.cast(ti.bit_cast({0}, ti.u64) >> half, ti.u32)"],
    "i64": ["ti.cast({0}, ti.u32)", "ti.cast(ti.cast({0}, ti.u64) >> half, ti.u32)"],
    "u64": ["ti.cast({0}, ti.u32)", "ti.cast({0} >> half, ti.u32)"],
    "u32": ["{0}"],
}
# A value made from the state. Floats are between 1 and 2, with any sign. They are not bit casts to f16, because the
# compiler takes the results of those from uninitialized memory if the state is constant.
MAKES = {
    "f16": "ti.cast(ti.bit_cast(state & fraction_16 | 0x3F800000, ti.f32), ti.f16)",
    "f32": "ti.bit_cast(state & fraction_32 | 0x3F800000, ti.f32)",
    "f64": "ti.bit_cast(ti.cast(state & fraction_64 | 0x3FF00000, ti.u64) << half | ti.cast(state, ti.u64), ti.f64)",
    "i64": "ti.cast(ti.cast(state, ti.u64) << half | ti.cast(state * odd, ti.u64), ti.i64)",
    "u64": "ti.cast(state, ti.u64) << half | ti.cast(state * odd, ti.u64)",
    "u32": "state",
    "u1": "ti.cast(state & 1, ti.u1)",
}
# Constants compile faster than ti.funcs, which the compiler parses again for each call.
CONSTANTS = [
    "odd = ti.u32(2654435761)",
    "half = ti.u64(32)",
    "fraction_16, fraction_32, fraction_64 = ti.u32(0x807FE000), ti.u32(0x807FFFFF), ti.u32(0x800FFFFF)",
]


def _mix(dtype: str, number: str) -> list[str]:
    bits = [text.format(number) for text in BITS.get(dtype, ["ti.cast({0}, ti.u32)"])]
    return [f"state = (state ^ {text}) * odd ^ (state >> 15)" for text in bits]


def _make(dtype: str) -> str:
    return MAKES.get(dtype, f"ti.cast(state, ti.{dtype})")


def _subscripts(elem_shape: tuple[int, ...]) -> list[str]:
    return [f"[{', '.join(map(str, index))}]" if index else "" for index in np.ndindex(*elem_shape)]


def _fields_source(models: list[KernelModel]) -> str:
    """Return the source of the fields, tree by tree: kernels may be compiled only after all of them."""
    lines: list[str] = []
    for tree in range(3):
        placed = [(model.number, model.field) for model in models if model.field and model.field.tree == tree]
        root = "ti.root" if tree == 0 else f"tree_{tree}"
        if tree and placed:
            lines.append(f"{root} = ti.FieldsBuilder()")
        for number, field in placed:
            inner = f".dense(ti.i, {field.inner})" if field.inner else ""
            lines += [
                f"field_{number} = ti.field(ti.{field.dtype})",
                f"node_{number} = {root}.{NODES[field.node].format(field.cells)}",
                f"node_{number}{inner}.place(field_{number})",
            ]
        if tree and placed:
            lines.append(f"{root}.finalize()")
    return "\n".join([*lines, ""])


def source_of(model: KernelModel) -> str:
    """Return the kernel's source, without `HEADER` and its field."""
    parameters = ", ".join(f"{p.name}: {p.annotation}" for p in model.parameters)
    returned = ", ".join(value.annotation for value in model.returns)
    arrow = f" -> {f'({returned})' if len(model.returns) > 1 else returned}" if model.returns else ""
    used = [p for p in model.parameters if p.is_used]
    arrays = model.arrays
    lines = list(CONSTANTS)
    if arrays:  # for a kernel without an effect, the compiler's runtime aborts on Vulkan
        steps = [line for p in used if p.kind != "ndarray" for line in _mix_value(p)]
        steps += [line for p in arrays for line in _mix_array(p)]
        lines += ["for once in range(1):", *_indented(["state = ti.u32(1)", *steps])]
    if model.has_loop:
        lines += next((_parallel_loop(p) for p in arrays if p.ndim), [])
    if model.empty_range and arrays:
        begin, end = model.empty_range
        lines += [f"for never in range({begin}, {end}):", *_indented(["state = ti.u32(4)", *_first_element(arrays[0])])]
    if model.field and arrays:
        lines += _field_loops(model.number, model.field, used, arrays[0])
    if model.returns:
        lines += ["state = ti.u32(2)", *(line for p in used for line in _mix_first(p)), *_return(model.returns)]
    body = "\n".join(_indented(lines))
    return f"\n\n@ti.kernel\ndef {model.name}({parameters}){arrow}:\n{body}\n"


def _mix_value(parameter: ParameterModel) -> list[str]:
    name = parameter.name
    if parameter.kind in ("struct", "argpack"):
        return [*_mix(parameter.dtype, f"{name}.a"), *_mix("i32", f"{name}.b")]
    if parameter.is_texture:
        place = f"ti.Vector([{', '.join('0' * parameter.ndim)}])"
        read = f"{name}.fetch({place}, 0)" if parameter.kind == "texture" else f"{name}.load({place})"
        return _mix("f32", f"{read}.x")
    return [
        line for subscript in _subscripts(parameter.elem_shape) for line in _mix(parameter.dtype, f"{name}{subscript}")
    ]


def _element(parameter: ParameterModel, index: str) -> list[str]:
    """Mix an element into the state and the state into the element."""
    lines: list[str] = []
    for subscript in _subscripts(parameter.elem_shape):
        number = f"{parameter.name}[{index}]{subscript}"
        if parameter.uses_grad:
            lines += _mix(parameter.dtype, f"{parameter.name}.grad[{index}]{subscript}")
        lines += [*_mix(parameter.dtype, number), f"{number} = {_make(parameter.dtype)}"]
    return lines


def _first_element(parameter: ParameterModel) -> list[str]:
    return _element(parameter, ", ".join("0" * parameter.ndim) or "None")


def _field_loops(number: int, field: FieldModel, used: list[ParameterModel], target: ParameterModel) -> list[str]:
    """Clear the field, write some of its numbers, deactivate some of its cells, and mix all of it into an array."""
    name, node, size = f"field_{number}", f"node_{number}", field.cells * (field.inner or 1)
    is_sparse = field.node != "dense"
    cells, numbers = f"for cell in range({field.cells}):", f"for place in range({size}):"
    write = ["state = state * odd ^ (state >> 15)", "if state & 256:", f"    {name}[place] = {_make(field.dtype)}"]
    clear = [numbers, f"    {name}[place] = 0"]  # a bitmasked node keeps the numbers of inactive cells
    empty = [cells, f"    ti.deactivate({node}, cell)"] if is_sparse else []
    remove = [cells, "    if cell % 3 == 1:", f"        ti.deactivate({node}, cell)"] if is_sparse else []
    activity = [cells, *_indented(_mix("i32", f"ti.is_active({node}, cell)"))] if is_sparse else []
    return [
        *clear,
        *empty,
        "for once in range(1):",
        *_indented(["state = ti.u32(5)", *(line for p in used for line in _mix_first(p)), numbers, *_indented(write)]),
        *remove,
        "for once in range(1):",
        *_indented(["state = ti.u32(6)", numbers, *_indented(_mix(field.dtype, f"{name}[place]")), *activity]),
        *_indented(_first_element(target)),
    ]


def _mix_array(parameter: ParameterModel) -> list[str]:
    """Mix the shape and all elements in order."""
    if parameter.ndim == 0:
        return _element(parameter, "None")
    dims = [f"{parameter.name}.shape[{i}]" for i in range(parameter.ndim)]
    index = ", ".join(f"i{i}" for i in range(parameter.ndim))
    return [
        *(line for dim in dims for line in _mix("i32", dim)),
        f"for {index} in ti.ndrange({', '.join(dims)}):",
        *_indented(_element(parameter, index)),
    ]


def _parallel_loop(parameter: ParameterModel) -> list[str]:
    """Mix each element separately: its state begins with its index."""
    places = [line for i in range(parameter.ndim) for line in _mix("i32", f"place[{i}]")]
    return [
        f"for place in ti.grouped({parameter.name}):",
        *_indented(["state = ti.u32(3)", *places, *_element(parameter, "place")]),
    ]


def _mix_first(parameter: ParameterModel) -> list[str]:
    """Mix the last number of a value, or of the first element of an array."""
    if parameter.kind == "matrix":
        return _mix(parameter.dtype, f"{parameter.name}{_subscripts(parameter.elem_shape)[-1]}")
    if parameter.kind != "ndarray":
        return _mix_value(parameter)
    index = ", ".join("0" * parameter.ndim) or "None"
    return _mix(parameter.dtype, f"{parameter.name}[{index}]{_subscripts(parameter.elem_shape)[-1]}")


def _return(returns: tuple[ParameterModel, ...]) -> list[str]:
    lines: list[str] = []
    values: list[str] = []
    for value in returns:
        names: list[str] = []
        for _ in _subscripts(value.elem_shape):
            names.append(f"r_{len(lines) // 2}")
            lines += ["state = state * odd ^ (state >> 15)", f"{names[-1]} = {_make(value.dtype)}"]
        values.append(_literal(names, value))
    return [*lines, f"return {', '.join(values)}"]


def _literal(names: list[str], value: ParameterModel) -> str:
    if not value.elem_shape:
        return names[0]
    if len(value.elem_shape) == 1:
        return f"ti.Vector([{', '.join(names)}], dt=ti.{value.dtype})"
    columns = value.elem_shape[1]
    rows = [f"[{', '.join(names[i : i + columns])}]" for i in range(0, len(names), columns)]
    return f"ti.Matrix([{', '.join(rows)}], dt=ti.{value.dtype})"


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]

"""Contents of modules that no compiler made, for the Python modules that `taichi_aot.build.make_python` writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from helpers.inside import made_instance, returned_of
from taichi_aot import DataType, FieldInfo, GraphInfo, KernelInfo, ModuleInfo, Parameter, Signature

F32, F64, I32 = DataType.F32, DataType.F64, DataType.I32
X = Parameter("x", "ndarray", F32, 1, access="r", shape=("n",))
Y = Parameter("y", "ndarray", F32, 1, access="rw", shape=("n",))

HOSTILE_NAMES = [
    'x"]: ...\nimport os\nos.abort()\n#',
    '"""\nimport os\nos.abort()\n"""',
    "\\",
    "\\n\r\u2028\0\ud800\u202e",
    'end"',
    "",
    "not-a-name",
    "class",
    "None",
    "2d",
    "ŉ",
    "__init__",
    "__double",
    "_",
    "close",
    "runtime",
    "_graphs",
    "_make",
    "load",
    "str",
    "property",
    "cached_property",
    "Kernel",
    "Kernels",
    "Functions",
    "SaxpyKernel",
    "KernelMapping",
    "ﬁne",
    "a_b",
    "aB",
    "größe",
    "long_" * 40,
    "long_" * 40 + "2",
    "not-" * 40,
]


def kernel(name: str, *parameters: Parameter, result: Any = None, doc: str = "") -> KernelInfo:
    returned = None if result is None else returned_of(np.dtype(result))
    return KernelInfo(Signature(name, parameters, ("f32",) * (result is not None)), (), result=returned, doc=doc)


def field(name: str) -> FieldInfo:
    return FieldInfo(name, F32, (4,), (), f"get {name}", f"set {name}")


def module_of(
    kernels: Iterable[KernelInfo], graphs: Iterable[GraphInfo] = (), fields: Iterable[FieldInfo] = ()
) -> ModuleInfo:
    by_name = {each.signature.name: each for each in kernels}
    return ModuleInfo(
        taichi="1.7.4",
        family="gfx",
        archs=(),
        all_kernels=by_name,
        kernels=by_name,
        graphs={each.signature.name: each for each in graphs},
        has_fields=False,
        fields=tuple(fields),
    )


def scalars(*names: str) -> list[Parameter]:
    return [Parameter(name, "scalar", F32) for name in names]


def instances(name: str, parameters: tuple[str, ...], *values: dict[str, Any]) -> list[KernelInfo]:
    """Return the instances of a function of one scalar for these template arguments."""
    return [
        kernel(f"{name}_{n}" if n else name, *scalars("by"))._replace(instance=made_instance(name, parameters, each))
        for n, each in enumerate(values)
    ]


WEIGHT = np.dtype([("factor", "f4"), ("place", "f4", (3,)), ("inner", [("n", "i4")])])
USUAL = module_of(
    [
        kernel("saxpy", *scalars("a"), X, Y, doc='Adds\n\n    "indented"\n'),
        kernel(
            "turn",
            Parameter("v", "matrix", I32, elem_shape=(3,)),
            Parameter("m", "matrix", F32, elem_shape=(2, 2)),
            Parameter("n", "scalar", I32),
        ),
        kernel("blur", Parameter("image", "rw_texture", ndim=2), Parameter("source", "texture", ndim=2), X),
        kernel("dot", X, X._replace(name="y"), result=[("0", "f4")]),
        kernel("pair", result=[("0", "f4"), ("1", "i4", (2,))]),
        kernel("split", Y, Y._replace(name="z", dtype=F64), *scalars("a"), X, result=[("0", "f4"), ("1", "i4")]),
        kernel("unstated", X._replace(access=""), Y),
        kernel("packed", Parameter("pack", "argpack")),
        kernel("weigh", Parameter("w", "struct", layout=WEIGHT), X),
        kernel("flow", *scalars("fluid.mass"), X._replace(name="fluid.x"), Y._replace(name="fluid.inner.y"), X),
        kernel("nothing"),
        kernel("not-a-name"),
        kernel("close"),
        *instances("shift", ("f", "by", "n"), {"f": "v", "n": 2}, {"f": "keys", "n": 3}),
        *instances("step", ("self", "by"), {"self": "a"}, {"self": "b"}),
        *instances("scale", ("by", "s"), {"s": 0.5}),
    ],
    [GraphInfo(Signature("both", (X,)), ())],
    [*map(field, ("v", "not-a-name", "keys", "particle.x", "particle.y")), field("hidden")._replace(get="", set="")],
)
HOSTILE = module_of(
    [
        kernel(name, *scalars("self", "_self", "__x", "None_", "np", "größe"), Y, result=[("0", "f4")] * 1, doc=name)
        for name in ["saxpy", *HOSTILE_NAMES]
    ]
    + [kernel("many", *scalars("a" * 99), Y, result=[(str(i), "f4", (2,)) for i in range(9)])],
    [GraphInfo(Signature(name, (X,)), ()) for name in ("saxpy", "other")],
    map(field, HOSTILE_NAMES),
)
EMPTY = module_of([])

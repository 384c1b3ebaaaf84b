"""The Python module of a bundle: `load` and functions of its kernels, with their types."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...bundle._plan import inherit_shapes
from ...functions._outputs import Results, normal_out
from ...kernels._module import AotModule
from ...values._numbers import DTYPES, INTEGER_RANGES, DataType, numpy_dtype
from ...values._signature import Parameter, Signature, is_name, normal_form, python_names, why_unpassable

if TYPE_CHECKING:
    from ...bundle._info import GraphInfo, Instance, KernelInfo, ModuleInfo

WRITTEN = "Written by taichi-aot: do not edit."
WIDTH = 88  # longer lines are split as ruff does
NESTED = 3  # lists in lists for arrays of functions
LONGEST_NAME = 40  # of a kernel, in the names of its types
INNER = WIDTH - 8  # of a method in a class for type checkers
LONGEST = 50  # a longer type has an alias, because a line with it could not be split as ruff does
OVERRIDES = "# type: ignore[override]"  # the base class's method takes the arguments of any kernel

# Import statements for type checkers, and the names that the text imports if it uses them, sorted as by isort.
IMPORTS = (
    (
        ("import", "asyncio"),
        ("from collections.abc import", "Iterator Mapping Sequence"),
        ("from typing import", "Any Literal NoReturn Protocol TypeAlias TypedDict Union overload"),
    ),
    (("import numpy as", "np"), ("import numpy.typing as", "npt")),
    (
        (
            "from taichi_aot import",
            "AotModule ArrayLike ComputeGraph Field Function Image Kernel Launch NdArray Texture",
        ),
    ),
)


def _numpy_name(dtype: np.dtype[Any]) -> str:
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def _arrays(data_type: DataType) -> tuple[str, ...]:
    """Return the types of the arrays and sequences that a function takes for a parameter: numpy casts safely."""
    own = DTYPES[data_type].numpy
    others = [row.numpy for row in DTYPES.values() if np.can_cast(row.numpy, own, "safe") and row.numpy != own]
    arrays = [f"npt.NDArray[{_numpy_name(dtype)}]" for dtype in (own, *others)]
    number = "Integer" if data_type in INTEGER_RANGES else "Real"
    sequences = [f"{'Sequence[' * depth}{number}{']' * depth}" for depth in range(1, NESTED + 1)]
    return *arrays, *sequences, "NdArray", "CudaArray"


# The aliases that the text defines if it uses them: types of numbers, vectors and matrices.
ALIASES = {
    "Integer": "int | np.integer[Any] | np.bool_",
    "Real": "float | np.floating[Any] | np.integer[Any] | np.bool_",
    "IntegerArray": "npt.NDArray[np.integer[Any] | np.bool_]",
    "RealArray": "npt.NDArray[np.floating[Any] | np.integer[Any] | np.bool_]",
    "IntegerVector": "Sequence[Integer] | IntegerArray",
    "RealVector": "Sequence[Real] | RealArray",
    "IntegerMatrix": "Sequence[IntegerVector] | IntegerArray",
    "RealMatrix": "Sequence[RealVector] | RealArray",
    "AnyTexture": "Image | Texture",
}
ARRAYS = {f"{str(data_type).upper()}Array": _arrays(data_type) for data_type in DataType}  # for functions
CUDA_ARRAY = [
    "class CudaArray(Protocol):",
    '    """An array on a CUDA device, of CuPy, PyTorch and others."""',
    "",
    "    @property",
    "    def __cuda_array_interface__(self) -> dict[str, Any]: ...",
]
CLASS, BASE, FUNCTIONS = "Kernels", "_Module", "Functions"
MAPPINGS = tuple(f"{kind}{suffix}" for kind in ("Kernel", "Graph", "Field") for suffix in ("Name", "Mapping"))
IMPORTED = {name for group in IMPORTS for _, names in group for name in names.split()}
# Names that the text itself uses: no type of a kernel has one.
AT_RUN_TIME = {"Callable", "Path", "TYPE_CHECKING", "cached_property", "cast", "int", "load", "pkgutil", "taichi_aot"}
TYPES = {CLASS, BASE, FUNCTIONS, "CudaArray", *MAPPINGS, *ALIASES, *ARRAYS}
RESERVED = AT_RUN_TIME | TYPES | IMPORTED
OF_FUNCTIONS = {"_arch", "_device", "_make"}  # attributes of the class of functions itself


def make_python(info: ModuleInfo, path: str) -> str:
    """Return the text of a Python module for a bundle, with which programs use its kernels and type checkers know them.

    The module has ``load()``, which is `taichi_aot.load` with the types of this bundle, and a class ``Functions`` with
    its kernels as functions of numpy arrays. ``mypy --strict`` and pyright accept the text. They find wrong names of
    kernels and parameters, and arguments of the wrong kind or number. The text depends only on the arguments, and is
    formatted as by ruff.

    Parameters
    ----------
    info : ModuleInfo
        The contents of the bundle, or of another module, from `inspect`.
    path : str
        The path of the bundle from the folder of the Python module, with ``/``.

    Returns
    -------
    str

    Examples
    --------
    >>> from taichi_aot.build import make_python
    >>> text = make_python(inspect("saxpy.tcm"), "saxpy.tcm")
    >>> "def __call__(self, /, a: Real, x: ArrayLike, y: ArrayLike) -> None: ..." in text
    True
    """
    return _Text(info, path).text()


def functions_without_results(info: ModuleInfo) -> tuple[str, ...]:
    """Return the kernels and graphs whose results are not known, because the module does not state what they write."""
    signatures = {name: item.signature for name, item in _items(info).items()}
    return tuple(
        name
        for name, each in signatures.items()
        if not each.returns and not _states_access(each) and not any(map(why_unpassable, each.parameters))
    )


def functions_without_names(info: ModuleInfo) -> tuple[str, ...]:
    """Return the kernels and graphs that would be functions, but whose names the text of the module uses."""
    items = _items(info).items()
    return tuple(
        name for name, each in items if _is_function(each.signature, _written(each.signature)) and not _is_free(name)
    )


def path_from(python: Path, bundle: Path) -> str:
    """Return the path of a bundle from the folder of a Python module, for `make_python`."""
    relative = Path(os.path.relpath(bundle.resolve(), python.resolve().parent))
    if ".." in relative.parts or relative.is_absolute():
        raise ValueError(f"{bundle} must be in the folder of {python}, which loads it, or below")
    return relative.as_posix()


def can_import(path: Path) -> bool:
    """Return whether programs can import a file by its name."""
    return path.suffix == ".py" and is_name(path.stem)


def require_own(path: Path) -> None:
    """Raise ValueError if there is a file at `path` that is not the Python module of a bundle."""
    if path.is_file() and WRITTEN.encode() not in path.read_bytes():
        name = f"{path.stem}_aot.py"
        raise ValueError(f"{path} was not written by taichi-aot: choose another name, such as {name}, or delete it")


class _Text:
    """The text; `_use` records the imports that it needs."""

    def __init__(self, info: ModuleInfo, path: str) -> None:
        self._info = inherit_shapes(info)
        self._path = path
        self._field_names = {field.name for field in info.fields} | {f.name.partition(".")[0] for f in info.fields}
        self._used: set[str] = set()
        # Inside a class, attributes hide other objects of the same name, so types must not be named like attributes.
        self._taken = {*RESERVED, *info.kernels, *info.graphs}
        self._types: list[list[str]] = []  # blocks of lines that type checkers read
        self._structs: dict[tuple[tuple[Parameter, ...], str], str] = {}  # the names of their types
        self._keys: dict[str, str] = {}  # the types of template arguments, by the first instance of each function
        self._at_run_time = {CLASS: "taichi_aot.AotModule"}  # what those names are for programs

    def text(self) -> str:
        info = self._info
        kernels = {
            name: self._item(
                "Kernel",
                kernel.signature,
                kernel.doc,
                kernel.return_dtype,
                has_grad=bool(kernel.grad),
                instances=_instances_of(info, kernel),
            )
            for name, kernel in info.kernels.items()
        }
        graphs = {
            name: self._item("ComputeGraph", graph.signature, graph.doc, None) for name, graph in info.graphs.items()
        }
        mappings = {"kernels": self._mapping("Kernel", kernels), "graphs": self._mapping("ComputeGraph", graphs)}
        fields = [field.name for field in info.fields if field.accessors]
        if fields:
            mappings["fields"] = self._fields(fields)
        self._module(mappings, {**kernels, **graphs, **kernels})
        functions = self._functions()
        types = _joined([*self._head(), *self._types], 1)
        known = [f"{name} = {type_}" for name, type_ in self._at_run_time.items()]
        begin = [*self._begin(), "", "if TYPE_CHECKING:", *_indented(types), "else:", *_indented(known)]
        return "".join(f"{line}\n" for line in _joined([begin, *self._found(), *functions], 2))

    def _begin(self) -> list[str]:
        """Return the lines before the types."""
        has_functions = self._has_functions
        return [
            *_docstring(f"The kernels of {self._name} with their types. {WRITTEN}", 0),
            "# ruff: noqa",
            "",
            "from __future__ import annotations",
            "",
            "import pkgutil",
            *(["from collections.abc import Callable", "from functools import cached_property"] * has_functions),
            "from pathlib import Path",
            f"from typing import TYPE_CHECKING, {'Any, ' * has_functions}cast",
            "",
            "import taichi_aot",
        ]

    @property
    def _name(self) -> str:
        return self._path.rpartition("/")[2]

    def _found(self) -> list[list[str]]:
        """Return the functions that find and load the bundle; it may be in a zip file together with the module."""
        quoted = _quoted(self._path)
        parameters = ["arch: taichi_aot.ArchLike | None = None", "runtime: taichi_aot.Runtime | None = None", "*"]
        parameters.append("reload: bool = False")
        doc = f"Load {self._name} on its best device, on `arch` or into `runtime`; see `taichi_aot.load`."
        return [
            [
                "def _bundle() -> Path | bytes:",
                *_indented(_call("path = Path(__file__).parent.joinpath", [quoted])),
                "    if path.exists():",
                "        return path",
                *_indented(_call("data = pkgutil.get_data", ["__name__", quoted])),
                "    return data or path",
            ],
            [
                *_def("load", parameters, CLASS, ":"),
                *_docstring(doc, 4),
                "    module = taichi_aot.load(_bundle(), arch, runtime, reload=reload)",
                f'    return cast("{CLASS}", module)',
            ],
        ]

    def _item(
        self,
        base: str,
        signature: Signature,
        doc: str,
        returned: np.dtype[Any] | None,
        *,
        has_grad: bool = False,
        instances: Sequence[Instance] = (),
    ) -> str:
        """Add the class of a kernel or graph, and that of its bound launches; return the name of the former.

        `instances`: those of the kernel's function for all template arguments.
        """
        kind, launch = (self._class(signature.name, suffix) for suffix in (base.removeprefix("Compute"), "Launch"))
        self._at_run_time |= {kind: f"taichi_aot.{base}", launch: "taichi_aot.Launch"}
        names = python_names(signature.taken)
        types = map(self._argument, signature.taken)
        parameters = [f"{name}: {type_}" for name, type_ in zip(names, types, strict=True)]
        this = _self(names)
        updated = self._updated(names, signature.taken)
        result = self._returned(signature.name, returned)
        wholes = [self._whole(each, parameters) for each in instances]
        call = [
            *self._overloads("__call__", [parameters, *wholes], result, doc),
            *self._overloads("bind", [parameters, *wholes], launch),
        ]
        if instances:
            call.append(_method("__getitem__", ["self", f"values: {self._values(instances)}", "/"], kind, OVERRIDES))
        if has_grad:
            call.append(["    @property", *_method("grad", ["self"], self._adjoint(signature))])
        update = _method("update", [this, "/", *updated], "None", OVERRIDES)
        results = [] if returned is None else [_method("result", ["self"], result)]
        self._types += [
            _class_of(f"{kind}({self._use(base)})", call, str(signature)),
            _class_of(f"{launch}({self._use('Launch')})", [update, *results]),
        ]
        return kind

    def _overloads(self, name: str, variants: Sequence[Sequence[str]], result: str, doc: str = "") -> list[list[str]]:
        """Return a method with each of these lists of parameters."""
        this = _self([each.partition(":")[0] for parameters in variants for each in parameters])
        first, *others = [[this, "/", *parameters] for parameters in variants]
        if not others:
            return [_method(name, first, result, OVERRIDES, doc)]
        decorator, any_ = f"    @{self._use('overload')}", self._use("Any")
        several = [[f"{decorator}  {OVERRIDES}", *_method(name, first, result)]]
        several += [[decorator, *_method(name, each, result)] for each in others]
        return [*several, _method(name, [this, "/", f"*args: {any_}", f"**kwargs: {any_}"], result, "", doc)]

    def _whole(self, instance: Instance, parameters: Sequence[str]) -> list[str]:
        """Return the parameters of the function of an instance: its values, and those of the kernel."""
        own = iter(parameters)
        values = {name: self._literal(value) for name, value in instance.values.items()}
        return [f"{name}: {values[name]}" if name in values else next(own) for name in instance.parameters]

    def _values(self, instances: Sequence[Instance]) -> str:
        """Return the type of the template arguments of these instances of one function."""
        of = instances[0].of
        if of not in self._keys:
            values = [list(map(self._literal, each.values.values())) for each in instances]
            keys = dict.fromkeys(each[0] if len(each) == 1 else f"tuple[{', '.join(each)}]" for each in values)
            one = next(iter(keys))
            is_one = len(keys) == 1
            self._keys[of] = one if is_one else self._alias(self._class(of, "Values"), self._use("Union"), keys)
        return self._keys[of]

    def _literal(self, value: object) -> str:
        """Return the type of a template argument: a field may be given by its name."""
        if isinstance(value, str):
            field = f"{self._use('Field')} | " if value in self._field_names else ""
            return f"{field}{self._use('Literal')}[{_quoted(value)}]"
        return "float" if isinstance(value, float) else f"{self._use('Literal')}[{value!r}]"

    def _updated(self, names: Sequence[str], parameters: Sequence[Parameter]) -> list[str]:
        """Return the parameters of the method that replaces some arguments."""
        types = map(self._change, parameters)
        updated = [f"{name}: {type_} = ..." for name, type_ in zip(names, types, strict=True)]
        return ["*", *updated] if updated else []

    def _adjoint(self, signature: Signature) -> str:
        """Add the class of a kernel's adjoint, and that of its bound launches; return the name of the former."""
        kind, launch = (self._class(signature.name, suffix) for suffix in ("Gradient", "GradientLaunch"))
        self._at_run_time |= {kind: "taichi_aot.Kernel", launch: "taichi_aot.Launch"}
        names = python_names(signature.taken)
        types = map(self._argument, signature.taken)
        parameters = [f"{name}: {type_}" for name, type_ in zip(names, types, strict=True)]
        given = "grads"
        while given in names:
            given += "_"
        grads = f"{given}: {self._use('Mapping')}[str, {self._use('NdArray')}] | None = None"
        head = [_self(names), "/", *parameters, "*", grads]
        updated = [_self(names), "/", *(self._updated(names, signature.taken) or ["*"]), grads]
        call = [_method("__call__", head, "None", OVERRIDES), _method("bind", head, launch, OVERRIDES)]
        self._types += [
            _class_of(f"{kind}({self._use('Kernel')})", call, f"The gradient of {signature}"),
            _class_of(f"{launch}({self._use('Launch')})", [_method("update", updated, "None", OVERRIDES)]),
        ]
        return kind

    def _functions(self) -> list[list[str]]:
        """Return the class of functions, if there are any, and add the type of each."""
        methods: list[list[str]] = []
        for name, item in _items(self._info).items():
            out = _written(item.signature)
            if not _is_function(item.signature, out) or not _is_free(name):
                continue
            returned = getattr(item, "return_dtype", None)
            kind = self._function(item.signature, out, returned)
            methods.append(
                [
                    "    @cached_property",
                    *_method(name, ["self"], kind, body=True),
                    *(_docstring(item.doc, 8) if item.doc else []),
                    *_indented(_call(f"function: {kind} = self._make", map(_quoted, [name, *out])), 8),
                    "        return function",
                ]
            )
        if not methods:
            return []
        make = [
            *_method("_make", ["self", "kernel: str", "*out: str"], "Any", body=True),
            "        return taichi_aot.function(",
            "            _bundle(),",
            "            kernel,",
            "            out=out or None,",
            '            like="numpy",',
            "            arch=self._arch,",
            "            device=self._device,",
            "        )",
        ]
        begin = [
            *_method(
                "__init__",
                ["self", "arch: taichi_aot.ArchLike | None = None", "device: int | None = None"],
                "None",
                body=True,
            ),
            "        self._arch: taichi_aot.ArchLike | None = arch",
            "        self._device = device",
        ]
        doc = "The kernels as functions of numpy arrays, on the best device or on `arch`; see `taichi_aot.function`."
        return [_class_of(FUNCTIONS, [begin, make, *methods], doc)]

    def _function(self, signature: Signature, out: Sequence[str], returned: np.dtype[Any] | None) -> str:
        """Add the type of a function, and return its name."""
        kind = self._class(signature.name, "Function")
        self._at_run_time[kind] = "Callable"  # `taichi_aot.Function` would be imported with this module
        optional = {signature.parameters[i] for i in Results(signature, normal_out(out)).optional}
        names = python_names(signature.taken)
        parameters = [
            f"{name}: {self._function_argument(each)}{' = ...' * (each in optional)}"
            for name, each in sorted(zip(names, signature.taken, strict=True), key=lambda named: named[1] in optional)
        ]
        result = self._returned(signature.name, returned, [p for p in signature.parameters if p.name in out])
        head = [_self(names), "/", *parameters]
        methods = [
            _method("__call__", head, result),
            _method("call_async", head, f"{self._use('asyncio')}.Future[{result}]"),
        ]
        self._types.append(_class_of(f"{kind}({self._use('Function')})", methods, str(signature)))
        return kind

    def _function_argument(self, parameter: Parameter) -> str:
        if parameter.kind == "ndarray" and parameter.dtype is not None:
            return self._use(f"{str(parameter.dtype).upper()}Array")
        return self._struct(parameter, self._function_argument) if parameter.pack else self._argument(parameter)

    def _argument(self, parameter: Parameter) -> str:
        if parameter.kind == "ndarray" and not parameter.grad:
            return self._use("ArrayLike")
        if parameter.kind in ("texture", "rw_texture"):
            return self._use("AnyTexture")
        number = "Integer" if parameter.dtype in INTEGER_RANGES else "Real"
        if parameter.kind == "scalar":
            return self._use(number)
        if parameter.kind == "matrix":
            return self._use(f"{number}{'Vector' if len(parameter.elem_shape) < 2 else 'Matrix'}")
        if parameter.members:
            return self._struct(parameter, self._argument)
        return self._use("NoReturn")  # it cannot be passed

    def _change(self, parameter: Parameter) -> str:
        """Return the type of what replaces an argument: of a struct or pack, some members are enough."""
        whole = self._argument(parameter)
        return f"{whole} | {self._struct(parameter, self._change)}" if parameter.members else whole

    def _struct(self, parameter: Parameter, argument: Callable[[Parameter], str]) -> str:
        """Return the type of a struct or pack: the alias of its forms, or the mapping with some members."""
        key = parameter.members, argument.__name__
        if key in self._structs:
            return self._structs[key]
        is_change = argument == self._change
        members = [f"{member.name}: {argument(member)}" for member in parameter.members]
        kind = "Pack" if parameter.pack else "Struct"
        name = self._structs[key] = self._class(parameter.name, "Change" if is_change else kind)
        base = self._use("TypedDict")
        if is_change:
            self._types.append(_class_of(f"{name}({base}, total=False)", [[f"    {each}" for each in members]]))
            return name
        mapping, attributes = (self._class(parameter.name, each) for each in ("Mapping", "Object"))
        self._types.append(_class_of(f"{mapping}({base})", [[f"    {each}" for each in members]]))
        properties = [["    @property", *_method(each.name, ["self"], argument(each))] for each in parameter.members]
        self._types.append(_class_of(f"{attributes}({self._use('Protocol')})", properties))
        values = f"tuple[{', '.join(map(argument, parameter.members))}]"
        records = ["np.void", "npt.NDArray[np.void]"] * (not parameter.pack)
        if records:
            self._use("np")
            self._use("npt")
        return self._alias(name, self._use("Union"), [mapping, attributes, values, *records])

    def _returned(self, name: str, dtype: np.dtype[Any] | None, arrays: Sequence[Parameter] = ()) -> str:
        """Return the type of the values of a call of a kernel, and of the arrays that a function returns."""
        kinds = [dtype[each] for each in (dtype.names or ())] if dtype is not None else []
        values = [self._array(each.base) if each.shape else self._number(each) for each in kinds]
        value = [self._tuple(name, values)] if values else []
        made = [self._array(numpy_dtype(each.dtype)) for each in arrays if each.dtype is not None]
        return self._tuple(name, [*value, *made]) if value or made else "None"

    def _tuple(self, name: str, types: Sequence[str]) -> str:
        if len(types) == 1:
            return types[0]
        whole = f"tuple[{', '.join(types)}]"
        return whole if len(whole) <= LONGEST else self._alias(self._class(name, "Result"), "tuple", types)

    def _array(self, dtype: np.dtype[Any]) -> str:
        return f"{self._use('npt')}.NDArray[{self._number(dtype)}]"

    def _number(self, dtype: np.dtype[Any]) -> str:
        self._use("np")
        return "np.record" if dtype.names else _numpy_name(dtype)

    def _mapping(self, base: str, classes: Mapping[str, str]) -> str:
        """Add the mapping type of kernels or graphs, and return its name."""
        kind = base.removeprefix("Compute")
        if not classes:
            return f"{self._use('Mapping')}[{self._use('NoReturn')}, {self._use(base)}]"
        names = f"{kind}Name"
        self._alias(names, self._use("Literal"), map(_quoted, classes))
        found = [
            _method("__getitem__", ["self", f"name: {self._key(name, names, len(classes))}", "/"], class_)
            for name, class_ in classes.items()
        ]
        if len(found) > 1:
            of_any = _method("__getitem__", ["self", f"name: {names}", "/"], base)
            found = [*([f"    @{self._use('overload')}", *lines] for lines in (*found, of_any)), of_any]
        return self._mapping_class(kind, self._use(base), found, classes)

    def _key(self, name: str, names: str, count: int) -> str:
        """Return the type of one name of these; a long one has an alias."""
        key = f"Literal[{_quoted(name)}]"
        if count == 1:
            return names
        return key if len(key) <= LONGEST else self._alias(self._class(name, "Name"), "Literal", [_quoted(name)])

    def _fields(self, names: Sequence[str]) -> str:
        """Add the mapping type of fields, which are also its attributes, and return its name."""
        field = self._use("Field")
        self._alias("FieldName", self._use("Literal"), map(_quoted, names))
        # An attribute for a struct field has its members as attributes.
        attributes = {name.partition(".")[0]: self._use("Any") if "." in name else field for name in names}
        return self._mapping_class(
            "Field", field, [_method("__getitem__", ["self", "name: FieldName", "/"], field)], attributes
        )

    def _mapping_class(
        self, kind: str, item: str, found: Sequence[Sequence[str]], attributes: Mapping[str, str]
    ) -> str:
        """Add the class of a mapping, and return its name."""
        names = f"{kind}Name"
        # Not of names that hide its methods, or names that its own lines use.
        usable = (
            name for name in attributes if _is_valid(name) and name not in RESERVED and not hasattr(Mapping, name)
        )
        members = [
            *found,
            _method("__iter__", ["self"], f"{self._use('Iterator')}[{names}]"),
            _method("__len__", ["self"], "int"),
            [f"    {name}: {attributes[name]}" for name in usable],
        ]
        self._types.append(_class_of(f"{kind}Mapping({self._use('Mapping')}[{names}, {item}])", members))
        return f"{kind}Mapping"

    def _alias(self, alias: str, generic: str, arguments: Iterable[str]) -> str:
        """Add an alias for a type with arguments in brackets, and return its name."""
        given = list(arguments)
        line = f"{alias}: {self._use('TypeAlias')} = {generic}["
        whole = f"{line}{', '.join(given)}]"
        if len(whole) <= INNER + 4:
            self._types.append([whole])
        else:
            comma = "," if len(given) > 1 else ""
            self._types.append([line, *(f"    {each}{comma}" for each in given), "]"])
        return alias

    def _module(self, mappings: Mapping[str, str], attributes: Mapping[str, str]) -> None:
        """Add the class of the module."""
        # The mappings are in a separate class, because a kernel may be named like one of these types.
        lines = [["    @property", *_method(name, ["self"], type_, OVERRIDES)] for name, type_ in mappings.items()]
        # Without this, every other name would be a kernel for type checkers.
        hidden = ["    __getattr__: None  # type: ignore"]
        self._types.append(_class_of(f"{BASE}({self._use('AotModule')})", [hidden, *lines]))
        usable = [
            f"    {name}: {class_}"
            for name, class_ in attributes.items()
            if _is_valid(name) and not hasattr(AotModule, name)
        ]
        self._types.append(
            _class_of(f"{CLASS}({BASE})", [usable] if usable else [["    pass"]], f"The module {self._name}.")
        )

    def _class(self, name: str, suffix: str) -> str:
        """Return a new class name for a kernel or graph: for ``update_grid``, it begins with ``UpdateGrid``."""
        stem = "".join(part[:1].upper() + part[1:] for part in re.split(r"[\W_]+", normal_form(name)))[:LONGEST_NAME]
        class_ = normal_form(stem + suffix)
        if not class_.isidentifier():  # it begins with a digit, or a capital is not a letter
            class_ = suffix + re.sub(r"[^A-Za-z0-9]", "", stem)
        numbered, number = class_, 1
        while numbered in self._taken:
            number += 1
            numbered = f"{class_}{number}"
        self._taken.add(numbered)
        return numbered

    def _use(self, name: str) -> str:
        """Add an import or alias to the text, and return its name."""
        if name not in self._used:
            self._used.add(name)
            text = f"Union {ARRAYS[name]}" if name in ARRAYS else ALIASES.get(name, "")
            text = "Any Protocol" if name == "CudaArray" else text
            for other in RESERVED.intersection(re.findall(r"\w+", text)):
                self._use(other)
            if name in ALIASES or name in ARRAYS:
                self._use("TypeAlias")
        return name

    def _head(self) -> list[list[str]]:
        """Return the lines of the used imports and aliases."""
        at_run_time = {"Any"} if self._has_functions else set[str]()
        used = self._used - at_run_time
        groups = [
            [line for statement, names in group for line in _import(statement, [n for n in names.split() if n in used])]
            for group in IMPORTS
        ]
        aliases = [f"{name}: TypeAlias = {type_}" for name, type_ in ALIASES.items() if name in used]
        for name, types in ARRAYS.items():
            if name in used:
                aliases += [f"{name}: TypeAlias = Union[", *(f"    {type_}," for type_ in types), "]"]
        return [lines for lines in (*groups, CUDA_ARRAY if "CudaArray" in used else [], aliases) if lines]

    @property
    def _has_functions(self) -> bool:
        return "Callable" in self._at_run_time.values()


def _instances_of(info: ModuleInfo, kernel: KernelInfo) -> list[Instance]:
    """Return the instances of a kernel's function, unless it has packs, whose members are its parameters."""
    own = kernel.instance
    if own is None or len(own.parameters) - len(own.values) != len(kernel.signature.taken):
        return []
    stated = [each.instance for each in info.kernels.values()]
    return [each for each in stated if each is not None and each.of == own.of]


def _items(info: ModuleInfo) -> dict[str, KernelInfo | GraphInfo]:
    """Return what `taichi_aot.function` takes by each name."""
    return {**info.kernels, **info.graphs, **info.kernels}


def _written(signature: Signature) -> list[str]:
    """Return the names of the arrays that a kernel is known to write."""
    return [parameter.name for parameter in signature.parameters if "w" in parameter.access]


def _states_access(signature: Signature) -> bool:
    return all(parameter.access for parameter in signature.parameters if parameter.kind == "ndarray")


def _is_function(signature: Signature, out: Sequence[str]) -> bool:
    """Return whether a kernel is a function: its arguments can be passed, and its results are known."""
    if any(map(why_unpassable, signature.parameters)):
        return False
    return bool(signature.returns or (out and _states_access(signature)))


def _self(names: Sequence[str]) -> str:
    """Return a name for the first parameter of a method with parameters of these names."""
    this = "self"
    while this in names:
        this = f"_{this}"
    return this


def _joined(blocks: Iterable[Sequence[str]], blank: int) -> list[str]:
    """Return the lines of all blocks, with blank lines between them."""
    lines = [line for block in blocks for line in (*[""] * blank, *block)]
    return lines[blank:]


def _indented(lines: Iterable[str], indent: int = 4) -> list[str]:
    return [f"{' ' * indent}{line}" if line else "" for line in lines]


def _import(statement: str, names: Sequence[str]) -> list[str]:
    whole = f"{statement} {', '.join(names)}"
    if len(whole) <= INNER:
        return [whole] if names else []
    return [f"{statement} (", *(f"    {name}," for name in names), ")"]


def _class_of(head: str, members: Iterable[Sequence[str]], doc: str = "") -> list[str]:
    return [f"class {head}:", *_joined([*([_docstring(doc, 4)] if doc else []), *members], 1)]


def _method(
    name: str, parameters: Sequence[str], returned: str, comment: str = "", doc: str = "", *, body: bool = False
) -> list[str]:
    """Return the lines of a method; the comment is in the line that type checkers report."""
    end = ":" if doc or body else ": ..."
    return _indented(_def(name, parameters, returned, end, comment)) + (
        [*_docstring(doc, 8), "        ..."] if doc else []
    )


def _def(name: str, parameters: Sequence[str], returned: str, end: str, comment: str = "") -> list[str]:
    first, *others = _split(f"def {name}(", parameters, f") -> {returned}{end}")
    return [f"{first}  {comment}" if comment else first, *others]


def _call(function: str, arguments: Iterable[str]) -> list[str]:
    return _split(f"{function}(", list(arguments), ")")


def _split(begin: str, items: Sequence[str], end: str) -> list[str]:
    """Return a line with items, or one for each if it is long."""
    whole = f"{begin}{', '.join(items)}{end}"
    return [whole] if len(whole) <= INNER else [begin, *(f"    {each}," for each in items), end]


def _docstring(text: str, indent: int) -> list[str]:
    stripped = "\n".join(line.rstrip(" ") for line in inspect.cleandoc(text).split("\n"))
    # Escape adjacent and final quotes: three quotes would end the docstring early.
    first, *others = re.sub(r'"(?="|\Z)', r'\\"', _escaped(stripped)).split("\n")
    space = " " * indent
    if not others:
        return [f'{space}"""{first}"""']
    return [f'{space}"""{first}', *(f"{space}{line}" if line else "" for line in others), f'{space}"""']


def _quoted(name: str) -> str:
    """Return a string literal in the quotes that need fewer escapes."""
    text = _escaped(name).replace("\n", "\\n")
    quote = "'" if text.count('"') > text.count("'") else '"'
    return f"{quote}{text.replace(quote, chr(92) + quote)}{quote}"


def _escaped(text: str) -> str:
    """Escape backslashes and unprintable characters except line ends."""
    return "".join(
        character if character == "\n" or (character.isprintable() and character != "\\") else _escape(character)
        for character in text
    )


def _escape(character: str) -> str:
    return "\\\\" if character == "\\" else f"\\U{ord(character):08x}"


def _is_free(name: str) -> bool:
    """Return whether a function can have a name."""
    return _is_valid(name) and name not in RESERVED | OF_FUNCTIONS


def _is_valid(name: str) -> bool:
    """Return whether a class can declare an attribute of this name, and code can access it."""
    return is_name(name) and name == normal_form(name) and not name.startswith("__")  # Python mangles such names

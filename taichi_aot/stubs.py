"""Stubs: the types of a module's kernels and graphs, as a Python stub file for type checkers."""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .kernels._module import AotModule
from .values._dtypes import INTEGER_RANGES
from .values._signature import Parameter, Signature, normal_form, python_names
from .values._wording import short

if TYPE_CHECKING:
    import numpy as np

    from .formats._info import ModuleInfo

__all__ = ["CLASS_NAME", "make_stubs"]

CLASS_NAME = "Kernels"
WIDTH = 88  # longer lines are split, so that formatters with this limit or a larger one do not change the text
HEADER = "# Written by taichi-aot stubs: the types of a compiled module. Do not edit.\n# ruff: noqa\n"
OVERRIDES = "# type: ignore[override]"  # the base class's method takes the arguments of any kernel

# Import statements and the names that the text imports if it uses them, grouped and sorted as by isort.
IMPORTS = (
    (
        ("from collections.abc import", ("Iterator", "Mapping", "Sequence")),
        ("from typing import", ("Any", "Literal", "NoReturn", "Protocol", "TypeAlias", "overload")),
    ),
    (
        ("import numpy as", ("np",)),
        ("import numpy.typing as", ("npt",)),
        (
            "from taichi_aot import",
            ("ComputeGraph", "Field", "Image", "Kernel", "Launch", "ModuleInfo", "NdArray", "Runtime", "Texture"),
        ),
    ),
)
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
}
BASE = "_Module"  # base of the class for the module
MAPPINGS = tuple(f"{kind}{suffix}" for kind in ("Kernel", "Graph", "Field") for suffix in ("Name", "Mapping"))
RESERVED = {BASE, "int", *MAPPINGS, *ALIASES, *(name for group in IMPORTS for _, names in group for name in names)}


def make_stubs(info: ModuleInfo, class_name: str = CLASS_NAME) -> str:
    """Return the text of a stub file (``.pyi``): a class for a module, and one for each of its kernels and graphs.

    The text depends only on the contents of the module. ``mypy --strict`` and pyright accept it. In code that uses the
    classes, they find wrong names of kernels and parameters, and arguments of the wrong kind or number. Only the launch
    checks the dtype and shape of an `NdArray`.

    Parameters
    ----------
    info : ModuleInfo
        The contents of the module, from `inspect`.
    class_name : str
        Name of the class for the module.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If `class_name` is not a Python identifier, or is reserved for the text itself.

    Examples
    --------
    >>> from taichi_aot.stubs import make_stubs
    >>> text = make_stubs(inspect("saxpy.tcm"))
    >>> "    def __call__(self, /, a: Real, x: NdArray, y: NdArray) -> None: ..." in text
    True
    """
    return _Stubs(info, class_name).text()


class _Stubs:
    """The text of the stubs; `_use` notes the imports that it needs."""

    def __init__(self, info: ModuleInfo, class_name: str) -> None:
        if not class_name.isidentifier() or keyword.iskeyword(class_name) or class_name in RESERVED:
            raise ValueError(f"the class cannot be named {short(class_name)}: not an identifier, or used by the stubs")
        self._info = info
        self._class_name = class_name
        self._used: set[str] = set()
        # Inside a class, attributes hide other objects of the same name, so types must not be named like attributes.
        self._taken = {class_name, *RESERVED, *info.kernels, *info.graphs}
        self._blocks: list[list[str]] = []  # each a list of lines

    def text(self) -> str:
        """Return the whole text."""
        info = self._info
        kernels = {
            name: self._item("Kernel", kernel.signature, kernel.doc, kernel.return_dtype)
            for name, kernel in info.kernels.items()
        }
        graphs = {
            name: self._item("ComputeGraph", graph.signature, graph.doc, None) for name, graph in info.graphs.items()
        }
        mappings = {"kernels": self._mapping("Kernel", kernels), "graphs": self._mapping("ComputeGraph", graphs)}
        fields = [field.name for field in info.fields if field.get and field.set]
        if fields:
            mappings["fields"] = self._fields(fields)
        self._module(mappings, {**kernels, **graphs, **kernels})
        blocks = ("".join(f"{line}\n" for line in lines) for lines in self._blocks)
        return "\n".join([HEADER, self._head(), *blocks])

    def _item(self, base: str, signature: Signature, doc: str, returned: np.dtype[Any] | None) -> str:
        """Add the class of a kernel or graph, and that of its bound launches; return the name of the former."""
        kind, launch = (self._class(signature.name, suffix) for suffix in (base.removeprefix("Compute"), "Launch"))
        names = python_names(signature.parameters)
        types = map(self._argument, signature.parameters)
        parameters = [f"{name}: {type_}" for name, type_ in zip(names, types, strict=True)]
        this = "self"
        while this in names:
            this = f"_{this}"
        updated = ["*", *(f"{parameter} = ..." for parameter in parameters)] if parameters else []
        result = "None" if returned is None else self._returned(returned)
        self._blocks.append(
            [
                f"class {kind}({self._use(base)}):",
                *_docstring(str(signature), 4),
                *_method("__call__", [this, "/", *parameters], result, OVERRIDES, doc),
                *_method("bind", [this, "/", *parameters], launch, OVERRIDES),
            ]
        )
        self._blocks.append(
            [
                f"class {launch}({self._use('Launch')}):",
                *_method("update", [this, "/", *updated], "None", OVERRIDES),
                *(() if returned is None else _method("result", ["self"], result)),
            ]
        )
        return kind

    def _argument(self, parameter: Parameter) -> str:
        """Return the type of the arguments for a parameter."""
        if parameter.kind == "ndarray" and not parameter.grad:
            return self._use("NdArray")
        if parameter.kind in ("texture", "rw_texture"):
            return f"{self._use('Image')} | {self._use('Texture')}"
        number = "Integer" if parameter.dtype in INTEGER_RANGES else "Real"
        if parameter.kind == "scalar":
            return self._use(number)
        if parameter.kind == "matrix":
            return self._use(f"{number}{'Vector' if len(parameter.elem_shape) < 2 else 'Matrix'}")
        return self._use("NoReturn")  # it cannot be passed

    def _returned(self, dtype: np.dtype[Any]) -> str:
        """The type of the value of a call."""
        types = [self._value(dtype[name]) for name in dtype.names or ()]
        return types[0] if len(types) == 1 else f"tuple[{', '.join(types)}]"

    def _value(self, dtype: np.dtype[Any]) -> str:
        number = "record" if dtype.base.names else "bool_" if dtype.base.kind == "b" else dtype.base.name
        scalar = f"{self._use('np')}.{number}"
        return f"{self._use('npt')}.NDArray[{scalar}]" if dtype.shape else scalar

    def _mapping(self, base: str, classes: Mapping[str, str]) -> str:
        """Add the mapping type of kernels or graphs, and return its name."""
        kind = base.removeprefix("Compute")
        if not classes:
            return f"{self._use('Mapping')}[{self._use('NoReturn')}, {self._use(base)}]"
        names = f"{kind}Name"
        self._blocks.append(self._names(names, classes))
        found = [
            _method("__getitem__", ["self", f"name: {self._use('Literal')}[{_quoted(name)}]", "/"], class_)
            for name, class_ in classes.items()
        ]
        if len(found) > 1:
            found.append(_method("__getitem__", ["self", f"name: {names}", "/"], base))
            found = [[f"    @{self._use('overload')}", *lines] for lines in found]
        self._blocks.append(
            [
                f"class {kind}Mapping({self._use('Mapping')}[{names}, {base}]):",
                *(line for lines in found for line in lines),
                *_method("__iter__", ["self"], f"{self._use('Iterator')}[{names}]"),
                *_method("__len__", ["self"], "int"),
                *_mapping_attributes(classes),
            ]
        )
        return f"{kind}Mapping"

    def _fields(self, names: Sequence[str]) -> str:
        """Add the mapping type of fields, which are also its attributes, and return its name."""
        field = self._use("Field")
        self._blocks.append(self._names("FieldName", names))
        # An attribute for a struct field has its members as attributes.
        attributes = {name.partition(".")[0]: self._use("Any") if "." in name else field for name in names}
        self._blocks.append(
            [
                f"class FieldMapping({self._use('Mapping')}[FieldName, {field}]):",
                *_method("__getitem__", ["self", "name: FieldName", "/"], field),
                *_method("__iter__", ["self"], f"{self._use('Iterator')}[FieldName]"),
                *_method("__len__", ["self"], "int"),
                *_mapping_attributes(attributes),
            ]
        )
        return "FieldMapping"

    def _names(self, alias: str, names: Iterable[str]) -> list[str]:
        """Return the lines of an alias for the type of these strings."""
        quoted = list(map(_quoted, names))
        line = f"{alias}: {self._use('TypeAlias')} = {self._use('Literal')}"
        whole = f"{line}[{', '.join(quoted)}]"
        if len(whole) <= WIDTH:
            return [whole]
        return [f"{line}[", *(f"    {name}," for name in quoted), "]"]

    def _module(self, mappings: Mapping[str, str], attributes: Mapping[str, str]) -> None:
        """Add the class of the module."""
        # The properties have a separate class, because a kernel may be named like one of these types.
        properties = {
            "runtime": self._use("Runtime"),
            "info": self._use("ModuleInfo"),
            **mappings,
            "closed": "bool",
        }
        lines = [f"class {BASE}({self._use('Protocol')}):"]
        for name, type_ in properties.items():
            lines += ["    @property", *_method(name, ["self"], type_)]
        lines += _method("close", ["self"], "None")
        lines += _method("__enter__", ["self"], self._class_name)
        lines += _method("__exit__", ["self", "*exc_info: object"], "None")
        self._blocks.append(lines)
        usable = [f"    {name}: {class_}" for name, class_ in attributes.items() if _is_attribute(name)]
        self._blocks.append([f"class {self._class_name}({BASE}, Protocol):{'' if usable else ' ...'}", *usable])

    def _class(self, name: str, suffix: str) -> str:
        """Return a new class name for a kernel or graph: for ``update_grid``, it begins with ``UpdateGrid``."""
        stem = "".join(part[:1].upper() + part[1:] for part in re.split(r"[\W_]+", normal_form(name)))
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
            for other in re.findall(r"\w+", ALIASES.get(name, "")):
                if other in RESERVED:
                    self._use(other)
            if name in ALIASES:
                self._use("TypeAlias")
        return name

    def _head(self) -> str:
        """Return the lines of the used imports and aliases."""
        groups: list[str] = []
        for group in IMPORTS:
            lines = [_import(statement, [name for name in names if name in self._used]) for statement, names in group]
            groups.append("".join(lines))
        aliases = [f"{name}: TypeAlias = {type_}\n" for name, type_ in ALIASES.items() if name in self._used]
        return "\n".join(filter(None, [*groups, "".join(aliases)]))


def _import(statement: str, names: Sequence[str]) -> str:
    line = f"{statement} {', '.join(names)}\n"
    if not names or len(line) <= WIDTH + 1:
        return line if names else ""
    return f"{statement} (\n{''.join(f'    {name},{chr(10)}' for name in names)})\n"


def _method(name: str, parameters: Sequence[str], returned: str, comment: str = "", doc: str = "") -> list[str]:
    """Return the lines of a method; the comment is in the line that type checkers report."""
    end = ":" if doc else ": ..."
    whole = f"    def {name}({', '.join(parameters)}) -> {returned}{end}"
    remark = f"  {comment}" if comment else ""
    if len(whole) <= WIDTH:
        lines = [whole + remark]
    else:
        lines = [f"    def {name}({remark}", *(f"        {parameter}," for parameter in parameters)]
        lines.append(f"    ) -> {returned}{end}")
    return lines + (_docstring(doc, 8) if doc else [])


def _docstring(text: str, indent: int) -> list[str]:
    """Return the lines of a docstring."""
    stripped = "\n".join(line.rstrip(" ") for line in inspect.cleandoc(text).split("\n"))
    # Escape adjacent and final quotes: three quotes would end the docstring early.
    first, *others = re.sub(r'"(?="|\Z)', r'\\"', _escaped(stripped)).split("\n")
    space = " " * indent
    if not others:
        return [f'{space}"""{first}"""']
    return [f'{space}"""{first}', *(f"{space}{line}" if line else "" for line in others), f'{space}"""']


def _quoted(name: str) -> str:
    """Return a string literal."""
    text = _escaped(name).replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


def _escaped(text: str) -> str:
    """Escape backslashes and unprintable characters except line ends."""
    return "".join(
        character if character == "\n" or (character.isprintable() and character != "\\") else _escape(character)
        for character in text
    )


def _escape(character: str) -> str:
    return "\\\\" if character == "\\" else f"\\U{ord(character):08x}"


def _is_attribute(name: str) -> bool:
    """Return whether a kernel or graph of this name is an attribute of its module."""
    return _is_name(name) and not hasattr(AotModule, name)


def _mapping_attributes(types: Mapping[str, str]) -> list[str]:
    """Return the lines of the attributes of a mapping."""
    # Not of names that hide its methods, or names that its own lines use.
    usable = (name for name in types if _is_name(name) and name not in RESERVED and not hasattr(Mapping, name))
    return [f"    {name}: {types[name]}" for name in usable]


def _is_name(name: str) -> bool:
    """Return whether a class can declare an attribute of this name, and code can access it."""
    is_identifier = name.isidentifier() and not keyword.iskeyword(name) and name == normal_form(name)
    return is_identifier and not name.startswith("__")  # Python mangles such names

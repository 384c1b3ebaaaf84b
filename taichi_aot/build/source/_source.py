"""The user's source: the kernels that the decorator `export` collects, and how a child process reads the file.

It is imported, or opened as a program, independent of its folder. Nothing here imports ``taichi``.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import os
import site
import sys
import sysconfig
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import takewhile
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, TypeAlias, TypeVar, cast, overload

from ...values._errors import short
from ...values._signature import is_name
from .._options import BuildError

Dimension: TypeAlias = "str | int"
Shape: TypeAlias = "Dimension | Sequence[Dimension]"
KernelFunction = TypeVar("KernelFunction", bound=Callable[..., Any])

MAX_SIZE = 2**31 - 1  # of a dimension: Taichi's indices are i32


@dataclass(frozen=True)
class Export:
    """A kernel to compile, with the options of its decorator."""

    function: Callable[..., Any]  # the kernel, or the function below ``@ti.kernel``
    name: str  # its name in the module
    shapes: Mapping[str, tuple[str | int, ...]]  # stated shapes by parameter
    # Values of template parameters, and types or samples of ndarrays that have no type.
    template_types: Mapping[str, Any]
    grad: bool = False  # whether its adjoint is compiled too


EXPORTS: list[Export] = []
FIELDS: list[tuple[str, Any, bool]] = []  # names, fields, and whether their contents are kept


@overload
def export(name: KernelFunction, /) -> KernelFunction: ...


@overload
def export(
    name: str | None = None,
    *,
    shapes: Mapping[str, Shape] | None = None,
    template_types: Mapping[str, Any] | None = None,
    grad: bool = False,
) -> Callable[[KernelFunction], KernelFunction]: ...


def export(
    name: Any = None,
    *,
    shapes: Mapping[str, Shape] | None = None,
    template_types: Mapping[str, Any] | None = None,
    grad: bool = False,
) -> Any:
    """Mark a kernel for `build`; use the decorator above ``@ti.kernel``, with or without parentheses.

    It returns the kernel unchanged. The decorator also works if ``taichi`` is not installed.

    Parameters
    ----------
    name : str, optional
        Name of the kernel in the module, an identifier; by default the function's name.
    shapes : mapping of str to shape, optional
        Sizes of the dimensions of ndarrays, by parameter: ``{"x": "n", "m": ("n", 3)}``. A symbol means the same number
        in all arrays of one launch. A shape of one dimension may be written without a tuple.
    template_types : mapping of str to object, optional
        For each ``ti.template()`` parameter its value: a field or a number. For each ndarray parameter whose annotation
        lacks ``dtype`` or ``ndim``, a ``ti.types.ndarray(dtype=..., ndim=...)`` or an ndarray of that type.
    grad : bool, default False
        Whether to compile the adjoint too, which `Kernel.grad` launches. All ndarrays of floats have a gradient, except
        those with the annotation ``needs_grad=False``. Modules for x64, arm64 and CUDA have it; others do without.

    Raises
    ------
    TypeError
        If the decorated object is not a function, or an argument has the wrong type.
    ValueError
        If the name is not an identifier, a shape is invalid, or a parameter does not exist.

    Examples
    --------
    >>> @export(shapes={"x": "n", "y": "n"})                            # doctest: +SKIP
    ... @ti.kernel
    ... def saxpy(a: ti.f32, x: ti.types.ndarray(ti.f32, 1), y: ti.types.ndarray(ti.f32, 1)):
    ...     for i in y:
    ...         y[i] = a * x[i] + y[i]
    """
    if name is not None and not isinstance(name, str):
        if not callable(name):
            raise TypeError(f"the name of an exported kernel is a string, not {short(name)}")
        return _add(name, None, {}, {}, grad=False)

    def decorate(function: KernelFunction) -> KernelFunction:
        return _add(function, name, shapes or {}, template_types or {}, grad=grad)

    return decorate


def export_field(name: str, field: Any, *, contents: bool = False) -> None:
    """Mark a field for `build`, which adds it to the module with kernels that read and write it.

    Parameters
    ----------
    name : str
        Name of the field in the module, an identifier.
    field : ti.Field
        A field of scalars, vectors, matrices or structs.
    contents : bool, default False
        Whether the field begins with what the source writes into it, instead of zeros.

    Examples
    --------
    >>> velocity = ti.Vector.field(2, ti.f32, shape=(64, 64))           # doctest: +SKIP
    >>> export_field("velocity", velocity)                              # doctest: +SKIP
    >>> gravity = ti.Vector.field(2, ti.f32, shape=())                  # doctest: +SKIP
    >>> export_field("gravity", gravity, contents=True)                 # doctest: +SKIP
    >>> gravity[None] = [0, -9.8]                                       # doctest: +SKIP
    """
    FIELDS.append((_identifier(name, "field"), field, bool(contents)))


def _add(
    function: KernelFunction,
    name: str | None,
    shapes: Mapping[str, Shape],
    template_types: Mapping[str, Any],
    *,
    grad: bool,
) -> KernelFunction:
    given: Any = function
    if not inspect.isfunction(given) and not hasattr(given, "_primal"):  # an object, as kernels of Quadrants are
        raise TypeError(f"@export is for kernels, not for {short(function)}")
    name = _identifier(function.__name__ if name is None else name, "kernel")
    parameters = list(inspect.signature(function).parameters)
    for parameter in template_types:
        if str(parameter).partition(".")[0] not in parameters:
            raise ValueError(f"kernel {name} has no parameter {short(parameter)} to give a type to")
    # Members of packs, such as pack.x, are known once Taichi is imported.
    members = [each for each in shapes if str(each).partition(".")[0] in parameters] if shapes else []
    stated = read_shapes(name, shapes, [*parameters, *members])
    EXPORTS.append(Export(function, name, stated, dict(template_types), bool(grad)))
    return function


def _identifier(name: object, kind: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"the name of a {kind} is a string, not {short(name)}")
    if not is_name(name):
        raise ValueError(
            f"{short(name)} cannot be the name of a {kind}: it is a keyword of Python, or not an identifier"
        )
    return name


def read_shapes(name: str, shapes: Mapping[str, Shape], parameters: Sequence[str]) -> dict[str, tuple[str | int, ...]]:
    """Return the stated shapes as tuples."""
    if not isinstance(shapes, Mapping):
        raise TypeError(f"the shapes of {name} are a mapping of parameters to shapes, not {short(shapes)}")
    found: dict[str, tuple[str | int, ...]] = {}
    for parameter, shape in shapes.items():
        if parameter not in parameters:
            raise ValueError(
                f"{name} has no parameter {short(parameter)} to state a shape of; it has: {', '.join(parameters)}"
            )
        dimensions = _dimensions(f"{name}: shape of {parameter}", shape)
        for dimension in dimensions:
            _check_dimension(f"{name}: shape of {parameter}", dimension)
        found[parameter] = dimensions
    return found


def _dimensions(where: str, shape: object) -> tuple[Any, ...]:
    if isinstance(shape, (str, int)):
        return (shape,)
    if not isinstance(shape, (tuple, list)):
        raise TypeError(f"{where}: a shape is a symbol, an int, or a tuple of them, not {short(shape)}")
    return tuple(cast("Sequence[Any]", shape))


def _check_dimension(where: str, dimension: object) -> None:
    if isinstance(dimension, str):
        if not is_name(dimension):
            raise ValueError(f"{where}: a symbol is an identifier, not {short(dimension)}")
    elif type(dimension) is not int:
        raise TypeError(f"{where}: a dimension is a symbol or an int, not {short(dimension)}")
    elif not 0 <= dimension <= MAX_SIZE:
        raise ValueError(f"{where}: a dimension has 0 to {MAX_SIZE} elements, not {dimension}")


# The user's source in a child process, imported or opened as a program, independent of its folder.


TAICHI, QUADRANTS = "taichi", "quadrants"  # the compilers, as sources import them
NO_PACKAGE = "attempted relative import with no known parent package"  # Python's message


NO_MODULE = "there is no module {!r} in the current folder or on the path: name one, or a .py file"


class SourceFiles:
    """The imported Python files of the source: the one to build, and others from its folder.

    Others are also those from folders above it on the path, and from folders that the source itself adds to the path.
    It is a finder of their modules. Their code has file names relative to the folder, because the compiler writes these
    names into messages, and some messages into kernels.
    """

    def __init__(self, root: Path, own: str) -> None:
        self.root = root  # the folder
        self.asserts = True  # whether assertions are checked
        self.contents: dict[str, bytes] = {}  # the contents of imported files, by path relative to the folder
        # How paths of the folder or package begin, which is of the source even where libraries are installed.
        self._own = own
        self._libraries_in_own = tuple(each for each in library_folders() if not own.startswith(each))
        self._other_folders = [each for each in sys.path if not str(root).startswith(_prefix(each))]

    def loader(self, name: str, path: str) -> SourceFileLoader:
        return _Loader(name, path, self)

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        """Find a module where Python finds it, for ``sys.meta_path``; None if it is of a library."""
        spec = PathFinder.find_spec(name, path)
        if spec is None or type(spec.loader) is not SourceFileLoader or not self.name_of(spec.loader.path):
            return None
        return importlib.util.spec_from_file_location(
            name,
            spec.origin,
            loader=self.loader(name, spec.loader.path),
            submodule_search_locations=spec.submodule_search_locations,
        )

    def name_of(self, path: str) -> str:
        """Return the path of a file relative to the folder, with slashes; empty if it is not of the source."""
        folder, name = os.path.split(os.path.abspath(path))
        found = os.path.join(os.path.realpath(folder), name)  # as sys.path may have an entry such as folder/..
        is_in_own = found.startswith(self._own)
        folders = tuple(map(_prefix, (Counter(sys.path) - Counter(self._other_folders)).keys()))
        if found.startswith(self._libraries_in_own if is_in_own else library_folders()) or not (
            is_in_own or found.startswith(folders)
        ):
            return ""
        try:
            return Path(os.path.relpath(found, self.root)).as_posix()
        except ValueError:  # on another drive
            return ""

    def names(self, main: str) -> list[str]:
        """Return `main`, followed by the other files in the order of their paths."""
        return [main, *sorted(self.contents.keys() - {main})]

    def digest(self, main: str) -> str:
        """Return the SHA-256 of the contents of all files, in the order of `names`, with line ends of one byte."""
        # git may write other line ends into a checkout.
        texts = (self.contents[name].replace(b"\r\n", b"\n") for name in self.names(main))
        return hashlib.sha256(b"".join(texts)).hexdigest()


def _prefix(folder: str) -> str:
    """Return how resolved paths in a folder begin."""
    return os.path.join(os.path.realpath(folder), "")


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, files: SourceFiles) -> None:
        super().__init__(name, path)
        self._files = files

    def get_code(self, fullname: str) -> CodeType:
        # Do not use cached code: it would name another file.
        path = self.get_filename(fullname)
        data = self.get_data(path)
        relative = self._files.name_of(path)
        self._files.contents[relative] = data
        return compile(data, relative, "exec", dont_inherit=True, optimize=0 if self._files.asserts else 1)


def import_source(source: str) -> tuple[ModuleType, SourceFiles, str]:
    """Import a file, or a module by its dotted name; BuildError if it does not exist.

    The files are those imported so far; functions of the module may import more when they run. The last result is the
    path of the module's file relative to their root.
    """
    spec, files = _find(source)
    if source.endswith(".py"):
        module = importlib.util.module_from_spec(spec)
        if spec.name not in sys.modules:
            sys.modules[spec.name] = module
        execute(module)
    else:
        module = importlib.import_module(source)
    return module, files, _relative(module, files)


def compiler_of(source: str) -> str:
    """Return the compiler that a source imports: ``"quadrants"``, else ``"taichi"``. Nothing is run."""
    path = Path(source) if source.endswith(".py") else _file_of(source)
    try:
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
    except (OSError, SyntaxError, ValueError):  # of which the child process says more
        return TAICHI
    names = {each.name for node in nodes if isinstance(node, ast.Import) for each in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    imported = {name.partition(".")[0] for name in names} & {TAICHI, QUADRANTS}
    if len(imported) > 1:
        raise BuildError(f"{path.name} imports taichi and quadrants: a build has one compiler, so make two files of it")
    return QUADRANTS if QUADRANTS in imported else TAICHI


def _file_of(module: str) -> Path:
    """Return the file of a module by its dotted name, of which nothing is imported."""
    package, *inner = module.split(".")
    top = PathFinder.find_spec(package, [os.getcwd(), *sys.path])
    if top is None or top.origin is None:
        return Path(module)
    place = Path(top.origin).parent.joinpath(*inner)
    candidates = [place.with_suffix(".py"), place / "__init__.py"] if inner else [Path(top.origin)]
    return next((each for each in candidates if each.is_file()), Path(module))


def open_program(source: str) -> tuple[ModuleType, SourceFiles, str]:
    """Make the module ``__main__`` of a program, for `execute`; the parameters and results are as in `import_source`.

    ``sys.argv`` has the name of the program's file only. Assertions are not checked: all that kernels compute is 0.
    """
    found, files = _find(source)
    files.asserts = False
    path = found.origin
    if path is None or not path.endswith(".py"):
        raise BuildError(f"{source} is not a program in a .py file")
    spec = importlib.util.spec_from_file_location("__main__", path, loader=files.loader("__main__", path))
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__spec__ = None  # as for `python program.py`: multiprocessing finds it by its file
    if not source.endswith(".py"):
        module.__package__ = found.parent
    sys.modules["__main__"] = module
    sys.argv = [path]
    return module, files, _relative(module, files)


def execute(module: ModuleType) -> None:
    """Run the code of a module; BuildError if it imports relative to a package, and was opened as a file."""
    loader: Any = module.__loader__
    try:
        loader.exec_module(module)
    except ImportError as error:
        if NO_PACKAGE not in str(error):
            raise
        assert module.__file__ is not None
        raise BuildError(_package_remedy(Path(module.__file__))).with_traceback(error.__traceback__) from None


def _find(source: str) -> tuple[ModuleSpec, SourceFiles]:
    """Find a source, let its imports find the files beside it, and make its folder the current one."""
    if source.endswith(".py"):
        path = Path(source)
        files = SourceFiles(path.parent, os.path.join(path.parent, ""))
        spec = importlib.util.spec_from_file_location(path.stem, path, loader=files.loader(path.stem, str(path)))
        sys.path.insert(0, str(files.root))  # for extension modules and data beside the file
    else:
        package = source.partition(".")[0]
        top = PathFinder.find_spec(package)
        if top is None or top.origin is None or not top.origin.endswith(".py"):
            raise BuildError(NO_MODULE.format(source))
        file = Path(top.origin).resolve()
        is_package = bool(top.submodule_search_locations)
        own = os.path.join(file.parent, "") if is_package else str(file)
        files = SourceFiles(file.parents[is_package], own)
        spec = None
    # Before the finder of sys.path: the folder of a script comes first there too.
    sys.meta_path.insert(sys.meta_path.index(PathFinder), files)
    os.chdir(files.root)
    spec = spec or importlib.util.find_spec(source)
    if spec is None:
        raise BuildError(NO_MODULE.format(source))
    return spec, files


def _relative(module: ModuleType, files: SourceFiles) -> str:
    assert module.__file__ is not None
    return files.name_of(module.__file__)


def _package_remedy(path: Path) -> str:
    """Return the remedy for a file that imports relative to its package."""
    name = f"{path.parent.name}.{path.stem}"
    for folder in takewhile(lambda folder: (folder / "__init__.py").is_file(), path.parent.parents):
        name = f"{folder.name}.{name}"
    return (
        f"a file is built without its package, from which it imports: build it as {name} from the folder above the "
        f"package (python -m taichi_aot build {name}; the package needs an __init__.py)"
    )


@cache
def library_folders() -> tuple[str, ...]:
    """Return how the names of files begin that are not the user's, with and without links."""
    paths = sysconfig.get_paths()
    specs = [spec for name in (TAICHI, QUADRANTS) if (spec := importlib.util.find_spec(name)) and spec.origin]
    own = [*(Path(str(spec.origin)).parent for spec in specs), Path(__file__).parents[2]]
    installed = [*site.getsitepackages(), site.getusersitepackages()]
    folders = [paths["stdlib"], paths["purelib"], paths["platlib"], *installed, *map(str, own)]
    return ("<", *dict.fromkeys(prefix for each in folders for prefix in (os.path.join(each, ""), _prefix(each))))


def is_of_source(file: str) -> bool:
    """Return whether a file name in code is one from `SourceFiles`."""
    return not os.path.isabs(file) and not file.startswith("<")

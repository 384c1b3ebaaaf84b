"""What bundles and modules state in JSON, beside Taichi's own files: ``bundle.json`` and ``plan.json``.

A bundle (``.tib``) is one archive with a source's modules for several archs. Its manifest has under ``"archs"`` the
archive of each arch with its digest, under ``"source"`` what the modules were compiled from, and under ``"build"`` how
`taichi_aot.build` built them. At most, wrong statements of a build cause a wrong warning: the contents of a bundle do
not depend on them.

A plan has what a module states, and everything that launches of its kernels need. For modules with only Taichi's files,
`taichi_aot.adopt` makes the same. Loading a module parses it once; a kernel of it is decoded when it is looked up. What
stands in it is trusted like the code beside it (SECURITY.md), as far as this process is concerned: an offset may be
wrong, but nothing here or in C follows one out of bounds, and what has another form is CorruptedDataError.

A graph inherits shapes from its kernels. Each dispatch has symbols of its own. Dimensions and scalars of the graph that
one symbol of a dispatch stands for are equal, and so are those that share one dimension or scalar across dispatches.
"""

from __future__ import annotations

import itertools
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar, cast

from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    CorruptedDataError,
    IncompatibleModuleError,
    InvalidArgumentError,
    NameNotFoundError,
    StaleBundleWarning,
    TaichiError,
    warn_caller,
)
from ..values._items import MadeItems, Record
from ..values._numbers import Arch
from ..values._signature import Parameter, Signature
from ._codec import DAMAGE, DERIVED, Decoded, damaged, decode, encode, part, read_json, sha256
from ._files import DESCRIPTION, PLAN, Container, Files, Source, code_digest, is_bundle, open_source
from ._info import (
    VECTORS,
    Edits,
    GraphInfo,
    KernelInfo,
    LaunchInfo,
    ModuleInfo,
    ResultLayout,
    RuntimeStruct,
    SourceFile,
    Stated,
)

Choose: TypeAlias = "Callable[[str, Sequence[Arch]], Arch]"  # picks an arch of a bundle, which the text names

GFX_ARCHS = (Arch.VULKAN, Arch.OPENGL, Arch.METAL, Arch.GLES)  # they take the same modules
MACHINE_CODE = {Arch.ARM64: Arch.X64}  # archs, and those whose modules may have machine code for them
MAX_BYTES = 1 << 24  # of a source; larger ones are not read
MAX_SOURCES = 1000
_warned: set[tuple[str, str]] = set()  # paths of bundles, and digests of their sources


class SourceFiles(Record):
    """The files of a module as read, its name for messages, and of one in a bundle its arch and origin."""

    where: str
    contents: Files
    arch: Arch | None = None
    origin: Origin | None = None

    def check_archs(self, archs: Sequence[str]) -> None:
        """Raise CorruptedDataError if a bundle states another arch than the module, which is for these if for any."""
        if self.arch and archs and str(self.arch) not in archs:
            raise CorruptedDataError(f"{self.where} is compiled for {' or '.join(archs)}")

    def require(self, archs: Sequence[Arch], wanted: Arch | None) -> None:
        """Raise IncompatibleModuleError if it is no part of a bundle, and is for these archs without the wanted one."""
        if wanted and archs and not self.arch and wanted not in archs:
            compiled = " or ".join(map(str, archs))
            raise IncompatibleModuleError(f"{self.where} was compiled for {compiled}, not for {wanted}")


def exactly(arch: Arch, available: Callable[[], Sequence[Arch]] = tuple) -> Choose:
    """Pick this arch. `available` returns the machine's archs; the error recommends one of them.

    A gfx arch that the bundle does not have takes the module of another: SPIR-V states no arch, and whether a device
    can run it is checked when it is loaded. An arm64 machine takes the module for x64 in the same way.
    """

    def choose(where: str, archs: Sequence[Arch]) -> Arch:
        if arch in archs:
            return arch
        others = [other for other in archs if {arch, other}.issubset(GFX_ARCHS)]
        others += [other for other in archs if other is MACHINE_CODE.get(arch) and {arch}.issubset(available())]
        if others:
            return others[0]
        names = ", ".join(map(str, archs))
        usable = next((f", or use arch {str(other)!r}" for other in available() if other in archs), "")
        is_elsewhere = arch.is_cpu and arch not in available()
        needed = ",".join(map(str, [arch] if is_elsewhere else [*archs, arch]))
        command = f"taichi-aot build --arch {needed}{f' on an {arch} machine' * is_elsewhere}"
        raise IncompatibleModuleError(
            f"{where} has modules for {names} and none for {arch}: add one with {command}, or with taichi-aot bundle"
            f"{usable}"
        )

    return choose


class Origin(Record):
    """How a bundle was built. The manifest states the digest and the archs elsewhere."""

    folder: str  # the folder of the source relative to that of the bundle, with slashes
    files: tuple[str, ...]  # the source and the files that it imports, relative to `folder`, in the order of the digest
    options: tuple[str, ...]  # options of ``taichi-aot build``, without the archs and files
    # Other files that the build wrote by the option that names them, relative to the folder of the bundle.
    outputs: dict[str, str]
    sha256: Annotated[str, DERIVED] = ""  # the digest of the source, in hexadecimal digits
    archs: Annotated[tuple[str, ...], DERIVED] = ()  # the archs in the bundle

    def _check(self) -> None:
        paths = [self.folder, *self.files, *self.outputs.values()]
        if not self.files or not all(map(str.isprintable, [*paths, *self.options, *self.outputs])):
            raise ValueError("it has no files, or a value that is not a printable text")
        if any(map(os.path.isabs, paths)):
            raise ValueError("it has a path that is not relative")

    def is_stale(self, bundle: str) -> bool:
        """Whether the source exists, and differs from the one from which the bundle at this path was built."""
        folder = self._source_folder(bundle)
        if not os.path.lexists(os.path.join(folder, self.files[0])):  # as in an application without its sources
            return False
        return source_digest(folder, self.files) not in (None, self.sha256)

    def command(self, bundle: str) -> str:
        """Return the command that builds the bundle at this path again, for a shell in the current folder."""
        import shlex

        folder, main = self._source_folder(bundle), self.files[0]
        words = ["taichi-aot", "build"]
        if "/" in main:  # a module in a package, which is built by its name
            words.append(main.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        else:
            words.append(shown(os.path.join(folder, main)))
        words += ["--arch", ",".join(self.archs), *self.options]
        for option, path in self.outputs.items():
            words += [option, shown(os.path.join(os.path.dirname(bundle), path))]
        command = shlex.join([*words, "-o", shown(bundle)])
        if "/" not in main or os.path.realpath(folder) == os.getcwd():
            return command
        return f"PYTHONPATH={shlex.quote(shown(folder))} {command}"

    def _source_folder(self, bundle: str) -> str:
        return os.path.normpath(os.path.join(os.path.dirname(bundle), self.folder))


def source_digest(folder: str | os.PathLike[str], files: Sequence[str]) -> str | None:
    """Return the digest of a source, with any line ends, without waiting; None if it is too large or unreadable."""
    digest, left = sha256(), MAX_BYTES
    if len(files) > MAX_SOURCES:
        return None
    try:
        for name in files:
            with open(os.path.join(folder, name), "rb", opener=_open_now) as file:
                facts = os.fstat(file.fileno())
                if not stat.S_ISREG(facts.st_mode) or facts.st_size > left:
                    return None
                left -= facts.st_size
                digest.update(file.read(MAX_BYTES).replace(b"\r\n", b"\n"))
    except (OSError, ValueError):
        return None
    return digest.hexdigest()


def _open_now(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def shown(path: str) -> str:
    """Return a path relative to the current folder if it is inside, else absolute."""
    relative = os.path.relpath(os.path.abspath(path))
    if relative.startswith(os.pardir):
        return os.path.abspath(path)
    return os.path.join(os.curdir, relative) if relative.startswith("-") else relative  # not an option


def warn_if_stale(source: object, origin: Origin | None) -> None:
    """Warn if the source of a bundle has changed since it was built, once for each state of the bundle."""
    message = stale_message(source, origin)
    if message:
        warn_caller(message, StaleBundleWarning)


def stale_message(source: object, origin: Origin | None) -> str:
    """Return the text of the warning; empty without a reason, or after the first time."""
    if origin is None or not isinstance(source, str | os.PathLike):
        return ""
    try:
        path = os.path.abspath(os.fsdecode(cast("str | os.PathLike[str]", source)))
        key = path, origin.sha256
        if key in _warned or not origin.is_stale(path):
            return ""
        message = f"{shown(path)} is older than its source {origin.files[0]}; build it again: {origin.command(path)}"
    except (OSError, ValueError):  # such as a current folder that was deleted, or no relative path to another drive
        return ""
    _warned.add(key)
    return message


BUNDLE_FORMAT, PLAN_FORMAT = 3, 2


def _require_format(where: str, number: int, known: int) -> None:
    """Raise IncompatibleModuleError for another version of ``bundle.json`` or ``plan.json``."""
    if number != known:
        remedy = "update taichi-aot" if number > known else "build it again"
        raise IncompatibleModuleError(
            f"{where} has the format {number}, and this version of the package reads {known}: {remedy}"
        )


class Entry(Record):
    """The archive of an arch: its name in the bundle, and its SHA-256 in hexadecimal digits."""

    file: str
    sha256: str


class Manifest(Record):
    """What ``bundle.json`` states."""

    format: int
    source: SourceFile
    archs: dict[Arch, Entry]
    build: Origin | None = None

    def _check(self) -> None:
        if not self.archs:
            raise ValueError("it names no modules")


class Bundle(Record):
    """An open bundle: its container, the archive of each arch, and its origin, if it states one."""

    container: Container
    entries: dict[Arch, Entry]
    origin: Origin | None

    def read(self, arch: Arch) -> SourceFiles:
        """The files of the module for an arch, and of no other."""
        entry, container = self.entries[arch], self.container
        if entry.file not in container.names:
            raise CorruptedDataError(f"{container.where}: the archive {entry.file!r} is missing")
        with open_source(memoryview(container.read(entry.file)), f"{container.where} ({arch})") as inner:
            return SourceFiles(inner.where, inner.read_module(), arch, self.origin)


def read_bundle(container: Container) -> Bundle:
    """Read the manifest of a bundle, without its modules."""
    name = f"{container.where}: {DESCRIPTION}"
    try:
        raw = read_json(container.read(DESCRIPTION))
        _require_format(name, part(raw, "format", int), BUNDLE_FORMAT)
        stated = decode(Manifest, raw)
    except DAMAGE as error:
        if isinstance(error, TaichiError):
            raise
        raise CorruptedDataError(damaged(error).message(name)) from None
    origin = stated.build
    if origin is not None:
        origin = origin._replace(sha256=stated.source.sha256, archs=tuple(map(str, stated.archs)))
    return Bundle(container, stated.archs, origin)


def read_files(source: Source, choose: Choose) -> SourceFiles:
    """Read the files of a module, or of one of the modules of a bundle; see `inspect`.

    `choose` picks one of the archs of a bundle, and raises if it finds none; see `exactly`. Only that module is read.
    """
    with open_source(source) as container:
        if is_bundle(container):
            bundle = read_bundle(container)
            return bundle.read(choose(container.where, tuple(bundle.entries)))
        return SourceFiles(container.where, container.read_module())


def read_modules(source: Source, arch: Arch | None = None) -> tuple[SourceFiles, ...]:
    """Read the files of a module, or those of a bundle: of all its archs, or of one.

    `SourceFiles.require` raises for a single module that is not for `arch`.
    """
    with open_source(source) as container:
        if not is_bundle(container):
            return (SourceFiles(container.where, container.read_module()),)
        bundle = read_bundle(container)
        archs = tuple(bundle.entries)
        return tuple(map(bundle.read, archs if arch is None else [exactly(arch)(container.where, archs)]))


def read_origin(source: Source) -> Origin | None:
    """Read how a bundle was built; None for modules, and for bundles that do not state it."""
    with open_source(source) as container:
        return read_bundle(container).origin if is_bundle(container) else None


OF_ARGUMENTS = (ArgumentTypeError, ArgumentOutOfRangeError, InvalidArgumentError, NameNotFoundError)

# Numbers in the code that the library is given, in whose place each process writes addresses of its own and the number
# of the kernel, which its failures are noted under. The first one is stated, and the others follow it.
TOKENS = ("pool", "roots", "kernel", "lock", "message", "arguments", "task", "part", "leave", "number", "random")

Item = TypeVar("Item")


class Passed(Record):
    """What launches of a kernel pass in addition to its arguments: memory for its return values, and gradients."""

    result: ResultLayout | None = None
    gradients: bool = False


class Plan:
    """A module to load: its statement and its files. `derive` makes the launch of a kernel that does not state it."""

    def __init__(
        self, where: str, info: ModuleInfo, files: Files, derive: Callable[[str], LaunchInfo] | None = None
    ) -> None:
        self.where = where  # the name of the module, for messages
        self.info = info
        self.files = files
        self.family = info.family
        # kernels, graphs: also those that only graphs and fields use; public: the kernels that users look up.
        self.kernels: Mapping[str, KernelInfo] = info.all_kernels
        self.public: Mapping[str, KernelInfo] = info.kernels
        self.graphs: Mapping[str, GraphInfo] = info.graphs
        self._derive = None if derive is None else cache(derive)

    def damaged(self, what: str, reason: str) -> CorruptedDataError:
        """Return the exception for a part that has another form than expected."""
        return CorruptedDataError(f"{self.where}: {PLAN}: {what} is damaged ({reason}): copy or build the module again")

    @property
    def has_library_files(self) -> bool:
        """Whether the C library can load the module; without, its own code makes all launches."""
        return bool(self.info.library.names)

    def read(self, what: str, make: Callable[[], Item]) -> Item:
        """Return a function's result for the plan; CorruptedDataError if what it states cannot be."""
        try:
            return make()
        except DAMAGE as error:
            # Whatever is wrong with an argument here was stated by the plan.
            if isinstance(error, TaichiError) and not isinstance(error, OF_ARGUMENTS):
                raise
            raise self.damaged(what, f"{type(error).__name__}: {error}"[:200]) from None

    def contents(self) -> ModuleInfo:
        """Return the statement, all of it decoded."""
        return self.read("its contents", self.info.whole)

    def launch(self, kernel: str) -> LaunchInfo:
        """Return the launch of a kernel, or why only the library makes it."""
        stated = self.kernels[kernel].launch
        if stated is None and self._derive is None:
            raise self.damaged(f"kernel {kernel!r}", "it states no launch")
        return stated or self._derive(kernel)  # type: ignore[misc]

    def runtime_struct(self) -> RuntimeStruct:
        """Return the struct of the runtime that its own code uses."""
        if self.info.runtime is None:
            raise self.damaged("runtime", "it is missing")
        return self.info.runtime

    def signature(self, name: str, *, is_graph: bool = False) -> Signature:
        return (self.graphs if is_graph else self.kernels)[name].signature

    def signatures(self, *, is_graph: bool = False) -> Mapping[str, Signature]:
        """Return the signatures of public kernels or graphs."""
        names = self.graphs if is_graph else self.public
        return MadeItems(names, lambda name: self.signature(name, is_graph=is_graph))

    def dispatches(self, graph: str) -> list[list[Parameter]]:
        """Return the parameters of each kernel that a graph dispatches, by the graph's names."""
        return self.read(
            f"graph {graph!r}",
            lambda: [
                [
                    parameter._replace(name=name)
                    for name, parameter in zip(names, self.signature(kernel).parameters, strict=True)
                ]
                for kernel, names in self.graphs[graph].dispatches
            ],
        )

    def layout(self, name: str) -> ResultLayout | None:
        """Return the layout of a kernel's return values; None if it has none, or they cannot be read."""
        result = self.kernels[name].result
        return None if result is None or result.stored is None else result

    def passed(self, name: str, *, has_code: bool) -> Passed:
        """Return what a kernel is passed; `has_code`: machine code or PTX is used where there is some."""
        library, layout, kernel = self.info.library, self.layout(name), self.kernels[name]
        can_pass = layout is not None or kernel.gradients
        has_own = has_code and can_pass and not self.launch(name).library
        result = layout if has_own or name in library.results else None
        return Passed(result, (has_own and kernel.gradients) or name in library.gradients)

    def dispatched(self, name: str, *, is_graph: bool = False) -> list[str]:
        """Return the kernels that a kernel or graph launches."""
        return [kernel for kernel, _ in self.graphs[name].dispatches] if is_graph else [name]

    def why_by_library(self, name: str, *, is_graph: bool = False) -> str:
        """Return why only the library can launch a kernel or graph; empty if the plan states its launches."""
        for kernel in self.dispatched(name, is_graph=is_graph):
            reason = "a gradient" if is_graph and self.kernels[kernel].gradients else self.launch(kernel).library
            if reason:
                return f"kernel {kernel}: {reason}" if is_graph else reason
        return ""

    def why_scalar(self, name: str, *, is_graph: bool) -> str:
        """Return why a loop of a kernel or graph, the first that has no vectors in machine code, has none; or ""."""
        tasks = [task for kernel in self.dispatched(name, is_graph=is_graph) for task in self.kernels[kernel].tasks]
        return next((task.loop for task in tasks if task.loop not in ("", VECTORS)), "")

    def library_files(self, names: Sequence[str] = (), *, has_code: bool = False) -> dict[str, bytes]:
        """Return files for the library, by default all, with tokens for addresses; `has_code`: of machine code with
        fields.
        """
        return self.read("its copy for the library", lambda: self._library_files(names, has_code=has_code))

    def _library_files(self, names: Sequence[str], *, has_code: bool) -> dict[str, bytes]:
        library = self.info.library
        own = {name: library.files.get(name, name) for name in names or library.names}
        files = self.files.read(list(own.values()))
        found = {name: files[file] for name, file in own.items()}
        for edits in (library.edits, library.roots)[: 1 + has_code]:
            for name in edits.keys() & found.keys():
                found[name] = edited(found[name], edits[name])
        return found

    def stated(self) -> dict[str, Any]:
        """Return what ``plan.json`` states, with an empty digest."""
        stated: dict[str, Any] = encode(Stated(PLAN_FORMAT, self.info, tuple(sorted(self.files)), ""))
        return stated


def edited(data: bytes, edits: Edits) -> bytes:
    """Return text with lines replaced; each edit has the first line, the one after the last, and the new ones."""
    lines = data.split(b"\n")
    for first, end, text in reversed(edits):
        lines[first:end] = [line.encode() for line in text]
    return b"\n".join(lines)


def parse_plan(source: SourceFiles) -> Plan:
    """Read the plan of a module; CorruptedDataError if it is damaged."""
    where, data = f"{source.where}: {PLAN}", source.contents[PLAN]

    def refused(error: Exception) -> CorruptedDataError:
        return CorruptedDataError(damaged(error).message(where))

    try:
        raw: Any = read_json(data)
        if b"\\u" in data:
            import json

            json.dumps(raw, ensure_ascii=False).encode()  # raises for half a surrogate pair, which no text has
        _require_format(where, part(raw, "plan", int), PLAN_FORMAT)
        stated = decode(Stated, raw)
        if isinstance(stated.module.all_kernels, Decoded):
            stated.module.all_kernels.damaged = lambda error: refused(error.within("kernels"))
        files = source.contents.only(stated.files)
        lost = next(iter(set(stated.files) - files.sizes.keys()), "")
        if lost:
            raise CorruptedDataError(
                f"{source.where}: {lost} is missing, which {PLAN} names: copy or build the module again"
            )
        if files.is_folder:
            check_files(source, stated.digest, files)
    except DAMAGE as error:
        if isinstance(error, TaichiError):
            raise
        raise refused(error) from None
    source.check_archs(list(map(str, stated.module.archs)))
    return Plan(source.where, stated.module, files)


def check_files(source: SourceFiles, digest: str, files: Files) -> None:
    """Raise CorruptedDataError if a plan, or one of the module's other files, is not as it was written."""
    text = source.contents[PLAN].replace(digest.encode(), b"", 1)
    if digest != plan_digest(text, files):
        raise CorruptedDataError(
            f"{source.where}: its files are not those that {PLAN} was made for: copy or build the module again"
        )


def plan_digest(text: bytes, files: Files) -> str:
    """Return SHA-256 of a plan, whose text has an empty one, and of the module's other files."""
    return code_digest(text + files.digest)


MANGLED = r"(.+)_c\d+_\d+"  # a graph's name of its instance of a kernel

# A number; a symbol of a dispatch, with its number; a scalar of the graph; a dimension of an array of the graph.
Node: TypeAlias = "int | tuple[int, str] | str | tuple[str, int]"


def inherit_shapes(info: ModuleInfo) -> ModuleInfo:
    """The module, with shapes for graphs that state none; ValueError if their kernels require different ones."""
    return info._replace(graphs={name: _with_shapes(graph, info) for name, graph in info.graphs.items()})


def _with_shapes(graph: GraphInfo, info: ModuleInfo) -> GraphInfo:
    if any(parameter.shape for parameter in graph.signature.parameters):
        return graph
    sets: dict[Node, list[Node]] = {}  # the nodes that are equal to a node, and itself
    for node, other in _equations(graph, info):
        first, second = (sets.setdefault(each, [each]) for each in (node, other))
        if first is not second:
            first += second
            sets |= dict.fromkeys(second, first)
    labels = _Labels(graph.signature, sets)
    parameters = tuple(labels.with_shape(parameter) for parameter in graph.signature.parameters)
    signature = graph.signature._replace(parameters=parameters)
    return graph._replace(signature=signature, inherits=signature != graph.signature)


def _equations(graph: GraphInfo, info: ModuleInfo) -> Iterator[tuple[Node, Node]]:
    """The pairs of nodes that are the same size."""
    for number, dispatch in enumerate(graph.dispatches):
        kernel = stated_kernel(dispatch.kernel, info)
        if kernel is None:
            continue
        argument_of = dict(zip((p.name for p in kernel.signature.parameters), dispatch.arguments, strict=True))
        for parameter in kernel.signature.parameters:
            for axis, size in enumerate(parameter.shape):
                own = argument_of.get(size, (number, size)) if isinstance(size, str) else size
                yield (argument_of[parameter.name], axis), own


def stated_kernel(name: str, info: ModuleInfo) -> KernelInfo | None:
    """Return the kernel; its shapes may be stated under its name outside the graph."""
    if name in info.kernels:
        return info.kernels[name]
    match = re.fullmatch(MANGLED, name)
    kernel = info.kernels.get(match[1]) if match else None
    return kernel if kernel is not None and same_types(kernel, info.all_kernels[name]) else None


class _Labels:
    """Numbers and symbols for the sets of a graph."""

    def __init__(self, signature: Signature, sets: Mapping[Node, list[Node]]) -> None:
        self._name = signature.name
        self._sets = sets
        self._taken = {parameter.name for parameter in signature.parameters}
        self._labels: dict[int, str | int] = {}  # by id of the set

    def with_shape(self, parameter: Parameter) -> Parameter:
        """The parameter with the shape that its dispatches state; they state all dimensions or none."""
        sets = [self._sets.get((parameter.name, axis), []) for axis in range(parameter.ndim)]
        if parameter.kind != "ndarray" or not all(sets):
            return parameter
        return parameter._replace(shape=tuple(self._label(parameter, nodes) for nodes in sets))

    def _label(self, parameter: Parameter, nodes: list[Node]) -> str | int:
        if id(nodes) not in self._labels:
            self._labels[id(nodes)] = self._new_label(parameter, nodes)
        return self._labels[id(nodes)]

    def _new_label(self, parameter: Parameter, nodes: list[Node]) -> str | int:
        numbers = sorted({node for node in nodes if isinstance(node, int)})
        if len(numbers) > 1:
            raise InvalidArgumentError(
                f"graph {self._name!r}: its kernels require {numbers[0]:,} and {numbers[1]:,} for a dimension of "
                f"{parameter.name!r}"
            )
        if numbers:
            return numbers[0]
        scalar = next((node for node in nodes if isinstance(node, str)), None)
        if scalar is not None:
            return scalar
        symbol = next(node[1] for node in nodes if isinstance(node, tuple) and isinstance(node[1], str))
        names = itertools.chain([symbol], (f"{symbol}{i}" for i in itertools.count(2)))
        label = next(name for name in names if name not in self._taken)
        self._taken.add(label)
        return label


def same_types(a: KernelInfo, b: KernelInfo) -> bool:
    """Whether the parameters of two kernels have the same types, in order."""
    return [p.type_name for p in a.signature.parameters] == [p.type_name for p in b.signature.parameters]

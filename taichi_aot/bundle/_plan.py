"""``plan.json``: what a module states, and everything that launches of its kernels need.

`taichi_aot.build` writes it beside Taichi's own files. For modules with only those, `taichi_aot.adopt` makes the
same. Loading a module parses it once; a kernel of it is decoded when it is looked up.

What stands in it is trusted like the code beside it (SECURITY.md), as far as this process is concerned: an offset may
be wrong, but nothing here or in C follows one out of bounds, and what has another form is CorruptedDataError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from ..values._errors import (
    ArgumentOutOfRangeError,
    ArgumentTypeError,
    CorruptedDataError,
    IncompatibleModuleError,
    InvalidArgumentError,
    NameNotFoundError,
    TaichiError,
)
from ..values._items import MadeItems
from ..values._signature import Parameter, Signature
from ._codec import DAMAGE, Decoded, Record, damaged, decode, encode, part, read_json
from ._info import VECTORS, Edits, GraphInfo, KernelInfo, LaunchInfo, ModuleInfo, ResultLayout, RuntimeStruct, Stated
from ._source import PLAN, Files, SourceFiles, code_digest

FORMAT = 2
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
        stated: dict[str, Any] = encode(Stated(FORMAT, self.info, tuple(sorted(self.files)), ""))
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
        number = part(raw, "plan", int)
        if number != FORMAT:
            remedy = "upgrade taichi_aot" if number > FORMAT else "build it again"
            raise IncompatibleModuleError(
                f"{where} has the format {number}, and this version of the package reads {FORMAT}: {remedy}"
            )
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
    if digest != digest_of(text, files):
        raise CorruptedDataError(
            f"{source.where}: its files are not those that {PLAN} was made for: copy or build the module again"
        )


def digest_of(text: bytes, files: Files) -> str:
    """Return SHA-256 of a plan, whose text has an empty one, and of the module's other files."""
    return code_digest(text + files.digest)

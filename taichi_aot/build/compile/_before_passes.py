"""The code of CPU kernels before the compiler's passes, which it writes to files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

from ...driver._temporary import temporary_folder
from .._taichi import BUILDER, CORE, IMPL

__all__ = ["Collector"]

OPTIONS = ("print_kernel_llvm_ir", "print_struct_llvm_ir")
KERNELS, STRUCTS = "taichi_kernel_generic_llvm_ir_*.ll", "taichi_struct_llvm_ir_*.ll"
TASK = re.compile(rb'^define void @(?:([\w.$-]+)|"([^"\n]*)")\(', re.M)  # a file has one
ESCAPED = re.compile(rb"\\([0-9A-F]{2})")  # a byte of a name in quotation marks
COMPILING = ("add", "add_graph", "add_field", "dump")  # methods of the compiler's object for modules
LEVELS = ("trace", "debug", "info", "warn", "error", "critical")


class Collector:
    """Collects the code of all kernels and fields that the compiler compiles in this process.

    The compiler writes files to the current folder, so it is in a folder of its own while it compiles. It has to
    compile on one thread: files of two might have the same name.

    Attributes
    ----------
    tasks : dict of str to bytes
        The code of each task by its name, unless two have the same name.
    structs : dict of str to bytes
        Code that finds the members of fields.
    """

    def __init__(self) -> None:
        self.tasks: dict[str, bytes] = {}
        self.structs: dict[str, bytes] = {}
        self._ambiguous: set[str] = set()

    def replace(self) -> None:
        """Replace the functions of Taichi that compile."""
        for name in COMPILING:
            setattr(CORE.AotModuleBuilder, name, self._collecting(getattr(CORE.AotModuleBuilder, name)))
        fields = BUILDER.FieldsBuilder
        fields._finalize_for_aot = self._collecting(fields._finalize_for_aot)

    def _collecting(self, function: Callable[..., Any]) -> Any:
        @wraps(function)
        def collect(*arguments: Any, **named: Any) -> Any:
            with temporary_folder() as folder:
                with _written(folder):
                    made = function(*arguments, **named)
                self._read(folder)
            return made

        return collect

    def _read(self, folder: Path) -> None:
        for path in sorted(folder.glob(KERNELS)):
            code = path.read_bytes()
            names = [plain or ESCAPED.sub(_byte, quoted) for plain, quoted in TASK.findall(code)]
            for name in map(bytes.decode, names):
                if len(names) != 1 or self.tasks.setdefault(name, code) != code:
                    self._ambiguous.add(name)
        for name in self._ambiguous:
            self.tasks.pop(name, None)
        self.structs |= {str(len(self.structs)): path.read_bytes() for path in sorted(folder.glob(STRUCTS))}


@contextmanager
def _written(folder: Path) -> Generator[None]:
    """Let the compiler write to a folder what it compiles, without a message for each file."""
    config = IMPL.current_cfg()
    own = {name: getattr(config, name) for name in OPTIONS}
    level = next((each for each in LEVELS if CORE.logging_effective(each)), LEVELS[-1])
    here = os.getcwd()
    os.chdir(folder)
    try:
        for name in OPTIONS:
            setattr(config, name, True)
        if LEVELS.index(level) < LEVELS.index("warn"):
            CORE.set_logging_level("warn")
        yield
    finally:
        for name, value in own.items():
            setattr(config, name, value)
        CORE.set_logging_level(level)
        os.chdir(here)


def _byte(match: re.Match[bytes]) -> bytes:
    return bytes([int(match[1], 16)])

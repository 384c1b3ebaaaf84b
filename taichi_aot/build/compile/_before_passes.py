"""The code of CPU kernels before the compiler's passes, which it writes to files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ...driver._host import temporary_folder
from .._archs import CORE, IMPL

OPTION, FILES = "print_kernel_llvm_ir", "*_kernel_generic_llvm_ir_*.ll"
TASK = re.compile(rb'^define void @(?:([\w.$-]+)|"([^"\n]*)")\(', re.M)  # a file has one
ESCAPED = re.compile(rb"\\([0-9A-F]{2})")  # a byte of a name in quotation marks
COMPILING = ("add", "add_graph", "add_field", "dump")  # methods of the compiler's object for modules
LEVELS = ("trace", "debug", "info", "warn", "error", "critical")


class Collector:
    """Collects the code of kernels that the compiler compiles.

    The compiler writes files to the current folder, so it is in a folder of its own while it compiles. If it compiles
    on several threads, two tasks of a kernel may write to one file, which then lacks the name of one.
    """

    def __init__(self) -> None:
        self.tasks: dict[str, bytes] = {}  # the code of each task by its name, unless two have the same name
        self._ambiguous: set[str] = set()

    def collecting(self, builder: Any) -> Any:
        """Return an object with the methods of the compiler's module object, which collects compiled kernels."""
        return SimpleNamespace(**{name: self._collecting(getattr(builder, name)) for name in COMPILING})

    def _collecting(self, method: Callable[..., Any]) -> Any:
        def collect(*arguments: Any) -> Any:
            with temporary_folder() as folder:
                with _written(folder):
                    made = method(*arguments)
                self.read(folder)
            return made

        return collect

    def read(self, folder: Path) -> None:
        """Collect what the compiler has written to a folder."""
        for path in sorted(folder.glob(FILES)):
            code = path.read_bytes()
            names = [
                plain or ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), quoted)
                for plain, quoted in TASK.findall(code)
            ]
            for name in map(bytes.decode, names):
                if len(names) != 1 or self.tasks.setdefault(name, code) != code:
                    self._ambiguous.add(name)
        for name in self._ambiguous:
            self.tasks.pop(name, None)


@contextmanager
def _written(folder: Path) -> Generator[None]:
    """Make the compiler write its output to a folder, without a message for each file."""
    config = IMPL.current_cfg()
    own = getattr(config, OPTION)
    level = next((each for each in LEVELS if CORE.logging_effective(each)), LEVELS[-1])
    here = os.getcwd()
    os.chdir(folder)
    try:
        setattr(config, OPTION, True)
        if LEVELS.index(level) < LEVELS.index("warn"):
            CORE.set_logging_level("warn")
        yield
    finally:
        setattr(config, OPTION, own)
        CORE.set_logging_level(level)
        os.chdir(here)

"""Arguments of `build` and `Module`, checked, and the exceptions of builds."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from ..adopt.taichi._native import CAPABILITY
from ..driver._gpus import count_cuda_devices, cuda_attributes, why_no_cuda
from ..values._errors import short
from ..values._items import did_you_mean
from ..values._numbers import Arch, ArchName, Capability, as_integer
from ._archs import CudaDevice
from ._processes import Kept


class BuildError(RuntimeError):
    """The source cannot be compiled. The message begins with the kernel, file and line, and states the remedy if known.

    Errors of only some of the archs begin with these archs.

    Examples
    --------
    >>> build("broken.py", "broken.tib")                                # doctest: +SKIP
    Traceback (most recent call last):
    taichi_aot.build.BuildError: kernel saxpy (broken.py, line 6): Name "z" is not defined here: import it, or ...
        y[i] = a * z[i]
                   ^
    """

    __module__ = "taichi_aot.build"  # tracebacks name the public place
    lacking = ""  # why an arch is left out that nobody names, if its devices may lack a type of numbers


class SourceError(BuildError):
    """An error at a line of the source, in what is compiled (``"kernel fill"``), with code and callers below."""

    def __init__(self, kernel: str, place: str, reason: str, lines: Sequence[str] = ()) -> None:
        where = f"{kernel} ({place})" if kernel else place
        super().__init__("\n".join([f"{where}: {reason}", *lines]))
        self.place = place  # file and line
        self.reason = reason  # the reason, with the remedy


class LackingError(BuildError):
    """Devices of an arch may lack a type of numbers."""

    def __init__(self, message: str, lacking: str) -> None:
        super().__init__(message)
        self.lacking = lacking


class CrashError(BuildError):
    """A child process has crashed."""


class LayoutError(BuildError):
    """The arch has no memory for fields laid out like this; this prevents compiling kernels that use them."""


class UnavailableError(BuildError):
    """This machine cannot compile for an arch, or for any arch."""


class UnplacedError(BuildError):
    """Fields are not placed in memory; this prevents compiling any kernel."""


# Arguments of `build` and `Module`, checked.


NATIVE_CUBINS = "native"
MAJOR, MINOR = 75, 76  # of CUdevice_attribute: the capability of a device
Math: TypeAlias = Literal["exact", "default", "fast"]
OptionForm: TypeAlias = Literal["argument", "flag", "key"]  # of Python, the command line, pyproject.toml
Kind: TypeAlias = Literal[
    "shapes",
    "assert",
    "debug",
    "gradient",
    "print",
    "infinity",
    "accessors",
    "functions",
    "compiler",
    "contents",
    "vectors",
]  # of warnings and notes

KINDS: tuple[Kind, ...] = get_args(Kind)
MATHS: tuple[Math, ...] = get_args(Math)

SOURCE_VARIABLE = "TAICHI_AOT_BUILD_SOURCE"  # names the source to its child, and to processes that the source starts
MAX_CPU_THREADS = 1024
SPIRV_VERSION = "spirv_version"
TAICHI_SPIRV_VERSIONS = ("66304", "66560", "66816")
DEFAULT_SPIRV = "1.3"
TAICHI_VERSION = "1.7.4"

# How messages name an option with a value: as the caller writes it.
OPTIONS: dict[str, dict[OptionForm, str]] = {
    "archs": {"argument": "archs=[{names}]", "flag": "--arch {words}", "key": "archs = [{names}]"},
    "caps": {"argument": "caps=[{names}]", "flag": "--caps {words}", "key": "caps = {{ {keys} }}"},
    "others": {  # than those that SPIR-V is for
        "argument": "build for x64 and cuda only",
        "flag": "build with --arch x64,cuda",
        "key": 'build with archs = ["x64", "cuda"]',
    },
    "all": {"argument": "all_kernels=True", "flag": "--all", "key": "all = true"},
    "no-native": {"argument": "native=False", "flag": "--no-native", "key": "native = false"},
    "cubins": {"argument": "cubins", "flag": "--cubins", "key": "cubins"},
    "exact": {"argument": "math='exact'", "flag": "--math exact", "key": 'math = "exact"'},
    "debug": {"argument": "debug=True", "flag": "--debug", "key": "debug = true"},
    "timeout": {"argument": "timeout", "flag": "--timeout", "key": "taichi-aot build --timeout"},
}


class Options(NamedTuple):
    """The arguments of `build`, checked."""

    source: str  # the absolute path of a file, or the name of a module
    path: Path
    python: Path | None = None
    archs: Sequence[Arch] = ()
    are_required: bool = True  # the archs, if the caller names them
    cpu_threads: int | None = None
    caps: tuple[str, ...] = ()  # in the compiler's form, of `read_caps`
    cuda_device: CudaDevice | None = None
    native: bool | None = None
    math: Math = "default"
    cubins: tuple[str, ...] = ()
    timeout: float = 0.0
    all_kernels: bool = False
    debug: bool = False
    verbose: bool = False
    kept: Kept | None = None


_form: ContextVar[OptionForm] = ContextVar("form", default="argument")


@contextmanager
def written_as(form: OptionForm) -> Generator[None]:
    """Let messages name options in the form of the caller in the block."""
    token = _form.set(form)
    try:
        yield
    finally:
        _form.reset(token)


def option_form() -> OptionForm:
    return _form.get()


def option(name: str, *values: str) -> str:
    """Return an option with its values as the caller writes it, such as ``--arch x64,cuda`` or ``archs=["x64"]``."""
    names = ", ".join(f'"{each}"' for each in values)
    keys = ", ".join(f"{each} = true" for each in values)
    return OPTIONS[name][_form.get()].format(names=names, words=",".join(values), keys=keys)


def _require_sequence(name: str, value: object, what: str = "a sequence") -> None:
    if isinstance(value, str):
        raise TypeError(f"{name} is {what}, not a string: [{short(value)}]")


def read_archs(archs: Sequence[Arch | ArchName]) -> tuple[Arch, ...]:
    _require_sequence("archs", archs)
    found = tuple(dict.fromkeys(map(Arch, archs)))
    if not found:
        raise ValueError("archs is empty: name at least one, or leave it out")
    return found


def read_threads(threads: int) -> int:
    number = as_integer(threads, "cpu_threads")
    if not 1 <= number <= MAX_CPU_THREADS:
        raise ValueError(f"cpu_threads is 1 to {MAX_CPU_THREADS}, not {number}")
    return number


def read_caps(caps: Mapping[str, Any] | Sequence[str] | None) -> tuple[str, ...]:
    """Return the capabilities in the compiler's form, ``name=number``."""
    _require_sequence("caps", caps, "a mapping or a sequence")
    if caps is None or not isinstance(caps, Mapping):
        pairs = [each.partition("=") for each in caps or ()]
        caps = {name: value or True for name, _, value in pairs}
    known = [capability.name.lower() for capability in Capability]
    found = {SPIRV_VERSION: _spirv_version(DEFAULT_SPIRV)}
    for name, value in caps.items():
        if name not in known:
            hint = did_you_mean(name, known)
            raise ValueError(f"unknown capability {short(name)}; the capabilities are {', '.join(known)}{hint}")
        if name == SPIRV_VERSION:
            found[name] = _spirv_version(value)
        elif value in (True, "1", "true"):
            found[name] = 1
        elif value not in (False, "0", "false"):
            raise ValueError(f"{name} is a capability that a device has or lacks, not {short(value)}")
    return tuple(f"{name}={value}" for name, value in found.items())


def read_cubins(cubins: Sequence[str], archs: Sequence[Arch], native: bool | None) -> tuple[str, ...]:
    """Return the capabilities of devices for which kernels get cubins, in order."""
    _require_sequence("cubins", cubins)
    found = tuple(sorted({each for name in cubins for each in (_native_cubins() if name == NATIVE_CUBINS else [name])}))
    for each in found:
        if not isinstance(each, str) or not CAPABILITY.fullmatch(each):
            raise ValueError(f"cubins are for 'native' and capabilities such as 'sm_90', not {short(each)}")
    if found and Arch.CUDA not in archs:
        raise ValueError(f"cubins are for cuda, which {option('archs', *map(str, archs))} leaves out")
    if found and native is False:
        raise ValueError(f"cubins are made of PTX, which {option('no-native')} leaves out")
    return found


def _native_cubins() -> list[str]:
    """Return the capabilities of this machine's CUDA devices."""
    devices = range(count_cuda_devices(None))
    if not devices:
        raise ValueError(f"cubins for 'native' need a CUDA device here: {why_no_cuda()}")
    return ["sm_{}{}".format(*cuda_attributes(MAJOR, MINOR, device_index=index)) for index in devices]


def read_math(math: str) -> Math:
    """Return what machine code may do with floats; ValueError if it is not one of the values of the option."""
    for each in MATHS:
        if math == each:
            return each
    raise ValueError(f"math is {', '.join(MATHS)}, not {short(math)}")


def read_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    """Return the ends of warnings of these kinds."""
    _require_sequence("ignore", kinds)
    for kind in kinds:
        if kind not in KINDS:
            hint = did_you_mean(kind, KINDS)
            raise ValueError(f"unknown kind of warnings {short(kind)}; the kinds are {', '.join(KINDS)}{hint}")
    return tuple(f" [{kind}]" for kind in kinds)


def _spirv_version(value: object) -> int:
    """Convert ``"1.5"`` to SPIR-V's number, 0x10500; the compiler would read the text as the number 1."""
    if value in TAICHI_SPIRV_VERSIONS:  # of ti.DeviceCapability
        return int(value)
    match = re.fullmatch(r"1\.([0-6])", str(value))
    if not match:
        raise ValueError(f"spirv_version is 1.0 to 1.6, not {short(value)}")
    return 0x10000 | int(match[1]) << 8


def require_outermost(refusal: str) -> None:
    """Raise if the source of a build makes the call, which would happen in each child again."""
    source = os.environ.get(SOURCE_VARIABLE)
    if source is not None:
        raise BuildError(
            f"{refusal}: this runs while {os.path.basename(source)} is imported to be built. "
            'Put the call under `if __name__ == "__main__":`'
        )


def require_folder(path: Path) -> None:
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"there is no folder {path.absolute().parent} to write {path.name} to")


def require_taichi() -> None:
    if importlib.util.find_spec("taichi") is None:
        raise UnavailableError(f"the build needs the compiler: pip install taichi=={TAICHI_VERSION}")

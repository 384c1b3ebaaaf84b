"""PTX for the kernels of a CUDA module, and cubins for named devices: their compilation, and the module's statement.

Child processes compile PTX: the C library compiles a kernel's LLVM IR when it is fetched, and passes the PTX to the
driver. The driver that `_archs` describes hands it on, and runs nothing. NVIDIA's assembler, ``ptxas``, checks PTX and
makes cubins of it. The package does not have it: it is taken from the wheel `PACKAGE`, or else from PATH.
"""

from __future__ import annotations

import base64
import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ...adopt._module import ParsedModule
from ...adopt.llvm._copy import lowered_metadata, native_arguments
from ...adopt.llvm._module import LlvmContents
from ...adopt.taichi._native import BuiltPtx, PtxTask, cubin_name, entries, ptx_name
from ...adopt.taichi._plans import UnplannedError
from ...bundle._files import CODE_SUFFIX, LLVM_GRAPHS, LLVM_METADATA
from ...driver._child import Child, Ending, answer, report
from ...driver._host import temporary_folder
from ...driver._library import library_path
from ...values._errors import LibraryNotFoundError
from ...values._numbers import Arch
from ...values._signature import Words
from .._archs import CudaDevice, cuda_environment, load_cuda_driver, why_no_cuda_driver
from .._options import BuildError, UnavailableError
from ..compile._children import cores, plain_environment, run_all
from ._cuda_loops import arrays_of, as_compiled, with_fast_loops
from ._native import CUDA_CODE, code_of, needs_of_module, with_shared

# The assembler.


PACKAGE = "nvidia-cuda-nvcc-cu12"
FOLDER = "nvidia.cuda_nvcc"  # of the wheel
PTXAS = "ptxas"
SOURCE, CUBIN = "kernel.ptx", "kernel.cubin"
LONGEST_REASON = 200


def find_assembler() -> str:
    """Return the path of the assembler; empty if this machine has none."""
    try:
        spec = importlib.util.find_spec(FOLDER)
    except ModuleNotFoundError:
        spec = None
    folders = (spec.submodule_search_locations if spec is not None else None) or ()
    for folder in folders:
        if found := shutil.which(PTXAS, path=str(Path(folder, "bin"))):
            return found
    return shutil.which(PTXAS) or ""


def require_assembler() -> str:
    """Return the path of the assembler; raise UnavailableError if this machine has none."""
    found = find_assembler()
    if not found:
        raise UnavailableError(
            f"cubins need NVIDIA's assembler, {PTXAS}: pip install {PACKAGE}, or put its folder in PATH"
        )
    return found


def assemble(
    assembler: str, kernels: Mapping[str, str], capability: str, timeout: float
) -> tuple[dict[str, bytes], dict[str, str]]:
    """Assemble the PTX of kernels for a capability of devices, such as ``"sm_90"``, each for at most `timeout` seconds.

    Return the cubins by kernel, and the reasons of kernels that have none: clauses whose subject is the kernel.
    """

    def run(ptx: str) -> bytes | str:
        return _assemble(assembler, ptx, capability, timeout)

    with ThreadPoolExecutor(max_workers=cores()) as pool:
        made = dict(zip(kernels, pool.map(run, kernels.values()), strict=True))
    return (
        {name: each for name, each in made.items() if isinstance(each, bytes)},
        {name: each for name, each in made.items() if isinstance(each, str)},
    )


def _assemble(assembler: str, ptx: str, capability: str, timeout: float) -> bytes | str:
    """Make the cubin, or say why there is none."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / SOURCE).write_text(ptx, encoding="utf-8")
        command = [assembler, f"-arch={capability}", "-o", CUBIN, SOURCE]
        try:
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False
            )
            if done.returncode == 0:
                return (folder / CUBIN).read_bytes()
        except subprocess.TimeoutExpired:
            return f"times out in {PTXAS} for {capability}, after {timeout:g} s"
        except OSError as error:
            return f"cannot be assembled by {PTXAS} for {capability}: {error.strerror}"
        if done.returncode < 0:
            return f"crashes {PTXAS} for {capability} (signal {-done.returncode})"
        text = (done.stderr + done.stdout).decode(errors="replace")
        return f"is refused by {PTXAS} for {capability}: {first_line(text).strip()}"


def first_line(text: str) -> str:
    """Return the first line of a message."""
    return (text.strip().splitlines() or ["no reason is stated"])[0].replace("\0", "")[:LONGEST_REASON]


# The child processes.


RECEIVER = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
MESSAGE_BYTES = 4096


class Request(NamedTuple):
    """A request to a child process."""

    metadata: Mapping[str, str]  # the files of the module that describe its kernels, in base 64
    code: Mapping[str, str]  # LLVM IR by kernel


def compile_ptx(values: Sequence[Any]) -> NoReturn:
    """Compile kernels for a `Request`, answer with their PTX by kernel, and end the process.

    Each kernel is reported before it is compiled: the compiler may crash or hang.
    """
    answer(_compile_here(Request(*values)))
    sys.stderr.flush()
    os._exit(0)  # the system cleans up all that the library would


def _compile_here(request: Request) -> dict[str, Any]:
    received: list[bytes] = []
    receiver = RECEIVER(received.append)
    load_cuda_driver().taichi_aot_receive_ptx(receiver)
    try:
        library = _Library(library_path())
    except LibraryNotFoundError:
        return {"unavailable": "needs the C library of Taichi"}
    with temporary_folder() as folder:
        for name, data in request.metadata.items():
            (folder / name).write_bytes(base64.b64decode(data))
        for kernel, code in request.code.items():
            (folder / f"{kernel}{CODE_SUFFIX}").write_text(code, encoding="utf-8")
        module = library.load_module(folder)
        compiled: dict[str, str] = {}
        refused: dict[str, str] = {}
        for kernel in request.code:
            report(kernel)
            received.clear()
            try:
                library.fetch_kernel(module, kernel)
            except BuildError as reason:
                refused[kernel] = str(reason)
                continue
            (compiled[kernel],) = (ptx.decode() for ptx in received)
    return {"ptx": compiled, "refused": refused}


class _Library:
    """The C library, without the package's runtimes: those would change the IR, and ask the driver for a device."""

    def __init__(self, path: str) -> None:
        self._c = ctypes.CDLL(path)
        self._c.ti_create_runtime.restype = ctypes.c_void_p
        self._c.ti_load_aot_module.restype = self._c.ti_get_aot_module_kernel.restype = ctypes.c_void_p
        self._runtime = self._made(self._c.ti_create_runtime(int(Arch.CUDA), 0))

    def load_module(self, folder: Path) -> ctypes.c_void_p:
        return self._made(self._c.ti_load_aot_module(self._runtime, os.fsencode(folder)))

    def fetch_kernel(self, module: ctypes.c_void_p, kernel: str) -> None:
        self._made(self._c.ti_get_aot_module_kernel(module, kernel.encode()))

    def _made(self, handle: int | None) -> ctypes.c_void_p:
        """Return a handle that the library has made, or raise its error."""
        if handle:
            return ctypes.c_void_p(handle)
        size = ctypes.c_uint64(MESSAGE_BYTES)
        message = ctypes.create_string_buffer(MESSAGE_BYTES)
        self._c.ti_get_last_error(ctypes.byref(size), message)
        raise BuildError(message.value.decode(errors="replace"))


# The module.


BATCH = 64  # kernels that a process compiles; the bytes do not depend on it
COMPILER = "the compiler of PTX"  # in messages
MOST_FAILURES = 4  # of a batch, which may each take as long as the time limit
OTHER_FUNCTIONS = f"has other functions in the PTX of {COMPILER} than its tasks"
# Devices of this capability and newer ones load the PTX. From it on, the compiler generates the same code.
LOWEST_CAPABILITY = 70
CHECKED_CAPABILITY = 75  # assemblers of CUDA 13 know none below


def why_no_ptx(native: bool | None) -> str:
    """Return why modules get no PTX, a clause whose subject it is; empty if they do.

    `native` is the option of `build`. Raise UnavailableError if it is required, and cannot be had here.
    """
    if native is False:
        return "is built with native=False"
    reason = f"cannot be compiled here: {why_no_cuda_driver()}" if why_no_cuda_driver() else ""
    if reason and native:
        raise UnavailableError(f"cuda: PTX {reason}")
    return reason


def with_ptx(
    module: ParsedModule,
    timeout: float,
    show: Callable[[int], object] | None = None,
    *,
    device: CudaDevice | None = None,
    cubins: Sequence[str] = (),
) -> ParsedModule:
    """Compile the PTX of a CUDA module, in child processes with a time limit; other modules stay as they are.

    `show` is called with the number of kernels that have been compiled, in the calling thread. `device` is the one for
    which the module was compiled. `cubins` are the capabilities of devices for which it gets cubins, too, such as
    ``"sm_90"``. BuildError if the assembler makes none of the cubins for a device, UnavailableError if the machine
    lacks the C library.
    """
    if module.info.archs != (Arch.CUDA,):
        return module
    found, refused = needs_of_module(module, CUDA_CODE)
    capability = min(LOWEST_CAPABILITY, (device or CudaDevice()).capability)
    made = {name: _with_fast_loops(module, name, is_known=capability >= LOWEST_CAPABILITY) for name in found}
    texts, failed = _compile(module, {name: code for name, (code, _) in made.items()}, capability, timeout, show)
    changed = [name for name in failed if made[name][0] != code_of(module, name)]
    if changed:  # what the compiler wrote may do
        made |= {name: _with_fast_loops(module, name, is_known=False) for name in changed}
        more, again = _compile(module, {name: made[name][0] for name in changed}, capability, timeout, None)
        texts |= more
        failed = {name: reason for name, reason in failed.items() if name not in changed} | again
    names = {name: [found[name].tasks[task.number] for task in tasks] for name, (_, tasks) in made.items()}
    functions = {name: _functions(text, names[name]) for name, text in texts.items()}
    failed |= {name: OTHER_FUNCTIONS for name, own in functions.items() if not own}
    assembled, not_assembled = _assembled(texts, cubins, timeout)
    refused = with_shared(module, {**refused, **failed, **not_assembled}, CUDA_CODE)
    found = {name: kernel for name, kernel in found.items() if name not in refused}
    images = {ptx_name(name): texts[name].encode() for name in found}
    images |= {cubin_name(name, each): assembled[each][name] for each in cubins for name in found}
    ptx = BuiltPtx(
        {name: kernel._replace(tasks=functions[name]) for name, kernel in found.items()},
        {name: made[name][1] for name in found},
        refused,
        tuple(cubins),
        images,
    )
    return module._replace(ptx=ptx)


def _with_fast_loops(module: ParsedModule, name: str, *, is_known: bool) -> tuple[bytes, tuple[PtxTask, ...]]:
    """Return a kernel's code and launched tasks, with faster loops if the device is known to run them."""
    assert isinstance(module.stated, LlvmContents)
    code, info = code_of(module, name), module.info.all_kernels[name]
    if not is_known:
        return code, as_compiled(code, info.tasks)
    struct = next(kernel.stated.layout.struct for kernel in module.stated.kernels if kernel.key == name)
    parameters = info.signature.parameters
    try:
        arguments = native_arguments(parameters, struct)
    except UnplannedError:  # of argument packs, whose members it does not find
        return code, as_compiled(code, info.tasks)
    return with_fast_loops(code, info.tasks, arrays_of(arguments, parameters))


def _functions(ptx: str, tasks: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the functions of the tasks; empty if they are others.

    In PTX, other characters replace those that are not ASCII.
    """
    found = entries(ptx.encode())
    if set(found) == set(tasks):
        return tuple(tasks)
    if len(found) != len(tasks) or all(map(str.isascii, tasks)):
        return ()
    return tuple(found)  # which are in the order of the tasks


def _compile(
    module: ParsedModule,
    given: Mapping[str, bytes],
    capability: int,
    timeout: float,
    show: Callable[[int], object] | None,
) -> tuple[dict[str, str], dict[str, str]]:
    """Compile kernels; return PTX by name as `given` code, and the reasons of those that have none.

    One of several equal ones is compiled. A process that fails is run again without the kernel at which it did.
    """
    code = {name: each.decode() for name, each in given.items()}
    first: dict[str, str] = {}
    for name, text in code.items():
        first.setdefault(text, name)
    assert isinstance(module.stated, LlvmContents)
    files = {  # whose trees of fields have all numbers from 0 on
        LLVM_METADATA: lowered_metadata(module.files[LLVM_METADATA], module.stated.fields, [], {}, {}, {}, Words.NONE),
        LLVM_GRAPHS: module.files[LLVM_GRAPHS],
    }
    metadata = {name: base64.b64encode(data).decode() for name, data in files.items()}
    variables = plain_environment(cuda_environment(CudaDevice(capability=capability)))
    ptx: dict[str, str] = {}
    refused: dict[str, str] = {}
    names = list(first.values())
    batches = [names[i : i + BATCH] for i in range(0, len(names), BATCH)]
    ends: list[int] = []

    def show_batches(done: int) -> None:
        if show is not None:
            show(ends[done])

    for _ in range(MOST_FAILURES):
        tried = [_Try(Request(metadata, {name: code[name] for name in batch})) for batch in batches]
        children = [
            Child(compile_ptx, each.request, timeout, environment=variables, on_report=each.begin) for each in tried
        ]
        ends = list(accumulate(map(len, batches), initial=len(ptx) + len(refused)))
        endings = run_all(children, show_batches)
        pairs = zip(tried, endings, strict=True)
        batches = [rest for each, ending in pairs if (rest := each.take(ending, ptx, refused))]
    reason = f"was not tried, because {COMPILER} failed {MOST_FAILURES} times before"
    refused |= {name: reason for batch in batches for name in batch}
    of = {name: first[text] for name, text in code.items()}
    return (
        {name: ptx[own] for name, own in of.items() if own in ptx},
        {name: refused[own] for name, own in of.items() if own in refused},
    )


class _Try:
    """A child's request, and the kernel that the child compiles."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self._kernel = ""

    def begin(self, kernel: str) -> None:
        self._kernel = kernel

    def take(self, ending: Ending, ptx: dict[str, str], refused: dict[str, str]) -> list[str]:
        """Add what the child has compiled, and the reasons of kernels that have no PTX; return the rest."""
        names = list(self.request.code)
        if ending.how == "answered":
            if "unavailable" in ending.answer:
                raise UnavailableError(ending.answer["unavailable"])
            ptx |= ending.answer["ptx"]
            for name, reason in ending.answer["refused"].items():
                refused[name] = f"is refused by {COMPILER}: {first_line(reason)}"
            return []
        failed = [self._kernel] if self._kernel in names else names  # all: it failed before the first one
        how = "times out" if ending.how == "timed out" else "crashes"
        refused |= dict.fromkeys(failed, f"{how} in {COMPILER}: {first_line(ending.message)}")
        return [name for name in names if name not in failed]


def _assembled(
    texts: Mapping[str, str], cubins: Sequence[str], timeout: float
) -> tuple[dict[str, dict[str, bytes]], dict[str, str]]:
    """Return the cubins by capability and kernel, and the reasons of kernels that lack one.

    Without any, an assembler that is here checks the PTX.
    """
    assembler = find_assembler()
    made: dict[str, dict[str, bytes]] = {}
    refused: dict[str, str] = {}
    if not assembler:
        return made, refused
    for capability in cubins or (f"sm_{CHECKED_CAPABILITY}",):
        made[capability], others = assemble(assembler, texts, capability, timeout)
        if cubins and texts and not made[capability]:
            raise BuildError(f"cuda: no kernel has a cubin: kernel {min(others)!r} {others[min(others)]}")
        refused = others | refused
    return made, refused

"""PTX for the kernels of a CUDA module, and cubins for named devices: who compiles them, and what the module states."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence

from ..formats._files import LLVM_GRAPHS, LLVM_METADATA
from ..formats._llvm import LlvmModule
from ..formats._parse import ParsedModule
from ..formats._ptx import USED_MEMBERS, PtxKernel, PtxModule, cubin_name, entries, ptx_name, verify
from ..formats._stated import code_digest, state_ir
from ..lowering._llvm_metadata import lowered_metadata
from ..lowering.plans._llvm_loops import KernelCode
from ..values._enums import Arch
from ..values._signature import Words
from ._children import call_each
from ._cuda import CudaDevice, environment, why_no_driver
from ._errors import BuildError, UnavailableError
from ._native import TEMPORARIES, code_of
from ._native_needs import CUDA_CODE, needs_of_module
from ._ptx_code import Request, compile_ptx
from ._ptxas import assemble, find_assembler
from ._runtime_struct import runtime_layout

__all__ = ["why_no_ptx", "with_ptx"]

BATCH = 64  # kernels that a process compiles; the bytes do not depend on it
COMPILER = "cuda: the compiler of PTX"  # in messages
# Devices of this capability and newer ones load the PTX. From it on, the compiler generates the same code.
LOWEST_CAPABILITY = 70
CHECKED_CAPABILITY = 75  # assemblers of CUDA 13 know none below


def why_no_ptx(native: bool | None) -> str:
    """Return why modules get no PTX, a clause whose subject it is; empty if they do.

    `native` is the option of `build`.

    Raises
    ------
    UnavailableError
        If it is required, and cannot be had here.
    """
    if native is False:
        return "is built with native=False"
    reason = f"cannot be compiled here: {why_no_driver()}" if why_no_driver() else ""
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

    Parameters
    ----------
    module : ParsedModule
        The module, which is not changed.
    timeout : float
        Limit for each process in seconds.
    show : callable, optional
        Called with the number of kernels that have been compiled, in the calling thread.
    device : CudaDevice, optional
        The device for which the module was compiled.
    cubins : sequence of str, optional
        The capabilities of devices for which it gets cubins, too, such as ``"sm_90"``.

    Raises
    ------
    BuildError
        If a process fails, or the assembler refuses a kernel.
    UnavailableError
        If the machine lacks the C library.
    """
    if module.info.archs != (Arch.CUDA,):
        return module
    assert isinstance(module.stated, LlvmModule)
    found, refused = needs_of_module(module, CUDA_CODE)
    tasks = {each.key: [task.info.name for task in each.stated.tasks] for each in module.stated.kernels}
    capability = min(LOWEST_CAPABILITY, (device or CudaDevice()).capability)
    texts = _compile(module, found, capability, timeout, show)
    images = {ptx_name(name): text.encode() for name, text in texts.items()}
    for each, name, cubin in _assembled(texts, cubins, timeout):
        images[cubin_name(name, each)] = cubin
    ptx = PtxModule(
        *runtime_layout(USED_MEMBERS),
        TEMPORARIES,
        {
            name: PtxKernel(_functions(name, texts[name], tasks[name]), needs.needs, needs.trees)
            for name, needs in found.items()
        },
        {name: KernelCode(code_of(module, name)).loop_lengths(module.info.all_kernels[name].tasks) for name in found},
        refused,
        tuple(cubins),
        images,
        {name: code_digest(data) for name, data in images.items()},
        {name: state_ir(name, code_of(module, name)) for name in module.info.all_kernels},
    )
    verify(ptx, module.files)
    return module._replace(ptx=ptx)


def _functions(kernel: str, ptx: str, tasks: Sequence[str]) -> tuple[str, ...]:
    """The names of the functions of the tasks. In PTX, other characters replace those that are not ASCII."""
    found = entries(ptx.encode())
    if set(found) == set(tasks):
        return tuple(tasks)
    if len(found) != len(tasks) or all(map(str.isascii, tasks)):
        raise BuildError(f"cuda: the PTX of kernel {kernel!r} has other functions than its tasks")
    return tuple(found)  # which are in the order of the tasks


def _compile(
    module: ParsedModule,
    kernels: Iterable[str],
    capability: int,
    timeout: float,
    show: Callable[[int], object] | None,
) -> dict[str, str]:
    """The PTX of kernels by name. Of several with the same code one is compiled."""
    code = {name: code_of(module, name).decode() for name in kernels}
    first: dict[str, str] = {}
    for name, text in code.items():
        first.setdefault(text, name)
    names = list(first.values())
    assert isinstance(module.stated, LlvmModule)
    files = {  # whose trees of fields have all numbers from 0 on
        LLVM_METADATA: lowered_metadata(module.files[LLVM_METADATA], module.stated.fields, [], {}, {}, {}, Words.NONE),
        LLVM_GRAPHS: module.files[LLVM_GRAPHS],
    }
    metadata = {name: base64.b64encode(data).decode() for name, data in files.items()}
    requests = [
        Request(metadata, {name: code[name] for name in names[i : i + BATCH]}) for i in range(0, len(names), BATCH)
    ]

    def show_batches(done: int) -> None:
        if show is not None:
            show(min(BATCH * done, len(names)))

    variables = environment(CudaDevice(capability=capability))
    answers = call_each(compile_ptx, requests, timeout, COMPILER, show_batches, variables)
    compiled: dict[str, str] = {}
    for each in answers:
        if "unavailable" in each:
            raise UnavailableError(each["unavailable"])
        compiled |= each["ptx"]
    return {name: compiled[first[text]] for name, text in code.items()}


def _assembled(texts: Mapping[str, str], cubins: Sequence[str], timeout: float) -> list[tuple[str, str, bytes]]:
    """The cubins, each with its capability and its kernel. Without any, an assembler that is here checks the PTX."""
    assembler = find_assembler()
    if not cubins and assembler:
        assemble(assembler, texts, f"sm_{CHECKED_CAPABILITY}", timeout)
    return [
        (capability, name, cubin)
        for capability in cubins
        for name, cubin in assemble(assembler, texts, capability, timeout).items()
    ]

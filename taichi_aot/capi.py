"""The functions of the Taichi C-API under their names without ``ti_``, as cffi has them.

This level is for programs ported from C or C++, and for programs that share handles with another binding of the
library. `Runtime` and the other objects are easier to use, and safer: here, as in C, nothing checks an argument except
that a handle is not null and was not freed. **A wrong argument can end the process.**

Types have the names of C. ``capi.TiMemoryAllocateInfo(size=64)`` makes a structure, as ``ffi.new`` does: a cdata of
cffi. Enumerations are `enum.IntEnum` and `enum.IntFlag`; their constants are names of this module too. Functions return
what C writes through pointers. A count and a pointer are one sequence, strings are ``str``, and addresses are ``int``.
Each call takes the lock of its runtime, so that threads may share it, and raises the error that the library reports.

Examples
--------
>>> runtime = capi.create_runtime(capi.TI_ARCH_X64, 0)
>>> memory = capi.allocate_memory(runtime, capi.TiMemoryAllocateInfo(size=64, host_write=True))
>>> address = capi.map_memory(runtime, memory)
>>> capi.unmap_memory(runtime, memory)
>>> capi.destroy_runtime(runtime)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from enum import IntEnum, IntFlag
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from .adopt._make import read_module
from .adopt._module import plan_of
from .backends._devices import adopt_runtime, available_archs
from .bundle._plan import exactly, read_files
from .driver._gpus import prepare_opengl
from .driver._library import address_of, check, ffi, lib, load
from .handles._registry import (
    Handle,
    Made,
    TiAotModule,
    TiComputeGraph,
    TiImage,
    TiKernel,
    TiMemory,
    TiRuntime,
    TiSampler,
    find_runtime,
    keep_for_capi,
    new_handle,
    owner_of,
)
from .handles._runtime import RuntimeHandle, process
from .kernels._loading import check_trees
from .values._errors import (
    ArgumentNullError,
    ArgumentTypeError,
    ErrorCode,
    NotSupportedError,
    TaichiError,
    describe,
    wrong_type,
)
from .values._numbers import Arch

TI_FALSE = 0
TI_TRUE = 1
TI_NULL_HANDLE = 0
TI_C_API_VERSION = 1_007_000

_TYPES = {
    each.__name__: each for each in (TiAotModule, TiComputeGraph, TiImage, TiKernel, TiMemory, TiRuntime, TiSampler)
}
_HANDLES: dict[Any, type[Handle]] = {ffi.typeof(name): each for name, each in _TYPES.items()}
_ffi: Any = ffi  # for types that only the run time knows
_BY_BOTH = inspect.Parameter.POSITIONAL_OR_KEYWORD
_kept: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()  # what the pointers in structures point to


# Types.


def _structure(name: str) -> Any:
    """Return the function that makes structures of a type."""
    members = {member: field.type for member, field in ffi.typeof(name).fields}

    def make(*values: Any, **named: Any) -> Any:
        if len(values) > len(members) or named.keys() - [*members][len(values) :]:
            raise ArgumentTypeError(f"{name} has the members {', '.join(members)}")
        made = ffi.new(f"{name} *")
        kept: list[Any] = []
        for member, value in [*zip(members, values, strict=False), *named.items()]:
            if value is not None:
                kept.append(_member(members[member], value, f"{name}.{member}"))
                setattr(made, member, kept[-1])
        _kept[made] = [*kept, values, named]
        return made

    make.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(each, _BY_BOTH, default=None) for each in members]
    )
    return _named(make, name, f"Make a ``{name}``; members that are left out are 0.")


def _member(kind: Any, value: Any, what: str) -> Any:
    """Return a value as cffi takes it for a member of a structure."""
    if kind in _HANDLES:
        return _pointer(kind, value, what)
    if kind.kind == "pointer" and isinstance(value, str):
        return ffi.new("char[]", value.encode(errors="surrogateescape"))
    if kind.kind in ("pointer", "function") and isinstance(value, int):
        return _ffi.cast(kind, value)
    is_by_value = kind.kind in ("struct", "union")
    return value[0] if is_by_value and _is_c(value) and ffi.typeof(value).kind == "pointer" else value


def _is_c(value: Any) -> bool:
    return isinstance(value, ffi.CData)


def _pointer(kind: Any, value: Any, what: str) -> Any:
    """Return a handle as cffi takes it; TypeError for a handle of another type, ValueError if it was freed."""
    handle = _as_handle(kind, value, what)
    owner_of(handle)
    return _ffi.cast(kind, int(handle))


def _as_handle(kind: Any, value: Any, what: str) -> Handle:
    cls = _HANDLES[kind]
    if type(value) is cls:
        return value
    if _is_c(value) and ffi.typeof(value) is kind:
        return cls(address_of(value))
    if value is None or (type(value) is int and value == 0):
        return cls()
    raise wrong_type(value, f"{what} must be a {cls.__name__}, not {describe(value)}")


def _named(made: Any, name: str, doc: str) -> Any:
    made.__name__ = made.__qualname__ = name
    made.__doc__ = doc
    return made


# Functions.


def _runtime(handle: TiRuntime) -> RuntimeHandle:
    """Return the private handle of a runtime, which has its lock."""
    found = find_runtime(handle)
    if found is None:
        with process.loading:
            found = find_runtime(handle) or _adopt(handle)
    return found


def _adopt(handle: TiRuntime, arch: Arch | None = None) -> RuntimeHandle:
    adopted = adopt_runtime(int(handle), owned=False, arch=arch)
    keep_for_capi(handle, adopted)
    return adopted


def _lock_of(name: str, owner: Any) -> RuntimeHandle | None:
    """Return the runtime whose lock a call takes, by the owner of its first handle; None if it is unknown."""
    if not name.endswith("_cuda_stream"):
        return owner if owner is None or isinstance(owner, RuntimeHandle) else owner.runtime
    for each in process.live_runtimes():  # streams belong to the context of the library's device, which all share
        if each.is_open and each.backend.interchange.api == "cuda" and each.context.device_index == 0:
            return each
    raise NotSupportedError("this process has no CUDA runtime, to whose context a stream belongs")


def _taken(parameters: list[tuple[Any, str]], values: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
    """Return the owners of the handles among the arguments, which are not null, and all arguments as C takes them."""
    owners: list[Any] = []
    passed: list[Any] = []
    for (kind, what), value in zip(parameters, values, strict=True):
        if kind in _HANDLES:
            handle = _as_handle(kind, value, what)
            if not handle:
                raise ArgumentNullError(f"{what} is the null handle")
            owners.append(_runtime(handle) if isinstance(handle, TiRuntime) else owner_of(handle, *owners[:1]))
            passed.append(_ffi.cast(kind, int(handle)))
        elif kind is None:
            passed += [ffi.from_buffer(value), memoryview(value).nbytes]
        elif kind.kind == "array":
            array = value if _is_c(value) else _array(kind, value, what)
            passed += [len(array), array]
        else:
            passed.append(_member(kind, value, what))
    return owners, passed


def _array(kind: Any, values: Any, what: str) -> Any:
    items = [_member(kind.item, each, what) for each in values]
    array = _ffi.new(kind, items)
    _kept[array] = [items, values]
    return array


def _check_loading(runtime: Any, source: Any) -> None:
    """Raise for kernels that the library would launch without memory for their fields."""
    if runtime.backend.code.family != "gfx":
        return
    plan = None
    with suppress(OSError, TaichiError):  # the library says what is wrong with the files
        given = source if isinstance(source, str) else bytearray(source)
        plan = plan_of(read_module(read_files(given, exactly(runtime.arch, available_archs))).described)
    if plan is not None:
        check_trees(plan)


def _free(owner: Any, run: Callable[[], None]) -> None:
    """Free what is behind a handle, and close the objects over it. An object frees its own."""
    if owner is None or isinstance(owner, Made):
        for each in list(owner.objects) if owner is not None else ():
            each.close()
        run()
        if owner is not None:
            owner.is_freed = True
        return
    if isinstance(owner, RuntimeHandle):
        owner.context.c.is_borrowed = False
    owner.close()


def _run(name: str, function: Any, runtime: RuntimeHandle | None, arguments: list[Any]) -> None:
    """Call C under the lock of a runtime, and raise the error that it reports."""
    if runtime is None:
        check(function(ffi.NULL, *arguments))
        return
    status = function(runtime.require_library(), *arguments)
    frees_and_reports = name == "ti_free_memory" and runtime.backend.device.on_host
    if not (status == ErrorCode.NOT_SUPPORTED and frees_and_reports):
        runtime.check(status)


def _function(line: str) -> Any:
    """Return the function of a line of the extension: the result, name and parameters, with their types."""
    first, *rest = line.split("\t")
    result, _, name = first.rpartition(" ")
    given = [(kind, what) for kind, _, what in (each.rpartition(" ") for each in rest)]
    parameters = [(None if kind == "void[]" else ffi.typeof(kind), what) for kind, what in given]
    function, short = getattr(lib, f"checked_{name}"), name.removeprefix("ti_")
    signature = inspect.Signature([inspect.Parameter(what, _BY_BOTH) for _, what in parameters])
    skipped = int(rest[:1] == ["TiRuntime runtime"])  # C has the lock in its place
    is_structure = result.endswith("InteropInfo *")

    def call(*values: Any, **named: Any) -> Any:
        load()
        if named or len(values) != len(parameters):
            try:
                values = signature.bind(*values, **named).args
            except TypeError as error:
                raise ArgumentTypeError(f"{short}(): {error}") from None
        owners, passed = _taken(parameters, values)
        runtime: Any = _lock_of(short, owners[0] if owners else None)
        if short.endswith("_aot_module") and skipped:
            _check_loading(runtime, values[1])
        if short == "create_runtime" and values[0] in (Arch.OPENGL, Arch.GLES):
            prepare_opengl()  # else the library ends the process on machines without a display
        made = [] if result == "void" else [ffi.new(result if is_structure else f"{result} *")]
        run = partial(_run, name, function, runtime, [*passed[skipped:], *made])
        if short.startswith(("destroy_", "free_")):
            _free(owners[-1], run)
            return None
        run()
        if result == "TiAotModule":
            runtime.context.c.loads += runtime.backend.code.family == "gfx"
        if result in _TYPES:
            return _made(result, made[0][0], owners, short, values)
        return made[0] if is_structure else _plain(made[0][0]) if made else None

    call.__signature__ = signature  # type: ignore[attr-defined]
    of_c = ", ".join(rest).replace(" *", "*")
    return _named(call, short, f"Call ``{name}({of_c})``, whose result is ``{result}``.")


def _made(kind: str, pointer: Any, owners: list[Any], name: str, values: tuple[Any, ...]) -> Handle:
    """Return the handle of what a function has made."""
    if kind != "TiRuntime":
        parent = owners[0]
        return new_handle(_TYPES[kind], pointer, Made(parent) if isinstance(parent, RuntimeHandle) else parent)
    handle = TiRuntime(address_of(pointer))
    _adopt(handle, Arch.VULKAN if "vulkan" in name else Arch.OPENGL if "opengl" in name else Arch(int(values[0])))
    return handle


def _plain(value: Any) -> Any:
    return address_of(value) if _is_c(value) else value


def get_version() -> int:
    """Return the version of the library: major * 1,000,000 + minor * 1,000 + patch."""
    load()
    return lib.ti_get_version()


def get_last_error() -> str:
    """Return the message of the thread's last call that failed; empty if the last one succeeded."""
    load()
    size = ffi.new("uint64_t *")
    lib.ti_get_last_error(size, ffi.NULL)
    message = ffi.new("char[]", size[0] + 1)
    lib.ti_get_last_error(size, message)
    return ffi.string(message).decode(errors="replace")


def set_last_error(error: int, message: str | None) -> None:
    """Set the last error of the thread: a `TiError` and a message."""
    load()
    lib.ti_set_last_error(error, b"" if message is None else message.encode(errors="backslashreplace"))


def get_available_archs(archs: None = None) -> tuple[list[int], list[IntEnum]]:
    """Return the archs on which this machine can create runtimes, as numbers and as `TiArch`."""
    found = available_archs()  # the library's own function ends the process on machines without a display
    return [*map(int, found)], [*map(_types["TiArch"], found)]


def get_runtime_capabilities(runtime: TiRuntime) -> list[Any]:
    """Return the capabilities of a runtime, as ``TiCapabilityLevelInfo``."""
    load()
    (handle,), _ = _taken([(ffi.typeof("TiRuntime"), "runtime")], (runtime,))
    count, c = ffi.new("uint32_t *"), handle.require_library()
    handle.check(lib.checked_ti_get_runtime_capabilities(c, count, ffi.NULL))
    levels = ffi.new("TiCapabilityLevelInfo[]", count[0])
    handle.check(lib.checked_ti_get_runtime_capabilities(c, count, levels))
    return [ffi.new("TiCapabilityLevelInfo *", each) for each in levels]


# Names.


def _make_types() -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name in (each for each in ffi.list_types()[0] if each.startswith("Ti") and each not in _TYPES):
        kind = ffi.typeof(name)
        if kind.kind == "enum":
            members = {each: number for each, number in kind.relements.items() if not each.endswith("_MAX_ENUM")}
            make: Any = IntFlag if name.endswith("Bits") else IntEnum
            made[name] = make(name, members, module=__name__)
            made[name].__doc__ = f"The constants of ``{name}``."
        else:
            made[name] = int if kind.kind == "primitive" else _structure(name)
    return made


_types = _make_types()
_functions = [_function(line) for line in ffi.string(lib.taichi_aot_signatures).decode().splitlines()]
globals().update(_types, **{each.__name__: each for each in _functions})
for _enumeration in _types.values():
    if isinstance(_enumeration, type) and issubclass(_enumeration, IntEnum | IntFlag):
        globals().update(_enumeration.__members__)

__all__ = ["TI_C_API_VERSION", "TI_FALSE", "TI_NULL_HANDLE", "TI_TRUE", "ffi", "get_available_archs", "get_last_error"]
__all__ += ["get_runtime_capabilities", "get_version", "set_last_error", *_TYPES, *_types]
__all__ += [each.__name__ for each in _functions]

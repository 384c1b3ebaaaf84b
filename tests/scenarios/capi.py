"""Bad calls of the functions of `taichi_aot.capi`, generated from the headers' prototypes: each must raise.

For each parameter of a function in turn, bad values of its C type replace the good argument; structures are copied
and their members replaced. All other arguments are good.
"""

from __future__ import annotations

import ctypes
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from helpers.capi_arguments import array, f32, i32
from helpers.headers import build_ffi
from helpers.inside import c_size, c_type
from helpers.threads import Background

from scenarios import ArchName
from taichi_aot import (
    BufferStateError,
    CorruptedDataError,
    ErrorCode,
    InvalidInteropError,
    InvalidStateError,
    NameNotFoundError,
    NotSupportedError,
    OutOfMemoryError,
    Runtime,
    TaichiError,
    capi,
)

ANSWERS = (TaichiError, TypeError, ValueError, OverflowError, LookupError, BufferError, MemoryError, OSError)
# Their messages name what the device or the file lacks.
NOT_ABOUT_ARGUMENTS = (
    NotSupportedError,
    CorruptedDataError,
    NameNotFoundError,
    OutOfMemoryError,
    BufferStateError,
    InvalidInteropError,
    InvalidStateError,
    OSError,
)
HANDLES = ("TiRuntime", "TiAotModule", "TiMemory", "TiImage", "TiSampler", "TiKernel", "TiComputeGraph")
SIZE = 4 * 16 * 4 * 4  # bytes of a memory: 16 matrices
UNKNOWN = 0x7FFFFFFF  # no enumeration has this value
# Numbers that fit their C type, but are too small or too large for the member or parameter of this name.
EXTREMES: dict[str, tuple[int, ...]] = {
    "size": (0, 2**63, 2**64 - 1),
    "memory_size": (0, 2**63, 2**64 - 1),
    "offset": (2**63, 2**64 - 1),
    "width": (0, 2**32 - 1),
    "height": (0, 2**32 - 1),
    "depth": (0, 2**32 - 1),
    "array_layer_count": (0, 2**32 - 1),
    "x": (2**32 - 1,),
    "y": (2**32 - 1,),
    "z": (2**32 - 1,),
    "array_layer_offset": (2**32 - 1,),
    "mip_level_count": (0, 2**32 - 1),
    "mip_level": (2**32 - 1,),
    "dim_count": (13, 2**32 - 1),
    "device_index": (1000, 2**31, 2**32 - 1),
}

# Words that a message may contain instead of the parameter, its type or the structure member.
OTHER_WORDS = ("argument", "item", "extent", "buffer", "was freed")

# Members for which null means the default.
OPTIONAL = ("sampler",)


class Row(NamedTuple):
    """A bad argument: its name and the function that makes it."""

    name: str
    make: Callable[[], Any]

    @property
    def member(self) -> str:
        """The bad structure member; for other arguments, a string that no message contains."""
        found = re.search(r"\.(\w+)(=|<-|:)", self.name)
        return found[1] if found else "\0"


class World:
    """A runtime with one object of each kind, and freed objects."""

    def __init__(self, arch: ArchName, path: str) -> None:
        self.arch = arch
        self.path = path
        self.runtime = capi.create_runtime(self.ti_arch, 0)
        self.destroyed = capi.create_runtime(self.ti_arch, 0)
        capi.destroy_runtime(self.destroyed)
        self.module = capi.load_aot_module(self.runtime, path)
        self.kernel = capi.get_aot_module_kernel(self.module, "foo")
        self.graph = capi.get_aot_module_compute_graph(self.module, "bar")
        self.memory, self.other_memory = self.new_memory(), self.new_memory()
        self.host = ctypes.create_string_buffer(4096)
        if arch == "vulkan":
            self.image, self.other_image = self.new_image(), self.new_image()
            self.vulkan_runtime = capi.export_vulkan_runtime(self.runtime)
            self.vulkan_memory = capi.export_vulkan_memory(self.runtime, self.memory)
            self.vulkan_image = capi.export_vulkan_image(self.runtime, self.image)

    @property
    def ti_arch(self) -> capi.TiArch:
        return capi.TiArch[f"TI_ARCH_{self.arch.upper()}"]

    def new_memory(self) -> capi.TiMemory:
        return capi.allocate_memory(self.runtime, self.memory_info())

    def memory_info(self) -> capi.TiMemoryAllocateInfo:
        usage = capi.TiMemoryUsageFlagBits.TI_MEMORY_USAGE_STORAGE_BIT
        return capi.TiMemoryAllocateInfo(size=SIZE, host_write=True, host_read=True, usage=usage)

    def mapped_memory(self) -> capi.TiMemory:
        memory = self.new_memory()
        capi.map_memory(self.runtime, memory)
        return memory

    def new_image(self) -> capi.TiImage:
        return capi.allocate_image(self.runtime, self.image_info())

    def image_info(self) -> capi.TiImageAllocateInfo:
        usage = capi.TiImageUsageFlagBits
        return capi.TiImageAllocateInfo(
            dimension=capi.TiImageDimension.TI_IMAGE_DIMENSION_2D,
            extent=capi.TiImageExtent(width=8, height=4, depth=1, array_layer_count=1),
            mip_level_count=1,
            format=capi.TiFormat.TI_FORMAT_RGBA8,
            usage=usage.TI_IMAGE_USAGE_STORAGE_BIT | usage.TI_IMAGE_USAGE_SAMPLED_BIT,
        )

    def memory_slice(self, memory: capi.TiMemory) -> capi.TiMemorySlice:
        return capi.TiMemorySlice(memory=memory, offset=0, size=SIZE)

    def image_slice(self, image: capi.TiImage) -> capi.TiImageSlice:
        return capi.TiImageSlice(image=image, extent=self.image_info().extent, mip_level=0)

    def arguments(self) -> list[capi.TiArgument]:
        return [i32(1), f32(1.0), array(self.memory, 16, elem_shape=(4, 4))]

    def named_arguments(self) -> list[capi.TiNamedArgument]:
        return [
            capi.TiNamedArgument(name=name, argument=argument)
            for name, argument in zip(("foo", "bar", "baz"), self.arguments(), strict=True)
        ]

    def freed(self, kind: str) -> Any:
        """Return the handle of a freed object."""
        if kind == "TiRuntime":
            return self.destroyed
        if kind == "TiMemory":
            memory = self.new_memory()
            capi.free_memory(self.runtime, memory)
            return memory
        if kind == "TiImage":
            image = self.new_image()
            capi.free_image(self.runtime, image)
            return image
        module = capi.load_aot_module(self.runtime, self.path)
        kernel = capi.get_aot_module_kernel(module, "foo")
        graph = capi.get_aot_module_compute_graph(module, "bar")
        capi.destroy_aot_module(module)
        return {"TiAotModule": module, "TiKernel": kernel, "TiComputeGraph": graph}[kind]


# Good arguments for each function, in order.
Good = Callable[[World], tuple[Any, ...]]
LAYOUT = capi.TiImageLayout.TI_IMAGE_LAYOUT_SHADER_READ
VULKAN_1_2 = 0x402000
ANYWHERE: dict[str, Good] = {
    "get_version": lambda w: (),
    "get_available_archs": lambda w: (),
    "get_last_error": lambda w: (),
    "set_last_error": lambda w: (capi.TiError.TI_ERROR_SUCCESS, ""),
    "create_runtime": lambda w: (w.ti_arch, 0),
    "destroy_runtime": lambda w: (capi.create_runtime(w.ti_arch, 0),),
    "set_runtime_capabilities_ext": lambda w: (w.runtime, capi.get_runtime_capabilities(w.runtime)),
    "get_runtime_capabilities": lambda w: (w.runtime,),
    "flush": lambda w: (w.runtime,),
    "wait": lambda w: (w.runtime,),
    "allocate_memory": lambda w: (w.runtime, w.memory_info()),
    "free_memory": lambda w: (w.runtime, w.new_memory()),
    "map_memory": lambda w: (w.runtime, w.new_memory()),
    "unmap_memory": lambda w: (w.runtime, w.mapped_memory()),
    "copy_memory_device_to_device": lambda w: (w.runtime, w.memory_slice(w.other_memory), w.memory_slice(w.memory)),
    "load_aot_module": lambda w: (w.runtime, w.path),
    "create_aot_module": lambda w: (w.runtime, Path(w.path).read_bytes()),
    "destroy_aot_module": lambda w: (capi.load_aot_module(w.runtime, w.path),),
    "get_aot_module_kernel": lambda w: (w.module, "foo"),
    "get_aot_module_compute_graph": lambda w: (w.module, "bar"),
    "launch_kernel": lambda w: (w.runtime, w.kernel, w.arguments()),
    "launch_compute_graph": lambda w: (w.runtime, w.graph, w.named_arguments()),
}
ON_VULKAN: dict[str, Good] = {
    "allocate_image": lambda w: (w.runtime, w.image_info()),
    "free_image": lambda w: (w.runtime, w.new_image()),
    "copy_image_device_to_device": lambda w: (w.runtime, w.image_slice(w.other_image), w.image_slice(w.image)),
    "track_image_ext": lambda w: (w.runtime, w.image, LAYOUT),
    "transition_image": lambda w: (w.runtime, w.image, LAYOUT),
    "create_vulkan_runtime_ext": lambda w: (VULKAN_1_2, [], []),
    "import_vulkan_runtime": lambda w: (w.vulkan_runtime,),
    "export_vulkan_runtime": lambda w: (w.runtime,),
    "import_vulkan_memory": lambda w: (w.runtime, w.vulkan_memory),
    "export_vulkan_memory": lambda w: (w.runtime, w.memory),
    "import_vulkan_image": lambda w: (w.runtime, w.vulkan_image, 1, 1),
    "export_vulkan_image": lambda w: (w.runtime, w.image),
}
ON_X64: dict[str, Good] = {
    "import_cpu_memory": lambda w: (w.runtime, ctypes.addressof(w.host), 4096),
    "export_cpu_memory": lambda w: (w.runtime, w.memory),
}
ON_OPENGL: dict[str, Good] = {
    "export_opengl_runtime": lambda w: (w.runtime,),
    "export_opengl_memory": lambda w: (w.runtime, w.memory),
}
# Functions that no device supports, or only those in an arch's table: elsewhere, even a good call must raise.
NOWHERE: dict[str, Good] = {
    "create_sampler": lambda w: (w.runtime, capi.TiSamplerCreateInfo(max_anisotropy=1.0)),
    "destroy_sampler": lambda w: (w.runtime, capi.TiSampler(16)),
    "import_cuda_memory": lambda w: (w.runtime, ctypes.addressof(w.host), 4096),
    "export_cuda_memory": lambda w: (w.runtime, w.memory),
    "set_cuda_stream": lambda w: (0,),
    "get_cuda_stream": lambda w: (),
    "import_opengl_runtime": lambda w: (capi.TiOpenglRuntimeInteropInfo(), False),
    "import_opengl_memory": lambda w: (w.runtime, capi.TiOpenglMemoryInteropInfo(buffer=1, size=4)),
    "import_opengl_image": lambda w: (w.runtime, capi.TiOpenglImageInteropInfo(texture=1)),
    "export_opengl_image": lambda w: (w.runtime, capi.TiImage(16)),
}
ON_CUDA: dict[str, Good] = {
    "import_cuda_memory": lambda w: (w.runtime, capi.export_cuda_memory(w.runtime, w.other_memory).ptr, 64),
    "export_cuda_memory": lambda w: (w.runtime, w.memory),
    "set_cuda_stream": lambda w: (0,),
    "get_cuda_stream": lambda w: (),
}
OF_ARCH = {"x64": ON_X64, "vulkan": ON_VULKAN, "opengl": ON_OPENGL, "cuda": ON_CUDA}
RELEASES = ("destroy_runtime", "free_memory", "unmap_memory", "free_image", "destroy_aot_module")


def functions() -> dict[str, Any]:
    """Return the headers' prototypes by Python name."""
    return {p.name.removeprefix("ti_"): p for p in build_ffi.read_declarations()[1]}


def inputs(prototype: Any) -> list[tuple[str, str]]:
    """Return the types and names of the parameters in Python, which omits results and counts."""
    found: list[tuple[str, str]] = []
    parameters = prototype.parameters
    for i, (kind, name) in enumerate(parameters):
        following = parameters[i + 1][0] if i + 1 < len(parameters) else ""
        is_count = name.endswith("_count") and following.endswith("*")
        is_size = kind == "uint64_t" and name == "size" and parameters[i - 1][0] == "const void *"
        is_result = (
            kind.endswith("*")
            and "const" not in kind
            and not ("import" in prototype.name or prototype.name == "ti_set_cuda_stream")
        )
        if not (is_count or is_size or is_result):
            found.append((f"{kind}[]" if i and parameters[i - 1][1].endswith("_count") else kind, name))
    return found


# Bad arguments.


def rows_of(*values: Any) -> Iterator[Row]:
    for value in values:
        yield Row(repr(value)[:40], partial(same, value))


def same(value: Any) -> Any:
    return value


def replaced(items: Sequence[Any], i: int, row: Row) -> list[Any]:
    return [*items[:i], row.make(), *items[i + 1 :]]


def rows(world: World, kind: str, name: str, good: Any) -> Iterator[Row]:
    """Yield bad arguments of a C type to replace a good one."""
    yield from rows_of(object(), 1.5, {}, *([] if kind == "const void *" else [b"x\0y"]))
    if kind in HANDLES:
        yield from handle_rows(world, kind)
    elif kind.endswith("[]"):
        yield from sequence_rows(world, good)
    elif kind == "const char *":
        yield from text_rows(name)
    elif kind == "const void *":
        yield from rows_of(None, b"", b"PK", 5)
    elif kind == "void *":
        yield from number_rows(64, "", (0,) if name == "ptr" else ())
    elif kind.endswith("*"):
        yield from structure_rows(world, good)
    elif kind == "bool":
        yield Row("2", lambda: 2)
    else:
        yield from number_or_enumeration_rows(kind, name)


def handle_rows(world: World, kind: str) -> Iterator[Row]:
    cls = getattr(capi, kind)
    other = capi.TiMemory if kind == "TiRuntime" else capi.TiRuntime
    if kind != "TiSampler":  # a null sampler is the default
        yield Row("None", lambda: None)
        yield Row("0", lambda: 0)
        yield Row("null", cls)
    yield Row("an address", lambda: int(world.runtime))
    yield Row("another type", lambda: other(int(world.runtime)))
    yield Row("the class", lambda: cls)
    if kind not in ("TiSampler", "TiImage") or (kind == "TiImage" and world.arch == "vulkan"):
        yield Row("freed", lambda: world.freed(kind))


def number_rows(bits: int, name: str, more: Sequence[int] = (), *, signed: bool = False) -> Iterator[Row]:
    low, high = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
    yield from rows_of(None, "1", low - 1, high, 10**30, *more, *EXTREMES.get(name, ()))


def number_or_enumeration_rows(kind: str, name: str) -> Iterator[Row]:
    ctype = c_type(kind)
    if ctype.kind == "enum":
        numbers = (-1, 0, -77, 77, UNKNOWN, 2**32 - 1, 2**32, 2**64)
        names = {number: ctype.elements.get(number, "MAX_ENUM") for number in numbers}
        unknown = [number for number, name in names.items() if name.endswith(("MAX_ENUM", "RESERVED"))]
        yield from rows_of(None, "x64", "TI_ARCH_X64", *unknown)
    else:
        yield from number_rows(8 * c_size(kind), name, signed=ctype.cname == "int")


def text_rows(name: str) -> Iterator[Row]:
    values: tuple[Any, ...] = (5, "a\0b", "foo\0", "bar\0")
    if name != "message":  # a message may be empty or long
        values = (*values, None, "", "x" * 100_000, "\udc80", "foo ", "é")
    yield from rows_of(*values)


def sequence_rows(world: World, good: Any) -> Iterator[Row]:
    yield from rows_of(None, 5, "ab", [None], [5], [capi.TiNdShape()])
    if not good or isinstance(good[0], capi.TiCapabilityLevelInfo):
        return
    yield Row("none", list)
    yield Row("too few", lambda: good[:-1])
    yield Row("too many", lambda: [*good, good[0]])
    for i, item in enumerate(good):
        for row in structure_rows(world, item):
            yield Row(f"[{i}]{row.name}", partial(replaced, good, i, row))
    if isinstance(good[0], capi.TiNamedArgument):
        yield Row("one name twice", lambda: [good[0], good[0], good[2]])


def structure_rows(world: World, good: Any) -> Iterator[Row]:
    """Yield other structures, and copies of the good one with one member changed."""
    yield Row("None", lambda: None)
    yield Row("another structure", lambda: capi.TiImageOffset())
    yield Row("the class", lambda: type(good))
    if isinstance(good, capi.TiNamedArgument):
        for name in ("", "qux", None):
            yield changed(good, f".name={name}", put, ("name",), name)
    for path, ctype, name in members(good):
        yield from member_rows(world, good, path, ctype, name)


def members(structure: Any) -> Iterator[tuple[tuple[str, ...], Any, str]]:
    """Yield the path, C type and name of each member, nested ones included; of a union, only the member in use."""
    names: Sequence[str] = [name for name, _ in c_type(type(structure).__name__).fields]
    if isinstance(structure, capi.TiArgument):
        value = {0: "i32", 1: "f32", 2: "ndarray"}[int(structure.type)]
        for path, ctype, name in members(structure.value.ndarray) if value == "ndarray" else ():
            yield ("value", "ndarray", *path), ctype, name
        names = ["type"]
    types = dict(c_type(type(structure).__name__).fields)
    for name in names:
        ctype = types[name].type
        if ctype.kind == "struct":
            yield from (((name, *path), t, n) for path, t, n in members(getattr(structure, name)))
        else:
            yield (name,), ctype, name


def member_rows(world: World, good: Any, path: tuple[str, ...], ctype: Any, name: str) -> Iterator[Row]:
    label = "." + ".".join(path)
    checked: list[Any] = [object()]
    stored: list[Any] = []
    if ctype.kind == "enum":
        checked += [None, "x", -5, 77, 2**32]
        stored += [UNKNOWN]
        if good.__class__.__name__.endswith("Argument"):  # only one type matches the signature
            stored += [number for number in ctype.elements if number != int(follow(good, path))]
    elif ctype.kind == "primitive" and ctype.cname in ("uint32_t", "uint64_t", "int", "unsigned int"):
        checked += [None, "1", 10**30, -(2**70)]
        if ctype.cname != "int" and (path[:2] != ("value", "ndarray") or name == "dim_count"):
            stored += EXTREMES.get(name, ())
    elif ctype.kind == "pointer" and ctype.cname.startswith("struct Ti"):
        checked += [capi.TiRuntime(16)] if "Runtime" not in ctype.cname else []
        if name not in OPTIONAL:
            checked += [None]
            kind = ctype.cname.removeprefix("struct ").removesuffix("_t *")
            yield changed(good, f"{label}=freed", lambda s, path: put(s, path, world.freed(kind)), path)
    for value in checked:
        yield changed(good, f"{label}={value!r}", put, path, value)
    for value in stored:
        yield changed(good, f"{label}<-{value!r}", store, path, value)
    if path[-2:] == ("shape", "dim_count"):
        for sizes in ([0x7FFFFFFF], [17], [2**32 - 1], [16, 1], []):
            yield changed(good, f"{label}: {sizes}", reshape, path[:-1], sizes)


def changed(good: Any, name: str, change: Callable[..., None], *arguments: Any) -> Row:
    """Return a row that makes a changed copy of a structure."""

    def make() -> Any:
        copy = good.copy()
        change(copy, *arguments)
        return copy

    return Row(name, make)


def follow(structure: Any, path: Sequence[str]) -> Any:
    for name in path:
        structure = getattr(structure, name)
    return structure


def put(structure: Any, path: Sequence[str], value: Any) -> None:
    setattr(follow(structure, path[:-1]), path[-1], value)


def store(structure: Any, path: Sequence[str], value: int) -> None:
    """Store a value without the structure's checks, as another program could."""
    setattr(follow(structure, path[:-1]).c, path[-1], value)


def reshape(structure: Any, path: Sequence[str], sizes: list[int]) -> None:
    shape = follow(structure, path)
    shape.dim_count, shape.dims = len(sizes), sizes


# Scenarios.


def must_raise(function: str, arguments: Callable[[], Sequence[Any]], what: str = "", words: Sequence[str] = ()) -> str:
    """Return a complaint if a call returns, raises an unexpected type, or does not name what is wrong.

    A call that raises must leave its error as the thread's last one; a structure may refuse the argument before.
    """
    what = f"{function}: {what}"
    print(what, flush=True)  # if the call crashes, this names it
    capi.set_last_error(capi.TiError.TI_ERROR_SUCCESS, None)
    given: Sequence[Any] | None = None
    try:
        given = arguments()
        complaint = f"{what} returned {getattr(capi, function)(*given)!r}"
    except ANSWERS as error:
        code = getattr(error, "code", None)
        if not isinstance(code, ErrorCode) or last_error() != ((str(error), code) if given is not None else ("", 0)):
            complaint = f"{what} raised {error!r} with {code}, and the last error is {last_error()}"
        elif isinstance(error, NOT_ABOUT_ARGUMENTS) or not words or any(word in str(error) for word in words):
            return ""
        else:
            complaint = f"{what} raised {error!r}, which names none of {words}"
    except Exception as error:
        complaint = f"{what} raised {error!r}"
    print("BAD", complaint, flush=True)
    return complaint


def last_error() -> tuple[str, int]:
    error = capi.get_last_error()
    return str(error), error.code


def good_for(world: World) -> dict[str, Good]:
    here = ANYWHERE | OF_ARCH[world.arch]
    return here | {function: good for function, good in NOWHERE.items() if function not in here}


def bad_arguments(arch: ArchName, path: str) -> None:
    """Call each function with bad arguments for each parameter; then the good call succeeds."""
    world = World(arch, path)
    complaints: list[str] = []
    nowhere = NOWHERE.keys() - OF_ARCH[arch].keys()
    for function, good in good_for(world).items():
        parameters, arguments = inputs(functions()[function]), good(world)
        spelled = [
            p.name for p in inspect.signature(getattr(capi, function)).parameters.values() if p.default is p.empty
        ]
        assert len(arguments) == len(parameters) == len(spelled), function
        for i, (kind, name) in enumerate(parameters):
            for row in rows(world, kind, name, arguments[i]):
                make = partial(replaced, arguments, i, row)
                named = (spelled[i], kind.removeprefix("const ").split()[0], row.member, *OTHER_WORDS)
                words = () if function in nowhere else named
                complaints.append(must_raise(function, make, f"{name}={row.name}", words))
        if function in nowhere:
            complaints.append(must_raise(function, partial(same, arguments), "no such device"))
            continue
        print(function, "with good arguments", flush=True)
        getattr(capi, function)(*arguments)
        if function in RELEASES:
            complaints.append(must_raise(function, partial(same, arguments), "again"))
    finish(complaints)


def closed_runtime(arch: ArchName, path: str) -> None:
    """Call each function with handles of a destroyed runtime, while another one is open."""
    world, alive = World(arch, path), World(arch, path)
    calls = {name: good(world) for name, good in good_for(world).items() if takes_handles(name)}
    del calls["destroy_runtime"]
    capi.destroy_runtime(world.runtime)
    complaints = [must_raise(name, partial(same, arguments)) for name, arguments in calls.items()]
    capi.wait(alive.runtime)
    finish(complaints)


def takes_handles(function: str) -> bool:
    return any(kind in HANDLES for kind, _ in inputs(functions()[function]))


def another_runtime(arch: ArchName, path: str) -> None:
    """Call each function that takes several handles with one from another runtime."""
    world, other = World(arch, path), World(arch, path)
    complaints = []
    for name, good in good_for(world).items():
        kinds = [kind for kind, _ in inputs(functions()[name])]
        if kinds[:1] == ["TiRuntime"] and any(kind in HANDLES for kind in kinds[1:]):
            complaints.append(must_raise(name, partial(same, (world.runtime, *good(other)[1:]))))
    for what, name, arguments in with_structures(world, other):
        complaints.append(must_raise(name, partial(same, arguments), what, ("another runtime",)))
    capi.launch_kernel(world.runtime, world.kernel, world.arguments())
    reused = capi.TiArgument.array(other.arguments())
    reused[2] = world.arguments()[2]  # the foreign handle that it replaces no longer matters
    capi.launch_kernel(world.runtime, world.kernel, reused)
    finish(complaints)


def with_structures(world: World, other: World) -> Iterator[tuple[str, str, tuple[Any, ...]]]:
    """Yield calls with a structure that has a handle of the other runtime."""
    foreign = other.arguments()
    yield "a list", "launch_kernel", (world.runtime, world.kernel, foreign)
    yield "an array", "launch_kernel", (world.runtime, world.kernel, capi.TiArgument.array(foreign))
    changed = capi.TiArgument.array(world.arguments())
    changed[2].value.ndarray.memory = other.memory
    yield "a member", "launch_kernel", (world.runtime, world.kernel, changed)
    copied = capi.TiArgument.array([item.copy() for item in changed])
    yield "a copy", "launch_kernel", (world.runtime, world.kernel, copied)
    yield "named", "launch_compute_graph", (world.runtime, world.graph, other.named_arguments())
    if world.arch == "vulkan":
        here, there = (each.memory_slice(each.memory) for each in (world, other))
        yield "source", "copy_memory_device_to_device", (world.runtime, here, there)
        yield "target", "copy_memory_device_to_device", (world.runtime, there, here)
        images = world.image_slice(world.image), other.image_slice(other.image)
        yield "images", "copy_image_device_to_device", (world.runtime, *images)


def another_thread(arch: ArchName, path: str) -> None:
    """Call each function with an OpenGL runtime from a thread that did not create it."""
    world = World(arch, path)
    complaints: list[str] = []

    def call(name: str, arguments: Sequence[Any]) -> None:
        complaints.append(must_raise(name, partial(same, arguments)))

    for name, good in good_for(world).items():
        if takes_handles(name):
            Background(call, name, good(world)).finish()
    finish(complaints)


def large_opengl_memory(arch: ArchName, path: str) -> None:
    """Allocate 2 GiB, which the library cannot map, through functions and through objects."""
    runtime = capi.create_runtime(capi.TiArch[f"TI_ARCH_{arch.upper()}"], 0)
    info = capi.TiMemoryAllocateInfo(size=1 << 31, host_read=True, host_write=True)
    with Runtime(arch) as objects:
        calls: dict[str, Callable[[], object]] = {
            "allocate_memory": partial(capi.allocate_memory, runtime, info),
            "Runtime.allocate": partial(objects.allocate, 1 << 31, host_read=True, host_write=True),
            "Runtime.zeros": partial(objects.zeros, 1 << 29, "f32"),
        }
        for name, call in calls.items():
            try:
                call()
            except OutOfMemoryError as error:
                print(name, error)
    capi.destroy_runtime(runtime)


def other_archs(arch: ArchName, path: str) -> None:
    """Call the functions of other archs with this runtime's objects."""
    world = World(arch, path)
    finish([must_raise(name, partial(same, arguments)) for name, arguments in calls_of_other_archs(world).items()])


def calls_of_other_archs(world: World) -> dict[str, list[Any]]:
    """Return the functions of other archs with this runtime's objects; image functions get an invalid image."""
    rest = {
        "TiRuntime": world.runtime,
        "TiMemory": world.memory,
        "const TiMemorySlice *": world.memory_slice(world.memory),
        "TiImage": capi.TiImage(16),
        "TiImageLayout": LAYOUT,
        "const TiImageAllocateInfo *": world.image_info(),
        "const TiImageSlice *": world.image_slice(capi.TiImage(16)),
        "const TiVulkanMemoryInteropInfo *": capi.TiVulkanMemoryInteropInfo(size=4),
        "const TiVulkanImageInteropInfo *": capi.TiVulkanImageInteropInfo(),
        "VkImageViewType": 1,
        "VkImageLayout": 1,
        "const void *": b"PK",
        "void *": ctypes.addressof(world.host),
        "size_t": 4096,
    }
    names = sorted({name for table in OF_ARCH.values() for name in table} - OF_ARCH[world.arch].keys())
    return {name: [rest[kind] for kind, _ in inputs(functions()[name])] for name in names if takes_handles(name)}


def finish(complaints: list[str]) -> None:
    found = [complaint for complaint in complaints if complaint]
    assert not found, f"{len(found)} of {len(complaints)} calls\n" + "\n".join(found)
    print(len(complaints), "calls")

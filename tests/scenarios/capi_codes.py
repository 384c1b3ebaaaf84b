"""Wrong calls of the functions of `taichi_aot.capi`: what they raise, for the table in docs/capi.md.

The prototypes in the headers give the parameters, and so the wrong arguments, of each function; `MORE` has the calls
whose arguments are wrong only together, or in a member of a structure.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from helpers.inside import c_type
from helpers.raising import raised

from scenarios import ArchName
from scenarios.capi import HANDLES, NOWHERE, OF_ARCH, SIZE, World, calls_of_other_archs, functions, good_for, inputs
from taichi_aot import ErrorCode, capi

Wrong = tuple[str, Any]  # what is wrong, and the argument


def wrong_arguments(world: World, other: World, function: str, kind: str, name: str, good: Any) -> Iterator[Wrong]:
    """Yield wrong arguments for a parameter of a C type."""
    numbers = {"device_index": 1000, "ptr": 0, "memory_size": 0, "api_version": 0, "layout": 77, "view_type": 77}
    if kind in HANDLES:
        yield from wrong_handles(world, other, function, kind)
    elif kind == "const char *":
        yield from (("None", None), ("another type", 5))
        yield "a null character", "a\0b"
        if function != "set_last_error":
            yield "unknown", "unknown"
    elif kind == "const void *" or (kind.endswith(("[]", "*")) and kind != "void *"):
        yield from (("None", None), ("another type", 5))
        if kind == "const void *":
            yield "damaged", b"PK"
        elif good and kind.endswith("[]"):
            yield "an item of another type", [5]
    elif kind == "bool" or c_type(kind).kind != "enum":
        yield from (("another type", "x"), ("does not fit", 2**70))
        if name in numbers:
            yield "out of range", numbers[name]
    else:
        yield from (("another type", "x"), ("unknown", 77))


def wrong_handles(world: World, other: World, function: str, kind: str) -> Iterator[Wrong]:
    """Yield handles that are null, of another type, freed, or of another runtime."""
    cls = getattr(capi, kind)
    if kind != "TiSampler":  # a null sampler is the default
        yield "null", cls()
        yield "None", None
    yield "another type", 5
    if kind not in ("TiSampler", "TiImage") or (kind == "TiImage" and world.arch == "vulkan"):
        yield "freed", world.freed(kind)
    handles = {"TiMemory": "memory", "TiImage": "image", "TiKernel": "kernel", "TiComputeGraph": "graph"}
    if hasattr(other, handles.get(kind, "")):
        yield "of another runtime", getattr(other, handles[kind])


def changed(structure: Any, **members: Any) -> Any:
    copy = structure.copy()
    for name, value in members.items():
        setattr(copy, name, value)
    return copy


def with_unknown_type(world: World) -> list[capi.TiArgument]:
    arguments = world.arguments()
    structure: Any = arguments[0].c  # without the checks of its members
    structure.type = 77
    return arguments


def with_array(world: World, **members: Any) -> list[capi.TiArgument]:
    arguments = world.arguments()
    for name, value in members.items():
        setattr(arguments[2].value.ndarray, name, value)
    return arguments


def named(world: World, *names: str) -> list[capi.TiNamedArgument]:
    arguments = zip(names, world.arguments(), strict=False)
    return [capi.TiNamedArgument(name=name, argument=argument) for name, argument in arguments]


# What is wrong, by function, and the arguments.
Call = Callable[[World, World], Sequence[Any]]


def launch(arguments: Call) -> Call:
    """Return the arguments of a launch of the kernel with these."""
    return lambda w, o: (w.runtime, w.kernel, arguments(w, o))


MORE: dict[str, dict[str, Call]] = {
    "create_runtime": {"`arch` without a device": lambda w, o: (capi.TiArch.TI_ARCH_METAL, 0)},
    "allocate_memory": {
        "size 0": lambda w, o: (w.runtime, changed(w.memory_info(), size=0)),
        "too large": lambda w, o: (w.runtime, changed(w.memory_info(), size=2**62)),
    },
    "free_memory": {"mapped": lambda w, o: (w.runtime, w.mapped_memory())},
    "map_memory": {
        "mapped already": lambda w, o: (w.runtime, w.mapped_memory()),
        "without `host_read` and `host_write`": lambda w, o: (
            w.runtime,
            capi.allocate_memory(w.runtime, changed(w.memory_info(), host_read=False, host_write=False)),
        ),
    },
    "unmap_memory": {"not mapped": lambda w, o: (w.runtime, w.memory)},
    "load_aot_module": {"for another arch": lambda w, o: (w.runtime, o.path)},
    "launch_kernel": {
        "too few arguments": launch(lambda w, o: w.arguments()[:2]),
        "too many arguments": launch(lambda w, o: [*w.arguments(), w.arguments()[0]]),
        "an argument of another type": launch(lambda w, o: [w.arguments()[1]] * 3),
        "an unknown type of an argument": launch(lambda w, o: with_unknown_type(w)),
        "another type of elements": launch(lambda w, o: with_array(w, elem_type=capi.TiDataType.TI_DATA_TYPE_I32)),
        "another shape of elements": launch(lambda w, o: with_array(w, elem_shape=capi.TiNdShape(1, [4]))),
        "another number of dimensions": launch(lambda w, o: with_array(w, shape=capi.TiNdShape(2, [4, 4]))),
        "more than the memory has": launch(lambda w, o: with_array(w, shape=capi.TiNdShape(1, [17]))),
        "null memory": launch(lambda w, o: with_array(w, memory=None)),
        "freed memory": launch(lambda w, o: with_array(w, memory=w.freed("TiMemory"))),
        "memory of another runtime": launch(lambda w, o: o.arguments()),
    },
    "launch_compute_graph": {
        "a missing argument": lambda w, o: (w.runtime, w.graph, named(w, "foo", "bar")),
        "a name twice": lambda w, o: (w.runtime, w.graph, [*named(w, "foo", "bar", "baz"), *named(w, "foo")]),
        "no name": lambda w, o: (w.runtime, w.graph, [*named(w, "foo", "bar"), capi.TiNamedArgument()]),
    },
    "copy_memory_device_to_device": {
        "sizes differ": lambda w, o: (
            w.runtime,
            w.memory_slice(w.other_memory),
            changed(w.memory_slice(w.memory), size=SIZE - 4),
        ),
        "beyond the memory": lambda w, o: (
            w.runtime,
            changed(w.memory_slice(w.other_memory), offset=4),
            w.memory_slice(w.memory),
        ),
        "the ranges overlap": lambda w, o: (w.runtime, w.memory_slice(w.memory), w.memory_slice(w.memory)),
    },
}
ON_VULKAN: dict[str, dict[str, Call]] = {
    "allocate_image": {
        "unknown format": lambda w, o: (w.runtime, changed(w.image_info(), format=0)),
        "more than 1 level": lambda w, o: (w.runtime, changed(w.image_info(), mip_level_count=2)),
        "extent 0": lambda w, o: (w.runtime, changed(w.image_info(), extent=capi.TiImageExtent(0, 4, 1, 1))),
    },
    "copy_image_device_to_device": {
        "the parts overlap": lambda w, o: (w.runtime, w.image_slice(w.image), w.image_slice(w.image))
    },
}


def table(arch: ArchName, path: str, path_of_another_arch: ArchName) -> None:
    """Print a line of JSON for each wrong call: function, what is wrong, class, code, message."""
    world, other = World(arch, path), World(arch, path)
    nowhere = NOWHERE.keys() - OF_ARCH[arch].keys()
    for function, good in good_for(world).items():
        parameters, arguments = inputs(functions()[function]), list(good(world))
        spelled = list(inspect.signature(getattr(capi, function)).parameters)
        if function in nowhere and takes_runtime(function):
            parameters = parameters[:1]
        for i, (kind, name) in enumerate(parameters):
            for what, wrong in wrong_arguments(world, other, function, kind, name, arguments[i]):
                if function == "set_last_error" and wrong is None:
                    continue  # no message
                note(function, f"`{spelled[i]}`: {what}", [*arguments[:i], wrong, *arguments[i + 1 :]])
        more = MORE.get(function, {}) | (ON_VULKAN.get(function, {}) if arch == "vulkan" else {})
        for what, make in more.items():
            if what == "for another arch":
                other.path = path_of_another_arch
            note(function, what, make(world, other))
    calls = {name: NOWHERE[name](world) for name in sorted(nowhere) if takes_runtime(name)}
    for function, wrong_runtime in (calls_of_other_archs(world) | calls).items():
        note(function, "`runtime`: of an arch without it", wrong_runtime)


def takes_runtime(function: str) -> bool:
    return any(kind == "TiRuntime" for kind, _ in inputs(functions()[function]))


def note(function: str, what: str, arguments: Sequence[Any]) -> None:
    print(f"{function}: {what}", flush=True)  # if the call crashes, this names it
    error = raised(lambda: getattr(capi, function)(*arguments))
    code = getattr(error, "code", None)
    last = capi.get_last_error()
    assert isinstance(code, ErrorCode), (function, what, error)
    assert (str(last), int(last.code)) == (str(error), int(code)), (function, what, last)
    print(json.dumps([function, what, type(error).__name__, code.name, general(str(error))]), flush=True)


def general(message: str) -> str:
    """Return a message with "…" for numbers, addresses and names that differ between machines and archs."""
    message = re.sub(r"0x[0-9a-f]+|'?/[^ ]*|(?<=, it has ).*|(?<=compiled for ).*(?= and)", "…", message)
    message = re.sub(r"(?<= arch )[a-z]\w+|(?<=compile it with ).*", "…", message)
    return re.sub(r"(?<![\w^])-?\d[\d,.]*\b", "…", message)

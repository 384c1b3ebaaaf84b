"""A random walk through the functions of `taichi_aot.capi`, in a process that a fault would crash.

Each step calls one function. Its arguments are drawn by C type: handles of any runtime, alive or freed, structures with
drawn members, and now and then any object. A call returns or raises one of `ANSWERS`. Addresses (host memory, Vulkan
objects) are always valid, because the package cannot check them.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

from helpers.inside import c_type
from helpers.walking import run_walks
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from scenarios import ArchName
from scenarios.capi import ANSWERS, HANDLES, SIZE, UNKNOWN, World, functions, inputs
from taichi_aot import capi

WALKS = 6  # for each seed
MOST = 30  # handles of each kind
NUMBERS = st.sampled_from((0, 1, 2, 3, 4, 16, 64, SIZE, SIZE + 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1, -1, 2**64))
ANYTHING = st.sampled_from((None, 0, -1, 2**64, 1.5, "foo", "", "\0", b"", [], {}, object(), capi.TiRuntime, 10**30))
# Functions that take unchecked addresses or change the process; `vouch` calls some of them with valid addresses.
LEFT_OUT = {
    "import_cpu_memory",
    "import_cuda_memory",
    "set_cuda_stream",
    "import_vulkan_runtime",
    "import_vulkan_memory",
    "import_vulkan_image",
    "create_vulkan_runtime_ext",
    "import_opengl_runtime",
    "import_opengl_memory",
    "import_opengl_image",
}
FUNCTIONS = {name: inputs(prototype) for name, prototype in functions().items() if name not in LEFT_OUT}
# Functions that make objects for others are called more often.
MAKERS = ("allocate_memory", "load_aot_module", "get_aot_module_kernel", "get_aot_module_compute_graph", "map_memory")
LAUNCHERS = ("launch_kernel", "launch_compute_graph")
NAMES = st.sampled_from((*FUNCTIONS, *2 * MAKERS, *3 * LAUNCHERS))


class Walk(RuleBasedStateMachine):
    """One walk; class attributes name the arch and the module."""

    arch: ArchName
    path = ""
    counts: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.handles: dict[str, list[Any]] = {kind: [] for kind in HANDLES}
        self.structures: list[Any] = []
        self.host = ctypes.create_string_buffer(4096)

    @initialize()
    def begin(self) -> None:
        world = World(self.arch, self.path)
        self.world = world
        for thing in vars(world).values():
            self.keep(thing)

    # Results.

    def keep(self, thing: Any) -> None:
        kind = type(thing).__name__
        if kind in self.handles:
            self.handles[kind].append(thing)
            if len(self.handles[kind]) > MOST:
                del self.handles[kind][1:5]

    def attempt(self, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            result = call(*arguments)
        except ANSWERS:
            self.counts["raised"] += 1
            return None
        self.counts["returned"] += 1
        self.keep(result)
        return result

    # Arguments.

    def draw(self, data: Any, kind: str) -> Any:
        """Draw an argument of a C type."""
        if data.draw(st.integers(0, 19)) == 0:
            return data.draw(ANYTHING)
        if kind in self.handles:
            return self.handle(data, kind)
        if kind.endswith("[]"):
            return self.sequence(data, kind.removeprefix("const ").removesuffix(" *[]"))
        if kind == "const char *":
            return data.draw(st.sampled_from((self.path, "foo", "bar", "x", "/", "\udc80", "x" * 300)))
        if kind == "const void *":
            return data.draw(st.binary(max_size=30))
        if kind.endswith("*"):
            return self.structure(data, kind.removeprefix("const ").removesuffix(" *"))
        return self.number(data, c_type(kind))

    def handle(self, data: Any, kind: str) -> Any:
        handles = self.handles[kind]
        # The newest handles are alive more often.
        number = data.draw(st.integers(0, len(handles)))
        return handles[-number] if number else getattr(capi, kind)()

    def number(self, data: Any, ctype: Any) -> Any:
        if ctype.kind == "enum":
            return data.draw(st.sampled_from((*(n for n in ctype.elements if n < 2**31), 77, -1)))
        return data.draw(NUMBERS)

    def sequence(self, data: Any, kind: str) -> Any:
        if kind not in ("TiArgument", "TiNamedArgument"):
            return [self.structure(data, kind) for _ in range(data.draw(st.integers(0, 3)))]
        arguments: list[Any] = self.world.arguments()
        memory = self.handle(data, "TiMemory")
        self.attempt(setattr, arguments[2].value.ndarray, "memory", memory)
        for _ in range(data.draw(st.integers(0, 2))):
            self.fill(data, arguments[data.draw(st.integers(0, 2))])
        if kind == "TiNamedArgument":
            names = [data.draw(st.sampled_from((name, name, name, "qux"))) for name in ("foo", "bar", "baz")]
            arguments = [
                capi.TiNamedArgument(name=name, argument=argument)
                for name, argument in zip(names, arguments, strict=True)
            ]
        count = data.draw(st.sampled_from((3, 3, 3, 3, 2, 0)))
        return arguments[:count] if data.draw(st.booleans()) else type(arguments[0]).array(arguments[:count])

    def structure(self, data: Any, kind: str) -> Any:
        """Draw a structure: a good or an empty one with up to two members drawn."""
        good = {
            "TiMemoryAllocateInfo": self.world.memory_info,
            "TiImageAllocateInfo": self.world.image_info,
            "TiMemorySlice": lambda: self.world.memory_slice(self.handle(data, "TiMemory")),
            "TiImageSlice": lambda: self.world.image_slice(self.handle(data, "TiImage")),
        }.get(kind, getattr(capi, kind))()
        for _ in range(data.draw(st.integers(0, 2))):
            self.fill(data, good)
        return good

    def fill(self, data: Any, structure: Any) -> None:
        """Redraw one member, with or without the structure's checks."""
        name, field = data.draw(st.sampled_from(c_type(type(structure).__name__).fields))
        ctype = field.type
        if (
            type(structure).__name__ == "TiArgument"
            and structure.c.type == capi.TiArgumentType.TI_ARGUMENT_TYPE_NDARRAY
        ):
            self.fill(data, structure.value.ndarray)  # another member of the union could change part of its address
        elif ctype.kind in ("struct", "union"):
            self.fill(data, getattr(structure, name))
        elif ctype.kind == "enum":
            if data.draw(st.booleans()):
                structure.c.__setattr__(name, data.draw(st.sampled_from((0, 1, 2, 3, 5, 12, UNKNOWN))))
            else:
                self.attempt(setattr, structure, name, self.number(data, ctype))
        elif ctype.kind == "primitive":
            self.attempt(setattr, structure, name, data.draw(st.one_of(NUMBERS, ANYTHING)))
        elif ctype.kind == "array":
            place = data.draw(st.integers(0, 3))
            self.attempt(getattr(structure, name).__setitem__, place, data.draw(NUMBERS))
        elif ctype.cname.startswith("struct Ti"):
            kind = ctype.cname.removeprefix("struct ").removesuffix("_t *")
            self.attempt(setattr, structure, name, self.handle(data, kind))

    # Steps.

    @rule(name=NAMES, data=st.data())
    def call(self, name: str, data: Any) -> None:
        if name == "create_runtime" and len(self.handles["TiRuntime"]) > 5:
            return
        arguments = [self.draw(data, kind) for kind, _ in FUNCTIONS[name]]
        self.attempt(getattr(capi, name), *arguments)

    @rule(data=st.data(), value=st.integers(0, 255))
    def write(self, data: Any, value: int) -> None:
        """Map memory and write to it, as a program does."""
        runtime, memory = self.world.runtime, self.handle(data, "TiMemory")
        address = self.attempt(capi.map_memory, runtime, memory)
        if address is not None:
            ctypes.memset(address, value, 1)
            assert ctypes.string_at(address, 1) == bytes([value])
            self.attempt(capi.unmap_memory, runtime, memory)

    @rule(data=st.data())
    def vouch(self, data: Any) -> None:
        """Call functions that take addresses, with valid ones."""
        runtime = self.handle(data, "TiRuntime")
        self.attempt(capi.import_cpu_memory, runtime, ctypes.addressof(self.host), 4096)
        info = self.attempt(capi.export_vulkan_memory, runtime, self.handle(data, "TiMemory"))
        if info is not None:
            self.attempt(capi.import_vulkan_memory, runtime, info)

    def teardown(self) -> None:
        for runtime in self.handles["TiRuntime"]:
            self.attempt(capi.destroy_runtime, runtime)


def walk(arch: ArchName, path: str, first_seed: str, seconds: str) -> None:
    """Make walks of up to 100 steps, `WALKS` per seed; print each seed before its walks."""
    Walk.arch, Walk.path = arch, path
    run_walks(Walk, Walk.counts, int(first_seed), float(seconds), walks=WALKS, after=lambda: None)

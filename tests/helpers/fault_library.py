"""Compile a C-API library whose calls can be made to fail (``fault_library/library.c``), and control it in a child."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from helpers.headers import ROOT, build_ffi
from helpers.inside import stand_in_for_vulkan_loader

SOURCE = Path(__file__).parent / "fault_library" / "library.c"
OPTIONS = ["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-shared"]

# Kinds of objects, by what makes them. Imported host memory stays in the library's table, and command buffers and
# descriptor sets go with their pools.
MADE = {
    "ti_create_runtime": "runtime",
    "ti_create_vulkan_runtime_ext": "runtime",
    "ti_import_vulkan_runtime": "runtime",
    "ti_allocate_memory": "memory",
    "ti_import_vulkan_memory": "memory",
    "ti_map_memory": "mapping",
    "ti_allocate_image": "image",
    "ti_import_vulkan_image": "image",
    "ti_load_aot_module": "module",
    "ti_create_aot_module": "module",
}
RELEASED = {
    "ti_destroy_runtime": "runtime",
    "ti_free_memory": "memory",
    "ti_unmap_memory": "mapping",
    "ti_free_image": "image",
    "ti_destroy_aot_module": "module",
}
# Functions of Vulkan that the package finds by an instance, or without one.
ON_INSTANCE = (
    "CreateInstance",
    "DestroyInstance",
    "EnumerateInstanceExtensionProperties",
    "EnumeratePhysicalDevices",
    "EnumerateDeviceExtensionProperties",
    "CreateDevice",
)
# What `library.c` does after a call.
AFTER = {
    "ti_wait": "if (!fails) memset(fences_in_use, 0, sizeof fences_in_use);",  # the queue is idle
    "vkQueueWaitIdle": "if (!fails) memset(fences_in_use, 0, sizeof fences_in_use);",
    "vkQueueSubmit": "if (result == VK_SUCCESS) begin_use(p3);",
    "vkWaitForFences": "if (fails) await(p0, *p2);\n  if (result == VK_SUCCESS || result == DEVICE_LOST) end_use(*p2);",
    "vkGetFenceStatus": "if (!fails && result != NOT_READY) end_use(p1);",
    "vkResetFences": "check_unused(*p2);",
    "vkDestroyFence": "check_unused(p1);",
    "vkCmdPipelineBarrier": "wide_barriers += p1 == VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;",
}


class _Function(NamedTuple):
    name: str
    result: str
    types: tuple[str, ...]

    @property
    def is_vulkan(self) -> bool:
        return self.name.startswith("vk")

    @property
    def made(self) -> str | None:
        if match := re.fullmatch(r"vk(?:Create|Allocate)(?:Compute)?(\w+?)s?", self.name):
            return None if match[1] in ("CommandBuffer", "DescriptorSet") else f"vk{match[1]}"
        return MADE.get(self.name)

    @property
    def released(self) -> str | None:
        if match := re.fullmatch(r"vk(?:Destroy|Free)(\w+)", self.name):
            return f"vk{match[1]}"
        return RELEASED.get(self.name)

    def forwarder(self) -> str:
        parameters = ", ".join(f"{kind} p{i}" for i, kind in enumerate(self.types)) or "void"
        arguments = ", ".join(f"p{i}" for i in range(len(self.types)))
        kind = f"{self.result} (*)({', '.join(self.types) or 'void'})"
        call = f"ORIGINAL({self.name}, {kind})({arguments})"
        linkage = "static" if self.is_vulkan else "TI_DLL_EXPORT"
        returns = self.result != "void"
        lines = [f"{linkage} {self.result} {self.name}({parameters}) {{"]
        if self.is_vulkan and not returns:  # it cannot fail
            released = [f"  functions[NUMBER_{self.name}].balance -= 1;"] if self.released else []
            return "\n".join([*lines, *released, f"  {call};", f"  {AFTER.get(self.name, '')}", "}"])
        lines += [
            f"  function *called = &functions[NUMBER_{self.name}];",
            "  const bool fails = counts_to_failure(called);",
        ]
        if returns:
            lines += [f"  {self.result} result = {'(VkResult)fault.code' if self.is_vulkan else '0'};"]
        # A call that releases has done so, even where it reports a failure.
        lines += [f"  {'' if self.released else 'if (!fails) '}{'result = ' * returns}{call};"]
        if self.made:
            lines += [f"  called->balance += {'result == VK_SUCCESS' if self.is_vulkan else 'result != NULL'};"]
        if self.released:
            lines += ["  called->balance -= 1;"]
        if not self.is_vulkan:
            lines += ["  if (fails) report_failure(called->name);"]
        lines += [f"  {AFTER.get(self.name, '')}"]
        return "\n".join([*lines, *["  return result;"] * returns, "}"])


def _functions() -> list[_Function]:
    """Return the functions of the C-API, and those of Vulkan that the package's C calls."""
    _, prototypes = build_ffi.read_declarations()
    found = [_Function(p.name, p.result, tuple(kind for kind, _ in p.parameters)) for p in prototypes]
    drivers = ROOT / "include" / "drivers"
    text = "".join(
        (drivers / name).read_text(encoding="utf-8")
        for name in ("vulkan_subset.h", "vulkan_commands.h", "vulkan_labels.h", "vulkan_devices.h")
    )
    headers = "".join(header.read_text(encoding="utf-8") for header in build_ffi.own_headers())
    used = re.findall(r"\bF\((\w+)\)", headers)
    assert len(used) > 20
    for name in (*used, *ON_INSTANCE):
        match = re.search(rf"typedef (\w+) \([\w ]*\*PFN_vk{name}\)\(([^;]*)\);", text)
        assert match is not None, f"include/drivers does not declare vk{name}"
        found.append(_Function(f"vk{name}", match[1], tuple(" ".join(kind.split()) for kind in match[2].split(","))))
    return found


def _quoted(text: str | None) -> str:
    return f'"{text}"' if text else "NULL"


def _forwarders() -> str:
    functions = _functions()
    finders = ("vkGetInstanceProcAddr", "vkGetDeviceProcAddr")
    numbers = [f"  NUMBER_{name}," for name in (*(f.name for f in functions), *finders)]
    rows = [
        f"  {{{_quoted(f.name)}, {f'(any_function){f.name}' if f.is_vulkan else 'NULL'}, NULL, "
        f"{_quoted(f.made or f.released)}, 0, 0}},"
        for f in functions
    ]
    rows += [f"  {{{_quoted(name)}, NULL, NULL, NULL, 0, 0}}," for name in finders]
    bodies = [f.forwarder() for f in functions if f.name not in build_ffi.UNCHECKED]
    table = ["static function functions[] = {", *rows, "};"]
    return "\n".join(["enum {", *numbers, "  COUNT", "};", *bodies, *table, ""])


def compile_library(folder: Path, real: Path) -> Path:
    """Compile the library into a folder for ``TAICHI_C_API_INSTALL_DIR``; it forwards to the library `real`."""
    (folder / "forwarders.h").write_text(_forwarders(), encoding="utf-8")
    (folder / "lib").mkdir()
    (folder / "runtime").symlink_to(real.parents[1] / "runtime")
    target = folder / "lib" / "libtaichi_c_api.so"
    includes = ["-I", str(ROOT / "include"), "-I", str(folder)]
    command = ["cc", *OPTIONS, *includes, f'-DREAL_LIBRARY="{real}"', "-o", str(target), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True, timeout=600)
    return folder


class FaultLibrary:
    """The library in this process, by its file, which the package has loaded."""

    cached = 0  # objects that are made again when they are needed
    misuse = "fences", "a fence was reset or destroyed while the device used it"

    def __init__(self, path: str) -> None:
        self._c = ctypes.PyDLL(path)
        self._c.faults_function.restype = ctypes.c_char_p
        self._c.faults_function.argtypes = [ctypes.c_size_t, *[ctypes.c_void_p] * 3]
        self._c.faults_arm.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int]
        for function in (self._c.faults_fired, self._c.faults_misused, self._c.faults_wide_barriers):
            function.restype = ctypes.c_long
        stand_in_for_vulkan_loader(path)

    def arm(self, name: str = "", index: int = -1, code: int = 0) -> None:
        """Count calls from 0 again, and make the call of this number of a function fail; none without a name."""
        self._c.faults_arm(name.encode(), index, code)

    @property
    def misused(self) -> int:
        """The number of fences that were reset or destroyed while the device used them."""
        return int(self._c.faults_misused())

    @property
    def wide_barriers(self) -> int:
        """The number of barriers since `arm` that wait for all stages."""
        return int(self._c.faults_wide_barriers())

    @property
    def fired(self) -> bool:
        return bool(self._c.faults_fired())

    def calls(self) -> dict[str, int]:
        """Return the number of calls since `arm` by function."""
        return {name: calls for name, calls, _, _ in self._functions() if calls}

    def alive(self) -> dict[str, int]:
        """Return the number of live objects by kind."""
        counts: dict[str, int] = {}
        for _, _, kind, balance in self._functions():
            if kind:
                counts[kind] = counts.get(kind, 0) + balance
        return {kind: count for kind, count in counts.items() if count}

    def _functions(self) -> list[tuple[str, int, str, int]]:
        calls, kind, balance = ctypes.c_long(), ctypes.c_char_p(), ctypes.c_long()
        found: list[tuple[str, int, str, int]] = []
        pointers = ctypes.byref(calls), ctypes.byref(kind), ctypes.byref(balance)
        while name := self._c.faults_function(len(found), *pointers):
            found.append((name.decode(), calls.value, (kind.value or b"").decode(), balance.value))
        return found

"""Bad calls of every function, generated from the headers' prototypes: each raises, none crashes the process."""

import pytest
from helpers.child import run_in_child
from scenarios.capi import (
    ANYWHERE,
    NOWHERE,
    OF_ARCH,
    another_runtime,
    another_thread,
    bad_arguments,
    closed_runtime,
    functions,
    large_opengl_memory,
    other_archs,
)

from taichi_aot import Arch, capi


def test_tables_list_every_function():
    assert {name for table in (ANYWHERE, NOWHERE, *OF_ARCH.values()) for name in table} == functions().keys()


@pytest.mark.slow(but=("x64*", "vulkan-other_archs"))
@pytest.mark.parametrize("scenario", [bad_arguments, closed_runtime, another_runtime, other_archs])
def test_bad_call_raises(arch, howto, scenario):
    if (arch, scenario) == (Arch.CUDA, another_runtime):
        pytest.skip("CUDA has one TiRuntime in a process")
    run_in_child(scenario, str(arch), str(howto), quiet=False)


@pytest.mark.parametrize("arch", ["opengl"], indirect=True)
def test_opengl_calls_from_another_thread_raise(arch, howto):
    run_in_child(another_thread, str(arch), str(howto), quiet=False)


@pytest.mark.parametrize("arch", ["opengl"], indirect=True)
def test_memory_opengl_cannot_map_is_not_allocated(arch, howto):
    done = run_in_child(large_opengl_memory, str(arch), str(howto), quiet=False)
    limit = "memory of arch opengl has at most 2147483647 bytes"
    assert [line.partition(" (")[0] for line in done.stdout.splitlines()] == [
        f"{name} {limit}" for name in ("allocate_memory", "Runtime.allocate", "Runtime.zeros")
    ]


@pytest.mark.parametrize("unknown", [0, capi.TiArch.TI_ARCH_RESERVED])
def test_error_names_an_unknown_arch_by_its_number(unknown):
    with pytest.raises(ValueError, match="unknown arch 0; known are 'vulkan', "):
        capi.create_runtime(unknown, 0)

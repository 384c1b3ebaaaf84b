"""`Function.call_async` and `Runtime.wait_async`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.child import child_environment, run_scenario

from taichi_aot import Arch

SCENARIOS = [
    "await_ten_thousand",
    "wait_ten_thousand_times",
    "let_the_loop_run",
    "cancel",
    "carry_errors",
    "close_the_loop",
    "await_in_several_loops",
    "end_the_thread",
    "exit_with_calls",
    "fork_with_calls",
]


@pytest.mark.slow(but=("x64-[!ae]*", "x64-await_in*", "x64-exit*", "x64-fork*", "vulkan-cancel"))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_asyncio_waits_for_functions_and_runtimes(scenario: str, arch: Arch, compiled: Callable[[str], Path]) -> None:
    run_scenario(f"waiting:{scenario}", arch, compiled(str(arch)) / "basic.tcm", timeout=600)


def test_asyncio_is_imported_only_when_used() -> None:
    program = "import sys, taichi_aot; taichi_aot.function; assert 'asyncio' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], env=child_environment(), check=True)

"""Bad calls of all functions, made from the prototypes of the headers: each raises, none ends the process."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.archs import need
from helpers.child import run_scenario
from scenarios.capi import ANYWHERE, NOWHERE, OF_ARCH, functions

from taichi_aot import Arch

KERNELS = Path(__file__).parents[2] / "examples" / "howto" / "kernels.py"
FIRST_SEED = 1  # of the short walk; a long one begins elsewhere each time


@pytest.fixture
def howto(arch: Arch, build_source: Callable[[Path, Arch], Path]) -> Path:
    return build_source(KERNELS, arch)


@pytest.fixture
def opengl_howto(available: tuple[Arch, ...], build_source: Callable[[Path, Arch], Path]) -> Path:
    if Arch.OPENGL not in available:
        need("opengl", "no such device on this machine")
    return build_source(KERNELS, Arch.OPENGL)


def test_no_function_is_left_out() -> None:
    tables = [ANYWHERE, NOWHERE, *OF_ARCH.values()]
    names = [name for table in tables for name in table]
    assert sorted(names) == sorted(functions())


SCENARIOS = ["bad_arguments", "closed_runtime", "another_runtime", "other_archs"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_bad_call_raises(arch: Arch, howto: Path, scenario: str) -> None:
    run_scenario(f"capi:{scenario}", arch, howto, quiet=False, timeout=120)


@pytest.mark.parametrize("scenario", [*SCENARIOS, "another_thread"])
def test_bad_call_raises_on_opengl(opengl_howto: Path, scenario: str) -> None:
    run_scenario(f"capi:{scenario}", "opengl", opengl_howto, quiet=False, timeout=120)


def test_random_walk(arch: Arch, howto: Path, walk_minutes: float, capsys: pytest.CaptureFixture[str]) -> None:
    """By default 10 s, with ``--slow`` half an hour; the output of a child that ends early has the last seed."""
    first_seed = FIRST_SEED if walk_minutes < 1 else int(time.time())
    seconds = 30 * walk_minutes
    done = run_scenario("capi_walk:walk", arch, howto, first_seed, seconds, quiet=False, timeout=2 * seconds + 120)
    if walk_minutes >= 1:
        with capsys.disabled():
            print(f"\n{arch} from seed {first_seed}: {done.stdout.splitlines()[-1]}")

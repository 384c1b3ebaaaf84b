"""A random walk through the public API, with hostile arguments, signal handlers and reentrant finalizers."""

import time

import pytest
from helpers.child import run_in_child
from scenarios.walk import walk

FIRST_SEED = 1  # of the short walk; long walks draw a new seed each time


@pytest.mark.slow(but="vulkan")
@pytest.mark.scaled
def test_random_walk_does_not_crash(arch, modules, walk_minutes, capsys):
    """If the child crashes, its output ends with the last seed."""
    first_seed = FIRST_SEED if walk_minutes < 1 else int(time.time())
    seconds = 60 * walk_minutes
    done = run_in_child(
        walk, str(arch), modules / "basic.tcm", first_seed, seconds, quiet=False, timeout=2 * seconds + 120
    )
    if walk_minutes >= 1:
        with capsys.disabled():
            print(f"\n{arch} from seed {first_seed}: {done.stdout.splitlines()[-1]}")

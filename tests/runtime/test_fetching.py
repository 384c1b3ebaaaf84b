"""LLVM kernels are fetched on first use; the library reads their code from a folder."""

import sys

import pytest
from helpers.child import run_scenario

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scenarios need POSIX")

SCENARIOS = [
    "fetch_when_used",
    "fetch_after_the_folder_has_vanished",
    "fetch_in_every_order",
    "fetch_from_threads",
    "interrupt_fetches",
    "fetch_on_a_full_disk",
    "fetch_from_a_locked_folder",
    "fetch_from_a_taken_folder",
    "fetch_in_a_forked_child",
    "fetch_through_the_c_api",
    "kill_while_fetching",
]


@pytest.mark.slow(but=("fetch_when_used", "fetch_after*", "fetch_on*", "fetch_in_a*", "fetch_through*"))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_kernels_are_fetched_on_first_use(compiled, tmp_path, scenario):
    module = compiled("x64") / "basic.tcm"
    quiet = scenario != "fetch_in_a_forked_child"  # newer Pythons warn about fork() with threads
    run_scenario(f"fetching:{scenario}", module, env={"TMPDIR": str(tmp_path)}, quiet=quiet)

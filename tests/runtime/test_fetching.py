"""LLVM kernels are fetched on first use; the library reads their code from a folder."""

import sys

import pytest
from helpers.child import run_in_child
from scenarios import fetching

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scenarios need POSIX")

SCENARIOS = [
    fetching.fetch_when_used,
    fetching.fetch_after_the_folder_has_vanished,
    fetching.fetch_in_every_order,
    fetching.fetch_from_threads,
    fetching.interrupt_fetches,
    fetching.fetch_on_a_full_disk,
    fetching.fetch_from_a_locked_folder,
    fetching.fetch_from_a_taken_folder,
    fetching.fetch_in_a_forked_child,
    fetching.fetch_through_the_c_api,
    fetching.kill_while_fetching,
]


@pytest.mark.slow(but=("fetch_when_used", "fetch_after*", "fetch_on*", "fetch_in_a*", "fetch_through*"))
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_kernels_are_fetched_on_first_use(compiled, tmp_path, scenario):
    module = compiled("x64") / "basic.tcm"
    quiet = scenario != fetching.fetch_in_a_forked_child  # newer Pythons warn about fork() with threads
    run_in_child(scenario, module, env={"TMPDIR": str(tmp_path)}, quiet=quiet)

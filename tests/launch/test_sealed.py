"""Runtimes need no imports, launches need no files either, and a call that raises has not launched."""

import sys

import pytest
from helpers.child import run_in_child
from scenarios.sealed import create_and_close, launch_in_every_form, use_everything

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scenarios need POSIX")


@pytest.mark.usefixtures("c_library")
def test_runtimes_import_nothing(arch):
    """So creating one where a limit is reached raises the error about that."""
    run_in_child(create_and_close, arch)


@pytest.mark.slow(but="x64-use_everything")
@pytest.mark.parametrize("scenario", [launch_in_every_form, use_everything])
def test_launches_import_nothing_and_open_no_file(arch, basic, scenario):
    run_in_child(scenario, arch, basic)

"""Signals end commands as by their default action, without leaving processes or files."""

import sys

import pytest
from helpers.child import run_in_child
from scenarios.children import signalled

FOREVER = ("forever", "n=1000000", "out=zeros:4", "--arch", "x64")


@pytest.mark.slow(but=("SIGTERM-run*", "SIGHUP-validate*"))
@pytest.mark.skipif(sys.platform != "linux", reason="looks for the child in /proc")
@pytest.mark.parametrize(
    ("signal", "command", "arguments"),
    [
        *((name, "run", (*FOREVER, "--out", "out=out.npy")) for name in ("SIGTERM", "SIGHUP", "SIGKILL")),
        ("SIGTERM", "bench", FOREVER),
        ("SIGHUP", "validate", ("--arch", "x64")),
    ],
)
def test_signal_leaves_no_processes_and_no_files(signal, command, arguments, bundle, tmp_path):
    run_in_child(signalled, signal, tmp_path, command, bundle, *arguments)

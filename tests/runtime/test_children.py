"""Child processes of the package: their limits, and that nothing of them is left however they end."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from helpers.child import run_scenario

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits and signals of POSIX")


def run_empty(folder: Path, name: str, *arguments: object) -> None:
    """Run a scenario, which must leave nothing among the temporary files."""
    temporary = folder / "temporary"
    temporary.mkdir()
    run_scenario(f"children:{name}", *arguments, env={"TMPDIR": str(temporary)})
    assert list(temporary.iterdir()) == []


def test_children_have_limits(tmp_path):
    run_empty(tmp_path, "limits")


def test_processes_that_a_child_has_started(tmp_path):
    run_empty(tmp_path, "others")


def test_children_that_are_ended(tmp_path):
    run_empty(tmp_path, "ended")


def test_child_that_lost_its_parent_before_it_began(tmp_path):
    run_empty(tmp_path, "late", tmp_path / "mark")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell a child that its parent has ended")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_no_child_outlives_its_parent(name, tmp_path):
    run_empty(tmp_path, "orphan", name, tmp_path / "pid")

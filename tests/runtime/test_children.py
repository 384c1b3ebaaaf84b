"""Child processes of the package have limits, and leave nothing behind however they end."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from helpers.child import run_scenario

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX limits and signals")


def run_empty(folder: Path, name: str, *arguments: object) -> None:
    """Run a scenario that must leave no temporary files."""
    temporary = folder / "temporary"
    temporary.mkdir()
    run_scenario(f"children:{name}", *arguments, env={"TMPDIR": str(temporary)})
    assert list(temporary.iterdir()) == []


def test_children_have_limits(tmp_path):
    run_empty(tmp_path, "limit_children")


def test_processes_of_a_child_are_killed_with_it(tmp_path):
    run_empty(tmp_path, "kill_what_a_child_started")


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_full_disk_is_named(tmp_path):
    run_empty(tmp_path, "fill_the_disk")


def test_child_can_be_ended_before_and_after_its_start(tmp_path):
    run_empty(tmp_path, "end_a_child")


def test_child_of_a_dead_parent_does_nothing(tmp_path):
    run_empty(tmp_path, "start_after_the_parent_ended", tmp_path / "mark")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_no_child_outlives_its_parent(name, tmp_path):
    run_empty(tmp_path, "end_the_parent", name, tmp_path / "pid")

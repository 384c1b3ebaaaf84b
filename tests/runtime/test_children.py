"""Child processes of the package have limits, and leave nothing behind however they end."""

import sys

import pytest
from helpers.child import run_in_child
from scenarios import children

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX limits and signals")


def run_empty(folder, function, *arguments):
    """Run a function that must leave no temporary files."""
    temporary = folder / "temporary"
    temporary.mkdir()
    run_in_child(function, *arguments, env={"TMPDIR": str(temporary)})
    assert list(temporary.iterdir()) == []


def test_children_have_limits(tmp_path):
    run_empty(tmp_path, children.limit_children)


def test_processes_of_a_child_are_killed_with_it(tmp_path):
    run_empty(tmp_path, children.kill_what_a_child_started)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_full_disk_is_named(tmp_path):
    run_empty(tmp_path, children.fill_the_disk)


def test_child_can_be_ended_before_and_after_its_start(tmp_path):
    run_empty(tmp_path, children.end_a_child)


def test_child_of_a_dead_parent_does_nothing(tmp_path):
    run_empty(tmp_path, children.start_after_the_parent_ended, str(tmp_path / "mark"))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_no_child_outlives_its_parent(name, tmp_path):
    run_empty(tmp_path, children.end_the_parent, name, str(tmp_path / "pid"))

"""``in_child`` and ``run_in_child`` pass arguments on and report how a child ends."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest
from helpers.child import in_child, run_in_child


@pytest.fixture
def words(tmp_path):
    return ["two", "three"], tmp_path


@in_child
def test_child_gets_the_values_of_fixtures(arch, words):
    assert f"{arch}" in ("x64", "vulkan", "cuda", "opengl")
    assert words[0] == ["two", "three"]
    assert isinstance(words[1], Path)
    assert "PYTEST_CURRENT_TEST" in os.environ
    assert "conftest" not in sys.modules


def skip():
    pytest.skip("not here")


def test_child_skips_its_test():
    with pytest.raises(pytest.skip.Exception, match="not here"):
        run_in_child(skip)


def echo(*args):
    print(*args)


def fail():
    print("this far")
    raise ValueError("on purpose")


def leave(status):
    sys.exit(status)


def complain():
    print("a complaint", file=sys.stderr)


def hang():
    time.sleep(60)


@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (fail, (), r"exit 1\nthis far\n(?s:.*)on purpose"),
        (leave, (3,), "exit 3"),
        (leave, (0,), "ended early"),
        (complain, (), "wrote to stderr\n\na complaint|wrote to stderr"),
        (echo, ("[Taichi] a message",), "the library wrote to stdout"),
    ],
)
def test_failure_shows_the_output(function, args, message):
    with pytest.raises(AssertionError, match=message):
        run_in_child(function, *args)


def test_expected_status_passes():
    run_in_child(leave, 3, status=3)


def test_hang_fails_with_a_traceback():
    with pytest.raises(pytest.fail.Exception, match=r"did not end within 2 s(?s:.*)in hang"):
        run_in_child(hang, timeout=2)


def interrupt():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(10)
    except KeyboardInterrupt:
        print("interrupted")


def test_sigint_interrupts_although_the_parent_ignores_it():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert run_in_child(interrupt).stdout == "interrupted\n"
    finally:
        signal.signal(signal.SIGINT, before)


def kill_the_server():
    os.kill(os.getppid(), signal.SIGKILL)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="without fork, each child is a new process")
def test_server_that_died_is_replaced():
    for _ in range(2):
        with pytest.raises(ConnectionError, match="the server of children does not answer"):
            run_in_child(kill_the_server)
        assert run_in_child(echo, 1).stdout == "1\n"


@pytest.mark.parametrize("fresh", [False, True])
def test_new_process_gets_the_same(fresh):
    assert run_in_child(echo, 1, "two three", fresh=fresh).stdout == "1 two three\n"

"""``run_scenario`` passes arguments on and reports how a scenario ends."""

import ast
import os
import re
import signal
from pathlib import Path

import pytest
from helpers.child import run_scenario


def test_scenario_gets_strings():
    assert run_scenario("selftest:echo", 1, "two three").stdout == "1 two three\n"


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("fail", (), r"exit 1\nthis far\n(?s:.*)on purpose"),
        ("leave", (3,), "exit 3"),
        ("leave", (0,), "ended early"),
        ("complain", (), "wrote to stderr\n\na complaint|wrote to stderr"),
    ],
)
def test_failure_shows_the_output(name, args, message):
    with pytest.raises(AssertionError, match=message):
        run_scenario(f"selftest:{name}", *args)


def test_expected_status_passes():
    run_scenario("selftest:leave", 3, status=3)


def test_hang_fails_with_a_traceback():
    with pytest.raises(pytest.fail.Exception, match=r"did not end within 2 s(?s:.*)in hang"):
        run_scenario("selftest:hang", timeout=2)


def test_sigint_interrupts_although_the_parent_ignores_it():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert run_scenario("selftest:interrupt").stdout == "interrupted\n"
    finally:
        signal.signal(signal.SIGINT, before)


def scenarios_of(path):
    """Yield a module's functions that take strings and return None, without its helpers."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith(("_", "assert_")):
            kinds = {ast.unparse(argument.annotation) for argument in node.args.args if argument.annotation}
            if kinds <= {"str"} and node.returns is not None and ast.unparse(node.returns) == "None":
                yield node.name


def test_every_scenario_is_run():
    folder = Path(__file__).parent
    text = "".join(path.read_text() for path in [*folder.rglob("test_*.py"), *folder.glob("helpers/*.py")])
    text += "".join(re.findall(r'"\w+:\w+"', "".join(path.read_text() for path in folder.glob("scenarios/*.py"))))
    names = {name: path.stem for path in (folder / "scenarios").glob("[!_]*.py") for name in scenarios_of(path)}
    assert len(names) > 90
    assert [(module, name) for name, module in names.items() if not re.search(rf'[":]{name}"', text)] == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="without fork, each scenario is a new process")
def test_server_that_died_is_replaced():
    for _ in range(2):
        with pytest.raises(ConnectionError, match="the server of scenarios does not answer"):
            run_scenario("selftest:kill_the_server")
        assert run_scenario("selftest:echo", 1).stdout == "1\n"

"""Programs whose kernels are built: how they run in the child process."""

from __future__ import annotations

import re
import textwrap
from typing import NamedTuple

import pytest
from helpers.child import run_in_child
from scenarios.building import run_programs


class Program(NamedTuple):
    """A program, and why it ends early followed by its variable ``seen``."""

    source: str
    result: str


PROGRAMS = {
    "to its end": Program("seen = [__name__, sys.argv]", " ['__main__', ['{file}']]"),
    "time and input": Program("seen = input('number: '), time.sleep(10**6)", " ('', None)"),
    "exit": Program("sys.exit()", " None"),
    "arguments": Program("sys.exit('usage')", "program.py, line 2: it exits with 'usage' None"),
    "exception": Program(
        "def f():\n    return 1 / 0\nf()", "program.py, line 3: ZeroDivisionError: division by zero None"
    ),
    "endless": Program("while True: pass", "program.py, line 2: it ran for 0.2 s None"),
    "waiting": Program("import threading\nthreading.Event().wait()", "program.py, line 3: it ran for 0.2 s None"),
    "catching": Program(
        "while True:\n    try:\n        len('')\n    except:\n        pass", "program.py, line N: it ran for 0.2 s None"
    ),
    "missing pictures": Program(
        "import cv2, cairo.draw as d\nfrom imageio import imread\n"
        "while cv2.waitKey(1) != 27: cv2.imshow('a', 2 * d.line(1)[3].x)\nseen = [*imread('a')]",
        " []",
    ),
    "matplotlib": Program("import os\nseen = os.environ['MPLBACKEND']", " Agg"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_runs_as_main(tmp_path, name):
    file = tmp_path / "program.py"
    file.write_text(f"import sys, time\n{textwrap.dedent(PROGRAMS[name].source)}\n", encoding="utf-8")
    seconds = 0.2 if "0.2 s" in PROGRAMS[name].result else 60
    printed = run_in_child(run_programs, str(tmp_path), "program", str(seconds)).stdout
    expected = PROGRAMS[name].result.replace("{file}", str(file))
    if name == "catching":
        printed = re.sub(r"line \d", "line N", printed)  # any of the loop's lines
    assert printed.splitlines()[:2] == [expected] * 2

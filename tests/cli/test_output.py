"""Output of commands: tables on terminals and in files, JSON, and names with control characters."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.archives import pack, read_archive
from helpers.child import child_environment

from taichi_aot import Arch, devices
from taichi_aot.cli import _output as output
from taichi_aot.cli.main import main
from taichi_aot.demo import mpm88


def on_terminal(*arguments):
    """Run the program on a terminal and return its output."""
    openpty = getattr(os, "openpty", None)
    if openpty is None:
        pytest.skip("needs a pseudo-terminal")
    reader, writer = openpty()
    unset = {"NO_COLOR", "FORCE_COLOR", "TERM"}
    inherited = {name: value for name, value in child_environment().items() if name not in unset}
    subprocess.run(
        [sys.executable, "-m", "taichi_aot", *arguments],
        stdout=writer,
        env={**inherited, "TERM": "xterm", "COLUMNS": "200"},
        timeout=600,
        check=True,
    )
    os.close(writer)
    shown = b""
    while True:
        try:
            part = os.read(reader, 1 << 16)
        except OSError:  # Linux: the other end is closed
            part = b""
        if not part:
            break
        shown += part
    os.close(reader)
    return shown.decode()


def test_headers_are_bold_on_a_terminal():
    shown = on_terminal("devices")
    assert shown.startswith("\x1b[1march\x1b[0m    \x1b[1mnumber\x1b[0m  ")
    assert all(device.name in shown for device in devices())


class Stream(io.StringIO):
    def __init__(self, is_terminal):
        super().__init__()
        self.is_terminal = is_terminal

    def isatty(self):
        return self.is_terminal


@pytest.mark.parametrize(
    ("is_terminal", "variables", "expected"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"TERM": "dumb"}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_colours_follow_the_stream_and_variables(is_terminal, variables, expected, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert output.is_coloured(Stream(is_terminal)) is expected


def test_error_and_warning_are_coloured(monkeypatch, capsys):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    output.print_error(ValueError("no\x1b[2J"))
    output.warn("old")
    assert capsys.readouterr().err == "\x1b[1;31merror:\x1b[0m no\\x1b[2J\n\x1b[33mwarning:\x1b[0m old\n"


HEADERS = ("arch", "device", "us per launch")
ROWS = [("x64", "AMD EPYC of some kind", "1,024"), ("vulkan", "", "2")]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (
            40,
            "arch    device             us per launch\n"
            "x64     AMD EPYC of some   1,024\n"
            "        kind\n"
            "vulkan                     2\n",
        ),
        (
            26,
            "arch    device    us per\n"
            "                  launch\n"
            "x64     AMD EPYC  1,024\n"
            "        of some\n"
            "        kind\n"
            "vulkan            2\n",
        ),
        (20, "arch: x64\ndevice: AMD EPYC of some kind\nus per launch: 1,024\n\narch: vulkan\nus per launch: 2\n"),
    ],
)
def test_table_fits_the_terminal(columns, expected, monkeypatch, capsys):
    monkeypatch.setattr(output, "width_of", lambda stream: columns)
    output.table(HEADERS, ROWS)
    assert capsys.readouterr().out == expected


def test_status_line_is_cut_and_cleared(monkeypatch):
    monkeypatch.setenv("COLUMNS", "10")
    monkeypatch.delenv("TERM", raising=False)
    for is_terminal, expected in ((True, "\r\x1b[Kstep 1 of\r\x1b[K"), (False, "")):
        stream = Stream(is_terminal)
        line = output.StatusLine(stream)
        for text in ("", "step 1 of 20", ""):
            with line:
                if text:
                    line.show(text)
        assert stream.getvalue() == expected


def test_columns_are_aligned(capfd):
    output.table(("arch", "n"), [("x64", 1), ("vulkan", 22)], indent=2)
    assert capfd.readouterr().out == "  arch    n\n  x64     1\n  vulkan  22\n"
    output.table(("arch", "n"), [])
    assert capfd.readouterr().out == "arch  n\n"


def test_json_has_no_nan_and_infinity(capfd):
    """Python would write NaN and Infinity, which other JSON readers reject."""
    output.print_json({1: [float("nan"), float("inf"), (-float("inf"), 1.5)], "é": None})

    def reject(text):
        raise AssertionError(text)

    read = json.loads(capfd.readouterr().out, parse_constant=reject)
    assert read == {"1": ["NaN", "Infinity", ["-Infinity", 1.5]], "é": None}


def test_names_in_a_module_cannot_control_the_terminal(tmp_path, capfd):
    path = tmp_path / "fluid.tcm"
    files = read_archive(mpm88.module_bytes(Arch.VULKAN))
    path.write_bytes(pack({name: d.replace(b'"_mass"', rb'"_\u001b[2Jx"') for name, d in files.items()}))
    code = main(["inspect", str(path)])
    printed = capfd.readouterr()
    assert code in (0, 2)
    assert "\x1b" not in printed.out + printed.err
    output.write("a\x1b[2J\x9b\x00\tb\nc")
    assert capfd.readouterr().out == "a\\x1b[2J\\x9b\\x00\tb\nc\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has file names that are not UTF-8")
def test_file_name_may_be_invalid_utf_8(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"fluid\xff.tib")
    Path(os.fsdecode(path)).write_bytes(mpm88.bundle_bytes())
    for encoding in ("utf-8", "ascii"):
        done = subprocess.run(
            [sys.executable.encode(), b"-m", b"taichi_aot", b"bundle", path, b"-o", path + b".tib", b"--json"],
            env={**child_environment(), "PYTHONIOENCODING": encoding},
            capture_output=True,
            timeout=600,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert json.loads(done.stdout)["path"].endswith("fluid\udcff.tib.tib")

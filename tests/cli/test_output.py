"""Output of commands: tables on terminals and in files, JSON, and names with control characters."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from helpers.child import child_environment

from taichi_aot import Arch, devices
from taichi_aot.cli import _output as output
from taichi_aot.cli.main import main
from taichi_aot.demo import mpm88


def on_terminal(*arguments: str, **variables: str) -> str:
    """Run the program on a terminal and return its output."""
    openpty = getattr(os, "openpty", None)
    if openpty is None:
        pytest.skip("needs a pseudo-terminal")
    reader, writer = openpty()
    unset = {"NO_COLOR", "TERM"}
    inherited = {name: value for name, value in child_environment().items() if name not in unset}
    subprocess.run(
        [sys.executable, "-m", "taichi_aot", *arguments],
        stdout=writer,
        env={**inherited, "TERM": "xterm", "COLUMNS": "200", **variables},
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


def test_table_on_a_terminal_is_drawn_by_rich() -> None:
    if importlib.util.find_spec("rich") is None:
        pytest.skip("needs rich")
    shown = on_terminal("devices")
    assert "\x1b[1m" in shown
    assert all(device.name in shown for device in devices())
    assert "library: " in shown


def test_no_color_is_respected_on_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    shown = on_terminal("devices", NO_COLOR="1")
    assert main(["devices"]) == 0
    assert shown.replace("\r\n", "\n") == capfd.readouterr().out
    assert "\x1b" not in shown


def test_columns_are_aligned(capfd: pytest.CaptureFixture[str]) -> None:
    output.table(("arch", "n"), [("x64", 1), ("vulkan", 22)], indent=2)
    assert capfd.readouterr().out == "  arch    n\n  x64     1\n  vulkan  22\n"
    output.table(("arch", "n"), [])
    assert capfd.readouterr().out == "arch  n\n"


def test_json_has_no_nan_and_infinity(capfd: pytest.CaptureFixture[str]) -> None:
    """Python would write NaN and Infinity, which other JSON readers reject."""
    output.print_json({1: [float("nan"), float("inf"), (-float("inf"), 1.5)], "é": None})

    def reject(text: str) -> None:
        raise AssertionError(text)

    read = json.loads(capfd.readouterr().out, parse_constant=reject)
    assert read == {"1": ["NaN", "Infinity", ["-Infinity", 1.5]], "é": None}


def test_names_in_a_module_cannot_control_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "fluid.tcm"
    path.write_bytes(mpm88.module_bytes(Arch.VULKAN))
    with zipfile.ZipFile(path) as source:
        files = {name: source.read(name) for name in source.namelist()}
    escape = b"\\u001b[2J" + b"x"
    with zipfile.ZipFile(path, "w") as target:
        for name, data in files.items():
            if name != "bundle.json":
                target.writestr(name, data.replace(b'"_mass"', b'"_' + escape + b'"'))
    code = main(["inspect", str(path)])
    printed = capfd.readouterr()
    assert code in (0, 2)
    assert "\x1b" not in printed.out + printed.err
    output.write("a\x1b[2J\x9b\x00\tb\nc")
    assert capfd.readouterr().out == "a\\x1b[2J\\x9b\\x00\tb\nc\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has file names that are not UTF-8")
def test_file_name_may_be_invalid_utf_8(tmp_path: Path) -> None:
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

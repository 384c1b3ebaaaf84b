"""The command ``build``; `tests/build` tests the modules."""

import json
import os
import shlex
import subprocess
import sys

import pytest
from helpers.archs import needs_taichi
from helpers.sources import FILL

import taichi_aot
from taichi_aot.cli.main import main


@needs_taichi
def test_json_describes_the_build(fill, tmp_path, capsys):
    path = tmp_path / "fill.tib"
    assert (
        main(
            ["build", str(fill), "-o", str(path), "--arch", "x64", "--json", "--python", str(tmp_path / "fill_aot.py")]
        )
        == 0
    )
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    (warning,) = report["warnings"]
    assert warning.startswith("fill_aot.py has no functions of numpy arrays for fill: only code for vulkan states")
    assert captured.err == f"warning: {warning}\n"
    assert report["path"] == str(path)
    assert report["kernels"] == ["fill"]
    assert report["modules"]["x64"]["size"] > 1000
    assert (report["skipped"], report["graphs"], report["fields"]) == ({}, [], [])
    assert "FillKernel" in (tmp_path / "fill_aot.py").read_text()


@needs_taichi
def test_every_buildable_arch_is_the_default(fill, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["build", "fill.py", "--cpu-threads", "3", "--caps", "spirv_version=1.4,spirv_has_int64"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("fill.tib: 1 kernel for ")
    assert any("arm64: not built: " in line for line in lines) == any("no machine code" in line for line in lines)
    info = taichi_aot.inspect("fill.tib")
    assert {"x64", "arm64"} & set(map(str, info.archs))
    for arch, module in info.modules.items():
        assert module.kernels["fill"].cpu_threads == (3 if arch.is_cpu else None)
        assert arch.is_llvm or module.spirv_version == (1, 4)


@needs_taichi
def test_compiler_error_exits_with_1(fill, tmp_path, capsys):
    fill.write_text(FILL.replace("= 1", "= one"))
    assert main(["build", str(fill), "-o", str(tmp_path / "x.tib"), "--arch", "x64"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    first, *excerpt = captured.err.splitlines()
    assert first.startswith('error: kernel fill (fill.py, line 9): Name "one" is not defined')
    assert excerpt == ["    x[i] = one", "           ^^^"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_progress_is_shown_on_a_terminal(fill, tmp_path):
    reader, writer = os.openpty()
    command = [
        sys.executable,
        "-m",
        "taichi_aot",
        "build",
        str(fill),
        "-o",
        str(tmp_path / "fill.tib"),
        "--arch",
        "x64",
    ]
    subprocess.run(command, stderr=writer, stdout=subprocess.DEVNULL, check=True, timeout=600)
    os.close(writer)
    shown = os.read(reader, 10_000).decode()
    os.close(reader)
    assert "x64: 0/1 fill" in shown
    assert "x64: done" in shown
    assert shown.endswith("\r\x1b[K")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_build_works_without_standard_error(fill, tmp_path):
    command = shlex.join([sys.executable, "-m", "taichi_aot", "build", str(fill), "--arch", "x64"])
    output = shlex.quote(str(tmp_path / "fill.tib"))
    ended = subprocess.run(["sh", "-c", f"{command} -o {output} 2>&-"], capture_output=True, text=True, timeout=600)
    assert (ended.returncode, ended.stdout.splitlines()[0]) == (0, f"{tmp_path / 'fill.tib'}: 1 kernel for x64")

"""The command ``inspect``: a module as text, as JSON, and as Taichi's own files."""

import io
import json

import pytest

from taichi_aot import Arch, inspect
from taichi_aot.cli.main import main
from taichi_aot.demo import mpm88

RECORDINGS = {"cuda": "by the library: the module has no PTX", "vulkan": "recorded", "x64": "native"}


@pytest.fixture
def bundle(tmp_path):
    path = tmp_path / "fluid.tib"
    path.write_bytes(mpm88.bundle_bytes())
    return str(path)


def run(capfd, *arguments):
    """Run the command and return its output; stderr is empty, as no runtime is created."""
    assert main(["inspect", *arguments]) == 0
    printed = capfd.readouterr()
    assert printed.err == ""
    return printed.out


def test_module_is_printed_as_its_info(arch, modules, capfd):
    path = modules / "basic.tcm"
    assert run(capfd, str(path)) == f"{inspect(path)}\n"


def test_bundle_has_a_row_for_each_arch(bundle, capfd):
    text, table = run(capfd, bundle).split("modules:\n")
    assert text == f"{inspect(bundle)}\n"
    rows = [line.split(maxsplit=2) for line in table.splitlines()]
    assert [row[0] for row in rows] == ["arch", "cuda", "vulkan", "x64"]
    assert "SPIR-V 1.3" in rows[2][2]
    assert "at most 16 CPU threads" in rows[3][2]


def test_kernel_is_printed_with_its_tasks(bundle, capfd):
    lines = run(capfd, bundle, "--kernel", "clear_grid").splitlines()
    assert lines[0].startswith("clear_grid(momentum: ")
    assert lines[1].strip().startswith("mpm88.py, line ")
    assert lines[2] == "5 tasks:"
    assert [line.split()[0] for line in lines[3:9]] == ["arch", "cuda", "cuda", "vulkan", "x64", "x64"]
    assert lines[6].split()[2:6] == ["range_for", "1024", "128", "131072"]
    assert "any device" in lines[6]
    assert lines[8].split()[2:] == ["range_for", "vectors"]  # CPU tasks have no grid
    assert lines[9].startswith("machine code for aarch64, ")
    assert lines[10:] == [f"launches on {arch}: {recording}" for arch, recording in RECORDINGS.items()]


@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
def test_kernel_with_names_of_another_one_is_printed(modules, capfd):
    path = str(modules / "kinds.tcm")
    lines = run(capfd, path, "--kernel", "back").splitlines()
    assert lines[0] == "back(arg0: ndarray[f32, 1], arg1: ndarray[f32, 1])"
    assert lines[1].strip() == (
        "the module states the parameter names of forth, which has the same code, and not its own"
    )
    assert json.loads(run(capfd, path, "--json"))["kernels"]["back"]["names_of"] == "forth"


def test_arch_selects_the_module_of_a_bundle(bundle, capfd):
    assert run(capfd, bundle, "--arch", "cuda") == f"{inspect(bundle).modules[Arch.CUDA]}\n"
    assert json.loads(run(capfd, bundle, "--arch", "x64", "--json"))["archs"] == ["x64"]
    lines = run(capfd, bundle, "--arch", "cuda", "--kernel", "clear_grid").splitlines()
    assert lines[2] == "2 tasks:"
    assert [line.split()[0] for line in lines[3:]] == ["arch", "cuda", "cuda", "launches"]


def test_module_is_read_from_the_standard_input(bundle, monkeypatch, capfd):
    for arguments in ([], ["--arch", "vulkan"], ["--kernel", "clear_grid"], ["--json", "--kernel", "clear_grid"]):
        with open(bundle) as file:
            monkeypatch.setattr("sys.stdin", file)
            printed = run(capfd, "-", *arguments)
        assert printed == run(capfd, bundle, *arguments)


@pytest.mark.parametrize("data", [b"", b"not a module", b"/etc/passwd"])
def test_standard_input_without_a_module_is_an_error(data, monkeypatch, capfd):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["inspect", "-"]) == 2
    assert capfd.readouterr().err.startswith("error: the module is not a sound .tcm archive")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"PK" * 100)))
    monkeypatch.setattr("taichi_aot.cli._modules.MAX_BYTES", 100)
    assert main(["inspect", "-"]) == 2
    assert capfd.readouterr().err == "error: the standard input has more than 100 bytes\n"


def test_graph_is_printed_with_its_dispatches(bundle, capfd):
    lines = run(capfd, bundle, "--kernel", "substep").splitlines()
    assert lines[0].startswith("substep(momentum: ")
    assert lines[1] == "4 dispatches:"
    assert lines[2].startswith("    clear_grid")
    assert lines[2].endswith("(momentum, mass)")


def test_json_describes_module_and_kernel(bundle, capfd):
    info = inspect(bundle)
    assert json.loads(run(capfd, bundle, "--json")) == json.loads(json.dumps(info.to_dict()))
    kernel = json.loads(run(capfd, bundle, "--json", "--kernel", "move_grid"))
    modules = kernel.pop("modules")
    assert kernel.pop("recording") == RECORDINGS
    assert kernel == json.loads(json.dumps(info.kernels["move_grid"].to_dict()))
    assert {arch: len(each["tasks"]) for arch, each in modules.items()} == {"cuda": 2, "vulkan": 1, "x64": 2}


def test_module_without_kernels_is_printed(compiled_empty, capfd):
    assert run(capfd, str(compiled_empty)).startswith("AOT module for ")


@pytest.fixture
def compiled_empty(modules):
    return modules / "empty.tcm"

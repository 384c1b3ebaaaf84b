"""The benchmarks run and write their results. Timings are not asserted: they need a machine that does nothing else."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
VARIANTS = {"c", "raw", "capi", "sequence", "bound", "checked", "checked_by_name", "shapes", "ctypes", "taichi_jit"}

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("taichi") is None or shutil.which("cc") is None, reason="needs taichi and a C compiler"
)


def run(cwd, script, *arguments):
    command = [sys.executable, str(BENCHMARKS / script), *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module", params=["stub", "x64"])
def launch(request, tmp_path_factory):
    """The output of launch.py, and the file that it wrote."""
    folder = tmp_path_factory.mktemp("launch")
    path = folder / f"{request.param}.json"
    return run(folder, "launch.py", "--arch", request.param, "--json", path.name, "--rounds", "2"), path


def test_launch_benchmark_writes_every_variant(launch):
    printed, path = launch
    found = json.loads(path.read_text())
    assert found["benchmark"] == "launch"
    assert found["arch"] == path.stem
    left_out = {variant for variant in VARIANTS if f"variant {variant} left out: " in "\n".join(found["notes"])}
    assert {name for name in found["variants"] if "/" not in name} == VARIANTS - left_out
    assert left_out == ({"taichi_jit"} if path.stem == "stub" else set())
    for name, variant in found["variants"].items():
        assert 0 < variant["min"] <= variant["us_per_launch"] <= variant["max"]
        assert variant["over_c_us_95"][0] <= variant["over_c_us"] <= variant["over_c_us_95"][1]
        assert f"\n{name} " in printed
    assert {budget["what"] for budget in found["budgets"]} >= {"bound over c", "checked over c", "capi over raw"}
    assert printed.count("PASS ") + printed.count("MISSED ") == len(found["budgets"])
    assert found["machine"]["cpu"]
    assert found["machine"]["command"].startswith("python benchmarks/launch.py --arch ")


def test_report_has_plots_and_tables(launch, tmp_path):
    pytest.importorskip("matplotlib")
    _, path = launch
    run(tmp_path, "report.py", path, "-o", "report")
    page = (tmp_path / "report" / "index.html").read_text()
    assert f"<h2>launch on {path.stem}</h2>" in page
    assert f'src="{path.stem}.png"' in page
    assert "<td>checked_by_name</td>" in page
    assert (tmp_path / "report" / f"{path.stem}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("script", "variant"), [("allocation.py", "empty"), ("graphs.py", "bound")])
def test_other_benchmarks_run_on_the_stub(script, variant, tmp_path):
    run(tmp_path, script, "--arch", "stub", "--json", "out.json", "--rounds", "2")
    found = json.loads((tmp_path / "out.json").read_text())
    assert found["variants"][variant][found["key"]] > 0


def test_processes_of_several_gpus_find_what_one_finds(tmp_path):
    """Two processes on the CPU: that they are faster is not asserted."""
    printed = run(tmp_path, "gpus.py", "--gpus", "2", "--arch", "x64", "--json", "out.json", "--rounds", "2")
    found = json.loads((tmp_path / "out.json").read_text())
    assert set(found["variants"]) == {"nbody/1", "nbody/2", "fluid/1", "fluid/2"}
    assert found["variants"]["nbody/2"]["throughput_over_1"] > 0
    assert len(found["budgets"]) == 2
    assert "note: 2 processes together find what one finds alone" in printed


def test_scale_measures_calls_tasks_and_memory(tmp_path):
    pytest.importorskip("distributed")
    run(tmp_path, "scale.py", "--arch", "x64", "--json", "out.json", "--rounds", "2", "--tasks", "400")
    found = json.loads((tmp_path / "out.json").read_text())
    for name in ("by_hand, 1024", "function, 1024", "task_empty", "task_function", "task_preloaded"):
        assert found["variants"][name]["us"] > 0
    written = {
        note.split(": ")[0]: int(note.split(": ")[1].replace(",", "")) for note in found["notes"] if "written" in note
    }
    assert written["bytes written for a task_preloaded"] < written["bytes written for a task_function"] / 2
    assert len(found["budgets"]) == 5

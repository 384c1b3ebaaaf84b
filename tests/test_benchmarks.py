"""The benchmarks run and write their results. Timings are not asserted: they need an idle machine."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from helpers.archs import needs_taichi
from helpers.ranks import mpiexec

from taichi_aot import Arch, Runtime, inspect

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
VARIANTS = {"c", "raw", "sequence", "bound", "checked", "checked_by_name", "shapes", "ctypes", "taichi_jit"}

# Of launch.py: those of a framework are left out together, with a note on the first.
ARGUMENTS = [
    ["aot_torch", "aot_beside_torch"],
    ["aot_jax", "aot_beside_jax"],
    ["aot_warp", "aot_beside_warp", "warp", "warp_numpy", "warp_torch"],
    ["tvm_ffi"],
]

pytestmark = [needs_taichi, pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")]


def run(cwd, script, *arguments):
    command = [sys.executable, str(BENCHMARKS / script), *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module", params=["stub", "x64"])
def launch(request, tmp_path_factory):
    """Output of launch.py, and the file it wrote."""
    folder = tmp_path_factory.mktemp("launch")
    path = folder / f"{request.param}.json"
    return run(folder, "launch.py", "--arch", request.param, "--json", path.name, "--rounds", "2"), path


@pytest.mark.slow(but="stub")
def test_launch_benchmark_writes_every_variant(launch):
    printed, path = launch
    found = json.loads(path.read_text())
    assert found["benchmark"] == "launch"
    assert found["arch"] == path.stem
    left_out = {variant for variant in VARIANTS if f"variant {variant} left out: " in "\n".join(found["notes"])}
    assert {name for name in found["variants"] if "/" not in name} == VARIANTS - left_out
    assert left_out == ({"taichi_jit"} if path.stem == "stub" else set())
    arguments = {name.removeprefix("arguments/") for name in found["variants"] if name.startswith("arguments/")}
    there = [
        names for names in ARGUMENTS if f"variant arguments/{names[0]} left out: " not in "\n".join(found["notes"])
    ]
    assert arguments == {"c", "aot", "aot_numpy"}.union(*there)
    assert "aot_torch" in arguments or importlib.util.find_spec("torch") is None
    for name in arguments:
        low, high = found["variants"][f"arguments/{name}"]["over_own_us_95"]
        assert low <= found["variants"][f"arguments/{name}"]["over_own_us"] <= high
    for name, variant in found["variants"].items():
        assert 0 < variant["min"] <= variant["us_per_launch"] <= variant["max"]
        assert variant["over_c_us_95"][0] <= variant["over_c_us"] <= variant["over_c_us_95"][1]
        assert f"\n{name} " in printed
    assert {budget["what"] for budget in found["budgets"]} >= {"bound over c", "checked over c"}
    assert printed.count("PASS ") + printed.count("MISSED ") == len(found["budgets"])
    assert found["machine"]["cpu"]
    assert found["machine"]["command"].startswith("python benchmarks/launch.py --arch ")


@pytest.mark.slow
def test_report_has_plots_and_tables(launch, tmp_path):
    pytest.importorskip("matplotlib")
    _, path = launch
    run(tmp_path, "report.py", path, "-o", "report")
    page = (tmp_path / "report" / "index.html").read_text()
    assert f"<h2>launch on {path.stem}</h2>" in page
    assert f'src="{path.stem}.png"' in page
    assert "<td>checked call by name</td>" in page
    assert (tmp_path / "report" / f"{path.stem}.png").read_bytes().startswith(b"\x89PNG")


def test_documentation_draws_variants_with_titles():
    page = (BENCHMARKS.parent / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    plots = "".join(re.findall(r"^:::\{benchmark-plots\}\n(.*?)^:::$", page, re.DOTALL | re.MULTILINE))
    records = [line.split()[0] for line in plots.splitlines()]
    spec = importlib.util.spec_from_file_location("titles", BENCHMARKS / "lib" / "titles.py")
    titles = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(titles)
    parts = set()
    for record in records:
        variants = json.loads((BENCHMARKS / "results" / f"{record}.json").read_text(encoding="utf-8"))["variants"]
        parts |= {part for name in variants for part in variants[name].get("series", name).split("/")}
    assert len(parts) > 50
    assert parts - {*titles.TITLES} == set()


def test_plot_of_launches_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    run(tmp_path, "launch_plot.py", BENCHMARKS / "results" / "h200", "launch.png")
    assert (tmp_path / "launch.png").read_bytes().startswith(b"\x89PNG")


# Variants that a command line must measure, among others.
WAITS = {"idle", "launch", "read_4", "read_1024", "launch_read_4", "call", "result", "fluid/sequence_watched"}
MEASURED = {
    "allocation.py --arch stub": {"empty"},
    "graphs.py --arch stub": {"bound"},
    "structs.py --arch x64": {"scalars"},
    "fluid.py --arch x64": {"sequence", "bound", "graph"},
    "waits.py --arch x64": {*WAITS, "c_launch", "fluid/bound_watched"},
    "waits.py --arch vulkan": {*WAITS, "fence_polled", "fence_waited", "queue_idle", "library_launch"},
    "waits.py --arch opengl": {*WAITS, "c_launch", "c_idle"},
    "until.py --arch x64": {"16/unchecked", "16/until_1", "16/host_1", "64/until_50", "64/host_50"},
    "cpu_pool.py --threads 2 --busy 1 --lengths 1 64": {"light/1/library", "front/64/pool"},
    "cpu_launch.py --cores 1": {"light/64/1/library", "light/4194304/1/numpy", "heavy/262144/1/pool"},
    "halo.py --devices 3 --size 48 --arch x64": {"strong/1/step", "weak/3/exchange"},
    "halo.py --comm mpi --size 48": {"strong/1/step", "weak/2/overlap"},
    "scale.py --arch x64 --tasks 400": {"by_hand, 1024", "function, 1024", "task_empty", "task_preloaded"},
}


@pytest.mark.slow
@pytest.mark.parametrize("line", MEASURED)
def test_benchmark_measures_its_variants(line, available, tmp_path):
    script, *arguments = line.split()
    if "mpi" in arguments:
        mpiexec()
    if script == "scale.py":
        pytest.importorskip("distributed")
    for arch in {"vulkan", "opengl"}.intersection(arguments):
        if Arch(arch) not in available:
            pytest.skip(f"needs {arch}")
    run(tmp_path, script, *arguments, "--json", "out.json", "--rounds", "2")
    found = json.loads((tmp_path / "out.json").read_text())
    assert MEASURED[line] <= {*found["variants"]}
    plot = f"{script.removesuffix('.py')}_plot.py"
    if (BENCHMARKS / plot).exists() and importlib.util.find_spec("matplotlib"):
        run(tmp_path, plot, "out.json", "out.png")
        assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_several_devices_find_the_same_as_one(tmp_path):
    """Two processes or runtimes share the CPU, so no speedup is asserted."""
    printed = run(tmp_path, "gpus.py", "--gpus", "2", "--arch", "x64", "--json", "out.json", "--rounds", "2")
    found = json.loads((tmp_path / "out.json").read_text())
    ways = ("1", "2", "2_threads", "2_one_thread")
    assert set(found["variants"]) == {f"{name}/{way}" for name in ("nbody", "fluid") for way in ways}
    assert found["variants"]["nbody/2_one_thread"]["throughput_over_1"] > 0
    assert found["budgets"] == []
    assert "note: 2 devices, which share 1: in all ways they find what one finds alone" in printed


@pytest.mark.slow
def test_startup_benchmark_loads_small_and_large_modules(tmp_path, monkeypatch):
    path, modules = tmp_path / "startup.json", tmp_path / "modules"
    run(tmp_path, "build_modules.py", "--arch", "x64", modules, "--programs", "--modules", "kernels_1")
    run(tmp_path, "lib/kernels.py", "x64", modules, "kernels_8")
    monkeypatch.setenv("TAICHI_AOT_BENCHMARK_MODULES", str(modules))
    compiled = (modules / "first_result").stat().st_mtime_ns
    run(tmp_path, "startup.py", "--rounds", "2", "--kernels", "8", "--json", path)
    assert (modules / "first_result").stat().st_mtime_ns == compiled, "a machine without a compiler uses it as it is"
    found = json.loads(path.read_text())
    loads = {f"load_{name}_8{end}" for name in ("c", "tcm") for end in ("", "_all")} | {
        "read_next",
        "load_next",
        "launch_8",
    }
    assert {
        "import_numpy",
        "first_c",
        "first_taichi_aot",
        "first_library",
        "load_c",
        "load_folder",
        "load_again",
        "load_again_8",
    } < {*found["variants"]}
    assert loads < {*found["variants"]}
    assert len(found["budgets"]) == 8


@pytest.mark.slow(but="x64")
@pytest.mark.parametrize("arch", [Arch.X64, Arch.VULKAN], ids=str)
def test_reductions_compute_the_sum(arch, available, tmp_path):
    if arch not in available:
        pytest.skip(f"needs {arch}")
    run(tmp_path, "lib/kernels.py", arch, tmp_path, "throughput")
    with Runtime(arch) as rt:
        kernels = rt.load_module(tmp_path / "throughput.tcm").kernels
        for length in (1, 1000, 2**17 + 1, 3 * 2**17 - 1):
            # Sums of zeros and ones are exact in any order.
            bits = np.random.default_rng(length).integers(0, 2, length).astype(np.float32)
            x = rt.asarray(bits)
            for name in ("reduction", "reduction_variable", "reduction_parts"):
                total = rt.asarray(np.array([5], np.float32))
                kernels[name](x, total)
                assert total.to_numpy()[0] == 5 + bits.sum(), (name, length)


@pytest.mark.slow
def test_kernels_without_the_library_are_counted(tmp_path):
    printed = run(tmp_path, "recorded.py", "--kernels", "8", "--programs", "3")
    assert printed.count("generated cuda") == 3  # tables of kernels with fields, of accessors, and of others
    rows = [line.split() for line in printed.splitlines() if line.startswith("without the library ")]
    assert sum(sum(map(int, row[3:])) for row in rows) > 20
    assert "circle_packing_image.py is left out: " in printed


@pytest.mark.slow
def test_kernels_with_ptx_are_counted(tmp_path):
    printed = run(tmp_path, "ptx.py", "--kernels", "8", "--programs", "2")
    assert re.search(r"programs: (\d+) of \1 kernels in 2 modules have PTX\n", printed)


def in_bench(arch, use, cwd, modules="modules"):
    """Print an expression of `work`, in a benchmark whose modules are in a folder."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); from lib.harness import bench\n"
    code += f"with bench({arch!r}) as work: work.modules('launch'); print({use})"
    environment = {**os.environ, "TAICHI_AOT_BENCHMARK_MODULES": modules}
    command = [sys.executable, "-c", code, str(BENCHMARKS)]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.slow
def test_precompiled_modules_are_used(tmp_path):
    run(tmp_path, "build_modules.py", "--arch", "x64", "modules", "--modules", "launch")
    printed = in_bench("x64", "sorted(p.name for p in work.folder.iterdir())", tmp_path)
    assert printed == str(sorted(path.name for path in (tmp_path / "modules").iterdir()))


@pytest.mark.slow
def test_stub_is_called_where_modules_have_machine_code(tmp_path, build_source):
    shutil.copy(build_source("plain_kernels", "x64", native=True), tmp_path / "launch.tcm")
    code = "import sys, taichi_aot as t; print(*{k.recording for k in t.load(sys.argv[1], 'x64').kernels.values()})"
    command = f"sys.executable, '-c', {code!r}, work.folder / 'launch.tcm', env=work.environment"
    use = f"__import__('lib.build').build.run({command})"
    printed = in_bench("stub", use, tmp_path, str(tmp_path))
    assert printed.startswith("by the library: the module was loaded with TAICHI_AOT_NATIVE=0")


@pytest.mark.slow
def test_modules_are_compiled_for_vulkan(tmp_path):
    run(tmp_path, "build_modules.py", "--arch", "vulkan", ".", "--modules", "arguments")
    assert inspect(tmp_path / "arguments.tib").archs == (Arch.VULKAN,)

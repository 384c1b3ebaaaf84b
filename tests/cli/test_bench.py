"""The command ``bench``: any kernel or graph of any module on several archs."""

import contextlib
import json
import re

import pytest

from taichi_aot import Arch
from taichi_aot.cli.main import make_parser
from taichi_aot.demo import mpm88

ROW = r"(\S+) +(.*\S) +([\d.,]+)" + r" +([\d.,]+)" * 6


@pytest.fixture
def bench(command, bundle):
    """A function that measures a kernel of the bundle in one process per arch."""
    return lambda *arguments: command("bench", bundle, *arguments, "--starts", 1)


@pytest.fixture
def demo(tmp_path):
    """An x64 module that states shapes."""
    path = tmp_path / "mpm88.tcm"
    path.write_bytes(mpm88.module_bytes(Arch.X64))
    return path


@pytest.mark.slow
def test_table_has_a_row_for_each_arch(bench, available):
    archs = [arch for arch in ("x64", "vulkan") if Arch(arch) in available]
    code, out, err = bench("saxpy", "x=rand:1024", "--arch", ",".join(archs))
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("saxpy(a: f32, x: ")
    assert lines[1] == "arrays: x 1024, y 1024; 8,192 bytes, GB/s if each is moved once"
    assert re.split(" {2,}", lines[2]) == [
        *("arch", "device", "device us", "p5", "p95", "host us", "launches/s", "GB/s", "first launch ms")
    ]
    rows = [re.fullmatch(ROW, line) for line in lines[3:]]
    assert [row and row[1] for row in rows] == archs


@pytest.mark.slow
def test_missing_arguments_are_made_up(bench):
    assert "arrays: x 1048576, y 1048576; 8,388,608 bytes" in bench("saxpy", "--arch", "x64").out
    assert "arrays: out 77; 308 bytes" in bench("count", "n=77", "--arch", "x64").out


@pytest.mark.slow(but="matrix_f64")
@pytest.mark.parametrize("name", ["matrix_f64", "array_of_matrices_f32", "graph_vector_i8"])
def test_arguments_of_every_kind_are_made_up(compiled, command, name):
    code, out, err = command("bench", compiled("x64") / "table.tcm", name, "--starts", 1)
    assert code == 0, err
    assert out.startswith(f"{name}(")


@pytest.mark.slow
def test_made_up_arguments_follow_stated_shapes(demo, command):
    done = command("bench", demo, "clear_grid", "momentum=zeros:128x128", "--starts", 1)
    assert "arrays: momentum 128x128, mass 128x128; 196,608 bytes" in done.out


def test_result_is_written_and_printed(bench, tmp_path):
    path = tmp_path / "a.json"
    done = bench("saxpy", "x=rand:64", "--arch", "x64", "--json", path, "a=3")
    assert done.out.startswith("saxpy(")
    record = json.loads(path.read_text())
    assert {"versions", "library", "devices", "variables"} <= set(record["machine"])
    assert record["metadata"]["sha256"] != "none"
    names = [f"saxpy a=3 x=rand:64 on x64, {clock} time" for clock in ("device", "host")]
    require_pyperf(record, names)
    require_pyperf(bench("saxpy", "x=rand:64", "a=3", "--arch", "x64", "--json").json, names)


def test_pyperf_reads_texts_of_several_lines(bench):
    require_pyperf(bench("saxpy", "x= 1,\n 2", "--json", "--arch", "x64").json, ["saxpy x= 1, 2 on x64, device time"])


def require_pyperf(record, names):
    """Check that ``pyperf`` reads a result: https://pyperf.readthedocs.io/en/latest/api.html#json-format."""
    assert record["version"] == "1.0"
    assert [each["metadata"]["name"] for each in record["benchmarks"]][: len(names)] == names
    for benchmark in record["benchmarks"]:
        for facts in (record["metadata"], benchmark["metadata"]):
            assert all(text == " ".join(text.split()) != "" for text in facts.values())
        for run in benchmark["runs"]:
            (value,) = run["values"]
            assert value > 0
            assert run["metadata"]["loops"] >= 1
    with contextlib.suppress(ImportError):
        import pyperf

        suite = pyperf.BenchmarkSuite.loads(json.dumps(record))
        assert suite.get_benchmark_names()[: len(names)] == names
        assert suite.get_benchmark(names[0]).get_unit() == "second"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nothing"], 2, "no kernel or graph 'nothing', it has kernels "),
        (["saxpy", "--arch", "metal"], 2, "argument --arch: this machine runs no modules for metal, only for "),
        (["saxpy", "--json", "x=zeros:8"], 2, "the file must end in .json, not 'x=zeros:8'; write --json last"),
        (["saxpy", "--starts", "0"], 2, "must be a positive integer"),
        (["poke", "i=1000000000", "--arch", "x64"], 4, "poke ended its process on x64: SIGSEGV"),
    ],
)
def test_errors_are_one_line(command, bundle, arguments, code, message):
    done = command("bench", bundle, *arguments)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith("error: ")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_arch_options_are_combined():
    options = make_parser().parse_args(["bench", "m.tib", "k", "--arch", "x64,cpu", "--arch", "vulkan"])
    assert options.arch == ["x64", "cpu", "vulkan"]


def test_module_and_kernel_are_required(command, tmp_path):
    assert "the following arguments are required: MODULE" in command("bench").err
    assert "missing.tcm: No such file or directory" in command("bench", tmp_path / "missing.tcm", "iota").err


@pytest.mark.slow
def test_other_archs_are_measured_if_one_cannot_run(command, demo):
    code, out, err = command("bench", demo, "clear_grid", "momentum=zeros:8x8", "--arch", "vulkan,x64", "--starts", 1)
    assert code == 3
    assert re.search("^x64 ", out, re.MULTILINE)
    assert err.startswith("error: ")
    assert err.count("\n") == 1

"""The command ``run``: what it prints and saves, and how it fails."""

import numpy as np
import pytest
from helpers.archives import read_archive

from taichi_aot import Arch


@pytest.fixture
def run(command, bundle, arch):
    """A function that runs a kernel of the bundle on the arch under test."""
    return lambda *arguments: command("run", bundle, *arguments, "--arch", arch)


@pytest.mark.slow(but="x64")
def test_result_is_printed(run, arch):
    code, out, err = run("saxpy", "a=2", "x=arange:1024", "y=full::1")
    first, second = out.splitlines()
    assert (code, err) == (0, "")
    assert first.startswith("saxpy(a: f32, x: ndarray[f32, 1, shape=(n,)], y: ndarray[f32, 1, shape=(n,)]) on ")
    assert f"({arch}): 1 launch, " in first
    assert second == "y = [1 3 5 7 ... 2041 2043 2045 2047]  (f32, 1024, 1 to 2047)"


@pytest.mark.slow
def test_result_is_saved(run, tmp_path):
    path = tmp_path / "y.npy"
    assert run("saxpy", "a=0.5", "x=rand:1000", "y=zeros", "--out", f"y={path}").out.endswith(f"y: wrote {path}\n")
    once = np.load(path)
    assert (once.shape, once.dtype) == ((1000,), np.float32)
    # Options may come anywhere, and graphs launch like kernels.
    assert run("twice", "a=0.25", "--out", f"y={path}", "y=zeros", "x=rand:1000").code == 0
    assert np.array_equal(np.load(path), once)
    done = run("saxpy", "a=0.5", "x=rand:1000", "y=zeros", "--out", f"y={path}", "--repeat", "2")
    assert done.out.splitlines()[0].split(": ")[-1].startswith("2 launches, ")
    np.testing.assert_allclose(np.load(path), 2 * once, rtol=1e-6)


@pytest.mark.slow(but="x64")
def test_json_has_results(run, arch, tmp_path):
    done = run("count", "n=4", "out=zeros", "--json", "--out", f"out={tmp_path / 'o.npy'}")
    answer = done.json
    assert done.code == 0
    assert answer["arch"] == str(arch)
    assert answer["results"] == [
        {
            "name": "out",
            "dtype": "i32",
            "shape": [4],
            "text": "[0 1 2 3]",
            "values": [0, 1, 2, 3],
            "min": 0,
            "max": 3,
            "nan": 0,
            "error": None,
            "file": str(tmp_path / "o.npy"),
        }
    ]


@pytest.mark.slow
def test_returned_values_are_printed_and_saved(run, tmp_path):
    assert run("total", "x=arange:100").out.splitlines()[1:] == ["return = 4950.0"]
    assert run("total", "x=1,nan").out.splitlines()[1:] == ["return = nan"]
    assert run("both", "i=3").out.splitlines()[1:] == ["return[0] = 4", "return[1] = 1.5"]
    path = tmp_path / "m.npy"
    assert run("double", "m=1,2,3,4,5,6.5", "--out", f"return={path}").code == 0
    assert np.load(path).tolist() == [[2, 4, 6], [8, 10, 13]]


def test_textures_are_read_and_written(command, textures, tmp_path):
    colours = np.random.default_rng(0).integers(0, 256, (48, 64, 4), np.uint8)
    source, target = tmp_path / "in.npy", tmp_path / "out.npy"
    np.save(source, colours)
    sizes = ("target=zeros:64x48", "width=64", "height=48")
    done = command("run", textures, "invert", f"source=@{source}:rgba8", *sizes, "--out", f"target={target}")
    assert done.code == 0, done.err
    assert np.array_equal(np.load(target)[..., :3], 255 - colours[..., :3])


def test_graph_reads_and_writes_one_image(command, textures):
    done = command("run", textures, "darken", "image=full:4x4:51,0,0,255", "out=0")
    assert done.code == 0, (done.out, done.err)
    first, *rest = done.out.splitlines()
    assert first.startswith("darken(image: rw_texture[rgba8, 2], out: ndarray[f32, 0]) on ")
    assert "out = 0.2" in "\n".join(rest)


def test_crash_names_the_kernel(command, bundle):
    code, out, err = command("run", bundle, "poke", "i=1000000000", "out=zeros:4", "--arch", "x64")
    assert (code, out) == (4, "")
    last = err.splitlines()[-1]
    assert last.startswith(
        "error: poke ended its process on x64: SIGSEGV, usually an index out of range in the kernel: "
    )
    assert "shapes=" in last
    assert "taichi-aot build --debug" in last


def test_crash_names_the_default_arch(command, bundle, tmp_path):
    """A module for x64 runs there without ``--arch``."""
    module = tmp_path / "x64.tcm"
    module.write_bytes(read_archive(bundle)["x64.tcm"])
    done = command("run", module, "poke", "i=1000000000", "out=zeros:4")
    assert done.err.splitlines()[-1].startswith("error: poke ended its process on x64: SIGSEGV")


def test_endless_kernel_is_killed(command, bundle):
    arguments = ("forever", "n=1000000", "out=zeros:4", "--arch", "x64", "--timeout", "2")
    assert command("run", bundle, *arguments) == (4, "", "error: forever did not end within 2 s on x64\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nothing"], 2, "the module has no kernel or graph 'nothing', it has kernels saxpy, count, "),
        (["saxpy", "a=1", "x=@no.npy", "y=zeros"], 2, "no.npy: No such file or directory"),
        (["saxpy", "a=b", "x=zeros", "y=zeros"], 2, "a: 'b' is not a number of f32"),
        (
            ["saxpy", "a=1", "x=zeros", "y=zeros", "--out", "a=a.npy"],
            2,
            "--out a=a.npy: a is not an array or image of ",
        ),
        (["saxpy", "a=1", "x=zeros", "y=zeros", "--out", "y"], 2, "expected NAME=FILE, not 'y'"),
        (["saxpy", "a=1", "x=zeros", "y=zeros", "--out", "y=y.txt"], 2, "the file must end in .npy, not 'y.txt'"),
        (["saxpy", "a=1", "x=zeros", "y=zeros", "--out", "y=no/y.npy"], 2, "there is no folder "),
        (["saxpy", "a=1", "x=zeros", "y=zeros", "--out", "y=y.npy", "--out", "x=y.npy"], 2, "y.npy is given twice"),
        (["saxpy", "a=1", "x=zeros", "y=zeros", "--out", "y=y.npy", "--out", "x=./y.npy"], 2, "y.npy is given twice"),
        (["saxpy", "a=1", "--repeat", "0"], 2, "argument --repeat: must be a positive integer, not '0'"),
    ],
)
def test_errors_are_one_line(command, bundle, tmp_path, monkeypatch, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    done = command("run", bundle, *arguments)
    assert done.code == code
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert message in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_missing_arch_exits_with_3(command, textures):
    done = command(
        "run", textures, "invert", "source=zeros:4x4", "target=zeros:4x4", "width=1", "height=1", "--arch", "x64"
    )
    assert (done.code, done.out) == (3, "")
    assert "was compiled for" in done.err


def test_default_arch_is_one_of_the_bundle(command, bundle):
    done = command("run", bundle, "count", "n=2", "out=zeros", "--json")
    assert Arch(done.json["arch"]) in Arch

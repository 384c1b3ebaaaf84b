"""The picture examples run from the command line and draw what they describe."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from helpers.archs import needs_taichi, require
from helpers.child import child_environment, run_child
from helpers.julia import escape_counts

EXAMPLES = Path(__file__).parents[2] / "examples"


pytestmark = needs_taichi


def run(name, *arguments, status=0):
    return run_child(EXAMPLES / name, *arguments, status=status)


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    require("vulkan")
    path = tmp_path_factory.mktemp("pictures") / "pictures.tcm"
    run("picture_kernels.py", path)
    return path


def frames_of(path):
    with PIL.Image.open(path) as picture:
        frames = []
        for i in range(picture.n_frames):
            picture.seek(i)
            frames.append(np.asarray(picture.convert("RGB")).astype(float))
        return frames


def test_julia_sets_match_their_constants(module, tmp_path):
    out, size, count = tmp_path / "julia.gif", 64, 8
    done = run("julia.py", out, "--module", module, "--size", size, "--frames", count)
    assert done.stdout == f"wrote {out}\n"
    assert done.stderr == ""  # progress is only shown on a terminal
    frames = frames_of(out)
    assert [frame.shape for frame in frames] == [(size, size, 3)] * count
    for i, frame in enumerate(frames):
        turn = np.exp(2j * np.pi * i / count)
        expected = np.log(escape_counts(1.05 * (turn / 2 - turn**2 / 4), size, 3.3, 200))
        bright = frame.sum(axis=2)
        assert np.corrcoef(bright.ravel(), expected.ravel())[0, 1] > 0.9
        if i % 4:  # the other sets are symmetric
            assert np.corrcoef(bright[::-1].ravel(), expected.ravel())[0, 1] < 0.8


def slopes(picture):
    """Return the gradient of the colours by the Sobel operator."""
    padded = np.pad(picture, ((1, 1), (1, 1), (0, 0)), "edge")
    smooth_rows = padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]
    smooth_columns = padded[:-2] + 2 * padded[1:-1] + padded[2:]
    down, right = smooth_rows[2:] - smooth_rows[:-2], smooth_columns[:, 2:] - smooth_columns[:, :-2]
    result = np.sqrt((down**2 + right**2).sum(axis=2))
    return result


def test_filter_blurs_and_finds_edges(module, tmp_path):
    out, width, passes = tmp_path / "edges.png", 96, 5
    run("edges.py", out, "--module", module, "--width", width, "--passes", passes)
    with PIL.Image.open(out) as picture:
        page = np.asarray(picture).astype(float)
    assert page.shape == (72, 3 * width, 3)
    drawn, soft, edges = (page[:, i * width : (i + 1) * width] for i in range(3))
    assert drawn.std() > 20  # the picture is not empty
    assert drawn[:6].mean(axis=(0, 1)).argmax() == 2  # the blue sky is above
    assert drawn[-6:].mean(axis=(0, 1)).argmax() == 1  # the green hills are below
    assert drawn[7:16, 66:78].mean() > 180  # the moon

    expected = drawn
    for _ in range(passes):
        for axis in (0, 1):
            padded = np.pad(expected, [(1, 1) if i == axis else (0, 0) for i in range(3)], "edge")
            before, after = np.delete(padded, [-1, -2], axis), np.delete(padded, [0, 1], axis)
            expected = (before + 2 * expected + after) / 4
    assert np.abs(soft - expected).max() < 3

    shade = 1 - (0.7 * (slopes(drawn / 255) - 0.1)).clip(0, 1)
    assert np.abs(edges - 255 * shade[..., None]).max() < 3


@pytest.mark.slow
def test_module_is_compiled_by_default(module, tmp_path):
    run("edges.py", tmp_path / "a.png", "--width", 8, "--passes", 1)
    run("edges.py", tmp_path / "b.PNG", "--width", 8, "--passes", 1, "--module", module)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.PNG").read_bytes()


def test_progress_is_shown_on_a_terminal(module, tmp_path):
    terminal, end = pty.openpty()
    options = ["--module", str(module), "--size", "8", "--frames", "4"]
    command = [sys.executable, str(EXAMPLES / "julia.py"), str(tmp_path / "a.gif"), *options]
    subprocess.run(command, env=child_environment(), stdout=subprocess.PIPE, stderr=end, timeout=600, check=True)
    os.close(end)
    shown = os.read(terminal, 10_000).decode()
    os.close(terminal)
    assert [line.split()[-1] for line in shown.split("\r") if line.strip()] == ["0/4", "1/4", "2/4", "3/4", "4/4"]
    assert f"a.gif [{'#' * 10}{'.' * 30}] 1/4" in shown
    assert shown.endswith("\n")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("julia.py", ["a.png"], "a.png does not end in .gif"),
        ("edges.py", ["a.gif"], "a.gif does not end in .png"),
        ("edges.py", ["/no/such/folder/a.png"], "the folder of /no/such/folder/a.png does not exist"),
        ("julia.py", ["a.gif", "--size", "0"], "must be at least 1, not 0"),
        ("edges.py", ["a.png", "--passes", "-1"], "must be at least 1, not -1"),
    ],
)
def test_wrong_arguments_are_refused_before_running(name, arguments, message):
    done = run(name, *arguments, status=2)
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_module_is_reported(module, tmp_path):
    done = run("julia.py", tmp_path / "a.gif", "--module", tmp_path / "none.tcm", status=1)
    assert done.stderr.startswith("error: ")
    assert "none.tcm" in done.stderr
    assert not (tmp_path / "a.gif").exists()


@pytest.mark.parametrize(
    ("missing", "message"), [("taichi", "pip install taichi==1.7.4"), ("PIL", "pip install pillow")]
)
def test_missing_package_is_reported(module, tmp_path, missing, message):
    code = f"import runpy, sys; sys.modules[{missing!r}] = None; runpy.run_path(sys.argv[0], run_name='__main__')"
    script = f"import sys; sys.argv = sys.argv[1:]; sys.path.insert(0, {str(EXAMPLES)!r}); {code}"
    done = run_child("-c", script, EXAMPLES / "julia.py", tmp_path / "a.gif", status=1)
    assert done.stderr.startswith("error: ")
    assert message in done.stderr

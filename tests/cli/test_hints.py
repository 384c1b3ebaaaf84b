"""Hints in error messages: similar names and files, and options in place of calls of Python."""

import pytest
from helpers.inside import read_assignments, stand_in_for_cuda

from taichi_aot import Arch, TaichiError
from taichi_aot.backends import _devices as devices_module
from taichi_aot.backends._devices import check_device
from taichi_aot.bundle._files import similar_files
from taichi_aot.bundle._plan import exactly
from taichi_aot.cli._output import ArgumentError, for_command_line, message
from taichi_aot.values._numbers import DataType
from taichi_aot.values._signature import Parameter, Signature

SAXPY = Signature(
    "saxpy",
    (
        Parameter("a", "scalar", DataType.F32),
        Parameter("x", "ndarray", DataType.F32, 1),
        Parameter("other", "ndarray", DataType.F32, 1),
    ),
)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["2"], "expected NAME=VALUE, not '2'; did you mean 'a=2'?"),
        (["a=2", "zeros:3"], "expected NAME=VALUE, not 'zeros:3'; did you mean 'x=zeros:3'?"),
        (["a", "=", "2"], "expected NAME=VALUE, not 'a'; did you mean 'a=VALUE'?"),
        (["x="], "expected NAME=VALUE, not 'x='; did you mean 'x=VALUE'?"),
        (["=2"], "expected NAME=VALUE, not '=2'"),
        (["a=1", "x=1", "other=1", "4"], "expected NAME=VALUE, not '4'"),
    ],
)
def test_argument_without_a_name_says_what_it_could_be(words, hint):
    with pytest.raises(ArgumentError) as caught:
        read_assignments(SAXPY, words)
    assert str(caught.value) == hint


def test_unknown_parameter_says_which_is_close():
    with pytest.raises(ArgumentError, match=r"has no parameter 'othr'; it is .*; did you mean 'other'\?$"):
        read_assignments(SAXPY, ["othr=1"])
    with pytest.raises(ArgumentError, match=r"has no parameter 'q'; it is [^;]*$"):
        read_assignments(SAXPY, ["q=1"])


def test_similar_files(tmp_path):
    for name in ("kernels.tib", "kernels.py", "one.npy", "two.npy"):
        (tmp_path / name).touch()
    near = "; did you mean 'kernels.tib'?"
    assert similar_files(f"{tmp_path}/kernel.tib") == similar_files(f"{tmp_path}/kernels") == near
    assert similar_files(f"{tmp_path}/weights.npy") == "; its folder has 'one.npy', 'two.npy'"
    assert similar_files(f"{tmp_path}/kernels.npz") == near
    assert similar_files(f"{tmp_path}/weights.png") == similar_files(f"{tmp_path}/kernels.py/x.tib") == ""
    for number in range(6):
        (tmp_path / f"{number}.npy").touch()
    assert (
        similar_files(f"{tmp_path}/weights.npy") == "; its folder has '0.npy', '1.npy', '2.npy', '3.npy', '4.npy', ..."
    )
    error = FileNotFoundError(2, "No such file or directory", f"{tmp_path}/none/kernels.tib")
    assert "No such file or directory; there is no folder '" in message(error)


def no_gpu():
    devices_module.choose_device("gpu", 0)


def no_cuda():
    check_device(Arch.CUDA, 0)


def another_arch():
    exactly(Arch.CUDA, lambda: [Arch.X64])("kernels.tib", [Arch.X64])


@pytest.mark.parametrize(
    ("call", "options"),
    [
        (no_gpu, ["a GPU for --arch gpu;", "runs on the CPU, and --arch vulkan uses it"]),
        (no_cuda, ["`taichi-aot devices` lists its devices"]),
        (another_arch, ["or use --arch x64"]),
    ],
)
def test_calls_in_messages_become_options(call, options, monkeypatch):
    monkeypatch.delenv("TI_VISIBLE_DEVICE", raising=False)
    stand_in_for_cuda(monkeypatch)
    monkeypatch.setattr(devices_module, "vulkan_devices", lambda: [("llvmpipe", "cpu")])
    with pytest.raises(TaichiError) as caught:
        call()
    text = for_command_line(str(caught.value))
    assert text != str(caught.value)
    assert all(option in text for option in options), text
    assert "Runtime(" not in text
    assert "devices()" not in text

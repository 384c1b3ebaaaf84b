"""Names for the calls in tables of wrong calls."""

import shutil

import numpy as np
import pytest

import taichi_aot
from taichi_aot import Runtime


class Tensor:
    """A tensor of PyTorch, which is not installed: what this package reads of it."""

    __module__ = "torch"

    def __init__(self, dtype="torch.float32", requires_grad=False, **members):
        self.dtype = dtype
        self.requires_grad = requires_grad
        for name, value in members.items():
            setattr(self, name, value)

    def is_neg(self):
        return False

    def numel(self):
        return 3

    def data_ptr(self):
        return 4096

    def __array__(self, *args, **kwargs):
        raise RuntimeError("must not be called")

    def __dlpack__(self, **kwargs):
        raise BufferError("must not be called")

    def __dlpack_device__(self):
        return 1, 0


def broken():
    """Fail as a method of a tensor in torch.vmap does."""
    raise RuntimeError("cannot call it")


class FakeTensor(Tensor):
    """A tensor in torch.compile."""

    __module__ = "torch"


class Tracer:
    """An array in jax.jit."""

    __module__ = "jax"

    def __dlpack__(self):
        raise RuntimeError("must not be called")


class Deleted:
    """A deleted array of JAX."""

    __module__ = "jaxlib"

    def is_deleted(self):
        return True

    def __dlpack__(self):
        raise RuntimeError("must not be called")


@pytest.fixture(scope="module")
def names(compiled, tmp_path_factory):
    """Names that the calls use; they run in a folder with the files that they load."""
    folder = tmp_path_factory.mktemp("calls")
    for arch, name in (("x64", "saxpy"), ("vulkan", "vulkan")):
        shutil.copy(compiled(arch) / "basic.tcm", folder / f"{name}.tcm")
    for name in ("fields", "trees"):
        shutil.copy(compiled("x64") / f"{name}.tcm", folder)
    archive = (folder / "saxpy.tcm").read_bytes()
    (folder / "cut.tcm").write_bytes(archive[: len(archive) // 2])
    (folder / "kernels.py").write_text("import taichi as ti\n")
    (folder / "code.ll").write_text("; ModuleID = 'kernel'\n")
    (folder / "pointer.tib").write_text("version https://git-lfs.github.com/spec/v1\n")
    (folder / "empty.tib").write_bytes(b"")
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(20))
    for name in ("nothing", "dist"):
        (folder / name).mkdir()
    shutil.copy(folder / "saxpy.tcm", folder / "dist")
    other = Runtime("x64")
    other.close()
    with (
        pytest.MonkeyPatch.context() as patch,
        Runtime("x64") as rt,
        Runtime("x64") as third,
        Runtime("vulkan") as vulkan,
    ):
        patch.chdir(folder)
        module = rt.load_module("saxpy.tcm")
        stated = rt.load_module("saxpy.tcm", shapes={"saxpy": {"x": "n", "y": "n"}})
        closed = rt.zeros(3, "f32")
        closed.close()
        with taichi_aot.load("saxpy.tcm", "x64") as ended:
            left = ended.runtime.zeros(3)
        loaded = rt.load_module("saxpy.tcm")
        of_closed = loaded.saxpy
        loaded.close()
        yield {
            **{name: getattr(taichi_aot, name) for name in taichi_aot.__all__},
            "Tensor": Tensor,
            "FakeTensor": FakeTensor,
            "broken": broken,
            "Tracer": Tracer,
            "Deleted": Deleted,
            "closed": closed,
            "ended": ended,
            "f": taichi_aot.function("saxpy.tcm", "saxpy", out="y", arch="x64"),
            "foreign": third.zeros(3, "f32"),
            "left": left,
            "loaded": loaded,
            "module": module,
            "np": np,
            "of_closed": of_closed,
            "other": other,
            "rt": rt,
            "saxpy": module.kernels["saxpy"],
            "stated": stated.saxpy,
            "third": third,
            "vulkan": vulkan,
            "x": rt.zeros(3, "f32"),
            "y": rt.zeros(3, "f32"),
        }

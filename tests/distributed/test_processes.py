"""Arrays over processes that MPI and torch.distributed connect, for real."""

import pytest
from helpers.archs import REQUIRED
from helpers.frameworks import need_framework
from helpers.ranks import call_in_mpi, call_in_torch, run_mpi
from scenarios.ranks import check_by_mpi, check_by_torch

from taichi_aot import devices

ARCHS = ["x64"] + (["cuda"] if "cuda" in REQUIRED else [])


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("arch", ARCHS)
def test_processes_of_mpi_equal_numpy(build_source, arch, count):
    call_in_mpi(count, check_by_mpi, arch, str(build_source("stencil_kernels", arch)))


def test_error_of_a_process_ends_all():
    done = run_mpi(3, "-c", "from scenarios.ranks import fail_in_one; fail_in_one()", status=1, timeout=60)
    assert "LookupError: the grid is not here" in done.stderr


@pytest.mark.parametrize("count", [2, 3])
def test_processes_of_gloo_equal_numpy(build_source, count, tmp_path):
    need_framework("torch")
    call_in_torch(count, check_by_torch, "x64", str(build_source("stencil_kernels", "x64")), str(tmp_path / "meeting"))


def test_gpus_of_nccl_equal_numpy(build_source, tmp_path):
    need_framework("torch")
    count = sum(str(device.arch) == "cuda" for device in devices())
    if count < 2:
        pytest.skip("needs two GPUs")
    call_in_torch(2, check_by_torch, "cuda", str(build_source("stencil_kernels", "cuda")), str(tmp_path / "meeting"))

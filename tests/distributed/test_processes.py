"""Arrays over processes that MPI and torch.distributed connect, for real."""

import pytest
from helpers.frameworks import need_framework
from helpers.ranks import call_in_mpi, call_in_torch, run_mpi
from scenarios.ranks import check_by_mpi, check_by_torch


@pytest.fixture
def stencil(build_source):
    return str(build_source("stencil_kernels", "x64"))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_processes_of_mpi_equal_numpy(stencil, count):
    call_in_mpi(count, check_by_mpi, stencil)


def test_error_of_a_process_ends_all():
    done = run_mpi(3, "-c", "from scenarios.ranks import fail_in_one; fail_in_one()", status=1, timeout=60)
    assert "LookupError: the grid is not here" in done.stderr


@pytest.mark.parametrize("count", [2, 3])
def test_processes_of_torch_equal_numpy(stencil, count, tmp_path):
    need_framework("torch")
    call_in_torch(count, check_by_torch, stencil, str(tmp_path / "meeting"))

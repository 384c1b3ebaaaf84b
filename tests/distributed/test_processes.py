"""Halos between processes: by the interface of mpi4py over pipes, and by torch.distributed with gloo."""

import pytest
from helpers.child import run_in_child
from helpers.frameworks import need_framework
from scenarios.halos import (
    exchange_between_threads,
    exchange_in_place,
    exchange_in_swap,
    relax_by_torch,
    relax_in_processes,
    use_processes_wrongly,
)


@pytest.fixture
def stencil(build_source):
    return build_source("stencil_kernels", "x64")


@pytest.mark.parametrize("scenario", [exchange_in_swap, exchange_between_threads, exchange_in_place])
def test_exchanges(scenario):
    run_in_child(scenario)


def test_processes_equal_numpy(stencil):
    run_in_child(relax_in_processes, stencil, fresh=True)


def test_processes_used_wrongly_are_refused():
    run_in_child(use_processes_wrongly, fresh=True)


def test_processes_of_torch_equal_numpy(stencil, tmp_path):
    need_framework("torch")
    run_in_child(relax_by_torch, stencil, tmp_path / "meeting", fresh=True, quiet=False)

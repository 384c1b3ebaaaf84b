"""Halos between processes: by the interface of mpi4py over pipes, and by torch.distributed with gloo."""

import os
import signal

import pytest
from helpers.archs import need
from helpers.child import run_scenario
from helpers.frameworks import need_framework

from taichi_aot import Arch


@pytest.fixture
def stencil(build_source):
    return build_source("stencil_kernels", "x64")


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
needs_signals = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signals of Unix")


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param("exchange_after_a_fork", marks=needs_fork),
        pytest.param("end_in_a_forked_child", marks=needs_fork),
        pytest.param("begin_in_signal_handlers", marks=needs_signals),
        pytest.param("interrupt_exchanges", marks=needs_signals),
        "exchange_in_swap",
        "exchange_between_threads",
        "drop_an_exchange_that_fails",
        "exchange_in_place",
    ],
)
def test_exchanges(scenario):
    run_scenario(f"halos:{scenario}")


def test_processes_equal_numpy(stencil):
    run_scenario("halos:relax_in_processes", stencil, fresh=True)


@pytest.mark.parametrize(
    "scenario", ["leave_an_edge_that_never_comes", "exchange_at_exit", "begin_several", "use_processes_wrongly"]
)
def test_exchanges_of_new_processes(scenario):
    run_scenario(f"halos:{scenario}", fresh=True)


def test_memory_on_cuda_is_that_of_tensors(available):
    if Arch.CUDA not in available:
        need("cuda", "no such device on this machine")
    need_framework("torch")
    run_scenario("halos:exchange_in_place_by_torch", fresh=True, quiet=False)


def test_processes_of_torch_equal_numpy(stencil, tmp_path):
    need_framework("torch")
    run_scenario("halos:relax_by_torch", stencil, tmp_path / "meeting", fresh=True, quiet=False)

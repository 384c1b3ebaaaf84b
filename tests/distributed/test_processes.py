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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_exchange_in_a_forked_child():
    run_scenario("halos:exchange_after_a_fork")


def test_processes_equal_numpy(stencil):
    run_scenario("halos:relax_in_processes", stencil, fresh=True)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_exchange_that_began_before_a_fork_ends_in_the_parent():
    run_scenario("halos:end_in_a_forked_child")


def test_process_ends_though_an_edge_never_comes():
    run_scenario("halos:leave_an_edge_that_never_comes", fresh=True)


def test_swap_may_exchange():
    run_scenario("halos:exchange_in_swap")


def test_ranks_as_threads_of_one_process():
    run_scenario("halos:exchange_between_threads")


def test_error_of_a_dropped_exchange_is_logged():
    run_scenario("halos:drop_an_exchange_that_fails")


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signals of Unix")
@pytest.mark.parametrize("scenario", ["begin_in_signal_handlers", "interrupt_exchanges"])
def test_signals_during_exchanges(scenario):
    run_scenario(f"halos:{scenario}")


def test_exchange_at_exit():
    run_scenario("halos:exchange_at_exit", fresh=True)


def test_several_exchanges_in_progress():
    run_scenario("halos:begin_several", fresh=True)


def test_memory_of_arrays_is_sent_in_place():
    run_scenario("halos:exchange_in_place")


def test_memory_on_cuda_is_that_of_tensors(available):
    if Arch.CUDA not in available:
        need("cuda", "no such device on this machine")
    need_framework("torch")
    run_scenario("halos:exchange_in_place_by_torch", fresh=True, quiet=False)


def test_wrong_uses_are_refused():
    run_scenario("halos:use_processes_wrongly", fresh=True)


def test_processes_of_torch_equal_numpy(stencil, tmp_path):
    need_framework("torch")
    run_scenario("halos:relax_by_torch", stencil, tmp_path / "meeting", fresh=True, quiet=False)

"""Halos between processes: by the interface of mpi4py over pipes, and by torch.distributed with gloo."""

import os

import pytest
from helpers.child import run_scenario
from helpers.frameworks import need_framework


@pytest.fixture
def stencil(build_source):
    return build_source("stencil_kernels", "x64")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_exchange_in_a_forked_child():
    run_scenario("halos:exchange_after_a_fork")


def test_processes_equal_numpy(stencil):
    run_scenario("halos:relax_in_processes", stencil, fresh=True)


def test_several_exchanges_in_progress():
    run_scenario("halos:begin_several", fresh=True)


def test_wrong_uses_are_refused():
    run_scenario("halos:use_processes_wrongly", fresh=True)


def test_processes_of_torch_equal_numpy(stencil, tmp_path):
    need_framework("torch")
    run_scenario("halos:relax_by_torch", stencil, tmp_path / "meeting", fresh=True, quiet=False)

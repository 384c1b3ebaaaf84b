"""Recorded launches of kernels with fields compute what the library's launches compute."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from helpers.child import in_child

from taichi_aot import Arch, IncompatibleModuleError, NotSupportedError, Runtime


@pytest.fixture
def path(arch, build_source):
    if arch is not Arch.VULKAN or os.environ.get("TAICHI_AOT_VULKAN_RECORDING") == "0":
        pytest.skip("a recording runtime is compared with one that does not record, in one process: on Vulkan")
    return build_source("simulation", arch)


@pytest.fixture
def both(arch, path):
    with Runtime(arch) as recording, Runtime(arch) as library:
        unrecorded = library.load_module(path)
        unrecorded._handle.plans = None
        yield recording.load_module(path), unrecorded


class Play:
    """Launches of a module with fields, and what they left."""

    def __init__(self, module):
        self.module = module
        self.x = module.runtime.zeros(300, "i32")
        self.found: list[Any] = []
        self.accelerate = module.kernels["accelerate"].bind(0.5)
        self.visit = module.kernels["visit"].bind(7, self.x)
        self.graph = module.graphs["both"].bind(dt=0.25, x=self.x)
        self.launches = [self.accelerate, self.visit, self.graph]

    def note(self):
        v, steps = self.module.fields["v"], self.module.fields["steps"]
        self.found.append((v.to_numpy().tobytes(), int(steps.to_numpy()), self.x.to_numpy().tolist()))

    def bound(self):
        """Launch alone, with accesses to fields, calls and launches from C in between."""
        v, steps = self.module.fields["v"], self.module.fields["steps"]
        spare = self.module.runtime.empty((4, 4), "f32", 3)
        for i in range(200):
            self.launches[i % 3]()
            if i % 7 == 0:
                v.write(np.full((4, 4, 3), i, np.float32))
            if i % 11 == 0:
                v.copy_to(spare)
                self.launches[i % 2]()
                v.copy_from(spare)
            if i % 13 == 0:
                self.found.append(self.module.kernels["visit"](i, self.x))
            if i % 31 == 0:
                steps.fill(i)
                self.note()
        self.found.append(self.visit.result())
        self.note()

    def in_sequences(self, repeat):
        sequence = self.module.runtime.sequence(self.launches)
        sequence(repeat)
        self.module.fields["steps"].fill(3)
        self.note()
        sequence(repeat, ramps={(1, "n"): (0, 3)})
        self.visit.update(n=5)
        sequence(2)
        self.note()
        self.found.append(self.visit.result())


@pytest.mark.scaled
@pytest.mark.usefixtures("c_library")
def test_recorded_launches_of_fields_match_the_library(both, scaled):
    recorded, unrecorded = map(Play, both)
    for play in (recorded, unrecorded):
        play.bound()
        play.in_sequences(scaled(64, 1000))
    assert recorded.found == unrecorded.found
    assert len(set(map(repr, recorded.found))) > 10
    assert ["recorded" in repr(launch) for launch in recorded.launches] == [True] * 3
    assert not any("recorded" in repr(launch) for launch in unrecorded.launches)


@pytest.mark.usefixtures("c_library")
def test_kernels_beside_fields_are_recorded(arch, path, modules):
    with Runtime(arch) as rt:
        module = rt.load_module(path)
        for each in (*module.kernels.values(), *module.graphs.values()):
            assert each.recording == "recorded"
        other = rt.load_module(modules / "basic.tcm")
        assert other.kernels["saxpy"].recording == "recorded"
        with pytest.raises(IncompatibleModuleError, match="has fields, and so has another module"):
            rt.load_module(modules / "fields.tcm")
        again = rt.load_module(path)
        assert again.kernels["accelerate"].recording == "recorded"
        for handle in (lambda: module.kernels["accelerate"].handle, lambda: module.handle):
            with pytest.raises(NotSupportedError, match="its fields are not in memory of the library"):
                handle()
        assert other.kernels["saxpy"].handle


@in_child(env={"TAICHI_C_API_INSTALL_DIR": os.devnull})
def test_fields_need_no_library(arch, path):
    with Runtime(arch) as rt:
        play = Play(rt.load_module(path))
        play.bound()
        play.note()
        _, steps, x = play.found[-1]
        assert steps > 3
        assert any(x)

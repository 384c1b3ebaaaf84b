"""The command ``devices``."""

import json
import re

import pytest
from helpers.archs import on_vulkan
from helpers.inside import vulkan_uuids

import taichi_aot
from taichi_aot import LibraryNotFoundError, devices, library_path
from taichi_aot.__main__ import main
from taichi_aot.runtime import _environment


def test_devices_are_listed_with_the_library(capfd):
    assert main(["devices"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].split() == ["arch", "number", "kind", "name", "driver"]
    for place, (line, device) in enumerate(zip(lines[1:], devices(), strict=False)):
        name = re.escape(device.name + " (default)" * (place == 0))
        assert re.match(rf"{device.arch} +{device.index} +{device.kind} +{name}(  |$)", line)
    assert lines[-2].startswith("library: C-API 1.7.0 of Taichi 1.7.4 in ")
    assert library_path() in lines[-2]
    assert lines[-1].startswith("taichi_aot ")
    assert all(": not available, " in line for line in lines[1 + len(devices()) : -2])


@pytest.mark.parametrize(("build", "status"), [("", 3), ("+without.library", 0)])
def test_library_is_missing_only_where_it_was_not_left_out(build, status, monkeypatch, capfd):
    def load():
        raise LibraryNotFoundError("no library")

    monkeypatch.setattr(_environment, "load", load)
    monkeypatch.setattr(taichi_aot, "__version__", taichi_aot.__version__ + build)
    assert main(["devices"]) == status
    assert "\nlibrary: no library\n" in capfd.readouterr().out


@on_vulkan
@pytest.mark.usefixtures("arch")
def test_lines_of_vulkan_have_the_uuids_by_which_other_processes_know_the_devices(capfd):
    main(["devices"])
    lines = [line for line in capfd.readouterr().out.splitlines() if line.startswith("vulkan ")]
    assert [line.rpartition("UUID ")[2] for line in lines] == vulkan_uuids()


def test_json_has_devices_library_versions_and_reasons(capfd):
    assert main(["devices", "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert report.keys() == {"versions", "library", "devices", "missing", "error", "variables"}
    assert [device["name"] for device in report["devices"]] == [device.name for device in devices()]
    assert report["devices"][0].keys() == {"arch", "index", "name", "kind", "driver", "default"}
    assert [device["default"] for device in report["devices"]] == [True, *[False] * (len(devices()) - 1)]
    assert report["library"]["path"] == library_path()
    assert report["versions"].keys() == {"taichi_aot", "folder", "python", "numpy", "cffi", "system"}

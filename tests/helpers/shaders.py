"""The SPIR-V of modules, and modules whose launches pick another code of their tasks."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest


def require_valid(code: bytes, environment: str = "vulkan1.1") -> None:
    """Let SPIR-V's validator check a shader; skip the test if it is not installed."""
    if shutil.which("spirv-val") is None:
        pytest.skip("spirv-val is not installed")
    command = ["spirv-val", "--target-env", environment, "-"]
    done = subprocess.run(command, input=code, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()


def shaders_of(module: Path) -> dict[str, bytes]:
    """The shaders of a module (``.tcm``), by name."""
    with zipfile.ZipFile(module) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name.endswith(".spv")}


def codes_of(module: Path) -> dict[str, list[dict[str, Any]]]:
    """What the plan of a module states of the codes of its tasks, by task."""
    with zipfile.ZipFile(module) as archive:
        kernels = json.loads(archive.read("plan.json"))["kernels"].values()
    return {task["name"]: task.get("codes", []) for kernel in kernels for task in kernel["launch"].get("tasks", ())}


def with_first_codes(module: Path, target: Path) -> Path:
    """Write a module whose tasks have only the first code for all devices, also if it is for GPUs, in two groups."""
    with zipfile.ZipFile(module) as archive, zipfile.ZipFile(target, "w") as changed:
        for name in archive.namelist():
            data = archive.read(name)
            if name == "plan.json":
                plan = json.loads(data)
                for kernel in plan["kernels"].values():
                    for task in kernel["launch"].get("tasks", ()):
                        _keep_first(task)
                data = json.dumps(plan).encode()
            changed.writestr(archive.getinfo(name), data)
    return target


def _keep_first(task: dict[str, Any]) -> None:
    codes = [each for each in task.get("codes", ()) if "needs" not in each]
    if codes:
        task["codes"] = [{"file": codes[0]["file"]}]
        if task.pop("length", None):
            task["groups"] = 2

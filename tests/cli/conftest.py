"""Fixtures: kernels for the commands ``run`` and ``bench``, in one bundle for all archs under test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers.archs import ARCHS, require
from helpers.child import LAVAPIPE_WARNING

from taichi_aot import Arch
from taichi_aot.__main__ import main
from taichi_aot.build import build

HELPERS = Path(__file__).parents[1] / "helpers"


class Done(NamedTuple):
    """The exit status and output of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output, parsed as JSON."""
        return json.loads(self.out)


@pytest.fixture
def command(capfd):
    """A function that runs a command in this process."""

    def run(*arguments):
        code = main([str(argument) for argument in arguments])
        printed = capfd.readouterr()
        return Done(code, printed.out, printed.err.replace(LAVAPIPE_WARNING, ""))

    return run


@pytest.fixture(scope="session")
def bundle(made_once, available):
    """The bundle of ``helpers/command_kernels.py`` for the available archs under test."""
    archs = [name for name in ARCHS if Arch(name) in available]

    def build_into(folder):
        build(HELPERS / "command_kernels.py", folder / "commands.tib", archs=archs, caps=["spirv_has_int8"])

    return made_once.folder("commands", build_into) / "commands.tib"


@pytest.fixture
def textures(build_source):
    """The module of ``helpers/command_textures.py`` for Vulkan."""
    require("vulkan")
    return build_source("command_textures", "vulkan")

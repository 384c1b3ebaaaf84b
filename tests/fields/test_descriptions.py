"""Descriptions with a wrong field shape are harmless; LLVM modules cannot detect them."""

import json
import zipfile

import pytest
from helpers.archs import require
from helpers.child import run_in_child
from scenarios.fields import use_a_field_of_another_shape

SHAPES = [(4, 3), (3, 4), (1, 1), (0, 4), (5, 4), (4, 1000)]  # the actual shape is (4, 4)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_wrong_shape_of_a_field_is_harmless(build_source, tmp_path, shape):
    require("x64")  # gfx modules state shapes themselves
    path = tmp_path / "wrong.tcm"
    with zipfile.ZipFile(build_source("simulation", "x64")) as archive, zipfile.ZipFile(path, "w") as changed:
        for name in archive.namelist():
            data = archive.read(name)
            if name == "bundle.json":
                description = json.loads(data)
                next(field for field in description["fields"] if field["name"] == "v")["shape"] = shape
                data = json.dumps(description).encode()
            changed.writestr(name, data)
    run_in_child(use_a_field_of_another_shape, path)

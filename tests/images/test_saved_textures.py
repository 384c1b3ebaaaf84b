"""Saved sequences take images by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers.inside import made_up_arguments

from taichi_aot import Image, NotSupportedError, Runtime


def test_saved_sequences_take_images(vk: Runtime, texture_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "program.tib"
    module = vk.load_module(texture_folder / "textures.tcm")
    count = 0
    for name in list(module.kernels)[:12]:
        kernel = module.kernels[name]
        try:
            arguments = made_up_arguments(vk, kernel.signature, 8)
            loop = vk.sequence([kernel.bind(*arguments)])
        except NotSupportedError:
            continue
        names = [f"array{i}" for i in range(len(arguments))]
        arrays: dict[str, Any] = {
            name: each
            for name, each, parameter in zip(names, arguments, kernel.signature.parameters, strict=True)
            if parameter.kind in ("ndarray", "texture", "rw_texture")
        }
        loop.save(path, **arrays)
        loop.save(path, **{name: each.texture() if isinstance(each, Image) else each for name, each in arrays.items()})
        program = vk.load_sequence(path)
        assert [each.kind for each in program.parameters.values()] == [
            each.kind for each in kernel.signature.parameters if each.kind not in ("scalar", "matrix")
        ]
        program(**arrays)(2)
        image = next((each for each, parameter in program.parameters.items() if parameter.kind != "ndarray"), None)
        if image is not None:
            with pytest.raises(TypeError, match=rf"{image}: expected .*texture.*, got float 1\.0"):
                program(**{**arrays, image: 1.0})
            count += 1
    assert count

"""What loading a module leaves out, because it takes long: whether a plan is that of the files beside it."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, cast

from ...bundle._bundle import read_bundle
from ...bundle._container import is_bundle, open_source
from ...bundle._files import DESCRIPTION, PLAN
from ...bundle._plan import Plan, check_plan, parse_plan
from ...bundle._source import Source, SourceFiles, check_digest
from ...values._errors import CorruptedDataError
from ..taichi import _native, _ptx
from ..taichi._native_elf import check_code
from ._make import read_module, stated_plan


def verify(source: Source) -> None:
    """Check the digests of all files, the headers and the functions of code, and what plans state.

    A plan must be the one that building makes of Taichi's own files, which are parsed for it. CorruptedDataError if it
    is not, or anything is damaged.
    """
    with open_source(source) as container:
        if not is_bundle(container):
            _verify(SourceFiles(container.where, container.read_module()))
            return
        bundle = read_bundle(container)
        for arch, entry in bundle.entries.items():
            name = f"{container.where}: {entry.file!r}"
            check_digest(name, container.read(entry.file), entry.sha256, DESCRIPTION)
            _verify(bundle.read(arch))


def _verify(files: SourceFiles) -> None:
    if PLAN in files.contents:
        plan = parse_plan(files)
        plan.read("what it states", partial(_compare, files, plan))


def _compare(files: SourceFiles, plan: Plan) -> None:
    check_plan(files, plan.stated, plan.files)
    if not plan.has_library_files:  # nothing beside the plan that it could be made of
        symbols = {task["name"] for raw in plan.kernels.values() for task in raw["launch"]["tasks"]}
        for target, name in plan.stated.get("code", {}).items():
            check_code(name, plan.files[name], target, symbols)
        return
    parsed, description = read_module(files)
    if parsed.native is not None:
        _native.verify(parsed.native)
    if parsed.ptx is not None:
        _ptx.verify(parsed.ptx)
    assert description is not None
    made = json.loads(json.dumps(stated_plan(parsed, description).stated))
    difference = _difference(made, {**plan.stated, "digest": ""})
    if difference:
        raise CorruptedDataError(f"{files.where}: {PLAN} is not that of its files: {difference} differs")


def _difference(made: Any, stated: Any, where: str = "plan") -> str:
    """Return the first place where two values differ; empty if they do not."""
    if isinstance(made, dict) and isinstance(stated, dict) and made.keys() == stated.keys():
        parts = cast("dict[str, Any]", made)
        return next(filter(None, (_difference(part, stated[k], f"{where}.{k}") for k, part in parts.items())), "")
    return "" if made == stated else where

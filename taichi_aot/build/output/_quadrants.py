"""Builds of Quadrants' kernels: the work of child processes, and the file made of their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...adopt.modules._common import common_info, difference_of_kernels, require_equal
from ...adopt.modules._make import MadeBundle, pack_bundle
from ...bundle._info import ModuleInfo
from ...values._enums import Arch
from .._archs import TARGETS, with_features
from .._errors import BuildError
from .._options import Options, option
from ..compile._children import Job, Progress, show_code
from ..compile._compiled import Compiled
from ..quadrants import _compile
from ..quadrants._module import ARCHS, make_module, require_quadrants
from ._origin import make_origin


class QuadrantsBuild:
    """The steps of a build of kernels of Quadrants, as `TaichiBuild`."""

    def __init__(self, options: Options, source: str) -> None:
        self._options = options

    def plan(self) -> tuple[list[Job], dict[Arch, str]]:
        """Return the work of the child processes, and why there is none for an arch.

        BuildError if an option is not for kernels of Quadrants, or a package that they need is missing.
        """
        options = self._options
        given = {"all": options.all_kernels, "no-native": options.native is False, "cubins": bool(options.cubins)}
        for name in filter(given.get, given):
            raise BuildError(
                f"{option(name)} is for kernels of Taichi, and this source imports quadrants: leave it out"
            )
        require_quadrants()
        plans = [TARGETS[each].plan(options.cuda_device) for each in options.archs]
        other = "kernels of Quadrants are built for x64, whose code runs on arm64 too, vulkan and cuda"
        reasons = {each.arch: other if each.arch not in ARCHS else each.missing for each in plans}
        jobs = [
            Job(
                each.arch,
                each.start,
                options,
                with_features(each.environment, options.caps),
                has_machine_code=TARGETS[each.arch].has_machine_code,
                main=_compile.main,
            )
            for each in plans
            if not reasons[each.arch]
        ]
        return jobs, {arch: reason for arch, reason in reasons.items() if reason}

    def pack(
        self, compiled: Sequence[Compiled], show: Callable[[Progress], None]
    ) -> tuple[MadeBundle, ModuleInfo, Mapping[Arch, str]]:
        """Return the contents of the file, their summary, and why a module has no code: all have it."""
        options, first, total = self._options, compiled[0], len(compiled[0].files)
        modules = {each.arch: make_module(each, options, show_code(show, each.arch, total)) for each in compiled}
        require_equal(difference_of_kernels({arch: module.info for arch, module in modules.items()}))
        if options.path.suffix == ".tcm":
            ((arch, module),) = modules.items()
            return MadeBundle(module.data, {arch: module}), module.info, {}
        source = first.description["source"]
        made = pack_bundle(modules, source["file"], source["sha256"], make_origin(options, first, modules).to_dict())
        return made, common_info({arch: module.info for arch, module in modules.items()}), {}

"""Builds of Taichi's kernels: the work of child processes, and the file made of their answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ...adopt.modules._common import common_info
from ...adopt.modules._make import MadeBundle, pack_module
from ...values._enums import Arch
from .._archs import TARGETS
from .._errors import UnavailableError
from .._options import Options, require_taichi
from ..code._native import why_unavailable, with_native_code
from ..code._ptx import why_no_ptx, with_ptx
from ..code._ptxas import require_assembler
from ..compile._children import Job, Progress, show_code
from ..compile._compiled import Compiled, bundle, read_module
from ..spirv._codes import with_codes
from ._origin import make_origin

if TYPE_CHECKING:
    from ...adopt.modules._description import Description
    from ...adopt.modules._parse import ParsedModule
    from ...bundle._info import ModuleInfo

PROGRAM_TIME = 60.0  # of a program that is run to record its calls


class TaichiBuild:
    """The steps of a build of Taichi's kernels; `source` is as given, for commands in messages."""

    def __init__(self, options: Options, source: str) -> None:
        self._options = options
        self._source = source
        self._without: dict[Arch, str] = {}  # why modules get no machine code and no PTX; empty if they do

    def plan(self) -> tuple[list[Job], dict[Arch, str]]:
        """Return the work of the child processes, and why there is none for an arch.

        UnavailableError if the machine lacks a compiler that is required.
        """
        options = self._options
        self._find_compilers()
        plans = [TARGETS[each].plan(options.cuda_device) for each in options.archs]
        jobs = [
            Job(
                each.arch,
                each.start,
                options,
                each.environment,
                options.caps if TARGETS[each.arch].uses_caps else (),
                min(PROGRAM_TIME, options.timeout / 2) if options.all_kernels else None,
                has_machine_code=TARGETS[each.arch].has_machine_code and not self._without[Arch.X64],
            )
            for each in plans
            if not each.missing
        ]
        return jobs, {
            each.arch: each.missing + TARGETS[each.arch].elsewhere(self._source, options.path, is_alone=len(plans) == 1)
            for each in plans
            if each.missing
        }

    def pack(
        self, compiled: Sequence[Compiled], show: Callable[[Progress], None]
    ) -> tuple[MadeBundle, ModuleInfo, Mapping[Arch, str]]:
        """Return the contents of the file, their summary, and why a module has no code, unless nobody asks for it."""
        modules = {each.arch: self._module(each, show) for each in compiled}
        without = {} if self._options.native is False else self._without
        if self._options.path.suffix == ".tcm":
            ((arch, module),) = modules.items()
            made = pack_module(*module)
            return MadeBundle(made.data, {arch: made}), made.info, without
        joined = bundle(modules, make_origin(self._options, compiled[0], modules))
        return joined, common_info({arch: module.info for arch, module in joined.modules.items()}), without

    def _find_compilers(self) -> None:
        require_taichi()
        options = self._options
        native, ptx = options.native, bool(options.cubins) or options.native
        self._without = {
            Arch.X64: why_unavailable(native if Arch.X64 in options.archs else False),
            Arch.CUDA: why_no_ptx(ptx if Arch.CUDA in options.archs else False),
        }
        if options.cubins:
            require_assembler()

    def _module(self, compiled: Compiled, show: Callable[[Progress], None]) -> tuple[ParsedModule, Description]:
        """The module of an arch, with machine code or PTX if it has any."""
        options, (module, stated) = self._options, read_module(compiled)
        shown = show_code(show, compiled.arch, len(module.info.all_kernels))
        if not self._without[Arch.X64]:
            module = with_native_code(module, options.timeout, shown, compiled, options.math)
        module = with_codes(module)
        if self._without[Arch.CUDA]:
            return module, stated
        try:
            module = with_ptx(module, options.timeout, shown, device=options.cuda_device, cubins=options.cubins)
        except UnavailableError as reason:
            if options.native or options.cubins:
                raise UnavailableError(f"cuda: PTX {reason}") from None
            self._without[Arch.CUDA] = str(reason)
        return module, stated

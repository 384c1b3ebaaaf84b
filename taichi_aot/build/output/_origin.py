"""A bundle's statement of its build: the files of the source, and the options."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ...bundle._origin import Origin
from ...values._enums import Arch
from .._archs import CudaDevice
from .._options import SPIRV_VERSION, Options, read_caps
from ..compile._compiled import Compiled


def make_origin(options: Options, compiled: Compiled, archs: Iterable[Arch]) -> Origin:
    """Return a bundle's statement of its build.

    Files are stated relative to the bundle, if they and the bundle are in the current folder: the same project then
    gives the same bytes in any folder, and no names of folders outside of it are written.
    """
    folder = _relative(compiled.folder, options.path)
    python = None if options.python is None else _relative(options.python, options.path)
    digest = compiled.description["source"]["sha256"]
    written = {} if python is None else {"--python": python}
    return Origin(digest, tuple(map(str, archs)), folder or ".", compiled.sources, stated_options(options), written)


def _relative(file: Path, bundle: Path) -> str | None:
    """Return the path of a file relative to the folder of a bundle; None if one is outside of the current folder."""
    here, place, folder = Path.cwd(), file.resolve(), bundle.resolve().parent
    if not (place.is_relative_to(here) and folder.is_relative_to(here)):
        return None
    return Path(os.path.relpath(place, folder)).as_posix()


def stated_options(options: Options) -> tuple[str, ...]:
    """Return the options of ``taichi-aot build`` for those of `build` that change the contents."""
    device = options.cuda_device
    found = ["--all"] * options.all_kernels + ["--debug"] * options.debug
    if options.cpu_threads is not None:
        found += ["--cpu-threads", str(options.cpu_threads)]
    caps = [_cap(*each.split("=")) for each in options.caps if each not in read_caps(None)]
    if caps:
        found += ["--caps", ",".join(caps)]
    for name in ("capability", "multiprocessors", "blocks"):
        if device is not None and getattr(device, name) != getattr(CudaDevice(), name):
            found += [f"--cuda-{name}", str(getattr(device, name))]
    if options.native is not None:
        found.append("--native" if options.native else "--no-native")
    if options.math != "default":
        found += ["--math", options.math]
    if options.cubins:
        found += ["--cubins", ",".join(options.cubins)]
    return tuple(found)


def _cap(name: str, value: str) -> str:
    """Return a capability in the form of the command line."""
    return f"{name}=1.{int(value) >> 8 & 0xFF}" if name == SPIRV_VERSION else name

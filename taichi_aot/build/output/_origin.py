"""What a bundle states of its build: the files of the source, and the options."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from ...bundle._origin import Origin
from ...values._enums import Arch
from .._cuda import CudaDevice
from .._options import SPIRV_VERSION, read_caps
from ..compile._compiled import Compiled

__all__ = ["make_origin", "stated_options"]


def make_origin(
    path: Path, compiled: Compiled, archs: Iterable[Arch], options: tuple[str, ...], outputs: Mapping[str, Path | None]
) -> Origin:
    """Return what the bundle at `path` states of its build.

    Files are stated relative to the bundle, if they and the bundle are in the current folder: the same project then
    gives the same bytes in any folder, and no names of folders outside of it are written.
    """
    folder = _relative(compiled.folder, path)
    written = {option: place for option, file in outputs.items() if file and (place := _relative(file, path))}
    digest = compiled.description["source"]["sha256"]
    return Origin(digest, tuple(map(str, archs)), folder or ".", compiled.sources, options, written)


def _relative(file: Path, bundle: Path) -> str | None:
    """Return the path of a file relative to the folder of a bundle; None if one is outside of the current folder."""
    here, place, folder = Path.cwd(), file.resolve(), bundle.resolve().parent
    if not (place.is_relative_to(here) and folder.is_relative_to(here)):
        return None
    return Path(os.path.relpath(place, folder)).as_posix()


def stated_options(
    cpu_threads: int | None,
    caps: tuple[str, ...],
    cuda_device: CudaDevice | None,
    *,
    all_kernels: bool,
    debug: bool,
    native: bool | None = None,
    cubins: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """Return the options of ``taichi-aot build`` for arguments of `build`; `caps` are in the compiler's form."""
    found = ["--all"] * all_kernels + ["--debug"] * debug
    if cpu_threads is not None:
        found += ["--cpu-threads", str(cpu_threads)]
    given = [_cap(*each.split("=")) for each in caps if each not in read_caps(None)]
    if given:
        found += ["--caps", ",".join(given)]
    for name in ("capability", "multiprocessors", "blocks"):
        if cuda_device is not None and getattr(cuda_device, name) != getattr(CudaDevice(), name):
            found += [f"--cuda-{name}", str(getattr(cuda_device, name))]
    if native is not None:
        found.append("--native" if native else "--no-native")
    if cubins:
        found += ["--cubins", ",".join(cubins)]
    return tuple(found)


def _cap(name: str, value: str) -> str:
    """Return a capability in the form of the command line."""
    return f"{name}=1.{int(value) >> 8 & 0xFF}" if name == SPIRV_VERSION else name

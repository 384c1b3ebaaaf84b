"""The machine's part of a bug report: versions, the C library, devices, environment variables."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypedDict

import numpy as np

import taichi_aot

from ..backends._devices import devices, driver_of, missing_archs
from ..driver._library import load
from ..values._errors import LibraryNotFoundError

# Variables of the library, of driver loaders and of Mesa, and those that change which libraries are loaded.
VARIABLES = re.compile(
    "(TI|TAICHI|CUDA|NVIDIA|NVTX|VK|EGL|__EGL|__GLX|MESA|LIBGL|GALLIUM|LP)_|"
    "(LD_LIBRARY_PATH|LD_PRELOAD|DISPLAY|WAYLAND_DISPLAY|XDG_CACHE_HOME|HOME|PYTHONMALLOC)$"
)


class LibraryReport(TypedDict):
    """The C library: all but `error` are None if it cannot be loaded.

    `version` is that of its C-API, as the library states it: 1.7.0 in Taichi 1.7.4. `taichi` is the version of Taichi,
    None if that is unknown.
    """

    path: str | None
    version: str | None
    taichi: str | None
    origin: str | None
    error: str | None


class DeviceReport(TypedDict):
    """The attributes of a `DeviceInfo`, its driver's versions, and whether it is the device that `Runtime()` uses."""

    arch: str
    index: int
    name: str
    kind: str
    driver: str
    default: bool


class Report(TypedDict):
    """The output of `show_versions`; as JSON, the output of ``taichi-aot devices --json``."""

    versions: dict[str, str]
    library: LibraryReport
    devices: list[DeviceReport]
    missing: dict[str, str]
    error: str | None
    variables: dict[str, str]


def show_versions() -> None:
    """Print the facts that a bug report should contain.

    It prints the versions of the package, Python, numpy, cffi, the system and the C library, and the paths of the
    package and the library. It also prints the devices with their drivers' versions, the reason why an arch has no
    device, and the environment variables that matter. It does not raise if the library or a driver is missing.
    ``taichi-aot devices --json`` prints the same as JSON.

    Examples
    --------
    >>> show_versions()  # doctest: +SKIP
    taichi_aot: 0.1.0
    folder: /opt/taichi_aot
    python: 3.12.3, CPython
    numpy: 2.2.4
    cffi: 1.17.1
    system: Ubuntu 24.04 LTS, Linux-6.8.0-x86_64-with-glibc2.39
    library: C-API 1.7.0 of Taichi 1.7.4 in /opt/taichi_aot/_bundle/lib/libtaichi_c_api.so (bundled with taichi_aot)
    devices:
        cuda 0 (default): NVIDIA H200 (discrete), CUDA 12.8, NVIDIA 570.133.20
        x64 0: AMD EPYC (cpu)
        vulkan: not available, the Vulkan loader (libvulkan.so.1, vulkan-1.dll) cannot be loaded
        opengl: not available, libEGL.so.1 cannot be loaded
    variables:
        HOME=/root
    """
    report = make_report()
    print("\n".join(f"{name}: {text}" for name, text in report["versions"].items()))
    print(library_line(report["library"]))
    print("devices:", *device_lines(report), sep="\n    ")
    print("variables:", *(f"{name}={value}" for name, value in report["variables"].items()), sep="\n    ")


def make_report() -> Report:
    """Return everything that `show_versions` prints, as JSON values."""
    # Read first: loading the library and the drivers sets missing variables.
    variables = {name: os.environ[name] for name in sorted(os.environ) if VARIABLES.match(name)}
    library = library_report()
    report = Report(versions=_versions(), library=library, devices=[], missing={}, error=None, variables=variables)
    try:
        report["devices"] = [
            DeviceReport(
                arch=str(d.arch), index=d.index, name=d.name, kind=d.kind, driver=driver_of(d), default=not place
            )
            for place, d in enumerate(devices())
        ]
        report["missing"] = {str(arch): reason for arch, reason in missing_archs().items()}
    except (OSError, ValueError) as error:
        report["error"] = str(error)
    return report


def device_lines(report: Report) -> list[str]:
    """Return one line for each device, and one for each arch without devices."""
    lines = [
        f"{d['arch']} {d['index']}{' (default)' * d['default']}: {d['name']} ({d['kind']})"
        + (f", {d['driver']}" if d["driver"] else "")
        for d in report["devices"]
    ]
    lines += [f"{arch}: not available, {reason}" for arch, reason in report["missing"].items()]
    return [*lines, *([report["error"]] if report["error"] else [])]


def library_line(library: LibraryReport) -> str:
    """Return the versions and the path of the C library, or why it cannot be loaded."""
    if library["error"] is not None:
        return f"library: {library['error']}"
    taichi = f" of Taichi {library['taichi']}" if library["taichi"] else ""
    return f"library: C-API {library['version']}{taichi} in {library['path']} ({library['origin']})"


def library_report() -> LibraryReport:
    """Load the C library and return a report on it."""
    try:
        path, numbers, origin = load()
    except (LibraryNotFoundError, ValueError) as error:
        return LibraryReport(path=None, version=None, taichi=None, origin=None, error=str(error))
    number, taichi = ".".join(map(str, numbers)), _taichi_version(Path(path))
    return LibraryReport(path=path, version=number, taichi=taichi, origin=origin, error=None)


def _taichi_version(library: Path) -> str | None:
    """Return the version of Taichi that a library belongs to: the bundled file's, or that of the package around it."""
    try:
        origin = (library.parent.parent / "ORIGIN").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        origin = ""
    stated = re.search(r"taichi==([\w.]+)", origin)
    if stated:
        return stated[1]
    if library.match("taichi/_lib/c_api/*/*"):
        with contextlib.suppress(PackageNotFoundError):
            return version("taichi")
    return None


def _versions() -> dict[str, str]:
    threads = ", free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return {
        "taichi_aot": taichi_aot.__version__,
        "folder": str(Path(taichi_aot.__path__[0])),
        "python": f"{platform.python_version()}, {platform.python_implementation()}{threads}",
        "numpy": np.__version__,
        "cffi": _cffi_version(),
        "system": f"{_distribution()}{platform.platform()}",
    }


def _cffi_version() -> str:
    try:
        return version("cffi")
    except PackageNotFoundError:  # a frozen program
        return "unknown"


def _distribution() -> str:
    if sys.platform != "linux":
        return ""
    try:
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, "
    except (OSError, KeyError):
        return ""

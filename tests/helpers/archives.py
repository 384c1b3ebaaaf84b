"""Archives of modules and bundles: read, packed, joined and described."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from taichi_aot import Arch, ModuleInfo, inspect
from taichi_aot.adopt import _make
from taichi_aot.adopt._make import pack_module, parse_own
from taichi_aot.adopt._module import describe
from taichi_aot.bundle._files import is_own_file


def make_module(files: dict[str, bytes], description: ModuleInfo) -> bytes:
    """Return the archive of a module by its files, as a build makes it."""
    return pack_module(parse_own("the module", files)._replace(description=description)).data


def read_archive(source: Path | bytes) -> dict[str, bytes]:
    """Return the files of a module or bundle."""
    with zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(files: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """Return the files as one archive, without dates."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, compression)
    return buffer.getvalue()


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a module into a folder."""
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


def taichis_own(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return Taichi's own files of a module, without its plan and what belongs to that."""
    return {name: data for name, data in files.items() if not is_own_file(name)}


def make_bundle(modules: Mapping[Arch, bytes]) -> bytes:
    """Return the bundle of some modules, as the command ``bundle`` makes it."""
    return _make.join({arch: _make.read_sources(data, arch)[arch] for arch, data in modules.items()}).data


def join(modules: Mapping[Arch, Path]) -> bytes:
    """Return the bundle of the modules in some files."""
    return make_bundle({arch: path.read_bytes() for arch, path in modules.items()})


def described(path: Path, kernel: str = "", **parameters: Mapping[str, Any]) -> bytes:
    """Return a module with a description, which states more of some parameters of a kernel: name, shape or access."""
    plain = describe(inspect(path))
    kernels = dict(plain.kernels)
    if kernel:
        signature = kernels[kernel].signature
        changed = tuple(p._replace(**parameters.get(p.name, {})) for p in signature.parameters)
        kernels[kernel] = kernels[kernel]._replace(signature=signature._replace(parameters=changed))
    return make_module(read_archive(path), plain._replace(kernels=kernels))


def with_other_field(path: Path, **change: Any) -> bytes:
    """Return a module whose description states something else of the first field."""
    stated = describe(inspect(path))
    first, *others = stated.fields
    return make_module(taichis_own(read_archive(path)), stated._replace(fields=(first._replace(**change), *others)))

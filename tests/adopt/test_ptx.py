"""PTX and cubins that `validate` finds damaged, with or without a device."""

import struct
import sys

import pytest
from helpers.archives import pack
from helpers.archs import needs_taichi

from taichi_aot import Arch, CorruptedDataError
from taichi_aot.adopt._make import module_files, read_module
from taichi_aot.adopt.taichi._native import cubin_name, verify_ptx
from taichi_aot.backends._devices import visible_devices
from taichi_aot.bundle._plan import read_files
from taichi_aot.cli.main import main

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="PTX is compiled on Linux only"), needs_taichi]

CUBIN = struct.pack("<4sBB10sHHI", b"\x7fELF", 2, 1, b"", 2, 190, 1) + bytes(40)


@pytest.fixture(scope="module")
def module(build_source):
    """A module with PTX and with made-up cubins for sm_90."""
    module = read_module(read_files(build_source("ptx_kernels", "cuda"), lambda _, archs: archs[0]))
    cubins = {
        cubin_name(name, "sm_90"): CUBIN + b"".join(b".text.%b\0" % task.encode() for task in kernel.tasks)
        for name, kernel in module.ptx.kernels.items()
    }
    ptx = module.ptx._replace(capabilities=("sm_90",), images={**module.ptx.images, **cubins})
    return module._replace(ptx=ptx)


@pytest.fixture(scope="module")
def files(module):
    return module_files(module)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("saxpy.ptx", b"", "saxpy.ptx is not PTX"),
        ("saxpy.ptx", b".version 6.3\n\0", "saxpy.ptx is not PTX"),
        ("saxpy.ptx", b".version 6.3\n.entry other(", "saxpy.ptx lacks the function 'saxpy_"),
        ("saxpy.sm_90.cubin", b"", "saxpy.sm_90.cubin is cut off: it has 0 bytes"),
        ("saxpy.sm_90.cubin", CUBIN, "saxpy.sm_90.cubin lacks the function 'saxpy_"),
        ("saxpy.sm_90.cubin", bytes(64), "saxpy.sm_90.cubin is not an ELF file for CUDA devices"),
        (
            "saxpy.sm_90.cubin",
            CUBIN.replace(struct.pack("<H", 190), struct.pack("<H", 62)),
            "saxpy.sm_90.cubin is not an ELF file for CUDA devices",
        ),
    ],
)
def test_damaged_file_is_noticed(module, name, data, message):
    ptx = module.ptx
    verify_ptx(ptx)
    with pytest.raises(CorruptedDataError, match=message):
        verify_ptx(ptx._replace(images={**ptx.images, name: data}))


@pytest.mark.parametrize("words", [(), ("--arch", "cuda")])
def test_command_compares_without_a_device(files, tmp_path, capsys, words):
    if visible_devices(Arch.CUDA):
        pytest.skip("for machines without CUDA")
    path = tmp_path / "it.tcm"
    path.write_bytes(pack(files))
    assert main(["validate", str(path), *words]) == 3
    assert "no device for cuda" in capsys.readouterr().err
    path.write_bytes(pack({**files, "saxpy.ptx": files["saxpy.ptx"][:-1] + b"x"}))
    assert main(["validate", str(path), *words]) == 1
    assert "its files are not those that plan.json was made for" in capsys.readouterr().out

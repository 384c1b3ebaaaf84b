"""A plugin of pytest: a test fails if Vulkan's validation layer has a message for a device that it used.

    TAICHI_C_API_INSTALL_DIR=/dev/null PYTHONPATH=.ci:tests python -m pytest -p vulkan_layer -k vulkan tests/launch

The layer also validates the order of accesses to memory. Without the C library all devices are this package's own.
Child processes inherit the layer, and write to the same pipe.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from helpers.validation_layer import layer_variables

# What the layer says of Taichi's compiler, and of code that it made, on whatever device.
OF_COMPILER = (
    "UNASSIGNED-CoreValidation-Shader-InconsistentSpirv",
    "VUID-vkCmdFillBuffer-size-00028",  # the package fills whole buffers
    "VUID-vkCmdDispatch-format-07753",  # kernels read all textures as floats
)
MESSAGE = re.compile(r"Validation (?:Error|Warning|Performance Warning): \[ ([\w-]+) \].*")
DELIVERED = 0.01  # s, after which a message has come through the pipe

folder = Path(tempfile.mkdtemp(prefix="vulkan-layer-"))
atexit.register(shutil.rmtree, folder, ignore_errors=True)
pipe = folder / "messages"  # the layer would empty a file for each process
os.mkfifo(pipe)
os.environ.update(layer_variables(folder, "error,warn", pipe))
messages = os.open(pipe, os.O_RDWR)
os.set_inheritable(messages, False)
parts: list[bytes] = []


def _read() -> None:
    """Read at once: a process that fills the pipe would stand still."""
    while True:
        parts.append(os.read(messages, 1 << 16))


threading.Thread(target=_read, daemon=True).start()


def _received() -> set[str]:
    time.sleep(DELIVERED)
    count = len(parts)
    text = b"".join(parts[:count]).decode(errors="replace")
    del parts[:count]
    found = MESSAGE.finditer(text)
    return {each[0] for each in found if each[1] not in OF_COMPILER}


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Generator[None, object, object]:
    """Run a test; it fails if the layer said something meanwhile, so not of the compiler, which fixtures start."""
    _received()
    result = yield
    said = _received()
    assert not said, "\n".join(sorted(said))
    return result

"""Nothing in the package can reach a network: neither its Python nor its compiled files."""

import ast
import sys
from pathlib import Path

import pytest
from helpers.elf import undefined_symbols

import taichi_aot

PACKAGE = Path(taichi_aot.__file__).parent
CLIENTS = {"_socket", "_ssl", "ftplib", "http", "imaplib", "poplib", "smtplib", "socket", "socketserver", "ssl"}
CLIENTS |= {"urllib.request", "webbrowser", "xmlrpc", "aiohttp", "httpx", "requests", "urllib3", "pip"}
FUNCTIONS = {"accept", "bind", "connect", "getaddrinfo", "gethostbyname", "listen", "recv", "send", "sendto", "socket"}
# A socket of this machine (AF_UNIX) is a lock of its workers. The connections are Dask's.
LOCK = "interop/dask.py"


def imported(path):
    """Return the modules that a file imports anywhere, and their packages."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name.rsplit(".", i)[0] for name in names for i in range(3)}


def test_modules_import_no_network_clients():
    found = {str(path.relative_to(PACKAGE)): imported(path) & CLIENTS for path in PACKAGE.rglob("*.py")}
    assert {name: clients for name, clients in found.items() if clients} == {LOCK: {"socket"}}
    nodes = ast.walk(ast.parse((PACKAGE / LOCK).read_text(encoding="utf-8")))
    uses = [
        ast.unparse(node) for node in nodes if isinstance(node, ast.Call) and "socket.socket" in ast.unparse(node.func)
    ]
    assert uses == ["socket.socket(socket.AF_UNIX)"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads ELF files")
def test_compiled_files_call_no_network_functions():
    files = [path for path in PACKAGE.rglob("*.so*") if path.is_file()]
    assert {"_capi.abi3.so", "cuda_driver.so", "vulkan_driver.so"} & {path.name for path in files}
    assert {path.name: undefined_symbols(str(path)) & FUNCTIONS for path in files} == {
        path.name: set() for path in files
    }

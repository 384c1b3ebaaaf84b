"""Run the scenario that the command line names, or serve scenarios: fork a child for each request.

``--serve FD`` reads requests from a Unix socket. Each is one message of JSON with the file descriptors of the child's
stdout and stderr. The server has imported numpy and the package, but has not loaded the C library or a driver, so a
child starts in milliseconds and is otherwise like a new process.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import socket
import sys

from scenarios import END

LONGEST_REQUEST = 1 << 20


def main(name: str, *args: str) -> None:
    # Shells start background jobs with SIGINT ignored, which children inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    module, function = name.split(":")
    getattr(importlib.import_module(f"scenarios.{module}"), function)(*args)
    print(END)


def serve(requests: socket.socket) -> list[str] | None:
    """Fork a child for each request and report its process ID, then its wait status.

    Return the scenario's name and arguments in each child, and None in the server at its end.
    """
    import numpy as np  # noqa: F401

    import taichi_aot  # noqa: F401

    gc.freeze()  # children neither search nor copy what is imported here
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, LONGEST_REQUEST, 2)
        if not message:
            return None
        child = os.fork()
        if child == 0:
            return _become_scenario(requests, message, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        requests.send(str(child).encode())
        _, status = os.waitpid(child, 0)
        requests.send(str(status).encode())


def _become_scenario(requests: socket.socket, message: bytes, descriptors: list[int]) -> list[str]:
    requests.close()
    for descriptor, standard in zip(descriptors, (1, 2), strict=True):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    request = json.loads(message)
    os.environ.clear()
    os.environ.update(request["environment"])
    command: list[str] = request["command"]
    return command


if __name__ == "__main__":
    command: list[str] | None = sys.argv[1:]
    if sys.argv[1] == "--serve":
        command = serve(socket.socket(fileno=int(sys.argv[2])))
    if command is not None:
        main(*command)

"""Call the function that the command line names, or serve such calls: fork a child for each request.

``--serve FD`` reads requests from a Unix socket. Each is a pickled call and environment, with the file descriptors of
the child's stdout and stderr. The server has imported numpy, pytest and the package, but has not loaded the C library
or a driver, so a child starts in milliseconds and is otherwise like a new process.
"""

from __future__ import annotations

import gc
import importlib.util
import inspect
import os
import pickle
import signal
import socket
import sys
from collections.abc import Callable
from typing import NamedTuple

END = "the function returned"  # printed last
SKIPPED = "skipped: "  # printed before the reason
LONGEST_REQUEST = 1 << 20


class Call(NamedTuple):
    """A call that a child makes. Its arguments are pickled: only the child imports what they need."""

    module: str
    file: str
    name: str
    arguments: bytes

    def make(self) -> None:
        # Shells start background jobs with SIGINT ignored, which children inherit.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        function = self._find()
        arguments, named = pickle.loads(self.arguments)
        try:
            function(*arguments, **named)
        except BaseException as error:
            if type(error).__name__ != "Skipped":  # of pytest, which tests of the import must not import
                raise
            print(f"{SKIPPED}{error}")
        print(END)

    def _find(self) -> Callable[..., object]:
        """Load the function's file, which may be a test that no path of modules leads to."""
        if self.module not in sys.modules:
            spec = importlib.util.spec_from_file_location(self.module, self.file)
            assert spec is not None
            assert spec.loader is not None
            sys.modules[self.module] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sys.modules[self.module])
        function: Callable[..., object] = inspect.unwrap(getattr(sys.modules[self.module], self.name))
        return function


def serve(requests: socket.socket) -> Call | None:
    """Fork a child for each request and report its process ID, then its wait status.

    Return the call in each child, and None in the server at its end.
    """
    import numpy as np  # noqa: F401
    import pytest  # noqa: F401

    import taichi_aot  # noqa: F401

    gc.freeze()  # children neither search nor copy what is imported here
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, LONGEST_REQUEST, 2)
        if not message:
            return None
        child = os.fork()
        if child == 0:
            return _become_child(requests, message, descriptors)
        for descriptor in descriptors:
            os.close(descriptor)
        requests.send(str(child).encode())
        _, status = os.waitpid(child, 0)
        requests.send(str(status).encode())


def _become_child(requests: socket.socket, message: bytes, descriptors: list[int]) -> Call:
    requests.close()
    for descriptor, standard in zip(descriptors, (1, 2), strict=True):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    call, environment = pickle.loads(message)
    os.environ.clear()
    os.environ.update(environment)
    return Call(*call)


def main(command: list[str]) -> None:
    if command[0] == "--serve":
        call = serve(socket.socket(fileno=int(command[1])))
    else:
        call = Call(*pickle.loads(bytes.fromhex(command[0])))
    if call is not None:
        call.make()


if __name__ == "__main__":
    main(sys.argv[1:])

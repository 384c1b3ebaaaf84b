"""Scenarios for tests of ``run_scenario`` itself."""

import os
import signal
import sys
import time


def echo(*args: str) -> None:
    print(*args)


def fail() -> None:
    print("this far")
    raise ValueError("on purpose")


def leave(status: str) -> None:
    sys.exit(int(status))


def complain() -> None:
    print("a complaint", file=sys.stderr)


def hang() -> None:
    time.sleep(60)


def interrupt() -> None:
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(10)
    except KeyboardInterrupt:
        print("interrupted")


def kill_the_server() -> None:
    os.kill(os.getppid(), signal.SIGKILL)

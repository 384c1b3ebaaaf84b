"""Run the function that the command line names: ``python -m scenarios MODULE:FUNCTION ARGUMENT...``."""

from __future__ import annotations

import importlib
import signal
import sys

from helpers.child_main import END


def main(name: str, *args: str) -> None:
    # Shells start background jobs with SIGINT ignored, which children inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    module, function = name.split(":")
    getattr(importlib.import_module(f"scenarios.{module}"), function)(*args)
    print(END)


if __name__ == "__main__":
    main(*sys.argv[1:])

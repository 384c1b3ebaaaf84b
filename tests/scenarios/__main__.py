"""Run the scenario that the command line names."""

import importlib
import signal
import sys

from scenarios import END


def main(name: str, *args: str) -> None:
    # A shell starts background jobs with SIGINT ignored, which children inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    module, function = name.split(":")
    getattr(importlib.import_module(f"scenarios.{module}"), function)(*args)
    print(END)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The command line without a package that it needs."""

import sys

from taichi_aot.cli.main import main


def run_the_demo_without_pillow() -> None:
    sys.modules["PIL"] = None  # type: ignore[assignment]  # makes its import fail
    print(main(["demo"]))

"""``python -m taichi_aot``."""

import sys

from .cli.main import main

if __name__ == "__main__":
    sys.exit(main(program="python -m taichi_aot"))

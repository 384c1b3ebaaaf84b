"""Run the variants of a benchmark in this process: child.py MODULE ARGUMENT... (such as ``memory.variants``)."""

import importlib
import sys

if __name__ == "__main__":
    importlib.import_module(sys.argv.pop(1)).main()

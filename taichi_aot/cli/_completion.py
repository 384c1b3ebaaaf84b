"""Completion of the command line in a shell, by argcomplete; the command ``completion`` prints the shell's part."""

from __future__ import annotations

import argparse

from ._codes import OK
from ._output import write

__all__ = ["REQUEST", "answer", "configure", "run"]

PROGRAM = "taichi-aot"
REQUEST = "_ARGCOMPLETE"  # the variable with which a shell asks for completions, instead of running the command
SHELLS = ("bash", "zsh", "fish")
INSTALL = f"""\
in ~/.bashrc:
  eval "$({PROGRAM} completion bash)"
in ~/.zshrc, after compinit:
  eval "$({PROGRAM} completion zsh)"
once, for fish:
  {PROGRAM} completion fish > ~/.config/fish/completions/{PROGRAM}.fish
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print a script with which a shell completes commands, options, archs, files, and the names of kernels in a "
        "module. It needs argcomplete: pip install argcomplete. Install the script with one of these lines:\n\n"
        + INSTALL
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def run(options: argparse.Namespace) -> int:
    try:
        from argcomplete.shell_integration import shellcode
    except ModuleNotFoundError:
        hint = "completion needs argcomplete: pip install argcomplete"
        raise ModuleNotFoundError(hint, name="argcomplete") from None
    write(shellcode([PROGRAM], shell=options.shell), end="")
    return OK


def answer(parser: argparse.ArgumentParser) -> None:
    """Print completions of the line that the shell has put into variables, and end the process."""
    from argcomplete import autocomplete

    autocomplete(parser, always_complete_options=False)

"""The parser of the command line: errors in one line with hints."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any, NoReturn, cast

from ..values._items import did_you_mean
from ._options import unknown
from ._output import write


class Parser(argparse.ArgumentParser):
    """A parser that raises errors as one-line exceptions and does not accept abbreviated options."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs, allow_abbrev=False)
        self.commands: dict[str, Parser] = {}  # the parsers of the commands; empty for the parser of a command
        self.color = False  # Python 3.14 would colour the help, by rules of its own

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Parse a command line; an error about unknown options says what they could mean."""
        options, rest = self.parse_known_args(words)
        if rest:
            parser = self.commands.get(options.command, self)
            parser.error(f"unrecognized arguments: {' '.join(rest)}{parser._hint(rest[0], options)}")
        return cast("argparse.Namespace", options)

    def parse_known_args(  # type: ignore[override]  # argparse itself passes only these arguments
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """Parse; also accept arguments of kernels after options."""
        options, rest = super().parse_known_args(args, namespace)  # argparse ends the list at the first option
        if not hasattr(options, "arguments"):
            return options, rest
        options.arguments = [*options.arguments, *(text for text in rest if not text.startswith("-"))]
        return options, [text for text in rest if text.startswith("-")]

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: object = None) -> None:
        """Print the help."""  # argparse would ignore a failure to write
        write(message, end="")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise for a value that is not one of the choices."""
        if action.choices is None or value in action.choices:
            return
        noun, is_command = str(action.metavar or action.dest).lower(), isinstance(action, argparse._SubParsersAction)
        message = unknown(noun, value, action.choices, self._option_string_actions if is_command else ())
        self.error(message + (_use_of_file(value) if is_command else ""))

    def _hint(self, word: str, options: argparse.Namespace) -> str:
        """Return the end of a message about a word that the parser of a command does not know."""
        option = word.partition("=")[0]
        if option in self._option_string_actions:  # it stands before the command
            return f"; write {option} after {options.command}"
        name = option.lstrip("-")
        suggestion = did_you_mean(option, self._option_string_actions) if len(name) > 1 else ""
        if suggestion or not (hasattr(options, "arguments") and name.isidentifier()):
            return suggestion
        return f"; arguments of kernels have no dashes: {name}=VALUE"


def _use_of_file(word: str) -> str:
    """Return the end of a message about a file in the place of a command."""
    if not os.path.exists(word):
        return ""
    return "; to compile it, write build before it" if word.endswith(".py") else "; to see it, write inspect before it"

"""The parser of the command line: errors in one line with hints, and help that fits the terminal."""

from __future__ import annotations

import argparse
import os
import re
import textwrap
from collections.abc import Sequence
from typing import Any, NoReturn, cast

from ..values._items import did_you_mean
from ._hints import unknown
from ._output import write

MIN_COLUMN = 20  # characters of the second column of a list, which is below the first one otherwise


class Parser(argparse.ArgumentParser):
    """A parser that raises errors as one-line exceptions and does not accept abbreviated options."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("formatter_class", Formatter)
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


class Formatter(argparse.HelpFormatter):
    """Fills the paragraphs of texts to the width of the terminal, and their lists in two columns."""

    _columns = re.compile(r"( +\S.*?   +)(\S.*)")

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(self._fill(part, width, indent) for part in text.rstrip("\n").split("\n\n"))

    def _fill(self, text: str, width: int, indent: str) -> str:
        lines = text.split("\n")
        if not any(line.startswith(" ") for line in lines):
            return _fill(text, width, indent)
        return "\n".join(self._fill_line(line, width, indent) for line in lines)

    def _fill_line(self, line: str, width: int, indent: str) -> str:
        """Fill a line of a list: its title, or its second column. Code in a single column stays as it is."""
        columns = self._columns.fullmatch(line)
        if columns is None:
            return indent + line if line.startswith(" ") else _fill(line, width, indent)
        left, right = columns.groups()
        if width - len(left) < MIN_COLUMN:
            return f"{indent}{left.rstrip()}\n{_fill(right, width, indent + ' ' * 6)}"
        return _fill(right, width, indent + left, indent + " " * len(left))


def _fill(text: str, width: int, first: str, others: str | None = None) -> str:
    """Fill lines that begin with `first`, and with `others` after the first line."""
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=first if others is None else others)

"""The directive ``command-line``: the help of a program and all its commands, from its parser."""

from __future__ import annotations

import argparse
import importlib
import os
import textwrap
from collections.abc import Iterator
from typing import Any
from unittest import mock

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

USAGE = "usage: "
WIDTH = "92"  # columns of the text of a page


class CommandLine(SphinxDirective):
    """The options of the program, and a section for each command: what it does, its usage and its arguments."""

    required_arguments = 1  # a module that has `make_parser`

    def run(self) -> list[nodes.Node]:
        with mock.patch.dict(os.environ, {"COLUMNS": WIDTH, "NO_COLOR": "1"}):  # argparse reads both
            parser = importlib.import_module(self.arguments[0]).make_parser()
            found = _arguments(parser._actions, parser)
            found += [self._section(name, summary, command) for name, summary, command in _commands(parser)]
        return found

    def _section(self, name: str, summary: str, parser: argparse.ArgumentParser) -> nodes.section:
        section = nodes.section("", nodes.title(text=name), ids=[name], names=[name])
        self.state.document.note_explicit_target(section, section)
        section += _paragraphs(parser.description or summary)
        section += nodes.literal_block("", _usage(parser), language="text")
        for group in parser._action_groups:
            section += _arguments(group._group_actions, parser)
        section += _paragraphs(parser.epilog)
        return section


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """The commands of a parser in the order of its table, with their summaries."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                yield choice.dest, choice.help or "", action.choices[choice.dest]


def _usage(parser: argparse.ArgumentParser) -> str:
    return textwrap.dedent(f"{' ' * len(USAGE)}{parser.format_usage().removeprefix(USAGE)}").rstrip()


def _arguments(actions: list[argparse.Action], parser: argparse.ArgumentParser) -> list[nodes.Node]:
    """A list of arguments with their help, without ``--help`` and the commands; nothing if there are none."""
    formatter = parser._get_formatter()
    items = [
        nodes.definition_list_item(
            "",
            nodes.term("", "", nodes.literal(text=formatter._format_action_invocation(action))),
            nodes.definition("", *_paragraphs(formatter._expand_help(action) if action.help else "")),
        )
        for action in actions
        if action.help is not argparse.SUPPRESS
        and not isinstance(action, argparse._HelpAction | argparse._SubParsersAction)
    ]
    return [nodes.definition_list("", *items)] if items else []


def _paragraphs(text: str | None) -> list[nodes.Node]:
    """The paragraphs of a text; one with indented lines, such as a list of examples, keeps its lines."""
    return [
        nodes.literal_block("", part.strip("\n"), language="text")
        if any(line.startswith(" ") for line in part.splitlines())
        else nodes.paragraph(text=f"{part[0].upper()}{part[1:]}")
        for part in (text or "").split("\n\n")
        if part.strip()
    ]


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("command-line", CommandLine)
    return {"version": "1", "parallel_read_safe": True}

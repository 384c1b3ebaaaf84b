"""The directive ``command-line``: the help of all commands, from the parser itself."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

WIDTH = "88"  # columns of the usage lines


class CommandLine(SphinxDirective):
    """A section for each command: what it does, its usage and its arguments."""

    required_arguments = 1  # a module that has `make_parser`
    has_content = False

    def run(self) -> list[nodes.Node]:
        parser = importlib.import_module(self.arguments[0]).make_parser()
        return [self._section(name, summary, command) for name, summary, command in _commands(parser)]

    def _section(self, name: str, summary: str, parser: argparse.ArgumentParser) -> nodes.section:
        section = nodes.section(ids=[name])
        section += nodes.title(text=name)
        self.state.document.note_explicit_target(section, section)
        section += _paragraph(parser.description or f"{summary[0].upper()}{summary[1:]}.")
        section += nodes.literal_block(text=_usage(parser), language="text")
        for group in parser._action_groups:
            actions = [action for action in group._group_actions if action.help is not argparse.SUPPRESS]
            if actions:
                section += _arguments(actions, parser)
        if parser.epilog:
            section += nodes.literal_block(text=parser.epilog, language="text")
        return section


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """The commands of a parser in the order of its table, with their summaries."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for choice in action._choices_actions:
                yield choice.dest, choice.help or "", action.choices[choice.dest]


def _usage(parser: argparse.ArgumentParser) -> str:
    return parser.format_usage().removeprefix("usage: ").rstrip()


def _arguments(actions: list[argparse.Action], parser: argparse.ArgumentParser) -> nodes.definition_list:
    formatter = parser._get_formatter()
    return nodes.definition_list(
        "",
        *(
            nodes.definition_list_item(
                "",
                nodes.term("", "", *_invocation(action, formatter)),
                nodes.definition("", _paragraph(formatter._expand_help(action) if action.help else "")),
            )
            for action in actions
        ),
        classes=["arguments"],
    )


def _invocation(action: argparse.Action, formatter: argparse.HelpFormatter) -> list[nodes.Node]:
    return [nodes.literal(text=formatter._format_action_invocation(action))]


def _paragraph(text: str) -> nodes.paragraph:
    return nodes.paragraph(text=text)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("command-line", CommandLine)
    return {"version": "1", "parallel_read_safe": True}

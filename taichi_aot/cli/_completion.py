"""The command ``completion``: prints a script that completes the command line in a shell, made from its parser.

The scripts have all words in them, so that a shell need not start Python, except for the names of kernels: those are
read from the module that the line names.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias, cast

from ._codes import OK
from ._options import ArchWord, not_negative, positive, seconds
from ._output import write

__all__ = ["SHELLS", "configure", "run", "script"]

PROGRAM = "taichi-aot"
# Prints the names of kernels and graphs, which are indented and followed by their parameters. Only identifiers, because
# bash would expand what else a module of others may have for a name.
NAMES = f"{PROGRAM} inspect -- MODULE 2>/dev/null | sed -n 's/^    \\([[:alnum:]_]*\\)(.*/\\1/p'"

INSTALL = {
    "bash": f'eval "$({PROGRAM} completion bash)"                                      # in ~/.bashrc',
    "zsh": f'eval "$({PROGRAM} completion zsh)"                                       # in ~/.zshrc, after compinit',
    "fish": f"{PROGRAM} completion fish > ~/.config/fish/completions/{PROGRAM}.fish",
}


class Values(NamedTuple):
    """What can follow an option, or stand as an argument.

    Attributes
    ----------
    kind : str
        ``"words"``, ``"list"`` of words with commas, ``"names"`` of kernels, ``"files"``, or ``"other"``.
    words : tuple of str
        The words.
    """

    kind: Literal["words", "list", "names", "files", "other"]
    words: tuple[str, ...] = ()


class Option(NamedTuple):
    """An option: its flags, what follows it, if anything, and its help."""

    flags: tuple[str, ...]
    values: Values | None
    help: str


class Command(NamedTuple):
    """A command: its name and summary, its options, what its arguments are, and whether the last can be repeated."""

    name: str
    summary: str
    options: tuple[Option, ...]
    arguments: tuple[Values, ...]
    repeats: bool


Commands: TypeAlias = "tuple[Command, ...]"


def configure(parser: argparse.ArgumentParser) -> None:
    lines = "\n".join(f"  {line}" for line in INSTALL.values())
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = (
        "Print a script with which a shell completes commands, options, archs, files, and the names of kernels in a "
        "module.\nInstall it with one of these lines:\n\n" + lines
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def run(options: argparse.Namespace) -> int:
    write(script(options.shell, options.parser), end="")
    return OK


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script for a shell that completes what a parser reads."""
    return SHELLS[shell](tuple(_commands(parser)))


def _commands(parser: argparse.ArgumentParser) -> Iterator[Command]:
    """What the parser knows; the first command, without a name, has the options before a command."""
    yield Command("", "", tuple(_options(parser)), (), False)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            subparsers = cast("argparse._SubParsersAction[argparse.ArgumentParser]", action)
            for choice in subparsers._choices_actions:
                inner = subparsers.choices[choice.dest]
                actions = inner._get_positional_actions()
                arguments = tuple(map(_values, actions))
                repeats = any(each.nargs in ("*", "+") for each in actions)
                yield Command(choice.dest, choice.help or "", tuple(_options(inner)), arguments, repeats)


def _options(parser: argparse.ArgumentParser) -> Iterator[Option]:
    formatter = parser._get_formatter()
    for action in parser._get_optional_actions():
        values = None if action.nargs == 0 else _values(action)
        yield Option(tuple(action.option_strings), values, formatter._expand_help(action))


def _values(action: argparse.Action) -> Values:
    if action.choices is not None:
        return Values("words", tuple(map(str, action.choices)))
    if isinstance(action.type, ArchWord):
        return Values("list" if action.type.is_list else "words", action.type.words)
    if action.dest == "kernel":
        return Values("names")
    is_free = action.type in (positive, not_negative, seconds) or str(action.metavar).split(",")[0] == "NAME"
    return Values("other" if is_free else "files")


# bash

BASH = """\
_taichi_aot() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}}
    local words= list= names= module= word i position=0 skip=
    COMPREPLY=()
    # The shell makes three words of --arch=x64.
    if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        word=${{COMP_WORDS[i]}}
        if [[ $word == = ]]; then skip=1
        elif [[ $skip ]]; then skip=
        elif [[ $word == -* ]]; then case $word in {valued}) skip=1 ;; esac
        else module=${{module:-$word}}; position=$((position + 1)); fi
    done
    if ((COMP_CWORD == 1)); then words={first}
    else case $command:$prev in
{after_options}
    *) case $cur in
        -*) case $command in
{options}
            esac ;;
        *) case $command:$position in
{arguments}
            esac ;;
        esac ;;
    esac; fi
    if [[ $names ]]; then
        module=${{module//\\\\/}}
        module=${{module/#\\~/$HOME}}
        words=$({names})
    fi
    if [[ $list ]]; then
        local before=
        if [[ $cur == *,* ]]; then before=${{cur%,*}},; fi
        COMPREPLY=($(compgen -P "$before" -W "$list" -- "${{cur##*,}}"))
    else
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
    fi
}}
complete -o default -F _taichi_aot {program}
"""


def _bash(commands: Commands) -> str:
    first, *others = commands
    valued = {flag for command in others for option in command.options if option.values for flag in option.flags}
    return BASH.format(
        program=PROGRAM,
        names=NAMES.replace("MODULE", '"$module"'),
        valued="|".join(sorted(valued)),
        first=shlex.quote(" ".join([*(each.name for each in others), *_flags(first)])),
        after_options="\n".join(
            f"    {'|'.join(f'{command.name}:{flag}' for flag in option.flags)}) {_bash_words(option.values)} ;;"
            for command in others
            for option in command.options
            if option.values
        ),
        options="\n".join(
            f"            {each.name}) words={shlex.quote(' '.join(_flags(each)))} ;;" for each in others
        ),
        arguments="\n".join(
            f"            {each.name}:{place}) {_bash_words(values)} ;;"
            for each in others
            for place, values in enumerate(each.arguments)
        ),
    )


def _bash_words(values: Values) -> str:
    """Commands of bash that state what to offer; file names if nothing."""
    match values.kind:
        case "words" | "list":
            return f"{values.kind}={shlex.quote(' '.join(values.words))}"
        case "names":
            return "names=1"
        case "files":
            return ":"
        case "other":
            return "compopt +o default"


def _flags(command: Command) -> list[str]:
    return [flag for option in command.options for flag in option.flags]


# zsh

ZSH = """\
#compdef {program}
_taichi_aot_names() {{
    local MODULE
    for MODULE in ${{(Q)words[2,CURRENT-1]}}; do
        MODULE=${{MODULE/#\\~/$HOME}}
        [[ -e $MODULE ]] && compadd -- ${{(f)"$({names})"}} && return
    done
}}
_taichi_aot_files() {{
    compset -P '*=@' || compset -P '*='
    _files
}}
_taichi_aot() {{
    local curcontext=$curcontext state line
    local -A opt_args
    _arguments -C {first} ':command:->command' '*::argument:->argument'
    case $state in
    command)
        local -a commands=({commands})
        _describe command commands ;;
    argument)
        case $words[1] in
{arguments}
        esac ;;
    esac
}}
if [[ $funcstack[1] == _taichi_aot ]]; then _taichi_aot "$@"; else compdef _taichi_aot {program}; fi
"""


def _zsh(commands: Commands) -> str:
    first, *others = commands
    return ZSH.format(
        program=PROGRAM,
        names=NAMES.replace("MODULE", "$MODULE"),
        first=" ".join(_zsh_option(option) for option in first.options),
        commands=" ".join(shlex.quote(f"{each.name}:{each.summary}") for each in others),
        arguments="\n".join(
            f"        {each.name}) _arguments {' '.join([*map(_zsh_option, each.options), *_zsh_arguments(each)])} ;;"
            for each in others
        ),
    )


def _zsh_option(option: Option) -> str:
    text = "".join(f"\\{c}" if c in "[]:\\" else c for c in option.help)
    after = "" if option.values is None else f":value:{_zsh_action(option.values)}"
    # Of a long option the value can also follow an equals sign.
    signs = {flag: "=" if option.values and flag.startswith("--") else "" for flag in option.flags}
    return " ".join(shlex.quote(f"{flag}{sign}[{text}]{after}") for flag, sign in signs.items())


def _zsh_arguments(command: Command) -> Iterator[str]:
    for place, values in enumerate(command.arguments, 1):
        star = "*" if command.repeats and place == len(command.arguments) else ""
        yield shlex.quote(f"{star}:argument:{_zsh_action(values)}")


def _zsh_action(values: Values) -> str:
    match values.kind:
        case "words":
            return f"({' '.join(values.words)})"
        case "list":
            return f"_sequence compadd - {' '.join(values.words)}"
        case "names":
            return "_taichi_aot_names"
        case "files":
            return "_taichi_aot_files"
        case "other":
            return " "


# fish

FISH = """\
function __taichi_aot_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test "$words[2]" = "$argv[1]"
end
function __taichi_aot_names
    for MODULE in (commandline -opc)[3..-1]
        if test -e $MODULE
            {names}
            return
        end
    end
end
complete -c {program} -f
{lines}
"""


def _fish(commands: Commands) -> str:
    first, *others = commands
    lines = [_fish_option("__fish_use_subcommand", option) for option in first.options]
    for each in others:
        condition = f"__taichi_aot_is {each.name}"
        lines.append(_fish_line("__fish_use_subcommand", ["-a", each.name], each.summary))
        lines += [_fish_option(condition, option) for option in each.options]
        for values in dict.fromkeys(each.arguments):
            lines.append(_fish_line(condition, _fish_values(values), ""))
    return FISH.format(program=PROGRAM, names=NAMES.replace("MODULE", "$MODULE"), lines="\n".join(lines))


def _fish_option(condition: str, option: Option) -> str:
    flags = [word for flag in option.flags for word in ("-l" if flag.startswith("--") else "-s", flag.lstrip("-"))]
    values = [] if option.values is None else ["-r", *_fish_values(option.values)]
    return _fish_line(condition, [*flags, *values], option.help)


def _fish_line(condition: str, words: list[str], summary: str) -> str:
    described = ["-d", summary] if summary else []
    return " ".join(["complete", "-c", PROGRAM, *map(_fish_quote, ["-n", condition, *words, *described])])


def _fish_values(values: Values) -> list[str]:
    match values.kind:
        case "words":
            return ["-f", "-a", " ".join(values.words)]
        case "list":
            return ["-f", "-a", f"(__fish_append , {' '.join(values.words)})"]
        case "names":
            return ["-f", "-a", "(__taichi_aot_names)"]
        case "files":
            return ["-F"]
        case "other":
            return ["-f"]


def _fish_quote(text: str) -> str:
    if text and all(c.isalnum() or c in "-_" for c in text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: dict[str, Callable[[Commands], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}

"""What Discord refuses in application commands. Source: its reference, "Application Commands"."""

import re

from bot.sandbox.errors import Problems
from bot.sandbox.wire import Json, mapping, rows

MAX_COMMANDS = {1: 100, 2: 15, 3: 15}
MAX_SIZE = 8000
SUB_COMMAND, GROUP = 1, 2

_NAME = re.compile(r"[-_'\w]{1,32}")


def check_commands(commands: list[Json]) -> None:
    """Refuse a list of commands for one scope; raise `RefusalError` 50035."""
    problems = Problems()
    for kind, most in MAX_COMMANDS.items():
        if sum(command.get("type", 1) == kind for command in commands) > most:
            problems.add((), "APPLICATION_COMMANDS_MAX", f"Maximum number of application commands reached ({most})")
    seen: set[tuple[int, str]] = set()
    for index, command in enumerate(commands):
        key = command.get("type", 1), command.get("name", "")
        if key in seen:
            words = "Application command names must be unique"
            problems.add((index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", words)
        seen.add(key)
        _check_command(problems, (index,), command)
    problems.check()


def check_command(command: Json) -> None:
    """Refuse one command; raise `RefusalError` 50035."""
    problems = Problems()
    _check_command(problems, (), command)
    problems.check()


def size(command: Json) -> int:
    """Count a command's characters: names, descriptions and values, each in its longest translation."""
    total = len(str(command["value"])) if "value" in command else 0
    for field in ("name", "description"):
        translated = mapping(command.get(f"{field}_localizations")).values()
        total += max(len(text) for text in (command.get(field) or "", *translated))
    return total + sum(size(row) for field in ("options", "choices") for row in rows(command.get(field)))


def _check_command(problems: Problems, path: tuple[str | int, ...], command: Json) -> None:
    if command.get("type", 1) != 1:
        problems.length((*path, "name"), command.get("name"), 1, 32)
        if command.get("description"):
            words = "Context menu commands cannot have description"
            problems.add((*path, "description"), "APPLICATION_COMMANDS_CONTEXT_MENU_DESCRIPTION", words)
        return
    _check_words(problems, path, command)
    _check_options(problems, (*path, "options"), rows(command.get("options")), depth=0)
    if size(command) > MAX_SIZE:
        problems.add(path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MAX_SIZE})")


def _check_words(problems: Problems, path: tuple[str | int, ...], row: Json) -> None:
    name = row.get("name") or ""
    if not _NAME.fullmatch(name) or name != name.lower():
        problems.add((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    problems.length((*path, "description"), row.get("description"), 1, 100)
    for translation in mapping(row.get("name_localizations")).values():
        problems.length((*path, "name_localizations"), translation, 1, 32)
    for translation in mapping(row.get("description_localizations")).values():
        problems.length((*path, "description_localizations"), translation, 1, 100)


def _check_options(problems: Problems, path: tuple[str | int, ...], options: list[Json], *, depth: int) -> None:
    problems.count(path, len(options), 0, 25)
    kinds = [option.get("type") for option in options]
    nested = [kind in (SUB_COMMAND, GROUP) for kind in kinds]
    if any(nested) and not all(nested):
        words = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        problems.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", words)
    if (depth == 1 and GROUP in kinds) or (depth == 2 and any(nested)):
        problems.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Commands are nested too deep")
    names: set[str] = set()
    optional_seen = False
    for index, option in enumerate(options):
        here = (*path, index)
        _check_words(problems, here, option)
        if option.get("name") in names:
            words = "The specified option name is already used"
            problems.add((*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", words)
        names.add(option.get("name") or "")
        if option.get("required") and optional_seen:
            words = "Required options must be placed before non-required options"
            problems.add(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", words)
        optional_seen = optional_seen or not option.get("required")
        if nested[index]:
            deeper = 1 if option.get("type") == GROUP and depth == 0 else 2
            _check_options(problems, (*here, "options"), rows(option.get("options")), depth=deeper)
        else:
            _check_choices(problems, here, option)


def _check_choices(problems: Problems, path: tuple[str | int, ...], option: Json) -> None:
    choices = rows(option.get("choices"))
    problems.count((*path, "choices"), len(choices), 0, 25)
    if choices and option.get("autocomplete"):
        words = "An option with choices cannot have autocomplete"
        problems.add((*path, "autocomplete"), "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", words)
    for index, choice in enumerate(choices):
        problems.length((*path, "choices", index, "name"), choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            problems.length((*path, "choices", index, "value"), choice["value"], 1, 100)

"""Discord's limits for application commands. Source: its API reference, "Application Commands"."""

import re

from bot.sandbox.server.errors import FormErrors
from bot.sandbox.world.json_values import Json, as_object, as_objects

MAX_COMMANDS_BY_TYPE = {1: 100, 2: 15, 3: 15}
MAX_SIZE = 8000
SUB_COMMAND, GROUP = 1, 2

_NAME = re.compile(r"[-_'\w]{1,32}")


def check_commands(commands: list[Json]) -> None:
    """Check all commands of one scope. Raises `RefusalError` 50035 if any of them is invalid."""
    errors = FormErrors()
    for kind, maximum in MAX_COMMANDS_BY_TYPE.items():
        if sum(command.get("type", 1) == kind for command in commands) > maximum:
            errors.add((), "APPLICATION_COMMANDS_MAX", f"Maximum number of application commands reached ({maximum})")
    seen: set[tuple[int, str]] = set()
    for index, command in enumerate(commands):
        key = command.get("type", 1), command.get("name", "")
        if key in seen:
            words = "Application command names must be unique"
            errors.add((index, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", words)
        seen.add(key)
        _check_command(errors, (index,), command)
    errors.raise_if_any()


def check_command(command: Json) -> None:
    """Check one command. Raises `RefusalError` 50035 if it is invalid."""
    errors = FormErrors()
    _check_command(errors, (), command)
    errors.raise_if_any()


def size(command: Json) -> int:
    """Return a command's size in characters: names, descriptions and values, each in its longest translation."""
    total = len(str(command["value"])) if "value" in command else 0
    for field in ("name", "description"):
        translated = as_object(command.get(f"{field}_localizations")).values()
        total += max(len(text) for text in (command.get(field) or "", *translated))
    return total + sum(size(row) for field in ("options", "choices") for row in as_objects(command.get(field)))


def _check_command(errors: FormErrors, path: tuple[str | int, ...], command: Json) -> None:
    if command.get("type", 1) != 1:
        errors.check_length((*path, "name"), command.get("name"), 1, 32)
        if command.get("description"):
            words = "Context menu commands cannot have description"
            errors.add((*path, "description"), "APPLICATION_COMMANDS_CONTEXT_MENU_DESCRIPTION", words)
        return
    _check_words(errors, path, command)
    _check_options(errors, (*path, "options"), as_objects(command.get("options")), depth=0)
    if size(command) > MAX_SIZE:
        errors.add(path, "APPLICATION_COMMAND_TOO_LARGE", f"Command exceeds maximum size ({MAX_SIZE})")


def _check_words(errors: FormErrors, path: tuple[str | int, ...], row: Json) -> None:
    name = row.get("name") or ""
    if not _NAME.fullmatch(name) or name != name.lower():
        errors.add((*path, "name"), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    errors.check_length((*path, "description"), row.get("description"), 1, 100)
    for translation in as_object(row.get("name_localizations")).values():
        errors.check_length((*path, "name_localizations"), translation, 1, 32)
    for translation in as_object(row.get("description_localizations")).values():
        errors.check_length((*path, "description_localizations"), translation, 1, 100)


def _check_options(errors: FormErrors, path: tuple[str | int, ...], options: list[Json], *, depth: int) -> None:
    errors.check_count(path, len(options), 0, 25)
    kinds = [option.get("type") for option in options]
    nested = [kind in (SUB_COMMAND, GROUP) for kind in kinds]
    if any(nested) and not all(nested):
        words = "Sub-command and sub-command group option types are mutually exclusive to all other types"
        errors.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", words)
    if (depth == 1 and GROUP in kinds) or (depth == 2 and any(nested)):
        errors.add(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Commands are nested too deep")
    names: set[str] = set()
    optional_seen = False
    for index, option in enumerate(options):
        here = (*path, index)
        _check_words(errors, here, option)
        if option.get("name") in names:
            words = "The specified option name is already used"
            errors.add((*here, "name"), "APPLICATION_COMMAND_OPTIONS_NAME_INVALID", words)
        names.add(option.get("name") or "")
        if option.get("required") and optional_seen:
            words = "Required options must be placed before non-required options"
            errors.add(here, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", words)
        optional_seen = optional_seen or not option.get("required")
        if nested[index]:
            deeper = 1 if option.get("type") == GROUP and depth == 0 else 2
            _check_options(errors, (*here, "options"), as_objects(option.get("options")), depth=deeper)
        else:
            _check_choices(errors, here, option)


def _check_choices(errors: FormErrors, path: tuple[str | int, ...], option: Json) -> None:
    choices = as_objects(option.get("choices"))
    errors.check_count((*path, "choices"), len(choices), 0, 25)
    if choices and option.get("autocomplete"):
        words = "An option with choices cannot have autocomplete"
        errors.add((*path, "autocomplete"), "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", words)
    for index, choice in enumerate(choices):
        errors.check_length((*path, "choices", index, "name"), choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            errors.check_length((*path, "choices", index, "value"), choice["value"], 1, 100)

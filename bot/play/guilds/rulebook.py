"""The rules that a server offers: presets, and its own house rules."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from bot.engine.errors import GinError
from bot.engine.rules import OPTIONS, PRESETS, Rules
from bot.model.guilds import GuildSettings, NamedRules
from bot.model.ids import GuildId
from bot.model.names import find_name, is_visible, name_key
from bot.model.statistics import Category
from bot.play.loading.unit_of_work import Service, shielded
from bot.play.refusals import (
    NotOffered,
    TooManyHouseRules,
    UnknownOption,
    UnknownRules,
    WrongRulesName,
    WrongValue,
)
from bot.store import guilds
from bot.store.transaction import Transaction

MAX_HOUSE_RULES: Final = 25
"""Maximum number of house rules in a server: a menu on Discord has at most 25 entries."""

MAX_NAME_LENGTH: Final = 32

_PUNCTUATION: Final = frozenset(" -‐‑–—'’ʼ.,!?&+%()")
"""Characters allowed in names of house rules besides letters and digits: none has a special meaning in messages, custom
ids or options."""
_LOOKALIKES: Final = str.maketrans("авсеіјкмнорѕтухαειοκρτυχνıɡ01", "abceijkmhopstyxaeiokptuxvigol")
"""Digits and lower-case letters of other alphabets that look like Latin letters, and their replacements."""


class Rulebook(Service):
    """The rules that servers offer."""

    async def offered(self, guild_id: GuildId) -> tuple[NamedRules, ...]:
        """Return the rules that a server offers: presets, then its house rules, sorted by name."""
        async with self._units.read() as unit:
            return await offered_rules(unit.transaction, guild_id)

    async def house_rules(self, guild_id: GuildId) -> tuple[NamedRules, ...]:
        """Return a server's house rules, sorted by name."""
        async with self._units.read() as unit:
            return tuple((await guilds.house_rules(unit.transaction, guild_id)).values())

    async def house_rule(self, guild_id: GuildId, name: str) -> NamedRules:
        """Return the house rules with this name. Raise `UnknownRules`."""
        async with self._units.read() as unit:
            _, rules = await _house_rule(unit.transaction, guild_id, name)
            return rules

    async def read(self, guild_id: GuildId, text: str, *, offered: bool = True) -> NamedRules:
        """Parse rules as people write them: the name of a preset or of house rules, and options to change.

        An example of `text` is `classic target=150`. With `offered=False`, also accept presets that the server
        does not offer: house rules can be based on any preset. Raise `UnknownRules` or `NotOffered`.
        """
        async with self._units.read() as unit:
            if not offered:
                return await read_rules(unit.transaction, guild_id, text)
            settings = (await guilds.load(unit.transaction, guild_id)).settings
            return await read_offered(unit.transaction, guild_id, settings, text)

    @shielded
    async def save(self, guild_id: GuildId, name: str, text: str) -> NamedRules:
        """Save house rules under a name, replacing earlier ones with the same name. `text` is as for `read`.

        The name has 1 to 32 letters of any alphabet, digits, spaces and common punctuation, starts with a letter or
        digit, and does not look like the name of a preset or a leaderboard. Raise `WrongRulesName`, `UnknownRules` or
        `TooManyHouseRules`.
        """
        name = unicodedata.normalize("NFC", " ".join(name.split()))
        if not (0 < len(name) <= MAX_NAME_LENGTH and _is_letter_or_digit(name[0]) and all(map(_may_be_in_name, name))):
            raise WrongRulesName(name, taken=False)
        if not is_visible(name):
            raise WrongRulesName(name, taken=False)
        if _lookalike_key(name) in {_lookalike_key(taken) for taken in (*PRESETS, *Category)}:
            raise WrongRulesName(name, taken=True)
        async with self._units.write() as unit:
            rules = (await read_rules(unit.transaction, guild_id, text)).rules
            house_rules = await guilds.house_rules(unit.transaction, guild_id)
            key = next(
                (key for key, rules in house_rules.items() if name_key(rules.name) == name_key(name)), name_key(name)
            )
            if len(house_rules.keys() - {key}) >= MAX_HOUSE_RULES:
                raise TooManyHouseRules(MAX_HOUSE_RULES)
            named = NamedRules(name, rules, house=True)
            await guilds.save_house_rule(unit.transaction, guild_id, key, named)
            return named

    @shielded
    async def remove(self, guild_id: GuildId, name: str) -> NamedRules:
        """Remove house rules. Matches that use them continue. If they were the default, a preset becomes the default.

        Raise `UnknownRules`.
        """
        async with self._units.write() as unit:
            settings = (await guilds.load(unit.transaction, guild_id)).settings
            key, removed = await _house_rule(unit.transaction, guild_id, name)
            await guilds.remove_house_rule(unit.transaction, guild_id, key)
            if name_key(_split(settings.rules)[0]) == name_key(removed.name):
                await guilds.change(unit.transaction, guild_id, rules=_offered_presets(settings)[0])
            return removed


async def _house_rule(transaction: Transaction, guild_id: GuildId, name: str) -> tuple[str, NamedRules]:
    """Return the key and the house rules with this name. Raise `UnknownRules`."""
    house_rules = await guilds.house_rules(transaction, guild_id)
    key = _find_key(house_rules, name)
    if key is None:
        raise UnknownRules(
            f"there are no house rules {name!r}", tuple(house_rule.name for house_rule in house_rules.values()), name
        )
    return key, house_rules[key]


async def offered_rules(transaction: Transaction, guild_id: GuildId) -> tuple[NamedRules, ...]:
    """Return the rules that a server offers: presets, then its house rules, sorted by name."""
    settings = (await guilds.load(transaction, guild_id)).settings
    presets = [NamedRules(name, Rules.parse(name), house=False) for name in _offered_presets(settings)]
    return *presets, *(await guilds.house_rules(transaction, guild_id)).values()


async def read_rules(transaction: Transaction, guild_id: GuildId, text: str) -> NamedRules:
    """Parse rules as people write them, whether or not the server offers them. Raise `UnknownRules`."""
    name, changes = _split(text)
    house_rules = await guilds.house_rules(transaction, guild_id)
    house_key = _find_key(house_rules, name)
    preset = find_name(name, PRESETS)
    if house_key is not None:
        base = house_rules[house_key]
    elif preset is not None:
        base = NamedRules(preset, Rules.parse(preset), house=False)
    else:
        settings = (await guilds.load(transaction, guild_id)).settings
        reason = f"there are no rules {name!r}" if name else "the name of the rules is missing"
        offered = await _offered_names(transaction, guild_id, settings)
        raise UnknownRules(reason, offered, name or " ".join(changes))
    _check_options(changes)
    changed = {change.partition("=")[0] for change in changes}
    unchanged = [word for word in str(base.rules).split() if word.partition("=")[0] not in changed]
    try:
        return replace(base, rules=Rules.parse(" ".join((*unchanged, *changes))))
    except GinError as error:
        raise UnknownRules(str(error)) from None


async def read_offered(transaction: Transaction, guild_id: GuildId, settings: GuildSettings, text: str) -> NamedRules:
    """Parse rules as people write them. The server must offer them. Raise `UnknownRules` or `NotOffered`."""
    rules = await read_rules(transaction, guild_id, text)
    if not rules.house and rules.name not in _offered_presets(settings):
        raise NotOffered(rules.name, await _offered_names(transaction, guild_id, settings))
    return rules


async def agreed_rules(
    transaction: Transaction, guild_id: GuildId, rules: str | None, target: int | None
) -> NamedRules:
    """Return the requested rules, or else the server's default rules with its default target score.

    `target`, if given, replaces the target score. Raise `UnknownRules` or `NotOffered`.
    """
    settings = (await guilds.load(transaction, guild_id)).settings
    if rules:
        named_rules = await read_offered(transaction, guild_id, settings, rules)
    else:
        named_rules, target = await read_rules(transaction, guild_id, settings.rules), target or settings.target
    if target is None:
        return named_rules
    try:
        return replace(named_rules, rules=replace(named_rules.rules, target=target))
    except GinError as error:
        raise UnknownRules(str(error)) from None


def _offered_presets(settings: GuildSettings) -> tuple[str, ...]:
    """Return the names of the presets that a server offers, in their usual order."""
    return tuple(name for name in PRESETS if not settings.offered or name in settings.offered)


async def _offered_names(transaction: Transaction, guild_id: GuildId, settings: GuildSettings) -> tuple[str, ...]:
    house_rules = await guilds.house_rules(transaction, guild_id)
    return *_offered_presets(settings), *(house_rule.name for house_rule in house_rules.values())


def _split(text: str) -> tuple[str, list[str]]:
    """Split a text into a name and the options after it."""
    words = text.split()
    name = list(takewhile(lambda word: "=" not in word, words))
    return " ".join(name), words[len(name) :]


def _check_options(changes: Sequence[str]) -> None:
    """Check that each option exists and allows its value. Raise `UnknownOption` or `WrongValue`."""
    for change in changes:
        option, _, value = change.partition("=")
        if option not in OPTIONS:
            raise UnknownOption(f"there is no option {option!r}", asked=option or change)
        try:
            OPTIONS[option].parse(value)
        except GinError as error:
            raise WrongValue(f"{option}: {error}", asked=value, option=option) from None


def _find_key(house_rules: Mapping[str, NamedRules], name: str) -> str | None:
    """Return the key of the house rules with this name; None if the name is unknown or ambiguous."""
    name_found = find_name(name, (house_rule.name for house_rule in house_rules.values()))
    return next((key for key, rules in house_rules.items() if rules.name == name_found), None)


def _lookalike_key(name: str) -> str:
    """Return a key that is equal for names that look alike.

    It has no spaces, punctuation or accents, and Latin letters instead of characters that look like them.
    """
    letters = "".join(char for char in unicodedata.normalize("NFKD", name).casefold() if char.isalnum())
    return letters.translate(_LOOKALIKES)


def _is_letter_or_digit(char: str) -> bool:
    return unicodedata.category(char)[0] in "LN"


def _may_be_in_name(char: str) -> bool:
    # Allow combining marks: letters of many alphabets contain them.
    return _is_letter_or_digit(char) or unicodedata.category(char) in ("Mn", "Mc") or char in _PUNCTUATION

"""The rules that a server offers: presets, and its own house rules."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Final

from bot.engine.errors import GinError
from bot.engine.rules import PRESETS, Rules
from bot.play.loading.unit_of_work import Service, shielded
from bot.play.refusals import NotOffered, TooManyHouseRules, UnknownRules, WrongRulesName
from bot.store import guilds
from bot.store.transaction import Transaction
from bot.values.guilds import GuildSettings, NamedRules
from bot.values.ids import GuildId
from bot.values.names import find_named, folded, is_visible
from bot.values.statistics import Category

MAX_HOUSE_RULES: Final = 25
"""Maximum number of house rules in a server: the maximum length of a Discord menu."""

MAX_NAME: Final = 32

_PUNCTUATION: Final = frozenset(" -‐‑–—'’ʼ.,!?&+%()")
"""Characters allowed in names besides letters and digits: none with a meaning in messages, custom ids or options."""
_LOOKALIKES: Final = str.maketrans("авсеіјкмнорѕтухαειοκρτυχνıɡ01", "abceijkmhopstyxaeiokptuxvigol")
"""Digits and lower-case letters of other alphabets that look like Latin letters, and their replacements."""


class Rulebook(Service):
    """The rules that servers offer."""

    async def offered(self, guild_id: GuildId) -> tuple[NamedRules, ...]:
        """Return the available rules of a server: its presets, then its house rules by name."""
        async with self._units.read() as unit:
            return await offered_rules(unit.transaction, guild_id)

    async def house_rules(self, guild_id: GuildId) -> tuple[NamedRules, ...]:
        """Return a server's house rules, sorted by name."""
        async with self._units.read() as unit:
            return tuple((await guilds.house_rules(unit.transaction, guild_id)).values())

    async def house_rule(self, guild_id: GuildId, name: str) -> NamedRules:
        """Return the house rules with this name. Raise `UnknownRules`."""
        async with self._units.read() as unit:
            _, found = await _house_rule(unit.transaction, guild_id, name)
            return found

    async def read(self, guild_id: GuildId, text: str, *, offered: bool = True) -> NamedRules:
        """Parse rules as people write them: the name of a preset or house rule, and options that differ from it.

        An example of `text` is `classic target=150`. `offered` is False if the server need not offer the rules: house
        rules may be based on any preset. Raise `UnknownRules` or `NotOffered`.
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
        if not (0 < len(name) <= MAX_NAME and _is_word(name[0]) and all(map(_may_be_in_name, name))):
            raise WrongRulesName(name, taken=False)
        if not is_visible(name):
            raise WrongRulesName(name, taken=False)
        if _looks(name) in {_looks(taken) for taken in (*PRESETS, *Category)}:
            raise WrongRulesName(name, taken=True)
        async with self._units.write() as unit:
            rules = (await read_rules(unit.transaction, guild_id, text)).rules
            house_rules = await guilds.house_rules(unit.transaction, guild_id)
            key = next((key for key, one in house_rules.items() if folded(one.name) == folded(name)), folded(name))
            if len(house_rules.keys() - {key}) >= MAX_HOUSE_RULES:
                raise TooManyHouseRules(MAX_HOUSE_RULES)
            named = NamedRules(name, rules, house=True)
            await guilds.save_house_rule(unit.transaction, guild_id, key, named)
            return named

    @shielded
    async def remove(self, guild_id: GuildId, name: str) -> NamedRules:
        """Remove house rules. Matches with them continue. If they were the default, a preset replaces them.

        Raise `UnknownRules`.
        """
        async with self._units.write() as unit:
            settings = (await guilds.load(unit.transaction, guild_id)).settings
            key, removed = await _house_rule(unit.transaction, guild_id, name)
            await guilds.remove_house_rule(unit.transaction, guild_id, key)
            if folded(_split(settings.rules)[0]) == folded(removed.name):
                await guilds.change(unit.transaction, guild_id, rules=_presets(settings)[0])
            return removed


async def _house_rule(transaction: Transaction, guild_id: GuildId, name: str) -> tuple[str, NamedRules]:
    """Return the key of house rules and the rules, by their name. Raise `UnknownRules`."""
    house_rules = await guilds.house_rules(transaction, guild_id)
    key = _find(house_rules, name)
    if key is None:
        raise UnknownRules(f"there are no house rules {name!r}", tuple(one.name for one in house_rules.values()), name)
    return key, house_rules[key]


async def offered_rules(transaction: Transaction, guild_id: GuildId) -> tuple[NamedRules, ...]:
    """Return the available rules of a server: its presets, then its house rules by name."""
    settings = (await guilds.load(transaction, guild_id)).settings
    presets = [NamedRules(name, Rules.parse(name), house=False) for name in _presets(settings)]
    return *presets, *(await guilds.house_rules(transaction, guild_id)).values()


async def read_rules(transaction: Transaction, guild_id: GuildId, text: str) -> NamedRules:
    """Parse rules as people write them, whether or not the server offers them. Raise `UnknownRules`."""
    name, changes = _split(text)
    house_rules = await guilds.house_rules(transaction, guild_id)
    house_key = _find(house_rules, name)
    preset = find_named(name, PRESETS)
    if house_key is not None:
        base = house_rules[house_key]
    elif preset is not None:
        base = NamedRules(preset, Rules.parse(preset), house=False)
    else:
        settings = (await guilds.load(transaction, guild_id)).settings
        raise UnknownRules(f"there are no rules {name!r}", await _names(transaction, guild_id, settings), name)
    changed = {change.partition("=")[0] for change in changes}
    unchanged = [word for word in str(base.rules).split() if word.partition("=")[0] not in changed]
    try:
        return replace(base, rules=Rules.parse(" ".join((*unchanged, *changes))))
    except GinError as error:
        raise UnknownRules(str(error)) from None


async def read_offered(transaction: Transaction, guild_id: GuildId, settings: GuildSettings, text: str) -> NamedRules:
    """Parse rules as people write them. The server must offer them. Raise `UnknownRules` or `NotOffered`."""
    found = await read_rules(transaction, guild_id, text)
    if not found.house and found.name not in _presets(settings):
        raise NotOffered(found.name, await _names(transaction, guild_id, settings))
    return found


async def agreed_rules(
    transaction: Transaction, guild_id: GuildId, rules: str | None, target: int | None
) -> NamedRules:
    """Return the requested rules, or the server's default rules and target. Raise `UnknownRules` or `NotOffered`."""
    settings = (await guilds.load(transaction, guild_id)).settings
    if rules:
        found = await read_offered(transaction, guild_id, settings, rules)
    else:
        found, target = await read_rules(transaction, guild_id, settings.rules), target or settings.target
    if target is None:
        return found
    try:
        return replace(found, rules=replace(found.rules, target=target))
    except GinError as error:
        raise UnknownRules(str(error)) from None


def _presets(settings: GuildSettings) -> tuple[str, ...]:
    """Return the names of the presets that a server offers, in their usual order."""
    return tuple(name for name in PRESETS if not settings.offered or name in settings.offered)


async def _names(transaction: Transaction, guild_id: GuildId, settings: GuildSettings) -> tuple[str, ...]:
    house_rules = await guilds.house_rules(transaction, guild_id)
    return *_presets(settings), *(one.name for one in house_rules.values())


def _split(text: str) -> tuple[str, list[str]]:
    """Split a text into a name and the options after it."""
    words = text.split()
    name = list(takewhile(lambda word: "=" not in word, words))
    return " ".join(name), words[len(name) :]


def _find(house_rules: Mapping[str, NamedRules], name: str) -> str | None:
    """Return the key of the house rules with this name; None if it is unknown or ambiguous."""
    found = find_named(name, (one.name for one in house_rules.values()))
    return next((key for key, one in house_rules.items() if one.name == found), None)


def _looks(name: str) -> str:
    """Return a key that is equal for names that look alike: it ignores spaces, punctuation, accents and alphabets."""
    letters = "".join(char for char in unicodedata.normalize("NFKD", name).casefold() if char.isalnum())
    return letters.translate(_LOOKALIKES)


def _is_word(char: str) -> bool:
    return unicodedata.category(char)[0] in "LN"


def _may_be_in_name(char: str) -> bool:
    # In many alphabets, letters contain combining marks.
    return _is_word(char) or unicodedata.category(char) in ("Mn", "Mc") or char in _PUNCTUATION

"""Which rules may be agreed on in a server: the presets it offers, and house rules of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, Final

from bot.engine.errors import GinError
from bot.engine.rules import OPTIONS, PRESETS, Rules
from bot.play.refusals import NotOffered, TooManyHouseRules, UnknownRules, WrongRulesName
from bot.play.values import Ladder, Offer
from bot.store import guilds
from bot.store.database import Database, Transaction
from bot.store.rows import GuildRow

MOST_HOUSE_RULES: Final = 25
"""As many as a menu of Discord's holds."""

_NAME: Final = re.compile(r"[^\W_](?:[^\W_]|[ -]){0,31}")
"""Letters, digits, spaces and hyphens."""


@lru_cache(maxsize=256)
def kept_rules(text: str) -> Rules:
    """Rules as they were printed when they were kept.

    Such a text names every option that differs from version 1 of the defaults, so it is read from those: what a preset
    has become since then does not matter.
    """
    preset, *options = text.split()
    pairs = (option.split("=") for option in options)
    values: dict[str, Any] = {name: OPTIONS[name].parse(value) for name, value in pairs}
    return Rules(**values, preset=preset)


class Rulebook:
    """The rules that servers offer."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def offers(self, guild_id: int) -> tuple[Offer, ...]:
        """What may be chosen in a server: its presets, then its house rules by name."""

        async def work(transaction: Transaction) -> tuple[Offer, ...]:
            guild = await guilds.load(transaction, guild_id)
            presets = [Offer(name, Rules.parse(name), house=False) for name in _presets(guild)]
            return *presets, *(await _house_rules(transaction, guild_id))

        return await self._database.read(work)

    async def house_rules(self, guild_id: int) -> tuple[Offer, ...]:
        """A server's house rules, by name."""
        return await self._database.read(lambda transaction: _house_rules(transaction, guild_id))

    async def read(self, guild_id: int, text: str, *, offered: bool = True) -> Offer:
        """The rules that a text means in a server: the name of a preset or house rule, and options that differ from it.

        Args:
            guild_id: the server.
            text: the name and the options, as in notation.
            offered: whether the server must offer them; house rules may be made of any preset.

        Raises:
            UnknownRules: there are none of that name, or they cannot be played so.
            NotOffered: the server does not offer that preset.
        """
        read = read_offered if offered else read_rules

        async def work(transaction: Transaction) -> Offer:
            return await read(transaction, await guilds.load(transaction, guild_id), text)

        return await self._database.read(work)

    async def save(self, guild_id: int, name: str, text: str) -> Offer:
        """Give rules a name of the server's own; one that it has already is given to these instead.

        Args:
            guild_id: the server.
            name: 1 to 32 letters, digits, spaces and hyphens; not a preset's name, nor a ladder's.
            text: as for `read`, of any preset.

        Raises:
            WrongRulesName: the name is none.
            UnknownRules: the rules cannot be played.
            TooManyHouseRules: the server has `MOST_HOUSE_RULES`.
        """
        name = " ".join(name.split())
        key = _key(name)
        if not _NAME.fullmatch(name):
            raise WrongRulesName(name, taken=False)
        if re.sub("[ -]", "_", key) in PRESETS or key in {*Ladder}:
            raise WrongRulesName(name, taken=True)

        async def work(transaction: Transaction) -> Offer:
            rules = (await read_rules(transaction, await guilds.load(transaction, guild_id), text)).rules
            others = [one for one in await guilds.house_rules(transaction, guild_id) if _key(one.name) != key]
            if len(others) >= MOST_HOUSE_RULES:
                raise TooManyHouseRules(MOST_HOUSE_RULES)
            await guilds.keep_house_rule(transaction, guild_id, key, name, str(rules))
            return Offer(name, rules, house=True)

        return await self._database.write(work)

    async def remove(self, guild_id: int, name: str) -> Offer:
        """Forget house rules; matches by them go on. A server that had them as its default has a preset again.

        Raises:
            UnknownRules: there are none of that name.
        """
        key = _key(name)

        async def work(transaction: Transaction) -> Offer:
            guild = await guilds.load(transaction, guild_id)
            row = await guilds.house_rule(transaction, guild_id, key)
            if row is None:
                names = tuple(one.name for one in await guilds.house_rules(transaction, guild_id))
                raise UnknownRules(f"there are no house rules {name!r}", names)
            await guilds.remove_house_rule(transaction, guild_id, key)
            if _key(_split(guild.rules)[0]) == key:
                await guilds.change(transaction, guild_id, rules=_presets(guild)[0])
            return Offer(row.name, kept_rules(row.rules), house=True)

        return await self._database.write(work)


async def read_rules(transaction: Transaction, guild: GuildRow, text: str) -> Offer:
    """The rules that a text means in a server, offered or not.

    Raises:
        UnknownRules: there are none of that name, or they cannot be played so.
    """
    name, changes = _split(text)
    key = _key(name)
    row = await guilds.house_rule(transaction, guild.id, key)
    if row is None and key not in PRESETS:
        raise UnknownRules(f"there are no rules {name!r}", await _names(transaction, guild))
    base = Rules.parse(key) if row is None else kept_rules(row.rules)
    changed = {change.partition("=")[0] for change in changes}
    unchanged = [word for word in str(base).split() if word.partition("=")[0] not in changed]
    try:
        rules = Rules.parse(" ".join((*unchanged, *changes)))
    except GinError as error:
        raise UnknownRules(str(error)) from None
    return Offer(key, rules, house=False) if row is None else Offer(row.name, rules, house=True)


async def read_offered(transaction: Transaction, guild: GuildRow, text: str) -> Offer:
    """The rules that a text means in a server, which must offer them.

    Raises:
        UnknownRules: there are none of that name, or they cannot be played so.
        NotOffered: the server does not offer that preset.
    """
    found = await read_rules(transaction, guild, text)
    if not found.house and found.name not in _presets(guild):
        raise NotOffered(found.name, await _names(transaction, guild))
    return found


def changed(rules: Rules, **options: Any) -> Rules:
    """Rules with some options at other values.

    Raises:
        UnknownRules: a value is out of range, or they make no sense together.
    """
    try:
        return replace(rules, **options)
    except GinError as error:
        raise UnknownRules(str(error)) from None


def _presets(guild: GuildRow) -> tuple[str, ...]:
    """The presets that a server offers, in the order of the table."""
    return tuple(name for name in PRESETS if not guild.offered or name in guild.offered)


async def _house_rules(transaction: Transaction, guild_id: int) -> tuple[Offer, ...]:
    rows = await guilds.house_rules(transaction, guild_id)
    return tuple(Offer(row.name, kept_rules(row.rules), house=True) for row in rows)


async def _names(transaction: Transaction, guild: GuildRow) -> tuple[str, ...]:
    own = await guilds.house_rules(transaction, guild.id)
    return *_presets(guild), *(row.name for row in own)


def _split(text: str) -> tuple[str, list[str]]:
    """A name, and the options after it."""
    words = text.split()
    name = list(takewhile(lambda word: "=" not in word, words))
    return " ".join(name), words[len(name) :]


def _key(name: str) -> str:
    """A name without regard to case."""
    return " ".join(name.split()).casefold()

"""Challenges from what is stored of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.engine.formats import FORMATS
from bot.store import people
from bot.store.database import Transaction
from bot.store.rows import ChallengeRow
from bot.values.challenges import Challenge
from bot.values.ids import PersonId
from bot.values.statistics import Player

PAIRINGS: Final = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""The ways in which four players, in the order of joining, may be seated. The first and third seat are partners."""


async def challenge_of(transaction: Transaction, row: ChallengeRow) -> Challenge:
    """Return a challenge with the names of the people in it."""
    joined = players_of(row)
    names = await people.names(transaction, {*joined, *row.named})

    def players(person_ids: Iterable[PersonId]) -> tuple[Player, ...]:
        return tuple(Player(person_id, names.get(person_id)) for person_id in person_ids)

    format_ = FORMATS[row.rules.format]
    sides = format_.sides(len(joined)) if len(joined) in format_.seats else ()
    seats = seated(row)
    return Challenge(
        id=row.id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        ruleset=row.ruleset,
        rules=row.rules,
        seats=format_.seats,
        players=players(joined),
        named=players(row.named),
        teams=tuple(players(seats[seat] for seat in side) for side in sides if len(side) > 1),
        status=row.status,
        revision=row.revision,
        expires_at=row.expires_at,
        match_id=row.match_id,
    )


def players_of(row: ChallengeRow) -> list[PersonId]:
    """Return who plays so far, in the order of joining."""
    return [row.challenger_id, *row.joined]


def seated(row: ChallengeRow) -> list[PersonId]:
    """Return who plays so far, in the order of their seats."""
    joined, order = players_of(row), PAIRINGS[row.pairing]
    return [joined[place] for place in order] if len(joined) == len(order) else joined

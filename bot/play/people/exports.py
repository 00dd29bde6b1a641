"""Everything that is kept about a person, as plain data for them to download."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bot.engine.moves import Seat
from bot.engine.record import Record, parse_actions
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import Service, UnitOfWork
from bot.store import challenges, matches, people
from bot.store.rows import PersonRow, columns_of
from bot.values.challenges import Challenge
from bot.values.ids import PersonId


class Exports(Service):
    """Exports of personal data."""

    async def export(self, person_id: PersonId) -> dict[str, Any]:
        """Return everything kept about a person. Of a deal in play that is only what their seat has seen.

        The ids of the bot's messages and of interactions are left out. `times` has one entry for each action of a
        match, chance included: those of the record first, then those of the deal in play.
        """
        async with self._units.read() as unit:
            row = await people.load(unit.transaction, person_id)
            ended = await matches.ended_of(unit.transaction, person_id)
            running = await matches.running_of(unit.transaction, person_id)
            loaded = [await unit.restore(match) for match in (*ended, *running)]
            return {
                "person": None if row is None else _person(row),
                "challenges": [_challenge(one) for one in await challenges.concerning(unit.transaction, person_id)],
                "matches": [await _match(unit, one, person_id) for one in loaded],
            }


def _person(row: PersonRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        **columns_of(row.preferences),
        "dm_channel": row.dm_channel_id,
        "dm_closed": _iso(row.dm_closed_at),
        "seen": _iso(row.seen_at),
    }


def _challenge(challenge: Challenge) -> dict[str, Any]:
    return {
        "id": challenge.id,
        "server": challenge.guild_id,
        "channel": challenge.channel_id,
        "challenger": challenge.challenger.id,
        "players": [player.id for player in challenge.players[1:]],
        "named": [player.id for player in challenge.named],
        "rules": str(challenge.rules),
        "status": challenge.status,
        "created": _iso(challenge.created_at),
        "expires": _iso(challenge.expires_at),
    }


async def _match(unit: UnitOfWork, loaded: LoadedMatch, person_id: PersonId) -> dict[str, Any]:
    match, seat = loaded.info, loaded.seat_of(person_id)
    exported: dict[str, Any] = {
        "id": match.id,
        "server": match.guild_id,
        "channel": match.channel_id,
        "status": match.status,
        "seat": seat,
        "started": _iso(match.started_at),
        "moved": _iso(match.moved_at),
        "ended": _iso(match.ended_at),
        "wish": match.proposals[seat],
        "times": [_iso(time) for time in await matches.action_times(unit.transaction, match.id)],
        "record": await _record(unit, loaded),
    }
    if loaded.running:
        exported["deal_in_play"] = _deal_in_play(loaded, seat)
    return exported


async def _record(unit: UnitOfWork, loaded: LoadedMatch) -> str:
    """Return the match's record, without a deal whose cards are not all open yet."""
    match, score = loaded.info, loaded.state.score
    actions = await matches.actions(unit.transaction, match.id, loaded.open_deals if loaded.running else None)
    result = score.totals if score.over else ()
    nameless = ("",) * len(match.players)  # So that the record says how many play, and nothing of the others.
    return str(Record(match.rules, parse_actions("\n".join(actions)), nameless, match.started_at.date(), result))


def _deal_in_play(loaded: LoadedMatch, seat: Seat) -> dict[str, Any]:
    """Return what a seat has seen of the deal in play: its own cards, and what happened in the open."""
    view = loaded.hand(seat, loaded.info.moved_at).view
    return {
        "deal": view.public.number,
        "dealer": view.public.dealer,
        "hand": str(view.hand),
        "discards": " ".join(map(str, view.public.discards)),
        "moves": [
            " ".join(filter(None, (str(one.seat), one.verb, one.card and str(one.card)))) for one in view.public.history
        ],
    }


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()

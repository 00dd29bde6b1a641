"""Exports of all stored data about a person."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Seat
from bot.engine.matches.match import Play
from bot.engine.matches.views import seat_view
from bot.luck.measures import Luck
from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.clocks import TimeChange
from bot.model.daily import DailyTry
from bot.model.ids import GuildId, PersonId
from bot.model.records import OwnRecord, OwnStreak
from bot.model.standings import Sums
from bot.play.loading.arranged_hands import arranged_cards
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.standing_orders import orders_of
from bot.play.loading.unit_of_work import Service
from bot.play.matches.match_records import ActionInDeal, SharedRecord, actions_by_deal, open_record
from bot.store import (
    blocks,
    chains,
    challenges,
    clocks,
    daily,
    lessons,
    luck,
    matches,
    offer_pings,
    people,
    player_words,
    records,
    reviews,
    seasons,
    standings,
)
from bot.store.chains import ChainRow
from bot.store.database import Lane
from bot.store.player_words import OwnWordsRow
from bot.store.rows import PersonRow, columns_of

_MIN_TIME: Final = datetime.min.replace(tzinfo=UTC)


class Exports(Service):
    """Exports of personal data."""

    async def export(self, person_id: PersonId, progress: Callable[[int, int], None] | None = None) -> dict[str, Any]:
        """Return all stored data about a person. Deals that are not public are exported as their seat saw them.

        The ids of interactions and of the bot's messages are omitted, except those of messages that show commitments.
        `standings` has one entry per board: an empty ruleset means a whole category, and a rating is a mean and a
        deviation. `record` is the public record; `hidden_deals` are the other finished or abandoned deals. `reviews`
        are keyed by deal number: deals are numbered in the order in which they ended. `times` has one entry for each
        action of the match, including cuts and shuffles. Each match is read in a separate transaction, so that none
        takes long. `progress` is called with the numbers of exported and of all matches. For a match in which a
        computer took over the person's seat, only public data is exported: the hidden cards belong to the computer.
        The match about the deal of the day is exported once the day is over.
        """
        async with self._units.read(Lane.LONG) as unit:
            row = await people.load(unit.transaction, person_id)
            ended = await matches.ended_of(unit.transaction, person_id)
            running = await matches.running_of(unit.transaction, person_id)
            left_matches = await matches.left_by_person(unit.transaction, person_id)
            boards = await standings.export(unit.transaction, person_id)
            step = await lessons.step(unit.transaction, person_id)
            holidays = (await clocks.holidays(unit.transaction, [person_id], _MIN_TIME)).get(person_id, [])
            tries = await daily.tries_of(unit.transaction, person_id)
            entries = await daily.entries_of(unit.transaction, person_id)
            exported: dict[str, Any] = {
                "person": None if row is None else _person(row),
                "challenges": [
                    _challenge(challenge)
                    for challenge in await challenges.involving(unit.transaction, person_id)
                    if challenge.status is not ChallengeStatus.DRAFT or challenge.challenger.id == person_id
                ],
                "pings": [_ping(*ping) for ping in await offer_pings.sent_by(unit.transaction, person_id)],
                "awards": [_award(row) for row in await seasons.awards_of(unit.transaction, person_id)],
                "standings": [_standing(row) for row in boards],
                "blocked": [{"person": blocked} for blocked in await blocks.blocked_by(unit.transaction, person_id)],
                "lessons": [] if step is None else [{"step": step}],
                "words": [_words(words) for words in await player_words.of_person(unit.transaction, person_id)],
                "holidays": [{"from": _iso(begins), "to": _iso(ends)} for begins, ends in holidays],
                "records": [_server_record(record) for record in await records.records_of(unit.transaction, person_id)],
                "daily": _daily_tries(tries, entries),
                "streaks": [_streak(streak) for streak in await records.streaks_of(unit.transaction, person_id)],
                "matches": [],
            }
            now = unit.now
        # Today's deal is sealed for everybody, because it could be shown to people who have not played it yet.
        played = [row for row in (*ended, *running, *left_matches) if not row.info.is_sealed(now)]
        for number, match in enumerate(played, 1):
            async with self._units.read(Lane.LONG) as unit:
                loaded = await unit.load(match.info.id)
                times = await matches.action_times(unit.transaction, match.info.id)
                changes = await clocks.changes(unit.transaction, match.info.id)
                seat = _seat_of(loaded, person_id)
                reviewed = await reviews.load(unit.transaction, match.info.id, seat)
                cards = await luck.of_seat(unit.transaction, match.info.id, seat)
                texts = await matches.actions(unit.transaction, match.info.id)
                chain = await chains.of_match(unit.transaction, match.info.id)
            exported_match = await asyncio.to_thread(
                _match, loaded, times, changes, texts, chain, reviewed, cards, person_id
            )
            exported["matches"].append(exported_match)
            if progress is not None:
                progress(number, len(played))
        return exported


def _person(row: PersonRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "username": row.username,
        "avatar": row.avatar,
        **columns_of(row.preferences),
        "dm_channel": row.dm_channel_id,
        "dm_closed": _iso(row.dm_closed_at),
        "seen": _iso(row.seen_at),
        "daily_reminded": _iso(row.daily_reminded_at),
        "away_from": _iso(row.away_from),
        "away_until": _iso(row.away_until),
    }


def _challenge(challenge: Challenge) -> dict[str, Any]:
    return {
        "id": challenge.id,
        "server": challenge.guild_id,
        "channel": challenge.channel_id,
        "challenger": challenge.challenger.id,
        "players": [player.id for player in challenge.players[1:] if player.computer is None],
        "named": [player.id for player in challenge.named],
        "rules": str(challenge.rules),
        "exact_players": challenge.exact_players,
        "casual": challenge.casual,
        "clock": str(challenge.clock),
        "computers": list(challenge.computers),
        "status": challenge.status,
        "created": _iso(challenge.created_at),
        "expires": _iso(challenge.expires_at),
    }


def _words(own: OwnWordsRow) -> dict[str, Any]:
    return {
        "match": own.match_id,
        "challenge": own.challenge_id,
        "rematch_of": own.rematch_of,
        "text": own.text,
        "counts_from": own.counts_from,
        "early": own.early,
        "given": _iso(own.given_at),
    }


def _ping(to_id: PersonId, at: datetime) -> dict[str, Any]:
    return {"to": to_id, "at": _iso(at)}


def _server_record(own: OwnRecord) -> dict[str, Any]:
    entry = own.entry
    return {
        "server": own.guild_id,
        "kind": entry.kind,
        "match": entry.match_id,
        "deal": entry.number or None,
        "value": entry.value,
        "at": _iso(entry.at),
    }


def _streak(own: OwnStreak) -> dict[str, Any]:
    return {"server": own.guild_id, "length": own.streak.length, "since_match": own.streak.match_id}


def _daily_tries(tries: Sequence[DailyTry], entries: Sequence[tuple[date, GuildId]]) -> list[dict[str, Any]]:
    """Return the days on which a person opened the deal of the day, with their try if they began one."""
    own_tries = {own.day: own for own in tries}
    exported: list[dict[str, Any]] = []
    for day in sorted({*own_tries, *(day for day, _ in entries)}):
        own = own_tries.get(day)
        score = None if own is None else own.score
        exported.append(
            {
                "day": day.isoformat(),
                "match": None if own is None else own.match_id,
                "points": None if score is None else score.points,
                "turns": None if score is None else score.turns,
                "kind": None if score is None else score.kind,
                "servers": [guild_id for entered, guild_id in entries if entered == day],
            }
        )
    return exported


def _award(row: Mapping[Any, Any]) -> dict[str, Any]:
    fields_of_award = {name: row[name] for name in ("award", "category", "place", "value")}
    return {"server": row["guild_id"], "season": row["key"], **fields_of_award, "match": row["match_id"]}


def _standing(row: Mapping[Any, Any]) -> dict[str, Any]:
    sums = {field.name: row[field.name] for field in fields(Sums)}
    rating = None if row["mu"] is None else {"mu": row["mu"], "sigma": row["sigma"]}
    board = {name: row[name] for name in ("era", "category", "ruleset", "period")}
    return {"server": row["guild_id"], **board, **sums, "rating": rating, "rated": row["rated"]}


def _match(
    loaded: LoadedMatch,
    times: Sequence[datetime],
    changes: Sequence[tuple[int | None, TimeChange, timedelta, datetime]],
    texts: Sequence[str],
    chain: ChainRow | None,
    reviewed: Mapping[int, str],
    cards: Luck,
    person_id: PersonId,
) -> dict[str, Any]:
    match, seat, actions = loaded.info, _seat_of(loaded, person_id), actions_by_deal(texts)
    has_left = match.seat_of(person_id) is None
    shared, unseen = open_record(loaded, actions, chain), _unseen_draws(loaded, actions, seat)
    exported: dict[str, Any] = {
        "id": match.id,
        "server": match.guild_id,
        "channel": match.channel_id,
        "card_channel": match.card_channel_id,
        "kind": match.kind,
        "day": None if match.day is None else match.day.isoformat(),
        "made_casual": match.made_casual,
        "computers": [player.computer for player in match.players],
        "status": match.status,
        "seat": seat,
        "started": _iso(match.started_at),
        "moved": _iso(match.moved_at),
        "ended": _iso(match.ended_at),
        "wish": match.proposals[seat],
        "clock": str(match.clock),
        "paused": _iso(match.paused_at),
        "continue_asked": _iso(loaded.row.seats[seat].continue_asked_at),
        "seen_deal": loaded.row.seats[seat].seen_deal,
        "orders": " ".join(orders_of(loaded.state, loaded.row.seats[seat]).wanted.words),
        "arranged": [card.text for card in arranged_cards(loaded.state, loaded.row.seats[seat])],
        "asked_back": abs(loaded.row.seats[seat].asked_back or 0) or None,
        "left_server": _iso(loaded.row.seats[seat].gone_at),
        "vacant": None if match.vacant_at is None else {"seat": match.vacant_seat, "since": _iso(match.vacant_at)},
        "time_left": _seconds(loaded.row.seats[seat].time_left),
        "luck": asdict(cards) if cards.deals else None,
        "rating": None if (change := match.ratings[seat]) is None else asdict(change),
        "times": [_iso(time) for number, time in enumerate(times) if number not in unseen],
        "time_changes": [
            {"seat": changed_seat, "kind": kind, "seconds": _seconds(span), "at": _iso(at)}
            for changed_seat, kind, span, at in changes
        ],
        "record": str(shared.record),
        "reviews": {number: json.loads(text) for number, text in reviewed.items()},
        "hidden_deals": []
        if has_left
        else [_deal_as_seen(loaded, deal, seat) for deal in _hidden_deals(loaded, shared, seat)],
    }
    if loaded.is_running and not has_left:
        exported["deal_in_play"] = _deal_as_seen(loaded, loaded.state.deal_of(seat), seat)
    return exported


def _unseen_draws(loaded: LoadedMatch, actions: Sequence[ActionInDeal], seat: Seat) -> set[int]:
    """Return the indexes in the log of draws that only other players have seen yet."""
    boards = {(deal.number, deal.board) for deal in loaded.state.playing if loaded.hides_draw(deal, seat)}
    last = {board: number for number, (action, board) in enumerate(actions) if isinstance(action, Play)}
    return {last[board] for board in boards}


def _seat_of(loaded: LoadedMatch, person_id: PersonId) -> Seat:
    """Return a person's seat, or the seat that a computer took over from them. Raise `NotSeated`."""
    seat = loaded.info.former_seat_of(person_id)
    return loaded.seat_of(person_id) if seat is None else seat


def _hidden_deals(loaded: LoadedMatch, shared: SharedRecord, seat: Seat) -> list[Deal]:
    """Return the deals known to a seat that are neither in the public record nor exported as `deal_in_play`.

    In a match with two boards, a seat knows only the deals that it played.
    """
    state = loaded.state
    deals = [*state.finished, *(() if loaded.is_running else state.playing)]
    if loaded.is_running and (current := state.deal_of(seat)) in deals:
        deals.remove(current)
    recorded, boards = shared.deals, state.format.boards
    return [deal for deal in deals if (deal.number, deal.board) not in recorded and (seat in deal.seats or boards == 1)]


def _deal_as_seen(loaded: LoadedMatch, deal: Deal, seat: Seat) -> dict[str, Any]:
    """Return a seat's view of a deal: its own cards and the public events."""
    view = seat_view(replace(loaded.state, playing=(deal,)), seat)
    return {
        "deal": view.public.number,
        "dealer": view.public.dealer,
        "hand": str(view.hand),
        "discards": " ".join(map(str, view.public.discards)),
        "moves": [
            " ".join(filter(None, (str(move.seat), move.verb, move.card and str(move.card))))
            for move in view.public.history
        ],
    }


def _seconds(span: timedelta | None) -> float | None:
    return None if span is None else span.total_seconds()


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()

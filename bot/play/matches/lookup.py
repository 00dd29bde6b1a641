"""Queries about matches: the match of a command, its table, hands and score."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bot.model.daily import day_at
from bot.model.ids import ChannelId, GuildId, MatchId, PersonId
from bot.model.matches import MatchInfo, MatchStatus, MatchSummary, OwnHand, Table
from bot.model.statistics import Player
from bot.play.loading.loaded_match import UnreadableMatchError
from bot.play.loading.unit_of_work import Service, UnitOfWork, require_open
from bot.play.refusals import Damaged, NoMatch, NoPractice, NotSeated, WhichMatch
from bot.store import clocks, daily, matches
from bot.store.rows import MatchRow


class Lookup(Service):
    """Read-only queries about matches."""

    async def find(self, person_id: PersonId, channel_id: ChannelId | None, *, to_move: bool = False) -> MatchInfo:
        """Return the match that a player's command is about: the match in the channel, or else their only running one.

        With `to_move`, a match that is paused in another channel only counts if all their matches are paused. Raise
        `WhichMatch` if they play several in other channels, or, with `to_move`, if others play in this channel or the
        last match here was theirs. If they play no match, raise `NotSeated` if others are playing in this channel,
        otherwise `NoMatch`.
        """
        async with self._units.read() as unit:
            return (await find_match(unit, person_id, channel_id, to_move=to_move)).info

    async def find_practice(self, person_id: PersonId) -> MatchInfo:
        """Return the only running practice match of a person. Raise `NoPractice` or `WhichMatch`."""
        async with self._units.read() as unit:
            running = [row.info for row in await running_practice_of(unit, person_id)]
        if not running:
            raise NoPractice
        if len(running) > 1:
            raise WhichMatch(tuple(running))
        return running[0]

    async def running_in(self, channel_id: ChannelId) -> MatchInfo | None:
        """Return the running match of a channel; None if it has none."""
        async with self._units.read() as unit:
            row = await matches.running_in(unit.transaction, channel_id)
            return None if row is None else row.info

    async def in_channel_or_thread(self, channel_id: ChannelId) -> MatchInfo | None:
        """Return the running match of a channel, or the last match of a thread that was opened for one, or None."""
        async with self._units.read() as unit:
            row = await matches.running_in(unit.transaction, channel_id)
            if row is None:
                last = await matches.last_ended_in(unit.transaction, channel_id)
                row = last if last is not None and last.info.card_channel_id is not None else None
        return None if row is None else row.info

    async def last_ended_in(self, channel_id: ChannelId, person_id: PersonId) -> MatchInfo:
        """Return the match that ended last in a channel, or in a thread of it if the person played it there.

        It is for a rematch. Raise `NoMatch` or `NotSeated`.
        """
        async with self._units.read() as unit:
            row = latest(
                await matches.last_ended_in(unit.transaction, channel_id),
                await matches.last_with_card_in(unit.transaction, channel_id, person_id, ended=True),
            )
        if row is None:
            raise NoMatch(in_channel=True)
        if row.info.seat_of(person_id) is None:
            raise NotSeated(row.info)
        return row.info

    async def last_ended_match_of(self, person_id: PersonId) -> MatchInfo:
        """Return the last match of a person that ended. Raise `NoMatch`."""
        async with self._units.read() as unit:
            row = await matches.last_ended_of(unit.transaction, person_id)
        if row is None:
            raise NoMatch(in_channel=False)
        return row.info

    async def info(self, match_id: MatchId) -> MatchInfo:
        """Return a match without its cards. Raise `NoMatch` if it does not exist."""
        async with self._units.read() as unit:
            row = await matches.load(unit.transaction, match_id)
        if row is None:
            raise NoMatch(in_channel=False)
        return row.info

    async def count_matches_of(
        self, guild_id: GuildId | None, players: Sequence[Player], until: MatchId | None = None
    ) -> int:
        """Return the number of matches that all people in `players` have played together, up to match `until`."""
        async with self._units.read() as unit:
            people = [player.id for player in players if player.id is not None]
            return await matches.count_of(unit.transaction, guild_id, people, len(players), until)

    async def table(self, match_id: MatchId, board: int = 1) -> Table:
        """Return the public view of one board of a match.

        Raise `NoMatch` if there is no such match, `Sealed` for a finished try at today's deal, or `LookupError` if the
        match has no such board.
        """
        async with self._units.read() as unit:
            loaded = await unit.load(match_id)
            # The public view of a deal in play has no hidden cards, and only its player can open a running try.
            return (loaded if loaded.is_running else require_open(loaded, unit.now)).table(board, unit.now)

    async def summary(self, match_id: MatchId) -> MatchSummary:
        """Return the finished deals of a match and the score. Raise `NoMatch`."""
        async with self._units.read() as unit:
            return (await unit.load_open(match_id)).summary()

    async def hand(self, person_id: PersonId, match_id: MatchId) -> OwnHand:
        """Return a match as one of its players sees it. Raise `NoMatch`, `NotSeated` or `Damaged`."""
        async with self._units.read() as unit:
            return await load_hand(unit, person_id, match_id)

    async def hands(self, person_id: PersonId, guild_id: GuildId | None = None) -> tuple[OwnHand, ...]:
        """Return a person's running matches as they see them, most urgent first, optionally of one server only.

        Unreadable matches are omitted.
        """
        async with self._units.read() as unit:
            rows = await matches.running_of(unit.transaction, person_id)
            wanted = [row for row in rows if guild_id is None or row.info.guild_id in (guild_id, None)]
            loaded = await unit.restore_readable(wanted)
            hands = [loaded_match.hand(loaded_match.seat_of(person_id), unit.now) for loaded_match in loaded]
            return tuple(sorted(hands, key=urgency_key))

    async def next_hand(self, person_id: PersonId, match_id: MatchId) -> OwnHand | None:
        """Return a person's hand in the most urgent other match that waits for them; None if no match does."""
        async with self._units.read() as unit:
            waiting = {*await clocks.waiting_for(unit.transaction, person_id)} - {match_id}
            loaded = await unit.restore_readable(await matches.load_many(unit.transaction, waiting))
            hands = [loaded_match.hand(loaded_match.seat_of(person_id), unit.now) for loaded_match in loaded]
        return min(hands, key=urgency_key, default=None)


async def load_hand(unit: UnitOfWork, person_id: PersonId, match_id: MatchId) -> OwnHand:
    """Return a match as one of its players sees it. Raise `NoMatch`, `NotSeated` or `Damaged`."""
    try:
        loaded = await unit.load(match_id)
    except UnreadableMatchError:
        row = await matches.load(unit.transaction, match_id)
        if row is None or row.info.status is not MatchStatus.RUNNING:
            raise
        if row.info.seat_of(person_id) is None:
            raise NotSeated(row.info) from None
        raise Damaged(row.info) from None
    return loaded.hand(loaded.seat_of(person_id), unit.now)


def urgency_key(hand: OwnHand) -> tuple[bool, bool, datetime]:
    """Return a key that sorts hands by urgency: first those in which the player must move, by the end of their time."""
    time = hand.times_left.get(hand.view.seat) if hand.view.is_to_act else None
    ends_at = None if time is None or hand.match.clock.time is None else time.ends_at
    return not hand.view.is_to_act, ends_at is None, ends_at or hand.moved_at


def latest(*rows: MatchRow | None) -> MatchRow | None:
    """Return a running match, or else the match that ended last; None if there is none."""
    now = datetime.max.replace(tzinfo=UTC)
    return max((row for row in rows if row is not None), key=lambda row: row.info.ended_at or now, default=None)


async def last_daily(unit: UnitOfWork, person_id: PersonId) -> MatchRow | None:
    """Return the match of a person's last try at the deal of a past day, or else at today's; None if there is none."""
    today = day_at(unit.now)
    tried = await daily.last_try_before(unit.transaction, today, person_id)
    tried = tried or await daily.find_try(unit.transaction, today, person_id)
    return None if tried is None else await matches.load(unit.transaction, tried.match_id)


async def find_match(
    unit: UnitOfWork, person_id: PersonId, channel_id: ChannelId | None, *, to_move: bool = False
) -> MatchRow:
    """Return the match that a player's command is about. See `Lookup.find`."""
    in_channel = None if channel_id is None else await matches.running_in(unit.transaction, channel_id)
    if in_channel is not None and in_channel.info.seat_of(person_id) is not None:
        return in_channel
    running = list(await matches.running_of(unit.transaction, person_id))
    paused_here = [row for row in running if row.info.channel_id == channel_id is not None]
    # In the parent channel of the person's threads, a command is about the matches in these threads.
    in_threads = [row for row in running if row.info.card_channel_id == channel_id is not None]
    candidates = paused_here or in_threads or running
    if to_move and not paused_here:
        candidates = [row for row in candidates if not row.info.is_paused] or candidates
    # A move cannot be taken back, so where another match is more likely to be meant, it is made only after asking.
    asks = False
    if to_move and not paused_here and channel_id is not None:
        asks = in_channel is not None or await _has_just_ended(unit, person_id, channel_id, in_threads)
    if len(candidates) == 1 and not asks:
        # Load the match again, with the number of other turns of each player.
        row = await matches.load(unit.transaction, candidates[0].info.id)
        assert row is not None
        return row
    if candidates:
        raise WhichMatch(tuple(row.info for row in candidates))
    if in_channel is not None:
        raise NotSeated(in_channel.info)
    raise NoMatch(in_channel=channel_id is not None)


async def _has_just_ended(
    unit: UnitOfWork, person_id: PersonId, channel_id: ChannelId, in_threads: Sequence[MatchRow]
) -> bool:
    """Return True if the last match that ended in a channel was a person's, and was not followed by one in a thread."""
    ended = await matches.last_ended_in(unit.transaction, channel_id)
    if ended is None or ended.info.seat_of(person_id) is None or ended.info.ended_at is None:
        return False
    return all(ended.info.ended_at > row.info.started_at for row in in_threads)


async def running_practice_of(unit: UnitOfWork, person_id: PersonId) -> tuple[MatchRow, ...]:
    """Return the running practice matches of a person, oldest first, without a deal of the day."""
    running = await matches.running_of(unit.transaction, person_id)
    return tuple(row for row in running if row.info.is_practice and row.info.day is None)

"""Replays: lists the deals that can be replayed, and returns one of them, action by action."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.deals.deal import Deal
from bot.engine.matches.match import Match
from bot.engine.matches.replay import end_view, replay_view
from bot.model.ids import ChannelId, MatchId, PersonId
from bot.model.matches import MatchInfo, Replay, Showdown
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import Service, UnitOfWork
from bot.play.matches.lookup import find_match, last_daily, latest
from bot.play.refusals import NoReplay, NoReplayReason
from bot.store import matches
from bot.store.database import Lane
from bot.store.rows import MatchRow


class Replays(Service):
    """Queries about finished deals. Everyone is allowed to see all hands of these deals."""

    async def find_match(self, person_id: PersonId, channel_id: ChannelId | None) -> MatchInfo:
        """Return the match that a replay in a channel is about: the one with the last showdown there.

        The person's matches in threads of the channel count, too. If there was no showdown, it is the match that others
        play or played there, or else the match with the person's last showdown. If there is none either, it is the
        person's match there, or their last deal of the day, or else the match of `Lookup.find`, which can raise
        `WhichMatch` or `NoMatch`.
        """
        async with self._units.read() as unit:
            here: MatchRow | None = None
            if channel_id is not None:
                found = await matches.last_with_showdown_in(unit.transaction, channel_id, person_id)
                if found is not None:
                    return found.info
                here = await _match_in(unit, person_id, channel_id)
                if here is not None and here.info.seat_of(person_id) is None:
                    return here.info
            mine = await matches.last_with_showdown_of(unit.transaction, person_id)
            daily = None if mine or here else await last_daily(unit, person_id)
            return (mine or here or daily or await find_match(unit, person_id, channel_id)).info

    async def deals(self, match_id: MatchId) -> tuple[Showdown, ...]:
        """Return the deals of a match that can be replayed, in the order in which they ended. Raise `NoMatch`."""
        async with self._units.read() as unit:
            loaded = await unit.load_open(match_id)
        state = loaded.state
        views = (end_view(state, deal.number, deal.board) for deal in _open_deals(state))
        return tuple(Showdown(loaded.public_info(), view) for view in views)

    async def showdown(self, match_id: MatchId, number: int | None, board: int | None = None) -> Showdown:
        """Return a finished deal, by default the last one. Raise `NoMatch` or `NoReplay`."""
        async with self._units.read() as unit:
            loaded = await unit.load_open(match_id)
        number, board = choose_deal(loaded, loaded.state.finished, number, board)
        return loaded.showdown(loaded.finished_number(number, board))

    async def replay(self, match_id: MatchId, number: int | None = None, board: int | None = None) -> Replay:
        """Return the replay of a deal, by default the last one.

        Without `board`, `number` means the deal on the first board. Raise `NoMatch` or `NoReplay`.
        """
        async with self._units.read(Lane.LONG) as unit:
            loaded = await unit.load_open(match_id)
        deals = _open_deals(loaded.state)
        return Replay(loaded.public_info(), replay_view(loaded.state, *choose_deal(loaded, deals, number, board)))


async def _match_in(unit: UnitOfWork, person_id: PersonId, channel_id: ChannelId) -> MatchRow | None:
    """Return the running match of a channel, or else the last one that ended there or in a thread of the person's."""
    if (running := await matches.running_in(unit.transaction, channel_id)) is not None:
        return running
    ended = await matches.last_ended_in(unit.transaction, channel_id)
    return latest(ended, await matches.last_with_card_in(unit.transaction, channel_id, person_id))


def _open_deals(state: Match) -> list[Deal]:
    return [deal for deal in (*state.finished, *state.playing) if state.is_open(deal)]


def choose_deal(loaded: LoadedMatch, deals: Sequence[Deal], number: int | None, board: int | None) -> tuple[int, int]:
    """Return the number and board of the requested deal among `deals`. Raise `NoReplay`."""
    if number is None:
        if not deals:
            raise NoReplay(loaded.info, NoReplayReason.NONE_YET if loaded.is_running else NoReplayReason.NONE)
        return deals[-1].number, deals[-1].board

    def matching_boards(candidates: Sequence[Deal]) -> list[int]:
        return [deal.board for deal in candidates if deal.number == number and board in (None, deal.board)]

    if boards := matching_boards(deals):
        return number, min(boards)
    if matching_boards(loaded.state.playing):
        raise NoReplay(loaded.info, NoReplayReason.IN_PLAY if loaded.is_running else NoReplayReason.BROKEN_OFF)
    raise NoReplay(
        loaded.info, NoReplayReason.VOID if matching_boards(loaded.state.finished) else NoReplayReason.UNKNOWN
    )

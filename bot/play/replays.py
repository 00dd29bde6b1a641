"""Deals that are over, to be seen again: which there are, and one of them action by action."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.deal import Deal
from bot.engine.replay import replay_view
from bot.engine.showdown import OutcomeKind
from bot.play.boards import Board, Boards, card_of
from bot.play.lookup import meant
from bot.play.refusals import NoReplay, Unshown
from bot.play.values import MatchCard, Replay, ShowdownPost
from bot.store import matches
from bot.store.database import Database, Transaction


class Replays:
    """Questions about deals that are over. Anyone may ask: all hands of such a deal were laid down for everyone."""

    def __init__(self, database: Database, boards: Boards) -> None:
        self._database = database
        self._boards = boards

    async def meant_by(self, person_id: int, channel_id: int | None) -> MatchCard:
        """The match whose deals a command in a channel is about: the one that runs there, else the last one that ended
        there, else the person's only running one.

        Raises:
            WhichMatch, NoMatch: there is none here, and no single one elsewhere; see `Lookup.meant_by`.
        """

        async def work(transaction: Transaction) -> MatchCard:
            here = None
            if channel_id is not None:
                here = await matches.running_in(transaction, channel_id)
                here = here or await matches.last_in(transaction, channel_id)
            return card_of(here or await meant(transaction, person_id, channel_id))

        return await self._database.read(work)

    async def deals(self, match_id: int) -> tuple[ShowdownPost, ...]:
        """The deals of a match that can be replayed, in the order of ending.

        Raises:
            NoMatch: there is no such match.
        """

        async def work(transaction: Transaction) -> tuple[ShowdownPost, ...]:
            found = await self._boards.load(transaction, match_id)
            finished = enumerate(found.match.finished, 1)
            return tuple(found.showdown(place) for place, deal in finished if _laid_down(deal))

        return await self._database.read(work)

    async def replay(self, match_id: int, number: int | None = None, board: int | None = None) -> Replay:
        """A deal by its number and board: without a number the last that can be replayed, without a board the first.

        Raises:
            NoMatch: there is no such match.
            NoReplay: that deal is not over, was broken off or void, or is none at all.
        """

        async def work(transaction: Transaction) -> Replay:
            found = await self._boards.load(transaction, match_id)
            return Replay(found.card, replay_view(found.match, *_chosen(found, number, board)))

        return await self._database.read(work)


def _chosen(found: Board, number: int | None, board: int | None) -> tuple[int, int]:
    """The number and the board of the deal that is to be replayed.

    Raises:
        NoReplay: there is none.
    """
    over = [(deal.number, deal.board) for deal in found.match.finished if _laid_down(deal)]
    if number is None:
        if not over:
            raise NoReplay(found.card, Unshown.NONE_OVER)
        return over[-1]
    wanted = [place for place in over if place[0] == number and board in (None, place[1])]
    if not wanted:
        raise NoReplay(found.card, _why_not(found, number, board))
    return min(wanted)


def _why_not(found: Board, number: int, board: int | None) -> Unshown:
    def among(deals: Iterable[Deal]) -> bool:
        return any(deal.number == number and board in (None, deal.board) for deal in deals)

    if among(found.match.playing):
        return Unshown.IN_PLAY if found.running else Unshown.BROKEN_OFF
    return Unshown.VOID if among(found.match.finished) else Unshown.UNKNOWN


def _laid_down(deal: Deal) -> bool:
    """Whether a deal that is over ended with all hands laid down."""
    return deal.outcome is not None and deal.outcome.kind is not OutcomeKind.VOID

"""Reviews of finished deals: the cost of a player's choices, computed by the computer player and then stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import structlog

from bot.engine.deal import Deal
from bot.engine.errors import GinError
from bot.engine.match import Match
from bot.engine.moves import Seat
from bot.engine.replay import score_before, seen_at
from bot.engine.views import showdown_view
from bot.opponent.choices import Played
from bot.opponent.reviews import Review, costliest, review_from_json, review_to_json
from bot.opponent.seeing import past_deals
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import Service, Units, shielded
from bot.play.matches.replays import chosen_deal
from bot.play.matches.reviewer import Reviewer
from bot.play.matches.thinker import Thinker, ThinkerError
from bot.play.refusals import NoDealFinished, NoReplay, NoReview, NotInDeal, NotReviewable
from bot.store import matches, people, reviews
from bot.store.database import Lane
from bot.store.rows import MatchRow
from bot.values.ids import ChannelId, MatchId, PersonId
from bot.values.matches import MatchInfo, Showdown
from bot.values.reviews import Mistake, Reviewed

log = structlog.get_logger(__name__)


@dataclass
class Progress:
    """The completed fraction of a review, from 0 to 1."""

    share: float = 0.0


class Reviews(Service):
    """Reviews. Only players of a match may request them."""

    def __init__(self, units: Units, thinker: Thinker) -> None:
        super().__init__(units)
        self._reviewer = Reviewer(thinker)

    async def find_match(self, person_id: PersonId, channel_id: ChannelId | None) -> MatchInfo:
        """Return the match that a review in a channel is about.

        This is the channel's running match, or else the last that ended there, if the person has finished a deal of it,
        or else the person's last match with a showdown. Without any, it is the match in the channel, for which the
        review is then refused with a reason. Raise `NoDealFinished` if they do not play there.
        """
        async with self._units.read() as unit:
            here = list[MatchRow | None]()
            if channel_id is not None:
                here.append(await matches.running_in(unit.transaction, channel_id))
                here.append(await matches.last_ended_in(unit.transaction, channel_id, with_showdown=True))
            mine = [row for row in here if row is not None and row.info.seat_of(person_id) is not None]
            for row in mine:
                loaded = await unit.restore(row)
                if _laid_down(loaded.state, loaded.seat_of(person_id)):
                    return row.info
            row = await matches.last_with_showdown_of(unit.transaction, person_id) or next(iter(mine), None)
        if row is None:
            raise NoDealFinished
        return row.info

    async def deals(self, person_id: PersonId, match_id: MatchId) -> tuple[Showdown, ...]:
        """Return the deals of a match that can be reviewed for a person, in the order in which they ended."""
        # Autocompletion must answer within three seconds.
        loaded, seat = await self._load(person_id, match_id, Lane.PLAY)
        places = (loaded.state.finished_index(deal.number, deal.board) + 1 for deal in _laid_down(loaded.state, seat))
        return tuple(loaded.showdown(place) for place in places)

    async def deal(
        self, person_id: PersonId, match_id: MatchId, number: int | None, board: int | None, progress: Progress
    ) -> Reviewed:
        """Review a person's play in a deal, by default their last one, and at their own board.

        Raise `NoMatch`, `NotSeated`, `NotInDeal`, `NotReviewable` or `NoReview`.
        """
        loaded, seat = await self._load(person_id, match_id)
        if number is None:
            number = _require_laid_down(loaded, seat)[-1].number
        if board is None:
            board = next((deal.board for deal in _laid_down(loaded.state, seat) if deal.number == number), None)
        index = loaded.state.finished_index(*_chosen_deal(loaded, number, board))
        if seat not in loaded.state.finished[index].seats:
            raise NotInDeal(loaded.info)
        return await self._review(person_id, loaded, [loaded.state.finished[index]], progress, whole_match=False)

    async def match(
        self, person_id: PersonId, match_id: MatchId, progress: Progress, deals: int | None = None
    ) -> Reviewed:
        """Review a person's play in all deals of a match so far, or in the first few. Raise the same errors as `deal`.

        The deals are those that the person played and that ended in a showdown.
        """
        loaded, seat = await self._load(person_id, match_id)
        own = _require_laid_down(loaded, seat)[:deals]
        return await self._review(person_id, loaded, own, progress, whole_match=True)

    async def _load(self, person_id: PersonId, match_id: MatchId, lane: Lane = Lane.LONG) -> tuple[LoadedMatch, Seat]:
        async with self._units.read(lane) as unit:
            loaded = await unit.load(match_id)
        return loaded, loaded.seat_of(person_id)

    async def _review(
        self, person_id: PersonId, loaded: LoadedMatch, deals: Sequence[Deal], progress: Progress, *, whole_match: bool
    ) -> Reviewed:
        """Review deals, one after the other."""
        state, seat, found = loaded.state, loaded.seat_of(person_id), list[Review]()
        async with self._units.read() as unit:
            kept = await reviews.load(unit.transaction, loaded.info.id, seat)
        for done, deal in enumerate(deals):

            def tell(share: float, done: int = done) -> None:
                progress.share = (done + share) / len(deals)

            found.append(await self._review_deal(person_id, loaded, deal, kept, tell))
            tell(1)
        shown = tuple(showdown_view(state, deal.number, deal.board) for deal in deals)
        made = [(deal, one) for deal, review in zip(shown, found, strict=True) for one in review.verdicts]
        mistakes = tuple(
            Mistake(deal, seen_at(state, deal.number, deal.board, worst.step), worst)
            for worst in costliest([one for _, one in made])
            for deal, one in made
            if one is worst
        )
        return Reviewed(loaded.info, seat, shown, tuple(found), mistakes, whole_match)

    async def _review_deal(
        self,
        person_id: PersonId,
        loaded: LoadedMatch,
        deal: Deal,
        kept: Mapping[int, str],
        tell: Callable[[float], None],
    ) -> Review:
        """Review a deal, or return the stored review. Raise `NoReview`."""
        state, seat = loaded.state, loaded.seat_of(person_id)
        place = state.finished_index(deal.number, deal.board) + 1
        # A stored review in an older format is made again.
        if place in kept and (review := _read(kept[place])) is not None:
            return review
        try:
            review = await self._reviewer.review(_played(state, deal), seat, loaded.info.id, tell)
        except ThinkerError as error:
            log.warning("a deal could not be reviewed", error=str(error))
            raise NoReview from None
        # Return exactly the stored values, after the same rounding.
        text = json.dumps(review_to_json(review))
        await self._keep(person_id, loaded.info.id, place, text)
        return review_from_json(json.loads(text))

    @shielded
    async def _keep(self, person_id: PersonId, match_id: MatchId, place: int, text: str) -> None:
        """Save a review. Raise `NotSeated` if the person has been forgotten."""
        async with self._units.write() as unit:
            seat = (await unit.load(match_id)).seat_of(person_id)
            await people.touch(unit.transaction, [person_id])
            await reviews.save(unit.transaction, match_id, place, seat, text)


def _read(text: str) -> Review | None:
    """Parse a stored review; return None if it is in another format."""
    try:
        return review_from_json(json.loads(text))
    except (GinError, KeyError, TypeError, ValueError):
        return None


def _require_laid_down(loaded: LoadedMatch, seat: Seat) -> list[Deal]:
    """Return the same as `_laid_down`. Raise `NotReviewable` or `NotInDeal` if it is empty."""
    deals = _laid_down(loaded.state, seat)
    if not deals:
        _chosen_deal(loaded, None, None)
        raise NotInDeal(loaded.info, of_match=True)
    return deals


def _chosen_deal(loaded: LoadedMatch, number: int | None, board: int | None) -> tuple[int, int]:
    """Return the number and board of a deal, like `chosen_deal`. Raise `NotReviewable`."""
    try:
        return chosen_deal(loaded, [deal for deal in loaded.state.finished if deal.laid_down], number, board)
    except NoReplay as refusal:
        raise NotReviewable(refusal.match, refusal.reason) from None


def _laid_down(state: Match, seat: Seat) -> list[Deal]:
    """Return the deals that a seat played and that ended in a showdown."""
    return [deal for deal in state.finished if deal.laid_down and seat in deal.seats]


def _played(state: Match, deal: Deal) -> dict[Seat, Played]:
    """Return the actions of each player of a deal."""
    past = tuple(one for one in past_deals(state) if one.number < deal.number)
    score = score_before(state, deal.number).scores
    return {seat: Played.of(deal, seat, state.seats, score, past) for seat in deal.seats}

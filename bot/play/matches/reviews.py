"""Reviews of finished deals: the cost of a player's choices, computed by the computer player and then stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import structlog

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Seat
from bot.engine.matches.match import Match
from bot.engine.matches.replay import score_before, view_before_move
from bot.engine.matches.views import showdown_view
from bot.model.ids import ChannelId, MatchId, PersonId
from bot.model.matches import MatchInfo, Showdown
from bot.model.reviews import Mistake, Reviewed, stored_review
from bot.opponent.play.observation import past_deals
from bot.opponent.review.choices import PlayedDeal
from bot.opponent.review.reviews import Review, costliest, review_from_json, review_to_json
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import Service, Units, shielded
from bot.play.matches.lookup import last_daily
from bot.play.matches.replays import choose_deal
from bot.play.matches.reviewer import Reviewer
from bot.play.matches.thinker import Thinker, ThinkerError
from bot.play.refusals import NoDealFinished, NoReplay, NoReview, NotInDeal, NotReviewable
from bot.store import matches, people, reviews
from bot.store.database import Lane
from bot.store.rows import MatchRow

log = structlog.get_logger(__name__)


@dataclass
class Progress:
    """The completed fraction of a review, from 0 to 1."""

    fraction: float = 0.0


class Reviews(Service):
    """Reviews of deals. Only players of a match may request them."""

    def __init__(self, units: Units, thinker: Thinker, *, in_background: bool = False) -> None:
        """With `in_background`, nobody waits for the reviews."""
        super().__init__(units)
        self._reviewer = Reviewer(thinker, in_background=in_background)

    async def find_match(self, person_id: PersonId, channel_id: ChannelId | None) -> MatchInfo:
        """Return the match that a review in a channel is about.

        This is the person's match with the last showdown there or in a thread of the channel, provided that they played
        in a deal with a showdown. Otherwise, it is their match with the last showdown anywhere. If there is none,
        return their match in the channel, so that its review is refused with a reason. If they have no match there
        either, return their last deal of the day, or raise `NoDealFinished`.
        """
        async with self._units.read() as unit:
            in_channel = list[MatchRow | None]()
            if channel_id is not None:
                in_channel = [
                    await matches.last_with_showdown_in(unit.transaction, channel_id, person_id, own=True),
                    await matches.running_in(unit.transaction, channel_id),
                    await matches.last_ended_in(unit.transaction, channel_id),
                ]
            mine = [row for row in in_channel if row is not None and row.info.seat_of(person_id) is not None]
            for row in mine:
                loaded = await unit.restore(row)
                if _showdown_deals(loaded.state, loaded.seat_of(person_id)):
                    return row.info
            row = await matches.last_with_showdown_of(unit.transaction, person_id) or next(iter(mine), None)
            row = row or await last_daily(unit, person_id)
        if row is None:
            raise NoDealFinished
        return row.info

    async def deals(self, person_id: PersonId, match_id: MatchId) -> tuple[Showdown, ...]:
        """Return the deals of a match that can be reviewed for a person, in the order in which they ended."""
        # Use the database lane with short waits: autocompletion must answer within three seconds.
        loaded, seat = await self._load(person_id, match_id, Lane.PLAY)
        numbers = (
            loaded.state.finished_index(deal.number, deal.board) + 1 for deal in _showdown_deals(loaded.state, seat)
        )
        return tuple(loaded.showdown(place) for place in numbers)

    async def deal(
        self, person_id: PersonId, match_id: MatchId, number: int | None, board: int | None, progress: Progress
    ) -> Reviewed:
        """Review a person's play in a deal, by default in the last one that they played and that ended in a showdown.

        By default, `board` is the person's own.

        Raise `NoMatch`, `NotSeated`, `NotInDeal`, `NotReviewable` or `NoReview`.
        """
        loaded, seat = await self._load(person_id, match_id)
        if number is None:
            number = _require_showdown_deals(loaded, seat)[-1].number
        if board is None:
            board = next((deal.board for deal in _showdown_deals(loaded.state, seat) if deal.number == number), None)
        index = loaded.state.finished_index(*_choose_deal(loaded, number, board))
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
        own = _require_showdown_deals(loaded, seat)[:deals]
        return await self._review(person_id, loaded, own, progress, whole_match=True)

    async def _load(self, person_id: PersonId, match_id: MatchId, lane: Lane = Lane.LONG) -> tuple[LoadedMatch, Seat]:
        async with self._units.read(lane) as unit:
            loaded = await unit.load_open(match_id)
        return loaded, loaded.seat_of(person_id)

    async def _review(
        self, person_id: PersonId, loaded: LoadedMatch, deals: Sequence[Deal], progress: Progress, *, whole_match: bool
    ) -> Reviewed:
        """Review deals, one after the other."""
        state, seat, results = loaded.state, loaded.seat_of(person_id), list[Review]()
        async with self._units.read() as unit:
            stored = await reviews.load(unit.transaction, loaded.info.id, seat)
        for done, deal in enumerate(deals):

            def report_progress(share: float, done: int = done) -> None:
                progress.fraction = (done + share) / len(deals)

            results.append(await self._review_deal(person_id, loaded, deal, stored, report_progress))
            report_progress(1)
        shown = tuple(showdown_view(state, deal.number, deal.board) for deal in deals)
        verdicts = [(deal, verdict) for deal, review in zip(shown, results, strict=True) for verdict in review.verdicts]
        mistakes = tuple(
            Mistake(deal, view_before_move(state, deal.number, deal.board, worst.step), worst)
            for worst in costliest([verdict for _, verdict in verdicts])
            for deal, verdict in verdicts
            if verdict is worst
        )
        reviewable = len(_showdown_deals(state, seat))
        return Reviewed(loaded.info_for(seat), seat, shown, tuple(results), mistakes, whole_match, reviewable)

    async def _review_deal(
        self,
        person_id: PersonId,
        loaded: LoadedMatch,
        deal: Deal,
        stored: Mapping[int, str],
        report_progress: Callable[[float], None],
    ) -> Review:
        """Return the stored review of a deal, or review it now. Raise `NoReview` if that fails."""
        state, seat = loaded.state, loaded.seat_of(person_id)
        deal_number = state.finished_index(deal.number, deal.board) + 1
        # A stored review in an older format is made again.
        if deal_number in stored and (review := stored_review(stored[deal_number])) is not None:
            return review
        try:
            review = await self._reviewer.review(_actions_by_seat(state, deal), seat, loaded.info.seed, report_progress)
        except ThinkerError as error:
            log.warning("a deal could not be reviewed", error=str(error))
            raise NoReview from None
        # Return the review as it will be loaded later, with the same rounding.
        text = json.dumps(review_to_json(review))
        await self._save(person_id, loaded.info.id, deal_number, text)
        return review_from_json(json.loads(text))

    @shielded
    async def _save(self, person_id: PersonId, match_id: MatchId, deal_number: int, text: str) -> None:
        """Save a review. Raise `NotSeated` if the person has been forgotten."""
        async with self._units.write() as unit:
            seat = (await unit.load(match_id)).seat_of(person_id)
            people.touch(unit.transaction, [person_id])
            await reviews.save(unit.transaction, match_id, deal_number, seat, text)


def _require_showdown_deals(loaded: LoadedMatch, seat: Seat) -> list[Deal]:
    """Return the deals of `_showdown_deals`. Raise `NotReviewable` or `NotInDeal` if there are none."""
    deals = _showdown_deals(loaded.state, seat)
    if not deals:
        _choose_deal(loaded, None, None)
        raise NotInDeal(loaded.info, whole_match=True)
    return deals


def _choose_deal(loaded: LoadedMatch, number: int | None, board: int | None) -> tuple[int, int]:
    """Return the number and board of the deal to review. Raise `NotReviewable` if it cannot be reviewed."""
    try:
        return choose_deal(loaded, [deal for deal in loaded.state.finished if deal.is_laid_down], number, board)
    except NoReplay as refusal:
        raise NotReviewable(refusal.match, refusal.reason) from None


def _showdown_deals(state: Match, seat: Seat) -> list[Deal]:
    """Return the deals that a seat played and that ended in a showdown."""
    return [deal for deal in state.finished if deal.is_laid_down and seat in deal.seats]


def _actions_by_seat(state: Match, deal: Deal) -> dict[Seat, PlayedDeal]:
    """Return the actions of each player of a deal."""
    past = tuple(past_deal for past_deal in past_deals(state) if past_deal.number < deal.number)
    score = score_before(state, deal.number).scores
    return {seat: PlayedDeal.of(deal, seat, state.seats, score, past) for seat in deal.seats}

"""The reviews of yesterday's tries, which the result of the day's deal shows."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.engine.deals.moves import PASS, TAKE, Move, Verb
from bot.model.daily import PLAYER, DailyDeal, day_at, end_of
from bot.model.daily_posts import DailySummary, KeyChoice, choice_from_text, choice_to_text
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus, Shortcut
from bot.model.outbox import MessageKind
from bot.model.people import Person
from bot.opponent.play.advice import AdvisedMove
from bot.opponent.play.position import Position
from bot.opponent.review.reviews import EvaluatedMove
from bot.play.application import Application
from bot.play.daily import reviews as daily_reviews
from bot.play.daily.days import CLOSING_DELAY
from bot.store import reviews
from bot.store.database import Database
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import IMMEDIATE_GIN, RiggedShuffler
from tests.helpers.table import CHANNEL, EAST, GUILD, NORTH, SOUTH, WEST, change_settings, interaction
from tests.helpers.thinkers import LocalThinker

LOSS = 20.0


class Judge(LocalThinker):
    """A computer player in whose judgement a player must take the upcard if they can, and all else is equal."""

    async def evaluate_move(
        self,
        position: Position,
        played_move: Move,
        determinizations: int,
        seed: int,
        *,
        in_background: bool = False,
    ) -> tuple[EvaluatedMove, ...]:
        """Return the played move, and taking the upcard if that is possible."""
        moves = [played_move, *(move for move in position.moves if move.verb is Verb.TAKE and move != played_move)]
        return tuple(self._evaluated(move, determinizations) for move in moves)

    async def card_luck(self, position: Position, seed: int, *, in_background: bool = False) -> float:
        """Return no luck."""
        return 0.0

    @staticmethod
    def _evaluated(move: Move, determinizations: int) -> EvaluatedMove:
        reward = LOSS if move.verb is Verb.TAKE else 0.0
        return EvaluatedMove(AdvisedMove(move, reward), (reward,) * determinizations)


@pytest.fixture
def thinker() -> Judge:
    """Return the computer player of the application."""
    return Judge()


@pytest.fixture
def app(database: Database, clock: Clock, thinker: Judge) -> Application:
    """Build the application on a day on which the person acts first, with decks to go gin at once."""
    clock.now = datetime(2026, 11, 22, 9, tzinfo=UTC)
    return Application(database, thinker=thinker, shuffler=RiggedShuffler(*[IMMEDIATE_GIN] * 99), clock=clock)


@pytest.fixture(autouse=True)
async def _posts(app: Application) -> None:  # pyright: ignore[reportUnusedFunction]
    """Have the deal of the day posted on the server."""
    await change_settings(app, daily_channel=CHANNEL)
    await app.daily_posts.run()


async def go_gin(app: Application, person: Person) -> MatchId:
    """Let a person take the upcard and go gin in the first turn of their try."""
    hand = (await app.daily_tries.start(person, GUILD, interaction())).hand
    await app.turns.move(person.id, hand.match.id, TAKE, interaction())
    await app.turns.move(person.id, hand.match.id, Shortcut.GIN, interaction())
    return hand.match.id


async def pass_first(app: Application, person: Person) -> MatchId:
    """Let a person pass the upcard, and then finish their try by drawing."""
    hand = (await app.daily_tries.start(person, GUILD, interaction())).hand
    move = PASS
    while True:
        hand = await app.turns.move(person.id, hand.match.id, move, interaction())
        hand = await app.computers.answer(person.id, hand)
        if hand.match.status is not MatchStatus.RUNNING:
            return hand.match.id
        moves = {each.verb: each for each in hand.view.moves}
        move = moves.get(Verb.DRAW) or moves.get(Verb.DONE) or moves.get(Verb.DISCARD) or hand.view.moves[0]


async def close_day(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """Let the post become the result of its day."""
    await courier.deliver()
    clock.now = end_of(day_at(clock.now)) + CLOSING_DELAY
    await app.daily_deals.close_past()
    await app.daily_posts.run()
    await courier.deliver()


def result(courier: FakeCourier) -> DailySummary:
    """Return the result that the only post shows."""
    (posted,) = courier.of_kind(MessageKind.DAILY)
    assert isinstance(posted.shown.content, DailySummary)
    return posted.shown.content


@pytest.mark.thorough
async def test_the_costliest_choice_is_found(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """The result shows the accuracies, and the choice in which several people lost most together, in a single edit."""
    for person in (NORTH, EAST):
        await go_gin(app, person)
    for person in (SOUTH, WEST):
        await pass_first(app, person)
    await close_day(app, clock, courier)
    assert result(courier).choice is None
    assert result(courier).accuracies == {}
    assert await app.daily_reviews.review_some()
    assert not await app.daily_reviews.review_some()
    await courier.deliver()
    (posted,) = courier.of_kind(MessageKind.DAILY)
    assert posted.edits == 2
    choice = result(courier).choice
    assert choice is not None
    assert (choice.turn, choice.best.move, choice.top) == (1, TAKE, IMMEDIATE_GIN[20])
    assert (choice.people, choice.found, choice.points_lost) == (4, 2, LOSS)
    accuracies = result(courier).accuracies
    assert {accuracies[person.id] for person in (NORTH, EAST)} == {100.0}
    assert max(accuracies[person.id] for person in (SOUTH, WEST)) < 100


async def test_a_choice_of_one_person_is_not_shown(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """A choice that only one person faced is not mentioned, because everybody would know who that was."""
    await pass_first(app, SOUTH)
    await close_day(app, clock, courier)
    await app.daily_reviews.review_some()
    await courier.deliver()
    assert result(courier).choice is None
    assert result(courier).accuracies.keys() == {SOUTH.id}


async def test_nothing_is_reviewed_before_the_result(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """Tries are reviewed once the post is the result, and only for one day."""
    await go_gin(app, NORTH)
    await courier.deliver()
    assert not await app.daily_reviews.review_some()
    clock.now = end_of(day_at(clock.now))
    assert not await app.daily_reviews.review_some()
    clock.pass_by(CLOSING_DELAY)
    await app.daily_deals.close_past()
    await app.daily_posts.run()
    right = clock.now
    clock.now = end_of(day_at(clock.now))
    assert not await app.daily_reviews.review_some()
    clock.now = right
    assert await app.daily_reviews.review_some()


async def test_only_the_best_tries_are_reviewed(
    app: Application, database: Database, clock: Clock, courier: FakeCourier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many tries, a limited number is reviewed: the best ones."""
    monkeypatch.setattr(daily_reviews, "MAX_REVIEWED", 1)
    best, other = await go_gin(app, NORTH), await pass_first(app, SOUTH)
    await close_day(app, clock, courier)
    await app.daily_reviews.review_some()
    async with database.read() as transaction:
        assert (await reviews.of_matches(transaction, [best, other], PLAYER)).keys() == {best}


async def test_without_reviews_the_result_stays(
    app: Application, thinker: Judge, clock: Clock, courier: FakeCourier, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the computer player fails, or the people were forgotten, the result stays as it is and is not tried again."""
    for person in (NORTH, SOUTH):
        await go_gin(app, person)
    await close_day(app, clock, courier)
    await app.people.forget(NORTH.id)
    monkeypatch.setattr(thinker, "evaluate_move", LocalThinker.evaluate_move.__get__(thinker))
    thinker.fails = True
    assert await app.daily_reviews.review_some()
    assert not await app.daily_reviews.review_some()
    assert await courier.deliver() == []
    assert isinstance(result(courier).next_deal, DailyDeal)


async def test_people_can_review_their_own_try(app: Application, clock: Clock, courier: FakeCourier) -> None:
    """A review that the person asks for later is the same one."""
    match_id = await pass_first(app, SOUTH)
    await close_day(app, clock, courier)
    await app.daily_reviews.review_some()
    await courier.deliver()
    own = await app.reviews.match(SOUTH.id, match_id, daily_reviews.Progress())
    assert [mistake.verdict.best.move for mistake in own.mistakes][:1] == [TAKE]


def test_a_choice_keeps_its_facts_when_stored() -> None:
    """A choice can be read back from its text. A text in another format is no choice."""
    choice = KeyChoice(3, IMMEDIATE_GIN[20], AdvisedMove(TAKE, 4.5), 5, 2, 6.25)
    assert choice_from_text(choice_to_text(choice)) == choice
    assert choice_from_text("{}") is None
    assert choice_from_text("nonsense") is None

"""The review service: reviews are for players of the deal, computed once and stored."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.matches.formats import FORMATS
from bot.model.matches import MatchInfo, MatchStatus
from bot.play.application import Application
from bot.play.matches.reviews import Progress
from bot.play.refusals import NoDealFinished, NoReplayReason, NoReview, NotInDeal, NotReviewable, NotSeated
from bot.store import tables
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.shufflers import IMMEDIATE_KNOCK, RiggedShuffler
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, NORTH, SOUTH, WEST, Players, play_deal, sensible_move
from tests.helpers.thinkers import LocalThinker, make_reviews_brief

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def short_reviews(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use two determinizations for each choice; the quality of reviews is tested elsewhere."""
    make_reviews_brief(monkeypatch)


@pytest.fixture
def mind() -> LocalThinker:
    return LocalThinker()


@pytest.fixture
def app(database: Database, clock: Clock, mind: LocalThinker) -> Application:
    """Build the application with a first deck that allows a knock on the first turn, then seeded decks."""
    return Application(database, thinker=mind, shuffler=RiggedShuffler(IMMEDIATE_KNOCK, seed=3), clock=clock)


async def play_finished_match(app: Application, rules: str = "classic target=10", *, people: int = 2) -> MatchInfo:
    """Return a match that was played to its end."""
    players = Players(app, (NORTH, SOUTH, EAST, WEST)[:people])
    match, random = await players.begin(rules), Random(3)
    while match.status is MatchStatus.RUNNING:
        for board in range(1, FORMATS[match.rules.format].boards + 1):
            await play_deal(app, match.id, lambda view: sensible_move(view, random), board)
        match = await app.lookup.info(match.id)
    return match


async def test_a_review_is_made_once(app: Application, mind: LocalThinker, database: Database) -> None:
    """A review reports its progress and is stored; the same player gets it again, the other player gets their own."""
    match = await play_finished_match(app)
    progress = Progress()
    first = await app.reviews.deal(NORTH.id, match.id, None, None, progress)
    assert progress.fraction == 1
    assert first.total.verdicts
    mind.fails = True
    assert await app.reviews.deal(NORTH.id, match.id, first.deals[0].number, None, Progress()) == first
    with pytest.raises(NoReview):
        await app.reviews.deal(SOUTH.id, match.id, None, None, Progress())
    mind.fails = False
    other = await app.reviews.deal(SOUTH.id, match.id, None, None, Progress())
    assert other.total.points == -first.total.points
    assert len(await fetch(database, tables.review.select())) == 2


@pytest.mark.parametrize("text", nightly_after(1, ['{"version": 0}', "{}"]))
async def test_a_review_of_another_version_is_made_again(app: Application, database: Database, text: str) -> None:
    """A review that another version stored is computed again and replaced."""
    match = await play_finished_match(app)
    first = await app.reviews.deal(NORTH.id, match.id, None, None, Progress())
    async with database.write() as transaction:
        await transaction.execute(tables.review.update().values(text=text))
    assert await app.reviews.deal(NORTH.id, match.id, None, None, Progress()) == first
    (row,) = await fetch(database, tables.review.select())
    assert text not in row


async def test_a_match_review_adds_up_its_deals(app: Application) -> None:
    """A match review adds up its deals' reviews and lists the costliest mistakes, each with the player's view of it."""
    match = await play_finished_match(app, "classic target=70")
    deals = await app.reviews.deals(NORTH.id, match.id)
    assert len(deals) > 1
    match_review = await app.reviews.match(NORTH.id, match.id, Progress())
    assert [deal.number for deal in match_review.deals] == [deal.view.number for deal in deals]
    deal_reviews = [await app.reviews.deal(NORTH.id, match.id, deal.view.number, None, Progress()) for deal in deals]
    assert match_review.total.points == sum(deal_review.total.points for deal_review in deal_reviews)
    assert [mistake.verdict.points_lost for mistake in match_review.mistakes] == sorted(
        (
            verdict.points_lost
            for deal_review in deal_reviews
            for verdict in deal_review.total.verdicts
            if verdict.points_lost
        ),
        reverse=True,
    )[: len(match_review.mistakes)]
    first = await app.reviews.match(NORTH.id, match.id, Progress(), 1)
    assert (first.deals, first.reviews) == (match_review.deals[:1], match_review.reviews[:1])
    assert match_review.mistakes
    for mistake in match_review.mistakes:
        assert mistake.view.is_to_act
        assert mistake.view.seat == match_review.seat
        assert mistake.view.public.number == mistake.deal.number
        assert mistake.verdict.played.move.verb in {move.verb for move in mistake.view.moves}


async def test_only_players_of_a_finished_deal_can_review_it(app: Application) -> None:
    """A review is refused if the person did not play in the match, or if the deal is unknown or unfinished."""
    with pytest.raises(NoDealFinished):
        await app.reviews.find_match(NORTH.id, None)
    match = await play_finished_match(app)
    assert (await app.reviews.find_match(NORTH.id, None)).id == match.id
    with pytest.raises(NotSeated):
        await app.reviews.deal(EAST.id, match.id, None, None, Progress())
    with pytest.raises(NotReviewable) as refused:
        await app.reviews.deal(NORTH.id, match.id, 99, None, Progress())
    assert refused.value.reason is NoReplayReason.UNKNOWN
    running = await Players(app).begin("classic")
    with pytest.raises(NotReviewable) as refused:
        await app.reviews.match(NORTH.id, running.id, Progress())
    assert refused.value.reason is NoReplayReason.NONE_YET


async def test_which_match_is_reviewed(app: Application) -> None:
    """The channel's current or last match is chosen if the person finished a deal in it, else their last such match."""
    match = await play_finished_match(app)
    await Players(app).begin("classic", ELSEWHERE)
    assert (await app.reviews.find_match(NORTH.id, ELSEWHERE)).id == match.id
    three = Players(app, (EAST, SOUTH, WEST))
    running = await three.begin("rotation target=1000")
    assert (await app.reviews.find_match(NORTH.id, CHANNEL)).id == match.id
    assert (await app.reviews.find_match(SOUTH.id, CHANNEL)).id == match.id
    # East has no finished deal to review in any match. The error names the running match in this channel.
    assert (await app.reviews.find_match(EAST.id, CHANNEL)).id == running.id
    with pytest.raises(NoDealFinished):
        await app.reviews.find_match(EAST.id, None)
    await play_deal(app, running.id, lambda view: sensible_move(view, Random(4)))
    for person in (EAST, WEST):
        assert (await app.reviews.find_match(person.id, CHANNEL)).id == running.id
        assert (await app.reviews.find_match(person.id, None)).id == running.id
    # South sat out the finished deal.
    for person in (NORTH, SOUTH):
        assert (await app.reviews.find_match(person.id, CHANNEL)).id == match.id


async def test_sitting_out_every_deal_is_an_error(app: Application) -> None:
    """A player who sat out every deal gets an error about the match, or about the deal if they asked for one."""
    three = Players(app, (EAST, SOUTH, WEST))
    match = await three.begin("rotation target=1000")
    await play_deal(app, match.id, lambda view: sensible_move(view, Random(4)))
    (sat_out,) = [person for person in three.people if not await app.reviews.deals(person.id, match.id)]
    with pytest.raises(NotInDeal) as refused:
        await app.reviews.deal(sat_out.id, match.id, None, None, Progress())
    assert refused.value.whole_match
    with pytest.raises(NotInDeal) as refused:
        await app.reviews.match(sat_out.id, match.id, Progress())
    assert refused.value.whole_match
    with pytest.raises(NotInDeal) as refused:
        await app.reviews.deal(sat_out.id, match.id, 1, None, Progress())
    assert not refused.value.whole_match


@pytest.mark.parametrize(("rules", "people"), nightly_after(1, [("rotation", 3), ("partners", 4), ("penalty", 3)]))
async def test_every_format_is_reviewed(app: Application, rules: str, people: int) -> None:
    """In every format, players can review their deals at their own board; others get an error."""
    match = await play_finished_match(app, f"{rules} target=10", people=people)
    for seat, player in enumerate(match.players):
        assert player.id is not None
        deals = await app.reviews.deals(player.id, match.id)
        if not deals:
            with pytest.raises(NotInDeal):
                await app.reviews.match(player.id, match.id, Progress())
            continue
        reviewed = await app.reviews.deal(player.id, match.id, None, None, Progress())
        assert seat in reviewed.deals[0].seats
        assert all(mistake.view.seat == seat for mistake in reviewed.mistakes)


async def test_reviews_are_exported_and_forgotten(app: Application, database: Database) -> None:
    """An export contains a person's reviews. Forgetting the person deletes these reviews, but not the opponent's."""
    match = await play_finished_match(app)
    for person in (NORTH, SOUTH):
        await app.reviews.deal(person.id, match.id, None, None, Progress())
    (exported,) = (await app.exports.export(NORTH.id))["matches"]
    ((_, review),) = exported["reviews"].items()
    assert review["choices"]
    await app.people.forget(NORTH.id)
    (row,) = await fetch(database, tables.review.select())
    assert row[2] == match.seat_of(SOUTH.id)

"""The review service: reviews are for players of the deal, computed once and stored."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.formats import FORMATS
from bot.play.application import Application
from bot.play.matches.reviews import Progress
from bot.play.refusals import NoDealFinished, NoReplayReason, NoReview, NotInDeal, NotReviewable, NotSeated
from bot.store import tables
from bot.store.database import Database
from bot.values.matches import MatchInfo, MatchStatus
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import fetch
from tests.helpers.shufflers import KNOCK_AT_ONCE, RiggedShuffler
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, NORTH, SOUTH, WEST, Players, play_deal, sensible
from tests.helpers.thinkers import Mind, make_reviews_brief

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use two determinizations for each choice; the quality of reviews is tested elsewhere."""
    make_reviews_brief(monkeypatch)


@pytest.fixture
def mind() -> Mind:
    return Mind()


@pytest.fixture
def app(database: Database, clock: Clock, mind: Mind) -> Application:
    """Build the application with a first deck that allows a knock on the first turn, then seeded decks."""
    return Application(database, thinker=mind, shuffler=RiggedShuffler(KNOCK_AT_ONCE, seed=3), clock=clock)


async def finished(app: Application, rules: str = "classic target=10", *, people: int = 2) -> MatchInfo:
    """Return a match that was played to its end."""
    players = Players(app, (NORTH, SOUTH, EAST, WEST)[:people])
    match, random = await players.begin(rules), Random(3)
    while match.status is MatchStatus.RUNNING:
        for board in range(1, FORMATS[match.rules.format].boards + 1):
            await play_deal(app, match.id, lambda view: sensible(view, random), board)
        match = await app.lookup.info(match.id)
    return match


async def test_a_review_is_made_once(app: Application, mind: Mind, database: Database) -> None:
    """A review reports its progress and is stored; the same player gets it again, the other player gets their own."""
    match = await finished(app)
    progress = Progress()
    first = await app.reviews.deal(NORTH.id, match.id, None, None, progress)
    assert progress.share == 1
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
    """A stored review of another version is recomputed and stored."""
    match = await finished(app)
    first = await app.reviews.deal(NORTH.id, match.id, None, None, Progress())
    async with database.write() as transaction:
        await transaction.execute(tables.review.update().values(text=text))
    assert await app.reviews.deal(NORTH.id, match.id, None, None, Progress()) == first
    (row,) = await fetch(database, tables.review.select())
    assert text not in row


async def test_a_match_adds_its_deals_up(app: Application) -> None:
    """A match review adds up the reviews of its deals and has the costliest mistakes with the player's view."""
    match = await finished(app, "classic target=70")
    deals = await app.reviews.deals(NORTH.id, match.id)
    assert len(deals) > 1
    whole = await app.reviews.match(NORTH.id, match.id, Progress())
    assert [deal.number for deal in whole.deals] == [deal.view.number for deal in deals]
    each = [await app.reviews.deal(NORTH.id, match.id, deal.view.number, None, Progress()) for deal in deals]
    assert whole.total.points == sum(one.total.points for one in each)
    assert [one.verdict.lost for one in whole.mistakes] == sorted(
        (verdict.lost for one in each for verdict in one.total.verdicts if verdict.lost), reverse=True
    )[: len(whole.mistakes)]
    first = await app.reviews.match(NORTH.id, match.id, Progress(), 1)
    assert (first.deals, first.reviews) == (whole.deals[:1], whole.reviews[:1])
    assert whole.mistakes
    for mistake in whole.mistakes:
        assert mistake.view.to_act
        assert mistake.view.seat == whole.seat
        assert mistake.view.public.number == mistake.deal.number
        assert mistake.verdict.played.move.verb in {move.verb for move in mistake.view.moves}


async def test_only_players_of_a_finished_deal_are_told(app: Application) -> None:
    """Only players of a finished deal can review it: no strangers, and no running or unknown deals."""
    with pytest.raises(NoDealFinished):
        await app.reviews.find_match(NORTH.id, None)
    match = await finished(app)
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
    """The channel's current or last match is reviewed if the person played a deal in it, otherwise another one."""
    match = await finished(app)
    await Players(app).begin("classic", ELSEWHERE)
    assert (await app.reviews.find_match(NORTH.id, ELSEWHERE)).id == match.id
    three = Players(app, (EAST, SOUTH, WEST))
    running = await three.begin("rotation target=1000")
    assert (await app.reviews.find_match(NORTH.id, CHANNEL)).id == match.id
    assert (await app.reviews.find_match(SOUTH.id, CHANNEL)).id == match.id
    # Nothing can be reviewed yet, but the error is about the match that they play in this channel.
    assert (await app.reviews.find_match(EAST.id, CHANNEL)).id == running.id
    with pytest.raises(NoDealFinished):
        await app.reviews.find_match(EAST.id, None)
    await play_deal(app, running.id, lambda view: sensible(view, Random(4)))
    for person in (EAST, WEST):
        assert (await app.reviews.find_match(person.id, CHANNEL)).id == running.id
        assert (await app.reviews.find_match(person.id, None)).id == running.id
    # South sat out the finished deal.
    for person in (NORTH, SOUTH):
        assert (await app.reviews.find_match(person.id, CHANNEL)).id == match.id


async def test_who_sat_out_every_deal_is_told_so(app: Application) -> None:
    """A player who sat out every deal gets an error about the match, or about the deal if they asked for one."""
    three = Players(app, (EAST, SOUTH, WEST))
    match = await three.begin("rotation target=1000")
    await play_deal(app, match.id, lambda view: sensible(view, Random(4)))
    (out,) = [person for person in three.people if not await app.reviews.deals(person.id, match.id)]
    with pytest.raises(NotInDeal) as refused:
        await app.reviews.deal(out.id, match.id, None, None, Progress())
    assert refused.value.of_match
    with pytest.raises(NotInDeal) as refused:
        await app.reviews.match(out.id, match.id, Progress())
    assert refused.value.of_match
    with pytest.raises(NotInDeal) as refused:
        await app.reviews.deal(out.id, match.id, 1, None, Progress())
    assert not refused.value.of_match


@pytest.mark.parametrize(("rules", "people"), nightly_after(1, [("rotation", 3), ("partners", 4), ("penalty", 3)]))
async def test_every_format_is_reviewed(app: Application, rules: str, people: int) -> None:
    """In every format, players can review their deals at their own board; others get an error."""
    match = await finished(app, f"{rules} target=10", people=people)
    for seat, player in enumerate(match.players):
        assert player.id is not None
        deals = await app.reviews.deals(player.id, match.id)
        if not deals:
            with pytest.raises(NotInDeal):
                await app.reviews.match(player.id, match.id, Progress())
            continue
        reviewed = await app.reviews.deal(player.id, match.id, None, None, Progress())
        assert seat in reviewed.deals[0].seats
        assert all(one.view.seat == seat for one in reviewed.mistakes)


async def test_reviews_go_with_their_person(app: Application, database: Database) -> None:
    """An export contains a person's reviews, and forgetting them deletes their reviews only."""
    match = await finished(app)
    for person in (NORTH, SOUTH):
        await app.reviews.deal(person.id, match.id, None, None, Progress())
    (exported,) = (await app.exports.export(NORTH.id))["matches"]
    ((_, review),) = exported["reviews"].items()
    assert review["choices"]
    await app.people.forget(NORTH.id)
    (row,) = await fetch(database, tables.review.select())
    assert row[2] == match.seat_of(SOUTH.id)

"""A deal can be replayed by anyone once all hands were laid down."""

from __future__ import annotations

import pytest

from bot.engine.record import Record
from bot.engine.showdown import OutcomeKind
from bot.play.application import Application
from bot.play.matches.reviews import Progress
from bot.play.refusals import NoMatch, NoReplay, NoReplayReason, NotReviewable, WhichMatch
from bot.values.ids import ChannelId, MatchId
from bot.values.matches import MatchInfo
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, NORTH, SOUTH, WEST, Players, interaction, patient, play_deal
from tests.play.matches.test_match_records import decks

UNUSED = ChannelId(77)
FOUR = (NORTH, SOUTH, EAST, WEST)


async def refused(
    app: Application, match: MatchInfo, number: int | None = None, board: int | None = None
) -> NoReplayReason:
    """Return why the deal cannot be replayed."""
    with pytest.raises(NoReplay) as refusal:
        await app.replays.replay(match.id, number, board)
    assert refusal.value.match.id == match.id
    return refusal.value.reason


async def shown(
    app: Application, match: MatchInfo, number: int | None = None, board: int | None = None
) -> tuple[int, int]:
    """Return the number and board of the replayed deal."""
    view = (await app.replays.replay(match.id, number, board)).view.showdown
    return view.number, view.board


@pytest.mark.nightly
async def test_which_match_is_replayed(app: Application, players: Players) -> None:
    """`find_match` finds the channel's current or last match, else the person's only running match."""
    with pytest.raises(NoMatch):
        await app.replays.find_match(EAST.id, CHANNEL)
    first = await players.begin("classic target=10")
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == first.id
    assert (await app.replays.find_match(NORTH.id, ELSEWHERE)).id == first.id
    with pytest.raises(NoMatch):
        await app.replays.find_match(EAST.id, None)
    await players.win(first.id)
    other = await Players(app, (NORTH, EAST)).begin(channel_id=ELSEWHERE)
    assert (await app.replays.find_match(NORTH.id, CHANNEL)).id == first.id
    assert (await app.replays.find_match(NORTH.id, None)).id == other.id
    second = await players.begin()
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == second.id
    with pytest.raises(WhichMatch):
        await app.replays.find_match(NORTH.id, None)
    await app.endings.resign(NORTH.id, second.id, interaction())
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == second.id
    third = await Players(app, (EAST, WEST)).begin(channel_id=UNUSED)
    await app.endings.resign(EAST.id, third.id, interaction())
    assert (await app.replays.find_match(NORTH.id, UNUSED)).id == third.id
    with pytest.raises(NoMatch):
        await app.replays.replay(MatchId(99))


@pytest.mark.thorough
async def test_a_match_without_an_open_deal_is_not_the_last(app: Application, unverifiable: Players) -> None:
    """A match without any visible deal is passed over for an older match in the channel that has one."""
    first = await unverifiable.begin("classic target=10")
    await app.endings.resign(NORTH.id, first.id, interaction())
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == first.id
    second = await unverifiable.begin("classic target=10")
    await unverifiable.win(second.id)
    third = await unverifiable.begin("classic target=10")
    await app.endings.resign(NORTH.id, third.id, interaction())
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == second.id


async def test_a_deal_by_its_number_or_the_last_one(app: Application, players: Players) -> None:
    """Without a number the last finished deal is replayed, with its own moves and the score after it."""
    match = await players.begin("classic target=1000")
    assert await refused(app, match) is NoReplayReason.NONE_YET
    assert await refused(app, match, 1) is NoReplayReason.IN_PLAY
    for _ in range(2):
        await players.win(match.id)
    assert await shown(app, match) == (2, 1)
    assert await shown(app, match, 1) == await shown(app, match, 1, 1) == (1, 1)
    assert await refused(app, match, 3) is NoReplayReason.IN_PLAY
    assert await refused(app, match, 4) is await refused(app, match, 1, 2) is NoReplayReason.UNKNOWN
    view = (await app.replays.replay(match.id, 1)).view
    assert view.actions == 2
    assert view.showdown == (await app.replays.deals(match.id))[0].view
    assert [deal.view.number for deal in await app.replays.deals(match.id)] == [1, 2]


@pytest.mark.nightly
async def test_a_board_by_its_number(app: Application) -> None:
    """Each of two boards can be replayed once its deal is over; the default is the first finished one."""
    four = Players(app, FOUR)
    match = await four.begin("partners target=1000")
    await four.move_on(2, match.id, "take", "gin")
    assert await shown(app, match) == await shown(app, match, 1) == await shown(app, match, 1, 2) == (1, 2)
    assert await refused(app, match, 1, 1) is NoReplayReason.IN_PLAY
    await four.move_on(1, match.id, "take", "gin")
    assert await shown(app, match) == (1, 1)
    assert await shown(app, match, 1) == (1, 1)


@pytest.mark.thorough
async def test_a_void_deal_stays_hidden(app: Application, unverifiable: Players) -> None:
    """In an unverifiable match, a void deal is not replayed, not listed, and not the last deal."""
    match = await unverifiable.begin("classic target=1000")
    await unverifiable.win(match.id)
    await unverifiable.move(match.id, "pass", "pass")
    await play_deal(app, match.id, patient)
    assert (await app.lookup.table(match.id)).view.number == 3
    assert await refused(app, match, 2) is NoReplayReason.VOID
    assert await shown(app, match) == (1, 1)
    assert [deal.view.number for deal in await app.replays.deals(match.id)] == [1]


@pytest.mark.thorough
async def test_a_deal_that_was_broken_off_stays_hidden(app: Application, unverifiable: Players) -> None:
    """In an unverifiable match, a deal that was broken off is never shown; earlier deals are."""
    resigned = await unverifiable.begin("classic target=1000")
    await unverifiable.win(resigned.id)
    await app.endings.resign(NORTH.id, resigned.id, interaction())
    called_off = await unverifiable.begin("classic target=1000")
    for person in (NORTH, SOUTH):
        await app.endings.call_off(person.id, called_off.id)
    assert await refused(app, resigned, 2) is NoReplayReason.BROKEN_OFF
    assert await shown(app, resigned) == (1, 1)
    assert await refused(app, called_off, 1) is NoReplayReason.BROKEN_OFF
    assert await refused(app, called_off) is NoReplayReason.NONE


@pytest.mark.thorough
async def test_deals_without_a_showdown_are_open_in_verifiable_matches(app: Application, players: Players) -> None:
    """In a verifiable match, void deals are shown immediately and broken-off deals after the match."""
    match = await players.begin("classic target=1000")
    await play_deal(app, match.id, patient)
    view = (await app.replays.replay(match.id)).view.showdown
    assert (view.number, view.outcome.kind) == (1, OutcomeKind.VOID)
    assert [len(hand.cards) for hand in view.outcome.hands] == [10, 10]
    with pytest.raises(NotReviewable):
        await app.reviews.deal(NORTH.id, match.id, 1, None, Progress())
    assert await refused(app, match, 2) is NoReplayReason.IN_PLAY
    await players.move(match.id, "pass")
    for person in (NORTH, SOUTH):
        await app.endings.call_off(person.id, match.id)
    kinds = [deal.view.outcome.kind for deal in await app.replays.deals(match.id)]
    assert kinds == [OutcomeKind.VOID, OutcomeKind.BROKEN_OFF]
    assert await shown(app, match) == (2, 1)
    shared = await app.match_records.record(match.id)
    assert (shared.until, decks(shared.record)) == (None, [1, 2])
    assert Record.parse(str(shared.record)).replay().playing[0].number == 2

"""A deal can be replayed by anyone once all hands were laid down."""

from __future__ import annotations

import pytest

from bot.engine.deals.showdown import OutcomeKind
from bot.engine.records.record import Record
from bot.model.ids import ChannelId, MatchId
from bot.model.matches import MatchInfo
from bot.play.application import Application
from bot.play.matches.reviews import Progress
from bot.play.refusals import NoMatch, NoReplay, NoReplayReason, NotReviewable, WhichMatch
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    NORTH,
    SOUTH,
    WEST,
    Players,
    interaction,
    patient_move,
    play_deal,
)
from tests.play.matches.test_match_records import deck_numbers

UNUSED_CHANNEL = ChannelId(77)
FOUR = (NORTH, SOUTH, EAST, WEST)


async def refusal_reason(
    app: Application, match: MatchInfo, number: int | None = None, board: int | None = None
) -> NoReplayReason:
    """Return the reason why the replay of this deal is refused."""
    with pytest.raises(NoReplay) as refusal:
        await app.replays.replay(match.id, number, board)
    assert refusal.value.match.id == match.id
    return refusal.value.reason


async def replayed_deal(
    app: Application, match: MatchInfo, number: int | None = None, board: int | None = None
) -> tuple[int, int]:
    """Replay a deal (by default the last one), and return its number and board."""
    view = (await app.replays.replay(match.id, number, board)).view.showdown
    return view.number, view.board


@pytest.mark.thorough
async def test_find_match_for_a_replay(app: Application, players: Players) -> None:
    """`find_match` returns the match with the last showdown in the channel, or else with the person's last showdown.

    Before any showdown, it is the channel's match, or else the person's only one.
    """
    with pytest.raises(NoMatch):
        await app.replays.find_match(EAST.id, CHANNEL)
    first = await players.begin("classic target=10")
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == first.id
    assert (await app.replays.find_match(NORTH.id, ELSEWHERE)).id == first.id
    with pytest.raises(NoMatch):
        await app.replays.find_match(EAST.id, None)
    await players.win(first.id)
    other = await Players(app, (NORTH, EAST)).begin(channel_id=ELSEWHERE)
    for channel_id in (CHANNEL, ELSEWHERE, None):
        assert (await app.replays.find_match(NORTH.id, channel_id)).id == first.id
    assert (await app.replays.find_match(EAST.id, ELSEWHERE)).id == other.id
    second = await players.begin("classic target=10")
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == first.id
    await players.win(second.id)
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == second.id
    third = await Players(app, (EAST, WEST)).begin(channel_id=UNUSED_CHANNEL)
    with pytest.raises(WhichMatch):
        await app.replays.find_match(EAST.id, None)
    await app.endings.resign(EAST.id, third.id, interaction())
    assert (await app.replays.find_match(NORTH.id, UNUSED_CHANNEL)).id == third.id
    with pytest.raises(NoMatch):
        await app.replays.replay(MatchId(99))


@pytest.mark.thorough
async def test_matches_without_visible_deals_are_passed_over(app: Application, unverifiable: Players) -> None:
    """`find_match` skips a match without visible deals if an older match in the channel has visible deals."""
    first = await unverifiable.begin("classic target=10")
    await app.endings.resign(NORTH.id, first.id, interaction())
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == first.id
    second = await unverifiable.begin("classic target=10")
    await unverifiable.win(second.id)
    third = await unverifiable.begin("classic target=10")
    await app.endings.resign(NORTH.id, third.id, interaction())
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == second.id


async def test_replay_by_deal_number(app: Application, players: Players) -> None:
    """A deal can be replayed by its number. Without a number, the last finished deal is replayed."""
    match = await players.begin("classic target=1000")
    assert await refusal_reason(app, match) is NoReplayReason.NONE_YET
    assert await refusal_reason(app, match, 1) is NoReplayReason.IN_PLAY
    for _ in range(2):
        await players.win(match.id)
    assert await replayed_deal(app, match) == (2, 1)
    assert await replayed_deal(app, match, 1) == await replayed_deal(app, match, 1, 1) == (1, 1)
    assert await refusal_reason(app, match, 3) is NoReplayReason.IN_PLAY
    assert await refusal_reason(app, match, 4) is await refusal_reason(app, match, 1, 2) is NoReplayReason.UNKNOWN
    view = (await app.replays.replay(match.id, 1)).view
    assert view.action_count == 2
    assert view.showdown == (await app.replays.deals(match.id))[0].view
    assert [deal.view.number for deal in await app.replays.deals(match.id)] == [1, 2]


@pytest.mark.nightly
async def test_replay_by_board(app: Application) -> None:
    """A deal on one of two boards can be replayed once it is over, even if the other board is still in play."""
    four = Players(app, FOUR)
    match = await four.begin("partners target=1000")
    await four.move_on_board(2, match.id, "take", "gin")
    assert (
        await replayed_deal(app, match)
        == await replayed_deal(app, match, 1)
        == await replayed_deal(app, match, 1, 2)
        == (1, 2)
    )
    assert await refusal_reason(app, match, 1, 1) is NoReplayReason.IN_PLAY
    await four.move_on_board(1, match.id, "take", "gin")
    assert await replayed_deal(app, match) == (1, 1)
    assert await replayed_deal(app, match, 1) == (1, 1)


@pytest.mark.thorough
async def test_a_void_deal_stays_hidden(app: Application, unverifiable: Players) -> None:
    """In an unverifiable match, a void deal cannot be replayed, is not listed, and does not count as the last deal."""
    match = await unverifiable.begin("classic target=1000")
    await unverifiable.win(match.id)
    await unverifiable.move(match.id, "pass", "pass")
    await play_deal(app, match.id, patient_move)
    assert (await app.lookup.table(match.id)).view.number == 3
    assert await refusal_reason(app, match, 2) is NoReplayReason.VOID
    assert await replayed_deal(app, match) == (1, 1)
    assert [deal.view.number for deal in await app.replays.deals(match.id)] == [1]


@pytest.mark.thorough
async def test_a_deal_that_was_broken_off_stays_hidden(app: Application, unverifiable: Players) -> None:
    """In an unverifiable match, a deal that was broken off is never shown; earlier deals are shown."""
    resigned = await unverifiable.begin("classic target=1000")
    await unverifiable.win(resigned.id)
    await app.endings.resign(NORTH.id, resigned.id, interaction())
    called_off = await unverifiable.begin("classic target=1000")
    for person in (NORTH, SOUTH):
        await app.endings.call_off(person.id, called_off.id)
    assert await refusal_reason(app, resigned, 2) is NoReplayReason.BROKEN_OFF
    assert await replayed_deal(app, resigned) == (1, 1)
    assert await refusal_reason(app, called_off, 1) is NoReplayReason.BROKEN_OFF
    assert await refusal_reason(app, called_off) is NoReplayReason.NONE


@pytest.mark.thorough
async def test_deals_without_a_showdown_are_shown_in_verifiable_matches(app: Application, players: Players) -> None:
    """In a verifiable match, void deals are shown immediately and broken-off deals after the match."""
    match = await players.begin("classic target=1000")
    await play_deal(app, match.id, patient_move)
    view = (await app.replays.replay(match.id)).view.showdown
    assert (view.number, view.outcome.kind) == (1, OutcomeKind.VOID)
    assert [len(hand.cards) for hand in view.outcome.hands] == [10, 10]
    with pytest.raises(NotReviewable):
        await app.reviews.deal(NORTH.id, match.id, 1, None, Progress())
    assert await refusal_reason(app, match, 2) is NoReplayReason.IN_PLAY
    await players.move(match.id, "pass")
    for person in (NORTH, SOUTH):
        await app.endings.call_off(person.id, match.id)
    kinds = [deal.view.outcome.kind for deal in await app.replays.deals(match.id)]
    assert kinds == [OutcomeKind.VOID, OutcomeKind.BROKEN_OFF]
    assert await replayed_deal(app, match) == (2, 1)
    shared = await app.match_records.record(match.id)
    assert (shared.ends_before_deal, deck_numbers(shared.record)) == (None, [1, 2])
    assert Record.parse(str(shared.record)).replay().playing[0].number == 2


async def test_a_finished_deal_can_be_looked_up(app: Application, players: Players) -> None:
    """The showdown of a finished deal is found by its number, by default the last one; a deal in play has none."""
    match = await players.begin("classic target=1000")
    with pytest.raises(NoReplay):
        await app.replays.showdown(match.id, None)
    for _ in range(2):
        await players.win(match.id)
    summary = await app.lookup.summary(match.id)
    for number, deal in ((1, 0), (2, 1), (None, 1)):
        assert (await app.replays.showdown(match.id, number)).view == summary.deals[deal]
    with pytest.raises(NoReplay):
        await app.replays.showdown(match.id, 3)
    with pytest.raises(NoMatch):
        await app.replays.showdown(MatchId(99), 1)


async def test_a_finished_deal_of_a_board_can_be_looked_up(app: Application) -> None:
    """With two boards, a deal is found by its number and its board, in whichever order the deals ended."""
    four = Players(app, FOUR)
    match = await four.begin("partners target=1000")
    for board in (2, 1):
        await four.move_on_board(board, match.id, "take", "gin")
    for board in (1, 2):
        view = (await app.replays.showdown(match.id, 1, board)).view
        assert (view.number, view.board) == (1, board)

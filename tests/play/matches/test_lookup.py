"""Finding the match for a command, and viewing matches."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.engine.deals.moves import PASS
from bot.model.ids import ChannelId, MatchId
from bot.opponent.play.levels import Level
from bot.play.application import Application
from bot.play.refusals import NoMatch, NoPractice, NotSeated, Paused, WhichMatch
from tests.helpers.clock import Clock
from tests.helpers.table import CHANNEL, EAST, ELSEWHERE, NORTH, SOUTH, THREAD, WEST, Players, interaction


@pytest.mark.thorough
async def test_finding_the_match_of_a_command(app: Application, players: Players) -> None:
    """`find` returns the channel's match if the person plays in it, else their only running match, else an error."""
    with pytest.raises(NoMatch) as none:
        await app.lookup.find(NORTH.id, CHANNEL)
    assert none.value.in_channel
    with pytest.raises(NoMatch) as nowhere:
        await app.lookup.find(NORTH.id, None)
    assert not nowhere.value.in_channel
    match = await players.begin()
    for channel_id in (CHANNEL, ELSEWHERE, None):
        assert await app.lookup.find(NORTH.id, channel_id) == match
    with pytest.raises(NotSeated) as others:
        await app.lookup.find(EAST.id, CHANNEL)
    assert others.value.match == match
    second = await Players(app, (NORTH, EAST)).begin(channel_id=ELSEWHERE)
    assert await app.lookup.find(NORTH.id, CHANNEL) == match
    assert await app.lookup.find(NORTH.id, ELSEWHERE) == second
    assert await app.lookup.find(EAST.id, CHANNEL) == second
    with pytest.raises(WhichMatch) as which:
        await app.lookup.find(NORTH.id, None)
    assert [match.id for match in which.value.matches] == [match.id, second.id]


async def test_a_move_ignores_paused_matches(app: Application, players: Players) -> None:
    """A move is for the only match that is not paused, except in a paused one's channel. Other commands ask which."""
    paused = await players.begin()
    for person in players.people:
        await app.pauses.pause(person.id, paused.id)
    assert (await app.lookup.find(NORTH.id, None, to_move=True)).id == paused.id
    second = await Players(app, (NORTH, EAST)).begin(channel_id=ELSEWHERE)
    assert await app.lookup.find(NORTH.id, None, to_move=True) == second
    with pytest.raises(WhichMatch) as which:
        await app.lookup.find(NORTH.id, None)
    assert [match.id for match in which.value.matches] == [paused.id, second.id]
    assert (await app.lookup.find(NORTH.id, CHANNEL, to_move=True)).id == paused.id
    assert (await app.lookup.find(NORTH.id, CHANNEL)).id == paused.id
    with pytest.raises(Paused):
        await app.turns.command(NORTH.id, CHANNEL, PASS, interaction())
    hand = await app.turns.command(NORTH.id, None, PASS, interaction())
    assert hand.match.id == second.id
    await Players(app, (WEST, NORTH)).begin(channel_id=ChannelId(ELSEWHERE + 1))
    with pytest.raises(WhichMatch) as several:
        await app.lookup.find(NORTH.id, None, to_move=True)
    assert paused.id not in [match.id for match in several.value.matches]


async def test_a_move_asks_where_another_match_could_be_meant(app: Application, players: Players, clock: Clock) -> None:
    """Where a person's last match is over, or others play, no move is made in another match without asking."""
    over = await players.begin("classic target=10")
    await players.win(over.id)
    other = await Players(app, (NORTH, EAST)).begin(channel_id=ELSEWHERE)
    with pytest.raises(WhichMatch) as which:
        await app.turns.command(NORTH.id, CHANNEL, PASS, interaction())
    assert which.value.matches == (other,)
    assert (await app.lookup.find(NORTH.id, CHANNEL)).id == other.id
    # Elsewhere, and for people who did not play here, nothing else can be meant.
    assert (await app.lookup.find(NORTH.id, ChannelId(ELSEWHERE + 1), to_move=True)).id == other.id
    assert (await app.lookup.find(EAST.id, CHANNEL, to_move=True)).id == other.id
    clock.pass_by(timedelta(minutes=1))
    in_thread = await players.begin_in_thread()
    assert (await app.lookup.find(SOUTH.id, CHANNEL, to_move=True)).id == in_thread.id
    with pytest.raises(WhichMatch):
        await app.lookup.find(SOUTH.id, ELSEWHERE, to_move=True)
    clock.pass_by(timedelta(minutes=1))
    again = await players.begin("classic target=10")
    await players.win(again.id)
    with pytest.raises(WhichMatch):
        await app.lookup.find(SOUTH.id, CHANNEL, to_move=True)


async def test_several_paused_matches_are_a_choice(app: Application, players: Players) -> None:
    """If all matches of a person are paused, a move asks which one they mean."""
    for channel_id in (CHANNEL, ELSEWHERE):
        match = await players.begin(channel_id=channel_id)
        for person in players.people:
            await app.pauses.pause(person.id, match.id)
    with pytest.raises(WhichMatch) as which:
        await app.lookup.find(NORTH.id, None, to_move=True)
    assert len(which.value.matches) == 2


async def test_a_channel_stands_for_its_threads(app: Application, players: Players) -> None:
    """In the parent channel of a match's thread, a command is about that match, or about one of several there."""
    in_thread = await players.begin_in_thread()
    elsewhere = await Players(app, (NORTH, EAST)).begin(channel_id=ELSEWHERE)
    assert in_thread.card_channel_id == CHANNEL
    assert await app.lookup.find(NORTH.id, CHANNEL) == in_thread
    assert await app.lookup.find(NORTH.id, THREAD) == in_thread
    assert await app.lookup.find(NORTH.id, ELSEWHERE) == elsewhere
    assert await app.lookup.find(EAST.id, CHANNEL) == elsewhere
    with pytest.raises(WhichMatch):
        await app.lookup.find(NORTH.id, None)
    other = await Players(app, (NORTH, WEST)).begin_in_thread(ChannelId(THREAD + 1))
    with pytest.raises(WhichMatch) as which:
        await app.lookup.find(NORTH.id, CHANNEL)
    assert [match.id for match in which.value.matches] == [in_thread.id, other.id]
    for person in (NORTH, WEST):
        await app.pauses.pause(person.id, other.id)
    assert (await app.lookup.find(NORTH.id, CHANNEL, to_move=True)).id == in_thread.id


async def test_the_last_match_of_a_thread(app: Application, players: Players, clock: Clock) -> None:
    """In a channel where no match ended, the last one is the person's own last match in a thread of that channel."""
    first = await players.begin_in_thread(rules="classic target=10")
    with pytest.raises(NoMatch):
        await app.lookup.last_ended_in(CHANNEL, NORTH.id)
    assert await app.replays.find_match(NORTH.id, CHANNEL) == first
    await players.win(first.id)
    clock.pass_by(timedelta(hours=1))
    other = await Players(app, (EAST, SOUTH)).begin_in_thread(rules="classic target=10")
    await Players(app, (EAST, SOUTH)).win(other.id)
    for person, match in ((NORTH, first), (SOUTH, other), (EAST, other)):
        assert (await app.lookup.last_ended_in(CHANNEL, person.id)).id == match.id
        assert (await app.replays.find_match(person.id, CHANNEL)).id == match.id
    with pytest.raises(NoMatch):
        await app.lookup.last_ended_in(CHANNEL, WEST.id)
    running = await players.begin_in_thread()
    assert (await app.replays.find_match(NORTH.id, CHANNEL)).id == first.id
    await players.win(running.id)
    assert (await app.replays.find_match(NORTH.id, CHANNEL)).id == running.id
    assert (await app.lookup.last_ended_in(CHANNEL, NORTH.id)).id == first.id


async def test_a_replay_falls_back_to_the_last_showdown(app: Application, players: Players) -> None:
    """Before the first deal of a match is over, and without a match, a replay is of the person's last showdown."""
    with pytest.raises(NoMatch):
        await app.replays.find_match(NORTH.id, None)
    first = await players.begin("classic target=10")
    assert (await app.replays.find_match(NORTH.id, CHANNEL)).id == first.id
    await players.win(first.id)
    assert (await app.replays.find_match(NORTH.id, None)).id == first.id
    await players.begin()
    for channel_id in (None, CHANNEL):
        assert (await app.replays.find_match(SOUTH.id, channel_id)).id == first.id
        assert (await app.reviews.find_match(SOUTH.id, channel_id)).id == first.id
    assert (await app.replays.find_match(EAST.id, CHANNEL)).id == first.id
    elsewhere = await Players(app, (NORTH, EAST)).begin(channel_id=ELSEWHERE)
    assert (await app.replays.find_match(WEST.id, ELSEWHERE)).id == elsewhere.id
    assert (await app.replays.find_match(NORTH.id, ELSEWHERE)).id == first.id


async def test_finding_the_practice_match_of_a_command(app: Application, players: Players) -> None:
    """`find_practice` returns the person's only running practice match; none or several are errors."""
    await players.begin()
    with pytest.raises(NoPractice):
        await app.lookup.find_practice(NORTH.id)
    first, _ = await app.practice.start(NORTH, None, interaction(), level=Level.NOVICE)
    assert (await app.lookup.find_practice(NORTH.id)).id == first.match.id
    second, _ = await app.practice.start(NORTH, None, interaction(), level=Level.EXPERT)
    with pytest.raises(WhichMatch) as which:
        await app.lookup.find_practice(NORTH.id)
    assert [match.id for match in which.value.matches] == [first.match.id, second.match.id]
    await app.endings.resign(NORTH.id, first.match.id, interaction())
    assert (await app.lookup.find_practice(NORTH.id)).id == second.match.id


async def test_hands_are_for_their_players(app: Application, players: Players) -> None:
    """A hand is shown only to its player, and a person's running matches are listed oldest first."""
    match = await players.begin()
    second = await Players(app, (EAST, NORTH)).begin(channel_id=ELSEWHERE)
    assert [hand.match.id for hand in await app.lookup.hands(NORTH.id)] == [match.id, second.id]
    assert [hand.view.seat for hand in await app.lookup.hands(NORTH.id)] == [0, 1]
    assert await app.lookup.hand(SOUTH.id, match.id) == (await app.lookup.hands(SOUTH.id))[0]
    with pytest.raises(NotSeated):
        await app.lookup.hand(EAST.id, match.id)
    with pytest.raises(NoMatch):
        await app.lookup.hand(NORTH.id, MatchId(99))
    for question in (app.lookup.table, app.lookup.summary):
        with pytest.raises(NoMatch):
            await question(MatchId(99))


@pytest.mark.nightly
async def test_the_last_match_of_a_channel(app: Application, players: Players, clock: Clock) -> None:
    """`last_ended_in` returns the last finished match of a channel, for its players only."""
    with pytest.raises(NoMatch):
        await app.lookup.last_ended_in(CHANNEL, NORTH.id)
    for _ in range(2):
        match = await players.begin("classic target=10")
        await players.win(match.id)
        clock.pass_by(timedelta(hours=1))
        assert (await app.lookup.last_ended_in(CHANNEL, SOUTH.id)).id == match.id
    with pytest.raises(NotSeated):
        await app.lookup.last_ended_in(CHANNEL, EAST.id)


@pytest.mark.nightly
async def test_the_newest_of_simultaneous_endings_is_the_last(app: Application, players: Players) -> None:
    """Of matches that ended simultaneously, the newest counts as the last."""
    for _ in range(3):
        match = await players.begin("classic target=10")
        await players.win(match.id)
        assert (await app.lookup.last_ended_in(CHANNEL, SOUTH.id)).id == match.id
        assert (await app.lookup.last_ended_match_of(SOUTH.id)).id == match.id


@pytest.mark.thorough
async def test_the_summary_lists_the_deals(app: Application, players: Players) -> None:
    """The summary lists the finished deals of a running match in order, without the deal in play."""
    match = await players.begin("classic target=1000")
    for _ in range(3):
        await players.win(match.id)
    summary = await app.lookup.summary(match.id)
    assert [(deal.number, deal.outcome.winner) for deal in summary.deals] == [(1, 0), (2, 1), (3, 0)]
    assert summary.view.score.scores == (170, 85)
    assert [deal.score.scores for deal in summary.deals] == [(85, 0), (85, 85), (170, 85)]

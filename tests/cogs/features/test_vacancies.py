"""Vacant seats: the question for the other players, its buttons, and messages of the player who lost the seat."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from bot.engine.cards import DECK
from bot.engine.moves import Seat
from bot.play.refusals import MatchOver, NotSeated, Vacant
from bot.sandbox import Message, Person
from bot.values.guilds import Place
from bot.values.ids import ChannelId, GuildId, MatchId
from bot.values.matches import MatchInfo, MatchKind, MatchStatus, Proposal
from cardart.text.card_names import ENGLISH
from cogs.kit.actions import Action
from cogs.text import showdown, vacancies
from tests.cogs.scenes import Scene, buttons, clubhouse, person_of, ways
from tests.helpers.clock import Clock
from tests.helpers.components import MOVES, QUESTIONS, actions_of
from tests.helpers.forgery import click
from tests.helpers.table import interaction

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def cards_in(message: Message) -> list[str]:
    """Return the cards that a message names in its text or its alt texts."""
    told = " ".join((message.text, *(str(image.alt) for image in message.images)))
    return [ENGLISH.short(card) for card in DECK if ENGLISH.short(card) in told]


def newest(person: Person) -> Message:
    """Return a person's newest direct message: their hand, or the deal that they sit out."""
    return person.direct_messages()[-1]


async def match_of(scene: Scene) -> MatchInfo:
    """Return the match in the channel."""
    match = await scene.alive.app.lookup.running_in(ChannelId(scene.channel.id))
    assert match is not None
    return match


async def begin(scene: Scene) -> None:
    """Have North begin a match with South and East through the services."""
    app, people = scene.alive.app, [person_of(one) for one in (scene.north, scene.south, scene.east)]
    for one, person in zip(people, (scene.north, scene.south, scene.east), strict=True):
        await app.people.met(one)
        await app.people.dm_opened(one.id, ChannelId(person.dm.id))
    assert scene.channel.guild is not None
    where = Place(GuildId(scene.channel.guild.id), ChannelId(scene.channel.id))
    challenge = await app.challenges.issue(people[0], [], where, interaction(), rules="rotation", clock="1d flag")
    for one in people[1:]:
        await app.challenges.accept(one, challenge.id)
    await app.lobbies.start(people[0].id, challenge.id)


@asynccontextmanager
async def vacated(
    directory: Path, clock: Clock, *, open_dms: bool = True
) -> AsyncGenerator[tuple[Scene, MatchInfo, Person, list[Person]]]:
    """Yield a match of three with a vacant seat, the player who lost it, and the other players."""
    async with clubhouse(directory, clock=clock) as scene:
        for person in (scene.north, scene.south, scene.east):
            person.user.open_dms = open_dms
        await begin(scene)
        await scene.quiet()
        await scene.later(clock, DAY + MINUTE)
        match = await match_of(scene)
        assert match.vacant_seat is not None
        people = {one.id: one for one in (scene.north, scene.south, scene.east)}
        lost = people[match.players[match.vacant_seat].id or 0]
        yield scene, match, lost, [one for one in people.values() if one is not lost]


@pytest.mark.thorough
async def test_the_table_and_the_hands_ask(tmp_path: Path) -> None:
    """Everyone sees the question; only the other players get the buttons, with one notification."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, lost, others):
        question = vacancies.question(match)
        assert f"⁨{lost.name}⁩" in question
        assert question in scene.table.text
        assert buttons(scene.table)[-2:] == [Action.PLAY_ON, Action.END_INSTEAD]
        assert Action.LEAVE_MATCH not in buttons(scene.table)
        for person in others:
            hand = newest(person)
            assert question in hand.text
            assert ways(hand) == [Action.PLAY_ON, Action.END_INSTEAD, Action.GAMES]
            assert person.pushes[-1] == hand
        own = newest(lost)
        await scene.press(others[0], newest(others[0]), Action.PLAY_ON)
        assert (await match_of(scene)).proposing(Proposal.REPLACE) == [match.seat_of(person_of(others[0]).id)]
        assert vacancies.question(match, match.vacant_seat) in own.text
        assert ways(own) == [Action.GAMES]


@pytest.mark.thorough
async def test_a_ping_asks_where_direct_messages_are_closed(tmp_path: Path) -> None:
    """The pings have the buttons, and the player who lost the seat is pinged too."""
    clock = Clock()
    async with vacated(tmp_path, clock, open_dms=False) as (scene, _, lost, others):

        def call_of(person: Person) -> Message:
            (call,) = [one for one in scene.posts if person.id in one.mentions and Action.SHOW_HAND in buttons(one)]
            return call

        first, second, told = call_of(others[0]), call_of(others[1]), call_of(lost)
        for call in (first, second):
            assert buttons(call) == [Action.SHOW_HAND, Action.PLAY_ON, Action.END_INSTEAD]
        assert buttons(told) == [Action.SHOW_HAND]
        await scene.press(others[0], first, Action.PLAY_ON)
        await scene.quiet()
        assert first.deleted
        assert not told.deleted
        assert f"⁨{others[0].name}⁩" in second.text
        await scene.press(others[1], second, Action.PLAY_ON)
        await scene.quiet()
        assert told.deleted


@pytest.mark.thorough
async def test_all_agree_and_the_computer_plays(tmp_path: Path) -> None:
    """The computer moves immediately; the leaver's hand becomes one line, and their old buttons do nothing."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, lost, others):
        old = newest(lost)
        private = (await scene.use(lost, "gin hand", scene.channel)).message
        before = actions_of(private) | actions_of(scene.table)
        first = await scene.press(others[0], scene.table, Action.PLAY_ON)
        asked = await match_of(scene)
        assert vacancies.question(asked, asked.seat_of(person_of(others[0]).id)) in first.text
        assert buttons(first.message)[0] == Action.END_INSTEAD
        await scene.press(others[1], newest(others[1]), Action.PLAY_ON)
        await scene.quiet()
        after = await match_of(scene)
        assert (after.kind, after.version > match.version + 1) == (MatchKind.CASUAL, True)
        assert "⁨Computer⁩" in scene.table.text
        kept = [one for one in lost.direct_messages() if f"<#{scene.channel.id}>" in one.text]
        assert kept == [newest(lost)]
        assert buttons(kept[0]) == [Action.GAMES]
        assert (kept[0].attachments, old.deleted or old == kept[0]) == ([], True)
        assert not cards_in(kept[0])
        shown = private.text
        for action in sorted(MOVES | QUESTIONS | actions_of(old) | before):
            made = await click(lost, private, action, match.id, argument="1")
            for message in made.messages:
                assert message is private or not MOVES & actions_of(message), action
                assert message is private or "Your hand" not in message.text, action
        assert private.text == shown or not cards_in(private)
        assert (await match_of(scene)).seat_of(person_of(lost).id) is None
        refused = await scene.refused(lost, "hand")
        assert isinstance(refused, NotSeated)
        assert refused.match.seat_left_by(person_of(lost).id) is not None


@pytest.mark.thorough
async def test_the_table_and_the_end_say_that_a_computer_plays(tmp_path: Path) -> None:
    """Table and result say who the computer plays for. The cut, earlier moves and the loss stay that person's."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, lost, others):
        (before,) = [line for line in scene.table.text.splitlines() if "the cut was" in line]
        assert f"for ⁨{lost.name}⁩" not in scene.table.text
        for person in others:
            await scene.press(person, scene.table, Action.PLAY_ON)
        await scene.quiet()
        played_on = str(vacancies.playing_on(await match_of(scene)))
        assert f"⁨{lost.name}⁩" in played_on
        assert played_on in scene.table.text
        assert [line for line in scene.table.text.splitlines() if "the cut was" in line] == [before]
        panel = (await scene.use(others[0], "gin resign", scene.channel)).message
        await scene.press(others[0], panel, Action.RESIGN)
        await scene.quiet()
        over = await scene.alive.app.lookup.info(match.id)
        assert scene.posts[-1].text.count(str(vacancies.played_on(over))) == 1
        listed = await scene.use(lost, "gin-stats history", scene.channel)
        assert f"⁨{others[0].name}⁩" in listed.text


@pytest.mark.nightly
async def test_the_last_person_is_told_that_no_time_runs(tmp_path: Path) -> None:
    """After the second takeover the table says that the last player has no clock."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, _, others):
        for person in others:
            await scene.press(person, scene.table, Action.PLAY_ON)
        await scene.later(clock, DAY + MINUTE)
        match = await match_of(scene)
        assert match.vacant_seat is not None
        assert vacancies.question(match) in scene.table.text
        (left,) = [one for one in others if match.players[match.vacant_seat].id != one.id]
        await scene.press(left, scene.table, Action.PLAY_ON)
        await scene.quiet()
        match = await match_of(scene)
        assert not any(match.has_time(Seat(seat)) for seat in range(len(match.players)))
        assert str(vacancies.playing_on(match)) in scene.table.text


async def test_who_lost_the_seat_is_refused(tmp_path: Path) -> None:
    """The table's buttons tell the player who lost the seat that the others decide, and show no hand."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, lost, _):
        told = await scene.press(lost, scene.table, Action.PLAY_ON)
        assert isinstance(scene.error(told), Vacant)
        assert vacancies.question(match, match.vacant_seat) in told.text
        assert not told.message.attachments
        assert (await match_of(scene)).vacant_seat == match.vacant_seat


@pytest.mark.thorough
async def test_one_ends_the_match(tmp_path: Path) -> None:
    """The result says who lost on time, and *Play on* is refused."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, lost, others):
        assert scene.refusal(await scene.press(lost, scene.table, Action.END_INSTEAD)) is Vacant
        told = await scene.press(others[0], scene.table, Action.END_INSTEAD)
        await scene.quiet()
        summary = await scene.alive.app.lookup.summary(match.id)
        assert summary.match.status is MatchStatus.FINISHED
        assert summary.view.score.winner is None
        assert summary.view.forfeit is not None
        assert summary.match.players[summary.view.forfeit.seat].id == lost.id
        assert showdown.end_title(summary) in scene.posts[-1].text
        again = await click(others[1], told.message, Action.PLAY_ON, match.id)
        assert isinstance(scene.error(again), MatchOver)


@pytest.mark.nightly
async def test_everything_else_waits_for_the_decision(tmp_path: Path) -> None:
    """During the question, players' commands and old buttons show it instead."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, lost, others):
        for command in ("resign", "pass", "draw"):
            for person in (others[0], lost):
                assert isinstance(await scene.refused(person, command), Vacant)
        for action in (Action.RESIGN, Action.CALL_OFF, Action.PAUSE, Action.CLAIM, Action.GIVE_TIME, Action.NUDGE):
            made = await click(others[0], scene.table, action, MatchId(match.id))
            assert isinstance(scene.error(made), Vacant), action
            assert vacancies.question(match) in made.text
        assert (await match_of(scene)).vacant_seat == match.vacant_seat

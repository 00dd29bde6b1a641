"""Vacant seats at the table: the question, its buttons, and the messages of the player who lost the seat."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from bot.engine.cards import DECK
from bot.sandbox import Message, Person
from bot.values.ids import ChannelId, MatchId
from bot.values.matches import MatchInfo, MatchKind, MatchStatus
from cardart.text.card_names import ENGLISH
from cogs.kit.actions import Action
from tests.cogs.scenes import Scene, clubhouse, labels, person_of, ways
from tests.helpers.clock import Clock
from tests.helpers.forgery import click

pytestmark = pytest.mark.slow

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
PLAY_ON, END = "Play on with a computer", "End the match"


def newest(person: Person) -> Message:
    """Return the newest direct message of a person: their hand, or the deal that they sit out."""
    return person.direct_messages()[-1]


async def match_of(scene: Scene) -> MatchInfo:
    """Return the match in the channel."""
    match = await scene.alive.app.lookup.running_in(ChannelId(scene.channel.id))
    assert match is not None
    return match


@asynccontextmanager
async def vacated(
    directory: Path, clock: Clock, *, open_dms: bool = True
) -> AsyncGenerator[tuple[Scene, MatchInfo, Person, list[Person]]]:
    """Yield a table of three with a vacant seat: the match, the player who lost the seat, and the others."""
    async with clubhouse(directory, clock=clock) as scene:
        for person in (scene.north, scene.south, scene.east):
            person.user.open_dms = open_dms
        await scene.use(scene.north, "gin challenge", scene.channel, rules="rotation", clock="1d flag")
        lobby = await scene.post("Join")
        for person in (scene.south, scene.east):
            await scene.press(person, lobby, "Join")
        await scene.press(scene.north, await scene.post("Start"), "Start")
        await scene.quiet()
        await scene.later(clock, DAY + MINUTE)
        match = await match_of(scene)
        assert match.vacant_seat is not None
        people = {one.id: one for one in (scene.north, scene.south, scene.east)}
        lost = people[match.players[match.vacant_seat].id or 0]
        yield scene, match, lost, [one for one in people.values() if one is not lost]


async def test_the_table_and_the_hands_ask(tmp_path: Path) -> None:
    """Everyone sees the question; only the others get the buttons, with one notification."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, _, lost, others):
        question = f"⁨{lost.name}⁩ lost on time.** Play on with a computer?"
        assert question in scene.table.text
        assert labels(scene.table)[-2:] == [PLAY_ON, END]
        assert "Pause or leave" not in labels(scene.table)
        for person in others:
            hand = newest(person)
            assert question in hand.text
            assert ways(hand) == [PLAY_ON, END, "My games"]
            assert person.pushes[-1] == hand
        own = newest(lost)
        assert "You lost on time. The others are deciding whether a computer plays on for you." in own.text
        assert ways(own) == ["My games"]


async def test_a_ping_asks_where_direct_messages_are_closed(tmp_path: Path) -> None:
    """The others can answer there, and the player who lost is told."""
    clock = Clock()
    async with vacated(tmp_path, clock, open_dms=False) as (scene, _, lost, others):
        calls = {
            person: [one for one in scene.posts if one.text.startswith(f"<@{person.id}>, the match")]
            for person in others
        }
        assert [[labels(call) for call in calls[person]] for person in others] == [[["My hand", PLAY_ON, END]]] * 2
        (told,) = [one for one in scene.posts if one.text.startswith(f"<@{lost.id}>, you lost on time.")]
        assert labels(told) == ["My hand"]
        await scene.press(others[0], calls[others[0]][0], PLAY_ON)
        await scene.quiet()
        assert calls[others[0]][0].deleted
        assert not told.deleted
        assert f"⁨{others[0].name}⁩ agreed." in calls[others[1]][0].text
        await scene.press(others[1], calls[others[1]][0], PLAY_ON)
        await scene.quiet()
        assert told.deleted


async def test_all_agree_and_the_computer_plays(tmp_path: Path) -> None:
    """It moves at once, the leaver keeps one sentence for their hand, and every old button of theirs does nothing."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, lost, others):
        old = newest(lost)
        private = (await scene.use(lost, "gin hand", scene.channel)).message
        first = await scene.press(others[0], scene.table, PLAY_ON)
        assert "The match continues if everyone agrees." in first.text
        assert labels(first.message)[0] == END
        await scene.press(others[1], newest(others[1]), PLAY_ON)
        await scene.quiet()
        after = await match_of(scene)
        assert (after.kind, after.version > match.version + 1) == (MatchKind.CASUAL, True)
        assert "⁨Computer⁩" in scene.table.text
        kept = [one for one in lost.direct_messages() if f"<#{scene.channel.id}>" in one.text]
        assert kept == [newest(lost)]
        assert labels(kept[0]) == ["My games"]
        assert (kept[0].attachments, old.deleted or old == kept[0]) == ([], True)
        assert not any(ENGLISH.short(card) in kept[0].text for card in DECK)
        shown = private.text
        for action in Action:
            if action in (Action.FORGET_NOW, Action.LESSON, Action.PRACTISE):
                continue
            made = await click(lost, private, action, match.id, argument="1")
            assert "Something went wrong" not in made.text, action
            assert "Your hand" not in made.text or made.message is private, action
        assert "Your hand against" not in private.text or private.text == shown
        assert (await match_of(scene)).seat_of(person_of(lost).id) is None
        refused = await scene.ask(lost, "hand")
        assert "You lost on time" in refused
        assert "took over your seat" in refused
        assert lost.name in refused


async def test_the_table_says_that_a_computer_plays(tmp_path: Path) -> None:
    """For whom, for as long as the match runs; the cut and earlier moves stay those of the person."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, _, lost, others):
        (before,) = [line for line in scene.table.text.splitlines() if "the cut was" in line]
        assert f"for ⁨{lost.name}⁩" not in scene.table.text
        for person in others:
            await scene.press(person, scene.table, PLAY_ON)
        await scene.quiet()
        assert f"A computer plays for ⁨{lost.name}⁩. The match is casual." in scene.table.text
        assert [line for line in scene.table.text.splitlines() if "the cut was" in line] == [before]


async def test_the_last_person_is_told_that_no_time_runs(tmp_path: Path) -> None:
    """With the second takeover, which changes nothing about the standings any more."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, _, others):
        for person in others:
            await scene.press(person, scene.table, PLAY_ON)
        await scene.later(clock, DAY + MINUTE)
        match = await match_of(scene)
        assert match.vacant_seat is not None
        assert "continues as casual" not in scene.table.text
        (left,) = [one for one in others if match.players[match.vacant_seat].id != one.id]
        assert "no time runs" not in scene.table.text
        await scene.press(left, scene.table, PLAY_ON)
        await scene.quiet()
        assert "no time runs" in scene.table.text


async def test_who_lost_the_seat_is_refused(tmp_path: Path) -> None:
    """The buttons of the question tell them that the others decide, and show no hand."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, lost, _):
        for label in (PLAY_ON, END):
            told = await scene.press(lost, scene.table, label)
            assert "The others are deciding" in told.text
            assert "Your hand" not in told.text
            assert not told.message.attachments
        assert (await match_of(scene)).vacant_seat == match.vacant_seat


async def test_one_ends_the_match(tmp_path: Path) -> None:
    """The end says who lost on time, and nobody is offered to play on any more."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, lost, others):
        told = await scene.press(others[0], scene.table, END)
        assert "There is no result for you" in told.text
        await scene.quiet()
        assert f"⁨{lost.name}⁩ lost on time: the match ends without a winner" in scene.posts[-1].text
        again = await click(others[1], told.message, Action.PLAY_ON, match.id)
        assert "is over" in again.text
        assert (await scene.alive.app.lookup.info(match.id)).status is MatchStatus.FINISHED


async def test_the_end_says_for_whom_a_computer_played(tmp_path: Path) -> None:
    """Once, on the message that everybody sees."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, _, lost, others):
        for person in others:
            await scene.press(person, scene.table, PLAY_ON)
        await scene.quiet()
        panel = (await scene.use(others[0], "gin resign", scene.channel)).message
        await scene.press(others[0], panel, "Resign")
        await scene.quiet()
        assert scene.posts[-1].text.count(f"A computer played on for ⁨{lost.name}⁩.") == 1
        listed = await scene.use(lost, "gin-stats history", scene.channel)
        assert "**Lost** against" in listed.text
        assert "casual" in listed.text


async def test_everything_else_waits_for_the_decision(tmp_path: Path) -> None:
    """Commands and old buttons of a player show the question instead."""
    clock = Clock()
    async with vacated(tmp_path, clock) as (scene, match, lost, others):
        for command in ("resign", "pass", "draw"):
            assert f"⁨{lost.name}⁩ lost on time" in await scene.ask(others[0], command)
            assert "You lost on time." in await scene.ask(lost, command)
        for action in (Action.RESIGN, Action.CALL_OFF, Action.PAUSE, Action.CLAIM, Action.GIVE_TIME, Action.NUDGE):
            made = await click(others[0], scene.table, action, MatchId(match.id))
            assert f"⁨{lost.name}⁩ lost on time" in made.text, action
        assert (await match_of(scene)).vacant_seat == match.vacant_seat

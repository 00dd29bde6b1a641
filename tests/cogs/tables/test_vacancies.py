"""Vacant seats: the other players decide whether a computer takes over or the match ends."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from bot.engine.cards.cards import DECK
from bot.engine.deals.moves import Seat
from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId, MatchId
from bot.model.matches import MatchInfo, MatchKind, MatchStatus, Proposal
from bot.model.statistics import computers
from bot.opponent.play.levels import Level
from bot.play.refusals import MatchOver, NotSeated, Vacant
from bot.sandbox import Message, Person
from cardart.text.card_names import ENGLISH
from cogs.actions import Action
from cogs.showdowns import showdown_text as showdown
from cogs.words import vacancies
from cogs.words.names import name
from tests.cogs.scenes import Scene, buttons, buttons_without_cards, open_scene, person_of
from tests.helpers.clock import Clock
from tests.helpers.components import MOVES, QUESTIONS, actions_of
from tests.helpers.forgery import click
from tests.helpers.table import interaction

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def cards_in(message: Message) -> list[str]:
    """Return the cards that a message names in its text or its alt texts."""
    all_text = " ".join((message.text, *(str(image.alt) for image in message.images)))
    return [ENGLISH.short(card) for card in DECK if ENGLISH.short(card) in all_text]


def newest_message(person: Person) -> Message:
    """Return a person's newest direct message: their hand, or the deal that they sit out."""
    return person.direct_messages()[-1]


async def match_of(scene: Scene) -> MatchInfo:
    """Return the match in the channel."""
    match = await scene.bot.app.lookup.running_in(ChannelId(scene.channel.id))
    assert match is not None
    return match


async def begin_match(scene: Scene) -> None:
    """Have North begin a match with South and East through the services."""
    app, people = scene.bot.app, [person_of(player) for player in (scene.north, scene.south, scene.east)]
    for player, person in zip(people, (scene.north, scene.south, scene.east), strict=True):
        await app.people.save_person(player)
        await app.people.save_dm_opened(player.id, ChannelId(person.dm.id))
    assert scene.channel.guild is not None
    where = Place(GuildId(scene.channel.guild.id), ChannelId(scene.channel.id))
    challenge = await app.challenges.issue(people[0], [], where, interaction(), rules="rotation", clock="1d flag")
    for accepting in people[1:]:
        await app.challenges.accept(accepting, challenge.id)
    await app.lobbies.start(people[0].id, challenge.id)


@asynccontextmanager
async def match_with_vacant_seat(
    directory: Path, clock: Clock, *, open_dms: bool = True
) -> AsyncGenerator[tuple[Scene, MatchInfo, Person, list[Person]]]:
    """Yield the scene, a match of three with a vacant seat, the player who lost the seat, and the other players."""
    async with open_scene(directory, clock=clock) as scene:
        for person in (scene.north, scene.south, scene.east):
            person.user.open_dms = open_dms
        await begin_match(scene)
        await scene.wait_until_idle()
        await scene.advance_until_idle(clock, DAY + MINUTE)
        match = await match_of(scene)
        assert match.vacant_seat is not None
        people = {player.id: player for player in (scene.north, scene.south, scene.east)}
        lost = people[match.players[match.vacant_seat].id or 0]
        yield scene, match, lost, [person for person in people.values() if person is not lost]


@pytest.mark.thorough
async def test_table_and_hands_show_the_question(tmp_path: Path) -> None:
    """All see the question about the vacant seat; only the remaining players get its buttons and a notification."""
    clock = Clock()
    async with match_with_vacant_seat(tmp_path, clock) as (scene, match, lost, others):
        question = vacancies.question(match)
        assert f"⁨{lost.name}⁩" in question
        assert question in scene.table.text
        assert buttons(scene.table)[-2:] == [Action.PLAY_ON, Action.END_INSTEAD]
        assert Action.LEAVE_MATCH not in buttons(scene.table)
        for person in others:
            hand = newest_message(person)
            assert question in hand.text
            assert buttons_without_cards(hand) == [Action.PLAY_ON, Action.END_INSTEAD, Action.GAMES]
            assert person.pushes[-1] == hand
        own = newest_message(lost)
        await scene.press(others[0], newest_message(others[0]), Action.PLAY_ON)
        assert (await match_of(scene)).seats_proposing(Proposal.REPLACE) == [match.seat_of(person_of(others[0]).id)]
        assert vacancies.question(match, match.vacant_seat) in own.text
        assert buttons_without_cards(own) == [Action.GAMES]


@pytest.mark.nightly
async def test_pings_ask_if_direct_messages_are_closed(tmp_path: Path) -> None:
    """If players accept no direct messages, pings in the channel tell them about the vacant seat.

    The pings of the remaining players have buttons to decide if a computer plays on.
    """
    clock = Clock()
    async with match_with_vacant_seat(tmp_path, clock, open_dms=False) as (scene, _, lost, others):

        def call_of(person: Person) -> Message:
            (call,) = [post for post in scene.posts if person.id in post.mentions and Action.SHOW_HAND in buttons(post)]
            return call

        first, second, loser_ping = call_of(others[0]), call_of(others[1]), call_of(lost)
        for call in (first, second):
            assert buttons(call) == [Action.SHOW_HAND, Action.PLAY_ON, Action.END_INSTEAD]
        assert buttons(loser_ping) == [Action.SHOW_HAND]
        await scene.press(others[0], first, Action.PLAY_ON)
        await scene.wait_until_idle()
        assert first.deleted
        assert not loser_ping.deleted
        assert f"⁨{others[0].name}⁩" in second.text
        await scene.press(others[1], second, Action.PLAY_ON)
        await scene.wait_until_idle()
        assert loser_ping.deleted


@pytest.mark.nightly
async def test_if_all_agree_a_computer_plays(tmp_path: Path) -> None:
    """If all agree to play on, a computer moves immediately; the former player's hand becomes a line without cards."""
    clock = Clock()
    async with match_with_vacant_seat(tmp_path, clock) as (scene, match, lost, others):
        old = newest_message(lost)
        private = (await scene.use(lost, "gin hand", scene.channel)).message
        before = actions_of(private) | actions_of(scene.table)
        first = await scene.press(others[0], scene.table, Action.PLAY_ON)
        asked = await match_of(scene)
        assert vacancies.question(asked, asked.seat_of(person_of(others[0]).id)) in first.text
        assert buttons(first.message)[0] == Action.END_INSTEAD
        await scene.press(others[1], newest_message(others[1]), Action.PLAY_ON)
        await scene.wait_until_idle()
        after = await match_of(scene)
        assert (after.kind, after.version > match.version + 1) == (MatchKind.CASUAL, True)
        assert name(computers([Level.STRONG])[0]) in scene.table.text
        final_messages = [
            direct_message
            for direct_message in lost.direct_messages()
            if f"<#{scene.channel.id}>" in direct_message.text
        ]
        assert final_messages == [newest_message(lost)]
        assert buttons(final_messages[0]) == [Action.GAMES]
        assert (final_messages[0].attachments, old.deleted or old == final_messages[0]) == ([], True)
        assert not cards_in(final_messages[0])
        shown = private.text
        for action in sorted(MOVES | QUESTIONS | actions_of(old) | before):
            answer = await click(lost, private, action, match.id, argument="1")
            for message in answer.messages:
                assert message is private or not MOVES & actions_of(message), action
                assert message is private or "Your hand" not in message.text, action
        assert private.text == shown or not cards_in(private)
        assert (await match_of(scene)).seat_of(person_of(lost).id) is None
        refused = await scene.refusal_of(lost, "hand")
        assert isinstance(refused, NotSeated)
        assert refused.match.former_seat_of(person_of(lost).id) is not None


@pytest.mark.nightly
async def test_the_table_and_the_end_say_that_a_computer_plays(tmp_path: Path) -> None:
    """The table and the result name the person whom the computer replaced; the line about the cut keeps their name."""
    clock = Clock()
    async with match_with_vacant_seat(tmp_path, clock) as (scene, match, lost, others):
        before = await _line_about_the_cut(scene)
        assert f"for ⁨{lost.name}⁩" not in scene.table.text
        for person in others:
            await scene.press(person, scene.table, Action.PLAY_ON)
        await scene.wait_until_idle()
        played_on = str(vacancies.playing_on(await match_of(scene)))
        assert f"⁨{lost.name}⁩" in played_on
        assert played_on in scene.table.text
        assert await _line_about_the_cut(scene) == before
        panel = (await scene.use(others[0], "gin resign", scene.channel)).message
        await scene.press(others[0], panel, Action.RESIGN)
        await scene.wait_until_idle()
        finished = await scene.bot.app.lookup.info(match.id)
        assert scene.posts[-1].text.count(str(vacancies.played_on(finished))) == 1
        listed = await scene.use(lost, "gin-stats history", scene.channel)
        assert f"⁨{others[0].name}⁩" in listed.text


async def _line_about_the_cut(scene: Scene) -> str:
    """Return the line of *Last moves* about the cards that were cut for the deal."""
    last_moves = await scene.press(scene.east, scene.table, Action.LAST_MOVES)
    (line,) = [line for line in last_moves.text.splitlines() if " cut " in line]
    return line


@pytest.mark.nightly
async def test_the_last_person_has_no_clock(tmp_path: Path) -> None:
    """After computers have taken over the two other seats, the last person has no clock, and the table says so."""
    clock = Clock()
    async with match_with_vacant_seat(tmp_path, clock) as (scene, match, _, others):
        for person in others:
            await scene.press(person, scene.table, Action.PLAY_ON)
        await scene.advance_until_idle(clock, DAY + MINUTE)
        match = await match_of(scene)
        assert match.vacant_seat is not None
        assert vacancies.question(match) in scene.table.text
        (left,) = [other for other in others if match.players[match.vacant_seat].id != other.id]
        await scene.press(left, scene.table, Action.PLAY_ON)
        await scene.wait_until_idle()
        match = await match_of(scene)
        assert not any(match.has_time(Seat(seat)) for seat in range(len(match.players)))
        assert str(vacancies.playing_on(match)) in scene.table.text


async def test_the_player_who_lost_the_seat_is_refused(tmp_path: Path) -> None:
    """A player who lost a seat cannot decide if a computer takes it over; the reply says that the others decide."""
    clock = Clock()
    async with match_with_vacant_seat(tmp_path, clock) as (scene, match, lost, _):
        answer = await scene.press(lost, scene.table, Action.PLAY_ON)
        assert isinstance(scene.error(answer), Vacant)
        assert vacancies.question(match, match.vacant_seat) in answer.text
        assert not answer.message.attachments
        assert (await match_of(scene)).vacant_seat == match.vacant_seat


@pytest.mark.thorough
async def test_one_player_can_end_the_match(tmp_path: Path) -> None:
    """One remaining player alone can end the match; the result says who lost on time, and *Play on* is refused."""
    clock = Clock()
    async with match_with_vacant_seat(tmp_path, clock) as (scene, match, lost, others):
        assert scene.error_type(await scene.press(lost, scene.table, Action.END_INSTEAD)) is Vacant
        answer = await scene.press(others[0], scene.table, Action.END_INSTEAD)
        await scene.wait_until_idle()
        summary = await scene.bot.app.lookup.summary(match.id)
        assert summary.match.status is MatchStatus.FINISHED
        assert summary.view.score.winner is None
        assert summary.view.forfeit is not None
        assert summary.match.players[summary.view.forfeit.seat].id == lost.id
        assert showdown.end_title(summary) in scene.posts[-1].text
        again = await click(others[1], answer.message, Action.PLAY_ON, match.id)
        assert isinstance(scene.error(again), MatchOver)


@pytest.mark.thorough
async def test_other_actions_are_refused_until_the_decision(tmp_path: Path) -> None:
    """Until the question about a vacant seat is decided, players' commands and old buttons only show that question."""
    clock = Clock()
    async with match_with_vacant_seat(tmp_path, clock) as (scene, match, lost, others):
        for command in ("resign", "pass", "draw"):
            for person in (others[0], lost):
                assert isinstance(await scene.refusal_of(person, command), Vacant)
        for action in (Action.RESIGN, Action.CALL_OFF, Action.PAUSE, Action.CLAIM, Action.GIVE_TIME, Action.NUDGE):
            answer = await click(others[0], scene.table, action, MatchId(match.id))
            assert isinstance(scene.error(answer), Vacant), action
            assert vacancies.question(match) in answer.text
        assert (await match_of(scene)).vacant_seat == match.vacant_seat

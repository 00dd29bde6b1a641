"""Lobbies: challenges in which three or four players gather, and the matches that they begin."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.engine.deals.moves import Seat
from bot.model.challenges import ChallengeStatus
from bot.model.clocks import CLAIM_TIME_WITHOUT_CLOCK
from bot.model.ids import MatchId
from bot.model.matches import MatchKind, MatchStatus, Proposal
from bot.model.statistics import Player, computers
from bot.opponent.play.levels import Level
from bot.play.refusals import (
    AlreadyIn,
    ChallengeClosed,
    NoPlaceLeft,
    NoTeams,
    NotEnoughPlayers,
    NotForYou,
    NotWithYourself,
    NotYourTurn,
    TooManyNamed,
    WrongNumber,
)
from bot.sandbox import Message, Person
from cogs import refusals
from cogs.actions import Action
from cogs.challenges.challenge_panel import CASUAL
from cogs.delivery.choosing import NO_OWN_TABLE, NO_TABLE_JOINED, OWN_TABLE
from cogs.words.names import name
from tests.cogs.scenes import Scene, buttons, hands, open_scene, person_of
from tests.helpers.clock import Clock
from tests.helpers.components import MOVES, actions_of, find_button
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.thinkers import use_local_thinker


async def _open_lobby(scene: Scene, rules: str, **named: object) -> Message:
    """Have North open a lobby, and return its message."""
    before = scene.posts
    await scene.use(scene.north, "gin challenge", scene.channel, rules=rules, **named)
    return await scene.wait_for_post(Action.ACCEPT, exclude=before)


async def _newest_lobby(scene: Scene) -> Message:
    """Wait until all is quiet, and return the newest message of an open lobby."""
    await scene.wait_until_idle()
    return await scene.wait_for_post(Action.CHALLENGE_MORE)


async def _more(scene: Scene, person: Person, lobby: Message) -> Message:
    """Have a person press *More …* of a lobby, and return the answer."""
    return (await scene.press(person, lobby, Action.CHALLENGE_MORE)).message


async def _joined_names(scene: Scene) -> list[str | None]:
    """Return the names of the players in the first lobby."""
    return [player.name for player in (await scene.challenge()).players]


async def _refusal_type(scene: Scene, person: Person, command: str, **options: object) -> type[BaseException] | None:
    """Have a person use a `/gin` command in the channel. Return the class of its refusal, or None."""
    return scene.error_type(await scene.use(person, f"gin {command}", scene.channel, **options))


async def test_a_lobby_starts_with_the_players_who_have_joined(tmp_path: Path) -> None:
    """The challenger can start as soon as enough players have joined, and each of them gets a hand."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        lobby = await _open_lobby(scene, "penalty")
        assert await _refusal_type(scene, scene.north, "lobby start") is NotEnoughPlayers
        joined = (await scene.press(scene.south, lobby, Action.ACCEPT)).message
        assert buttons(joined) == [Action.LEAVE_LOBBY, Action.CHALLENGE_WORDS, Action.STOP_DMS]
        assert await _joined_names(scene) == ["North", "South"]
        await scene.press(scene.north, await _newest_lobby(scene), Action.START_LOBBY)
        await scene.wait_until_idle()
        assert (await scene.challenge()).status is ChallengeStatus.ACCEPTED
        assert [player.name for player in (await scene.match()).players] == ["North", "South"]
        assert [len(hands(person)) for person in (scene.north, scene.south)] == [1, 1]


@pytest.mark.thorough
async def test_three_play_in_rotation(tmp_path: Path) -> None:
    """In a match of three, two players have hands and the dealer sits out; the next deal has another dealer."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_KNOCK) as scene:
        lobby = await _open_lobby(scene, "rotation", opponent=scene.south)
        assert scene.south.pushes == [lobby]
        assert ((await scene.challenge()).named_ids, (await scene.challenge()).open_places) == ({scene.south.id}, 1)
        await scene.press(scene.south, lobby, Action.ACCEPT)
        await scene.press(scene.east, lobby, Action.ACCEPT)
        lobby = await _newest_lobby(scene)
        assert buttons(lobby) == [Action.START_LOBBY, Action.CHALLENGE_MORE]
        await scene.press(scene.north, lobby, Action.START_LOBBY)
        await scene.wait_until_idle()
        assert [player.name for player in (await scene.match()).players] == ["North", "South", "East"]
        (out,) = scene.south.direct_messages()
        assert buttons(out) == [Action.REFRESH_HAND, Action.GAMES]
        assert out.images == []
        for command in ("draw", "take"):
            assert await _refusal_type(scene, scene.south, command) is NotYourTurn
        await scene.press(scene.east, await scene.wait_for_turn(scene.east), Action.TAKE)
        await scene.ask(scene.east, "knock", card="Qh")
        await scene.wait_until_idle()
        summary = await scene.bot.app.lookup.summary(MatchId(1))
        assert (summary.view.number, summary.view.dealer, summary.view.seats) == (2, Seat(2), (Seat(0), Seat(1)))
        assert "⁨North⁩ **0** – ⁨South⁩ **0** – ⁨East⁩ **58**" in scene.table.text
        for person in (scene.north, scene.south):
            await scene.next_deal(person)
        await scene.wait_for_turn(scene.north)
        assert len(hands(scene.south)) == 1


@pytest.mark.nightly
async def test_four_are_partners_on_two_boards(tmp_path: Path) -> None:
    """The challenger can change the teams of four players; each board has its own table, hands and moves."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_KNOCK) as scene:
        north, south, east, west = scene.north, scene.south, scene.east, scene.west
        lobby = await _open_lobby(scene, "partners")
        for person in (south, east, west):
            await scene.press(person, lobby, Action.ACCEPT)
        lobby = await _newest_lobby(scene)

        async def partner() -> str | None:
            return next(
                player.name
                for team in (await scene.challenge()).teams
                if team[0].name == "North"
                for player in team[1:]
            )

        partners = [await partner()]
        await scene.press(north, await _more(scene, north, lobby), Action.CHANGE_TEAMS)
        for _ in range(2):
            partners.append(await partner())
            await scene.ask(north, "lobby teams")
        assert [*partners, await partner()] == ["East", "South", "West", "East"]
        await scene.press(north, await _newest_lobby(scene), Action.START_LOBBY)
        await scene.wait_until_idle()
        tables = [post for post in scene.posts if Action.SHOW_SCORE in buttons(post)]
        assert [table.text.splitlines()[0] for table in tables] == [
            f"### ⁨North⁩ and ⁨East⁩ vs ⁨South⁩ and ⁨West⁩ · board {board}" for board in (1, 2)
        ]
        against = {north: "South", south: "North", east: "West", west: "East"}
        for person, opponent in against.items():
            (hand,) = hands(person)
            assert f"against ⁨{opponent}⁩" in hand.text
            assert len(hand.images) == 1
        movers = [person for person in against if actions_of(hands(person)[0]) & MOVES]
        assert len(movers) == 2
        for mover, table in zip(movers, tables, strict=True):
            await scene.ask(mover, "take")
            await scene.wait_until_idle()
            assert f"**⁨{mover.name}⁩**" in table.text
        first, second = movers
        await scene.ask(first, "knock", card="Qh")
        await scene.wait_until_idle()
        waiting = await scene.use(first, "gin hand", scene.channel)
        assert not actions_of(waiting.message) & MOVES
        assert await _refusal_type(scene, first, "draw") is NotYourTurn
        assert (await scene.bot.app.lookup.summary(MatchId(1))).view.number == 1
        await scene.ask(second, "knock", card="Qh")
        await scene.wait_until_idle()
        assert (await scene.bot.app.lookup.summary(MatchId(1))).view.number == 2
        assert [Action.SHOW_SCORE in buttons(post) for post in scene.posts[-2:]] == [True, True]


@pytest.mark.thorough
async def test_seats_are_reserved_declined_left_and_taken(tmp_path: Path) -> None:
    """Seats can be reserved in the challenge or later; a seat that is declined or left becomes open to anyone."""
    async with open_scene(tmp_path) as scene:
        north, south, east, west = scene.north, scene.south, scene.east, scene.west
        lobby = await _open_lobby(scene, "penalty", opponent=south, second=east)
        assert south.pushes == east.pushes == [lobby]
        # Check the exact wording of the answers to declining, accepting, inviting and leaving.
        assert (await scene.press(south, lobby, Action.DECLINE)).text == "You declined ⁨North⁩'s challenge."
        assert await scene.ask(east, "accept") == "You're in. ⁨North⁩ will start the match."
        assert await scene.ask(north, "lobby invite", player=west) == f"I'm saving a seat for <@{west.id}>."
        await scene.sandbox.until(lambda: west.pushes)
        former, lobby = lobby, await _newest_lobby(scene)
        assert former.deleted
        assert west.pushes == [lobby]
        row = await scene.challenge()
        assert (await _joined_names(scene), row.named_ids, row.open_places) == (["North", "East"], {west.id}, 1)
        left = await scene.press(east, await _more(scene, east, lobby), Action.LEAVE_LOBBY)
        assert left.text == "You left ⁨North⁩'s table."
        assert await scene.ask(east, "lobby leave") == NO_TABLE_JOINED
        await scene.press(west, await _newest_lobby(scene), Action.ACCEPT)
        again = await scene.press(west, await _newest_lobby(scene), Action.ACCEPT)
        assert isinstance(scene.error(again), AlreadyIn)
        assert await _joined_names(scene) == ["North", "West"]
        await scene.ask(west, "lobby leave")
        chosen = await _more(scene, east, await _newest_lobby(scene))
        await scene.press(east, chosen, Action.STOP_DMS)
        await scene.press(east, chosen, Action.ACCEPT)
        await scene.ask(north, "lobby start")
        await scene.wait_until_idle()
        assert [player.name for player in (await scene.match()).players] == ["North", "East"]
        assert (len(hands(north)), len(hands(east))) == (1, 0)


@pytest.mark.thorough
async def test_the_challenger_is_pinged_when_the_lobby_is_full(tmp_path: Path) -> None:
    """A full lobby is posted again and pings the challenger, at most twice even if a player leaves and rejoins."""
    async with open_scene(tmp_path) as scene:
        north, south, east = scene.north, scene.south, scene.east
        lobby = await _open_lobby(scene, "rotation", opponent=south, second=east)
        await scene.press(south, lobby, Action.ACCEPT)
        await scene.wait_until_idle()
        assert north.pushes == []
        for times in (1, 2, 2):
            await scene.press(east, await _newest_lobby(scene), Action.ACCEPT)
            full = await _newest_lobby(scene)
            assert Action.ACCEPT not in buttons(full)
            assert len(north.pushes) == times
            await scene.press(east, await _more(scene, east, full), Action.LEAVE_LOBBY)
        assert north.pushes[0].deleted
        assert len(south.pushes) == len(east.pushes) == 1


@pytest.mark.thorough
async def test_only_the_challenger_controls_a_lobby(tmp_path: Path) -> None:
    """Only the challenger can start, change or withdraw a lobby; other people's presses and commands are refused."""
    async with open_scene(tmp_path) as scene:
        north, south, east, west = scene.north, scene.south, scene.east, scene.west
        lobby = await _open_lobby(scene, "rotation")
        assert isinstance(scene.error(await scene.press(north, lobby, Action.ACCEPT)), NotForYou)
        assert await scene.ask(north, "lobby leave") == OWN_TABLE
        for person in (south, east):
            await scene.press(person, lobby, Action.ACCEPT)
        lobby = await _newest_lobby(scene)
        for person, action in (
            (west, Action.LEAVE_LOBBY),
            (south, Action.WITHDRAW),
            (north, Action.LEAVE_LOBBY),
        ):
            more = await _more(scene, person, lobby)
            assert action not in buttons(more)
            assert isinstance(scene.error(await click(person, more, action, 1)), NotForYou)
        assert isinstance(scene.error(await scene.press(south, lobby, Action.START_LOBBY)), NotForYou)
        assert await _refusal_type(scene, north, "lobby teams") is NoTeams
        for person, reason in ((west, NoPlaceLeft), (south, AlreadyIn), (north, NotWithYourself)):
            assert await _refusal_type(scene, north, "lobby invite", player=person) is reason
        assert await scene.ask(west, "lobby start", west.dm) == NO_OWN_TABLE
        assert await scene.ask(west, "lobby teams") == NO_OWN_TABLE
        assert await scene.ask(west, "lobby invite", player=south) == NO_OWN_TABLE
        assert await scene.ask(west, "lobby leave") == NO_TABLE_JOINED
        start = find_button(lobby, Action.START_LOBBY)
        assert start is not None
        await scene.ask(north, "withdraw")
        await scene.wait_until_idle()
        row = await scene.challenge()
        assert row.status is ChallengeStatus.WITHDRAWN
        assert buttons(lobby) == []
        late = await scene.press_late(south, lobby, start)
        assert late.text == refusals.text(ChallengeClosed(row), person_of(south).id)


async def test_simultaneous_joins_fill_the_last_seat_once(tmp_path: Path) -> None:
    """If two people join simultaneously, one gets the last seat and the other reads that none is left."""
    async with open_scene(tmp_path) as scene:
        lobby = await _open_lobby(scene, "rotation", opponent=scene.south)
        await scene.press(scene.south, lobby, Action.ACCEPT)
        join = find_button(lobby, Action.ACCEPT)
        assert join is not None
        presses = [await person.press(lobby, join) for person in (scene.east, scene.west)]
        errors = [scene.error(answer) for answer in await asyncio.gather(*(press.done() for press in presses))]
        assert {type(error) for error in errors} == {type(None), NoPlaceLeft}
        assert ((await scene.challenge()).open_places, len(await _joined_names(scene))) == (0, 3)


async def test_too_many_named_people_are_refused(tmp_path: Path) -> None:
    """Too many named people, or a wrong number of players, are refused, and nothing is posted."""
    async with open_scene(tmp_path) as scene:
        named = {"opponent": scene.south, "second": scene.east, "third": scene.west}
        assert await _refusal_type(scene, scene.north, "challenge", players=3) is WrongNumber
        for rules in ("classic", "rotation"):
            assert await _refusal_type(scene, scene.north, "challenge", **named, rules=rules) is TooManyNamed
        await scene.wait_until_idle()
        assert scene.posts == []


@pytest.mark.thorough
async def test_a_lobby_in_a_busy_channel_starts_in_a_thread(tmp_path: Path) -> None:
    """The match of a channel's second lobby is played in a thread of the lobby's message."""
    async with open_scene(tmp_path) as scene:
        for _ in range(2):
            lobby = await _open_lobby(scene, "penalty")
            await scene.press(scene.south, lobby, Action.ACCEPT)
            await scene.press(scene.north, await _newest_lobby(scene), Action.START_LOBBY)
            await scene.wait_until_idle()
        thread = scene.sandbox.channel("North vs South, match 2")
        assert [(await scene.match(number)).channel_id for number in (1, 2)] == [scene.channel.id, thread.id]
        assert Action.SHOW_SCORE in buttons(scene.posts_in(thread)[0])


async def _begin_match_of_three(scene: Scene) -> None:
    lobby = await _open_lobby(scene, "rotation")
    for person in (scene.south, scene.east):
        await scene.press(person, lobby, Action.ACCEPT)
    await scene.press(scene.north, await _newest_lobby(scene), Action.START_LOBBY)
    await scene.wait_until_idle()


@pytest.mark.nightly
async def test_a_resignation_ends_a_match_of_three(tmp_path: Path) -> None:
    """A resignation ends a match of three without rating it; a rematch begins once all three want it."""
    async with open_scene(tmp_path) as scene:
        await _begin_match_of_three(scene)
        asked = await scene.use(scene.south, "gin resign", scene.channel)
        await scene.press(scene.south, asked.message, Action.RESIGN)
        end = await scene.wait_for_post(Action.REMATCH)
        await scene.wait_until_idle()
        match = await scene.match()
        assert (match.status, match.ratings) == (MatchStatus.FINISHED, (None, None, None))
        assert "⁨South⁩ resigned" in end.text
        assert Action.REMATCH in buttons(scene.north.direct_messages()[-1])
        for person, has_rematch in ((scene.south, False), (scene.north, False), (scene.east, True)):
            await scene.press(person, await scene.wait_for_post(Action.REMATCH), Action.REMATCH)
            assert (await scene.match()).has_rematch == has_rematch
            await scene.wait_until_idle()


@pytest.mark.nightly
async def test_three_pause_continue_and_call_off_a_match_together(tmp_path: Path) -> None:
    """All three players must agree to pause, continue or call off a match; until then each can change their mind."""
    async with open_scene(tmp_path) as scene:
        await _begin_match_of_three(scene)
        north, south, east = scene.north, scene.south, scene.east
        for person in (north, south, east):
            assert not (await scene.match()).is_paused
            panel = (await scene.use(person, "gin resign", scene.channel)).message
            await scene.press(person, panel, Action.PAUSE)
        assert (await scene.match()).is_paused
        await scene.wait_until_idle()
        table = scene.table
        for person in (north, south):
            asked = await scene.press(person, table, Action.CONTINUE)
        agreed = [(await scene.match()).proposals]
        await scene.press(south, asked.message, Action.KEEP_PLAYING)
        await scene.wait_until_idle()
        agreed.append((await scene.match()).proposals)
        wants_to_continue = Proposal.CONTINUE
        assert agreed == [(wants_to_continue, wants_to_continue, None), (wants_to_continue, None, None)]
        await scene.press(south, table, Action.CONTINUE)
        answer = await scene.press(east, table, Action.CONTINUE)
        assert f"<#{scene.channel.id}>" in answer.text
        await scene.wait_until_idle()
        match = await scene.match()
        assert (match.is_paused, match.channel_id) == (False, scene.channel.id)
        assert [buttons(table)[0] for table in scene.tables] == [Action.SHOW_HAND]
        for person in (north, south, east):
            assert (await scene.match()).status is MatchStatus.RUNNING
            panel = (await scene.use(person, "gin resign", scene.channel)).message
            await scene.press(person, panel, Action.CALL_OFF)
        assert (await scene.match()).status is MatchStatus.CANCELLED


@pytest.mark.thorough
async def test_the_seat_of_a_silent_player_can_be_claimed(tmp_path: Path) -> None:
    """After a week without a move, a player's seat can be claimed; if the others then end the match, it is unrated."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        await _begin_match_of_three(scene)
        await scene.advance_until_idle(clock, CLAIM_TIME_WITHOUT_CLOCK)
        panel = (await scene.use(scene.south, "gin resign", scene.channel)).message
        asked = await scene.press(scene.south, panel, Action.CLAIM)
        assert (await scene.match()).vacant_seat == Seat(2)
        await scene.press(scene.south, asked.message, Action.END_INSTEAD)
        match = await scene.match()
        assert (match.status, match.ratings) == (MatchStatus.FINISHED, (None, None, None))
        assert "⁨East⁩ lost on time" in (await scene.wait_for_post(Action.REMATCH)).text


@pytest.mark.thorough
async def test_computers_take_seats_in_a_lobby(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The challenger can add computers by menu or command; the lobby then says that the match is casual."""
    use_local_thinker(monkeypatch)
    async with open_scene(tmp_path) as scene:
        lobby = await _open_lobby(scene, "rotation")
        others = await _more(scene, scene.south, lobby)
        assert Action.COMPUTERS not in buttons(others)
        refused = await click(scene.south, others, Action.COMPUTERS, 1)
        assert isinstance(scene.error(refused), NotForYou)
        asked = await scene.press(scene.north, await _more(scene, scene.north, lobby), Action.COMPUTERS)
        assert not (await scene.challenge()).is_casual
        await scene.choose(scene.north, asked.message, Action.ADD_COMPUTER, "novice")
        row = await scene.challenge()
        assert (row.computers, row.open_places, row.is_casual) == ((Level.NOVICE,), 1, True)
        await scene.ask(scene.north, "lobby computer", level="expert")
        row = await scene.challenge()
        assert (row.computers, row.open_places) == ((Level.NOVICE, Level.EXPERT), 0)
        lobby = await _newest_lobby(scene)
        more = await _more(scene, scene.north, lobby)
        assert CASUAL in more.text
        assert "· casual ·" in lobby.text
        assert buttons(lobby) == [Action.START_LOBBY, Action.CHALLENGE_MORE]
        assert Action.COMPUTERS in buttons(more)
        await scene.press(scene.north, lobby, Action.START_LOBBY)
        await scene.wait_until_idle()
        novice, expert = map(name, computers([Level.NOVICE, Level.EXPERT]))
        assert f"{name(Player(None, 'North'))} vs {novice} vs {expert}" in scene.table.text


@pytest.mark.thorough
async def test_a_full_lobby_names_the_next_step(tmp_path: Path) -> None:
    """A refusal to add a player to a full lobby names the next step. *Start* is shown only if the match can start."""
    async with open_scene(tmp_path) as scene:

        async def check_full_lobby(number: int, *, can_start: bool) -> None:
            """Check the refusal to add a computer to a full lobby, and that *Start* is shown only if `can_start`."""
            reply = await scene.ask(scene.north, "lobby computer")
            await scene.wait_until_idle()
            row = await scene.challenge(number)
            assert reply == refusals.text(NoPlaceLeft(row), person_of(scene.north).id)
            assert (Action.START_LOBBY in buttons(await _newest_lobby(scene)), row.can_start) == (can_start, can_start)

        lobby = await _open_lobby(scene, "rotation", opponent=scene.south, second=scene.east)
        await check_full_lobby(1, can_start=False)
        assert await _refusal_type(scene, scene.north, "lobby invite", player=scene.west) is NoPlaceLeft
        for person in (scene.south, scene.east):
            await scene.press(person, lobby, Action.ACCEPT)
        await check_full_lobby(1, can_start=True)
        await scene.press(scene.north, await _more(scene, scene.north, await _newest_lobby(scene)), Action.WITHDRAW)
        lobby = await _open_lobby(scene, "penalty", opponent=scene.south, second=scene.east)
        await scene.press(scene.west, lobby, Action.ACCEPT)
        await check_full_lobby(2, can_start=True)


@pytest.mark.thorough
async def test_a_casual_challenge_says_so(tmp_path: Path) -> None:
    """The challenge and the result say that the match is casual."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        challenge = await scene.invite(scene.north, scene.south, casual=True, target=10)
        assert "· casual ·" in challenge.text
        assert CASUAL in (await _more(scene, scene.south, challenge)).text
        await scene.press(scene.south, challenge, Action.ACCEPT)
        assert (await scene.match()).kind is MatchKind.CASUAL
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        assert "Casual · " in (await scene.wait_for_post(Action.REMATCH)).text

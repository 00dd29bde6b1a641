"""Lobbies in Discord, from a challenge for three or four players to the first moves."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.engine.moves import Seat
from bot.opponent.levels import Level
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
from bot.values.challenges import ChallengeStatus
from bot.values.clocks import NO_CLOCK_FOR
from bot.values.ids import MatchId
from bot.values.matches import MatchKind, MatchStatus, Proposal
from cogs.kit.actions import Action
from cogs.panels.challenge import CASUAL
from cogs.support.choosing import NO_OWN_TABLE, NO_TABLE_JOINED, OWN_TABLE
from cogs.text import refusals
from tests.cogs.scenes import Scene, buttons, clubhouse, hands, person_of
from tests.helpers.clock import Clock
from tests.helpers.components import MOVES, actions_of, find_button
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.thinkers import think_here


async def _opens(scene: Scene, rules: str, **named: object) -> Message:
    """Have North open a lobby, and return its message."""
    before = scene.posts
    await scene.use(scene.north, "gin challenge", scene.channel, rules=rules, **named)
    return await scene.post(Action.ACCEPT, but=before)


async def _lobby(scene: Scene) -> Message:
    """Wait until all is quiet, and return the newest message of an open lobby."""
    await scene.quiet()
    return await scene.post(Action.CHALLENGE_RULES)


async def _in(scene: Scene) -> list[str | None]:
    """Return the names of the players in the first lobby."""
    return [player.name for player in (await scene.challenge()).players]


async def _refused(scene: Scene, person: Person, command: str, **options: object) -> type[BaseException] | None:
    """Have a person use a `/gin` command in the channel. Return the class of its refusal, or None."""
    return scene.refusal(await scene.use(person, f"gin {command}", scene.channel, **options))


async def test_a_table_starts_with_those_who_have_joined(tmp_path: Path) -> None:
    """One player joins by button, the challenger starts, and both have their hands."""
    async with clubhouse(tmp_path, KNOCK_AT_ONCE) as scene:
        lobby = await _opens(scene, "penalty")
        assert await _refused(scene, scene.north, "lobby start") is NotEnoughPlayers
        joined = (await scene.press(scene.south, lobby, Action.ACCEPT)).message
        assert buttons(joined) == [Action.LEAVE_LOBBY, Action.CHALLENGE_WORDS]
        assert await _in(scene) == ["North", "South"]
        await scene.press(scene.north, await _lobby(scene), Action.START_LOBBY)
        await scene.quiet()
        assert (await scene.challenge()).status is ChallengeStatus.ACCEPTED
        assert [player.name for player in (await scene.match()).players] == ["North", "South"]
        assert [len(hands(person)) for person in (scene.north, scene.south)] == [1, 1]


@pytest.mark.thorough
async def test_three_play_in_rotation(tmp_path: Path) -> None:
    """A named player and another one join, and the challenger starts: two have hands and the dealer sits out."""
    async with clubhouse(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE) as scene:
        lobby = await _opens(scene, "rotation", opponent=scene.south)
        assert scene.south.pushes == [lobby]
        assert ((await scene.challenge()).named_ids, (await scene.challenge()).free) == ({scene.south.id}, 1)
        await scene.press(scene.south, lobby, Action.ACCEPT)
        await scene.press(scene.east, lobby, Action.ACCEPT)
        lobby = await _lobby(scene)
        assert buttons(lobby) == [Action.LEAVE_LOBBY, Action.START_LOBBY, Action.WITHDRAW, Action.CHALLENGE_RULES]
        await scene.press(scene.north, lobby, Action.START_LOBBY)
        await scene.quiet()
        assert [player.name for player in (await scene.match()).players] == ["North", "South", "East"]
        (out,) = scene.south.direct_messages()
        assert buttons(out) == [Action.REFRESH_HAND, Action.GAMES]
        assert out.images == []
        for command in ("draw", "take"):
            assert await _refused(scene, scene.south, command) is NotYourTurn
        await scene.press(scene.east, await scene.turn(scene.east), Action.TAKE)
        await scene.ask(scene.east, "knock", card="Qh")
        await scene.quiet()
        summary = await scene.alive.app.lookup.summary(MatchId(1))
        assert (summary.view.number, summary.view.dealer, summary.view.seats) == (2, Seat(2), (Seat(0), Seat(1)))
        assert "⁨North⁩ **0** – ⁨South⁩ **0** – ⁨East⁩ **58**" in scene.table.text
        await scene.turn(scene.north)
        assert len(hands(scene.south)) == 1


@pytest.mark.thorough
async def test_four_are_partners_on_two_boards(tmp_path: Path) -> None:
    """All join by button, teams can be changed, and each board has its own table, hands and moves."""
    async with clubhouse(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE) as scene:
        north, south, east, west = scene.north, scene.south, scene.east, scene.west
        lobby = await _opens(scene, "partners")
        for person in (south, east, west):
            await scene.press(person, lobby, Action.ACCEPT)
        lobby = await _lobby(scene)

        async def partner() -> str | None:
            return next(
                one.name for team in (await scene.challenge()).teams if team[0].name == "North" for one in team[1:]
            )

        partners = [await partner()]
        await scene.press(north, lobby, Action.CHANGE_TEAMS)
        for _ in range(2):
            partners.append(await partner())
            await scene.ask(north, "lobby teams")
        assert [*partners, await partner()] == ["East", "South", "West", "East"]
        await scene.press(north, await _lobby(scene), Action.START_LOBBY)
        await scene.quiet()
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
            await scene.quiet()
            assert f"**⁨{mover.name}⁩**" in table.text
        first, second = movers
        await scene.ask(first, "knock", card="Qh")
        await scene.quiet()
        waiting = await scene.use(first, "gin hand", scene.channel)
        assert not actions_of(waiting.message) & MOVES
        assert await _refused(scene, first, "draw") is NotYourTurn
        assert (await scene.alive.app.lookup.summary(MatchId(1))).view.number == 1
        await scene.ask(second, "knock", card="Qh")
        await scene.quiet()
        assert (await scene.alive.app.lookup.summary(MatchId(1))).view.number == 2
        assert [Action.SHOW_SCORE in buttons(post) for post in scene.posts[-2:]] == [True, True]


@pytest.mark.thorough
async def test_a_place_at_a_table_is_kept_declined_left_and_taken(tmp_path: Path) -> None:
    """Seats are reserved in the challenge or later; a declined or left seat is open to anyone."""
    async with clubhouse(tmp_path) as scene:
        north, south, east, west = scene.north, scene.south, scene.east, scene.west
        lobby = await _opens(scene, "penalty", opponent=south, second=east)
        assert south.pushes == east.pushes == [lobby]
        # The texts of this feature are in these answers and in `cogs.panels.challenge`.
        assert (await scene.press(south, lobby, Action.DECLINE)).text == "You declined ⁨North⁩'s challenge."
        assert await scene.ask(east, "accept") == "You are in. ⁨North⁩ starts the match."
        assert await scene.ask(north, "lobby invite", player=west) == f"I am keeping a place for <@{west.id}>."
        await scene.sandbox.until(lambda: west.pushes)
        former, lobby = lobby, await _lobby(scene)
        assert former.deleted
        assert west.pushes == [lobby]
        row = await scene.challenge()
        assert (await _in(scene), row.named_ids, row.free) == (["North", "East"], {west.id}, 1)
        assert (await scene.press(east, lobby, Action.LEAVE_LOBBY)).text == "You left ⁨North⁩'s challenge."
        assert await scene.ask(east, "lobby leave") == NO_TABLE_JOINED
        await scene.press(west, await _lobby(scene), Action.ACCEPT)
        again = await scene.press(west, await _lobby(scene), Action.ACCEPT)
        assert isinstance(scene.error(again), AlreadyIn)
        assert await _in(scene) == ["North", "West"]
        await scene.ask(west, "lobby leave")
        chosen = (await scene.press(east, await _lobby(scene), Action.STOP_DMS)).message
        await scene.press(east, chosen, Action.ACCEPT)
        await scene.ask(north, "lobby start")
        await scene.quiet()
        assert [player.name for player in (await scene.match()).players] == ["North", "East"]
        assert (len(hands(north)), len(hands(east))) == (1, 0)


@pytest.mark.thorough
async def test_the_challenger_is_called_once_the_match_can_start(tmp_path: Path) -> None:
    """A full lobby is posted again and pings the challenger, but not each time a player leaves and joins again."""
    async with clubhouse(tmp_path) as scene:
        north, south, east = scene.north, scene.south, scene.east
        lobby = await _opens(scene, "rotation", opponent=south, second=east)
        await scene.press(south, lobby, Action.ACCEPT)
        await scene.quiet()
        assert north.pushes == []
        for times in (1, 2, 2):
            await scene.press(east, await _lobby(scene), Action.ACCEPT)
            full = await _lobby(scene)
            assert Action.ACCEPT not in buttons(full)
            assert len(north.pushes) == times
            await scene.press(east, full, Action.LEAVE_LOBBY)
        assert north.pushes[0].deleted
        assert len(south.pushes) == len(east.pushes) == 1


@pytest.mark.thorough
async def test_a_table_is_the_challengers_own(tmp_path: Path) -> None:
    """Other people can neither start nor change a lobby, and the refusal names their options."""
    async with clubhouse(tmp_path) as scene:
        north, south, east, west = scene.north, scene.south, scene.east, scene.west
        lobby = await _opens(scene, "rotation")
        assert isinstance(scene.error(await scene.press(north, lobby, Action.ACCEPT)), NotForYou)
        assert await scene.ask(north, "lobby leave") == OWN_TABLE
        for person in (south, east):
            await scene.press(person, lobby, Action.ACCEPT)
        lobby = await _lobby(scene)
        for person, action in (
            (west, Action.LEAVE_LOBBY),
            (south, Action.START_LOBBY),
            (south, Action.WITHDRAW),
            (north, Action.LEAVE_LOBBY),
        ):
            assert isinstance(scene.error(await scene.press(person, lobby, action)), NotForYou)
        assert await _refused(scene, north, "lobby teams") is NoTeams
        for person, reason in ((west, NoPlaceLeft), (south, AlreadyIn), (north, NotWithYourself)):
            assert await _refused(scene, north, "lobby invite", player=person) is reason
        assert await scene.ask(west, "lobby start") == NO_OWN_TABLE
        assert await scene.ask(west, "lobby teams") == NO_OWN_TABLE
        assert await scene.ask(west, "lobby invite", player=south) == NO_OWN_TABLE
        assert await scene.ask(west, "lobby leave") == NO_TABLE_JOINED
        start = find_button(lobby, Action.START_LOBBY)
        assert start is not None
        await scene.ask(north, "withdraw")
        await scene.quiet()
        row = await scene.challenge()
        assert row.status is ChallengeStatus.WITHDRAWN
        assert buttons(lobby) == []
        late = await scene.press_late(south, lobby, start)
        assert late.text == refusals.text(ChallengeClosed(row), person_of(south).id)


async def test_of_two_who_take_the_last_place_one_gets_it(tmp_path: Path) -> None:
    """If two people join simultaneously, one gets the seat and the other reads that none is left."""
    async with clubhouse(tmp_path) as scene:
        lobby = await _opens(scene, "rotation", opponent=scene.south)
        await scene.press(scene.south, lobby, Action.ACCEPT)
        join = find_button(lobby, Action.ACCEPT)
        assert join is not None
        made = [await person.press(lobby, join) for person in (scene.east, scene.west)]
        errors = [scene.error(one) for one in await asyncio.gather(*(one.done() for one in made))]
        assert {type(error) for error in errors} == {type(None), NoPlaceLeft}
        assert ((await scene.challenge()).free, len(await _in(scene))) == (0, 3)


async def test_more_may_not_be_named_than_there_are_places(tmp_path: Path) -> None:
    """Too many named people, or a wrong number of players, are refused, and nothing is posted."""
    async with clubhouse(tmp_path) as scene:
        named = {"opponent": scene.south, "second": scene.east, "third": scene.west}
        assert await _refused(scene, scene.north, "challenge", players=3) is WrongNumber
        for rules in ("classic", "rotation"):
            assert await _refused(scene, scene.north, "challenge", **named, rules=rules) is TooManyNamed
        await scene.quiet()
        assert scene.posts == []


@pytest.mark.nightly
async def test_a_table_in_a_busy_channel_starts_in_a_thread(tmp_path: Path) -> None:
    """A channel's second lobby is played in a thread on its message."""
    async with clubhouse(tmp_path) as scene:
        for _ in range(2):
            lobby = await _opens(scene, "penalty")
            await scene.press(scene.south, lobby, Action.ACCEPT)
            await scene.press(scene.north, await _lobby(scene), Action.START_LOBBY)
            await scene.quiet()
        thread = scene.sandbox.channel("North vs South, match 2")
        assert [(await scene.match(number)).channel_id for number in (1, 2)] == [scene.channel.id, thread.id]
        assert Action.SHOW_SCORE in buttons(scene.posts_in(thread)[0])


async def _three_sit_down(scene: Scene) -> None:
    lobby = await _opens(scene, "rotation")
    for person in (scene.south, scene.east):
        await scene.press(person, lobby, Action.ACCEPT)
    await scene.press(scene.north, await _lobby(scene), Action.START_LOBBY)
    await scene.quiet()


@pytest.mark.nightly
async def test_someone_who_resigns_among_three_ends_the_match(tmp_path: Path) -> None:
    """A resignation asks for confirmation; the other players get no rated result."""
    async with clubhouse(tmp_path) as scene:
        await _three_sit_down(scene)
        asked = await scene.use(scene.south, "gin resign", scene.channel)
        await scene.press(scene.south, asked.message, Action.RESIGN)
        end = await scene.post(Action.REMATCH)
        await scene.quiet()
        match = await scene.match()
        assert (match.status, match.ratings) == (MatchStatus.FINISHED, (None, None, None))
        assert "⁨South⁩ resigned" in end.text
        assert Action.REMATCH in buttons(scene.north.direct_messages()[-1])
        for person, begun in ((scene.south, False), (scene.north, False), (scene.east, True)):
            await scene.press(person, end, Action.REMATCH)
            assert (await scene.match()).has_rematch == begun


@pytest.mark.thorough
async def test_three_pause_continue_and_call_off_a_match_together(tmp_path: Path) -> None:
    """All three must agree. An agreement can be withdrawn, and the last answer links to the thread."""
    async with clubhouse(tmp_path) as scene:
        await _three_sit_down(scene)
        north, south, east = scene.north, scene.south, scene.east
        for person in (north, south, east):
            assert not (await scene.match()).paused
            panel = (await scene.use(person, "gin resign", scene.channel)).message
            await scene.press(person, panel, Action.PAUSE)
        assert (await scene.match()).paused
        await scene.quiet()
        table = scene.table
        for person in (north, south):
            asked = await scene.press(person, table, Action.CONTINUE)
        agreed = [(await scene.match()).proposals]
        await scene.press(south, asked.message, Action.KEEP_PLAYING)
        await scene.quiet()
        agreed.append((await scene.match()).proposals)
        to_go_on = Proposal.CONTINUE
        assert agreed == [(to_go_on, to_go_on, None), (to_go_on, None, None)]
        await scene.press(south, table, Action.CONTINUE)
        going_on = await scene.press(east, table, Action.CONTINUE)
        thread = next(one for one in east.channels() if one.thread is not None)
        assert f"<#{thread.id}>" in going_on.text
        await scene.quiet()
        assert not (await scene.match()).paused
        assert [buttons(one)[0] for one in scene.posts_in(thread)] == [Action.SHOW_HAND]
        for person in (north, south, east):
            assert (await scene.match()).status is MatchStatus.RUNNING
            panel = (await scene.use(person, "gin resign", thread)).message
            await scene.press(person, panel, Action.CALL_OFF)
        assert (await scene.match()).status is MatchStatus.CANCELLED


@pytest.mark.thorough
async def test_a_silent_one_of_three_can_be_left(tmp_path: Path) -> None:
    """After a week without a move the seat can be claimed; if the others end the match, they have no rated result."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        await _three_sit_down(scene)
        await scene.later(clock, NO_CLOCK_FOR)
        panel = (await scene.use(scene.south, "gin resign", scene.channel)).message
        asked = await scene.press(scene.south, panel, Action.CLAIM)
        assert (await scene.match()).vacant_seat == Seat(2)
        await scene.press(scene.south, asked.message, Action.END_INSTEAD)
        match = await scene.match()
        assert (match.status, match.ratings) == (MatchStatus.FINISHED, (None, None, None))
        assert "⁨East⁩ lost on time" in (await scene.post(Action.REMATCH)).text


@pytest.mark.thorough
async def test_computers_take_places_at_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The challenger adds computers by menu or command; the lobby shows them, and the match becomes casual."""
    think_here(monkeypatch)
    async with clubhouse(tmp_path) as scene:
        lobby = await _opens(scene, "rotation")
        refused = await scene.press(scene.south, lobby, Action.COMPUTERS)
        assert isinstance(scene.error(refused), NotForYou)
        asked = await scene.press(scene.north, lobby, Action.COMPUTERS)
        assert not (await scene.challenge()).is_casual
        await scene.choose(scene.north, asked.message, Action.ADD_COMPUTER, "novice")
        row = await scene.challenge()
        assert (row.computers, row.free, row.is_casual) == ((Level.NOVICE,), 1, True)
        await scene.ask(scene.north, "lobby computer", level="expert")
        row = await scene.challenge()
        assert (row.computers, row.free) == ((Level.NOVICE, Level.EXPERT), 0)
        lobby = await _lobby(scene)
        assert CASUAL in lobby.text
        assert buttons(lobby) == [Action.START_LOBBY, Action.COMPUTERS, Action.WITHDRAW, Action.CHALLENGE_RULES]
        await scene.press(scene.north, lobby, Action.START_LOBBY)
        await scene.quiet()
        assert "⁨North⁩ vs ⁨Computer 1⁩ vs ⁨Computer 2⁩" in scene.table.text


@pytest.mark.thorough
async def test_the_owner_of_a_full_table_reads_what_to_do(tmp_path: Path) -> None:
    """The refusal names the reserved seats and says if *Start* can begin without them."""
    async with clubhouse(tmp_path) as scene:

        async def full(number: int, *, can_start: bool) -> None:
            """Check the answer to the owner, and that *Start* is shown if the match can start."""
            told = await scene.ask(scene.north, "lobby computer")
            await scene.quiet()
            row = await scene.challenge(number)
            assert told == refusals.text(NoPlaceLeft(row), person_of(scene.north).id)
            assert (Action.START_LOBBY in buttons(await _lobby(scene)), row.can_start) == (can_start, can_start)

        lobby = await _opens(scene, "rotation", opponent=scene.south, second=scene.east)
        await full(1, can_start=False)
        assert await _refused(scene, scene.north, "lobby invite", player=scene.west) is NoPlaceLeft
        for person in (scene.south, scene.east):
            await scene.press(person, lobby, Action.ACCEPT)
        await full(1, can_start=True)
        await scene.press(scene.north, await _lobby(scene), Action.WITHDRAW)
        lobby = await _opens(scene, "penalty", opponent=scene.south, second=scene.east)
        await scene.press(scene.west, lobby, Action.ACCEPT)
        await full(2, can_start=True)


@pytest.mark.thorough
async def test_a_challenge_says_that_it_is_casual(tmp_path: Path) -> None:
    """The challenge and the result say that the match is casual."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        challenge = await scene.invite(scene.north, scene.south, casual=True, target=10)
        assert CASUAL in challenge.text
        await scene.press(scene.south, challenge, Action.ACCEPT)
        assert (await scene.match()).kind is MatchKind.CASUAL
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        assert "Casual · " in (await scene.post(Action.REMATCH)).text

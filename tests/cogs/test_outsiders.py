"""People who may not see a match or challenge learn nothing about it and cannot change it, whatever they send.

The outsiders are not on the server, cannot see the channel, cannot connect to the voice channel, or are not in the
private thread. They try every button and menu about everything that exists, and every command and completion. So does
a spectator, who sees the match but does not play.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Final

import pytest

from bot.play.refusals import NoChallenge, NoMatch, NotSeated
from bot.sandbox import Channel, Interaction, Message, Permission, Person, World, member_overwrite
from bot.values.guilds import Place
from bot.values.ids import ChallengeId, ChannelId, GuildId, MatchId
from bot.values.people import Person as Player
from cogs.features.turns import WITHOUT_CARD
from cogs.kit.actions import Action
from cogs.text.refusals import BROKEN
from cogs.text.refusals import text as refusal_text
from tests.cogs.scenes import Scene, clubhouse, person_of
from tests.helpers.cases import nightly_after
from tests.helpers.components import MOVES, QUESTIONS, actions_of
from tests.helpers.forgery import Command, Sweep, click, commands_of, invoke
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import Players, interaction
from tests.helpers.worlds import stopped_world

RULES: Final = "hollywood target=777"
SECRETS: Final = ("North", "South", "hollywood", "to 777", "target=777", "back-room", "whispers", "lounge")
"""Texts that answers to outsiders must not contain. Outsiders could learn these names only from the bot."""

VALUES: Final[dict[str, object]] = {
    "card": "Kd",
    "cards": "all",
    "melds": "",
    "rules": "classic",
    "name": "Ours",
    "deal": "1",
    "period": "all",
    "order": "wins",
    "zone": "Europe/Berlin",
    "target": 50,
    "level": "novice",
    "casual": True,
    "players": 2,
    "options": False,
    "clock": "2d",
    "days": 1,
    "time_zone": "Europe/Paris",
    "quiet_from": "22:00",
    "quiet_to": "8:00",
    "words": "three blue boats",
    "text": "three blue boats",
    "everywhere": True,
}
"""A value for each command option that does not take a person. Add one here for each new option."""


OF_ONES_OWN: Final = (Action.LESSON, Action.PRACTISE)
"""Actions that show a hand to anybody: the lesson's, which is not secret, or one of their own practice match."""


HAND: Final = MOVES | QUESTIONS | {Action.REFRESH_HAND}
"""Every hand in a match has at least one of these actions."""

ONE_OF_EACH_KIND: Final = (
    *(Action.SHOW_HAND, Action.SHOW_SCORE, Action.DRAW, Action.RESIGN, Action.REPOST_TABLE),
    *(Action.ACCEPT, Action.CHALLENGE_RULES, Action.WITHDRAW, Action.REPLAY, Action.MATCH_RECORD),
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """The ids of the matches and challenges in a hidden channel."""

    matches: tuple[MatchId, ...]
    challenges: tuple[ChallengeId, ...]

    def rows(self, database: Path) -> dict[str, list[Any]]:
        """Return all database rows about them, by table."""
        matches, challenges = (",".join(map(str, ids)) for ids in (self.matches, self.challenges))
        wanted = {
            **dict.fromkeys(("seat", "action", "deal"), f"match_id IN ({matches})"),
            "match": f"id IN ({matches})",
            "challenge": f"id IN ({challenges})",
            "guest": f"challenge_id IN ({challenges})",
            "outbox_message": f"subject_id IN ({matches}) AND kind != 'challenge'",
        }
        with closing(sqlite3.connect(database)) as connection:
            return {
                table: connection.execute(f'SELECT * FROM "{table}" WHERE {condition}').fetchall()
                for table, condition in wanted.items()
            }


@dataclass(frozen=True, slots=True)
class Outsider:
    """A person who may not see something, the channel they are in, and a message of the bot that they see."""

    person: Person
    channel: Channel
    message: Message


def world() -> World:
    """Return a world with rooms that only North and South can see, and with a person who is not a member."""
    made = stopped_world()
    people = {user.display_name: user for user in made.users.values()}
    guild = next(iter(made.guilds.values()))
    insiders = (made.bot, people["North"], people["South"])
    shut = [member_overwrite(people[name], deny=Permission.VIEW_CHANNEL) for name in ("East", "West")]
    open_to = [member_overwrite(user, allow=Permission.VIEW_CHANNEL) for user in insiders]
    made.add_channel(guild, "back-room", overwrites=[*shut, *open_to])
    games = next(channel for channel in made.channels.values() if channel.name == "games")
    made.add_thread(games, "whispers", people["North"], private=True, members=insiders)
    unconnected = [member_overwrite(people[name], deny=Permission.CONNECT) for name in ("East", "West")]
    made.add_channel(guild, "lounge", overwrites=unconnected, voice=True)
    made.add_user("Stranger")
    return made


async def fill(scene: Scene, channel: Channel) -> Hidden:
    """Have North and South create a finished match, a running one, and each kind of challenge in a channel."""
    north, south = person_of(scene.north), person_of(scene.south)
    east = Player(person_of(scene.east).id, "East")
    app, players = scene.alive.app, Players(scene.alive.app, (north, south))
    assert channel.guild is not None
    place = Place(GuildId(channel.guild.id), ChannelId(channel.id))
    over = await players.begin(RULES, place.channel_id, place.guild_id)
    await players.win(over.id)
    await app.endings.resign(south.id, over.id, interaction())
    running = await players.begin(RULES, place.channel_id, place.guild_id)
    await players.win(running.id)
    issue = app.challenges.issue
    open_to_all = await issue(north, [], place, interaction(), rules=RULES)
    named = await issue(north, [south.id], place, interaction(), rules=RULES)
    # The named person may no longer be able to see the channel.
    to_outsider = await issue(north, [east.id], place, interaction(), rules=RULES)
    lobby = await issue(north, [], place, interaction(), rules="partners target=777")
    await app.challenges.accept(south, lobby.id)
    draft = await issue(north, [], place, interaction(), rules=RULES, draft=True)
    # Otherwise this would run in the background later and change the match.
    await app.luck_counting.count_some()
    await scene.quiet()
    if channel.thread is not None:
        # The mention added them to the thread.
        scene.sandbox.moderation.remove_from_thread(channel, scene.east.user)
    challenges = (open_to_all, named, to_outsider, lobby, draft)
    return Hidden((over.id, running.id), tuple(challenge.id for challenge in challenges))


@asynccontextmanager
async def meeting(tmp_path: Path, where: str) -> AsyncGenerator[tuple[Scene, Hidden]]:
    """Run the bot, with matches and challenges in a channel."""
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 4, world=world()) as scene:
        yield scene, await fill(scene, scene.sandbox.channel(where))


async def outsider(scene: Scene, name: str, channel: Channel | None) -> Outsider:
    """Return a person, a channel or their direct messages, and a message of the bot that is visible there."""
    person = scene.alive.person(name)
    place = channel or person.dm
    return Outsider(person, place, (await scene.use(person, "gin help", place)).message)


def values_for(scene: Scene, command: Command) -> dict[str, object]:
    """Return a value for each option of a command."""
    people = {
        "opponent": scene.east,
        "second": scene.west,
        "third": scene.west,
        "player": scene.west,
        "person": scene.west,
    }
    return {one.display_name: (VALUES | people)[one.display_name] for one in command.parameters}


def told(made: Interaction) -> str:
    """Return everything in an answer: its text, menus and completions."""
    return json.dumps([[message.components for message in made.messages], made.text, made.choices], default=str)


def public_messages(scene: Scene) -> dict[int, list[int]]:
    """Return the ids of the public messages in each channel of the server."""
    channels = [channel for channel in scene.sandbox.world.channels.values() if channel.guild is not None]
    return {one.id: [message.id for message in one.messages.values() if not message.ephemeral] for one in channels}


def shows_a_hand(made: Interaction) -> bool:
    """Return True if an answer shows a hand in a match. Each hand has at least one of the actions in `HAND`."""
    return any(actions_of(message) & HAND for message in made.messages)


OUTSIDERS: Final = (
    pytest.param("games", "Stranger", None, id="of the server", marks=pytest.mark.nightly),
    pytest.param("back-room", "East", "games", id="of the channel", marks=pytest.mark.nightly),
    pytest.param("lounge", "East", "games", id="of the voice channel", marks=pytest.mark.nightly),
    pytest.param("whispers", "East", "games", id="of the private thread"),
    pytest.param("whispers", "East", None, id="of the private thread, by direct message", marks=pytest.mark.nightly),
)
"""The channel of the match, the outsider, and the outsider's channel. `test_access.py` tests what each may see."""


async def test_somebody_who_does_not_see_a_channel_reaches_nothing_there(tmp_path: Path) -> None:
    """One button of each kind reveals and changes nothing."""
    async with clubhouse(tmp_path, GIN_AT_ONCE, world=world()) as scene:
        channel = scene.sandbox.channel("back-room")
        assert channel.guild is not None
        place = Place(GuildId(channel.guild.id), ChannelId(channel.id))
        players = Players(scene.alive.app, (person_of(scene.north), person_of(scene.south)))
        match = await players.begin(RULES, place.channel_id, place.guild_id)
        open_to_all = await scene.alive.app.challenges.issue(players.people[0], [], place, interaction(), rules=RULES)
        await scene.quiet()
        who, hidden = await outsider(scene, "East", scene.channel), Hidden((match.id,), (open_to_all.id,))
        before, posts = hidden.rows(tmp_path / "deadwood.db"), public_messages(scene)
        unknown = {refusal_text(one, person_of(who.person).id) for one in (NoMatch(here=False), NoChallenge())}
        sweep = Sweep(who.person, who.message, hidden.matches, hidden.challenges)
        for action in ONE_OF_EACH_KIND:
            async for made in sweep.uses(action):
                assert made.text in unknown, action
                assert [secret for secret in SECRETS if secret in told(made)] == [], (action, made.text)
        await scene.quiet()
        assert hidden.rows(tmp_path / "deadwood.db") == before
        assert public_messages(scene) == posts


@pytest.mark.thorough
@pytest.mark.parametrize(("where", "name", "place"), OUTSIDERS)
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.nightly)])
async def test_no_button_reaches_what_somebody_cannot_see(
    tmp_path: Path, where: str, name: str, place: str | None, every: bool
) -> None:
    """Every action about a hidden match or challenge reveals and changes nothing. Nightly, all of them are tried."""
    async with meeting(tmp_path, where) as (scene, hidden):
        who = await outsider(scene, name, None if place is None else scene.sandbox.channel(place))
        await scene.alive.app.leaderboards.reset(GuildId(next(iter(scene.sandbox.world.guilds))))
        before, posts = hidden.rows(tmp_path / "deadwood.db"), public_messages(scene)
        matches, challenges = cycle(hidden.matches), cycle(hidden.challenges)

        async def try_out(action: Action) -> None:
            tried = (hidden.matches, hidden.challenges) if every else ([next(matches)], [next(challenges)])
            sweep = Sweep(who.person, who.message, *tried, both=every)
            async for made in sweep.uses(action):
                assert not made.failed
                assert BROKEN not in made.text
                assert [secret for secret in SECRETS if secret in told(made)] == [], (action, made.text)

        for action in Action:
            if action is not Action.FORGET_NOW:
                await try_out(action)
        await scene.quiet()
        assert hidden.rows(tmp_path / "deadwood.db") == before
        assert public_messages(scene) == posts
        # Being forgotten deletes the person's name from challenges too, which is allowed.
        await try_out(Action.FORGET_NOW)


@pytest.mark.thorough
@pytest.mark.parametrize(("where", "name", "place"), OUTSIDERS)
async def test_no_command_reaches_what_somebody_cannot_see(
    tmp_path: Path, where: str, name: str, place: str | None
) -> None:
    """Every command and completion, used by an outsider, reveals and changes nothing that is hidden."""
    async with meeting(tmp_path, where) as (scene, hidden):
        person = scene.alive.person(name)
        channel = person.dm if place is None else scene.sandbox.channel(place)
        await scene.alive.app.leaderboards.reset(GuildId(next(iter(scene.sandbox.world.guilds))))
        before = hidden.rows(tmp_path / "deadwood.db")
        for command in commands_of(scene.alive):
            values = values_for(scene, command)
            if channel.guild is None:
                # Discord allows user options only on servers.
                values = {option: value for option, value in values.items() if not isinstance(value, Person)}
            typed = [None, *(one.display_name for one in command.parameters if one.autocomplete)]
            for option in typed:
                given = values if option is None else values | {option: ""}
                one = await invoke(scene.alive, person, channel, command, given, focused=option)
                assert not one.failed
                # The name of a public ruleset is not secret.
                found = {secret for secret in SECRETS if secret in told(one)} - {"hollywood"}
                assert found == set(), (command.qualified_name, one.text)
        await scene.quiet()
        assert hidden.rows(tmp_path / "deadwood.db") == before


@pytest.mark.thorough
@pytest.mark.parametrize("where", nightly_after(1, ["whispers", "games", "back-room", "lounge"]))
async def test_players_reach_their_matches_from_anywhere(tmp_path: Path, where: str) -> None:
    """A player who makes the same clicks in direct messages gets the score, the rules, a replay and the hand."""
    async with meeting(tmp_path, where) as (scene, hidden):
        who = await outsider(scene, "South", None)
        for action, shows in (
            (Action.SHOW_SCORE, "North"),
            (Action.SHOW_RULES, "777"),
            (Action.REPLAY, "North"),
            (Action.CHALLENGE_RULES, "777"),
        ):
            subject = hidden.challenges[0] if action is Action.CHALLENGE_RULES else hidden.matches[-1]
            assert shows in (await click(who.person, who.message, action, subject)).text, action
        assert shows_a_hand(await click(who.person, who.message, Action.SHOW_HAND, hidden.matches[-1]))


@pytest.mark.thorough
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.nightly)])
async def test_who_does_not_play_sees_the_table_and_nobodys_hand(tmp_path: Path, every: bool) -> None:
    """A spectator may see scores, rules and replays, but never a hand, and can neither move nor end the match.

    This holds for every action, command and completion. By default only the running match is tried; nightly, all are.
    """
    async with meeting(tmp_path, "games") as (scene, hidden):
        who = await outsider(scene, "West", scene.channel)
        seats = {table: hidden.rows(tmp_path / "deadwood.db")[table] for table in ("seat", "action", "deal")}
        looks = {Action.SHOW_SCORE, Action.SHOW_RULES, Action.REPLAY, Action.REPOST_TABLE, Action.SHOW_REPLAY_TO_ALL}
        sweep = Sweep(who.person, who.message, hidden.matches if every else hidden.matches[-1:], both=every)
        for action in (one for one in Action if one not in OF_ONES_OWN):
            async for made in sweep.uses(action):
                assert BROKEN not in made.text
                assert not shows_a_hand(made), action
                if action in looks or action in WITHOUT_CARD:
                    assert isinstance(scene.error(made), NotSeated) == (action in WITHOUT_CARD), action
        for command in commands_of(scene.alive):
            if command.qualified_name in ("gin practice start", "gin practice learn"):
                # After these commands they have a hand of their own.
                continue
            values = values_for(scene, command)
            for option in (None, *(one.display_name for one in command.parameters if one.autocomplete)):
                given = values if option is None else values | {option: ""}
                made = await invoke(scene.alive, scene.west, scene.channel, command, given, focused=option)
                assert not made.failed
                assert BROKEN not in made.text
                assert not shows_a_hand(made), command.qualified_name
        await scene.quiet()
        after = hidden.rows(tmp_path / "deadwood.db")
        assert {table: after[table] for table in seats} == seats

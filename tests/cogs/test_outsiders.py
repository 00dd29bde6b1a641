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

from bot.model.guilds import Place
from bot.model.ids import ChallengeId, ChannelId, GuildId, MatchId
from bot.model.people import Person as Player
from bot.play.refusals import NoChallenge, NoMatch, NotSeated
from bot.sandbox import Channel, Interaction, Message, Permission, Person, World, member_overwrite
from cogs.actions import Action
from cogs.delivery.refusals import FAULT
from cogs.refusals import text as refusal_text
from cogs.turns.turns import MOVES_WITHOUT_CARD
from tests.cogs.scenes import Scene, open_scene, person_of
from tests.helpers.cases import nightly_after
from tests.helpers.components import MOVES, QUESTIONS, actions_of
from tests.helpers.forgery import Command, Sweep, click, commands_of, invoke
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import Players, interaction
from tests.helpers.worlds import stopped_world

RULES: Final = "blitz target=777"
SECRETS: Final = ("North", "South", "blitz", "to 777", "target=777", "back-room", "whispers", "lounge")
"""Texts that answers to outsiders must not contain, because outsiders could learn them only from the bot."""

OPTION_VALUES: Final[dict[str, object]] = {
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


OWN_HAND_ACTIONS: Final = (Action.LESSON, Action.PRACTISE, Action.START_DAILY)
"""Actions that show people their own hand: in the lesson, or in a practice match."""


HAND_ACTIONS: Final = MOVES | QUESTIONS | {Action.REFRESH_HAND, Action.NEXT_DEAL}
"""Actions of the buttons in hands: every hand in a match, or showdown in its place, has at least one of them."""

SAMPLE_ACTIONS: Final = (
    *(Action.SHOW_HAND, Action.SHOW_SCORE, Action.DRAW, Action.RESIGN, Action.REPOST_TABLE),
    *(Action.ACCEPT, Action.CHALLENGE_RULES, Action.WITHDRAW, Action.REPLAY, Action.MATCH_RECORD),
    *(Action.SHOWDOWN_DETAILS, Action.CHALLENGE_MORE),
)


@dataclass(frozen=True, slots=True)
class HiddenRecords:
    """The ids of the matches and challenges in a hidden channel."""

    matches: tuple[MatchId, ...]
    challenges: tuple[ChallengeId, ...]

    def rows(self, database: Path) -> dict[str, list[Any]]:
        """Return all database rows about these matches and challenges, by table."""
        matches, challenges = (",".join(map(str, ids)) for ids in (self.matches, self.challenges))
        conditions = {
            **dict.fromkeys(("seat", "action", "deal"), f"match_id IN ({matches})"),
            "match": f"id IN ({matches})",
            "challenge": f"id IN ({challenges})",
            "guest": f"challenge_id IN ({challenges})",
            "outbox_message": f"subject_id IN ({matches}) AND kind != 'challenge'",
        }
        with closing(sqlite3.connect(database)) as connection:
            return {
                table: connection.execute(f'SELECT * FROM "{table}" WHERE {condition}').fetchall()
                for table, condition in conditions.items()
            }


@dataclass(frozen=True, slots=True)
class Outsider:
    """A person who must not see a match. The person uses `channel`, and sees a message of the bot there."""

    person: Person
    channel: Channel
    message: Message


def world_with_hidden_rooms() -> World:
    """Return a world with rooms that only North and South can see, and with a person who is not a member."""
    new_world = stopped_world()
    people = {user.display_name: user for user in new_world.users.values()}
    guild = next(iter(new_world.guilds.values()))
    insiders = (new_world.bot, people["North"], people["South"])
    hidden_from = [member_overwrite(people[name], deny=Permission.VIEW_CHANNEL) for name in ("East", "West")]
    visible_to = [member_overwrite(user, allow=Permission.VIEW_CHANNEL) for user in insiders]
    new_world.add_channel(guild, "back-room", overwrites=[*hidden_from, *visible_to])
    games = next(channel for channel in new_world.channels.values() if channel.name == "games")
    new_world.add_thread(games, "whispers", people["North"], private=True, members=insiders)
    cannot_connect = [member_overwrite(people[name], deny=Permission.CONNECT) for name in ("East", "West")]
    new_world.add_channel(guild, "lounge", overwrites=cannot_connect, voice=True)
    new_world.add_user("Stranger")
    return new_world


async def create_matches_and_challenges(scene: Scene, channel: Channel) -> HiddenRecords:
    """Have North and South create a finished match, a running one, and each kind of challenge in a channel."""
    north, south = person_of(scene.north), person_of(scene.south)
    east = Player(person_of(scene.east).id, "East")
    app, players = scene.bot.app, Players(scene.bot.app, (north, south))
    assert channel.guild is not None
    place = Place(GuildId(channel.guild.id), ChannelId(channel.id))
    finished = await players.begin(RULES, place.channel_id, place.guild_id)
    await players.win(finished.id)
    await app.endings.resign(south.id, finished.id, interaction())
    running = await players.begin(RULES, place.channel_id, place.guild_id)
    await players.win(running.id)
    issue = app.challenges.issue
    open_to_all = await issue(north, [], place, interaction(), rules=RULES)
    named = await issue(north, [south.id], place, interaction(), rules=RULES)
    # One challenge names East, who cannot see the channel (any more).
    to_outsider = await issue(north, [east.id], place, interaction(), rules=RULES)
    lobby = await issue(north, [], place, interaction(), rules="partners target=777")
    await app.challenges.accept(south, lobby.id)
    draft = await issue(north, [], place, interaction(), rules=RULES, draft=True)
    # Compute the luck now: the bot would do it later in the background, and so change the match's rows.
    await app.luck_counting.count_some()
    await scene.wait_until_idle()
    if channel.thread is not None:
        # The mention in the challenge added East to the thread.
        scene.sandbox.moderation.remove_from_thread(channel, scene.east.user)
    challenges = (open_to_all, named, to_outsider, lobby, draft)
    return HiddenRecords((finished.id, running.id), tuple(challenge.id for challenge in challenges))


@asynccontextmanager
async def scene_with_hidden_matches(tmp_path: Path, where: str) -> AsyncGenerator[tuple[Scene, HiddenRecords]]:
    """Run the bot with matches and challenges in the channel named `where`. Yield the scene and their ids."""
    async with open_scene(tmp_path, *[IMMEDIATE_GIN] * 4, world=world_with_hidden_rooms()) as scene:
        yield scene, await create_matches_and_challenges(scene, scene.sandbox.channel(where))


async def outsider(scene: Scene, name: str, channel: Channel | None) -> Outsider:
    """Have a person use `/gin help` in a channel (None: by direct message). Return an `Outsider` with the answer."""
    person = scene.bot.person(name)
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
    return {
        parameter.display_name: (OPTION_VALUES | people)[parameter.display_name] for parameter in command.parameters
    }


def everything_in(answer: Interaction) -> str:
    """Return everything in an answer: its text, menus and completions."""
    return json.dumps([[message.components for message in answer.messages], answer.text, answer.choices], default=str)


def public_messages(scene: Scene) -> dict[int, list[int]]:
    """Return the ids of the public messages in each channel of the server."""
    channels = [channel for channel in scene.sandbox.world.channels.values() if channel.guild is not None]
    return {
        channel.id: [message.id for message in channel.messages.values() if not message.ephemeral]
        for channel in channels
    }


def shows_a_hand(answer: Interaction) -> bool:
    """Return True if an answer shows a hand in a match. Each hand has at least one of `HAND_ACTIONS`."""
    return any(actions_of(message) & HAND_ACTIONS for message in answer.messages)


OUTSIDERS: Final = (
    pytest.param("games", "Stranger", None, id="of the server", marks=pytest.mark.nightly),
    pytest.param("back-room", "East", "games", id="of the channel", marks=pytest.mark.nightly),
    pytest.param("lounge", "East", "games", id="of the voice channel", marks=pytest.mark.nightly),
    pytest.param("whispers", "East", "games", id="of the private thread"),
    pytest.param("whispers", "East", None, id="of the private thread, by direct message", marks=pytest.mark.nightly),
)
"""Cases: the match's channel, the outsider, and the channel that the outsider uses, or None for direct messages."""


async def test_hidden_channels_reveal_nothing(tmp_path: Path) -> None:
    """If a person who cannot see the channel uses one button of each kind, nothing is revealed or changed."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, world=world_with_hidden_rooms()) as scene:
        channel = scene.sandbox.channel("back-room")
        assert channel.guild is not None
        place = Place(GuildId(channel.guild.id), ChannelId(channel.id))
        players = Players(scene.bot.app, (person_of(scene.north), person_of(scene.south)))
        match = await players.begin(RULES, place.channel_id, place.guild_id)
        open_to_all = await scene.bot.app.challenges.issue(players.people[0], [], place, interaction(), rules=RULES)
        await scene.wait_until_idle()
        east, hidden = await outsider(scene, "East", scene.channel), HiddenRecords((match.id,), (open_to_all.id,))
        before, posts = hidden.rows(tmp_path / "deadwood.db"), public_messages(scene)
        unknown = {
            refusal_text(reason, person_of(east.person).id) for reason in (NoMatch(in_channel=False), NoChallenge())
        }
        sweep = Sweep(east.person, east.message, hidden.matches, hidden.challenges)
        for action in SAMPLE_ACTIONS:
            async for answer in sweep.attempts(action):
                assert answer.text in unknown, action
                assert [secret for secret in SECRETS if secret in everything_in(answer)] == [], (action, answer.text)
        await scene.wait_until_idle()
        assert hidden.rows(tmp_path / "deadwood.db") == before
        assert public_messages(scene) == posts


@pytest.mark.thorough
@pytest.mark.parametrize(("where", "name", "outsiders_channel"), OUTSIDERS)
@pytest.mark.parametrize("all_matches", [False, pytest.param(True, marks=pytest.mark.nightly)])
async def test_no_button_reveals_hidden_matches(
    tmp_path: Path, where: str, name: str, outsiders_channel: str | None, all_matches: bool
) -> None:
    """Actions on hidden matches and challenges reveal and change nothing. Nightly, every combination is tried."""
    async with scene_with_hidden_matches(tmp_path, where) as (scene, hidden):
        intruder = await outsider(
            scene, name, None if outsiders_channel is None else scene.sandbox.channel(outsiders_channel)
        )
        await scene.bot.app.leaderboards.reset(GuildId(next(iter(scene.sandbox.world.guilds))))
        before, posts = hidden.rows(tmp_path / "deadwood.db"), public_messages(scene)
        matches, challenges = cycle(hidden.matches), cycle(hidden.challenges)

        async def try_out(action: Action) -> None:
            tried = (hidden.matches, hidden.challenges) if all_matches else ([next(matches)], [next(challenges)])
            sweep = Sweep(intruder.person, intruder.message, *tried, both=all_matches)
            async for answer in sweep.attempts(action):
                assert not answer.failed
                assert FAULT not in answer.text
                assert [secret for secret in SECRETS if secret in everything_in(answer)] == [], (action, answer.text)

        for action in Action:
            if action is not Action.FORGET_NOW:
                await try_out(action)
        await scene.wait_until_idle()
        assert hidden.rows(tmp_path / "deadwood.db") == before
        assert public_messages(scene) == posts
        # *Forget me* comes last: it may change hidden challenges, because it deletes the person's name from them.
        await try_out(Action.FORGET_NOW)


@pytest.mark.thorough
@pytest.mark.parametrize(("where", "name", "outsiders_channel"), OUTSIDERS)
async def test_no_command_reveals_hidden_matches(
    tmp_path: Path, where: str, name: str, outsiders_channel: str | None
) -> None:
    """Commands and completions that an outsider uses neither reveal nor change anything hidden."""
    async with scene_with_hidden_matches(tmp_path, where) as (scene, hidden):
        person = scene.bot.person(name)
        channel = person.dm if outsiders_channel is None else scene.sandbox.channel(outsiders_channel)
        await scene.bot.app.leaderboards.reset(GuildId(next(iter(scene.sandbox.world.guilds))))
        before = hidden.rows(tmp_path / "deadwood.db")
        for command in commands_of(scene.bot):
            values = values_for(scene, command)
            if channel.guild is None:
                # Leave out the options for people: in direct messages, Discord offers no members of the server.
                values = {option: value for option, value in values.items() if not isinstance(value, Person)}
            typed = [None, *(parameter.display_name for parameter in command.parameters if parameter.autocomplete)]
            for option in typed:
                all_values = values if option is None else values | {option: ""}
                suggested = await invoke(scene.bot, person, channel, command, all_values, focused=option)
                assert not suggested.failed
                # The name of a public ruleset is not secret.
                revealed = {secret for secret in SECRETS if secret in everything_in(suggested)} - {"blitz"}
                assert revealed == set(), (command.qualified_name, suggested.text)
        await scene.wait_until_idle()
        assert hidden.rows(tmp_path / "deadwood.db") == before


@pytest.mark.nightly
@pytest.mark.parametrize("where", nightly_after(1, ["whispers", "games", "back-room", "lounge"]))
async def test_players_reach_their_matches_from_anywhere(tmp_path: Path, where: str) -> None:
    """By clicks in direct messages, where outsiders see nothing, a player gets the score, rules, replay and hand.

    The hand comes after the showdown of the last deal.
    """
    async with scene_with_hidden_matches(tmp_path, where) as (scene, hidden):
        south = await outsider(scene, "South", None)
        for action, shows in (
            (Action.SHOW_SCORE, "North"),
            (Action.SHOW_RULES, "777"),
            (Action.REPLAY, "North"),
            (Action.CHALLENGE_RULES, "777"),
        ):
            subject = hidden.challenges[0] if action is Action.CHALLENGE_RULES else hidden.matches[-1]
            assert shows in (await click(south.person, south.message, action, subject)).text, action
        shown = await click(south.person, south.message, Action.SHOW_HAND, hidden.matches[-1])
        assert shows_a_hand(shown)
        continued = await scene.press(south.person, shown.message, Action.NEXT_DEAL)
        assert actions_of(continued.message) & MOVES


@pytest.mark.nightly
@pytest.mark.parametrize("all_matches", [False, pytest.param(True, marks=pytest.mark.nightly)])
async def test_spectators_see_tables_and_no_hands(tmp_path: Path, all_matches: bool) -> None:
    """A spectator may see scores, rules and replays, but never a hand, and can neither move nor end the match.

    This holds for every action, command and completion. Nightly runs try actions on the finished match, too.
    """
    async with scene_with_hidden_matches(tmp_path, "games") as (scene, hidden):
        spectator = await outsider(scene, "West", scene.channel)
        seats = {table: hidden.rows(tmp_path / "deadwood.db")[table] for table in ("seat", "action", "deal")}
        looks = {Action.SHOW_SCORE, Action.SHOW_RULES, Action.REPLAY, Action.REPOST_TABLE, Action.SHOW_REPLAY_TO_ALL}
        looks |= {Action.SHOWDOWN_DETAILS}
        sweep = Sweep(
            spectator.person,
            spectator.message,
            hidden.matches if all_matches else hidden.matches[-1:],
            both=all_matches,
        )
        for action in (action for action in Action if action not in OWN_HAND_ACTIONS):
            async for answer in sweep.attempts(action):
                assert FAULT not in answer.text
                assert not shows_a_hand(answer), action
                if action in looks or action in MOVES_WITHOUT_CARD:
                    assert isinstance(scene.error(answer), NotSeated) == (action in MOVES_WITHOUT_CARD), action
        for command in commands_of(scene.bot):
            if command.qualified_name in ("gin practice start", "gin practice learn"):
                # Skip these commands, because they give the spectator a hand of their own.
                continue
            values = values_for(scene, command)
            for option in (
                None,
                *(parameter.display_name for parameter in command.parameters if parameter.autocomplete),
            ):
                all_values = values if option is None else values | {option: ""}
                answer = await invoke(scene.bot, scene.west, scene.channel, command, all_values, focused=option)
                assert not answer.failed
                assert FAULT not in answer.text
                assert not shows_a_hand(answer), command.qualified_name
        await scene.wait_until_idle()
        after = hidden.rows(tmp_path / "deadwood.db")
        assert {table: after[table] for table in seats} == seats

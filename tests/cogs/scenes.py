"""What people do and see at a table, said shortly: shared by the tests of the cogs."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.engine.cards import DECK
from bot.engine.match import Forfeit
from bot.play.application import now
from bot.play.refusals import Illegal, Refusal
from bot.sandbox import Button, Channel, Interaction, Message, Person, Sandbox, World
from bot.values.challenges import Challenge
from bot.values.clocks import Clock as TurnClock
from bot.values.ids import ChallengeId, ChannelId, GuildId, MatchId, PersonId
from bot.values.matches import MatchInfo
from bot.values.people import Person as Player
from cardart.text.card_names import ENGLISH
from cogs.kit.actions import Action
from cogs.kit.answers import Interaction as Answered
from cogs.panels.settings import CHANGE
from cogs.support.error_replies import ErrorReplies
from cogs.text.hand import YOUR_HAND, YOUR_TURN
from tests.helpers.clock import Clock
from tests.helpers.components import controls, has_button
from tests.helpers.living import Living, living, start_match
from tests.helpers.players import press
from tests.helpers.shufflers import Deck, RiggedShuffler
from tests.helpers.table import Players, change_settings
from tests.helpers.worlds import stopped_world

_CARDS: Final = frozenset(ENGLISH.short(card) for card in DECK)
TO_DISCARD: Final = {Action.DISCARD, Action.KNOCK, Action.OTHER_KNOCKS}
"""What a hand with which several knocks are possible offers after a card was drawn or taken."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The people of the sandbox, the bot among them, and the channel they meet in."""

    alive: Living
    errors: dict[int, BaseException] = field(default_factory=dict[int, BaseException])
    """What interactions failed with, by their ids: refusals, questions and faults."""

    @property
    def sandbox(self) -> Sandbox:
        """The local Discord."""
        return self.alive.sandbox

    @property
    def channel(self) -> Channel:
        """The channel to play in."""
        return self.alive.channel

    @property
    def north(self) -> Person:
        """Who challenges, and acts first."""
        return self.alive.person("North")

    @property
    def south(self) -> Person:
        """Who is challenged."""
        return self.alive.person("South")

    @property
    def east(self) -> Person:
        """Who looks on."""
        return self.alive.person("East")

    @property
    def west(self) -> Person:
        """Who makes four."""
        return self.alive.person("West")

    @property
    def table(self) -> Message:
        """The newest table in the channel, as a spectator sees it."""
        return latest(self.east.sees(self.channel), Action.SHOW_SCORE)

    @property
    def tables(self) -> list[Message]:
        """All tables in the channel, as a spectator sees them."""
        return [post for post in self.posts if has_button(post, Action.SHOW_SCORE)]

    @property
    def posts(self) -> list[Message]:
        """The public messages of the channel."""
        return self.posts_in(self.channel)

    def posts_in(self, channel: Channel) -> list[Message]:
        """The public messages of a channel or thread."""
        return [message for message in self.east.sees(channel) if not message.ephemeral]

    @property
    def guild_id(self) -> GuildId:
        """The server."""
        assert self.channel.guild is not None
        return GuildId(self.channel.guild.id)

    async def match(self, number: int = 1) -> MatchInfo:
        """A match as it is now, by its place in the order in which matches began."""
        return await self.alive.app.lookup.info(MatchId(number))

    async def forfeit(self, number: int = 1) -> Forfeit | None:
        """How a player ended a match, by resigning or on time; None if none did."""
        return (await self.alive.app.lookup.summary(MatchId(number))).view.forfeit

    async def challenge(self, number: int = 1) -> Challenge:
        """A challenge as it is now, by its place in the order in which challenges were made."""
        return await self.alive.app.challenges.get(ChallengeId(number))

    async def playing(self, person: Person) -> list[MatchInfo]:
        """The matches that a person is playing."""
        return [hand.match for hand in await self.alive.app.lookup.hands(PersonId(person.id))]

    async def ask(self, person: Person, command: str, channel: Channel | None = None, **options: object) -> str:
        """Have a person use a command of `/gin` in the channel; gives the words of the answer."""
        return (await self.use(person, f"gin {command}", channel or self.channel, **options)).text

    async def use(
        self, person: Person, command: str, channel: Channel | None = None, /, **options: object
    ) -> Interaction:
        """Have a person use a command (in their direct conversation unless told where), and wait for the answer."""
        return await (await person.slash(command, channel, **options)).done()

    async def press(self, person: Person, message: Message, action: Action, argument: str | None = None) -> Interaction:
        """Have a person press the button that does something, with a card if one is named, and wait for the answer."""
        return await press(person, message, action, argument)

    async def press_late(self, person: Person, message: Message, custom_id: str) -> Interaction:
        """Have a person press a button that the message may have lost meanwhile, and wait for the answer."""
        return await (await person.press(message, custom_id, late=True)).done()

    async def choose(
        self, person: Person, message: Message, action: Action, *values: object, argument: str | None = None
    ) -> Interaction:
        """Have a person choose in the menu that does something, and wait for the answer."""
        menus = [one for one in controls(message) if one.is_menu and one.action is action]
        menus = [one for one in menus if argument in (None, one.event.argument)]
        # Several menus may do the same, such as those of options: the one that offers the value is meant.
        menu = next((one for one in menus if values and str(values[0]) in one.values), menus[0])
        return await (await person.choose(message, menu.custom_id, *values)).done()

    async def change(self, person: Person, panel: Message, action: Action, *values: object) -> Interaction:
        """Have a person open a preference or a setting and choose in its menu, and wait for the answer."""
        await (await person.choose(panel, CHANGE, action)).done()
        return await self.choose(person, panel, action, *values)

    async def invite(
        self, person: Person, opponent: Person | None = None, channel: Channel | None = None, **options: object
    ) -> Message:
        """Have a person challenge another, or anyone; gives the invitation in the channel."""
        place = channel or self.channel
        before = self.posts_in(place)
        given = options if opponent is None else {"opponent": opponent} | options
        await self.use(person, "gin challenge", place, **given)
        return await self.post(Action.ACCEPT, place, but=before)

    async def post(self, action: Action, channel: Channel | None = None, *, but: Sequence[Message] = ()) -> Message:
        """The newest public message with a button that does something, which is none of `but`, once there is one."""

        def found() -> list[Message]:
            there = self.posts_in(channel or self.channel)
            return [message for message in there if has_button(message, action) and message not in but]

        return (await self.sandbox.until(found))[-1]

    async def hand(self, person: Person) -> Message:
        """The newest hand of a person in their direct conversation, once there is one."""
        return (await self.sandbox.until(lambda: hands(person)))[-1]

    async def turn(self, person: Person) -> Message:
        """The newest hand of a person in their direct conversation, once it is their turn."""
        await self.sandbox.until(lambda: hands(person) and YOUR_TURN in hands(person)[-1].text)
        return hands(person)[-1]

    def named(self, text: str) -> str:
        """A text with the names of the people that it mentions."""
        for person in (self.north, self.south, self.east, self.west):
            text = text.replace(f"<@{person.id}>", f"⁨{person.name}⁩")
        return text

    def error(self, interaction: Interaction) -> BaseException | None:
        """What an interaction failed with, as a refusal; None if it did not fail."""
        return self.errors.get(interaction.id)

    def refusal(self, interaction: Interaction) -> type[BaseException] | None:
        """The class of what an interaction was refused with; None if it was not."""
        return None if interaction.id not in self.errors else type(self.errors[interaction.id])

    async def refused(
        self, person: Person, command: str, channel: Channel | None = None, **options: object
    ) -> Refusal | str | None:
        """Have a person use a command of `/gin`; gives why it was refused: of a move that is not allowed, the code."""
        error = self.error(await self.use(person, f"gin {command}", channel or self.channel, **options))
        assert error is None or isinstance(error, Refusal)
        return error.code if isinstance(error, Illegal) else error

    async def quiet(self) -> None:
        """Wait until nothing happens any more, and every message that is due was delivered."""
        await self.alive.idle()

    async def age(self, clock: Clock, span: timedelta) -> None:
        """Let time pass, for the bot and for Discord, and let the bot notice."""
        await self.alive.stay_connected(span)
        clock.pass_by(span)
        self.sandbox.world.clock.advance(span.total_seconds())
        self.alive.app.outbox.notify()

    async def later(self, clock: Clock, span: timedelta) -> None:
        """Let time pass, and wait until all was done that is due by then."""
        await self.quiet()
        await self.age(clock, span)
        await self.alive.app.timekeeper.look(self.alive.client.access)
        await self.quiet()


def person_of(person: Person) -> Player:
    """Return someone of the sandbox as the services know them."""
    return Player(PersonId(person.id), person.name)


def buttons(message: Message) -> list[Action]:
    """Return what a message's buttons do, in their order, but for the one that only looks back."""
    return [one.action for one in controls(message) if not one.is_menu and one.action is not Action.LAST_MOVES]


def ways(message: Message) -> list[Action]:
    """Return what a message's buttons do, in their order, but for those that name a card alone."""
    usable = (one for one in controls(message) if isinstance(one.item, Button) and one.item.label not in _CARDS)
    return [one.action for one in usable if one.action is not Action.LAST_MOVES]


def menus(message: Message) -> list[Action]:
    """Return what a message's menus do, in their order."""
    return [one.action for one in controls(message) if one.is_menu]


def latest(messages: list[Message], action: Action) -> Message:
    """Return the newest of these messages with a button that does something."""
    return next(message for message in reversed(messages) if has_button(message, action))


def hands(person: Person) -> list[Message]:
    """The hands in a person's direct conversation."""
    return [message for message in person.direct_messages() if shows_hand(message)]


def shows_hand(message: Message) -> bool:
    """Return whether a message shows somebody's hand in a running match."""
    return YOUR_HAND in message.text


async def won_match(
    scene: Scene,
    first: Person | None = None,
    second: Person | None = None,
    *moves: str,
    channel: Channel | None = None,
    rules: str = "classic target=10",
) -> MatchId:
    """Let two people, North and South unless told, play a match of one deal by the services; gives its id.

    Unless moves are given, the first wins by gin with a deck that allows it at once.
    """
    place = channel or scene.channel
    assert place.guild is not None
    table = Players(scene.alive.app, (person_of(first or scene.north), person_of(second or scene.south)))
    match = await table.begin(rules, ChannelId(place.id), GuildId(place.guild.id))
    await table.move(match.id, *(moves or ("take", "gin")))
    await scene.quiet()
    return match.id


def without_commitments(messages: Sequence[Message]) -> list[Message]:
    """Return these messages without the commitments of matches, each of which is posted once and stays as it is."""
    return [message for message in messages if not message.text.startswith("🔒")]


def private_thread() -> tuple[World, Channel]:
    """Return the world of the sandbox with a private thread, in the channel to play in, of North, South and the bot."""
    world = stopped_world()
    people = {user.display_name: user for user in world.users.values()}
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    members = (world.bot, people["North"], people["South"])
    return world, world.add_thread(games, "whispers", people["North"], private=True, members=members)


@contextmanager
def noted_errors() -> Generator[dict[int, BaseException]]:
    """Note what each interaction fails with, by its id, during the block."""
    noted: dict[int, BaseException] = {}
    answer = ErrorReplies.answer

    async def note_and_answer(replies: ErrorReplies, interaction: Answered, error: Exception) -> None:
        noted[interaction.id] = getattr(error, "original", error)
        await answer(replies, interaction, error)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(ErrorReplies, "answer", note_and_answer)
        yield noted


@asynccontextmanager
async def clubhouse(
    directory: Path, *decks: Deck, world: World | None = None, clock: Callable[[], datetime] = now
) -> AsyncGenerator[Scene]:
    """The bot among people, with these decks to come; its commands are there."""
    with noted_errors() as errors:
        async with living(directory, world=world, shuffler=RiggedShuffler(*decks), clock=clock) as alive:
            scene = Scene(alive, errors)
            await alive.sandbox.until(lambda: scene.north.commands(scene.channel))
            yield scene


async def _begin(scene: Scene, rules: str, *, open_dms: bool) -> None:
    """Begin a match of North against South by services."""
    app, people = scene.alive.app, (scene.north, scene.south)
    for person in people if open_dms else ():
        await app.people.met(person_of(person))
        await app.people.dm_opened(PersonId(person.id), ChannelId(person.dm.id))
    players = Players(app, tuple(map(person_of, people)))
    await players.begin(rules, ChannelId(scene.channel.id), scene.guild_id)


@asynccontextmanager
async def at_table(
    directory: Path,
    *decks: Deck,
    target: int = 100,
    rules: str = "classic",
    open_dms: bool = True,
    world: World | None = None,
    clock: Callable[[], datetime] = now,
    limit: str = "none",
    pressed: bool = False,
) -> AsyncGenerator[Scene]:
    """A match of North, who acts first, against South; without `open_dms` neither takes direct messages.

    It is begun by services, in half the time that presses take, unless it must be `pressed`. `limit` is its clock.
    """
    async with clubhouse(directory, *decks, world=world, clock=clock) as scene:
        scene.north.user.open_dms = scene.south.user.open_dms = open_dms
        await change_settings(scene.alive.app, scene.guild_id, clock=TurnClock.parse(limit))
        if pressed:
            await start_match(scene.alive, rules=rules, target=target)
        else:
            await _begin(scene, f"{rules} target={target}", open_dms=open_dms)
        if open_dms:
            await scene.sandbox.until(lambda: hands(scene.north) and hands(scene.south))
        await scene.quiet()
        yield scene

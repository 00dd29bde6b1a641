"""What people do and see at a table, said shortly: shared by the tests of the cogs."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from bot.engine.cards import DECK
from bot.play.application import now
from bot.sandbox import Channel, Interaction, Message, Person, Sandbox, World
from bot.values.ids import PersonId
from bot.values.people import Person as Player
from cardart.text.card_names import ENGLISH
from cogs.kit.actions import Action
from cogs.panels.settings import CHANGE
from tests.helpers.clock import Clock
from tests.helpers.components import find_menu
from tests.helpers.living import Living, living, start_match
from tests.helpers.players import press
from tests.helpers.shufflers import Deck, RiggedShuffler

_CARDS: Final = frozenset(ENGLISH.short(card) for card in DECK)
TO_DISCARD: Final = {Action.DISCARD, Action.KNOCK, Action.OTHER_KNOCKS}
"""What a hand with which several knocks are possible offers after a card was drawn or taken."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The people of the sandbox, the bot among them, and the channel they meet in."""

    alive: Living

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
        return latest(self.east.sees(self.channel), "Score")

    @property
    def posts(self) -> list[Message]:
        """The public messages of the channel."""
        return self.posts_in(self.channel)

    def posts_in(self, channel: Channel) -> list[Message]:
        """The public messages of a channel or thread."""
        return [message for message in self.east.sees(channel) if not message.ephemeral]

    async def ask(self, person: Person, command: str, channel: Channel | None = None, **options: object) -> str:
        """Have a person use a command of `/gin` in the channel; gives the words of the answer."""
        return (await self.use(person, f"gin {command}", channel or self.channel, **options)).text

    async def use(
        self, person: Person, command: str, channel: Channel | None = None, /, **options: object
    ) -> Interaction:
        """Have a person use a command (in their direct conversation unless told where), and wait for the answer."""
        return await (await person.slash(command, channel, **options)).done()

    async def press(self, person: Person, message: Message, label: str, *, late: bool = False) -> Interaction:
        """Have a person press a button, and wait for the answer."""
        return await (await person.press(message, label, late=late)).done()

    async def play(self, person: Person, message: Message, action: Action, argument: str | None = None) -> Interaction:
        """Have a person press the button that does something, with a card if one is named, and wait for the answer."""
        return await press(person, message, action, argument)

    async def choose(self, person: Person, message: Message, menu: str, *values: object) -> Interaction:
        """Have a person choose in a menu, and wait for the answer."""
        return await (await person.choose(message, menu, *values)).done()

    async def change(self, person: Person, panel: Message, action: Action, *values: object) -> Interaction:
        """Have a person open a preference or a setting and choose in its menu, and wait for the answer."""
        await self.choose(person, panel, CHANGE, action)
        opened = find_menu(panel, action)
        assert opened is not None
        return await self.choose(person, panel, opened.custom_id, *values)

    async def invite(
        self, person: Person, opponent: Person | None = None, channel: Channel | None = None, **options: object
    ) -> Message:
        """Have a person challenge another, or anyone; gives the invitation in the channel."""
        place = channel or self.channel
        before = self.posts_in(place)
        given = options if opponent is None else {"opponent": opponent} | options
        await self.use(person, "gin challenge", place, **given)
        return await self.post("Accept", place, but=before)

    async def post(self, label: str, channel: Channel | None = None, *, but: Sequence[Message] = ()) -> Message:
        """The newest public message with a button of that label that is none of `but`, once there is one."""

        def found() -> list[Message]:
            there = self.posts_in(channel or self.channel)
            return [message for message in there if label in labels(message) and message not in but]

        return (await self.sandbox.until(found))[-1]

    async def hand(self, person: Person) -> Message:
        """The newest hand of a person in their direct conversation, once there is one."""
        return (await self.sandbox.until(lambda: hands(person)))[-1]

    async def turn(self, person: Person) -> Message:
        """The newest hand of a person in their direct conversation, once it is their turn."""
        await self.sandbox.until(lambda: hands(person) and "**Your turn:**" in hands(person)[-1].text)
        return hands(person)[-1]

    def named(self, text: str) -> str:
        """A text with the names of the people that it mentions."""
        for person in (self.north, self.south, self.east, self.west):
            text = text.replace(f"<@{person.id}>", f"⁨{person.name}⁩")
        return text

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


def labels(message: Message) -> list[str | None]:
    """Return the labels of a message's buttons that can be pressed, but for the one that only looks back."""
    return [button.label for button in message.buttons if not button.disabled and button.label != "Last moves"]


def ways(message: Message) -> list[str | None]:
    """Return the labels of a message's buttons that can be pressed, but for those of cards."""
    return [label for label in labels(message) if label not in _CARDS]


def menus(message: Message) -> list[str | None]:
    """Return the placeholders of a message's menus."""
    return [menu.placeholder for menu in message.selects]


def latest(messages: list[Message], label: str) -> Message:
    """Return the newest of these messages with a button of that label."""
    return next(message for message in reversed(messages) if label in labels(message))


def hands(person: Person) -> list[Message]:
    """The hands in a person's direct conversation."""
    return [message for message in person.direct_messages() if "Your hand against" in message.text]


def without_commitments(messages: Sequence[Message]) -> list[Message]:
    """Return these messages without the commitments of matches, each of which is posted once and stays as it is."""
    return [message for message in messages if not message.text.startswith("🔒")]


def private_thread() -> tuple[World, Channel]:
    """Return the world of the sandbox with a private thread, in the channel to play in, of North, South and the bot."""
    world = World.default()
    people = {user.display_name: user for user in world.users.values()}
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    members = (world.bot, people["North"], people["South"])
    return world, world.add_thread(games, "whispers", people["North"], private=True, members=members)


@asynccontextmanager
async def clubhouse(
    directory: Path, *decks: Deck, world: World | None = None, clock: Callable[[], datetime] = now
) -> AsyncGenerator[Scene]:
    """The bot among people, with these decks to come; its commands are there."""
    async with living(directory, world=world, shuffler=RiggedShuffler(*decks), clock=clock) as alive:
        scene = Scene(alive)
        await alive.sandbox.until(lambda: scene.north.commands(scene.channel))
        yield scene


@asynccontextmanager
async def at_table(
    directory: Path,
    *decks: Deck,
    target: int = 100,
    rules: str = "classic",
    open_dms: bool = True,
    world: World | None = None,
    clock: Callable[[], datetime] = now,
) -> AsyncGenerator[Scene]:
    """A match of North, who acts first, against South; without `open_dms` neither takes direct messages."""
    async with clubhouse(directory, *decks, world=world, clock=clock) as scene:
        scene.north.user.open_dms = scene.south.user.open_dms = open_dms
        await start_match(scene.alive, rules=rules, target=target)
        if open_dms:
            await scene.sandbox.until(lambda: hands(scene.north) and hands(scene.south))
        await scene.quiet()
        yield scene

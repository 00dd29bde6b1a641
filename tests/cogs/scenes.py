"""Helpers for tests of the cogs: a running bot, the people in the sandbox, and their actions."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.engine.cards.cards import DECK
from bot.engine.matches.match import Forfeit
from bot.model.challenges import Challenge
from bot.model.clocks import Clock as TurnClock
from bot.model.guilds import MatchHome
from bot.model.ids import ChallengeId, ChannelId, GuildId, MatchId, PersonId
from bot.model.matches import MatchInfo
from bot.model.people import Person as Player
from bot.play.application import utc_now
from bot.play.refusals import Illegal, Refusal
from bot.sandbox import Button, Channel, Interaction, Message, Person, Sandbox, World
from cardart.text.card_names import ENGLISH
from cogs.actions import Action
from cogs.errors import ErrorReplies
from cogs.kit.answers import Interaction as Answered
from cogs.people.preferences_panel import CHANGE
from cogs.turns.hand_text import YOUR_HAND, YOUR_TURN
from tests.helpers.clock import Clock
from tests.helpers.components import controls, has_button
from tests.helpers.living import RunningBot, running_bot, start_match
from tests.helpers.players import press
from tests.helpers.shufflers import Deck, RiggedShuffler
from tests.helpers.table import Players, change_settings
from tests.helpers.worlds import stopped_world

_CARD_LABELS: Final = frozenset(ENGLISH.short(card) for card in DECK)
_IN_MOST_HANDS: Final = (Action.LAST_MOVES, Action.ARRANGE)
DISCARD_ACTIONS: Final = {Action.DISCARD, Action.KNOCK, Action.OTHER_KNOCKS}
"""Actions of a hand's buttons after the player has drawn or taken a card and can knock in several ways."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A running bot, the people in the sandbox, and the channel in which they play."""

    bot: RunningBot
    errors: dict[int, BaseException] = field(default_factory=dict[int, BaseException])
    """The error of each failed interaction, by interaction id. Refusals and questions to the person are included."""

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox that stands in for Discord."""
        return self.bot.sandbox

    @property
    def channel(self) -> Channel:
        """The channel in which people play."""
        return self.bot.channel

    @property
    def north(self) -> Person:
        """The person who usually makes the challenge and acts first."""
        return self.bot.person("North")

    @property
    def south(self) -> Person:
        """The person who is usually challenged."""
        return self.bot.person("South")

    @property
    def east(self) -> Person:
        """The person who is usually a spectator."""
        return self.bot.person("East")

    @property
    def west(self) -> Person:
        """Another spectator, or the fourth player."""
        return self.bot.person("West")

    @property
    def table(self) -> Message:
        """The newest table in the channel, as a spectator sees it."""
        return latest_with(self.east.sees(self.channel), Action.SHOW_RULES)

    @property
    def tables(self) -> list[Message]:
        """All tables in the channel, as a spectator sees them."""
        return [post for post in self.posts if has_button(post, Action.SHOW_RULES)]

    @property
    def posts(self) -> list[Message]:
        """The public messages of the channel."""
        return self.posts_in(self.channel)

    def posts_in(self, channel: Channel) -> list[Message]:
        """The public messages of a channel or thread."""
        return [message for message in self.east.sees(channel) if not message.ephemeral]

    @property
    def guild_id(self) -> GuildId:
        """The id of the server."""
        assert self.channel.guild is not None
        return GuildId(self.channel.guild.id)

    async def match(self, number: int = 1) -> MatchInfo:
        """Return the current state of a match. Matches are numbered in the order in which they began."""
        return await self.bot.app.lookup.info(MatchId(number))

    async def forfeit(self, number: int = 1) -> Forfeit | None:
        """Return the resignation or the loss on time that ended a match, or None if there was neither."""
        return (await self.bot.app.lookup.summary(MatchId(number))).view.forfeit

    async def challenge(self, number: int = 1) -> Challenge:
        """Return the current state of a challenge. Challenges are numbered in the order in which they were made."""
        return await self.bot.app.challenges.get(ChallengeId(number))

    async def matches_of(self, person: Person) -> list[MatchInfo]:
        """Return the matches that a person is playing."""
        return [hand.match for hand in await self.bot.app.lookup.hands(PersonId(person.id))]

    async def ask(self, person: Person, command: str, channel: Channel | None = None, **options: object) -> str:
        """Have a person use a `/gin` command in the channel, and return the text of the answer."""
        return (await self.use(person, f"gin {command}", channel or self.channel, **options)).text

    async def use(
        self, person: Person, command: str, channel: Channel | None = None, /, **options: object
    ) -> Interaction:
        """Have a person use a command, in direct messages unless a channel is given, and wait for the answer."""
        return await (await person.slash(command, channel, **options)).done()

    async def press(self, person: Person, message: Message, action: Action, argument: str | None = None) -> Interaction:
        """Have a person press the button with this action and, if given, this argument, and wait for the answer."""
        return await press(person, message, action, argument)

    async def press_late(self, person: Person, message: Message, custom_id: str) -> Interaction:
        """Have a person press a button that the message may no longer have, and wait for the answer."""
        return await (await person.press(message, custom_id, late=True)).done()

    async def choose(
        self, person: Person, message: Message, action: Action, *values: object, argument: str | None = None
    ) -> Interaction:
        """Have a person choose a value in the menu that has this action, and wait for the answer."""
        menus = [control for control in controls(message) if control.is_menu and control.action is action]
        menus = [control for control in menus if argument in (None, control.event.argument)]
        # Several menus can have the same action, such as the menus of a draft: use the one that offers the value.
        menu = next((control for control in menus if values and str(values[0]) in control.values), menus[0])
        return await (await person.choose(message, menu.custom_id, *values)).done()

    async def change_setting(self, person: Person, panel: Message, action: Action, *values: object) -> Interaction:
        """Have a person open a preference or setting and choose a value for it, and wait for the answer.

        If the panel still shows another one, the person goes back first.
        """
        for back in (Action.OPEN_PREFERENCE, Action.OPEN_SETTING):
            if has_button(panel, back):
                await self.press(person, panel, back)
        await (await person.choose(panel, CHANGE, action)).done()
        return await self.choose(person, panel, action, *values)

    async def invite(
        self, person: Person, opponent: Person | None = None, channel: Channel | None = None, **options: object
    ) -> Message:
        """Have a person challenge another person, or anyone, and return the invitation in the channel."""
        target = channel or self.channel
        before = self.posts_in(target)
        all_options = options if opponent is None else {"opponent": opponent} | options
        await self.use(person, "gin challenge", target, **all_options)
        return await self.wait_for_post(Action.ACCEPT, target, exclude=before)

    async def wait_for_post(
        self, action: Action, channel: Channel | None = None, *, exclude: Sequence[Message] = ()
    ) -> Message:
        """Wait for a public message that has a button of this action and is not in `exclude`. Return the newest."""

        def matching_posts() -> list[Message]:
            posts = self.posts_in(channel or self.channel)
            return [message for message in posts if has_button(message, action) and message not in exclude]

        return (await self.sandbox.until(matching_posts))[-1]

    async def wait_for_hand(self, person: Person) -> Message:
        """Wait until a person has a hand in their direct messages, and return the newest one."""
        return (await self.sandbox.until(lambda: hands(person)))[-1]

    async def wait_for_turn(self, person: Person) -> Message:
        """Wait until it is a person's turn, and return the newest hand in their direct messages."""
        await self.sandbox.until(lambda: hands(person) and YOUR_TURN in hands(person)[-1].text)
        return hands(person)[-1]

    async def next_deal(self, person: Person) -> Message:
        """Have a person press *Next deal* below the showdown in their direct messages, and return that message."""
        shown = await self.wait_for_hand(person)
        await self.press(person, shown, Action.NEXT_DEAL)
        return shown

    async def details(self, showdown: Message, person: Person | None = None) -> Message:
        """Have a person, by default East, press *Details* below a showdown, and return the private answer."""
        answer = await self.press(person or self.east, showdown, Action.SHOWDOWN_DETAILS)
        assert answer.message.ephemeral or answer.message in (person or self.east).direct_messages()
        return answer.message

    def replace_mentions(self, text: str) -> str:
        """Return a text with mentions replaced by names."""
        for person in (self.north, self.south, self.east, self.west):
            text = text.replace(f"<@{person.id}>", f"⁨{person.name}⁩")
        return text

    def error(self, interaction: Interaction) -> BaseException | None:
        """Return the error or refusal with which an interaction failed; None if the interaction succeeded."""
        return self.errors.get(interaction.id)

    def error_type(self, interaction: Interaction) -> type[BaseException] | None:
        """Return the class of an interaction's error; None if it did not fail."""
        return None if interaction.id not in self.errors else type(self.errors[interaction.id])

    async def refusal_of(
        self, person: Person, command: str, channel: Channel | None = None, **options: object
    ) -> Refusal | str | None:
        """Have a person use a `/gin` command. Return its refusal, or the code if it is an illegal move."""
        error = self.error(await self.use(person, f"gin {command}", channel or self.channel, **options))
        assert error is None or isinstance(error, Refusal)
        return error.code if isinstance(error, Illegal) else error

    async def wait_until_idle(self) -> None:
        """Wait until the bot and the sandbox are idle and all due messages are delivered."""
        await self.bot.idle()

    async def advance(self, clock: Clock, span: timedelta) -> None:
        """Move the clocks of the bot and the sandbox forward, and notify the outbox."""
        await self.bot.extend_heartbeats(span)
        clock.pass_by(span)
        self.sandbox.world.clock.advance(span.total_seconds())
        self.bot.app.outbox.notify()

    async def advance_until_idle(self, clock: Clock, span: timedelta) -> None:
        """Move the clocks forward, and wait until everything that is due by then is done."""
        await self.wait_until_idle()
        await self.advance(clock, span)
        await self.bot.app.timekeeper.check_due(self.bot.client.access)
        await self.wait_until_idle()


def person_of(person: Person) -> Player:
    """Return the id and name of a person in the sandbox, as the services expect them."""
    return Player(PersonId(person.id), person.name)


def buttons(message: Message) -> list[Action]:
    """Return the actions of a message's buttons in order, without *Last moves* and *Arrange*."""
    return [
        control.action for control in controls(message) if not control.is_menu and control.action not in _IN_MOST_HANDS
    ]


def buttons_without_cards(message: Message) -> list[Action]:
    """Return the actions of a message's buttons in order, as `buttons` does, without buttons that show only a card."""
    card_buttons_excluded = (
        control
        for control in controls(message)
        if isinstance(control.item, Button) and control.item.label not in _CARD_LABELS
    )
    return [button.action for button in card_buttons_excluded if button.action not in _IN_MOST_HANDS]


def menus(message: Message) -> list[Action]:
    """Return the actions of a message's menus in order."""
    return [control.action for control in controls(message) if control.is_menu]


def latest_with(messages: list[Message], action: Action) -> Message:
    """Return the newest of these messages that has a button with this action."""
    return next(message for message in reversed(messages) if has_button(message, action))


def hands(person: Person) -> list[Message]:
    """Return the hands in a person's direct messages."""
    return [message for message in person.direct_messages() if shows_hand(message)]


def shows_hand(message: Message) -> bool:
    """Return True if a message shows a hand of a running match, or the showdown before its next deal."""
    return YOUR_HAND in message.text or has_button(message, Action.NEXT_DEAL)


async def play_match(
    scene: Scene,
    first: Person | None = None,
    second: Person | None = None,
    *moves: str,
    channel: Channel | None = None,
    rules: str = "classic target=10",
) -> MatchId:
    """Have two people, by default North and South, play a match through the services, and return its id.

    Without `moves`, the first player takes the upcard and goes gin.
    """
    target = channel or scene.channel
    assert target.guild is not None
    table = Players(scene.bot.app, (person_of(first or scene.north), person_of(second or scene.south)))
    match = await table.begin(rules, ChannelId(target.id), GuildId(target.guild.id))
    await table.move(match.id, *(moves or ("take", "gin")))
    await scene.wait_until_idle()
    return match.id


def without_commitments(messages: Sequence[Message]) -> list[Message]:
    """Return the messages that are not commitments. A commitment is posted once per match and never edited."""
    return [message for message in messages if not has_button(message, Action.HOW_VERIFIED)]


def world_with_private_thread() -> tuple[World, Channel]:
    """Return a world with a private thread in the channel; its members are North, South and the bot."""
    world = stopped_world()
    people = {user.display_name: user for user in world.users.values()}
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    members = (world.bot, people["North"], people["South"])
    return world, world.add_thread(games, "whispers", people["North"], private=True, members=members)


@contextmanager
def recorded_errors() -> Generator[dict[int, BaseException]]:
    """Yield a dict that collects the errors of failed interactions, by interaction id, during the block."""
    errors: dict[int, BaseException] = {}
    original_answer = ErrorReplies.answer

    async def record_and_answer(replies: ErrorReplies, interaction: Answered, error: Exception) -> None:
        errors[interaction.id] = getattr(error, "original", error)
        await original_answer(replies, interaction, error)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(ErrorReplies, "answer", record_and_answer)
        yield errors


@asynccontextmanager
async def open_scene(
    directory: Path,
    *decks: Deck,
    world: World | None = None,
    clock: Callable[[], datetime] = utc_now,
    avatars: bool = False,
    match_home: MatchHome = MatchHome.CHANNEL,
) -> AsyncGenerator[Scene]:
    """Run the bot, with these decks for the next deals, and wait until its commands are registered.

    With `avatars`, it downloads avatars from the sandbox.
    """
    shuffler = RiggedShuffler(*decks)
    with recorded_errors() as errors:
        async with running_bot(
            directory, world=world, shuffler=shuffler, clock=clock, avatars=avatars, match_home=match_home
        ) as alive:
            scene = Scene(alive, errors)
            await alive.sandbox.until(lambda: scene.north.commands(scene.channel))
            yield scene


async def _begin_match(scene: Scene, rules: str, *, open_dms: bool) -> None:
    """Begin a match between North and South through the services."""
    app, people = scene.bot.app, (scene.north, scene.south)
    for person in people if open_dms else ():
        await app.people.save_person(person_of(person))
        await app.people.save_dm_opened(PersonId(person.id), ChannelId(person.dm.id))
    players = Players(app, tuple(map(person_of, people)))
    await players.begin(rules, ChannelId(scene.channel.id), scene.guild_id)


@asynccontextmanager
async def open_match_scene(
    directory: Path,
    *decks: Deck,
    target: int = 100,
    rules: str = "classic",
    open_dms: bool = True,
    world: World | None = None,
    clock: Callable[[], datetime] = utc_now,
    turn_clock: str = "none",
    by_buttons: bool = False,
) -> AsyncGenerator[Scene]:
    """Begin a match between North, who acts first, and South, and wait until their hands have arrived.

    Without `open_dms`, neither accepts direct messages. `turn_clock` is the clock of the match. The match begins
    through the services, which takes half the time that presses take; with `by_buttons`, the players press the buttons.
    """
    async with open_scene(directory, *decks, world=world, clock=clock) as scene:
        scene.north.user.open_dms = scene.south.user.open_dms = open_dms
        await change_settings(scene.bot.app, scene.guild_id, clock=TurnClock.parse(turn_clock))
        if by_buttons:
            await start_match(scene.bot, rules=rules, target=target)
        else:
            await _begin_match(scene, f"{rules} target={target}", open_dms=open_dms)
        if open_dms:
            await scene.sandbox.until(lambda: hands(scene.north) and hands(scene.south))
        await scene.wait_until_idle()
        yield scene

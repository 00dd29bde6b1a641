"""Matches in threads of their own, and their cards in the parent channel."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from bot.model.discord_codes import Code
from bot.model.guilds import MatchHome
from bot.model.ids import MatchId
from bot.play.refusals import NotSeated
from bot.sandbox import Channel, Message, Permission, Person, Refuse, World, member_overwrite
from cogs.actions import Action
from cogs.showdowns.showdown_text import end_title
from cogs.words.table import side_scores
from tests.cogs.scenes import Scene, buttons, menus, open_scene, person_of, shows_hand, without_commitments
from tests.helpers.components import moves_shown
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.table import Players, change_settings
from tests.helpers.worlds import stopped_world

MATCH: Final = MatchId(1)
REMATCH: Final = MatchId(2)


async def begin(scene: Scene, opponent: Person, channel: Channel | None = None, **options: object) -> Message:
    """Have North challenge somebody, who accepts by the button. Return the challenge's message."""
    invitation = await scene.invite(scene.north, opponent, channel, **options)
    await scene.press(opponent, invitation, Action.ACCEPT)
    await scene.wait_until_idle()
    return invitation


def thread_on(scene: Scene, message: Message) -> Channel:
    """Return the thread on a message. Discord gives it the id of the message."""
    return next(
        channel for channel in scene.north.channels() if channel.thread is not None and channel.id == message.id
    )


def threads(scene: Scene) -> list[Channel]:
    """Return the threads that North sees."""
    return [channel for channel in scene.north.channels() if channel.thread is not None]


def cards(scene: Scene) -> list[Message]:
    """Return the public messages of the channel, without commitments."""
    return without_commitments(scene.posts)


async def move(scene: Scene, *moves: str, match_id: MatchId = MATCH) -> None:
    """Have the players of a match between North and South move, through the services, and wait for the messages."""
    players = Players(scene.bot.app, (person_of(scene.north), person_of(scene.south)))
    await players.move(match_id, *moves)
    await scene.wait_until_idle()


async def shows_score(scene: Scene, card: Message, match_id: MatchId = MATCH) -> bool:
    """Return True if a card shows the current score of a match, and the result if the match is over."""
    summary = await scene.bot.app.lookup.summary(match_id)
    result = end_title(summary) if summary.view.score.is_over else ""
    return side_scores(summary.match, summary.view) in card.text and result in card.text


async def test_accepting_opens_a_thread(tmp_path: Path) -> None:
    """*Accept* opens a thread on the challenge's message, which becomes the card. The match is played in the thread."""
    async with open_scene(tmp_path, match_home=MatchHome.THREAD) as scene:
        card = await begin(scene, scene.south)
        thread, match = thread_on(scene, card), await scene.match()
        assert (match.channel_id, match.card_channel_id) == (thread.id, scene.channel.id)
        assert await scene.wait_for_post(Action.SHOW_SCORE, thread)
        assert cards(scene) == [card]
        assert buttons(card) == [Action.SHOW_HAND]
        assert [button.url for button in card.buttons if button.url] == [
            f"https://discord.com/channels/{scene.guild_id}/{thread.id}"
        ]
        assert await shows_score(scene, card)
        hand = (await scene.press(scene.south, card, Action.SHOW_HAND)).message
        assert hand.ephemeral
        assert shows_hand(hand)
        assert isinstance(scene.error(await scene.press(scene.east, card, Action.SHOW_HAND)), NotSeated)


async def test_the_card_changes_with_deals(tmp_path: Path) -> None:
    """The card changes when a deal ends, but no move edits it. In the end it says who won, and only links the thread.

    The showdowns and the end of the match are in the thread.
    """
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_GIN, match_home=MatchHome.THREAD) as scene:
        card = await begin(scene, scene.south, target=80)
        thread, text, edited_at = thread_on(scene, card), card.text, card.edited_at
        await move(scene, "take")
        assert (card.text, card.edited_at) == (text, edited_at)
        assert moves_shown(scene.posts_in(thread)[-1]) == 1
        await move(scene, "k Qh")
        assert card.text != text
        assert await shows_score(scene, card)
        assert buttons(card) == [Action.SHOW_HAND]
        await move(scene, "take", "gin")
        assert await shows_score(scene, card)
        assert (await scene.bot.app.lookup.summary(MATCH)).view.score.is_over
        assert buttons(card) == []
        assert [button.url for button in card.buttons if button.url]
        assert cards(scene) == [card]
        in_thread = [post for post in scene.posts_in(thread) if Action.SHOWDOWN_DETAILS in buttons(post)]
        assert [Action.REMATCH in buttons(post) for post in in_thread] == [False, True]


async def test_a_rematch_stays_in_the_thread(tmp_path: Path) -> None:
    """A rematch is played in the same thread, and has a new card in the channel, which pings nobody.

    The card of the first match still says who won.
    """
    async with open_scene(tmp_path, IMMEDIATE_GIN, match_home=MatchHome.THREAD) as scene:
        card = await begin(scene, scene.south, target=10)
        thread = thread_on(scene, card)
        await move(scene, "take", "gin")
        end = await scene.wait_for_post(Action.REMATCH, thread)
        await scene.press(scene.north, end, Action.REMATCH)
        offer = await scene.wait_for_post(Action.DECLINE_REMATCH, thread)
        await scene.press(scene.south, offer, Action.REMATCH)
        await scene.wait_until_idle()
        again = await scene.match(REMATCH)
        assert (again.channel_id, again.card_channel_id) == (thread.id, scene.channel.id)
        first, second = cards(scene)
        assert first is card
        assert await shows_score(scene, first)
        assert await shows_score(scene, second, REMATCH)
        assert second.pinged == frozenset()
        assert (buttons(first), buttons(second)) == ([], [Action.SHOW_HAND])
        assert threads(scene) == [thread]


async def test_joining_a_table_opens_no_thread(tmp_path: Path) -> None:
    """At a table for several, only the start of the match opens a thread, on the newest message of the table."""
    async with open_scene(tmp_path, match_home=MatchHome.THREAD) as scene:
        lobby = await scene.invite(scene.north, rules="rotation")
        for person in (scene.south, scene.east):
            await scene.press(person, lobby, Action.ACCEPT)
            await scene.wait_until_idle()
        assert threads(scene) == []
        lobby = await scene.wait_for_post(Action.START_LOBBY)
        await scene.press(scene.north, lobby, Action.START_LOBBY)
        await scene.wait_until_idle()
        assert threads(scene) == [thread_on(scene, lobby)]
        assert cards(scene) == [lobby]
        assert await shows_score(scene, lobby)


async def test_an_offer_of_a_rematch_opens_no_thread(tmp_path: Path) -> None:
    """A rematch of a match in the channel stays there, although new challenges get threads."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await begin(scene, scene.south, target=10)
        await move(scene, "take", "gin")
        await change_settings(scene.bot.app, scene.guild_id, match_home=MatchHome.THREAD)
        await scene.press(scene.north, await scene.wait_for_post(Action.REMATCH), Action.REMATCH)
        await scene.press(scene.south, await scene.wait_for_post(Action.DECLINE_REMATCH), Action.REMATCH)
        assert (await scene.match(REMATCH)).channel_id == scene.channel.id
        assert threads(scene) == []


async def test_a_command_in_the_parent_channel(tmp_path: Path) -> None:
    """A command in the channel means the person's only match in its threads. With two of them, it asks for one."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, match_home=MatchHome.THREAD) as scene:
        north, corner = scene.north, scene.sandbox.channel("quiet-corner")
        here = thread_on(scene, await begin(scene, scene.south))
        await begin(scene, scene.east, corner)
        await scene.ask(north, "take")
        await scene.wait_until_idle()
        assert moves_shown(scene.posts_in(here)[-1]) == 1
        await begin(scene, scene.west)
        asked = await scene.use(north, "gin discard", scene.channel, card="Qh")
        assert menus(asked.message) == [Action.DISCARD]
        (menu,) = asked.message.selects
        assert sorted(option.value for option in menu.options) == ["1", "3"]
        await scene.choose(north, asked.message, Action.DISCARD, "1")
        await scene.wait_until_idle()
        assert moves_shown(scene.posts_in(here)[-1]) == 2


def without_threads() -> World:
    """Return a world in which the bot may not open threads in the channel."""
    world = stopped_world()
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    games.overwrites.append(member_overwrite(world.bot, deny=Permission.CREATE_PUBLIC_THREADS))
    return world


async def test_without_threads_a_match_is_in_the_channel(tmp_path: Path) -> None:
    """If the bot may not open threads, the match is played in the channel, without a card."""
    async with open_scene(tmp_path, world=without_threads(), match_home=MatchHome.THREAD) as scene:
        invitation = await begin(scene, scene.south)
        match = await scene.match()
        assert (match.channel_id, match.card_channel_id) == (scene.channel.id, None)
        assert all(channel.thread is None for channel in scene.north.channels())
        assert cards(scene) == [invitation, scene.table]
        assert buttons(invitation) == []


@pytest.mark.parametrize("wait", [0.01, 3600.0])
async def test_an_old_card_is_replaced(tmp_path: Path, wait: float) -> None:
    """If Discord allows no more edits of an old card, a new card is posted, and the old one is deleted.

    Discord tells the bot how long to wait: for a second or an hour.
    """
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_GIN, match_home=MatchHome.THREAD) as scene:
        card = await begin(scene, scene.south, target=80)
        thread = thread_on(scene, card)
        of_card = f"PATCH /channels/{scene.channel.id}/messages/{card.id}"
        scene.sandbox.faults.requests(Refuse(Code.OLD_MESSAGE_EDITS, retry_after=wait), on=of_card, times=5)
        await move(scene, "take", "k Qh")
        await scene.sandbox.until(lambda: card.deleted)
        await scene.wait_until_idle()
        (new,) = cards(scene)
        assert await shows_score(scene, new)
        assert new.pinged == frozenset()
        assert buttons(new) == [Action.SHOW_HAND]
        await move(scene, "take", "gin")
        assert cards(scene) == [new]
        assert await shows_score(scene, new)
        assert await scene.wait_for_post(Action.REMATCH, thread)

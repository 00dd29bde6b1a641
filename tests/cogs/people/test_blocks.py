"""Blocking people by buttons and in the preferences."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.ids import MatchId, PersonId
from bot.model.people import Challengers
from bot.play.people.blocks import MAX_BLOCKED
from bot.play.refusals import Blocked, NotWelcome, TooManyBlocked
from bot.sandbox import Interaction, Person
from cogs.actions import Action, Subject
from cogs.delivery.refusals import OLD_BUTTON
from tests.cogs.scenes import Scene, buttons, menus, open_match_scene, open_scene, person_of, play_match
from tests.helpers.clock import Clock
from tests.helpers.components import accent_of
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import interaction, prefer


async def blocked_by(scene: Scene, person: Person) -> tuple[int, ...]:
    """Return the ids of the people that a person has blocked."""
    return await scene.bot.app.blocks.blocked_by(PersonId(person.id))


async def test_the_button_below_a_declined_challenge(tmp_path: Path) -> None:
    """After declining, one press blocks the challenger, who is not told and is then refused. *Undo* takes it back."""
    async with open_scene(tmp_path) as scene:
        declined = await scene.press(scene.south, await scene.invite(scene.north, scene.south), Action.DECLINE)
        await scene.wait_until_idle()
        pushes = len(scene.north.pushes)
        confirmed = await scene.press(scene.south, declined.message, Action.BLOCK)
        assert confirmed.message.ephemeral
        assert await blocked_by(scene, scene.south) == (scene.north.id,)
        refused = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south)
        assert scene.error_type(refused) is NotWelcome
        assert len(scene.north.pushes) == pushes
        undone = await scene.press(scene.south, confirmed.message, Action.UNBLOCK)
        assert undone.message is confirmed.message
        assert buttons(undone.message) == []
        assert await blocked_by(scene, scene.south) == ()
        await scene.invite(scene.north, scene.south)


async def test_the_button_in_more_options(tmp_path: Path) -> None:
    """*More …* of a challenge offers to block the challenger, but not to the challenger. The block closes it."""
    async with open_scene(tmp_path) as scene:
        invitation = await scene.invite(scene.north, scene.south)
        own = await scene.press(scene.north, invitation, Action.CHALLENGE_MORE)
        assert Action.BLOCK not in buttons(own.message)
        more = await scene.press(scene.south, invitation, Action.CHALLENGE_MORE)
        await scene.press(scene.south, more.message, Action.BLOCK)
        await scene.wait_until_idle()
        assert buttons(invitation) == []
        table = await scene.invite(scene.north, rules="rotation")
        refused = await scene.press(scene.south, table, Action.ACCEPT)
        assert scene.error_type(refused) is Blocked


async def test_the_button_below_a_rematch(tmp_path: Path) -> None:
    """A player whose opponent offers a rematch can block them, in their hand and after declining in the channel."""
    async with open_match_scene(tmp_path) as scene:
        await scene.bot.app.endings.resign(PersonId(scene.north.id), MatchId(1), interaction())
        await scene.press(scene.north, await scene.wait_for_post(Action.REMATCH), Action.REMATCH)
        await scene.wait_until_idle()
        assert Action.BLOCK in buttons(scene.south.direct_messages()[-1])
        offer = await scene.wait_for_post(Action.DECLINE_REMATCH)
        declined = await scene.press(scene.south, offer, Action.DECLINE_REMATCH)
        await scene.press(scene.south, declined.message, Action.BLOCK)
        again = await click(scene.north, offer, Action.REMATCH, 1)
        assert scene.error_type(again) is NotWelcome


def shown(made: Interaction) -> tuple[str, int | None, list[Action]]:
    """Return an answer as the person sees it: its text, colour and buttons."""
    return made.text, accent_of(made.message), buttons(made.message)


@pytest.mark.thorough
async def test_a_block_looks_like_the_preference_against_challenges(tmp_path: Path) -> None:
    """A blocked person reads exactly what the preference says: for a challenge, a seat at a table and a rematch.

    They read the same if they accept an open challenge or join a table, which the preference does not refuse.
    """
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        app, south = scene.bot.app, person_of(scene.south)
        await play_match(scene)
        ended = await scene.wait_for_post(Action.REMATCH)
        await scene.invite(scene.north, rules="rotation")

        async def refusals() -> list[tuple[str, int | None, list[Action]]]:
            challenged = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south)
            invited = await scene.use(scene.north, "gin lobby invite", scene.channel, player=scene.south)
            return [*map(shown, (challenged, invited, await scene.press(scene.north, ended, Action.REMATCH)))]

        await prefer(app, south, challengers=Challengers.NOBODY)
        preferred = await refusals()
        assert all(text for text, _, _ in preferred)
        await prefer(app, south, challengers=Challengers.ANYONE)
        await app.blocks.block(south, PersonId(scene.north.id))
        assert await refusals() == preferred
        for rules in ("classic", "rotation"):
            invitation = await scene.invite(scene.south, rules=rules)
            assert shown(await scene.press(scene.north, invitation, Action.ACCEPT)) == preferred[0]


@pytest.mark.thorough
async def test_a_block_looks_like_the_preference_against_nudges(tmp_path: Path) -> None:
    """A blocked person sees the same hand, and reads the same after *Nudge*, as with the preference against nudges."""
    clock = Clock()
    async with open_match_scene(tmp_path, clock=clock, turn_clock="7d") as scene:
        app, north = scene.bot.app, person_of(scene.north)
        await scene.advance_until_idle(clock, timedelta(days=1))

        async def hand_and_nudge() -> list[tuple[str, int | None, list[Action]]]:
            hand = await scene.press(scene.south, await scene.wait_for_hand(scene.south), Action.REFRESH_HAND)
            looks = shown(hand)
            return [looks, shown(await scene.press(scene.south, hand.message, Action.NUDGE))]

        await prefer(app, north, nudges=False)
        preferred = await hand_and_nudge()
        assert Action.NUDGE in preferred[0][2]
        await prefer(app, north, nudges=True)
        await app.blocks.block(north, PersonId(scene.south.id))
        assert await hand_and_nudge() == preferred


async def test_blocked_people_are_chosen_in_a_menu(tmp_path: Path) -> None:
    """The menu in the preferences shows who is blocked. Added people are blocked, except bots and oneself.

    People who are removed are unblocked. An old menu does not block people again who were unblocked elsewhere.
    """
    async with open_scene(tmp_path) as scene:
        await scene.bot.app.blocks.block(person_of(scene.north), PersonId(scene.east.id))
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        everyone = [scene.north, scene.south, scene.west, scene.sandbox.world.bot]
        await scene.change_setting(scene.north, panel, Action.CHANGE_BLOCKED, *everyone)
        assert await blocked_by(scene, scene.north) == (scene.south.id, scene.west.id)
        assert menus(panel) == [Action.CHANGE_BLOCKED]
        await scene.bot.app.blocks.unblock(person_of(scene.north), PersonId(scene.south.id))
        await scene.choose(scene.north, panel, Action.CHANGE_BLOCKED, scene.south, scene.west, scene.east)
        assert await blocked_by(scene, scene.north) == (scene.east.id, scene.west.id)
        await scene.choose(scene.north, panel, Action.CHANGE_BLOCKED)
        assert await blocked_by(scene, scene.north) == ()


async def test_the_number_of_blocked_people_is_limited(tmp_path: Path) -> None:
    """Blocking one person more than allowed is refused."""
    async with open_scene(tmp_path) as scene:
        many = [PersonId(1000 + number) for number in range(MAX_BLOCKED)]
        await scene.bot.app.blocks.change(person_of(scene.south), blocked=many)
        declined = await scene.press(scene.south, await scene.invite(scene.north, scene.south), Action.DECLINE)
        refused = await scene.press(scene.south, declined.message, Action.BLOCK)
        assert scene.error_type(refused) is TooManyBlocked


async def test_forged_blocks(tmp_path: Path) -> None:
    """A forged button that blocks or unblocks the person who presses it, or nobody, is treated as an old button."""
    async with open_scene(tmp_path) as scene:
        message = (await scene.use(scene.north, "gin help", scene.channel)).message
        for action in (Action.BLOCK, Action.UNBLOCK):
            for argument in (str(scene.north.id), "", "-1", "²", "banana", "9" * 19, "9" * 40, None):
                forged = await click(scene.north, message, action, Subject.SELF, argument=argument)
                assert forged.text == OLD_BUTTON
        for value in ("banana", "-1", "9" * 40):
            forged = await click(scene.north, message, Action.CHANGE_BLOCKED, Subject.SELF, values=[value])
            assert forged.text == OLD_BUTTON
        assert await blocked_by(scene, scene.north) == ()

"""Blocking people by buttons and in the preferences."""

from __future__ import annotations

from pathlib import Path

from bot.model.ids import MatchId, PersonId
from bot.play.people.blocks import MAX_BLOCKED
from bot.play.refusals import Blocked, NotWelcome, TooManyBlocked
from bot.sandbox import Person
from cogs.actions import Action, Subject
from cogs.delivery.refusals import OLD_BUTTON
from tests.cogs.scenes import Scene, buttons, menus, open_match_scene, open_scene, person_of
from tests.helpers.forgery import click
from tests.helpers.table import interaction


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

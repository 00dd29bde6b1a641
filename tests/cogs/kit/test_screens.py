"""A message that several processes edit keeps its picture only if the message still has it."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest

from bot.sandbox import Delay, Message, Request
from bot.values.ids import MatchId, PersonId
from bot.values.people import Push
from cogs.kit.actions import Action
from cogs.kit.messages import Message as Wanted
from cogs.panels.hand import hand as hand_panel
from tests.cogs.scenes import Scene, at_table, buttons, person_of
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.table import prefer
from tests.helpers.worlds import stopped_world

MATCH = MatchId(1)


async def _hand_without_pushes(scene: Scene) -> Message:
    """Return North's hand, with notifications off: the bot then edits it and never reposts it."""
    await prefer(scene.alive.app, person_of(scene.north), push=Push.NONE)
    await scene.quiet()
    return await scene.hand(scene.north)


async def _wanted(scene: Scene) -> Wanted:
    hand = await scene.alive.app.lookup.hand(PersonId(scene.north.id), MATCH)
    return await hand_panel(hand, scene.alive.client.pictures)


async def _edit_elsewhere(scene: Scene, hand: Message) -> None:
    """Edit North's hand as another process would, which uploads its picture again."""
    async with discord.Client(intents=discord.Intents.none()) as other:
        await other.login(scene.sandbox.token)
        target = other.get_partial_messageable(hand.channel.id).get_partial_message(hand.id)
        await (await _wanted(scene)).edit(target.edit, ())


async def _offer(scene: Scene) -> None:
    """Have South offer to end the match. North's hand then shows the offer below the same picture."""
    await scene.alive.app.endings.call_off(PersonId(scene.south.id), MATCH)


async def _decline(scene: Scene) -> None:
    await scene.alive.app.endings.decline(PersonId(scene.north.id), MATCH)


@pytest.mark.nightly
async def test_a_click_tells_which_files_a_message_has(tmp_path: Path) -> None:
    """A click reveals the current files: after another process replaced the picture, nothing resends it."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        hand = await _hand_without_pushes(scene)
        await scene.press(scene.north, hand, Action.PASS)
        await scene.quiet()
        before = hand.attachments
        await _edit_elsewhere(scene, hand)
        replaced = hand.attachments
        assert replaced != before
        await scene.press(scene.north, hand, Action.REFRESH_HAND)
        assert hand.attachments == replaced
        await _offer(scene)
        await scene.quiet()
        assert hand.attachments == replaced
        assert not scene.sandbox.journal.refusals


@pytest.mark.nightly
async def test_an_edit_without_a_click_is_repeated_once_with_its_picture(tmp_path: Path) -> None:
    """If another process replaced the picture, Discord refuses the edit, and the bot repeats it with the picture."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        hand = await _hand_without_pushes(scene)
        await _offer(scene)
        await scene.quiet()
        await _edit_elsewhere(scene, hand)
        requests = list[tuple[int | None, int]]()

        def note(request: Request) -> None:
            if request.path.endswith(str(hand.id)):
                requests.append((request.code, len(request.files)))

        scene.sandbox.journal.observers.append(note)
        await _decline(scene)
        await scene.quiet()
        assert requests == [(50035, 0), (None, 1)]
        await _offer(scene)
        await scene.quiet()
        assert requests[2:] == [(None, 0)]
        assert [one.filename for one in hand.attachments] == [one.name for one in (await _wanted(scene)).attached]


@pytest.mark.nightly
async def test_a_confirmation_that_comes_late_tells_nothing_of_a_later_state(tmp_path: Path) -> None:
    """A late confirmation of an edit does not overwrite the files that a later edit left on the message."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, world=stopped_world()) as scene:
        hand = await _hand_without_pushes(scene)
        clock = scene.sandbox.world.clock
        await scene.press(scene.north, hand, Action.PASS)
        await scene.quiet()
        scene.sandbox.faults.requests(Delay(2, applied=True), on=f"PATCH /channels/{hand.channel.id}/*")
        await _offer(scene)
        await scene.sandbox.until(lambda: Action.KEEP_PLAYING in buttons(hand))
        clock.advance(0.5)
        await _edit_elsewhere(scene, hand)
        replaced = hand.attachments
        clock.advance(0.5)
        await scene.press(scene.north, hand, Action.REFRESH_HAND)
        clock.advance(1)
        await scene.quiet()
        await _decline(scene)
        await scene.quiet()
        assert hand.attachments == replaced
        assert not scene.sandbox.journal.refusals


@pytest.mark.thorough
async def test_a_refused_edit_is_not_repeated_over_a_newer_state(tmp_path: Path) -> None:
    """If Discord refuses an edit after an answer showed a newer state, the edit is not repeated."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, world=stopped_world()) as scene:
        hand = await _hand_without_pushes(scene)
        await _offer(scene)
        await scene.quiet()
        slow = scene.sandbox.faults.requests(Delay(2), on=f"PATCH /channels/{hand.channel.id}/*")
        await _decline(scene)
        await scene.sandbox.until(lambda: slow.hits)
        await scene.press(scene.north, hand, Action.TAKE)
        answered = hand.text
        shown = list[str]()
        scene.sandbox.journal.observers.append(lambda _: shown.append(hand.text))
        scene.sandbox.world.clock.advance(2)
        await scene.quiet()
        assert scene.sandbox.journal.refusals == {50035: 1}
        assert set(shown) == {answered}

"""Edits of a message whose picture another process may have replaced."""

from __future__ import annotations

from pathlib import Path

import discord
import pytest

from bot.model.ids import MatchId, PersonId
from bot.model.people import Push
from bot.sandbox import Delay, Message, Request
from cogs.actions import Action
from cogs.kit import screens
from cogs.kit.messages import Message as Wanted
from cogs.turns.hand_panel import hand as hand_panel
from tests.cogs.scenes import Scene, buttons, open_match_scene, person_of
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.table import prefer
from tests.helpers.worlds import stopped_world

MATCH = MatchId(1)


async def _hand_without_pushes(scene: Scene) -> Message:
    """Return North's hand, with notifications off: the bot then edits it and never reposts it."""
    await prefer(scene.bot.app, person_of(scene.north), push=Push.NONE)
    await scene.wait_until_idle()
    return await scene.wait_for_hand(scene.north)


async def _current_panel(scene: Scene) -> Wanted:
    hand = await scene.bot.app.lookup.hand(PersonId(scene.north.id), MATCH)
    return await hand_panel(hand, scene.bot.client.pictures)


async def _edit_in_another_process(scene: Scene, hand: Message) -> None:
    """Edit North's hand and upload its picture again, as another process would."""
    async with discord.Client(intents=discord.Intents.none()) as other:
        await other.login(scene.sandbox.token)
        target = other.get_partial_messageable(hand.channel.id).get_partial_message(hand.id)
        await (await _current_panel(scene)).edit(target.edit, ())


async def _south_offers_to_call_off(scene: Scene) -> None:
    """Have South offer to end the match. North's hand then shows the offer below the same picture."""
    await scene.bot.app.endings.call_off(PersonId(scene.south.id), MATCH)


async def _north_declines(scene: Scene) -> None:
    await scene.bot.app.endings.decline(PersonId(scene.north.id), MATCH)


async def test_the_second_tap_of_a_double_tap_does_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A click on another button just after a move changes nothing. A later one is answered."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        hand = await _hand_without_pushes(scene)
        monkeypatch.setattr(screens, "SECOND_TAP", 3_600)
        await scene.press(scene.north, hand, Action.PASS)
        second = await scene.press(scene.north, hand, Action.GAMES)
        assert scene.error(second) is None
        assert second.messages == [hand]
        monkeypatch.setattr(screens, "SECOND_TAP", 0)
        later = await scene.press(scene.north, hand, Action.GAMES)
        assert later.message is not hand


@pytest.mark.nightly
async def test_a_click_reveals_a_messages_files(tmp_path: Path) -> None:
    """A click shows the bot the message's current files, so a picture from another process is not uploaded again."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        hand = await _hand_without_pushes(scene)
        await scene.press(scene.north, hand, Action.PASS)
        await scene.wait_until_idle()
        before = hand.attachments
        await _edit_in_another_process(scene, hand)
        replaced = hand.attachments
        assert replaced != before
        await scene.press(scene.north, hand, Action.REFRESH_HAND)
        assert hand.attachments == replaced
        await _south_offers_to_call_off(scene)
        await scene.wait_until_idle()
        assert hand.attachments == replaced
        assert not scene.sandbox.journal.refusals


@pytest.mark.nightly
async def test_a_refused_edit_is_repeated_with_its_picture(tmp_path: Path) -> None:
    """If another process replaced a picture, an edit that keeps the old one is refused, and repeated with an upload."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        hand = await _hand_without_pushes(scene)
        await _south_offers_to_call_off(scene)
        await scene.wait_until_idle()
        await _edit_in_another_process(scene, hand)
        requests = list[tuple[int | None, int]]()

        def note(request: Request) -> None:
            if request.path.endswith(str(hand.id)):
                requests.append((request.code, len(request.files)))

        scene.sandbox.journal.observers.append(note)
        await _north_declines(scene)
        await scene.wait_until_idle()
        assert requests == [(50035, 0), (None, 1)]
        await _south_offers_to_call_off(scene)
        await scene.wait_until_idle()
        assert requests[2:] == [(None, 0)]
        assert [attachment.filename for attachment in hand.attachments] == [
            file.name for file in (await _current_panel(scene)).attached
        ]


@pytest.mark.nightly
async def test_a_late_confirmation_keeps_newer_files(tmp_path: Path) -> None:
    """If the confirmation of an edit arrives after a later edit, the bot still knows the later edit's files."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, world=stopped_world()) as scene:
        hand = await _hand_without_pushes(scene)
        clock = scene.sandbox.world.clock
        await scene.press(scene.north, hand, Action.PASS)
        await scene.wait_until_idle()
        scene.sandbox.faults.requests(Delay(2, applied=True), on=f"PATCH /channels/{hand.channel.id}/*")
        await _south_offers_to_call_off(scene)
        await scene.sandbox.until(lambda: Action.KEEP_PLAYING in buttons(hand))
        clock.advance(0.5)
        await _edit_in_another_process(scene, hand)
        replaced = hand.attachments
        clock.advance(0.5)
        await scene.press(scene.north, hand, Action.REFRESH_HAND)
        clock.advance(1)
        await scene.wait_until_idle()
        await _north_declines(scene)
        await scene.wait_until_idle()
        assert hand.attachments == replaced
        assert not scene.sandbox.journal.refusals


@pytest.mark.thorough
async def test_a_refused_edit_does_not_replace_a_newer_state(tmp_path: Path) -> None:
    """A refused edit is not repeated if an answer has shown a newer state in the meantime."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, world=stopped_world()) as scene:
        hand = await _hand_without_pushes(scene)
        await _south_offers_to_call_off(scene)
        await scene.wait_until_idle()
        slow = scene.sandbox.faults.requests(Delay(2), on=f"PATCH /channels/{hand.channel.id}/*")
        await _north_declines(scene)
        await scene.sandbox.until(lambda: slow.hits)
        await scene.press(scene.north, hand, Action.TAKE)
        answered = hand.text
        shown = list[str]()
        scene.sandbox.journal.observers.append(lambda _: shown.append(hand.text))
        scene.sandbox.world.clock.advance(2)
        await scene.wait_until_idle()
        assert scene.sandbox.journal.refusals == {50035: 1}
        assert set(shown) == {answered}

"""Clicks on messages that are replaced while the click is on its way to the bot."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.sandbox import Refuse, ResponseKind
from cogs.kit.actions import Action
from cogs.panels.layout import Accent
from tests.helpers.components import accent_of, actions_of, find_button
from tests.helpers.living import living
from tests.helpers.players import Player, sit_down
from tests.helpers.worlds import hall, pair


@pytest.mark.thorough
async def test_a_click_on_a_message_that_is_gone_is_answered_with_a_new_one(tmp_path: Path) -> None:
    """If the clicked message was deleted, the move counts and the hand is sent as a new message."""
    async with living(tmp_path, world=hall(1)) as alive:
        sandbox = alive.sandbox
        players = [Player(sandbox, name, sandbox.channel("table-1"), 1) for name in pair(1)]
        await sit_down(sandbox, players[0], players[1])
        mover = (await sandbox.until(lambda: [player for player in players if player.has_turn]))[0]
        deed = mover.choose()
        assert deed is not None
        sandbox.faults.requests(Refuse(10008), on="POST /interactions/*/callback")
        made = await mover.click(deed)
        await sandbox.until(lambda: made.messages)
        assert made.response is not None
        assert made.response.kind is ResponseKind.MESSAGE
        assert made.message.id != deed.message.id
        assert Action.GAMES in actions_of(made.message)


@pytest.mark.nightly
async def test_a_click_on_a_message_whose_picture_was_sent_again_updates_it(tmp_path: Path) -> None:
    """If the clicked message's picture has a new id, as after a restart, the answer uploads the picture again."""
    async with living(tmp_path, world=hall(1)) as alive:
        sandbox = alive.sandbox
        players = [Player(sandbox, name, sandbox.channel("table-1"), 1) for name in pair(1)]
        await sit_down(sandbox, players[0], players[1])
        await alive.idle()
        waiting = next(player for player in players if not player.has_turn)
        panel = waiting.panel
        assert panel is not None
        (before,) = panel.attachments
        made = await waiting.person.press(panel, find_button(panel, Action.REFRESH_HAND) or "")
        # The click was sent; now the courier edits the message.
        panel.attachments = [replace(before, id=before.id + 1)]
        await made.answer()
        assert made.response is not None
        assert made.response.kind is ResponseKind.UPDATE
        assert accent_of(panel) != Accent.TROUBLE.value
        (after,) = panel.attachments
        assert (after.filename, after.content) == (before.filename, before.content)

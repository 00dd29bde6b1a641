"""Clicks on messages that are replaced while the click is on its way to the bot."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.sandbox import Refuse, ResponseKind
from cogs.actions import Action
from cogs.kit.layout import Accent
from tests.helpers.components import accent_of, actions_of, find_button
from tests.helpers.living import running_bot
from tests.helpers.players import Player, challenge_and_accept
from tests.helpers.worlds import hall, pair


@pytest.mark.thorough
async def test_a_click_on_a_deleted_message_gets_a_new_one(tmp_path: Path) -> None:
    """If the clicked message was deleted, the move counts and the hand is sent as a new message."""
    async with running_bot(tmp_path, world=hall(1)) as alive:
        sandbox = alive.sandbox
        players = [Player(sandbox, name, sandbox.channel("table-1"), 1) for name in pair(1)]
        await challenge_and_accept(sandbox, players[0], players[1])
        mover = (await sandbox.until(lambda: [player for player in players if player.has_turn]))[0]
        click = mover.choose()
        assert click is not None
        sandbox.faults.requests(Refuse(10008), on="POST /interactions/*/callback")
        answer = await mover.click(click)
        await sandbox.until(lambda: answer.messages)
        assert answer.response is not None
        assert answer.response.kind is ResponseKind.MESSAGE
        assert answer.message.id != click.message.id
        assert Action.GAMES in actions_of(answer.message)


@pytest.mark.thorough
async def test_a_click_on_a_reuploaded_picture_updates_the_message(tmp_path: Path) -> None:
    """If a picture is uploaded again while a click on it is on its way, the answer still updates the message."""
    async with running_bot(tmp_path, world=hall(1)) as alive:
        sandbox = alive.sandbox
        players = [Player(sandbox, name, sandbox.channel("table-1"), 1) for name in pair(1)]
        await challenge_and_accept(sandbox, players[0], players[1])
        await alive.idle()
        waiting = next(player for player in players if not player.has_turn)
        panel = waiting.panel
        assert panel is not None
        (before,) = panel.attachments
        answer = await waiting.person.press(panel, find_button(panel, Action.REFRESH_HAND) or "")
        # After the click was sent, the picture gets a new id, as if the courier had edited the message.
        panel.attachments = [replace(before, id=before.id + 1)]
        await answer.answer()
        assert answer.response is not None
        assert answer.response.kind is ResponseKind.UPDATE
        assert accent_of(panel) != Accent.TROUBLE.value
        (after,) = panel.attachments
        assert (after.filename, after.content) == (before.filename, before.content)

"""During two minutes of disk trouble, the bot keeps running and reports the fault. Afterwards, it recovers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from bot.hosting.heartbeat import Heartbeat
from bot.model.ids import PersonId
from bot.play.refusals import Unavailable
from bot.sandbox import Interaction, Message, Sandbox
from cogs import refusals
from cogs.actions import Action
from cogs.kit.answer_times import WINDOW_SECONDS
from cogs.kit.layout import Accent
from tests.helpers.components import accent_of, actions_of
from tests.helpers.databases import new_database
from tests.helpers.host_faults import full_disk, locked, small_disk
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player, challenge_and_accept
from tests.helpers.processes import running_bot_process
from tests.helpers.waiting import eventually
from tests.helpers.worlds import hall, pair
from tests.proof.histories import Witness, verify, wait_until_settled
from tests.proof.promises import real_cards

pytestmark = pytest.mark.sqlite

TROUBLE_SECONDS: Final = 120.0
"""Duration of the fault, in seconds."""


def _refusal(clicked: Interaction) -> list[Message]:
    return [message for message in clicked.messages if accent_of(message) == Accent.TROUBLE.value]


@pytest.mark.nightly
@pytest.mark.parametrize("fault", [locked, full_disk])
async def test_two_minutes_of_trouble(tmp_path: Path, fault: Callable[[Path], AbstractContextManager[None]]) -> None:
    """Moves are refused, hands are still shown, and `health` reports the fault.

    The log has one line for the fault's start and one for its end.
    """
    disk, log = tmp_path / "disk", tmp_path / "bot.log"
    with small_disk(disk) as mounted:
        if not mounted and fault is not locked:
            pytest.skip("mounting is not allowed here")
        database = disk / "deadwood.db"
        onlooker = DatabaseInspector(new_database(database))
        async with Sandbox(hall(1, running=True)) as sandbox, running_bot_process(sandbox, disk, log):
            witness, heart = Witness(), Heartbeat(database)
            sandbox.interactions.observers.append(witness)
            players = [Player(sandbox, name, sandbox.channel("table-1"), "trouble") for name in pair(1)]
            await challenge_and_accept(sandbox, *players)
            (mover,) = await sandbox.until(lambda: [player for player in players if player.has_turn])
            deed = mover.choose()
            assert deed is not None
            assert deed.action is not Action.SHOW_HAND
            started_at = asyncio.get_running_loop().time()
            with fault(database):
                while asyncio.get_running_loop().time() - started_at < TROUBLE_SECONDS:
                    clicked = await mover.click(deed)
                    # The bot defers its answer before it refuses: it waits longer for its database than Discord allows.
                    answer = await sandbox.until(partial(_refusal, clicked))
                    assert refusals.text(Unavailable(), PersonId(mover.person.id)) in answer[0].text
                    shown = await (await mover.person.slash("gin hand", mover.channel)).done()
                    assert shown.message is not None
                    assert deed.action in actions_of(shown.message)
                assert heart.trouble() is not None
            # `health` reports slow answers for a while afterwards.
            await eventually(lambda: heart.trouble() is None, 2 * WINDOW_SECONDS)
            counted = await (await mover.click(deed)).done()
            assert accent_of(counted.message) != Accent.TROUBLE.value
            await wait_until_settled(sandbox, onlooker)
            verify(onlooker, witness, players, cards_of=real_cards)
            assert not sandbox.unanswered
    health_lines = [line for line in log.read_text().splitlines() if "bot.store.health" in line]
    assert ["level=error" in line for line in health_lines] == [True, False], health_lines

"""Two minutes of disk trouble: the bot's process survives, reports the fault, and recovers automatically."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from bot.heartbeat import Heartbeat
from bot.play.refusals import Unavailable
from bot.sandbox import Interaction, Message, Sandbox
from bot.values.ids import PersonId
from cogs.kit.actions import Action
from cogs.kit.answer_times import PERIOD
from cogs.panels.layout import Accent
from cogs.text import refusals
from tests.helpers.components import accent_of, actions_of
from tests.helpers.databases import new_database
from tests.helpers.host_faults import full, locked, small_disk
from tests.helpers.onlooker import Onlooker
from tests.helpers.players import Player, sit_down
from tests.helpers.processes import hosted
from tests.helpers.waiting import eventually
from tests.helpers.worlds import hall, pair
from tests.proof.histories import Witness, settled, verify
from tests.proof.promises import real_cards

pytestmark = pytest.mark.sqlite

TROUBLE: Final = 120.0
"""Duration of the fault, in seconds."""


def _refusal(clicked: Interaction) -> list[Message]:
    return [message for message in clicked.messages if accent_of(message) == Accent.TROUBLE.value]


@pytest.mark.nightly
@pytest.mark.parametrize("fault", [locked, full])
async def test_two_minutes_of_trouble(tmp_path: Path, fault: Callable[[Path], AbstractContextManager[None]]) -> None:
    """Moves are refused, hands are shown, and `health` reports the fault. The log notes its start and end once."""
    disk, log = tmp_path / "disk", tmp_path / "bot.log"
    with small_disk(disk) as mounted:
        if not mounted and fault is not locked:
            pytest.skip("mounting is not allowed here")
        database = disk / "deadwood.db"
        onlooker = Onlooker(new_database(database))
        async with Sandbox(hall(1, running=True)) as sandbox, hosted(sandbox, disk, log):
            witness, heart = Witness(), Heartbeat(database)
            sandbox.interactions.observers.append(witness)
            players = [Player(sandbox, name, sandbox.channel("table-1"), "trouble") for name in pair(1)]
            await sit_down(sandbox, *players)
            (mover,) = await sandbox.until(lambda: [player for player in players if player.has_turn])
            deed = mover.choose()
            assert deed is not None
            assert deed.action is not Action.SHOW_HAND
            begun = asyncio.get_running_loop().time()
            with fault(database):
                while asyncio.get_running_loop().time() - begun < TROUBLE:
                    clicked = await mover.click(deed)
                    # The bot waits for the database longer than Discord waits for a first response.
                    answer = await sandbox.until(partial(_refusal, clicked))
                    assert refusals.text(Unavailable(), PersonId(mover.person.id)) in answer[0].text
                    shown = await (await mover.person.slash("gin hand", mover.channel)).done()
                    assert shown.message is not None
                    assert deed.action in actions_of(shown.message)
                assert heart.trouble() is not None
            # `health` reports slow answers for a while afterwards.
            await eventually(lambda: heart.trouble() is None, 2 * PERIOD)
            counted = await (await mover.click(deed)).done()
            assert accent_of(counted.message) != Accent.TROUBLE.value
            await settled(sandbox, onlooker)
            verify(onlooker, witness, players, cards_of=real_cards)
            assert not sandbox.unanswered
    told = [line for line in log.read_text().splitlines() if "bot.store.health" in line]
    assert ["has trouble" in line for line in told] == [True, False], told

"""However often the bot is killed, each reminder of the deal of the day comes once."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.model.ids import ChannelId
from bot.play.refusals import Unavailable
from bot.sandbox import Request
from cogs.actions import Action
from tests.cogs.scenes import person_of
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.table import prefer
from tests.helpers.worlds import stopped_world
from tests.proof.deaths import SimulatedKillError, prepare_runs

KILL_POINTS: Final = (
    *("before delivery", "after a post", "before outcomes are recorded", "while outcomes are recorded"),
    *("before a replaced message is deleted", "after a message is deleted", "after outcomes are recorded"),
)
HOUR: Final = timedelta(hours=1)


@pytest.mark.thorough
@pytest.mark.parametrize("fate", nightly_after(2, KILL_POINTS))
async def test_a_daily_reminder_comes_once_wherever_the_bot_dies(tmp_path: Path, fate: str) -> None:
    """Wherever the bot is killed, a reminder replaces the last one, and the person is notified of it once."""
    clock, nonces = Clock(), set[str]()

    def note(request: Request) -> None:
        if request.method == "POST" and f":{Action.STOP_DAILY}" in json.dumps(request.payload):
            nonces.add(request.payload["nonce"])

    async with prepare_runs(tmp_path, stopped_world(), clock) as lives:
        lives.sandbox.journal.observers.append(note)
        north = lives.sandbox.person("North")
        async with lives.run() as life:
            app, person = life.alive.app, person_of(north)
            await app.people.save_person(person)
            await app.people.save_dm_opened(person.id, ChannelId(north.dm.id))
            await prefer(app, person, daily_hour=clock.now.hour)
            await app.daily_reminders.request_due()
            await life.alive.idle()
        clock.pass_by(23 * HOUR)
        async with lives.run() as life:
            await life.alive.idle()
            clock.pass_by(HOUR)
            with life.killed_at(fate):
                with suppress(SimulatedKillError, Unavailable):
                    await life.alive.app.daily_reminders.request_due()
                life.alive.app.outbox.notify()
                await life.wait_for_death()
        async with lives.run() as life:
            await life.alive.app.daily_reminders.request_due()
            await life.alive.idle()
        reminders = [message for message in north.direct_messages() if has_button(message, Action.STOP_DAILY)]
        assert len(reminders) == 1
        assert len(nonces) == 2

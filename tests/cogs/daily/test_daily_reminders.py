"""Reminders of the deal of the day by direct message."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.daily import day_at, end_of
from bot.model.ids import PersonId
from bot.play.outbox.daily_reminders import REMINDER_LIFETIME
from bot.sandbox import Message, Person, Refuse
from cogs.actions import Action
from cogs.words.clocks import date_of
from cogs.words.daily import name
from tests.cogs.scenes import Scene, buttons, hands, open_scene, person_of
from tests.helpers.clock import Clock
from tests.helpers.components import has_button
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import prefer
from tests.helpers.thinkers import use_local_thinker

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NEXT_HOUR = 13
"""The hour that begins an hour after the first moment of the clock."""
OPENINGS = "POST /users/@me/channels"


@pytest.fixture(autouse=True)
def immediate_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have computers answer immediately, even if the machine is busy."""
    use_local_thinker(monkeypatch)


def reminders(person: Person) -> list[Message]:
    """Return the reminders among a person's direct messages."""
    return [message for message in person.direct_messages() if has_button(message, Action.STOP_DAILY)]


async def choose_hour(scene: Scene, hour: int = NEXT_HOUR, *, in_dms: bool = True) -> Message:
    """Have North choose the hour of the reminder, and return the preferences."""
    panel = (await scene.use(scene.north, "gin me preferences", None if in_dms else scene.channel)).message
    await scene.change_setting(scene.north, panel, Action.PREFER_DAILY, f"{hour}:00")
    return panel


async def chosen_hour(scene: Scene) -> int | None:
    return (await scene.bot.app.people.preferences(PersonId(scene.north.id))).daily_hour


async def remind(scene: Scene, clock: Clock, wait: timedelta) -> list[Message]:
    """Let time pass, send the reminders that are due, and return those that North has."""
    await scene.wait_until_idle()
    await scene.advance(clock, wait)
    await scene.bot.app.daily_reminders.request_due()
    await scene.wait_until_idle()
    return reminders(scene.north)


async def test_a_reminder_leads_to_the_deal(tmp_path: Path, clock: Clock) -> None:
    """The reminder arrives at the chosen hour, its button leads to the try, and then it is deleted."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        await choose_hour(scene)
        pushes = len(scene.north.pushes)
        (reminder,) = await remind(scene, clock, HOUR)
        assert len(scene.north.pushes) == pushes + 1
        assert name(day_at(clock.now)) in reminder.text
        # The message stays, so a relative time would soon be wrong.
        ends = date_of(end_of(day_at(clock.now)))
        assert ends in reminder.text
        assert buttons(reminder) == [Action.DAILY, Action.STOP_DAILY]
        invitation = (await scene.press(scene.north, reminder, Action.DAILY)).message
        assert invitation is not reminder
        assert ends in invitation.text
        await scene.press(scene.north, invitation, Action.START_DAILY)
        await scene.wait_until_idle()
        assert reminders(scene.north) == []
        assert len(hands(scene.north)) == 1


async def test_reminders_are_stopped_by_a_press(tmp_path: Path, clock: Clock) -> None:
    """*Stop reminders* switches them off and says so in place of the reminder, which still leads to the deal."""
    async with open_scene(tmp_path, clock=clock) as scene:
        await choose_hour(scene)
        (reminder,) = await remind(scene, clock, HOUR)
        stopped = (await scene.press(scene.north, reminder, Action.STOP_DAILY)).message
        assert stopped is reminder
        assert buttons(stopped) == [Action.DAILY]
        assert await chosen_hour(scene) is None
        assert await remind(scene, clock, DAY) == []
        await choose_hour(scene)
        assert len(await remind(scene, clock, DAY)) == 1
        assert stopped.deleted


@pytest.mark.thorough
@pytest.mark.parametrize("why", ["closed", "left"])
async def test_a_refused_reminder_is_the_last(tmp_path: Path, clock: Clock, why: str) -> None:
    """If Discord refuses a reminder, reminders are switched off, and nothing is tried again."""
    async with open_scene(tmp_path, clock=clock) as scene:
        await choose_hour(scene)
        await scene.wait_until_idle()
        if why == "closed":
            scene.north.user.open_dms = False
        else:
            assert scene.channel.guild is not None
            scene.sandbox.moderation.leave(scene.channel.guild, scene.north.user)
        refusals = scene.sandbox.journal.refusals
        assert await remind(scene, clock, HOUR) == []
        assert refusals[50007] + refusals[50278] == 1
        assert await chosen_hour(scene) is None
        assert await remind(scene, clock, DAY) == []
        assert refusals[50007] + refusals[50278] == 1


async def test_preferences_say_why_reminders_stopped(tmp_path: Path, clock: Clock) -> None:
    """After a refusal, the preferences say why there is no reminder; choosing an hour again switches it on again."""
    async with open_scene(tmp_path, clock=clock) as scene:
        await choose_hour(scene)
        scene.north.user.open_dms = False
        await remind(scene, clock, HOUR)
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        # Check the exact wording.
        assert "**Deal of the day:** no reminder, because I can't send you DMs" in panel.text.splitlines()
        scene.north.user.open_dms = True
        await scene.change_setting(scene.north, panel, Action.PREFER_DAILY, f"{NEXT_HOUR}:00")
        assert len(await remind(scene, clock, DAY)) == 1


@pytest.mark.thorough
@pytest.mark.parametrize("code", [50013, 10003])
async def test_another_failure_drops_one_reminder(tmp_path: Path, clock: Clock, code: int) -> None:
    """A reminder that Discord refuses for another reason is dropped; the next day's one still comes."""
    async with open_scene(tmp_path, clock=clock) as scene:
        await choose_hour(scene)
        await scene.wait_until_idle()
        to_north = f"POST /channels/{scene.north.dm.id}/messages"
        refused = scene.sandbox.faults.requests(Refuse(code), on=to_north, times=1)
        assert await remind(scene, clock, HOUR) == []
        assert refused.hits == 1
        assert await remind(scene, clock, REMINDER_LIFETIME / 2) == []
        assert len(await remind(scene, clock, DAY - REMINDER_LIFETIME / 2)) == 1


async def test_no_conversation_is_opened_for_a_reminder(tmp_path: Path, clock: Clock) -> None:
    """Without an open conversation, the preferences say how to open one; the bot opens none."""
    async with open_scene(tmp_path, clock=clock) as scene:
        await prefer(scene.bot.app, person_of(scene.north), hand_by_dm=False)
        panel = await choose_hour(scene, in_dms=False)
        # Check the exact wording.
        assert "a reminder at 13:00 UTC, once you open a DM with me" in panel.text
        assert await remind(scene, clock, HOUR) == []
        panel = await choose_hour(scene)
        assert "**Deal of the day:** a reminder at 13:00 UTC" in panel.text.splitlines()
        assert len(await remind(scene, clock, HOUR / 2)) == 1
        assert scene.sandbox.journal.routes[OPENINGS] == 0


async def test_an_hour_in_quiet_hours_is_pointed_out(tmp_path: Path, clock: Clock) -> None:
    """The preferences show the time zone of the hour, and say that no reminder comes in quiet hours."""
    async with open_scene(tmp_path, clock=clock) as scene:
        panel = await choose_hour(scene, 23)
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, Action.PREFER_DAILY)
        assert "UTC" in panel.text
        await scene.use(scene.north, "gin me preferences", time_zone="Europe/Paris")
        panel = (await scene.use(scene.north, "gin me preferences")).message
        # Check the exact wording.
        assert "**Deal of the day:** a reminder at 23:00, but that's in your quiet hours" in panel.text.splitlines()
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, Action.PREFER_DAILY)
        assert "Europe/Paris" in panel.text

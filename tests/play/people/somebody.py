"""A person with data in every table, whose name and id do not occur in any other data."""

from __future__ import annotations

from typing import Final

from bot.lesson.script import CONTINUE
from bot.model.ids import PersonId
from bot.model.people import Person
from bot.model.seasons import Seasons
from bot.opponent.play.levels import Level
from bot.play.application import Application
from tests.helpers.messages import FakeCourier
from tests.helpers.table import EAST, NORTH, OTHER_GUILD, WEST, Players, change_settings, interaction, place, prefer

SOMEBODY: Final = Person(PersonId(2**62 + 987_654_321), "Zoë Somebody ♣")


async def use_every_feature(app: Application, courier: FakeCourier) -> None:
    """Use all features that store rows: lessons, blocks, matches, practice, proposals, challenges and messages."""
    table = Players(app, (SOMEBODY, NORTH))
    await table.open_dms(SOMEBODY, NORTH)
    await change_settings(app, seasons=Seasons.MONTHLY)
    finished = await table.begin("classic target=10")
    await courier.deliver()
    await app.lessons.press(SOMEBODY, 0, CONTINUE)
    await app.blocks.block(SOMEBODY, PersonId(5))
    await table.win(finished.id)
    await app.luck_counting.count_some()
    await change_settings(app, seasons=Seasons.NONE)
    await app.endings.rematch(SOMEBODY.id, finished.id, words="Zoë again")
    running = await table.begin()
    await app.words.give(SOMEBODY.id, running.id, "Zoë's own words", interaction())
    held = (await app.lookup.hand(SOMEBODY.id, running.id)).view.hand
    await app.arranging.arrange(SOMEBODY.id, running.id, [*held])
    for _ in range(2):
        await app.practice.commit(SOMEBODY.id)
        await courier.deliver()
        if not await app.lookup.hands(SOMEBODY.id, OTHER_GUILD):
            await app.practice.start(SOMEBODY, None, interaction(), level=Level.NOVICE)
    await prefer(app, SOMEBODY, daily_hour=12)
    await app.daily_reminders.request_due()
    await app.holidays.take(SOMEBODY, 3)
    await app.challenges.issue(SOMEBODY, [WEST.id], place(), interaction())
    await app.challenges.issue(EAST, [SOMEBODY.id], place(), interaction())
    await app.challenges.issue(EAST, [NORTH.id, SOMEBODY.id], place(), interaction(), rules="penalty")
    await courier.deliver()
    await app.daily_tries.start(SOMEBODY, OTHER_GUILD, interaction())

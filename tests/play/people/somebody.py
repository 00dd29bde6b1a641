"""A person with data in every table, whose name and id are contained in nothing else."""

from __future__ import annotations

from typing import Final

from bot.lesson.script import READ_ON
from bot.opponent.levels import Level
from bot.play.application import Application
from bot.values.ids import PersonId
from bot.values.people import Person
from bot.values.seasons import Seasons
from tests.helpers.messages import FakeCourier
from tests.helpers.table import EAST, NORTH, OTHER_GUILD, WEST, Players, change_settings, interaction, place

SOMEBODY: Final = Person(PersonId(2**62 + 987_654_321), "Zoë Somebody ♣")


async def live(app: Application, courier: FakeCourier) -> None:
    """Do everything that stores rows: lessons, matches, practice, proposals, challenges and messages."""
    table = Players(app, (SOMEBODY, NORTH))
    await table.reach(SOMEBODY, NORTH)
    await change_settings(app, seasons=Seasons.MONTHLY)
    over = await table.begin("classic target=10")
    await courier.deliver()
    await app.lessons.press(SOMEBODY, 0, READ_ON)
    await table.win(over.id)
    await app.luck_counting.count_some()
    await change_settings(app, seasons=Seasons.NONE)
    await app.endings.rematch(SOMEBODY.id, over.id, words="Zoë again")
    running = await table.begin()
    await app.words.give(SOMEBODY.id, running.id, "Zoë's own words", interaction())
    for _ in range(2):
        await app.practice.commit(SOMEBODY.id)
        await courier.deliver()
        if not await app.lookup.hands(SOMEBODY.id, OTHER_GUILD):
            await app.practice.start(SOMEBODY, None, interaction(), level=Level.NOVICE)
    await app.holidays.take(SOMEBODY, 3)
    await app.challenges.issue(SOMEBODY, [WEST.id], place(), interaction())
    await app.challenges.issue(EAST, [SOMEBODY.id], place(), interaction())
    await app.challenges.issue(EAST, [NORTH.id, SOMEBODY.id], place(), interaction(), rules="penalty")
    await courier.deliver()

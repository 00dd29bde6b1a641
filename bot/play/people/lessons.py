"""How far each person is in the lesson."""

from __future__ import annotations

from bot.lesson.lesson import positions
from bot.play.loading.unit_of_work import Service, UnitOfWork, shielded
from bot.store import lessons, people
from bot.values.ids import PersonId
from bot.values.people import Person


class Lessons(Service):
    """The lesson as people take it. A step is a place in `positions()`, and the number of them is the end."""

    async def step(self, person_id: PersonId) -> int:
        """Return the step that a person is at."""
        async with self._units.read() as unit:
            return await _step(unit, person_id)

    @shielded
    async def press(self, person: Person, step: int, press: str) -> int:
        """Press something at a step, and return the step that the person is at then.

        Only what the step asks for moves them on. At another step than theirs nothing does.
        """
        async with self._units.write() as unit:
            now = await _step(unit, person.id)
            if step != now or now == len(positions()) or press != positions()[now].press:
                return now
            await people.save_name(unit.transaction, person, unit.now)
            await lessons.save(unit.transaction, person.id, now + 1)
            return now + 1

    @shielded
    async def start_over(self, person_id: PersonId, step: int) -> int:
        """Go back to the beginning from a step, and return the step that the person is at then.

        From another step than theirs nobody goes anywhere.
        """
        async with self._units.write() as unit:
            now = await _step(unit, person_id)
            if step != now:
                return now
            await lessons.forget(unit.transaction, person_id)
            return 0


async def _step(unit: UnitOfWork, person_id: PersonId) -> int:
    """Return a person's step. One that was saved when the lesson was longer is the end."""
    return min(await lessons.step(unit.transaction, person_id) or 0, len(positions()))

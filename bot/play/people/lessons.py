"""Each person's progress in the lesson."""

from __future__ import annotations

from bot.lesson.lesson import positions
from bot.play.loading.unit_of_work import Service, UnitOfWork, shielded
from bot.store import lessons, people
from bot.values.ids import PersonId
from bot.values.people import Person


class Lessons(Service):
    """People's progress. A step is an index into `positions()`, and their number is the end of the lesson."""

    async def step(self, person_id: PersonId) -> int:
        async with self._units.read() as unit:
            return await _step(unit, person_id)

    @shielded
    async def press(self, person: Person, step: int, press: str) -> int:
        """Press a button at a step, and return the person's step after that.

        Only the requested button advances them, and only if `step` is their current step.
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
        """Restart the lesson, and return the person's step after that.

        Do nothing if `step` is not their current step.
        """
        async with self._units.write() as unit:
            now = await _step(unit, person_id)
            if step != now:
                return now
            await lessons.forget(unit.transaction, person_id)
            return 0


async def _step(unit: UnitOfWork, person_id: PersonId) -> int:
    """Return a person's step. A step beyond the end, from when the lesson was longer, counts as the end."""
    return min(await lessons.step(unit.transaction, person_id) or 0, len(positions()))

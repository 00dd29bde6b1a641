"""Each person's progress in the lesson."""

from __future__ import annotations

from bot.lesson.lesson import positions
from bot.model.ids import PersonId
from bot.model.people import Person
from bot.play.loading.unit_of_work import Service, UnitOfWork, shielded
from bot.store import lessons, people


class Lessons(Service):
    """People's progress in the lesson. A step is an index into `positions()`; `len(positions())` is the end."""

    async def step(self, person_id: PersonId) -> int:
        async with self._units.read() as unit:
            return await _step(unit, person_id)

    @shielded
    async def press(self, person: Person, step: int, button: str) -> int:
        """Press a button at a step, and return the person's step after that.

        Only the button that the lesson asks for advances them, and only if `step` is their current step.
        """
        async with self._units.write() as unit:
            current = await _step(unit, person.id)
            if step != current or current == len(positions()) or button != positions()[current].press:
                return current
            people.save_name(unit.transaction, person, unit.now)
            await lessons.save(unit.transaction, person.id, current + 1)
            return current + 1

    @shielded
    async def start_over(self, person_id: PersonId, step: int) -> int:
        """Restart the lesson, and return the person's step after that.

        Do nothing if `step` is not their current step.
        """
        async with self._units.write() as unit:
            current = await _step(unit, person_id)
            if step != current:
                return current
            await lessons.forget(unit.transaction, person_id)
            return 0


async def _step(unit: UnitOfWork, person_id: PersonId) -> int:
    """Return a person's step. A step beyond the end was saved when the lesson was longer, and counts as the end."""
    return min(await lessons.step(unit.transaction, person_id) or 0, len(positions()))

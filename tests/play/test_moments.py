"""A system clock that jumps forward a day and back delays nothing by a day."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.play.application import Application, now
from bot.play.refusals import ChallengeClosed
from bot.values.challenges import EXPIRES_AFTER
from bot.values.clocks import NO_CLOCK_FOR
from tests.helpers.clock import Clock
from tests.helpers.databases import opened
from tests.helpers.table import EAST, ELSEWHERE, SOUTH, Players, interaction, place

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize("restarted", [False, True])
async def test_what_a_clock_that_was_ahead_put_off_is_due_in_time(
    app: Application, players: Players, clock: Clock, restarted: bool
) -> None:
    """A match is abandoned and a challenge closed as if it had happened when the clock was right again."""
    match = await players.begin()
    if not restarted:
        await app.moments.repair()
    clock.pass_by(DAY)
    await Players(app).look_at_times()
    waiting = await players.to_act(match.id)
    await players.move(match.id, "pass")
    challenge = await app.challenges.issue(EAST, [SOUTH.id], place(ELSEWHERE), interaction())
    clock.pass_by(-DAY)
    await Players(app).look_at_times()
    await app.moments.repair()
    assert not (await app.lookup.hand(waiting.id, match.id)).may_claim
    clock.pass_by(EXPIRES_AFTER)
    await Players(app).look_at_times()
    with pytest.raises(ChallengeClosed):
        await app.challenges.accept(SOUTH, challenge.id)
    clock.pass_by(NO_CLOCK_FOR - EXPIRES_AFTER)
    await Players(app).look_at_times()
    assert (await app.lookup.hand(waiting.id, match.id)).may_claim


async def test_a_clock_that_goes_right_changes_nothing(app: Application, players: Players, clock: Clock) -> None:
    """What happened stays when it happened, however often that is looked after."""
    match = await players.begin()
    await app.moments.repair()
    moved_at = (await app.lookup.info(match.id)).moved_at
    clock.pass_by(MINUTE)
    await app.moments.repair()
    assert (await app.lookup.info(match.id)).moved_at == moved_at


@pytest.mark.slow
@pytest.mark.postgresql
@pytest.mark.parametrize(("ahead", "told"), [(0, 0), (60, 1), (-60, 1)])
async def test_a_clock_that_differs_from_the_databases_is_told(tmp_path: Path, ahead: int, told: int) -> None:
    """Whichever of the two is wrong, since other hosts use the database."""
    async with opened(tmp_path / "deadwood.db") as database:
        with capture_logs() as lines:
            await Application(database, clock=lambda: now() + timedelta(seconds=ahead)).moments.repair()
    assert [round(line["seconds_ahead"]) for line in lines] == [ahead] * told

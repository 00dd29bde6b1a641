"""Matches continue although answers are late, are lost or fail, and no message stays outdated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Final

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.play.outbox.outbox import Work
from bot.sandbox import MEMBER_DEFAULTS, Delay, Expire, Hangup, Message, Refuse, Request, Reset, Reupload, ServerError
from bot.store import tables
from cogs.actions import Action
from cogs.delivery.refusals import FAULT
from cogs.kit import admission, answers
from cogs.kit.messages import Message as Wanted
from cogs.tables import table_panel as panels
from cogs.turns.hand_panel import hand as hand_panel
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import controls
from tests.helpers.databases import fetch
from tests.helpers.living import RunningBot, running_bot
from tests.helpers.message_parts import parts, texts_in
from tests.helpers.players import Player, challenge_and_accept, newest_message_with, table_of
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.worlds import hall, pair

MATCH: Final = MatchId(1)
ANSWERS: Final = "* /interactions/*"
LATER_ANSWERS: Final = "PATCH /webhooks/*"
EDITS: Final = "PATCH /channels/*"
SENDS: Final = "POST /channels/*"
FAULTS: Final = (
    (Expire(), ANSWERS),
    (Refuse(50001), ANSWERS),
    (Refuse(10008), ANSWERS),
    (Reupload(), ANSWERS),
    (Reset(applied=True), ANSWERS),
    (Hangup(), ANSWERS),
    (Delay(1), ANSWERS),
    (ServerError(applied=True), ANSWERS),
    (Reset(), LATER_ANSWERS),
    (Reupload(), EDITS),
    (Delay(3), EDITS),
    (Reset(applied=True), EDITS),
    (Delay(3), SENDS),
    (Reset(applied=True), SENDS),
    (Refuse(50278), "POST /channels/{dm}/messages"),
)
EXPECTED_EVENTS: Final = {
    "a message will be retried",
    "deleting a replaced message will be retried",
    "an answer could not be deferred",
    "an interaction failed",
    "a try-again-later reply could not be sent",
    "too late to answer",
}
"""The events that the bot may log during the faults."""

ACTS_BETWEEN_CHECKS: Final = 8


class OutdatedAnswerWatch:
    """Finds answers that put an older state of the match into a message."""

    def __init__(self, alive: RunningBot) -> None:
        self._alive = alive
        self._newest: dict[int, int] = {}
        self.outdated: list[str] = []
        alive.sandbox.journal.observers.append(self._look)

    def _look(self, request: Request) -> None:
        for channel in self._alive.sandbox.world.channels.values():
            for message in channel.messages.values():
                shown = max((control.event.version for control in controls(message)), default=0)
                newest = self._newest[message.id] = max(shown, self._newest.get(message.id, 0))
                if 0 < shown < newest and message is self._answered(request):
                    self.outdated.append(f"{request.method} {request.route}: {shown} after {newest}")

    def _answered(self, request: Request) -> Message | None:
        """Return the message that a request updated as the answer to an interaction. Return None for other requests."""
        parts, interactions = request.path.split("/"), self._alive.sandbox.interactions
        if request.code is not None:
            return None
        if parts[1] == "interactions" and request.payload["type"] == 7:
            return interactions.by_id[int(parts[2])].original
        return (
            interactions.by_token[parts[3]].original if request.method == "PATCH" and parts[1] == "webhooks" else None
        )


@pytest.mark.nightly
@pytest.mark.parametrize(("seed", "acts"), nightly_after(1, [(1, 16), *((seed, 48) for seed in range(1, 21))]))
async def test_screens_are_up_to_date_after_any_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, acts: int
) -> None:
    """After failed answers, removals of the bot and deletions of the table's post, all messages are up to date."""
    monkeypatch.setattr(answers, "DEFER_AFTER", 0.2)
    # Time passes fast in this test, so the bot must not drop interactions that seem late.
    monkeypatch.setattr(admission, "RESPONSE_TIMEOUT", 600)
    # The bot must not refuse clicks here because a person's earlier ones are still in progress.
    monkeypatch.setattr(admission, "MAX_ANSWERS_PER_PERSON", 10)
    random, clock = Random(f"doubt {seed}"), Clock()
    async with running_bot(tmp_path, world=hall(1), shuffler=SeededShuffler(seed), clock=clock) as alive:
        sandbox, channel = alive.sandbox, alive.sandbox.channel("table-1")
        sandbox.interactions.response_timeout = 600
        players = [Player(sandbox, name, channel, seed, by_dm=not number) for number, name in enumerate(pair(1))]
        await challenge_and_accept(sandbox, players[0], players[1], target=25)
        watch = OutdatedAnswerWatch(alive)
        with capture_logs() as logged:
            for act in range(acts):
                if act % ACTS_BETWEEN_CHECKS == 0:
                    await _wait_until_calm(alive, clock, players)
                    await _check(alive, players)
                if players[0].is_over:
                    break
                for fault, on in random.sample(FAULTS, random.randrange(3)):
                    # At most one fault on each route: several could leave an interaction without any answer.
                    if all(armed_request.pattern != on for armed_request in sandbox.faults.armed_requests):
                        sandbox.faults.requests(fault, on=on.format(dm=players[0].person.dm.id))
                async with _passing_time(alive, clock):
                    await _play(alive, players, random)
            await _wait_until_calm(alive, clock, players)
        await _check(alive, players)
        assert watch.outdated == []
        assert {str(line["event"]) for line in logged} <= EXPECTED_EVENTS
        counted = {row[0] for row in await fetch(alive.database, select(tables.action.c.interaction_id))}
        assert not any(FAULT in made.text for player in players for made in player.interactions if made.id in counted)


async def _play(alive: RunningBot, players: Sequence[Player], random: Random) -> None:
    """Let all players whose turn it is click, some twice. At random, a moderator deletes the table or kicks the bot."""
    sandbox, (reachable, other) = alive.sandbox, players
    if random.random() < 0.1 and (table := newest_message_with(reachable, Action.SHOW_RULES)) is not None:
        sandbox.moderation.delete_message(table)
    if random.random() < 0.05:
        guild = next(iter(sandbox.world.guilds.values()))
        await alive.idle()
        sandbox.moderation.remove_bot(guild)
        await alive.idle()
        await reachable.act()
        await alive.idle()
        sandbox.moderation.add_bot(guild, MEMBER_DEFAULTS)
        return
    ready = [player for player in players if player.has_turn]
    if not ready:
        await (await other.person.slash("gin hand", other.channel)).answer()
    await asyncio.gather(*(player.act() for player in ready for _ in range(random.choice((1, 1, 2)))))


@asynccontextmanager
async def _passing_time(alive: RunningBot, clock: Clock) -> AsyncGenerator[None]:
    """Let time pass during the block, so that delayed requests arrive and failed requests are retried."""

    async def pass_by() -> None:
        while True:
            await asyncio.sleep(0.02)
            _advance_clocks(alive, clock, timedelta(seconds=0.2))

    passing = asyncio.create_task(pass_by())
    try:
        yield
    finally:
        passing.cancel()


async def _wait_until_calm(alive: RunningBot, clock: Clock, players: Sequence[Player]) -> None:
    """End all faults, and wait until no message is due.

    If the table was deleted, let a player ask for a new one, because the bot may not have noticed.
    """
    alive.sandbox.faults.clear()
    if not any(player.is_over or newest_message_with(player, Action.SHOW_RULES) for player in players):
        await (await players[1].person.slash("gin table", players[1].channel)).answer()
    while True:
        _advance_clocks(alive, clock, timedelta(minutes=1))
        await alive.idle()
        if await alive.app.outbox.work() == Work():
            return


def _advance_clocks(alive: RunningBot, clock: Clock, span: timedelta) -> None:
    clock.pass_by(span)
    alive.sandbox.world.clock.advance(span.total_seconds())
    alive.app.outbox.notify()


async def _check(alive: RunningBot, players: Sequence[Player]) -> None:
    """Check that the table and the hand in direct messages show the current state of the match."""
    lookup, pictures, reachable = alive.app.lookup, alive.client.pictures, players[0]
    hand = await lookup.hand(PersonId(reachable.person.id), MATCH)
    (shown,) = [direct_message for direct_message in reachable.person.direct_messages() if not direct_message.ephemeral]
    _compare(shown, await hand_panel(hand, pictures))
    if hand.match.status is MatchStatus.RUNNING:
        _compare(table_of(reachable), await panels.table(await lookup.table(MATCH), pictures))
    else:
        assert reachable.is_over
        assert newest_message_with(reachable, Action.SHOW_RULES) is None


def _compare(shown: Message, wanted: Wanted) -> None:
    """Check that a message shows the wanted texts, buttons and files. An additional notice is allowed."""
    assert [text for text in texts_in(wanted) if text not in shown.text] == []
    custom_ids = {part["custom_id"] for part in parts(wanted) if "custom_id" in part}
    assert {control.custom_id for control in controls(shown, disabled=True)} == custom_ids
    assert [attachment.filename for attachment in shown.attachments] == [file.name for file in wanted.attached]

"""If the bot stops after a post but before recording it, the post is neither duplicated nor left behind."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.model.outbox import MessageKind
from bot.play.outbox.outbox import Outbox, Outcome
from cogs.actions import Action
from cogs.delivery import courier
from tests.helpers.clock import Clock
from tests.helpers.databases import new_database, without_fsync
from tests.helpers.living import bot_on, sandbox_of
from tests.helpers.players import Player, challenge_and_accept, press
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.worlds import hall, pair


@pytest.mark.thorough
@pytest.mark.parametrize("moves_before_the_end", [False, True])
async def test_a_call_whose_record_is_lost_is_not_duplicated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves_before_the_end: bool
) -> None:
    """If the bot dies before recording a ping, the ping is there once after a restart, or gone if the turn is over."""
    record = Outbox.record

    async def lose_calls(outbox: Outbox, outcomes: Sequence[Outcome] = ()) -> None:
        if any(outcome.message.kind is MessageKind.PING for outcome in outcomes):
            raise ConnectionError("the bot dies before this is saved")
        await record(outbox, outcomes)

    monkeypatch.setattr(courier, "SHUTDOWN_TIMEOUT", 0.01)
    url, clock = new_database(tmp_path / "deadwood.db"), Clock()
    with without_fsync():
        async with sandbox_of(hall(1)) as sandbox:
            first, second = (
                Player(sandbox, name, sandbox.channel("table-1"), 1, by_dm=number == 1)
                for number, name in enumerate(pair(1))
            )
            with monkeypatch.context() as dying:
                dying.setattr(Outbox, "record", lose_calls)
                async with bot_on(sandbox, url, clock=clock, shuffler=RiggedShuffler()):
                    await challenge_and_accept(sandbox, first, second)
                    await sandbox.until(lambda: first.call)
                    if moves_before_the_end:
                        await first.act()
                        panel = first.panel
                        assert panel is not None
                        await press(first.person, panel, Action.PASS)
            async with bot_on(sandbox, url, clock=clock, shuffler=RiggedShuffler()) as alive:
                await alive.idle()
                calls = [message for message in first.person.pushes if not message.deleted]
                assert len(first.person.pushes) == 1
                assert len(calls) == int(not moves_before_the_end)
                # Apart from the ping, there are three posts: the commitment, the challenge and the table.
                posts = [message for message in sandbox.channel("table-1").messages.values() if not message.ephemeral]
                assert len(posts) == 3 + len(calls)

"""Orders, arranged cards and requests that were saved just before the bot was killed still count after its restart.

The kills are simulated. In `test_kills`, real processes are killed while players plan ahead.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from bot.engine.deals.moves import TAKE, Verb
from bot.engine.deals.phase import Phase
from bot.model.ids import MatchId, PersonId
from bot.model.matches import OwnHand, Proposal
from bot.model.orders import NO_ORDERS, Orders, Planned
from bot.play.application import Application
from cogs.actions import Action
from cogs.turns.match_options import ANSWER
from tests.helpers.components import find_control
from tests.helpers.players import PlannedClick, Player, allow_take_backs, challenge_and_accept
from tests.helpers.table import interaction
from tests.helpers.worlds import hall, pair
from tests.proof.deaths import BotRun, BotRuns, prepare_runs
from tests.proof.mortal import AFTER_COMMIT

pytestmark = pytest.mark.thorough

MATCH: Final = MatchId(1)


@asynccontextmanager
async def begun(folder: Path) -> AsyncGenerator[tuple[BotRuns, Player, Player]]:
    """Begin a match in which both players allow take-backs. Yield the bot, the player to act, and the other one."""
    async with prepare_runs(folder, hall(1)) as lives:
        players = [Player(lives.sandbox, name, lives.sandbox.channel("table-1"), "plans") for name in pair(1)]
        async with lives.run() as life:
            await challenge_and_accept(lives.sandbox, *players, target=1000)
            for player in players:
                await allow_take_backs(player)
            await life.alive.idle()
        (mover,) = (player for player in players if player.has_turn)
        (other,) = (player for player in players if player is not mover)
        yield lives, mover, other


async def hand_of(life: BotRun, player: Player) -> OwnHand:
    return await life.alive.app.lookup.hand(PersonId(player.person.id), MATCH)


async def take_and_discard(app: Application, player: Player) -> None:
    """Make a turn as a player, without messages."""
    person_id = PersonId(player.person.id)
    hand = await app.turns.move(person_id, MATCH, TAKE, interaction())
    discard = next(move for move in hand.view.moves if move.verb is Verb.DISCARD)
    await app.turns.move(person_id, MATCH, discard, interaction())


async def click(player: Player, action: Action, argument: str | None = None, value: str | None = None) -> None:
    """Use a button or menu of a player's hand, and wait for the answer."""
    assert player.panel is not None
    control = find_control(player.panel, action, argument)
    assert control is not None, action
    await (await player.click(PlannedClick(player.panel, control, value))).answer()


async def click_and_die(
    life: BotRun, player: Player, action: Action, argument: str | None = None, value: str | None = None
) -> None:
    """Use a button or menu of a player's hand. The bot is killed right after it has saved the change."""
    assert player.panel is not None
    control = find_control(player.panel, action, argument)
    assert control is not None, action
    with life.killed_at(AFTER_COMMIT):
        await player.click(PlannedClick(player.panel, control, value))
        await life.wait_for_death()


async def test_an_order_survives_a_kill(tmp_path: Path) -> None:
    """An order that was saved before a kill is made, or left to the player because the discard helps, but not lost."""
    async with begun(tmp_path) as (lives, mover, other):
        async with lives.run() as life:
            await click_and_die(life, other, Action.GIVE_ORDERS, value="draw")
        async with lives.run() as life:
            assert (await hand_of(life, other)).orders == Orders(draws=True)
            await take_and_discard(life.alive.app, mover)
            hand = await hand_of(life, other)
            assert (hand.planned, hand.view.public.phase) in (
                (Planned.DONE, Phase.DISCARD),
                (Planned.LEFT, Phase.DRAW),
            )


async def test_an_order_that_was_taken_back_before_a_kill_is_not_made(tmp_path: Path) -> None:
    """After *Undo* and a kill, the next turn begins without a draw."""
    async with begun(tmp_path) as (lives, mover, other):
        async with lives.run() as life:
            await click(other, Action.GIVE_ORDERS, value="draw")
            await click_and_die(life, other, Action.UNDO_ORDERS)
        async with lives.run() as life:
            await take_and_discard(life.alive.app, mover)
            hand = await hand_of(life, other)
            assert (hand.orders, hand.planned, hand.view.public.phase) == (NO_ORDERS, None, Phase.DRAW)


async def test_arranged_cards_survive_a_kill(tmp_path: Path) -> None:
    """Cards that were moved before a kill lie there after it, and the old message leads back to the hand."""
    async with begun(tmp_path) as (lives, _, other):
        async with lives.run() as life:
            await click(other, Action.ARRANGE)
            *_, last = map(str, (await hand_of(life, other)).view.hand)
            await click(other, Action.ARRANGE, last)
            assert other.panel is not None
            first = find_control(other.panel, Action.ARRANGE_BEFORE)
            assert first is not None
            await click_and_die(life, other, Action.ARRANGE_BEFORE, first.event.argument)
        async with lives.run() as life:
            arranged = (await hand_of(life, other)).arranged
            assert (len(arranged), str(arranged[0])) == (10, last)
            await click(other, Action.REFRESH_HAND)
            assert other.panel is not None
            assert find_control(other.panel, Action.GIVE_ORDERS) is not None


@pytest.mark.parametrize("allows", [False, True])
async def test_a_request_survives_a_kill(tmp_path: Path, allows: bool) -> None:
    """A request can be allowed after a kill. If the bot is killed after that, the card is back, and only once."""
    async with begun(tmp_path) as (lives, mover, other):
        async with lives.run() as life:
            await take_and_discard(life.alive.app, mover)
            await life.alive.idle()
            await click_and_die(life, mover, Action.TAKE_BACK)
        async with lives.run() as life:
            await life.alive.idle()
            assert (await hand_of(life, other)).match.open_proposal is Proposal.TAKE_BACK
            if allows:
                await click_and_die(life, other, Action.TAKE_BACK, ANSWER)
            else:
                await click(other, Action.KEEP_PLAYING)
        async with lives.run() as life:
            await life.alive.idle()
            hand = await hand_of(life, mover)
            assert (hand.view.is_to_act, hand.match.open_proposal) == (allows, None)
            assert mover.has_turn == allows
        assert lives.database.rows("SELECT count(*) FROM action WHERE text LIKE 'back %'") == [(int(allows),)]

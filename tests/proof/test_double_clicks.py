"""Double clicks and both players at once: one move, whoever clicks how often."""

import asyncio
from pathlib import Path

import pytest

from bot.sandbox import Interaction, Sandbox
from tests.helpers.living import living
from tests.helpers.players import MY_HAND, Deed, Player, sit_down
from tests.helpers.seeded_shuffler import SeededShuffler
from tests.helpers.worlds import hall, pair

TIMES = 100
STALE = "The table has moved on"


@pytest.mark.slow
async def test_clicks_at_once_make_one_move_a_hundred_times_of_a_hundred(tmp_path: Path) -> None:
    """Of two clicks by whose turn it is and one by the other player, all at once, one counts; each is answered."""
    shuffler = SeededShuffler("clicks", generous=0)
    async with living(tmp_path, world=hall(1), shuffler=shuffler) as alive:
        sandbox, told = alive.sandbox, dict[int, str]()
        sandbox.interactions.observers.append(lambda made: told.update({made.id: made.text}))
        players = [Player(sandbox, name, sandbox.channel("table-1"), "clicks", by_dm=False) for name in pair(1)]
        await sit_down(sandbox, players[0], players[1], target=1000)
        earlier: dict[Player, tuple[Deed, str]] = {}
        for _ in range(TIMES):
            mover, deed = await _turn(alive.sandbox, players)
            before = await alive.app.lookup.summary(1)
            clicks = [mover.click(deed), mover.click(mover.choose() or deed)]
            clicks += [_again(player, *past) for player, past in earlier.items() if player is not mover]
            earlier[mover] = deed, _custom_id(deed)
            made = await asyncio.gather(*clicks)
            await asyncio.gather(*(click.answer() for click in made))
            after = await alive.app.lookup.summary(1)
            # The end of a deal brings the next deck with it.
            dealt = len(after.deals) - len(before.deals)
            assert after.match.version - before.match.version == 1 + dealt
            assert sum(STALE not in told[click.id] for click in made) == 1


async def _turn(sandbox: Sandbox, players: list[Player]) -> tuple[Player, Deed]:
    """Who has a move to make now, and which; people who were called look at their hands first."""
    while True:
        mover = (await sandbox.until(lambda: [player for player in players if player.has_turn]))[0]
        deed = mover.choose()
        if deed is not None and deed.control != MY_HAND:
            return mover, deed
        await mover.act()


def _custom_id(deed: Deed) -> str:
    """What the control is called that a deed is about."""
    ids = {button.label: button.custom_id for button in deed.message.buttons}
    return ids.get(deed.control) or deed.control


async def _again(player: Player, deed: Deed, custom_id: str) -> Interaction:
    """Do what one did in one's own last turn: a click that crossed an edit on its way."""
    if deed.card is None:
        return await player.person.press(deed.message, custom_id, late=True)
    return await player.person.choose(deed.message, custom_id, deed.card, late=True)

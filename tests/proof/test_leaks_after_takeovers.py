"""After a takeover, neither the computer nor the player who left learns any hidden card.

SQLite only: a transaction that PostgreSQL retries gets another match id, on which the computer's moves depend.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from bot.engine.cards import DECK
from bot.engine.match import Cut, Shuffle, apply, new_match
from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.values.ids import ChannelId
from cogs.kit.actions import Action
from tests.helpers.clock import Clock
from tests.helpers.forgery import click
from tests.helpers.living import living
from tests.helpers.players import Player, gather, press, table_of
from tests.helpers.shufflers import NORTH_ACTS_FIRST, RiggedShuffler
from tests.helpers.worlds import SPECTATOR, hall, pair
from tests.proof.scripts import Deck
from tests.proof.test_leaks import chains_from
from tests.proof.wiretap import Transcript, Wiretap

pytestmark = [pytest.mark.thorough, pytest.mark.sqlite]

TURN: Final = timedelta(days=1, minutes=1)
"""Longer than the time of a turn."""
_ACTIONS: Final = [*Action]
ABOUT_MATCHES: Final = [
    action
    for action in _ACTIONS[_ACTIONS.index(Action.DRAW) : _ACTIONS.index(Action.GAMES)]
    if action not in (Action.LESSON, Action.PRACTISE, Action.REPOST_TABLE)
]
"""The actions about a match, except reposting the table, which anyone who sees the channel may do."""


async def after_takeover(deck: Deck, owner: Seat) -> Transcript:
    """Let a computer take over the first turn at a table of three. Return the output to people except the owner.

    The player who left tries every button of their last hand, and exports their data.
    """
    with TemporaryDirectory() as directory, chains_from("takeover") as commitments:
        clock, world = Clock(), hall(2)
        shuffler = RiggedShuffler(deck, cuts=[NORTH_ACTS_FIRST[:3]])
        async with living(Path(directory), world=world, shuffler=shuffler, clock=clock) as alive:
            channel = alive.sandbox.channel("table-1")
            players = [Player(alive.sandbox, name, channel, 1) for name in (*pair(1), pair(2)[0])]
            people = [player.person for player in players]
            await gather(alive.sandbox, players, rules="rotation", clock="1d flag")
            await alive.idle()
            match = await alive.app.lookup.running_in(ChannelId(channel.id))
            assert match is not None
            await alive.stay_connected(TURN)
            clock.pass_by(TURN)
            await alive.app.timekeeper.look(alive.client.access)
            await alive.idle()
            vacant = (await alive.app.lookup.info(match.id)).vacant_seat
            assert vacant not in (None, owner)
            hiding, leaver = (
                next(one for one in people if one.id == match.players[seat].id) for seat in (owner, vacant or 0)
            )
            kept = (await (await leaver.slash("gin hand", channel)).answer()).message
            for person in people:
                if person is not leaver:
                    await press(person, table_of(players[0]), Action.PLAY_ON)
            await alive.idle()
            assert (await alive.app.lookup.table(match.id)).view.history[0].seat == vacant
            # From here on, no output depends on which changes were merged into one edit.
            tap = Wiretap(alive.sandbox, frozenset((hiding.id,)), commitments)
            for action in ABOUT_MATCHES:
                await click(leaver, kept, action, match.id, argument="1")
                await alive.idle()
            own = (await (await leaver.slash("gin me privacy", channel)).answer()).message
            await press(leaver, own, Action.EXPORT)
            await alive.idle()
            tap.look(alive.person(SPECTATOR), SPECTATOR)
            for person in people:
                if person is not hiding:
                    tap.look(person, person.name)
        return tap.transcript()


async def test_a_computer_that_took_over_sees_and_tells_nothing_more() -> None:
    """Neither the computer's moves nor the leaver's messages depend on a card that only the opponent has seen."""
    deck = tuple(Random("takeover").sample(DECK, len(DECK)))
    start = apply(new_match(Rules.parse("rotation"), 3), Cut(NORTH_ACTS_FIRST[:3]))
    (seating,) = start.due
    (deal,) = apply(start, Shuffle(seating.number, seating.dealer, deck, seating.seats)).playing
    owner = next(seat for seat in deal.seats if seat != deal.to_act)
    other = list(deck)
    # Cards are dealt in turn. The owner's first card is swapped with the last card of the stock.
    held = deal.seats.index(owner)
    other[held], other[-1] = deck[-1], deck[held]
    assert await after_takeover(deck, owner) == await after_takeover(tuple(other), owner)

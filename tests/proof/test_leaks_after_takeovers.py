"""After a takeover, neither the computer nor the player who left learns any hidden card.

SQLite only: if PostgreSQL retries a transaction, the match gets another id, and the computer plays other moves.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from bot.engine.cards.cards import DECK
from bot.engine.deals.moves import Seat
from bot.engine.matches.match import Cut, Shuffle, apply, new_match
from bot.engine.rules import Rules
from bot.model.ids import ChannelId
from cogs.actions import Action
from tests.helpers.clock import Clock
from tests.helpers.forgery import click
from tests.helpers.living import running_bot
from tests.helpers.players import Player, press, start_lobby, table_of
from tests.helpers.shufflers import NORTH_ACTS_FIRST, RiggedShuffler
from tests.helpers.worlds import SPECTATOR, hall, pair
from tests.proof.scripts import Deck
from tests.proof.test_leaks import seeded_chains
from tests.proof.wiretap import Transcript, Wiretap

pytestmark = [pytest.mark.thorough, pytest.mark.sqlite]

MORE_THAN_A_TURN: Final = timedelta(days=1, minutes=1)
"""A little more than the one day that a turn may take."""
_ACTIONS: Final = [*Action]
ABOUT_MATCHES: Final = [
    action
    for action in _ACTIONS[_ACTIONS.index(Action.DRAW) : _ACTIONS.index(Action.GAMES)]
    if action not in (Action.LESSON, Action.PRACTISE, Action.REPOST_TABLE)
]
"""The actions about a match, except reposting the table: everyone who sees the channel may do that."""


async def transcript_after_takeover(deck: Deck, owner: Seat) -> Transcript:
    """Let a computer take over a seat at a table of three, and return the output from then on.

    After the takeover, the player who left tries every action of `ABOUT_MATCHES`, and exports their data. Output that
    only the player at the seat `owner` sees is left out.
    """
    with TemporaryDirectory() as directory, seeded_chains("takeover") as commitments:
        clock, world = Clock(), hall(2)
        shuffler = RiggedShuffler(deck, cuts=[NORTH_ACTS_FIRST[:3]])
        async with running_bot(Path(directory), world=world, shuffler=shuffler, clock=clock) as alive:
            channel = alive.sandbox.channel("table-1")
            players = [Player(alive.sandbox, name, channel, 1) for name in (*pair(1), pair(2)[0])]
            people = [player.person for player in players]
            await start_lobby(alive.sandbox, players, rules="rotation", clock="1d flag")
            await alive.idle()
            match = await alive.app.lookup.running_in(ChannelId(channel.id))
            assert match is not None
            await alive.extend_heartbeats(MORE_THAN_A_TURN)
            clock.pass_by(MORE_THAN_A_TURN)
            await alive.app.timekeeper.check_due(alive.client.access)
            await alive.idle()
            vacant = (await alive.app.lookup.info(match.id)).vacant_seat
            assert vacant not in (None, owner)
            hiding, leaver = (
                next(person for person in people if person.id == match.players[seat].id)
                for seat in (owner, vacant or 0)
            )
            kept = (await (await leaver.slash("gin hand", channel)).answer()).message
            for person in people:
                if person is not leaver:
                    await press(person, table_of(players[0]), Action.PLAY_ON)
            await alive.idle()
            assert (await alive.app.lookup.table(match.id)).view.history[0].seat == vacant
            # Record only from here on: the earlier output depends on which changes were merged into one edit.
            tap = Wiretap(alive.sandbox, frozenset((hiding.id,)), commitments)
            for action in ABOUT_MATCHES:
                await click(leaver, kept, action, match.id, argument="1")
                await alive.idle()
            own = (await (await leaver.slash("gin me privacy", channel)).answer()).message
            await press(leaver, own, Action.EXPORT)
            await alive.idle()
            tap.record_screen(alive.person(SPECTATOR), SPECTATOR)
            for person in people:
                if person is not hiding:
                    tap.record_screen(person, person.name)
        return tap.transcript()


async def test_neither_computer_nor_leaver_learns_hidden_cards() -> None:
    """Neither the computer's moves nor the leaver's messages depend on a card that only the opponent has seen."""
    deck = tuple(Random("takeover").sample(DECK, len(DECK)))
    start = apply(new_match(Rules.parse("rotation"), 3), Cut(NORTH_ACTS_FIRST[:3]))
    (seating,) = start.due_deals
    (deal,) = apply(start, Shuffle(seating.number, seating.dealer, deck, seating.seats)).playing
    owner = next(seat for seat in deal.seats if seat != deal.to_act)
    other = list(deck)
    # Swap the owner's first card with the stock's last. The first cards of all seats are on top of the deck, in order.
    held = deal.seats.index(owner)
    other[held], other[-1] = deck[-1], deck[held]
    assert await transcript_after_takeover(deck, owner) == await transcript_after_takeover(tuple(other), owner)

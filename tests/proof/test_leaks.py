"""Output to people does not depend on cards that they cannot see, nor on secret server seeds."""

import asyncio
import gc
import hashlib
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, cast
from unittest.mock import patch

import pytest
import structlog

from bot.engine.deals.moves import Verb
from bot.engine.fairness.fair import Chain
from bot.engine.matches.match import Play
from bot.model.matches import Table
from bot.play.loading.loaded_match import LoadedMatch
from bot.sandbox import Refuse
from cogs.actions import Action
from cogs.delivery.pictures import Pictures
from cogs.kit.json_components import BUTTON
from cogs.kit.messages import Message
from cogs.tables import table_panel as panels
from tests.helpers.clock import Clock
from tests.helpers.components import find_control
from tests.helpers.living import RunningBot, running_bot
from tests.helpers.message_parts import parts
from tests.helpers.players import PlannedClick, Player, challenge_and_accept, press, table_of
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.worlds import SPECTATOR, hall, pair
from tests.proof.scripts import PAIRS, Case, Deck, cases
from tests.proof.wiretap import Transcript, Wiretap, capture_log, log_lines

pytestmark = pytest.mark.thorough

MOVES = 4
LEAK_MOVES = 1
"""Number of moves in the test that plants leaks: they must be detected this early."""
NO_SWAP, ALL_SWAPS = 0, -1
"""Indexes into the decks of a test case: the first deck has no cards swapped, the last one all of them."""
MIN_PAIRS = 200

Seats = tuple[Player, Player]


@contextmanager
def seeded_chains(seed: str) -> Generator[list[str]]:
    """During the block, derive each match's server seeds from a seed. Yield the growing list of their commitments."""
    commitments = list[str]()

    def draw() -> Chain:
        chain = Chain.ending_with(hashlib.sha256(f"{seed} {len(commitments)}".encode()).digest())
        commitments.append(chain.commitment.hex())
        return chain

    with patch.object(Chain, "random", draw):
        yield commitments


async def replay(played: list[Case], decks: list[Deck], seed: str = "", moves: int = MOVES) -> Transcript:
    """Play the script of each case at a table of its own, with the deck at the same index. Return the output.

    Output that only owners of hidden cards see is left out. The server seeds are derived from `seed` and do not affect
    the cards. After all moves, people also run commands and export their data.
    """
    with TemporaryDirectory() as directory, capture_log() as log, seeded_chains(seed) as commitments:
        world, shuffler = hall(len(played)), RiggedShuffler(*decks)
        async with running_bot(Path(directory), world=world, shuffler=shuffler, clock=Clock()) as alive:
            tables = [_seats(alive, table) for table in range(1, len(played) + 1)]
            hiding = [seats[owner] for case, seats in zip(played, tables, strict=True) for owner in case.owners]
            owners = frozenset(player.person.id for player in hiding)
            tap = Wiretap(alive.sandbox, owners, commitments)
            for first, second in tables:
                await challenge_and_accept(alive.sandbox, first, second)
                await alive.idle()
            for step in range(moves):
                # Each message is up to date before the next move, so that no two changes merge into one edit.
                plays = [(seats, case.script[step]) for case, seats in zip(played, tables, strict=True)]
                await asyncio.gather(*(_make_move(seats[play.seat], play) for seats, play in plays))
                await alive.idle()
            # One table after the other: all have the same spectator, whose commands are rate-limited.
            if moves == MOVES:
                for seats in tables:
                    await _look_around(alive, seats, owners)
                await _fail(alive, tables[0][0])
            await alive.idle()
            tap.record_screen(alive.person(SPECTATOR), SPECTATOR)
            for player in (player for seats in tables for player in seats if player.person.id not in owners):
                tap.record_screen(player.person, player.person.name)
        return tap.transcript() | {"log": log_lines(log)}


def _seats(alive: RunningBot, table: int) -> Seats:
    channel = alive.sandbox.channel(f"table-{table}")
    first, second = (Player(alive.sandbox, name, channel, table) for name in pair(table))
    return first, second


async def _make_move(player: Player, play: Play) -> None:
    """Make a move of the script by a click in the player's direct messages, or two if the first asks a question."""
    card = play.move.card
    action = {Verb.PASS: Action.PASS, Verb.TAKE: Action.TAKE, Verb.DRAW: Action.DRAW, Verb.DISCARD: Action.DISCARD}[
        play.move.verb
    ]
    argument = None if card is None or action is not Action.DISCARD else card.text
    assert player.panel is not None
    if (question := find_control(player.panel, Action.ASK_FIRST, str(play.move))) is not None:
        await (await player.click(PlannedClick(player.panel, question))).answer()
    control = find_control(player.panel, action, argument)
    assert control is not None
    await (await player.click(PlannedClick(player.panel, control))).answer()


async def _look_around(alive: RunningBot, seats: Seats, owners: frozenset[int]) -> None:
    """Let everyone except the cards' owners run commands, including commands that would show a hand or its cards."""
    channel, spectator = seats[0].channel, alive.person(SPECTATOR)
    players = [player.person for player in seats if player.person.id not in owners]
    table = table_of(seats[0])
    for person in (*players, spectator):
        await press(person, table, Action.SHOW_HAND)
        await (await person.slash("gin knock", channel, card="Ks")).answer()
        await (await person.complete("gin discard", channel, option="card", value="")).answer()
    await (await spectator.slash("gin-stats score", channel)).answer()
    await (await spectator.slash("gin-deal verify", channel)).answer()
    for person in players:
        await (await person.slash("gin me words", channel, text="some words")).answer()
    for person in players:
        kept = (await (await person.slash("gin me privacy", channel)).answer()).message
        await press(person, kept, Action.EXPORT)


async def _fail(alive: RunningBot, player: Player) -> None:
    """Make Discord refuse an answer, so that the log and the error report of a failure are compared, too."""
    assert player.panel is not None
    alive.sandbox.faults.requests(Refuse(50035), on="POST /interactions/*/callback")
    await (await player.person.slash("gin hand", player.channel)).answer()


async def differences(
    played: list[Case], variants: Iterable[int], seeds: tuple[str, str] = ("", ""), moves: int = MOVES
) -> dict[str, list[str]]:
    """Play the cases with their first decks, and again with other decks. Return the lines of output that differ.

    The server seeds are derived from `seeds[0]` in the run with the first decks, and from `seeds[1]` in the other runs.
    """
    # Otherwise asyncio could log during one of the runs that nobody retrieved the exception of an earlier test.
    gc.collect()
    usual = await replay(played, [case.decks[NO_SWAP] for case in played], seeds[0], moves)
    found: dict[str, list[str]] = {}
    for variant in variants:
        other = await replay(played, [case.decks[variant] for case in played], seeds[1], moves)
        for key in usual.keys() | other.keys():
            before, after = usual.get(key, []), other.get(key, [])
            if before != after:
                found.setdefault(key, []).extend({*before} ^ {*after} or {"another order"})
    return found


async def test_nothing_depends_on_hidden_cards_or_server_seeds() -> None:
    """If hidden cards and server seeds change, everyone except the cards' owners receives the same bytes.

    The log stays the same, too. Only the commitments differ, because they are derived from the seeds. The hidden cards
    belong to the first player at one table, and to both players at the other. A nightly test also covers hidden cards
    of the second player only.
    """
    one, _, both = islice(cases("hidden", MOVES), 3)
    played = [one, both]
    assert [len(case.owners) for case in played] == [1, 2]
    assert await differences(played, [ALL_SWAPS], ("one", "other")) == {}


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_nothing_depends_on_any_swap_of_hidden_cards() -> None:
    """With at least 200 pairs of decks that differ by one swap of hidden cards, only the owners see a difference."""
    played = list(islice(cases("hidden", MOVES), 7))
    assert len(played) * PAIRS >= MIN_PAIRS
    assert await differences(played, range(1, len(played[0].decks))) == {}


@pytest.mark.nightly
@pytest.mark.both_databases
async def test_nothing_depends_on_a_server_seed() -> None:
    """If only the server seeds change, but not the decks and words, only the commitments differ."""
    played = list(islice(cases("hidden", MOVES), 2))
    assert await differences(played, [NO_SWAP], ("one", "other")) == {}


Leak = Callable[[Message, str], Message]

LEAKY_LINE: Final = "a table is drawn"


def _in_custom_id(message: Message, secret: str) -> Message:
    button = next(part for part in parts(message) if part["type"] == BUTTON)
    cast(dict[str, Any], button)["custom_id"] += f":{secret}"
    return message


def _in_alt_text(message: Message, secret: str) -> Message:
    (picture,) = message.attached
    return replace(message, attached=(replace(picture, alt=f"{picture.alt} {secret}"),))


def _in_log_line(message: Message, secret: str) -> Message:
    structlog.get_logger("cogs.turns").debug(LEAKY_LINE, cards=secret)
    return message


def _in_picture(message: Message, secret: str) -> Message:
    (picture,) = message.attached
    return replace(message, attached=(replace(picture, content=picture.content + bytes.fromhex(secret)),))


LEAKS: Final[tuple[Leak, ...]] = (_in_custom_id, _in_alt_text, _in_picture, _in_log_line)
"""Planted leaks of the deck, each for its own game table. At one more table, a server seed leaks in a custom id."""


async def test_planted_leaks_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A leak of the deck in a custom id, alt text, picture or the log is detected, and so is a leaked server seed."""
    decks, seeds = dict[int, str](), list[str]()
    look, draw, find = LoadedMatch.table, panels.table, Chain.seed

    def found(chain: Chain, event: int) -> bytes:
        seed = find(chain, event)
        seeds.append(hashlib.sha256(seed).hexdigest()[:8])
        return seed

    def looked(loaded: LoadedMatch, number: int, now: datetime) -> Table:
        (deal,) = loaded.state.playing
        decks[loaded.info.id] = hashlib.sha256(repr(deal.deck).encode()).hexdigest()[:8]
        return look(loaded, number, now)

    async def drawn(shown: Table, pictures: Pictures) -> Message:
        table = await draw(shown, pictures)
        if shown.match.id > len(LEAKS):
            return _in_custom_id(table, seeds[-1])
        return LEAKS[shown.match.id - 1](table, decks[shown.match.id])

    monkeypatch.setattr(Chain, "seed", found)
    monkeypatch.setattr(LoadedMatch, "table", looked)
    monkeypatch.setattr(panels, "table", drawn)
    count = len(LEAKS) + 1
    channels = [channel.id for channel in hall(count).channels.values() if channel.name.startswith("table-")]
    played = list(islice(cases("planted", MOVES), len(LEAKS)))
    # The last table has the same deck in both runs. Only its server seeds differ.
    played.append(replace(played[0], decks=played[0].decks[:1]))
    differing = await differences(played, [ALL_SWAPS], ("one", "other"), LEAK_MOVES)
    leaky = [channel for channel in channels if f"POST {channel} to all" in differing]
    assert leaky == [channel for number, channel in enumerate(channels) if number != LEAKS.index(_in_log_line)]
    assert any(LEAKY_LINE in line for line in differing["log"])

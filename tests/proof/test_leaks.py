"""No hidden card leaves the bot: what others get is the same whatever cards they cannot see."""

import asyncio
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import structlog

from bot.engine.match import Play
from bot.engine.moves import Verb
from bot.play.loading.loaded_match import LoadedMatch
from bot.sandbox import Refuse
from bot.values.matches import Table
from cogs.kit import answers
from cogs.kit.answers import Message
from cogs.kit.components import Button
from cogs.panels import match as panels
from cogs.panels.pictures import Pictures
from tests.helpers.clock import Clock
from tests.helpers.living import Living, living
from tests.helpers.players import Player, labelled, sit_down
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.worlds import SPECTATOR, hall, pair
from tests.proof.scripts import PAIRS, Case, Deck, cases
from tests.proof.wiretap import Transcript, Wiretap, lines, logged

pytestmark = pytest.mark.slow

TABLES = 7
MOVES = 4
ENOUGH = 200
LOOKS = 2
"""How often a difference is looked at again."""

Seats = tuple[Player, Player]


async def replay(played: list[Case], decks: list[Deck]) -> Transcript:
    """Play each case's script on a deck at a table of its own, look at everything, and give what others got."""
    with TemporaryDirectory() as directory, logged() as log:
        world, shuffler = hall(len(played)), RiggedShuffler(*decks)
        async with living(Path(directory), world=world, shuffler=shuffler, clock=Clock()) as alive:
            alive.sandbox.interactions.answer_within = 60
            tables = [_seats(alive, table) for table in range(1, len(played) + 1)]
            hiding = [seats[owner] for case, seats in zip(played, tables, strict=True) for owner in case.owners]
            owners = frozenset(player.person.id for player in hiding)
            tap = Wiretap(alive.sandbox, owners)
            for first, second in tables:
                await sit_down(alive.sandbox, first, second)
                await _idle(alive)
            for step in range(MOVES):
                plays = [(seats, case.script[step]) for case, seats in zip(played, tables, strict=True)]
                await asyncio.gather(*(_make(seats[play.seat], play) for seats, play in plays))
                await _idle(alive)
            await asyncio.gather(*(_look_round(alive, seats, owners) for seats in tables))
            await _fail(alive, tables[0][0])
            await _idle(alive)
            tap.look(alive.person(SPECTATOR), SPECTATOR)
            for player in (player for seats in tables for player in seats if player.person.id not in owners):
                tap.look(player.person, player.person.name)
        return tap.transcript() | {"log": lines(log)}


def _seats(alive: Living, table: int) -> Seats:
    channel = alive.sandbox.channel(f"table-{table}")
    first, second = (Player(alive.sandbox, name, channel, table) for name in pair(table))
    return first, second


async def _idle(alive: Living) -> None:
    """Wait until every message stands as it should, so that no two changes become one edit."""
    while await alive.app.outbox.next_due() is not None:
        await alive.sandbox.settled(0.01)


async def _make(player: Player, play: Play) -> None:
    """Click a move of the script in one's own direct message."""
    panel, verb, card = player.panel, play.move.verb, play.move.card
    assert panel is not None
    if verb is Verb.DISCARD and card is not None:
        made = await player.person.choose(panel, "Discard …", card.text)
    else:
        begins = {Verb.PASS: "Pass", Verb.TAKE: "Take", Verb.DRAW: "Draw"}[verb]
        label = next(button.label for button in panel.buttons if button.label.startswith(begins))
        made = await player.person.press(panel, label)
    await made.answer()


async def _look_round(alive: Living, seats: Seats, owners: frozenset[int]) -> None:
    """Whoever does not own the cards asks for what there is to see, and for what is not theirs."""
    channel, spectator = seats[0].channel, alive.person(SPECTATOR)
    players = [player.person for player in seats if player.person.id not in owners]
    for person in (*players, spectator):
        table = next(message for message in person.sees(channel) if labelled(message, "Score"))
        await (await person.press(table, "My hand")).answer()
        await (await person.slash("gin knock", channel, card="Ks")).answer()
        await (await person.complete("gin discard", channel, option="card", value="")).answer()
    await (await spectator.slash("gin score", channel)).answer()
    for person in players:
        kept = (await (await person.slash("gin me privacy", channel)).answer()).message
        await (await person.press(kept, "Export")).answer()


async def _fail(alive: Living, player: Player) -> None:
    """An answer that Discord refuses: the failure is logged, and told."""
    assert player.panel is not None
    alive.sandbox.faults.requests(Refuse(50035), on="POST /interactions/*/callback")
    await (await player.person.slash("gin hand", player.channel)).answer()


async def differences(played: list[Case], variants: Iterable[int]) -> set[str]:
    """In what others got on some of the cases' decks, all that is not as on their first ones, however often one looks.

    On a busy machine two changes may become one edit of a message; what comes of the cards comes each time.
    """
    usual = await replay(played, [case.decks[0] for case in played])
    found: set[str] = set()
    for variant in variants:
        decks = [case.decks[variant] for case in played]
        differing = _differing(usual, await replay(played, decks))
        for _ in range(LOOKS if differing else 0):
            usual = await replay(played, [case.decks[0] for case in played])
            differing &= _differing(usual, await replay(played, decks))
        found |= differing
    return found


def _differing(usual: Transcript, other: Transcript) -> set[str]:
    return {place for place in usual.keys() | other.keys() if usual.get(place) != other.get(place)}


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine must not turn answers into deferrals, which would be a difference without a meaning."""
    monkeypatch.setattr(answers, "DEFER_AFTER", 60)


async def test_nothing_depends_on_cards_that_the_observer_never_sees() -> None:
    """Over 200 pairs of decks that differ by a swap of hidden cards, others get the same bytes, and so does the log."""
    played = list(islice(cases("hidden", MOVES), TABLES))
    assert len(played) * PAIRS >= ENOUGH
    assert await differences(played, range(1, len(played[0].decks))) == set()


Tamper = Callable[[Message, str], Message]


def _in_custom_id(message: Message, secret: str) -> Message:
    button = next(item for item in message.layout.walk_children() if isinstance(item, Button))
    button.item.custom_id = f"{button.item.custom_id}:{secret}"
    return message


def _in_alt_text(message: Message, secret: str) -> Message:
    (picture,) = message.attached
    return replace(message, attached=(replace(picture, alt=f"{picture.alt} {secret}"),))


def _in_log_line(message: Message, secret: str) -> Message:
    structlog.get_logger("cogs.panels").debug("a table is drawn", cards=secret)
    return message


def _in_picture(message: Message, secret: str) -> Message:
    (picture,) = message.attached
    return replace(message, attached=(replace(picture, content=picture.content + bytes.fromhex(secret)),))


@pytest.mark.parametrize("tamper", [_in_custom_id, _in_alt_text, _in_log_line, _in_picture])
async def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch, tamper: Tamper) -> None:
    """A table that betrays the deck, by whatever way, makes a difference."""
    decks: dict[int, str] = {}
    look, draw = LoadedMatch.table, panels.table

    def looked(board: LoadedMatch, number: int = 1) -> Table:
        (deal,) = board.state.playing
        decks[board.row.id] = hashlib.sha256(repr(deal.deck).encode()).hexdigest()[:8]
        return look(board, number)

    async def drawn(shown: Table, pictures: Pictures) -> Message:
        return tamper(await draw(shown, pictures), decks[shown.match.id])

    monkeypatch.setattr(LoadedMatch, "table", looked)
    monkeypatch.setattr(panels, "table", drawn)
    assert await differences(list(islice(cases("planted", MOVES), 1)), [1]) != set()

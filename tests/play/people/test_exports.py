"""What a person is handed of what is kept of them, and that it tells nothing of what they have not seen."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.cards import DECK
from bot.engine.record import Record
from bot.play.application import Application
from bot.store.database import Database
from bot.values.appearance import HandOrder
from bot.values.people import Challengers, Push
from tests.helpers.clock import Clock
from tests.helpers.shufflers import GIN_AT_ONCE, Deck, RiggedShuffler
from tests.helpers.table import (
    CHANNEL,
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    SOUTH,
    WEST,
    Person,
    Players,
    dm_of,
    interaction,
    sensible,
)


def cards_in(exported: dict[str, Any]) -> set[str]:
    """Every card that the text of an export names."""
    words = json.dumps(exported).replace('"', " ").split()
    return {card.text for card in DECK if any(card.text == word for word in words)}


async def test_everything_of_a_person_is_in_it(app: Application, players: Players, clock: Clock) -> None:
    """Preferences, invitations both ways, settled ones too, and every match; it is plain data for JSON."""
    await players.reach(NORTH)
    card = await players.begin("low target=10")
    await app.challenges.issue(EAST, [NORTH[0]], GUILD, CHANNEL, interaction())
    await app.people.prefer(NORTH, push=Push.BOTH, challengers=Challengers.PLAYED)
    await app.people.prefer(NORTH, language="pl", hand_order=HandOrder.RANK, pictures=False)
    exported = await app.people.export(NORTH[0])
    assert json.loads(json.dumps(exported)) == exported
    assert exported["person"] == {
        "id": NORTH[0],
        "name": "North",
        "hand_by_dm": True,
        "push": "both",
        "challengers": "played",
        "theme": "classic",
        "four_colours": False,
        "language": "pl",
        "hand_order": "rank",
        "pictures": False,
        "dm_channel": dm_of(NORTH),
        "dm_closed": None,
        "seen": clock.now.isoformat(),
    }
    found = [(one["challenger"], one["players"], one["named"], one["status"]) for one in exported["challenges"]]
    assert found == [(NORTH[0], [SOUTH[0]], [], "accepted"), (EAST[0], [], [NORTH[0]], "pending")]
    (match,) = exported["matches"]
    assert (match["id"], match["server"], match["channel"], match["seat"]) == (card.id, GUILD, CHANNEL, 0)
    assert (match["status"], match["started"], match["ended"]) == ("running", clock.now.isoformat(), None)


async def test_times_and_wishes_are_in_it(app: Application, players: Players, clock: Clock) -> None:
    """When each action was made, those of the record first, and what the person offers, not what the other does."""
    card = await players.begin()
    begun = clock.now.isoformat()
    clock.pass_by(timedelta(minutes=5))
    await players.move(card.id, "pass")
    await app.endings.call_off(NORTH[0], card.id)
    (match,) = (await app.people.export(NORTH[0]))["matches"]
    assert match["times"] == [begun, begun, clock.now.isoformat()]
    assert match["wish"] == "cancel"
    (others,) = (await app.people.export(SOUTH[0]))["matches"]
    assert (others["times"], others["wish"]) == (match["times"], None)
    await app.endings.resign(SOUTH[0], card.id, interaction())
    (over,) = (await app.people.export(NORTH[0]))["matches"]
    assert len(over["times"]) == len(Record.parse(over["record"]).actions) == 4


async def test_a_finished_match_is_a_record(app: Application, players: Players) -> None:
    """The record of a match that is over replays to its result; a running one holds its finished deals alone."""
    card = await players.begin("classic target=100")
    await players.win(card.id)
    (running,) = (await app.people.export(SOUTH[0]))["matches"]
    replayed = Record.parse(running["record"]).replay()
    assert (len(replayed.finished), replayed.playing) == (1, ())
    assert running["deal_in_play"]["deal"] == 2
    await players.win(card.id)
    await players.win(card.id)
    (over,) = (await app.people.export(SOUTH[0]))["matches"]
    record = Record.parse(over["record"])
    assert record.result == (170 + 40 + 100, 85 + 20)
    assert record.replay().score.over
    assert "deal_in_play" not in over


async def test_the_first_deal_shows_only_the_own_cards(app: Application, players: Players) -> None:
    """Before any deal is over an export has no record of decks: the own hand, the pile and the open moves alone."""
    card = await players.begin()
    await players.move(card.id, "pass", "take", "x 2h")
    exported = await app.people.export(SOUTH[0])
    (match,) = exported["matches"]
    assert "deck" not in match["record"]
    deal = match["deal_in_play"]
    assert deal["hand"] == str((await app.lookup.hand(SOUTH[0], card.id)).view.hand)
    assert (deal["deal"], deal["dealer"], deal["discards"]) == (1, 1, "2h")
    assert deal["moves"] == ["0 pass", "1 take Ks", "1 x 2h"]
    hidden = {card.text for card in (await app.lookup.hand(NORTH[0], card.id)).view.hand}
    assert cards_in(exported).isdisjoint(hidden)


async def play_script(folder: Path, name: str, deck: Deck, script: list[str], clock: Clock, person: Person) -> Any:
    """Play moves of a first deal from a deck and give a person's export of it."""
    database = await Database.open(f"sqlite:///{folder / name}")
    players = Players(Application(database, shuffler=RiggedShuffler(GIN_AT_ONCE, deck), clock=clock))
    card = await players.begin("classic target=1000")
    await players.win(card.id)
    if script:
        await players.move(card.id, *script)
    exported = await players.app.people.export(person[0])
    await database.close()
    return exported


async def unseen_of(folder: Path, deck: Deck, seed: int, clock: Clock, seat: int) -> tuple[list[str], list[int]]:
    """Some moves from a deck, and the places in it of the cards that a seat has not seen after them."""
    random = Random(seed)
    database = await Database.open(f"sqlite:///{folder / 'script'}")
    players = Players(Application(database, shuffler=RiggedShuffler(GIN_AT_ONCE, deck), clock=clock))
    card = await players.begin("classic target=1000")
    await players.win(card.id)
    script: list[str] = []
    seen: set[str] = set()
    hand = await players.app.lookup.hand(players.people[seat][0], card.id)
    for _ in range(random.randrange(12)):
        seen |= {str(one) for one in (*hand.view.hand, *hand.view.public.discards)}
        mover = await players.to_act(card.id)
        view = (await players.app.lookup.hand(mover[0], card.id)).view
        move = sensible(view, random)
        if move.verb.value == "k":
            break
        script.append(str(move))
        await players.move(card.id, script[-1])
        hand = await players.app.lookup.hand(players.people[seat][0], card.id)
    seen |= {str(one) for one in (*hand.view.hand, *hand.view.public.discards)}
    held = {str(one) for one in (await players.app.lookup.hand(players.people[1 - seat][0], card.id)).view.hand}
    await database.close()
    dealt = 21 + script.count("draw")
    free = [at for at, one in enumerate(deck) if str(one) not in seen and (str(one) in held or at >= dealt)]
    return script, free


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 8))])
async def test_hidden_cards_change_nothing_in_it(empty: Path, tmp_path: Path, clock: Clock, seed: int) -> None:
    """Two decks that differ by two cards this seat never saw give the same export to the last letter."""
    for name in ("script", "one", "two", "own"):
        shutil.copy(empty, tmp_path / name)
    random, seat = Random(seed), seed % 2
    deck = tuple(random.sample(DECK, 52))
    script, free = await unseen_of(tmp_path, deck, seed, clock, seat)
    first, second = random.sample(free, 2)
    other = list(deck)
    other[first], other[second] = other[second], other[first]
    person = (NORTH, SOUTH)[seat]
    one = await play_script(tmp_path, "one", deck, script, clock, person)
    two = await play_script(tmp_path, "two", tuple(other), script, clock, person)
    assert json.dumps(one["matches"]) == json.dumps(two["matches"])
    mover = await play_script(tmp_path, "own", deck, script, clock, (SOUTH, NORTH)[seat])
    assert mover["matches"][0]["deal_in_play"]["hand"] != one["matches"][0]["deal_in_play"]["hand"]


@pytest.mark.parametrize("person", [NORTH, WEST])
async def test_an_open_board_does_not_open_the_other(app: Application, person: Person) -> None:
    """While one board of a round is in play the record has no deck of that round; after it, it has both."""
    players = Players(app, (NORTH, SOUTH, EAST, WEST))
    card = await players.begin("partners target=1000")
    await players.win(card.id)
    (match,) = (await app.people.export(person[0]))["matches"]
    assert "deck" not in match["record"]
    assert match["deal_in_play"]["hand"] == str((await app.lookup.hand(person[0], card.id)).view.hand)
    await players.move_on(2, card.id, "take", "gin")
    await players.move(card.id, "pass")
    (match,) = (await app.people.export(person[0]))["matches"]
    replayed = Record.parse(match["record"]).replay()
    assert (len(replayed.finished), replayed.playing) == (2, ())


async def test_matches_elsewhere_are_in_it_too(app: Application, players: Players) -> None:
    """Matches that are over come first, then those that run, each list oldest first."""
    running = await players.begin(channel_id=ELSEWHERE)
    over = await players.begin("classic target=10")
    await players.win(over.id)
    exported = await app.people.export(NORTH[0])
    assert [match["id"] for match in exported["matches"]] == [over.id, running.id]

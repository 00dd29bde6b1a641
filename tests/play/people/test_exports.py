"""Exports: all data of a person, without cards that they have not seen."""

from __future__ import annotations

import json
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import DECK
from bot.engine.deals.moves import Seat
from bot.engine.fairness.fair import Chain
from bot.engine.matches.actions import Shuffle
from bot.engine.matches.match import Forfeit
from bot.engine.records.record import Record
from bot.model.appearance import Appearance, HandOrder
from bot.model.people import Challengers, Push
from bot.play.application import Application
from bot.store.database import Database
from bot.store.opening import open_database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import new_database
from tests.helpers.shufflers import IMMEDIATE_GIN, Deck, RiggedShuffler
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
    patient_move,
    place,
    play_deal,
    prefer,
    sensible_move,
)


def cards_in(exported: Any) -> set[str]:
    """Return all cards that occur in an export."""
    words = json.dumps(exported).replace('"', " ").split()
    return {card.text for card in DECK if any(card.text == word for word in words)}


async def test_an_export_has_everything(app: Application, players: Players, clock: Clock) -> None:
    """An export has preferences, challenges from and to the person, and every match, as JSON data."""
    await players.open_dms(NORTH)
    match = await players.begin("low target=10")
    await app.challenges.issue(EAST, [NORTH.id], place(), interaction())
    await prefer(app, NORTH, push=Push.BOTH, challengers=Challengers.PLAYED)
    await prefer(app, NORTH, appearance=Appearance(language="pl"), hand_order=HandOrder.RANK, pictures=False)
    await app.people.save_name(Person(NORTH.id, "North", "north_1", "a_1f"))
    exported = await app.exports.export(NORTH.id)
    assert json.loads(json.dumps(exported)) == exported
    assert exported["person"] == {
        "id": NORTH.id,
        "name": "North",
        "username": "north_1",
        "avatar": "a_1f",
        "hand_by_dm": True,
        "push": "both",
        "challengers": "played",
        "theme": "classic",
        "four_colours": False,
        "language": "pl",
        "hand_order": "rank",
        "pictures": False,
        "confirmations": True,
        "draws_for_me": False,
        "take_backs": False,
        "reminders": "usual",
        "nudges": True,
        "time_zone": None,
        "quiet_from": None,
        "quiet_to": None,
        "daily_hour": None,
        "daily_reminded": None,
        "shows_profile_to": "everyone",
        "shows_avatar": True,
        "dm_channel": dm_of(NORTH),
        "dm_closed": None,
        "seen": clock.now.isoformat(),
        "away_from": None,
        "away_until": None,
    }
    challenges = [
        (challenge["challenger"], challenge["players"], challenge["named"], challenge["status"])
        for challenge in exported["challenges"]
    ]
    assert challenges == [(NORTH.id, [SOUTH.id], [], "accepted"), (EAST.id, [], [NORTH.id], "pending")]
    assert (exported["pings"], (await app.exports.export(EAST.id))["pings"]) == (
        [],
        [{"to": NORTH.id, "at": clock.now.isoformat()}],
    )
    (exported_match,) = exported["matches"]
    assert (exported_match["id"], exported_match["server"], exported_match["channel"], exported_match["seat"]) == (
        match.id,
        GUILD,
        CHANNEL,
        0,
    )
    assert (exported_match["status"], exported_match["started"], exported_match["ended"]) == (
        "running",
        clock.now.isoformat(),
        None,
    )


@pytest.mark.thorough
async def test_an_export_has_no_draft_of_others(app: Application) -> None:
    """An export has no drafts of other people, even if they name the person."""
    await app.challenges.issue(EAST, [NORTH.id], place(), interaction(), draft=True)
    assert (await app.exports.export(NORTH.id))["challenges"] == []
    (draft,) = (await app.exports.export(EAST.id))["challenges"]
    assert draft["status"] == "draft"


async def test_an_export_has_times_and_proposals(app: Application, players: Players, clock: Clock) -> None:
    """An export has the time of each action, even in omitted deals, and only the person's own proposal."""
    match = await players.begin()
    started_at = clock.now.isoformat()
    clock.pass_by(timedelta(minutes=5))
    await players.move(match.id, "pass")
    await app.endings.call_off(NORTH.id, match.id)
    (own,) = (await app.exports.export(NORTH.id))["matches"]
    assert own["times"] == [*[started_at] * 4, clock.now.isoformat()]
    assert own["wish"] == "cancel"
    (others,) = (await app.exports.export(SOUTH.id))["matches"]
    assert (others["times"], others["wish"]) == (own["times"], None)
    await app.endings.resign(SOUTH.id, match.id, interaction())
    (finished,) = (await app.exports.export(NORTH.id))["matches"]
    assert len(finished["times"]) == 8


@pytest.mark.thorough
async def test_a_finished_match_is_a_record(app: Application, players: Players) -> None:
    """The record of a finished match replays to its result. A running match's record has only the finished deals."""
    match = await players.begin("classic target=100")
    await players.win(match.id)
    (running,) = (await app.exports.export(SOUTH.id))["matches"]
    replayed = Record.parse(running["record"]).replay()
    assert (len(replayed.finished), replayed.playing) == (1, ())
    assert running["deal_in_play"]["deal"] == 2
    await players.win(match.id)
    await players.win(match.id)
    (finished,) = (await app.exports.export(SOUTH.id))["matches"]
    record = Record.parse(finished["record"])
    assert record.result == (170 + 40 + 100, 85 + 20)
    assert record.replay().score.is_over
    assert "deal_in_play" not in finished


async def test_a_record_has_the_number_of_players(database: Database, clock: Clock) -> None:
    """An exported record has the number of players, even without a finished deal, and no names."""
    players = Players(Application(database, shuffler=RiggedShuffler(seed=3), clock=clock), (NORTH, SOUTH, EAST))
    await players.begin("penalty first_dealer=random")
    (exported,) = (await players.app.exports.export(NORTH.id))["matches"]
    assert Record.parse(exported["record"]).replay().seats == 3
    assert "South" not in exported["record"]


async def test_a_deal_in_play_shows_only_own_cards(app: Application, players: Players) -> None:
    """During a deal the export has the person's own hand, the discards and the public moves, but no deck."""
    match = await players.begin()
    await players.move(match.id, "pass", "take", "x 2h")
    exported = await app.exports.export(SOUTH.id)
    (exported_match,) = exported["matches"]
    assert "deck" not in exported_match["record"]
    deal = exported_match["deal_in_play"]
    assert deal["hand"] == str((await app.lookup.hand(SOUTH.id, match.id)).view.hand)
    assert (deal["deal"], deal["dealer"], deal["discards"]) == (1, 1, "2h")
    assert deal["moves"] == ["0 pass", "1 take Ks", "1 x 2h"]
    hidden = {card.text for card in (await app.lookup.hand(NORTH.id, match.id)).view.hand}
    assert cards_in(exported).isdisjoint(hidden)


async def play_script(folder: Path, name: str, deck: Deck, script: list[str], clock: Clock, person: Person) -> Any:
    """Play these moves in a deal with this deck, and return the person's export."""
    database = await open_database(f"sqlite:///{folder / name}")
    players = Players(Application(database, shuffler=RiggedShuffler(IMMEDIATE_GIN, deck), clock=clock))
    match = await players.begin("classic target=1000")
    await players.win(match.id)
    if script:
        await players.move(match.id, *script)
    exported = await players.app.exports.export(person.id)
    await database.close()
    return exported


async def script_and_unseen(
    folder: Path, deck: Deck, seed: int, clock: Clock, seat: int
) -> tuple[list[str], list[int]]:
    """Play random moves with this deck. Return the moves, and the deck indexes of cards that the seat has not seen."""
    random = Random(seed)
    database = await open_database(f"sqlite:///{folder / 'script'}")
    players = Players(Application(database, shuffler=RiggedShuffler(IMMEDIATE_GIN, deck), clock=clock))
    match = await players.begin("classic target=1000")
    await players.win(match.id)
    script: list[str] = []
    seen: set[str] = set()
    hand = await players.app.lookup.hand(players.people[seat].id, match.id)
    for _ in range(random.randrange(12)):
        seen |= {str(discard) for discard in (*hand.view.hand, *hand.view.public.discards)}
        mover = await players.to_act(match.id)
        view = (await players.app.lookup.hand(mover.id, match.id)).view
        move = sensible_move(view, random)
        if move.verb.value == "k":
            break
        script.append(str(move))
        await players.move(match.id, script[-1])
        hand = await players.app.lookup.hand(players.people[seat].id, match.id)
    seen |= {str(discard) for discard in (*hand.view.hand, *hand.view.public.discards)}
    held = {str(card) for card in (await players.app.lookup.hand(players.people[1 - seat].id, match.id)).view.hand}
    await database.close()
    dealt = 21 + script.count("draw")
    unseen = [
        index for index, card in enumerate(deck) if str(card) not in seen and (str(card) in held or index >= dealt)
    ]
    return script, unseen


@pytest.mark.nightly
@pytest.mark.parametrize("seed", nightly_after(1, range(8)))
async def test_exports_do_not_depend_on_unseen_cards(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """If two decks differ only in cards that a person has not seen, that person's exports are equal."""
    monkeypatch.setattr(Chain, "random", partial(Chain.ending_with, bytes(32)))
    for name in ("script", "one", "two", "own"):
        new_database(tmp_path / name)
    random, seat = Random(seed), seed % 2
    deck = tuple(random.sample(DECK, 52))
    script, unseen = await script_and_unseen(tmp_path, deck, seed, clock, seat)
    first, second = random.sample(unseen, 2)
    other = list(deck)
    other[first], other[second] = other[second], other[first]
    person = (NORTH, SOUTH)[seat]
    first_export = await play_script(tmp_path, "one", deck, script, clock, person)
    two = await play_script(tmp_path, "two", tuple(other), script, clock, person)
    assert json.dumps(first_export["matches"]) == json.dumps(two["matches"])
    mover = await play_script(tmp_path, "own", deck, script, clock, (SOUTH, NORTH)[seat])
    assert mover["matches"][0]["deal_in_play"]["hand"] != first_export["matches"][0]["deal_in_play"]["hand"]


@pytest.mark.thorough
@pytest.mark.parametrize("person", nightly_after(1, [WEST, NORTH]))
async def test_a_finished_board_does_not_open_the_other(app: Application, person: Person) -> None:
    """While one board of a round is in play, the record has no deck of that round; afterwards it has both decks."""
    players = Players(app, (NORTH, SOUTH, EAST, WEST))
    match = await players.begin("partners target=1000")
    await players.win(match.id)
    (exported,) = (await app.exports.export(person.id))["matches"]
    assert "deck" not in exported["record"]
    assert exported["deal_in_play"]["hand"] == str((await app.lookup.hand(person.id, match.id)).view.hand)
    await players.move_on_board(2, match.id, "take", "gin")
    await players.move(match.id, "pass")
    (exported,) = (await app.exports.export(person.id))["matches"]
    replayed = Record.parse(exported["record"]).replay()
    assert (len(replayed.finished), replayed.playing) == (2, ())


@pytest.mark.thorough
async def test_matches_of_all_channels_are_exported(app: Application, players: Players) -> None:
    """Matches in all channels are exported, first the finished ones, then the running ones."""
    running = await players.begin(channel_id=ELSEWHERE)
    finished = await players.begin("classic target=10")
    await players.win(finished.id)
    exported = await app.exports.export(NORTH.id)
    assert [match["id"] for match in exported["matches"]] == [finished.id, running.id]


@pytest.mark.thorough
@pytest.mark.parametrize("ended", nightly_after(1, [True, False]))
async def test_the_hands_of_a_void_deal_stay_hidden(app: Application, unverifiable: Players, *, ended: bool) -> None:
    """An unverifiable match's record ends before a void deal. From that deal on, exports show what the seat saw."""
    match = await unverifiable.begin("classic target=1000")
    await unverifiable.win(match.id)
    await unverifiable.move(match.id, "pass", "pass")
    opponent_view = (await app.lookup.hand(NORTH.id, match.id)).view
    await play_deal(app, match.id, patient_move)
    await unverifiable.win(match.id)
    if ended:
        await app.endings.resign(NORTH.id, match.id, interaction())
    (exported,) = (await app.exports.export(SOUTH.id))["matches"]
    record = Record.parse(exported["record"])
    assert [action.number for action in record.actions if isinstance(action, Shuffle)] == [1]
    assert len(record.replay().finished) == 1
    if ended:
        assert str((await app.match_records.record(match.id)).record) == exported["record"]
    void, *later = exported["hidden_deals"]
    assert [deal["deal"] for deal in later] == ([3, 4] if ended else [3])
    assert void["deal"] == 2
    assert len(void["hand"].split()) == 10
    assert {*void["hand"].split()}.isdisjoint(map(str, opponent_view.hand))
    assert void["moves"][:3] == ["1 pass", "0 pass", "1 draw"]


@pytest.mark.thorough
async def test_the_hands_of_a_deal_that_was_broken_off_stay_hidden(app: Application, unverifiable: Players) -> None:
    """The record of a resigned, unverifiable match has the result, but not the cards of the unfinished deal."""
    resigned = await unverifiable.begin("classic target=1000")
    await unverifiable.win(resigned.id)
    await unverifiable.move(resigned.id, "pass")
    hidden = {str(card) for card in (await app.lookup.hand(NORTH.id, resigned.id)).view.hand}
    own = str((await app.lookup.hand(SOUTH.id, resigned.id)).view.hand)
    await app.endings.resign(NORTH.id, resigned.id, interaction())
    called_off = await unverifiable.begin("classic target=1000")
    for person in (NORTH, SOUTH):
        await app.endings.call_off(person.id, called_off.id)
    first, second = (await app.exports.export(SOUTH.id))["matches"]
    replayed = Record.parse(first["record"]).replay()
    assert (len(replayed.finished), replayed.playing, replayed.forfeit) == (1, (), Forfeit(Seat(0), on_time=False))
    assert [deal["hand"] for deal in first["hidden_deals"]] == [own]
    assert cards_in(first["hidden_deals"]).isdisjoint(hidden)
    assert "deck" not in second["record"]
    assert [deal["deal"] for deal in second["hidden_deals"]] == [1]


@pytest.mark.thorough
async def test_a_round_with_a_void_board_stays_hidden(app: Application) -> None:
    """An unverifiable match's record omits a round with a void board. Exports show the round as the player saw it."""
    players = Players(app, (NORTH, SOUTH, EAST, WEST), verifiable=False)
    match = await players.begin("partners target=1000")
    at_second = {match.players[seat].id for seat in (await app.lookup.table(match.id, 2)).view.seats}
    await players.win(match.id)
    await players.move_on_board(2, match.id, "pass", "pass")
    await play_deal(app, match.id, patient_move, 2)
    exports = {person.id: (await app.exports.export(person.id))["matches"][0] for person in players.people}
    for person_id, exported in exports.items():
        assert "deck" not in exported["record"]
        (seen,) = exported["hidden_deals"]
        assert (seen["deal"], len(seen["hand"].split())) == (1, 10)
        assert any(move.endswith("draw") for move in seen["moves"]) is (person_id in at_second)

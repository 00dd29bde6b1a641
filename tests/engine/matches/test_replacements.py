"""Seats taken over by the computer: when it is allowed, its effects, and its notation in records."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given

from bot.engine.cards.cards import DECK, parse_cards
from bot.engine.deals.moves import LOSE_ON_TIME, RESIGN, Seat
from bot.engine.errors import IllegalMove, RecordError
from bot.engine.fairness.audit import audit
from bot.engine.fairness.fair import Chain, player_seed
from bot.engine.matches.actions import Action, Cut, Play, PlayerSeed, Replace, Reveal, Shuffle
from bot.engine.matches.match import Match, apply, apply_all, new_match
from bot.engine.records.record import Record, replay_record
from bot.engine.rules import Rules
from bot.engine.to_json import match_to_json
from tests.engine.decks import TABLES, random_action
from tests.engine.fair_matches import NAMES, Table
from tests.engine.strategies import seeds
from tests.helpers.cases import thorough_after
from tests.helpers.examples import examples
from tests.reference.scores import expected_json

CHAIN = Chain.ending_with(b"replacements")
LARGE_TABLES = [(preset, seats) for preset, seats in TABLES if seats > 2]
"""Every preset for three or four players, with each number of players that it allows."""

CUT = Cut(parse_cards("Kd 7h 9s"))
DEAL = Shuffle(1, Seat(1), DECK)
STARTED = [CUT, DEAL]
FIRST_SEEDS = [PlayerSeed(Seat(seat), player_seed(f"{seat}")) for seat in range(3)]


def takeovers_of(*seats: int) -> list[Action]:
    """Return actions by which computers take over these seats."""
    return [Replace(Seat(seat)) for seat in seats]


def table(*actions: Action) -> Match:
    """Return a match of three players with the `penalty` rules after some actions."""
    return apply_all(new_match(Rules.parse("penalty"), 3), actions)


@pytest.mark.parametrize(
    ("before", "seat", "why"),
    [
        ([], -1, "there is no such seat"),
        (STARTED, 3, "there is no such seat"),
        ([*STARTED, *takeovers_of(1)], 1, "a computer plays that seat already"),
        ([*STARTED, *takeovers_of(1, 2)], 0, "at least one seat must keep its player"),
        ([*STARTED, Play(Seat(0), RESIGN)], 1, "the match is over"),
        ([*STARTED, Play(Seat(0), RESIGN)], 0, "the match is over"),
        (FIRST_SEEDS[:2], 2, "each seat must give a seed first"),
        (FIRST_SEEDS[:2], 0, "each seat must give a seed first"),
    ],
)
def test_a_takeover_is_refused(before: Sequence[Action], seat: int, why: str) -> None:
    """A takeover needs a running match, a seat with a player, and another player who stays."""
    with pytest.raises(IllegalMove, match=why) as refused:
        apply(table(*before), Replace(Seat(seat)))
    assert refused.value.code == "replace"


@pytest.mark.parametrize(("rules", "seats"), [("classic", 2), ("penalty", 2), ("hollywood", 2)])
def test_a_seat_of_two_cannot_be_taken_over(rules: str, seats: int) -> None:
    """In a match of two, no seat can be taken over."""
    with pytest.raises(IllegalMove, match="only a table of three or four allows it"):
        apply(new_match(Rules.parse(rules), seats), Replace(Seat(0)))


def test_nothing_follows_a_match_that_was_called_off() -> None:
    """Revealing the seed of a deal in play calls a match off. After that, no seat can be taken over."""
    played = Table(Rules.parse("penalty"), ["a", "b", "c"], CHAIN)
    while played.apply_chance():
        pass
    with pytest.raises(IllegalMove, match="so nothing else may follow"):
        apply_all(played.match, [Reveal(2, CHAIN.seed(2)), Replace(Seat(0))])


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Play(Seat(2), RESIGN), "resign"),
        (Play(Seat(2), LOSE_ON_TIME), "time"),
        (PlayerSeed(Seat(2), player_seed("new words"), 3), "seed"),
    ],
)
def test_a_computers_seat_cannot_resign_or_give_words(action: Action, code: str) -> None:
    """A seat taken over by a computer cannot resign, lose on time or give a seed. Other seats still can."""
    match = table(*FIRST_SEEDS, Cut(CUT.cards, 1), Shuffle(1, Seat(1), DECK, event=2))
    assert match.to_act == (2,)
    with pytest.raises(IllegalMove, match="a computer plays that seat") as refused:
        apply_all(match, [Replace(Seat(2)), action])
    assert refused.value.code == code
    others = apply(match, Replace(Seat(0)))
    assert apply(others, action) != others


def test_refusals_say_who_may_resign() -> None:
    """An error lists only seats that may resign, without seats that a computer plays."""
    match = table(*STARTED, *takeovers_of(1))
    with pytest.raises(IllegalMove, match=r"resign by 0 or 2$"):
        apply(match, Play(Seat(1), RESIGN))


def test_first_seeds_come_before_a_takeover() -> None:
    """After a takeover, no seat can give its first seed, because every seat needs one and the computer gives none."""
    with pytest.raises(IllegalMove, match="the first seeds are given before"):
        table(Replace(Seat(2)), *FIRST_SEEDS)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("rules", ["partners", "penalty target=30"])
def test_a_takeover_changes_nothing_but_who_plays(rules: str, seat: int) -> None:
    """A takeover changes no cards, turns, scores or seeds, at any moment of a match."""
    played = Table(Rules.parse(rules), ["a", "b", "c", "d"], CHAIN)
    rng, moments = Random(seat), 0
    while not played.match.score.is_over and moments < 150:
        after = apply(played.match, Replace(Seat(seat)))
        assert after.replaced_seats == (seat,)
        for name in (
            "score",
            "scores",
            "finished",
            "playing",
            "to_act",
            "awaits",
            "due_deals",
            "seeds",
            "revealable_events",
        ):
            assert getattr(after, name) == getattr(played.match, name)
        played.reveal()
        if not played.apply_chance():
            played.do(random_action(played.match, rng))
        moments += 1


@pytest.mark.parametrize("seat", range(4))
def test_a_takeover_records_its_moment(seat: int) -> None:
    """A takeover stores the number and the move count of the newest deal on the seat's board."""
    played, rng, moments = Table(Rules.parse("partners"), ["a", "b", "c", "d"], CHAIN), Random(seat), 0
    while not played.match.score.is_over and moments < 150:
        match = played.match
        (takeover,) = apply(match, Replace(Seat(seat))).takeovers
        deals = [deal for deal in (*match.finished, *match.playing) if seat in deal.seats]
        last = (deals[-1].number, len(deals[-1].history)) if deals else (0, 0)
        assert (takeover.seat, takeover.deal_number, takeover.move_count) == (seat, *last)
        played.reveal()
        if not played.apply_chance():
            played.do(random_action(played.match, rng))
        moments += 1


def play_with_takeovers(rules: Rules, seats: int, seed: int) -> tuple[list[Action], Match]:
    """Play a random match with takeovers at random moments and, rarely, a resignation or a loss on time."""
    rng, match, actions = Random(seed), new_match(rules, seats), list[Action]()
    leaving = rng.sample(range(seats), rng.randint(1, seats - 1))
    while not match.score.is_over:
        action = random_action(match, rng)
        if leaving and rng.random() < 0.02:
            action = Replace(Seat(leaving.pop()))
        elif match.to_act and match.to_act[0] not in match.replaced_seats and rng.random() < 0.001:
            action = Play(match.to_act[0], rng.choice((LOSE_ON_TIME, RESIGN)))
        match = apply(match, action)
        actions.append(action)
    return actions, match


def play_fair_with_takeovers(rules: Rules, seats: int, seed: int) -> Table:
    """Play a verifiable match with takeovers, in which the remaining players sometimes change their shuffle words."""
    rng, table = Random(seed), Table(rules, NAMES[:seats], CHAIN)
    leaving = rng.sample(range(seats), rng.randint(1, seats - 1))
    while not table.match.score.is_over:
        table.reveal()
        seat = Seat(rng.randrange(seats))
        if leaving and rng.random() < 0.02:
            table.do(Replace(Seat(leaving.pop())))
        elif table.match.newest_deal and seat not in table.match.replaced_seats and rng.random() < 0.02:
            table.give_words(seat, f"words {len(table.actions)}")
        elif not table.apply_chance():
            table.do(random_action(table.match, rng))
    table.reveal()
    return table


@pytest.mark.parametrize(("preset", "seats"), thorough_after(2, LARGE_TABLES))
@examples(1, nightly=40)
@given(seed=seeds)
def test_a_match_with_takeovers_round_trips(preset: str, seats: int, seed: int) -> None:
    """The record of a match with takeovers has version 4, round-trips, and replays to the same end in the reference."""
    actions, match = play_with_takeovers(Rules.parse(f"{preset} target=60"), seats, seed)
    record = Record(match.rules, tuple(actions), NAMES[:seats], None, match.score.totals)
    assert record.replay() == match
    text = str(record)
    assert text.startswith('[Record "4"]\n') is bool(match.replaced_seats)
    assert replay_record(text).replaced_seats == match.replaced_seats
    assert match_to_json(replay_record(text)) == match_to_json(match) == expected_json(text)
    assert str(Record.parse(text)) == text


@pytest.mark.parametrize(("preset", "seats"), thorough_after(2, LARGE_TABLES))
@examples(1, nightly=26)
@given(seed=seeds)
def test_a_verifiable_match_with_takeovers_is_ok(preset: str, seats: int, seed: int) -> None:
    """The cards of a verifiable match with takeovers follow from all seeds, including seeds of replaced players."""
    fair = play_fair_with_takeovers(Rules.parse(f"{preset} target=60"), seats, seed).fair_match
    record = Record.parse(str(fair.record))
    found = audit(record, CHAIN.commitment, fair.words)
    assert (found.answer, found.differences) == ("ok", ())
    assert record.replay().replaced_seats == fair.match.replaced_seats


@pytest.mark.thorough
@examples(10, nightly=530)
@given(seed=seeds)
def test_a_wrong_takeover_is_refused_or_changes_no_deal(seed: int) -> None:
    """A record with an added or moved takeover is refused with `RecordError`, or it replays with the same deals."""
    rng = Random(seed)
    preset, seats = rng.choice(LARGE_TABLES)
    actions, match = play_with_takeovers(Rules.parse(f"{preset} target=20"), seats, seed)
    lines = str(Record(match.rules, tuple(actions), NAMES[:seats])).splitlines()
    for _ in range(6):
        changed, added = list(lines), f"replace {rng.choice((0, 1, 2, 3, 9))}"
        takeovers = [place for place, line in enumerate(changed) if line.startswith("replace")]
        if takeovers and rng.random() < 0.5:
            changed.pop(rng.choice(takeovers))
        changed.insert(rng.randint(seats + 2, len(changed)), added)
        changed[0] = '[Record "4"]'
        with suppress(RecordError):
            after = replay_record("\n".join(changed))
            assert 1 <= len(after.replaced_seats) < seats
            assert match_to_json(after)["deals"] == match_to_json(match)["deals"]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_older_versions_have_no_takeover(version: int) -> None:
    """Records of version 3 or older are refused at the line of a takeover."""
    text = f'[Record "{version}"]\n[Rules "rotation"]\n{CUT}\nreplace 2\n'
    with pytest.raises(RecordError, match="line 4: 'replace' does not begin an action"):
        replay_record(text)
    assert replay_record(text.replace(f'"{version}"', '"4"', 1)).replaced_seats == (2,)


@pytest.mark.parametrize("text", ["replace", "replace x", "replace -1", "replace +1", "replace ²", "replace 1_0"])
def test_a_takeover_names_a_seat(text: str) -> None:
    """The seat of a takeover is a whole number in ASCII digits."""
    with pytest.raises(RecordError, match="the takeover of a seat is written as replace SEAT"):
        Record.parse(f'[Record "4"]\n[Rules "rotation"]\n{text}')


FAIR = str(
    Record(
        Rules.parse("penalty"),
        (*FIRST_SEEDS, Cut(CUT.cards, 1), Replace(Seat(1)), PlayerSeed(Seat(2), player_seed("later"), 2)),
        NAMES[:3],
        commit=CHAIN.commitment,
    )
)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("replace 1", "replace 2", "a seat gives no more seeds once a computer plays it"),
        ("replace 1", "replace 5", "there is no such seat"),
        ("replace 1", "replace 1\nreplace 1", "the record cannot be replayed"),
    ],
)
def test_an_audit_finds_a_wrong_takeover(old: str, new: str, what: str) -> None:
    """An audit reports impossible takeovers, and seeds that a seat gives after its takeover, each with its line."""
    right, wrong = (audit(Record.parse(text)) for text in (FAIR, FAIR.replace(old, new)))
    assert [difference.what for difference in right.differences] == []
    assert [difference.what for difference in wrong.differences] == [what]
    line = FAIR[: FAIR.index("replace 1")].count("\n") + 1
    assert wrong.differences[0].line == line + (what != "there is no such seat")

"""Discards that are taken back: when it is allowed, its effects, and its notation in records."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import DRAW, PASS, RESIGN, TAKE, Seat, Verb, discard, knock
from bot.engine.deals.phase import Phase
from bot.engine.errors import IllegalMove, RecordError
from bot.engine.matches.actions import Action, Play, Reshuffle, Shuffle, TakeBack
from bot.engine.matches.match import Match, apply, apply_all, legal, new_match
from bot.engine.records.record import Record, replay_record
from bot.engine.rules import Rules
from bot.engine.to_json import match_to_json
from tests.engine.decks import TABLES, deck, random_action
from tests.engine.strategies import seeds
from tests.helpers.examples import examples

DECK = deck("Ac 2c 3c 4d 5d 6d Kc Kd Jh Qs", "2h 4h 6h 7h Th 2s 5s 7s 9s Jd", "Ks", stock="8c 3h Tc")
"""Seat 0 acts first, and can knock after taking the king of spades."""
QUEEN, JACK = Card.parse("Qs"), Card.parse("Jh")
START = [Shuffle(1, Seat(1), DECK)]
DISCARDED = [*START, Play(Seat(0), TAKE), Play(Seat(0), discard(QUEEN))]


def after(actions: Sequence[Action], rules: str = "classic first_dealer=challenged") -> Match:
    """Return a match of two after some actions."""
    return apply_all(new_match(Rules.parse(rules), 2), actions)


def test_a_discard_is_taken_back() -> None:
    """After taking a discard back, everything is as before it, and the player can make any other move."""
    before, match = after(DISCARDED[:-1]), after([*DISCARDED, TakeBack(Seat(0))])
    assert legal(match, Seat(0)) == legal(before, Seat(0))
    assert match.deal_of(Seat(0)).history == before.deal_of(Seat(0)).history
    assert match.deal_of(Seat(0)).hands == before.deal_of(Seat(0)).hands
    assert match.to_act == (0,)
    assert match_to_json(match) == match_to_json(before)
    assert apply(match, Play(Seat(0), knock(QUEEN))).finished


@pytest.mark.parametrize(
    ("before", "seat"),
    [
        (START, 0),
        (DISCARDED[:-1], 0),
        (DISCARDED, 1),
        ([*DISCARDED, Play(Seat(1), DRAW)], 0),
        ([*DISCARDED, Play(Seat(1), TAKE)], 0),
        ([*START, Play(Seat(0), PASS)], 0),
        ([*DISCARDED[:-1], Play(Seat(0), knock(QUEEN))], 0),
        ([*DISCARDED, Play(Seat(1), RESIGN)], 0),
        ([*DISCARDED, TakeBack(Seat(0))], 0),
        ([*DISCARDED, TakeBack(Seat(0)), Play(Seat(0), discard(JACK))], 0),
        ([], 0),
        (DISCARDED, 7),
        (DISCARDED, -1),
    ],
)
def test_taking_back_is_refused(before: Sequence[Action], seat: int) -> None:
    """Only a seat's own discard can be taken back, before anything has followed it, and once in a deal."""
    with pytest.raises(IllegalMove) as refused:
        apply(after(before), TakeBack(Seat(seat)))
    assert refused.value.code == "back"


def test_each_seat_can_take_back_once() -> None:
    """A seat that has taken a discard back does not use up the other's chance."""
    match = after([*DISCARDED, TakeBack(Seat(0)), Play(Seat(0), discard(JACK)), Play(Seat(1), DRAW)])
    match = apply_all(match, [Play(Seat(1), discard(Card.parse("Jd"))), TakeBack(Seat(1))])
    assert match.deal_of(Seat(1)).taken_back == (0, 1)
    assert match.to_act == (1,)


def test_the_barred_card_stays_barred() -> None:
    """A card that may not be discarded in the turn still may not after taking another one back."""
    match = after([*DISCARDED, TakeBack(Seat(0))])
    with pytest.raises(IllegalMove) as refused:
        apply(match, Play(Seat(0), discard(Card.parse("Ks"))))
    assert refused.value.code == "just-taken"


def test_a_discard_before_the_wall_is_taken_back() -> None:
    """The last discard can be taken back, too, if the next player may still go out with it."""
    rules = Rules.parse("tournament first_dealer=challenged")
    rng = Random(5)
    match = apply_all(new_match(rules, 2), START)
    while match.deal_of(Seat(0)).phase is not Phase.WALL:
        seat = match.to_act[0]
        moves = [move for move in legal(match, seat) if move.verb in (Verb.PASS, Verb.DRAW, Verb.DISCARD)]
        match = apply(match, Play(seat, rng.choice(moves)))
    last = Seat(1 - match.to_act[0])
    assert apply(match, TakeBack(last)).to_act == (last,)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_discard_before_a_reshuffle_stays(seats: int) -> None:
    """A discard before a reshuffle cannot be taken back. A deal shows that it was reshuffled, even after a draw."""
    rng, reshuffles, is_fresh = Random(seats), 0, False
    match = new_match(Rules.parse("penalty"), seats)
    for _ in range(300):
        if match.awaits is not None:
            action: Action = random_action(match, rng)
        else:
            (seat,) = match.to_act
            moves = [move for move in legal(match, seat) if move.verb in (Verb.DRAW, Verb.TAKE, Verb.DISCARD)]
            action = Play(seat, rng.choice(moves))
        discarded = action if isinstance(action, Play) and action.move.verb is Verb.DISCARD else None
        match = apply(match, action)
        has_drawn = isinstance(action, Play) and action.move.verb is Verb.DRAW
        is_fresh = isinstance(action, Reshuffle) or (is_fresh and has_drawn)
        reshuffles += isinstance(action, Reshuffle)
        (deal,) = match.playing or (None,)
        assert deal is None or deal.follows_reshuffle is is_fresh
        if discarded is not None and match.reshuffling is not None:
            match = apply(match, random_action(match, rng))
            is_fresh, reshuffles = True, reshuffles + 1
            with pytest.raises(IllegalMove):
                apply(match, TakeBack(discarded.seat))
    assert reshuffles


RECORD = Record(Rules.parse("classic first_dealer=challenged"), (*DISCARDED, TakeBack(Seat(0)), Play(Seat(0), RESIGN)))


def test_records_with_a_discard_taken_back_have_their_own_version() -> None:
    """A record with a discard that was taken back has version 5 and round-trips. Version 4 does not know the action."""
    text = str(RECORD)
    assert text.startswith('[Record "5"]\n')
    assert "0 take 0 x Qs\nback 0\n" in text
    assert Record.parse(text) == RECORD
    assert replay_record(text).forfeit is not None
    with pytest.raises(RecordError) as refused:
        Record.parse(text.replace('[Record "5"]', '[Record "4"]'))
    assert refused.value.code == "action"
    with pytest.raises(RecordError) as refused:
        Record.parse(text.replace("back 0", "back"))
    assert refused.value.code == "action"


@examples(25)
@given(seeds)
def test_records_with_discards_taken_back_replay(seed: int) -> None:
    """A record in which players take discards back at random replays to the same match, under all rules."""
    rng = Random(seed)
    preset, seats = rng.choice(TABLES)
    match, actions = new_match(Rules.parse(f"{preset} target=20"), seats), list[Action]()
    while (match.to_act or match.awaits is not None) and len(actions) < 400:
        action = random_action(match, rng)
        match = apply(match, action)
        actions.append(action)
        taken = TakeBack(action.seat) if isinstance(action, Play) and rng.random() < 0.3 else None
        if taken is not None:
            try:
                match = apply(match, taken)
            except IllegalMove:
                continue
            actions.append(taken)
    record = Record(match.rules, tuple(actions), tuple(f"Player {seat}" for seat in range(seats)))
    assert match_to_json(replay_record(str(record))) == match_to_json(match)

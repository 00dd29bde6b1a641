"""What may be seen: nothing hidden in any view, and everything that one needs to play."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings

from bot.engine.cards import Card, Hand
from bot.engine.deal import Deal, Phase
from bot.engine.match import Cut, Match, Play, Shuffle, apply, apply_all, legal, new_match
from bot.engine.melds import best_arrangement, least_deadwood
from bot.engine.moves import Move, Seat, Verb
from bot.engine.record import Record
from bot.engine.rules import Rules
from bot.engine.showdown import Kind
from bot.engine.views import Happening, PublicView, SeatView, public_view, seat_view, showdown_view
from tests.engine.decks import GIN_HAND, POOR_HAND, deck, random_actions
from tests.engine.strategies import seeds

CARDS = deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks", stock="9c 7d")
BEGUN = apply_all(new_match(Rules(), 2), [Cut((Card.parse("Kd"), Card.parse("7h"))), Shuffle(1, Seat(1), CARDS)])


def after(*moves: str) -> Match:
    """The match after moves as a record has them."""
    match = BEGUN
    for move in moves:
        seat, _, text = move.partition(" ")
        match = apply(match, Play(Seat(int(seat)), Move.parse(text)))
    return match


def swapped(deal: Deal, one: Card, other: Card) -> Deal:
    """The deal as it would stand with two cards of the deck exchanged."""
    places = {one: other, other: one}

    def put(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(places.get(card, card) for card in cards)

    return replace(
        deal,
        deck=put(deal.deck),
        hands=tuple(Hand.of(put(tuple(hand))) for hand in deal.hands),
        drawn=None if deal.drawn is None else places.get(deal.drawn, deal.drawn),
    )


@settings(max_examples=12, deadline=None)
@given(seeds)
def test_hidden_cards_change_nothing_that_is_seen(seed: int) -> None:
    """Exchanging two cards that a seat has not seen, stock or opponent's, leaves its view and the public one equal."""
    rng = random.Random(seed)
    seen: set[Card] = set()
    for _, action, match in random_actions(seed, Rules(target=10)):
        deal = match.deal
        if isinstance(action, Shuffle):
            seen = set() if deal is None else {deal.upcard}
        elif isinstance(action, Play) and action.move.card is not None:
            seen.add(action.move.card)
        if deal is None or rng.random() < 0.7:
            continue
        for seat in deal.seats:
            hand = deal.hands[deal.seats.index(seat)]
            hidden = [card for card in deal.deck if card not in seen and card not in hand]
            other = replace(match, deal=swapped(deal, *rng.sample(hidden, 2)))
            assert other != match
            assert seat_view(other, seat) == seat_view(match, seat)
            assert public_view(other) == public_view(match)


def test_a_view_that_showed_the_stock_would_be_caught() -> None:
    """The exchange above does change the whole state, and the view of the seat that holds one of the cards."""
    assert BEGUN.deal is not None
    other = replace(BEGUN, deal=swapped(BEGUN.deal, Card.parse("2h"), Card.parse("9c")))
    assert seat_view(other, Seat(1)) != seat_view(BEGUN, Seat(1))
    assert seat_view(other, Seat(0)) == seat_view(BEGUN, Seat(0))


def test_everyone_sees_the_table() -> None:
    """Sizes, counts, pile, phase, turn, limit, cut and score are public."""
    view = public_view(BEGUN)
    assert (view.number, view.dealer, view.phase, view.turn) == (1, 1, Phase.OFFER, 0)
    assert (view.hand_sizes, view.stock, view.knock_limit) == ((10, 10), 31, 10)
    assert (view.discards, view.top) == ((Card.parse("Ks"),), Card.parse("Ks"))
    assert (view.cut, view.score.scores, view.resigned, view.happenings) == (BEGUN.cut, (0, 0), None, ())
    taken = public_view(after("0 take"))
    assert (taken.hand_sizes, taken.stock, taken.top, taken.phase) == ((11, 10), 31, None, Phase.DISCARD)


def test_happenings_tell_the_cards_that_everyone_saw() -> None:
    """A taken and a discarded card are named, with the seat; a card from the stock is not."""
    match = after("0 pass", "1 take", "1 x 2h", "0 draw", "0 x 9c", "1 draw", "1 x 2s", "0 take", "0 x Qh")
    told = [(int(one.seat), one.verb.value, str(one.card or "")) for one in public_view(match).happenings]
    assert told == [
        (0, "pass", ""),
        (1, "take", "Ks"),
        (1, "x", "2h"),
        (0, "draw", ""),
        (0, "x", "9c"),
        (1, "draw", ""),
        (1, "x", "2s"),
        (0, "take", "2s"),
        (0, "x", "Qh"),
    ]


def test_a_knock_is_told_with_its_discard() -> None:
    """The last happening of a deal is the knock, and the pile shows the discard."""
    match = after("0 take", "0 k Qh")
    view = public_view(match)
    assert view.happenings[-1] == Happening(Seat(0), Verb.KNOCK, Card.parse("Qh"))
    assert (view.phase, view.turn, view.top) == (Phase.DONE, None, Card.parse("Qh"))


def test_a_seat_sees_its_hand_and_what_it_may_do() -> None:
    """The seat to act has its fresh card, choices and moves; the other its hand alone."""
    match = after("0 take")
    mine, theirs = seat_view(match, Seat(0)), seat_view(match, Seat(1))
    assert (mine.to_act, mine.fresh, mine.can_go_gin) == (True, Card.parse("Ks"), True)
    assert (theirs.to_act, theirs.fresh, theirs.choices, theirs.moves) == (False, None, (), ())
    assert theirs.hand == Hand.parse(POOR_HAND)
    assert mine.arrangement == best_arrangement(mine.hand)
    kept = {str(choice.card): (choice.leaves, choice.allowed, choice.knocks) for choice in mine.choices}
    assert kept["Qh"] == (0, True, True)
    assert kept["Ks"] == (10, False, False)
    assert kept["Kc"] == (10, True, True)
    assert kept["Ac"] == (15, True, False)


@settings(max_examples=12, deadline=None)
@given(seeds)
def test_a_view_agrees_with_the_rules(seed: int) -> None:
    """Over random matches a view's moves are the legal ones, its choices say the same, and its counts are right."""
    for _, _, match in random_actions(seed, Rules(target=20), resigns=0.001):
        if match.deal is None and not match.finished:
            continue
        for seat in (Seat(0), Seat(1)):
            check_seat(match, seat_view(match, seat))


def check_seat(match: Match, view: SeatView) -> None:
    """Compare one view with the match it was made of."""
    deal = match.deal or match.finished[-1]
    assert view.public == public_view(match)
    assert view.hand == deal.hands[deal.seats.index(view.seat)]
    assert view.moves == legal(match, view.seat)
    assert view.to_act == (match.to_act == view.seat) == bool(view.moves)
    check_public(view.public, deal)
    discards = {move.card for move in view.moves if move.verb is Verb.DISCARD}
    knocks = {move.card for move in view.moves if move.verb is Verb.KNOCK}
    if discards:
        assert [choice.card for choice in view.choices] == list(view.hand)
        assert view.fresh is not None
        assert view.fresh in view.hand
    else:
        assert (view.choices, view.fresh) == ((), None)
    for choice in view.choices:
        assert choice.leaves == least_deadwood(view.hand - choice.card)
        assert (choice.allowed, choice.knocks) == (choice.card in discards, choice.card in knocks)
    gin = any(
        move.verb is Verb.KNOCK and sum(len(meld.cards) for meld in move.melds or ()) == 10 for move in view.moves
    )
    assert view.can_go_gin == gin


def check_public(view: PublicView, deal: Deal) -> None:
    """Compare the public facts with the deal."""
    assert sum(view.hand_sizes) + view.stock + len(view.discards) == 52
    assert [one.verb for one in view.happenings] == [move.verb for move in deal.history]
    pile = [deal.upcard]
    for one in view.happenings:
        if one.verb is Verb.TAKE:
            assert pile.pop() is one.card
        elif one.card is not None:
            pile.append(one.card)
        assert (one.card is None) == (one.verb in (Verb.PASS, Verb.DRAW))
    assert tuple(pile) == view.discards
    for earlier, later in pairwise(view.happenings):
        assert (earlier.seat == later.seat) == (earlier.verb in (Verb.TAKE, Verb.DRAW))


def test_a_resigned_match_shows_no_more_than_before() -> None:
    """After a resignation nobody is to act, hands stay hidden, and there is no showdown of the broken-off deal."""
    match = after("0 take", "1 resign")
    view = public_view(match)
    assert (view.phase, view.turn, view.resigned, view.score.winner) == (Phase.DONE, None, 1, 0)
    assert (seat_view(match, Seat(0)).moves, seat_view(match, Seat(0)).choices) == ((), ())
    with pytest.raises(LookupError):
        showdown_view(match, 1)


def test_a_showdown_shows_a_deal_that_is_over() -> None:
    """Both hands, the discard and the score with the deal are shown; a deal not over has no showdown."""
    match = after("0 take", "0 k Qh")
    shown = showdown_view(match, 1)
    assert (shown.number, shown.dealer, shown.seats, str(shown.discard)) == (1, 1, (0, 1), "Qh")
    assert str(shown.hand(Seat(0))) == "Ac2c3c 4d5d6d KcKdKhKs |"
    assert (shown.deadwood(Seat(0)), shown.deadwood(Seat(1)), shown.outcome.kind) == (0, 60, Kind.GIN)
    assert shown.score.scores == (85, 0)
    for number in (0, 2):
        with pytest.raises(LookupError):
            showdown_view(match, number)


def test_a_void_deal_shows_no_hands() -> None:
    """The showdown of a void deal has no knocker's discard and no hands."""
    stock = "".join(f"{turn % 2} draw {turn % 2} x {card} " for turn, card in enumerate(CARDS[21:50]))
    cards = "".join(map(str, CARDS))
    text = f'[Record "1"][Rules "classic"] deal 1 dealer=1 deck={cards} 0 pass 1 pass {stock}'
    shown = showdown_view(Record.parse(text).replay(), 1)
    assert (shown.outcome.kind, shown.discard, shown.score.scores) == (Kind.VOID, None, (0, 0))
    with pytest.raises(LookupError):
        shown.hand(Seat(0))

"""Views show no hidden cards, and contain everything needed to play."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice, pairwise

import pytest
from hypothesis import given

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import best_arrangement, least_deadwood
from bot.engine.deals.deal import Deal
from bot.engine.deals.lay_offs import remaining_hand
from bot.engine.deals.moves import Move, Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.match import Cut, Match, Play, Shuffle, apply, apply_all, legal, new_match
from bot.engine.matches.views import Forfeit, PublicMove, PublicView, SeatView, public_view, seat_view, showdown_view
from bot.engine.records.record import Record
from bot.engine.rules import Rules
from tests.engine.decks import GIN_HAND, POOR_HAND, TABLES, deck, deck_of, random_actions
from tests.engine.strategies import seeds
from tests.helpers.cases import thorough_after
from tests.helpers.examples import examples

CARDS = deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks", stock="9c 7d")
STARTED = apply_all(new_match(Rules(), 2), [Cut((Card.parse("Kd"), Card.parse("7h"))), Shuffle(1, Seat(1), CARDS)])


def after(*moves: str) -> Match:
    """Return the match after moves, given in record notation."""
    match = STARTED
    for move in moves:
        seat, _, text = move.partition(" ")
        match = apply(match, Play(Seat(int(seat)), Move.parse(text)))
    return match


def swapped(match: Match, deal: Deal, one: Card, other: Card) -> Match:
    """Return the match with two cards exchanged in the stock or hands of a deal in play."""
    places = {one: other, other: one}

    def put(cards: Iterable[Card]) -> tuple[Card, ...]:
        return tuple(places.get(card, card) for card in cards)

    instead = replace(
        deal,
        deck=(*deal.deck[: deal.dealt], *put(deal.stock)),
        hands=tuple(Hand.of(put(hand)) for hand in deal.hands),
        new_card=None if deal.new_card is None else places.get(deal.new_card, deal.new_card),
    )
    return replace(match, playing=tuple(instead if playing is deal else playing for playing in match.playing))


def is_dealt(match: Match, seat: Seat) -> bool:
    """Return True if the newest round has been dealt on a seat's board."""
    deals = (*match.playing, *match.finished)
    latest = max(deal.number for deal in deals)
    return match.format.boards == 1 or any(seat in deal.seats for deal in deals if deal.number == latest)


def hidden_cards(deal: Deal, seat: Seat) -> list[Card]:
    """Return the cards that a seat has not seen: the stock, and other hands except cards that were laid down."""
    cards = list(deal.stock)
    for place, other in enumerate(deal.seats):
        laid_down = deal.knock is not None and (place - deal.knock.index) % len(deal.seats) <= len(deal.knock.responses)
        if other != seat and not laid_down:
            mine = deal.knock.chosen_melds or () if deal.knock is not None and place == deal.turn else ()
            cards += remaining_hand(deal, place).without(card for meld in mine for card in meld.cards)
    return cards


SYSTEMS = [
    *(
        pytest.param(preset, seats)
        for preset, seats in TABLES
        if preset in ("classic", "standard", "tournament", "penalty", "rotation", "winner_stays", "partners")
    ),
    pytest.param("penalty lay_off_mode=manual lay_off_chain=on knock_limit=60", 4, id="choosing lay-offs in turn"),
    pytest.param("partners stock_out=reshuffle knock_limit=0 lay_off_mode=manual", 4, id="two boards reshuffled"),
]
each_system = pytest.mark.parametrize(("preset", "seats"), thorough_after(3, SYSTEMS))


@each_system
@examples(1, nightly=26)
@given(seeds)
def test_views_do_not_depend_on_hidden_cards(preset: str, seats: int, seed: int) -> None:
    """Exchanging two cards that a seat has not seen changes neither its view nor the public views."""
    rng = random.Random(seed)
    for _, _, match in islice(random_actions(seed, Rules.parse(f"{preset} target=10"), seats=seats), 300):
        for deal in match.playing:
            seat = rng.choice([seat for seat in map(Seat, range(seats)) if is_dealt(match, seat)])
            if rng.random() < 0.7 and deal.phase is not Phase.LAY_OFF:
                continue
            stock_card = rng.choice(deal.stock)
            other = swapped(
                match,
                deal,
                stock_card,
                rng.choice([card for card in hidden_cards(deal, seat) if card is not stock_card]),
            )
            assert other != match
            assert seat_view(other, seat) == seat_view(match, seat)
            assert public_view(other, deal.board) == public_view(match, deal.board)


def test_a_view_that_showed_the_stock_would_be_caught() -> None:
    """Exchanging a seat's card with a stock card changes the seat's view, so that such exchanges can reveal leaks."""
    other = swapped(STARTED, STARTED.playing[0], Card.parse("2h"), Card.parse("9c"))
    assert seat_view(other, Seat(1)) != seat_view(STARTED, Seat(1))
    assert seat_view(other, Seat(0)) == seat_view(STARTED, Seat(0))


def test_everyone_sees_the_table() -> None:
    """Hand sizes, stock size, pile, phase, turn, knock limit, cut and score are public."""
    view = public_view(STARTED)
    assert (view.number, view.dealer, view.phase, view.turn) == (1, 1, Phase.OFFER, 0)
    assert (view.hand_sizes, view.stock, view.knock_limit) == ((10, 10), 31, 10)
    assert (view.discards, view.top) == ((Card.parse("Ks"),), Card.parse("Ks"))
    assert (view.cut, view.score.scores, view.forfeit, view.history) == (STARTED.cut, (0, 0), None, ())
    taken = public_view(after("0 take"))
    assert (taken.hand_sizes, taken.stock, taken.top, taken.phase) == ((11, 10), 31, None, Phase.DISCARD)


def test_public_moves_name_public_cards() -> None:
    """Public moves name taken and discarded cards, but not cards drawn from the stock."""
    match = after("0 pass", "1 take", "1 x 2h", "0 draw", "0 x 9c", "1 draw", "1 x 2s", "0 take", "0 x Qh")
    public_moves = [(int(move.seat), move.verb.value, str(move.card or "")) for move in public_view(match).history]
    assert public_moves == [
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


def test_a_draw_is_public_only_with_the_discard() -> None:
    """Only the player who drew from the stock sees the draw before the discard. A taken discard is seen at once."""
    before, drawn = after("0 pass", "1 pass"), after("0 pass", "1 pass", "0 draw")
    assert public_view(drawn) == public_view(before)
    assert seat_view(drawn, Seat(1)) == seat_view(before, Seat(1))
    own = seat_view(drawn, Seat(0)).public
    assert (own.phase, own.stock, own.hand_sizes, len(own.history)) == (Phase.DISCARD, 30, (11, 10), 3)
    discarded = apply(drawn, Play(Seat(0), Move.parse("x 9c")))
    assert public_view(discarded) == seat_view(discarded, Seat(0)).public
    assert [move.verb.value for move in public_view(discarded).history] == ["pass", "pass", "draw", "x"]
    taken = after("0 take")
    assert public_view(taken) == seat_view(taken, Seat(0)).public


def test_a_knock_names_its_discard() -> None:
    """In the public view, a knock has its discard, which is also the top of the pile."""
    match = after("0 take", "0 k Qh")
    view = public_view(match)
    assert view.history[-1] == PublicMove(Seat(0), Verb.KNOCK, Card.parse("Qh"))
    assert (view.phase, view.turn, view.top) == (Phase.DONE, None, Card.parse("Qh"))


def test_a_seat_sees_its_hand_and_what_it_may_do() -> None:
    """The seat whose turn it is sees its new card, choices and moves. The other seat sees only its hand."""
    match = after("0 take")
    mine, theirs = seat_view(match, Seat(0)), seat_view(match, Seat(1))
    assert (mine.is_to_act, mine.new_card, mine.can_go_gin) == (True, Card.parse("Ks"), True)
    assert (theirs.is_to_act, theirs.new_card, theirs.discard_choices, theirs.moves) == (False, None, (), ())
    assert theirs.hand == Hand.parse(POOR_HAND)
    assert mine.arrangement == best_arrangement(mine.hand)
    kept = {str(choice.card): (choice.deadwood, choice.is_allowed, choice.can_knock) for choice in mine.discard_choices}
    assert kept["Qh"] == (0, True, True)
    assert kept["Ks"] == (10, False, False)
    assert kept["Kc"] == (10, True, True)
    assert kept["Ac"] == (15, True, False)


@each_system
@examples(2)
@given(seeds)
def test_a_view_agrees_with_the_rules(preset: str, seats: int, seed: int) -> None:
    """In random matches, a view's moves are the legal ones, its choices match them, and its counts are correct."""
    rng = random.Random(seed)
    for _, _, match in islice(random_actions(seed, Rules.parse(f"{preset} target=10"), seats=seats), 200):
        if match.playing and rng.random() < 0.2:
            for seat in map(Seat, range(seats)):
                if is_dealt(match, seat):
                    check_seat(match, seat_view(match, seat))


def check_seat(match: Match, view: SeatView) -> None:
    """Check that a seat's view agrees with the match: legal moves, choices and counts."""
    deal, seat = match.deal_of(view.seat), view.seat
    assert view.moves == legal(match, seat)
    assert view.is_to_act == (seat in match.to_act) == bool(view.moves)
    check_public(view.public, deal, hides_draw=not view.is_to_act)
    if not view.is_to_act:
        assert view.public == public_view(match, deal.board)
    if view.sits_out:
        assert (len(view.hand), view.moves, view.arrangement.melds) == (0, (), ())
        return
    place = deal.seats.index(seat)
    assert view.hand == remaining_hand(deal, place)
    assert [*view.arrangement.unmatched, *(card for meld in view.arrangement.melds for card in meld.cards)]
    discards = {move.card for move in view.moves if move.verb is Verb.DISCARD}
    knocks = {move.card for move in view.moves if move.verb is Verb.KNOCK}
    if view.is_to_act and deal.phase is Phase.DISCARD:
        assert [choice.card for choice in view.discard_choices] == list(view.hand)
        assert view.new_card is not None
        assert view.new_card in view.hand
    else:
        assert (view.discard_choices, view.new_card) == ((), None)
    for choice in view.discard_choices:
        assert choice.deadwood == least_deadwood(view.hand - choice.card)
        assert (choice.is_allowed, choice.can_knock) == (choice.card in discards, choice.card in knocks)
    gin = any(
        move.verb is Verb.KNOCK and sum(len(meld.cards) for meld in move.melds or ()) == match.rules.cards_dealt
        for move in view.moves
    )
    assert view.can_go_gin == gin
    lay_offs = [(move.card, move.melds) for move in view.moves if move.verb is Verb.LAY_OFF]
    assert [(choice.card, (choice.meld,)) for choice in view.lay_offs] == lay_offs
    assert (view.best_response is not None) == (view.is_to_act and deal.phase is Phase.LAY_OFF)


def check_public(view: PublicView, deal: Deal, *, hides_draw: bool) -> None:
    """Check that a public view agrees with its deal, except for a draw that it hides."""
    assert sum(view.hand_sizes) + view.stock + len(view.discards) == 52
    is_hidden = hides_draw and view.phase is not Phase.DONE and deal.phase is Phase.DISCARD and not deal.is_from_pile
    moves = deal.history[:-1] if is_hidden else deal.history
    assert [move.verb for move in view.history] == [move.verb for move in moves]
    pile = [deal.upcard]
    for made in view.history:
        if made.verb is Verb.TAKE:
            assert pile.pop() is made.card
        elif made.card is not None and made.verb is not Verb.LAY_OFF:
            pile.append(made.card)
        assert (made.card is None) == (made.verb in (Verb.PASS, Verb.DRAW, Verb.MELD, Verb.DONE, Verb.BIG_GIN))
    assert tuple(pile[len(pile) - len(view.discards) :]) == view.discards
    for earlier, later in pairwise(view.history):
        stays = earlier.verb in (Verb.TAKE, Verb.DRAW, Verb.MELD, Verb.LAY_OFF)
        assert (earlier.seat == later.seat) == stays
    assert (view.knock is not None) == (deal.phase is Phase.LAY_OFF)


AFTER_KNOCK = apply_all(
    new_match(Rules.parse("standard"), 2),
    [
        Shuffle(1, Seat(1), deck(f"{GIN_HAND} 9s", "4c 4h 5c 6c 7d 8d 9d Ks Ts Js", "Qd")),
        Play(Seat(0), Move.parse("take")),
        Play(Seat(0), Move.parse("k 9s")),
    ],
)


def test_an_open_knock_is_seen_by_all() -> None:
    """The knocker's melds and the lay-offs are public. The responding player sees the value of each lay-off."""
    view = public_view(AFTER_KNOCK)
    assert view.knock is not None
    assert (view.phase, view.turn, view.knock.seat) == (Phase.LAY_OFF, 1, 0)
    assert (str(view.knock.arrangement), view.knock.lay_offs) == ("Ac2c3c 4d5d6d KcKdKh | Qd", ())
    mine = seat_view(AFTER_KNOCK, Seat(1))
    assert {str(choice.card): choice.points_saved for choice in mine.lay_offs} == {"4c": -11, "7d": -17, "Ks": 10}
    assert mine.best_response is not None
    assert [str(lay_off) for lay_off in mine.best_response.lay_offs] == ["Ks>KcKdKh"]
    later = apply_all(AFTER_KNOCK, [Play(Seat(1), Move.parse("m 7d8d9d")), Play(Seat(1), Move.parse("l 4c>Ac2c3c"))])
    own = seat_view(later, Seat(1))
    assert {str(choice.card): choice.points_saved for choice in own.lay_offs} == {"5c": 5, "Ks": 10}
    assert str(own.arrangement) == "7d8d9d | 4h 5c 6c Ts Js Ks"
    assert [str(lay_off) for lay_off in (public_view(later).knock or view.knock).lay_offs] == ["4c>Ac2c3c"]
    assert seat_view(later, Seat(0)).moves == ()


def test_a_player_who_sits_out_sees_only_the_table() -> None:
    """In rotation, the dealer sits out: the view has no hand and no moves, but shows the table."""
    rules = Rules.parse("rotation first_dealer=random")
    match = apply(new_match(rules, 3), Shuffle(1, Seat(2), CARDS))
    view = seat_view(match, Seat(2))
    assert (view.sits_out, view.is_to_act, len(view.hand), view.moves) == (True, False, 0, ())
    assert (view.public.seats, view.public.dealer, view.public.turn) == ((0, 1), 2, 0)
    assert view.public.hand_sizes == (10, 10, 0)


def test_each_board_has_its_own_view() -> None:
    """A seat's view shows its own board. Each board's public view has its own deal, order and turn."""
    rules = Rules.parse("partners first_dealer=random")
    decks = [Shuffle(1, Seat(1), CARDS), Shuffle(1, Seat(3), CARDS[::-1], board=2)]
    match = apply_all(new_match(rules, 4), [*decks, Play(Seat(2), Move.parse("pass"))])
    assert [public_view(match, board).turn for board in (1, 2)] == [0, 3]
    assert [public_view(match, board).seats for board in (1, 2)] == [(0, 1), (2, 3)]
    assert [seat_view(match, Seat(seat)).public.board for seat in range(4)] == [1, 1, 2, 2]
    assert public_view(match).sides == ((0, 2), (1, 3))
    with pytest.raises(LookupError):
        public_view(match, 3)


def test_big_gin_is_offered_where_it_is_legal() -> None:
    """A hand of eleven melded cards may go big gin if the rules allow it."""
    for preset, offered in (("classic", False), ("express", True)):
        hands = f"{GIN_HAND} 7d", "8d 9d Tc Ts 2h 4h 6h 8h 2s 4s"
        rules = Rules.parse(f"{preset} first_dealer=challenged")
        match = apply(new_match(rules, 2), Shuffle(1, Seat(1), deck(*hands, "Ks")))
        view = seat_view(apply(match, Play(Seat(0), Move.parse("take"))), Seat(0))
        assert (view.can_go_gin, view.can_go_big_gin) == (True, offered)


def test_a_showdown_of_the_penalty_game_lists_the_charges() -> None:
    """A showdown of the penalty game lists each loser's penalty points. Other showdowns list none."""
    hands = "Ac 2c 3c 4d 5d 6d 9s", "2h 4h 6h 8h Th 2s 4s", "7c 9c Jc Kc 3h 5h 7h"
    match = apply(
        new_match(Rules.parse("penalty first_dealer=random"), 3),
        Shuffle(1, Seat(2), deck_of(*hands, upcard="Qd", stock="Ad")),
    )
    for play in ("0 draw", "0 k 9s"):
        seat, _, move = play.partition(" ")
        match = apply(match, Play(Seat(int(seat)), Move.parse(move)))
    shown = showdown_view(match, 1)
    assert (shown.penalty_points, shown.score.scores) == (((1, 35), (2, 50)), (0, 35, 50))
    assert (shown.deadwood(Seat(1)), shown.deadwood(Seat(2))) == (36, 51)
    assert shown.sides == ((0,), (1,), (2,))
    assert showdown_view(after("0 take", "0 k Qh"), 1).penalty_points == ()


def test_a_resigned_match_shows_no_more_than_before() -> None:
    """After a resignation, no seat has moves, hands stay hidden, and the interrupted deal has no showdown."""
    match = after("0 take", "1 resign")
    view = public_view(match)
    assert (view.phase, view.turn, view.score.winner) == (Phase.DONE, None, 0)
    assert view.forfeit == Forfeit(Seat(1), on_time=False)
    assert (seat_view(match, Seat(0)).moves, seat_view(match, Seat(0)).discard_choices) == ((), ())
    with pytest.raises(LookupError):
        showdown_view(match, 1)


def test_a_showdown_shows_a_deal_that_is_over() -> None:
    """A finished deal's showdown shows both hands, the discard and the score. An unfinished deal has no showdown."""
    match = after("0 take", "0 k Qh")
    shown = showdown_view(match, 1)
    assert (shown.number, shown.dealer, shown.seats, str(shown.discard)) == (1, 1, (0, 1), "Qh")
    assert str(shown.hand(Seat(0))) == "Ac2c3c 4d5d6d KcKdKhKs |"
    assert (shown.deadwood(Seat(0)), shown.deadwood(Seat(1)), shown.outcome.kind) == (0, 60, OutcomeKind.GIN)
    assert shown.score.scores == (85, 0)
    for number in (0, 2):
        with pytest.raises(LookupError):
            showdown_view(match, number)


def test_a_void_deal_shows_no_hands() -> None:
    """The showdown of a void deal has no discard and no hands."""
    stock = "".join(f"{turn % 2} draw {turn % 2} x {card} " for turn, card in enumerate(CARDS[21:50]))
    cards = "".join(map(str, CARDS))
    text = f'[Record "1"][Rules "classic"] deal 1 dealer=1 deck={cards} 0 pass 1 pass {stock}'
    shown = showdown_view(Record.parse(text).replay(), 1)
    assert (shown.outcome.kind, shown.discard, shown.score.scores) == (OutcomeKind.VOID, None, (0, 0))
    with pytest.raises(LookupError):
        shown.hand(Seat(0))

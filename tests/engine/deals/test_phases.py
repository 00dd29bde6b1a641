"""The legal moves in each phase of a deal, and their effects."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given

from bot.engine.cards.cards import DECK, Card, Hand
from bot.engine.cards.melds import arrangements
from bot.engine.deals.deal import Deal, Seating, start_deal
from bot.engine.deals.moves import Move, Seat, Verb, discard, knock
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import canonical, legal_moves, play, reshuffle
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.errors import IllegalMove
from bot.engine.rules import Rules
from tests.engine.decks import DEALER, FIRST, GIN_HAND, POOR_HAND, deal, deck, outcome, played, shuffled, table
from tests.engine.strategies import seeds
from tests.helpers.cases import thorough_after
from tests.helpers.examples import examples

KNOCKER = f"{GIN_HAND} Qh"


def texts_of(moves: tuple[Move, ...]) -> list[str]:
    """Return moves in notation."""
    return list(map(str, moves))


def new_deal(rules: Rules, rng: random.Random, players: int = 2) -> Deal:
    """Return a new deal from a shuffled deck."""
    seats = tuple(Seat(seat) for seat in range(players))
    return start_deal(rules, Seating(1, seats, seats[-1], 1), shuffled(rng))


def test_the_first_player_takes_the_upcard_or_passes() -> None:
    """The upcard is offered first to the player after the dealer, then to the dealer."""
    before = deal(KNOCKER, POOR_HAND, "Ks")
    assert texts_of(legal_moves(before)) == ["pass", "take"]
    after = played(before, "pass")
    assert after.to_act == DEALER
    assert texts_of(legal_moves(after)) == ["pass", "take"]
    assert played(after, "take").hands[1] == Hand.parse(POOR_HAND) + Card.parse("Ks")


def test_after_two_passes_the_first_player_must_draw() -> None:
    """After both players pass the upcard, the first player must draw from the stock."""
    after = played(deal(KNOCKER, POOR_HAND, "Ks"), "pass", "pass")
    assert after.to_act == FIRST
    assert texts_of(legal_moves(after)) == ["draw"]
    with pytest.raises(IllegalMove) as caught:
        played(after, "take")
    assert caught.value.code == "refused"


def test_a_passed_upcard_may_still_be_taken() -> None:
    """If the rules let a regular turn follow the offer, the first player may still take the passed upcard."""
    rules = Rules.parse("big")
    after = played(deal(KNOCKER, POOR_HAND, "Ks", rules=rules), "pass", "pass")
    assert (after.to_act, texts_of(legal_moves(after))) == (FIRST, ["draw", "take"])
    taken = played(after, "take")
    assert (taken.new_card, taken.is_from_pile, taken.discards) == (Card.parse("Ks"), True, ())
    with pytest.raises(IllegalMove) as caught:
        played(taken, "x Ks")
    assert caught.value.code == "just-taken"


def test_a_deal_may_begin_without_an_offer() -> None:
    """If the rules have no offer of the upcard, the first turn is a regular one, and passing is illegal."""
    before = table("Ac 3c 5c 7c 9c Jc Kc", "Ad 3d 5d 7d 9d Jd Kd", "Ah 3h 5h 7h 9h Jh Kh", upcard="2c", stock="4c")
    assert (before.phase, before.to_act, texts_of(legal_moves(before))) == (Phase.DRAW, FIRST, ["draw", "take"])
    with pytest.raises(IllegalMove) as caught:
        played(before, "pass")
    assert caught.value.code == "draw-first"
    assert played(before, "take", "x Kc").to_act == 1
    assert texts_of(legal_moves(played(before, "draw", "x Kc"))) == ["draw", "take"]


def test_a_turn_is_a_draw_and_a_discard() -> None:
    """A draw makes eleven cards, a discard ten. The next player may take the discard."""
    drawn = played(deal(KNOCKER, POOR_HAND, "Ks", stock="9c"), "pass", "pass", "draw")
    assert (len(drawn.hands[0]), drawn.new_card, drawn.is_from_pile) == (11, Card.parse("9c"), False)
    after = played(drawn, "x 9c")
    assert (len(after.hands[0]), after.new_card, after.to_act) == (10, None, DEALER)
    assert texts_of(legal_moves(after)) == ["draw", "take"]
    taken = played(after, "take")
    assert (taken.new_card, taken.is_from_pile) == (Card.parse("9c"), True)


def test_a_card_taken_from_the_pile_stays_for_a_turn() -> None:
    """A card just taken from the pile, even the upcard, may not be discarded in that turn. A drawn card may."""
    taken = played(deal(KNOCKER, POOR_HAND, "As", stock="7d 3s"), "take")
    assert not any(move.card == Card.parse("As") for move in legal_moves(taken))
    for move in ("x As", "k As"):
        with pytest.raises(IllegalMove) as caught:
            played(taken, move)
        assert caught.value.code == "just-taken"
    later = played(taken, "x Qh", "draw", "x 7d", "draw")
    assert {"x As", "x 3s"} <= set(texts_of(legal_moves(later)))


@pytest.mark.parametrize("loose", ["Td", "Qh", "9s", "As"])
def test_ten_or_less_may_knock(loose: str) -> None:
    """A knock with ten deadwood or less is legal."""
    drawn = played(deal(f"{GIN_HAND} {loose}", POOR_HAND, "Js", stock="Qs"), "pass", "pass", "draw")
    assert any(move.verb is Verb.KNOCK and move.card == Card.parse("Qs") for move in legal_moves(drawn))


def test_eleven_may_not_knock() -> None:
    """A knock above the limit is refused, and the error states the deadwood."""
    drawn = played(
        deal("Ac 2c 3c 4d 5d 6d 9s Ts Ks Qh", POOR_HAND[:-3] + " 7c", "7s", stock="Qs"), "pass", "pass", "draw"
    )
    with pytest.raises(IllegalMove, match="it would leave 39, and the knock limit is 10") as caught:
        played(drawn, "k Qs")
    assert caught.value.code == "too-much"


def test_only_gin_goes_out_with_knock_limit_0() -> None:
    """With knock limit 0, a hand with an unmatched ace may not knock. A hand without deadwood goes gin."""
    straight = Rules.parse("straight")
    almost = played(deal(f"{GIN_HAND} As", POOR_HAND, "Js", "Qs", rules=straight), "pass", "pass", "draw")
    assert not any(move.verb is Verb.KNOCK for move in legal_moves(almost))
    gin = played(deal(f"{GIN_HAND} As", POOR_HAND, "Ks", rules=straight), "take")
    assert texts_of(legal_moves(gin))[-1] == "k As Ac2c3c/4d5d6d/KcKdKhKs"


def test_a_knock_that_names_no_melds_gets_the_default_ones() -> None:
    """A knock without melds gets the default melds. Its canonical form names them."""
    drawn = played(
        deal("3c 3d 3h 3s 4s 5s Kc Kd Kh Qh", POOR_HAND.replace("4s", "Qd").replace("2h", "Qc"), "As", "Ac"),
        "pass",
        "pass",
        "draw",
    )
    assert str(canonical(drawn, Move.parse("k Qh"))) == "k Qh 3c3d3h/3s4s5s/KcKdKh"
    assert played(drawn, "k Qh") == played(drawn, "k Qh KhKdKc/3s4s5s/3c3d3h")
    chosen = played(drawn, "k Qh 3c3d3h3s/KcKdKh")
    assert outcome(chosen).deadwood[0] == 10
    assert played(drawn, "k Qh").history[-1].melds is not None


def test_a_deal_is_void_when_a_discard_leaves_two_in_the_stock() -> None:
    """The deal is void when two cards are left in the stock: after the 29th draw and discard."""
    after = played(deal(KNOCKER, POOR_HAND, "Ks"), "pass", "pass")
    for drawn in range(29):
        assert after.outcome is None
        assert len(after.stock) == 31 - drawn
        after = play(after, Move(Verb.DRAW))
        assert after.new_card is not None
        after = play(after, discard(after.new_card))
    assert len(after.stock) == 2
    assert (outcome(after).kind, outcome(after).points, outcome(after).winner) == (OutcomeKind.VOID, 0, None)
    assert legal_moves(after) == ()
    with pytest.raises(IllegalMove) as caught:
        played(after, "draw")
    assert caught.value.code == "over"


def test_a_knock_is_still_possible_with_the_last_draw() -> None:
    """The player who makes the last possible draw, of the third-last card, may knock."""
    after = played(deal(KNOCKER, POOR_HAND, "Ks"), "pass", "pass")
    while len(after.stock) > 3:
        after = play(after, Move(Verb.DRAW))
        assert after.new_card is not None
        after = play(after, discard(after.new_card))
    after = played(after, "draw")
    assert after.to_act == FIRST
    assert outcome(played(after, "k Qh")).kind is not OutcomeKind.VOID


def drained(before: Deal, left: int = 2) -> Deal:
    """Play a deal in which both players discard each card they draw, until the stock has only this many cards."""
    after = played(before, "pass", "pass")
    while len(after.stock) > left:
        after = play(after, Move(Verb.DRAW))
        assert after.new_card is not None
        after = play(after, discard(after.new_card))
    return after


WALL = Rules.parse("tournament")


def test_at_the_wall_the_last_discard_may_be_taken_to_go_out() -> None:
    """After the last draw, the opponent may take the last discard only to go out, and must pass otherwise."""
    wall = drained(deal(KNOCKER, POOR_HAND, "Ks", rules=WALL))
    assert (wall.phase, wall.to_act) == (Phase.WALL, DEALER)
    assert texts_of(legal_moves(wall)) == ["pass"]
    with pytest.raises(IllegalMove) as caught:
        played(wall, "take")
    assert caught.value.code == "wall"
    assert (outcome(played(wall, "pass")).kind, len(played(wall, "pass").stock)) == (OutcomeKind.VOID, 2)


def test_at_the_wall_a_taken_card_must_go_out() -> None:
    """A player who takes the last discard must then knock, and may not simply discard a card."""
    wall = drained(deal(POOR_HAND, f"{GIN_HAND} 9s", "Ks", rules=WALL))
    assert texts_of(legal_moves(wall)) == ["pass", "take"]
    taken = played(wall, "take")
    assert {move.verb for move in legal_moves(taken)} == {Verb.KNOCK}
    with pytest.raises(IllegalMove) as caught:
        play(taken, discard(Card.parse("9s")))
    assert caught.value.code == "wall"
    knock_with = next(move for move in legal_moves(taken) if move.card is taken.new_card)
    assert outcome(play(taken, knock_with)).deadwood == (60, 9)


@pytest.mark.parametrize(("option", "moves"), [("free", ["pass", "take"]), ("not_from_pile", ["pass"])])
def test_at_the_wall_a_ban_on_the_taken_card_holds(option: str, moves: list[str]) -> None:
    """If the rules forbid discarding a taken card, a player who could knock only by discarding it must pass."""
    rules = Rules.parse(f"tournament knock_limit=1 discard_drawn={option}")
    wall = drained(deal(POOR_HAND, "Ac 2c 3c 4d 5d 6d Jc Jd Jh Ah", "Ks", rules=rules))
    assert texts_of(legal_moves(wall)) == moves


def test_at_the_wall_big_gin_goes_out_too() -> None:
    """At the wall, the last discard may also be taken to go out with big gin."""
    big = Rules.parse("tournament big_gin_bonus=31 knock_limit=0 discard_drawn=not_from_pile")
    before = deal(POOR_HAND, "Ac 2c 3c 4d 5d 6d Kc Kd Kh 7d", "Ks", rules=big)
    order = [card for card in before.stock if card != Card.parse("8d")]
    last = (*order[:28], Card.parse("8d"), *order[28:])
    wall = drained(replace(before, deck=(*before.deck[:21], *last)))
    assert (wall.discards[-1], texts_of(legal_moves(wall))) == (Card.parse("8d"), ["pass", "take"])
    assert outcome(played(wall, "take", "big")).points == 31 + 60


def test_a_stock_that_is_used_up_may_be_reshuffled() -> None:
    """All discards except the top one are shuffled and put below the two cards of the stock. The deal continues."""
    before = drained(deal(KNOCKER, POOR_HAND, "Ks", rules=Rules(stock_out="reshuffle")))
    assert (before.phase, before.to_act, legal_moves(before)) == (Phase.RESHUFFLE, None, ())
    pile = before.discards[:-1]
    with pytest.raises(IllegalMove, match="reshuffled"):
        played(before, "draw")
    after = reshuffle(before, pile[::-1])
    assert (after.phase, after.to_act, after.discards) == (Phase.DRAW, DEALER, before.discards[-1:])
    assert after.stock == (*before.stock, *pile[::-1])
    assert texts_of(legal_moves(after)) == ["draw", "take"]
    assert played(after, "draw").new_card == before.stock[0]


@pytest.mark.parametrize("wrong", [slice(1), slice(0), slice(None), slice(0, -1)])
def test_a_reshuffle_is_of_the_pile_below_its_top(wrong: slice) -> None:
    """A reshuffle is refused if its cards are not the pile below its top card, or if the stock is not used up."""
    before = drained(deal(KNOCKER, POOR_HAND, "Ks", rules=Rules(stock_out="reshuffle")))
    with pytest.raises(IllegalMove):
        reshuffle(before, before.discards[wrong] if wrong != slice(0, -1) else before.discards[1:])
    with pytest.raises(IllegalMove):
        reshuffle(deal(KNOCKER, POOR_HAND, "Ks"), before.discards[:-1])


@pytest.mark.parametrize(
    ("option", "taken", "drawn"), [("free", True, True), ("not_from_pile", False, True), ("never", False, False)]
)
def test_the_option_decides_if_a_drawn_card_may_be_discarded(option: str, taken: bool, drawn: bool) -> None:
    """`discard_drawn` decides whether a card that was just taken or drawn may be the discard of a turn or knock."""
    rules = Rules.parse(f"classic discard_drawn={option}")
    after = played(deal(f"{GIN_HAND} 9s", POOR_HAND, "Qd", stock="Qc", rules=rules), "take")
    assert ({"x Qd", "k Qd Ac2c3c/4d5d6d/KcKdKh"} <= set(texts_of(legal_moves(after)))) == taken
    after = played(deal(f"{GIN_HAND} 9s", POOR_HAND, "Qd", stock="Qc", rules=rules), "pass", "pass", "draw")
    assert ({"x Qc", "k Qc Ac2c3c/4d5d6d/KcKdKh"} <= set(texts_of(legal_moves(after)))) == drawn
    for move in ("x Qc", "k Qc"):
        if not drawn:
            with pytest.raises(IllegalMove) as caught:
                played(after, move)
            assert caught.value.code == "just-drawn"


def test_big_gin_is_eleven_cards_in_melds() -> None:
    """Big gin needs eleven melded cards and rules that allow it. It has no discard and allows no lay-offs."""
    hands = f"{GIN_HAND} 7d", "8d 9d Tc Ts 2h 4h 6h 8h 2s 4s"
    for preset, bonus in (("express", 30), ("big", 31)):
        before = played(deal(*hands, "Ks", rules=Rules.parse(preset)), "take")
        assert texts_of(legal_moves(before))[-1] == "big"
        end = outcome(played(before, "big"))
        assert (end.kind, end.winner, end.points, end.lay_offs) == (OutcomeKind.BIG_GIN, FIRST, 63 + bonus, ())
        assert str(end.hands[0]) == "Ac2c3c 4d5d6d7d KcKdKhKs |"
        assert len(played(before, "big").hands[0]) == 11
        assert outcome(played(before, "k 7d")).kind is OutcomeKind.GIN
    with pytest.raises(IllegalMove) as caught:
        played(deal(*hands, "Ks"), "take", "big")
    assert caught.value.code == "no-big-gin"
    with pytest.raises(IllegalMove, match="it would leave 9") as caught:
        played(deal(f"{GIN_HAND} 9s", POOR_HAND, "Ks", rules=Rules.parse("big")), "take", "big")
    assert caught.value.code == "not-big-gin"


def test_the_upcard_goes_round_the_table_once() -> None:
    """With four players, each may take or pass the upcard in turn. If all pass, the first player draws."""
    before = table(
        *("Ac 3c 5c 7c 9c Jc Kc", "Ad 3d 5d 7d 9d Jd Kd", "Ah 3h 5h 7h 9h Jh Kh", "As 3s 5s 7s 9s Js Ks"),
        upcard="2c",
        stock="4c",
        rules="penalty opening=offer",
    )
    for seat in range(4):
        assert (before.to_act, texts_of(legal_moves(before))) == (seat, ["pass", "take"])
        before = played(before, "pass")
    assert (before.to_act, texts_of(legal_moves(before))) == (0, ["draw"])
    assert played(before, "draw", "x 4c").to_act == 1


def all_writable_moves(before: Deal) -> list[Move]:
    """Return moves of every kind, legal or not: with every card of the deck, and with arrangements of the hand."""
    hand, aces = before.hands[before.turn], before.rules.aces
    moves = [Move(verb) for verb in Verb if verb not in (Verb.DISCARD, Verb.KNOCK, Verb.LAY_OFF)]
    moves += [*map(discard, DECK), *map(knock, DECK), Move(Verb.LAY_OFF, DECK[0]), Move(Verb.MELD, None, ())]
    for card in hand:
        moves += [knock(card, laid.melds) for laid in arrangements(hand - card, 30, aces)]
    moves += [Move(Verb.MELD, None, laid.melds) for laid in arrangements(hand, 200, aces)]
    if before.knock is not None:
        moves += [Move(Verb.LAY_OFF, card, (meld,)) for card in DECK for meld in before.knock.arrangement.melds]
    return moves


SYSTEMS = (
    ("classic", 2),
    ("tournament big_gin_bonus=31", 2),
    ("strict stock_out=reshuffle", 2),
    ("oklahoma discard_drawn=free", 2),
    ("round_the_corner lay_off_mode=manual", 2),
    ("classic aces=high_low lay_off_mode=manual lay_off_chain=off", 2),
    ("penalty", 3),
    ("penalty lay_off_mode=manual lay_off_chain=on", 4),
)
systems = pytest.mark.parametrize(("rules", "players"), thorough_after(2, SYSTEMS))


def after_random_step(before: Deal, rng: random.Random) -> Deal:
    """Return the deal after a random move or a reshuffle."""
    if before.phase is Phase.RESHUFFLE:
        return reshuffle(before, rng.sample(before.discards[:-1], len(before.discards) - 1))
    return play(before, rng.choice(legal_moves(before)))


@systems
@examples(1, nightly=40)
@given(seeds)
def test_exactly_the_legal_moves_are_accepted(rules: str, players: int, seed: int) -> None:
    """At some points of a random deal, each legal move is accepted, and every other move is refused."""
    rng = random.Random(seed)
    before = new_deal(Rules.parse(rules), rng, players)
    while before.phase is not Phase.DONE:
        moves = legal_moves(before)
        assert len(set(moves)) == len(moves)
        if rng.random() < 0.1 or before.phase in (Phase.WALL, Phase.RESHUFFLE, Phase.LAY_OFF):
            for move in all_writable_moves(before):
                if canonical(before, move) in moves:
                    assert play(before, move).history[-1] == canonical(before, move)
                else:
                    with pytest.raises(IllegalMove):
                        play(before, move)
        before = after_random_step(before, rng)
        if len(before.history) > 120:
            break


@systems
@examples(5)
@given(seeds)
def test_cards_are_neither_lost_nor_made(rules: str, players: int, seed: int) -> None:
    """After each move of a random deal, the hands, the pile and the stock contain the 52 cards, each once."""
    rng = random.Random(seed)
    before = new_deal(Rules.parse(rules), rng, players)
    for _ in range(200):
        everywhere = [*(card for hand in before.hands for card in hand), *before.discards, *before.stock]
        assert sorted(everywhere) == list(DECK)
        if before.phase is Phase.DONE:
            break
        before = after_random_step(before, rng)


def test_rigged_decks_are_complete() -> None:
    """The tests' rigged decks contain each card once."""
    assert sorted(deck(KNOCKER, POOR_HAND, "Ks", "9c")) == list(DECK)

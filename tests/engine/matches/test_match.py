"""A match: cuts and decks given from outside, turns, and complete random matches."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given

from bot.engine.cards.cards import DECK, parse_cards
from bot.engine.deals.deal import Deal, Seating
from bot.engine.deals.moves import DRAW, LOSE_ON_TIME, PASS, RESIGN, Move, Seat
from bot.engine.errors import IllegalMove, RulesError
from bot.engine.matches.actions import Action, Awaiting, Cut, Play, Reshuffle, Shuffle
from bot.engine.matches.formats import FORMATS
from bot.engine.matches.match import (
    Forfeit,
    Match,
    apply,
    apply_all,
    canonical_action,
    legal,
    new_match,
)
from bot.engine.matches.views import seat_view, showdown_view
from bot.engine.rules import Rules
from tests.engine.decks import GIN_HAND, POOR_HAND, TABLES, deck, random_actions, random_finished_match
from tests.engine.strategies import seeds
from tests.helpers.cases import thorough_after
from tests.helpers.examples import examples

SEATS = (Seat(0), Seat(1))
FRESH = new_match(Rules(), 2)
CARDS = deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks")
CUT = Cut(parse_cards("Kd 7h"))
STARTED = apply_all(FRESH, [CUT, Shuffle(1, Seat(1), CARDS)])


def play(match: Match, seat: int, move: str) -> Match:
    """Return the match after a seat's move, given in notation."""
    return apply(match, Play(Seat(seat), Move.parse(move)))


def test_a_match_begins_with_the_cut() -> None:
    """A fresh match waits for the cut, then for a deck. Until then no seat can move."""
    assert (FRESH.awaits, FRESH.to_act, FRESH.due_deals) == (Awaiting.CUT, (), ())
    cut = apply(FRESH, CUT)
    assert (cut.awaits, cut.to_act, cut.cut) == (Awaiting.DECK, (), CUT.cards)
    assert cut.due_deals == (Seating(1, SEATS, Seat(1), 1),)
    assert (STARTED.awaits, STARTED.to_act, STARTED.due_deals) == (None, (0,), ())


@pytest.mark.parametrize(
    ("drawn", "dealer"),
    [("7h Kd", 0), ("Kd 7h", 1), ("As Ks", 0), ("7s 7c", 1), ("7c 7d", 0), ("7h 7d", 1), ("7h 7s", 0)],
)
def test_the_lowest_card_deals(drawn: str, dealer: int) -> None:
    """The lowest card deals. Aces are low; equal ranks order as clubs, diamonds, hearts, spades."""
    assert apply(FRESH, Cut(parse_cards(drawn))).first_dealer == dealer


@pytest.mark.parametrize("action", [Cut(parse_cards("7h")), Cut(parse_cards("7h 7h")), Cut(parse_cards("7h 8h 9h"))])
def test_a_cut_is_one_card_a_seat(action: Cut) -> None:
    """A cut needs one distinct card for each seat."""
    with pytest.raises(IllegalMove):
        apply(FRESH, action)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (Shuffle(2, Seat(1), DECK), "deal"),
        (Shuffle(1, Seat(0), DECK), "dealer"),
        (Shuffle(1, Seat(2), DECK), "dealer"),
        (Shuffle(1, Seat(1), DECK[1:]), "deck"),
        (Shuffle(1, Seat(1), (*DECK[1:], DECK[1])), "deck"),
        (CUT, "cut"),
        (Play(Seat(0), DRAW), "turn"),
    ],
)
def test_a_deal_that_is_not_next_is_refused(action: Cut | Shuffle | Play, code: str) -> None:
    """After the cut, only the next deal is accepted: the right number, the right dealer, and a complete deck."""
    with pytest.raises(IllegalMove) as caught:
        apply(apply(FRESH, CUT), action)
    assert caught.value.code == code


def test_a_second_deck_during_a_deal_is_refused() -> None:
    """A second deck during a deal is refused."""
    with pytest.raises(IllegalMove, match="a deal is in play"):
        apply(STARTED, Shuffle(1, Seat(1), DECK))


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_allows_only_its_numbers_of_players(name: str) -> None:
    """A format refuses other numbers of players. In `penalty`, three or four get seven cards; all others get ten."""
    rules = Rules.parse({"duel": "classic"}.get(name, name))
    for seats in range(7):
        if seats in FORMATS[name].seats:
            assert new_match(rules, seats).rules.cards_dealt == (7 if name == "penalty" and seats > 2 else 10)
        else:
            with pytest.raises(RulesError, match=f"not for {seats} players"):
                new_match(rules, seats)


@pytest.mark.parametrize(
    ("option", "dealers"), [("random", (0, 1)), ("lowest_card", (0, 1)), ("challenger", (0,)), ("challenged", (1,))]
)
def test_the_first_deck_may_choose_the_dealer(option: str, dealers: tuple[int, ...]) -> None:
    """Without a cut or with a random first dealer, the first deck may name any dealer, unless the rules name one."""
    fresh = new_match(Rules.parse(f"classic first_dealer={option}"), 2)
    assert fresh.awaits is (Awaiting.CUT if option == "lowest_card" else Awaiting.DECK)
    for dealer in SEATS:
        if dealer in dealers:
            assert apply(fresh, Shuffle(1, dealer, DECK)).first_dealer == dealer
        else:
            with pytest.raises(IllegalMove, match=f"{dealers[0]} deals"):
                apply(fresh, Shuffle(1, dealer, DECK))
    if option != "lowest_card":
        with pytest.raises(IllegalMove):
            apply(fresh, CUT)


def test_only_the_seat_to_act_has_moves() -> None:
    """Only the seat whose turn it is has legal moves. Between deals, no seat has any. Any seat may resign."""
    assert legal(STARTED, Seat(0)) != ()
    assert legal(STARTED, Seat(1)) == legal(FRESH, Seat(0)) == ()
    assert [apply(STARTED, Play(Seat(seat), RESIGN)).forfeit for seat in (0, 1)] == [
        Forfeit(Seat(seat), on_time=False) for seat in (0, 1)
    ]
    for seat in (-1, 2):
        with pytest.raises(IllegalMove):
            apply(STARTED, Play(Seat(seat), RESIGN))


def test_a_finished_deal_makes_way_for_the_next() -> None:
    """After gin the match waits for the next deck, dealt by the other seat."""
    after = play(play(STARTED, 0, "take"), 0, "k Qh")
    assert (after.playing, len(after.finished), after.awaits) == ((), 1, Awaiting.DECK)
    assert after.due_deals == (Seating(2, (Seat(1), Seat(0)), Seat(0), 1),)
    assert after.score.scores == (85, 0)


def test_a_knock_is_canonical_with_its_melds() -> None:
    """The canonical form of a knock names its melds. Other actions are already canonical."""
    taken = play(STARTED, 0, "take")
    assert str(canonical_action(taken, Play(Seat(0), Move.parse("k Qh")))) == "0 k Qh Ac2c3c/4d5d6d/KcKdKhKs"
    assert canonical_action(taken, Play(Seat(0), PASS)) == Play(Seat(0), PASS)
    assert canonical_action(FRESH, CUT) == CUT


@pytest.mark.parametrize(
    "before", [FRESH, STARTED, play(STARTED, 0, "take"), play(play(STARTED, 0, "take"), 0, "k Qh")]
)
@pytest.mark.parametrize("seat", SEATS)
def test_a_resignation_ends_the_match_anywhere(before: Match, seat: Seat) -> None:
    """Any seat may resign at any time. The other seat wins, and the match accepts no more actions."""
    after = apply(before, Play(seat, RESIGN))
    assert (after.forfeit, after.score.winner) == (Forfeit(seat, on_time=False), 1 - seat)
    assert (after.to_act, after.awaits) == ((), None)
    assert after.score.scores == before.score.scores
    for action in (Play(seat, RESIGN), Play(SEATS[0], DRAW), Shuffle(len(before.finished) + 1, Seat(0), DECK), CUT):
        with pytest.raises(IllegalMove):
            apply(after, action)


@pytest.mark.parametrize("before", [STARTED, play(STARTED, 0, "take"), play(play(STARTED, 0, "take"), 0, "k Qh")])
def test_only_the_seat_to_act_can_lose_on_time(before: Match) -> None:
    """Only a seat whose turn it is can lose on time. This scores like a resignation."""
    for seat in SEATS:
        if seat in before.to_act:
            after = apply(before, Play(seat, LOSE_ON_TIME))
            assert after.forfeit == Forfeit(seat, on_time=True)
            assert after.score == apply(before, Play(seat, RESIGN)).score
            assert (after.to_act, after.awaits) == ((), None)
        else:
            with pytest.raises(IllegalMove, match="only a seat whose turn it is can lose on time"):
                apply(before, Play(seat, LOSE_ON_TIME))


TWO_BOARDS = apply_all(
    new_match(Rules.parse("partners stock_out=reshuffle first_dealer=random target=none deals=1"), 4),
    [Shuffle(1, Seat(1), DECK, (Seat(0), Seat(1))), Shuffle(1, Seat(3), DECK, (Seat(2), Seat(3)), 2)],
)


def test_two_boards_are_played_at_the_same_time() -> None:
    """Both boards of a round can be played simultaneously, each with its own turn."""
    assert TWO_BOARDS.to_act == (0, 2)
    passed = play(play(TWO_BOARDS, 2, "pass"), 3, "pass")
    assert passed.to_act == (0, 2)
    assert [len(deal.history) for deal in passed.playing] == [0, 2]
    assert passed.deal_of(Seat(3)) is passed.deal_on(2) is passed.playing[1]
    with pytest.raises(IllegalMove, match="it is the turn of 0 or 2"):
        play(passed, 1, "pass")
    with pytest.raises(IllegalMove, match="a deal is in play"):
        apply(passed, Shuffle(1, Seat(3), DECK, board=2))


def test_a_board_may_be_over_before_the_other_begins() -> None:
    """A round may be played one board after the other. The next round waits for both boards."""
    fresh = new_match(Rules.parse("partners first_dealer=random"), 4)
    first = apply(fresh, Shuffle(1, Seat(1), deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks")))
    assert (first.awaits, first.to_act, [due_deal.board for due_deal in first.due_deals]) == (Awaiting.DECK, (0,), [2])
    gin = play(play(first, 0, "take"), 0, "k Qh")
    assert (gin.score.scores, [(due_deal.number, due_deal.board) for due_deal in gin.due_deals]) == ((0, 0), [(1, 2)])
    second = apply(gin, Shuffle(1, Seat(3), deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks"), (Seat(2), Seat(3)), 2))
    assert second.deal_of(Seat(0)) is second.finished[0]
    both = play(play(second, 2, "take"), 2, "k Qh")
    assert (both.score.scores, both.score.is_over) == ((170, 0), True)
    assert (both.awaits, both.due_deals) == (None, ())


def test_only_resigning_is_legal_before_a_reshuffle() -> None:
    """While one board's stock is reshuffled, seats on both boards can only resign."""
    match = play(play(TWO_BOARDS, 0, "pass"), 1, "pass")
    while match.reshuffling is None:
        seat = match.playing[0].to_act
        assert seat is not None
        match = play(match, seat, "draw")
        match = play(match, seat, f"x {match.playing[0].new_card}")
    assert (match.awaits, match.to_act, match.due_deals) == (Awaiting.RESHUFFLE, (), ())
    assert legal(match, Seat(2)) == ()
    pile = match.reshuffling.discards[:-1]
    for action in (Play(Seat(2), PASS), Reshuffle(pile[1:]), Shuffle(2, Seat(0), DECK), CUT):
        with pytest.raises(IllegalMove):
            apply(match, action)
    after = apply(match, Reshuffle(pile))
    assert (after.awaits, after.to_act) == (None, (1, 2))
    assert apply(match, Play(Seat(2), RESIGN)).awaits is None
    with pytest.raises(IllegalMove):
        apply(after, Reshuffle(pile))


MIXED = [
    pytest.param(
        "partners lay_off_mode=manual stock_out=reshuffle big_gin_bonus=31 discard_drawn=never", 4, id="boards"
    ),
    pytest.param("penalty lay_off_mode=manual lay_off_chain=on knock_limit=upcard aces=high_low", 4, id="four"),
    pytest.param("oklahoma spade_doubles=on oklahoma_boxes=on oklahoma_ace=1 last_discard=may_go_out", 2, id="wall"),
    pytest.param("round_the_corner lay_off_mode=manual line_credit=at_once void_redeal=deal_passes", 2, id="corner"),
]


@pytest.mark.parametrize(("preset", "seats"), thorough_after(3, [*MIXED, *TABLES]))
@examples(1)
@given(seeds)
def test_a_random_match_keeps_the_rules(preset: str, seats: int, seed: int) -> None:
    """In every preset, only seats to act have moves, listed moves are accepted, and all 52 cards stay in play."""
    check_match(Rules.parse(f"{preset} target=30"), seats, seed)


@pytest.mark.nightly
@pytest.mark.thorough
@pytest.mark.parametrize(("preset", "seats"), [*TABLES, *MIXED])
@examples(2)
@given(seeds)
def test_whole_random_matches_keep_the_rules(preset: str, seats: int, seed: int) -> None:
    """In longer random matches too, listed moves are accepted and all 52 cards stay in play."""
    check_match(Rules.parse(preset), seats, seed)


def check_match(rules: Rules, seats: int, seed: int) -> None:
    """Play a random match, check every 23rd position, and replay the match."""
    actions: list[Action] = []
    after = new_match(rules, seats)
    for before, action, following in random_actions(seed, rules, seats=seats):
        if len(actions) % 23 == 0:
            check_position(before)
        actions.append(action)
        after = following
    assert (after.score.is_over, after.awaits, after.to_act, after.due_deals) == (True, None, (), ())
    assert apply_all(new_match(rules, seats), actions) == after
    check_score(after)


class InaccessibleDeal:
    """A placeholder for a deal: any access to it fails the test."""

    def __getattribute__(self, name: str) -> object:
        raise AssertionError(f"an earlier deal was asked for {name!r}")


INACCESSIBLE = cast(Deal, InaccessibleDeal())


def with_only_deals(match: Match, indexes: range) -> Match:
    """Return the match with all finished deals inaccessible, except those with these indexes."""
    finished = tuple(deal if index in indexes else INACCESSIBLE for index, deal in enumerate(match.finished))
    return replace(match, finished=finished)


LONG_MATCHES = [
    pytest.param("hollywood target=150", 2, id="hollywood"),
    pytest.param("traditional", 2, id="duel"),
    pytest.param("rotation target=100", 3, id="rotation"),
    pytest.param("winner_stays target=150", 3, id="winner stays"),
    pytest.param("partners target=120", 4, id="partners"),
    pytest.param("penalty target=200", 3, id="penalty"),
]


@pytest.mark.parametrize(("preset", "seats"), thorough_after(1, LONG_MATCHES))
def test_a_move_reads_no_earlier_deal(preset: str, seats: int) -> None:
    """Moves, scores and views read only the last round, however long the match is."""
    finished_count = 0
    for step, (before, action, after) in enumerate(random_actions(5, Rules.parse(preset), seats=seats)):
        finished_count = len(before.finished)
        boards = before.format.boards
        recent = with_only_deals(before, range(finished_count - (2 * boards - 1), finished_count))
        again = apply(recent, action)
        assert (again.score, again.playing, again.awaits) == (after.score, after.playing, after.awaits)
        assert again.finished[finished_count:] == after.finished[finished_count:]
        if finished_count >= boards and step % 9 == 0:
            for seat in map(Seat, range(seats)):
                assert seat_view(again, seat) == seat_view(after, seat)
    assert finished_count >= 4


@pytest.mark.parametrize(("preset", "seats"), thorough_after(1, LONG_MATCHES))
def test_a_showdown_reads_only_its_own_round(preset: str, seats: int) -> None:
    """A showdown reads only the deals of its own round, so that showing all deals takes linear time."""
    _, match = random_finished_match(5, Rules.parse(preset), seats)
    boards = match.format.boards
    for index, deal in enumerate(match.finished):
        alone = with_only_deals(match, range(index - index % boards, index - index % boards + boards))
        assert showdown_view(alone, deal.number, deal.board) == showdown_view(match, deal.number, deal.board)


@pytest.mark.parametrize(("preset", "seats"), [("classic target=40", 2), ("partners target=60", 4)])
def test_an_unplayed_deal_is_not_found(preset: str, seats: int) -> None:
    """Looking up a deal that was not played is an error, also with a negative number."""
    _, match = random_finished_match(1, Rules.parse(preset), seats)
    for number, board in ((-1, 1), (0, 1), (0, 0), (1, 3), (99, 1)):
        with pytest.raises(LookupError):
            match.finished_index(number, board)


def check_position(match: Match) -> None:
    """Check that listed moves are accepted, that other seats cannot move, and that all 52 cards are present."""
    for seat in map(Seat, range(match.seats)):
        moves = legal(match, seat)
        assert bool(moves) == (seat in match.to_act)
        for move in moves:
            assert canonical_action(match, Play(seat, move)) == Play(seat, move)
            assert apply(match, Play(seat, move)) != match
            for other in set(range(match.seats)) - set(match.to_act):
                with pytest.raises(IllegalMove):
                    apply(match, Play(Seat(other), move))
    for deal in match.playing:
        assert sorted([*(card for hand in deal.hands for card in hand), *deal.discards, *deal.stock]) == list(DECK)


def check_score(match: Match) -> None:
    """Check that only the last deal ended the match, and that totals are the sum of points and bonuses."""
    score = match.score
    assert len(match.scores) == len(match.finished)
    assert (match.scores[-1], [score.is_over for score in match.scores].index(True)) == (score, len(match.scores) - 1)
    parts = zip(score.scores, score.line, score.game, score.shutout, strict=True)
    assert score.totals == tuple(map(sum, parts))
    if score.winner is None:
        assert score.margin == 0
    else:
        rest = [total for side, total in enumerate(score.totals) if side != score.winner]
        best = min(rest) if match.rules.format == "penalty" else max(rest)
        assert score.margin == score.totals[score.winner] - best

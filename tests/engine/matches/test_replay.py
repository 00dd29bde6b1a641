"""A finished deal is replayed action by action, but only if its hands were laid down."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given

from bot.engine.cards.cards import DECK, Card, Hand
from bot.engine.cards.melds import best_arrangement
from bot.engine.deals.moves import RESIGN, Seat, Verb
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.fairness.fair import Chain
from bot.engine.matches.match import Match, Play, apply
from bot.engine.matches.replay import Moment, ReplayView, for_best_discard, replay_view
from bot.engine.rules import Rules
from tests.cardart.views import SYSTEMS, at_the_wall, match_after
from tests.engine.decks import GIN_HAND, POOR_HAND, random_actions, random_finished_match
from tests.engine.fair_matches import Table, unfinished_match
from tests.engine.strategies import seeds
from tests.helpers.cases import thorough_after
from tests.helpers.examples import examples

each_system = pytest.mark.parametrize(
    ("rules", "seats"), thorough_after(2, [*SYSTEMS, ("penalty knock_limit=0 target=40", 4)])
)


def replays(match: Match) -> list[ReplayView]:
    """Return the replays of all deals that can be replayed."""
    return [
        replay_view(match, deal.number, deal.board)
        for deal in match.finished
        if deal.outcome is not None and deal.outcome.kind is not OutcomeKind.VOID
    ]


def face_up_cards(moment: Moment) -> list[Card]:
    """Return every face-up card at a moment."""
    laid_off = [lay_off.card for lay_off in moment.lay_offs]
    return [*(card for hand in moment.hands for card in hand.cards), *laid_off, *moment.discards]


@each_system
@examples(1, nightly=26)
@given(seeds)
def test_the_history_has_the_moves_played(rules: str, seats: int, seed: int) -> None:
    """A deal's replay shows its moves in order, with their players and the reshuffles between them.

    At every moment, each card is in one hand, on the discard pile or face down, and never in two places.
    """
    match = random_finished_match(seed, Rules.parse(rules), seats)[1]
    for view in replays(match):
        over = next(
            deal for deal in match.finished if (deal.number, deal.board) == (view.showdown.number, view.showdown.board)
        )
        for moment in view.moments:
            cards = face_up_cards(moment)
            assert len(set(cards)) == len(cards) == len(DECK) - moment.stock
        moves = [moment.move for moment in view.moments if moment.move is not None]
        assert [move.verb for move in moves] == [move.verb for move in over.history]
        assert all(move.seat in over.seats for move in moves)
        assert view.moments[-1].discards == over.discards
        assert view.action_count == len(view.moments) - 1
        reshuffles = [place for place, moment in enumerate(view.moments) if place and moment.move is None]
        assert all(len(view.moments[place].discards) == 1 for place in reshuffles)
        assert bool(reshuffles) == (len(over.deck) > len(DECK))


@examples(1, nightly=26)
@given(seeds)
def test_hands_are_those_that_the_players_held(seed: int) -> None:
    """Each moment of a replay shows the hands that the players held at that moment of the match."""
    rules = Rules.parse("classic target=40")
    states = [deal for _, _, after in random_actions(seed, rules) for deal in after.playing]
    for view in replays(random_finished_match(seed, rules)[1]):
        played = [deal for deal in states if deal.number == view.showdown.number]
        for moment, deal in zip(view.moments[:-1], played, strict=True):
            assert [set(hand.cards) for hand in moment.hands] == [set(hand) for hand in deal.hands]


@pytest.mark.thorough
def test_a_reshuffle_is_a_moment_of_its_own() -> None:
    """A replay shows a reshuffle as a moment without a move: only the top discard remains, the rest is face down."""
    view = next(
        view for view in replays(random_finished_match(3, Rules.parse("penalty knock_limit=0 target=40"), 4)[1])
    )
    (place,) = (place for place, moment in enumerate(view.moments) if place and moment.move is None)
    before, after = view.moments[place - 1 : place + 1]
    assert after.discards == before.discards[-1:]
    assert after.stock == before.stock + len(before.discards) - 1
    assert after.hands == before.hands


def test_a_draw_names_its_card() -> None:
    """A replay names the card drawn from the stock until the end of the turn."""
    match = match_after("classic", f"{GIN_HAND} Qh", POOR_HAND, "pass", "pass", "draw", "k Qh", upcard="7c", stock="Ks")
    view = replay_view(match, 1)
    drawn, knocked = view.moments[3:]
    assert drawn.move is not None
    assert (drawn.move.verb, drawn.move.card, drawn.new_card) == (Verb.DRAW, Card.parse("Ks"), Card.parse("Ks"))
    assert drawn.new_card in drawn.hands[0].cards
    assert (drawn.least_left, knocked.least_left) == (0, None)
    assert knocked.move is not None
    assert (knocked.move.card, knocked.new_card) == (Card.parse("Qh"), None)
    assert knocked.hands[0].deadwood == 0


def test_a_hand_with_a_new_card_is_laid_out_for_the_best_discard() -> None:
    """A hand of eleven is arranged to leave the least deadwood after the best discard, with the new card in a meld."""
    hand = Hand.parse("3d 4d 5d 9c 9d 9s 4s 5s Jh Kd 6s")
    laid, least_left = for_best_discard(hand, Card.parse("6s"))
    assert (laid.text, laid.unmatched, least_left) == ("3d4d5d/4s5s6s/9c9d9s", (Card.parse("Jh"), Card.parse("Kd")), 10)


def test_a_card_that_may_not_be_discarded_is_no_best_discard() -> None:
    """A card that was just taken from the pile is not considered as the best discard if the rules forbid it."""
    match = match_after("classic", f"{GIN_HAND} 5h", POOR_HAND, "take", "k 5h", upcard="Jc")
    taken = replay_view(match, 1).moments[1]
    assert (taken.hands[0].deadwood, taken.least_left) == (15, 10)


@pytest.mark.thorough
def test_manual_lay_offs_leave_the_hand_one_by_one() -> None:
    """With manual lay-offs, a replay shows each lay-off as a moment of its own."""
    rules = "round_the_corner target=40 lay_off_mode=manual"
    views = (view for seed in range(50) for view in replays(random_finished_match(seed, Rules.parse(rules))[1]))
    view = next(view for view in views if len(view.showdown.outcome.lay_offs) > 1)
    told = [moment for moment in view.moments if moment.move and moment.move.verb is Verb.LAY_OFF]
    assert [len(moment.lay_offs) for moment in told] == list(range(1, len(told) + 1))
    assert view.moments[-1].lay_offs == view.showdown.outcome.lay_offs
    assert view.moments[-1].hands == view.showdown.outcome.hands


def test_automatic_lay_offs_appear_in_the_showdown() -> None:
    """With automatic lay-offs, the replay ends with complete hands. Only the showdown shows the lay-offs."""
    views = (
        view for seed in range(50) for view in replays(random_finished_match(seed, Rules.parse("classic target=40"))[1])
    )
    view = next(view for view in views if view.showdown.outcome.lay_offs)
    assert view.moments[-1].lay_offs == ()
    assert all(len(hand.cards) == 10 for hand in view.moments[-1].hands)


@examples(1)
@given(seeds)
def test_a_deal_in_play_is_not_replayed(seed: int) -> None:
    """A deal in play cannot be replayed, however far it has been played."""
    for _, _, match in islice(random_actions(seed, Rules.parse("partners target=40"), seats=4), 200):
        for deal in match.playing:
            with pytest.raises(LookupError, match="is not over"):
                replay_view(match, deal.number, deal.board)


def test_a_void_deal_and_one_broken_off_are_not_replayed() -> None:
    """A void or interrupted deal cannot be replayed, because its hands stay hidden."""
    with pytest.raises(LookupError, match="stay hidden"):
        replay_view(at_the_wall("classic"), 1)
    resigned = apply(match_after("classic", f"{GIN_HAND} Qh", POOR_HAND, "pass"), Play(Seat(1), RESIGN))
    for number in (1, 2):
        with pytest.raises(LookupError, match="is not over"):
            replay_view(resigned, number)


def test_unfinished_deals_of_a_verifiable_match_are_open() -> None:
    """In a verifiable match, void and interrupted deals can be replayed, once their seeds are revealed."""
    match = unfinished_match()
    for number, kind in ((1, OutcomeKind.VOID), (2, OutcomeKind.BROKEN_OFF)):
        view = replay_view(match, number)
        deal = (*match.finished, *match.playing)[number - 1]
        assert view.showdown.outcome.kind is kind
        assert [hand.cards for hand in view.showdown.outcome.hands] == [
            best_arrangement(hand, match.rules.aces).cards for hand in deal.hands
        ]
        assert view.action_count == len(deal.history)
        assert view.moments[0].hands != view.moments[-1].hands or kind is OutcomeKind.VOID


def test_a_deal_in_play_of_a_verifiable_match_is_not_replayed() -> None:
    """A deal whose server seed is still secret cannot be replayed."""
    table = Table(Rules.parse("classic"), ("north", "south"), Chain.random())
    while table.apply_chance():
        pass
    assert not table.match.is_open(table.match.playing[0])
    with pytest.raises(LookupError, match="is not over"):
        replay_view(table.match, 1)

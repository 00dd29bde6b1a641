"""The next cut, deal or reshuffle of a match, with cards from a given source."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from bot.engine.cards.cards import DECK, Card, parse_cards
from bot.engine.deals.moves import Seat
from bot.engine.fairness.fair import Chain, player_seed
from bot.engine.matches.actions import Awaiting, Cut, Play, Reshuffle, Shuffle
from bot.engine.matches.chance import event_of, next_chance_action
from bot.engine.matches.match import apply, new_match
from bot.engine.rules import Rules
from tests.engine.decks import random_move
from tests.engine.fair_matches import Table, patient_move
from tests.helpers.cases import nightly_after

CHAIN = Chain.ending_with(b"chance")


class SortedCards:
    """A card source that never shuffles."""

    def cut(self, seats: int) -> tuple[Card, ...]:
        """Return the lowest cards of the deck, one for each seat, the lowest for seat 0."""
        return DECK[:seats]

    def deck(self) -> tuple[Card, ...]:
        return DECK

    def stock(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        return tuple(cards)


def table(rules: str, seats: int = 2) -> Table:
    """Return a new verifiable match whose seats have given their shuffle words."""
    return Table(Rules.parse(rules), [f"words of {seat}" for seat in range(seats)], CHAIN)


@pytest.mark.parametrize("first_dealer", ["lowest_card", "random"])
def test_a_verifiable_match_begins_with_the_cut(first_dealer: str) -> None:
    """Even if the first dealer is random, event 1 is the cut. Event 2 is the deal by the seat with the lowest card."""
    played = table(f"classic first_dealer={first_dealer}")
    assert played.match.awaits is Awaiting.CUT
    assert played.apply_chance()
    cut = played.actions[-1]
    assert isinstance(cut, Cut)
    assert (cut.event, cut.cards) == (1, event_of(table("classic").match, CHAIN.seed(1)).cut(2))
    assert played.match.first_dealer == cut.cards.index(min(cut.cards))
    assert played.apply_chance()
    deal = played.actions[-1]
    assert isinstance(deal, Shuffle)
    assert (deal.event, deal.number, deal.dealer) == (2, 1, played.match.first_dealer)


@pytest.mark.parametrize(("first_dealer", "dealer"), [("challenger", 0), ("challenged", 1)])
def test_without_a_cut_the_first_deal_is_event_1(first_dealer: str, dealer: int) -> None:
    """If the rules choose the first dealer, there is no cut, and the first deal is event 1."""
    played = table(f"classic first_dealer={first_dealer}")
    assert played.apply_chance()
    deal = played.actions[-1]
    assert isinstance(deal, Shuffle)
    assert (deal.event, deal.dealer) == (1, dealer)


def test_boards_are_dealt_in_order() -> None:
    """The deals of a round are consecutive events, in the order of the boards, and name their players."""
    played = table("partners", 4)
    while played.apply_chance():
        pass
    deals = [action for action in played.actions if isinstance(action, Shuffle)]
    assert [(deal.event, deal.number, deal.board) for deal in deals] == [(2, 1, 1), (3, 1, 2)]
    assert all(deal.seats is not None for deal in deals)


def test_a_reshuffle_uses_the_seeds_of_its_deal() -> None:
    """A reshuffle is the next event and uses the seeds of its deal. Words given during the deal do not affect it."""
    played = table("classic stock_out=reshuffle")
    while played.apply_chance():
        pass
    played.give_words(Seat(0), "something else")
    rng = Random(1)
    while played.match.reshuffling is None:
        seat = played.match.to_act[0]
        played.do(Play(seat, patient_move(played.match, seat, rng)))
    event, pile = event_of(played.match, CHAIN.seed(3)), played.match.reshuffling.discards[:-1]
    assert (event.number, event.player_seeds) == (3, (player_seed("words of 0"), player_seed("words of 1")))
    assert played.apply_chance()
    assert played.actions[-1] == Reshuffle(event.stock(pile), 3)


def test_other_sources_have_no_events() -> None:
    """Without seeds, cuts and deals may use any source of cards, and have no event numbers.

    If the first dealer is random, the source chooses one with a cut that is not recorded.
    """
    match = new_match(Rules.parse("classic"), 2)
    cut = next_chance_action(match, Awaiting.CUT, SortedCards())
    assert cut == Cut(parse_cards("AcAd"))
    assert next_chance_action(apply(match, cut), Awaiting.DECK, SortedCards()) == Shuffle(1, Seat(0), DECK)
    unseen = next_chance_action(new_match(Rules.parse("classic first_dealer=random"), 2), Awaiting.DECK, SortedCards())
    assert unseen == Shuffle(1, Seat(0), DECK)


def rounds(rules: str, seed: int, favoured: int, *, patient: bool) -> list[list[Shuffle]]:
    """Return the deals of four rounds on two boards. The favoured board is played first.

    The moves of a deal depend only on that deal.
    """
    played = table(rules, 4)
    randoms: dict[tuple[int, int], Random] = {}
    while played.match.newest_deal < 4 or len(played.match.playing) < 2:
        if played.apply_chance():
            continue
        deal = min(played.match.playing, key=lambda deal: deal.board != favoured)
        assert deal.to_act is not None
        random = randoms.setdefault((deal.number, deal.board), Random(f"{seed} {deal.number} {deal.board}"))
        move = patient_move if patient else random_move
        played.do(Play(deal.to_act, move(played.match, deal.to_act, random)))
    deals = [action for action in played.actions if isinstance(action, Shuffle)]
    return [[deal for deal in deals if deal.number == number] for number in range(1, 5)]


@pytest.mark.parametrize("seed", nightly_after(3, range(60)))
def test_deals_do_not_depend_on_which_board_ends_first(seed: int) -> None:
    """Each round has the same deals, whichever of the two boards is played first."""
    one, other = (rounds("partners target=none deals=9", seed, favoured, patient=False) for favoured in (1, 2))
    assert one == other
    assert [deals[0].event for deals in one] == [2, 4, 6, 8]


@pytest.mark.thorough
@pytest.mark.parametrize("seed", nightly_after(3, range(60)))
def test_deals_do_not_depend_on_which_board_is_reshuffled_first(seed: int) -> None:
    """If both boards reshuffle, the order of the reshuffles does not change the deals of the next round."""
    rules = "partners stock_out=reshuffle target=none deals=9"
    one, other = (rounds(rules, seed, favoured, patient=True) for favoured in (1, 2))
    assert one == other
    assert [deals[0].event for deals in one] == [2, 6, 10, 14]

"""Seeds in a verifiable match's log: when they may be given and revealed, and from when they count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.engine.actions import Action, Cut, Play, PlayerSeed, Reveal, Shuffle
from bot.engine.cards import DECK, parse_cards
from bot.engine.errors import IllegalMove
from bot.engine.fair import CHAIN_LENGTH, Chain, player_seed
from bot.engine.match import Match, apply, apply_all, new_match
from bot.engine.moves import RESIGN, TAKE, Move, Seat
from bot.engine.rules import Rules
from bot.engine.seeds import no_seeds
from tests.engine.decks import GIN_HAND, POOR_HAND, deck, random_move
from tests.engine.fair_matches import Table

CHAIN = Chain.ending_with(b"seeds")
SEEDS = [player_seed(f"words of {seat}") for seat in range(4)]
FIRST = [PlayerSeed(Seat(seat), SEEDS[seat]) for seat in range(2)]
CUT = Cut(parse_cards("Kd 7h"), 1)
DEAL = Shuffle(1, Seat(1), deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks"), event=2)
GIN = [Play(Seat(0), TAKE), Play(Seat(0), Move.parse("k Qh"))]
OTHER = player_seed("other")


def seed(seat: int, first: int | None = None) -> PlayerSeed:
    """Return a new seed of a seat."""
    return PlayerSeed(Seat(seat), OTHER, first)


def reveal(event: int) -> Reveal:
    """Return the reveal of an event's server seed."""
    return Reveal(event, CHAIN.seed(event))


def after(actions: Sequence[Action], rules: str = "classic") -> Match:
    """Return a match of two after some actions."""
    return apply_all(new_match(Rules.parse(rules), 2), actions)


def seeds_of(match: Match) -> Any:
    """Return the seeds of a verifiable match."""
    assert match.seeds is not None
    return match.seeds


@pytest.mark.parametrize(
    ("before", "action", "why"),
    [
        ([], seed(2), "there is no such seat"),
        ([], seed(-1), "there is no such seat"),
        ([], seed(0, 1), "before the first event each seat gives one seed, which counts at once"),
        (FIRST, seed(0), "before the first event each seat gives one seed, which counts at once"),
        ([Cut(parse_cards("Kd 7h"))], seed(0), "the first seeds stand before anything is cut or dealt"),
        ([Shuffle(1, Seat(1), DECK)], seed(0), "the first seeds stand before anything is cut or dealt"),
        ([*FIRST, CUT], seed(0), "it counts from=2"),
        ([*FIRST, CUT, DEAL], seed(0), "it counts from=2"),
        ([*FIRST, CUT, DEAL], seed(0, 3), "it counts from=2"),
        ([*FIRST, CUT, DEAL], seed(1, 2), "it counts from=3"),
        ([*FIRST, CUT, DEAL], seed(2, 2), "there is no such seat"),
        ([*FIRST, CUT, DEAL, Play(Seat(0), RESIGN)], seed(0, 2), "the match is over"),
        ([], CUT, "a match has events only if its players have given seeds"),
        ([], replace(DEAL, event=1), "a match has events only if its players have given seeds"),
        (FIRST[:1], CUT, "each seat gives a seed before the first event"),
        (FIRST, replace(CUT, event=None), "its event is numbered, up to 16384"),
        (FIRST, replace(CUT, event=0), "its event is numbered, up to 16384"),
        (FIRST, replace(CUT, event=CHAIN_LENGTH + 1), "its event is numbered, up to 16384"),
        (FIRST, replace(DEAL, event=1), "where deals are verifiable, the cut comes before them"),
        ([*FIRST, CUT], replace(DEAL, event=1), "there is an event 1 already"),
        ([*FIRST, CUT], replace(DEAL, event=None), "its event is numbered, up to 16384"),
        ([], reveal(1), "there is no such event"),
        (FIRST, reveal(1), "there is no event 1 whose seed is not out"),
        ([*FIRST, CUT, DEAL, *GIN], reveal(3), "there is no event 3 whose seed is not out"),
        ([*FIRST, CUT, DEAL, *GIN, reveal(1)], reveal(1), "there is no event 1 whose seed is not out"),
        ([*FIRST, CUT, DEAL, *GIN, reveal(2)], reveal(1), "there is no event 1 whose seed is not out"),
        (
            [*FIRST, CUT, DEAL, *GIN, reveal(2)],
            Shuffle(2, Seat(0), DECK, event=1),
            "there is an event 1 already",
        ),
        ([*FIRST, CUT, DEAL, reveal(1)], GIN[0], "seeds of a deal in play were revealed"),
        ([*FIRST, CUT, DEAL, reveal(2)], Play(Seat(0), RESIGN), "seeds of a deal in play were revealed"),
        ([*FIRST, CUT, DEAL, reveal(2)], seed(0, 2), "seeds of a deal in play were revealed"),
    ],
)
def test_what_is_out_of_place_is_refused(before: Sequence[Action], action: Action, why: str) -> None:
    """Seeds, events and reveals that violate the protocol are refused, and the error states the rule."""
    match = after(before)
    with pytest.raises(IllegalMove) as refused:
        apply(match, action)
    assert why in str(refused.value)


def test_later_words_count_as_they_were_told_to() -> None:
    """A deal uses the newest seeds that count from it. A seed that is replaced before it counts is never used."""
    match = after([*FIRST, CUT, DEAL])
    assert seeds_of(match).counting(9) == (SEEDS[0], SEEDS[1])
    match = apply_all(match, [seed(0, 2), seed(1, 3)])
    assert [seeds_of(match).counting(deal) for deal in (1, 2, 3)] == [
        (SEEDS[0], SEEDS[1]),
        (OTHER, SEEDS[1]),
        (OTHER, OTHER),
    ]
    match = apply(match, PlayerSeed(Seat(0), SEEDS[3], 2))
    assert seeds_of(match).counting(2) == (SEEDS[3], SEEDS[1])
    assert seeds_of(match).given[0] == ((0, SEEDS[0]), (2, SEEDS[3]))


def test_the_next_event_has_the_next_number_and_what_counts() -> None:
    """Event numbers continue through the match, independently of deal numbers."""
    match = after([*FIRST, CUT, DEAL])
    event = seeds_of(match).next_event(CHAIN.seed(3), 2)
    assert (event.number, event.seed, event.players) == (3, CHAIN.seed(3), (SEEDS[0], SEEDS[1]))


def test_the_seed_of_the_cut_is_out_with_that_of_the_first_deal() -> None:
    """The seed of the cut is revealed together with the seed of the first deal, after that deal."""
    steps = [*FIRST, CUT]
    assert after(steps).to_reveal == ()
    assert after([*steps, DEAL, GIN[0]]).to_reveal == ()
    over = after([*steps, DEAL, *GIN], "classic target=none deals=2")
    assert over.to_reveal == (1, 2)
    assert apply(over, reveal(1)).to_reveal == (2,)
    assert apply(over, reveal(2)).to_reveal == ()
    assert not seeds_of(apply(over, reveal(2))).exposed


def test_when_a_match_ends_early_everything_may_be_revealed() -> None:
    """After a resignation, the seed of the interrupted deal may be revealed."""
    over = after([*FIRST, CUT, DEAL, Play(Seat(1), RESIGN)])
    assert over.to_reveal == (1, 2)
    assert not seeds_of(apply(over, reveal(2))).exposed
    assert after([*FIRST, Play(Seat(1), RESIGN)]).to_reveal == ()


def test_a_match_that_is_called_off_is_exposed() -> None:
    """A match whose seed is revealed during a deal is exposed. Only more reveals may follow."""
    match = after([*FIRST, CUT, DEAL, reveal(1)])
    assert seeds_of(match).exposed
    assert seeds_of(apply(match, reveal(2))).sealed == ()


def test_a_match_without_seeds_has_no_events() -> None:
    """A match without seeds is playable and has no seeds to reveal."""
    match = after([replace(CUT, event=None), replace(DEAL, event=None), *GIN])
    assert match.seeds is None
    assert match.to_reveal == ()


def test_a_chain_is_used_up_by_as_many_events() -> None:
    """A chain is used up after its last seed."""
    fresh = no_seeds(2)
    assert not replace(fresh, events=CHAIN_LENGTH - 1).used_up
    assert replace(fresh, events=CHAIN_LENGTH).used_up


@pytest.mark.parametrize("first_over", [1, 2])
def test_seeds_of_two_boards_wait_for_all_earlier_ones(first_over: int) -> None:
    """A later seed reveals earlier ones, so the second board's seed waits for the first board, but not vice versa."""
    table = Table(Rules.parse("partners"), ["a", "b", "c", "d"], CHAIN)
    while table.chance():
        pass
    rng = Random(3)
    while all(deal.board != 3 - first_over or deal.outcome is None for deal in table.match.finished):
        boards = [deal for deal in table.match.playing if deal.board == first_over] or list(table.match.playing)
        seat = boards[0].to_act
        assert seat is not None
        if len(table.match.playing) == 1:
            assert table.match.to_reveal == ((1, 2) if first_over == 1 else ())
        table.do(Play(seat, random_move(table.match, seat, rng)))
    assert table.match.to_reveal == (1, 2, 3)

"""Seeds in a verifiable match's log: when they may be given and revealed, and for which deals they count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from bot.engine.cards.cards import DECK, parse_cards
from bot.engine.deals.moves import RESIGN, TAKE, Move, Seat
from bot.engine.errors import IllegalMove
from bot.engine.fairness.fair import CHAIN_LENGTH, Chain, player_seed
from bot.engine.fairness.seeds import Seeds, new_seeds
from bot.engine.matches.actions import Action, Cut, Play, PlayerSeed, Reveal, Shuffle
from bot.engine.matches.match import Match, apply, apply_all, new_match
from bot.engine.rules import Rules
from tests.engine.decks import GIN_HAND, POOR_HAND, deck, random_move
from tests.engine.fair_matches import Table

CHAIN = Chain.ending_with(b"seeds")
SEEDS = [player_seed(f"words of {seat}") for seat in range(4)]
FIRST_SEEDS = [PlayerSeed(Seat(seat), SEEDS[seat]) for seat in range(2)]
CUT = Cut(parse_cards("Kd 7h"), 1)
DEAL = Shuffle(1, Seat(1), deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks"), event=2)
GIN_MOVES = [Play(Seat(0), TAKE), Play(Seat(0), Move.parse("k Qh"))]
OTHER_SEED = player_seed("other")


def new_seed(seat: int, counts_from: int | None = None) -> PlayerSeed:
    """Return a new seed of a seat."""
    return PlayerSeed(Seat(seat), OTHER_SEED, counts_from)


def reveal(event: int) -> Reveal:
    """Return the action that reveals the server seed of an event (the cut, a deal or a reshuffle)."""
    return Reveal(event, CHAIN.seed(event))


def after(actions: Sequence[Action], rules: str = "classic") -> Match:
    """Return a match of two players after these actions."""
    return apply_all(new_match(Rules.parse(rules), 2), actions)


def seeds_of(match: Match) -> Seeds:
    """Return the seeds of a verifiable match."""
    assert match.seeds is not None
    return match.seeds


@pytest.mark.parametrize(
    ("before", "action", "why"),
    [
        ([], new_seed(2), "there is no such seat"),
        ([], new_seed(-1), "there is no such seat"),
        ([], new_seed(0, 1), "before the first event each seat gives one seed, which counts immediately"),
        (FIRST_SEEDS, new_seed(0), "before the first event each seat gives one seed, which counts immediately"),
        ([Cut(parse_cards("Kd 7h"))], new_seed(0), "the first seeds are given before anything is cut or dealt"),
        ([Shuffle(1, Seat(1), DECK)], new_seed(0), "the first seeds are given before anything is cut or dealt"),
        ([*FIRST_SEEDS, CUT], new_seed(0), "it counts from=2"),
        ([*FIRST_SEEDS, CUT, DEAL], new_seed(0), "it counts from=2"),
        ([*FIRST_SEEDS, CUT, DEAL], new_seed(0, 3), "it counts from=2"),
        ([*FIRST_SEEDS, CUT, DEAL], new_seed(1, 2), "it counts from=3"),
        ([*FIRST_SEEDS, CUT, DEAL], new_seed(2, 2), "there is no such seat"),
        ([*FIRST_SEEDS, CUT, DEAL, Play(Seat(0), RESIGN)], new_seed(0, 2), "the match is over"),
        ([], CUT, "a match has events only if its players have given seeds"),
        ([], replace(DEAL, event=1), "a match has events only if its players have given seeds"),
        (FIRST_SEEDS[:1], CUT, "each seat must give a seed before the first event"),
        (FIRST_SEEDS, replace(CUT, event=None), "it needs an event number, up to 16384"),
        (FIRST_SEEDS, replace(CUT, event=0), "it needs an event number, up to 16384"),
        (FIRST_SEEDS, replace(CUT, event=CHAIN_LENGTH + 1), "it needs an event number, up to 16384"),
        (FIRST_SEEDS, replace(DEAL, event=1), "in a verifiable match, the cut comes before the first deal"),
        ([*FIRST_SEEDS, CUT], replace(DEAL, event=1), "there is an event 1 already"),
        ([*FIRST_SEEDS, CUT], replace(DEAL, event=None), "it needs an event number, up to 16384"),
        ([], reveal(1), "there is no such event"),
        (FIRST_SEEDS, reveal(1), "there is no event 1 whose seed is still secret"),
        ([*FIRST_SEEDS, CUT, DEAL, *GIN_MOVES], reveal(3), "there is no event 3 whose seed is still secret"),
        ([*FIRST_SEEDS, CUT, DEAL, *GIN_MOVES, reveal(1)], reveal(1), "there is no event 1 whose seed is still secret"),
        ([*FIRST_SEEDS, CUT, DEAL, *GIN_MOVES, reveal(2)], reveal(1), "there is no event 1 whose seed is still secret"),
        (
            [*FIRST_SEEDS, CUT, DEAL, *GIN_MOVES, reveal(2)],
            Shuffle(2, Seat(0), DECK, event=1),
            "there is an event 1 already",
        ),
        ([*FIRST_SEEDS, CUT, DEAL, reveal(1)], GIN_MOVES[0], "seeds of a deal in play were revealed"),
        ([*FIRST_SEEDS, CUT, DEAL, reveal(2)], Play(Seat(0), RESIGN), "seeds of a deal in play were revealed"),
        ([*FIRST_SEEDS, CUT, DEAL, reveal(2)], new_seed(0, 2), "seeds of a deal in play were revealed"),
    ],
)
def test_actions_that_violate_the_protocol_are_refused(before: Sequence[Action], action: Action, why: str) -> None:
    """Seeds, events and reveals that violate the protocol are refused, and the error states the rule."""
    match = after(before)
    with pytest.raises(IllegalMove) as refused:
        apply(match, action)
    assert why in str(refused.value)


def test_later_words_count_from_their_deal() -> None:
    """Each deal uses each seat's newest seed, but not a seed that counts only from a later deal."""
    match = after([*FIRST_SEEDS, CUT, DEAL])
    assert seeds_of(match).for_deal(9) == (SEEDS[0], SEEDS[1])
    match = apply_all(match, [new_seed(0, 2), new_seed(1, 3)])
    assert [seeds_of(match).for_deal(deal) for deal in (1, 2, 3)] == [
        (SEEDS[0], SEEDS[1]),
        (OTHER_SEED, SEEDS[1]),
        (OTHER_SEED, OTHER_SEED),
    ]
    match = apply(match, PlayerSeed(Seat(0), SEEDS[3], 2))
    assert seeds_of(match).for_deal(2) == (SEEDS[3], SEEDS[1])
    assert seeds_of(match).by_seat[0] == ((0, SEEDS[0]), (2, SEEDS[3]))


def test_the_next_event_has_the_next_number_and_seeds() -> None:
    """`next_event` gives an event the next number in the match, and the player seeds that count for its deal."""
    match = after([*FIRST_SEEDS, CUT, DEAL])
    event = seeds_of(match).next_event(CHAIN.seed(3), 2)
    assert (event.number, event.seed, event.player_seeds) == (3, CHAIN.seed(3), (SEEDS[0], SEEDS[1]))


def test_the_seed_of_the_cut_is_revealed_after_the_first_deal() -> None:
    """The server seed of the cut is revealed only after the first deal, together with that deal's seed."""
    steps = [*FIRST_SEEDS, CUT]
    assert after(steps).revealable_events == ()
    assert after([*steps, DEAL, GIN_MOVES[0]]).revealable_events == ()
    over = after([*steps, DEAL, *GIN_MOVES], "classic target=none deals=2")
    assert over.revealable_events == (1, 2)
    assert apply(over, reveal(1)).revealable_events == (2,)
    assert apply(over, reveal(2)).revealable_events == ()
    assert not seeds_of(apply(over, reveal(2))).is_exposed


def test_when_a_match_ends_early_everything_may_be_revealed() -> None:
    """After a resignation, the server seed of the interrupted deal may be revealed."""
    over = after([*FIRST_SEEDS, CUT, DEAL, Play(Seat(1), RESIGN)])
    assert over.revealable_events == (1, 2)
    assert not seeds_of(apply(over, reveal(2))).is_exposed
    assert after([*FIRST_SEEDS, Play(Seat(1), RESIGN)]).revealable_events == ()


def test_a_match_that_is_called_off_is_exposed() -> None:
    """If a seed is revealed during a deal, the match is called off: `exposed` is true, and more reveals may follow."""
    match = after([*FIRST_SEEDS, CUT, DEAL, reveal(1)])
    assert seeds_of(match).is_exposed
    assert seeds_of(apply(match, reveal(2))).sealed == ()


def test_a_match_without_seeds_has_no_events() -> None:
    """A match without seeds is playable and has no seeds to reveal."""
    match = after([replace(CUT, event=None), replace(DEAL, event=None), *GIN_MOVES])
    assert match.seeds is None
    assert match.revealable_events == ()


def test_a_chain_is_used_up_by_as_many_events() -> None:
    """The hash chain is used up after as many events as it has seeds."""
    fresh = new_seeds(2)
    assert not replace(fresh, newest_event=CHAIN_LENGTH - 1).is_used_up
    assert replace(fresh, newest_event=CHAIN_LENGTH).is_used_up


@pytest.mark.parametrize("first_over", [1, 2])
def test_seeds_of_two_boards_wait_for_all_earlier_ones(first_over: int) -> None:
    """The second board's seed, which gives away the first board's, may be revealed only when both boards are over."""
    table = Table(Rules.parse("partners"), ["a", "b", "c", "d"], CHAIN)
    while table.apply_chance():
        pass
    rng = Random(3)
    while all(deal.board != 3 - first_over or deal.outcome is None for deal in table.match.finished):
        boards = [deal for deal in table.match.playing if deal.board == first_over] or list(table.match.playing)
        seat = boards[0].to_act
        assert seat is not None
        if len(table.match.playing) == 1:
            assert table.match.revealable_events == ((1, 2) if first_over == 1 else ())
        table.do(Play(seat, random_move(table.match, seat, rng)))
    assert table.match.revealable_events == (1, 2, 3)

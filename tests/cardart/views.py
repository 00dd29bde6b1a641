"""Views of matches that the engine plays with random moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final, TypeVar

from hypothesis import strategies as st

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import Aces, best_arrangement
from bot.engine.deals.moves import Move, Seat
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.match import Match, Play, Shuffle, apply, new_match
from bot.engine.matches.replay import ReplayView, replay_view
from bot.engine.matches.views import PublicView, SeatView, ShowdownView, public_view, seat_view, showdown_view
from bot.engine.rules import Rules
from cardart import Portrait
from tests.engine.decks import GIN_HAND, POOR_HAND, deck, random_actions

View = TypeVar("View")

MONOGRAMS: Final = ("S", "N", "E2", "W")
PORTRAITS: Final = tuple(Portrait(mark, mark) for mark in MONOGRAMS)
"""Portraits of players whose names are their monograms."""
DUEL: Final = "classic target=40"
SYSTEMS: Final = (
    (DUEL, 2),
    ("standard target=40", 2),
    ("big target=40", 2),
    ("oklahoma target=40 spade_doubles=on oklahoma_boxes=on", 2),
    ("hollywood target=40", 2),
    ("round_the_corner target=40 lay_off_mode=manual", 2),
    ("research target=none deals=2 line_credit=at_once line_bonus=10", 2),
    ("rotation target=40", 3),
    ("winner_stays target=40", 3),
    ("partners target=40", 4),
    ("penalty target=40", 3),
    ("penalty lay_off_mode=manual target=40", 4),
)
"""Pairs of rules and number of players. They cover every format and each rule that changes a picture."""


def any_view(views: Callable[[int, str, int], Sequence[View]]) -> st.SearchStrategy[View]:
    """Return a strategy for views of random matches in every format. `views` is a function such as `seat_views`."""
    return st.sampled_from(SYSTEMS).flatmap(lambda system: st.sampled_from(views(0, *system)))


@cache
def seat_views(seed: int, rules: str = DUEL, seats: int = 2) -> tuple[SeatView, ...]:
    """Return a random match's views for the seats to act, and for all seats while a knock is being answered."""
    views: list[SeatView] = []
    for match in _matches(seed, rules, seats):
        for seat in match.to_act:
            view = seat_view(match, seat)
            waiting = [other for other in view.public.seats if other != seat and view.public.phase is Phase.LAY_OFF]
            views += (view, *(seat_view(match, other) for other in waiting))
    return tuple(views)


def view_with_hand(hand: Hand, new: Card | None = None, aces: Aces = "low") -> SeatView:
    """Return a seat's view with this hand and no discard choices. `new` is the card that the player has just drawn."""
    view = seat_views(0)[0]
    # Cards of the hand must not be in the discard pile too.
    public = replace(view.public, discards=tuple(card for card in view.public.discards if card not in hand))
    arrangement = best_arrangement(hand, aces)
    return replace(view, public=public, hand=hand, arrangement=arrangement, new_card=new, discard_choices=())


@cache
def public_views(seed: int, rules: str = DUEL, seats: int = 2) -> tuple[PublicView, ...]:
    """Return the public views of every board of a random match, from start to end."""
    return tuple(
        public_view(match, board)
        for match in _matches(seed, rules, seats)
        for board in sorted({deal.board for deal in (*match.playing, *match.finished)})
    )


@cache
def showdown_views(seed: int, rules: str = "classic", seats: int = 2) -> tuple[ShowdownView, ...]:
    """Return the showdowns of all deals of a random match."""
    final_match = _matches(seed, rules, seats)[-1]
    return tuple(showdown_view(final_match, deal.number, deal.board) for deal in final_match.finished)


@cache
def replay_views(seed: int, rules: str = DUEL, seats: int = 2) -> tuple[ReplayView, ...]:
    """Return the replays of all deals of a random match, except void deals."""
    final_match = _matches(seed, rules, seats)[-1]
    showdowns = [view for view in showdown_views(seed, rules, seats) if view.outcome.kind is not OutcomeKind.VOID]
    return tuple(replay_view(final_match, view.number, view.board) for view in showdowns)


def replays_of(kind: OutcomeKind, rules: str = DUEL, seats: int = 2) -> Iterator[ReplayView]:
    """Yield replays of random deals with this kind of outcome."""
    for seed in range(100):
        final_match = _matches(seed, rules, seats)[-1]
        for deal in final_match.finished:
            if deal.outcome is not None and deal.outcome.kind is kind:
                yield replay_view(final_match, deal.number, deal.board)


def scored_matches(
    seed: int, rules: str = DUEL, seats: int = 2
) -> tuple[tuple[PublicView, tuple[ShowdownView, ...]], ...]:
    """Return a public view of a random match and all showdowns so far, once for each number of finished deals."""
    last_states: dict[int, Match] = {
        len(match.finished): match for match in _matches(seed, rules, seats) if match.finished
    }
    return tuple(
        (
            public_view(match, match.finished[-1].board),
            tuple(showdown_view(match, deal.number, deal.board) for deal in match.finished),
        )
        for match in last_states.values()
    )


def showdown_of(kind: OutcomeKind, lay_offs: int = 0, system: tuple[str, int] = ("classic", 2)) -> ShowdownView:
    """Return a showdown with this outcome and at least this many lay-offs. The knock limit makes the outcome likely."""
    rules, seats = system
    knock_limit = 0 if kind is OutcomeKind.GIN else 30
    return next(
        view
        for seed in range(100)
        for view in showdown_views(seed, f"{rules} knock_limit={knock_limit}", seats)
        if view.outcome.kind is kind and len(view.outcome.lay_offs) >= lay_offs
    )


MANUAL_LAY_OFF_SYSTEMS: Final = tuple(system for system in SYSTEMS if Rules.parse(system[0]).lay_off_mode == "manual")
"""The pairs in `SYSTEMS` whose rules let opponents choose their lay-offs themselves."""


@cache
def answering_views() -> tuple[SeatView, ...]:
    """Return all seat views of a few deals while a knock is being answered manually."""
    views = [view for system in MANUAL_LAY_OFF_SYSTEMS for seed in range(2) for view in seat_views(seed, *system)]
    return tuple(view for view in views if view.public.phase is Phase.LAY_OFF)


@cache
def answering_tables() -> tuple[PublicView, ...]:
    """Return public views of a few deals while a knock is being answered manually."""
    views = [view for system in MANUAL_LAY_OFF_SYSTEMS for seed in range(2) for view in public_views(seed, *system)]
    return tuple(view for view in views if view.phase is Phase.LAY_OFF)


def match_after(rules: str, first: str, dealer: str, *moves: str, upcard: str = "7c", stock: str = "") -> Match:
    """Return a match of two players who were dealt these cards and have made these moves in turn."""
    match = apply(new_match(Rules.parse(rules), 2), Shuffle(1, Seat(1), deck(first, dealer, upcard, stock)))
    for move in moves:
        match = apply(match, Play(match.to_act[0], Move.parse(move)))
    return match


def at_the_wall(rules: str = "tournament", *moves: str) -> Match:
    """Return a match in which players drew and discarded until the stock reached the wall, then made these moves."""
    match = match_after(rules, f"{GIN_HAND} 9s", POOR_HAND, "pass", "pass")
    while match.playing and match.playing[0].phase is Phase.DRAW:
        card = match.playing[0].stock[0]
        for move in ("draw", f"x {card}"):
            match = apply(match, Play(match.to_act[0], Move.parse(move)))
    for move in moves:
        match = apply(match, Play(match.to_act[0], Move.parse(move)))
    return match


def hidden_card_pairs(seed: int, rules: str, seats: int) -> list[tuple[PublicView, PublicView]]:
    """Return pairs of public views of a random match: the real view, and the view after shuffling all hidden cards.

    Deals are skipped while a knock is being answered or the stock is reshuffled.
    """
    rng = Random(seed)
    pairs: list[tuple[PublicView, PublicView]] = []
    for match in _matches(seed, rules, seats):
        for deal in match.playing:
            if deal.phase in (Phase.LAY_OFF, Phase.RESHUFFLE):
                continue
            hidden = [*(card for hand in deal.hands for card in hand), *deal.stock]
            rng.shuffle(hidden)
            hands: list[Hand] = []
            for hand in deal.hands:
                hands.append(Hand.of(hidden[: len(hand)]))
                hidden = hidden[len(hand) :]
            shuffled_deal = replace(deal, hands=tuple(hands), deck=(*deal.deck[: deal.dealt], *hidden))
            playing = tuple(shuffled_deal if other is deal else other for other in match.playing)
            shuffled_match = replace(match, playing=playing)
            pairs.append((public_view(match, deal.board), public_view(shuffled_match, deal.board)))
            assert deal.hands != shuffled_deal.hands
    return pairs


@cache
def _matches(seed: int, rules: str, seats: int) -> tuple[Match, ...]:
    """Return states of a random match: every fourth one, the last one, and all in a rare phase."""
    states = [after for _, _, after in random_actions(seed, Rules.parse(rules), seats=seats)]
    dealt = [match for match in states if match.playing or match.finished]
    return tuple(
        match for place, match in enumerate(dealt, 1) if place % 4 == 1 or place == len(dealt) or _is_rare(match)
    )


def _is_rare(match: Match) -> bool:
    phases = {deal.phase for deal in match.playing}
    return len(match.playing) < match.format.boards or not phases.isdisjoint(
        (Phase.OFFER, Phase.LAY_OFF, Phase.RESHUFFLE)
    )

"""Views of real deals, which the engine plays at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Final, TypeVar

from hypothesis import strategies as st

from bot.engine.cards import Card, Hand
from bot.engine.deal import Phase
from bot.engine.match import Match, Play, Shuffle, apply, new_match
from bot.engine.melds import Aces, best_arrangement
from bot.engine.moves import Move, Seat
from bot.engine.replay import ReplayView, replay_view
from bot.engine.rules import Rules
from bot.engine.showdown import OutcomeKind
from bot.engine.views import PublicView, SeatView, ShowdownView, public_view, seat_view, showdown_view
from tests.engine.decks import GIN_HAND, POOR_HAND, deck, random_actions

View = TypeVar("View")

MONOGRAMS: Final = ("S", "N", "E2", "W")
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
"""Rules and numbers of players that cover every format, and each rule that changes a picture."""


def any_of(views: Callable[[int, str, int], Sequence[View]]) -> st.SearchStrategy[View]:
    """Return a strategy for views of random matches in every format. `views` is one of the functions below."""
    return st.sampled_from(SYSTEMS).flatmap(lambda system: st.sampled_from(views(0, *system)))


@cache
def seat_views(seed: int, rules: str = DUEL, seats: int = 2) -> tuple[SeatView, ...]:
    """Return the views of the seats to act, and of all seats while a knock is being answered."""
    views: list[SeatView] = []
    for match in _matches(seed, rules, seats):
        for seat in match.to_act:
            view = seat_view(match, seat)
            waiting = [other for other in view.public.seats if other != seat and view.public.phase is Phase.LAY_OFF]
            views += (view, *(seat_view(match, other) for other in waiting))
    return tuple(views)


def holding(hand: Hand, new: Card | None = None, aces: Aces = "low") -> SeatView:
    """Return the view of a seat that has this hand and is waiting."""
    view = seat_views(0)[0]
    # The top of the pile could be one of these cards.
    public = replace(view.public, discards=tuple(card for card in view.public.discards if card not in hand))
    arrangement = best_arrangement(hand, aces)
    return replace(view, public=public, hand=hand, arrangement=arrangement, new_card=new, discard_choices=())


@cache
def public_views(seed: int, rules: str = DUEL, seats: int = 2) -> tuple[PublicView, ...]:
    """Return the public views of a random match, of each board, from start to end."""
    return tuple(
        public_view(match, board)
        for match in _matches(seed, rules, seats)
        for board in sorted({deal.board for deal in (*match.playing, *match.finished)})
    )


@cache
def showdown_views(seed: int, rules: str = "classic", seats: int = 2) -> tuple[ShowdownView, ...]:
    """Return the showdowns of a random match."""
    over = _matches(seed, rules, seats)[-1]
    return tuple(showdown_view(over, deal.number, deal.board) for deal in over.finished)


@cache
def replay_views(seed: int, rules: str = DUEL, seats: int = 2) -> tuple[ReplayView, ...]:
    """Return the replays of all deals of a random match, except void deals."""
    over = _matches(seed, rules, seats)[-1]
    laid_down = [view for view in showdown_views(seed, rules, seats) if view.outcome.kind is not OutcomeKind.VOID]
    return tuple(replay_view(over, view.number, view.board) for view in laid_down)


def replays_of(kind: OutcomeKind, rules: str = DUEL, seats: int = 2) -> Iterator[ReplayView]:
    """Yield replays of random deals with this kind of outcome."""
    for seed in range(100):
        over = _matches(seed, rules, seats)[-1]
        for deal in over.finished:
            if deal.outcome is not None and deal.outcome.kind is kind:
                yield replay_view(over, deal.number, deal.board)


def scored(seed: int, rules: str = DUEL, seats: int = 2) -> tuple[tuple[PublicView, tuple[ShowdownView, ...]], ...]:
    """Return the public view of a random match and its finished deals, after each deal."""
    over: dict[int, Match] = {len(match.finished): match for match in _matches(seed, rules, seats) if match.finished}
    return tuple(
        (
            public_view(match, match.finished[-1].board),
            tuple(showdown_view(match, deal.number, deal.board) for deal in match.finished),
        )
        for match in over.values()
    )


def showdown_of(kind: OutcomeKind, lay_offs: int = 0, system: tuple[str, int] = ("classic", 2)) -> ShowdownView:
    """Return a showdown with this outcome and at least this many lay-offs, under rules that soon lead to it."""
    rules, seats = system
    limit = 0 if kind is OutcomeKind.GIN else 30
    return next(
        view
        for seed in range(100)
        for view in showdown_views(seed, f"{rules} knock_limit={limit}", seats)
        if view.outcome.kind is kind and len(view.outcome.lay_offs) >= lay_offs
    )


BY_HAND: Final = tuple(system for system in SYSTEMS if Rules.parse(system[0]).lay_off_mode == "manual")
"""The systems in which opponents lay off manually."""


@cache
def answering() -> tuple[SeatView, ...]:
    """Return all seat views of a few deals while a knock is being answered manually."""
    views = [view for system in BY_HAND for seed in range(2) for view in seat_views(seed, *system)]
    return tuple(view for view in views if view.public.phase is Phase.LAY_OFF)


@cache
def answered() -> tuple[PublicView, ...]:
    """Return public views of a few deals while a knock is being answered manually."""
    views = [view for system in BY_HAND for seed in range(2) for view in public_views(seed, *system)]
    return tuple(view for view in views if view.phase is Phase.LAY_OFF)


def begun(rules: str, first: str, dealer: str, *moves: str, upcard: str = "7c", stock: str = "") -> Match:
    """Return a match that deals these cards to two players, after moves by the player whose turn it is."""
    match = apply(new_match(Rules.parse(rules), 2), Shuffle(1, Seat(1), deck(first, dealer, upcard, stock)))
    for move in moves:
        match = apply(match, Play(match.to_act[0], Move.parse(move)))
    return match


def at_the_wall(rules: str = "tournament", *moves: str) -> Match:
    """Return a match in which players discarded every card they drew up to the wall, and then made these moves."""
    match = begun(rules, f"{GIN_HAND} 9s", POOR_HAND, "pass", "pass")
    while match.playing and match.playing[0].phase is Phase.DRAW:
        card = match.playing[0].stock[0]
        for move in ("draw", f"x {card}"):
            match = apply(match, Play(match.to_act[0], Move.parse(move)))
    for move in moves:
        match = apply(match, Play(match.to_act[0], Move.parse(move)))
    return match


def dealt_otherwise(seed: int, rules: str, seats: int) -> list[tuple[PublicView, PublicView]]:
    """Return pairs of public views of a random match: the real one, and one with all hidden cards shuffled.

    Deals in which a knock is being answered or the stock is reshuffled are skipped. Public cards stay where they are.
    """
    chance = Random(seed)
    pairs: list[tuple[PublicView, PublicView]] = []
    for match in _matches(seed, rules, seats):
        for deal in match.playing:
            if deal.phase in (Phase.LAY_OFF, Phase.RESHUFFLE):
                continue
            hidden = [*(card for hand in deal.hands for card in hand), *deal.stock]
            chance.shuffle(hidden)
            hands: list[Hand] = []
            for hand in deal.hands:
                hands.append(Hand.of(hidden[: len(hand)]))
                hidden = hidden[len(hand) :]
            mixed = replace(deal, hands=tuple(hands), deck=(*deal.deck[: deal.dealt], *hidden))
            playing = tuple(mixed if other is deal else other for other in match.playing)
            other = replace(match, playing=playing)
            pairs.append((public_view(match, deal.board), public_view(other, deal.board)))
            assert deal.hands != mixed.hands
    return pairs


@cache
def _matches(seed: int, rules: str, seats: int) -> tuple[Match, ...]:
    """Return states of a random match: every fourth one, and all states that show something rare."""
    states = [after for _, _, after in random_actions(seed, Rules.parse(rules), seats=seats)]
    dealt = [match for match in states if match.playing or match.finished]
    return tuple(match for place, match in enumerate(dealt, 1) if place % 4 == 1 or place == len(dealt) or _rare(match))


def _rare(match: Match) -> bool:
    phases = {deal.phase for deal in match.playing}
    return len(match.playing) < match.format.boards or not phases.isdisjoint(
        (Phase.OFFER, Phase.LAY_OFF, Phase.RESHUFFLE)
    )

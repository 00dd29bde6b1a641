"""Computes the places of the seats in a match, and ratings from these places by the Plackett-Luce model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openskill.models import PlackettLuce

from bot.engine.matches.formats import FORMATS
from bot.engine.matches.match import Match
from bot.model.standings import FIRST_RATING, Rating
from bot.model.statistics import Category
from bot.store.rows import EndedMatch

_MODEL: Final = PlackettLuce(mu=FIRST_RATING.mu, sigma=FIRST_RATING.sigma, beta=250.0, tau=5.0)
"""`beta` is the influence of luck in a single match, and `tau` how fast people's skill may change: with these values,
about 20 two-player matches settle a rating. A change here changes all ratings, so `deadwood rerate` must follow."""


def rate(sides: Sequence[Sequence[int]], places: Sequence[int], before: Sequence[Rating]) -> tuple[Rating, ...]:
    """Return the ratings of the seats after a match, given their places and earlier ratings.

    The result is deterministic: equal arguments give exactly equal ratings.
    """
    teams = [[_MODEL.rating(mu=before[seat].mu, sigma=before[seat].sigma) for seat in side] for side in sides]
    rated = _MODEL.rate(teams, ranks=[float(places[side[0]]) for side in sides])
    after = {
        seat: Rating(rating.mu, rating.sigma)
        for side, team in zip(sides, rated, strict=True)
        for seat, rating in zip(side, team, strict=True)
    }
    return tuple(after[seat] for seat in range(len(before)))


def places(match: Match) -> tuple[int, ...]:
    """Return the place of each seat of a finished match. Ties and partners share a place.

    A player who forfeits is last, and the others share the first place.
    """
    sides = range(len(match.sides))
    if match.forfeit is not None:
        forfeiter = match.forfeit.seat
        return _by_seat(match.sides, [(int(forfeiter in side),) for side in match.sides])
    score = match.score
    behind = [int(side != score.winner) for side in sides]
    if len(sides) == 2:
        return _by_seat(match.sides, [(0 if score.winner is None else behind[side],) for side in sides])
    side_sort_keys = (
        [(score.scores[side], -score.deals_won[side]) for side in sides]
        if Category.of(match.rules) is Category.PENALTY
        else [(-score.totals[side], -score.scores[side], -score.deals_won[side]) for side in sides]
    )
    return _by_seat(match.sides, [(behind[side], *side_sort_keys[side]) for side in sides])


def places_of_two_sides(match: EndedMatch) -> tuple[int, ...] | None:
    """Return the places as `places` does, but from the stored results; None if more than two sides played."""
    sides = FORMATS[match.rules.format].sides(len(match.seats))
    if len(sides) != 2:
        return None
    return _by_seat(sides, [(int(match.seats[side[0]].won is False),) for side in sides])


def _by_seat(sides: Sequence[Sequence[int]], sort_keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the place of each seat. `sort_keys` has a sort key for each side; the best side has the lowest."""
    order = sorted(sort_keys)
    place_of = {
        seat: 1 + order.index(sort_key) for side, sort_key in zip(sides, sort_keys, strict=True) for seat in side
    }
    return tuple(place_of[seat] for seat in sorted(place_of))

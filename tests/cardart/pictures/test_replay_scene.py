"""In a replay everyone has a place, and captions fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.cards import Card, parse_cards
from bot.engine.moves import Seat
from bot.engine.replay import ReplayView
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing.canvas import MARGIN
from cardart.drawing.painting import Sprite, tag
from cardart.drawing.palette import BLACK, FELT, GOLD
from cardart.drawing.themes import palette_of
from cardart.parts.table_layout import PEEKING
from cardart.pictures.replay import ReplayScene, card_chip
from tests.cardart.card_reader import colour, read
from tests.cardart.views import MONOGRAMS, replay_views

Sides = tuple[tuple[Seat, ...], ...]

EACH = tuple((Seat(seat),) for seat in range(4))
TEAMS = ((Seat(0), Seat(2)), (Seat(1), Seat(3)))


def told(*seats: int, sides: Sides = EACH) -> ReplayView:
    """Return a replay of players with ten or seven cards."""
    view = replay_views(0)[0] if len(seats) == 2 else replay_views(0, "penalty target=40", 4)[0]
    return replace(view, showdown=replace(view.showdown, seats=tuple(map(Seat, seats)), sides=sides))


def stage(*seats: int, sides: Sides = EACH) -> ReplayScene:
    """Return the scene of that replay."""
    return ReplayScene(told(*seats, sides=sides), MONOGRAMS, DEFAULT_APPEARANCE)


@pytest.mark.parametrize(
    ("seats", "sides", "above"),
    [
        ((0, 1), EACH, {1}),
        ((1, 0), EACH, {1}),
        ((2, 1), EACH, {2}),
        ((0, 3), TEAMS, {3}),
        ((2, 1), TEAMS, {1}),
        ((2, 0, 1), EACH, {1, 2}),
        ((1, 2, 3, 0), EACH, {1, 2}),
    ],
)
def test_everybody_sits_as_at_the_table(seats: tuple[int, ...], sides: Sides, above: set[int]) -> None:
    """Two players face each other, the second team above. Three or four sit as on the picture of the table."""
    places = stage(*seats, sides=sides).places
    assert set(places) == set(seats)
    top = min(place.top for place in places.values())
    assert {seat for seat, place in places.items() if place.top == top} == above
    for one, place in places.items():
        others = [other for seat, other in places.items() if seat != one and other.top == place.top]
        assert all(place.left + place.width < other.left or place.left > other.left for other in others)


@pytest.mark.parametrize(
    "parts",
    [
        ["Undercut!", 0, "(98 + 100) × 2 = 396"],
        ["Big gin!", 0, "(100 + 50) × 2 = 300"],
        ["Undercut!", 0, "+100", 1, "+100", 2, "+100"],
    ],
)
def test_the_longest_line_fits(parts: list[str | int]) -> None:
    """The longest captions end before the picture does."""
    players = 2 if len(parts) == 3 else 4
    shown = stage(*range(players))
    canvas, title = shown.canvas(), tag(str(parts[0]), 26, GOLD, BLACK)
    said: list[Sprite | Card | str] = [part if isinstance(part, str) else shown.badge(Seat(part)) for part in parts[1:]]
    shown.draw_caption(canvas, [title, *said], 1)
    picture = canvas.picture("")
    place = shown.places[Seat(1)]
    line = range(place.top, shown.places[Seat(0)].top)
    classic = tuple(palette_of(DEFAULT_APPEARANCE)[:3])
    assert all(colour(picture, picture.size[0] - MARGIN + 2, y) == classic == FELT for y in line)


@pytest.mark.slow
def test_the_top_of_the_pile_keeps_its_place() -> None:
    """The top discard always lies in the same place, and only a few are visible."""
    shown, pile, dealt = stage(0, 1), parse_cards("2c3d4h5s6c7d8h"), told(0, 1).moments[0]
    tops: set[tuple[int, int]] = set()
    for number in range(1, len(pile) + 1):
        canvas = shown.canvas()
        shown.draw_piles(canvas, replace(dealt, discards=pile[-number:]))
        at = {one.card: (one.x, one.y) for one in read(canvas.picture(""))}
        assert set(at) == set(pile[-min(number, PEEKING) :])
        tops.add(at[pile[-1]])
    assert len(tops) == 1


def test_a_chip_says_which_card_it_is() -> None:
    """Every card has a chip of its own, with the letters of the language."""
    king = Card.parse("Kd")
    assert (
        card_chip(king, DEFAULT_APPEARANCE).image.tobytes()
        != card_chip(Card.parse("Kh"), DEFAULT_APPEARANCE).image.tobytes()
    )
    assert (
        card_chip(king, Appearance(language="nl")).image.tobytes()
        != card_chip(king, DEFAULT_APPEARANCE).image.tobytes()
    )

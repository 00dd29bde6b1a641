"""In the picture of a replay, players sit in the right places, and captions fit into their space."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import ImageChops

from bot.engine.cards.cards import Card, parse_cards
from bot.engine.deals.moves import Seat
from bot.engine.matches.replay import ReplayView
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import MEDIUM
from cardart.drawing.canvas import Picture
from cardart.drawing.painting import Sprite
from cardart.parts.card_chips import card_chip
from cardart.parts.table_layout import VISIBLE_DISCARDS
from cardart.pictures.replay import ReplayScene
from tests.cardart.card_reader import decoded_rgb, read_cards
from tests.cardart.views import PORTRAITS, replay_views

Sides = tuple[tuple[Seat, ...], ...]

ONE_SEAT_SIDES = tuple((Seat(seat),) for seat in range(4))
TEAMS = ((Seat(0), Seat(2)), (Seat(1), Seat(3)))


def replay_of(*seats: int, sides: Sides = ONE_SEAT_SIDES) -> ReplayView:
    """Return a replay with these seats and sides."""
    view = replay_views(0)[0] if len(seats) == 2 else replay_views(0, "penalty target=40", 4)[0]
    held = slice(len(seats))
    moments = tuple(replace(moment, hands=moment.hands[held]) for moment in view.moments)
    over = view.showdown.outcome
    outcome = replace(over, hands=over.hands[held], deadwood=over.deadwood[held])
    showdown = replace(view.showdown, seats=tuple(map(Seat, seats)), sides=sides, outcome=outcome)
    return ReplayView(moments, showdown)


def scene_of(*seats: int, sides: Sides = ONE_SEAT_SIDES) -> ReplayScene:
    """Return the scene that draws a replay with these seats and sides."""
    return ReplayScene(replay_of(*seats, sides=sides), PORTRAITS, DEFAULT_APPEARANCE)


@pytest.mark.parametrize(
    ("seats", "sides", "above"),
    [
        ((0, 1), ONE_SEAT_SIDES, {1}),
        ((1, 0), ONE_SEAT_SIDES, {1}),
        ((2, 1), ONE_SEAT_SIDES, {2}),
        ((0, 3), TEAMS, {3}),
        ((2, 1), TEAMS, {1}),
        ((2, 0, 1), ONE_SEAT_SIDES, {1, 2}),
        ((1, 2, 3, 0), ONE_SEAT_SIDES, {1, 2}),
    ],
)
def test_seats_are_arranged_as_at_the_table(seats: tuple[int, ...], sides: Sides, above: set[int]) -> None:
    """Two players sit face to face, with the second side above. Three or four sit as in the picture of the table."""
    shown = scene_of(*seats, sides=sides)
    assert set(shown.places) == set(seats)
    canvas = shown.canvas()
    shown.draw_piles(canvas, replay_of(*seats, sides=sides).moments[0])
    (pile,) = read_cards(canvas.picture(""))
    assert {seat for seat, place in shown.places.items() if place.top < pile.y} == above
    tops = sorted(place.top for place in shown.places.values())
    assert all(other - one > MEDIUM.height for one, other in pairwise(tops))


@pytest.mark.parametrize(
    "parts",
    [
        [0, "(98 − 10 + 100) × 2 = 376"],
        [0, "(100 + 50) × 2 = 300"],
        [0, "knocks with 100, undercuts"],
        [0, "+100", 1, "+100", 2, "+100"],
    ],
)
def test_the_longest_line_fits(parts: list[str | int]) -> None:
    """The longest captions end before the piles."""
    shown = scene_of(0, 1, 2, 3)
    shapes: list[Sprite | Card | str] = [part if isinstance(part, str) else shown.badge(Seat(part)) for part in parts]
    pictures: list[Picture] = []
    for lines in ([], [shapes]):
        canvas = shown.canvas()
        shown.draw_caption(canvas, lines, 1)
        pictures.append(canvas.picture(""))
    bare, said = map(decoded_rgb, pictures)
    box = ImageChops.difference(bare, said).getbbox()
    assert box is not None
    assert box[2] <= shown.caption_right


@pytest.mark.parametrize(("seats", "actions"), [((0, 1), 20), ((0, 1), 240), ((0, 1, 2), 20), ((0, 1, 2, 3), 240)])
def test_the_picture_fits_a_phone(seats: tuple[int, ...], actions: int) -> None:
    """Scaled to a width of 350 pixels, a picture is at most 420 high. It is lower for a long deal of two players."""
    view = replay_of(*seats)
    moments = (*view.moments[:1], *view.moments[1:2] * actions)
    canvas = ReplayScene(ReplayView(moments, view.showdown), PORTRAITS, DEFAULT_APPEARANCE).canvas()
    wide, high = canvas.picture("").size
    assert high * 350 <= wide * 420
    if len(seats) == 2:
        assert (high > 650) == (actions < 100)


def test_the_longest_title_fits() -> None:
    """The longest title, with deal, board and step, ends before the stock."""
    view = replay_of(0, 1)
    showdown = replace(view.showdown, number=12, board=2, boards=2)
    shown = ReplayScene(ReplayView((view.moments[0],) * 217, showdown), PORTRAITS, DEFAULT_APPEARANCE)
    pictures: list[Picture] = []
    for step in (0, 128):
        canvas = shown.canvas()
        shown.draw_caption(canvas, [], step)
        pictures.append(canvas.picture(""))
    box = ImageChops.difference(*map(decoded_rgb, pictures)).getbbox()
    assert box is not None
    assert box[2] <= shown.caption_right


@pytest.mark.parametrize("number", [1, 2, 4])
def test_the_number_of_discards_is_below_the_middle_of_those_shown(number: int) -> None:
    """The caption with the number of discards is centred below the visible discards."""
    shown, pile, dealt = scene_of(0, 1), parse_cards("2c3d4h5s6c7d8h"), replay_of(0, 1).moments[0]
    canvas = shown.canvas()
    shown.draw_piles(canvas, replace(dealt, discards=pile[:number]))
    drawn = ImageChops.difference(decoded_rgb(shown.canvas().picture("")), decoded_rgb(canvas.picture("")))
    middles: list[float] = []
    left, (first, *_) = shown.stock_left + 124, read_cards(canvas.picture(""))
    bottom = first.y + 154
    for top, end in ((first.y, bottom), (bottom + 2, drawn.height)):
        box = drawn.crop((left, top, drawn.width, end)).getbbox()
        assert box is not None
        middles.append((box[0] + box[2]) / 2)
    assert abs(middles[0] - middles[1]) <= 2


@pytest.mark.thorough
def test_the_pile_starts_at_a_fixed_position() -> None:
    """The first visible discard always has the same position, and only a few discards are visible."""
    shown, pile, dealt = scene_of(0, 1), parse_cards("2c3d4h5s6c7d8h"), replay_of(0, 1).moments[0]
    begins: set[tuple[int, int]] = set()
    for number in range(1, len(pile) + 1):
        canvas = shown.canvas()
        shown.draw_piles(canvas, replace(dealt, discards=pile[-number:]))
        at = {card.card: (card.x, card.y) for card in read_cards(canvas.picture(""))}
        assert set(at) == set(pile[-min(number, VISIBLE_DISCARDS) :])
        begins.add(min(at.values()))
    assert len(begins) == 1


def test_a_chip_says_which_card_it_is() -> None:
    """In a caption, the chip of a card differs from the chips of other cards. Its letters depend on the language."""
    king = Card.parse("Kd")
    assert (
        card_chip(king, DEFAULT_APPEARANCE, 26).image.tobytes()
        != card_chip(Card.parse("Kh"), DEFAULT_APPEARANCE, 26).image.tobytes()
    )
    assert (
        card_chip(king, Appearance(language="nl"), 26).image.tobytes()
        != card_chip(king, DEFAULT_APPEARANCE, 26).image.tobytes()
    )

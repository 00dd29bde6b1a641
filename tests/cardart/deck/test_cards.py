"""Every card can be recognized by its face."""

from __future__ import annotations

from itertools import chain, combinations, pairwise

import pytest
from PIL import Image, ImageChops

from bot.engine.cards.cards import DECK, Card, Rank, Suit
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.deck.cards import (
    COMPACT,
    LARGE,
    MEDIUM,
    MEDIUM_LARGE,
    SMALL,
    Size,
    back,
    face,
    index_height,
    readable_step,
    upper_face,
)
from cardart.deck.courts import BOX, Version, court_layers
from cardart.deck.faces import DECKS
from cardart.drawing.lettering import rank_mask
from cardart.drawing.painting import used_entries
from cardart.drawing.palette import BLACK, COURT_BACKGROUND, FACE, GOLD, RED, SUIT_INKS, palette_index, shade_index
from cardart.drawing.shapes import outlines, suit_mask
from cardart.drawing.themes import THEMES, theme_of
from tests.cardart.card_reader import rendered
from tests.helpers.cases import thorough_after

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_INDEX_BOX = (5, 7, 27, 62)
"""Left, top, right and bottom of the index in a card's corner, in pixels."""
_SIZES = (LARGE, MEDIUM_LARGE, MEDIUM, COMPACT, SMALL)
_NUMBERS = tuple(card for card in DECK if Rank.ACE < card.rank < Rank.JACK)
_COURTS = tuple(Card.of(rank, suit) for rank in (Rank.JACK, Rank.QUEEN, Rank.KING) for suit in Suit)
_BOLD = Appearance("bold")
_VERSIONS: tuple[Version, ...] = ("large", "small")


def index_darkness(card: Card) -> Image.Image:
    """Return the inverted green channel of a card's index, in which both black and red ink have high values."""
    return ImageChops.invert(rendered(face(card), DEFAULT_APPEARANCE).crop(_INDEX_BOX).getchannel("G"))


def difference(one: Image.Image, other: Image.Image) -> int:
    """Return the sum of the differences of all pixels of two images of the same size."""
    return sum(ImageChops.difference(one, other).tobytes())


def in_index_column(mask: Image.Image, top: int) -> Image.Image:
    """Return an image of an index's size that contains only this shape, horizontally centred, with its top at `top`."""
    column = Image.new("L", (_INDEX_BOX[2] - _INDEX_BOX[0], _INDEX_BOX[3] - _INDEX_BOX[1]))
    column.paste(mask, ((column.width - mask.width) // 2, top))
    return column


@pytest.mark.parametrize("suit", thorough_after(1, Suit))
def test_the_index_is_the_rank_above_the_suit(suit: Suit) -> None:
    """An index has the rank above the suit, and resembles the card's own rank and suit more than any other."""
    ranks_drawn = [rank_mask(rank, 32, 22 if rank == "10" else 19) for rank in RANKS]
    suits_drawn = [suit_mask(suit, 15) for suit in Suit]
    for card in (card for card in DECK if card.suit == suit):
        shown, half = index_darkness(card), 38
        above, below = shown.crop((0, 0, shown.width, half)), shown.crop((0, half, shown.width, shown.height))
        ranks = [difference(above, in_index_column(mask, 0).crop((0, 0, shown.width, half))) for mask in ranks_drawn]
        suits = [difference(below, in_index_column(mask, 0).crop((0, 0, *below.size))) for mask in suits_drawn]
        assert ranks.index(min(ranks)) == card.rank - 1, card
        assert suits.index(min(suits)) == card.suit, card


@pytest.mark.parametrize("suit", Suit)
def test_hearts_and_diamonds_are_red_and_the_others_black(suit: Suit) -> None:
    """The darkest pixels of an index are red for hearts and diamonds, and black for clubs and spades."""
    for card in (card for card in DECK if card.suit == suit):
        colours = rendered(face(card), DEFAULT_APPEARANCE).crop(_INDEX_BOX).getcolors(10_000) or []
        darkest = min((colour for _, colour in colours if isinstance(colour, tuple)), key=lambda colour: colour[1])
        assert (darkest[0] > 150) == (suit in (Suit.DIAMONDS, Suit.HEARTS)), card


def test_all_faces_and_the_back_differ() -> None:
    """The sprites of the 52 faces and the back are all different and have the same size."""
    sprites = [*map(face, DECK), back()]
    assert len({sprite.image.tobytes() for sprite in sprites}) == len(DECK) + 1
    assert all(one.image.size == other.image.size == (LARGE.width, LARGE.height) for one, other in pairwise(sprites))


def uncoloured_figure(card: Card) -> Image.Image:
    """Return the upper half of a card's figure, without the index and with all suit colours replaced by black."""
    inks = {palette_index(ink) for ink in SUIT_INKS.values()}
    image = face(card).image
    alike = image.tobytes().translate(bytes(palette_index(BLACK) if entry in inks else entry for entry in range(256)))
    return Image.frombytes("L", image.size, alike).crop((33, 7, 106, 77))


def test_court_figures_are_all_different() -> None:
    """Any two court figures differ in at least a quarter of their pixels, even if suit colours are ignored."""
    for one, other in combinations(map(uncoloured_figure, _COURTS), 2):
        differing = sum(a != b for a, b in zip(one.tobytes(), other.tobytes(), strict=True))
        assert differing > one.width * one.height / 4


def test_every_ornament_shows() -> None:
    """Themes with different ornaments have different aces and court cards, and share all number cards."""
    pips = [Appearance(name) for name, theme in THEMES.items() if theme.deck == "pips"]
    ornaments = {theme_of(appearance).ornament for appearance in pips}
    for text, count in (("As", len(ornaments)), ("Qh", len(ornaments)), ("7d", 1)):
        assert len({face(Card.parse(text), appearance).image.tobytes() for appearance in pips}) == count


@pytest.mark.parametrize("size", _SIZES, ids=str)
def test_nothing_is_cut_from_the_upper_part_of_a_bold_card(size: Size) -> None:
    """A large suit or a figure ends above the lower edge of the visible part, even if that ends below the index."""
    height, right = index_height(_BOLD, size) + 4, size.width - 4
    for card in map(Card.parse, ("9s", "Ah", "Kh", "Jd")):
        image = upper_face(card, _BOLD, size, height).image
        assert used_entries(image.crop((4, height - 2, right, height))) == {palette_index(FACE)}
        assert len(used_entries(image.crop((readable_step(_BOLD, size) + 2, 4, right, height)))) > 1


def test_court_figures_are_whole() -> None:
    """Every part of a figure that ends above the waist, with all it carries, lies within the box that frames show."""
    width, height = BOX
    for card in _COURTS:
        for layer in court_layers(card, RED):
            for points, _ in chain.from_iterable(map(outlines, layer.paths)):
                if max(y for _, y in points) < height:
                    assert all(layer.pen / 2 <= x <= width - layer.pen / 2 for x, _ in points), card


@pytest.mark.parametrize("appearance", [DEFAULT_APPEARANCE, _BOLD], ids=str)
@pytest.mark.parametrize("size", [LARGE, MEDIUM_LARGE], ids=str)
def test_frames_cut_nothing_that_figures_hold(size: Size, appearance: Appearance) -> None:
    """Above the shoulders, only bare ground is next to a frame: nothing touches it, and nothing is cut by it."""
    ground, top, bottom = palette_index(COURT_BACKGROUND), round(7 * size.scale) + 1, round(47 * size.scale)
    for card in _COURTS:
        image = face(card, appearance, size).image
        inside = [x for x, entry in enumerate(image.crop((0, top, size.width, top + 1)).tobytes()) if entry == ground]
        for x in (inside[0], inside[-1]):
            assert used_entries(image.crop((x, top, x + 1, bottom))) == {ground}, card


def test_sleeves_below_indices_are_outlined() -> None:
    """Where a frame cuts a sleeve in the colour of the frame, a dark line is between the two."""
    for card in map(Card.parse, ("Jh", "Qd", "Kd", "Kh")):
        image = face(card).image
        assert used_entries(image.crop((6, 66, 31, 67))) == {palette_index(SUIT_INKS[card.suit])}
        assert used_entries(image.crop((7, 67, 31, 68))) == {palette_index(BLACK)}


def test_ground_around_figures_is_bare() -> None:
    """The pattern behind a figure does not touch the figure."""
    pattern, bare = shade_index(COURT_BACKGROUND, GOLD, 1), {palette_index(COURT_BACKGROUND)}
    for card in _COURTS:
        image = face(card, Appearance("deco")).image.crop((32, 8, 105, 50))
        for across, down in ((1, 0), (0, 1)):
            moved = image.crop((across, down, image.width, image.height))
            still = image.crop((0, 0, image.width - across, image.height - down))
            touching = {(a, b) for a, b in zip(still.tobytes(), moved.tobytes(), strict=True) if pattern in (a, b)}
            assert {entry for pair in touching for entry in pair} <= bare | {pattern}, card


@pytest.mark.parametrize("size", _SIZES, ids=str)
def test_bold_frames_have_even_margins(size: Size) -> None:
    """On bold court cards, the frame is as far from the right edge of the card as from its upper and lower edges."""
    image = face(Card.parse("Kh"), _BOLD, size).image.crop((readable_step(_BOLD, size), 0, size.width, size.height))
    ink = palette_index(SUIT_INKS[Suit.HEARTS])
    framed = Image.frombytes("L", image.size, bytes(entry == ink for entry in image.tobytes())).getbbox()
    assert framed is not None
    _, top, right, bottom = framed
    assert image.width - right == top == image.height - bottom


def test_small_figures_have_larger_eyes() -> None:
    """The pupils of small figures are larger than those of large ones."""
    for card in _COURTS:
        large, small = (
            max(
                max(y for _, y in points) - min(y for _, y in points)
                for layer in court_layers(card, RED, version)
                if layer.only and layer.colour == BLACK and not layer.pen
                for points, _ in chain.from_iterable(map(outlines, layer.paths))
            )
            for version in _VERSIONS
        )
        assert small > 1.3 * large, card


@pytest.mark.thorough
@pytest.mark.parametrize("size", [LARGE, SMALL])
def test_a_court_card_is_the_same_upside_down(size: Size) -> None:
    """A court card rotated by 180 degrees has the same pixels, apart from the card's round corners."""
    for card in _COURTS:
        image = face(card, size=size).image.crop((6, 6, size.width - 6, size.height - 6))
        assert image.tobytes() == image.transpose(Image.Transpose.ROTATE_180).tobytes()


def test_an_index_is_at_both_ends() -> None:
    """A card's lower right corner has its index upside down. A rotated six differs from a nine."""
    for card in (Card.parse("6h"), Card.parse("9h"), Card.parse("As"), Card.parse("Td")):
        image = face(card).image
        left, top, right, bottom = _INDEX_BOX
        other = image.transpose(Image.Transpose.ROTATE_180)
        assert image.crop((left, top, right, bottom)).tobytes() == other.crop((left, top, right, bottom)).tobytes()
    assert (
        face(Card.parse("6h")).image.tobytes()
        != face(Card.parse("9h")).image.transpose(Image.Transpose.ROTATE_180).tobytes()
    )


def pip_centres(card: Card, size: Size = LARGE) -> list[tuple[float, float]]:
    """Return the centres of a card's pips, except those in its indices, relative to the card's centre."""
    right, bottom = round(_INDEX_BOX[2] * size.scale) + 1, index_height(DEFAULT_APPEARANCE, size) + 1
    image, ink_of_suit = face(card, size=size).image.copy(), palette_index(SUIT_INKS[card.suit])
    for box in ((0, 0, right, bottom), (size.width - right, size.height - bottom, size.width, size.height)):
        image.paste(palette_index(FACE), box)
    wide, inked = size.width, {at for at, entry in enumerate(image.tobytes()) if entry == ink_of_suit}
    centres: list[tuple[float, float]] = []
    while inked:
        edge = [inked.pop()]
        shape = list(edge)
        while edge:
            at = edge.pop()
            near = inked & {
                at - wide - 1,
                at - wide,
                at - wide + 1,
                at - 1,
                at + 1,
                at + wide - 1,
                at + wide,
                at + wide + 1,
            }
            inked -= near
            edge += near
            shape += near
        rows, columns = {at // wide for at in shape}, {at % wide for at in shape}
        centres.append(((min(columns) + max(columns) + 1 - wide) / 2, (min(rows) + max(rows) + 1 - size.height) / 2))
    return sorted(centres)


@pytest.mark.thorough
@pytest.mark.parametrize("size", _SIZES, ids=str)
def test_a_number_card_has_as_many_pips_as_its_number(size: Size) -> None:
    """In every size the pips of a number card can be counted: none of them touches another pip or an index."""
    for card in _NUMBERS:
        assert len(pip_centres(card, size)) == card.rank.value, card


def test_a_seven_has_one_pip_between_its_columns() -> None:
    """A seven is an eight without the lower pip of the middle column, as on printed cards."""
    for suit in Suit:
        seven, eight = (pip_centres(Card.of(rank, suit)) for rank in (Rank.SEVEN, Rank.EIGHT))
        (missing,) = {*eight} - {*seven}
        assert {*seven} < {*eight}
        assert missing[0] == 0 < missing[1]


def test_pips_are_symmetric() -> None:
    """Pips are symmetric from left to right. Except on sevens, they also look the same after a half turn."""
    for card in _NUMBERS:
        places = {(x, abs(y)) for x, y in pip_centres(card) if abs(y) > 6}
        assert {(-x, y) for x, y in places} == places, card
        if card.rank != Rank.SEVEN:
            assert {(-x, -y) for x, y in pip_centres(card) if abs(y) > 6} == {
                (x, y) for x, y in pip_centres(card) if abs(y) > 6
            }, card


def test_bold_indices_are_larger() -> None:
    """Bold ranks are at least 1.6 times as high as classic ranks, which are at least 14 pixels high on a phone."""
    heights = [rank_height(Card.parse("Kh"), appearance) for appearance in (DEFAULT_APPEARANCE, _BOLD)]
    assert heights[1] >= 1.6 * heights[0]
    assert heights[0] * 350 / 800 >= 14
    assert DECKS["bold"].cap >= 1.6 * DECKS["pips"].cap


def rank_height(card: Card, appearance: Appearance) -> int:
    """Return the height of the rank in the index of a large card, in pixels."""
    ink_of_suit = palette_index(SUIT_INKS[card.suit])
    image = face(card, appearance, covered=True).image
    rows = [ink_of_suit in image.crop((7, y, 40, y + 1)).tobytes() for y in range(image.height)]
    first = rows.index(True)
    return rows.index(False, first) - first


@pytest.mark.parametrize("appearance", thorough_after(1, [DEFAULT_APPEARANCE, _BOLD]), ids=str)
def test_a_covered_card_shows_its_whole_index(appearance: Appearance) -> None:
    """The part of a covered card that must stay visible looks the same as on an uncovered card."""
    for card in DECK:
        whole, covered = (face(card, appearance, covered=covered).image for covered in (False, True))
        box = (0, 0, readable_step(appearance, LARGE), 105 if appearance == _BOLD else 60)
        assert whole.crop(box).tobytes() == covered.crop(box).tobytes()


@pytest.mark.parametrize("appearance", [DEFAULT_APPEARANCE, _BOLD], ids=str)
def test_the_upper_part_of_a_card_shows_its_whole_index(appearance: Appearance) -> None:
    """Below the index of a covered card, nothing is printed, and the upper part of a card looks like the whole card."""
    for card in DECK[::5]:
        for size in _SIZES:
            bottom, whole = index_height(appearance, size), face(card, appearance, size, covered=True).image
            blank = whole.crop((4, bottom, readable_step(appearance, size), size.height - 4))
            assert used_entries(blank) == {palette_index(FACE)}
            upper = upper_face(card, appearance, size, bottom, covered=True).image
            assert upper.tobytes() == whole.crop((0, 0, size.width, bottom)).tobytes()

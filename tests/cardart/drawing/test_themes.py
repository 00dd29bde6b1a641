"""Every appearance is legible, even for colour-blind people, and shows the same facts."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import pytest

from bot.engine.cards.cards import Card, Suit
from bot.engine.deals.showdown import OutcomeKind
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart import draw_hand, draw_showdown, draw_table
from cardart.deck.cards import face
from cardart.drawing.palette import (
    BLACK,
    COURT_BACKGROUND,
    DAY_DARK_INK,
    DAY_DIM,
    DAY_FAINT,
    DAY_LIGHT_INK,
    FACE,
    FADED,
    FELT,
    GOLD,
    MELD_COLOURS,
    MIST,
    PAPER,
    PENCIL,
    RECESS,
    ROBES,
    SEAT_COLOURS,
    SILVER,
    SUIT_INKS,
    TEXT,
    WOOD,
    palette_index,
)
from cardart.drawing.themes import LOST_DAY, THEMES, WON_DAYS, Theme, calendar_palette_of, palette_of, theme_of
from cardart.parts.badges import MEDAL_COLOURS
from tests.cardart.card_reader import read_cards, rendered, visible_cards
from tests.cardart.colour_vision import DEUTERANOPIA, NORMAL_VISION, PROTANOPIA, Matrix, colour_distance, contrast_ratio
from tests.cardart.views import PORTRAITS, seat_views, showdown_of
from tests.helpers.cases import nightly_after

APPEARANCES = [Appearance(theme, four) for theme, four in product(THEMES, (False, True))]
MIN_TEXT_CONTRAST, MIN_GRAPHICS_CONTRAST = 4.5, 3.0
"""Minimum contrast ratios of text and of graphics (WCAG 2.1, success criteria 1.4.3 and 1.4.11)."""
MIN_MELD_CONTRAST = 2.7
MIN_MELD_AND_CARD_CONTRAST = 2.5
"""Minimum contrast ratios of a meld's mark with the felt and with its cards. A mark has a dark edge as well."""
MIN_COLOUR_DISTANCE = 20
"""Minimum distance of two suit colours: ten times the just noticeable difference."""
MIN_DAY_DISTANCE = 16
"""Minimum distance of the colours of two results in a calendar, which also have numbers."""
BLACK_PIXEL = (0, 0, 0)

each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
each_appearance = pytest.mark.parametrize("appearance", APPEARANCES, ids=str)


def _themed(theme: Theme, colour: tuple[int, int, int]) -> tuple[int, int, int]:
    return theme.colours.get(colour, colour)


def _calendar_colours(theme: Theme) -> dict[tuple[int, int, int], tuple[int, int, int]]:
    """Return the colours of a calendar by base colour."""
    name = next(name for name, each in THEMES.items() if each is theme)
    entries = calendar_palette_of(Appearance(name))
    named = (DAY_LIGHT_INK, DAY_DARK_INK, DAY_DIM, DAY_FAINT)
    starts = {base: 3 * palette_index(base) for base in named}
    return {base: (entries[at], entries[at + 1], entries[at + 2]) for base, at in starts.items()}


@each_theme
def test_suits_stand_out_from_the_card(theme: Theme) -> None:
    """Two-colour cards have one colour for red suits and one for black. All suit colours contrast with the card."""
    for ink in theme.two_colours:
        assert contrast_ratio(ink, _themed(theme, FACE)) >= MIN_TEXT_CONTRAST
    for ink in theme.four_colours:
        assert contrast_ratio(ink, _themed(theme, FACE)) >= MIN_GRAPHICS_CONTRAST
    clubs, diamonds, hearts, spades = theme.two_colours
    assert (clubs, diamonds) == (spades, hearts)
    assert len({*theme.four_colours}) == len(Suit)


@each_theme
@pytest.mark.parametrize("eyes", [NORMAL_VISION, PROTANOPIA, DEUTERANOPIA], ids=["all", "protanopia", "deuteranopia"])
def test_four_colours_are_told_apart_by_all_eyes(theme: Theme, eyes: Matrix) -> None:
    """Four suit colours differ from each other, even for people without red or green cones."""
    for one, other in combinations(theme.four_colours, 2):
        assert colour_distance(one, other, eyes) >= MIN_COLOUR_DISTANCE


@each_theme
def test_melds_stand_out_from_the_felt_and_from_cards(theme: Theme) -> None:
    """The colours of melds contrast with the felt and with cards."""
    for colour in MELD_COLOURS:
        assert contrast_ratio(_themed(theme, colour), _themed(theme, FELT)) >= MIN_MELD_CONTRAST
        assert contrast_ratio(_themed(theme, colour), _themed(theme, FACE)) >= MIN_MELD_AND_CARD_CONTRAST


@each_theme
@pytest.mark.parametrize("eyes", [NORMAL_VISION, PROTANOPIA, DEUTERANOPIA], ids=["all", "protanopia", "deuteranopia"])
def test_melds_and_the_frame_of_a_new_card_are_told_apart_by_all_eyes(theme: Theme, eyes: Matrix) -> None:
    """The colours of melds differ from each other and from the gold frame, even for colour-blind people."""
    for one, other in combinations((*MELD_COLOURS, GOLD), 2):
        assert colour_distance(_themed(theme, one), _themed(theme, other), eyes) >= MIN_COLOUR_DISTANCE


@each_theme
def test_figures_stand_out_from_their_ground(theme: Theme) -> None:
    """On court cards, outlines and black hair contrast with the background, and with steel and white hair."""
    for ground in (COURT_BACKGROUND, SILVER):
        assert contrast_ratio(_themed(theme, BLACK), _themed(theme, ground)) >= MIN_GRAPHICS_CONTRAST


@each_appearance
def test_robes_stand_out_from_shirts(appearance: Appearance) -> None:
    """The robes of court figures contrast with their white collars and furs, so they are never white themselves."""
    entries = palette_of(appearance)
    for robe in ROBES.values():
        red, green, blue = entries[3 * palette_index(robe) :][:3]
        assert contrast_ratio((red, green, blue), _themed(theme_of(appearance), TEXT)) >= MIN_GRAPHICS_CONTRAST


@each_theme
def test_text_has_enough_contrast(theme: Theme) -> None:
    """Text contrasts with its background: felt, panels, paper, and labels in gold or in a seat's colour."""
    labels = ((BLACK, ground) for ground in (GOLD, TEXT, *SEAT_COLOURS))
    for ink, ground in (*product((TEXT, MIST), (FELT, RECESS)), *product((PENCIL, FADED), (PAPER,)), *labels):
        assert contrast_ratio(_themed(theme, ink), _themed(theme, ground)) >= MIN_TEXT_CONTRAST


@each_theme
def test_numbers_on_medals_have_enough_contrast(theme: Theme) -> None:
    """The large number on a medal contrasts with gold, silver and bronze."""
    for fill in MEDAL_COLOURS:
        assert contrast_ratio(_themed(theme, BLACK), _themed(theme, fill)) >= MIN_GRAPHICS_CONTRAST


@each_theme
@pytest.mark.parametrize("eyes", [NORMAL_VISION, PROTANOPIA, DEUTERANOPIA], ids=["all", "protanopia", "deuteranopia"])
def test_medals_are_told_apart_by_all_eyes(theme: Theme, eyes: Matrix) -> None:
    """Gold, silver and bronze differ from each other, even for colour-blind people."""
    for one, other in combinations(MEDAL_COLOURS, 2):
        assert colour_distance(_themed(theme, one), _themed(theme, other), eyes) >= MIN_COLOUR_DISTANCE


@pytest.mark.parametrize("eyes", [NORMAL_VISION, PROTANOPIA, DEUTERANOPIA], ids=["all", "protanopia", "deuteranopia"])
def test_results_of_days_are_told_apart_by_all_eyes(eyes: Matrix) -> None:
    """In a calendar, the colours of losses and of wins by size get brighter, even for colour-blind people."""
    for one, other in pairwise((LOST_DAY, *WON_DAYS)):
        assert colour_distance(one, other, eyes) >= MIN_DAY_DISTANCE
        assert contrast_ratio(one, BLACK_PIXEL) < contrast_ratio(other, BLACK_PIXEL)


@each_theme
def test_days_stand_out_from_the_panel(theme: Theme) -> None:
    """In a calendar, wins and borders of missed days contrast with the panel, and losses differ from it for all eyes.

    Losses have large numbers in a light colour as well.
    """
    panel = _themed(theme, RECESS)
    colours = _calendar_colours(theme)
    for colour in (*WON_DAYS, colours[DAY_DIM]):
        assert contrast_ratio(colour, panel) >= MIN_GRAPHICS_CONTRAST
    assert contrast_ratio(colours[DAY_FAINT], panel) < MIN_GRAPHICS_CONTRAST
    for eyes in (NORMAL_VISION, PROTANOPIA, DEUTERANOPIA):
        assert colour_distance(LOST_DAY, panel, eyes) >= MIN_DAY_DISTANCE


@each_theme
def test_text_on_days_has_enough_contrast(theme: Theme) -> None:
    """In a calendar, text contrasts with the colour of each result: light text on losses, and dark text on wins."""
    colours = _calendar_colours(theme)
    assert contrast_ratio(colours[DAY_LIGHT_INK], LOST_DAY) >= MIN_TEXT_CONTRAST
    assert all(contrast_ratio(colours[DAY_DARK_INK], fill) >= MIN_TEXT_CONTRAST for fill in WON_DAYS)


@each_appearance
def test_red_ink_stands_out_from_paper(appearance: Appearance) -> None:
    """The red ring around a winner's total contrasts with the paper."""
    theme = theme_of(appearance)
    for inks in (theme.two_colours, theme.four_colours):
        assert (
            contrast_ratio(dict(zip(SUIT_INKS, inks, strict=True))[Suit.HEARTS], _themed(theme, PAPER))
            >= MIN_GRAPHICS_CONTRAST
        )


@each_appearance
def test_a_card_has_the_ink_of_its_suit(appearance: Appearance) -> None:
    """In each appearance, the colour in a card's index that contrasts most with the card is the colour of its suit."""
    theme = theme_of(appearance)
    inks, ground = theme.four_colours if appearance.four_colours else theme.two_colours, _themed(theme, FACE)
    for text in ("7c", "7d", "7h", "7s"):
        card = Card.parse(text)
        colours = rendered(face(card), appearance).crop((8, 12, 38, 80)).getcolors(10_000) or []
        found = {(colour[0], colour[1], colour[2]) for _, colour in colours if isinstance(colour, tuple)}
        assert max(found, key=lambda colour: contrast_ratio(colour, ground)) == inks[card.suit]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "appearance",
    [
        Appearance("dark"),
        Appearance("bold", four_colours=True),
        *nightly_after(0, APPEARANCES),
    ],
    ids=str,
)
def test_all_appearances_show_the_same(appearance: Appearance) -> None:
    """All appearances show the same cards and have the same alt texts. The layout depends only on the card design."""
    hand, showdown = seat_views(1)[-1], showdown_of(OutcomeKind.KNOCK)
    for plain, other in (
        (draw_hand(hand), draw_hand(hand, appearance)),
        (draw_table(hand.public, PORTRAITS), draw_table(hand.public, PORTRAITS, appearance)),
        (draw_showdown(showdown, PORTRAITS), draw_showdown(showdown, PORTRAITS, appearance)),
    ):
        assert (other.alt, visible_cards(other, appearance)) == (plain.alt, visible_cards(plain))
        if theme_of(appearance).deck == THEMES[DEFAULT_APPEARANCE.theme].deck:
            assert (other.size, read_cards(other, appearance)) == (plain.size, read_cards(plain))


def test_every_appearance_has_colours_of_its_own() -> None:
    """No two appearances have the same palette."""
    assert len({palette_of(appearance) for appearance in APPEARANCES}) == len(APPEARANCES)


def test_every_theme_is_a_look_of_its_own() -> None:
    """Every theme has its own back, and its felt, rail and paper differ visibly from those of any other theme."""
    assert len({theme.back for theme in THEMES.values()}) == len(THEMES)
    for one, other in combinations(THEMES.values(), 2):
        distances = [colour_distance(_themed(one, colour), _themed(other, colour)) for colour in (FELT, WOOD, FACE)]
        assert max(distances) >= MIN_COLOUR_DISTANCE

"""The application's emojis have valid, unique names, and their cards can be distinguished."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageOps

from bot.engine.cards.cards import DECK, Card, Suit
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart import Emoji, all_emojis, back_emoji, card_emoji, emoji_key, fist_emoji, suit_emoji
from cardart.text.card_names import ENGLISH, NAMES
from tests.helpers.cases import nightly_after

FOUR = Appearance(four_colours=True)
LIGHT, GREY, DARK = (255, 255, 255), (0x4E, 0x50, 0x58), (0x2B, 0x2D, 0x31)
BUTTON = 20
"""Height of an emoji in a button, in pixels."""


@cache
def cached_emojis() -> tuple[Emoji, ...]:
    """Return all emojis."""
    return tuple(all_emojis())


def as_displayed(emoji: Emoji, ground: tuple[int, int, int], side: int = BUTTON) -> Image.Image:
    """Return an emoji as Discord shows it at this size on this background."""
    with Image.open(BytesIO(emoji.content)) as image:
        shown = Image.new("RGBA", image.size, ground)
        shown.alpha_composite(image.convert("RGBA"))
        return ImageOps.contain(shown.convert("RGB"), (side, side), Image.Resampling.LANCZOS)


def image_difference(one: Image.Image, other: Image.Image) -> float:
    """Return the difference of two images, in pixels: a pixel that is black in one and white in the other counts 1."""
    red, green, blue = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(most.tobytes()) / 255


@pytest.mark.nightly
def test_emojis_are_within_discords_limits() -> None:
    """Each emoji is a 128×128 PNG of at most 16 KiB with a unique, valid name, and there are fewer than 2,000."""
    emojis = cached_emojis()
    assert (
        len({emoji.name for emoji in emojis}) == len({emoji_key(emoji.name) for emoji in emojis}) == len(emojis) < 2000
    )
    for emoji in emojis:
        assert re.fullmatch("[a-z0-9_]{2,32}", emoji.name)
        assert len(emoji.content) <= 16 * 1024
        with Image.open(BytesIO(emoji.content)) as image:
            assert (image.format, image.size) == ("PNG", (128, 128))


@pytest.mark.thorough
def test_the_most_used_emojis_come_first() -> None:
    """First come two-colour English cards, then back, fist, suits, four-colour cards, and cards of other languages."""
    keys = [emoji_key(emoji.name) for emoji in cached_emojis()]
    assert keys[:2] == ["ace_of_clubs_2c", "ace_of_diamonds_2c"]
    assert keys[52:60] == [
        "back",
        "fist",
        "clubs_2c",
        "diamonds_2c",
        "hearts_2c",
        "spades_2c",
        "clubs_4c",
        "diamonds_4c",
    ]
    assert all(re.fullmatch(r"[a-z]+_of_(clubs|diamonds)_4c", key) for key in keys[60:86])
    assert all(re.fullmatch(r"[a-z]+_[a-z]+_of_[a-z]+_[24]c", key) for key in keys[86:])
    assert len(keys) == 140


@pytest.mark.thorough
def test_all_emojis_include_every_language() -> None:
    """The uploaded emojis include all cards and suits in every language, in two and in four colours."""
    uploaded = set(cached_emojis())
    for language in (*NAMES, "xx"):
        for four_colours in (False, True):
            look = Appearance("dark", four_colours, language)
            assert uploaded.issuperset(card_emoji(card, look) for card in DECK)
            assert uploaded.issuperset(suit_emoji(suit, look) for suit in Suit)
    assert {back_emoji(), fist_emoji()} <= uploaded


def test_equal_drawings_share_an_emoji() -> None:
    """A card's emoji depends on its letters and its own colour, but not on the theme or on other suits' colours."""
    king, seven, heart = Card.parse("Kd"), Card.parse("7d"), Card.parse("Kh")
    assert emoji_key(card_emoji(king, DEFAULT_APPEARANCE).name) == "king_of_diamonds_2c"
    assert emoji_key(card_emoji(king, FOUR).name) == "king_of_diamonds_4c"
    assert emoji_key(card_emoji(king, Appearance(four_colours=True, language="fr")).name) == "king_r_of_diamonds_4c"
    assert card_emoji(king, Appearance("bold")) == card_emoji(king, DEFAULT_APPEARANCE)
    assert card_emoji(king, Appearance(language="de")) == card_emoji(king, DEFAULT_APPEARANCE)
    assert card_emoji(seven, Appearance(language="fr")) == card_emoji(seven, DEFAULT_APPEARANCE)
    assert card_emoji(heart, FOUR) == card_emoji(heart, DEFAULT_APPEARANCE)


@pytest.mark.nightly
@pytest.mark.parametrize("ground", nightly_after(1, [pytest.param(ground) for ground in (GREY, LIGHT, DARK)]))
def test_cards_differ_at_the_size_of_a_button(ground: tuple[int, int, int]) -> None:
    """Any two cards' emojis differ clearly at the size of a button, and even more clearly in four colours."""
    for look, least in ((DEFAULT_APPEARANCE, 6), (Appearance(language="fr"), 6), (FOUR, 18)):
        shown = {card: as_displayed(card_emoji(card, look), ground) for card in DECK}
        for one, other in combinations(DECK, 2):
            assert image_difference(shown[one], shown[other]) >= least, (one, other)


@pytest.mark.nightly
@pytest.mark.parametrize("language", NAMES)
def test_rank_and_suit_fill_the_tile_and_do_not_touch(language: str) -> None:
    """Rank and suit fill the tile up to equal margins, and a white gap separates the suit from the rank above it."""
    for card in DECK:
        emoji = card_emoji(card, Appearance(language=language))
        with Image.open(BytesIO(emoji.content)) as image:
            red, green, blue = image.convert("RGB").split()
        darkest = ImageChops.darker(ImageChops.darker(red, green), blue)
        # In some channel, ink is darker than the grey edge of the tile.
        ink = darkest.point([255] * 64 + [0] * 192)  # pyright: ignore[reportUnknownMemberType]
        left, top, right, bottom = ink.getbbox() or (0, 0, 0, 0)
        assert all(8 <= margin <= 18 for margin in (left, top, 128 - right, 128 - bottom)), card
        suit_at = next((x, 112) for x in range(127, 0, -1) if ink.getpixel((x, 112)))
        ImageDraw.floodfill(ink, suit_at, 128)
        suit = ink.point([0] * 128 + [255] + [0] * 127)  # pyright: ignore[reportUnknownMemberType]
        suit_left, suit_top, *_ = suit.getbbox() or (0, 0, 0, 0)
        assert suit_left > 50, card
        assert suit_top > 30, card


def test_a_tile_stands_out_from_any_ground() -> None:
    """Emojis of cards, backs, the fist and suits are visible on light, coloured and dark backgrounds."""
    for ground in (LIGHT, GREY, (0x58, 0x65, 0xF2), (0x31, 0x33, 0x38), DARK):
        plain = Image.new("RGB", (BUTTON, BUTTON), ground)
        for emoji in (card_emoji(Card.parse("2d"), FOUR), back_emoji(), fist_emoji(), suit_emoji(Suit.SPADES, FOUR)):
            assert image_difference(as_displayed(emoji, ground), plain) >= BUTTON * 5


@pytest.mark.nightly
def test_names_are_deterministic() -> None:
    """Names depend only on the drawings: a process with another hash seed computes the same names."""
    program = "from cardart import *; print(*(next(emojis).name for emojis in [all_emojis()] for _ in range(12)))"
    command = [sys.executable, "-c", program]
    told = subprocess.run(command, check=True, capture_output=True, text=True, env={"PYTHONHASHSEED": "7"})
    assert told.stdout.split() == [emoji.name for emoji in cached_emojis()[:12]]


def test_the_letters_are_those_of_the_language() -> None:
    """An emoji's key contains the language's letters for the rank if they differ from the English ones."""
    french = NAMES["fr"]
    for card in DECK:
        key = emoji_key(card_emoji(card, Appearance(language="fr")).name)
        letters = french.rank_letters(card.rank)
        same = letters == ENGLISH.rank_letters(card.rank)
        assert key.split("_of_")[0] == card.rank.name.lower() + ("" if same else f"_{letters.lower()}")

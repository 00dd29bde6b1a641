"""A picture does not depend on earlier or concurrent pictures, and its file has exactly the drawn pixels."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cardart import draw_hand, draw_showdown, draw_table
from cardart.deck.backs import draw_back
from cardart.deck.faces import draw_face
from cardart.drawing.canvas import Picture, encode_picture
from cardart.drawing.lettering import rank_mask
from cardart.drawing.painting import tag
from cardart.drawing.shapes import suit_mask
from cardart.parts.badges import badge
from cardart.parts.card_rows import plate
from tests.cardart.views import PORTRAITS, public_views, seat_views, showdown_views

PALETTE = bytes(range(256)) * 3


def draw_pictures() -> list[Picture]:
    """Return a few pictures of each kind."""
    hands = [draw_hand(view) for view in seat_views(2)[:2]]
    tables = [draw_table(view, PORTRAITS) for view in public_views(2)[:2]]
    return [*hands, *tables, *(draw_showdown(view, PORTRAITS) for view in showdown_views(2)[:1])]


@pytest.mark.thorough
def test_threads_draw_the_same_bytes_even_while_sprites_are_made() -> None:
    """Three threads that start without cached sprites draw the same pictures as a single thread."""
    alone = draw_pictures()
    for sprites in (draw_face, draw_back, plate, badge, tag, rank_mask, suit_mask):
        sprites.cache_clear()
    with ThreadPoolExecutor(3) as pool:
        together = [future.result() for future in [pool.submit(draw_pictures) for _ in range(3)]]
    assert together == [alone] * 3


def test_a_picture_starts_from_bare_felt() -> None:
    """A picture is the same before and after another one was drawn."""
    full, early = seat_views(2)[-1], seat_views(2)[0]
    before = draw_hand(early)
    draw_hand(full)
    assert draw_hand(early) == before


def decode(image: Image.Image) -> Image.Image:
    """Encode an image as PNG, verify the file's checksums, and return the decoded image."""
    png = encode_picture(image, "").content
    Image.open(BytesIO(png)).verify()
    decoded = Image.open(BytesIO(png))
    decoded.load()
    return decoded


@given(width=st.integers(1, 40), pixels=st.binary(min_size=1, max_size=800))
def test_a_file_shows_every_pixel_of_the_image(width: int, pixels: bytes) -> None:
    """The decoded file has the image's colours, whichever and however many palette entries the image uses."""
    height = max(1, len(pixels) // width)
    image = Image.frombytes("P", (width, height), pixels[: width * height].ljust(width * height, b"\0"))
    image.putpalette(PALETTE)
    assert decode(image).convert("RGB").tobytes() == image.convert("RGB").tobytes()


def test_the_palette_has_only_the_colours_of_the_image() -> None:
    """The file's palette contains only the colours of the image."""
    image = Image.frombytes("P", (3, 1), bytes((7, 200, 7)))
    image.putpalette(PALETTE)
    assert decode(image).getpalette() == [*PALETTE[21:24], *PALETTE[600:603]]

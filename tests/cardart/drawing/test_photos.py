"""A photo in a picture looks like the original, and changes nothing else in the picture."""

from __future__ import annotations

from io import BytesIO
from itertools import product

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.model.appearance import Appearance
from cardart.drawing.canvas import Canvas
from cardart.drawing.painting import tag
from cardart.drawing.palette import BLACK, GOLD, SEAT_COLOURS, TEXT
from cardart.drawing.photos import Photo
from cardart.drawing.themes import THEMES
from tests.gallery.sample_avatars import sample_avatar

_SIDE = 90
_BOX = (60, 40, 60 + _SIDE, 40 + _SIDE)
_MAX_MEAN_DIFFERENCE = 4
"""Maximum mean difference between a photo and the original, for each colour channel from 0 to 255."""


def canvas_with(*avatars: str, theme: str = "classic") -> Canvas:
    """Return a canvas with a text, and with these avatars side by side from `_BOX` on."""
    canvas = Canvas(800, 160, Appearance(theme))
    canvas.text(400, 150, "Gin Rummy", 20)
    for index, name in enumerate(avatars):
        canvas.put_photo(sample_avatar(name), _BOX[0] + index * (_SIDE + 10), _BOX[1], _SIDE, SEAT_COLOURS[0])
    return canvas


def pixels(canvas: Canvas) -> Image.Image:
    """Return the encoded canvas in RGB. It must be a palette image."""
    with Image.open(BytesIO(canvas.picture("").content)) as image:
        assert image.mode == "P"
        return image.convert("RGB")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("number", [1, 6])
def test_the_colours_of_a_photo_stay(theme: str, number: int) -> None:
    """In every theme, one photo or several have almost the colours of their originals."""
    names = ("cat", "woman", "orbit", "sunset", "cat", "orbit")[:number]
    drawn = pixels(canvas_with(*names, theme=theme))
    for index, name in enumerate(names):
        left = _BOX[0] + index * (_SIDE + 10) + _SIDE // 4
        inside = drawn.crop((left, _BOX[1] + _SIDE // 4, left + _SIDE // 2, _BOX[1] + 3 * _SIDE // 4))
        resized = sample_avatar(name).image.resize((_SIDE, _SIDE), Image.Resampling.LANCZOS)  # pyright: ignore[reportUnknownMemberType]
        original = resized.crop((_SIDE // 4, _SIDE // 4, _SIDE // 4 + inside.width, _SIDE // 4 + inside.height))
        assert max(ImageStat.Stat(ImageChops.difference(inside, original)).mean) <= _MAX_MEAN_DIFFERENCE


def test_flat_areas_stay_flat() -> None:
    """An area in one colour of a photo has one colour in the picture, without speckles."""
    flat = Photo(Image.new("RGB", (160, 160), (226, 172, 136)))
    flat.image.paste(sample_avatar("orbit").image.crop((0, 0, 160, 80)))
    canvas = Canvas(800, 160, Appearance("classic"))
    canvas.put_photo(flat, _BOX[0], _BOX[1], _SIDE, SEAT_COLOURS[0])
    middle, below = _BOX[0] + _SIDE // 2, _BOX[1] + 3 * _SIDE // 4
    colours = pixels(canvas).crop((middle - 20, below - 10, middle + 20, below + 10)).getcolors()
    assert colours is not None
    assert len(colours) == 1


def test_the_rest_of_the_picture_does_not_change() -> None:
    """Outside of the photo's circle, every pixel is the same as without the photo."""
    with_photo, without = pixels(canvas_with("cat")), pixels(canvas_with())
    changed = ImageChops.difference(with_photo, without).convert("L").getbbox()
    assert changed is not None
    assert (max(changed[0], _BOX[0]), max(changed[1], _BOX[1])) == changed[:2]
    assert (min(changed[2], _BOX[2]), min(changed[3], _BOX[3])) == changed[2:]
    for x, y in product((_BOX[0], _BOX[2] - 1), (_BOX[1], _BOX[3] - 1)):
        assert with_photo.getpixel((x, y)) == without.getpixel((x, y))


def test_a_photo_has_smooth_edges() -> None:
    """The pixels at the edge of a photo are mixed with the colour of its rim."""
    edge = pixels(canvas_with("orbit")).crop((_BOX[0], _BOX[1], _BOX[2], _BOX[1] + 1))
    lightness = edge.convert("L").crop((_SIDE // 2 - 8, 0, _SIDE // 2 + 8, 1)).tobytes()
    assert len(set(lightness)) > 2


def test_labels_cover_photos() -> None:
    """A label that is drawn over a photo is completely visible."""
    canvas, plain, label = canvas_with("cat"), canvas_with(), tag("D", 12, TEXT, BLACK)
    for other in (canvas, plain):
        other.put(label, _BOX[0] + 30, _BOX[1] + 30)
    box = (_BOX[0] + 38, _BOX[1] + 38, _BOX[0] + 46, _BOX[1] + 46)
    assert pixels(canvas).crop(box).tobytes() == pixels(plain).crop(box).tobytes()


def test_the_same_photo_in_several_sizes_shares_its_colours() -> None:
    """A photo in several sizes has no more colours than in one size, so that other photos have enough."""
    one = canvas_with("cat")
    one.fill((0, 0, 1, 1), GOLD)
    both = canvas_with("cat")
    both.fill((0, 0, 1, 1), GOLD)
    both.put_photo(sample_avatar("cat"), 300, 40, 40, SEAT_COLOURS[0])
    sizes = [len(Image.open(BytesIO(canvas.picture("").content)).getpalette() or ()) for canvas in (one, both)]
    assert sizes[0] == sizes[1]

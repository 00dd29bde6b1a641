"""Portraits of players: avatars with a ring in the colour of the seat, faces of computers, or badges with a letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from types import MappingProxyType
from typing import Final

from PIL import Image, ImageOps

from bot.engine.deals.moves import Seat
from bot.model.ids import PersonId
from bot.opponent.play.levels import Level
from cardart.drawing.canvas import Canvas
from cardart.drawing.lettering import shown_name
from cardart.drawing.painting import Painting, Sprite, cut_out
from cardart.drawing.palette import BLACK, EDGE, SEAT_COLOURS, TEXT, Colour
from cardart.drawing.photos import Photo
from cardart.drawing.shapes import rounded_mask
from cardart.parts.badges import badge, seat_mark
from cardart.parts.computer_faces import computer_face
from cardart.text import phrases

Avatar = Photo
"""A person's avatar, as `read_avatar` returns it."""

NO_AVATARS: Final[Mapping[PersonId, Avatar]] = MappingProxyType({})
AVATAR_SIDE: Final = 160
"""Width and height of an `Avatar` in pixels."""
_MAX_SIDE: Final = 4096
"""Maximum width and height of a file with an avatar, in pixels."""
_FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF")
_BEHIND_TRANSPARENCY: Final[Colour] = (224, 227, 232)
"""The colour behind transparent pixels. It contrasts with dark drawings and with most bright ones."""

_EDGE_WIDTH: Final = 2
_RING_RATIO: Final = 0.06
"""Width of the ring around an avatar, as a fraction of the portrait's side. It is at least `_MIN_RING_WIDTH` pixels."""
_MIN_RING_WIDTH: Final = 3
_MARK_RATIO: Final = 0.4
"""Side of the mark with the seat's shape at the edge of a face, as a fraction of the portrait's side."""
_MAX_MARK_SIDE: Final = 40
_MIN_LETTER_MARK: Final = 26
"""Minimum side of a mark with letters, in pixels."""


class UnreadableAvatarError(ValueError):
    """The content is not a picture that can be an avatar."""


@dataclass(frozen=True, slots=True)
class Portrait:
    """A player as pictures show them: the monogram and the name, and the avatar of a person or level of a computer.

    Without `avatar` and `level`, the player has a badge with the monogram. `username` is the name of the account.
    """

    monogram: str
    name: str
    avatar: Avatar | None = None
    level: Level | None = None
    username: str | None = None

    @property
    def shown_name(self) -> str:
        """The name as the font can write it: the name, else the account's name, else `Player` and the monogram."""
        return shown_name(self.name, self.username, f"{phrases.UNNAMED} {self.monogram}")


def full_names(portraits: Sequence[Portrait]) -> tuple[str, ...]:
    return tuple(portrait.name for portrait in portraits)


def shown_names(portraits: Sequence[Portrait]) -> tuple[str, ...]:
    return tuple(portrait.shown_name for portrait in portraits)


def monograms(portraits: Sequence[Portrait]) -> tuple[str, ...]:
    return tuple(portrait.monogram for portrait in portraits)


def read_avatar(content: bytes) -> Avatar:
    """Decode a PNG, JPEG, WebP or GIF file, and reduce it to an avatar.

    It is cropped to a square if necessary. An animation is reduced to its first frame. Raise `UnreadableAvatarError` if
    the file has another format, is damaged, or is more than 4,096 pixels wide or high.
    """
    try:
        with Image.open(BytesIO(content), formats=_FORMATS) as image:
            # Check the size before any pixel is decoded: a small file can have billions of pixels.
            if max(image.size) > _MAX_SIDE:
                raise UnreadableAvatarError(f"an avatar of {image.width} by {image.height} pixels is too large")
            opaque = Image.new("RGBA", image.size, (*_BEHIND_TRANSPARENCY, 255))
            opaque.alpha_composite(image.convert("RGBA"))
    except UnreadableAvatarError:
        raise
    except Exception as error:
        # Pillow documents only some of the errors that damaged files cause.
        raise UnreadableAvatarError(f"the avatar cannot be decoded: {error}") from error
    return Avatar(ImageOps.fit(opaque.convert("RGB"), (AVATAR_SIDE, AVATAR_SIDE), Image.Resampling.LANCZOS))


def draw_portrait(canvas: Canvas, seat: Seat, portrait: Portrait, x: int, y: int, side: int) -> None:
    """Draw a player in a square of `side` pixels with its top left corner at (`x`, `y`).

    A face, of a person or of a computer, has a ring in the colour of the seat, and a mark with the seat's shape.
    Without a face, draw the badge with the monogram. Raise `ValueError` if the monogram is not one or two characters of
    A-Z and 0-9.
    """
    if portrait.avatar is None:
        canvas.put(portrait_without_avatar(seat, portrait.monogram, portrait.level, side), x, y)
        return
    _draw_avatar(canvas, portrait.avatar, SEAT_COLOURS[seat], x, y, side)
    mark, place = _mark(seat, portrait.monogram, side), _mark_place(side)
    canvas.put(mark, x + place, y + place)


@cache
def portrait_without_avatar(seat: Seat, monogram: str, level: Level | None, side: int) -> Sprite:
    """Return the face of a computer, or the badge of a person (`level` is None), `side` pixels wide and high.

    The mark of a face reaches a little further. Raise `ValueError` like `draw_portrait`.
    """
    if level is None:
        return badge(seat, monogram, side)
    image, mask = (Image.new(mode, (side + _EDGE_WIDTH, side + _EDGE_WIDTH)) for mode in ("P", "1"))
    face = computer_face(level, SEAT_COLOURS[seat], _ring_width(side), side)
    for sprite, place in ((face, 0), (_mark(seat, monogram, side), _mark_place(side))):
        image.paste(sprite.image, (place, place), sprite.mask)
        mask.paste(1, (place, place), sprite.mask)
    return Sprite(image, mask)


def _mark(seat: Seat, monogram: str, side: int) -> Sprite:
    """Return the mark at the edge of a face of `side` pixels: the seat's shape, with letters if there is room."""
    mark_side = _mark_side(side)
    return badge(seat, monogram, mark_side) if mark_side >= _MIN_LETTER_MARK else seat_mark(seat, mark_side)


def _mark_side(side: int) -> int:
    return min(_MAX_MARK_SIDE, round(side * _MARK_RATIO))


def _mark_place(side: int) -> int:
    """Return the distance from the top and left of a face of `side` pixels to the top left corner of its mark."""
    return side - _mark_side(side) + _EDGE_WIDTH


def draw_person(canvas: Canvas, avatar: Avatar | None, shield: Sprite, x: int, y: int, ring: Colour = TEXT) -> None:
    """Draw a person who has no seat, with the top left corner at (`x`, `y`): the avatar in a ring, or else the shield.

    Both have the size of the shield.
    """
    if avatar is None:
        canvas.put(shield, x, y)
    else:
        _draw_avatar(canvas, avatar, ring, x, y, shield.width)


def _draw_avatar(canvas: Canvas, avatar: Avatar, ring: Colour, x: int, y: int, side: int) -> None:
    inset = _ring_width(side)
    canvas.put(_disc(ring, side), x, y)
    canvas.put_photo(avatar, x + inset, y + inset, side - 2 * inset, ring)


def _ring_width(side: int) -> int:
    """Return the width of a ring with its dark edge."""
    return _EDGE_WIDTH + max(_MIN_RING_WIDTH, round(side * _RING_RATIO))


@cache
def _disc(colour: Colour, side: int) -> Sprite:
    """Return a disc with a dark edge, with a diameter of `side` pixels."""
    size = (side, side)
    # EDGE is light in the dark theme, so only faces at a table have it, like the badges beside them.
    edge = EDGE if colour in SEAT_COLOURS else BLACK
    painting = Painting(size, edge).paint_layer(colour, rounded_mask(size, side / 2, _EDGE_WIDTH))
    return cut_out(painting.image, rounded_mask(size, side / 2))

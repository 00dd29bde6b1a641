"""Each level of the computer has a face of its own."""

from __future__ import annotations

from bot.engine.deals.moves import Seat
from bot.model.appearance import DEFAULT_APPEARANCE
from bot.opponent.play.levels import Level
from cardart.drawing.canvas import Canvas
from cardart.drawing.palette import SEAT_COLOURS
from cardart.parts.computer_faces import computer_face
from cardart.parts.portraits import Portrait, draw_portrait
from tests.gallery.sample_avatars import sample_avatar


def test_every_level_looks_different() -> None:
    """No two levels have the same face, even at the smallest size of a portrait."""
    faces = [computer_face(level, SEAT_COLOURS[0], 5, 32).image.tobytes() for level in Level]
    assert len(set(faces)) == len(Level)


def test_a_computer_has_a_face_at_its_seat() -> None:
    """The portrait of a computer differs from a letter badge, from an avatar, and between seats."""
    portraits = [
        (Seat(0), Portrait("C", "Computer")),
        (Seat(0), Portrait("C", "Computer", level=Level.CASUAL)),
        (Seat(1), Portrait("C", "Computer", level=Level.CASUAL)),
        (Seat(0), Portrait("C", "Cat", sample_avatar("cat"))),
    ]
    contents = set[bytes]()
    for seat, portrait in portraits:
        canvas = Canvas(120, 120, DEFAULT_APPEARANCE)
        draw_portrait(canvas, seat, portrait, 20, 20, 60)
        contents.add(canvas.picture("").content)
    assert len(contents) == len(portraits)

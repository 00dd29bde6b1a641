"""Animations are put together without loss, of what changed from frame to frame."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageDraw, ImageSequence

from cardart.drawing.animation import Animation, Frame, encode_animation
from cardart.drawing.canvas import Canvas
from cardart.drawing.themes import DEFAULT, THEMES, Look


def drawn(*boxes: tuple[int, int, int, int], look: Look = DEFAULT) -> Image.Image:
    """A piece of felt with rectangles on it."""
    canvas = Canvas(90, 61, look)
    image = canvas.frame()
    for shade, box in enumerate(boxes, 1):
        ImageDraw.Draw(image).rectangle(box, shade)
    return image


def played(made: Animation) -> list[tuple[bytes, int]]:
    """The pixels of each frame as a player shows it, and its milliseconds."""
    with Image.open(BytesIO(made.webp)) as image:
        return [(frame.convert("RGB").tobytes(), frame.info["duration"]) for frame in ImageSequence.Iterator(image)]


def shown(frames: list[Frame]) -> list[tuple[bytes, int]]:
    """What such frames look like."""
    return [(image.convert("RGB").tobytes(), milliseconds) for image, milliseconds in frames]


@pytest.mark.parametrize("theme", THEMES)
def test_every_frame_is_shown_as_it_was_drawn(theme: str) -> None:
    """Pixel by pixel and for its time, in any theme, wherever the change lies, also where there is none."""
    look = Look(theme)
    frames = [
        (drawn(look=look), 700),
        (drawn((3, 5, 10, 9), look=look), 1_200),
        (drawn((3, 5, 10, 9), look=look), 100),
        (drawn((4, 6, 4, 6), (88, 59, 89, 60), look=look), 65_000),
        (drawn(look=look), 40),
    ]
    made = encode_animation(frames, "words")
    assert played(made) == shown(frames)
    assert (made.size, made.frames, made.duration, made.alt) == ((90, 61), 5, 67_040, "words")


def test_the_first_frame_stands_by_itself() -> None:
    """Whoever sees no more than a still sees the whole first frame, and a single frame is an animation too."""
    frames = [(drawn((3, 5, 40, 30)), 500)]
    made = encode_animation(frames, "")
    assert played(made) == shown(frames)
    with Image.open(BytesIO(encode_animation([*frames, (drawn(), 500)], "").webp)) as image:
        assert image.convert("RGB").tobytes() == shown(frames)[0][0]


def test_it_begins_anew_at_its_end() -> None:
    """An animation is played for ever."""
    with Image.open(BytesIO(encode_animation([(drawn(), 500), (drawn((1, 1, 2, 2)), 500)], "").webp)) as image:
        assert image.info["loop"] == 0


def test_what_stays_costs_next_to_nothing() -> None:
    """A frame in which a few pixels change takes a few bytes, however large the picture is."""
    one = encode_animation([(drawn(), 500)], "")
    two = encode_animation([(drawn(), 500), (drawn((3, 5, 4, 6)), 500)], "")
    assert len(two.webp) - len(one.webp) < 100

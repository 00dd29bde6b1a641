"""Animations show every frame as it was drawn, and store only changes."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageDraw, ImageSequence

from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart import THEMES
from cardart.drawing.animation import Frame, encode_animation
from cardart.drawing.canvas import Canvas, Picture


def drawn(*boxes: tuple[int, int, int, int], appearance: Appearance = DEFAULT_APPEARANCE) -> Image.Image:
    """Return bare felt with rectangles on it."""
    image = Canvas(90, 61, appearance).frame()
    for shade, box in enumerate(boxes, 1):
        ImageDraw.Draw(image).rectangle(box, shade)
    return image


def played(animation: Picture) -> list[tuple[bytes, int]]:
    """Return the pixels of each frame as a player shows it, and its duration in milliseconds."""
    with Image.open(BytesIO(animation.content)) as image:
        return [(frame.convert("RGB").tobytes(), frame.info["duration"]) for frame in ImageSequence.Iterator(image)]


def shown(frames: list[Frame]) -> list[tuple[bytes, int]]:
    """Return the pixels and durations of frames."""
    return [(image.convert("RGB").tobytes(), milliseconds) for image, milliseconds in frames]


@pytest.mark.parametrize("theme", THEMES)
def test_every_frame_is_shown_as_it_was_drawn(theme: str) -> None:
    """Every frame is shown unchanged and for its time, in any theme, wherever the change is."""
    appearance = Appearance(theme)
    frames = [
        (drawn(appearance=appearance), 700),
        (drawn((3, 5, 10, 9), appearance=appearance), 1_200),
        (drawn((4, 6, 4, 6), (88, 59, 89, 60), appearance=appearance), 65_000),
        (drawn(appearance=appearance), 40),
    ]
    animation = encode_animation(frames, "text")
    assert played(animation) == shown(frames)
    assert (animation.size, animation.suffix, animation.alt) == ((90, 61), "webp", "text")


def test_the_first_frame_is_complete() -> None:
    """A viewer that shows only a still shows the whole first frame."""
    frames = [(drawn((3, 5, 40, 30)), 500), (drawn(), 500)]
    with Image.open(BytesIO(encode_animation(frames, "").content)) as image:
        assert image.convert("RGB").tobytes() == shown(frames)[0][0]


def test_an_animation_repeats_forever() -> None:
    """The file loops forever."""
    with Image.open(BytesIO(encode_animation([(drawn(), 500), (drawn((1, 1, 2, 2)), 500)], "").content)) as image:
        assert image.info["loop"] == 0


def test_what_does_not_change_costs_next_to_nothing() -> None:
    """A frame with a few changed pixels takes few bytes, even after many others: there are no key frames."""
    frames = [(drawn((3, 5, 4 + number % 2, 6)), 500) for number in range(60)]
    sizes = [len(encode_animation(frames[:number], "").content) for number in (2, 60)]
    assert sizes[1] - sizes[0] < 58 * 100

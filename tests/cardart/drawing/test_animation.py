"""Animations show every frame as it was drawn, and store only the pixels that change."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image, ImageDraw, ImageSequence

from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart import THEMES
from cardart.drawing.animation import Frame, encode_animation
from cardart.drawing.canvas import Canvas, Picture


def felt_frame(*boxes: tuple[int, int, int, int], appearance: Appearance = DEFAULT_APPEARANCE) -> Image.Image:
    """Return a frame of plain felt with these rectangles, each in its own shade."""
    image = Canvas(90, 61, appearance).frame()
    for shade, box in enumerate(boxes, 1):
        ImageDraw.Draw(image).rectangle(box, shade)
    return image


def played_frames(animation: Picture) -> list[tuple[bytes, int]]:
    """Decode an animation, and return the pixels and the duration in milliseconds of each frame."""
    with Image.open(BytesIO(animation.content)) as image:
        return [(frame.convert("RGB").tobytes(), frame.info["duration"]) for frame in ImageSequence.Iterator(image)]


def expected_frames(frames: list[Frame]) -> list[tuple[bytes, int]]:
    """Return the pixels and durations of frames before they are encoded."""
    return [(image.convert("RGB").tobytes(), milliseconds) for image, milliseconds in frames]


@pytest.mark.parametrize("theme", THEMES)
def test_every_frame_is_shown_as_it_was_drawn(theme: str) -> None:
    """After encoding and decoding, every frame has the same pixels and duration, in every theme."""
    appearance = Appearance(theme)
    frames = [
        (felt_frame(appearance=appearance), 700),
        (felt_frame((3, 5, 10, 9), appearance=appearance), 1_200),
        (felt_frame((4, 6, 4, 6), (88, 59, 89, 60), appearance=appearance), 65_000),
        (felt_frame(appearance=appearance), 40),
    ]
    animation = encode_animation(frames, "text")
    assert played_frames(animation) == expected_frames(frames)
    assert (animation.size, animation.suffix, animation.alt) == ((90, 61), "webp", "text")


def test_the_first_frame_is_complete() -> None:
    """A program that does not play animations shows the complete first frame."""
    frames = [(felt_frame((3, 5, 40, 30)), 500), (felt_frame(), 500)]
    with Image.open(BytesIO(encode_animation(frames, "").content)) as image:
        assert image.convert("RGB").tobytes() == expected_frames(frames)[0][0]


def test_an_animation_repeats_forever() -> None:
    """The file says that the animation loops forever."""
    with Image.open(
        BytesIO(encode_animation([(felt_frame(), 500), (felt_frame((1, 1, 2, 2)), 500)], "").content)
    ) as image:
        assert image.info["loop"] == 0


def test_small_changes_take_few_bytes() -> None:
    """A frame that changes a few pixels takes less than 100 bytes on average, however many frames precede it."""
    frames = [(felt_frame((3, 5, 4 + number % 2, 6)), 500) for number in range(60)]
    sizes = [len(encode_animation(frames[:number], "").content) for number in (2, 60)]
    assert sizes[1] - sizes[0] < 58 * 100

"""PNG files show exactly the image they were made from."""

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cardart.drawing.png import encode_png

PALETTE = bytes(range(256)) * 3


def opened(png: bytes) -> Image.Image:
    """Return the decoded file, after Pillow checked its checksums."""
    Image.open(BytesIO(png)).verify()
    image = Image.open(BytesIO(png))
    image.load()
    return image


@given(width=st.integers(1, 40), pixels=st.binary(min_size=1, max_size=800))
def test_a_file_shows_every_pixel_of_the_image(width: int, pixels: bytes) -> None:
    """The file shows the image's colours, whichever and however many palette entries it uses."""
    height = max(1, len(pixels) // width)
    image = Image.frombytes("P", (width, height), pixels[: width * height].ljust(width * height, b"\0"))
    image.putpalette(PALETTE)
    assert opened(encode_png(image)).convert("RGB").tobytes() == image.convert("RGB").tobytes()


def test_a_file_names_only_the_colours_it_shows() -> None:
    """The file's palette is no longer than the image has colours."""
    image = Image.frombytes("P", (3, 1), bytes((7, 200, 7)))
    image.putpalette(PALETTE)
    assert opened(encode_png(image)).getpalette() == [*PALETTE[21:24], *PALETTE[600:603]]

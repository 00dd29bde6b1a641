"""`python -m tests.benchmarks.endurance`: measure the first pictures of a process, and its memory after many pictures.

Prints three numbers: the time to draw all card faces and the back for the first time, in seconds; the time in which
Pillow saves one plain RGBA picture, in seconds; and the growth of the peak resident memory after the warm-up, in MB.
"""

from __future__ import annotations

import resource
import sys
from io import BytesIO
from time import perf_counter
from typing import Final

from PIL import Image

from bot.engine.cards.cards import DECK
from cardart import draw_hand, draw_primer, draw_showdown, draw_table
from cardart.deck.cards import back, face
from tests.cardart.views import PORTRAITS, public_views, seat_views, showdown_views
from tests.gallery.gallery import APPEARANCES

PICTURES: Final = 10_000
_WARM_UP: Final = 500
_SEEDS: Final = range(4)


def main() -> None:
    """Measure everything and print it."""
    start = perf_counter()
    for card in DECK:
        face(card)
    back()
    atlas = perf_counter() - start
    plain = Image.open(BytesIO(draw_primer().content)).convert("RGBA")
    start = perf_counter()
    plain.save(BytesIO(), "PNG")
    saved = perf_counter() - start
    _draw(0, _WARM_UP)
    before = _peak_memory()
    _draw(_WARM_UP, PICTURES)
    print(atlas, saved, _peak_memory() - before)


def _draw(first: int, last: int) -> None:
    """Draw one picture for each number from `first` up to, but not including, `last`.

    The pictures alternate between hands, tables and showdowns, and between all appearances.
    """
    hands = [view for seed in _SEEDS for view in seat_views(seed)]
    tables = [view for seed in _SEEDS for view in public_views(seed)]
    showdowns = [view for seed in _SEEDS for view in showdown_views(seed)]
    for number in range(first, last):
        appearance, place = APPEARANCES[number % len(APPEARANCES)], number // 3
        if number % 3 == 0:
            draw_hand(hands[place % len(hands)], appearance)
        elif number % 3 == 1:
            draw_table(tables[place % len(tables)], PORTRAITS, appearance)
        else:
            draw_showdown(showdowns[place % len(showdowns)], PORTRAITS, appearance)


def _peak_memory() -> float:
    """Return the peak resident memory so far, in MB. Linux reports it in KB, macOS in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024**2 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()

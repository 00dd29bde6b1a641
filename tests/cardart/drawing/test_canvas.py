"""A picture does not depend on what was drawn before or meanwhile."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from cardart import draw_hand, draw_showdown, draw_table
from cardart.deck import cards
from cardart.deck.cards import halo
from cardart.drawing.canvas import Picture
from cardart.drawing.lettering import rank_mask
from cardart.drawing.shapes import suit_mask
from cardart.drawing.sprites import tag
from cardart.parts.badges import badge
from tests.cardart.views import MONOGRAMS, public_views, seat_views, showdown_views


def drawn() -> list[Picture]:
    """Return a few pictures of each kind."""
    hands = [draw_hand(view) for view in seat_views(2)[:8]]
    tables = [draw_table(view, MONOGRAMS) for view in public_views(2)[:8]]
    return [*hands, *tables, *(draw_showdown(view, MONOGRAMS) for view in showdown_views(2)[:3])]


@pytest.mark.slow
def test_threads_draw_the_same_bytes_even_while_sprites_are_made() -> None:
    """Four threads that start without any cached sprite draw what one thread draws."""
    alone = drawn()
    for sprites in (cards.face_of, cards.back_of, halo, badge, tag, rank_mask, suit_mask):
        sprites.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        together = [future.result() for future in [pool.submit(drawn) for _ in range(4)]]
    assert together == [alone] * 4


def test_a_picture_starts_from_bare_felt() -> None:
    """Nothing of one picture is left over in the next."""
    full, early = seat_views(2)[-1], seat_views(2)[0]
    before = draw_hand(early)
    draw_hand(full)
    assert draw_hand(early) == before

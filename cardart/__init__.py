"""Pictures of a match: a view in, PNG or WebP bytes and words out, drawn entirely by our own code."""

from cardart.canvas import Picture
from cardart.hand import Order, draw_hand
from cardart.motion import Animation
from cardart.primer import draw_primer
from cardart.replay import MOST_ACTIONS, draw_replay
from cardart.showdown import draw_showdown
from cardart.table import draw_table
from cardart.themes import THEMES, Look

__all__ = [
    "MOST_ACTIONS",
    "THEMES",
    "Animation",
    "Look",
    "Order",
    "Picture",
    "draw_hand",
    "draw_primer",
    "draw_replay",
    "draw_showdown",
    "draw_table",
]

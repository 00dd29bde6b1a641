"""Pictures of a match: a view in, PNG or WebP bytes and words out, drawn entirely by our own code."""

from cardart.activity import draw_activity
from cardart.canvas import Picture
from cardart.figures import Career, Result, Rival, Week
from cardart.hand import Order, draw_hand
from cardart.motion import Animation
from cardart.pad import draw_pad
from cardart.primer import draw_primer
from cardart.profile import draw_profile
from cardart.replay import MOST_ACTIONS, draw_replay
from cardart.showdown import draw_showdown
from cardart.table import draw_table
from cardart.themes import THEMES, Look

__all__ = [
    "MOST_ACTIONS",
    "THEMES",
    "Animation",
    "Career",
    "Look",
    "Order",
    "Picture",
    "Result",
    "Rival",
    "Week",
    "draw_activity",
    "draw_hand",
    "draw_pad",
    "draw_primer",
    "draw_profile",
    "draw_replay",
    "draw_showdown",
    "draw_table",
]

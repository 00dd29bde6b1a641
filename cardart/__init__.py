"""Pictures of a match: a view in, PNG or WebP bytes and words out, drawn entirely by our own code."""

from cardart.drawing.animation import Animation
from cardart.drawing.canvas import Picture
from cardart.drawing.themes import THEMES, Look
from cardart.pictures.activity import draw_activity
from cardart.pictures.hand import Order, draw_hand
from cardart.pictures.primer import draw_primer
from cardart.pictures.profile import draw_profile
from cardart.pictures.replay import MOST_ACTIONS, draw_replay
from cardart.pictures.scorecard import draw_scorecard
from cardart.pictures.showdown import draw_showdown
from cardart.pictures.table import draw_table
from cardart.text.figures import Career, Result, Rival, Week

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
    "draw_primer",
    "draw_profile",
    "draw_replay",
    "draw_scorecard",
    "draw_showdown",
    "draw_table",
]

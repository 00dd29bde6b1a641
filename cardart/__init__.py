"""Pictures of a match: views in, PNG or WebP bytes and alt texts out."""

from cardart.drawing.canvas import Picture
from cardart.drawing.themes import THEMES
from cardart.pictures.activity import draw_activity
from cardart.pictures.hand import draw_hand
from cardart.pictures.primer import draw_primer
from cardart.pictures.profile import draw_profile
from cardart.pictures.replay import MOST_ACTIONS, draw_replay
from cardart.pictures.scorecard import draw_scorecard
from cardart.pictures.showdown import draw_showdown
from cardart.pictures.table import draw_table

__all__ = [
    "MOST_ACTIONS",
    "THEMES",
    "Picture",
    "draw_activity",
    "draw_hand",
    "draw_primer",
    "draw_profile",
    "draw_replay",
    "draw_scorecard",
    "draw_showdown",
    "draw_table",
]

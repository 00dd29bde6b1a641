"""Draw the pictures and emojis of the game: turn views into PNG or WebP files with alt texts."""

from cardart.drawing.canvas import Picture
from cardart.drawing.themes import THEMES
from cardart.parts.portraits import Avatar, Portrait, UnreadableAvatarError, read_avatar
from cardart.pictures.activity import draw_activity
from cardart.pictures.daily_calendar import draw_daily_calendar
from cardart.pictures.daily_podium import draw_daily_podium
from cardart.pictures.daily_standings import draw_daily_standings
from cardart.pictures.emojis import Emoji, all_emojis, back_emoji, card_emoji, emoji_key, fist_emoji, suit_emoji
from cardart.pictures.hand import draw_hand
from cardart.pictures.podium import draw_podium
from cardart.pictures.primer import draw_primer
from cardart.pictures.profile import draw_profile
from cardart.pictures.replay import MAX_ACTIONS, draw_replay, draw_step
from cardart.pictures.scorecard import draw_scorecard
from cardart.pictures.showdown import draw_showdown
from cardart.pictures.standings import draw_standings
from cardart.pictures.table import draw_table
from cardart.pictures.themes import draw_themes
from cardart.pictures.versus import draw_versus

__all__ = [
    "MAX_ACTIONS",
    "THEMES",
    "Avatar",
    "Emoji",
    "Picture",
    "Portrait",
    "UnreadableAvatarError",
    "all_emojis",
    "back_emoji",
    "card_emoji",
    "draw_activity",
    "draw_daily_calendar",
    "draw_daily_podium",
    "draw_daily_standings",
    "draw_hand",
    "draw_podium",
    "draw_primer",
    "draw_profile",
    "draw_replay",
    "draw_scorecard",
    "draw_showdown",
    "draw_standings",
    "draw_step",
    "draw_table",
    "draw_themes",
    "draw_versus",
    "emoji_key",
    "fist_emoji",
    "read_avatar",
    "suit_emoji",
]

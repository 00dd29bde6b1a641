"""The podium of a deal of the day: the first three people on steps, and how everybody's deal ended.

Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.model import words
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.daily import DailyPlace, DailyPodium
from bot.model.ids import PersonId
from cardart.drawing.canvas import MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import shown_name
from cardart.parts.celebration import draw_golden_rail
from cardart.parts.portraits import NO_AVATARS, Avatar
from cardart.parts.results import WINS_HEIGHT, draw_wins
from cardart.parts.winners import PODIUM_BOTTOM, Winner, draw_winners
from cardart.text import alt_text, phrases
from cardart.text import daily as daily_text
from cardart.text.podium import MAX_ON_STEPS

_GAP: Final = 14


def draw_daily_podium(
    podium: DailyPodium,
    appearance: Appearance = DEFAULT_APPEARANCE,
    avatars: Mapping[PersonId, Avatar] = NO_AVATARS,
) -> Picture:
    """Draw the first three people on steps, and how everybody's deal ended below, if anybody is not on a step.

    People with equal results stand equally high. `avatars` may have some or all of the people.
    """
    winners = [_winner(row, avatars) for row in podium.rows[:MAX_ON_STEPS]]
    has_others = podium.endings.players > len(winners)
    height = PODIUM_BOTTOM + (_GAP + WINS_HEIGHT if has_others else 0) + MARGIN
    canvas = Canvas(WIDTH, height, appearance)
    draw_golden_rail(canvas, (WIDTH, height))
    draw_winners(canvas, daily_text.name(podium.day), daily_text.day_and_players(podium), winners)
    if has_others:
        top, endings = PODIUM_BOTTOM + _GAP, podium.endings
        canvas.panel((MARGIN, top, WIDTH - MARGIN, top + WINS_HEIGHT))
        draw_wins(canvas, top, phrases.BEAT_THE_COMPUTER, endings.wins, endings.lost, endings.unfinished)
    return canvas.picture(alt_text.daily_podium(podium))


def _winner(row: DailyPlace, avatars: Mapping[PersonId, Avatar]) -> Winner:
    player, score = row.player, row.score
    avatar = None if player.id is None else avatars.get(player.id)
    name = shown_name(player.name or "", player.username, phrases.UNNAMED)
    return Winner(row.place, name, words.signed(score.points), daily_text.turns_and_gin(score), avatar)

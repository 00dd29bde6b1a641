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
from cardart.parts.results import Endings, draw_wins
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

    People with equal results stand equally high. If nobody beat the computer, nothing is celebrated. `avatars` may have
    some or all of the people.
    """
    shown, has_winner = podium.rows[:MAX_ON_STEPS], daily_text.has_winner(podium)
    endings = Endings(podium.endings.wins, podium.endings.lost, podium.endings.unfinished)
    has_others = endings.deals > len(shown)
    height = PODIUM_BOTTOM + (_GAP + endings.height if has_others else 0) + MARGIN
    canvas = Canvas(WIDTH, height, appearance)
    if has_winner:
        draw_golden_rail(canvas, (WIDTH, height))
    tells_winners = has_winner and not has_others and len(shown) < MAX_ON_STEPS
    winners = [_winner(row, avatars, tells_winner=tells_winners) for row in shown]
    draw_winners(canvas, daily_text.podium_title(podium), _subtitle(podium), winners, is_festive=has_winner)
    if has_others:
        top = PODIUM_BOTTOM + _GAP
        canvas.panel((MARGIN, top, WIDTH - MARGIN, top + endings.height))
        draw_wins(canvas, top, phrases.BEAT_THE_COMPUTER, endings)
    return canvas.picture(alt_text.daily_podium(podium))


def _subtitle(podium: DailyPodium) -> str:
    """Return the line below the title. It explains why people with equal points have different places."""
    places = {(row.place, row.score.points) for row in podium.rows[:MAX_ON_STEPS]}
    is_tie_broken = len({points for _, points in places}) < len(places)
    return daily_text.day_and_players(podium) + (f" · {phrases.FEWER_TURNS_FIRST}" if is_tie_broken else "")


def _winner(row: DailyPlace, avatars: Mapping[PersonId, Avatar], *, tells_winner: bool) -> Winner:
    player, score = row.player, row.score
    avatar = None if player.id is None else avatars.get(player.id)
    name = shown_name(player.name or "", player.username, phrases.UNNAMED)
    notes = (daily_text.turns_and_gin(score),)
    if tells_winner:
        notes += ((phrases.BEAT_THE_COMPUTER if score.points > 0 else phrases.LOST_TO_THE_COMPUTER).lower(),)
    return Winner(row.place, name, words.signed(score.points), notes, avatar)

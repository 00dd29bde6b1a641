"""The podium of a deal of the day: the first three people, and how everybody's deal ended.

Lengths are in pixels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.model import words
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from bot.model.daily import DailyPlace, DailyPodium
from bot.model.ids import PersonId
from cardart.drawing.canvas import MARGIN, WIDTH, Canvas, Picture
from cardart.drawing.lettering import shown_name, text_width
from cardart.parts.celebration import draw_golden_rail
from cardart.parts.portraits import NO_AVATARS, Avatar
from cardart.parts.results import Endings, draw_wins
from cardart.parts.winner import Winner
from cardart.parts.winners import MAX_TITLE_WIDTH, TITLE_CAP, Ceremony
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

    People with equal results stand equally high. A person alone has a card instead of a step. If nobody beat the
    computer, nothing is celebrated. `avatars` may have some or all of the people.
    """
    shown, has_winner = podium.rows[:MAX_ON_STEPS], daily_text.has_winner(podium)
    winners = [_winner(row, avatars) for row in shown]
    ceremony = Ceremony(
        _title(podium, winners),
        daily_text.podium_subtitle(podium),
        winners,
        has_winner,
        phrases.FEWER_TURNS_FIRST if daily_text.is_tie_broken(podium) else "",
    )
    endings = Endings(podium.endings.wins, podium.endings.lost, podium.endings.unfinished)
    has_others, top = endings.deals > len(shown), ceremony.bottom + _GAP
    height = (top + endings.height if has_others else ceremony.bottom) + MARGIN
    canvas = Canvas(WIDTH, height, appearance)
    if has_winner:
        draw_golden_rail(canvas, (WIDTH, height))
    ceremony.draw(canvas)
    if has_others:
        canvas.panel((MARGIN, top, WIDTH - MARGIN, top + endings.height))
        draw_wins(canvas, top, endings, daily_text.beat_the_computer(endings.deals))
    return canvas.picture(alt_text.daily_podium(podium))


def _title(podium: DailyPodium, winners: Sequence[Winner]) -> str:
    """Return the title, with the name of the only winner if it fits."""
    names = [winner.name for winner in winners if winner.place == 1]
    title = daily_text.podium_title(podium, names[0] if len(names) == 1 else None)
    return title if text_width(title, TITLE_CAP) <= MAX_TITLE_WIDTH else daily_text.podium_title(podium)


def _winner(row: DailyPlace, avatars: Mapping[PersonId, Avatar]) -> Winner:
    player, score = row.player, row.score
    avatar = None if player.id is None else avatars.get(player.id)
    name = shown_name(player.name or "", player.username, phrases.UNNAMED)
    unit = daily_text.points_unit(score) if row.place == 1 else ""
    return Winner(row.place, name, words.signed(score.points), daily_text.ending_and_turns(score), avatar, unit)

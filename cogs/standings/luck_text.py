"""A person's luck with cards in plain words, with the ranges in which chance puts 95% of players."""

from __future__ import annotations

from typing import Final

from bot.luck.bands import MIN_DEALS, Band, bands
from bot.model.statistics import Category, Profile
from bot.model.words import count

_COUNTED: Final = (
    "These luck statistics count two-player classic deals that reached a showdown, but not casual matches or practice."
)


def luck(profile: Profile) -> str | None:
    """Return a person's opening hands, useful draws, gins and undercuts, each with the range expected by chance.

    Return None for categories whose deals are not measured.
    """
    if profile.category is not Category.POINTS:
        return None
    found, ranges = profile.luck, bands(profile.luck.deals)
    if ranges is None:
        return f"Luck appears after {MIN_DEALS} two-player classic deals ({found.deals} so far)."
    opening = _line("Opening deadwood", found.opening / found.deals, ranges.opening, "{:.1f}", " on average")
    # A person who never drew from the stock has no share of useful draws.
    share = 100 * found.useful / found.draws if found.draws else None
    useful = Band(100 * ranges.useful.low, 100 * ranges.useful.high)
    lines = [
        f"**Luck in {count(found.deals, 'deal')}** (in brackets: the range for 19 out of 20 players)",
        opening,
        *([] if share is None else [_line("Useful draws", share, useful, "{:.1f}%")]),
        _line("Gins", found.gins, ranges.gins, "{:.0f}"),
        _line("Undercuts", found.undercuts, ranges.undercuts, "{:.0f}"),
    ]
    return "\n".join(lines)


def small(lines: str) -> str:
    """Return the lines of `luck` in small letters."""
    return "\n".join(f"-# {line}" for line in lines.splitlines())


def about(profile: Profile, *, own: bool) -> str | None:
    """Return the footnote that explains the lines of `luck`; None if there are not enough deals for them."""
    if profile.category is not Category.POINTS or bands(profile.luck.deals) is None:
        return None
    how = "how you play" if own else "how they play"
    return (
        f"-# Opening hands are pure luck. The rest also depends on {how}. A draw is useful if it lowers deadwood. "
        f"{_COUNTED}"
    )


def _line(label: str, value: float, band: Band, number_format: str, unit: str = "") -> str:
    low, high = number_format.format(band.low), number_format.format(band.high)
    outside = " · below" if value < band.low else " · above" if value > band.high else ""
    return f"{label}: **{number_format.format(value)}**{unit} ({low} to {high}){outside}"

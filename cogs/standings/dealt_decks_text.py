"""The tests of the dealt decks, explained without statistical terms."""

from __future__ import annotations

from typing import Final

from bot.model.dealt_decks import DecksReport
from bot.play.luck.dealt_decks import MAX_DECKS, MIN_DECKS

TESTS: Final = {"positions": "Cards by position", "suits": "Suits by position", "pairs": "Neighbouring cards"}
"""The names of the tests, by the fields of `PValues`."""

RARE: Final = 0.01
"""The p-value below which the verdict calls a result rare."""
HARDLY_CHANCE: Final = 0.001
"""The p-value below which the verdict calls a result very unlikely to be chance."""

_TELL: Final = "Please tell the person who runs this bot."

HOW: Final = f"""\
In a fair deck, every order of the 52 cards is equally likely. No test can prove that decks are fair, but tests can \
find unfair ones. I count three things and compare them with chance:
- how often each card is in each position
- how often each suit is in each position
- how often each card comes right after each of the others
**p** says how uneven the counts are. If p is 0.42, 42 of 100 fair bots would have decks at least as uneven as these. \
One fair bot in 20 has a p of 0.05 or less. A p below 0.001 or above 0.999 is very unlikely to be chance.
I test the newest {MAX_DECKS:,} decks of matches that are over, whether finished or cancelled. That many are enough \
to catch someone who puts a certain card on top in one deal out of 30.
-# Chi-squared tests with 2,601, 153 and about 2,552 degrees of freedom, adjusted for decks with one of each card."""


def title(*, everywhere: bool) -> str:
    return "Are the decks on all servers fair?" if everywhere else "Are the decks on this server fair?"


def decks(report: DecksReport, *, everywhere: bool) -> str:
    """Return the number of tested decks and the source of the decks."""
    where = "on all servers and in practice matches" if everywhere else "on this server"
    which = "the newest" if report.decks >= MAX_DECKS else "all"
    if report.p_values is None:
        return f"I need {MIN_DECKS} decks for a meaningful test. So far, **{report.decks}** have been dealt {where}."
    return f"I tested {which} **{report.decks:,}** decks dealt {where}, not counting matches still in play."


def matches(report: DecksReport) -> str | None:
    """Return the numbers of finished and unfinished matches with a commitment; None if no such match has begun."""
    all_ = report.committed
    if not all_.begun:
        return None
    finished = all_.begun - all_.in_play - all_.called_off
    return (
        f"Sealed matches (🔒): **{all_.begun:,}** (**{finished:,}** finished, **{all_.in_play:,}** in play, "
        f"**{all_.called_off:,}** cancelled). If many are cancelled, someone may be cancelling matches to "
        "escape bad cards."
    )


def verdict(report: DecksReport) -> str | None:
    """Return the verdict of all tests together; None if there were too few decks."""
    values = p_values(report)
    if not values:
        return None
    if is_hardly_chance(report):
        how = "uneven" if min(values.values()) < HARDLY_CHANCE else "even"
        return (
            f"**This result is very unlikely to be chance.** Fair decks would be this {how} in fewer than 1 of 1,000 "
            f"tests. {_TELL}"
        )
    if min(values.values()) < RARE:
        return (
            "**Rare, but it happens:** 3 in 100 fair bots get a result like this by chance. Test again after more "
            "matches."
        )
    return "**I found nothing wrong with the decks.**"


def is_hardly_chance(report: DecksReport) -> bool:
    """Return True if a p-value is so extreme that chance hardly explains it."""
    return any(not HARDLY_CHANCE <= value <= 1 - HARDLY_CHANCE for value in p_values(report).values())


def tests(report: DecksReport) -> str | None:
    """Return the result of each test; None if there were too few decks."""
    values = p_values(report)
    if not values:
        return None
    lines = [f"{TESTS[name]}: {p_value(value)}" for name, value in values.items()]
    return "\n".join(("Out of 100 fair bots, this many would deal decks at least this uneven:", *lines))


def p_values(report: DecksReport) -> dict[str, float]:
    """Return the p-values by test; empty if there were too few decks."""
    return {} if report.p_values is None else {name: getattr(report.p_values, name) for name in TESTS}


def p_value(value: float) -> str:
    """Format a p-value with its meaning: the number of fair bots out of 100 with decks at least as uneven as these."""
    if value < HARDLY_CHANCE:
        return "fewer than **0.1** (p < 0.001)"
    if value > 1 - HARDLY_CHANCE:
        return "more than **99.9** (p > 0.999)"
    if value < RARE:
        return f"**{100 * value:.1f}** (p = {value:.3f})"
    hundredths = min(99, round(100 * value))
    return f"**{hundredths}** (p = {hundredths / 100:.2f})"

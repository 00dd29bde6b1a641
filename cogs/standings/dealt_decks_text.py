"""The tests of the dealt decks, explained without statistical terms."""

from __future__ import annotations

from typing import Final

from bot.model.dealt_decks import DecksReport
from bot.play.luck.dealt_decks import MAX_DECKS, MIN_DECKS

TESTS: Final = {"positions": "Cards by place", "suits": "Suits by place", "pairs": "Neighbouring cards"}
"""The names of the tests, by the fields of `PValues`."""

RARE: Final = 0.01
"""The p-value below which the verdict calls a result rare."""
HARDLY_CHANCE: Final = 0.001
"""The p-value below which the verdict calls a result hardly chance."""

_TELL: Final = "Please tell whoever runs this bot."

HOW: Final = f"""\
A deck is fair if every order of the 52 cards is equally likely. No test can prove that, but tests can find decks that \
are not. I count three things, and compare them with what chance makes of fair decks:
- how often each card is in each place: on top, second, and so on;
- the same for the suits;
- which card comes right after which.
Chance never makes that quite even. **p** says how uneven it is: with p = 0.42, of 100 bots that shuffle fairly 42 \
would have decks at least as uneven. Small values are rare, but they happen: in each test one fair bot in 20 has 0.05 \
or less. Below 0.001 I say that it is hardly chance, and above 0.999, too: cards that are so even were not shuffled.
I test the newest {MAX_DECKS:,} decks of matches that are over, also of those that were called off. In that many I \
would notice a card that is put on top in one deal of 30. Decks in play are never counted.
-# For experts: chi-squared tests with 2,601, 153 and about 2,552 degrees of freedom, which allow for a deck having \
each card once."""


def title(*, everywhere: bool) -> str:
    return "Are the decks fair? All servers" if everywhere else "Are the decks fair? This server"


def decks(report: DecksReport, *, everywhere: bool) -> str:
    """Return the number of tested decks and the source of the decks."""
    where = "on all servers, and in practice" if everywhere else "on this server"
    which = "the newest" if report.decks >= MAX_DECKS else "all"
    if report.p_values is None:
        return (
            f"Too few decks so far: **{report.decks}** were dealt {where} in matches that are over. Tests of fewer "
            f"than {MIN_DECKS} say nothing; please ask again later."
        )
    return f"I tested {which} **{report.decks:,}** decks that were dealt {where}, in matches that are over."


def matches(report: DecksReport) -> str | None:
    """Return the numbers of finished and unfinished matches with a commitment; None if no such match has begun."""
    all_ = report.committed
    if not all_.begun:
        return None
    finished = all_.begun - all_.in_play - all_.called_off
    return (
        f"Matches with a fingerprint (🔒): **{all_.begun:,}**. Finished: **{finished:,}**, in play: "
        f"**{all_.in_play:,}**, called off: **{all_.called_off:,}**. If many were called off, somebody may have been "
        "avoiding cards that they disliked."
    )


def verdict(report: DecksReport) -> str | None:
    """Return the verdict of all tests together; None if there were too few decks."""
    values = p_values(report)
    if not values:
        return None
    if is_hardly_chance(report):
        how = "uneven" if min(values.values()) < HARDLY_CHANCE else "even"
        return f"**That is hardly chance.** Fair decks are so {how} less than once in 1,000 tests. {_TELL}"
    if min(values.values()) < RARE:
        return (
            "**That is rare, but it happens:** 3 in 100 fair bots get a result like this by chance. Please ask again "
            "some day."
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
    return "\n".join(("Of 100 bots that shuffle fairly, this many would have decks at least as uneven:", *lines))


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

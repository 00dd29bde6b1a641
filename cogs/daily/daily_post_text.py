"""The result of a day's deal on a server in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from bot.model.daily import DailyEndings, DailyPlace, DailyPodium, end_of
from bot.model.daily_posts import KeyChoice
from bot.model.ids import PersonId
from cardart.text.card_names import CardNames
from cardart.text.podium import MAX_ON_STEPS, people_named
from cogs.showdowns.move_text import points, whole_turn
from cogs.words import daily as texts
from cogs.words.clocks import date_of
from cogs.words.names import joined, name

MAX_LISTED: Final = 10
"""Maximum number of people in the list of a result."""


def invitation(day: date) -> str:
    """Return the sentence in the post of a deal that can be played."""
    return (
        "One deal of gin rummy against the strong computer: the same cards for everyone, and one try each. "
        f"You can play until {date_of(end_of(day))}."
    )


def is_over(day: date) -> str:
    """Return the heading of a result: `Daily 214 is over`."""
    return f"{texts.name(day)} is over"


def next_deal(day: date) -> str:
    """Say until when the next deal can be played. The post stays, so the sentence must stay true."""
    return f"Next: **{texts.name(day)}**, until {date_of(end_of(day))}."


def further_places(podium: DailyPodium, accuracies: Mapping[PersonId, float], *, is_pictured: bool) -> str | None:
    """Return the list of those who finished the deal and are not in `best` or, if there is one, in the picture.

    Above it are the accuracies of the others, except the one that is in `best`.
    """
    first = len(_first(podium))
    shown = MAX_ON_STEPS if is_pictured else first
    lines = [_accuracies(podium.rows[1 if first == 1 else 0 : shown], accuracies)]
    lines += [_place(row, accuracies) for row in podium.rows[shown:MAX_LISTED]]
    if (more := len(podium.rows) - max(shown, MAX_LISTED)) > 0:
        lines.append(f"-# And {more} more.")
    return "\n".join(filter(None, lines)) or None


def _accuracies(rows: Sequence[DailyPlace], accuracies: Mapping[PersonId, float]) -> str | None:
    known = [(row, accuracy) for row in rows if (accuracy := _accuracy(row, accuracies)) is not None]
    rated = [f"{name(row.player)} {accuracy}" for row, accuracy in known]
    return f"-# Accuracy: {', '.join(rated)}" if rated else None


def _accuracy(row: DailyPlace, accuracies: Mapping[PersonId, float]) -> str | None:
    """Format the accuracy of a person's choices: `93%`. Return None if it is unknown."""
    accuracy = None if row.player.id is None else accuracies.get(row.player.id)
    return None if accuracy is None else f"{accuracy:.0f}%"


def _first(podium: DailyPodium) -> list[DailyPlace]:
    return [row for row in podium.rows if row.place == 1]


def _place(row: DailyPlace, accuracies: Mapping[PersonId, float]) -> str:
    return f"**{row.place}.** {name(row.player)}: {' · '.join(_facts(row, accuracies))}"


def _facts(row: DailyPlace, accuracies: Mapping[PersonId, float]) -> list[str]:
    """Return the result of a try, and its accuracy if it is known."""
    accuracy = _accuracy(row, accuracies)
    return [texts.result(row.score), *([] if accuracy is None else [f"accuracy {accuracy}"])]


def best(podium: DailyPodium, accuracies: Mapping[PersonId, float]) -> str:
    """Return the best result with the names of those who have it. Somebody must have finished the deal."""
    first = _first(podium)
    facts = _facts(first[0], accuracies if len(first) == 1 else {})
    return f"**Best deal:** {people_named([name(row.player) for row in first])}, {' · '.join(facts)}"


def people(endings: DailyEndings) -> str:
    """Return the numbers of people who played, went gin and did not finish; or one kind line if nobody played."""
    if not endings.players:
        return "Nobody played it here. There's a new deal every day."
    if endings.players == 1:
        return "One person began it and didn't finish." if endings.unfinished else "One person played."
    if endings.unfinished == endings.players:
        return f"{endings.players:,} people began it, and nobody finished."
    facts = [f"{endings.players:,} people played"]
    if endings.gins:
        facts.append(f"{endings.gins} of them went gin")
    if endings.unfinished:
        facts.append(f"{endings.unfinished} of them didn't finish")
    return f"{joined(facts)}."


def key_choice(choice: KeyChoice, names: CardNames) -> str:
    """Return the choice that mattered most, without a name: `discard K♠ on turn 3 (2 of the 5 who got there did; …)`.

    The others had played differently before, and did not face it.
    """
    best = whole_turn(choice.best, choice.top, names)
    move, worth = f"{best[0].lower()}{best[1:]}", points(choice.points_lost)
    return f"**The choice that mattered most:** {move} on turn {choice.turn} ({found_by(choice)}; worth about {worth})."


def found_by(choice: KeyChoice) -> str:
    """Say how many of those who faced a choice chose the best move: `2 of the 5 who got there did`."""
    return f"{choice.found or 'none'} of the {choice.people} who got there did"

"""The words of the lesson. Each step of `bot/lesson/script.py` has its own, by what it is about.

In braces are cards in notation, as `{9s}` and `{5h6h7h}`, which are shown as the reader prefers to see them, and the
numbers that `_numbers` counts.
"""

from __future__ import annotations

from typing import Final

from bot.engine.cards import Card, parse_cards
from bot.engine.moves import Verb
from bot.lesson.lesson import LEARNER, OPPONENT, Position, positions
from bot.lesson.script import Topic
from cardart.text.card_names import Names
from cardart.text.queries import in_order

OPPONENT_NAME: Final = "Ada"

TOLD: Final = {
    Topic.MELDS: """\
These ten cards are yours. Cards that go together are a **meld**: a *run* of three or more in one suit, such as the \
framed {5h6h7h}, or a *set* of three or four of one rank. All others are **deadwood**, and you want little of it.
**Press *Next*.**""",
    Topic.UPCARD: """\
The card face up beside your hand is on offer. {9s} makes a set with your {9c9d}.
**Press *Take {9s}*.**""",
    Topic.DEADWOOD: """\
Whoever takes a card discards one. In deadwood an ace counts 1, jack, queen and king count 10, others their number. So \
high cards go first.
**Press {Kd}.**""",
    Topic.STOCK: """\
Ada drew a card and discarded {Th}. You could take it, but it fits nothing you have. Try your luck with the stock, the \
cards face down.
**Press *Draw*.**""",
    Topic.PLAN: """\
You drew {5c}. Next to your {4c} it only lacks {3c} or {6c} for a run, so keep both. Another high card can go.
**Press {Qs}.**""",
    Topic.PILE: """\
Ada discarded {6c}, the very card you need.
**Press *Take {6c}*.**""",
    Topic.KNOCK: """\
Three melds! If your discard leaves {limit} or less, you may **knock**: you lay your hand down, and the deal ends. \
Without {Jd} you keep only {As}, as the number on the fist below it says.
**Press *Knock {Jd} · leaves {left}*.**""",
    Topic.SCORE: """\
Ada may **lay off** cards that fit your melds: her {8h} lengthens your run and no longer counts. She keeps {theirs}, \
you {mine}. The difference is yours: **{points}** points.
**Press *Next*.**""",
    Topic.GIN: """\
A new deal, and you are lucky: you have just drawn {Ts}. Without {7d} you have no deadwood at all. That is **gin**.
**Press *Gin!***""",
    Topic.GIN_SCORE: """\
Gin earns {bonus} more: {theirs} + {bonus} = **{points}**. And nobody lays off on gin: {Jh} fits your jacks, but it \
counts.
**Press *Next*.**""",
    Topic.LAY_OFF: """\
This time Ada knocks, and now *you* lay off. Her cards are above, yours below. {8s} fits on her {5s6s7s}, so it need \
not count.
**Press {8s}.**""",
    Topic.LAY_OFF_ALL: """\
{Jh} fits her jacks. The green button lays off all that helps, and ends the deal.
**Press *Lay off {Jh}*.**""",
    Topic.LAY_OFF_SCORE: """\
You keep {mine} instead of {deadwood}. Ada keeps {theirs}, so she scores only **{points}**.
**Press *Next*.**""",
    Topic.UNDERCUT: """\
The last deal. Ada knocks early, with {theirs}. You have {deadwood}, but two of your cards fit her melds.
**Press *Lay off {7d} {Kh}*.**""",
    Topic.UNDERCUT_SCORE: """\
You keep {mine}, and Ada {theirs}. Who knocks and does not have less is **undercut**: you score the difference and \
{bonus} more, **{points}**. That is {total} points for you. {target} win the match, and bonuses make it {sum}.
**Press *Finish*.**""",
}

INSTEAD: Final = {
    Topic.UPCARD: "{9s} makes a set with your {9c9d}. Press *Take {9s}*.",
    Topic.DEADWOOD: "{Kd} counts 10 and fits nothing. Press {Kd}.",
    Topic.STOCK: "{Th} makes no meld with your cards. Press *Draw*.",
    Topic.PLAN: "{Qs} counts 10 and fits nothing. Press {Qs}.",
    Topic.PILE: "{6c} makes a run with your {4c5c}. Press *Take {6c}*.",
    Topic.KNOCK: "You are far ahead, so end the deal now. Press *Knock {Jd} · leaves {left}*.",
    Topic.GIN: "You have gin, and nothing beats that. Press *Gin!*",
    Topic.LAY_OFF: "Let us begin with a single card. Press {8s}.",
    Topic.LAY_OFF_ALL: "The green button does all that is left. Press *Lay off {Jh}*.",
    Topic.UNDERCUT: "The green button does it all at once. Press *Lay off {7d} {Kh}*.",
}
"""What to do instead of a press that the step does not ask for."""

READ_ON: Final = "There is nothing to do at this step but to read on."

DONE: Final = """\
**Well done, that is gin rummy!** You know melds and deadwood, knocking and gin, laying off and the undercut.

*Practise* starts a match with a computer that knows little more than you do now, and *Hint* tells you the best move \
there. `/gin practice start` plays against better ones, `/gin challenge` with friends."""

COME_BACK: Final = "-# Stop whenever you like: `/gin practice learn` goes on from here."


def title(step: int) -> str:
    """Return the title of a step."""
    end = len(positions())
    return "Learn gin rummy" + (f" · step {step + 1} of {end}" if step < end else "")


def resumed(step: int) -> str | None:
    """Return where somebody who comes back left off; None if they are at the beginning or the end."""
    return f"You left off at step {step + 1} of {len(positions())}." if 0 < step < len(positions()) else None


def told(position: Position, names: Names) -> str:
    """Return what a step teaches, and what to press."""
    return _filled(TOLD[position.topic], position, names)


def instead(position: Position, press: str, names: Names) -> str:
    """Return why something else is to be pressed at a step, and what."""
    reason = _reason(position, press, names)
    return _filled(" ".join(filter(None, (reason, INSTEAD.get(position.topic, READ_ON)))), position, names)


def _reason(position: Position, press: str, names: Names) -> str | None:
    """Return what speaks against a press, if that can be said of it."""
    verb, _, notation = press.partition(" ")
    card = next((card for card in position.hand.hand if card.text == notation), None)
    if card is None or verb != Verb.DISCARD:
        return None
    meld = next((meld for meld in position.hand.arrangement.melds if card in meld.cards), None)
    if meld is not None:
        return f"That would break up your {'run' if meld.is_run else 'set'} {names.row(in_order(meld.cards))}."
    asked_verb, _, asked = position.press.partition(" ")
    if asked_verb != Verb.DISCARD:
        return f"That would only discard {names.short(card)}, and the deal would go on."
    if card.points < Card.parse(asked).points:
        return f"{names.short(card)} counts only {card.points}."
    return f"{names.short(card)} would be as good, but the lesson goes another way."


def _filled(text: str, position: Position, names: Names) -> str:
    return text.format_map(_Filling(_numbers(position), names))


class _Filling(dict[str, str]):
    """What stands in braces: numbers by name, and else cards in notation."""

    def __init__(self, numbers: dict[str, int], names: Names) -> None:
        super().__init__({name: str(number) for name, number in numbers.items()})
        self._names = names

    def __missing__(self, notation: str) -> str:
        return self._names.row(parse_cards(notation))


def _numbers(position: Position) -> dict[str, int]:
    """Return the numbers of a step that its text may name."""
    hand, showdown = position.hand, position.showdown
    numbers = {"deadwood": hand.arrangement.deadwood, "limit": hand.public.knock_limit}
    if hand.discard_choices:
        numbers["left"] = min(choice.leaves for choice in hand.discard_choices)
    if hand.public.knock is not None:
        numbers["theirs"] = hand.public.knock.laid.deadwood
    if showdown is not None:
        numbers |= {
            "mine": showdown.deadwood(LEARNER),
            "theirs": showdown.deadwood(OPPONENT),
            "bonus": showdown.outcome.bonus,
            "points": showdown.outcome.points,
            "total": showdown.score.scores[LEARNER],
            "sum": showdown.score.totals[LEARNER],
            "target": showdown.rules.target or 0,
        }
    return numbers

"""The texts of the lesson, by the topic of each step in `bot/lesson/script.py`.

A placeholder in braces is either cards in notation, such as `{9s}` or `{5h6h7h}`, or the name of a number from
`_numbers`. The reader sees cards in their preferred form.
"""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import Card, parse_cards
from bot.engine.deals.moves import Verb
from bot.engine.matches.facts import meld_in_order
from bot.lesson.lesson import LEARNER, OPPONENT, LessonPosition, positions
from bot.lesson.script import Topic
from cardart.text.card_names import CardNames

OPPONENT_NAME: Final = "Ada"

STEP_TEXTS: Final = {
    Topic.MELDS: """\
These ten cards are yours. A **meld** is three or more cards that go together: a *run* in one suit, such as your \
{5h6h7h}, or a *set* of one rank. All your other cards are **deadwood**: the less you have, the better.
**Press *Next*.**""",
    Topic.UPCARD: """\
A deal starts with one card face up. You can take it or leave it. {9s} makes a set with your {9c9d}.
**Press *Take {9s}*.**""",
    Topic.DEADWOOD: """\
Every turn ends with a discard. As deadwood, an ace counts 1, and a jack, queen or king counts 10. Other cards \
count their number. So discard high cards first.
**Press {Kd}.**""",
    Topic.STOCK: """\
Your opponent, Ada, drew a card and discarded {Th}. It doesn't go with your cards. Try your luck with the stock, \
the face-down cards.
**Press *Draw*.**""",
    Topic.PLAN: """\
You drew {5c}. Keep it with your {4c}: a {3c} or a {6c} would turn them into a run. Another high card can go.
**Press {Qs}.**""",
    Topic.PILE: """\
Ada discarded {6c}, the very card you need.
**Press *Take {6c}*.**""",
    Topic.KNOCK: """\
Three melds! If your discard leaves {limit} points of deadwood or less, you can **knock**: you lay down your hand, and \
the deal ends. If you discard {Jd}, your only deadwood is {As}, which counts {left}.
**Press *Knock {Jd} · leaves {left}*.**""",
    Topic.SCORE: """\
Ada can **lay off** cards that fit your melds. Her {8h} no longer counts, because it extends your run. Her deadwood is \
{theirs}, and yours is {mine}. You score the difference: **{points}** points.
**Press *Next*.**""",
    Topic.GIN: """\
In this new deal, you've just drawn {Ts}. If you discard {7d}, you have no deadwood at all. That's **gin**.
**Press *Gin!***""",
    Topic.GIN_SCORE: """\
You score Ada's deadwood plus {bonus} for gin: {theirs} + {bonus} = **{points}**. Nobody can lay off cards when you \
go gin. Ada's {Jh} fits your jacks, but it still counts.
**Press *Next*.**""",
    Topic.LAY_OFF: """\
This time Ada has knocked, and *you* can lay off. Her cards are above, yours below. Your {8s} fits her {5s6s7s}. If \
you lay it off, it doesn't count.
**Press {8s}.**""",
    Topic.LAY_OFF_ALL: """\
{Jh} fits her jacks. The green button lays off every card that helps and ends the deal.
**Press *Lay off {Jh}*.**""",
    Topic.LAY_OFF_SCORE: """\
Laying off lowered your deadwood from {deadwood} to {mine}. Ada's is {theirs}, so she scores only **{points}**.
**Press *Next*.**""",
    Topic.UNDERCUT: """\
The last deal. Ada knocks early, with {theirs} points of deadwood. You have {deadwood}, but two of your cards \
fit her melds.
**Press *Lay off {7d} {Kh}*.**""",
    Topic.UNDERCUT_SCORE: """\
Ada knocked with {theirs}, but your deadwood is only {mine}. That's an **undercut**: you score **{points}**, the \
difference plus {bonus}. You now have {total} and win the match, because you've reached {target}. With bonuses \
for the match and for each deal you won, your final score is {sum}.
**Press *Finish*.**""",
}

CORRECTIONS: Final = {
    Topic.UPCARD: "Without {9s} you have no set of nines. Press *Take {9s}*.",
    Topic.DEADWOOD: "{Kd} counts 10 and doesn't go with anything. Press {Kd}.",
    Topic.STOCK: "{Th} doesn't make a meld with your cards. Press *Draw*.",
    Topic.PLAN: "{Qs} counts 10 and doesn't go with anything. Press {Qs}.",
    Topic.PILE: "{6c} makes a run with your {4c5c}. Press *Take {6c}*.",
    Topic.KNOCK: "Knock with {Jd}: that leaves the least deadwood. Press *Knock {Jd} · leaves {left}*.",
    Topic.GIN: "Nothing beats gin. Press *Gin!*",
    Topic.LAY_OFF: "Lay off just one card first. Press {8s}.",
    Topic.LAY_OFF_ALL: "One button does the rest. Press *Lay off {Jh}*.",
    Topic.UNDERCUT: "The green button lays off both cards at once. Press *Lay off {7d} {Kh}*.",
}
"""The instructions that appear after a wrong press, by topic of the step."""

READ_ON: Final = "There's nothing to decide here. Press the button below to go on."

DONE: Final = """\
**Well done, that's gin rummy!** You now know all the basics.

Press *Practise* to play the computer at its easiest level. Press *Hint* whenever you want to see the best move. For a \
stronger computer, use `/gin practice start`. To play your friends, use `/gin challenge`."""

COME_BACK: Final = "-# Stop whenever you like. To go on from here later, use `/gin practice learn`."


def title(step: int) -> str:
    end = len(positions())
    return "Learn gin rummy" + (f" · step {step + 1} of {end}" if step < end else "")


def resumed(step: int) -> str | None:
    """Return a sentence that tells a returning person their step; None at the first step and after the last."""
    return f"You left off at step {step + 1} of {len(positions())}." if 0 < step < len(positions()) else None


def step_text(position: LessonPosition, names: CardNames) -> str:
    """Return the text of a step. Its last line names the button to press."""
    return _fill(STEP_TEXTS[position.topic], position, names)


def correction_text(position: LessonPosition, press: str, names: CardNames) -> str:
    """Return the text of a step after a wrong press. Its last line gives the reason and the button to press."""
    lesson, _, _ = step_text(position, names).rpartition("\n")
    reason, instead = _reason(position, press, names), CORRECTIONS.get(position.topic, READ_ON)
    return f"{lesson}\n**{' '.join(filter(None, (reason, _fill(instead, position, names))))}**"


def _reason(position: LessonPosition, press: str, names: CardNames) -> str | None:
    """Return the reason why a press is wrong, if there is a specific one."""
    verb, _, notation = press.partition(" ")
    card = next((card for card in position.hand.hand if card.text == notation), None)
    if card is None or verb != Verb.DISCARD:
        return None
    meld = next((meld for meld in position.hand.arrangement.melds if card in meld.cards), None)
    if meld is not None:
        return (
            f"That would break up your {'run' if meld.is_run else 'set'} {names.short_row(meld_in_order(meld.cards))}."
        )
    asked_verb, _, asked = position.press.partition(" ")
    if asked_verb != Verb.DISCARD:
        return f"That would only discard {names.short(card)}, and the deal would go on."
    if card.points < Card.parse(asked).points:
        return f"{names.short(card)} counts only {card.points}."
    return f"{names.short(card)} would be just as good, but let's follow the lesson."


def _fill(text: str, position: LessonPosition, names: CardNames) -> str:
    return text.format_map(_Placeholders(_numbers(position), names))


class _Placeholders(dict[str, str]):
    """Maps placeholders to texts: the name of a number to the number, and cards in notation to card names."""

    def __init__(self, numbers: dict[str, int], names: CardNames) -> None:
        super().__init__({name: str(number) for name, number in numbers.items()})
        self._names = names

    def __missing__(self, notation: str) -> str:
        return self._names.short_row(parse_cards(notation))


def _numbers(position: LessonPosition) -> dict[str, int]:
    """Return the numbers that the text of a step can contain, by name."""
    hand, showdown = position.hand, position.showdown
    numbers = {"deadwood": hand.arrangement.deadwood, "limit": hand.public.knock_limit}
    if hand.discard_choices:
        numbers["left"] = min(choice.deadwood for choice in hand.discard_choices)
    if hand.public.knock is not None:
        numbers["theirs"] = hand.public.knock.arrangement.deadwood
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

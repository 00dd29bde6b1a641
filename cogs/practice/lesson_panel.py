"""The message with a step of the lesson: a hand or showdown, with an explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from discord import ButtonStyle

from bot.engine.deals.moves import Verb
from bot.lesson.lesson import LessonPosition, positions
from bot.lesson.script import CONTINUE, GIN, LAY_OFF_ALL
from bot.model.ids import MatchId
from bot.model.matches import MatchInfo, MatchKind, MatchStatus, OwnHand, Showdown
from bot.model.people import Person, Preferences
from bot.model.statistics import Player
from bot.opponent.play.levels import Level
from cardart import Picture
from cogs.actions import Action, Subject
from cogs.delivery.pictures import Pictures
from cogs.kit.components import ComponentEvent, button, custom_id
from cogs.kit.json_components import BUTTON
from cogs.kit.layout import Accent, Fact, Item, Row, WithButton, message
from cogs.kit.messages import Message
from cogs.practice import lesson_text as texts
from cogs.showdowns import showdown_text as showdown_texts
from cogs.turns import moves
from cogs.turns.hand_panel import in_words, with_fallbacks

START_OVER: Final = "again"
"""The lesson's name for the button that returns to the first step."""

_PRESSES: Final[dict[Action, str]] = {
    Action.DRAW: Verb.DRAW,
    Action.TAKE: Verb.TAKE,
    Action.PASS: Verb.PASS,
    Action.DISCARD: Verb.DISCARD,
    Action.KNOCK: Verb.KNOCK,
    Action.GIN: GIN,
    Action.LAY_OFF: Verb.LAY_OFF,
    Action.LAY_OFF_ALL: LAY_OFF_ALL,
    Action.FINISH_LAYING_OFF: Verb.DONE,
}
"""The lesson's names for buttons, by their actions. Any other button has the name of its action."""

_FIXED_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)


async def lesson(
    step: int,
    person: Person,
    preferences: Preferences,
    pictures: Pictures,
    *,
    notice: str | None = None,
    refused: str | None = None,
) -> Message:
    """Return a step of the lesson, or the end of the lesson. `refused` is the wrong button just pressed, if any."""
    if step >= len(positions()):
        return _end(step)
    panel = _Panel(step, positions()[step], person, preferences, pictures, notice, refused)
    return panel.message(await panel.picture())


def _end(step: int) -> Message:
    practise = button(Subject.SELF, step, Action.PRACTISE, "Practise", ButtonStyle.primary)
    row = [practise, _press(step, START_OVER, "Start over")]
    return message(Accent.OVER, texts.DONE, title=texts.title(step), rows=[row])


def lesson_button(label: str) -> Item:
    """Return the button that opens the lesson."""
    return button(Subject.SELF, 0, Action.LESSON, label, ButtonStyle.primary)


@dataclass(frozen=True, slots=True)
class _Panel:
    """The parts of the message that shows a step of the lesson."""

    step: int
    position: LessonPosition
    person: Person
    preferences: Preferences
    pictures: Pictures
    notice: str | None
    refused: str | None

    async def picture(self) -> Picture | None:
        """Return the picture of the hand or showdown; None if the person does not want pictures."""
        if not self.preferences.pictures:
            return None
        if self._showdown is not None:
            return await self.pictures.showdown(self._showdown)
        return await self.pictures.hand(self._hand)

    def message(self, picture: Picture | None) -> Message:
        """Return the message; without a picture, its text states all the facts."""
        return with_fallbacks(self._compose, picture, self.preferences, self.pictures.emojis)

    def _compose(self, picture: Picture | None) -> Message:
        names = self.pictures.emojis.names(self.preferences)
        if self.refused is not None:
            # The correction is a text below the picture: a phone might not show a notice above the picture.
            text, accent = texts.correction_text(self.position, self.refused, names), Accent.TROUBLE
        else:
            text = texts.step_text(self.position, names)
            accent = Accent.YOURS if self._showdown is None else Accent.OVER
        return message(
            accent,
            self._facts() if picture is None else None,
            text,
            title=texts.title(self.step),
            notice=self.notice,
            picture=picture,
            rows=self._rows(),
            details=[self._way_back()],
        )

    def _facts(self) -> str:
        """Return the contents of the picture in words."""
        return in_words(self._hand) if self._showdown is None else showdown_texts.hands(self._showdown)

    def _rows(self) -> Sequence[Row]:
        if self.position.press == CONTINUE:
            label = "Finish" if self.step + 1 == len(positions()) else "Next"
            return [[_press(self.step, CONTINUE, label, ButtonStyle.primary)]]
        rows = moves.rows(self._hand, self.pictures.emojis)
        return [
            [_in_lesson(self.step, item) for item in row if item is not None and item["type"] == BUTTON] for row in rows
        ]

    def _way_back(self) -> Fact:
        if self.step == 0:
            return texts.COME_BACK
        return WithButton(texts.COME_BACK, _press(self.step, START_OVER, "Start over"))

    @property
    def _hand(self) -> OwnHand:
        # The lesson itself reacts to wrong moves, so it needs no confirmations.
        preferences = replace(self.preferences, confirmations=False)
        return OwnHand(self._match, self.position.hand, _FIXED_TIME, False, None, preferences=preferences)

    @property
    def _showdown(self) -> Showdown | None:
        view = self.position.showdown
        return None if view is None else Showdown(self._match, view)

    @property
    def _match(self) -> MatchInfo:
        """A match that exists only for the lesson and is never stored."""
        rules = self.position.hand.public.rules
        return MatchInfo(
            MatchId(0),
            MatchKind.PRACTICE,
            None,
            None,
            channel_deleted=False,
            status=MatchStatus.RUNNING,
            version=0,
            revision=0,
            ruleset=rules.preset,
            rules=rules,
            players=(Player(self.person.id, self.person.name), Player(None, texts.OPPONENT_NAME, Level.NOVICE)),
            proposals=(None, None),
            started_at=_FIXED_TIME,
            moved_at=_FIXED_TIME,
            ended_at=None,
            appearance=self.preferences.appearance,
        )


def _press(step: int, press: str, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Item:
    return button(Subject.SELF, step, Action.LESSON, label, style, argument=press)


def _in_lesson(step: int, item: Item) -> Item:
    """Convert a button of a hand to a button of the lesson."""
    event = ComponentEvent.parse(item["custom_id"])
    if event is None:
        raise AssertionError("the custom id of a button below a hand is invalid")
    press = " ".join(filter(None, (_PRESSES.get(event.action, event.action), event.argument)))
    return {**item, "custom_id": custom_id(Subject.SELF, step, Action.LESSON, press)}

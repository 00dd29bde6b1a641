"""The private message with a player's hand and all their options."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bot.engine.deals.phase import Phase
from bot.model.matches import MatchInfo, MatchStatus, OwnHand, PicturedHand
from bot.model.people import Preferences
from cardart import Picture
from cardart.text.card_names import card_names
from cogs.actions import Action
from cogs.delivery.pictures import Pictures
from cogs.delivery.refusals import CHANNEL_DELETED
from cogs.kit.components import button
from cogs.kit.layout import Accent, Fact, Item, Row, WithButton, message
from cogs.kit.messages import Message
from cogs.turns import hand_text as texts
from cogs.turns import moves
from cogs.turns.arranging_panel import arrange_button
from cogs.turns.daily_panel import finished_try
from cogs.turns.games_panel import games_button, next_button
from cogs.turns.last_moves_panel import moves_button
from cogs.turns.match_options import halted, lines, other_options, vacancy_buttons
from cogs.turns.orders_panel import given_orders, orders_menu
from cogs.turns.over_panel import final_showdown, finished_match
from cogs.turns.questions import Question
from cogs.turns.showdown_panel import ended_deal
from cogs.words import clocks as clock_texts
from cogs.words import table
from cogs.words.emojis import Emojis
from cogs.words.holidays import WELCOME_BACK
from cogs.words.names import place


async def hand(
    shown: OwnHand,
    pictures: Pictures,
    *,
    notice: str | None = None,
    refused: bool = False,
    question: Question | None = None,
    hint: WithButton | None = None,
    is_first: bool = False,
    in_server: bool = False,
    drawing: Awaitable[Picture | None] | None = None,
) -> Message:
    """Return a player's own hand with all their options, or with a question about a move, or with a hint.

    If the player has not seen the showdown of the last deal, or if the match is over, return that instead. With
    `is_first`, add a button to stop direct messages with hands, if the player gets any. The message is `in_server` if
    it is not a direct message. `drawing` is the result of `draw`, if it was called earlier.
    """
    notice = WELCOME_BACK if shown.returned_from_holiday and notice is None else notice
    if shown.match.day is not None and shown.match.status is not MatchStatus.RUNNING:
        return finished_try(shown, notice, in_server=in_server)
    drawing = draw(shown, pictures) if drawing is None else drawing
    if shown.match.status is not MatchStatus.RUNNING:
        return finished_match(shown, await drawing, notice)
    if (showdown := shown.unseen_showdown) is not None:
        return ended_deal(shown, showdown, await drawing, notice, refused=refused)
    panel = _Panel(shown, pictures.emojis, notice, refused, question, hint, is_first)
    panel.build()
    return panel.message(await drawing)


async def draw(shown: OwnHand, pictures: Pictures) -> Picture | None:
    """Return the picture of the message that `hand` returns, or None if it has none."""
    is_running = shown.match.status is MatchStatus.RUNNING
    showdown = shown.unseen_showdown if is_running else final_showdown(shown)
    if showdown is not None:
        return await pictures.showdown(showdown) if shown.preferences.pictures else None
    return await pictures.hand(shown) if is_running else None


async def draw_foreseen(hand: PicturedHand, pictures: Pictures) -> Picture | None:
    """Return the picture of a hand in the deal in play, or None if the person wants no pictures."""
    return await pictures.pictured_hand(hand) if hand.preferences.pictures else None


def shows(shown: OwnHand, drawn: PicturedHand | None) -> bool:
    """Return True if `draw` would return the same picture as `draw_foreseen` for this hand."""
    is_in_play = shown.match.status is MatchStatus.RUNNING and shown.unseen_deal is None
    return is_in_play and drawn == shown.pictured


@dataclass(frozen=True)
class _Panel:
    """The parts of the message with a hand."""

    shown: OwnHand
    emojis: Emojis
    notice: str | None
    refused: bool
    question: Question | None
    hint: WithButton | None
    is_first: bool

    def build(self) -> None:
        """Build everything except the picture, which takes longer to draw."""
        _ = self._facts, self._rows, self._details

    def message(self, picture: Picture | None) -> Message:
        """Return the message; without a picture, its text states all the facts."""
        return with_fallbacks(self._compose, picture, self.shown.preferences, self.emojis)

    def _compose(self, picture: Picture | None) -> Message:
        shown, question = self.shown, self.question
        accent = Accent.YOURS if shown.view.is_to_act else Accent.WAITING
        accent = accent if question is None else question.accent
        return message(
            Accent.TROUBLE if self.refused else accent,
            CHANNEL_DELETED if shown.match.channel_deleted else None,
            in_words(shown) if picture is None else None,
            *self._facts,
            title=f"{texts.title(shown)} · {place(shown.match)}",
            notice=self.notice,
            picture=picture,
            rows=self._rows,
            details=self._details,
        ).showing(shown.match.id, shown.match.revision)

    @cached_property
    def _facts(self) -> tuple[Fact | None, ...]:
        question = self.question
        if question is None:
            late = texts.ASKED_TOO_LATE if self.shown.asked_too_late else None
            return self._state(), self._times(), late, *given_orders(self.shown), self.hint
        asked = f"**{question.text}**"
        return asked if question.done is None else WithButton(asked, question.done), self._times(), self.hint

    @cached_property
    def _rows(self) -> Sequence[Row]:
        question = self.question
        if question is not None and question.is_alone:
            return question.rows
        rows = moves.rows(self.shown, self.emojis, asking=question is not None) or self._while_waiting()
        return rows if question is None else [*rows, *question.rows]

    @cached_property
    def _details(self) -> tuple[Fact | None, ...]:
        return tuple(self._recent_and_options()) if self.question is None else ()

    def _state(self) -> Fact:
        """Return the state of the match: a vacant seat, a pause, the player's options, or the player whose turn it is.

        Add a hint button on the player's own turn in practice, and a refresh button on another player's turn.
        """
        match, state = self.shown.match, texts.turn_state(self.shown, self.emojis.names(self.shown.preferences))
        if (why := halted(match, self.shown.view.seat)) is not None:
            return why
        if self.shown.view.is_to_act:
            beside = hint_button(self.shown) if self._offers_hint else arrange_button(self.shown)
            return state if beside is None else WithButton(state, beside)
        return WithButton(state, button(match.id, match.version, Action.REFRESH_HAND, "Refresh"))

    @property
    def _offers_hint(self) -> bool:
        match = self.shown.match
        return match.is_practice and match.day is None and self.shown.view.is_to_act and self.hint is None

    def _times(self) -> Fact | None:
        """Return the players' remaining times, with a button to end the player's own holiday."""
        match, times, seat = self.shown.match, self.shown.times_left, self.shown.view.seat
        text, own_time = clock_texts.times(match, times, seat), times.get(seat)
        if text is None or own_time is None or clock_texts.away_until(match, own_time) is None:
            return text
        return WithButton(text, button(match.id, match.version, Action.COME_BACK, "I'm back"))

    def _while_waiting(self) -> list[Row]:
        """Return a waiting player's buttons: to nudge or give time to the next player, and to open other matches."""
        shown, match = self.shown, self.shown.match
        can_give = shown.awaited_seat is not None and match.clock.time is not None
        others = [
            next_button(shown),
            button(match.id, match.version, Action.NUDGE, "Nudge") if shown.may_nudge else None,
            button(match.id, match.version, Action.GIVE_TIME, f"Give {texts.gift(match)}") if can_give else None,
            games_button(),
            arrange_button(shown),
        ]
        return [vacancy_buttons(match, shown.view.seat), [orders_menu(shown)], others]

    def _recent_and_options(self) -> Iterator[Fact | None]:
        """Yield recent events, the score, and the options other than moves."""
        match, view = self.shown.match, self.shown.view
        names = self.emojis.names(self.shown.preferences)
        before, ended = table.turns_before(match, view.public, names, view.seat), texts.last_deal(self.shown)
        # Earlier events do not matter while a knock is being answered.
        recent = (before, ended) if view.public.phase is not Phase.LAY_OFF else ()
        taken_back = table.taken_back(match, view.public, view.seat)
        text = lines(*recent, taken_back, f"-# {table.scores(match, view.public)}")
        # The cards of a daily deal that nobody won are sealed, too.
        has_showdown = ended is not None and match.day is None
        look_back = _showdown_button(match) if has_showdown else moves_button(match, view.public.board)
        yield WithButton(text, look_back) if any(recent) else text
        arrange = arrange_button(self.shown) if self._offers_hint else None
        yield None if arrange is None else WithButton("-# Your cards can lie in any order.", arrange)
        yield from other_options(self.shown)
        if self.is_first and self.shown.dm_channel_id is not None:
            stop = button(match.id, match.version, Action.STOP_DMS_OF_MATCH, "No DMs")
            yield WithButton("-# Your hand also arrives by DM each turn.", stop)


def with_fallbacks(
    compose: Callable[[Picture | None], Message], picture: Picture | None, preferences: Preferences, emojis: Emojis
) -> Message:
    """Return a message with two fallbacks: in words if a picture is refused, without emojis if an emoji is refused."""
    composed = compose(picture)
    if picture is not None:
        composed = replace(composed, in_words=lambda: with_fallbacks(compose, None, preferences, emojis))
    if preferences.pictures and emojis.is_complete(preferences.appearance):

        def without_emojis() -> Message:
            emojis.disable()
            return with_fallbacks(compose, picture, preferences, emojis)

        composed = replace(composed, without_emojis=without_emojis)
    return composed


def in_words(shown: OwnHand) -> str:
    """Return the contents of a hand's picture in words."""
    public, names = shown.view.public, card_names(shown.preferences.appearance.language)
    knock, knocks_and_lay_offs = table.knock(shown.match, public, names), texts.knocks_and_lay_offs(shown)
    return lines(knock, texts.new_card(shown), texts.cards(shown), knocks_and_lay_offs, table.piles(public, names))


def hint_button(shown: OwnHand, label: str = "Hint", argument: str | None = None) -> Item:
    return button(shown.match.id, shown.match.version, Action.HINT, label, argument=argument)


def _showdown_button(match: MatchInfo) -> Item:
    return button(match.id, match.version, Action.LAST_SHOWDOWN, "Showdown")

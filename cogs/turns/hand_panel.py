"""A player's private messages: their hand with all their options, and the question of how to leave the match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from discord import ButtonStyle

from bot.engine.deals.moves import Seat
from bot.engine.deals.phase import Phase
from bot.model.matches import MatchInfo, MatchStatus, OwnHand, Proposal
from bot.model.people import Preferences
from cardart import Picture
from cardart.text.card_names import card_names
from cogs.actions import Action
from cogs.delivery.pictures import Pictures
from cogs.delivery.refusals import CHANNEL_DELETED
from cogs.fairness.verification_text import hands_open
from cogs.kit.components import button
from cogs.kit.layout import Accent, Fact, Item, Row, WithButton, message
from cogs.kit.messages import Message
from cogs.turns import hand_text as texts
from cogs.turns import moves
from cogs.turns.games_panel import games_button, next_button
from cogs.turns.last_moves_panel import moves_button
from cogs.turns.over_panel import finished_match
from cogs.turns.questions import Question
from cogs.words import clocks as clock_texts
from cogs.words import table, vacancies
from cogs.words.emojis import Emojis
from cogs.words.holidays import WELCOME_BACK
from cogs.words.names import place

ANSWER: Final = "answer"
"""The argument of a button that answers an existing offer. A press of such a button never makes a new offer."""

DAMAGED: Final = "damaged"
"""The argument of the button that calls off a match whose record cannot be read."""

_PROPOSAL_BUTTONS: Final = {
    Proposal.CANCEL: (Action.CALL_OFF, "Call the match off", "Keep playing"),
    Proposal.PAUSE: (Action.PAUSE, "Pause the match", "Keep playing"),
    Proposal.CONTINUE: (Action.CONTINUE, "Continue", "Not yet"),
}
"""For each proposal in a running match: the agree button's action and label, and the decline button's label."""


async def hand(
    shown: OwnHand,
    pictures: Pictures,
    *,
    notice: str | None = None,
    refused: bool = False,
    question: Question | None = None,
    hint: WithButton | None = None,
) -> Message:
    """Return a player's own hand with all their options, or with a question about a move, or with a hint."""
    notice = WELCOME_BACK if shown.returned_from_holiday and notice is None else notice
    if shown.match.status is not MatchStatus.RUNNING:
        return await finished_match(shown, pictures, notice)
    panel = _Panel(shown, pictures.emojis, notice, refused, question, hint)
    return panel.message(await pictures.hand(shown))


@dataclass(frozen=True, slots=True)
class _Panel:
    """The parts of the message with a hand."""

    shown: OwnHand
    emojis: Emojis
    notice: str | None
    refused: bool
    question: Question | None
    hint: WithButton | None

    def message(self, picture: Picture | None) -> Message:
        """Return the message; without a picture, its text states all the facts."""
        return with_fallbacks(self._compose, picture, self.shown.preferences, self.emojis)

    def _compose(self, picture: Picture | None) -> Message:
        shown, question = self.shown, self.question
        rows = moves.rows(shown, self.emojis, asking=question is not None) or self._while_waiting()
        accent = Accent.YOURS if shown.view.is_to_act else Accent.WAITING
        accent = accent if question is None else question.accent
        return message(
            Accent.TROUBLE if self.refused else accent,
            CHANNEL_DELETED if shown.match.channel_deleted else None,
            in_words(shown) if picture is None else None,
            self._state() if question is None else f"**{question.text}**",
            self._times(),
            self.hint,
            title=f"{texts.title(shown)} · {place(shown.match)}",
            notice=self.notice,
            picture=picture,
            rows=rows if question is None else [*rows, *question.rows],
            details=list(self._details()) if question is None else (),
        ).showing(shown.match.id, shown.match.revision)

    def _state(self) -> Fact:
        """Return the state of the match: a vacant seat, a pause, the player's options, or the player whose turn it is.

        Add a hint button on the player's own turn in practice, and a refresh button on another player's turn.
        """
        match, state = self.shown.match, texts.turn_state(self.shown, self.emojis.names(self.shown.preferences))
        if match.vacant_seat is not None:
            return vacancies.question(match, self.shown.view.seat)
        if match.is_paused:
            can_continue = match.open_proposal is None
            return WithButton(texts.paused(match), continue_button(match)) if can_continue else texts.paused(match)
        if self.shown.view.is_to_act:
            ask_for_hint = hint_button(self.shown) if match.is_practice and self.hint is None else None
            return state if ask_for_hint is None else WithButton(state, ask_for_hint)
        return WithButton(state, button(match.id, match.version, Action.REFRESH_HAND, "Refresh"))

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
        ]
        return [vacancy_buttons(match, shown.view.seat), others]

    def _details(self) -> Iterator[Fact | None]:
        """Yield recent events, the score, and the options other than moves."""
        match, view = self.shown.match, self.shown.view
        names = self.emojis.names(self.shown.preferences)
        before, ended = table.turns_before(match, view.public, names, view.seat), texts.last_deal(self.shown)
        # Earlier events do not matter while a knock is being answered.
        recent = (before, ended) if view.public.phase is not Phase.LAY_OFF else ()
        text = _lines(*recent, f"-# {table.scores(match, view.public)}")
        look_back = moves_button(match, view.public.board) if ended is None else _showdown_button(match)
        yield WithButton(text, look_back) if any(recent) else text
        call_off = button(match.id, match.version, Action.CALL_OFF, "Call the match off")
        if (claim := claim_button(self.shown)) is not None:
            yield WithButton(texts.claim_offer(match), claim)
            yield WithButton(
                _lines("Or call it off: then it does not count in the standings.", hands_open(match)), call_off
            )
        elif self.shown.may_call_off:
            yield WithButton(_lines(texts.may_call_off(self.shown), hands_open(match)), call_off)
        offer, answers = texts.proposals(match, view.seat), answer_buttons(match, view.seat)
        yield None if answers or offer is None else f"-# {offer}"
        for text, answer in zip((offer, texts.or_play_on(match)), answers, strict=False):
            yield None if text is None or answer is None else WithButton(text, answer)


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
    return _lines(knock, texts.new_card(shown), texts.cards(shown), knocks_and_lay_offs, table.piles(public, names))


def hint_button(shown: OwnHand, label: str = "Hint", argument: str | None = None) -> Item:
    return button(shown.match.id, shown.match.version, Action.HINT, label, argument=argument)


def _lines(*texts: str | None) -> str:
    return "\n".join(filter(None, texts))


def _showdown_button(match: MatchInfo) -> Item:
    return button(match.id, match.version, Action.LAST_SHOWDOWN, "Showdown")


def claim_button(shown: OwnHand) -> Item | None:
    """Return the button to claim the match or the seat of a player whose time is up; None if that is not allowed."""
    match = shown.match
    if not shown.may_claim:
        return None
    return button(match.id, match.version, Action.CLAIM, texts.claim(match), ButtonStyle.success)


def answer_buttons(match: MatchInfo, seat: Seat) -> Row:
    """Return the buttons to withdraw the player's own proposal in a running match, or to answer another player's."""
    proposed = match.open_proposal
    if proposed is None or proposed not in _PROPOSAL_BUTTONS:
        return []
    if match.proposals[seat] is proposed:
        return [button(match.id, match.version, Action.KEEP_PLAYING, "Withdraw the offer")]
    action, label, declining = _PROPOSAL_BUTTONS[proposed]
    return [
        button(match.id, match.version, action, label, argument=ANSWER),
        button(match.id, match.version, Action.KEEP_PLAYING, declining),
    ]


def vacancy_buttons(match: MatchInfo, seat: Seat | None = None) -> Row:
    """Return the buttons to decide about a vacant seat: for the player in `seat`, or for a public message if None.

    Return an empty row if no seat is vacant, or if `seat` is the vacant one.
    """
    if match.vacant_seat is None or seat == match.vacant_seat:
        return []
    agreed = seat in match.seats_proposing(Proposal.REPLACE)
    play_on = button(match.id, match.version, Action.PLAY_ON, "Play on with a computer", ButtonStyle.success)
    return [None if agreed else play_on, button(match.id, match.version, Action.END_INSTEAD, "End the match")]


def continue_button(match: MatchInfo) -> Item:
    """Return the button that proposes to resume a paused match, or agrees to it."""
    return button(match.id, match.version, Action.CONTINUE, "Continue", ButtonStyle.success)


def leaving_question(shown: OwnHand) -> Message:
    """Return the question of how to leave a match, with the consequences of each option."""
    match, seat = shown.match, shown.view.seat
    alone, claim = match.is_alone(seat), claim_button(shown)
    resign = button(match.id, match.version, Action.RESIGN, "Resign", ButtonStyle.danger)
    question = message(
        Accent.TROUBLE,
        f"**{texts.leaving(match, seat)}**",
        None if claim is None else WithButton(texts.claiming(shown), claim),
        texts.pausing(shown)
        if alone or match.is_paused
        else WithButton(texts.pausing(shown), _proposal_button(shown, Proposal.PAUSE)),
        None if alone else WithButton(texts.calling_off(shown), _proposal_button(shown, Proposal.CANCEL)),
        WithButton(texts.resigning(shown), resign),
        hands_open(match),
        rows=[[button(match.id, match.version, Action.STAY, "Keep playing")]],
    )
    return question.showing(match.id, match.revision)


def damaged(match: MatchInfo, text: str) -> Message:
    """Return the message about a match whose record cannot be read, with the button to call it off."""
    end = button(match.id, match.version, Action.CALL_OFF, "Call the match off", argument=DAMAGED)
    return message(Accent.TROUBLE, text, rows=[[end]])


def _proposal_button(shown: OwnHand, proposal: Proposal) -> Item:
    """Return the button that offers to pause a match or call it off, or accepts such an offer by another player."""
    match, label = shown.match, "Pause" if proposal is Proposal.PAUSE else "Call off"
    offered = any(seat != shown.view.seat for seat in match.seats_proposing(proposal))
    action, *_ = _PROPOSAL_BUTTONS[proposal]
    return button(match.id, match.version, action, label, argument=ANSWER if offered else None)

"""A player's options other than moves: to claim a match, to call it off, and to answer an offer or a question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from discord import ButtonStyle

from bot.engine.deals.moves import Seat
from bot.engine.deals.phase import Phase
from bot.model.matches import MatchInfo, OwnHand, Proposal
from cogs.actions import Action
from cogs.fairness.verification_text import hands_open
from cogs.kit.components import button
from cogs.kit.layout import Fact, Item, Row, WithButton
from cogs.turns import hand_text as texts
from cogs.words import vacancies

ANSWER: Final = "answer"
"""The argument of a button that answers an existing offer. A press of such a button never makes a new offer."""

_PROPOSAL_BUTTONS: Final = {
    Proposal.CANCEL: (Action.CALL_OFF, "Call it off", "Keep playing"),
    Proposal.PAUSE: (Action.PAUSE, "Pause the match", "Keep playing"),
    Proposal.CONTINUE: (Action.CONTINUE, "Continue", "Not yet"),
    Proposal.TAKE_BACK: (Action.TAKE_BACK, "Allow", "Decline"),
}
"""For each proposal in a running match: the agree button's action and label, and the decline button's label."""


def other_options(shown: OwnHand) -> Iterator[Fact | None]:
    """Yield a player's options other than moves: to claim the match, to call it off, and to answer an offer."""
    match, view = shown.match, shown.view
    call_off = button(match.id, match.version, Action.CALL_OFF, "Call it off")
    if shown.may_take_back:
        ask = button(match.id, match.version, Action.TAKE_BACK, "Ask to take back")
        yield WithButton("-# Discarded the wrong card? You can ask once in a deal.", ask)
    elif shown.may_not_ask_again:
        yield texts.ASKED_ONCE
    if (claim := claim_button(shown)) is not None:
        yield WithButton(texts.claim_offer(match), claim)
        yield WithButton(lines("Or call the match off; it won't count.", hands_open(match)), call_off)
    elif shown.may_call_off:
        yield WithButton(lines(texts.may_call_off(shown), hands_open(match)), call_off)
    if shown.drew_before_request:
        yield f"-# {texts.drew_before_request(match)}"
        return
    # A player who has drawn since an opponent's request keeps its buttons, disabled: without them, the cards would
    # slide under the player's thumb.
    is_late = match.open_proposal is Proposal.TAKE_BACK and view.is_to_act and view.public.phase is Phase.DISCARD
    offer = texts.drew_after_request(match) if is_late else texts.proposals(match, view.seat)
    answers = answer_buttons(match, view.seat, disabled=is_late)
    yield None if answers or offer is None else f"-# {offer}"
    for text, answer in zip((offer, texts.or_play_on(match)), answers, strict=False):
        yield None if text is None or answer is None else WithButton(text, answer)


def halted(match: MatchInfo, seat: Seat) -> Fact | None:
    """Return the question about a vacant seat, or the way to resume a paused match; None if the match is not halted."""
    if match.vacant_seat is not None:
        return vacancies.question(match, seat)
    if match.is_paused:
        can_continue = match.open_proposal is None
        return WithButton(texts.paused(match), continue_button(match)) if can_continue else texts.paused(match)
    return None


def claim_button(shown: OwnHand) -> Item | None:
    """Return the button to claim the match or the seat of a player whose time is up; None if that is not allowed."""
    match = shown.match
    if not shown.may_claim:
        return None
    return button(match.id, match.version, Action.CLAIM, texts.claim(match), ButtonStyle.success)


def answer_buttons(match: MatchInfo, seat: Seat, *, disabled: bool = False) -> Row:
    """Return the buttons to withdraw the player's own proposal in a running match, or to answer another player's."""
    proposed = match.open_proposal
    if proposed is None or proposed not in _PROPOSAL_BUTTONS:
        return []
    if match.proposals[seat] is proposed:
        return [button(match.id, match.version, Action.KEEP_PLAYING, "Withdraw")]
    action, label, declining = _PROPOSAL_BUTTONS[proposed]
    return [
        button(match.id, match.version, action, label, argument=ANSWER, disabled=disabled),
        button(match.id, match.version, Action.KEEP_PLAYING, declining, disabled=disabled),
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


def proposal_button(shown: OwnHand, proposal: Proposal) -> Item:
    """Return the button that offers to pause a match or call it off, or accepts such an offer by another player."""
    match, label = shown.match, "Pause" if proposal is Proposal.PAUSE else "Call off"
    offered = any(seat != shown.view.seat for seat in match.seats_proposing(proposal))
    action, *_ = _PROPOSAL_BUTTONS[proposal]
    return button(match.id, match.version, action, label, argument=ANSWER if offered else None)


def lines(*texts: str | None) -> str:
    return "\n".join(filter(None, texts))

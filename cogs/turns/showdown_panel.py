"""The showdown of a deal: posted for everyone, in full for the person who asks, and in a player's own message."""

from __future__ import annotations

from functools import partial
from typing import Final

from discord import ButtonStyle

from bot.engine.deals.showdown import OutcomeKind
from bot.model.matches import OwnHand, Showdown
from cogs.actions import Action
from cogs.delivery.pictures import Pictures
from cogs.delivery.refusals import CHANNEL_DELETED
from cogs.fairness import verification_text
from cogs.fairness.verification_panel import verify_button
from cogs.kit.components import button
from cogs.kit.layout import Accent, Item, Picture, WithButton, message, with_picture
from cogs.kit.messages import Message
from cogs.showdowns import replay_text as replay
from cogs.showdowns import showdown_text as texts
from cogs.turns import hand_text
from cogs.turns.match_options import halted, other_options, vacancy_buttons
from cogs.words import clocks

YOUR_TURN_NEXT: Final = "The next deal has started, and it's your turn."


async def showdown(shown: Showdown, pictures: Pictures) -> Message:
    """Return the public showdown of a deal: its picture, the result, and a button for the details."""

    def compose(picture: Picture | None) -> Message:
        if picture is None:
            return _in_full(shown)
        return message(Accent.OVER, WithButton(texts.result(shown), details_button(shown)), picture=picture)

    return with_picture(compose, await pictures.showdown(shown))


async def details(shown: Showdown, pictures: Pictures | None) -> Message:
    """Return a showdown in full, with buttons for its replay, review and verification. It is for one person only.

    If `pictures` is None, omit the picture.
    """
    return with_picture(partial(_in_full, shown), None if pictures is None else await pictures.showdown(shown))


def ended_deal(
    hand: OwnHand, shown: Showdown, picture: Picture | None, notice: str | None = None, *, refused: bool = False
) -> Message:
    """Return the showdown that a player sees before the next deal, with their options other than moves."""
    match, seat = hand.match, hand.view.seat

    def compose(picture: Picture | None) -> Message:
        details = None if picture is None else details_button(shown)
        verify = _verify_button(shown) if picture is None else None
        return message(
            Accent.TROUBLE if refused else Accent.YOURS if hand.view.is_to_act else Accent.OVER,
            CHANNEL_DELETED if match.channel_deleted else None,
            texts.hands(shown) if picture is None else None,
            texts.running_score(shown),
            halted(match, seat) or (YOUR_TURN_NEXT if hand.view.is_to_act else None),
            clocks.times(match, hand.times_left, seat) if hand.view.is_to_act else None,
            title=texts.title(shown.view, match),
            notice=notice,
            picture=picture,
            rows=[
                [next_deal_button(shown), details, _replay_button(shown), review_button(shown), verify],
                vacancy_buttons(match, seat),
            ],
            details=[hand_text.opposing(hand), *other_options(hand)],
        ).showing(match.id, match.revision)

    return with_picture(compose, picture)


def next_deal_button(shown: Showdown) -> Item:
    """Return the button that shows a player's hand after the showdown of a deal."""
    # While a match is halted, another button of the message is the one to press.
    style = ButtonStyle.secondary if shown.match.is_halted else ButtonStyle.success
    return _button(shown, Action.NEXT_DEAL, "Next deal", style)


def details_button(shown: Showdown) -> Item:
    """Return the button that shows a showdown in full."""
    return _button(shown, Action.SHOWDOWN_DETAILS, "Details")


def review_button(shown: Showdown) -> Item | None:
    """Return the button that reviews a player's choices in a deal; None for a void deal."""
    is_void = shown.view.outcome.kind is OutcomeKind.VOID
    return None if is_void else _button(shown, Action.REVIEW, "Review")


def _replay_button(shown: Showdown) -> Item | None:
    """Return the button for a deal's replay; None for a void deal whose hands the match never reveals."""
    is_void = shown.view.outcome.kind is OutcomeKind.VOID
    return None if is_void and not shown.match.fairness.reveals_hands else _button(shown, Action.REPLAY, "Replay")


def _verify_button(shown: Showdown) -> Item | None:
    return verify_button(shown.match, replay.deal_number(shown.view))


def _in_full(shown: Showdown, picture: Picture | None = None) -> Message:
    return message(
        Accent.OVER,
        texts.hands(shown),
        texts.running_score(shown),
        verification_text.checkable(shown),
        title=texts.title(shown.view, shown.match),
        picture=picture,
        rows=[[_replay_button(shown), review_button(shown), _verify_button(shown)]],
    )


def _button(shown: Showdown, action: Action, label: str, style: ButtonStyle = ButtonStyle.secondary) -> Item:
    match, number = shown.match, replay.deal_number(shown.view)
    return button(match.id, match.version, action, label, style, argument=number)

"""Private answers to failed commands and components."""

from __future__ import annotations

from secrets import token_hex
from typing import Final

import discord
import structlog
from discord import app_commands

from bot import metrics
from bot.metrics import Failure
from bot.model.challenges import CLOSED_STATUSES, Challenge, ChallengeStatus
from bot.model.discord_codes import Code, lasting_refusal
from bot.model.matches import MatchInfo, OwnHand
from bot.play.application import Application
from bot.play.refusals import (
    BackAtTable,
    ChallengeClosed,
    Damaged,
    Illegal,
    MatchOver,
    NotVacant,
    NotYourTurn,
    Refusal,
    RematchBegun,
    Stale,
    Unavailable,
    Vacant,
)
from cogs import refusals as texts
from cogs.delivery.access import Access
from cogs.delivery.errors import ChoiceRequired, OutcomeNotShown, UserError
from cogs.delivery.interactions import person_id_of
from cogs.delivery.refusals import (
    COMMANDS_CHANGED,
    FAULT,
    NOT_HERE,
    ONLY_IN_SERVERS,
    OUTCOME_NOT_SHOWN,
    SAVED_BEFORE_OUTAGE,
    SLOW_DOWN,
    refused_answer,
)
from cogs.delivery.replies import is_private, show
from cogs.kit.answers import Answer, Interaction
from cogs.kit.components import ComponentEvent
from cogs.kit.failures import code_of, is_outage
from cogs.kit.layout import Accent, note
from cogs.turns.hands import Hands
from cogs.turns.leaving_panel import damaged

log = structlog.get_logger(__name__)

_CLOSED_STATUSES: Final = (ChallengeStatus.ACCEPTED, *CLOSED_STATUSES)
"""The statuses of challenges that nobody can act on any more."""


class ErrorReplies:
    """Turns any error into one private, helpful answer."""

    def __init__(self, app: Application, hands: Hands, access: Access) -> None:
        self._app = app
        self._hands = hands
        self._access = access

    async def answer(self, interaction: Interaction, error: Exception) -> None:
        """Answer a failed interaction. Unexpected errors are logged with a short code, which the answer shows."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        try:
            try:
                await self._answer(interaction, await self._access.presentable_error(interaction, cause))
            except Unavailable as second_error:
                metrics.FAILURES.labels(Failure.DATABASE).inc()
                await self._refuse(interaction, texts.text(second_error, person_id_of(interaction)))
            except Exception as second_error:
                await self._report_fault(interaction, second_error, saved=isinstance(cause, OutcomeNotShown))
        except Exception as second_error:
            log.exception("an interaction could not be answered")
            if is_outage(second_error):
                # Players might be unable to see their hands, so stop all clocks.
                self._app.connected.interrupt()
            metrics.FAILURES.labels(Failure.UNANSWERED).inc()
            # This interaction gets no answer. Prevent its deferral, which would tell the person to expect an answer.
            Answer.to(interaction).settled.set()

    async def _answer(self, interaction: Interaction, error: BaseException) -> None:
        match error:
            case Stale() | Illegal() | NotYourTurn() | BackAtTable():
                text = texts.text(error, person_id_of(interaction))
                hand = await self._current_hand(interaction, error.hand.match)
                await self._hands.show(interaction, hand, text, refused=True)
            case Damaged(match):
                text = texts.text(error, person_id_of(interaction))
                await Answer.to(interaction).reply(damaged(match, text))
            case MatchOver(match) if match.seat_of(person_id_of(interaction)) is not None:
                # The person might have pressed an old button of a hand: show the result of the match.
                await self._hands.show(interaction, await self._current_hand(interaction, match))
            case Vacant(match) if match.seat_of(person_id_of(interaction)) not in (None, match.vacant_seat):
                # The hand asks what to do about the vacant seat, and has buttons to answer.
                await self._hands.show(interaction, await self._current_hand(interaction, match))
            case NotVacant(match):
                text = texts.text(error, person_id_of(interaction))
                await self._hands.show(interaction, await self._current_hand(interaction, match), text)
            case RematchBegun(match) if is_private(interaction):
                # A private message still offers a rematch that has begun. Replace the offer with the current hand.
                await self._hands.show(interaction, await self._current_hand(interaction, match))
            case ChallengeClosed(challenge) if challenge.status in _CLOSED_STATUSES and _is_about_only(
                interaction, challenge
            ):
                # Replace the clicked message, since its other buttons are useless too.
                await show(interaction, note(texts.text(error, person_id_of(interaction)), Accent.TROUBLE))
            case ChoiceRequired():
                await Answer.to(interaction).reply(error.message)
            case UserError():
                await self._refuse(interaction, error.text)
            case Refusal():
                if isinstance(error, Unavailable):
                    metrics.FAILURES.labels(Failure.DATABASE).inc()
                await self._refuse(interaction, texts.text(error, person_id_of(interaction)))
            case app_commands.TransformerError():
                reason = ONLY_IN_SERVERS if interaction.guild_id is None else NOT_HERE
                await self._refuse(interaction, reason)
            case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
                await self._refuse(interaction, COMMANDS_CHANGED)
            case OutcomeNotShown(__cause__=Unavailable()):
                metrics.FAILURES.labels(Failure.DATABASE).inc()
                await self._refuse(interaction, SAVED_BEFORE_OUTAGE)
            case discord.HTTPException() | OutcomeNotShown() if (
                refused := _lasting_refusal(interaction, error)
            ) is not None:
                Answer.to(interaction).refusals.record_message_refusal(refused)
                await self._refuse(interaction, refused_answer(refused, saved=isinstance(error, OutcomeNotShown)))
            case discord.RateLimited():
                metrics.FAILURES.labels(Failure.RATE_LIMIT).inc()
                await self._refuse(interaction, SLOW_DOWN)
            case _:
                await self._report_fault(interaction, error, saved=isinstance(error, OutcomeNotShown))

    async def _current_hand(self, interaction: Interaction, match: MatchInfo) -> OwnHand:
        """Return the person's current hand: the match might have changed since the refusal was raised."""
        return await self._app.lookup.hand(person_id_of(interaction), match.id)

    async def _report_fault(self, interaction: Interaction, error: BaseException, *, saved: bool) -> None:
        code = token_hex(3)
        metrics.FAILURES.labels(Failure.FAULT).inc()
        log.error("an interaction failed", code=code, exc_info=error)
        tell = f"If this keeps happening, tell the person who runs this bot (code `{code}`)."
        await self._refuse(interaction, f"{OUTCOME_NOT_SHOWN if saved else FAULT} {tell}")

    async def _refuse(self, interaction: Interaction, text: str) -> None:
        answer = Answer.to(interaction)
        # Long work might have shown a message about its progress. Replace that message with the refusal.
        await (answer.replace if answer.is_long else answer.reply)(note(text, Accent.TROUBLE))


def _is_about_only(interaction: Interaction, challenge: Challenge) -> bool:
    """Return True if the clicked message is private and all its buttons, apart from links, are about this challenge."""
    clicked = interaction.message
    if clicked is None or not clicked.flags.ephemeral:
        return False
    items = discord.ui.LayoutView.from_message(clicked).walk_children()
    used = [item.custom_id for item in items if isinstance(item, discord.ui.Button | discord.ui.Select)]
    events = [None if custom_id is None else ComponentEvent.parse(custom_id) for custom_id in used]
    return all(
        event is not None and (event.opens_new_message or event.subject == str(challenge.id)) for event in events
    )


def _lasting_refusal(interaction: Interaction, error: BaseException) -> Code | None:
    """Return the error code if Discord refused an answer on a server and will probably refuse the next; else None."""
    cause = error.__cause__ if isinstance(error, OutcomeNotShown) else error
    return None if interaction.guild_id is None else lasting_refusal(code_of(cause))

"""The messages about verifiable deals: the commitment, a player's words, the audit, and the explanation."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from discord import ButtonStyle, ui

from bot.engine.fairness.audit import Answer
from bot.engine.fairness.fair import MAX_WORDS_LENGTH
from bot.model.challenges import Challenge
from bot.model.fairness import Commitment, Fairness, GivenWords
from bot.model.ids import ChallengeId, MatchId
from bot.model.matches import MatchInfo, MatchStatus
from bot.model.verification import VerifiedDeal
from cogs.actions import Action, Subject
from cogs.fairness import verification_text as texts
from cogs.kit.components import button, dialog
from cogs.kit.layout import Accent, Item, line, message
from cogs.kit.messages import File, Message
from cogs.words.names import MAX_WITH_ACCOUNT, safe

WORDS_LABEL: Final = "Your shuffle words"
"""The label of the field for shuffle words in a dialog."""
DAILY: Final = "daily"
"""The argument of the button that explains the deal of the day."""
_MY_WORDS: Final = "My shuffle words …"
_TITLES: Final = {
    Action.ACCEPT_WITH_WORDS: "Accept with shuffle words",
    Action.CHALLENGE_WORDS: "My shuffle words",
    Action.MATCH_WORDS: "My shuffle words",
}


def commitment(shown: Commitment) -> Message:
    """Return the commitment that is posted before a match and never edited."""
    return line(texts.commitment(shown.value), how_button())


def how_button(*, daily: bool = False) -> Item:
    """Return the button that explains verifiable deals, or the deal of the day, in a new message."""
    return button(Subject.MENU, 0, Action.HOW_VERIFIED, "How?", argument=DAILY if daily else None)


def how(notice: str | None = None, *, daily: bool = False) -> Message:
    """Return the explanation of verifiable deals, or of the deal of the day."""
    text = texts.HOW_DAILY if daily else texts.HOW
    return message(Accent.WAITING, text, title="How do I know the cards are fair?", notice=notice)


def verify_button(match: MatchInfo, deal: str | None = None) -> Item | None:
    """Return the button that verifies a deal, by default the last one; None if the match is not verifiable."""
    if match.fairness is Fairness.NONE:
        return None
    return button(match.id, match.version, Action.VERIFY, "Verify", argument=deal)


def words_button(subject: Challenge | MatchInfo) -> Item | None:
    """Return the button that changes a player's words; None if the match is not verifiable."""
    if isinstance(subject, Challenge):
        return button(subject.id, 0, Action.CHALLENGE_WORDS, _MY_WORDS) if subject.committed else None
    if subject.fairness is Fairness.NONE:
        return None
    return button(subject.id, 0, Action.MATCH_WORDS, _MY_WORDS)


def words_dialog(action: Action, subject: ChallengeId | MatchId, given: GivenWords | None = None) -> ui.Modal:
    """Return the dialog for a player's own words, prefilled with the current ones."""
    return dialog(
        subject,
        action,
        _TITLES[action],
        WORDS_LABEL,
        description=texts.WHAT_WORDS_DO,
        placeholder="Anything that nobody would guess",
        max_length=MAX_WORDS_LENGTH,
        default=None if given is None else given.text,
    )


def words(subject: Challenge | MatchInfo, given: GivenWords | None, *, saved: bool = False) -> Message:
    """Return a player's words in a match or challenge, the deal from which they count, and a button to change them."""
    match = subject if isinstance(subject, MatchInfo) else None
    return message(
        Accent.YOURS,
        texts.own_words(given, match),
        f"-# {texts.WHAT_WORDS_DO}",
        title=texts.whose_words(subject),
        notice="Saved." if saved else None,
        rows=[[words_button(subject), how_button()]],
    )


def verified(
    deal: VerifiedDeal, *, own: bool = False, can_show_to_all: bool = False, shown_by: str | None = None
) -> Message:
    """Return the audit of a deal, with the files to verify the match offline if there is anything to check.

    `own` adds a button to change the player's words while the match is running, and `can_show_to_all` a button to share
    the audit. A shared audit has no share button and names the person who shared it (`shown_by`).
    """
    number = _deal_number(deal)
    share = button(
        deal.match.id,
        deal.match.version,
        Action.SHOW_VERIFIED_TO_ALL,
        "Show everyone",
        ButtonStyle.primary,
        argument=number,
    )
    is_daily = deal.match.day is not None
    return message(
        Accent.TROUBLE if deal.audit.answer is Answer.WRONG else Accent.YOURS,
        texts.outcome(deal),
        texts.promise(deal),
        texts.DAILY_LIMIT if is_daily else texts.contributions(deal),
        texts.events(deal),
        texts.by_hand(deal) if deal.checked_events else None,
        None if shown_by is None else f"-# Shown by {safe(shown_by, MAX_WITH_ACCOUNT)}",
        title=texts.title(deal),
        downloads=_files(deal) if deal.checked_events else (),
        rows=[
            [
                how_button(daily=is_daily),
                words_button(deal.match) if own and deal.match.status is MatchStatus.RUNNING else None,
                share if can_show_to_all and shown_by is None else None,
            ]
        ],
    )


def _files(deal: VerifiedDeal) -> list[File]:
    """Return the files to verify a match: its record, the script, and the words if any are known."""
    words = [File(texts.words_name(deal), texts.words_file(deal).encode())] if deal.known_texts else []
    return [File(texts.record_name(deal), deal.record.encode()), File("verify.py", _script()), *words]


@cache
def _script() -> bytes:
    """Return the script that verifies records."""
    return files("bot.engine.fairness").joinpath("verify.py").read_bytes()


def _deal_number(deal: VerifiedDeal) -> str:
    """Return a deal's number as people type it: `3`, or `3.2` for its second board."""
    return f"{deal.number}.{deal.board}" if deal.match.rules.format == "partners" else str(deal.number)

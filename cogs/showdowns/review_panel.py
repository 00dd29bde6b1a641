"""The review of a player's choices in a deal or a match, with pictures of the costliest ones."""

from __future__ import annotations

from asyncio import gather
from dataclasses import replace
from typing import Final

from bot.model.matches import MatchInfo, PicturedHand
from bot.model.people import Preferences
from bot.model.reviews import Reviewed
from cardart import Picture
from cardart.text.card_names import card_names
from cogs.actions import Action
from cogs.delivery.pictures import Pictures
from cogs.kit.components import button
from cogs.kit.layout import Accent, Item, WithPicture, message, note
from cogs.kit.messages import Message
from cogs.showdowns import replay_text as replay
from cogs.showdowns import review_text as texts
from cogs.words.names import MAX_WITH_ACCOUNT, safe

WHOLE_MATCH: Final = "all"
"""The argument of buttons that review a whole match instead of one deal.

`all/5` limits the review to the person's first five deals, because the match might have continued since.
"""


async def review(
    shown: Reviewed,
    preferences: Preferences,
    pictures: Pictures,
    *,
    can_show_to_all: bool = False,
    shown_by: str | None = None,
) -> Message:
    """Return a review in a person's preferred appearance.

    A private review has buttons for the replay, for sharing and, if the match has more deals to review, for the whole
    match. A shared one has the name of the sharer instead.
    """
    drawn: list[Picture] = []
    if preferences.pictures:
        hands = [PicturedHand(mistake.view, preferences) for mistake in shown.mistakes]
        drawn = await gather(*map(pictures.pictured_hand, hands))
    rows = [_action_buttons(shown, can_show_to_all=can_show_to_all)] if shown_by is None else []
    names, told = card_names(preferences.appearance.language), shown.mistakes

    def panel(with_pictures: bool) -> Message:
        facts = [
            texts.mistake(place, mistake, names, whole_match=shown.whole_match) for place, mistake in enumerate(told, 1)
        ]
        if with_pictures:
            mistakes = [WithPicture(fact, picture) for fact, picture in zip(facts, drawn, strict=True)]
        else:
            hands = (texts.hand_in_words(mistake, names) for mistake in told)
            mistakes = [f"{fact}\n{hand}" for fact, hand in zip(facts, hands, strict=True)]
        return message(
            Accent.OVER,
            texts.subject(shown),
            texts.summary(shown),
            texts.result(shown),
            texts.by_deal(shown),
            texts.mistakes(shown),
            *mistakes,
            title=texts.title(shown),
            rows=rows,
            details=[texts.FOOTNOTE, None if shown_by is None else f"-# Shown by {safe(shown_by, MAX_WITH_ACCOUNT)}"],
        )

    return replace(panel(True), in_words=lambda: panel(False)) if drawn else panel(False)


def progress(share: float) -> Message:
    """Return the progress of a review. `share` is between 0 and 1."""
    return note(texts.progress(share))


def _action_buttons(shown: Reviewed, *, can_show_to_all: bool) -> list[Item | None]:
    match, number = shown.match, replay.deal_number(shown.deals[-1])
    about = f"{WHOLE_MATCH}/{len(shown.deals)}" if shown.whole_match else number
    leads_to_match = not shown.whole_match and shown.reviewable > 1
    return [
        _button(match, "Whole match", Action.REVIEW, WHOLE_MATCH) if leads_to_match else None,
        None if shown.whole_match else _button(match, "Replay", Action.REPLAY, number),
        _button(match, "Show everyone", Action.SHOW_REVIEW_TO_ALL, about) if can_show_to_all else None,
    ]


def _button(match: MatchInfo, label: str, action: Action, argument: str) -> Item:
    return button(match.id, match.version, action, label, argument=argument)

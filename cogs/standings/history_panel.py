"""The messages with a list of past matches, and with one past match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

import discord

from bot.engine.deals.showdown import OutcomeKind
from bot.model.history import PageKey, PastMatch
from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchInfo, MatchSummary, Showdown
from bot.model.namesakes import matches_with_ambiguity
from bot.model.people import Preferences
from bot.model.statistics import Player
from bot.play.matches.match_records import SharedRecord
from cogs.actions import Action, Subject
from cogs.delivery.pictures import Pictures
from cogs.fairness.verification_panel import verify_button
from cogs.kit.components import MENU_SIZE, UnknownComponent, button, menu, parse_id
from cogs.kit.layout import Accent, Item, Row, message
from cogs.kit.messages import File, Message
from cogs.showdowns import replay_text as replay
from cogs.showdowns.review_panel import WHOLE_MATCH
from cogs.showdowns.score_sheet import sheet_facts
from cogs.showdowns.showdown_text import end_title
from cogs.standings import history_text as texts
from cogs.standings.versus_panel import match_menu, versus_button

PAGE_SIZE: Final = 8
"""Number of matches on a page. The text for a match has up to 400 characters, and a message 4,000."""
_MAX_DEAL_MENUS: Final = 4
"""Maximum number of menus of deals in a message."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_MAX_TIME: Final = 10**14
"""Upper limit for times in custom ids, in milliseconds since 1970: the year 5138."""


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in the list. `where` is its channel as text."""

    past: PastMatch
    where: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a person's matches, newest first. `newer` and `older` are the keys of neighbouring pages, or None."""

    person_id: PersonId
    listed: Sequence[ListedMatch]
    newer: PageKey | None
    older: PageKey | None


def page_argument(person_id: PersonId, key: PageKey) -> str:
    """Return the custom id argument of the button for a page."""
    at = (key.ended_at - _EPOCH) // _MILLISECOND
    return f"{person_id}/{'newer' if key.newer else 'older'}/{at}/{key.match_id}"


def parse_page(argument: str) -> tuple[PersonId, PageKey | None]:
    """Parse `page_argument`: the person, and the key of the page. Raise `UnknownComponent` if it is invalid."""
    person_id, *rest = argument.split("/")
    if not rest:
        return PersonId(parse_id(person_id)), None
    if len(rest) != 3 or rest[0] not in ("newer", "older"):
        raise UnknownComponent
    at = parse_id(rest[1])
    if at >= _MAX_TIME:
        raise UnknownComponent
    key = PageKey(_EPOCH + at * _MILLISECOND, MatchId(parse_id(rest[2])), newer=rest[0] == "newer")
    return PersonId(parse_id(person_id)), key


def history(page: Page, viewer_id: PersonId, *, everywhere: bool, has_dailies: bool = False) -> Message:
    """Return a page of matches, with a menu that opens one and with buttons for the neighbouring pages.

    If the viewer `has_dailies`, a button leads to their calendar of deals of the day, which are not in the list.
    """
    person_id, own, listed = page.person_id, page.person_id == viewer_id, _with_ambiguity(page.listed)
    rows: list[Row] = []
    if page.listed:
        rows.append([match_menu([(entry.past.match.id, texts.option(entry.past, person_id)) for entry in listed])])
    turns = (("Newer", page.newer), ("Older", page.older))
    neighbours = [None if key is None else _page_button(label, person_id, key) for label, key in turns]
    rows.append([*neighbours, dailies_button() if has_dailies else None])
    if not page.listed:
        if own:
            here = "yet" if everywhere else "on this server yet"
            nothing = texts.NO_MORE if page.newer else texts.NOTHING.format(here=here)
        else:
            nothing = texts.NOTHING_VISIBLE
        return message(Accent.WAITING, nothing, rows=rows)
    first = listed[0].past.match
    known = (*first.players, *filter(None, first.leavers))
    player = next((player for player in known if player.id == person_id), Player(person_id, None))
    lines = [texts.line(entry.past, person_id, entry.where) for entry in listed]
    title = texts.title(player, own=own, everywhere=everywhere)
    return message(Accent.OVER, "\n".join(lines), title=title, rows=rows)


def dailies_button() -> Item:
    """Return the button for the viewer's own calendar of deals of the day."""
    return button(Subject.MENU, 0, Action.DAILY_CALENDAR, "Daily deals")


def _with_ambiguity(listed: Sequence[ListedMatch]) -> list[ListedMatch]:
    """Mark players whose names look alike, so that their account names are shown too."""
    matches = matches_with_ambiguity([entry.past.match for entry in listed])
    return [replace(entry, past=replace(entry.past, match=match)) for entry, match in zip(listed, matches, strict=True)]


def _page_button(label: str, person_id: PersonId, key: PageKey) -> Item:
    return button(Subject.SELF, 0, Action.HISTORY, label, argument=page_argument(person_id, key))


async def past_match(
    summary: MatchSummary, viewer_id: PersonId, where: str, preferences: Preferences, pictures: Pictures
) -> Message:
    """Return the score sheet of a past match, with replays, the record and, only for its players, the review."""
    match = summary.match
    deals = [
        Showdown(match.with_appearance(preferences.appearance), deal)
        for deal in summary.deals
        if deal.outcome.kind is not OutcomeKind.VOID
    ]
    seat = match.seat_of(viewer_id)
    played = [deal for deal in deals if seat in deal.view.seats]
    return message(
        Accent.OVER,
        *sheet_facts(summary),
        texts.ended(match, where),
        title=end_title(summary),
        picture=await pictures.scorecard(summary, preferences.appearance) if preferences.pictures else None,
        rows=[
            *_deal_menus(match, deals),
            [
                button(match.id, match.version, Action.MATCH_RECORD, "Record"),
                button(match.id, match.version, Action.REVIEW, "Review", argument=WHOLE_MATCH) if played else None,
                versus_button(match),
                verify_button(match),
            ],
        ],
    )


def _deal_menus(match: MatchInfo, deals: Sequence[Showdown]) -> list[Row]:
    """Return menus of deals to replay. If there are too many deals, the last ones are omitted."""
    options = [
        discord.SelectOption(label=replay.completion(deal), value=replay.deal_number(deal.view)) for deal in deals
    ]
    parts = [options[start : start + MENU_SIZE] for start in range(0, len(options), MENU_SIZE)][:_MAX_DEAL_MENUS]
    placeholder = "Replay a deal …" if len(parts) == 1 else "Replay one of these deals …"
    return [
        [menu(match.id, match.version, Action.REPLAY_DEAL, placeholder, part, argument=str(number))]
        for number, part in enumerate(parts)
    ]


def record(shared: SharedRecord) -> Message:
    match = shared.match
    text = str(replace(shared.record, names=texts.record_names(match.players)))
    file = File(f"match-{match.id}.txt", text.encode())
    return message(Accent.WAITING, texts.record(shared), downloads=[file])

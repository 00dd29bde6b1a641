"""The messages with a server's records: the best of each kind, or the top few of one kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.model.namesakes import matches_with_ambiguity
from bot.model.records import HeldRecord, RecordKind
from cogs.actions import Action, Subject
from cogs.kit.components import button
from cogs.kit.layout import Accent, Row, message
from cogs.kit.messages import Message
from cogs.standings import records_text as texts
from cogs.standings.versus_panel import match_menu


def overview(held: Mapping[RecordKind, Sequence[HeldRecord]], *, complete: bool) -> Message:
    """Return the best record of each kind, with buttons that show the top few of a kind."""
    kinds = [kind for kind, best in held.items() if best]
    leading = _with_ambiguity([held[kind][0] for kind in kinds])
    held = {kind: [best] for kind, best in zip(kinds, leading, strict=True)}
    return message(
        Accent.OVER if kinds else Accent.WAITING,
        texts.overview(held) or texts.NOTHING,
        None if complete else texts.STILL_LOOKING,
        title=texts.TITLE if kinds else None,
        rows=[[button(Subject.SELF, 0, Action.SERVER_RECORDS, texts.NAMES[kind], argument=kind) for kind in kinds]],
    )


def podium(kind: RecordKind, held: Sequence[HeldRecord], places: Sequence[str | None]) -> Message:
    """Return the top few records of a kind, with a menu that opens the matches that the reader can see.

    `places` has the channel of each record, or None for a match that the reader cannot see. Streaks have no menu,
    because a streak consists of several matches.
    """
    held = _with_ambiguity(held)
    seen = [entry for entry, where in zip(held, places, strict=True) if where is not None]
    rows: list[Row] = []
    if seen and kind is not RecordKind.STREAK:
        # A match can hold several records, but the menu must list it only once.
        options = {entry.match.id: texts.option(entry) for entry in reversed(seen)}
        rows.append([match_menu(list(reversed(options.items())))])
    rows.append([button(Subject.SELF, 0, Action.SERVER_RECORDS, texts.ALL)])
    shown = [None if kind is RecordKind.STREAK else where for where in places]
    return message(
        Accent.OVER,
        texts.podium(held, shown) or texts.NOTHING,
        f"-# {texts.ABOUT[kind]} Casual matches and practice don't count.",
        title=f"{texts.TITLE}: {texts.NAMES[kind].lower()}",
        rows=rows,
    )


def _with_ambiguity(held: Sequence[HeldRecord]) -> list[HeldRecord]:
    """Mark players whose names look alike, so that their account names are shown too."""
    matches = matches_with_ambiguity([entry.match for entry in held])
    return [replace(entry, match=match) for entry, match in zip(held, matches, strict=True)]

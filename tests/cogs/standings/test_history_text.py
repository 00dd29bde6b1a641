"""Finished matches and records in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.records.record import Record, replay_record
from bot.model.history import PageKey, PastMatch
from bot.model.ids import MatchId
from bot.model.matches import MatchInfo, MatchKind, MatchStatus
from bot.model.people import Preferences
from bot.model.records import Entry, HeldRecord, RecordKind
from bot.model.statistics import SeatResult
from bot.play.matches.match_records import SharedRecord
from cogs.kit.components import UnknownComponent
from cogs.standings import history_panel as panels
from cogs.standings import history_text as texts
from cogs.standings import records_panel as record_panels
from cogs.standings import records_text as record_texts
from tests.cogs.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    NOW,
    RECORDS,
    button_labels,
    length,
    long_match,
    match_between,
    match_info_of,
    opened_pictures,
    person_id,
    recorded,
    summary_of,
    text_of,
)
from tests.helpers.message_parts import menus_in


def finished_match(
    *names: str, rules: str = "classic", won: int | None = 0, kind: MatchKind = MatchKind.STANDARD
) -> PastMatch:
    """Return a finished match."""
    match = match_between(*names, rules=rules, status=MatchStatus.FINISHED)
    results = tuple(
        SeatResult(2, 1, 85 - 10 * seat, 1, 0, won=None if won is None else seat == won, drawn=won is None)
        for seat, _ in enumerate(names)
    )
    return PastMatch(replace(match, kind=kind, ended_at=NOW), results)


def test_a_line_has_the_result_for_a_person() -> None:
    """The line has the result, the points from deals (their own first), date, channel, and if the match counts."""
    north, south = person_id(0), person_id(1)
    assert texts.line(finished_match("North", "South"), south, "<#5>") == (
        "**Lost** against \u2068North\u2069\n-# 75 – 85 deal points · 21 Nov 2026 · <#5>"
    )
    assert texts.line(finished_match("North", "South", won=None, kind=MatchKind.CASUAL), north, "<#5>") == (
        "**Drawn** against \u2068South\u2069\n-# 85 – 75 deal points · 21 Nov 2026 · <#5> · casual"
    )
    played = finished_match("North", "South")
    assert texts.line(replace(played, has_deals=False), north, "<#5>") == (
        f"{texts.line(played, north, '<#5>')} · doesn't count"
    )
    penalty = finished_match("North", "South", "East", rules="penalty", won=2)
    assert "\n-# 85 – 75 – 65 penalty points · " in texts.line(penalty, north, "<#5>")
    team = finished_match("North", "South", "East", "West", rules="partners")
    assert texts.option(team, south) == "21 Nov 2026: lost, 130 – 150 deal points, North and East"


def page_of(count: int, *names: str, rules: str = "classic") -> panels.Page:
    """Return a page with this many matches of the first person."""
    listed = [
        panels.ListedMatch(finished_match(*names, rules=rules), f"in {LONGEST_NAME}, {LONGEST_NAME}")
        for _ in range(count)
    ]
    key = PageKey(NOW, MatchId(10**6))
    return panels.Page(person_id(0), listed, PageKey(NOW, MatchId(7), newer=True), key)


def test_a_page_fits() -> None:
    """A page with eight matches of four players with the longest names fits, with a menu and both buttons."""
    shown = panels.history(page_of(8, *[LONGEST_NAME] * 4, rules="penalty"), person_id(0), everywhere=True)
    assert length(shown) < MESSAGE_LIMIT
    assert [len(menu.options) for menu in menus_in(shown)] == [8]
    assert button_labels(shown) == ["Newer", "Older"]
    assert "Your matches everywhere" in text_of(shown)
    others = panels.history(page_of(1, "North", "South"), person_id(1), everywhere=False)
    assert "Matches of \u2068North\u2069 on this server" in text_of(others)


def test_an_empty_page_explains_itself() -> None:
    """An empty page tells its owner how to start a match, and everyone else that there is nothing to see."""
    page = panels.Page(person_id(0), [], None, None)
    assert "Start one with `/gin play`" in text_of(panels.history(page, person_id(0), everywhere=False))
    assert "no matches in channels that you can see" in text_of(panels.history(page, person_id(1), everywhere=False))
    back = replace(page, newer=PageKey(NOW, MatchId(7), newer=True))
    assert "no more matches" in text_of(panels.history(back, person_id(0), everywhere=False))


@pytest.mark.parametrize("newer", [False, True])
def test_a_page_key_round_trips(newer: bool) -> None:
    """A page key round-trips with milliseconds, and leaves room for the rest of the custom id."""
    key = PageKey(NOW.replace(microsecond=123_000), MatchId(2**62), newer=newer)
    argument = panels.page_argument(person_id(0), key)
    assert panels.parse_page(argument) == (person_id(0), key)
    assert len(argument) < 80
    assert panels.parse_page("17") == (17, None)


@pytest.mark.parametrize("argument", ["", "x", "1/older", "1/sideways/5/6", "1/older/5", f"1/older/{10**17}/6"])
def test_invalid_page_keys_are_refused(argument: str) -> None:
    """A forged page argument counts as an unknown component."""
    with pytest.raises(UnknownComponent):
        panels.parse_page(argument)


@pytest.mark.nightly
async def test_a_match_opens_with_its_deals_and_its_record() -> None:
    """An opened match lists up to a hundred of its deals, without void ones. Only its players can review it."""
    match = recorded("void-deal")
    summary = summary_of(match, replace(match_info_of(match, MatchStatus.FINISHED), ended_at=NOW))
    async with opened_pictures() as pictures:
        own = await panels.past_match(summary, person_id(0), "<#5>", Preferences(pictures=False), pictures)
        other = await panels.past_match(summary, person_id(9), "<#5>", Preferences(), pictures)
        endless = long_match(120)
        summary = summary_of(endless, replace(match_info_of(endless, MatchStatus.FINISHED), ended_at=NOW))
        long = await panels.past_match(summary, person_id(0), "<#5>", Preferences(pictures=False), pictures)
    assert button_labels(own) == ["Record", "Review", "Versus"]
    assert button_labels(other) == ["Record", "Versus"]
    (deals,) = menus_in(own)
    assert len(deals.options) == sum(deal.is_laid_down for deal in match.finished)
    assert len(other.attached) == 1
    assert "21 Nov 2026 · <#5>" in text_of(own)
    assert length(long) < MESSAGE_LIMIT
    assert len(menus_in(long)) <= 4
    assert len({menu.custom_id for menu in menus_in(long)}) == len(menus_in(long))


def test_a_record_is_a_file_that_replays() -> None:
    """A match's record is a file that names the players and can be replayed; the text says if deals are missing."""
    match = recorded("004-score-sheet")
    info = replace(match_info_of(match, MatchStatus.FINISHED), ended_at=NOW)
    record = Record.parse((RECORDS / "004-score-sheet.gin").read_text(encoding="utf-8"))
    shown = panels.record(SharedRecord(info, record, None))
    (file,) = shown.attached
    assert '[Seat0 "North"]' in file.content.decode()
    assert replay_record(file.content.decode()).score == match.score
    expected = "The record of ⁨North⁩ vs ⁨South⁩: the rules, every deck and every move, as text."
    assert text_of(shown) == expected
    assert "stops before deal 2, because that deal's cards stay hidden" in text_of(
        panels.record(SharedRecord(info, record, 2))
    )


def held_record(kind: RecordKind, *names: str, value: int = 12, match: MatchInfo | None = None) -> HeldRecord:
    """Return a server record of this kind that the first person holds."""
    return HeldRecord(Entry(kind, MatchId(7), 3, 0, value, NOW), match or finished_match(*names).match)


def test_a_record_has_value_names_and_date() -> None:
    """The text has a server record's value, players and date; a comeback names the teams, a streak only the holder."""
    told = {kind: record_texts.record(held_record(kind, "North", "South")) for kind in RecordKind}
    north, south, when = "\u2068North\u2069", "\u2068South\u2069", "21 Nov 2026"
    assert told == {
        RecordKind.FASTEST_GIN: f"12 turns, {north} against {south}, {when}",
        RecordKind.LARGEST_DEAL: f"12 points, {north} against {south}, {when}",
        RecordKind.LONGEST_DEAL: f"12 turns, {north} against {south}, {when}",
        RecordKind.COMEBACK: f"12 points behind, {north} against {south}, {when}",
        RecordKind.STREAK: f"12 won in a row, {north}, {when}",
    }
    team = finished_match("North", "South", "East", "West", rules="partners").match
    assert f"{north} and \u2068East\u2069 against {south} and" in record_texts.record(
        held_record(RecordKind.COMEBACK, match=team)
    )


def test_records_fit() -> None:
    """Even with the longest names, server records fit into a message. Menus have only matches the reader may see."""
    names = [LONGEST_NAME] * 4
    table = {kind: [held_record(kind, match=finished_match(*names, rules="penalty").match)] * 5 for kind in RecordKind}
    shown = record_panels.overview(table, complete=False)
    assert length(shown) < MESSAGE_LIMIT
    assert button_labels(shown) == list(record_texts.NAMES.values())
    assert record_texts.STILL_LOOKING in text_of(shown)
    for kind in RecordKind:
        places = [f"<#{10**18}>", None, f"<#{10**18}>", None, None]
        podium = record_panels.podium(kind, table[kind], places)
        assert length(podium) < MESSAGE_LIMIT
        assert text_of(podium).count("<#") == (0 if kind is RecordKind.STREAK else 2)
        assert len(menus_in(podium)) == (kind is not RecordKind.STREAK)
        assert menus_in(record_panels.podium(kind, table[kind], [None] * 5)) == []
    none = record_panels.overview(dict.fromkeys(RecordKind, ()), complete=True)
    assert record_texts.NOTHING in text_of(none)
    assert button_labels(none) == []

"""Texts about vacant seats, and about matches in which a computer took over a seat."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, Final

import pytest

from bot.engine.deals.moves import DRAW, PASS, Seat, discard
from bot.engine.deals.showdown import LayOff
from bot.engine.matches.actions import Replace
from bot.engine.matches.match import Match, Play, apply, new_match
from bot.engine.matches.replay import replay_view
from bot.engine.matches.views import public_view, showdown_view
from bot.engine.records.record import Record
from bot.engine.rules import Rules
from bot.model.clocks import NO_CLOCK, Clock
from bot.model.matches import MadeCasual, MatchInfo, MatchKind, Replay, Showdown, Table
from bot.model.statistics import Player
from bot.opponent.play.levels import Level
from cardart.text.card_names import ENGLISH
from cogs.showdowns import replay_text as replay_texts
from cogs.showdowns import showdown_text as showdown_texts
from cogs.words import table as texts
from cogs.words import vacancies
from cogs.words.names import FORGOTTEN
from tests.cogs.samples import NOW, RECORDS, just_dealt, match_between, match_info_of
from tests.engine.decks import random_action, random_actions

COMPUTER: Final = Player(None, "Computer", computer=Level.STRONG)
WITH_CLOCK: Final = Clock.parse("1d")


def taken_over(match: MatchInfo, *seats: int, forgotten: bool = False) -> MatchInfo:
    """Return a match in which computers have taken over these seats."""
    leavers = tuple(player if seat in seats and not forgotten else None for seat, player in enumerate(match.players))
    now = tuple(COMPUTER if seat in seats else player for seat, player in enumerate(match.players))
    casual: dict[str, Any] = {"kind": MatchKind.CASUAL, "made_casual": MadeCasual.COMPUTER}
    return replace(match, players=now, leavers=() if forgotten else leavers, **casual)


def takeover_in_mid_turn() -> tuple[Match, Seat]:
    """Return a deal for three in which a computer took over a seat after the draw, and then discarded."""
    match = just_dealt("rotation", 3)
    while not match.playing[0].history or match.playing[0].history[-1] != DRAW:
        (turn,) = match.to_act
        passes = len(match.playing[0].history) < 2
        match = apply(match, Play(turn, PASS if passes else DRAW))
    (seat,) = match.to_act
    match = apply(match, Replace(seat))
    new = match.playing[0].new_card
    assert new is not None
    return apply(match, Play(seat, discard(new))), seat


def test_moves_name_their_player() -> None:
    """Moves before a takeover have the person's name, and later ones the computer's, even within one turn."""
    match, seat = takeover_in_mid_turn()
    info, view = match_info_of(match), public_view(match)
    person = f"⁨{info.players[seat].name}⁩"
    *_, drew, discarded = texts.recent_turns(taken_over(info, seat), view, ENGLISH).splitlines()
    assert person in drew
    assert "⁨Computer⁩" not in drew
    assert "⁨Computer⁩" in discarded
    assert person not in discarded
    pages = texts.history_pages(taken_over(info, seat), view, ENGLISH)
    assert pages[0].count("⁨Computer⁩") == 1


def test_a_replay_names_each_moves_player() -> None:
    """The replay of a finished deal names the person and the computer for their own moves."""
    match, seat = takeover_in_mid_turn()
    rng = Random(1)
    while not match.finished:
        match = apply(match, random_action(match, rng))
    info = match_info_of(match)
    now = taken_over(info, seat)
    view = replay_view(match, 1)
    told, before = (replay_texts.moves(Replay(match_info, view)) for match_info in (now, info))
    person, others = (
        f"⁨{info.players[seat].name}⁩",
        [f"⁨{player.name}⁩" for player in now.players if player is not COMPUTER],
    )
    assert person in told
    assert "⁨Computer⁩" in told
    assert [told.count(other) for other in others] == [before.count(other) for other in others]
    drew = sum(move.move is not None for move in view.moments[1:4])
    assert person in replay_texts.step(Replay(now, view), drew)
    assert "⁨Computer⁩" in replay_texts.step(Replay(now, view), drew + 1)
    assert person in replay_texts.step_in_words(Replay(now, view), 0)
    assert "⁨Computer⁩" in replay_texts.step_in_words(Replay(now, view), view.action_count)


@pytest.mark.parametrize("seat", range(3))
def test_a_takeover_keeps_the_names_of_the_cut_and_dealer(seat: int) -> None:
    """After a takeover in the first deal, the lines about the cut and the dealer still name the same people."""
    match = just_dealt("rotation", 3)
    before = texts.dealt(Table(match_info_of(match), public_view(match), NOW))
    after = apply(match, Replace(Seat(seat)))
    assert texts.dealt(Table(taken_over(match_info_of(match), seat), public_view(after), NOW)) == before
    forgotten = texts.dealt(Table(taken_over(match_info_of(match), seat, forgotten=True), public_view(after), NOW))
    assert FORGOTTEN in forgotten
    assert "⁨Computer⁩" not in forgotten


@pytest.mark.parametrize("name", ["preset-rotation", "preset-penalty", "preset-partners"])
def test_finished_deals_keep_the_persons_name(name: str) -> None:
    """Deals that ended before the takeover name the person; later ones name the computer."""
    record = Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8"))
    complete_match = record.replay()
    for seat in range(complete_match.seats):
        match, early = new_match(record.rules, complete_match.seats), 0
        for action in record.actions:
            match = apply(match, action)
            if not early and match.finished and len(match.playing) == match.format.boards:
                early, match = len(match.finished), apply(match, Replace(Seat(seat)))
        info = match_info_of(match)
        now = taken_over(info, seat)
        for index, deal in enumerate(match.finished):
            view = showdown_view(match, deal.number, deal.board)
            told = showdown_texts.title(view, now) + showdown_texts.hands(Showdown(now, view))
            if index < early:
                assert showdown_texts.title(view, now) == showdown_texts.title(replace(view, takeovers=()), info)
                assert "⁨Computer⁩" not in told
            else:
                assert f"⁨{info.players[seat].name}⁩" not in told
        assert early < len(match.finished)


def test_layoffs_keep_the_persons_name() -> None:
    """Cards that a person laid off before the takeover keep the person's name."""
    steps = islice(random_actions(7, Rules.parse("penalty lay_off_mode=manual"), seats=4), 30_000)
    match = next(after for _, _, after in steps if any(lay_off.seat in after.to_act for lay_off in _lay_offs(after)))
    (seat,) = match.to_act
    info = match_info_of(match)
    before = texts.knock(info, public_view(match), ENGLISH)
    after = texts.knock(taken_over(info, seat), public_view(apply(match, Replace(seat))), ENGLISH)
    assert before is not None
    assert after == before


def _lay_offs(match: Match) -> tuple[LayOff, ...]:
    """Return the cards laid off so far on a knock."""
    knock = match.playing[0].knock if match.playing else None
    return () if knock is None else knock.lay_offs


def test_the_table_names_the_people_for_whom_computers_play() -> None:
    """One line names people replaced by computers, unless their names were deleted, and says if the match is casual."""
    match = replace(match_between("North", "South", "East"), clock=NO_CLOCK)
    assert vacancies.playing_on(match) is None
    line = vacancies.playing_on(taken_over(match, 1)) or ""
    assert "⁨South⁩" in line
    assert "casual" in line
    agreed = replace(taken_over(match, 1), made_casual=None)
    assert "⁨South⁩" in (vacancies.playing_on(agreed) or "")
    assert "casual" not in (vacancies.playing_on(agreed) or "")
    forgotten = taken_over(match, 1, forgotten=True)
    assert "South" not in (vacancies.playing_on(forgotten) or "")
    assert vacancies.playing_on(replace(forgotten, made_casual=None)) is None
    both = vacancies.playing_on(taken_over(match, 0, 1)) or ""
    assert all(name in both for name in ("⁨North⁩", "⁨South⁩"))


@pytest.mark.parametrize("from_start", [True, False])
def test_the_table_says_if_no_clock_runs(from_start: bool) -> None:
    """If a match has a clock and one person plays only against computers, the table says that no time runs."""
    match = replace(match_between("North", "South", "East"), clock=WITH_CLOCK)
    alone = taken_over(match, 1, 2)
    if from_start:
        alone = replace(alone, leavers=(), made_casual=None)
    assert vacancies.CLOCKS_STOPPED in (vacancies.playing_on(alone) or "")
    assert vacancies.CLOCKS_STOPPED not in (vacancies.playing_on(replace(alone, clock=NO_CLOCK)) or "")
    assert vacancies.CLOCKS_STOPPED not in (vacancies.playing_on(taken_over(match, 1)) or "")


@pytest.mark.parametrize("kind", list(MatchKind))
def test_the_question_says_what_changes(kind: MatchKind) -> None:
    """Only in a standard match does the question about a vacant seat say that the match would become casual."""
    match = replace(match_between("North", "South", "East"), kind=kind, vacant_seat=Seat(1), vacant_at=NOW)
    assert ("casual" in vacancies.question(match)) is (kind is MatchKind.STANDARD)

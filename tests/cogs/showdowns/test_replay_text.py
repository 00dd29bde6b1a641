"""A deal as text, move by move, and the labels of deals in autocomplete choices."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.replay import replay_view
from bot.engine.rules import Rules
from bot.model.matches import Replay, Showdown
from cardart import MAX_ACTIONS
from cardart.text import alt_text
from cardart.text.card_names import ENGLISH
from cogs.showdowns import replay_text as texts
from cogs.showdowns import showdown_text
from cogs.showdowns.replay_panel import replay as panel
from cogs.words import cards
from tests.cogs.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    length,
    match_between,
    match_info_of,
    opened_pictures,
    recorded,
    showdowns_of,
)
from tests.engine.decks import random_finished_match
from tests.engine.fair_matches import unfinished_match


def recorded_replay(record: str, number: int, board: int = 1) -> Replay:
    """Return the replay of a deal in a record file."""
    match = recorded(record)
    return Replay(match_info_of(match), replay_view(match, number, board))


def random_replays(rules: str, seats: int, seed: int) -> list[Replay]:
    """Return replays of all finished deals of a random match between people with the longest names."""
    match = random_finished_match(seed, Rules.parse(rules), seats)[1]
    info = match_between(*[f"{seat}{LONGEST_NAME[1:]}" for seat in range(seats)], rules=match.rules)
    views = [showdown.view for showdown in showdowns_of(match) if showdown.view.outcome.kind is not OutcomeKind.VOID]
    return [Replay(info, replay_view(match, view.number, view.board)) for view in views]


def test_the_text_has_a_whole_deal() -> None:
    """A replay's text has the dealt cards, every turn in order, and the showdown, unless the animation shows it."""
    shown = recorded_replay("undercut-by-lay-offs", 1)
    (end,) = showdowns_of(recorded("undercut-by-lay-offs"))
    moves = (
        "**N** ⁨North⁩: A♥ A♠ 2♥ 2♠ 3♥ 3♠ Q♥ K♣ K♦ K♠\n"
        "**S** ⁨South⁩: 4♦ 4♥ 4♠ 5♥ 5♠ 7♦ 8♦ 9♦ 10♦ J♦\n"
        "-# Upcard 9♣\n"
        "1. ⁨North⁩ took 9♣, knocked, discarding Q♥"
    )
    assert texts.moves(shown, with_end=False) == moves
    assert texts.moves(shown) == f"{moves}\n\n{showdown_text.hands(end)}\n{showdown_text.running_score(end)}"


def test_gin_is_not_called_a_knock() -> None:
    """The list of moves and a step say that a player went gin."""
    shown = recorded_replay("undercut-by-lay-offs", 1)
    showdown = shown.view.showdown
    gin = replace(showdown, outcome=replace(showdown.outcome, kind=OutcomeKind.GIN))
    shown = replace(shown, view=replace(shown.view, showdown=gin))
    assert "took 9♣, went gin, discarding Q♥" in texts.moves(shown)
    assert "took 9♣, went gin, discarding Q♥" in texts.step(shown, 2)
    assert "N goes gin, discards Q♥" in alt_text.replay_step(shown.view, 2, ("N", "S"), "en")


@pytest.mark.thorough
@pytest.mark.parametrize(("rules", "seats"), [("classic target=40", 2), ("penalty target=40", 4)])
def test_the_text_has_every_move(rules: str, seats: int) -> None:
    """The text has all moves of a deal in order, with the cards that were taken or discarded."""
    for replay in random_replays(rules, seats, 1):
        text, at = texts.moves(replay, 10**6), 0
        for moment in replay.view.moments[1:]:
            assert moment.move is not None
            move = cards.moved(moment.move, texts.VERBS, ENGLISH)
            assert move in text[at:]
            at = text.index(move, at) + len(move)
        assert "turns …" not in texts.moves(replay) or replay.view.action_count > 100


@pytest.mark.thorough
@pytest.mark.parametrize("matches", [2, pytest.param(6, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    ("rules", "seats"),
    [("straight stock_out=reshuffle target=none deals=2", 2), ("penalty lay_off_mode=manual target=60", 4)],
)
async def test_the_longest_deal_fits_a_message(rules: str, seats: int, matches: int) -> None:
    """The longest deal fits a message: turns in the middle are left out, and the text says how many."""
    all_replays = [replay for seed in range(matches) for replay in random_replays(rules, seats, seed)]
    longest = max(all_replays, key=lambda replay: replay.view.action_count)
    # Drawing is slow, so pass `pictures` only if the deal is too long to draw: the message then says so.
    is_too_long = longest.view.action_count > MAX_ACTIONS
    async with opened_pictures() as pictures:
        message = await panel(longest, pictures if is_too_long else None, shown_by=LONGEST_NAME)
    assert length(message) <= MESSAGE_LIMIT
    text = texts.moves(longest)
    assert len(text) <= texts.MAX_LENGTH
    complete_text = texts.moves(longest, 10**6)
    assert text.startswith(texts.dealt(longest))
    assert complete_text.startswith(texts.dealt(longest))
    assert text[-300:] == complete_text[-300:]
    left_out = re.search(r"-# … (\d+) turns …", text)
    shown = [int(line.partition(".")[0]) for line in text.splitlines() if re.match(r"\d+\. ", line)]
    assert shown == sorted(shown)
    assert (shown == list(range(1, len(shown) + 1))) == (left_out is None)


@pytest.mark.thorough
def test_the_text_mentions_a_reshuffle() -> None:
    """A reshuffle of the stock has a line between the turns."""
    found = [
        texts.moves(random_replay, 10**6) for random_replay in random_replays("penalty knock_limit=0 target=40", 4, 3)
    ]
    assert any("\n-# The stock is reshuffled\n" in text for text in found)


@pytest.mark.parametrize(
    ("record", "index", "label", "number"),
    [
        ("004-score-sheet", 0, "Deal 1: North wins by knocking", "1"),
        ("004-score-sheet", 3, "Deal 4: South goes gin", "4"),
        ("004-score-sheet", 5, "Deal 6: North undercuts", "6"),
        ("preset-strict", 1, "Deal 2: a tie", "2"),
    ],
)
def test_a_completion_says_how_a_deal_ended(record: str, index: int, label: str, number: str) -> None:
    """The autocomplete choice for a deal shows its number and outcome."""
    showdown = showdowns_of(recorded(record))[index]
    assert (texts.completion(showdown), texts.deal_number(showdown.view)) == (label, number)


def test_the_number_of_a_board_follows_its_deal() -> None:
    """The deals of two boards are numbered 1.1 and 1.2. Even the longest names fit into an autocomplete choice."""
    showdowns = showdowns_of(recorded("preset-partners"))
    assert {texts.deal_number(showdown.view) for showdown in showdowns} >= {"1.1", "1.2"}
    assert all(f"board {showdown.view.board}: " in texts.completion(showdown) for showdown in showdowns)
    long = Showdown(match_between(*[LONGEST_NAME] * 4, rules="partners"), showdowns[0].view)
    assert len(texts.completion(long)) <= 100


def test_long_names_give_way_to_monograms() -> None:
    """If a deal does not fit with full names, its turns use monograms instead, which the first lines explain."""
    replay = recorded_replay("004-score-sheet", 4)
    long = Replay(match_between(LONGEST_NAME, f"2{LONGEST_NAME[1:]}"), replay.view)
    turns = [line for line in texts.moves(replay).splitlines() if re.match(r"\d+\. ", line)]
    assert all(re.match(r"\d+\. ⁨(North|South)⁩ ", line) for line in turns)
    short = [line for line in texts.moves(long, 1_100).splitlines() if re.match(r"\d+\. ", line)]
    assert len(short) == len(turns)
    assert all(re.match(r"\d+\. [XY2] ", line) for line in short)


def test_every_step_has_its_turn() -> None:
    """The steps of a replay follow the turns; each step has its moves, and the hands as text."""
    replay = recorded_replay("004-score-sheet", 1)
    moments = replay.view.moments
    assert texts.step(replay, 0).startswith("The cards are dealt. Upcard ")
    assert texts.step(replay, len(moments)) == "Deal 1: ⁨North⁩ wins by knocking, 15 points"
    step_texts = [texts.step(replay, number) for number in range(1, len(moments))]
    for moment, text in zip(moments[1:], step_texts, strict=True):
        assert moment.move is not None
        assert text.endswith(cards.moved(moment.move, texts.VERBS, ENGLISH))
        assert text.startswith("**")
    lines = re.findall(r"^\d+\. (.*)", texts.moves(replay), re.MULTILINE)
    plain = [re.sub(r"\*\*\w+\*\* ", "", text) for text in step_texts]
    assert set(lines) <= set(plain)
    words = texts.step_in_words(replay, 1)
    assert all(card.symbol in words for hand in moments[1].hands for card in hand.cards)
    number, drawn = next((number, moment) for number, moment in enumerate(moments) if moment.least_left is not None)
    step_texts = f", deadwood {drawn.least_left} after the best discard"
    assert step_texts in texts.step_in_words(replay, number)
    assert [texts.step_name(replay, number) for number in (0, 1, len(moments))] == [
        "the cards",
        f"step 1 of {replay.view.action_count}",
        "the showdown",
    ]


def test_a_deal_without_a_showdown_says_how_it_ended() -> None:
    """A deal without a showdown was void or broken off: replay and completions say so, and both hands are shown."""
    match = unfinished_match()
    info = match_info_of(match)
    for number, told in ((1, "void"), (2, "broken off")):
        shown = Replay(info, replay_view(match, number))
        assert texts.completion(Showdown(info, shown.view.showdown)) == f"Deal {number}: {told}"
        assert texts.step(shown, shown.view.action_count + 1) == f"Deal {number}: {told}, nobody scores"
        *_, north, south, last = texts.moves(shown).splitlines()
        assert [line[:5] for line in (north, south)] == ["**N**", "**S**"]
        assert last == f"Deal {number}: {told}, nobody scores"

"""A deal move by move in words, and how deals are offered."""

from __future__ import annotations

import pytest

from bot.engine.replay import replay_view
from bot.engine.rules import Rules
from bot.engine.showdown import OutcomeKind
from bot.values.matches import Replay, Showdown
from cardart.text.card_names import ENGLISH
from cogs.panels.pictures import Pictures
from cogs.panels.replay import replay as panel
from cogs.text import replay as texts
from tests.cogs.text.samples import LONGEST, MOST, card_for, card_of, length, recorded, showdowns_of
from tests.engine.decks import finished


def shown(record: str, number: int, board: int = 1) -> Replay:
    """A deal of a golden record."""
    match = recorded(record)
    return Replay(card_for(match), replay_view(match, number, board))


def replays(rules: str, seats: int, seed: int) -> list[Replay]:
    """Every deal of a random match between people with the longest names."""
    match = finished(seed, Rules.parse(rules), seats)[1]
    card = card_of(*[f"{place}{LONGEST[1:]}" for place in range(seats)], rules=match.rules)
    over = [post for post in showdowns_of(match) if post.view.outcome.kind is not OutcomeKind.VOID]
    return [Replay(card, replay_view(match, post.view.number, post.view.board)) for post in over]


def test_a_deal_is_told_from_the_first_card_to_the_last_point() -> None:
    """Who is dealt what, every turn in order, and the showdown."""
    assert texts.told(shown("undercut-by-lay-offs", 1)) == (
        "**N** ⁨North⁩: A♥ A♠ 2♥ 2♠ 3♥ 3♠ Q♥ K♣ K♦ K♠\n"
        "**S** ⁨South⁩: 4♦ 4♥ 4♠ 5♥ 5♠ 7♦ 8♦ 9♦ 10♦ J♦\n"
        "-# Upcard 9♣ · N takes 9♣, goes out discarding Q♥\n"
        "Deal 1. N knocks with 9, discarding Q♥: run A♥ 2♥ 3♥; run A♠ 2♠ 3♠; set K♣ K♦ K♠; deadwood 9: 9♣. "
        "S lays off 4, undercuts (4♥ on A♥ 2♥ 3♥; 5♥ on A♥ 2♥ 3♥; 4♠ on A♠ 2♠ 3♠; 5♠ on A♠ 2♠ 3♠): "
        "run 7♦ 8♦ 9♦ 10♦ J♦; deadwood 4: 4♦. S scores 5 + 25 = 30. Total: N 0, S 150."
    )


@pytest.mark.parametrize(("rules", "seats"), [("classic target=40", 2), ("penalty target=40", 4)])
def test_every_move_is_told(rules: str, seats: int) -> None:
    """Of usual deals no turn is left out: each card drawn, taken or discarded is named where it was."""
    for replay in replays(rules, seats, 1):
        told, at = texts.told(replay, 10**6), 0
        for moment in replay.view.moments[1:]:
            assert moment.move is not None
            said = texts._did(moment.move, ENGLISH)  # pyright: ignore[reportPrivateUsage]
            assert said in told[at:]
            at = told.index(said, at) + len(said)
        assert texts.told(replay) == told or replay.view.actions > 100


@pytest.mark.parametrize(
    ("rules", "seats"),
    [("straight stock_out=reshuffle target=none deals=2", 2), ("penalty lay_off_mode=manual target=60", 4)],
)
async def test_the_longest_deal_fits_a_message(rules: str, seats: int) -> None:
    """Turns in the middle are left out and counted, so that the beginning, the end and all else are there."""
    pictures = Pictures()
    longest = max((one for seed in range(4) for one in replays(rules, seats, seed)), key=lambda one: one.view.actions)
    message = await panel(longest, pictures, shown_by=LONGEST)
    pictures.close()
    assert length(message) <= MOST
    told = texts.told(longest)
    assert len(told) <= texts.ROOM
    whole = texts.told(longest, 10**6)
    assert told[:300] == whole[:300]
    assert told[-300:] == whole[-300:]
    assert ("turns …" in told) == (len(whole) > texts.ROOM)


def test_a_reshuffle_is_told() -> None:
    """Where the stock came to its end and was reshuffled, the words say so."""
    told = [texts.told(one, 10**6) for one in replays("penalty knock_limit=0 target=40", 4, 3)]
    assert any(" · the stock is reshuffled · " in one for one in told)


@pytest.mark.parametrize(
    ("record", "place", "told", "typed"),
    [
        ("004-score-sheet", 0, "Deal 1: North wins by knocking", "1"),
        ("004-score-sheet", 3, "Deal 4: South goes gin", "4"),
        ("004-score-sheet", 5, "Deal 6: North undercuts", "6"),
        ("preset-strict", 1, "Deal 2: a tie", "2"),
    ],
)
def test_a_deal_is_offered_by_its_end(record: str, place: int, told: str, typed: str) -> None:
    """While somebody types, a deal is called by its number and how it ended."""
    post: Showdown = showdowns_of(recorded(record))[place]
    assert (texts.choice(post), texts.place(post.view)) == (told, typed)


def test_a_board_is_typed_after_its_deal() -> None:
    """Of several boards each has its number, which no name makes too long for a completion."""
    posts = showdowns_of(recorded("preset-partners"))
    assert {texts.place(post.view) for post in posts} >= {"1.1", "1.2"}
    assert all(f"board {post.view.board}: " in texts.choice(post) for post in posts)
    long = Showdown(card_of(*[LONGEST] * 4, rules="partners"), posts[0].view)
    assert len(texts.choice(long)) <= 100

"""The seating of each format, and its scoring of deals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.cards.cards import DECK
from bot.engine.deals.deal import Deal, Seating, start_deal
from bot.engine.deals.moves import RESIGN, Seat
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import Outcome, OutcomeKind
from bot.engine.matches.formats import FORMATS
from bot.engine.matches.match import Play, apply, new_match
from bot.engine.matches.scoring import new_score
from bot.engine.rules import Rules

PLAYERS = {"duel": (2,), "rotation": (3,), "winner_stays": (3,), "partners": (4,), "penalty": (2, 3, 4)}


def rules_of(name: str, changes: str = "") -> Rules:
    preset = {"duel": "classic"}.get(name, name)
    return Rules.parse(f"{preset} {changes}")


def finished_deal(seating: Seating, winner: int | None, points: int = 0, kind: OutcomeKind = OutcomeKind.KNOCK) -> Deal:
    """Return a finished deal that this seat won with these points, or a void deal if there is no winner."""
    end = (
        Outcome(OutcomeKind.VOID) if winner is None else Outcome(kind, winner=Seat(winner), difference=points, boxes=1)
    )
    return replace(start_deal(Rules(), seating, DECK), phase=Phase.DONE, outcome=end)


def played(name: str, *winners: int | None, changes: str = "", seats: int | None = None) -> list[tuple[int, ...]]:
    """Play deals with these winners (None: a void deal). Return each deal's order of play, followed by its dealer.

    The deals of the next round, which are not played, are included.
    """
    rules, form, finished = rules_of(name, changes), FORMATS[name], list[Deal]()
    rows: list[tuple[int, ...]] = []
    remaining = list(winners)
    while True:
        previous = finished[-1] if finished else None
        round_ = form.next_round(rules, seats or PLAYERS[name][0], previous, Seat(0))
        rows += [(*seating.seats, seating.dealer) for seating in round_]
        if not remaining:
            return rows
        finished += [finished_deal(seating, remaining.pop(0)) for seating in round_]


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_has_its_numbers_of_players(name: str) -> None:
    """Each format allows the numbers of players in `PLAYERS`. Only partners play on two boards, in two teams."""
    form = FORMATS[name]
    assert tuple(form.seats) == PLAYERS[name]
    assert form.boards == (2 if name == "partners" else 1)
    sides = form.sides(form.seats[-1])
    assert sides == (((0, 2), (1, 3)) if name == "partners" else tuple((seat,) for seat in range(form.seats[-1])))


@pytest.mark.parametrize(
    ("changes", "dealers"),
    [
        ("", [0, 1, 0, 0, 1]),
        ("next_dealer=loser", [0, 1, 0, 0, 1]),
        ("next_dealer=winner", [0, 0, 1, 1, 0]),
        ("void_redeal=deal_passes", [0, 1, 0, 1, 0]),
        ("void_redeal=deal_passes next_dealer=winner", [0, 0, 1, 0, 0]),
    ],
)
def test_the_next_dealer_in_a_duel(changes: str, dealers: list[int]) -> None:
    """By option, dealers alternate, or the loser or winner deals. After a void deal, the dealer stays or changes."""
    rows = played("duel", 0, 1, None, 0, changes=changes)
    assert [row[2] for row in rows] == dealers
    assert all(row[1] == row[2] != row[0] for row in rows)


def test_in_rotation_the_dealer_sits_out() -> None:
    """In rotation, the dealer sits out and the other two play. After a void deal, the same player deals again."""
    assert played("rotation", 1, 0, None, 0) == [(1, 2, 0), (2, 0, 1), (0, 1, 2), (0, 1, 2), (1, 2, 0)]
    assert played("rotation", None, changes="void_redeal=deal_passes") == [(1, 2, 0), (2, 0, 1)]


def test_the_loser_sits_out_and_deals() -> None:
    """The loser of a deal sits out and deals the next one. After a void deal, the same two players play again."""
    assert played("winner_stays", 2, 0, None, 0) == [(1, 2, 0), (2, 0, 1), (0, 1, 2), (0, 1, 2), (2, 0, 1)]


def test_partners_change_opponents_each_round() -> None:
    """Teams take turns dealing, and opponents swap every round. Void boards do not change this."""
    assert played("partners", 0, 2, None, None, 1, 3) == [
        (1, 0, 0), (3, 2, 2),
        (0, 3, 3), (2, 1, 1),
        (1, 0, 0), (3, 2, 2),
        (0, 3, 3), (2, 1, 1),
    ]  # fmt: skip


def test_at_one_table_the_deal_passes_on() -> None:
    """Players take turns dealing, and the dealer plays too. After a void deal, the same player deals by default."""
    assert played("penalty", 0, None, 2, seats=3) == [(1, 2, 0, 0), (2, 0, 1, 1), (2, 0, 1, 1), (0, 1, 2, 2)]
    passes = played("penalty", 0, None, changes="void_redeal=deal_passes", seats=4)
    assert [row[-1] for row in passes] == [0, 1, 2]


def rounds(*boards: tuple[int | None, int]) -> list[Deal]:
    """Return finished deals of partners with these winners and points, on two boards in each round."""
    pair = (Seat(0), Seat(1)), (Seat(2), Seat(3))
    return [
        finished_deal(Seating(place // 2 + 1, pair[place % 2], pair[place % 2][1], place % 2 + 1), winner, points)
        for place, (winner, points) in enumerate(boards)
    ]


@pytest.mark.parametrize(
    ("boards", "scores", "won"),
    [
        (((0, 20), (2, 15)), (35, 0), (1, 0)),
        (((0, 20), (3, 15)), (5, 0), (1, 0)),
        (((1, 20), (2, 15)), (0, 5), (0, 1)),
        (((0, 15), (3, 15)), (0, 0), (0, 0)),
        (((None, 0), (3, 15)), (0, 15), (0, 1)),
        (((None, 0), (None, 0)), (0, 0), (0, 0)),
    ],
    ids=["both", "split", "split the other way", "equal", "one void", "both void"],
)
def test_a_round_of_partners(
    boards: tuple[tuple[int | None, int], ...], scores: tuple[int, int], won: tuple[int, int]
) -> None:
    """A team that wins both boards scores the sum. If each wins one, the difference goes to the higher score."""
    rules = rules_of("partners")
    score = FORMATS["partners"].add_round(rules, new_score(rules, 2), rounds(*boards))
    assert (score.scores, score.deals_won, score.line) == (scores, won, tuple(20 * count for count in won))


def test_a_void_board_spoils_winning_every_deal() -> None:
    """If the rules require winning every deal for a shutout, one void board prevents it."""
    rules = rules_of("partners", "target=20 shutout=plus_100 shutout_needs=winner_won_all")
    initial_score = new_score(rules, 2)
    assert FORMATS["partners"].add_round(rules, initial_score, rounds((0, 20), (2, 15))).shutout == (100, 0)
    assert FORMATS["partners"].add_round(rules, initial_score, rounds((0, 20), (None, 0))).shutout == (0, 0)


@pytest.mark.parametrize(
    ("name", "seats", "resigns", "winner"),
    [
        ("duel", 2, 0, 1), ("duel", 2, 1, 0),
        ("rotation", 3, 1, None), ("winner_stays", 3, 0, None),
        ("partners", 4, 2, 1), ("partners", 4, 1, 0),
        ("penalty", 2, 1, 0), ("penalty", 3, 1, None), ("penalty", 4, 3, None),
    ],
)  # fmt: skip
def test_the_winner_after_a_resignation(name: str, seats: int, resigns: int, winner: int | None) -> None:
    """After a resignation, the opponent or other team wins. With three or four players on their own, nobody wins."""
    score = apply(new_match(rules_of(name), seats), Play(Seat(resigns), RESIGN)).score
    assert (score.is_over, score.winner, score.margin) == (True, winner, None if winner is None else 0)

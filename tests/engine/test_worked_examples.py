"""The numbered worked examples of the rules of gin rummy, with exact scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.cards.cards import Card, Hand
from bot.engine.cards.melds import Meld, best_arrangement, least_deadwood, melds_in, parse_melds
from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import Verb
from bot.engine.deals.phases import legal_moves
from bot.engine.deals.showdown import Outcome, OutcomeKind, best_response
from bot.engine.errors import IllegalMove, NotationError
from bot.engine.records.record import Record
from bot.engine.to_json import match_to_json
from tests.engine.decks import DEALER, FIRST, POOR_HAND, arrangement, deal, knock_outcome, outcome, played, table

SCORE_SHEET = Path(__file__).parents[1] / "records" / "004-score-sheet.gin"


def cards_laid_off_on(meld: str, hand: str) -> str:
    """Return the cards of a hand that extend a meld, in the order in which they are laid off."""
    response = best_response(Hand.parse(hand), parse_melds(meld), DEALER)
    return " ".join(str(lay_off.card) for lay_off in response.lay_offs)


def scored(end: Outcome) -> tuple[OutcomeKind, int | None, tuple[int, ...], int]:
    """Return the parts of an outcome that the examples state."""
    return end.kind, end.winner, end.deadwood, end.points


def knocks(drawn: Deal) -> dict[str, int]:
    """Return the discards that a player may knock with, and the least deadwood of each."""
    hand = drawn.hands[drawn.turn]
    cards = {move.card for move in legal_moves(drawn) if move.verb is Verb.KNOCK and move.card is not None}
    return {str(card): least_deadwood(hand - card) for card in sorted(cards)}


def test_1_gin_against_eleven() -> None:
    """Gin against 8c8h8s 5d6d7d 4c 4h 2s Ac, a hand with 11 deadwood, scores 36."""
    dealt = deal("Kc Kd Kh 9s Ts Js Qs 2d 3d Qh", "8c 8h 8s 5d 6d 7d 4c 4h 2s Ac", "As", stock="4d")
    end = outcome(played(dealt, "pass", "pass", "draw", "k Qh"))
    assert scored(end) == (OutcomeKind.GIN, FIRST, (0, 11), 36)
    assert str(end.hands[1]) == "5d6d7d 8c8h8s | Ac 2s 4c 4h"


def test_2_a_knock_and_an_undercut() -> None:
    """A knock with 4 against 30 scores 26. A knock with 9 against 3 gives the opponent 6 + 25 points."""
    knock = knock_outcome(arrangement("5c6c7c/KcKdKh/8h9hTh", "4s"), "Jc Qd Ts 2d 2h 2s")
    assert scored(knock) == (OutcomeKind.KNOCK, FIRST, (4, 30), 26)
    undercut = knock_outcome(arrangement("5c6c7c/KcKdKh/8h9hTh", "9s"), "3s 2c 2d 2h")
    assert scored(undercut) == (OutcomeKind.UNDERCUT, DEALER, (9, 3), 31)
    assert (undercut.difference, undercut.bonus) == (6, 25)


def test_3_cards_that_extend_a_meld() -> None:
    """4s5s6s takes 3s, 7s or both, then 2s and 8s. 7c7d7h takes only 7s. A run to a king does not take an ace."""
    assert cards_laid_off_on("4s5s6s", "3s") == "3s"
    assert cards_laid_off_on("4s5s6s", "7s") == "7s"
    assert cards_laid_off_on("4s5s6s", "3s 7s") == "3s 7s"
    assert cards_laid_off_on("4s5s6s", "2s 3s 7s 8s") == "3s 2s 7s 8s"
    assert cards_laid_off_on("4s5s6s", "2s 8s 7h") == ""
    assert Meld.parse("7c7d7h").lay_off_cards() == (Card.parse("7s"),)
    assert Meld.parse("7c7d7h7s").lay_off_cards() == ()
    assert cards_laid_off_on("7c7d7h", "7s 6h 8h") == "7s"
    assert Meld.parse("JhQhKh").lay_off_cards() == (Card.parse("Th"),)
    assert cards_laid_off_on("JhQhKh", "Ah") == ""


def test_4_lay_offs_of_eight_turn_twenty_into_twelve() -> None:
    """The knocker is ahead by 20. The opponent lays off 8 points and loses by 12."""
    end = knock_outcome(arrangement("5c6c7c/KcKdKh/2h3h4h", "2s"), "8c 4s Qd")
    assert least_deadwood(Hand.parse("8c 4s Qd")) - 2 == 20
    assert [str(lay_off.card) for lay_off in end.lay_offs] == ["8c"]
    assert scored(end) == (OutcomeKind.KNOCK, FIRST, (2, 14), 12)


def test_5_the_discard_decides_what_a_knock_leaves() -> None:
    """With 3s4s5s, three nines, three jacks, 7c and As, a knock with 7c leaves 1 deadwood, and with As it leaves 7."""
    dealt = deal("3s 4s 5s 9c 9d 9h Jc Jd Jh 7c", POOR_HAND.replace("4s", "Kd"), "Ks", stock="As")
    drawn = played(dealt, "pass", "pass", "draw")
    leaves = knocks(drawn)
    assert (leaves["7c"], leaves["As"]) == (1, 7)
    assert outcome(played(drawn, "k 7c")).deadwood[0] == 1
    assert outcome(played(drawn, "k As")).deadwood[0] == 7


def test_6_knocking_with_the_nine_leaves_eight() -> None:
    """With 3, 5 and 9 next to eight melded cards, a knock by discarding the 9 leaves 8. No other knock is legal."""
    dealt = deal("Ac 2c 3c 4c Kc Kd Kh Ks 3h 5d", POOR_HAND.replace("2h", "Qs"), "Jd", stock="9s")
    drawn = played(dealt, "pass", "pass", "draw")
    assert str(best_arrangement(drawn.hands[0])) == "Ac2c3c4c KcKdKhKs | 3h 5d 9s"
    assert knocks(drawn) == {"9s": 8}
    assert outcome(played(drawn, "k 9s")).deadwood[0] == 8


def test_7_a_knock_with_three_against_twenty_one() -> None:
    """A knock with 3 against 21 scores 18."""
    end = knock_outcome(arrangement("5c6c7c/KcKdKh/8h9hTh", "3s"), "Qd Js As")
    assert scored(end) == (OutcomeKind.KNOCK, FIRST, (3, 21), 18)


def three_at_a_table(rules: str) -> Deal:
    """Return a deal of three players in which the first knocks with 7h8h9h. The second holds 6h, the third 5h."""
    hands = ("7h 8h 9h Kc Kd Kh Qs", "6h 2c 4d 8s Tc Jd Qc", "5h Ac 3d 4s 6d 9s Js")
    return played(table(*hands, upcard="Qd", stock="As", rules=rules), "draw", "k Qs")


def test_8_a_lay_off_opens_no_place_for_the_next_player() -> None:
    """The second player lays off 6h on 7h8h9h. The third may not add 5h, which counts as deadwood."""
    end = outcome(three_at_a_table("penalty"))
    assert [str(lay_off) for lay_off in end.lay_offs] == ["6h>7h8h9h"]
    assert (end.kind, end.winner, end.deadwood) == (OutcomeKind.KNOCK, FIRST, (1, 44, 38))


def test_8_the_third_player_is_refused() -> None:
    """With manual lay-offs, the third player may lay off 5h on the second's 6h only with `lay_off_chain`."""
    refused = played(three_at_a_table("penalty lay_off_mode=manual"), "l 6h>7h8h9h", "done")
    assert not any(move.verb is Verb.LAY_OFF for move in legal_moves(refused))
    with pytest.raises(IllegalMove):
        played(refused, "l 5h>7h8h9h")
    chained = played(three_at_a_table("penalty lay_off_mode=manual lay_off_chain=on"), "l 6h>7h8h9h", "done")
    assert outcome(played(chained, "l 5h>7h8h9h", "done")).deadwood == (1, 44, 33)


def test_9_the_score_sheet() -> None:
    """Replaying the nine deals of a real match gives its score sheet: running scores, bonuses, totals and margin."""
    sheet = match_to_json(Record.parse(SCORE_SHEET.read_text(encoding="utf-8")).replay())
    running = {0: [0], 1: [0]}
    for row in sheet["deals"]:
        running[row["winner"]].append(running[row["winner"]][-1] + row["points"])
    assert running == {0: [0, 15, 27, 31, 58, 88, 115], 1: [0, 12, 61, 71]}
    assert [(deal["winner"], deal["kind"], deal["deadwood"], deal["points"]) for deal in sheet["deals"]] == [
        (0, "knock", [6, 21], 15),
        (0, "knock", [2, 14], 12),
        (1, "knock", [17, 5], 12),
        (1, "gin", [24, 0], 49),
        (0, "knock", [3, 7], 4),
        (0, "undercut", [4, 6], 27),
        (0, "gin", [0, 5], 30),
        (1, "knock", [11, 1], 10),
        (0, "undercut", [3, 5], 27),
    ]
    assert sheet["scores"] == [115, 71]
    assert sheet["bonuses"] == {"line": [120, 60], "game": [100, 0], "shutout": [0, 0]}
    assert (sheet["totals"], sheet["winner"], sheet["margin"], sheet["resigned"]) == ([335, 131], 0, 204, None)


def test_10_four_of_six_loose_cards_find_a_place() -> None:
    """The knocker has three melds and 8 deadwood. Of six deadwood cards, the opponent lays off four."""
    end = knock_outcome(arrangement("4s5s6s/7c7d7h/9dTdJd", "8h"), "2s 3s Qd 7s Kh 9h Ac 2c 3c 4c")
    assert [str(lay_off) for lay_off in end.lay_offs] == ["3s>4s5s6s", "2s>4s5s6s", "7s>4s5s6s", "Qd>9dTdJd"]
    assert [str(card) for card in end.hands[1].unmatched] == ["9h", "Kh"]
    assert scored(end) == (OutcomeKind.KNOCK, FIRST, (8, 19), 11)


def test_11_no_lay_off_on_deadwood() -> None:
    """2d3d4d takes 5d. Two threes among the knocker's deadwood do not take a third."""
    assert cards_laid_off_on("2d3d4d", "5d") == "5d"
    end = knock_outcome(arrangement("2d3d4d/KcKdKh", "3h 3s"), "3c 5d Qs")
    assert [str(lay_off.card) for lay_off in end.lay_offs] == ["5d"]
    assert [str(card) for card in end.hands[1].unmatched] == ["3c", "Qs"]


@pytest.mark.parametrize(
    ("opponent", "expected"),
    [("2d", (OutcomeKind.KNOCK, FIRST, (1, 2), 1)), ("Ad", (OutcomeKind.UNDERCUT, DEALER, (1, 1), 25))],
)
def test_11_a_tie_undercuts(opponent: str, expected: tuple[OutcomeKind, int, tuple[int, int], int]) -> None:
    """3c4c5c takes 6c. Against a knock with 1, an opponent with 2 loses and an opponent with 1 undercuts."""
    assert cards_laid_off_on("3c4c5c", "6c") == "6c"
    assert scored(knock_outcome(arrangement("3c4c5c/9c9d9h/JcJdJh", "As"), f"6c {opponent} Kh Kd Kc")) == expected


def test_11_the_ace_is_low_and_a_card_has_one_meld() -> None:
    """Ah2h3h takes 4h. Q K A 2 is not a run. An 8 cannot be in 8 8 8 and 7 8 9 simultaneously."""
    assert cards_laid_off_on("Ah2h3h", "4h") == "4h"
    assert melds_in(Hand.parse("Qh Kh Ah 2h")) == ()
    assert least_deadwood(Hand.parse("Qh Kh Ah 2h")) == 23
    assert least_deadwood(Hand.parse("8c 8d 8h 7h 9h")) == 16
    with pytest.raises(NotationError):
        parse_melds("8c8d8h/7h8h9h")


def test_11_ace_three_four_may_knock() -> None:
    """A hand with A 3 4 unmatched has 8 deadwood and may knock."""
    dealt = deal("5c 6c 7c Kc Kd Kh Ks Ad 3h 4s", POOR_HAND.replace("4s", "Qs"), "Jd", stock="Qc")
    drawn = played(dealt, "pass", "pass", "draw")
    assert knocks(drawn)["Qc"] == 8
    assert outcome(played(drawn, "k Qc")).deadwood[0] == 8


def test_12_lay_offs_bring_twenty_four_down_to_four() -> None:
    """Besides two melds, the opponent has 24 deadwood: Jh, 6h and two fours. Jack, six and one four are laid off."""
    opponent = "2c 2d 2h 9c 9d 9s Jh 6h 4d 4s"
    assert least_deadwood(Hand.parse(opponent)) == 24
    dealt = table("Jc Jd Js 7h 8h 9h 5s 6s 7s Qd", opponent, upcard="Kc", stock="Ah")
    end = outcome(played(dealt, "draw", "k Qd"))
    assert {str(lay_off) for lay_off in end.lay_offs} == {"Jh>JcJdJs", "6h>7h8h9h", "4s>5s6s7s"}
    assert str(end.hands[1]) == "2c2d2h 9c9d9s | 4d"
    assert (end.kind, end.winner, end.deadwood) == (OutcomeKind.KNOCK, FIRST, (1, 4))

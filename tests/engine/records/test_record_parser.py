"""Parsing a record's text into headers, actions and line numbers."""

from __future__ import annotations

import pytest

from bot.engine.errors import RecordError
from bot.engine.records.record_parser import RecordParser, parse_whole_number
from tests.engine.decks import GIN_HAND, POOR_HAND, deck

SEED = "0123456789abcdef" * 4
DECK_TEXT = "".join(map(str, deck(GIN_HAND + " Qh", POOR_HAND, "Ks")))


def test_headers_and_actions_have_line_numbers() -> None:
    """Each header and action has the number of the line where it begins, for any line endings. Values are unescaped."""
    parser = RecordParser('[A "x"] ; [B "no"]\r\n\n[C "\\u00e9"]\r\n0 draw\n0\nx\nTd ; end\n1 done')
    assert parser.headers == {"A": ("x", 1), "C": ("é", 3)}
    assert [(str(action), line) for action, line in parser.actions()] == [("0 draw", 4), ("0 x Td", 5), ("1 done", 8)]


@pytest.mark.parametrize(
    "text",
    [
        f"deal 2 dealer=2 seats=0,1 deck={DECK_TEXT} 0 take 0 k Qh 1 m 1 l 8s>5s6s7s 1 done",
        f"deal 1 dealer=1 deck={DECK_TEXT} deal 1 dealer=3 seats=2,3 board=2 deck={DECK_TEXT} 3 m - 3 done",
        "1 k 9c stock 4c9d 0 draw 0 k 10h 4c4d4h/5s6s7s 1 big 1 m 4c4d4h 0 resign",
        "cut 0=7h 1=Kd 2=As 3=2c 0 k 9c - 1 pass",
        f"seed 0 {SEED} seed 1 {SEED} cut 0=7h 1=Kd event=1 deal 1 dealer=1 event=2 deck={DECK_TEXT} 0 take",
        f"cut 0=7h 1=Kd 2=As 3=2c event=1 seed 2 {SEED} from=3 stock 4c9d event=9 reveal 12 {SEED} 1 pass",
    ],
)
def test_actions_are_read_without_separators(text: str) -> None:
    """A move's melds and a reshuffle's cards end where the next action begins."""
    printed = [str(action) for action, _ in RecordParser(text).actions()]
    assert " ".join(printed) == text.replace("10h", "Th")
    assert [str(action) for action, _ in RecordParser(text.replace(" ", "\n")).actions()] == printed


@pytest.mark.parametrize(
    "text",
    [
        *("stock", "0 l", "0 l 8s 5s6s7s", "0 m 4c", "cut 1=7h", "deal", "board=2", "0", "0 x"),
        *("seed", "seed 0", "seed x " + SEED, "seed 0 " + SEED[1:], f"seed 0 {SEED}0", f"seed 0 {SEED[1:]}g"),
        *(f"seed 0 {SEED} from=", f"seed 0 {SEED} from=x", f"seed 0 {SEED} from=2 event=1", f"seed {SEED}"),
        *(
            "reveal",
            "reveal 1",
            f"reveal {SEED}",
            f"reveal x {SEED}",
            f"reveal 1 {SEED[2:]}",
            f"reveal 1 {SEED} from=2",
        ),
        *("cut 0=7h 1=Kd event=", "cut 0=7h 1=Kd event=one", "cut event=1 event=1", "stock 4c9d event=-1"),
        *(f"deal 1 dealer=1 seats=10,0 deck={DECK_TEXT}", f"deal 1 dealer=1 seats=00,1 deck={DECK_TEXT}"),
        *("stock 4c9d from=1", f"deal 1 dealer=1 seats=0,1 board=1 event=2 from=1 deck={DECK_TEXT}"),
    ],
)
def test_text_that_is_not_an_action_is_refused(text: str) -> None:
    """An action with missing, malformed or superfluous parts is refused, and the error names its line."""
    with pytest.raises(RecordError, match=r"^line 2: "):
        list(RecordParser(f"\n{text}").actions())


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("007", 7), ("", None), ("-1", None), ("²", None), ("9" * 10, None)]
)
def test_a_whole_number_is_a_few_ascii_digits(text: str, number: int | None) -> None:
    """Signs, non-ASCII digits and overlong digit strings are not whole numbers."""
    assert parse_whole_number(text) == number


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"seed 0 {SEED}", "'seed' does not begin an action"),
        (f"reveal 1 {SEED}", "'reveal' does not begin an action"),
        ("cut 0=7h 1=Kd event=1", "from record version 3 on, an event is written as event=NUMBER"),
        (f"deal 1 dealer=1 event=1 deck={DECK_TEXT}", "from record version 3 on"),
        ("stock 4c9d event=1", "from record version 3 on"),
        ("cut 0=7h 1=Kd 2=2c 3=3c event=1", "no action has more than 4 such words"),
    ],
)
def test_older_versions_have_no_seeds_and_no_events(text: str, words: str) -> None:
    """Records of version 1 or 2 cannot contain seeds, reveals or events."""
    for version in (1, 2):
        parser = RecordParser(text)
        parser.version = version
        with pytest.raises(RecordError, match=words):
            list(parser.actions())
    assert len(list(RecordParser(text).actions())) == 1

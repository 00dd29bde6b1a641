"""Records: parsing, printing, replaying, and errors."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import DECK, parse_cards
from bot.engine.deals.moves import DRAW, LOSE_ON_TIME, RESIGN, Seat, discard
from bot.engine.errors import MAX_QUOTE_LENGTH
from bot.engine.limits import MAX_MOVES_PER_DEAL
from bot.engine.matches.actions import Action, Cut, Play, PlayerSeed, Replace, Reshuffle, Reveal, Shuffle, TakeBack
from bot.engine.matches.match import Forfeit
from bot.engine.records.record import Record, RecordError, replay_record
from bot.engine.records.record_parser import MAX_HEADER_LENGTH, MAX_WORD_LENGTH
from bot.engine.rules import OPTIONS, Rules
from bot.engine.to_json import match_to_json
from tests.engine.decks import GIN_HAND, POOR_HAND, deck, random_finished_match
from tests.engine.strategies import actions, fair_actions, records, rules, takeovers
from tests.helpers.examples import examples

HEAD = '[Record "1"]\n[Rules "classic target=none deals=3"]\n'
HEAD_V3 = HEAD.replace('[Record "1"]', '[Record "3"]')
HEAD_V4 = HEAD.replace('[Record "1"]', '[Record "4"]')
HEAD_V2 = HEAD.replace('[Record "1"]', '[Record "2"]')
DECK_TEXT = "".join(map(str, deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks")))
DEAL = f"deal 1 dealer=1 deck={DECK_TEXT}\n"
GIN = "0 take 0 k Qh\n"
FRAGMENTS = [
    *(
        '[Record "1"]',
        '[Rules "classic"]',
        '[Rules "penalty"]',
        '[Result "*"]',
        "cut ",
        "deal ",
        "stock ",
        "dealer=",
        "deck=",
    ),
    *(
        "[",
        "]",
        ";",
        '"',
        "\\",
        "=",
        "/",
        "-",
        "\n",
        "\r",
        "\u2028",
        "take ",
        "draw ",
        "pass ",
        "x ",
        "k ",
        "big ",
        "m ",
        "l ",
        "done ",
        "resign ",
        "0 ",
        "1 ",
        "Qh ",
        "Ks>KcKdKh ",
    ),
]
"""Fragments of records, for generating texts that are almost records."""
PLAIN = Record.parse(HEAD + "cut 0=7h 1=2c\n" + DEAL + GIN)


@pytest.mark.thorough
@examples(5, nightly=200)
@given(records)
def test_a_record_round_trips(record: Record) -> None:
    """Every record round-trips, with any names of players."""
    assert Record.parse(str(record)) == record


@given(actions)
def test_an_action_round_trips(action: Action) -> None:
    """Cuts, deals, reshuffles and moves without event numbers round-trip in version 1."""
    assert Record.parse(f"{HEAD}{action}").actions == (action,)


@given(fair_actions)
def test_an_action_of_a_verifiable_match_round_trips(action: Action) -> None:
    """Seeds, reveals and actions with event numbers round-trip in version 3."""
    assert Record.parse(f"{HEAD_V3}{action}").actions == (action,)


@given(takeovers)
def test_a_takeover_round_trips(action: Action) -> None:
    """A takeover round-trips in version 4."""
    assert Record.parse(f"{HEAD_V4}{action}").actions == (action,)


NAMES = ("North", "East", "South", "West")


@pytest.mark.thorough
def test_each_board_has_its_moves_under_its_deal() -> None:
    """A round of two boards prints as two deals, each with its own moves, in whatever order they were played."""
    rules = Rules.parse("partners")
    actions_made, match = random_finished_match(3, rules, 4)
    printed = Record.parse(str(Record(rules, tuple(actions_made))))
    board: Shuffle | None = None
    for action in printed.actions:
        if isinstance(action, Shuffle):
            board = action
        elif isinstance(action, Play):
            assert board is not None
            assert action.seat in (board.seats or ())
    assert Record.parse(str(printed)) == printed
    assert match_to_json(printed.replay()) == match_to_json(match)
    resigned_actions = [*actions_made[: len(actions_made) // 2], Play(Seat(3), RESIGN)]
    assert Record.parse(str(Record(rules, tuple(resigned_actions)))).actions[-1] == resigned_actions[-1]
    assert Record.parse(str(Record(rules, tuple(resigned_actions)))).replay().forfeit == Forfeit(Seat(3), on_time=False)


@pytest.mark.parametrize(
    ("rules", "lines", "seats"),
    [
        ("classic", "", 2),
        ("rotation", "", 3),
        ("partners", "", 4),
        ("penalty", "cut 0=7h 1=2c 2=3c", 3),
        ("penalty", '[Seats "A, B, C, D"]', 4),
        ("penalty", f"deal 1 dealer=3 deck={DECK_TEXT}", 4),
        ("penalty", f"deal 1 dealer=1 seats=2,0,1 deck={DECK_TEXT}", 3),
        ("penalty", f"deal 1 dealer=0 deck={DECK_TEXT} 1 pass 2 pass 3 take", 4),
        ("penalty", f"deal 1 dealer=0 deck={DECK_TEXT} 1 pass 2 pass 0 take", 3),
        ("penalty opening=free", f"deal 1 dealer=1 deck={DECK_TEXT} 0 take", 2),
    ],
)
def test_rules_names_or_actions_give_the_number_of_players(rules: str, lines: str, seats: int) -> None:
    """The number of players follows from the rules or the names, or is the only one for which all actions are legal."""
    text = f'[Record "1"]\n[Rules "{rules}"]\n{lines}'
    assert replay_record(text).seats == Record.parse(text).replay().seats == seats


@pytest.mark.parametrize(
    ("lines", "possible"),
    [
        ("", "2 or 3 or 4"),
        ('[Date "2026-11-21"]', "2 or 3 or 4"),
        ("0 resign", "2 or 3 or 4"),
        (f"deal 1 dealer=0 deck={DECK_TEXT}", "2 or 3 or 4"),
        (f"deal 1 dealer=2 deck={DECK_TEXT}", "3 or 4"),
        (f"deal 1 dealer=2 deck={DECK_TEXT} 1 pass", "3 or 4"),
    ],
)
def test_an_ambiguous_number_of_players_is_refused(lines: str, possible: str) -> None:
    """If neither rules nor record decide the number of players, the error names the header to add."""
    with pytest.raises(RecordError) as caught:
        replay_record(f'[Record "1"]\n[Rules "penalty"]\n{lines}')
    assert str(caught.value) == (
        f"line 2: {possible} players may be playing, and the record does not say how many: "
        'add [Seats "North, South"], with a name for each'
    )


@pytest.mark.parametrize(("rules", "opening"), [("big", "offer_then_free"), ("penalty", "free"), ("classic", "offer")])
def test_a_preset_follows_the_records_version(rules: str, opening: str) -> None:
    """In a record of version 1, a preset has its rules of version 1, even after the record is printed again."""
    before, now = (Record.parse(f'[Record "{version}"]\n[Rules "{rules}"]\n[Seats "A, B"]') for version in (1, 2))
    assert (before.rules.opening, now.rules.opening) == ("offer", opening)
    assert Record.parse(str(before)) == before


@pytest.mark.parametrize("ends", ["\n", "\r", "\r\n"])
def test_all_line_endings_are_accepted(ends: str) -> None:
    """LF, CR and CRLF give the same line numbers in errors, and each ends a comment."""
    text = ends.join((HEAD.replace("\n", ends) + "; a comment", DEAL.strip(), "", "0 take ; the king", "0 draw"))
    with pytest.raises(RecordError, match=r"^line 7: 'draw' is not legal"):
        replay_record(text)


def test_actions_are_applied_as_they_are_read() -> None:
    """An illegal action is the first error, even if unreadable text follows it."""
    text = f"{HEAD}{DEAL}0 draw\nand no more [actions]"
    with pytest.raises(RecordError, match=r"^line 4: 'draw' is not legal"):
        replay_record(text)
    with pytest.raises(RecordError, match=r"^line 5: 'and' does not begin an action"):
        Record.parse(text)


@pytest.mark.nightly
def test_an_endless_deal_is_refused() -> None:
    """An old record may have `MAX_MOVES_PER_DEAL` moves in one deal. A record with more is refused."""
    text = f'[Record "1"]\n[Rules "free_discard"]\n{DEAL}'
    turn = "0 take 0 x Ks 1 take 1 x Ks\n"
    assert len(replay_record(text + turn * (MAX_MOVES_PER_DEAL // 4)).finished[0].history) == MAX_MOVES_PER_DEAL
    with pytest.raises(RecordError, match=rf"^line {MAX_MOVES_PER_DEAL // 4 + 4}: no match has over .*, no deal over"):
        replay_record(text + turn * 50_000)


def test_too_many_actions_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record with more actions than the limit is refused, even if its deals are short."""
    longer = HEAD + DEAL + GIN + DEAL.replace("deal 1 dealer=1", "deal 2 dealer=0")
    monkeypatch.setattr("bot.engine.records.record.MAX_ACTIONS", 3)
    assert replay_record(HEAD + DEAL + GIN).score.scores == (85, 0)
    for read in (replay_record, Record.parse):
        with pytest.raises(RecordError, match=r"^line 5: no match has over 3 actions"):
            read(longer)


@pytest.mark.parametrize(
    "text",
    [
        '[Record "1\\n2"]',
        '[Record "1"]\n[Rules "clas\nsic"]',
        '[Record "1"]\n[Rules "clas\rsic"]',
        '[Record "1"]\n[Rules "clas\\u2028sic"]',
        f'[Record "1"]\n[Rules "{"x" * 500}"]',
        f'[Record "1"]\n[Rules "classic {"x" * 500}=1"]',
        f'[Record "1"]\n[Rules "classic target={"9" * 500}"]',
        '[Record "1"]\n[Rules "classic"]\n[Date "' + "\\n" * 500 + '"]',
        f'[Record "1"]\n[Rules "classic"]\n[Result "{"1" * 500}"]',
        '[Record "1"]\n[Rules "classic"]\n[Date "' + "🂪" * 500 + '\\q"]',
        f'[Record "1"]\n[Rules "classic"]\n[{"X" * 500} "x"]',
        f'[Record "1"]\n[Rules "classic"]\n[{"X" * 500} "x"] [{"X" * 500} "x"]',
        HEAD + DEAL + "0 x " + "7" * 150,
        HEAD + DEAL + "0 " + "x" * 150,
        HEAD + "x" * 500,
        HEAD + f"cut 0=7h {'1' * 150}=7h {'1' * 150}=7h",
        HEAD + f"deal 1 {'a' * 150}=7h b=1 c=1 d=1 e=1",
        HEAD + DEAL + "0 take 0 k Ks 2h4h6h8hTh2s4s6s8s2h4h6h8hTh2s4s6s8s2h4h6h8hTh2s4s6s8s",
        HEAD + DEAL + DEAL,
    ],
)
def test_quotes_are_short_and_on_one_line(text: str) -> None:
    """Errors fit on one line, and no quotation is longer than 80 characters."""
    with pytest.raises(RecordError) as caught:
        replay_record(text)
    message = str(caught.value)
    assert message.isprintable()
    quotations = re.findall(r"'[^']*'", message.partition("; legal: ")[0])
    assert all(len(quotation) <= MAX_QUOTE_LENGTH for quotation in quotations)
    assert len(message.partition(": ")[2].partition(": ")[0]) <= 3 * MAX_QUOTE_LENGTH
    assert not any(character * 100 in message for character in "xX1979🂪7n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[\2", 'a header is written as [Name "value"], with a value of at most 10000 characters'),
        (f'{HEAD}[Seat0 "{"x" * 10_001}"]', "with a value of at most 10000 characters"),
        ("".join(f'[Header{number} "x"]\n' for number in range(1000)), "a record has at most 32 headers"),
        (f"{HEAD}cut {' '.join(f'{seat}=7h' for seat in range(1000))}", "no action has more than 4 such words: '4'"),
        (f"{HEAD}stock {'7h ' * 1000}", "the stock is not reshuffled now"),
        (f"{HEAD}{'x' * 201}", "is longer than any word of a record"),
    ],
)
def test_oversized_parts_are_refused(text: str, words: str) -> None:
    """Headers, words and lists that are longer than their limits are refused."""
    with pytest.raises(RecordError, match=re.escape(words)):
        replay_record(text)


@given(rules)
def test_the_longest_texts_of_a_record_are_within_its_bounds(chosen: Rules) -> None:
    """Rules that name every option take at most a tenth of the maximum length of a header.

    The longest text of a deck is within the maximum length of a word.
    """
    longest = " ".join((chosen.preset, *map(chosen.option_text, OPTIONS)))
    assert len(longest) <= MAX_HEADER_LENGTH // 10
    assert len("deck=" + "10♠" * 52) <= MAX_WORD_LENGTH


def error_of(text: str) -> str:
    """Return the error for a text, or an empty string if it is a record."""
    try:
        replay_record(text)
    except RecordError as error:
        return str(error)
    return ""


@pytest.mark.nightly
@given(st.lists(st.sampled_from(FRAGMENTS) | st.characters(codec="utf-8")).map("".join))
def test_any_text_is_a_record_or_one_line_of_error(text: str) -> None:
    """Any text is either a record or refused with one line of bounded length that begins with a line number."""
    for candidate in (text, HEAD + text, HEAD + DEAL + text):
        error = error_of(candidate)
        assert re.fullmatch(r"|line [1-9]\d*: .{1,2000}", error)
        assert error.isprintable()


@pytest.mark.parametrize(
    "text",
    [
        (HEAD + "cut 0=7h 1=2c\n" + DEAL + GIN).replace("\n", "\r\n"),
        (HEAD + "cut 0=7h 1=2c\n" + DEAL + GIN).replace("\n", " "),
        HEAD
        + '; why [this] "is" no header\ncut;one\n1=2c ; two\n0=7H\n'
        + DEAL.replace(" ", "\n")
        + "0\ntake\n0\nk\nQh;end",
        HEAD + "CUT 0=7♥ 1=2♣ " + DEAL.upper() + "0 TAKE 0 K QH",
        HEAD + "cut 0=7h 1=2c\n" + DEAL.replace("Td", "10d").replace("Ts", "10♠") + GIN,
        HEAD + "cut 0=7h 1=2c\n" + DEAL + "0 take 0 k Qh KsKhKdKc/6d5d4d/3c2cAc",
        HEAD.replace("[", " [ ").replace("]", " ] ").replace("Rules ", "Rules\t\n") + "cut 0=7h 1=2c\n" + DEAL + GIN,
        f"{PLAIN}",
    ],
    ids=["CRLF", "one line", "comments", "upper case", "tens", "melds in any order", "spaced headers", "printed"],
)
def test_many_spellings_give_the_same_match(text: str) -> None:
    """Line ends, comments, case, alternative spellings and the order of melds do not change the match."""
    assert Record.parse(text).replay() == PLAIN.replay()


def test_the_cut_may_be_missing() -> None:
    """Without a cut, the first deal may name either dealer."""
    match = Record.parse(HEAD + DEAL + GIN).replay()
    assert match.cut is None
    assert match.finished == PLAIN.replay().finished


@pytest.mark.parametrize(
    ("headers", "names"),
    [
        ('[Seats "A, B"]', ("A", "B")),
        ('[Seats " North ,South"]', ("North", "South")),
        ('[Seat1 "B"] [Seat0 "A"]', ("A", "B")),
        ('[Seat0 "a, \\"b\\" \\u00e9 ; ]"]\n[Seat1 "\\ud83c\\udcaa\\n\\\\"]', ('a, "b" é ; ]', "🂪\n\\")),
        ('[Seat0 ""] [Seat1 ""]', ("", "")),
    ],
)
def test_players_are_named_in_one_header_or_in_two(headers: str, names: tuple[str, ...]) -> None:
    """Names come from a header `Seats`, separated by commas, or from a header for each seat, with JSON escapes."""
    record = Record.parse(HEAD + headers)
    assert record.names == names
    assert Record.parse(str(record)) == record


def test_records_print_in_one_form() -> None:
    """Headers print in a fixed order and form, and a turn prints on one line."""
    record = Record(PLAIN.rules, PLAIN.actions, ("A", 'B "b"'), date(2026, 11, 21), ())
    assert str(record) == (
        '[Record "1"]\n[Rules "classic target=none deals=3"]\n[Seat0 "A"]\n[Seat1 "B \\"b\\""]\n[Date "2026-11-21"]\n'
        f'[Result "*"]\ncut 0=7h 1=2c\n{DEAL}0 take 0 k Qh\n'
    )


@pytest.mark.parametrize(
    ("record", "version"),
    [
        (PLAIN, 1),
        (replace(PLAIN, actions=(*PLAIN.actions[:2], Play(Seat(0), LOSE_ON_TIME))), 2),
        (replace(PLAIN, commit=bytes(32)), 3),
        (replace(PLAIN, commit_message=(1, 2)), 3),
        (replace(PLAIN, actions=(PlayerSeed(Seat(0), bytes(32)),)), 3),
        (replace(PLAIN, actions=(Reveal(1, bytes(32)),)), 3),
        (replace(PLAIN, actions=(Cut(parse_cards("7h2c"), 1),)), 3),
        (replace(PLAIN, actions=(Shuffle(1, Seat(0), DECK, event=1),)), 3),
        (replace(PLAIN, actions=(Reshuffle(DECK, 1), Play(Seat(0), LOSE_ON_TIME))), 3),
        (replace(PLAIN, actions=(Replace(Seat(2)),)), 4),
        (replace(PLAIN, actions=(Reveal(1, bytes(32)), Replace(Seat(2)), Play(Seat(0), LOSE_ON_TIME))), 4),
        (replace(PLAIN, actions=(Replace(Seat(2)), TakeBack(Seat(0)))), 5),
    ],
)
def test_a_record_is_written_in_the_lowest_version_that_can_hold_it(record: Record, version: int) -> None:
    """A record is written in the lowest version that can hold it, so that older programs can read it."""
    assert str(record).startswith(f'[Record "{version}"]\n')
    assert Record.parse(str(record)) == record


def test_a_commitment_is_named_with_its_message() -> None:
    """In version 3, headers hold the commitment and the ids of the message and channel in which it was posted."""
    headers = f'[Commit "{"0A" * 32}"]\n[CommitMessage "18446744073709551615/1"]\n'
    record = Record.parse(HEAD_V3 + headers)
    assert (record.commit, record.commit_message) == (bytes([10] * 32), (18446744073709551615, 1))
    assert headers.lower() in str(record).lower()


def test_a_seed_during_a_turn_prints_on_its_own_line() -> None:
    """A turn prints on one line unless another action comes in between."""
    drawn, given, thrown = Play(Seat(0), DRAW), PlayerSeed(Seat(1), bytes(32), 3), Play(Seat(0), discard(DECK[0]))
    assert str(Record(PLAIN.rules, (drawn, given, thrown))).endswith(f"]\n0 draw\nseed 1 {'00' * 32} from=3\n0 x Ac\n")
    assert str(Record(PLAIN.rules, (drawn, thrown))).endswith("]\n0 draw 0 x Ac\n")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD + f'[Commit "{"0" * 64}"]', 3, "there is no header 'Commit'"),
        (HEAD_V2 + '[CommitMessage "1/2"]', 3, "there is no header 'CommitMessage'"),
        (HEAD_V3 + '[Commit "xyz"]', 3, "'xyz' is not a commitment: 64 hexadecimal digits"),
        (HEAD_V3 + f'[Commit "{"0" * 63}g"]', 3, "is not a commitment"),
        (HEAD_V3 + '[CommitMessage "1"]', 3, "'1' is not a message: write CHANNEL/MESSAGE"),
        (HEAD_V3 + '[CommitMessage "1/0"]', 3, "is not a message"),
        (HEAD_V3 + f'[CommitMessage "1/{"9" * 21}"]', 3, "is not a message"),
        ("", 1, "header [Record] is missing"),
        ("; nothing here\n", 1, "header [Record] is missing"),
        ('[Record "1"]', 1, "header [Rules] is missing"),
        ('\n[Record "6"]\n[Rules "classic"]', 2, "record version '6' is not known here, only 1, 2, 3, 4 and 5"),
        ('[Record "0"]', 1, "version"),
        ('[Record "²"]', 1, "version"),
        ('[Record "1.0"]', 1, "version"),
        (f'[Record "{"9" * 5000}"]', 1, "version"),
        ('[Record "1"]\n[Record "1"]', 2, "twice"),
        ('[Record "1"]\n[Rules "clasic"]', 2, "'clasic' is not a preset"),
        ('[Record "1"]\n[Rules "classic gin_bonus=x"]', 2, "'gin_bonus=x'"),
        ('[Record "1"]\n[Rules "classic cards_dealt=7"]', 2, "format=penalty"),
        ('[Record "1"]\n[Rules classic]', 2, 'a header is written as [Name "value"]'),
        ('[Record "1"]\n[Rules "classic"', 2, "a header is written"),
        ('[Record "1"]\n[Rules "cl\\assic"]', 2, "JSON"),
        (HEAD + '[Colour "red"]', 3, "no header 'Colour'"),
        (HEAD + '[Seats "A"]', 3, "not for 1 players"),
        (HEAD + '[Seats "A, B, C"]', 3, "not for 3 players"),
        (HEAD + '[Seat1 "B"]', 3, "[Seat0]"),
        (HEAD + '[Seats "A, B"]\n[Seat0 "A"]', 4, "Seat0"),
        (HEAD + '[Date "yesterday"]', 3, "[Date]"),
        *(
            (HEAD + f'[Date "{day}"]', 3, "is not a date: write 2026-11-21")
            for day in ("20261121", "2026-W47-6", "2026W476", "2026-11-31", "2026-1-2", " 2026-11-21", "２０２６-11-21")
        ),
        (HEAD + '[Result "won"]', 3, "not a result"),
        (HEAD + '[Result "0335-131"]', 3, "not a result"),
        (HEAD + '[Result "٣-1"]', 3, "not a result"),
        (HEAD + '[Seat٠ "A"]', 3, "there is no header"),
        (HEAD + "stoc\u212a 4c9d", 3, "does not begin an action"),
        (HEAD + DEAL + "0 take 0 \u212a Qh", 4, "is not a move"),
        (HEAD + DEAL.replace("deck", "dec\u212a"), 3, "a deal is written"),
        (HEAD + DEAL + '[Date "2026-11-21"]', 4, "after the first action"),
        (HEAD + "]", 3, "a header is written"),
        (HEAD + "draw", 3, "'draw' does not begin an action"),
        (HEAD + "² draw", 3, "'²' does not begin an action"),
        (HEAD + "stock 4c9d", 3, "the stock is not reshuffled now"),
        (HEAD_V3 + "replace 0", 3, "'replace' does not begin an action"),
        (HEAD_V4 + "replace", 3, "the takeover of a seat is written as replace SEAT"),
        (HEAD_V4 + "replace 0", 3, "'replace 0' is not legal: only a table of three or four allows it"),
        (HEAD + "stock", 3, "a reshuffle is written"),
        (HEAD + "stock 4c9x", 3, "'9x' is not a card"),
        (HEAD + "\x00\x01\x02", 3, "does not begin an action"),
        (HEAD + "cut", 3, "each of the 2 seats"),
        (HEAD + "cut 0=7h", 3, "each of the 2 seats"),
        (HEAD + "cut 0=7h 1=7h", 3, "all different"),
        (HEAD + "cut 0=7h 2=8h", 3, "a cut is written"),
        (HEAD + "cut 0=7h 0=8h", 3, "twice"),
        (HEAD + "cut 0=7h 1=Zh", 3, "'Zh' is not a card"),
        (HEAD + "cut 0=7h 1=2c\ncut 0=7h 1=2c", 4, "the cut comes once"),
        (HEAD + "cut 0=2h 1=7c\n" + DEAL, 4, "0 deals"),
        (HEAD + "deal", 3, "a deal is written"),
        (HEAD + f"deal dealer=1 deck={DECK_TEXT}", 3, "a deal is written"),
        (HEAD + f"deal 1 deck={DECK_TEXT}", 3, "a deal is written"),
        (HEAD + f"deal 1 dealer=1 seats=1,0 deck={DECK_TEXT}", 3, "seats=0,1 play"),
        (HEAD + f"deal 1 dealer=1 seats=0;1 deck={DECK_TEXT}", 3, "a deal is written"),
        (HEAD + f"deal 1 dealer=1 seats=0, deck={DECK_TEXT}", 3, "a deal is written"),
        (HEAD + f"deal 1 dealer=1 board=2 deck={DECK_TEXT}", 3, "no deal is due on that board"),
        (HEAD + f"deal 1 dealer=1 colour=red deck={DECK_TEXT}", 3, "a deal is written"),
        (HEAD + f"deal ² dealer=1 deck={DECK_TEXT}", 3, "a deal is written"),
        (HEAD + f"deal 2 dealer=1 deck={DECK_TEXT}", 3, "deal 1 is next"),
        (HEAD + f"deal 1 dealer=2 deck={DECK_TEXT}", 3, "0 or 1 deals"),
        (HEAD + f"deal 1 dealer=1 deck={DECK_TEXT[2:]}", 3, "52 different cards"),
        (HEAD + f"deal 1 dealer=1 deck={DECK_TEXT[2:]}{DECK_TEXT[2:4]}", 3, "is there twice"),
        (HEAD + DEAL + DEAL, 4, "a deal is in play"),
        (HEAD + "0 draw", 3, "the cards are not dealt"),
        (HEAD + DEAL + "0", 4, "seat 0 has no move"),
        (HEAD + DEAL + "0 fold", 4, "'fold' is not a move"),
        (HEAD + DEAL + "1 pass", 4, "it is the turn of 0; legal: 0 pass, 0 take, resign by any seat"),
        (HEAD + DEAL + "7 pass", 4, "it is the turn of 0"),
        (HEAD + DEAL + "7 resign", 4, "'7 resign' is not legal"),
        (HEAD + DEAL + "0\n\ndraw", 4, "'draw' is not legal"),
        (HEAD + DEAL + "0 pass 1 pass\n0 take", 5, "all players passed the upcard"),
        (HEAD + DEAL + "0 x Qh", 4, "the upcard is taken or passed first; legal: pass, take"),
        (HEAD + DEAL + "0 take 0 draw", 4, "discard or knock"),
        (HEAD + DEAL + "0 take\n0 x 2h", 5, "2h is not in the hand"),
        (HEAD + DEAL + "0 take\n0 x Ks", 5, "Ks was taken from the pile in this turn"),
        (HEAD + DEAL + "0 take\n0 k Ks", 5, "Ks was taken from the pile in this turn"),
        (HEAD + DEAL + "0 take\n0 k Ac", 5, "it would leave 15, and the knock limit is 10"),
        (HEAD + DEAL + "0 take\n0 k Qh KcKdKhKs", 5, "these melds"),
        (HEAD + DEAL + "0 take\n0 k Qh 9c9d9h", 5, "these melds"),
        (HEAD + DEAL + "0 take\n0 k Qh 9c9d9x", 5, "'9x' is not a card"),
        (HEAD + DEAL + "0 take\n0 big", 5, "'big' is not legal"),
        (HEAD + DEAL + "0 take\n0 x", 5, "not a whole move"),
        (HEAD + DEAL + GIN + "1 draw", 5, "the cards are not dealt"),
        (HEAD + DEAL + "1 resign\n0 take", 5, "the match is over"),
        (HEAD + DEAL + "1 resign\n1 resign", 5, "'1 resign' is not legal"),
        (HEAD + DEAL + "0 time", 4, "a record of version 1 has no 'time'"),
        (HEAD_V2 + DEAL + "1 time", 4, "only a seat whose turn it is can lose on time"),
        (HEAD_V2 + DEAL + "0 time\n1 draw", 5, "the match is over"),
        (HEAD + '[Result "60-0"]\n' + DEAL + GIN, 3, "'60-0' is not what the moves lead to: '*'"),
        (HEAD + '[Result "*"]\n' + DEAL + "1 resign", 3, "'*' is not what the moves lead to: '0-0'"),
        (HEAD.replace("deals=3", "deals=1") + '[Result "1-0"]\n' + DEAL + GIN, 3, "'205-0'"),
        (HEAD.replace("deals=3", "deals=1") + '[Result "205-0-0"]\n' + DEAL + GIN, 3, "'205-0'"),
    ],
)
def test_a_bad_record_is_refused_with_its_line(text: str, line: int, words: str) -> None:
    """A record that cannot be parsed or replayed is refused with its line and the reason, in one line of text."""
    with pytest.raises(RecordError) as caught:
        Record.parse(text).replay()
    message = str(caught.value)
    assert message.startswith(f"line {line}: ")
    assert words in message
    assert message.isprintable()


def test_a_result_is_checked() -> None:
    """The header with the result must have the totals of a finished match, or `*` for an unfinished one."""
    Record.parse(HEAD + '[Result "*"]\n' + DEAL + GIN).replay()
    Record.parse(HEAD.replace("deals=3", "deals=1") + '[Result "205-0"]\n' + DEAL + GIN).replay()
    Record.parse(HEAD + '[Result "0-0"]\n' + DEAL + "1 resign").replay()
    Record.parse(HEAD_V2 + '[Result "0-0"]\n' + DEAL + "0 time").replay()


@pytest.mark.thorough
def test_the_golden_score_sheet_cannot_be_altered(golden: str) -> None:
    """Changing any discard, even that of a knock, makes the golden record invalid."""
    lines = golden.splitlines()
    turns = [index for index, text in enumerate(lines) if text[:2] in ("0 ", "1 ")]
    for index in turns:
        words = lines[index].split()
        for place, word in enumerate(words):
            if word in ("x", "k"):
                card = "Ac" if words[place + 1] != "Ac" else "Kd"
                altered = " ".join((*words[: place + 1], card, *words[place + 2 :]))
                with pytest.raises(RecordError):
                    Record.parse("\n".join((*lines[:index], altered, *lines[index + 1 :]))).replay()


@pytest.fixture
def golden() -> str:
    """Return the text of the golden record `004-score-sheet.gin`."""
    return (Path(__file__).parents[2] / "records" / "004-score-sheet.gin").read_text(encoding="utf-8")

"""The audit of a verifiable match's record detects every way in which the host can cheat."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from bot.engine.__main__ import main
from bot.engine.deals.moves import RESIGN, Seat
from bot.engine.errors import RecordError
from bot.engine.fairness.audit import SeedKind, audit
from bot.engine.fairness.event_log import MAX_DIFFERENCES
from bot.engine.fairness.fair import HOUSE_TEXT, NOT_POSTED_TEXT, player_seed
from bot.engine.limits import MAX_SEEDS
from bot.engine.matches.actions import Play, PlayerSeed, Reveal, Shuffle
from bot.engine.records.record import Record
from bot.engine.rules import Rules
from bot.engine.to_json import audit_to_json
from tests.engine.cheats import (
    CHAIN,
    CHEATS,
    PARTNERS,
    WORDS,
    Forgery,
    arguments,
    card_swapped,
    change_left_out,
    change_not_given,
    forged_under_the_commitment,
    honest_match,
    new_table,
    script_answer,
    whole_record_forged,
    with_cards,
    words_not_given,
)
from tests.engine.fair_matches import FairMatch, Table
from tests.helpers.cases import thorough_after


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheating_host_is_found(name: str) -> None:
    """Given the real commitment and words, audit and verify.py answer `wrong`, and the audit names the fault."""
    cheat, what = CHEATS[name]
    forgery = cheat()
    found = audit(Record.parse(str(forgery.record)), forgery.commit, forgery.words)
    assert found.answer == "wrong"
    assert what in [difference.what for difference in found.differences]
    assert script_answer(forgery.record, forgery.commit, forgery.words) == "wrong"


def test_the_program_prints_the_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line prints the audit of a cheating host and exits with code 1."""
    forgery = card_swapped(3)
    assert main(["verify", *arguments(forgery, tmp_path)]) == 1
    found = audit(Record.parse(str(forgery.record)), forgery.commit, forgery.words)
    assert found.differences
    assert json.loads(capsys.readouterr().out) == audit_to_json(found)


@pytest.mark.parametrize(
    "forge", [whole_record_forged, words_not_given, change_not_given, change_left_out, forged_under_the_commitment]
)
def test_a_record_alone_is_at_most_consistent(forge: Callable[[], Forgery]) -> None:
    """Without the real commitment and words, a forgery that fits its own seeds is `consistent`."""
    forgery = forge()
    expected = "wrong" if forge is forged_under_the_commitment else "consistent"
    assert audit(forgery.record).answer == expected
    assert script_answer(forgery.record, None, {}) == expected


def test_a_difference_includes_the_expected_cards() -> None:
    """Each event with wrong cards is reported with its line and the cards that the seeds give."""
    forgery = card_swapped(3)
    deck = str(
        next(action for action in honest_match().actions if isinstance(action, Shuffle) and action.event == 3)
    ).split("deck=")[1]
    found = audit(Record.parse(str(forgery.record)), forgery.commit, forgery.words)
    (difference,) = found.differences
    lines = str(forgery.record).splitlines()
    assert difference.line is not None
    assert lines[difference.line - 1].endswith(f"event=3 deck={difference.found}")
    assert (difference.event, difference.expected[:4]) == (3, difference.found[2:4] + difference.found[:2])
    assert difference.expected[4:] == difference.found[4:]
    assert difference.expected == deck
    assert found.checked == tuple(range(1, 6))


def test_the_audit_continues_after_illegal_moves() -> None:
    """The audit reports a deck that was changed after the match, even if the changed cards make later moves illegal."""
    match = honest_match()
    actions = [
        with_cards(action, lambda cards: cards[::-1]) if isinstance(action, Shuffle) and action.number == 2 else action
        for action in match.actions
    ]
    forged = replace(match.record, actions=tuple(actions))
    with pytest.raises(RecordError):
        forged.replay()
    found = audit(forged, CHAIN.commitment, match.words)
    assert [(difference.event, difference.what) for difference in found.differences] == [
        (3, "the cards are not what the seeds give")
    ]
    assert script_answer(forged, CHAIN.commitment, match.words) == "wrong"


def test_the_commitment_and_all_words_give_ok() -> None:
    """The answer is `ok` only with the commitment and the words of every seat, otherwise `consistent`."""
    match = honest_match()
    answers = {
        (commit is not None, seats): (
            audit(match.record, commit, words).answer,
            script_answer(match.record, commit, words),
        )
        for commit in (None, CHAIN.commitment)
        for seats in ((), (0,), (1,), (0, 1))
        for words in [{seat: match.texts[seat] for seat in seats}]
    }
    assert answers.pop((True, (0, 1))) == ("ok", "ok")
    assert {*answers.values()} == {("consistent", "consistent")}


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ({0: ["north"], 1: ["süd ♠"]}, "seed 2 of seat 0 is not what was given"),
        ({0: ["changed", "north"], 1: ["süd ♠"]}, "seed 1 of seat 0 is not what was given"),
        ({0: ["north", "changed", "more"], 1: ["süd ♠"]}, "seed 3 of seat 0 is not what was given"),
        ({0: ["north", "changed"], 1: ["süd ♠ "]}, "seed 1 of seat 1 is not what was given"),
    ],
)
def test_words_are_compared_in_their_order(words: Mapping[int, Sequence[str]], what: str) -> None:
    """If the given words of a seat are incomplete, changed or in another order, the answer is `wrong`."""
    record = honest_match().record
    found = audit(record, CHAIN.commitment, words)
    assert (found.answer, found.differences[0].what) == ("wrong", what)
    assert script_answer(record, CHAIN.commitment, words) == "wrong"


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("seat", [2, 7, -1])
def test_texts_for_a_seat_that_does_not_exist_are_refused(seat: int, named: bool) -> None:
    """Words for a seat that the match does not have are an error, not the answer `wrong`."""
    record = honest_match().record if named else replace(honest_match().record, names=())
    with pytest.raises(RecordError, match=f"no seat {seat}: its seats are 0 to 1"):
        audit(record, CHAIN.commitment, {seat: ["north"]})


@pytest.mark.parametrize("named", [True, False])
def test_a_seat_without_a_seed_is_not_a_mistake_of_the_checker(named: bool) -> None:
    """If the host left a seat's seed out of the record, an audit with that seat's words is `wrong`, not an error."""
    actions = [action for action in honest_match().actions if not (isinstance(action, PlayerSeed) and action.seat == 1)]
    record = replace(honest_match().record, actions=tuple(actions), names=honest_match().record.names if named else ())
    assert audit(record, CHAIN.commitment, {1: ["süd ♠"]}).answer == "wrong"
    assert script_answer(record, CHAIN.commitment, {1: ["süd ♠"]}) == "wrong"


def test_seeds_are_classified_by_their_text() -> None:
    """Seeds made from the message id, `HOUSE_TEXT` or `NOT_POSTED_TEXT` are recognized. All others count as words."""
    table = Table(Rules.parse("penalty"), ["1190000000000000002", HOUSE_TEXT, NOT_POSTED_TEXT, "house "], CHAIN)
    found = audit(table.fair_match.record)
    kinds = [SeedKind.MESSAGE, SeedKind.HOUSE, SeedKind.NONE, SeedKind.WORDS]
    assert [seed.kind for (seed,) in found.seeds] == kinds
    assert [seed.kind for (seed,) in audit(replace(table.fair_match.record, commit_message=None)).seeds] == [
        SeedKind.WORDS,
        *kinds[1:],
    ]


def test_events_with_secret_seeds_are_sealed() -> None:
    """Events with secret seeds are sealed, not faulty. Before the first reveal, the answer is only `consistent`."""
    table = new_table()
    table.apply_chance()
    answers = [audit(table.fair_match.record, CHAIN.commitment, table.fair_match.words)]
    table.play(Random(1), 1)
    table.apply_chance()
    answers.append(audit(table.fair_match.record, CHAIN.commitment, table.fair_match.words))
    assert [(answer.answer, answer.checked, answer.sealed, answer.withheld) for answer in answers] == [
        ("consistent", (), (1,), ()),
        ("ok", (1, 2), (3,), ()),
    ]


def without_reveals(match: FairMatch, first_hidden: int) -> Record:
    """Return a match's record without the reveals of this event and all later events."""
    kept = [action for action in match.actions if not isinstance(action, Reveal) or action.event < first_hidden]
    return replace(match.record, actions=tuple(kept))


@pytest.mark.parametrize(("since", "checked", "withheld"), [(5, (1, 2, 3, 4), (5,)), (2, (1,), (2, 3, 4, 5))])
def test_seeds_that_are_withheld_leave_it_consistent(since: int, checked: Any, withheld: Any) -> None:
    """If the seed of a finished deal is not revealed, the answer is `consistent` instead of `ok`."""
    match = honest_match()
    record = without_reveals(match, since)
    found = audit(record, CHAIN.commitment, match.words)
    assert (found.answer, found.checked, found.withheld) == ("consistent", checked, withheld)
    assert script_answer(record, CHAIN.commitment, match.words) == "consistent"


def test_secret_seeds_of_an_earlier_round_are_withheld() -> None:
    """A seed that is still secret after the next round was dealt is reported as withheld, even during the match."""
    table = new_table()
    table.play(Random(1), 2)
    table.apply_chance()
    record = without_reveals(table.fair_match, 3)
    found = audit(record, CHAIN.commitment, table.fair_match.words)
    assert (found.answer, found.sealed, found.withheld) == ("consistent", (3, 4), (3,))
    assert script_answer(record, CHAIN.commitment, table.fair_match.words) == "consistent"


def test_a_later_seed_gives_the_earlier_ones() -> None:
    """The last seed of a match is enough to check all its events."""
    match = honest_match()
    actions = [action for action in match.actions if not isinstance(action, Reveal) or action.event == 5]
    record = replace(match.record, actions=tuple(actions))
    found = audit(record, CHAIN.commitment, match.words)
    assert (found.answer, found.checked) == ("ok", (1, 2, 3, 4, 5))
    assert script_answer(record, CHAIN.commitment, match.words) == "ok"


@pytest.mark.parametrize(
    ("rules", "seats"), thorough_after(1, [("classic target=none deals=2", 2), (str(PARTNERS), 4)])
)
def test_a_truncated_record_is_not_a_fault(rules: str, seats: int) -> None:
    """A record cut off after any action, in the order of play or printed board by board, is never `wrong`."""
    match = honest_match(Rules.parse(rules), seats, 2)
    words = dict(enumerate(WORDS[:seats]))
    for end in range(0, len(match.actions), 7):
        actions = match.actions[:end]
        seats_given = [action for action in actions if isinstance(action, PlayerSeed)]
        texts = {
            seat: [text] for seat, text in words.items() if any(given_seed.seat == seat for given_seed in seats_given)
        }
        if any(given_seed.counts_from for given_seed in seats_given):
            texts[0].append("changed")
        record = replace(match.record, actions=actions, result=())
        for written in (record, Record.parse(str(record))):
            found = audit(written, CHAIN.commitment, texts)
            assert found.differences == ()
            assert found.answer == ("ok" if found.checked else "consistent")
        assert script_answer(record, CHAIN.commitment, texts) == found.answer


@pytest.mark.parametrize("end", ["resigned", "called off"])
def test_a_match_that_ends_early_is_checked_to_its_last_event(end: str) -> None:
    """If a match ended by resignation or was called off, the interrupted deal is checked too."""
    table = new_table()
    table.play(Random(1), 1)
    table.apply_chance()
    if end == "resigned":
        table.do(Play(Seat(1), RESIGN))
    table.do(Reveal(3, CHAIN.seed(3)))
    found = audit(table.fair_match.record, CHAIN.commitment, table.fair_match.words)
    assert (found.answer, found.checked, found.sealed) == ("ok", (1, 2, 3), ())
    assert script_answer(table.fair_match.record, CHAIN.commitment, table.fair_match.words) == "ok"


def test_illegal_moves_are_wrong_too() -> None:
    """A record with an illegal move or a false result is `wrong` even if its cards are right."""
    match = honest_match()
    last = next(place for place in reversed(range(len(match.actions))) if isinstance(match.actions[place], Play))
    record = replace(match.record, actions=(*match.actions[:last], *match.actions[last + 1 :]))
    found = audit(record, CHAIN.commitment, match.words)
    assert found.answer == "wrong"
    assert [difference.what for difference in found.differences] == ["the record cannot be replayed"]
    claimed = audit(replace(match.record, result=(1, 0)), CHAIN.commitment, match.words)
    assert [difference.what for difference in claimed.differences] == ["the record cannot be replayed"]


def test_the_number_of_listed_differences_is_limited() -> None:
    """An audit lists at most `MAX_DIFFERENCES` differences."""
    seeds = "".join(f"seed {seat} {'0' * 64}\n" for seat in range(2))
    cuts = "".join(f"cut 0=7h 1=Kd event={number}\n" for number in range(1, 400))
    text = f'[Record "3"]\n[Rules "classic"]\n[Commit "{"0" * 64}"]\n{seeds}{cuts}reveal 399 {"0" * 64}'
    found = audit(Record.parse(text))
    assert (found.answer, len(found.differences)) == ("wrong", MAX_DIFFERENCES)


HEAD: Final = f'[Record "3"]\n[Rules "classic"]\n[Commit "{"0" * 64}"]\n'
UNREADABLE: Final = {
    "": "line 1: the header [Record] is missing",
    '[Record "3"]\n[Rules "classic"]\n': "line 1: the header [Commit] is missing: there is nothing to compare with",
    '[Record "1"]\n[Rules "classic"]\ncut 0=7h 1=Kd\n': "line 1: the header [Commit] is missing",
    HEAD + "seed 0": "line 4: a player's seed is written as seed SEAT HEX",
    HEAD + f"seed 0 {'1' * 64}\n" * (MAX_SEEDS + 1): f"line 10004: a match has at most {MAX_SEEDS} player seeds",
}


@pytest.mark.parametrize("text", thorough_after(4, UNREADABLE))
def test_a_file_that_is_not_verifiable_is_one_line_of_error(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is not a verifiable record gives one line on standard error and exit code 2."""
    file = tmp_path / "record.gin"
    file.write_text(text, encoding="utf-8")
    assert main(["verify", str(file)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(UNREADABLE[text])
    assert printed.err.count("\n") == 1


def test_an_audit_prints_commitment_and_seeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON has the commitment, its message's ids, and each seat's seeds with the deal from which they count."""
    match = honest_match()
    assert main(["verify", *arguments(Forgery(match.record, {0: match.texts[0]}), tmp_path)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == {
        "answer": "consistent",
        "checked": [1, 2, 3, 4, 5],
        "sealed": [],
        "withheld": [],
        "differences": [],
        "commit": CHAIN.commitment.hex(),
        "commit_message": {"channel": "1190000000000000001", "message": "1190000000000000002"},
        "seats": [
            {
                "seat": 0,
                "given": True,
                "seeds": [
                    {"seed": player_seed("north").hex(), "from": None, "kind": "words"},
                    {"seed": player_seed("changed").hex(), "from": 4, "kind": "words"},
                ],
            },
            {
                "seat": 1,
                "given": False,
                "seeds": [{"seed": player_seed("süd ♠").hex(), "from": None, "kind": "words"}],
            },
        ],
    }

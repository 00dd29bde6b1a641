"""Limits: endless deals are void, older logs replay as they were played, and every record can be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from random import Random
from typing import Final, cast

import pytest
from hypothesis import given

from bot.engine.cards.cards import DECK, parse_cards
from bot.engine.deals.moves import DRAW, PASS, RESIGN, TAKE, Move, Seat, Verb, discard
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import TOO_LONG
from bot.engine.errors import IllegalMove, RecordError
from bot.engine.fairness.audit import audit
from bot.engine.fairness.fair import CHAIN_LENGTH, SEED_BYTES, Chain, counts_from, player_seed
from bot.engine.limits import (
    MAX_ACTIONS,
    MAX_ACTIONS_PER_ROUND,
    MAX_RECORD_BYTES,
    MAX_SEEDS_PER_DEAL,
    MAX_TURNS_PER_PLAYER,
    is_log_full,
)
from bot.engine.matches.actions import Action, Awaiting, Cut, Play, PlayerSeed, Replace, Reshuffle, Reveal, Shuffle
from bot.engine.matches.match import Match, apply, apply_all, apply_log, legal, new_match, with_long_deals_resumed
from bot.engine.matches.replay import moves_with_deals, replay_view
from bot.engine.matches.views import showdown_view
from bot.engine.records.record import Record, replay_record
from bot.engine.rules import Rules
from bot.engine.to_json import match_to_json
from tests.engine.decks import GIN_HAND, POOR_HAND, TABLES, deck, random_action, shuffled
from tests.engine.fair_matches import NAMES, Table
from tests.engine.strategies import seeds
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.examples import examples
from tests.reference.scores import expected_json

CHAIN: Final = Chain.ending_with(b"limits")
DEAL: Final = Shuffle(1, Seat(1), deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks"))
BOARDS: Final[list[Action]] = [
    Cut(parse_cards("Kd 7h 9s Qs")),
    replace(DEAL, seats=(Seat(0), Seat(1))),
    replace(DEAL, dealer=Seat(3), seats=(Seat(2), Seat(3)), board=2),
]
"""The beginning of a partnership match: the cut, and the deals of the first round on both boards."""


def take_and_discard_turns(match: Match, turns: int) -> list[Action]:
    """Return turns in which players take the top discard and discard it again, or another card if that is illegal."""
    actions: list[Action] = []
    for _ in range(turns):
        seat, top = match.to_act[0], match.playing[0].discards[-1]
        actions.append(Play(seat, TAKE))
        match = apply(match, actions[-1])
        thrown = [move for move in legal(match, seat) if move.verb is Verb.DISCARD]
        barred = match.playing[0].barred is not None
        actions.append(Play(seat, thrown[0] if barred else discard(top)))
        match = apply(match, actions[-1])
    return actions


def start_deal(rules: str, seats: int, seed: int = 1) -> Match:
    """Return a match whose first deal is in play and whose first player may take a card."""
    match, rng = new_match(Rules.parse(rules), seats), Random(seed)
    while not match.to_act:
        match = apply(match, random_action(match, rng))
    return match


def draw_and_discard(match: Match) -> list[Action]:
    """Return a turn in which the next player draws from the stock and discards that card."""
    seat = match.to_act[0]
    card = match.playing[0].stock[0]
    return [Play(seat, DRAW), Play(seat, discard(card))]


@pytest.mark.parametrize(
    ("rules", "seats"),
    [("free_discard", 2), ("classic", 2), ("penalty", 2), ("penalty", 3), ("penalty", 4), ("rotation", 3)],
)
@pytest.mark.parametrize("drawn_before", [0, 1, 3])
def test_a_deal_is_void_after_a_hundred_turns_each(rules: str, seats: int, drawn_before: int) -> None:
    """After a hundred turns of each player the deal is void: no player scores, and the same player deals again."""
    match = start_deal(f"{rules} discard_drawn=free" if drawn_before else rules, seats)
    players = len(match.playing[0].seats)
    if drawn_before and match.rules.opening == "offer":
        match = apply_all(match, [Play(seat, PASS) for seat in match.playing[0].seats])
    for _ in range(drawn_before):
        match = apply_all(match, draw_and_discard(match))
    last = apply_all(match, take_and_discard_turns(match, MAX_TURNS_PER_PLAYER * players - 1 - drawn_before))
    assert last.to_act
    assert last.finished == ()
    over = apply_all(last, take_and_discard_turns(last, 1))
    (deal,) = over.finished
    assert (deal.is_too_long, deal.phase, over.to_act, over.awaits) == (True, Phase.DONE, (), Awaiting.DECK)
    assert (match_to_json(over)["deals"][0]["kind"], over.score.scores) == ("void", (0,) * seats)
    assert over.due_deals[0].dealer == deal.dealer or match.rules.format == "rotation"
    assert showdown_view(over, 1).outcome == TOO_LONG


def test_the_deal_passes_on_if_the_rules_say_so() -> None:
    """After a deal that was too long, the next player deals if the rules say so for void deals."""
    match = apply(new_match(Rules.parse("free_discard void_redeal=deal_passes"), 2), DEAL)
    assert apply_all(match, take_and_discard_turns(match, 2 * MAX_TURNS_PER_PLAYER)).due_deals[0].dealer == 0


@pytest.mark.parametrize("move", ["k Qh", "k 9s"])
def test_a_knock_in_the_last_turn_scores(move: str) -> None:
    """A knock or gin in the last turn counts."""
    hand = f"{GIN_HAND} Qh" if move == "k Qh" else f"{GIN_HAND} 9s"
    match = apply(new_match(Rules.parse("free_discard"), 2), replace(DEAL, deck=deck(POOR_HAND, hand, "Ks")))
    match = apply_all(match, take_and_discard_turns(match, 2 * MAX_TURNS_PER_PLAYER - 1))
    match = apply_all(match, [Play(Seat(1), TAKE), Play(Seat(1), Move.parse(move))])
    assert not match.finished[0].is_too_long
    assert match.finished[0].outcome is not None
    assert match.finished[0].outcome.winner == 1


def test_the_other_board_continues() -> None:
    """Each board of partners counts its own turns. If one deal is too long, the other board plays on."""
    match = apply_all(new_match(Rules.parse("partners discard_drawn=free"), 4), BOARDS)
    match = apply_all(match, take_and_discard_turns(match, 2 * MAX_TURNS_PER_PLAYER))
    assert (match.finished[0].is_too_long, len(match.playing), match.awaits) == (True, 1, None)
    match = apply_all(match, take_and_discard_turns(match, 2 * MAX_TURNS_PER_PLAYER))
    assert ([deal.is_too_long for deal in match.finished], match.due_deals[0].number) == ([True] * 2, 2)


def play_until_void(match: Match, rng: Random) -> tuple[Match, list[Action]]:
    """Play a deal until it is void: in each turn, the player discards the drawn card."""
    actions = list[Action]()
    while not match.finished:
        if match.reshuffling is not None:
            actions.append(random_action(match, rng))
            match = apply(match, actions[-1])
            continue
        seat = match.to_act[0]
        turn = [Play(seat, PASS)] if PASS in legal(match, seat) else draw_and_discard(match)
        match = apply_all(match, turn)
        actions += turn
    return match, actions


@pytest.mark.parametrize(
    ("rules", "seats"),
    [("classic stock_out=reshuffle", 2), ("penalty", 3), ("penalty", 4), ("penalty cards_dealt=10", 4)],
)
def test_a_deal_with_endless_reshuffles_is_void(rules: str, seats: int) -> None:
    """A deal is void after a hundred turns of each player, even if the stock is reshuffled."""
    match, actions = play_until_void(start_deal(rules, seats), Random(2))
    assert match.finished[0].is_too_long
    assert sum(isinstance(action, Reshuffle) for action in actions) <= 44
    draws = sum(isinstance(action, Play) and action.move == DRAW for action in actions)
    assert draws == MAX_TURNS_PER_PLAYER * len(match.finished[0].seats)


def test_a_deal_with_a_used_up_stock_is_not_too_long() -> None:
    """A deal that is void because its stock is used up does not count as too long."""
    match, _ = play_until_void(start_deal("classic", 2), Random(2))
    assert not match.finished[0].is_too_long


OLD_LOG: Final = f'[Record "1"]\n[Rules "free_discard"]\n{DEAL}\n'
TURN: Final = "0 take 0 x Ks\n1 take 1 x Ks\n"


@pytest.mark.parametrize("rounds", nightly_after(4, [99, 100, 101, 250, 2499]))
def test_an_old_deal_beyond_the_limit_continues(rounds: int) -> None:
    """In a log older than the turn limit, a deal may exceed the limit. A deal is void if the log ends at the limit."""
    match = replay_record(OLD_LOG + TURN * rounds)
    is_at_limit = rounds % MAX_TURNS_PER_PLAYER == 0
    assert (len(match.finished), len(match.playing)) == (int(is_at_limit), int(not is_at_limit))
    gin = OLD_LOG + TURN * rounds + "0 take 0 k Qh"
    after = replay_record(gin)
    assert (len(after.finished[0].history), after.score.scores) == (4 * rounds + 2, (85, 0))
    assert Record.parse(gin).version == 1
    assert sum(1 for _ in moves_with_deals(after.finished[0])) == 4 * rounds + 2


def test_a_deal_of_an_old_log_has_a_replay() -> None:
    """In a log older than the turn limit, the replay of a deal shows every move, including moves after the limit."""
    assert len(replay_view(replay_record(OLD_LOG + TURN * 110 + "0 take 0 k Qh"), 1).moments) == 443


def test_an_old_log_that_ends_at_the_limit_continues() -> None:
    """A stored match whose last deal ended only because of the turn limit can be resumed in the middle of that deal."""
    match = apply_log(
        new_match(Rules.parse("free_discard"), 2), Record.parse(OLD_LOG + TURN * MAX_TURNS_PER_PLAYER).actions
    )
    assert match.awaits is Awaiting.DECK
    again = with_long_deals_resumed(match)
    assert (again.to_act, again.finished, again.awaits) == ((0,), (), None)
    assert with_long_deals_resumed(again) == again


def test_a_running_match_enforces_the_limit() -> None:
    """In a running match, no move is legal in a deal that has reached the turn limit."""
    match = replay_record(OLD_LOG + TURN * MAX_TURNS_PER_PLAYER)
    with pytest.raises(IllegalMove, match="the cards are not dealt"):
        apply(match, Play(Seat(0), TAKE))


@pytest.mark.parametrize("move", ["1 take", "0 draw 0 draw", "0 x Ks", "0 pass", "stock 4c9d"])
def test_an_old_log_continues_only_with_legal_moves(move: str) -> None:
    """A log older than the turn limit is refused if an action after the limit is illegal or out of turn."""
    with pytest.raises(RecordError):
        replay_record(OLD_LOG + TURN * MAX_TURNS_PER_PLAYER + move)


def test_an_old_deal_ends_after_another_hundred_turns() -> None:
    """An old deal that already exceeds the limit of a hundred turns for each player ends after two hundred each."""
    match = replay_record(OLD_LOG + TURN * (MAX_TURNS_PER_PLAYER + 1))
    over = apply_all(match, take_and_discard_turns(match, 2 * MAX_TURNS_PER_PLAYER - 2))
    assert (over.finished[0].is_too_long, len(over.finished[0].history)) == (True, 4 * 2 * MAX_TURNS_PER_PLAYER)


def test_an_old_log_continues_with_its_reshuffle() -> None:
    """In a log older than the turn limit, the deal continues even if the turn at the limit requires a reshuffle."""
    match = start_deal("penalty cards_dealt=10 discard_drawn=free", 4)
    turns, draws = MAX_TURNS_PER_PLAYER * 4, 49 - 4 * 10
    assert draws < turns
    first = apply_all(match, before := take_and_discard_turns(match, turns - draws))
    over, after = play_until_void(first, Random(2))
    assert over.finished[0].is_too_long
    assert over.finished[0].is_stock_used_up
    waiting = with_long_deals_resumed(over)
    assert waiting.reshuffling is not None
    more = Reshuffle(waiting.reshuffling.discards[:-1])
    assert apply_log(match, [*before, *after, more]) == apply(waiting, more)


@pytest.mark.parametrize("other_first", [True, False])
def test_an_old_round_of_two_boards_continues(other_first: bool) -> None:
    """In a log older than the turn limit, a board may exceed the limit, even if the other board has finished."""
    head = '[Record "1"]\n[Rules "partners discard_drawn=free target=10"]\n'
    turn = TAKE, discard(DEAL.deck[20])
    old = [Play(Seat(seat), move) for _ in range(MAX_TURNS_PER_PLAYER) for seat in (0, 1) for move in turn]
    gin = [Play(Seat(2), TAKE), Play(Seat(2), Move.parse("k Qh"))]
    out = [Play(Seat(0), TAKE), Play(Seat(0), Move.parse("k Qh"))]
    actions: list[Action] = [*BOARDS, *((*gin, *old) if other_first else (*old, *gin)), *out]
    match = apply_log(new_match(Rules.parse("partners discard_drawn=free target=10"), 4), actions)
    assert match.score.is_over
    assert match.score.scores == (170, 0)
    assert [deal.is_too_long for deal in match.finished] == [False, False]
    assert replay_record(head + "\n".join(map(str, actions))).score == match.score


@pytest.mark.parametrize(("rounds", "version"), [(99, 1), (100, 4), (101, 1)])
def test_a_deal_that_was_too_long_needs_version_4(rounds: int, version: int) -> None:
    """Only a record of a deal that ended at the turn limit needs version 4: older programs would continue the deal."""
    record = Record.parse(OLD_LOG + TURN * rounds)
    assert record.version == version
    again = Record.parse(str(record))
    assert (again, again.replay()) == (record, record.replay())


def test_a_seat_changes_its_words_ten_times_for_a_deal_at_most() -> None:
    """A seat may change its words ten times for one deal. The other seats have their own count."""
    table = Table(Rules.parse("classic"), ["a", "b"], CHAIN)
    while table.apply_chance():
        pass
    for number in range(MAX_SEEDS_PER_DEAL):
        table.give_words(Seat(0), f"{number}")
    with pytest.raises(IllegalMove, match=f"a seat gives {MAX_SEEDS_PER_DEAL} seeds for one deal at most"):
        table.give_words(Seat(0), "once more")
    table.give_words(Seat(1), "mine")
    table.play(Random(1), deals=1)
    table.apply_chance()
    table.give_words(Seat(0), "once more")
    assert audit(table.fair_match.record, CHAIN.commitment, {0: table.texts[0][:12]}).answer != "wrong"


def test_a_match_limits_its_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match refuses more than `MAX_SEEDS` player seeds."""
    monkeypatch.setattr("bot.engine.fairness.seeds.MAX_SEEDS", 4)
    table = Table(Rules.parse("classic"), ["a", "b"], CHAIN)
    while table.apply_chance():
        pass
    for seat in (Seat(0), Seat(1)):
        table.give_words(seat, "new")
    with pytest.raises(IllegalMove, match="in a match"):
        table.give_words(Seat(0), "newer")


def test_a_log_that_is_not_full_has_room_for_a_round() -> None:
    """A log that is not full has room for the longest possible round. A thousand typical rounds do not fill a log."""
    last = next(number for number in count(0, 1000) if is_log_full(number))
    assert last - 1000 + MAX_ACTIONS_PER_ROUND <= MAX_ACTIONS
    assert not is_log_full(1000 * 2 * 98)


def test_the_longest_actions_fit_into_the_bytes_of_a_record() -> None:
    """The maximum number of actions fits into the maximum size of a record, even if all are as long as possible."""
    seed = str(PlayerSeed(Seat(3), bytes(SEED_BYTES), CHAIN_LENGTH + 1)) + "\n"
    reveal = str(Reveal(CHAIN_LENGTH, bytes(SEED_BYTES))) + "\n"
    stock = str(Reshuffle(DECK[:29], CHAIN_LENGTH)) + "\n"
    seats = (Seat(0), Seat(1), Seat(2), Seat(3))
    dealt = str(Shuffle(CHAIN_LENGTH, Seat(3), DECK, seats, 2, CHAIN_LENGTH)) + "\n"
    out = "3 take 3 k Qh AcAdAhAs/2c2d2h2s/3c3d3h3s\n"
    longest = max(len(seed), len(reveal), len(stock))
    assert len(dealt) + len(out) <= 3 * longest
    headers = 10_000
    assert MAX_ACTIONS * longest + headers <= MAX_RECORD_BYTES


Policy = Callable[[Table, Random], Action]


def always_take(table: Table, rng: Random) -> Action:
    """Take from the pile if legal, and discard the same card."""
    return first_of(table, rng, TAKE)


def always_draw(table: Table, rng: Random) -> Action:
    """Draw if legal, and discard the drawn card."""
    return first_of(table, rng, PASS, DRAW)


def first_of(table: Table, rng: Random, *wanted: Move) -> Action:
    """Return the first move of `wanted` that is legal, or else any legal move.

    After a draw or take, ignore `wanted` and discard the new card if that is legal.
    """
    seat = rng.choice(table.match.to_act)
    moves, new = legal(table.match, seat), table.match.deal_of(seat).new_card
    wanted = wanted if new is None else (discard(new),)
    return Play(seat, next((move for move in wanted if move in moves), rng.choice(moves)))


def at_random(table: Table, rng: Random) -> Action:
    """Play any legal move."""
    seat = rng.choice(table.match.to_act)
    return Play(seat, rng.choice(legal(table.match, seat)))


def change_words(table: Table, rng: Random) -> Action:
    """Change a seat's words whenever that is legal, otherwise play like `always_take`."""
    match = table.match
    assert match.seeds is not None
    for seat in map(Seat, range(match.seats)):
        first = counts_from(seat, match.seats, match.newest_deal)
        if seat not in match.replaced_seats and match.seeds.may_change(seat, first):
            words, texts = f"{rng.random()}", cast(list[str], table.texts[seat])
            texts.append(words)
            return PlayerSeed(seat, player_seed(words), first)
    return always_take(table, rng)


def give_up(table: Table, rng: Random) -> Action:
    """At random, let a computer take over a seat, let a player resign, or play like `always_take`."""
    match = table.match
    left = [Seat(seat) for seat in range(match.seats) if seat not in match.replaced_seats]
    if match.seats > 2 and len(left) > 1 and rng.random() < 0.5:
        return Replace(rng.choice(left))
    return Play(rng.choice(left), RESIGN) if rng.random() < 0.2 else always_take(table, rng)


POLICIES: Final[tuple[Policy, ...]] = (always_take, always_draw, at_random, change_words, give_up)
ENDLESS_TABLES: Final = [table for table in TABLES if table[0] in ("free_discard", "penalty", "partners", "strict")]
POLICY_CASES: Final = [
    (choose, *table, (number + place // 2) % 2 == 0)
    for number, choose in enumerate(POLICIES)
    for place, table in enumerate(ENDLESS_TABLES)
]
"""Every policy with each of the `ENDLESS_TABLES`, half of them with reshuffles."""


@pytest.mark.parametrize(
    ("choose", "preset", "seats", "reshuffle"),
    [
        *thorough_after(3, POLICY_CASES[::5]),
        *nightly_after(
            0, [(*policy_case[:3], reshuffle) for policy_case in POLICY_CASES for reshuffle in (False, True)]
        ),
    ],
)
def test_endless_play_gives_a_readable_record(choose: Policy, preset: str, seats: int, reshuffle: bool) -> None:
    """Endless play is stopped, and its record can be read, replayed and audited."""
    more = " stock_out=reshuffle last_discard=void" if reshuffle else ""
    table = Table(Rules.parse(f"{preset} discard_drawn=free{more}"), NAMES[:seats], CHAIN)
    rng = Random(f"{choose.__name__} {preset} {seats}")
    moves = 0
    while not table.match.score.is_over and table.match.newest_deal < 4:
        table.reveal()
        if not table.apply_chance():
            table.do(choose(table, rng))
        moves += 1
        assert moves < 4 * MAX_ACTIONS_PER_ROUND
    table.reveal()
    fair = table.fair_match
    text = str(fair.record)
    match = replay_record(text)
    assert match_to_json(match) == match_to_json(table.match)
    assert match_to_json(match) == expected_json(text)
    found = audit(Record.parse(text), CHAIN.commitment, fair.words)
    assert (found.answer, found.differences) == ("ok", ())


@pytest.mark.thorough
@examples(3, nightly=130)
@given(seed=seeds)
def test_random_takers_agree_with_the_reference(seed: int) -> None:
    """Engine and reference agree on deals that reach the turn limit because players almost always take the discard."""
    rng = Random(seed)
    match, actions = new_match(Rules.parse("free_discard target=none deals=1 knock_limit=0"), 2), list[Action]()
    while not match.score.is_over and match.newest_deal < 6:
        if match.awaits is Awaiting.DECK and match.newest_deal:
            seating = match.due_deals[0]
            action: Action = Shuffle(seating.number, seating.dealer, shuffled(rng))
        elif match.awaits is not None:
            action = random_action(match, rng)
        else:
            seat = match.to_act[0]
            moves = legal(match, seat)
            action = Play(seat, TAKE if TAKE in moves and rng.random() < 0.97 else rng.choice(moves))
        match = apply(match, action)
        actions.append(action)
    text = str(Record(match.rules, tuple(actions), NAMES[:2]))
    assert match_to_json(replay_record(text)) == expected_json(text) == match_to_json(match)

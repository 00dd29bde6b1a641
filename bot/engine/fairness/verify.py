"""Check the cards of a gin rummy record against the commitment and the texts of the players.

    python verify.py RECORD [--commit HEX] [--words SEAT=TEXT] ... [--words-from FILE] ...

HEX is the commitment, as shown by its message in the channel. TEXT is the text that a seat added to the shuffles: the
words of its player or, without words, the id of the commitment's message, or "none" if the match began before that
message was posted. For a computer, TEXT is "house".

Give --words once for each text of each seat, in the order in which the seat gave them. Or give --words-from once: FILE
has SEAT=TEXT on each line, in the same order.

The first line of the output is the answer:

    ok          Everything fits, and you gave the commitment and all texts.      exit code 0
    consistent  Nothing contradicts, but some evidence is missing.               exit code 0
    wrong       Something differs. The lines below the answer list it.           exit code 1

If an argument is not valid or the record cannot be read, there is no answer, and the exit code is 2.

This script needs Python 3.11 or newer, and nothing else.

The rules are in docs/fair-protocol.md. Below, the functions that apply rules 1 to 10 come first, in this order, then
the record and the check. This script does not check legal moves, dealers and results:
"python -m bot.engine verify" does.
"""

import argparse
import hmac
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count, zip_longest
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036 - a stranger's Python may be older; its traceback would look like "wrong"
    print("verify.py needs Python 3.11 or newer", file=sys.stderr)
    sys.exit(2)

CHAIN_LENGTH = 16_384
"""Number of server seeds in a chain, and so the highest possible event number (rule 1 in docs/fair-protocol.md)."""
MAX_TEXT_LENGTH = 100
"""Maximum number of characters in a player's text (rule 4 in docs/fair-protocol.md)."""
MAX_BYTES = 16 * 1024 * 1024
"""Maximum size of a record."""
MAX_HEADER_LENGTH = 10_000
"""Maximum number of characters in the value of a header."""
MAX_ACTIONS = 200_000
"""Maximum number of actions in a match, including moves."""
MAX_SEEDS = 10_000
"""Maximum number of player seeds in a match."""
MAX_FAULTS = 100
"""Maximum number of faults to print."""
MAX_SHOWN = 100
"""Maximum number of characters printed of a text in the record, except the rules."""
MAX_RULES_SHOWN = 1_000
"""Maximum number of characters printed of the rules. The bot's rules are never longer."""

VERSIONS = ("3", "4", "5")
"""Versions of records that can be verified."""
FIRST_VERSIONS = {"replace": "4", "back": "5"}
"""The first version of records with an action, for the actions that version 3 lacks."""
DECK = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
"""The 52 cards, sorted by rank and then by suit."""


@dataclass(slots=True)
class Seat:
    """A seat and its player seeds, in hexadecimal digits."""

    seeds: list[tuple[str, int]]
    """All seeds of the seat, in order, each with the first deal it applies to (0: given before the first event)."""
    current: str
    """The seed that applies to the newest deal."""
    upcoming: dict[int, str] = field(default_factory=dict[int, str])
    """The seeds that apply later, by the first deal they apply to."""
    replaced: bool = False
    """True once a computer plays this seat."""


@dataclass(slots=True)
class Event:
    """One event: the cut, a deal or a reshuffle."""

    line: int
    kind: str
    """`cut`, `deal` or `stock`, as in the record."""
    cards: str
    """The cards of the event, as in the record."""
    pile: list[str]
    """For a reshuffle, the cards of the discard pile below its top card, bottom first."""
    seeds: list[str]
    """The player seeds that apply to the event, by seat."""


@dataclass(slots=True)
class Match:
    """The state of a match after the lines read so far. It has only what the cards depend on."""

    headers: dict[str, str]
    options: dict[str, str]
    """The rules that the cards depend on: the options in OPTIONS."""
    names: list[str]
    """The players' names by seat; empty if the record does not name them."""
    seats: dict[int, Seat] = field(default_factory=dict[int, Seat])
    events: dict[int, Event] = field(default_factory=dict[int, Event])
    reveals: dict[int, bytes] = field(default_factory=dict[int, bytes])
    revealed: int = 0
    """The number of the newest event whose server seed is revealed."""
    deal: int = 0
    """The number of the newest deal."""
    board: int = 0
    """The board of the newest deal; 0 before the first."""
    deal_event: int = 0
    """The number of the event that dealt the newest deal."""
    board_event: int = 0
    """The number of the newest event on the board of the newest deal."""
    events_before_round: int = 0
    """The number of events before the round of the newest deal."""
    pile: list[str] = field(default_factory=list[str])
    """The discard pile of the newest deal, bottom first."""
    cards_to_draw: int = 0
    """The number of cards that can be drawn before two are left in the stock."""
    is_over: bool = False
    """True if a seat resigned or lost on time, or the record has a result."""
    actions: int = 0
    """The number of actions, including moves."""
    faults: list[str] = field(default_factory=list[str])

    @property
    def boards(self) -> int:
        """The number of boards in a round."""
        return 2 if self.options["format"] == "partners" else 1

    def fault(self, what: str, expected: object, found: object, line: int | None = None) -> None:
        """Add a fault, unless there are already MAX_FAULTS."""
        if len(self.faults) < MAX_FAULTS:
            prefix = "" if line is None else f"line {line}: "
            self.faults.append(f"{prefix}{what}: expected {expected}, found {found}")

    def compare(self, what: str, expected: object, found: object, line: int | None = None) -> None:
        """Add a fault if two values differ."""
        if expected != found:
            self.fault(what, expected, found, line)


class NotARecordError(ValueError):
    """The text is not a record that this program can check."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        prefix = "" if line is None else f"line {line}: "
        super().__init__(f"not a record that this program can check: {prefix}{reason}")


class ArgumentError(ValueError):
    """An argument is not valid."""


# Server seeds: rules 1 to 3 of docs/fair-protocol.md.


def server_seeds(last: bytes, number: int) -> list[bytes]:
    """Apply rule 1: each value of the hash chain is the hash of the next one.

    Given the server seed of an event and its number, return the chain from the commitment to that seed.
    """
    chain = [last]
    for _ in range(number):
        chain.append(sha256(chain[-1]).digest())
    chain.reverse()
    return chain


def check_number(match: Match, line: int, kind: str, number: int) -> None:
    """Apply rule 2: the cut is event 1; in a round, the deals come first, in order of their boards, then reshuffles.

    A record prints the boards of a round one below the other, so a reshuffle on the first board stands above the deal
    of the second board, but has a higher number. After the last line, `read` checks that no number is missing.
    """
    newest = max(match.events_before_round + match.boards, match.board_event)
    if number > CHAIN_LENGTH:
        match.fault("number of the event", f"at most {CHAIN_LENGTH}", number, line)
    elif number in match.events:
        match.fault("number of the event", "a new number", f"{number} again", line)
    elif kind == "cut":
        match.compare("number of the event", 1, number, line)
    elif kind == "deal":
        match.compare("number of the event", match.events_before_round + match.board, number, line)
    elif number <= newest:
        match.fault("number of the event", f"more than {newest}", number, line)


def check_reveal(match: Match, line: int, number: int) -> None:
    """Apply rule 3: server seeds are revealed after their events, in the order of the events."""
    if number not in match.events:
        match.fault(f"reveal of event {number}", "below the event", "above it", line)
    elif number <= match.revealed:
        match.fault(f"reveal of event {number}", f"above the reveal of event {match.revealed}", "below it", line)


def check_in_play(match: Match, line: int) -> None:
    """Apply rule 3: the server seed of a deal is not revealed during the deal."""
    if not match.deal:
        match.fault("play", "below the first deal", "above it", line)
    elif match.deal_event <= match.revealed:
        match.fault(f"play in deal {match.deal}", "above the reveal of the deal", "below it", line)


# Player seeds: rules 4 and 5 of docs/fair-protocol.md.


def player_seed(text: str) -> str:
    """Apply rule 4: the seed of a seat is the hash of its text."""
    return sha256(text.encode()).hexdigest()


def first_deal(seat: int, seats: int, deal: int) -> int:
    """Apply rule 5: return the first deal that new words of a seat apply to, given the number of the newest deal.

    For the seat that has the "last word" of rule 5, that is the next deal; for the others, the deal after the next.
    """
    has_last_word = deal > 0 and seat == (deal - 1) % seats
    return deal + 1 if has_last_word else deal + 2


# The cards of an event: rules 6 to 10 of docs/fair-protocol.md.


def message(number: int, seeds: list[str]) -> bytes:
    """Apply rule 6: return m, with one line each for a heading, the event number, and every player seed."""
    return "".join(f"{line}\n" for line in ("deadwood fair 1", number, *seeds)).encode()


def stream(server_seed: bytes, m: bytes) -> Iterator[int]:
    """Apply rule 7: yield an endless stream of 32-bit words, derived from the server seed and m (see rule 6)."""
    for number in count():
        block = hmac.digest(server_seed, m + str(number).encode(), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")


def below(k: int, words: Iterator[int]) -> int:
    """Apply rule 8: return a uniform random number from 0 to k - 1."""
    limit = 2**32 - 2**32 % k
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % k


def shuffle(cards: list[str], words: Iterator[int]) -> list[str]:
    """Apply rule 9: return the cards shuffled, the top card first."""
    shuffled = list(cards)
    for j in range(len(shuffled) - 1, 0, -1):
        other = below(j + 1, words)
        shuffled[j], shuffled[other] = shuffled[other], shuffled[j]
    return shuffled


def cards_of(event: Event, number: int, server_seed: bytes) -> str:
    """Apply rule 10: for the cut, return one card for each seat; otherwise, return the shuffled cards, top first."""
    words = stream(server_seed, message(number, event.seeds))
    if event.kind == "stock":
        return "".join(shuffle(event.pile, words))
    cards = shuffle(DECK, words)
    return "".join(cards[: len(event.seeds)] if event.kind == "cut" else cards)


# The record: each line has one header, one action, or the moves of one turn.

FORMATS = {"duel": (2,), "rotation": (3,), "winner_stays": (3,), "partners": (4,), "penalty": (2, 3, 4)}
"""The formats, with their numbers of players."""
OPTIONS = {
    "format": tuple(FORMATS),
    "cards_dealt": ("10", "7"),
    "first_dealer": ("lowest_card", "random", "challenger", "challenged"),
    "stock_out": ("void", "reshuffle"),
}
"""The rule options that affect which cards are dealt, with their values. The first value is the default."""
PRESETS = {
    "rotation": {"format": "rotation"},
    "strict_rotation": {"format": "rotation"},
    "winner_stays": {"format": "winner_stays"},
    "partners": {"format": "partners"},
    "strict_partners": {"format": "partners"},
    "penalty": {"format": "penalty", "cards_dealt": "7", "stock_out": "reshuffle"},
}
"""The presets that change an option in OPTIONS, with the values that they set."""

HEADERS = {
    "Record": "[0-9]",
    "Rules": "[a-z_]+( [a-z_]+=[a-z0-9_]+)*",
    "Seats": ".*",
    **{f"Seat{seat}": ".*" for seat in range(4)},
    "Date": "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
    "Result": r"\*|[0-9]{1,9}(-[0-9]{1,9})+",
    "Commit": "[0-9a-fA-F]{64}",
    "CommitMessage": "[1-9][0-9]{0,19}/[1-9][0-9]{0,19}",
}
"""The headers, with patterns for their values."""

NUMBER = "0|[1-9][0-9]{0,8}"
CARD = "[A2-9TJQK][cdhs]"
MELD = f"(?:{CARD}){{3,13}}"
MELDS = f"(?:-|{MELD}(?:/{MELD}){{0,2}})"
EVENT = f"event=(?P<event>{NUMBER})"
ACTIONS = {
    "seed": f"seed (?P<seat>[0-9]) (?P<seed>[0-9a-fA-F]{{64}})(?: from=(?P<first>{NUMBER}))?",
    "reveal": f"reveal (?P<event>{NUMBER}) (?P<seed>[0-9a-fA-F]{{64}})",
    "replace": "replace (?P<seat>[0-9])",
    "back": "back [0-9]",
    "cut": f"cut (?P<cut>0={CARD} 1={CARD}(?: 2={CARD}(?: 3={CARD})?)?) {EVENT}",
    "deal": f"deal (?P<deal>{NUMBER}) dealer=[0-9](?: seats=(?P<seats>[0-9](?:,[0-9]){{0,3}}))?"
    f"(?: board=(?P<board>2))? {EVENT} deck=(?P<cards>(?:{CARD}){{52}})",
    "stock": f"stock (?P<cards>(?:{CARD}){{1,51}}) {EVENT}",
}
"""A pattern for each action except moves. No pattern matches more than a few hundred characters."""
MOVE = re.compile(
    f"[0-9] (?P<verb>pass|take|draw|big|done|resign|time|x (?P<discard>{CARD})|k {CARD}(?: {MELDS})?|m(?: {MELDS})?"
    f"|l {CARD}>{MELD})(?: (?=[0-9])|$)"
)
"""A pattern for one move, with the space before the next one."""
COMMENT = re.compile(r";[^\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]*")
"""A pattern for a comment. Control characters are excluded: some viewers would show them as line breaks."""


def read(text: str) -> Match:
    """Return the match of a record. Raise `NotARecordError` if a line is not in the form that the bot prints.

    Only empty lines and comment lines are skipped.
    """
    headers: dict[str, str] = {}
    match: Match | None = None
    for number, line in lines_of(text):
        if not line or COMMENT.fullmatch(line):
            continue
        if line.startswith("["):
            if match is not None:
                raise NotARecordError("a header below the first action", number)
            read_header(headers, number, line)
        else:
            match = match or new_match(headers)
            read_action(match, number, line)
    match = match or new_match(headers)
    if not match.events:
        match.compare("seats that gave a seed", list(range(len(match.seats))), sorted(match.seats))
    match.compare("numbers of events", f"1 to {len(match.events)}", f"1 to {max(match.events, default=0)}")
    return match


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield each line with its number. Lines end with LF or CRLF."""
    for number, line in enumerate(re.finditer(r".*\n|.+", text), 1):
        yield number, line[0].removesuffix("\n").removesuffix("\r")


def read_header(headers: dict[str, str], number: int, line: str) -> None:
    """Read a line such as [Name "value"]. The value is a JSON string."""
    header = re.match(r'\[([A-Za-z0-9]{1,20}) (?=")', line)
    if header is None or header[1] not in HEADERS:
        raise NotARecordError(f"unknown header: {quote(line)}", number)
    name = header[1]
    try:
        value, end = json.JSONDecoder().raw_decode(line, header.end())
    except ValueError:
        raise NotARecordError(f"the value of [{name}] is not a JSON string", number) from None
    if line[end:] != "]":
        raise NotARecordError(f"[{name}] does not end with a bracket", number)
    if name in headers:
        raise NotARecordError(f"[{name}] occurs twice", number)
    if len(value) > MAX_HEADER_LENGTH or not re.fullmatch(HEADERS[name], value, re.DOTALL):
        raise NotARecordError(f"[{name}] cannot be {quote(value)}", number)
    headers[name] = value


def new_match(headers: dict[str, str]) -> Match:
    """Return the match that the headers describe, before its first action."""
    for name in ("Record", "Rules", "Commit"):
        if name not in headers:
            raise NotARecordError(f"the header [{name}] is missing")
    if headers["Record"] not in VERSIONS:
        raise NotARecordError(f"version {headers['Record']} of records is unknown or has nothing to verify")
    options = read_rules(headers["Rules"])
    names = headers["Seats"].split(",") if "Seats" in headers else []
    numbered = [headers[name] for name in sorted(headers) if re.fullmatch("Seat[0-9]", name)]
    if numbered and (names or f"Seat{len(numbered) - 1}" not in headers):
        raise NotARecordError("a player's name is missing, or the names are both in [Seats] and in separate headers")
    names = names or numbered
    if names and len(names) not in FORMATS[options["format"]]:
        raise NotARecordError(f"the rules are not for {len(names)} players")
    return Match(headers, options, names, is_over=headers.get("Result", "*") != "*")


def read_rules(rules: str) -> dict[str, str]:
    """Return the options in OPTIONS: the defaults, overridden by the preset, then by the options written after it."""
    preset, *written = rules.split()
    options = {name: values[0] for name, values in OPTIONS.items()} | PRESETS.get(preset, {})
    names: set[str] = set()
    for option in written:
        name, _, value = option.partition("=")
        if name in names:
            raise NotARecordError(f"the rules have {quote(name)} twice")
        names.add(name)
        if name in OPTIONS:
            if value not in OPTIONS[name]:
                raise NotARecordError(f"the rules have an unknown value: {quote(option)}")
            options[name] = value
    return options


def read_action(match: Match, line: int, text: str) -> None:
    """Read a line: an action, or the moves of a turn. Add a fault where it breaks the protocol."""
    kind = text.split(" ", 1)[0]
    if kind not in ACTIONS:
        read_moves(match, line, text)
        return
    count_action(match, line)
    action = re.fullmatch(ACTIONS[kind], text)
    if action is None or match.headers["Record"] < FIRST_VERSIONS.get(kind, "3"):
        raise NotARecordError(f"unknown form of an action: {quote(text)}", line)
    if kind == "seed":
        read_seed(match, line, action)
    elif kind == "reveal":
        read_reveal(match, line, action)
    elif kind == "replace":
        read_replacement(match, line, int(action["seat"]))
    elif kind == "back":
        check_in_play(match, line)
        del match.pile[-1:]
    else:
        read_event(match, line, kind, action)


def read_seed(match: Match, line: int, action: re.Match[str]) -> None:
    """Read a player seed. Each seat gives one before the first event, and may give more later."""
    number, seed = int(action["seat"]), action["seed"].lower()
    first = 0 if action["first"] is None else int(action["first"])
    seat = match.seats.get(number)
    if sum(len(seat.seeds) for seat in match.seats.values()) == MAX_SEEDS:
        raise NotARecordError(f"more than {MAX_SEEDS} seeds of players", line)
    if not match.events:
        match.compare("first deal that the seed counts for", 0, first, line)
        if seat is not None:
            match.fault(f"seeds of seat {number} before the first event", "one", "another", line)
        elif number >= seats_of(match):
            match.fault("seat", f"at most {seats_of(match) - 1}", number, line)
        else:
            match.seats[number] = Seat([(seed, 0)], seed)
    elif seat is None:
        match.fault("seat", f"one of {sorted(match.seats)}", number, line)
    elif seat.replaced:
        match.fault(f"seed of seat {number}", "none, as a computer plays there", seed, line)
    else:
        due = first_deal(number, len(match.seats), match.deal)
        match.compare("first deal that the seed counts for", due, first, line)
        seat.upcoming[due] = seed
        seat.seeds.append((seed, first))


def read_replacement(match: Match, line: int, number: int) -> None:
    """Read a takeover: a computer plays the seat from here on. The seat keeps its player seed."""
    seat = match.seats.get(number)
    if seat is None:
        match.fault("seat", f"one of {sorted(match.seats)}", number, line)
    elif seat.replaced:
        match.fault(f"player of seat {number}", "a person", "a computer", line)
    else:
        seat.replaced = True


def read_reveal(match: Match, line: int, action: re.Match[str]) -> None:
    """Read the server seed of an event."""
    number = int(action["event"])
    if not 1 <= number <= CHAIN_LENGTH:
        raise NotARecordError(f"a chain has no seed for event {number}, only for 1 to {CHAIN_LENGTH}", line)
    check_reveal(match, line, number)
    match.reveals[number] = bytes.fromhex(action["seed"])
    match.revealed = max(match.revealed, number)


def read_event(match: Match, line: int, kind: str, action: re.Match[str]) -> None:
    """Read the cut, a deal or a reshuffle."""
    number = int(action["event"])
    if not match.events:
        check_beginning(match, line, kind)
    pile: list[str] = []
    if kind == "cut":
        cards = "".join(re.findall(CARD, action["cut"]))
        if match.events:
            match.fault("cut", "above all other events", "below another event", line)
    elif kind == "deal":
        cards = action["cards"]
        begin_deal(match, line, action)
        match.deal_event = number
    else:
        cards = action["cards"]
        check_in_play(match, line)
        pile = reshuffled_pile(match, line, cards)
    check_number(match, line, kind, number)
    match.board_event = number
    seeds = [match.seats[seat].current for seat in sorted(match.seats)]
    if number <= CHAIN_LENGTH:
        match.events.setdefault(number, Event(line, kind, cards, pile, seeds))


def check_beginning(match: Match, line: int, kind: str) -> None:
    """Check the first event: every seat gave a seed before it, and it is the cut unless the rules name the dealer."""
    seats = len(match.names) or len(match.seats)
    match.compare("seats that gave a seed", list(range(seats)), sorted(match.seats), line)
    if seats not in FORMATS[match.options["format"]]:
        match.fault("number of seats", f"one of {FORMATS[match.options['format']]}", seats, line)
    named = match.options["first_dealer"] in ("challenger", "challenged")
    match.compare("first event", "deal" if named else "cut", kind, line)


def begin_deal(match: Match, line: int, action: re.Match[str]) -> None:
    """Begin a deal, and check that its number and board are the next ones."""
    due = (match.deal, match.board + 1) if 0 < match.board < match.boards else (match.deal + 1, 1)
    match.deal, match.board = int(action["deal"]), int(action["board"] or 1)
    match.compare("deal and board", due, (match.deal, match.board), line)
    if match.board == 1:
        match.events_before_round = len(match.events)
    if match.boards > 1 and action["seats"] is None:
        match.fault("seats of the deal", "those who play on its board", "none", line)
    for seat in match.seats.values():
        seat.current = seat.upcoming.pop(match.deal, seat.current)
    deck = re.findall(CARD, action["cards"])
    if sorted(deck) != sorted(DECK):
        raise NotARecordError("the deck does not have each of the 52 cards exactly once", line)
    at_table = len(match.seats) if match.options["format"] == "penalty" else 2
    players = len(action["seats"].split(",")) if action["seats"] else at_table
    hand_size = 7 if match.options["cards_dealt"] == "7" and len(match.seats) > 2 else 10
    match.pile = deck[players * hand_size : players * hand_size + 1]
    match.cards_to_draw = len(deck) - players * hand_size - 1 - 2


def reshuffled_pile(match: Match, line: int, cards: str) -> list[str]:
    """Return the discards that go under the stock, and leave only the top one on the pile.

    Add a fault if the rules do not allow this, or if there are not exactly two cards left in the stock.
    """
    pile, match.pile = match.pile[:-1], match.pile[-1:]
    match.compare("rule for a used-up stock", "reshuffle", match.options["stock_out"], line)
    match.compare("cards left to draw before the reshuffle", 0, match.cards_to_draw, line)
    match.cards_to_draw = len(cards) // 2
    below_top, found = sorted(pile[: len(DECK)]), sorted(re.findall(CARD, cards))
    match.compare("discard pile below its top, sorted", "".join(below_top), "".join(found), line)
    return pile if len(pile) <= len(DECK) else []


def read_moves(match: Match, line: int, text: str) -> None:
    """Read the moves on a line. A take, a draw or a discard changes the pile or the stock."""
    position = 0
    while position < len(text):
        move = MOVE.match(text, position)
        if move is None:
            raise NotARecordError(f"neither an action nor a move: {quote(text[position : position + 100])}", line)
        count_action(match, line)
        position = move.end()
        verb = move["verb"]
        if verb in ("resign", "time"):
            match.is_over = True
            continue
        check_in_play(match, line)
        if verb == "take":
            del match.pile[-1:]
        elif verb == "draw":
            if match.cards_to_draw <= 0:
                match.fault("cards left to draw", "more than 0", match.cards_to_draw, line)
            match.cards_to_draw -= 1
        elif move["discard"]:
            match.pile.append(move["discard"])


def count_action(match: Match, line: int) -> None:
    """Count one more action. Raise `NotARecordError` if there are more than a match can have."""
    match.actions += 1
    if match.actions > MAX_ACTIONS:
        raise NotARecordError(f"more than {MAX_ACTIONS} actions", line)


def seats_of(match: Match) -> int:
    """Return the number of seats.

    If the record does not name the players, their number is known only from the first event on. Until then, return the
    maximum.
    """
    possible = FORMATS[match.options["format"]]
    if match.names:
        return len(match.names)
    return len(match.seats) if match.events and len(match.seats) in possible else max(possible)


# The check.


def check(text: str, commit: str | None, words: Iterable[tuple[int, str]]) -> tuple[str, list[str]]:
    """Check a record. Return the answer, such as "ok", and the lines to print below it.

    `words` has pairs of a seat and a text. Like the commitment, they must come from a source other than the record.
    Raise `NotARecordError` if the record cannot be read, and `ArgumentError` if a text is for a seat that does not
    exist.
    """
    match = read(text)
    texts: dict[int, list[str]] = {}
    for seat, word in words:
        if seat >= seats_of(match):
            raise ArgumentError(f"the record has no seat {seat}: its seats are 0 to {seats_of(match) - 1}")
        texts.setdefault(seat, []).append(word)
    hints = check_commitment(match, commit)
    check_events(match)
    hints += check_texts(match, texts)
    if match.faults:
        return "wrong", [*match.faults, *hints]
    missing = list(missing_parts(match, commit, texts))
    return "consistent" if missing else "ok", [*missing, *findings(match)]


def check_commitment(match: Match, commit: str | None) -> list[str]:
    """Compare the record's commitment with the one typed by the user. Return hints for that user."""
    if commit is None or commit.lower() == match.headers["Commit"].lower():
        return []
    match.fault("commitment", commit.lower(), match.headers["Commit"].lower())
    return ["First check that you typed the commitment exactly as its message shows it."]


def check_events(match: Match) -> None:
    """Recompute every event whose server seed is revealed or follows from a later one, and compare the cards."""
    if not match.revealed:
        return
    chain = server_seeds(match.reveals[match.revealed], match.revealed)
    match.compare("commitment that the reveals lead to", match.headers["Commit"].lower(), chain[0].hex())
    for number, seed in match.reveals.items():
        match.compare(f"server seed of event {number}", chain[number].hex(), seed.hex())
    for number, event in match.events.items():
        if number <= match.revealed:
            expected = cards_of(event, number, chain[number])
            match.compare(f"cards of event {number}", expected, event.cards, event.line)


def check_texts(match: Match, texts: dict[int, list[str]]) -> list[str]:
    """Compare the seeds of each seat with the texts given by the user, in order. Return hints for that user."""
    hints: list[str] = []
    faults = len(match.faults)
    for seat, given in texts.items():
        found = [seed for seed, _ in match.seats[seat].seeds] if seat in match.seats else []
        expected = map(player_seed, given)
        for number, pair in enumerate(zip_longest(expected, found, fillvalue="none"), 1):
            match.compare(f"seed {number} of seat {seat}", *pair)
        if len(given) != len(found):
            hints.append(f"Seat {seat} gave {len(found)} texts, and your arguments have {len(given)}.")
    if len(match.faults) > faults:
        hints.append("Every letter and space of a text counts. First check the texts in your arguments.")
    return hints


def missing_parts(match: Match, commit: str | None, texts: dict[int, list[str]]) -> Iterator[str]:
    """Yield a line for each piece of evidence that the answer "ok" still needs."""
    if commit is None:
        yield "missing: --commit, the commitment as its message shows it"
    for seat in range(seats_of(match)):
        if seat not in texts:
            yield f"missing: --words {seat}=TEXT, the text of seat {seat}"
    if not match.revealed:
        yield "missing: a server seed. No event can be checked yet"
    withheld = (len(match.events) if match.is_over else match.events_before_round) - match.revealed
    if withheld > 0:
        yield f"missing: {withheld} withheld server seeds, of deals that are over"


def findings(match: Match) -> Iterator[str]:
    """Yield lines with the results, and with values that the user can compare by eye."""
    yield f"events: {match.revealed} checked, {len(match.events) - match.revealed} sealed"
    yield f"commitment: {match.headers['Commit'].lower()}"
    yield f"message of the commitment: {match.headers.get('CommitMessage', 'none')}"
    yield f"rules: {quote(match.headers['Rules'], MAX_RULES_SHOWN)}"
    for number in sorted(match.seats):
        name = f" {quote(match.names[number])}" if any(match.names) else ""
        for seed, first in match.seats[number].seeds:
            since = f"deal {first}" if first else "the beginning"
            yield f"seat {number}{name}: seed {seed}, from {since} on"


def quote(text: str, max_length: int = MAX_SHOWN) -> str:
    """Return a text in a form that is safe to print: truncated, in ASCII, with control characters escaped."""
    return ascii(text if len(text) <= max_length else f"{text[:max_length]}...")


# The command line.


def read_file(path: Path) -> str:
    """Return the text of a file in UTF-8. Raise `OSError`, or `NotARecordError` if it is too long or not UTF-8."""
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise NotARecordError(f"the file has more than {MAX_BYTES} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotARecordError("the text is not UTF-8", content.count(b"\n", 0, error.start) + 1) from None


def commitment(argument: str) -> str:
    """Parse the value of --commit."""
    if not re.fullmatch(HEADERS["Commit"], argument):
        raise argparse.ArgumentTypeError("a commitment has 64 hexadecimal digits")
    return argument


def seat_and_text(argument: str) -> tuple[int, str]:
    """Parse a value of --words, and return its seat and text."""
    if not re.fullmatch("[0-9]=.*", argument, re.DOTALL):
        raise argparse.ArgumentTypeError("words are written SEAT=TEXT, and a seat is one digit")
    text = argument[2:]
    if len(text) > MAX_TEXT_LENGTH:
        raise argparse.ArgumentTypeError(f"a text has at most {MAX_TEXT_LENGTH} characters")
    if text != text.encode(errors="replace").decode():
        raise argparse.ArgumentTypeError("the text is not UTF-8")
    return int(argument[0]), text


def words_file(argument: str) -> list[tuple[int, str]]:
    """Return the seats and texts in the file of --words-from, in order of its lines."""
    try:
        content = read_file(Path(argument))
    except OSError as error:
        raise argparse.ArgumentTypeError(f"the file cannot be read: {error.strerror}") from None
    except ValueError:
        raise argparse.ArgumentTypeError(f"the file is not UTF-8, or has more than {MAX_BYTES} bytes") from None
    if content.count("\n") > MAX_SEEDS:
        raise argparse.ArgumentTypeError(f"the file has more than {MAX_SEEDS} lines")
    words: list[tuple[int, str]] = []
    for number, line in enumerate(content.split("\n"), 1):
        text = line.removesuffix("\r")
        try:
            words += [seat_and_text(text)] if text else []
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"line {number} of the file: {error}") from None
        if re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", text):
            raise argparse.ArgumentTypeError(f"line {number} of the file has a control character")
    return words


def main(arguments: list[str] | None = None) -> int:
    """Check the record given on the command line. Return the exit code."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw, allow_abbrev=False)
    parser.add_argument("record", metavar="RECORD", type=Path)
    parser.add_argument("--commit", metavar="HEX", type=commitment, action="append", default=[])
    parser.add_argument("--words", metavar="SEAT=TEXT", type=seat_and_text, action="append", default=[])
    parser.add_argument("--words-from", metavar="FILE", type=words_file, action="extend", dest="words")
    options = parser.parse_args(arguments)
    if len(options.commit) > 1:
        parser.error("argument --commit: give it once")
    try:
        commit = options.commit[0] if options.commit else None
        answer, lines = check(read_file(options.record), commit, options.words)
    except OSError as error:
        parser.error(f"the file cannot be read: {error.strerror}")
    except ValueError as error:
        parser.error(str(error))
    print(answer, *lines, sep="\n")
    return 1 if answer == "wrong" else 0


if __name__ == "__main__":
    raise SystemExit(main())

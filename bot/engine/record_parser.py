"""The parser of records: it splits a text into headers and actions, each with its line.

White space separates tokens, and `;` starts a comment that runs to the end of its line. Lines end with LF, CR or CRLF.
Actions are parsed lazily, one at a time, so a faulty one costs no more than the text before it. Headers, words and
lists that are too long for any record are refused as soon as they exceed the limit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Final, TypeVar, cast

from bot.engine.actions import Action, Cut, Play, PlayerSeed, Replace, Reshuffle, Reveal, Shuffle
from bot.engine.cards import DECK, Card, parse_cards, parse_deck
from bot.engine.errors import GinError, NotationError, RecordError, quote
from bot.engine.fair import SEED_BYTES
from bot.engine.moves import Move, Seat, Verb
from bot.engine.rules import VERSION

_Value = TypeVar("_Value")

LINE_END: Final = re.compile("\r\n?|\n")
MOST_HEADERS: Final = 32
"""Maximum number of headers. Version 3 has ten: six for the match, and one for each of up to four seats."""
LONGEST_HEADER: Final = 10_000
"""Maximum length of a header's value. Rules that name every option need a tenth of it."""
LONGEST_WORD: Final = 200
"""Maximum length of a word. The longest is a deck: `deck=` and 52 cards of up to three characters each."""
LOSSES_ON_TIME_SINCE: Final = 2
"""First version of records with the move `time`."""
VERIFIABLE_SINCE: Final = 3
"""First version of records with seeds, reveals and events."""
LIMIT_SINCE: Final = 4
"""First version of records with takeovers, and with a limit on the turns of a deal."""
HEX_FORM: Final = f"{2 * SEED_BYTES} hexadecimal digits"
"""The form of a seed, for error messages."""
MOST_OPTIONS: Final = 4
"""Maximum number of `key=value` words in an action, its event excluded. A cut has one for each of up to four seats."""

_TOKENS: Final = re.compile(
    r"""(?P<space>\s+|;[^\n]*)"""
    rf"""|\[\s*(?P<header>\w+)\s+(?P<value>"(?:[^"\\]|\\.){{0,{LONGEST_HEADER}}}+")\s*\]"""
    r"""|(?P<word>[^\s;\[\]]+)""",
    re.DOTALL,
)
_WITH_ARGUMENT: Final = frozenset((Verb.DISCARD, Verb.KNOCK, Verb.LAY_OFF))
_TAKES_MELDS: Final = frozenset((Verb.KNOCK, Verb.MELD))
_HEX: Final = re.compile(f"[0-9a-fA-F]{{{2 * SEED_BYTES}}}")
_MELDS: Final = re.compile(r"-$|(10|[^\W\d]|\d)[cdhs♣♦♥♠]", re.IGNORECASE)
"""The beginning of melds, to distinguish them from the seat of the next move."""


class RecordParser:
    """The parser of one record's text. It counts lines for its error messages.

    The constructor reads the headers; `actions` reads the rest. `headers` are the headers not yet taken, by name, each
    with its line, in the order of the text. Raise `RecordError` for a token that is neither a header nor a word, or a
    header that is misplaced or not a JSON string.
    """

    def __init__(self, text: str) -> None:
        self.headers: dict[str, tuple[str, int]] = {}
        self._words = self._scan(LINE_END.sub("\n", text) if "\r" in text else text)
        self.version = VERSION
        """The version that the record claims."""
        self._word, self._line = "", 1
        self._peek()

    def _scan(self, text: str) -> Iterator[tuple[str, int]]:
        """Yield the words of the text, each with its line. Store the headers, which come before the first word."""
        position, line, has_begun = 0, 1, False
        while position < len(text):
            found = _TOKENS.match(text, position)
            if found is None:
                form = f'[Name "value"], with a value of at most {LONGEST_HEADER} characters'
                raise RecordError("header", line, f"a header is written {form}")
            if word := found["word"]:
                if len(word) > LONGEST_WORD:
                    raise RecordError("action", line, f"{quote(word)} is longer than any word of a record")
                has_begun = True
                yield word, line
            elif name := found["header"]:
                if has_begun or name in self.headers:
                    why = f"the header {quote(name)} is there twice, or after the first action"
                    raise RecordError("header", line, why)
                if len(self.headers) == MOST_HEADERS:
                    raise RecordError("header", line, f"a record has at most {MOST_HEADERS} headers")
                try:
                    self.headers[name] = cast(str, json.loads(found["value"])), line
                except ValueError:
                    raise RecordError("header", line, f"{quote(found['value'])} is no JSON string") from None
            line += text.count("\n", position, found.end())
            position = found.end()

    def line_of(self, name: str) -> int:
        """Return the line of a header, or 1 if it is missing."""
        return self.headers[name][1] if name in self.headers else 1

    def take(self, name: str) -> tuple[str, int]:
        """Remove a header and return its value and line. Raise `RecordError` if it is missing."""
        if name not in self.headers:
            raise RecordError("header", 1, f"the header [{name}] is missing")
        return self.headers.pop(name)

    def read(self, name: str, parse: Callable[[str], _Value]) -> _Value:
        """Take a header and parse its value. Turn a `ValueError` into a `RecordError`."""
        text, line = self.take(name)
        try:
            return parse(text)
        except ValueError as error:
            raise RecordError(getattr(error, "code", "header"), line, f"[{name}]: {error}") from None

    def actions(self) -> Iterator[tuple[Action, int]]:
        """Yield every action with its first line. Raise `RecordError` if the next words are not an action."""
        while self._peek():
            line = self._line
            try:
                yield self._action(self._next()), line
            except RecordError:
                raise
            except GinError as error:
                raise RecordError(error.code, line, str(error)) from None

    def _action(self, word: str) -> Action:
        if (seat := whole_number(word)) is not None:
            return self._play(Seat(seat))
        read: dict[str, Callable[[], Action]] = {"cut": self._cut, "deal": self._deal, "stock": self._stock}
        if self.version >= VERIFIABLE_SINCE:
            read |= {"seed": self._seed, "reveal": self._reveal}
        if self.version >= LIMIT_SINCE:
            read["replace"] = self._replace
        if _lowered(word) not in read:
            known = ", ".join((*read, "or a seat and its move"))
            raise NotationError("action", f"{quote(word)} begins no action: {known}")
        return read[_lowered(word)]()

    def _peek(self) -> str:
        """Return the next word without taking it, or an empty text at the end."""
        if not self._word:
            self._word, self._line = next(self._words, ("", self._line))
        return self._word

    def _next(self) -> str:
        """Take the next word, or return an empty text at the end."""
        word, self._word = self._peek(), ""
        return word

    def _next_is_melds(self) -> bool:
        return _MELDS.match(self._peek()) is not None

    def _options(self) -> dict[str, str]:
        """Take the `key=value` words that follow."""
        options: dict[str, str] = {}
        while "=" in self._peek():
            key, _, value = self._next().partition("=")
            key = _lowered(key)
            if key in options:
                raise RecordError("action", self._line, f"{quote(key)} is there twice")
            most = MOST_OPTIONS + (self.version >= VERIFIABLE_SINCE)
            if len(options) == most:
                raise RecordError("action", self._line, f"no action has more than {most} such words: {quote(key)}")
            options[key] = value
        return options

    def _cut(self) -> Cut:
        options = self._options()
        event = self._event(options)
        cards = {key: Card.parse(value) for key, value in options.items()}
        if sorted(cards) != [str(seat) for seat in range(len(cards))]:
            raise NotationError("action", "a cut is written cut 0=CARD 1=CARD, one for each seat")
        return Cut(tuple(cards[key] for key in sorted(cards)), event)

    def _deal(self) -> Shuffle:
        number, options = whole_number(self._next()), self._options()
        event = self._event(options)
        deck = options.pop("deck", None)
        dealer = whole_number(options.pop("dealer", ""))
        seats = [_one_digit(seat) for seat in options.pop("seats").split(",")] if "seats" in options else None
        board = whole_number(options.pop("board", "1"))
        if number is None or dealer is None or deck is None or board is None or options or (seats and None in seats):
            raise NotationError("action", "a deal is written deal NUMBER dealer=SEAT [seats=SEATS] deck=CARDS")
        playing = None if seats is None else tuple(Seat(seat) for seat in seats if seat is not None)
        return Shuffle(number, Seat(dealer), parse_deck(deck), playing, board, event)

    def _stock(self) -> Reshuffle:
        cards: list[Card] = []
        while len(cards) < len(DECK) and self._next_is_melds():
            cards += parse_cards(self._next())
        if not cards:
            raise NotationError("action", "a reshuffle is written stock CARDS")
        options = self._options()
        event = self._event(options)
        if options:
            raise NotationError("action", "a reshuffle is written stock CARDS [event=EVENT]")
        return Reshuffle(tuple(cards), event)

    def _seed(self) -> PlayerSeed:
        seat, seed, options = whole_number(self._next()), self._bytes(), self._options()
        deal = whole_number(options["from"]) if "from" in options else None
        if seat is None or seed is None or (deal is None) != ("from" not in options) or options.keys() - {"from"}:
            raise NotationError("action", f"a player's seed is written seed SEAT HEX [from=DEAL], with {HEX_FORM}")
        return PlayerSeed(Seat(seat), seed, deal)

    def _reveal(self) -> Reveal:
        event, seed = whole_number(self._next()), self._bytes()
        if event is None or seed is None:
            raise NotationError("action", f"a server seed is written reveal EVENT HEX, with {HEX_FORM}")
        return Reveal(event, seed)

    def _replace(self) -> Replace:
        seat = whole_number(self._next())
        if seat is None:
            raise NotationError("action", "the takeover of a seat is written replace SEAT")
        return Replace(Seat(seat))

    def _bytes(self) -> bytes | None:
        """Take a word and return its seed, or None if it is not a seed."""
        return hex_seed(self._next())

    def _event(self, options: dict[str, str]) -> int | None:
        """Take the event number out of the options, or return None."""
        if "event" not in options:
            return None
        event = whole_number(options.pop("event"))
        if event is None or self.version < VERIFIABLE_SINCE:
            raise NotationError(
                "action", f"from record version {VERIFIABLE_SINCE} on, an event is written event=NUMBER"
            )
        return event

    def _play(self, seat: Seat) -> Play:
        words = [self._next()]
        if not words[0]:
            raise NotationError("action", f"seat {seat} has no move")
        if _lowered(words[0]) in _WITH_ARGUMENT:
            words.append(self._next())
        if _lowered(words[0]) in _TAKES_MELDS and self._next_is_melds():
            words.append(self._next())
        move = Move.parse(" ".join(words).rstrip())
        if move.verb is Verb.TIME and self.version < LOSSES_ON_TIME_SINCE:
            raise NotationError("move", f"a record of version {self.version} has no {quote(move.verb)}")
        return Play(seat, move)


def _lowered(text: str) -> str:
    """Return a word in lower case if it is ASCII. Some other letters become `k` or `s` in lower case."""
    return text.lower() if text.isascii() else text


def hex_seed(text: str) -> bytes | None:
    """Return the seed written in 64 hexadecimal digits, or None."""
    return bytes.fromhex(text) if _HEX.fullmatch(text) else None


def _one_digit(text: str) -> int | None:
    """Return the number written in one ASCII digit, or None."""
    return whole_number(text) if len(text) == 1 else None


def whole_number(text: str) -> int | None:
    """Return the whole number written in at most nine ASCII digits, or None."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None

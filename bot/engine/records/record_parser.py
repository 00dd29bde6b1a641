"""The parser of records: it splits a text into headers and actions, each with its line number.

White space separates tokens, and `;` starts a comment that runs to the end of its line. Lines end with LF, CR or CRLF.
Actions are parsed lazily, one at a time, so nothing after a faulty one is parsed. Headers, words and lists that are too
long for any record are refused as soon as they exceed the limit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Final, TypeVar, cast

from bot.engine.cards.cards import DECK, Card, parse_cards, parse_deck
from bot.engine.deals.moves import Move, Seat, Verb
from bot.engine.errors import GinError, NotationError, RecordError, quote
from bot.engine.fairness.fair import SEED_BYTES
from bot.engine.matches.actions import Action, Cut, Play, PlayerSeed, Replace, Reshuffle, Reveal, Shuffle, TakeBack
from bot.engine.rules import VERSION

_Value = TypeVar("_Value")

LINE_END: Final = re.compile("\r\n?|\n")
MAX_HEADERS: Final = 32
"""Maximum number of headers. Version 3 has ten: six for the match, and one for each of up to four seats."""
MAX_HEADER_LENGTH: Final = 10_000
"""Maximum length of a header's value. Even rules that name every option need only a tenth of it."""
MAX_WORD_LENGTH: Final = 200
"""Maximum length of a word. The longest is a deck: `deck=` and 52 cards of up to three characters each."""
TIME_LOSS_VERSION: Final = 2
"""First version of records with the move `time`."""
VERIFIABLE_VERSION: Final = 3
"""First version of records with seeds, reveals and events."""
TURN_LIMIT_VERSION: Final = 4
"""First version of records with takeovers, and with a limit on the turns of a deal."""
TAKE_BACK_VERSION: Final = 5
"""First version of records with discards that were taken back."""
HEX_SEED_DESCRIPTION: Final = f"{2 * SEED_BYTES} hexadecimal digits"
"""The form of a seed, for error messages."""
MAX_OPTIONS: Final = 4
"""Maximum number of `key=value` words in an action, not counting `event=…`.

A cut has one word for each seat, so up to four.
"""

_TOKEN_PATTERN: Final = re.compile(
    r"""(?P<space>\s+|;[^\n]*)"""
    rf"""|\[\s*(?P<header>\w+)\s+(?P<value>"(?:[^"\\]|\\.){{0,{MAX_HEADER_LENGTH}}}+")\s*\]"""
    r"""|(?P<word>[^\s;\[\]]+)""",
    re.DOTALL,
)
_WITH_ARGUMENT: Final = frozenset((Verb.DISCARD, Verb.KNOCK, Verb.LAY_OFF))
_TAKES_MELDS: Final = frozenset((Verb.KNOCK, Verb.MELD))
_HEX_PATTERN: Final = re.compile(f"[0-9a-fA-F]{{{2 * SEED_BYTES}}}")
_MELDS_PATTERN: Final = re.compile(r"-$|(10|[^\W\d]|\d)[cdhs♣♦♥♠]", re.IGNORECASE)
"""Pattern for the beginning of melds, to distinguish them from the seat number of the next move."""


class RecordParser:
    """The parser of one record's text. It counts lines for its error messages.

    The constructor reads the headers; `actions` reads the rest. `headers` are the headers not yet taken, by name, each
    with its line number, in the order of the text. Raise `RecordError` for a token that is neither a header nor a word,
    or a header that is misplaced or not a JSON string.
    """

    def __init__(self, text: str) -> None:
        self.headers: dict[str, tuple[str, int]] = {}
        self._words = self._scan(LINE_END.sub("\n", text) if "\r" in text else text)
        self.version = VERSION
        """The version that the record claims."""
        self._word, self._line = "", 1
        self._peek_word()

    def _scan(self, text: str) -> Iterator[tuple[str, int]]:
        """Yield each word of the text with its line number. Store the headers, which come before the first word."""
        position, line, has_begun = 0, 1, False
        while position < len(text):
            token = _TOKEN_PATTERN.match(text, position)
            if token is None:
                form = f'[Name "value"], with a value of at most {MAX_HEADER_LENGTH} characters'
                raise RecordError("header", line, f"a header is written as {form}")
            if word := token["word"]:
                if len(word) > MAX_WORD_LENGTH:
                    raise RecordError("action", line, f"{quote(word)} is longer than any word of a record")
                has_begun = True
                yield word, line
            elif name := token["header"]:
                if has_begun or name in self.headers:
                    message = f"the header {quote(name)} is there twice, or after the first action"
                    raise RecordError("header", line, message)
                if len(self.headers) == MAX_HEADERS:
                    raise RecordError("header", line, f"a record has at most {MAX_HEADERS} headers")
                try:
                    self.headers[name] = cast(str, json.loads(token["value"])), line
                except ValueError:
                    raise RecordError("header", line, f"{quote(token['value'])} is not a JSON string") from None
            line += text.count("\n", position, token.end())
            position = token.end()

    def line_of(self, name: str) -> int:
        """Return the line number of a header, or 1 if it is missing."""
        return self.headers[name][1] if name in self.headers else 1

    def take_header(self, name: str) -> tuple[str, int]:
        """Remove a header and return its value and line number. Raise `RecordError` if it is missing."""
        if name not in self.headers:
            raise RecordError("header", 1, f"the header [{name}] is missing")
        return self.headers.pop(name)

    def parse_header(self, name: str, parse: Callable[[str], _Value]) -> _Value:
        """Take a header and parse its value. Raise `RecordError` if the header is missing or `parse` fails."""
        text, line = self.take_header(name)
        try:
            return parse(text)
        except ValueError as error:
            raise RecordError(getattr(error, "code", "header"), line, f"[{name}]: {error}") from None

    def actions(self) -> Iterator[tuple[Action, int]]:
        """Yield every action with the number of its first line.

        Raise `RecordError` if the next words are not an action.
        """
        while self._peek_word():
            line = self._line
            try:
                yield self._parse_action(self._take_word()), line
            except RecordError:
                raise
            except GinError as error:
                raise RecordError(error.code, line, str(error)) from None

    def _parse_action(self, word: str) -> Action:
        if (seat := parse_whole_number(word)) is not None:
            return self._parse_play(Seat(seat))
        parsers: dict[str, Callable[[], Action]] = {
            "cut": self._parse_cut,
            "deal": self._parse_deal,
            "stock": self._parse_reshuffle,
        }
        if self.version >= VERIFIABLE_VERSION:
            parsers |= {"seed": self._parse_seed, "reveal": self._parse_reveal}
        if self.version >= TURN_LIMIT_VERSION:
            parsers["replace"] = self._parse_takeover
        if self.version >= TAKE_BACK_VERSION:
            parsers["back"] = self._parse_take_back
        if _ascii_lower(word) not in parsers:
            known = ", ".join((*parsers, "or a seat and its move"))
            raise NotationError("action", f"{quote(word)} does not begin an action: {known}")
        return parsers[_ascii_lower(word)]()

    def _peek_word(self) -> str:
        """Return the next word without taking it, or an empty text at the end."""
        if not self._word:
            self._word, self._line = next(self._words, ("", self._line))
        return self._word

    def _take_word(self) -> str:
        """Take the next word, or return an empty text at the end."""
        word, self._word = self._peek_word(), ""
        return word

    def _next_is_melds(self) -> bool:
        return _MELDS_PATTERN.match(self._peek_word()) is not None

    def _take_options(self) -> dict[str, str]:
        """Take the `key=value` words that follow."""
        options: dict[str, str] = {}
        while "=" in self._peek_word():
            key, _, value = self._take_word().partition("=")
            key = _ascii_lower(key)
            if key in options:
                raise RecordError("action", self._line, f"{quote(key)} is given twice")
            max_options = MAX_OPTIONS + (self.version >= VERIFIABLE_VERSION)
            if len(options) == max_options:
                raise RecordError(
                    "action", self._line, f"no action has more than {max_options} such words: {quote(key)}"
                )
            options[key] = value
        return options

    def _parse_cut(self) -> Cut:
        options = self._take_options()
        event = self._take_event(options)
        cards = {key: Card.parse(value) for key, value in options.items()}
        if sorted(cards) != [str(seat) for seat in range(len(cards))]:
            raise NotationError("action", "a cut is written as cut 0=CARD 1=CARD, one for each seat")
        return Cut(tuple(cards[key] for key in sorted(cards)), event)

    def _parse_deal(self) -> Shuffle:
        number, options = parse_whole_number(self._take_word()), self._take_options()
        event = self._take_event(options)
        deck = options.pop("deck", None)
        dealer = parse_whole_number(options.pop("dealer", ""))
        seats = [_parse_digit(seat) for seat in options.pop("seats").split(",")] if "seats" in options else None
        board = parse_whole_number(options.pop("board", "1"))
        if number is None or dealer is None or deck is None or board is None or options or (seats and None in seats):
            raise NotationError("action", "a deal is written as deal NUMBER dealer=SEAT [seats=SEATS] deck=CARDS")
        playing = None if seats is None else tuple(Seat(seat) for seat in seats if seat is not None)
        return Shuffle(number, Seat(dealer), parse_deck(deck), playing, board, event)

    def _parse_reshuffle(self) -> Reshuffle:
        cards: list[Card] = []
        while len(cards) < len(DECK) and self._next_is_melds():
            cards += parse_cards(self._take_word())
        if not cards:
            raise NotationError("action", "a reshuffle is written as stock CARDS")
        options = self._take_options()
        event = self._take_event(options)
        if options:
            raise NotationError("action", "a reshuffle is written as stock CARDS [event=EVENT]")
        return Reshuffle(tuple(cards), event)

    def _parse_seed(self) -> PlayerSeed:
        seat, seed, options = parse_whole_number(self._take_word()), self._take_seed(), self._take_options()
        deal = parse_whole_number(options["from"]) if "from" in options else None
        if seat is None or seed is None or (deal is None) != ("from" not in options) or options.keys() - {"from"}:
            raise NotationError(
                "action", f"a player's seed is written as seed SEAT HEX [from=DEAL], with {HEX_SEED_DESCRIPTION}"
            )
        return PlayerSeed(Seat(seat), seed, deal)

    def _parse_reveal(self) -> Reveal:
        event, seed = parse_whole_number(self._take_word()), self._take_seed()
        if event is None or seed is None:
            raise NotationError("action", f"a server seed is written as reveal EVENT HEX, with {HEX_SEED_DESCRIPTION}")
        return Reveal(event, seed)

    def _parse_takeover(self) -> Replace:
        seat = parse_whole_number(self._take_word())
        if seat is None:
            raise NotationError("action", "the takeover of a seat is written as replace SEAT")
        return Replace(Seat(seat))

    def _parse_take_back(self) -> TakeBack:
        seat = parse_whole_number(self._take_word())
        if seat is None:
            raise NotationError("action", "the taking back of a discard is written as back SEAT")
        return TakeBack(Seat(seat))

    def _take_seed(self) -> bytes | None:
        """Take the next word and return the seed that it encodes, or None if it is not a seed."""
        return parse_hex_seed(self._take_word())

    def _take_event(self, options: dict[str, str]) -> int | None:
        """Take the event number out of the options, or return None."""
        if "event" not in options:
            return None
        event = parse_whole_number(options.pop("event"))
        if event is None or self.version < VERIFIABLE_VERSION:
            raise NotationError(
                "action", f"from record version {VERIFIABLE_VERSION} on, an event is written as event=NUMBER"
            )
        return event

    def _parse_play(self, seat: Seat) -> Play:
        words = [self._take_word()]
        if not words[0]:
            raise NotationError("action", f"seat {seat} has no move")
        if _ascii_lower(words[0]) in _WITH_ARGUMENT:
            words.append(self._take_word())
        if _ascii_lower(words[0]) in _TAKES_MELDS and self._next_is_melds():
            words.append(self._take_word())
        move = Move.parse(" ".join(words).rstrip())
        if move.verb is Verb.TIME and self.version < TIME_LOSS_VERSION:
            raise NotationError("move", f"a record of version {self.version} has no {quote(move.verb)}")
        return Play(seat, move)


def _ascii_lower(text: str) -> str:
    """Return an ASCII word in lower case, any other word unchanged: `lower` would turn the Kelvin sign into `k`."""
    return text.lower() if text.isascii() else text


def parse_hex_seed(text: str) -> bytes | None:
    """Return the seed written in 64 hexadecimal digits, or None."""
    return bytes.fromhex(text) if _HEX_PATTERN.fullmatch(text) else None


def _parse_digit(text: str) -> int | None:
    """Return the number written in one ASCII digit, or None."""
    return parse_whole_number(text) if len(text) == 1 else None


def parse_whole_number(text: str) -> int | None:
    """Return the whole number written in at most nine ASCII digits, or None."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None

"""The parser of records: it splits a text into headers and actions, each with its line.

White space separates tokens, and `;` starts a comment that runs to the end of its line.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final, TypeVar, cast

from bot.engine.actions import Action, Cut, Play, Reshuffle, Shuffle
from bot.engine.cards import Card, parse_cards, parse_deck
from bot.engine.errors import GinError, NotationError, RecordError
from bot.engine.moves import Move, Seat, Verb

_Value = TypeVar("_Value")
_TOKENS: Final = re.compile(
    r"""(?P<space>\s+|;[^\r\n]*)|\[\s*(?P<header>\w+)\s+(?P<value>"(?:[^"\\]|\\.)*")\s*\]|(?P<word>[^\s;\[\]]+)""",
    re.DOTALL,
)
_WITH_ARGUMENT: Final = frozenset((Verb.DISCARD, Verb.KNOCK, Verb.LAY_OFF))
_TAKES_MELDS: Final = frozenset((Verb.KNOCK, Verb.MELD))
_MELDS: Final = re.compile(r"-$|(10|[^\W\d]|\d)[cdhs♣♦♥♠]", re.IGNORECASE)
"""The beginning of melds, which tells them apart from the seat of the next move."""


class RecordParser:
    """The parser of one record's text; it counts lines for its error messages.

    `headers` are the values by name that were not taken yet, each with its line, in the order of the text. Raise
    `RecordError` if something is neither a header nor a word, or a header is out of place or no JSON string.
    """

    def __init__(self, text: str) -> None:
        self.headers: dict[str, tuple[str, int]] = {}
        self._words: deque[tuple[str, int]] = deque()
        position, line = 0, 1
        while position < len(text):
            found = _TOKENS.match(text, position)
            if found is None:
                raise RecordError("header", line, 'a header is written [Name "value"]')
            if name := found["header"]:
                if self._words or name in self.headers:
                    raise RecordError("header", line, f"the header {name!r} is there twice, or after the first action")
                try:
                    self.headers[name] = cast(str, json.loads(found["value"])), line
                except ValueError:
                    raise RecordError("header", line, f"{found['value']} is no JSON string") from None
            elif found["word"]:
                self._words.append((found["word"], line))
            line += text.count("\n", position, found.end())
            position = found.end()

    def line_of(self, name: str) -> int:
        """Return the line of a header, or the first line if it is missing."""
        return self.headers[name][1] if name in self.headers else 1

    def take(self, name: str) -> tuple[str, int]:
        """Remove a header and return its value and line. Raise `RecordError` if it is missing."""
        if name not in self.headers:
            raise RecordError("header", 1, f"the header [{name}] is missing")
        return self.headers.pop(name)

    def read(self, name: str, parse: Callable[[str], _Value]) -> _Value:
        """Take a header and parse its value. Raise `RecordError` if that raises `ValueError`."""
        text, line = self.take(name)
        try:
            return parse(text)
        except ValueError as error:
            raise RecordError(getattr(error, "code", "header"), line, f"[{name}]: {error}") from None

    def actions(self) -> Iterator[tuple[Action, int]]:
        """Yield every action with the line on which it begins. Raise `RecordError` if the next words are none."""
        while self._words:
            line = self._words[0][1]
            try:
                yield self._action(self._next()), line
            except RecordError:
                raise
            except GinError as error:
                raise RecordError(error.code, line, str(error)) from None

    def _action(self, word: str) -> Action:
        if (seat := whole_number(word)) is not None:
            return self._play(Seat(seat))
        read = {"cut": self._cut, "deal": self._deal, "stock": self._stock}.get(word.lower())
        if read is None:
            raise NotationError("action", f"{word!r} begins no action: cut, deal, stock, or a seat and its move")
        return read()

    def _next(self) -> str:
        """Take the next word; empty at the end."""
        return self._words.popleft()[0] if self._words else ""

    def _next_is_melds(self) -> bool:
        return bool(self._words and _MELDS.match(self._words[0][0]))

    def _options(self) -> dict[str, str]:
        """Read the `key=value` words that follow."""
        options: dict[str, str] = {}
        while self._words and "=" in self._words[0][0]:
            word, line = self._words.popleft()
            key, _, value = word.partition("=")
            key = key.lower()
            if key in options:
                raise RecordError("action", line, f"{key!r} is there twice")
            options[key] = value
        return options

    def _cut(self) -> Cut:
        cards = {key: Card.parse(value) for key, value in self._options().items()}
        if sorted(cards) != [str(seat) for seat in range(len(cards))]:
            raise NotationError("action", "a cut is written cut 0=CARD 1=CARD, one for each seat")
        return Cut(tuple(cards[key] for key in sorted(cards)))

    def _deal(self) -> Shuffle:
        number, options = whole_number(self._next()), self._options()
        deck = options.pop("deck", None)
        dealer = whole_number(options.pop("dealer", ""))
        seats = [whole_number(seat) for seat in options.pop("seats").split(",")] if "seats" in options else None
        board = whole_number(options.pop("board", "1"))
        if number is None or dealer is None or deck is None or board is None or options or (seats and None in seats):
            raise NotationError("action", "a deal is written deal NUMBER dealer=SEAT [seats=SEATS] deck=CARDS")
        playing = None if seats is None else tuple(Seat(seat) for seat in seats if seat is not None)
        return Shuffle(number, Seat(dealer), parse_deck(deck), playing, board)

    def _stock(self) -> Reshuffle:
        cards: list[Card] = []
        while self._next_is_melds():
            cards += parse_cards(self._next())
        if not cards:
            raise NotationError("action", "a reshuffle is written stock CARDS")
        return Reshuffle(tuple(cards))

    def _play(self, seat: Seat) -> Play:
        words = [self._next()]
        if not words[0]:
            raise NotationError("action", f"seat {seat} has no move")
        if words[0].lower() in _WITH_ARGUMENT:
            words.append(self._next())
        if words[0].lower() in _TAKES_MELDS and self._next_is_melds():
            words.append(self._next())
        return Play(seat, Move.parse(" ".join(words).rstrip()))


def whole_number(text: str) -> int | None:
    """Return a whole number written in at most nine ASCII digits, or None."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None

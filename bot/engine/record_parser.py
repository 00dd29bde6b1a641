"""The parser of records: it splits a text into headers and actions, each with its line.

White space separates tokens, and `;` starts a comment that runs to the end of its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, cast

from bot.engine.actions import Action, Cut, Play, Reshuffle, Shuffle
from bot.engine.cards import Card, parse_cards, parse_deck
from bot.engine.errors import GinError, RecordError
from bot.engine.moves import Move, Seat, Verb

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

    `headers` are the values by name, each with its line, in the order of the text.

    Raises:
        RecordError: something is neither a header nor a word, or a header is out of place or no JSON string.
    """

    def __init__(self, text: str) -> None:
        self.headers: dict[str, tuple[str, int]] = {}
        self._words: list[tuple[str, int]] = []
        self._at = 0
        self._split(text)

    def actions(self) -> Iterator[tuple[Action, int]]:
        """Yield every action with the line on which it begins.

        Raises:
            RecordError: the next words are no action.
        """
        while self._at < len(self._words):
            line = self._words[self._at][1]
            yield self._action(), line

    def _split(self, text: str) -> None:
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

    def _action(self) -> Action:
        word, line = self._next()
        try:
            if word.lower() == "cut":
                return self._cut(line)
            if word.lower() == "deal":
                return self._deal(line)
            if word.lower() == "stock":
                return self._stock(line)
            if (seat := whole_number(word)) is not None:
                return self._play(Seat(seat), line)
        except RecordError:
            raise
        except GinError as error:
            raise RecordError(error.code, line, str(error)) from None
        raise RecordError("action", line, f"{word!r} begins no action: cut, deal, stock, or a seat and its move")

    def _next(self) -> tuple[str, int]:
        self._at += 1
        return self._words[self._at - 1]

    def _options(self) -> dict[str, str]:
        """Read the `key=value` words that follow."""
        options: dict[str, str] = {}
        while self._at < len(self._words) and "=" in self._words[self._at][0]:
            word, line = self._words[self._at]
            key, _, value = word.partition("=")
            key = key.lower()
            if key in options:
                raise RecordError("action", line, f"{key!r} is there twice")
            options[key] = value
            self._at += 1
        return options

    def _cut(self, line: int) -> Cut:
        cards = {key: Card.parse(value) for key, value in self._options().items()}
        if sorted(cards) != [str(seat) for seat in range(len(cards))]:
            raise RecordError("action", line, "a cut is written cut 0=CARD 1=CARD, one for each seat")
        return Cut(tuple(cards[key] for key in sorted(cards)))

    def _deal(self, line: int) -> Shuffle:
        number = whole_number(self._next()[0]) if self._at < len(self._words) else None
        options = self._options()
        deck = options.pop("deck", None)
        dealer = whole_number(options.pop("dealer", ""))
        seats = [whole_number(seat) for seat in options.pop("seats").split(",")] if "seats" in options else None
        board = whole_number(options.pop("board", "1"))
        if number is None or dealer is None or deck is None or board is None or options or (seats and None in seats):
            raise RecordError("action", line, "a deal is written deal NUMBER dealer=SEAT [seats=SEATS] deck=CARDS")
        playing = None if seats is None else tuple(Seat(seat) for seat in seats if seat is not None)
        return Shuffle(number, Seat(dealer), parse_deck(deck), playing, board)

    def _stock(self, line: int) -> Reshuffle:
        cards: list[Card] = []
        while self._at < len(self._words) and _MELDS.match(self._words[self._at][0]):
            cards += parse_cards(self._next()[0])
        if not cards:
            raise RecordError("action", line, "a reshuffle is written stock CARDS")
        return Reshuffle(tuple(cards))

    def _play(self, seat: Seat, line: int) -> Play:
        if self._at == len(self._words):
            raise RecordError("action", line, f"seat {seat} has no move")
        words = [self._next()[0]]
        if words[0].lower() in _WITH_ARGUMENT and self._at < len(self._words):
            words.append(self._next()[0])
        if words[0].lower() in _TAKES_MELDS and self._at < len(self._words) and _MELDS.match(self._words[self._at][0]):
            words.append(self._next()[0])
        return Play(seat, Move.parse(" ".join(words)))


def whole_number(text: str) -> int | None:
    """Return a whole number written in at most nine ASCII digits, or None."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None

"""Names of people and seats in messages."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, count

from bot.engine.deals.moves import Seat
from bot.engine.matches.views import DealView
from bot.model.matches import MatchInfo
from bot.model.names import is_visible
from bot.model.statistics import Player, computers
from cardart import Portrait

FORGOTTEN = "someone who left"
NAMELESS = "someone"
"""The replacement for an invisible name, and for an unknown name in texts without mentions."""

MAX_NAME_LENGTH = 32
MAX_WITH_ACCOUNT = 2 * MAX_NAME_LENGTH + len(" ()")
"""Maximum length of a name together with the account name that follows it."""
_MAX_BEFORE_ACCOUNT = 12
"""Maximum length of a name in a picture if the account name follows it. The account name is not counted."""
MAX_TITLE_LENGTH = 100
"""Maximum length of a thread's name, and of an option in a menu."""

_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LINE_BREAKING = frozenset(("Cc", "Zl", "Zp", "Cs"))
# Discord resolves mentions even if they are escaped, so a zero-width space follows each @.
_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\`*_~|[]()<>#:"} | {"@": "@\u200b"})


def name(player: Player) -> str:
    """Return a player's name, escaped for a message. For an unknown name, return a mention, which Discord resolves."""
    if player.name is None:
        return FORGOTTEN if player.id is None else f"<@{player.id}>"
    return _isolated(plain(player))


def in_sentence(player: Player) -> str:
    """Return a player's name within a sentence: `the strong computer` for the table's only computer of its level."""
    level = player.computer
    is_only_one = level is not None and player.name == computers([level])[0].name
    return f"the {level} computer" if is_only_one else name(player)


def player_then(match: MatchInfo, view: DealView, seat: Seat, move: float = -1) -> Player:
    """Return the player who had a seat at the time of a move, for texts about that move.

    If a computer took over the seat after the move, return the person who lost the seat. Moves are numbered as in
    `DealView.was_person`.
    """
    return (_leaver(match, seat) or Player(None, None)) if view.was_person(seat, move) else match.players[seat]


def name_then(match: MatchInfo, view: DealView, seat: Seat, move: float = -1) -> str:
    """Return the name of the player who had a seat at the time of a move; see `player_then`."""
    return name(player_then(match, view, seat, move))


def first_player(match: MatchInfo, seat: Seat) -> Player:
    """Return the player who had a seat at the beginning of the match.

    If that player was a person who has been forgotten, return the computer that took over the seat.
    """
    return _leaver(match, seat) or match.players[seat]


def _leaver(match: MatchInfo, seat: Seat) -> Player | None:
    """Return the person who lost a seat to a computer; None if there is no such person, or the person was forgotten."""
    return match.leavers[seat] if match.leavers else None


def mention(player: Player) -> str:
    """Return a mention. If any name in a text might be unknown, mention all players in the text."""
    if player.computer is not None:
        return plain(player)
    return FORGOTTEN if player.id is None else f"<@{player.id}>"


def safe(text: str, max_length: int = MAX_NAME_LENGTH, if_invisible: str = NAMELESS) -> str:
    """Sanitize a name or other user input: no markdown, mentions, links or line breaks, and a limited length.

    Return `if_invisible` if no character is visible.
    """
    return _isolated(_cleaned(text, max_length) or if_invisible)


def _isolated(text: str) -> str:
    # A name can be written from right to left. Isolation characters keep the rest of the line in order.
    return f"\u2068{text.translate(_ESCAPED)}\u2069"


def plain(player: Player, max_length: int = MAX_NAME_LENGTH) -> str:
    """Return a player's name for text without markdown, such as menus.

    An ambiguous name is followed by the account name. Only the name itself is shortened.
    """
    if player.name is None:
        shown = FORGOTTEN if player.id is None else NAMELESS
    else:
        shown = shortened(_cleaned(player.name) or NAMELESS, max_length)
    account = player.account
    return shown if account is None else f"{shown} ({_cleaned(account)})"


def pictured(player: Player) -> str:
    """Return a player's name for a picture, shorter if the account name follows."""
    return plain(player, MAX_NAME_LENGTH if player.account is None else _MAX_BEFORE_ACCOUNT)


@lru_cache(maxsize=4096)
def _cleaned(text: str, max_length: int = MAX_NAME_LENGTH) -> str:
    """Remove line breaks and direction marks from a name, and limit its length.

    Return an empty string if no character is visible.
    """
    kept = "".join(
        char for char in text if char not in _DIRECTION_MARKS and unicodedata.category(char) not in _LINE_BREAKING
    )
    short = shortened(kept, max_length)
    return short.strip() if is_visible(short.removesuffix("…")) else ""


def shortened(text: str, max_length: int) -> str:
    """Cut a text to a maximum length, with an ellipsis."""
    return text if len(text) <= max_length else f"{text[: max_length - 1]}…"


def place(match: MatchInfo) -> str:
    """Return the channel of a match as a mention, or "practice", or "the daily deal"."""
    if match.channel_id is not None:
        return f"<#{match.channel_id}>"
    return "practice" if match.day is None else "the daily deal"


def side(match: MatchInfo, seats: Sequence[Seat]) -> str:
    """Return the names of the players in these seats, such as a team."""
    return joined([name(match.players[seat]) for seat in seats])


def versus(match: MatchInfo) -> str:
    """Return all players of a match: `North vs South`, `North and East vs South and West`."""
    return " vs ".join(side(match, seats) for seats in match.sides)


def versus_at_first(match: MatchInfo) -> str:
    """Return the original players of a match, before computers took over seats: `North vs South`."""
    players = tuple(first_player(match, Seat(seat)) for seat in range(len(match.players)))
    return versus(replace(match, players=players))


def title(players: Sequence[Player], sides: Sequence[Sequence[Seat]], number: int = 1) -> str:
    """Return a thread's name from its players, without markdown, in at most `MAX_TITLE_LENGTH` characters.

    Examples: `North vs South`, `North, South and East`, `North and East vs South and West`. From the second match of
    the same players, the name includes the number: `North vs South, match 3`.
    """
    number_suffix = f", match {number}" if number > 1 else ""

    def write(longest: int) -> str:
        names = [plain(player, longest) for player in players]
        playing = (
            joined(names) if len(sides) > 2 else " vs ".join(joined([names[seat] for seat in side]) for side in sides)
        )
        return playing + number_suffix

    return _fitting(write)


def option(match: MatchInfo) -> str:
    """Return the players of a match for a menu, in at most `MAX_TITLE_LENGTH` characters: `North vs South`."""

    def write(longest: int) -> str:
        sides = [[plain(match.players[seat], longest) for seat in seats] for seats in match.sides]
        return " vs ".join(map(joined, sides))

    return _fitting(write)


def _fitting(write: Callable[[int], str]) -> str:
    """Return the text with the longest names that fit into `MAX_TITLE_LENGTH` characters.

    `write(longest)` returns the text with each name cut to `longest` characters.
    """
    texts = map(write, range(MAX_NAME_LENGTH, 0, -1))
    return next((text for text in texts if len(text) <= MAX_TITLE_LENGTH), shortened(write(1), MAX_TITLE_LENGTH))


def all_players(match: MatchInfo) -> str:
    """Return "both players" or "all players"."""
    return "both players" if len(match.players) == 2 else "all players"


def opponents(match: MatchInfo, seat: Seat) -> str:
    """Return the names of a seat's opponents within a sentence."""
    return joined([in_sentence(match.players[other]) for side in match.sides if seat not in side for other in side])


def monograms(players: Sequence[Player]) -> tuple[str, ...]:
    """Return a unique monogram of A-Z and 0-9 for each player.

    The monogram of a computer with a number is the first letter and the number of its name: C1, C2.
    """
    chosen: list[str] = []
    for seat, player in enumerate(players):
        decomposed = unicodedata.normalize("NFKD", player.name or "").upper()
        letters = "".join(char for char in decomposed if char.isascii() and char.isalnum())
        numbered = player.computer is not None and letters[-1:].isdigit()
        first = letters[:1] + letters[-1] if numbered else letters[:1]
        candidates = chain((first, letters[:2]), map(str, count(seat + 1)))
        chosen.append(next(candidate for candidate in candidates if candidate and candidate not in chosen))
    return tuple(chosen)


def portraits(players: Sequence[Player]) -> tuple[Portrait, ...]:
    """Return the players as pictures show them, without avatars."""
    return tuple(
        Portrait(mark, pictured(player), level=player.computer, username=player.username)
        for mark, player in zip(monograms(players), players, strict=True)
    )


def names_with_monograms(match: MatchInfo) -> list[str]:
    """Return the players' names by seat, each preceded by the player's monogram in pictures."""
    return [f"**{mark}** {name(player)}" for mark, player in zip(monograms(match.players), match.players, strict=True)]


def monogram_key(match: MatchInfo) -> str:
    """Return a line that explains the monograms."""
    return " · ".join(names_with_monograms(match))


def joined(words: Sequence[str], last: str = "and") -> str:
    """Join words into a list: `a`, `a and b`, `a, b and c`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""

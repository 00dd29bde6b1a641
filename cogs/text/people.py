"""Names of people and seats in messages."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, count

from bot.engine.moves import Seat
from bot.engine.views import DealView
from bot.values.matches import MatchInfo
from bot.values.names import is_visible
from bot.values.statistics import Player

FORGOTTEN = "someone who left"
NAMELESS = "someone"
"""Stands for a name that cannot be seen, or is not known where there are no mentions."""

MAX_LENGTH = 32
MAX_WITH_ACCOUNT = 2 * MAX_LENGTH + len(" ()")
"""Maximum length of a name with the name of its account."""
_BESIDE_ACCOUNT = 12
"""The length of a name before the name of its account in a picture."""
LONGEST_TITLE = 100
"""Maximum length of a thread's name, and of an option in a menu."""

_DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_LINE_BREAKING = frozenset(("Cc", "Zl", "Zp", "Cs"))
# Discord finds mentions in escaped text too, so a zero-width space follows each @.
_ESCAPED = str.maketrans({char: f"\\{char}" for char in "\\`*_~|[]()<>#:"} | {"@": "@\u200b"})


def name(player: Player) -> str:
    """Return a player's name, safe in a message; a mention if no name is known, so that Discord shows it."""
    if player.name is None:
        return FORGOTTEN if player.id is None else f"<@{player.id}>"
    return _isolated(plain(player))


def player_then(match: MatchInfo, view: DealView, seat: Seat, move: float = -1) -> Player:
    """Return the player of a seat at a move of a deal, for texts that name them.

    Until a computer took the seat over, that is the person who lost it. Moves are numbered as in `DealView.was_person`.
    """
    return (_leaver(match, seat) or Player(None, None)) if view.was_person(seat, move) else match.players[seat]


def name_then(match: MatchInfo, view: DealView, seat: Seat, move: float = -1) -> str:
    """Return the name of the player of a seat at a move of a deal; see `player_then`."""
    return name(player_then(match, view, seat, move))


def first_player(match: MatchInfo, seat: Seat) -> Player:
    """Return the player of a seat when the match began, for texts that name them.

    Return the computer if it took the seat over and the person was forgotten.
    """
    return _leaver(match, seat) or match.players[seat]


def _leaver(match: MatchInfo, seat: Seat) -> Player | None:
    """Return the person who lost a seat to a computer; None if nobody did, or if they were forgotten."""
    return match.leavers[seat] if match.leavers else None


def mention(player: Player) -> str:
    """Return a mention, for texts about people of whom some are known by no name: no text has mentions and names."""
    if player.computer is not None:
        return plain(player)
    return FORGOTTEN if player.id is None else f"<@{player.id}>"


def safe(text: str, longest: int = MAX_LENGTH, unseen: str = NAMELESS) -> str:
    """Return a name, or what else somebody wrote, without markdown, mentions, links or line breaks, and not too long.

    Return `unseen` if nothing of it can be seen.
    """
    return _isolated(_cleaned(text, longest) or unseen)


def _isolated(text: str) -> str:
    # A name may be written from right to left; isolating it keeps the rest of the line in order.
    return f"\u2068{text.translate(_ESCAPED)}\u2069"


def plain(player: Player, longest: int = MAX_LENGTH) -> str:
    """Return a player's name for places without markdown, such as menus.

    An ambiguous one is followed by the name of the account. Only the name itself is shortened.
    """
    if player.name is None:
        shown = FORGOTTEN if player.id is None else NAMELESS
    else:
        shown = shortened(_cleaned(player.name) or NAMELESS, longest)
    account = player.account
    return shown if account is None else f"{shown} ({_cleaned(account)})"


def pictured(player: Player) -> str:
    """Return a player's name for a picture. If it is ambiguous, the name of the account needs room as well."""
    return plain(player, MAX_LENGTH if player.account is None else _BESIDE_ACCOUNT)


def _cleaned(text: str, longest: int = MAX_LENGTH) -> str:
    """Return a name in one line, not too long, without marks that change the direction of writing.

    Return nothing if nothing of it can be seen.
    """
    kept = "".join(
        char for char in text if char not in _DIRECTION_MARKS and unicodedata.category(char) not in _LINE_BREAKING
    )
    short = shortened(kept, longest)
    return short.strip() if is_visible(short.removesuffix("…")) else ""


def shortened(text: str, longest: int) -> str:
    """Return a text with an ellipsis for what is too long."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def place(match: MatchInfo) -> str:
    """Return where a match is played: its channel, as a mention, or that it is practice with computers of a level."""
    if match.channel_id is not None:
        return f"<#{match.channel_id}>"
    level = next((player.computer for player in match.players if player.computer is not None), None)
    return f"practice (level: {level})"


def side(match: MatchInfo, seats: Sequence[Seat]) -> str:
    """Return the names of those who score together."""
    return joined([name(match.players[seat]) for seat in seats])


def versus(match: MatchInfo) -> str:
    """Return all players of a match: `North vs South`, `North and East vs South and West`."""
    return " vs ".join(side(match, seats) for seats in match.sides)


def versus_at_first(match: MatchInfo) -> str:
    """Return all players of a match as they were when it began, before computers took seats over."""
    players = tuple(first_player(match, Seat(seat)) for seat in range(len(match.players)))
    return versus(replace(match, players=players))


def title(players: Sequence[Player], sides: Sequence[Sequence[Seat]], number: int = 1) -> str:
    """Return the players in at most `LONGEST_TITLE` characters without markdown, to name a thread.

    `North vs South`, `North, South and East`, `North and East vs South and West`; with the number of the match among
    all of theirs if it is not the first: `North vs South, match 3`.
    """
    which = f", match {number}" if number > 1 else ""

    def told(longest: int) -> str:
        names = [plain(player, longest) for player in players]
        playing = (
            joined(names) if len(sides) > 2 else " vs ".join(joined([names[seat] for seat in side]) for side in sides)
        )
        return playing + which

    return _fitting(told)


def option(match: MatchInfo) -> str:
    """Return all players of a match for a menu, in at most `LONGEST_TITLE` characters: `North vs South`."""

    def told(longest: int) -> str:
        sides = [[plain(match.players[seat], longest) for seat in seats] for seats in match.sides]
        return " vs ".join(map(joined, sides))

    return _fitting(told)


def _fitting(write: Callable[[int], str]) -> str:
    """Return a text with names as long as it has room for; `write` returns it with names of a length."""
    texts = map(write, range(MAX_LENGTH, 0, -1))
    return next((text for text in texts if len(text) <= LONGEST_TITLE), shortened(write(1), LONGEST_TITLE))


def all_players(match: MatchInfo) -> str:
    """Return the players of a match together, as a part of a sentence."""
    return "both players" if len(match.players) == 2 else "all players"


def opponents(match: MatchInfo, seat: Seat) -> str:
    """Return the names of everyone a seat plays against."""
    return joined([name(match.players[other]) for side in match.sides if seat not in side for other in side])


def monograms(players: Sequence[Player]) -> tuple[str, ...]:
    """Return a monogram of A-Z and 0-9 for each player, all different.

    Computers have the first letter and the number of their names: C1, C2.
    """
    chosen: list[str] = []
    for seat, player in enumerate(players):
        decomposed = unicodedata.normalize("NFKD", player.name or "").upper()
        letters = "".join(char for char in decomposed if char.isascii() and char.isalnum())
        numbered = player.computer is not None and letters[-1:].isdigit()
        first = letters[:1] + letters[-1] if numbered else letters[:1]
        candidates = chain((first, letters[:2]), map(str, count(seat + 1)))
        chosen.append(next(one for one in candidates if one and one not in chosen))
    return tuple(chosen)


def names_with_monograms(match: MatchInfo) -> list[str]:
    """Return each player's name by seat, after the monogram that pictures show."""
    return [f"**{mark}** {name(player)}" for mark, player in zip(monograms(match.players), match.players, strict=True)]


def monogram_key(match: MatchInfo) -> str:
    """Return a line that says which monogram is whose."""
    return " · ".join(names_with_monograms(match))


def joined(words: Sequence[str], last: str = "and") -> str:
    """Join words into a list: `a`, `a and b`, `a, b and c`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""

"""How people and seats are named in messages."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import chain, count

from bot.engine.moves import Seat
from bot.values.matches import MatchInfo
from bot.values.statistics import Player

FORGOTTEN = "someone who left"
LONGEST = 32

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BREAKING = frozenset(("Cc", "Zl", "Zp", "Cs"))
# Mentions are read out of escaped text too, so a sign without width parts the @ from what follows.
_ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_~|[]()<>#:"} | {"@": "@\u200b"})


def name(player: Player) -> str:
    """A player's name, safe in a message; a mention where no name is known, so that Discord shows it."""
    if player.name is None:
        return FORGOTTEN if player.id is None else f"<@{player.id}>"
    return safe(player.name)


def safe(text: str) -> str:
    """A name as plain text: no markdown, no mentions, no links, no line breaks, not too long."""
    escaped = (_cleaned(text) or "…").translate(_ESCAPED)
    # A name may be written from right to left; isolating it keeps the rest of the line in order.
    return f"\u2068{escaped}\u2069"


def plain(player: Player) -> str:
    """A player's name where markdown does not apply, as in a menu."""
    if player.name is None:
        return FORGOTTEN if player.id is None else "someone"
    return _cleaned(player.name) or "someone"


def _cleaned(text: str) -> str:
    """A name in one line, not too long, without signs that turn the direction of writing."""
    kept = "".join(sign for sign in text if sign not in _TURNING and unicodedata.category(sign) not in _BREAKING)
    short = kept if len(kept) <= LONGEST else kept[: LONGEST - 1] + "…"
    return short.strip()


def side(card: MatchInfo, seats: Sequence[Seat]) -> str:
    """Who scores together: one player, or partners."""
    return joined([name(card.players[seat]) for seat in seats])


def versus(card: MatchInfo) -> str:
    """All players of a match: `North vs South`, `North and East vs South and West`."""
    return " vs ".join(side(card, seats) for seats in card.sides)


def rivals(card: MatchInfo, seat: Seat) -> str:
    """Everyone a seat plays against."""
    return joined([name(card.players[other]) for side in card.sides if seat not in side for other in side])


def marks(card: MatchInfo) -> tuple[str, ...]:
    """A monogram of A-Z and 0-9 for each seat, all different."""
    return monograms(card.players)


def monograms(players: Sequence[Player]) -> tuple[str, ...]:
    """A monogram of A-Z and 0-9 for each of these players, all different."""
    chosen: list[str] = []
    for seat, player in enumerate(players):
        letters = _letters(player.name or "")
        tries = chain((letters[:1], letters[:2]), map(str, count(seat + 1)))
        chosen.append(next(mark for mark in tries if mark and mark not in chosen))
    return tuple(chosen)


def _letters(text: str) -> str:
    bare = unicodedata.normalize("NFKD", text).upper()
    return "".join(sign for sign in bare if sign.isascii() and sign.isalnum())


def marked(card: MatchInfo) -> list[str]:
    """Everybody by seat, each with the mark that pictures know them by."""
    return [f"**{mark}** {name(player)}" for mark, player in zip(marks(card), card.players, strict=True)]


def sheet_key(card: MatchInfo) -> str:
    """Who is who in the columns of a score sheet."""
    return " · ".join(marked(card))


def joined(words: Sequence[str]) -> str:
    """Words in a row: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""

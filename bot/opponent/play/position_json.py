"""Positions as JSON. Cards, moves and rules are in notation.

The keys are the fields of `Position`, except that `new_card` is `fresh` and `history` is `happenings`. They are listed
in `docs/opponent.md`, because referees (programs that run matches) send positions too. In a duel, a referee sends
`dealer` instead of `seats`, `side` and `knock`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.engine.cards.cards import Card, Hand, parse_cards
from bot.engine.cards.melds import Arrangement, Meld, parse_melds
from bot.engine.deals.moves import Move, Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import LayOff, OutcomeKind
from bot.engine.matches.views import KnockView, PublicMove
from bot.engine.rules import Rules
from bot.opponent.play.position import PastDeal, Position


def position_to_json(position: Position) -> dict[str, Any]:
    """Return a position as JSON-compatible data."""
    return {
        "rules": str(position.rules),
        "number": position.number,
        "seats": list(position.seats),
        "seat": position.seat,
        "side": position.side,
        "score": list(position.score),
        "phase": position.phase.value,
        "hand": str(position.hand),
        "fresh": _card_text(position.new_card),
        "upcard": str(position.upcard),
        "discards": _cards_text(position.discards),
        "stock": position.stock,
        "hand_sizes": list(position.hand_sizes),
        "knock_limit": position.knock_limit,
        "knock": None if position.knock is None else _knock(position.knock),
        "happenings": _happenings(position.history),
        "past": [_past(deal) for deal in position.past],
        "moves": [str(move) for move in position.moves],
    }


def position_from_json(data: Mapping[str, Any]) -> Position:
    """Parse a position.

    Raise `GinError` for invalid notation, and `KeyError`, `TypeError` or `ValueError` for other invalid data.
    """
    seat = Seat(data["seat"])
    seats = data.get("seats", (1 - data["dealer"], data["dealer"]) if "dealer" in data else ())
    fresh, knock = data["fresh"], data.get("knock")
    return Position(
        rules=Rules.parse(data["rules"]),
        number=data["number"],
        seats=tuple(Seat(seat) for seat in seats),
        seat=seat,
        side=data.get("side", seat),
        score=tuple(data["score"]),
        phase=Phase(data["phase"]),
        hand=Hand.parse(data["hand"]),
        new_card=None if fresh is None else Card.parse(fresh),
        upcard=Card.parse(data["upcard"]),
        discards=parse_cards(data["discards"]),
        stock=data["stock"],
        hand_sizes=tuple(data["hand_sizes"]),
        knock_limit=data["knock_limit"],
        knock=None if knock is None else _read_knock(knock),
        history=_read_happenings(data["happenings"]),
        past=tuple(_read_past(deal) for deal in data["past"]),
        moves=tuple(Move.parse(move) for move in data["moves"]),
    )


def _card_text(card: Card | None) -> str | None:
    return None if card is None else card.text


def _cards_text(cards: Sequence[Card]) -> str:
    return " ".join(card.text for card in cards)


def _happenings(history: Sequence[PublicMove]) -> list[list[Any]]:
    return [[move.seat, move.verb if move.card is None else f"{move.verb} {move.card}"] for move in history]


def _read_happenings(happenings: Sequence[Sequence[Any]]) -> tuple[PublicMove, ...]:
    moves: list[PublicMove] = []
    for seat, text in happenings:
        verb, _, card = text.partition(" ")
        moves.append(PublicMove(Seat(seat), Verb(verb), Card.parse(card.partition(" ")[0]) if card else None))
    return tuple(moves)


def _past(deal: PastDeal) -> dict[str, Any]:
    return {
        "number": deal.number,
        "seats": list(deal.seats),
        "kind": deal.kind.value,
        "knocker": deal.knocker,
        "winner": deal.winner,
        "deadwood": list(deal.deadwood),
        "happenings": _happenings(deal.history),
    }


def _read_past(data: Mapping[str, Any]) -> PastDeal:
    knocker, winner = data["knocker"], data["winner"]
    seats = data.get("seats", (1 - data["dealer"], data["dealer"]) if "dealer" in data else ())
    return PastDeal(
        number=data["number"],
        seats=tuple(Seat(seat) for seat in seats),
        kind=OutcomeKind(data["kind"]),
        knocker=None if knocker is None else Seat(knocker),
        winner=None if winner is None else Seat(winner),
        deadwood=tuple(data["deadwood"] or ()),
        history=_read_happenings(data["happenings"]),
    )


def _knock(knock: KnockView) -> dict[str, Any]:
    return {
        "seat": knock.seat,
        "melds": knock.arrangement.text,
        "unmatched": _cards_text(knock.arrangement.unmatched),
        "deadwood": knock.arrangement.deadwood,
        "lay_offs": [[lay_off.seat, str(lay_off)] for lay_off in knock.lay_offs],
    }


def _read_knock(data: Mapping[str, Any]) -> KnockView:
    lay_offs: list[LayOff] = []
    for seat, text in data["lay_offs"]:
        card, _, meld = text.partition(">")
        lay_offs.append(LayOff(Card.parse(card), Meld.parse(meld), Seat(seat)))
    laid = Arrangement(parse_melds(data["melds"]), parse_cards(data["unmatched"]), data["deadwood"])
    return KnockView(Seat(data["seat"]), laid, tuple(lay_offs))

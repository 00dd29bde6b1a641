"""Gin rummy as values: cards and melds, rules, deals, matches, records and verifiable shuffles.

The names below are stable. `README.md` beside this file explains them with an example.
"""

from bot.engine.cards.cards import DECK, Card, Hand, Rank, Suit, parse_cards, parse_deck
from bot.engine.cards.melds import Arrangement, Meld, best_arrangement, points
from bot.engine.deals.moves import BIG_GIN, DONE, DRAW, PASS, RESIGN, TAKE, Move, Seat, Verb, discard, knock
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import LayOff, Outcome, OutcomeKind
from bot.engine.errors import GinError, IllegalMove, NotationError, RecordError, RulesError
from bot.engine.fairness.audit import Answer, Audit, audit
from bot.engine.matches.actions import Action, Awaiting, Cut, Play, Reshuffle, Shuffle
from bot.engine.matches.chance import CardSource, RandomCards, next_chance_action
from bot.engine.matches.match import Match, apply, apply_all, legal, new_match
from bot.engine.matches.scoring import Score
from bot.engine.matches.views import PublicView, SeatView, ShowdownView, public_view, seat_view, showdown_view
from bot.engine.records.record import Record, replay_record
from bot.engine.rules import OPTIONS, PRESETS, Rules

__all__ = [
    "BIG_GIN",
    "DECK",
    "DONE",
    "DRAW",
    "OPTIONS",
    "PASS",
    "PRESETS",
    "RESIGN",
    "TAKE",
    "Action",
    "Answer",
    "Arrangement",
    "Audit",
    "Awaiting",
    "Card",
    "CardSource",
    "Cut",
    "GinError",
    "Hand",
    "IllegalMove",
    "LayOff",
    "Match",
    "Meld",
    "Move",
    "NotationError",
    "Outcome",
    "OutcomeKind",
    "Phase",
    "Play",
    "PublicView",
    "RandomCards",
    "Rank",
    "Record",
    "RecordError",
    "Reshuffle",
    "Rules",
    "RulesError",
    "Score",
    "Seat",
    "SeatView",
    "ShowdownView",
    "Shuffle",
    "Suit",
    "Verb",
    "apply",
    "apply_all",
    "audit",
    "best_arrangement",
    "discard",
    "knock",
    "legal",
    "new_match",
    "next_chance_action",
    "parse_cards",
    "parse_deck",
    "points",
    "public_view",
    "replay_record",
    "seat_view",
    "showdown_view",
]

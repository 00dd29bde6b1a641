"""Compares a match's commitment and words with its events, as stored in the database after any death."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.engine.actions import Action, Chance, Cut, PlayerSeed, Reshuffle, Reveal, Shuffle
from bot.engine.chance import Cards, event_of
from bot.engine.fair import HOUSE, NOT_POSTED, Event, hashed, player_seed
from bot.engine.match import Match, apply
from tests.helpers.onlooker import Onlooker

RUNNING: Final = "running"


CardsOf = Callable[[Event], Cards]
"""Returns the cards of an event."""


def real_cards(event: Event) -> Cards:
    """Return the cards that the bot deals."""
    return event


def verify_promise(
    database: Onlooker, match_id: int, match: Match, actions: Sequence[Action], status: str, cards_of: CardsOf
) -> None:
    """Check that a match's events follow from its commitment and its players' words, without gaps or repeats.

    All seeds are revealed except the seeds of deals in play.
    """
    rows = database.rows("SELECT id, commitment, message_id FROM chain WHERE match_id = :match", match=match_id)
    if not rows:
        assert not any(isinstance(action, PlayerSeed | Reveal) for action in actions)
        return
    ((chain_id, commitment, message_id),) = rows
    seeds = {action.event: action.seed for action in actions if isinstance(action, Reveal)}
    assert list(seeds) == sorted(seeds)
    assert all(hashed(seed, event) == bytes(commitment) for event, seed in seeds.items())
    events = [action.event for action in actions if isinstance(action, Chance)]
    assert events == list(range(1, len(events) + 1))
    sealed = set(events) - seeds.keys()
    for action in actions:
        if isinstance(action, Chance) and action.event in seeds:
            _verify_event(match, action, cards_of(event_of(match, seeds[action.event])))
        match = apply(match, action)
    assert match.seeds is not None
    assert sealed == {event for event, _ in match.seeds.sealed}
    assert match.to_reveal == () if status == RUNNING else not sealed
    _verify_words(database, chain_id, message_id, actions)


def _verify_event(match: Match, action: Chance, cards: Cards) -> None:
    match action:
        case Cut():
            assert action.cards == cards.cut(match.seats)
        case Shuffle():
            assert action.deck == cards.deck()
        case Reshuffle():
            assert match.reshuffling is not None
            assert action.cards == cards.stock(match.reshuffling.discards[:-1])


def _verify_words(database: Onlooker, chain_id: int, message_id: int | None, actions: Sequence[Action]) -> None:
    """Check that the log has exactly one seed for each text, apart from the seeds for no words."""
    said = database.rows("SELECT text, counts_from FROM player_words WHERE chain_id = :chain", chain=chain_id)
    usual = {player_seed(text) for text in (HOUSE, NOT_POSTED, str(message_id))}
    given = [one for one in actions if isinstance(one, PlayerSeed)]
    logged = sorted((one.seed, one.counts_from or 0) for one in given if one.seed not in usual)
    assert logged == sorted((player_seed(text), counts_from or 0) for text, counts_from in said)

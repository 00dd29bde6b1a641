"""Checks that a match's events follow from its commitment and its players' shuffle words, after any kill of the bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from bot.engine.fairness.fair import HOUSE_TEXT, NOT_POSTED_TEXT, Event, hashed, player_seed
from bot.engine.matches.actions import Action, Chance, Cut, PlayerSeed, Reshuffle, Reveal, Shuffle
from bot.engine.matches.chance import CardSource, event_of
from bot.engine.matches.match import Match, apply
from tests.helpers.onlooker import DatabaseInspector

RUNNING: Final = "running"


CardsOf = Callable[[Event], CardSource]
"""Type of functions that return an event's `CardSource`: real, like `real_cards`, or rigged, like `GenerousEvent`."""


def real_cards(event: Event) -> CardSource:
    """Return an event's cards as in production, without rigging."""
    return event


def verify_promise(
    database: DatabaseInspector, match_id: int, match: Match, actions: Sequence[Action], status: str, cards_of: CardsOf
) -> None:
    """Check that a match's events follow from its commitment and shuffle words, without gaps or repeats.

    Also check that exactly the seeds of deals in play are still secret.
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
    assert match.revealable_events == () if status == RUNNING else not sealed
    _verify_words(database, chain_id, message_id, actions)


def _verify_event(match: Match, action: Chance, cards: CardSource) -> None:
    match action:
        case Cut():
            assert action.cards == cards.cut(match.seats)
        case Shuffle():
            assert action.deck == cards.deck()
        case Reshuffle():
            assert match.reshuffling is not None
            assert action.cards == cards.stock(match.reshuffling.discards[:-1])


def _verify_words(
    database: DatabaseInspector, chain_id: int, message_id: int | None, actions: Sequence[Action]
) -> None:
    """Check that the log has one seed for each row of `player_words`, and that all its other seeds are defaults."""
    words = database.rows("SELECT text, counts_from FROM player_words WHERE chain_id = :chain", chain=chain_id)
    default_seeds = {player_seed(text) for text in (HOUSE_TEXT, NOT_POSTED_TEXT, str(message_id))}
    given = [action for action in actions if isinstance(action, PlayerSeed)]
    logged = sorted(
        (given_seed.seed, given_seed.counts_from or 0) for given_seed in given if given_seed.seed not in default_seeds
    )
    assert logged == sorted((player_seed(text), counts_from or 0) for text, counts_from in words)

"""The automatic actions after other actions: due reveals, then chance until it is a player's turn."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.actions import Action, Chance, Reveal
from bot.engine.chance import drawn, event_of
from bot.engine.fair import Chain
from bot.engine.limits import is_full
from bot.engine.match import Match, apply
from bot.play.matches.shuffler import Shuffler
from bot.store import chains
from bot.store.transaction import Transaction
from bot.values.ids import MatchId

Steps = list[tuple[Action, Match]]
"""Actions, each with the match after it."""


async def follow(
    transaction: Transaction,
    shuffler: Shuffler,
    match_id: MatchId,
    match: Match,
    actions: Sequence[Action],
    *,
    logged: int,
) -> Steps:
    """Return the actions and the automatic actions after them. `logged` is the number of earlier actions in the log.

    If the match still awaits chance after them, it must be called off: its chain is used up, or its log is full. Raise
    `IllegalMove`.
    """
    steps = Steps()
    for action in actions:
        match = apply(match, action)
        steps.append((action, match))
    needed = match.seeds is not None and (match.awaits is not None or bool(match.to_reveal))
    secrets = await _secrets(transaction, match_id) if needed else None
    while (action := _next(shuffler, match, secrets, logged + len(steps))) is not None:
        match = apply(match, action)
        steps.append((action, match))
    return steps


async def reveal_all(transaction: Transaction, match_id: MatchId, match: Match) -> Steps:
    """Return the reveals of all seeds that a called-off match has used and not yet revealed."""
    steps = Steps()
    if match.seeds is not None and match.seeds.sealed:
        secrets = await _secrets(transaction, match_id)
        for event, _ in match.seeds.sealed:
            action = Reveal(event, secrets.seed(event))
            match = apply(match, action)
            steps.append((action, match))
    return steps


async def _secrets(transaction: Transaction, match_id: MatchId) -> Chain:
    chain = await chains.secrets(transaction, match_id)
    if chain is None:
        raise LookupError(f"there are no server seeds for match {match_id}")
    return chain


def _next(shuffler: Shuffler, match: Match, secrets: Chain | None, logged: int) -> Reveal | Chance | None:
    """Return the next automatic action; None if it is a player's turn, or the match is over or must be called off."""
    if secrets is not None and (due := match.to_reveal):
        return Reveal(due[0], secrets.seed(due[0]))
    if match.awaits is None or (not match.playing and is_full(logged)):
        return None
    if match.seeds is None or secrets is None:
        return drawn(match, match.awaits, shuffler)
    if match.seeds.used_up:
        return None
    event = event_of(match, secrets.seed(match.seeds.events + 1))
    return drawn(match, match.awaits, shuffler.for_event(event))

"""The automatic actions after a player's actions: reveals of seeds that may now be public, then cuts and shuffles."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.fairness.fair import Chain
from bot.engine.limits import is_log_full
from bot.engine.matches.actions import Action, Chance, Reveal
from bot.engine.matches.chance import event_of, next_chance_action
from bot.engine.matches.match import Match, apply
from bot.model.ids import MatchId
from bot.play.matches.shuffler import Shuffler
from bot.store import chains
from bot.store.transaction import Transaction

Steps = list[tuple[Action, Match]]
"""Actions, each with the match after it."""


async def with_automatic_actions(
    transaction: Transaction,
    shuffler: Shuffler,
    match_id: MatchId,
    match: Match,
    actions: Sequence[Action],
    *,
    log_length: int,
) -> Steps:
    """Return the given actions and the automatic actions after them, each with the match after it.

    `log_length` is the number of earlier actions in the log. If the match still awaits a cut or a shuffle after all
    these actions, it must be called off: its hash chain is used up, or its log is full. Raise `IllegalMove` if the
    rules do not allow one of `actions`.
    """
    steps = Steps()
    for action in actions:
        match = apply(match, action)
        steps.append((action, match))
    needed = match.seeds is not None and (match.awaits is not None or bool(match.revealable_events))
    secrets = await _secrets(transaction, match_id) if needed else None
    while (action := _next_automatic_action(shuffler, match, secrets, log_length + len(steps))) is not None:
        match = apply(match, action)
        steps.append((action, match))
    return steps


async def reveal_all(transaction: Transaction, match_id: MatchId, match: Match) -> Steps:
    """Return actions that reveal the seeds that a called-off match has used but not revealed."""
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


def _next_automatic_action(
    shuffler: Shuffler, match: Match, secrets: Chain | None, log_length: int
) -> Reveal | Chance | None:
    """Return the next automatic action; None if it is a player's turn, or the match is over or must be called off."""
    if secrets is not None and (due := match.revealable_events):
        return Reveal(due[0], secrets.seed(due[0]))
    if match.awaits is None or (not match.playing and is_log_full(log_length)):
        return None
    if match.seeds is None or secrets is None:
        return next_chance_action(match, match.awaits, shuffler)
    if match.seeds.is_used_up:
        return None
    event = event_of(match, secrets.seed(match.seeds.newest_event + 1))
    return next_chance_action(match, match.awaits, shuffler.for_event(event))

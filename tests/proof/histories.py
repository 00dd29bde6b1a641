"""Compares the matches in the database with the answers that people received and the messages that they see."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from time import time
from typing import Any, Final

from bot.engine.deals.moves import Verb
from bot.engine.matches.match import Match, Play, apply, legal, new_match
from bot.engine.records.record import parse_actions
from bot.sandbox import Interaction, Message, ResponseKind, Sandbox
from bot.store.columns import parse_stored_rules
from cogs.actions import Action
from cogs.delivery.refusals import FAULT, OUTCOME_NOT_SHOWN
from cogs.kit.layout import Accent
from cogs.tables.table_panel import MATCH_IS_OVER
from tests.helpers.components import MOVES, accent_of, actions_of, discard_buttons
from tests.helpers.onlooker import DatabaseInspector
from tests.helpers.players import Player
from tests.helpers.seeded_shuffler import GenerousEvent
from tests.proof.promises import CardsOf, verify_promise

ANY_TIME: Final = timedelta(days=1)
SETTLE_TIMEOUT: Final = 300.0
"""Timeout for messages that are retried with exponential backoff, in seconds."""
SETTLED_SECONDS: Final = 0.5
"""Seconds without activity after which play counts as settled."""


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The first answer to an interaction: its text, whether it was a refusal, and the discards that it offers."""

    text: str
    refused: bool
    discards: frozenset[str]


@dataclass
class Witness:
    """Observes interactions and keeps their answers, as they looked when they arrived."""

    answers: dict[int, FirstAnswer] = field(default_factory=dict[int, FirstAnswer])
    failures: list[Interaction] = field(default_factory=list[Interaction])
    """The interactions that failed because of an error in the bot."""

    def __call__(self, interaction: Interaction) -> None:
        """Record an answer."""
        response = interaction.response
        if response is not None and response.kind in (ResponseKind.MESSAGE, ResponseKind.UPDATE):
            accent, is_deal = accent_of(interaction.message), Action.NEXT_DEAL in actions_of(interaction.message)
            # Ignore answers that show a match's result: a refused move after the end is answered like the last move.
            if OUTCOME_NOT_SHOWN in interaction.text or (accent == Accent.OVER.value and not is_deal):
                return
            refused = accent == Accent.TROUBLE.value
            cards = frozenset(card.text for card in discard_buttons(interaction.message))
            self.answers[interaction.id] = FirstAnswer(interaction.text, refused, cards)
            if FAULT in interaction.text:
                self.failures.append(interaction)


@dataclass
class ReplayedMatch:
    """A match as replayed from its log, with the number of turns of each seat.

    `discards` maps each interaction to the cards that its player could discard next. `mover` is the seat that moved
    last.
    """

    match: Match
    turns: Counter[int]
    discards: dict[int, frozenset[str]]
    people: tuple[int, ...]
    mover: int | None


def replayed_matches(database: DatabaseInspector, cards_of: CardsOf = GenerousEvent) -> dict[int, list[ReplayedMatch]]:
    """Replay all matches in the database, and return them by channel, oldest first.

    `cards_of` derives an event's cards from its seeds in the same way as the bot under test.
    """
    found: dict[int, list[ReplayedMatch]] = {}
    for match_id, channel_id, rules, version, status in database.rows(
        "SELECT id, channel_id, rules, version, status FROM match ORDER BY id"
    ):
        log = database.rows(
            "SELECT text, interaction_id FROM action WHERE match_id = :match ORDER BY number", match=match_id
        )
        assert len(log) == version
        seats = database.rows("SELECT person_id FROM seat WHERE match_id = :match ORDER BY seat", match=match_id)
        people = tuple(person for (person,) in seats)
        match = new_match(parse_stored_rules(rules), len(people))
        verify_promise(database, match_id, match, parse_actions("\n".join(text for text, _ in log)), status, cards_of)
        found.setdefault(channel_id, []).append(_replayed(match, log, people))
    return found


def _replayed(match: Match, log: Sequence[tuple[Any, ...]], people: tuple[int, ...]) -> ReplayedMatch:
    turns, discards = Counter[int](), dict[int, frozenset[str]]()
    before, deals, mover = None, 0, None
    made: tuple[int, Play] | None = None
    actions = parse_actions("\n".join(text for text, _ in log))
    for number, (action, (_, interaction_id)) in enumerate(zip(actions, log, strict=True)):
        match = apply(match, action)
        mover = action.seat if isinstance(action, Play) else mover
        if interaction_id is not None:
            assert interaction_id not in discards
            discards[interaction_id] = frozenset()
            made = (interaction_id, action) if isinstance(action, Play) else None
        # A turn begins when a move, with all following chance events and ordered moves, gives the turn to another seat
        # or starts a deal.
        last = number + 1 == len(log) or log[number + 1][1] is not None
        if last and made is not None:
            discards[made[0]] = _discards(match, made[1])
        if last and match.to_act:
            (seat,) = match.to_act
            if seat != before or len(match.finished) != deals:
                turns[seat] += 1
            before, deals = seat, len(match.finished)
    return ReplayedMatch(match, turns, discards, people, mover)


def _discards(match: Match, play: Play) -> frozenset[str]:
    """Return the cards that a player is allowed to discard after making this move, and all that followed from it."""
    if play.seat not in match.to_act:
        return frozenset()
    moves = legal(match, play.seat)
    return frozenset(move.card.text for move in moves if move.verb is Verb.DISCARD and move.card is not None)


def verify(
    database: DatabaseInspector,
    witness: Witness,
    players: Sequence[Player],
    unnotified: int = 0,
    cards_of: CardsOf = GenerousEvent,
) -> None:
    """Check that the players' answers and screens agree with the log.

    `unnotified` is the maximum number of turns that began without a notification by direct message. `cards_of` derives
    an event's cards from its seeds in the same way as the bot under test.
    """
    matches = replayed_matches(database, cards_of)
    for player in players:
        here = matches[player.channel.id]
        entries = Counter(made for past in here for made in past.discards)
        for made in player.interactions:
            answer = witness.answers.get(made.id)
            assert answer is None or entries[made.id] == int(not answer.refused), (made, answer)
        for past in here:
            for interaction_id, discards in past.discards.items():
                # The answer to a move has a button for each card that may be discarded next, including a drawn card.
                answer = witness.answers.get(interaction_id)
                assert answer is None or answer.discards == discards, (answer, discards)
        others = [other for other in players if other is not player and other.channel.id == player.channel.id]
        _verify_screen(player, here, unnotified, sum(other.plans[Action.TAKE_BACK] for other in others))


def _verify_screen(player: Player, here: list[ReplayedMatch], unnotified: int, requests: int) -> None:
    """Check that a player sees one table and one hand, and got the expected number of notifications.

    Each of the `requests` to take a discard back may have caused another notification.
    """
    past, person = here[-1], player.person
    seat = past.people.index(person.id)
    running = bool(past.match.to_act)
    assert len(list(tables(player))) == int(running)
    turns = sum(match.turns[match.people.index(person.id)] for match in here)
    ended = [match for match in here if not match.match.to_act]
    ends, others = sum(match.people[match.mover or 0] != person.id for match in ended), requests
    if player.by_dm:
        # A rematch that is offered before the player is notified of the match's end causes another notification.
        others += len(ended) + ends
        hands = [message for message in person.direct_messages() if not message.ephemeral]
        assert sum(
            not actions_of(hand).isdisjoint({*MOVES, Action.REFRESH_HAND, Action.NEXT_DEAL}) for hand in hands
        ) == int(running)
        assert len(hands) == len(here), (person, here, hands)
        notifications = sum(message.channel is person.dm for message in person.pushes)
    else:
        assert sum(MATCH_IS_OVER in message.text for message in person.pushes) <= ends
        # Only pings for a turn have a button that shows the hand. Pings for a rematch or a match's end do not.
        opening = {Action.SHOW_HAND, Action.NEXT_DEAL}
        calls = [message for message in person.pushes if not opening.isdisjoint(actions_of(message))]
        standing = [message for message in calls if not message.deleted]
        assert len(standing) == int(seat in past.match.to_act), (person, past.match.to_act, standing, calls[-3:])
        notifications = len(calls)
        # A private answer shows a new turn before the ping is sent, so these players can always move without one.
        unnotified = turns
    # A player who moves before the notification of a turn is sent does not get it.
    assert turns - unnotified <= notifications <= turns + others, (turns, unnotified, notifications, others)


def tables(player: Player) -> Iterator[Message]:
    """Return the posts in a player's channel that show the table of a running match."""
    seen = player.person.sees(player.channel)
    return (message for message in seen if {Action.SHOW_HAND, Action.SHOW_SCORE} <= actions_of(message))


def is_nothing_due(database: DatabaseInspector, within: timedelta) -> bool:
    """Return True if no message must be delivered now or within this time span."""
    soon = int((time() + within.total_seconds()) * 1000)
    ((due,),) = database.rows(
        "SELECT (SELECT count(*) FROM outbox_message WHERE wanted_revision > shown_revision AND due_at <= :soon)"
        " + (SELECT count(*) FROM stale_message WHERE due_at <= :soon)",
        soon=soon,
    )
    return due == 0


async def wait_until_settled(sandbox: Sandbox, database: DatabaseInspector) -> None:
    """Wait until no interaction is pending and no message is due for `SETTLED_SECONDS`.

    The bot may still make the move of an interaction that expired at Discord and is no longer pending.
    """
    seen = None
    async with asyncio.timeout(SETTLE_TIMEOUT):
        while True:
            await sandbox.idle(SETTLE_TIMEOUT)
            before, seen = seen, _moves_made(database) if is_nothing_due(database, ANY_TIME) else None
            if seen is not None and seen == before:
                return
            # The database cannot notify this test of changes, so poll.
            await asyncio.sleep(0.05 if seen is None else SETTLED_SECONDS)


def _moves_made(database: DatabaseInspector) -> int:
    ((made,),) = database.rows("SELECT count(*) FROM action")
    return made

"""Compares the database's history with the answers that people received and the messages that they see."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from time import time
from typing import Any, Final

from bot.engine.match import Match, Play, apply, legal, new_match
from bot.engine.moves import Verb
from bot.engine.record import parse_actions
from bot.sandbox import Interaction, Message, ResponseKind, Sandbox
from bot.store.columns import stored_rules
from cogs.kit.actions import Action
from cogs.panels.layout import Accent
from cogs.panels.match import IS_OVER
from cogs.text.refusals import BROKEN, UNSHOWN
from tests.helpers.components import MOVES, accent_of, actions_of, discard_buttons
from tests.helpers.onlooker import Onlooker
from tests.helpers.players import Player
from tests.helpers.seeded_shuffler import GenerousEvent
from tests.proof.promises import CardsOf, verify_promise

EVER: Final = timedelta(days=1)
PATIENCE: Final = 300.0
"""Timeout in seconds for messages that are retried with exponential backoff."""
STAYS_SETTLED: Final = 0.5
"""Seconds without activity after which play counts as settled."""


@dataclass(frozen=True, slots=True)
class Told:
    """The first answer to an interaction, whether it was a refusal, and the cards that it offers to discard."""

    text: str
    refused: bool
    discards: frozenset[str]


@dataclass
class Witness:
    """The answers that people received, as they looked at that time."""

    told: dict[int, Told] = field(default_factory=dict[int, Told])
    broken: list[Interaction] = field(default_factory=list[Interaction])
    """The interactions that failed because of an error in the bot."""

    def __call__(self, interaction: Interaction) -> None:
        """Record an answer."""
        response = interaction.response
        if response is not None and response.kind in (ResponseKind.MESSAGE, ResponseKind.UPDATE):
            # The result of a match is shown to the player who ended it, and to players who move too late.
            if UNSHOWN in interaction.text or accent_of(interaction.message) == Accent.OVER.value:
                return
            refused = accent_of(interaction.message) == Accent.TROUBLE.value
            cards = frozenset(card.text for card in discard_buttons(interaction.message))
            self.told[interaction.id] = Told(interaction.text, refused, cards)
            if BROKEN in interaction.text:
                self.broken.append(interaction)


@dataclass
class Past:
    """A match as replayed from its log, with the number of turns at each seat.

    `discards` are the cards that each logged interaction allowed its player to discard next. `mover` is the seat that
    moved last.
    """

    match: Match
    turns: Counter[int]
    discards: dict[int, frozenset[str]]
    people: tuple[int, ...]
    mover: int | None


def pasts(database: Onlooker, cards_of: CardsOf = GenerousEvent) -> dict[int, list[Past]]:
    """Return every match in the database by channel, oldest first, replayed from its log.

    `cards_of` derives cards from events, as the bot does.
    """
    found: dict[int, list[Past]] = {}
    for match_id, channel_id, rules, version, status in database.rows(
        "SELECT id, channel_id, rules, version, status FROM match ORDER BY id"
    ):
        log = database.rows(
            "SELECT text, interaction_id FROM action WHERE match_id = :match ORDER BY number", match=match_id
        )
        assert len(log) == version
        seats = database.rows("SELECT person_id FROM seat WHERE match_id = :match ORDER BY seat", match=match_id)
        people = tuple(person for (person,) in seats)
        match = new_match(stored_rules(rules), len(people))
        verify_promise(database, match_id, match, parse_actions("\n".join(text for text, _ in log)), status, cards_of)
        found.setdefault(channel_id, []).append(_replayed(match, log, people))
    return found


def _replayed(match: Match, log: Sequence[tuple[Any, ...]], people: tuple[int, ...]) -> Past:
    turns, discards = Counter[int](), dict[int, frozenset[str]]()
    before, deals, mover = None, 0, None
    actions = parse_actions("\n".join(text for text, _ in log))
    for number, (action, (_, interaction_id)) in enumerate(zip(actions, log, strict=True)):
        match = apply(match, action)
        mover = action.seat if isinstance(action, Play) else mover
        if interaction_id is not None:
            assert interaction_id not in discards
            discards[interaction_id] = _discards(match, action) if isinstance(action, Play) else frozenset()
        # A turn begins when a move, with all following chance events, gives the turn to another seat or starts a deal.
        last = number + 1 == len(log) or log[number + 1][1] is not None
        if last and match.to_act:
            (seat,) = match.to_act
            if seat != before or len(match.finished) != deals:
                turns[seat] += 1
            before, deals = seat, len(match.finished)
    return Past(match, turns, discards, people, mover)


def _discards(match: Match, play: Play) -> frozenset[str]:
    """Return the cards that a player may discard after their move."""
    if play.seat not in match.to_act:
        return frozenset()
    moves = legal(match, play.seat)
    return frozenset(move.card.text for move in moves if move.verb is Verb.DISCARD and move.card is not None)


def verify(
    database: Onlooker,
    witness: Witness,
    players: Sequence[Player],
    unnotified: int = 0,
    cards_of: CardsOf = GenerousEvent,
) -> None:
    """Check that the log, people's answers, and their screens are consistent.

    `unnotified` is the number of turns that may have begun without a notification. `cards_of` derives cards from
    events, as the bot does.
    """
    known = pasts(database, cards_of)
    for player in players:
        here = known[player.channel.id]
        entries = Counter(made for past in here for made in past.discards)
        for made in player.made:
            told = witness.told.get(made.id)
            assert told is None or entries[made.id] == int(not told.refused), (made, told)
        for past in here:
            for interaction_id, discards in past.discards.items():
                # A player who drew a card was shown that card.
                told = witness.told.get(interaction_id)
                assert told is None or told.discards == discards, (told, discards)
        _verify_screen(player, here, unnotified)


def _verify_screen(player: Player, here: list[Past], unnotified: int) -> None:
    """Check that a player has one table, one hand, and one notification for each turn and each end by others."""
    past, person = here[-1], player.person
    seat = past.people.index(person.id)
    running = bool(past.match.to_act)
    assert len(list(tables(player))) == int(running)
    turns = sum(match.turns[match.people.index(person.id)] for match in here)
    ended = [match for match in here if not match.match.to_act]
    ends, others = sum(match.people[match.mover or 0] != person.id for match in ended), 0
    if player.by_dm:
        # A rematch offer also reports the end, if it is sent before the end's own notification.
        others = len(ended) + ends
        hands = [message for message in person.direct_messages() if not message.ephemeral]
        assert sum(not actions_of(hand).isdisjoint({*MOVES, Action.REFRESH_HAND}) for hand in hands) == int(running)
        assert len(hands) == len(here), (person, here, hands)
        told = sum(message.channel is person.dm for message in person.pushes)
    else:
        assert sum(IS_OVER in message.text for message in person.pushes) <= ends
        # A call to a rematch has another button, and the call at the end has none.
        calls = [message for message in person.pushes if Action.SHOW_HAND in actions_of(message)]
        standing = [message for message in calls if not message.deleted]
        assert len(standing) == int(seat in past.match.to_act), (person, past.match.to_act, standing, calls[-3:])
        told = len(calls)
    # A player who moves from an earlier hand before the notification is sent needs no notification.
    assert turns - unnotified <= told <= turns + others, (turns, unnotified, told, others)


def tables(player: Player) -> Iterator[Message]:
    """Return the tables in a player's channel."""
    seen = player.person.sees(player.channel)
    return (message for message in seen if {Action.SHOW_HAND, Action.SHOW_SCORE} <= actions_of(message))


def nothing_due(database: Onlooker, within: timedelta) -> bool:
    """Return True if no message is due within a time span."""
    soon = int((time() + within.total_seconds()) * 1000)
    ((due,),) = database.rows(
        "SELECT (SELECT count(*) FROM outbox_message WHERE wanted_revision > shown_revision AND due_at <= :soon)"
        " + (SELECT count(*) FROM stale_message WHERE due_at <= :soon)",
        soon=soon,
    )
    return due == 0


async def settled(sandbox: Sandbox, database: Onlooker) -> None:
    """Wait until there are no pending interactions and no due messages, and this stays so for a moment.

    An interaction that Discord let expire is not pending, but its move may still be made.
    """
    seen = None
    async with asyncio.timeout(PATIENCE):
        while True:
            await sandbox.idle(PATIENCE)
            before, seen = seen, _moves_made(database) if nothing_due(database, EVER) else None
            if seen is not None and seen == before:
                return
            # The database sends no notification of changes.
            await asyncio.sleep(0.05 if seen is None else STAYS_SETTLED)


def _moves_made(database: Onlooker) -> int:
    ((made,),) = database.rows("SELECT count(*) FROM action")
    return made

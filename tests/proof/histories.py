"""What the database says has happened, what people were told of it, and what they see: all must agree."""

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
"""Seconds for messages that failed again and again, which are tried more and more rarely."""
STAYS_SETTLED: Final = 0.5
"""Seconds for which nothing happens any more before that is believed."""


@dataclass(frozen=True, slots=True)
class Told:
    """The first answer to an interaction: whether it was a refusal, and the cards with buttons to discard them."""

    text: str
    refused: bool
    discards: frozenset[str]


@dataclass
class Witness:
    """What people were told, as it stood when they got it."""

    told: dict[int, Told] = field(default_factory=dict[int, Told])
    broken: list[Interaction] = field(default_factory=list[Interaction])
    """The interactions that the bot failed at by its own fault."""

    def __call__(self, interaction: Interaction) -> None:
        """Note an answer."""
        response = interaction.response
        if response is not None and response.kind in (ResponseKind.MESSAGE, ResponseKind.UPDATE):
            # The result of a match is shown to who ended it, and to who moves too late.
            if UNSHOWN in interaction.text or accent_of(interaction.message) == Accent.OVER.value:
                return
            refused = accent_of(interaction.message) == Accent.TROUBLE.value
            cards = frozenset(card.text for card in discard_buttons(interaction.message))
            self.told[interaction.id] = Told(interaction.text, refused, cards)
            if BROKEN in interaction.text:
                self.broken.append(interaction)


@dataclass
class Past:
    """A match as its log has it: replayed, with the turns that began at each seat.

    `discards` are the cards that each logged interaction allowed its player to discard next, and `mover` is the seat
    that moved last.
    """

    match: Match
    turns: Counter[int]
    discards: dict[int, frozenset[str]]
    people: tuple[int, ...]
    mover: int | None


def pasts(database: Onlooker, cards_of: CardsOf = GenerousEvent) -> dict[int, list[Past]]:
    """Return every match in the database by its channel, oldest first, replayed from its log.

    `cards_of` is how the bot makes cards of events.
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
        # A turn begins where a move, with all that chance brought after it, leaves another to act or a new deal.
        last = number + 1 == len(log) or log[number + 1][1] is not None
        if last and match.to_act:
            (seat,) = match.to_act
            if seat != before or len(match.finished) != deals:
                turns[seat] += 1
            before, deals = seat, len(match.finished)
    return Past(match, turns, discards, people, mover)


def _discards(match: Match, play: Play) -> frozenset[str]:
    """Return the cards that may be discarded after a move by whoever made it."""
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
    """Check that the log, what people were told, and what they see agree.

    `unnotified` is how many turns may have begun without a notification, and `cards_of` is how the bot makes cards of
    events.
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
                # Whoever drew a card was told of that very card.
                told = witness.told.get(interaction_id)
                assert told is None or told.discards == discards, (told, discards)
        _verify_screen(player, here, unnotified)


def _verify_screen(player: Player, here: list[Past], unnotified: int) -> None:
    """Check that there is one table, one hand, and one notification for each turn and each end by somebody else."""
    past, person = here[-1], player.person
    seat = past.people.index(person.id)
    running = bool(past.match.to_act)
    assert len(list(tables(player))) == int(running)
    turns = sum(match.turns[match.people.index(person.id)] for match in here)
    ended = [match for match in here if not match.match.to_act]
    ends, others = sum(match.people[match.mover or 0] != person.id for match in ended), 0
    if player.by_dm:
        # An offer of a rematch tells of the end, too, if it comes before that was told.
        others = len(ended) + ends
        hands = [message for message in person.direct_messages() if not message.ephemeral]
        assert sum(not actions_of(hand).isdisjoint({*MOVES, Action.REFRESH_HAND}) for hand in hands) == int(running)
        assert len(hands) == len(here), (person, here, hands)
        told = sum(message.channel is person.dm for message in person.pushes)
    else:
        assert sum(IS_OVER in message.text for message in person.pushes) <= ends
        # A call to a rematch has another button, and the one at the end has none.
        calls = [message for message in person.pushes if Action.SHOW_HAND in actions_of(message)]
        standing = [message for message in calls if not message.deleted]
        assert len(standing) == int(seat in past.match.to_act), (person, past.match.to_act, standing, calls[-3:])
        told = len(calls)
    # Who moves before the notification is out, from a hand that was there before, needs none.
    assert turns - unnotified <= told <= turns + others, (turns, unnotified, told, others)


def tables(player: Player) -> Iterator[Message]:
    """List the tables in a player's channel."""
    seen = player.person.sees(player.channel)
    return (message for message in seen if {Action.SHOW_HAND, Action.SHOW_SCORE} <= actions_of(message))


def nothing_due(database: Onlooker, within: timedelta) -> bool:
    """Return whether every message is as it should be, or is due later than that."""
    soon = int((time() + within.total_seconds()) * 1000)
    ((due,),) = database.rows(
        "SELECT (SELECT count(*) FROM outbox_message WHERE wanted_revision > shown_revision AND due_at <= :soon)"
        " + (SELECT count(*) FROM stale_message WHERE due_at <= :soon)",
        soon=soon,
    )
    return due == 0


async def settled(sandbox: Sandbox, database: Onlooker) -> None:
    """Wait until nobody waits for anything, every message is as it should be, and that stays so for a moment.

    Nobody waits for an interaction that Discord let expire, but the move that it asked for may still be made.
    """
    seen = None
    async with asyncio.timeout(PATIENCE):
        while True:
            await sandbox.idle(PATIENCE)
            before, seen = seen, _moves_made(database) if nothing_due(database, EVER) else None
            if seen is not None and seen == before:
                return
            # The bot's database tells nobody that it changes.
            await asyncio.sleep(0.05 if seen is None else STAYS_SETTLED)


def _moves_made(database: Onlooker) -> int:
    ((made,),) = database.rows("SELECT count(*) FROM action")
    return made

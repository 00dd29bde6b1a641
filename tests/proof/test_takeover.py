"""After an update in mid-match, every button of the old version works, and matches continue."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import AsyncGenerator, Container, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from bot.engine.deals.moves import Verb
from bot.model.challenges import ChallengeStatus
from bot.model.ids import ChallengeId, GuildId, MatchId, PersonId
from bot.model.matches import MatchStatus, Proposal
from bot.play.application import Application
from bot.sandbox import Message, Sandbox, Select, World
from bot.store.opening import open_database
from cogs.actions import Action, Subject
from cogs.delivery.refusals import FAULT, OLD_BUTTON
from cogs.kit.components import ComponentEvent
from cogs.kit.layout import Accent
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import MOVES, Control, accent_of, actions_of, controls
from tests.helpers.databases import without_fsync
from tests.helpers.living import RunningBot, bot_on, sandbox_of
from tests.helpers.players import Player
from tests.helpers.shufflers import RiggedShuffler
from tests.proof import version_before
from tests.proof.version_before import CHANGED_HAND, GAMES, REPLACED_HAND, REPLACED_TABLE

NAMES: Final = ("North", "South", "East", "West")
GUILD: Final = GuildId(1_400_000_000_000_000_010)
SEEDS: Final = {2: 57, 3: 0, 4: 16, 5: 94}
"""For each running match, a seed of random choices with which the players soon end the current deal."""
SHORT_DEAL_MATCHES: Final = (MatchId(2), MatchId(3))
"""Matches whose current deal can be ended in a few moves. Runs that are not nightly play only these."""
POST: Final = "POST /channels/{channel_id}/messages"
EDIT: Final = "PATCH /channels/{channel_id}/messages/{message_id}"
DELETE: Final = "DELETE /channels/{channel_id}/messages/{message_id}"

CHALLENGE_ACTIONS: Final = frozenset(
    (
        Action.ACCEPT,
        Action.DECLINE,
        Action.WITHDRAW,
        Action.START_LOBBY,
        Action.CHANGE_TEAMS,
        Action.LEAVE_LOBBY,
    )
)
"""Actions that need an open challenge."""
DRAFT_ACTIONS: Final = frozenset(
    (Action.DRAFT_OPTION, Action.DRAFT_VALUE, Action.DRAFT_RULES, Action.DRAFT_SEND, Action.DRAFT_DROP)
)
RUNNING_MATCH_ACTIONS: Final = frozenset((Action.RESIGN, Action.CALL_OFF, Action.KEEP_PLAYING))
ENDS_STATE: Final = (
    MOVES
    | CHALLENGE_ACTIONS
    | RUNNING_MATCH_ACTIONS
    | {
        Action.STOP_DMS,
        Action.DRAFT_SEND,
        Action.DRAFT_DROP,
        Action.REMATCH,
        Action.WITHDRAW_REMATCH,
        Action.FORGET_NOW,
        Action.RESET_LEADERBOARD_NOW,
    }
)
"""Actions after which other old buttons may not work, for example because they end a turn, challenge or match."""
CONFIRMATIONS: Final = frozenset((Action.RESIGN, Action.FORGET_NOW, Action.END_MATCH_NOW, Action.RESET_LEADERBOARD_NOW))
"""Actions of the buttons in confirmation prompts.

These buttons distinguish a prompt from a refusal, which has the same colour.
"""
USED_LAST: Final = (
    Action.DRAFT_OPTION,
    Action.DRAFT_VALUE,
    Action.DRAFT_RULES,
    Action.SET_TARGET,
    Action.SET_RULES,
    Action.SET_CHANNELS,
    Action.SET_OFFERED,
)
"""Actions that change rules and settings. They are used last, in this order, but `SET_CHANNELS` is used first."""

_VERBS: Final = {
    Action.DRAW: Verb.DRAW,
    Action.TAKE: Verb.TAKE,
    Action.PASS: Verb.PASS,
    Action.DISCARD: Verb.DISCARD,
    Action.KNOCK: Verb.KNOCK,
    Action.LAY_OFF: Verb.LAY_OFF,
    Action.LAY_OFF_ALL: Verb.DONE,
    Action.FINISH_LAYING_OFF: Verb.DONE,
}


@dataclass(frozen=True, slots=True)
class Use:
    """One use of an old button or menu, by one person and with the values they choose."""

    person: str
    message_id: int
    custom_id: str
    event: ComponentEvent
    values: tuple[str, ...]

    @property
    def action(self) -> Action:
        return Action(self.event.action)

    @property
    def subject(self) -> str:
        """The id of the match or challenge that this use is about."""
        return self.values[0] if self.event.subject == Subject.CHOSEN else self.event.subject


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the old version's database, migrated to the current version."""
    path = tmp_path_factory.mktemp("takeover") / "deadwood.db"
    asyncio.run(_migrate(version_before.copy_database(path)))
    return path


async def _migrate(url: str) -> None:
    with without_fsync():
        await (await open_database(url)).close()


@dataclass(frozen=True, slots=True)
class UpdatedBot:
    """A running bot of the new version, and the old version's messages by id."""

    alive: RunningBot
    old: Mapping[int, Message]


@asynccontextmanager
async def _old_world() -> AsyncGenerator[tuple[Sandbox, Mapping[int, Message]]]:
    world = version_before.world()
    old = _messages(world)
    with without_fsync():
        async with sandbox_of(world) as sandbox:
            yield sandbox, old


def _messages(world: World) -> dict[int, Message]:
    return {message.id: message for channel in world.channels.values() for message in channel.messages.values()}


def _clock() -> Clock:
    clock = Clock()
    clock.now = version_before.starts_at()
    return clock


@asynccontextmanager
async def _new_version(path: Path) -> AsyncGenerator[UpdatedBot]:
    """Run the new version on a copy of the old database, in a sandbox with the old messages. Yield when all is idle."""
    async with (
        _old_world() as (sandbox, old),
        bot_on(sandbox, f"sqlite:///{path}", clock=_clock(), shuffler=RiggedShuffler()) as alive,
    ):
        await alive.idle()
        yield UpdatedBot(alive, old)


@pytest.mark.thorough
async def test_due_messages_are_delivered_once(tmp_path: Path) -> None:
    """After the update, one hand is posted, one is edited, and two replaced messages are deleted, all only once."""
    url = version_before.copy_database(tmp_path / "deadwood.db")
    async with _old_world() as (sandbox, old):
        before, south = set(old), sandbox.person("South")
        async with bot_on(sandbox, url, clock=_clock()) as alive:
            await alive.idle()
        (posted,) = south.pushes
        assert posted.channel is south.dm
        assert actions_of(posted) & MOVES
        assert {message.id for message in sandbox.all_messages()} == before - {REPLACED_TABLE, REPLACED_HAND} | {
            posted.id
        }
        edited = {message.id for message in sandbox.all_messages() if message.edited_at is not None}
        assert edited - {posted.id} == {CHANGED_HAND}
        counted = [sandbox.journal.routes[route] for route in (POST, EDIT, DELETE)]
        assert (counted[0], counted[2]) == (1, 2)
        async with bot_on(sandbox, url, clock=_clock()) as alive:
            await alive.idle()
        assert [sandbox.journal.routes[route] for route in (POST, EDIT, DELETE)] == counted


@pytest.mark.thorough
@pytest.mark.parametrize("every_use", nightly_after(1, [False, True]))
async def test_every_old_button_works(tmp_path: Path, migrated: Path, every_use: bool) -> None:
    """Each old button and menu works, or is refused if the match's state forbids it. Only nightly runs try all."""
    async with _new_version(Path(shutil.copy(migrated, tmp_path / "first.db"))) as takeover:
        app = takeover.alive.app
        old = _messages(version_before.world()).values()
        uses = [use for message in old for use in await _uses(app, message, every_option=every_use)]
        assert _all_controls() == {(use.message_id, use.custom_id) for use in uses}
        forbidden = {use for use in uses if await _forbids(app, use)}
        if not every_use:
            uses = _one_of_each(uses, forbidden)
        harmless = [use for use in uses if use in forbidden or use.action not in ENDS_STATE]
        for use in sorted(harmless, key=_order):
            await _check(takeover, use, refused=await _forbids(app, use))
    for number, together in enumerate(_rounds([use for use in uses if use not in harmless])):
        async with _new_version(Path(shutil.copy(migrated, tmp_path / f"{number}.db"))) as takeover:
            for use in together:
                await _check(takeover, use, refused=False)
            await takeover.alive.idle()


@pytest.mark.thorough
@pytest.mark.parametrize("every_match", nightly_after(1, [False, True]))
async def test_running_matches_continue_from_their_old_messages(
    tmp_path: Path, migrated: Path, every_match: bool
) -> None:
    """Every running match can be played on to its next deal, beginning with the buttons of its old messages."""
    async with _new_version(Path(shutil.copy(migrated, tmp_path / "deadwood.db"))) as takeover:
        alive, lookup = takeover.alive, takeover.alive.app.lookup
        deals = {
            match.id: (await lookup.summary(match.id)).view.number for match in await alive.app.guilds.running(GUILD)
        }
        assert len(deals) == 4
        if not every_match:
            deals = {match_id: deal for match_id, deal in deals.items() if match_id in SHORT_DEAL_MATCHES}
        players = [player for match_id in deals for player in await _players(takeover, match_id)]
        first = {player: panel for player in players if player.has_turn and (panel := player.panel) is not None}
        assert sum(panel.id in takeover.old for panel in first.values()) >= len(deals) - 1
        while deals:
            waiting = [player for player in players if player.match_id in deals]

            def ready(waiting: list[Player] = waiting) -> list[Player]:
                return [player for player in waiting if player.has_turn]

            await asyncio.gather(*(player.act() for player in await alive.sandbox.until(ready, 60)))
            for match_id in list(deals):
                summary = await lookup.summary(match_id)
                is_over = summary.match.status is not MatchStatus.RUNNING
                if is_over or summary.view.number > deals[match_id]:
                    del deals[match_id]
        await alive.idle()
        assert not any(FAULT in made.text for player in players for made in player.interactions)


async def _players(takeover: UpdatedBot, match_id: MatchId) -> list[Player]:
    alive = takeover.alive
    match = (await alive.app.lookup.table(match_id)).match
    assert match.channel_id is not None
    channel = alive.sandbox.world.channels[match.channel_id]
    players: list[Player] = []
    for player in match.players:
        assert player.id is not None
        by_dm = (await alive.app.people.preferences(player.id)).hand_by_dm
        players.append(
            Player(
                alive.sandbox,
                str(player.name),
                channel,
                f"takeover {match_id} {SEEDS[match_id]}",
                by_dm=by_dm,
                match_id=match_id,
            )
        )
    return players


def _all_controls() -> set[tuple[int, str]]:
    """Return every button and menu of the old version, including any that the new version does not know."""
    return {
        (message.id, str(item.custom_id))
        for message in _messages(version_before.world()).values()
        for item in (*message.buttons, *message.selects)
    }


async def _uses(app: Application, message: Message, *, every_option: bool) -> list[Use]:
    """Return a `Use` of each button and menu of a message, for each person who may use it and each value to try."""
    return [
        Use(name, message.id, control.custom_id, control.event, values)
        for control in controls(message)
        for name in await _users(app, message, control)
        for values in _values(control, every_option=every_option)
    ]


async def _users(app: Application, message: Message, control: Control) -> Sequence[str]:
    """Return the people who may use a button or menu."""
    owner = message.only_for or (message.channel.recipients[0].id if message.channel.recipients else None)
    if owner is not None:
        return [NAMES[owner % 10 - 1]]
    if control.action in CHALLENGE_ACTIONS:
        challenge = await app.challenges.get(control.event.challenge_id)
        joined, named = [{player.name for player in some} for some in (challenge.players, challenge.named)]
        match control.action:
            case Action.ACCEPT:
                return [name for name in NAMES if name in named or (challenge.open_places and name not in joined)]
            case Action.DECLINE:
                return [name for name in NAMES if name in named]
            case Action.LEAVE_LOBBY:
                return [name for name in NAMES if name in joined and name != challenge.challenger.name]
            case _:
                return [str(challenge.challenger.name)]
    if control.action in (Action.SHOW_HAND, Action.REMATCH):
        return [str(player.name) for player in (await app.lookup.table(control.event.match_id)).match.players]
    return NAMES[:1] + NAMES[-1:]


def _values(control: Control, *, every_option: bool) -> Sequence[tuple[str, ...]]:
    """Return the choices to try: usually a menu's first and last option, or all; for a button, one empty tuple."""
    if not isinstance(control.item, Select):
        return [()]
    options = [(value,) for value in control.values]
    ends = list(dict.fromkeys((options[-1], options[0]))) if options else []
    match control.action:
        case Action.SET_CHANNELS | Action.SET_SEASON_CHANNEL | Action.SET_DAILY_CHANNEL:
            return [(str(GAMES),)]
        case Action.SET_OFFERED:
            return [*options[:2], control.values]
        case _ if control.event.subject == Subject.CHOSEN:
            return options
        case _:
            return [*options[1:], options[0]] if every_option else ends


async def _forbids(app: Application, use: Use) -> bool:
    """Return True if the bot must refuse this use of a button or menu, because of its match's or challenge's state."""
    person_id, action = PersonId(version_before.FIRST_PERSON_ID + NAMES.index(use.person)), use.action
    if action in CHALLENGE_ACTIONS:
        return (await app.challenges.get(ChallengeId(int(use.subject)))).status is not ChallengeStatus.PENDING
    if action in DRAFT_ACTIONS:
        return (await app.challenges.get(ChallengeId(int(use.subject)))).status is not ChallengeStatus.DRAFT
    if action is Action.SET_OFFERED:
        return (await app.guilds.settings(GUILD)).rules not in use.values
    if action not in MOVES | RUNNING_MATCH_ACTIONS | {Action.REMATCH, Action.WITHDRAW_REMATCH}:
        return False
    hand = await app.lookup.hand(person_id, MatchId(int(use.subject)))
    proposal = hand.match.proposals[hand.view.seat]
    if action is Action.REMATCH:
        return hand.match.status is MatchStatus.RUNNING
    if action is Action.WITHDRAW_REMATCH:
        return proposal is not Proposal.REMATCH
    if action in RUNNING_MATCH_ACTIONS:
        return hand.match.status is not MatchStatus.RUNNING
    is_stale = use.event.subject != Subject.CHOSEN and use.event.version != hand.match.version
    return is_stale or _VERBS[action] not in {move.verb for move in hand.view.moves}


def _order(use: Use) -> tuple[int, bool]:
    """Return a sort key: first `SET_CHANNELS`, then actions not in `USED_LAST`, then `USED_LAST` in its order."""
    last = USED_LAST.index(use.action) if use.action in USED_LAST else -1
    return -2 if use.action is Action.SET_CHANNELS else last, use.event.argument is None


def _one_of_each(uses: Sequence[Use], forbidden: Container[Use]) -> list[Use]:
    """Return one allowed and one forbidden use of each action.

    For allowed uses of actions in `ENDS_STATE`, choose different matches and challenges as far as possible.
    """
    chosen, ended = dict[tuple[Action, bool], Use](), Counter[object]()
    for use in uses:
        chosen.setdefault((use.action, use in forbidden), use)
    for (action, is_forbidden), first in chosen.items():
        if action in ENDS_STATE and not is_forbidden:
            alike = [use for use in uses if use.action is action and use not in forbidden]
            use = min(alike, key=lambda use: ended[_subject_of(use)], default=first)
            chosen[action, is_forbidden] = use
            ended[_subject_of(use)] += 1
    return list(chosen.values())


def _subject_of(use: Use) -> tuple[bool, str]:
    """Return a key that identifies the match or challenge of a `Use`."""
    return use.action in CHALLENGE_ACTIONS | DRAFT_ACTIONS, use.subject


def _rounds(uses: Sequence[Use]) -> list[list[Use]]:
    """Split uses of buttons and menus into rounds. Within a round, no two concern the same match or challenge."""
    rounds: list[dict[tuple[bool, str], Use]] = []
    for use in uses:
        key = _subject_of(use)
        free = next((together for together in rounds if key not in together), None)
        if free is None:
            rounds.append({key: use})
        else:
            free[key] = use
    # Forgetting a person comes last, because it ends all their matches.
    return [sorted(together.values(), key=lambda use: use.action is Action.FORGET_NOW) for together in rounds]


async def _check(takeover: UpdatedBot, use: Use, *, refused: bool) -> None:
    """Use a button or menu of an old message, and check that it works or is refused as expected."""
    sandbox, message = takeover.alive.sandbox, takeover.old[use.message_id]
    person, is_gone = sandbox.person(use.person), message.deleted
    # Restore a deleted message during the click, as if the person had clicked just before the deletion.
    message.deleted = False
    try:
        if use.action in (Action.SET_CHANNELS, Action.SET_SEASON_CHANNEL, Action.SET_DAILY_CHANNEL):
            made = await person.choose(message, use.custom_id, *map(int, use.values))
        elif use.values:
            made = await person.choose(message, use.custom_id, *use.values, late=True)
        else:
            made = await person.press(message, use.custom_id, late=True)
    finally:
        message.deleted = is_gone
    await made.done()
    assert made.messages, use
    answer = made.messages[0]
    assert OLD_BUTTON not in answer.text, use
    assert FAULT not in answer.text, use
    looks_refused = accent_of(answer) == Accent.TROUBLE.value and actions_of(answer).isdisjoint(CONFIRMATIONS)
    assert looks_refused == refused, (use, answer.text)

"""The new version takes over an old database in mid-match: every old button works, and matches continue."""

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

from bot.engine.moves import Verb
from bot.play.application import Application
from bot.sandbox import Message, Sandbox, Select, World
from bot.store.opening import open_database
from bot.values.challenges import ChallengeStatus
from bot.values.ids import ChallengeId, GuildId, MatchId, PersonId
from bot.values.matches import MatchStatus, Proposal
from cogs.kit.actions import Action, Subject
from cogs.kit.components import ComponentEvent
from cogs.panels.layout import Accent
from cogs.text.refusals import BROKEN, OLD_BUTTON
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import MOVES, Control, accent_of, actions_of, controls
from tests.helpers.databases import without_fsync
from tests.helpers.living import Living, bot_on, sandbox_of
from tests.helpers.players import Player
from tests.helpers.shufflers import RiggedShuffler
from tests.proof import version_before
from tests.proof.version_before import CHANGED_HAND, GAMES, REPLACED_HAND, REPLACED_TABLE

NAMES: Final = ("North", "South", "East", "West")
GUILD: Final = GuildId(1_400_000_000_000_000_010)
SEEDS: Final = {2: 57, 3: 0, 4: 16, 5: 94}
"""Seeds of players who end the deals of the running matches soon."""
SOON_OVER: Final = (MatchId(2), MatchId(3))
"""Matches whose deals take few moves."""
POST: Final = "POST /channels/{channel_id}/messages"
EDIT: Final = "PATCH /channels/{channel_id}/messages/{message_id}"
DELETE: Final = "DELETE /channels/{channel_id}/messages/{message_id}"

CHALLENGE: Final = frozenset(
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
DRAFT: Final = frozenset(
    (Action.DRAFT_OPTION, Action.DRAFT_VALUE, Action.DRAFT_RULES, Action.DRAFT_SEND, Action.DRAFT_DROP)
)
RUNNING: Final = frozenset((Action.RESIGN, Action.CALL_OFF, Action.KEEP_PLAYING))
ENDS_STATE: Final = (
    MOVES
    | CHALLENGE
    | RUNNING
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
"""Actions that change state on which other old buttons depend."""
CONFIRMED: Final = frozenset((Action.RESIGN, Action.FORGET_NOW, Action.END_MATCH_NOW, Action.RESET_LEADERBOARD_NOW))
"""Actions in confirmation questions, which look like refusals."""
LAST: Final = (
    Action.DRAFT_OPTION,
    Action.DRAFT_VALUE,
    Action.DRAFT_RULES,
    Action.SET_TARGET,
    Action.SET_RULES,
    Action.SET_CHANNELS,
    Action.SET_OFFERED,
)
"""Rules and settings on which other actions depend, so they are used last, in this order."""

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
    """The use of an old button or menu: the person, the message and the chosen values."""

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
        """The id of its subject, or the chosen id if a menu asks."""
        return self.values[0] if self.event.subject == Subject.CHOSEN else self.event.subject


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the old database, migrated to the current version."""
    path = tmp_path_factory.mktemp("takeover") / "deadwood.db"
    asyncio.run(_migrate(version_before.copy_database(path)))
    return path


async def _migrate(url: str) -> None:
    with without_fsync():
        await (await open_database(url)).close()


@dataclass(frozen=True, slots=True)
class Takeover:
    """The new version, and the old version's messages by id."""

    alive: Living
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
    clock.now = version_before.begins_at()
    return clock


@asynccontextmanager
async def _taken_over(path: Path) -> AsyncGenerator[Takeover]:
    """Run the new version on an old database and among its messages. Yield when it is idle."""
    async with (
        _old_world() as (sandbox, old),
        bot_on(sandbox, f"sqlite:///{path}", clock=_clock(), shuffler=RiggedShuffler()) as alive,
    ):
        await alive.idle()
        yield Takeover(alive, old)


@pytest.mark.thorough
async def test_what_was_due_is_delivered_once_and_nothing_else(tmp_path: Path) -> None:
    """One hand is posted, one edited, and two replaced messages are deleted. A restart changes nothing."""
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
    """Each button and menu works, or is refused if the state forbids it. By day, one use of each kind is tested."""
    async with _taken_over(Path(shutil.copy(migrated, tmp_path / "first.db"))) as takeover:
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
        async with _taken_over(Path(shutil.copy(migrated, tmp_path / f"{number}.db"))) as takeover:
            for use in together:
                await _check(takeover, use, refused=False)
            await takeover.alive.idle()


@pytest.mark.thorough
@pytest.mark.parametrize("every_match", nightly_after(1, [False, True]))
async def test_running_matches_are_played_on_from_their_old_messages(
    tmp_path: Path, migrated: Path, every_match: bool
) -> None:
    """Every running match can be played to its next deal from its old messages. By day, only short deals are tested."""
    async with _taken_over(Path(shutil.copy(migrated, tmp_path / "deadwood.db"))) as takeover:
        alive, lookup = takeover.alive, takeover.alive.app.lookup
        deals = {
            match.id: (await lookup.summary(match.id)).view.number for match in await alive.app.guilds.running(GUILD)
        }
        assert len(deals) == 4
        if not every_match:
            deals = {match_id: deal for match_id, deal in deals.items() if match_id in SOON_OVER}
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
        assert not any(BROKEN in made.text for player in players for made in player.made)


async def _players(takeover: Takeover, match_id: MatchId) -> list[Player]:
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
    """Return every button and menu of the old version, including those that the new one does not know."""
    return {
        (message.id, str(item.custom_id))
        for message in _messages(version_before.world()).values()
        for item in (*message.buttons, *message.selects)
    }


async def _uses(app: Application, message: Message, *, every_option: bool) -> list[Use]:
    """Return the uses of a message's buttons and menus by all permitted people, with distinct values."""
    return [
        Use(name, message.id, control.custom_id, control.event, values)
        for control in controls(message)
        for name in await _users(app, message, control)
        for values in _values(control, every_option=every_option)
    ]


async def _users(app: Application, message: Message, control: Control) -> Sequence[str]:
    """Return the people who may use a control: the message's owner, or the people it addresses."""
    owner = message.only_for or (message.channel.recipients[0].id if message.channel.recipients else None)
    if owner is not None:
        return [NAMES[owner % 10 - 1]]
    if control.action in CHALLENGE:
        challenge = await app.challenges.get(control.event.challenge_id)
        joined, named = [{player.name for player in some} for some in (challenge.players, challenge.named)]
        match control.action:
            case Action.ACCEPT:
                return [name for name in NAMES if name in named or (challenge.free and name not in joined)]
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
    """Return values to choose: every match, and otherwise the first and last option, or all options."""
    if not isinstance(control.item, Select):
        return [()]
    options = [(value,) for value in control.values]
    ends = list(dict.fromkeys((options[-1], options[0]))) if options else []
    match control.action:
        case Action.SET_CHANNELS | Action.SET_SEASON_CHANNEL:
            return [(str(GAMES),)]
        case Action.SET_OFFERED:
            return [*options[:2], control.values]
        case _ if control.event.subject == Subject.CHOSEN:
            return options
        case _:
            return [*options[1:], options[0]] if every_option else ends


async def _forbids(app: Application, use: Use) -> bool:
    """Return True if the current state forbids a use."""
    person_id, action = PersonId(version_before.FIRST_PERSON + NAMES.index(use.person)), use.action
    if action in CHALLENGE:
        return (await app.challenges.get(ChallengeId(int(use.subject)))).status is not ChallengeStatus.PENDING
    if action in DRAFT:
        return (await app.challenges.get(ChallengeId(int(use.subject)))).status is not ChallengeStatus.DRAFT
    if action is Action.SET_OFFERED:
        return (await app.guilds.settings(GUILD)).rules not in use.values
    if action not in MOVES | RUNNING | {Action.REMATCH, Action.WITHDRAW_REMATCH}:
        return False
    hand = await app.lookup.hand(person_id, MatchId(int(use.subject)))
    proposal = hand.match.proposals[hand.view.seat]
    if action is Action.REMATCH:
        return hand.match.status is MatchStatus.RUNNING
    if action is Action.WITHDRAW_REMATCH:
        return proposal is not Proposal.REMATCH
    if action in RUNNING:
        return hand.match.status is not MatchStatus.RUNNING
    is_stale = use.event.subject != Subject.CHOSEN and use.event.version != hand.match.version
    return is_stale or _VERBS[action] not in {move.verb for move in hand.view.moves}


def _order(use: Use) -> tuple[int, bool]:
    """Return a sort key for uses that end nothing: house rules before presets, channels before their menu changes."""
    last = LAST.index(use.action) if use.action in LAST else -1
    return -2 if use.action is Action.SET_CHANNELS else last, use.event.argument is None


def _one_of_each(uses: Sequence[Use], forbidden: Container[Use]) -> list[Use]:
    """Return one allowed and one forbidden use of each action, for as many matches and challenges as possible."""
    chosen, ended = dict[tuple[Action, bool], Use](), Counter[object]()
    for use in uses:
        chosen.setdefault((use.action, use in forbidden), use)
    for (action, is_forbidden), first in chosen.items():
        if action in ENDS_STATE and not is_forbidden:
            alike = [use for use in uses if use.action is action and use not in forbidden]
            use = min(alike, key=lambda use: ended[_about(use)], default=first)
            chosen[action, is_forbidden] = use
            ended[_about(use)] += 1
    return list(chosen.values())


def _about(use: Use) -> tuple[bool, str]:
    """Return the match or challenge of a use."""
    return use.action in CHALLENGE | DRAFT, use.subject


def _rounds(uses: Sequence[Use]) -> list[list[Use]]:
    """Group uses so that no two of a group concern the same match or challenge."""
    rounds: list[dict[tuple[bool, str], Use]] = []
    for use in uses:
        key = _about(use)
        free = next((together for together in rounds if key not in together), None)
        if free is None:
            rounds.append({key: use})
        else:
            free[key] = use
    # Forgetting a person ends all their matches.
    return [sorted(together.values(), key=lambda use: use.action is Action.FORGET_NOW) for together in rounds]


async def _check(takeover: Takeover, use: Use, *, refused: bool) -> None:
    """Use a button or menu, and check the answer."""
    sandbox, message = takeover.alive.sandbox, takeover.old[use.message_id]
    person, is_gone = sandbox.person(use.person), message.deleted
    # The click may have crossed an edit or deletion of the message.
    message.deleted = False
    try:
        if use.action in (Action.SET_CHANNELS, Action.SET_SEASON_CHANNEL):
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
    assert BROKEN not in answer.text, use
    looks_refused = accent_of(answer) == Accent.TROUBLE.value and actions_of(answer).isdisjoint(CONFIRMED)
    assert looks_refused == refused, (use, answer.text)

"""Challenges to one opponent or to anyone, and rematches."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.challenges import CHALLENGE_LIFETIME, ChallengeStatus
from bot.model.clocks import Clock as TurnClock
from bot.model.fairness import Fairness
from bot.model.ids import ChainId, ChannelId, MatchId, PersonId
from bot.model.matches import MatchInfo, Proposal
from bot.play import refusals as why
from bot.sandbox import Delay, Member, Message, Permission, Person, World, member_overwrite
from bot.sandbox.world.messages import MessageFlag
from cogs.actions import Action
from cogs.challenges import challenges
from cogs.challenges.challenge_panel import NO_DMS
from cogs.challenges.refusals import NO_MATCH_BEFORE, NO_MATCH_HERE
from cogs.delivery import courier
from cogs.delivery.choosing import NO_CHALLENGE
from cogs.delivery.refusals import (
    CANNOT_PLAY_HERE,
    CHANNEL_GONE,
    NO_BOTS,
    NOT_HERE,
    ONLY_IN_SERVERS,
    cannot_post_table,
)
from cogs.kit.layout import Accent
from cogs.tables.tables import CHALLENGED, CHALLENGING, NO_MATCHES
from cogs.turns.hand_text import rematch
from cogs.words import clocks
from cogs.words import rules as rules_text
from tests.cogs.scenes import Scene, buttons, hands, latest_with, open_match_scene, open_scene, person_of, shows_hand
from tests.helpers.clock import Clock
from tests.helpers.components import accent_of, find_button
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import interaction, place, prefer
from tests.helpers.waiting import MAX_WAIT
from tests.helpers.worlds import stopped_world

_OVER_BUTTONS = [
    Action.REVIEW,
    Action.SHOW_SCORE,
    Action.SHOWDOWN_DETAILS,
    Action.VERSUS,
    Action.NEXT_MATCH,
    Action.GAMES,
]


def _bot_without(permission: Permission) -> World:
    world = stopped_world()
    games = next(channel for channel in world.channels.values() if channel.name == "games")
    games.overwrites.append(member_overwrite(world.bot, deny=permission))
    return world


def _player_names(match: MatchInfo) -> list[str | None]:
    """Return the names of a match's players."""
    return [player.name for player in match.players]


async def _resign_first_match(scene: Scene) -> Message:
    """Have North resign the first match, and return the message that offers a rematch."""
    await scene.bot.app.endings.resign(person_of(scene.north).id, MatchId(1), interaction())
    return await scene.wait_for_post(Action.REMATCH)


async def _agree_to_rematch(scene: Scene, *people: Person) -> None:
    """Have people press *Rematch* below the result or, once one of them has, *Accept* below the offer."""
    for person in people:
        await scene.wait_until_idle()
        await scene.press(person, await scene.wait_for_post(Action.REMATCH), Action.REMATCH)


async def _accept_simultaneously(scene: Scene, invitation: Message, *names: str) -> list[type[BaseException] | None]:
    """Have people press *Accept* simultaneously. Return the class of each refusal, or None for an acceptance."""
    accept = find_button(invitation, Action.ACCEPT) or ""
    presses = [await scene.bot.person(name).press(invitation, accept) for name in names]
    return [scene.error_type(answer) for answer in await asyncio.gather(*(press.done() for press in presses))]


async def test_a_challenge_accepted_sets_a_table_and_sends_both_hands(tmp_path: Path) -> None:
    """Once the opponent accepts, the channel has a table and each player has a hand in their direct messages."""
    async with open_scene(tmp_path) as scene:
        invitation = await scene.invite(scene.north, scene.south, target=10)
        challenge = await scene.challenge()
        assert scene.south.pushes == [invitation]
        assert challenge.rules.target == 10
        assert rules_text.line(challenge.rules) in invitation.text
        accepted = await scene.press(scene.south, invitation, Action.ACCEPT)
        assert shows_hand(accepted.message)
        assert accepted.message.ephemeral
        await scene.wait_until_idle()
        assert _player_names(await scene.match()) == ["North", "South"]
        assert scene.table in scene.posts
        assert len(hands(scene.north)) == len(hands(scene.south)) == 1
        assert (await scene.challenge()).status is ChallengeStatus.ACCEPTED
        assert (accent_of(invitation), invitation.buttons) == (Accent.OVER.value, [])


@pytest.mark.thorough
async def test_simultaneous_acceptances_begin_one_match(tmp_path: Path) -> None:
    """If two people accept simultaneously, one match begins, and one person reads that the challenge is closed."""
    async with open_scene(tmp_path) as scene:
        invitation = await scene.invite(scene.north)
        assert Action.DECLINE not in buttons(invitation)
        refused = await _accept_simultaneously(scene, invitation, "South", "East")
        assert {*refused} == {None, why.ChallengeClosed}
        await scene.wait_until_idle()
        assert sum(Action.SHOW_SCORE in buttons(message) for message in scene.posts) == 1


@pytest.mark.thorough
async def test_a_double_click_begins_one_match(tmp_path: Path) -> None:
    """A double click on *Accept* begins only one match, and both clicks are answered."""
    async with open_scene(tmp_path) as scene:
        refused = await _accept_simultaneously(scene, await scene.invite(scene.north, scene.south), "South", "South")
        assert {*refused} == {None, why.ChallengeClosed}
        assert len(await scene.matches_of(scene.south)) == 1


async def test_declining_and_withdrawing_close_an_invitation(tmp_path: Path) -> None:
    """After the opponent declines by command, or the challenger withdraws by button, the message has no buttons."""
    async with open_scene(tmp_path) as scene:
        declined = await scene.invite(scene.north, scene.south)
        answer = await scene.use(scene.south, "gin decline", scene.channel)
        assert answer.message.ephemeral
        withdrawn = await scene.invite(scene.north, scene.south)
        more = await scene.press(scene.north, withdrawn, Action.CHALLENGE_MORE)
        confirmed = await scene.press(scene.north, more.message, Action.WITHDRAW)
        assert f"<@{scene.south.id}>" in confirmed.text
        await scene.wait_until_idle()
        statuses = [(await scene.challenge(number)).status for number in (1, 2)]
        assert statuses == [ChallengeStatus.DECLINED, ChallengeStatus.WITHDRAWN]
        assert [(accent_of(post), post.buttons) for post in (declined, withdrawn)] == [(Accent.OVER.value, [])] * 2
        late = await click(scene.south, withdrawn, Action.ACCEPT, 2)
        assert scene.error_type(late) is why.ChallengeClosed


@pytest.mark.thorough
async def test_declining_by_button_and_withdrawing_by_command(tmp_path: Path) -> None:
    """The *Decline* button and `/gin withdraw` also close an invitation."""
    async with open_scene(tmp_path) as scene:
        await scene.press(scene.south, await scene.invite(scene.north, scene.south), Action.DECLINE)
        await scene.invite(scene.north)
        await scene.use(scene.north, "gin withdraw", scene.channel)
        statuses = [(await scene.challenge(number)).status for number in (1, 2)]
        assert statuses == [ChallengeStatus.DECLINED, ChallengeStatus.WITHDRAWN]


async def test_more_options_depend_on_the_reader(tmp_path: Path) -> None:
    """*More …* answers in private, with other buttons for the challenger, the challenged person and a bystander."""
    async with open_scene(tmp_path) as scene:
        invitation = await scene.invite(scene.north, scene.south)
        assert buttons(invitation) == [Action.ACCEPT, Action.DECLINE, Action.CHALLENGE_MORE]
        for person, expected in (
            (scene.north, [Action.CHALLENGE_RULES, Action.CHALLENGE_WORDS, Action.STOP_DMS, Action.WITHDRAW]),
            (scene.south, [Action.CHALLENGE_RULES, Action.ACCEPT_WITH_WORDS, Action.STOP_DMS, Action.BLOCK]),
            (scene.east, [Action.CHALLENGE_RULES]),
        ):
            more = (await scene.press(person, invitation, Action.CHALLENGE_MORE)).message
            assert more.ephemeral
            assert buttons(more) == expected
        await prefer(scene.bot.app, person_of(scene.south), hand_by_dm=False)
        more = (await scene.press(scene.south, invitation, Action.CHALLENGE_MORE)).message
        assert buttons(more) == [Action.CHALLENGE_RULES, Action.ACCEPT_WITH_WORDS, Action.WANT_DMS, Action.BLOCK]


async def test_a_closed_challenge_has_no_more_options(tmp_path: Path) -> None:
    """A late press on *More …* of a challenge that is closed is refused."""
    async with open_scene(tmp_path) as scene:
        for number, command in ((1, "decline"), (2, "accept")):
            invitation = await scene.invite(scene.north, scene.south)
            more = find_button(invitation, Action.CHALLENGE_MORE)
            assert more is not None
            await scene.ask(scene.south, command)
            await scene.wait_until_idle()
            late = await scene.press_late(scene.east, invitation, more)
            refusal = scene.error(late)
            assert isinstance(refusal, why.ChallengeClosed)
            assert refusal.challenge == await scene.challenge(number)
            assert late.message.ephemeral
            assert buttons(late.message) == []


async def test_the_seal_is_posted_below_the_challenge(tmp_path: Path) -> None:
    """The commitment follows the message of a challenge, also of a draft, and notifies nobody."""
    async with open_scene(tmp_path) as scene:
        first = await scene.invite(scene.north, scene.south)
        await scene.wait_until_idle()
        draft = await scene.use(scene.east, "gin challenge", scene.channel, options=True)
        await scene.press(scene.east, draft.message, Action.DRAFT_SEND)
        await scene.wait_until_idle()
        assert [buttons(post) for post in scene.posts] == [
            [Action.ACCEPT, Action.DECLINE, Action.CHALLENGE_MORE],
            [Action.HOW_VERIFIED],
            [Action.ACCEPT, Action.CHALLENGE_MORE],
            [Action.HOW_VERIFIED],
        ]
        assert scene.posts[0] is first
        assert all(MessageFlag.SUPPRESS_NOTIFICATIONS in seal.flags for seal in scene.posts[1::2])
        assert scene.south.pushes == [first]


async def _invite_without_seal(scene: Scene) -> Message:
    """Have North challenge South, and return the invitation. The seal is posted a second later by the sandbox's clock.

    That clock stands still.
    """
    posts = scene.sandbox.faults.requests(Delay(1), on=f"POST /channels/{scene.channel.id}/messages", times=2)
    await scene.north.slash("gin challenge", scene.channel, opponent=scene.south)
    await scene.sandbox.until(lambda: posts.hits == 1)
    scene.sandbox.world.clock.advance(1)
    invitation = await scene.wait_for_post(Action.ACCEPT)
    await scene.sandbox.until(lambda: posts.hits == 2)
    return invitation


async def test_accepting_waits_for_the_seal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the commitment is late, the match begins only once it is posted, and can then be verified."""
    monkeypatch.setattr(challenges, "MAX_COMMITMENT_WAIT", MAX_WAIT)
    async with open_scene(tmp_path) as scene:
        waits, wait = asyncio.Event(), scene.bot.client.courier.wait_for_commitment

        async def wait_visibly(chain_id: ChainId | None, timeout: float | None = None) -> None:
            waits.set()
            await wait(chain_id, timeout)

        monkeypatch.setattr(scene.bot.client.courier, "wait_for_commitment", wait_visibly)
        invitation = await _invite_without_seal(scene)
        accepted = await scene.south.press(invitation, find_button(invitation, Action.ACCEPT) or "")
        await asyncio.wait_for(waits.wait(), MAX_WAIT)
        assert await scene.matches_of(scene.south) == []
        scene.sandbox.world.clock.advance(1)
        assert shows_hand((await accepted.done()).message)
        assert (await scene.match()).fairness is Fairness.VERIFIABLE


async def test_a_seal_that_is_too_late_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the commitment is not posted in time, the match begins without it, and cannot be verified."""
    monkeypatch.setattr(challenges, "MAX_COMMITMENT_WAIT", 0.05)
    async with open_scene(tmp_path) as scene:
        invitation = await _invite_without_seal(scene)
        monkeypatch.setattr(courier, "POST_TIMEOUT", 0.05)
        await scene.press(scene.south, invitation, Action.ACCEPT)
        assert (await scene.match()).fairness is Fairness.UNPOSTED
        scene.sandbox.world.clock.advance(1)
        await scene.wait_until_idle()
        assert (await scene.match()).fairness is Fairness.UNPOSTED


async def test_nobody_can_answer_for_another_person(tmp_path: Path) -> None:
    """Pressing a button that is meant for another person changes nothing and gets a private refusal."""
    async with open_scene(tmp_path) as scene:
        named, open_to_all = await scene.invite(scene.north, scene.south), await scene.invite(scene.north)
        for person, invitation, action in (
            (scene.east, named, Action.ACCEPT),
            (scene.east, named, Action.DECLINE),
            (scene.north, named, Action.ACCEPT),
            (scene.north, open_to_all, Action.ACCEPT),
        ):
            answer = await scene.press(person, invitation, action)
            assert scene.error_type(answer) is why.NotForYou
            assert answer.message.ephemeral
        for number, (person, invitation) in enumerate(((scene.south, named), (scene.east, open_to_all)), 1):
            more = (await scene.press(person, invitation, Action.CHALLENGE_MORE)).message
            assert Action.WITHDRAW not in buttons(more)
            answer = await click(person, more, Action.WITHDRAW, number)
            assert scene.error_type(answer) is why.NotForYou
            assert answer.message.ephemeral
        assert [(await scene.challenge(number)).status for number in (1, 2)] == [ChallengeStatus.PENDING] * 2


async def test_impossible_challenges_are_refused(tmp_path: Path) -> None:
    """Unknown rules and challenges to oneself, bots, non-members or people who cannot see the channel are refused."""
    world = stopped_world()
    robot, stranger = world.add_user("Robot", bot=True), world.add_user("Stranger")
    south = next(user for user in world.users.values() if user.display_name == "South")
    guild = next(iter(world.guilds.values()))
    world.add_channel(guild, "back-room", overwrites=[member_overwrite(south, deny=Permission.VIEW_CHANNEL)])
    guild.members[robot.id] = Member(robot)
    async with open_scene(tmp_path, world=world) as scene:
        north, back_room = scene.north, scene.sandbox.channel("back-room")
        own = await scene.use(north, "gin challenge", scene.channel, opponent=north)
        assert scene.error_type(own) is why.NotWithYourself
        assert await scene.ask(north, "challenge", opponent=robot) == NO_BOTS
        assert await scene.ask(north, "challenge", opponent=stranger) == NOT_HERE
        assert await scene.ask(north, "challenge", back_room, opponent=scene.south) == CANNOT_PLAY_HERE
        for rules in ("x" * 6000, "classic cards_dealt=7"):
            unknown = await scene.use(north, "gin challenge", scene.channel, rules=rules)
            assert scene.error_type(unknown) is why.UnknownRules
        await scene.wait_until_idle()
        assert scene.posts == []


async def test_commands_without_a_challenge_are_refused(tmp_path: Path) -> None:
    """Commands that need a server, an open challenge or a finished match are refused without one."""
    async with open_scene(tmp_path) as scene:
        north = scene.north
        for command in ("challenge", "accept", "decline", "leaderboard"):
            assert await scene.ask(north, command, north.dm) == ONLY_IN_SERVERS
        outside = await scene.ask(north, "challenge", north.dm, opponent=scene.sandbox.world.bot)
        assert outside == ONLY_IN_SERVERS
        for action in (Action.ACCEPT, Action.DECLINE, Action.WITHDRAW):
            assert await scene.ask(north, action) == NO_CHALLENGE[action]
        assert await scene.ask(north, "rematch") == NO_MATCH_HERE
        assert await scene.ask(north, "rematch", north.dm) == NO_MATCH_BEFORE


@pytest.mark.thorough
async def test_missing_permissions_are_named_before_a_challenge(tmp_path: Path) -> None:
    """If the bot may not post a table, the answer names the missing permissions and no invitation is posted."""
    async with open_scene(tmp_path, world=_bot_without(Permission.ATTACH_FILES | Permission.SEND_MESSAGES)) as scene:
        reply = await scene.ask(scene.north, "challenge", opponent=scene.south)
        assert reply == cannot_post_table(scene.channel.id, ["Send Messages", "Attach Files"])
        await scene.wait_until_idle()
        assert scene.posts == []


async def test_rules_and_target_can_be_chosen(tmp_path: Path) -> None:
    """Completions list the presets that match the typed text, and the challenge uses the chosen rules and target."""
    async with open_scene(tmp_path) as scene:
        offered = await scene.north.complete("gin challenge", scene.channel, option="rules", value="st")
        completions = [choice["value"] for choice in (await offered.answer()).choices]
        assert completions == ["standard", "strict", "straight", "strict_rotation", "winner_stays", "strict_partners"]
        await scene.use(scene.north, "gin challenge", scene.channel, rules="straight", target=30)
        challenge = await scene.challenge()
        assert (challenge.ruleset, challenge.rules.target) == ("straight", 30)


@pytest.mark.thorough
async def test_a_sixth_challenge_is_refused(tmp_path: Path) -> None:
    """A person can have five open challenges; the sixth is refused, and `/gin withdraw` asks which one to withdraw."""
    async with open_scene(tmp_path) as scene:
        here = place(ChannelId(scene.channel.id), scene.guild_id)
        for _ in range(5):
            await scene.bot.app.challenges.issue(person_of(scene.north), [], here, interaction())
        sixth = await scene.use(scene.north, "gin challenge", scene.channel)
        assert scene.error_type(sixth) is why.TooManyChallenges
        which = await scene.use(scene.north, "gin withdraw", scene.channel)
        (menu,) = which.message.selects
        assert len(menu.options) == 5
        assert all(f"#{scene.channel.name}" in str(option.description) for option in menu.options)
        await scene.choose(scene.north, which.message, Action.WITHDRAW, menu.options[0].value)
        seventh = await scene.use(scene.north, "gin challenge", scene.channel)
        assert Action.WITHDRAW in buttons(seventh.message)


@pytest.mark.thorough
async def test_the_list_of_matches_mentions_open_challenges(tmp_path: Path) -> None:
    """Without a running match, `/gin games` mentions a challenge that the person can accept or withdraw."""
    async with open_scene(tmp_path) as scene:
        await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south)
        replies = [await scene.ask(person, "games") for person in (scene.north, scene.south, scene.east)]
        assert replies == [CHALLENGING, CHALLENGED, NO_MATCHES]


@pytest.mark.nightly
async def test_challenges_to_unknown_people_are_distinguishable(tmp_path: Path) -> None:
    """`/gin withdraw` lists the challenged people by number and mention, because their names are not stored.

    `/gin decline` lists the challengers by name.
    """
    async with open_scene(tmp_path) as scene:
        await scene.invite(scene.north, scene.south)
        await scene.invite(scene.north, scene.east)
        await scene.invite(scene.west, scene.south)
        which = await scene.use(scene.north, "gin withdraw", scene.channel)
        lines = which.text.splitlines()[1:3]
        assert [line.partition(". ")[0] for line in lines] == ["1", "2"]
        assert [line.endswith(f"<@{player.id}>") for line, player in zip(lines, (scene.south, scene.east), strict=True)]
        (menu,) = which.message.selects
        assert [option.label.partition(". ")[0] for option in menu.options] == ["1", "2"]
        await scene.choose(scene.north, which.message, Action.WITHDRAW, menu.options[1].value)
        statuses = [(await scene.challenge(number)).status for number in (1, 2)]
        assert statuses == [ChallengeStatus.PENDING, ChallengeStatus.WITHDRAWN]
        which = await scene.use(scene.south, "gin decline", scene.channel)
        (menu,) = which.message.selects
        assert [option.label.partition(" ")[0] for option in menu.options] == ["North", "West"]


@pytest.mark.thorough
async def test_a_command_asks_which_invitation_is_meant(tmp_path: Path) -> None:
    """With several invitations, `/gin accept` lists them with their rules; choosing one begins its match."""
    async with open_scene(tmp_path) as scene:
        await scene.invite(scene.north, scene.south, target=10)
        await scene.invite(scene.north, scene.south, rules="classic knock_limit=7 gin_bonus=50", target=30)
        await scene.invite(scene.east, scene.south, target=20)
        which = await scene.use(scene.south, "gin accept", scene.channel)
        (menu,) = which.message.selects
        for number, option in enumerate(menu.options, 1):
            challenge = await scene.challenge(number)
            assert option.value == str(number)
            assert str(option.description).startswith(rules_text.plain_name(challenge.rules, challenge.ruleset))
            assert str(option.description).endswith(rules_text.differences(challenge.rules))
        accepted = await scene.choose(scene.south, which.message, Action.ACCEPT, "3")
        await scene.wait_until_idle()
        assert any(map(shows_hand, accepted.messages))
        assert _player_names(await scene.match()) == ["East", "South"]


@pytest.mark.thorough
async def test_an_invitation_expires_after_a_day(tmp_path: Path) -> None:
    """After a day an invitation cannot be accepted, and its message loses its buttons."""
    clock = Clock()
    async with open_scene(tmp_path, clock=clock) as scene:
        invitation = await scene.invite(scene.north, scene.south)
        await scene.advance(clock, CHALLENGE_LIFETIME - timedelta(minutes=1))
        assert await scene.bot.app.challenges.own(PersonId(scene.north.id))
        await scene.advance(clock, timedelta(minutes=2))
        late = await scene.press(scene.south, invitation, Action.ACCEPT)
        assert scene.error_type(late) is why.ChallengeClosed
        await scene.bot.app.challenges.expire()
        await scene.wait_until_idle()
        assert (await scene.challenge()).status is ChallengeStatus.EXPIRED
        assert invitation in scene.posts
        assert (accent_of(invitation), invitation.buttons) == (Accent.OVER.value, [])


@pytest.mark.thorough
async def test_no_direct_messages_does_not_accept(tmp_path: Path) -> None:
    """*No DMs* only saves that choice, which can be undone; after *Accept* the hand is in the channel."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        invitation = await scene.invite(scene.south, scene.north)
        own = (await scene.press(scene.south, invitation, Action.CHALLENGE_MORE)).message
        await scene.press(scene.south, own, Action.STOP_DMS)
        assert buttons(own) == [Action.WANT_DMS]
        await scene.press(scene.south, own, Action.WANT_DMS)
        chosen = (await scene.press(scene.north, invitation, Action.CHALLENGE_MORE)).message
        await scene.press(scene.north, chosen, Action.STOP_DMS)
        assert buttons(chosen) == [Action.ACCEPT, Action.WANT_DMS]
        await scene.press(scene.north, chosen, Action.WANT_DMS)
        assert buttons(chosen) == [Action.ACCEPT, Action.STOP_DMS]
        await scene.press(scene.north, chosen, Action.STOP_DMS)
        assert (await scene.challenge()).status is ChallengeStatus.PENDING
        accepted = await scene.press(scene.north, chosen, Action.ACCEPT)
        await scene.wait_until_idle()
        assert shows_hand(accepted.messages[-1])
        assert buttons(chosen) == []
        assert scene.north.direct_messages() == []
        assert len(hands(scene.south)) == 1
        assert not (await scene.bot.app.people.preferences(PersonId(scene.north.id))).hand_by_dm
        late = await click(scene.east, invitation, Action.STOP_DMS, 1)
        assert buttons(late.message) == [Action.WANT_DMS]


async def test_direct_messages_can_be_stopped_below_the_first_hand(tmp_path: Path) -> None:
    """*No DMs* below the hand in the answer to *Accept* keeps the hand there, and removes it from direct messages."""
    async with open_scene(tmp_path) as scene:
        accepted = await scene.press(scene.south, await scene.invite(scene.north, scene.south), Action.ACCEPT)
        await scene.wait_until_idle()
        assert len(hands(scene.south)) == 1
        hand = accepted.message
        assert Action.STOP_DMS_OF_MATCH in buttons(hand)
        stopped = await scene.press(scene.south, hand, Action.STOP_DMS_OF_MATCH)
        assert stopped.message is hand
        assert shows_hand(hand)
        assert NO_DMS in hand.text
        assert Action.STOP_DMS_OF_MATCH not in buttons(hand)
        await scene.wait_until_idle()
        assert hands(scene.south) == []
        assert len(hands(scene.north)) == 1
        assert not (await scene.bot.app.people.preferences(PersonId(scene.south.id))).hand_by_dm
        assert (await scene.bot.app.people.preferences(PersonId(scene.north.id))).hand_by_dm
        again = await scene.use(scene.north, "gin hand", scene.channel)
        assert Action.STOP_DMS_OF_MATCH not in buttons(again.message)
        pushes = len(scene.south.pushes)
        await scene.ask(scene.north, "pass")
        await scene.wait_until_idle()
        assert [push.channel for push in scene.south.pushes[pushes:]] == [scene.channel]


async def test_the_first_hand_offers_to_stop_only_wanted_direct_messages(tmp_path: Path) -> None:
    """A player who gets no direct messages is not offered to stop them."""
    async with open_scene(tmp_path) as scene:
        invitation = await scene.invite(scene.north, scene.south)
        more = (await scene.press(scene.south, invitation, Action.CHALLENGE_MORE)).message
        await scene.press(scene.south, more, Action.STOP_DMS)
        accepted = await scene.press(scene.south, invitation, Action.ACCEPT)
        assert shows_hand(accepted.message)
        assert Action.STOP_DMS_OF_MATCH not in buttons(accepted.message)


@pytest.mark.thorough
async def test_the_first_hand_is_below_the_table(tmp_path: Path) -> None:
    """The answer to *Accept* contains the hand. It is sent after the table, so that the hand is below the table."""
    async with open_scene(tmp_path) as scene:
        accepted = await scene.press(scene.south, await scene.invite(scene.north, scene.south), Action.ACCEPT)
        *_, table, hand = scene.south.sees(scene.channel)
        assert hand is accepted.message
        assert Action.SHOW_SCORE in buttons(table)


@pytest.mark.nightly
async def test_a_late_table_does_not_delay_the_first_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it takes too long to post a rematch's table, the answer with the first hand is sent without waiting longer."""
    monkeypatch.setattr(courier, "POST_TIMEOUT", 0.05)
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        await _resign_first_match(scene)
        await _agree_to_rematch(scene, scene.north)
        await scene.wait_until_idle()
        offer = await scene.wait_for_post(Action.REMATCH)
        # The sandbox's clock stands still, so this delay of the table's post lasts for the whole test.
        posts = f"POST /channels/{scene.channel.id}/messages"
        slow = scene.sandbox.faults.requests(Delay(5), on=posts, times=2)
        tables = scene.tables
        answer = await scene.press(scene.south, offer, Action.REMATCH)
        assert shows_hand(answer.message)
        await scene.sandbox.until(lambda: slow.hits)
        assert scene.tables == tables
        assert len(await scene.matches_of(scene.south)) == 1


@pytest.mark.thorough
async def test_a_challenge_in_a_busy_channel_opens_a_thread_of_its_own(tmp_path: Path) -> None:
    """If the bot may open threads, a channel's second match is played in a thread below its invitation."""
    async with open_match_scene(tmp_path, open_dms=False) as scene:
        invitation = await scene.invite(scene.east, scene.north)
        accepted = await scene.press(scene.north, invitation, Action.ACCEPT)
        thread = scene.sandbox.channel("East vs North")
        assert f"**The match has started in <#{thread.id}>.**" in accepted.text
        await scene.wait_until_idle()
        assert [(await scene.match(number)).channel_id for number in (1, 2)] == [scene.channel.id, thread.id]
        assert latest_with(scene.east.sees(thread), Action.SHOW_SCORE)
        assert scene.table
        third = await scene.use(scene.south, "gin challenge", thread, opponent=scene.east)
        busy = scene.error(third)
        assert isinstance(busy, why.ChannelBusy)
        assert busy.reason is why.NoThreadReason.IN_THREAD


@pytest.mark.thorough
async def test_a_busy_channel_without_threads_says_where_the_match_runs(tmp_path: Path) -> None:
    """If a channel has a match and the bot may not open threads, a second match is refused, naming the first."""
    world = _bot_without(Permission.CREATE_PUBLIC_THREADS)
    async with open_scene(tmp_path, world=world) as scene:
        first, second = await scene.invite(scene.north), await scene.invite(scene.east)
        await scene.press(scene.south, first, Action.ACCEPT)
        for made in (
            await scene.press(scene.south, second, Action.ACCEPT),
            await scene.use(scene.east, "gin challenge", scene.channel, opponent=scene.north),
        ):
            busy = scene.error(made)
            assert isinstance(busy, why.ChannelBusy)
            assert (busy.match.id, busy.reason) == (1, why.NoThreadReason.BOT_MAY_NOT)


@pytest.mark.thorough
async def test_challenges_outside_chosen_channels_are_refused(tmp_path: Path) -> None:
    """A challenge outside the channels that managers chose is refused; a thread counts as its parent channel."""
    async with open_scene(tmp_path) as scene:
        corner = scene.sandbox.channel("quiet-corner")
        settings = await scene.use(scene.north, "gin-admin settings", scene.channel)
        await scene.change_setting(scene.north, settings.message, Action.SET_CHANNELS, corner)
        refused = scene.error(await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south))
        assert isinstance(refused, why.WrongChannel)
        assert refused.channels == (corner.id,)
        thread = scene.sandbox.moderation.create_thread(corner, "evening", scene.north.user)
        sent = await scene.use(scene.north, "gin challenge", thread, opponent=scene.south)
        assert Action.WITHDRAW in buttons(sent.message)


async def test_a_rematch_begins_once_both_agree(tmp_path: Path) -> None:
    """When both players agree, a rematch begins with the same rules and in the same channel."""
    async with open_match_scene(tmp_path, target=10, open_dms=False) as scene:
        await _resign_first_match(scene)
        await scene.bot.app.endings.rematch(PersonId(scene.north.id), MatchId(1))
        await _agree_to_rematch(scene, scene.south)
        former, match = await scene.match(), await scene.match(2)
        assert (_player_names(match), match.rules, match.channel_id) == (
            ["North", "South"],
            former.rules,
            former.channel_id,
        )


@pytest.mark.thorough
async def test_a_rematch_offer_is_a_message_of_its_own(tmp_path: Path) -> None:
    """A message says who wants a rematch until it has begun, which the result then says; spectators are refused."""
    async with open_match_scene(tmp_path, target=10, open_dms=False) as scene:
        end = await _resign_first_match(scene)
        assert scene.error_type(await scene.press(scene.east, end, Action.REMATCH)) is why.NotSeated
        await scene.press(scene.north, end, Action.REMATCH)
        await scene.wait_until_idle()
        former = await scene.match()
        assert former.seats_proposing(Proposal.REMATCH) == [0]
        offer = await scene.wait_for_post(Action.DECLINE_REMATCH)
        assert buttons(offer) == [Action.REMATCH, Action.DECLINE_REMATCH]
        assert str(rematch(former, None)) in offer.text
        assert f"<@{scene.south.id}>" in offer.text
        assert scene.south.pushes[-1] is offer
        assert str(rematch(former, None)) not in end.text
        assert Action.REMATCH not in buttons(end)
        # South agrees with `/gin rematch` in a direct message.
        reply = await scene.ask(scene.south, "rematch", scene.south.dm)
        assert reply == rematch(await scene.match(), None)
        await scene.wait_until_idle()
        assert offer.deleted
        assert str(rematch(await scene.match(), None)) in end.text
        assert Action.REMATCH not in buttons(end)
        again = await click(scene.north, end, Action.REMATCH, 1)
        assert scene.error_type(again) is why.RematchBegun


@pytest.mark.nightly
async def test_a_private_rematch_button_disappears(tmp_path: Path) -> None:
    """Once a rematch has begun, a private message says so and loses its button; a late press changes nothing."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10, open_dms=False) as scene:
        hand = (await scene.press(scene.north, scene.table, Action.SHOW_HAND)).message
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.press(scene.north, hand, Action.GIN)
        offered = find_button(hand, Action.REMATCH)
        assert offered is not None
        await _agree_to_rematch(scene, scene.north, scene.south)
        await scene.wait_until_idle()
        begun = str(rematch(await scene.match(), None))
        assert begun in hand.text
        assert buttons(hand) == _OVER_BUTTONS
        again = await scene.press_late(scene.north, hand, offered)
        assert again.message is hand
        assert begun in hand.text
        assert buttons(hand) == _OVER_BUTTONS
        assert len(await scene.matches_of(scene.north)) == 1


@pytest.mark.thorough
async def test_a_rematch_needs_the_channel_of_the_match(tmp_path: Path) -> None:
    """If the match's channel is deleted before or after the match ends, a rematch is refused and nobody is notified."""
    async with open_match_scene(tmp_path, target=10) as scene:
        north, south, corner = scene.north, scene.south, scene.sandbox.channel("quiet-corner")
        await _resign_first_match(scene)
        await scene.press(south, await scene.invite(north, south, corner), Action.ACCEPT)
        await scene.wait_until_idle()
        result = latest_with(south.direct_messages(), Action.REMATCH)
        for channel in (scene.channel, corner):
            scene.sandbox.moderation.delete_channel(channel)
        await scene.wait_until_idle()
        assert (await scene.press(south, result, Action.REMATCH)).text == CHANNEL_GONE
        await scene.bot.app.endings.resign(person_of(south).id, MatchId(2), interaction())
        await scene.wait_until_idle()
        for person in (north, south):
            pushes = len(person.pushes)
            assert await scene.ask(person, "rematch", person.dm) == CHANNEL_GONE
            await scene.wait_until_idle()
            assert len(person.pushes) == pushes
            assert await scene.matches_of(person) == []


@pytest.mark.thorough
async def test_a_rematch_in_a_busy_channel_gets_a_thread(tmp_path: Path) -> None:
    """If another match uses the channel when both agree, the rematch is played in a thread below the result."""
    async with open_match_scene(tmp_path, target=10, open_dms=False) as scene:
        await _resign_first_match(scene)
        await scene.press(scene.east, await scene.invite(scene.south), Action.ACCEPT)
        await _agree_to_rematch(scene, scene.north, scene.south)
        (match,) = await scene.matches_of(scene.north)
        assert match.channel_id == scene.sandbox.channel("North vs South, match 2").id


async def _clock_completions(scene: Scene, typed: str) -> dict[str, str]:
    """Return the completions for a clock that North types: each value with its label."""
    offered = await scene.north.complete("gin challenge", scene.channel, option="clock", value=typed)
    return {choice["value"]: choice["name"] for choice in (await offered.answer()).choices}


async def test_clocks_have_completions(tmp_path: Path) -> None:
    """Completions list the usual clocks, or any valid live clock that was typed, but no invalid one."""
    async with open_scene(tmp_path) as scene:
        offered = await _clock_completions(scene, "")
        assert list(offered)[:4] == ["none", "12h", "1d", "2d"]
        assert offered.pop("none") == "No clock"
        assert all(
            named == f"{clock}: {clocks.with_ending(TurnClock.parse(clock))}" for clock, named in offered.items()
        )
        for typed in ("none", "no cl"):
            assert list(await _clock_completions(scene, typed)) == ["none"]
        assert list(await _clock_completions(scene, "2D")) == ["2d", "2d flag"]
        assert list(await _clock_completions(scene, "7m+5s")) == ["7m+5s"]
        assert list(await _clock_completions(scene, "3m flag")) == ["3m+0s flag"]
        assert await _clock_completions(scene, "soon") == {}


@pytest.mark.thorough
async def test_an_invalid_clock_is_refused(tmp_path: Path) -> None:
    """For an invalid clock nothing is posted, and the refusal does not repeat typed markdown or mentions."""
    async with open_scene(tmp_path) as scene:
        for nonsense in ("soon", "5d", "999m+5s", "10m+999s", "none flag", "2d maybe", "<@1> **x**"):
            made = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south, clock=nonsense)
            assert scene.error_type(made) is why.UnknownClock, nonsense
            assert "**x**" not in made.text
        await scene.wait_until_idle()
        assert scene.posts == []


@pytest.mark.thorough
async def test_a_challenge_shows_its_clock_and_a_rematch_keeps_it(tmp_path: Path) -> None:
    """Challenger and opponent can read the same line about the clock; the match and the rematch use that clock."""
    async with open_scene(tmp_path) as scene:
        sent = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south, clock=" 10M+20s flag")
        challenge = await scene.challenge()
        assert str(challenge.clock) == "10m+20s flag"
        line = str(clocks.of_match(challenge.clock))
        assert sent.text.splitlines()[-1] == line
        invitation = await scene.wait_for_post(Action.ACCEPT)
        assert clocks.short(challenge.clock).capitalize() in invitation.text
        assert line in (await scene.press(scene.south, invitation, Action.CHALLENGE_MORE)).text
        await scene.press(scene.south, invitation, Action.ACCEPT)
        await scene.wait_until_idle()
        assert "⁨South⁩ has 10 minutes left." in scene.table.text
        await _resign_first_match(scene)
        await _agree_to_rematch(scene, scene.south, scene.north)
        assert (await scene.match(2)).clock == (await scene.match()).clock == challenge.clock


@pytest.mark.thorough
async def test_a_lobby_shows_its_clock(tmp_path: Path) -> None:
    """A lobby shows its clock, and *More …* explains it."""
    async with open_scene(tmp_path) as scene:
        await scene.use(scene.north, "gin challenge", scene.channel, rules="rotation", clock="12h")
        lobby = await scene.wait_for_post(Action.ACCEPT)
        clock = (await scene.challenge()).clock
        assert clocks.short(clock).capitalize() in lobby.text
        more = await scene.press(scene.south, lobby, Action.CHALLENGE_MORE)
        assert str(clocks.of_match(clock)) in more.text


# The test below compares the exact wording of answers. `test_challenge_panel.py` tests invitations.
@pytest.mark.thorough
async def test_challenge_texts(tmp_path: Path) -> None:
    """Each answer states what happened to the challenge and names the opponent."""
    async with open_scene(tmp_path) as scene:
        north, south = scene.north, scene.south
        north.user.open_dms = south.user.open_dms = False
        sent = await scene.use(north, "gin challenge", scene.channel, opponent=south, clock="12h")
        line = rules_text.line((await scene.challenge()).rules)
        assert sent.text.startswith(f"You challenged <@{south.id}>: {line}. The challenge expires <t:")
        declined = await scene.press(south, await scene.wait_for_post(Action.ACCEPT), Action.DECLINE)
        assert declined.text == "You declined ⁨North⁩'s challenge."
        sent = await scene.use(north, "gin challenge", scene.channel)
        withdrawn = await scene.press(north, sent.message, Action.WITHDRAW)
        assert withdrawn.text == "You withdrew your challenge to anyone here."
        await scene.use(north, "gin challenge", scene.channel, opponent=scene.east)
        await scene.use(north, "gin challenge", scene.channel, opponent=south)
        which = await scene.use(north, "gin withdraw", scene.channel)
        assert which.text.splitlines() == [
            "Which challenge do you mean?",
            f"1. You challenge <@{scene.east.id}>",
            f"2. You challenge <@{south.id}>",
        ]
        (menu,) = which.message.selects
        assert (menu.placeholder, menu.options[0].label) == ("Choose a challenge …", "1. You challenge someone")
        accepted = await scene.use(south, "gin accept", scene.channel)
        assert "**The match has started!**" in accepted.text

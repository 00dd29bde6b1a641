"""Before an offer to someone who has already made one, the person privately sees the existing offer, and decides."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.play.refusals import ChallengeClosed
from bot.sandbox import Channel, Interaction, Message, Permission, Person, World, member_overwrite
from bot.values.challenges import ChallengeStatus
from bot.values.guilds import Place
from bot.values.ids import ChannelId, GuildId
from cogs.kit.actions import Action
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, person_of
from tests.helpers.cases import nightly_after
from tests.helpers.shufflers import GIN_AT_ONCE
from tests.helpers.table import interaction
from tests.helpers.worlds import stopped_world


def world() -> World:
    """Return a world with a room and a private thread that South cannot see, and a public thread."""
    made = stopped_world()
    people = {user.display_name: user for user in made.users.values()}
    guild = next(iter(made.guilds.values()))
    shut = member_overwrite(people["South"], deny=Permission.VIEW_CHANNEL)
    made.add_channel(guild, "back-room", overwrites=[shut])
    games = next(channel for channel in made.channels.values() if channel.name == "games")
    made.add_thread(games, "whispers", people["North"], private=True, members=(made.bot, people["North"]))
    made.add_thread(games, "side-table", people["North"])
    return made


async def challenge(scene: Scene, person: Person, other: Person, **options: object) -> Interaction:
    """Have a person challenge another in the channel, and return the answer."""
    return await scene.use(person, "gin challenge", scene.channel, opponent=other, **options)


async def invitations(scene: Scene) -> list[Message]:
    """Wait until all is quiet, and return the open invitations in the channel."""
    await scene.quiet()
    return [post for post in scene.posts if Action.WITHDRAW in buttons(post)]


async def words_of(scene: Scene, person: Person) -> str | None:
    """Return a person's words in the only running match."""
    (match,) = await scene.alive.app.guilds.running(guild_of(scene.channel))
    given = await scene.alive.app.words.of_match(person_of(person).id, match.id)
    return None if given is None else given.text


def guild_of(channel: Channel) -> GuildId:
    """Return the server of a channel."""
    assert channel.guild is not None
    return GuildId(channel.guild.id)


@pytest.mark.thorough
async def test_a_challenge_back_is_answered_with_theirs(tmp_path: Path) -> None:
    """The answer is private, shows the other's rules and posts nothing; *Accept* begins that match with own words."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        theirs = await scene.invite(scene.north, scene.south, rules="hollywood", target=77)
        pushes = len(scene.north.pushes)
        back = await challenge(scene, scene.south, scene.north, rules="low", words="red kite")
        assert back.message.ephemeral
        assert f"<@{scene.north.id}>" in back.text
        assert "hollywood" in back.text
        assert "to 77" in back.text
        assert buttons(back.message) == [Action.ACCEPT, Action.CHALLENGE_RULES, Action.DRAFT_SEND]
        assert await invitations(scene) == [theirs]
        assert len(scene.north.pushes) == pushes
        await scene.press(scene.south, back.message, Action.ACCEPT)
        assert await words_of(scene, scene.south) == "red kite"
        assert await invitations(scene) == []
        (match,) = await scene.alive.app.guilds.running(guild_of(scene.channel))
        assert match.ruleset == "hollywood"
        assert (await scene.alive.app.challenges.own(person_of(scene.south).id)) == ()


@pytest.mark.thorough
async def test_a_challenge_is_sent_anyway_by_a_press(tmp_path: Path) -> None:
    """Both invitations are then open, each with its own options, and the private message says that it was sent."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        theirs = await scene.invite(scene.north, scene.south)
        back = await challenge(scene, scene.south, scene.north, rules="low", target=33, words="red kite")
        sent = await scene.press(scene.south, back.message, Action.DRAFT_SEND)
        assert sent.message is back.message
        assert buttons(sent.message)[:1] != [Action.ACCEPT]
        first, second = await invitations(scene)
        assert first is theirs
        assert "to 33" in second.text
        await scene.press(scene.north, second, Action.ACCEPT)
        assert await words_of(scene, scene.south) == "red kite"


@pytest.mark.thorough
async def test_a_draft_is_answered_when_it_is_sent(tmp_path: Path) -> None:
    """The draft itself shows nothing of the other challenge; *Send the challenge* then does."""
    async with clubhouse(tmp_path) as scene:
        draft = await challenge(scene, scene.south, scene.north, options=True, rules="low")
        theirs = await scene.invite(scene.north, scene.south, target=77)
        asked = await scene.press(scene.south, draft.message, Action.DRAFT_SEND)
        assert asked.message is draft.message
        assert "to 77" in asked.text
        assert await invitations(scene) == [theirs]
        await scene.press(scene.south, asked.message, Action.DRAFT_SEND)
        assert len(await invitations(scene)) == 2


@pytest.mark.thorough
async def test_both_challenge_at_once(tmp_path: Path) -> None:
    """One invitation is posted, and the other person sees its rules."""
    async with clubhouse(tmp_path) as scene:
        answers = await asyncio.gather(
            challenge(scene, scene.north, scene.south, target=44), challenge(scene, scene.south, scene.north, target=55)
        )
        (post,) = await invitations(scene)
        (asked,) = [one for one in answers if Action.ACCEPT in buttons(one.message)]
        assert ("to 44" in asked.text) is ("to 44" in post.text)
        assert ("to 55" in asked.text) is ("to 55" in post.text)


@pytest.mark.thorough
@pytest.mark.parametrize("where", nightly_after(1, ["whispers", "back-room"]))
async def test_a_challenge_that_somebody_cannot_see_is_not_told(tmp_path: Path, where: str) -> None:
    """A challenge that the person cannot see is not mentioned, and theirs is sent as usual."""
    async with clubhouse(tmp_path, world=world()) as scene:
        hidden = scene.sandbox.channel(where)
        north, south = person_of(scene.north), person_of(scene.south)
        place = Place(guild_of(hidden), ChannelId(hidden.id))
        issue = scene.alive.app.challenges.issue
        await issue(north, [south.id], place, interaction(), rules="hollywood target=777")
        await scene.quiet()
        if hidden.thread is not None:
            # The mention added them to the thread.
            scene.sandbox.moderation.remove_from_thread(hidden, scene.south.user)
        sent = await challenge(scene, scene.south, scene.north, words="red kite")
        assert "777" not in sent.text
        assert Action.ACCEPT not in buttons(sent.message)
        (post,) = await invitations(scene)
        await scene.press(scene.north, post, Action.ACCEPT)
        assert await words_of(scene, scene.south) == "red kite"


@pytest.mark.thorough
@pytest.mark.parametrize("where", nightly_after(1, ["general", "side-table"]))
async def test_a_challenge_elsewhere_says_where(tmp_path: Path, where: str) -> None:
    """It is accepted here, and played in its own channel."""
    async with clubhouse(tmp_path, GIN_AT_ONCE, world=world()) as scene:
        elsewhere = scene.sandbox.channel(where)
        await scene.invite(scene.north, scene.south, elsewhere)
        back = await challenge(scene, scene.south, scene.north)
        assert f"<#{elsewhere.id}>" in back.text
        accepted = await scene.press(scene.south, back.message, Action.ACCEPT)
        assert f"<#{elsewhere.id}>" in accepted.text
        (match,) = await scene.alive.app.guilds.running(guild_of(scene.channel))
        assert match.channel_id == elsewhere.id


async def test_theirs_may_be_gone_when_it_is_accepted(tmp_path: Path) -> None:
    """If the other challenge was withdrawn, the answer says so, and the own challenge can still be sent."""
    async with clubhouse(tmp_path) as scene:
        theirs = await scene.invite(scene.north, scene.south)
        back = await challenge(scene, scene.south, scene.north, target=33)
        await scene.press(scene.north, theirs, Action.WITHDRAW)
        gone = scene.error(await scene.press(scene.south, back.message, Action.ACCEPT))
        assert isinstance(gone, ChallengeClosed)
        assert gone.challenge.status is ChallengeStatus.WITHDRAWN
        assert await scene.alive.app.guilds.running(guild_of(scene.channel)) == ()
        await scene.press(scene.south, back.message, Action.DRAFT_SEND)
        (post,) = await invitations(scene)
        assert "to 33" in post.text


@pytest.mark.nightly
async def test_another_challenge_meanwhile_is_shown_too(tmp_path: Path) -> None:
    """*Challenge anyway* applies only to the offers shown. A newer one is shown too, and either can be accepted."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await scene.invite(scene.north, scene.south, target=44)
        back = await challenge(scene, scene.south, scene.north)
        await scene.invite(scene.north, scene.south, target=55)
        again = await scene.press(scene.south, back.message, Action.DRAFT_SEND)
        assert buttons(again.message) == [Action.ACCEPT, Action.ACCEPT, Action.DRAFT_SEND]
        assert len(await invitations(scene)) == 2
        await scene.press_late(scene.south, again.message, again.message.buttons[1].custom_id or "")
        (match,) = await scene.alive.app.guilds.running(guild_of(scene.channel))
        assert match.rules.target == 55


@pytest.mark.thorough
async def test_a_place_at_their_table_is_an_offer(tmp_path: Path) -> None:
    """A player with a reserved seat sees that before they challenge the host, and can join with one press."""
    async with clubhouse(tmp_path) as scene:
        await scene.use(
            scene.north, "gin challenge", scene.channel, opponent=scene.south, second=scene.east, rules="penalty"
        )
        await scene.quiet()
        back = await challenge(scene, scene.south, scene.north)
        assert f"<@{scene.north.id}>" in back.text
        await scene.press(scene.south, back.message, Action.ACCEPT)
        (lobby,) = await scene.alive.app.challenges.own(person_of(scene.north).id)
        assert person_of(scene.south).id in lobby.joined_ids


@pytest.mark.nightly
async def test_an_invitation_to_a_table_is_answered_with_theirs(tmp_path: Path) -> None:
    """A host who invites a player sees that player's challenge, and can reserve the seat anyway."""
    async with clubhouse(tmp_path) as scene:
        await scene.use(scene.south, "gin challenge", scene.channel, rules="penalty")
        await scene.quiet()
        await scene.invite(scene.north, scene.south, target=77)
        asked = await scene.use(scene.south, "gin lobby invite", scene.channel, player=scene.north)
        assert "to 77" in asked.text
        assert buttons(asked.message) == [Action.ACCEPT, Action.CHALLENGE_RULES, Action.INVITE_ANYWAY]
        (lobby,) = await scene.alive.app.challenges.own(person_of(scene.south).id)
        assert lobby.named == ()
        kept = await scene.press(scene.south, asked.message, Action.INVITE_ANYWAY)
        assert f"<@{scene.north.id}>" in kept.text
        (lobby,) = await scene.alive.app.challenges.own(person_of(scene.south).id)
        assert lobby.named_ids == {person_of(scene.north).id}


@pytest.mark.thorough
async def test_a_rematch_that_is_offered_answers_a_challenge(tmp_path: Path) -> None:
    """*Accept theirs* begins the rematch, with the words given for the challenge."""
    async with at_table(tmp_path, *[GIN_AT_ONCE] * 2, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.quiet()
        await scene.ask(scene.north, "rematch")
        await scene.quiet()
        back = await challenge(scene, scene.south, scene.north, words="red kite")
        assert f"<@{scene.north.id}>" in back.text
        assert "to 10" in back.text
        await scene.press(scene.south, back.message, Action.REMATCH)
        await scene.quiet()
        assert await words_of(scene, scene.south) == "red kite"
        assert await invitations(scene) == []


@pytest.mark.nightly
@pytest.mark.parametrize("action", [Action.ACCEPT, Action.REMATCH])
async def test_a_challenge_answers_a_rematch(tmp_path: Path, action: Action) -> None:
    """A player who wants a rematch sees the opponent's challenge first; either way their words are kept."""
    async with at_table(tmp_path, *[GIN_AT_ONCE] * 2, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.quiet()
        await scene.invite(scene.north, scene.south, target=77)
        asked = await scene.use(scene.south, "gin rematch", scene.channel, words="red kite")
        assert asked.message.ephemeral
        assert "to 77" in asked.text
        assert buttons(asked.message) == [Action.ACCEPT, Action.CHALLENGE_RULES, Action.REMATCH]
        await scene.press(scene.south, asked.message, action)
        await scene.quiet()
        if action is Action.REMATCH:
            await scene.ask(scene.north, "rematch")
        assert await words_of(scene, scene.south) == "red kite"

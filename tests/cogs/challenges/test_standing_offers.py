"""A person whose opponent has already made an offer sees that offer first, and can accept it or send their own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.model.challenges import ChallengeStatus
from bot.model.guilds import Place
from bot.model.ids import ChannelId, GuildId
from bot.play.refusals import ChallengeClosed
from bot.sandbox import Channel, Interaction, Message, Permission, Person, World, member_overwrite
from cogs.actions import Action
from tests.cogs.scenes import Scene, buttons, open_match_scene, open_scene, person_of
from tests.helpers.cases import nightly_after
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import interaction
from tests.helpers.worlds import stopped_world


def world_with_hidden_rooms() -> World:
    """Return a world with a channel and a private thread that South cannot see, and a public thread."""
    new_world = stopped_world()
    people = {user.display_name: user for user in new_world.users.values()}
    guild = next(iter(new_world.guilds.values()))
    hidden_from_south = member_overwrite(people["South"], deny=Permission.VIEW_CHANNEL)
    new_world.add_channel(guild, "back-room", overwrites=[hidden_from_south])
    games = next(channel for channel in new_world.channels.values() if channel.name == "games")
    new_world.add_thread(games, "whispers", people["North"], private=True, members=(new_world.bot, people["North"]))
    new_world.add_thread(games, "side-table", people["North"])
    return new_world


async def challenge(scene: Scene, person: Person, other: Person, **options: object) -> Interaction:
    """Have a person challenge another in the channel, and return the answer."""
    return await scene.use(person, "gin challenge", scene.channel, opponent=other, **options)


async def invitations(scene: Scene) -> list[Message]:
    """Wait until the bot is idle, and return the open invitations in the channel."""
    await scene.wait_until_idle()
    return [post for post in scene.posts if Action.CHALLENGE_MORE in buttons(post)]


async def words_of(scene: Scene, person: Person) -> str | None:
    """Return a person's words for the shuffles of the only running match."""
    (match,) = await scene.bot.app.guilds.running(guild_id_of(scene.channel))
    own_words = await scene.bot.app.words.of_match(person_of(person).id, match.id)
    return None if own_words is None else own_words.text


def guild_id_of(channel: Channel) -> GuildId:
    """Return the id of a channel's server."""
    assert channel.guild is not None
    return GuildId(channel.guild.id)


@pytest.mark.thorough
async def test_a_counter_challenge_shows_the_existing_one(tmp_path: Path) -> None:
    """Challenging one's challenger posts nothing, and privately shows the existing challenge, which can be accepted."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        theirs = await scene.invite(scene.north, scene.south, rules="hollywood", target=77)
        pushes = len(scene.north.pushes)
        back = await challenge(scene, scene.south, scene.north, rules="low", words="red kite")
        assert back.message.ephemeral
        assert f"<@{scene.north.id}>" in back.text
        assert "**Hollywood**" in back.text
        assert "to 77" in back.text
        assert buttons(back.message) == [Action.ACCEPT, Action.CHALLENGE_RULES, Action.DRAFT_SEND]
        assert await invitations(scene) == [theirs]
        assert len(scene.north.pushes) == pushes
        await scene.press(scene.south, back.message, Action.ACCEPT)
        assert await words_of(scene, scene.south) == "red kite"
        assert await invitations(scene) == []
        (match,) = await scene.bot.app.guilds.running(guild_id_of(scene.channel))
        assert match.ruleset == "hollywood"
        assert (await scene.bot.app.challenges.own(person_of(scene.south).id)) == ()


@pytest.mark.thorough
async def test_a_counter_challenge_can_be_sent_anyway(tmp_path: Path) -> None:
    """If a counter-challenge is sent anyway, both invitations are open, each with its own rules and shuffle words."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
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
async def test_sending_a_draft_shows_the_existing_challenge(tmp_path: Path) -> None:
    """*Send the challenge* first shows the opponent's existing challenge; a second press sends the draft."""
    async with open_scene(tmp_path) as scene:
        draft = await challenge(scene, scene.south, scene.north, options=True, rules="low")
        theirs = await scene.invite(scene.north, scene.south, target=77)
        asked = await scene.press(scene.south, draft.message, Action.DRAFT_SEND)
        assert asked.message is draft.message
        assert "to 77" in asked.text
        assert await invitations(scene) == [theirs]
        await scene.press(scene.south, asked.message, Action.DRAFT_SEND)
        assert len(await invitations(scene)) == 2


@pytest.mark.thorough
async def test_simultaneous_challenges_post_one_invitation(tmp_path: Path) -> None:
    """If two people challenge each other simultaneously, one challenge is posted, and the other challenger sees it."""
    async with open_scene(tmp_path) as scene:
        answers = await asyncio.gather(
            challenge(scene, scene.north, scene.south, target=44), challenge(scene, scene.south, scene.north, target=55)
        )
        (post,) = await invitations(scene)
        (asked,) = [answer for answer in answers if Action.ACCEPT in buttons(answer.message)]
        assert ("to 44" in asked.text) is ("to 44" in post.text)
        assert ("to 55" in asked.text) is ("to 55" in post.text)


@pytest.mark.thorough
@pytest.mark.parametrize("where", nightly_after(1, ["whispers", "back-room"]))
async def test_a_hidden_challenge_is_not_mentioned(tmp_path: Path, where: str) -> None:
    """A challenge in a channel that the challenged person cannot see is not mentioned when they challenge back."""
    async with open_scene(tmp_path, world=world_with_hidden_rooms()) as scene:
        hidden = scene.sandbox.channel(where)
        north, south = person_of(scene.north), person_of(scene.south)
        place = Place(guild_id_of(hidden), ChannelId(hidden.id))
        issue = scene.bot.app.challenges.issue
        await issue(north, [south.id], place, interaction(), rules="hollywood target=777")
        await scene.wait_until_idle()
        if hidden.thread is not None:
            # The mention in the challenge added South to the thread, so South is removed again.
            scene.sandbox.moderation.remove_from_thread(hidden, scene.south.user)
        sent = await challenge(scene, scene.south, scene.north, words="red kite")
        assert "777" not in sent.text
        assert Action.ACCEPT not in buttons(sent.message)
        (post,) = await invitations(scene)
        await scene.press(scene.north, post, Action.ACCEPT)
        assert await words_of(scene, scene.south) == "red kite"


@pytest.mark.thorough
@pytest.mark.parametrize("where", nightly_after(1, ["general", "side-table"]))
async def test_a_challenge_in_another_channel_names_it(tmp_path: Path, where: str) -> None:
    """An existing challenge is shown with the channel where it was made, and the match is played in that channel."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, world=world_with_hidden_rooms()) as scene:
        elsewhere = scene.sandbox.channel(where)
        await scene.invite(scene.north, scene.south, elsewhere)
        back = await challenge(scene, scene.south, scene.north)
        assert f"<#{elsewhere.id}>" in back.text
        accepted = await scene.press(scene.south, back.message, Action.ACCEPT)
        assert f"<#{elsewhere.id}>" in accepted.text
        (match,) = await scene.bot.app.guilds.running(guild_id_of(scene.channel))
        assert match.channel_id == elsewhere.id


async def test_the_existing_challenge_may_be_withdrawn_first(tmp_path: Path) -> None:
    """If the existing challenge was withdrawn, accepting it says so, and the person can still send their own."""
    async with open_scene(tmp_path) as scene:
        await scene.invite(scene.north, scene.south)
        back = await challenge(scene, scene.south, scene.north, target=33)
        await scene.ask(scene.north, "withdraw")
        gone = scene.error(await scene.press(scene.south, back.message, Action.ACCEPT))
        assert isinstance(gone, ChallengeClosed)
        assert gone.challenge.status is ChallengeStatus.WITHDRAWN
        assert await scene.bot.app.guilds.running(guild_id_of(scene.channel)) == ()
        await scene.press(scene.south, back.message, Action.DRAFT_SEND)
        (post,) = await invitations(scene)
        assert "to 33" in post.text


@pytest.mark.nightly
async def test_a_newer_challenge_is_shown_before_sending(tmp_path: Path) -> None:
    """If the opponent made another challenge meanwhile, *Challenge anyway* first shows it; either can be accepted."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await scene.invite(scene.north, scene.south, target=44)
        back = await challenge(scene, scene.south, scene.north)
        await scene.invite(scene.north, scene.south, target=55)
        again = await scene.press(scene.south, back.message, Action.DRAFT_SEND)
        assert buttons(again.message) == [Action.ACCEPT, Action.ACCEPT, Action.DRAFT_SEND]
        assert len(await invitations(scene)) == 2
        await scene.press_late(scene.south, again.message, again.message.buttons[1].custom_id or "")
        (match,) = await scene.bot.app.guilds.running(guild_id_of(scene.channel))
        assert match.rules.target == 55


@pytest.mark.thorough
async def test_a_reserved_seat_counts_as_an_offer(tmp_path: Path) -> None:
    """A player with a reserved seat who challenges the host sees the reservation first, and can join with one press."""
    async with open_scene(tmp_path) as scene:
        await scene.use(
            scene.north, "gin challenge", scene.channel, opponent=scene.south, second=scene.east, rules="penalty"
        )
        await scene.wait_until_idle()
        back = await challenge(scene, scene.south, scene.north)
        assert f"<@{scene.north.id}>" in back.text
        await scene.press(scene.south, back.message, Action.ACCEPT)
        (lobby,) = await scene.bot.app.challenges.own(person_of(scene.north).id)
        assert person_of(scene.south).id in lobby.joined_ids


@pytest.mark.thorough
async def test_a_lobby_invitation_shows_the_existing_challenge(tmp_path: Path) -> None:
    """A host who invites a player to a lobby sees that player's challenge first, and can reserve the seat anyway."""
    async with open_scene(tmp_path) as scene:
        await scene.use(scene.south, "gin challenge", scene.channel, rules="penalty")
        await scene.wait_until_idle()
        await scene.invite(scene.north, scene.south, target=77)
        asked = await scene.use(scene.south, "gin lobby invite", scene.channel, player=scene.north)
        assert "to 77" in asked.text
        assert buttons(asked.message) == [Action.ACCEPT, Action.CHALLENGE_RULES, Action.INVITE_ANYWAY]
        (lobby,) = await scene.bot.app.challenges.own(person_of(scene.south).id)
        assert lobby.named == ()
        answer = await scene.press(scene.south, asked.message, Action.INVITE_ANYWAY)
        assert f"<@{scene.north.id}>" in answer.text
        (lobby,) = await scene.bot.app.challenges.own(person_of(scene.south).id)
        assert lobby.named_ids == {person_of(scene.north).id}


@pytest.mark.thorough
async def test_a_challenge_shows_an_offered_rematch(tmp_path: Path) -> None:
    """A challenge to an opponent who has offered a rematch shows that offer instead.

    If the challenger accepts it, the rematch uses the shuffle words of the challenge.
    """
    async with open_match_scene(tmp_path, *[IMMEDIATE_GIN] * 2, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.wait_until_idle()
        await scene.ask(scene.north, "rematch")
        await scene.wait_until_idle()
        back = await challenge(scene, scene.south, scene.north, words="red kite")
        assert f"<@{scene.north.id}>" in back.text
        assert "to 10" in back.text
        await scene.press(scene.south, back.message, Action.REMATCH)
        await scene.wait_until_idle()
        assert await words_of(scene, scene.south) == "red kite"
        assert await invitations(scene) == []


@pytest.mark.nightly
@pytest.mark.parametrize("action", [Action.ACCEPT, Action.REMATCH])
async def test_a_rematch_shows_an_existing_challenge(tmp_path: Path, action: Action) -> None:
    """A player who asks for a rematch is first shown the opponent's challenge.

    The player's shuffle words are kept, both for the challenge and for the rematch.
    """
    async with open_match_scene(tmp_path, *[IMMEDIATE_GIN] * 2, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.wait_until_idle()
        await scene.invite(scene.north, scene.south, target=77)
        asked = await scene.use(scene.south, "gin rematch", scene.channel, words="red kite")
        assert asked.message.ephemeral
        assert "to 77" in asked.text
        assert buttons(asked.message) == [Action.ACCEPT, Action.CHALLENGE_RULES, Action.REMATCH]
        await scene.press(scene.south, asked.message, action)
        await scene.wait_until_idle()
        if action is Action.REMATCH:
            await scene.ask(scene.north, "rematch")
        assert await words_of(scene, scene.south) == "red kite"

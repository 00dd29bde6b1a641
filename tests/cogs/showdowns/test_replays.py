"""Replays: anyone can watch a finished deal again, and show it to everyone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.engine.matches.replay import ReplayView
from bot.model.appearance import Appearance
from bot.play.refusals import NoMatch, NoReplay, NoReplayReason
from bot.sandbox import Message, Permission, Person, Refuse, member_overwrite
from cardart import Picture, Portrait, draw_replay
from cogs.actions import Action
from cogs.delivery import pictures
from cogs.delivery.refusals import may_not_show
from cogs.showdowns.refusals import UNREADABLE_DEAL
from tests.cogs.scenes import Scene, buttons, menus, open_scene, person_of, play_match
from tests.helpers.components import controls
from tests.helpers.forgery import click
from tests.helpers.living import start_match
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.table import Players, prefer


async def _play_deals(scene: Scene, *more: str) -> None:
    """Play a deal that North ends by knocking, and then these moves, without pressing buttons."""
    await play_match(scene, None, None, "take", "k Qh", *more, rules="classic target=1000")


async def _watch(scene: Scene, person: Person, **options: object) -> Message:
    """Have a person watch a deal in the channel, and return the answer."""
    return (await scene.use(person, "gin-deal replay", scene.channel, **options)).message


async def _show_to_all(scene: Scene, person: Person, watched: Message) -> Message:
    """Have a person show a replay to everyone, and return the post."""
    before = scene.posts
    await scene.press(person, watched, Action.SHOW_REPLAY_TO_ALL)
    (public,) = await scene.sandbox.until(lambda: [post for post in scene.posts if post not in before])
    return public


async def test_a_replay_is_private(tmp_path: Path) -> None:
    """A replay is private, with a picture, text, and a button to show it to everyone."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await _play_deals(scene)
        watched = await _watch(scene, scene.east)
        assert watched.ephemeral
        text, (image,) = watched.text, watched.images
        assert image.filename.endswith(".webp")
        assert image.content[8:12] == b"WEBP"
        assert buttons(watched) == [Action.REPLAY_STEP, Action.SHOW_REPLAY_TO_ALL]
        # Compare the exact wording.
        assert text.startswith("### Replay · Deal 1: ⁨North⁩ wins by knocking, 58 points")
        assert "**N** ⁨North⁩: A♣" in text
        assert "Upcard 2♦\n1. ⁨North⁩ took 2♦, knocked, discarding Q♥" in text
        assert "scores 60 − 2" not in text
        assert str(image.alt).startswith("Deal 1: an animated replay of 2 actions")


@pytest.mark.thorough
async def test_a_replay_can_be_shown_to_everyone(tmp_path: Path) -> None:
    """*Show everyone* posts the same replay once, with the person's name and without a ping."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await _play_deals(scene)
        watched = await _watch(scene, scene.east)
        (image,) = watched.images
        public = await _show_to_all(scene, scene.east, watched)
        assert (watched.images, buttons(watched)) == ([], [])
        assert "Shown by ⁨East⁩" in public.text
        assert public.images[0].content == image.content
        assert buttons(public) == []
        assert public.pinged == frozenset()


@pytest.mark.nightly
async def test_a_showdown_has_a_replay_button(tmp_path: Path) -> None:
    """*Replay* in the details of a showdown privately shows the replay of that deal, even after later deals.

    A forged *Show everyone* below the table does not change the table.
    """
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_GIN) as scene:
        await _play_deals(scene)
        first = await scene.wait_for_post(Action.SHOWDOWN_DETAILS)
        before = scene.table.text
        await click(scene.east, scene.table, Action.SHOW_REPLAY_TO_ALL, 1, argument="1")
        await scene.wait_until_idle()
        assert scene.table.text == before
        posts = scene.posts
        await scene.ask(scene.south, "take")
        await scene.ask(scene.south, "gin")
        second = await scene.wait_for_post(Action.SHOWDOWN_DETAILS, exclude=posts)
        for number, post in ((1, first), (2, second)):
            watched = await scene.press(scene.west, await scene.details(post, scene.west), Action.REPLAY)
            assert watched.message.ephemeral
            assert _deal_number(watched.message) == number
        assert _deal_number(await _watch(scene, scene.east)) == 2
        assert _deal_number(await _watch(scene, scene.east, deal="1")) == 1


@pytest.mark.nightly
async def test_private_replays_follow_preferences(tmp_path: Path) -> None:
    """Private replays use the person's theme, language and picture setting; public ones use the server's.

    With pictures off, the private replay is text, and the public one still has its picture.
    """
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await _play_deals(scene)
        plain = await _watch(scene, scene.west)
        mine = Appearance("dark", four_colours=True, language="de")
        await prefer(scene.bot.app, person_of(scene.east), appearance=mine)
        watched = await _watch(scene, scene.east)
        assert "D♥" in watched.text
        assert watched.images[0].content != plain.images[0].content
        await scene.press(scene.east, watched, Action.REPLAY_STEP)
        await scene.press(scene.east, watched, Action.REPLAY_STEP, "1/3/last")
        assert "D♥" in str(watched.images[0].alt)
        await prefer(scene.bot.app, person_of(scene.east), pictures=False)
        watched = await _watch(scene, scene.east)
        assert not watched.attachments
        assert "D♥" in watched.text
        public = await _show_to_all(scene, scene.east, watched)
        assert public.images[0].content == plain.images[0].content
        assert "Q♥" in public.text


@pytest.mark.thorough
async def test_deal_completions_have_results(tmp_path: Path) -> None:
    """Completions list the deals with their results, newest first; a typed number or word filters them."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_GIN) as scene:
        await _play_deals(scene, "take", "gin")

        async def offered(typed: str) -> list[tuple[str, str]]:
            asked = await scene.east.complete("gin-deal replay", scene.channel, option="deal", value=typed)
            return [(choice["name"], choice["value"]) for choice in (await asked.answer()).choices]

        both = [("Deal 2: South goes gin", "2"), ("Deal 1: North wins by knocking", "1")]
        assert await offered("") == both
        assert await offered("1") == both[1:]
        assert await offered("GIN") == both[:1]
        assert await offered("nothing") == []
        asked = await scene.east.complete("gin-deal replay", scene.east.dm, option="deal")
        assert (await asked.answer()).choices == []


@pytest.mark.nightly
async def test_missing_replays_have_a_reason(tmp_path: Path) -> None:
    """A running or unknown deal, an invalid number and a channel without a match are refused with their reasons."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:

        async def reason(**options: object) -> NoReplayReason:
            error = scene.error(await scene.use(scene.east, "gin-deal replay", scene.channel, **options))
            assert isinstance(error, NoReplay)
            return error.reason

        assert isinstance(scene.error(await scene.use(scene.north, "gin-deal replay", scene.channel)), NoMatch)
        await start_match(scene.bot, rules="classic", target=1000)
        assert await reason() is NoReplayReason.NONE_YET
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.wait_for_post(Action.SHOWDOWN_DETAILS)
        assert await reason(deal="2") is NoReplayReason.IN_PLAY
        assert await reason(deal="7") is NoReplayReason.UNKNOWN
        assert (await _watch(scene, scene.north, deal="the best")).text == UNREADABLE_DEAL
        asked = await scene.use(scene.north, "gin resign", scene.channel)
        await scene.press(scene.north, asked.message, Action.RESIGN)
        assert _deal_number(await _watch(scene, scene.east, deal="1")) == 1
        # The resignation broke off deal 2. It has a replay: its seeds are public, so anyone could work out the hands.
        broken_off = await _watch(scene, scene.east, deal="deal 2")
        assert _deal_number(broken_off) == 2
        assert len(broken_off.images) == 1


@pytest.mark.thorough
async def test_showing_a_replay_needs_write_permission_there(tmp_path: Path) -> None:
    """Outside the match's channel, or without permission to write there, *Show everyone* is missing or refused."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await _play_deals(scene)
        posts = scene.posts
        elsewhere = (await scene.use(scene.north, "gin-deal replay", scene.north.dm)).message
        assert _deal_number(elsewhere) == 1
        assert buttons(elsewhere) == [Action.REPLAY_STEP]
        watched = await _watch(scene, scene.east)
        silent = member_overwrite(scene.east.user, deny=Permission.SEND_MESSAGES)
        scene.sandbox.moderation.set_overwrites(scene.channel, silent)
        refused = await scene.press(scene.east, watched, Action.SHOW_REPLAY_TO_ALL)
        assert refused.text == may_not_show("a replay")
        assert buttons(await _watch(scene, scene.east)) == [Action.REPLAY_STEP]
        assert scene.posts == posts


@pytest.mark.thorough
async def test_a_replay_without_a_picture_is_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the animation is too large for Discord, or the deal has too many actions, the replay is sent as text."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await _play_deals(scene)
        with monkeypatch.context() as short:
            short.setattr(pictures, "MAX_ACTIONS", 1)
            too_long = await _watch(scene, scene.east)
        scene.sandbox.faults.requests(Refuse(40005), on="POST /interactions/*/*/callback")
        too_large = await _watch(scene, scene.east)
        for watched in (too_long, too_large):
            assert watched.images == []
            assert "⁨North⁩ took 2♦" in watched.text
        assert ["too long for an animation" in answer.text for answer in (too_long, too_large)] == [True, False]


@pytest.mark.nightly
async def test_with_several_matches_a_menu_asks(tmp_path: Path) -> None:
    """If a person has several matches but no showdown, a menu asks which one, and the deal of the chosen one is sought.

    As soon as one of the matches has had a showdown, it is the match to replay.
    """
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        match_id = await play_match(scene, None, None, "take", rules="classic target=1000")
        await play_match(scene, None, scene.east, "take", channel=scene.sandbox.channel("quiet-corner"))
        asked = await scene.use(scene.north, "gin-deal replay", deal="1")
        assert menus(asked.message) == [Action.REPLAY]
        chosen = await scene.choose(scene.north, asked.message, Action.REPLAY, str(match_id))
        assert scene.error_type(chosen) is NoReplay
        await Players(scene.bot.app, (person_of(scene.north), person_of(scene.south))).move(match_id, "k Qh")
        assert _deal_number((await scene.use(scene.north, "gin-deal replay", deal="1")).message) == 1


@pytest.mark.nightly
async def test_an_animation_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second viewer gets the cached animation. An animation larger than the cache is not cached."""
    drawn: list[ReplayView] = []

    def draw(view: ReplayView, portraits: Sequence[Portrait], look: Appearance) -> Picture:
        drawn.append(view)
        return draw_replay(view, portraits, look)

    monkeypatch.setattr("cardart.draw_replay", draw)
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await _play_deals(scene)
        await _watch(scene, scene.east)
        await _watch(scene, scene.west)
        assert len(drawn) == 1
        monkeypatch.setattr(pictures, "CACHE_SIZE", 1000)
        scene.bot.client.pictures._animations.clear()  # pyright: ignore[reportPrivateUsage]
        await _watch(scene, scene.east)
        await _watch(scene, scene.west)
        assert len(drawn) == 3


def _deal_number(message: Message) -> int:
    """Return the number of the deal in a replay."""
    steps = [control.event.argument or "" for control in controls(message) if control.action is Action.REPLAY_STEP]
    return int(steps[0].partition("/")[0])


def _step_buttons(message: Message) -> dict[str, str]:
    """Return the argument of each step button, keyed by where the button leads, such as `next`."""
    steps = [control.event.argument or "" for control in controls(message) if control.action is Action.REPLAY_STEP]
    return {argument.rpartition("/")[2]: argument for argument in steps}


@pytest.mark.nightly
async def test_a_deal_is_watched_step_by_step(tmp_path: Path) -> None:
    """Buttons go to the first, previous, next and last step in one private message, and are disabled at the ends."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await _play_deals(scene)
        message = (await scene.use(scene.east, "gin-deal replay", scene.channel)).message
        await scene.press(scene.east, message, Action.REPLAY_STEP)
        assert message.ephemeral
        step_texts = ["the cards\nThe cards are dealt. Upcard 2♦."]
        step_texts += [f"step {step} of 2\n**N** ⁨North⁩ took 2♦" for step in (1, 2)]
        step_texts[2] += ", knocked, discarding Q♥"
        step_texts.append("the showdown\nDeal 1: ⁨North⁩ wins by knocking, 58 points")
        pictures: list[bytes] = []
        # Compare the exact wording of each step.
        for index, text in enumerate(step_texts):
            assert message.text == f"### Replay · Deal 1, {text}"
            backward, forward = ["first", "back"] if index else [], ["next", "last"] if index < 3 else []
            assert [*_step_buttons(message)] == [*backward, *forward, "whole"]
            (image,) = message.images
            assert image.filename.endswith(".png")
            pictures.append(image.content)
            if forward:
                await scene.press(scene.east, message, Action.REPLAY_STEP, _step_buttons(message)["next"])
        assert len({*pictures}) == 4
        for way, index in (("first", 0), ("last", 3), ("back", 2)):
            await scene.press(scene.east, message, Action.REPLAY_STEP, _step_buttons(message)[way])
            assert message.text == f"### Replay · Deal 1, {step_texts[index]}"
        await scene.press(scene.east, message, Action.REPLAY_STEP, "1/0/whole")
        assert message.images[0].filename.endswith(".webp")
        await prefer(scene.bot.app, person_of(scene.east), pictures=False)
        await scene.press(scene.east, message, Action.REPLAY_STEP)
        assert message.images == []
        assert "**S** ⁨South⁩: " in message.text
        in_words = await _watch(scene, scene.east)
        assert in_words.images == []
        assert "⁨North⁩ scores 60 − 2 = **58**" in in_words.text
        assert "-# Stock 31 · top of the pile 2♦" in message.text

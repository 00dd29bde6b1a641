"""Deals that are over can be watched once more, by anyone, and shown to everyone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.engine.replay import ReplayView
from bot.sandbox import Message, Permission, Refuse, member_overwrite
from bot.values.appearance import Appearance
from cardart import Picture, draw_replay
from cogs.kit.actions import Action
from cogs.panels import pictures
from tests.cogs.scenes import Scene, at_table, clubhouse, labels, menus, person_of
from tests.helpers.forgery import click
from tests.helpers.living import start_match
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.table import prefer

pytestmark = pytest.mark.slow


async def _wins(scene: Scene) -> None:
    """Have North end the deal at once."""
    await scene.ask(scene.north, "take")
    await scene.ask(scene.north, "knock", card="Qh")


def _replays(scene: Scene) -> list[Message]:
    """The public replays."""
    return [post for post in scene.posts if post.text.startswith("### Replay")]


async def test_a_deal_is_watched_first_alone_then_by_everyone(tmp_path: Path) -> None:
    """The answer is private, with picture and words; its one button posts the same for everyone, once, by name."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        await _wins(scene)
        watched = await scene.use(scene.east, "gin replay", scene.channel)
        assert watched.message.ephemeral
        assert watched.text.startswith("### Replay · Deal 1: ⁨North⁩ wins by knocking, 58 points")
        assert "**N** ⁨North⁩: A♣" in watched.text
        assert "Upcard 2♦\n1. ⁨North⁩ took 2♦, went out discarding Q♥\n" in watched.text
        assert "Deal 1. N knocks with 2, discarding Q♥: run A♣ 2♣ 3♣;" in watched.text
        assert "N scores 60 − 2 = 58. Score: N 58, S 0." in watched.text
        (image,) = watched.message.images
        assert image.filename.endswith(".webp")
        assert image.content[8:12] == b"WEBP"
        assert str(image.alt).startswith("Deal 1, replayed as an animation of 2 actions")
        assert labels(watched.message) == ["Step by step", "Show everyone"]
        said = await scene.press(scene.east, watched.message, "Show everyone")
        assert watched.message.text == "Everyone in this channel can see the replay now."
        assert watched.message.images == []
        assert labels(watched.message) == []
        (public,) = await scene.sandbox.until(lambda: _replays(scene))
        assert public in said.messages
        assert "Shown by ⁨East⁩" in public.text
        assert public.images[0].content == image.content
        assert labels(public) == []
        assert public.pinged == frozenset()


async def test_a_forged_button_changes_no_public_message(tmp_path: Path) -> None:
    """*Show everyone* as if it were below the table posts the replay, and leaves the table as it was."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        await _wins(scene)
        await scene.post("Replay")
        await scene.quiet()
        before = scene.table.text
        await click(scene.east, scene.table, Action.SHOW_REPLAY_TO_ALL, 1, argument="1")
        assert scene.table.text == before


async def test_a_showdown_has_a_button_for_it(tmp_path: Path) -> None:
    """*Replay* below a showdown answers privately with that deal, also when others have followed."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        await _wins(scene)
        first = await scene.post("Replay")
        await scene.ask(scene.south, "take")
        await scene.ask(scene.south, "gin")
        second = await scene.post("Replay", but=[first])
        for post, told in ((first, "Deal 1: ⁨North⁩ wins by knocking"), (second, "Deal 2: ⁨South⁩ goes gin")):
            watched = await scene.press(scene.west, post, "Replay")
            assert watched.message.ephemeral
            assert told in watched.text
        assert "Deal 2: " in await scene.ask(scene.east, "replay")
        assert "Deal 1: " in await scene.ask(scene.east, "replay", deal="1")
        assert _replays(scene) == []


async def test_who_watches_alone_sees_it_as_they_prefer(tmp_path: Path) -> None:
    """Animation, words and steps are in their theme and language; what everyone is shown is in the server's."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        await _wins(scene)
        plain = await scene.use(scene.west, "gin replay", scene.channel)
        mine = Appearance("dark", four_colours=True, language="de")
        await prefer(scene.alive.app, person_of(scene.east), appearance=mine)
        watched = await scene.use(scene.east, "gin replay", scene.channel)
        assert "took 2♦, went out discarding D♥" in watched.text
        assert watched.message.images[0].content != plain.message.images[0].content
        await scene.press(scene.east, watched.message, "Step by step")
        await scene.press(scene.east, watched.message, "Last")
        assert "discarding D♥" in str(watched.message.images[0].alt)
        await scene.press(scene.east, watched.message, "Whole deal")
        await scene.press(scene.east, watched.message, "Show everyone")
        (public,) = await scene.sandbox.until(lambda: _replays(scene))
        assert public.images[0].content == plain.message.images[0].content
        assert "discarding Q♥" in public.text


async def test_deals_complete_with_how_they_ended(tmp_path: Path) -> None:
    """The last deal is first; what is typed narrows the list, by number or by words."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, target=1000) as scene:
        await _wins(scene)
        await scene.ask(scene.south, "take")
        await scene.ask(scene.south, "gin")

        async def offered(typed: str) -> list[tuple[str, str]]:
            asked = await scene.east.complete("gin replay", scene.channel, option="deal", value=typed)
            return [(choice["name"], choice["value"]) for choice in (await asked.answer()).choices]

        both = [("Deal 2: South goes gin", "2"), ("Deal 1: North wins by knocking", "1")]
        assert await offered("") == both
        assert await offered("1") == both[1:]
        assert await offered("GIN") == both[:1]
        assert await offered("nothing") == []
        asked = await scene.east.complete("gin replay", scene.east.dm, option="deal")
        assert (await asked.answer()).choices == []


async def test_what_cannot_be_watched_is_answered_kindly(tmp_path: Path) -> None:
    """No deal over, one in play, one that never was, something else, no match at all: each has its own words."""
    async with clubhouse(tmp_path, KNOCK_AT_ONCE) as scene:
        assert "There is no match here" in await scene.ask(scene.north, "replay")
        await start_match(scene.alive, rules="classic", target=1000)
        none = await scene.use(scene.east, "gin replay", scene.channel)
        assert none.message.ephemeral
        assert none.text == "No deal of ⁨North⁩ vs ⁨South⁩ has reached a showdown yet. Ask again after the first."
        await _wins(scene)
        await scene.post("Replay")
        assert "still in play" in await scene.ask(scene.north, "replay", deal="2")
        assert "has no such deal" in await scene.ask(scene.north, "replay", deal="7")
        assert "I cannot read that deal" in await scene.ask(scene.north, "replay", deal="the best")
        asked = await scene.use(scene.north, "gin resign", scene.channel)
        await scene.press(scene.north, asked.message, "Resign")
        assert "Deal 1: " in await scene.ask(scene.east, "replay", deal="1")
        # Its seeds are out, so everybody could work the hands out.
        broken_off = await scene.use(scene.east, "gin replay", scene.channel, deal="deal 2")
        assert broken_off.text.startswith("### Replay · Deal 2: broken off, nobody scores")
        assert len(broken_off.message.images) == 1


async def test_only_who_may_write_shows_it_to_everyone_and_only_where_it_was_played(tmp_path: Path) -> None:
    """Elsewhere, or without the permission to write, there is no button; a late click is refused kindly."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, target=1000) as scene:
        await _wins(scene)
        elsewhere = await scene.use(scene.north, "gin replay", scene.north.dm)
        assert "Deal 1: " in elsewhere.text
        assert labels(elsewhere.message) == ["Step by step"]
        watched = await scene.use(scene.east, "gin replay", scene.channel)
        silent = member_overwrite(scene.east.user, deny=Permission.SEND_MESSAGES)
        scene.sandbox.moderation.set_overwrites(scene.channel, silent)
        refused = await scene.press(scene.east, watched.message, "Show everyone")
        assert "only if you may write there" in refused.text
        again = await scene.use(scene.east, "gin replay", scene.channel)
        assert labels(again.message) == ["Step by step"]
        assert _replays(scene) == []


async def test_a_picture_that_the_server_does_not_take_leaves_the_words(tmp_path: Path) -> None:
    """Where Discord finds the file too large, the deal is told in words alone."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, target=1000) as scene:
        await _wins(scene)
        await scene.quiet()
        scene.sandbox.faults.requests(Refuse(40005), on="POST /interactions/*/*/callback")
        watched = await scene.use(scene.east, "gin replay", scene.channel)
        assert watched.message.images == []
        assert "⁨North⁩ took 2♦" in watched.text


async def test_a_deal_too_long_to_be_drawn_is_told_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the most actions there is no picture, and the words say why."""
    monkeypatch.setattr(pictures, "MOST_ACTIONS", 1)
    async with at_table(tmp_path, KNOCK_AT_ONCE, target=1000) as scene:
        await _wins(scene)
        watched = await scene.use(scene.east, "gin replay", scene.channel)
        assert watched.message.images == []
        assert "2 actions are too many for an animation" in watched.text
        assert "⁨North⁩ took 2♦" in watched.text


async def test_who_plays_several_matches_is_asked_which(tmp_path: Path) -> None:
    """Where no match is at hand, the one that is chosen shows the deal that was asked for."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, target=1000) as scene:
        await _wins(scene)
        invitation = await scene.invite(scene.north, scene.east, scene.sandbox.channel("quiet-corner"))
        await scene.press(scene.east, invitation, "Accept")
        asked = await scene.use(scene.north, "gin replay", deal="1")
        assert menus(asked.message) == ["Choose a match …"]
        chosen = await scene.choose(scene.north, asked.message, "Choose a match …", "1")
        assert "Deal 1: ⁨North⁩ wins by knocking" in chosen.text


async def test_an_animation_is_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever watches a deal after somebody else waits for no drawing; what takes too much room is not kept."""
    drawn: list[ReplayView] = []

    def draw(view: ReplayView, names: Sequence[str], look: Appearance) -> Picture:
        drawn.append(view)
        return draw_replay(view, names, look)

    monkeypatch.setattr("cardart.draw_replay", draw)
    async with at_table(tmp_path, KNOCK_AT_ONCE, target=1000) as scene:
        await _wins(scene)
        await scene.ask(scene.east, "replay")
        await scene.ask(scene.west, "replay")
        assert len(drawn) == 1
        monkeypatch.setattr(pictures, "CACHE_SIZE", 1000)
        scene.alive.client.pictures._animations.clear()  # pyright: ignore[reportPrivateUsage]
        await scene.ask(scene.east, "replay")
        await scene.ask(scene.west, "replay")
        assert len(drawn) == 3


async def test_who_wants_no_pictures_reads_the_deal(tmp_path: Path) -> None:
    """The private answer is in words alone; what everybody is shown has its picture all the same."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, target=1000) as scene:
        await _wins(scene)
        panel = (await scene.use(scene.east, "gin me preferences", scene.channel)).message
        await scene.change(scene.east, panel, Action.PREFER_APPEARANCE, "none")
        watched = await scene.use(scene.east, "gin replay", scene.channel)
        assert not watched.message.attachments
        assert "went out discarding Q♥" in watched.text
        assert "too many for an animation" not in watched.text
        await scene.press(scene.east, watched.message, "Show everyone")
        (public,) = await scene.sandbox.until(lambda: _replays(scene))
        assert public.images


async def test_a_deal_is_watched_step_by_step(tmp_path: Path) -> None:
    """Buttons go to the first, the last and the next step in one private message; those that lead nowhere are off."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, target=1000) as scene:
        await _wins(scene)
        message = (await scene.use(scene.east, "gin replay", scene.channel)).message
        await scene.press(scene.east, message, "Step by step")
        assert message.ephemeral
        told = ["the cards\nThe cards are dealt. Upcard 2♦."]
        told += [f"step {step} of 2\n**N** ⁨North⁩ took 2♦" for step in (1, 2)]
        told[2] += ", went out discarding Q♥"
        told.append("the showdown\nDeal 1: ⁨North⁩ wins by knocking, 58 points")
        pictures: list[bytes] = []
        for place, text in enumerate(told):
            assert message.text == f"### Replay · Deal 1, {text}"
            backward, forward = ["First", "Back"] if place else [], ["Next", "Last"] if place < 3 else []
            assert labels(message) == [*backward, *forward, "Whole deal"]
            (image,) = message.images
            assert image.filename.endswith(".png")
            pictures.append(image.content)
            if forward:
                await scene.press(scene.east, message, "Next")
        assert len({*pictures}) == 4
        for way, place in (("First", 0), ("Last", 3), ("Back", 2)):
            await scene.press(scene.east, message, way)
            assert message.text == f"### Replay · Deal 1, {told[place]}"
        await scene.press(scene.east, message, "Whole deal")
        assert message.images[0].filename.endswith(".webp")
        await prefer(scene.alive.app, person_of(scene.east), pictures=False)
        await scene.press(scene.east, message, "Step by step")
        assert message.images == []
        assert "**S** ⁨South⁩: " in message.text
        assert "-# Stock 31 · top of the pile 2♦" in message.text

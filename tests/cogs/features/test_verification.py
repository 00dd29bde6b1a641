"""Everyone who can see a match can have its deals verified, and can verify them without the bot."""

from __future__ import annotations

import re
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import delete

from bot.engine.actions import Reveal, Shuffle
from bot.engine.audit import Answer, SeedKind
from bot.engine.record import Record
from bot.play.refusals import NoReplay, NoReplayReason, NotVerifiable
from bot.sandbox import Interaction, Message
from bot.sandbox.world.messages import MessageFlag
from bot.store import tables
from bot.values.ids import MatchId, PersonId
from bot.values.verification import VerifiedDeal
from cogs.kit.actions import Action
from cogs.support.errors import UserError
from cogs.text import verification as texts
from cogs.text.refusals import UNREADABLE_DEAL
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse
from tests.helpers.databases import execute
from tests.helpers.exports import read_export
from tests.helpers.fixed_chain import CHAIN, WORDS, use_fixed_chain
from tests.helpers.living import living
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.table import interaction

MATCH: Final = MatchId(1)


@asynccontextmanager
async def fair_table(directory: Path, monkeypatch: pytest.MonkeyPatch, target: int = 10) -> AsyncGenerator[Scene]:
    """Begin a match in which both players gave words. South can take the upcard and knock with 7♠."""
    use_fixed_chain(monkeypatch)
    async with living(directory) as alive:
        scene, (north, south) = Scene(alive), WORDS
        await alive.sandbox.until(lambda: scene.north.commands(scene.channel))
        await scene.invite(scene.north, scene.south, target=target, words=north)
        await scene.quiet()
        await scene.ask(scene.south, "accept", words=south)
        await scene.quiet()
        yield scene


async def _south_knocks(scene: Scene) -> None:
    await scene.ask(scene.south, "take")
    await scene.ask(scene.south, "knock", card="7s")
    await scene.quiet()


async def _verify(scene: Scene, **options: object) -> Interaction:
    """Have a spectator verify a deal."""
    return await scene.use(scene.east, "gin-deal verify", scene.channel, **options)


async def _found(scene: Scene, shown: str, number: int | None = None) -> VerifiedDeal:
    """Check that a text has all facts about a verified deal, and return the deal."""
    deal = await scene.alive.app.verification.deal(MATCH, number)
    facts = (texts.title(deal), texts.outcome(deal), texts.promise(deal), texts.added(deal), texts.events(deal))
    assert [fact for fact in facts if fact is not None and fact not in shown] == []
    return deal


def _save(message: Message, directory: Path) -> None:
    directory.mkdir()
    for file in message.attachments:
        (directory / file.filename).write_bytes(file.content)


def _run(message: Message, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a message, in the directory that has its files."""
    _, command, _ = message.text.split("```")
    line = command.removeprefix("sh\n")
    return subprocess.run(["bash", "-c", line], cwd=directory, capture_output=True, text=True, check=False)


@pytest.mark.thorough
async def test_a_deal_is_verified_by_somebody_who_looks_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer shows the commitment with a link, both players' words, and the result of the checks."""
    # The texts of this feature.
    async with fair_table(tmp_path, monkeypatch) as scene:
        commitment = next(post for post in scene.posts if "🔒" in post.text)
        assert f"`{CHAIN.commitment.hex()}`" in commitment.text
        assert MessageFlag.SUPPRESS_NOTIFICATIONS in commitment.flags
        assert commitment not in scene.south.pushes
        await _south_knocks(scene)
        verified = await _verify(scene)
        assert verified.message.ephemeral
        assert verified.text.startswith("### Verify · Deal 1 · ⁨North⁩ vs ⁨South⁩\n**Checked: nobody chose these cards.**")
        assert (await _found(scene, verified.text)).audit.answer is Answer.OK
        assert "2 shuffles of this match checked." in verified.text
        place = f"https://discord.com/channels/{scene.channel.guild and scene.channel.guild.id}/{scene.channel.id}"
        assert f"in [this message]({place}/{commitment.id}): `{CHAIN.commitment.hex()}`" in verified.text
        # North's words came with the challenge, before the commitment was posted.
        assert "⁨North⁩: “⁨three blue boats⁩”, given before the number above was posted" in verified.text
        assert "⁨South⁩: “⁨a red kite⁩”\n" in verified.text
        assert "-# Shuffle 1, the cut: " in verified.text
        assert "-# Shuffle 2, the deck: " in verified.text
        assert commitment.edited_at is None


@pytest.mark.thorough
async def test_the_files_check_the_match_without_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command in the answer prints *ok* for the attached files, and *wrong* if a card in the record was swapped."""
    async with fair_table(tmp_path, monkeypatch) as scene:
        await _south_knocks(scene)
        message = (await _verify(scene)).message
        assert [file.filename for file in message.attachments] == ["match-1.gin", "verify.py", "match-1-words.txt"]
        files = tmp_path / "files"
        _save(message, files)
        done = _run(message, files)
        assert (done.returncode, done.stdout.splitlines()[0]) == (0, "ok"), done.stderr
        text = (files / "match-1.gin").read_text("utf-8")
        deck = text.split("deck=")[1][:104]
        (files / "match-1.gin").write_text(text.replace(deck, deck[2:4] + deck[:2] + deck[4:]), "utf-8")
        forged = _run(message, files)
        assert (forged.returncode, forged.stdout.splitlines()[0]) == (1, "wrong")


@pytest.mark.nightly
async def test_an_export_of_a_running_match_is_checked_like_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """*Export* has the record that *Verify* attaches: all of the first deal and nothing of the second."""
    async with fair_table(tmp_path, monkeypatch, target=500) as scene:
        await _south_knocks(scene)
        message = (await _verify(scene)).message
        files = tmp_path / "files"
        _save(message, files)
        for person in (scene.north, scene.south):
            panel = (await scene.use(person, "gin me privacy", scene.channel)).message
            (file,) = (await scene.press(person, panel, Action.EXPORT)).messages[-1].attachments
            (match,) = read_export([file.content])["matches"]
            assert (match["status"], match["deal_in_play"]["deal"]) == ("running", 2)
            record, attached = Record.parse(match["record"]), Record.parse((files / "match-1.gin").read_text("utf-8"))
            assert replace(record, names=()) == replace(attached, names=())
            assert [action.event for action in record.actions if isinstance(action, Reveal)] == [1, 2]
            assert [action.number for action in record.actions if isinstance(action, Shuffle)] == [1]
            (files / "match-1.gin").write_text(match["record"], "utf-8")
            done = _run(message, files)
            assert (done.returncode, done.stdout.splitlines()[0]) == (0, "ok"), done.stderr


async def test_a_match_without_words_ends_with_an_answer(tmp_path: Path) -> None:
    """A challenge accepted without words is verified after the match, with the message id as the only seed."""
    async with living(tmp_path) as alive:
        scene = Scene(alive)
        await alive.sandbox.until(lambda: scene.north.commands(scene.channel))
        await scene.press(scene.south, await scene.invite(scene.north, scene.south), Action.ACCEPT)
        await scene.quiet()
        await scene.alive.app.endings.resign(PersonId(scene.north.id), MATCH, interaction())
        await scene.quiet()
        verified = await _verify(scene)
        deal = await _found(scene, verified.text)
        assert (deal.audit.answer, deal.checked, deal.left_out) == (Answer.OK, 2, 0)
        assert [seed.kind for seed in deal.seeds] == [SeedKind.MESSAGE] * 2
        commitment = next(post for post in scene.posts if "🔒" in post.text)
        assert verified.text.count(f"`{commitment.id}`") == 2


@pytest.mark.thorough
async def test_the_answer_can_be_shown_to_everyone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """*Verify* below a showdown answers privately, and one button posts the answer once, with files and a name."""
    async with fair_table(tmp_path, monkeypatch) as scene:
        await _south_knocks(scene)
        showdown = await scene.post(Action.REPLAY)
        assert buttons(showdown) == [Action.REPLAY, Action.REVIEW, Action.VERIFY]
        assert texts.CHECKED in showdown.text
        own = await scene.press(scene.east, showdown, Action.VERIFY)
        assert buttons(own.message) == [Action.HOW_VERIFIED, Action.SHOW_VERIFIED_TO_ALL]
        await scene.press(scene.east, own.message, Action.SHOW_VERIFIED_TO_ALL)
        assert buttons(own.message) == []
        (public,) = await scene.sandbox.until(lambda: [post for post in scene.posts if len(post.attachments) == 3])
        assert (await _found(scene, public.text)).audit.answer is Answer.OK
        assert "⁨East⁩" in public.text
        assert len(public.attachments) == 3
        assert buttons(public) == [Action.HOW_VERIFIED]
        how = await scene.press(scene.west, public, Action.HOW_VERIFIED)
        assert how.message.ephemeral
        assert texts.HOW in how.text


@pytest.mark.thorough
async def test_a_deal_in_play_is_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A deal in play has nothing to check and reveals no card; its players can change their words."""
    async with fair_table(tmp_path, monkeypatch, target=500) as scene:
        early = await scene.use(scene.south, "gin-deal verify", scene.channel)
        found = await _found(scene, early.text)
        assert (found.audit.answer, found.checked, found.left_out) == (Answer.CONSISTENT, 0, 1)
        assert early.text.count("♦") == 0
        assert buttons(early.message) == [Action.HOW_VERIFIED, Action.MATCH_WORDS, Action.SHOW_VERIFIED_TO_ALL]
        assert early.message.attachments == []
        await _south_knocks(scene)
        second = await _verify(scene, deal="2")
        found = await _found(scene, second.text, 2)
        assert (found.audit.answer, found.checked, found.left_out) == (Answer.OK, 2, 1)
        files = tmp_path / "files"
        _save(second.message, files)
        printed = re.search("events: ([0-9]+) checked, ([0-9]+) sealed", _run(second.message, files).stdout)
        assert printed is not None
        assert printed.groups() == ("2", "0")
        record = second.message.attachments[0].content.decode()
        assert record.count("deck=") == 1
        assert "reveal 2 " in record
        assert "reveal 3 " not in record


@pytest.mark.thorough
async def test_cards_that_do_not_follow_are_told_of(tmp_path: Path) -> None:
    """A deal with an arranged deck is WRONG, and the answer names the difference."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.quiet()
        verified = await _verify(scene)
        found = await _found(scene, verified.text)
        assert found.audit.answer is Answer.WRONG
        assert found.audit.differences[0].what in verified.text


@pytest.mark.nightly
async def test_words_that_were_removed_leave_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After *Forget me* the words are gone, the answer is CONSISTENT instead of OK, and the script agrees."""
    async with fair_table(tmp_path, monkeypatch) as scene:
        await _south_knocks(scene)
        await scene.alive.app.people.forget(PersonId(scene.south.id))
        verified = await _verify(scene)
        found = await _found(scene, verified.text)
        assert found.audit.answer is Answer.CONSISTENT
        assert [seed.text for seed in found.seeds] == [WORDS[0], None]
        assert "a red kite" not in verified.text
        assert b"a red kite" not in b"".join(file.content for file in verified.message.attachments)
        _save(verified.message, tmp_path / "files")
        done = _run(verified.message, tmp_path / "files")
        assert (done.returncode, done.stdout.splitlines()[0]) == (0, "consistent"), done.stderr


@pytest.mark.thorough
async def test_matches_of_before_say_that_they_cannot_be_checked(tmp_path: Path) -> None:
    """For a match without a commitment, the commands say why it cannot be verified."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        # Matches from before the update have neither.
        await execute(scene.alive.database, delete(tables.player_words))
        await execute(scene.alive.database, delete(tables.chain))
        for command in ("gin-deal verify", "gin me words"):
            refused = scene.error(await scene.use(scene.north, command, scene.channel))
            assert isinstance(refused, NotVerifiable)


@pytest.mark.thorough
async def test_without_a_match_it_says_how_it_works(tmp_path: Path) -> None:
    """Used before the match begins, the command explains verification."""
    async with clubhouse(tmp_path) as scene:
        await scene.invite(scene.north, scene.south)
        told = (await scene.use(scene.south, "gin-deal verify", scene.channel)).text
        assert texts.NOTHING_HERE in told
        assert texts.HOW in told


@pytest.mark.thorough
async def test_a_deal_is_chosen_from_a_list(tmp_path: Path) -> None:
    """Completions list the finished deals with their results; anything that is not a deal is refused."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, target=500) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.quiet()
        offered = await scene.east.complete("gin-deal verify", scene.channel, option="deal", value="")
        assert [choice["value"] for choice in (await offered.answer()).choices] == ["1"]
        unreadable = scene.error(await _verify(scene, deal="first"))
        assert isinstance(unreadable, UserError)
        assert unreadable.text == UNREADABLE_DEAL
        unknown = scene.error(await _verify(scene, deal="7"))
        assert isinstance(unknown, NoReplay)
        assert unknown.reason is NoReplayReason.UNKNOWN
        await _found(scene, (await _verify(scene, deal="2")).text, 2)

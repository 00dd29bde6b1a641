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

from bot.engine.fairness.audit import Answer, SeedKind
from bot.engine.matches.actions import Reveal, Shuffle
from bot.engine.records.record import Record
from bot.model.ids import MatchId, PersonId
from bot.model.verification import VerifiedDeal
from bot.play.refusals import NoReplay, NoReplayReason, NotVerifiable
from bot.sandbox import Interaction, Message
from bot.sandbox.world.messages import MessageFlag
from bot.store import tables
from cogs.actions import Action
from cogs.delivery.errors import UserError
from cogs.fairness import verification_text as texts
from cogs.showdowns.refusals import UNREADABLE_DEAL
from tests.cogs.scenes import Scene, buttons, open_match_scene, open_scene
from tests.helpers.databases import execute
from tests.helpers.exports import read_export
from tests.helpers.fixed_chain import CHAIN, WORDS, use_fixed_chain
from tests.helpers.living import running_bot
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.table import interaction

MATCH: Final = MatchId(1)


@asynccontextmanager
async def verifiable_match(directory: Path, monkeypatch: pytest.MonkeyPatch, target: int = 10) -> AsyncGenerator[Scene]:
    """Begin a match with a known hash chain and shuffle words. South can take the upcard and knock with 7♠."""
    use_fixed_chain(monkeypatch)
    async with running_bot(directory) as alive:
        scene, (north, south) = Scene(alive), WORDS
        await alive.sandbox.until(lambda: scene.north.commands(scene.channel))
        await scene.invite(scene.north, scene.south, target=target, words=north)
        await scene.wait_until_idle()
        await scene.ask(scene.south, "accept", words=south)
        await scene.wait_until_idle()
        yield scene


async def _south_knocks(scene: Scene) -> None:
    await scene.ask(scene.south, "take")
    await scene.ask(scene.south, "knock", card="7s")
    await scene.wait_until_idle()


async def _verify(scene: Scene, **options: object) -> Interaction:
    """Have a spectator use `/gin-deal verify`, and return the interaction."""
    return await scene.use(scene.east, "gin-deal verify", scene.channel, **options)


async def _check_verified_text(scene: Scene, shown: str, number: int | None = None) -> VerifiedDeal:
    """Verify a deal and return it, after checking that the text `shown` has every fact about the deal."""
    deal = await scene.bot.app.verification.deal(MATCH, number)
    facts = (texts.title(deal), texts.outcome(deal), texts.promise(deal), texts.contributions(deal), texts.events(deal))
    assert [fact for fact in facts if fact is not None and fact not in shown] == []
    return deal


def _save_files(message: Message, directory: Path) -> None:
    directory.mkdir()
    for file in message.attachments:
        (directory / file.filename).write_bytes(file.content)


def _run_command(message: Message, directory: Path) -> subprocess.CompletedProcess[str]:
    """Run the shell command that a message shows, in the directory with the message's files."""
    _, command, _ = message.text.split("```")
    line = command.removeprefix("sh\n")
    return subprocess.run(["bash", "-c", line], cwd=directory, capture_output=True, text=True, check=False)


@pytest.mark.thorough
async def test_a_spectator_can_verify_a_deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer to a spectator has the commitment with a link, both players' shuffle words, and the checks' result."""
    # This test compares the exact wording.
    async with verifiable_match(tmp_path, monkeypatch) as scene:
        commitment = next(post for post in scene.posts if "🔒" in post.text)
        assert f"`{CHAIN.commitment.hex()}`" in commitment.text
        assert MessageFlag.SUPPRESS_NOTIFICATIONS in commitment.flags
        assert commitment not in scene.south.pushes
        await _south_knocks(scene)
        verified = await _verify(scene)
        assert verified.message.ephemeral
        assert verified.text.startswith("### Verify · Deal 1 · ⁨North⁩ vs ⁨South⁩\n**Checked: nobody chose these cards.**")
        assert (await _check_verified_text(scene, verified.text)).audit.answer is Answer.OK
        assert "I checked 2 shuffles of this match." in verified.text
        channel_url = (
            f"https://discord.com/channels/{scene.channel.guild and scene.channel.guild.id}/{scene.channel.id}"
        )
        assert f"in [this message]({channel_url}/{commitment.id}): `{CHAIN.commitment.hex()}`" in verified.text
        # North's words came with the challenge, before the commitment was posted.
        assert "⁨North⁩: “⁨three blue boats⁩”, added before the seal" in verified.text
        assert "⁨South⁩: “⁨a red kite⁩”\n" in verified.text
        assert "-# Shuffle 1, the cut: " in verified.text
        assert "-# Shuffle 2, the deck: " in verified.text
        assert commitment.edited_at is None


@pytest.mark.nightly
async def test_the_files_check_the_match_without_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command in the answer prints *ok* for the attached files, and *wrong* if a card in the record was swapped."""
    async with verifiable_match(tmp_path, monkeypatch) as scene:
        await _south_knocks(scene)
        message = (await _verify(scene)).message
        assert [file.filename for file in message.attachments] == ["match-1.gin", "verify.py", "match-1-words.txt"]
        files = tmp_path / "files"
        _save_files(message, files)
        done = _run_command(message, files)
        assert (done.returncode, done.stdout.splitlines()[0]) == (0, "ok"), done.stderr
        text = (files / "match-1.gin").read_text("utf-8")
        deck = text.split("deck=")[1][:104]
        (files / "match-1.gin").write_text(text.replace(deck, deck[2:4] + deck[:2] + deck[4:]), "utf-8")
        forged = _run_command(message, files)
        assert (forged.returncode, forged.stdout.splitlines()[0]) == (1, "wrong")


@pytest.mark.nightly
async def test_an_exported_record_can_be_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export has the same record as *Verify*: all of the finished first deal, nothing of the running second one."""
    async with verifiable_match(tmp_path, monkeypatch, target=500) as scene:
        await _south_knocks(scene)
        message = (await _verify(scene)).message
        files = tmp_path / "files"
        _save_files(message, files)
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
            done = _run_command(message, files)
            assert (done.returncode, done.stdout.splitlines()[0]) == (0, "ok"), done.stderr


async def test_a_match_without_words_can_be_verified(tmp_path: Path) -> None:
    """A match without players' words can be verified: the id of the commitment's message replaces the words."""
    async with running_bot(tmp_path) as alive:
        scene = Scene(alive)
        await alive.sandbox.until(lambda: scene.north.commands(scene.channel))
        await scene.press(scene.south, await scene.invite(scene.north, scene.south), Action.ACCEPT)
        await scene.wait_until_idle()
        await scene.bot.app.endings.resign(PersonId(scene.north.id), MATCH, interaction())
        await scene.wait_until_idle()
        verified = await _verify(scene)
        deal = await _check_verified_text(scene, verified.text)
        assert (deal.audit.answer, deal.checked_events, deal.unrecorded_events) == (Answer.OK, 2, 0)
        assert [seed.kind for seed in deal.seeds] == [SeedKind.MESSAGE] * 2
        commitment = next(post for post in scene.posts if "🔒" in post.text)
        assert verified.text.count(f"`{commitment.id}`") == 2


@pytest.mark.thorough
async def test_the_answer_can_be_shown_to_everyone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """*Verify* in a showdown's details answers privately; *Show everyone* posts the answer, files and person's name."""
    async with verifiable_match(tmp_path, monkeypatch) as scene:
        await _south_knocks(scene)
        posted = await scene.wait_for_post(Action.SHOWDOWN_DETAILS)
        showdown = (await scene.press(scene.east, posted, Action.SHOWDOWN_DETAILS)).message
        assert buttons(showdown) == [Action.REPLAY, Action.REVIEW, Action.VERIFY]
        assert texts.CHECKED in showdown.text
        own = await scene.press(scene.east, showdown, Action.VERIFY)
        assert buttons(own.message) == [Action.HOW_VERIFIED, Action.SHOW_VERIFIED_TO_ALL]
        await scene.press(scene.east, own.message, Action.SHOW_VERIFIED_TO_ALL)
        assert buttons(own.message) == []
        (public,) = await scene.sandbox.until(lambda: [post for post in scene.posts if len(post.attachments) == 3])
        assert (await _check_verified_text(scene, public.text)).audit.answer is Answer.OK
        assert "⁨East⁩" in public.text
        assert len(public.attachments) == 3
        assert buttons(public) == [Action.HOW_VERIFIED]
        how = await scene.press(scene.west, public, Action.HOW_VERIFIED)
        assert how.message.ephemeral
        assert texts.HOW in how.text


@pytest.mark.nightly
async def test_a_deal_in_play_is_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a deal in play, there is nothing to check, no card is revealed, and the players can change their words."""
    async with verifiable_match(tmp_path, monkeypatch, target=500) as scene:
        early = await scene.use(scene.south, "gin-deal verify", scene.channel)
        deal = await _check_verified_text(scene, early.text)
        assert (deal.audit.answer, deal.checked_events, deal.unrecorded_events) == (Answer.CONSISTENT, 0, 1)
        assert early.text.count("♦") == 0
        assert buttons(early.message) == [Action.HOW_VERIFIED, Action.MATCH_WORDS, Action.SHOW_VERIFIED_TO_ALL]
        assert early.message.attachments == []
        await _south_knocks(scene)
        second = await _verify(scene, deal="2")
        deal = await _check_verified_text(scene, second.text, 2)
        assert (deal.audit.answer, deal.checked_events, deal.unrecorded_events) == (Answer.OK, 2, 1)
        files = tmp_path / "files"
        _save_files(second.message, files)
        printed = re.search("events: ([0-9]+) checked, ([0-9]+) sealed", _run_command(second.message, files).stdout)
        assert printed is not None
        assert printed.groups() == ("2", "0")
        record = second.message.attachments[0].content.decode()
        assert record.count("deck=") == 1
        assert "reveal 2 " in record
        assert "reveal 3 " not in record


@pytest.mark.thorough
async def test_arranged_decks_are_detected(tmp_path: Path) -> None:
    """A deal with an arranged deck gets the result WRONG, and the answer names the difference."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        await scene.wait_until_idle()
        verified = await _verify(scene)
        deal = await _check_verified_text(scene, verified.text)
        assert deal.audit.answer is Answer.WRONG
        assert deal.audit.differences[0].what in verified.text


@pytest.mark.nightly
async def test_removed_words_leave_a_consistent_deal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After *Forget me*, a player's words are gone; the answer is CONSISTENT instead of OK, and `verify.py` agrees."""
    async with verifiable_match(tmp_path, monkeypatch) as scene:
        await _south_knocks(scene)
        await scene.bot.app.people.forget(PersonId(scene.south.id))
        verified = await _verify(scene)
        deal = await _check_verified_text(scene, verified.text)
        assert deal.audit.answer is Answer.CONSISTENT
        assert [seed.text for seed in deal.seeds] == [WORDS[0], None]
        assert "a red kite" not in verified.text
        assert b"a red kite" not in b"".join(file.content for file in verified.message.attachments)
        _save_files(verified.message, tmp_path / "files")
        done = _run_command(verified.message, tmp_path / "files")
        assert (done.returncode, done.stdout.splitlines()[0]) == (0, "consistent"), done.stderr


@pytest.mark.thorough
async def test_older_matches_cannot_be_verified(tmp_path: Path) -> None:
    """For a match without a commitment, the commands say why it cannot be verified."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        # Matches that began before deals could be verified have neither words nor a hash chain.
        await execute(scene.bot.database, delete(tables.player_words))
        await execute(scene.bot.database, delete(tables.chain))
        for command in ("gin-deal verify", "gin me words"):
            refused = scene.error(await scene.use(scene.north, command, scene.channel))
            assert isinstance(refused, NotVerifiable)


@pytest.mark.thorough
async def test_without_a_match_verification_is_explained(tmp_path: Path) -> None:
    """Before a match begins, `/gin-deal verify` says that there is nothing to verify, and explains how it works."""
    async with open_scene(tmp_path) as scene:
        await scene.invite(scene.north, scene.south)
        reply = (await scene.use(scene.south, "gin-deal verify", scene.channel)).text
        assert texts.NOTHING_HERE in reply
        assert texts.HOW in reply


@pytest.mark.thorough
async def test_a_deal_is_chosen_from_a_list(tmp_path: Path) -> None:
    """Completions list the finished deals; unknown deals, and texts that are not a number, are refused."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, target=500) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.wait_until_idle()
        offered = await scene.east.complete("gin-deal verify", scene.channel, option="deal", value="")
        assert [choice["value"] for choice in (await offered.answer()).choices] == ["1"]
        unreadable = scene.error(await _verify(scene, deal="first"))
        assert isinstance(unreadable, UserError)
        assert unreadable.text == UNREADABLE_DEAL
        unknown = scene.error(await _verify(scene, deal="7"))
        assert isinstance(unknown, NoReplay)
        assert unknown.reason is NoReplayReason.UNKNOWN
        await _check_verified_text(scene, (await _verify(scene, deal="2")).text, 2)

"""The bot's own emojis are uploaded once, used when all are uploaded, and replaced if their drawings change."""

from __future__ import annotations

import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from bot.engine.cards.cards import DECK
from bot.model.appearance import DEFAULT_APPEARANCE
from bot.sandbox import Clock as SandboxClock
from bot.sandbox import Delay, Hangup, RateLimited, RequestFault, Sandbox, ServerError, World
from cardart import all_emojis, card_emoji
from cogs.actions import Action
from cogs.delivery import emoji_uploads
from tests.cogs.scenes import Scene, buttons
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.components import controls
from tests.helpers.databases import new_database
from tests.helpers.living import bot_on, running_bot, sandbox_of, start_match
from tests.helpers.processes import settings_for, started
from tests.helpers.shufflers import IMMEDIATE_KNOCK, RiggedShuffler
from tests.helpers.waiting import eventually

_UPLOAD = "POST /applications/*/emojis"
_PROGRAM_WITHOUT_PAUSES = """
from bot.__main__ import main
from cogs.delivery import emoji_uploads

emoji_uploads.START_DELAY = emoji_uploads.UPLOAD_PAUSE = 0
main()
"""
"""Source of a program that runs the bot without pauses before and between uploads."""


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Upload immediately and without pauses."""
    monkeypatch.setattr(emoji_uploads, "START_DELAY", 0)
    monkeypatch.setattr(emoji_uploads, "UPLOAD_PAUSE", 0)


def _uploaded_names(sandbox: Sandbox) -> Counter[str]:
    return Counter(emoji.name for emoji in sandbox.emojis.values())


def _expected_names() -> Counter[str]:
    return Counter(emoji.name for emoji in all_emojis())


@pytest.mark.nightly
async def test_cards_are_emojis_after_the_upload(tmp_path: Path) -> None:
    """Each emoji is uploaded once, and card buttons then show it. A deleted emoji is uploaded again."""
    async with running_bot(tmp_path, shuffler=RiggedShuffler(IMMEDIATE_KNOCK), emojis=True) as alive:
        scene = Scene(alive)
        await scene.sandbox.until(lambda: _uploaded_names(scene.sandbox) == _expected_names())
        contents = {emoji.name: emoji.content for emoji in scene.sandbox.emojis.values()}
        assert contents == {emoji.name: emoji.content for emoji in all_emojis()}
        await start_match(alive)
        hand = await scene.wait_for_turn(scene.north)
        await scene.press(scene.north, hand, buttons(hand)[0])
        shown = {
            str(control.event.argument).removeprefix("x "): control.item
            for control in controls(hand, disabled=True)
            if control.action in (Action.DISCARD, Action.ASK_FIRST)
        }
        by_card = {card.text: card_emoji(card, DEFAULT_APPEARANCE).name for card in DECK}
        assert len(shown) == 11
        assert {card: getattr(item, "emoji", None) for card, item in shown.items()} == {
            card: by_card[card] for card in map(str, shown)
        }
        removed = next(emoji for emoji in scene.sandbox.emojis.values() if emoji.name == by_card["As"])
        await (await alive.client.fetch_application_emoji(removed.id)).delete()
        await (await alive.client.fetch_application_emoji(next(iter(scene.sandbox.emojis)))).delete()
        await scene.ask(scene.north, "hand")
        await scene.wait_until_idle()
        await scene.sandbox.until(lambda: _uploaded_names(scene.sandbox) == _expected_names())


@pytest.mark.nightly
@pytest.mark.parametrize(
    "fault", nightly_after(1, [ServerError(500, applied=True), Hangup(), RateLimited(600)]), ids=str
)
async def test_failed_uploads_are_retried_without_duplicates(
    tmp_path: Path, fault: RequestFault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After lost answers, broken connections and rate limits, the bot lists the emojis again and uploads the rest."""
    monkeypatch.setattr(emoji_uploads, "MIN_RETRY_DELAY", 0.05)
    async with sandbox_of() as sandbox:
        hit = sandbox.faults.requests(fault, on=_UPLOAD, times=2)
        async with bot_on(sandbox, new_database(tmp_path / "deadwood.db"), emojis=True) as alive:
            await sandbox.until(lambda: hit.hits)
            if isinstance(fault, RateLimited):
                await alive.idle()
                assert not sandbox.emojis
                alive.client.pictures.emojis.disable()
                await sandbox.until(lambda: hit.hits == 2)
                alive.client.pictures.emojis.disable()
            await sandbox.until(lambda: _uploaded_names(sandbox) == _expected_names())


@pytest.mark.nightly
async def test_old_drawings_are_deleted_after_a_month(tmp_path: Path) -> None:
    """An older drawing of a card is deleted 30 days after it was replaced."""
    clock, discord_clock = Clock(), SandboxClock(running=False)
    clock.now = datetime.now(UTC)
    async with running_bot(tmp_path, world=World.default(clock=discord_clock), clock=clock, emojis=True) as alive:
        sandbox, emojis = alive.sandbox, alive.client.pictures.emojis
        await sandbox.until(lambda: _uploaded_names(sandbox) == _expected_names())
        png = next(all_emojis()).content
        for name in ("ace_of_clubs_2c_0000", "somebody_elses"):
            await alive.client.create_application_emoji(name=name, image=png)
        clock.pass_by(timedelta(days=29))
        emojis.disable()
        await eventually(lambda: emojis.is_complete(DEFAULT_APPEARANCE))
        assert len(sandbox.emojis) == len(_expected_names()) + 2
        clock.pass_by(timedelta(days=2))
        emojis.disable()
        await sandbox.until(lambda: len(sandbox.emojis) < len(_expected_names()) + 2)
        assert _uploaded_names(sandbox) == _expected_names() + Counter(["somebody_elses"])


@pytest.mark.nightly
async def test_interrupted_uploads_leave_no_duplicates(tmp_path: Path) -> None:
    """If a process ends between or during uploads, the next process uploads the missing emojis, each once."""
    url = new_database(tmp_path / "deadwood.db")
    async with sandbox_of() as sandbox:
        for applied in (False, True):
            before = len(sandbox.emojis)
            async with bot_on(sandbox, url, emojis=True):
                await sandbox.until(lambda least=before + 2: len(sandbox.emojis) >= least)
                under_way = sandbox.faults.requests(Delay(60, applied=applied), on=_UPLOAD)
                await sandbox.until(lambda fault=under_way: fault.hits)
            sandbox.world.clock.advance(60)
        assert 4 < len(sandbox.emojis) < len(_expected_names())
        async with bot_on(sandbox, url, emojis=True):
            await sandbox.until(lambda: len(sandbox.emojis) >= len(_expected_names()))
        assert _uploaded_names(sandbox) == _expected_names()


@pytest.mark.nightly
@pytest.mark.parametrize("kills", [1, 8])
async def test_uploads_survive_sigkill_without_duplicates(tmp_path: Path, kills: int) -> None:
    """If the bot is killed repeatedly, between or during uploads, each emoji is still uploaded only once.

    There are fewer than ten starts, because the bot delays connecting from the tenth on.
    """
    random = Random(12)
    async with sandbox_of() as sandbox:
        environment = settings_for(sandbox) | {"DEADWOOD_DATABASE_URL": new_database(tmp_path / "deadwood.db")}
        for number in range(kills + 1):
            uploaded = len(sandbox.emojis)
            async with started(tmp_path, [sys.executable, "-c", _PROGRAM_WITHOUT_PAUSES, "run"], environment):
                wanted = len(_expected_names()) if number == kills else uploaded + random.randint(1, 5)
                await sandbox.until(lambda least=wanted: len(sandbox.emojis) >= least, 60)
            await sandbox.until(lambda: not sandbox.gateway.connected)
        assert _uploaded_names(sandbox) == _expected_names()

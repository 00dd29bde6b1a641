"""After its day, anyone can check the cards of a daily deal without the bot, as docs/fair.md describes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from bot.model.daily import day_at, end_of
from bot.model.ids import PersonId
from bot.play.daily.days import CLOSING_DELAY
from cogs.actions import Action
from tests.cogs.scenes import Scene
from tests.helpers.clock import Clock
from tests.helpers.daily_players import play_on
from tests.helpers.living import running_bot
from tests.helpers.thinkers import use_local_thinker

SEED: Final = "verified"
RECORD: Final = "match-1.gin"
WORDS: Final = "match-1-words.txt"


def published_commitment(text: str) -> str:
    """Return the commitment that a message shows."""
    (commitment,) = re.findall(r"\b[0-9a-f]{64}\b", text)
    return commitment


def answer_of_script(folder: Path, commitment: str) -> str:
    """Run verify.py in the folder with the files, alone and without packages. Return the first line of its output."""
    arguments = [RECORD, "--commit", commitment, "--words-from", WORDS]
    command = [sys.executable, "-I", "-S", "verify.py", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    answer = done.stdout.partition("\n")[0]
    assert done.returncode == {"ok": 0, "consistent": 0, "wrong": 1}[answer], done.stderr
    return answer


@pytest.mark.thorough
async def test_the_script_checks_a_daily_deal(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """verify.py confirms the record of a try with the commitment from the invitation, and finds every change."""
    use_local_thinker(monkeypatch)
    async with running_bot(tmp_path, clock=clock) as alive:
        scene = Scene(alive)
        await scene.sandbox.until(lambda: scene.north.commands(scene.channel))
        invitation = (await scene.use(scene.north, "gin daily", scene.channel)).message
        commitment = published_commitment(invitation.text)
        await scene.press(scene.north, invitation, Action.START_DAILY)
        await play_on(alive.app, PersonId(scene.north.id), SEED)
        await scene.wait_until_idle()
        await scene.advance(clock, end_of(day_at(clock.now)) + CLOSING_DELAY - clock.now)
        await alive.app.daily_deals.close_past()
        verified = (await scene.use(scene.north, "gin-deal verify", scene.channel)).message
        next_deal = published_commitment((await scene.use(scene.north, "gin daily", scene.channel)).text)
        exported = await alive.app.exports.export(PersonId(scene.north.id))
    files = {file.filename: file.content for file in verified.attachments}
    assert files.keys() == {RECORD, WORDS, "verify.py"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    assert files[WORDS].decode().split() == ["0=house", "1=house"]
    assert answer_of_script(tmp_path, commitment) == "ok"
    assert answer_of_script(tmp_path, next_deal) == "wrong"
    (tmp_path / WORDS).write_text("0=mine\n1=house\n")
    assert answer_of_script(tmp_path, commitment) == "wrong"
    (tmp_path / WORDS).write_bytes(files[WORDS])
    # Swap the last two cards of the stock, which nobody has drawn.
    record = files[RECORD].decode()
    deck = record.split("deck=")[-1][:104]
    (tmp_path / RECORD).write_text(record.replace(deck, deck[:-4] + deck[-2:] + deck[-4:-2]), "utf-8")
    assert answer_of_script(tmp_path, commitment) == "wrong"
    (match,) = exported["matches"]
    (tmp_path / RECORD).write_text(match["record"], "utf-8")
    assert answer_of_script(tmp_path, commitment) == "ok"

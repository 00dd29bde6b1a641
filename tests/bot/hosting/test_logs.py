"""The log: one line per event, and no secrets."""

from __future__ import annotations

import logging
import re
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
import structlog

from bot.hosting import logs
from bot.model.ids import MatchId, PersonId
from bot.model.matches import OwnHand
from bot.play.refusals import Illegal
from bot.sandbox import Expire, RateLimited, Refuse, Reset, ServerError
from cogs.actions import Action
from cogs.kit.admission import RESPONSE_TIMEOUT
from tests.cogs.scenes import open_match_scene, open_scene
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.waiting import eventually

_TOKEN = "MTQwMDAwMDAwMDAwMDAwMDAw.GplaNt.abcdefghijklmnopqrstuvwxyz0123456789AB"
_CARDS = re.compile(r"[♣♦♥♠]|\b(?:[A2-9TJQK][cdhs][ ,/]?){2,}\b")
_ERROR_ID = re.compile(r"\bcode=[0-9a-f]{6}\b")
"""Pattern of error ids, which are removed from the log before the search for cards because some look like cards."""


def test_secrets_are_redacted_everywhere() -> None:
    """A bot token is hidden, alone or in a header, and so is an interaction token in a URL or an event."""
    for text in (
        f"Authorization: Bot {_TOKEN}",
        f"token is {_TOKEN}!",
        "POST https://discord.com/api/v10/interactions/123/planted-token/callback failed",
        "url='https://discord.com/api/v10/webhooks/123/planted-token/messages/@original'",
        "{'token': 'planted-token', 'id': '123'}",
        '{"token": "planted-token"}',
        '{"id":"123","token":"planted-token"}',
        'event="{\\"token\\": \\"planted-token\\"}"',
        'event="{\\\\\\"token\\\\\\":\\\\\\"planted-token\\\\\\"}"',
    ):
        shown = logs.redact(text)
        assert _TOKEN not in shown
        assert "planted-token" not in shown
        assert logs.HIDDEN in shown
    assert "/interactions/123/" in logs.redact("/interactions/123/planted-token/callback")


def test_one_event_is_one_line(log: StringIO) -> None:
    """An exception with its traceback is one line, and so is another library's message with line breaks."""
    try:
        raise RuntimeError("two\nlines")
    except RuntimeError:
        structlog.get_logger("bot.test").exception("it broke")
    logging.getLogger("other").error("also\ntwo lines")
    assert len(log.getvalue().splitlines()) == 2
    assert "RuntimeError" in log.getvalue()


@pytest.mark.thorough
async def test_lost_autocomplete_choices_are_logged_in_one_line(tmp_path: Path, log: StringIO) -> None:
    """If choices cannot be sent, one line without a traceback is logged, and the next request gets its choices."""
    async with open_scene(tmp_path) as scene:
        for fault in (Reset(), Expire(), Refuse(40060)):
            scene.sandbox.faults.requests(fault, on="POST /interactions/*/callback")
            lost = await scene.north.complete("gin challenge", scene.channel, option="rules", value="o")
            await eventually(lambda: "suggestions got lost" in log.getvalue())
            assert not lost.choices
            assert "Traceback" not in log.getvalue()
            log.truncate(0)
        scene.sandbox.world.clock.advance(RESPONSE_TIMEOUT)
        scene.sandbox.unanswered.clear()
        typed = await scene.north.complete("gin challenge", scene.channel, option="rules", value="ok")
        assert (await typed.done()).choices


def test_only_project_loggers_log_at_debug(log: StringIO) -> None:
    """Only the project's loggers log at DEBUG: others would log whole events and rows, with tokens and hands."""
    for name in ("discord.gateway", "aiosqlite", "sqlalchemy.engine", "bot.play", "cogs.turns"):
        logging.getLogger(name).debug("a detail")
    assert [line.split("logger=")[1].split()[0] for line in log.getvalue().splitlines()] == ["bot.play", "cogs.turns"]


@pytest.mark.thorough
async def test_no_secret_reaches_the_log_of_real_play(
    log: StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turns played at DEBUG, with broken connections, Discord errors and bugs, leave no token or card in the log."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        faults, lookup = scene.sandbox.faults, scene.bot.app.lookup
        await scene.ask(scene.north, "take")
        faults.requests(Reset(), on="POST /interactions/*", times=3)
        assert "Something went wrong" in await scene.ask(scene.north, "hand")
        faults.requests(ServerError(501), on="PATCH /channels/*", times=2)
        faults.requests(RateLimited(via=False), on="POST /channels/*", times=1)

        async def broken(person_id: PersonId, match_id: MatchId) -> OwnHand:
            hand = await real(person_id, match_id)
            raise (
                Illegal(hand, "planted", next(iter(hand.view.hand)))
                if person_id == scene.south.id
                else LookupError(f"planted in {scene.sandbox.token}")
            )

        real = lookup.hand
        monkeypatch.setattr(lookup, "hand", broken)
        for person in (scene.north, scene.south):
            assert "Something went wrong" in await scene.ask(person, "hand")
        monkeypatch.undo()
        await scene.ask(scene.north, "discard", card="2h")
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.wait_until_idle()
    written = log.getvalue()
    assert "an interaction failed" in written
    assert "a message will be retried" in written
    assert logs.HIDDEN in written
    assert scene.sandbox.token not in written
    assert not [token for token in scene.sandbox.interactions.by_token if token in written]
    assert not _CARDS.findall(_ERROR_ID.sub("", written))


@pytest.mark.thorough
async def test_a_deck_that_cannot_be_saved_is_not_logged(log: StringIO, tmp_path: Path) -> None:
    """If the database is full, accepting a challenge fails, and the logged error does not contain the deck."""
    async with open_scene(tmp_path) as scene:
        invitation = await scene.invite(scene.north, scene.south)
        await scene.wait_until_idle()
        full = "CREATE TRIGGER full BEFORE INSERT ON action BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
        with closing(sqlite3.connect(tmp_path / "deadwood.db")) as other:
            other.execute(full)
        assert "Something went wrong" in (await scene.press(scene.south, invitation, Action.ACCEPT)).text
    written = log.getvalue()
    assert "disk is full" in written
    assert "INSERT INTO action" in written
    assert not _CARDS.findall(_ERROR_ID.sub("", written))

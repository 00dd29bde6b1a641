"""Practice with computers."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.play.matches.practice import MAX_RUNNING
from bot.sandbox import Message, Person
from bot.values.ids import PersonId
from bot.values.outbox import MessageKind
from cogs.kit.actions import Action
from tests.cogs.scenes import Scene, at_table, clubhouse, hands, labels, ways
from tests.helpers.components import controls
from tests.helpers.forgery import click
from tests.helpers.players import Player
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE

pytestmark = pytest.mark.slow


async def start(scene: Scene, **options: object) -> Message:
    """Let North begin to practise from their direct messages; gives the hand there."""
    await scene.use(scene.north, "gin practice start", scene.north.dm, **options)
    return await scene.turn(scene.north)


def described(message: Message) -> list[str | None]:
    """Return the descriptions in the menu of a message."""
    return [option.description for option in message.selects[0].options]


async def test_it_begins_at_once_in_direct_messages(tmp_path: Path) -> None:
    """From a server one line leads there, or shows the hand in place; nothing is posted in the channel."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        told = await scene.use(scene.north, "gin practice start", scene.channel, level="expert")
        assert told.message.ephemeral
        assert told.text.startswith("You are playing against ⁨Computer⁩. [Your hand](https://discord.com/channels/@me/")
        hand = await scene.turn(scene.north)
        assert "Your hand against ⁨Computer⁩ · practice (level: expert)" in hand.text
        await scene.press(scene.north, told.message, "Play here")
        assert "Your hand against" in told.message.text
        await scene.quiet()
        assert scene.posts == []


async def test_the_computer_answers_in_the_same_message(tmp_path: Path) -> None:
    """A press shows what the computer did then, in words, and whose turn it is: the person's again."""
    async with clubhouse(tmp_path, KNOCK_AT_ONCE) as scene:
        hand = await start(scene, level="novice")
        posted = len(scene.north.direct_messages())
        if "Pass" in labels(hand):
            await scene.press(scene.north, hand, "Pass")
        for _ in range(4):
            deeds = [one for one in controls(hand) if one.action in (Action.DRAW, Action.DISCARD)]
            made = await (await scene.north.press(hand, deeds[-1].custom_id)).done()
            assert not made.failed
            assert "**Your turn:**" in hand.text
        assert "⁨Computer⁩ " in hand.text
        assert len(scene.north.direct_messages()) == posted


async def test_without_direct_messages_it_is_played_where_it_was_begun(tmp_path: Path) -> None:
    """In a message that only this person sees."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        scene.north.user.open_dms = False
        told = await scene.use(scene.north, "gin practice start", scene.channel)
        assert told.message.ephemeral
        assert "Your hand against ⁨Computer⁩ · practice (level: casual)" in told.message.text
        assert hands(scene.north) == []


async def test_a_match_is_played_to_its_end_by_presses(tmp_path: Path) -> None:
    """The last message has the result, another match, the replay, the review and the score sheet."""
    async with clubhouse(tmp_path) as scene:
        await start(scene, target=50, level="novice")
        player = Player(scene.sandbox, "North", scene.north.dm, seed=1)
        for _ in range(600):
            if not player.has_turn:
                break
            await player.act()
        await scene.quiet()
        over = scene.north.direct_messages()[-1]
        assert "your match against ⁨Computer⁩" in over.text
        assert ways(over) == ["Rematch", "Replay", "Review", "Verify", "Score sheet", "My games"]
        sheet = await scene.press(scene.north, over, "Score sheet")
        assert "Computer" in sheet.text
        await scene.press(scene.north, over, "Rematch")
        assert "practice (level: novice)" in (await scene.turn(scene.north)).text
        profile = (await scene.use(scene.north, "gin-stats profile", scene.channel)).text
        assert "Practice with computers, by level: *novice*" in profile


async def test_several_are_told_apart(tmp_path: Path) -> None:
    """A list has them, a command asks which is meant, and a fourth is refused with what to do."""
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 4) as scene:
        for level in ("novice", "expert", "strong"):
            await scene.use(scene.north, "gin practice start", scene.north.dm, level=level)
        refused = await scene.use(scene.north, "gin practice start", scene.north.dm)
        assert refused.text == (
            "You are practising 3 matches already, which is the limit. "
            "`/gin games` lists them, and `/gin resign` ends one."
        )
        listed = (await scene.use(scene.north, "gin games", scene.north.dm)).text
        assert listed.count("Practice (") == 3
        asked = await scene.use(scene.north, "gin hand", scene.north.dm)
        assert described(asked.message) == [
            f"Practice (level: {level}), classic rules to 100" for level in ("novice", "expert", "strong")
        ]


async def test_a_rematch_counts_as_practice_too(tmp_path: Path) -> None:
    """With as many matches as may run, the button refuses it; once one is over, it begins."""
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 5) as scene:
        hand = await start(scene)
        await scene.use(scene.north, "gin resign", scene.north.dm)
        await scene.press(scene.north, scene.north.direct_messages()[-1], "Resign")
        await scene.quiet()
        for _ in range(MAX_RUNNING):
            await start(scene)
        refused = await scene.press(scene.north, hand, "Rematch")
        assert refused.text.startswith("You are practising 3 matches already, which is the limit.")
        assert len(await scene.alive.app.lookup.hands(PersonId(scene.north.id))) == MAX_RUNNING


async def test_what_needs_a_channel_says_so(tmp_path: Path) -> None:
    """There is no table to post again; leaving needs one confirmation and asks nobody."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        hand = await start(scene)
        told = await scene.use(scene.north, "gin table", scene.north.dm)
        assert told.text == "A practice match has no table in a channel. `/gin hand` shows it to you."
        asked = await scene.use(scene.north, "gin resign", scene.north.dm)
        assert "Practice does not count in the standings" in asked.text
        assert "There is nothing to pause or to call off" in asked.text
        assert labels(asked.message) == ["Resign", "Keep playing"]
        assert (await scene.press(scene.north, asked.message, "Resign")).text == "You resigned."
        await scene.quiet()
        assert "You resigned" in hand.text
        assert await scene.alive.app.outbox.find(MessageKind.END, 1) is None


async def test_nobody_else_reaches_it(tmp_path: Path) -> None:
    """To others there is no such match."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await start(scene)
        (hand,) = await scene.alive.app.lookup.hands(PersonId(scene.north.id))
        south: Person = scene.south
        here = await scene.use(south, "gin help", scene.channel)
        for action in (Action.SHOW_SCORE, Action.SHOW_HAND, Action.DRAW):
            told = await click(south, here.message, action, hand.match.id)
            assert "practice" not in told.text
            assert "Computer" not in told.text


async def test_a_hint_tells_the_best_move_and_then_the_next(tmp_path: Path) -> None:
    """It is told above the hand, whose buttons play on; the command tells it, too."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        hand = await start(scene)
        before = labels(hand)
        await scene.press(scene.north, hand, "Hint")
        assert "**Take" in hand.text or "**Pass**" in hand.text or "**Draw" in hand.text
        assert labels(hand) == ["Next best" if label == "Hint" else label for label in before]
        await scene.press(scene.north, hand, "Next best")
        assert "Next best: " in hand.text
        assert labels(hand) == before
        told = await scene.use(scene.north, "gin practice hint", scene.north.dm)
        assert "**Take" in told.text or "**Pass**" in told.text or "**Draw" in told.text


async def test_hints_are_for_practice_alone(tmp_path: Path) -> None:
    """In a match against people there is no button, and the command says so; nor is there one out of turn."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        assert "Hint" not in labels(await scene.hand(scene.north))
        told = await scene.ask(scene.north, "practice hint")
        assert told == "You have no practice match. `/gin practice start` begins one."
        (match,) = await scene.alive.app.lookup.hands(PersonId(scene.north.id))
        forged = await click(scene.north, (await scene.hand(scene.north)), Action.HINT, match.match.id)
        assert forged.text == (
            "Hints are for practice. After the deal, `/gin-deal review` tells what each choice cost."
        )


async def test_a_hint_is_about_practice_wherever_it_is_asked_for(tmp_path: Path) -> None:
    """Also where the person plays a match against people; of several, they are asked for one of practice."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, GIN_AT_ONCE) as scene:
        await scene.use(scene.north, "gin practice start", scene.north.dm, level="novice")
        told = await scene.use(scene.north, "gin practice hint", scene.channel)
        assert "· practice (level: novice)" in told.text
        assert "Next best" in labels(told.message)
        await scene.use(scene.north, "gin practice start", scene.north.dm, level="expert")
        asked = (await scene.use(scene.north, "gin practice hint", scene.channel)).message
        assert described(asked) == [
            "Practice (level: novice), classic rules to 100",
            "Practice (level: expert), classic rules to 100",
        ]
        chosen = await scene.choose(scene.north, asked, "Choose a match …", asked.selects[0].options[1].value)
        assert "· practice (level: expert)" in chosen.text

"""Practice against computers."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.opponent.levels import Level
from bot.play.matches.practice import MAX_RUNNING
from bot.play.refusals import NoMatch, NoPractice, NotPractice, TooMuchPractice
from bot.sandbox import Message
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchInfo, MatchStatus
from bot.values.outbox import MessageKind
from cogs.kit.actions import Action
from cogs.text import hints
from cogs.text.refusals import NO_TABLE, text
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, hands, ways
from tests.helpers.components import MOVES, actions_of, controls, find_menu
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.thinkers import think_here


@pytest.fixture(autouse=True)
def thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have computers answer immediately, even if the machine is busy."""
    think_here(monkeypatch)


async def start(scene: Scene, **options: object) -> Message:
    """Have North begin to practise in direct messages, and return the hand."""
    await scene.use(scene.north, "gin practice start", scene.north.dm, **options)
    return await scene.turn(scene.north)


async def running(scene: Scene) -> list[MatchInfo]:
    """Return the matches that North is playing."""
    return [hand.match for hand in await scene.alive.app.lookup.hands(PersonId(scene.north.id))]


def levels(matches: list[MatchInfo]) -> list[Level | None]:
    """Return the levels of the computers in matches."""
    return [match.players[1].computer for match in matches]


def has_turn(hand: Message) -> bool:
    """Return True if a hand offers a move."""
    return not MOVES.isdisjoint(buttons(hand))


async def test_it_begins_at_once_in_direct_messages(tmp_path: Path) -> None:
    """On a server, the answer links to the hand or shows it in place, and the channel has no post."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        told = (await scene.use(scene.north, "gin practice start", scene.channel, level="expert")).message
        assert told.ephemeral
        hand = await scene.turn(scene.north)
        assert f"(https://discord.com/channels/@me/{scene.north.dm.id})" in told.text
        assert has_turn(hand)
        assert levels(await running(scene)) == [Level.EXPERT]
        await scene.press(scene.north, told, Action.SHOW_HAND)
        assert buttons(told) == buttons(hand)
        await scene.quiet()
        assert scene.posts == []
        # The texts of this feature.
        assert "Your hand against ⁨Computer⁩ · practice (level: expert)" in hand.text


async def test_a_match_is_played_to_its_end_by_presses(tmp_path: Path) -> None:
    """The last message has the result, and buttons for a rematch, the replay, the review and the score."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        hand = await start(scene, target=10)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.press(scene.north, hand, Action.GIN)
        await scene.quiet()
        over = scene.north.direct_messages()[-1]
        assert ways(over) == [
            *(Action.REMATCH, Action.REPLAY, Action.REVIEW, Action.VERIFY, Action.SHOW_SCORE, Action.GAMES)
        ]
        assert "205" in (await scene.press(scene.north, over, Action.SHOW_SCORE)).text
        assert "*casual*" in (await scene.use(scene.north, "gin-stats profile", scene.channel)).text


@pytest.mark.thorough
async def test_the_computer_answers_in_the_same_message(tmp_path: Path) -> None:
    """After a press the message shows the computer's moves, and it is the person's turn again."""
    async with clubhouse(tmp_path, KNOCK_AT_ONCE) as scene:
        hand = await start(scene, level="novice")
        before = scene.north.direct_messages()
        await scene.press(scene.north, hand, Action.PASS)
        for _ in range(4):
            deeds = [one for one in controls(hand) if one.action in (Action.DRAW, Action.DISCARD)]
            made = await (await scene.north.press(hand, deeds[-1].custom_id)).done()
            assert not made.failed
            assert has_turn(hand)
        assert "⁨Computer⁩ " in hand.text
        assert scene.north.direct_messages() == before


@pytest.mark.thorough
async def test_without_direct_messages_it_is_played_where_it_was_begun(tmp_path: Path) -> None:
    """Without direct messages the practice match is played in a private message in the channel."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        scene.north.user.open_dms = False
        told = (await scene.use(scene.north, "gin practice start", scene.channel)).message
        assert told.ephemeral
        assert has_turn(told)
        assert levels(await running(scene)) == [Level.CASUAL]
        assert hands(scene.north) == []


@pytest.mark.thorough
async def test_several_are_told_apart(tmp_path: Path) -> None:
    """Matches are listed with levels, and commands ask for one. Above the limit, starts and rematches are refused."""
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * (MAX_RUNNING + 1)) as scene:
        hand, wanted = await start(scene), [Level.NOVICE, Level.EXPERT, Level.STRONG]
        asked = await scene.use(scene.north, "gin resign", scene.north.dm)
        await scene.press(scene.north, asked.message, Action.RESIGN)
        await scene.quiet()
        for level in wanted:
            await start(scene, level=level)
        assert levels(await running(scene)) == wanted
        more = await scene.use(scene.north, "gin practice start", scene.north.dm)
        for refused in (more, await scene.press(scene.north, hand, Action.REMATCH)):
            assert isinstance(scene.error(refused), TooMuchPractice)
        assert len(await running(scene)) == MAX_RUNNING
        listed = (await scene.use(scene.north, "gin games", scene.north.dm)).message
        which = (await scene.use(scene.north, "gin hand", scene.north.dm)).message
        for shown in (listed, which):
            options = [str(option.description) for option in shown.selects[0].options]
            assert [level in option for level, option in zip(wanted, options, strict=True)] == [True] * MAX_RUNNING


@pytest.mark.thorough
async def test_what_needs_a_channel_says_so(tmp_path: Path) -> None:
    """`/gin table` says that practice has no table. Resigning asks once. Other people find no such match.

    A rematch has the same level.
    """
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        hand = await start(scene, level="novice")
        here = await scene.use(scene.south, "gin help", scene.channel)
        for action in (Action.SHOW_SCORE, Action.SHOW_HAND, Action.DRAW):
            told = await click(scene.south, here.message, action, 1)
            assert told.text == text(NoMatch(here=False), PersonId(scene.south.id))
        assert (await scene.use(scene.north, "gin table", scene.north.dm)).text == NO_TABLE
        asked = await scene.use(scene.north, "gin resign", scene.north.dm)
        assert buttons(asked.message) == [Action.RESIGN, Action.STAY]
        await scene.press(scene.north, asked.message, Action.RESIGN)
        await scene.quiet()
        assert Action.REMATCH in buttons(hand)
        ended = await scene.alive.app.lookup.last_ended_of(PersonId(scene.north.id))
        assert (ended.id, ended.status) == (1, MatchStatus.FINISHED)
        assert await scene.alive.app.outbox.find(MessageKind.END, 1) is None
        await scene.press(scene.north, hand, Action.REMATCH)
        assert levels(await running(scene)) == [Level.NOVICE]


@pytest.mark.thorough
async def test_a_hint_tells_the_best_move_and_then_the_next(tmp_path: Path) -> None:
    """The hint is shown above the hand, which can be played on; `/gin practice hint` shows it too."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        hand = await start(scene)
        before, told = buttons(hand), [hand.text]
        for _ in range(2):
            await scene.press(scene.north, hand, Action.HINT)
            assert buttons(hand) == before
            told.append(hand.text)
        advice = await scene.alive.app.computers.advise(PersonId(scene.north.id), MatchId(1))
        assert [hints.hint(advice) in one for one in told] == [False, True, True]
        assert [hints.next_best(advice) in one for one in told] == [False, False, True]
        assert hints.hint(advice) in (await scene.use(scene.north, "gin practice hint", scene.north.dm)).text


@pytest.mark.thorough
async def test_hints_are_for_practice_alone(tmp_path: Path) -> None:
    """Matches against people refuse hints; with several practice matches, the command asks for one of them."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, GIN_AT_ONCE, GIN_AT_ONCE) as scene:
        against_people = await scene.hand(scene.north)
        assert Action.HINT not in actions_of(against_people)
        told = await scene.use(scene.north, "gin practice hint", scene.channel)
        assert isinstance(scene.error(told), NoPractice)
        assert isinstance(scene.error(await click(scene.north, against_people, Action.HINT, 1)), NotPractice)
        await scene.use(scene.north, "gin practice start", scene.north.dm, level="novice")
        told = await scene.use(scene.north, "gin practice hint", scene.channel)
        assert Action.HINT in buttons(told.message)
        await scene.use(scene.north, "gin practice start", scene.north.dm, level="expert")
        asked = (await scene.use(scene.north, "gin practice hint", scene.channel)).message
        menu = find_menu(asked, Action.HINT)
        assert menu is not None
        assert menu.values == ("2", "3")
        chosen = await scene.choose(scene.north, asked, Action.HINT, "3")
        assert "expert" in chosen.text

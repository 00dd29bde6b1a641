"""Practice against computers."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchInfo, MatchStatus
from bot.model.outbox import MessageKind
from bot.model.statistics import computers
from bot.opponent.play.levels import Level
from bot.play.matches.practice import MAX_PRACTICE_MATCHES
from bot.play.refusals import NoMatch, NoPractice, NotPractice, TooMuchPractice
from bot.sandbox import Message
from cogs.actions import Action
from cogs.practice import hint_text as hints
from cogs.refusals import text
from cogs.tables.refusals import NO_TABLE
from cogs.words.names import name
from tests.cogs.scenes import Scene, buttons, buttons_without_cards, hands, open_match_scene, open_scene
from tests.helpers.components import MOVES, actions_of, controls, find_menu
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.thinkers import use_local_thinker


@pytest.fixture(autouse=True)
def immediate_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have computers answer immediately, even if the machine is busy."""
    use_local_thinker(monkeypatch)


async def start_practice(scene: Scene, **options: object) -> Message:
    """Have North begin to practise in direct messages, and return the hand."""
    await scene.use(scene.north, "gin practice start", scene.north.dm, **options)
    return await scene.wait_for_turn(scene.north)


async def running_matches(scene: Scene) -> list[MatchInfo]:
    """Return the matches that North is playing."""
    return [hand.match for hand in await scene.bot.app.lookup.hands(PersonId(scene.north.id))]


def computer_levels(matches: list[MatchInfo]) -> list[Level | None]:
    """Return the levels of the computers in matches."""
    return [match.players[1].computer for match in matches]


def has_turn(hand: Message) -> bool:
    """Return True if a hand offers a move, that is, if it is the person's turn."""
    return not MOVES.isdisjoint(buttons(hand))


async def test_practice_begins_in_direct_messages(tmp_path: Path) -> None:
    """Practice begun on a server sends the hand by direct message; the answer links to it, and nothing is posted."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        answer = (await scene.use(scene.north, "gin practice start", scene.channel, level="expert")).message
        assert answer.ephemeral
        hand = await scene.wait_for_turn(scene.north)
        assert f"(https://discord.com/channels/@me/{scene.north.dm.id})" in answer.text
        assert has_turn(hand)
        assert computer_levels(await running_matches(scene)) == [Level.EXPERT]
        await scene.press(scene.north, answer, Action.SHOW_HAND)
        assert buttons(answer) == buttons(hand)
        await scene.wait_until_idle()
        assert scene.posts == []
        (computer,) = computers([Level.EXPERT])
        assert name(computer) in hand.text


async def test_a_match_is_played_to_its_end_by_presses(tmp_path: Path) -> None:
    """A match can be played to its end by buttons; the last message has the result, with *Rematch* and *Review*.

    Its *Details* have *Replay* and *Verify*.
    """
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        hand = await start_practice(scene, target=10)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.press(scene.north, hand, Action.GIN)
        await scene.wait_until_idle()
        result = scene.north.direct_messages()[-1]
        assert buttons_without_cards(result) == [
            *(Action.REMATCH, Action.REVIEW, Action.SHOW_SCORE, Action.SHOWDOWN_DETAILS, Action.GAMES)
        ]
        details = await scene.details(result, scene.north)
        assert buttons(details) == [Action.REPLAY, Action.REVIEW, Action.VERIFY]
        assert "205" in (await scene.press(scene.north, result, Action.SHOW_SCORE)).text
        assert "*casual*" in (await scene.use(scene.north, "gin-stats profile", scene.channel)).text


@pytest.mark.thorough
async def test_the_computer_answers_in_the_same_message(tmp_path: Path) -> None:
    """After each press the same message shows the computer's moves, and it is the person's turn again."""
    async with open_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        hand = await start_practice(scene, level="novice")
        before = scene.north.direct_messages()
        await scene.press(scene.north, hand, Action.PASS)
        for _ in range(4):
            move_buttons = [control for control in controls(hand) if control.action in (Action.DRAW, Action.DISCARD)]
            answer = await (await scene.north.press(hand, move_buttons[-1].custom_id)).done()
            assert not answer.failed
            assert has_turn(hand)
        assert f"{name(computers([Level.NOVICE])[0])} " in hand.text
        assert scene.north.direct_messages() == before


@pytest.mark.thorough
async def test_without_direct_messages_practice_is_in_the_channel(tmp_path: Path) -> None:
    """Without direct messages, the practice match is played in a message in the channel that only the player sees."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        scene.north.user.open_dms = False
        message = (await scene.use(scene.north, "gin practice start", scene.channel)).message
        assert message.ephemeral
        assert has_turn(message)
        assert computer_levels(await running_matches(scene)) == [Level.CASUAL]
        assert hands(scene.north) == []


@pytest.mark.thorough
async def test_practice_matches_are_listed_by_level(tmp_path: Path) -> None:
    """Menus of practice matches show the computers' levels.

    A person with the maximum number of practice matches can start neither another one nor a rematch.
    """
    async with open_scene(tmp_path, *[IMMEDIATE_GIN] * (MAX_PRACTICE_MATCHES + 1)) as scene:
        hand, wanted = await start_practice(scene), [Level.NOVICE, Level.EXPERT, Level.STRONG]
        asked = await scene.use(scene.north, "gin resign", scene.north.dm)
        await scene.press(scene.north, asked.message, Action.RESIGN)
        await scene.wait_until_idle()
        for level in wanted:
            await start_practice(scene, level=level)
        assert computer_levels(await running_matches(scene)) == wanted
        more = await scene.use(scene.north, "gin practice start", scene.north.dm)
        for refused in (more, await scene.press(scene.north, hand, Action.REMATCH)):
            assert isinstance(scene.error(refused), TooMuchPractice)
        assert len(await running_matches(scene)) == MAX_PRACTICE_MATCHES
        listed = (await scene.use(scene.north, "gin games", scene.north.dm)).message
        which = (await scene.use(scene.north, "gin hand", scene.north.dm)).message
        for shown in (listed, which):
            options = [option.label for option in shown.selects[0].options]
            names = [str(computers([level])[0].name) for level in wanted]
            assert [name in option for name, option in zip(names, options, strict=True)] == [True] * len(wanted)


@pytest.mark.thorough
async def test_practice_has_no_table_and_is_private(tmp_path: Path) -> None:
    """`/gin table` says that practice has no table, and other people cannot find the match. Resigning asks first.

    A rematch has the same level.
    """
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        hand = await start_practice(scene, level="novice")
        here = await scene.use(scene.south, "gin help", scene.channel)
        for action in (Action.SHOW_SCORE, Action.SHOW_HAND, Action.DRAW):
            answer = await click(scene.south, here.message, action, 1)
            assert answer.text == text(NoMatch(in_channel=False), PersonId(scene.south.id))
        assert (await scene.use(scene.north, "gin table", scene.north.dm)).text == NO_TABLE
        asked = await scene.use(scene.north, "gin resign", scene.north.dm)
        assert buttons(asked.message) == [Action.RESIGN, Action.STAY]
        await scene.press(scene.north, asked.message, Action.RESIGN)
        await scene.wait_until_idle()
        assert Action.REMATCH in buttons(hand)
        ended = await scene.bot.app.lookup.last_ended_match_of(PersonId(scene.north.id))
        assert (ended.id, ended.status) == (1, MatchStatus.FINISHED)
        assert await scene.bot.app.outbox.find(MessageKind.END, 1) is None
        await scene.press(scene.north, hand, Action.REMATCH)
        assert computer_levels(await running_matches(scene)) == [Level.NOVICE]


@pytest.mark.thorough
async def test_a_second_hint_has_the_next_best_move(tmp_path: Path) -> None:
    """*Hint* shows the best move above the hand; a second press adds the next best one. The move buttons stay."""
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        hand = await start_practice(scene)
        before, shown_texts = buttons(hand), [hand.text]
        for _ in range(2):
            await scene.press(scene.north, hand, Action.HINT)
            assert buttons(hand) == before
            shown_texts.append(hand.text)
        advice = await scene.bot.app.computers.advise(PersonId(scene.north.id), MatchId(1))
        assert [hints.hint(advice) in shown_text for shown_text in shown_texts] == [False, True, True]
        assert [hints.next_best(advice) in shown_text for shown_text in shown_texts] == [False, False, True]
        assert hints.hint(advice) in (await scene.use(scene.north, "gin practice hint", scene.north.dm)).text


@pytest.mark.nightly
async def test_only_practice_has_hints(tmp_path: Path) -> None:
    """Hints are refused in matches against people. With several practice matches, the command asks which one."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_GIN, IMMEDIATE_GIN) as scene:
        against_people = await scene.wait_for_hand(scene.north)
        assert Action.HINT not in actions_of(against_people)
        answer = await scene.use(scene.north, "gin practice hint", scene.channel)
        assert isinstance(scene.error(answer), NoPractice)
        assert isinstance(scene.error(await click(scene.north, against_people, Action.HINT, 1)), NotPractice)
        await scene.use(scene.north, "gin practice start", scene.north.dm, level="novice")
        answer = await scene.use(scene.north, "gin practice hint", scene.channel)
        assert Action.HINT in buttons(answer.message)
        await scene.use(scene.north, "gin practice start", scene.north.dm, level="expert")
        asked = (await scene.use(scene.north, "gin practice hint", scene.channel)).message
        menu = find_menu(asked, Action.HINT)
        assert menu is not None
        assert menu.values == ("2", "3")
        chosen = await scene.choose(scene.north, asked, Action.HINT, "3")
        assert name(computers([Level.EXPERT])[0]) in chosen.text

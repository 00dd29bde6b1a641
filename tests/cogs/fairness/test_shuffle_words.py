"""Players' own words for the shuffles: given with a challenge, when accepting, or later."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from bot.model.fairness import GivenWords
from bot.model.ids import ChallengeId, MatchId, PersonId
from bot.play.refusals import ChallengeClosed, InvalidWords, NoMatch, WordsProblem
from bot.sandbox import Interaction, Message, Person
from cogs.actions import Action
from cogs.fairness.verification_panel import WORDS_LABEL
from cogs.fairness.verification_text import WHAT_WORDS_DO, own_words
from tests.cogs.scenes import Scene, buttons, open_match_scene, open_scene
from tests.helpers.cases import nightly_after
from tests.helpers.shufflers import IMMEDIATE_GIN

MATCH = MatchId(1)


async def _type_words(scene: Scene, person: Person, message: Message, action: Action, words: str) -> Interaction:
    """Have a person press a button that asks for words, and type them."""
    asked = await scene.press(person, message, action)
    return await (await person.submit(asked.modal, {WORDS_LABEL: words})).done()


async def _words_in_match(scene: Scene, person: Person, match_id: MatchId = MATCH) -> str | None:
    """Return a player's words for the shuffles of the first match."""
    words = await scene.bot.app.words.of_match(PersonId(person.id), match_id)
    return None if words is None else words.text


async def _words_in_challenge(scene: Scene, person: Person) -> GivenWords:
    """Return the words for the shuffles that a person gave with the first challenge."""
    words = await scene.bot.app.words.of_challenge(PersonId(person.id), ChallengeId(1))
    assert words is not None
    return words


async def test_a_challenge_is_accepted_with_words(tmp_path: Path) -> None:
    """The challenger gives words for the shuffles with the command; the opponent types some to accept."""
    async with open_scene(tmp_path) as scene:
        invitation = await scene.invite(scene.north, scene.south, words="north wind")
        assert buttons(invitation) == [Action.ACCEPT, Action.DECLINE, Action.CHALLENGE_MORE]
        more = (await scene.press(scene.south, invitation, Action.CHALLENGE_MORE)).message
        asked = await scene.press(scene.south, more, Action.ACCEPT_WITH_WORDS)
        (field,) = asked.modal.components
        assert field["description"] == WHAT_WORDS_DO
        accepted = await (await scene.south.submit(asked.modal, {WORDS_LABEL: "süd ♠"})).done()
        assert scene.error(accepted) is None
        assert await _words_in_match(scene, scene.north) == "north wind"
        assert await _words_in_match(scene, scene.south) == "süd ♠"


async def test_accepting_without_words_takes_one_press(tmp_path: Path) -> None:
    """*Accept* does not ask for shuffle words; `/gin me words` then says that the id of a message replaces them."""
    async with open_match_scene(tmp_path, by_buttons=True) as scene:
        assert await _words_in_match(scene, scene.south) is None
        reply = await scene.ask(scene.south, "me words")
        assert own_words(None) in reply
        assert WHAT_WORDS_DO in reply


@pytest.mark.nightly
async def test_commands_take_words(tmp_path: Path) -> None:
    """`/gin accept` and `/gin rematch` have an option for the player's shuffle words.

    If several challenges are open, a menu asks for one of them, and a dialog then asks for the words again.
    """
    async with open_scene(tmp_path, IMMEDIATE_GIN) as scene:
        await scene.invite(scene.north, scene.south, target=10)
        await scene.invite(scene.north, scene.south, target=20)
        which = await scene.use(scene.south, "gin accept", scene.channel, words="lost in between")
        (menu,) = which.message.selects
        asked = await scene.choose(scene.south, which.message, Action.ACCEPT_WITH_WORDS, menu.options[0].value)
        await (await scene.south.submit(asked.modal, {WORDS_LABEL: "a red kite"})).done()
        await scene.wait_until_idle()
        assert await _words_in_match(scene, scene.south) == "a red kite"
        hand = await scene.wait_for_turn(scene.north)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.press(scene.north, hand, Action.GIN)
        await scene.wait_until_idle()
        await scene.ask(scene.north, "rematch", words="once more")
        await scene.ask(scene.south, "rematch", words="and again")
        words = [await _words_in_match(scene, player, MatchId(2)) for player in (scene.north, scene.south)]
        assert words == ["once more", "and again"]


@pytest.mark.thorough
async def test_words_can_be_changed_before_a_match(tmp_path: Path) -> None:
    """While a challenge is open, the challenger can change their shuffle words by button or command; others cannot."""
    async with open_scene(tmp_path) as scene:
        sent = await scene.use(scene.north, "gin challenge", scene.channel)
        changed = await _type_words(scene, scene.north, sent.message, Action.CHALLENGE_WORDS, "first thought")
        first = await _words_in_challenge(scene, scene.north)
        assert (first.text, first.counts_from) == ("first thought", None)
        assert own_words(first) in changed.text
        assert Action.WITHDRAW in buttons(sent.message)
        reply = await scene.ask(scene.north, "me words", text="second thought")
        second = await _words_in_challenge(scene, scene.north)
        assert second.text == "second thought"
        assert own_words(second) in reply
        assert own_words(second) in await scene.ask(scene.north, "me words")
        assert isinstance(await scene.refusal_of(scene.east, "me words"), NoMatch)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("action", "ending"),
    nightly_after(1, product((Action.CHALLENGE_WORDS, Action.WITHDRAW), (Action.DECLINE, Action.ACCEPT))),
)
async def test_a_press_in_a_closed_challenge_removes_its_buttons(
    tmp_path: Path, action: Action, ending: Action
) -> None:
    """A press in the challenger's private message says that the challenge is closed, and removes the buttons."""
    async with open_scene(tmp_path) as scene:
        sent = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south)
        await scene.press(scene.south, await scene.wait_for_post(Action.ACCEPT), ending)
        await scene.wait_until_idle()
        late = await scene.press(scene.north, sent.message, action)
        assert late.message is sent.message
        assert isinstance(scene.error(late), ChallengeClosed)
        assert buttons(sent.message) == []


@pytest.mark.nightly
async def test_a_press_in_a_withdrawn_lobby_removes_its_buttons(tmp_path: Path) -> None:
    """A press in a player's private message about a withdrawn lobby removes the message's buttons."""
    async with open_scene(tmp_path) as scene:
        await scene.ask(scene.north, "challenge", rules="rotation")
        joined = await scene.press(scene.south, await scene.wait_for_post(Action.ACCEPT), Action.ACCEPT)
        given = await _type_words(scene, scene.south, joined.message, Action.CHALLENGE_WORDS, "one")
        await scene.ask(scene.north, "withdraw")
        await scene.wait_until_idle()
        for message, action in ((joined.message, Action.LEAVE_LOBBY), (given.message, Action.CHALLENGE_WORDS)):
            late = await scene.press(scene.south, message, action)
            assert late.message is message
            assert buttons(message) == []


@pytest.mark.nightly
async def test_a_closed_challenge_leaves_the_menu_in_place(tmp_path: Path) -> None:
    """If one of several challenges was closed, choosing it is refused in a new message, and the menu stays."""
    async with open_scene(tmp_path) as scene:
        for person in (scene.north, scene.east):
            await scene.invite(person, scene.south)
        which = await scene.use(scene.south, "gin decline", scene.channel)
        await scene.ask(scene.north, "withdraw")
        await scene.wait_until_idle()
        before = which.message.text
        late = await scene.choose(scene.south, which.message, Action.DECLINE, "1")
        assert late.message is not which.message
        assert which.message.text == before


@pytest.mark.thorough
async def test_words_can_be_changed_during_a_match(tmp_path: Path) -> None:
    """One player's new words count from the next deal on, and the other player's only from the deal after that.

    This prevents the players from choosing their words in answer to each other's.
    """
    async with open_match_scene(tmp_path) as scene:
        replies = [
            await scene.ask(scene.north, "me words", text="the last word"),
            await scene.ask(scene.south, "me words", text="the word before"),
        ]
        words_by_player = [
            await scene.bot.app.words.of_match(PersonId(player.id), MATCH) for player in (scene.north, scene.south)
        ]
        assert [word and word.counts_from for word in words_by_player] == [2, 3]
        assert [own_words(words) in text for words, text in zip(words_by_player, replies, strict=True)] == [True, True]
        shown = await scene.use(scene.south, "gin me words", scene.channel)
        assert buttons(shown.message) == [Action.MATCH_WORDS, Action.HOW_VERIFIED]
        again = await scene.press(scene.south, shown.message, Action.MATCH_WORDS)
        (field,) = again.modal.components
        assert field["component"]["value"] == "the word before"
        await (await scene.south.submit(again.modal, {WORDS_LABEL: "another word"})).done()
        assert await _words_in_match(scene, scene.south) == "another word"
        # A hand that was sent before the change still works.
        hand = await scene.wait_for_turn(scene.north)
        assert scene.error(await scene.press(scene.north, hand, Action.PASS)) is None


@pytest.mark.thorough
async def test_words_can_be_given_in_a_lobby(tmp_path: Path) -> None:
    """Players can give words when they join a lobby or start it, and change them with *My shuffle words …*."""
    async with open_scene(tmp_path) as scene:
        await scene.ask(scene.north, "challenge", rules="rotation")
        lobby = await scene.wait_for_post(Action.ACCEPT)
        more = (await scene.press(scene.south, lobby, Action.CHALLENGE_MORE)).message
        joined = await _type_words(scene, scene.south, more, Action.ACCEPT_WITH_WORDS, "one")
        await _type_words(scene, scene.south, joined.message, Action.CHALLENGE_WORDS, "two")
        assert (await _words_in_challenge(scene, scene.south)).text == "two"
        await scene.press(scene.east, await scene.wait_for_post(Action.ACCEPT), Action.ACCEPT)
        await scene.wait_until_idle()
        await scene.ask(scene.north, "lobby start", words="three")
        assert [await _words_in_match(scene, player) for player in (scene.north, scene.south, scene.east)] == [
            "three",
            "two",
            None,
        ]


@pytest.mark.thorough
async def test_invalid_words_are_refused(tmp_path: Path) -> None:
    """Blank shuffle words, and words with line breaks, are refused with the reason; the previous words are kept."""
    async with open_match_scene(tmp_path) as scene:
        await scene.ask(scene.north, "me words", text="before")
        for words, problem in (("   ", WordsProblem.EMPTY), ("line\nbreak", WordsProblem.UNREADABLE)):
            refused = await scene.refusal_of(scene.north, "me words", text=words)
            assert isinstance(refused, InvalidWords)
            assert refused.reason is problem
            assert await _words_in_match(scene, scene.north) == "before"

"""Players' own words for the shuffles, given with a challenge, when accepting, and later."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from bot.play.refusals import ChallengeClosed, NoMatch, UnfitWords, WordsProblem
from bot.sandbox import Interaction, Message, Person
from bot.values.fairness import GivenWords
from bot.values.ids import ChallengeId, MatchId, PersonId
from cogs.kit.actions import Action
from cogs.text.verification import WHAT_WORDS_DO, own_words
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse
from tests.helpers.cases import nightly_after
from tests.helpers.shufflers import GIN_AT_ONCE

MATCH = MatchId(1)


async def _type(scene: Scene, person: Person, message: Message, action: Action, words: str) -> Interaction:
    """Have a person press a button that asks for words, and type them."""
    asked = await scene.press(person, message, action)
    return await (await person.submit(asked.modal, {"Your words": words})).done()


async def _given(scene: Scene, person: Person, match_id: MatchId = MATCH) -> str | None:
    """Return a player's words in a match."""
    given = await scene.alive.app.words.of_match(PersonId(person.id), match_id)
    return None if given is None else given.text


async def _given_before(scene: Scene, person: Person) -> GivenWords:
    """Return a person's words for the first challenge."""
    given = await scene.alive.app.words.of_challenge(PersonId(person.id), ChallengeId(1))
    assert given is not None
    return given


async def test_a_challenge_is_accepted_with_words(tmp_path: Path) -> None:
    """The challenger gives words with the command, and the opponent types some in a dialog, which begins the match."""
    async with clubhouse(tmp_path) as scene:
        invitation = await scene.invite(scene.north, scene.south, words="north wind")
        assert buttons(invitation)[:3] == [Action.ACCEPT, Action.ACCEPT_WITH_WORDS, Action.DECLINE]
        asked = await scene.press(scene.south, invitation, Action.ACCEPT_WITH_WORDS)
        (field,) = asked.modal.components
        assert field["description"] == WHAT_WORDS_DO
        accepted = await (await scene.south.submit(asked.modal, {"Your words": "süd ♠"})).done()
        assert scene.error(accepted) is None
        assert await _given(scene, scene.north) == "north wind"
        assert await _given(scene, scene.south) == "süd ♠"


async def test_accept_stays_one_press(tmp_path: Path) -> None:
    """*Accept* gives no words, and `/gin me words` names the default."""
    async with at_table(tmp_path, pressed=True) as scene:
        assert await _given(scene, scene.south) is None
        told = await scene.ask(scene.south, "me words")
        # The texts of this feature.
        assert "You have given no words, so the number of the message with the 🔒 is used instead." in told
        assert WHAT_WORDS_DO in told


@pytest.mark.nightly
async def test_commands_take_words(tmp_path: Path) -> None:
    """`/gin accept` and `/gin rematch` take words as an option; with several challenges a menu opens the dialog."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await scene.invite(scene.north, scene.south, target=10)
        await scene.invite(scene.north, scene.south, target=20)
        which = await scene.use(scene.south, "gin accept", scene.channel, words="lost in between")
        (menu,) = which.message.selects
        asked = await scene.choose(scene.south, which.message, Action.ACCEPT_WITH_WORDS, menu.options[0].value)
        await (await scene.south.submit(asked.modal, {"Your words": "a red kite"})).done()
        await scene.quiet()
        assert await _given(scene, scene.south) == "a red kite"
        hand = await scene.turn(scene.north)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.press(scene.north, hand, Action.GIN)
        await scene.quiet()
        await scene.ask(scene.north, "rematch", words="once more")
        await scene.ask(scene.south, "rematch", words="and again")
        given = [await _given(scene, one, MatchId(2)) for one in (scene.north, scene.south)]
        assert given == ["once more", "and again"]


@pytest.mark.thorough
async def test_words_change_during_an_invitation(tmp_path: Path) -> None:
    """The challenger can change their words by button or command while the challenge is open; others have none yet."""
    async with clubhouse(tmp_path) as scene:
        sent = await scene.use(scene.north, "gin challenge", scene.channel)
        changed = await _type(scene, scene.north, sent.message, Action.CHALLENGE_WORDS, "first thought")
        first = await _given_before(scene, scene.north)
        assert (first.text, first.counts_from) == ("first thought", None)
        assert own_words(first) in changed.text
        assert Action.WITHDRAW in buttons(sent.message)
        told = await scene.ask(scene.north, "me words", text="second thought")
        second = await _given_before(scene, scene.north)
        assert second.text == "second thought"
        assert own_words(second) in told
        assert own_words(second) in await scene.ask(scene.north, "me words")
        assert isinstance(await scene.refused(scene.east, "me words"), NoMatch)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("action", "ending"),
    nightly_after(1, product((Action.CHALLENGE_WORDS, Action.WITHDRAW), (Action.DECLINE, Action.ACCEPT))),
)
async def test_a_dead_button_takes_the_others_with_it(tmp_path: Path, action: Action, ending: Action) -> None:
    """In a closed challenge, a press in the challenger's private message says so and removes its buttons."""
    async with clubhouse(tmp_path) as scene:
        sent = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south)
        await scene.press(scene.south, await scene.post(Action.ACCEPT), ending)
        await scene.quiet()
        late = await scene.press(scene.north, sent.message, action)
        assert late.message is sent.message
        assert isinstance(scene.error(late), ChallengeClosed)
        assert buttons(sent.message) == []


@pytest.mark.nightly
async def test_a_dead_table_takes_its_buttons_with_it(tmp_path: Path) -> None:
    """In a withdrawn lobby, presses in a guest's private messages remove their buttons."""
    async with clubhouse(tmp_path) as scene:
        await scene.ask(scene.north, "challenge", rules="rotation")
        joined = await scene.press(scene.south, await scene.post(Action.ACCEPT), Action.ACCEPT)
        given = await _type(scene, scene.south, joined.message, Action.CHALLENGE_WORDS, "one")
        await scene.ask(scene.north, "withdraw")
        await scene.quiet()
        for message, action in ((joined.message, Action.LEAVE_LOBBY), (given.message, Action.CHALLENGE_WORDS)):
            late = await scene.press(scene.south, message, action)
            assert late.message is message
            assert buttons(message) == []


@pytest.mark.nightly
async def test_a_list_of_challenges_stays_when_one_is_closed(tmp_path: Path) -> None:
    """If one of several challenges was closed, choosing it is refused in a new message, and the menu stays."""
    async with clubhouse(tmp_path) as scene:
        for person in (scene.north, scene.east):
            await scene.invite(person, scene.south)
        which = await scene.use(scene.south, "gin decline", scene.channel)
        await scene.ask(scene.north, "withdraw")
        await scene.quiet()
        before = which.message.text
        late = await scene.choose(scene.south, which.message, Action.DECLINE, "1")
        assert late.message is not which.message
        assert which.message.text == before


@pytest.mark.thorough
async def test_words_change_during_a_match(tmp_path: Path) -> None:
    """One player's new words count from the next deal on, the other player's from the one after that."""
    async with at_table(tmp_path) as scene:
        told = [
            await scene.ask(scene.north, "me words", text="the last word"),
            await scene.ask(scene.south, "me words", text="the word before"),
        ]
        given = [await scene.alive.app.words.of_match(PersonId(one.id), MATCH) for one in (scene.north, scene.south)]
        assert [one and one.counts_from for one in given] == [2, 3]
        assert [own_words(one) in text for one, text in zip(given, told, strict=True)] == [True, True]
        shown = await scene.use(scene.south, "gin me words", scene.channel)
        assert buttons(shown.message) == [Action.MATCH_WORDS, Action.HOW_VERIFIED]
        again = await scene.press(scene.south, shown.message, Action.MATCH_WORDS)
        (field,) = again.modal.components
        assert field["component"]["value"] == "the word before"
        await (await scene.south.submit(again.modal, {"Your words": "another word"})).done()
        assert await _given(scene, scene.south) == "another word"
        # A hand from before the change can still be played.
        hand = await scene.turn(scene.north)
        assert scene.error(await scene.press(scene.north, hand, Action.PASS)) is None


@pytest.mark.thorough
async def test_who_joins_a_table_has_words_there(tmp_path: Path) -> None:
    """Words are given when joining a lobby, changed by *My words …*, and given with `/gin lobby start`."""
    async with clubhouse(tmp_path) as scene:
        await scene.ask(scene.north, "challenge", rules="rotation")
        lobby = await scene.post(Action.ACCEPT)
        joined = await _type(scene, scene.south, lobby, Action.ACCEPT_WITH_WORDS, "one")
        await _type(scene, scene.south, joined.message, Action.CHALLENGE_WORDS, "two")
        assert (await _given_before(scene, scene.south)).text == "two"
        await scene.press(scene.east, await scene.post(Action.ACCEPT), Action.ACCEPT)
        await scene.quiet()
        await scene.ask(scene.north, "lobby start", words="three")
        assert [await _given(scene, one) for one in (scene.north, scene.south, scene.east)] == ["three", "two", None]


@pytest.mark.thorough
async def test_words_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    """Blank words and words with line breaks are refused with the reason, and the previous words stay."""
    async with at_table(tmp_path) as scene:
        await scene.ask(scene.north, "me words", text="before")
        for words, problem in (("   ", WordsProblem.EMPTY), ("line\nbreak", WordsProblem.UNREADABLE)):
            refused = await scene.refused(scene.north, "me words", text=words)
            assert isinstance(refused, UnfitWords)
            assert refused.reason is problem
            assert await _given(scene, scene.north) == "before"

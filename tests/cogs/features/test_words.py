"""Words of one's own in the shuffles, given with an invitation, when accepting, and later."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.sandbox import Interaction, Message, Person
from bot.values.ids import ChallengeId, MatchId, PersonId
from cogs.text.verification import WHAT_WORDS_DO
from tests.cogs.scenes import Scene, at_table, clubhouse, labels
from tests.helpers.shufflers import GIN_AT_ONCE

pytestmark = pytest.mark.slow

MATCH = MatchId(1)


async def _type(scene: Scene, person: Person, message: Message, label: str, words: str) -> Interaction:
    """Have a person press a button that asks for words, and type some."""
    asked = await scene.press(person, message, label)
    return await (await person.submit(asked.modal, {"Your words": words})).done()


async def _given(scene: Scene, person: Person, match_id: MatchId = MATCH) -> str | None:
    """Return a player's words in a match."""
    given = await scene.alive.app.words.of_match(PersonId(person.id), match_id)
    return None if given is None else given.text


async def test_a_challenge_is_accepted_with_words(tmp_path: Path) -> None:
    """The challenger gives theirs with the command, whoever accepts types theirs in a dialog, and the match is on."""
    async with clubhouse(tmp_path) as scene:
        invitation = await scene.invite(scene.north, scene.south, words="north wind")
        assert labels(invitation)[:3] == ["Accept", "Accept with my own words …", "Decline"]
        asked = await scene.press(scene.south, invitation, "Accept with my own words …")
        assert asked.modal.title == "Play with my own words"
        (field,) = asked.modal.components
        assert field["description"] == WHAT_WORDS_DO
        accepted = await (await scene.south.submit(asked.modal, {"Your words": "süd ♠"})).done()
        assert "The match is on" in accepted.text
        assert await _given(scene, scene.north) == "north wind"
        assert await _given(scene, scene.south) == "süd ♠"


async def test_accept_stays_one_press(tmp_path: Path) -> None:
    """Whoever presses *Accept* gives no words, and reads what is used instead."""
    async with at_table(tmp_path) as scene:
        assert await _given(scene, scene.south) is None
        told = await scene.ask(scene.south, "me words")
        assert "You have given no words, so the number of the message with the 🔒 is used instead." in told
        assert WHAT_WORDS_DO in told


async def test_commands_take_words(tmp_path: Path) -> None:
    """`/gin accept` and `/gin rematch` take words as an option; a menu that has to ask which leads to the dialog."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        await scene.invite(scene.north, scene.south, target=10)
        await scene.invite(scene.north, scene.south, target=20)
        which = await scene.use(scene.south, "gin accept", scene.channel, words="lost in between")
        (menu,) = which.message.selects
        asked = await scene.choose(scene.south, which.message, str(menu.placeholder), menu.options[0].value)
        await (await scene.south.submit(asked.modal, {"Your words": "a red kite"})).done()
        await scene.quiet()
        assert await _given(scene, scene.south) == "a red kite"
        hand = await scene.turn(scene.north)
        await scene.press(scene.north, hand, "Take K♠")
        await scene.press(scene.north, hand, "Gin!")
        await scene.quiet()
        assert "starts if the other player agrees" in await scene.ask(scene.north, "rematch", words="once more")
        assert "The rematch is on!" in await scene.ask(scene.south, "rematch", words="and again")
        given = [
            await scene.alive.app.words.of_match(PersonId(one.id), MatchId(2)) for one in (scene.north, scene.south)
        ]
        assert [one and one.text for one in given] == ["once more", "and again"]


async def test_words_change_during_an_invitation(tmp_path: Path) -> None:
    """The challenger changes theirs by button or command as long as it is open; who has not joined has none there."""
    async with clubhouse(tmp_path) as scene:
        sent = await scene.use(scene.north, "gin challenge", scene.channel)
        changed = await _type(scene, scene.north, sent.message, "My words …", "first thought")
        assert "**Saved.**" in changed.text
        assert "“⁨first thought⁩”" in changed.text
        assert "They count from the first shuffle on." in changed.text
        assert "Withdraw" in labels(sent.message)
        assert "“⁨second thought⁩”" in await scene.ask(scene.north, "me words", text="second thought")
        assert "“⁨second thought⁩”" in await scene.ask(scene.north, "me words")
        refused = await scene.alive.app.words.of_challenge(PersonId(scene.north.id), ChallengeId(1))
        assert refused is not None
        assert "There is no match here" in await scene.ask(scene.east, "me words")


@pytest.mark.parametrize("label", ["Withdraw", "My words …"])
@pytest.mark.parametrize("ending", ["Accept", "Decline"])
async def test_a_dead_button_takes_the_others_with_it(tmp_path: Path, label: str, ending: str) -> None:
    """Once a challenge is closed, a press in the challenger's own message shows that, with no button left."""
    async with clubhouse(tmp_path) as scene:
        sent = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south)
        await scene.press(scene.south, await scene.post("Accept"), ending)
        await scene.quiet()
        late = await scene.press(scene.north, sent.message, label)
        assert late.message is sent.message
        assert "That challenge " in sent.message.text
        assert labels(sent.message) == []


async def test_a_dead_table_takes_its_buttons_with_it(tmp_path: Path) -> None:
    """So it is for somebody who joined a table that was withdrawn, and for their words."""
    async with clubhouse(tmp_path) as scene:
        await scene.ask(scene.north, "challenge", rules="rotation")
        joined = await scene.press(scene.south, await scene.post("Join"), "Join")
        given = await _type(scene, scene.south, joined.message, "My words …", "one")
        await scene.ask(scene.north, "withdraw")
        await scene.quiet()
        for message, label in ((joined.message, "Leave"), (given.message, "My words …")):
            late = await scene.press(scene.south, message, label)
            assert late.message is message
            assert labels(message) == []


async def test_a_list_of_challenges_stays_when_one_is_closed(tmp_path: Path) -> None:
    """A menu asks which challenge is meant; the refusal of one is an answer of its own, and the menu stays."""
    async with clubhouse(tmp_path) as scene:
        for person in (scene.north, scene.east):
            await scene.invite(person, scene.south)
        which = await scene.use(scene.south, "gin decline", scene.channel)
        await scene.ask(scene.north, "withdraw")
        await scene.quiet()
        before = which.message.text
        late = await scene.choose(scene.south, which.message, "Choose a challenge …", "1")
        assert late.message is not which.message
        assert which.message.text == before


async def test_words_change_during_a_match(tmp_path: Path) -> None:
    """One player has the last word, whose words count from the next deal on; the other's count a deal later."""
    async with at_table(tmp_path) as scene:
        first = await scene.ask(scene.north, "me words", text="the last word")
        second = await scene.ask(scene.south, "me words", text="the word before")
        assert "They count from deal 2 on." in first
        assert "They count from deal 3 on." in second
        shown = await scene.use(scene.south, "gin me words", scene.channel)
        assert labels(shown.message) == ["My words …", "How?"]
        again = await scene.press(scene.south, shown.message, "My words …")
        (field,) = again.modal.components
        assert field["component"]["value"] == "the word before"
        await (await scene.south.submit(again.modal, {"Your words": "another word"})).done()
        assert await _given(scene, scene.south) == "another word"
        # A hand that was there before can still be played from.
        hand = await scene.turn(scene.north)
        assert "The match has moved on" not in (await scene.press(scene.north, hand, "Pass")).text


async def test_who_joins_a_table_has_words_there(tmp_path: Path) -> None:
    """*Join with my own words …* takes them, *My words …* in the answer changes them, and the start may bring some."""
    async with clubhouse(tmp_path) as scene:
        await scene.ask(scene.north, "challenge", rules="rotation")
        lobby = await scene.post("Join")
        joined = await _type(scene, scene.south, lobby, "Join with my own words …", "one")
        assert "You are in." in joined.text
        assert "“⁨two⁩”" in (await _type(scene, scene.south, joined.message, "My words …", "two")).text
        await scene.press(scene.east, await scene.post("Join"), "Join")
        await scene.quiet()
        await scene.ask(scene.north, "lobby start", words="three")
        assert [await _given(scene, one) for one in (scene.north, scene.south, scene.east)] == ["three", "two", None]


@pytest.mark.parametrize("words", ["   ", "line\nbreak"])
async def test_words_that_do_not_fit_are_refused(tmp_path: Path, words: str) -> None:
    """Blank words, and words of several lines, are refused with what to type instead; those before stay."""
    async with at_table(tmp_path) as scene:
        await scene.ask(scene.north, "me words", text="before")
        assert "Type" in await scene.ask(scene.north, "me words", text=words)
        assert await _given(scene, scene.north) == "before"

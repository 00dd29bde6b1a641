"""Going out by every rule: knocks with other melds, big gin, the wall, and answers by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.moves import DRAW, PASS, discard
from bot.sandbox import Message
from bot.values.ids import MatchId
from cogs.kit.actions import Action
from tests.cogs.scenes import TO_DISCARD, Scene, at_table, labels, person_of, ways
from tests.engine.decks import GIN_HAND, POOR_HAND, deck
from tests.helpers.components import actions_of
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.table import interaction

pytestmark = pytest.mark.slow

LAY_OFFS = deck(f"{GIN_HAND} Qh", "4c 7d 8d Ks 2h 4h 6h 8h Th Jh", "2d")
"""North may knock with 2; South may lay 4c, Ks, 7d and then 8d off, and has 59, or 30 after that."""

NOTHING_FITS = deck(f"{GIN_HAND} Qh", POOR_HAND, "2d")
ONLY_HARM_FITS = deck(f"{GIN_HAND} Qh", "7d 7h 7c 2h 4h 5s 9h Th 9s Jc", "2d")
"""North may knock with 2; of South's cards only 7d fits, and that breaks up three sevens."""

BIG_GIN = deck(f"{GIN_HAND} 7d", POOR_HAND, "Ks")
"""With the upcard North's eleven cards are melded."""

AT_THE_WALL = deck(POOR_HAND, f"{GIN_HAND} Qh", "2d")
"""South has a hand to knock with all along."""


async def _knocks(scene: Scene) -> Message:
    """Have North knock; gives South's hand, who is to answer."""
    await scene.press(scene.north, await scene.turn(scene.north), "Take 2♦")
    await scene.play(scene.north, await scene.turn(scene.north), Action.KNOCK, "Qh")
    await scene.quiet()
    return await scene.turn(scene.south)


async def _showdown(scene: Scene) -> str:
    await scene.quiet()
    return next(post.text for post in reversed(scene.posts) if post.text.startswith("### Deal "))


async def test_cards_are_laid_off_one_by_one(tmp_path: Path) -> None:
    """Exactly the cards that fit can be pressed; a card that follows comes after it; then one is done."""
    async with at_table(tmp_path, LAY_OFFS, rules="standard") as scene:
        north, south = scene.north, scene.south
        hand = await _knocks(scene)
        assert "lay cards off on ⁨North⁩'s melds." in hand.text
        assert labels(hand) == ["4♣", "7♦", "K♠", "Lay off 4♣ 7♦ 8♦ K♠", "Lay nothing off"]
        assert "**⁨South⁩** to lay off on ⁨North⁩'s melds" in scene.table.text
        assert "Waiting for ⁨South⁩" in await scene.ask(north, "hand")
        assert "It is ⁨South⁩'s turn" in await scene.ask(north, "layoff", cards="all")
        await scene.press(south, hand, "7♦")
        await scene.quiet()
        assert "Laid off: 7♦ on 4♦ 5♦ 6♦" in scene.table.text
        hand = await scene.turn(south)
        assert labels(hand) == ["4♣", "8♦", "K♠", "Lay off 4♣ 8♦ K♠", "Done"]
        await scene.press(south, hand, "8♦")
        await scene.press(south, await scene.turn(south), "Done")
        assert "Lay nothing more off? 2 cards fit." in hand.text
        await scene.press(south, hand, "Lay nothing more off")
        told = await _showdown(scene)
        assert "### Deal 1: ⁨North⁩ wins by knocking, 52 points" in told
        assert "Laid off: 7♦ on 4♦ 5♦ 6♦ and 8♦ on 4♦ 5♦ 6♦" in told


async def test_all_that_helps_is_laid_off_with_one_press(tmp_path: Path) -> None:
    """The button names the cards, and its press ends the deal."""
    async with at_table(tmp_path, LAY_OFFS, rules="standard") as scene:
        hand = await _knocks(scene)
        await scene.press(scene.south, hand, "Lay off 4♣ 7♦ 8♦ K♠")
        assert "⁨North⁩ scores 40 − 2 = **38**" in await _showdown(scene)


async def test_lay_offs_may_be_declined(tmp_path: Path) -> None:
    """Nothing is laid off where the player does not like to, though it costs them, once they have been asked."""
    async with at_table(tmp_path, LAY_OFFS, rules="standard") as scene:
        hand = await _knocks(scene)
        await scene.press(scene.south, hand, "Lay nothing off")
        assert labels(hand) == ["Back", "Lay nothing off"]
        await scene.press(scene.south, hand, "Back")
        assert labels(hand) == ["4♣", "7♦", "K♠", "Lay off 4♣ 7♦ 8♦ K♠", "Lay nothing off"]
        await scene.press(scene.south, hand, "Lay nothing off")
        await scene.play(scene.south, hand, Action.FINISH_LAYING_OFF)
        told = await _showdown(scene)
        assert "⁨North⁩ scores 69 − 2 = **67**" in told
        assert "Laid off" not in told


async def test_a_card_that_ones_own_meld_needs_is_laid_off_only_once_asked(tmp_path: Path) -> None:
    """Where what fits helps nothing, that is what the words say, and its press asks first and names the cost."""
    async with at_table(tmp_path, ONLY_HARM_FITS, rules="standard") as scene:
        hand = await _knocks(scene)
        assert "nothing helps on ⁨North⁩'s melds: show your hand." in hand.text
        assert [button.label for button in hand.buttons if button.disabled][-1] == "Nothing helps"
        assert labels(hand) == ["7♦", "Show my hand"]
        await scene.press(scene.south, hand, "7♦")
        assert "Your own meld needs it: that adds 14 deadwood." in hand.text
        await scene.press(scene.south, hand, "Back")
        await scene.press(scene.south, hand, "7♦")
        await scene.press(scene.south, hand, "Lay off 7♦")
        await scene.quiet()
        assert "Laid off: 7♦ on 4♦ 5♦ 6♦" in scene.table.text
        hand = await scene.turn(scene.south)
        assert "nothing more fits on ⁨North⁩'s melds: *Done*." in hand.text
        await scene.press(scene.south, hand, "Done")
        assert "⁨North⁩ scores 63 − 2 = **61**" in await _showdown(scene)


async def test_a_hand_that_fits_nowhere_is_shown(tmp_path: Path) -> None:
    """Where nothing can be laid off, one press goes on; nothing else is there to do."""
    async with at_table(tmp_path, NOTHING_FITS, rules="standard") as scene:
        hand = await _knocks(scene)
        assert labels(hand) == ["Show my hand"]
        await scene.press(scene.south, hand, "Show my hand")
        assert "⁨North⁩ scores 60 − 2 = **58**" in await _showdown(scene)


async def test_lay_offs_by_command(tmp_path: Path) -> None:
    """*all*, *nothing* and each card complete with what they save; wrong ones are refused with what may be done."""
    async with at_table(tmp_path, LAY_OFFS, rules="standard") as scene:
        south = scene.south

        async def offered(typed: str) -> list[tuple[str, str]]:
            asked = await south.complete("gin layoff", scene.channel, option="cards", value=typed)
            return [(choice["name"], choice["value"]) for choice in (await asked.answer()).choices]

        assert await offered("") == []
        await scene.ask(scene.north, "take")
        assert "There is no knock to lay cards off on" in await scene.ask(scene.north, "layoff", cards="all")
        assert "You have already drawn" in await scene.ask(scene.north, "layoff", cards="4c")
        await scene.ask(scene.north, "knock", card="Qh")
        assert [name for name, _ in await offered("")][:3] == ["all", "nothing", "4♣ on A♣ 2♣ 3♣, saving 4"]
        assert await offered("K♠") == [("K♠ on K♣ K♦ K♥, saving 10", "Ks>KcKdKh")]
        assert await offered("king") == [("K♠ on K♣ K♦ K♥, saving 10", "Ks>KcKdKh")]
        for command in ("draw", "take", "gin", "big"):
            assert "`/gin layoff` lays off a card" in await scene.ask(south, command)
        assert "**J♥** fits none of the knocker's melds as they are now" in await scene.ask(south, "layoff", cards="Jh")
        assert "I cannot read that as one card" in await scene.ask(south, "layoff", cards="banana")
        assert "I cannot read that as one card" in await scene.ask(south, "layoff", cards="7d 8d")
        assert "I cannot read that as one card" in await scene.ask(south, "layoff", cards="7d>banana")
        assert "You laid off K♠." in await scene.ask(south, "layoff", cards="king of spades")
        assert "You laid off 7♦." in await scene.ask(south, "layoff", cards="7d>4d5d6d")
        await scene.quiet()
        assert "Laid off: K♠ on K♣ K♦ K♥ and 7♦" in scene.table.text
        assert "Deal 1: ⁨North⁩ wins by knocking" in await scene.ask(south, "layoff", cards="all")
        assert "⁨North⁩ scores 40 − 2 = **38**" in await _showdown(scene)


async def test_nothing_by_command(tmp_path: Path) -> None:
    """`nothing` ends the answer with what was laid off so far."""
    async with at_table(tmp_path, LAY_OFFS, rules="standard") as scene:
        await _knocks(scene)
        await scene.ask(scene.south, "layoff", cards="Nothing")
        assert "⁨North⁩ scores 69 − 2 = **67**" in await _showdown(scene)


@pytest.mark.parametrize("by_command", [False, True])
async def test_big_gin(tmp_path: Path, by_command: bool) -> None:
    """All eleven cards melded: the button and the command lay them down; gin with one discarded is there as well."""
    async with at_table(tmp_path, BIG_GIN, rules="big") as scene:
        north = scene.north
        assert "The deal starts with the upcard" in await scene.ask(north, "big")
        await scene.press(north, await scene.turn(north), "Take K♠")
        hand = await scene.turn(north)
        assert "you have big gin!" in hand.text
        assert ways(hand)[:2] == ["Big gin!", "Gin!"]
        if by_command:
            await scene.ask(north, "big")
        else:
            await scene.press(north, hand, "Big gin!")
        told = await _showdown(scene)
        assert "### Deal 1: ⁨North⁩ goes big gin, 91 points" in told
        assert "⁨North⁩ scores 60 + 31 for the big gin = **91**" in told
        assert "Melds: A♣ 2♣ 3♣ / 4♦ 5♦ 6♦ 7♦ / K♣ K♦ K♥ K♠" in told


async def test_big_gin_where_the_rules_know_none(tmp_path: Path) -> None:
    """The same hand by the usual rules is gin; asking for big gin says so, as does asking with a hand that is none."""
    async with at_table(tmp_path, BIG_GIN) as scene:
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert "Gin!" in labels(await scene.turn(scene.north))
        assert "These rules have no big gin" in await scene.ask(scene.north, "big")
    (tmp_path / "other").mkdir()
    async with at_table(tmp_path / "other", KNOCK_AT_ONCE, rules="big") as scene:
        await scene.ask(scene.north, "take")
        assert "all eleven cards must be in melds" in await scene.ask(scene.north, "big")


async def test_a_knock_with_other_melds(tmp_path: Path) -> None:
    """The question and the command offer each way with what it leaves; the showdown lays down what was chosen."""
    for number, by_command in enumerate((False, True)):
        (tmp_path / str(number)).mkdir()
        async with at_table(tmp_path / str(number), KNOCK_AT_ONCE) as scene:
            north = scene.north
            await scene.ask(north, "take")
            await scene.quiet()
            hand = await scene.turn(north)
            assert actions_of(hand) >= TO_DISCARD
            worse = ("Discarding Q♥: 4♦ 5♦ 6♦ / K♣ K♦ K♥, leaving 8", "Qh 4d5d6d/KcKdKh")
            await scene.press(north, hand, "Knock with …")
            assert [(option.label, option.value) for option in hand.selects[0].options][1] == worse
            if by_command:
                asked = await north.complete("gin knock", scene.channel, option="melds", value="", card="Qh")
                ways = (await asked.answer()).choices
                assert [(way["name"], way["value"]) for way in ways][1] == worse
                asked = await north.complete("gin knock", scene.channel, option="melds", value="", card="Kc")
                assert (await asked.answer()).choices == []
                assert "cannot be laid down like that" in await scene.ask(north, "knock", card="Qh", melds="Qh 2h3h4h")
                assert "I cannot read" in await scene.ask(north, "knock", card="Qh", melds="banana")
                await scene.ask(north, "knock", card="Qh", melds=worse[1])
            else:
                await scene.choose(north, hand, "Knock with other melds …", worse[1])
            told = await _showdown(scene)
            assert "Melds: 4♦ 5♦ 6♦ / K♣ K♦ K♥\nDeadwood: A♣ 2♣ 2♦ 3♣ (**8**)" in told
            assert "⁨North⁩ scores 60 − 8 = **52**" in told


async def _to_the_wall(scene: Scene) -> None:
    """Have both pass, then draw and throw what they drew until two cards are left; South is to act."""
    turns, match_id = scene.alive.app.turns, MatchId(1)
    people = (person_of(scene.north), person_of(scene.south))
    for person in people:
        await turns.move(person.id, match_id, PASS, interaction())
    for number in range(29):
        person = people[number % 2]
        hand = await turns.move(person.id, match_id, DRAW, interaction())
        assert hand.view.new_card is not None
        await turns.move(person.id, match_id, discard(hand.view.new_card), interaction())
    await scene.quiet()


async def test_the_wall(tmp_path: Path) -> None:
    """With two cards left the last discard may be taken, to go out with it and for nothing else."""
    async with at_table(tmp_path, AT_THE_WALL, rules="tournament") as scene:
        south = scene.south
        await _to_the_wall(scene)
        hand = await scene.turn(south)
        top = labels(hand)[0]
        assert labels(hand) == [top, "Pass"]
        assert "the stock is used up. Take the" in hand.text
        assert "or pass; last move" in scene.table.text
        assert "**⁨South⁩** to go out with the" in scene.table.text
        for command in ("draw", "gin"):
            assert "The stock is used up: you may take the" in await scene.ask(south, command)
        await scene.press(south, hand, str(top))
        hand = await scene.turn(south)
        assert Action.DISCARD not in actions_of(hand)
        assert "you must knock or go gin" in await scene.ask(south, "discard", card="Qh")
        await scene.play(south, hand, Action.KNOCK)
        assert "### Deal 1: ⁨South⁩ wins by knocking" in await _showdown(scene)


async def test_passing_at_the_wall_voids_the_deal(tmp_path: Path) -> None:
    """Nobody scores, the reason is told, and the same player deals again."""
    async with at_table(tmp_path, AT_THE_WALL, rules="tournament") as scene:
        await _to_the_wall(scene)
        await scene.ask(scene.south, "pass")
        told = await _showdown(scene)
        assert "### Deal 1: void, nobody scores" in told
        assert "A discard left two cards in the stock, and nobody went out. The same player deals again." in told
        assert "Deal 2, dealt by ⁨South⁩" in scene.table.text

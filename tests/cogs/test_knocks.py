"""Ending a deal under each ruleset: knocks with other melds, big gin, the wall, and manual layoffs."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.moves import DRAW, PASS, discard
from bot.engine.showdown import Outcome, OutcomeKind
from bot.play.refusals import NotYourTurn, Refusal
from bot.sandbox import Message
from bot.values.ids import MatchId, PersonId
from bot.values.matches import Showdown
from cardart.text.card_names import ENGLISH
from cogs.kit.actions import Action
from cogs.support.errors import UserError
from cogs.text import showdown as showdown_text
from cogs.text.refusals import unreadable_card
from tests.cogs.scenes import TO_DISCARD, Scene, at_table, buttons, person_of, ways
from tests.engine.decks import GIN_HAND, POOR_HAND, deck
from tests.helpers.components import actions_of, controls
from tests.helpers.shufflers import KNOCK_AT_ONCE
from tests.helpers.table import interaction

MATCH = MatchId(1)

LAY_OFFS = deck(f"{GIN_HAND} Qh", "4c 7d 8d Ks 2h 4h 6h 8h Th Jh", "2d")
"""North can knock with 2. South can lay off 4c, Ks, 7d and then 8d; that reduces South's deadwood from 59 to 30."""

NOTHING_FITS = deck(f"{GIN_HAND} Qh", POOR_HAND, "2d")
ONLY_HARM_FITS = deck(f"{GIN_HAND} Qh", "7d 7h 7c 2h 4h 5s 9h Th 9s Jc", "2d")
"""North can knock with 2. Only 7d of South's cards can be laid off, and that breaks up three sevens."""

BIG_GIN = deck(f"{GIN_HAND} 7d", POOR_HAND, "Ks")
"""With the upcard, all eleven cards of North are melded."""

AT_THE_WALL = deck(POOR_HAND, f"{GIN_HAND} Qh", "2d")
"""South can knock at any time."""

TO_LAY_OFF = [Action.LAY_OFF, Action.LAY_OFF, Action.LAY_OFF, Action.LAY_OFF_ALL, Action.ASK_FIRST]
"""The buttons for a layoff when three cards fit."""


async def _knocks(scene: Scene) -> Message:
    """Have North knock, and return South's hand, in which South can lay off."""
    await scene.ask(scene.north, "take")
    await scene.ask(scene.north, "knock", card="Qh")
    await scene.quiet()
    return await scene.turn(scene.south)


async def _outcome(scene: Scene) -> Outcome:
    """Wait until the channel shows the result of the last deal, and return the outcome."""
    await scene.quiet()
    summary = await scene.alive.app.lookup.summary(MATCH)
    view = summary.deals[-1]
    post = next(post for post in reversed(scene.posts) if showdown_text.title(view, summary.match) in post.text)
    assert showdown_text.hands(Showdown(summary.match, view)) in post.text
    return view.outcome


async def _won(scene: Scene) -> tuple[int | None, OutcomeKind, int]:
    """Return the winner's id, the kind of outcome and the points of the last deal."""
    outcome = await _outcome(scene)
    assert outcome.winner is not None
    match = await scene.alive.app.lookup.info(MATCH)
    return match.players[outcome.winner].id, outcome.kind, outcome.points


def _is_unreadable(error: Refusal | str | None) -> bool:
    """Return True if a text was refused because it is not a card."""
    return isinstance(error, UserError) and error.text == unreadable_card(ENGLISH)


@pytest.mark.thorough
async def test_cards_are_laid_off_one_by_one(tmp_path: Path) -> None:
    """Each card that fits has a button. A second card that extends the same run gets one after the first."""
    async with at_table(tmp_path, LAY_OFFS, rules="standard") as scene:
        north, south = scene.north, scene.south
        hand = await _knocks(scene)
        assert buttons(hand) == TO_LAY_OFF
        shown = await scene.use(north, "gin hand", scene.channel)
        assert buttons(shown.message) == [Action.REFRESH_HAND, Action.GAMES]
        assert isinstance(await scene.refused(north, "layoff", cards="all"), NotYourTurn)
        await scene.press(south, hand, Action.LAY_OFF, "7d>4d5d6d")
        await scene.quiet()
        assert "7♦ on 4♦ 5♦ 6♦" in scene.table.text
        hand = await scene.turn(south)
        assert buttons(hand) == TO_LAY_OFF
        await scene.press(south, hand, Action.LAY_OFF, "8d>4d5d6d")
        await scene.press(south, await scene.turn(south), Action.ASK_FIRST)
        assert "2 cards" in hand.text
        await scene.press(south, hand, Action.FINISH_LAYING_OFF)
        assert [str(one) for one in (await _outcome(scene)).lay_offs] == ["7d>4d5d6d", "8d>4d5d6d"]
        assert await _won(scene) == (north.id, OutcomeKind.KNOCK, 52)


@pytest.mark.thorough
async def test_all_that_helps_is_laid_off_with_one_press(tmp_path: Path) -> None:
    """The button lays off every card that lowers the deadwood, and the deal ends."""
    async with at_table(tmp_path, LAY_OFFS, rules="standard") as scene:
        hand = await _knocks(scene)
        await scene.press(scene.south, hand, Action.LAY_OFF_ALL)
        assert len((await _outcome(scene)).lay_offs) == 4
        assert await _won(scene) == (scene.north.id, OutcomeKind.KNOCK, 38)


@pytest.mark.nightly
async def test_lay_offs_may_be_declined(tmp_path: Path) -> None:
    """A player may lay off nothing even if that costs points; a question asks for confirmation first."""
    async with at_table(tmp_path, LAY_OFFS, rules="standard") as scene:
        hand = await _knocks(scene)
        await scene.press(scene.south, hand, Action.ASK_FIRST)
        assert buttons(hand) == [Action.REFRESH_HAND, Action.FINISH_LAYING_OFF]
        await scene.press(scene.south, hand, Action.REFRESH_HAND)
        assert buttons(hand) == TO_LAY_OFF
        await scene.press(scene.south, hand, Action.ASK_FIRST)
        await scene.press(scene.south, hand, Action.FINISH_LAYING_OFF)
        assert (await _outcome(scene)).lay_offs == ()
        assert await _won(scene) == (scene.north.id, OutcomeKind.KNOCK, 67)


@pytest.mark.thorough
async def test_a_card_that_ones_own_meld_needs_is_laid_off_only_once_asked(tmp_path: Path) -> None:
    """If a layoff would only add deadwood, its button asks first, and the question names the cost."""
    async with at_table(tmp_path, ONLY_HARM_FITS, rules="standard") as scene:
        hand = await _knocks(scene)
        disabled = [one.action for one in controls(hand, disabled=True) if one not in [*controls(hand)]]
        assert disabled[-1] is Action.LAY_OFF_ALL
        assert buttons(hand) == [Action.ASK_FIRST, Action.FINISH_LAYING_OFF]
        assert "14 deadwood" not in hand.text
        await scene.press(scene.south, hand, Action.ASK_FIRST)
        assert "14 deadwood" in hand.text
        await scene.press(scene.south, hand, Action.REFRESH_HAND)
        await scene.press(scene.south, hand, Action.ASK_FIRST)
        await scene.press(scene.south, hand, Action.LAY_OFF)
        await scene.quiet()
        assert "7♦ on 4♦ 5♦ 6♦" in scene.table.text
        hand = await scene.turn(scene.south)
        await scene.press(scene.south, hand, Action.FINISH_LAYING_OFF)
        assert await _won(scene) == (scene.north.id, OutcomeKind.KNOCK, 61)


@pytest.mark.nightly
async def test_a_hand_that_fits_nowhere_is_shown(tmp_path: Path) -> None:
    """If no card can be laid off, the only button finishes the deal."""
    async with at_table(tmp_path, NOTHING_FITS, rules="standard") as scene:
        hand = await _knocks(scene)
        assert buttons(hand) == [Action.FINISH_LAYING_OFF]
        await scene.press(scene.south, hand, Action.FINISH_LAYING_OFF)
        assert await _won(scene) == (scene.north.id, OutcomeKind.KNOCK, 58)


@pytest.mark.thorough
async def test_lay_offs_by_command(tmp_path: Path) -> None:
    """Completions for *all*, *nothing* and each card name the points that they save; other input is refused.

    *nothing* finishes, and keeps the cards already laid off.
    """
    async with at_table(tmp_path, LAY_OFFS, LAY_OFFS, rules="standard") as scene:
        north, south = scene.north, scene.south

        async def offered(typed: str) -> list[tuple[str, str]]:
            asked = await south.complete("gin layoff", scene.channel, option="cards", value=typed)
            return [(choice["name"], choice["value"]) for choice in (await asked.answer()).choices]

        assert await offered("") == []
        await scene.ask(north, "take")
        assert await scene.refused(north, "layoff", cards="all") == "no-lay-off"
        assert await scene.refused(north, "layoff", cards="4c") == "drawn"
        await scene.ask(north, "knock", card="Qh")
        assert [value for _, value in await offered("")][:3] == ["all", "nothing", "4c>Ac2c3c"]
        assert [value for _, value in await offered("K♠")] == ["Ks>KcKdKh"]
        ((king, _),) = await offered("king")
        assert "10" in king
        for command in ("draw", "take", "gin", "big"):
            assert await scene.refused(south, command) in ("lay-off-first", "no-gin")
        assert await scene.refused(south, "layoff", cards="Jh") == "lay-off"
        for nonsense in ("banana", "7d 8d", "7d>banana"):
            assert _is_unreadable(await scene.refused(south, "layoff", cards=nonsense))
        assert "K♠" in await scene.ask(south, "layoff", cards="king of spades")
        assert "7♦" in await scene.ask(south, "layoff", cards="7d>4d5d6d")
        await scene.quiet()
        assert "K♠ on K♣ K♦ K♥" in scene.table.text
        await scene.ask(south, "layoff", cards="all")
        assert await _won(scene) == (north.id, OutcomeKind.KNOCK, 38)
        await scene.ask(south, "take")
        await scene.ask(south, "knock", card="Qh")
        await scene.ask(north, "layoff", cards="Nothing")
        assert await _won(scene) == (south.id, OutcomeKind.KNOCK, 67)


@pytest.mark.thorough
async def test_big_gin(tmp_path: Path) -> None:
    """With eleven melded cards, a button and a command lay down big gin; gin with a discard is offered too."""
    async with at_table(tmp_path, BIG_GIN, BIG_GIN, KNOCK_AT_ONCE, rules="big", target=1000) as scene:
        north, south = scene.north, scene.south
        assert await scene.refused(north, "big") == "offer"
        await scene.press(north, await scene.turn(north), Action.TAKE)
        hand = await scene.turn(north)
        assert ways(hand)[:2] == [Action.BIG_GIN, Action.GIN]
        await scene.press(north, hand, Action.BIG_GIN)
        assert await _won(scene) == (north.id, OutcomeKind.BIG_GIN, 91)
        assert (await _outcome(scene)).bonus == 31
        await scene.ask(south, "take")
        await scene.ask(south, "big")
        assert await _won(scene) == (south.id, OutcomeKind.BIG_GIN, 91)
        await scene.ask(north, "take")
        assert await scene.refused(north, "big") == "not-big-gin"


@pytest.mark.thorough
async def test_big_gin_where_the_rules_know_none(tmp_path: Path) -> None:
    """Without big gin in the rules, the same hand is gin, and `/gin big` is refused."""
    async with at_table(tmp_path, BIG_GIN) as scene:
        await scene.ask(scene.north, "take")
        await scene.quiet()
        assert Action.GIN in buttons(await scene.turn(scene.north))
        assert await scene.refused(scene.north, "big") == "no-big-gin"


@pytest.mark.thorough
async def test_a_knock_with_other_melds(tmp_path: Path) -> None:
    """The question and the command list each way to knock with its deadwood; the showdown uses the chosen melds."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE) as scene:
        worse = "Qh 4d5d6d/KcKdKh"
        for person in (scene.north, scene.south):
            await scene.ask(person, "take")
            await scene.quiet()
            hand = await scene.turn(person)
            assert actions_of(hand) >= TO_DISCARD
            await scene.press(person, hand, Action.OTHER_KNOCKS)
            chosen = hand.selects[0].options[1]
            assert chosen.value == worse
            assert "Q♥" in chosen.label
            assert "8" in chosen.label
            if person is scene.south:
                asked = await person.complete("gin knock", scene.channel, option="melds", value="", card="Qh")
                offered = (await asked.answer()).choices
                assert [(way["name"], way["value"]) for way in offered][1] == (chosen.label, worse)
                asked = await person.complete("gin knock", scene.channel, option="melds", value="", card="Kc")
                assert (await asked.answer()).choices == []
                assert await scene.refused(person, "knock", card="Qh", melds="Qh 2h3h4h") == "melds"
                assert _is_unreadable(await scene.refused(person, "knock", card="Qh", melds="banana"))
                await scene.ask(person, "knock", card="Qh", melds=worse)
            else:
                await scene.choose(person, hand, Action.KNOCK_WITH_MELDS, worse)
            outcome = await _outcome(scene)
            assert outcome.winner is not None
            assert "/".join(str(meld) for meld in outcome.hands[0].melds) == "4d5d6d/KcKdKh"
            assert outcome.deadwood[0] == 8
            assert await _won(scene) == (person.id, OutcomeKind.KNOCK, 52)


async def _to_the_wall(scene: Scene) -> None:
    """Have both players pass, then draw and discard the drawn card until two cards are left and it is South's turn."""
    turns = scene.alive.app.turns
    people = (person_of(scene.north), person_of(scene.south))
    for person in people:
        await turns.move(person.id, MATCH, PASS, interaction())
    for number in range(29):
        person = people[number % 2]
        hand = await turns.move(person.id, MATCH, DRAW, interaction())
        assert hand.view.new_card is not None
        await turns.move(person.id, MATCH, discard(hand.view.new_card), interaction())
    await scene.quiet()


@pytest.mark.nightly
async def test_the_wall(tmp_path: Path) -> None:
    """With two cards left in the stock, the last discard may be taken only to end the deal."""
    async with at_table(tmp_path, AT_THE_WALL, rules="tournament") as scene:
        south = scene.south
        await _to_the_wall(scene)
        hand = await scene.turn(south)
        assert buttons(hand) == [Action.TAKE, Action.PASS]
        for command, code in (("draw", "wall"), ("gin", "no-gin")):
            assert await scene.refused(south, command) == code
        await scene.press(south, hand, Action.TAKE)
        hand = await scene.turn(south)
        assert Action.DISCARD not in actions_of(hand)
        assert await scene.refused(south, "discard", card="Qh") == "wall"
        await scene.press(south, hand, Action.KNOCK)
        winner, kind, _ = await _won(scene)
        assert (winner, kind) == (south.id, OutcomeKind.KNOCK)


@pytest.mark.nightly
async def test_passing_at_the_wall_voids_the_deal(tmp_path: Path) -> None:
    """A pass at the wall scores nothing, and the same player deals again."""
    async with at_table(tmp_path, AT_THE_WALL, rules="tournament") as scene:
        await _to_the_wall(scene)
        await scene.ask(scene.south, "pass")
        outcome = await _outcome(scene)
        assert (outcome.kind, outcome.too_long) == (OutcomeKind.VOID, False)
        hand = await scene.alive.app.lookup.hand(PersonId(scene.south.id), MATCH)
        assert (hand.view.public.number, hand.view.public.dealer) == (2, hand.view.seat)

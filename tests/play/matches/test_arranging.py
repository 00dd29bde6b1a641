"""Cards in the order in which a player has arranged them."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import Card
from bot.model.appearance import ArrangedCards, HandOrder
from bot.model.ids import MatchId
from bot.model.people import Person
from bot.play.application import Application
from bot.play.refusals import MatchOver, NotSeated
from bot.store.database import Database
from tests.engine.decks import deck
from tests.helpers.clock import Clock
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import EAST, NORTH, SOUTH, Players, interaction

DECKS = [deck("Ac 2c 3c 4d 5d 6d Kc Kd Jh Qs", "2h 4h 6h 7h Th 2s 5s 7s 9s Jd", "Ks")] * 5
"""North acts first, and can knock after taking the king of spades."""
OWN_ORDER = tuple(map(Card.parse, ("Qs", "Kd", "Ac", "Kc", "2c", "3c", "Jh", "6d", "5d", "4d")))


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    return Application(database, shuffler=RiggedShuffler(*DECKS), clock=clock)


async def arranged(app: Application, match_id: MatchId, person: Person = NORTH) -> ArrangedCards:
    """Return a player's own order of their cards."""
    return (await app.lookup.hand(person.id, match_id)).arranged


async def test_an_order_lasts_until_the_end_of_the_deal(app: Application, players: Players, database: Database) -> None:
    """A player's own order survives moves and a restart, shows nowhere else, and ends with the deal."""
    match = await players.begin()
    before = (await app.lookup.table(match.id)).view
    hand = await app.arranging.arrange(NORTH.id, match.id, OWN_ORDER)
    assert (hand.arranged, hand.pictured.order) == (OWN_ORDER, OWN_ORDER)
    assert (await app.lookup.table(match.id)).view == before
    assert await arranged(app, match.id, SOUTH) == ()
    await players.move(match.id, "take")
    assert await arranged(Application(database), match.id) == OWN_ORDER
    await players.move(match.id, "k Qs")
    assert await arranged(app, match.id) == ()


async def test_an_order_can_be_changed_and_removed(app: Application, players: Players) -> None:
    """A new order replaces the old one, without cards that the player lacks, and no cards restore the preference."""
    match = await players.begin()
    await app.arranging.arrange(NORTH.id, match.id, OWN_ORDER)
    foreign = Card.parse("2h")
    assert (await app.arranging.arrange(NORTH.id, match.id, [foreign, *OWN_ORDER[::-1]])).arranged == OWN_ORDER[::-1]
    hand = await app.arranging.arrange(NORTH.id, match.id, ())
    assert (hand.arranged, hand.pictured.order) == ((), HandOrder.MELDS)


async def test_only_players_of_a_running_match_arrange_cards(app: Application, players: Players) -> None:
    """People without a hand, and players whose match is over, cannot arrange cards."""
    match = await players.begin()
    with pytest.raises(NotSeated):
        await app.arranging.arrange(EAST.id, match.id, OWN_ORDER)
    await app.endings.resign(NORTH.id, match.id, interaction())
    with pytest.raises(MatchOver):
        await app.arranging.arrange(NORTH.id, match.id, OWN_ORDER)


async def test_an_arranged_hand_is_exported(app: Application, players: Players) -> None:
    """The player's export has their own order, and the opponent's has not."""
    match = await players.begin()
    await app.arranging.arrange(NORTH.id, match.id, OWN_ORDER)
    own, others = [(await app.exports.export(person.id))["matches"][0]["arranged"] for person in (NORTH, SOUTH)]
    assert (own, others) == ([card.text for card in OWN_ORDER], [])

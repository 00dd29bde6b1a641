"""People's tries at the deal of the day: one for each person and day."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime

from bot.model.daily import LEVEL, PLAYER, DailyDeal, DailyServer, DailyTry, end_of, rules_of
from bot.model.ids import GuildId, InteractionId, PersonId
from bot.model.matches import MatchKind, MatchStatus, OwnHand, Terms
from bot.model.people import Person
from bot.model.statistics import Player
from bot.play.daily.days import DailyDeals, open_deal
from bot.play.loading.daily_streaks import streaks_of
from bot.play.loading.unit_of_work import UnitOfWork, Units, shielded
from bot.play.matches.lookup import load_hand
from bot.play.matches.match_writer import MatchService, MatchWriter
from bot.play.outbox.daily_reminders import withdraw_daily_reminder
from bot.play.refusals import NewDaily, TryCalledOff
from bot.store import daily, people


@dataclass(frozen=True, slots=True)
class OwnDaily:
    """Today's deal as a person sees it: their try, and their last one before; None if there is none.

    `streak` is the number of days in a row that they have finished, today included if they have. `servers` are those on
    which their last try before counted. They are only known in direct messages, where no result counts.
    """

    deal: DailyDeal
    own: DailyTry | None
    earlier: DailyTry | None
    streak: int
    servers: tuple[DailyServer, ...] = ()

    @property
    def ends_at(self) -> datetime:
        """The end of the day."""
        return end_of(self.deal.day)


@dataclass(frozen=True, slots=True)
class StartedTry:
    """The hand of a person's try at today's deal.

    The try `is_new` if it has just begun, and `is_new_here` if it had begun, but did not count on this server before.
    It `counts_here` if it counts on this server now. In direct messages, the last two are False.
    """

    hand: OwnHand
    is_new: bool
    is_new_here: bool
    counts_here: bool


class DailyTries(MatchService):
    """Begins people's tries at the deal of the day."""

    def __init__(self, units: Units, writer: MatchWriter, deals: DailyDeals) -> None:
        super().__init__(units, writer)
        self._deals = deals

    async def today(self, person_id: PersonId) -> OwnDaily:
        """Return today's deal and a person's try. Raise `NoDaily`."""
        await self._deals.begin_today()
        async with self._units.read() as unit:
            return await _today(unit, person_id)

    async def open(self, person_id: PersonId, guild_id: GuildId | None) -> OwnDaily:
        """Return today's deal and a person's try, and let the try count on the server unless they have finished it.

        In direct messages, `guild_id` is None. Raise `NoDaily`.
        """
        await self._deals.begin_today()
        if guild_id is not None:
            return await self._enter(person_id, guild_id)
        async with self._units.read() as unit:
            shown = await _today(unit, person_id)
            if shown.own is not None or shown.earlier is None:
                return shown
            return replace(shown, servers=await daily.servers_of(unit.transaction, shown.earlier.day, person_id))

    @shielded
    async def _enter(self, person_id: PersonId, guild_id: GuildId) -> OwnDaily:
        async with self._units.write() as unit:
            shown = await _today(unit, person_id)
            if shown.own is None:
                daily.add_entry(unit.transaction, guild_id, shown.deal.day, person_id)
            return shown

    async def start(
        self, person: Person, guild_id: GuildId | None, interaction_id: InteractionId, day: date | None = None
    ) -> StartedTry:
        """Begin a person's try at today's deal, or continue it.

        Raise `NoDaily`, `NewDaily` if today is not `day`, `TryCalledOff`, or `Damaged`.

        The try counts on the server from which the person plays, unless they finished it before they came there. None
        means that they play in direct messages.
        """
        await self._deals.begin_today()
        return await self._start(person, guild_id, interaction_id, day)

    @shielded
    async def _start(
        self, person: Person, guild_id: GuildId | None, interaction_id: InteractionId, day: date | None
    ) -> StartedTry:
        async with self._units.write() as unit:
            deal = await open_deal(unit)
            if day not in (None, deal.day):
                raise NewDaily
            people.save_name(unit.transaction, person, unit.now)
            own = await daily.find_try(unit.transaction, deal.day, person.id)
            if own is None:
                hand = await self._begin(unit, person, interaction_id, deal.day)
            elif own.was_called_off:
                raise TryCalledOff
            else:
                hand = await load_hand(unit, person.id, own.match_id)
            is_new = own is None
            if guild_id is None:
                return StartedTry(hand, is_new, is_new_here=False, counts_here=False)
            counted = not is_new and await daily.counts_on(unit.transaction, guild_id, deal.day, person.id)
            is_open = hand.match.status is MatchStatus.RUNNING
            if is_open and not counted:
                daily.add_entry(unit.transaction, guild_id, deal.day, person.id)
            is_new_here = is_open and not counted and not is_new
            return StartedTry(hand, is_new, is_new_here, counts_here=is_open or counted)

    async def _begin(self, unit: UnitOfWork, person: Person, interaction_id: InteractionId, day: date) -> OwnHand:
        rules = rules_of(day)
        terms = Terms(MatchKind.PRACTICE, None, None, rules.preset, rules)
        players = (Player.of(person), Player(None, None, LEVEL))
        loaded = await self._writer.start(unit, terms, players, interaction_id=interaction_id, day=day)
        daily.add_try(unit.transaction, day, person.id, loaded.info.id)
        await withdraw_daily_reminder(unit, person.id)
        return loaded.hand(PLAYER, unit.now)


async def _today(unit: UnitOfWork, person_id: PersonId) -> OwnDaily:
    deal = await open_deal(unit)
    own = await daily.find_try(unit.transaction, deal.day, person_id)
    earlier = await daily.last_try_before(unit.transaction, deal.day, person_id)
    if own is None and earlier is None:
        return OwnDaily(deal, None, None, streak=0)
    streaks = await streaks_of(unit.transaction, [person_id], deal.day)
    return OwnDaily(deal, own, earlier, streaks[person_id].current)

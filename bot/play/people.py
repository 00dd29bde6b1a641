"""People: what they prefer, what is kept of them, and forgetting them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, TypedDict, Unpack

from bot.engine.moves import Seat
from bot.engine.record import Record, parse_actions
from bot.play.boards import Board, Boards, seat_at
from bot.play.dealer import Dealer
from bot.play.invitations import invitation_of, revised
from bot.play.outbox import Outbox, tell_hands
from bot.play.rulebook import kept_rules
from bot.play.values import Challengers, ChallengeStatus, Look, MatchStatus, NoticeKind, Order, Preferences, Push
from bot.store import challenges, matches, notices, people
from bot.store.database import Database, Transaction
from bot.store.rows import ChallengeRow, PersonRow

TRY_AGAIN_AFTER: Final = timedelta(days=7)
"""Closed direct messages are remembered this long before an interaction of the person tries them again."""

_NAMES: Final = 10_000
"""So many names are remembered as known to the database already."""

_DEFAULTS: Final = Preferences(hand_by_dm=True, push=Push.DM, challengers=Challengers.ANYONE, dm_works=None)


_IN_HANDS: Final = frozenset(("hand_by_dm", "theme", "four_colours", "language", "hand_order", "pictures"))
"""The preferences that hands show."""


class Choice(TypedDict, total=False):
    """Preferences to change; those that are not given stay."""

    hand_by_dm: bool
    push: Push
    challengers: Challengers
    theme: str
    four_colours: bool
    language: str
    hand_order: Order
    pictures: bool


class People:
    """Everyone who used the bot."""

    def __init__(
        self, database: Database, boards: Boards, dealer: Dealer, outbox: Outbox, clock: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._boards = boards
        self._dealer = dealer
        self._outbox = outbox
        self._clock = clock
        self._names: dict[int, str] = {}

    async def refresh(self, person_id: int, name: str) -> None:
        """Keep up with the name of somebody who is known already."""
        if self._names.get(person_id) == name:
            return
        self._names[person_id] = name
        if len(self._names) > _NAMES:
            del self._names[next(iter(self._names))]
        await self._database.write(lambda transaction: people.change(transaction, person_id, name=name))

    async def preferences(self, person_id: int) -> Preferences:
        """What a person chose, or the defaults."""
        row = await self._database.read(lambda transaction: people.load(transaction, person_id))
        return _DEFAULTS if row is None else _preferences(row)

    async def prefer(self, person: tuple[int, str], **chosen: Unpack[Choice]) -> Preferences:
        """Change some preferences. Hands go out by direct message, or are taken back, as chosen.

        Those that are out already are shown anew where a change is to be seen in them.

        Who asks for direct messages has them tried again at once, however lately they were found closed.
        """
        values: dict[str, Any] = dict(chosen)
        asked = chosen.get("hand_by_dm") or chosen.get("push") in (Push.DM, Push.BOTH)
        if asked:
            values["dm_closed_at"] = None
        now = self._clock()

        async def work(transaction: Transaction) -> Preferences:
            await people.meet(transaction, *person, now)
            if values:
                await people.change(transaction, person[0], **values)
            if asked or not _IN_HANDS.isdisjoint(chosen):
                await tell_hands(transaction, person[0], now)
            row = await people.load(transaction, person[0])
            return _DEFAULTS if row is None else _preferences(row)

        return await self._outbox.write(work)

    async def may_open_dm(self, person_id: int) -> bool:
        """Whether to open a direct message channel in an interaction of this person: wanted, and none is known."""
        row = await self._database.read(lambda transaction: people.load(transaction, person_id))
        if row is None:
            return True
        if not row.hand_by_dm:
            return False
        if row.dm_closed_at is not None:
            return self._clock() - row.dm_closed_at >= TRY_AGAIN_AFTER
        return row.dm_channel_id is None

    async def dm_opened(self, person: tuple[int, str], channel_id: int) -> None:
        """A direct message channel to a person is known, and is worth a try: hands of running matches go there."""
        now = self._clock()

        async def work(transaction: Transaction) -> None:
            await people.meet(transaction, *person, now)
            await people.change(transaction, person[0], dm_channel_id=channel_id, dm_closed_at=None)
            await tell_hands(transaction, person[0], now)

        await self._outbox.write(work)

    async def dm_closed(self, person_id: int) -> None:
        """A person could not be reached by direct message."""
        now = self._clock()
        await self._database.write(lambda transaction: people.change(transaction, person_id, dm_closed_at=now))

    async def export(self, person_id: int) -> dict[str, Any]:
        """All that is kept of a person, as plain data; of a deal in play only what their seat has seen.

        What it leaves out are the ids of the bot's messages and of interactions. `times` has one entry for each action
        of a match, chance's too: those of the record first, then those of the deal in play.
        """

        async def work(transaction: Transaction) -> dict[str, Any]:
            row = await people.load(transaction, person_id)
            over = await matches.finished_of(transaction, person_id)
            running = await matches.running_of(transaction, person_id)
            boards = [await self._boards.of(transaction, match) for match in (*over, *running)]
            invitations = await challenges.concerning(transaction, person_id)
            return {
                "person": None if row is None else _exported(row),
                "challenges": [_invited(one) for one in invitations],
                "matches": [await self._exported_match(transaction, board, person_id) for board in boards],
            }

        return await self._database.read(work)

    async def _exported_match(self, transaction: Transaction, board: Board, person_id: int) -> dict[str, Any]:
        seat, row = seat_at(board, person_id), board.row
        over = row.status is not MatchStatus.RUNNING
        exported: dict[str, Any] = {
            "id": row.id,
            "server": row.guild_id,
            "channel": row.channel_id,
            "status": row.status,
            "seat": seat,
            "started": _iso(row.started_at),
            "moved": _iso(row.moved_at),
            "ended": _iso(row.ended_at),
            "wish": row.seats[seat].wants,
            "times": [_iso(time) for time in await matches.times(transaction, row.id)],
            "record": await self._record(transaction, board),
        }
        if not over:
            exported["deal_in_play"] = _seen(board, seat)
        return exported

    async def _record(self, transaction: Transaction, board: Board) -> str:
        """The match's record, without a deal whose cards are not all open yet."""
        row, score = board.row, board.match.score
        if board.running:
            known = await matches.actions_of(transaction, row.id, board.open_deals)
        else:
            known = await matches.actions(transaction, row.id)
        actions = parse_actions("\n".join(known))
        result = score.totals if score.over else ()
        return str(Record(kept_rules(row.rules), actions, day=row.started_at.date(), result=result))

    async def forget(self, person_id: int) -> int:
        """Forget a person: running matches are resigned, invitations go, finished matches keep an anonymous seat.

        In a lobby of somebody else their place is open to anyone.

        Returns:
            How many running matches were resigned.
        """

        async def work(transaction: Transaction) -> list[Board]:
            resigned: list[Board] = []
            for row in await matches.running_of(transaction, person_id):
                board = await self._boards.of(transaction, row)
                resigned.append(await self._dealer.resign(transaction, board, seat_at(board, person_id), None))
            for row in await challenges.concerning(transaction, person_id):
                await self._left(transaction, row, person_id)
            await people.forget(transaction, person_id)
            return resigned

        resigned = await self._outbox.write(work)
        self._names.pop(person_id, None)
        for board in resigned:
            self._boards.keep(board)
        return len(resigned)

    async def _left(self, transaction: Transaction, row: ChallengeRow, person_id: int) -> None:
        """Take a person who is to be forgotten out of an invitation; without them it may be gone."""
        pending = row.status is ChallengeStatus.PENDING
        if row.challenger_id != person_id and (await invitation_of(transaction, row)).is_lobby:
            await challenges.unseat(transaction, row.id, person_id)
            if pending:
                await revised(transaction, row.id, self._clock())
            return
        if pending:
            await notices.dismiss(transaction, NoticeKind.CHALLENGE, row.id, row.revision + 1, self._clock())
        await challenges.remove(transaction, row.id)


def _preferences(row: PersonRow) -> Preferences:
    works = None if row.dm_channel_id is None and row.dm_closed_at is None else row.dm_closed_at is None
    look = Look(row.theme, row.four_colours, row.language)
    return Preferences(
        row.hand_by_dm,
        Push(row.push),
        Challengers(row.challengers),
        works,
        look,
        Order(row.hand_order),
        row.pictures,
    )


def _exported(row: PersonRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "hand_by_dm": row.hand_by_dm,
        "push": row.push,
        "challengers": row.challengers,
        "theme": row.theme,
        "four_colours": row.four_colours,
        "language": row.language,
        "hand_order": row.hand_order,
        "pictures": row.pictures,
        "dm_channel": row.dm_channel_id,
        "dm_closed": _iso(row.dm_closed_at),
        "seen": _iso(row.seen_at),
    }


def _invited(row: ChallengeRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "server": row.guild_id,
        "channel": row.channel_id,
        "challenger": row.challenger_id,
        "players": [guest.person_id for guest in row.guests if guest.joined],
        "named": [guest.person_id for guest in row.guests if not guest.joined],
        "rules": row.rules,
        "status": row.status,
        "created": _iso(row.created_at),
        "expires": _iso(row.expires_at),
    }


def _seen(board: Board, seat: Seat) -> dict[str, Any]:
    """What a seat has seen of the deal in play: its own cards, and what happened in the open."""
    view = board.hand(seat, board.row.moved_at).view
    return {
        "deal": view.public.number,
        "dealer": view.public.dealer,
        "hand": str(view.hand),
        "discards": " ".join(map(str, view.public.discards)),
        "moves": [
            " ".join(filter(None, (str(one.seat), one.verb, one.card and str(one.card)))) for one in view.public.history
        ],
    }


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()

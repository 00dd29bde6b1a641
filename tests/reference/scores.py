"""A reference that computes the score of a printed record without the engine, as a check of replays.

It follows a record line by line, like a person with a score sheet. It computes the dealer of each deal, plays the deal
with `tests.reference.deals`, and enters the points.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from tests.reference.deals import Deal, Rules, order, parse_melds

DEFAULTS = """format=duel cards_dealt=10 first_dealer=lowest_card next_dealer=alternate void_redeal=same_dealer
    knock_limit=10 oklahoma_ace=gin_only spade_doubles=off oklahoma_boxes=off opening=offer discard_drawn=not_from_pile
    gin_bonus=25 undercut_bonus=25 big_gin_bonus=off undercut_on_tie=on lay_off=on lay_off_mode=automatic
    lay_off_chain=on last_discard=void stock_out=void target=100 deals=none game_bonus=100 line_bonus=20
    line_credit=at_end shutout=off shutout_needs=loser_won_none winner=highest_total scoring=single aces=low"""

PRESETS = {
    "classic": "",
    "standard": "lay_off_mode=manual",
    "strict": "undercut_on_tie=off discard_drawn=never next_dealer=loser line_bonus=25 shutout=plus_100"
    " lay_off_mode=manual",
    "express": "big_gin_bonus=30",
    "big": "big_gin_bonus=31 line_bonus=25 shutout=double_deals shutout_needs=winner_won_all lay_off_mode=manual"
    " opening=offer_then_free",
    "penalty": "format=penalty cards_dealt=7 undercut_on_tie=off stock_out=reshuffle lay_off_chain=off game_bonus=0"
    " line_bonus=0 opening=free",
    "oklahoma": "knock_limit=upcard target=150",
    "quick": "lay_off=off",
    "free_discard": "discard_drawn=free",
    "low": "gin_bonus=20 undercut_bonus=10",
    "even": "gin_bonus=20 undercut_bonus=20",
    "blitz": "shutout=double_score",
    "traditional": "gin_bonus=20 undercut_bonus=10 line_bonus=20 shutout=game_bonus_doubled next_dealer=winner"
    " winner=first_to_target",
    "tournament": "last_discard=may_go_out discard_drawn=free",
    "research": "line_bonus=0 game_bonus=0",
    "straight": "knock_limit=0",
    "hollywood": "scoring=hollywood target=150",
    "round_the_corner": "aces=round_the_corner",
    "rotation": "format=rotation",
    "strict_rotation": "format=rotation undercut_on_tie=off discard_drawn=never line_bonus=25 shutout=plus_100"
    " lay_off_mode=manual",
    "winner_stays": "format=winner_stays next_dealer=loser",
    "partners": "format=partners target=125",
    "strict_partners": "format=partners undercut_on_tie=off discard_drawn=never line_bonus=25 shutout=plus_100"
    " lay_off_mode=manual",
}

Json = dict[str, Any]


def options(text: str) -> dict[str, str]:
    """Parse rules, a preset followed by differences, such as `low target=60`. Return every option's value as text."""
    preset, *changes = text.split()
    words = [*DEFAULTS.split(), *PRESETS[preset].split(), *changes]
    return dict(word.split("=") for word in words)  # type: ignore[misc]


@dataclass
class ScoreSheet:
    """The score sheet of one game between sides."""

    rules: Rules
    sides: int
    scores: list[int] = field(default_factory=list[int])
    boxes: list[int] = field(default_factory=list[int])
    won: list[int] = field(default_factory=list[int])
    has_void_deal: bool = False
    """True after a void or tied deal, which may spoil a shutout."""
    is_over: bool = False
    leader: int | None = None
    """The side that gets the game bonus."""

    def __post_init__(self) -> None:
        self.scores, self.boxes, self.won = ([0] * self.sides for _ in range(3))

    def number_option(self, option: str) -> int:
        """Return the value of a numeric option."""
        return int(self.rules[option])

    def enter(self, side: int, points: int, boxes: int) -> None:
        assert not self.is_over
        self.scores[side] += points
        self.boxes[side] += boxes
        self.won[side] += 1
        if self.rules["target"] != "none" and max(self.counted_points) >= self.number_option("target"):
            self.is_over, self.leader = True, side
        elif self.rules["deals"] != "none" and sum(self.won) == self.number_option("deals"):
            self.is_over, self.leader = True, unique_best(self.counted_points)

    @property
    def counted_points(self) -> list[int]:
        """The points that count towards the target."""
        lines = self.number_option("line_bonus") if self.rules["line_credit"] == "at_once" else 0
        return [score + lines * boxes for score, boxes in zip(self.scores, self.boxes, strict=True)]

    def bonuses(self) -> dict[str, list[int]]:
        """Return the line bonuses so far, and the game and shutout bonuses after the game."""
        game, shutout = [0] * self.sides, [0] * self.sides
        if self.leader is not None:
            game[self.leader] = self.number_option("game_bonus")
            lost = sum(self.won) - self.won[self.leader]
            spoiled = self.has_void_deal and self.rules["shutout_needs"] == "winner_won_all"
            if lost == 0 and not spoiled:
                deals, bonus = self.scores[self.leader], self.number_option("game_bonus")
                shutout[self.leader] = {
                    "off": 0,
                    "plus_100": 100,
                    "game_bonus_doubled": bonus,
                    "double_deals": deals,
                    "double_score": deals + bonus,
                }[self.rules["shutout"]]
        line = [boxes * self.number_option("line_bonus") for boxes in self.boxes]
        return {"line": line, "game": game, "shutout": shutout}

    def to_json(self) -> Json:
        """Return the sheet with totals, winner and margin."""
        added = with_totals(self.scores, self.bonuses())
        totals: list[int] = added["totals"]
        won = list(zip(totals, self.scores, self.won, strict=True))
        winner = unique_best(won) if self.is_over else None
        if self.rules["winner"] == "first_to_target" and max(self.counted_points) >= self.number_option("target"):
            winner = self.leader
        return added | winner_and_margin(totals, winner, self.is_over)


def unique_best(values: list[Any]) -> int | None:
    """Return the index of the greatest value, or None if it is shared."""
    best = max(values)
    return values.index(best) if values.count(best) == 1 else None


def with_totals(scores: list[int], bonuses: dict[str, list[int]]) -> Json:
    """Return the scores and bonuses with their totals."""
    totals = [sum(column) for column in zip(scores, *bonuses.values(), strict=True)]
    return {"scores": scores, "bonuses": bonuses, "totals": totals}


def winner_and_margin(totals: list[int], winner: int | None, over: bool, best: Any = max) -> Json:
    """Return the winner, and the margin over the best other total."""
    margin = 0 if over else None
    if winner is not None:
        margin = totals[winner] - best(total for side, total in enumerate(totals) if side != winner)
    return {"winner": winner, "margin": margin}


class ReferenceMatch:
    """A match that is played by following its record, action by action."""

    def __init__(self, rules: str, seats: int) -> None:
        self.rules, self.seats = options(rules), seats
        if seats == 2:
            self.rules["cards_dealt"] = "10"
        self.sides = 2 if self.partners else seats
        self.sheets = [
            ScoreSheet(self.rules, self.sides) for _ in range(3 if self.rules["scoring"] == "hollywood" else 1)
        ]
        self.wins = [0] * self.sides
        self.penalty_points = [0] * self.sides
        self.rows: list[Json] = []
        self.boards: dict[int, tuple[Deal, Json]] = {}
        self.round: list[tuple[Deal, Json]] = []
        self.first_dealer: int | None = {"challenger": 0, "challenged": 1}.get(self.rules["first_dealer"])
        self.due_deals = self.next_deals(None)
        self.loser: int | None = None
        """The seat that resigned or lost on time."""
        self.lost_on_time = False
        self.replaced_seats: list[int] = []
        """The seats that a computer took over."""

    @property
    def partners(self) -> bool:
        return self.rules["format"] == "partners"

    @property
    def is_over(self) -> bool:
        if self.loser is not None:
            return True
        if self.rules["format"] != "penalty":
            return all(sheet.is_over for sheet in self.sheets)
        target, deals = self.rules["target"], self.rules["deals"]
        return (target != "none" and max(self.penalty_points) >= int(target)) or (
            deals != "none" and sum(self.wins) == int(deals)
        )

    def to_json(self) -> Json:
        """Return the expected output of a replay."""
        if self.rules["format"] == "penalty":
            none = [0] * self.seats
            counted = with_totals(self.penalty_points, {"line": none, "game": none, "shutout": none})
            best = unique_best([(-fine, wins) for fine, wins in zip(self.penalty_points, self.wins, strict=True)])
            counted |= winner_and_margin(self.penalty_points, best if self.is_over else None, self.is_over, best=min)
        elif len(self.sheets) == 1:
            counted = self.sheets[0].to_json()
        else:
            columns = [sheet.to_json() for sheet in self.sheets]
            scores = [sum(numbers) for numbers in zip(*(column["scores"] for column in columns), strict=True)]
            bonuses = {
                name: [sum(numbers) for numbers in zip(*(column["bonuses"][name] for column in columns), strict=True)]
                for name in ("line", "game", "shutout")
            }
            counted = with_totals(scores, bonuses)
            best = unique_best(list(zip(counted["totals"], scores, self.wins, strict=True)))
            counted |= winner_and_margin(counted["totals"], best if self.is_over else None, self.is_over) | {
                "columns": columns
            }
        if self.loser is not None:
            counted = self._after_forfeit(counted, self.loser)
        rows = sorted(self.rows, key=lambda row: (row["deal"], row.get("board", 1)))
        ended = {"resigned": None, "lost_on_time": self.loser} if self.lost_on_time else {"resigned": self.loser}
        return {"deals": rows, **counted, **ended} | ({"replaced": self.replaced_seats} if self.replaced_seats else {})

    def _after_forfeit(self, counted: Json, seat: int) -> Json:
        """Keep all points and finished games. With two sides, the other side wins; with more, nobody does."""
        loser = seat % 2 if self.partners else seat
        winner = 1 - loser if self.sides == 2 else None
        margin = None if winner is None else counted["totals"][winner] - counted["totals"][loser]
        return counted | {"winner": winner, "margin": margin}

    def next_deals(self, last: Json | None) -> list[tuple[int, int | None, int]]:
        """Return the next deals: number, dealer (None if the record decides) and board."""
        number = last["deal"] + 1 if last else 1
        if self.partners:
            return [(number, None, 1), (number, None, 2)]
        if last is None:
            return [(number, self.first_dealer, 1)]
        next_seat = (last["dealer"] + 1) % self.seats
        winner: int | None = last["winner"]
        losers = [seat for seat in last["seats"] if seat != winner]
        if self.rules["format"] == "winner_stays":
            dealer = last["dealer"] if winner is None else losers[0]
        elif winner is None:
            dealer = last["dealer"] if self.rules["void_redeal"] == "same_dealer" else next_seat
        else:
            dealer = {"alternate": next_seat, "winner": winner, "loser": losers[0]}[self.rules["next_dealer"]]
        return [(number, dealer, 1)]

    def players(self, number: int, dealer: int, board: int) -> list[int]:
        """Return the seats that play a deal, starting after the dealer. A dealer who sits out is not included."""
        if self.partners:
            pairs = [{0, 1}, {2, 3}] if number % 2 else [{0, 3}, {1, 2}]
            (other,) = next(pair for pair in pairs if dealer in pair) - {dealer}
            assert (0 in (dealer, other)) == (board == 1)
            return [other, dealer]
        order = [(dealer + step) % self.seats for step in range(1, self.seats + 1)]
        return order[:2] if self.rules["format"] in ("rotation", "winner_stays") else order

    def legal(self, seat: int) -> set[str]:
        """Return a seat's moves in canonical notation, without forfeits; none outside the seat's turn."""
        for deal, row in self.boards.values():
            if row["seats"][deal.turn] == seat and not self.is_over:
                return deal.legal()
        return set()

    def apply(self, body: list[str]) -> None:
        """Apply the next action. Its words are removed from the front of `body`."""
        assert not self.is_over
        word = body.pop(0)
        number = body.pop(0) if word == "deal" else "0"
        options: dict[str, str] = {}
        while body and "=" in body[0]:
            key, _, value = body.pop(0).partition("=")
            options[key] = value
        if word == "cut":
            assert self.rules["first_dealer"] == "lowest_card"
            assert not self.rows
            drawn = {int(seat): order(card) for seat, card in options.items()}
            self.first_dealer = min(drawn, key=lambda seat: drawn[seat])
            self.due_deals = self.next_deals(None)
        elif word == "deal":
            self._deal(int(number), options)
        elif word == "stock":
            (deal,) = [deal for deal, _ in self.boards.values() if deal.phase == "stock"]
            deal.reshuffle(parse_melds(body.pop(0))[0])
        elif word == "replace":
            self.replaced_seats = sorted([*self.replaced_seats, int(body.pop(0))])
        else:
            self._move(int(word), body)

    def _deal(self, number: int, options: dict[str, str]) -> None:
        dealer, board = int(options["dealer"]), int(options.get("board", "1"))
        (due,) = [due_deal for due_deal in self.due_deals if due_deal[::2] == (number, board)]
        assert due[1] in (None, dealer)
        if self.partners:
            first = dealer if self.first_dealer is None else self.first_dealer
            self.first_dealer = first
            assert dealer % 2 == (first + number - 1) % 2
        self.due_deals.remove(due)
        seats = self.players(number, dealer, board)
        assert "seats" not in options or options["seats"] == ",".join(map(str, seats))
        deal = Deal(parse_melds(options["deck"])[0], self.rules, len(seats))
        row: Json = {"deal": number, "dealer": dealer, "seats": seats, "winner": None, "kind": "unfinished"}
        row |= {"deadwood": [None] * self.seats, "points": 0} | ({"board": board} if self.partners else {})
        self.rows.append(row)
        self.boards[board] = deal, row

    def _move(self, seat: int, body: list[str]) -> None:
        words = [body.pop(0)]
        if words[0] in ("x", "k", "l"):
            words.append(body.pop(0))
        if words[0] in ("k", "m") and body and re.match(r"[A2-9TJQK][cdhs]|-", body[0]):
            words.append(body.pop(0))
        if words in (["resign"], ["time"]):
            self.loser, self.lost_on_time = seat, words == ["time"]
            return
        ((board, (deal, row)),) = [item for item in self.boards.items() if seat in item[1][1]["seats"]]
        assert row["seats"][deal.turn] == seat
        deal.play(" ".join(words))
        if deal.kind is not None:
            row["kind"] = deal.kind
            row["winner"] = None if deal.winner is None else row["seats"][deal.winner]
            row["points"] = sum(deal.charges) if self.rules["format"] == "penalty" else deal.points
            for index, deadwood in enumerate(deal.deadwood):
                row["deadwood"][row["seats"][index]] = deadwood
            self.round.append(self.boards.pop(board))
            if not self.boards and not self.due_deals:
                self._enter(self.round)
                self.round = []
                self.due_deals = [] if self.is_over else self.next_deals(row)

    def _enter(self, deals: list[tuple[Deal, Json]]) -> None:
        """Add a finished deal, or a finished round of two boards, to the scores."""
        side: int | None = deals[0][1]["winner"]
        points, boxes = deals[0][0].points, deals[0][0].boxes
        if self.partners:
            teams = [sum(row["points"] for _, row in deals if (row["winner"] or 0) % 2 == team) for team in (0, 1)]
            side, points, boxes = unique_best(teams), abs(teams[0] - teams[1]), 1
        spoiled = any(row["winner"] is None for _, row in deals)
        still_open = [sheet for sheet in self.sheets if not sheet.is_over]
        for sheet in still_open:
            sheet.has_void_deal |= spoiled or side is None
        for deal, row in deals:
            for index, charge in enumerate(deal.charges):
                self.penalty_points[row["seats"][index] % self.sides] += charge
        if side is not None:
            self.wins[side] += 1
            if self.rules["format"] != "penalty":
                for sheet in still_open[: self.wins[side]]:
                    sheet.enter(side, points, boxes)


def expected_json(text: str) -> Json:
    """Return the expected output of a replay of a printed record.

    The record must name the players, or contain an action of every seat. Seeds, reveals and event numbers do not affect
    a match and are ignored.
    """
    headers = {name: json.loads(value) for name, value in re.findall(r'^\[(\w+) (".*")\]$', text, re.MULTILINE)}
    body = re.sub(r"^\[.*\]$|;.*$|^(seed|reveal) .*$|\bevent=\d+", "", text, flags=re.MULTILINE)
    names = [name for name in headers if re.fullmatch(r"Seat\d", name)]
    acting_seats = [int(seat) for seat in re.findall(r"\b(\d) (?!dealer)[a-z]", body)]
    match, words = ReferenceMatch(headers["Rules"], len(names) or max([1, *acting_seats]) + 1), body.split()
    while words:
        match.apply(words)
    return match.to_json()

"""Every knob of the rules as one frozen value, and the presets as rows of data.

A `Rules` value is always sound: its values are in range and make sense together, and so the engine can play it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, Final, Literal, cast

from bot.engine.errors import NotationError, RulesError

Value = int | str | bool | None

_NUMBER: Final = "a whole number"
_POINTS: Final = range(1001)
_SWITCH: Final = (False, True)


@dataclass(frozen=True, slots=True)
class Knob:
    """What one knob may be."""

    names: tuple[str | bool | None, ...] = ()
    """The values that are not numbers; a switch has False and True, "none" and "off" for a number are None."""
    numbers: range = range(0)
    nothing: str = "none"
    """How None is written: "none" or "off"."""

    def allows(self, value: Value) -> bool:
        """Whether the value is one of the knob's."""
        if isinstance(value, bool) or value is None or isinstance(value, str):
            return any(value is name or value == name for name in self.names if type(value) is type(name))
        return value in self.numbers

    def print(self, value: Value) -> str:
        """The value in notation: `on`, `off`, `none`, a number or a name."""
        if value is None:
            return self.nothing
        if isinstance(value, bool):
            return "on" if value else "off"
        return str(value)

    def parse(self, text: str) -> Value:
        """Read a value.

        Raises:
            NotationError: the text is none of the knob's values.
        """
        for name in self.names:
            if self.print(name) == text:
                return name
        if re.fullmatch("[0-9]{1,5}", text) and int(text) in self.numbers:
            return int(text)
        raise NotationError("knob-value", f"{text!r} is not {self.choices}")

    @property
    def choices(self) -> str:
        """The values in words: `on or off`, `0 to 1000 or upcard`."""
        few = len(self.numbers) <= 2
        numbers = map(str, self.numbers) if few else [f"{self.numbers[0]} to {self.numbers[-1]}"]
        return " or ".join((*numbers, *map(self.print, self.names)))


KNOBS: Final[Mapping[str, Knob]] = MappingProxyType(
    {
        "format": Knob(("duel", "rotation", "winner_stays", "partners", "penalty")),
        "cards_dealt": Knob(numbers=range(7, 11, 3)),
        "first_dealer": Knob(("lowest_card", "random", "challenged", "challenger")),
        "next_dealer": Knob(("loser", "winner", "alternate")),
        "void_redeal": Knob(("same_dealer", "deal_passes")),
        "knock_limit": Knob(("upcard",), range(101)),
        "oklahoma_ace": Knob(("gin_only",), range(1, 2)),
        "spade_doubles": Knob(_SWITCH),
        "oklahoma_boxes": Knob(_SWITCH),
        "discard_drawn": Knob(("free", "not_from_pile", "never")),
        "gin_bonus": Knob(numbers=_POINTS),
        "undercut_bonus": Knob(numbers=_POINTS),
        "big_gin_bonus": Knob((None,), range(1, 1001), nothing="off"),
        "undercut_on_tie": Knob(_SWITCH),
        "lay_off": Knob(_SWITCH),
        "lay_off_mode": Knob(("automatic", "manual")),
        "lay_off_chain": Knob(_SWITCH),
        "last_discard": Knob(("void", "may_go_out")),
        "stock_out": Knob(("void", "reshuffle")),
        "target": Knob((None,), range(1, 10_001)),
        "deals": Knob((None,), range(1, 1001)),
        "game_bonus": Knob(numbers=_POINTS),
        "line_bonus": Knob(numbers=_POINTS),
        "line_credit": Knob(("at_end", "at_once")),
        "shutout": Knob(
            (False, "plus_100", "game_bonus_doubled", "double_deals", "double_score"),
        ),
        "shutout_needs": Knob(("loser_won_none", "winner_won_all")),
        "winner": Knob(("highest_total", "first_to_target")),
        "scoring": Knob(("single", "hollywood")),
        "aces": Knob(("low", "high_low", "round_the_corner")),
    }
)
"""Every knob of the rules by its name, in the order of `Rules`'s fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One agreed system of rules; the defaults are version 1 of `classic`. Points are whole numbers.

    Raises:
        RulesError: a value is out of range, or values do not make sense together.
    """

    format: Literal["duel", "rotation", "winner_stays", "partners", "penalty"] = "duel"
    cards_dealt: Literal[7, 10] = 10
    """7 is for three or four at one table; two are dealt ten all the same."""
    first_dealer: Literal["lowest_card", "random", "challenged", "challenger"] = "lowest_card"
    next_dealer: Literal["loser", "winner", "alternate"] = "alternate"
    void_redeal: Literal["same_dealer", "deal_passes"] = "same_dealer"
    knock_limit: int | Literal["upcard"] = 10
    oklahoma_ace: Literal[1, "gin_only"] = "gin_only"
    spade_doubles: bool = False
    oklahoma_boxes: bool = False
    discard_drawn: Literal["free", "not_from_pile", "never"] = "not_from_pile"
    gin_bonus: int = 25
    undercut_bonus: int = 25
    big_gin_bonus: int | None = None
    undercut_on_tie: bool = True
    lay_off: bool = True
    lay_off_mode: Literal["automatic", "manual"] = "automatic"
    lay_off_chain: bool = True
    last_discard: Literal["void", "may_go_out"] = "void"
    stock_out: Literal["void", "reshuffle"] = "void"
    target: int | None = 100
    deals: int | None = None
    game_bonus: int = 100
    line_bonus: int = 20
    line_credit: Literal["at_end", "at_once"] = "at_end"
    shutout: Literal[False, "plus_100", "game_bonus_doubled", "double_deals", "double_score"] = False
    shutout_needs: Literal["loser_won_none", "winner_won_all"] = "loser_won_none"
    winner: Literal["highest_total", "first_to_target"] = "highest_total"
    scoring: Literal["single", "hollywood"] = "single"
    aces: Literal["low", "high_low", "round_the_corner"] = "low"
    preset: str = "classic"
    """The row of `PRESETS` these rules started from: a name for people, without effect on play."""

    def __post_init__(self) -> None:
        for name, knob in KNOBS.items():
            value: Value = getattr(self, name)
            if not knob.allows(value):
                raise RulesError("knob-value", f"{name}={knob.print(value)} is out of range: it is {knob.choices}")
        if self.preset not in PRESETS:
            raise RulesError("preset", f"there is no preset {self.preset!r}")
        for senseless, reason in self._conflicts():
            if senseless:
                raise RulesError("knobs-conflict", reason)

    def _conflicts(self) -> Iterator[tuple[bool, str]]:
        """What makes no sense together, each with the reason why not."""
        oklahoma = self.knock_limit == "upcard"
        duel, penalty = self.format == "duel", self.format == "penalty"
        yield self.target is None and self.deals is None, "target=none needs deals=N, or the match never ends"
        yield self.target is None and self.winner == "first_to_target", "winner=first_to_target needs a target"
        yield self.cards_dealt == 7 and not penalty, "cards_dealt=7 is for three or four at one table: format=penalty"
        yield self.spade_doubles and not oklahoma, "spade_doubles=on needs knock_limit=upcard"
        yield self.oklahoma_boxes and not oklahoma, "oklahoma_boxes=on needs knock_limit=upcard"
        yield self.oklahoma_ace == 1 and not oklahoma, "oklahoma_ace=1 needs knock_limit=upcard"
        yield not self.lay_off and self.lay_off_mode == "manual", "lay_off_mode=manual needs lay_off=on"
        wall = self.last_discard == "may_go_out"
        yield wall and self.stock_out == "reshuffle", "a stock that is reshuffled has no wall"
        yield wall and penalty, "last_discard=may_go_out is for two at a table"
        yield not duel and self.first_dealer.startswith("challenge"), f"first_dealer={self.first_dealer} is for two"
        if self.format == "winner_stays":
            yield self.next_dealer != "loser", "format=winner_stays has the loser deal: next_dealer=loser"
        else:
            yield not duel and self.next_dealer != "alternate", f"format={self.format} has the deal pass on"
        if self.format in ("winner_stays", "partners"):
            passes = self.void_redeal == "deal_passes"
            yield passes, f"format={self.format} says who deals after a void deal: void_redeal=same_dealer"
        yield self.oklahoma_boxes and self.format == "partners", "a round of partners has one box: oklahoma_boxes=off"
        if self.scoring == "hollywood":
            yield not duel, "scoring=hollywood is for format=duel"
            yield self.target is None or self.deals is not None, "scoring=hollywood ends by its target alone"
            yield self.line_credit == "at_once", "scoring=hollywood adds lines at the end"
            yield self.winner == "first_to_target", "scoring=hollywood is decided by the sum of its columns"
        if penalty:
            bonuses = self.game_bonus or self.line_bonus or self.shutout or self.oklahoma_boxes
            yield bool(bonuses), "penalty points know no game, line or shutout bonus"
            yield self.winner == "first_to_target", "penalty points are won by the fewest"
        yield (
            self.preset == "express" and self.lay_off_mode == "manual",
            "express always lays off at once: lay_off_mode=automatic",
        )

    @staticmethod
    def parse(text: str) -> Rules:
        """Read rules: a preset, then `knob=value` for each that differs, as `classic target=150`.

        Raises:
            NotationError: an unknown preset or knob, a knob twice, or a value that is none of the knob's.
            RulesError: the values do not make sense together.
        """
        preset, *changes = text.split() or [""]
        if preset not in PRESETS:
            raise NotationError("preset", f"{preset!r} is no preset: {', '.join(PRESETS)}")
        values: dict[str, Any] = dict(PRESETS[preset])
        seen: set[str] = set()
        for change in changes:
            name, _, value = change.partition("=")
            if name not in KNOBS or name in seen:
                none = f"not among what rules are made of: {', '.join(KNOBS)}"
                raise NotationError("knob", f"{name!r} is {'there twice' if name in seen else none}")
            seen.add(name)
            try:
                values[name] = KNOBS[name].parse(value)
            except NotationError as error:
                raise NotationError(error.code, f"{change!r}: {error}") from None
        return Rules(**values, preset=preset)

    def __str__(self) -> str:
        changed = [
            f"{field.name}={KNOBS[field.name].print(getattr(self, field.name))}"
            for field in fields(self)
            if field.name in KNOBS and self._is_worth_saying(field.name, cast(Value, field.default))
        ]
        return " ".join((self.preset, *changed))

    def _is_worth_saying(self, name: str, default: Value) -> bool:
        """Say what differs from the defaults, so that no later change of a preset reaches an old record, and what the
        preset sets and these rules set back."""
        value: Value = getattr(self, name)
        return value != default or PRESETS[self.preset].get(name, default) != value


PRESETS: Final[Mapping[str, Mapping[str, Value]]] = MappingProxyType(
    {
        "classic": {},
        "standard": {"lay_off_mode": "manual"},
        "strict": {
            "undercut_on_tie": False,
            "discard_drawn": "never",
            "next_dealer": "loser",
            "line_bonus": 25,
            "shutout": "plus_100",
            "lay_off_mode": "manual",
        },
        "express": {"big_gin_bonus": 30},
        "big": {
            "big_gin_bonus": 31,
            "line_bonus": 25,
            "shutout": "double_deals",
            "shutout_needs": "winner_won_all",
            "lay_off_mode": "manual",
        },
        "penalty": {
            "format": "penalty",
            "cards_dealt": 7,
            "undercut_on_tie": False,
            "lay_off_chain": False,
            "stock_out": "reshuffle",
            "game_bonus": 0,
            "line_bonus": 0,
        },
        "oklahoma": {"knock_limit": "upcard", "target": 150},
        "quick": {"lay_off": False},
        "free_discard": {"discard_drawn": "free"},
        "low": {"gin_bonus": 20, "undercut_bonus": 10},
        "even": {"gin_bonus": 20, "undercut_bonus": 20},
        "blitz": {"shutout": "double_score"},
        "traditional": {
            "gin_bonus": 20,
            "undercut_bonus": 10,
            "shutout": "game_bonus_doubled",
            "next_dealer": "winner",
            "winner": "first_to_target",
        },
        "tournament": {"last_discard": "may_go_out", "discard_drawn": "free"},
        "research": {"line_bonus": 0, "game_bonus": 0},
        "straight": {"knock_limit": 0},
        "hollywood": {"scoring": "hollywood", "target": 150},
        "round_the_corner": {"aces": "round_the_corner"},
        "rotation": {"format": "rotation"},
        "winner_stays": {"format": "winner_stays", "next_dealer": "loser"},
        "partners": {"format": "partners", "target": 125},
    }
)
"""The named systems of rules: what sets each apart from the defaults. Version 1: printed records are read by it."""
